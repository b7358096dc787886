//! What all bounded engines share: unfold, look for a violation, look for a way through a cut, deepen the loops on that way,
//! and so on until there is an answer. Engines differ only in how they decide the order of events.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use base::statistics::stage;
use base::{Budget, Span, Statistics, StopReason};
use events::{CutKind, EventGraph, Goal};
use program::{Bounds, Property, PropertySet, UnknownReason};
use solve::{Lit, SolveResult};
use unfold::{Optimisations, Stopped, UnfoldOptions};

use crate::confirm::{Replayed, confirm};
use crate::engine::{Advance, EngineBug, Fact, Job, Progress, Run, UnwindLimits};
use crate::houdini;
use crate::query::{OrderDecision, Query};
use crate::query_text::QueryText;

/// Rounds of each loop in the first unfolding, unless the user says otherwise.
const FIRST_UNWIND: u32 = 2;

/// Instructions of loops with a constant number of iterations that an unfolding may execute beyond its bounds.
const COUNTED_INSTRUCTIONS: u64 = 2_000;

/// The properties about which these engines can say something.
pub fn properties() -> PropertySet {
    Property::of_executions().collect()
}

/// A bounded engine at work: bound after bound, property after property.
pub struct BoundedRun<'a, F, D> {
    job: Job<'a>,
    /// Makes a fresh [`OrderDecision`] for each unfolding.
    decision: F,
    deepening: Deepening,
    /// The present bound; `None` before it is unfolded.
    round: Option<UnfoldingRound<'a, D>>,
    /// The properties that are still to be asked about within the present bound.
    waiting: VecDeque<Property>,
    /// What limits the answers within the present bound.
    limiting: BTreeSet<CutKind>,
    deepened: Vec<Span>,
    /// The present bound again with summaries, if it is tried.
    summary: Option<SummarisedUnfolding<'a, D>>,
    summaries: SummaryUse,
    is_over: bool,
    statistics: Statistics,
}

impl<'a, F: Fn() -> D, D: OrderDecision> BoundedRun<'a, F, D> {
    pub fn new(job: Job<'a>, optimisations: Optimisations, decision: F) -> Self {
        Self {
            job,
            decision,
            deepening: Deepening::new(&job, optimisations),
            round: None,
            waiting: VecDeque::new(),
            limiting: BTreeSet::new(),
            deepened: Vec::new(),
            summary: None,
            summaries: SummaryUse::default(),
            is_over: false,
            statistics: Statistics::new(),
        }
    }

    fn begin_round(&mut self, open: PropertySet, budget: &Budget) -> Result<(), Stopped> {
        let deepening = &mut self.deepening;
        deepening.options.properties = open;
        let (unwind, deepened) = (deepening.options.unwind, std::mem::take(&mut self.deepened));
        self.job.observer.progress(&Progress::Unfolding { unwind, deepened });
        let decision = (self.decision)();
        self.round = Some(UnfoldingRound::new(self.job, &deepening.options, decision, budget, &mut self.statistics)?);
        self.waiting = open.iter().collect();
        Ok(())
    }

    /// The next property that holds by the present bounds and summaries of what they cut.
    fn try_summaries(&mut self, open: PropertySet, budget: &Budget) -> Result<Option<Property>, Stopped> {
        if self.summary.is_none() && !self.begin_summary(open, budget)? {
            return Ok(None);
        }
        while let Some(&property) = self.summaries.open.front() {
            let summary = self.summary.as_mut().expect("a summary has begun");
            let reached = if open.contains(property) { summary.reached_cuts(property, budget)? } else { None };
            let Some(reached) = reached else {
                self.summaries.open.pop_front();
                continue;
            };
            let known = self.summaries.kinds.len();
            let program = self.job.program();
            let new = reached.iter().filter(|kind| unfold::can_be_summarised(program, kind)).cloned();
            self.summaries.kinds.extend(new);
            if self.summaries.kinds.len() > known {
                self.end_summary();
                self.begin_summary(open, budget)?;
                continue;
            }
            self.summaries.open.pop_front();
            if reached.is_empty() {
                return Ok(Some(property));
            }
        }
        self.summaries.are_useless |= self.end_summary();
        Ok(None)
    }

    /// Whether a violation was found that no deeper bound would exclude.
    fn end_summary(&mut self) -> bool {
        let Some(summary) = self.summary.take() else { return false };
        self.statistics.merge(&summary.round.query.statistics());
        summary.is_refuted
    }

    /// Unfolds the present bound with summaries, if there is anything to be proved by them. Who asks about one bound gets an
    /// answer about that bound.
    fn begin_summary(&mut self, open: PropertySet, budget: &Budget) -> Result<bool, Stopped> {
        if self.job.unwind.exactly.is_some() {
            self.summaries.open.clear();
            return Ok(false);
        }
        self.summaries.open.retain(|&property| open.contains(property) && property != Property::ValidMemtrack);
        let program = self.job.program();
        let can_be = |kind: &&CutKind| unfold::can_be_summarised(program, kind);
        self.summaries.kinds.extend(self.limiting.iter().filter(can_be).cloned());
        let is_possible = self.limiting.iter().all(can_deepen);
        let is_needed = self.limiting.iter().any(|kind| self.summaries.kinds.contains(kind));
        if self.summaries.open.is_empty() || self.summaries.are_useless || !is_possible || !is_needed {
            self.summaries.open.clear();
            return Ok(false);
        }
        let mut options = self.deepening.options.clone();
        options.summarised = self.summaries.kinds.clone();
        options.properties = self.summaries.open.iter().copied().collect();
        let decision = (self.decision)();
        let mut round = UnfoldingRound::new(self.job, &options, decision, budget, &mut self.statistics)?;
        self.statistics.count("summaries tried", 1);
        let invariants = houdini::invariants(&mut round.query, budget);
        self.summary = Some(SummarisedUnfolding { round, invariants, is_refuted: false });
        Ok(true)
    }

    /// Raises the bounds that limited the answers, if that is possible.
    fn end_round(&mut self, round: &UnfoldingRound<'a, D>) -> Advance {
        self.statistics.merge(&round.query.statistics());
        let limiting = std::mem::take(&mut self.limiting);
        self.deepened = limiting.iter().filter_map(|kind| round.span_of(kind)).collect();
        self.is_over = !self.deepening.deepen(&limiting);
        if self.is_over { Advance::Done } else { Advance::BoundDone }
    }
}

impl<F: Fn() -> D, D: OrderDecision> Run for BoundedRun<'_, F, D> {
    fn advance(&mut self, open: PropertySet, budget: &Budget) -> Result<Advance, EngineBug> {
        if self.is_over || open.is_empty() {
            return Ok(Advance::Done);
        }
        if self.round.is_none()
            && let Err(Stopped(reason)) = self.begin_round(open, budget)
        {
            return Ok(Advance::Stopped(reason));
        }
        let mut round = self.round.take().expect("a round has begun");
        while let Some(property) = self.waiting.pop_front() {
            if !open.contains(property) {
                continue;
            }
            let answer = round.check(property, &self.deepening, budget)?;
            if let Answer::Stopped(_) = answer {
                self.waiting.push_front(property);
            }
            self.round = Some(round);
            return Ok(match answer {
                Answer::Final(fact) => Advance::Learned(fact),
                Answer::Cut { fact, kinds } => {
                    self.limiting.extend(kinds);
                    self.summaries.open.push_back(property);
                    Advance::Learned(fact)
                }
                Answer::Stopped(reason) => Advance::Stopped(reason),
            });
        }
        match self.try_summaries(open, budget) {
            Ok(Some(property)) => {
                self.round = Some(round);
                Ok(Advance::Learned(Fact::Proved(property)))
            }
            Ok(None) => Ok(self.end_round(&round)),
            Err(Stopped(reason)) => {
                self.round = Some(round);
                Ok(Advance::Stopped(reason))
            }
        }
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = self.statistics.clone();
        if let Some(round) = &self.round {
            statistics.merge(&round.query.statistics());
        }
        statistics
    }
}

/// What summaries are for.
#[derive(Default)]
struct SummaryUse {
    /// What bounds have cut so far and can be summarised.
    kinds: BTreeSet<CutKind>,
    /// The properties whose answers the present bound limits.
    open: VecDeque<Property>,
    /// They lose too much: deeper bounds do not help.
    are_useless: bool,
}

/// An unfolding with summaries: it covers every execution and some that do not exist, so that it proves or says nothing.
struct SummarisedUnfolding<'a, D> {
    round: UnfoldingRound<'a, D>,
    invariants: Vec<Lit>,
    /// A violation was found that goes through no cut.
    is_refuted: bool,
}

impl<D: OrderDecision> SummarisedUnfolding<'_, D> {
    /// The cuts that keep the property from being proved; `None` if a violation does.
    fn reached_cuts(&mut self, property: Property, budget: &Budget) -> Result<Option<BTreeSet<CutKind>>, Stopped> {
        let round = &mut self.round;
        let goal = round.goals.iter().find(|goal| goal.property == property).expect("a goal per open property").lit;
        let mut assumptions: Vec<Lit> = [goal].into_iter().chain(self.invariants.iter().copied()).collect();
        let mut kinds = BTreeSet::new();
        loop {
            match round.query.ask(&assumptions, budget) {
                SolveResult::Unsatisfiable => return Ok(Some(kinds)),
                SolveResult::Interrupted(reason) => return Err(Stopped(reason)),
                SolveResult::Satisfiable => {
                    let reached = round.reached_cuts(property);
                    if reached.is_empty() {
                        self.is_refuted = true;
                        return Ok(None);
                    }
                    assumptions.extend(reached.iter().map(|(_, lit)| *lit));
                    kinds.extend(reached.into_iter().map(|(kind, _)| kind));
                }
            }
        }
    }
}

/// The bounds so far and how they grow.
struct Deepening {
    limits: UnwindLimits,
    options: UnfoldOptions,
}

impl Deepening {
    fn new(job: &Job<'_>, optimisations: Optimisations) -> Self {
        let options = UnfoldOptions::new(job.unwind.first(FIRST_UNWIND), job.properties);
        // A number of iterations that the user gives is meant.
        let is_free = job.unwind.exactly.is_none() && job.unwind.at_most.is_none();
        let counted = if is_free { COUNTED_INSTRUCTIONS } else { 0 };
        Self { limits: job.unwind, options: UnfoldOptions { optimisations, counted, ..options } }
    }

    /// Raises the bounds of these cuts; `false` if none can be raised.
    fn deepen(&mut self, kinds: &BTreeSet<CutKind>) -> bool {
        if self.limits.exactly.is_some() {
            return false;
        }
        let limit = self.limits.last();
        let mut raised: BTreeMap<CutKind, u32> = BTreeMap::new();
        for kind in kinds {
            let bound = self.options.bound(kind);
            if can_deepen(kind) && bound < limit {
                raised.insert(kind.clone(), (bound * 2).min(limit));
            }
        }
        let can = !raised.is_empty();
        self.options.bounds.extend(raised);
        can
    }

    /// The largest number of rounds in force.
    fn unwind(&self) -> u32 {
        self.options.bounds.values().copied().fold(self.options.unwind, u32::max)
    }
}

fn can_deepen(kind: &CutKind) -> bool {
    match kind {
        CutKind::Loop { .. } | CutKind::Recursion { .. } | CutKind::Allocation { .. } => true,
        CutKind::Threads | CutKind::RaceGap { .. } | CutKind::Unsupported { .. } => false,
    }
}

/// What one round says about one property.
enum Answer {
    Final(Fact),
    /// No violation, but executions go through cuts of these kinds.
    Cut {
        fact: Fact,
        kinds: BTreeSet<CutKind>,
    },
    Stopped(StopReason),
}

/// One unfolding with its solver.
struct UnfoldingRound<'a, D> {
    job: Job<'a>,
    query: Query<'a, EventGraph, D>,
    goals: Vec<Goal>,
}

impl<'a, D: OrderDecision> UnfoldingRound<'a, D> {
    fn new(
        job: Job<'a>,
        options: &UnfoldOptions,
        decision: D,
        budget: &Budget,
        statistics: &mut Statistics,
    ) -> Result<Self, Stopped> {
        let unfolded =
            statistics.timed(stage::UNFOLDING, || unfold::unfold(job.program(), &job.visibility(), options, budget));
        let (query, goals) = Query::about_properties(unfolded?, options.properties, decision, job.observer, budget);
        statistics.count("unfoldings", 1);
        statistics.count("events", query.graph().events.len() as u64);
        statistics.count("read-from candidates", query.read_froms() as u64);
        statistics.count("terms", query.graph().terms.len() as u64);
        Ok(Self { job, query, goals })
    }

    fn check(&mut self, property: Property, deepening: &Deepening, budget: &Budget) -> Result<Answer, EngineBug> {
        let (events, unwind) = (self.query.graph().events.len(), deepening.unwind());
        self.job.observer.progress(&Progress::Solving { property, unwind, events });
        let goal = self.goals.iter().find(|goal| goal.property == property).expect("a goal per open property").lit;
        let every_cut = self.query.cuts().iter().map(|(_, lit)| *lit);
        let mut assumptions: Vec<Lit> = [goal].into_iter().chain(every_cut).collect();
        if let Some(layout) = self.query.graph().layout {
            assumptions.push(self.query.literal(layout));
        }
        self.show_query(property, unwind, &assumptions);
        match self.query.ask(&assumptions, budget) {
            SolveResult::Satisfiable => {
                Ok(Answer::Final(Fact::Violation(property, self.query.schedule(property, None)?)))
            }
            SolveResult::Interrupted(reason) => Ok(Answer::Stopped(reason)),
            SolveResult::Unsatisfiable => self.check_cuts(property, goal, deepening, budget),
        }
    }

    fn show_query(&self, property: Property, unwind: u32, assumptions: &[Lit]) {
        if let Some(clauses) = self.query.recorded_clauses() {
            let (graph, is_complete) = (self.query.graph(), self.query.decision.is_in_clauses());
            let query = QueryText { property, unwind, graph, clauses, assumptions, is_complete };
            self.job.observer.query(&query);
        }
    }

    /// No violation inside the cuts: which cuts can be reached at all?
    fn check_cuts(
        &mut self,
        property: Property,
        goal: Lit,
        deepening: &Deepening,
        budget: &Budget,
    ) -> Result<Answer, EngineBug> {
        let mut assumptions = vec![goal];
        let mut kinds = BTreeSet::new();
        loop {
            match self.query.ask(&assumptions, budget) {
                SolveResult::Unsatisfiable => break,
                SolveResult::Interrupted(reason) => return Ok(Answer::Stopped(reason)),
                SolveResult::Satisfiable => {
                    let reached = self.reached_cuts(property);
                    if reached.is_empty() && self.query.graph().layout.is_some() {
                        return Ok(Answer::Final(self.try_layout(property)?));
                    }
                    assert!(!reached.is_empty(), "a model without a violation should go through a cut");
                    assumptions.extend(reached.iter().map(|(_, lit)| *lit));
                    kinds.extend(reached.into_iter().map(|(kind, _)| kind));
                }
            }
        }
        if kinds.is_empty() {
            return Ok(Answer::Final(Fact::Proved(property)));
        }
        let fact = self.bounded_fact(property, &kinds, deepening);
        Ok(Answer::Cut { fact, kinds })
    }

    /// The model is a violation if memory lies as it says, which it need not do in the interpreter.
    fn try_layout(&mut self, property: Property) -> Result<Fact, EngineBug> {
        let schedule = self.query.schedule(property, None)?;
        if let Ok(Replayed::Violation(_)) = confirm(self.job.analyses, &schedule, property) {
            return Ok(Fact::Violation(property, schedule));
        }
        let what = "a violation that depends on where memory lies".to_owned();
        Ok(Fact::Unknown(property, UnknownReason::Unsupported { what, span: Span::UNKNOWN }))
    }

    /// The causes of the cuts that the model goes through.
    fn reached_cuts(&self, property: Property) -> Vec<(CutKind, Lit)> {
        let (graph, model) = (self.query.graph(), self.query.model());
        let mut values = terms::Evaluator::new(&graph.terms, &model);
        let reached: BTreeSet<&CutKind> = graph
            .cuts
            .iter()
            .filter(|cut| cut.concerns(property) && values.value(cut.reached) != 0 && values.value(cut.literal) == 0)
            .map(|cut| &cut.kind)
            .collect();
        self.query.cuts().iter().filter(|(kind, _)| reached.contains(kind)).cloned().collect()
    }

    fn span_of(&self, kind: &CutKind) -> Option<Span> {
        self.query.graph().cuts.iter().find(|cut| cut.kind == *kind).map(|cut| cut.span)
    }

    fn bounded_fact(&self, property: Property, kinds: &BTreeSet<CutKind>, deepening: &Deepening) -> Fact {
        for kind in kinds {
            if let CutKind::Unsupported { what } | CutKind::RaceGap { what } = kind {
                let span = self.span_of(kind).unwrap_or(Span::UNKNOWN);
                return Fact::Unknown(property, UnknownReason::Unsupported { what: what.clone(), span });
            }
        }
        if property == Property::ValidMemtrack {
            // Losses are seen where the process exits; an execution that is cut before may have lost something.
            let what = "leak check incomplete: execution may not terminate within the bound".to_owned();
            let span = kinds.iter().find_map(|kind| self.span_of(kind)).unwrap_or(Span::UNKNOWN);
            return Fact::Unknown(property, UnknownReason::Unsupported { what, span });
        }
        let is_loop = |kind: &&CutKind| matches!(kind, CutKind::Loop { .. } | CutKind::Recursion { .. });
        let allocation = kinds.iter().filter_map(|kind| match kind {
            CutKind::Allocation { location } => Some(deepening.options.allocation_limit(*location)),
            _ => None,
        });
        let unwind = kinds.iter().filter(is_loop).map(|kind| deepening.options.bound(kind)).min();
        let at_users_limit = self.job.unwind.at_most.is_some_and(|limit| unwind.is_none_or(|unwind| unwind >= limit));
        let bounds = Bounds {
            unwind,
            cut: kinds.iter().filter_map(|kind| self.span_of(kind)).collect(),
            allocation: allocation.min(),
            threads: kinds.contains(&CutKind::Threads).then_some(deepening.options.threads + 1),
            chosen_by_user: self.job.unwind.exactly.is_some() || at_users_limit,
            ..Bounds::default()
        };
        Fact::Bounded(property, bounds)
    }
}
