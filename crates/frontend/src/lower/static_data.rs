//! Static initialisers: bytes and addresses.

use base::Span;
use program::{Initialiser, Operand, Relocation};

use super::Lowerer;
use super::initialiser_walk::{InitialiserEntry, InitialiserSource};
use crate::ast::{ExprId, ExprKind, Initializer};
use crate::ctype::{BitRange, QualType};
use crate::emit::mask;
use crate::emit::value::{CValue, Form, Lowered};

/// Initial contents beyond this are refused, since they are kept byte by byte; zeros behind the last of them are not.
const MAX_BYTES: u64 = 1 << 25;

impl Lowerer<'_, '_> {
    /// The completed type and the contents of a static object.
    pub fn static_data(
        &mut self,
        ty: QualType,
        initializer: &Initializer,
        span: Span,
    ) -> Lowered<(QualType, Initialiser)> {
        let ty = self.complete_by(ty, initializer)?;
        let mut data = Initialiser::default();
        for entry in self.entries_of(ty, initializer, span)? {
            self.put_entry(&mut data, entry, 0, span)?;
        }
        data.relocations.sort_by_key(|relocation| relocation.offset);
        Ok((ty, data))
    }

    fn limit_contents(&mut self, end: u64, span: Span) -> Lowered<()> {
        if end > MAX_BYTES {
            return self.error("initialiser", span, "the initialiser is too large");
        }
        Ok(())
    }

    fn put_entry(&mut self, data: &mut Initialiser, entry: InitialiserEntry, base: u64, span: Span) -> Lowered<()> {
        let offset = base + entry.offset;
        match entry.source {
            InitialiserSource::Bytes(bytes) => {
                let size = self.emit.link.types.size_of(entry.ty.ty).unwrap_or(0).max(bytes.len() as u64);
                self.limit_contents(offset + bytes.len() as u64, span)?;
                clear(data, offset, size);
                put_bytes(data, offset, &bytes);
                Ok(())
            }
            InitialiserSource::Expr(expr) => {
                if self.emit.link.types.is_aggregate(entry.ty.ty) {
                    return self.put_aggregate(data, offset, entry.ty, expr);
                }
                self.put_scalar(data, offset, entry.ty, entry.bits, expr)
            }
        }
    }

    /// GNU: a compound literal as a constant initialiser.
    fn put_aggregate(&mut self, data: &mut Initialiser, offset: u64, ty: QualType, expr: ExprId) -> Lowered<()> {
        let span = self.ast[expr].span;
        let mut expr = expr;
        while let ExprKind::Cast { operand, .. } = self.ast[expr].kind {
            expr = operand;
        }
        if let ExprKind::CompoundLiteral { initializer, .. } = &self.ast[expr].kind {
            let initializer = Initializer::List(initializer.clone());
            for entry in self.entries_of(ty, &initializer, span)? {
                self.put_entry(data, entry, offset, span)?;
            }
            return Ok(());
        }
        if let Some((contents, ty)) = self.constant_copy(expr, ty) {
            let size = self.emit.link.types.size_of(ty).unwrap_or(0);
            self.limit_contents(offset + size, span)?;
            clear(data, offset, size);
            put_bytes(data, offset, &contents.bytes);
            let moved = contents.relocations.into_iter();
            data.relocations.extend(moved.map(|one| Relocation { offset: one.offset + offset, value: one.value }));
            return Ok(());
        }
        if self.emit.link.types.is_opaque(ty.ty) {
            let is_zero = self.try_integer_constant(expr) == Some(0);
            let name = self.emit.link.types.name(ty.ty);
            self.emit.unknown_contents = (!is_zero).then(|| format!("an initialiser of type `{name}`"));
            return Ok(());
        }
        self.error("constant", span, "the initialiser of a static object must be constant")
    }

    fn put_scalar(
        &mut self,
        data: &mut Initialiser,
        offset: u64,
        ty: QualType,
        bits: Option<BitRange>,
        expr: ExprId,
    ) -> Lowered<()> {
        let span = self.ast[expr].span;
        let outer = std::mem::replace(&mut self.emit.reads_constants, true);
        let value = self.constant_from(|lowerer| {
            let value = lowerer.rvalue(expr)?;
            lowerer.emit.convert(value, ty.ty, span)
        });
        self.emit.reads_constants = outer;
        let value = value?;
        let size =
            self.emit.link.types.register_type(ty.ty).map_or(1, |register| register.bytes(self.emit.link.types.model));
        self.limit_contents(offset + size, span)?;
        match (value, bits) {
            (Some(value), Some(bits)) => {
                put_bits(data, offset, bits, value);
                Ok(())
            }
            (Some(CValue { operand, form: Form::Scalar, .. }), None) => {
                if put_operand(data, offset, size, operand, self.emit.link.types.model.pointer_bytes()) {
                    return Ok(());
                }
                self.error("constant", span, "an address does not fit here")
            }
            _ => self.error("constant", span, "the initialiser of a static object must be constant"),
        }
    }
}

fn put_bits(data: &mut Initialiser, offset: u64, bits: BitRange, value: CValue) {
    let Operand::Int { value, .. } = value.operand else { return };
    let field = u128::from(value & mask(bits.width)) << bits.shift;
    let others = !(u128::from(mask(bits.width)) << bits.shift);
    let bytes = (usize::from(bits.shift) + usize::from(bits.width)).div_ceil(8);
    grow(data, offset + bytes as u64);
    let place = &mut data.bytes[offset as usize..][..bytes];
    for ((place, byte), others) in place.iter_mut().zip(field.to_le_bytes()).zip(others.to_le_bytes()) {
        *place = *place & others | byte;
    }
}

/// Writes a constant; `false` if it is an address that the place is too narrow for.
fn put_operand(data: &mut Initialiser, offset: u64, size: u64, operand: Operand, pointer: u64) -> bool {
    clear(data, offset, size);
    match operand {
        Operand::Int { value, .. } => put_bytes(data, offset, &value.to_le_bytes()[..size as usize]),
        Operand::Float(bits) => put_bytes(data, offset, &bits.to_le_bytes()),
        Operand::Double(bits) => put_bytes(data, offset, &bits.to_le_bytes()),
        Operand::Null => put_bytes(data, offset, &[0; 8][..size as usize]),
        Operand::Global { .. } | Operand::Function(_) => {
            put_bytes(data, offset, &[0; 8][..size as usize]);
            data.relocations.push(Relocation { offset, value: operand });
            return size == pointer;
        }
        Operand::Register(_) | Operand::Local { .. } => return false,
    }
    true
}

/// Forgets what an earlier initialiser of the same place said.
fn clear(data: &mut Initialiser, offset: u64, size: u64) {
    let known = data.bytes.len() as u64;
    if offset >= known {
        return;
    }
    let end = offset.saturating_add(size);
    data.bytes[offset as usize..end.min(known) as usize].fill(0);
    data.relocations.retain(|relocation| !(offset..end).contains(&relocation.offset));
}

fn put_bytes(data: &mut Initialiser, offset: u64, bytes: &[u8]) {
    grow(data, offset + bytes.len() as u64);
    let start = offset as usize;
    data.bytes[start..start + bytes.len()].copy_from_slice(bytes);
}

fn grow(data: &mut Initialiser, end: u64) {
    if (data.bytes.len() as u64) < end {
        data.bytes.resize(end as usize, 0);
    }
}
