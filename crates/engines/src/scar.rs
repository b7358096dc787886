//! The engine `scar`: scheduling-constraint abstraction refinement, after Yin, Dong, Liu, Wang (Yogar-CBMC).
//!
//! The solver knows nothing of order. Each of its models becomes an event order graph; if that cannot be ordered, all core
//! kernel reasons of its cycles become clauses of the same solver, and so on until a model can be ordered or there is
//! none left. See [`order::eog`](::order::eog).

use base::{Budget, Statistics};
use events::{EventGraph, Goal};
use order::OrderGraph;
use order::eog::{Closure, EventOrderGraph, ValidationOptions, Validator, Verdict};
use program::Argument;
use solve::{CadicalSolver, Lit, Solver};

use crate::bounded::{self, OrderDecision, Validation};
use crate::engine::{Engine, EngineBug, EogDrawing, Job, Report};
use crate::event_names::EventNames;

#[derive(Clone, Copy, Debug)]
pub struct Scar;

impl Engine for Scar {
    fn name(&self) -> &'static str {
        "scar"
    }

    fn summary(&self) -> &'static str {
        "bounded checking that leaves order out and refines by kernel reasons of infeasible counterexamples"
    }

    fn argument(&self) -> Argument {
        Argument::BoundedModelChecking
    }

    fn check(&self, job: &Job<'_>) -> Result<Report, EngineBug> {
        bounded::check(self, job, || Refinement::new(job))
    }
}

/// The refinement loop's side of one unfolding.
struct Refinement<'a> {
    job: &'a Job<'a>,
    validator: Validator,
    abstraction_clauses: u64,
    /// Only if somebody wants drawings.
    names: EventNames,
    /// Of the last feasible counterexample.
    linearisation: Vec<order::NodeId>,
}

impl<'a> Refinement<'a> {
    fn new(job: &'a Job<'a>) -> Self {
        let options = ValidationOptions { refinement: job.options.scar_refinement, ..ValidationOptions::default() };
        let validator = Validator::new(options);
        Self { job, validator, abstraction_clauses: 0, names: EventNames::default(), linearisation: Vec::new() }
    }

    fn draw(&self, eog: &EventOrderGraph<'_>) {
        let closure = Closure::new(eog);
        self.job.observer.event_order_graph(&EogDrawing {
            round: self.validator.counters().counterexamples + 1,
            dot: eog.to_dot(&closure, &self.names),
            text: eog.to_text(&closure, &self.names),
        });
    }
}

impl OrderDecision for Refinement<'_> {
    fn meet(&mut self, graph: &EventGraph) {
        if self.job.observer.wants_event_order_graphs() {
            self.names = EventNames::new(graph, self.job.program());
        }
    }

    /// The abstraction is complete: nothing is said about order.
    fn attach(&mut self, _: &OrderGraph, _: &[Goal], solver: &mut CadicalSolver) {
        self.abstraction_clauses = solver.statistics().get_count("clauses");
    }

    fn validate(&mut self, graph: &OrderGraph, solver: &CadicalSolver, budget: &Budget) -> Validation {
        // A variable that occurs in no clause has no value of its own; its positive literal decides.
        let truth = |lit: Lit| solver.value(lit.var().positive()) == lit.is_positive();
        let eog = EventOrderGraph::new(graph, truth);
        if self.job.observer.wants_event_order_graphs() {
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
