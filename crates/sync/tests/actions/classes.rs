//! The classes of operations against lists by name: what each operation is, written down once more by hand.

use program::SyncOp;
use program::SyncOp::*;
use sync::{LockEffect, Mode, OpClass, Waits, class};

fn all(holds: impl Fn(&OpClass) -> bool) -> Vec<SyncOp> {
    SyncOp::ALL.into_iter().filter(|&op| holds(class(op))).collect()
}

#[track_caller]
fn assert_same(found: Vec<SyncOp>, mut expected: Vec<SyncOp>) {
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn locks_are_taken_shared_or_alone() {
    let acquires = |mode: Mode, fallible: bool| {
        all(
            |class| matches!(class.lock, Some(LockEffect::Acquire { mode: m, fallible: f, .. }) if m == mode && f == fallible),
        )
    };
    let alone = vec![MutexLock, SpinLock, RwlockWriteLock, CondWaitEnd, CondSignalledWaitEnd, CondTimedWaitEnd];
    assert_same(acquires(Mode::Exclusive, false), alone);
    assert_same(acquires(Mode::Shared, false), vec![RwlockReadLock]);
    let tries = vec![MutexTryLock, MutexTimedLock, SpinTryLock, RwlockTryWriteLock, RwlockTimedWriteLock];
    assert_same(acquires(Mode::Exclusive, true), tries);
    assert_same(acquires(Mode::Shared, true), vec![RwlockTryReadLock, RwlockTimedReadLock]);
}

#[test]
fn only_holders_end_the_holding_of_a_rwlock() {
    let releases = |wanted: bool| {
        all(|class| matches!(class.lock, Some(LockEffect::Release { by_holder_only, .. }) if by_holder_only == wanted))
    };
    assert_same(releases(false), vec![MutexUnlock, SpinUnlock, CondWaitBegin]);
    assert_same(releases(true), vec![RwlockUnlock]);
}

#[test]
fn the_mutex_of_a_wait_is_its_second_operand() {
    for op in SyncOp::ALL {
        let operand = match class(op).lock {
            Some(LockEffect::Acquire { operand, .. } | LockEffect::Release { operand, .. }) => operand,
            None => continue,
        };
        assert_eq!(operand == 1, op.operand_types()[1..].contains(&program::Type::Pointer), "{op:?}");
    }
}

#[test]
fn resets_initialise_or_destroy() {
    let initialises = vec![MutexInit, RwlockInit, SpinInit, CondInit, BarrierInit, SemInit];
    let destroys = vec![MutexDestroy, RwlockDestroy, SpinDestroy, CondDestroy, BarrierDestroy, SemDestroy];
    assert_same(all(|class| class.initialises), initialises.clone());
    assert_same(all(|class| class.destroys), destroys.clone());
    assert_same(all(|class| class.resets), [initialises, destroys].concat());
}

/// Destroying a mutex that is held fails and leaves it held.
#[test]
fn a_held_lock_is_reset_by_all_but_the_destruction_of_a_mutex() {
    let resets = vec![MutexInit, RwlockInit, RwlockDestroy, SpinInit, SpinDestroy];
    assert_same(all(|class| class.resets_held_lock), resets);
}

#[test]
fn timed_operations_have_an_untimed_twin() {
    let twins: Vec<(SyncOp, SyncOp)> =
        SyncOp::ALL.into_iter().map(|op| (op, class(op).untimed)).filter(|(op, twin)| op != twin).collect();
    let expected = vec![
        (MutexTimedLock, MutexLock),
        (RwlockTimedReadLock, RwlockReadLock),
        (RwlockTimedWriteLock, RwlockWriteLock),
        (CondTimedWaitEnd, CondWaitEnd),
        (SemTimedWait, SemWait),
    ];
    assert_eq!(twins, expected);
}

#[test]
fn waits() {
    assert_same(all(|class| class.waits == Waits::Always), vec![CondWaitEnd, CondSignalledWaitEnd]);
    let may =
        vec![MutexLock, RwlockReadLock, RwlockWriteLock, SpinLock, CondTimedWaitEnd, BarrierLeave, SemWait, OnceBegin];
    assert_same(all(|class| class.waits == Waits::May), may);
    let events = vec![
        CondWaitBegin,
        CondWaitEnd,
        CondSignalledWaitEnd,
        CondTimedWaitEnd,
        BarrierArrive,
        BarrierLeave,
        SemWait,
        OnceBegin,
    ];
    assert_same(all(OpClass::waits_for_event), events);
    assert_same(
        all(|class| class.is_completion),
        vec![CondWaitEnd, CondSignalledWaitEnd, CondTimedWaitEnd, BarrierLeave],
    );
    assert_same(all(|class| class.chooses), vec![CondSignal]);
}

/// Operations that fail instead of waiting, that look at a counter, and those that put an object into a new state.
#[test]
fn what_reveals_without_ordering() {
    let tries = vec![
        MutexTryLock,
        MutexTimedLock,
        RwlockTryReadLock,
        RwlockTimedReadLock,
        RwlockTryWriteLock,
        RwlockTimedWriteLock,
        SpinTryLock,
        SemTryWait,
        SemTimedWait,
        SemGetValue,
    ];
    let reveals = all(|class| class.reveals_without_ordering && !class.resets && !class.reveals_only_at_limit);
    assert_same(reveals, tries);
    assert_same(all(|class| class.reveals_only_at_limit), vec![SemPost]);
    assert!(all(|class| class.resets && !class.reveals_without_ordering).is_empty());
}

/// What evaluation finds, the expressions of the action admit.
#[test]
fn what_an_action_says_covers_what_it_reveals() {
    for op in all(|class| class.reveals_without_ordering) {
        assert!(sync::action(op).reveals_without_ordering(), "{op:?}");
    }
}
