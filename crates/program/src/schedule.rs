//! Schedules: which thread takes each step, and what every nondeterministic choice gave. Together they determine an
//! execution completely, so that it can be printed, saved and replayed.
//!
//! A *step* is one visible instruction (see `visible`) of a thread, or a whole atomic section, and then whatever
//! invisible instructions follow until the thread stands before its next visible instruction or has ended. A new thread
//! runs up to its first visible instruction as part of the step that creates it.

use base::define_id;

use crate::program_::{GlobalId, Location};

define_id!(
    /// A thread of one execution, numbered in order of creation; 0 is the main thread.
    ThreadId,
    "T"
);

impl ThreadId {
    pub const MAIN: ThreadId = ThreadId(0);
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    pub thread: ThreadId,
    /// The visible instruction that the step executes, where it is known: lets replay say where a schedule departs.
    pub location: Option<Location>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schedule {
    pub steps: Vec<Step>,
    pub choices: Choices,
}

/// The results of all nondeterministic choices of an execution.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    /// Per thread, in the order in which its instructions ask: `Nondet`, a wake-up, a time-out, a weak failure.
    pub by_thread: Vec<Vec<u64>>,
    /// Contents of indeterminate memory, where they were read before being written.
    pub memory: Vec<MemoryChoice>,
}

/// The bytes that an indeterminate stretch of memory turned out to hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryChoice {
    pub object: ObjectName,
    pub offset: u64,
    pub bytes: Vec<u8>,
}

/// The identity of a memory object that does not depend on the interleaving.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectName {
    Global(GlobalId),
    ThreadLocal(GlobalId, ThreadId),
    /// The n-th object (counted from 0) that the thread's `Begin`, `Allocate` and `Reallocate` instructions made.
    Allocated(ThreadId, u32),
}

impl Choices {
    /// Appends one choice of `thread`.
    pub fn push(&mut self, thread: ThreadId, value: u64) {
        let index = thread.0 as usize;
        if self.by_thread.len() <= index {
            self.by_thread.resize(index + 1, Vec::new());
        }
        self.by_thread[index].push(value);
    }
}
