//! The table of all actions.

use std::sync::LazyLock;

use program::SyncOp;

use crate::action::Action;
use crate::{barrier, condition_variable, mutex, once, rwlock, semaphore, spin};

/// What `op` means.
pub fn action(op: SyncOp) -> &'static Action {
    static TABLE: LazyLock<Vec<Action>> = LazyLock::new(table);
    &TABLE[op as usize]
}

fn table() -> Vec<Action> {
    let mut entries = [
        mutex::actions(),
        rwlock::actions(),
        spin::actions(),
        condition_variable::actions(),
        barrier::actions(),
        semaphore::actions(),
        once::actions(),
    ]
    .concat();
    entries.sort_by_key(|&(op, _)| op);
    let position_is_number = entries.iter().enumerate().all(|(index, &(op, _))| op as usize == index);
    assert!(position_is_number && entries.len() == SyncOp::ALL.len(), "every operation should have one action");
    entries.into_iter().map(|(_, action)| action).collect()
}
