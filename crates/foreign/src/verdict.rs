//! What an analysis says about each property.

use crate::analysis::{Analysis, Counts, Kind};

/// The answer about one property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Violated,
    /// In no order of the events.
    Holds,
    /// In no order of the events of any window.
    HoldsInWindows,
    Unknown(String),
}

impl Analysis {
    /// Every property that was asked about, with its answer.
    pub fn verdicts(&self) -> Vec<(Kind, Counts, Verdict)> {
        self.counts.iter().map(|&(kind, counts)| (kind, counts, self.verdict(kind, counts))).collect()
    }

    fn verdict(&self, kind: Kind, counts: Counts) -> Verdict {
        if counts.found > 0 {
            return Verdict::Violated;
        }
        if let Some(reason) = self.stopped {
            return Verdict::Unknown(reason.to_string());
        }
        if counts.open > 0 {
            return Verdict::Unknown(format!("of {} candidates not every pair of events was tried", counts.open));
        }
        if kind == Kind::Atomicity && self.transactions == 0 {
            return Verdict::Unknown("the trace marks nothing as atomic with begin and end".to_owned());
        }
        if self.is_one_window { Verdict::Holds } else { Verdict::HoldsInWindows }
    }
}
