//! Boolean and bit-vector terms: hash-consed and simplified when built, evaluated, bit-blasted to clauses, and printed
//! as SMT-LIB, or in a text form that can be read back.
//!
//! Invariant: knows nothing of programs. Every traversal is iterative: a term may be a million nodes deep.

mod aig;
mod arena;
mod arrays;
mod blast;
mod build;
mod circuits;
mod evaluate;
mod operator_names;
mod parse;
mod rewrite;
mod semantics;
mod smtlib;
mod term;
mod text;
mod tseitin;

pub use arena::Terms;
pub use blast::Blaster;
pub use evaluate::{Assignment, Evaluator, evaluate, holds};
pub use parse::{Parsed, TermReader, Tokens};
pub use smtlib::write_smtlib;
pub use term::{BinaryOp, MAX_WIDTH, Relation, Sort, Term, TermId, UnaryOp, VariableId};
pub use text::TermText;
