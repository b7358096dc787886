//! What can be wrong with the arithmetic of one instruction, as C: a replay evaluates it where the interpreter has seen a
//! violation. The definitions are those of `execute`.

use program::{BinaryOp, Operand, Property, Rvalue, UnaryOp};

use crate::c_expression::{CScope, c_operand};

/// Conditions under which computing the value violates a property.
pub fn faults(scope: CScope<'_>, value: &Rvalue) -> Vec<(Property, String)> {
    match *value {
        Rvalue::Unary { op: UnaryOp::Neg, ty, operand, signed: true } => {
            let bits = ty.bits(scope.model);
            vec![(Property::NoOverflow, is_least(&c_operand(operand), bits))]
        }
        Rvalue::Binary { op, ty, left, right, signed } => binary_faults(op, ty.bits(scope.model), left, right, signed),
        _ => Vec::new(),
    }
}

fn binary_faults(op: BinaryOp, bits: u8, left: Operand, right: Operand, signed: bool) -> Vec<(Property, String)> {
    let (left, right) = (c_operand(left), c_operand(right));
    let overflow = |name: &str| {
        let test = format!("__builtin_{name}_overflow((i{bits}){left}, (i{bits}){right}, &(i{bits}){{0}})");
        vec![(Property::NoOverflow, test)]
    };
    let by_zero = (Property::NoDivByZero, format!("({right}) == 0"));
    let too_far = (Property::NoBadShift, format!("(u64)({right}) >= {bits}"));
    match op {
        BinaryOp::Add if signed => overflow("add"),
        BinaryOp::Sub if signed => overflow("sub"),
        BinaryOp::Mul if signed => overflow("mul"),
        BinaryOp::UDiv | BinaryOp::URem => vec![by_zero],
        BinaryOp::SDiv | BinaryOp::SRem => {
            let test = format!("{} && (i{bits})({right}) == -1", is_least(&left, bits));
            vec![by_zero, (Property::NoOverflow, test)]
        }
        BinaryOp::Shl if signed => {
            let negative = (Property::NoBadShift, format!("(i{bits})({left}) < 0"));
            let lost = format!(
                "(i{bits})({left}) >= 0 && (u64)({right}) < {bits} && \
                 (i{bits})((u64)({left}) << ({right})) >> ({right}) != (i{bits})({left})"
            );
            vec![too_far, negative, (Property::NoOverflow, lost)]
        }
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => vec![too_far],
        _ => Vec::new(),
    }
}

/// Whether the number is the least of its width.
fn is_least(value: &str, bits: u8) -> String {
    format!("(u{bits})({value}) == (u{bits})1 << {}", bits - 1)
}
