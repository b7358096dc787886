//! Very deep terms: nothing may recurse. A test's stack of 2 MiB leaves eight bytes per level here, so any recursion
//! overflows it.

use solve::ClauseCounter;
use terms::{Assignment, Blaster, TermId, Terms, evaluate, write_smtlib};

const DEPTH: usize = 250_000;

/// A chain that no rule shortens, alternating between kinds of nodes.
fn deep_boolean(terms: &mut Terms, depth: usize) -> TermId {
    let variables: Vec<TermId> = (0..7).map(|i| terms.bool_variable(format!("p{i}"))).collect();
    let mut term = variables[0];
    for i in 0..depth {
        let other = variables[i % 7];
        let third = variables[(i + 3) % 7];
        term = match i % 3 {
            0 => terms.xor(term, other),
            1 => terms.and(term, other),
            _ => terms.ite(third, term, other),
        };
    }
    term
}

#[test]
fn many_levels_of_boolean_terms() {
    for mut terms in [Terms::new(), Terms::without_rewriting()] {
        let term = deep_boolean(&mut terms, DEPTH);
        assert!(terms.len() > DEPTH / 2);
        assert!(evaluate(&terms, term, &Assignment::new()) <= 1);
        let mut sink = ClauseCounter::default();
        Blaster::new().literal(&terms, term, &mut sink);
        assert!(sink.clauses > 0);
        let mut text = Vec::new();
        write_smtlib(&terms, &[term], &mut text).unwrap();
        assert!(text.len() < 60 * terms.len(), "the text should be linear in the graph");
    }
}

#[test]
fn many_levels_of_words() {
    let mut terms = Terms::new();
    let (x, y, p) = (terms.bv_variable("x", 8), terms.bv_variable("y", 8), terms.bool_variable("p"));
    let mut term = x;
    for i in 0..DEPTH / 5 {
        let next = if i % 2 == 0 { terms.mul(term, y) } else { terms.add(term, x) };
        term = terms.ite(p, next, term);
        let limit = terms.constant(8, i as u64);
        let wraps = terms.ult(term, limit);
        term = terms.ite(wraps, y, term);
    }
    let same = terms.eq(term, x);
    assert!(evaluate(&terms, same, &Assignment::new()) <= 1);
    assert!(terms.len() > DEPTH / 5);
}
