//! Race freedom by static analysis, before anything is executed or unfolded: crate `statics` either discharges every pair of
//! accesses, which is a proof without bounds, or leaves the question to the engine.

use base::statistics::stage;
use base::{Budget, Statistics};
use program::{Outcome, Program, Property, PropertySet};

use crate::engine::Job;

/// Answers `no-data-race` if it is asked for and can be proved; returns the properties that are still open.
pub fn prove(job: &Job<'_>, outcomes: &mut Vec<(Property, Outcome)>, statistics: &mut Statistics) -> PropertySet {
    let mut open = job.properties;
    if !open.contains(Property::NoDataRace) || job.options.races_surveyed {
        return open;
    }
    let survey = statistics.timed(stage::SURVEYING, || statics::survey(job.program, job.budget));
    if let Ok(survey) = &survey {
        statistics.count("pairs of accesses", survey.pairs.len() as u64);
        statistics.count("pairs not discharged", survey.undischarged().count() as u64);
    }
    if survey.is_ok_and(|survey| survey.is_race_free()) {
        job.observer.learned(Property::NoDataRace, &Outcome::Proved, statistics);
        outcomes.push((Property::NoDataRace, Outcome::Proved));
        open.remove(Property::NoDataRace);
    }
    open
}

/// What the static analysis relies on, pair by pair, and what it leaves open, for people.
pub fn explain(program: &Program, budget: &Budget) -> String {
    statics::explain(program, &statics::survey(program, budget))
}
