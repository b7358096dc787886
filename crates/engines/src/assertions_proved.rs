//! Which assertions of a program certainly hold, one by one, by the thread-modular unfolding: for whoever has many guesses
//! and wants to keep the true ones.
//!
//! An execution ends where an assertion fails, so those behind it hold only as long as it does. What is returned is
//! therefore what *may* fail while all others hold; without these assertions the program has to be asked again, until
//! none may fail. Guarantee: if none may fail, all hold in every execution.

use base::{Budget, Statistics};
use events::{EventGraph, Goal};
use program::{Analyses, Location, Property, PropertySet};
use solve::{Lit, SolveResult};
use unfold::UnfoldOptions;

use crate::engine::NullObserver;
use crate::houdini;
use crate::query::{NoOrder, Query};

/// The assertions that may fail, by their places. `None` if nothing can be said of any.
pub fn may_fail(analyses: &Analyses<'_>, budget: &Budget, statistics: &mut Statistics) -> Option<Vec<Location>> {
    let options = UnfoldOptions::modular(PropertySet::of(&[Property::Assert]));
    let graph = unfold::unfold(analyses.program, &analyses.get(), &options, budget).ok()?;
    statistics.count("modular proofs tried", 1);
    let (mut query, goals) = Query::about_properties(graph, options.properties, NoOrder, &NullObserver, budget);
    let failing = failing(&mut query, &goals[0], budget);
    statistics.merge(&query.statistics());
    failing
}

fn failing(query: &mut Query<'_, EventGraph, NoOrder>, goal: &Goal, budget: &Budget) -> Option<Vec<Location>> {
    let mut assumed = houdini::invariants(query, budget);
    assumed.push(goal.lit);
    let conditions: Vec<_> = asserted(query.graph()).map(|(condition, _)| condition).collect();
    let mut open = vec![true; conditions.len()];
    // Whatever is left of the goal when every open assertion holds is a way out of the unfolding.
    loop {
        let holding: Vec<Lit> =
            (0..open.len()).filter(|&index| !open[index]).map(|index| !goal.violations[index]).collect();
        let assumptions: Vec<Lit> = assumed.iter().copied().chain(holding).collect();
        match query.ask(&assumptions, budget) {
            SolveResult::Unsatisfiable => break,
            SolveResult::Interrupted(_) => return None,
            SolveResult::Satisfiable => {
                let model = query.model();
                let mut values = terms::Evaluator::new(&query.graph().terms, &model);
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
    let failing = asserted(query.graph()).zip(&open).filter(|(_, holds)| !**holds).map(|((_, location), _)| location);
    Some(failing.collect())
}

fn asserted(graph: &EventGraph) -> impl Iterator<Item = (terms::TermId, Location)> + '_ {
    let assertions = graph.violations.iter().filter(|violation| violation.property == Property::Assert);
    assertions.map(|violation| (violation.condition, violation.location))
}
