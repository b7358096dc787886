//! Predictive analysis: one recorded run of a program, and what could have happened in it.
//!
//! ```text
//! run ──record──▶ Recording ──▶ TraceProgram ──unfold──▶ EventGraph ──search──▶ Schedule ──translate, replay──▶ Trace
//! ```
//!
//! Invariant: knows no C syntax, no command line and no output; a violation leaves this crate only after the
//! interpreter has run into it in the recorded program.

mod accumulator;
mod activation_copy;
mod assertion_branch;
mod assertion_reads;
pub mod atomicity;
mod atomicity_judge;
mod atomicity_replay;
mod atomicity_search;
pub mod candidate_counts;
mod cone;
pub mod cssa;
mod first_violation;
mod fixed_addresses;
mod goal_search;
mod jobs;
pub mod memory_access;
pub mod model;
pub mod ordering;
pub mod path;
pub mod places;
mod places_text;
pub mod prediction;
mod printed_text;
mod race_counts;
pub mod record;
pub mod recording;
pub mod search;
mod second_look;
pub mod stepper;
pub mod trace_program;
pub mod trace_text;
mod translate;

pub use atomicity::TransactionOptions;
pub use atomicity_judge::judge_atomicity;
pub use candidate_counts::CandidateCounts;
pub use cssa::cssa;
pub use model::Model;
pub use ordering::Ordering;
pub use prediction::{ContextBound, PREDICTED, PredictError, PredictOptions, Prediction, predict};
pub use record::{Recorded, record};
pub use recording::Recording;
pub use second_look::predict_twice;
pub use trace_program::TraceProgram;
