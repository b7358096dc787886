//! `__atomic_*`, `__sync_*`, `__c11_atomic_*` and the functions of `<stdatomic.h>`.

use program::{InstructionKind, MemoryOrder, Operand, RmwOp, Rvalue, Type, UnaryOp};

use super::call::CallLowering;
use super::lock_free::{always_lock_free, is_lock_free};
use crate::ast::ExprId;
use crate::ctype::TypeTable;
use crate::emit::atomic_cell::{AtomicCell, AtomicOrder, CompareExchangeOrders, ORDERS};
use crate::emit::value::{CValue, LValue, Lowered, PlaceKind};

/// Which value an operation yields.
#[derive(Clone, Copy, PartialEq)]
enum Yields {
    Old,
    New,
}

/// `None` if the name is not that of an atomic operation.
pub fn atomic_call(call: &mut CallLowering) -> Lowered<Option<CValue>> {
    let name = call.site.name;
    if let Some(rest) = name.strip_prefix("__sync_") {
        sync_builtin(call, rest)
    } else if let Some(rest) = name.strip_prefix("__atomic_") {
        gnu_atomic(call, rest)
    } else if let Some(rest) = name.strip_prefix("__c11_atomic_").or_else(|| name.strip_prefix("atomic_")) {
        c11_atomic(call, rest.strip_suffix("_explicit").unwrap_or(rest))
    } else {
        Ok(None)
    }
}

fn sync_builtin(call: &mut CallLowering, name: &str) -> Lowered<Option<CValue>> {
    let order = AtomicOrder::STRONGEST;
    let value = match strip_width(name) {
        "synchronize" => fence(call, order),
        "lock_test_and_set" => {
            let cell = cell(call)?;
            let value = cell_argument(call, 1, cell)?;
            call.emit_with(|emit, span| emit.exchange(cell, value, AtomicOrder::Known(MemoryOrder::Acquire), span))
        }
        "lock_release" => {
            let cell = cell(call)?;
            let order = AtomicOrder::Known(MemoryOrder::Release);
            call.emit_with(|emit, span| emit.atomic_store(cell, crate::emit::zero(cell.register), order, span))
        }
        "bool_compare_and_swap" => {
            let (_, success) = compare_and_swap(call)?;
            CValue::truth(success)
        }
        "val_compare_and_swap" => compare_and_swap(call)?.0,
        other => {
            let (op, yields) = if let Some(op) = other.strip_prefix("fetch_and_") {
                (op, Yields::Old)
            } else if let Some(op) = other.strip_suffix("_and_fetch") {
                (op, Yields::New)
            } else {
                return Ok(None);
            };
            let Some(op) = rmw_op(op) else { return Ok(None) };
            fetch(call, op, yields, order)?
        }
    };
    Ok(Some(value))
}

fn gnu_atomic(call: &mut CallLowering, name: &str) -> Lowered<Option<CValue>> {
    let _span = call.site.span;
    let value = match generic_name(name).as_str() {
        "thread_fence" => {
            let order = order_argument(call, 0)?;
            fence(call, order)
        }
        "signal_fence" => {
            call.evaluate_arguments()?;
            CValue::void()
        }
        "always_lock_free" => always_lock_free(call),
        "is_lock_free" => is_lock_free(call)?,
        "load_n" => {
            let cell = cell(call)?;
            let order = order_argument(call, 1)?;
            call.emit_with(|emit, span| emit.atomic_load(cell, order, span))
        }
        "load" => {
            let cell = cell(call)?;
            let target = through(call, 1)?;
            let order = order_argument(call, 2)?;
            let value = call.emit_with(|emit, span| emit.atomic_load(cell, order, span));
            store_through(call, target, value)?;
            CValue::void()
        }
        "store_n" => {
            let cell = cell(call)?;
            let value = cell_argument(call, 1, cell)?;
            let order = order_argument(call, 2)?;
            call.emit_with(|emit, span| emit.atomic_store(cell, value, order, span))
        }
        "store" => {
            let cell = cell(call)?;
            let source = through(call, 1)?;
            let order = order_argument(call, 2)?;
            let value = load_through(call, source, cell)?;
            call.emit_with(|emit, span| emit.atomic_store(cell, value, order, span))
        }
        "exchange_n" => {
            let cell = cell(call)?;
            let value = cell_argument(call, 1, cell)?;
            let order = order_argument(call, 2)?;
            call.emit_with(|emit, span| emit.exchange(cell, value, order, span))
        }
        "exchange" => {
            let cell = cell(call)?;
            let source = through(call, 1)?;
            let target = through(call, 2)?;
            let order = order_argument(call, 3)?;
            let value = load_through(call, source, cell)?;
            let old = call.emit_with(|emit, span| emit.exchange(cell, value, order, span));
            store_through(call, target, old)?;
            CValue::void()
        }
        by @ ("compare_exchange_n" | "compare_exchange") => gnu_compare_exchange(call, by == "compare_exchange")?,
        "test_and_set" => {
            let order = order_argument(call, 1)?;
            test_and_set(call, order)?
        }
        "clear" => {
            let order = order_argument(call, 1)?;
            clear_flag(call, order)?
        }
        other => return gnu_fetch(call, other),
    };
    Ok(Some(value))
}

fn gnu_fetch(call: &mut CallLowering, name: &str) -> Lowered<Option<CValue>> {
    let (op, yields) = if let Some(op) = name.strip_prefix("fetch_") {
        (op, Yields::Old)
    } else if let Some(op) = name.strip_suffix("_fetch") {
        (op, Yields::New)
    } else {
        return Ok(None);
    };
    let Some(op) = rmw_op(op) else { return Ok(None) };
    let order = order_argument(call, 2)?;
    fetch(call, op, yields, order).map(Some)
}

fn gnu_compare_exchange(call: &mut CallLowering, by_address: bool) -> Lowered<CValue> {
    let cell = cell(call)?;
    let expected = through(call, 1)?;
    let desired = if by_address {
        let source = through(call, 2)?;
        load_through(call, source, cell)?
    } else {
        cell_argument(call, 2, cell)?
    };
    let weak = match call.site.arguments.get(3) {
        Some(&weak) => weak_argument(call, weak)?,
        None => false,
    };
    let orders = success_and_failure(call, 4)?;
    compare_exchange(call, cell, expected, desired, weak, orders)
}

/// Whether the exchange may fail for no reason: where that is not a constant, GCC makes a strong one.
fn weak_argument(call: &mut CallLowering, argument: ExprId) -> Lowered<bool> {
    match call.integer_constant(argument) {
        Some(weak) => Ok(weak != 0),
        None => call.discard(argument).map(|()| false),
    }
}

fn c11_atomic(call: &mut CallLowering, name: &str) -> Lowered<Option<CValue>> {
    let _span = call.site.span;
    let value = match name {
        "thread_fence" => {
            let order = order_argument(call, 0)?;
            fence(call, order)
        }
        "signal_fence" => {
            call.evaluate_arguments()?;
            CValue::void()
        }
        "is_lock_free" => is_lock_free(call)?,
        "init" => {
            let cell = cell(call)?;
            let value = cell_argument(call, 1, cell)?;
            call.emit_with(|emit, span| {
                emit.atomic_store(cell, value, AtomicOrder::Known(MemoryOrder::NonAtomic), span)
            })
        }
        "load" => {
            let cell = cell(call)?;
            let order = order_argument(call, 1)?;
            call.emit_with(|emit, span| emit.atomic_load(cell, order, span))
        }
        "store" => {
            let cell = cell(call)?;
            let value = cell_argument(call, 1, cell)?;
            let order = order_argument(call, 2)?;
            call.emit_with(|emit, span| emit.atomic_store(cell, value, order, span))
        }
        "exchange" => {
            let cell = cell(call)?;
            let value = cell_argument(call, 1, cell)?;
            let order = order_argument(call, 2)?;
            call.emit_with(|emit, span| emit.exchange(cell, value, order, span))
        }
        "compare_exchange_strong" | "compare_exchange_weak" => {
            let cell = cell(call)?;
            let expected = through(call, 1)?;
            let desired = cell_argument(call, 2, cell)?;
            let orders = success_and_failure(call, 3)?;
            compare_exchange(call, cell, expected, desired, name.ends_with("weak"), orders)?
        }
        "flag_test_and_set" => {
            let order = order_argument(call, 1)?;
            test_and_set(call, order)?
        }
        "flag_clear" => {
            let order = order_argument(call, 1)?;
            clear_flag(call, order)?
        }
        other => {
            let Some(op) = other.strip_prefix("fetch_").and_then(rmw_op) else { return Ok(None) };
            let order = order_argument(call, 2)?;
            fetch(call, op, Yields::Old, order)?
        }
    };
    Ok(Some(value))
}

// -----------------------------------------------------------------------------------------------------------------
// Operands

fn cell(call: &mut CallLowering) -> Lowered<AtomicCell> {
    let pointer = call.argument(0)?;
    let target = call.types().pointee(pointer.ty);
    let scalar = target.and_then(|target| Some((target.ty, call.types().register_type(target.ty)?)));
    match scalar {
        Some((ty, register)) => {
            let address = call.pin(pointer.operand);
            Ok(AtomicCell { address, ty, register, record: None })
        }
        None if target.is_some_and(|target| call.types().is_aggregate(target.ty)) => {
            let record = target.map(|target| target.ty);
            let ty = match record.and_then(|record| call.emit_with(|emit, _| emit.carrier(record))) {
                Some(ty) => ty,
                None => {
                    call.unsupported("an atomic operation on this structure", TypeTable::VOID);
                    TypeTable::UNSIGNED_CHAR
                }
            };
            let address = call.pin(pointer.operand);
            Ok(AtomicCell { address, ty, register: call.register_type(ty), record })
        }
        None => {
            let name = call.types().name(pointer.ty);
            call.error("type", format!("an atomic operation cannot work on `{name}`"))
        }
    }
}

fn cell_argument(call: &mut CallLowering, index: usize, cell: AtomicCell) -> Lowered<Operand> {
    if let Some(record) = cell.record {
        let value = call.argument(index)?;
        let value = call.convert(value, record)?;
        return call.emit_with(|emit, span| emit.carried(value.operand, cell, span));
    }
    let value = call.argument_as(index, cell.ty)?;
    Ok(call.pin(value))
}

/// The memory order; without one the operation is sequentially consistent.
fn order_argument(call: &mut CallLowering, index: usize) -> Lowered<AtomicOrder> {
    let Some(&argument) = call.site.arguments.get(index) else { return Ok(AtomicOrder::STRONGEST) };
    if let Some(number) = call.integer_constant(argument) {
        return Ok(AtomicOrder::Known(order_of_number(number)));
    }
    let order = call.value_of(argument)?;
    let order = call.convert(order, TypeTable::INT)?;
    Ok(AtomicOrder::Chosen(call.pin(order.operand)))
}

/// The orders of a compare-exchange, the first of which is argument `index`.
fn success_and_failure(call: &mut CallLowering, index: usize) -> Lowered<CompareExchangeOrders> {
    let success = order_argument(call, index)?;
    let failure = match call.site.arguments.len() > index + 1 {
        true => Some(order_argument(call, index + 1)?),
        false => None,
    };
    Ok(CompareExchangeOrders { success, failure })
}

/// The object that an argument points to; `&x` of a register variable is that variable.
fn through(call: &mut CallLowering, index: usize) -> Lowered<LValue> {
    if let Some(&argument) = call.site.arguments.get(index)
        && let Some(place) = call.register_argument(argument)
    {
        return Ok(place);
    }
    let pointer = call.argument(index)?;
    let place = call.dereference(pointer)?;
    Ok(call.fixed(place))
}

fn load_through(call: &mut CallLowering, place: LValue, cell: AtomicCell) -> Lowered<Operand> {
    if let (Some(_), PlaceKind::Memory(address)) = (cell.record, place.kind) {
        let address = call.address_operand(address);
        return call.emit_with(|emit, span| emit.carried(address, cell, span));
    }
    let value = call.load(place)?;
    let value = call.convert(value, cell.ty)?;
    Ok(call.pin(value.operand))
}

fn store_through(call: &mut CallLowering, place: LValue, value: CValue) -> Lowered<()> {
    let value = call.convert(value, place.ty.ty)?;
    call.store(place, value)
}

// -----------------------------------------------------------------------------------------------------------------
// Operations

fn fence(call: &mut CallLowering, order: AtomicOrder) -> CValue {
    call.emit_with(|emit, span| emit.emit_ordered(order, span, &|order| InstructionKind::Fence { order }));
    CValue::void()
}

fn fetch(call: &mut CallLowering, op: RmwOp, yields: Yields, order: AtomicOrder) -> Lowered<CValue> {
    let cell = cell(call)?;
    if cell.record.is_some() {
        return call.error("type", "arithmetic on a structure");
    }
    if !matches!(cell.register, Type::Int(_)) {
        return fetch_pointer(call, cell, op, yields, order);
    }
    let value = cell_argument(call, 1, cell)?;
    let target = call.pinned(cell.register);
    call.emit_with(|emit, span| emit.read_modify(target, op, cell, value, order, span));
    let old = Operand::Register(target);
    let operand = if yields == Yields::New {
        call.emit_with(|emit, span| emit.apply_rmw(op, cell, old, value, span))
    } else {
        old
    };
    Ok(CValue::scalar(operand, cell.ty))
}

/// Addition to an atomic pointer counts bytes (GCC). The IR has no such operation, so it is a read and an exchange that
/// must find what was read: an execution in which another thread comes in between is one that reads later.
fn fetch_pointer(
    call: &mut CallLowering,
    cell: AtomicCell,
    op: RmwOp,
    yields: Yields,
    order: AtomicOrder,
) -> Lowered<CValue> {
    if cell.register != Type::Pointer || !matches!(op, RmwOp::Add | RmwOp::Sub) {
        return Ok(call.unsupported("this atomic operation on this type", cell.ty));
    }
    let argument = call.argument_as(1, call.types().difference_type())?;
    let mut offset = call
        .emit_with(|emit, span| emit.builder.resize(argument, emit.builder.pointer_int(), Rvalue::OFFSET, true, span));
    if op == RmwOp::Sub {
        let negated = Rvalue::Unary { op: UnaryOp::Neg, ty: Rvalue::OFFSET, operand: offset, signed: false };
        offset = call.compute(negated, Rvalue::OFFSET);
    }
    call.pin(offset);
    let (address, ty) = (cell.address, cell.register);
    let old = call.pinned(ty);
    call.emit_with(|emit, span| {
        emit.emit_ordered(order, span, &|order| {
            let order = order.of_the_load();
            InstructionKind::Load { target: old, address, ty, order }
        })
    });
    let old = Operand::Register(old);
    let moved = Rvalue::PointerAdd { pointer: old, offset };
    let new = call.compute(moved, Type::Pointer);
    call.pin(new);
    let orders = CompareExchangeOrders { success: order, failure: None };
    let (_, success) = call.emit_with(|emit, span| emit.exchange_if_equal(cell, old, new, false, orders, span));
    call.instruction(InstructionKind::Assume { condition: success });
    Ok(CValue::scalar(if yields == Yields::Old { old } else { new }, cell.ty))
}

fn compare_and_swap(call: &mut CallLowering) -> Lowered<(CValue, Operand)> {
    let cell = cell(call)?;
    let expected = cell_argument(call, 1, cell)?;
    let desired = cell_argument(call, 2, cell)?;
    let orders = CompareExchangeOrders { success: AtomicOrder::STRONGEST, failure: Some(AtomicOrder::STRONGEST) };
    let (old, success) =
        call.emit_with(|emit, span| emit.exchange_if_equal(cell, expected, desired, false, orders, span));
    Ok((call.emit_with(|emit, span| emit.found(cell, old, span)), success))
}

/// On failure the value found goes to the place of the expected one.
fn compare_exchange(
    call: &mut CallLowering,
    cell: AtomicCell,
    expected: LValue,
    desired: Operand,
    weak: bool,
    orders: CompareExchangeOrders,
) -> Lowered<CValue> {
    let wanted = load_through(call, expected, cell)?;
    let (old, success) = call.emit_with(|emit, span| emit.exchange_if_equal(cell, wanted, desired, weak, orders, span));
    if let PlaceKind::Register(register) = expected.kind
        && call.register_type(expected.ty.ty) == cell.register
    {
        // After a success the old value is the expected one: no branch is needed.
        call.assign(register, old);
        return Ok(CValue::truth(success));
    }
    let (failed, join) = (call.new_block(), call.new_block());
    call.branch(success, join, failed);
    call.switch_to(failed);
    let old = call.emit_with(|emit, span| emit.found(cell, old, span));
    store_through(call, expected, old)?;
    call.goto(join);
    call.switch_to(join);
    Ok(CValue::truth(success))
}

fn flag(call: &mut CallLowering) -> Lowered<AtomicCell> {
    let address = call.pointer_argument(0)?;
    Ok(AtomicCell { address, ty: TypeTable::UNSIGNED_CHAR, register: Type::Int(8), record: None })
}

fn test_and_set(call: &mut CallLowering, order: AtomicOrder) -> Lowered<CValue> {
    let cell = flag(call)?;
    let old = call.emit_with(|emit, span| emit.exchange(cell, Operand::int(8, 1), order, span));
    Ok(CValue::truth(call.truth(old)?))
}

fn clear_flag(call: &mut CallLowering, order: AtomicOrder) -> Lowered<CValue> {
    let cell = flag(call)?;
    Ok(call.emit_with(|emit, span| emit.atomic_store(cell, Operand::int(8, 0), order, span)))
}

fn rmw_op(name: &str) -> Option<RmwOp> {
    match name {
        "add" => Some(RmwOp::Add),
        "sub" => Some(RmwOp::Sub),
        "and" => Some(RmwOp::And),
        "or" => Some(RmwOp::Or),
        "xor" => Some(RmwOp::Xor),
        "nand" => Some(RmwOp::Nand),
        _ => None,
    }
}

/// `__sync_fetch_and_add_8` says the width in its name; the pointer's type says it too.
fn strip_width(name: &str) -> &str {
    ["_16", "_1", "_2", "_4", "_8"].iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name)
}

/// `__atomic_load_4` has the arguments of `__atomic_load_n`.
fn generic_name(name: &str) -> String {
    match strip_width(name) {
        plain @ ("load" | "store" | "exchange" | "compare_exchange") if plain != name => format!("{plain}_n"),
        plain => plain.to_owned(),
    }
}

/// What GCC adds for its own purposes (transactional memory) stands above the sixteenth bit.
fn order_of_number(number: i128) -> MemoryOrder {
    ORDERS.get((number & 0xffff) as usize).copied().unwrap_or(MemoryOrder::SequentiallyConsistent)
}
