//! Proofs without bounds by predicate abstraction over a reduced product of the threads.

mod abstraction;
pub mod attempt;
mod code;
mod commutation;
mod control;
mod doubtful_equality;
mod edge;
mod farkas;
mod interpolate;
mod linear;
mod machine;
mod oracle;
mod order;
mod path;
mod propose;
mod search;
mod simplex;
mod step;
mod text;
mod vocabulary;

pub use attempt::{Attempt, AttemptLimits, Conclusion};
pub use order::{Order, OrderKind};
