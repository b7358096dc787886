//! Which accesses of two threads are ordered by creating and joining threads alone: thread identities with the sets of
//! threads that may have been created and must have been joined (Schwarz et al., *Improving thread-modular abstract
//! interpretation*, SAS 2021, call these digests).

use std::collections::BTreeSet;

use crate::identity::{Identities, ThreadId};

/// A place in a thread, as far as creating and joining are concerned.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    pub thread: ThreadId,
    pub created: &'a BTreeSet<ThreadId>,
    pub joined: &'a BTreeSet<ThreadId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ThreadOrder {
    SameThread,
    /// One comes before the thread of the other is created.
    Creation,
    /// One comes after the thread of the other is joined.
    Join,
}

/// Why two accesses cannot be concurrent, if it is for one of these reasons.
pub fn order(identities: &Identities, a: Moment<'_>, b: Moment<'_>) -> Option<ThreadOrder> {
    if a.thread == b.thread && identities.is_unique_thread(a.thread) {
        return Some(ThreadOrder::SameThread);
    }
    if precedes_creation(identities, a, b.thread) || precedes_creation(identities, b, a.thread) {
        return Some(ThreadOrder::Creation);
    }
    (a.joined.contains(&b.thread) || b.joined.contains(&a.thread)).then_some(ThreadOrder::Join)
}

/// Whether the moment comes before `other`, a descendant of its thread, can exist.
pub fn precedes_creation(identities: &Identities, moment: Moment<'_>, other: ThreadId) -> bool {
    identities.is_unique_thread(moment.thread)
        && child_towards(identities, moment.thread, other).is_some_and(|child| !moment.created.contains(&child))
}

/// The thread created by `ancestor` that `thread` is or descends from.
fn child_towards(identities: &Identities, ancestor: ThreadId, mut thread: ThreadId) -> Option<ThreadId> {
    loop {
        match identities.creator(thread)? {
            creator if creator == ancestor => return Some(thread),
            creator => thread = creator,
        }
    }
}
