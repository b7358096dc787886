//! Accesses to one atomic object, with memory orders that may only be known when the program runs.

use base::Span;
use program::{
    BinaryOp, InstructionKind, MemoryOrder, Operand, RegisterId, RmwOp, Rvalue, TerminatorKind, Type, UnaryOp,
};

use super::Emitter;
use super::value::{CValue, LValue, Lowered, PlaceKind};
use crate::ctype::{IntKind, TypeId, TypeTable};
use crate::leaves::{LeafKind, leaves};

/// The object of an atomic operation.
#[derive(Clone, Copy)]
pub struct AtomicCell {
    pub address: Operand,
    pub ty: TypeId,
    pub register: Type,
    /// The structure whose bytes are accessed as a scalar of the type above.
    pub record: Option<TypeId>,
}

/// The memory order of an operation.
#[derive(Clone, Copy)]
pub enum AtomicOrder {
    Known(MemoryOrder),
    /// Known only when the program runs: the operand is its number, and the operation exists once for each.
    Chosen(Operand),
}

impl AtomicOrder {
    pub const STRONGEST: AtomicOrder = AtomicOrder::Known(MemoryOrder::SequentiallyConsistent);
}

/// The memory orders of a compare-exchange.
#[derive(Clone, Copy)]
pub struct CompareExchangeOrders {
    pub success: AtomicOrder,
    /// If it is not given, that of the load in a successful exchange.
    pub failure: Option<AtomicOrder>,
}

/// The orders by their numbers in `memory_order`.
pub const ORDERS: [MemoryOrder; 6] = [
    MemoryOrder::Relaxed,
    MemoryOrder::Consume,
    MemoryOrder::Acquire,
    MemoryOrder::Release,
    MemoryOrder::AcquireRelease,
    MemoryOrder::SequentiallyConsistent,
];

impl Emitter<'_, '_> {
    /// The scalar that has the bytes of a structure, if there is one and the structure holds no part of an address.
    pub fn carrier(&mut self, record: TypeId) -> Option<TypeId> {
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

    /// The bytes of a structure at this address as a scalar.
    pub fn carried(&mut self, address: Operand, cell: AtomicCell, span: Span) -> Lowered<Operand> {
        let target = self.builder.pinned(cell.register);
        let order = MemoryOrder::NonAtomic;
        self.builder.emit(InstructionKind::Load { target, address, ty: cell.register, order }, span);
        Ok(Operand::Register(target))
    }

    /// What an operation has found, as a value of the object's type.
    pub fn found(&mut self, cell: AtomicCell, operand: Operand, span: Span) -> CValue {
        let Some(record) = cell.record else { return CValue::scalar(operand, cell.ty) };
        let Ok(address) = self.temporary_object(record, "(atomic structure)", span) else {
            return CValue::aggregate(Operand::Null, record);
        };
        let (ty, order) = (cell.register, MemoryOrder::NonAtomic);
        self.builder.emit(InstructionKind::Store { address, value: operand, ty, order }, span);
        CValue::aggregate(address, record)
    }

    /// An atomic structure as a value: one read of all its bytes.
    pub fn load_atomic_record(&mut self, place: LValue, span: Span) -> Lowered<CValue> {
        let PlaceKind::Memory(address) = place.kind else {
            return self.error("type", span, "a structure cannot be read here");
        };
        let Some(ty) = self.carrier(place.ty.ty) else {
            return Ok(self.unsupported("a read of an atomic structure", place.ty.ty, span));
        };
        let address = self.address_operand(address, span);
        let cell = AtomicCell { address, ty, register: self.register_type(ty), record: Some(place.ty.ty) };
        Ok(self.atomic_load(cell, AtomicOrder::STRONGEST, span))
    }

    /// An assignment to an atomic structure: one write of all its bytes.
    pub fn store_atomic_record(&mut self, place: LValue, value: CValue, span: Span) -> Lowered<()> {
        let PlaceKind::Memory(address) = place.kind else {
            return self.error("type", span, "a structure cannot be stored here");
        };
        let Some(ty) = self.carrier(place.ty.ty) else {
            self.unsupported("an assignment to an atomic structure", TypeTable::VOID, span);
            return Ok(());
        };
        let address = self.address_operand(address, span);
        self.builder.pin(address);
        let cell = AtomicCell { address, ty, register: self.register_type(ty), record: Some(place.ty.ty) };
        let value = self.carried(value.operand, cell, span)?;
        self.atomic_store(cell, value, AtomicOrder::STRONGEST, span);
        Ok(())
    }

    /// Emits the instruction with its order. All operands have been evaluated before, since there may be several copies.
    pub fn emit_ordered(&mut self, order: AtomicOrder, span: Span, kind: &dyn Fn(MemoryOrder) -> InstructionKind) {
        self.with_order(order, span, &|emitter, order| emitter.builder.emit(kind(order), span));
    }

    /// Has the instruction emitted for an order that is known, or for each one of which the execution chooses.
    fn with_order(&mut self, order: AtomicOrder, span: Span, emit: &dyn Fn(&mut Self, MemoryOrder)) {
        let selector = match order {
            AtomicOrder::Known(order) => return emit(self, order),
            AtomicOrder::Chosen(selector) => selector,
        };
        let (bad, join) = (self.builder.new_block(), self.builder.new_block());
        let blocks: Vec<_> = ORDERS.iter().map(|_| self.builder.new_block()).collect();
        let cases = blocks.iter().zip(0..).map(|(&block, number)| (number, block)).collect();
        let kind = TerminatorKind::Switch { value: selector, ty: Type::Int(32), cases, default: bad };
        self.builder.terminate(kind, span);
        for (order, block) in ORDERS.into_iter().zip(blocks) {
            self.builder.switch_to(block);
            emit(self, order);
            self.builder.goto(join, span);
        }
        self.builder.switch_to(bad);
        self.unsupported("an invalid memory order", TypeTable::VOID, span);
        self.builder.terminate(TerminatorKind::Unreachable, span);
        self.builder.switch_to(join);
    }

    /// A register for the result of an instruction with this order.
    fn result_register(&mut self, order: AtomicOrder, ty: Type) -> RegisterId {
        match order {
            AtomicOrder::Known(_) => self.builder.temporary(ty),
            AtomicOrder::Chosen(_) => self.builder.pinned(ty),
        }
    }

    pub fn atomic_load(&mut self, cell: AtomicCell, order: AtomicOrder, span: Span) -> CValue {
        let (target, address, ty) = (self.result_register(order, cell.register), cell.address, cell.register);
        self.emit_ordered(order, span, &|order| InstructionKind::Load { target, address, ty, order });
        self.found(cell, Operand::Register(target), span)
    }

    pub fn atomic_store(&mut self, cell: AtomicCell, value: Operand, order: AtomicOrder, span: Span) -> CValue {
        let (address, ty) = (cell.address, cell.register);
        self.emit_ordered(order, span, &|order| InstructionKind::Store { address, value, ty, order });
        CValue::void()
    }

    pub fn exchange(&mut self, cell: AtomicCell, value: Operand, order: AtomicOrder, span: Span) -> CValue {
        let target = self.result_register(order, cell.register);
        self.read_modify(target, RmwOp::Exchange, cell, value, order, span);
        self.found(cell, Operand::Register(target), span)
    }

    pub fn read_modify(
        &mut self,
        target: RegisterId,
        op: RmwOp,
        cell: AtomicCell,
        value: Operand,
        order: AtomicOrder,
        span: Span,
    ) {
        let (target, address, ty) = (Some(target), cell.address, cell.register);
        let kind = |order| InstructionKind::ReadModifyWrite { target, op, address, value, ty, order };
        self.emit_ordered(order, span, &kind);
    }

    pub fn apply_rmw(&mut self, op: RmwOp, cell: AtomicCell, old: Operand, value: Operand, span: Span) -> Operand {
        let ty = cell.register;
        let binary = |op| Rvalue::Binary { op, ty, left: old, right: value, signed: false };
        match op {
            RmwOp::Exchange => value,
            RmwOp::Add => self.builder.compute(binary(BinaryOp::Add), ty, span),
            RmwOp::Sub => self.builder.compute(binary(BinaryOp::Sub), ty, span),
            RmwOp::And => self.builder.compute(binary(BinaryOp::And), ty, span),
            RmwOp::Or => self.builder.compute(binary(BinaryOp::Or), ty, span),
            RmwOp::Xor => self.builder.compute(binary(BinaryOp::Xor), ty, span),
            RmwOp::Nand => {
                let and = self.builder.compute(binary(BinaryOp::And), ty, span);
                self.builder.compute(Rvalue::Unary { op: UnaryOp::Not, ty, operand: and, signed: false }, ty, span)
            }
        }
    }

    pub fn exchange_if_equal(
        &mut self,
        cell: AtomicCell,
        expected: Operand,
        desired: Operand,
        weak: bool,
        orders: CompareExchangeOrders,
        span: Span,
    ) -> (Operand, Operand) {
        let old = self.builder.pinned(cell.register);
        let success = self.builder.pinned(Type::BOOL);
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
        self.with_order(orders.success, span, &|emitter, order| {
            let failure = orders.failure.unwrap_or(AtomicOrder::Known(order.of_the_load()));
            emitter.emit_ordered(failure, span, &|failure| kind(order, failure));
        });
        (Operand::Register(old), Operand::Register(success))
    }
}
