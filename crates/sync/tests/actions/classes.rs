//! The classes of operations against lists by name: what each operation is, written down once more by hand.

use program::SyncOp;
use program::SyncOp::*;
use sync::{
    Blocking, Call, Condition, Field, LockEffect, Mode, ObjectKind, OpClass, SyncState, SyncValue, Word, class,
};

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
    assert_same(all(|class| class.waits == Blocking::Always), vec![CondWaitEnd, CondSignalledWaitEnd]);
    let may =
        vec![MutexLock, RwlockReadLock, RwlockWriteLock, SpinLock, CondTimedWaitEnd, BarrierLeave, SemWait, OnceBegin];
    assert_same(all(|class| class.waits == Blocking::May), may);
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

/// What evaluation finds, the expressions of the action admit: the result depends on what others write to an object that the
/// operation does not certainly acquire. They admit one more: whether a timed wait was signalled is told by its result, but
/// then it has acquired what the signal released.
#[test]
fn what_is_evaluated_is_what_expressions_admit() {
    let mut expected = all(|class| class.reveals_without_ordering);
    expected.push(CondTimedWaitEnd);
    let admits = |&op: &SyncOp| {
        let action = sync::action(op);
        let acquires =
            |object: usize| action.acquires.iter().any(|edge| edge.object == object && edge.when == Condition::True);
        class(op).resets || foreign_objects(&action.result).into_iter().any(|object| !acquires(object))
    };
    assert_same(SyncOp::ALL.into_iter().filter(admits).collect(), expected);
}

/// The objects with fields that other threads may write and that the value depends on. Whether the executing thread is the
/// owner of an object depends on that thread alone, and the kind of an object on its initialisation.
fn foreign_objects(value: &SyncValue) -> Vec<usize> {
    match value {
        SyncValue::Field { field: Field::Kind, .. } => Vec::new(),
        SyncValue::Field { object, .. } => vec![*object],
        SyncValue::Const(_)
        | SyncValue::Thread
        | SyncValue::SelfAsOwner
        | SyncValue::Operand(_)
        | SyncValue::Address(_)
        | SyncValue::Choice => Vec::new(),
        SyncValue::Add(left, right)
        | SyncValue::Sub(left, right)
        | SyncValue::With(left, right)
        | SyncValue::Without(left, right)
        | SyncValue::Union(left, right) => [foreign_objects(left), foreign_objects(right)].concat(),
        SyncValue::OwnerSet(owner) => foreign_objects(owner),
        SyncValue::If(_, then, otherwise) if then == otherwise => foreign_objects(then),
        SyncValue::If(condition, then, otherwise) => {
            [foreign_objects_of_condition(condition), foreign_objects(then), foreign_objects(otherwise)].concat()
        }
    }
}

fn foreign_objects_of_condition(condition: &Condition) -> Vec<usize> {
    match condition {
        Condition::True => Vec::new(),
        Condition::Equal(SyncValue::Field { field: Field::Owner, .. }, SyncValue::SelfAsOwner) => Vec::new(),
        Condition::Equal(left, right) | Condition::Less(left, right) | Condition::Contains(left, right) => {
            [foreign_objects(left), foreign_objects(right)].concat()
        }
        Condition::Not(inner) => foreign_objects_of_condition(inner),
        Condition::And(parts) | Condition::Or(parts) => parts.iter().flat_map(foreign_objects_of_condition).collect(),
    }
}

#[test]
fn only_asking_for_a_value_never_writes() {
    let never = |op: &SyncOp| sync::writes(*op).iter().all(Option::is_none);
    assert_same(SyncOp::ALL.into_iter().filter(never).collect(), vec![SemGetValue]);
}

#[test]
fn some_operations_write_whatever_they_find() {
    let always = |op: &SyncOp| !class(*op).resets && sync::writes(*op)[0] == Some(Condition::True);
    let expected = vec![
        SpinLock,
        SpinUnlock,
        CondWaitEnd,
        CondTimedWaitEnd,
        CondSignal,
        CondBroadcast,
        BarrierArrive,
        BarrierLeave,
        OnceEnd,
    ];
    assert_same(SyncOp::ALL.into_iter().filter(always).collect(), expected);
}

#[test]
fn what_fails_does_not_write() {
    let call = Call { thread: 1, operands: &[0; 2] };
    let held = |kind: ObjectKind| {
        let mut state = SyncState::initialised(kind);
        state.set(Field::Owner, Word::number(sync::owner_code(2)));
        [state]
    };
    for (op, kind) in [
        (MutexTryLock, ObjectKind::Mutex),
        (MutexTimedLock, ObjectKind::Mutex),
        (RwlockTryReadLock, ObjectKind::Rwlock),
        (RwlockTryWriteLock, ObjectKind::Rwlock),
        (SpinTryLock, ObjectKind::Spin),
    ] {
        assert!(!sync::writes_to(op, 0, &held(kind), &call), "{op:?} of what another thread holds");
        assert!(sync::writes_to(op, 0, &[SyncState::initialised(kind)], &call), "{op:?} of what is free");
    }
    let empty = [SyncState::initialised(ObjectKind::Semaphore)];
    assert!(!sync::writes_to(SemTryWait, 0, &empty, &call));
    assert!(sync::writes_to(SemPost, 0, &empty, &call));
}
