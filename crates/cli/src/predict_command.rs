//! `gordian predict` and `gordian record`: run once, and say what could have happened.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::statistics::{size, stage};
use base::{Budget, Statistics, budget};
use clap::{Args, ValueEnum};
use execute::{End, FixedChoices, RandomChoices, RandomScheduler, RoundRobin};
use predict::trace_text::{MAGIC, TraceFile, fingerprint, parse_trace, write_trace};
use predict::{ContextBound, Model, Ordering, PredictError, PredictOptions, Prediction, Recorded, Recording};
use program::{Analyses, EngineId, Outcome, Program, Property, PropertySet, Trace, VerdictArgument, VerdictProvenance};
use report::assumptions::assumptions;
use report::coverage::Reach;
use report::predicted::Predicted;
use report::verdict::{self, TextOptions};
use report::{CheckReport, json, sarif};

use crate::check::extent;
use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::foreign_command::{self, ForeignArguments};
use crate::input::{self, SourceArguments};
use crate::limits::{LimitArguments, parse_time};
use crate::native_runs;
use crate::properties::PropertyArguments;
use crate::saved_schedule::{self, ReplaySettings};
use crate::session::Session;
use crate::transaction_arguments::TransactionArguments;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gordian predict server.c -- --port 80            run once, with these arguments; predict all reorderings
  gordian predict server.c --record interpreter    ... in the interpreter, the same run for the same seed
  gordian predict server.c --runs 5                ... of five runs
  gordian predict server.c --context-bound auto    few context switches first
  gordian record server.c -o run.trace
  gordian predict run.trace                        what `gordian record` has recorded
  gordian predict --trace java.std                 a trace of another program, one event per line

Exit code 0 means: no violation in any reordering of the recorded runs.")]
pub struct PredictArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub properties: PropertyArguments,
    #[command(flatten)]
    recording: RecordingArguments,
    #[command(flatten)]
    pub foreign: ForeignArguments,
    /// How many runs to record; each takes the next seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..),
          help_heading = "Recording")]
    runs: u64,
    /// Which reorderings are looked at
    #[arg(long, value_enum, default_value_t = ModelName::Full, help_heading = "Predicting")]
    model: ModelName,
    /// Consider reorderings with at most this many context switches; `auto` counts up from 1 until a verdict is reached
    #[arg(long, value_name = "B", value_parser = parse_context_bound, help_heading = "Predicting")]
    context_bound: Option<ContextBound>,
    /// How the order of events is decided
    #[arg(long, value_enum, default_value_t = OrderingName::Theory, help_heading = "Predicting")]
    ordering: OrderingName,
    /// Only reorderings in which every other thread does all that it did in the run; else erroneous prefixes count
    #[arg(long, help_heading = "Predicting")]
    no_prefixes: bool,
    #[command(flatten)]
    pub transactions: TransactionArguments,
    /// Groups of candidates that are decided at a time; the answers are the same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256),
          help_heading = "Predicting")]
    jobs: u32,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Output format: text for people, json for tools, sarif for code scanning
    #[arg(long, value_enum, default_value_t = PredictFormat::Text, help_heading = "Output")]
    pub format: PredictFormat,
    /// Show times and sizes of all stages
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
    /// Save the interleavings of all violations, for `gordian replay`: the second goes to FILE-2 and so on
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    save_schedule: Option<PathBuf>,
    /// Show long interleavings in full
    #[arg(long, help_heading = "Output")]
    full_trace: bool,
    /// The arguments of main, as with --args
    #[arg(last = true, value_name = "ARGS")]
    program_arguments: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gordian record server.c -o run.trace
  gordian record server.c --output run.trace -- script.txt < input.txt")]
pub struct RecordArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    recording: RecordingArguments,
    /// Where the trace goes [default: standard output]
    #[arg(long, short = 'o', value_name = "TRACE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// The arguments of main, as with --args
    #[arg(last = true, value_name = "ARGS")]
    program_arguments: Vec<String>,
}

/// How a run is made.
#[derive(Debug, Args)]
struct RecordingArguments {
    /// How to run the program [default: native for .c files where it compiles, else interpreter]
    #[arg(long = "record", value_enum, help_heading = "Recording")]
    recorder: Option<Recorder>,
    /// End a native run after this time; what it did until then counts
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "60s", help_heading = "Limits")]
    run_timeout: Duration,
    /// The seed of the first run: its schedule and its inputs; 0 always runs the oldest enabled thread
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Recording")]
    seed: u64,
    /// Give up on a run after this many steps; what it did until then counts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    max_steps: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Recorder {
    /// The interpreter, with inputs and a schedule that the seed decides
    Interpreter,
    /// The machine: compiled by the system's C compiler, with real threads and your input
    Native,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ModelName {
    /// Every feasible one
    Full,
    /// Only those in which every read of shared memory gives what it gave in the run
    Constrained,
    /// Also those in which branches go against the values; such findings may be impossible
    Relaxed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OrderingName {
    /// The ordering theory inside the solver
    Theory,
    /// A clock for every event, for comparison
    Clocks,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PredictFormat {
    Text,
    Json,
    Sarif,
}

fn parse_context_bound(text: &str) -> Result<ContextBound, String> {
    match text {
        "auto" => Ok(ContextBound::Auto),
        _ => text.parse().map(ContextBound::AtMost).map_err(|_| "expected a number or `auto`".to_owned()),
    }
}

pub fn record(arguments: &RecordArguments, session: &Session) -> Result<Exit, CommandFailure> {
    let sources = with_arguments(&arguments.sources, &arguments.program_arguments, &arguments.recording);
    let source = input::read(&sources, session)?;
    let budget = arguments.limits.budget(session);
    let analyses = Analyses::new(&source.program);
    let recorder = arguments.recording.recorder(&sources);
    let recorded = run_once(&analyses, &arguments.recording, recorder, 0, &budget, session)?;
    let file = TraceFile {
        sources: sources.files.iter().map(|file| file.display().to_string()).collect(),
        arguments: sources.args,
        fingerprint: fingerprint(&source.program),
        recording: recorded.recording,
    };
    let text = write_trace(&file);
    match &arguments.output {
        Some(path) => std::fs::write(path, text)
            .map_err(|error| CommandFailure::Output(format!("{}: {error}", path.display())))?,
        None => session.print(text.as_bytes()),
    }
    Ok(Exit::Holds)
}

/// The sources with the arguments that follow `--`. A native run has arguments, even if there are none.
fn with_arguments(sources: &SourceArguments, given: &[String], recording: &RecordingArguments) -> SourceArguments {
    let mut sources = sources.clone();
    let native = recording.recorder(&sources) == Recorder::Native;
    if !given.is_empty() || (native && sources.args.is_none()) {
        sources.args = Some(given.to_vec());
    }
    sources.is_recorded = true;
    sources
}

impl RecordingArguments {
    /// Who runs the program. What was preprocessed elsewhere need not be a program for this machine.
    fn recorder(&self, sources: &SourceArguments) -> Recorder {
        let is_c = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c");
        let has_main = sources.thread.is_empty() && sources.entry.is_none();
        let otherwise = match sources.files.iter().all(is_c) && has_main {
            true => Recorder::Native,
            false => Recorder::Interpreter,
        };
        self.recorder.unwrap_or(otherwise)
    }
}

fn describe_end(recorded: &Recorded) -> String {
    match &recorded.end {
        End::Finished { status, abnormal: false } => format!("finished with status {status}"),
        End::Finished { .. } => "aborted".to_owned(),
        End::Stuck => "ended with no thread enabled".to_owned(),
        End::Undefined(undefined) => format!("ended in undefined behaviour: {}", undefined.what),
        End::Unsupported { what, .. } => format!("reached an unsupported construct: {what}"),
        End::Stopped(reason) => format!("was stopped: {reason}"),
        End::StepLimit => "was stopped after --max-steps steps".to_owned(),
        End::Violated(violation) => violation.message.clone(),
    }
}

fn describe(run: &str, recorded: &Recorded, end: &str) -> String {
    let threads = &recorded.recording.threads;
    let instructions: u64 = threads.iter().map(|thread| thread.instructions).sum();
    format!("the recorded {run} has {} threads and {instructions} instructions; it {end}\n", threads.len())
}

fn run_once(
    analyses: &Analyses<'_>,
    arguments: &RecordingArguments,
    recorder: Recorder,
    index: u64,
    budget: &Budget,
    session: &Session,
) -> Result<Recorded, CommandFailure> {
    let seed = arguments.seed.wrapping_add(index);
    if recorder == Recorder::Native {
        let (limit, max_steps) = (arguments.run_timeout, arguments.max_steps);
        match native_runs::record(analyses, seed, limit, max_steps, budget) {
            Ok(run) => {
                session.remark(&describe("native run", &run.recorded, &native_runs::describe_end(&run)));
                return Ok(run.recorded);
            }
            Err(error) if arguments.recorder.is_some() => return Err(native_runs::failure(&error)),
            Err(error) => session.remark(&format!("{error}\nthe interpreter runs the program instead\n")),
        }
    }
    let recorded = record_once(analyses, seed, arguments.max_steps, budget)?;
    session.remark(&describe("run", &recorded, &describe_end(&recorded)));
    Ok(recorded)
}

/// One run with this seed; 0 always runs the oldest enabled thread, with all inputs zero.
pub fn record_once(
    analyses: &Analyses<'_>,
    seed: u64,
    max_steps: Option<u64>,
    budget: &Budget,
) -> Result<Recorded, CommandFailure> {
    let (mut serial, mut zeros) = (RoundRobin::new(u64::MAX), FixedChoices(0));
    let (mut random, mut values) = (RandomScheduler::new(seed), RandomChoices::new(seed));
    let recorded = match seed {
        0 => predict::record(analyses, &mut serial, &mut zeros, max_steps, budget),
        _ => predict::record(analyses, &mut random, &mut values, max_steps, budget),
    };
    recorded.map_err(|_| CommandFailure::Usage("the program's globals are too large: it cannot be run".to_owned()))
}

pub fn predict(arguments: &PredictArguments, session: &Session) -> Result<Exit, CommandFailure> {
    let started = Instant::now();
    if let Some(trace) = foreign_command::named_trace(arguments)? {
        return foreign_command::predict(arguments, trace, session);
    }
    let selected = selected(arguments);
    let budget = arguments.limits.budget(session);
    let mut statistics = Statistics::new();
    let traces = read_traces(&arguments.sources.files)?;
    let sources = sources_of(arguments, &traces);
    let source = statistics.timed(stage::READING, || input::read(&sources, session))?;
    let analyses = Analyses::new(&source.program);
    let recordings = match traces.is_empty() {
        false => checked(traces, &source.program)?,
        true => statistics.timed("recording time", || record_all(arguments, &analyses, &budget, session))?,
    };
    let options = PredictOptions {
        model: arguments.model.into(),
        ordering: arguments.ordering.into(),
        context_bound: arguments.context_bound.unwrap_or_default(),
        complete_only: arguments.no_prefixes,
        transactions: arguments.transactions.options(&source.program)?,
        jobs: arguments.jobs as usize,
        fixed_addresses: false,
    };
    let prediction = predict_all(&analyses, &recordings, selected, &options, &budget)?;
    statistics.merge(&prediction.statistics);
    statistics.count(size::PEAK_MEMORY, budget::peak_resident_bytes().unwrap_or(0));
    let report = CheckReport {
        program: &source.program,
        checker: "prediction",
        outcomes: &prediction.outcomes,
        provenance: &selected.iter().map(|property| (property, PREDICTION)).collect(),
        assumptions: &assumptions(
            &source.program,
            selected,
            arguments.sources.lifted_assumptions(),
            &source.assumptions,
        ),
        statistics: &statistics,
        elapsed: started.elapsed(),
        stopped: None,
        suppressions: &[],
        reach: &Reach::default(),
    };
    session.print(render(arguments, &report, &prediction, session).as_bytes());
    if prediction.candidates_of(Property::Atomicity).is_some_and(|counts| counts.transactions == Some(0)) {
        session.remark(
            "no part of the run is marked as atomic; mark transactions with --atomic FUNCTION or --atomic-regions\n",
        );
    }
    if let Some(path) = &arguments.save_schedule {
        let options = ReplaySettings { transactions: &arguments.transactions, arguments: sources.args.as_deref() };
        saved_schedule::save_all(path, &source.program, &all_violations(&prediction), options, session)?;
    }
    Ok(Exit::of(&prediction.outcomes))
}

/// In the order of the report: the first violation of each property, then the others.
fn all_violations(prediction: &Prediction) -> Vec<&Trace> {
    let mut all: Vec<&Trace> = Vec::new();
    for (_, outcome) in &prediction.outcomes {
        if let Outcome::Violated(trace) = outcome {
            all.push(trace);
        }
    }
    let others: Vec<&Trace> = prediction.findings.iter().filter(|trace| !all.contains(trace)).collect();
    all.extend(others);
    all
}

/// What is looked for if nobody says otherwise.
const DEFAULT: [Property; 5] =
    [Property::Assert, Property::UnreachCall, Property::NoDataRace, Property::NoDeadlock, Property::LockMisuse];

fn selected(arguments: &PredictArguments) -> PropertySet {
    if !arguments.properties.named.is_empty() {
        return arguments.properties.selected();
    }
    let mut selected = PropertySet::of(&DEFAULT);
    if arguments.transactions.is_given() {
        selected.insert(Property::Atomicity);
    }
    selected
}

/// The traces among the files: all of them, or none.
fn read_traces(files: &[PathBuf]) -> Result<Vec<(PathBuf, TraceFile)>, CommandFailure> {
    let mut traces = Vec::new();
    for path in files.iter().filter(|path| is_trace(path)) {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| CommandFailure::Usage(format!("{}: {error}", path.display())))?;
        let trace = parse_trace(&text);
        let trace = trace.map_err(|error| CommandFailure::Usage(format!("{}: {error}", path.display())))?;
        traces.push((path.clone(), trace));
    }
    if !traces.is_empty() && traces.len() < files.len() {
        return Err(CommandFailure::Usage("give either C files or traces, not both".to_owned()));
    }
    Ok(traces)
}

/// Whether a file is a trace, of whatever version.
fn is_trace(path: &Path) -> bool {
    use std::io::Read;
    let mut start = vec![0; MAGIC.len()];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == MAGIC.as_bytes()
}

/// What to read: the files themselves, or what the traces were recorded from.
fn sources_of(arguments: &PredictArguments, traces: &[(PathBuf, TraceFile)]) -> SourceArguments {
    let mut sources = with_arguments(&arguments.sources, &arguments.program_arguments, &arguments.recording);
    if let Some((_, trace)) = traces.first() {
        sources.args = trace.arguments.clone().or(sources.args);
        sources.files = trace.sources.iter().map(PathBuf::from).collect();
    }
    sources
}

/// The recordings, if they are of this program.
fn checked(traces: Vec<(PathBuf, TraceFile)>, program: &Program) -> Result<Vec<Recording>, CommandFailure> {
    let expected = fingerprint(program);
    let misfit = traces.iter().find(|(_, trace)| trace.fingerprint != expected);
    match misfit {
        None => Ok(traces.into_iter().map(|(_, trace)| trace.recording).collect()),
        Some((path, _)) => Err(CommandFailure::Usage(format!(
            "{}: recorded with a different program: the program has changed since, or other options were given",
            path.display()
        ))),
    }
}

fn record_all(
    arguments: &PredictArguments,
    analyses: &Analyses<'_>,
    budget: &Budget,
    session: &Session,
) -> Result<Vec<Recording>, CommandFailure> {
    let mut recordings = Vec::new();
    let recorder = arguments.recording.recorder(&arguments.sources);
    for index in 0..arguments.runs {
        let recorded = run_once(analyses, &arguments.recording, recorder, index, budget, session)?;
        recordings.push(recorded.recording);
    }
    Ok(recordings)
}

/// The answers about all recordings together. Those that can be merged are; else the worst answer counts.
fn predict_all(
    analyses: &Analyses<'_>,
    recordings: &[Recording],
    selected: PropertySet,
    options: &PredictOptions,
    budget: &Budget,
) -> Result<Prediction, CommandFailure> {
    let ask = |recordings: &[Recording], properties| {
        predict::predict_twice(analyses, recordings, properties, options, budget)
    };
    let mut merged = selected;
    merged.remove(Property::Atomicity);
    if recordings.len() > 1 && options.model == Model::Full {
        match ask(recordings, merged) {
            Ok(mut all) => {
                if selected.contains(Property::Atomicity) {
                    let rest = PropertySet::of(&[Property::Atomicity]);
                    for recording in recordings {
                        all.absorb(ask(std::slice::from_ref(recording), rest).map_err(failure)?);
                    }
                }
                return Ok(all);
            }
            // Runs that cannot be merged are looked at one by one.
            Err(PredictError::Misfit(_)) => {}
            Err(bug) => return Err(failure(bug)),
        }
    }
    let mut all = Prediction::default();
    for recording in recordings {
        all.absorb(ask(std::slice::from_ref(recording), selected).map_err(failure)?);
    }
    Ok(all)
}

const PREDICTION: VerdictProvenance =
    VerdictProvenance { by: EngineId("predict"), argument: VerdictArgument::Prediction };

fn failure(error: PredictError) -> CommandFailure {
    match error {
        PredictError::Misfit(misfit) => {
            CommandFailure::Usage(format!("the trace does not match the program: {misfit}"))
        }
        PredictError::Bug(bug) => CommandFailure::Bug(bug.to_string()),
    }
}

fn render(
    arguments: &PredictArguments,
    report: &CheckReport<'_>,
    prediction: &Prediction,
    session: &Session,
) -> String {
    let files: Vec<String> = arguments.sources.files.iter().map(|file| file.display().to_string()).collect();
    let exit_code = Exit::of(report.outcomes).code();
    let invocation = json::Invocation { version: env!("CARGO_PKG_VERSION"), files: &files, exit_code };
    let candidates: Vec<_> = prediction.candidates.iter().map(|counts| (counts.property, counts.steps())).collect();
    let predicted = Predicted { findings: &prediction.findings, candidates: &candidates };
    match arguments.format {
        PredictFormat::Json => return json::render_predicted(report, &predicted, invocation),
        PredictFormat::Sarif => return sarif::render_predicted(report, &predicted, invocation),
        PredictFormat::Text => {}
    }
    let extent = extent(arguments.full_trace);
    let options = TextOptions { look: session.out, extent, statistics: arguments.stats };
    verdict::text(report, options) + &predicted.text(report.program, report.outcomes)
}

impl From<ModelName> for Model {
    fn from(name: ModelName) -> Self {
        match name {
            ModelName::Full => Model::Full,
            ModelName::Constrained => Model::Constrained,
            ModelName::Relaxed => Model::Relaxed,
        }
    }
}

impl From<OrderingName> for Ordering {
    fn from(name: OrderingName) -> Self {
        match name {
            OrderingName::Theory => Ordering::Theory,
            OrderingName::Clocks => Ordering::Clocks,
        }
    }
}
