//! Variadic functions: the caller stores the extra arguments into one object of eight-byte slots, and a `va_list` is a
//! pointer that walks over it.

use base::Span;
use program::{InstructionKind, Operand, Rvalue, Type};

use super::Lowerer;
use crate::ast::{ExprId, TypeExprId};
use crate::ctype::{QualType, TypeTable};
use crate::emit::value::{Address, CValue, LValue, Lowered, PlaceKind};

impl Lowerer<'_, '_> {
    pub fn list_place(&mut self, list: ExprId, span: Span) -> Lowered<LValue> {
        let place = self.place(list)?;
        if place.ty.ty != TypeTable::VA_LIST {
            return self.error("type", span, "this is not a `va_list`");
        }
        Ok(place)
    }

    /// `va_arg(list, type)`.
    pub fn va_arg(&mut self, list: ExprId, ty: TypeExprId, span: Span) -> Lowered<CValue> {
        let ty = self.resolve_type(ty)?;
        let place = self.list_place(list, span)?;
        let place = self.emit.fixed(place, span);
        let current = self.emit.load(place, span)?;
        let register_list = matches!(place.kind, PlaceKind::Register(_));
        let slot = if register_list {
            // The list moves on before the argument is used.
            let copy = self.emit.builder.pinned(Type::Pointer);
            self.emit.builder.emit(InstructionKind::Assign { target: copy, value: Rvalue::Use(current.operand) }, span);
            Operand::Register(copy)
        } else {
            self.emit.builder.pin(current.operand)
        };
        let offset = Operand::offset(self.emit.slot_size(ty.ty) as i64);
        let next = self.emit.builder.compute(Rvalue::PointerAdd { pointer: slot, offset }, Type::Pointer, span);
        self.emit.store(place, CValue::scalar(next, TypeTable::VA_LIST), span)?;
        let argument = LValue { kind: PlaceKind::Memory(Address::at(slot)), ty: QualType::plain(ty.ty) };
        self.emit.load(argument, span)
    }
}
