//! Places: what names, `*p`, `a[i]` and `s.m` denote, and reading and writing them.

use base::Span;
use program::{BinaryOp, CastOp, InstructionKind, MemoryOrder, Operand, Rvalue, Type};

use super::Lowerer;
use super::entity::Entity;
use super::jump::LABEL;
use super::value::{Address, Form, Lowered, Place, PlaceKind, Value};
use crate::ast::{ExprId, ExprKind, UnaryOp};
use crate::ctype::{CType, MemberLayout, QualType, Quals, TypeId, TypeTable};
use crate::symbol::Symbol;

impl Lowerer<'_, '_> {
    /// The place an lvalue denotes. Record-valued expressions count too: their bytes lie somewhere.
    pub fn place(&mut self, expr: ExprId) -> Lowered<Place> {
        let node = &self.ast[expr];
        let span = self.span(expr);
        match &node.kind {
            ExprKind::Name(name) => self.place_of_name(*name, expr),
            ExprKind::Unary { op: UnaryOp::Dereference, operand } => {
                let pointer = self.rvalue(*operand)?;
                self.dereference(pointer, node.span)
            }
            ExprKind::Index { base, index } => self.element_place(*base, *index, span),
            ExprKind::Member { base, field, arrow } => self.member_place(*base, *field, *arrow, node.span),
            ExprKind::String(literal) => self.static_literal(expr, |lowerer| lowerer.string_place(literal, node.span)),
            ExprKind::CompoundLiteral { ty, initializer } if self.scopes.at_file_scope() => {
                self.static_literal(expr, |lowerer| lowerer.static_compound_literal(*ty, initializer, span))
            }
            ExprKind::CompoundLiteral { ty, initializer } => self.compound_literal(*ty, initializer, span),
            ExprKind::Unary { op: UnaryOp::Real | UnaryOp::Imaginary, .. } => {
                let value = self.rvalue(expr)?;
                Ok(Place { kind: PlaceKind::Memory(Address::at(value.operand)), ty: QualType::plain(value.ty) })
            }
            ExprKind::Generic { .. } | ExprKind::Choose { .. } => {
                let chosen = self.chosen(expr)?;
                self.place(chosen)
            }
            _ => {
                let value = self.rvalue(expr)?;
                match value.form {
                    Form::Aggregate => {
                        let kind = PlaceKind::Memory(Address::at(value.operand));
                        Ok(Place { kind, ty: QualType::plain(value.ty) })
                    }
                    _ => self.error("lvalue", node.span, "this is a value, not a place that could be used here"),
                }
            }
        }
    }

    /// The object of a literal with static storage: one, however often the literal is looked at.
    fn static_literal(&mut self, expr: ExprId, make: impl FnOnce(&mut Self) -> Lowered<Place>) -> Lowered<Place> {
        if let Some(&place) = self.static_literals.get(&expr) {
            return Ok(place);
        }
        let place = make(self)?;
        self.static_literals.insert(expr, place);
        Ok(place)
    }

    pub fn place_of_name(&mut self, name: Symbol, expr: ExprId) -> Lowered<Place> {
        let span = self.ast[expr].span;
        let memory = |base, ty| Place { kind: PlaceKind::Memory(Address::at(base)), ty };
        match self.scopes.lookup(name) {
            Some(Entity::Register { register, ty }) => Ok(Place { kind: PlaceKind::Register(register), ty }),
            Some(Entity::Local { local, ty }) => Ok(memory(Operand::Local { local, offset: 0 }, ty)),
            Some(Entity::Indirect { pointer, ty }) => Ok(memory(Operand::Register(pointer), ty)),
            Some(Entity::Global(global)) => {
                let ty = self.link.globals[global].ty;
                if self.link.globals[global].absent {
                    self.assume_absent(name);
                    return Ok(memory(Operand::Null, ty));
                }
                Ok(memory(Operand::Global { global, offset: 0 }, ty))
            }
            Some(Entity::Function(function)) => {
                let ty = QualType::plain(self.link.functions[function].ty);
                if self.link.functions[function].absent {
                    self.assume_absent(name);
                    return Ok(memory(Operand::Null, ty));
                }
                let operand =
                    match self.link.weak.is_doubtful(self.name(name)) && !self.link.functions[function].defined {
                        true => {
                            let what = format!("the address of `{}`, which is weak", self.name(name));
                            self.unsupported(what, TypeTable::VOID_POINTER, self.place_of(span)).operand
                        }
                        false => self.function_address(function),
                    };
                Ok(memory(operand, ty))
            }
            Some(Entity::Constant { .. }) => {
                self.error("lvalue", span, format!("`{}` is an enumerator, not an object", self.name(name)))
            }
            Some(Entity::Typedef { .. }) => {
                self.error("syntax", span, format!("`{}` is a type, not a value", self.name(name)))
            }
            None => self.place_of_undeclared(name, span),
        }
    }

    fn assume_absent(&mut self, name: Symbol) {
        let text = format!("`{}` is weak and nothing defines it: its address is null", self.name(name));
        self.link.assume(text);
    }

    fn place_of_undeclared(&mut self, name: Symbol, span: Span) -> Lowered<Place> {
        let text = self.name(name);
        if matches!(text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            let bytes: Vec<u8> = self.f.name.bytes().chain([0]).collect();
            return Ok(self.bytes_place(bytes, span));
        }
        self.error("undeclared", span, format!("`{text}` is not declared"))
    }

    /// `*pointer`.
    pub fn dereference(&mut self, pointer: Value, span: Span) -> Lowered<Place> {
        match self.link.types.pointee(pointer.ty) {
            Some(target) => Ok(Place { kind: PlaceKind::Memory(Address::at(pointer.operand)), ty: target }),
            None => {
                let name = self.link.types.name(pointer.ty);
                self.error("type", span, format!("`{name}` is not a pointer and cannot be dereferenced"))
            }
        }
    }

    /// The object of this type that the pointer, whatever its own type, points to.
    pub fn place_of_type(&mut self, pointer: Value, ty: TypeId, span: Span) -> Lowered<Place> {
        let target = self.link.types.pointer_to(QualType::plain(ty));
        let pointer = self.convert(pointer, target, span)?;
        let place = self.dereference(pointer, span)?;
        Ok(self.fixed(place, span))
    }

    fn element_place(&mut self, base: ExprId, index: ExprId, span: Span) -> Lowered<Place> {
        let (left, right) = self.two_values(base, index, span)?;
        if let Some(place) = self.vector_element(left, span) {
            return Ok(place);
        }
        let (pointer, index) = if self.link.types.pointee(left.ty).is_some() { (left, right) } else { (right, left) };
        if self.link.types.pointee(pointer.ty).is_none() || !self.link.types.is_integer(index.ty) {
            let name = self.link.types.name(left.ty);
            return self.error("type", self.ast[base].span, format!("`{name}` cannot be indexed"));
        }
        let moved = self.pointer_plus(pointer, index, false, span)?;
        self.dereference(moved, span)
    }

    /// An element of a vector has a type, and else nothing is known of it.
    fn vector_element(&mut self, vector: Value, span: Span) -> Option<Place> {
        let CType::Opaque { element: Some(element), .. } = *self.link.types.kind(vector.ty) else { return None };
        self.unsupported("an element of a vector", TypeTable::VOID, span);
        Some(Place { kind: PlaceKind::Memory(Address::at(vector.operand)), ty: QualType::plain(element) })
    }

    fn member_place(&mut self, base: ExprId, field: Symbol, arrow: bool, span: Span) -> Lowered<Place> {
        let place = if arrow {
            let pointer = self.rvalue(base)?;
            self.dereference(pointer, span)?
        } else {
            self.place(base)?
        };
        let name = self.name(field);
        let member = self.member_of(place, name, span)?;
        if arrow { Ok(member) } else { self.member_of_value(base, member, span) }
    }

    /// The member `name` of a record at `place`, looked for inside anonymous members too.
    pub fn member_of(&mut self, place: Place, name: &str, span: Span) -> Lowered<Place> {
        let type_name = || self.link.types.name(place.ty.ty);
        let Some(record) = self.link.types.record(place.ty.ty) else {
            let text = format!("`{}` has no members; it is not a structure or union", type_name());
            return self.error("type", span, text);
        };
        if self.link.types.records[record].layout.is_none() {
            let text = format!("`{}` is incomplete here", type_name());
            return self.error("type", span, text);
        }
        let Some(path) = self.find_member(place.ty.ty, name) else {
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
        Ok(Place { kind, ty: member.ty.with(quals) })
    }

    /// The members to walk through to reach `name`: the last is the member itself.
    pub fn find_member(&self, record: TypeId, name: &str) -> Option<Vec<MemberLayout>> {
        let record = self.link.types.record(record)?;
        let layout = self.link.types.records[record].layout.as_ref()?;
        for member in &layout.members {
            if member.name == name {
                return Some(vec![member.clone()]);
            }
            if member.name.is_empty()
                && let Some(mut rest) = self.find_member(member.ty.ty, name)
            {
                rest.insert(0, member.clone());
                return Some(rest);
            }
        }
        None
    }

    /// The address as an operand.
    pub fn address_operand(&mut self, address: Address, span: Span) -> Operand {
        if self.f.builder.constant_mode && address.offset != 0 {
            match address.base {
                Operand::Null => return self.size_operand(address.offset as u64),
                Operand::Int { bits, value } => return Operand::int(bits, value.wrapping_add(address.offset as u64)),
                _ => {}
            }
        }
        let offset = Operand::offset(address.offset);
        self.compute(Rvalue::PointerAdd { pointer: address.base, offset }, Type::Pointer, span)
    }

    /// `&place`, as a pointer to the place's type.
    pub fn address_of(&mut self, place: Place, span: Span) -> Lowered<Value> {
        match place.kind {
            PlaceKind::Memory(address) => {
                let mut operand = self.address_operand(address, span);
                // Who drops the `const` of a pointer converts it.
                if !self.link.types.is_constant(place.ty) {
                    operand = self.without_const(operand, span);
                }
                let ty = self.link.types.pointer_to(place.ty);
                Ok(Value::scalar(operand, ty))
            }
            PlaceKind::BitField(..) => self.error("lvalue", span, "a bit-field has no address"),
            PlaceKind::Register(_) => {
                let ty = self.link.types.pointer_to(place.ty);
                Ok(self.unsupported("the address of this variable", ty, span))
            }
        }
    }

    /// Reads a place; arrays and functions become pointers.
    pub fn load(&mut self, place: Place, span: Span) -> Lowered<Value> {
        match *self.link.types.kind(place.ty.ty) {
            CType::Array { element, .. } => {
                let pointer = self.address_of(place, span)?;
                let ty = self.link.types.pointer_to(element);
                return Ok(Value::scalar(pointer.operand, ty));
            }
            CType::Function(_) => return self.address_of(place, span),
            CType::Void => return Ok(Value::void()),
            CType::Record(_) if place.ty.is_atomic() => return self.load_atomic_record(place, span),
            CType::Record(_) | CType::Opaque { .. } => {
                let pointer = self.address_of(place, span)?;
                return Ok(Value::aggregate(pointer.operand, place.ty.ty));
            }
            _ => {}
        }
        self.note_access(place);
        let ty = self.register_type(place.ty.ty);
        if self.f.builder.constant_mode
            && let Some(constant) = self.constant_contents(place)
        {
            return Ok(Value::scalar(constant, place.ty.ty));
        }
        match place.kind {
            PlaceKind::Register(register) => Ok(Value::scalar(Operand::Register(register), place.ty.ty)),
            PlaceKind::Memory(address) => {
                let address = self.address_operand(address, span);
                let target = self.f.builder.temporary(ty);
                let order = plain_order(place.ty);
                self.emit(InstructionKind::Load { target, address, ty, order }, span);
                Ok(Value::scalar(Operand::Register(target), place.ty.ty))
            }
            PlaceKind::BitField(address, bits) => self.load_bit_field(address, bits, place.ty, span),
        }
    }

    fn note_access(&mut self, place: Place) {
        let is_in_memory = !matches!(place.kind, PlaceKind::Register(_));
        if is_in_memory && place.ty.quals.contains(Quals::VOLATILE) {
            self.f.volatile_accesses += 1;
        }
    }

    /// Writes a value that has the place's type already.
    pub fn store(&mut self, place: Place, value: Value, span: Span) -> Lowered<()> {
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
                self.f.builder.assign(register, value.operand, span);
                Ok(())
            }
            PlaceKind::Memory(address) => {
                let address = self.address_operand(address, span);
                let order = plain_order(place.ty);
                self.emit(InstructionKind::Store { address, value: value.operand, ty, order }, span);
                Ok(())
            }
            PlaceKind::BitField(address, bits) => self.store_bit_field(address, bits, value, span),
        }
    }

    /// `pointer ± index`, the index counting elements.
    pub fn pointer_plus(&mut self, pointer: Value, index: Value, minus: bool, span: Span) -> Lowered<Value> {
        let Some(target) = self.link.types.pointee(pointer.ty) else {
            return self.error("type", span, "a pointer is needed here");
        };
        let (word, ty) = (self.pointer_int(), Rvalue::OFFSET);
        let size = self.size_value(target.ty, span)?;
        let size = self.resize(size, word, ty, false, span);
        let index = self.materialise(index, span)?;
        let from = self.register_type(index.ty);
        // `p[i - 1]` with an unsigned `i` that is zero is the element before `p` on every machine.
        let signed = self.link.types.is_signed(index.ty) || from == word;
        let mut count = self.resize(index.operand, from, ty, signed, span);
        if minus {
            let negated = Rvalue::Unary { op: program::UnaryOp::Neg, ty, operand: count, signed: false };
            count = self.compute(negated, ty, span);
        }
        let bytes = Rvalue::Binary { op: BinaryOp::Scale, ty, left: count, right: size, signed: false };
        let offset = self.compute(bytes, ty, span);
        // As in `address_operand`: a pointer that is only a number is one in a constant.
        let operand = match (pointer.operand, offset) {
            (Operand::Null, Operand::Int { value: value @ 1.., .. }) if self.f.builder.constant_mode => {
                self.size_operand(value)
            }
            (Operand::Int { bits, value }, Operand::Int { value: distance, .. }) if self.f.builder.constant_mode => {
                Operand::int(bits, value.wrapping_add(distance))
            }
            (pointer, offset) => self.compute(Rvalue::PointerAdd { pointer, offset }, Type::Pointer, span),
        };
        Ok(Value::scalar(operand, pointer.ty))
    }

    /// The number of elements between two pointers.
    pub fn pointer_distance(&mut self, left: Value, right: Value, span: Span) -> Lowered<Value> {
        let Some(target) = self.link.types.pointee(left.ty) else {
            return self.error("type", span, "a pointer is needed here");
        };
        let size = self.size_value(target.ty, span)?;
        let word = self.pointer_int();
        let bytes = Rvalue::PointerDifference { left: left.operand, right: right.operand };
        let bytes = match self.is_label_distance(left.operand, right.operand) {
            true if self.f.builder.constant_mode => {
                self.unknown_contents = Some("a distance of labels".to_owned());
                self.size_operand(0)
            }
            _ => self.compute(bytes, word, span),
        };
        let count = if size == self.size_operand(0) {
            bytes
        } else {
            let quotient = Rvalue::Binary { op: BinaryOp::SDiv, ty: word, left: bytes, right: size, signed: false };
            self.compute(quotient, word, span)
        };
        Ok(Value::scalar(count, self.link.types.difference_type()))
    }

    /// Whether these are the addresses of two labels, whose distance only the compiler knows.
    fn is_label_distance(&self, left: Operand, right: Operand) -> bool {
        let is_label = |operand| match operand {
            Operand::Global { global, .. } => self.link.globals[global].name.starts_with(LABEL),
            _ => false,
        };
        is_label(left) && is_label(right) && left != right
    }

    /// The low `to` bits of an integer operand.
    pub fn narrow(&mut self, operand: Operand, from: Type, to: Type, span: Span) -> Operand {
        self.cast(CastOp::Truncate, from, to, operand, span)
    }
}

/// Accesses of `_Atomic` objects without further ado are sequentially consistent.
pub fn plain_order(ty: QualType) -> MemoryOrder {
    if ty.is_atomic() { MemoryOrder::SequentiallyConsistent } else { MemoryOrder::NonAtomic }
}
