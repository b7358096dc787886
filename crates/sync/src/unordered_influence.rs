//! Which operations learn from what other threads did without being ordered after it.
//!
//! An operation is *influenced* by another thread's action if it can be executed afterwards, and either could not be before
//! or returns something else now. The influence is *ordered* if the operation then acquires what the action released.
//! Actions that initialise or destroy count as influences of their own and are left out here. The list is data, because it
//! is needed at every start; a test derives it from the table of actions.

use program::SyncOp;

/// When an operation learns of others without order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Influence {
    /// Only where a counter is at its limit.
    AtLimit,
    Anywhere,
}

/// Whether an operation may learn something without order, and when.
pub(crate) fn of(op: SyncOp) -> Option<Influence> {
    match op {
        SyncOp::MutexTryLock
        | SyncOp::MutexTimedLock
        | SyncOp::RwlockTryReadLock
        | SyncOp::RwlockTimedReadLock
        | SyncOp::RwlockTryWriteLock
        | SyncOp::RwlockTimedWriteLock
        | SyncOp::SpinTryLock
        | SyncOp::SemTryWait
        | SyncOp::SemTimedWait
        | SyncOp::SemGetValue => Some(Influence::Anywhere),
        SyncOp::SemPost => Some(Influence::AtLimit),
        _ => None,
    }
}

#[cfg(test)]
mod search;
