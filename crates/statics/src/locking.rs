//! Locksets: which locks a thread certainly holds (Savage et al., *Eraser*, 1997, made static and path-aware).
//!
//! A lock protects only if nobody can take it away from its holder. By the table of crate `sync`, a normal mutex and a spin
//! lock are freed by whoever unlocks them, and initialising or destroying resets most objects whoever holds them. Places where
//! that may happen are distrusted. A second `lock` of a mutex is not counted: the first `unlock` ends what is certain.

use program::SyncOp;
use sync::{Blocking, LockEffect, Mode, ObjectKind};

use crate::access::AbstractAccessKind;
use crate::analysis::{AbstractInterpreter, ContextLocation};
use crate::identity::{Object, ObjectId};
use crate::range::Range;
use crate::state::{AbsState, Held, LockPlace};
use crate::value::AbsValue;

impl AbstractInterpreter<'_> {
    /// Executes a synchronisation operation; returns its result. What takes a lock writes to it when it holds it.
    pub(crate) fn synchronise(
        &mut self,
        state: &mut AbsState,
        at: ContextLocation,
        op: SyncOp,
        operands: &[AbsValue],
    ) -> AbsValue {
        let class = sync::class(op);
        for (index, (value, &kind)) in operands.iter().zip(&sync::action(op).objects).enumerate() {
            self.world.use_as(value.objects(), kind, self.program.sync_layouts());
            // Whoever has been woken does not look at what it waited for any more.
            if !(class.is_completion && index == 0) {
                let access = match (class.resets, sync::writes(op)[index].is_some()) {
                    (true, _) => AbstractAccessKind::Write,
                    (false, true) if !is_taken(op, index) => AbstractAccessKind::Synchronise,
                    // Who waits for a lock has only looked at it.
                    (false, _) => AbstractAccessKind::AtomicRead,
                };
                self.touch(state, at, value, sync::object_bytes(kind, self.program.sync_layouts()), access);
            }
        }
        let mut result = AbsValue::anything().named(Some(self.result_name(state, at, 0)));
        let Some(first) = operands.first() else { return result };
        let operand = |index: usize| operands.get(index).unwrap_or(first);
        if class.lock.is_none() || class.waits == Blocking::Always {
            self.note_other_wait(at, op);
        }
        match class.lock {
            Some(LockEffect::Acquire { mode, fallible: false, operand: lock }) => {
                self.acquire(state, at, operand(lock), mode, op);
                let bytes = sync::object_bytes(sync::action(op).objects[lock], self.program.sync_layouts());
                self.touch(state, at, operand(lock), bytes, AbstractAccessKind::Synchronise);
            }
            Some(LockEffect::Acquire { mode, fallible: true, operand: lock }) => {
                self.attempt(state, at, operand(lock), mode, &result, op);
            }
            Some(LockEffect::Release { by_holder_only, operand: lock }) => {
                if self.certainly_holds(state, operand(lock)) {
                    result = AbsValue::number(Range::ZERO);
                }
                self.release(state, operand(lock), !by_holder_only, op);
            }
            None if class.resets_held_lock => self.reset(state, at, first, lock_kind(op)),
            None => {}
        }
        result
    }

    /// Whether the object is a local that may begin several times in one activation: each time it is another one, and a
    /// lock in one excludes nobody who holds that in another.
    fn is_renewed(&self, object: ObjectId) -> bool {
        match self.identities.object(object) {
            Object::Local(frame, local) => {
                let function = self.identities.context(frame).function;
                self.begun_again[function].contains(&local)
            }
            Object::Global(_) | Object::ThreadLocal(..) | Object::Allocation(..) => false,
        }
    }

    /// The place of a lock, if it can be told from all others.
    pub(crate) fn lock_place(&self, address: &AbsValue) -> Option<LockPlace> {
        if let (1, Some((&object, offset))) = (address.objects().len(), address.objects().first_key_value())
            && let Some(offset) = offset.as_offset()
            && self.identities.is_unique_object(object)
            && !self.is_renewed(object)
        {
            return Some(LockPlace::Exact(object, offset));
        }
        address.name().map(LockPlace::Named)
    }

    /// Whether the thread holds the lock, so that giving it up cannot fail.
    fn certainly_holds(&self, state: &AbsState, address: &AbsValue) -> bool {
        let is_held = self.lock_place(address).is_some_and(|place| state.locks.contains_key(&place));
        is_held && address.numbers().is_none() && self.world.is_reliable(address.objects())
    }

    fn acquire(&mut self, state: &mut AbsState, at: ContextLocation, address: &AbsValue, mode: Mode, op: SyncOp) {
        let (place, kind) = (self.lock_place(address), lock_kind(op));
        self.note_taking(state, at, kind, address, op);
        state.holding.take(place, kind, address.objects());
        if let Some(place) = place {
            state.locks.insert(place, Held { kind, mode, objects: address.objects().clone() });
        }
    }

    fn attempt(
        &mut self,
        state: &mut AbsState,
        at: ContextLocation,
        address: &AbsValue,
        mode: Mode,
        result: &AbsValue,
        op: SyncOp,
    ) {
        let (place, kind) = (self.lock_place(address), lock_kind(op));
        self.note_taking(state, at, kind, address, op);
        state.holding.take(place, kind, address.objects());
        if let (Some(place), Some(name)) = (place, result.name()) {
            state.attempts.insert(name.base, (place, Held { kind, mode, objects: address.objects().clone() }));
        }
    }

    /// `by_anybody`: whoever does it ends the lock, its holder or not.
    fn release(&mut self, state: &mut AbsState, address: &AbsValue, by_anybody: bool, op: SyncOp) {
        let place = self.lock_place(address);
        state.holding.drop(place, lock_kind(op));
        let held = place.and_then(|place| state.locks.remove(&place));
        if held.is_none() && by_anybody {
            self.world.distrust(address.objects());
        }
        state.lose_locks(|lock| {
            let meets = |(object, &offset): (&ObjectId, &Range)| {
                address.objects().get(object).is_some_and(|&released| !released.is_disjoint(offset))
            };
            lock.iter().any(meets)
        });
    }
}

/// Whether the operand is a lock that the thread holds after the operation, for which it waits before.
fn is_taken(op: SyncOp, index: usize) -> bool {
    matches!(sync::class(op).lock, Some(LockEffect::Acquire { fallible: false, operand, .. }) if operand == index)
}

/// Of what kind the lock is that the operation takes or releases.
fn lock_kind(op: SyncOp) -> ObjectKind {
    sync::action(op).objects.iter().copied().find(|kind| kind.is_lock()).unwrap_or(ObjectKind::Mutex)
}
