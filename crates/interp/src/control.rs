//! What of a state is known exactly: where the threads are, the synchronisation objects, and the pointers, handles and counters
//! that steer control.

use std::collections::{BTreeMap, BTreeSet};

use program::{FunctionId, Location};
use symbolic::ObjectId;
use sync::SyncState;
use terms::VariableId;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Control {
    pub threads: Vec<Thread>,
    pub known: BTreeMap<VariableId, KnownValue>,
    pub sync: BTreeMap<(ObjectId, u64), SyncState>,
    /// Arrays that have been read, so that they must not change any more.
    pub sealed: BTreeSet<ObjectId>,
    /// Locals that have ended while something still pointed to them: a pointer to one may be to an earlier one in its place.
    pub left_behind: BTreeSet<ObjectId>,
    /// How many objects each thread has made at each place.
    pub allocations: BTreeMap<(u32, Location), u32>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Thread {
    /// Where each activation is, the innermost last; those below it are at their calls.
    pub frames: Vec<Location>,
    pub status: ControlStatus,
    /// The function that the thread began with.
    pub start: FunctionId,
    pub detached: bool,
    /// Who has waited for its end.
    pub joined_by: Option<u32>,
    /// How many atomic sections the thread is in; more than none only in a loop inside of one.
    pub sections: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ControlStatus {
    Live,
    Ended,
}

/// What a variable is known to hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KnownValue {
    /// A pointer into an object, with its offset if that is known, too. Without an offset the variable holds it.
    Pointer(ObjectId, Option<u64>),
    Number(u64),
    /// A pointer of which nothing is known.
    Lost,
}

impl Control {
    pub fn initial(entry: FunctionId) -> Self {
        Self {
            threads: vec![Thread::new(entry)],
            known: BTreeMap::new(),
            sync: BTreeMap::new(),
            sealed: BTreeSet::new(),
            left_behind: BTreeSet::new(),
            allocations: BTreeMap::new(),
        }
    }

    /// The thread that is in an atomic section.
    pub fn in_section(&self) -> Option<u32> {
        self.threads.iter().position(|thread| thread.sections > 0).map(|index| index as u32)
    }
}

impl Thread {
    pub fn new(function: FunctionId) -> Self {
        let start = Location { function, block: program::Function::ENTRY, index: 0 };
        let (frames, status) = (vec![start], ControlStatus::Live);
        Self { frames, status, start: function, detached: false, joined_by: None, sections: 0 }
    }

    pub fn location(&self) -> Option<Location> {
        self.frames.last().copied().filter(|_| self.status == ControlStatus::Live)
    }

    /// Whether nothing has been done yet.
    pub fn is_at_start(&self) -> bool {
        self.status == ControlStatus::Live && self.frames[..] == Thread::new(self.start).frames[..]
    }

    /// The depth of the innermost activation.
    pub fn depth(&self) -> u32 {
        self.frames.len() as u32 - 1
    }
}
