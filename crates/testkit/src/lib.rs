//! Testing the verifier against its own interpreter: a generator of random multi-threaded C programs, a shrinker, a
//! harness that compares every engine with the exhaustive explorer, the runner of the programs under `tests/programs`,
//! and mutated programs that nothing may choke on. For development only.
//!
//! Invariant: no other crate of the product depends on it, and it never decides a verdict itself.

pub mod agree;
pub mod bug_seeds;
pub mod c_program;
pub mod differential;
mod effects_monitor;
pub mod event_graphs;
pub mod expectation;
pub mod features;
pub mod foreign_judge;
pub mod foreign_traces;
pub mod gate;
pub mod generate;
pub mod guarded;
pub mod interruptions;
pub mod library_programs;
pub mod monitor;
pub mod mutate;
pub mod order_programs;
mod parallel;
pub mod predictions;
mod print;
pub mod program_tests;
pub mod race_programs;
pub mod race_proofs;
pub mod random;
pub mod recorded_explorer;
pub mod seed_text;
pub mod shortcuts;
pub mod shrink;
pub mod subject;
pub mod survive;
pub mod told_invariants;
pub mod word_programs;

pub use c_program::CProgram;
pub use features::{Feature, Features};
pub use generate::generate;
pub use guarded::guard;
pub use parallel::in_parallel;
