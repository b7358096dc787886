//! Life and death of objects. What has become of an object is a cell like any other, read by whoever accesses the object
//! and written when it dies, so that it needs events only where one thread may end an object that another may use.
//!
//! An object lives once: every `Begin` and every allocation that is met makes an object of its own, but for the rounds of
//! a loop in a thread-modular unfolding, where it lives again. Nobody has its
//! address before it is born, so the cell says only whether it is dead; its birth is written down where somebody asks who
//! has no address: where leaks (`monitor::leaks`) or held locks are looked for when the process exits. A cell that was never written says that nothing has happened yet.
//!
//! A death that every other thread which ever looks at the object is certain not to see, because it has been joined or
//! is yet to be created, is no write to the others: the usual "create, join, free" has no events for it.

use std::rc::Rc;

use events::{CellKey, CellPart};
use program::{AllocationKind, At, ConstantParts, Instruction, InstructionKind, LocalId, Location, Property};
use rustc_hash::FxHashMap;
use symbolic::{Life, OBJECT_BITS, Object, ObjectId, ObjectKey, SymValue};
use terms::{TermId, Terms};

use crate::allocator::Allocator;
use crate::allocator::Contents;
use crate::open_step::OpenStep;
use crate::origins::{ContextId, ObjectOrigin};
use crate::state::SymState;
use crate::step::life_of;
use crate::unfolder::{Activation, UnfoldFailure};

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

/// What the cell of a dead object says.
pub(crate) fn death(terms: &mut Terms) -> SymValue {
    SymValue::Int(terms.constant(LIFE_BITS, DEAD))
}

/// The objects that the instance at work has made.
#[derive(Default)]
pub(crate) struct Births {
    /// How many each instruction has made so far in each calling context.
    made: FxHashMap<(Location, ContextId), u32>,
    /// The calls that are under way, innermost last.
    contexts: Vec<ContextId>,
}

impl Births {
    /// Another instance begins.
    pub fn forget(&mut self) {
        self.made.clear();
        self.contexts.clear();
    }

    fn context(&self) -> ContextId {
        self.contexts.last().copied().unwrap_or(ContextId::OUTERMOST)
    }

    pub fn leave_call(&mut self) {
        self.contexts.pop();
    }
}

/// What has become of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectFate {
    /// Only where leaks are looked for, of heap objects, or held locks, of all that can end.
    pub born: TermId,
    pub dead: TermId,
}

impl Allocator<'_> {
    /// What is made from now on is made in a function that is called here.
    pub fn enter_call(&mut self, call: Location) {
        let context = self.births.context();
        let context = self.survey.origins.context(context, call);
        self.births.contexts.push(context);
    }

    /// What has become of the object, asked where `condition` holds.
    pub fn fate(
        &mut self,
        state: &mut SymState,
        object: ObjectId,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<ObjectFate, UnfoldFailure> {
        if !self.survey.objects.get(object).life.can_end() {
            return Ok(ObjectFate { born: self.graph.terms.boolean(true), dead: self.graph.terms.boolean(false) });
        }
        let value = self.read_cell(state, life_cell(object), condition, step)?;
        let value = value.as_int().expect("what becomes of an object should be a number");
        let mut bit = |bit| {
            let bit = self.terms().extract(value, bit, bit);
            self.terms().bv_to_bool(bit)
        };
        Ok(ObjectFate { born: bit(BORN_BIT), dead: bit(DEAD_BIT) })
    }

    /// Whether the object is dead in the snapshot of a deadlock, where `condition` holds.
    pub fn is_dead_in_snapshot(&mut self, state: &SymState, object: ObjectId, condition: TermId) -> TermId {
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
        state: &mut SymState,
        object: ObjectId,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        self.survey.note_end(object);
        let dead = death(self.terms());
        self.write_cell(state, life_cell(object), condition, &dead, step)?;
        if self.graph.is_true(condition) {
            self.forget_contents(state, object);
        }
        Ok(())
    }

    /// Nobody can look into a dead object.
    fn forget_contents(&mut self, state: &mut SymState, object: ObjectId) {
        let cells: Vec<CellKey> = self.survey.cells_of(object).filter(|cell| state.memory.contains_key(cell)).collect();
        if !cells.is_empty() {
            let memory = Rc::make_mut(&mut state.memory);
            cells.iter().for_each(|cell| drop(memory.remove(cell)));
        }
    }

    fn note_heap_birth(
        &mut self,
        state: &mut SymState,
        object: ObjectId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let truth = self.graph.terms.boolean(true);
        self.note_allocation(state);
        state.note_activity(self.graph.terms(), truth);
        self.write_birth(state, object, step)
    }

    /// An object that can hold a lock begins to live: what lies in it before says nothing about who holds the lock.
    pub fn note_birth_of_locks(
        &mut self,
        state: &mut SymState,
        object: ObjectId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let can_end = self.survey.objects.get(object).life.can_end();
        if can_end && self.looks_for(Property::NoExitWhileLocked) && self.holds_locks(object) {
            let activity = state.activity.clone();
            self.write_birth(state, object, step)?;
            state.activity = activity;
        }
        Ok(())
    }

    fn write_birth(
        &mut self,
        state: &mut SymState,
        object: ObjectId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let truth = self.graph.terms.boolean(true);
        let born = SymValue::Int(self.terms().constant(LIFE_BITS, BORN));
        self.write_cell(state, life_cell(object), truth, &born, step)
    }

    /// A new object that the instruction at `site` makes, alive and with its first contents.
    pub fn make_object(
        &mut self,
        state: &mut SymState,
        size: u64,
        life: Life,
        contents: Contents,
        step: &mut OpenStep,
    ) -> Result<ObjectId, UnfoldFailure> {
        let object = self.new_object(step, size, None, life);
        self.bring_to_life(state, object, contents, step)?;
        Ok(object)
    }

    /// As [`make_object`](Self::make_object), for an object that has been numbered already.
    pub fn bring_to_life(
        &mut self,
        state: &mut SymState,
        object: ObjectId,
        contents: Contents,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let life = self.survey.objects.get(object).life;
        if self.survey.lives_again(object) {
            let (truth, alive) = (self.graph.terms.boolean(true), no_life_yet(self.terms()));
            self.write_cell(state, life_cell(object), truth, &alive, step)?;
        }
        self.give_birth(state, object, contents, step)?;
        self.note_birth_of_locks(state, object, step)?;
        state.note_birth(object, life == Life::Scope);
        match life {
            Life::Scope | Life::Activation => Rc::make_mut(&mut state.living).push(object),
            Life::Heap if self.looks_for_lost_memory() => self.note_heap_birth(state, object, step)?,
            Life::Heap | Life::Library | Life::Process | Life::Thread => {}
        }
        Ok(())
    }

    pub fn new_object(&mut self, step: &OpenStep, size: u64, shape: Option<program::ShapeId>, life: Life) -> ObjectId {
        let (instance, location) = (step.instance, step.site.location);
        let context = self.births.context();
        let count = self.births.made.entry((location, context)).or_insert(0);
        let origin = ObjectOrigin { instance, location, context, number: *count };
        *count += 1;
        let ordinal = self.survey.origins.ordinal(origin);
        let key = ObjectKey::Allocated { instance: instance.0, location, ordinal };
        let (read_only, constant_parts) = self.begins_constant(location);
        let object = Object { key, size: Some(size), shape, read_only, constant_parts, life };
        let object = self.survey.objects.intern(object);
        let (abstraction, paths) = self.abstraction_and_paths();
        abstraction.note_made(&mut paths.survey, object);
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
        state: &mut SymState,
        activation: &Activation,
        local: LocalId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        if self.visibility.is_visible(step.site.location) && self.begins_again(state, local) {
            self.leave_race_gap(
                state.standing(),
                "a shared local variable whose lifetime starts again",
                step.site.span,
            );
        }
        self.end_local(state, local, step)?;
        let body = &self.program.functions[activation.function].locals[local];
        self.find_room(state, body.size)?;
        let object = self.new_object(step, body.size, Some(body.shape), Life::Scope);
        self.bring_to_life(state, object, Contents::Indeterminate, step)?;
        let start = self.pointer_constant(0);
        let address = SymValue::address(self.terms(), object, start);
        Rc::make_mut(&mut state.locals)[local.0 as usize] = Some(address);
        self.graph.attach_open_node(step);
        Ok(())
    }

    /// Whether a local that other threads may know is about to end because it begins again.
    fn begins_again(&self, state: &SymState, local: LocalId) -> bool {
        let Some(SymValue::Pointer { targets, .. }) = &state.locals[local.0 as usize] else { return false };
        targets.iter().any(|target| state.living.contains(target) && self.has_visitors(*target, state.instance))
    }

    /// The life of a local ends, if it lives. Its address remains, and dangles.
    pub fn end_local(
        &mut self,
        state: &mut SymState,
        local: LocalId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let Some(SymValue::Pointer { object, targets, .. }) = state.locals[local.0 as usize].clone() else {
            return Ok(());
        };
        let living: Vec<ObjectId> = targets.iter().copied().filter(|target| state.living.contains(target)).collect();
        for target in living {
            let number = self.terms().constant(OBJECT_BITS, u64::from(target.0));
            let this = self.terms().eq(object, number);
            self.touch_at_end(state, target, this, step);
            self.end_life(state, target, this, step)?;
            if self.graph.is_true(this) {
                Rc::make_mut(&mut state.living).retain(|&living| living != target);
            }
            state.note_death(target);
        }
        self.graph.attach_open_node(step);
        Ok(())
    }

    /// Ends what still lives of the objects that the thread's activations have made, all but the first `kept`.
    pub fn end_living(&mut self, state: &mut SymState, kept: usize, step: &mut OpenStep) -> Result<(), UnfoldFailure> {
        let ending: Vec<ObjectId> = state.living.iter().copied().skip(kept).collect();
        if ending.is_empty() {
            return Ok(());
        }
        let truth = self.graph.terms.boolean(true);
        for object in ending {
            if self.has_visitors(object, state.instance) {
                let what = "a shared local object whose lifetime ends with its function";
                self.leave_race_gap(state.standing(), what, step.site.span);
            }
            self.end_life(state, object, truth, step)?;
            state.note_death(object);
        }
        Rc::make_mut(&mut state.living).truncate(kept);
        self.graph.attach_open_node(step);
        Ok(())
    }

    /// The thread-local globals of the current thread end with it.
    pub fn end_thread_locals(&mut self, state: &mut SymState, step: &mut OpenStep) -> Result<(), UnfoldFailure> {
        let truth = self.graph.terms.boolean(true);
        let program = self.program;
        for (global, _) in program.globals.iter_enumerated().filter(|(_, body)| body.thread_local) {
            let object = self.object(ObjectKey::ThreadLocal { global, instance: step.instance.0 });
            self.end_life(state, object, truth, step)?;
        }
        self.graph.attach_open_node(step);
        Ok(())
    }

    /// The objects of this kind that freeing the address may end, each with its condition. Violates `valid-free` unless the address is
    /// null or the beginning of a living object that was allocated; the state is restricted to valid frees.
    pub fn freeable(
        &mut self,
        state: &mut SymState,
        address: &SymValue,
        kind: AllocationKind,
        step: &mut OpenStep,
    ) -> Result<Vec<(ObjectId, TermId)>, UnfoldFailure> {
        let Some(SymValue::Pointer { object, offset, targets }) = address.to_pointer(self.terms()) else {
            return Err(UnfoldFailure::NotSupported("free with a Boolean operand".to_owned()));
        };
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
            if self.survey.objects.get(target).life != life_of(kind) || self.graph.is_false(this) {
                continue;
            }
            let fate = self.fate(state, target, this, step)?;
            let alive = self.terms().not(fate.dead);
            let this = self.terms().and(this, alive);
            valid.push(this);
            freed.push((target, this));
        }
        let valid = self.terms().or_all(&valid);
        self.demand(state, valid, Property::ValidFree, step);
        Ok(freed)
    }
}
