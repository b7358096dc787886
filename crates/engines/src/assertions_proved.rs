//! Which assertions of a program certainly hold, one by one, by the thread-modular unfolding: for whoever has many guesses
//! and wants to keep the true ones.
//!
//! An execution ends where an assertion fails, so those behind it hold only as long as it does. What is returned is
//! therefore what *may* fail while all others hold; without these assertions the program has to be asked again, until
//! none may fail. Guarantee: if none may fail, all hold in every execution.

use base::{Budget, Statistics};
use events::EventGraph;
use program::{Location, Property, PropertySet};
use solve::{CadicalSolver, Lit, SolveResult, Solver};
use unfold::UnfoldOptions;

use crate::engine::Job;
use crate::houdini;

/// The assertions that may fail, by their places. `None` if nothing can be said of any.
pub fn may_fail(job: &Job<'_>, budget: &Budget, statistics: &mut Statistics) -> Option<Vec<Location>> {
    let options = UnfoldOptions::modular(PropertySet::of(&[Property::Assert]));
    let mut graph = unfold::unfold(job.program(), &job.visibility(), &options, budget).ok()?;
    let mut solver = CadicalSolver::new();
    let mut encoding = events::encode_without_order(&graph, &mut solver);
    let goal = encoding.goal(&mut graph, Property::Assert, &mut solver);
    let mut assumed = houdini::invariants(&mut graph, &mut encoding, &mut solver, budget);
    assumed.push(goal.lit);
    statistics.count("modular proofs tried", 1);
    let conditions: Vec<_> = asserted(&graph).map(|(condition, _)| condition).collect();
    let mut open = vec![true; conditions.len()];
    // Whatever is left of the goal when every open assertion holds is a way out of the unfolding.
    loop {
        let holding: Vec<Lit> =
            (0..open.len()).filter(|&index| !open[index]).map(|index| !goal.violations[index]).collect();
        let assumptions: Vec<Lit> = assumed.iter().copied().chain(holding).collect();
        match solver.solve(&assumptions, budget) {
            SolveResult::Unsatisfiable => break,
            SolveResult::Interrupted(_) => return None,
            SolveResult::Satisfiable => {
                let assignment = encoding.blaster.assignment(&graph.terms, &solver);
                let mut values = terms::Evaluator::new(&graph.terms, &assignment);
                let mut found = false;
                for (index, &condition) in conditions.iter().enumerate() {
                    if open[index] && values.value(condition) != 0 {
                        open[index] = false;
                        found = true;
                    }
                }
                if !found {
                    return None;
                }
            }
        }
    }
    let failing = asserted(&graph).zip(&open).filter(|(_, holds)| !**holds).map(|((_, location), _)| location);
    Some(failing.collect())
}

fn asserted(graph: &EventGraph) -> impl Iterator<Item = (terms::TermId, Location)> + '_ {
    let assertions = graph.violations.iter().filter(|violation| violation.property == Property::Assert);
    assertions.map(|violation| (violation.condition, violation.location))
}
