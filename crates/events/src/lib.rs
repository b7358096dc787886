//! The event graph: what an unfolding makes of a program, how it becomes clauses and an order graph, and the way from a model
//! back to a schedule. It has a text form that can be read back, and a verifier.
//!
//! Invariant: knows no program text and no engine; how a graph comes about, what to solve and how often is decided elsewhere.

mod candidates;
pub mod decode;
pub mod encode;
mod encode_happens_before;
pub mod graph;
pub mod guard;
pub mod happens_before;
pub mod parse;
mod query;
mod text;
mod verify;

pub use candidates::Precedence;
pub use decode::{decode, decode_at};
pub use encode::{Encoding, Goal, encode, encode_without_order};
pub use graph::*;
pub use guard::{GuardId, Guards};
pub use parse::GraphParseError;
pub use query::query_terms;
