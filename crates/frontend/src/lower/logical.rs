//! `&&`, `||`, `!`, `?:` and conditions. What is pure is computed without a branch; everything else keeps C's order.

use base::Span;
use program::{BlockId, InstructionKind, Operand, Rvalue, Type};

use super::Lowerer;
use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::ctype::{QualType, Quals, TypeId, TypeTable};
use crate::emit::value::{CValue, Form, Lowered};

impl Lowerer<'_, '_> {
    /// The expression's truth in one bit.
    pub fn condition(&mut self, expr: ExprId) -> Lowered<Operand> {
        self.compared_with_zero = Some(expr);
        let value = self.rvalue(expr)?;
        let span = self.span(expr);
        self.emit.truth(value, span)
    }

    /// Evaluates a condition and goes to one of two blocks.
    pub fn branch_on(&mut self, expr: ExprId, then: BlockId, otherwise: BlockId) -> Lowered<()> {
        let span = self.span(expr);
        match &self.ast[expr].kind {
            _ if self.operands.is_settled(expr) => {}
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
        self.emit.builder.branch(condition, then, otherwise, span);
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
                self.emit.builder.goto(if and { otherwise } else { then }, span);
                return Ok(());
            }
            return self.branch_on(second, then, otherwise);
        }
        let home = self.emit.builder.current;
        let begun = self.emit.jumps.position();
        let side = self.emit.builder.new_block();
        self.emit.builder.switch_to(side);
        // A nested `&&` or `||` on the right branches by itself if it is not pure.
        let is_logical =
            matches!(self.ast[second].kind, ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, .. });
        if is_logical {
            self.branch_on(second, then, otherwise)?;
        } else {
            let truth = self.condition(second)?;
            if self.emit.builder.inline_pure(home, side) {
                let both = self.emit.combine(and, first, truth, span);
                self.emit.builder.branch(both, then, otherwise, span);
                return Ok(());
            }
            let second_span = self.span(second);
            self.emit.builder.branch(truth, then, otherwise, second_span);
        }
        self.emit.hoist_begins(&begun, home, span);
        self.emit.builder.switch_to(home);
        if and {
            self.emit.builder.branch(first, side, otherwise, span);
        } else {
            self.emit.builder.branch(first, then, side, span);
        }
        Ok(())
    }

    /// `left && right` or `left || right` as a value.
    pub fn logical(&mut self, and: bool, left: ExprId, right: ExprId, span: Span) -> Lowered<CValue> {
        let first = self.condition(left)?;
        if let Operand::Int { value, .. } = first {
            let decided = (value != 0) != and;
            if decided {
                return Ok(CValue::truth(first));
            }
            return Ok(CValue::truth(self.condition(right)?));
        }
        let home = self.emit.builder.current;
        let begun = self.emit.jumps.position();
        let side = self.emit.builder.new_block();
        self.emit.builder.switch_to(side);
        let second = self.condition(right)?;
        if self.emit.builder.inline_pure(home, side) {
            return Ok(CValue::truth(self.emit.combine(and, first, second, span)));
        }
        let side_end = self.emit.builder.current;
        let result = self.emit.builder.pinned(Type::BOOL);
        let join = self.emit.builder.new_block();
        self.emit.builder.switch_to(side_end);
        self.emit.builder.assign(result, second, span);
        self.emit.builder.goto(join, span);
        self.emit.hoist_begins(&begun, home, span);
        self.emit.builder.switch_to(home);
        self.emit.builder.emit(InstructionKind::Assign { target: result, value: Rvalue::Use(first) }, span);
        if and {
            self.emit.builder.branch(first, side, join, span);
        } else {
            self.emit.builder.branch(first, join, side, span);
        }
        self.emit.builder.switch_to(join);
        Ok(CValue::truth(Operand::Register(result)))
    }

    /// `condition ? then : otherwise`, with `then` left out in GNU's form.
    pub fn conditional(
        &mut self,
        condition: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
        span: Span,
    ) -> Lowered<CValue> {
        let value = self.rvalue(condition)?;
        let test = self.emit.truth(value, span)?;
        if let Operand::Int { value: chosen, .. } = test {
            return self.constant_conditional((condition, value), chosen != 0, then, otherwise, span);
        }
        let home = self.emit.builder.current;
        let begun = self.emit.jumps.position();
        let value = CValue { operand: self.emit.builder.pin(value.operand), ..value };
        let (then_block, else_block) = (self.emit.builder.new_block(), self.emit.builder.new_block());
        self.emit.builder.switch_to(then_block);
        let first = match then {
            Some(expr) => self.rvalue(expr)?,
            None => value,
        };
        let first_end = self.emit.builder.current;
        self.emit.builder.switch_to(else_block);
        let second = self.rvalue(otherwise)?;
        let second_end = self.emit.builder.current;
        let arms = Arms { first, second, exprs: (then.unwrap_or(condition), otherwise) };
        let ty = self.conditional_type(arms, span)?;

        let join = self.emit.builder.new_block();
        self.emit.builder.switch_to(first_end);
        let first = self.emit.convert(first, ty, span)?;
        let first_end = self.emit.builder.current;
        self.emit.builder.switch_to(second_end);
        let second = self.emit.convert(second, ty, span)?;
        let second_end = self.emit.builder.current;

        if let Some(selected) =
            self.emit.select(test, ty, (first, then_block, first_end), (second, else_block, second_end), home, span)
        {
            return Ok(selected);
        }
        let result = self.emit.join_values(ty, (first, first_end), (second, second_end), join, span);
        self.emit.hoist_begins(&begun, home, span);
        self.emit.builder.switch_to(home);
        self.emit.builder.branch(test, then_block, else_block, span);
        self.emit.builder.switch_to(join);
        Ok(result)
    }

    /// Only the chosen arm is evaluated, but the other still takes part in the type.
    fn constant_conditional(
        &mut self,
        (condition, value): (ExprId, CValue),
        chosen: bool,
        then: Option<ExprId>,
        otherwise: ExprId,
        span: Span,
    ) -> Lowered<CValue> {
        let first = match then {
            None => value,
            Some(then) if chosen => self.rvalue(then)?,
            Some(then) => self.value_shape(then)?,
        };
        let second = if chosen { self.value_shape(otherwise)? } else { self.rvalue(otherwise)? };
        let arms = Arms { first, second, exprs: (then.unwrap_or(condition), otherwise) };
        let ty = self.conditional_type(arms, span)?;
        self.emit.convert(if chosen { first } else { second }, ty, span)
    }

    /// C11 6.5.15: the type both arms are converted to.
    fn conditional_type(&mut self, arms: Arms, span: Span) -> Lowered<TypeId> {
        let Arms { first, second, .. } = arms;
        let types = &mut self.emit.link.types;
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
                let (first, second) = (self.emit.link.types.name(first.ty), self.emit.link.types.name(second.ty));
                self.error("type", span, format!("`{first}` and `{second}` have no common type"))
            }
        }
    }

    /// C11 6.5.15 p6: a pointer to the composite type or to `void`, with the qualifiers of both sides, unless one arm is a null
    /// pointer constant. As GCC has it, pointers to types that do not match become `void *`.
    fn conditional_pointer(&mut self, arms: Arms, one: QualType, other: QualType) -> Lowered<TypeId> {
        if let Some(target) = self.emit.link.types.common_target(one, other) {
            return Ok(self.emit.link.types.pointer_to(target));
        }
        if self.is_null_pointer_constant(arms.exprs.0)? {
            return Ok(arms.second.ty);
        }
        if self.is_null_pointer_constant(arms.exprs.1)? {
            return Ok(arms.first.ty);
        }
        let types = &mut self.emit.link.types;
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
    first: CValue,
    second: CValue,
    exprs: (ExprId, ExprId),
}

impl TypeTable {
    fn promoted_if_integer(&mut self, ty: TypeId) -> TypeId {
        if self.is_integer(ty) { self.promoted(ty) } else { ty }
    }
}
