//! The engines over the reachability tree: `lazy`, `record` and `uw`, after Cordeiro and Fischer (ICSE 2011). The tree
//! is that of crate `tree`; the engines differ in who judges it. What they share is here: properties are asked for
//! together until one is violated, then the others again; loops are deepened until none is cut.

mod guards;
pub mod lazy;
mod query;
pub mod record;
pub mod uw;

use std::collections::BTreeSet;

use base::statistics::stage;
use base::{Span, Statistics, StopReason};
use execute::Code;
use program::{Bounds, Outcome, Property, PropertySet, Schedule, UnknownReason};
use tree::{ContextBound, ContextCount, Exploration, Granularity, Reduction, TreeOptions};

use crate::confirm::confirm;
use crate::engine::{EngineBug, Job, Progress, Report};
use crate::sites::properties_with_sites;

/// How the engines over the reachability tree walk it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContextOptions {
    /// Default: none.
    pub context_bound: Option<u32>,
    /// Default: context switches.
    pub context_count: ContextCount,
    /// Default: every access.
    pub granularity: Granularity,
    /// Default: no.
    pub hoist_tests: bool,
    /// Default: none, so that interleavings are counted as in the paper.
    pub reduction: Reduction,
    /// `lazy` counts all violating interleavings instead of stopping at the first. Default: no.
    pub all_violations: bool,
}

/// Rounds of each loop at first, unless the user says otherwise.
const FIRST_UNWIND: u32 = 8;

/// What one walk, or all that a judge makes of it, comes to.
pub(crate) struct Walked {
    violations: Vec<(Property, Schedule)>,
    exploration: Exploration,
    statistics: Statistics,
}

/// One way of judging the tree.
trait Strategy {
    fn walk(&self, code: &Code<'_>, properties: PropertySet, options: &TreeOptions, job: &Job<'_>) -> Walked;
}

fn check(job: &Job<'_>, strategy: &dyn Strategy) -> Result<Report, EngineBug> {
    let mut report = Report::default();
    let Ok(code) = Code::new(job.program, job.visibility) else {
        let reason = UnknownReason::Limit("the globals are larger than the address space".to_owned());
        report.outcomes = job.properties.iter().map(|property| (property, Outcome::Unknown(reason.clone()))).collect();
        return Ok(report);
    };
    report.statistics.count("properties", properties_in(job));
    let mut search = Search { job, code: &code, strategy, unwind: first_unwind(job), report, last: Statistics::new() };
    search.run()?;
    search.report.statistics.merge(&search.last);
    search.report.outcomes.sort_by_key(|(property, _)| *property);
    Ok(search.report)
}

/// The places at which a selected property can be violated: the paper's #P.
fn properties_in(job: &Job<'_>) -> u64 {
    let blocks = job.program.functions.iter().flat_map(|function| &function.blocks);
    let sites = |instruction: &program::Instruction| tree::checks_at(&instruction.kind, job.properties);
    blocks.flat_map(|block| &block.instructions).map(sites).sum()
}

fn first_unwind(job: &Job<'_>) -> u32 {
    job.options.unwind.unwrap_or(FIRST_UNWIND.min(job.options.max_unwind.unwrap_or(u32::MAX)))
}

struct Search<'a> {
    job: &'a Job<'a>,
    code: &'a Code<'a>,
    strategy: &'a dyn Strategy,
    unwind: u32,
    report: Report,
    /// Of the last walk: interleavings of different walks do not add up.
    last: Statistics,
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), EngineBug> {
        let mut open = self.in_question();
        let mut deepened = Vec::new();
        while !open.is_empty() {
            let progress = Progress::Unfolding { unwind: self.unwind, deepened: std::mem::take(&mut deepened) };
            self.job.observer.progress(&progress);
            let options = self.options();
            let (strategy, code, job) = (self.strategy, self.code, self.job);
            let walk = || strategy.walk(code, open, &options, job);
            let walked = self.report.statistics.timed("exploring time", walk);
            self.report.statistics.count("walks", 1);
            self.last = walked.statistics;
            if walked.violations.is_empty() {
                if self.deepen(&walked.exploration) {
                    deepened = walked.exploration.cut.into_iter().collect();
                    continue;
                }
                open.iter().for_each(|property| self.settle(property, &walked.exploration));
                return Ok(());
            }
            for (property, schedule) in &walked.violations {
                let confirmed = |statistics: &mut Statistics| {
                    statistics.timed(stage::REPLAYING, || confirm(self.job.program, schedule, *property))
                };
                let trace = confirmed(&mut self.report.statistics)?;
                self.learn(*property, Outcome::Violated(Box::new(trace)));
                open.remove(*property);
            }
            if let Some(reason) = walked.exploration.stopped {
                self.report.stopped = Some(reason);
                let unknown = Outcome::Unknown(UnknownReason::Stopped(reason));
                open.iter().for_each(|property| self.learn(property, unknown.clone()));
                return Ok(());
            }
        }
        Ok(())
    }

    /// The properties that some place of the program could violate.
    fn in_question(&mut self) -> PropertySet {
        let mut open = self.job.properties;
        let sites = properties_with_sites(self.job.program, open);
        for property in [Property::Assert, Property::UnreachCall] {
            if open.contains(property) && !sites.contains(property) {
                open.remove(property);
                self.learn(property, Outcome::Proved);
            }
        }
        open
    }

    fn options(&self) -> TreeOptions {
        let asked = &self.job.options.contexts;
        let bound = |limit| ContextBound { limit, count: asked.context_count };
        let defaults = TreeOptions::default();
        TreeOptions {
            context_bound: asked.context_bound.map(bound),
            granularity: asked.granularity,
            hoist_tests: asked.hoist_tests,
            reduction: asked.reduction,
            unwind: Some(self.unwind),
            unwind_counting: self.job.options.unwind.unwrap_or(defaults.unwind_counting),
            ..defaults
        }
    }

    /// Raises the bound of loops if that can help.
    fn deepen(&mut self, seen: &Exploration) -> bool {
        let limit = self.job.options.max_unwind.unwrap_or(1 << 20);
        let fixed = self.job.options.unwind.is_some();
        if fixed || seen.cut.is_empty() || seen.stopped.is_some() || self.unwind >= limit {
            return false;
        }
        self.unwind = self.unwind.saturating_mul(2).min(limit);
        true
    }

    /// The answer for a property that no path violates.
    fn settle(&mut self, property: Property, seen: &Exploration) {
        self.report.stopped = self.report.stopped.or(seen.stopped);
        let outcome = if let Some(reason) = seen.stopped {
            self.stopped(reason)
        } else if let Some((what, span)) = seen.unsupported.first() {
            Outcome::Unknown(UnknownReason::Unsupported { what: what.clone(), span: *span })
        } else if seen.out_of_fuel {
            Outcome::Unknown(UnknownReason::Limit("a loop that does nothing visible runs very long".to_owned()))
        } else if seen.unknown_standing && property == Property::NoDeadlock {
            let reason = "whether an atomic section can be entered depends on inputs".to_owned();
            Outcome::Unknown(UnknownReason::Limit(reason))
        } else {
            let bounds = self.bounds(&seen.cut);
            if bounds == Bounds::default() { Outcome::Proved } else { Outcome::HoldsUpTo(self.by_user(bounds)) }
        };
        self.learn(property, outcome);
    }

    /// A walk that was stopped says nothing; but smaller bounds were walked through before.
    fn stopped(&self, reason: StopReason) -> Outcome {
        let first = first_unwind(self.job);
        if self.unwind <= first {
            return Outcome::Unknown(UnknownReason::Stopped(reason));
        }
        let bounds = Bounds { unwind: Some(self.unwind / 2), ..self.bounds(&BTreeSet::new()) };
        Outcome::HoldsUpTo(bounds)
    }

    fn bounds(&self, cut: &BTreeSet<Span>) -> Bounds {
        let asked = &self.job.options.contexts;
        let limit = |count| asked.context_bound.filter(|_| asked.context_count == count);
        Bounds {
            unwind: (!cut.is_empty()).then_some(self.unwind),
            cut: cut.iter().copied().collect(),
            context_switches: limit(ContextCount::Switches),
            scheduling_decisions: limit(ContextCount::Decisions),
            whole_statements: asked.granularity == Granularity::Statement,
            ..Bounds::default()
        }
    }

    fn by_user(&self, bounds: Bounds) -> Bounds {
        let chosen_by_user = bounds.unwind.is_none() || self.job.options.unwind.is_some();
        Bounds { chosen_by_user, ..bounds }
    }

    fn learn(&mut self, property: Property, outcome: Outcome) {
        self.job.observer.learned(property, &outcome, &self.report.statistics);
        self.report.outcomes.push((property, outcome));
    }
}

/// What every walk counts.
fn count_walk(statistics: &mut Statistics, seen: &Exploration) {
    statistics.count("interleavings", seen.interleavings);
    statistics.count("failing interleavings", seen.failing);
    statistics.count("tree nodes", seen.nodes);
}
