//! What stands for many: threads and objects of which an unfolding has one in place of any number. Only an abstraction that
//! gives up counting makes any; where each thread and each object is one, nothing is ever noted here.

use std::collections::BTreeSet;

use events::{CellKey, CellPart, InstanceId};
use symbolic::{ObjectId, ObjectKey};

use crate::state::SymState;
use crate::survey::PassFacts;

/// Another thread of the same kind as the one at work.
pub const ANOTHER: InstanceId = InstanceId(u32::MAX);

#[derive(Clone, Debug, Default)]
pub struct Summaries {
    /// Instances that stand for any number of threads.
    many: BTreeSet<InstanceId>,
    /// Objects that are made again and again while somebody knows older ones.
    plural: BTreeSet<ObjectId>,
    /// Objects that are made again and again.
    reborn: BTreeSet<ObjectId>,
    /// Objects whose address is given to a new thread.
    handed_over: BTreeSet<ObjectId>,
    /// Objects that are accessed at places which are not known: all places of one size are one.
    blended: BTreeSet<ObjectId>,
    /// Objects that others than their makers may know, by what earlier passes have learned.
    escaped: BTreeSet<ObjectId>,
}

impl PassFacts {
    pub fn stands_for_many(&self, instance: InstanceId) -> bool {
        self.summaries.many.contains(&instance)
    }

    /// Whether any thread or object stands for many.
    pub fn has_summaries(&self) -> bool {
        self.has_summary_threads() || !self.summaries.plural.is_empty()
    }

    pub fn has_summary_threads(&self) -> bool {
        !self.summaries.many.is_empty()
    }

    pub fn is_blended(&self, object: ObjectId) -> bool {
        self.summaries.blended.contains(&object)
    }

    /// Whether the object has lived before, in an earlier round, and nobody knows it from there.
    pub fn lives_again(&self, object: ObjectId) -> bool {
        self.summaries.reborn.contains(&object) && !self.is_plural(object)
    }

    /// Whether an object stands for many, so that nothing can be known of its contents.
    pub fn is_plural(&self, object: ObjectId) -> bool {
        let is_one_of_many = match self.objects.get(object).key {
            ObjectKey::Result { instance } => self.stands_for_many(InstanceId(instance)),
            ObjectKey::ThreadLocal { instance, .. } | ObjectKey::Allocated { instance, .. } => {
                self.stands_for_many(InstanceId(instance)) && self.summaries.escaped.contains(&object)
            }
            ObjectKey::None | ObjectKey::Function(_) | ObjectKey::Global(_) => false,
        };
        is_one_of_many || self.summaries.plural.contains(&object)
    }

    /// Whether nothing is known of the contents of an object but what is ever written to it.
    pub fn is_unknowable(&self, object: ObjectId) -> bool {
        self.is_blended(object) || self.is_plural(object)
    }

    /// As [`is_unknowable`](Self::is_unknowable): what has become of an object does not lie at any of its places.
    pub fn is_unknowable_cell(&self, cell: CellKey) -> bool {
        match cell.part {
            CellPart::Bytes(_) | CellPart::Field(..) | CellPart::Member(..) => self.is_unknowable(cell.object),
            CellPart::Life | CellPart::Size | CellPart::Array(_) | CellPart::View(_) => self.is_plural(cell.object),
        }
    }

    /// Whether other threads of the same kind as this one may touch the cell, too.
    pub fn is_crowded(&self, state: &SymState, cell: CellKey) -> bool {
        self.stands_for_many(state.instance) && !self.is_own(state, cell.object)
    }

    fn is_own(&self, state: &SymState, object: ObjectId) -> bool {
        match self.objects.get(object).key {
            ObjectKey::ThreadLocal { instance, .. } | ObjectKey::Allocated { instance, .. } => {
                instance == state.instance.0 && !self.summaries.escaped.contains(&object)
            }
            _ => false,
        }
    }

    pub fn note_many(&mut self, instance: InstanceId) {
        let is_new = self.summaries.many.insert(instance);
        self.note_growth(is_new);
    }

    pub fn note_plural(&mut self, object: ObjectId) {
        let is_new = self.summaries.plural.insert(object);
        self.note_growth(is_new);
    }

    pub fn note_reborn(&mut self, object: ObjectId) {
        let is_new = self.summaries.reborn.insert(object);
        self.note_growth(is_new);
    }

    pub fn note_blended(&mut self, object: ObjectId) {
        let is_new = self.summaries.blended.insert(object);
        self.note_growth(is_new);
    }

    /// Pointers to these objects are given to a new thread.
    pub fn note_handed_over(&mut self, objects: &[ObjectId]) {
        let known = self.summaries.handed_over.len();
        self.summaries.handed_over.extend(objects);
        self.note_growth(self.summaries.handed_over.len() > known);
    }

    /// Pointers to these objects outlive the round of the loop in which the objects were born.
    pub fn note_outliving(&mut self, targets: &[ObjectId]) {
        let mut reborn: Vec<ObjectId> =
            targets.iter().copied().filter(|target| self.summaries.reborn.contains(target)).collect();
        reborn.sort_unstable();
        reborn.into_iter().for_each(|object| self.note_plural(object));
    }

    /// Finds the objects that others than the thread that made them may know: given to a thread, or stored where others
    /// look.
    pub fn find_escaped(&mut self) {
        let mut escaped = self.summaries.handed_over.clone();
        let maker = |object: ObjectId| match self.objects.get(object).key {
            ObjectKey::ThreadLocal { instance, .. } | ObjectKey::Allocated { instance, .. } => Some(instance),
            _ => None,
        };
        loop {
            let known = escaped.len();
            for (cell, target) in self.all_targets() {
                let is_hidden = maker(cell.object).is_some()
                    && maker(cell.object) == maker(target)
                    && !escaped.contains(&cell.object);
                if !is_hidden {
                    escaped.insert(target);
                }
            }
            if escaped.len() == known {
                break;
            }
        }
        self.summaries.escaped = escaped;
    }
}
