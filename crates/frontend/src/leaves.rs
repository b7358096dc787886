//! The parts of an object whose bits are not all values: pointers and truth values. Where memory may have any contents,
//! these get values of their own.

use crate::ctype::{ArrayLength, CType, TypeId, TypeTable};
use crate::sync_types::is_object_of_glibc;

/// Scalars of an object beyond this are not looked at one by one.
const MAX_LEAVES: usize = 4096;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafKind {
    Pointer,
    Truth,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub kind: LeafKind,
    pub offset: u64,
}

/// They are too many, or in a union, where a pointer in one member would be a number in another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unclear;

/// The pointers and truth values of a type, in the order of their offsets.
pub fn leaves(types: &TypeTable, ty: TypeId) -> Result<Vec<Leaf>, Unclear> {
    let mut found = Vec::new();
    collect(types, ty, 0, &|_| true, &mut found)?;
    Ok(found)
}

/// Those that a program may look at: what is inside of synchronisation objects is the library's.
pub fn visible_leaves(types: &TypeTable, ty: TypeId) -> Result<Vec<Leaf>, Unclear> {
    let mut found = Vec::new();
    collect(types, ty, 0, &|record| !is_object_of_glibc(types, record), &mut found)?;
    Ok(found)
}

fn collect(
    types: &TypeTable,
    ty: TypeId,
    offset: u64,
    is_open: &impl Fn(TypeId) -> bool,
    found: &mut Vec<Leaf>,
) -> Result<(), Unclear> {
    if found.len() > MAX_LEAVES {
        return Err(Unclear);
    }
    match types.kind(ty) {
        CType::Pointer(_) | CType::VaList => found.push(Leaf { kind: LeafKind::Pointer, offset }),
        CType::Bool => found.push(Leaf { kind: LeafKind::Truth, offset }),
        CType::Array { element, length: ArrayLength::Known(count) } => {
            let mut first = Vec::new();
            collect(types, element.ty, 0, is_open, &mut first)?;
            if first.is_empty() {
                return Ok(());
            }
            let stride = types.size_of(element.ty).unwrap_or(0);
            for index in 0..*count {
                collect(types, element.ty, offset + index * stride, is_open, found)?;
            }
        }
        CType::Record(id) if is_open(ty) => {
            let record = &types.records[*id];
            let mut inside = Vec::new();
            // A bit-field has no bits but those of its values.
            let members = record.layout.iter().flat_map(|layout| &layout.members).filter(|m| m.bits.is_none());
            for member in members {
                collect(types, member.ty.ty, offset + member.offset, is_open, &mut inside)?;
            }
            match record.union {
                true if inside.iter().any(|leaf| leaf.kind == LeafKind::Pointer) => return Err(Unclear),
                true => {}
                false => found.append(&mut inside),
            }
        }
        _ => {}
    }
    Ok(())
}
