//! Operands that C lets a compiler evaluate in any order. Where it can make a difference and functions are called, the
//! execution chooses; where both are plain expressions the program is undefined, and the order is an assumption.

use base::Span;
use program::RegisterId;

use super::Lowerer;
use super::entity::Entity;
use super::value::{Form, Lowered, Value};
use crate::ast::{ExprId, ExprKind, UnaryOp};
use crate::ctype::{TypeId, TypeTable};
use crate::effects::{Effects, is_step, parts_of};
use crate::symbol::Symbol;

/// Choices inside of choices double the code; beyond this depth the order is an assumption.
const MAX_DEPTH: u32 = 3;

/// How operands are evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sequence {
    /// From left to right.
    Left,
    /// From left or from right, by a choice of the execution.
    Chosen,
}

impl Lowerer<'_, '_> {
    /// The values of two operands.
    pub fn two_values(&mut self, left: ExprId, right: ExprId, span: Span) -> Lowered<(Value, Value)> {
        if self.sequence(&[left, right], span)? == Sequence::Left {
            return Ok((self.rvalue(left)?, self.rvalue(right)?));
        }
        let values = self.in_any_order(&[left, right], span, |lowerer, index| lowerer.rvalue([left, right][index]))?;
        Ok((values[0], values[1]))
    }

    /// Whether the values of operands that are evaluated in the order that `evaluate` is asked for them must be chosen.
    pub fn must_choose_order(&mut self, operands: &[ExprId], span: Span) -> Lowered<bool> {
        Ok(self.sequence(operands, span)? == Sequence::Chosen)
    }

    /// Whether the address of `target` and `value` must be evaluated in an order that the execution chooses.
    pub fn must_choose_target(&mut self, target: ExprId, value: ExprId, span: Span) -> Lowered<bool> {
        let mut address = Effects::default();
        self.add_address(target, &mut address);
        let effects = vec![address, self.effects(value)];
        let chosen = self.sequence_with(&[target, value], effects, span)? == Sequence::Chosen;
        let is_pointed_to =
            matches!(self.ast[target].kind, ExprKind::Index { .. } | ExprKind::Unary { op: UnaryOp::Dereference, .. });
        if chosen && !is_pointed_to {
            self.assume_order(span);
        }
        Ok(chosen && is_pointed_to)
    }

    fn assume_order(&mut self, span: Span) {
        let line = span.line;
        self.link.assume(format!("operands in line {line} are evaluated from left to right; C leaves the order open"));
    }

    fn sequence(&mut self, operands: &[ExprId], span: Span) -> Lowered<Sequence> {
        if operands.len() < 2 {
            return Ok(Sequence::Left);
        }
        let effects = operands.iter().map(|&operand| self.effects(operand)).collect();
        self.sequence_with(operands, effects, span)
    }

    fn sequence_with(&mut self, operands: &[ExprId], effects: Vec<Effects>, span: Span) -> Lowered<Sequence> {
        if self.f.result.is_none() || self.f.builder.constant_mode || self.built_in {
            return Ok(Sequence::Left);
        }
        let (mut conflicts, mut calls) = (Vec::new(), true);
        for (index, one) in effects.iter().enumerate() {
            for (other_index, other) in effects.iter().enumerate().skip(index + 1) {
                let by_memory = self.link.effects.conflict(one, other);
                if by_memory || self.locals_conflict(operands[index], operands[other_index]) {
                    conflicts.extend([index, other_index]);
                    calls &= by_memory && (one.calls || other.calls);
                }
            }
        }
        if conflicts.is_empty() {
            return Ok(Sequence::Left);
        }
        conflicts.sort_unstable();
        conflicts.dedup();
        let mut plain = true;
        for &operand in operands {
            plain &= !self.has_statements(operand) && self.value_shape(operand)?.form != Form::Aggregate;
        }
        if !calls || !plain || conflicts.len() > 2 || self.f.open_choices >= MAX_DEPTH {
            self.assume_order(span);
        }
        match calls && plain && self.f.open_choices < MAX_DEPTH {
            true => Ok(Sequence::Chosen),
            false => Ok(Sequence::Left),
        }
    }

    /// Evaluates operands from the first to the last or the other way round.
    pub fn in_any_order(
        &mut self,
        operands: &[ExprId],
        span: Span,
        mut evaluate: impl FnMut(&mut Self, usize) -> Lowered<Value>,
    ) -> Lowered<Vec<Value>> {
        let choice = self.input(TypeTable::BOOL, span);
        let choice = self.truth(choice, span)?;
        let (forwards, backwards) = (self.f.builder.new_block(), self.f.builder.new_block());
        let join = self.f.builder.new_block();
        self.f.builder.branch(choice, backwards, forwards, span);
        let mut results: Vec<Option<(RegisterId, TypeId)>> = vec![None; operands.len()];
        self.f.open_choices += 1;
        for (block, reverse) in [(forwards, false), (backwards, true)] {
            self.f.builder.switch_to(block);
            self.push_frame();
            for position in 0..operands.len() {
                let index = if reverse { operands.len() - 1 - position } else { position };
                let value = evaluate(self, index)?;
                let value = self.materialise(value, span)?;
                if value.form != Form::Scalar {
                    continue;
                }
                let ty = self.register_type(value.ty);
                let (register, _) = *results[index].get_or_insert_with(|| (self.f.builder.pinned(ty), value.ty));
                self.f.builder.assign(register, value.operand, span);
            }
            self.pop_frame(span);
            self.f.builder.goto(join, span);
        }
        self.f.open_choices -= 1;
        self.f.builder.switch_to(join);
        let value = |result: Option<(RegisterId, TypeId)>| match result {
            Some((register, ty)) => Value::scalar(program::Operand::Register(register), ty),
            None => Value::void(),
        };
        Ok(results.into_iter().map(value).collect())
    }

    /// What the evaluation of an expression does to memory.
    fn effects(&self, expr: ExprId) -> Effects {
        let mut effects = Effects::default();
        self.add_effects(expr, &mut effects);
        effects
    }

    fn add_effects(&self, expr: ExprId, effects: &mut Effects) {
        match &self.ast[expr].kind {
            ExprKind::Name(name) => self.add_name(*name, effects, false),
            ExprKind::Assign { target, value, .. } => {
                self.add_write(*target, effects);
                self.add_effects(*value, effects);
            }
            ExprKind::Unary { op, operand } if is_step(*op) => self.add_write(*operand, effects),
            ExprKind::Unary { op: UnaryOp::AddressOf, operand } => {
                if !matches!(self.ast[*operand].kind, ExprKind::Name(_)) {
                    self.add_parts(*operand, effects);
                }
            }
            ExprKind::Unary { op: UnaryOp::Dereference, .. }
            | ExprKind::Index { .. }
            | ExprKind::Member { arrow: true, .. } => {
                effects.reads_through_pointer = true;
                self.add_parts(expr, effects);
            }
            ExprKind::Call { callee, arguments } => {
                let called = match self.ast[*callee].kind {
                    ExprKind::Name(name) => match self.scopes.lookup(name) {
                        Some(Entity::Function(_)) | None => self.link.effects.of_call(self.name(name)),
                        Some(_) => self.link.effects.of_unknown_call(),
                    },
                    _ => self.link.effects.of_unknown_call(),
                };
                effects.add(&called);
                arguments.iter().for_each(|argument| self.add_effects(*argument, effects));
            }
            _ => self.add_parts(expr, effects),
        }
    }

    fn add_parts(&self, expr: ExprId, effects: &mut Effects) {
        let (mut parts, mut bodies) = (Vec::new(), Vec::new());
        parts_of(self.ast, expr, &mut parts, &mut bodies);
        parts.into_iter().for_each(|part| self.add_effects(part, effects));
        if !bodies.is_empty() {
            effects.add(&self.link.effects.of_unknown_call());
        }
    }

    /// What it takes to find out where an lvalue is.
    fn add_address(&self, target: ExprId, effects: &mut Effects) {
        match &self.ast[target].kind {
            ExprKind::Name(_) => {}
            ExprKind::Member { base, arrow: false, .. } => self.add_address(*base, effects),
            _ => self.add_parts(target, effects),
        }
    }

    fn add_name(&self, name: Symbol, effects: &mut Effects, writes: bool) {
        match self.scopes.lookup(name) {
            // Its address is no access.
            Some(Entity::Global(global)) if self.link.types.element(self.link.globals[global].ty.ty).is_some() => {}
            Some(Entity::Global(global)) if !self.link.types.is_constant(self.link.globals[global].ty) => {
                effects.reads.insert(self.name(name).into());
                if writes {
                    effects.writes.insert(self.name(name).into());
                }
            }
            Some(Entity::Local { .. }) if self.f.address_taken.contains(&name) => {
                effects.reads_through_pointer = true;
                effects.writes_through_pointer |= writes;
            }
            _ => {}
        }
    }

    fn add_write(&self, target: ExprId, effects: &mut Effects) {
        match &self.ast[target].kind {
            ExprKind::Name(name) => self.add_name(*name, effects, true),
            ExprKind::Member { base, arrow: false, .. } => self.add_write(*base, effects),
            _ => {
                effects.writes_through_pointer = true;
                self.add_effects(target, effects);
            }
        }
    }

    /// Whether one changes a local variable that the other mentions: `i++ + i`.
    fn locals_conflict(&self, one: ExprId, other: ExprId) -> bool {
        let (mut changed, mut mentioned) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for (index, expr) in [one, other].into_iter().enumerate() {
            self.note_locals(expr, &mut changed[index], &mut mentioned[index]);
        }
        changed[0].iter().any(|name| mentioned[1].contains(name))
            || changed[1].iter().any(|name| mentioned[0].contains(name))
    }

    fn note_locals(&self, expr: ExprId, changed: &mut Vec<Symbol>, mentioned: &mut Vec<Symbol>) {
        match &self.ast[expr].kind {
            ExprKind::Name(name) => {
                if matches!(self.scopes.lookup(*name), Some(Entity::Register { .. })) {
                    mentioned.push(*name);
                }
            }
            ExprKind::Assign { target: place, .. } => self.note_changed(*place, changed),
            ExprKind::Unary { op, operand } if is_step(*op) => self.note_changed(*operand, changed),
            _ => {}
        }
        let (mut parts, mut bodies) = (Vec::new(), Vec::new());
        parts_of(self.ast, expr, &mut parts, &mut bodies);
        parts.into_iter().for_each(|part| self.note_locals(part, changed, mentioned));
    }

    fn note_changed(&self, place: ExprId, changed: &mut Vec<Symbol>) {
        if let ExprKind::Name(name) = self.ast[place].kind
            && matches!(self.scopes.lookup(name), Some(Entity::Register { .. }))
        {
            changed.push(name);
        }
    }

    fn has_statements(&self, expr: ExprId) -> bool {
        let (mut parts, mut bodies) = (Vec::new(), Vec::new());
        parts_of(self.ast, expr, &mut parts, &mut bodies);
        !bodies.is_empty() || parts.into_iter().any(|part| self.has_statements(part))
    }
}
