//! What assignments have in common, and compound assignment to `_Atomic` objects: one read-modify-write where the IR has it,
//! and otherwise a compare-exchange loop (C11 6.5.16.2).

use base::Span;
use program::{BinaryOp as Op, InstructionKind, MemoryOrder, Operand, RmwOp, Rvalue, Type};

use super::Emitter;
use super::value::{CValue, LValue, Lowered, PlaceKind};
use crate::ast::BinaryOp;
use crate::ctype::TypeTable;

/// The values before and after an atomic update.
pub struct UpdateValues {
    pub old: CValue,
    pub new: CValue,
}

impl Emitter<'_, '_> {
    pub fn check_assignable(&mut self, place: LValue, span: Span) -> Lowered<()> {
        let types = &self.link.types;
        if types.is_function(place.ty.ty) || types.element(place.ty.ty).is_some() {
            let name = types.name(place.ty.ty);
            return self.error("lvalue", span, format!("`{name}` cannot be assigned to"));
        }
        if place.ty.quals.contains(crate::ctype::Quals::CONST) {
            self.link.warn("const", span, "assignment to a `const` object");
        }
        Ok(())
    }

    /// An assignment's value is what the place holds now; that needs no second read.
    pub fn value_after_store(&mut self, place: LValue, value: CValue, span: Span) -> Lowered<CValue> {
        match place.kind {
            PlaceKind::Register(register) => Ok(CValue::scalar(Operand::Register(register), value.ty)),
            PlaceKind::BitField(_, bits) => self.truncate_to_field(value, bits, place.ty, span),
            PlaceKind::Memory(_) => Ok(value),
        }
    }

    /// `place op= value` on an `_Atomic` object in memory; `None` if the place is not one.
    pub fn atomic_update(
        &mut self,
        place: LValue,
        op: BinaryOp,
        value: CValue,
        span: Span,
    ) -> Lowered<Option<UpdateValues>> {
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
        place: LValue,
        (rmw, op): (RmwOp, Op),
        value: CValue,
        span: Span,
    ) -> Lowered<UpdateValues> {
        let ty = self.register_type(place.ty.ty);
        let value = self.convert(value, place.ty.ty, span)?;
        let target = self.builder.pinned(ty);
        let order = MemoryOrder::SequentiallyConsistent;
        let kind = InstructionKind::ReadModifyWrite {
            target: Some(target),
            op: rmw,
            address,
            value: value.operand,
            ty,
            order,
        };
        self.builder.emit(kind, span);
        let old = CValue::scalar(Operand::Register(target), place.ty.ty);
        // Atomic arithmetic wraps (C11 7.17.7.5): recomputing the new value checks no overflow.
        let recomputed = Rvalue::Binary { op, ty, left: old.operand, right: value.operand, signed: false };
        let new = CValue::scalar(self.builder.compute(recomputed, ty, span), place.ty.ty);
        Ok(UpdateValues { old, new })
    }

    fn compare_exchange_loop(
        &mut self,
        address: Operand,
        place: LValue,
        op: BinaryOp,
        value: CValue,
        span: Span,
    ) -> Lowered<UpdateValues> {
        let ty = self.register_type(place.ty.ty);
        let order = MemoryOrder::SequentiallyConsistent;
        self.builder.pin(address);
        self.builder.pin(value.operand);
        let old = self.builder.pinned(ty);
        self.builder.emit(InstructionKind::Load { target: old, address, ty, order }, span);
        let (head, done) = (self.builder.new_block(), self.builder.new_block());
        self.builder.goto(head, span);
        self.builder.switch_to(head);
        let old_value = CValue::scalar(Operand::Register(old), place.ty.ty);
        let new = self.binary(op, old_value, value, span)?;
        let new = self.convert(new, place.ty.ty, span)?;
        let desired = self.builder.pin(new.operand);
        let seen = self.builder.pinned(ty);
        let success = self.builder.temporary(Type::BOOL);
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
        self.builder.emit(exchange, span);
        let retry = self.builder.new_block();
        self.builder.branch(Operand::Register(success), done, retry, span);
        self.builder.switch_to(retry);
        self.builder.assign(old, Operand::Register(seen), span);
        self.builder.goto(head, span);
        self.builder.switch_to(done);
        Ok(UpdateValues { old: old_value, new: CValue { operand: desired, ..new } })
    }
}
