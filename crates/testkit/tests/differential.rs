//! Generated programs with fixed seeds: every engine against the explorer.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use program::{Property, PropertySet};
use testkit::differential::{DifferentialOptions, Grade, TreeVariants, Truth, compare, shrink_disagreement};
use testkit::generate::{ThreadSize, generate_sized};
use testkit::order_programs::generate_order_program;
use testkit::{Features, generate, guard};

/// Compares `count` programs and fails with the shrunk text of each disagreement.
fn agree(first_seed: u64, count: u64, features: Features) {
    let (violated, safe) = agree_on(Property::Assert, first_seed, count, features);
    assert!(violated > count / 5 && safe > count / 5, "unbalanced: {violated} violated, {safe} safe of {count}");
}

/// As [`agree`], about any property; returns how many programs violate it and how many do not.
fn agree_on(property: Property, first_seed: u64, count: u64, features: Features) -> (u64, u64) {
    // The time limit only keeps a hanging engine from hanging the test.
    let timeout = Duration::from_secs(300);
    let options = DifferentialOptions { max_states: 20_000, timeout, ..DifferentialOptions::on(property) };
    let next = AtomicU64::new(0);
    let worker = || {
        let (mut violated, mut safe, mut reports) = (0, 0, Vec::new());
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return (violated, safe, reports);
            }
            let program = generate(first_seed + index, features);
            let comparison = compare(&program.to_string(), &options);
            match comparison.truth(property) {
                Truth::Violated => violated += 1,
                Truth::Safe => safe += 1,
                Truth::Skipped(_) => {}
            }
            for found in &comparison.disagreements {
                let small = shrink_disagreement(&program, found, &options);
                reports.push(format!("seed {}: {found}\n{small}", first_seed + index));
            }
            let leaks = matches!(property, Property::ValidMemtrack | Property::ValidMemcleanup);
            for (engine, _, reason) in comparison.undecided().filter(|_| !leaks) {
                reports.push(format!("seed {}: {engine} does not know: {reason}", first_seed + index));
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let results: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        running.into_iter().map(|handle| handle.join().expect("a test worker should not panic")).collect()
    });
    let violated: u64 = results.iter().map(|(violated, _, _)| violated).sum();
    let safe: u64 = results.iter().map(|(_, safe, _)| safe).sum();
    let reports: Vec<&str> = results.iter().flat_map(|(_, _, reports)| reports).map(String::as_str).collect();
    assert!(reports.is_empty(), "{} disagreements:\n{}", reports.len(), reports.join("\n"));
    (violated, safe)
}

#[test]
fn engines_agree_with_the_explorer_on_memory_and_arithmetic() {
    let memory = Features::parse("core,heap,stack,pointers,arrays,wild-indexes").expect("known features");
    let arithmetic = Features::parse("core,wild-arithmetic").expect("known features");
    for (property, features, count) in [
        (Property::ValidDeref, memory, 60),
        (Property::ValidFree, memory, 60),
        (Property::ValidMemtrack, memory, 60),
        (Property::ValidMemcleanup, memory, 60),
        (Property::NoOverflow, arithmetic, 60),
        (Property::NoDivByZero, arithmetic, 60),
        // Rarely is a count out of range.
        (Property::NoBadShift, arithmetic, 300),
    ] {
        let (violated, safe) = agree_on(property, 20_001, count, features);
        assert!(violated > 2 && safe > 2, "{property}: {violated} violated, {safe} safe");
    }
}

#[test]
fn engines_agree_with_the_explorer_on_core_programs() {
    agree(1, 200, Features::core());
}

#[test]
fn engines_agree_with_the_explorer_on_programs_that_all_of_them_know() {
    let known = "all,-function-tables,-lock-origins,-attempts,-failing-calls,-thread-arguments,-structs,\
                 -pointer-unions,-orders";
    agree(10_001, 100, Features::parse(known).expect("known features"));
}

/// A part of what `cargo xtask differential --small --guarded` does.
#[test]
fn every_engine_alone_agrees_on_all_properties_of_small_programs_with_everything() {
    const COUNT: u64 = 120;
    let properties =
        [Property::Assert, Property::NoDataRace, Property::NoDeadlock, Property::ValidDeref, Property::LockMisuse];
    let options = DifferentialOptions {
        properties: PropertySet::of(&properties),
        max_states: 5_000,
        max_leaves: 1_000,
        tree_variants: TreeVariants::Reduced,
        timeout: Duration::from_secs(60),
        ..DifferentialOptions::default()
    };
    let (mut known, mut skipped, mut decided, mut open) = (0, 0, 0, 0);
    for seed in 1..=COUNT {
        let mut program = generate_sized(seed, Features::all(), ThreadSize::Small);
        if seed.is_multiple_of(3) {
            guard(&mut program, seed, Features::all());
        }
        let comparison = compare(&program.to_string(), &options);
        assert!(comparison.disagreements.is_empty(), "seed {seed}: {:?}\n{program}", comparison.disagreements);
        let is_skipped = |truth: &Truth| matches!(truth, Truth::Skipped(_));
        skipped += comparison.truths.iter().filter(|(_, truth)| is_skipped(truth)).count();
        known += comparison.truths.iter().filter(|(_, truth)| !is_skipped(truth)).count();
        let order = || comparison.answers.iter().filter(|answer| answer.who == "order");
        decided += order().filter(|answer| answer.grade == Grade::Right).count();
        open += order().filter(|answer| answer.grade != Grade::Right).count();
    }
    assert!(
        known > 9 * skipped && decided > 4 * open,
        "{known} known, {skipped} skipped; {decided} decided, {open} open"
    );
}

#[test]
fn engines_agree_with_the_explorer_on_memory_orders() {
    let options = DifferentialOptions {
        max_states: 20_000,
        timeout: Duration::from_secs(60),
        ..DifferentialOptions::on(Property::NoDataRace)
    };
    let (mut violated, mut safe) = (0, 0);
    for seed in 1..=120 {
        let text = generate_order_program(seed);
        let comparison = compare(&text, &options);
        assert!(comparison.disagreements.is_empty(), "seed {seed}: {:?}\n{text}", comparison.disagreements);
        let truth = comparison.truth(Property::NoDataRace);
        violated += u32::from(truth == Truth::Violated);
        safe += u32::from(truth == Truth::Safe);
    }
    assert!(violated > 20 && safe > 20, "{violated} with a race, {safe} without");
}
