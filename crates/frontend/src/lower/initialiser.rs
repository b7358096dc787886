//! Initialisers: braces, designators and brace elision (C11 6.7.9) become a list of scalars with their places; automatic
//! objects are then stored to, static ones get bytes (`static_data`).

use base::Span;
use program::{InstructionKind, MemoryOrder, Operand};
use rustc_hash::FxHashSet;

use super::Lowerer;
use super::value::{Address, Form, Lowered, Place, PlaceKind, Value};
use crate::ast::{Designator, DesignatorKind, ExprId, ExprKind, Initializer, InitializerItem, InitializerList};
use crate::ctype::{ArrayLength, BitRange, CType, MemberLayout, QualType, TypeId, TypeTable};

/// An initialiser that sets more parts than this, ranges of elements written out, is refused.
const MAX_ENTRIES: usize = 1 << 21;

/// Strings are filled with zeros up to this size; what is left of a larger array is cleared on its own.
const MAX_FILLED: u64 = 1 << 12;

/// Automatic objects with more scalars than this are cleared as a whole before their initialiser is stored.
const MAX_CLEARED: usize = 32;

/// A part of an object and the expression that initialises it.
pub struct Entry {
    pub offset: u64,
    pub ty: QualType,
    pub bits: Option<BitRange>,
    pub source: Source,
}

/// The entries of an initialiser so far.
#[derive(Default)]
struct Entries {
    list: Vec<Entry>,
    /// The greatest offset in the list: what is set in order overrides nothing.
    last_offset: u64,
}

impl Entries {
    fn forget(&mut self, offset: u64, size: u64) {
        if offset <= self.last_offset {
            self.list.retain(|entry| !(offset..offset + size).contains(&entry.offset));
        }
    }
}

#[derive(Clone)]
pub enum Source {
    Expr(ExprId),
    /// A character array initialised by a string, cut to the array's size; what is left of the array is zero.
    Bytes(Vec<u8>),
}

/// The expressions of an initialiser, each once.
#[derive(Default)]
struct Expressions {
    all: Vec<ExprId>,
    /// Those that a range of elements shares: their side effects happen only once.
    repeated: FxHashSet<ExprId>,
}

impl Expressions {
    fn of(entries: &[Entry]) -> Self {
        let (mut found, mut seen) = (Self::default(), FxHashSet::default());
        for entry in entries {
            let Source::Expr(expr) = entry.source else { continue };
            if seen.insert(expr) {
                found.all.push(expr);
            } else {
                found.repeated.insert(expr);
            }
        }
        found
    }
}

/// A subobject: where it is and what it is.
#[derive(Clone, Copy)]
struct Sub {
    offset: u64,
    ty: QualType,
    bits: Option<BitRange>,
}

impl Lowerer<'_, '_> {
    /// Initialises a variable.
    pub fn initialise(&mut self, place: Place, initializer: &Initializer, span: Span) -> Lowered<()> {
        let is_string = |lowerer: &Self, expr: ExprId| matches!(lowerer.ast[expr].kind, ExprKind::String(_));
        match initializer {
            Initializer::Expr(expr) if !(self.link.types.element(place.ty.ty).is_some() && is_string(self, *expr)) => {
                if self.link.types.element(place.ty.ty).is_some() {
                    return self.initialise_array_by_value(place, *expr, span);
                }
                let value = self.rvalue(*expr)?;
                let value_span = self.span(*expr);
                let value = self.convert(value, place.ty.ty, value_span)?;
                self.store_initial(place, value, span)
            }
            Initializer::Expr(_) => {
                let entries = self.entries(place.ty, initializer, span)?;
                self.store_entries(place, entries, span)
            }
            Initializer::List(list) => self.initialise_from_list(place, list, span),
        }
    }

    /// Initialisation is not an atomic access (C11 7.17.2.1), and it may write `const` objects.
    fn store_initial(&mut self, place: Place, value: Value, span: Span) -> Lowered<()> {
        self.store(Place { ty: QualType::plain(place.ty.ty), ..place }, value, span)
    }

    /// GNU: an array initialised by a compound literal.
    fn initialise_array_by_value(&mut self, place: Place, expr: ExprId, span: Span) -> Lowered<()> {
        let source = self.place(expr)?;
        match (place.kind, source.kind) {
            (PlaceKind::Memory(target), PlaceKind::Memory(from))
                if self.link.types.compatible(place.ty.ty, source.ty.ty) =>
            {
                self.copy_aggregate(target, from, QualType::plain(place.ty.ty), span)
            }
            _ => self.error("type", self.ast[expr].span, "an array needs an initialiser in braces"),
        }
    }

    pub fn initialise_from_list(&mut self, place: Place, list: &InitializerList, span: Span) -> Lowered<()> {
        let entries = self.entries(place.ty, &Initializer::List(list.clone()), span)?;
        self.store_entries(place, entries, span)
    }

    fn store_entries(&mut self, place: Place, entries: Vec<Entry>, span: Span) -> Lowered<()> {
        let address = match place.kind {
            PlaceKind::Memory(address) => address,
            _ => {
                let Some(Entry { source: Source::Expr(expr), .. }) = entries.first() else {
                    let zero = self.zero_of(place.ty.ty);
                    return self.store_initial(place, zero, span);
                };
                let value = self.rvalue(*expr)?;
                let value = self.convert(value, place.ty.ty, span)?;
                return self.store_initial(place, value, span);
            }
        };
        self.clear_rest(address, place.ty.ty, &entries, span)?;
        let Expressions { all, repeated } = Expressions::of(&entries);
        let mut settled = self.settle_initialisers(&all, span)?;
        let outcome = entries.into_iter().try_for_each(|entry| {
            if let Source::Expr(expr) = entry.source
                && repeated.contains(&expr)
            {
                self.settle_value(expr, &mut settled)?;
            }
            self.store_entry(address, entry, span)
        });
        self.unsettle(settled);
        outcome
    }

    fn store_entry(&mut self, base: Address, entry: Entry, span: Span) -> Lowered<()> {
        let address = base.plus(entry.offset);
        let kind = match entry.bits {
            Some(bits) => PlaceKind::BitField(address, bits),
            None => PlaceKind::Memory(address),
        };
        let place = Place { kind, ty: entry.ty };
        match entry.source {
            Source::Expr(expr) => {
                let value = self.rvalue(expr)?;
                let span = self.span(expr);
                let value = self.convert(value, entry.ty.ty, span)?;
                self.store_initial(place, value, span)
            }
            Source::Bytes(bytes) => {
                self.store_string(address, entry.ty, bytes, span);
                Ok(())
            }
        }
    }

    fn store_string(&mut self, address: Address, array: QualType, bytes: Vec<u8>, span: Span) {
        let length = bytes.len() as u64;
        let source = self.bytes_place(bytes, span);
        let PlaceKind::Memory(source) = source.kind else { return };
        let target = self.address_operand(address, span);
        let source = self.address_operand(source, span);
        let size = self.size_operand(length);
        self.emit(InstructionKind::CopyMemory { target, source, size, overlap: false }, span);
        let rest = self.link.types.size_of(array.ty).map_or(0, |size| size.saturating_sub(length));
        if rest > 0 {
            let target = self.address_operand(address.plus(length), span);
            let (byte, size) = (Operand::int(8, 0), self.size_operand(rest));
            self.emit(InstructionKind::SetMemory { target, byte, size }, span);
        }
    }

    /// Parts without an initialiser are zero (C11 6.7.9 p21).
    fn clear_rest(&mut self, address: Address, ty: TypeId, entries: &[Entry], span: Span) -> Lowered<()> {
        let mut leaves = Vec::new();
        let separate = self.scalar_parts(QualType::plain(ty), 0, &mut leaves) && leaves.len() <= MAX_CLEARED;
        if !separate {
            let size = self.size_value(ty, span)?;
            if size == self.size_operand(0) || covers_everything(entries, ty) {
                return Ok(());
            }
            let target = self.address_operand(address, span);
            let byte = Operand::int(8, 0);
            self.emit(InstructionKind::SetMemory { target, byte, size }, span);
            return Ok(());
        }
        for (offset, ty) in leaves {
            let covered = entries.iter().any(|entry| {
                let size = self.link.types.size_of(entry.ty.ty).unwrap_or(0);
                entry.bits.is_none() && entry.offset <= offset && offset < entry.offset + size
            });
            if !covered {
                let address = self.address_operand(address.plus(offset), span);
                let value = super::zero(ty);
                self.emit(InstructionKind::Store { address, value, ty, order: MemoryOrder::NonAtomic }, span);
            }
        }
        Ok(())
    }

    /// The scalars of a type; `false` if some bytes belong to no single scalar or there are too many.
    fn scalar_parts(&self, ty: QualType, offset: u64, parts: &mut Vec<(u64, program::Type)>) -> bool {
        if let Some(scalar) = self.link.types.register_type(ty.ty) {
            parts.push((offset, scalar));
            return parts.len() <= MAX_CLEARED;
        }
        match *self.link.types.kind(ty.ty) {
            CType::Array { element, length: ArrayLength::Known(length) } => {
                let size = self.link.types.size_of(element.ty).unwrap_or(0);
                length <= MAX_CLEARED as u64
                    && (0..length).all(|index| self.scalar_parts(element, offset + index * size, parts))
            }
            CType::Record(id) => {
                let record = &self.link.types.records[id];
                let Some(layout) = &record.layout else { return false };
                !record.union
                    && layout.members.iter().all(|member| {
                        member.bits.is_none() && self.scalar_parts(member.ty, offset + member.offset, parts)
                    })
            }
            _ => false,
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Completion of array types

    /// `int a[] = …` gets its size from the initialiser.
    pub fn complete_by(&mut self, ty: QualType, initializer: &Initializer) -> Lowered<QualType> {
        let CType::Array { element, length: ArrayLength::Unknown } = *self.link.types.kind(ty.ty) else {
            return Ok(ty);
        };
        let size = self.link.types.size_of(element.ty).unwrap_or(1).max(1);
        let span = match initializer {
            Initializer::Expr(expr) => self.ast[*expr].span,
            Initializer::List(list) => list.span,
        };
        let length = match initializer {
            Initializer::Expr(expr) if !matches!(self.ast[*expr].kind, ExprKind::String(_)) => {
                let source = self.type_of(*expr)?;
                self.link.types.size_of(source.ty).unwrap_or(0) / size
            }
            _ => {
                let entries = self.entries(ty, initializer, span)?;
                let end = |entry: &Entry| {
                    let bytes = match &entry.source {
                        Source::Bytes(bytes) => bytes.len() as u64,
                        Source::Expr(_) => self.link.types.size_of(entry.ty.ty).unwrap_or(0),
                    };
                    (entry.offset + bytes).div_ceil(size)
                };
                entries.iter().map(end).max().unwrap_or(0)
            }
        };
        let completed = self.link.types.array_of(element, ArrayLength::Known(length));
        Ok(QualType { ty: completed, quals: ty.quals })
    }

    pub fn complete_by_list(&mut self, ty: QualType, list: &InitializerList) -> Lowered<QualType> {
        self.complete_by(ty, &Initializer::List(list.clone()))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // The walk

    /// Which scalars (and whole records) an initialiser sets, in order.
    pub fn entries(&mut self, ty: QualType, initializer: &Initializer, span: Span) -> Lowered<Vec<Entry>> {
        let mut entries = Entries::default();
        self.fill(Sub { offset: 0, ty, bits: None }, initializer, span, &mut entries)?;
        Ok(entries.list)
    }

    fn fill(&mut self, sub: Sub, initializer: &Initializer, span: Span, entries: &mut Entries) -> Lowered<()> {
        match initializer {
            Initializer::Expr(expr) => match self.string_for(sub.ty.ty, *expr) {
                Some(bytes) => self.push_entry(sub, Source::Bytes(bytes), span, entries),
                None => self.push_entry(sub, Source::Expr(*expr), span, entries),
            },
            Initializer::List(list) => self.fill_from_list(sub, list, span, entries),
        }
    }

    fn push_entry(&mut self, sub: Sub, source: Source, span: Span, entries: &mut Entries) -> Lowered<()> {
        if entries.list.len() >= MAX_ENTRIES {
            return self.error("initialiser", span, "the initialiser is too large");
        }
        entries.last_offset = entries.last_offset.max(sub.offset);
        entries.list.push(Entry { offset: sub.offset, ty: sub.ty, bits: sub.bits, source });
        Ok(())
    }

    fn fill_from_list(&mut self, sub: Sub, list: &InitializerList, span: Span, entries: &mut Entries) -> Lowered<()> {
        let single = match &list.items[..] {
            [InitializerItem { designators, value }] if designators.is_empty() => Some(value),
            _ => None,
        };
        // Braces around a scalar, or around a string for a character array.
        if !matches!(self.link.types.kind(sub.ty.ty), CType::Record(_) | CType::Array { .. }) {
            return match list.items.first() {
                Some(item) => self.fill(sub, &item.value, span, entries),
                None => Ok(()),
            };
        }
        if let Some(Initializer::Expr(expr)) = single
            && let Some(bytes) = self.string_for(sub.ty.ty, *expr)
        {
            return self.push_entry(sub, Source::Bytes(bytes), span, entries);
        }
        // A list for a whole subobject replaces all that was said about its parts (C11 6.7.9 p19).
        entries.forget(sub.offset, self.link.types.size_of(sub.ty.ty).unwrap_or(0));
        let (mut next, mut is_excessive) = (0, false);
        while next < list.items.len() {
            let before = next;
            // Behind the last member only a designator leads back.
            if next == 0 || !list.items[next].designators.is_empty() {
                self.fill_aggregate(sub, &list.items, &mut next, true, &[], list.span, entries)?;
            }
            if next == before {
                is_excessive = true;
                next += 1;
            }
        }
        if is_excessive {
            self.warn("initialiser", list.span, "there are more initialisers than members");
        }
        Ok(())
    }

    /// The string that fills an array of characters.
    fn string_for(&mut self, ty: TypeId, expr: ExprId) -> Option<Vec<u8>> {
        let CType::Array { element, length } = *self.link.types.kind(ty) else { return None };
        let ExprKind::String(literal) = &self.ast[expr].kind else { return None };
        let (mut bytes, character) = self.string_bytes(literal);
        let size = self.link.types.size_of(element.ty)?;
        if !self.link.types.is_integer(element.ty) || self.link.types.size_of(character)? != size {
            return None;
        }
        if let ArrayLength::Known(length) = length {
            let whole = length.saturating_mul(size);
            let filled = if whole <= MAX_FILLED { whole } else { whole.min(bytes.len() as u64) };
            bytes.resize(filled as usize, 0);
        }
        Some(bytes)
    }

    /// Fills subobjects from `items[*next]` on. Within braces of its own (`braced`) designators are obeyed; without,
    /// the aggregate takes as many items as it has room for and leaves designated ones to the level above. `pending` are
    /// the designators of the first item that are left after those of the levels above, which for an aggregate without
    /// braces may be none at all.
    fn fill_aggregate(
        &mut self,
        sub: Sub,
        items: &[InitializerItem],
        next: &mut usize,
        braced: bool,
        pending: &[Designator],
        span: Span,
        entries: &mut Entries,
    ) -> Lowered<()> {
        let mut cursor = 0u64;
        let mut first = true;
        while let Some(item) = items.get(*next) {
            let led_here = first && !(braced && pending.is_empty());
            let designators: &[Designator] = if led_here { pending } else { &item.designators };
            if !designators.is_empty() && !braced && !led_here {
                return Ok(());
            }
            let mut last = cursor;
            let mut rest: Vec<Designator> = Vec::new();
            if let Some((head, tail)) = designators.split_first() {
                let (low, high, inner) = self.designated(sub.ty.ty, head)?;
                (cursor, last) = (low, high);
                rest = inner.into_iter().chain(tail.iter().cloned()).collect();
            }
            // What follows the item of a range goes on behind the last element.
            for index in cursor..last {
                let Some(part) = self.part(sub, index) else { return Ok(()) };
                let mut alone = *next;
                self.fill_part(part, &items[..=alone], &mut alone, &rest, span, entries)?;
            }
            let Some(part) = self.part(sub, last) else { return Ok(()) };
            self.fill_part(part, items, next, &rest, span, entries)?;
            cursor = last + 1;
            first = false;
            if self.is_union(sub.ty.ty) {
                // Only a further designator could replace the member.
                let more = braced && items.get(*next).is_some_and(|item| !item.designators.is_empty());
                if !more {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn fill_part(
        &mut self,
        part: Sub,
        items: &[InitializerItem],
        next: &mut usize,
        rest: &[Designator],
        span: Span,
        entries: &mut Entries,
    ) -> Lowered<()> {
        if !rest.is_empty() {
            return self.fill_aggregate(part, items, next, false, rest, span, entries);
        }
        let item = &items[*next];
        let elided = match &item.value {
            Initializer::List(_) => false,
            Initializer::Expr(expr) => self.needs_elision(part.ty.ty, *expr)?,
        };
        if elided {
            let before = *next;
            self.fill_aggregate(part, items, next, false, &[], span, entries)?;
            *next = (*next).max(before + 1);
            return Ok(());
        }
        *next += 1;
        self.fill(part, &item.value, span, entries)
    }

    /// Whether an expression initialises the first part of an aggregate instead of the whole.
    fn needs_elision(&mut self, ty: TypeId, expr: ExprId) -> Lowered<bool> {
        match self.link.types.kind(ty) {
            CType::Array { .. } => Ok(self.string_for(ty, expr).is_none()),
            CType::Record(_) => {
                let value = self.value_shape(expr)?;
                Ok(value.form != Form::Aggregate || !self.link.types.compatible(value.ty, ty))
            }
            _ => Ok(false),
        }
    }

    /// The range of subobjects that a designator names; a member of an anonymous member also needs a second step.
    fn designated(&mut self, ty: TypeId, designator: &Designator) -> Lowered<(u64, u64, Option<Designator>)> {
        match designator.kind {
            DesignatorKind::Field(name) => {
                let text = self.name(name);
                let Some(path) = self.find_member(ty, text) else {
                    let type_name = self.link.types.name(ty);
                    return self.error("type", designator.span, format!("`{type_name}` has no member `{text}`"));
                };
                let members = self.members(ty);
                let index = members.iter().position(|member| is_same(member, &path[0])).unwrap_or(0) as u64;
                Ok((index, index, (path.len() > 1).then(|| designator.clone())))
            }
            DesignatorKind::Index(index) => {
                let index = self.element_index(ty, index)?;
                Ok((index, index, None))
            }
            DesignatorKind::Range(low, high) => {
                let low = self.element_index(ty, low)?;
                let high = self.element_index(ty, high)?;
                if high < low || high - low > MAX_ENTRIES as u64 {
                    return self.error("initialiser", designator.span, "this range is empty or too large");
                }
                Ok((low, high, None))
            }
        }
    }

    fn element_index(&mut self, ty: TypeId, index: ExprId) -> Lowered<u64> {
        let span = self.ast[index].span;
        let CType::Array { length, .. } = *self.link.types.kind(ty) else {
            return self.error("type", span, "only an array has elements");
        };
        let value = self.require_integer_constant(index)?;
        let limit = match length {
            ArrayLength::Known(length) => length,
            _ => crate::layout::MAX_SIZE,
        };
        match u64::try_from(value) {
            Ok(value) if value < limit => Ok(value),
            _ => self.error("initialiser", span, "the index is outside of the array"),
        }
    }

    fn members(&self, ty: TypeId) -> Vec<MemberLayout> {
        let layout = self.link.types.record(ty).and_then(|id| self.link.types.records[id].layout.as_ref());
        layout.map_or(Vec::new(), |layout| layout.members.clone())
    }

    fn is_union(&self, ty: TypeId) -> bool {
        self.link.types.record(ty).is_some_and(|id| self.link.types.records[id].union)
    }

    /// The n-th subobject; `None` past the end.
    fn part(&self, sub: Sub, index: u64) -> Option<Sub> {
        match *self.link.types.kind(sub.ty.ty) {
            CType::Array { element, length } => {
                if let ArrayLength::Known(length) = length
                    && index >= length
                {
                    return None;
                }
                let size = self.link.types.size_of(element.ty)?;
                Some(Sub { offset: sub.offset + index * size, ty: element, bits: None })
            }
            CType::Record(id) => {
                let layout = self.link.types.records[id].layout.as_ref()?;
                let member = layout.members.get(index as usize)?;
                Some(Sub { offset: sub.offset + member.offset, ty: member.ty, bits: member.bits })
            }
            _ => (index == 0).then_some(sub),
        }
    }
}

fn is_same(left: &MemberLayout, right: &MemberLayout) -> bool {
    left.name == right.name && left.offset == right.offset && left.bits == right.bits && left.ty == right.ty
}

/// A single entry of the object's own type leaves nothing to clear.
fn covers_everything(entries: &[Entry], ty: TypeId) -> bool {
    matches!(entries, [only] if only.ty.ty == ty && only.bits.is_none() && ty != TypeTable::VOID)
}
