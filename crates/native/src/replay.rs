//! Native replay: the program is printed with the hooks of `runtime/replay.c`, which force a schedule, and what happens is
//! compared with what the interpreter saw.
//!
//! What counts as seen: a failed assertion, by the thread and at the place; overflow, a bad shift or a division by zero in
//! the same instruction; a misused lock; of a deadlock, that the same threads wait; of a race, that both accesses touch
//! common bytes in this order, without any synchronisation that the interpreter has not judged; of an atomicity violation the
//! same for its three accesses; of invalid memory accesses (under the address sanitizer, where the compiler has it), the
//! signal; of memory and threads that are left behind, that some are left at the end. Lost memory cannot be observed.

use std::fmt;
use std::process::{Command, Stdio};
use std::time::Duration;

use base::{Budget, Span};
use program::{Location, ObjectName, Program, Property, Schedule, ThreadId, Trace, Violation, Visibility};

use crate::c_function::property_number;
use crate::c_program::{Policy, c_program};
use crate::compiler::{NativeError, SANITIZED, compile, io_error};
use crate::process::{self, ProcessEnd};
use crate::replay_report::{self, NativeAccess, ReplayOutcome, ReplayReport};
use crate::sites::{SiteId, Sites};

/// How to replay.
#[derive(Debug)]
pub struct ReplayOptions {
    /// See [`crate::compiler::candidates`].
    pub compilers: Vec<String>,
    /// How long a thread may take to its next step.
    pub patience: Duration,
    /// After so long the process is ended.
    pub limit: Duration,
    /// Where its output goes.
    pub output: Stdio,
    pub errors: Stdio,
}

/// What came of a native replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NativeVerdict {
    /// The same violation, and what there was to see.
    Seen(String),
    /// The schedule was followed to its end; why the violation is not among what was seen.
    Followed(String),
    /// The program does something else than the schedule says.
    Departed(Departure),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Departure {
    /// Index of the step that was not taken.
    pub step: u64,
    pub thread: ThreadId,
    /// Where the thread stands, if it has got anywhere.
    pub place: Option<Location>,
    pub reason: DepartureReason,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DepartureReason {
    /// The thread is at another instruction than the schedule says.
    Elsewhere,
    /// It waits.
    Blocked,
    /// It does not come to its step in time.
    Missing,
}

impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.reason {
            DepartureReason::Elsewhere => "is at another instruction",
            DepartureReason::Blocked => "is blocked",
            DepartureReason::Missing => "does not reach it in time",
        };
        write!(f, "at step {} T{} {what}", self.step, self.thread.0)
    }
}

/// Forces the schedule of `trace`, which the interpreter has replayed.
pub fn replay_native(
    program: &Program,
    visibility: &Visibility,
    trace: &Trace,
    options: ReplayOptions,
    budget: &Budget,
) -> Result<NativeVerdict, NativeError> {
    let sites = Sites::new(program, visibility).watching(trace.violation.location);
    let folder = tempfile::Builder::new().prefix("gordian-").tempdir();
    let folder = folder.map_err(io_error("there is no folder for temporary files"))?;
    let text = c_program(program, visibility, &sites, Policy::Replay);
    let build = |further| compile(&text, folder.path(), program.data_model, &options.compilers, further);
    // Not every compiler comes with the sanitizer.
    let binary = match is_about_memory(trace.violation.property) {
        true => build(SANITIZED).or_else(|_| build(&[]))?,
        false => build(&[])?,
    };
    let (schedule_path, report_path) = (folder.path().join("schedule"), folder.path().join("report"));
    let schedule = schedule_words(program, visibility, &sites, trace, options.patience);
    let bytes: Vec<u8> = schedule.iter().flat_map(|word| word.to_ne_bytes()).collect();
    std::fs::write(&schedule_path, bytes).map_err(io_error("the schedule cannot be written"))?;
    replay_report::create(&report_path).map_err(io_error("the report of the native run cannot be made"))?;
    let mut command = Command::new(binary);
    command.env("GORDIAN_SCHEDULE", &schedule_path).env("GORDIAN_REPORT", &report_path);
    command.env("ASAN_OPTIONS", "abort_on_error=1:detect_leaks=0:log_path=/dev/null");
    command.stdin(Stdio::null()).stdout(options.output).stderr(options.errors);
    let end = process::run(&mut command, None, options.limit, budget)?;
    let report = replay_report::read(&report_path).map_err(io_error("the report of the native run cannot be read"))?;
    Ok(NativeOracle { program, sites: &sites, violation: &trace.violation, report: &report, end }.verdict())
}

/// The schedule as `runtime/replay.c` reads it.
fn schedule_words(
    program: &Program,
    visibility: &Visibility,
    sites: &Sites,
    trace: &Trace,
    patience: Duration,
) -> Vec<u64> {
    let Schedule { steps, choices } = &trace.schedule;
    // A step that begins with an invisible instruction only runs into what is wrong with it, which the native thread has
    // done already.
    let is_native = |step: &&program::Step| step.location.is_none_or(|location| visibility.is_visible(location));
    let scheduled: Vec<[u64; 2]> = steps
        .iter()
        .filter(is_native)
        .map(|step| {
            let site = step.location.and_then(|location| sites.site(location));
            [u64::from(step.thread.0), site.map_or(u64::MAX, |site| u64::from(site.0))]
        })
        .collect();
    let given =
        choices.by_thread.iter().enumerate().flat_map(|(thread, values)| values.iter().map(move |&v| (thread, v)));
    let given: Vec<[u64; 2]> = given.map(|(thread, value)| [thread as u64, value]).collect();
    let contents: Vec<[u64; 5]> = choices
        .memory
        .iter()
        .flat_map(|choice| {
            let [kind, first, second] = object_words(program, choice.object);
            let bytes = choice.bytes.iter().enumerate();
            bytes.map(move |(at, &byte)| [kind, first, second, choice.offset + at as u64, u64::from(byte)])
        })
        .collect();
    let header = [
        scheduled.len() as u64,
        given.len() as u64,
        contents.len() as u64,
        u64::from(property_number(trace.violation.property)),
        patience.as_millis() as u64,
    ];
    let body = scheduled.into_iter().flatten().chain(given.into_iter().flatten());
    header.into_iter().chain(body).chain(contents.into_iter().flatten()).collect()
}

fn object_words(program: &Program, object: ObjectName) -> [u64; 3] {
    match object {
        ObjectName::Global(global) => [u64::from(program.globals[global].thread_local), u64::from(global.0), 0],
        ObjectName::ThreadLocal(global, thread) => [1, u64::from(global.0), u64::from(thread.0)],
        ObjectName::Allocated(thread, number) => [2, u64::from(thread.0), u64::from(number)],
    }
}

struct NativeOracle<'a> {
    program: &'a Program,
    sites: &'a Sites,
    violation: &'a Violation,
    report: &'a ReplayReport,
    end: ProcessEnd,
}

impl NativeOracle<'_> {
    fn verdict(&self) -> NativeVerdict {
        if let ReplayOutcome::Departed { reason, thread, site } = self.report.outcome {
            return self.departed(reason, thread, site);
        }
        if let (ReplayOutcome::Nothing, ProcessEnd::Status(_) | ProcessEnd::Stopped) = (self.report.outcome, self.end) {
            return NativeVerdict::Followed("the process terminated without a report".to_owned());
        }
        match self.seen() {
            Some(what) => NativeVerdict::Seen(what),
            None => NativeVerdict::Followed(self.not_seen()),
        }
    }

    fn departed(&self, reason: DepartureReason, thread: ThreadId, site: SiteId) -> NativeVerdict {
        let place = self.sites.location(site);
        NativeVerdict::Departed(Departure { step: self.report.position, thread, place, reason })
    }

    /// What there was to see of the violation.
    fn seen(&self) -> Option<String> {
        let expected = self.violation;
        match expected.property {
            Property::Assert | Property::UnreachCall => self.at_its_place("it failed"),
            Property::NoOverflow | Property::NoBadShift | Property::NoDivByZero => self.at_its_place("it happened"),
            Property::LockMisuse => match self.report.outcome {
                ReplayOutcome::Misused { thread, .. } if thread == expected.thread => {
                    Some(format!("the misuse was seen in T{}", thread.0))
                }
                _ => None,
            },
            Property::NoDeadlock => self.waits(),
            Property::NoDataRace => self.race(),
            Property::Atomicity => self.broken_transaction(),
            Property::ValidDeref | Property::ValidFree => match self.end {
                ProcessEnd::Signal(signal) => Some(format!("the process died of signal {signal}")),
                _ => None,
            },
            Property::ValidMemcleanup => self.left_behind(self.report.heap_objects, "allocated objects"),
            Property::NoThreadLeak => self.left_behind(self.report.left_threads, "threads"),
            Property::ValidMemtrack | Property::NoExitWhileLocked => None,
        }
    }

    /// The same thread has come upon it in the same instruction.
    fn at_its_place(&self, what: &str) -> Option<String> {
        let ReplayOutcome::Violated { thread, site } = self.report.outcome else { return None };
        let same = thread == self.violation.thread && self.sites.location(site) == Some(self.violation.location);
        same.then(|| format!("{what} in T{}", thread.0))
    }

    fn left_behind(&self, count: u64, what: &str) -> Option<String> {
        (count > 0 && self.report.has_ended()).then(|| format!("the process ended with {what} left behind: {count}"))
    }

    fn waits(&self) -> Option<String> {
        let waiting = &self.violation.waiting;
        let all = waiting.iter().all(|thread| self.report.waits(thread.thread));
        let names: Vec<String> = waiting.iter().map(|thread| format!("T{}", thread.thread.0)).collect();
        (all && !waiting.is_empty() && self.report.outcome == ReplayOutcome::End)
            .then(|| format!("{} wait for each other", names.join(" and ")))
    }

    fn race(&self) -> Option<String> {
        let [this, earlier] = &**self.violation.race.as_ref()?;
        let accesses = &self.report.accesses;
        let index = accesses.iter().rposition(|access| self.is_at(access, this.thread, this.span))?;
        let (former, last) = (&accesses[..index], &accesses[index]);
        let meets = |access: &&NativeAccess| self.is_at(access, earlier.thread, earlier.span) && access.overlaps(last);
        former.iter().rev().find(meets)?;
        Some(format!("T{} and T{} touch address {:#x}", earlier.thread.0, this.thread.0, last.address))
    }

    /// The access before, the one in between and the one after, on common memory.
    fn broken_transaction(&self) -> Option<String> {
        let [(first, first_span, _), (remote, remote_span, _)] = &self.violation.related[..] else { return None };
        let accesses = &self.report.accesses;
        let find = |before: &[NativeAccess], thread: ThreadId, span: Span, common: &NativeAccess| {
            before.iter().rposition(|access| self.is_at(access, thread, span) && access.overlaps(common))
        };
        let lasts = (0..accesses.len()).rev();
        let mut lasts = lasts.filter(|&at| self.is_at(&accesses[at], self.violation.thread, self.violation.span));
        lasts.find_map(|last| {
            let between = find(&accesses[..last], *remote, *remote_span, &accesses[last])?;
            find(&accesses[..between], *first, *first_span, &accesses[between])?;
            Some(format!("T{} interferes at address {:#x}", remote.0, accesses[last].address))
        })
    }

    /// Whether a thread's access was made there; models of library functions have no place that a user knows.
    fn is_at(&self, access: &NativeAccess, thread: ThreadId, span: Span) -> bool {
        let Some(location) = self.sites.location(access.site) else { return false };
        let built_in = self.program.functions[location.function].built_in;
        access.thread == thread && (built_in || self.program.span(location) == span)
    }

    fn not_seen(&self) -> String {
        match (self.violation.property, self.end) {
            (_, ProcessEnd::Signal(signal)) => format!("the process died of signal {signal}"),
            (property, _) if is_about_memory(property) => "no memory error was trapped".to_owned(),
            (property, _) if is_observable(property) => match self.report.outcome {
                ReplayOutcome::Exited => "the process terminated normally".to_owned(),
                _ => "no violation at its end".to_owned(),
            },
            (property, _) => format!("{property} cannot be observed natively"),
        }
    }
}

fn is_about_memory(property: Property) -> bool {
    matches!(property, Property::ValidDeref | Property::ValidFree)
}

/// What is lost can only be told by who knows every pointer.
fn is_observable(property: Property) -> bool {
    property != Property::ValidMemtrack
}
