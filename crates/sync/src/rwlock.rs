//! Read-write locks. A thread may hold several read locks: `Readers2 Readers1 Readers0`, bit by bit, is each thread's
//! number of them. Nobody is preferred. A thread that asks for a lock that conflicts with one of its own counts as blocked.
//! A lock knows who writes: such a thread may be told EDEADLK, too, which POSIX leaves open and glibc does.

use program::SyncOp;

use crate::action::{Action, Channel, Misuse};
use crate::builder::*;
use crate::errno::{EBUSY, EDEADLK, ETIMEDOUT};
use crate::expression::{Condition, SyncValue};
use crate::object::{Field, ObjectKind};

const DIGITS: [Field; 3] = [Field::Readers0, Field::Readers1, Field::Readers2];
const READ_LIMIT: &str = "a thread holds more than 7 read locks of one rwlock";

pub(crate) fn actions() -> Vec<Entry> {
    vec![
        (SyncOp::RwlockInit, new("init").forbids(THIS, at_rest().not(), Misuse::InitialisedInUse).resets()),
        (SyncOp::RwlockDestroy, destroy()),
        (SyncOp::RwlockReadLock, read_lock("rdlock").blocks_unless(unowned(THIS), this(Field::Owner).owner_set())),
        (SyncOp::RwlockTryReadLock, read_lock("tryrdlock").fails_unless(unowned(THIS), number(EBUSY))),
        (SyncOp::RwlockTimedReadLock, read_lock("timedrdlock").fails_unless(unowned(THIS), timed_failure())),
        (SyncOp::RwlockWriteLock, write_lock("wrlock").blocks_unless(at_rest(), holders())),
        (SyncOp::RwlockTryWriteLock, write_lock("trywrlock").fails_unless(at_rest(), number(EBUSY))),
        (SyncOp::RwlockTimedWriteLock, write_lock("timedwrlock").fails_unless(at_rest(), timed_failure())),
        (SyncOp::RwlockUnlock, unlock()),
    ]
}

fn new(name: &'static str) -> Action {
    Action::new(name, &[ObjectKind::Rwlock])
}

fn readers() -> SyncValue {
    this(Field::Readers0).union(this(Field::Readers1)).union(this(Field::Readers2))
}

fn holders() -> SyncValue {
    this(Field::Owner).owner_set().union(readers())
}

fn at_rest() -> Condition {
    all([unowned(THIS), readers().equals(0)])
}

fn digit(field: Field) -> Condition {
    this(field).contains_self()
}

fn destroy() -> Action {
    new("destroy").uses(THIS).forbids(THIS, at_rest().not(), Misuse::DestroyedInUse).destroys()
}

/// What keeps a thread from the lock: it writes itself, or others are too slow.
fn timed_failure() -> SyncValue {
    choose(owned_by_self(THIS), number(EDEADLK), number(ETIMEDOUT))
}

/// Adds 1 to the thread's number of read locks.
fn read_lock(name: &'static str) -> Action {
    let [low, middle, high] = DIGITS;
    new(name)
        .limited(all([unowned(THIS), digit(low), digit(middle), digit(high)]), READ_LIMIT)
        .uses(THIS)
        .flips_if(Condition::True, low)
        .flips_if(digit(low), middle)
        .flips_if(all([digit(low), digit(middle)]), high)
        .acquires(THIS, Condition::True, Channel::Main)
}

fn write_lock(name: &'static str) -> Action {
    new(name)
        .uses(THIS)
        .sets(Field::Owner, SyncValue::SelfAsOwner)
        .acquires(THIS, Condition::True, Channel::Main)
        .acquires(THIS, Condition::True, Channel::Readers)
}

/// Gives up the write lock, else subtracts 1 from the number of read locks; nothing where the thread holds none.
fn unlock() -> Action {
    let [low, middle, high] = DIGITS;
    let reading = || all([owned_by_self(THIS).not(), readers().contains_self()]);
    new("unlock")
        .uses(THIS)
        .forbids(THIS, holders().contains_self().not(), Misuse::NotHeld)
        .sets_if(owned_by_self(THIS), Field::Owner, number(0))
        .flips_if(reading(), low)
        .flips_if(all([reading(), digit(low).not()]), middle)
        .flips_if(all([reading(), digit(low).not(), digit(middle).not()]), high)
        .releases(THIS, owned_by_self(THIS), Channel::Main)
        .releases(THIS, reading(), Channel::Readers)
}

impl Action {
    /// Moves the executing thread into or out of a set if `when`.
    fn flips_if(self, when: Condition, name: Field) -> Action {
        let flipped = choose(digit(name), this(name).without_self(), this(name).with_self());
        self.sets_if(when, name, flipped)
    }

    /// Makes a locking action that waits for `owners` until it can be done. Who writes itself waits for ever, or is told so.
    fn blocks_unless(self, possible: Condition, owners: SyncValue) -> Action {
        let enabled = any([possible.clone(), owned_by_self(THIS)]);
        self.fails_unless(owned_by_self(THIS).not(), number(EDEADLK)).waits(enabled, owners).goes_on_if(possible)
    }

    /// Makes a locking action that does nothing but return `error` unless it can be done.
    fn fails_unless(mut self, possible: Condition, error: SyncValue) -> Action {
        for update in &mut self.updates {
            update.value = choose(possible.clone(), update.value.clone(), this(update.field));
        }
        for edge in &mut self.acquires {
            edge.when = possible.clone();
        }
        self.returns(choose(possible, number(0), error))
    }
}
