//! Temporary objects whose address a program can get hold of: a structure that is a value, not a place, has an array member,
//! and the array becomes a pointer (`f().items`). Such an object ends with the full expression or full declarator (C11 6.2.4
//! p8). Variadic arguments, which a `va_list` leads to, end with the call. All others are known to nobody and end with their
//! block.

use base::Span;
use program::{BlockId, InstructionKind, LocalId, Operand};

use super::Lowerer;
use super::value::{Address, Lowered, Place, PlaceKind};
use crate::ast::{ExprId, ExprKind, UnaryOp};
use crate::ctype::CType;

impl Lowerer<'_, '_> {
    /// The member of the structure `base`, if that is a value and the member an array: part of an object that ends soon.
    pub fn member_of_value(&mut self, base: ExprId, member: Place, span: Span) -> Lowered<Place> {
        let PlaceKind::Memory(address) = member.kind else { return Ok(member) };
        if !matches!(self.link.types.kind(member.ty.ty), CType::Array { .. }) {
            return Ok(member);
        }
        let root = self.structure_around(base)?;
        if self.is_place(root) {
            return Ok(member);
        }
        if let (ExprKind::Call { .. }, Operand::Local { local, .. }) = (&self.ast[root].kind, address.base) {
            self.f.handed_out.push(local);
            return Ok(member);
        }
        // The value of a choice or an assignment is told by an address of somebody else's object.
        let copy = self.temporary_object(member.ty.ty, "(value)", span)?;
        self.copy_aggregate(Address::at(copy), address, member.ty, span)?;
        if let Operand::Local { local, .. } = copy {
            self.f.handed_out.push(local);
        }
        Ok(Place { kind: PlaceKind::Memory(Address::at(copy)), ty: member.ty })
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

    /// Whether an expression that `structure_around` has found is a place, not a value.
    fn is_place(&self, expr: ExprId) -> bool {
        match self.ast[expr].kind {
            ExprKind::Name(_) | ExprKind::String(_) | ExprKind::CompoundLiteral { .. } => true,
            ExprKind::Index { .. } | ExprKind::Member { .. } => true,
            ExprKind::Unary { op, .. } => op == UnaryOp::Dereference,
            ExprKind::Call { .. } | ExprKind::Conditional { .. } | ExprKind::Assign { .. } => false,
            ExprKind::Comma { .. } | ExprKind::Statement(_) | ExprKind::VaArg { .. } => false,
            // GNU's cast to a union, or of a structure to its own type.
            ExprKind::Cast { .. } => false,
            ExprKind::Generic { .. } | ExprKind::Choose { .. } => false,
            // These have no members.
            ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Char(_) | ExprKind::Binary { .. } => false,
            ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => false,
            ExprKind::AlignofExpr(_) | ExprKind::AlignofType { .. } => false,
            ExprKind::LabelAddress(_) | ExprKind::Offsetof { .. } | ExprKind::TypesCompatible { .. } => false,
        }
    }

    /// Lowers a full expression: afterwards the objects end whose addresses it may have handed out.
    pub fn full_expression<T>(&mut self, span: Span, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let around = std::mem::take(&mut self.f.handed_out);
        let value = lower(self);
        let ending = std::mem::replace(&mut self.f.handed_out, around);
        self.end_handed_out(&ending, span);
        value
    }

    /// A full expression that decides where control goes.
    pub fn branch_on_full(&mut self, condition: ExprId, then: BlockId, otherwise: BlockId) -> Lowered<()> {
        let span = self.span(condition);
        let around = std::mem::take(&mut self.f.handed_out);
        let outcome = self.branch_on(condition, then, otherwise);
        let ending = std::mem::replace(&mut self.f.handed_out, around);
        if !ending.is_empty() {
            let current = self.f.builder.current;
            for block in [then, otherwise] {
                self.f.builder.switch_to(block);
                self.end_handed_out(&ending, span);
            }
            self.f.builder.switch_to(current);
        }
        outcome
    }

    fn end_handed_out(&mut self, ending: &[LocalId], span: Span) {
        for &local in ending {
            self.emit(InstructionKind::End { local }, span);
        }
    }
}
