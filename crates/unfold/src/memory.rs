//! Symbolic memory, the upper half: which places an access may touch, and loading and storing there. The cells themselves
//! are in `cells`, the objects in `allocator`.

use std::ops::{Deref, DerefMut};

use events::{Access, CellKey, CellPart};
use program::{At, Property, Type};
use symbolic::{Life, OBJECT_BITS, Object, ObjectId, ObjectKey, SymValue};
use terms::TermId;

use crate::allocator::Allocator;
use crate::arrays::MOST_CELLS;
use crate::contact::ByteRange;
use crate::known_offsets::{PathKnowledge, known_offsets};
use crate::open_step::OpenStep;
use crate::shaped_places::{LARGEST_SCALAR, MAX_PLACES, TooManyPlaces, candidate_offsets};
use crate::state::SymState;
use crate::unfolder::UnfoldFailure;
use crate::unknown_size::within_size;

/// A place that an address may mean, and when it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellRef {
    pub condition: TermId,
    pub object: ObjectId,
    pub offset: u64,
    /// Where the object is followed as an array.
    pub element: Option<ElementRef>,
}

/// A place in an array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementRef {
    /// The offset in bytes.
    pub at: TermId,
    pub object_size: u64,
}

impl CellRef {
    pub fn bytes(&self, size: u64) -> CellKey {
        CellKey { object: self.object, offset: self.offset, part: CellPart::Bytes(size as u8) }
    }

    /// The bytes that may be accessed.
    pub fn stretch(&self, length: u64) -> ByteRange {
        let (offset, length) = self.element.map_or((self.offset, length), |element| (0, element.object_size));
        ByteRange { object: self.object, offset, length }
    }

    /// The single bytes of a stretch that begins here, lowest first.
    pub fn each_byte(self, size: u64) -> impl Iterator<Item = CellRef> {
        (0..size).map(move |byte| CellRef { offset: self.offset + byte, ..self })
    }
}

/// How much of an object an access is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellExtent {
    /// Where the address is not known, the places are those where something of this size lies.
    pub size: u64,
    /// So many bytes must lie inside of the object.
    pub checked: u64,
}

impl CellExtent {
    pub fn of(size: u64) -> Self {
        Self { size, checked: size }
    }
}

fn too_many_places() -> UnfoldFailure {
    UnfoldFailure::NotSupported(format!("access to more than {MAX_PLACES} possible locations"))
}

pub(crate) struct Memory<'a> {
    allocator: Allocator<'a>,
}

impl<'a> Deref for Memory<'a> {
    type Target = Allocator<'a>;

    fn deref(&self) -> &Allocator<'a> {
        &self.allocator
    }
}

impl<'a> DerefMut for Memory<'a> {
    fn deref_mut(&mut self) -> &mut Allocator<'a> {
        &mut self.allocator
    }
}

impl<'a> Memory<'a> {
    pub fn new(allocator: Allocator<'a>) -> Self {
        Self { allocator }
    }

    pub fn into_allocator(self) -> Allocator<'a> {
        self.allocator
    }
}

impl Memory<'_> {
    pub fn load(
        &mut self,
        state: &mut SymState,
        address: &SymValue,
        ty: Type,
        step: &mut OpenStep,
    ) -> Result<Option<SymValue>, UnfoldFailure> {
        let size = ty.bytes(self.program.data_model);
        let places = self.resolve(state, address, CellExtent::of(size), Access::Read, step)?;
        self.cut_reads_of_sync(state, &places, size, step);
        self.load_from(state, &places, ty, step)
    }

    /// The value at one of the places; `None` if there is none.
    pub fn load_from(
        &mut self,
        state: &mut SymState,
        places: &[CellRef],
        ty: Type,
        step: &mut OpenStep,
    ) -> Result<Option<SymValue>, UnfoldFailure> {
        let size = ty.bytes(self.program.data_model);
        let mut result: Option<SymValue> = None;
        for place in places {
            let value = self.read_place(state, place, size, step)?;
            result = Some(match result {
                None => value,
                Some(other) => self.select(place.condition, &value, &other)?,
            });
        }
        Ok(result
            .map(|value| if ty == Type::Pointer { value.to_pointer(self.terms()).unwrap_or(value) } else { value }))
    }

    pub fn store(
        &mut self,
        state: &mut SymState,
        address: &SymValue,
        value: &SymValue,
        ty: Type,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let size = ty.bytes(self.program.data_model);
        for place in self.resolve(state, address, CellExtent::of(size), Access::Write, step)? {
            let spoiled = self.spoiled_sync(state, place.stretch(size), place.condition, step)?;
            self.write_place(state, &place, size, value, step)?;
            self.overwrite_sync(state, place.stretch(size), &spoiled, place.condition, step)?;
        }
        Ok(())
    }

    /// The `size` bytes at one place, as one cell or as many.
    pub fn read_place(
        &mut self,
        state: &mut SymState,
        place: &CellRef,
        size: u64,
        step: &mut OpenStep,
    ) -> Result<SymValue, UnfoldFailure> {
        if let Some(ElementRef { at, .. }) = place.element {
            self.touch_in_array(state, place, (at, size), false, step);
            return self.read_in_array(state, place, at, size, step);
        }
        self.touch(state, place.stretch(size), place.condition, false, step);
        if self.may_be_part_of_address(place.object, size) {
            self.cut_address_bytes(state, place.condition, step)?;
        }
        if !self.survey.is_bytewise(place.object, place.offset, size) {
            let cell = place.bytes(size);
            let value = self.read_cell(state, cell, place.condition, step)?;
            return match value.as_int() {
                Some(number) => self.put_together(state, place, &[(cell, number)], step),
                None => Ok(value),
            };
        }
        let mut bytes = Vec::with_capacity(size as usize);
        for byte in place.each_byte(size) {
            let cell = byte.bytes(1);
            let value = self.read_cell(state, cell, place.condition, step)?;
            let byte = value.as_int().expect("a byte should be a number");
            bytes.push((cell, byte));
        }
        self.put_together(state, place, &bytes, step)
    }

    /// An access to an array may race.
    fn touch_in_array(
        &mut self,
        state: &mut SymState,
        place: &CellRef,
        (at, size): (TermId, u64),
        writes: bool,
        step: &mut OpenStep,
    ) {
        match self.graph.terms.as_constant(at) {
            Some(offset) => {
                let stretch = ByteRange { object: place.object, offset, length: size };
                self.touch(state, stretch, place.condition, writes, step);
            }
            None => self.touch_element(state, place.stretch(size), (at, size), place.condition, writes, step),
        }
    }

    /// Writes `size` bytes at one place when its condition holds.
    pub fn write_place(
        &mut self,
        state: &mut SymState,
        place: &CellRef,
        size: u64,
        value: &SymValue,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        if let Some(ElementRef { at, .. }) = place.element {
            self.touch_in_array(state, place, (at, size), true, step);
            return self.write_in_array(state, place, at, (size, value), step);
        }
        self.touch(state, place.stretch(size), place.condition, true, step);
        if !self.survey.is_bytewise(place.object, place.offset, size) {
            return self.write_cell(state, place.bytes(size), place.condition, value, step);
        }
        // Where the access is one of several that an address may mean, it is mostly not this one: nothing is written here,
        // so that the bytes stay what they are in the executions that go on.
        if value.as_int().is_none() && !self.graph.is_true(place.condition) && !self.has_bases() {
            return self.cut_address_bytes(state, place.condition, step);
        }
        for (index, byte) in (0..).zip(place.each_byte(size)) {
            let cell = byte.bytes(1);
            let part = match value.as_int() {
                Some(whole) => SymValue::Int(self.terms().extract(whole, index * 8 + 7, index * 8)),
                None => self.byte_of_address(value, index, cell),
            };
            self.write_cell(state, cell, place.condition, &part, step)?;
        }
        Ok(())
    }

    /// The places in living objects that an access at `address` may touch. The state is restricted to valid addresses:
    /// an invalid access violates `valid-deref`, and ends the execution where that is not asked for.
    pub fn resolve(
        &mut self,
        state: &mut SymState,
        address: &SymValue,
        extent: CellExtent,
        access: Access,
        step: &mut OpenStep,
    ) -> Result<Vec<CellRef>, UnfoldFailure> {
        let address = self.found(state, address, step)?;
        let Some(SymValue::Pointer { object, offset, targets }) = address.to_pointer(self.terms()) else {
            return Err(UnfoldFailure::NotSupported("access with a Boolean operand as address".to_owned()));
        };
        let mut places = Vec::new();
        let mut uncovered = self.graph.terms.boolean(false);
        let known = self.known(state);
        for &target in targets.iter() {
            let number = self.terms().constant(OBJECT_BITS, u64::from(target.0));
            let here = self.terms().eq(object, number);
            if self.graph.is_false(here) || (access == Access::Write && self.is_constant(target, step)) {
                continue;
            }
            let fate = self.fate(state, target, here, step)?;
            let dead_here = self.terms().and(here, fate.dead);
            let alive = self.terms().not(fate.dead);
            let here = self.terms().and(here, alive);
            let actual_size = self.actual_size(state, target, here, step)?;
            let (pointer, first) = ((object, offset), places.len());
            let missed = self.places_in(&mut places, target, here, (pointer, &known), extent, actual_size)?;
            if access == Access::Write {
                self.leave_out_constants(state, &mut places, first, extent, step);
            }
            uncovered = self.terms().or(uncovered, missed);
            let may_be_last = self.follows_happens_before() || state.atomic.is_some();
            if may_be_last && !self.graph.is_false(dead_here) {
                let missed = self.touch_dead(state, (target, dead_here), (pointer, &known), (extent, access), step)?;
                uncovered = self.terms().or(uncovered, missed);
            }
        }
        if places.len() > MAX_PLACES {
            return Err(too_many_places());
        }
        self.cut_uncovered(state, uncovered, step);
        let conditions: Vec<TermId> = places.iter().map(|place| place.condition).collect();
        let valid = self.terms().or_all(&conditions);
        self.demand(state, valid, Property::ValidDeref, step);
        Ok(places)
    }

    /// The current instruction finds an object dead, under a condition, that it wants to access: nothing comes after that but
    /// a race with the end. Elsewhere than where happens-before is followed, the access can be brought to before the end, unless
    /// it is in an atomic section that ends the process: then nothing comes after it.
    /// Returns when the access lies inside of the object but at none of its places.
    fn touch_dead(
        &mut self,
        state: &mut SymState,
        (object, dead_here): (ObjectId, TermId),
        pointer: ((TermId, TermId), &PathKnowledge),
        (extent, access): (CellExtent, Access),
        step: &mut OpenStep,
    ) -> Result<TermId, UnfoldFailure> {
        let actual_size = self.actual_size(state, object, dead_here, step)?;
        let mut places = Vec::new();
        let missed = self.places_in(&mut places, object, dead_here, pointer, extent, actual_size)?;
        if access == Access::Write {
            self.leave_out_constants(state, &mut places, 0, extent, step);
        }
        for place in places {
            self.touch_after_end(state, place.stretch(extent.checked), place.condition, step);
        }
        Ok(missed)
    }

    /// Whether the instruction must not write to the object: a constant local is written to when it is initialised.
    fn is_constant(&self, object: ObjectId, step: &mut OpenStep) -> bool {
        self.survey.objects.get(object).read_only && !self.initialises_local(step)
    }

    fn initialises_local(&self, step: &mut OpenStep) -> bool {
        matches!(self.program.at(step.site.location), At::Instruction(at) if at.kind.initialised_local().is_some())
    }

    /// Of the places from the n-th on, which are in one object, those with constant members cannot be written to. Where
    /// places are not told apart, it is not known whether there is one.
    fn leave_out_constants(
        &mut self,
        state: &mut SymState,
        places: &mut Vec<CellRef>,
        first: usize,
        extent: CellExtent,
        step: &mut OpenStep,
    ) {
        let Some(object) = places.get(first).map(|place| place.object) else { return };
        let parts = self.survey.objects.get(object).constant_parts.clone();
        if parts.is_empty() || self.initialises_local(step) {
            return;
        }
        if self.survey.is_blended(object) {
            let condition = places[first].condition;
            self.cut_where(state, condition, "a write that may affect a constant member", step);
            return;
        }
        let mut index = 0;
        places.retain(|place| {
            index += 1;
            index <= first || !parts.touches(place.offset, extent.checked)
        });
    }

    /// Adds the places in one object, and returns when the access lies inside the object but at none of them.
    fn places_in(
        &mut self,
        places: &mut Vec<CellRef>,
        object: ObjectId,
        here: TermId,
        ((pointed, offset), known): ((TermId, TermId), &PathKnowledge),
        extent: CellExtent,
        actual_size: Option<TermId>,
    ) -> Result<TermId, UnfoldFailure> {
        let falsity = self.graph.terms.boolean(false);
        let Object { key, size: object_size, shape, life, .. } = self.survey.objects.get(object).clone();
        // Allocated memory is often copied byte by byte, whatever it holds.
        let shape = shape.filter(|_| life != Life::Heap || extent.size > 1);
        if matches!(key, ObjectKey::None | ObjectKey::Function(_)) {
            return Ok(falsity);
        }
        let Some(object_size) = object_size else {
            return Err(UnfoldFailure::NotSupported("an object whose size is not constant".to_owned()));
        };
        let here = match actual_size {
            Some(size) => within_size(self.terms(), size, here, offset, extent.checked),
            None => here,
        };
        if self.survey.is_blended(object) {
            places.extend(self.blended_place(object, object_size, here, offset, extent.checked));
            return Ok(falsity);
        }
        if object_size < extent.checked || self.graph.is_false(here) {
            return Ok(falsity);
        }
        if self.survey.array_unit(object).is_some() {
            if extent.checked > LARGEST_SCALAR || !self.can_be_array(object) {
                return Err(self.refuse_array(object, "a large array used as a whole"));
            }
            places.extend(self.place_in_array(object, here, offset, extent.checked));
            return Ok(falsity);
        }
        let last = object_size - extent.checked;
        if let Some(mut offsets) = known_offsets(&self.graph.terms, known, (pointed, offset), object) {
            offsets.retain(|&offset| offset <= last);
            match (self.graph.terms.as_constant(offset), &offsets[..]) {
                (Some(_), &[offset]) => places.push(CellRef { condition: here, object, offset, element: None }),
                _ => _ = self.add_places(places, object, here, offset, offsets),
            }
            return Ok(falsity);
        }
        let candidates = candidate_offsets(self.program, shape, object_size, extent.size);
        let candidates = candidates
            .map(|all| self.abstraction().likely_places(self, all, offset, last))
            .map_err(|TooManyPlaces| too_many_places());
        if self.abstraction().blends(self, candidates.as_deref().ok(), offset, last) {
            self.survey.note_blended(object);
            places.extend(self.blended_place(object, object_size, here, offset, extent.checked));
            return Ok(falsity);
        }
        let most = if self.options.optimisations.cells { MOST_CELLS } else { 1 };
        let has_many = candidates.as_ref().map_or(true, |all| all.len() > most);
        if has_many && extent.checked <= LARGEST_SCALAR && self.can_be_array(object) {
            self.note_array(object, extent.checked);
            return Err(UnfoldFailure::NotSupported("an array that no earlier pass knew".to_owned()));
        }
        let covered = self.add_places(places, object, here, offset, candidates?);
        let (abstraction, paths) = self.abstraction_and_paths();
        let missed = abstraction.missed(paths, offset, last, covered);
        Ok(self.terms().and(here, missed))
    }

    /// Adds the places at these offsets, and returns when the offset is one of them.
    fn add_places(
        &mut self,
        places: &mut Vec<CellRef>,
        object: ObjectId,
        here: TermId,
        offset: TermId,
        candidates: Vec<u64>,
    ) -> TermId {
        let width = self.graph.terms.width(offset);
        let mut covered = self.graph.terms.boolean(false);
        for candidate in candidates {
            let constant = self.terms().constant(width, candidate);
            let there = self.terms().eq(offset, constant);
            covered = self.terms().or(covered, there);
            let condition = self.terms().and(here, there);
            if !self.graph.is_false(condition) {
                places.push(CellRef { condition, object, offset: candidate, element: None });
            }
        }
        covered
    }

    fn cut_uncovered(&mut self, state: &mut SymState, uncovered: TermId, step: &mut OpenStep) {
        if !self.graph.is_false(uncovered) {
            self.cut_where(state, uncovered, "access at an offset that matches no known field", step);
        }
    }
}
