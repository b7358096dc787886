//! The paper's program families at small sizes, and programs with several places to go wrong.

mod common;

use std::collections::BTreeSet;

use common::Subject;
use predict::{CandidateCounts, ContextBound, Model, PredictOptions, TransactionOptions, judge_atomicity};
use program::{Analyses, Outcome, Property, UnknownReason};

const FUSION: &str = "../../../bench/programs/fusion";

fn family(file: &str, defines: &[&str]) -> Subject {
    Subject::with_defines(&format!("{FUSION}/{file}"), defines)
}

fn assertion(file: &str, defines: &[&str]) -> Outcome {
    let subject = family(file, defines);
    let run = subject.record_by_priority(&[]);
    subject.outcome(&run, Property::Assert, &PredictOptions::default())
}

fn counts(clients: &str, fix: &str, jobs: usize) -> CandidateCounts {
    let subject = family("bank.c", &[clients, fix]);
    let run = subject.record_by_priority(&[]);
    let transactions = TransactionOptions { functions: vec!["transfer".to_owned()], regions: false };
    let options = PredictOptions { transactions, jobs, ..PredictOptions::default() };
    let prediction = subject.predict(&run, Property::Atomicity, &options);
    *prediction.candidates_of(Property::Atomicity).expect("candidates are counted")
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
            assert_eq!((found.transactions, found.after_must_happen_before), (Some(4), Some(16)), "{fix}");
            assert_eq!(found.possible, violations, "{fix} with {jobs} jobs");
        }
    }
}

#[test]
fn threads_may_come_and_go_in_a_transaction() {
    for defines in [&[][..], &["MAIN"]] {
        let subject = Subject::with_defines("places/threads_in_transaction.c", defines);
        let run = subject.record_by_priority(&[0]);
        let transactions = TransactionOptions { functions: vec!["transaction".to_owned()], regions: false };
        let options = PredictOptions { transactions, ..PredictOptions::default() };
        let prediction = subject.predict(&run, Property::Atomicity, &options);
        let lines: BTreeSet<u32> = prediction.findings.iter().map(|trace| trace.violation.span.line).collect();
        assert_eq!(lines, BTreeSet::from([19, 22]), "{defines:?}");
    }
}

#[test]
fn jobs_do_not_change_what_is_found() {
    let subject = Subject::from_file("places/many_assertions.c");
    let run = subject.record_by_priority(&[1]);
    let found = |jobs| {
        let options = PredictOptions { jobs, ..PredictOptions::default() };
        subject.predict(&run, Property::Assert, &options).findings
    };
    let one_by_one = found(1);
    assert_eq!(one_by_one.len(), 40);
    assert_eq!(one_by_one, found(3));
}

#[test]
fn few_context_switches_interrupt_a_transaction() {
    for (fix, is_violated) in [("FIX=0", true), ("FIX=2", false)] {
        let subject = family("bank.c", &["CLIENTS=3", fix]);
        let run = subject.record_by_priority(&[]);
        let transactions = TransactionOptions { functions: vec!["transfer".to_owned()], regions: false };
        let options = PredictOptions { transactions, context_bound: ContextBound::Auto, ..PredictOptions::default() };
        match subject.outcome(&run, Property::Atomicity, &options) {
            Outcome::Violated(_) if is_violated => {}
            Outcome::HoldsUpTo(bounds) if !is_violated => assert_eq!(bounds.context_switches, None, "{bounds}"),
            other => panic!("{fix}: {other:?}"),
        }
    }
}

/// The judge of schedules knows nothing of predictions and sees the same.
#[test]
fn a_predicted_interruption_is_seen_in_its_schedule() {
    let subject = family("bank.c", &["CLIENTS=3"]);
    let run = subject.record_by_priority(&[]);
    let transactions = TransactionOptions { functions: vec!["transfer".to_owned()], regions: false };
    let options = PredictOptions { transactions: transactions.clone(), ..PredictOptions::default() };
    let findings = subject.predict(&run, Property::Atomicity, &options).findings;
    assert!(findings.len() > 1);
    for trace in &findings {
        let judge = |parts| judge_atomicity(&Analyses::new(&subject.program), &trace.schedule, parts);
        let seen = judge(&transactions).expect("the transaction is interrupted");
        assert_eq!(seen.violation.location, trace.violation.location);
        assert_eq!(seen.violation.message, trace.violation.message);
        assert!(judge(&TransactionOptions::default()).is_none(), "nothing is meant to be atomic");
    }
}

#[test]
fn candidates_for_races_are_counted_at_each_step() {
    let subject = Subject::from_file("places/race_candidates.c");
    let run = subject.record_by_priority(&[0]);
    let prediction = subject.predict(&run, Property::NoDataRace, &PredictOptions::default());
    let counts = prediction.candidates_of(Property::NoDataRace).expect("candidates are counted");
    let steps: Vec<usize> = counts.steps().into_iter().map(|(_, count)| count).collect();
    assert_eq!(steps, [3, 2, 1, 1]);
}

/// What the unfolding does not support cannot matter to a property that no recorded instruction can violate.
#[test]
fn what_cannot_go_wrong_in_the_run_holds() {
    let subject = Subject::with_defines("places/printed_key.c", &["SHARED"]);
    let run = subject.record_by_priority(&[1, 2]);
    let outcome = |property| subject.outcome(&run, property, &PredictOptions::default());
    assert!(matches!(outcome(Property::UnreachCall), Outcome::HoldsUpTo(_)));
    assert!(matches!(outcome(Property::Assert), Outcome::Unknown(_)));
}

/// `snprintf` gives what it gave in the run; only where its arguments may differ the answer is unknown.
#[test]
fn results_of_the_run_are_constants() {
    let outcome = |defines: &[&str]| {
        let subject = Subject::with_defines("places/printed_key.c", defines);
        let run = subject.record_by_priority(&[1, 2]);
        subject.outcome(&run, Property::Assert, &PredictOptions::default())
    };
    assert!(matches!(outcome(&[]), Outcome::HoldsUpTo(_)));
    assert!(matches!(outcome(&["BROKEN"]), Outcome::Violated(_)));
    let Outcome::Unknown(UnknownReason::Unsupported { what, .. }) = outcome(&["SHARED"]) else {
        panic!("the second key depends on the order");
    };
    assert!(what.contains("snprintf"), "{what}");
}

#[test]
fn a_place_that_never_fails_alone_is_found() {
    for file in ["places/both_fail.c", "places/either_fails.c"] {
        let subject = Subject::from_file(file);
        let run = subject.record_by_priority(&[1, 2, 0]);
        let prediction = subject.predict(&run, Property::Assert, &PredictOptions::default());
        let lines: BTreeSet<u32> = prediction.findings.iter().map(|trace| trace.violation.span.line).collect();
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
