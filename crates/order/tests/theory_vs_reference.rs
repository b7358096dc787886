//! Theory and clock encoding against the naive reference on random small graphs; every clause is re-checked.
//! The example `theory_vs_reference` runs the same harness over as many graphs as one likes.

mod support;

use support::differential::{Tally, run_case};

#[test]
fn random_graphs_agree_with_the_reference() {
    let mut tally = Tally::default();
    for seed in 0..3_000 {
        if let Err(problem) = run_case(seed, &mut tally) {
            panic!("{problem}");
        }
    }
    assert!(tally.satisfiable > 1_000 && tally.unsatisfiable > 1_000, "both answers should be common: {tally:?}");
    assert!(tally.clauses > 5_000 && tally.restarts_compared > 1_000, "checks should have happened: {tally:?}");
    assert!(tally.pair_literals > 0 && tally.stuck > tally.pair_literals, "some should have stuck: {tally:?}");
}
