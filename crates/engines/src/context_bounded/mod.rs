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

use std::collections::{BTreeSet, VecDeque};

use base::{Budget, Span, Statistics};
use execute::Code;
use program::{Bounds, Property, PropertySet, Schedule, UnknownReason, VerdictArgument};
use serde::{Deserialize, Serialize};
use tree::{ContextBound, ContextCount, Exploration, Granularity, Reduction, Symbols, TreeOptions};

use crate::engine::{Advance, Engine, EngineBug, Fact, Job, Progress, Run};

/// How the engines over the reachability tree walk it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
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

impl Default for ContextOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl ContextOptions {
    pub const DEFAULT: Self = Self {
        context_bound: None,
        context_count: ContextCount::Switches,
        granularity: Granularity::Access,
        hoist_tests: false,
        reduction: Reduction::None,
        all_violations: false,
    };
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

/// How the tree is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeMethod {
    Lazy,
    Record,
    Uw,
}

/// The engines.
#[derive(Clone, Copy, Debug)]
pub struct ContextBounded {
    pub method: TreeMethod,
    pub options: ContextOptions,
}

impl ContextBounded {
    pub const LAZY: Self = Self::new(TreeMethod::Lazy);
    pub const RECORD: Self = Self::new(TreeMethod::Record);
    pub const UW: Self = Self::new(TreeMethod::Uw);

    const fn new(method: TreeMethod) -> Self {
        Self { method, options: ContextOptions::DEFAULT }
    }

    /// The engine with this name.
    pub fn named(name: &str, options: ContextOptions) -> Option<Self> {
        let all = [Self::LAZY, Self::RECORD, Self::UW];
        all.into_iter().find(|engine| engine.name() == name).map(|engine| Self { options, ..engine })
    }
}

impl Engine for ContextBounded {
    fn name(&self) -> &'static str {
        match self.method {
            TreeMethod::Lazy => "lazy",
            TreeMethod::Record => "record",
            TreeMethod::Uw => "uw",
        }
    }

    fn summary(&self) -> &'static str {
        match self.method {
            TreeMethod::Lazy => {
                "symbolic exploration of one interleaving after another, up to a context bound if given"
            }
            TreeMethod::Record => "all interleavings up to a context bound in one formula with schedule guards",
            TreeMethod::Uw => "underapproximation widening over interleavings, up to a context bound if given",
        }
    }

    fn argument(&self) -> VerdictArgument {
        VerdictArgument::ReachabilityTree
    }

    fn properties(&self) -> PropertySet {
        Property::of_executions().collect()
    }

    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a> {
        let mut statistics = Statistics::new();
        statistics.count("properties", properties_in(&job));
        Box::new(TreeSearch {
            job,
            code: Code::of(job.analyses).ok(),
            engine: *self,
            unwind: job.unwind.first(FIRST_UNWIND),
            contexts: first_contexts(&self.options),
            reduction: self.options.reduction,
            walked: None,
            pending: VecDeque::new(),
            stage: SearchPhase::Begin,
            statistics,
            last: Statistics::new(),
        })
    }
}

impl ContextBounded {
    fn walk(&self, code: &Code<'_>, properties: PropertySet, options: &TreeOptions, budget: &Budget) -> Walked {
        match self.method {
            TreeMethod::Lazy => lazy::walk(code, properties, options, self.options.all_violations, budget),
            TreeMethod::Record => record::walk(code, properties, options, budget),
            TreeMethod::Uw => uw::walk(code, properties, options, budget),
        }
    }
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

fn tree_options(job: &Job<'_>, asked: &ContextOptions, contexts: Option<u32>, unwind: Option<u32>) -> TreeOptions {
    let defaults = TreeOptions::default();
    TreeOptions {
        context_bound: contexts.map(|limit| ContextBound { limit, count: asked.context_count }),
        granularity: asked.granularity,
        hoist_tests: asked.hoist_tests,
        reduction: asked.reduction,
        unwind,
        unwind_counting: job.unwind.exactly.unwrap_or(defaults.unwind_counting),
        ..defaults
    }
}

/// Where all violations are counted, there is one walk.
fn first_contexts(asked: &ContextOptions) -> Option<u32> {
    let limit = asked.context_bound?;
    Some(if asked.all_violations { limit } else { limit.min(FIRST_CONTEXTS) })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SearchPhase {
    Begin,
    Walking,
    /// What is left to say is pending.
    Over,
}

struct TreeSearch<'a> {
    job: Job<'a>,
    /// `None` if the globals do not fit the address space.
    code: Option<Code<'a>>,
    engine: ContextBounded,
    unwind: u32,
    /// The context bound of the present walk: at most that which was asked for.
    contexts: Option<u32>,
    /// What the present walk leaves out.
    reduction: Reduction,
    /// The bounds up to which no open property is violated, for certain.
    walked: Option<Bounds>,
    /// What the last walk has told.
    pending: VecDeque<Fact>,
    stage: SearchPhase,
    statistics: Statistics,
    /// Of the last walk: interleavings of different walks do not add up.
    last: Statistics,
}

impl Run for TreeSearch<'_> {
    fn advance(&mut self, open: PropertySet, budget: &Budget) -> Result<Advance, EngineBug> {
        if let Some(fact) = self.pending.pop_front() {
            return Ok(Advance::Learned(fact));
        }
        if self.stage == SearchPhase::Over || open.is_empty() {
            return Ok(Advance::Done);
        }
        let Some(code) = self.code.take() else {
            let reason = UnknownReason::Limit("the globals are larger than the address space".to_owned());
            self.pending.extend(open.iter().map(|property| Fact::Unknown(property, reason.clone())));
            self.stage = SearchPhase::Over;
            return self.advance(open, budget);
        };
        if self.stage == SearchPhase::Begin {
            self.announce(Vec::new());
            self.stage = SearchPhase::Walking;
        }
        let advance = self.walk(&code, open, budget);
        self.code = Some(code);
        match self.pending.pop_front() {
            Some(fact) => Ok(Advance::Learned(fact)),
            None => Ok(advance),
        }
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = self.statistics.clone();
        statistics.merge(&self.last);
        statistics
    }
}

impl TreeSearch<'_> {
    /// One walk through the tree. What it tells is pending.
    fn walk(&mut self, code: &Code<'_>, open: PropertySet, budget: &Budget) -> Advance {
        let options = tree_options(&self.job, &self.engine.options, self.contexts, Some(self.unwind));
        let options = TreeOptions { reduction: self.reduction, ..options };
        let engine = self.engine;
        let walked = self.statistics.timed("exploring time", || engine.walk(code, open, &options, budget));
        self.statistics.count("explorations", 1);
        self.last = walked.statistics;
        let seen = &walked.exploration;
        let found = walked.violations.into_iter().map(|(property, schedule)| Fact::Violation(property, schedule));
        self.pending.extend(found);
        if let Some(reason) = seen.stopped {
            // Smaller bounds may have been walked through before.
            if self.pending.is_empty()
                && let Some(bounds) = self.walked.take()
            {
                self.pending.extend(open.iter().map(|property| Fact::Bounded(property, bounds.clone())));
            }
            return Advance::Stopped(reason);
        }
        if !self.pending.is_empty() {
            return Advance::BoundDone;
        }
        if self.widen(seen) || self.deepen(seen) || self.leave_out_less(seen) {
            return Advance::BoundDone;
        }
        let last_words: Vec<Fact> = open.iter().map(|property| self.last_word(property, seen)).collect();
        self.pending.extend(last_words);
        self.stage = SearchPhase::Over;
        Advance::Done
    }

    /// Raises the context bound, up to that which was asked for, if that can help.
    fn widen(&mut self, seen: &Exploration) -> bool {
        let (Some(limit), Some(contexts)) = (self.engine.options.context_bound, self.contexts) else {
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
        let limit = self.job.unwind.last();
        let fixed = self.job.unwind.exactly.is_some();
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

    /// About a property that no path violates.
    fn last_word(&self, property: Property, seen: &Exploration) -> Fact {
        if let Some((what, span)) = seen.unsupported.first() {
            return Fact::Unknown(property, UnknownReason::Unsupported { what: what.clone(), span: *span });
        }
        if seen.out_of_fuel {
            let what = "a thread-local loop exceeded the instruction limit";
            return Fact::Unknown(property, UnknownReason::Limit(what.to_owned()));
        }
        let bounds = self.bounds(&seen.cut);
        match bounds == Bounds::default() {
            true => Fact::Proved(property),
            false => Fact::Bounded(property, self.by_user(bounds)),
        }
    }

    fn bounds(&self, cut: &BTreeSet<Span>) -> Bounds {
        let asked = &self.engine.options;
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
        let chosen_by_user = bounds.unwind.is_none() || self.job.unwind.exactly.is_some();
        Bounds { chosen_by_user, ..bounds }
    }
}

/// What every walk counts.
fn count_walk(statistics: &mut Statistics, seen: &Exploration, symbols: &Symbols) {
    statistics.count("interleavings", seen.interleavings);
    statistics.count("violating interleavings", seen.failing);
    statistics.count("tree nodes", seen.nodes);
    statistics.count("terms", symbols.terms.len() as u64);
}
