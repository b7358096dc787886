//! The engine `monolithic`: every node has a clock, and the whole scheduling constraint stands in one formula. The
//! baseline that the papers compare with, and an independent second opinion.

use base::Statistics;
use events::Goal;
use order::{ClockEncoding, OrderGraph};
use program::Argument;
use solve::{CadicalSolver, Solver};

use crate::bounded::{self, OrderDecision};
use crate::engine::{Engine, EngineBug, Job, Report};

#[derive(Clone, Copy, Debug)]
pub struct Monolithic;

impl Engine for Monolithic {
    fn name(&self) -> &'static str {
        "monolithic"
    }

    fn summary(&self) -> &'static str {
        "bounded checking with clocks in one formula (the papers' baseline)"
    }

    fn argument(&self) -> Argument {
        Argument::BoundedModelChecking
    }

    fn check(&self, job: &Job<'_>) -> Result<Report, EngineBug> {
        bounded::check(self, job, ClockDecision::default)
    }
}

#[derive(Default)]
struct ClockDecision {
    clocks: Option<ClockEncoding>,
}

impl OrderDecision for ClockDecision {
    fn attach(&mut self, graph: &OrderGraph, _: &[Goal], solver: &mut CadicalSolver) {
        let clocks = ClockEncoding::encode(graph, solver);
        self.clocks = Some(clocks.expect("an encoded event graph should be well formed"));
    }

    fn is_in_clauses(&self) -> bool {
        true
    }

    fn linearisation(&self, graph: &OrderGraph, solver: &CadicalSolver) -> Vec<order::NodeId> {
        let clocks = self.clocks.as_ref().expect("clocks should be attached before solving");
        clocks.linearisation(graph, |lit| solver.value(lit))
    }

    fn statistics(&self) -> Statistics {
        Statistics::new()
    }
}
