//! Operands that C lets a compiler evaluate in any order. Where it can make a difference and functions are called, the
//! execution chooses; where both are plain expressions the program is undefined, and the order is an assumption.

use base::Span;
use program::{BlockId, Operand, RegisterId};

use super::Lowerer;
use super::entity::Entity;
use super::frame::FrameKind;
use super::value::{Address, Form, Lowered, Value};
use crate::ast::{ExprId, ExprKind, UnaryOp};
use crate::ctype::{QualType, TypeId, TypeTable};
use crate::effects::{Effects, is_step, parts_of};
use crate::symbol::Symbol;

/// Choices inside of choices double the code; beyond this depth the order is an assumption.
const MAX_DEPTH: u32 = 3;

/// Of so many operands with conflicts all orders are tried, of more only two.
const MAX_PERMUTED: usize = 3;

/// How operands are evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Sequence {
    /// From left to right.
    Left,
    /// In any order of these, by a choice of the execution.
    Chosen(Vec<usize>),
}

/// The orders in which an execution may evaluate operands.
pub struct Orders {
    orders: Vec<Vec<usize>>,
    /// There are more than these.
    is_incomplete: bool,
}

impl Orders {
    pub fn new(orders: Vec<Vec<usize>>) -> Self {
        Self { orders, is_incomplete: false }
    }

    /// All orders of these, or, if they are too many, from the left and from the right.
    fn of(operands: &[usize]) -> Self {
        if operands.len() <= MAX_PERMUTED {
            return Self::new(permutations(operands));
        }
        let backwards = operands.iter().rev().copied().collect();
        Self { orders: vec![operands.to_vec(), backwards], is_incomplete: true }
    }
}

fn permutations(of: &[usize]) -> Vec<Vec<usize>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |first: usize| {
        let rest: Vec<usize> = of.iter().copied().filter(|&other| other != first).collect();
        permutations(&rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    of.iter().copied().flat_map(with_first).collect()
}

/// Where the value of an operand is that was evaluated in one of several orders.
#[derive(Clone, Copy)]
enum Settled {
    Scalar(RegisterId, TypeId),
    Aggregate(Operand, TypeId),
}

impl Lowerer<'_, '_> {
    /// The values of two operands.
    pub fn two_values(&mut self, left: ExprId, right: ExprId, span: Span) -> Lowered<(Value, Value)> {
        let settled = self.settle(&[left, right], span)?;
        let values = (self.rvalue(left)?, self.rvalue(right)?);
        self.unsettle(&settled);
        Ok(values)
    }

    /// Evaluates those of the operands whose order matters, in an order that the execution chooses. Until
    /// [`Self::unsettle`], they have the values that they had then.
    pub fn settle(&mut self, operands: &[ExprId], span: Span) -> Lowered<Vec<ExprId>> {
        let sequence = self.sequence(operands, span)?;
        self.settle_as(sequence, operands, span)
    }

    /// As [`Self::settle`], for the expressions of an initialiser, which never interleave (C11 6.7.9 p23).
    pub fn settle_initialisers(&mut self, operands: &[ExprId], span: Span) -> Lowered<Vec<ExprId>> {
        if operands.len() < 2 {
            return Ok(Vec::new());
        }
        let effects = operands.iter().map(|&operand| self.effects(operand)).collect();
        let sequence = self.sequence_with(operands, effects, false, span)?;
        self.settle_as(sequence, operands, span)
    }

    fn settle_as(&mut self, sequence: Sequence, operands: &[ExprId], span: Span) -> Lowered<Vec<ExprId>> {
        let Sequence::Chosen(conflicts) = sequence else { return Ok(Vec::new()) };
        let settled: Vec<ExprId> = conflicts.iter().map(|&index| operands[index]).collect();
        let numbers: Vec<usize> = (0..settled.len()).collect();
        let mut shapes = Vec::new();
        for &operand in &settled {
            shapes.push(self.value_shape(operand)?);
        }
        let orders = Orders::of(&numbers);
        let values = self.in_any_order(&shapes, orders, span, |lowerer, index| lowerer.rvalue(settled[index]))?;
        self.settled.extend(settled.iter().copied().zip(values));
        Ok(settled)
    }

    /// What was settled is over.
    pub fn unsettle(&mut self, settled: &[ExprId]) {
        settled.iter().for_each(|operand| _ = self.settled.remove(operand));
    }

    /// Whether the address of `target` and `value` must be evaluated in an order that the execution chooses.
    pub fn must_choose_target(&mut self, target: ExprId, value: ExprId, span: Span) -> Lowered<bool> {
        let mut address = Effects::default();
        self.add_address(target, &mut address);
        let effects = vec![address, self.effects(value)];
        let sequence = self.sequence_with(&[target, value], effects, true, span)?;
        Ok(sequence != Sequence::Left && !matches!(self.ast[target].kind, ExprKind::Name(_)))
    }

    /// Whether `target`, which is read and written, and `value` must be evaluated in an order that the execution chooses.
    pub fn must_choose_update(&mut self, target: ExprId, value: ExprId, span: Span) -> Lowered<bool> {
        Ok(self.sequence(&[target, value], span)? != Sequence::Left)
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
        self.sequence_with(operands, effects, true, span)
    }

    /// How operands with these effects are evaluated. Unless functions are called, evaluations may interleave, and
    /// conflicts are undefined; those of an initialiser do not.
    fn sequence_with(
        &mut self,
        operands: &[ExprId],
        effects: Vec<Effects>,
        may_interleave: bool,
        span: Span,
    ) -> Lowered<Sequence> {
        if self.f.result.is_none() || self.f.builder.constant_mode || self.built_in {
            return Ok(Sequence::Left);
        }
        let changes = |index: usize| effects[index].writes_memory() || self.changes_local(operands[index]);
        let changes: Vec<bool> = (0..operands.len()).map(changes).collect();
        if !changes.contains(&true) {
            return Ok(Sequence::Left);
        }
        let (mut conflicts, mut calls) = (Vec::new(), true);
        for (index, one) in effects.iter().enumerate() {
            for (other_index, other) in effects.iter().enumerate().skip(index + 1) {
                if !changes[index] && !changes[other_index] {
                    continue;
                }
                let by_memory = self.link.effects.conflict(one, other);
                if by_memory || self.locals_conflict(operands[index], operands[other_index]) {
                    conflicts.extend([index, other_index]);
                    calls &= !may_interleave || by_memory && (one.calls || other.calls);
                }
            }
        }
        if conflicts.is_empty() {
            return Ok(Sequence::Left);
        }
        conflicts.sort_unstable();
        conflicts.dedup();
        let has_statements = conflicts.iter().any(|&index| self.has_statements(operands[index]));
        if !calls || has_statements || self.f.open_choices >= MAX_DEPTH {
            self.assume_order(span);
            return Ok(Sequence::Left);
        }
        Ok(Sequence::Chosen(conflicts))
    }

    /// Evaluates operands, whose values look like `shapes`, in one of the orders. Where there are more orders than these, the
    /// answer is unknown unless one of these violates.
    pub fn in_any_order(
        &mut self,
        shapes: &[Value],
        orders: Orders,
        span: Span,
        mut evaluate: impl FnMut(&mut Self, usize) -> Lowered<Value>,
    ) -> Lowered<Vec<Value>> {
        let mut results: Vec<Option<Settled>> = Vec::new();
        for shape in shapes {
            results.push(match shape.form {
                Form::Void => None,
                Form::Aggregate => {
                    Some(Settled::Aggregate(self.temporary_object(shape.ty, "(value)", span)?, shape.ty))
                }
                Form::Scalar | Form::Truth => {
                    let register = self.register_type(shape.ty);
                    Some(Settled::Scalar(self.f.builder.pinned(register), shape.ty))
                }
            });
        }
        let join = self.f.builder.new_block();
        self.f.open_choices += 1;
        if orders.is_incomplete {
            let odd = self.choose_alternative(span)?;
            self.unsupported("another order of evaluation", TypeTable::VOID, span);
            self.f.builder.goto(odd, span);
            self.f.builder.switch_to(odd);
        }
        let last = orders.orders.len() - 1;
        for (number, order) in orders.orders.into_iter().enumerate() {
            let next = if number < last { Some(self.choose_alternative(span)?) } else { None };
            self.push_frame(FrameKind::Part);
            for index in order {
                let value = evaluate(self, index)?;
                let value = self.materialise(value, span)?;
                match results[index] {
                    Some(Settled::Scalar(register, ty)) => {
                        let value = self.convert(value, ty, span)?;
                        self.f.builder.assign(register, value.operand, span);
                    }
                    Some(Settled::Aggregate(address, ty)) => {
                        let (to, from) = (Address::at(address), Address::at(value.operand));
                        self.copy_aggregate(to, from, QualType::plain(ty), span)?;
                    }
                    None => {}
                }
            }
            self.pop_frame(span);
            self.f.builder.goto(join, span);
            if let Some(next) = next {
                self.f.builder.switch_to(next);
            }
        }
        self.f.open_choices -= 1;
        self.f.builder.switch_to(join);
        let value = |result: Option<Settled>| match result {
            Some(Settled::Scalar(register, ty)) => Value::scalar(Operand::Register(register), ty),
            Some(Settled::Aggregate(address, ty)) => Value::aggregate(address, ty),
            None => Value::void(),
        };
        Ok(results.into_iter().map(value).collect())
    }

    /// Goes on in a block that the execution may choose; the other one is returned.
    pub fn choose_alternative(&mut self, span: Span) -> Lowered<BlockId> {
        let choice = self.input(TypeTable::BOOL, span);
        let choice = self.truth(choice, span)?;
        let (one, other) = (self.f.builder.new_block(), self.f.builder.new_block());
        self.f.builder.branch(choice, other, one, span);
        self.f.builder.switch_to(one);
        Ok(other)
    }

    fn changes_local(&self, expr: ExprId) -> bool {
        let (mut changed, mut mentioned) = (Vec::new(), Vec::new());
        self.note_locals(expr, &mut changed, &mut mentioned);
        !changed.is_empty()
    }

    /// What the evaluation of an expression does to memory.
    fn effects(&self, expr: ExprId) -> Effects {
        let mut effects = Effects::default();
        self.add_effects(expr, &mut effects);
        effects
    }

    fn add_effects(&self, expr: ExprId, effects: &mut Effects) {
        if self.settled.contains_key(&expr) {
            return;
        }
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
        if self.settled.contains_key(&expr) {
            return;
        }
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
