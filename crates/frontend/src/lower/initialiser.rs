//! Initialisers: what one sets (`initialiser_walk`) is stored to automatic objects; static ones get bytes (`static_data`).

use base::Span;
use program::{InstructionKind, MemoryOrder, Operand};
use rustc_hash::FxHashSet;

use super::Lowerer;
use super::initialiser_walk::{InitialiserEntry, InitialiserSource, entries};
use crate::ast::{ExprId, ExprKind, Initializer, InitializerList};
use crate::ctype::{ArrayLength, CType, QualType, TypeId, TypeTable};
use crate::emit::value::{Address, LValue, Lowered, PlaceKind};

/// Automatic objects with more scalars than this are cleared as a whole before their initialiser is stored.
const MAX_CLEARED: usize = 32;

/// The expressions of an initialiser, each once.
#[derive(Default)]
struct Expressions {
    all: Vec<ExprId>,
    /// Those that a range of elements shares: their side effects happen only once.
    repeated: FxHashSet<ExprId>,
}

impl Expressions {
    fn of(entries: &[InitialiserEntry]) -> Self {
        let (mut found, mut seen) = (Self::default(), FxHashSet::default());
        for entry in entries {
            let InitialiserSource::Expr(expr) = entry.source else { continue };
            if seen.insert(expr) {
                found.all.push(expr);
            } else {
                found.repeated.insert(expr);
            }
        }
        found
    }
}

impl Lowerer<'_, '_> {
    /// Initialises a variable.
    pub fn initialise(&mut self, place: LValue, initializer: &Initializer, span: Span) -> Lowered<()> {
        let is_string = |lowerer: &Self, expr: ExprId| matches!(lowerer.ast[expr].kind, ExprKind::String(_));
        match initializer {
            Initializer::Expr(expr)
                if !(self.emit.link.types.element(place.ty.ty).is_some() && is_string(self, *expr)) =>
            {
                if self.emit.link.types.element(place.ty.ty).is_some() {
                    return self.initialise_array_by_value(place, *expr, span);
                }
                let value = self.rvalue(*expr)?;
                let value_span = self.span(*expr);
                let value = self.emit.convert(value, place.ty.ty, value_span)?;
                self.emit.store_initial(place, value, span)
            }
            Initializer::Expr(_) => {
                let entries = self.entries_of(place.ty, initializer, span)?;
                self.store_entries(place, entries, span)
            }
            Initializer::List(list) => self.initialise_from_list(place, list, span),
        }
    }

    /// GNU: an array initialised by a compound literal.
    fn initialise_array_by_value(&mut self, place: LValue, expr: ExprId, span: Span) -> Lowered<()> {
        let source = self.place(expr)?;
        match (place.kind, source.kind) {
            (PlaceKind::Memory(target), PlaceKind::Memory(from))
                if self.emit.link.types.compatible(place.ty.ty, source.ty.ty) =>
            {
                self.emit.copy_aggregate(target, from, QualType::plain(place.ty.ty), span)
            }
            _ => self.error("type", self.ast[expr].span, "an array needs an initialiser in braces"),
        }
    }

    pub fn initialise_from_list(&mut self, place: LValue, list: &InitializerList, span: Span) -> Lowered<()> {
        let entries = self.entries_of(place.ty, &Initializer::List(list.clone()), span)?;
        self.store_entries(place, entries, span)
    }

    fn store_entries(&mut self, place: LValue, entries: Vec<InitialiserEntry>, span: Span) -> Lowered<()> {
        let address = match place.kind {
            PlaceKind::Memory(address) => address,
            _ => {
                let Some(InitialiserEntry { source: InitialiserSource::Expr(expr), .. }) = entries.first() else {
                    let zero = self.emit.zero_of(place.ty.ty);
                    return self.emit.store_initial(place, zero, span);
                };
                let value = self.rvalue(*expr)?;
                let value = self.emit.convert(value, place.ty.ty, span)?;
                return self.emit.store_initial(place, value, span);
            }
        };
        self.clear_rest(address, place.ty.ty, &entries, span)?;
        if self.overrides_a_part(&entries) {
            self.emit.unsupported("a part of a structure that is initialised as a whole before", TypeTable::VOID, span);
        }
        let Expressions { all, repeated } = Expressions::of(&entries);
        let mut settled = self.settle_initialisers(&all, span)?;
        let outcome = entries.into_iter().try_for_each(|entry| {
            if let InitialiserSource::Expr(expr) = entry.source
                && repeated.contains(&expr)
            {
                self.settle_value(expr, &mut settled)?;
            }
            self.store_entry(address, entry, span)
        });
        self.operands.release(settled);
        outcome
    }

    /// Whether a structure is set as a whole and a part of it later on. What is left of the structure then, compilers do not
    /// agree upon.
    fn overrides_a_part(&self, entries: &[InitialiserEntry]) -> bool {
        let types = &self.emit.link.types;
        let (mut wholes, mut end) = (Vec::new(), 0);
        entries.iter().any(|entry| {
            let size = types.size_of(entry.ty.ty).unwrap_or(0);
            let is_smaller = |whole: u64| size < whole || entry.bits.is_some();
            let is_inside = |&(start, whole): &(u64, u64)| (start..start + whole).contains(&entry.offset);
            // In order, as most are written, nothing overrides.
            let is_part = entry.offset < end && wholes.iter().any(|whole| is_inside(whole) && is_smaller(whole.1));
            if matches!(entry.source, InitialiserSource::Expr(_)) && types.is_aggregate(entry.ty.ty) {
                wholes.push((entry.offset, size));
                end = end.max(entry.offset + size);
            }
            is_part
        })
    }

    fn store_entry(&mut self, base: Address, entry: InitialiserEntry, span: Span) -> Lowered<()> {
        let address = base.plus(entry.offset);
        let kind = match entry.bits {
            Some(bits) => PlaceKind::BitField(address, bits),
            None => PlaceKind::Memory(address),
        };
        let place = LValue { kind, ty: entry.ty };
        match entry.source {
            InitialiserSource::Expr(expr) => {
                let value = self.rvalue(expr)?;
                let span = self.span(expr);
                let value = self.emit.convert(value, entry.ty.ty, span)?;
                self.emit.store_initial(place, value, span)
            }
            InitialiserSource::Bytes(bytes) => {
                self.emit.store_string(address, entry.ty, bytes, span);
                Ok(())
            }
        }
    }

    /// Parts without an initialiser are zero (C11 6.7.9 p21).
    fn clear_rest(&mut self, address: Address, ty: TypeId, entries: &[InitialiserEntry], span: Span) -> Lowered<()> {
        let mut leaves = Vec::new();
        let separate =
            scalar_parts(&self.emit.link.types, QualType::plain(ty), 0, &mut leaves) && leaves.len() <= MAX_CLEARED;
        if !separate {
            let size = self.emit.size_value(ty, span)?;
            if size == self.emit.builder.size_operand(0) || covers_everything(entries, ty) {
                return Ok(());
            }
            let target = self.emit.address_operand(address, span);
            let byte = Operand::int(8, 0);
            self.emit.builder.emit(InstructionKind::SetMemory { target, byte, size }, span);
            return Ok(());
        }
        for (offset, ty) in leaves {
            let covered = entries.iter().any(|entry| {
                let size = self.emit.link.types.size_of(entry.ty.ty).unwrap_or(0);
                entry.bits.is_none() && entry.offset <= offset && offset < entry.offset + size
            });
            if !covered {
                let address = self.emit.address_operand(address.plus(offset), span);
                let value = crate::emit::zero(ty);
                self.emit
                    .builder
                    .emit(InstructionKind::Store { address, value, ty, order: MemoryOrder::NonAtomic }, span);
            }
        }
        Ok(())
    }

    /// Which scalars (and whole records) an initialiser sets, in order.
    pub fn entries_of(
        &mut self,
        ty: QualType,
        initializer: &Initializer,
        span: Span,
    ) -> Lowered<Vec<InitialiserEntry>> {
        entries(self.ast, self, ty, initializer, span)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Completion of array types

    /// `int a[] = …` gets its size from the initialiser.
    pub fn complete_by(&mut self, ty: QualType, initializer: &Initializer) -> Lowered<QualType> {
        let CType::Array { element, length: ArrayLength::Unknown } = *self.emit.link.types.kind(ty.ty) else {
            return Ok(ty);
        };
        let size = self.emit.link.types.size_of(element.ty).unwrap_or(1).max(1);
        let span = match initializer {
            Initializer::Expr(expr) => self.ast[*expr].span,
            Initializer::List(list) => list.span,
        };
        let length = match initializer {
            Initializer::Expr(expr) if !matches!(self.ast[*expr].kind, ExprKind::String(_)) => {
                let source = self.type_of(*expr)?;
                self.emit.link.types.size_of(source.ty).unwrap_or(0) / size
            }
            _ => {
                let entries = self.entries_of(ty, initializer, span)?;
                let end = |entry: &InitialiserEntry| {
                    let bytes = match &entry.source {
                        InitialiserSource::Bytes(bytes) => bytes.len() as u64,
                        InitialiserSource::Expr(_) => self.emit.link.types.size_of(entry.ty.ty).unwrap_or(0),
                    };
                    (entry.offset + bytes).div_ceil(size)
                };
                entries.iter().map(end).max().unwrap_or(0)
            }
        };
        let completed = self.emit.link.types.array_of(element, ArrayLength::Known(length));
        Ok(QualType { ty: completed, quals: ty.quals })
    }

    pub fn complete_by_list(&mut self, ty: QualType, list: &InitializerList) -> Lowered<QualType> {
        self.complete_by(ty, &Initializer::List(list.clone()))
    }
}

/// A single entry of the object's own type leaves nothing to clear.
fn covers_everything(entries: &[InitialiserEntry], ty: TypeId) -> bool {
    matches!(entries, [only] if only.ty.ty == ty && only.bits.is_none() && ty != TypeTable::VOID)
}

/// The scalars of a type; `false` if some bytes belong to no single scalar or there are too many.
fn scalar_parts(types: &TypeTable, ty: QualType, offset: u64, parts: &mut Vec<(u64, program::Type)>) -> bool {
    if let Some(scalar) = types.register_type(ty.ty) {
        parts.push((offset, scalar));
        return parts.len() <= MAX_CLEARED;
    }
    match *types.kind(ty.ty) {
        CType::Array { element, length: ArrayLength::Known(length) } => {
            let size = types.size_of(element.ty).unwrap_or(0);
            length <= MAX_CLEARED as u64
                && (0..length).all(|index| scalar_parts(types, element, offset + index * size, parts))
        }
        CType::Record(id) => {
            let record = &types.records[id];
            let Some(layout) = &record.layout else { return false };
            !record.union
                && layout.members.iter().all(|member| {
                    member.bits.is_none() && scalar_parts(types, member.ty, offset + member.offset, parts)
                })
        }
        _ => false,
    }
}
