//! Replay: the independent judge of every claimed violation. A schedule is executed step by step; what the interpreter
//! then sees, and nothing that an engine said, becomes the trace.

use std::fmt;

use base::{Budget, StopReason};
use program::{Analyses, Location, PropertySet, Schedule, Step, ThreadId, Trace, TraceEventKind, Violation};

use crate::choice::ReplayedChoices;
use crate::code::Code;
use crate::machine::{Config, End, Machine, Refusal, StepResult};
use crate::run::too_large;

/// Where and how a schedule departs from what the program does.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayFailure {
    /// Index of the step that could not be taken, or the number of steps if all were.
    pub step: usize,
    pub thread: Option<ThreadId>,
    /// Where the schedule says the thread stands.
    pub expected: Option<Location>,
    /// Where it stands.
    pub actual: Option<Location>,
    pub problem: ReplayProblem,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ReplayProblem {
    /// The schedule names a thread that does not exist (yet).
    NoSuchThread,
    /// The thread stands somewhere else.
    ElsewhereInCode,
    /// The thread cannot take a step.
    Refused(Refusal),
    /// The execution ended before or without a violation.
    Ended(End),
    /// All steps were taken and nothing is wrong.
    NoViolation,
    Stopped(StopReason),
}

/// Instructions between two visible ones: what an engine has unrolled, a replay does too, however long it takes. But most threads
/// that go on for so long have nothing to do with the violation, so that this much is tried second.
const FUEL: u64 = 1 << 28;

/// Executes `schedule` and returns the violation it leads to, with everything that happened on the way. Choices that
/// are missing in the schedule are zero. The first violation of any of `properties` counts.
pub fn replay(
    analyses: &Analyses<'_>,
    schedule: &Schedule,
    properties: PropertySet,
    budget: &Budget,
) -> Result<Trace, ReplayFailure> {
    let config = Config::new(properties);
    let failed = |problem| ReplayFailure { step: 0, thread: None, expected: None, actual: None, problem };
    let code = Code::of(analyses).map_err(|_| failed(ReplayProblem::Ended(too_large())))?;
    let first = replay_code(&code, schedule, config, budget);
    first.or_else(|_| replay_code(&code, schedule, Config { fuel: FUEL, ..config }, budget))
}

pub(crate) fn replay_code(
    code: &Code<'_>,
    schedule: &Schedule,
    config: Config,
    budget: &Budget,
) -> Result<Trace, ReplayFailure> {
    let mut machine = Machine::new(code, config);
    machine.budget = Some(budget.clone());
    machine.events = Some(Vec::new());
    let mut replay = Replay { machine, choices: ReplayedChoices::new(&schedule.choices), taken: Vec::new() };
    let violation = replay.find_violation(&schedule.steps, budget)?;
    Ok(replay.into_trace(violation))
}

/// What a schedule runs into, without the story, and how many instructions that took: for whoever tries many.
pub(crate) fn violation_of(
    code: &Code<'_>,
    schedule: &Schedule,
    config: Config,
    budget: &Budget,
) -> (Option<Violation>, u64) {
    let mut machine = Machine::new(code, config);
    machine.budget = Some(budget.clone());
    let mut replay = Replay { machine, choices: ReplayedChoices::new(&schedule.choices), taken: Vec::new() };
    let violation = replay.find_violation(&schedule.steps, budget).ok();
    (violation, replay.machine.instructions)
}

struct Replay<'c> {
    machine: Machine<'c>,
    choices: ReplayedChoices,
    taken: Vec<Step>,
}

impl Replay<'_> {
    fn find_violation(&mut self, steps: &[Step], budget: &Budget) -> Result<Violation, ReplayFailure> {
        if let Some(end) = self.machine.start(&mut self.choices) {
            return self.ended(end, None);
        }
        for step in steps {
            if self.taken.len().is_multiple_of(1024) {
                budget.check().map_err(|reason| self.failure(Some(step), ReplayProblem::Stopped(reason)))?;
            }
            if let Some(end) = self.take(step)? {
                return self.ended(end, Some(step));
            }
        }
        match self.machine.violation_of_state() {
            Some(violation) => Ok(violation),
            None => {
                let problem = self.waiting_end().map_or(ReplayProblem::NoViolation, ReplayProblem::Ended);
                Err(self.failure(None, problem))
            }
        }
    }

    /// What a thread stands before, if that ends the execution and decides nothing: a schedule that goes on behind it claims
    /// more than the interpreter can show.
    fn waiting_end(&mut self) -> Option<End> {
        (0..self.machine.thread_count()).find_map(|thread| {
            match self.machine.step(ThreadId(thread as u32), &mut self.choices) {
                StepResult::Over(end @ (End::Undefined(_) | End::Unsupported { .. })) => Some(end),
                _ => None,
            }
        })
    }

    fn take(&mut self, step: &Step) -> Result<Option<End>, ReplayFailure> {
        if step.thread.0 as usize >= self.machine.thread_count() {
            return Err(self.failure(Some(step), ReplayProblem::NoSuchThread));
        }
        let actual = self.machine.code().location(self.machine.site_of(step.thread));
        if step.location.is_some_and(|expected| expected != actual) {
            return Err(self.failure(Some(step), ReplayProblem::ElsewhereInCode));
        }
        self.machine.step_number = self.taken.len();
        let result = self.machine.step(step.thread, &mut self.choices);
        if let StepResult::Refused(refusal) = result {
            return Err(self.failure(Some(step), ReplayProblem::Refused(refusal)));
        }
        self.taken.push(Step { thread: step.thread, location: Some(actual) });
        match result {
            StepResult::Over(end) => Ok(Some(end)),
            _ => Ok(None),
        }
    }

    fn ended(&self, end: End, step: Option<&Step>) -> Result<Violation, ReplayFailure> {
        match end {
            End::Violated(violation) => Ok(*violation),
            other => Err(self.failure(step, ReplayProblem::Ended(other))),
        }
    }

    fn failure(&self, step: Option<&Step>, problem: ReplayProblem) -> ReplayFailure {
        let exists = |thread: &ThreadId| (thread.0 as usize) < self.machine.thread_count();
        let thread = step.map(|step| step.thread);
        ReplayFailure {
            step: self.taken.len(),
            thread,
            expected: step.and_then(|step| step.location),
            actual: thread.filter(exists).map(|thread| self.machine.code().location(self.machine.site_of(thread))),
            problem,
        }
    }

    fn into_trace(self, violation: Violation) -> Trace {
        let Replay { mut machine, taken, .. } = self;
        let mut events = machine.events.take().unwrap_or_default();
        events.push(program::TraceEvent {
            step: taken.len().saturating_sub(1),
            thread: violation.thread,
            location: violation.location,
            span: violation.span,
            kind: TraceEventKind::Violated { message: violation.message.clone() },
        });
        let states = (0..machine.thread_count() as u32).map(|thread| machine.thread_state(ThreadId(thread))).collect();
        let schedule = Schedule { steps: taken, choices: machine.record.to_choices() };
        Trace { schedule, events, violation, states }
    }
}

impl fmt::Display for ReplayFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}", self.step)?;
        if let Some(thread) = self.thread {
            write!(f, " of thread {}", thread.0)?;
        }
        match &self.problem {
            ReplayProblem::NoSuchThread => f.write_str(": there is no such thread"),
            ReplayProblem::ElsewhereInCode => match (self.expected, self.actual) {
                (Some(expected), Some(actual)) => {
                    write!(f, ": the schedule expects it at {expected}, but it is at {actual}")
                }
                _ => f.write_str(": the thread is at another instruction"),
            },
            ReplayProblem::Refused(Refusal::Blocked(_)) => f.write_str(": the thread is blocked"),
            ReplayProblem::Refused(Refusal::Assume) => f.write_str(": an assumption forbids the atomic section"),
            ReplayProblem::Refused(Refusal::Endless { .. }) => f.write_str(": the atomic section does not end"),
            ReplayProblem::Refused(Refusal::NotLive) => f.write_str(": the thread has terminated or is stopped"),
            ReplayProblem::Ended(End::Unsupported { what, .. }) => write!(f, ": unsupported: {what}"),
            ReplayProblem::Ended(End::Undefined(undefined)) => {
                write!(f, ": undefined behaviour that is not checked for: {}", undefined.what)
            }
            ReplayProblem::Ended(_) => f.write_str(": the process ends without a violation"),
            ReplayProblem::NoViolation => f.write_str(": the schedule ends without a violation"),
            ReplayProblem::Stopped(reason) => write!(f, ": {reason}"),
        }
    }
}

impl std::error::Error for ReplayFailure {}
