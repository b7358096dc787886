//! Rewrite rules: for each operator one function that reads as a table. The left side of a match arm is the pattern,
//! the comment above it the law, the right side the simpler term.
//!
//! Guarantees: every rule is an equivalence (checked exhaustively at small widths in the tests). A rule looks at most
//! two levels into its operands and calls builders only on parts of them, so the depth of the calls is bounded by a
//! small constant, or by the width where a rule splits a concatenation; it never depends on the depth of the term.
//!
//! Builders put operands of commutative operators in order: constants last (but the truth values first), else by age. A
//! term is younger than its operands, so where a rule looks for an operand of the other side, that side comes second.

mod arithmetic;
mod bitwise;
mod boolean;
mod compare;
mod shift;
mod structure;

pub(crate) use boolean::{and, ite, not, xor};
pub(crate) use compare::compare;
pub(crate) use structure::{concat, extract, sign_extend};

use crate::arena::Terms;
use crate::semantics;
use crate::term::{BinaryOp, Term, TermId, UnaryOp};

pub(crate) fn unary(t: &mut Terms, op: UnaryOp, a: TermId) -> Option<TermId> {
    if let Term::Constant { width, value } = t.get(a) {
        let width = u32::from(width);
        return Some(t.constant(width, semantics::unary(op, width, value)));
    }
    match op {
        UnaryOp::Not => bitwise::not(t, a),
        UnaryOp::Neg => arithmetic::neg(t, a),
    }
}

pub(crate) fn binary(t: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    if let (Some(x), Some(y)) = (t.as_constant(a), t.as_constant(b)) {
        let width = t.width(a);
        return Some(t.constant(width, semantics::binary(op, width, x, y)));
    }
    match op {
        BinaryOp::Add => arithmetic::add(t, a, b),
        BinaryOp::Sub => arithmetic::sub(t, a, b),
        BinaryOp::Mul => arithmetic::mul(t, a, b),
        BinaryOp::Udiv => arithmetic::udiv(t, a, b),
        BinaryOp::Urem => arithmetic::urem(t, a, b),
        BinaryOp::Sdiv => arithmetic::sdiv(t, a, b),
        BinaryOp::Srem => arithmetic::srem(t, a, b),
        BinaryOp::Shl => shift::shl(t, a, b),
        BinaryOp::Lshr => shift::lshr(t, a, b),
        BinaryOp::Ashr => shift::ashr(t, a, b),
        BinaryOp::And => bitwise::and(t, a, b),
        BinaryOp::Or => bitwise::or(t, a, b),
        BinaryOp::Xor => bitwise::xor(t, a, b),
    }
}

/// Whether one term is the Boolean negation of the other.
fn are_opposite(t: &Terms, a: TermId, b: TermId) -> bool {
    t.get(a) == Term::Not(b) || t.get(b) == Term::Not(a)
}

/// Whether one term is the bitwise complement of the other.
fn are_complements(t: &Terms, a: TermId, b: TermId) -> bool {
    t.get(a) == Term::Unary(UnaryOp::Not, b) || t.get(b) == Term::Unary(UnaryOp::Not, a)
}

/// The other operand, if `a` is one of the two.
fn other_operand(a: TermId, operands: (TermId, TermId)) -> Option<TermId> {
    match operands {
        (x, y) if x == a => Some(y),
        (x, y) if y == a => Some(x),
        _ => None,
    }
}
