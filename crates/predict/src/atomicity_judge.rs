//! Whether a transaction is interrupted in the one execution that a schedule describes. Knows no solver and no trace
//! program, only the interpreter and what is meant to be atomic.
//!
//! A part that is still open where the schedule ends counts: it was not interrupted by its own end.

use execute::{Code, Config, Machine, ReplayedChoices};
use program::{Analyses, Location, PropertySet, Schedule, ThreadId, Trace, TraceEvent};

use crate::atomicity::{Transaction, TransactionOptions, Unfinished, transactions};
use crate::atomicity_replay::trace_of;
use crate::memory_access::ByteAccess;
use crate::path::PathStep;
use crate::stepper::{Stepped, Stepper, Watcher};

/// The last access of the execution that completes an unserialisable pattern, with its story. `schedule` fits the program.
pub fn judge_atomicity(analyses: &Analyses<'_>, schedule: &Schedule, options: &TransactionOptions) -> Option<Trace> {
    let program = analyses.program;
    let (witness, events) = execute_all(analyses, schedule)?;
    let atomic = transactions(program, &witness.paths, options, Unfinished::Counts);
    let [first, remote, last] =
        (0..witness.accesses.len()).rev().find_map(|last| witness.interrupted(&atomic, last))?;
    let steps = schedule.steps[..=last.step.min(schedule.steps.len().checked_sub(1)?)].to_vec();
    let schedule = Schedule { steps, choices: schedule.choices.clone() };
    let events = events.into_iter().filter(|event| event.step <= last.step).collect();
    let letter = |access: &ExecutedAccess| if access.memory.writes { "W" } else { "R" };
    let pattern = [first, remote, last].map(letter).join("-");
    let places = [first, remote, last].map(|access| (access.thread, access.location));
    Some(trace_of(program, schedule, events, places, &pattern))
}

fn execute_all(analyses: &Analyses<'_>, schedule: &Schedule) -> Option<(ExecutionObserver, Vec<TraceEvent>)> {
    let code = Code::of(analyses).ok()?;
    let mut stepper = Stepper::new(&code, Config::new(PropertySet::EMPTY));
    stepper.machine.events = Some(Vec::new());
    let mut choices = ReplayedChoices::new(&schedule.choices);
    let mut witness = ExecutionObserver::default();
    let mut is_over = stepper.start(&mut choices, &mut witness).is_some();
    for (number, step) in schedule.steps.iter().enumerate() {
        if is_over || step.thread.0 as usize >= stepper.machine.thread_count() {
            break;
        }
        (witness.step, stepper.machine.step_number) = (number, number);
        is_over = !matches!(stepper.step(step.thread, &mut choices, &mut witness), Stepped::Taken);
    }
    let events = stepper.machine.events.take().unwrap_or_default();
    Some((witness, events))
}

/// An access as it was executed.
struct ExecutedAccess {
    thread: ThreadId,
    /// Of its instruction among those of the thread.
    index: u32,
    location: Location,
    memory: ByteAccess,
    step: usize,
}

impl ExecutedAccess {
    fn conflicts(&self, other: &ExecutedAccess) -> bool {
        self.memory.overlaps(&other.memory) && (self.memory.writes || other.memory.writes)
    }
}

/// Sees what is executed.
#[derive(Default)]
struct ExecutionObserver {
    /// By thread.
    paths: Vec<Vec<PathStep>>,
    /// In the order of time.
    accesses: Vec<ExecutedAccess>,
    step: usize,
}

impl ExecutionObserver {
    /// The access with this number, with one before it in its transaction and one in between that is in conflict with both.
    fn interrupted(&self, atomic: &[Transaction], number: usize) -> Option<[&ExecutedAccess; 3]> {
        let last = &self.accesses[number];
        let contains = |part: &&Transaction| part.thread == last.thread && (part.start..part.end).contains(&last.index);
        // Of all parts around the access the one that begins first has the others in it.
        let start = atomic.iter().filter(contains).map(|part| part.start).min()?;
        let mut between: Vec<&ExecutedAccess> = Vec::new();
        for access in self.accesses[..number].iter().rev() {
            if access.thread != last.thread {
                between.extend(access.conflicts(last).then_some(access));
                continue;
            }
            if access.index < start {
                return None;
            }
            let remote = between.iter().find(|remote| remote.conflicts(access));
            if let Some(remote) = remote.filter(|_| access.memory.overlaps(&last.memory)) {
                return Some([access, remote, last]);
            }
        }
        None
    }
}

impl Watcher for ExecutionObserver {
    fn before(&mut self, machine: &Machine<'_>, thread: ThreadId, location: Location) {
        let place = thread.0 as usize;
        if self.paths.len() <= place {
            self.paths.resize_with(place + 1, Vec::new);
        }
        let (index, step) = (self.paths[place].len() as u32, self.step);
        self.paths[place].push(PathStep { location, decision: None });
        if let Some(memory) = ByteAccess::next_of(machine, thread) {
            self.accesses.push(ExecutedAccess { thread, index, location, memory, step });
        }
    }
}
