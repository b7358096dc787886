//! Everything people and other tools read: verdicts with their places and interleavings as text, JSON, the
//! competition's one line, diagnostics, and schedules as files.
//!
//! Invariant: turns data into text and decides nothing. No verdict is made or changed here, nothing here prints, and
//! the engines' insides are unknown.

pub mod assumptions;
pub mod control_flow;
pub mod coverage;
pub mod diagnostics;
pub mod excerpt;
pub mod explanations;
pub mod foreign;
pub mod html;
pub mod json;
pub mod lanes;
mod library_input;
pub mod look;
pub mod predicted;
mod provenance;
pub mod race_pair;
mod relevance;
pub mod sarif;
#[cfg(test)]
mod sarif_schema;
pub mod sharing;
pub mod statistics;
pub mod suppression;
pub mod svcomp;
#[cfg(test)]
mod test_traces;
pub mod text_width;
pub mod trace_rows;
pub mod verdict;
mod verdict_table;
pub mod witness;

pub use look::Look;
pub use verdict::{CheckReport, Verdict};
