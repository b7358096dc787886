//! The names of operators in text, those of SMT-LIB as far as it has them.

use crate::term::{BinaryOp, Relation, UnaryOp};

pub const UNARY: [(UnaryOp, &str); 2] = [(UnaryOp::Not, "bvnot"), (UnaryOp::Neg, "bvneg")];

pub const BINARY: [(BinaryOp, &str); 13] = [
    (BinaryOp::Add, "bvadd"),
    (BinaryOp::Sub, "bvsub"),
    (BinaryOp::Mul, "bvmul"),
    (BinaryOp::Udiv, "bvudiv"),
    (BinaryOp::Urem, "bvurem"),
    (BinaryOp::Sdiv, "bvsdiv"),
    (BinaryOp::Srem, "bvsrem"),
    (BinaryOp::Shl, "bvshl"),
    (BinaryOp::Lshr, "bvlshr"),
    (BinaryOp::Ashr, "bvashr"),
    (BinaryOp::And, "bvand"),
    (BinaryOp::Or, "bvor"),
    (BinaryOp::Xor, "bvxor"),
];

pub const RELATIONS: [(Relation, &str); 5] = [
    (Relation::Eq, "="),
    (Relation::Ult, "bvult"),
    (Relation::Slt, "bvslt"),
    (Relation::UmulOverflow, "bvumulo"),
    (Relation::SmulOverflow, "bvsmulo"),
];

/// The name of an operator in one of the tables above.
pub fn name_of<T: Copy + PartialEq>(table: &[(T, &'static str)], operator: T) -> &'static str {
    table.iter().find(|(known, _)| *known == operator).expect("every operator should have a name").1
}

/// The operator of that name.
pub fn find<T: Copy>(table: &[(T, &'static str)], name: &str) -> Option<T> {
    table.iter().find(|(_, known)| *known == name).map(|(operator, _)| *operator)
}
