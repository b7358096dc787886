//! Violations as people want to read them: the same ones, in fewer steps. Unless somebody wants all of them.

use base::Budget;
use program::{Analyses, Outcome, Property, Trace};

/// Shortens the traces of all violations; what a shortened trace shows has been replayed again.
pub fn shorten_all(analyses: &Analyses<'_>, outcomes: &mut [(Property, Outcome)], full: bool, budget: &Budget) {
    for (_, outcome) in outcomes.iter_mut() {
        if let Outcome::Violated(trace) = outcome {
            **trace = shortened(analyses, trace, full, budget);
        }
    }
}

/// The trace itself if all of it is wanted.
pub fn shortened(analyses: &Analyses<'_>, trace: &Trace, full: bool, budget: &Budget) -> Trace {
    if full { trace.clone() } else { execute::shorten(analyses, trace, budget) }
}
