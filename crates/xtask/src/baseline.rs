//! `cargo xtask baseline`: what every engine says about every test program, and the event graphs, as lines of text. Written
//! before a change of structure and compared after it, they show what the change did not mean to do.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use engines::{ContextOptions, ENGINES, Engine, EngineOptions, PROVERS, UnwindLimits};
use program::{Outcome, Property};
use testkit::event_graphs::graphs_of;
use testkit::expectation::options_at_the_head;
use testkit::in_parallel;
use testkit::program_tests::discover;
use testkit::subject::{Checking, Subject};

#[derive(Args)]
pub struct Arguments {
    /// Compare with this file, written before, instead of printing.
    #[arg(long)]
    compare: Option<PathBuf>,
    /// The programs, files or folders.
    #[arg(default_value = "tests/programs")]
    programs: Vec<PathBuf>,
    /// Rounds of each loop.
    #[arg(long, default_value_t = 2)]
    unwind: u32,
    /// Seconds for one engine and one program. What takes longer is `stopped`, which compares equal to everything.
    #[arg(long, default_value_t = 5)]
    timeout: u64,
    /// Print whole event graphs instead of their numbers of lines and hashes.
    #[arg(long)]
    graphs: bool,
    /// Ask no engine: only the event graphs, which takes a minute instead of an hour.
    #[arg(long)]
    graphs_only: bool,
}

const STOPPED: &str = "stopped";

pub fn run(arguments: &Arguments) -> ExitCode {
    let mut programs = Vec::new();
    for path in &arguments.programs {
        match discover(path) {
            Ok(found) if path.is_dir() => programs.extend(found),
            _ => programs.push(path.clone()),
        }
    }
    let lines: BTreeMap<String, String> =
        in_parallel(&programs, |path| describe(arguments, path)).into_iter().flatten().collect();
    let Some(before) = &arguments.compare else {
        lines.iter().for_each(|(what, answer)| println!("{what}: {answer}"));
        return ExitCode::SUCCESS;
    };
    match std::fs::read_to_string(before) {
        Ok(before) => compare(&before, &lines),
        Err(error) => {
            eprintln!("{}: {error}", before.display());
            ExitCode::from(2)
        }
    }
}

/// One line for each engine and each graph: of which program and by whom, and what it is.
fn describe(arguments: &Arguments, path: &Path) -> Vec<(String, String)> {
    let who = |name: &str| format!("{} {name}", path.display());
    let options = std::fs::read_to_string(path).map_err(|error| error.to_string());
    let options = options.and_then(|text| options_at_the_head(&text));
    let subject = match options.and_then(|options| Subject::from_file_with(path, &options)) {
        Ok(subject) => subject,
        Err(message) => return vec![(who("front end"), message)],
    };
    let mut lines = Vec::new();
    for engine in ENGINES.into_iter().chain(PROVERS).filter(|_| !arguments.graphs_only) {
        lines.push((who(engine.name()), ask(arguments, engine, &subject)));
    }
    match graphs_of(&subject) {
        Ok(graphs) => {
            for (name, graph) in graphs {
                let text = graph.to_string();
                let shown = if arguments.graphs { format!("\n{text}") } else { summary(&text) };
                lines.push((who(&format!("{name} event graph")), shown));
            }
        }
        Err(message) => lines.push((who("event graph"), message)),
    }
    lines
}

/// The answers to all properties, on one line.
fn ask(arguments: &Arguments, engine: &dyn Engine, subject: &Subject) -> String {
    let contexts = ContextOptions { context_bound: Some(2), ..ContextOptions::default() };
    let checking = Checking {
        unwind: UnwindLimits { exactly: Some(arguments.unwind), at_most: None },
        only: true,
        options: EngineOptions { contexts, ..EngineOptions::default() },
        timeout: Duration::from_secs(arguments.timeout),
        work: None,
    };
    let report = match subject.report_on_all(engine, Property::of_executions().collect(), &checking) {
        Ok(report) => report,
        Err(broken) => return format!("broken: {broken:?}"),
    };
    if report.stopped.is_some() {
        return STOPPED.to_owned();
    }
    let mut text = String::new();
    for (property, outcome) in &report.outcomes {
        let outcome = match outcome {
            Outcome::Violated(trace) => format!("violated at line {}", trace.violation.span.line),
            Outcome::Proved => "proved".to_owned(),
            Outcome::HoldsUpTo(bounds) => format!("holds up to {bounds}"),
            Outcome::Unknown(reason) => format!("unknown, {reason}"),
        };
        write!(text, "{}{property} {outcome}", if text.is_empty() { "" } else { "; " })
            .expect("strings take everything");
    }
    text
}

fn summary(text: &str) -> String {
    let mut hasher = std::hash::DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{} lines, {:016x}", text.lines().count(), hasher.finish())
}

fn compare(before: &str, now: &BTreeMap<String, String>) -> ExitCode {
    let before: BTreeMap<&str, &str> = before.lines().filter_map(|line| line.split_once(": ")).collect();
    let whats: BTreeSet<&str> = before.keys().copied().chain(now.keys().map(String::as_str)).collect();
    let (mut different, mut stopped) = (0, 0);
    for what in &whats {
        match (before.get(what).copied(), now.get(*what).map(String::as_str)) {
            (Some(STOPPED), _) | (_, Some(STOPPED)) => stopped += 1,
            (old, new) if old == new => {}
            (old, new) => {
                different += 1;
                println!("{what}\n  before: {}\n  now:    {}", old.unwrap_or("-"), new.unwrap_or("-"));
            }
        }
    }
    println!("{} lines: {different} different, {stopped} stopped by the time limit", whats.len());
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
