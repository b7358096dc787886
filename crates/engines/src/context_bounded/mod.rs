//! The engines over the reachability tree: `lazy`, `record` and `uw`, after Cordeiro and Fischer (ICSE 2011). The tree
//! is that of crate `tree`; the engines differ in who judges it. What they share is here: properties are asked for
//! together until one is violated, then the others again; loops are deepened until none is cut.
//!
//! Difference from the paper: a context bound is approached from below (2, 4, 8, …), because few switches expose most
//! bugs, and a depth-first walk with many threads comes to the first switches last. Interleavings are those of the last
//! walk.

pub mod draw;
mod guards;
mod lazy;
mod query;
mod record;
mod uw;

use std::collections::BTreeSet;

use base::statistics::stage;
use base::{Span, Statistics, StopReason};
use execute::Code;
use program::{Argument, Bounds, Outcome, Property, PropertySet, Schedule, UnknownReason};
use tree::{ContextBound, ContextCount, Exploration, Granularity, Reduction, Symbols, TreeOptions};

use crate::confirm::confirm;
use crate::engine::{Engine, EngineBug, Job, Progress, Report};
use crate::sites::{ViolationSites, in_question};

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

/// Contexts of the first walk under a larger context bound.
const FIRST_CONTEXTS: u32 = 2;

/// What one walk, or all that a judge makes of it, comes to.
pub(crate) struct Walked {
    violations: Vec<(Property, Schedule)>,
    exploration: Exploration,
    statistics: Statistics,
}

/// The engines: ways of judging the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContextBounded {
    Lazy,
    Record,
    Uw,
}

impl Engine for ContextBounded {
    fn name(&self) -> &'static str {
        match self {
            ContextBounded::Lazy => "lazy",
            ContextBounded::Record => "record",
            ContextBounded::Uw => "uw",
        }
    }

    fn summary(&self) -> &'static str {
        match self {
            ContextBounded::Lazy => {
                "one interleaving after the other, with symbolic data, up to a context bound if one is given"
            }
            ContextBounded::Record => "all interleavings up to a context bound in one formula, with schedule guards",
            ContextBounded::Uw => {
                "one interleaving, widened by what its refutation needs, up to a context bound if one is given"
            }
        }
    }

    fn argument(&self) -> Argument {
        Argument::ReachabilityTree
    }

    fn check(&self, job: &Job<'_>) -> Result<Report, EngineBug> {
        check(job, *self)
    }
}

impl ContextBounded {
    fn walk(self, code: &Code<'_>, properties: PropertySet, options: &TreeOptions, job: &Job<'_>) -> Walked {
        match self {
            ContextBounded::Lazy => lazy::walk(code, properties, options, job),
            ContextBounded::Record => record::walk(code, properties, options, job),
            ContextBounded::Uw => uw::walk(code, properties, options, job),
        }
    }
}

fn check(job: &Job<'_>, engine: ContextBounded) -> Result<Report, EngineBug> {
    let mut report = Report::default();
    let Ok(code) = Code::of(job.analyses) else {
        let reason = UnknownReason::Limit("the globals are larger than the address space".to_owned());
        for property in job.properties.iter() {
            report.add(property, Outcome::Unknown(reason.clone()), engine.provenance());
        }
        return Ok(report);
    };
    report.statistics.count("properties", properties_in(job));
    let mut search = Search {
        job,
        code: &code,
        engine,
        unwind: first_unwind(job),
        contexts: first_contexts(job),
        reduction: job.options.contexts.reduction,
        walked: None,
        report,
        last: Statistics::new(),
    };
    search.run()?;
    search.report.statistics.merge(&search.last);
    search.report.outcomes.sort_by_key(|(property, _)| *property);
    Ok(search.report)
}

/// The places at which a selected property can be violated: the paper's #P.
fn properties_in(job: &Job<'_>) -> u64 {
    let blocks = job.program().functions.iter().flat_map(|function| &function.blocks);
    let sites = |instruction: &program::Instruction| {
        let can_violate = sync::can_violate(job.program(), &instruction.kind);
        job.properties.iter().filter(|&property| can_violate.contains(property)).count() as u64
    };
    blocks.flat_map(|block| &block.instructions).map(sites).sum()
}

fn first_unwind(job: &Job<'_>) -> u32 {
    job.options.unwind.unwrap_or(FIRST_UNWIND.min(job.options.max_unwind.unwrap_or(u32::MAX)))
}

fn tree_options(job: &Job<'_>, contexts: Option<u32>, unwind: Option<u32>) -> TreeOptions {
    let asked = &job.options.contexts;
    let defaults = TreeOptions::default();
    TreeOptions {
        context_bound: contexts.map(|limit| ContextBound { limit, count: asked.context_count }),
        granularity: asked.granularity,
        hoist_tests: asked.hoist_tests,
        reduction: asked.reduction,
        unwind,
        unwind_counting: job.options.unwind.unwrap_or(defaults.unwind_counting),
        ..defaults
    }
}

/// Whoever counts all violations wants one walk.
fn first_contexts(job: &Job<'_>) -> Option<u32> {
    let asked = &job.options.contexts;
    let limit = asked.context_bound?;
    Some(if asked.all_violations { limit } else { limit.min(FIRST_CONTEXTS) })
}

struct Search<'a> {
    job: &'a Job<'a>,
    code: &'a Code<'a>,
    engine: ContextBounded,
    unwind: u32,
    /// The context bound of the present walk: at most that which was asked for.
    contexts: Option<u32>,
    /// What the present walk leaves out.
    reduction: Reduction,
    /// The bounds up to which no open property is violated, for certain.
    walked: Option<Bounds>,
    report: Report,
    /// Of the last walk: interleavings of different walks do not add up.
    last: Statistics,
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), EngineBug> {
        let mut open = self.open_properties();
        self.announce(Vec::new());
        while !open.is_empty() {
            let options = tree_options(self.job, self.contexts, Some(self.unwind));
            let options = TreeOptions { reduction: self.reduction, ..options };
            let (engine, code, job) = (self.engine, self.code, self.job);
            let walk = || engine.walk(code, open, &options, job);
            let walked = self.report.statistics.timed("exploring time", walk);
            self.report.statistics.count("walks", 1);
            self.last = walked.statistics;
            if walked.violations.is_empty() {
                let seen = &walked.exploration;
                if self.widen(seen) || self.deepen(seen) || self.leave_out_less(seen) {
                    continue;
                }
                open.iter().for_each(|property| self.settle(property, &walked.exploration));
                return Ok(());
            }
            for (property, schedule) in &walked.violations {
                let confirmed = |statistics: &mut Statistics| {
                    statistics.timed(stage::REPLAYING, || confirm(self.job.analyses, schedule, *property))
                };
                let replayed = confirmed(&mut self.report.statistics)?;
                self.learn(*property, replayed.into_outcome());
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
    fn open_properties(&mut self) -> PropertySet {
        let mut open = self.job.properties;
        let sites = in_question(self.job, open);
        if open.contains(Property::Atomicity) {
            open.remove(Property::Atomicity);
            self.learn(Property::Atomicity, Outcome::Unknown(UnknownReason::NotChecked));
        }
        for property in [Property::Assert, Property::UnreachCall] {
            if open.contains(property) && !sites.contains(property) {
                open.remove(property);
                self.report.settle(self.job, property, Outcome::Proved, ViolationSites.provenance());
            }
        }
        open
    }

    /// Raises the context bound, up to that which was asked for, if that can help.
    fn widen(&mut self, seen: &Exploration) -> bool {
        let (Some(limit), Some(contexts)) = (self.job.options.contexts.context_bound, self.contexts) else {
            return false;
        };
        if seen.stopped.is_some() || contexts >= limit {
            return false;
        }
        if !seen.bounded {
            self.contexts = Some(limit);
            return false;
        }
        self.note_walked(seen);
        self.contexts = Some(if contexts.saturating_mul(4) <= limit { contexts * 2 } else { limit });
        true
    }

    /// Remembers the bounds of a walk that saw everything up to them.
    fn note_walked(&mut self, seen: &Exploration) {
        if seen.unsupported.is_empty() && !seen.out_of_fuel && !self.may_have_missed(seen) {
            self.walked = Some(self.bounds(&seen.cut));
        }
    }

    /// Whether a walk may have left out an execution within the bound of loops: one in which steps come first that commute
    /// with those of a path that the bound ended.
    fn may_have_missed(&self, seen: &Exploration) -> bool {
        !seen.cut.is_empty() && matches!(self.reduction, Reduction::Sleep | Reduction::All)
    }

    /// Walks again without exchanging steps where that may have left out too much.
    fn leave_out_less(&mut self, seen: &Exploration) -> bool {
        let again = seen.stopped.is_none() && self.may_have_missed(seen);
        if again {
            self.reduction = if self.reduction == Reduction::All { Reduction::States } else { Reduction::None };
        }
        again
    }

    /// Raises the bound of loops if that can help.
    fn deepen(&mut self, seen: &Exploration) -> bool {
        let limit = self.job.options.max_unwind.unwrap_or(1 << 20);
        let fixed = self.job.options.unwind.is_some();
        if fixed || seen.cut.is_empty() || seen.stopped.is_some() || self.unwind >= limit {
            return false;
        }
        self.note_walked(seen);
        self.unwind = self.unwind.saturating_mul(2).min(limit);
        self.announce(seen.cut.iter().copied().collect());
        true
    }

    fn announce(&self, deepened: Vec<Span>) {
        self.job.observer.progress(&Progress::Unfolding { unwind: self.unwind, deepened });
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
        } else {
            let bounds = self.bounds(&seen.cut);
            if bounds == Bounds::default() { Outcome::Proved } else { Outcome::HoldsUpTo(self.by_user(bounds)) }
        };
        self.learn(property, outcome);
    }

    /// A walk that was stopped says nothing; but smaller bounds may have been walked through before.
    fn stopped(&self, reason: StopReason) -> Outcome {
        let unknown = Outcome::Unknown(UnknownReason::Stopped(reason));
        self.walked.clone().map_or(unknown, Outcome::HoldsUpTo)
    }

    fn bounds(&self, cut: &BTreeSet<Span>) -> Bounds {
        let asked = &self.job.options.contexts;
        let limit = |count| self.contexts.filter(|_| asked.context_count == count);
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
        self.report.settle(self.job, property, outcome, self.engine.provenance());
    }
}

/// What every walk counts.
fn count_walk(statistics: &mut Statistics, seen: &Exploration, symbols: &Symbols) {
    statistics.count("interleavings", seen.interleavings);
    statistics.count("failing interleavings", seen.failing);
    statistics.count("tree nodes", seen.nodes);
    statistics.count("terms", symbols.terms.len() as u64);
}
