//! Rules of the bitwise operators.

use super::{are_complements, other_operand};
use crate::arena::Terms;
use crate::semantics::mask;
use crate::term::BinaryOp::{self, And, Or, Xor};
use crate::term::{Term, TermId, UnaryOp};

pub(super) fn not(t: &mut Terms, a: TermId) -> Option<TermId> {
    match t.get(a) {
        // ~~x = x
        Term::Unary(UnaryOp::Not, x) => Some(x),
        // ~(-x) = x - 1
        Term::Unary(UnaryOp::Neg, x) => {
            let minus_one = t.constant(t.width(x), u64::MAX);
            Some(t.add(x, minus_one))
        }
        _ => None,
    }
}

pub(super) fn and(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match (t.get(a), t.get(b)) {
        // x & 0 = 0
        (_, Term::Constant { value: 0, .. }) => Some(b),
        // x & -1 = x
        (_, Term::Constant { value, .. }) if value == mask(width) => Some(a),
        // x & x = x
        _ if a == b => Some(a),
        // x & ~x = 0
        _ if are_complements(t, a, b) => Some(t.constant(width, 0)),
        // x & (x & y) = x & y
        (_, Term::Binary(And, x, y)) if a == x || a == y => Some(b),
        (Term::Binary(And, x, y), _) if b == x || b == y => Some(a),
        // x & (x | y) = x
        (_, Term::Binary(Or, x, y)) if a == x || a == y => Some(a),
        (Term::Binary(Or, x, y), _) if b == x || b == y => Some(b),
        _ => merge_constants(t, And, a, b)
            .or_else(|| mask_of_ones(t, a, b))
            .or_else(|| split_at_concatenation(t, And, a, b)),
    }
}

pub(super) fn or(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match (t.get(a), t.get(b)) {
        // x | 0 = x
        (_, Term::Constant { value: 0, .. }) => Some(a),
        // x | -1 = -1
        (_, Term::Constant { value, .. }) if value == mask(width) => Some(b),
        // x | x = x
        _ if a == b => Some(a),
        // x | ~x = -1
        _ if are_complements(t, a, b) => Some(t.constant(width, mask(width))),
        // x | (x | y) = x | y
        (_, Term::Binary(Or, x, y)) if a == x || a == y => Some(b),
        (Term::Binary(Or, x, y), _) if b == x || b == y => Some(a),
        // x | (x & y) = x
        (_, Term::Binary(And, x, y)) if a == x || a == y => Some(a),
        (Term::Binary(And, x, y), _) if b == x || b == y => Some(b),
        _ => merge_constants(t, Or, a, b).or_else(|| split_at_concatenation(t, Or, a, b)),
    }
}

pub(super) fn xor(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match (t.get(a), t.get(b)) {
        // x ⊕ 0 = x
        (_, Term::Constant { value: 0, .. }) => Some(a),
        // x ⊕ -1 = ~x
        (_, Term::Constant { value, .. }) if value == mask(width) => Some(t.bit_not(a)),
        // x ⊕ x = 0
        _ if a == b => Some(t.constant(width, 0)),
        // ~x ⊕ k = x ⊕ ~k
        (Term::Unary(UnaryOp::Not, x), Term::Constant { .. }) => {
            let k = t.bit_not(b);
            Some(t.bit_xor(x, k))
        }
        // ~x ⊕ y = ~(x ⊕ y)
        (Term::Unary(UnaryOp::Not, x), _) => {
            let inner = t.bit_xor(x, b);
            Some(t.bit_not(inner))
        }
        (_, Term::Unary(UnaryOp::Not, y)) => {
            let inner = t.bit_xor(a, y);
            Some(t.bit_not(inner))
        }
        // x ⊕ (x ⊕ y) = y
        (_, Term::Binary(Xor, x, y)) if a == x || a == y => other_operand(a, (x, y)),
        (Term::Binary(Xor, x, y), _) if b == x || b == y => other_operand(b, (x, y)),
        _ => merge_constants(t, Xor, a, b).or_else(|| split_at_concatenation(t, Xor, a, b)),
    }
}

/// (x ∘ k) ∘ l = x ∘ (k ∘ l)
fn merge_constants(t: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    match (t.get(a), t.get(b)) {
        (Term::Binary(inner, x, k), Term::Constant { .. }) if inner == op && t.as_constant(k).is_some() => {
            let merged = t.binary(op, k, b);
            Some(t.binary(op, x, merged))
        }
        _ => None,
    }
}

/// x & 0..01..10..0 = 0..0 · x[high..low] · 0..0
fn mask_of_ones(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (width, value) = (t.width(a), t.as_constant(b)?);
    let low = value.trailing_zeros();
    if !((value >> low) + 1).is_power_of_two() {
        return None;
    }
    let high = value.ilog2();
    let kept = t.extract(a, high, low);
    let shifted = if low == 0 {
        kept
    } else {
        let zeros = t.constant(low, 0);
        t.concat(kept, zeros)
    };
    Some(t.zero_extend(shifted, width))
}

/// (x · y) ∘ (u · v) = (x ∘ u) · (y ∘ v) if the parts align; a constant aligns with anything.
fn split_at_concatenation(t: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    let Term::Concat(x, y) = t.get(a) else { return None };
    let low_width = t.width(y);
    let aligned = match t.get(b) {
        Term::Concat(_, v) => t.width(v) == low_width,
        Term::Constant { .. } => true,
        _ => false,
    };
    if !aligned {
        return None;
    }
    let (u, v) = (t.extract(b, t.width(b) - 1, low_width), t.extract(b, low_width - 1, 0));
    let (high, low) = (t.binary(op, x, u), t.binary(op, y, v));
    Some(t.concat(high, low))
}
