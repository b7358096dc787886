//! Rules of the Boolean operators and of if-then-else.

use super::{are_opposite, other_operand};
use crate::arena::Terms;
use crate::term::{Relation, Sort, Term, TermId};

pub(crate) fn not(t: &mut Terms, a: TermId) -> Option<TermId> {
    match t.get(a) {
        Term::Boolean(value) => Some(t.boolean(!value)),
        // ¬¬x = x
        Term::Not(x) => Some(x),
        _ => None,
    }
}

pub(crate) fn and(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    match (t.get(a), t.get(b)) {
        // false ∧ x = false, true ∧ x = x
        (Term::Boolean(value), _) => Some(if value { b } else { a }),
        // x ∧ x = x
        _ if a == b => Some(a),
        // x ∧ ¬x = false
        _ if are_opposite(t, a, b) => Some(t.boolean(false)),
        _ => and_with_conjunction(t, a, b)
            .or_else(|| and_with_conjunction(t, b, a))
            .or_else(|| and_with_disjunction(t, a, b))
            .or_else(|| and_with_disjunction(t, b, a))
            .or_else(|| resolve(t, a, b)),
    }
}

fn and_with_conjunction(t: &mut Terms, a: TermId, conjunction: TermId) -> Option<TermId> {
    match t.get(conjunction) {
        // x ∧ (x ∧ y) = x ∧ y
        Term::And(x, y) if a == x || a == y => Some(conjunction),
        // ¬x ∧ (x ∧ y) = false
        Term::And(x, y) if are_opposite(t, a, x) || are_opposite(t, a, y) => Some(t.boolean(false)),
        _ => None,
    }
}

fn and_with_disjunction(t: &mut Terms, a: TermId, disjunction: TermId) -> Option<TermId> {
    let (x, y) = negated_conjunction(t, disjunction)?;
    // x ∧ ¬(x ∧ y) = x ∧ ¬y
    if let Some(other) = other_operand(a, (x, y)) {
        let other = t.not(other);
        return Some(t.and(a, other));
    }
    // ¬x ∧ ¬(x ∧ y) = ¬x
    (are_opposite(t, a, x) || are_opposite(t, a, y)).then_some(a)
}

/// ¬(x ∧ y) ∧ ¬(x ∧ ¬y) = ¬x
fn resolve(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (first, second) = (negated_conjunction(t, a)?, negated_conjunction(t, b)?);
    for shared in [first.0, first.1] {
        if let (Some(y), Some(z)) = (other_operand(shared, first), other_operand(shared, second))
            && are_opposite(t, y, z)
        {
            return Some(t.not(shared));
        }
    }
    None
}

fn negated_conjunction(t: &Terms, term: TermId) -> Option<(TermId, TermId)> {
    match t.get(term) {
        Term::Not(inner) => match t.get(inner) {
            Term::And(x, y) => Some((x, y)),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn xor(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    match (t.get(a), t.get(b)) {
        // false ⊕ x = x, true ⊕ x = ¬x
        (Term::Boolean(value), _) => Some(if value { t.not(b) } else { b }),
        // x ⊕ x = false
        _ if a == b => Some(t.boolean(false)),
        // ¬x ⊕ y = ¬(x ⊕ y)
        (Term::Not(x), _) => Some(t.iff(x, b)),
        (_, Term::Not(y)) => Some(t.iff(a, y)),
        // x ⊕ (x ⊕ y) = y
        (_, Term::Xor(x, y)) if a == x || a == y => other_operand(a, (x, y)),
        (Term::Xor(x, y), _) if b == x || b == y => other_operand(b, (x, y)),
        _ => None,
    }
}

pub(crate) fn ite(t: &mut Terms, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
    match (t.get(condition), t.get(a), t.get(b)) {
        // ite(true, x, y) = x
        (Term::Boolean(value), _, _) => Some(if value { a } else { b }),
        // ite(c, x, x) = x
        _ if a == b => Some(a),
        // ite(¬c, x, y) = ite(c, y, x)
        (Term::Not(c), _, _) => Some(t.ite(c, b, a)),
        // ite(c, ite(c, x, y), z) = ite(c, x, z)
        (_, Term::Ite(c, x, _), _) if c == condition => Some(t.ite(c, x, b)),
        (_, _, Term::Ite(c, _, y)) if c == condition => Some(t.ite(c, a, y)),
        // ite(x = y, x, y) = y
        (Term::Compare(Relation::Eq, x, y), _, _) if (x, y) == (a, b) || (x, y) == (b, a) => Some(b),
        _ if t.sort(a) == Sort::Bool => boolean_ite(t, condition, a, b),
        _ if t.is_array(a) => join_conditions(t, condition, a, b),
        _ => bit_ite(t, condition, a, b).or_else(|| join_conditions(t, condition, a, b)),
    }
}

fn boolean_ite(t: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    match (t.get(a), t.get(b)) {
        // ite(c, true, y) = c ∨ y
        (Term::Boolean(true), _) => Some(t.or(c, b)),
        // ite(c, false, y) = ¬c ∧ y
        (Term::Boolean(false), _) => {
            let c = t.not(c);
            Some(t.and(c, b))
        }
        // ite(c, x, true) = c → x
        (_, Term::Boolean(true)) => Some(t.implies(c, a)),
        // ite(c, x, false) = c ∧ x
        (_, Term::Boolean(false)) => Some(t.and(c, a)),
        // ite(c, c, y) = c ∨ y, ite(c, ¬c, y) = ¬c ∧ y
        _ if a == c => Some(t.or(c, b)),
        _ if are_opposite(t, a, c) => Some(t.and(a, b)),
        // ite(c, x, c) = c ∧ x, ite(c, x, ¬c) = c → x
        _ if b == c => Some(t.and(c, a)),
        _ if are_opposite(t, b, c) => Some(t.implies(c, a)),
        // ite(c, x, ¬x) = c ↔ x
        _ if are_opposite(t, a, b) => Some(t.iff(c, a)),
        // ite(c, ¬x, ¬y) = ¬ite(c, x, y)
        (Term::Not(x), Term::Not(y)) => {
            let inner = t.ite(c, x, y);
            Some(t.not(inner))
        }
        _ => None,
    }
}

/// ite(x = 1, 1, 0) = x and ite(x = 1, 0, 1) = ~x, for single bits.
fn bit_ite(t: &mut Terms, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let Term::Compare(Relation::Eq, x, one) = t.get(condition) else { return None };
    if t.width(x) != 1 || t.width(a) != 1 || t.as_constant(one) != Some(1) {
        return None;
    }
    match (t.as_constant(a)?, t.as_constant(b)?) {
        (1, 0) => Some(x),
        (0, 1) => Some(t.bit_not(x)),
        _ => None,
    }
}

fn join_conditions(t: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    match (t.get(a), t.get(b)) {
        // ite(c, ite(d, x, y), y) = ite(c ∧ d, x, y)
        (Term::Ite(d, x, y), _) if y == b => {
            let both = t.and(c, d);
            Some(t.ite(both, x, y))
        }
        // ite(c, ite(d, x, y), x) = ite(c ∧ ¬d, y, x)
        (Term::Ite(d, x, y), _) if x == b => {
            let d = t.not(d);
            let both = t.and(c, d);
            Some(t.ite(both, y, x))
        }
        // ite(c, x, ite(d, x, y)) = ite(c ∨ d, x, y)
        (_, Term::Ite(d, x, y)) if x == a => {
            let either = t.or(c, d);
            Some(t.ite(either, x, y))
        }
        // ite(c, y, ite(d, x, y)) = ite(c ∨ ¬d, y, x)
        (_, Term::Ite(d, x, y)) if y == a => {
            let d = t.not(d);
            let either = t.or(c, d);
            Some(t.ite(either, y, x))
        }
        _ => None,
    }
}
