//! Blocking: deadlocks, condition variables, barriers, semaphores, once, joins, misuse.

mod build;

use base::Budget;
use build::*;
use execute::*;
use program::*;

fn explored(program: &Program, list: &[Property]) -> Exploration {
    let options = ExploreOptions { count_executions: true, ..ExploreOptions::new(PropertySet::of(list)) };
    explore(program, &options, &Budget::unlimited())
}

fn assert_holds(program: &Program, list: &[Property]) -> Exploration {
    let found = explored(program, list);
    let messages: Vec<&str> = found.violations.iter().map(|trace| trace.violation.message.as_str()).collect();
    assert!(found.is_complete() && messages.is_empty(), "{messages:?} {:?}", found.incomplete);
    found
}

fn only_violation(program: &Program, list: &[Property]) -> Violation {
    let found = explored(program, list);
    assert_eq!(found.violations.len(), 1, "{:?}", found.incomplete);
    found.violations[0].violation.clone()
}

const ALL: [Property; 4] = [Property::Assert, Property::NoDataRace, Property::NoDeadlock, Property::LockMisuse];

fn two_locks(same_order: bool) -> Program {
    let mut b = Builder::new();
    let (m, n) = (b.sync_object("m"), b.sync_object("n"));
    let body = |first: GlobalId, second: GlobalId| {
        move |f: &mut Body| {
            f.lock(first);
            f.lock(second);
            f.unlock(second);
            f.unlock(first);
        }
    };
    let one = b.function("one", 1, body(m, n));
    let two = b.function("two", 1, if same_order { body(m, n) } else { body(n, m) });
    b.main(|f| f.run_all(&[one, two]))
}

#[test]
fn opposite_lock_orders_deadlock() {
    let violation = only_violation(&two_locks(false), &[Property::NoDeadlock]);
    let waiting: Vec<(u32, &str, Option<ThreadId>)> =
        violation.waiting.iter().map(|waiting| (waiting.thread.0, waiting.object.as_str(), waiting.holder)).collect();
    assert!(waiting.contains(&(1, "mutex n", Some(ThreadId(2)))), "{waiting:?}");
    assert!(waiting.contains(&(2, "mutex m", Some(ThreadId(1)))), "{waiting:?}");
    assert_holds(&two_locks(true), &ALL);
}

#[test]
fn a_deadlock_that_is_not_asked_for_is_the_end_of_an_execution() {
    let found = assert_holds(&two_locks(false), &[Property::Assert]);
    assert!(found.executions > Some(1));
}

#[test]
fn relocking_waits_for_oneself_even_while_others_run() {
    let mut b = Builder::new();
    let (m, x) = (b.sync_object("m"), b.global("x"));
    let relocker = b.function("relocker", 1, |f| {
        f.lock(m);
        f.lock(m);
    });
    let program = b.main(|f| {
        f.spawn(relocker);
        (0..3).for_each(|_| f.increment(x));
    });
    let violation = only_violation(&program, &[Property::NoDeadlock]);
    assert_eq!((violation.thread, violation.waiting.len()), (ThreadId(1), 1));
}

#[test]
fn recursive_and_error_checking_mutexes_do_not_deadlock() {
    for (kind, result) in [(1, 0), (2, 35)] {
        let mut b = Builder::new();
        let m = b.sync_object("m");
        let program = b.main(|f| {
            f.sync(SyncOp::MutexInit, &[address(m), int(kind)]);
            f.lock(m);
            let again = f.sync(SyncOp::MutexLock, &[address(m)]);
            let expected = f.equal(again, int(result));
            f.assert(expected);
        });
        assert_holds(&program, &ALL);
    }
}

#[test]
fn waiting_for_a_dead_owner_is_a_deadlock_and_for_a_stopped_one_is_not() {
    for (stopped, deadlocks) in [(false, true), (true, false)] {
        let mut b = Builder::new();
        let m = b.sync_object("m");
        let holder = b.function("holder", 1, |f| {
            f.lock(m);
            if stopped {
                f.assume(Operand::FALSE);
            }
        });
        let program = b.main(|f| {
            f.spawn(holder);
            f.lock(m);
        });
        assert_eq!(explored(&program, &[Property::NoDeadlock]).violates(Property::NoDeadlock), deadlocks);
    }
}

#[test]
fn a_thread_in_an_endless_loop_is_not_blocked() {
    let mut b = Builder::new();
    let looping = b.function("looping", 1, |f| f.endless_loop());
    let program = b.main(|f| f.run_all(&[looping]));
    assert_holds(&program, &[Property::NoDeadlock]);
}

#[test]
fn a_thread_that_joins_itself_deadlocks() {
    let mut b = Builder::new();
    let body = b.function("body", 1, |f| {
        let target = f.register(Type::Int(64));
        f.push(InstructionKind::CurrentThread { target });
        f.join(Operand::Register(target));
    });
    let program = b.main(|f| _ = f.spawn(body));
    let violation = only_violation(&program, &[Property::NoDeadlock]);
    assert_eq!(violation.waiting[0].object, "the end of T1");
}

/// A consumer waits for a flag under a mutex; the producer sets it and signals.
fn hand_over(checked: bool, signals: bool) -> Program {
    let mut b = Builder::new();
    let (m, c, flag, data) = (b.sync_object("m"), b.sync_object("c"), b.global("flag"), b.global("data"));
    let consumer = b.function("consumer", 1, |f| {
        f.lock(m);
        let (again, wait, done) = (f.block(), f.block(), f.block());
        if checked {
            f.goto(again);
        } else {
            f.goto(wait);
        }
        f.go_on_in(again);
        let seen = f.load(flag);
        let set = f.equal(seen, int(1));
        f.branch(set, done, wait);
        f.go_on_in(wait);
        f.wait(c, m);
        f.goto(if checked { again } else { done });
        f.go_on_in(done);
        f.assert_is(data, 7);
        f.unlock(m);
    });
    let producer = b.function("producer", 1, |f| {
        f.lock(m);
        f.store(data, int(7));
        f.store(flag, int(1));
        if signals {
            f.sync(SyncOp::CondSignal, &[address(c)]);
        }
        f.unlock(m);
    });
    b.main(|f| f.run_all(&[consumer, producer]))
}

#[test]
fn condition_variables() {
    assert_holds(&hand_over(true, true), &ALL);
    assert!(explored(&hand_over(false, true), &[Property::NoDeadlock]).violates(Property::NoDeadlock), "lost wake-up");
    assert!(explored(&hand_over(true, false), &[Property::NoDeadlock]).violates(Property::NoDeadlock), "no signal");
}

#[test]
fn a_signal_wakes_any_one_waiter() {
    let mut b = Builder::new();
    let (m, c, woken, ready) = (b.sync_object("m"), b.sync_object("c"), b.global("woken"), b.global("ready"));
    let waiter = |number: i64| {
        move |f: &mut Body| {
            f.lock(m);
            f.increment(ready);
            f.wait_for_signal(c, m);
            f.store(woken, int(number));
            f.unlock(m);
        }
    };
    let (one, two) = (b.function("one", 1, waiter(1)), b.function("two", 1, waiter(2)));
    let program = b.main(|f| {
        f.spawn(one);
        f.spawn(two);
        f.atomic(|f| {
            let waiting = f.load(ready);
            let both = f.equal(waiting, int(2));
            f.assume(both);
            f.lock(m);
        });
        f.sync(SyncOp::CondSignal, &[address(c)]);
        f.unlock(m);
        f.atomic(|f| {
            let who = f.load(woken);
            let somebody = f.binary(BinaryOp::Ne, who, int(0));
            f.assume(somebody);
        });
        let who = f.load(woken);
        let input = f.nondet();
        let other = f.binary(BinaryOp::Ne, who, input);
        f.assert(other);
    });
    for number in 1..=2 {
        let options =
            ExploreOptions { inputs: number..=number, ..ExploreOptions::new(PropertySet::of(&[Property::Assert])) };
        let found = explore(&program, &options, &Budget::unlimited());
        assert!(found.violates(Property::Assert), "thread {number} can be the one that is woken");
        let choices = &found.violations[0].schedule.choices.by_thread[0];
        assert_eq!(choices[0], number as u64, "the choice is the thread");
    }
}

#[test]
fn barriers_separate_phases() {
    let mut b = Builder::new();
    let (barrier, x, y) = (b.global_bytes("barrier", 32, &[]), b.global("x"), b.global("y"));
    let body = |mine: GlobalId, other: GlobalId| {
        move |f: &mut Body| {
            f.store(mine, int(1));
            f.sync(SyncOp::BarrierArrive, &[address(barrier)]);
            f.sync(SyncOp::BarrierLeave, &[address(barrier)]);
            f.assert_is(other, 1);
        }
    };
    let (one, two) = (b.function("one", 1, body(x, y)), b.function("two", 1, body(y, x)));
    let program = b.main(|f| {
        f.sync(SyncOp::BarrierInit, &[address(barrier), int(2)]);
        f.run_all(&[one, two]);
    });
    assert_holds(&program, &ALL);
}

#[test]
fn semaphores_order_and_block() {
    let semaphore = |posts: bool| {
        let mut b = Builder::new();
        let (s, x) = (b.global_bytes("s", 32, &[]), b.global("x"));
        let producer = b.function("producer", 1, |f| {
            f.store(x, int(3));
            if posts {
                f.sync(SyncOp::SemPost, &[address(s)]);
            }
        });
        b.main(|f| {
            f.sync(SyncOp::SemInit, &[address(s), int(0)]);
            f.spawn(producer);
            f.sync(SyncOp::SemWait, &[address(s)]);
            f.assert_is(x, 3);
        })
    };
    assert_holds(&semaphore(true), &ALL);
    let violation = only_violation(&semaphore(false), &[Property::NoDeadlock]);
    assert_eq!(violation.waiting[0].object, "semaphore s");
}

#[test]
fn once_runs_once() {
    let mut b = Builder::new();
    let (once, x) = (b.sync_object("once"), b.global("x"));
    let body = |f: &mut Body| {
        let mine = f.sync(SyncOp::OnceBegin, &[address(once)]);
        let (run, done) = (f.block(), f.block());
        let is_mine = f.equal(mine, int(1));
        f.branch(is_mine, run, done);
        f.go_on_in(run);
        f.increment(x);
        f.sync(SyncOp::OnceEnd, &[address(once)]);
        f.goto(done);
        f.go_on_in(done);
        f.assert_is(x, 1);
    };
    let (one, two) = (b.function("one", 1, body), b.function("two", 1, body));
    let program = b.main(|f| f.run_all(&[one, two]));
    assert_holds(&program, &ALL);
}

#[test]
fn a_failed_trylock_orders_nothing() {
    // Looking for two threads at the brink of conflicting accesses would miss this race.
    let mut b = Builder::new();
    let (m, x) = (b.sync_object("m"), b.global("x"));
    let trier = b.function("trier", 1, |f| {
        let code = f.sync(SyncOp::MutexTryLock, &[address(m)]);
        let (busy, done) = (f.block(), f.block());
        let is_busy = f.binary(BinaryOp::Ne, code, int(0));
        f.branch(is_busy, busy, done);
        f.go_on_in(busy);
        f.store(x, int(2));
        f.goto(done);
        f.go_on_in(done);
    });
    let program = b.main(|f| {
        f.spawn(trier);
        f.store(x, int(1));
        f.lock(m);
    });
    assert_eq!(only_violation(&program, &[Property::NoDataRace]).property, Property::NoDataRace);
}

#[test]
fn misuse_is_reported_where_asked_for() {
    let mut b = Builder::new();
    let m = b.sync_object("m");
    let program = b.main(|f| f.unlock(m));
    let violation = only_violation(&program, &[Property::LockMisuse]);
    assert_eq!(violation.message, "mutex m is unlocked by a thread that does not hold it");
    assert_holds(&program, &[Property::Assert]);
}

#[test]
fn results_of_joins_and_thread_leaks() {
    let mut b = Builder::new();
    let x = b.global("x");
    let child = b.function("child", 1, |f| {
        let argument = f.parameter(0);
        f.end(TerminatorKind::ThreadExit(argument));
    });
    let program = b.main(|f| {
        let handle = f.spawn_with(child, address(x));
        let (target, error) = (f.register(Type::Pointer), f.register(INT));
        f.push(InstructionKind::Join { target: Some(target), error: Some(error), thread: handle });
        let same = f.assign(
            Type::BOOL,
            Rvalue::Binary {
                op: BinaryOp::Eq,
                ty: Type::Pointer,
                left: Operand::Register(target),
                right: address(x),
                signed: false,
            },
        );
        f.assert(same);
        f.push(InstructionKind::Join { target: None, error: Some(error), thread: handle });
        let twice = f.equal(Operand::Register(error), int(22));
        f.assert(twice);
    });
    assert_holds(&program, &[Property::Assert, Property::NoThreadLeak]);

    let mut b = Builder::new();
    let child = b.function("child", 1, |_| ());
    let program = b.main(|f| _ = f.spawn(child));
    assert_eq!(only_violation(&program, &[Property::NoThreadLeak]).thread, ThreadId(1));

    let mut b = Builder::new();
    let child = b.function("child", 1, |f| f.assume(Operand::FALSE));
    let program = b.main(|f| _ = f.spawn(child));
    let found = explored(&program, &[Property::NoThreadLeak]);
    assert!(found.violations.is_empty(), "nothing is a leak beside a stopped thread");
}

#[test]
fn main_may_leave_before_the_others() {
    let mut b = Builder::new();
    let x = b.global("x");
    let child = b.function("child", 1, |f| {
        f.increment(x);
        f.assert_is(x, 0);
    });
    let program = b.main(|f| {
        f.spawn(child);
        f.end(TerminatorKind::ThreadExit(Operand::Null));
    });
    assert_eq!(only_violation(&program, &[Property::Assert]).thread, ThreadId(1));
}
