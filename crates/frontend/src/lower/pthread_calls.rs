//! Threads, mutexes, condition variables, read-write and spin locks, barriers, semaphores, once: which IR instruction
//! each function of `<pthread.h>`, `<semaphore.h>` and `<threads.h>` becomes. What the operations mean is said in the
//! crate `sync`.
//!
//! Attribute objects hold what is set in them as an `int` at their start: the kind of a mutex, the detach state.

use base::Span;
use program::{
    AllocationKind, BinaryOp, BlockId, Callee, InstructionKind, MemoryOrder, Operand, RegisterId, Rvalue, SyncOp,
    TerminatorKind, Type,
};

use super::Lowerer;
use super::address_taken::plain_address;
use super::call::CallSite;
use super::entity::Entity;
use super::failing_calls::Failing;
use super::value::{Address, Form, Lowered, Place, PlaceKind, Value};
use crate::ast::{ExprId, ExprKind};
use crate::ctype::{QualType, TypeId, TypeTable};
use crate::prelude::{RELEASE_THREAD_NUMBER, RUN_KEY_DESTRUCTORS, START_THREAD};
use crate::process_end::{BEGIN_THREAD, END_THREAD};
use library::Range;

/// Error numbers of Linux, and what C11's functions return in glibc.
const EAGAIN: u64 = 11;
const EBUSY: u64 = 16;
const EINVAL: u64 = 22;
const ETIMEDOUT: u64 = 110;
const CLOCK_REALTIME: u64 = 0;
const CLOCK_MONOTONIC: u64 = 1;
const THRD_BUSY: u64 = 1;
const THRD_ERROR: u64 = 2;
const THRD_TIMEDOUT: u64 = 4;

/// Whether the operation gives up when its time has come.
fn is_timed(op: SyncOp) -> bool {
    matches!(
        op,
        SyncOp::MutexTimedLock
            | SyncOp::RwlockTimedReadLock
            | SyncOp::RwlockTimedWriteLock
            | SyncOp::CondTimedWaitEnd
            | SyncOp::SemTimedWait
    )
}

impl Lowerer<'_, '_> {
    /// An operation whose only operand is its first argument. Of the others, attributes are read, and the deadline of an
    /// operation that gives up when its time has come.
    pub fn sync_call(&mut self, site: &CallSite<'_>, op: SyncOp) -> Lowered<Value> {
        let object = self.pointer_argument(site, 0)?;
        self.f.builder.pin(object);
        if is_timed(op) {
            let is_valid = self.deadline(site, 1)?;
            if op == SyncOp::MutexTimedLock {
                let result = self.sync(site, op, vec![object]);
                return Ok(self.timed_result(result, is_valid, site));
            }
            let result = self.f.builder.pinned(Type::Int(32));
            let join = self.f.builder.new_block();
            self.leave_unless(is_valid, result, Operand::int(32, EINVAL), join, site);
            self.emit(InstructionKind::Sync { target: Some(result), op, operands: vec![object] }, site.span);
            self.f.builder.goto(join, site.span);
            self.f.builder.switch_to(join);
            return Ok(self.int_result(Operand::Register(result), site));
        }
        self.other_arguments(site, 1)?;
        Ok(self.sync(site, op, vec![object]))
    }

    /// Arguments from the n-th on that matter only in that they are read.
    fn other_arguments(&mut self, site: &CallSite<'_>, first: usize) -> Lowered<()> {
        let values = self.contract_arguments_from(site, first)?;
        for value in values {
            let target = self.link.types.pointee(value.ty);
            let Some(size) = target.and_then(|target| self.link.types.size_of(target.ty)) else { continue };
            let size = self.size_operand(size);
            let address = self.convert(value, TypeTable::VOID_POINTER, site.span)?.operand;
            self.if_not_null(address, site.span, |lowerer| lowerer.read_block(address, size, false, site))?;
        }
        Ok(())
    }

    /// Reads the time until which to wait, the last of the arguments from the n-th on: whether it is one.
    fn deadline(&mut self, site: &CallSite<'_>, first: usize) -> Lowered<Operand> {
        let last = site.arguments.len().saturating_sub(1);
        for index in first..last {
            let clock = self.argument(site, index)?;
            if !matches!(clock.operand, Operand::Int { value: CLOCK_REALTIME | CLOCK_MONOTONIC, .. }) {
                self.unsupported("a wait until a time of another clock", TypeTable::VOID, site.span);
            }
        }
        if last < first {
            return Ok(Operand::TRUE);
        }
        let time = self.pointer_argument(site, last)?;
        self.f.builder.pin(time);
        let is_valid = self.prelude_value("__gordian_is_deadline", vec![time], site);
        self.f.builder.pin(is_valid);
        self.call_prelude("__gordian_tell_deadline", vec![time], site);
        self.truth(Value::scalar(is_valid, TypeTable::INT), site.span)
    }

    /// A mutex that would have to be waited for until a time that is none is refused; others look at the time first.
    fn timed_result(&mut self, result: Value, is_valid: Operand, site: &CallSite<'_>) -> Value {
        if result.form == Form::Void || is_valid == Operand::TRUE {
            return result;
        }
        let ty = Type::Int(32);
        let (left, right) = (self.f.builder.pin(result.operand), Operand::int(32, ETIMEDOUT));
        let gave_up =
            self.compute(Rvalue::Binary { op: BinaryOp::Eq, ty, left, right, signed: false }, Type::BOOL, site.span);
        let error = self.choose(is_valid, ty, right, Operand::int(32, EINVAL), site.span);
        let operand = self.choose(gave_up, ty, error, left, site.span);
        Value::scalar(operand, result.ty)
    }

    fn sync(&mut self, site: &CallSite<'_>, op: SyncOp, operands: Vec<Operand>) -> Value {
        let target = self.f.builder.temporary(Type::Int(32));
        self.emit(InstructionKind::Sync { target: Some(target), op, operands }, site.span);
        self.int_result(Operand::Register(target), site)
    }

    pub fn int_result(&mut self, operand: Operand, site: &CallSite<'_>) -> Value {
        if self.link.types.is_void(site.result) {
            return Value::void();
        }
        Value::scalar(operand, TypeTable::INT)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Threads

    pub fn pthread_create(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let handle = self.result_place(site, 0)?;
        let attributes = self.pointer_argument(site, 1)?;
        let detached = self.attribute_is_set(attributes, site.span)?;
        let function = self.thread_function(site, 2)?;
        let argument = self.pointer_argument(site, 3)?;
        self.spawn(handle, function, argument, detached, site)
    }

    /// `thrd_create(handle, function, argument)`.
    pub fn thrd_create(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let handle = self.result_place(site, 0)?;
        let function = self.thread_function(site, 1)?;
        let argument = self.pointer_argument(site, 2)?;
        self.link.runs_c11_threads = true;
        self.spawn(handle, function, argument, Operand::FALSE, site)
    }

    fn thread_function(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<Callee> {
        let value = self.argument(site, index)?;
        match value.operand {
            Operand::Function(function) => Ok(Callee::Direct(function)),
            _ if self.link.types.register_type(value.ty) == Some(Type::Pointer) => Ok(Callee::Indirect(value.operand)),
            _ => self.error("type", site.span, "the thread function is not a function"),
        }
    }

    fn spawn(
        &mut self,
        handle: Option<Place>,
        function: Callee,
        argument: Operand,
        detached: Operand,
        site: &CallSite<'_>,
    ) -> Lowered<Value> {
        let (enabled, ty) = (self.link.options.failures.creation, Type::Int(32));
        // C11 has an error number of its own, thrd_error, and does not say that the handle is lost.
        let (number, lost) = if site.name.starts_with("thrd") { (THRD_ERROR, None) } else { (EAGAIN, handle) };
        let failing = Failing { enabled, ty, result: Operand::int(32, number), errno: None, lost };
        let error = self.or_fails(&failing, site.span, |this| {
            this.create(handle, function, argument, detached, site)?;
            Ok(Operand::int(32, 0))
        })?;
        Ok(if enabled { self.int_result(error, site) } else { self.constant_result(site, 0) })
    }

    fn create(
        &mut self,
        handle: Option<Place>,
        function: Callee,
        argument: Operand,
        detached: Operand,
        site: &CallSite<'_>,
    ) -> Lowered<()> {
        let (function, argument) = match function {
            // The result of a C11 thread is no pointer, so that its function must be called by another type.
            Callee::Indirect(pointer) if site.name == "thrd_create" => {
                self.start_through_pointer("__gordian_start_c11_thread", pointer, argument, site)
            }
            Callee::Indirect(pointer) if self.link.acts_at_thread_ends() => {
                self.start_through_pointer(START_THREAD, pointer, argument, site)
            }
            _ => (function, argument),
        };
        if self.link.ends.counts_threads() {
            self.f.builder.pin(argument);
            self.f.builder.pin(detached);
            self.call_prelude(BEGIN_THREAD, Vec::new(), site);
        }
        let target = self.f.builder.temporary(self.pointer_int());
        let store = handle.and_then(|place| self.handle_address(place, site.span));
        self.emit(InstructionKind::Spawn { target, store, function, argument, detached }, site.span);
        if let (Some(place), None) = (handle, store) {
            let value = Value::scalar(Operand::Register(target), TypeTable::UNSIGNED_LONG);
            let value = self.convert(value, place.ty.ty, site.span)?;
            self.store(place, value, site.span)?;
        }
        Ok(())
    }

    /// Where the creation itself stores the handle: in memory, unless the program's type for handles is an odd one.
    fn handle_address(&mut self, place: Place, span: Span) -> Option<Operand> {
        let is_word = self.link.types.register_type(place.ty.ty) == Some(self.pointer_int());
        match place.kind {
            PlaceKind::Memory(address) if is_word => Some(self.address_operand(address, span)),
            _ => None,
        }
    }

    /// A known function as the start of a thread, so that it can have a known end: it calls what the pointer names.
    fn start_through_pointer(
        &mut self,
        starter: &str,
        function: Operand,
        argument: Operand,
        site: &CallSite<'_>,
    ) -> (Callee, Operand) {
        let model = self.link.types.model;
        self.f.builder.pin(function);
        self.f.builder.pin(argument);
        let start = self.f.builder.pinned(Type::Pointer);
        let size = Operand::int(model.pointer_bits(), 2 * model.pointer_bytes());
        let (align, kind) = (model.pointer_bytes(), AllocationKind::Library);
        self.emit(InstructionKind::Allocate { target: start, size, zeroed: true, align, kind, shape: None }, site.span);
        let (ty, order) = (Type::Pointer, MemoryOrder::NonAtomic);
        let start = Operand::Register(start);
        self.emit(InstructionKind::Store { address: start, value: function, ty, order }, site.span);
        let offset = Operand::offset(model.pointer_bytes() as i64);
        let second = self.compute(Rvalue::PointerAdd { pointer: start, offset }, ty, site.span);
        self.emit(InstructionKind::Store { address: second, value: argument, ty, order }, site.span);
        let starter = self.link.prelude_function(starter);
        self.needs_prelude(starter);
        (Callee::Direct(starter), start)
    }

    /// Where a result goes: `&x` of a register variable is written like an assignment; null means nowhere.
    fn result_place(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<Option<Place>> {
        if let Some(&argument) = site.arguments.get(index)
            && let Some(place) = self.register_argument(argument)
        {
            return Ok(Some(place));
        }
        let mut pointer = self.argument(site, index)?;
        if matches!(pointer.operand, Operand::Null | Operand::Int { value: 0, .. }) {
            return Ok(None);
        }
        if let Some(parameter) = site.parameters.get(index) {
            pointer = self.convert(pointer, parameter.ty, site.span)?;
        }
        let place = self.dereference(pointer, site.span)?;
        Ok(Some(self.fixed(place, site.span)))
    }

    /// The register variable `x` if the argument is `&x`.
    pub fn register_argument(&mut self, argument: ExprId) -> Option<Place> {
        let target = plain_address(self.ast, argument)?;
        let ExprKind::Name(name) = self.ast[target].kind else { return None };
        match self.scopes.lookup(name) {
            Some(Entity::Register { register, ty }) => Some(Place { kind: PlaceKind::Register(register), ty }),
            _ => None,
        }
    }

    fn thread_argument(&mut self, site: &CallSite<'_>) -> Lowered<Operand> {
        self.argument_as(site, 0, TypeTable::UNSIGNED_LONG)
    }

    pub fn pthread_join(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let thread = self.thread_argument(site)?;
        let place = match site.arguments.len() {
            1 => None,
            _ => self.result_place(site, 1)?,
        };
        let error = self.join(thread, place, TypeTable::VOID_POINTER, site)?;
        Ok(self.int_result(error, site))
    }

    /// Joins, and stores the result as a value of this type unless the join fails; returns the error code.
    fn join(&mut self, thread: Operand, place: Option<Place>, ty: TypeId, site: &CallSite<'_>) -> Lowered<Operand> {
        let span = site.span;
        let error = self.f.builder.pinned(Type::Int(32));
        let target = place.map(|_| self.f.builder.pinned(Type::Pointer));
        self.emit(InstructionKind::Join { target, error: Some(error), thread }, span);
        let error = Operand::Register(error);
        let (Some(place), Some(target)) = (place, target) else { return Ok(error) };
        let pointer = Value::scalar(Operand::Register(target), TypeTable::VOID_POINTER);
        let (word, right) = (Type::Int(32), Operand::int(32, 0));
        let failed = Rvalue::Binary { op: BinaryOp::Ne, ty: word, left: error, right, signed: false };
        let failed = self.compute(failed, Type::BOOL, span);
        match place.kind {
            PlaceKind::Register(register) if self.has_no_value(register) => {
                let (bad, good, join) =
                    (self.f.builder.new_block(), self.f.builder.new_block(), self.f.builder.new_block());
                self.f.builder.branch(failed, bad, good, span);
                self.f.builder.switch_to(bad);
                let (ty_here, kind) = (self.register_type(place.ty.ty), program::NondetKind::Indeterminate);
                self.emit(InstructionKind::Nondet { target: register, ty: ty_here, kind }, span);
                self.f.builder.goto(join, span);
                self.f.builder.switch_to(good);
                let value = self.convert(pointer, ty, span)?;
                let value = self.convert(value, place.ty.ty, span)?;
                self.store(place, value, span)?;
                self.f.builder.goto(join, span);
                self.f.builder.switch_to(join);
            }
            PlaceKind::Register(register) => {
                let value = self.convert(pointer, ty, span)?;
                let value = self.convert(value, place.ty.ty, span)?;
                let register_type = self.register_type(place.ty.ty);
                let kept = self.choose(failed, register_type, Operand::Register(register), value.operand, span);
                self.f.builder.assign(register, kept, span);
            }
            _ => self.unless(failed, span, |lowerer| {
                let value = lowerer.convert(pointer, ty, span)?;
                lowerer.store_result(place, value, site)
            })?,
        }
        Ok(error)
    }

    /// Whether a variable is still indeterminate here: it was declared without a value, and nothing so far gives it one.
    fn has_no_value(&self, register: RegisterId) -> bool {
        let builder = &self.f.builder;
        let mut instructions = builder.blocks.iter().flat_map(|block| &block.instructions);
        self.f.jumps.continues.is_empty()
            && !self.f.jumps.frames.awaits_goto()
            && builder.uninitialised.iter().any(|variable| variable.register == register)
            && !instructions.any(|instruction| instruction.kind.targets().contains(&register))
    }

    fn store_result(&mut self, place: Place, value: Value, site: &CallSite<'_>) -> Lowered<()> {
        let value = self.convert(value, place.ty.ty, site.span)?;
        match place.kind {
            PlaceKind::Memory(address) => {
                let span = site.span;
                self.if_not_null(address.base, span, |lowerer| lowerer.store(place, value, span))
            }
            _ => self.store(place, value, site.span),
        }
    }

    pub fn thrd_join(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let thread = self.thread_argument(site)?;
        let place = self.result_place(site, 1)?;
        let error = self.join(thread, place, TypeTable::INT, site)?;
        let result = self.int_result(error, site);
        Ok(self.c11_result(result, site))
    }

    pub fn thrd_detach(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let result = self.pthread_detach(site)?;
        Ok(self.c11_result(result, site))
    }

    pub fn pthread_detach(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let thread = self.thread_argument(site)?;
        let error = self.f.builder.temporary(Type::Int(32));
        self.emit(InstructionKind::Detach { error: Some(error), thread }, site.span);
        Ok(self.int_result(Operand::Register(error), site))
    }

    pub fn pthread_exit(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let value = self.pointer_argument(site, 0)?;
        if self.link.unwinds {
            let what = format!("`{}` that may leave objects with the attribute `cleanup`", site.name);
            self.unsupported(what, TypeTable::VOID, site.span);
        }
        self.end_thread(value, site);
        Ok(self.placeholder(site.result))
    }

    fn end_thread(&mut self, value: Operand, site: &CallSite<'_>) {
        if self.link.uses_clean_ups {
            self.f.builder.pin(value);
            self.call_prelude("__gordian_run_clean_ups", Vec::new(), site);
        }
        if self.link.uses_keys {
            self.f.builder.pin(value);
            self.call_prelude(RUN_KEY_DESTRUCTORS, Vec::new(), site);
        }
        if self.link.uses_thread_numbers {
            self.f.builder.pin(value);
            self.call_prelude(RELEASE_THREAD_NUMBER, Vec::new(), site);
        }
        if self.link.ends.counts_threads() {
            self.f.builder.pin(value);
            self.call_prelude(END_THREAD, Vec::new(), site);
        }
        self.f.builder.terminate(TerminatorKind::ThreadExit(value), site.span);
    }

    /// `pthread_cleanup_push`: the macros keep the routine and its argument in variables of these names.
    pub fn push_clean_up(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let (ast, mut handler) = (self.ast, Vec::new());
        for name in ["__cancel_routine", "__cancel_arg"] {
            let (Some(&argument), Some(symbol)) = (site.arguments.first(), ast.names.lookup(name)) else {
                return Ok(self.unsupported(format!("`{}` outside of its macro", site.name), site.result, site.span));
            };
            let place = self.place_of_name(symbol, argument)?;
            handler.push(self.load(place, site.span)?.operand);
        }
        self.call_prelude("__gordian_push_clean_up", handler, site);
        Ok(self.constant_result(site, 0))
    }

    pub fn pop_clean_up(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.call_prelude("__gordian_pop_clean_up", Vec::new(), site);
        Ok(self.constant_result(site, 0))
    }

    pub fn thrd_exit(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let status = self.argument_as(site, 0, TypeTable::INT)?;
        let value = Value::scalar(status, TypeTable::INT);
        let value = self.convert(value, TypeTable::VOID_POINTER, site.span)?;
        self.end_thread(value.operand, site);
        Ok(self.placeholder(site.result))
    }

    pub fn pthread_self(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let word = self.pointer_int();
        let target = self.f.builder.temporary(word);
        self.emit(InstructionKind::CurrentThread { target }, site.span);
        let value = Value::scalar(Operand::Register(target), TypeTable::UNSIGNED_LONG);
        self.convert(value, site.result, site.span)
    }

    pub fn pthread_equal(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let left = self.argument(site, 0)?;
        let right = self.argument(site, 1)?;
        self.binary(crate::ast::BinaryOp::Equal, left, right, site.span)
    }

    pub fn yield_call(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.evaluate_arguments(site)?;
        self.emit(InstructionKind::Yield, site.span);
        Ok(self.constant_result(site, 0))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Attributes

    /// The size of what the first parameter points to, where that is known.
    fn attribute_size(&mut self, site: &CallSite<'_>) -> Operand {
        let target = site.parameters.first().and_then(|parameter| self.link.types.pointee(parameter.ty));
        let size = target.and_then(|target| self.link.types.size_of(target.ty)).unwrap_or(4);
        self.size_operand(size.max(4))
    }

    pub fn attribute_init(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let target = self.pointer_argument(site, 0)?;
        self.f.builder.pin(target);
        let size = self.attribute_size(site);
        if size != self.size_operand(4) {
            self.emit(InstructionKind::SetMemory { target, byte: Operand::int(8, 0), size }, site.span);
        }
        self.store_attribute(target, Operand::int(32, 0), site.span);
        Ok(self.constant_result(site, 0))
    }

    pub fn attribute_set(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let address = self.pointer_argument(site, 0)?;
        self.f.builder.pin(address);
        let value = self.argument_as(site, 1, TypeTable::INT)?;
        self.f.builder.pin(value);
        let size = self.attribute_size(site);
        if size != self.size_operand(4) {
            self.read_block(address, size, false, site)?;
        }
        let (field, most) = match site.name {
            "pthread_mutexattr_settype" => (Some(address), 3),
            "pthread_attr_setschedpolicy" => (self.policy_field(address, site), 2),
            _ => (Some(address), 1),
        };
        let is_known = self.is_between(value, 32, Range { low: 0, high: most }, site.span);
        self.f.builder.pin(is_known);
        let (inside, join) = (self.f.builder.new_block(), self.f.builder.new_block());
        self.f.builder.branch(is_known, inside, join, site.span);
        self.f.builder.switch_to(inside);
        if let Some(field) = field {
            self.store_attribute(field, value, site.span);
        }
        self.f.builder.goto(join, site.span);
        self.f.builder.switch_to(join);
        let (zero, error) = (Operand::int(32, 0), Operand::int(32, EINVAL));
        let result = self.choose(is_known, Type::Int(32), zero, error, site.span);
        self.convert(Value::scalar(result, TypeTable::INT), site.result, site.span)
    }

    /// The policy of scheduling lies behind the state, if there is room; 0 is the ordinary one.
    fn policy_field(&mut self, attribute: Operand, site: &CallSite<'_>) -> Option<Operand> {
        let has_room = matches!(self.attribute_size(site), Operand::Int { value: 8.., .. });
        if !has_room {
            return None;
        }
        let field = self.address_operand(Address::at(attribute).plus(4), site.span);
        Some(self.f.builder.pin(field))
    }

    /// `pthread_attr_setschedparam`: the policy says which priorities there are.
    pub fn set_priority(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let attribute = self.pointer_argument(site, 0)?;
        self.f.builder.pin(attribute);
        let parameter = self.pointer_argument(site, 1)?;
        self.f.builder.pin(parameter);
        let size = self.attribute_size(site);
        self.read_block(attribute, size, true, site)?;
        let priority = self.load_plain(parameter, Type::Int(32), site.span);
        self.f.builder.pin(priority);
        let policy = match self.policy_field(attribute, site) {
            Some(field) => self.load_plain(field, Type::Int(32), site.span),
            None => self.input(TypeTable::INT, site.span).operand,
        };
        self.f.builder.pin(policy);
        let none = self.is_between(priority, 32, Range { low: 0, high: 0 }, site.span);
        let some = self.is_between(priority, 32, Range { low: 1, high: 99 }, site.span);
        let is_ordinary = self.is_between(policy, 32, Range { low: 0, high: 0 }, site.span);
        let fits = self.choose(is_ordinary, Type::BOOL, none, some, site.span);
        let (zero, error) = (Operand::int(32, 0), Operand::int(32, EINVAL));
        let result = self.choose(fits, Type::Int(32), zero, error, site.span);
        self.convert(Value::scalar(result, TypeTable::INT), site.result, site.span)
    }

    pub fn set_thread_name(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.argument(site, 0)?;
        let name = self.pointer_argument(site, 1)?;
        let result = self.prelude_value("__gordian_name_thread", vec![name], site);
        self.convert(Value::scalar(result, TypeTable::INT), site.result, site.span)
    }

    pub fn attribute_get(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let address = self.pointer_argument(site, 0)?;
        self.f.builder.pin(address);
        let size = self.attribute_size(site);
        if size != self.size_operand(4) {
            self.read_block(address, size, false, site)?;
        }
        let pointer = self.int_pointer(site, 1)?;
        let value = self.load_plain(address, Type::Int(32), site.span);
        let place = self.dereference(pointer, site.span)?;
        let value = self.convert(Value::scalar(value, TypeTable::INT), place.ty.ty, site.span)?;
        self.store(place, value, site.span)?;
        Ok(self.constant_result(site, 0))
    }

    fn int_pointer(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<Value> {
        let ty = self.link.types.pointer_to(QualType::plain(TypeTable::INT));
        let operand = self.argument_as(site, index, ty)?;
        Ok(Value::scalar(self.f.builder.pin(operand), ty))
    }

    pub fn store_attribute(&mut self, address: Operand, value: Operand, span: Span) {
        let (ty, order) = (Type::Int(32), MemoryOrder::NonAtomic);
        self.emit(InstructionKind::Store { address, value, ty, order }, span);
    }

    /// What an attribute object says, 0 if there is none.
    fn attribute_value(&mut self, attributes: Operand, span: Span) -> Lowered<Operand> {
        if attributes == Operand::Null {
            return Ok(Operand::int(32, 0));
        }
        if !matches!(attributes, Operand::Register(_)) {
            return Ok(self.load_plain(attributes, Type::Int(32), span));
        }
        let result = self.f.builder.pinned(Type::Int(32));
        self.f.builder.assign(result, Operand::int(32, 0), span);
        self.if_not_null(attributes, span, |lowerer| {
            let value = lowerer.load_plain(attributes, Type::Int(32), span);
            lowerer.f.builder.assign(result, value, span);
            Ok(())
        })?;
        Ok(Operand::Register(result))
    }

    fn attribute_is_set(&mut self, attributes: Operand, span: Span) -> Lowered<Operand> {
        let value = self.attribute_value(attributes, span)?;
        self.truth(Value::scalar(value, TypeTable::INT), span)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Locks and conditions

    pub fn mutex_init(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let mutex = self.pointer_argument(site, 0)?;
        let attributes = match site.arguments.len() {
            1 => Operand::Null,
            _ => self.pointer_argument(site, 1)?,
        };
        self.f.builder.pin(mutex);
        let kind = self.attribute_value(attributes, site.span)?;
        Ok(self.sync(site, SyncOp::MutexInit, vec![mutex, kind]))
    }

    /// `mtx_recursive` is bit 0 of the type.
    pub fn mtx_init(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let mutex = self.pointer_argument(site, 0)?;
        let kind = self.argument_as(site, 1, TypeTable::INT)?;
        let ty = Type::Int(32);
        let masked = Rvalue::Binary { op: BinaryOp::And, ty, left: kind, right: Operand::int(32, 1), signed: false };
        let kind = self.compute(masked, ty, site.span);
        Ok(self.sync(site, SyncOp::MutexInit, vec![mutex, kind]))
    }

    /// C11's functions report `thrd_busy`, `thrd_timedout` and `thrd_error` instead of error numbers.
    pub fn c11_sync(&mut self, site: &CallSite<'_>, op: SyncOp) -> Lowered<Value> {
        let result = self.sync_call(site, op)?;
        Ok(self.c11_result(result, site))
    }

    fn c11_result(&mut self, result: Value, site: &CallSite<'_>) -> Value {
        if result.form == Form::Void {
            return result;
        }
        let ty = Type::Int(32);
        let int = |value| Operand::int(32, value);
        let result_operand = self.f.builder.pin(result.operand);
        let is = |lowerer: &mut Self, number: u64| {
            let test = Rvalue::Binary { op: BinaryOp::Eq, ty, left: result_operand, right: int(number), signed: false };
            lowerer.compute(test, Type::BOOL, site.span)
        };
        let ok = is(self, 0);
        let busy = is(self, EBUSY);
        let timed_out = is(self, ETIMEDOUT);
        let select = |condition, then, otherwise| Rvalue::Select { condition, ty, then, otherwise };
        let failed = self.compute(select(timed_out, int(THRD_TIMEDOUT), int(THRD_ERROR)), ty, site.span);
        let failed = self.compute(select(busy, int(THRD_BUSY), failed), ty, site.span);
        let operand = self.compute(select(ok, int(0), failed), ty, site.span);
        Value::scalar(operand, TypeTable::INT)
    }

    pub fn cond_wait(&mut self, site: &CallSite<'_>, end: SyncOp) -> Lowered<Value> {
        let condition = self.pointer_argument(site, 0)?;
        self.f.builder.pin(condition);
        let mutex = self.pointer_argument(site, 1)?;
        self.f.builder.pin(mutex);
        let result = self.f.builder.pinned(Type::Int(32));
        let join = self.f.builder.new_block();
        if is_timed(end) {
            let is_valid = self.deadline(site, 2)?;
            self.leave_unless(is_valid, result, Operand::int(32, EINVAL), join, site);
        }
        let begin = |target, op| InstructionKind::Sync { target, op, operands: vec![condition, mutex] };
        let refused = self.f.builder.pinned(Type::Int(32));
        self.emit(begin(Some(refused), SyncOp::CondWaitBegin), site.span);
        let refused = Operand::Register(refused);
        let is_begun = self.equals(refused, 0, site.span);
        self.leave_unless(is_begun, result, refused, join, site);
        self.emit(begin(Some(result), end), site.span);
        if is_timed(end) {
            self.tell_time(result, join, site)?;
        }
        self.f.builder.goto(join, site.span);
        self.f.builder.switch_to(join);
        Ok(self.int_result(Operand::Register(result), site))
    }

    fn equals(&mut self, left: Operand, number: u64, span: Span) -> Operand {
        let (ty, right) = (Type::Int(32), Operand::int(32, number));
        self.compute(Rvalue::Binary { op: BinaryOp::Eq, ty, left, right, signed: false }, Type::BOOL, span)
    }

    /// Goes on if the condition holds, and to `join` with this error as the result otherwise.
    fn leave_unless(
        &mut self,
        condition: Operand,
        result: RegisterId,
        error: Operand,
        join: BlockId,
        site: &CallSite<'_>,
    ) {
        let [go_on, leave] = std::array::from_fn(|_| self.f.builder.new_block());
        self.f.builder.branch(condition, go_on, leave, site.span);
        self.f.builder.switch_to(leave);
        self.f.builder.assign(result, error, site.span);
        self.f.builder.goto(join, site.span);
        self.f.builder.switch_to(go_on);
    }

    /// A timed wait that no signal has ended may end spuriously, too, and then returns zero. One that a signal has ended may
    /// have been late: the time was over, and the thread waited for the mutex already.
    fn tell_time(&mut self, result: RegisterId, join: BlockId, site: &CallSite<'_>) -> Lowered<()> {
        let [signalled, unsignalled] = std::array::from_fn(|_| self.f.builder.new_block());
        let gave_up = self.equals(Operand::Register(result), ETIMEDOUT, site.span);
        self.f.builder.branch(gave_up, unsignalled, signalled, site.span);
        let (in_time, late) = (Operand::int(32, 0), Operand::int(32, ETIMEDOUT));
        self.f.builder.switch_to(signalled);
        self.choose_result(result, "__gordian_is_too_late", (late, in_time), site)?;
        self.f.builder.goto(join, site.span);
        self.f.builder.switch_to(unsignalled);
        if self.link.options.no_spurious_wake_ups {
            return Ok(());
        }
        self.choose_result(result, "__gordian_wakes_up_spuriously", (in_time, late), site)
    }

    /// The first of the values if the environment says so, else the second.
    fn choose_result(
        &mut self,
        result: RegisterId,
        question: &str,
        (yes, no): (Operand, Operand),
        site: &CallSite<'_>,
    ) -> Lowered<()> {
        let answer = self.prelude_value(question, Vec::new(), site);
        let answer = self.truth(Value::scalar(answer, TypeTable::INT), site.span)?;
        let chosen = self.choose(answer, Type::Int(32), yes, no, site.span);
        self.f.builder.assign(result, chosen, site.span);
        Ok(())
    }

    pub fn cnd_wait(&mut self, site: &CallSite<'_>, end: SyncOp) -> Lowered<Value> {
        let result = self.cond_wait(site, end)?;
        Ok(self.c11_result(result, site))
    }

    pub fn barrier_init(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let barrier = self.pointer_argument(site, 0)?;
        self.f.builder.pin(barrier);
        let attributes = self.pointer_argument(site, 1)?;
        self.if_not_null(attributes, site.span, |lowerer| {
            lowerer.read_block(attributes, lowerer.size_operand(4), false, site)
        })?;
        let count = self.argument_as(site, 2, TypeTable::INT)?;
        Ok(self.sync(site, SyncOp::BarrierInit, vec![barrier, count]))
    }

    pub fn barrier_wait(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let barrier = self.pointer_argument(site, 0)?;
        self.f.builder.pin(barrier);
        let arrive = InstructionKind::Sync { target: None, op: SyncOp::BarrierArrive, operands: vec![barrier] };
        self.emit(arrive, site.span);
        Ok(self.sync(site, SyncOp::BarrierLeave, vec![barrier]))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Semaphores and once

    pub fn sem_init(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let semaphore = self.pointer_argument(site, 0)?;
        self.argument(site, 1)?;
        let value = self.argument_as(site, 2, TypeTable::INT)?;
        let result = self.sync(site, SyncOp::SemInit, vec![semaphore, value]);
        self.minus_one_and_errno(result, site)
    }

    /// Semaphore functions return -1 and leave the error number in `errno`.
    pub fn sem_call(&mut self, site: &CallSite<'_>, op: SyncOp) -> Lowered<Value> {
        let result = self.sync_call(site, op)?;
        match op {
            SyncOp::SemWait => Ok(result),
            _ => self.minus_one_and_errno(result, site),
        }
    }

    /// Instead of an error number: -1, and the number in `errno`.
    fn minus_one_and_errno(&mut self, result: Value, site: &CallSite<'_>) -> Lowered<Value> {
        if result.form == Form::Void {
            return Ok(result);
        }
        let error = self.f.builder.pin(result.operand);
        let failed = self.truth(Value::scalar(error, TypeTable::INT), site.span)?;
        let (inside, join) = (self.f.builder.new_block(), self.f.builder.new_block());
        self.f.builder.branch(failed, inside, join, site.span);
        self.f.builder.switch_to(inside);
        let address = Operand::Global { global: self.link.errno(), offset: 0 };
        self.store_attribute(address, error, site.span);
        self.f.builder.goto(join, site.span);
        self.f.builder.switch_to(join);
        let minus_one = Operand::int(32, u64::MAX);
        let ty = Type::Int(32);
        let select = Rvalue::Select { condition: failed, ty, then: minus_one, otherwise: Operand::int(32, 0) };
        Ok(Value::scalar(self.compute(select, ty, site.span), TypeTable::INT))
    }

    pub fn sem_getvalue(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let semaphore = self.pointer_argument(site, 0)?;
        let pointer = self.int_pointer(site, 1)?;
        let place = self.dereference(pointer, site.span)?;
        let value = self.sync(site, SyncOp::SemGetValue, vec![semaphore]);
        let value = self.convert(Value::scalar(value.operand, TypeTable::INT), place.ty.ty, site.span)?;
        self.store(place, value, site.span)?;
        Ok(self.constant_result(site, 0))
    }

    pub fn once(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let control = self.pointer_argument(site, 0)?;
        let routine = self.pointer_argument(site, 1)?;
        self.f.builder.pin(control);
        self.f.builder.pin(routine);
        let mine = self.f.builder.temporary(Type::Int(32));
        let begin = InstructionKind::Sync { target: Some(mine), op: SyncOp::OnceBegin, operands: vec![control] };
        self.emit(begin, site.span);
        let mine = self.truth(Value::scalar(Operand::Register(mine), TypeTable::INT), site.span)?;
        let (inside, join) = (self.f.builder.new_block(), self.f.builder.new_block());
        self.f.builder.branch(mine, inside, join, site.span);
        self.f.builder.switch_to(inside);
        let callee = match routine {
            Operand::Function(function) => Callee::Direct(function),
            operand => Callee::Indirect(operand),
        };
        self.emit(InstructionKind::Call { target: None, callee, arguments: Vec::new() }, site.span);
        let end = InstructionKind::Sync { target: None, op: SyncOp::OnceEnd, operands: vec![control] };
        self.emit(end, site.span);
        self.f.builder.goto(join, site.span);
        self.f.builder.switch_to(join);
        Ok(self.constant_result(site, 0))
    }

    /// A place for a scalar of IR type pointer at an address operand.
    pub fn pointer_cell(&mut self, address: Operand) -> Place {
        let ty = QualType::plain(TypeTable::VOID_POINTER);
        Place { kind: PlaceKind::Memory(Address::at(address)), ty }
    }
}
