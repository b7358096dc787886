//! What an object looks like inside: for naming cells in traces (`queue.items[3].next`) and for splitting objects into
//! cells. A shape is a hint; memory itself is bytes.

use base::{IdVec, define_id};

use crate::types::Type;

define_id!(
    /// A shape in the program's table.
    ShapeId,
    "shape"
);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    Scalar(Type),
    Array {
        element: ShapeId,
        /// Distance of elements in bytes.
        stride: u64,
        count: u64,
    },
    /// A structure or a union: the fields of a union overlap.
    Record {
        /// The tag with its keyword, for example `struct node`.
        name: String,
        fields: Vec<ShapeField>,
    },
    /// Bytes without known structure.
    Opaque,
}

/// The shape of an allocated object of so many bytes whose elements are those of the array `shape`: a single element is
/// just that. `None` if the object does not consist of elements.
pub fn shape_of_elements(shapes: &IdVec<ShapeId, Shape>, array: ShapeId, size: u64) -> Option<ShapeId> {
    match shapes[array] {
        Shape::Array { element, stride, .. } if size == stride => Some(element),
        Shape::Array { stride, .. } if stride != 0 && size.is_multiple_of(stride) => Some(array),
        _ => None,
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ShapeField {
    /// Empty for an anonymous member.
    pub name: String,
    pub offset: u64,
    pub shape: ShapeId,
}
