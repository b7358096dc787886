//! Rules of equality, order and overflow.

use super::other_operand;
use crate::arena::Terms;
use crate::semantics::{self, mask, signed_min};
use crate::term::BinaryOp::{Add, Sub, Xor};
use crate::term::{Relation, Term, TermId, UnaryOp};

pub(crate) fn compare(t: &mut Terms, relation: Relation, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(folded) = fold(t, relation, a, b) {
        return Some(folded);
    }
    match relation {
        Relation::Eq => eq(t, a, b),
        Relation::Ult => ult(t, a, b),
        Relation::Slt => slt(t, a, b),
        Relation::UmulOverflow => umul_overflow(t, a, b),
        Relation::SmulOverflow => smul_overflow(t, a, b),
    }
}

/// Both sides constant, or one constant and the other a choice between constants.
fn fold(t: &mut Terms, relation: Relation, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    let holds = |t: &Terms, x: u64, y: u64| t.boolean(semantics::compare(relation, width, x, y));
    match (t.get(a), t.get(b)) {
        (Term::Constant { value: x, .. }, Term::Constant { value: y, .. }) => Some(holds(t, x, y)),
        (Term::Ite(c, k, l), Term::Constant { value, .. }) => {
            let (k, l) = (t.as_constant(k)?, t.as_constant(l)?);
            let (k, l) = (holds(t, k, value), holds(t, l, value));
            Some(t.ite(c, k, l))
        }
        (Term::Constant { value, .. }, Term::Ite(c, k, l)) => {
            let (k, l) = (t.as_constant(k)?, t.as_constant(l)?);
            let (k, l) = (holds(t, value, k), holds(t, value, l));
            Some(t.ite(c, k, l))
        }
        _ => None,
    }
}

fn eq(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return Some(t.boolean(true));
    }
    match (t.get(a), t.get(b)) {
        (_, Term::Constant { value, .. }) => eq_constant(t, a, b, value),
        // ~x = ~y iff x = y; -x = -y iff x = y
        (Term::Unary(op, x), Term::Unary(other, y)) if op == other => Some(t.eq(x, y)),
        // x = ~x never holds
        _ if super::are_complements(t, a, b) => Some(t.boolean(false)),
        // x + y = x + z iff y = z
        (Term::Binary(op @ (Add | Xor), x, y), Term::Binary(same, u, v)) if op == same => cancel(t, (x, y), (u, v)),
        // x = x + y iff y = 0; x = x - y iff y = 0
        (_, Term::Binary(Add | Xor, x, y)) if x == a || y == a => {
            let rest = other_operand(a, (x, y))?;
            Some(eq_zero(t, rest))
        }
        (_, Term::Binary(Sub, x, y)) if x == a => Some(eq_zero(t, y)),
        // x · y = u · v iff x = u and y = v, if the parts align
        (Term::Concat(x, y), Term::Concat(u, v)) if t.width(y) == t.width(v) => {
            let (high, low) = (t.eq(x, u), t.eq(y, v));
            Some(t.and(high, low))
        }
        (Term::SignExtend { arg: x, .. }, Term::SignExtend { arg: y, .. }) if t.width(x) == t.width(y) => {
            Some(t.eq(x, y))
        }
        _ => None,
    }
}

fn cancel(t: &mut Terms, first: (TermId, TermId), second: (TermId, TermId)) -> Option<TermId> {
    let shared = [first.0, first.1].into_iter().find(|&x| x == second.0 || x == second.1)?;
    let (y, z) = (other_operand(shared, first)?, other_operand(shared, second)?);
    Some(t.eq(y, z))
}

fn eq_zero(t: &mut Terms, a: TermId) -> TermId {
    let zero = t.constant(t.width(a), 0);
    t.eq(a, zero)
}

fn eq_constant(t: &mut Terms, a: TermId, k: TermId, value: u64) -> Option<TermId> {
    match t.get(a) {
        // x = 0 iff not x = 1, for single bits
        _ if t.width(a) == 1 && value == 0 => {
            let one = t.constant(1, 1);
            let is_one = t.eq(a, one);
            Some(t.not(is_one))
        }
        // ~x = k iff x = ~k; -x = k iff x = -k
        Term::Unary(op @ (UnaryOp::Not | UnaryOp::Neg), x) => {
            let k = t.unary(op, k);
            Some(t.eq(x, k))
        }
        // x + l = k iff x = k - l
        Term::Binary(Add, x, l) if t.as_constant(l).is_some() => {
            let k = t.sub(k, l);
            Some(t.eq(x, k))
        }
        // l - x = k iff x = l - k
        Term::Binary(Sub, l, x) if t.as_constant(l).is_some() => {
            let k = t.sub(l, k);
            Some(t.eq(x, k))
        }
        // x - y = 0 iff x = y; x ⊕ y = 0 iff x = y
        Term::Binary(Sub | Xor, x, y) if value == 0 => Some(t.eq(x, y)),
        // x ⊕ l = k iff x = k ⊕ l
        Term::Binary(Xor, x, l) if t.as_constant(l).is_some() => {
            let k = t.bit_xor(k, l);
            Some(t.eq(x, k))
        }
        // x · y = k iff both parts equal those of k
        Term::Concat(x, y) => {
            let boundary = t.width(y);
            let (high, low) = (t.extract(k, t.width(k) - 1, boundary), t.extract(k, boundary - 1, 0));
            let (high, low) = (t.eq(x, high), t.eq(y, low));
            Some(t.and(high, low))
        }
        // a sign extension equals k only if k is one
        Term::SignExtend { arg, width } => {
            let own = t.width(arg);
            let short = t.extract(k, own - 1, 0);
            let fits = semantics::sign_extend(own, u32::from(width), t.as_constant(short)?) == value;
            Some(if fits { t.eq(arg, short) } else { t.boolean(false) })
        }
        _ => None,
    }
}

fn ult(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    let top = mask(width);
    match (t.get(a), t.get(b)) {
        // x < x never holds
        _ if a == b => Some(t.boolean(false)),
        // x < 0 and max < x never hold
        (_, Term::Constant { value: 0, .. }) => Some(t.boolean(false)),
        (Term::Constant { value, .. }, _) if value == top => Some(t.boolean(false)),
        // 0 < x iff x ≠ 0; x < max iff x ≠ max
        (Term::Constant { value: 0, .. }, _) => Some(t.distinct(a, b)),
        (_, Term::Constant { value, .. }) if value == top => Some(t.distinct(a, b)),
        // x < 1 iff x = 0; max - 1 < x iff x = max
        (_, Term::Constant { value: 1, .. }) => Some(eq_zero(t, a)),
        (Term::Constant { value, .. }, _) if value == top - 1 => {
            let top = t.constant(width, top);
            Some(t.eq(b, top))
        }
        // x < y iff y = 1 and not x = 1, for single bits
        _ if width == 1 => {
            let one = t.constant(1, 1);
            let (a, b) = (t.distinct(a, one), t.eq(b, one));
            Some(t.and(a, b))
        }
        _ => compare_under_zeros(t, a, b),
    }
}

/// Drops the zeros on top of both sides. On aligned operands whose high parts are equal, the low parts decide.
fn compare_under_zeros(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    match (t.get(a), t.get(b)) {
        (Term::Concat(x, y), Term::Concat(u, v)) if x == u => Some(t.ult(y, v)),
        (Term::Concat(x, y), Term::Constant { value, .. }) if t.as_constant(x) == Some(0) => {
            let low_width = t.width(y);
            if value > mask(low_width) {
                return Some(t.boolean(true));
            }
            let k = t.constant(low_width, value);
            Some(t.ult(y, k))
        }
        (Term::Constant { value, .. }, Term::Concat(x, y)) if t.as_constant(x) == Some(0) => {
            let low_width = t.width(y);
            if value > mask(low_width) {
                return Some(t.boolean(false));
            }
            let k = t.constant(low_width, value);
            Some(t.ult(k, y))
        }
        _ => None,
    }
}

fn slt(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    let (least, greatest) = (signed_min(width), signed_min(width) - 1);
    match (t.get(a), t.get(b)) {
        // x < x never holds
        _ if a == b => Some(t.boolean(false)),
        // x < min and max < x never hold
        (_, Term::Constant { value, .. }) if value == least => Some(t.boolean(false)),
        (Term::Constant { value, .. }, _) if value == greatest => Some(t.boolean(false)),
        // min < x iff x ≠ min; x < max iff x ≠ max
        (Term::Constant { value, .. }, _) if value == least => Some(t.distinct(a, b)),
        (_, Term::Constant { value, .. }) if value == greatest => Some(t.distinct(a, b)),
        // x < y iff x = 1 and not y = 1, for single bits, where 1 is the negative one
        _ if width == 1 => {
            let one = t.constant(1, 1);
            let (a, b) = (t.eq(a, one), t.distinct(b, one));
            Some(t.and(a, b))
        }
        // x < 0 iff the sign bit is set
        (_, Term::Constant { value: 0, .. }) => Some(has_sign(t, a)),
        // -1 < x iff the sign bit is not set
        (Term::Constant { value, .. }, _) if value == mask(width) => {
            let negative = has_sign(t, b);
            Some(t.not(negative))
        }
        // the order of sign extensions is that of their operands
        (Term::SignExtend { arg: x, .. }, Term::SignExtend { arg: y, .. }) if t.width(x) == t.width(y) => {
            Some(t.slt(x, y))
        }
        // operands with one known sign compare as unsigned ones
        _ => {
            let (first, second) = (known_sign(t, a)?, known_sign(t, b)?);
            Some(if first == second { t.ult(a, b) } else { t.boolean(first) })
        }
    }
}

fn has_sign(t: &mut Terms, a: TermId) -> TermId {
    let top = t.width(a) - 1;
    let (sign, one) = (t.extract(a, top, top), t.constant(1, 1));
    t.eq(sign, one)
}

/// The sign bit, where a constant on top tells.
fn known_sign(t: &Terms, a: TermId) -> Option<bool> {
    let top = match t.get(a) {
        Term::Concat(x, _) => x,
        _ => a,
    };
    let value = t.as_constant(top)?;
    Some(semantics::to_signed(t.width(top), value) < 0)
}

fn umul_overflow(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    match t.as_constant(b) {
        // products with 0 and 1 fit
        Some(0 | 1) => Some(t.boolean(false)),
        // x · k overflows iff x > max / k
        Some(k) => {
            let width = t.width(a);
            let limit = t.constant(width, mask(width) / k);
            Some(t.ult(limit, a))
        }
        // x · y = x ∧ y fits a single bit
        None => (t.width(a) == 1).then(|| t.boolean(false)),
    }
}

fn smul_overflow(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    let k = semantics::to_signed(width, t.as_constant(b)?);
    let [least, greatest] = [signed_min(width), signed_min(width) - 1].map(|bits| semantics::to_signed(width, bits));
    match k {
        // products with 0 and 1 fit
        0 | 1 => Some(t.boolean(false)),
        // x · -1 overflows iff x = min
        -1 => {
            let least = t.constant(width, signed_min(width));
            Some(t.eq(a, least))
        }
        // x · k overflows iff x lies outside [min / k, max / k], rounded towards zero
        _ => {
            let (low, high) = if k > 0 { (least / k, greatest / k) } else { (greatest / k, least / k) };
            let (low, high) = (t.constant(width, low as u64), t.constant(width, high as u64));
            let (below, above) = (t.slt(a, low), t.slt(high, a));
            Some(t.or(below, above))
        }
    }
}
