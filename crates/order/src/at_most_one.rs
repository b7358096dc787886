//! At most one of several literals: pairwise where few, with a ladder of auxiliary variables where many.

use solve::{ClauseSink, Lit};

/// Up to this many literals, pairs are fewer clauses than the ladder.
const PAIRWISE_LIMIT: usize = 6;

pub(crate) fn at_most_one(sink: &mut impl ClauseSink, literals: &[Lit]) {
    if literals.len() <= PAIRWISE_LIMIT {
        for (i, &a) in literals.iter().enumerate() {
            for &b in &literals[i + 1..] {
                sink.add_clause(&[!a, !b]);
            }
        }
        return;
    }
    // `earlier` is true as soon as one of the literals so far is.
    let mut earlier = literals[0];
    for &lit in &literals[1..literals.len() - 1] {
        let upto = sink.new_var().positive();
        sink.add_clause(&[!earlier, !lit]);
        sink.add_clause(&[!earlier, upto]);
        sink.add_clause(&[!lit, upto]);
        earlier = upto;
    }
    sink.add_clause(&[!earlier, !literals[literals.len() - 1]]);
}
