//! What each instruction does to a state, and which accesses it makes.

use std::rc::Rc;

use program::printed;
use program::{
    AllocationKind, BinaryOp, Callee, InstructionKind, LibraryFunction, MemoryOrder, Operand, RegisterId, RmwOp, Type,
};

use crate::access::AbstractAccessKind;
use crate::analysis::{AbstractInterpreter, ContextLocation, Flow};
use crate::identity::{Object, ObjectId};
use crate::name::{Name, NameKind};
use crate::range::Range;
use crate::renewal::NewBytes;
use crate::state::{AbsState, retain};
use crate::value::AbsValue;

/// More bytes than any object has.
pub(crate) const ALL_BYTES: u64 = 1 << 62;

impl AbstractInterpreter<'_> {
    pub(crate) fn instruction(&mut self, state: &mut AbsState, at: ContextLocation, kind: &InstructionKind) -> Flow {
        let context = at.context;
        match kind {
            InstructionKind::Assign { target, value } => {
                let value = self.evaluate(state, context, value);
                self.assign(state, context, *target, value);
            }
            InstructionKind::Load { target, address, ty, order } => {
                let address = self.operand(state, context, *address);
                let access = if order.is_atomic() { AbstractAccessKind::AtomicRead } else { AbstractAccessKind::Read };
                self.touch(state, at, &address, self.bytes(*ty), access);
                let Some(value) = self.load(state, at, &address, *ty) else { return Flow::Stop };
                self.hand_on(kind, &value);
                self.assign(state, context, *target, value);
            }
            InstructionKind::Store { address, value, ty, order } => {
                let (address, value) = (self.operand(state, context, *address), self.operand(state, context, *value));
                self.touch(state, at, &address, self.bytes(*ty), written(*order));
                self.hand_on(kind, &value);
                self.store(state, at, &address, *ty, value, true);
            }
            InstructionKind::ReadModifyWrite { target, op, address, value, ty, order } => {
                let (address, value) = (self.operand(state, context, *address), self.operand(state, context, *value));
                self.touch(state, at, &address, self.bytes(*ty), written(*order));
                let Some(old) = self.load(state, at, &address, *ty) else { return Flow::Stop };
                let new = self.updated(*op, *ty, &old, &value);
                self.hand_on(kind, &old);
                self.hand_on(kind, &new);
                self.store(state, at, &address, *ty, new.named(None), false);
                if let Some(target) = target {
                    self.assign(state, context, *target, old);
                }
            }
            InstructionKind::CompareExchange { old, success, address, desired, ty, order, .. } => {
                let address = self.operand(state, context, *address);
                let desired = self.operand(state, context, *desired);
                self.touch(state, at, &address, self.bytes(*ty), written(*order));
                let Some(found) = self.load(state, at, &address, *ty) else { return Flow::Stop };
                self.hand_on(kind, &found);
                self.hand_on(kind, &desired);
                self.store(state, at, &address, *ty, desired, false);
                self.assign(state, context, *old, found);
                let told = AbsValue::number(Range::TRUTH).named(Some(self.result_name(state, at, 1)));
                self.assign(state, context, *success, told);
            }
            InstructionKind::Nondet { target, .. } => self.assign_unknown(state, at, Some(*target)),
            InstructionKind::Assume { condition } => {
                let condition = self.operand(state, context, *condition);
                let possible = condition.as_truth() != Some(false)
                    && condition.name().is_none_or(|name| self.assume(state, name, true));
                if !possible {
                    return Flow::Stop;
                }
            }
            InstructionKind::Allocate { target, zeroed, kind, .. } => self.allocate(state, at, *target, *zeroed, *kind),
            InstructionKind::Free { address, .. } => {
                let address = self.operand(state, context, *address);
                self.kill(state, at, &address);
            }
            InstructionKind::Reallocate { target, address, .. } => {
                let old = self.operand(state, context, *address);
                self.allocate(state, at, *target, false, AllocationKind::Heap);
                let new = self.operand(state, context, Operand::Register(*target));
                self.copy_contents(state, at, &new, &old, ALL_BYTES);
                self.kill(state, at, &old);
            }
            InstructionKind::Begin { local } => {
                let address = self.operand(state, context, Operand::Local { local: *local, offset: 0 });
                self.kill(state, at, &address);
                self.make_fresh(state, &address);
            }
            InstructionKind::End { local } => {
                let address = self.operand(state, context, Operand::Local { local: *local, offset: 0 });
                self.kill(state, at, &address);
            }
            InstructionKind::CopyMemory { target, source, size, .. } => {
                let (target, source) = (self.operand(state, context, *target), self.operand(state, context, *source));
                let size = self.size(state, at, *size);
                self.touch(state, at, &source, size, AbstractAccessKind::Read);
                self.touch(state, at, &target, size, AbstractAccessKind::Write);
                self.copy_contents(state, at, &target, &source, size);
            }
            InstructionKind::SetMemory { target, byte, size } => {
                let (target, byte) = (self.operand(state, context, *target), self.operand(state, context, *byte));
                let size = self.size(state, at, *size);
                self.touch(state, at, &target, size, AbstractAccessKind::Write);
                self.fill(
                    state,
                    at,
                    &target,
                    size,
                    byte.plain_number().is_some_and(|byte| byte.unsigned(8) == Range::ZERO),
                );
            }
            InstructionKind::Call { target, callee, arguments } => {
                let arguments: Vec<AbsValue> =
                    arguments.iter().map(|&argument| self.operand(state, context, argument)).collect();
                for function in self.callees(state, at, *callee) {
                    self.call(state, at, function, &arguments, *target);
                }
                return Flow::Stop;
            }
            InstructionKind::Spawn { target, store, function, argument, detached } => {
                return self.spawn(state, at, *target, *store, *function, *argument, *detached);
            }
            InstructionKind::Join { target, error, thread } => return self.join(state, at, *target, *error, *thread),
            InstructionKind::Detach { error, thread } => {
                let handle = self.operand(state, context, *thread);
                self.world.may_detach(&handle);
                self.assign_unknown(state, at, *error);
            }
            InstructionKind::CurrentThread { target } => {
                let own = AbsValue::thread(self.identities.context(context).thread);
                self.assign(state, context, *target, own);
            }
            InstructionKind::AtomicBegin => state.begin_section(),
            InstructionKind::AtomicEnd => state.end_section(),
            InstructionKind::Sync { target, op, operands } => {
                let operands: Vec<AbsValue> =
                    operands.iter().map(|&operand| self.operand(state, context, operand)).collect();
                let result = self.synchronise(state, at, *op, &operands);
                if let Some(target) = target {
                    self.assign(state, context, *target, result);
                }
            }
            InstructionKind::Library { target, function, arguments } => {
                if self.library(state, at, *function, arguments) == Flow::Stop {
                    return Flow::Stop;
                }
                self.assign_unknown(state, at, *target);
            }
            InstructionKind::Unsupported { .. } => {
                self.reach_unsupported(at.location);
                return Flow::Stop;
            }
            InstructionKind::Assert { .. }
            | InstructionKind::Fence { .. }
            | InstructionKind::LeaveProcess
            | InstructionKind::Yield => {}
        }
        Flow::On
    }

    fn bytes(&self, ty: Type) -> u64 {
        ty.bytes(self.program.data_model)
    }

    fn size(&mut self, state: &mut AbsState, at: ContextLocation, size: Operand) -> u64 {
        let size = self.operand(state, at.context, size);
        let size = self.number_of(&size).unsigned(self.program.data_model.pointer_bits());
        size.as_constant().and_then(|size| u64::try_from(size).ok()).unwrap_or(ALL_BYTES).min(ALL_BYTES)
    }

    fn assign_unknown(&mut self, state: &mut AbsState, at: ContextLocation, target: Option<RegisterId>) {
        if let Some(target) = target {
            let name = self.result_name(state, at, 0);
            self.assign(state, at.context, target, AbsValue::anything().named(Some(name)));
        }
    }

    /// What is read there; `None` if there is nothing that could be read.
    fn load(&mut self, state: &mut AbsState, at: ContextLocation, address: &AbsValue, ty: Type) -> Option<AbsValue> {
        let (size, thread) = (self.bytes(ty), self.identities.context(at.context).thread);
        self.read_bytes(address, size);
        let name = self.result_name(state, at, 0);
        let mut seen = Vec::new();
        let mut is_kept = false;
        for (&object, &offset) in address.objects() {
            let own = offset.as_offset().map(|offset| (object, offset, size));
            let known = own.and_then(|cell| state.cells.get(&cell));
            if self.world.is_synchronised(object, self.program.sync_layouts(), offset, size) {
                seen.push(AbsValue::anything());
            }
            if let Some(known) = known.filter(|_| self.world.is_owned(&self.identities, thread, object)) {
                is_kept = address.objects().len() == 1 && !address.is_wild() && seen.is_empty();
                seen.push(AbsValue::clone(known));
                continue;
            }
            let (value, parts) = self.world.load(self.program, &self.identities, object, offset, size);
            parts.iter().for_each(|part| drop(self.forget(part)));
            seen.push(value);
        }
        if address.is_wild() && self.world.is_anything_exposed() {
            seen.push(AbsValue::anything());
        }
        let mut value = AbsValue::one_of(seen)?;
        if size != self.program.data_model.pointer_bytes() && !value.carries_nothing() {
            value = self.forget(&value);
        }
        if !is_kept || value.name().is_none() {
            value.set_name(Some(name));
        }
        Some(value)
    }

    /// What a read-modify-write leaves.
    fn updated(&mut self, op: RmwOp, ty: Type, old: &AbsValue, value: &AbsValue) -> AbsValue {
        let binary = match op {
            RmwOp::Exchange => return value.clone(),
            RmwOp::Add => BinaryOp::Add,
            RmwOp::Sub => BinaryOp::Sub,
            RmwOp::And => BinaryOp::And,
            RmwOp::Or => BinaryOp::Or,
            RmwOp::Xor => BinaryOp::Xor,
            RmwOp::Nand => return self.forget(old).join(&self.forget(value)).join(&old.anywhere()),
        };
        self.binary(binary, ty, old, value)
    }

    /// `strong`: the old value is certainly gone.
    fn store(
        &mut self,
        state: &mut AbsState,
        at: ContextLocation,
        address: &AbsValue,
        ty: Type,
        value: AbsValue,
        strong: bool,
    ) {
        let (size, thread) = (self.bytes(ty), self.identities.context(at.context).thread);
        let is_whole = size == self.program.data_model.pointer_bytes() || value.carries_nothing();
        let value = if is_whole { value } else { self.forget(&value) };
        let is_zero = value.plain_number() == Some(Range::ZERO);
        self.overwrite(state, at, address, size, if is_zero { NewBytes::Zeros } else { NewBytes::Others });
        for (&object, &offset) in address.objects() {
            self.world.wrote(thread, object);
            self.world.store(object, offset, size, &value);
            state.drop_cells(object, offset, size);
        }
        if let (true, 1, Some((&object, offset))) =
            (strong && !address.is_wild(), address.objects().len(), address.objects().first_key_value())
            && let Some(offset) = offset.as_offset()
            && self.identities.is_unique_object(object)
        {
            state.cells.insert((object, offset, size), Rc::new(value.clone()));
        }
        if address.objects().keys().any(|object| self.world.escaped.contains(object)) {
            self.publish(state, &value);
        }
    }

    fn fill(&mut self, state: &mut AbsState, at: ContextLocation, address: &AbsValue, size: u64, zeros: bool) {
        self.overwrite(state, at, address, size, if zeros { NewBytes::Zeros } else { NewBytes::Others });
        let thread = self.identities.context(at.context).thread;
        for (&object, &offset) in address.objects() {
            self.world.wrote(thread, object);
            match zeros {
                true => self.world.store_zeros(object, offset, size),
                false => self.world.store(object, offset, size, &AbsValue::anything()),
            }
            state.drop_cells(object, offset, size);
        }
    }

    fn copy_contents(
        &mut self,
        state: &mut AbsState,
        at: ContextLocation,
        target: &AbsValue,
        source: &AbsValue,
        size: u64,
    ) {
        // The bytes of a lock are what operations made of them.
        let layouts = self.program.sync_layouts();
        let is_zero = |(&object, &offset): (&_, &Range)| {
            self.world.is_zero(object, offset, size) && self.world.locks_in(object, layouts, offset, size).is_empty()
        };
        let are_zeros = !source.is_wild() && source.objects().iter().all(is_zero);
        self.read_bytes(source, size);
        self.overwrite(state, at, target, size, if are_zeros { NewBytes::Zeros } else { NewBytes::Others });
        let thread = self.identities.context(at.context).thread;
        let mut all = Vec::new();
        for (&from, &start) in source.objects() {
            for (relative, length, value) in self.world.copied(self.program, &self.identities, from, start, size) {
                for (&to, &offset) in target.objects() {
                    self.world.store(to, offset.add(relative), length, &value);
                }
                all.push(value);
            }
        }
        for (&to, &offset) in target.objects() {
            self.world.wrote(thread, to);
            self.world.store(to, offset, size, &AbsValue::anything());
            state.drop_cells(to, offset, size);
        }
        if target.objects().keys().any(|object| self.world.escaped.contains(object)) {
            all.into_iter().for_each(|value| self.publish(state, &value.named(None)));
        }
    }

    fn allocate(
        &mut self,
        state: &mut AbsState,
        at: ContextLocation,
        target: RegisterId,
        zeroed: bool,
        kind: AllocationKind,
    ) {
        let object = self.identities.make_object(Object::Allocation(at.context, at.location));
        if zeroed {
            self.world.set_zeroed(object);
        }
        if kind == AllocationKind::Stack {
            let frame = self.identities.frame(at.context);
            self.stack_objects.entry(frame).or_default().insert(object);
        }
        let name = self.result_name(state, at, 0);
        let address = AbsValue::address(object, Range::ZERO).named(Some(name));
        self.make_fresh(state, &address);
        self.assign(state, at.context, target, address);
    }

    /// A new instance of the object at this address exists, and only this thread knows it.
    fn make_fresh(&mut self, state: &mut AbsState, address: &AbsValue) {
        let (Some(name), Some((&object, _))) = (address.name(), address.objects().first_key_value()) else { return };
        state.forget(&self.names, name.base);
        state.drop_object(object);
        state.fresh.insert(name.base);
        self.makers.insert(name.base, object);
    }

    pub(crate) fn is_fresh(&self, state: &AbsState, address: &AbsValue) -> bool {
        address.name().is_some_and(|name| state.fresh.contains(&self.names.origin(name)))
    }

    /// Other threads may get to know the value from now on.
    fn publish(&self, state: &mut AbsState, value: &AbsValue) {
        let origin = value.name().map(|name| self.names.origin(name)).filter(|origin| self.makers.contains_key(origin));
        retain(&mut state.fresh, |root| match origin {
            Some(origin) => *root != origin,
            None => !self.makers.get(root).is_some_and(|object| value.objects().contains_key(object)),
        });
    }

    fn kill(&mut self, state: &mut AbsState, at: ContextLocation, address: &AbsValue) {
        self.touch(state, at, &address.at_the_beginning(), ALL_BYTES, AbstractAccessKind::Death);
        self.end_facts(state, address);
    }

    /// The objects of a frame that is left end.
    pub(crate) fn end_frame(&mut self, state: &mut AbsState, at: ContextLocation, frame: crate::identity::ContextId) {
        let function = self.identities.context(frame).function;
        for local in self.program.functions[function].locals.ids() {
            if let Some(object) = self.identities.find_object(Object::Local(frame, local)) {
                let base = self.names.find(&NameKind::Local(frame, local));
                let name = base.map(|base| Name { base, plus: 0 });
                self.end_object(state, at, object, name);
            }
        }
        for object in self.stack_objects.get(&frame).cloned().unwrap_or_default() {
            self.end_object(state, at, object, None);
        }
    }

    /// All activations of the thread end.
    pub(crate) fn end_all_frames(&mut self, state: &mut AbsState, at: ContextLocation) {
        let thread = self.identities.context(at.context).thread;
        for object in self.identities.objects() {
            let is_on_stack = match self.identities.object(object) {
                Object::Local(..) => true,
                Object::Allocation(..) => self.stack_objects.values().any(|objects| objects.contains(&object)),
                Object::Global(_) | Object::ThreadLocal(..) => false,
            };
            if is_on_stack && self.identities.maker(object) == Some(thread) {
                self.end_object(state, at, object, None);
            }
        }
    }

    pub(crate) fn end_thread_locals(&mut self, state: &mut AbsState, at: ContextLocation) {
        let thread = self.identities.context(at.context).thread;
        for (id, _) in self.program.globals.iter_enumerated().filter(|(_, global)| global.thread_local) {
            if let Some(object) = self.identities.find_object(Object::ThreadLocal(id, thread)) {
                self.end_object(state, at, object, None);
            }
        }
    }

    fn end_object(&mut self, state: &mut AbsState, at: ContextLocation, object: ObjectId, name: Option<Name>) {
        let address = AbsValue::address(object, Range::ZERO).named(name);
        self.touch(state, at, &address, ALL_BYTES, AbstractAccessKind::Death);
        self.end_facts(state, &address);
    }

    fn callees(&mut self, state: &mut AbsState, at: ContextLocation, callee: Callee) -> Vec<program::FunctionId> {
        match callee {
            Callee::Direct(function) => vec![function],
            Callee::Indirect(pointer) => {
                let pointer = self.operand(state, at.context, pointer);
                if pointer.is_wild() {
                    self.world.access_wildly();
                }
                let functions: Vec<program::FunctionId> = pointer.functions().iter().copied().collect();
                self.fitting(at, functions)
            }
        }
    }

    /// The functions that the instruction may run; others are not supported.
    fn fitting(&mut self, at: ContextLocation, mut functions: Vec<program::FunctionId>) -> Vec<program::FunctionId> {
        let program::At::Instruction(instruction) = self.program.at(at.location) else { return functions };
        let caller = at.location.function;
        let count = functions.len();
        functions.retain(|&function| self.program.mismatch(caller, &instruction.kind, function).is_none());
        if functions.len() < count {
            self.reach_unsupported(at.location);
        }
        functions
    }

    fn spawn(
        &mut self,
        state: &mut AbsState,
        at: ContextLocation,
        target: RegisterId,
        store: Option<Operand>,
        function: Callee,
        argument: Operand,
        detached: Operand,
    ) -> Flow {
        let argument = self.operand(state, at.context, argument);
        let detached = self.operand(state, at.context, detached);
        let functions = self.callees(state, at, function);
        let children: Vec<_> = functions.into_iter().map(|function| self.created_thread(at, function)).collect();
        let Some(handle) = AbsValue::one_of(children.iter().copied().map(AbsValue::thread)) else { return Flow::Stop };
        if let Some(store) = store {
            let address = self.operand(state, at.context, store);
            self.touch(state, at, &address, self.program.data_model.pointer_bytes(), AbstractAccessKind::Write);
            self.store(state, at, &address, Type::Pointer, handle.clone(), true);
        }
        self.world.pass(&argument);
        self.publish(state, &argument);
        for &child in &children {
            if detached.as_truth() != Some(false) {
                self.world.detach(child);
            }
            let function = self.identities.thread(child).function;
            let mut start = AbsState { joined: state.joined.clone(), ..AbsState::default() };
            if let Some(&parameter) = self.program.functions[function].parameters.first() {
                self.note_value(function, parameter, &argument);
                start.registers.insert(parameter, Rc::new(argument.clone().named(None)));
            }
            self.start(child, start);
            state.created.insert(child);
        }
        self.assign(state, at.context, target, handle);
        Flow::On
    }

    fn join(
        &mut self,
        state: &mut AbsState,
        at: ContextLocation,
        target: Option<RegisterId>,
        error: Option<RegisterId>,
        handle: Operand,
    ) -> Flow {
        let joiner = self.identities.context(at.context).thread;
        let handle = self.operand(state, at.context, handle);
        self.world.may_join(joiner, &handle);
        self.note_join(state, at, &handle);
        let joined = handle.as_thread().filter(|&thread| {
            self.identities.is_unique_thread(thread) && self.world.join_waits(&self.identities, joiner, thread)
        });
        if let Some(thread) = joined {
            let Some(ending) = self.world.endings.get(&thread) else { return Flow::Stop };
            state.joined.extend(&*ending.joined);
            state.joined.insert(thread);
        }
        if let Some(target) = target {
            let results = self.results(&handle, joined.is_some());
            let name = self.result_name(state, at, 0);
            self.assign(state, at.context, target, results.named(Some(name)));
        }
        if let Some(error) = error {
            let name = self.result_name(state, at, 1);
            self.assign(state, at.context, error, AbsValue::anything().named(Some(name)));
        }
        Flow::On
    }

    /// What the threads that the handle may name leave as their result; a join that fails leaves what was there.
    fn results(&self, handle: &AbsValue, certain: bool) -> AbsValue {
        let named = |thread| handle.may_be_any_handle() || handle.threads().contains(thread);
        let endings = self.world.endings.iter().filter(|(thread, _)| named(thread)).map(|(_, end)| end.result.clone());
        let nothing = (!certain).then(AbsValue::anything);
        AbsValue::one_of(endings.chain(nothing)).unwrap_or_else(AbsValue::anything)
    }

    fn library(
        &mut self,
        state: &mut AbsState,
        at: ContextLocation,
        function: LibraryFunction,
        arguments: &[Operand],
    ) -> Flow {
        let arguments: Vec<AbsValue> = arguments.iter().map(|&a| self.operand(state, at.context, a)).collect();
        let format = match function {
            LibraryFunction::Vprintf | LibraryFunction::ReadPrinted => arguments.first(),
            LibraryFunction::Snprintf => arguments.get(2),
            LibraryFunction::Printf | LibraryFunction::Puts | LibraryFunction::Putchar => None,
        };
        let follows = format.is_some();
        if format.is_some_and(|format| !self.only_prints(format)) {
            self.reach_unsupported(at.location);
            return Flow::Stop;
        }
        for (index, argument) in arguments.iter().enumerate() {
            if matches!(function, LibraryFunction::Putchar | LibraryFunction::Puts) {
                continue;
            }
            let is_buffer = function == LibraryFunction::Snprintf && index == 0;
            let kind = if is_buffer { AbstractAccessKind::Write } else { AbstractAccessKind::Read };
            self.touch(state, at, &argument.at_the_beginning(), ALL_BYTES, kind);
            if is_buffer {
                self.fill(state, at, &argument.at_the_beginning(), ALL_BYTES, false);
            } else if follows {
                for &object in argument.objects().keys() {
                    let strings = self.world.everything_in(self.program, &self.identities, object);
                    self.touch(state, at, &strings.at_the_beginning(), ALL_BYTES, AbstractAccessKind::Read);
                }
            }
        }
        Flow::On
    }

    /// Whether all texts that the format may be have conversions that print, and none that stores.
    fn only_prints(&self, format: &AbsValue) -> bool {
        format.objects().keys().all(|&object| match self.identities.object(object) {
            Object::Global(global) => printed::only_prints(self.program, global),
            _ => false,
        })
    }

    /// What other threads may get the address of.
    pub(crate) fn spread_escapes(&mut self) {
        let mut work: Vec<ObjectId> =
            self.identities.objects().filter(|&id| matches!(self.identities.object(id), Object::Global(_))).collect();
        work.extend(&self.world.arguments);
        work.extend(&self.world.exposed);
        work.extend(self.world.endings.values().flat_map(|ending| ending.result.objects().keys()));
        let mut seen = std::collections::BTreeSet::new();
        while let Some(object) = work.pop() {
            if seen.insert(object) {
                self.world.escape(object);
                work.extend(self.world.everything_in(self.program, &self.identities, object).objects().keys());
            }
        }
    }
}

fn written(order: MemoryOrder) -> AbstractAccessKind {
    if order.is_atomic() { AbstractAccessKind::AtomicWrite } else { AbstractAccessKind::Write }
}
