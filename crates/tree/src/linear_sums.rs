//! Sums in one form, whatever the order in which they were added up: a counter that threads add their inputs to has one
//! term wherever as much was added, so that what is known about it on one path is known on all.
//!
//! A sum is a constant and multiples of terms that are no sums, modulo a power of two.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use terms::{TermId, Terms};

/// Sums of more parts are left as they are.
const MAX_PARTS: usize = 32;

#[derive(Clone, Debug)]
struct LinearSum {
    constant: u64,
    /// Terms with their factors, ordered by term.
    parts: SmallVec<[(TermId, u64); 4]>,
}

/// The sums that were made so far, by their terms.
#[derive(Default)]
pub struct LinearSums {
    known: FxHashMap<TermId, LinearSum>,
}

impl LinearSums {
    /// `left + right`, or `left - right`.
    pub fn combine(&mut self, terms: &mut Terms, left: TermId, right: TermId, subtract: bool) -> TermId {
        let factor = if subtract { u64::MAX } else { 1 };
        let sum = self.sum(terms, left).plus(&self.sum(terms, right), factor, mask(terms.width(left)));
        if sum.parts.len() > MAX_PARTS {
            return if subtract { terms.sub(left, right) } else { terms.add(left, right) };
        }
        let term = sum.term(terms, terms.width(left));
        self.known.insert(term, sum);
        term
    }

    fn sum(&self, terms: &Terms, term: TermId) -> LinearSum {
        if let Some(constant) = terms.as_constant(term) {
            return LinearSum { constant, parts: SmallVec::new() };
        }
        let alone = || LinearSum { constant: 0, parts: [(term, 1)].into_iter().collect() };
        self.known.get(&term).cloned().unwrap_or_else(alone)
    }
}

impl LinearSum {
    /// `self + factor · other`.
    fn plus(&self, other: &LinearSum, factor: u64, mask: u64) -> LinearSum {
        let mut parts: SmallVec<[(TermId, u64); 4]> = self.parts.clone();
        for &(term, multiple) in &other.parts {
            let multiple = multiple.wrapping_mul(factor) & mask;
            match parts.binary_search_by_key(&term, |(known, _)| *known) {
                Ok(index) => parts[index].1 = parts[index].1.wrapping_add(multiple) & mask,
                Err(index) => parts.insert(index, (term, multiple)),
            }
        }
        parts.retain(|(_, multiple)| *multiple != 0);
        LinearSum { constant: self.constant.wrapping_add(other.constant.wrapping_mul(factor)) & mask, parts }
    }

    fn term(&self, terms: &mut Terms, width: u32) -> TermId {
        let mut total = None;
        for &(part, multiple) in &self.parts {
            let factor = terms.constant(width, multiple);
            let product = terms.mul(part, factor);
            total = Some(total.map_or(product, |total| terms.add(total, product)));
        }
        let constant = terms.constant(width, self.constant);
        total.map_or(constant, |total| terms.add(total, constant))
    }
}

fn mask(width: u32) -> u64 {
    execute::mask(width as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_additions_does_not_matter() {
        let mut terms = Terms::new();
        let mut sums = LinearSums::default();
        let (a, b) = (terms.bv_variable("a", 8), terms.bv_variable("b", 8));
        let mut total = |order: &[TermId]| {
            let start = terms.constant(8, 3);
            order.iter().fold(start, |sum, &part| sums.combine(&mut terms, sum, part, false))
        };
        assert_eq!(total(&[a, b, a, a, b]), total(&[b, b, a, a, a]));
        assert_ne!(total(&[a, b, a]), total(&[a, b, b]));
    }

    #[test]
    fn what_is_taken_away_is_gone() {
        let mut terms = Terms::new();
        let mut sums = LinearSums::default();
        let (a, b) = (terms.bv_variable("a", 32), terms.bv_variable("b", 32));
        let both = sums.combine(&mut terms, a, b, false);
        assert_eq!(sums.combine(&mut terms, both, a, true), b);
        assert_eq!(sums.combine(&mut terms, a, a, true), terms.constant(32, 0));
    }

    /// Every sum means what plain additions mean, modulo 2⁸.
    #[test]
    fn sums_keep_their_value() {
        let mut terms = Terms::new();
        let mut sums = LinearSums::default();
        let variables = [terms.bv_variable("a", 8), terms.bv_variable("b", 8)];
        let mut assignment = terms::Assignment::new();
        for (variable, value) in terms.variables().zip([200, 117]) {
            assignment.set(variable, value);
        }
        let (mut ours, mut plain) = (variables[0], variables[0]);
        for round in 0..40 {
            let (part, subtract) = (variables[round % 2], round % 7 == 3);
            ours = sums.combine(&mut terms, ours, part, subtract);
            plain = if subtract { terms.sub(plain, part) } else { terms.add(plain, part) };
            let value = |term| terms::evaluate(&terms, term, &assignment);
            assert_eq!(value(ours), value(plain), "after round {round}");
        }
    }
}
