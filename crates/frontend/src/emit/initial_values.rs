//! The first values of automatic objects.

use base::Span;
use program::{InstructionKind, Operand};

use super::Emitter;
use super::value::{Address, CValue, LValue, Lowered, PlaceKind};
use crate::ctype::QualType;

impl Emitter<'_, '_> {
    /// Initialisation is not an atomic access (C11 7.17.2.1), and it may write `const` objects.
    pub fn store_initial(&mut self, place: LValue, value: CValue, span: Span) -> Lowered<()> {
        self.store(LValue { ty: QualType::plain(place.ty.ty), ..place }, value, span)
    }

    pub fn store_string(&mut self, address: Address, array: QualType, bytes: Vec<u8>, span: Span) {
        let length = bytes.len() as u64;
        let source = self.bytes_place(bytes, span);
        let PlaceKind::Memory(source) = source.kind else { return };
        let target = self.address_operand(address, span);
        let source = self.address_operand(source, span);
        let size = self.builder.size_operand(length);
        self.builder.emit(InstructionKind::CopyMemory { target, source, size, overlap: false }, span);
        let rest = self.link.types.size_of(array.ty).map_or(0, |size| size.saturating_sub(length));
        if rest > 0 {
            let target = self.address_operand(address.plus(length), span);
            let (byte, size) = (Operand::int(8, 0), self.builder.size_operand(rest));
            self.builder.emit(InstructionKind::SetMemory { target, byte, size }, span);
        }
    }
}
