//! Life and death of objects. What has become of an object is a cell like any other, read by whoever accesses the object
//! and written when it dies, so that it needs events only where one thread may end an object that another may use.
//!
//! An object lives once: every `Begin` and every allocation that is met makes an object of its own, but for the rounds of
//! a loop in a thread-modular unfolding, where it lives again. Nobody has its
//! address before it is born, so the cell says only whether it is dead; its birth is written down where leaks are
//! looked for (`leaks`). A cell that was never written says that nothing has happened yet.
//!
//! A death that every other thread which ever looks at the object is certain not to see, because it has been joined or
//! is yet to be created, is no write to the others: the usual "create, join, free" has no events for it.

use std::rc::Rc;

use events::{CellKey, CellPart};
use program::{AllocationKind, At, ConstantParts, Instruction, InstructionKind, LocalId, Location, Property};
use symbolic::{Life, OBJECT_BITS, Object, ObjectId, ObjectKey, SymValue};
use terms::{TermId, Terms};

use crate::memory::Contents;
use crate::state::State;
use crate::step::life_of;
use crate::survey::CellClass;
use crate::unfolder::{Activation, Failure, Site, Unfolder};

/// The bits of a cell that says what has become of an object.
pub(crate) const LIFE_BITS: u32 = 2;
pub(crate) const DEAD_BIT: u32 = 0;
const BORN_BIT: u32 = 1;
/// What the cell holds while the object lives.
const BORN: u64 = 1 << BORN_BIT;
const DEAD: u64 = 1 << BORN_BIT | 1 << DEAD_BIT;

pub(crate) fn life_cell(object: ObjectId) -> CellKey {
    CellKey { object, offset: 0, part: CellPart::Life }
}

/// What the cell of an object to which nothing has happened says.
pub(crate) fn no_life_yet(terms: &mut Terms) -> SymValue {
    SymValue::Int(terms.constant(LIFE_BITS, 0))
}

/// What has become of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fate {
    /// Only where leaks are looked for.
    pub born: TermId,
    pub dead: TermId,
}

impl Unfolder<'_> {
    /// What has become of the object, asked where `condition` holds.
    pub fn fate(
        &mut self,
        state: &mut State,
        object: ObjectId,
        condition: TermId,
        site: &Site,
    ) -> Result<Fate, Failure> {
        if !self.survey.objects.get(object).life.can_end() {
            return Ok(Fate { born: self.graph.terms.boolean(true), dead: self.graph.terms.boolean(false) });
        }
        let value = self.read_cell(state, life_cell(object), condition, site)?;
        let value = value.as_int().expect("what becomes of an object should be a number");
        let mut bit = |bit| {
            let bit = self.terms().extract(value, bit, bit);
            self.terms().bv_to_bool(bit)
        };
        Ok(Fate { born: bit(BORN_BIT), dead: bit(DEAD_BIT) })
    }

    /// Whether the object is dead in the snapshot of a deadlock, where `condition` holds.
    pub fn is_dead_in_snapshot(&mut self, state: &State, object: ObjectId, condition: TermId) -> TermId {
        let never = self.graph.terms.boolean(false);
        if !self.survey.objects.get(object).life.can_end() {
            return never;
        }
        let life = self.contents_in_snapshot(state, life_cell(object), condition).and_then(|life| life.as_int());
        let Some(life) = life else { return never };
        let dead = self.terms().extract(life, DEAD_BIT, DEAD_BIT);
        self.terms().bv_to_bool(dead)
    }

    /// Ends the object's life when `condition` holds.
    pub fn end_life(
        &mut self,
        state: &mut State,
        object: ObjectId,
        condition: TermId,
        site: &Site,
    ) -> Result<(), Failure> {
        let dead = SymValue::Int(self.terms().constant(LIFE_BITS, DEAD));
        self.write_cell(state, life_cell(object), condition, &dead, site)?;
        if self.graph.terms.as_boolean(condition) == Some(true) {
            self.forget_contents(state, object);
        }
        Ok(())
    }

    /// The object may be dead whenever somebody looks who does not know better.
    pub fn note_death_some_time(&mut self, object: ObjectId) {
        let dead = SymValue::Int(self.terms().constant(LIFE_BITS, DEAD));
        self.note_contents(life_cell(object), &dead);
    }

    /// Nobody can look into a dead object.
    fn forget_contents(&mut self, state: &mut State, object: ObjectId) {
        let cells: Vec<CellKey> = self.survey.cells_of(object).filter(|cell| state.memory.contains_key(cell)).collect();
        if !cells.is_empty() {
            let memory = Rc::make_mut(&mut state.memory);
            cells.iter().for_each(|cell| drop(memory.remove(cell)));
        }
    }

    fn note_heap_birth(&mut self, state: &mut State, object: ObjectId, site: &Site) -> Result<(), Failure> {
        let truth = self.graph.terms.boolean(true);
        self.note_allocation(state);
        state.note_activity(&mut self.graph.terms, truth);
        let born = SymValue::Int(self.terms().constant(LIFE_BITS, BORN));
        self.write_cell(state, life_cell(object), truth, &born, site)
    }

    /// A new object that the instruction at `site` makes, alive and with its first contents.
    pub fn make_object(
        &mut self,
        state: &mut State,
        size: u64,
        life: Life,
        contents: Contents,
        site: &Site,
    ) -> Result<ObjectId, Failure> {
        let object = self.new_object(site.location, size, None, life);
        self.bring_to_life(state, object, contents, site)?;
        Ok(object)
    }

    /// As [`make_object`](Self::make_object), for an object that has been numbered already.
    pub fn bring_to_life(
        &mut self,
        state: &mut State,
        object: ObjectId,
        contents: Contents,
        site: &Site,
    ) -> Result<(), Failure> {
        let life = self.survey.objects.get(object).life;
        if self.lives_again(object) {
            let (truth, alive) = (self.graph.terms.boolean(true), no_life_yet(self.terms()));
            self.write_cell(state, life_cell(object), truth, &alive, site)?;
        }
        self.give_birth(state, object, contents, site)?;
        state.note_birth(object, life == Life::Scope);
        match life {
            Life::Scope | Life::Activation => Rc::make_mut(&mut state.living).push(object),
            Life::Heap if self.looks_for_lost_memory() => self.note_heap_birth(state, object, site)?,
            Life::Heap | Life::Library | Life::Process | Life::Thread => {}
        }
        Ok(())
    }

    pub fn new_object(
        &mut self,
        location: Location,
        size: u64,
        shape: Option<program::ShapeId>,
        life: Life,
    ) -> ObjectId {
        let count = self.made.entry(location).or_insert(0);
        let key = ObjectKey::Allocated { instance: self.instance.0, location, ordinal: *count };
        *count += 1;
        let (read_only, constant_parts) = self.begins_constant(location);
        let object = Object { key, size: Some(size), shape, read_only, constant_parts, life };
        let object = self.survey.objects.intern(object);
        self.note_made(object);
        self.note_room(object, size);
        object
    }

    fn begins_constant(&self, location: Location) -> (bool, ConstantParts) {
        let locals = &self.program.functions[location.function].locals;
        match self.program.at(location) {
            At::Instruction(Instruction { kind: InstructionKind::Begin { local }, .. }) => {
                (locals[*local].read_only, locals[*local].constant_parts.clone())
            }
            _ => (false, ConstantParts::default()),
        }
    }

    /// A local begins to live; a former life of it ends.
    pub fn begin_local(
        &mut self,
        state: &mut State,
        activation: &Activation,
        local: LocalId,
        site: &Site,
    ) -> Result<(), Failure> {
        if self.visibility.is_visible(site.location) && self.begins_again(state, local) {
            self.leave_race_gap(state.standing(), "a shared local variable that begins again", site.span);
        }
        self.end_local(state, local, site)?;
        let body = &self.program.functions[activation.function].locals[local];
        self.find_room(state, body.size)?;
        let object = self.new_object(site.location, body.size, Some(body.shape), Life::Scope);
        self.bring_to_life(state, object, Contents::Indeterminate, site)?;
        let start = self.pointer_constant(0);
        let address = SymValue::address(self.terms(), object, start);
        Rc::make_mut(&mut state.locals)[local.0 as usize] = Some(address);
        self.attach_open_node();
        Ok(())
    }

    /// Whether a local that other threads may know is about to end because it begins again.
    fn begins_again(&self, state: &State, local: LocalId) -> bool {
        let Some(SymValue::Pointer { targets, .. }) = &state.locals[local.0 as usize] else { return false };
        targets.iter().any(|target| state.living.contains(target) && self.has_visitors(*target))
    }

    /// The life of a local ends, if it lives. Its address remains, and dangles.
    pub fn end_local(&mut self, state: &mut State, local: LocalId, site: &Site) -> Result<(), Failure> {
        let Some(SymValue::Pointer { object, targets, .. }) = state.locals[local.0 as usize].clone() else {
            return Ok(());
        };
        let living: Vec<ObjectId> = targets.iter().copied().filter(|target| state.living.contains(target)).collect();
        for target in living {
            let number = self.terms().constant(OBJECT_BITS, u64::from(target.0));
            let this = self.terms().eq(object, number);
            self.touch_at_end(state, target, this, site);
            self.end_life(state, target, this, site)?;
            if self.graph.terms.as_boolean(this) == Some(true) {
                Rc::make_mut(&mut state.living).retain(|&living| living != target);
            }
            state.note_death(target);
        }
        self.attach_open_node();
        Ok(())
    }

    /// Ends what still lives of the objects that the thread's activations have made, all but the first `kept`.
    pub fn end_living(&mut self, state: &mut State, kept: usize, site: &Site) -> Result<(), Failure> {
        let ending: Vec<ObjectId> = state.living.iter().copied().skip(kept).collect();
        if ending.is_empty() {
            return Ok(());
        }
        let truth = self.graph.terms.boolean(true);
        for object in ending {
            if self.has_visitors(object) {
                let what = "a shared local object that ends with its function";
                self.leave_race_gap(state.standing(), what, site.span);
            }
            self.end_life(state, object, truth, site)?;
            state.note_death(object);
        }
        Rc::make_mut(&mut state.living).truncate(kept);
        self.attach_open_node();
        Ok(())
    }

    /// The thread-local globals of the current thread end with it.
    pub fn end_thread_locals(&mut self, state: &mut State, site: &Site) -> Result<(), Failure> {
        let truth = self.graph.terms.boolean(true);
        let program = self.program;
        for (global, _) in program.globals.iter_enumerated().filter(|(_, body)| body.thread_local) {
            let object = self.object(ObjectKey::ThreadLocal { global, instance: self.instance.0 });
            self.end_life(state, object, truth, site)?;
        }
        self.attach_open_node();
        Ok(())
    }

    /// The objects of this kind that freeing the address may end, each with its condition. Violates `valid-free` unless the address is
    /// null or the beginning of a living object that was allocated; the state is restricted to valid frees.
    pub fn freeable(
        &mut self,
        state: &mut State,
        address: &SymValue,
        kind: AllocationKind,
        site: &Site,
    ) -> Result<Vec<(ObjectId, TermId)>, Failure> {
        let Some(SymValue::Pointer { object, offset, targets }) = address.to_pointer(self.terms()) else {
            return Err(Failure::NotSupported("free of a truth value".to_owned()));
        };
        self.cut_found_address(state, address, site);
        let start = self.pointer_constant(0);
        let at_start = self.terms().eq(offset, start);
        let mut valid = Vec::new();
        let mut freed = Vec::new();
        for &target in targets.iter() {
            let number = self.terms().constant(OBJECT_BITS, u64::from(target.0));
            let named = self.terms().eq(object, number);
            let this = self.terms().and(named, at_start);
            if target == ObjectId::NONE {
                valid.push(this);
                continue;
            }
            if self.survey.objects.get(target).life != life_of(kind) || self.graph.terms.as_boolean(this) == Some(false)
            {
                continue;
            }
            let fate = self.fate(state, target, this, site)?;
            let alive = self.terms().not(fate.dead);
            let this = self.terms().and(this, alive);
            valid.push(this);
            freed.push((target, this));
        }
        let valid = self.terms().or_all(&valid);
        self.demand(state, valid, Property::ValidFree, site);
        Ok(freed)
    }

    /// Whether a write to the cell is one that no other thread can see: see the module's description.
    pub fn is_unseen_death(&self, state: &State, cell: CellKey) -> bool {
        cell.part == CellPart::Life && self.is_quiet(state, cell)
    }

    /// What a cell that is not in a state's memory holds, if that is known all the same.
    pub fn untouched_contents(&mut self, state: &State, cell: CellKey) -> Option<SymValue> {
        let certain = state.single || self.survey.class(cell) == CellClass::Folded;
        (cell.part == CellPart::Life && certain).then(|| no_life_yet(self.terms()))
    }
}
