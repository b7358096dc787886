//! What is known at one place of a thread, whenever it passes there.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use program::RegisterId;
use sync::ObjectKind;

use crate::holding::Holding;
use crate::identity::{ContextId, ObjectId, ThreadId};
use crate::name::{Name, NameId, NameKind, Names};
use crate::range::{Overlap, Range};
use crate::shared::{Registers, Shared};
use crate::value::AbsValue;

/// Which lock: a place that exists once, or one that this thread can name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LockPlace {
    Exact(ObjectId, i64),
    Named(Name),
}

pub use sync::Mode;

/// How a lock is held, and where it may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    pub kind: ObjectKind,
    pub mode: Mode,
    pub objects: BTreeMap<ObjectId, Range>,
}

/// More open atomic sections are not counted.
const MANY_SECTIONS: u32 = 8;

/// A cell of an object that exists once: offset and size.
pub type Cell = (ObjectId, i64, u64);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AbsState {
    /// Of the present frame; what is missing was never assigned.
    pub registers: Registers,
    /// What cells hold that only this thread writes.
    pub cells: Shared<BTreeMap<Cell, Rc<AbsValue>>>,
    /// Locks that are certainly held.
    pub locks: Shared<BTreeMap<LockPlace, Held>>,
    /// Locks that may be held.
    pub holding: Shared<Holding>,
    /// Locks that are held if the named result is zero.
    pub attempts: Shared<BTreeMap<NameId, (LockPlace, Held)>>,
    /// At least so many atomic sections are open.
    pub section: u32,
    /// At most so many are; [`MANY_SECTIONS`] stands for any number.
    pub most_sections: u32,
    /// Threads that this one may have created.
    pub created: Shared<BTreeSet<ThreadId>>,
    /// Threads all of whose doings happen before this place.
    pub joined: Shared<BTreeSet<ThreadId>>,
    /// Roots of objects whose address no other thread can have.
    pub fresh: Shared<BTreeSet<NameId>>,
}

impl AbsState {
    /// Forgets all that is said in terms of `root`, which is about to change.
    pub fn forget(&mut self, names: &Names, root: NameId) {
        self.forget_names(|name| names.depends(name, root));
        if self.fresh.contains(&root) {
            self.fresh.remove(&root);
        }
    }

    /// Forgets whatever any context inside `outer` may have given a meaning to.
    pub fn forget_if(&mut self, names: &Names, changes: impl Fn(ContextId) -> bool) {
        let stale = |name: Name| names.contexts(name).any(&changes);
        self.forget_names(stale);
        retain(&mut self.fresh, |&base| !stale(Name { base, plus: 0 }));
    }

    fn forget_names(&mut self, stale: impl Fn(Name) -> bool) {
        self.change_values(|value| value.name().is_some_and(&stale), |value| Rc::make_mut(value).set_name(None));
        let is_stale = |place: &LockPlace| matches!(place, LockPlace::Named(name) if stale(*name));
        retain_entries(&mut self.locks, |place, _| !is_stale(place));
        if self.holding.mentions(&stale) {
            self.holding.forget(&stale);
        }
        retain_entries(&mut self.attempts, |&base, (place, _)| !stale(Name { base, plus: 0 }) && !is_stale(place));
    }

    /// Changes what registers and cells hold, where `concerns` says so.
    pub fn change_values(&mut self, concerns: impl Fn(&AbsValue) -> bool, mut change: impl FnMut(&mut Rc<AbsValue>)) {
        self.registers.change(&concerns, &mut change);
        if self.cells.values().any(|value| concerns(value)) {
            self.cells.values_mut().filter(|value| concerns(value)).for_each(change);
        }
    }

    pub fn begin_section(&mut self) {
        self.section += 1;
        self.most_sections = (self.most_sections + 1).min(MANY_SECTIONS);
    }

    pub fn end_section(&mut self) {
        self.section = self.section.saturating_sub(1);
        if self.most_sections < MANY_SECTIONS {
            self.most_sections = self.most_sections.saturating_sub(1);
        }
    }

    /// What holds here whether one comes with this state or with the other; `frame` is the frame of both.
    pub fn join(mut self, mut other: AbsState, names: &Names, frame: ContextId, widen: bool) -> AbsState {
        self.part_with_register_names(&mut other, names, frame);
        let combine = |mine: &Rc<AbsValue>, theirs: &Rc<AbsValue>| match () {
            () if Rc::ptr_eq(mine, theirs) || mine == theirs => mine.clone(),
            () if widen => Rc::new(mine.widen(theirs)),
            () => Rc::new(mine.join(theirs)),
        };
        let unshared: Vec<RegisterId> = self.registers.unshared(&other.registers).collect();
        for register in unshared {
            let joined = match (self.registers.get(register), other.registers.get(register)) {
                (Some(mine), Some(theirs)) => combine(mine, theirs),
                (Some(one), None) | (None, Some(one)) => Rc::new(AbsValue::clone(one).named(None)),
                (None, None) => continue,
            };
            self.registers.insert(register, joined);
        }
        if !self.cells.is_same(&other.cells) {
            self.cells.retain(|cell, value| match other.cells.get(cell) {
                Some(theirs) => {
                    *value = combine(value, theirs);
                    true
                }
                None => false,
            });
        }
        if !self.locks.is_same(&other.locks) {
            self.locks.retain(|place, held| match other.locks.get(place) {
                Some(theirs) => {
                    held.mode = held.mode.min(theirs.mode);
                    join_ranges(&mut held.objects, &theirs.objects);
                    true
                }
                None => false,
            });
        }
        if !self.attempts.is_same(&other.attempts) {
            self.attempts.retain(|name, attempt| other.attempts.get(name) == Some(attempt));
        }
        if !self.holding.is_same(&other.holding) {
            self.holding.join(&other.holding);
        }
        self.section = self.section.min(other.section);
        self.most_sections = self.most_sections.max(other.most_sections);
        if !other.created.is_subset(&self.created) {
            self.created.extend(&*other.created);
        }
        retain(&mut self.joined, |thread| other.joined.contains(thread));
        retain(&mut self.fresh, |root| other.fresh.contains(root));
        self
    }

    /// Where the two differ about what a register holds, its own name may not stand for both.
    fn part_with_register_names(&mut self, other: &mut AbsState, names: &Names, frame: ContextId) {
        let registers: Vec<RegisterId> = self.registers.unshared(&other.registers).collect();
        for register in registers {
            let name = |state: &AbsState| state.registers.get(register).and_then(|value| value.name());
            if name(self) == name(other) {
                continue;
            }
            if let Some(root) = names.find(&NameKind::Register(frame, register)) {
                self.forget(names, root);
                other.forget(names, root);
            }
        }
    }

    /// Nothing is known any more of locks that may lie where `is_lost` says.
    pub fn lose_locks(&mut self, is_lost: impl Fn(&BTreeMap<ObjectId, Range>) -> bool) {
        retain_entries(&mut self.locks, |_, held| !is_lost(&held.objects));
        retain_entries(&mut self.attempts, |_, (_, held)| !is_lost(&held.objects));
    }

    /// Drops what is known of the cells that such an access touches.
    pub fn drop_cells(&mut self, object: ObjectId, offset: Range, size: u64) {
        retain_entries(&mut self.cells, |&(known, at, length), _| {
            known != object || Range::constant(at).overlap(length, offset, size) == Overlap::Never
        });
    }

    pub fn drop_object(&mut self, object: ObjectId) {
        retain_entries(&mut self.cells, |&(known, ..), _| known != object);
    }
}

fn join_ranges(mine: &mut BTreeMap<ObjectId, Range>, theirs: &BTreeMap<ObjectId, Range>) {
    for (&object, &offset) in theirs {
        mine.entry(object).and_modify(|known| *known = known.join(offset)).or_insert(offset);
    }
}

/// Drops the entries that `keep` does not want; the map stays shared if there are none.
fn retain_entries<K: Ord + Clone, V: Clone>(map: &mut Shared<BTreeMap<K, V>>, keep: impl Fn(&K, &V) -> bool) {
    if !map.iter().all(|(key, value)| keep(key, value)) {
        map.retain(|key, value| keep(key, value));
    }
}

/// The same for a set.
pub fn retain<T: Ord + Clone>(set: &mut Shared<BTreeSet<T>>, keep: impl Fn(&T) -> bool) {
    if !set.iter().all(&keep) {
        set.retain(keep);
    }
}
