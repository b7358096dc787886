//! What the executions of a check reach, for its report.

use std::time::Instant;

use portfolio::Report;
use portfolio::vacuity::{self, Extent, LineCoverage, Question, Target};
use program::Outcome;
use report::coverage::{Lines, Missed, Reach, Unreached};

use crate::arguments::{Format, OutputArguments};
use crate::failure::CommandFailure;

/// Asks what is not reached, and about lines if the user wants to see them. The competition's line has no room for it.
pub fn reach(
    output: &OutputArguments,
    only: bool,
    question: &Question<'_>,
    report: &Report,
    started: Instant,
) -> Result<Reach, CommandFailure> {
    let mut reach = Reach::default();
    if output.format == Format::Svcomp || question.budget.check().is_err() {
        return Ok(reach);
    }
    // An engine alone, or one whose queries are shown, is asked for nothing else, unless its answer may be worth nothing.
    let is_apart = only || output.dumps_queries();
    let is_bounded = report.outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::HoldsUpTo(_)));
    if !is_apart || is_bounded {
        let unreached = vacuity::unreached(question, report, started.elapsed())?;
        reach.unreached = unreached.iter().map(shown).collect();
    }
    if output.coverage {
        reach.lines = vacuity::lines(question, report)?.into_iter().map(lines).collect();
    }
    Ok(reach)
}

fn shown(one: &vacuity::Unreached) -> Unreached {
    let what = match one.target {
        Target::Assertion => Missed::Assertion,
        Target::ThreadStart => Missed::ThreadStart,
        Target::End => Missed::End,
    };
    Unreached { what, span: one.span, never: one.extent == Extent::Never }
}

fn lines(of: LineCoverage) -> Lines {
    let list = |lines: std::collections::BTreeSet<_>| lines.into_iter().collect();
    Lines { function: of.function, reached: list(of.reached), never: list(of.never), open: list(of.open) }
}
