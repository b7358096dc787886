//! Invariants that somebody tells: each becomes an assertion at its place, and an engine is asked about all of them.

use std::path::PathBuf;

use base::{Budget, Statistics};
use engines::{Engine, EngineBug, NullObserver, UnwindLimits};
use frontend::placed_check::{Misplaced, PlacedCheck};
use frontend::{CompileOptions, Compiled};
use portfolio::{Check, NullListener, Strategy};
use program::{Analyses, Outcome, Program, Property, PropertySet};

/// What came of a set of invariants.
#[derive(Debug)]
pub struct Checked {
    /// The program with the invariants in it: violations are violations of this one.
    pub program: Program,
    /// Of all that could be placed.
    pub outcome: Outcome,
    /// Those that could not be.
    pub misplaced: Vec<Misplaced>,
    pub statistics: Statistics,
}

/// The front end refuses what is told, or we are wrong.
#[derive(Debug)]
pub enum CheckFailure {
    Input(frontend::CompileFailure),
    Bug(EngineBug),
}

/// Whether all of the invariants hold.
pub fn check(
    files: &[PathBuf],
    options: &CompileOptions,
    invariants: &[PlacedCheck],
    engine: &dyn Engine,
    budget: &Budget,
) -> Result<Checked, CheckFailure> {
    let instrumented = CompileOptions { checks: invariants.to_vec(), ..options.clone() };
    let Compiled { program, misplaced, .. } = frontend::compile(files, &instrumented).map_err(CheckFailure::Input)?;
    if misplaced.len() == invariants.len() {
        return Ok(Checked { program, outcome: Outcome::Proved, misplaced, statistics: Statistics::new() });
    }
    let asked = Check {
        analyses: &Analyses::new(&program),
        properties: PropertySet::of(&[Property::Assert]),
        strategy: &Strategy::check(engine),
        engine,
        unwind: UnwindLimits::default(),
        first: false,
        budget,
        observer: &NullObserver,
        listener: &NullListener,
    };
    let report = portfolio::check(&asked).map_err(CheckFailure::Bug)?;
    let answer = report.outcomes.into_iter().find(|(property, _)| *property == Property::Assert);
    let (_, outcome) =
        answer.ok_or_else(|| CheckFailure::Bug(EngineBug("no answer about the invariants".to_owned())))?;
    Ok(Checked { program, outcome, misplaced, statistics: report.statistics })
}
