//! The types of values in registers and memory accesses. Signedness lives in the operators, not in the types.

use std::fmt;

/// Sizes of C's types. Everything the two models share is not mentioned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    #[default]
    Lp64,
}

impl DataModel {
    pub fn pointer_bytes(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    pub fn pointer_bits(self) -> u8 {
        self.pointer_bytes() as u8 * 8
    }
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DataModel::Ilp32 => "ilp32",
            DataModel::Lp64 => "lp64",
        })
    }
}

/// The type of a register, an operand or a memory access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// An integer of 1, 8, 16, 32 or 64 bits. One bit is a truth value and exists in registers only.
    Int(u8),
    /// IEEE binary32.
    Float,
    /// IEEE binary64.
    Double,
    /// A pointer: an object and an offset in it, or a bare integer where no object is known.
    Pointer,
}

impl Type {
    pub const BOOL: Type = Type::Int(1);

    /// Bytes that a value of this type takes in memory. A truth value does not live in memory and counts as one.
    pub fn bytes(self, model: DataModel) -> u64 {
        match self {
            Type::Int(1) => 1,
            Type::Int(bits) => u64::from(bits) / 8,
            Type::Float => 4,
            Type::Double => 8,
            Type::Pointer => model.pointer_bytes(),
        }
    }

    pub fn bits(self, model: DataModel) -> u8 {
        match self {
            Type::Int(bits) => bits,
            other => other.bytes(model) as u8 * 8,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(bits) => write!(f, "i{bits}"),
            Type::Float => f.write_str("f32"),
            Type::Double => f.write_str("f64"),
            Type::Pointer => f.write_str("ptr"),
        }
    }
}
