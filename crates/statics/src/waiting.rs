//! Noting who may wait for what, and what he may hold meanwhile.

use std::collections::BTreeSet;

use program::{Location, SyncOp};
use sync::{Condition, ObjectKind};

use crate::analysis::{AbstractInterpreter, ContextLocation};
use crate::holding::Whereabouts;
use crate::identity::{ObjectId, ThreadId};
use crate::range::Range;
use crate::state::AbsState;
use crate::value::AbsValue;

/// What a thread may wait for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Awaited {
    Lock(ObjectKind, ObjectId, Range),
    EndOf(ThreadId),
}

/// A thread may wait for one of these, and own those.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Wait {
    pub thread: ThreadId,
    pub location: Location,
    pub awaited: BTreeSet<Awaited>,
    pub held: BTreeSet<Awaited>,
}

/// All waits of a program, and what cannot be said in their terms.
#[derive(Clone, Default, Debug)]
pub struct Waits {
    pub waits: BTreeSet<Wait>,
    pub obstacles: BTreeSet<(Location, Obstacle)>,
}

/// Why no order of locks can exclude a deadlock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Obstacle {
    /// A wait that nobody in particular can end: for a signal, a post, a barrier.
    NobodyOwns,
    /// A thread may end with a lock in its hands.
    EndsHolding,
    /// The wait may be inside an atomic section.
    InSection,
    /// Bytes that may be those of a locked lock are written over one.
    Overwritten,
}

impl AbstractInterpreter<'_> {
    /// The operation waits for, or tries to take, what lies at the address. Before it does.
    pub(crate) fn note_taking(
        &mut self,
        state: &AbsState,
        at: ContextLocation,
        kind: ObjectKind,
        address: &AbsValue,
        op: SyncOp,
    ) {
        if self.accesses.is_none() {
            return;
        }
        let awaited = places(kind, address.objects());
        let relocks = state.holding.iter().any(|(_, objects)| may_meet(objects, address.objects()));
        let blocks = sync::action(op).guard != Condition::True;
        if blocks || relocks {
            self.note_wait(state, at, awaited);
        }
    }

    /// An operation that takes no lock may wait all the same.
    pub(crate) fn note_other_wait(&mut self, at: ContextLocation, op: SyncOp) {
        if self.accesses.is_some() && sync::action(op).guard != Condition::True {
            self.waits.obstacles.insert((at.location, Obstacle::NobodyOwns));
        }
    }

    pub(crate) fn note_join(&mut self, state: &AbsState, at: ContextLocation, handle: &AbsValue) {
        if self.accesses.is_none() {
            return;
        }
        let is_unclear = handle.may_be_any_handle();
        let awaited = match is_unclear {
            true => self.identities.threads().map(Awaited::EndOf).collect(),
            false => handle.threads().iter().copied().map(Awaited::EndOf).collect(),
        };
        self.note_wait(state, at, awaited);
    }

    pub(crate) fn note_end(&mut self, state: &AbsState, at: ContextLocation) {
        if self.accesses.is_some() && !state.holding.is_empty() {
            self.waits.obstacles.insert((at.location, Obstacle::EndsHolding));
        }
    }

    fn note_wait(&mut self, state: &AbsState, at: ContextLocation, awaited: BTreeSet<Awaited>) {
        if state.most_sections > 0 {
            self.waits.obstacles.insert((at.location, Obstacle::InSection));
        }
        let held = state.holding.iter().flat_map(|(kind, objects)| places(kind, objects)).collect();
        let thread = self.identities.context(at.context).thread;
        self.waits.waits.insert(Wait { thread, location: at.location, awaited, held });
    }
}

fn places(kind: ObjectKind, objects: &Whereabouts) -> BTreeSet<Awaited> {
    objects.iter().map(|(&object, &offset)| Awaited::Lock(kind, object, offset)).collect()
}

fn may_meet(a: &Whereabouts, b: &Whereabouts) -> bool {
    a.iter().any(|(object, &offset)| b.get(object).is_some_and(|&other| !other.is_disjoint(offset)))
}
