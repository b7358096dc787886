//! Deadlock freedom by static analysis: crate `statics` either finds an order of all locks and ends of threads, which is a
//! proof without bounds, or says nothing.

use base::statistics::stage;
use base::{Budget, Statistics};
use program::Program;

/// Whether no execution of the program can deadlock, for certain.
pub fn are_excluded(program: &Program, budget: &Budget, statistics: &mut Statistics) -> bool {
    let order = statistics.timed(stage::SURVEYING, || statics::lock_order(program, budget));
    order.is_ok_and(|order| order.excludes_deadlock())
}
