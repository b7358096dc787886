//! Who touches which bytes while several threads may be running, in which manner and under which locks: what the passes
//! of the unfolding learn for the sake of races, see [`PassFacts`](crate::survey::Survey). An access that meets no rival here
//! cannot race and costs nothing.

use std::collections::BTreeMap;

use events::InstanceId;
use program::SyncOp;
use symbolic::{ObjectId, ObjectKey};

use crate::critical_section::{Lock, Locks};
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::SymState;

/// Bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ByteRange {
    pub object: ObjectId,
    pub offset: u64,
    pub length: u64,
}

impl ByteRange {
    pub fn overlaps(self, other: ByteRange) -> bool {
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
    /// Comes before all others.
    const LEAST: Manner =
        Manner { writes: false, atomic: false, in_section: false, is_end: false, is_after_end: false };

    /// Whether two accesses to the same bytes race if nothing orders them.
    pub fn conflicts(self, other: Manner) -> bool {
        (self.writes || other.writes)
            && !(self.atomic && other.atomic)
            && !(self.in_section && other.in_section)
            && (!self.is_after_end || other.is_end)
            && (!other.is_after_end || self.is_end)
    }

    /// How a synchronisation operation accesses its object: atomically, unless it initialises or destroys it.
    pub fn of_synchronisation(state: &SymState, op: SyncOp, changes: bool) -> Manner {
        let (resets, in_section) = (sync::class(op).resets, state.atomic.is_some());
        Manner { writes: resets || changes, atomic: !resets, in_section, is_end: false, is_after_end: false }
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

type Contact = (ByteRange, InstanceId, Manner);
type LocksByContact = BTreeMap<Contact, Vec<Lock>>;

/// Contacts with at most so many bytes are found by their offsets.
const SHORT: u64 = 64;

#[derive(Clone, Debug, Default)]
pub struct Contacts {
    of_object: BTreeMap<ObjectId, ObjectContacts>,
}

/// Who touches an object, with the locks held at every such access.
#[derive(Clone, Debug, Default)]
struct ObjectContacts {
    /// Of at most [`SHORT`] bytes, by where they begin.
    short: LocksByContact,
    long: LocksByContact,
}

impl ObjectContacts {
    fn all(&self) -> impl Iterator<Item = (&Contact, &Vec<Lock>)> {
        self.short.iter().chain(&self.long)
    }

    /// Those that may overlap a stretch, and few others.
    fn near(&self, stretch: ByteRange) -> impl Iterator<Item = (&Contact, &Vec<Lock>)> {
        let first = ByteRange { offset: stretch.offset.saturating_sub(SHORT), length: 0, ..stretch };
        let behind = stretch.offset.saturating_add(stretch.length);
        let short = self.short.range((first, InstanceId(0), Manner::LEAST)..);
        short.take_while(move |((other, ..), _)| other.offset < behind).chain(&self.long)
    }
}

/// Somebody else's access that would conflict.
#[derive(Clone, Copy, Debug)]
pub struct Rival<'a> {
    pub instance: InstanceId,
    pub locks: &'a [Lock],
}

impl Contacts {
    /// Notes an access; whether that is news.
    pub fn note(&mut self, stretch: ByteRange, instance: InstanceId, manner: Manner, held: &Locks) -> bool {
        let contacts = self.of_object.entry(stretch.object).or_default();
        let contacts = if stretch.length <= SHORT { &mut contacts.short } else { &mut contacts.long };
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
    pub fn rivals(&self, stretch: ByteRange, instance: InstanceId, manner: Manner) -> impl Iterator<Item = Rival<'_>> {
        let contacts = self.of_object.get(&stretch.object).into_iter().flat_map(move |contacts| contacts.near(stretch));
        let conflicting = contacts
            .filter(move |((other, by, how), _)| *by != instance && manner.conflicts(*how) && other.overlaps(stretch));
        conflicting.map(|(&(_, instance, _), locks)| Rival { instance, locks })
    }

    /// Whether another instance ever touches the object.
    pub fn has_visitors(&self, object: ObjectId, owner: InstanceId) -> bool {
        let contacts = self.of_object.get(&object).into_iter().flat_map(ObjectContacts::all);
        contacts.into_iter().any(|(&(_, instance, _), _)| instance != owner)
    }

    pub fn clear(&mut self) {
        self.of_object.clear();
    }
}

impl Pass<'_> {
    /// Whether somebody who may be running makes a conflicting access without a common lock. Where every access counts,
    /// others may also come later or have come before: a transaction may last while threads are created and joined.
    pub fn has_rivals(&self, state: &SymState, stretch: ByteRange, manner: Manner) -> bool {
        let mut rivals = self.survey.contacts().rivals(stretch, state.instance, manner);
        rivals.any(|rival| {
            let excluded = self.options.optimisations.critical_sections
                && state.locks.iter().any(|(lock, _)| rival.locks.contains(lock) && self.survey.is_reliable(*lock));
            let is_present =
                || !state.joined.contains(&rival.instance) && !self.is_yet_to_be_created(state, rival.instance);
            !excluded && (self.options.every_access || is_present())
        })
    }

    /// Whether instances other than its owner touch an object.
    pub fn has_visitors(&self, object: ObjectId, owner: InstanceId) -> bool {
        self.survey.contacts().has_visitors(object, owner)
    }

    /// The thread-local variables of the present instance end with it; who still uses them is not followed.
    pub fn leave_gap_at_thread_locals(&mut self, state: &SymState, step: &mut OpenStep) {
        for (global, body) in self.program.globals.iter_enumerated() {
            if body.thread_local {
                let object = self.object(ObjectKey::ThreadLocal { global, instance: step.instance.0 });
                if self.has_visitors(object, state.instance) {
                    let what = "a thread-local variable that other threads use";
                    self.leave_race_gap(state.standing(), what, step.site.span);
                }
            }
        }
    }
}
