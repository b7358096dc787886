//! What an analysis says about each property.

use crate::analysis::{Counts, Kind, TraceAnalysis};

/// The answer about one property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceVerdict {
    Violated,
    /// In no order of the events.
    Holds,
    /// In no order of the events of any window.
    HoldsInWindows,
    Unknown(String),
}

impl TraceAnalysis {
    /// Every property that was asked about, with its answer.
    pub fn verdicts(&self) -> Vec<(Kind, Counts, TraceVerdict)> {
        self.counts.iter().map(|&(kind, counts)| (kind, counts, self.verdict(kind, counts))).collect()
    }

    fn verdict(&self, kind: Kind, counts: Counts) -> TraceVerdict {
        if counts.found > 0 {
            return TraceVerdict::Violated;
        }
        if let Some(reason) = self.stopped {
            return TraceVerdict::Unknown(reason.to_string());
        }
        if counts.open > 0 {
            return TraceVerdict::Unknown(format!(
                "{} candidates were not tried for every pair of events",
                counts.open
            ));
        }
        if kind == Kind::Atomicity && self.transactions == 0 {
            return TraceVerdict::Unknown("the trace marks no transaction with begin and end".to_owned());
        }
        if self.is_one_window { TraceVerdict::Holds } else { TraceVerdict::HoldsInWindows }
    }
}
