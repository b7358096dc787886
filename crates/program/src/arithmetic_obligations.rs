//! Which properties a computation can violate, told from its operator and the operands that are constants.

use crate::instruction::{BinaryOp, Operand, Rvalue, UnaryOp};
use crate::property::{Property, PropertySet};

/// The properties that the computation of `value` can violate.
pub fn violated_by(value: &Rvalue) -> PropertySet {
    match *value {
        Rvalue::Unary { op: UnaryOp::Neg, signed: true, .. } => PropertySet::of(&[Property::NoOverflow]),
        Rvalue::Binary { op, left, right, signed, .. } => violated_by_operator(op, left, right, signed),
        Rvalue::Unary { op: UnaryOp::Neg | UnaryOp::Not | UnaryOp::FloatNeg, .. }
        | Rvalue::Use(_)
        | Rvalue::Cast { .. }
        | Rvalue::PointerAdd { .. }
        | Rvalue::PointerDifference { .. }
        | Rvalue::Select { .. } => PropertySet::EMPTY,
    }
}

fn violated_by_operator(op: BinaryOp, left: Operand, right: Operand, signed: bool) -> PropertySet {
    let mut violated = PropertySet::EMPTY;
    let mut add = |condition: bool, property: Property| {
        if condition {
            violated.insert(property);
        }
    };
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => add(signed, Property::NoOverflow),
        BinaryOp::UDiv | BinaryOp::URem => add(may_be_zero(right), Property::NoDivByZero),
        BinaryOp::SDiv | BinaryOp::SRem => {
            add(may_be_zero(right), Property::NoDivByZero);
            add(may_be_minus_one(right), Property::NoOverflow);
        }
        BinaryOp::Shl => {
            add(signed, Property::NoOverflow);
            add(!is_in_range(right) || (signed && may_be_negative(left)), Property::NoBadShift);
        }
        BinaryOp::LShr | BinaryOp::AShr => add(!is_in_range(right), Property::NoBadShift),
        BinaryOp::Scale
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Ult
        | BinaryOp::Ule
        | BinaryOp::Slt
        | BinaryOp::Sle
        | BinaryOp::FloatAdd
        | BinaryOp::FloatSub
        | BinaryOp::FloatMul
        | BinaryOp::FloatDiv
        | BinaryOp::FloatEq
        | BinaryOp::FloatNe
        | BinaryOp::FloatLt
        | BinaryOp::FloatLe => {}
    }
    violated
}

fn may_be_zero(operand: Operand) -> bool {
    !matches!(operand, Operand::Int { value: 1.., .. })
}

fn may_be_minus_one(operand: Operand) -> bool {
    !matches!(operand, Operand::Int { bits, value } if value != u64::MAX >> (64 - u32::from(bits)))
}

fn may_be_negative(operand: Operand) -> bool {
    !matches!(operand, Operand::Int { bits, value } if value >> (bits - 1) == 0)
}

/// Whether this shift count is certainly less than the number of bits.
fn is_in_range(count: Operand) -> bool {
    matches!(count, Operand::Int { bits, value } if value < u64::from(bits))
}
