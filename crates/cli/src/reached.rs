//! What the executions of a check reach, for its report.

use std::time::Instant;

use engines::vacuity::{self, Extent, LineCoverage, Target};
use engines::{Engine, Job, Report};
use program::Outcome;
use report::coverage::{Lines, Missed, Reach, Unreached};

use crate::arguments::{CheckArguments, Format};
use crate::failure::Failure;

/// Asks what is not reached, and about lines if the user wants to see them. The competition's line has no room for it.
pub fn reach(
    arguments: &CheckArguments,
    engine: &dyn Engine,
    job: &Job<'_>,
    report: &Report,
    started: Instant,
) -> Result<Reach, Failure> {
    let mut reach = Reach::default();
    if arguments.format == Format::Svcomp || job.budget.check().is_err() {
        return Ok(reach);
    }
    // An engine alone, or one whose queries are shown, is asked for nothing else, unless its answer may be worth nothing.
    let is_apart = arguments.only || arguments.dumps.dump_cnf.is_some() || arguments.dumps.dump_smt2.is_some();
    let is_bounded = report.outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::HoldsUpTo(_)));
    if !is_apart || is_bounded {
        let unreached = vacuity::unreached(engine, job, report, started.elapsed())?;
        reach.unreached = unreached.iter().map(shown).collect();
    }
    if arguments.coverage {
        reach.lines = vacuity::lines(engine, job, report)?.into_iter().map(lines).collect();
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
