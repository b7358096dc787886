//! The engine `scar`: scheduling-constraint abstraction refinement, after Yin, Dong, Liu, Wang (Yogar-CBMC).
//!
//! The solver knows nothing of order. Each of its models becomes an event order graph; if that cannot be ordered, all core
//! kernel reasons of its cycles become clauses of the same solver, and so on until a model can be ordered or there is
//! none left. See [`order::eog`](::order::eog).

use base::{Budget, Statistics};
use order::eog::{Closure, EventOrderGraph, RefinementKind, ValidationOptions, Validator, Verdict};
use order::{Event, EventId, EventKind, OrderGraph};
use solve::{CadicalSolver, Lit, Solver};

use crate::bounded::{self, OrderDecision, Validation};
use crate::engine::{Engine, EngineBug, Job, Observer, Report};

#[derive(Clone, Copy, Debug)]
pub struct Scar;

impl Engine for Scar {
    fn name(&self) -> &'static str {
        "scar"
    }

    fn summary(&self) -> &'static str {
        "bounded checking that leaves order out and refines by kernel reasons of infeasible counterexamples"
    }

    fn check(&self, job: &Job<'_>) -> Result<Report, EngineBug> {
        bounded::check(job, || Refinement::new(job.options.scar_refinement, job.observer))
    }
}

/// The refinement loop's side of one unfolding.
struct Refinement<'a> {
    observer: &'a dyn Observer,
    validator: Validator,
    abstraction_clauses: u64,
    /// Of the last feasible counterexample.
    linearisation: Vec<order::NodeId>,
}

impl<'a> Refinement<'a> {
    fn new(refinement: RefinementKind, observer: &'a dyn Observer) -> Self {
        let options = ValidationOptions { refinement, ..ValidationOptions::default() };
        Self { observer, validator: Validator::new(options), abstraction_clauses: 0, linearisation: Vec::new() }
    }

    fn draw(&self, eog: &EventOrderGraph<'_>) {
        let number = self.validator.counters().counterexamples + 1;
        self.observer.event_order_graph(number, &eog.to_dot(&Closure::new(eog), label));
    }
}

impl OrderDecision for Refinement<'_> {
    /// The abstraction is complete: nothing is said about order.
    fn attach(&mut self, _: &OrderGraph, solver: &mut CadicalSolver) {
        self.abstraction_clauses = solver.statistics().get_count("clauses");
    }

    fn validate(&mut self, graph: &OrderGraph, solver: &CadicalSolver, budget: &Budget) -> Validation {
        // A variable that occurs in no clause has no value of its own; its positive literal decides.
        let truth = |lit: Lit| solver.value(lit.var().positive()) == lit.is_positive();
        let eog = EventOrderGraph::new(graph, truth);
        if self.observer.wants_event_order_graphs() {
            self.draw(&eog);
        }
        match self.validator.validate(&eog, budget) {
            Verdict::Feasible(order) => {
                self.linearisation = order;
                Validation::Feasible
            }
            Verdict::Refuted(clauses) => Validation::Refuted(clauses),
            Verdict::Interrupted(reason) => Validation::Interrupted(reason),
        }
    }

    fn linearisation(&self, _: &OrderGraph, _: &CadicalSolver) -> Vec<order::NodeId> {
        self.linearisation.clone()
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = self.validator.counters().statistics();
        statistics.count("clauses of the abstraction", self.abstraction_clauses);
        statistics
    }
}

fn label(id: EventId, event: &Event) -> String {
    let kind = match event.kind {
        EventKind::Read => "R",
        EventKind::Write => "W",
    };
    format!("{kind} {} ({id})", event.address)
}
