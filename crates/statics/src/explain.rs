//! A survey in words: what orders each pair of accesses, grouped by object, and which pairs nothing orders.

use std::collections::BTreeSet;
use std::fmt::Write;

use program::Program;

use crate::analysis::GivenUp;
use crate::survey::{RacePair, RaceSurvey, Reason, Side};

/// For people; ends with a line break.
pub fn explain(program: &Program, survey: Result<&RaceSurvey, &GivenUp>) -> String {
    match survey {
        Ok(survey) => explain_survey(program, survey),
        Err(reason) => format!("race freedom: the static analysis is inconclusive: {}\n", given_up(program, reason)),
    }
}

fn explain_survey(program: &Program, survey: &RaceSurvey) -> String {
    let open = survey.undischarged().count();
    let mut text = match (survey.pairs.len(), open) {
        (0, _) => "race freedom: no two threads access the same memory in conflicting ways\n".to_owned(),
        (pairs, 0) => format!("race freedom: all {pairs} pairs of conflicting accesses are ordered\n"),
        (pairs, open) => format!("race freedom: {open} of {pairs} pairs of conflicting accesses may not be ordered\n"),
    };
    let mut object = None;
    for pair in &survey.pairs {
        if object != Some(&pair.object) {
            object = Some(&pair.object);
            line(&mut text, format_args!("  {}", pair.object));
        }
        line(&mut text, format_args!("    {}", describe(program, pair)));
    }
    text
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    writeln!(text, "{content}").expect("writing to a string should succeed");
}

fn describe(program: &Program, pair: &RacePair) -> String {
    let side = |side: Side| format!("{} at {}", side.kind.name(), program.files.describe(program.span(side.location)));
    let why = pair.reasons.as_ref().map_or_else(|| "NOT ORDERED".to_owned(), reasons);
    format!("{}, {}: {why}", side(pair.first), side(pair.second))
}

fn reasons(reasons: &BTreeSet<Reason>) -> String {
    let words: Vec<&str> = reasons.iter().map(|reason| reason.words()).collect();
    words.join("; or ")
}

impl Reason {
    pub fn words(self) -> &'static str {
        match self {
            Reason::Creation => "one comes before the thread of the other is created",
            Reason::Join => "one comes after the thread of the other is joined",
            Reason::AtomicSections => "both are in atomic sections",
            Reason::Lock => "both hold the same lock",
            Reason::LockBeside => "both hold the lock stored next to the accessed object",
            Reason::BeforePublication => "one comes before the object is published to other threads",
        }
    }
}

fn given_up(program: &Program, reason: &GivenUp) -> String {
    match reason {
        GivenUp::Stopped(reason) => reason.to_string(),
        GivenUp::TooLarge | GivenUp::LongLoop(..) => "the program exceeds the effort limit of the analysis".to_owned(),
        GivenUp::Unsupported(location) => {
            format!("an unsupported construct may be executed at {}", program.files.describe(program.span(*location)))
        }
        GivenUp::WildPointer => "an integer of unknown provenance may be used as a pointer".to_owned(),
    }
}
