//! Variadic arguments: the caller stores them into one object of eight-byte slots, and a `va_list` is a pointer that moves
//! over it.

use base::Span;
use program::{Operand, VARIADIC_ARGUMENTS};

use super::Emitter;
use super::value::{Address, CValue, LValue, Lowered, PlaceKind};
use crate::ctype::{CType, MemberLayout, QualType, RecordDef, RecordLayout, TypeId};

const SLOT: u64 = 8;

impl Emitter<'_, '_> {
    /// Stores the arguments and returns the object's address.
    pub fn variadic_object(&mut self, arguments: &[CValue], span: Span) -> Lowered<Operand> {
        if arguments.is_empty() {
            return Ok(Operand::Null);
        }
        let mut members = Vec::new();
        let mut size = 0;
        for (index, value) in arguments.iter().enumerate() {
            let ty = QualType::plain(value.ty);
            let name = format!("argument{}", index + 1);
            members.push(MemberLayout { name, ty, offset: size, align: SLOT, bits: None });
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
                LValue { kind: PlaceKind::Memory(Address::at(object).plus(offset)), ty: QualType::plain(value.ty) };
            self.store(place, *value, span)?;
        }
        Ok(object)
    }

    pub fn slot_size(&self, ty: TypeId) -> u64 {
        self.link.types.size_of(ty).unwrap_or(SLOT).max(1).next_multiple_of(SLOT)
    }
}
