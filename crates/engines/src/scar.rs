//! The engine `scar`: scheduling-constraint abstraction refinement, after Yin, Dong, Liu, Wang (Yogar-CBMC).
//!
//! The solver knows nothing of order. Each of its models becomes an event order graph; if that cannot be ordered, all core
//! kernel reasons of its cycles become clauses of the same solver, and so on until a model can be ordered or there is
//! none left. See [`order::eog`](::order::eog).

use base::{Budget, Statistics};
use events::{EventGraph, Goal};
use order::OrderGraph;
use order::eog::{Closure, EogVerdict, EventOrderGraph, RefinementKind, ValidationOptions, Validator};
use program::{PropertySet, VerdictArgument};
use solve::{CadicalSolver, Lit, Solver};
use unfold::Optimisations;

use crate::bounded::{self, BoundedRun};
use crate::engine::{Engine, EogDrawing, Job, Run};
use crate::event_names::EventNames;
use crate::query::{OrderDecision, Validation};

#[derive(Clone, Copy, Debug, Default)]
pub struct Scar {
    /// How counterexamples of the abstraction are refuted. Default: by graph.
    pub refinement: RefinementKind,
    /// What the unfolding may leave out. Default: all that does not change the answer.
    pub optimisations: Optimisations,
}

impl Scar {
    pub const fn new() -> Self {
        Self { refinement: RefinementKind::Graph, optimisations: Optimisations::ALL }
    }
}

impl Engine for Scar {
    fn name(&self) -> &'static str {
        "scar"
    }

    fn summary(&self) -> &'static str {
        "bounded model checking with scheduling-constraint abstraction refinement"
    }

    fn argument(&self) -> VerdictArgument {
        VerdictArgument::BoundedModelChecking
    }

    fn properties(&self) -> PropertySet {
        bounded::properties()
    }

    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a> {
        let refinement = self.refinement;
        Box::new(BoundedRun::new(job, self.optimisations, move || Refinement::new(job, refinement)))
    }
}

/// The refinement loop's side of one unfolding.
struct Refinement<'a> {
    job: Job<'a>,
    validator: Validator,
    abstraction_clauses: u64,
    /// Only if somebody wants drawings.
    names: EventNames,
    /// Of the last feasible counterexample.
    linearisation: Vec<order::NodeId>,
}

impl<'a> Refinement<'a> {
    fn new(job: Job<'a>, refinement: RefinementKind) -> Self {
        let options = ValidationOptions { refinement, ..ValidationOptions::default() };
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
            EogVerdict::Feasible(order) => {
                self.linearisation = order;
                Validation::Feasible
            }
            EogVerdict::Refuted(clauses) => Validation::Refuted(clauses),
            EogVerdict::Interrupted(reason) => Validation::Interrupted(reason),
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
