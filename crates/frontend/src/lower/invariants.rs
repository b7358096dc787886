//! Checks that were placed into the program, and the places where invariants could be told.

use base::Span;

use super::Lowerer;
use crate::ast::{StmtId, StmtKind};
use crate::invariant_candidates::{InvariantSite, SiteVariable};
use crate::placed_check::CheckKind;
use crate::scopes::Entity;

impl Lowerer<'_, '_> {
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
        if !self.emit.link.options.propose_invariants || self.built_in || Some(span.file) != self.ast.file {
            return;
        }
        let mut variables = Vec::new();
        for (name, entity) in self.scopes.visible() {
            let ty = match entity {
                Entity::Register { ty, .. } | Entity::Local { ty, .. } => ty,
                Entity::Global(global) if !self.emit.link.globals[global].library => self.emit.link.globals[global].ty,
                _ => continue,
            };
            if self.emit.link.types.is_integer(ty.ty) {
                variables.push(SiteVariable { name, signed: self.emit.link.types.is_signed(ty.ty) });
            }
        }
        self.emit.link.invariant_sites.push(InvariantSite { kind, span, initialises, variables });
    }
}
