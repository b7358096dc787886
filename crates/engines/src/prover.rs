//! What the engines that only prove have in common: they prove a property or say nothing about it.

use base::Statistics;
use program::{Outcome, Property, PropertySet, Provenance, UnknownReason};

use crate::engine::{Engine, Job, Report};

/// The answers of an engine that knows the properties in `known` and proves those for which `proof` has a
/// provenance.
pub fn report(
    engine: &dyn Engine,
    job: &Job<'_>,
    known: PropertySet,
    proof: impl Fn(Property) -> Option<Provenance>,
    statistics: Statistics,
) -> Report {
    let stopped = job.budget.check().err();
    let mut report = Report { statistics, stopped, ..Report::default() };
    for property in job.properties.iter() {
        let proof = proof(property).filter(|_| known.contains(property));
        let outcome = match (proof, stopped) {
            (Some(_), _) => Outcome::Proved,
            (None, _) if !known.contains(property) => Outcome::Unknown(UnknownReason::NotChecked),
            (None, Some(reason)) => Outcome::Unknown(UnknownReason::Stopped(reason)),
            (None, None) => Outcome::Unknown(UnknownReason::Limit("no proof was found".to_owned())),
        };
        report.settle(job, property, outcome, proof.unwrap_or_else(|| engine.provenance()));
    }
    report
}
