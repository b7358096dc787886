//! Memory: which cells an access may touch, and reading and writing them, folded into terms where nobody else can
//! interfere and as events where somebody can.

use base::Span;
use events::{Access, CellKey, CellPart, CutKind, Event, Indeterminate, IndeterminateObject, Node, NodeId};
use program::{At, Property, Type};
use symbolic::value::names_nothing;
use symbolic::{Life, OBJECT_BITS, Object, ObjectId, ObjectKey, SymValue, Targets};
use sync::{Field, SyncState};
use terms::TermId;

use crate::contact::Stretch;
use crate::idle_rounds;
use crate::known_offsets::known_offsets;
use crate::lifetimes::{LIFE_BITS, no_life_yet};
use crate::modular::ANOTHER;
use crate::shaped_places::{MAX_PLACES, TooManyPlaces, candidate_offsets};
use crate::state::State;
use crate::survey::CellClass;
use crate::sync_bytes::SyncPlace;
use crate::unfolder::{Failure, Site, Unfolder};
use crate::unknown_size::{SIZE_BITS, within_size};

/// A place that an address may mean, and when it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub condition: TermId,
    pub object: ObjectId,
    pub offset: u64,
}

impl Place {
    pub fn bytes(&self, size: u64) -> CellKey {
        CellKey { object: self.object, offset: self.offset, part: CellPart::Bytes(size as u8) }
    }

    pub fn stretch(&self, length: u64) -> Stretch {
        Stretch { object: self.object, offset: self.offset, length }
    }

    /// The single bytes of a stretch that begins here, lowest first.
    pub fn each_byte(self, size: u64) -> impl Iterator<Item = Place> {
        (0..size).map(move |byte| Place { offset: self.offset + byte, ..self })
    }
}

/// How much of an object an access is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// Where the address is not known, the places are those where something of this size lies.
    pub size: u64,
    /// So many bytes must lie inside of the object.
    pub checked: u64,
}

impl Extent {
    pub fn of(size: u64) -> Self {
        Self { size, checked: size }
    }
}

fn too_many_places() -> Failure {
    Failure::NotSupported(format!("an access that may touch more than {MAX_PLACES} places"))
}

/// The width of what a cell holds.
pub fn bits_of(cell: CellKey) -> u32 {
    match cell.part {
        CellPart::Bytes(size) => u32::from(size) * 8,
        CellPart::Field(_, field) => u32::from(field.bits()),
        CellPart::Member(..) => 1,
        CellPart::Life => LIFE_BITS,
        CellPart::Size => SIZE_BITS,
    }
}

/// What the contents of a new object are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Contents {
    Zero,
    Indeterminate,
}

impl Unfolder<'_> {
    pub fn load(
        &mut self,
        state: &mut State,
        address: &SymValue,
        ty: Type,
        site: &Site,
    ) -> Result<Option<SymValue>, Failure> {
        let size = ty.bytes(self.program.data_model);
        let places = self.resolve(state, address, Extent::of(size), Access::Read, site)?;
        self.cut_reads_of_sync(state, &places, size, site);
        self.load_from(state, &places, ty, site)
    }

    /// The value at one of the places; `None` if there is none.
    pub fn load_from(
        &mut self,
        state: &mut State,
        places: &[Place],
        ty: Type,
        site: &Site,
    ) -> Result<Option<SymValue>, Failure> {
        let size = ty.bytes(self.program.data_model);
        let mut result: Option<SymValue> = None;
        for place in places {
            let value = self.read_place(state, place, size, site)?;
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
        state: &mut State,
        address: &SymValue,
        value: &SymValue,
        ty: Type,
        site: &Site,
    ) -> Result<(), Failure> {
        let size = ty.bytes(self.program.data_model);
        for place in self.resolve(state, address, Extent::of(size), Access::Write, site)? {
            let spoiled = self.spoiled_sync(state, place.stretch(size), place.condition, site)?;
            self.write_place(state, &place, size, value, site)?;
            self.overwrite_sync(state, place.stretch(size), &spoiled, place.condition, site)?;
        }
        Ok(())
    }

    /// The `size` bytes at one place, as one cell or as many.
    pub fn read_place(
        &mut self,
        state: &mut State,
        place: &Place,
        size: u64,
        site: &Site,
    ) -> Result<SymValue, Failure> {
        self.touch(state, place.stretch(size), place.condition, false, site);
        if self.may_be_part_of_address(place.object, size) {
            self.cut_address_bytes(state, place.condition, site)?;
        }
        if !self.survey.is_bytewise(place.object, place.offset, size) {
            let cell = place.bytes(size);
            let value = self.read_cell(state, cell, place.condition, site)?;
            return match value.as_int() {
                Some(number) => self.put_together(state, place, &[(cell, number)], site),
                None => Ok(value),
            };
        }
        let mut bytes = Vec::with_capacity(size as usize);
        for byte in place.each_byte(size) {
            let cell = byte.bytes(1);
            let value = self.read_cell(state, cell, place.condition, site)?;
            let byte = value.as_int().expect("a byte should be a number");
            bytes.push((cell, byte));
        }
        self.put_together(state, place, &bytes, site)
    }

    /// Writes `size` bytes at one place when its condition holds.
    pub fn write_place(
        &mut self,
        state: &mut State,
        place: &Place,
        size: u64,
        value: &SymValue,
        site: &Site,
    ) -> Result<(), Failure> {
        self.touch(state, place.stretch(size), place.condition, true, site);
        if !self.survey.is_bytewise(place.object, place.offset, size) {
            return self.write_cell(state, place.bytes(size), place.condition, value, site);
        }
        // Where the access is one of several that an address may mean, it is mostly not this one: nothing is written here,
        // so that the bytes stay what they are in the executions that go on.
        if value.as_int().is_none() && self.graph.terms.as_boolean(place.condition) != Some(true) {
            return self.cut_address_bytes(state, place.condition, site);
        }
        for (index, byte) in (0..).zip(place.each_byte(size)) {
            let cell = byte.bytes(1);
            let part = match value.as_int() {
                Some(whole) => SymValue::Int(self.terms().extract(whole, index * 8 + 7, index * 8)),
                None => self.byte_of_address(value, index, cell),
            };
            self.write_cell(state, cell, place.condition, &part, site)?;
        }
        Ok(())
    }

    pub fn select(&mut self, condition: TermId, then: &SymValue, otherwise: &SymValue) -> Result<SymValue, Failure> {
        SymValue::select(self.terms(), condition, then, otherwise)
            .ok_or_else(|| Failure::NotSupported("values of different kinds in one place".to_owned()))
    }

    /// The places in living objects that an access at `address` may touch. The state is restricted to valid addresses:
    /// an invalid access violates `valid-deref`, and ends the execution where that is not asked for.
    pub fn resolve(
        &mut self,
        state: &mut State,
        address: &SymValue,
        extent: Extent,
        access: Access,
        site: &Site,
    ) -> Result<Vec<Place>, Failure> {
        let Some(SymValue::Pointer { object, offset, targets }) = address.to_pointer(self.terms()) else {
            return Err(Failure::NotSupported("an access through a truth value".to_owned()));
        };
        self.cut_found_address(state, address, site);
        let mut places = Vec::new();
        let mut uncovered = self.graph.terms.boolean(false);
        for &target in targets.iter() {
            let number = self.terms().constant(OBJECT_BITS, u64::from(target.0));
            let here = self.terms().eq(object, number);
            if self.graph.terms.as_boolean(here) == Some(false)
                || (access == Access::Write && self.is_constant(target, site))
            {
                continue;
            }
            let fate = self.fate(state, target, here, site)?;
            let dead_here = self.terms().and(here, fate.dead);
            let alive = self.terms().not(fate.dead);
            let here = self.terms().and(here, alive);
            let actual_size = self.actual_size(state, target, here, site)?;
            let (pointer, first) = ((object, offset), places.len());
            let missed = self.places_in(&mut places, target, here, pointer, extent, actual_size)?;
            if access == Access::Write {
                self.leave_out_constants(state, &mut places, first, extent, site);
            }
            uncovered = self.terms().or(uncovered, missed);
            let may_be_last = self.follows_happens_before() || state.atomic.is_some();
            if may_be_last && self.graph.terms.as_boolean(dead_here) != Some(false) {
                let missed = self.touch_dead(state, (target, dead_here), pointer, (extent, access), site)?;
                uncovered = self.terms().or(uncovered, missed);
            }
        }
        if places.len() > MAX_PLACES {
            return Err(too_many_places());
        }
        self.cut_uncovered(state, uncovered, site);
        let conditions: Vec<TermId> = places.iter().map(|place| place.condition).collect();
        let valid = self.terms().or_all(&conditions);
        self.demand(state, valid, Property::ValidDeref, site);
        Ok(places)
    }

    /// The current instruction finds an object dead, under a condition, that it wants to access: nothing comes after that but
    /// a race with the end. Elsewhere than where happens-before is followed, the access can be brought to before the end, unless
    /// it is in an atomic section that ends the process: then nothing comes after it.
    /// Returns when the access lies inside of the object but at none of its places.
    fn touch_dead(
        &mut self,
        state: &mut State,
        (object, dead_here): (ObjectId, TermId),
        pointer: (TermId, TermId),
        (extent, access): (Extent, Access),
        site: &Site,
    ) -> Result<TermId, Failure> {
        let actual_size = self.actual_size(state, object, dead_here, site)?;
        let mut places = Vec::new();
        let missed = self.places_in(&mut places, object, dead_here, pointer, extent, actual_size)?;
        if access == Access::Write {
            self.leave_out_constants(state, &mut places, 0, extent, site);
        }
        for place in places {
            self.touch_after_end(state, place.stretch(extent.checked), place.condition, site);
        }
        Ok(missed)
    }

    /// Whether the instruction must not write to the object: a constant local is written to when it is initialised.
    fn is_constant(&self, object: ObjectId, site: &Site) -> bool {
        self.survey.objects.get(object).read_only && !self.initialises_local(site)
    }

    fn initialises_local(&self, site: &Site) -> bool {
        matches!(self.program.at(site.location), At::Instruction(at) if at.kind.initialised_local().is_some())
    }

    /// Of the places from the n-th on, which are in one object, those with constant members cannot be written to. Where
    /// places are not told apart, it is not known whether there is one.
    fn leave_out_constants(
        &mut self,
        state: &mut State,
        places: &mut Vec<Place>,
        first: usize,
        extent: Extent,
        site: &Site,
    ) {
        let Some(object) = places.get(first).map(|place| place.object) else { return };
        let parts = self.survey.objects.get(object).constant_parts.clone();
        if parts.is_empty() || self.initialises_local(site) {
            return;
        }
        if self.is_blended(object) {
            let condition = places[first].condition;
            self.cut_where(state, condition, "a write that may meet a constant member", site);
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
        places: &mut Vec<Place>,
        object: ObjectId,
        here: TermId,
        (pointed, offset): (TermId, TermId),
        extent: Extent,
        actual_size: Option<TermId>,
    ) -> Result<TermId, Failure> {
        let falsity = self.graph.terms.boolean(false);
        let Object { key, size: object_size, shape, life, .. } = self.survey.objects.get(object).clone();
        // Allocated memory is often copied byte by byte, whatever it holds.
        let shape = shape.filter(|_| life != Life::Heap || extent.size > 1);
        if matches!(key, ObjectKey::None | ObjectKey::Function(_)) {
            return Ok(falsity);
        }
        let Some(object_size) = object_size else {
            return Err(Failure::NotSupported("an object whose size is not constant".to_owned()));
        };
        let here = match actual_size {
            Some(size) => within_size(self.terms(), size, here, offset, extent.checked),
            None => here,
        };
        if self.is_blended(object) {
            places.extend(self.blended_place(object, object_size, here, offset, extent.checked));
            return Ok(falsity);
        }
        if object_size < extent.checked || self.graph.terms.as_boolean(here) == Some(false) {
            return Ok(falsity);
        }
        if let Some(offset) = self.graph.terms.as_constant(offset) {
            if offset <= object_size - extent.checked {
                places.push(Place { condition: here, object, offset });
            }
            return Ok(falsity);
        }
        let last = object_size - extent.checked;
        if let Some(mut offsets) = known_offsets(&self.graph.terms, pointed, offset, object) {
            offsets.retain(|&offset| offset <= last);
            self.add_places(places, object, here, offset, offsets);
            return Ok(falsity);
        }
        let candidates = candidate_offsets(self.program, shape, object_size, extent.size);
        let candidates = candidates.map_err(|TooManyPlaces| too_many_places());
        if self.is_modular() && !candidates.as_ref().is_ok_and(|all| self.is_covered(all, offset, last)) {
            self.blend(object);
            places.extend(self.blended_place(object, object_size, here, offset, extent.checked));
            return Ok(falsity);
        }
        let width = self.graph.terms.width(offset);
        let covered = self.add_places(places, object, here, offset, candidates?);
        if self.is_modular() {
            return Ok(falsity);
        }
        let last = self.terms().constant(width, last);
        let inside = self.terms().ule(offset, last);
        let elsewhere = self.terms().not(covered);
        let missed = self.terms().and(inside, elsewhere);
        Ok(self.terms().and(here, missed))
    }

    /// Adds the places at these offsets, and returns when the offset is one of them.
    fn add_places(
        &mut self,
        places: &mut Vec<Place>,
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
            if self.graph.terms.as_boolean(condition) != Some(false) {
                places.push(Place { condition, object, offset: candidate });
            }
        }
        covered
    }

    fn cut_uncovered(&mut self, state: &mut State, uncovered: TermId, site: &Site) {
        if self.graph.terms.as_boolean(uncovered) != Some(false) {
            self.cut_where(state, uncovered, "an access at an odd place inside an object", site);
        }
    }

    /// Executions in which the condition holds are not followed; the state is restricted to the others.
    pub fn cut_where(&mut self, state: &mut State, condition: TermId, what: &str, site: &Site) {
        let mut missed = state.standing();
        missed.guard = self.and_guard(missed.guard, condition);
        self.cut(missed, CutKind::Unsupported { what: what.to_owned() }, site.span);
        let others = self.terms().not(condition);
        self.restrict(state, others);
    }

    /// The value of a cell when `condition` holds; anything elsewhere.
    pub fn read_cell(
        &mut self,
        state: &mut State,
        cell: CellKey,
        condition: TermId,
        site: &Site,
    ) -> Result<SymValue, Failure> {
        if self.is_unknowable_cell(cell) {
            self.survey.note_cell(cell);
            return Ok(self.any_contents(cell));
        }
        if state.single {
            self.survey.note_cell(cell);
        } else {
            self.note_protection(state, cell);
            self.survey.note_read(cell, self.instance);
            if self.is_crowded(cell) {
                self.survey.note_read(cell, ANOTHER);
            }
        }
        if self.is_in_section(state, cell) {
            return self.read_in_section(state, cell, condition, site);
        }
        self.read_directly(state, cell, condition, site)
    }

    /// As [`read_cell`](Self::read_cell), outside of critical sections.
    pub fn read_directly(
        &mut self,
        state: &mut State,
        cell: CellKey,
        condition: TermId,
        site: &Site,
    ) -> Result<SymValue, Failure> {
        let class = self.survey.class(cell);
        let known = state.single || class == CellClass::Folded || state.atomic.is_some();
        if known && let Some(value) = state.memory.get(&cell) {
            return Ok(value.clone());
        }
        if let Some(value) = self.untouched_contents(state, cell) {
            return Ok(value);
        }
        if state.single || class == CellClass::Folded {
            // Not seen by any earlier pass, or an object that does not exist on this path.
            return Ok(self.fresh_contents(cell));
        }
        if self.has_written_in_section(state, cell) {
            let what = "an atomic section that may fail after it wrote on one of its paths";
            self.keep_section_with_gap(state, what, site.span);
        }
        let value = if self.is_modular() {
            let value = self.any_visible_contents(cell);
            self.assume_shared_candidates(state, cell, condition, &value);
            value
        } else {
            self.fresh_contents(cell)
        };
        self.add_event(state, Access::Read, cell, condition, value.clone(), site.span);
        if state.atomic.is_some() && self.graph.terms.as_boolean(condition) == Some(true) {
            state.set_cell(cell, value.clone());
        }
        Ok(value)
    }

    /// Writes `value` to a cell when `condition` holds.
    pub fn write_cell(
        &mut self,
        state: &mut State,
        cell: CellKey,
        condition: TermId,
        value: &SymValue,
        site: &Site,
    ) -> Result<(), Failure> {
        if self.is_modular() {
            self.note_contents(cell, value);
        }
        if self.is_unknowable_cell(cell) {
            self.survey.note_cell(cell);
            return Ok(());
        }
        if state.single {
            self.survey.note_cell(cell);
        } else {
            self.note_protection(state, cell);
        }
        let value = self.as_contents(cell, value);
        if self.is_in_section(state, cell) {
            return self.write_in_section(state, cell, condition, &value, site);
        }
        self.write_directly(state, cell, condition, &value, site)
    }

    /// As [`write_cell`](Self::write_cell), outside of critical sections.
    pub fn write_directly(
        &mut self,
        state: &mut State,
        cell: CellKey,
        condition: TermId,
        value: &SymValue,
        site: &Site,
    ) -> Result<(), Failure> {
        if !state.single && !self.is_unseen_death(state, cell) {
            self.survey.note_write(cell, self.instance);
            self.note_visible(state, cell, condition, value);
            if self.is_crowded(cell) {
                self.survey.note_write(cell, ANOTHER);
            }
        }
        if let SymValue::Pointer { targets, .. } = value
            && !names_nothing(targets)
        {
            self.survey.note_targets(cell, targets);
        }
        let value = self.as_contents(cell, value);
        match self.survey.class(cell) {
            CellClass::Shared if !state.single => {
                let changes = self.changes(state, cell, condition, &value);
                state.note_activity(&mut self.graph.terms, changes);
                self.know_what_is_overwritten(state, cell, condition, site)?;
                self.add_event(state, Access::Write, cell, condition, value.clone(), site.span);
                if state.atomic.is_some() {
                    self.overwrite(state, cell, condition, &value)?;
                }
                Ok(())
            }
            CellClass::Unread if !state.single => Ok(()),
            _ => {
                state.note_own_write(&self.graph.terms, cell);
                self.overwrite(state, cell, condition, &value)
            }
        }
    }

    /// Whether a section that may be abandoned has written the cell on some path: its writes are no events then.
    fn has_written_in_section(&self, state: &State, cell: CellKey) -> bool {
        let can_be_abandoned = state.atomic.is_some_and(|section| section.abandoned.is_some());
        let (Some(node), Some(cell)) = (self.open_node, self.cell_ids.get(&cell)) else { return false };
        let is_write = |event: &Event| event.cell == *cell && event.access == Access::Write;
        can_be_abandoned && self.graph.nodes[node].events.iter().any(|&event| is_write(&self.graph.events[event]))
    }

    /// A later read would look for the write among the events, which an abandoned section has none of.
    /// Reads what is there before; but an object that may not exist has nothing to read.
    fn know_what_is_overwritten(
        &mut self,
        state: &mut State,
        cell: CellKey,
        condition: TermId,
        site: &Site,
    ) -> Result<(), Failure> {
        let can_be_abandoned = state.atomic.is_some_and(|section| section.abandoned.is_some());
        let is_certain = self.graph.terms.as_boolean(condition) == Some(true);
        if !can_be_abandoned || is_certain || state.memory.contains_key(&cell) {
            return Ok(());
        }
        if matches!(self.survey.objects.get(cell.object).key, ObjectKey::Global(_)) {
            let truth = self.graph.terms.boolean(true);
            self.read_directly(state, cell, truth, site)?;
        } else {
            let what = "an atomic section that may fail after it wrote at an unknown place";
            self.keep_section_with_gap(state, what, site.span);
        }
        Ok(())
    }

    /// When a write to a shared cell changes it, as far as the same atomic step has seen what was there.
    fn changes(&mut self, state: &State, cell: CellKey, condition: TermId, value: &SymValue) -> TermId {
        let seen = match state.atomic {
            Some(_) => state.memory.get(&cell).cloned(),
            None => self.open_node.and_then(|node| self.read_in(node, cell)),
        };
        let Some(seen) = seen else { return condition };
        let differs = idle_rounds::differs(&mut self.graph.terms, Some(&seen), Some(value));
        self.terms().and(condition, differs)
    }

    /// What an instruction has read from a cell in its own step.
    fn read_in(&self, node: NodeId, cell: CellKey) -> Option<SymValue> {
        let cell = self.cell_ids.get(&cell)?;
        let events = self.graph.nodes[node].events.iter().map(|&event| &self.graph.events[event]);
        let read = events.rev().find(|event| event.cell == *cell && event.access == Access::Read);
        read.map(|event| event.value.clone())
    }

    /// Changes what the state knows of a cell.
    fn overwrite(
        &mut self,
        state: &mut State,
        cell: CellKey,
        condition: TermId,
        value: &SymValue,
    ) -> Result<(), Failure> {
        self.note_change(cell);
        let old = state.memory.get(&cell).cloned().or_else(|| self.untouched_contents(state, cell));
        match (self.graph.terms.as_boolean(condition), old) {
            (Some(true), _) => state.set_cell(cell, value.clone()),
            (_, Some(old)) => {
                let mixed = self.select(condition, value, &old)?;
                state.set_cell(cell, mixed);
            }
            (_, None) if state.atomic.is_some() && !state.single => {}
            (_, None) => state.set_cell(cell, value.clone()),
        }
        Ok(())
    }

    fn as_contents(&mut self, cell: CellKey, value: &SymValue) -> SymValue {
        self.survey.as_contents(&mut self.graph.terms, cell, value)
    }

    /// A new unknown value of a cell's form.
    pub fn fresh_contents(&mut self, cell: CellKey) -> SymValue {
        if self.is_modular() {
            return self.any_contents(cell);
        }
        let targets: Vec<ObjectId> = self.survey.targets(cell).collect();
        let bits = bits_of(cell);
        if targets.is_empty() {
            return SymValue::Int(self.terms().bv_variable("value", bits));
        }
        let mut targets = targets;
        if targets[0] != ObjectId::NONE {
            targets.insert(0, ObjectId::NONE);
        }
        let object = self.terms().bv_variable("object", OBJECT_BITS);
        let offset = self.terms().bv_variable("offset", bits);
        SymValue::Pointer { object, offset, targets: Targets::from(targets) }
    }

    /// The node for what the current instruction does.
    pub fn node(&mut self, state: &State, span: Span) -> NodeId {
        if let Some(section) = state.atomic {
            return section.node;
        }
        self.new_node(state, span)
    }

    pub fn new_node(&mut self, state: &State, span: Span) -> NodeId {
        let instance = self.instance;
        let node_hb = self.node_hb;
        let steps = self.graph.instances[instance].steps.len();
        let node = Node { instance, guard: state.guard, events: Vec::new(), span, node_hb, steps };
        let node = self.graph.nodes.push(node);
        self.graph.instances[instance].nodes.push(node);
        node
    }

    /// The node of the current instruction, which is made when it is first needed.
    pub fn node_of_access(&mut self, state: &State, span: Span) -> NodeId {
        match self.open_node {
            Some(node) if state.atomic.is_none() => node,
            _ => {
                let node = self.node(state, span);
                self.open_node = Some(node);
                node
            }
        }
    }

    /// Adds an event to the node of the current instruction.
    fn add_event(
        &mut self,
        state: &State,
        access: Access,
        cell: CellKey,
        condition: TermId,
        value: SymValue,
        span: Span,
    ) {
        if self.is_modular() {
            return;
        }
        let node = self.node_of_access(state, span);
        let guard = self.guard_of_event(state, access, condition);
        let cell = self.cell(cell);
        let event = self.graph.events.push(Event { node, access, cell, guard, value });
        self.graph.nodes[node].events.push(event);
    }

    /// Other threads are about to exist: what is shared becomes writes that they can see.
    pub fn publish(&mut self, state: &mut State, node: Option<NodeId>, span: Span) {
        let shared: Vec<CellKey> = self.survey.shared_cells().collect();
        let truth = self.graph.terms.boolean(true);
        let section = state.atomic.take();
        self.open_node = node.or(section.map(|section| section.node));
        for cell in shared {
            if let Some(value) = state.memory.get(&cell).cloned().or_else(|| self.untouched_contents(state, cell)) {
                let value = self.as_contents(cell, &value);
                self.note_visible(state, cell, truth, &value);
                self.add_event(state, Access::Write, cell, truth, value, span);
            }
        }
        self.open_node = None;
        state.atomic = section;
        state.single = false;
        state.forget_shared(&self.survey);
    }

    /// A new object is born: its cells get their first contents.
    pub fn give_birth(
        &mut self,
        state: &mut State,
        object: ObjectId,
        contents: Contents,
        site: &Site,
    ) -> Result<(), Failure> {
        let index = self.graph.instances[self.instance].allocations.len();
        self.graph.instances[self.instance].allocations.push(state.guard);
        let truth = self.graph.terms.boolean(true);
        let cells: Vec<CellKey> = self.survey.cells_of(object).collect();
        // What a new object holds is nobody's doing: the next round makes a new one.
        let activity = state.activity.clone();
        for cell in cells {
            let value = match (cell.part, contents) {
                (CellPart::Bytes(_), Contents::Zero) => self.constant_contents(cell, 0),
                (CellPart::Bytes(_), Contents::Indeterminate) => {
                    let value = SymValue::Int(self.fresh_number(cell));
                    let object = IndeterminateObject::Allocation(self.instance, index);
                    let record = Indeterminate { object, offset: cell.offset, value: value.clone() };
                    self.graph.indeterminate.push(record);
                    value
                }
                (CellPart::Member(..), _) => self.constant_contents(cell, 0),
                (CellPart::Field(_, Field::Signals), _) => self.constant_contents(cell, 0),
                (CellPart::Field(kind, field), Contents::Zero) => {
                    self.constant_contents(cell, SyncState::initialised(kind).get(field).low())
                }
                (CellPart::Field(kind, field), Contents::Indeterminate) => {
                    self.constant_contents(cell, SyncState::uninitialised(kind).get(field).low())
                }
                (CellPart::Life | CellPart::Size, _) => continue,
            };
            self.write_cell(state, cell, truth, &value, site)?;
        }
        state.activity = activity;
        Ok(())
    }

    fn fresh_number(&mut self, cell: CellKey) -> TermId {
        let value = self.terms().bv_variable("indeterminate", bits_of(cell));
        self.indeterminate_values.insert(value);
        value
    }

    fn constant_contents(&mut self, cell: CellKey, value: u64) -> SymValue {
        SymValue::Int(self.terms().constant(bits_of(cell), value))
    }

    /// The contents of all known cells of a global (or of the thread's instance of it) at the start.
    pub fn initialise_global(
        &mut self,
        state: &mut State,
        global: program::GlobalId,
        object: ObjectId,
    ) -> Result<(), Failure> {
        let (truth, site) = (self.graph.terms.boolean(true), self.nowhere());
        let cells: Vec<CellKey> = self.survey.cells_of(object).collect();
        if self.is_blended(object) {
            self.note_blended_contents(global, &cells);
            return Ok(());
        }
        for cell in cells {
            let value = self.initial_contents(global, cell);
            self.write_cell(state, cell, truth, &value, &site)?;
        }
        Ok(())
    }

    fn initial_contents(&mut self, global: program::GlobalId, cell: CellKey) -> SymValue {
        let body = &self.program.globals[global];
        let model = self.program.data_model;
        let bytes = |offset: u64, size: u64| -> Vec<u8> {
            (offset..offset + size).map(|at| body.initial.bytes.get(at as usize).copied().unwrap_or(0)).collect()
        };
        match cell.part {
            // Whatever the bytes say, nobody is in the set.
            CellPart::Member(..) => self.constant_contents(cell, 0),
            CellPart::Life => no_life_yet(self.terms()),
            CellPart::Size => self.constant_contents(cell, body.size),
            CellPart::Field(_, Field::Signals) => self.constant_contents(cell, 0),
            CellPart::Field(kind, field) => {
                let layouts = self.program.sync_layouts();
                let size = sync::object_bytes(kind, layouts);
                let bytes = (!body.initial.indeterminate).then(|| bytes(cell.offset, size));
                let state = sync::initial_state(kind, layouts, bytes.as_deref());
                if state.is_unclear() {
                    self.survey.note_unclear(cell.object, SyncPlace { offset: cell.offset, kind });
                }
                self.constant_contents(cell, state.get(field).low())
            }
            CellPart::Bytes(_) if body.initial.indeterminate => {
                let value = SymValue::Int(self.fresh_number(cell));
                let object = IndeterminateObject::Global(global);
                self.graph.indeterminate.push(Indeterminate { object, offset: cell.offset, value: value.clone() });
                value
            }
            CellPart::Bytes(size) => {
                let (start, end) = (cell.offset, cell.offset + u64::from(size));
                let overlaps = |at: u64| at < end && start < at + model.pointer_bytes();
                let relocation = body.initial.relocations.iter().find(|relocation| overlaps(relocation.offset));
                if let Some(relocation) = relocation {
                    return self.initial_address(cell, (relocation.offset, relocation.value));
                }
                let mut value = [0; 8];
                let bytes = bytes(cell.offset, u64::from(size.min(8)));
                value[..bytes.len()].copy_from_slice(&bytes);
                self.constant_contents(cell, u64::from_le_bytes(value))
            }
        }
    }

    /// What a cell that overlaps an address in an initialiser holds: the address, or a byte of it. Any other cell is divided
    /// into bytes, together with the address, for the next pass.
    fn initial_address(&mut self, cell: CellKey, (offset, address): (u64, program::Operand)) -> SymValue {
        let pointer_bytes = self.program.data_model.pointer_bytes();
        let (object, value) = self.constant_address(address);
        match cell.part {
            CellPart::Bytes(1) => self.byte_of_address(&value, (cell.offset - offset) as u32, cell),
            CellPart::Bytes(size) if (cell.offset, u64::from(size)) == (offset, pointer_bytes) => {
                self.survey.note_targets(cell, &[object]);
                value
            }
            CellPart::Bytes(size) => {
                self.survey.divide_into_bytes(cell.object, offset, pointer_bytes);
                self.survey.divide_into_bytes(cell.object, cell.offset, u64::from(size));
                self.constant_contents(cell, 0)
            }
            _ => unreachable!("only bytes should be initialised with an address"),
        }
    }

    /// The address of a global or a function, and which object it names.
    pub fn constant_address(&mut self, address: program::Operand) -> (ObjectId, SymValue) {
        let bits = u32::from(self.program.data_model.pointer_bits());
        let (key, offset) = match address {
            program::Operand::Global { global, offset } => (ObjectKey::Global(global), offset),
            program::Operand::Function(function) => (ObjectKey::Function(function), 0),
            _ => (ObjectKey::None, 0),
        };
        let object = self.object(key);
        let offset = self.terms().constant(bits, offset as u64);
        (object, SymValue::address(self.terms(), object, offset))
    }
}
