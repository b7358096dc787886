//! A trace: who did what, in the order of the run.

use base::{IdVec, define_id};

define_id!(
    /// An event, by its place in the trace.
    EventId,
    "e"
);
define_id!(
    /// A thread of the run.
    ThreadId,
    "T"
);
define_id!(
    /// A place in memory.
    VariableId,
    "V"
);
define_id!(
    /// A lock.
    LockId,
    "L"
);
define_id!(
    /// A place in the source, whatever its tracer calls so.
    LocationId,
    "at"
);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExternalEvent {
    pub thread: ThreadId,
    pub operation: Operation,
    pub location: LocationId,
    /// The line of the file that it comes from.
    pub line: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    Read(VariableId),
    Write(VariableId),
    Acquire(LockId),
    Release(LockId),
    Fork(ThreadId),
    Join(ThreadId),
    /// Of what is meant to be atomic.
    Begin,
    End,
}

impl Operation {
    pub fn variable(self) -> Option<VariableId> {
        match self {
            Operation::Read(variable) | Operation::Write(variable) => Some(variable),
            _ => None,
        }
    }

    pub fn is_write(self) -> bool {
        matches!(self, Operation::Write(_))
    }
}

/// Events and the names that the file has for everything.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExternalTrace {
    pub events: IdVec<EventId, ExternalEvent>,
    pub threads: IdVec<ThreadId, String>,
    pub variables: IdVec<VariableId, String>,
    pub locks: IdVec<LockId, String>,
    pub locations: IdVec<LocationId, String>,
}

impl ExternalTrace {
    /// The event as the file says it, without its location: `T0|r(V1)`.
    pub fn describe(&self, event: EventId) -> String {
        let ExternalEvent { thread, operation, .. } = self.events[event];
        let thread = &self.threads[thread];
        match operation {
            Operation::Read(variable) => format!("{thread}|r({})", self.variables[variable]),
            Operation::Write(variable) => format!("{thread}|w({})", self.variables[variable]),
            Operation::Acquire(lock) => format!("{thread}|acq({})", self.locks[lock]),
            Operation::Release(lock) => format!("{thread}|rel({})", self.locks[lock]),
            Operation::Fork(child) => format!("{thread}|fork({})", self.threads[child]),
            Operation::Join(child) => format!("{thread}|join({})", self.threads[child]),
            Operation::Begin => format!("{thread}|begin"),
            Operation::End => format!("{thread}|end"),
        }
    }
}
