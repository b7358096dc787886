//! One access to memory as the analysis sees it: by whom, where, to what, and what protects it.

use std::collections::BTreeSet;
use std::rc::Rc;

use program::Location;

use crate::identity::{ObjectId, ThreadId};
use crate::range::Range;
use crate::shared::Shared;
use crate::state::Mode;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    Read,
    Write,
    AtomicRead,
    AtomicWrite,
    /// The end of the object's life, a write to all of it.
    Death,
    /// An operation that may change a synchronisation object, an atomic write; other than initialising and destroying it,
    /// which are plain writes.
    Synchronise,
}

impl AccessKind {
    pub fn conflicts(self, other: AccessKind) -> bool {
        (self.writes() || other.writes()) && !(self.is_atomic() && other.is_atomic())
    }

    pub fn writes(self) -> bool {
        match self {
            AccessKind::Write | AccessKind::AtomicWrite | AccessKind::Death | AccessKind::Synchronise => true,
            AccessKind::Read | AccessKind::AtomicRead => false,
        }
    }

    fn is_atomic(self) -> bool {
        matches!(self, AccessKind::AtomicRead | AccessKind::AtomicWrite | AccessKind::Synchronise)
    }

    pub fn name(self) -> &'static str {
        match self {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::AtomicRead => "atomic read",
            AccessKind::AtomicWrite => "atomic write",
            AccessKind::Death => "end of life",
            AccessKind::Synchronise => "synchronisation",
        }
    }
}

/// What holds while a thread accesses memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    pub in_section: bool,
    /// Reliable locks in places that exist once.
    pub locks: Vec<(ObjectId, i64, Mode)>,
    pub created: Shared<BTreeSet<ThreadId>>,
    pub joined: Shared<BTreeSet<ThreadId>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractAccess {
    pub thread: ThreadId,
    pub location: Location,
    pub object: ObjectId,
    pub offset: Range,
    pub size: u64,
    pub kind: AccessKind,
    pub guard: Rc<Guard>,
    /// Reliable locks in the same object, as distances from the first byte accessed.
    pub near_locks: Vec<(i64, Mode)>,
    /// No other thread has the object's address yet.
    pub is_fresh: bool,
}
