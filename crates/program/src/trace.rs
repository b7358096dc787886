//! Traces: an execution with what happened at each step, ending in a violation.

use base::Span;

use crate::program_::Location;
use crate::property::Property;
use crate::schedule::{Schedule, ThreadId};
use crate::thread_state::ThreadState;

/// A confirmed execution that violates a property: the interpreter produced every part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    pub schedule: Schedule,
    pub events: Vec<TraceEvent>,
    pub violation: Violation,
    /// Of each thread, by number, where the execution ends.
    pub states: Vec<ThreadState>,
}

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub property: Property,
    pub thread: ThreadId,
    pub location: Location,
    pub span: Span,
    /// One sentence for the user, without the place.
    pub message: String,
    /// For a race: the other access. For invalid memory: where the object was freed or ended.
    pub related: Vec<(ThreadId, Span, String)>,
    /// For a deadlock: who waits for what.
    pub waiting: Vec<WaitingThread>,
    /// For a race: this access and the earlier one.
    pub race: Option<Box<[RacingAccess; 2]>>,
}

/// One of the two accesses of a race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RacingAccess {
    pub thread: ThreadId,
    pub span: Span,
    /// For example `write`, or `atomic read`.
    pub access: &'static str,
    /// What is accessed, as a C programmer writes it.
    pub place: String,
    /// For example `holding mutex m`; empty where nobody took note of it.
    pub protection: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitingThread {
    pub thread: ThreadId,
    pub span: Span,
    /// For example `mutex a`, or `the end of thread 1`.
    pub object: String,
    /// Who holds the object, if it has an owner.
    pub holder: Option<ThreadId>,
    /// Where the holder has taken it.
    pub held_since: Option<Span>,
    /// What would end the wait, where no holder can: `to be signalled`.
    pub awaited: Option<&'static str>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceEvent {
    /// Index into the schedule's steps: events of one atomic section share it.
    pub step: usize,
    pub thread: ThreadId,
    pub location: Location,
    pub span: Span,
    pub kind: TraceEventKind,
}

/// Places and values are already written as a C programmer would: `queue.items[3]`, `-1`, `&counter`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceEventKind {
    Read {
        place: String,
        value: String,
    },
    Write {
        place: String,
        value: String,
    },
    /// A read-modify-write or compare-exchange; `new` is `None` if it did not write.
    Update {
        place: String,
        old: String,
        new: Option<String>,
    },
    Input {
        value: String,
    },
    /// A synchronisation operation by its C name, for example `lock`, on an object.
    Sync {
        action: String,
        object: String,
    },
    Spawn {
        child: ThreadId,
        function: String,
    },
    Join {
        child: ThreadId,
    },
    Allocate {
        object: String,
        size: u64,
    },
    Free {
        object: String,
    },
    ThreadEnd,
    ProcessEnd,
    /// The violation itself.
    Violated {
        message: String,
    },
}
