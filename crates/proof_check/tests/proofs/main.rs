//! Proofs of the engine are valid, and what is no proof is not.

#![expect(clippy::print_stderr, reason = "how many changes were tried must be seen")]

mod bogus;
mod engine_proofs;
mod mutations;
mod round_trip;
mod transplants;
