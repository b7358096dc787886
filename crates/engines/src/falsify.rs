//! A quick falsifier: a few concrete executions before the first unfolding. Many bugs need nothing but a lucky schedule,
//! and the interpreter runs thousands of instructions in the time that one encoding takes.
//!
//! Runs alternate between random scheduling, probabilistic concurrency testing of growing depth (Burckhardt et al.,
//! ASPLOS 2010) and turns of a few steps; inputs are random with a liking for small and extreme values. Seeds are fixed
//! and the work is limited by the number of runs, steps and instructions, so that the same program gets the same answer
//! on every machine. Time cuts it short only where the user's budget is small, or where single steps take very long.
//! What is found is replayed like any other counterexample. Guarantee: none, it only finds.

use std::time::{Duration, Instant};

use base::statistics::stage;
use base::{Budget, Statistics};
use execute::{Code, End, Pct, RandomChoices, RandomScheduler, RoundRobin, RunOptions, Scheduler, run_code};
use program::{Argument, Outcome, Property, PropertySet, UnknownReason};

use crate::confirm::{Replayed, confirm};
use crate::engine::{CheckOptions, Engine, EngineBug, Job, Progress, Report};
use crate::sites::properties_with_sites;
use crate::static_races;

/// How much to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FalsifyOptions {
    /// Executions at most. Default: 200.
    pub runs: u32,
    /// Steps of one execution at most; longer ones are given up. Default: 20,000.
    pub steps_per_run: u64,
    /// No execution begins after so many instructions of all together. Default: 1,000,000.
    pub instructions: u64,
    /// The first seed. Default: 1.
    pub seed: u64,
}

impl Default for FalsifyOptions {
    fn default() -> Self {
        Self { runs: 200, steps_per_run: 20_000, instructions: 1_000_000, seed: 1 }
    }
}

/// Of the time that is left; the rest belongs to the search that can also prove.
const SHARE_OF_BUDGET: u32 = 10;
/// The longest time in any case, for programs whose instructions are slow.
const LONGEST: Duration = Duration::from_millis(300);

/// Random testing as an engine: it finds, or says nothing.
pub struct RandomTesting;

impl Engine for RandomTesting {
    fn name(&self) -> &'static str {
        "random-testing"
    }

    fn summary(&self) -> &'static str {
        "tries some executions at random; finds violations only"
    }

    fn argument(&self) -> Argument {
        Argument::RandomTesting
    }

    fn check(&self, job: &Job<'_>) -> Result<Report, EngineBug> {
        let mut report = Report::default();
        let found = falsify(job, job.properties, &FalsifyOptions::default(), &mut report.statistics)?;
        report.stopped = job.budget.check().err();
        for property in job.properties.iter() {
            let violated = found.iter().find(|(known, _)| *known == property).map(|(_, outcome)| outcome.clone());
            let outcome = match (violated, report.stopped) {
                (Some(outcome), _) => outcome,
                (None, Some(reason)) => Outcome::Unknown(UnknownReason::Stopped(reason)),
                (None, None) => Outcome::Unknown(UnknownReason::Limit("no random execution violates it".to_owned())),
            };
            report.settle(job, property, outcome, self.provenance());
        }
        Ok(report)
    }
}

/// Tries the job's properties quickly, then lets `engine` check those that are still open, or alone if the options say so.
pub fn falsify_then_check(engine: &dyn Engine, job: &Job<'_>, options: &FalsifyOptions) -> Result<Report, EngineBug> {
    if job.options.only {
        return engine.check(job);
    }
    let mut report = Report::default();
    let properties = static_races::prove(job, &mut report);
    let options_after = CheckOptions { races_surveyed: true, ..job.options.clone() };
    let job = &Job { properties, options: &options_after, ..*job };
    let candidates = properties_with_sites(job.analyses, job.properties);
    let found = falsify(job, candidates, options, &mut report.statistics)?;
    let mut open = job.properties;
    for (property, outcome) in found {
        open.remove(property);
        report.settle(job, property, outcome, RandomTesting.provenance());
    }
    if job.options.first && report.has_violation() {
        for property in open.iter() {
            report.add(property, Outcome::Unknown(UnknownReason::NotChecked), engine.provenance());
        }
    } else if !open.is_empty() {
        let rest = engine.check(&Job { properties: open, ..*job })?;
        report.outcomes.extend(rest.outcomes);
        report.provenance.extend(rest.provenance);
        report.statistics.merge(&rest.statistics);
        report.stopped = rest.stopped;
    }
    report.outcomes.sort_by_key(|(property, _)| *property);
    Ok(report)
}

/// Looks for violations of `properties`. Each one found is confirmed by replay.
pub fn falsify(
    job: &Job<'_>,
    properties: PropertySet,
    options: &FalsifyOptions,
    statistics: &mut Statistics,
) -> Result<Vec<(Property, Outcome)>, EngineBug> {
    job.observer.progress(&Progress::Falsifying);
    let began = Instant::now();
    let mut search = Search { job, options, open: properties, found: Vec::new(), runs: 0, steps: 0, instructions: 0 };
    // Globals that do not fit into memory cannot be run; the engines have their own answer to that.
    if let Ok(code) = Code::of(job.analyses) {
        search.run_all(&code, &budget(job.budget, began))?;
    }
    statistics.count("falsifier runs", u64::from(search.runs));
    statistics.count("falsifier steps", search.steps);
    statistics.time(stage::FALSIFYING, began.elapsed());
    Ok(search.found)
}

fn budget(whole: &Budget, now: Instant) -> Budget {
    let share = whole.remaining_time().map_or(LONGEST, |left| (left / SHARE_OF_BUDGET).min(LONGEST));
    Budget { deadline: now.checked_add(share), ..whole.clone() }
}

/// Executions that differ in nothing but where memory lies: so many are tried. A new address is not recorded as a choice.
const ADDRESS_RUNS: u32 = 32;

struct Search<'a> {
    job: &'a Job<'a>,
    options: &'a FalsifyOptions,
    open: PropertySet,
    found: Vec<(Property, Outcome)>,
    runs: u32,
    steps: u64,
    instructions: u64,
}

impl Search<'_> {
    fn run_all(&mut self, code: &Code<'_>, budget: &Budget) -> Result<(), EngineBug> {
        while !self.is_over() && budget.check().is_ok() {
            let run = RunOptions { max_steps: Some(self.options.steps_per_run), ..RunOptions::new(self.open) };
            let seed = self.options.seed.wrapping_add(u64::from(self.runs));
            let mut scheduler = self.scheduler(seed);
            let result = run_code(code, &run, &mut *scheduler, &mut RandomChoices::new(seed), budget);
            self.runs += 1;
            self.steps += result.steps;
            self.instructions += result.instructions;
            match &result.end {
                End::Violated(violation) => self.keep(&result.schedule, violation.property)?,
                End::Stopped(_) => break,
                // Without further threads and choices every execution is the same.
                _ if result.threads <= 1 && makes_no_choice(&result.schedule) && self.knows_addresses(code) => break,
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether where memory lies is no choice, or was chosen often enough.
    fn knows_addresses(&self, code: &Code<'_>) -> bool {
        !code.chooses_addresses || self.runs >= ADDRESS_RUNS
    }

    fn is_over(&self) -> bool {
        let options = self.options;
        let enough = self.job.options.first && !self.found.is_empty();
        enough || self.open.is_empty() || self.runs >= options.runs || self.instructions >= options.instructions
    }

    fn keep(&mut self, schedule: &program::Schedule, property: Property) -> Result<(), EngineBug> {
        self.open.remove(property);
        // What the interpreter cannot replay is left to the engine.
        if let Replayed::Violation(trace) = confirm(self.job.analyses, schedule, property)? {
            self.found.push((property, Outcome::Violated(trace)));
        }
        Ok(())
    }

    fn scheduler(&self, seed: u64) -> Box<dyn Scheduler> {
        let expected = self.steps.checked_div(u64::from(self.runs)).unwrap_or(100).max(1);
        match self.runs % 4 {
            0 => Box::new(RandomScheduler::new(seed)),
            3 => Box::new(RoundRobin::new(1 + u64::from(self.runs / 4 % 8))),
            _ => Box::new(Pct::new(seed, 1 + self.runs / 4 % 4, expected)),
        }
    }
}

fn makes_no_choice(schedule: &program::Schedule) -> bool {
    schedule.choices.memory.is_empty() && schedule.choices.by_thread.iter().all(Vec::is_empty)
}
