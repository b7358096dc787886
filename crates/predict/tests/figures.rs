//! The examples of the paper behave as its text says.

mod common;

use common::Subject;
use predict::{ContextBound, Model, PredictOptions};
use program::{Outcome, Property};

fn with_model(model: Model) -> PredictOptions {
    PredictOptions { model, ..PredictOptions::default() }
}

fn is_violated(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Violated(_))
}

fn holds(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::HoldsUpTo(bounds) if bounds.recorded_runs == Some(1))
}

#[test]
fn figure_1_needs_the_full_model() {
    let subject = Subject::from_file("figures/figure_1.c");
    let run = subject.record_by_priority(&[0]);
    assert!(is_violated(&subject.outcome(&run, Property::Assert, &with_model(Model::Full))));
    assert!(holds(&subject.outcome(&run, Property::Assert, &with_model(Model::Constrained))));
}

#[test]
fn figure_7_is_predicted_by_values_alone() {
    let subject = Subject::from_file("figures/figure_7.c");
    let run = subject.record_by_priority(&[0]);
    for model in [Model::Full, Model::Constrained] {
        assert!(is_violated(&subject.outcome(&run, Property::Assert, &with_model(model))), "{model:?}");
    }
}

#[test]
fn figure_1_needs_two_context_switches() {
    let subject = Subject::from_file("figures/figure_1.c");
    let run = subject.record_by_priority(&[0]);
    let bounded = |context_bound| PredictOptions { context_bound, ..PredictOptions::default() };
    let one = subject.outcome(&run, Property::Assert, &bounded(ContextBound::AtMost(1)));
    assert!(matches!(&one, Outcome::HoldsUpTo(bounds) if bounds.context_switches == Some(1)), "{one:?}");
    assert!(is_violated(&subject.outcome(&run, Property::Assert, &bounded(ContextBound::AtMost(2)))));
    assert!(is_violated(&subject.outcome(&run, Property::Assert, &bounded(ContextBound::Auto))));
}

#[test]
fn an_answer_for_a_few_contexts_is_lifted_where_the_bound_does_not_matter() {
    let subject = Subject::from_file("figures/figure_11.c");
    let run = subject.record_by_priority(&[0, 1]);
    let options = PredictOptions { context_bound: ContextBound::Auto, ..PredictOptions::default() };
    let outcome = subject.outcome(&run, Property::Assert, &options);
    assert!(matches!(&outcome, Outcome::HoldsUpTo(bounds) if bounds.context_switches.is_none()), "{outcome:?}");
}

#[test]
fn one_run_of_figure_11_does_not_tell() {
    let subject = Subject::from_file("figures/figure_11.c");
    for priority in [[0, 1, 2], [0, 2, 1]] {
        let run = subject.record_by_priority(&priority);
        assert!(holds(&subject.outcome(&run, Property::Assert, &PredictOptions::default())), "{priority:?}");
    }
}
