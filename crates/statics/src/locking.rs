//! Locksets: which locks a thread certainly holds (Savage et al., *Eraser*, 1997, made static and path-aware).
//!
//! A lock protects only if nobody can take it away from its holder. By the table of crate `sync`, a normal mutex and a spin
//! lock are freed by whoever unlocks them, and initialising or destroying resets most objects whoever holds them. Places where
//! that may happen are distrusted. A second `lock` of a mutex is not counted: the first `unlock` ends what is certain.

use std::collections::BTreeMap;

use program::SyncOp;
use sync::{LockEffect, Mode, ObjectKind, Waits};

use crate::access::AccessKind;
use crate::analysis::{Analysis, At};
use crate::state::{Held, LockPlace, State};
use crate::value::Value;

impl Analysis<'_> {
    /// Executes a synchronisation operation; returns its result.
    pub(crate) fn synchronise(&mut self, state: &mut State, at: At, op: SyncOp, operands: &[Value]) -> Value {
        let class = sync::class(op);
        let access = if class.resets { AccessKind::Write } else { AccessKind::Synchronise };
        for (index, (value, &kind)) in operands.iter().zip(&sync::action(op).objects).enumerate() {
            self.world.use_as(&value.objects, kind);
            // Whoever has been woken does not look at what it waited for any more.
            if !(class.is_completion && index == 0) {
                self.touch(state, at, value, sync::object_bytes(kind, self.program.data_model), access);
            }
        }
        let result = Value::anything().named(Some(self.result_name(state, at, 0)));
        let Some(first) = operands.first() else { return result };
        let operand = |index: usize| operands.get(index).unwrap_or(first);
        if class.lock.is_none() || class.waits == Waits::Always {
            self.note_other_wait(at, op);
        }
        match class.lock {
            Some(LockEffect::Acquire { mode, fallible: false, operand: lock }) => {
                self.acquire(state, at, operand(lock), mode, op);
            }
            Some(LockEffect::Acquire { mode, fallible: true, operand: lock }) => {
                self.attempt(state, at, operand(lock), mode, &result, op);
            }
            Some(LockEffect::Release { by_holder_only, operand: lock }) => {
                self.release(state, operand(lock), !by_holder_only, op);
            }
            None if class.resets_held_lock => self.reset(state, at, first),
            None => {}
        }
        result
    }

    /// The place of a lock, if it can be told from all others.
    fn lock_place(&self, address: &Value) -> Option<LockPlace> {
        if let (1, Some((&object, offset))) = (address.objects.len(), address.objects.first_key_value())
            && let Some(offset) = offset.as_constant()
            && self.identities.is_unique_object(object)
        {
            return Some(LockPlace::Exact(object, offset));
        }
        address.name.map(LockPlace::Named)
    }

    fn acquire(&mut self, state: &mut State, at: At, address: &Value, mode: Mode, op: SyncOp) {
        let (place, kind) = (self.lock_place(address), lock_kind(op));
        self.note_taking(state, at, kind, address, op);
        state.holding.take(place, kind, &address.objects);
        if let Some(place) = place {
            state.locks.insert(place, Held { mode, objects: address.objects.clone() });
        }
    }

    fn attempt(&mut self, state: &mut State, at: At, address: &Value, mode: Mode, result: &Value, op: SyncOp) {
        let (place, kind) = (self.lock_place(address), lock_kind(op));
        self.note_taking(state, at, kind, address, op);
        state.holding.take(place, kind, &address.objects);
        if let (Some(place), Some(name)) = (place, result.name) {
            state.attempts.insert(name.base, (place, Held { mode, objects: address.objects.clone() }));
        }
    }

    /// `by_anybody`: whoever does it ends the lock, its holder or not.
    fn release(&mut self, state: &mut State, address: &Value, by_anybody: bool, op: SyncOp) {
        let place = self.lock_place(address);
        state.holding.drop(place, lock_kind(op));
        let held = place.and_then(|place| state.locks.remove(&place));
        if held.is_none() && by_anybody {
            self.world.distrust(&address.objects);
        }
        let may_be = |held: &Held| {
            held.objects.iter().any(|(object, &offset)| {
                address.objects.get(object).is_some_and(|&released| !released.is_disjoint(offset))
            })
        };
        state.locks.retain(|_, held| !may_be(held));
        state.attempts.retain(|_, (_, held)| !may_be(held));
    }

    /// A plain write: the locks there are in a new state, whoever held them, and perhaps held by nobody's doing.
    pub(crate) fn overwrite_locks(&mut self, state: &mut State, at: At, address: &Value, size: u64, with: &Written) {
        let model = self.program.data_model;
        let overwritten = self.world.locks_in(&address.objects, size, model);
        if overwritten.is_empty() {
            return;
        }
        let may_be_locked = match with {
            Written::Constant => false,
            Written::Anything => true,
            Written::CopyOf(source) => !self.world.locks_in(&source.objects, size, model).is_empty(),
        };
        if may_be_locked {
            self.note_copied_lock(at);
        }
        let is_overwritten = |held: &Held| {
            held.objects.iter().any(|(object, &offset)| {
                overwritten.get(object).is_some_and(|places| places.iter().any(|&place| !place.is_disjoint(offset)))
            })
        };
        state.locks.retain(|_, held| !is_overwritten(held));
        state.attempts.retain(|_, (_, held)| !is_overwritten(held));
        if !self.is_alone(state, at.context) && !self.is_fresh(state, address) {
            for (&object, places) in &overwritten {
                places.iter().for_each(|&place| self.world.distrust(&BTreeMap::from([(object, place)])));
            }
        }
    }

    fn reset(&mut self, state: &State, at: At, address: &Value) {
        if !self.is_alone(state, at.context) && !self.is_fresh(state, address) {
            self.world.distrust(&address.objects);
        }
    }
}

/// What a plain write puts into memory.
pub(crate) enum Written<'a> {
    Constant,
    CopyOf(&'a Value),
    Anything,
}

/// Of what kind the lock is that the operation takes or releases.
fn lock_kind(op: SyncOp) -> ObjectKind {
    let locks = |kind: &ObjectKind| matches!(kind, ObjectKind::Mutex | ObjectKind::Spin | ObjectKind::Rwlock);
    sync::action(op).objects.iter().copied().find(locks).unwrap_or(ObjectKind::Mutex)
}
