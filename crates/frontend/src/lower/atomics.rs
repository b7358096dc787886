//! `__atomic_*`, `__sync_*`, `__c11_atomic_*` and the functions of `<stdatomic.h>`.

use base::Span;
use program::{
    BinaryOp, InstructionKind, MemoryOrder, Operand, RegisterId, RmwOp, Rvalue, TerminatorKind, Type, UnaryOp,
};

use super::Lowerer;
use super::call::CallSite;
use super::value::{Lowered, Place, PlaceKind, Value};
use crate::ast::ExprId;
use crate::ctype::{IntKind, TypeId, TypeTable};
use crate::leaves::{LeafKind, leaves};

/// The object of an atomic operation.
#[derive(Clone, Copy)]
struct Cell {
    address: Operand,
    ty: TypeId,
    register: Type,
    /// The structure whose bytes are accessed as a scalar of the type above.
    record: Option<TypeId>,
}

/// The memory order of an operation.
#[derive(Clone, Copy)]
enum Order {
    Known(MemoryOrder),
    /// Known only when the program runs: the operand is its number, and the operation exists once for each.
    Chosen(Operand),
}

impl Order {
    const STRONGEST: Order = Order::Known(MemoryOrder::SequentiallyConsistent);
}

/// The memory orders of a compare-exchange.
#[derive(Clone, Copy)]
struct Orders {
    success: Order,
    /// If it is not given, that of the load in a successful exchange.
    failure: Option<Order>,
}

/// The orders by their numbers in `memory_order`.
const ORDERS: [MemoryOrder; 6] = [
    MemoryOrder::Relaxed,
    MemoryOrder::Consume,
    MemoryOrder::Acquire,
    MemoryOrder::Release,
    MemoryOrder::AcquireRelease,
    MemoryOrder::SequentiallyConsistent,
];

/// Which value an operation yields.
#[derive(Clone, Copy, PartialEq)]
enum Yields {
    Old,
    New,
}

impl Lowerer<'_, '_> {
    /// `None` if the name is not that of an atomic operation.
    pub fn atomic_call(&mut self, site: &CallSite<'_>) -> Lowered<Option<Value>> {
        let name = site.name;
        if let Some(rest) = name.strip_prefix("__sync_") {
            self.sync_builtin(rest, site)
        } else if let Some(rest) = name.strip_prefix("__atomic_") {
            self.gnu_atomic(rest, site)
        } else if let Some(rest) = name.strip_prefix("__c11_atomic_").or_else(|| name.strip_prefix("atomic_")) {
            self.c11_atomic(rest.strip_suffix("_explicit").unwrap_or(rest), site)
        } else {
            Ok(None)
        }
    }

    fn sync_builtin(&mut self, name: &str, site: &CallSite<'_>) -> Lowered<Option<Value>> {
        let order = Order::STRONGEST;
        let value = match strip_width(name) {
            "synchronize" => self.fence(order, site),
            "lock_test_and_set" => {
                let cell = self.cell(site)?;
                let value = self.cell_argument(site, 1, cell)?;
                self.exchange(cell, value, Order::Known(MemoryOrder::Acquire), site.span)
            }
            "lock_release" => {
                let cell = self.cell(site)?;
                let order = Order::Known(MemoryOrder::Release);
                self.atomic_store(cell, super::zero(cell.register), order, site.span)
            }
            "bool_compare_and_swap" => {
                let (_, success) = self.compare_and_swap(site)?;
                Value::truth(success)
            }
            "val_compare_and_swap" => self.compare_and_swap(site)?.0,
            other => {
                let (op, yields) = if let Some(op) = other.strip_prefix("fetch_and_") {
                    (op, Yields::Old)
                } else if let Some(op) = other.strip_suffix("_and_fetch") {
                    (op, Yields::New)
                } else {
                    return Ok(None);
                };
                let Some(op) = rmw_op(op) else { return Ok(None) };
                self.fetch(site, op, yields, order)?
            }
        };
        Ok(Some(value))
    }

    fn gnu_atomic(&mut self, name: &str, site: &CallSite<'_>) -> Lowered<Option<Value>> {
        let span = site.span;
        let value = match generic_name(name).as_str() {
            "thread_fence" => {
                let order = self.order_argument(site, 0)?;
                self.fence(order, site)
            }
            "signal_fence" => {
                self.evaluate_arguments(site)?;
                Value::void()
            }
            "always_lock_free" => self.always_lock_free(site),
            "is_lock_free" => self.is_lock_free(site)?,
            "load_n" => {
                let cell = self.cell(site)?;
                let order = self.order_argument(site, 1)?;
                self.atomic_load(cell, order, span)
            }
            "load" => {
                let cell = self.cell(site)?;
                let target = self.through(site, 1)?;
                let order = self.order_argument(site, 2)?;
                let value = self.atomic_load(cell, order, span);
                self.store_through(target, value, span)?;
                Value::void()
            }
            "store_n" => {
                let cell = self.cell(site)?;
                let value = self.cell_argument(site, 1, cell)?;
                let order = self.order_argument(site, 2)?;
                self.atomic_store(cell, value, order, span)
            }
            "store" => {
                let cell = self.cell(site)?;
                let source = self.through(site, 1)?;
                let order = self.order_argument(site, 2)?;
                let value = self.load_through(source, cell, span)?;
                self.atomic_store(cell, value, order, span)
            }
            "exchange_n" => {
                let cell = self.cell(site)?;
                let value = self.cell_argument(site, 1, cell)?;
                let order = self.order_argument(site, 2)?;
                self.exchange(cell, value, order, span)
            }
            "exchange" => {
                let cell = self.cell(site)?;
                let source = self.through(site, 1)?;
                let target = self.through(site, 2)?;
                let order = self.order_argument(site, 3)?;
                let value = self.load_through(source, cell, span)?;
                let old = self.exchange(cell, value, order, span);
                self.store_through(target, old, span)?;
                Value::void()
            }
            by @ ("compare_exchange_n" | "compare_exchange") => {
                self.gnu_compare_exchange(site, by == "compare_exchange")?
            }
            "test_and_set" => {
                let order = self.order_argument(site, 1)?;
                self.test_and_set(site, order)?
            }
            "clear" => {
                let order = self.order_argument(site, 1)?;
                self.clear_flag(site, order)?
            }
            other => return self.gnu_fetch(other, site),
        };
        Ok(Some(value))
    }

    fn gnu_fetch(&mut self, name: &str, site: &CallSite<'_>) -> Lowered<Option<Value>> {
        let (op, yields) = if let Some(op) = name.strip_prefix("fetch_") {
            (op, Yields::Old)
        } else if let Some(op) = name.strip_suffix("_fetch") {
            (op, Yields::New)
        } else {
            return Ok(None);
        };
        let Some(op) = rmw_op(op) else { return Ok(None) };
        let order = self.order_argument(site, 2)?;
        self.fetch(site, op, yields, order).map(Some)
    }

    fn gnu_compare_exchange(&mut self, site: &CallSite<'_>, by_address: bool) -> Lowered<Value> {
        let cell = self.cell(site)?;
        let expected = self.through(site, 1)?;
        let desired = if by_address {
            let source = self.through(site, 2)?;
            self.load_through(source, cell, site.span)?
        } else {
            self.cell_argument(site, 2, cell)?
        };
        let weak = match site.arguments.get(3) {
            Some(&weak) => self.weak_argument(weak)?,
            None => false,
        };
        let orders = self.success_and_failure(site, 4)?;
        self.compare_exchange(cell, expected, desired, weak, orders, site.span)
    }

    /// Whether the exchange may fail for no reason: where that is not a constant, GCC makes a strong one.
    fn weak_argument(&mut self, argument: ExprId) -> Lowered<bool> {
        match self.try_integer_constant(argument) {
            Some(weak) => Ok(weak != 0),
            None => self.discard(argument).map(|()| false),
        }
    }

    fn c11_atomic(&mut self, name: &str, site: &CallSite<'_>) -> Lowered<Option<Value>> {
        let span = site.span;
        let value = match name {
            "thread_fence" => {
                let order = self.order_argument(site, 0)?;
                self.fence(order, site)
            }
            "signal_fence" => {
                self.evaluate_arguments(site)?;
                Value::void()
            }
            "is_lock_free" => self.is_lock_free(site)?,
            "init" => {
                let cell = self.cell(site)?;
                let value = self.cell_argument(site, 1, cell)?;
                self.atomic_store(cell, value, Order::Known(MemoryOrder::NonAtomic), span)
            }
            "load" => {
                let cell = self.cell(site)?;
                let order = self.order_argument(site, 1)?;
                self.atomic_load(cell, order, span)
            }
            "store" => {
                let cell = self.cell(site)?;
                let value = self.cell_argument(site, 1, cell)?;
                let order = self.order_argument(site, 2)?;
                self.atomic_store(cell, value, order, span)
            }
            "exchange" => {
                let cell = self.cell(site)?;
                let value = self.cell_argument(site, 1, cell)?;
                let order = self.order_argument(site, 2)?;
                self.exchange(cell, value, order, span)
            }
            "compare_exchange_strong" | "compare_exchange_weak" => {
                let cell = self.cell(site)?;
                let expected = self.through(site, 1)?;
                let desired = self.cell_argument(site, 2, cell)?;
                let orders = self.success_and_failure(site, 3)?;
                self.compare_exchange(cell, expected, desired, name.ends_with("weak"), orders, span)?
            }
            "flag_test_and_set" => {
                let order = self.order_argument(site, 1)?;
                self.test_and_set(site, order)?
            }
            "flag_clear" => {
                let order = self.order_argument(site, 1)?;
                self.clear_flag(site, order)?
            }
            other => {
                let Some(op) = other.strip_prefix("fetch_").and_then(rmw_op) else { return Ok(None) };
                let order = self.order_argument(site, 2)?;
                self.fetch(site, op, Yields::Old, order)?
            }
        };
        Ok(Some(value))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Operands

    fn cell(&mut self, site: &CallSite<'_>) -> Lowered<Cell> {
        let pointer = self.argument(site, 0)?;
        let target = self.link.types.pointee(pointer.ty);
        let scalar = target.and_then(|target| Some((target.ty, self.link.types.register_type(target.ty)?)));
        match scalar {
            Some((ty, register)) => {
                let address = self.f.builder.pin(pointer.operand);
                Ok(Cell { address, ty, register, record: None })
            }
            None if target.is_some_and(|target| self.link.types.is_aggregate(target.ty)) => {
                let record = target.map(|target| target.ty);
                let ty = match record.and_then(|record| self.carrier(record)) {
                    Some(ty) => ty,
                    None => {
                        self.unsupported("an atomic operation on this structure", TypeTable::VOID, site.span);
                        TypeTable::UNSIGNED_CHAR
                    }
                };
                let address = self.f.builder.pin(pointer.operand);
                Ok(Cell { address, ty, register: self.register_type(ty), record })
            }
            None => {
                let name = self.link.types.name(pointer.ty);
                self.error("type", site.span, format!("an atomic operation cannot work on `{name}`"))
            }
        }
    }

    /// The scalar that has the bytes of a structure, if there is one and the structure holds no part of an address.
    fn carrier(&mut self, record: TypeId) -> Option<TypeId> {
        let size = self.link.types.size_of(record)?;
        let found = leaves(&self.link.types, record).ok()?;
        let pointers = found.iter().filter(|leaf| leaf.kind == LeafKind::Pointer).count();
        if pointers > 0 {
            let is_pointer = pointers == 1 && size == self.link.types.model.pointer_bytes();
            return is_pointer.then_some(TypeTable::VOID_POINTER);
        }
        match size {
            1 => Some(TypeTable::UNSIGNED_CHAR),
            2 => Some(self.link.types.int(IntKind::UnsignedShort)),
            4 => Some(TypeTable::UNSIGNED),
            8 => Some(TypeTable::UNSIGNED_LONG_LONG),
            _ => None,
        }
    }

    fn cell_argument(&mut self, site: &CallSite<'_>, index: usize, cell: Cell) -> Lowered<Operand> {
        if let Some(record) = cell.record {
            let value = self.argument(site, index)?;
            let value = self.convert(value, record, site.span)?;
            return self.carried(value.operand, cell, site.span);
        }
        let value = self.argument_as(site, index, cell.ty)?;
        Ok(self.f.builder.pin(value))
    }

    /// The bytes of a structure at this address as a scalar.
    fn carried(&mut self, address: Operand, cell: Cell, span: Span) -> Lowered<Operand> {
        let target = self.f.builder.pinned(cell.register);
        let order = MemoryOrder::NonAtomic;
        self.emit(InstructionKind::Load { target, address, ty: cell.register, order }, span);
        Ok(Operand::Register(target))
    }

    /// What an operation has found, as a value of the object's type.
    fn found(&mut self, cell: Cell, operand: Operand, span: Span) -> Value {
        let Some(record) = cell.record else { return Value::scalar(operand, cell.ty) };
        let Ok(address) = self.temporary_object(record, "(atomic structure)", span) else {
            return Value::aggregate(Operand::Null, record);
        };
        let (ty, order) = (cell.register, MemoryOrder::NonAtomic);
        self.emit(InstructionKind::Store { address, value: operand, ty, order }, span);
        Value::aggregate(address, record)
    }

    /// An atomic structure as a value: one read of all its bytes.
    pub fn load_atomic_record(&mut self, place: Place, span: Span) -> Lowered<Value> {
        let PlaceKind::Memory(address) = place.kind else {
            return self.error("type", span, "a structure cannot be read here");
        };
        let Some(ty) = self.carrier(place.ty.ty) else {
            return Ok(self.unsupported("a read of an atomic structure", place.ty.ty, span));
        };
        let address = self.address_operand(address, span);
        let cell = Cell { address, ty, register: self.register_type(ty), record: Some(place.ty.ty) };
        Ok(self.atomic_load(cell, Order::STRONGEST, span))
    }

    /// An assignment to an atomic structure: one write of all its bytes.
    pub fn store_atomic_record(&mut self, place: Place, value: Value, span: Span) -> Lowered<()> {
        let PlaceKind::Memory(address) = place.kind else {
            return self.error("type", span, "a structure cannot be stored here");
        };
        let Some(ty) = self.carrier(place.ty.ty) else {
            self.unsupported("an assignment to an atomic structure", TypeTable::VOID, span);
            return Ok(());
        };
        let address = self.address_operand(address, span);
        self.f.builder.pin(address);
        let cell = Cell { address, ty, register: self.register_type(ty), record: Some(place.ty.ty) };
        let value = self.carried(value.operand, cell, span)?;
        self.atomic_store(cell, value, Order::STRONGEST, span);
        Ok(())
    }

    /// The memory order; without one the operation is sequentially consistent.
    fn order_argument(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<Order> {
        let Some(&argument) = site.arguments.get(index) else { return Ok(Order::STRONGEST) };
        if let Some(number) = self.try_integer_constant(argument) {
            return Ok(Order::Known(order_of_number(number)));
        }
        let order = self.rvalue(argument)?;
        let order = self.convert(order, TypeTable::INT, site.span)?;
        Ok(Order::Chosen(self.f.builder.pin(order.operand)))
    }

    /// The orders of a compare-exchange, the first of which is argument `index`.
    fn success_and_failure(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<Orders> {
        let success = self.order_argument(site, index)?;
        let failure = match site.arguments.len() > index + 1 {
            true => Some(self.order_argument(site, index + 1)?),
            false => None,
        };
        Ok(Orders { success, failure })
    }

    /// The object that an argument points to; `&x` of a register variable is that variable.
    fn through(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<Place> {
        if let Some(&argument) = site.arguments.get(index)
            && let Some(place) = self.register_argument(argument)
        {
            return Ok(place);
        }
        let pointer = self.argument(site, index)?;
        let place = self.dereference(pointer, site.span)?;
        Ok(self.fixed(place, site.span))
    }

    fn load_through(&mut self, place: Place, cell: Cell, span: Span) -> Lowered<Operand> {
        if let (Some(_), PlaceKind::Memory(address)) = (cell.record, place.kind) {
            let address = self.address_operand(address, span);
            return self.carried(address, cell, span);
        }
        let value = self.load(place, span)?;
        let value = self.convert(value, cell.ty, span)?;
        Ok(self.f.builder.pin(value.operand))
    }

    fn store_through(&mut self, place: Place, value: Value, span: Span) -> Lowered<()> {
        let value = self.convert(value, place.ty.ty, span)?;
        self.store(place, value, span)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Operations

    /// Emits the instruction with its order. All operands have been evaluated before, since there may be several copies.
    fn emit_ordered(&mut self, order: Order, span: Span, kind: &dyn Fn(MemoryOrder) -> InstructionKind) {
        self.with_order(order, span, &|lowerer, order| lowerer.emit(kind(order), span));
    }

    /// Has the instruction emitted for an order that is known, or for each one of which the execution chooses.
    fn with_order(&mut self, order: Order, span: Span, emit: &dyn Fn(&mut Self, MemoryOrder)) {
        let selector = match order {
            Order::Known(order) => return emit(self, order),
            Order::Chosen(selector) => selector,
        };
        let (bad, join) = (self.f.builder.new_block(), self.f.builder.new_block());
        let blocks: Vec<_> = ORDERS.iter().map(|_| self.f.builder.new_block()).collect();
        let cases = blocks.iter().zip(0..).map(|(&block, number)| (number, block)).collect();
        let kind = TerminatorKind::Switch { value: selector, ty: Type::Int(32), cases, default: bad };
        self.f.builder.terminate(kind, span);
        for (order, block) in ORDERS.into_iter().zip(blocks) {
            self.f.builder.switch_to(block);
            emit(self, order);
            self.f.builder.goto(join, span);
        }
        self.f.builder.switch_to(bad);
        self.unsupported("a memory order that is none", TypeTable::VOID, span);
        self.f.builder.terminate(TerminatorKind::Unreachable, span);
        self.f.builder.switch_to(join);
    }

    /// A register for the result of an instruction with this order.
    fn result_register(&mut self, order: Order, ty: Type) -> RegisterId {
        match order {
            Order::Known(_) => self.f.builder.temporary(ty),
            Order::Chosen(_) => self.f.builder.pinned(ty),
        }
    }

    fn fence(&mut self, order: Order, site: &CallSite<'_>) -> Value {
        self.emit_ordered(order, site.span, &|order| InstructionKind::Fence { order });
        Value::void()
    }

    fn atomic_load(&mut self, cell: Cell, order: Order, span: Span) -> Value {
        let (target, address, ty) = (self.result_register(order, cell.register), cell.address, cell.register);
        self.emit_ordered(order, span, &|order| InstructionKind::Load { target, address, ty, order });
        self.found(cell, Operand::Register(target), span)
    }

    fn atomic_store(&mut self, cell: Cell, value: Operand, order: Order, span: Span) -> Value {
        let (address, ty) = (cell.address, cell.register);
        self.emit_ordered(order, span, &|order| InstructionKind::Store { address, value, ty, order });
        Value::void()
    }

    fn exchange(&mut self, cell: Cell, value: Operand, order: Order, span: Span) -> Value {
        let target = self.result_register(order, cell.register);
        self.read_modify(target, RmwOp::Exchange, cell, value, order, span);
        self.found(cell, Operand::Register(target), span)
    }

    fn read_modify(&mut self, target: RegisterId, op: RmwOp, cell: Cell, value: Operand, order: Order, span: Span) {
        let (target, address, ty) = (Some(target), cell.address, cell.register);
        let kind = |order| InstructionKind::ReadModifyWrite { target, op, address, value, ty, order };
        self.emit_ordered(order, span, &kind);
    }

    fn fetch(&mut self, site: &CallSite<'_>, op: RmwOp, yields: Yields, order: Order) -> Lowered<Value> {
        let cell = self.cell(site)?;
        if cell.record.is_some() {
            return self.error("type", site.span, "arithmetic on a structure");
        }
        if !matches!(cell.register, Type::Int(_)) {
            return self.fetch_pointer(site, cell, op, yields, order);
        }
        let value = self.cell_argument(site, 1, cell)?;
        let target = self.f.builder.pinned(cell.register);
        self.read_modify(target, op, cell, value, order, site.span);
        let old = Operand::Register(target);
        let operand = if yields == Yields::New { self.apply_rmw(op, cell, old, value, site.span) } else { old };
        Ok(Value::scalar(operand, cell.ty))
    }

    fn apply_rmw(&mut self, op: RmwOp, cell: Cell, old: Operand, value: Operand, span: Span) -> Operand {
        let ty = cell.register;
        let binary = |op| Rvalue::Binary { op, ty, left: old, right: value, signed: false };
        match op {
            RmwOp::Exchange => value,
            RmwOp::Add => self.compute(binary(BinaryOp::Add), ty, span),
            RmwOp::Sub => self.compute(binary(BinaryOp::Sub), ty, span),
            RmwOp::And => self.compute(binary(BinaryOp::And), ty, span),
            RmwOp::Or => self.compute(binary(BinaryOp::Or), ty, span),
            RmwOp::Xor => self.compute(binary(BinaryOp::Xor), ty, span),
            RmwOp::Nand => {
                let and = self.compute(binary(BinaryOp::And), ty, span);
                self.compute(Rvalue::Unary { op: UnaryOp::Not, ty, operand: and, signed: false }, ty, span)
            }
        }
    }

    /// Addition to an atomic pointer counts bytes (GCC). The IR has no such operation, so it is a read and an exchange that
    /// must find what was read: an execution in which another thread comes in between is one that reads later.
    fn fetch_pointer(
        &mut self,
        site: &CallSite<'_>,
        cell: Cell,
        op: RmwOp,
        yields: Yields,
        order: Order,
    ) -> Lowered<Value> {
        if cell.register != Type::Pointer || !matches!(op, RmwOp::Add | RmwOp::Sub) {
            return Ok(self.unsupported("this atomic operation on this type", cell.ty, site.span));
        }
        let argument = self.argument_as(site, 1, self.link.types.difference_type())?;
        let mut offset = self.resize(argument, self.pointer_int(), Rvalue::OFFSET, true, site.span);
        if op == RmwOp::Sub {
            let negated = Rvalue::Unary { op: UnaryOp::Neg, ty: Rvalue::OFFSET, operand: offset, signed: false };
            offset = self.compute(negated, Rvalue::OFFSET, site.span);
        }
        self.f.builder.pin(offset);
        let (address, ty) = (cell.address, cell.register);
        let old = self.f.builder.pinned(ty);
        self.emit_ordered(order, site.span, &|order| {
            let order = order.of_the_load();
            InstructionKind::Load { target: old, address, ty, order }
        });
        let old = Operand::Register(old);
        let moved = Rvalue::PointerAdd { pointer: old, offset };
        let new = self.compute(moved, Type::Pointer, site.span);
        self.f.builder.pin(new);
        let orders = Orders { success: order, failure: None };
        let (_, success) = self.exchange_if_equal(cell, old, new, false, orders, site.span);
        self.emit(InstructionKind::Assume { condition: success }, site.span);
        Ok(Value::scalar(if yields == Yields::Old { old } else { new }, cell.ty))
    }

    fn compare_and_swap(&mut self, site: &CallSite<'_>) -> Lowered<(Value, Operand)> {
        let cell = self.cell(site)?;
        let expected = self.cell_argument(site, 1, cell)?;
        let desired = self.cell_argument(site, 2, cell)?;
        let orders = Orders { success: Order::STRONGEST, failure: Some(Order::STRONGEST) };
        let (old, success) = self.exchange_if_equal(cell, expected, desired, false, orders, site.span);
        Ok((self.found(cell, old, site.span), success))
    }

    fn exchange_if_equal(
        &mut self,
        cell: Cell,
        expected: Operand,
        desired: Operand,
        weak: bool,
        orders: Orders,
        span: Span,
    ) -> (Operand, Operand) {
        let old = self.f.builder.pinned(cell.register);
        let success = self.f.builder.pinned(Type::BOOL);
        let (address, ty) = (cell.address, cell.register);
        let kind = |order: MemoryOrder, failure: MemoryOrder| InstructionKind::CompareExchange {
            old,
            success,
            address,
            expected,
            desired,
            ty,
            weak,
            order,
            failure,
        };
        self.with_order(orders.success, span, &|lowerer, order| {
            let failure = orders.failure.unwrap_or(Order::Known(order.of_the_load()));
            lowerer.emit_ordered(failure, span, &|failure| kind(order, failure));
        });
        (Operand::Register(old), Operand::Register(success))
    }

    /// On failure the value found goes to the place of the expected one.
    fn compare_exchange(
        &mut self,
        cell: Cell,
        expected: Place,
        desired: Operand,
        weak: bool,
        orders: Orders,
        span: Span,
    ) -> Lowered<Value> {
        let wanted = self.load_through(expected, cell, span)?;
        let (old, success) = self.exchange_if_equal(cell, wanted, desired, weak, orders, span);
        if let PlaceKind::Register(register) = expected.kind
            && self.register_type(expected.ty.ty) == cell.register
        {
            // After a success the old value is the expected one: no branch is needed.
            self.f.builder.assign(register, old, span);
            return Ok(Value::truth(success));
        }
        let (failed, join) = (self.f.builder.new_block(), self.f.builder.new_block());
        self.f.builder.branch(success, join, failed, span);
        self.f.builder.switch_to(failed);
        let old = self.found(cell, old, span);
        self.store_through(expected, old, span)?;
        self.f.builder.goto(join, span);
        self.f.builder.switch_to(join);
        Ok(Value::truth(success))
    }

    fn flag(&mut self, site: &CallSite<'_>) -> Lowered<Cell> {
        let address = self.pointer_argument(site, 0)?;
        Ok(Cell { address, ty: TypeTable::UNSIGNED_CHAR, register: Type::Int(8), record: None })
    }

    fn test_and_set(&mut self, site: &CallSite<'_>, order: Order) -> Lowered<Value> {
        let cell = self.flag(site)?;
        let old = self.exchange(cell, Operand::int(8, 1), order, site.span);
        Ok(Value::truth(self.truth(old, site.span)?))
    }

    fn clear_flag(&mut self, site: &CallSite<'_>, order: Order) -> Lowered<Value> {
        let cell = self.flag(site)?;
        Ok(self.atomic_store(cell, Operand::int(8, 0), order, site.span))
    }
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
