//! Spin locks: mutexes without kinds. Waiting for one counts as blocked, not as running.

use program::SyncOp;

use crate::action::{Action, Channel, Misuse};
use crate::builder::*;
use crate::errno::EBUSY;
use crate::expression::{Condition, SyncValue};
use crate::object::{Field, ObjectKind};

pub(crate) fn actions() -> Vec<Entry> {
    vec![
        (SyncOp::SpinInit, new("init").forbids(THIS, unowned(THIS).not(), Misuse::InitialisedInUse).resets()),
        (SyncOp::SpinDestroy, destroy()),
        (SyncOp::SpinLock, lock()),
        (SyncOp::SpinTryLock, try_lock()),
        (SyncOp::SpinUnlock, unlock()),
    ]
}

fn new(name: &'static str) -> Action {
    Action::new(name, &[ObjectKind::Spin])
}

fn destroy() -> Action {
    new("destroy").uses(THIS).forbids(THIS, unowned(THIS).not(), Misuse::DestroyedInUse).destroys()
}

fn lock() -> Action {
    new("lock")
        .uses(THIS)
        .waits(unowned(THIS), this(Field::Owner).owner_set())
        .sets(Field::Owner, SyncValue::SelfAsOwner)
        .acquires(THIS, Condition::True, Channel::Main)
}

fn try_lock() -> Action {
    new("trylock")
        .uses(THIS)
        .sets_if(unowned(THIS), Field::Owner, SyncValue::SelfAsOwner)
        .returns(choose(unowned(THIS), number(0), number(EBUSY)))
        .acquires(THIS, unowned(THIS), Channel::Main)
}

fn unlock() -> Action {
    new("unlock")
        .uses(THIS)
        .forbids(THIS, owned_by_self(THIS).not(), Misuse::NotHeld)
        .sets(Field::Owner, number(0))
        .releases(THIS, Condition::True, Channel::Main)
}
