//! Invariants of the primitives in all interleavings of a few abstract threads.

use crate::world::{Operation, World, explore, on, with};
use program::SyncOp;
use sync::{Field, ObjectKind, SyncState, Word, action};

/// How many threads stand between operation `enter` and operation `leave` of their lists.
fn inside(world: &World, enter: usize, leave: usize) -> usize {
    world.next.iter().filter(|&&next| next > enter && next <= leave).count()
}

#[test]
fn exclusive_locks_exclude() {
    let pairs = [
        (ObjectKind::Mutex, SyncOp::MutexLock, SyncOp::MutexUnlock),
        (ObjectKind::Spin, SyncOp::SpinLock, SyncOp::SpinUnlock),
        (ObjectKind::Rwlock, SyncOp::RwlockWriteLock, SyncOp::RwlockUnlock),
    ];
    for (kind, lock, unlock) in pairs {
        let list = vec![on(lock, 0), on(unlock, 0), on(lock, 0), on(unlock, 0)];
        let exploration = explore(World::new(&[kind], 3), &vec![list; 3], |world| {
            assert!(inside(world, 0, 1) + inside(world, 2, 3) <= 1, "{world:?}");
        });
        assert!(exploration.stuck.is_empty());
        assert_eq!(exploration.finished.len(), 1);
        assert_eq!(exploration.finished[0].objects[0], SyncState::initialised(kind));
    }
}

#[test]
fn recursive_mutex_excludes_others_until_the_last_unlock() {
    let list = vec![
        on(SyncOp::MutexLock, 0),
        on(SyncOp::MutexLock, 0),
        on(SyncOp::MutexUnlock, 0),
        on(SyncOp::MutexUnlock, 0),
    ];
    let mut start = World::new(&[ObjectKind::Mutex], 3);
    start.objects[0].set(Field::Kind, Word::number(1));
    let exploration = explore(start, &vec![list; 3], |world| assert!(inside(world, 0, 3) <= 1));
    assert!(exploration.stuck.is_empty());
}

#[test]
fn readers_share_and_writers_exclude() {
    let reader = vec![
        on(SyncOp::RwlockReadLock, 0),
        on(SyncOp::RwlockReadLock, 0),
        on(SyncOp::RwlockUnlock, 0),
        on(SyncOp::RwlockUnlock, 0),
    ];
    let writer = vec![on(SyncOp::RwlockWriteLock, 0), on(SyncOp::RwlockUnlock, 0)];
    let together = std::cell::Cell::new(false);
    let exploration = explore(World::new(&[ObjectKind::Rwlock], 3), &[reader.clone(), reader, writer], |world| {
        let reads = world.next[..2].iter().filter(|&&next| (1..4).contains(&next)).count();
        let writes = usize::from(world.next[2] == 1);
        assert!(writes == 0 || reads == 0, "{world:?}");
        together.set(together.get() || reads == 2);
    });
    assert!(together.get(), "two readers at once should be possible");
    assert!(exploration.stuck.is_empty());
    assert!(exploration.finished.iter().all(|w| w.objects[0] == SyncState::initialised(ObjectKind::Rwlock)));
}

#[test]
fn upgrading_a_read_lock_blocks_for_ever() {
    let list = vec![on(SyncOp::RwlockReadLock, 0), on(SyncOp::RwlockWriteLock, 0)];
    let exploration = explore(World::new(&[ObjectKind::Rwlock], 2), &vec![list; 2], |_| {});
    assert!(exploration.finished.is_empty());
    let both = exploration.stuck.iter().find(|world| world.next == [1, 1]).expect("both should get stuck");
    assert_eq!(both.owners(0, on(SyncOp::RwlockWriteLock, 0)), 0b11);
}

#[test]
fn lock_order_inversion_gets_stuck_with_owners_in_a_cycle() {
    let forwards = vec![on(SyncOp::MutexLock, 0), on(SyncOp::MutexLock, 1)];
    let backwards = vec![on(SyncOp::MutexLock, 1), on(SyncOp::MutexLock, 0)];
    let exploration = explore(World::new(&[ObjectKind::Mutex; 2], 2), &[forwards, backwards], |_| {});
    let crossed = exploration.stuck.iter().find(|world| world.next == [1, 1]).expect("a deadlock should exist");
    assert_eq!(crossed.owners(0, on(SyncOp::MutexLock, 1)), 0b10);
    assert_eq!(crossed.owners(1, on(SyncOp::MutexLock, 0)), 0b01);
}

#[test]
fn barrier_rounds_complete_and_nobody_is_early() {
    let wait = [on(SyncOp::BarrierArrive, 0), on(SyncOp::BarrierLeave, 0)];
    let list: Vec<Operation> = wait.iter().cycle().take(6).copied().collect();
    let mut start = World::new(&[ObjectKind::Barrier], 3);
    start.objects[0].set(Field::Count, Word::number(3));
    let overtaken = std::cell::Cell::new(false);
    let exploration = explore(start, &vec![list; 3], |world| {
        let rounds_left: Vec<usize> = world.next.iter().map(|&next| next / 2).collect();
        let arrivals: Vec<usize> = world.next.iter().map(|&next| next.div_ceil(2)).collect();
        let most_left = rounds_left.iter().max().unwrap();
        assert!(arrivals.iter().all(|arrived| arrived >= most_left), "left too early: {world:?}");
        let slow = rounds_left.iter().zip(&arrivals).any(|(left, _)| left + 1 < *arrivals.iter().max().unwrap());
        overtaken.set(overtaken.get() || slow);
    });
    assert!(exploration.stuck.is_empty());
    assert!(overtaken.get(), "a fast thread should be able to arrive in the next round before a slow one leaves");
    for world in &exploration.finished {
        for round in 0..3 {
            let serial = world.results.iter().filter(|results| results[2 * round + 1] == -1).count();
            assert_eq!(serial, 1, "one thread of each round should be told to be last");
        }
    }
}

#[test]
fn barrier_with_more_threads_than_count() {
    let list = vec![on(SyncOp::BarrierArrive, 0), on(SyncOp::BarrierLeave, 0)];
    let mut start = World::new(&[ObjectKind::Barrier], 3);
    start.objects[0].set(Field::Count, Word::number(2));
    let exploration = explore(start, &vec![list; 3], |_| {});
    assert!(exploration.finished.is_empty());
    assert!(exploration.stuck.iter().all(|w| w.next.iter().filter(|&&next| next == 2).count() == 2));
}

#[test]
fn semaphore_admits_as_many_as_it_counts() {
    let list = vec![on(SyncOp::SemWait, 0), on(SyncOp::SemPost, 0), on(SyncOp::SemWait, 0), on(SyncOp::SemPost, 0)];
    let mut start = World::new(&[ObjectKind::Semaphore], 3);
    start.objects[0].set(Field::Value, Word::number(2));
    let full = std::cell::Cell::new(false);
    let exploration = explore(start, &vec![list; 3], |world| {
        let taken = inside(world, 0, 1) + inside(world, 2, 3);
        assert!(taken <= 2);
        assert_eq!(world.objects[0].get(Field::Value).low(), 2 - taken as u64);
        full.set(full.get() || taken == 2);
    });
    assert!(full.get());
    assert!(exploration.stuck.is_empty());
}

fn waiter() -> Vec<Operation> {
    vec![
        on(SyncOp::MutexLock, 1),
        with(SyncOp::CondWaitBegin, 0, 1),
        with(SyncOp::CondSignalledWaitEnd, 0, 1),
        on(SyncOp::MutexUnlock, 1),
    ]
}

#[test]
fn a_signal_wakes_one_waiter_or_is_lost() {
    let signaller = vec![on(SyncOp::CondSignal, 0)];
    let start = World::new(&[ObjectKind::Cond, ObjectKind::Mutex], 3);
    let exploration = explore(start, &[waiter(), waiter(), signaller], |world| {
        let waiting = world.objects[0].get(Field::Waiters).low().count_ones() as usize;
        let begun = world.next[..2].iter().filter(|&&next| next >= 2).count();
        assert!(begun - waiting <= 1, "one signal should wake at most one: {world:?}");
    });
    assert!(exploration.finished.is_empty(), "one signal cannot release both");
    let left = |world: &World| world.next[..2].iter().filter(|&&next| next == 4).count();
    assert!(exploration.stuck.iter().any(|world| left(world) == 0), "the signal may be lost");
    for survivor in 0..2 {
        assert!(exploration.stuck.iter().any(|world| world.next[survivor] == 4), "either waiter may be woken");
    }
}

#[test]
fn no_wake_up_is_lost_beyond_those_before_the_wait() {
    // The broadcaster holds the mutex, so it comes before a wait or after it, never in between.
    let broadcaster = vec![on(SyncOp::MutexLock, 1), on(SyncOp::CondBroadcast, 0), on(SyncOp::MutexUnlock, 1)];
    let start = World::new(&[ObjectKind::Cond, ObjectKind::Mutex], 3);
    let exploration = explore(start, &[waiter(), waiter(), broadcaster], |world| {
        if world.next[2] == 2 {
            assert_eq!(world.objects[0].get(Field::Waiters).low(), 0);
        }
    });
    assert_eq!(exploration.finished.iter().map(|w| &w.next).collect::<Vec<_>>(), [&vec![4, 4, 3]]);
    // Stuck only in a wait that began after the broadcast: nobody is ever stuck at the mutex.
    assert!(exploration.stuck.iter().all(|world| world.next[..2].iter().all(|next| [2, 4].contains(next))));
    assert!(!exploration.stuck.is_empty());
}

#[test]
fn timed_waits_always_end() {
    let mut timed = waiter();
    timed[2] = with(SyncOp::CondTimedWaitEnd, 0, 1);
    let start = World::new(&[ObjectKind::Cond, ObjectKind::Mutex], 3);
    let exploration = explore(start, &[timed.clone(), timed, vec![on(SyncOp::CondSignal, 0)]], |_| {});
    assert!(exploration.stuck.is_empty());
    let outcomes: Vec<[i32; 2]> = exploration.finished.iter().map(|w| [w.results[0][2], w.results[1][2]]).collect();
    assert!(outcomes.contains(&[110, 110]) && outcomes.contains(&[0, 110]) && outcomes.contains(&[110, 0]));
    assert!(!outcomes.contains(&[0, 0]), "one signal should spare only one the time-out");
}

#[test]
fn a_spurious_wake_up_needs_only_the_mutex() {
    let states = [SyncState::initialised(ObjectKind::Cond), SyncState::initialised(ObjectKind::Mutex)];
    let call = sync::Call { thread: 1, operands: &[] };
    let mut waiting = states;
    waiting[0].set(Field::Waiters, Word::number(0b110));
    let wait_end = action(SyncOp::CondWaitEnd);
    assert!(wait_end.enabled(&waiting, &call));
    assert!(!wait_end.goes_on(&waiting, &call), "a waiter without a signal counts as blocked");
    assert_eq!(wait_end.apply(&mut waiting, &call, 0), 0);
    assert_eq!(waiting[0].get(Field::Waiters).low(), 0b100);
    assert_eq!(waiting[1].owner(), Some(1));
    let other = sync::Call { thread: 2, operands: &[] };
    assert!(!wait_end.enabled(&waiting, &other));
    assert_eq!(wait_end.owners(&waiting, &other).low(), 0, "a wait for a signal has no owner");
}

#[test]
fn once_runs_once_and_the_others_wait() {
    // A thread that is told to run the initialiser ends it; the others pass. `OnceEnd` of the others is left out by
    // exploring each choice of the runner.
    for runner in 0..3 {
        let mut lists = vec![vec![on(SyncOp::OnceBegin, 0)]; 3];
        lists[runner].push(on(SyncOp::OnceEnd, 0));
        let exploration = explore(World::new(&[ObjectKind::Once], 3), &lists, |world| {
            let told: i32 = world.results.iter().filter_map(|results| results.first()).sum();
            assert!(told <= 1, "{world:?}");
        });
        let won = |world: &&World| world.results[runner].first() == Some(&1);
        assert!(exploration.finished.iter().filter(won).count() == 1);
        assert!(exploration.stuck.iter().filter(won).count() == 0);
    }
}
