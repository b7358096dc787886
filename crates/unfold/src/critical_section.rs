//! Critical sections. A cell that is *protected* (every access to it by several threads happens under one common lock) can
//! be seen by others only when that lock is free. So inside of a section its value is known after the first access,
//! needs no further events, and what is written becomes one write when the lock is released, or none if the section
//! leaves what it found.
//!
//! What protects a cell is learned by the passes of the unfolding, see [`PassFacts`](crate::survey::Survey): the locks
//! certainly held at all accesses, apart from *quiet* ones, at which every other thread that ever touches the cell has
//! been joined or is yet to be created. A lock counts only if nobody but its holder releases it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use events::{CellKey, CellPart};
use program::{InstructionKind, Program, SyncOp};
use smallvec::SmallVec;
use symbolic::{ObjectId, SymValue};
use sync::{LockEffect, ObjectKind};
use terms::{TermId, Terms};

use crate::cells::Cells;
use crate::open_step::OpenStep;
use crate::state::{CannotMerge, SymState};
use crate::summaries::ANOTHER;
use crate::unfolder::UnfoldFailure;

/// A lock is the place where it lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Lock {
    pub object: ObjectId,
    pub offset: u64,
}

impl Lock {
    /// Whether the cell is a part of the lock's own state.
    fn is_made_of(self, cell: CellKey) -> bool {
        let is_field = matches!(cell.part, CellPart::Field(ObjectKind::Mutex | ObjectKind::Spin, _));
        is_field && cell.object == self.object && cell.offset == self.offset
    }
}

/// The locks that a thread certainly holds, each with how many times it took them.
pub type Locks = SmallVec<[(Lock, u32); 2]>;

/// What a thread knows of the protected cells that it has touched in its current sections.
pub type HeldCells = Rc<BTreeMap<CellKey, HeldCell>>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeldCell {
    /// What the cell holds, where that is `known`.
    value: SymValue,
    known: TermId,
    /// When the section has written it.
    dirty: TermId,
    /// What the section found there, where it has `seen` it before it wrote.
    original: SymValue,
    seen: TermId,
}

impl HeldCell {
    /// The value, if it is known in every execution that gets here.
    pub fn certain_value(&self, terms: &Terms) -> Option<&SymValue> {
        (terms.as_boolean(self.known) == Some(true)).then_some(&self.value)
    }

    /// The value, and when it is known.
    pub fn known_value(&self) -> (&SymValue, TermId) {
        (&self.value, self.known)
    }

    fn merge(terms: &mut Terms, condition: TermId, a: &HeldCell, b: &HeldCell) -> Result<HeldCell, CannotMerge> {
        Ok(HeldCell {
            value: SymValue::select(terms, condition, &a.value, &b.value).ok_or(CannotMerge)?,
            known: terms.ite(condition, a.known, b.known),
            dirty: terms.ite(condition, a.dirty, b.dirty),
            original: SymValue::select(terms, condition, &a.original, &b.original).ok_or(CannotMerge)?,
            seen: terms.ite(condition, a.seen, b.seen),
        })
    }

    fn only_when(&self, terms: &mut Terms, condition: TermId) -> HeldCell {
        HeldCell {
            value: self.value.clone(),
            known: terms.and(condition, self.known),
            dirty: terms.and(condition, self.dirty),
            original: self.original.clone(),
            seen: terms.and(condition, self.seen),
        }
    }

    /// What the section has found, if it has certainly seen it before it wrote.
    pub fn certainly_found(&self, terms: &Terms) -> Option<&SymValue> {
        (terms.as_boolean(self.seen) == Some(true)).then_some(&self.original)
    }

    /// Whether others may find something else when the section ends.
    fn is_to_be_written(&self, terms: &Terms) -> bool {
        !self.is_clean(terms) && !self.is_restored(terms)
    }

    fn is_clean(&self, terms: &Terms) -> bool {
        terms.as_boolean(self.dirty) == Some(false)
    }

    /// Whether the section leaves exactly what it found.
    fn is_restored(&self, terms: &Terms) -> bool {
        terms.as_boolean(self.seen) == Some(true) && self.value == self.original
    }
}

/// What is known where two paths meet; `condition` holds on the first one. What only one of them has read is forgotten.
pub fn merge_held(
    terms: &mut Terms,
    condition: TermId,
    a: &HeldCells,
    b: &HeldCells,
) -> Result<HeldCells, CannotMerge> {
    if Rc::ptr_eq(a, b) {
        return Ok(a.clone());
    }
    let mut merged = BTreeMap::new();
    let otherwise = terms.not(condition);
    for (&cell, held) in a.iter() {
        match b.get(&cell) {
            Some(other) => {
                merged.insert(cell, HeldCell::merge(terms, condition, held, other)?);
            }
            None if held.is_clean(terms) => {}
            None => {
                merged.insert(cell, held.only_when(terms, condition));
            }
        }
    }
    for (&cell, held) in b.iter().filter(|(cell, _)| !a.contains_key(cell)) {
        if !held.is_clean(terms) {
            merged.insert(cell, held.only_when(terms, otherwise));
        }
    }
    Ok(Rc::new(merged))
}

/// Whether a program has locks at all.
pub fn has_locks(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let is_lock = |kind: &InstructionKind| matches!(kind, InstructionKind::Sync { op, .. } if takes_tracked_lock(*op));
    blocks.flat_map(|block| &block.instructions).any(|instruction| is_lock(&instruction.kind))
}

/// Whether the operation certainly takes a lock whose sections are followed: rwlocks are not, see decision 0003.
fn takes_tracked_lock(op: SyncOp) -> bool {
    match sync::class(op).lock {
        Some(LockEffect::Acquire { fallible: false, operand, .. }) => {
            sync::action(op).objects[operand] != ObjectKind::Rwlock
        }
        _ => false,
    }
}

/// The locks held on all of the paths.
pub fn common_locks(states: &[SymState]) -> Locks {
    let mut common = states.first().map(|state| state.locks.clone()).unwrap_or_default();
    for state in states {
        common.retain(|lock| state.locks.contains(lock));
    }
    common
}

impl Cells<'_> {
    /// Whether the thread holds a lock that protects this cell.
    pub fn is_in_section(&self, state: &SymState, cell: CellKey) -> bool {
        self.options.optimisations.critical_sections && !state.single && self.is_protected(&state.locks, cell)
    }

    /// Whether others cannot change a cell while these locks are held: a lock protects itself, too.
    fn is_protected(&self, locks: &Locks, cell: CellKey) -> bool {
        let protects = |lock: Lock| {
            self.survey.is_protected_by(cell, lock) || (lock.is_made_of(cell) && self.survey.is_reliable(lock))
        };
        locks.iter().any(|(lock, _)| protects(*lock))
    }

    /// The thread has just taken a lock: it knows what the lock holds until it releases it.
    pub fn know_own_lock(&mut self, state: &mut SymState, cell: CellKey, value: SymValue) {
        if self.is_in_section(state, cell) {
            let (truth, falsity) = (self.graph.terms.boolean(true), self.graph.terms.boolean(false));
            let held = match state.held.get(&cell) {
                // Taken inside of a section that protects the lock: nobody has seen it yet.
                Some(held) => HeldCell { value, known: truth, ..held.clone() },
                None => HeldCell { original: value.clone(), value, known: truth, dirty: falsity, seen: truth },
            };
            self.hold(state, cell, held);
        }
    }

    /// Notes under which locks a cell is accessed.
    pub fn note_protection(&mut self, state: &SymState, cell: CellKey) {
        if !self.is_quiet(state, cell) {
            self.survey.note_protection(cell, &state.locks);
        }
        self.survey.note_accessor(cell, state.instance);
        if self.survey.is_crowded(state, cell) {
            self.survey.note_accessor(cell, ANOTHER);
        }
    }

    /// Whether every other thread that ever touches the cell has ended or is yet to be created by this one.
    pub fn is_quiet(&self, state: &SymState, cell: CellKey) -> bool {
        let mut others = self.survey.accessors(cell).filter(|&other| other != state.instance);
        others.all(|other| state.joined.contains(&other) || self.is_yet_to_be_created(state, other))
    }

    pub fn read_in_section(
        &mut self,
        state: &mut SymState,
        cell: CellKey,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<SymValue, UnfoldFailure> {
        let held = state.held.get(&cell).cloned();
        if let Some(value) = held.as_ref().and_then(|held| held.certain_value(&self.graph.terms)) {
            return Ok(value.clone());
        }
        let unconditional = self.graph.is_true(condition);
        let Some(held) = held else {
            let found = self.read_directly(state, cell, condition, step)?;
            if unconditional {
                let (truth, falsity) = (self.graph.terms.boolean(true), self.graph.terms.boolean(false));
                let (value, original) = (found.clone(), found.clone());
                self.hold(state, cell, HeldCell { value, known: truth, dirty: falsity, original, seen: truth });
            }
            return Ok(found);
        };
        let unknown = self.terms().not(held.known);
        let missing = self.terms().and(condition, unknown);
        let found = self.read_directly(state, cell, missing, step)?;
        let value = self.select(held.known, &held.value, &found)?;
        if unconditional {
            let original = self.select(held.seen, &held.original, &found)?;
            let seen = self.terms().or(held.seen, missing);
            let known = self.graph.terms.boolean(true);
            self.hold(state, cell, HeldCell { value: value.clone(), known, dirty: held.dirty, original, seen });
        }
        Ok(value)
    }

    pub fn write_in_section(
        &mut self,
        state: &mut SymState,
        cell: CellKey,
        condition: TermId,
        value: &SymValue,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let held = state.held.get(&cell).cloned();
        let unconditional = self.graph.is_true(condition);
        if held.is_none() && !unconditional {
            return self.write_directly(state, cell, condition, value, step);
        }
        state.note_own_write(&self.graph.terms, cell);
        self.note_change(cell);
        let next = match held {
            None => {
                self.hold_changed(state, cell, value.clone());
                return Ok(());
            }
            Some(held) => HeldCell {
                value: self.select(condition, value, &held.value)?,
                known: self.terms().or(held.known, condition),
                dirty: self.terms().or(held.dirty, condition),
                ..held
            },
        };
        self.hold(state, cell, next);
        Ok(())
    }

    /// The section has written some value, whatever was there before.
    pub fn hold_changed(&mut self, state: &mut SymState, cell: CellKey, value: SymValue) {
        let (truth, falsity) = (self.graph.terms.boolean(true), self.graph.terms.boolean(false));
        let original = value.clone();
        self.hold(state, cell, HeldCell { value, known: truth, dirty: truth, original, seen: falsity });
    }

    fn hold(&mut self, state: &mut SymState, cell: CellKey, held: HeldCell) {
        Rc::make_mut(&mut state.held).insert(cell, held);
    }

    /// Makes visible what the thread has written in sections that end, so that only `locks` are held. What a lock that
    /// is held still holds itself stays known, but is for all to see.
    pub fn leave_sections(
        &mut self,
        state: &mut SymState,
        locks: &Locks,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let protects = |cell| locks.iter().any(|(lock, _)| self.survey.is_protected_by(cell, *lock));
        let ended: Vec<CellKey> = state.held.keys().copied().filter(|&cell| !protects(cell)).collect();
        let writes = ended.iter().any(|cell| state.held[cell].is_to_be_written(&self.graph.terms));
        self.begin_one_step(state, writes);
        let left = self.leave_each_section(state, ended, locks, step);
        self.end_one_step(Some(state));
        left?;
        state.locks = locks.clone();
        if let Some(words) = &mut state.words {
            Rc::make_mut(words).keep_locks(|lock| locks.iter().any(|(held, _)| *held == lock));
        }
        Ok(())
    }

    fn leave_each_section(
        &mut self,
        state: &mut SymState,
        ended: Vec<CellKey>,
        locks: &Locks,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        for cell in ended {
            let Some(held) = self.leave_section(state, cell, step)? else { continue };
            if self.is_protected(locks, cell) {
                let (value, known) = (held.value, held.known);
                let falsity = self.graph.terms.boolean(false);
                self.hold(state, cell, HeldCell { original: value.clone(), value, known, dirty: falsity, seen: known });
            }
        }
        Ok(())
    }

    /// Makes visible what sections have written to these cells, whose values are not known from now on.
    pub fn forget_sections(
        &mut self,
        state: &mut SymState,
        cells: &BTreeSet<CellKey>,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let is_to_be_written = |held: &HeldCell| held.is_to_be_written(&self.graph.terms);
        let writes = cells.iter().filter_map(|cell| state.held.get(cell)).any(is_to_be_written);
        self.begin_one_step(state, writes);
        let left = cells.iter().try_for_each(|&cell| self.leave_section(state, cell, step).map(drop));
        self.end_one_step(Some(state));
        left
    }

    /// Makes one cell visible, and returns what was known of it.
    fn leave_section(
        &mut self,
        state: &mut SymState,
        cell: CellKey,
        step: &mut OpenStep,
    ) -> Result<Option<HeldCell>, UnfoldFailure> {
        let Some(held) = Rc::make_mut(&mut state.held).remove(&cell) else { return Ok(None) };
        self.note_forgotten(cell);
        if held.is_to_be_written(&self.graph.terms) {
            self.write_directly(state, cell, held.dirty, &held.value, step)?;
        }
        Ok(Some(held))
    }

    /// The thread has certainly taken a lock.
    pub fn take_lock(&mut self, state: &mut SymState, lock: Lock) {
        if self.survey.is_unknowable(lock.object) {
            return;
        }
        match state.locks.iter_mut().find(|(held, _)| *held == lock) {
            Some((_, depth)) => *depth += 1,
            None => {
                state.locks.push((lock, 1));
                state.locks.sort_unstable();
            }
        }
    }

    /// The thread may change the owner of one of these locks, other than by taking it: `owners` are the cells that
    /// tell. A lock that somebody else may hold then protects nothing.
    pub fn release_locks(
        &mut self,
        state: &mut SymState,
        owners: &[CellKey],
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let mut rest = state.locks.clone();
        for &owner in owners {
            let lock = Lock { object: owner.object, offset: owner.offset };
            let holds_it = owners.len() == 1 && state.locks.iter().any(|(held, _)| *held == lock);
            let is_harmless = holds_it || state.single || self.is_quiet(state, owner);
            if !is_harmless {
                self.survey.note_unreliable(lock);
            }
            rest.iter_mut().filter(|(held, _)| *held == lock).for_each(|(_, depth)| *depth -= 1);
        }
        rest.retain(|(_, depth)| *depth > 0);
        self.leave_sections(state, &rest, step)
    }
}
