//! Barriers. A wait is two actions: arriving, and leaving once the thread is not among the arrived any more. The last
//! to arrive empties the set for the next round at once, so a fast thread can arrive in the next round while slow
//! ones have yet to leave the former.
//!
//! Order: each arrival happens before each departure of its round, and before later arrivals at the same barrier.
//! Leaving does not check the barrier: the first to leave may destroy it.

use program::SyncOp;

use crate::action::{Action, Channel, Misuse};
use crate::builder::*;
use crate::errno::{EINVAL, SERIAL_THREAD};
use crate::expression::{Condition, SyncValue};
use crate::object::{Field, ObjectKind};

/// More threads than there can be.
const NEVER_FULL: u64 = 65535;

pub(crate) fn actions() -> Vec<Entry> {
    vec![
        (SyncOp::BarrierInit, init()),
        (SyncOp::BarrierDestroy, destroy()),
        (SyncOp::BarrierArrive, arrive()),
        (SyncOp::BarrierLeave, leave()),
    ]
}

fn new(name: &'static str) -> Action {
    Action::new(name, &[ObjectKind::Barrier])
}

fn nobody_waits() -> Condition {
    this(Field::Arrived).equals(0)
}

/// Counts from here on are refused, as by glibc.
const LIMIT: u64 = (1 << 31) - 1;

fn init() -> Action {
    let count = || SyncValue::Operand(1);
    let refused = || any([count().equals(0), count().below(LIMIT).not()]);
    let mut action = new("init").forbids(THIS, nobody_waits().not(), Misuse::InitialisedInUse).resets();
    action.updates.retain(|update| update.field != Field::Count);
    action = action.sets(Field::Count, choose(count().below(NEVER_FULL), count(), number(NEVER_FULL)));
    for update in &mut action.updates {
        update.value = choose(refused(), this(update.field), update.value.clone());
    }
    action.returns(choose(refused(), number(EINVAL), number(0)))
}

fn destroy() -> Action {
    new("destroy").uses(THIS).forbids(THIS, nobody_waits().not(), Misuse::DestroyedInUse).destroys()
}

/// A barrier has no static initialiser: one that was never given a count is not initialised, whatever its phase.
fn arrive() -> Action {
    let full = || this(Field::ArrivedCount).plus(1).is(this(Field::Count));
    let everybody = || this(Field::Arrived).with_self();
    new("wait")
        .uses(THIS)
        .forbids(THIS, this(Field::Count).equals(0), Misuse::Uninitialised)
        .sets(Field::Arrived, choose(full(), number(0), everybody()))
        .sets(Field::ArrivedCount, choose(full(), number(0), this(Field::ArrivedCount).plus(1)))
        .sets_if(full(), Field::Serial, this(Field::Serial).with_self())
        .acquires(THIS, Condition::True, Channel::Main)
        .releases(THIS, Condition::True, Channel::Main)
        .releases(THIS, full(), Channel::Threads(everybody()))
}

fn leave() -> Action {
    let serial = this(Field::Serial).contains_self();
    new("leave")
        .waits(this(Field::Arrived).contains_self().not(), number(0))
        .sets(Field::Serial, this(Field::Serial).without_self())
        .returns(choose(serial, number(SERIAL_THREAD), number(0)))
        .acquires(THIS, Condition::True, Channel::Threads(only_self()))
}
