//! Facts die with what they are about. Whatever ends or renews an object, or puts a synchronisation object into a new
//! state (initialising, destroying, a plain write over its bytes), comes through here: no lock that may lie there is held
//! any more, and no earlier attempt to take one says anything.

use std::collections::BTreeMap;

use sync::ObjectKind;

use crate::analysis::{AbstractInterpreter, ContextLocation};
use crate::holding::Whereabouts;
use crate::identity::ObjectId;
use crate::range::{Overlap, Range};
use crate::state::{AbsState, LockPlace};
use crate::transfer::ALL_BYTES;
use crate::value::AbsValue;
use crate::waiting::Obstacle;

/// What a plain write leaves in a synchronisation object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NewBytes {
    /// An initialised object that is at rest.
    Zeros,
    Others,
}

impl AbstractInterpreter<'_> {
    /// The objects at the address have ended, whole.
    pub(crate) fn end_facts(&mut self, state: &mut AbsState, address: &AbsValue) {
        let whole: Whereabouts = address.objects().keys().map(|&object| (object, Range::ZERO)).collect();
        state.lose_locks(|lock| meet(lock, 1, &whole, ALL_BYTES));
        // Where the address may be null, or another object's, the lock may well be there still.
        if address.is_wild() || address.numbers().is_some() || address.objects().len() != 1 {
            return;
        }
        // Nobody waits for a lock that has ended, so that it is not held in a way that matters.
        let (object, origin) = (address.objects().keys().next().copied(), address.name().map(|name| name.base));
        let exact = object.filter(|&object| self.identities.is_unique_object(object));
        let names = &self.names;
        state.holding.drop_where(|place| match *place {
            LockPlace::Exact(locked, _) => Some(locked) == exact,
            LockPlace::Named(name) => Some(names.origin(name)) == origin,
        });
    }

    /// A synchronisation object at the address is initialised or destroyed, whoever holds it.
    pub(crate) fn reset(&mut self, state: &mut AbsState, at: ContextLocation, address: &AbsValue, kind: ObjectKind) {
        if !self.is_alone(state, at.context) && !self.is_fresh(state, address) {
            self.world.distrust(address.objects());
        }
        let place = self.lock_place(address);
        let bytes = sync::object_bytes(kind, self.program.sync_layouts());
        state.lose_locks(|lock| meet(lock, bytes, address.objects(), bytes));
        state.holding.drop(place, kind);
    }

    /// A plain write of `size` bytes at the address: over a synchronisation object it replaces its state.
    pub(crate) fn overwrite(
        &mut self,
        state: &mut AbsState,
        at: ContextLocation,
        address: &AbsValue,
        size: u64,
        new: NewBytes,
    ) {
        let mut renewed = Whereabouts::new();
        for (&object, &offset) in address.objects() {
            let mut places = self.world.locks_in(object, self.program.sync_layouts(), offset, size);
            // Of elements that are not told apart, the one whose lock is held is written beside that lock, and so are all.
            if offset.as_constant().is_none() {
                places.retain(|&place| !self.is_beside_held_lock(state, address, size, object, place));
            }
            if let Some(place) = places.into_iter().map(|(place, _)| place).reduce(Range::join) {
                renewed.insert(object, place);
            }
        }
        if renewed.is_empty() {
            return;
        }
        let is_fresh = self.is_fresh(state, address);
        if !is_fresh && !self.is_alone(state, at.context) {
            self.world.distrust(&renewed);
        }
        state.lose_locks(|lock| meet(lock, 1, &renewed, 1));
        let is_harmless = new == NewBytes::Zeros || (is_fresh && !self.world.are_lock_bytes_read());
        if !is_harmless && self.accesses.is_some() {
            self.waits.obstacles.insert((at.location, Obstacle::Overwritten));
        }
    }

    /// Whether the bytes are at a known distance from a lock that is held, and at that distance from no lock at the place.
    fn is_beside_held_lock(
        &self,
        state: &AbsState,
        address: &AbsValue,
        size: u64,
        object: ObjectId,
        (place, bytes): (Range, u64),
    ) -> bool {
        let Some(name) = address.name() else { return false };
        state.locks.iter().any(|(lock, held)| match *lock {
            LockPlace::Named(lock) if lock.base == name.base => {
                let Some(&own) = held.objects.get(&object) else { return false };
                let distance = Range::constant(name.plus).add(Range::constant(lock.plus).negate());
                let others = place.add(own.negate());
                others.overlap(bytes, distance, size) == Overlap::Never
            }
            _ => false,
        })
    }

    /// A plain read of `size` bytes at the address.
    pub(crate) fn read_bytes(&mut self, address: &AbsValue, size: u64) {
        let layouts = self.program.sync_layouts();
        let reads_lock =
            |(&object, &offset): (&_, &Range)| !self.world.locks_in(object, layouts, offset, size).is_empty();
        if address.objects().iter().any(reads_lock) {
            self.world.read_lock_bytes();
        }
    }
}

/// Whether stretches of bytes at these places may overlap.
fn meet(a: &BTreeMap<ObjectId, Range>, size: u64, b: &BTreeMap<ObjectId, Range>, other_size: u64) -> bool {
    a.iter().any(|(object, &offset)| {
        b.get(object).is_some_and(|&other| offset.overlap(size, other, other_size) != Overlap::Never)
    })
}
