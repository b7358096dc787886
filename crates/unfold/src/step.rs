//! What each instruction does to a state. Synchronisation objects are in `sync_step`, memory in `memory`.

use events::{Access, Choice, Guards, InstanceId, NodeHb, NodeId, Step};
use program::effects::{Effects, effects};
use program::{
    AllocationKind, At, Callee, FunctionId, InstructionKind, LibraryFunction, Operand, Property, RegisterId, RmwOp,
    Rvalue, ShapeId, Type, shape_of_elements,
};
use smallvec::SmallVec;
use symbolic::{Life, OBJECT_BITS, ObjectKey, SymValue, evaluate};
use terms::TermId;

use crate::memory::{Contents, Extent, Place};
use crate::race::synchronises_inside;
use crate::state::{AtomicSection, State};
use crate::unfolder::{Activation, Failure, Site, Unfolder};

/// The state after the instruction; `None` if no path goes on.
pub(crate) type Next = Result<Option<State>, Failure>;

/// The states after any instruction: several only after a call.
type States = SmallVec<[State; 1]>;

impl Unfolder<'_> {
    pub fn step(
        &mut self,
        state: State,
        activation: &Activation,
        site: &Site,
        kind: &InstructionKind,
    ) -> Result<States, Failure> {
        match kind {
            InstructionKind::Call { target, callee, arguments } => {
                self.call_instruction(state, activation, *target, callee, arguments, site)
            }
            _ => {
                let steps = self.graph.instances[self.instance].steps.len();
                let events = self.graph.events.next_id();
                let accesses = self.race_accesses.len();
                let effects = effects(self.program, kind);
                let stepped = self.simple_step(state, activation, site, kind, &effects);
                let completed = stepped.as_ref().ok().and_then(Option::as_ref);
                self.note_completion(steps, completed);
                self.note_survival(accesses, completed);
                let mut next = stepped?;
                if let (Some(next), Some(access)) = (next.as_ref(), effects.atomic_access()) {
                    self.note_atomic_access(next, kind, access, events, site);
                }
                if let Some(section) = next.as_mut().and_then(|next| next.atomic.as_mut()) {
                    section.synchronised |= synchronises_inside(&effects);
                }
                Ok(next.into_iter().collect())
            }
        }
    }

    /// Every instruction but a call.
    fn simple_step(
        &mut self,
        mut state: State,
        activation: &Activation,
        site: &Site,
        kind: &InstructionKind,
        effects: &Effects,
    ) -> Next {
        self.open_node = None;
        self.own_step = state.atomic.and_then(|section| section.step);
        (self.node_hb, self.atomic_access) = (NodeHb::of(effects), effects.atomic_access().is_some());
        self.note_weak_order(&state, effects, site);
        if !decides_own_step(kind) {
            self.record_step(&state, site);
        }
        match kind {
            InstructionKind::Assign { target, value } => self.assign(state, activation, *target, value, site),
            InstructionKind::Load { target, address, ty, .. } => {
                let address = self.operand(&state, activation, *address)?;
                let value = self.load(&mut state, &address, *ty, site)?;
                Ok(self.finish_access(state, value.map(|value| (*target, value))))
            }
            InstructionKind::Store { address, value, ty, .. } => {
                let address = self.operand(&state, activation, *address)?;
                let value = self.operand(&state, activation, *value)?;
                self.store(&mut state, &address, &value, *ty, site)?;
                self.attach_open_node();
                Ok(Some(state))
            }
            InstructionKind::ReadModifyWrite { target, op, address, value, ty, .. } => {
                let address = self.operand(&state, activation, *address)?;
                let value = self.operand(&state, activation, *value)?;
                let extent = Extent::of(ty.bytes(self.program.data_model));
                let places = self.resolve(&mut state, &address, extent, Access::Write, site)?;
                self.cut_reads_of_sync(&mut state, &places, extent.size, site);
                let Some(old) = self.load_from(&mut state, &places, *ty, site)? else { return Ok(None) };
                let new = self.combine(*op, &old, &value)?;
                for place in places {
                    self.write_place(&mut state, &place, extent.size, &new, site)?;
                }
                Ok(self.finish_access(state, target.map(|target| (target, old))))
            }
            InstructionKind::CompareExchange { .. } => self.compare_exchange(state, activation, kind, site),
            InstructionKind::Fence { order } => {
                self.fence(&state, *order, site);
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
                if self.options.properties.contains(*property) {
                    let condition = self.condition(&state, activation, *condition)?;
                    self.demand_harmless(&mut state, condition, *property, site);
                }
                Ok(Some(state))
            }
            InstructionKind::Allocate { target, size, zeroed, kind, shape, .. } => {
                self.allocate(state, activation, (*target, *size), (*zeroed, *kind), *shape, site)
            }
            InstructionKind::Free { address, kind } => {
                let address = self.operand(&state, activation, *address)?;
                self.touch_what_is_freed(&mut state, &address, site);
                let freed = self.freeable(&mut state, &address, *kind, site)?;
                for (object, condition) in freed {
                    self.end_life(&mut state, object, condition, site)?;
                }
                self.attach_open_node();
                Ok(Some(state))
            }
            InstructionKind::Begin { local } => {
                self.begin_local(&mut state, activation, *local, site)?;
                Ok(Some(state))
            }
            InstructionKind::End { local } => {
                self.end_local(&mut state, *local, site)?;
                Ok(Some(state))
            }
            InstructionKind::SetMemory { target, byte, size } => {
                self.set_memory(state, activation, *target, *byte, *size, site)
            }
            InstructionKind::CopyMemory { target, source, size, overlap } => {
                self.copy_memory(state, activation, *target, *source, *size, *overlap, site)
            }
            InstructionKind::Call { .. } => unreachable!("a call should not be a simple step"),
            InstructionKind::Spawn { target, store, function, argument, detached } => {
                let argument = self.operand(&state, activation, *argument)?;
                let detached = self.condition(&state, activation, *detached)?;
                let store = store.map(|address| self.operand(&state, activation, address)).transpose()?;
                let handle = self.spawn_one_of(&mut state, activation, store, function, argument, detached, site)?;
                state.set_register(*target, handle);
                Ok(Some(state))
            }
            InstructionKind::Join { target, error, thread } => {
                let Some(thread) = self.operand(&state, activation, *thread)?.as_int() else {
                    return Err(Failure::NotSupported("a thread handle that is an address".to_owned()));
                };
                let joined = self.join(&mut state, thread, target.is_some(), site)?;
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
                    return Err(Failure::NotSupported("a thread handle that is an address".to_owned()));
                };
                let code = self.detach(&mut state, thread, site)?;
                if let Some(error) = *error {
                    state.set_register(error, code);
                }
                Ok(Some(state))
            }
            InstructionKind::CurrentThread { target } => {
                let handle = self.handle_of(self.instance, self.stands_for_many(self.instance));
                state.set_register(*target, handle);
                Ok(Some(state))
            }
            InstructionKind::AtomicBegin => Ok(Some(self.atomic_begin(state, site))),
            InstructionKind::AtomicEnd => {
                self.atomic_end(&mut state)?;
                Ok(Some(state))
            }
            InstructionKind::Sync { target, op, operands } => {
                self.synchronise(state, activation, *target, *op, operands, site)
            }
            InstructionKind::Library { function: LibraryFunction::Snprintf, .. } => {
                Err(Failure::NotSupported("sprintf or snprintf".to_owned()))
            }
            InstructionKind::Library { target, function, arguments } => {
                self.check_printed(&mut state, activation, *function, arguments, site)?;
                if self.visibility.is_visible(site.location) && !state.single {
                    self.leave_race_gap(state.standing(), "output that reads shared memory", site.span);
                }
                // The result is not known; reading it is what is not supported.
                if let Some(target) = target {
                    std::rc::Rc::make_mut(&mut state.registers)[target.0 as usize] = None;
                }
                Ok(Some(state))
            }
            InstructionKind::Reallocate { target, address, size } => {
                self.reallocate(state, activation, *target, *address, *size, site)
            }
            InstructionKind::Unsupported { what } => Err(Failure::NotSupported(what.clone())),
        }
    }

    /// Notes that a visible instruction runs, unless it is inside an atomic section, which is one step as a whole.
    pub fn record_step(&mut self, state: &State, site: &Site) {
        self.own_step = state.atomic.and_then(|section| section.step);
        if state.atomic.is_none() && self.visibility.is_visible(site.location) {
            let (guard, completes, location) = (state.guard, state.guard, site.location);
            let step = Step { guard, completes, location, node: None, spawns: Vec::new(), abandoned: None };
            let steps = &mut self.graph.instances[self.instance].steps;
            self.own_step = Some(steps.len());
            steps.push(step);
        }
    }

    /// The step that the current instruction belongs to. Not simply the last one: other paths have their steps, too.
    pub fn own_step(&mut self) -> Option<&mut Step> {
        self.graph.instances[self.instance].steps.get_mut(self.own_step?)
    }

    /// Notes under which guard the step that an instruction has recorded, if any, comes to its end. There were `steps`
    /// steps before it; an attempt may have come before the step itself.
    fn note_completion(&mut self, steps: usize, next: Option<&State>) {
        let never = self.graph.terms.boolean(false);
        let completes = next.map_or_else(|| self.and_guard(Guards::ROOT, never), |next| next.guard);
        if let Some(step) = self.graph.instances[self.instance].steps[steps..].last_mut() {
            step.completes = completes;
        }
    }

    pub fn attach_to_step(&mut self, node: NodeId) {
        if let Some(step) = self.own_step() {
            step.node = Some(node);
        }
    }

    /// Ties the node that the instruction has made, if any, to the instruction's step.
    pub fn attach_open_node(&mut self) {
        if let Some(node) = self.open_node {
            self.attach_to_step(node);
        }
    }

    fn finish_access(&mut self, mut state: State, result: Option<(RegisterId, SymValue)>) -> Option<State> {
        self.attach_open_node();
        if let Some((target, value)) = result {
            state.set_register(target, value);
        }
        Some(state)
    }

    fn assign(
        &mut self,
        mut state: State,
        activation: &Activation,
        target: RegisterId,
        value: &Rvalue,
        site: &Site,
    ) -> Next {
        if let Some(value) = self.blurred(&state, activation, value)? {
            state.set_register(target, value);
            return Ok(Some(state));
        }
        self.cut_stray_comparison(&mut state, activation, value, site)?;
        let mut obligations = Vec::new();
        let evaluated = evaluate::rvalue(&mut self.evaluator(&state, activation), value, &mut obligations);
        let value = match evaluated {
            Err(_) if self.take_as_numbers(&mut state, activation, value, site) => {
                obligations.clear();
                evaluate::rvalue(&mut self.evaluator(&state, activation), value, &mut obligations)?
            }
            evaluated => evaluated?,
        };
        for obligation in obligations {
            if obligation.harmless {
                self.demand_harmless(&mut state, obligation.holds, obligation.property, site);
            } else {
                self.demand(&mut state, obligation.holds, obligation.property, site);
            }
        }
        state.set_register(target, value);
        Ok(Some(state))
    }

    fn combine(&mut self, op: RmwOp, old: &SymValue, value: &SymValue) -> Result<SymValue, Failure> {
        if op == RmwOp::Exchange {
            return Ok(value.clone());
        }
        let (Some(old), Some(value)) = (old.as_int(), value.as_int()) else {
            return Err(Failure::NotSupported("atomic arithmetic on an address".to_owned()));
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
        mut state: State,
        activation: &Activation,
        kind: &InstructionKind,
        site: &Site,
    ) -> Next {
        let InstructionKind::CompareExchange { old, success, address, expected, desired, ty, weak, .. } = kind else {
            unreachable!("only a compare-exchange should get here");
        };
        let address = self.operand(&state, activation, *address)?;
        let expected = self.operand(&state, activation, *expected)?;
        let desired = self.operand(&state, activation, *desired)?;
        let extent = Extent::of(ty.bytes(self.program.data_model));
        let places = self.resolve(&mut state, &address, extent, Access::Write, site)?;
        self.cut_reads_of_sync(&mut state, &places, extent.size, site);
        let Some(found) = self.load_from(&mut state, &places, *ty, site)? else { return Ok(None) };
        self.cut_stray_numbers(&mut state, &found, &expected, site);
        self.cut_doubtful_equality(&mut state, &found, &expected, site)?;
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
            self.write_place(&mut state, &Place { condition, ..place }, extent.size, &desired, site)?;
        }
        state.set_register(*success, SymValue::Bool(succeeds));
        Ok(self.finish_access(state, Some((*old, found))))
    }

    /// A truth value chosen by the environment, asked for only when `made`.
    fn record_choice(&mut self, state: &State, made: TermId, value: TermId) {
        let value = self.terms().bool_to_bv(value, 64);
        let choice = Choice { guard: state.guard, made, value, names_instance: false };
        self.graph.instances[self.instance].choices.push(choice);
    }

    fn nondet(&mut self, mut state: State, target: RegisterId, ty: Type) -> State {
        let bits = u32::from(ty.bits(self.program.data_model));
        let term = self.terms().bv_variable("input", bits);
        let made = self.graph.terms.boolean(true);
        let choice = Choice { guard: state.guard, made, value: term, names_instance: false };
        self.graph.instances[self.instance].choices.push(choice);
        let value = match ty {
            Type::Int(1) => SymValue::Bool(self.terms().bv_to_bool(term)),
            Type::Pointer => SymValue::raw(self.terms(), term),
            Type::Int(_) | Type::Float | Type::Double => SymValue::Int(term),
        };
        state.set_register(target, value);
        state
    }

    /// Stops the thread unless `condition` holds; an atomic section is then not entered.
    pub fn assume(&mut self, state: &mut State, condition: TermId) {
        if state.atomic.is_some() && self.graph.terms.as_boolean(condition) != Some(true) {
            self.require(state, condition);
        }
        self.note_stopped(state, condition);
        self.restrict(state, condition);
    }

    fn allocate(
        &mut self,
        mut state: State,
        activation: &Activation,
        (target, size): (RegisterId, Operand),
        (zeroed, kind): (bool, AllocationKind),
        elements: Option<ShapeId>,
        site: &Site,
    ) -> Next {
        let Some(size) = self.operand(&state, activation, size)?.as_int() else {
            return Err(Failure::NotSupported("an allocation of as many bytes as an address says".to_owned()));
        };
        let life = life_of(kind);
        let object = match self.graph.terms.as_constant(size) {
            Some(size) => {
                self.find_room(&state, size)?;
                let shape = elements.and_then(|array| shape_of_elements(&self.program.shapes, array, size));
                let object = self.new_object(site.location, size, shape, life);
                self.survey.note_known_size(object);
                object
            }
            None => self.object_of_unknown_size(&mut state, size, life, site)?,
        };
        if kind == AllocationKind::Stack && self.has_visitors(object) {
            self.leave_race_gap(state.standing(), "shared memory from alloca", site.span);
        }
        let contents = if zeroed { Contents::Zero } else { Contents::Indeterminate };
        self.bring_to_life(&mut state, object, contents, site)?;
        let offset = self.pointer_constant(0);
        let address = SymValue::address(self.terms(), object, offset);
        state.set_register(target, address);
        Ok(Some(state))
    }

    /// A new object that begins with the contents of the old one.
    fn reallocate(
        &mut self,
        mut state: State,
        activation: &Activation,
        target: RegisterId,
        address: Operand,
        size: Operand,
        site: &Site,
    ) -> Next {
        let size = self.operand(&state, activation, size)?.as_int();
        let Some(size) = size.and_then(|size| self.graph.terms.as_constant(size)).filter(|&size| size > 0) else {
            return Err(Failure::NotSupported("realloc to a size that is not a positive constant".to_owned()));
        };
        let old = self.operand(&state, activation, address)?;
        self.touch_what_is_freed(&mut state, &old, site);
        let sources = self.freeable(&mut state, &old, AllocationKind::Heap, site)?;
        self.find_room(&state, size)?;
        let new = self.make_object(&mut state, size, Life::Heap, Contents::Indeterminate, site)?;
        for (source, condition) in sources {
            if self.survey.has_unknown_size(source) {
                return Err(Failure::NotSupported("realloc of an object whose size is not constant".to_owned()));
            }
            if self.is_blended(source) || self.is_blended(new) {
                return Err(Failure::NotSupported("realloc of an object with unknown places".to_owned()));
            }
            let common = self.survey.objects.get(source).size.unwrap_or(0).min(size);
            self.copy_beginning(&mut state, (source, new), common, condition, site)?;
            self.end_life(&mut state, source, condition, site)?;
        }
        self.attach_open_node();
        let start = self.pointer_constant(0);
        let pointer = SymValue::address(self.terms(), new, start);
        state.set_register(target, pointer);
        Ok(Some(state))
    }

    fn call_instruction(
        &mut self,
        mut state: State,
        activation: &Activation,
        target: Option<RegisterId>,
        callee: &Callee,
        arguments: &[Operand],
        site: &Site,
    ) -> Result<States, Failure> {
        let arguments: Result<Vec<SymValue>, Failure> =
            arguments.iter().map(|&argument| self.operand(&state, activation, argument)).collect();
        let arguments = arguments?;
        let callees = self.callees(&mut state, activation, callee, site)?;
        let mut returned = Vec::new();
        for (condition, function) in callees {
            let mut entered = state.clone();
            self.restrict(&mut entered, condition);
            if self.is_dead(&entered) {
                continue;
            }
            for (mut after, value) in self.call(entered, function, &arguments, site.span)? {
                if let (Some(target), Some(value)) = (target, value) {
                    after.set_register(target, value);
                }
                returned.push(after);
            }
        }
        Ok(self.merge_all(returned, site.location).into())
    }

    /// The callees that the instruction may run; executions that come to others are cut.
    fn fitting(
        &mut self,
        state: &mut State,
        mut callees: Vec<(TermId, FunctionId)>,
        site: &Site,
    ) -> Vec<(TermId, FunctionId)> {
        let At::Instruction(instruction) = self.program.at(site.location) else { return callees };
        callees.retain(|&(condition, function)| {
            let mismatch = self.program.mismatch(site.location.function, &instruction.kind, function);
            if let Some(what) = &mismatch {
                self.cut_where(state, condition, what, site);
            }
            mismatch.is_none()
        });
        callees
    }

    /// The functions that a callee may name, each with its condition. A pointer to no function is invalid.
    fn callees(
        &mut self,
        state: &mut State,
        activation: &Activation,
        callee: &Callee,
        site: &Site,
    ) -> Result<Vec<(TermId, FunctionId)>, Failure> {
        let truth = self.graph.terms.boolean(true);
        let pointer = match callee {
            Callee::Direct(function) => return Ok(vec![(truth, *function)]),
            Callee::Indirect(pointer) => self.operand(state, activation, *pointer)?,
        };
        let Some(SymValue::Pointer { object, offset, targets }) = pointer.to_pointer(self.terms()) else {
            return Err(Failure::NotSupported("a call through a truth value".to_owned()));
        };
        self.cut_found_address(state, &pointer, site);
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
        self.demand(state, valid, Property::ValidDeref, site);
        Ok(self.fitting(state, callees, site))
    }

    /// Creates the thread that the callee names; each function it may name is an instance of its own. The handle, known
    /// before because instances are numbered one after the other, is stored in the same step, before the thread exists.
    fn spawn_one_of(
        &mut self,
        state: &mut State,
        activation: &Activation,
        store: Option<SymValue>,
        callee: &Callee,
        argument: SymValue,
        detached: TermId,
        site: &Site,
    ) -> Result<SymValue, Failure> {
        let callees = self.callees(state, activation, callee, site)?;
        let mut handle = SymValue::Int(self.pointer_constant(0));
        let first = self.graph.instances.next_id();
        for (number, &(condition, _)) in (first.0..).zip(&callees) {
            let own = self.handle_of(InstanceId(number), self.is_made_repeatedly());
            handle = self.select(condition, &own, &handle)?;
        }
        if let Some(address) = store {
            let word = Type::Int(self.program.data_model.pointer_bits());
            self.store(state, &address, &handle, word, site)?;
        }
        for (condition, function) in callees {
            self.spawn(state, condition, function, argument.clone(), detached, site)?;
        }
        Ok(handle)
    }

    fn atomic_begin(&mut self, mut state: State, site: &Site) -> State {
        if let Some(section) = &mut state.atomic {
            section.depth += 1;
            return state;
        }
        let mut abandoned = None;
        if self.survey.is_refusable(site.location) {
            let enters = self.terms().bool_variable("enters");
            self.note_stuck(&state, enters);
            self.restrict(&mut state, enters);
            abandoned = self.may_be_abandoned();
        }
        self.record_step(&state, site);
        let node = self.new_node(&state, site.span);
        self.attach_to_step(node);
        if let Some(step) = self.own_step() {
            step.abandoned = abandoned;
        }
        self.note_section(&state, node);
        let (begin, step) = (site.location, self.own_step);
        state.atomic = Some(AtomicSection { node, begin, step, depth: 1, abandoned, synchronised: false });
        state
    }

    fn atomic_end(&mut self, state: &mut State) -> Result<(), Failure> {
        match &mut state.atomic {
            Some(section) if section.depth > 1 => section.depth -= 1,
            Some(_) => {
                self.keep_section(state);
                state.atomic = None;
                if !state.single {
                    state.forget_shared(&self.survey);
                }
            }
            None => return Err(Failure::NotSupported("the end of an atomic section that was not begun".to_owned())),
        }
        Ok(())
    }
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
