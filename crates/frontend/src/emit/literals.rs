//! Constants and strings as values and objects.

use base::Span;
use program::Operand;

use super::Emitter;
use super::value::{Address, CValue, LValue, PlaceKind};
use crate::ctype::{ArrayLength, QualType, Quals, TypeId, TypeTable};
use crate::fold::sign_extend;

impl Emitter<'_, '_> {
    /// An integer constant of an integer type.
    pub fn integer(&self, value: u64, ty: TypeId) -> CValue {
        let bits = self.register_type(ty).bits(self.link.types.model);
        CValue::scalar(Operand::int(bits, value), ty)
    }

    pub fn as_integer(&self, value: CValue) -> Option<i128> {
        match value.operand {
            Operand::Int { bits, value: number } if self.link.types.is_signed(value.ty) => {
                Some(i128::from(sign_extend(number, bits)))
            }
            Operand::Int { value: number, .. } => Some(i128::from(number)),
            _ => None,
        }
    }

    pub fn bytes_place(&mut self, bytes: Vec<u8>, span: Span) -> LValue {
        let element = QualType { ty: TypeTable::CHAR, quals: Quals::CONST };
        let ty = self.link.types.array_of(element, ArrayLength::Known(bytes.len() as u64));
        let global = self.link.string(bytes, ty, span);
        let kind = PlaceKind::Memory(Address::at(Operand::Global { global, offset: 0 }));
        LValue { kind, ty: QualType::plain(ty) }
    }
}
