//! Replay of an atomicity violation: the interpreter executes the three accesses in that order, on common memory.

use engines::EngineBug;
use engines::confirm::{Replayed, limit_of_end};
use execute::Machine;
use program::{
    Analyses, Location, Program, Property, Schedule, ThreadId, Trace, TraceEvent, TraceEventKind, Violation,
};

use crate::memory_access::ByteAccess;
use crate::stepper::Watcher;
use crate::trace_program::{Origin, TraceProgram};
use crate::translate::{Translated, progress, translate};

/// Runs the schedule of the trace program in the program and watches for the accesses.
pub fn replay_atomicity(
    analyses: &Analyses<'_>,
    trace: &TraceProgram,
    schedule: &Schedule,
    accesses: [Origin; 3],
    pattern: &str,
) -> Result<Replayed, EngineBug> {
    let progress = progress(trace, schedule, Property::Atomicity)?;
    let mut watch = AccessWatch { accesses, recorded: &progress.recorded, executed: Vec::new(), seen: Vec::new() };
    let Translated { schedule, events, end } =
        translate(analyses, schedule, &progress, Property::Atomicity, &mut watch)?;
    let seen: Vec<usize> = watch.seen.iter().map(|access| access.which).collect();
    let meet = |a: &SeenAccess, b: &SeenAccess| a.memory.overlaps(&b.memory);
    match &watch.seen[..] {
        [first, remote, last] if seen == [0, 1, 2] && meet(first, remote) && meet(remote, last) => {
            let places = [first, remote, last].map(|seen| (seen.thread, seen.location));
            Ok(Replayed::Violation(Box::new(trace_of(analyses.program, schedule, events, places, pattern))))
        }
        _ => match end.as_ref().and_then(limit_of_end) {
            Some(reason) => Ok(Replayed::Unclear(reason)),
            None => {
                let text = format!("an atomicity violation does not replay: accesses {seen:?} of three were seen");
                Err(EngineBug(text))
            }
        },
    }
}

/// The story of three accesses, the last of which ends the schedule.
pub fn trace_of(
    program: &Program,
    schedule: Schedule,
    mut events: Vec<TraceEvent>,
    [first, remote, last]: [(ThreadId, Location); 3],
    pattern: &str,
) -> Trace {
    let message = format!("another thread interferes between two accesses of a transaction ({pattern})");
    let step = schedule.steps.len().saturating_sub(1);
    let (thread, location) = last;
    let span = program.span(location);
    let violation = Violation {
        property: Property::Atomicity,
        thread,
        location,
        span,
        message: message.clone(),
        related: vec![
            (first.0, program.span(first.1), "the access before it in the transaction".to_owned()),
            (remote.0, program.span(remote.1), "the access in between".to_owned()),
        ],
        waiting: Vec::new(),
        race: None,
    };
    let kind = TraceEventKind::Violated { message };
    events.push(TraceEvent { step, thread, location, span, kind });
    Trace { schedule, events, violation, states: Vec::new() }
}

/// One of the accesses, as it was executed.
struct SeenAccess {
    which: usize,
    thread: ThreadId,
    location: Location,
    memory: ByteAccess,
}

struct AccessWatch<'a> {
    accesses: [Origin; 3],
    recorded: &'a [ThreadId],
    /// Instructions of each thread so far.
    executed: Vec<u32>,
    seen: Vec<SeenAccess>,
}

impl Watcher for AccessWatch<'_> {
    fn before(&mut self, machine: &Machine<'_>, thread: ThreadId, location: Location) {
        let index = thread.0 as usize;
        let recorded = self.recorded.get(index).copied().unwrap_or(thread);
        let done = self.executed.get(index).copied().unwrap_or(0);
        let is_it = |origin: &Origin| origin.thread == recorded && origin.index == done;
        let Some(which) = self.accesses.iter().position(is_it) else { return };
        if let Some(memory) = ByteAccess::next_of(machine, thread) {
            self.seen.push(SeenAccess { which, thread, location, memory });
        }
    }

    fn after(&mut self, _: &Machine<'_>, thread: ThreadId, _: Location) {
        let index = thread.0 as usize;
        if self.executed.len() <= index {
            self.executed.resize(index + 1, 0);
        }
        self.executed[index] += 1;
    }
}
