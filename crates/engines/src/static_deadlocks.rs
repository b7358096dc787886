//! Deadlock freedom by static analysis: crate `statics` either finds an order of all locks and ends of threads, which is a
//! proof without bounds, or says nothing.

use base::statistics::stage;
use program::{Property, PropertySet, VerdictArgument};
use statics::GivenUp;

use crate::engine::{Engine, Job, Run};
use crate::prover::OneAttempt;

/// The order of locks as an engine.
pub struct LockOrder;

impl Engine for LockOrder {
    fn name(&self) -> &'static str {
        "lock-order"
    }

    fn summary(&self) -> &'static str {
        "proves no-deadlock by a global order of lock and join operations"
    }

    fn argument(&self) -> VerdictArgument {
        VerdictArgument::LockOrder
    }

    fn properties(&self) -> PropertySet {
        PropertySet::of(&[Property::NoDeadlock])
    }

    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a> {
        OneAttempt::new(move |_, budget, statistics| {
            let analyses = job.analyses;
            let order = statistics.timed(stage::SURVEYING, || {
                analyses.get_or_try("lock order analyses", || statics::lock_order(analyses.program, budget))
            });
            match order {
                Ok(order) => Ok(order.excludes_deadlock().then_some(Property::NoDeadlock).into_iter().collect()),
                Err(GivenUp::Stopped(reason)) => Err(reason),
                Err(_) => Ok(Vec::new()),
            }
        })
    }
}
