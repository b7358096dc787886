//! Toy theories on the same hook as the real ones, against brute force.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use crate::acyclicity::{Acyclicity, Edge, Style, is_acyclic};
use crate::parity::Parity;
use crate::support::{Random, brute_force, holds, new_vars, satisfies};
use base::Budget;
use solve::{CadicalSolver, ClauseSink, Lit, NoTheory, SolveResult, Solver, Theory, TheoryContext, Var};

fn model(solver: &CadicalSolver, vars: &[Var]) -> u32 {
    vars.iter().map(|var| u32::from(solver.value(var.positive())) << var.index()).sum()
}

/// Grows a formula step by step beside an attached theory and compares every answer with brute force. Returns how many
/// answers were satisfiable and unsatisfiable.
fn compare_incrementally(
    solver: &mut CadicalSolver,
    vars: &[Var],
    random: &mut Random,
    theory_accepts: impl Fn(u32) -> bool,
) -> (usize, usize) {
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    let mut counts = (0, 0);
    for _ in 0..5 {
        for _ in 0..random.below(5) {
            clauses.push(random.clause(vars));
            solver.add_clause(clauses.last().unwrap());
        }
        let assumptions: Vec<Lit> = (0..random.below(5)).map(|_| random.literal(vars)).collect();
        let expected = brute_force(vars.len(), &clauses, &assumptions, &theory_accepts);
        match solver.solve(&assumptions, &Budget::unlimited()) {
            SolveResult::Satisfiable => {
                assert!(expected, "{clauses:?} under {assumptions:?} should be unsatisfiable");
                let bits = model(solver, vars);
                assert!(satisfies(bits, &clauses, &assumptions) && theory_accepts(bits));
                counts.0 += 1;
            }
            SolveResult::Unsatisfiable => {
                assert!(!expected, "{clauses:?} under {assumptions:?} should be satisfiable");
                let core: Vec<Lit> = assumptions.iter().copied().filter(|&lit| solver.in_core(lit)).collect();
                assert!(!brute_force(vars.len(), &clauses, &core, &theory_accepts), "a core should be a refutation");
                counts.1 += 1;
            }
            SolveResult::Interrupted(_) => unreachable!("nothing limits the search"),
        }
    }
    counts
}

fn random_edges(random: &mut Random, nodes: usize, vars: &[Var]) -> Vec<Edge> {
    let edge = |random: &mut Random, &var: &Var| Edge { from: random.below(nodes), to: random.below(nodes), var };
    vars.iter().map(|var| edge(random, var)).collect()
}

fn acyclicity_agrees(style: Style, seed: u64) {
    let mut random = Random::new(seed);
    let mut totals = (0, 0);
    for _ in 0..400 {
        let mut solver = CadicalSolver::new();
        let vars = new_vars(&mut solver, 10);
        let nodes = 2 + random.below(4);
        let edge_count = 3 + random.below(7);
        let edges = random_edges(&mut random, nodes, &vars[..edge_count]);
        let theory = Rc::new(RefCell::new(Acyclicity::new(nodes, edges.clone(), style)));
        solver.attach_theory(theory.clone());
        let accepts = |bits: u32| is_acyclic(nodes, &edges, |var| holds(bits, var.positive()));
        let counts = compare_incrementally(&mut solver, &vars, &mut random, accepts);
        totals = (totals.0 + counts.0, totals.1 + counts.1);
        assert_eq!(theory.borrow().repeated_assignments, 0);
    }
    assert!(totals.0 > 300 && totals.1 > 300, "{totals:?} should both be many");
}

#[test]
fn acyclicity_by_final_checks() {
    acyclicity_agrees(Style::Final, 11);
}

#[test]
fn acyclicity_by_eager_conflicts() {
    acyclicity_agrees(Style::Eager, 12);
}

#[test]
fn acyclicity_by_propagation_with_lazy_reasons() {
    acyclicity_agrees(Style::Propagating, 13);
}

/// Big enough for restarts, inprocessing and compaction to happen under the theory. The yardstick is a plain solver
/// with a total order encoded by all transitivity clauses; both go through the same sequence of searches.
#[test]
fn order_constraints_agree_with_a_transitive_encoding() {
    let mut random = Random::new(14);
    let mut counts = [0, 0];
    for round in 0..24 {
        let nodes = 10 + random.below(6);
        let style = [Style::Eager, Style::Propagating][round % 2];
        let mut plain = CadicalSolver::new();
        let mut with_theory = CadicalSolver::new();
        let before = total_order(&mut plain, nodes);
        let edges = all_edges(&mut with_theory, nodes);
        with_theory.attach_theory(Rc::new(RefCell::new(Acyclicity::new(nodes, edges.clone(), style))));
        let edge = |pair: usize| edges[pair].var.positive();
        for _ in 0..6 {
            for _ in 0..nodes * nodes / 5 {
                let pairs: [usize; 3] = [(); 3].map(|()| distinct_pair(&mut random, nodes));
                plain.add_clause(&pairs.map(|pair| before[pair]));
                with_theory.add_clause(&pairs.map(edge));
            }
            let assumed: [usize; 4] = [(); 4].map(|()| distinct_pair(&mut random, nodes));
            let expected = plain.solve(&assumed.map(|pair| before[pair]), &Budget::unlimited());
            assert_eq!(with_theory.solve(&assumed.map(edge), &Budget::unlimited()), expected);
            if expected == SolveResult::Satisfiable {
                assert!(is_acyclic(nodes, &edges, |var| with_theory.value(var.positive())));
            } else {
                let core: Vec<Lit> =
                    assumed.iter().filter(|&&pair| with_theory.in_core(edge(pair))).map(|&pair| before[pair]).collect();
                assert_eq!(plain.solve(&core, &Budget::unlimited()), SolveResult::Unsatisfiable);
            }
            counts[usize::from(expected == SolveResult::Satisfiable)] += 1;
        }
    }
    assert!(counts[0] > 20 && counts[1] > 20, "{counts:?} should both be many");
}

/// The index of an ordered pair of distinct nodes.
fn distinct_pair(random: &mut Random, nodes: usize) -> usize {
    let from = random.below(nodes);
    from * nodes + (from + 1 + random.below(nodes - 1)) % nodes
}

fn all_edges(solver: &mut CadicalSolver, nodes: usize) -> Vec<Edge> {
    let pairs = (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to)));
    pairs.map(|(from, to)| Edge { from, to, var: solver.new_var() }).collect()
}

/// Literals "i before j" at `i * nodes + j`, total, antisymmetric and transitive.
fn total_order(solver: &mut CadicalSolver, nodes: usize) -> Vec<Lit> {
    let vars = new_vars(solver, nodes * nodes);
    let literal = |from: usize, to: usize| vars[from.min(to) * nodes + from.max(to)].lit(from < to);
    let before: Vec<Lit> = (0..nodes * nodes).map(|pair| literal(pair / nodes, pair % nodes)).collect();
    for a in 0..nodes {
        for b in (0..nodes).filter(|&b| b != a) {
            for c in (0..nodes).filter(|&c| c != a && c != b) {
                solver.add_clause(&[!literal(a, b), !literal(b, c), literal(a, c)]);
            }
        }
    }
    before
}

#[test]
fn parity_with_variables_created_in_the_model_check() {
    let mut random = Random::new(15);
    let (mut totals, mut encoded) = ((0, 0), 0);
    for _ in 0..600 {
        let mut solver = CadicalSolver::new();
        let vars = new_vars(&mut solver, 8);
        let constraints: Vec<Vec<Lit>> = (0..random.below(4)).map(|_| parity_constraint(&mut random, &vars)).collect();
        let theory = Rc::new(RefCell::new(Parity::new(vars.clone(), constraints.clone())));
        theory.borrow_mut().idle_variables = random.below(3);
        solver.attach_theory(theory.clone());
        let is_odd = |constraint: &Vec<Lit>, bits| constraint.iter().filter(|&&lit| holds(bits, lit)).count() % 2 == 1;
        let accepts = |bits: u32| constraints.iter().all(|constraint| is_odd(constraint, bits));
        let counts = compare_incrementally(&mut solver, &vars, &mut random, accepts);
        totals = (totals.0 + counts.0, totals.1 + counts.1);
        encoded += theory.borrow().encoded;
    }
    assert!(totals.0 > 300 && totals.1 > 300 && encoded > 300, "{totals:?} and {encoded} should all be many");
}

/// Distinct variables, so that membership in the trail counts each literal once.
fn parity_constraint(random: &mut Random, vars: &[Var]) -> Vec<Lit> {
    vars.iter().filter_map(|var| [None, Some(var.positive()), Some(var.negative())][random.below(3)]).collect()
}

#[test]
fn variables_can_be_observed_between_searches() {
    let mut solver = CadicalSolver::new();
    let first = new_vars(&mut solver, 2);
    let theory = Rc::new(RefCell::new(Parity::new(first.clone(), vec![])));
    solver.attach_theory(theory);
    assert_eq!(solver.solve(&[first[0].positive()], &Budget::unlimited()), SolveResult::Satisfiable);
    let later = solver.new_var();
    solver.add_clause(&[later.positive()]);
    solver.observe(later);
    assert_eq!(solver.solve(&[later.negative()], &Budget::unlimited()), SolveResult::Unsatisfiable);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), SolveResult::Satisfiable);
}

/// Observed variables are neither eliminated nor replaced, so their values come from decisions.
#[test]
fn phase_hints_are_followed_where_nothing_speaks_against_them() {
    let mut random = Random::new(16);
    for _ in 0..20 {
        let mut solver = CadicalSolver::new();
        let vars = new_vars(&mut solver, 40);
        for pair in vars.chunks(2) {
            solver.add_clause(&[pair[0].positive(), pair[1].positive()]);
            solver.add_clause(&[pair[0].negative(), pair[1].negative()]);
        }
        let hints: Vec<Lit> = vars.chunks(2).map(|pair| pair[0].lit(random.below(2) == 0)).collect();
        for (pair, &hint) in vars.chunks(2).zip(&hints) {
            solver.phase(hint);
            solver.phase(pair[1].lit(!hint.is_positive()));
        }
        solver.attach_theory(Rc::new(RefCell::new(Parity::new(vars.clone(), vec![]))));
        assert_eq!(solver.solve(&[], &Budget::unlimited()), SolveResult::Satisfiable);
        assert!(hints.iter().all(|&hint| solver.value(hint)));
    }
}

#[test]
fn the_empty_theory_changes_nothing() {
    let mut solver = CadicalSolver::new();
    solver.attach_theory(Rc::new(RefCell::new(NoTheory)));
    let vars = new_vars(&mut solver, 2);
    solver.add_clause(&[vars[0].positive(), vars[1].positive()]);
    assert_eq!(solver.solve(&[vars[0].negative()], &Budget::unlimited()), SolveResult::Satisfiable);
    assert!(solver.value(vars[1].positive()));
}

/// What a bad theory does wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    PanicInAssign,
    PanicInNewLevel,
    PanicInBacktrack,
    PanicInPropagate,
    PanicInReason,
    PanicInNextClause,
    PanicInDecide,
    PanicInCheck,
    UnobservedPropagation,
    UnobservedClause,
    UnobservedDecision,
    ReasonWithoutLiteral,
    RejectionWithoutClause,
}

struct Faulty {
    vars: Vec<Var>,
    fault: Fault,
    level: usize,
}

impl Faulty {
    fn commit(&self, fault: Fault) {
        assert!(self.fault != fault, "fault injected: {fault:?}");
    }

    fn stranger(&self) -> Lit {
        Var::new(self.vars.len() as u32 + 1).positive()
    }
}

impl Theory for Faulty {
    fn observed(&self) -> Vec<Var> {
        self.vars.clone()
    }
    fn assign(&mut self, _: &[Lit]) {
        self.commit(Fault::PanicInAssign);
    }
    fn new_level(&mut self) {
        self.level += 1;
        self.commit(Fault::PanicInNewLevel);
    }
    fn backtrack(&mut self, level: usize) {
        self.level = level;
        self.commit(Fault::PanicInBacktrack);
    }
    fn propagate(&mut self) -> Option<Lit> {
        self.commit(Fault::PanicInPropagate);
        let lies = [Fault::PanicInReason, Fault::ReasonWithoutLiteral];
        match self.fault {
            Fault::UnobservedPropagation => Some(self.stranger()),
            fault if lies.contains(&fault) && self.level > 0 => Some(self.vars[0].negative()),
            _ => None,
        }
    }
    fn reason(&mut self, _: Lit, clause: &mut Vec<Lit>) {
        self.commit(Fault::PanicInReason);
        clause.push(self.vars[1].positive());
    }
    fn next_clause(&mut self, clause: &mut Vec<Lit>) -> bool {
        self.commit(Fault::PanicInNextClause);
        clause.push(self.stranger());
        self.fault == Fault::UnobservedClause
    }
    fn decide(&mut self) -> Option<Lit> {
        self.commit(Fault::PanicInDecide);
        (self.fault == Fault::UnobservedDecision).then(|| self.stranger())
    }
    fn check_model(&mut self, _: &mut dyn TheoryContext) -> bool {
        self.commit(Fault::PanicInCheck);
        self.fault != Fault::RejectionWithoutClause
    }
}

#[test]
fn a_faulty_theory_is_a_panic_out_of_solve() {
    let faults = [
        (Fault::PanicInAssign, "fault injected"),
        (Fault::PanicInNewLevel, "fault injected"),
        (Fault::PanicInBacktrack, "fault injected"),
        (Fault::PanicInPropagate, "fault injected"),
        (Fault::PanicInReason, "fault injected"),
        (Fault::PanicInNextClause, "fault injected"),
        (Fault::PanicInDecide, "fault injected"),
        (Fault::PanicInCheck, "fault injected"),
        (Fault::UnobservedPropagation, "observed variables"),
        (Fault::UnobservedClause, "observed variables"),
        (Fault::UnobservedDecision, "observed variables"),
        (Fault::ReasonWithoutLiteral, "should contain it"),
        (Fault::RejectionWithoutClause, "should give a clause"),
    ];
    for (fault, expected) in faults {
        let message = panic_message(fault);
        assert!(message.contains(expected), "{fault:?} gave {message:?}");
    }
}

/// Runs a formula that needs decisions and backtracking with a theory that has `fault`, and returns what it panics with.
fn panic_message(fault: Fault) -> String {
    let mut solver = CadicalSolver::new();
    let vars = new_vars(&mut solver, 6);
    let stranger = solver.new_var();
    let mut clauses = Vec::new();
    // All of the first variables true, but no unit says so: refuting any false one takes a decision.
    for &var in &vars {
        for truth in [false, true] {
            clauses.push(vec![var.positive(), stranger.lit(truth), vars[0].positive()]);
            clauses.push(vec![var.positive(), stranger.lit(truth), vars[0].negative()]);
        }
    }
    clauses.iter().for_each(|clause| solver.add_clause(clause));
    solver.attach_theory(Rc::new(RefCell::new(Faulty { vars: vars.clone(), fault, level: 0 })));
    let assumptions = [vars[5].positive(), vars[0].positive()];
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        solver.solve(&assumptions, &Budget::unlimited());
        solver.solve(&[], &Budget::unlimited())
    }));
    let payload = outcome.expect_err("a faulty theory should end in a panic");
    let again = catch_unwind(AssertUnwindSafe(|| solver.solve(&[], &Budget::unlimited())));
    assert!(again.is_err(), "a solver with a broken theory should refuse to go on");
    let message = payload.downcast_ref::<String>().map(String::as_str);
    message.or(payload.downcast_ref::<&str>().copied()).unwrap_or_default().to_owned()
}
