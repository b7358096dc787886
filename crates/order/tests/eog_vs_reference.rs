//! Validation and refinement of event order graphs against the naive reference on random small graphs: verdicts,
//! orders, the closure, every clause, and that the kernel reasons are all the minimal ones.

#[path = "support/rng.rs"]
mod rng;
#[path = "support/small_graphs.rs"]
mod small_graphs;

use std::collections::BTreeSet;

use base::Budget;
use order::eog::{
    Closure, EogVerdict, EventOrderGraph, KernelSearchOptions, RefinementKind, ValidationOptions, Validator,
    core_kernel_reasons,
};
use order::reference::{Feasible, NaiveClosure, check_linearisation};
use order::{NodeId, OrderGraph};
use rng::Rng;
use small_graphs::random_graph;
use solve::{CadicalSolver, ClauseSink, Lit, SolveResult, Solver, Var};

fn in_model(solver: &CadicalSolver, lit: Lit) -> bool {
    solver.value(lit.var().positive()) == lit.is_positive()
}

fn abstraction(graph: &OrderGraph, variables: u32) -> CadicalSolver {
    let mut solver = CadicalSolver::new();
    while solver.variables() < variables {
        solver.new_var();
    }
    graph.encode_read_from(&mut solver);
    solver
}

fn random_literals(rng: &mut Rng, variables: &[Var], most: usize) -> Vec<Lit> {
    (0..1 + rng.below(most)).map(|_| variables[rng.below(variables.len())].lit(rng.chance(60))).collect()
}

fn holds(graph: &OrderGraph, feasible: &Feasible, mask: u64, lit: Lit) -> bool {
    feasible.holds(mask, lit).unwrap_or(lit == graph.true_lit())
}

/// The models of the abstraction, one after the other, each blocked by its read-from and guard literals.
fn for_each_model(graph: &OrderGraph, variables: u32, most: usize, mut visit: impl FnMut(&dyn Fn(Lit) -> bool)) {
    let mut solver = abstraction(graph, variables);
    for _ in 0..most {
        if solver.solve(&[], &Budget::unlimited()) != SolveResult::Satisfiable {
            return;
        }
        visit(&|lit| in_model(&solver, lit));
        let block: Vec<Lit> = graph.variables().iter().map(|var| var.lit(!in_model(&solver, var.positive()))).collect();
        solver.add_clause(&block);
    }
}

#[derive(Default, Debug)]
struct Tally {
    satisfiable: u32,
    unsatisfiable: u32,
    clauses: u32,
    by_core: u64,
    capped: u64,
}

/// The whole loop on one random graph, under random clauses and assumptions.
fn run_loop(seed: u64, tally: &mut Tally) {
    let mut rng = Rng::new(seed);
    let (graph, variables) = random_graph(&mut rng);
    if graph.variables().is_empty() {
        return;
    }
    let feasible = Feasible::enumerate(&graph).expect("the reference should handle generated graphs");
    let kernel = if rng.chance(50) {
        KernelSearchOptions::default()
    } else {
        KernelSearchOptions {
            per_order: 1 + rng.below(2),
            entries: rng.below(100),
            per_round: 1 + rng.below(3),
            work: rng.below(40),
        }
    };
    let refinement = if rng.chance(20) { RefinementKind::Core } else { RefinementKind::Graph };
    let mut validator = Validator::new(ValidationOptions { refinement, kernel });
    let mut solver = abstraction(&graph, variables);
    let mut constraints: Vec<Vec<Lit>> = Vec::new();
    for _ in 0..1 + rng.below(3) {
        for _ in 0..rng.below(3) {
            let clause = random_literals(&mut rng, &feasible.variables, 3);
            solver.add_clause(&clause);
            constraints.push(clause);
        }
        let assumptions = if rng.chance(60) { random_literals(&mut rng, &feasible.variables, 3) } else { Vec::new() };
        let expected = feasible.masks.iter().any(|&mask| {
            let truth = |lit: &Lit| holds(&graph, &feasible, mask, *lit);
            constraints.iter().all(|clause| clause.iter().any(truth)) && assumptions.iter().all(truth)
        });
        let answer = loop {
            if solver.solve(&assumptions, &Budget::unlimited()) == SolveResult::Unsatisfiable {
                break false;
            }
            let eog = EventOrderGraph::new(&graph, |lit| in_model(&solver, lit));
            match validator.validate(&eog, &Budget::unlimited()) {
                EogVerdict::Interrupted(reason) => panic!("seed {seed}: {reason}"),
                EogVerdict::Feasible(order) => {
                    let checked = check_linearisation(&graph, |lit| in_model(&solver, lit), &order);
                    assert_eq!(checked, Ok(()), "seed {seed}\n{graph}");
                    break true;
                }
                EogVerdict::Refuted(clauses) => {
                    for clause in &clauses {
                        let falsified = |&mask: &u64| clause.iter().all(|&lit| !holds(&graph, &feasible, mask, lit));
                        assert!(!feasible.masks.iter().any(falsified), "seed {seed}: unsound {clause:?}\n{graph}");
                        assert!(clause.iter().all(|&lit| !in_model(&solver, lit)), "seed {seed}: idle {clause:?}");
                        tally.clauses += 1;
                    }
                    clauses.iter().for_each(|clause| solver.add_clause(clause));
                }
            }
        };
        assert_eq!(answer, expected, "seed {seed}\n{graph}");
        tally.satisfiable += u32::from(answer);
        tally.unsatisfiable += u32::from(!answer);
    }
    tally.by_core += validator.counters().core_refinements;
    tally.capped += validator.counters().cap_hits;
}

#[test]
fn the_loop_agrees_with_the_reference() {
    let mut tally = Tally::default();
    for seed in 0..2_500 {
        run_loop(seed, &mut tally);
    }
    assert!(tally.satisfiable > 1_000 && tally.unsatisfiable > 1_000, "both answers should be common: {tally:?}");
    assert!(tally.clauses > 1_000 && tally.by_core > 100 && tally.capped > 100, "checks should happen: {tally:?}");
}

#[test]
fn the_closure_is_that_of_the_rules() {
    let (mut cyclic, mut acyclic) = (0, 0);
    for seed in 0..600 {
        let (graph, variables) = random_graph(&mut Rng::new(seed));
        for_each_model(&graph, variables, 6, |truth| {
            let eog = EventOrderGraph::new(&graph, truth);
            let (closure, naive) = (Closure::new(&eog), NaiveClosure::new(&graph, truth));
            assert_eq!(closure.is_cyclic(), naive.is_cyclic(), "seed {seed}\n{graph}");
            let nodes = || graph.nodes().ids();
            for (a, b) in nodes().flat_map(|a| nodes().map(move |b| (a, b))) {
                if let Some(precedes) = closure.precedes(a, b) {
                    assert_eq!(precedes, naive.precedes(a, b), "seed {seed}: {a} before {b}\n{graph}");
                }
            }
            *(if closure.is_cyclic() { &mut cyclic } else { &mut acyclic }) += 1;
        });
    }
    assert!(cyclic > 200 && acyclic > 200, "{cyclic} cyclic, {acyclic} acyclic");
}

/// All minimal sets of true literals under which the rules alone, with what read-from literals imply, give a cycle.
fn minimal_reasons(graph: &OrderGraph, truth: &dyn Fn(Lit) -> bool) -> Option<BTreeSet<Vec<Lit>>> {
    let implied = |lit: Lit| -> Vec<Lit> {
        let links = graph.read_froms().iter().filter(|rf| rf.lit == lit);
        let guards = links.flat_map(|rf| [graph.events()[rf.write], graph.events()[rf.read]]);
        guards.flat_map(|event| [event.guard, graph.nodes()[event.node].guard]).collect()
    };
    let literals: Vec<Lit> = graph.variables().into_iter().map(|var| var.lit(truth(var.positive()))).collect();
    if literals.len() > 11 {
        return None;
    }
    let mut closed_sets: BTreeSet<Vec<Lit>> = BTreeSet::new();
    for code in 0..1u32 << literals.len() {
        let chosen = (0..literals.len()).filter(|i| code >> i & 1 == 1).map(|i| literals[i]);
        let mut set: Vec<Lit> = chosen.flat_map(|lit| [lit].into_iter().chain(implied(lit))).collect();
        set.retain(|&lit| lit != graph.true_lit());
        set.sort_unstable();
        set.dedup();
        closed_sets.insert(set);
    }
    let cyclic: Vec<Vec<Lit>> = closed_sets
        .into_iter()
        .filter(|set| NaiveClosure::new(graph, |lit| lit == graph.true_lit() || set.contains(&lit)).is_cyclic())
        .collect();
    let subset = |a: &[Lit], b: &[Lit]| a.iter().all(|lit| b.contains(lit));
    let minimal = cyclic.iter().filter(|set| !cyclic.iter().any(|other| other != *set && subset(other, set)));
    Some(
        minimal
            .map(|set| set.iter().copied().filter(|&lit| !set.iter().any(|&o| implied(o).contains(&lit))).collect())
            .collect(),
    )
}

#[test]
fn kernel_reasons_are_all_the_minimal_ones() {
    let (mut compared, mut reasons) = (0, 0);
    for seed in 0..2_000 {
        let (graph, variables) = random_graph(&mut Rng::new(seed));
        if !graph.sections().is_empty() {
            continue;
        }
        for_each_model(&graph, variables, 3, |truth| {
            let eog = EventOrderGraph::new(&graph, truth);
            let closure = Closure::new(&eog);
            let Some(expected) = minimal_reasons(&graph, truth).filter(|_| closure.is_cyclic()) else { return };
            let found: BTreeSet<Vec<Lit>> =
                core_kernel_reasons(&closure, KernelSearchOptions::UNLIMITED, &Budget::unlimited())
                    .expect("no limit")
                    .reasons
                    .into_iter()
                    .collect();
            assert_eq!(found, expected, "seed {seed}\n{graph}");
            compared += 1;
            reasons += found.len();
        });
    }
    assert!(compared > 200 && reasons > compared, "{compared} graphs with {reasons} reasons");
}

/// Six threads around `x`: whichever of its two writes comes first, another pair of writes has to go both ways.
fn butterfly() -> (OrderGraph, u32) {
    let mut graph = OrderGraph::new(Var::new(1).positive());
    let yes = graph.true_lit();
    let [x, y, z] = [(); 3].map(|()| graph.add_address());
    let chains = [(); 6].map(|()| graph.add_chain());
    let node = |graph: &mut OrderGraph, chain: usize| graph.add_node(chains[chain], yes);
    let write = |graph: &mut OrderGraph, chain: usize, address| {
        let node = node(graph, chain);
        graph.add_write(node, address, yes)
    };
    let (c, a) = (write(&mut graph, 0, y), write(&mut graph, 0, x));
    let (e, b) = (write(&mut graph, 1, z), write(&mut graph, 1, x));
    let (d, f) = (write(&mut graph, 2, y), write(&mut graph, 3, z));
    let mut variables = 1;
    let mut read = |graph: &mut OrderGraph, chain: usize, address, source| -> NodeId {
        variables += 1;
        let node = graph.add_node(chains[chain], yes);
        let read = graph.add_read(node, address, yes);
        graph.add_read_from(source, read, Var::new(variables).positive());
        node
    };
    read(&mut graph, 0, z, e);
    read(&mut graph, 1, y, c);
    read(&mut graph, 2, x, a);
    read(&mut graph, 3, x, b);
    let read_d = read(&mut graph, 4, y, d);
    let read_f = read(&mut graph, 5, z, f);
    graph.add_edge(graph.events()[b].node, read_d, yes);
    graph.add_edge(graph.events()[a].node, read_f, yes);
    (graph, variables)
}

#[test]
fn the_butterfly_needs_constraint_solving() {
    let (graph, variables) = butterfly();
    let mut solver = abstraction(&graph, variables);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), SolveResult::Satisfiable);
    let eog = EventOrderGraph::new(&graph, |lit| in_model(&solver, lit));
    let closure = Closure::new(&eog);
    assert!(!closure.is_cyclic() && closure.derived().next().is_none(), "the rules should derive nothing");
    let mut validator = Validator::default();
    let EogVerdict::Refuted(clauses) = validator.validate(&eog, &Budget::unlimited()) else {
        panic!("the butterfly should be infeasible");
    };
    assert_eq!((clauses.len(), clauses[0].len()), (1, 6), "all six links are needed: {clauses:?}");
    assert_eq!(validator.counters().constraint_validations, 1);
    clauses.iter().for_each(|clause| solver.add_clause(clause));
    assert_eq!(solver.solve(&[], &Budget::unlimited()), SolveResult::Unsatisfiable);
}
