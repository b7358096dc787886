//! `&&`, `||`, `!`, `?:` and conditions. What is pure is computed without a branch; everything else keeps C's order.

use base::Span;
use program::{BinaryOp as Op, BlockId, InstructionKind, Operand, Rvalue, Type};

use super::Lowerer;
use super::value::{Form, Lowered, Value};
use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::ctype::{QualType, Quals, TypeId, TypeTable};

/// At most this many pure instructions are computed although C would skip them.
const MAX_SPECULATED: usize = 4;

impl Lowerer<'_, '_> {
    /// The expression's truth in one bit.
    pub fn condition(&mut self, expr: ExprId) -> Lowered<Operand> {
        self.sign_only = Some(expr);
        let value = self.rvalue(expr)?;
        let span = self.span(expr);
        self.truth(value, span)
    }

    /// Evaluates a condition and goes to one of two blocks.
    pub fn branch_on(&mut self, expr: ExprId, then: BlockId, otherwise: BlockId) -> Lowered<()> {
        let span = self.span(expr);
        match &self.ast[expr].kind {
            _ if self.settled.contains_key(&expr) => {}
            ExprKind::Unary { op: UnaryOp::Not, operand } => return self.branch_on(*operand, otherwise, then),
            ExprKind::Binary { op: op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), left, right } => {
                let and = *op == BinaryOp::LogicalAnd;
                let right = *right;
                let first = self.condition(*left)?;
                return self.branch_on_second(and, first, right, then, otherwise, span);
            }
            ExprKind::Comma { left, right } => {
                self.discard(*left)?;
                return self.branch_on(*right, then, otherwise);
            }
            _ => {}
        }
        let condition = self.condition(expr)?;
        self.f.builder.branch(condition, then, otherwise, span);
        Ok(())
    }

    fn branch_on_second(
        &mut self,
        and: bool,
        first: Operand,
        second: ExprId,
        then: BlockId,
        otherwise: BlockId,
        span: Span,
    ) -> Lowered<()> {
        if let Operand::Int { value, .. } = first {
            let decided = (value != 0) != and;
            if decided {
                self.f.builder.goto(if and { otherwise } else { then }, span);
                return Ok(());
            }
            return self.branch_on(second, then, otherwise);
        }
        let home = self.f.builder.current;
        let begun = self.f.jumps.position();
        let side = self.f.builder.new_block();
        self.f.builder.switch_to(side);
        // A nested `&&` or `||` on the right branches by itself if it is not pure.
        let is_logical =
            matches!(self.ast[second].kind, ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, .. });
        if is_logical {
            self.branch_on(second, then, otherwise)?;
        } else {
            let truth = self.condition(second)?;
            if self.inline_pure(home, side) {
                let both = self.combine(and, first, truth, span);
                self.f.builder.branch(both, then, otherwise, span);
                return Ok(());
            }
            let second_span = self.span(second);
            self.f.builder.branch(truth, then, otherwise, second_span);
        }
        self.hoist_begins(&begun, home, span);
        self.f.builder.switch_to(home);
        if and {
            self.f.builder.branch(first, side, otherwise, span);
        } else {
            self.f.builder.branch(first, then, side, span);
        }
        Ok(())
    }

    fn combine(&mut self, and: bool, left: Operand, right: Operand, span: Span) -> Operand {
        let op = if and { Op::And } else { Op::Or };
        let identity = if and { Operand::TRUE } else { Operand::FALSE };
        if right == identity {
            return left;
        }
        if matches!(right, Operand::Int { .. }) {
            return right;
        }
        let value = Rvalue::Binary { op, ty: Type::BOOL, left, right, signed: false };
        self.compute(value, Type::BOOL, span)
    }

    /// If `side` is one open block of few harmless instructions, moves them to the end of `home` and goes on there.
    fn inline_pure(&mut self, home: BlockId, side: BlockId) -> bool {
        let builder = &mut self.f.builder;
        let block = &builder.blocks[side];
        let harmless = block.instructions.iter().all(|instruction| is_harmless(&instruction.kind));
        if builder.current != side || block.instructions.len() > MAX_SPECULATED || !harmless {
            return false;
        }
        let mut moved = std::mem::take(&mut builder.blocks[side].instructions);
        builder.blocks[home].instructions.append(&mut moved);
        builder.switch_to(home);
        true
    }

    /// `left && right` or `left || right` as a value.
    pub fn logical(&mut self, and: bool, left: ExprId, right: ExprId, span: Span) -> Lowered<Value> {
        let first = self.condition(left)?;
        if let Operand::Int { value, .. } = first {
            let decided = (value != 0) != and;
            if decided {
                return Ok(Value::truth(first));
            }
            return Ok(Value::truth(self.condition(right)?));
        }
        let home = self.f.builder.current;
        let begun = self.f.jumps.position();
        let side = self.f.builder.new_block();
        self.f.builder.switch_to(side);
        let second = self.condition(right)?;
        if self.inline_pure(home, side) {
            return Ok(Value::truth(self.combine(and, first, second, span)));
        }
        let side_end = self.f.builder.current;
        let result = self.f.builder.pinned(Type::BOOL);
        let join = self.f.builder.new_block();
        self.f.builder.switch_to(side_end);
        self.f.builder.assign(result, second, span);
        self.f.builder.goto(join, span);
        self.hoist_begins(&begun, home, span);
        self.f.builder.switch_to(home);
        self.f.builder.emit(InstructionKind::Assign { target: result, value: Rvalue::Use(first) }, span);
        if and {
            self.f.builder.branch(first, side, join, span);
        } else {
            self.f.builder.branch(first, join, side, span);
        }
        self.f.builder.switch_to(join);
        Ok(Value::truth(Operand::Register(result)))
    }

    /// `condition ? then : otherwise`, with `then` left out in GNU's form.
    pub fn conditional(
        &mut self,
        condition: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
        span: Span,
    ) -> Lowered<Value> {
        let value = self.rvalue(condition)?;
        let test = self.truth(value, span)?;
        if let Operand::Int { value: chosen, .. } = test {
            return self.constant_conditional((condition, value), chosen != 0, then, otherwise, span);
        }
        let home = self.f.builder.current;
        let begun = self.f.jumps.position();
        let value = Value { operand: self.f.builder.pin(value.operand), ..value };
        let (then_block, else_block) = (self.f.builder.new_block(), self.f.builder.new_block());
        self.f.builder.switch_to(then_block);
        let first = match then {
            Some(expr) => self.rvalue(expr)?,
            None => value,
        };
        let first_end = self.f.builder.current;
        self.f.builder.switch_to(else_block);
        let second = self.rvalue(otherwise)?;
        let second_end = self.f.builder.current;
        let arms = Arms { first, second, exprs: (then.unwrap_or(condition), otherwise) };
        let ty = self.conditional_type(arms, span)?;

        let join = self.f.builder.new_block();
        self.f.builder.switch_to(first_end);
        let first = self.convert(first, ty, span)?;
        let first_end = self.f.builder.current;
        self.f.builder.switch_to(second_end);
        let second = self.convert(second, ty, span)?;
        let second_end = self.f.builder.current;

        if let Some(selected) =
            self.select(test, ty, (first, then_block, first_end), (second, else_block, second_end), home, span)
        {
            return Ok(selected);
        }
        let result = self.join_values(ty, (first, first_end), (second, second_end), join, span);
        self.hoist_begins(&begun, home, span);
        self.f.builder.switch_to(home);
        self.f.builder.branch(test, then_block, else_block, span);
        self.f.builder.switch_to(join);
        Ok(result)
    }

    /// Only the chosen arm is evaluated, but the other still takes part in the type.
    fn constant_conditional(
        &mut self,
        (condition, value): (ExprId, Value),
        chosen: bool,
        then: Option<ExprId>,
        otherwise: ExprId,
        span: Span,
    ) -> Lowered<Value> {
        let first = match then {
            None => value,
            Some(then) if chosen => self.rvalue(then)?,
            Some(then) => self.value_shape(then)?,
        };
        let second = if chosen { self.value_shape(otherwise)? } else { self.rvalue(otherwise)? };
        let arms = Arms { first, second, exprs: (then.unwrap_or(condition), otherwise) };
        let ty = self.conditional_type(arms, span)?;
        self.convert(if chosen { first } else { second }, ty, span)
    }

    fn select(
        &mut self,
        test: Operand,
        ty: TypeId,
        first: (Value, BlockId, BlockId),
        second: (Value, BlockId, BlockId),
        home: BlockId,
        span: Span,
    ) -> Option<Value> {
        let empty = |lowerer: &Self, (_, start, end): (Value, BlockId, BlockId)| {
            start == end && lowerer.f.builder.blocks[start].instructions.is_empty()
        };
        if first.0.form == Form::Void || !empty(self, first) || !empty(self, second) {
            return None;
        }
        self.f.builder.switch_to(home);
        let register = if first.0.form == Form::Aggregate { Type::Pointer } else { self.register_type(ty) };
        let (then, otherwise) = (first.0.operand, second.0.operand);
        let select = Rvalue::Select { condition: test, ty: register, then, otherwise };
        let operand = self.compute(select, register, span);
        Some(Value { operand, ty, form: first.0.form })
    }

    fn join_values(
        &mut self,
        ty: TypeId,
        first: (Value, BlockId),
        second: (Value, BlockId),
        join: BlockId,
        span: Span,
    ) -> Value {
        let form = first.0.form;
        let register = match form {
            Form::Void => None,
            Form::Aggregate => Some(Type::Pointer),
            _ => Some(self.register_type(ty)),
        };
        let result = register.map(|register| self.f.builder.pinned(register));
        for (value, end) in [first, second] {
            self.f.builder.switch_to(end);
            if let Some(result) = result {
                self.f.builder.assign(result, value.operand, span);
            }
            self.f.builder.goto(join, span);
        }
        match result {
            Some(result) => Value { operand: Operand::Register(result), ty, form },
            None => Value::void(),
        }
    }

    /// C11 6.5.15: the type both arms are converted to.
    fn conditional_type(&mut self, arms: Arms, span: Span) -> Lowered<TypeId> {
        let Arms { first, second, .. } = arms;
        let types = &mut self.link.types;
        if first.form == Form::Void || second.form == Form::Void {
            return Ok(TypeTable::VOID);
        }
        if first.ty == second.ty && first.form != Form::Truth && second.form != Form::Truth {
            return Ok(types.promoted_if_integer(first.ty));
        }
        if types.is_arithmetic(first.ty) && types.is_arithmetic(second.ty) {
            return Ok(types.usual_arithmetic(first.ty, second.ty));
        }
        match (types.pointee(first.ty), types.pointee(second.ty)) {
            (Some(one), Some(other)) => self.conditional_pointer(arms, one, other),
            (Some(_), None) => Ok(first.ty),
            (None, Some(_)) => Ok(second.ty),
            (None, None) if types.compatible(first.ty, second.ty) => Ok(first.ty),
            (None, None) if types.is_opaque(first.ty) => Ok(first.ty),
            (None, None) if types.is_opaque(second.ty) => Ok(second.ty),
            (None, None) => {
                let (first, second) = (self.link.types.name(first.ty), self.link.types.name(second.ty));
                self.error("type", span, format!("`{first}` and `{second}` have no common type"))
            }
        }
    }

    /// C11 6.5.15 p6: a pointer to the composite type or to `void`, with the qualifiers of both sides, unless one arm is a null
    /// pointer constant. As GCC has it, pointers to types that do not match become `void *`.
    fn conditional_pointer(&mut self, arms: Arms, one: QualType, other: QualType) -> Lowered<TypeId> {
        if let Some(target) = self.link.types.common_target(one, other) {
            return Ok(self.link.types.pointer_to(target));
        }
        if self.is_null_pointer_constant(arms.exprs.0)? {
            return Ok(arms.second.ty);
        }
        if self.is_null_pointer_constant(arms.exprs.1)? {
            return Ok(arms.first.ty);
        }
        let types = &mut self.link.types;
        let is_plain_void = |target: QualType| types.is_void(target.ty) && !target.is_atomic();
        if !is_plain_void(one) && !is_plain_void(other) {
            return Ok(TypeTable::VOID_POINTER);
        }
        let quals = one.quals.union(other.quals).without(Quals::ATOMIC);
        Ok(types.pointer_to(QualType { ty: TypeTable::VOID, quals }))
    }
}

/// Both arms of `?:`, evaluated or only looked at.
#[derive(Clone, Copy)]
struct Arms {
    first: Value,
    second: Value,
    exprs: (ExprId, ExprId),
}

impl TypeTable {
    fn promoted_if_integer(&mut self, ty: TypeId) -> TypeId {
        if self.is_integer(ty) { self.promoted(ty) } else { ty }
    }
}

/// Pure, and it cannot violate a property: it may be computed where C would not.
fn is_harmless(kind: &InstructionKind) -> bool {
    let InstructionKind::Assign { value, .. } = kind else { return false };
    match value {
        Rvalue::Unary { signed, .. } => !signed,
        Rvalue::Binary { op, signed, .. } => {
            let fails = matches!(op, Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr);
            !signed && !fails
        }
        Rvalue::Use(_) | Rvalue::Cast { .. } | Rvalue::Select { .. } => true,
        Rvalue::PointerAdd { .. } | Rvalue::PointerDifference { .. } => false,
    }
}
