//! What the engines that only prove have in common: they prove a property or say nothing about it.

use base::Statistics;
use program::{Outcome, Property, PropertySet, UnknownReason};

use crate::engine::{Job, Report};

/// The answers of an engine that knows the properties in `known` and proves those of which `is_proved` says so.
pub fn report(
    job: &Job<'_>,
    known: PropertySet,
    is_proved: impl Fn(Property) -> bool,
    statistics: Statistics,
) -> Report {
    let stopped = job.budget.check().err();
    let mut report = Report { statistics, stopped, ..Report::default() };
    for property in job.properties.iter() {
        let outcome = match stopped {
            _ if !known.contains(property) => Outcome::Unknown(UnknownReason::NotChecked),
            _ if is_proved(property) => Outcome::Proved,
            Some(reason) => Outcome::Unknown(UnknownReason::Stopped(reason)),
            None => Outcome::Unknown(UnknownReason::Limit("no proof was found".to_owned())),
        };
        job.observer.learned(property, &outcome, &report.statistics);
        report.outcomes.push((property, outcome));
    }
    report
}
