//! Which locks a thread *may* hold, the other side of the locksets in [`locking`](crate::locking): there what is certain
//! counts, here what is possible.
//!
//! A lock is no longer held once it is unlocked where it was locked: at a place that exists once, or under a name that
//! still means the same. That is right only for locks that are never taken twice; whoever may take one twice is noted as
//! waiting for himself ([`waiting`](crate::waiting)). A lock that cannot be told from others any more stays held for
//! ever, which no proof survives.

use std::collections::BTreeMap;

use sync::ObjectKind;

use crate::identity::ObjectId;
use crate::name::Name;
use crate::range::Range;
use crate::state::LockPlace;

/// Where a lock may lie.
pub type Whereabouts = BTreeMap<ObjectId, Range>;

/// The locks that may be held, each with where it may lie; those that cannot be told apart are one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Holding(BTreeMap<(Option<LockPlace>, ObjectKind), Whereabouts>);

impl Holding {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (ObjectKind, &Whereabouts)> {
        self.0.iter().map(|(&(_, kind), objects)| (kind, objects))
    }

    pub fn take(&mut self, place: Option<LockPlace>, kind: ObjectKind, objects: &Whereabouts) {
        include(self.0.entry((place, kind)).or_default(), objects);
    }

    pub fn drop(&mut self, place: Option<LockPlace>, kind: ObjectKind) {
        if place.is_some() {
            self.0.remove(&(place, kind));
        }
    }

    /// What was taken at such places is not held any more.
    pub fn drop_where(&mut self, ended: impl Fn(&LockPlace) -> bool) {
        self.0.retain(|(place, _), _| !place.as_ref().is_some_and(&ended));
    }

    /// Whether any lock is known by a name for which `stale` holds.
    pub fn mentions(&self, stale: impl Fn(Name) -> bool) -> bool {
        self.0.keys().any(|(place, _)| is_stale(place, &stale))
    }

    /// Names for which `stale` holds do not mean the same any more.
    pub fn forget(&mut self, stale: impl Fn(Name) -> bool) {
        for ((place, kind), objects) in std::mem::take(&mut self.0) {
            let place = place.filter(|_| !is_stale(&place, &stale));
            self.take(place, kind, &objects);
        }
    }

    pub fn join(&mut self, other: &Holding) {
        for (&(place, kind), objects) in &other.0 {
            self.take(place, kind, objects);
        }
    }
}

fn include(known: &mut Whereabouts, more: &Whereabouts) {
    for (&object, &offset) in more {
        known.entry(object).and_modify(|known| *known = known.join(offset)).or_insert(offset);
    }
}

fn is_stale(place: &Option<LockPlace>, stale: impl Fn(Name) -> bool) -> bool {
    matches!(place, Some(LockPlace::Named(name)) if stale(*name))
}
