//! Synchronisation objects as bytes. What an object holds is in cells of its own (`CellPart::Field`), which no plain access
//! reaches. So a plain write over an object makes these cells what the bytes say from then on, a copy of a whole object
//! copies them, and single bytes of an object that operations have used cannot be read. A copy is an object like its
//! original: operations leave the bytes of both behind, wherever the copy lies and whatever it is declared as.
//!
//! A write over a part leaves the bytes of the rest, which say something only where no operation has changed the object.
//!
//! Bytes that are not known when they are written leave an object that cannot be used: its phase is none of the table's,
//! and operations on it are cut.

use events::{CellKey, CellPart};
use sync::{Field, ObjectKind, Phase};

use crate::contact::ByteRange;
use crate::critical_section::Lock;
use crate::memory::CellRef;
use crate::memory::Memory;
use crate::open_step::OpenStep;
use crate::state::SymState;
use crate::survey::CellClass;
use crate::thread_sets::{field_cells, is_set_field};
use crate::unfolder::UnfoldFailure;
use symbolic::{ObjectId, SymValue};
use terms::TermId;

/// The phase of an object whose bytes are not known.
const UNCLEAR: u64 = Phase::Unclear as u64;

/// Bytes are looked at in words of this size, of which each kind of object has a whole number.
const WORD: u64 = 4;

/// A synchronisation object inside a memory object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SyncPlace {
    pub offset: u64,
    pub kind: ObjectKind,
}

enum SyncWord {
    Known([u8; WORD as usize]),
    Indeterminate,
    Unclear,
}

impl Memory<'_> {
    /// An operation uses these places. Operations on objects of unclear bytes are cut.
    pub fn use_as_sync(
        &mut self,
        state: &mut SymState,
        places: &[CellRef],
        kind: ObjectKind,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let length = sync::object_bytes(kind, self.program.sync_layouts());
        for place in places {
            let own = SyncPlace { offset: place.offset, kind };
            self.survey.note_sync_place(place.object, own);
            state.overwritten.retain(|stretch| !stretch.overlaps(place.stretch(length)));
            let others = self.sync_places(place.stretch(length));
            if others.iter().any(|other| *other != own) {
                self.cut_where(state, place.condition, "memory that is used as two synchronisation objects", step);
            }
            if self.survey.is_unclear(place.object, own) {
                let phase = self.read_cell(state, own.cell(place.object, Field::Phase), place.condition, step)?;
                let Some(phase) = phase.as_int() else { continue };
                let unclear = self.terms().constant(u32::from(Field::Phase.bits()), UNCLEAR);
                let is_unclear = self.terms().eq(phase, unclear);
                let is_unclear = self.terms().and(place.condition, is_unclear);
                if !self.graph.is_false(is_unclear) {
                    self.cut_where(state, is_unclear, "a synchronisation object with unknown contents", step);
                }
            }
        }
        Ok(())
    }

    /// Plain reads of the bytes of a synchronisation object are cut: what operations make of them is not followed. That the
    /// bytes are accessed is known all the same, and may be a race.
    pub fn cut_reads_of_sync(&mut self, state: &mut SymState, places: &[CellRef], size: u64, step: &mut OpenStep) {
        for place in places {
            if !self.sync_places(place.stretch(size)).is_empty() {
                self.touch(state, place.stretch(size), place.condition, false, step);
                self.cut_where(state, place.condition, "byte-wise access to a synchronisation object", step);
            }
        }
    }

    /// The synchronisation objects of which a plain write to a stretch changes only a part, while the bytes of the rest are
    /// not those of what the objects hold. To be asked before the write. Piece by piece a thread may overwrite all of an object.
    pub fn spoiled_sync(
        &mut self,
        state: &mut SymState,
        stretch: ByteRange,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<Vec<SyncPlace>, UnfoldFailure> {
        let mut spoiled = Vec::new();
        for place in self.sync_places(stretch) {
            if self.is_whole(place, stretch) {
                state.overwritten.retain(|known| !known.overlaps(stretch));
                continue;
            }
            let is_certain = self.graph.is_true(condition);
            let overwritten = with_overwritten(state, stretch);
            if is_certain && self.is_whole(place, overwritten) {
                state.overwritten.retain(|known| !known.overlaps(overwritten));
            } else if !self.is_what_bytes_say(state, stretch.object, place, condition, step)? {
                spoiled.push(place);
                if is_certain {
                    state.overwritten.retain(|known| !known.overlaps(overwritten));
                    state.overwritten.push(overwritten);
                }
            }
        }
        Ok(spoiled)
    }

    fn is_what_bytes_say(
        &mut self,
        state: &mut SymState,
        object: ObjectId,
        place: SyncPlace,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<bool, UnfoldFailure> {
        let Some(bytes) = self.bytes_of(state, object, place, condition, step)? else { return Ok(false) };
        let said = sync::initial_state(place.kind, self.program.sync_layouts(), bytes.as_deref());
        if said.is_unclear() {
            return Ok(false);
        }
        let threads = self.possible_threads();
        for &field in place.kind.fields() {
            for cell in field_cells(&place.at(condition, object), place.kind, field, &threads) {
                if !self.is_undisturbed(state, cell) {
                    return Ok(false);
                }
                let value = self.read_cell(state, cell, condition, step)?.as_int();
                let value = value.and_then(|value| self.graph.terms.as_constant(value));
                if value != Some(said.get(field).low()) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// A plain write has changed the bytes of a stretch: the synchronisation objects there are what their bytes say, unless
    /// they are `spoiled`.
    pub fn overwrite_sync(
        &mut self,
        state: &mut SymState,
        stretch: ByteRange,
        spoiled: &[SyncPlace],
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        self.lose_locks_of_blended(state, stretch.object, step)?;
        for place in self.sync_places(stretch) {
            self.lose_lock(state, stretch.object, place, step)?;
            let bytes = match spoiled.contains(&place) {
                false => self.bytes_of(state, stretch.object, place, condition, step)?,
                true => None,
            };
            let Some(bytes) = bytes else {
                self.survey.note_unclear(stretch.object, place);
                self.set_field(state, stretch.object, place, Field::Phase, UNCLEAR, condition, step)?;
                continue;
            };
            let found = sync::initial_state(place.kind, self.program.sync_layouts(), bytes.as_deref());
            if found.is_unclear() {
                self.survey.note_unclear(stretch.object, place);
            }
            for &field in place.kind.fields() {
                self.set_field(state, stretch.object, place, field, found.get(field).low(), condition, step)?;
            }
        }
        Ok(())
    }

    /// A stretch has been copied: so are the synchronisation objects in it. Only part of one cannot be copied.
    pub fn copy_sync(
        &mut self,
        state: &mut SymState,
        (from, to): (ByteRange, ByteRange),
        spoiled: &[SyncPlace],
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        self.lose_locks_of_blended(state, to.object, step)?;
        for place in self.sync_places(from) {
            match self.is_whole(place, from) {
                true => self.survey.note_sync_place(to.object, place.moved(from, to)),
                false => self.cut_where(state, condition, "a copy of a part of a synchronisation object", step),
            }
        }
        let (inside, partly): (Vec<SyncPlace>, Vec<SyncPlace>) =
            self.sync_places(to).into_iter().partition(|&place| self.is_whole(place, to));
        // All is read before anything is written: the stretches may overlap.
        let mut copied = Vec::new();
        let threads = self.possible_threads();
        for &place in &inside {
            let source = place.moved(to, from);
            self.survey.note_sync_place(from.object, source);
            if self.survey.is_unclear(from.object, source) {
                self.survey.note_unclear(to.object, place);
            }
            for &field in place.kind.fields() {
                let sources = field_cells(&source.at(condition, from.object), place.kind, field, &threads);
                let targets = field_cells(&place.at(condition, to.object), place.kind, field, &threads);
                for (source, target) in sources.into_iter().zip(targets) {
                    copied.push((target, self.read_cell(state, source, condition, step)?));
                }
            }
        }
        if !partly.is_empty() {
            self.overwrite_sync(state, to, spoiled, condition, step)?;
        }
        inside.into_iter().try_for_each(|place| self.lose_lock(state, to.object, place, step))?;
        copied.into_iter().try_for_each(|(target, value)| self.write_cell(state, target, condition, &value, step))
    }

    fn is_whole(&self, place: SyncPlace, within: ByteRange) -> bool {
        let length = sync::object_bytes(place.kind, self.program.sync_layouts());
        place.offset >= within.offset && place.offset + length <= within.offset + within.length
    }

    /// Where an object's places are not told apart, a plain write to it may hit any lock in it.
    fn lose_locks_of_blended(
        &mut self,
        state: &mut SymState,
        object: ObjectId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        if !self.survey.is_blended(object) {
            return Ok(());
        }
        let places: Vec<SyncPlace> = self.survey.sync_places(object).collect();
        places.into_iter().try_for_each(|place| self.lose_lock(state, object, place, step))
    }

    /// A plain write over a lock frees it, or locks it, without its holder: it protects nothing, unless no other thread can
    /// know it and it is not held.
    fn lose_lock(
        &mut self,
        state: &mut SymState,
        object: ObjectId,
        place: SyncPlace,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let lock = Lock { object, offset: place.offset };
        let is_held = state.locks.iter().any(|(held, _)| *held == lock);
        let is_quiet = || place.kind.fields().iter().all(|&field| self.is_quiet(state, place.cell(object, field)));
        if is_held || !(state.single || is_quiet()) {
            self.survey.note_unreliable(lock);
        }
        if is_held {
            let mut rest = state.locks.clone();
            rest.retain(|(held, _)| *held != lock);
            self.leave_sections(state, &rest, step)?;
        }
        Ok(())
    }

    fn sync_places(&self, stretch: ByteRange) -> Vec<SyncPlace> {
        let layouts = self.program.sync_layouts();
        let overlaps = |place: &SyncPlace| {
            let length = sync::object_bytes(place.kind, layouts);
            stretch.overlaps(ByteRange { object: stretch.object, offset: place.offset, length })
        };
        if self.survey.is_blended(stretch.object) {
            return Vec::new();
        }
        self.survey.sync_places(stretch.object).filter(overlaps).collect()
    }

    /// The bytes of an object, `Some(None)` if they are indeterminate, and `None` if they are not known.
    fn bytes_of(
        &mut self,
        state: &mut SymState,
        object: ObjectId,
        place: SyncPlace,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<Option<Option<Vec<u8>>>, UnfoldFailure> {
        let (mut bytes, mut is_indeterminate) = (Vec::new(), false);
        for index in 0..sync::object_bytes(place.kind, self.program.sync_layouts()) / WORD {
            let word = CellRef { condition, object, offset: place.offset + index * WORD, element: None };
            match self.word_at(state, word, step)? {
                SyncWord::Known(word) => bytes.extend(word),
                SyncWord::Indeterminate => is_indeterminate = true,
                SyncWord::Unclear => return Ok(None),
            }
        }
        Ok(Some((!is_indeterminate).then_some(bytes)))
    }

    /// Whether nobody else changes the cell. What others may change cannot be read back in the same step.
    fn is_undisturbed(&self, state: &SymState, cell: CellKey) -> bool {
        state.single || self.survey.class(cell) == CellClass::Folded
    }

    fn word_at(
        &mut self,
        state: &mut SymState,
        place: CellRef,
        step: &mut OpenStep,
    ) -> Result<SyncWord, UnfoldFailure> {
        let cells: Vec<CellKey> = match self.survey.is_bytewise(place.object, place.offset, WORD) {
            true => place.each_byte(WORD).map(|byte| byte.bytes(1)).collect(),
            false => vec![place.bytes(WORD)],
        };
        let (mut bytes, mut is_indeterminate) = (Vec::new(), false);
        for cell in cells {
            let is_own = self.is_undisturbed(state, cell);
            let value = self.read_cell(state, cell, place.condition, step)?;
            let Some(value) = value.as_int().filter(|_| is_own) else { return Ok(SyncWord::Unclear) };
            let size = self.graph.terms.width(value) as usize / 8;
            match self.graph.terms.as_constant(value) {
                Some(value) => bytes.extend_from_slice(&value.to_le_bytes()[..size]),
                None if self.is_indeterminate(value) => is_indeterminate = true,
                None => return Ok(SyncWord::Unclear),
            }
        }
        match <[u8; WORD as usize]>::try_from(bytes) {
            Ok(bytes) => Ok(SyncWord::Known(bytes)),
            Err(_) if is_indeterminate => Ok(SyncWord::Indeterminate),
            Err(_) => Ok(SyncWord::Unclear),
        }
    }

    fn set_field(
        &mut self,
        state: &mut SymState,
        object: ObjectId,
        place: SyncPlace,
        field: Field,
        value: u64,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let bits = if is_set_field(field) { 1 } else { u32::from(field.bits()) };
        let value = SymValue::Int(self.terms().constant(bits, value));
        let threads = self.possible_threads();
        for cell in field_cells(&place.at(condition, object), place.kind, field, &threads) {
            self.write_cell(state, cell, condition, &value, step)?;
        }
        Ok(())
    }
}

/// A part of an object together with what the thread has overwritten next to it.
fn with_overwritten(state: &SymState, part: ByteRange) -> ByteRange {
    let (mut start, mut end) = (part.offset, part.offset + part.length);
    for known in state.overwritten.iter().filter(|known| known.object == part.object) {
        let known_end = known.offset + known.length;
        if known.offset <= end && start <= known_end {
            (start, end) = (start.min(known.offset), end.max(known_end));
        }
    }
    ByteRange { object: part.object, offset: start, length: end - start }
}

impl SyncPlace {
    fn cell(self, object: ObjectId, field: Field) -> CellKey {
        CellKey { object, offset: self.offset, part: CellPart::Field(self.kind, field) }
    }

    /// The same place in another stretch.
    fn moved(self, from: ByteRange, to: ByteRange) -> SyncPlace {
        SyncPlace { offset: self.offset - from.offset + to.offset, ..self }
    }

    fn at(self, condition: TermId, object: ObjectId) -> CellRef {
        CellRef { condition, object, offset: self.offset, element: None }
    }
}
