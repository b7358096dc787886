//! Schedule guards (section 3.3 of the paper): `ts_i = j` says that thread j takes the i-th effective step. The formula
//! of a path is the conjunction of its guards and facts; paths share the terms of their common prefix.
//!
//! Difference from the paper: only paths that violate a property are in the formula. The others would be disjuncts
//! that are false.

use program::{Property, Schedule, ThreadId};
use rustc_hash::FxHashMap;
use terms::{Assignment, TermId};
use tree::{FoundViolation, Input, Symbols, TreeStep};

/// The thread-selection variables, one truth value for each thread that some path schedules there.
#[derive(Default)]
pub struct ScheduleGuards {
    selections: FxHashMap<(u32, ThreadId), TermId>,
    /// By effective step: who is scheduled there on some path.
    pub by_step: Vec<Vec<(ThreadId, TermId)>>,
}

impl ScheduleGuards {
    /// `ts_step = thread`.
    pub fn guard(&mut self, symbols: &mut Symbols, step: u32, thread: ThreadId) -> TermId {
        if let Some(&known) = self.selections.get(&(step, thread)) {
            return known;
        }
        let variable = symbols.terms.bool_variable(format!("ts{step} = {}", thread.0));
        self.selections.insert((step, thread), variable);
        if self.by_step.len() <= step as usize {
            self.by_step.resize(step as usize + 1, Vec::new());
        }
        self.by_step[step as usize].push((thread, variable));
        variable
    }
}

/// A path that violates a property.
pub struct ViolatingPath {
    pub property: Property,
    pub formula: TermId,
    steps: Vec<TreeStep>,
    inputs: Vec<Input>,
}

impl ViolatingPath {
    pub fn new(guards: &mut ScheduleGuards, symbols: &mut Symbols, found: &FoundViolation<'_>) -> Self {
        let mut formula = symbols.terms.boolean(true);
        let effective = found.trail.steps().iter().filter(|step| step.effective);
        for (number, step) in (0..).zip(effective) {
            let guard = guards.guard(symbols, number, step.step.thread);
            formula = symbols.terms.and(formula, guard);
        }
        if let Some(last) = found.trail.facts().last() {
            formula = symbols.terms.and(formula, last.conjunction);
        }
        let (steps, inputs) = (found.trail.steps().to_vec(), found.trail.inputs().to_vec());
        Self { property: found.violation.property, formula, steps, inputs }
    }

    pub fn schedule(&self, symbols: &Symbols, assignment: &Assignment) -> Schedule {
        tree::schedule(&self.steps, &self.inputs, &symbols.terms, assignment)
    }
}
