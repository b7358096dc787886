//! The examples of the paper behave as its text says.

mod common;

use base::Budget;
use common::Subject;
use predict::search::unfold_trace;
use predict::{ContextBound, Model, PredictOptions, TraceProgram, cssa, predict};
use program::{Analyses, Outcome, Property, PropertySet, Visibility};

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

#[test]
fn figure_5_is_violated_in_a_prefix_only() {
    let subject = Subject::from_file("figures/figure_5.c");
    let run = subject.record_by_priority(&[0]);
    let prediction = subject.predict(&run, Property::Atomicity, &PredictOptions::default());
    assert!(is_violated(&prediction.outcomes[0].1));
    let counts = prediction.candidates_of(Property::Atomicity).expect("candidates should be counted");
    assert_eq!((counts.transactions, counts.candidates, counts.possible), (Some(1), 1, 1));
    let complete = PredictOptions { complete_only: true, ..PredictOptions::default() };
    assert!(holds(&subject.outcome(&run, Property::Atomicity, &complete)));
}

#[test]
fn figure_9_is_silent_unless_values_are_ignored() {
    for (name, relaxed_reports) in [("figures/figure_9a.c", true), ("figures/figure_9b.c", false)] {
        let subject = Subject::from_file(name);
        let run = subject.record_by_priority(&[0]);
        assert!(holds(&subject.outcome(&run, Property::Atomicity, &PredictOptions::default())), "{name}");
        let relaxed = subject.predict(&run, Property::Atomicity, &with_model(Model::Relaxed));
        let reported = relaxed.candidates_of(Property::Atomicity).expect("candidates should be counted").possible > 0;
        assert_eq!(reported, relaxed_reports, "{name}");
        assert!(!is_violated(&relaxed.outcomes[0].1), "{name}: what may be impossible is not a violation");
    }
}

#[test]
fn jobs_do_not_change_the_answer() {
    let subject = Subject::from_file("figures/figure_5.c");
    let run = subject.record_by_priority(&[0]);
    let several = PredictOptions { jobs: 3, ..PredictOptions::default() };
    assert!(is_violated(&subject.outcome(&run, Property::Atomicity, &several)));
}

/// The π-sets of Figure 3, in the order of the uses.
#[test]
fn figure_1_has_the_pi_sets_of_figure_3() {
    let subject = Subject::from_file("figures/figure_1.c");
    let run = subject.record_by_priority(&[0]);
    let trace = TraceProgram::new(&subject.program, &Visibility::new(&subject.program), &[run], Model::Full)
        .expect("a fitting record");
    let graph = unfold_trace(&trace, PropertySet::of(&[Property::Assert]), true, &Budget::unlimited());
    let text = cssa(&subject.program, &graph.expect("a run should unfold"));
    let sets: Vec<&str> =
        text.lines().filter_map(|line| Some(line.split_once("<- π(")?.1.trim_end_matches(')'))).collect();
    let expected = [
        "x_0",
        "l_0, l_5, l_6",
        "l_1, l_5, l_6",
        "l_2, l_5, l_6",
        "l_3, l_5, l_6",
        "l_0, l_1, l_2, l_3, l_4",
        "x_0, x_1, x_2",
        "y_0, y_1",
        "l_0, l_1, l_2, l_3, l_4, l_5",
    ];
    assert_eq!(sets, expected, "{text}");
}

#[test]
fn figure_11_is_violated_when_its_branches_are_merged() {
    let subject = Subject::from_file("figures/figure_11.c");
    let runs = [[0, 1, 2], [0, 2, 1]].map(|priority| subject.record_by_priority(&priority));
    let properties = PropertySet::of(&[Property::Assert]);
    let (options, budget) = (PredictOptions::default(), Budget::unlimited());
    let merged = predict(&Analyses::new(&subject.program), &runs, properties, &options, &budget);
    assert!(is_violated(&merged.expect("a prediction").outcomes[0].1));
}
