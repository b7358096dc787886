//! Noting accesses with what protects them.

use std::rc::Rc;

use crate::access::{AbstractAccess, AbstractAccessKind, AccessGuard};
use crate::analysis::{AbstractInterpreter, ContextLocation};
use crate::identity::ObjectId;
use crate::range::Range;
use crate::state::{AbsState, LockPlace, Mode};
use crate::value::AbsValue;

impl AbstractInterpreter<'_> {
    /// The instruction accesses `size` bytes at the address.
    pub(crate) fn touch(
        &mut self,
        state: &AbsState,
        at: ContextLocation,
        address: &AbsValue,
        size: u64,
        kind: AbstractAccessKind,
    ) {
        if address.is_wild() {
            self.world.access_wildly();
        }
        if self.accesses.is_none() {
            return;
        }
        let guard = Rc::new(self.guard(state));
        let is_fresh = !self.world.are_addresses_revealed() && self.is_fresh(state, address);
        let thread = self.identities.context(at.context).thread;
        for (&object, &offset) in address.objects() {
            let near_locks = self.near_locks(state, address, object, offset);
            let guard = guard.clone();
            let access = AbstractAccess {
                thread,
                location: at.location,
                object,
                offset,
                size,
                kind,
                guard,
                near_locks,
                is_fresh,
            };
            let noted = self.accesses.as_mut().expect("accesses should be noted");
            noted.push(access);
        }
    }

    fn guard(&self, state: &AbsState) -> AccessGuard {
        let reliable = state.locks.iter().filter(|(_, held)| self.world.is_reliable(&held.objects));
        let locks = reliable.filter_map(|(place, held)| match *place {
            LockPlace::Exact(object, offset) => Some((object, offset, held.mode)),
            LockPlace::Named(_) => None,
        });
        AccessGuard {
            in_section: state.section > 0,
            locks: locks.collect(),
            created: state.created.clone(),
            joined: state.joined.clone(),
        }
    }

    /// How far from the access, in the same object, locks are that the thread holds.
    fn near_locks(&self, state: &AbsState, address: &AbsValue, object: ObjectId, offset: Range) -> Vec<(i64, Mode)> {
        let reliable = state.locks.iter().filter(|(_, held)| self.world.is_reliable(&held.objects));
        let distance = |place: &LockPlace| match (*place, address.name()) {
            (LockPlace::Exact(locked, at), _) if locked == object => at.checked_sub(offset.as_offset()?),
            (LockPlace::Named(lock), Some(name)) if lock.base == name.base => lock.plus.checked_sub(name.plus),
            _ => None,
        };
        reliable.filter_map(|(place, held)| Some((distance(place)?, held.mode))).collect()
    }
}
