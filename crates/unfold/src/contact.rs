//! Who touches which bytes while several threads may be running, in which manner and under which locks: what the passes
//! of the unfolding learn for the sake of races, see [`Survey`](crate::survey::Survey). An access that meets no rival here
//! cannot race and costs nothing.

use std::collections::BTreeMap;

use events::InstanceId;
use symbolic::ObjectId;

use crate::critical_section::{Lock, Locks};

/// Bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Stretch {
    pub object: ObjectId,
    pub offset: u64,
    pub length: u64,
}

impl Stretch {
    pub fn overlaps(self, other: Stretch) -> bool {
        self.object == other.object
            && self.offset < other.offset + other.length
            && other.offset < self.offset + self.length
    }
}

/// What matters about an access to those who meet it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Manner {
    pub writes: bool,
    pub atomic: bool,
    /// Inside an atomic section: ordered with every other section.
    pub in_section: bool,
    /// The end of the object's life.
    pub is_end: bool,
    /// Of an object that is dead by then: it can only race with the end, whatever it would have done.
    pub is_after_end: bool,
}

impl Manner {
    /// Whether two accesses to the same bytes race if nothing orders them.
    pub fn conflicts(self, other: Manner) -> bool {
        (self.writes || other.writes)
            && !(self.atomic && other.atomic)
            && !(self.in_section && other.in_section)
            && (!self.is_after_end || other.is_end)
            && (!other.is_after_end || self.is_end)
    }

    /// Whether whatever conflicts with `other` also conflicts with this.
    pub fn covers(self, other: Manner) -> bool {
        (self.writes || !other.writes)
            && (!self.atomic || other.atomic)
            && (!self.in_section || other.in_section)
            && self.is_end == other.is_end
            && self.is_after_end == other.is_after_end
    }
}

type LocksByContact = BTreeMap<(Stretch, InstanceId, Manner), Vec<Lock>>;

#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// With the locks held at every such access.
    of_object: BTreeMap<ObjectId, LocksByContact>,
}

/// Somebody else's access that would conflict.
#[derive(Clone, Copy, Debug)]
pub struct Rival<'a> {
    pub instance: InstanceId,
    pub locks: &'a [Lock],
}

impl Contacts {
    /// Notes an access; whether that is news.
    pub fn note(&mut self, stretch: Stretch, instance: InstanceId, manner: Manner, held: &Locks) -> bool {
        let contacts = self.of_object.entry(stretch.object).or_default();
        match contacts.get_mut(&(stretch, instance, manner)) {
            None => {
                contacts.insert((stretch, instance, manner), held.iter().map(|(lock, _)| *lock).collect());
                true
            }
            Some(locks) => {
                let before = locks.len();
                locks.retain(|lock| held.iter().any(|(other, _)| other == lock));
                locks.len() < before
            }
        }
    }

    /// The accesses of other instances that conflict with this one.
    pub fn rivals(&self, stretch: Stretch, instance: InstanceId, manner: Manner) -> impl Iterator<Item = Rival<'_>> {
        let contacts = self.of_object.get(&stretch.object).into_iter().flatten();
        let conflicting = contacts
            .filter(move |((other, by, how), _)| *by != instance && manner.conflicts(*how) && other.overlaps(stretch));
        conflicting.map(|(&(_, instance, _), locks)| Rival { instance, locks })
    }

    /// Whether another instance ever touches the object.
    pub fn has_visitors(&self, object: ObjectId, owner: InstanceId) -> bool {
        self.of_object.get(&object).into_iter().flatten().any(|(&(_, instance, _), _)| instance != owner)
    }

    pub fn clear(&mut self) {
        self.of_object.clear();
    }
}
