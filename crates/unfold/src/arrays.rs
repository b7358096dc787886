//! Objects as arrays. An object that is accessed at a symbolic offset which may mean many places is not divided into cells:
//! all of its bytes are one array term, in units of the largest size that divides all accesses to it. What is accessed in
//! another size is several units. See decision 0027.
//!
//! An array that no other thread can interfere with is a value like that of any other cell, and what is read from it is a
//! term. Of an array that threads share, each read has an event, and each write one for every address at which anybody reads
//! (`array_events`).
//!
//! A pointer in an array is the numbers of its offset, and beside each unit the object that it belongs to; zero for numbers.

use events::{Access, CellKey, CellPart, IndeterminateElement, IndeterminateObject};
use program::{GlobalId, Operand};
use symbolic::{Life, OBJECT_BITS, Object, ObjectId, ObjectKey, SymValue, Targets};
use terms::TermId;

use crate::allocator::Contents;
use crate::array_events::ArrayAccess;
use crate::cells::{Cells, bits_of};
use crate::memory::{CellRef, ElementRef, Memory};
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::SymState;
use crate::survey::CellClass;
use crate::unfolder::UnfoldFailure;

/// An access that may mean more places than this makes its object an array.
pub(crate) const MOST_CELLS: usize = 64;

/// An initialiser with more units that are not zero is not followed as an array.
const MOST_INITIALISED: usize = 4096;

/// The cell that holds all of an object.
pub(crate) fn array_cell(object: ObjectId, unit: u8) -> CellKey {
    CellKey { object, offset: 0, part: CellPart::Array(unit) }
}

/// What stands for the contents of an array that nothing has written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndeterminateArray {
    pub object: IndeterminateObject,
    pub object_size: u64,
    pub array: TermId,
}

/// The largest power of two that divides both.
fn common_unit(size: u64, offset: u64) -> u8 {
    1 << (size | offset | 8).trailing_zeros()
}

impl Pass<'_> {
    /// Whether the object can be followed as an array.
    pub fn can_be_array(&self, object: ObjectId) -> bool {
        let Object { key, size, life, ref constant_parts, .. } = *self.survey.objects.get(object);
        let can = size.is_some()
            && constant_parts.is_empty()
            && life != Life::Library
            && !self.options.every_access
            && !self.survey.is_no_array(object)
            && self.survey.sync_places(object).next().is_none();
        can && match key {
            ObjectKey::Global(global) | ObjectKey::ThreadLocal { global, .. } => {
                let initial = &self.program.globals[global].initial;
                initial.relocations.len() + initial.bytes.iter().filter(|&&byte| byte != 0).count() <= MOST_INITIALISED
            }
            ObjectKey::Allocated { .. } => true,
            ObjectKey::None | ObjectKey::Function(_) | ObjectKey::Result { .. } => false,
        }
    }

    /// The object is accessed at many places, in this size: from the next pass on it is an array.
    pub fn note_array(&mut self, object: ObjectId, size: u64) {
        self.survey.note_array(object, common_unit(size, 0));
    }

    /// The object is used in a way that arrays have no notion of: it has cells again from the next pass on.
    pub fn refuse_array(&mut self, object: ObjectId, what: &str) -> UnfoldFailure {
        self.survey.note_no_array(object);
        UnfoldFailure::NotSupported(what.to_owned())
    }

    /// The place of an access in an array, if it lies inside. Sizes that are not constant are in `here` already.
    pub fn place_in_array(&mut self, object: ObjectId, here: TermId, at: TermId, size: u64) -> Option<CellRef> {
        let object_size = self.survey.objects.get(object).size?;
        let last = object_size.checked_sub(size)?;
        let known = self.graph.terms.as_constant(at);
        self.survey.note_array(object, common_unit(size, known.filter(|&at| at <= last).unwrap_or(0)));
        let width = self.graph.terms.width(at);
        let last = self.terms().constant(width, last);
        let inside = self.terms().ule(at, last);
        let condition = self.terms().and(here, inside);
        let element = Some(ElementRef { at, object_size });
        (!self.graph.is_false(condition)).then_some(CellRef { condition, object, offset: known.unwrap_or(0), element })
    }

    /// An array of any contents.
    pub fn any_array(&mut self, cell: CellKey) -> SymValue {
        let offset = self.terms().array_variable("contents", bits_of(cell));
        let targets: Vec<ObjectId> = self.survey.targets(cell).collect();
        if targets.is_empty() {
            return SymValue::Int(offset);
        }
        let object = self.terms().array_variable("objects", OBJECT_BITS);
        SymValue::Pointer { object, offset, targets: with_none(targets) }
    }

    /// The unit at an address.
    pub fn unit_of(&mut self, array: &SymValue, at: TermId) -> SymValue {
        let terms = self.terms();
        match array {
            SymValue::Int(array) => SymValue::Int(terms.element(*array, at)),
            SymValue::Pointer { object, offset, targets } => SymValue::Pointer {
                object: terms.element(*object, at),
                offset: terms.element(*offset, at),
                targets: targets.clone(),
            },
            SymValue::Bool(_) => unreachable!("a truth value should not be an array"),
        }
    }

    /// The array with another unit at an address.
    fn with_unit(&mut self, array: &SymValue, at: TermId, unit: &SymValue) -> SymValue {
        let terms = self.graph.terms();
        let both = match (array, unit) {
            (SymValue::Int(array), SymValue::Int(unit)) => return SymValue::Int(terms.store(*array, at, *unit)),
            _ => (array.to_pointer(terms), unit.to_pointer(terms)),
        };
        let (
            Some(SymValue::Pointer { object, offset, targets }),
            Some(SymValue::Pointer { object: new_object, offset: new_offset, targets: new_targets }),
        ) = both
        else {
            unreachable!("arrays should hold numbers and pointers")
        };
        SymValue::Pointer {
            object: terms.store(object, at, new_object),
            offset: terms.store(offset, at, new_offset),
            targets: symbolic::value::union(&targets, &new_targets),
        }
    }

    /// The addresses of the units of an access.
    fn unit_addresses(&mut self, at: TermId, size: u64, unit: u8) -> Vec<TermId> {
        let width = self.graph.terms.width(at);
        let mut address = |index: u64| {
            let distance = self.terms().constant(width, index * u64::from(unit));
            self.terms().add(at, distance)
        };
        (0..size / u64::from(unit)).map(&mut address).collect()
    }

    /// When an address is no multiple of `step`, a power of two.
    fn misaligned(&mut self, at: TermId, step: u64) -> TermId {
        let bits = step.trailing_zeros();
        if bits == 0 {
            return self.graph.terms.boolean(false);
        }
        let low = self.terms().extract(at, bits - 1, 0);
        let zero = self.terms().constant(bits, 0);
        self.terms().distinct(low, zero)
    }
}

impl Memory<'_> {
    /// What is at an address of an array, as far as it lies at a multiple of the unit: executions in which it does not are
    /// cut, as are those that take addresses to pieces.
    pub fn read_in_array(
        &mut self,
        state: &mut SymState,
        place: &CellRef,
        at: TermId,
        size: u64,
        step: &mut OpenStep,
    ) -> Result<SymValue, UnfoldFailure> {
        let (cell, unit) = self.array_of(place.object)?;
        self.cut_odd_address(state, place, at, unit, step);
        let addresses = self.unit_addresses(at, size, unit);
        let units = self.read_units(state, cell, &addresses, place.condition, step)?;
        let numbers: Vec<TermId> = units.iter().map(|unit| unit.components().0[1]).collect();
        let terms = self.terms();
        let whole = numbers[1..].iter().fold(numbers[0], |low, &high| terms.concat(high, low));
        let objects: Vec<TermId> = units.iter().filter_map(part_of).collect();
        let Some(&first) = objects.first() else { return Ok(SymValue::Int(whole)) };
        let is_pointer = size == self.program.data_model.pointer_bytes();
        let nothing = self.terms().constant(OBJECT_BITS, 0);
        let expected = if is_pointer { first } else { nothing };
        let mut broken = self.graph.terms.boolean(false);
        for &object in &objects {
            let differs = self.terms().distinct(object, expected);
            broken = self.terms().or(broken, differs);
        }
        if is_pointer && unit < size as u8 {
            let odd = self.misaligned(at, size);
            let names = self.terms().distinct(first, nothing);
            let odd = self.terms().and(odd, names);
            broken = self.terms().or(broken, odd);
        }
        let broken = self.terms().and(place.condition, broken);
        self.cut_address_bytes(state, broken, step)?;
        let SymValue::Pointer { targets, .. } = &units[0] else { return Ok(SymValue::Int(whole)) };
        Ok(match is_pointer {
            true => SymValue::Pointer { object: first, offset: whole, targets: targets.clone() },
            false => SymValue::Int(whole),
        })
    }

    /// Writes to an array when the condition of the place holds.
    pub fn write_in_array(
        &mut self,
        state: &mut SymState,
        place: &CellRef,
        at: TermId,
        (size, value): (u64, &SymValue),
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let (cell, unit) = self.array_of(place.object)?;
        self.cut_odd_address(state, place, at, unit, step);
        let (number, pointer) = match (value.as_int(), value) {
            (Some(number), _) => (number, None),
            (None, SymValue::Pointer { object, offset, targets }) => (*offset, Some((*object, targets.clone()))),
            (None, _) => {
                return Err(UnfoldFailure::NotSupported("a Boolean stored in an array".to_owned()));
            }
        };
        if pointer.is_some() && unit < size as u8 {
            let odd = self.misaligned(at, size);
            let odd = self.terms().and(place.condition, odd);
            self.cut_address_bytes(state, odd, step)?;
        }
        let addresses = self.unit_addresses(at, size, unit);
        let bits = u32::from(unit) * 8;
        let mut units = Vec::new();
        for (index, &address) in (0..).zip(&addresses) {
            let part = self.terms().extract(number, index * bits + bits - 1, index * bits);
            let part = match &pointer {
                None => SymValue::Int(part),
                Some((object, targets)) => {
                    SymValue::Pointer { object: *object, offset: part, targets: targets.clone() }
                }
            };
            units.push((address, part));
        }
        self.write_units(state, cell, &units, place.condition, step)
    }

    fn array_of(&self, object: ObjectId) -> Result<(CellKey, u8), UnfoldFailure> {
        let unit = self.survey.array_unit(object).expect("only an array should have elements");
        Ok((array_cell(object, unit), unit))
    }

    fn cut_odd_address(&mut self, state: &mut SymState, place: &CellRef, at: TermId, unit: u8, step: &mut OpenStep) {
        let odd = self.misaligned(at, u64::from(unit));
        let odd = self.terms().and(place.condition, odd);
        if !self.graph.is_false(odd) {
            self.cut_where(state, odd, "access across the elements of a large array", step);
        }
    }
}

/// The object beside a unit, where there is one.
fn part_of(unit: &SymValue) -> Option<TermId> {
    match unit {
        SymValue::Pointer { object, .. } => Some(*object),
        _ => None,
    }
}

fn with_none(mut targets: Vec<ObjectId>) -> Targets {
    if targets.first() != Some(&ObjectId::NONE) {
        targets.insert(0, ObjectId::NONE);
    }
    Targets::from(targets)
}

impl Cells<'_> {
    /// The units at these addresses when `condition` holds; anything elsewhere.
    fn read_units(
        &mut self,
        state: &mut SymState,
        cell: CellKey,
        addresses: &[TermId],
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<Vec<SymValue>, UnfoldFailure> {
        self.note_array_access(state, cell);
        if !state.single {
            self.survey.note_read(cell, step.instance);
        }
        if state.single || self.survey.class(cell) == CellClass::Folded {
            let array = match state.memory.get(&cell) {
                Some(array) => array.clone(),
                // Not seen by any earlier pass, or an object that does not exist on this path.
                None => {
                    let array = self.any_array(cell);
                    state.set_cell(cell, array.clone());
                    array
                }
            };
            return Ok(addresses.iter().map(|&at| self.unit_of(&array, at)).collect());
        }
        self.refuse_weak_order(cell.object, step)?;
        if state.atomic.is_some_and(|section| section.abandoned.is_some())
            && self.array_events.has_written(cell, step.node.or(state.atomic.map(|section| section.node)))
        {
            let what = "an atomic section that may fail after it wrote on one of its paths";
            self.keep_section_with_gap(state, what, step.site.span);
        }
        let mut units = Vec::new();
        for &at in addresses {
            let value = self.any_unit(cell);
            self.add_array_event(
                state,
                cell,
                Access::Read,
                condition,
                ArrayAccess::Unit { at, value: value.clone() },
                step,
            );
            units.push(value);
        }
        Ok(units)
    }

    fn write_units(
        &mut self,
        state: &mut SymState,
        cell: CellKey,
        units: &[(TermId, SymValue)],
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        self.note_array_access(state, cell);
        for (_, unit) in units {
            if let SymValue::Pointer { targets, .. } = unit
                && unit.as_int().is_none()
            {
                self.survey.note_targets_anywhere(cell, targets);
            }
        }
        if !state.single {
            self.survey.note_write(cell, step.instance);
        }
        match self.survey.class(cell) {
            CellClass::Shared if !state.single => {
                self.refuse_weak_order(cell.object, step)?;
                state.note_activity(self.graph.terms(), condition);
                for (at, value) in units {
                    let access = ArrayAccess::Unit { at: *at, value: value.clone() };
                    self.add_array_event(state, cell, Access::Write, condition, access, step);
                }
                Ok(())
            }
            CellClass::Unread if !state.single => Ok(()),
            _ => {
                state.note_own_write(&self.graph.terms, cell);
                self.note_change(cell);
                let old = match state.memory.get(&cell) {
                    Some(old) => old.clone(),
                    None => self.any_array(cell),
                };
                let new = units.iter().fold(old.clone(), |array, (at, unit)| self.with_unit(&array, *at, unit));
                let mixed = self.select(condition, &new, &old)?;
                state.set_cell(cell, mixed);
                Ok(())
            }
        }
    }

    /// Writes a whole array.
    pub fn write_array(
        &mut self,
        state: &mut SymState,
        cell: CellKey,
        value: &SymValue,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let truth = self.graph.terms.boolean(true);
        self.note_array_access(state, cell);
        if !state.single {
            self.survey.note_write(cell, step.instance);
        }
        if let SymValue::Pointer { targets, .. } = value {
            self.survey.note_targets_anywhere(cell, targets);
        }
        let value = self.as_contents(cell, value);
        match self.survey.class(cell) {
            CellClass::Shared if !state.single => {
                self.add_array_event(state, cell, Access::Write, truth, ArrayAccess::Whole(value), step);
            }
            CellClass::Unread if !state.single => {}
            _ => {
                state.note_own_write(&self.graph.terms, cell);
                self.note_change(cell);
                state.set_cell(cell, value);
            }
        }
        Ok(())
    }

    fn note_array_access(&mut self, state: &SymState, cell: CellKey) {
        match state.single {
            true => self.survey.note_cell(cell),
            false => self.note_protection(state, cell),
        }
    }

    /// Which events an atomic access is made of is known only later.
    fn refuse_weak_order(&mut self, object: ObjectId, step: &OpenStep) -> Result<(), UnfoldFailure> {
        if step.atomic && self.follows_happens_before() {
            return Err(self.refuse_array(object, "an atomic access to a large array where memory orders matter"));
        }
        Ok(())
    }

    fn any_unit(&mut self, cell: CellKey) -> SymValue {
        let array = self.any_array(cell);
        let zero = self.pointer_constant(0);
        self.unit_of(&array, zero)
    }

    /// What a new array holds.
    pub fn first_array(
        &mut self,
        cell: CellKey,
        contents: Contents,
        object: IndeterminateObject,
        object_size: u64,
    ) -> SymValue {
        match contents {
            Contents::Zero => SymValue::Int(self.zero_array(cell)),
            Contents::Indeterminate => {
                let array = self.terms().array_variable("indeterminate", bits_of(cell));
                self.graph.add_indeterminate_array(IndeterminateArray { object, object_size, array });
                SymValue::Int(array)
            }
        }
    }

    fn zero_array(&mut self, cell: CellKey) -> TermId {
        let zero = self.terms().constant(bits_of(cell), 0);
        self.terms().filled_array(zero)
    }

    /// What a global holds at the start.
    pub fn initial_array(&mut self, global: GlobalId, cell: CellKey) -> SymValue {
        let body = &self.program.globals[global];
        let CellPart::Array(unit) = cell.part else { unreachable!("{cell} should be an array") };
        if body.initial.indeterminate {
            return self.first_array(cell, Contents::Indeterminate, IndeterminateObject::Global(global), body.size);
        }
        let mut array = SymValue::Int(self.zero_array(cell));
        for (index, bytes) in (0..).zip(body.initial.bytes.chunks(usize::from(unit))) {
            if bytes.iter().any(|&byte| byte != 0) {
                let mut number = [0; 8];
                number[..bytes.len()].copy_from_slice(bytes);
                let part = self.terms().constant(bits_of(cell), u64::from_le_bytes(number));
                let at = self.pointer_constant(index * u64::from(unit));
                array = self.with_unit(&array, at, &SymValue::Int(part));
            }
        }
        for relocation in &body.initial.relocations {
            array = self.with_initial_address(array, unit, relocation.offset, relocation.value);
        }
        array
    }

    fn with_initial_address(&mut self, mut array: SymValue, unit: u8, offset: u64, address: Operand) -> SymValue {
        let (_, value) = self.constant_address(address);
        let SymValue::Pointer { object, offset: number, targets } = value else { return array };
        let bits = u32::from(unit) * 8;
        for index in 0..(self.program.data_model.pointer_bytes() / u64::from(unit)) as u32 {
            let part = self.terms().extract(number, index * bits + bits - 1, index * bits);
            let part = SymValue::Pointer { object, offset: part, targets: targets.clone() };
            let at = self.pointer_constant(offset + u64::from(index) * u64::from(unit));
            array = self.with_unit(&array, at, &part);
        }
        array
    }
}

impl IndeterminateArray {
    /// What a replay must supply: the elements that were read.
    pub fn elements(self, terms: &terms::Terms) -> Vec<IndeterminateElement> {
        let IndeterminateArray { object, object_size, array } = self;
        let read = terms.elements_read(array);
        read.map(|(offset, value)| IndeterminateElement { object, object_size, offset, value }).collect()
    }
}
