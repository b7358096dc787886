//! Read-write locks. A thread may hold several read locks: `Readers2 Readers1 Readers0`, bit by bit, is each thread's
//! number of them. Nobody is preferred. A thread that asks for a lock that conflicts with one of its own blocks.

use program::SyncOp;

use crate::action::{Action, Channel, Misuse};
use crate::builder::*;
use crate::errno::{EBUSY, ETIMEDOUT};
use crate::expression::{Condition, Value};
use crate::object::{Field, ObjectKind};

const DIGITS: [Field; 3] = [Field::Readers0, Field::Readers1, Field::Readers2];
const READ_LIMIT: &str = "a thread holds more than 7 read locks of one rwlock";

pub(crate) fn actions() -> Vec<Entry> {
    vec![
        (SyncOp::RwlockInit, new("init").forbids(THIS, at_rest().not(), Misuse::InitialisedInUse).resets()),
        (SyncOp::RwlockDestroy, destroy()),
        (SyncOp::RwlockReadLock, read_lock("rdlock").waits(unowned(THIS), this(Field::Owner).owner_set())),
        (SyncOp::RwlockTryReadLock, read_lock("tryrdlock").fails_unless(unowned(THIS), EBUSY)),
        (SyncOp::RwlockTimedReadLock, read_lock("timedrdlock").fails_unless(unowned(THIS), ETIMEDOUT)),
        (SyncOp::RwlockWriteLock, write_lock("wrlock").waits(at_rest(), holders())),
        (SyncOp::RwlockTryWriteLock, write_lock("trywrlock").fails_unless(at_rest(), EBUSY)),
        (SyncOp::RwlockTimedWriteLock, write_lock("timedwrlock").fails_unless(at_rest(), ETIMEDOUT)),
        (SyncOp::RwlockUnlock, unlock()),
    ]
}

fn new(name: &'static str) -> Action {
    Action::new(name, &[ObjectKind::Rwlock])
}

fn readers() -> Value {
    this(Field::Readers0).union(this(Field::Readers1)).union(this(Field::Readers2))
}

fn holders() -> Value {
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
    new(name).uses(THIS).sets(Field::Owner, Value::SelfAsOwner).acquires(THIS, Condition::True, Channel::Main).acquires(
        THIS,
        Condition::True,
        Channel::Readers,
    )
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

    /// Makes a locking action that does nothing but return `error` unless it can be done.
    fn fails_unless(mut self, possible: Condition, error: u64) -> Action {
        for update in &mut self.updates {
            update.value = choose(possible.clone(), update.value.clone(), this(update.field));
        }
        for edge in &mut self.acquires {
            edge.when = possible.clone();
        }
        self.returns(choose(possible, number(0), number(error)))
    }
}
