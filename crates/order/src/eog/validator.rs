//! One counterexample in, an order or refinement clauses out: the lower half of Figure 1 of the Yogar-CBMC paper.

use std::time::{Duration, Instant};

use base::{Budget, StopReason};
use serde::{Deserialize, Serialize};
use solve::Lit;

use super::closure::Closure;
use super::constraint_based::{ConstraintVerdict, constraint_based};
use super::counters::ValidationCounters;
use super::event_order_graph::EventOrderGraph;
use super::kernel_search::{KernelSearchOptions, core_kernel_reasons};
use super::simulation::simulate;
use crate::graph::NodeId;

/// How counterexamples are refuted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefinementKind {
    /// By rules and kernel reasons; by constraint solving only where the graph is not sure.
    #[default]
    Graph,
    /// By constraint solving and one unsatisfiable core alone: what the paper calls SAT-CEGAR and compares with.
    Core,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ValidationOptions {
    pub refinement: RefinementKind,
    pub kernel: KernelSearchOptions,
}

/// What becomes of a counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EogVerdict {
    /// The executed nodes in a sequentially consistent order.
    Feasible(Vec<NodeId>),
    /// Clauses that hold in every execution and are all false in the counterexample; at least one.
    Refuted(Vec<Vec<Lit>>),
    Interrupted(StopReason),
}

/// Validates counterexample after counterexample, and counts.
#[derive(Clone, Debug, Default)]
pub struct Validator {
    options: ValidationOptions,
    counters: ValidationCounters,
}

impl Validator {
    pub fn new(options: ValidationOptions) -> Self {
        Self { options, counters: ValidationCounters::default() }
    }

    pub fn counters(&self) -> &ValidationCounters {
        &self.counters
    }

    pub fn validate(&mut self, eog: &EventOrderGraph<'_>, budget: &Budget) -> EogVerdict {
        self.counters.counterexamples += 1;
        if let Err(reason) = budget.check() {
            return EogVerdict::Interrupted(reason);
        }
        match self.options.refinement {
            RefinementKind::Graph => self.validate_graph(eog, budget),
            RefinementKind::Core => self.validate_constraints(eog, budget),
        }
    }

    fn validate_graph(&mut self, eog: &EventOrderGraph<'_>, budget: &Budget) -> EogVerdict {
        let mut closure = timed(&mut self.counters.closure_time, || Closure::new(eog));
        self.counters.derived_orders += closure.derived.len() as u64;
        if closure.is_cyclic() {
            return self.refine(&closure, budget);
        }
        if let Some(order) = timed(&mut self.counters.simulation_time, || simulate(&mut closure)) {
            self.counters.simulated += 1;
            return EogVerdict::Feasible(order);
        }
        self.validate_constraints(eog, budget)
    }

    fn refine(&mut self, closure: &Closure<'_>, budget: &Budget) -> EogVerdict {
        let options = self.options.kernel;
        let kernel = match timed(&mut self.counters.kernel_time, || core_kernel_reasons(closure, options, budget)) {
            Ok(kernel) => kernel,
            Err(reason) => return EogVerdict::Interrupted(reason),
        };
        self.counters.graph_refinements += 1;
        self.counters.cap_hits += kernel.cap_hits;
        self.counters.cut_searches += u64::from(kernel.cut);
        self.refuted(kernel.reasons)
    }

    fn validate_constraints(&mut self, eog: &EventOrderGraph<'_>, budget: &Budget) -> EogVerdict {
        self.counters.constraint_validations += 1;
        match timed(&mut self.counters.constraint_time, || constraint_based(eog, budget)) {
            ConstraintVerdict::Feasible(order) => EogVerdict::Feasible(order),
            ConstraintVerdict::Interrupted(reason) => EogVerdict::Interrupted(reason),
            ConstraintVerdict::Infeasible(core) => {
                self.counters.core_refinements += 1;
                self.refuted(vec![core])
            }
        }
    }

    fn refuted(&mut self, reasons: Vec<Vec<Lit>>) -> EogVerdict {
        assert!(!reasons.is_empty(), "an infeasible counterexample should have a reason");
        self.counters.refinements += 1;
        self.counters.reasons += reasons.len() as u64;
        self.counters.reason_literals += reasons.iter().map(|reason| reason.len() as u64).sum::<u64>();
        EogVerdict::Refuted(reasons.into_iter().map(|reason| reason.into_iter().map(|lit| !lit).collect()).collect())
    }
}

fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed();
    result
}
