//! Checks that were placed into the program, and the places where invariants could be told.

use base::Span;
use program::{InstructionKind, Operand, Property};

use super::Lowerer;
use super::call::CallSite;
use super::entity::Entity;
use super::value::{Lowered, Value};
use crate::ast::{StmtId, StmtKind};
use crate::invariant_candidates::{InvariantSite, SiteVariable};
use crate::placed_check::CheckKind;

impl Lowerer<'_, '_> {
    /// A placed check is an assertion whose condition is evaluated in one step.
    pub fn placed_check(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let number = match site.arguments.first() {
            Some(&number) => self.try_integer_constant(number).and_then(|number| usize::try_from(number).ok()),
            None => None,
        };
        let check = number.and_then(|number| self.link.options.checks.get(number));
        let (Some(check), Some(&condition)) = (check, site.arguments.get(1)) else {
            return self.error("arguments", site.span, format!("`{}` is not for programs", site.name));
        };
        let message = format!("the invariant `{}` does not hold", check.expression);
        self.emit(InstructionKind::AtomicBegin, site.span);
        let condition = self.condition(condition)?;
        self.emit(InstructionKind::Assert { condition, property: Property::Assert, message }, site.span);
        self.emit(InstructionKind::AtomicEnd, site.span);
        Ok(Value::void())
    }

    /// An assertion of the program itself, which is none where only placed checks are asked about.
    pub fn program_assertion(&mut self, condition: Operand, property: Property, message: String, span: Span) {
        if property != Property::Assert || self.link.options.checks.is_empty() {
            self.emit(InstructionKind::Assert { condition, property, message }, span);
        }
    }

    pub fn note_loop(&mut self, span: Span, initialises: bool) {
        self.note_site(CheckKind::LoopHead, span, initialises);
    }

    pub fn note_first_statement(&mut self, body: StmtId) {
        let StmtKind::Compound(block) = &self.ast[body].kind else { return };
        if let Some(&first) = block.items.first() {
            let is_loop = matches!(self.ast[first].kind, StmtKind::While { .. } | StmtKind::For { .. });
            if !is_loop {
                self.note_site(CheckKind::Location, self.ast[first].span, false);
            }
        }
    }

    fn note_site(&mut self, kind: CheckKind, span: Span, initialises: bool) {
        if !self.link.options.propose_invariants || self.built_in || Some(span.file) != self.ast.file {
            return;
        }
        let mut variables = Vec::new();
        for (name, entity) in self.scopes.visible() {
            let ty = match entity {
                Entity::Register { ty, .. } | Entity::Local { ty, .. } => ty,
                Entity::Global(global) if !self.link.globals[global].library => self.link.globals[global].ty,
                _ => continue,
            };
            if self.link.types.is_integer(ty.ty) {
                variables.push(SiteVariable { name, signed: self.link.types.is_signed(ty.ty) });
            }
        }
        self.link.invariant_sites.push(InvariantSite { kind, span, initialises, variables });
    }
}
