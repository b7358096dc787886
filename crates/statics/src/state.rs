//! What is known at one place of a thread, whenever it passes there.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use program::RegisterId;
use sync::ObjectKind;

use crate::holding::Holding;
use crate::identity::{ContextId, ObjectId, ThreadId};
use crate::name::{Name, NameId, NameKind, Names};
use crate::range::{Overlap, Range};
use crate::value::Value;

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
pub struct State {
    /// Of the present frame; what is missing was never assigned.
    pub registers: BTreeMap<RegisterId, Rc<Value>>,
    /// What cells hold that only this thread writes.
    pub cells: BTreeMap<Cell, Rc<Value>>,
    /// Locks that are certainly held.
    pub locks: BTreeMap<LockPlace, Held>,
    /// Locks that may be held.
    pub holding: Holding,
    /// Locks that are held if the named result is zero.
    pub attempts: BTreeMap<NameId, (LockPlace, Held)>,
    /// At least so many atomic sections are open.
    pub section: u32,
    /// At most so many are; [`MANY_SECTIONS`] stands for any number.
    pub most_sections: u32,
    /// Threads that this one may have created.
    pub created: BTreeSet<ThreadId>,
    /// Threads all of whose doings happen before this place.
    pub joined: BTreeSet<ThreadId>,
    /// Roots of objects whose address no other thread can have.
    pub fresh: BTreeSet<NameId>,
}

impl State {
    /// Forgets all that is said in terms of `root`, which is about to change.
    pub fn forget(&mut self, names: &Names, root: NameId) {
        let stale = |value: &Rc<Value>| value.name().is_some_and(|name| names.depends(name, root));
        for value in self.registers.values_mut().chain(self.cells.values_mut()).filter(|value| stale(value)) {
            Rc::make_mut(value).set_name(None);
        }
        let lock_depends = |place: &LockPlace| matches!(place, LockPlace::Named(name) if names.depends(*name, root));
        self.locks.retain(|place, _| !lock_depends(place));
        self.holding.forget(|name| names.depends(name, root));
        self.attempts.retain(|&base, (place, _)| !names.depends(Name { base, plus: 0 }, root) && !lock_depends(place));
        self.fresh.remove(&root);
    }

    /// Forgets whatever any context inside `outer` may have given a meaning to.
    pub fn forget_if(&mut self, names: &Names, changes: impl Fn(ContextId) -> bool) {
        let stale = |name: Name| names.contexts(name).any(&changes);
        for value in self.registers.values_mut().chain(self.cells.values_mut()) {
            if value.name().is_some_and(stale) {
                Rc::make_mut(value).set_name(None);
            }
        }
        self.locks.retain(|place, _| !matches!(place, LockPlace::Named(name) if stale(*name)));
        self.holding.forget(stale);
        self.attempts.retain(|&base, (place, _)| {
            !stale(Name { base, plus: 0 }) && !matches!(place, LockPlace::Named(name) if stale(*name))
        });
        self.fresh.retain(|&base| !stale(Name { base, plus: 0 }));
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
    pub fn join(mut self, mut other: State, names: &Names, frame: ContextId, widen: bool) -> State {
        self.part_with_register_names(&mut other, names, frame);
        let combine = |mine: &Rc<Value>, theirs: &Rc<Value>| match () {
            () if Rc::ptr_eq(mine, theirs) || mine == theirs => mine.clone(),
            () if widen => Rc::new(mine.widen(theirs)),
            () => Rc::new(mine.join(theirs)),
        };
        for (&register, value) in &other.registers {
            self.registers
                .entry(register)
                .and_modify(|mine| *mine = combine(mine, value))
                .or_insert_with(|| Rc::new(Value::clone(value).named(None)));
        }
        for (register, value) in &mut self.registers {
            if !other.registers.contains_key(register) && value.name().is_some() {
                Rc::make_mut(value).set_name(None);
            }
        }
        self.cells.retain(|cell, value| match other.cells.get(cell) {
            Some(theirs) => {
                *value = combine(value, theirs);
                true
            }
            None => false,
        });
        self.locks.retain(|place, held| match other.locks.get(place) {
            Some(theirs) => {
                held.mode = held.mode.min(theirs.mode);
                join_ranges(&mut held.objects, &theirs.objects);
                true
            }
            None => false,
        });
        self.attempts.retain(|name, attempt| other.attempts.get(name) == Some(attempt));
        self.holding.join(&other.holding);
        self.section = self.section.min(other.section);
        self.most_sections = self.most_sections.max(other.most_sections);
        self.created.append(&mut other.created);
        self.joined.retain(|thread| other.joined.contains(thread));
        self.fresh.retain(|root| other.fresh.contains(root));
        self
    }

    /// Where the two differ about what a register holds, its own name may not stand for both.
    fn part_with_register_names(&mut self, other: &mut State, names: &Names, frame: ContextId) {
        let registers: BTreeSet<RegisterId> = self.registers.keys().chain(other.registers.keys()).copied().collect();
        for register in registers {
            let name = |state: &State| state.registers.get(&register).and_then(|value| value.name());
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
        self.locks.retain(|_, held| !is_lost(&held.objects));
        self.attempts.retain(|_, (_, held)| !is_lost(&held.objects));
    }

    /// Drops what is known of the cells that such an access touches.
    pub fn drop_cells(&mut self, object: ObjectId, offset: Range, size: u64) {
        self.cells.retain(|&(known, at, length), _| {
            known != object || Range::constant(at).overlap(length, offset, size) == Overlap::Never
        });
    }

    pub fn drop_object(&mut self, object: ObjectId) {
        self.cells.retain(|&(known, ..), _| known != object);
    }
}

fn join_ranges(mine: &mut BTreeMap<ObjectId, Range>, theirs: &BTreeMap<ObjectId, Range>) {
    for (&object, &offset) in theirs {
        mine.entry(object).and_modify(|known| *known = known.join(offset)).or_insert(offset);
    }
}
