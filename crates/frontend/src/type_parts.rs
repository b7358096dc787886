//! What types consist of, and how values of them are passed.

use crate::ast::{LiteralEncoding, StringLiteral, StringUnits};
use crate::ctype::{ArrayLength, CType, FunctionType, IntKind, MemberLayout, QualType, TypeId, TypeTable};

impl TypeTable {
    /// The bytes of a string with the terminating zero, and the type of a character.
    pub fn string_bytes(&mut self, literal: &StringLiteral) -> (Vec<u8>, TypeId) {
        let element = match literal.encoding {
            LiteralEncoding::Narrow | LiteralEncoding::Utf8 => TypeTable::CHAR,
            LiteralEncoding::Wide => self.wide_character(),
            LiteralEncoding::Utf16 => self.int(IntKind::UnsignedShort),
            LiteralEncoding::Utf32 => TypeTable::UNSIGNED,
        };
        let size = self.size_of(element).unwrap_or(1) as usize;
        let bytes = match &literal.units {
            StringUnits::Bytes(bytes) => bytes.iter().copied().chain([0]).collect(),
            StringUnits::Wide(units) => {
                units.iter().chain([&0]).flat_map(|unit| unit.to_le_bytes()[..size].to_vec()).collect()
            }
        };
        (bytes, element)
    }

    /// The members to walk through to reach `name`: the last is the member itself.
    pub fn find_member(&self, record: TypeId, name: &str) -> Option<Vec<MemberLayout>> {
        let record = self.record(record)?;
        let layout = self.records[record].layout.as_ref()?;
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

    /// Whether an object of the type has a size only at run time.
    pub fn is_variable_length(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            CType::Array { length: ArrayLength::Variable(_), .. } => true,
            CType::Array { element, .. } => self.is_variable_length(element.ty),
            _ => false,
        }
    }

    /// What about the type of an object is not supported: it is, or has a part that is, a record with such an attribute.
    pub fn unsupported_part(&self, ty: TypeId) -> Option<String> {
        match self.kind(ty) {
            CType::Array { element, .. } => self.unsupported_part(element.ty),
            CType::Record(id) => self.records[*id].unsupported.clone(),
            _ => None,
        }
    }

    /// Arrays become pointers to their elements, functions pointers to functions.
    pub fn adjusted(&mut self, ty: QualType) -> QualType {
        match *self.kind(ty.ty) {
            CType::Array { element, .. } => QualType::plain(self.pointer_to(element)),
            CType::Function(_) => QualType::plain(self.pointer_to(ty)),
            _ => ty,
        }
    }

    /// Whether the record, a record in it or one of its elements has an array of this name.
    pub fn has_array(&self, ty: TypeId, name: &str) -> bool {
        if let Some(element) = self.element(ty) {
            return self.has_array(element.ty, name);
        }
        let Some(record) = self.record(ty) else { return false };
        let members = self.records[record].layout.iter().flat_map(|layout| &layout.members);
        let is_array = |ty: TypeId| matches!(self.kind(ty), CType::Array { .. });
        members
            .into_iter()
            .any(|member| (member.name == name && is_array(member.ty.ty)) || self.has_array(member.ty.ty, name))
    }

    /// Whether a call by the type `call` is the same as one by the function's own type.
    pub fn passes_alike(&self, call: &FunctionType, own: &FunctionType, arguments: usize) -> bool {
        let alike = |one: QualType, other: QualType| {
            let registers = [one, other].map(|ty| self.register_type(ty.ty));
            registers[0] == registers[1] && (registers[0].is_some() || one.ty == other.ty)
        };
        if !alike(call.result, own.result) || call.variadic != own.variadic {
            return false;
        }
        match (call.prototype, own.prototype) {
            (true, true) => {
                call.parameters.len() == own.parameters.len()
                    && call.parameters.iter().zip(&own.parameters).all(|(&one, &other)| alike(one, other))
            }
            (true, false) => false,
            (false, true) => arguments == own.parameters.len(),
            (false, false) => true,
        }
    }

    /// Whether all that is passed are scalars: no structures, whose addresses are passed, and no extra arguments.
    pub fn travels_in_registers(&self, signature: &FunctionType) -> bool {
        let is_aggregate = |ty: &QualType| self.is_aggregate(ty.ty);
        !signature.variadic && !is_aggregate(&signature.result) && !signature.parameters.iter().any(is_aggregate)
    }
}
