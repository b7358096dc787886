//! Race freedom by static analysis, before anything is executed or unfolded: crate `statics` either discharges every pair of
//! accesses, which is a proof without bounds, or says nothing.

use std::sync::Arc;

use base::statistics::stage;
use base::{Budget, Statistics, StopReason};
use program::{Analyses, Property, PropertySet, VerdictArgument};
use statics::{GivenUp, RaceSurvey};

use crate::engine::{Engine, Job, Run};
use crate::prover::OneAttempt;

/// The static analysis as an engine.
pub struct StaticRaces;

impl Engine for StaticRaces {
    fn name(&self) -> &'static str {
        "static-races"
    }

    fn summary(&self) -> &'static str {
        "proves no-data-race by abstract interpretation of all threads"
    }

    fn argument(&self) -> VerdictArgument {
        VerdictArgument::StaticRaceAnalysis
    }

    fn properties(&self) -> PropertySet {
        PropertySet::of(&[Property::NoDataRace])
    }

    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a> {
        OneAttempt::new(move |_, budget, statistics| {
            let excluded = are_excluded(job.analyses, budget, statistics)?;
            Ok(excluded.then_some(Property::NoDataRace).into_iter().collect())
        })
    }
}

/// Whether no execution of the program has a race, for certain.
fn are_excluded(analyses: &Analyses<'_>, budget: &Budget, statistics: &mut Statistics) -> Result<bool, StopReason> {
    let survey = statistics.timed(stage::SURVEYING, || race_analysis(analyses, budget));
    match survey.as_deref() {
        Ok(survey) => {
            statistics.count("candidate race pairs", survey.pairs.len() as u64);
            statistics.count("unproved race pairs", survey.undischarged().count() as u64);
            Ok(survey.is_race_free())
        }
        Err(GivenUp::Stopped(reason)) => Err(*reason),
        Err(_) => Ok(false),
    }
}

/// The static race analysis of the program, unless it is given up.
fn race_analysis(analyses: &Analyses<'_>, budget: &Budget) -> Result<Arc<RaceSurvey>, GivenUp> {
    analyses.get_or_try("static race analyses", || statics::survey(analyses.program, budget))
}

/// What the static analysis relies on, pair by pair, and what it leaves open, for people.
pub fn explain(analyses: &Analyses<'_>, budget: &Budget) -> String {
    statics::explain(analyses.program, race_analysis(analyses, budget).as_deref())
}
