//! Proofs of the engine are valid, and what is no proof is not.

mod bogus;
mod engine_proofs;
mod mutations;
mod round_trip;
mod transplants;
