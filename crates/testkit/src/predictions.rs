//! The engine `predict` against the restricted explorer, on one random run of a program.

use std::collections::BTreeSet;
use std::fmt;
use std::slice;
use std::time::Duration;

use base::Budget;
use execute::{RandomScheduler, ReplayedChoices};
use predict::atomicity::{Transaction, Unfinished, transactions};
use predict::{
    ContextBound, Model, Ordering, PredictError, PredictOptions, Prediction, Recording, TraceProgram,
    TransactionOptions, predict, record,
};
use program::{Choices, Location, Outcome, Property, PropertySet, UnknownReason};

use crate::recorded_explorer::{ExplorerExtent, Reorderings, explore_reorderings};
use crate::subject::{Subject, caught};

/// What to compare, and how far to go.
#[derive(Clone, Copy, Debug)]
pub struct PredictionOptions {
    pub property: Property,
    /// Recordings with more states are skipped.
    pub max_states: u64,
    pub timeout: Duration,
    /// Compare what so many context switches can do with what is possible at all instead.
    pub context_bound: Option<u32>,
    /// Merge so many runs, and compare with what each of them shows alone.
    pub runs: u64,
}

impl PredictionOptions {
    pub fn new(property: Property, max_states: u64, timeout: Duration) -> Self {
        Self { property, max_states, timeout, context_bound: None, runs: 1 }
    }
}

/// One run, compared.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    pub states: u64,
    pub is_violated: bool,
    /// Not everything was seen, or the engine gave no answer: the reason.
    pub skipped: Option<String>,
    pub mistakes: Vec<PredictionMistake>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PredictionMistake {
    Rejected(String),
    Broken(String),
    /// The explorer finds a reordering that violates the property, the engine does not.
    Missed(&'static str),
    /// The engine finds something, and the explorer has seen that there is nothing.
    FalseAlarm(&'static str),
    /// A place where the explorer sees no violation.
    WrongPlace,
    /// A place where only the explorer sees a violation.
    MissedPlace(Vec<Location>),
    /// A weaker model finds something that a stronger one does not.
    NotIncluded(&'static str),
}

impl fmt::Display for PredictionMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PredictionMistake::Rejected(message) => write!(f, "the program is not accepted: {message}"),
            PredictionMistake::Broken(message) => write!(f, "broken: {message}"),
            PredictionMistake::Missed(who) => write!(f, "{who} misses a violation that the explorer finds"),
            PredictionMistake::FalseAlarm(who) => {
                write!(f, "{who} finds a violation where the explorer has seen everything")
            }
            PredictionMistake::WrongPlace => f.write_str("a violation at a place where the explorer sees none"),
            PredictionMistake::MissedPlace(places) => write!(f, "only the explorer sees violations at {places:?}"),
            PredictionMistake::NotIncluded(which) => write!(f, "not included in a larger model: {which}"),
        }
    }
}

/// Records a run of `text` with this seed and compares.
pub fn compare_prediction(text: &str, seed: u64, options: &PredictionOptions) -> Compared {
    let subject = match Subject::from_text(text) {
        Ok(subject) => subject,
        Err(message) => {
            return Compared { mistakes: vec![PredictionMistake::Rejected(message)], ..Compared::default() };
        }
    };
    match caught(|| compare(&subject, seed, options)) {
        Ok(compared) => compared,
        Err(message) => Compared { mistakes: vec![PredictionMistake::Broken(message)], ..Compared::default() },
    }
}

fn compare(subject: &Subject, seed: u64, options: &PredictionOptions) -> Compared {
    let budget = Budget::with_timeout(options.timeout);
    let mut recordings = Vec::new();
    for run in 0..options.runs.max(1) {
        // Inputs are zero: the judge and the engine take them from the record anyway.
        let mut choices = ReplayedChoices::new(&Choices::default());
        let mut scheduler = RandomScheduler::new(seed.wrapping_add(run << 32));
        match record(&subject.analyses(), &mut scheduler, &mut choices, Some(2_000), &budget) {
            Ok(recorded) => recordings.push(recorded.recording),
            Err(_) => return skipped("the program does not run"),
        }
    }
    let mut compared = Compared::default();
    let mut judged = Vec::new();
    for recording in &recordings {
        let extent = ExplorerExtent {
            max_states: options.max_states,
            transactions: transactions_of(subject, recording, options.property),
        };
        match explore_reorderings(&subject.program, &subject.visibility(), recording, options.property, extent) {
            Ok(seen) => judged.push(seen),
            Err(misfit) => {
                let message = format!("a recording does not match its program: {misfit}");
                return Compared { mistakes: vec![PredictionMistake::Broken(message)], ..Compared::default() };
            }
        }
    }
    compared.states = judged.iter().map(|seen| seen.states).sum();
    compared.is_violated = judged.iter().any(|seen| !seen.violations.is_empty());
    if !judged.iter().all(|seen| seen.complete) {
        compared.skipped = Some("more states than allowed".to_owned());
        return compared;
    }
    match (options.context_bound, &recordings[..], &judged[..]) {
        (Some(bound), [recording], _) => compare_bounded(subject, recording, options, bound, &budget, &mut compared),
        (None, [recording], [judged]) => compare_models(subject, recording, options, judged, &budget, &mut compared),
        _ => compare_merged(subject, &recordings, options, &budget, &mut compared),
    }
    compared
}

/// Critical sections are meant to be atomic, and so is all that a thread does.
fn atomic_parts(subject: &Subject) -> TransactionOptions {
    let functions = subject.program.functions.iter().map(|function| function.name.clone());
    TransactionOptions { functions: functions.filter(|name| name.starts_with("thread")).collect(), regions: true }
}

fn transactions_of(subject: &Subject, recording: &Recording, property: Property) -> Vec<Transaction> {
    if property != Property::Atomicity {
        return Vec::new();
    }
    let recordings = slice::from_ref(recording);
    let trace = TraceProgram::new(&subject.program, &subject.visibility(), recordings, Model::Full);
    let parts = |trace: TraceProgram| {
        transactions(&subject.program, trace.paths(), &atomic_parts(subject), Unfinished::LeftOut)
    };
    trace.map(parts).unwrap_or_default()
}

fn compare_models(
    subject: &Subject,
    recording: &Recording,
    options: &PredictionOptions,
    judged: &Reorderings,
    budget: &Budget,
    compared: &mut Compared,
) {
    let mut found = Vec::new();
    for (who, model, ordering) in WAYS {
        let transactions = atomic_parts(subject);
        let how = PredictOptions { model, ordering, transactions, ..PredictOptions::default() };
        if let Some(prediction) = one(subject, slice::from_ref(recording), options, &how, who, budget, compared) {
            judge(who, model, &prediction, judged, options.property, &mut compared.mistakes);
            found.push((model, is_found(&prediction)));
        }
    }
    check_inclusion(&found, &mut compared.mistakes);
}

/// What few context switches can do is possible at all, and an answer that is lifted to any number is right. The switches
/// of a whole execution count, also those after the violation, which the explorer does not see.
fn compare_bounded(
    subject: &Subject,
    recording: &Recording,
    options: &PredictionOptions,
    bound: u32,
    budget: &Budget,
    compared: &mut Compared,
) {
    let mut ask = |who, context_bound| {
        let how = PredictOptions { context_bound, ..PredictOptions::default() };
        one(subject, slice::from_ref(recording), options, &how, who, budget, compared)
    };
    let (Some(full), Some(few)) = (ask("full", ContextBound::Unlimited), ask("bounded", ContextBound::AtMost(bound)))
    else {
        return;
    };
    if is_found(&few) && !compared.is_violated {
        compared.mistakes.push(PredictionMistake::FalseAlarm("bounded"));
    }
    if is_found(&few) && !is_found(&full) {
        compared.mistakes.push(PredictionMistake::NotIncluded("bounded in full"));
    }
    let is_lifted = matches!(&few.outcomes[0].1, Outcome::HoldsUpTo(bounds) if bounds.context_switches.is_none());
    if is_lifted && is_found(&full) {
        compared.mistakes.push(PredictionMistake::Missed("bounded, which claims to hold for all"));
    }
}

/// What one run shows, several show together.
fn compare_merged(
    subject: &Subject,
    recordings: &[Recording],
    options: &PredictionOptions,
    budget: &Budget,
    compared: &mut Compared,
) {
    let how = PredictOptions::default();
    let merged = one(subject, recordings, options, &how, "merged", budget, compared);
    if merged.is_some_and(|merged| compared.is_violated && !is_found(&merged)) {
        compared.mistakes.push(PredictionMistake::Missed("merged"));
    }
}

const WAYS: [(&str, Model, Ordering); 4] = [
    ("full", Model::Full, Ordering::Theory),
    ("full with clocks", Model::Full, Ordering::Clocks),
    ("constrained", Model::Constrained, Ordering::Theory),
    ("relaxed", Model::Relaxed, Ordering::Theory),
];

fn skipped(reason: &str) -> Compared {
    Compared { skipped: Some(reason.to_owned()), ..Compared::default() }
}

/// One prediction; `None` if it gives no answer or none is possible, which is noted.
fn one(
    subject: &Subject,
    recordings: &[Recording],
    options: &PredictionOptions,
    how: &PredictOptions,
    who: &'static str,
    budget: &Budget,
    compared: &mut Compared,
) -> Option<Prediction> {
    let properties = PropertySet::of(&[options.property]);
    match predict(&subject.analyses(), recordings, properties, how, budget) {
        Ok(prediction) => {
            let is_open = matches!(
                prediction.outcomes[0].1,
                Outcome::Unknown(
                    UnknownReason::Stopped(_) | UnknownReason::Unsupported { .. } | UnknownReason::NotChecked
                )
            );
            if is_open {
                compared.skipped = Some(format!("{who} gives no answer"));
            }
            (!is_open).then_some(prediction)
        }
        Err(PredictError::Misfit(misfit)) if recordings.len() > 1 => {
            compared.skipped = Some(format!("the runs cannot be merged: {misfit}"));
            None
        }
        Err(PredictError::Misfit(misfit)) => {
            compared.mistakes.push(PredictionMistake::Broken(format!("{who}: {misfit}")));
            None
        }
        Err(PredictError::Bug(bug)) => {
            compared.mistakes.push(PredictionMistake::Broken(format!("{who}: {bug}")));
            None
        }
    }
}

/// The relaxed model only says what may be.
fn is_found(prediction: &Prediction) -> bool {
    matches!(prediction.outcomes[0].1, Outcome::Violated(_) | Outcome::Unknown(UnknownReason::Limit(_)))
}

fn judge(
    who: &'static str,
    model: Model,
    prediction: &Prediction,
    judged: &Reorderings,
    property: Property,
    mistakes: &mut Vec<PredictionMistake>,
) {
    let (found, truth) = (is_found(prediction), !judged.violations.is_empty());
    if truth && !found && model != Model::Constrained {
        mistakes.push(PredictionMistake::Missed(who));
    }
    if found && !truth && model != Model::Relaxed {
        mistakes.push(PredictionMistake::FalseAlarm(who));
    }
    // Which of two accesses is named as the place of a race is a matter of taste.
    let has_places = matches!(property, Property::Assert | Property::UnreachCall | Property::Atomicity);
    if model == Model::Full && has_places {
        let places: BTreeSet<Location> = prediction.findings.iter().map(|trace| trace.violation.location).collect();
        if !places.is_subset(&judged.violations) && truth {
            mistakes.push(PredictionMistake::WrongPlace);
        }
        let missed: Vec<Location> = judged.violations.difference(&places).copied().collect();
        if !missed.is_empty() && found {
            mistakes.push(PredictionMistake::MissedPlace(missed));
        }
    }
}

fn check_inclusion(found: &[(Model, bool)], mistakes: &mut Vec<PredictionMistake>) {
    let of = |model: Model| found.iter().find(|(known, _)| *known == model).map(|(_, found)| *found);
    let (full, constrained, relaxed) = (of(Model::Full), of(Model::Constrained), of(Model::Relaxed));
    if constrained == Some(true) && full == Some(false) {
        mistakes.push(PredictionMistake::NotIncluded("constrained in full"));
    }
    if full == Some(true) && relaxed == Some(false) {
        mistakes.push(PredictionMistake::NotIncluded("full in relaxed"));
    }
}
