//! Temporary objects whose address a program can get hold of: a structure that is a value, not a place, has an array member,
//! and the array becomes a pointer (`f().items`). Such an object ends with the full expression or full declarator (C11 6.2.4
//! p8). Variadic arguments, which a `va_list` leads to, end with the call. All others are known to nobody and end with their
//! block.

use base::Span;
use program::{BlockId, Operand};

use super::Lowerer;
use crate::ast::{ExprId, ExprKind};
use crate::ctype::CType;
use crate::emit::value::{Address, LValue, Lowered, PlaceKind};

impl Lowerer<'_, '_> {
    /// The member of the structure `base`, if that is a value and the member an array: part of an object that ends soon.
    pub fn member_of_value(&mut self, base: ExprId, member: LValue, span: Span) -> Lowered<LValue> {
        let PlaceKind::Memory(address) = member.kind else { return Ok(member) };
        if !matches!(self.emit.link.types.kind(member.ty.ty), CType::Array { .. }) {
            return Ok(member);
        }
        let root = self.structure_around(base)?;
        if self.inspect().is_place(root) {
            return Ok(member);
        }
        if let (ExprKind::Call { .. }, Operand::Local { local, .. }) = (&self.ast[root].kind, address.base) {
            self.emit.function.handed_out.push(local);
            return Ok(member);
        }
        // The value of a choice or an assignment is told by an address of somebody else's object.
        let copy = self.emit.temporary_object(member.ty.ty, "(value)", span)?;
        self.emit.copy_aggregate(Address::at(copy), address, member.ty, span)?;
        if let Operand::Local { local, .. } = copy {
            self.emit.function.handed_out.push(local);
        }
        Ok(LValue { kind: PlaceKind::Memory(Address::at(copy)), ty: member.ty })
    }

    /// The expression whose object or value an expression is a part of.
    fn structure_around(&mut self, mut expr: ExprId) -> Lowered<ExprId> {
        loop {
            expr = match self.ast[expr].kind {
                ExprKind::Member { base, arrow: false, .. } => base,
                ExprKind::Generic { .. } | ExprKind::Choose { .. } => self.chosen(expr)?,
                _ => return Ok(expr),
            }
        }
    }

    /// Lowers a full expression: afterwards the objects end whose addresses it may have handed out.
    pub fn full_expression<T>(&mut self, span: Span, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let around = std::mem::take(&mut self.emit.function.handed_out);
        let value = lower(self);
        let ending = std::mem::replace(&mut self.emit.function.handed_out, around);
        self.emit.end_handed_out(&ending, span);
        value
    }

    /// A full expression that decides where control goes.
    pub fn branch_on_full(&mut self, condition: ExprId, then: BlockId, otherwise: BlockId) -> Lowered<()> {
        let span = self.span(condition);
        let around = std::mem::take(&mut self.emit.function.handed_out);
        let outcome = self.branch_on(condition, then, otherwise);
        let ending = std::mem::replace(&mut self.emit.function.handed_out, around);
        if !ending.is_empty() {
            let current = self.emit.builder.current;
            for block in [then, otherwise] {
                self.emit.builder.switch_to(block);
                self.emit.end_handed_out(&ending, span);
            }
            self.emit.builder.switch_to(current);
        }
        outcome
    }
}
