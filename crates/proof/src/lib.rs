//! Proofs as files: the reachability tree of predicate abstraction, with everything that somebody else needs to check it.
//!
//! Invariant: knows no engine and no solver; it says what a file contains, not whether that is true.

mod file;
mod header;
mod read;
mod write;

pub use file::{ProofClaim, ProofFile, ProofNode, ProofObject, ProofObjectKey, ProofStep, ProofTerm, ProofVariable};
pub use header::{is_proof, program_hash};
pub use read::{ProofDamage, read};
