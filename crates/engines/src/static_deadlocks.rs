//! Deadlock freedom by static analysis: crate `statics` either finds an order of all locks and ends of threads, which is a
//! proof without bounds, or says nothing.

use base::statistics::stage;
use base::{Budget, Statistics};
use program::{Analyses, Argument, Property, PropertySet};

use crate::engine::{Engine, EngineBug, Job, Report};
use crate::prover;

/// Whether no execution of the program can deadlock, for certain.
pub fn are_excluded(analyses: &Analyses<'_>, budget: &Budget, statistics: &mut Statistics) -> bool {
    let order = statistics.timed(stage::SURVEYING, || {
        analyses.get_or_try("lock order analyses", || statics::lock_order(analyses.program, budget))
    });
    order.is_ok_and(|order| order.excludes_deadlock())
}

/// The order of locks as an engine.
pub struct LockOrder;

impl Engine for LockOrder {
    fn name(&self) -> &'static str {
        "lock-order"
    }

    fn summary(&self) -> &'static str {
        "proves no-deadlock by an order of all locks and ends of threads"
    }

    fn argument(&self) -> Argument {
        Argument::LockOrder
    }

    fn check(&self, job: &Job<'_>) -> Result<Report, EngineBug> {
        let mut statistics = Statistics::new();
        let asked = job.properties.contains(Property::NoDeadlock);
        let excluded = asked && are_excluded(job.analyses, job.budget, &mut statistics);
        let known = PropertySet::of(&[Property::NoDeadlock]);
        Ok(prover::report(self, job, known, |_| excluded.then(|| self.provenance()), statistics))
    }
}
