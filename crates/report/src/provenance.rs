//! Who found, proved or bounded what, in sentences.

use program::{Outcome, Property, Provenance};

use crate::verdict::CheckReport;

/// More properties than this are counted instead of named.
const MOST_NAMES: usize = 3;

/// One sentence for each kind of answer, each beginning with a space; nothing about what is unknown.
pub fn sentences(report: &CheckReport<'_>) -> String {
    let kinds: [(&str, fn(&Outcome) -> bool); 3] = [
        ("Found by", |outcome| matches!(outcome, Outcome::Violated(_))),
        ("Proved by", |outcome| matches!(outcome, Outcome::Proved)),
        ("Bounded answers by", |outcome| matches!(outcome, Outcome::HoldsUpTo(_))),
    ];
    kinds.into_iter().map(|(verb, is_meant)| sentence(report, verb, is_meant)).collect()
}

fn sentence(report: &CheckReport<'_>, verb: &str, is_meant: fn(&Outcome) -> bool) -> String {
    let mut groups: Vec<(Provenance, Vec<Property>)> = Vec::new();
    for (property, _) in report.outcomes.iter().filter(|(_, outcome)| is_meant(outcome)) {
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
