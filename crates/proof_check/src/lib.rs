//! Checks proofs that somebody else has found: every Hoare triple, covering and commutation of a reachability tree, with a
//! translation of instructions to terms that shares nothing with the engine's.
//!
//! Invariant: knows neither crate `symbolic` nor any engine; what it does not understand is never valid.

mod decide;
mod doubtful_equality;
mod evaluate;
mod execute;
mod machine;
mod merge;
mod reach;
mod state;
mod summary;
mod tree;

pub use tree::{ProofCounts, ProofRefusal, check_proof};
