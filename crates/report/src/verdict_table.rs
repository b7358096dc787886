//! The answers about several properties at a glance: one line each, in the order of the properties.

use program::{Outcome, Program, Property};

use crate::look::Look;
use crate::text_width::{printable, truncate};
use crate::verdict::{Verdict, claim};

/// One line per answer. Ends in a newline.
pub fn table(program: &Program, outcomes: &[(Property, Outcome)], look: Look) -> String {
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
        let room = look.columns().saturating_sub(names + "    VIOLATED  ".len());
        let words = truncate(&few_words(program, *property, outcome), room, look.glyphs().ellipsis);
        out += &format!("  {:names$}  {}{padding}  {words}\n", property.name(), style(look, word));
    }
    out
}

fn few_words(program: &Program, property: Property, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Violated(trace) => {
            let violation = &trace.violation;
            format!("{}: {}", program.files.describe(violation.span), printable(&violation.message))
        }
        Outcome::Proved => claim(property).to_owned(),
        Outcome::HoldsUpTo(bounds) if bounds.recorded_runs.is_some() => format!("in {bounds}"),
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
        let (program, trace) = lost_update();
        let bounds = Bounds { unwind: Some(4), ..Bounds::default() };
        let outcomes = [
            (Property::Assert, Outcome::Violated(Box::new(trace))),
            (Property::ValidDeref, Outcome::Proved),
            (Property::NoOverflow, Outcome::HoldsUpTo(bounds)),
            (Property::NoBadShift, Outcome::Unknown(UnknownReason::Stopped(StopReason::Time))),
        ];
        let expected = "\
Summary
  assert        VIOLATED  lost.c:7:5: assertion failed: x == 2
  valid-deref   PROVED    every memory access is valid
  no-overflow   HOLDS     up to 4 iterations of each loop
  no-bad-shift  UNKNOWN   time limit reached
";
        assert_eq!(table(&program, &outcomes, Look::PLAIN), expected);
    }
}
