//! The static survey of races against the explorer: it may leave races to others, but it may not prove their absence
//! where the explorer finds one.

use std::time::Duration;

use base::Budget;
use program::Property;

use crate::subject::{Broken, Exploring, Subject, caught};

/// What comes of asking both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RaceVerdict {
    /// The program does not compile.
    Rejected(String),
    /// The explorer did not see everything, and no race; what the survey said.
    Unseen {
        proved: bool,
    },
    Racy,
    RaceFree {
        proved: bool,
    },
    /// Wrong: proved, although there is a race.
    Refuted,
    /// Wrong: something panicked.
    Panicked(String),
}

const MAX_STATES: u64 = 3_000;
const TIMEOUT: Duration = Duration::from_secs(2);

/// Whether the survey proves that the program has no race.
pub fn is_proved(subject: &Subject) -> bool {
    statics::survey(&subject.program, &Budget::unlimited()).is_ok_and(|survey| survey.is_race_free())
}

/// Asks both about preprocessed text.
pub fn judge(text: &str) -> RaceVerdict {
    let subject = match Subject::from_text(text) {
        Ok(subject) => subject,
        Err(message) => return RaceVerdict::Rejected(message),
    };
    let proved = match caught(|| is_proved(&subject)) {
        Ok(proved) => proved,
        Err(message) => return RaceVerdict::Panicked(message),
    };
    let exploring =
        Exploring { inputs: 0..=1, max_states: MAX_STATES, count_executions: false, timeout: Some(TIMEOUT) };
    match subject.explore(Property::NoDataRace, &exploring) {
        Err(Broken::Panic(message) | Broken::EngineBug(message)) => RaceVerdict::Panicked(message),
        Ok(found) if found.violates(Property::NoDataRace) && proved => RaceVerdict::Refuted,
        Ok(found) if found.violates(Property::NoDataRace) => RaceVerdict::Racy,
        Ok(found) if found.is_complete() => RaceVerdict::RaceFree { proved },
        Ok(_) => RaceVerdict::Unseen { proved },
    }
}

/// The text with as many lines taken away as the mistake allows.
pub fn shrink_text(text: &str, is_wrong: impl Fn(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut size = (lines.len() / 2).max(1);
    loop {
        let mut start = 0;
        let mut shrunk = false;
        while start < lines.len() {
            let end = (start + size).min(lines.len());
            let candidate: Vec<&str> = lines[..start].iter().chain(&lines[end..]).copied().collect();
            if is_wrong(&(candidate.join("\n") + "\n")) {
                lines = candidate;
                shrunk = true;
            } else {
                start = end;
            }
        }
        match (shrunk, size) {
            (false, 1) => return lines.join("\n") + "\n",
            (false, _) => size /= 2,
            (true, _) => {}
        }
    }
}
