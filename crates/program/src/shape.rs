//! What an object looks like inside: for naming cells in traces (`queue.items[3].next`) and for splitting objects into
//! cells. A shape is a hint; memory itself is bytes.

use base::define_id;

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
        fields: Vec<Field>,
    },
    /// Bytes without known structure.
    Opaque,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// Empty for an anonymous member.
    pub name: String,
    pub offset: u64,
    pub shape: ShapeId,
}
