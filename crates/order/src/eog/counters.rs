//! What validation and refinement count; `--stats` prints it.

use std::time::Duration;

use base::Statistics;

/// Work done by a [`Validator`](super::Validator).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValidationCounters {
    /// Counterexamples looked at, and how many of them were refuted.
    pub counterexamples: u64,
    pub refinements: u64,
    /// Refuted by the graph alone, and by constraint solving.
    pub graph_refinements: u64,
    pub core_refinements: u64,
    /// Counterexamples that a simulation ordered.
    pub simulated: u64,
    /// Counterexamples given to the constraint solver.
    pub constraint_validations: u64,
    pub derived_orders: u64,
    /// Clauses learnt, and their literals.
    pub reasons: u64,
    pub reason_literals: u64,
    /// Reasons of orders left out, and searches that ended early.
    pub cap_hits: u64,
    pub cut_searches: u64,
    pub closure_time: Duration,
    pub kernel_time: Duration,
    pub simulation_time: Duration,
    pub constraint_time: Duration,
}

impl ValidationCounters {
    pub fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::new();
        for (name, amount) in [
            ("counterexamples of the abstraction", self.counterexamples),
            ("refinements", self.refinements),
            ("refinements by graph", self.graph_refinements),
            ("refinements by core", self.core_refinements),
            ("graphs ordered by simulation", self.simulated),
            ("constraint-based validations", self.constraint_validations),
            ("derived orders", self.derived_orders),
            ("added clauses", self.reasons),
            ("added literals", self.reason_literals),
            ("reasons of orders capped", self.cap_hits),
            ("kernel searches cut", self.cut_searches),
        ] {
            statistics.count(name, amount);
        }
        for (name, amount) in [
            ("graph time: rules", self.closure_time),
            ("graph time: kernel reasons", self.kernel_time),
            ("graph time: simulation", self.simulation_time),
            ("constraint-based validation time", self.constraint_time),
        ] {
            statistics.time(name, amount);
        }
        statistics
    }
}
