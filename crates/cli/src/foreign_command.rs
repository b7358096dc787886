//! `gordian predict --trace X.std`: prediction from the trace of a program that we do not have.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use foreign::analysis::DEFAULT_WINDOW;
use foreign::{Kind, TraceAnalysis, TraceIndex, TraceOptions, TraceVerdict};
use program::{Property, PropertySet};
use report::foreign::ForeignReport;
use report::json::Invocation;

use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::predict_command::{PredictArguments, PredictFormat};
use crate::session::Session;

/// What only foreign traces need.
#[derive(Debug, Args)]
pub struct ForeignArguments {
    /// FILE is a trace of any program, one event per line: `T0|r(V1)|345`. So is every FILE ending in .std
    #[arg(long, help_heading = "Input")]
    trace: bool,
    /// Reorder this many events of an external trace at a time, in windows that overlap by half [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..), help_heading = "Predicting")]
    window: Option<u32>,
}

/// The foreign trace among the arguments, if that is what they name.
pub fn named_trace(arguments: &PredictArguments) -> Result<Option<&Path>, CommandFailure> {
    let files = &arguments.sources.files;
    let is_foreign = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "std");
    match &files[..] {
        [file] if arguments.foreign.trace || is_foreign(file) => Ok(Some(file)),
        files if arguments.foreign.trace || files.iter().any(is_foreign) => {
            Err(CommandFailure::Usage("give one external trace and no other file".to_owned()))
        }
        _ => Ok(None),
    }
}

pub fn predict(arguments: &PredictArguments, path: &Path, session: &Session) -> Result<Exit, CommandFailure> {
    let started = Instant::now();
    let budget = arguments.limits.budget(session);
    let bad = |what: String| CommandFailure::Usage(format!("{}: {what}", path.display()));
    let file = File::open(path).map_err(|error| bad(error.to_string()))?;
    let trace = foreign::parse(BufReader::new(file)).map_err(|error| bad(error.to_string()))?;
    let survey = TraceIndex::new(&trace).map_err(|error| bad(error.to_string()))?;
    let options = TraceOptions {
        kinds: kinds(arguments)?,
        atomic_regions: arguments.transactions.atomic_regions,
        window: arguments.foreign.window.map_or(DEFAULT_WINDOW, |window| window as usize),
    };
    let mut analysis = foreign::analyse(&survey, &options, &budget)
        .map_err(|wrong| CommandFailure::Bug(format!("a predicted order of events failed validation: {}", wrong.0)))?;
    let memory = base::budget::peak_resident_bytes().unwrap_or(0);
    analysis.statistics.count(base::statistics::size::PEAK_MEMORY, memory);
    let report = ForeignReport {
        file: &path.display().to_string(),
        trace: &trace,
        analysis: &analysis,
        window: options.window,
        window_is_chosen: arguments.foreign.window.is_some(),
        elapsed: started.elapsed(),
    };
    let exit = exit(&analysis, report.window_is_chosen);
    session.print(render(arguments, &report, exit).as_bytes());
    Ok(exit)
}

fn render(arguments: &PredictArguments, report: &ForeignReport<'_>, exit: Exit) -> String {
    let files = [report.file.to_owned()];
    let invocation = Invocation { version: env!("CARGO_PKG_VERSION"), files: &files, exit_code: exit.code() };
    match arguments.format {
        PredictFormat::Json => report::foreign::json(report, invocation),
        PredictFormat::Sarif => report::foreign::sarif(report, invocation),
        PredictFormat::Text => {
            let statistics = match arguments.stats {
                true => report::statistics::table(&report.analysis.statistics),
                false => String::new(),
            };
            report::foreign::text(report) + &statistics
        }
    }
}

fn kinds(arguments: &PredictArguments) -> Result<Vec<Kind>, CommandFailure> {
    let known = [
        (Property::NoDataRace, Kind::Race),
        (Property::NoDeadlock, Kind::Deadlock),
        (Property::Atomicity, Kind::Atomicity),
    ];
    if arguments.properties.named.is_empty() {
        let mut kinds = vec![Kind::Race, Kind::Deadlock];
        kinds.extend(arguments.transactions.atomic_regions.then_some(Kind::Atomicity));
        return Ok(kinds);
    }
    let all = known.iter().map(|(property, _)| *property).collect::<Vec<_>>();
    let selected = arguments.properties.selected();
    if let Some(other) = selected.iter().find(|property| !PropertySet::of(&all).contains(*property)) {
        let message =
            format!("{other} cannot be predicted without a program; no-data-race, no-deadlock and atomicity can");
        return Err(CommandFailure::Usage(message));
    }
    Ok(known.iter().filter(|(property, _)| selected.contains(*property)).map(|(_, kind)| *kind).collect())
}

/// As for outcomes: a bound that the user gave is no doubt.
fn exit(analysis: &TraceAnalysis, window_is_chosen: bool) -> Exit {
    let verdicts = analysis.verdicts();
    let holds = |verdict: &TraceVerdict| match verdict {
        TraceVerdict::Holds => true,
        TraceVerdict::HoldsInWindows => window_is_chosen,
        TraceVerdict::Violated | TraceVerdict::Unknown(_) => false,
    };
    if verdicts.iter().any(|(_, _, verdict)| *verdict == TraceVerdict::Violated) {
        Exit::Violated
    } else if verdicts.iter().all(|(_, _, verdict)| holds(verdict)) {
        Exit::Holds
    } else {
        Exit::Unknown
    }
}
