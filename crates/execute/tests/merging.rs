//! Merging of states loses nothing: random programs, explored with merging and execution by execution.

mod build;

use base::Budget;
use build::*;
use execute::*;
use program::*;

struct Shared {
    plain: [GlobalId; 2],
    atomic: GlobalId,
    mutexes: [GlobalId; 2],
    semaphore: GlobalId,
    pointer: GlobalId,
}

fn random_operation(f: &mut Body, random: &mut Random, shared: &Shared) {
    let plain = shared.plain[random.below(2) as usize];
    let mutex = shared.mutexes[random.below(2) as usize];
    let atomic = address(shared.atomic);
    match random.below(12) {
        0 => _ = f.load(plain),
        1 => _ = f.store(plain, int(random.below(2) as i64)),
        2 => f.increment(plain),
        3 => _ = f.store_as(atomic, int(1), INT, MemoryOrder::Release),
        4 => {
            let seen = f.load_as(atomic, INT, MemoryOrder::Acquire);
            when(f, seen, |f| _ = f.store(plain, int(2)));
        }
        5 | 6 => {
            f.lock(mutex);
            f.increment(plain);
            f.unlock(mutex);
        }
        7 => {
            let code = f.sync(SyncOp::MutexTryLock, &[address(mutex)]);
            when(f, code, |f| _ = f.store(plain, int(3)));
        }
        8 => _ = f.sync(SyncOp::SemPost, &[address(shared.semaphore)]),
        9 => {
            let code = f.sync(SyncOp::SemTryWait, &[address(shared.semaphore)]);
            when(f, code, |f| _ = f.load(plain));
        }
        10 => f.atomic(|f| f.increment(plain)),
        _ => {
            let memory = f.allocate(4);
            f.store_as(memory, int(1), INT, MemoryOrder::NonAtomic);
            let old = f.load_as(address(shared.pointer), Type::Pointer, MemoryOrder::NonAtomic);
            f.store_as(address(shared.pointer), memory, Type::Pointer, MemoryOrder::NonAtomic);
            f.free(old);
        }
    }
}

/// Executes `body` if the value is not zero.
fn when(f: &mut Body, value: Operand, body: impl FnOnce(&mut Body)) {
    let (then, done) = (f.block(), f.block());
    let condition = f.binary(BinaryOp::Ne, value, int(0));
    f.branch(condition, then, done);
    f.go_on_in(then);
    body(f);
    f.goto(done);
    f.go_on_in(done);
}

fn random_program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let mut b = Builder::new();
    let shared = Shared {
        plain: [b.global("x"), b.global("y")],
        atomic: b.global("a"),
        mutexes: [b.sync_object("m"), b.sync_object("n")],
        semaphore: b.global_bytes("s", 32, &[]),
        pointer: b.global_bytes("p", 8, &[]),
    };
    let threads = 2 + random.below(4) / 3;
    let operations = if threads == 2 { 3 } else { 2 };
    let functions: Vec<FunctionId> = (0..threads)
        .map(|index| {
            b.function(&format!("thread{index}"), 1, |f| {
                (0..operations).for_each(|_| random_operation(f, &mut random, &shared));
            })
        })
        .collect();
    b.main(|f| {
        let mut handles = Vec::new();
        f.atomic(|f| handles = functions.iter().map(|&function| f.spawn(function)).collect());
        handles.into_iter().for_each(|handle| f.join(handle));
        f.assert_is(shared.plain[0], 2);
    })
}

#[test]
fn merging_changes_no_verdict_and_no_count() {
    let selections = [
        [Property::NoDataRace, Property::NoDeadlock],
        [Property::Assert, Property::ValidFree],
        [Property::ValidMemtrack, Property::LockMisuse],
    ];
    let (mut compared, mut racy, mut safe) = (0, 0, 0);
    for seed in 0..25 {
        let program = random_program(seed);
        for selection in selections {
            let merged = ExploreOptions {
                count_executions: true,
                max_states: 20_000,
                ..ExploreOptions::new(PropertySet::of(&selection))
            };
            let separate = ExploreOptions { merge_states: false, ..merged.clone() };
            let slow = explore(&program, &separate, &Budget::unlimited());
            if !slow.is_complete() {
                continue;
            }
            let quick = explore(&program, &merged, &Budget::unlimited());
            for property in selection {
                assert_eq!(quick.violates(property), slow.violates(property), "{property}, seed {seed}");
            }
            assert_eq!(quick.executions, slow.executions, "seed {seed}, {selection:?}");
            assert!(quick.states <= slow.states);
            compared += 1;
            racy += u32::from(quick.violates(Property::NoDataRace));
            safe += u32::from(quick.violations.is_empty());
        }
    }
    assert!(compared > 25 && racy > 2 && safe > 4, "{compared} {racy} {safe}");
}
