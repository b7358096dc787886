//! What the theory counts.

use base::Statistics;

/// Work done since the theory was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Direct edges put into the graph, and how many of them Rules 2 and 3 and the lock rule derived.
    pub edges: u64,
    pub derived_edges: u64,
    /// Read-from literals found false because the read must precede the write.
    pub after_read: u64,
    /// Read-from literals found false because another write must lie between.
    pub overwritten: u64,
    /// Read-from literals found false by the interval rule.
    pub interval: u64,
    /// Read-from literals found false because another read-modify-write has the source.
    pub exclusive: u64,
    /// Guards found false.
    pub guards: u64,
    /// Pair literals that took the only direction left.
    pub pair_directions: u64,
    pub decisions: u64,
    pub conflicts: u64,
    /// Clauses given to the solver (reasons and conflicts), and their literals.
    pub clauses: u64,
    pub clause_literals: u64,
    pub model_checks: u64,
    /// Simulations that stuck without and with commitment.
    pub stuck: u64,
    pub stuck_committed: u64,
    pub pair_literals: u64,
}

impl Counters {
    pub fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::new();
        for (name, amount) in [
            ("order edges", self.edges),
            ("order edges derived", self.derived_edges),
            ("order rf false: read before write", self.after_read),
            ("order rf false: overwritten", self.overwritten),
            ("order rf false: interval", self.interval),
            ("order rf false: exclusive", self.exclusive),
            ("order guards false", self.guards),
            ("order pair directions", self.pair_directions),
            ("order decisions", self.decisions),
            ("order conflicts", self.conflicts),
            ("order clauses", self.clauses),
            ("order clause literals", self.clause_literals),
            ("order model checks", self.model_checks),
            ("order simulations stuck", self.stuck),
            ("order simulations stuck with commitment", self.stuck_committed),
            ("order pair literals", self.pair_literals),
        ] {
            statistics.count(name, amount);
        }
        statistics
    }
}
