//! Interleavings: what the explorer, random runs and replay see of small programs.

mod build;

use base::Budget;
use build::*;
use execute::*;
use program::Analyses;
use program::*;

fn properties(list: &[Property]) -> PropertySet {
    PropertySet::of(list)
}

fn explored(program: &Program, list: &[Property]) -> Exploration {
    let options = ExploreOptions { count_executions: true, ..ExploreOptions::new(properties(list)) };
    explore(program, &options, &Budget::unlimited())
}

/// Whether a random run violates the property within `runs` runs; each violation must replay.
fn random_finds(program: &Program, property: Property, runs: u64) -> bool {
    let visibility = Visibility::new(program);
    let options = RunOptions::new(properties(&[property]));
    (0..runs).any(|seed| {
        let (mut scheduler, mut choices) = (RandomScheduler::new(seed), RandomChoices::new(seed));
        let result = run(program, &visibility, &options, &mut scheduler, &mut choices, &Budget::unlimited());
        let End::Violated(violation) = result.end else { return false };
        let trace = replay(&Analyses::new(program), &result.schedule, options.config.properties, &Budget::unlimited())
            .expect("a violation should replay");
        assert_eq!((trace.violation.property, trace.violation.location), (property, violation.location));
        let again = replay(&Analyses::new(program), &trace.schedule, options.config.properties, &Budget::unlimited());
        assert_eq!(again, Ok(trace));
        true
    })
}

fn lost_update(locked: bool) -> Program {
    let mut b = Builder::new();
    let (x, m) = (b.global("x"), b.sync_object("m"));
    let body = |f: &mut Body| {
        if locked {
            f.lock(m);
        }
        f.increment(x);
        if locked {
            f.unlock(m);
        }
    };
    let first = b.function("first", 1, body);
    let second = b.function("second", 1, body);
    b.main(|f| {
        f.run_all(&[first, second]);
        f.assert_is(x, 2);
    })
}

#[test]
fn lost_update_is_found_by_explorer_and_random_runs() {
    let program = lost_update(false);
    let found = explored(&program, &[Property::Assert]);
    assert!(found.is_complete() && found.violates(Property::Assert));
    assert!(random_finds(&program, Property::Assert, 1000));
}

#[test]
fn a_mutex_prevents_it() {
    let program = lost_update(true);
    let found = explored(&program, &[Property::Assert, Property::NoDataRace, Property::NoDeadlock]);
    assert!(found.is_complete() && found.violations.is_empty(), "{:?}", found.violations);
    assert!(!random_finds(&program, Property::Assert, 200));
}

#[test]
fn pct_and_round_robin_find_what_they_can() {
    let program = lost_update(false);
    let visibility = Visibility::new(&program);
    let options = RunOptions::new(properties(&[Property::Assert]));
    let ends_badly = |scheduler: &mut dyn Scheduler| {
        let end = run(&program, &visibility, &options, scheduler, &mut FixedChoices(0), &Budget::unlimited()).end;
        matches!(end, End::Violated(_))
    };
    assert!((0..200).any(|seed| ends_badly(&mut Pct::new(seed, 2, 12))));
    assert!((0..200).all(|seed| !ends_badly(&mut Pct::new(seed, 1, 12))), "one more switch is needed");
    assert!(!ends_badly(&mut RoundRobin::new(1000)));
}

fn binomial(n: u128, k: u128) -> u128 {
    (0..k).fold(1, |value, i| value * (n - i) / (i + 1))
}

#[test]
fn executions_of_two_threads_of_independent_steps() {
    for n in 1..=12usize {
        let mut b = Builder::new();
        let (x, y) = (b.global("x"), b.global("y"));
        let first = b.function("first", 1, |f| (0..n).for_each(|i| _ = f.store(x, int(i as i64))));
        let second = b.function("second", 1, |f| (0..n).for_each(|i| _ = f.store(y, int(i as i64))));
        // The first thread's steps may come before the second is created: main creates both in one atomic section,
        // and joins in one, so that only the interleavings of the two are counted.
        let program = b.main(|f| {
            let mut handles = Vec::new();
            f.atomic(|f| handles = vec![f.spawn(first), f.spawn(second)]);
            f.atomic(|f| handles.iter().for_each(|&handle| f.join(handle)));
        });
        let found = explored(&program, &[Property::Assert]);
        assert_eq!(found.executions, Some(binomial(2 * n as u128, n as u128)), "n = {n}");
        assert!(found.is_complete() && !found.endless);
    }
}

/// The number of orders of three threads with so many steps each: a multinomial coefficient.
#[test]
fn executions_of_three_threads_of_independent_steps() {
    for steps in [[1, 1, 1], [2, 2, 2], [1, 2, 3], [3, 3, 3], [4, 1, 5], [5, 5, 5], [7, 7, 7]] {
        let mut b = Builder::new();
        let globals = ["x", "y", "z"].map(|name| b.global(name));
        let threads: Vec<_> = std::iter::zip(globals, steps)
            .map(|(global, n)| b.function("thread", 1, |f| (0..n).for_each(|i| _ = f.store(global, int(i)))))
            .collect();
        let program = b.main(|f| {
            let mut handles = Vec::new();
            f.atomic(|f| handles = threads.iter().map(|&thread| f.spawn(thread)).collect());
            f.atomic(|f| handles.iter().for_each(|&handle| f.join(handle)));
        });
        let [first, second, third] = steps.map(|n| n as u128);
        let orders = binomial(first + second, second) * binomial(first + second + third, third);
        let found = explored(&program, &[Property::Assert]);
        assert_eq!(found.executions, Some(orders), "{steps:?}");
        assert!(found.is_complete() && !found.endless);
    }
}

#[test]
fn choices_multiply_executions() {
    let mut b = Builder::new();
    let x = b.global("x");
    let program = b.main(|f| {
        let (a, c) = (f.nondet(), f.nondet());
        let sum = f.binary(BinaryOp::Add, a, c);
        f.store(x, sum);
        let bad = f.binary(BinaryOp::Ne, sum, int(4));
        f.assert(bad);
    });
    let options = |inputs| ExploreOptions {
        inputs,
        count_executions: true,
        ..ExploreOptions::new(properties(&[Property::Assert]))
    };
    let few = explore(&program, &options(0..=1), &Budget::unlimited());
    assert_eq!((few.executions, few.violations.len(), few.restricted_inputs), (Some(4), 0, true));
    let more = explore(&program, &options(0..=2), &Budget::unlimited());
    assert_eq!(more.violations.len(), 1);
    assert_eq!(more.violations[0].schedule.choices.by_thread, [vec![2, 2]]);
    assert!(!random_finds(&program, Property::NoOverflow, 0));
}

/// A thread that writes `x` and then goes no further, beside `assert(x == 0)`.
fn write_and_stop(stop: impl FnOnce(&mut Body, GlobalId)) -> Program {
    let mut b = Builder::new();
    let (x, m) = (b.global("x"), b.sync_object("m"));
    let writer = b.function("writer", 1, |f| {
        f.lock(m);
        f.store(x, int(1));
        stop(f, m);
    });
    b.main(|f| {
        f.spawn(writer);
        f.assert_is(x, 0);
    })
}

#[test]
fn effects_before_a_stop_count() {
    let stopped: [fn(&mut Body, GlobalId); 3] =
        [|f, _| f.assume(Operand::FALSE), |f, m| f.lock(m), |f, _| f.endless_loop()];
    for (index, stop) in stopped.into_iter().enumerate() {
        let program = write_and_stop(stop);
        let found = explored(&program, &[Property::Assert]);
        assert!(found.is_complete() && found.violates(Property::Assert), "case {index}");
        assert!(random_finds(&program, Property::Assert, 100), "case {index}");
    }
}

#[test]
fn an_endless_loop_that_works_is_cut() {
    let program = write_and_stop(|f, _| {
        let i = f.register(INT);
        let body = f.block();
        f.goto(body);
        f.go_on_in(body);
        let value =
            Rvalue::Binary { op: BinaryOp::Add, ty: INT, left: Operand::Register(i), right: int(1), signed: false };
        f.push(InstructionKind::Assign { target: i, value });
        f.goto(body);
    });
    let config = Config { fuel: 10_000, ..Config::new(properties(&[Property::Assert])) };
    let options = ExploreOptions { config, ..ExploreOptions::new(PropertySet::EMPTY) };
    let found = explore(&program, &options, &Budget::unlimited());
    assert!(found.violates(Property::Assert));
    assert!(matches!(found.incomplete[..], [Incomplete::Fuel { instructions: 10_000, .. }]));
}

#[test]
fn a_section_with_a_failing_assume_is_not_entered() {
    // The section writes 1 and can only be finished once `go` is set; nobody ever sees half of it.
    let mut b = Builder::new();
    let (x, go) = (b.global("x"), b.global("go"));
    let waiter = b.function("waiter", 1, |f| {
        f.atomic(|f| {
            f.store(x, int(1));
            let set = f.load(go);
            let is_set = f.equal(set, int(1));
            f.assume(is_set);
            f.store(x, int(2));
        });
    });
    let program = b.main(|f| {
        let handle = f.spawn(waiter);
        let seen = f.load(x);
        let not_half = f.binary(BinaryOp::Ne, seen, int(1));
        f.assert(not_half);
        f.assert_is(x, 0);
        f.store(go, int(1));
        f.join(handle);
        f.assert_is(x, 2);
    });
    let found = explored(&program, &[Property::Assert, Property::NoDeadlock]);
    assert!(found.is_complete() && found.violations.is_empty(), "{:?}", found.violations);
    assert!(!random_finds(&program, Property::Assert, 100));
}

#[test]
fn a_violation_before_the_failing_assume_counts() {
    let mut b = Builder::new();
    let x = b.global("x");
    let program = b.main(|f| {
        f.atomic(|f| {
            f.assert_is(x, 1);
            f.assume(Operand::FALSE);
        });
    });
    assert!(explored(&program, &[Property::Assert]).violates(Property::Assert));
}

#[test]
fn sections_exclude_each_other_and_everybody_else() {
    let mut b = Builder::new();
    let x = b.global("x");
    let body = |f: &mut Body| f.atomic(|f| f.increment(x));
    let (first, second) = (b.function("first", 1, body), b.function("second", 1, body));
    let program = b.main(|f| {
        f.run_all(&[first, second]);
        f.assert_is(x, 2);
    });
    let found = explored(&program, &[Property::Assert, Property::NoDataRace]);
    assert!(found.is_complete() && found.violations.is_empty(), "{:?}", found.violations);
}

#[test]
fn a_spin_loop_is_explored_completely() {
    let mut b = Builder::new();
    let (flag, x) = (b.global("flag"), b.global("x"));
    let setter = b.function("setter", 1, |f| {
        f.store(x, int(1));
        f.store(flag, int(1));
    });
    let program = b.main(|f| {
        f.spawn(setter);
        let (spin, done) = (f.block(), f.block());
        f.goto(spin);
        f.go_on_in(spin);
        let seen = f.load(flag);
        let set = f.equal(seen, int(1));
        f.branch(set, done, spin);
        f.go_on_in(done);
        f.assert_is(x, 1);
    });
    let found = explored(&program, &[Property::Assert, Property::NoDeadlock]);
    assert!(found.is_complete() && found.violations.is_empty() && found.endless);
    assert_eq!(found.executions, None);
}

#[test]
fn a_loop_that_allocates_comes_back_to_known_states() {
    let mut b = Builder::new();
    let stop = b.global("stop");
    let setter = b.function("setter", 1, |f| _ = f.store(stop, int(1)));
    let helper = b.function("helper", 0, |f| {
        let local = f.local("buffer", 8);
        f.push(InstructionKind::Begin { local });
        f.store_as(Operand::Local { local, offset: 0 }, int(5), INT, MemoryOrder::NonAtomic);
        f.push(InstructionKind::End { local });
    });
    let program = b.main(|f| {
        f.spawn(setter);
        let (spin, done) = (f.block(), f.block());
        f.goto(spin);
        f.go_on_in(spin);
        let memory = f.allocate(16);
        f.free(memory);
        f.push(InstructionKind::Call { target: None, callee: Callee::Direct(helper), arguments: Vec::new() });
        let seen = f.load(stop);
        let set = f.equal(seen, int(1));
        f.branch(set, done, spin);
        f.go_on_in(done);
    });
    let found = explored(&program, &[Property::Assert, Property::ValidMemcleanup]);
    assert!(found.is_complete() && found.violations.is_empty() && found.endless, "{:?}", found.incomplete);
    assert!(found.states < 100, "{}", found.states);
}

#[test]
fn all_outputs_are_collected() {
    let mut b = Builder::new();
    let print = |letter: u8| {
        move |f: &mut Body| {
            f.push(InstructionKind::Library {
                target: None,
                function: LibraryFunction::Putchar,
                arguments: vec![int(i64::from(letter))],
            });
        }
    };
    let x = b.global("x");
    let step = |letter: u8| {
        move |f: &mut Body| {
            f.store(x, int(1));
            print(letter)(f);
        }
    };
    let (first, second) = (b.function("first", 1, step(b'a')), b.function("second", 1, step(b'b')));
    let program = b.main(|f| f.run_all(&[first, second]));
    assert_eq!(printed(&program), ["ab", "ba"]);
}

/// What a program can print; it ends well in every execution.
fn printed(program: &Program) -> Vec<String> {
    let options = ExploreOptions { collect_observations: true, ..ExploreOptions::new(PropertySet::EMPTY) };
    let found = explore(program, &options, &Budget::unlimited());
    let output = |seen: &Observation| {
        assert_eq!(seen.ending, Ending::Exit(0));
        String::from_utf8_lossy(&seen.output).into_owned()
    };
    found.observations.iter().map(output).collect()
}

#[test]
fn limits_are_reported() {
    let program = lost_update(false);
    let options = ExploreOptions { max_states: 5, ..ExploreOptions::new(properties(&[Property::Assert])) };
    let found = explore(&program, &options, &Budget::unlimited());
    assert_eq!(found.incomplete, [Incomplete::States(5)]);
    let visibility = Visibility::new(&program);
    let options = RunOptions { max_steps: Some(3), ..RunOptions::new(PropertySet::EMPTY) };
    let (mut scheduler, mut choices) = (RoundRobin::new(1), FixedChoices(0));
    let result = run(&program, &visibility, &options, &mut scheduler, &mut choices, &Budget::unlimited());
    assert_eq!((result.end, result.steps), (End::StepLimit, 3));
}

#[test]
fn a_departing_schedule_is_refused_with_the_place() {
    let program = lost_update(true);
    let step = |thread| Step { thread: ThreadId(thread), location: None };
    let schedule = |threads: &[u32]| Schedule {
        steps: threads.iter().map(|&thread| step(thread)).collect(),
        choices: Choices::default(),
    };
    let replayed = |schedule: &Schedule| {
        replay(&Analyses::new(&program), schedule, properties(&[Property::Assert]), &Budget::unlimited())
    };
    let failure = replayed(&schedule(&[0, 5])).expect_err("there is no thread 5");
    assert_eq!((failure.step, failure.problem), (1, ReplayProblem::NoSuchThread));
    let failure = replayed(&schedule(&[0, 0, 1, 2])).expect_err("thread 2 waits for the mutex");
    assert_eq!(failure.step, 3);
    assert!(matches!(failure.problem, ReplayProblem::Refused(Refusal::Blocked(_))), "{failure}");
    let mut elsewhere = schedule(&[0]);
    elsewhere.steps[0].location = Some(Location { function: FunctionId(0), block: BlockId(0), index: 0 });
    let failure = replayed(&elsewhere).expect_err("main stands in main");
    assert_eq!(failure.problem, ReplayProblem::ElsewhereInCode);
    assert_eq!(replayed(&schedule(&[0])).expect_err("nothing happens").problem, ReplayProblem::NoViolation);
}

#[test]
fn a_saved_schedule_replays() {
    let program = lost_update(false);
    let found = explored(&program, &[Property::Assert]);
    let trace = &found.violations[0];
    let text = write_schedule(&trace.schedule);
    let schedule = parse_schedule(&text).expect("what was written");
    let again = replay(&Analyses::new(&program), &schedule, properties(&[Property::Assert]), &Budget::unlimited());
    assert_eq!(again.as_ref(), Ok(trace));
}

#[test]
fn events_tell_the_story() {
    let found = explored(&lost_update(false), &[Property::Assert]);
    let events = &found.violations[0].events;
    let read = |value: &str| TraceEventKind::Read { place: "x".to_owned(), value: value.to_owned() };
    let write = |value: &str| TraceEventKind::Write { place: "x".to_owned(), value: value.to_owned() };
    let count = |kind: &TraceEventKind| events.iter().filter(|event| event.kind == *kind).count();
    assert_eq!((count(&read("0")), count(&write("1")), count(&read("1"))), (2, 2, 1));
    assert!(matches!(events.last().map(|event| &event.kind), Some(TraceEventKind::Violated { .. })));
    assert!(events.iter().any(|event| matches!(&event.kind,
        TraceEventKind::Spawn { child: ThreadId(2), function } if function == "second")));
}
