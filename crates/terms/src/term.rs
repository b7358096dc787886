//! What a term is. The set of operators is small; the rest is derived when terms are built:
//! `or`, `iff` and `implies` from `and`, `xor` and `not`; `ule` and `sle` from `ult` and `slt`; zero extension from
//! concatenation; Boolean to bit-vector by if-then-else and back by equality.

use std::fmt;

base::define_id!(
    /// A term in its [`Terms`](crate::Terms). Operands always have smaller ids than the terms over them.
    TermId,
    "t"
);

base::define_id!(
    /// A variable, Boolean or bit-vector.
    VariableId,
    "v"
);

/// The greatest width of a bit-vector.
pub const MAX_WIDTH: u32 = 64;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Bool,
    /// A bit-vector of 1..=[`MAX_WIDTH`] bits.
    BitVec(u32),
    /// An array of bit-vectors of so many bits; see `arrays`.
    Array(u32),
}

impl Sort {
    /// The width of a bit-vector.
    ///
    /// # Panics
    /// Not for Booleans, nor for arrays.
    pub fn width(self) -> u32 {
        match self {
            Sort::BitVec(width) => width,
            Sort::Bool => panic!("a bit-vector should be here, not a Boolean"),
            Sort::Array(_) => panic!("a bit-vector should be here, not an array"),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array(width) => write!(f, "an array of (_ BitVec {width})"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnaryOp {
    /// Complement of every bit.
    Not,
    /// Two's complement negation.
    Neg,
}

/// Operators on two bit-vectors of one width, with the meaning of SMT-LIB for division by zero and for shifts by the
/// width or more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Shl,
    Lshr,
    Ashr,
    And,
    Or,
    Xor,
}

impl BinaryOp {
    pub fn is_commutative(self) -> bool {
        matches!(self, BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
    }
}

/// Relations between two bit-vectors of one width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    Eq,
    Ult,
    Slt,
    /// The unsigned product does not fit the width.
    UmulOverflow,
    /// The signed product does not fit the width.
    SmulOverflow,
}

impl Relation {
    pub fn is_commutative(self) -> bool {
        matches!(self, Relation::Eq | Relation::UmulOverflow | Relation::SmulOverflow)
    }
}

/// One node of the term graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    Boolean(bool),
    Constant {
        width: u8,
        value: u64,
    },
    Variable(VariableId),
    Not(TermId),
    And(TermId, TermId),
    Xor(TermId, TermId),
    /// Of any sort.
    Ite(TermId, TermId, TermId),
    Unary(UnaryOp, TermId),
    Binary(BinaryOp, TermId, TermId),
    Compare(Relation, TermId, TermId),
    /// The first operand holds the high bits.
    Concat(TermId, TermId),
    /// Bits `low..=high`.
    Extract {
        arg: TermId,
        high: u8,
        low: u8,
    },
    /// To `width` bits in all.
    SignExtend {
        arg: TermId,
        width: u8,
    },
    /// The array all of whose elements are this one.
    Filled(TermId),
    /// An array, an index, and the element there instead of what the array has.
    Store(TermId, TermId, TermId),
}

impl Term {
    /// The operands, in order.
    pub fn operands(self) -> impl Iterator<Item = TermId> {
        let (operands, count) = match self {
            Term::Boolean(_) | Term::Constant { .. } | Term::Variable(_) => ([TermId(0); 3], 0),
            Term::Not(a) | Term::Unary(_, a) | Term::Filled(a) => ([a; 3], 1),
            Term::Extract { arg, .. } | Term::SignExtend { arg, .. } => ([arg; 3], 1),
            Term::And(a, b) | Term::Xor(a, b) | Term::Concat(a, b) => ([a, b, b], 2),
            Term::Binary(_, a, b) | Term::Compare(_, a, b) => ([a, b, b], 2),
            Term::Ite(c, a, b) | Term::Store(c, a, b) => ([c, a, b], 3),
        };
        operands.into_iter().take(count)
    }
}
