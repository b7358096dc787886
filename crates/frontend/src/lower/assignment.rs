//! `=`, `op=`, `++` and `--`. On plain memory a compound assignment is a load and a store; on `_Atomic` objects it is one
//! read-modify-write where the IR has it, and otherwise a compare-exchange loop (C11 6.5.16.2).

use base::Span;

use super::Lowerer;
use crate::ast::{BinaryOp, ExprId, UnaryOp};
use crate::emit::value::{CValue, Lowered};

impl Lowerer<'_, '_> {
    pub fn assign(&mut self, target: ExprId, value: ExprId, span: Span) -> Lowered<CValue> {
        let settled = self.settle_assignment(target, value, span)?;
        let place = self.place(target)?;
        self.emit.check_assignable(place, span)?;
        let value = self.rvalue(value)?;
        self.operands.release(settled);
        let value = self.emit.convert(value, place.ty.ty, span)?;
        self.emit.store(place, value, span)?;
        self.emit.value_after_store(place, value, span)
    }

    pub fn compound_assign(&mut self, op: BinaryOp, target: ExprId, value: ExprId, span: Span) -> Lowered<CValue> {
        let settled = self.settle_update(target, value, span)?;
        let place = self.place(target)?;
        self.emit.check_assignable(place, span)?;
        let value = self.rvalue(value)?;
        let old = self.operands.value(target);
        self.operands.release(settled);
        if let Some(result) = self.emit.atomic_update(place, op, value, span)? {
            return Ok(result.new);
        }
        let place = self.emit.fixed(place, span);
        let old = match old {
            Some(old) => old,
            None => self.emit.load(place, span)?,
        };
        let new = self.emit.binary(op, old, value, span)?;
        let new = self.emit.convert(new, place.ty.ty, span)?;
        self.emit.store(place, new, span)?;
        self.emit.value_after_store(place, new, span)
    }

    /// Whether `target op= …` reads the target by itself: not as part of an atomic update, and not a variable that no call
    /// can change.
    pub fn is_read_by_update(&mut self, target: ExprId) -> Lowered<bool> {
        let ty = self.type_of(target)?;
        Ok(!ty.is_atomic() && self.emit.link.types.is_scalar(ty.ty) && !self.inspect().is_in_register(target))
    }

    /// `++` and `--`; `wanted` says whether the value is used.
    pub fn step(&mut self, op: UnaryOp, target: ExprId, wanted: bool, span: Span) -> Lowered<CValue> {
        let place = self.place(target)?;
        self.emit.check_assignable(place, span)?;
        let (binary, post) = match op {
            UnaryOp::PreIncrement => (BinaryOp::Add, false),
            UnaryOp::PreDecrement => (BinaryOp::Subtract, false),
            UnaryOp::PostIncrement => (BinaryOp::Add, true),
            _ => (BinaryOp::Subtract, true),
        };
        if self.emit.link.types.is_aggregate(place.ty.ty) {
            let old = self.emit.load(place, span)?;
            return self.emit.binary(binary, old, old, span);
        }
        let one = self.emit.one(place.ty.ty);
        if let Some(result) = self.emit.atomic_update(place, binary, one, span)? {
            return Ok(if post { result.old } else { result.new });
        }
        let place = self.emit.fixed(place, span);
        let mut old = self.emit.load(place, span)?;
        if post && wanted {
            let ty = self.emit.register_type(old.ty);
            old.operand = self.emit.builder.snapshot(old.operand, ty, span);
            old.operand = self.emit.builder.pin(old.operand);
        }
        let new = self.emit.binary(binary, old, one, span)?;
        let new = self.emit.convert(new, place.ty.ty, span)?;
        self.emit.store(place, new, span)?;
        if post { Ok(old) } else { self.emit.value_after_store(place, new, span) }
    }
}
