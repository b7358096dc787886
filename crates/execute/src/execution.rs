//! What each instruction does. Everything an instruction can meet is in [`Halt`]; a halted instruction has changed
//! nothing, except that bytes found indeterminate are fixed.

use std::rc::Rc;

use program::{
    AllocationKind, At, CastOp, FunctionId, MemoryChoice, Property, RmwOp, ShapeId, TraceEventKind, Type,
    shape_of_elements,
};
use smallvec::SmallVec;

use crate::access_log::LoggedKind;
use crate::arithmetic::{self, Fault};
use crate::choice::{Ask, ChoiceSource, REUSE};
use crate::code::{AccessCode, Arg, BranchTarget, Op};
use crate::machine::{End, Halt, Machine};
use crate::memory::{BadAddress, Place, Request};
use crate::object::{Death, StorageKind};
use crate::race::{Accessor, RaceAccessKind};
use crate::register_ops::{AddressUse, Computed, differ_in_address};
use crate::value::{Provenance, Value, mask};

impl Machine<'_> {
    /// Executes the next instruction of the current thread.
    pub fn execute(&mut self, choices: &mut dyn ChoiceSource) -> Result<(), Halt> {
        let code = self.code;
        let thread = Rc::make_mut(&mut self.state.threads[self.current]);
        match &code.ops[thread.pc as usize] {
            Op::Load { target, address, access } => {
                let address = thread.value(code, *address);
                let place = self.place(address, u64::from(access.bytes), false)?;
                self.check_race(place, u64::from(access.bytes), RaceAccessKind::read(access.order))?;
                let value = self.load(place, *access, choices)?;
                if self.events.is_some() {
                    self.log_read(place, *access, value);
                }
                self.assign(*target, value);
            }
            Op::Store { address, value, access } => {
                let (address, value) = (thread.value(code, *address), thread.value(code, *value));
                self.store(address, value, *access)?;
                self.next();
            }
            Op::Call { target, callee, arguments } => self.call(*target, *callee, arguments)?,
            Op::Return(value) => return self.return_from(*value),
            rare => return self.execute_rare(rare, choices),
        }
        Ok(())
    }

    /// Executes a load or a store in the simplest case: bytes that are there and known, and nobody who looks for races or
    /// writes events. `false`, and nothing has changed, if anything needs care.
    #[inline]
    pub fn plain_access(&mut self) -> bool {
        if self.state.order.is_some() || self.events.is_some() || self.access_log.is_some() {
            return false;
        }
        let code = self.code;
        let thread = Rc::make_mut(&mut self.state.threads[self.current]);
        let memory = &mut self.state.memory;
        match &code.ops[thread.pc as usize] {
            Op::Load { target, address, access } => {
                let length = u64::from(access.bytes);
                let Ok(place) = memory.place(thread.value(code, *address), length, false) else { return false };
                if self.config.abstract_addresses && memory.splits_pointer(place, length) {
                    return false;
                }
                let Some(value) = memory.load(place, length, access.ty == Type::Pointer) else { return false };
                thread.set(*target, value);
            }
            Op::Store { address, value, access } => {
                let length = u64::from(access.bytes);
                let Ok(place) = memory.place(thread.value(code, *address), length, true) else { return false };
                if self.config.abstract_addresses && memory.splits_pointer(place, length) {
                    return false;
                }
                memory.store(place, length, thread.value(code, *value));
                self.changes += 1;
            }
            _ => return false,
        }
        thread.pc += 1;
        true
    }

    #[inline]
    pub fn store(&mut self, address: Value, value: Value, access: AccessCode) -> Result<(), Halt> {
        let place = self.place(address, u64::from(access.bytes), true)?;
        self.check_race(place, u64::from(access.bytes), RaceAccessKind::write(access.order))?;
        if self.events.is_some() {
            self.log_write(place, access, value);
        }
        self.changes += 1;
        self.state.memory.store(place, u64::from(access.bytes), value);
        Ok(())
    }

    fn execute_rare(&mut self, op: &Op, choices: &mut dyn ChoiceSource) -> Result<(), Halt> {
        match op {
            Op::Cast { target, op: op @ (CastOp::PointerToInt | CastOp::IntToPointer), from, to, operand } => {
                let operand = self.value(*operand);
                let bits = arithmetic::cast(*op, (from.ty, from.bits), (to.ty, to.bits), operand.bits);
                let value = self.cast_pointer(*op, operand, bits);
                self.assign(*target, value);
            }
            Op::ReadModifyWrite { target, op, address, value, access } => {
                self.read_modify_write(*target, *op, *address, *value, *access, choices)?;
            }
            Op::CompareExchange { registers, address, expected, desired, access, weak } => {
                let operands = (self.value(*address), self.value(*expected), self.value(*desired));
                self.compare_exchange(*registers, operands, *access, *weak, choices)?;
            }
            Op::Nondet { target, ty } => {
                let bits = choices.choose(self.thread_id(), Ask::Input(*ty));
                let value = Value::int(bits & mask(ty.bits(self.code.program.data_model)));
                self.record.choices.push((self.thread_id(), value.bits));
                self.log_input(|machine| TraceEventKind::Input { value: machine.value_text(value, *ty) });
                self.assign(*target, value);
            }
            Op::Assume { condition } => {
                if !self.value(*condition).is_true() {
                    return Err(Halt::AssumeFailed);
                }
                self.next();
            }
            Op::Assert { condition, property } => {
                let holds = self.value(*condition).is_true();
                if !holds && self.config.properties.contains(*property) {
                    return Err(self.violation(*property, self.assertion_message(), Vec::new()));
                }
                self.next();
            }
            Op::Allocate { target, size, zeroed, align, kind, shape } => {
                let size = self.value(*size).bits;
                let kind = object_kind(*kind);
                let base = if kind == StorageKind::Heap { self.choose_base(size, *align, None, choices) } else { None };
                let new = self.allocate(kind, size, *align, *zeroed, *shape, base)?;
                if kind == StorageKind::Stack {
                    let provenance = new.provenance().expect("a new object should have an address");
                    self.thread_mut().stack_objects.push(provenance);
                }
                self.assign(*target, new);
            }
            Op::Free { address, kind } => {
                let (address, kind) = (self.value(*address), object_kind(*kind));
                self.free(address, kind)?;
                self.next();
            }
            Op::Reallocate { target, address, size } => {
                let (address, size) = (self.value(*address), self.value(*size).bits);
                let new = self.reallocate(address, size, choices)?;
                self.assign(*target, new);
            }
            Op::Begin { local } => self.begin(*local)?,
            Op::End { local } => {
                let address = self.thread().local(*local);
                self.end_life(address)?;
                self.next();
            }
            Op::CopyMemory { target, source, size, overlap } => {
                let (target, source) = (self.value(*target), self.value(*source));
                let size = self.value(*size).bits;
                self.copy_memory(target, source, size, *overlap)?;
            }
            Op::SetMemory { target, byte, size } => {
                let (target, byte, size) = (self.value(*target), self.value(*byte).bits as u8, self.value(*size).bits);
                self.set_memory(target, byte, size)?;
            }
            Op::AtomicBegin => {
                self.thread_mut().section += 1;
                if self.thread().section == 1 {
                    let thread = self.current as u32;
                    self.order_mut(|order| order.begin_section(thread));
                }
                self.next();
            }
            Op::AtomicEnd => {
                if self.thread().section == 1 {
                    let thread = self.current as u32;
                    self.order_mut(|order| order.end_section(thread));
                }
                let thread = self.thread_mut();
                thread.section = thread.section.saturating_sub(1);
                self.next();
            }
            Op::Fence { acquires, releases } => {
                let thread = self.current as u32;
                self.order_mut(|order| order.fence(thread, *acquires, *releases));
                self.next();
            }
            Op::Nothing => self.next(),
            Op::Spawn { target, store, function, argument, detached } => {
                let (argument, detached) = (self.value(*argument), self.value(*detached).is_true());
                self.spawn(*target, *store, *function, argument, detached, choices)?;
            }
            Op::Join { target, error, thread } => self.join(*target, *error, *thread)?,
            Op::Detach { error, thread } => self.detach(*error, *thread),
            Op::LeaveProcess => {
                if let Some(violation) = self.locked_at_exit() {
                    return Err(End::Violated(Box::new(violation)).into());
                }
                self.next();
            }
            Op::CurrentThread { target } => {
                let handle = Value::int(program::handles::handle_number(self.current as u64));
                self.assign(*target, handle);
            }
            Op::Sync { target, op, operands } => self.act(*target, *op, operands, choices)?,
            Op::Library { target, function, arguments } => {
                self.library_call(*target, *function, arguments, choices)?;
            }
            Op::Unsupported => {
                return Err(End::Unsupported { what: self.unsupported_construct(), span: self.span() }.into());
            }
            Op::ThreadExit(value) => {
                let result = self.value(*value);
                self.end_thread(result)?;
                return Err(Halt::ThreadEnded);
            }
            Op::ProcessExit { status, abnormal } => {
                let status = self.value(*status).bits as i32;
                self.log(|_| TraceEventKind::ProcessEnd);
                return Err(self.finish(status, *abnormal).into());
            }
            Op::Unreachable => {
                return Err(self.undefined(None, "control reaches __builtin_unreachable()".to_owned()));
            }
            other => self.execute_register_op(other)?,
        }
        Ok(())
    }

    /// A single instruction of those that mostly run in the inner loop, or one that the inner loop left alone because
    /// something is wrong with it.
    fn execute_register_op(&mut self, op: &Op) -> Result<(), Halt> {
        let code = self.code;
        self.check_address_use(op)?;
        if self.thread_mut().run_registers(code, u32::MAX, 1) == 1 {
            return Ok(());
        }
        let Some(Computed { target, value, fault: Some(fault) }) = self.thread().compute(code, op) else {
            unreachable!("{op:?} should be executed elsewhere")
        };
        self.arithmetic_fault(fault, op)?;
        self.assign(target, value);
        Ok(())
    }

    /// Where addresses have no numbers, what depends on their numbers is not supported.
    pub fn check_address_use(&self, op: &Op) -> Result<(), Halt> {
        if !self.config.abstract_addresses {
            return Ok(());
        }
        match self.thread().address_in_use(self.code, op) {
            None => Ok(()),
            Some(AddressUse::Number) => Err(self.unsupported("integer arithmetic on a pointer value")),
            Some(AddressUse::Equality(left, right)) => self.check_equality(left, right),
        }
    }

    /// As [`check_address_use`](Self::check_address_use), of values that are compared.
    pub fn check_equality(&self, left: Value, right: Value) -> Result<(), Halt> {
        if !self.config.abstract_addresses || !differ_in_address(left, right) {
            return Ok(());
        }
        let doubt = self.state.memory.doubt_about_equality(left, right);
        doubt.map_or(Ok(()), |doubt| Err(self.unsupported(doubt)))
    }

    fn unsupported(&self, what: &str) -> Halt {
        End::Unsupported { what: what.to_owned(), span: self.span() }.into()
    }

    #[inline]
    pub fn next(&mut self) {
        self.thread_mut().pc += 1;
    }

    /// Sets a register and goes on to the next instruction.
    #[inline]
    pub fn assign(&mut self, target: u32, value: Value) {
        let thread = self.thread_mut();
        thread.set(target, value);
        thread.pc += 1;
    }

    #[cold]
    fn arithmetic_fault(&self, fault: Fault, op: &Op) -> Result<(), Halt> {
        let (property, harmless) = match fault {
            Fault::Overflow => (Property::NoOverflow, true),
            Fault::DivisionByZero => (Property::NoDivByZero, false),
            Fault::ShiftCount => (Property::NoBadShift, false),
            Fault::ShiftOfNegative => (Property::NoBadShift, true),
        };
        if harmless && !self.config.properties.contains(property) {
            return Ok(());
        }
        Err(self.undefined(Some(property), self.thread().describe_fault(self.code, fault, op)))
    }

    fn cast_pointer(&mut self, op: CastOp, operand: Value, bits: u64) -> Value {
        match (op, operand.provenance()) {
            (CastOp::PointerToInt, Some(provenance)) => {
                self.state.memory.expose(provenance);
                if operand.bits == bits { operand } else { Value::int(bits) }
            }
            (CastOp::PointerToInt, None) => Value::int(bits),
            (_, Some(object)) if operand.bits == bits && self.state.memory.is_alive(object) => operand,
            (_, Some(_)) if operand.bits == bits => {
                let found = self.state.memory.find_exposed(bits);
                found.map_or(operand, |object| Value::pointer(bits, object))
            }
            _ => Value::with_provenance(bits, self.state.memory.find_exposed(bits)),
        }
    }

    /// Where an access goes; an invalid one violates `valid-deref`.
    #[inline]
    pub fn place(&mut self, address: Value, length: u64, write: bool) -> Result<Place, Halt> {
        self.state.memory.place(address, length, write).or_else(|bad| self.odd_place(address, bad, length, write))
    }

    /// The initialisation of a constant local is the one store to it that is allowed.
    #[cold]
    fn odd_place(&mut self, address: Value, bad: BadAddress, length: u64, write: bool) -> Result<Place, Halt> {
        let target = match &self.code.ops[self.thread().pc as usize] {
            Op::Store { address, .. } => Some(*address),
            Op::CopyMemory { target, .. } | Op::SetMemory { target, .. } => Some(*target),
            _ => None,
        };
        let is_direct = target.is_some_and(|target| self.code.is_local(target));
        if is_direct && matches!(bad, BadAddress::ReadOnly(_)) {
            let place = self.state.memory.place(address, length, false);
            return place.map_err(|bad| self.bad_access(address, bad, length, write));
        }
        Err(self.bad_access(address, bad, length, write))
    }

    /// Records an access and reports a race.
    #[inline]
    pub(crate) fn check_race(&mut self, place: Place, length: u64, kind: RaceAccessKind) -> Result<(), Halt> {
        self.note_access(place, length, kind);
        if !self.code.visible[self.thread().pc as usize] {
            debug_assert!(self.is_private(place.slot), "an invisible access should touch no other thread's memory");
            return Ok(());
        }
        if self.state.order.as_ref().is_none_or(|order| order.single_threaded()) {
            return Ok(());
        }
        let mut by = Accessor { thread: self.current as u32, site: self.state.threads[self.current].site() };
        if self.events.is_some() {
            by.site = self.thread().users_site(self.code);
            self.note_protection(by.site);
        }
        let Some(order) = &mut self.state.order else { return Ok(()) };
        let object = self.state.memory.object_mut(place.slot);
        if object.never_changes() {
            return Ok(());
        }
        let size = object.size;
        let order = Rc::make_mut(order);
        match object.shadow.access(order, by, kind, (place.offset, length), size) {
            Ok(()) => Ok(()),
            Err(earlier) => Err(self.race(place, length, kind, earlier)),
        }
    }

    fn is_private(&self, slot: u32) -> bool {
        let object = self.state.memory.object(slot);
        match object.name {
            program::ObjectName::Allocated(thread, _) | program::ObjectName::ThreadLocal(_, thread) => {
                thread.0 as usize == self.current
            }
            program::ObjectName::Global(_) => object.never_changes(),
        }
    }

    /// Reads a scalar, fixing what is indeterminate of it.
    #[inline]
    pub(crate) fn load(
        &mut self,
        place: Place,
        access: AccessCode,
        choices: &mut dyn ChoiceSource,
    ) -> Result<Value, Halt> {
        let (length, as_pointer) = (u64::from(access.bytes), access.ty == Type::Pointer);
        match self.state.memory.load(place, length, as_pointer) {
            Some(value) => Ok(value),
            None if self.state.memory.object(place.slot).is_hidden(place.offset, length) => Err(self.hidden_bytes()),
            None => {
                self.determine(place, length, choices);
                let value = self.state.memory.load(place, length, as_pointer);
                Ok(value.expect("fixed bytes should be determinate"))
            }
        }
    }

    /// What the bytes of a synchronisation object are after its first use is up to the implementation.
    #[cold]
    fn hidden_bytes(&self) -> Halt {
        let what = "byte-wise access to a synchronisation object in use".to_owned();
        End::Unsupported { what, span: self.span() }.into()
    }

    /// Copies memory, with the state of the synchronisation objects in it.
    fn copy(&mut self, to: Place, from: Place, size: u64) -> Result<(), Halt> {
        if !self.state.memory.object(from.slot).can_be_copied(from.offset, size) {
            return Err(self.hidden_bytes());
        }
        self.state.memory.copy(to, from, size);
        Ok(())
    }

    #[cold]
    pub(crate) fn determine(&mut self, place: Place, length: u64, choices: &mut dyn ChoiceSource) {
        while let Some(found) = self.state.memory.next_indeterminate(place, length) {
            self.changes += 1;
            let bytes = found.settled.unwrap_or_else(|| {
                let (object, offset) = found.origin;
                let mut bytes = choices.memory(object, offset, found.length);
                bytes.resize(found.length as usize, 0);
                self.record.memory.push(MemoryChoice { object, offset, bytes: bytes.clone() });
                self.state.memory.settle(found.origin, &bytes);
                bytes
            });
            self.state.memory.object_mut(place.slot).fix(found.offset, &bytes);
        }
    }

    fn read_modify_write(
        &mut self,
        target: Option<u32>,
        op: RmwOp,
        address: Arg,
        value: Arg,
        access: AccessCode,
        choices: &mut dyn ChoiceSource,
    ) -> Result<(), Halt> {
        let (address, value) = (self.value(address), self.value(value));
        self.update(target, address, access, choices, |old| {
            let new = combine(op, old, value, mask(access.bytes * 8));
            // A number has the object of its address, if that is exposed: not that of the old number.
            let computed = op != RmwOp::Exchange && access.ty != Type::Pointer;
            if computed { Value::int(new.bits) } else { new }
        })
    }

    /// Atomically replaces what is at `address` by what `new` makes of it, as a read-modify-write does.
    pub fn update(
        &mut self,
        target: Option<u32>,
        address: Value,
        access: AccessCode,
        choices: &mut dyn ChoiceSource,
        new: impl FnOnce(Value) -> Value,
    ) -> Result<(), Halt> {
        let length = u64::from(access.bytes);
        let place = self.place(address, length, true)?;
        self.check_race(place, length, RaceAccessKind::update(access.order))?;
        let old = self.load(place, access, choices)?;
        let new = new(old);
        self.log_update(place, access, old, Some(new));
        self.changes += 1;
        self.state.memory.store(place, length, new);
        match target {
            Some(target) => self.assign(target, old),
            None => self.next(),
        }
        Ok(())
    }

    fn compare_exchange(
        &mut self,
        (old_register, success_register): (u32, u32),
        (address, expected, desired): (Value, Value, Value),
        access: AccessCode,
        weak: bool,
        choices: &mut dyn ChoiceSource,
    ) -> Result<(), Halt> {
        let length = u64::from(access.bytes);
        let place = self.place(address, length, true)?;
        let old = self.load(place, access, choices)?;
        self.check_equality(old, expected)?;
        let equal = old.bits == expected.bits;
        self.exchange_if((old_register, success_register), (address, desired), access, weak, equal, choices)
    }

    /// A compare-exchange of which the caller knows whether the values are equal.
    pub fn exchange_if(
        &mut self,
        (old_register, success_register): (u32, u32),
        (address, desired): (Value, Value),
        access: AccessCode,
        weak: bool,
        equal: bool,
        choices: &mut dyn ChoiceSource,
    ) -> Result<(), Halt> {
        let length = u64::from(access.bytes);
        let place = self.place(address, length, true)?;
        let old = self.load(place, access, choices)?;
        let fails = equal && weak && {
            let choice = choices.choose(self.thread_id(), Ask::OneOf(&[0, 1]));
            self.record.choices.push((self.thread_id(), choice));
            choice == 1
        };
        let success = equal && !fails;
        let kind = if success { RaceAccessKind::update(access.order) } else { RaceAccessKind::read(access.failure) };
        self.check_race(place, length, kind)?;
        self.log_update(place, access, old, success.then_some(desired));
        if success {
            self.changes += 1;
            self.state.memory.store(place, length, desired);
        }
        self.thread_mut().set(old_register, old);
        self.assign(success_register, Value::truth(success));
        Ok(())
    }

    fn allocate(
        &mut self,
        kind: StorageKind,
        size: u64,
        align: u64,
        zeroed: bool,
        elements: Option<ShapeId>,
        reused: Option<Provenance>,
    ) -> Result<Value, Halt> {
        let base = reused.map(|former| self.state.memory.object(former.slot).base);
        let former = reused.map(|former| self.object_label(former));
        let request = Request { kind, size, align, base, site: self.thread().users_site(self.code) };
        let thread = self.thread_id();
        let new = self.state.memory.allocate(thread, request).map_err(|no| self.no_room(no))?;
        self.changes += 1;
        let object = self.state.memory.object_mut(new.slot);
        if !zeroed {
            object.make_indeterminate();
        }
        object.shape = elements.and_then(|array| shape_of_elements(&self.code.program.shapes, array, size));
        let base = object.base;
        if self.events.is_some() && kind == StorageKind::Heap {
            self.heap_labels.push(new);
        }
        self.log(|machine| {
            let label = machine.object_label(new);
            let object = former.map_or(label.clone(), |former| format!("{label} (at the address of {former})"));
            TraceEventKind::Allocate { object, size }
        });
        Ok(Value::pointer(base, new))
    }

    fn free(&mut self, address: Value, kind: StorageKind) -> Result<(), Halt> {
        let object = self.state.memory.freeable(address, kind).map_err(|bad| self.bad_free(bad))?;
        let Some(object) = object else { return Ok(()) };
        self.log(|machine| TraceEventKind::Free { object: machine.object_label(object) });
        self.kill(object)
    }

    /// Ends an object's life, a write to all of it.
    pub(crate) fn kill(&mut self, object: Provenance) -> Result<(), Halt> {
        let mut epoch = None;
        if let Some(order) = &self.state.order {
            let known = self.state.memory.object(object.slot);
            if let Err(earlier) = known.shadow.end_of_life(order, self.current as u32) {
                let place = Place { slot: object.slot, offset: 0 };
                return Err(self.race(place, known.size, RaceAccessKind::Write, earlier));
            }
            epoch = Some(order.epoch(self.current as u32));
        }
        self.note_access(Place { slot: object.slot, offset: 0 }, 0, LoggedKind::End);
        let site = self.thread().users_site(self.code);
        let death = Death { thread: self.thread_id(), site, epoch };
        self.changes += 1;
        self.state.memory.kill(object, death);
        Ok(())
    }

    /// Which object's address, of those that are freed and still pointed to, a new one of the heap gets; or a new address.
    fn choose_base(
        &mut self,
        size: u64,
        align: u64,
        kept: Option<Provenance>,
        choices: &mut dyn ChoiceSource,
    ) -> Option<Provenance> {
        if !self.code.chooses_addresses || self.config.abstract_addresses {
            return None;
        }
        let mut former = self.state.memory.reusable(size, align);
        former.retain(|&object| self.is_pointed_to(object));
        former.extend(kept.filter(|&object| self.state.memory.is_large_enough(object, size)));
        if former.is_empty() {
            return None;
        }
        let alternatives: Vec<u64> =
            (0..=former.len() as u64).map(|index| if index == 0 { 0 } else { REUSE | index }).collect();
        let choice = choices.choose_address(self.thread_id(), &alternatives);
        let chosen = former.get((choice & !REUSE).checked_sub(1)? as usize).copied()?;
        self.record.choices.push((self.thread_id(), choice));
        Some(chosen)
    }

    /// Whether a pointer to the object is kept anywhere.
    fn is_pointed_to(&self, object: Provenance) -> bool {
        let in_memory = self
            .state
            .memory
            .objects()
            .any(|(_, one)| one.is_alive() && one.pointers().iter().any(|&(_, pointer)| pointer == object));
        let is_it = |value: &Value| value.provenance() == Some(object);
        in_memory || self.state.threads.iter().any(|thread| thread.registers.iter().any(is_it) || is_it(&thread.result))
    }

    fn reallocate(&mut self, address: Value, size: u64, choices: &mut dyn ChoiceSource) -> Result<Value, Halt> {
        let old = self.state.memory.freeable(address, StorageKind::Heap).map_err(|bad| self.bad_free(bad))?;
        if size == 0 && old.is_some() {
            self.free(address, StorageKind::Heap)?;
            return Ok(Value::ZERO);
        }
        let base = self.choose_base(size, 16, old, choices);
        let new = self.allocate(StorageKind::Heap, size, 16, false, None, base)?;
        if let (Some(old), Some(to)) = (old, new.provenance()) {
            let kept = size.min(self.state.memory.object(old.slot).size);
            self.copy(Place { slot: to.slot, offset: 0 }, Place { slot: old.slot, offset: 0 }, kept)?;
            self.free(address, StorageKind::Heap)?;
        }
        Ok(new)
    }

    fn begin(&mut self, local: u32) -> Result<(), Halt> {
        let former = self.thread().local(local);
        self.end_life(former)?;
        let function = self.thread().frames.last().expect("a running thread should have an activation").function;
        let declared = &self.code.program.functions[function].locals[program::LocalId(local)];
        let request = Request {
            kind: StorageKind::Local,
            size: declared.size,
            align: declared.align,
            base: former.provenance().map(|_| former.bits),
            site: self.thread().site(),
        };
        let thread = self.thread_id();
        let new = self.state.memory.allocate(thread, request).map_err(|no| self.no_room(no))?;
        self.changes += 1;
        let object = self.state.memory.object_mut(new.slot);
        object.shape = Some(declared.shape);
        object.writable = !declared.read_only;
        object.constant_parts = declared.constant_parts.clone();
        object.make_indeterminate();
        let address = Value::pointer(object.base, new);
        self.thread_mut().set_local(local, address);
        self.next();
        Ok(())
    }

    /// Ends the life of the object at `address`, if it lives.
    fn end_life(&mut self, address: Value) -> Result<(), Halt> {
        match address.provenance() {
            Some(object) if self.state.memory.object(object.slot).live_stamp == object.stamp => self.kill(object),
            _ => Ok(()),
        }
    }

    fn copy_memory(&mut self, target: Value, source: Value, size: u64, overlap: bool) -> Result<(), Halt> {
        if size > 0 {
            let from = self.place(source, size, false)?;
            let to = self.place(target, size, true)?;
            if !overlap && from != to && from.slot == to.slot && from.offset.abs_diff(to.offset) < size {
                let message = "memcpy between overlapping areas".to_owned();
                return Err(self.undefined(Some(Property::ValidDeref), message));
            }
            self.check_race(from, size, RaceAccessKind::Read)?;
            self.check_race(to, size, RaceAccessKind::Write)?;
            self.log_copy(to, from, size);
            self.changes += 1;
            self.copy(to, from, size)?;
        }
        self.next();
        Ok(())
    }

    fn set_memory(&mut self, target: Value, byte: u8, size: u64) -> Result<(), Halt> {
        if size > 0 {
            let place = self.place(target, size, true)?;
            self.check_race(place, size, RaceAccessKind::Write)?;
            self.log_fill(place, size, byte);
            self.changes += 1;
            self.state.memory.fill(place, size, byte);
        }
        self.next();
        Ok(())
    }

    /// The function that a call goes to.
    pub(crate) fn callee(&mut self, target: BranchTarget) -> Result<FunctionId, Halt> {
        let pointer = match target {
            BranchTarget::Direct(function) => return Ok(function),
            BranchTarget::Indirect(arg) => self.value(arg),
        };
        let functions = self.code.program.functions.len() as u32;
        let function = match pointer.provenance().or_else(|| self.state.memory.find_exposed(pointer.bits)) {
            Some(object) if object.slot < functions && self.state.memory.object(object.slot).base == pointer.bits => {
                FunctionId(object.slot)
            }
            _ => return Err(self.bad_call(pointer)),
        };
        let (program, location) = (self.code.program, self.code.locations[self.thread().pc as usize]);
        if let At::Instruction(instruction) = program.at(location)
            && let Some(what) = program.mismatch(location.function, &instruction.kind, function)
        {
            return Err(End::Unsupported { what, span: self.span() }.into());
        }
        Ok(function)
    }

    fn call(&mut self, target: Option<u32>, callee: BranchTarget, arguments: &[Arg]) -> Result<(), Halt> {
        let function = self.callee(callee)?;
        if self.thread().frames.len() >= self.config.call_depth {
            let what = format!("more than {} nested calls", self.config.call_depth);
            return Err(End::Unsupported { what, span: self.span() }.into());
        }
        let code = self.code;
        let stack_pointer = self.state.memory.stack_pointer(self.thread_id());
        let thread = self.thread_mut();
        let values: SmallVec<[Value; 8]> = arguments.iter().map(|&argument| thread.value(code, argument)).collect();
        thread.enter(function, &code.functions[function], &values, target, stack_pointer);
        Ok(())
    }

    fn return_from(&mut self, value: Option<Arg>) -> Result<(), Halt> {
        let value = value.map(|value| self.value(value));
        if self.thread().frames.len() == 1 {
            self.end_thread(value.unwrap_or(Value::ZERO))?;
            return Err(Halt::ThreadEnded);
        }
        self.end_activation_objects()?;
        let stack_pointer = self.thread().frames.last().map_or(0, |frame| frame.stack_pointer);
        let thread = self.thread_id();
        self.state.memory.restore_stack_pointer(thread, stack_pointer);
        self.thread_mut().leave(value);
        Ok(())
    }

    /// Ends what still lives of the current activation's objects.
    pub(crate) fn end_activation_objects(&mut self) -> Result<(), Halt> {
        let thread = self.thread();
        if thread.own_locals().is_empty() && thread.own_stack_objects().is_empty() {
            return Ok(());
        }
        let is_alive = |object: &Provenance| self.state.memory.object(object.slot).live_stamp == object.stamp;
        let locals = thread.own_locals().iter().filter_map(|address| address.provenance());
        let living: Vec<Provenance> =
            locals.chain(thread.own_stack_objects().iter().copied()).filter(is_alive).collect();
        living.into_iter().try_for_each(|object| self.kill(object))
    }
}

/// The new value of a read-modify-write.
fn combine(op: RmwOp, old: Value, value: Value, all: u64) -> Value {
    match op {
        RmwOp::Exchange => value,
        RmwOp::Add => old.with_bits(old.bits.wrapping_add(value.bits) & all),
        RmwOp::Sub => old.with_bits(old.bits.wrapping_sub(value.bits) & all),
        RmwOp::And => old.with_bits(old.bits & value.bits),
        RmwOp::Or => old.with_bits(old.bits | value.bits),
        RmwOp::Xor => old.with_bits(old.bits ^ value.bits),
        RmwOp::Nand => old.with_bits(!(old.bits & value.bits) & all),
    }
}

fn object_kind(kind: AllocationKind) -> StorageKind {
    match kind {
        AllocationKind::Heap => StorageKind::Heap,
        AllocationKind::Stack => StorageKind::Stack,
        AllocationKind::Library => StorageKind::Library,
    }
}
