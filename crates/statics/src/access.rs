//! One access to memory as the analysis sees it: by whom, where, to what, and what protects it.

use std::collections::BTreeSet;
use std::rc::Rc;

use program::Location;

use crate::identity::{ObjectId, ThreadId};
use crate::range::Range;
use crate::shared::Shared;
use crate::state::Mode;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AbstractAccessKind {
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

impl AbstractAccessKind {
    pub fn conflicts(self, other: AbstractAccessKind) -> bool {
        (self.writes() || other.writes()) && !(self.is_atomic() && other.is_atomic())
    }

    pub fn writes(self) -> bool {
        match self {
            AbstractAccessKind::Write
            | AbstractAccessKind::AtomicWrite
            | AbstractAccessKind::Death
            | AbstractAccessKind::Synchronise => true,
            AbstractAccessKind::Read | AbstractAccessKind::AtomicRead => false,
        }
    }

    fn is_atomic(self) -> bool {
        matches!(
            self,
            AbstractAccessKind::AtomicRead | AbstractAccessKind::AtomicWrite | AbstractAccessKind::Synchronise
        )
    }

    pub fn name(self) -> &'static str {
        match self {
            AbstractAccessKind::Read => "read",
            AbstractAccessKind::Write => "write",
            AbstractAccessKind::AtomicRead => "atomic read",
            AbstractAccessKind::AtomicWrite => "atomic write",
            AbstractAccessKind::Death => "end of life",
            AbstractAccessKind::Synchronise => "synchronisation",
        }
    }
}

/// What holds while a thread accesses memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessGuard {
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
    pub kind: AbstractAccessKind,
    pub guard: Rc<AccessGuard>,
    /// Reliable locks in the same object, as distances from the first byte accessed.
    pub near_locks: Vec<(i64, Mode)>,
    /// No other thread has the object's address yet.
    pub is_fresh: bool,
}
