//! The engine `order`: the ordering theory inside the solver decides which events can be ordered while data is being
//! decided. See docs/decisions/0001-ordering-theory.md.

use std::cell::RefCell;
use std::rc::Rc;

use base::Statistics;
use events::Goal;
use order::{OrderGraph, OrderTheory, TheoryOptions};
use program::Argument;
use solve::CadicalSolver;

use crate::bounded::{self, OrderDecision};
use crate::engine::{Engine, EngineBug, Job, Report};

#[derive(Clone, Copy, Debug)]
pub struct Order;

impl Engine for Order {
    fn name(&self) -> &'static str {
        "order"
    }

    fn summary(&self) -> &'static str {
        "bounded checking with an ordering theory inside the SAT solver"
    }

    fn argument(&self) -> Argument {
        Argument::BoundedModelChecking
    }

    fn check(&self, job: &Job<'_>) -> Result<Report, EngineBug> {
        bounded::check(self, job, TheoryDecision::default)
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
