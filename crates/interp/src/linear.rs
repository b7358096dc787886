//! Bit-vector terms read as linear expressions over the integers, as if nothing wrapped around, and back. What comes of it is
//! a guess: whoever uses it checks it bit by bit.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use terms::{BinaryOp, Relation, Term, TermId, Terms, UnaryOp};

use crate::text::signed;

/// A sum of terms with coefficients, and a constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct LinExpr {
    pub terms: BTreeMap<TermId, i128>,
    pub constant: i128,
}

/// `expression ≤ 0`, or `= 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Premise {
    pub expression: LinExpr,
    pub is_equality: bool,
    /// Of an inequality: it was one of unsigned numbers.
    pub is_unsigned: bool,
}

const MAX_COEFFICIENT: i128 = 1 << 40;

impl LinExpr {
    pub fn constant(constant: i128) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }

    pub fn add_scaled(&mut self, other: &LinExpr, factor: i128) -> Option<()> {
        for (&term, &coefficient) in &other.terms {
            let entry = self.terms.entry(term).or_default();
            *entry = entry.checked_add(coefficient.checked_mul(factor)?)?;
            if *entry == 0 {
                self.terms.remove(&term);
            }
        }
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(())
    }

    pub fn negated(&self) -> Self {
        let terms = self.terms.iter().map(|(&term, &coefficient)| (term, -coefficient)).collect();
        Self { terms, constant: -self.constant }
    }

    /// `self ≤ 0` with the smallest integer coefficients.
    pub fn tightened(&self) -> Self {
        let divisor = self.terms.values().fold(0, |divisor, &coefficient| gcd(divisor, coefficient));
        if divisor <= 1 {
            return self.clone();
        }
        let terms = self.terms.iter().map(|(&term, &coefficient)| (term, coefficient / divisor)).collect();
        // Σ a x ≤ -c, so that Σ (a/d) x ≤ ⌊-c/d⌋.
        Self { terms, constant: -((-self.constant).div_euclid(divisor)) }
    }
}

pub fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

pub fn least_common_multiple(a: u64, b: u64) -> u64 {
    a / gcd(i128::from(a), i128::from(b)).max(1) as u64 * b
}

/// A bit-vector term as a linear expression; what is not linear is a part of its own.
pub fn linear(terms: &Terms, term: TermId, unsigned: bool) -> LinExpr {
    linear_in(terms, term, unsigned, &Cell::new(MAX_VISITS)).unwrap_or_else(|| atom(term))
}

fn atom(term: TermId) -> LinExpr {
    LinExpr { terms: BTreeMap::from([(term, 1)]), constant: 0 }
}

fn number(width: u8, value: u64, unsigned: bool) -> i128 {
    if unsigned { i128::from(value) } else { i128::from(signed(width, value)) }
}

/// Terms share their parts: what a term is as a sum may be much longer than the term.
const MAX_VISITS: u32 = 1_000;

fn linear_in(terms: &Terms, term: TermId, unsigned: bool, visits: &Cell<u32>) -> Option<LinExpr> {
    visits.set(visits.get().checked_sub(1)?);
    let of = |term: TermId| linear_in(terms, term, unsigned, visits);
    let sum = |a: TermId, b: TermId, factor: i128, unsigned: bool| {
        // A constant that is added is small, whatever its sign is in the comparison.
        let side = |term: TermId| match terms.get(term) {
            Term::Constant { width, value } => Some(LinExpr::constant(number(width, value, false))),
            _ => linear_in(terms, term, unsigned, visits),
        };
        let mut left = side(a)?;
        left.add_scaled(&side(b)?, factor)?;
        Some(left)
    };
    match terms.get(term) {
        Term::Constant { width, value } => Some(LinExpr::constant(number(width, value, unsigned))),
        Term::Binary(BinaryOp::Add, a, b) => sum(a, b, 1, unsigned),
        Term::Binary(BinaryOp::Sub, a, b) => sum(a, b, -1, unsigned),
        Term::Unary(UnaryOp::Neg, a) => Some(of(a)?.negated()),
        Term::Unary(UnaryOp::Not, a) => {
            let mut result = of(a)?.negated();
            result.constant -= 1;
            Some(result)
        }
        Term::Binary(BinaryOp::Mul, a, b) => {
            let Term::Constant { width, value } = terms.get(b) else { return Some(atom(term)) };
            let mut result = LinExpr::default();
            result.add_scaled(&of(a)?, number(width, value, false))?;
            Some(result)
        }
        Term::Binary(BinaryOp::Shl, a, b) => {
            let count = terms.as_constant(b).filter(|&count| count < 32)?;
            let mut result = LinExpr::default();
            result.add_scaled(&of(a)?, 1 << count)?;
            Some(result)
        }
        Term::SignExtend { arg, .. } => of(arg),
        Term::Concat(high, low) if terms.as_constant(high) == Some(0) => of(low),
        // A shift by concatenation.
        Term::Concat(high, low) if terms.as_constant(low) == Some(0) => {
            let mut result = LinExpr::default();
            result.add_scaled(&of(high)?, 1 << terms.width(low).min(40))?;
            Some(result)
        }
        Term::Extract { arg, low: 0, .. } => of(arg),
        // An index times the size of an element, where it does not leave the memory.
        Term::Ite(_, beyond, product)
            if matches!(terms.width(term), 32 | 64)
                && terms.as_constant(beyond) == Some(program::BinaryOp::out_of_reach(terms.width(term) as u8)) =>
        {
            of(product)
        }
        _ => Some(atom(term)),
    }
}

/// A comparison, or the negation of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    pub relation: Relation,
    pub left: TermId,
    pub right: TermId,
    pub negated: bool,
}

/// A literal as a comparison of numbers.
pub fn comparison(terms: &mut Terms, literal: TermId) -> Option<Comparison> {
    let (compared, negated) = match terms.get(literal) {
        Term::Not(inner) => (terms.get(inner), true),
        own => (own, false),
    };
    let Term::Compare(relation @ (Relation::Eq | Relation::Ult | Relation::Slt), left, right) = compared else {
        return None;
    };
    // A comparison with zero is written as one of the sign.
    if relation == Relation::Eq {
        for (bit, value) in [(left, right), (right, left)] {
            if let Term::Extract { arg, high, low } = terms.get(bit)
                && high == low
                && u32::from(high) + 1 == terms.width(arg)
                && let Some(sign) = terms.as_constant(value)
            {
                let right = terms.constant(terms.width(arg), 0);
                return Some(Comparison { relation: Relation::Slt, left: arg, right, negated: negated == (sign == 1) });
            }
        }
    }
    Some(Comparison { relation, left, right, negated })
}

/// A comparison as premises of which one holds.
pub fn premises(terms: &Terms, comparison: Comparison) -> Option<Vec<Premise>> {
    let Comparison { relation, left: a, right: b, negated } = comparison;
    let is_unsigned = relation == Relation::Ult;
    let mut difference = linear(terms, a, is_unsigned);
    difference.add_scaled(&linear(terms, b, is_unsigned), -1)?;
    let shifted = |expression: &LinExpr, by: i128| LinExpr { constant: expression.constant + by, ..expression.clone() };
    let inequality = |expression| Premise { expression, is_equality: false, is_unsigned };
    match (relation, negated) {
        (Relation::Eq, false) => Some(vec![Premise { expression: difference, is_equality: true, is_unsigned: false }]),
        (Relation::Eq, true) => {
            Some(vec![inequality(shifted(&difference, 1)), inequality(shifted(&difference.negated(), 1))])
        }
        // a < b is a - b + 1 ≤ 0.
        (Relation::Slt | Relation::Ult, false) => Some(vec![inequality(shifted(&difference, 1))]),
        // b ≤ a is b - a ≤ 0.
        (Relation::Slt | Relation::Ult, true) => Some(vec![inequality(difference.negated())]),
        _ => None,
    }
}

/// The conjuncts of a term.
pub fn conjuncts(terms: &Terms, term: TermId) -> Vec<TermId> {
    let (mut found, mut open) = (Vec::new(), vec![term]);
    let mut seen = BTreeSet::new();
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        match terms.get(next) {
            Term::And(a, b) => open.extend([b, a]),
            Term::Boolean(true) => {}
            _ => found.push(next),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// `expression = 0` in the width of its parts, where everything wraps around alike.
pub fn equality(terms: &mut Terms, expression: &LinExpr) -> Option<TermId> {
    let width = expression.terms.keys().map(|&term| terms.width(term)).max()?;
    if expression.terms.values().any(|coefficient| coefficient.abs() > MAX_COEFFICIENT) {
        return None;
    }
    // One side with positive, one with negative coefficients reads well.
    let mut sides = [None, None];
    for (&term, &coefficient) in &expression.terms {
        let factor = terms.constant(width, coefficient.unsigned_abs() as u64);
        let wide = terms.sign_extend(term, width);
        let part = terms.mul(wide, factor);
        let side = &mut sides[usize::from(coefficient < 0)];
        *side = Some(side.map_or(part, |sum| terms.add(sum, part)));
    }
    let zero = terms.constant(width, 0);
    let (left, right) = (sides[0].unwrap_or(zero), sides[1].unwrap_or(zero));
    let constant = terms.constant(width, (-expression.constant) as u64);
    let right = terms.add(right, constant);
    Some(terms.eq(left, right))
}

/// `expression ≤ 0` over numbers of the given sign, in a width in which nothing wraps around where there is one.
pub fn inequality(terms: &mut Terms, expression: &LinExpr, unsigned: bool) -> Option<TermId> {
    if expression.terms.values().any(|coefficient| coefficient.abs() > MAX_COEFFICIENT) || expression.terms.is_empty() {
        return None;
    }
    if let Some(simple) = simple_inequality(terms, expression, unsigned) {
        return Some(simple);
    }
    // Narrow numbers are easier to decide.
    let magnitude = |(&term, &coefficient): (&TermId, &i128)| {
        coefficient.checked_abs()?.checked_mul(1i128.checked_shl(terms.width(term))?)
    };
    let all = expression.terms.iter().map(magnitude);
    let largest = all.chain([expression.constant.checked_abs()]).try_fold(1i128, |sum, part| sum.checked_add(part?));
    let width = largest.map_or(64, |largest| (129 - largest.leading_zeros()).min(64));
    let width = expression.terms.keys().map(|&term| terms.width(term)).fold(width, u32::max);
    let mut sum = terms.constant(width, expression.constant as u64);
    for (&term, &coefficient) in &expression.terms {
        let wide = terms.resize(term, width, !unsigned);
        let factor = terms.constant(width, coefficient as u64);
        let part = terms.mul(wide, factor);
        sum = terms.add(sum, part);
    }
    let zero = terms.constant(width, 0);
    Some(terms.sle(sum, zero))
}

/// Comparisons of one or two parts need no wider numbers.
fn simple_inequality(terms: &mut Terms, expression: &LinExpr, unsigned: bool) -> Option<TermId> {
    let parts: Vec<(TermId, i128)> = expression.terms.iter().map(|(&term, &coefficient)| (term, coefficient)).collect();
    let less_or_equal = |terms: &mut Terms, a, b| if unsigned { terms.ule(a, b) } else { terms.sle(a, b) };
    match parts[..] {
        [(term, 1 | -1)] => {
            let width = terms.width(term);
            let (least, most) = if unsigned {
                (0, (1i128 << width) - 1)
            } else {
                (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
            };
            let is_upper = parts[0].1 == 1;
            let bound = if is_upper { -expression.constant } else { expression.constant };
            if !(least..=most).contains(&bound) {
                return None;
            }
            let constant = terms.constant(width, bound as u64);
            Some(if is_upper { less_or_equal(terms, term, constant) } else { less_or_equal(terms, constant, term) })
        }
        [(a, 1), (b, -1)] | [(b, -1), (a, 1)] if terms.width(a) == terms.width(b) => match expression.constant {
            0 => Some(less_or_equal(terms, a, b)),
            1 => Some(if unsigned { terms.ult(a, b) } else { terms.slt(a, b) }),
            _ => None,
        },
        _ => None,
    }
}
