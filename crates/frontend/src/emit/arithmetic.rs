//! Unary and binary operators on values, with C's conversions.

use base::Span;
use program::{BinaryOp as Op, DataModel, Operand, Rvalue, Type, UnaryOp as IrUnary};

use super::value::{CValue, Form, Lowered};
use super::{Emitter, zero};
use crate::ast::{BinaryOp, UnaryOp};
use crate::ctype::{CType, TypeId, TypeTable};

impl Emitter<'_, '_> {
    /// `left op right` for every operator but `&&` and `||`.
    pub fn binary(&mut self, op: BinaryOp, left: CValue, right: CValue, span: Span) -> Lowered<CValue> {
        for value in [left, right] {
            if self.link.types.is_opaque(value.ty) {
                let name = self.link.types.name(value.ty);
                let is_number = is_comparison(op) && !self.link.types.is_vector(value.ty);
                let ty = if is_number { TypeTable::INT } else { value.ty };
                return Ok(self.unsupported(format!("computation with `{name}`"), ty, span));
            }
            if matches!(value.form, Form::Aggregate | Form::Void) {
                let name = self.link.types.name(value.ty);
                return self.error("type", span, format!("`{name}` is not an operand for this operator"));
            }
        }
        let (left, right) = (self.va_list_as_pointer(left), self.va_list_as_pointer(right));
        let left_pointer = self.link.types.pointee(left.ty).is_some();
        let right_pointer = self.link.types.pointee(right.ty).is_some();
        if !left_pointer && !right_pointer {
            return self.arithmetic(op, left, right, span);
        }
        match op {
            BinaryOp::Add if left_pointer && self.link.types.is_integer(right.ty) => {
                self.pointer_plus(left, right, false, span)
            }
            BinaryOp::Add if right_pointer && self.link.types.is_integer(left.ty) => {
                self.pointer_plus(right, left, false, span)
            }
            BinaryOp::Subtract if left_pointer && right_pointer => self.pointer_distance(left, right, span),
            BinaryOp::Subtract if left_pointer && self.link.types.is_integer(right.ty) => {
                self.pointer_plus(left, right, true, span)
            }
            _ if is_comparison(op) => self.compare_pointers(op, left, right, span),
            _ => {
                let (left, right) = (self.link.types.name(left.ty), self.link.types.name(right.ty));
                self.error("type", span, format!("`{left}` and `{right}` are not operands for this operator"))
            }
        }
    }

    fn va_list_as_pointer(&mut self, value: CValue) -> CValue {
        match self.link.types.kind(value.ty) {
            CType::VaList => CValue { ty: TypeTable::VOID_POINTER, ..value },
            _ => value,
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, left: CValue, right: CValue, span: Span) -> Lowered<CValue> {
        if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            return self.shift(op, left, right, span);
        }
        if let Some(value) = self.truth_operator(op, left, right, span) {
            return Ok(value);
        }
        let ty = self.link.types.usual_arithmetic(left.ty, right.ty);
        let left = self.convert(left, ty, span)?;
        let right = self.convert(right, ty, span)?;
        let signed = self.link.types.is_signed(ty);
        let Some((ir, swap)) = operator(op, self.link.types.is_floating(ty), signed) else {
            let name = self.link.types.name(ty);
            return self.error("type", span, format!("`{name}` is not an operand for this operator"));
        };
        let (left, right) = if swap { (right, left) } else { (left, right) };
        if self.function.dialect.inexact_floats && self.link.types.is_floating(ty) && !self.builder.constant_mode {
            let result = if op.is_comparison() { TypeTable::INT } else { ty };
            return Ok(self.unsupported("floating-point arithmetic with `-ffast-math`", result, span));
        }
        let is_rounded = self.link.types.is_floating(ty) && !op.is_comparison();
        if is_rounded && self.link.types.model == DataModel::Ilp32 && !self.builder.constant_mode {
            let text = "floating-point numbers are computed in the precision of their types (-msse2 -mfpmath=sse)";
            self.link.assume(text.to_owned());
        }
        Ok(self.apply(ir, ty, left.operand, right.operand, span))
    }

    /// An IR operator on operands of C type `ty`.
    fn apply(&mut self, op: Op, ty: TypeId, left: Operand, right: Operand, span: Span) -> CValue {
        let register = self.register_type(ty);
        let signed = self.link.types.is_signed(ty) && can_overflow(op);
        let value = Rvalue::Binary { op, ty: register, left, right, signed };
        if op.is_comparison() {
            return CValue::truth(self.builder.compute(value, Type::BOOL, span));
        }
        CValue::scalar(self.builder.compute(value, register, span), ty)
    }

    /// `&`, `|`, `^`, `==`, `!=` of two truth values stay in one bit.
    fn truth_operator(&mut self, op: BinaryOp, left: CValue, right: CValue, span: Span) -> Option<CValue> {
        if left.form != Form::Truth || right.form != Form::Truth {
            return self.compare_truth_with_constant(op, left, right, span);
        }
        let ir = match op {
            BinaryOp::BitAnd => Op::And,
            BinaryOp::BitOr => Op::Or,
            BinaryOp::BitXor => Op::Xor,
            BinaryOp::Equal => Op::Eq,
            BinaryOp::NotEqual => Op::Ne,
            _ => return None,
        };
        let value = Rvalue::Binary { op: ir, ty: Type::BOOL, left: left.operand, right: right.operand, signed: false };
        Some(CValue::truth(self.builder.compute(value, Type::BOOL, span)))
    }

    /// `(a < b) == 0` and the like.
    fn compare_truth_with_constant(&mut self, op: BinaryOp, left: CValue, right: CValue, span: Span) -> Option<CValue> {
        let (truth, constant) = match (left.form, right.form) {
            (Form::Truth, Form::Scalar) => (left, right),
            (Form::Scalar, Form::Truth) => (right, left),
            _ => return None,
        };
        let Operand::Int { value, .. } = constant.operand else { return None };
        let same = match (op, value) {
            (BinaryOp::Equal, 1) | (BinaryOp::NotEqual, 0) => true,
            (BinaryOp::Equal, 0) | (BinaryOp::NotEqual, 1) => false,
            _ => return None,
        };
        Some(if same { truth } else { CValue::truth(self.builder.not(truth.operand, span)) })
    }

    fn shift(&mut self, op: BinaryOp, left: CValue, right: CValue, span: Span) -> Lowered<CValue> {
        if !self.link.types.is_integer(left.ty) || !self.link.types.is_integer(right.ty) {
            return self.error("type", span, "only integers can be shifted");
        }
        let ty = self.link.types.promoted(left.ty);
        let count_type = self.link.types.promoted(right.ty);
        let left = self.convert(left, ty, span)?;
        let right = self.convert(right, count_type, span)?;
        let signed = self.link.types.is_signed(ty);
        let register = self.register_type(ty);
        let count = self.shift_count(right, register, span);
        let ir = match op {
            BinaryOp::ShiftLeft => Op::Shl,
            _ if signed => Op::AShr,
            _ => Op::LShr,
        };
        let value = Rvalue::Binary { op: ir, ty: register, left: left.operand, right: count, signed };
        Ok(CValue::scalar(self.builder.compute(value, register, span), ty))
    }

    /// The count in the left operand's width. A wider count must not lose the bits that make it a bad one.
    fn shift_count(&mut self, count: CValue, register: Type, span: Span) -> Operand {
        let from = self.register_type(count.ty);
        let model = self.link.types.model;
        if from.bits(model) <= register.bits(model) {
            let signed = self.link.types.is_signed(count.ty);
            return self.builder.resize(count.operand, from, register, signed, span);
        }
        let limit = Operand::int(from.bits(model), 0xff);
        let over = Rvalue::Binary { op: Op::Ult, ty: from, left: limit, right: count.operand, signed: false };
        let over = self.builder.compute(over, Type::BOOL, span);
        let narrow = self.builder.narrow(count.operand, from, register, span);
        let bad = Operand::int(register.bits(model), 0xff);
        let select = Rvalue::Select { condition: over, ty: register, then: bad, otherwise: narrow };
        self.builder.compute(select, register, span)
    }

    fn compare_pointers(&mut self, op: BinaryOp, left: CValue, right: CValue, span: Span) -> Lowered<CValue> {
        let left = self.convert(left, TypeTable::VOID_POINTER, span)?;
        let right = self.convert(right, TypeTable::VOID_POINTER, span)?;
        let Some((ir, swap)) = operator(op, false, false) else {
            return self.error("type", span, "pointers are not operands for this operator");
        };
        let (left, right) = if swap { (right, left) } else { (left, right) };
        Ok(self.apply(ir, TypeTable::VOID_POINTER, left.operand, right.operand, span))
    }

    /// `+`, `-` and `~`.
    pub fn unary(&mut self, op: UnaryOp, value: CValue, span: Span) -> Lowered<CValue> {
        if self.link.types.is_opaque(value.ty) {
            let name = self.link.types.name(value.ty);
            return Ok(self.unsupported(format!("computation with `{name}`"), value.ty, span));
        }
        if !self.link.types.is_arithmetic(value.ty) || value.form == Form::Void {
            let name = self.link.types.name(value.ty);
            return self.error("type", span, format!("`{name}` is not an operand for this operator"));
        }
        let ty = self.link.types.promoted(value.ty);
        let value = self.convert(value, ty, span)?;
        let register = self.register_type(ty);
        let floating = self.link.types.is_floating(ty);
        let (ir, signed) = match op {
            UnaryOp::Minus if floating => (IrUnary::FloatNeg, false),
            UnaryOp::Minus => (IrUnary::Neg, self.link.types.is_signed(ty)),
            UnaryOp::BitNot if !floating => (IrUnary::Not, false),
            UnaryOp::Plus => return Ok(value),
            _ => return self.error("type", span, "this is not an operand for the operator"),
        };
        let negated = Rvalue::Unary { op: ir, ty: register, operand: value.operand, signed };
        Ok(CValue::scalar(self.builder.compute(negated, register, span), ty))
    }

    /// The constant 1 to add to a value of the type for `++`.
    pub fn one(&mut self, ty: TypeId) -> CValue {
        match self.register_type(ty) {
            _ if self.link.types.pointee(ty).is_some() => CValue::scalar(Operand::int(32, 1), TypeTable::INT),
            Type::Float => CValue::scalar(Operand::Float(1f32.to_bits()), ty),
            Type::Double => CValue::scalar(Operand::Double(1f64.to_bits()), ty),
            _ => CValue::scalar(Operand::int(32, 1), TypeTable::INT),
        }
    }

    /// The constant zero of a C type.
    pub fn zero_of(&self, ty: TypeId) -> CValue {
        CValue::scalar(zero(self.register_type(ty)), ty)
    }
}

pub fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual)
}

/// Operators whose result may leave the range of a signed type.
fn can_overflow(op: Op) -> bool {
    matches!(op, Op::Add | Op::Sub | Op::Mul | Op::SDiv | Op::SRem)
}

/// The IR operator, and whether its operands change places (`>` is `<` the other way round).
fn operator(op: BinaryOp, floating: bool, signed: bool) -> Option<(Op, bool)> {
    use BinaryOp::*;
    let plain = |op| Some((op, false));
    let choose = |float, int, unsigned| {
        plain(if floating {
            float
        } else if signed {
            int
        } else {
            unsigned
        })
    };
    match op {
        Add => choose(Op::FloatAdd, Op::Add, Op::Add),
        Subtract => choose(Op::FloatSub, Op::Sub, Op::Sub),
        Multiply => choose(Op::FloatMul, Op::Mul, Op::Mul),
        Divide => choose(Op::FloatDiv, Op::SDiv, Op::UDiv),
        Equal => choose(Op::FloatEq, Op::Eq, Op::Eq),
        NotEqual => choose(Op::FloatNe, Op::Ne, Op::Ne),
        Less => choose(Op::FloatLt, Op::Slt, Op::Ult),
        LessEqual => choose(Op::FloatLe, Op::Sle, Op::Ule),
        Greater => operator(Less, floating, signed).map(|(op, _)| (op, true)),
        GreaterEqual => operator(LessEqual, floating, signed).map(|(op, _)| (op, true)),
        _ if floating => None,
        Remainder => choose(Op::SRem, Op::SRem, Op::URem),
        BitAnd => plain(Op::And),
        BitOr => plain(Op::Or),
        BitXor => plain(Op::Xor),
        ShiftLeft | ShiftRight | LogicalAnd | LogicalOr => None,
    }
}
