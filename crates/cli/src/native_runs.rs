//! Native recording and replay for the commands: which compiler, whose input, and what to say about the run.

use std::fs::File;
use std::io::IsTerminal;
use std::process::Stdio;
use std::time::Duration;

use base::Budget;
use execute::End;
use native::compiler::candidates;
use native::{
    DEFAULT_MAX_STEPS, NativeError, NativeRecorded, NativeVerdict, ProcessEnd, RecordOptions, RecordingEnd,
    ReplayOptions, RunEnd, Streams, record_native, replay_native,
};
use nix::sys::signal::Signal;
use program::{Analyses, Program, Trace, Visibility};
use report::excerpt::{Mark, excerpt};

use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::session::Session;

/// How long a thread may take from one step to the next in a replay.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a replay may take altogether.
const REPLAY_LIMIT: Duration = Duration::from_secs(120);

/// The compilers to try.
fn compilers() -> Vec<String> {
    candidates(std::env::var("CC").ok().as_deref())
}

/// Runs the program once. Its standard input is ours, its output goes to standard error.
pub fn record(
    analyses: &Analyses<'_>,
    seed: u64,
    limit: Duration,
    max_steps: Option<u64>,
    budget: &Budget,
) -> Result<NativeRecorded, NativeError> {
    let max_steps = max_steps.unwrap_or(DEFAULT_MAX_STEPS);
    let options = RecordOptions { compilers: compilers(), seed, limit, max_steps };
    let (input, terminal) = users_input();
    let streams = Streams { input, terminal, output: Stdio::from(std::io::stderr()), errors: Stdio::inherit() };
    record_native(analyses, &options, streams, budget)
}

/// The standard input of the process that the user has started, and the same as a terminal if it is one: our own input says
/// when to stop.
fn users_input() -> (Stdio, Option<File>) {
    let path = format!("/proc/{}/fd/0", std::os::unix::process::parent_id());
    let Ok(input) = File::open(&path) else { return (Stdio::null(), None) };
    let terminal = input.is_terminal().then(|| File::open(&path).ok()).flatten();
    (Stdio::from(input), terminal)
}

pub fn failure(error: &NativeError) -> CommandFailure {
    CommandFailure::Output(error.to_string())
}

fn signal_name(number: i32) -> String {
    match Signal::try_from(number) {
        Ok(signal) => format!("signal {number} ({signal})"),
        Err(_) => format!("signal {number}"),
    }
}

/// How the run ended, as the end of a sentence.
pub fn describe_end(recorded: &NativeRecorded) -> String {
    let end = match (recorded.run_end, recorded.process_end) {
        // What a shell sees of it.
        (RunEnd::Exited(status), _) => format!("finished with status {}", status & 0xff),
        (RunEnd::Aborted, _) => "aborted".to_owned(),
        (RunEnd::Stuck, _) => "ended with no thread enabled".to_owned(),
        (RunEnd::Unsupported, _) => match &recorded.recorded.end {
            End::Unsupported { what, .. } => format!("reached an unsupported construct: {what}"),
            _ => "reached an unsupported construct".to_owned(),
        },
        (RunEnd::LogFull, _) => "was ended because its log was full".to_owned(),
        (RunEnd::TooManyThreads, _) => "was ended because it had too many threads".to_owned(),
        (RunEnd::WaitInSection, _) => "was ended because a thread blocked in an atomic section".to_owned(),
        (RunEnd::Broken, ProcessEnd::Signal(signal)) => format!("was killed by {}", signal_name(signal)),
        (RunEnd::Broken, ProcessEnd::Stopped) => "was ended at the time limit".to_owned(),
        (RunEnd::Broken, ProcessEnd::Status(status)) => format!("exited abnormally (status {status})"),
    };
    let why = match recorded.coverage {
        RecordingEnd::Whole => return end,
        RecordingEnd::Departed => "the interpreter diverges from the native run here",
        RecordingEnd::LongComputation => "its threads compute for too long for the interpreter to repeat",
        RecordingEnd::MaxSteps => "increase --max-steps to record more",
        RecordingEnd::Budget => "the time limit was reached; increase --timeout to record more",
    };
    format!("{end}; of its {} steps the first {} are recorded: {why}", recorded.native_steps, recorded.steps)
}

/// Forces the schedule of a violation in a real run and says what was seen.
pub fn replay(program: &Program, trace: &Trace, budget: &Budget, session: &Session) -> Result<Exit, CommandFailure> {
    let options = ReplayOptions {
        compilers: compilers(),
        patience: PATIENCE,
        limit: REPLAY_LIMIT,
        output: Stdio::from(std::io::stderr()),
        errors: Stdio::inherit(),
    };
    let visibility = Visibility::new(program);
    let verdict = replay_native(program, &visibility, trace, options, budget).map_err(|error| failure(&error))?;
    let (text, exit) = match &verdict {
        NativeVerdict::Seen(what) => (format!("native replay: the same violation was seen: {what}\n"), Exit::Violated),
        NativeVerdict::Followed(why) => (
            format!("native replay: the schedule was followed, but the violation was not seen: {why}\n"),
            Exit::Unknown,
        ),
        NativeVerdict::Departed(departure) => {
            let place = departure.place.map(|location| Mark::primary(program.span(location), "the thread is here"));
            let marks: Vec<Mark> = place.into_iter().collect();
            let shown = excerpt(&program.files, &marks, session.out);
            (format!("native replay: the native run diverged from the schedule: {departure}\n{shown}"), Exit::Unknown)
        }
    };
    session.print(text.as_bytes());
    Ok(exit)
}
