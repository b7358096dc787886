//! Conversions between C types, and truth values.

use base::Span;
use program::{BinaryOp, CastOp, InstructionKind, LocalId, Operand, Rvalue, Type};

use super::value::{CValue, Form, Lowered};
use super::{Emitter, zero};
use crate::ctype::{CType, QualType, TypeId, TypeTable};

impl Emitter<'_, '_> {
    /// The value as one of type `to`: assignment, argument passing, casts.
    pub fn convert(&mut self, value: CValue, to: TypeId, span: Span) -> Lowered<CValue> {
        if self.link.types.is_void(to) {
            return Ok(CValue::void());
        }
        if value.ty == to && value.form != Form::Truth {
            return Ok(value);
        }
        if self.link.types.is_opaque(to) || self.link.types.is_opaque(value.ty) {
            return self.convert_opaque(value, to, span);
        }
        if self.link.types.is_aggregate(to) || value.form == Form::Aggregate {
            return self.convert_aggregate(value, to, span);
        }
        if value.form == Form::Void {
            let name = self.link.types.name(to);
            return self.error("type", span, format!("a value of type `{name}` is needed, but this is `void`"));
        }
        if to == TypeTable::BOOL {
            let truth = self.truth(value, span)?;
            let operand = self.builder.cast(CastOp::ZeroExtend, Type::BOOL, Type::Int(8), truth, span);
            return Ok(CValue::scalar(operand, to));
        }
        if value.form == Form::Truth {
            return self.convert_truth(value.operand, to, span);
        }
        let Some(target) = self.link.types.register_type(to) else {
            let name = self.link.types.name(to);
            return self.error("type", span, format!("nothing can be converted to `{name}`"));
        };
        self.guard_mixed_bit_fields(value.ty, to, span);
        let source = self.register_type(value.ty);
        let value = CValue { operand: self.without_const(value.operand, span), ..value };
        let operand = self.convert_scalar(value, source, target, to, span);
        Ok(CValue::scalar(operand, to))
    }

    /// Through a pointer of another type, stores to bytes that a constant bit-field shares with others cannot be told
    /// from stores to those others.
    fn guard_mixed_bit_fields(&mut self, from: TypeId, to: TypeId, span: Span) {
        let Some(pointee) = self.link.types.pointee(from) else { return };
        let same = self.link.types.pointee(to).is_some_and(|other| other.ty == pointee.ty);
        if !same && self.link.types.has_mixed_bit_fields(pointee.ty) {
            let what = "a pointer of another type to a constant bit-field beside others";
            self.unsupported(what, TypeTable::VOID, span);
        }
    }

    /// The address of a constant local under another type: a register, so that a store through it is not taken for the
    /// initialisation of the object.
    pub fn without_const(&mut self, operand: Operand, span: Span) -> Operand {
        match operand {
            Operand::Local { local, .. } if self.has_constants(local) => {
                let target = self.builder.pinned(Type::Pointer);
                self.builder.emit(InstructionKind::Assign { target, value: Rvalue::Use(operand) }, span);
                Operand::Register(target)
            }
            _ => operand,
        }
    }

    /// What a local of this type has that is constant once it is initialised.
    pub fn protect_constants(&mut self, local: LocalId, ty: QualType) {
        let (read_only, parts) = (self.link.types.is_constant(ty), self.link.types.constant_parts(ty));
        let local = &mut self.builder.locals[local];
        (local.read_only, local.constant_parts) = (read_only, parts);
    }

    fn has_constants(&self, local: LocalId) -> bool {
        let local = &self.builder.locals[local];
        local.read_only || !local.constant_parts.is_empty()
    }

    /// A truth value goes straight to its target, not by way of `int`.
    fn convert_truth(&mut self, operand: Operand, to: TypeId, span: Span) -> Lowered<CValue> {
        let target = self.register_type(to);
        if let Type::Int(_) = target {
            let operand = self.builder.cast(CastOp::ZeroExtend, Type::BOOL, target, operand, span);
            return Ok(CValue::scalar(operand, to));
        }
        let int = self.builder.cast(CastOp::ZeroExtend, Type::BOOL, Type::Int(32), operand, span);
        self.convert(CValue::scalar(int, TypeTable::INT), to, span)
    }

    fn convert_scalar(&mut self, value: CValue, source: Type, target: Type, to: TypeId, span: Span) -> Operand {
        let from_signed = self.link.types.is_signed(value.ty);
        let to_signed = self.link.types.is_signed(to);
        let operand = value.operand;
        let word = self.builder.pointer_int();
        match (source, target) {
            (Type::Int(_), Type::Int(_)) => self.builder.resize(operand, source, target, from_signed, span),
            (Type::Int(_), Type::Float | Type::Double) => {
                let op = if from_signed { CastOp::SignedToFloat } else { CastOp::UnsignedToFloat };
                self.builder.cast(op, source, target, operand, span)
            }
            (Type::Float | Type::Double, Type::Int(_)) => {
                let op = if to_signed { CastOp::FloatToSigned } else { CastOp::FloatToUnsigned };
                self.builder.cast(op, source, target, operand, span)
            }
            (Type::Float | Type::Double, Type::Float | Type::Double) => {
                self.builder.cast(CastOp::FloatToFloat, source, target, operand, span)
            }
            (Type::Int(_), Type::Pointer) => {
                let wide = self.builder.resize(operand, source, word, from_signed, span);
                self.int_to_pointer(wide, span)
            }
            (Type::Pointer, Type::Int(_)) => {
                let bits = self.pointer_to_int(operand, span);
                self.builder.resize(bits, word, target, false, span)
            }
            (Type::Pointer, Type::Pointer) => {
                self.note_elements(operand, to);
                operand
            }
            (Type::Pointer, _) | (_, Type::Pointer) => {
                self.builder.emit(
                    InstructionKind::Unsupported { what: "conversion of a pointer to floating point".into() },
                    span,
                );
                zero(target)
            }
        }
    }

    /// New memory becomes a pointer to something: that is what the program keeps there.
    fn note_elements(&mut self, operand: Operand, to: TypeId) {
        if let Some(None) = self.builder.allocated_shape(operand)
            && let Some(element) = self.link.types.pointee(to)
            && let Some(shape) = self.link.shape_of_elements(element.ty)
            && let Some(slot) = self.builder.allocated_shape(operand)
        {
            *slot = Some(shape);
        }
    }

    fn int_to_pointer(&mut self, operand: Operand, span: Span) -> Operand {
        if self.builder.constant_mode && !matches!(operand, Operand::Register(_) | Operand::Int { value: 0, .. }) {
            return operand;
        }
        self.builder.cast(CastOp::IntToPointer, self.builder.pointer_int(), Type::Pointer, operand, span)
    }

    /// In a constant expression an address stays what it is: static data can hold it in an integer of its width. A
    /// pointer that is only a number (`(void *)-1`, `&((T *)0)->m`) is one there.
    fn pointer_to_int(&mut self, operand: Operand, span: Span) -> Operand {
        if self.builder.constant_mode && !matches!(operand, Operand::Register(_) | Operand::Null) {
            return operand;
        }
        self.builder.cast(CastOp::PointerToInt, Type::Pointer, self.builder.pointer_int(), operand, span)
    }

    fn convert_opaque(&mut self, value: CValue, to: TypeId, span: Span) -> Lowered<CValue> {
        let opaque = if self.link.types.is_opaque(to) { to } else { value.ty };
        let name = self.link.types.name(opaque);
        Ok(self.unsupported(format!("computation with `{name}`"), to, span))
    }

    fn convert_aggregate(&mut self, value: CValue, to: TypeId, span: Span) -> Lowered<CValue> {
        let from = value.ty;
        if value.form == Form::Aggregate && self.link.types.compatible(from, to) {
            return Ok(CValue { ty: to, ..value });
        }
        if let CType::Record(id) = *self.link.types.kind(to)
            && self.link.types.records[id].union
            && value.form != Form::Aggregate
        {
            return self.scalar_to_union(value, to, span);
        }
        let (from, to) = (self.link.types.name(from), self.link.types.name(to));
        self.error("type", span, format!("`{from}` cannot be converted to `{to}`"))
    }

    /// A cast to a union type (GNU), or an argument of a transparent union: the member of the value's type is set.
    fn scalar_to_union(&mut self, value: CValue, to: TypeId, span: Span) -> Lowered<CValue> {
        let value = self.materialise(value, span)?;
        let address = self.temporary_object(to, "union", span)?;
        let ty = self.register_type(value.ty);
        let store =
            InstructionKind::Store { address, value: value.operand, ty, order: program::MemoryOrder::NonAtomic };
        self.builder.emit(store, span);
        Ok(CValue::aggregate(address, to))
    }

    /// A truth value becomes the `int` it stands for; other values stay.
    pub fn materialise(&mut self, value: CValue, span: Span) -> Lowered<CValue> {
        match value.form {
            Form::Truth => self.convert_truth(value.operand, value.ty, span),
            _ => Ok(value),
        }
    }

    /// Whether the value differs from zero, in one bit.
    pub fn truth(&mut self, value: CValue, span: Span) -> Lowered<Operand> {
        match value.form {
            Form::Truth => return Ok(value.operand),
            Form::Aggregate if self.link.types.is_opaque(value.ty) => {
                let name = self.link.types.name(value.ty);
                self.unsupported(format!("computation with `{name}`"), TypeTable::VOID, span);
                return Ok(self.builder.unknown_operand(Type::BOOL, span));
            }
            Form::Aggregate | Form::Void => {
                let name = self.link.types.name(value.ty);
                return self.error("type", span, format!("`{name}` cannot be a condition"));
            }
            Form::Scalar => {}
        }
        let ty = self.register_type(value.ty);
        if is_address(value.operand) {
            return Ok(Operand::TRUE);
        }
        let op = if self.link.types.is_floating(value.ty) { BinaryOp::FloatNe } else { BinaryOp::Ne };
        let test = Rvalue::Binary { op, ty, left: value.operand, right: zero(ty), signed: false };
        Ok(self.builder.compute(test, Type::BOOL, span))
    }
}

fn is_address(operand: Operand) -> bool {
    matches!(operand, Operand::Global { .. } | Operand::Local { .. } | Operand::Function(_))
}
