//! `gordian check`: read, check with an engine, report.

use std::time::Instant;

use base::Statistics;
use engines::{CheckOptions, Engine, Job};
use program::{Outcome, Property, Trace, Visibility};
use report::assumptions::assumptions;
use report::lanes::Extent;
use report::verdict::{self, TextOptions};
use report::{CheckReport, json, svcomp};

use crate::arguments::{CheckArguments, Format};
use crate::eog_folder::EogFolder;
use crate::exit_code::Exit;
use crate::failure::Failure;
use crate::input;
use crate::progress::ProgressLine;
use crate::saved_schedule;
use crate::session::Session;

pub fn check(arguments: &CheckArguments, session: &Session) -> Result<Exit, Failure> {
    let started = Instant::now();
    let engine = validate(arguments)?;
    let budget = arguments.limits.budget(session);
    let mut statistics = Statistics::new();
    let source = statistics.timed("reading time", || input::read(&arguments.sources, session))?;
    let selected = arguments.properties.selected();
    let line = ProgressLine::new(arguments.format == Format::Text);
    let observer = EogFolder::new(arguments.scar.dump_eog.as_deref(), &line)?;
    let options = CheckOptions {
        unwind: arguments.unwind,
        max_unwind: arguments.max_unwind,
        scar_refinement: arguments.scar.scar_refinement.into(),
        ..CheckOptions::default()
    };
    let answer = engine.check(&Job {
        program: &source.program,
        visibility: &Visibility::new(&source.program),
        properties: selected,
        options: &options,
        budget: &budget,
        observer: &observer,
    });
    line.finish();
    observer.finish()?;
    let answer = answer?;
    statistics.merge(&answer.statistics);
    let report = CheckReport {
        program: &source.program,
        checker: &format!("engine {}", engine.name()),
        outcomes: &answer.outcomes,
        assumptions: &assumptions(&source.program, selected, &source.assumptions),
        statistics: &statistics,
        elapsed: started.elapsed(),
    };
    let exit = Exit::of(&answer.outcomes);
    session.print(render(&report, arguments, exit, session).as_bytes());
    if let Some(path) = &arguments.trace.save_schedule {
        saved_schedule::save(path, first_violation(&answer.outcomes), session)?;
    }
    Ok(exit)
}

/// What clap cannot see: arguments that do not fit together.
fn validate(arguments: &CheckArguments) -> Result<&'static dyn Engine, Failure> {
    if arguments.format == Format::Svcomp && arguments.properties.named.len() != 1 {
        let text = "--format svcomp answers about exactly one property: give one --property";
        return Err(Failure::Usage(text.to_owned()));
    }
    let name = &arguments.engine;
    arguments.scar.fit(name)?;
    engines::engine_named(name).ok_or_else(|| Failure::Usage(format!("there is no engine `{name}`")))
}

fn render(report: &CheckReport<'_>, arguments: &CheckArguments, exit: Exit, session: &Session) -> String {
    match arguments.format {
        Format::Svcomp => svcomp::line(report.outcomes) + "\n",
        Format::Json => {
            let files: Vec<String> = arguments.sources.files.iter().map(|file| file.display().to_string()).collect();
            let version = env!("CARGO_PKG_VERSION");
            json::render(report, json::Invocation { version, files: &files, exit_code: exit.code() })
        }
        Format::Text => {
            let extent = extent(arguments.trace.full_trace);
            verdict::text(report, TextOptions { look: session.out, extent, statistics: arguments.stats })
        }
    }
}

pub fn extent(full: bool) -> Extent {
    if full { Extent::Full } else { Extent::Shortened }
}

pub fn first_violation(outcomes: &[(Property, Outcome)]) -> Option<&Trace> {
    outcomes.iter().find_map(|(_, outcome)| match outcome {
        Outcome::Violated(trace) => Some(&**trace),
        _ => None,
    })
}
