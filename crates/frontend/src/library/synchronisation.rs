//! Mutexes, condition variables, read-write and spin locks, barriers, semaphores, once: which IR instruction each function of
//! `<pthread.h>`, `<semaphore.h>` and `<threads.h>` becomes. What the operations mean is said in the crate `sync`.

use program::{BinaryOp, BlockId, Callee, InstructionKind, Operand, RegisterId, Rvalue, SyncOp, Type};

use super::attributes::{attribute_value, int_pointer};
use super::call::CallLowering;
use super::contract::{contract_arguments_from, read_block};
use crate::ctype::TypeTable;
use crate::emit::value::{CValue, Form, Lowered};

/// Error numbers of Linux, the numbers of clocks, and what C11's functions return in glibc.
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

/// An operation whose only operand is its first argument. Of the others, attributes are read, and the deadline of an
/// operation that gives up when its time has come.
pub fn sync_call(call: &mut CallLowering, op: SyncOp) -> Lowered<CValue> {
    let object = call.pointer_argument(0)?;
    call.pin(object);
    if is_timed(op) {
        let is_valid = deadline(call, 1)?;
        if op == SyncOp::MutexTimedLock {
            let result = sync(call, op, vec![object]);
            return Ok(timed_result(call, result, is_valid));
        }
        let result = call.pinned(Type::Int(32));
        let join = call.new_block();
        leave_unless(call, is_valid, result, Operand::int(32, EINVAL), join);
        call.instruction(InstructionKind::Sync { target: Some(result), op, operands: vec![object] });
        call.goto(join);
        call.switch_to(join);
        return Ok(call.int_result(Operand::Register(result)));
    }
    other_arguments(call, 1)?;
    Ok(sync(call, op, vec![object]))
}

/// Arguments from the n-th on that matter only in that they are read.
fn other_arguments(call: &mut CallLowering, first: usize) -> Lowered<()> {
    let values = contract_arguments_from(call, first)?;
    for value in values {
        let target = call.types().pointee(value.ty);
        let Some(size) = target.and_then(|target| call.types().size_of(target.ty)) else { continue };
        let size = call.size_operand(size);
        let address = call.convert(value, TypeTable::VOID_POINTER)?.operand;
        call.if_not_null(address, |call| read_block(call, address, size, false))?;
    }
    Ok(())
}

/// Reads the time until which to wait, the last of the arguments from the n-th on: whether it is one.
fn deadline(call: &mut CallLowering, first: usize) -> Lowered<Operand> {
    let last = call.site.arguments.len().saturating_sub(1);
    for index in first..last {
        let clock = call.argument(index)?;
        if !matches!(clock.operand, Operand::Int { value: CLOCK_REALTIME | CLOCK_MONOTONIC, .. }) {
            call.unsupported("a wait until a time of another clock", TypeTable::VOID);
        }
    }
    if last < first {
        return Ok(Operand::TRUE);
    }
    let time = call.pointer_argument(last)?;
    call.pin(time);
    let is_valid = call.prelude_value("__gordian_is_deadline", vec![time]);
    call.pin(is_valid);
    call.call_prelude("__gordian_tell_deadline", vec![time]);
    call.truth(CValue::scalar(is_valid, TypeTable::INT))
}

/// A mutex that would have to be waited for until a time that is none is refused; others look at the time first.
fn timed_result(call: &mut CallLowering, result: CValue, is_valid: Operand) -> CValue {
    if result.form == Form::Void || is_valid == Operand::TRUE {
        return result;
    }
    let ty = Type::Int(32);
    let (left, right) = (call.pin(result.operand), Operand::int(32, ETIMEDOUT));
    let gave_up = call.compute(Rvalue::Binary { op: BinaryOp::Eq, ty, left, right, signed: false }, Type::BOOL);
    let error = call.choose(is_valid, ty, right, Operand::int(32, EINVAL));
    let operand = call.choose(gave_up, ty, error, left);
    CValue::scalar(operand, result.ty)
}

fn sync(call: &mut CallLowering, op: SyncOp, operands: Vec<Operand>) -> CValue {
    let target = call.temporary(Type::Int(32));
    call.instruction(InstructionKind::Sync { target: Some(target), op, operands });
    call.int_result(Operand::Register(target))
}

// -----------------------------------------------------------------------------------------------------------------
// Locks and conditions

pub fn mutex_init(call: &mut CallLowering) -> Lowered<CValue> {
    let mutex = call.pointer_argument(0)?;
    let attributes = match call.site.arguments.len() {
        1 => Operand::Null,
        _ => call.pointer_argument(1)?,
    };
    call.pin(mutex);
    let kind = attribute_value(call, attributes)?;
    Ok(sync(call, SyncOp::MutexInit, vec![mutex, kind]))
}

/// `mtx_recursive` is bit 0 of the type.
pub fn mtx_init(call: &mut CallLowering) -> Lowered<CValue> {
    let mutex = call.pointer_argument(0)?;
    let kind = call.argument_as(1, TypeTable::INT)?;
    let ty = Type::Int(32);
    let masked = Rvalue::Binary { op: BinaryOp::And, ty, left: kind, right: Operand::int(32, 1), signed: false };
    let kind = call.compute(masked, ty);
    Ok(sync(call, SyncOp::MutexInit, vec![mutex, kind]))
}

/// C11's functions report `thrd_busy`, `thrd_timedout` and `thrd_error` instead of error numbers.
pub fn c11_sync(call: &mut CallLowering, op: SyncOp) -> Lowered<CValue> {
    let result = sync_call(call, op)?;
    Ok(c11_result(call, result))
}

pub fn c11_result(call: &mut CallLowering, result: CValue) -> CValue {
    if result.form == Form::Void {
        return result;
    }
    let ty = Type::Int(32);
    let int = |value| Operand::int(32, value);
    let result_operand = call.pin(result.operand);
    let is = |call: &mut CallLowering, number: u64| {
        let test = Rvalue::Binary { op: BinaryOp::Eq, ty, left: result_operand, right: int(number), signed: false };
        call.compute(test, Type::BOOL)
    };
    let ok = is(call, 0);
    let busy = is(call, EBUSY);
    let timed_out = is(call, ETIMEDOUT);
    let select = |condition, then, otherwise| Rvalue::Select { condition, ty, then, otherwise };
    let failed = call.compute(select(timed_out, int(THRD_TIMEDOUT), int(THRD_ERROR)), ty);
    let failed = call.compute(select(busy, int(THRD_BUSY), failed), ty);
    let operand = call.compute(select(ok, int(0), failed), ty);
    CValue::scalar(operand, TypeTable::INT)
}

pub fn cond_wait(call: &mut CallLowering, end: SyncOp) -> Lowered<CValue> {
    let condition = call.pointer_argument(0)?;
    call.pin(condition);
    let mutex = call.pointer_argument(1)?;
    call.pin(mutex);
    let result = call.pinned(Type::Int(32));
    let join = call.new_block();
    if is_timed(end) {
        let is_valid = deadline(call, 2)?;
        leave_unless(call, is_valid, result, Operand::int(32, EINVAL), join);
    }
    let begin = |target, op| InstructionKind::Sync { target, op, operands: vec![condition, mutex] };
    let refused = call.pinned(Type::Int(32));
    call.instruction(begin(Some(refused), SyncOp::CondWaitBegin));
    let refused = Operand::Register(refused);
    let is_begun = equals(call, refused, 0);
    leave_unless(call, is_begun, result, refused, join);
    call.instruction(begin(Some(result), end));
    if is_timed(end) {
        tell_time(call, result, join)?;
    }
    call.goto(join);
    call.switch_to(join);
    Ok(call.int_result(Operand::Register(result)))
}

fn equals(call: &mut CallLowering, left: Operand, number: u64) -> Operand {
    let (ty, right) = (Type::Int(32), Operand::int(32, number));
    call.compute(Rvalue::Binary { op: BinaryOp::Eq, ty, left, right, signed: false }, Type::BOOL)
}

/// Goes on if the condition holds, and to `join` with this error as the result otherwise.
fn leave_unless(call: &mut CallLowering, condition: Operand, result: RegisterId, error: Operand, join: BlockId) {
    let [go_on, leave] = std::array::from_fn(|_| call.new_block());
    call.branch(condition, go_on, leave);
    call.switch_to(leave);
    call.assign(result, error);
    call.goto(join);
    call.switch_to(go_on);
}

/// A timed wait that no signal has ended may end spuriously, too, and then returns zero. One that a signal has ended may
/// have been late: the time was over, and the thread waited for the mutex already.
fn tell_time(call: &mut CallLowering, result: RegisterId, join: BlockId) -> Lowered<()> {
    let [signalled, unsignalled] = std::array::from_fn(|_| call.new_block());
    let gave_up = equals(call, Operand::Register(result), ETIMEDOUT);
    call.branch(gave_up, unsignalled, signalled);
    let (in_time, late) = (Operand::int(32, 0), Operand::int(32, ETIMEDOUT));
    call.switch_to(signalled);
    choose_result(call, result, "__gordian_is_too_late", (late, in_time))?;
    call.goto(join);
    call.switch_to(unsignalled);
    if call.link().options.no_spurious_wake_ups {
        return Ok(());
    }
    choose_result(call, result, "__gordian_wakes_up_spuriously", (in_time, late))
}

/// The first of the values if the environment says so, else the second.
fn choose_result(
    call: &mut CallLowering,
    result: RegisterId,
    question: &str,
    (yes, no): (Operand, Operand),
) -> Lowered<()> {
    let answer = call.prelude_value(question, Vec::new());
    let answer = call.truth(CValue::scalar(answer, TypeTable::INT))?;
    let chosen = call.choose(answer, Type::Int(32), yes, no);
    call.assign(result, chosen);
    Ok(())
}

pub fn cnd_wait(call: &mut CallLowering, end: SyncOp) -> Lowered<CValue> {
    let result = cond_wait(call, end)?;
    Ok(c11_result(call, result))
}

pub fn barrier_init(call: &mut CallLowering) -> Lowered<CValue> {
    let barrier = call.pointer_argument(0)?;
    call.pin(barrier);
    let attributes = call.pointer_argument(1)?;
    call.if_not_null(attributes, |call| read_block(call, attributes, call.size_operand(4), false))?;
    let count = call.argument_as(2, TypeTable::INT)?;
    Ok(sync(call, SyncOp::BarrierInit, vec![barrier, count]))
}

pub fn barrier_wait(call: &mut CallLowering) -> Lowered<CValue> {
    let barrier = call.pointer_argument(0)?;
    call.pin(barrier);
    let arrive = InstructionKind::Sync { target: None, op: SyncOp::BarrierArrive, operands: vec![barrier] };
    call.instruction(arrive);
    Ok(sync(call, SyncOp::BarrierLeave, vec![barrier]))
}

// -----------------------------------------------------------------------------------------------------------------
// Semaphores and once

pub fn sem_init(call: &mut CallLowering) -> Lowered<CValue> {
    let semaphore = call.pointer_argument(0)?;
    call.argument(1)?;
    let value = call.argument_as(2, TypeTable::INT)?;
    let result = sync(call, SyncOp::SemInit, vec![semaphore, value]);
    minus_one_and_errno(call, result)
}

/// Semaphore functions return -1 and leave the error number in `errno`.
pub fn sem_call(call: &mut CallLowering, op: SyncOp) -> Lowered<CValue> {
    let result = sync_call(call, op)?;
    match op {
        SyncOp::SemWait => Ok(result),
        _ => minus_one_and_errno(call, result),
    }
}

/// Instead of an error number: -1, and the number in `errno`.
fn minus_one_and_errno(call: &mut CallLowering, result: CValue) -> Lowered<CValue> {
    if result.form == Form::Void {
        return Ok(result);
    }
    let error = call.pin(result.operand);
    let failed = call.truth(CValue::scalar(error, TypeTable::INT))?;
    let (inside, join) = (call.new_block(), call.new_block());
    call.branch(failed, inside, join);
    call.switch_to(inside);
    let address = Operand::Global { global: call.link_mut().errno(), offset: 0 };
    call.store_int(address, error);
    call.goto(join);
    call.switch_to(join);
    let minus_one = Operand::int(32, u64::MAX);
    let ty = Type::Int(32);
    let select = Rvalue::Select { condition: failed, ty, then: minus_one, otherwise: Operand::int(32, 0) };
    Ok(CValue::scalar(call.compute(select, ty), TypeTable::INT))
}

pub fn sem_getvalue(call: &mut CallLowering) -> Lowered<CValue> {
    let semaphore = call.pointer_argument(0)?;
    let pointer = int_pointer(call, 1)?;
    let place = call.dereference(pointer)?;
    let value = sync(call, SyncOp::SemGetValue, vec![semaphore]);
    let value = call.convert(CValue::scalar(value.operand, TypeTable::INT), place.ty.ty)?;
    call.store(place, value)?;
    Ok(call.constant_result(0))
}

pub fn once(call: &mut CallLowering) -> Lowered<CValue> {
    let control = call.pointer_argument(0)?;
    let routine = call.pointer_argument(1)?;
    call.pin(control);
    call.pin(routine);
    let mine = call.temporary(Type::Int(32));
    let begin = InstructionKind::Sync { target: Some(mine), op: SyncOp::OnceBegin, operands: vec![control] };
    call.instruction(begin);
    let mine = call.truth(CValue::scalar(Operand::Register(mine), TypeTable::INT))?;
    let (inside, join) = (call.new_block(), call.new_block());
    call.branch(mine, inside, join);
    call.switch_to(inside);
    let callee = match routine {
        Operand::Function(function) => Callee::Direct(function),
        operand => Callee::Indirect(operand),
    };
    let may_leave = call.link().may_leave_once;
    if may_leave {
        call.call_prelude("__gordian_enter_once", Vec::new());
    }
    call.instruction(InstructionKind::Call { target: None, callee, arguments: Vec::new() });
    if may_leave {
        call.call_prelude("__gordian_leave_once", Vec::new());
    }
    let end = InstructionKind::Sync { target: None, op: SyncOp::OnceEnd, operands: vec![control] };
    call.instruction(end);
    call.goto(join);
    call.switch_to(join);
    Ok(call.constant_result(0))
}
