//! Which candidate invariants of an unfolding with loops in any round hold (Flanagan and Leino's Houdini, FME 2001): all are assumed
//! at first; one that fails somewhere under the assumption of all others is dropped, until none fails.

use base::Budget;
use events::EventGraph;
use solve::{Lit, SolveResult};
use terms::TermId;

use crate::query::{OrderDecision, Query};

/// The literals that assume the candidates which hold together. Empty if the budget ends first.
pub fn invariants<D: OrderDecision>(query: &mut Query<'_, EventGraph, D>, budget: &Budget) -> Vec<Lit> {
    let mut open: Vec<Open> = Vec::new();
    for index in 0..query.graph().candidates.len() {
        let graph = query.graph_mut();
        let candidate = &graph.candidates[index];
        let (assumed, failures) = (candidate.assumed, candidate.failures.clone());
        let fails = graph.terms.or_all(&failures);
        if graph.terms.as_boolean(fails) == Some(true) {
            continue;
        }
        open.push(Open { fails, literal: query.literal(fails), assumed: query.literal(assumed) });
    }
    while !open.is_empty() {
        let some_fails = query.one_of(open.iter().map(|one| one.literal));
        let assumptions: Vec<Lit> = [some_fails].into_iter().chain(open.iter().map(|one| one.assumed)).collect();
        match query.ask(&assumptions, budget) {
            SolveResult::Unsatisfiable => break,
            SolveResult::Interrupted(_) => return Vec::new(),
            SolveResult::Satisfiable => {
                let model = query.model();
                let mut values = terms::Evaluator::new(&query.graph().terms, &model);
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
