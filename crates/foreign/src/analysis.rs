//! From a trace to findings: filter, windows, orders, checked witnesses.

use std::ops::Range;
use std::time::Instant;

use base::{Budget, Statistics, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::atomicity::{Transactions, collect_atomicity};
use crate::candidates::{CandidateKey, Collector, Steps, TraceCandidate};
use crate::deadlocks::collect_deadlocks;
use crate::filter::{Places, collect_races, filter_races};
use crate::survey::TraceIndex;
use crate::trace::{EventId, VariableId};
use crate::window::{HeldLocks, WindowAnswer, WindowSearch};
use crate::witness::{ReorderingWitness, verify};

/// What can be predicted without a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    Race,
    Deadlock,
    Atomicity,
}

/// How to look.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// What to look for.
    pub kinds: Vec<Kind>,
    /// Critical sections are meant to be atomic, too.
    pub atomic_regions: bool,
    /// Events that are reordered at a time, at least 2; windows overlap by half.
    pub window: usize,
}

/// A window that a solver orders in a moment.
pub const DEFAULT_WINDOW: usize = 1_000;

impl Default for TraceOptions {
    fn default() -> Self {
        Self { kinds: vec![Kind::Race, Kind::Deadlock], atomic_regions: false, window: DEFAULT_WINDOW }
    }
}

/// Something that could have happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceFinding {
    pub kind: Kind,
    /// The two accesses, the acquisitions, or the three accesses in the order in which they happen.
    pub events: Vec<EventId>,
    pub witness: ReorderingWitness,
}

/// How many candidates each step has left, where those with the same places in the source count once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub candidates: usize,
    pub after_locksets: usize,
    pub after_must_happen_before: usize,
    pub found: usize,
    /// Not found, and not everything was tried.
    pub open: usize,
}

#[derive(Clone, Debug, Default)]
pub struct TraceAnalysis {
    pub findings: Vec<TraceFinding>,
    pub counts: Vec<(Kind, Counts)>,
    pub transactions: u32,
    /// Whether everything could be reordered at once.
    pub is_one_window: bool,
    pub stopped: Option<StopReason>,
    pub statistics: Statistics,
}

/// A witness that does not pass its check: a bug of ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongWitness(pub String);

/// Looks at every window of the trace.
pub fn analyse(
    survey: &TraceIndex<'_>,
    options: &TraceOptions,
    budget: &Budget,
) -> Result<TraceAnalysis, WrongWitness> {
    let began = Instant::now();
    let mut run = AnalysisRun::new(survey, options);
    let mut stopped = run.filter(budget).err();
    run.analysis.statistics.time("filtering time", began.elapsed());
    let began = Instant::now();
    let windows = windows(survey.trace.events.len(), options.window);
    run.analysis.is_one_window = windows.len() == 1;
    for (window, seen_before) in windows {
        if stopped.is_some() {
            break;
        }
        stopped = run.search_window(window, seen_before, budget)?;
    }
    run.analysis.statistics.time("ordering time", began.elapsed());
    run.analysis.stopped = stopped;
    Ok(run.finish())
}

/// Windows that overlap by half, each with where the one before it ended.
fn windows(events: usize, size: usize) -> Vec<(Range<usize>, usize)> {
    let size = size.max(2);
    let (mut windows, mut start, mut seen) = (Vec::new(), 0, 0);
    loop {
        let end = (start + size).min(events);
        windows.push((start..end, seen));
        if end == events {
            return windows;
        }
        (start, seen) = (start + size / 2, end);
    }
}

struct AnalysisRun<'a> {
    survey: &'a TraceIndex<'a>,
    options: &'a TraceOptions,
    race_steps: Steps<Places>,
    other_steps: FxHashMap<Kind, Steps<CandidateKey>>,
    held: HeldLocks,
    racy: FxHashSet<VariableId>,
    transactions: Transactions,
    found: FxHashSet<CandidateKey>,
    /// Not everything was tried.
    open: FxHashSet<CandidateKey>,
    analysis: TraceAnalysis,
}

impl<'a> AnalysisRun<'a> {
    fn new(survey: &'a TraceIndex<'a>, options: &'a TraceOptions) -> Self {
        let transactions = Transactions::new(survey, options.atomic_regions);
        let analysis = TraceAnalysis { transactions: transactions.count, ..TraceAnalysis::default() };
        Self {
            survey,
            options,
            race_steps: Steps::default(),
            other_steps: options.kinds.iter().map(|&kind| (kind, Steps::default())).collect(),
            held: HeldLocks::default(),
            racy: FxHashSet::default(),
            transactions,
            found: FxHashSet::default(),
            open: FxHashSet::default(),
            analysis,
        }
    }

    fn filter(&mut self, budget: &Budget) -> Result<(), StopReason> {
        if self.options.kinds.contains(&Kind::Race) {
            self.racy = filter_races(self.survey, &mut self.race_steps, budget)?;
        }
        Ok(())
    }

    fn search_window(
        &mut self,
        window: Range<usize>,
        seen_before: usize,
        budget: &Budget,
    ) -> Result<Option<StopReason>, WrongWitness> {
        if let Err(reason) = budget.check() {
            return Ok(Some(reason));
        }
        let Collector { candidates, overfull, .. } = self.collect(window.clone(), seen_before);
        self.open.extend(overfull);
        self.held.advance(self.survey, window.start);
        if candidates.is_empty() {
            return Ok(None);
        }
        let mut search = WindowSearch::new(self.survey, window.clone(), &self.held, &candidates);
        self.analysis.statistics.count("windows searched", 1);
        for (index, candidate) in candidates.iter().enumerate() {
            if self.found.contains(&candidate.key) {
                continue;
            }
            self.analysis.statistics.count("queries", 1);
            match search.ask(index, budget) {
                WindowAnswer::Impossible => {}
                WindowAnswer::Possible(order) => self.add_finding(window.start, &order, candidate)?,
                WindowAnswer::Stopped(reason) => {
                    self.open.extend(candidates[index..].iter().map(|candidate| candidate.key.clone()));
                    return Ok(Some(reason));
                }
            }
        }
        Ok(None)
    }

    fn collect(&mut self, window: Range<usize>, seen_before: usize) -> Collector {
        let (survey, found) = (self.survey, &self.found);
        let mut collector = Collector::default();
        if self.options.kinds.contains(&Kind::Race) {
            collect_races(survey, &self.racy, window.clone(), seen_before, found, &mut collector);
        }
        if let Some(steps) = self.other_steps.get_mut(&Kind::Deadlock) {
            collect_deadlocks(survey, window.clone(), found, steps, &mut collector);
        }
        if let Some(steps) = self.other_steps.get_mut(&Kind::Atomicity) {
            collect_atomicity(survey, &self.transactions, window, found, steps, &mut collector);
        }
        collector
    }

    fn add_finding(
        &mut self,
        prefix: usize,
        order: &[EventId],
        candidate: &TraceCandidate,
    ) -> Result<(), WrongWitness> {
        let witness = ReorderingWitness::shortened(self.survey, prefix, order, candidate);
        verify(self.survey, candidate, &witness).map_err(WrongWitness)?;
        self.found.insert(candidate.key.clone());
        self.analysis.findings.push(TraceFinding { kind: candidate.kind, events: candidate.events.clone(), witness });
        Ok(())
    }

    fn finish(mut self) -> TraceAnalysis {
        for &kind in &self.options.kinds {
            let [candidates, after_locksets, after_must_happen_before] = match kind {
                Kind::Race => self.race_steps.counts(),
                _ => self.other_steps.get(&kind).map(Steps::counts).unwrap_or_default(),
            };
            let found = self.found.iter().filter(|key| key.kind == kind).count();
            let open = self.open.iter().filter(|key| key.kind == kind && !self.found.contains(key)).count();
            let counts = Counts { candidates, after_locksets, after_must_happen_before, found, open };
            self.analysis.counts.push((kind, counts));
        }
        self.analysis.findings.sort_by(|a, b| (a.kind, &a.events).cmp(&(b.kind, &b.events)));
        self.analysis
    }
}
