//! Sets of threads in the table of synchronisation actions, with terms: one truth value for each thread. In memory, too,
//! each member is a cell of its own. A thread mostly moves itself in and out of a set, so its cell has few writers, and
//! no chain of updates by others must be followed to know whether it is in.

use events::{CellKey, CellPart, InstanceId};
use sync::{Field, FieldSort, SyncValue, Update};
use terms::TermId;

use crate::memory::CellRef;
use crate::state::SymState;
use crate::sync_step::{Execution, WIDTH};
use crate::synchroniser::Synchroniser;
use crate::unfolder::UnfoldFailure;

/// Whether an expression of the table is a set of threads. The constant 0, which may be the empty set, is not.
pub(crate) fn is_set(value: &SyncValue) -> bool {
    match value {
        SyncValue::Field { field, .. } => is_set_field(*field),
        SyncValue::With(..) | SyncValue::Without(..) | SyncValue::Union(..) | SyncValue::OwnerSet(_) => true,
        SyncValue::If(_, then, otherwise) => is_set(then) || is_set(otherwise),
        _ => false,
    }
}

pub(crate) fn is_set_field(field: Field) -> bool {
    field.sort() == FieldSort::Threads
}

/// The cells of a field: one, or one for each thread.
pub(crate) fn field_cells(
    place: &CellRef,
    kind: sync::ObjectKind,
    field: Field,
    threads: &[InstanceId],
) -> Vec<CellKey> {
    let cell = |part| CellKey { object: place.object, offset: place.offset, part };
    match is_set_field(field) {
        false => vec![cell(CellPart::Field(kind, field))],
        true => threads.iter().map(|&thread| cell(CellPart::Member(kind, field, thread))).collect(),
    }
}

impl Synchroniser<'_> {
    /// Whether `thread` is in the set.
    pub fn is_member(
        &mut self,
        state: &mut SymState,
        set: &SyncValue,
        thread: InstanceId,
        execution: &mut Execution,
    ) -> Result<TermId, UnfoldFailure> {
        Ok(match set {
            SyncValue::Field { object, field } => self.member_of_field(state, *object, *field, thread, execution)?,
            SyncValue::With(set, added) => {
                let is_added = self.is_thread(state, added, thread, execution)?;
                if self.graph.is_true(is_added) {
                    return Ok(is_added);
                }
                let was_in = self.is_member(state, set, thread, execution)?;
                self.terms().or(is_added, was_in)
            }
            SyncValue::Without(set, removed) => {
                let is_removed = self.is_thread(state, removed, thread, execution)?;
                let stays = self.terms().not(is_removed);
                if self.graph.is_false(stays) {
                    return Ok(stays);
                }
                let was_in = self.is_member(state, set, thread, execution)?;
                self.terms().and(stays, was_in)
            }
            SyncValue::Union(left, right) => {
                let left = self.is_member(state, left, thread, execution)?;
                let right = self.is_member(state, right, thread, execution)?;
                self.terms().or(left, right)
            }
            SyncValue::OwnerSet(owner) => {
                let owner = self.value(state, owner, execution)?;
                let own = self.terms().constant(WIDTH, sync::owner_code(thread.0));
                self.terms().eq(owner, own)
            }
            SyncValue::If(condition, then, otherwise) => {
                let condition = self.truth(state, condition, execution)?;
                if let Some(holds) = self.graph.terms.as_boolean(condition) {
                    return self.is_member(state, if holds { then } else { otherwise }, thread, execution);
                }
                let then = self.is_member(state, then, thread, execution)?;
                let otherwise = self.is_member(state, otherwise, thread, execution)?;
                self.terms().ite(condition, then, otherwise)
            }
            SyncValue::Const(0) => self.graph.terms.boolean(false),
            _ => return Err(UnfoldFailure::NotSupported("an integer where a set of threads is expected".to_owned())),
        })
    }

    /// Whether the thread with the number that `value` gives is in the set.
    pub fn contains(
        &mut self,
        state: &mut SymState,
        set: &SyncValue,
        value: &SyncValue,
        execution: &mut Execution,
    ) -> Result<TermId, UnfoldFailure> {
        let mut found = Vec::new();
        for thread in self.possible_threads() {
            let is_it = self.is_thread(state, value, thread, execution)?;
            if !self.graph.is_false(is_it) {
                let is_in = self.is_member(state, set, thread, execution)?;
                found.push(self.terms().and(is_it, is_in));
            }
        }
        Ok(self.terms().or_all(&found))
    }

    pub fn is_empty_set(
        &mut self,
        state: &mut SymState,
        set: &SyncValue,
        execution: &mut Execution,
    ) -> Result<TermId, UnfoldFailure> {
        let mut members = Vec::new();
        for thread in self.possible_threads() {
            members.push(self.is_member(state, set, thread, execution)?);
        }
        let any = self.terms().or_all(&members);
        Ok(self.terms().not(any))
    }

    /// When one member of a field changes to what, as a number of one bit, if the field is set to `value`; `None` if it
    /// certainly does not change.
    pub fn changed_member(
        &mut self,
        state: &mut SymState,
        update: &Update,
        value: &SyncValue,
        thread: InstanceId,
        execution: &mut Execution,
    ) -> Result<Option<(TermId, TermId)>, UnfoldFailure> {
        Ok(match value {
            SyncValue::Field { object, field } if (*object, *field) == (update.object, update.field) => None,
            SyncValue::With(set, moved) | SyncValue::Without(set, moved) => {
                let is_moved = self.is_thread(state, moved, thread, execution)?;
                let rest = self.changed_member(state, update, set, thread, execution)?;
                let bit = self.terms().constant(1, u64::from(matches!(value, SyncValue::With(..))));
                let truth = self.graph.terms.boolean(true);
                match self.graph.terms.as_boolean(is_moved) {
                    Some(true) => Some((truth, bit)),
                    Some(false) => rest,
                    None => self.either_change(is_moved, Some((truth, bit)), rest),
                }
            }
            SyncValue::If(condition, then, otherwise) => {
                let condition = self.truth(state, condition, execution)?;
                if let Some(holds) = self.graph.terms.as_boolean(condition) {
                    let value = if holds { then } else { otherwise };
                    return self.changed_member(state, update, value, thread, execution);
                }
                let then = self.changed_member(state, update, then, thread, execution)?;
                let otherwise = self.changed_member(state, update, otherwise, thread, execution)?;
                self.either_change(condition, then, otherwise)
            }
            _ => {
                let (truth, is_in) = (self.graph.terms.boolean(true), self.is_member(state, value, thread, execution)?);
                Some((truth, self.terms().bool_to_bv(is_in, 1)))
            }
        })
    }

    /// Whether `value`, the number of a thread, names this one.
    fn is_thread(
        &mut self,
        state: &mut SymState,
        value: &SyncValue,
        thread: InstanceId,
        execution: &mut Execution,
    ) -> Result<TermId, UnfoldFailure> {
        let value = self.value(state, value, execution)?;
        let number = self.terms().constant(WIDTH, u64::from(thread.0));
        Ok(self.terms().eq(value, number))
    }

    fn member_of_field(
        &mut self,
        state: &mut SymState,
        object: usize,
        field: Field,
        thread: InstanceId,
        execution: &mut Execution,
    ) -> Result<TermId, UnfoldFailure> {
        let key = (object, field, thread);
        if let Some(&(_, known)) = execution.members.iter().find(|(known, _)| *known == key) {
            return Ok(known);
        }
        let part = CellPart::Member(execution.kinds[object], field, thread);
        let bit = self.read_part(state, object, part, 1, execution)?;
        let truth = self.terms().bv_to_bool(bit);
        execution.members.push((key, truth));
        Ok(truth)
    }
}
