//! The solver without a theory, against brute force.

use std::time::{Duration, Instant};

use crate::support::{Random, brute_force, new_vars, satisfies};
use base::{Budget, StopReason};
use solve::{CadicalSolver, ClauseSink, Dimacs, Lit, SolveResult, Solver, Var, at_most_one, exactly_one};

fn model(solver: &CadicalSolver, vars: &[Var]) -> u32 {
    assert!(vars.iter().all(|var| solver.value(var.positive()) != solver.value(var.negative())));
    vars.iter().map(|var| u32::from(solver.value(var.positive())) << var.index()).sum()
}

#[test]
fn random_formulas_agree_with_brute_force() {
    let mut random = Random::new(1);
    for _ in 0..2000 {
        let mut solver = CadicalSolver::new();
        let vars = new_vars(&mut solver, 1 + random.below(8));
        let clauses: Vec<Vec<Lit>> = (0..random.below(30)).map(|_| random.clause(&vars)).collect();
        clauses.iter().for_each(|clause| solver.add_clause(clause));
        // A hint may change which model is found, never the answer.
        (0..random.below(4)).for_each(|_| solver.phase(random.literal(&vars)));
        let expected = brute_force(vars.len(), &clauses, &[], |_| true);
        let result = solver.solve(&[], &Budget::unlimited());
        assert_eq!(result == SolveResult::Satisfiable, expected);
        if expected {
            assert!(satisfies(model(&solver, &vars), &clauses, &[]));
        }
    }
}

#[test]
fn incremental_calls_with_assumptions_and_cores() {
    let mut random = Random::new(2);
    let (mut satisfiable, mut unsatisfiable) = (0, 0);
    for _ in 0..300 {
        let mut solver = CadicalSolver::new();
        let mut vars = new_vars(&mut solver, 6);
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for _ in 0..10 {
            if vars.len() < 10 && random.below(3) == 0 {
                vars.push(solver.new_var());
            }
            for _ in 0..random.below(4) {
                clauses.push(random.clause(&vars));
                solver.add_clause(clauses.last().unwrap());
            }
            let assumptions: Vec<Lit> = (0..random.below(6)).map(|_| random.literal(&vars)).collect();
            let expected = brute_force(vars.len(), &clauses, &assumptions, |_| true);
            match solver.solve(&assumptions, &Budget::unlimited()) {
                SolveResult::Satisfiable => {
                    assert!(expected);
                    assert!(satisfies(model(&solver, &vars), &clauses, &assumptions));
                    satisfiable += 1;
                }
                SolveResult::Unsatisfiable => {
                    assert!(!expected);
                    let core: Vec<Lit> = assumptions.iter().copied().filter(|&lit| solver.in_core(lit)).collect();
                    assert!(!brute_force(vars.len(), &clauses, &core, |_| true), "a core should be a refutation");
                    assert_eq!(solver.solve(&core, &Budget::unlimited()), SolveResult::Unsatisfiable);
                    unsatisfiable += 1;
                }
                SolveResult::Interrupted(_) => unreachable!("nothing limits the search"),
            }
        }
    }
    assert!(satisfiable > 500 && unsatisfiable > 500, "{satisfiable} and {unsatisfiable} should both be many");
}

#[test]
fn a_core_leaves_out_what_does_not_matter() {
    let mut solver = CadicalSolver::new();
    let vars = new_vars(&mut solver, 3);
    solver.add_clause(&[vars[0].negative(), vars[1].negative()]);
    let assumptions: Vec<Lit> = vars.iter().map(|var| var.positive()).collect();
    assert_eq!(solver.solve(&assumptions, &Budget::unlimited()), SolveResult::Unsatisfiable);
    assert!(solver.in_core(assumptions[0]) && solver.in_core(assumptions[1]) && !solver.in_core(assumptions[2]));
    assert_eq!(solver.solve(&assumptions[1..], &Budget::unlimited()), SolveResult::Satisfiable);
}

/// `holes + 1` pigeons in `holes` holes.
fn pigeonhole(sink: &mut impl ClauseSink, holes: usize) {
    let sits: Vec<Vec<Var>> = (0..=holes).map(|_| new_vars(sink, holes)).collect();
    for pigeon in &sits {
        sink.add_clause(&pigeon.iter().map(|var| var.positive()).collect::<Vec<_>>());
    }
    for hole in 0..holes {
        let in_hole: Vec<Var> = sits.iter().map(|pigeon| pigeon[hole]).collect();
        for (index, first) in in_hole.iter().enumerate() {
            in_hole[..index].iter().for_each(|second| sink.add_clause(&[first.negative(), second.negative()]));
        }
    }
}

#[test]
fn an_empty_budget_interrupts_at_once_and_leaves_the_solver_usable() {
    let mut solver = CadicalSolver::new();
    pigeonhole(&mut solver, 4);
    let spent = Budget::with_timeout(Duration::ZERO);
    assert_eq!(solver.solve(&[], &spent), SolveResult::Interrupted(StopReason::Time));
    assert_eq!(solver.solve(&[], &Budget::unlimited()), SolveResult::Unsatisfiable);
}

#[test]
fn cancellation_time_and_memory_interrupt_a_hard_search() {
    let mut solver = CadicalSolver::new();
    pigeonhole(&mut solver, 14);

    let budget = Budget::unlimited();
    let token = budget.cancel.clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        token.cancel();
    });
    assert_eq!(solver.solve(&[], &budget), SolveResult::Interrupted(StopReason::Cancelled));
    canceller.join().unwrap();

    let start = Instant::now();
    let brief = Budget::with_timeout(Duration::from_millis(100));
    assert_eq!(solver.solve(&[], &brief), SolveResult::Interrupted(StopReason::Time));
    assert!(start.elapsed() >= Duration::from_millis(100));

    let tight = Budget { memory: Some(1), ..Budget::default() };
    assert_eq!(solver.solve(&[], &tight), SolveResult::Interrupted(StopReason::Memory));
}

#[test]
fn cardinality_constraints_have_exactly_their_models() {
    for count in 0..9 {
        let mut cnf = Dimacs::new();
        let vars = new_vars(&mut cnf, count);
        let literals: Vec<Lit> = vars.iter().map(|var| var.positive()).collect();
        let mut at_most = cnf.clone();
        at_most_one(&mut at_most, &literals);
        exactly_one(&mut cnf, &literals);
        for bits in 0..1u32 << count {
            let assumptions: Vec<Lit> = vars.iter().map(|var| var.lit(bits >> var.index() & 1 == 1)).collect();
            assert_eq!(is_satisfiable(&at_most, &assumptions), bits.count_ones() <= 1);
            assert_eq!(is_satisfiable(&cnf, &assumptions), bits.count_ones() == 1);
        }
    }
}

fn is_satisfiable(cnf: &Dimacs, assumptions: &[Lit]) -> bool {
    let mut solver = CadicalSolver::new();
    new_vars(&mut solver, cnf.variables() as usize);
    cnf.clauses().for_each(|clause| solver.add_clause(clause));
    solver.solve(assumptions, &Budget::unlimited()) == SolveResult::Satisfiable
}

#[test]
fn statistics_count_work() {
    let mut solver = CadicalSolver::new();
    pigeonhole(&mut solver, 5);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), SolveResult::Unsatisfiable);
    let statistics = solver.statistics();
    assert_eq!(statistics.get_count("variables"), 30);
    assert_eq!(statistics.get_count("clauses"), 6 + 5 * 15);
    assert_eq!(statistics.get_count("solver calls"), 1);
    assert!(statistics.get_count("conflicts") > 0);
}
