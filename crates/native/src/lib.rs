//! Native runs: a `Program` printed back as C, compiled by the system's compiler, and run with real threads.
//!
//! ```text
//! Program ──c_program──▶ C text ──compiler──▶ process ──record.c──▶ log ──follow──▶ Recording
//! Schedule ─────────────────────────────────▶ process ──replay.c──▶ report ──▶ what was seen
//! ```
//!
//! A run is ordered by its visible instructions, which are taken one at a time; between them threads run freely. What
//! synchronisation means is printed from the table of crate `sync`, so that a native run and the interpreter cannot disagree
//! about it.
//!
//! Invariant: knows no C that a user wrote, no command line and no output; decides nothing: a native run is material for
//! `predict`, or a second witness of a violation that the interpreter has seen.

mod c_expression;
mod c_fault;
mod c_function;
mod c_globals;
mod c_program;
mod c_sync;
pub mod compiler;
mod follow;
mod log;
mod outside;
mod process;
mod record;
mod replay;
mod replay_report;
mod sites;

pub use c_program::{Policy, c_program};
pub use compiler::NativeError;
pub use follow::RecordingEnd;
pub use log::{NativeLog, RunEnd, Slice};
pub use process::ProcessEnd;
pub use record::{DEFAULT_MAX_STEPS, NativeRecorded, NativeRun, RecordOptions, Streams, record_native, run_native};
pub use replay::{Departure, DepartureReason, NativeVerdict, ReplayOptions, replay_native};
pub use sites::{SiteId, Sites};
