//! A mutant through the default engine and the explorer. The engine may give up, but it may not prove what the explorer
//! refutes, and nothing may panic. What the engine finds it has replayed; the explorer, who tries few inputs, need not
//! find it too.

use std::time::Duration;

use program::{Outcome, Property};

use crate::differential::{Disagreement, DisagreementKind};
use crate::subject::{Checking, Exploring, Subject};

/// What comes of asking both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JointAnswer {
    /// Not a program.
    Rejected,
    /// The engine has no verdict, or one for a bound.
    Open,
    Proved,
    Violated,
}

/// How long each of the two may think. A multiple of it counts as a hang.
pub const TIMEOUT: Duration = Duration::from_secs(1);

const MAX_STATES: u64 = 5_000;

/// Asks both about the property that `seed` chooses.
pub fn agree(text: &str, seed: u64) -> Result<JointAnswer, Disagreement> {
    let all: Vec<Property> = Property::of_executions().collect();
    let property = all[(seed % all.len() as u64) as usize];
    let Ok(subject) = Subject::from_text(text) else { return Ok(JointAnswer::Rejected) };
    let engine = engines::ENGINES[0];
    let checking = Checking { timeout: TIMEOUT, ..Checking::default() };
    let outcome = subject.check(engine, property, &checking).map_err(|broken| by(engine.name(), broken.into()))?;
    let exploring =
        Exploring { inputs: 0..=1, max_states: MAX_STATES, count_executions: false, timeout: Some(TIMEOUT) };
    let exploration = subject.explore(property, &exploring).map_err(|broken| by("explorer", broken.into()))?;
    match outcome {
        Outcome::Proved if exploration.violates(property) => {
            Err(by(engine.name(), DisagreementKind::MissedViolation { proved: true }))
        }
        Outcome::Proved => Ok(JointAnswer::Proved),
        Outcome::Violated(_) => Ok(JointAnswer::Violated),
        Outcome::HoldsUpTo(_) | Outcome::Unknown(_) => Ok(JointAnswer::Open),
    }
}

fn by(who: &'static str, kind: DisagreementKind) -> Disagreement {
    Disagreement { who, property: None, kind }
}
