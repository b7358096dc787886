//! Running the IR with terms instead of numbers: symbolic values and the meaning of pure operators on them.
//!
//! Invariant: knows instructions and terms, but neither event graphs nor engines; everything that runs the IR
//! symbolically shares this one meaning.

pub mod evaluate;
pub mod float;
mod moved;
pub mod object;
mod pointer_order;
mod scale;
pub mod value;

pub use evaluate::{Evaluator, NotSupported, Obligation};
pub use moved::moved;
pub use object::{Life, Object, ObjectId, ObjectKey, Objects};
pub use pointer_order::{PointerOrder, offset_order, pointer_order};
pub use value::{OBJECT_BITS, SymValue, Targets, names_nothing};
