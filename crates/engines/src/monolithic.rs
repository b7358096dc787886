//! The engine `monolithic`: every node has a clock, and the whole scheduling constraint stands in one formula. The
//! baseline that the papers compare with, and an independent second opinion.

use base::Statistics;
use events::Goal;
use order::{ClockEncoding, OrderGraph};
use program::{PropertySet, VerdictArgument};
use solve::{CadicalSolver, Solver};
use unfold::Optimisations;

use crate::bounded::{self, BoundedRun};
use crate::engine::{Engine, Job, Run};
use crate::query::OrderDecision;

#[derive(Clone, Copy, Debug, Default)]
pub struct Monolithic {
    /// What the unfolding may leave out. Default: all that does not change the answer.
    pub optimisations: Optimisations,
}

impl Monolithic {
    pub const fn new() -> Self {
        Self { optimisations: Optimisations::ALL }
    }
}

impl Engine for Monolithic {
    fn name(&self) -> &'static str {
        "monolithic"
    }

    fn summary(&self) -> &'static str {
        "bounded model checking with clock variables in one formula (the baseline in the literature)"
    }

    fn argument(&self) -> VerdictArgument {
        VerdictArgument::BoundedModelChecking
    }

    fn properties(&self) -> PropertySet {
        bounded::properties()
    }

    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a> {
        Box::new(BoundedRun::new(job, self.optimisations, ClockDecision::default))
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
