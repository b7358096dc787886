//! `=`, `op=`, `++` and `--`. On plain memory a compound assignment is a load and a store; on `_Atomic` objects it is one
//! read-modify-write where the IR has it, and otherwise a compare-exchange loop (C11 6.5.16.2).

use base::Span;
use program::{BinaryOp as Op, InstructionKind, MemoryOrder, Operand, RmwOp, Rvalue, Type};

use super::Lowerer;
use super::entity::Entity;
use super::value::{Address, Lowered, Place, PlaceKind, Value};
use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::ctype::TypeTable;

impl Lowerer<'_, '_> {
    pub fn assign(&mut self, target: ExprId, value: ExprId, span: Span) -> Lowered<Value> {
        let settled = self.settle_assignment(target, value, span)?;
        let place = self.place(target)?;
        self.check_assignable(place, span)?;
        let value = self.rvalue(value)?;
        self.unsettle(settled);
        let value = self.convert(value, place.ty.ty, span)?;
        self.store(place, value, span)?;
        self.value_after_store(place, value, span)
    }

    fn check_assignable(&mut self, place: Place, span: Span) -> Lowered<()> {
        let types = &self.link.types;
        if types.is_function(place.ty.ty) || types.element(place.ty.ty).is_some() {
            let name = types.name(place.ty.ty);
            return self.error("lvalue", span, format!("`{name}` cannot be assigned to"));
        }
        if place.ty.quals.contains(crate::ctype::Quals::CONST) {
            self.warn("const", span, "assignment to a `const` object");
        }
        Ok(())
    }

    /// An assignment's value is what the place holds now; that needs no second read.
    fn value_after_store(&mut self, place: Place, value: Value, span: Span) -> Lowered<Value> {
        match place.kind {
            PlaceKind::Register(register) => Ok(Value::scalar(Operand::Register(register), value.ty)),
            PlaceKind::BitField(_, bits) => self.truncate_to_field(value, bits, place.ty, span),
            PlaceKind::Memory(_) => Ok(value),
        }
    }

    pub fn compound_assign(&mut self, op: BinaryOp, target: ExprId, value: ExprId, span: Span) -> Lowered<Value> {
        let settled = self.settle_update(target, value, span)?;
        let place = self.place(target)?;
        self.check_assignable(place, span)?;
        let value = self.rvalue(value)?;
        let old = self.settled.get(&target).copied();
        self.unsettle(settled);
        if let Some(result) = self.atomic_update(place, op, value, span)? {
            return Ok(result.new);
        }
        let place = self.fixed(place, span);
        let old = match old {
            Some(old) => old,
            None => self.load(place, span)?,
        };
        let new = self.binary(op, old, value, span)?;
        let new = self.convert(new, place.ty.ty, span)?;
        self.store(place, new, span)?;
        self.value_after_store(place, new, span)
    }

    /// Whether `target op= …` reads the target by itself: not as part of an atomic update, and not a variable that no call
    /// can change.
    pub fn is_read_by_update(&mut self, target: ExprId) -> Lowered<bool> {
        let ty = self.type_of(target)?;
        Ok(!ty.is_atomic() && self.link.types.is_scalar(ty.ty) && !self.is_in_register(target))
    }

    pub fn is_in_register(&self, target: ExprId) -> bool {
        match self.ast[target].kind {
            ExprKind::Name(name) => matches!(self.scopes.lookup(name), Some(Entity::Register { .. })),
            _ => false,
        }
    }

    /// `++` and `--`; `wanted` says whether the value is used.
    pub fn step(&mut self, op: UnaryOp, target: ExprId, wanted: bool, span: Span) -> Lowered<Value> {
        let place = self.place(target)?;
        self.check_assignable(place, span)?;
        let (binary, post) = match op {
            UnaryOp::PreIncrement => (BinaryOp::Add, false),
            UnaryOp::PreDecrement => (BinaryOp::Subtract, false),
            UnaryOp::PostIncrement => (BinaryOp::Add, true),
            _ => (BinaryOp::Subtract, true),
        };
        if self.link.types.is_aggregate(place.ty.ty) {
            let old = self.load(place, span)?;
            return self.binary(binary, old, old, span);
        }
        let one = self.one(place.ty.ty);
        if let Some(result) = self.atomic_update(place, binary, one, span)? {
            return Ok(if post { result.old } else { result.new });
        }
        let place = self.fixed(place, span);
        let mut old = self.load(place, span)?;
        if post && wanted {
            let ty = self.register_type(old.ty);
            old.operand = self.f.builder.snapshot(old.operand, ty, span);
            old.operand = self.f.builder.pin(old.operand);
        }
        let new = self.binary(binary, old, one, span)?;
        let new = self.convert(new, place.ty.ty, span)?;
        self.store(place, new, span)?;
        if post { Ok(old) } else { self.value_after_store(place, new, span) }
    }

    /// The place with its address computed once, for a read and a write.
    pub fn fixed(&mut self, place: Place, span: Span) -> Place {
        let fix = |lowerer: &mut Self, address: Address| {
            if address.offset == 0 {
                lowerer.f.builder.pin(address.base);
                return address;
            }
            let operand = lowerer.address_operand(address, span);
            lowerer.f.builder.pin(operand);
            Address::at(operand)
        };
        let kind = match place.kind {
            PlaceKind::Memory(address) => PlaceKind::Memory(fix(self, address)),
            PlaceKind::BitField(address, bits) => PlaceKind::BitField(fix(self, address), bits),
            register => register,
        };
        Place { kind, ty: place.ty }
    }

    /// `place op= value` on an `_Atomic` object in memory; `None` if the place is not one.
    fn atomic_update(&mut self, place: Place, op: BinaryOp, value: Value, span: Span) -> Lowered<Option<Update>> {
        let PlaceKind::Memory(address) = place.kind else { return Ok(None) };
        if !place.ty.is_atomic() {
            return Ok(None);
        }
        let types = &self.link.types;
        let rmw = match op {
            BinaryOp::Add => Some((RmwOp::Add, Op::Add)),
            BinaryOp::Subtract => Some((RmwOp::Sub, Op::Sub)),
            BinaryOp::BitAnd => Some((RmwOp::And, Op::And)),
            BinaryOp::BitOr => Some((RmwOp::Or, Op::Or)),
            BinaryOp::BitXor => Some((RmwOp::Xor, Op::Xor)),
            _ => None,
        };
        let integers = types.is_integer(place.ty.ty) && place.ty.ty != TypeTable::BOOL && types.is_integer(value.ty);
        let address = self.address_operand(address, span);
        match rmw {
            Some(rmw) if integers => self.read_modify_write(address, place, rmw, value, span).map(Some),
            _ => self.compare_exchange_loop(address, place, op, value, span).map(Some),
        }
    }

    fn read_modify_write(
        &mut self,
        address: Operand,
        place: Place,
        (rmw, op): (RmwOp, Op),
        value: Value,
        span: Span,
    ) -> Lowered<Update> {
        let ty = self.register_type(place.ty.ty);
        let value = self.convert(value, place.ty.ty, span)?;
        let target = self.f.builder.pinned(ty);
        let order = MemoryOrder::SequentiallyConsistent;
        let kind = InstructionKind::ReadModifyWrite {
            target: Some(target),
            op: rmw,
            address,
            value: value.operand,
            ty,
            order,
        };
        self.emit(kind, span);
        let old = Value::scalar(Operand::Register(target), place.ty.ty);
        // Atomic arithmetic wraps (C11 7.17.7.5): recomputing the new value checks no overflow.
        let recomputed = Rvalue::Binary { op, ty, left: old.operand, right: value.operand, signed: false };
        let new = Value::scalar(self.compute(recomputed, ty, span), place.ty.ty);
        Ok(Update { old, new })
    }

    fn compare_exchange_loop(
        &mut self,
        address: Operand,
        place: Place,
        op: BinaryOp,
        value: Value,
        span: Span,
    ) -> Lowered<Update> {
        let ty = self.register_type(place.ty.ty);
        let order = MemoryOrder::SequentiallyConsistent;
        self.f.builder.pin(address);
        self.f.builder.pin(value.operand);
        let old = self.f.builder.pinned(ty);
        self.emit(InstructionKind::Load { target: old, address, ty, order }, span);
        let (head, done) = (self.f.builder.new_block(), self.f.builder.new_block());
        self.f.builder.goto(head, span);
        self.f.builder.switch_to(head);
        let old_value = Value::scalar(Operand::Register(old), place.ty.ty);
        let new = self.binary(op, old_value, value, span)?;
        let new = self.convert(new, place.ty.ty, span)?;
        let desired = self.f.builder.pin(new.operand);
        let seen = self.f.builder.pinned(ty);
        let success = self.f.builder.temporary(Type::BOOL);
        let exchange = InstructionKind::CompareExchange {
            old: seen,
            success,
            address,
            expected: Operand::Register(old),
            desired,
            ty,
            weak: false,
            order,
            failure: order,
        };
        self.emit(exchange, span);
        let retry = self.f.builder.new_block();
        self.f.builder.branch(Operand::Register(success), done, retry, span);
        self.f.builder.switch_to(retry);
        self.f.builder.assign(old, Operand::Register(seen), span);
        self.f.builder.goto(head, span);
        self.f.builder.switch_to(done);
        Ok(Update { old: old_value, new: Value { operand: desired, ..new } })
    }
}

/// The values before and after an atomic update.
struct Update {
    old: Value,
    new: Value,
}
