//! Threads: which IR instruction each function of `<pthread.h>` and `<threads.h>` that creates, joins or ends them becomes.

use program::{AllocationKind, BinaryOp, Callee, InstructionKind, MemoryOrder, Operand, Rvalue, TerminatorKind, Type};

use super::attributes::attribute_is_set;
use super::call::CallLowering;
use super::failing::Failing;
use super::synchronisation::c11_result;
use crate::ctype::{TypeId, TypeTable};
use crate::emit::value::{CValue, LValue, Lowered, PlaceKind};
use crate::prelude::{RELEASE_THREAD_NUMBER, RUN_KEY_DESTRUCTORS, START_THREAD};
use crate::process_end::{BEGIN_THREAD, END_THREAD};

/// Error numbers of Linux, and what C11's functions return in glibc.
const EAGAIN: u64 = 11;
const THRD_ERROR: u64 = 2;

pub fn pthread_create(call: &mut CallLowering) -> Lowered<CValue> {
    let handle = result_place(call, 0)?;
    let attributes = call.pointer_argument(1)?;
    let detached = attribute_is_set(call, attributes)?;
    let function = thread_function(call, 2)?;
    let argument = call.pointer_argument(3)?;
    spawn(call, handle, function, argument, detached)
}

/// `thrd_create(handle, function, argument)`.
pub fn thrd_create(call: &mut CallLowering) -> Lowered<CValue> {
    let handle = result_place(call, 0)?;
    let function = thread_function(call, 1)?;
    let argument = call.pointer_argument(2)?;
    call.link_mut().runs_c11_threads = true;
    spawn(call, handle, function, argument, Operand::FALSE)
}

fn thread_function(call: &mut CallLowering, index: usize) -> Lowered<Callee> {
    let value = call.argument(index)?;
    match value.operand {
        Operand::Function(function) => Ok(Callee::Direct(function)),
        _ if call.types().register_type(value.ty) == Some(Type::Pointer) => Ok(Callee::Indirect(value.operand)),
        _ => call.error("type", "the thread function is not a function"),
    }
}

fn spawn(
    call: &mut CallLowering,
    handle: Option<LValue>,
    function: Callee,
    argument: Operand,
    detached: Operand,
) -> Lowered<CValue> {
    let (enabled, ty) = (call.link().options.failures.creation, Type::Int(32));
    // C11 has an error number of its own, thrd_error, and does not say that the handle is lost.
    let (number, lost) = if call.site.name.starts_with("thrd") { (THRD_ERROR, None) } else { (EAGAIN, handle) };
    let failing = Failing { enabled, ty, result: Operand::int(32, number), errno: None, lost };
    let error = call.or_fails(&failing, |call| {
        create(call, handle, function, argument, detached)?;
        Ok(Operand::int(32, 0))
    })?;
    Ok(if enabled { call.int_result(error) } else { call.constant_result(0) })
}

fn create(
    call: &mut CallLowering,
    handle: Option<LValue>,
    function: Callee,
    argument: Operand,
    detached: Operand,
) -> Lowered<()> {
    let (function, argument) = match function {
        // The result of a C11 thread is no pointer, so that its function must be called by another type.
        Callee::Indirect(pointer) if call.site.name == "thrd_create" => {
            start_through_pointer(call, "__gordian_start_c11_thread", pointer, argument)
        }
        Callee::Indirect(pointer) if call.link().acts_at_thread_ends() => {
            start_through_pointer(call, START_THREAD, pointer, argument)
        }
        _ => (function, argument),
    };
    if call.link().ends.counts_threads() {
        call.pin(argument);
        call.pin(detached);
        call.call_prelude(BEGIN_THREAD, Vec::new());
    }
    let target = call.temporary(call.pointer_int());
    let store = handle.and_then(|place| handle_address(call, place));
    call.instruction(InstructionKind::Spawn { target, store, function, argument, detached });
    if let (Some(place), None) = (handle, store) {
        let value = CValue::scalar(Operand::Register(target), TypeTable::UNSIGNED_LONG);
        let value = call.convert(value, place.ty.ty)?;
        call.store(place, value)?;
    }
    Ok(())
}

/// Where the creation itself stores the handle: in memory, unless the program's type for handles is an odd one.
fn handle_address(call: &mut CallLowering, place: LValue) -> Option<Operand> {
    let is_word = call.types().register_type(place.ty.ty) == Some(call.pointer_int());
    match place.kind {
        PlaceKind::Memory(address) if is_word => Some(call.address_operand(address)),
        _ => None,
    }
}

/// A known function as the start of a thread, so that it can have a known end: it calls what the pointer names.
fn start_through_pointer(
    call: &mut CallLowering,
    starter: &str,
    function: Operand,
    argument: Operand,
) -> (Callee, Operand) {
    let model = call.types().model;
    call.pin(function);
    call.pin(argument);
    let start = call.pinned(Type::Pointer);
    let size = Operand::int(model.pointer_bits(), 2 * model.pointer_bytes());
    let (align, kind) = (model.pointer_bytes(), AllocationKind::Library);
    call.instruction(InstructionKind::Allocate { target: start, size, zeroed: true, align, kind, shape: None });
    let (ty, order) = (Type::Pointer, MemoryOrder::NonAtomic);
    let start = Operand::Register(start);
    call.instruction(InstructionKind::Store { address: start, value: function, ty, order });
    let offset = Operand::offset(model.pointer_bytes() as i64);
    let second = call.compute(Rvalue::PointerAdd { pointer: start, offset }, ty);
    call.instruction(InstructionKind::Store { address: second, value: argument, ty, order });
    let starter = call.link_mut().prelude_function(starter);
    call.link_mut().needs_prelude(starter);
    (Callee::Direct(starter), start)
}

/// Where a result goes: `&x` of a register variable is written like an assignment; null means nowhere.
fn result_place(call: &mut CallLowering, index: usize) -> Lowered<Option<LValue>> {
    if let Some(&argument) = call.site.arguments.get(index)
        && let Some(place) = call.register_argument(argument)
    {
        return Ok(Some(place));
    }
    let mut pointer = call.argument(index)?;
    if matches!(pointer.operand, Operand::Null | Operand::Int { value: 0, .. }) {
        return Ok(None);
    }
    if let Some(parameter) = call.site.parameters.get(index) {
        pointer = call.convert(pointer, parameter.ty)?;
    }
    let place = call.dereference(pointer)?;
    Ok(Some(call.fixed(place)))
}

fn thread_argument(call: &mut CallLowering) -> Lowered<Operand> {
    call.argument_as(0, TypeTable::UNSIGNED_LONG)
}

pub fn pthread_join(call: &mut CallLowering) -> Lowered<CValue> {
    let thread = thread_argument(call)?;
    let place = match call.site.arguments.len() {
        1 => None,
        _ => result_place(call, 1)?,
    };
    let error = join(call, thread, place, TypeTable::VOID_POINTER)?;
    Ok(call.int_result(error))
}

/// Joins, and stores the result as a value of this type unless the join fails; returns the error code.
fn join(call: &mut CallLowering, thread: Operand, place: Option<LValue>, ty: TypeId) -> Lowered<Operand> {
    let _span = call.site.span;
    let error = call.pinned(Type::Int(32));
    let target = place.map(|_| call.pinned(Type::Pointer));
    call.instruction(InstructionKind::Join { target, error: Some(error), thread });
    let error = Operand::Register(error);
    let (Some(place), Some(target)) = (place, target) else { return Ok(error) };
    let pointer = CValue::scalar(Operand::Register(target), TypeTable::VOID_POINTER);
    let (word, right) = (Type::Int(32), Operand::int(32, 0));
    let failed = Rvalue::Binary { op: BinaryOp::Ne, ty: word, left: error, right, signed: false };
    let failed = call.compute(failed, Type::BOOL);
    match place.kind {
        PlaceKind::Register(register) if call.emit_with(|emit, _| emit.has_no_value(register)) => {
            let (bad, good, join) = (call.new_block(), call.new_block(), call.new_block());
            call.branch(failed, bad, good);
            call.switch_to(bad);
            let (ty_here, kind) = (call.register_type(place.ty.ty), program::NondetKind::Indeterminate);
            call.instruction(InstructionKind::Nondet { target: register, ty: ty_here, kind });
            call.goto(join);
            call.switch_to(good);
            let value = call.convert(pointer, ty)?;
            let value = call.convert(value, place.ty.ty)?;
            call.store(place, value)?;
            call.goto(join);
            call.switch_to(join);
        }
        PlaceKind::Register(register) => {
            let value = call.convert(pointer, ty)?;
            let value = call.convert(value, place.ty.ty)?;
            let register_type = call.register_type(place.ty.ty);
            let kept = call.choose(failed, register_type, Operand::Register(register), value.operand);
            call.assign(register, kept);
        }
        _ => call.unless(failed, |call| {
            let value = call.convert(pointer, ty)?;
            store_result(call, place, value)
        })?,
    }
    Ok(error)
}

fn store_result(call: &mut CallLowering, place: LValue, value: CValue) -> Lowered<()> {
    let value = call.convert(value, place.ty.ty)?;
    match place.kind {
        PlaceKind::Memory(address) => {
            let _span = call.site.span;
            call.if_not_null(address.base, |call| call.store(place, value))
        }
        _ => call.store(place, value),
    }
}

pub fn thrd_join(call: &mut CallLowering) -> Lowered<CValue> {
    let thread = thread_argument(call)?;
    let place = result_place(call, 1)?;
    let error = join(call, thread, place, TypeTable::INT)?;
    let result = call.int_result(error);
    Ok(c11_result(call, result))
}

pub fn thrd_detach(call: &mut CallLowering) -> Lowered<CValue> {
    let result = pthread_detach(call)?;
    Ok(c11_result(call, result))
}

pub fn pthread_detach(call: &mut CallLowering) -> Lowered<CValue> {
    let thread = thread_argument(call)?;
    let error = call.temporary(Type::Int(32));
    call.instruction(InstructionKind::Detach { error: Some(error), thread });
    Ok(call.int_result(Operand::Register(error)))
}

pub fn pthread_exit(call: &mut CallLowering) -> Lowered<CValue> {
    let value = call.pointer_argument(0)?;
    if call.link().unwinds {
        let what = format!("`{}` that may leave objects with the attribute `cleanup`", call.site.name);
        call.unsupported(what, TypeTable::VOID);
    }
    end_thread(call, value);
    Ok(call.placeholder())
}

fn end_thread(call: &mut CallLowering, value: Operand) {
    if call.link().may_leave_once {
        call.pin(value);
        call.call_prelude("__gordian_check_once", Vec::new());
    }
    if call.link().uses_clean_ups {
        call.pin(value);
        call.call_prelude("__gordian_run_clean_ups", Vec::new());
    }
    if call.link().uses_keys {
        call.pin(value);
        call.call_prelude(RUN_KEY_DESTRUCTORS, Vec::new());
    }
    if call.link().uses_thread_numbers {
        call.pin(value);
        call.call_prelude(RELEASE_THREAD_NUMBER, Vec::new());
    }
    if call.link().ends.counts_threads() {
        call.pin(value);
        call.call_prelude(END_THREAD, Vec::new());
    }
    call.terminate(TerminatorKind::ThreadExit(value));
}

/// `pthread_cleanup_push`: the macros keep the routine and its argument in variables of these names.
pub fn push_clean_up(call: &mut CallLowering) -> Lowered<CValue> {
    let mut handler = Vec::new();
    for name in ["__cancel_routine", "__cancel_arg"] {
        let Some(place) = call.variable(name)? else {
            return Ok(call.unsupported(format!("`{}` outside of its macro", call.site.name), call.site.result));
        };
        handler.push(call.load(place)?.operand);
    }
    call.call_prelude("__gordian_push_clean_up", handler);
    Ok(call.constant_result(0))
}

pub fn pop_clean_up(call: &mut CallLowering) -> Lowered<CValue> {
    call.call_prelude("__gordian_pop_clean_up", Vec::new());
    Ok(call.constant_result(0))
}

pub fn thrd_exit(call: &mut CallLowering) -> Lowered<CValue> {
    let status = call.argument_as(0, TypeTable::INT)?;
    let value = CValue::scalar(status, TypeTable::INT);
    let value = call.convert(value, TypeTable::VOID_POINTER)?;
    end_thread(call, value.operand);
    Ok(call.placeholder())
}

pub fn pthread_self(call: &mut CallLowering) -> Lowered<CValue> {
    let word = call.pointer_int();
    let target = call.temporary(word);
    call.instruction(InstructionKind::CurrentThread { target });
    let value = CValue::scalar(Operand::Register(target), TypeTable::UNSIGNED_LONG);
    call.convert(value, call.site.result)
}

pub fn pthread_equal(call: &mut CallLowering) -> Lowered<CValue> {
    let left = call.argument(0)?;
    let right = call.argument(1)?;
    let equal = call.emit_with(|emit, span| emit.binary(crate::ast::BinaryOp::Equal, left, right, span))?;
    if !call.site.wants_value() {
        return Ok(equal);
    }
    // Any number but zero stands for yes.
    let equal = call.emit_with(|emit, span| emit.materialise(equal, span))?;
    let equal = call.convert(equal, TypeTable::INT)?;
    let answer = call.prelude_value("__gordian_any_truth", vec![equal.operand]);
    call.convert(CValue::scalar(answer, TypeTable::INT), call.site.result)
}

pub fn yield_call(call: &mut CallLowering) -> Lowered<CValue> {
    call.evaluate_arguments()?;
    call.instruction(InstructionKind::Yield);
    Ok(call.constant_result(0))
}
