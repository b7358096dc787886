//! The answers about several properties at a glance: one line each, in the order of the properties.

use program::{Outcome, Property};

use crate::look::Look;
use crate::text_width::{printable, truncate};
use crate::verdict::{Verdict, claim};

/// Columns of a line, and those of them that are not the name of a property and not words about it.
const WIDTH: usize = 100;
const INDENT: usize = "  ".len() + "  VIOLATED  ".len();

/// One line per answer. Ends in a newline.
pub fn table(outcomes: &[(Property, Outcome)], look: Look) -> String {
    let names = outcomes.iter().map(|(property, _)| property.name().len()).max().unwrap_or(0);
    let mut out = "Summary\n".to_owned();
    for (property, outcome) in outcomes {
        let (word, style): (&str, fn(Look, &str) -> String) = match Verdict::of(outcome) {
            Verdict::Violated => ("VIOLATED", |look, word| look.bad(word)),
            Verdict::Proved => ("PROVED", |look, word| look.good(word)),
            Verdict::HoldsUpTo => ("HOLDS", |look, word| look.unsure(word)),
            Verdict::Unknown => ("UNKNOWN", |look, word| look.unsure(word)),
        };
        let padding = " ".repeat("VIOLATED".len() - word.len());
        let room = WIDTH.saturating_sub(names + INDENT);
        let words = truncate(&few_words(*property, outcome), room, "...");
        out += &format!("  {:names$}  {}{padding}  {words}\n", property.name(), style(look, word));
    }
    out
}

fn few_words(property: Property, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Violated(trace) => printable(&trace.violation.message),
        Outcome::Proved => claim(property).to_owned(),
        Outcome::HoldsUpTo(bounds) => format!("up to {bounds}"),
        Outcome::Unknown(reason) => printable(&reason.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_traces::lost_update;
    use base::StopReason;
    use program::{Bounds, UnknownReason};

    #[test]
    fn every_property_has_its_line() {
        let (_, trace) = lost_update();
        let bounds = Bounds { unwind: Some(4), ..Bounds::default() };
        let outcomes = [
            (Property::Assert, Outcome::Violated(Box::new(trace))),
            (Property::ValidDeref, Outcome::Proved),
            (Property::NoOverflow, Outcome::HoldsUpTo(bounds)),
            (Property::NoBadShift, Outcome::Unknown(UnknownReason::Stopped(StopReason::Time))),
        ];
        let expected = "\
Summary
  assert        VIOLATED  assertion failed: x == 2
  valid-deref   PROVED    every memory access is valid
  no-overflow   HOLDS     up to 4 rounds of each loop
  no-bad-shift  UNKNOWN   time limit reached
";
        assert_eq!(table(&outcomes, Look::PLAIN), expected);
    }
}
