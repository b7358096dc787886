//! At-most-one and exactly-one constraints as clauses.

use std::collections::VecDeque;

use crate::{ClauseSink, Lit};

/// Up to this many literals the quadratic encoding is smaller than the one with auxiliary variables.
const PAIRWISE_LIMIT: usize = 5;
const GROUP_SIZE: usize = 3;

/// At most one of `literals` is true. Pairwise for few literals; else by commander variables (Klieber and Kwon 2007):
/// groups of three are replaced by "one of the group", which is linear and still propagates by unit clauses.
pub fn at_most_one(sink: &mut (impl ClauseSink + ?Sized), literals: &[Lit]) {
    let mut open: VecDeque<Lit> = literals.iter().copied().collect();
    while open.len() > PAIRWISE_LIMIT {
        let group: Vec<Lit> = open.drain(..GROUP_SIZE).collect();
        let commander = sink.new_var().positive();
        pairwise(sink, &group);
        for &literal in &group {
            sink.add_clause(&[!literal, commander]);
        }
        open.push_back(commander);
    }
    pairwise(sink, open.make_contiguous());
}

/// Exactly one of `literals` is true.
pub fn exactly_one(sink: &mut (impl ClauseSink + ?Sized), literals: &[Lit]) {
    sink.add_clause(literals);
    at_most_one(sink, literals);
}

fn pairwise(sink: &mut (impl ClauseSink + ?Sized), literals: &[Lit]) {
    for (index, &first) in literals.iter().enumerate() {
        for &second in &literals[index + 1..] {
            sink.add_clause(&[!first, !second]);
        }
    }
}
