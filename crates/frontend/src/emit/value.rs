//! What lowering an expression yields: a value, or a place that can be read and written.

use program::{Operand, RegisterId};

use crate::ctype::{BitRange, QualType, TypeId, TypeTable};

/// A diagnostic has been recorded; the construct that contains the mistake is given up.
#[derive(Clone, Copy, Debug)]
pub struct Reported;

pub type Lowered<T> = Result<T, Reported>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Scalar,
    /// A truth value in one bit that stands for the `int` 0 or 1.
    Truth,
    /// The operand is the address of the bytes.
    Aggregate,
    Void,
}

#[derive(Clone, Copy, Debug)]
pub struct CValue {
    pub operand: Operand,
    pub ty: TypeId,
    pub form: Form,
}

impl CValue {
    pub fn scalar(operand: Operand, ty: TypeId) -> Self {
        Self { operand, ty, form: Form::Scalar }
    }

    pub fn truth(operand: Operand) -> Self {
        Self { operand, ty: TypeTable::INT, form: Form::Truth }
    }

    pub fn aggregate(address: Operand, ty: TypeId) -> Self {
        Self { operand: address, ty, form: Form::Aggregate }
    }

    pub fn void() -> Self {
        Self { operand: Operand::Null, ty: TypeTable::VOID, form: Form::Void }
    }
}

/// An address that is computed only when it is used, so that offsets of nested members add up first.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    pub base: Operand,
    pub offset: i64,
}

impl Address {
    pub fn at(base: Operand) -> Self {
        Self { base, offset: 0 }
    }

    pub fn plus(self, bytes: u64) -> Self {
        Self { base: self.base, offset: self.offset.wrapping_add(bytes as i64) }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum PlaceKind {
    Register(RegisterId),
    Memory(Address),
    BitField(Address, BitRange),
}

#[derive(Clone, Copy, Debug)]
pub struct LValue {
    pub kind: PlaceKind,
    pub ty: QualType,
}
