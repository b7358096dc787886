//! Variadic functions: the caller stores the extra arguments into one object of eight-byte slots, and a `va_list` is a
//! pointer that walks over it.

use base::Span;
use program::{InstructionKind, MemoryOrder, Operand, Rvalue, Type, VARIADIC_ARGUMENTS};

use super::Lowerer;
use super::call::CallSite;
use super::value::{Address, Form, Lowered, Place, PlaceKind, Value};
use crate::ast::{ExprId, TypeExprId};
use crate::ctype::{CType, MemberLayout, QualType, RecordDef, RecordLayout, TypeId, TypeTable};

const SLOT: u64 = 8;

impl Lowerer<'_, '_> {
    /// Stores the arguments and returns the object's address.
    pub fn variadic_object(&mut self, arguments: &[Value], span: Span) -> Lowered<Operand> {
        if arguments.is_empty() {
            return Ok(Operand::Null);
        }
        let mut members = Vec::new();
        let mut size = 0;
        for (index, value) in arguments.iter().enumerate() {
            let ty = QualType::plain(value.ty);
            members.push(MemberLayout { name: format!("argument{}", index + 1), ty, offset: size, bits: None });
            size += self.slot_size(value.ty);
        }
        let offsets: Vec<u64> = members.iter().map(|member| member.offset).collect();
        let layout = RecordLayout { size, align: SLOT, members };
        let name = VARIADIC_ARGUMENTS.to_owned();
        let unit = self.link.types.unit;
        let record = RecordDef {
            name: name.clone(),
            union: false,
            layout: Some(layout),
            depth: 1,
            transparent: false,
            unsupported: None,
            unit,
        };
        let record = self.link.types.records.push(record);
        let ty = self.link.types.intern(CType::Record(record));
        let object = self.temporary_object(ty, &name, span)?;
        for (value, offset) in arguments.iter().zip(offsets) {
            let place =
                Place { kind: PlaceKind::Memory(Address::at(object).plus(offset)), ty: QualType::plain(value.ty) };
            self.store(place, *value, span)?;
        }
        Ok(object)
    }

    fn slot_size(&self, ty: TypeId) -> u64 {
        self.link.types.size_of(ty).unwrap_or(SLOT).max(1).next_multiple_of(SLOT)
    }

    /// The variadic arguments of a call from the n-th argument on, stored for the callee.
    pub fn variadic_from(&mut self, site: &CallSite<'_>, first: usize) -> Lowered<Operand> {
        let mut values = Vec::new();
        for &argument in site.arguments.iter().skip(first) {
            let value = self.rvalue(argument)?;
            values.push(self.promoted_argument(value, site.span)?);
        }
        self.variadic_object(&values, site.span)
    }

    pub fn va_start(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let Some(register) = self.f.variadic_arguments else {
            return self.error("type", site.span, "`va_start` stands in a function without variable arguments");
        };
        let list = self.va_list_place(site, 0)?;
        let value = Value::scalar(Operand::Register(register), TypeTable::VA_LIST);
        self.store(list, value, site.span)?;
        Ok(Value::void())
    }

    pub fn va_copy(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let target = self.va_list_place(site, 0)?;
        let source = self.va_list_place(site, 1)?;
        let value = self.load(source, site.span)?;
        self.store(target, value, site.span)?;
        Ok(Value::void())
    }

    fn va_list_place(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<Place> {
        match site.arguments.get(index) {
            Some(&argument) => self.list_place(argument, site.span),
            None => self.error("arguments", site.span, "a `va_list` is missing"),
        }
    }

    fn list_place(&mut self, list: ExprId, span: Span) -> Lowered<Place> {
        let place = self.place(list)?;
        if place.ty.ty != TypeTable::VA_LIST {
            return self.error("type", span, "this is not a `va_list`");
        }
        Ok(place)
    }

    /// `va_arg(list, type)`.
    pub fn va_arg(&mut self, list: ExprId, ty: TypeExprId, span: Span) -> Lowered<Value> {
        let ty = self.resolve_type(ty)?;
        let place = self.list_place(list, span)?;
        let place = self.fixed(place, span);
        let current = self.load(place, span)?;
        let register_list = matches!(place.kind, PlaceKind::Register(_));
        let slot = if register_list {
            // The list moves on before the argument is used.
            let copy = self.f.builder.pinned(Type::Pointer);
            self.emit(InstructionKind::Assign { target: copy, value: Rvalue::Use(current.operand) }, span);
            Operand::Register(copy)
        } else {
            self.f.builder.pin(current.operand)
        };
        let offset = Operand::offset(self.slot_size(ty.ty) as i64);
        let next = self.compute(Rvalue::PointerAdd { pointer: slot, offset }, Type::Pointer, span);
        self.store(place, Value::scalar(next, TypeTable::VA_LIST), span)?;
        let argument = Place { kind: PlaceKind::Memory(Address::at(slot)), ty: QualType::plain(ty.ty) };
        self.load(argument, span)
    }

    /// A `va_list` given as an argument, as the address of the remaining arguments.
    pub fn va_list_argument(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<Operand> {
        let value = self.argument(site, index)?;
        match self.link.types.register_type(value.ty) {
            Some(Type::Pointer) if value.form == Form::Scalar => Ok(value.operand),
            _ => self.error("type", site.span, "this is not a `va_list`"),
        }
    }

    /// A plain load of a scalar.
    pub fn load_plain(&mut self, address: Operand, ty: Type, span: Span) -> Operand {
        let target = self.f.builder.temporary(ty);
        self.emit(InstructionKind::Load { target, address, ty, order: MemoryOrder::NonAtomic }, span);
        Operand::Register(target)
    }
}
