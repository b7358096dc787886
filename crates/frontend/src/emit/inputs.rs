//! Values that the environment decides.

use base::Span;
use library::NumberRange;
use program::{InstructionKind, NondetKind, Operand, Type};

use super::value::{Address, CValue, Form, LValue, Lowered, PlaceKind};
use super::{Emitter, zero};
use crate::ctype::{QualType, TypeId, TypeTable};
use crate::leaves::{LeafKind, leaves};

impl Emitter<'_, '_> {
    /// A value that the environment decides.
    pub fn input(&mut self, ty: TypeId, span: Span) -> CValue {
        let Some(register) = self.link.types.register_type(ty) else {
            if self.link.types.is_void(ty) {
                return CValue::void();
            }
            return self.unsupported("a nondeterministic value of this type", ty, span);
        };
        if register == Type::Pointer {
            return self.unknown_pointer(ty, span);
        }
        let target = self.builder.temporary(register);
        self.builder.emit(InstructionKind::Nondet { target, ty: register, kind: NondetKind::Input }, span);
        let value = CValue::scalar(Operand::Register(target), ty);
        if ty != TypeTable::BOOL {
            return value;
        }
        let different = program::Rvalue::Binary {
            op: program::BinaryOp::Ne,
            ty: register,
            left: value.operand,
            right: zero(register),
            signed: false,
        };
        let truth = self.builder.compute(different, Type::BOOL, span);
        let byte = self.builder.cast(program::CastOp::ZeroExtend, Type::BOOL, register, truth, span);
        CValue::scalar(byte, ty)
    }

    /// Null, or a pointer that can only be copied and compared with null.
    fn unknown_pointer(&mut self, ty: TypeId, span: Span) -> CValue {
        let (left, right) = (self.input(TypeTable::BOOL, span).operand, Operand::int(8, 0));
        let test = program::Rvalue::Binary { op: program::BinaryOp::Ne, ty: Type::Int(8), left, right, signed: false };
        let condition = self.builder.compute(test, Type::BOOL, span);
        let unknown = Operand::Global { global: self.link.unknown_object(), offset: 0 };
        let operand = self.builder.choose(condition, Type::Pointer, Operand::Null, unknown, span);
        CValue::scalar(operand, ty)
    }

    /// A structure with any contents, as far as they are values.
    pub fn aggregate_input(&mut self, ty: TypeId, span: Span) -> Lowered<CValue> {
        let address = self.temporary_object(ty, "(result)", span)?;
        let Ok(leaves) = leaves(&self.link.types, ty) else {
            return Ok(self.unsupported("a result with pointers in a union", ty, span));
        };
        for leaf in leaves {
            let ty = match leaf.kind {
                LeafKind::Pointer => TypeTable::VOID_POINTER,
                LeafKind::Truth => TypeTable::BOOL,
            };
            let value = self.input(ty, span);
            let place = PlaceKind::Memory(Address::at(address).plus(leaf.offset));
            self.store(LValue { kind: place, ty: QualType::plain(ty) }, value, span)?;
        }
        Ok(CValue::aggregate(address, ty))
    }

    /// Any value of the type that lies in the range.
    pub fn input_between(&mut self, ty: TypeId, range: NumberRange, span: Span) -> CValue {
        let value = self.input(ty, span);
        let Some(Type::Int(bits)) = self.link.types.register_type(ty).filter(|_| value.form == Form::Scalar) else {
            return value;
        };
        let (least, most) = match self.link.types.is_signed(ty) {
            true => (i64::MIN >> (64 - u32::from(bits)), i64::MAX >> (64 - u32::from(bits))),
            false if bits < 63 => (0, (1 << bits) - 1),
            false => (0, i64::MAX),
        };
        let range = NumberRange { low: range.low.max(least), high: range.high.min(most) };
        if range.low > range.high {
            return value;
        }
        self.builder.pin(value.operand);
        let inside = self.builder.is_between(value.operand, bits, range, span);
        let operand =
            self.builder.choose(inside, Type::Int(bits), value.operand, Operand::int(bits, range.low as u64), span);
        CValue::scalar(operand, ty)
    }
}
