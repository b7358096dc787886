//! Bit-fields: load, mask and store of the integer they are accessed through.

use base::Span;
use program::{BinaryOp, InstructionKind, MemoryOrder, Operand, Type};

use super::Emitter;
use super::value::{Address, CValue, Lowered};
use crate::ctype::{BitRange, QualType, TypeTable};

impl Emitter<'_, '_> {
    pub fn load_bit_field(&mut self, address: Address, bits: BitRange, ty: QualType, span: Span) -> Lowered<CValue> {
        let value_type = self.link.types.promoted_bit_field(ty.ty, bits.width);
        let signed = self.link.types.is_signed(ty.ty);
        self.touch_neighbours(address, bits, span);
        let (whole, bits) = match bits.unit {
            0 if bits.shift + bits.width > 64 => {
                return Ok(self.unsupported("a bit-field that spans nine bytes", value_type, span));
            }
            0 => (self.load_pieces(address, bits, span), BitRange { unit: 64, ..bits }),
            unit => (self.load_unit(address, Type::Int(unit), span), bits),
        };
        let unit = Type::Int(bits.unit);
        let operand = self.extract(whole, bits, signed, span);
        let target = self.register_type(value_type);
        let operand = self.builder.resize(operand, unit, target, signed, span);
        Ok(CValue::scalar(operand, value_type))
    }

    fn load_unit(&mut self, address: Address, unit: Type, span: Span) -> Operand {
        let address = self.address_operand(address, span);
        let target = self.builder.temporary(unit);
        self.builder.emit(InstructionKind::Load { target, address, ty: unit, order: MemoryOrder::NonAtomic }, span);
        Operand::Register(target)
    }

    /// The field moved to the low bits and extended over the unit.
    fn extract(&mut self, whole: Operand, bits: BitRange, signed: bool, span: Span) -> Operand {
        let unit = Type::Int(bits.unit);
        let constant = |value: u64| Operand::int(bits.unit, value);
        let left_over = bits.unit - bits.width - bits.shift;
        if signed {
            let high = self.builder.bits(BinaryOp::Shl, unit, whole, constant(u64::from(left_over)), span);
            return self.builder.bits(BinaryOp::AShr, unit, high, constant(u64::from(bits.unit - bits.width)), span);
        }
        let low = self.builder.bits(BinaryOp::LShr, unit, whole, constant(u64::from(bits.shift)), span);
        if left_over == 0 {
            return low;
        }
        self.builder.bits(BinaryOp::And, unit, low, constant(mask(bits.width)), span)
    }

    /// Neighbouring bit-fields are one memory location, however many accesses that is: with reads of its other bytes, a
    /// write to any of them is in conflict with this access.
    fn touch_neighbours(&mut self, address: Address, bits: BitRange, span: Span) {
        let start = address.plus(0u64.wrapping_sub(bits.before));
        for (offset, bytes) in pieces(bits.before) {
            self.load_unit(start.plus(offset), Type::Int(bytes * 8), span);
        }
        let end = address.plus(bits.accessed_bytes());
        for (offset, bytes) in pieces(bits.after) {
            self.load_unit(end.plus(offset), Type::Int(bytes * 8), span);
        }
    }

    pub fn store_bit_field(&mut self, address: Address, bits: BitRange, value: CValue, span: Span) -> Lowered<()> {
        self.touch_neighbours(address, bits, span);
        if bits.unit == 0 {
            self.store_pieces(address, bits, value, span);
            return Ok(());
        }
        let unit = Type::Int(bits.unit);
        let from = self.register_type(value.ty);
        let signed = self.link.types.is_signed(value.ty);
        let resized = self.builder.resize(value.operand, from, unit, signed, span);
        let constant = |value: u64| Operand::int(bits.unit, value);
        let mut merged = resized;
        if bits.width < bits.unit {
            let field = self.builder.bits(BinaryOp::And, unit, resized, constant(mask(bits.width)), span);
            let placed = self.builder.bits(BinaryOp::Shl, unit, field, constant(u64::from(bits.shift)), span);
            let whole = self.load_unit(address, unit, span);
            let hole = !(mask(bits.width) << bits.shift);
            let rest = self.builder.bits(BinaryOp::And, unit, whole, constant(hole), span);
            merged = self.builder.bits(BinaryOp::Or, unit, rest, placed, span);
        }
        let address = self.address_operand(address, span);
        let store = InstructionKind::Store { address, value: merged, ty: unit, order: MemoryOrder::NonAtomic };
        self.builder.emit(store, span);
        Ok(())
    }

    /// All bytes of a field that no single access covers, in 64 bits.
    fn load_pieces(&mut self, address: Address, bits: BitRange, span: Span) -> Operand {
        let wide = Type::Int(64);
        let mut whole = Operand::int(64, 0);
        for (offset, bytes) in pieces(bits.accessed_bytes()) {
            let unit = Type::Int(bytes * 8);
            let piece = self.load_unit(address.plus(offset), unit, span);
            let piece = self.builder.resize(piece, unit, wide, false, span);
            let moved = self.builder.bits(BinaryOp::Shl, wide, piece, Operand::int(64, offset * 8), span);
            whole = self.builder.bits(BinaryOp::Or, wide, whole, moved, span);
        }
        whole
    }

    fn store_pieces(&mut self, address: Address, bits: BitRange, value: CValue, span: Span) {
        if bits.shift + bits.width > 64 {
            self.unsupported("a bit-field that spans nine bytes", TypeTable::VOID, span);
            return;
        }
        let wide = Type::Int(64);
        let from = self.register_type(value.ty);
        let signed = self.link.types.is_signed(value.ty);
        let value = self.builder.resize(value.operand, from, wide, signed, span);
        let field = self.builder.bits(BinaryOp::And, wide, value, Operand::int(64, mask(bits.width)), span);
        let placed = self.builder.bits(BinaryOp::Shl, wide, field, Operand::int(64, u64::from(bits.shift)), span);
        self.builder.pin(placed);
        for (offset, bytes) in pieces(bits.accessed_bytes()) {
            let unit = Type::Int(bytes * 8);
            let moved = self.builder.bits(BinaryOp::LShr, wide, placed, Operand::int(64, offset * 8), span);
            let mut piece = self.builder.resize(moved, wide, unit, false, span);
            let hole = !(mask(bits.width) << bits.shift >> (offset * 8)) & mask(bytes * 8);
            if hole != 0 {
                let old = self.load_unit(address.plus(offset), unit, span);
                let rest = self.builder.bits(BinaryOp::And, unit, old, Operand::int(bytes * 8, hole), span);
                piece = self.builder.bits(BinaryOp::Or, unit, rest, piece, span);
            }
            let address = self.address_operand(address.plus(offset), span);
            let store = InstructionKind::Store { address, value: piece, ty: unit, order: MemoryOrder::NonAtomic };
            self.builder.emit(store, span);
        }
    }

    /// What a bit-field holds after `value` was assigned to it: the value of the assignment expression.
    pub fn truncate_to_field(&mut self, value: CValue, bits: BitRange, ty: QualType, span: Span) -> Lowered<CValue> {
        let signed = self.link.types.is_signed(ty.ty);
        let from = self.register_type(value.ty);
        let width = from.bits(self.link.types.model);
        if bits.width >= width {
            return Ok(value);
        }
        let range = BitRange { unit: width, shift: 0, ..bits };
        let operand = self.extract(value.operand, range, signed, span);
        let result = CValue::scalar(operand, value.ty);
        let promoted = self.link.types.promoted_bit_field(ty.ty, bits.width);
        self.convert(result, promoted, span)
    }
}

pub fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The accesses, as offsets and sizes in bytes, that together cover so many bytes.
fn pieces(mut left: u64) -> Vec<(u64, u8)> {
    let mut offset = 0;
    let mut pieces = Vec::new();
    while left > 0 {
        let bytes = [8u8, 4, 2, 1].into_iter().find(|&bytes| u64::from(bytes) <= left).unwrap_or(1);
        pieces.push((offset, bytes));
        offset += u64::from(bytes);
        left -= u64::from(bytes);
    }
    pieces
}
