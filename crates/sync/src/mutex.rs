//! Mutexes: normal, recursive and errorcheck. Owner 0 when free; only recursive ones count how often they are held, and
//! adaptive mutexes count as normal.

use program::SyncOp;

use crate::action::{Action, Channel, Misuse};
use crate::builder::*;
use crate::errno::{EBUSY, EDEADLK, EPERM, ETIMEDOUT};
use crate::expression::{Condition, SyncValue};
use crate::object::{Field, ObjectKind};

const NORMAL: u64 = 0;
const RECURSIVE: u64 = 1;
const ERRORCHECK: u64 = 2;
const MAX_DEPTH: u64 = 255;
pub(crate) const DEPTH_LIMIT: &str = "a recursive mutex is locked more than 255 times";

pub(crate) fn actions() -> Vec<Entry> {
    vec![
        (SyncOp::MutexInit, init()),
        (SyncOp::MutexDestroy, destroy()),
        (SyncOp::MutexLock, lock()),
        (SyncOp::MutexTryLock, try_lock("trylock", EBUSY, EBUSY)),
        (SyncOp::MutexTimedLock, try_lock("timedlock", EDEADLK, ETIMEDOUT)),
        (SyncOp::MutexUnlock, unlock()),
    ]
}

fn new(name: &'static str) -> Action {
    Action::new(name, &[ObjectKind::Mutex])
}

fn init() -> Action {
    let kind = || SyncValue::Operand(1);
    let known = any([kind().equals(RECURSIVE), kind().equals(ERRORCHECK)]);
    let mut action = new("init").forbids(THIS, unowned(THIS).not(), Misuse::InitialisedInUse).resets();
    action.updates.retain(|update| update.field != Field::Kind);
    action.sets(Field::Kind, choose(known, kind(), number(NORMAL)))
}

/// Like glibc, leaves a held mutex alone and says EBUSY.
fn destroy() -> Action {
    let held = || unowned(THIS).not();
    let mut action = new("destroy").uses(THIS).forbids(THIS, held(), Misuse::DestroyedInUse).destroys();
    for update in &mut action.updates {
        update.value = choose(held(), this(update.field), update.value.clone());
    }
    action.returns(choose(held(), number(EBUSY), number(0)))
}

fn lock() -> Action {
    let relock = || all([this(Field::Kind).equals(ERRORCHECK), owned_by_self(THIS)]);
    new("lock")
        .limited(too_deep(THIS), DEPTH_LIMIT)
        .uses(THIS)
        .waits(any([can_take(THIS), relock()]), this(Field::Owner).owner_set())
        .takes(THIS, relock().not())
        .returns(choose(relock(), number(EDEADLK), number(0)))
}

/// Takes the mutex if that is possible at once; else tells why not: the thread holds it itself and could know, or
/// somebody holds it.
fn try_lock(name: &'static str, own: u64, busy: u64) -> Action {
    let own_errorcheck = all([this(Field::Kind).equals(ERRORCHECK), owned_by_self(THIS)]);
    let failure = choose(own_errorcheck, number(own), number(busy));
    new(name).limited(too_deep(THIS), DEPTH_LIMIT).uses(THIS).takes(THIS, can_take(THIS)).returns(choose(
        can_take(THIS),
        number(0),
        failure,
    ))
}

fn unlock() -> Action {
    let normal = || this(Field::Kind).equals(NORMAL);
    let stranger = || owned_by_self(THIS).not();
    new("unlock")
        .uses(THIS)
        .forbids(THIS, all([normal(), stranger()]), Misuse::NotHeld)
        .drops(THIS, any([normal(), owned_by_self(THIS)]))
        .returns(choose(all([normal().not(), stranger()]), number(EPERM), number(0)))
}

/// Whether the executing thread can lock the mutex now.
pub(crate) fn can_take(mutex: usize) -> Condition {
    any([unowned(mutex), all([is_recursive(mutex), owned_by_self(mutex)])])
}

pub(crate) fn too_deep(mutex: usize) -> Condition {
    all([is_recursive(mutex), can_take(mutex), field(mutex, Field::Depth).equals(MAX_DEPTH)])
}

/// Normal mutexes do not look at who uses them.
pub(crate) fn is_normal(mutex: usize) -> Condition {
    field(mutex, Field::Kind).equals(NORMAL)
}

/// Only these are held more than once, and count how often.
fn is_recursive(mutex: usize) -> Condition {
    field(mutex, Field::Kind).equals(RECURSIVE)
}

impl Action {
    /// Locks the mutex once (more) if `when`, which implies [`can_take`].
    pub(crate) fn takes(self, mutex: usize, when: Condition) -> Action {
        let depth = || field(mutex, Field::Depth);
        let owner = choose(when.clone(), SyncValue::SelfAsOwner, field(mutex, Field::Owner));
        self.sets_of(mutex, Field::Owner, owner)
            .sets_of(mutex, Field::Depth, choose(all([is_recursive(mutex), when.clone()]), depth().plus(1), depth()))
            .acquires(mutex, when, Channel::Main)
    }

    /// Unlocks one level of the mutex if `when`.
    pub(crate) fn drops(self, mutex: usize, when: Condition) -> Action {
        let (depth, owner) = (|| field(mutex, Field::Depth), || field(mutex, Field::Owner));
        let last = || any([is_recursive(mutex).not(), depth().below(2)]);
        let lower = choose(last(), number(0), depth().minus(1));
        let rest = choose(last(), number(0), owner());
        self.sets_of(mutex, Field::Owner, choose(when.clone(), rest, owner()))
            .sets_of(mutex, Field::Depth, choose(all([is_recursive(mutex), when.clone()]), lower, depth()))
            .releases(mutex, when, Channel::Main)
    }
}
