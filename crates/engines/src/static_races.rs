//! Race freedom by static analysis, before anything is executed or unfolded: crate `statics` either discharges every pair of
//! accesses, which is a proof without bounds, or leaves the question to the engine.

use std::sync::Arc;

use base::statistics::stage;
use base::{Budget, Statistics};
use program::{Analyses, Argument, Outcome, Property, PropertySet};
use statics::{GivenUp, RaceSurvey};

use crate::engine::{Engine, EngineBug, Job, Report};
use crate::prover;
use crate::sites::properties_with_sites;

/// Of the time that is left: what the analysis does not prove quickly, an engine may still decide.
pub const PART_OF_BUDGET: u32 = 10;

/// Answers `no-data-race` if it is asked for and can be proved; returns the properties that are still open.
pub fn prove(job: &Job<'_>, report: &mut Report) -> PropertySet {
    let mut open = job.properties;
    if !open.contains(Property::NoDataRace) || job.options.races_surveyed || job.options.only {
        return open;
    }
    // A program without threads needs no analysis.
    if !properties_with_sites(job.analyses, open).contains(Property::NoDataRace) {
        return open;
    }
    if are_excluded(job, &job.budget.part(PART_OF_BUDGET), &mut report.statistics) {
        report.settle(job, Property::NoDataRace, Outcome::Proved, StaticRaces.provenance());
        open.remove(Property::NoDataRace);
    }
    open
}

/// Whether no execution of the program has a race, for certain.
fn are_excluded(job: &Job<'_>, budget: &Budget, statistics: &mut Statistics) -> bool {
    let survey = statistics.timed(stage::SURVEYING, || race_analysis(job.analyses, budget));
    if let Ok(survey) = survey.as_deref() {
        statistics.count("pairs of accesses", survey.pairs.len() as u64);
        statistics.count("pairs not discharged", survey.undischarged().count() as u64);
    }
    survey.is_ok_and(|survey| survey.is_race_free())
}

/// The static race analysis of the program, unless it is given up.
fn race_analysis(analyses: &Analyses<'_>, budget: &Budget) -> Result<Arc<RaceSurvey>, GivenUp> {
    analyses.get_or_try("static race analyses", || statics::survey(analyses.program, budget))
}

/// The static analysis as an engine.
pub struct StaticRaces;

impl Engine for StaticRaces {
    fn name(&self) -> &'static str {
        "static-races"
    }

    fn summary(&self) -> &'static str {
        "proves no-data-race by abstract interpretation of all threads"
    }

    fn argument(&self) -> Argument {
        Argument::StaticRaceAnalysis
    }

    fn check(&self, job: &Job<'_>) -> Result<Report, EngineBug> {
        let mut statistics = Statistics::new();
        let excluded = job.properties.contains(Property::NoDataRace) && are_excluded(job, job.budget, &mut statistics);
        let known = PropertySet::of(&[Property::NoDataRace]);
        Ok(prover::report(self, job, known, |_| excluded.then(|| self.provenance()), statistics))
    }
}

/// What the static analysis relies on, pair by pair, and what it leaves open, for people.
pub fn explain(analyses: &Analyses<'_>, budget: &Budget) -> String {
    statics::explain(analyses.program, race_analysis(analyses, budget).as_deref())
}
