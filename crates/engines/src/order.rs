//! The engine `order`: the ordering theory inside the solver decides which events can be ordered while data is being
//! decided. See docs/decisions/0001-ordering-theory.md.

use std::cell::RefCell;
use std::rc::Rc;

use base::Statistics;
use events::Goal;
use order::{OrderGraph, OrderTheory, TheoryOptions};
use program::{PropertySet, VerdictArgument};
use solve::CadicalSolver;
use unfold::Optimisations;

use crate::bounded::{self, BoundedRun};
use crate::engine::{Engine, Job, Run};
use crate::query::OrderDecision;

#[derive(Clone, Copy, Debug, Default)]
pub struct Order {
    /// What the unfolding may leave out. Default: all that does not change the answer.
    pub optimisations: Optimisations,
}

impl Order {
    pub const fn new() -> Self {
        Self { optimisations: Optimisations::ALL }
    }
}

impl Engine for Order {
    fn name(&self) -> &'static str {
        "order"
    }

    fn summary(&self) -> &'static str {
        "bounded model checking with an ordering theory inside the SAT solver"
    }

    fn argument(&self) -> VerdictArgument {
        VerdictArgument::BoundedModelChecking
    }

    fn properties(&self) -> PropertySet {
        bounded::properties()
    }

    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a> {
        Box::new(BoundedRun::new(job, self.optimisations, TheoryDecision::default))
    }
}

#[derive(Default)]
struct TheoryDecision {
    theory: Option<Rc<RefCell<OrderTheory>>>,
}

impl OrderDecision for TheoryDecision {
    fn attach(&mut self, graph: &OrderGraph, goals: &[Goal], solver: &mut CadicalSolver) {
        let theory = OrderTheory::new(graph, TheoryOptions::default());
        let mut theory = theory.expect("an encoded event graph should be well formed");
        for goal in goals {
            theory.seek(goal.lit, goal.violations.clone());
        }
        let theory = Rc::new(RefCell::new(theory));
        solver.attach_theory(theory.clone());
        self.theory = Some(theory);
    }

    fn linearisation(&self, _: &OrderGraph, _: &CadicalSolver) -> Vec<order::NodeId> {
        self.theory.as_ref().map(|theory| theory.borrow().linearisation().to_vec()).unwrap_or_default()
    }

    fn statistics(&self) -> Statistics {
        self.theory.as_ref().map(|theory| theory.borrow().statistics()).unwrap_or_default()
    }
}
