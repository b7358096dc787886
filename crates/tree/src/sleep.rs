//! Sleep sets (Godefroid, *Partial-order methods*, LNCS 1032, chapter 5).
//!
//! A thread whose step was explored at a node sleeps in the subtrees of the node's later children until a step that
//! does not commute with its own wakes it: what it would do first, it has done already.
//!
//! Guarantee: for every execution there is a path with the same steps, in an order that differs only in steps that
//! commute. Who asks about the state in which a process ends, counts switches, or takes several steps at a time does not
//! get that much ([`is_sound`]).
//!
//! A step is the visible instruction that a thread stands before, with its tail, which commutes with everything
//! (`program::visible`). A step that ends an execution needs no care: it has been explored when its thread falls asleep.

use base::Id;
use execute::{Arg, Machine, Op, Place};
use program::{Property, PropertySet, ThreadId};
use smallvec::SmallVec;

use crate::bounds::{Granularity, TreeOptions};

/// The threads that sleep at a node.
pub type SleepSet = SmallVec<[ThreadId; 4]>;

/// Whether sleep sets leave out nothing that matters. Under a context bound, an execution that stands for others may
/// need more switches than they do; a statement is more than one step; and executions that differ in who acted before
/// the process ended leave different memory behind.
pub fn is_sound(options: &TreeOptions, properties: PropertySet) -> bool {
    options.context_bound.is_none()
        && options.granularity == Granularity::Access
        && !properties.iter().any(Property::is_about_the_end)
}

/// What the next step of a thread touches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Footprint {
    /// The thread's own.
    Nothing,
    Bytes {
        place: Place,
        length: u64,
        write: bool,
    },
    /// Synchronisation objects, where they begin.
    Objects(SmallVec<[Place; 2]>),
    /// Another thread, which has ended.
    Join,
    /// It is not known, or too much to tell.
    Everything,
}

impl Footprint {
    pub fn of(machine: &Machine<'_>, thread: ThreadId) -> Self {
        let code = machine.code();
        let at = machine.site_of(thread).index();
        if !code.visible[at] {
            return Footprint::Everything;
        }
        let bytes = |address: Arg, length: u8, write: bool| {
            let value = machine.state.threads[thread.0 as usize].value(code, address);
            match machine.state.memory.place(value, u64::from(length), write) {
                Ok(place) if !value.is_opaque() => Footprint::Bytes { place, length: u64::from(length), write },
                _ => Footprint::Everything,
            }
        };
        match &code.ops[at] {
            Op::Nondet { .. } => Footprint::Nothing,
            Op::Load { address, access, .. } => bytes(*address, access.bytes, false),
            Op::Store { address, access, .. }
            | Op::ReadModifyWrite { address, access, .. }
            | Op::CompareExchange { address, access, .. } => bytes(*address, access.bytes, true),
            Op::Sync { op, operands, .. } => {
                machine.sync_objects(thread, *op, operands).map_or(Footprint::Everything, Footprint::Objects)
            }
            Op::Join { .. } => Footprint::Join,
            _ => Footprint::Everything,
        }
    }

    /// Whether two steps of different threads, both possible now, lead to the same state in either order.
    pub fn commutes_with(&self, other: &Footprint) -> bool {
        use Footprint::*;
        match (self, other) {
            (Everything, _) | (_, Everything) | (Join, Join) => false,
            (Nothing | Join, _) | (_, Nothing | Join) => true,
            (Bytes { place: a, length: m, write: x }, Bytes { place: b, length: n, write: y }) => {
                let apart = a.slot != b.slot || a.offset + m <= b.offset || b.offset + n <= a.offset;
                apart || !(*x || *y)
            }
            (Bytes { place, .. }, Objects(objects)) | (Objects(objects), Bytes { place, .. }) => {
                objects.iter().all(|object| object.slot != place.slot)
            }
            (Objects(own), Objects(others)) => own.iter().all(|object| !others.contains(object)),
        }
    }
}

/// Of `candidates`, those that sleep on while `thread` takes its step.
pub fn asleep_during(machine: &Machine<'_>, thread: ThreadId, candidates: impl Iterator<Item = ThreadId>) -> SleepSet {
    let step = Footprint::of(machine, thread);
    if step == Footprint::Everything {
        return SleepSet::new();
    }
    let mut asleep: SleepSet =
        candidates.filter(|&other| other != thread && Footprint::of(machine, other).commutes_with(&step)).collect();
    asleep.sort_unstable();
    asleep.dedup();
    asleep
}
