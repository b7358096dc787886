//! Ground that every other crate stands on: typed ids, places in source files, diagnostics, budgets and counters.
//!
//! Invariant: nothing here knows about C, threads or solvers, and nothing here prints.

pub mod budget;
pub mod diagnostic;
pub mod ids;
pub mod source;
pub mod statistics;

pub use budget::{Budget, CancelToken, StopReason};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use ids::{Id, IdVec};
pub use source::{FileId, Files, IndexedText, SourceFile, Span};
pub use statistics::Statistics;
