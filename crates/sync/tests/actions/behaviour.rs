//! Each action by itself: results, blocking, owners, misuse, limits, order.

use crate::world::{World, explore, on, valued, with};
use program::{DataModel, OwnSizes, SyncLayouts, SyncOp};
use sync::errno::{EAGAIN, EBUSY, EDEADLK, EINVAL, EOVERFLOW, EPERM, ETIMEDOUT};
use sync::{
    Action, Field, Misuse, ObjectKind, Phase, Slot, SyncState, Word, action, initial_state, object_bytes, zeroed,
};

use SyncOp::*;

fn single(kind: ObjectKind) -> World {
    World::new(&[kind], 3)
}

fn mutex(kind: u64) -> World {
    let mut world = single(ObjectKind::Mutex);
    assert_eq!(world.run(0, valued(MutexInit, 0, kind), 0), 0);
    world
}

fn code(error: u64) -> i32 {
    error as i32
}

#[test]
fn normal_mutex() {
    let mut world = mutex(0);
    assert_eq!(world.run(0, on(MutexLock, 0), 0), 0);
    assert!(!world.enabled(1, on(MutexLock, 0)));
    assert_eq!(world.owners(1, on(MutexLock, 0)), 0b1);
    assert!(!world.enabled(0, on(MutexLock, 0)), "relocking waits for itself");
    assert_eq!(world.owners(0, on(MutexLock, 0)), 0b1);
    for thread in 0..2 {
        assert_eq!(world.run(thread, on(MutexTryLock, 0), 0), code(EBUSY));
        assert_eq!(world.run(thread, on(MutexTimedLock, 0), 0), code(ETIMEDOUT));
    }
    assert_eq!(world.objects[0].owner(), Some(0));
    assert_eq!(world.misuse(0, on(MutexUnlock, 0)), None);
    assert_eq!(world.misuse(1, on(MutexUnlock, 0)), Some(Misuse::NotHeld));
    assert_eq!(world.run(0, on(MutexUnlock, 0), 0), 0);
    assert_eq!(world.misuse(0, on(MutexUnlock, 0)), Some(Misuse::NotHeld));
    assert_eq!(world.run(1, on(MutexTimedLock, 0), 0), 0);
    assert_eq!(world.objects[0].owner(), Some(1));
}

#[test]
fn recursive_mutex() {
    let mut world = mutex(1);
    for _ in 0..3 {
        assert_eq!(world.run(0, on(MutexLock, 0), 0), 0);
    }
    assert_eq!(world.run(0, on(MutexTryLock, 0), 0), 0);
    assert_eq!(world.run(1, on(MutexTryLock, 0), 0), code(EBUSY));
    assert_eq!(world.misuse(1, on(MutexUnlock, 0)), None, "the error code tells");
    assert_eq!(world.run(1, on(MutexUnlock, 0), 0), code(EPERM));
    for _ in 0..4 {
        assert_eq!(world.objects[0].owner(), Some(0));
        assert_eq!(world.run(0, on(MutexUnlock, 0), 0), 0);
    }
    assert_eq!(world.objects[0].owner(), None);
    assert_eq!(world.run(0, on(MutexUnlock, 0), 0), code(EPERM));
}

#[test]
fn recursion_has_a_limit_that_is_told() {
    let mut world = mutex(1);
    let limit = |world: &World, op| world.ask(0, on(op, 0), |action, states, call| action.limit(states, call));
    for _ in 0..255 {
        assert_eq!(limit(&world, MutexLock), None);
        world.run(0, on(MutexLock, 0), 0);
    }
    assert!(limit(&world, MutexLock).is_some() && limit(&world, MutexTryLock).is_some());
    let mut world = single(ObjectKind::Rwlock);
    for _ in 0..7 {
        assert_eq!(limit(&world, RwlockReadLock), None);
        world.run(0, on(RwlockReadLock, 0), 0);
    }
    assert!(limit(&world, RwlockReadLock).is_some());
    for _ in 0..7 {
        assert_eq!(world.misuse(0, on(RwlockUnlock, 0)), None);
        world.run(0, on(RwlockUnlock, 0), 0);
    }
    assert_eq!(world.misuse(0, on(RwlockUnlock, 0)), Some(Misuse::NotHeld));
    assert_eq!(world.objects[0], SyncState::initialised(ObjectKind::Rwlock));
}

#[test]
fn errorcheck_mutex() {
    let mut world = mutex(2);
    world.run(0, on(MutexLock, 0), 0);
    assert_eq!(world.run(0, on(MutexLock, 0), 0), code(EDEADLK));
    assert_eq!(world.run(0, on(MutexTimedLock, 0), 0), code(EDEADLK));
    assert_eq!(world.run(0, on(MutexTryLock, 0), 0), code(EBUSY));
    assert!(!world.enabled(1, on(MutexLock, 0)));
    assert_eq!(world.run(1, on(MutexUnlock, 0), 0), code(EPERM));
    assert_eq!(world.run(0, on(MutexUnlock, 0), 0), 0);
    assert_eq!(world.objects[0].owner(), None);
}

#[test]
fn init_and_destroy_of_objects_in_use() {
    let cases = [
        (ObjectKind::Mutex, MutexLock, MutexInit, MutexDestroy),
        (ObjectKind::Rwlock, RwlockReadLock, RwlockInit, RwlockDestroy),
        (ObjectKind::Rwlock, RwlockWriteLock, RwlockInit, RwlockDestroy),
        (ObjectKind::Spin, SpinLock, SpinInit, SpinDestroy),
    ];
    for (kind, lock, init, destroy) in cases {
        let mut world = single(kind);
        assert_eq!(world.misuse(0, on(init, 0)), None);
        assert_eq!(world.misuse(0, on(destroy, 0)), None);
        world.run(1, on(lock, 0), 0);
        assert_eq!(world.misuse(0, on(init, 0)), Some(Misuse::InitialisedInUse));
        assert_eq!(world.misuse(0, on(destroy, 0)), Some(Misuse::DestroyedInUse));
    }
    let mut held = single(ObjectKind::Mutex);
    held.run(1, on(MutexLock, 0), 0);
    assert_eq!(held.run(0, on(MutexDestroy, 0), 0), code(EBUSY));
    assert_eq!(held.objects[0].owner(), Some(1));
}

#[test]
fn use_before_init_and_after_destroy() {
    let ends = [CondWaitEnd, CondSignalledWaitEnd, CondTimedWaitEnd, BarrierLeave, OnceEnd];
    let inits = [MutexInit, RwlockInit, SpinInit, CondInit, BarrierInit, SemInit];
    for op in SyncOp::ALL {
        let kinds = &action(op).objects;
        let mut world = World::new(kinds, 1);
        let operation = with(op, 0, kinds.len() - 1);
        for (phase, misuse) in [(Phase::Uninitialised, Misuse::Uninitialised), (Phase::Destroyed, Misuse::Destroyed)] {
            world.objects[0].set(Field::Phase, Word::number(phase as u64));
            let expected = (!ends.contains(&op) && !inits.contains(&op)).then_some(misuse);
            assert_eq!(world.misuse(0, operation), expected, "{op:?}");
            if expected.is_some() {
                assert!(world.enabled(0, operation), "{op:?} should be carried out so that its misuse is seen");
            }
        }
    }
}

#[test]
fn init_makes_any_object_usable() {
    let inits = [
        (ObjectKind::Mutex, MutexInit),
        (ObjectKind::Rwlock, RwlockInit),
        (ObjectKind::Spin, SpinInit),
        (ObjectKind::Cond, CondInit),
        (ObjectKind::Barrier, BarrierInit),
        (ObjectKind::Semaphore, SemInit),
    ];
    for (kind, init) in inits {
        let mut world = single(kind);
        world.objects[0] = SyncState::uninitialised(kind);
        assert_eq!(world.run(0, valued(init, 0, 1), 0), 0);
        assert_eq!(world.objects[0].get(Field::Phase).low(), Phase::Initialised as u64, "{kind}");
    }
}

#[test]
fn rwlock_results() {
    let mut world = single(ObjectKind::Rwlock);
    assert_eq!(world.run(0, on(RwlockTryReadLock, 0), 0), 0);
    assert_eq!(world.run(1, on(RwlockTimedReadLock, 0), 0), 0);
    assert_eq!(world.run(2, on(RwlockTryWriteLock, 0), 0), code(EBUSY));
    assert_eq!(world.run(2, on(RwlockTimedWriteLock, 0), 0), code(ETIMEDOUT));
    assert!(!world.enabled(2, on(RwlockWriteLock, 0)));
    assert_eq!(world.owners(2, on(RwlockWriteLock, 0)), 0b11);
    assert_eq!(world.misuse(2, on(RwlockUnlock, 0)), Some(Misuse::NotHeld));
    world.run(0, on(RwlockUnlock, 0), 0);
    assert_eq!(world.owners(2, on(RwlockWriteLock, 0)), 0b10);
    world.run(1, on(RwlockUnlock, 0), 0);
    assert_eq!(world.run(2, on(RwlockTryWriteLock, 0), 0), 0);
    assert_eq!(world.run(0, on(RwlockTryReadLock, 0), 0), code(EBUSY));
    assert_eq!(world.run(0, on(RwlockTimedReadLock, 0), 0), code(ETIMEDOUT));
    assert!(!world.enabled(0, on(RwlockReadLock, 0)));
    assert_eq!(world.owners(0, on(RwlockReadLock, 0)), 0b100);
    for (lock, timed) in [(RwlockReadLock, RwlockTimedReadLock), (RwlockWriteLock, RwlockTimedWriteLock)] {
        assert!(!world.goes_on(2, on(lock, 0)), "the writer waits for itself");
        assert_eq!(world.run(2, on(lock, 0), 0), code(EDEADLK), "or is told");
        assert_eq!(world.run(2, on(timed, 0), 0), code(EDEADLK));
    }
    world.run(2, on(RwlockUnlock, 0), 0);
    assert_eq!(world.misuse(2, on(RwlockUnlock, 0)), Some(Misuse::NotHeld), "nothing was taken twice");
}

#[test]
fn spin_results() {
    let mut world = single(ObjectKind::Spin);
    assert_eq!(world.run(0, on(SpinTryLock, 0), 0), 0);
    assert_eq!(world.run(1, on(SpinTryLock, 0), 0), code(EBUSY));
    assert!(!world.enabled(0, on(SpinLock, 0)));
    assert_eq!(world.misuse(1, on(SpinUnlock, 0)), Some(Misuse::NotHeld));
    world.run(0, on(SpinUnlock, 0), 0);
    assert_eq!(world.run(1, on(SpinLock, 0), 0), 0);
}

#[test]
fn condition_wait_needs_its_mutex() {
    let mut world = World::new(&[ObjectKind::Cond, ObjectKind::Mutex], 3);
    assert_eq!(world.misuse(0, with(CondWaitBegin, 0, 1)), Some(Misuse::WaitWithoutMutex));
    world.run(1, on(MutexLock, 1), 0);
    assert_eq!(world.misuse(0, with(CondWaitBegin, 0, 1)), Some(Misuse::WaitWithoutMutex));
    assert_eq!(world.misuse(1, with(CondWaitBegin, 0, 1)), None);
    world.run(1, with(CondWaitBegin, 0, 1), 0);
    assert_eq!(world.objects[1].owner(), None);
    assert!(!world.enabled(1, with(CondSignalledWaitEnd, 0, 1)));
    assert_eq!(world.owners(1, with(CondSignalledWaitEnd, 0, 1)), 0, "a wait for a signal has no owner");
    assert_eq!(world.misuse(0, on(CondDestroy, 0)), Some(Misuse::DestroyedInUse));
    world.run(0, on(MutexLock, 1), 0);
    world.run(0, on(CondSignal, 0), 1);
    assert!(!world.enabled(1, with(CondSignalledWaitEnd, 0, 1)));
    assert_eq!(world.owners(1, with(CondSignalledWaitEnd, 0, 1)), 0b1, "now it waits for the mutex");
    assert_eq!(world.misuse(0, on(CondDestroy, 0)), None);
    world.run(0, on(CondDestroy, 0), 0);
    world.run(0, on(MutexUnlock, 1), 0);
    assert_eq!(world.misuse(1, with(CondSignalledWaitEnd, 0, 1)), None, "a woken waiter may return after destruction");
    assert_eq!(world.run(1, with(CondSignalledWaitEnd, 0, 1), 0), 0);
    assert_eq!(world.objects[1].owner(), Some(1));
}

#[test]
fn waiting_releases_one_level_of_a_recursive_mutex() {
    let mut world = World::new(&[ObjectKind::Cond, ObjectKind::Mutex], 2);
    world.objects[1].set(Field::Kind, Word::number(1));
    world.run(0, on(MutexLock, 1), 0);
    world.run(0, on(MutexLock, 1), 0);
    world.run(0, with(CondWaitBegin, 0, 1), 0);
    assert_eq!((world.objects[1].owner(), world.objects[1].get(Field::Depth).low()), (Some(0), 1));
    world.run(1, on(CondBroadcast, 0), 0);
    world.run(0, with(CondSignalledWaitEnd, 0, 1), 0);
    assert_eq!((world.objects[1].owner(), world.objects[1].get(Field::Depth).low()), (Some(0), 2));
}

#[test]
fn signal_offers_each_waiter() {
    let mut world = single(ObjectKind::Cond);
    assert_eq!(world.choices(0, on(CondSignal, 0)), [0u64; 0]);
    assert_eq!(world.run(0, on(CondSignal, 0), 0), 0);
    world.objects[0].set(Field::Waiters, Word::number(1 << 63 | 0b110));
    assert_eq!(world.choices(0, on(CondSignal, 0)), [1, 2, 63]);
    world.run(0, on(CondSignal, 0), 63);
    assert_eq!(world.objects[0].get(Field::Waiters).low(), 0b110);
    world.run(0, on(CondBroadcast, 0), 0);
    assert_eq!(world.objects[0].get(Field::Waiters).low(), 0);
}

#[test]
fn barrier_counts() {
    let mut world = single(ObjectKind::Barrier);
    assert_eq!(world.misuse(0, on(BarrierArrive, 0)), Some(Misuse::Uninitialised), "zero bytes are no barrier");
    assert_eq!(world.run(0, valued(BarrierInit, 0, 0), 0), code(EINVAL));
    assert_eq!(world.run(0, valued(BarrierInit, 0, 1000), 0), 0);
    assert_eq!(world.objects[0].get(Field::Count).low(), 1000);
    assert_eq!(world.run(0, valued(BarrierInit, 0, 100_000), 0), 0);
    assert_eq!(world.objects[0].get(Field::Count).low(), 65535, "more than there can be threads");
    assert_eq!(world.run(0, valued(BarrierInit, 0, 1), 0), 0);
    world.run(0, on(BarrierArrive, 0), 0);
    assert_eq!(world.run(0, on(BarrierLeave, 0), 0), -1);
    world.run(0, valued(BarrierInit, 0, 2), 0);
    world.run(0, on(BarrierArrive, 0), 0);
    assert!(!world.enabled(0, on(BarrierLeave, 0)));
    assert_eq!(world.owners(0, on(BarrierLeave, 0)), 0);
    assert_eq!(world.misuse(1, on(BarrierDestroy, 0)), Some(Misuse::DestroyedInUse));
    world.run(1, on(BarrierArrive, 0), 0);
    assert_eq!(world.misuse(1, on(BarrierDestroy, 0)), None);
    assert_eq!(world.run(0, on(BarrierLeave, 0), 0), 0);
    assert_eq!(world.run(1, on(BarrierLeave, 0), 0), -1);
}

#[test]
fn semaphore_results() {
    let mut world = single(ObjectKind::Semaphore);
    assert!(!world.enabled(0, on(SemWait, 0)));
    assert_eq!(world.owners(0, on(SemWait, 0)), 0);
    assert_eq!(world.run(0, on(SemTryWait, 0), 0), code(EAGAIN));
    assert_eq!(world.run(0, on(SemTimedWait, 0), 0), code(ETIMEDOUT));
    assert_eq!(world.run(0, valued(SemInit, 0, 0x8000_0000), 0), code(EINVAL));
    assert_eq!(world.run(0, valued(SemInit, 0, 2), 0), 0);
    assert_eq!(world.run(0, on(SemWait, 0), 0), 0);
    assert_eq!(world.run(0, on(SemTimedWait, 0), 0), 0);
    assert_eq!(world.run(0, on(SemGetValue, 0), 0), 0);
    assert_eq!(world.run(0, on(SemPost, 0), 0), 0);
    assert_eq!(world.run(0, on(SemGetValue, 0), 0), 1);
    world.run(0, valued(SemInit, 0, 0x7fff_ffff), 0);
    assert_eq!(world.run(0, on(SemPost, 0), 0), code(EOVERFLOW));
    assert_eq!(world.run(0, on(SemGetValue, 0), 0), 0x7fff_ffff);
}

#[test]
fn once_results() {
    let mut world = single(ObjectKind::Once);
    assert_eq!(world.run(1, on(OnceBegin, 0), 0), 1);
    assert!(!world.enabled(0, on(OnceBegin, 0)));
    assert_eq!(world.owners(0, on(OnceBegin, 0)), 0b10);
    assert!(!world.enabled(1, on(OnceBegin, 0)), "an initialiser that begins again waits for itself");
    world.run(1, on(OnceEnd, 0), 0);
    assert_eq!(world.run(0, on(OnceBegin, 0), 0), 0);
    assert_eq!(world.run(1, on(OnceBegin, 0), 0), 0);
}

#[test]
fn order_flows_only_where_the_operation_succeeds() {
    let acquired = |world: &World, thread, op| {
        world.ask(thread, on(op, 0), |action, states, call| action.acquired(states, call, 0))
    };
    let released = |world: &World, thread, op, choice| {
        world.ask(thread, on(op, 0), |action, states, call| action.released(states, call, choice))
    };
    let mut world = single(ObjectKind::Mutex);
    assert_eq!(acquired(&world, 0, MutexTryLock), [(0, Slot::Main)]);
    world.run(1, on(MutexLock, 0), 0);
    assert_eq!(acquired(&world, 0, MutexTryLock), []);
    assert_eq!(released(&world, 1, MutexUnlock, 0), [(0, Slot::Main)]);

    let mut world = single(ObjectKind::Rwlock);
    assert_eq!(acquired(&world, 0, RwlockReadLock), [(0, Slot::Main)]);
    assert_eq!(acquired(&world, 0, RwlockWriteLock), [(0, Slot::Main), (0, Slot::Readers)]);
    world.run(0, on(RwlockReadLock, 0), 0);
    assert_eq!(released(&world, 0, RwlockUnlock, 0), [(0, Slot::Readers)]);
    assert_eq!(acquired(&world, 1, RwlockTryWriteLock), []);

    let mut world = single(ObjectKind::Cond);
    assert_eq!(released(&world, 0, CondSignal, 0), []);
    world.objects[0].set(Field::Waiters, Word::number(0b110));
    assert_eq!(released(&world, 0, CondSignal, 2), [(0, Slot::Thread(2))]);
    assert_eq!(released(&world, 0, CondBroadcast, 0), [(0, Slot::Thread(1)), (0, Slot::Thread(2))]);

    let mut world = single(ObjectKind::Barrier);
    world.run(0, valued(BarrierInit, 0, 2), 0);
    assert_eq!(released(&world, 0, BarrierArrive, 0), [(0, Slot::Main)]);
    world.run(0, on(BarrierArrive, 0), 0);
    let last = released(&world, 2, BarrierArrive, 0);
    assert_eq!(last, [(0, Slot::Main), (0, Slot::Thread(0)), (0, Slot::Thread(2))]);
    assert_eq!(acquired(&world, 2, BarrierArrive), [(0, Slot::Main)]);
    world.run(2, on(BarrierArrive, 0), 0);
    assert_eq!(acquired(&world, 0, BarrierLeave), [(0, Slot::Thread(0))]);

    let mut world = single(ObjectKind::Semaphore);
    assert_eq!(acquired(&world, 0, SemTryWait), []);
    assert_eq!(released(&world, 0, SemPost, 0), [(0, Slot::Main)]);
    world.run(0, on(SemPost, 0), 0);
    assert_eq!(acquired(&world, 0, SemTryWait), [(0, Slot::Main)]);
}

#[test]
fn static_initialisers() {
    let kind_of = |state: SyncState| (state.get(Field::Phase).low(), state.get(Field::Kind).low());
    for (model, offset) in [(DataModel::Ilp32, 12), (DataModel::Lp64, 16)] {
        let model = SyncLayouts { model, own: OwnSizes::default() };
        let mut bytes = vec![0; object_bytes(ObjectKind::Mutex, model) as usize];
        for (written, read) in [(0, (0, 0)), (1, (0, 1)), (2, (0, 2)), (3, (0, 0)), (77, (1, 0))] {
            bytes[offset] = written;
            assert_eq!(kind_of(initial_state(ObjectKind::Mutex, model, Some(&bytes))), read);
        }
        bytes[offset] = 0;
        bytes[0] = 1;
        assert_eq!(kind_of(initial_state(ObjectKind::Mutex, model, Some(&bytes))), (1, 0));
    }
    let layouts = SyncLayouts { model: DataModel::Lp64, own: OwnSizes::default() };
    for kind in ObjectKind::ALL {
        let zeros = vec![0; object_bytes(kind, layouts) as usize];
        assert_eq!(initial_state(kind, layouts, Some(&zeros)), zeroed(kind));
        assert_eq!(zeroed(kind) == SyncState::uninitialised(kind), kind == ObjectKind::Spin, "{kind}");
        assert_eq!(initial_state(kind, layouts, None), SyncState::uninitialised(kind));
    }
}

#[test]
fn layouts_of_the_programs_own() {
    for kind in ObjectKind::ALL {
        let mut layouts = SyncLayouts { model: DataModel::Lp64, own: OwnSizes::default() };
        *kind.own_size(&mut layouts.own) = Some(8);
        assert_eq!(object_bytes(kind, layouts), 8);
        assert_eq!(initial_state(kind, layouts, Some(&[0; 8])), zeroed(kind));
        assert_eq!(initial_state(kind, layouts, None), SyncState::uninitialised(kind));
        assert!(initial_state(kind, layouts, Some(&[1, 0, 0, 0, 0, 0, 0, 0])).is_unclear());
    }
}

#[test]
fn updates_name_fields_that_exist() {
    let exist = |action: &Action| action.updates.iter().all(|u| action.objects[u.object].fields().contains(&u.field));
    assert!(SyncOp::ALL.into_iter().all(|op| exist(action(op))));
}

#[test]
fn counts_do_not_go_below_zero() {
    let churn = vec![on(SemPost, 0), on(SemTryWait, 0), on(SemTryWait, 0)];
    explore(World::new(&[ObjectKind::Semaphore], 2), &vec![churn; 2], |world| {
        assert!(world.objects[0].get(Field::Value).low() <= 2, "{world:?}");
    });
}
