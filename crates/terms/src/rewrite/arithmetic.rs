//! Rules of addition, subtraction, multiplication and division.

use super::are_complements;
use crate::arena::Terms;
use crate::semantics::mask;
use crate::term::BinaryOp::{Add, Mul, Sub};
use crate::term::{Term, TermId, UnaryOp};

pub(super) fn neg(t: &mut Terms, a: TermId) -> Option<TermId> {
    match t.get(a) {
        // -x = x for single bits
        _ if t.width(a) == 1 => Some(a),
        // -(-x) = x
        Term::Unary(UnaryOp::Neg, x) => Some(x),
        // -(x - y) = y - x
        Term::Binary(Sub, x, y) => Some(t.sub(y, x)),
        // -(x + k) = -k - x
        Term::Binary(Add, x, k) if t.as_constant(k).is_some() => {
            let k = t.neg(k);
            Some(t.sub(k, x))
        }
        // -(~x) = x + 1
        Term::Unary(UnaryOp::Not, x) => {
            let one = t.constant(t.width(x), 1);
            Some(t.add(x, one))
        }
        _ => None,
    }
}

pub(super) fn add(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match (t.get(a), t.get(b)) {
        // x + 0 = x
        (_, Term::Constant { value: 0, .. }) => Some(a),
        // x + y = x ⊕ y for single bits
        _ if width == 1 => Some(t.bit_xor(a, b)),
        // (x + k) + l = x + (k + l)
        (Term::Binary(Add, x, k), Term::Constant { .. }) if t.as_constant(k).is_some() => {
            let sum = t.add(k, b);
            Some(t.add(x, sum))
        }
        // (k - x) + l = (k + l) - x
        (Term::Binary(Sub, k, x), Term::Constant { .. }) if t.as_constant(k).is_some() => {
            let sum = t.add(k, b);
            Some(t.sub(sum, x))
        }
        // ~x + k = (k - 1) - x
        (Term::Unary(UnaryOp::Not, x), Term::Constant { value, .. }) => {
            let less = t.constant(width, value.wrapping_sub(1));
            Some(t.sub(less, x))
        }
        // x + ~x = -1
        _ if are_complements(t, a, b) => Some(t.constant(width, mask(width))),
        // x + x = 2x
        _ if a == b => {
            let one = t.constant(width, 1);
            Some(t.shl(a, one))
        }
        // x + -y = x - y
        (_, Term::Unary(UnaryOp::Neg, y)) => Some(t.sub(a, y)),
        (Term::Unary(UnaryOp::Neg, x), _) => Some(t.sub(b, x)),
        // y + (x - y) = x
        (_, Term::Binary(Sub, x, y)) if y == a => Some(x),
        // (x + k) + y = (x + y) + k
        (Term::Binary(Add, x, k), _) if t.as_constant(k).is_some() => {
            let sum = t.add(x, b);
            Some(t.add(sum, k))
        }
        (_, Term::Binary(Add, y, k)) if t.as_constant(k).is_some() => {
            let sum = t.add(a, y);
            Some(t.add(sum, k))
        }
        _ => None,
    }
}

pub(super) fn sub(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match (t.get(a), t.get(b)) {
        // x - y = x ⊕ y for single bits
        _ if width == 1 => Some(t.bit_xor(a, b)),
        // x - x = 0
        _ if a == b => Some(t.constant(width, 0)),
        // 0 - x = -x
        (Term::Constant { value: 0, .. }, _) => Some(t.neg(b)),
        // -1 - x = ~x
        (Term::Constant { value, .. }, _) if value == mask(width) => Some(t.bit_not(b)),
        // x - k = x + -k
        (_, Term::Constant { .. }) => {
            let k = t.neg(b);
            Some(t.add(a, k))
        }
        // x - -y = x + y
        (_, Term::Unary(UnaryOp::Neg, y)) => Some(t.add(a, y)),
        // (x + y) - x = y
        (Term::Binary(Add, x, y), _) if x == b => Some(y),
        (Term::Binary(Add, x, y), _) if y == b => Some(x),
        // x - (x + y) = -y
        (_, Term::Binary(Add, x, y)) if x == a => Some(t.neg(y)),
        (_, Term::Binary(Add, x, y)) if y == a => Some(t.neg(x)),
        // x - (x - y) = y
        (_, Term::Binary(Sub, x, y)) if x == a => Some(y),
        // (x - y) - x = -y
        (Term::Binary(Sub, x, y), _) if x == b => Some(t.neg(y)),
        // (x + k) - y = (x - y) + k
        (Term::Binary(Add, x, k), _) if t.as_constant(k).is_some() => {
            let difference = t.sub(x, b);
            Some(t.add(difference, k))
        }
        // x - (y + k) = (x - y) + -k
        (_, Term::Binary(Add, y, k)) if t.as_constant(k).is_some() => {
            let (difference, k) = (t.sub(a, y), t.neg(k));
            Some(t.add(difference, k))
        }
        _ => None,
    }
}

pub(super) fn mul(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match (t.get(a), t.get(b)) {
        // x · y = x & y for single bits
        _ if width == 1 => Some(t.bit_and(a, b)),
        // x · 0 = 0
        (_, Term::Constant { value: 0, .. }) => Some(b),
        // x · 1 = x
        (_, Term::Constant { value: 1, .. }) => Some(a),
        // x · -1 = -x
        (_, Term::Constant { value, .. }) if value == mask(width) => Some(t.neg(a)),
        // x · 2ⁿ = x << n
        (_, Term::Constant { value, .. }) if value.is_power_of_two() => {
            let exponent = t.constant(width, u64::from(value.trailing_zeros()));
            Some(t.shl(a, exponent))
        }
        // (x · k) · l = x · (k · l)
        (Term::Binary(Mul, x, k), Term::Constant { .. }) if t.as_constant(k).is_some() => {
            let product = t.mul(k, b);
            Some(t.mul(x, product))
        }
        // -x · k = x · -k
        (Term::Unary(UnaryOp::Neg, x), Term::Constant { .. }) => {
            let k = t.neg(b);
            Some(t.mul(x, k))
        }
        _ => None,
    }
}

pub(super) fn udiv(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match t.as_constant(b)? {
        // x / 0 is all ones
        0 => Some(t.constant(width, mask(width))),
        // x / 2ⁿ = x >> n
        divisor if divisor.is_power_of_two() => {
            let exponent = t.constant(width, u64::from(divisor.trailing_zeros()));
            Some(t.lshr(a, exponent))
        }
        _ => None,
    }
}

pub(super) fn urem(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match (t.as_constant(a), t.as_constant(b)) {
        // x % 0 = x
        (_, Some(0)) => Some(a),
        // x % 2ⁿ = x & (2ⁿ - 1)
        (_, Some(divisor)) if divisor.is_power_of_two() => {
            let low_bits = t.constant(width, divisor - 1);
            Some(t.bit_and(a, low_bits))
        }
        // 0 % x = 0
        (Some(0), _) => Some(a),
        // x % x = 0
        _ if a == b => Some(t.constant(width, 0)),
        _ => None,
    }
}

pub(super) fn sdiv(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match t.as_constant(b)? {
        // x / -1 = -x, also for single bits, where -1 is 1
        divisor if divisor == mask(width) => Some(t.neg(a)),
        // x / 1 = x
        1 => Some(a),
        _ => None,
    }
}

pub(super) fn srem(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match (t.as_constant(a), t.as_constant(b)) {
        // x % 0 = x
        (_, Some(0)) => Some(a),
        // x % 1 = x % -1 = 0
        (_, Some(divisor)) if divisor == 1 || divisor == mask(width) => Some(t.constant(width, 0)),
        // 0 % x = 0
        (Some(0), _) => Some(a),
        // x % x = 0
        _ if a == b => Some(t.constant(width, 0)),
        _ => None,
    }
}
