//! The paper's way through the engine `interp`: one verification with reachability and conditional interpolants, without reductions
//! (crate `interp`, module `verification`).

use std::collections::VecDeque;

use base::{Budget, Statistics, StopReason};
use interp::{BlockEncoding, Conclusion, InterpolantMode, Verification};
use program::{Property, PropertySet, Schedule, UnknownReason};

use crate::engine::{Fact, Job};

/// What the user may choose: where predicates come from, and how much is one edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PaperOptions {
    pub interpolants: InterpolantMode,
    pub encoding: BlockEncoding,
}

/// The facts about the properties, with what was counted on the way.
pub fn conclude(
    job: &Job<'_>,
    options: PaperOptions,
    asked: PropertySet,
    budget: &Budget,
    statistics: &mut Statistics,
) -> Result<VecDeque<Fact>, StopReason> {
    let mut verification = Verification::new(job.analyses, asked, options.interpolants, options.encoding);
    let result = verification.run(Verification::limits(), budget);
    statistics.merge(&verification.statistics);
    let unknown =
        |text: String| asked.iter().map(|one| Fact::Unknown(one, UnknownReason::Limit(text.clone()))).collect();
    Ok(match result? {
        Conclusion::Proved => asked.iter().map(Fact::Proved).collect(),
        Conclusion::Violated(property, schedule) => match replayed(job, property, schedule) {
            Some(fact) => VecDeque::from([fact]),
            None => unknown(NO_EXECUTION.to_owned()),
        },
        Conclusion::Unsupported(what) | Conclusion::Unknown(what) => unknown(what),
    })
}

/// Why a violation is not told that does not replay.
pub const NO_EXECUTION: &str = "a counterexample of the abstraction that is no execution";

/// The violation, if the schedule leads to it.
pub fn replayed(job: &Job<'_>, property: Property, schedule: Schedule) -> Option<Fact> {
    let only = PropertySet::of(&[property]);
    let trace = execute::replay(job.analyses, &schedule, only, &Budget::unlimited()).ok()?;
    (trace.violation.property == property).then_some(Fact::Violation(property, schedule))
}

/// The tree of a verification as text or for Graphviz, and whether the budget ended it before.
pub struct ArtDrawing {
    pub text: String,
    pub dot: String,
    pub is_partial: bool,
}

/// The last abstract reachability tree of a program.
pub fn draw_art(job: &Job<'_>, options: PaperOptions, budget: &Budget) -> ArtDrawing {
    let mut verification = Verification::new(job.analyses, job.properties, options.interpolants, options.encoding);
    let is_partial = verification.run(Verification::limits(), budget).is_err();
    ArtDrawing { text: verification.tree_text(), dot: verification.tree_dot(), is_partial }
}
