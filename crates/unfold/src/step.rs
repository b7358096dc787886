//! What each instruction does to a state. Synchronisation objects are in `sync_step`, memory in `memory`.

use events::{Access, GuardedChoice, InstanceId};
use program::effects::{Effects, effects};
use program::{
    AllocationKind, At, Callee, FunctionId, InstructionKind, LibraryFunction, Operand, Property, RegisterId, RmwOp,
    Rvalue, ShapeId, Type, shape_of_elements,
};
use smallvec::SmallVec;
use symbolic::{Life, OBJECT_BITS, ObjectKey, SymValue, evaluate};
use terms::TermId;

use crate::abstraction::AbstractionKind;
use crate::allocator::Contents;
use crate::memory::{CellExtent, CellRef};
use crate::monitor::races::synchronises_inside;
use crate::open_step::OpenStep;
use crate::state::{AtomicSection, SymState};
use crate::unfolder::{Activation, Site, UnfoldFailure, Unfolder};

/// The state after the instruction; `None` if no path goes on.
pub(crate) type Next = Result<Option<SymState>, UnfoldFailure>;

/// The states after any instruction: several only after a call.
type States = SmallVec<[SymState; 1]>;

impl Unfolder<'_> {
    pub fn step(
        &mut self,
        state: SymState,
        activation: &Activation,
        site: Site,
        kind: &InstructionKind,
    ) -> Result<States, UnfoldFailure> {
        match kind {
            InstructionKind::Call { target, callee, arguments } => {
                let step = &mut OpenStep::between(&state, site);
                self.call_instruction(state, activation, *target, callee, arguments, step)
            }
            _ => {
                let instance = state.instance;
                let steps = self.graph.steps_of(instance);
                let events = self.graph.events.next_id();
                let accesses = self.race_accesses();
                let effects = effects(self.program, kind);
                let stepped = self.whole_step(state, activation, site, kind, &effects);
                let completed = stepped.as_ref().ok().and_then(Option::as_ref);
                self.note_completion(instance, steps, completed);
                self.note_survival(accesses, completed);
                let mut next = stepped?;
                if let (Some(next), Some(access)) = (next.as_ref(), effects.atomic_access()) {
                    self.note_atomic_access(next, kind, access, events, site.span);
                }
                if let Some(section) = next.as_mut().and_then(|next| next.atomic.as_mut()) {
                    section.synchronised |= synchronises_inside(&effects);
                }
                Ok(next.into_iter().collect())
            }
        }
    }

    /// Every instruction but a call; nobody else does anything between the accesses of one that is a step.
    fn whole_step(
        &mut self,
        mut state: SymState,
        activation: &Activation,
        site: Site,
        kind: &InstructionKind,
        effects: &Effects,
    ) -> Next {
        if !is_one_step(kind) {
            return self.simple_step(state, activation, site, kind, effects);
        }
        self.begin_one_step(&mut state, false);
        let mut next = self.simple_step(state, activation, site, kind, effects);
        self.end_one_step(next.as_mut().ok().and_then(Option::as_mut));
        next
    }

    /// Every instruction but a call.
    fn simple_step(
        &mut self,
        mut state: SymState,
        activation: &Activation,
        site: Site,
        kind: &InstructionKind,
        effects: &Effects,
    ) -> Next {
        let mut step = OpenStep::of(&state, site, effects);
        if let InstructionKind::Sync { target, op, operands } = kind {
            return self.synchronise(state, activation, *target, *op, operands, step);
        }
        let step = &mut step;
        self.note_weak_order(&state, effects, step);
        if !decides_own_step(kind) {
            self.record_step(&state, step);
        }
        match kind {
            InstructionKind::Assign { target, value } => self.assign(state, activation, *target, value, step),
            InstructionKind::Load { target, address, ty, .. } => {
                let address = self.operand(&state, activation, *address)?;
                let value = self.load(&mut state, &address, *ty, step)?;
                Ok(self.finish_access(state, step, value.map(|value| (*target, value))))
            }
            InstructionKind::Store { address, value, ty, .. } => {
                let address = self.operand(&state, activation, *address)?;
                let value = self.operand(&state, activation, *value)?;
                self.store(&mut state, &address, &value, *ty, step)?;
                self.graph.attach_open_node(step);
                Ok(Some(state))
            }
            InstructionKind::ReadModifyWrite { target, op, address, value, ty, .. } => {
                let address = self.operand(&state, activation, *address)?;
                let value = self.operand(&state, activation, *value)?;
                let extent = CellExtent::of(ty.bytes(self.program.data_model));
                let places = self.resolve(&mut state, &address, extent, Access::Write, step)?;
                self.cut_reads_of_sync(&mut state, &places, extent.size, step);
                let Some(old) = self.load_from(&mut state, &places, *ty, step)? else { return Ok(None) };
                let new = self.combine(*op, &old, &value)?;
                for place in places {
                    self.write_place(&mut state, &place, extent.size, &new, step)?;
                }
                Ok(self.finish_access(state, step, target.map(|target| (target, old))))
            }
            InstructionKind::CompareExchange { .. } => self.compare_exchange(state, activation, kind, step),
            InstructionKind::Fence { order } => {
                self.fence(&state, *order, step);
                Ok(Some(state))
            }
            InstructionKind::Yield => Ok(Some(state)),
            InstructionKind::Nondet { target, ty, .. } => Ok(Some(self.nondet(state, *target, *ty))),
            InstructionKind::Assume { condition } => {
                let condition = self.condition(&state, activation, *condition)?;
                self.assume(&mut state, condition);
                Ok(Some(state))
            }
            InstructionKind::Assert { condition, property, .. } => {
                if self.looks_for(*property) {
                    let condition = self.condition(&state, activation, *condition)?;
                    self.demand_harmless(&mut state, condition, *property, step);
                }
                Ok(Some(state))
            }
            InstructionKind::Allocate { target, size, zeroed, kind, shape, .. } => {
                self.allocate(state, activation, (*target, *size), (*zeroed, *kind), *shape, step)
            }
            InstructionKind::Free { address, kind } => {
                let address = self.operand(&state, activation, *address)?;
                let address = self.found(&mut state, &address, step)?;
                self.touch_what_is_freed(&mut state, &address, step);
                let freed = self.freeable(&mut state, &address, *kind, step)?;
                for (object, condition) in freed {
                    self.end_life(&mut state, object, condition, step)?;
                }
                self.graph.attach_open_node(step);
                Ok(Some(state))
            }
            InstructionKind::Begin { local } => {
                self.begin_local(&mut state, activation, *local, step)?;
                Ok(Some(state))
            }
            InstructionKind::End { local } => {
                self.end_local(&mut state, *local, step)?;
                Ok(Some(state))
            }
            InstructionKind::SetMemory { target, byte, size } => {
                self.set_memory(state, activation, *target, *byte, *size, step)
            }
            InstructionKind::CopyMemory { target, source, size, overlap } => {
                self.copy_memory(state, activation, *target, *source, *size, *overlap, step)
            }
            InstructionKind::Call { .. } => unreachable!("a call should not be a simple step"),
            InstructionKind::Spawn { target, store, function, argument, detached } => {
                let argument = self.operand(&state, activation, *argument)?;
                let detached = self.condition(&state, activation, *detached)?;
                let store = store.map(|address| self.operand(&state, activation, address)).transpose()?;
                let handle = self.spawn_one_of(&mut state, activation, store, function, argument, detached, step)?;
                state.set_register(*target, handle);
                Ok(Some(state))
            }
            InstructionKind::Join { target, error, thread } => {
                let Some(thread) = self.operand(&state, activation, *thread)?.as_int() else {
                    return Err(UnfoldFailure::NotSupported("a thread handle that is an address".to_owned()));
                };
                let joined = self.join(&mut state, thread, target.is_some(), step)?;
                if let Some(target) = *target {
                    state.set_register(target, joined.result);
                }
                if let Some(error) = *error {
                    state.set_register(error, joined.error);
                }
                Ok(Some(state))
            }
            InstructionKind::Detach { error, thread } => {
                let Some(thread) = self.operand(&state, activation, *thread)?.as_int() else {
                    return Err(UnfoldFailure::NotSupported("a thread handle that is an address".to_owned()));
                };
                let code = self.detach(&mut state, thread, step)?;
                if let Some(error) = *error {
                    state.set_register(error, code);
                }
                Ok(Some(state))
            }
            InstructionKind::CurrentThread { target } => {
                let is_one_of_many = self.survey.stands_for_many(step.instance);
                let handle = self.handle_of(step.instance, is_one_of_many);
                state.set_register(*target, handle);
                Ok(Some(state))
            }
            InstructionKind::LeaveProcess => {
                self.check_leaving(&mut state, step)?;
                Ok(Some(state))
            }
            InstructionKind::AtomicBegin => Ok(Some(self.atomic_begin(state, step))),
            InstructionKind::AtomicEnd => {
                self.atomic_end(&mut state)?;
                Ok(Some(state))
            }
            InstructionKind::Sync { .. } => unreachable!("synchronisation should own its step"),
            InstructionKind::Library { function: LibraryFunction::Snprintf, .. } => {
                Err(UnfoldFailure::NotSupported("sprintf or snprintf".to_owned()))
            }
            InstructionKind::Library { target, function, arguments } => {
                self.check_printed(&mut state, activation, *function, arguments, step)?;
                if self.visibility.is_visible(step.site.location) && !state.single {
                    self.leave_race_gap(state.standing(), "output that reads shared memory", step.site.span);
                }
                // The result is not known; reading it is what is not supported.
                if let Some(target) = target {
                    std::rc::Rc::make_mut(&mut state.registers)[target.0 as usize] = None;
                }
                Ok(Some(state))
            }
            InstructionKind::Reallocate { target, address, size } => {
                self.reallocate(state, activation, *target, *address, *size, step)
            }
            InstructionKind::Unsupported { what } => Err(UnfoldFailure::NotSupported(what.clone())),
        }
    }

    /// Notes under which guard the step that an instruction has recorded, if any, comes to its end. There were `steps`
    /// steps before it; an attempt may have come before the step itself.
    fn note_completion(&mut self, instance: InstanceId, steps: usize, next: Option<&SymState>) {
        let completes = next.map_or_else(|| self.graph.never(), |next| next.guard);
        if self.graph.steps_of(instance) > steps
            && let Some(step) = self.graph.last_step_mut(instance)
        {
            step.completes = completes;
        }
    }

    fn finish_access(
        &mut self,
        mut state: SymState,
        step: &OpenStep,
        result: Option<(RegisterId, SymValue)>,
    ) -> Option<SymState> {
        self.graph.attach_open_node(step);
        if let Some((target, value)) = result {
            state.set_register(target, value);
        }
        Some(state)
    }

    fn assign(
        &mut self,
        mut state: SymState,
        activation: &Activation,
        target: RegisterId,
        value: &Rvalue,
        step: &mut OpenStep,
    ) -> Next {
        if let Some(value) = self.blurred(&state, activation, value)? {
            state.set_register(target, value);
            return Ok(Some(state));
        }
        if let Some(value) = self.equality_of_numbers(&mut state, activation, value, step)? {
            state.set_register(target, value);
            return Ok(Some(state));
        }
        self.cut_stray_comparison(&mut state, activation, value, step)?;
        if let Some(value) = self.address_arithmetic(&mut state, activation, value, step)? {
            state.set_register(target, value);
            return Ok(Some(state));
        }
        let mut obligations = Vec::new();
        let evaluated = evaluate::rvalue(&mut self.evaluator(&state, activation), value, &mut obligations);
        let by_number = match evaluated {
            Err(_) => self.computed_with_numbers(&mut state, activation, value)?,
            Ok(_) => None,
        };
        let value = match (evaluated, by_number) {
            (Err(_), Some((value, of_numbers))) => {
                obligations = of_numbers;
                value
            }
            (Err(_), None) if self.take_as_numbers(&mut state, activation, value, step) => {
                obligations.clear();
                evaluate::rvalue(&mut self.evaluator(&state, activation), value, &mut obligations)?
            }
            (evaluated, _) => evaluated?,
        };
        for obligation in obligations {
            if obligation.harmless {
                self.demand_harmless(&mut state, obligation.holds, obligation.property, step);
            } else {
                self.demand(&mut state, obligation.holds, obligation.property, step);
            }
        }
        state.set_register(target, value);
        Ok(Some(state))
    }

    fn combine(&mut self, op: RmwOp, old: &SymValue, value: &SymValue) -> Result<SymValue, UnfoldFailure> {
        if op == RmwOp::Exchange {
            return Ok(value.clone());
        }
        let (Some(old), Some(value)) = (old.as_int(), value.as_int()) else {
            return Err(UnfoldFailure::NotSupported("atomic arithmetic on an address".to_owned()));
        };
        let terms = self.terms();
        Ok(SymValue::Int(match op {
            RmwOp::Exchange => value,
            RmwOp::Add => terms.add(old, value),
            RmwOp::Sub => terms.sub(old, value),
            RmwOp::And => terms.bit_and(old, value),
            RmwOp::Or => terms.bit_or(old, value),
            RmwOp::Xor => terms.bit_xor(old, value),
            RmwOp::Nand => {
                let both = terms.bit_and(old, value);
                terms.bit_not(both)
            }
        }))
    }

    fn compare_exchange(
        &mut self,
        mut state: SymState,
        activation: &Activation,
        kind: &InstructionKind,
        step: &mut OpenStep,
    ) -> Next {
        let InstructionKind::CompareExchange { old, success, address, expected, desired, ty, weak, .. } = kind else {
            unreachable!("only a compare-exchange should get here");
        };
        let address = self.operand(&state, activation, *address)?;
        let expected = self.operand(&state, activation, *expected)?;
        let desired = self.operand(&state, activation, *desired)?;
        let extent = CellExtent::of(ty.bytes(self.program.data_model));
        let places = self.resolve(&mut state, &address, extent, Access::Write, step)?;
        self.cut_reads_of_sync(&mut state, &places, extent.size, step);
        let Some(found) = self.load_from(&mut state, &places, *ty, step)? else { return Ok(None) };
        self.cut_stray_numbers(&mut state, &found, &expected, step);
        self.cut_doubtful_equality(&mut state, &found, &expected, step)?;
        let mut succeeds = evaluate::equal(self.terms(), &found, &expected)?;
        if self.may_be_twins(&found, &expected) {
            let same = self.terms().bool_variable("any");
            succeeds = self.terms().and(succeeds, same);
        }
        if *weak {
            let fails = self.terms().bool_variable("weak_failure");
            self.record_choice(&state, succeeds, fails);
            let holds = self.terms().not(fails);
            succeeds = self.terms().and(succeeds, holds);
        }
        for place in places {
            let condition = self.terms().and(place.condition, succeeds);
            self.write_place(&mut state, &CellRef { condition, ..place }, extent.size, &desired, step)?;
        }
        state.set_register(*success, SymValue::Bool(succeeds));
        Ok(self.finish_access(state, step, Some((*old, found))))
    }

    /// A truth value chosen by the environment, asked for only when `made`.
    fn record_choice(&mut self, state: &SymState, made: TermId, value: TermId) {
        let value = self.terms().bool_to_bv(value, 64);
        let choice = GuardedChoice { guard: state.guard, made, value, names_instance: false };
        self.graph.add_choice(state.instance, choice);
    }

    fn nondet(&mut self, mut state: SymState, target: RegisterId, ty: Type) -> SymState {
        let bits = u32::from(ty.bits(self.program.data_model));
        let term = self.terms().bv_variable("input", bits);
        let made = self.graph.terms.boolean(true);
        let choice = GuardedChoice { guard: state.guard, made, value: term, names_instance: false };
        self.graph.add_choice(state.instance, choice);
        let value = match ty {
            Type::Int(1) => SymValue::Bool(self.terms().bv_to_bool(term)),
            Type::Pointer => SymValue::raw(self.terms(), term),
            Type::Int(_) | Type::Float | Type::Double => SymValue::Int(term),
        };
        state.set_register(target, value);
        state
    }

    fn allocate(
        &mut self,
        mut state: SymState,
        activation: &Activation,
        (target, size): (RegisterId, Operand),
        (zeroed, kind): (bool, AllocationKind),
        elements: Option<ShapeId>,
        step: &mut OpenStep,
    ) -> Next {
        let Some(size) = self.operand(&state, activation, size)?.as_int() else {
            return Err(UnfoldFailure::NotSupported("an allocation whose size is a pointer value".to_owned()));
        };
        let life = life_of(kind);
        let object = match self.graph.terms.as_constant(size) {
            Some(size) => {
                self.find_room(&state, size)?;
                let shape = elements.and_then(|array| shape_of_elements(&self.program.shapes, array, size));
                let object = self.new_object(step, size, shape, life);
                self.survey.note_known_size(object);
                object
            }
            None => self.object_of_unknown_size(&mut state, size, life, step)?,
        };
        if kind == AllocationKind::Stack && self.has_visitors(object, step.instance) {
            self.leave_race_gap(state.standing(), "shared memory from alloca", step.site.span);
        }
        let contents = if zeroed { Contents::Zero } else { Contents::Indeterminate };
        self.bring_to_life(&mut state, object, contents, step)?;
        let offset = self.pointer_constant(0);
        let address = SymValue::address(self.terms(), object, offset);
        state.set_register(target, address);
        Ok(Some(state))
    }

    /// A new object that begins with the contents of the old one.
    fn reallocate(
        &mut self,
        mut state: SymState,
        activation: &Activation,
        target: RegisterId,
        address: Operand,
        size: Operand,
        step: &mut OpenStep,
    ) -> Next {
        let Some(size) = self.operand(&state, activation, size)?.as_int() else {
            return Err(UnfoldFailure::NotSupported("an allocation whose size is a pointer value".to_owned()));
        };
        let old = self.operand(&state, activation, address)?;
        let old = self.found(&mut state, &old, step)?;
        if self.graph.terms.as_constant(size).is_none() && self.options.coverage == AbstractionKind::Bounded {
            return self.reallocate_any_size(state, target, &old, size, step);
        }
        let Some(size) = self.graph.terms.as_constant(size).filter(|&size| size > 0) else {
            return Err(UnfoldFailure::NotSupported("realloc to a size that is not a positive constant".to_owned()));
        };
        self.touch_what_is_freed(&mut state, &old, step);
        let sources = self.freeable(&mut state, &old, AllocationKind::Heap, step)?;
        self.find_room(&state, size)?;
        let new = self.make_object(&mut state, size, Life::Heap, Contents::Indeterminate, step)?;
        for (source, condition) in sources {
            if self.survey.has_unknown_size(source) {
                if self.options.coverage != AbstractionKind::Bounded {
                    let what = "realloc of an object whose size is not constant";
                    return Err(UnfoldFailure::NotSupported(what.to_owned()));
                }
                self.copy_common_beginning(&mut state, (source, new), condition, step)?;
                self.end_life(&mut state, source, condition, step)?;
                continue;
            }
            for object in [source, new] {
                if self.survey.array_unit(object).is_some() {
                    return Err(self.refuse_array(object, "realloc of a large array"));
                }
            }
            if self.survey.is_blended(source) || self.survey.is_blended(new) {
                return Err(UnfoldFailure::NotSupported(
                    "realloc of an object accessed at symbolic offsets".to_owned(),
                ));
            }
            let common = self.survey.objects.get(source).size.unwrap_or(0).min(size);
            self.copy_beginning(&mut state, (source, new), common, condition, step)?;
            self.end_life(&mut state, source, condition, step)?;
        }
        self.graph.attach_open_node(step);
        let start = self.pointer_constant(0);
        let pointer = SymValue::address(self.terms(), new, start);
        state.set_register(target, pointer);
        Ok(Some(state))
    }

    fn reallocate_any_size(
        &mut self,
        mut state: SymState,
        target: RegisterId,
        old: &SymValue,
        size: TermId,
        step: &mut OpenStep,
    ) -> Next {
        let width = self.graph.terms.width(size);
        let zero = self.terms().constant(width, 0);
        let is_empty = self.terms().eq(size, zero);
        if !self.graph.is_false(is_empty) {
            self.cut_where(&mut state, is_empty, "realloc to a size that may be zero", step);
        }
        self.touch_what_is_freed(&mut state, old, step);
        let sources = self.freeable(&mut state, old, AllocationKind::Heap, step)?;
        let new = self.object_of_unknown_size(&mut state, size, Life::Heap, step)?;
        self.bring_to_life(&mut state, new, Contents::Indeterminate, step)?;
        for (source, condition) in sources {
            self.copy_common_beginning(&mut state, (source, new), condition, step)?;
            self.end_life(&mut state, source, condition, step)?;
        }
        self.graph.attach_open_node(step);
        let start = self.pointer_constant(0);
        let pointer = SymValue::address(self.terms(), new, start);
        state.set_register(target, pointer);
        Ok(Some(state))
    }

    fn call_instruction(
        &mut self,
        mut state: SymState,
        activation: &Activation,
        target: Option<RegisterId>,
        callee: &Callee,
        arguments: &[Operand],
        step: &mut OpenStep,
    ) -> Result<States, UnfoldFailure> {
        let arguments: Result<Vec<SymValue>, UnfoldFailure> =
            arguments.iter().map(|&argument| self.operand(&state, activation, argument)).collect();
        let arguments = arguments?;
        let callees = self.callees(&mut state, activation, callee, step)?;
        let mut returned = Vec::new();
        for (condition, function) in callees {
            let mut entered = state.clone();
            self.restrict(&mut entered, condition);
            if self.is_dead(&entered) {
                continue;
            }
            self.enter_call(step.site.location);
            let called = self.call(entered, function, &arguments, step.site.span);
            self.births.leave_call();
            for (mut after, value) in called? {
                if let (Some(target), Some(value)) = (target, value) {
                    after.set_register(target, value);
                }
                returned.push(after);
            }
        }
        Ok(self.merge_all(returned, step.site.location).into())
    }

    /// The callees that the instruction may run; executions that come to others are cut.
    fn fitting(
        &mut self,
        state: &mut SymState,
        mut callees: Vec<(TermId, FunctionId)>,
        step: &mut OpenStep,
    ) -> Vec<(TermId, FunctionId)> {
        let At::Instruction(instruction) = self.program.at(step.site.location) else { return callees };
        callees.retain(|&(condition, function)| {
            let mismatch = self.program.mismatch(step.site.location.function, &instruction.kind, function);
            if let Some(what) = &mismatch {
                self.cut_where(state, condition, what, step);
            }
            mismatch.is_none()
        });
        callees
    }

    /// The functions that a callee may name, each with its condition. A pointer to no function is invalid.
    fn callees(
        &mut self,
        state: &mut SymState,
        activation: &Activation,
        callee: &Callee,
        step: &mut OpenStep,
    ) -> Result<Vec<(TermId, FunctionId)>, UnfoldFailure> {
        let truth = self.graph.terms.boolean(true);
        let pointer = match callee {
            Callee::Direct(function) => return Ok(vec![(truth, *function)]),
            Callee::Indirect(pointer) => self.operand(state, activation, *pointer)?,
        };
        let pointer = self.found(state, &pointer, step)?;
        let Some(SymValue::Pointer { object, offset, targets }) = pointer.to_pointer(self.terms()) else {
            return Err(UnfoldFailure::NotSupported("call with a Boolean operand".to_owned()));
        };
        let start = self.pointer_constant(0);
        let at_start = self.terms().eq(offset, start);
        let mut callees = Vec::new();
        for &target in targets.iter() {
            if let ObjectKey::Function(function) = self.survey.objects.get(target).key {
                let number = self.terms().constant(OBJECT_BITS, u64::from(target.0));
                let this = self.terms().eq(object, number);
                callees.push((self.terms().and(this, at_start), function));
            }
        }
        let conditions: Vec<TermId> = callees.iter().map(|(condition, _)| *condition).collect();
        let valid = self.terms().or_all(&conditions);
        self.demand(state, valid, Property::ValidDeref, step);
        Ok(self.fitting(state, callees, step))
    }

    /// Creates the thread that the callee names; each function it may name is an instance of its own. The handle, known
    /// before because instances are numbered one after the other, is stored in the same step, before the thread exists.
    fn spawn_one_of(
        &mut self,
        state: &mut SymState,
        activation: &Activation,
        store: Option<SymValue>,
        callee: &Callee,
        argument: SymValue,
        detached: TermId,
        step: &mut OpenStep,
    ) -> Result<SymValue, UnfoldFailure> {
        let callees = self.callees(state, activation, callee, step)?;
        let mut handle = SymValue::Int(self.pointer_constant(0));
        let first = self.graph.instances.next_id();
        let is_one_of_many = self.abstraction().is_made_repeatedly(&self.survey, step.instance);
        for (number, &(condition, _)) in (first.0..).zip(&callees) {
            let own = self.handle_of(InstanceId(number), is_one_of_many);
            handle = self.select(condition, &own, &handle)?;
        }
        if let Some(address) = store {
            let word = Type::Int(self.program.data_model.pointer_bits());
            self.store(state, &address, &handle, word, step)?;
        }
        for (condition, function) in callees {
            self.spawn(state, condition, function, argument.clone(), detached, step)?;
        }
        Ok(handle)
    }

    fn atomic_begin(&mut self, mut state: SymState, step: &mut OpenStep) -> SymState {
        if let Some(section) = &mut state.atomic {
            section.depth += 1;
            return state;
        }
        self.divide_steps(&mut state);
        let mut abandoned = None;
        if self.survey.is_refusable(step.site.location) {
            let enters = self.terms().bool_variable("enters");
            self.note_stuck(&state, enters);
            self.restrict(&mut state, enters);
            abandoned = self.may_be_abandoned();
        }
        self.record_step(&state, step);
        let node = self.graph.new_node(&state, step);
        self.graph.attach_to_step(step, node);
        if let Some(step) = self.graph.own_step(step) {
            step.abandoned = abandoned;
        }
        self.note_section(&state, node);
        let begin = step.site.location;
        state.atomic = Some(AtomicSection { node, begin, step: step.index, depth: 1, abandoned, synchronised: false });
        state
    }

    fn atomic_end(&mut self, state: &mut SymState) -> Result<(), UnfoldFailure> {
        match &mut state.atomic {
            Some(section) if section.depth > 1 => section.depth -= 1,
            Some(_) => {
                self.keep_section(state);
                self.divide_steps(state);
                state.atomic = None;
                if !state.single {
                    state.forget_shared(&self.survey);
                }
            }
            None => {
                return Err(UnfoldFailure::NotSupported("the end of an atomic section that was not begun".to_owned()));
            }
        }
        Ok(())
    }
}

/// Whether all that an instruction accesses is accessed at once.
fn is_one_step(kind: &InstructionKind) -> bool {
    matches!(
        kind,
        InstructionKind::Load { .. }
            | InstructionKind::Store { .. }
            | InstructionKind::ReadModifyWrite { .. }
            | InstructionKind::CompareExchange { .. }
            | InstructionKind::Sync { .. }
    )
}

/// Blocking instructions and atomic sections know themselves under which guard they take their step.
fn decides_own_step(kind: &InstructionKind) -> bool {
    matches!(
        kind,
        InstructionKind::Join { .. }
            | InstructionKind::Sync { .. }
            | InstructionKind::AtomicBegin
            | InstructionKind::AtomicEnd
    )
}

/// How long an object lives that was allocated so.
pub(crate) fn life_of(kind: AllocationKind) -> Life {
    match kind {
        AllocationKind::Heap => Life::Heap,
        AllocationKind::Stack => Life::Activation,
        AllocationKind::Library => Life::Library,
    }
}
