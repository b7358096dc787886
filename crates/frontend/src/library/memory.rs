//! Allocation and block operations. `malloc` succeeds, which is an assumption of every verdict, unless the user says that
//! it may fail.

use program::{AllocationKind, BinaryOp, BlockId, InstructionKind, Operand, Rvalue, Type};

use super::call::CallLowering;
use super::failing::Failing;
use crate::ctype::{QualType, TypeTable};
use crate::emit::value::{Address, CValue, LValue, Lowered, PlaceKind};

/// Error numbers of Linux.
const ENOMEM: u32 = 12;
const EINVAL: i64 = 22;

fn max_align(call: &CallLowering) -> u64 {
    2 * call.types().model.pointer_bytes()
}

fn allocate(call: &mut CallLowering, size: Operand, zeroed: bool, align: u64, kind: AllocationKind) -> CValue {
    let target = call.temporary(Type::Pointer);
    call.instruction(InstructionKind::Allocate { target, size, zeroed, align, kind, shape: None });
    pointer_result(call, Operand::Register(target))
}

/// A pointer as the declared result type, which is `int` for an undeclared function.
fn pointer_result(call: &mut CallLowering, pointer: Operand) -> CValue {
    let ty = match call.types().pointee(call.site.result) {
        Some(_) => call.site.result,
        None => TypeTable::VOID_POINTER,
    };
    CValue::scalar(pointer, ty)
}

pub fn malloc(call: &mut CallLowering) -> Lowered<CValue> {
    let size = call.size_argument(0)?;
    call.evaluate_from(1)?;
    let align = max_align(call);
    allocate_on_heap(call, size, false, align)
}

/// A heap object, or null where allocations may fail, or where it has no bytes (C11 7.22.3).
fn allocate_on_heap(call: &mut CallLowering, size: Operand, zeroed: bool, align: u64) -> Lowered<CValue> {
    let failing = null_result(call);
    let pointer = call.or_fails(&failing, |call| heap_object(call, size, zeroed, align))?;
    Ok(pointer_result(call, pointer))
}

/// A heap object, or null where it has no bytes.
fn heap_object(call: &mut CallLowering, size: Operand, zeroed: bool, align: u64) -> Lowered<Operand> {
    if is_positive(size) {
        return Ok(allocate(call, size, zeroed, align, AllocationKind::Heap).operand);
    }
    let result = call.pinned(Type::Pointer);
    let [null, object, join] = std::array::from_fn(|_| call.new_block());
    branch_if_empty(call, size, null, object)?;
    call.switch_to(null);
    call.assign(result, Operand::Null);
    call.goto(join);
    call.switch_to(object);
    let made = allocate(call, size, zeroed, align, AllocationKind::Heap).operand;
    call.assign(result, made);
    call.goto(join);
    call.switch_to(join);
    Ok(Operand::Register(result))
}

/// Where the size is zero, the execution may go on in `null`; else it goes on in `object`.
fn branch_if_empty(call: &mut CallLowering, size: Operand, null: BlockId, object: BlockId) -> Lowered<()> {
    let empty = call.new_block();
    let is_empty = is_zero_size(call, size);
    call.branch(is_empty, empty, object);
    call.switch_to(empty);
    let choice = call.prelude_value("__gordian_choice", Vec::new());
    let is_null = call.truth(CValue::scalar(choice, TypeTable::INT))?;
    call.branch(is_null, null, object);
    Ok(())
}

fn is_zero_size(call: &mut CallLowering, size: Operand) -> Operand {
    call.pin(size);
    let (ty, right) = (call.pointer_int(), call.size_operand(0));
    let test = Rvalue::Binary { op: BinaryOp::Eq, ty, left: size, right, signed: false };
    call.compute(test, Type::BOOL)
}

fn null_result(call: &CallLowering) -> Failing {
    let enabled = call.link().options.failures.allocation;
    Failing { enabled, ty: Type::Pointer, result: Operand::Null, errno: Some(ENOMEM), lost: None }
}

/// Memory that the library keeps for itself.
pub fn library_memory(call: &mut CallLowering) -> Lowered<CValue> {
    let size = call.size_argument(0)?;
    let align = max_align(call);
    Ok(allocate(call, size, true, align, AllocationKind::Library))
}

pub fn calloc(call: &mut CallLowering) -> Lowered<CValue> {
    let count = call.size_argument(0)?;
    let size = call.size_argument(1)?;
    call.pin(count);
    call.pin(size);
    let too_large = product_overflows(call, count, size);
    let total = call.emit_with(|emit, span| emit.builder.multiply_sizes(count, size, span));
    let align = max_align(call);
    if too_large == Operand::FALSE {
        return allocate_on_heap(call, total, true, align);
    }
    let result = call.pinned(Type::Pointer);
    call.pin(total);
    let [none, some, join] = std::array::from_fn(|_| call.new_block());
    call.branch(too_large, none, some);
    call.switch_to(none);
    let address = Operand::Global { global: call.link_mut().errno(), offset: 0 };
    call.store_int(address, Operand::int(32, u64::from(ENOMEM)));
    call.assign(result, Operand::Null);
    call.goto(join);
    call.switch_to(some);
    let made = allocate_on_heap(call, total, true, align)?;
    call.assign(result, made.operand);
    call.goto(join);
    call.switch_to(join);
    Ok(pointer_result(call, Operand::Register(result)))
}

/// Whether the product of two sizes is none: `calloc` returns null then.
fn product_overflows(call: &mut CallLowering, count: Operand, size: Operand) -> Operand {
    let bits = call.types().model.pointer_bits();
    let most = u64::MAX >> (64 - u32::from(bits));
    let ty = Type::Int(bits);
    let binary = |op, left, right| Rvalue::Binary { op, ty, left, right, signed: false };
    match (count, size) {
        (Operand::Int { value: 0, .. }, _) | (_, Operand::Int { value: 0, .. }) => Operand::FALSE,
        (Operand::Int { value: one, .. }, Operand::Int { value: other, .. }) => {
            if one > most / other {
                Operand::TRUE
            } else {
                Operand::FALSE
            }
        }
        (Operand::Int { value, .. }, other) | (other, Operand::Int { value, .. }) => {
            let limit = Operand::int(bits, most / value);
            call.compute(binary(BinaryOp::Ult, limit, other), Type::BOOL)
        }
        _ => {
            // Divided by one instead of by zero, the limit is never passed.
            let is_zero = is_zero_size(call, size);
            let divisor = call.choose(is_zero, ty, Operand::int(bits, 1), size);
            let limit = call.compute(binary(BinaryOp::UDiv, Operand::int(bits, most), divisor), ty);
            call.compute(binary(BinaryOp::Ult, limit, count), Type::BOOL)
        }
    }
}

pub fn realloc(call: &mut CallLowering) -> Lowered<CValue> {
    let address = call.pointer_argument(0)?;
    let size = call.size_argument(1)?;
    let failing = null_result(call);
    call.pin(address);
    let pointer = call.or_fails(&failing, |call| {
        if is_positive(size) {
            return Ok(reallocate(call, address, size));
        }
        let result = call.pinned(Type::Pointer);
        let [empty, larger, null, object, join] = std::array::from_fn(|_| call.new_block());
        let is_empty = is_zero_size(call, size);
        call.branch(is_empty, empty, larger);
        // To no bytes: the old object ends, and there is none or one without bytes.
        call.switch_to(empty);
        call.instruction(InstructionKind::Free { address, kind: AllocationKind::Heap });
        branch_if_empty(call, call.size_operand(0), null, object)?;
        call.switch_to(null);
        call.assign(result, Operand::Null);
        call.goto(join);
        call.switch_to(object);
        let (none, align) = (call.size_operand(0), max_align(call));
        let made = allocate(call, none, false, align, AllocationKind::Heap).operand;
        call.assign(result, made);
        call.goto(join);
        call.switch_to(larger);
        let moved = reallocate(call, address, size);
        call.assign(result, moved);
        call.goto(join);
        call.switch_to(join);
        Ok(Operand::Register(result))
    })?;
    Ok(pointer_result(call, pointer))
}

fn reallocate(call: &mut CallLowering, address: Operand, size: Operand) -> Operand {
    let target = call.temporary(Type::Pointer);
    call.instruction(InstructionKind::Reallocate { target, address, size });
    Operand::Register(target)
}

pub fn aligned_alloc(call: &mut CallLowering) -> Lowered<CValue> {
    let align = call.size_argument(0)?;
    let size = call.size_argument(1)?;
    if !matches!(align, Operand::Int { value, .. } if value.is_power_of_two()) {
        let what = format!("`{}` with an alignment that is no constant power of two", call.site.name);
        return Ok(call.unsupported(what, TypeTable::VOID_POINTER));
    }
    let align = known_alignment(call, align);
    allocate_on_heap(call, size, false, align)
}

fn known_alignment(call: &CallLowering, align: Operand) -> u64 {
    match align {
        Operand::Int { value, .. } if value.is_power_of_two() => value.max(max_align(call)),
        _ => max_align(call),
    }
}

pub fn posix_memalign(call: &mut CallLowering) -> Lowered<CValue> {
    let cell = call.pointer_argument(0)?;
    let align = call.size_argument(1)?;
    let size = call.size_argument(2)?;
    let least = call.types().model.pointer_bytes();
    if let Operand::Int { value, .. } = align
        && (!value.is_power_of_two() || value < least)
    {
        return Ok(call.constant_result(EINVAL));
    }
    if !matches!(align, Operand::Int { .. }) {
        let what = "`posix_memalign` with an alignment that is not constant";
        return Ok(call.unsupported(what, call.site.result));
    }
    let align = known_alignment(call, align);
    let enabled = call.link().options.failures.allocation;
    let result = Operand::int(32, u64::from(ENOMEM));
    let failing = Failing { enabled, ty: Type::Int(32), result, errno: None, lost: None };
    let error = call.or_fails(&failing, |call| {
        let pointer = heap_object(call, size, false, align)?;
        call.store(pointer_cell(cell), CValue::scalar(pointer, TypeTable::VOID_POINTER))?;
        Ok(Operand::int(32, 0))
    })?;
    Ok(if enabled { call.int_result(error) } else { call.constant_result(0) })
}

pub fn alloca(call: &mut CallLowering) -> Lowered<CValue> {
    let size = call.size_argument(0)?;
    Ok(allocate(call, size, false, 16, AllocationKind::Stack))
}

pub fn free(call: &mut CallLowering) -> Lowered<CValue> {
    end_object(call, AllocationKind::Heap)
}

/// Ends what [`library_memory`](Self::library_memory) made.
pub fn library_free(call: &mut CallLowering) -> Lowered<CValue> {
    end_object(call, AllocationKind::Library)
}

fn end_object(call: &mut CallLowering, kind: AllocationKind) -> Lowered<CValue> {
    let address = call.pointer_argument(0)?;
    call.instruction(InstructionKind::Free { address, kind });
    Ok(call.constant_result(0))
}

pub fn copy_memory(call: &mut CallLowering, overlap: bool) -> Lowered<CValue> {
    let target = call.pointer_argument(0)?;
    let source = call.pointer_argument(1)?;
    let size = call.size_argument(2)?;
    call.pin(target);
    if size != call.size_operand(0) {
        call.instruction(InstructionKind::CopyMemory { target, source, size, overlap });
    }
    Ok(pointer_result(call, target))
}

/// As `memcpy`, but the result is the end of the copy.
pub fn mempcpy(call: &mut CallLowering) -> Lowered<CValue> {
    let target = call.pointer_argument(0)?;
    let source = call.pointer_argument(1)?;
    let size = call.size_argument(2)?;
    call.pin(target);
    call.pin(size);
    call.instruction(InstructionKind::CopyMemory { target, source, size, overlap: false });
    let offset =
        call.emit_with(|emit, span| emit.builder.resize(size, emit.builder.pointer_int(), Rvalue::OFFSET, false, span));
    let end = call.compute(Rvalue::PointerAdd { pointer: target, offset }, Type::Pointer);
    Ok(pointer_result(call, end))
}

pub fn set_memory(call: &mut CallLowering) -> Lowered<CValue> {
    let target = call.pointer_argument(0)?;
    let byte = call.argument_as(1, TypeTable::UNSIGNED_CHAR)?;
    let size = call.size_argument(2)?;
    call.pin(target);
    call.instruction(InstructionKind::SetMemory { target, byte, size });
    Ok(pointer_result(call, target))
}

pub fn bzero(call: &mut CallLowering) -> Lowered<CValue> {
    let target = call.pointer_argument(0)?;
    let size = call.size_argument(1)?;
    call.instruction(InstructionKind::SetMemory { target, byte: Operand::int(8, 0), size });
    Ok(CValue::void())
}

fn is_positive(size: Operand) -> bool {
    matches!(size, Operand::Int { value, .. } if value != 0)
}

/// A place for a scalar of IR type pointer at an address operand.
fn pointer_cell(address: Operand) -> LValue {
    let ty = QualType::plain(TypeTable::VOID_POINTER);
    LValue { kind: PlaceKind::Memory(Address::at(address)), ty }
}
