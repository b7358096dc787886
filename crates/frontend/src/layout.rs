//! Sizes, alignments and record layouts as GCC has them on x86: System V psABI for i386 (ILP32) and x86-64 (LP64).
//!
//! Bit-fields are placed by GCC's rule for targets where the declared type matters, and each is given the narrowest
//! integer access that covers it without touching a member that is not a bit-field (C11 3.14: such a member is another
//! memory location, and writing it back would be a race the program does not have).

use std::collections::BTreeMap;

use program::DataModel;

use crate::ctype::{ArrayLength, BitRange, CType, MemberLayout, QualType, RecordLayout, TypeId, TypeTable};

/// Greatest object size that is accepted: larger ones are a diagnostic, so that sums of sizes cannot overflow.
pub const MAX_SIZE: u64 = 1 << 40;

/// One member as declared, before it has a place.
pub struct MemberSpec {
    pub name: String,
    pub ty: QualType,
    /// `Some(0)` ends the current run of bit-fields.
    pub bit_width: Option<u8>,
    /// From `aligned` or `_Alignas` on the member itself: it only raises the alignment, and `packed` does not lower it.
    pub align: Option<u64>,
    /// From `aligned` on the typedef that the type is written with: it takes the place of the type's own alignment.
    pub type_align: Option<u64>,
    pub packed: bool,
}

impl MemberSpec {
    /// The alignment that comes from the type.
    fn natural_align(&self, types: &TypeTable, ty: QualType) -> u64 {
        self.type_align.unwrap_or_else(|| types.field_align(ty))
    }
}

impl TypeTable {
    /// Bytes of a complete type; `None` for incomplete, function and variable-length types.
    pub fn size_of(&self, ty: TypeId) -> Option<u64> {
        let pointer = self.model.pointer_bytes();
        match self.kind(ty) {
            CType::Void | CType::Function(_) => None,
            CType::Bool => Some(1),
            CType::Float => Some(4),
            CType::Double => Some(8),
            CType::Int(kind) => Some(u64::from(kind.bits(self.model)) / 8),
            CType::Enum(id) => Some(u64::from(self.enums[*id].underlying.bits(self.model)) / 8),
            CType::Opaque { size, .. } => Some(*size),
            CType::Pointer(_) => Some(pointer),
            CType::VaList => Some(if pointer == 8 { 24 } else { 4 }),
            CType::Array { element, length: ArrayLength::Known(n) } => {
                self.size_of(element.ty)?.checked_mul(*n).filter(|&size| size <= MAX_SIZE)
            }
            CType::Array { .. } => None,
            CType::Record(id) => self.records[*id].layout.as_ref().map(|layout| layout.size),
        }
    }

    /// `sizeof` as GNU C extends it: `void` and functions count one byte.
    pub fn step_of(&self, ty: TypeId) -> Option<u64> {
        match self.kind(ty) {
            CType::Void | CType::Function(_) => Some(1),
            _ => self.size_of(ty),
        }
    }

    /// The alignment of an object of the type on its own.
    pub fn align_of(&self, ty: TypeId) -> u64 {
        match self.kind(ty) {
            CType::Array { element, .. } => self.align_of(element.ty),
            CType::Opaque { align, .. } => *align,
            CType::Record(id) => self.records[*id].layout.as_ref().map_or(1, |layout| layout.align),
            CType::VaList => self.model.pointer_bytes(),
            _ => self.size_of(ty).unwrap_or(1),
        }
    }

    /// What an object of the type is aligned to on its own; an atomic one to its size.
    pub fn preferred_align(&self, ty: QualType) -> u64 {
        if ty.is_atomic() { self.field_align(ty) } else { self.align_of(ty.ty) }
    }

    /// The alignment inside a record, which is also what `_Alignof` and `_Alignas` count: on i386 eight-byte scalars need only
    /// four.
    pub fn field_align(&self, ty: QualType) -> u64 {
        let align = self.align_of(ty.ty);
        if ty.is_atomic() {
            return self
                .size_of(ty.ty)
                .filter(|size| size.is_power_of_two() && *size <= 16)
                .unwrap_or(align)
                .max(align);
        }
        let innermost = self.innermost(ty.ty);
        let wide = self.model == DataModel::Ilp32 && self.register_type(innermost).is_some();
        if wide { align.min(4) } else { align }
    }

    /// What is not known of the place of such a member. On i386, gcc aligns a record of eight bytes that an atomic member
    /// aligns to eight only to four inside of others, if it would keep the record in registers.
    pub fn doubtful_alignment(&self, ty: QualType) -> Option<String> {
        let inner = self.innermost(ty.ty);
        let is_doubtful = self.model == DataModel::Ilp32
            && !ty.is_atomic()
            && matches!(self.kind(inner), CType::Record(_))
            && (self.size_of(inner), self.align_of(inner)) == (Some(8), 8)
            && self.has_atomic_member(inner);
        is_doubtful.then(|| "a structure of eight bytes with an atomic member inside".to_owned())
    }

    fn has_atomic_member(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            CType::Array { element, .. } => element.is_atomic() || self.has_atomic_member(element.ty),
            CType::Record(id) => self.records[*id].layout.as_ref().is_some_and(|layout| {
                layout.members.iter().any(|member| member.ty.is_atomic() || self.has_atomic_member(member.ty.ty))
            }),
            _ => false,
        }
    }

    fn innermost(&self, mut ty: TypeId) -> TypeId {
        while let CType::Array { element, .. } = self.kind(ty) {
            ty = element.ty;
        }
        ty
    }
}

/// What is said about the layout of a record besides its members.
#[derive(Clone, Copy, Debug, Default)]
pub struct LayoutRules {
    /// The record has the attribute `packed`.
    pub packed: bool,
    /// The record's own attribute `aligned`.
    pub align: Option<u64>,
    /// The greatest alignment of a member, by `#pragma pack(n)`; it does not concern bit-fields of width zero.
    pub max_member_align: Option<u64>,
}

/// Places the members. `Err` says why there is no such record.
pub fn lay_out(
    types: &TypeTable,
    union: bool,
    members: Vec<MemberSpec>,
    rules: LayoutRules,
) -> Result<RecordLayout, String> {
    let max_align = rules.max_member_align.filter(|align| align.is_power_of_two()).unwrap_or(u64::MAX);
    let mut placer = Placer { types, union, max_align, bit: 0, end: 0, align: 1, placed: Vec::new(), locations: 0 };
    for member in members {
        placer.place(member, rules.packed)?;
    }
    let align = placer.align.max(rules.align.unwrap_or(1));
    let bytes = placer.end.max(placer.bit).div_ceil(8);
    let size = bytes.next_multiple_of(align);
    let members = assign_units(types, placer.placed, size);
    Ok(RecordLayout { size, align, members })
}

struct Placed {
    name: String,
    ty: QualType,
    bit: u64,
    width: Option<u8>,
    align: u64,
    /// Neighbouring bit-fields have the same number: they are one memory location.
    location: u32,
}

struct Placer<'a> {
    types: &'a TypeTable,
    union: bool,
    max_align: u64,
    /// The next free bit of a structure.
    bit: u64,
    /// The end of a union's largest member.
    end: u64,
    align: u64,
    placed: Vec<Placed>,
    locations: u32,
}

impl Placer<'_> {
    fn place(&mut self, member: MemberSpec, packed: bool) -> Result<(), String> {
        let packed = packed || member.packed;
        if self.union {
            self.bit = 0;
        }
        let is_bit_field = member.bit_width.is_some_and(|width| width > 0);
        self.locations += u32::from(self.union || !is_bit_field);
        match member.bit_width {
            Some(width) => self.place_bit_field(member, width, packed),
            None => self.place_member(member, packed)?,
        }
        self.locations += u32::from(!is_bit_field);
        self.end = self.end.max(self.bit);
        Ok(())
    }

    fn place_member(&mut self, member: MemberSpec, packed: bool) -> Result<(), String> {
        let size = match self.types.kind(member.ty.ty) {
            CType::Array { length: ArrayLength::Unknown, .. } => 0,
            _ => self
                .types
                .size_of(member.ty.ty)
                .ok_or_else(|| format!("the member `{}` has an incomplete type", member.name))?,
        };
        let natural = if packed { 1 } else { member.natural_align(self.types, member.ty) };
        let align = natural.max(member.align.unwrap_or(1)).min(self.max_align);
        self.align = self.align.max(align);
        self.bit = self.bit.next_multiple_of(align * 8);
        self.placed.push(Placed {
            name: member.name,
            ty: member.ty,
            bit: self.bit,
            width: None,
            align,
            location: self.locations,
        });
        self.bit += size * 8;
        if self.bit > MAX_SIZE * 8 {
            return Err(format!("the record is larger than {MAX_SIZE} bytes"));
        }
        Ok(())
    }

    fn place_bit_field(&mut self, member: MemberSpec, width: u8, packed: bool) {
        let natural = member.natural_align(self.types, QualType::plain(member.ty.ty));
        if width == 0 {
            self.bit = self.bit.next_multiple_of(natural * 8);
            return;
        }
        let align = natural.min(self.max_align) * 8;
        // One that is a whole integer where it lies is placed like a member, whatever a typedef asks for.
        let is_whole = matches!(width, 8 | 16 | 32 | 64) && self.bit.is_multiple_of(u64::from(width));
        if let Some(wanted) = member.align.map(|wanted| wanted.min(self.max_align)) {
            self.bit = self.bit.next_multiple_of(wanted * 8);
            self.align = self.align.max(wanted);
        }
        let size = self.types.size_of(member.ty.ty).unwrap_or(4) * 8;
        let spans_too_many = (self.bit % align + u64::from(width)).div_ceil(align) > size / align;
        // Under `#pragma pack`, whatever its number, gcc lets bit-fields straddle, and `packed` does not matter.
        let has_limit = self.max_align != u64::MAX;
        if !packed && !has_limit && !is_whole && spans_too_many {
            self.bit = self.bit.next_multiple_of(align);
        }
        if !member.name.is_empty() {
            self.align = self.align.max(if packed && !has_limit { 1 } else { align / 8 });
            let (bit, location) = (self.bit, self.locations);
            let align = align / 8;
            self.placed.push(Placed { name: member.name, ty: member.ty, bit, width: Some(width), align, location });
        }
        self.bit += u64::from(width);
    }
}

fn assign_units(types: &TypeTable, placed: Vec<Placed>, size: u64) -> Vec<MemberLayout> {
    let bytes = |member: &Placed| {
        let bits = member.width.map_or(types.size_of(member.ty.ty).unwrap_or(0) * 8, u64::from);
        (member.bit / 8, (member.bit + bits).div_ceil(8))
    };
    let mut locations: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for member in &placed {
        let (from, to) = bytes(member);
        let location = locations.entry(member.location).or_insert((from, to));
        *location = (location.0.min(from), location.1.max(to));
    }
    let unit = |member: &Placed, width: u8| {
        // No access may touch another memory location (in a union every member shares its bytes anyway).
        let others = locations.iter().filter(|(number, _)| **number != member.location);
        let occupied: Vec<(u64, u64)> = others.map(|(_, &bytes)| bytes).collect();
        let (offset, mut bits) = access_unit(member.bit, width, size, &occupied);
        let own = locations[&member.location];
        let end = offset + bits.accessed_bytes();
        (bits.before, bits.after) = (offset.saturating_sub(own.0), own.1.saturating_sub(end));
        (offset, bits)
    };
    let lay_out = |member: &Placed| match member.width {
        None => (member.bit / 8, None),
        Some(width) => {
            let (offset, bits) = unit(member, width);
            (offset, Some(bits))
        }
    };
    let layouts: Vec<(u64, Option<BitRange>)> = placed.iter().map(lay_out).collect();
    let members = placed.into_iter().zip(layouts);
    members
        .map(|(Placed { name, ty, align, .. }, (offset, bits))| MemberLayout { name, ty, offset, align, bits })
        .collect()
}

/// The narrowest aligned access, or else the narrowest access, that covers the bits and no occupied byte.
fn access_unit(bit: u64, width: u8, size: u64, occupied: &[(u64, u64)]) -> (u64, BitRange) {
    let last = (bit + u64::from(width) - 1) / 8;
    let overlaps_other = |start: u64, end: u64| {
        let field = (bit / 8, last + 1);
        occupied.iter().any(|&(from, to)| {
            let shares_field_bytes = from < field.1 && field.0 < to;
            !shares_field_bytes && from < end && start < to
        })
    };
    let within = |unit: u8, shift: u8| BitRange { unit, shift, width, before: 0, after: 0 };
    for aligned in [true, false] {
        for bytes in [1u64, 2, 4, 8] {
            let first = bit / 8;
            let start = if aligned { first / bytes * bytes } else { first };
            let end = start + bytes;
            if last < end && end <= size.max(last + 1) && !overlaps_other(start, end) {
                let shift = (bit - start * 8) as u8;
                return (start, within(bytes as u8 * 8, shift));
            }
        }
    }
    (bit / 8, within(0, (bit % 8) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctype::IntKind;

    fn field(name: &str, ty: TypeId, bit_width: Option<u8>) -> MemberSpec {
        MemberSpec {
            name: name.to_owned(),
            ty: QualType::plain(ty),
            bit_width,
            align: None,
            type_align: None,
            packed: false,
        }
    }

    #[test]
    fn long_long_aligns_to_four_in_i386_records() {
        for (model, size) in [(DataModel::Ilp32, 12), (DataModel::Lp64, 16)] {
            let types = TypeTable::new(model);
            let members = vec![field("c", TypeTable::CHAR, None), field("x", TypeTable::LONG_LONG, None)];
            assert_eq!(lay_out(&types, false, members, LayoutRules::default()).unwrap().size, size);
        }
    }

    #[test]
    fn bit_fields_do_not_straddle_their_type() {
        let mut types = TypeTable::new(DataModel::Lp64);
        let short = types.int(IntKind::Short);
        let members = vec![field("a", short, Some(10)), field("b", short, Some(10)), field("c", TypeTable::CHAR, None)];
        let layout = lay_out(&types, false, members, LayoutRules::default()).unwrap();
        assert_eq!(layout.size, 6);
        assert_eq!(layout.members[1].offset, 2);
        assert_eq!(layout.members[2].offset, 4);
    }

    #[test]
    fn bit_field_access_leaves_the_neighbour_alone() {
        let types = TypeTable::new(DataModel::Lp64);
        let members = vec![field("a", TypeTable::INT, Some(3)), field("c", TypeTable::CHAR, None)];
        let layout = lay_out(&types, false, members, LayoutRules::default()).unwrap();
        assert_eq!(layout.members[0].bits, Some(BitRange { unit: 8, shift: 0, width: 3, before: 0, after: 0 }));
        assert_eq!((layout.members[1].offset, layout.size), (1, 4));
    }

    #[test]
    fn packed_records_have_no_padding() {
        let types = TypeTable::new(DataModel::Lp64);
        let members = vec![field("c", TypeTable::CHAR, None), field("x", TypeTable::INT, None)];
        let rules = LayoutRules { packed: true, ..LayoutRules::default() };
        let layout = lay_out(&types, false, members, rules).unwrap();
        assert_eq!((layout.size, layout.align, layout.members[1].offset), (5, 1, 1));
    }
}
