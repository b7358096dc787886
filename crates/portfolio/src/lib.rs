//! Which engines are asked, in which order, about what and for how long: the strategy of every command is a table
//! ([`strategy`]), one driver executes it ([`driver`]), and one ledger replays what engines claim and decides ([`ledger`]).
//!
//! Invariant: knows the engines by their interface only; a violation leaves this crate only after the interpreter has run into
//! it.

pub mod driver;
pub mod ledger;
pub mod strategy;
pub mod task;
pub mod vacuity;

pub use driver::{Check, check, check_alone};
pub use ledger::{Finding, Listener, NullListener, Report};
pub use strategy::Strategy;
pub use task::{Plan, Task, TaskAllowance, TaskAssumption};
