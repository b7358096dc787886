//! Which candidate invariants of a thread-modular unfolding hold (Flanagan and Leino's Houdini, FME 2001): all are assumed
//! at first; one that fails somewhere under the assumption of all others is dropped, until none fails.

use base::Budget;
use events::{Encoding, EventGraph};
use solve::{CadicalSolver, ClauseSink, Lit, SolveResult, Solver};
use terms::TermId;

/// The literals that assume the candidates which hold together. Empty if the budget ends first.
pub fn invariants(
    graph: &mut EventGraph,
    encoding: &mut Encoding,
    solver: &mut CadicalSolver,
    budget: &Budget,
) -> Vec<Lit> {
    let mut open: Vec<Open> = Vec::new();
    for index in 0..graph.candidates.len() {
        let candidate = &graph.candidates[index];
        let (assumed, failures) = (candidate.assumed, candidate.failures.clone());
        let fails = graph.terms.or_all(&failures);
        if graph.terms.as_boolean(fails) == Some(true) {
            continue;
        }
        let literal = encoding.blaster.literal(&graph.terms, fails, solver);
        open.push(Open { fails, literal, assumed: encoding.blaster.literal(&graph.terms, assumed, solver) });
    }
    while !open.is_empty() {
        let some_fails = solver.new_var().positive();
        let clause: Vec<Lit> = [!some_fails].into_iter().chain(open.iter().map(|one| one.literal)).collect();
        solver.add_clause(&clause);
        let assumptions: Vec<Lit> = [some_fails].into_iter().chain(open.iter().map(|one| one.assumed)).collect();
        match solver.solve(&assumptions, budget) {
            SolveResult::Unsatisfiable => break,
            SolveResult::Interrupted(_) => return Vec::new(),
            SolveResult::Satisfiable => {
                let assignment = encoding.blaster.assignment(&graph.terms, solver);
                let mut values = terms::Evaluator::new(&graph.terms, &assignment);
                open.retain(|one| values.value(one.fails) == 0);
            }
        }
    }
    open.iter().map(|one| one.assumed).collect()
}

struct Open {
    fails: TermId,
    literal: Lit,
    assumed: Lit,
}
