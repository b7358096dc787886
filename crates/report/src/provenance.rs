//! Who found, proved or bounded what, in sentences.

use program::{Property, VerdictProvenance};

use crate::verdict::{CheckReport, Verdict};

/// More properties than this are counted instead of named.
const MOST_NAMES: usize = 3;

/// One sentence for each kind of answer, each beginning with a space; nothing about what is unknown.
pub fn sentences(report: &CheckReport<'_>) -> String {
    let kinds =
        [("Found by", Verdict::Violated), ("Proved by", Verdict::Proved), ("Bounded answers by", Verdict::HoldsUpTo)];
    kinds.into_iter().map(|(verb, verdict)| sentence(report, verb, verdict)).collect()
}

fn sentence(report: &CheckReport<'_>, verb: &str, verdict: Verdict) -> String {
    let mut groups: Vec<(VerdictProvenance, Vec<Property>)> = Vec::new();
    for (property, _) in report.outcomes.iter().filter(|(_, outcome)| Verdict::of(outcome) == verdict) {
        let Some(&provenance) = report.provenance.get(property) else { continue };
        match groups.iter_mut().find(|(known, _)| *known == provenance) {
            Some((_, properties)) => properties.push(*property),
            None => groups.push((provenance, vec![*property])),
        }
    }
    let parts: Vec<String> =
        groups.iter().map(|(provenance, properties)| format!("{provenance}: {}", named(properties))).collect();
    if parts.is_empty() { String::new() } else { format!(" {verb} {}.", parts.join("; by ")) }
}

fn named(properties: &[Property]) -> String {
    if properties.len() > MOST_NAMES {
        return properties.len().to_string();
    }
    properties.iter().map(|property| property.name()).collect::<Vec<_>>().join(", ")
}
