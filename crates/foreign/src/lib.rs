//! Traces of programs in other languages: which events of a run could have met in another order.
//!
//! ```text
//! lines ──parse──▶ Trace ──survey──▶ Survey ──filter──▶ Candidates ──window──▶ order ──verify──▶ Finding
//! ```
//!
//! There is no program and there are no values: a thread goes on as recorded as long as every read sees the write that it
//! saw in the run (the maximal causal model). So a finding is possible whatever the program is.
//!
//! Invariant: knows no program, no interpreter and no output; a finding leaves this crate only after its order was
//! checked event by event, by code that knows nothing of solvers (`witness.rs`).

pub mod analysis;
mod atomicity;
mod candidates;
mod deadlocks;
mod filter;
mod segments;
pub mod std_format;
mod survey;
pub mod trace;
mod verdict;
mod window;
pub mod witness;

pub use analysis::{Counts, Kind, TraceAnalysis, TraceFinding, TraceOptions, analyse};
pub use std_format::{BadLine, parse, write};
pub use survey::TraceIndex;
pub use trace::{EventId, ExternalEvent, ExternalTrace, LocationId, LockId, Operation, ThreadId, VariableId};
pub use verdict::TraceVerdict;
pub use witness::ReorderingWitness;
