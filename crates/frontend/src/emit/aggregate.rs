//! Structures, unions and arrays as values: copies and temporary objects.
//!
//! A structure is copied leaf by leaf, so that only its fields are accessed and each copy is a scalar; unions and large
//! structures are copied as bytes in one step. Even an atomic member is copied by plain accesses: only an lvalue of an
//! atomic type is accessed atomically (C11 6.5.2.3, 6.5.16), and the lvalue of a copy is the structure.

use base::Span;
use program::{ConstantParts, InstructionKind, Local, LocalId, MemoryOrder, Operand, Type};

use super::Emitter;
use super::value::{Address, CValue, Form, Lowered};
use crate::ctype::{ArrayLength, CType, QualType, TypeId};

/// More leaves than this are copied as bytes.
const MAX_LEAVES: usize = 64;

impl Emitter<'_, '_> {
    /// Copies a value of type `ty`.
    pub fn copy_aggregate(&mut self, target: Address, source: Address, ty: QualType, span: Span) -> Lowered<()> {
        let mut leaves = Vec::new();
        if self.leaves(ty, 0, &mut leaves) && leaves.len() <= MAX_LEAVES {
            for leaf in leaves {
                self.copy_leaf(target, source, leaf, span);
            }
            return Ok(());
        }
        let size = self.size_value(ty.ty, span)?;
        if size == self.builder.size_operand(0) {
            return Ok(());
        }
        let target = self.address_operand(target, span);
        let source = self.address_operand(source, span);
        self.builder.emit(InstructionKind::CopyMemory { target, source, size, overlap: true }, span);
        Ok(())
    }

    /// Reads what a value is made of, if that is still in its object: a structure is its address until it is copied.
    pub fn read_whole(&mut self, value: CValue, span: Span) -> Lowered<()> {
        if value.form != Form::Aggregate {
            return Ok(());
        }
        let target = self.temporary_object(value.ty, "(discarded)", span)?;
        self.copy_aggregate(Address::at(target), Address::at(value.operand), QualType::plain(value.ty), span)
    }

    fn copy_leaf(&mut self, target: Address, source: Address, leaf: ScalarLeaf, span: Span) {
        let register = self.builder.temporary(leaf.ty);
        let from = self.address_operand(source.plus(leaf.offset), span);
        let order = MemoryOrder::NonAtomic;
        self.builder.emit(InstructionKind::Load { target: register, address: from, ty: leaf.ty, order }, span);
        let to = self.address_operand(target.plus(leaf.offset), span);
        let value = Operand::Register(register);
        self.builder.emit(InstructionKind::Store { address: to, value, ty: leaf.ty, order }, span);
    }

    /// Collects the scalars of a type; `false` if it does not consist of separate scalars.
    fn leaves(&self, ty: QualType, offset: u64, leaves: &mut Vec<ScalarLeaf>) -> bool {
        if leaves.len() > MAX_LEAVES {
            return false;
        }
        if let Some(scalar) = self.link.types.register_type(ty.ty) {
            leaves.push(ScalarLeaf { offset, ty: scalar });
            return true;
        }
        match *self.link.types.kind(ty.ty) {
            CType::Array { element, length: ArrayLength::Known(length) } => {
                let stride = self.link.types.size_of(element.ty).unwrap_or(0);
                length <= MAX_LEAVES as u64
                    && (0..length).all(|index| self.leaves(element, offset + index * stride, leaves))
            }
            CType::Array { length: ArrayLength::Unknown, .. } => true,
            CType::Record(id) => {
                let record = &self.link.types.records[id];
                let Some(layout) = &record.layout else { return false };
                !record.union
                    && layout
                        .members
                        .iter()
                        .all(|member| member.bits.is_none() && self.leaves(member.ty, offset + member.offset, leaves))
            }
            _ => false,
        }
    }

    /// A memory object of this activation, without a beginning yet.
    pub fn add_local(&mut self, name: &str, ty: TypeId, align: Option<u64>, span: Span) -> Lowered<LocalId> {
        let Some(size) = self.link.types.size_of(ty) else {
            let type_name = self.link.types.name(ty);
            return self.error("type", span, format!("`{name}` has the incomplete type `{type_name}`"));
        };
        let shape = self.link.shape_of(ty);
        let align = align.unwrap_or(1).max(self.link.types.align_of(ty));
        let (name, constant_parts) = (name.to_owned(), ConstantParts::default());
        Ok(self.builder.locals.push(Local { name, size, align, shape, read_only: false, constant_parts, span }))
    }

    /// The address of a fresh object that lives until the enclosing block ends.
    pub fn temporary_object(&mut self, ty: TypeId, name: &str, span: Span) -> Lowered<Operand> {
        let local = self.add_local(name, ty, None, span)?;
        self.begin_local(local, span);
        Ok(Operand::Local { local, offset: 0 })
    }

    /// The bytes of a block's result must outlive the block: they are copied to an object without an end.
    pub fn keep_aggregate(&mut self, value: CValue, span: Span) -> Lowered<CValue> {
        let local = self.add_local("(statement expression)", value.ty, None, span)?;
        self.builder.emit(InstructionKind::Begin { local }, span);
        let target = Operand::Local { local, offset: 0 };
        let ty = QualType::plain(value.ty);
        self.copy_aggregate(Address::at(target), Address::at(value.operand), ty, span)?;
        Ok(CValue::aggregate(target, value.ty))
    }
}

#[derive(Clone, Copy)]
struct ScalarLeaf {
    offset: u64,
    ty: Type,
}
