//! Answers about traces of foreign programs. There is no source and there are no values: places are what the trace calls
//! so, and an order of events is a list of lines of the file.

mod data;
mod sarif;
mod text;

pub use data::json;
pub use sarif::sarif;
pub use text::text;

use std::time::Duration;

use ::foreign::{ExternalTrace, Kind, TraceAnalysis, TraceFinding};
use program::Property;

/// What there is to say.
pub struct ForeignReport<'a> {
    pub file: &'a str,
    pub trace: &'a ExternalTrace,
    pub analysis: &'a TraceAnalysis,
    /// Events that were reordered at a time, and whether the user said so.
    pub window: usize,
    pub window_is_chosen: bool,
    pub elapsed: Duration,
}

pub fn property(kind: Kind) -> Property {
    match kind {
        Kind::Race => Property::NoDataRace,
        Kind::Deadlock => Property::NoDeadlock,
        Kind::Atomicity => Property::Atomicity,
    }
}

impl ForeignReport<'_> {
    fn findings(&self, kind: Kind) -> impl Iterator<Item = &TraceFinding> {
        self.analysis.findings.iter().filter(move |finding| finding.kind == kind)
    }
}
