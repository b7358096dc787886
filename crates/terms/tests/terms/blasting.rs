//! Bit-blasted terms against evaluation.

use base::Budget;
use solve::{CadicalSolver, ClauseCounter, ClauseSink, Lit, SolveResult, Solver};
use terms::{Assignment, BinaryOp, Blaster, TermId, Terms, evaluate};

use crate::random::{self, Random, random_assignment};

/// Literals that fix every variable to its assigned value.
fn fixing(blaster: &mut Blaster, terms: &Terms, solver: &mut CadicalSolver, inputs: &Assignment) -> Vec<Lit> {
    let mut literals = Vec::new();
    for variable in terms.variables() {
        let value = inputs.get(variable).unwrap();
        let bits = blaster.bits(terms, terms.variable_term(variable), solver);
        literals.extend(bits.into_iter().enumerate().map(|(i, bit)| if value >> i & 1 == 1 { bit } else { !bit }));
    }
    literals
}

fn agrees(terms: &Terms, term: TermId, random: &mut Random, rounds: usize) {
    let mut solver = CadicalSolver::new();
    let mut blaster = Blaster::new();
    let bits = blaster.bits(terms, term, &mut solver);
    for _ in 0..rounds {
        let inputs = random_assignment(terms, random);
        let assumptions = fixing(&mut blaster, terms, &mut solver, &inputs);
        assert_eq!(solver.solve(&assumptions, &Budget::unlimited()), SolveResult::Satisfiable);
        let blasted = bits.iter().rev().fold(0, |value, &bit| value << 1 | u64::from(solver.value(bit)));
        assert_eq!(blasted, evaluate(terms, term, &inputs), "{:?} of {term}", terms.get(term));
        assert_eq!(blaster.assignment(terms, &solver), inputs);
        assert_eq!(blaster.value(terms, term, &solver), blasted);
    }
}

#[test]
fn small_terms_of_any_width() {
    let mut random = Random::new(21);
    for round in 0..2000 {
        let width = 1 + random.below(if round % 10 == 0 { 64 } else { 16 }) as u32;
        let mut terms = if round % 2 == 0 { Terms::new() } else { Terms::without_rewriting() };
        let steps = 1 + random.below(6);
        let term = random::term(&mut terms, &mut random, width, steps);
        agrees(&terms, term, &mut random, 2);
    }
}

#[test]
fn single_operators_at_every_width() {
    let mut random = Random::new(22);
    for width in (1..=10).chain([16, 32, 63, 64]) {
        for op in random::ALL_BINARY {
            let mut terms = Terms::without_rewriting();
            let (x, y) = (terms.bv_variable("x", width), terms.bv_variable("y", width));
            let term = terms.binary(op, x, y);
            agrees(&terms, term, &mut random, 6);
        }
        for relation in random::ALL_RELATIONS {
            let mut terms = Terms::without_rewriting();
            let (x, y) = (terms.bv_variable("x", width), terms.bv_variable("y", width));
            let term = terms.compare(relation, x, y);
            agrees(&terms, term, &mut random, 6);
        }
    }
}

#[test]
fn divisions_by_constants() {
    let mut random = Random::new(24);
    let divisions = [BinaryOp::Udiv, BinaryOp::Urem, BinaryOp::Sdiv, BinaryOp::Srem];
    let small = (1..=6).flat_map(|width| (0..1 << width).map(move |divisor| (width, divisor)));
    let large = [(32, 10), (32, 1_000_003), (32, u64::from(u32::MAX)), (64, 10), (64, u64::MAX), (64, (1 << 63) + 1)];
    for (width, divisor) in small.chain(large) {
        for op in divisions {
            let mut terms = Terms::without_rewriting();
            let (x, y) = (terms.bv_variable("x", width), terms.constant(width, divisor));
            let term = terms.binary(op, x, y);
            agrees(&terms, term, &mut random, 12);
        }
    }
}

#[test]
fn rewriting_does_not_change_values() {
    let mut random = Random::new(23);
    for _ in 0..20_000 {
        let (width, steps) = (1 + random.below(64) as u32, 1 + random.below(15));
        let (mut simplified, mut plain) = (Terms::new(), Terms::without_rewriting());
        let mut same_choices = random.clone();
        let a = random::term(&mut simplified, &mut random, width, steps);
        let b = random::term(&mut plain, &mut same_choices, width, steps);
        for _ in 0..3 {
            let inputs = random_assignment(&plain, &mut random);
            assert_eq!(evaluate(&simplified, a, &inputs), evaluate(&plain, b, &inputs));
        }
    }
}

#[test]
fn quotient_and_remainder_share_a_divider() {
    let mut terms = Terms::new();
    let (x, y) = (terms.bv_variable("x", 32), terms.bv_variable("y", 32));
    let (quotient, remainder) = (terms.udiv(x, y), terms.urem(x, y));
    let mut blaster = Blaster::new();
    let mut sink = ClauseCounter::default();
    blaster.bits(&terms, quotient, &mut sink);
    let gates = blaster.gates();
    blaster.bits(&terms, remainder, &mut sink);
    assert_eq!(blaster.gates(), gates);
}

#[test]
fn only_the_bits_asked_for_are_paid_for() {
    let mut terms = Terms::new();
    let (x, y) = (terms.bv_variable("x", 64), terms.bv_variable("y", 64));
    let sum = terms.add(x, y);
    let low = terms.extract(sum, 7, 0);
    let (mut whole, mut part) = (ClauseCounter::default(), ClauseCounter::default());
    Blaster::new().bits(&terms, sum, &mut whole);
    Blaster::new().bits(&terms, low, &mut part);
    assert!(part.clauses * 7 < whole.clauses, "{part:?} should be an eighth of {whole:?}");
}

#[test]
fn a_variable_can_stand_for_a_literal_of_the_solver() {
    let mut terms = Terms::new();
    let (p, q) = (terms.bool_variable("p"), terms.bool_variable("q"));
    let both = terms.and(p, q);
    let mut solver = CadicalSolver::new();
    let mut blaster = Blaster::new();
    let known = solver.new_var().negative();
    blaster.bind(&terms, p, known);
    let both = blaster.literal(&terms, both, &mut solver);
    assert_eq!(solver.solve(&[both, !known], &Budget::unlimited()), SolveResult::Unsatisfiable);
    assert_eq!(solver.solve(&[both], &Budget::unlimited()), SolveResult::Satisfiable);
    let truth = blaster.true_lit(&mut solver);
    assert_eq!(solver.solve(&[!truth], &Budget::unlimited()), SolveResult::Unsatisfiable);
}
