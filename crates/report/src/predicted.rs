//! What prediction knows beyond one answer per property: every other violation that it has found, and how many candidates
//! each step of pruning has left.

use std::fmt::Write;

use program::{Outcome, Program, Property, Trace};

use crate::text_width::printable;

/// See the module documentation. Empty for whoever stops at the first violation of a property.
#[derive(Clone, Copy, Debug, Default)]
pub struct Predicted<'a> {
    /// All violations that were found, those of the outcomes among them.
    pub findings: &'a [Trace],
    /// By property, the steps of pruning and what each has left.
    pub candidates: &'a [(Property, Vec<(&'static str, usize)>)],
}

impl<'a> Predicted<'a> {
    /// The violations of a property besides the one that is its outcome.
    pub fn others(&self, outcome: &'a Outcome) -> impl Iterator<Item = &'a Trace> + use<'a> {
        let shown = match outcome {
            Outcome::Violated(trace) => Some(&**trace),
            _ => None,
        };
        let is_other = move |trace: &&Trace| {
            shown.is_some_and(|shown| shown.violation.property == trace.violation.property && *shown != **trace)
        };
        self.findings.iter().filter(is_other)
    }

    pub fn steps_of(&self, property: Property) -> &'a [(&'static str, usize)] {
        self.candidates.iter().find(|(known, _)| *known == property).map_or(&[], |(_, steps)| steps)
    }

    /// One line for each count and for each violation that has no interleaving of its own in the report.
    pub fn text(&self, program: &Program, outcomes: &'a [(Property, Outcome)]) -> String {
        let mut text = String::new();
        for (property, steps) in self.candidates.iter().filter(|(_, steps)| steps.iter().any(|(_, count)| *count > 0)) {
            let steps: Vec<String> = steps.iter().map(|(step, count)| counted_step(*count, step)).collect();
            let _ = writeln!(text, "{property}: {}", steps.join(", "));
        }
        for trace in outcomes.iter().flat_map(|(_, outcome)| self.others(outcome)) {
            let violation = &trace.violation;
            let (place, message) = (program.files.describe(violation.span), printable(&violation.message));
            let _ = writeln!(text, "also violated: {} at {place}: {message}", violation.property);
        }
        text
    }
}

/// `1 candidate`, but `1 after locksets`.
fn counted_step(count: usize, step: &str) -> String {
    let singular = step.strip_suffix('s').filter(|word| count == 1 && !word.contains(' '));
    format!("{count} {}", singular.unwrap_or(step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_traces::lost_update;

    #[test]
    fn the_outcome_is_not_told_twice() {
        let (program, first) = lost_update();
        let mut second = first.clone();
        second.violation.message = "another one".to_owned();
        let findings = [first.clone(), second];
        let candidates = [(Property::Assert, vec![("candidates", 1), ("after locksets", 1), ("possible", 2)])];
        let predicted = Predicted { findings: &findings, candidates: &candidates };
        let outcomes = [(Property::Assert, Outcome::Violated(Box::new(first)))];
        let expected = "\
assert: 1 candidate, 1 after locksets, 2 possible
also violated: assert at lost.c:7:5: another one
";
        assert_eq!(predicted.text(&program, &outcomes), expected);
        assert_eq!(predicted.steps_of(Property::Atomicity), []);
    }
}
