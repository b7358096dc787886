//! Data races: exactly the unordered conflicting accesses.

mod build;

use base::Budget;
use build::*;
use execute::*;
use program::*;

fn race(program: &Program) -> Option<Violation> {
    let properties = PropertySet::of(&[Property::NoDataRace]);
    let found = explore(program, &ExploreOptions::new(properties), &Budget::unlimited());
    assert!(found.is_complete());
    let by_run = random_race(program);
    let violation = found.violations.first().map(|trace| trace.violation.clone());
    assert_eq!(by_run, violation.is_some(), "random runs and explorer should agree");
    violation
}

fn random_race(program: &Program) -> bool {
    let visibility = Visibility::new(program);
    let options = RunOptions::new(PropertySet::of(&[Property::NoDataRace]));
    (0..300).any(|seed| {
        let (mut scheduler, mut choices) = (RandomScheduler::new(seed), RandomChoices::new(seed));
        let result = run(program, &visibility, &options, &mut scheduler, &mut choices, &Budget::unlimited());
        matches!(result.end, End::Violated(_))
    })
}

fn two_threads(
    globals: impl Fn(&mut Builder) -> Vec<GlobalId>,
    first: impl Fn(&mut Body, &[GlobalId]),
    second: impl Fn(&mut Body, &[GlobalId]),
) -> Program {
    let mut b = Builder::new();
    let globals = globals(&mut b);
    let one = b.function("one", 1, |f| first(f, &globals));
    let two = b.function("two", 1, |f| second(f, &globals));
    b.main(|f| f.run_all(&[one, two]))
}

fn x_and_m(b: &mut Builder) -> Vec<GlobalId> {
    vec![b.global("x"), b.sync_object("m")]
}

#[test]
fn unordered_writes_race_and_both_places_are_told() {
    let program = two_threads(x_and_m, |f, g| _ = f.store(g[0], int(1)), |f, g| _ = f.load(g[0]));
    let violation = race(&program).expect("a race");
    let (thread, span, what) = &violation.related[0];
    assert_ne!(*thread, violation.thread);
    assert_ne!(span.line, violation.span.line);
    assert!(what.contains("s x = ") && violation.message.contains("data race on x"), "{}", violation.message);
    assert_eq!(violation.message.matches("holding no lock").count(), 2, "{}", violation.message);
}

#[test]
fn reads_do_not_race_and_locks_order() {
    let program = two_threads(x_and_m, |f, g| _ = f.load(g[0]), |f, g| _ = f.load(g[0]));
    assert_eq!(race(&program), None);
    let locked = |f: &mut Body, g: &[GlobalId]| {
        f.lock(g[1]);
        f.increment(g[0]);
        f.unlock(g[1]);
    };
    assert_eq!(race(&two_threads(x_and_m, locked, locked)), None);
    let half = two_threads(x_and_m, locked, |f, g| f.increment(g[0]));
    assert!(race(&half).is_some());
}

#[test]
fn atomic_accesses_race_only_with_plain_ones() {
    let atomic_store = |f: &mut Body, g: &[GlobalId]| _ = f.store_as(address(g[0]), int(1), INT, MemoryOrder::Relaxed);
    let atomic_load = |f: &mut Body, g: &[GlobalId]| _ = f.load_as(address(g[0]), INT, MemoryOrder::Relaxed);
    assert_eq!(race(&two_threads(x_and_m, atomic_store, atomic_store)), None);
    assert_eq!(race(&two_threads(x_and_m, atomic_store, atomic_load)), None);
    assert!(race(&two_threads(x_and_m, atomic_store, |f, g| _ = f.load(g[0]))).is_some());
    assert!(race(&two_threads(x_and_m, |f, g| _ = f.store(g[0], int(1)), atomic_load)).is_some());
    assert_eq!(race(&two_threads(x_and_m, |f, g| _ = f.load(g[0]), atomic_load)), None);
}

#[test]
fn an_atomic_flag_hands_data_over() {
    let message = |order: MemoryOrder| {
        two_threads(
            x_and_m,
            move |f, g| {
                f.store(g[0], int(1));
                f.store_as(address(g[1]), int(1), INT, order);
            },
            move |f, g| {
                let flag = f.load_as(address(g[1]), INT, order);
                let set = f.equal(flag, int(1));
                f.assume(set);
                f.load(g[0]);
            },
        )
    };
    assert_eq!(race(&message(MemoryOrder::SequentiallyConsistent)), None);
    assert!(race(&message(MemoryOrder::Relaxed)).is_some());
    assert!(race(&message(MemoryOrder::NonAtomic)).is_some());
}

#[test]
fn create_and_join_hand_over() {
    let mut b = Builder::new();
    let x = b.global("x");
    let child = b.function("child", 1, |f| f.increment(x));
    let program = b.main(|f| {
        f.store(x, int(1));
        let handle = f.spawn(child);
        f.join(handle);
        f.increment(x);
    });
    assert_eq!(race(&program), None);
}

#[test]
fn neighbouring_bytes_do_not_race() {
    let byte = |offset: i64| {
        move |f: &mut Body, g: &[GlobalId]| {
            let address = Operand::Global { global: g[0], offset };
            f.store_as(address, Operand::int(8, 1), Type::Int(8), MemoryOrder::NonAtomic);
        }
    };
    assert_eq!(race(&two_threads(x_and_m, byte(0), byte(1))), None);
    assert!(race(&two_threads(x_and_m, byte(1), byte(1))).is_some());
    assert!(race(&two_threads(x_and_m, byte(1), |f, g| _ = f.load(g[0]))).is_some());
}

#[test]
fn a_section_orders_only_with_sections() {
    let section = |f: &mut Body, g: &[GlobalId]| f.atomic(|f| f.increment(g[0]));
    assert_eq!(race(&two_threads(x_and_m, section, section)), None);
    assert!(race(&two_threads(x_and_m, section, |f, g| f.increment(g[0]))).is_some());
}

#[test]
fn free_is_a_write() {
    let program = |joined: bool| {
        let mut b = Builder::new();
        let reader = b.function("reader", 1, |f| {
            let pointer = f.parameter(0);
            f.load_as(pointer, INT, MemoryOrder::NonAtomic);
        });
        b.main(|f| {
            let memory = f.allocate(4);
            f.store_as(memory, int(1), INT, MemoryOrder::NonAtomic);
            let handle = f.spawn_with(reader, memory);
            if joined {
                f.join(handle);
            }
            f.free(memory);
        })
    };
    assert!(race(&program(false)).is_some());
    assert_eq!(race(&program(true)), None);
}

#[test]
fn the_end_of_a_life_is_a_write() {
    let program = |joined: bool| {
        let mut b = Builder::new();
        let reader = b.function("reader", 1, |f| {
            let pointer = f.parameter(0);
            f.load_as(pointer, INT, MemoryOrder::NonAtomic);
        });
        b.main(|f| {
            let local = f.local("v", 4);
            let place = Operand::Local { local, offset: 0 };
            f.push(InstructionKind::Begin { local });
            f.store_as(place, int(1), INT, MemoryOrder::NonAtomic);
            let handle = f.spawn_with(reader, place);
            if joined {
                f.join(handle);
            }
            f.push(InstructionKind::End { local });
        })
    };
    let violation = race(&program(false)).expect("a race");
    assert!(violation.message.contains(" v"), "{}", violation.message);
    assert_eq!(race(&program(true)), None);
}
