//! Proofs without bounds by predicate abstraction over a reduced product of the threads.

mod abstraction;
mod art;
pub mod attempt;
mod chain;
mod code;
mod commutation;
mod conditional;
mod control;
mod craig;
mod doubtful_equality;
mod drawing;
mod edge;
mod encoding;
mod equations;
mod farkas;
mod interpolate;
mod linear;
mod machine;
mod oracle;
mod order;
mod path;
mod proof_tree;
mod propose;
mod search;
mod simplex;
mod step;
mod text;
mod verification;
mod vocabulary;

pub use attempt::{Attempt, AttemptLimits, Conclusion, Pursuit};
pub use conditional::InterpolantMode;
pub use encoding::BlockEncoding;
pub use order::{OrderKind, PreferenceOrder};
pub use verification::{MadeInterpolant, Verification};
