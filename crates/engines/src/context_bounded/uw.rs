//! The engine `uw` (section 3.4 of the paper): under-approximation and widening. The formula of `record` with a control
//! literal for each thread and effective step; all but those of the first interleaving are assumed to be off. A model
//! is a violation. A refutation that uses no control literal is a proof; otherwise the literals that it uses are let
//! go, and the question is asked again.
//!
//! Difference from the paper: the control literal of `ts_i = j` is that guard itself, assumed false.

use base::statistics::stage;
use base::{Budget, Statistics};
use execute::Code;
use program::PropertySet;
use solve::{Lit, SolveResult, Solver};
use tree::TreeOptions;

use super::Walked;
use super::record::{Formula, RecordedTree};

pub(super) fn walk(code: &Code<'_>, properties: PropertySet, options: &TreeOptions, budget: &Budget) -> Walked {
    let mut statistics = Statistics::new();
    let mut tree = RecordedTree::walk(code, properties, options, budget, &mut statistics);
    let mut formula = statistics.timed(stage::ENCODING, || tree.formula());
    let mut off = all_but_first(&formula);
    let answer = loop {
        let assumptions: Vec<Lit> = [formula.goal].into_iter().chain(off.iter().copied()).collect();
        let solver = &mut formula.solver;
        let answer = statistics.timed(stage::SOLVING, || solver.solve(&assumptions, budget));
        statistics.count("iterations", 1);
        if answer != SolveResult::Unsatisfiable || !off.iter().any(|&lit| solver.in_core(lit)) {
            break answer;
        }
        off.retain(|&lit| !solver.in_core(lit));
    };
    tree.finish(answer, &formula, statistics)
}

/// The first interleaving schedules, at each step, the thread that was met there first.
fn all_but_first(formula: &Formula) -> Vec<Lit> {
    let others = formula.selections.iter().flat_map(|step| step.iter().skip(1));
    others.map(|&guard| !guard).collect()
}
