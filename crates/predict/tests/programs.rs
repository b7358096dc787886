//! The paper's program families at small sizes, and programs with several places to go wrong.

mod common;

use common::Subject;
use predict::{AtomicityCounts, Model, PredictOptions, TransactionOptions};
use program::{Outcome, Property};

const FUSION: &str = "../../../bench/programs/fusion";

fn family(file: &str, defines: &[&str]) -> Subject {
    Subject::with_defines(&format!("{FUSION}/{file}"), defines)
}

fn assertion(file: &str, defines: &[&str]) -> Outcome {
    let subject = family(file, defines);
    let run = subject.record_by_priority(&[]);
    subject.outcome(&run, Property::Assert, &PredictOptions::default())
}

fn counts(clients: &str, fix: &str, jobs: usize) -> AtomicityCounts {
    let subject = family("bank.c", &[clients, fix]);
    let run = subject.record_by_priority(&[]);
    let transactions = TransactionOptions { functions: vec!["transfer".to_owned()], regions: false };
    let options = PredictOptions { transactions, jobs, ..PredictOptions::default() };
    subject.predict(&run, Property::Atomicity, &options).atomicity.expect("candidates are counted")
}

#[test]
fn money_is_lost_only_by_the_broken_bank() {
    assert!(matches!(assertion("banking.c", &["CLIENTS=6"]), Outcome::HoldsUpTo(_)));
    assert!(matches!(assertion("banking.c", &["CLIENTS=6", "BROKEN"]), Outcome::Violated(_)));
}

#[test]
fn the_index_counts_wrong_only_if_it_is_broken_and_crowded() {
    assert!(matches!(assertion("indexer.c", &["THREADS=13"]), Outcome::HoldsUpTo(_)));
    assert!(matches!(assertion("indexer.c", &["THREADS=13", "BROKEN"]), Outcome::Violated(_)));
    assert!(matches!(assertion("indexer.c", &["THREADS=11", "BROKEN"]), Outcome::HoldsUpTo(_)));
}

#[test]
fn reservations_remove_half_or_all_of_the_violations() {
    for (fix, violations) in [("FIX=0", 16), ("FIX=1", 8), ("FIX=2", 0)] {
        for jobs in [1, 3] {
            let found = counts("CLIENTS=4", fix, jobs);
            assert_eq!((found.transactions, found.after_must_happen_before), (4, 16), "{fix}");
            assert_eq!(found.violations, violations, "{fix} with {jobs} jobs");
        }
    }
}

#[test]
fn a_place_that_never_fails_alone_is_found() {
    for file in ["places/both_fail.c", "places/either_fails.c"] {
        let subject = Subject::from_file(file);
        let run = subject.record_by_priority(&[1, 2, 0]);
        let prediction = subject.predict(&run, Property::Assert, &PredictOptions::default());
        let lines: std::collections::BTreeSet<u32> =
            prediction.findings.iter().map(|trace| trace.violation.span.line).collect();
        assert_eq!(lines.len(), 2, "{file}: {lines:?}");
    }
}

#[test]
fn numbers_of_threads_are_not_values_of_the_run() {
    let subject = Subject::from_file("places/global_handle.c");
    for priority in [&[1, 2, 0], &[0, 1, 2], &[2, 0, 1]] {
        let run = subject.record_by_priority(priority);
        for model in [Model::Full, Model::Constrained] {
            let options = PredictOptions { model, ..PredictOptions::default() };
            let outcome = subject.outcome(&run, Property::Assert, &options);
            assert!(matches!(outcome, Outcome::Violated(_)), "{priority:?} {model:?}: {outcome:?}");
        }
    }
}
