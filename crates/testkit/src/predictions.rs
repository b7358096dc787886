//! The engine `predict` against the restricted explorer, on one random run of a program.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use base::Budget;
use execute::{RandomScheduler, ReplayedChoices};
use predict::{Model, Ordering, PredictError, PredictOptions, Prediction, Recording, predict, record};
use program::{Choices, Location, Outcome, Property, PropertySet, UnknownReason};

use crate::recorded_explorer::{Reorderings, explore_reorderings};
use crate::subject::{Subject, caught};

/// What to compare, and how far to go.
#[derive(Clone, Copy, Debug)]
pub struct PredictionOptions {
    pub property: Property,
    /// Recordings with more states are skipped.
    pub max_states: u64,
    pub timeout: Duration,
}

/// One run, compared.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    pub states: u64,
    pub is_violated: bool,
    /// Not everything was seen, or the engine gave no answer: the reason.
    pub skipped: Option<String>,
    pub mistakes: Vec<Mistake>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mistake {
    Rejected(String),
    Broken(String),
    /// The explorer finds a reordering that violates the property, the engine does not.
    Missed(&'static str),
    /// The engine finds something, and the explorer has seen that there is nothing.
    FalseAlarm(&'static str),
    /// A place where the explorer sees no violation.
    WrongPlace,
    /// A place where only the explorer sees a violation.
    MissedPlace,
    /// A weaker model finds something that a stronger one does not.
    NotIncluded(&'static str),
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mistake::Rejected(message) => write!(f, "the program is not accepted: {message}"),
            Mistake::Broken(message) => write!(f, "broken: {message}"),
            Mistake::Missed(who) => write!(f, "{who} misses a violation that the explorer finds"),
            Mistake::FalseAlarm(who) => write!(f, "{who} finds a violation where the explorer has seen everything"),
            Mistake::WrongPlace => f.write_str("a violation at a place where the explorer sees none"),
            Mistake::MissedPlace => f.write_str("a violation at a place where only the explorer sees one"),
            Mistake::NotIncluded(which) => write!(f, "not included in a larger model: {which}"),
        }
    }
}

/// Records a run of `text` with this seed and compares.
pub fn compare_prediction(text: &str, seed: u64, options: &PredictionOptions) -> Compared {
    let subject = match Subject::from_text(text) {
        Ok(subject) => subject,
        Err(message) => return Compared { mistakes: vec![Mistake::Rejected(message)], ..Compared::default() },
    };
    match caught(|| compare(&subject, seed, options)) {
        Ok(compared) => compared,
        Err(message) => Compared { mistakes: vec![Mistake::Broken(message)], ..Compared::default() },
    }
}

fn compare(subject: &Subject, seed: u64, options: &PredictionOptions) -> Compared {
    let budget = Budget::with_timeout(options.timeout);
    // Inputs are zero: the judge and the engine take them from the record anyway.
    let mut choices = ReplayedChoices::new(&Choices::default());
    let mut scheduler = RandomScheduler::new(seed);
    let max_steps = Some(2_000);
    let recorded = record(&subject.program, subject.visibility(), &mut scheduler, &mut choices, max_steps, &budget);
    let Ok(recorded) = recorded else { return skipped("the program does not run") };
    let recording = recorded.recording;
    let judged =
        explore_reorderings(&subject.program, subject.visibility(), &recording, options.property, options.max_states);
    let judged = match judged {
        Ok(judged) => judged,
        Err(misfit) => {
            let mistakes = vec![Mistake::Broken(format!("a recording does not fit its program: {misfit}"))];
            return Compared { mistakes, ..Compared::default() };
        }
    };
    let is_violated = !judged.violations.is_empty();
    let mut compared = Compared { states: judged.states, is_violated, ..Compared::default() };
    if !judged.complete {
        compared.skipped = Some("more states than allowed".to_owned());
        return compared;
    }
    let mut found = Vec::new();
    for (who, model, ordering) in WAYS {
        match one(subject, &recording, options, model, ordering, &budget) {
            Ok(Some(prediction)) => {
                judge(who, model, &prediction, &judged, options.property, &mut compared.mistakes);
                found.push((model, is_found(&prediction)));
            }
            Ok(None) => compared.skipped = Some(format!("{who} gives no answer")),
            Err(message) => compared.mistakes.push(Mistake::Broken(format!("{who}: {message}"))),
        }
    }
    check_inclusion(&found, &mut compared.mistakes);
    compared
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

fn one(
    subject: &Subject,
    recording: &Recording,
    options: &PredictionOptions,
    model: Model,
    ordering: Ordering,
    budget: &Budget,
) -> Result<Option<Prediction>, String> {
    let how = PredictOptions { model, ordering, ..PredictOptions::default() };
    let properties = PropertySet::of(&[options.property]);
    let predicted =
        predict(&subject.program, subject.visibility(), std::slice::from_ref(recording), properties, &how, budget);
    let prediction = predicted.map_err(|error| match error {
        PredictError::Misfit(misfit) => misfit.to_string(),
        PredictError::Bug(bug) => bug.to_string(),
    })?;
    let is_open = matches!(
        prediction.outcomes[0].1,
        Outcome::Unknown(UnknownReason::Stopped(_) | UnknownReason::Unsupported { .. } | UnknownReason::NotChecked)
    );
    Ok((!is_open).then_some(prediction))
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
    mistakes: &mut Vec<Mistake>,
) {
    let (found, truth) = (is_found(prediction), !judged.violations.is_empty());
    if truth && !found && model != Model::Constrained {
        mistakes.push(Mistake::Missed(who));
    }
    if found && !truth && model != Model::Relaxed {
        mistakes.push(Mistake::FalseAlarm(who));
    }
    // Which of two accesses is named as the place of a race is a matter of taste.
    if model == Model::Full && matches!(property, Property::Assert | Property::UnreachCall) {
        let places: BTreeSet<Location> = prediction.findings.iter().map(|trace| trace.violation.location).collect();
        if !places.is_subset(&judged.violations) && truth {
            mistakes.push(Mistake::WrongPlace);
        }
        if !judged.violations.is_subset(&places) && found {
            mistakes.push(Mistake::MissedPlace);
        }
    }
}

fn check_inclusion(found: &[(Model, bool)], mistakes: &mut Vec<Mistake>) {
    let of = |model: Model| found.iter().find(|(known, _)| *known == model).map(|(_, found)| *found);
    let (full, constrained, relaxed) = (of(Model::Full), of(Model::Constrained), of(Model::Relaxed));
    if constrained == Some(true) && full == Some(false) {
        mistakes.push(Mistake::NotIncluded("constrained in full"));
    }
    if full == Some(true) && relaxed == Some(false) {
        mistakes.push(Mistake::NotIncluded("full in relaxed"));
    }
}
