//! Reading and writing places, their addresses, and distances between addresses.

use base::Span;
use program::{BinaryOp, InstructionKind, MemoryOrder, Operand, Rvalue, Type};

use super::Emitter;
use super::jump::LABEL;
use super::value::{Address, CValue, Form, LValue, Lowered, PlaceKind};
use crate::ctype::{CType, QualType, Quals, TypeId, TypeTable};

impl Emitter<'_, '_> {
    /// `*pointer`.
    pub fn dereference(&mut self, pointer: CValue, span: Span) -> Lowered<LValue> {
        match self.link.types.pointee(pointer.ty) {
            Some(target) => Ok(LValue { kind: PlaceKind::Memory(Address::at(pointer.operand)), ty: target }),
            None => {
                let name = self.link.types.name(pointer.ty);
                self.error("type", span, format!("`{name}` is not a pointer and cannot be dereferenced"))
            }
        }
    }

    /// The object of this type that the pointer, whatever its own type, points to.
    pub fn place_of_type(&mut self, pointer: CValue, ty: TypeId, span: Span) -> Lowered<LValue> {
        let target = self.link.types.pointer_to(QualType::plain(ty));
        let pointer = self.convert(pointer, target, span)?;
        let place = self.dereference(pointer, span)?;
        Ok(self.fixed(place, span))
    }

    /// An element of a vector has a type, and else nothing is known of it.
    pub fn vector_element(&mut self, vector: CValue, span: Span) -> Option<LValue> {
        let CType::Opaque { element: Some(element), .. } = *self.link.types.kind(vector.ty) else { return None };
        self.unsupported("an element of a vector", TypeTable::VOID, span);
        Some(LValue { kind: PlaceKind::Memory(Address::at(vector.operand)), ty: QualType::plain(element) })
    }

    /// The member `name` of a record at `place`, looked for inside anonymous members too.
    pub fn member_of(&mut self, place: LValue, name: &str, span: Span) -> Lowered<LValue> {
        let type_name = || self.link.types.name(place.ty.ty);
        let Some(record) = self.link.types.record(place.ty.ty) else {
            let text = format!("`{}` has no members; it is not a structure or union", type_name());
            return self.error("type", span, text);
        };
        if self.link.types.records[record].layout.is_none() {
            let text = format!("`{}` is incomplete here", type_name());
            return self.error("type", span, text);
        }
        let Some(path) = self.link.types.find_member(place.ty.ty, name) else {
            let text = format!("`{}` has no member `{name}`", type_name());
            return self.error("type", span, text);
        };
        if let Some(what) = self.link.types.records[record].unsupported.clone() {
            let what = format!("`{}` with {what}", self.link.types.name(place.ty.ty));
            self.unsupported(what, TypeTable::VOID, span);
        }
        let PlaceKind::Memory(address) = place.kind else {
            return self.error("type", span, "a member of this value cannot be used");
        };
        let quals = if place.ty.is_atomic() { Quals::ATOMIC } else { Quals::NONE };
        let offset: u64 = path.iter().map(|member| member.offset).sum();
        let member = path.last().expect("a path to a member should not be empty");
        let address = address.plus(offset);
        let kind = match member.bits {
            Some(bits) => PlaceKind::BitField(address, bits),
            None => PlaceKind::Memory(address),
        };
        Ok(LValue { kind, ty: member.ty.with(quals) })
    }

    /// The address as an operand.
    pub fn address_operand(&mut self, address: Address, span: Span) -> Operand {
        if self.builder.constant_mode && address.offset != 0 {
            match address.base {
                Operand::Null => return self.builder.size_operand(address.offset as u64),
                Operand::Int { bits, value } => return Operand::int(bits, value.wrapping_add(address.offset as u64)),
                _ => {}
            }
        }
        let offset = Operand::offset(address.offset);
        self.builder.compute(Rvalue::PointerAdd { pointer: address.base, offset }, Type::Pointer, span)
    }

    /// `&place`, as a pointer to the place's type.
    pub fn address_of(&mut self, place: LValue, span: Span) -> Lowered<CValue> {
        match place.kind {
            PlaceKind::Memory(address) => {
                let mut operand = self.address_operand(address, span);
                // Who drops the `const` of a pointer converts it.
                if !self.link.types.is_constant(place.ty) {
                    operand = self.without_const(operand, span);
                }
                let ty = self.link.types.pointer_to(place.ty);
                Ok(CValue::scalar(operand, ty))
            }
            PlaceKind::BitField(..) => self.error("lvalue", span, "a bit-field has no address"),
            PlaceKind::Register(_) => {
                let ty = self.link.types.pointer_to(place.ty);
                Ok(self.unsupported("the address of this variable", ty, span))
            }
        }
    }

    /// Reads a place; arrays and functions become pointers.
    pub fn load(&mut self, place: LValue, span: Span) -> Lowered<CValue> {
        match *self.link.types.kind(place.ty.ty) {
            CType::Array { element, .. } => {
                let pointer = self.address_of(place, span)?;
                let ty = self.link.types.pointer_to(element);
                return Ok(CValue::scalar(pointer.operand, ty));
            }
            CType::Function(_) => return self.address_of(place, span),
            CType::Void => return Ok(CValue::void()),
            CType::Record(_) if place.ty.is_atomic() => return self.load_atomic_record(place, span),
            CType::Record(_) | CType::Opaque { .. } => {
                let pointer = self.address_of(place, span)?;
                return Ok(CValue::aggregate(pointer.operand, place.ty.ty));
            }
            _ => {}
        }
        self.note_access(place);
        let ty = self.register_type(place.ty.ty);
        if self.builder.constant_mode
            && let Some(constant) = self.constant_contents(place)
        {
            return Ok(CValue::scalar(constant, place.ty.ty));
        }
        match place.kind {
            PlaceKind::Register(register) => Ok(CValue::scalar(Operand::Register(register), place.ty.ty)),
            PlaceKind::Memory(address) => {
                let address = self.address_operand(address, span);
                let target = self.builder.temporary(ty);
                let order = plain_order(place.ty);
                self.builder.emit(InstructionKind::Load { target, address, ty, order }, span);
                Ok(CValue::scalar(Operand::Register(target), place.ty.ty))
            }
            PlaceKind::BitField(address, bits) => self.load_bit_field(address, bits, place.ty, span),
        }
    }

    fn note_access(&mut self, place: LValue) {
        let is_in_memory = !matches!(place.kind, PlaceKind::Register(_));
        if is_in_memory && place.ty.quals.contains(Quals::VOLATILE) {
            self.function.volatile_accesses += 1;
        }
    }

    /// Writes a value that has the place's type already.
    pub fn store(&mut self, place: LValue, value: CValue, span: Span) -> Lowered<()> {
        self.note_access(place);
        if value.form == Form::Aggregate {
            let PlaceKind::Memory(target) = place.kind else {
                return self.error("type", span, "a structure cannot be stored here");
            };
            if place.ty.is_atomic() {
                return self.store_atomic_record(place, value, span);
            }
            return self.copy_aggregate(target, Address::at(value.operand), place.ty, span);
        }
        let ty = self.register_type(place.ty.ty);
        match place.kind {
            PlaceKind::Register(register) => {
                self.builder.assign(register, value.operand, span);
                Ok(())
            }
            PlaceKind::Memory(address) => {
                let address = self.address_operand(address, span);
                let order = plain_order(place.ty);
                self.builder.emit(InstructionKind::Store { address, value: value.operand, ty, order }, span);
                Ok(())
            }
            PlaceKind::BitField(address, bits) => self.store_bit_field(address, bits, value, span),
        }
    }

    /// `pointer ± index`, the index counting elements.
    pub fn pointer_plus(&mut self, pointer: CValue, index: CValue, minus: bool, span: Span) -> Lowered<CValue> {
        let Some(target) = self.link.types.pointee(pointer.ty) else {
            return self.error("type", span, "a pointer is needed here");
        };
        let (word, ty) = (self.builder.pointer_int(), Rvalue::OFFSET);
        let size = self.size_value(target.ty, span)?;
        let size = self.builder.resize(size, word, ty, false, span);
        let index = self.materialise(index, span)?;
        let from = self.register_type(index.ty);
        // `p[i - 1]` with an unsigned `i` that is zero is the element before `p` on every machine.
        let signed = self.link.types.is_signed(index.ty) || from == word;
        let mut count = self.builder.resize(index.operand, from, ty, signed, span);
        if minus {
            let negated = Rvalue::Unary { op: program::UnaryOp::Neg, ty, operand: count, signed: false };
            count = self.builder.compute(negated, ty, span);
        }
        let bytes = Rvalue::Binary { op: BinaryOp::Scale, ty, left: count, right: size, signed: false };
        let offset = self.builder.compute(bytes, ty, span);
        // As in `address_operand`: a pointer that is only a number is one in a constant.
        let operand = match (pointer.operand, offset) {
            (Operand::Null, Operand::Int { value: value @ 1.., .. }) if self.builder.constant_mode => {
                self.builder.size_operand(value)
            }
            (Operand::Int { bits, value }, Operand::Int { value: distance, .. }) if self.builder.constant_mode => {
                Operand::int(bits, value.wrapping_add(distance))
            }
            (pointer, offset) => self.builder.compute(Rvalue::PointerAdd { pointer, offset }, Type::Pointer, span),
        };
        Ok(CValue::scalar(operand, pointer.ty))
    }

    /// The number of elements between two pointers.
    pub fn pointer_distance(&mut self, left: CValue, right: CValue, span: Span) -> Lowered<CValue> {
        let Some(target) = self.link.types.pointee(left.ty) else {
            return self.error("type", span, "a pointer is needed here");
        };
        let size = self.size_value(target.ty, span)?;
        let word = self.builder.pointer_int();
        let bytes = Rvalue::PointerDifference { left: left.operand, right: right.operand };
        let bytes = match self.is_label_distance(left.operand, right.operand) {
            true if self.builder.constant_mode => {
                self.unknown_contents = Some("a distance of labels".to_owned());
                self.builder.size_operand(0)
            }
            _ => self.builder.compute(bytes, word, span),
        };
        let count = if size == self.builder.size_operand(0) {
            bytes
        } else {
            let quotient = Rvalue::Binary { op: BinaryOp::SDiv, ty: word, left: bytes, right: size, signed: false };
            self.builder.compute(quotient, word, span)
        };
        Ok(CValue::scalar(count, self.link.types.difference_type()))
    }

    /// Whether these are the addresses of two labels, whose distance only the compiler knows.
    fn is_label_distance(&self, left: Operand, right: Operand) -> bool {
        let is_label = |operand| match operand {
            Operand::Global { global, .. } => self.link.globals[global].name.starts_with(LABEL),
            _ => false,
        };
        is_label(left) && is_label(right) && left != right
    }

    /// The place with its address computed once, for a read and a write.
    pub fn fixed(&mut self, place: LValue, span: Span) -> LValue {
        let fix = |emitter: &mut Self, address: Address| {
            if address.offset == 0 {
                emitter.builder.pin(address.base);
                return address;
            }
            let operand = emitter.address_operand(address, span);
            emitter.builder.pin(operand);
            Address::at(operand)
        };
        let kind = match place.kind {
            PlaceKind::Memory(address) => PlaceKind::Memory(fix(self, address)),
            PlaceKind::BitField(address, bits) => PlaceKind::BitField(fix(self, address), bits),
            register => register,
        };
        LValue { kind, ty: place.ty }
    }

    /// What a scalar in a constant object is, where initialisers of static objects may ask for it.
    pub fn constant_contents(&self, place: LValue) -> Option<Operand> {
        let PlaceKind::Memory(address) = place.kind else { return None };
        let Operand::Global { global, offset } = address.base else { return None };
        let initial = self.link.constant_object(global)?;
        let offset = u64::try_from(offset.checked_add(address.offset)?).ok()?;
        let register = self.link.types.register_type(place.ty.ty)?;
        let size = register.bytes(self.link.types.model);
        let total = self.link.types.size_of(self.link.globals[global].ty.ty)?.max(initial.bytes.len() as u64);
        if !self.reads_constants || place.ty.quals.contains(Quals::VOLATILE) || offset + size > total {
            return None;
        }
        let near = |at: u64| at < offset + size && offset < at + self.link.types.model.pointer_bytes();
        if let Some(relocation) = initial.relocations.iter().find(|relocation| near(relocation.offset)) {
            let is_whole = relocation.offset == offset && register == Type::Pointer;
            return is_whole.then_some(relocation.value);
        }
        let byte = |index: u64| initial.bytes.get((offset + index) as usize).copied().unwrap_or(0);
        let number = (0..size).fold(0, |number, index| number | u64::from(byte(index)) << (8 * index));
        Some(match register {
            Type::Int(bits) => Operand::int(bits, number),
            Type::Float => Operand::Float(number as u32),
            Type::Double => Operand::Double(number),
            Type::Pointer if number == 0 => Operand::Null,
            Type::Pointer => return None,
        })
    }
}

/// Accesses of `_Atomic` objects without further ado are sequentially consistent.
pub fn plain_order(ty: QualType) -> MemoryOrder {
    if ty.is_atomic() { MemoryOrder::SequentiallyConsistent } else { MemoryOrder::NonAtomic }
}
