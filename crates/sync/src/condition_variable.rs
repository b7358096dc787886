//! Condition variables. A wait is two actions: `CondWaitBegin` releases the mutex and joins the waiters; the end needs
//! that the mutex is free, and, unless it is spurious, that the thread is no waiter any more. A signal without waiters is
//! lost. The mutex of those who wait is remembered: all of them have to use the same one.
//!
//! The end of a wait does not check the condition variable: it may be destroyed as soon as all waiters are woken. A
//! waiter uses the mutex again only when it is woken.

use program::SyncOp;

use crate::action::{Action, Channel, Choice, Misuse};
use crate::builder::*;
use crate::errno::{EPERM, ETIMEDOUT};
use crate::expression::{Condition, SyncValue};
use crate::mutex::{DEPTH_LIMIT, can_take, is_normal, too_deep};
use crate::object::{Field, ObjectKind};

const MUTEX: usize = 1;

pub(crate) fn actions() -> Vec<Entry> {
    vec![
        (SyncOp::CondInit, new("init").forbids(THIS, no_waiters().not(), Misuse::InitialisedInUse).resets()),
        (SyncOp::CondDestroy, destroy()),
        (SyncOp::CondWaitBegin, wait_begin()),
        (SyncOp::CondWaitEnd, wait_end()),
        (SyncOp::CondSignalledWaitEnd, signalled_wait_end()),
        (SyncOp::CondTimedWaitEnd, unprompted_wait_end(ETIMEDOUT)),
        (SyncOp::CondSignal, signal()),
        (SyncOp::CondBroadcast, broadcast()),
    ]
}

fn new(name: &'static str) -> Action {
    Action::new(name, &[ObjectKind::Cond])
}

fn no_waiters() -> Condition {
    this(Field::Waiters).equals(0)
}

fn waiting() -> Condition {
    this(Field::Waiters).contains_self()
}

fn destroy() -> Action {
    new("destroy").uses(THIS).forbids(THIS, no_waiters().not(), Misuse::DestroyedInUse).destroys()
}

/// A mutex that knows its owner refuses the wait of another thread; then nothing happens, and there is no end of the wait.
fn wait_begin() -> Action {
    let refused = || all([is_normal(MUTEX).not(), owned_by_self(MUTEX).not()]);
    let begun = || refused().not();
    Action::new("wait", &[ObjectKind::Cond, ObjectKind::Mutex])
        .uses(THIS)
        .uses(MUTEX)
        .forbids(MUTEX, owned_by_self(MUTEX).not(), Misuse::WaitWithoutMutex)
        .forbids(THIS, all([begun(), no_waiters().not(), this(Field::Partner).is(partner()).not()]), Misuse::TwoMutexes)
        .sets_if(begun(), Field::Waiters, this(Field::Waiters).with_self())
        .sets_if(begun(), Field::Partner, partner())
        .drops(MUTEX, begun())
        .returns(choose(refused(), number(EPERM), number(0)))
}

/// The mutex that a wait is about.
fn partner() -> SyncValue {
    SyncValue::Address(MUTEX)
}

fn signalled() -> Condition {
    all([waiting().not(), can_take(MUTEX)])
}

/// Whom a waiter waits for: nobody in particular before it is woken.
fn awaited() -> SyncValue {
    choose(waiting(), number(0), field(MUTEX, Field::Owner).owner_set())
}

/// A waiter may wake up without a signal, but without one it counts as blocked.
fn wait_end() -> Action {
    let mut action = unprompted_wait_end(0);
    action.owners = awaited();
    action.goes_on_if(signalled())
}

fn signalled_wait_end() -> Action {
    wakes_up(waiting().not()).waits(signalled(), awaited())
}

/// The end of a wait that needs no signal: `result` tells that none came.
fn unprompted_wait_end(result: u64) -> Action {
    wakes_up(Condition::True)
        .waits(can_take(MUTEX), field(MUTEX, Field::Owner).owner_set())
        .sets(Field::Waiters, this(Field::Waiters).without_self())
        .returns(choose(waiting(), number(result), number(0)))
}

fn wakes_up(uses_mutex: Condition) -> Action {
    Action::new("wake up", &[ObjectKind::Cond, ObjectKind::Mutex])
        .limited(too_deep(MUTEX), DEPTH_LIMIT)
        .uses_if(uses_mutex, MUTEX)
        .takes(MUTEX, Condition::True)
        .acquires(THIS, waiting().not(), Channel::Threads(only_self()))
}

fn signal() -> Action {
    let chosen = number(0).with(SyncValue::Choice);
    new("signal")
        .uses(THIS)
        .chooses(Choice::ThreadOf(this(Field::Waiters)))
        .sets(Field::Waiters, this(Field::Waiters).without(SyncValue::Choice))
        .releases(THIS, no_waiters().not(), Channel::Threads(chosen))
}

fn broadcast() -> Action {
    new("broadcast").uses(THIS).sets(Field::Waiters, number(0)).releases(
        THIS,
        Condition::True,
        Channel::Threads(this(Field::Waiters)),
    )
}
