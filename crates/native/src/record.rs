//! Native recording: the program is printed as C with the hooks of `runtime/record.c`, compiled, run once with the user's
//! input, and the run is repeated by the interpreter.

use std::fs::File;
use std::process::Stdio;
use std::time::{Duration, Instant};

use base::Budget;
use predict::Recorded;
use program::{Analyses, Visibility};

use crate::c_program::{Policy, c_program};
use crate::compiler::{NativeError, compile, io_error};
use crate::follow::{RecordingEnd, follow};
use crate::log::{self, NativeLog, RunEnd};
use crate::process::{self, ProcessEnd};
use crate::sites::Sites;

/// How to run.
#[derive(Debug)]
pub struct RecordOptions {
    /// See [`crate::compiler::candidates`].
    pub compilers: Vec<String>,
    /// Decides inputs that nobody gives, and when threads take turns.
    pub seed: u64,
    /// After so long the process is ended; what it did until then counts.
    pub limit: Duration,
    /// Steps after which the record ends. Default: [`DEFAULT_MAX_STEPS`].
    pub max_steps: u64,
}

/// More steps than anybody looks at in an hour.
pub const DEFAULT_MAX_STEPS: u64 = 1_000_000;

/// Where the process reads and writes.
#[derive(Debug)]
pub struct Streams {
    pub input: Stdio,
    /// The terminal that the input is, if it is one: the process gets its foreground.
    pub terminal: Option<File>,
    pub output: Stdio,
    pub errors: Stdio,
}

/// A recorded native run.
#[derive(Debug)]
pub struct NativeRecorded {
    pub recorded: Recorded,
    pub run_end: RunEnd,
    pub process_end: ProcessEnd,
    /// The steps of the native run, and how many of them the record has.
    pub native_steps: u64,
    pub steps: u64,
    pub coverage: RecordingEnd,
    /// From the start of the process to its end.
    pub run_time: Duration,
}

/// A native run before anybody has followed it.
#[derive(Debug)]
pub struct NativeRun {
    pub log: NativeLog,
    pub process_end: ProcessEnd,
    /// From the start of the process to its end.
    pub run_time: Duration,
}

pub fn record_native(
    analyses: &Analyses<'_>,
    options: &RecordOptions,
    streams: Streams,
    budget: &Budget,
) -> Result<NativeRecorded, NativeError> {
    let sites = Sites::new(analyses.program, &analyses.get::<Visibility>());
    let NativeRun { log, process_end, run_time } = run_native(analyses, options, streams, budget)?;
    let followed = follow(analyses, &sites, &log, options.max_steps, budget)?;
    Ok(NativeRecorded {
        recorded: followed.recorded,
        run_end: log.end,
        process_end,
        native_steps: log.total_steps,
        steps: followed.steps,
        coverage: followed.coverage,
        run_time,
    })
}

/// Runs the program once and keeps its log.
pub fn run_native(
    analyses: &Analyses<'_>,
    options: &RecordOptions,
    streams: Streams,
    budget: &Budget,
) -> Result<NativeRun, NativeError> {
    let (program, visibility) = (analyses.program, &*analyses.get::<Visibility>());
    let sites = Sites::new(program, visibility);
    let folder = tempfile::Builder::new().prefix("gordian-").tempdir();
    let folder = folder.map_err(io_error("there is no folder for temporary files"))?;
    let text = c_program(program, visibility, &sites, Policy::Record);
    let binary = compile(&text, folder.path(), program.data_model, &options.compilers, &[])?;
    let log_path = folder.path().join("log");
    log::create(&log_path, options.seed).map_err(io_error("the log of the native run cannot be made"))?;
    let mut command = std::process::Command::new(binary);
    command.env("GORDIAN_LOG", &log_path).stdin(streams.input).stdout(streams.output).stderr(streams.errors);
    let began = Instant::now();
    let process_end = process::run(&mut command, streams.terminal, options.limit, budget)?;
    let run_time = began.elapsed();
    let log = log::read(&log_path, options.max_steps).map_err(io_error("the log of the native run cannot be read"))?;
    Ok(NativeRun { log, process_end, run_time })
}
