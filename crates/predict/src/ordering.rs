//! How the order of events is decided.

use std::cell::RefCell;
use std::rc::Rc;

use base::Statistics;
use engines::OrderDecision;
use order::{ClockEncoding, ContextClocks, NodeId, OrderGraph, OrderTheory, TheoryOptions};
use solve::{CadicalSolver, Lit, Solver};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ordering {
    /// By the ordering theory inside the solver.
    #[default]
    Theory,
    /// By a clock for each event, in clauses: for comparison.
    Clocks,
    /// By the theory, and by clocks that count context switches up to this number (§6 of the paper).
    Contexts(u32),
}

/// What decides the order in one solver.
pub struct Decider {
    ordering: Ordering,
    theory: Option<Rc<RefCell<OrderTheory>>>,
    clocks: Option<ClockEncoding>,
    contexts: Option<ContextClocks>,
}

impl Decider {
    pub fn new(ordering: Ordering) -> Self {
        Self { ordering, theory: None, clocks: None, contexts: None }
    }

    /// The literal that says that there are no more contexts than allowed, if there is such a bound.
    pub fn bound(&self) -> Option<Lit> {
        self.contexts.as_ref().map(|contexts| contexts.bounded)
    }
}

impl OrderDecision for Decider {
    fn attach(&mut self, graph: &OrderGraph, _: &[events::Goal], solver: &mut CadicalSolver) {
        if self.ordering == Ordering::Clocks {
            let clocks = ClockEncoding::encode(graph, solver);
            self.clocks = Some(clocks.expect("an encoded event graph should be well formed"));
            return;
        }
        if let Ordering::Contexts(bound) = self.ordering {
            self.contexts = Some(ContextClocks::encode(graph, bound, solver));
        }
        let theory = OrderTheory::new(graph, TheoryOptions::default());
        let theory = Rc::new(RefCell::new(theory.expect("an encoded event graph should be well formed")));
        solver.attach_theory(theory.clone());
        self.theory = Some(theory);
    }

    fn linearisation(&self, graph: &OrderGraph, solver: &CadicalSolver) -> Vec<NodeId> {
        let truth = |lit| solver.value(lit);
        match (&self.contexts, &self.clocks, &self.theory) {
            (Some(contexts), _, _) => contexts.linearisation(graph, truth),
            (_, Some(clocks), _) => clocks.linearisation(graph, truth),
            (_, _, Some(theory)) => theory.borrow().linearisation().to_vec(),
            (None, None, None) => Vec::new(),
        }
    }

    fn statistics(&self) -> Statistics {
        self.theory.as_ref().map(|theory| theory.borrow().statistics()).unwrap_or_default()
    }
}
