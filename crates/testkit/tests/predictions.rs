//! Predictions from one recorded run against the explorer, restricted to reorderings of that run. More of it is
//! `cargo xtask predictions`.

use std::time::Duration;

use program::Property;
use testkit::predictions::{PredictionOptions, compare_prediction};
use testkit::{Features, generate};

fn compare_many(property: Property, features: &str, seeds: std::ops::Range<u64>) {
    compare_with(PredictionOptions::new(property, 5_000, Duration::from_secs(60)), features, seeds);
}

fn compare_with(options: PredictionOptions, features: &str, seeds: std::ops::Range<u64>) {
    let features = Features::parse(features).expect("known features");
    let (mut violated, mut decided) = (0, 0);
    for seed in seeds {
        let text = generate(seed, features).to_string();
        let compared = compare_prediction(&text, seed, &options);
        assert!(compared.mistakes.is_empty(), "seed {seed}: {:?}\n{text}", compared.mistakes);
        decided += u32::from(compared.skipped.is_none());
        violated += u32::from(compared.is_violated);
    }
    assert!(decided > 10 && violated > 2, "{decided} decided, {violated} violated: too few to tell anything");
}

#[test]
fn assertions_are_predicted_exactly() {
    compare_many(Property::Assert, "core", 150..210);
}

#[test]
fn deadlocks_are_predicted_exactly() {
    compare_many(Property::NoDeadlock, "core,conditions,semaphores", 1..41);
}

#[test]
fn misused_locks_are_predicted_exactly() {
    compare_many(Property::LockMisuse, "core,misuses", 1..41);
}

#[test]
fn races_are_predicted_exactly() {
    compare_many(Property::NoDataRace, "locks,loops", 1..31);
}

#[test]
fn few_context_switches_find_only_what_is_possible() {
    let options = PredictionOptions::new(Property::Assert, 5_000, Duration::from_secs(60));
    compare_with(PredictionOptions { context_bound: Some(3), ..options }, "core", 150..180);
}

#[test]
fn merged_runs_find_what_each_of_them_does() {
    let options = PredictionOptions::new(Property::Assert, 3_000, Duration::from_secs(60));
    compare_with(PredictionOptions { runs: 2, ..options }, "core", 150..190);
}

#[test]
fn atomicity_violations_are_predicted_exactly() {
    compare_many(Property::Atomicity, "locks,loops", 1..61);
}
