//! The engine `predict`: what could have happened in a recorded run (Wang, Kundu, Limaye, Ganai and Gupta, "Symbolic
//! Predictive Analysis for Concurrent Programs").
//!
//! Guarantee: a violation is reported only after the interpreter has run into it in the program itself. "Holds" means that
//! no reordering of the recorded runs, or of a prefix, violates the property; it says nothing about other paths and
//! inputs.

use base::statistics::stage;
use base::{Budget, Statistics};
use engines::EngineBug;
use engines::confirm::Replayed;
use engines::sites::properties_with_supported_sites;
use events::EventGraph;
use program::{Analyses, Bounds, Outcome, Property, PropertySet, Schedule, Trace, UnknownReason};

use crate::atomicity::{Candidate, TransactionOptions, Unfinished, candidates, pattern, transactions};
use crate::atomicity_replay::replay_atomicity;
use crate::atomicity_search::AtomicitySearch;
use crate::candidate_counts::CandidateCounts;
use crate::fixed_addresses::fix_addresses;
use crate::goal_search::{GoalSearch, Prepared};
use crate::model::Model;
use crate::ordering::Ordering;
use crate::race_counts::race_counts;
use crate::recording::Recording;
use crate::search::{SearchResult, reached_cut, unfold_trace};
use crate::trace_program::TraceProgram;

/// How to look.
#[derive(Clone, Debug, Default)]
pub struct PredictOptions {
    pub model: Model,
    pub ordering: Ordering,
    pub context_bound: ContextBound,
    /// Only reorderings in which every thread does all that is recorded of it, besides the one that goes wrong; else
    /// erroneous prefixes count, too.
    pub complete_only: bool,
    /// What is meant to be atomic.
    pub transactions: TransactionOptions,
    /// Groups of candidates that are decided at a time; 0 counts as 1. Changes no answer.
    pub jobs: usize,
    /// Look at reorderings in which every access is where it was only (see `fixed_addresses`); of one recording.
    pub fixed_addresses: bool,
}

impl PredictOptions {
    /// Where addresses are fixed, freed memory stays: what is found there may belong to no execution, which its replay
    /// shows. That contradicts nothing.
    pub(crate) fn allow_for_fixed_addresses(
        &self,
        replayed: Result<Replayed, EngineBug>,
    ) -> Result<Replayed, EngineBug> {
        match replayed {
            Err(_) if self.fixed_addresses => {
                let what = "a reordering found with the recorded addresses does not replay";
                Ok(Replayed::Unclear(UnknownReason::Limit(what.to_owned())))
            }
            replayed => replayed,
        }
    }
}

/// How many context switches a reordering may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ContextBound {
    #[default]
    Unlimited,
    AtMost(u32),
    /// From one on, until there is an answer for any number.
    Auto,
}

/// The answers about one recorded run.
#[derive(Clone, Debug, Default)]
pub struct Prediction {
    pub outcomes: Vec<(Property, Outcome)>,
    /// Every violation that was found, by its place; the first one of each property is its outcome.
    pub findings: Vec<Trace>,
    /// How many candidates each step of pruning has left, for every property that has candidates.
    pub candidates: Vec<CandidateCounts>,
    pub statistics: Statistics,
}

/// The properties that can be predicted.
pub const PREDICTED: [Property; 10] = [
    Property::Assert,
    Property::UnreachCall,
    Property::NoDataRace,
    Property::NoDeadlock,
    Property::ValidDeref,
    Property::ValidFree,
    Property::NoOverflow,
    Property::NoDivByZero,
    Property::LockMisuse,
    Property::Atomicity,
];

/// Asks about every property. Several recordings, of which there is at least one, are merged into one trace program (§8);
/// only the full model and only properties other than `atomicity` can be asked about then.
pub fn predict(
    analyses: &Analyses<'_>,
    recordings: &[Recording],
    properties: PropertySet,
    options: &PredictOptions,
    budget: &Budget,
) -> Result<Prediction, PredictError> {
    let mut statistics = Statistics::new();
    let trace = statistics
        .timed("slicing time", || TraceProgram::new(analyses.program, &analyses.get(), recordings, options.model));
    let mut trace = trace.map_err(PredictError::Misfit)?;
    if let (true, [recording]) = (options.fixed_addresses, recordings) {
        fix_addresses(&mut trace, recording);
    }
    statistics.count("threads", trace.paths().len() as u64);
    statistics.count("recorded instructions", trace.paths().iter().map(|path| path.len() as u64).sum());
    // Where a reordering would need what is not supported, it still executes the recorded instructions only.
    let sites = statistics.timed("violation site analysis time", || {
        properties_with_supported_sites(&Analyses::new(&trace.program), properties)
    });
    let mut prediction = Prediction { statistics, ..Prediction::default() };
    let mut predictor = Predictor { analyses, trace: &trace, sites, options, budget, prediction: &mut prediction };
    for property in properties.iter() {
        let outcome = predictor.check(property)?;
        predictor.prediction.outcomes.push((property, outcome));
    }
    Ok(prediction)
}

/// Why there is no prediction.
#[derive(Clone, Debug)]
pub enum PredictError {
    /// The recording is not one of this program.
    Misfit(crate::path::Misfit),
    Bug(EngineBug),
}

impl From<EngineBug> for PredictError {
    fn from(bug: EngineBug) -> Self {
        PredictError::Bug(bug)
    }
}

struct Predictor<'a> {
    analyses: &'a Analyses<'a>,
    trace: &'a TraceProgram,
    /// What the recorded instructions can violate at all.
    sites: PropertySet,
    options: &'a PredictOptions,
    budget: &'a Budget,
    prediction: &'a mut Prediction,
}

/// What the relaxed model has to say.
fn possible(count: usize) -> UnknownReason {
    UnknownReason::Limit(format!("{count} violations if values are ignored; they may be infeasible"))
}

/// More bounds than this are not tried one after the other.
const MAX_AUTO_BOUND: u32 = 16;

impl Predictor<'_> {
    fn check(&mut self, property: Property) -> Result<Outcome, PredictError> {
        let is_merged = self.trace.run_count() > 1;
        if !PREDICTED.contains(&property) || (is_merged && property == Property::Atomicity) {
            return Ok(Outcome::Unknown(UnknownReason::NotChecked));
        }
        if property == Property::Atomicity {
            return self.check_atomicity();
        }
        if !self.sites.contains(property) {
            self.prediction.candidates.push(CandidateCounts::new(property, 0));
            return Ok(Outcome::HoldsUpTo(self.bounds(None)));
        }
        let Self { analyses, trace, options, budget, .. } = *self;
        let search = GoalSearch { analyses, trace, options, budget, property };
        let prepared = match self.prediction.statistics.timed(stage::UNFOLDING, || search.prepare()) {
            Ok(prepared) => prepared,
            Err(reason) => return Ok(Outcome::Unknown(reason)),
        };
        self.prediction.statistics.count("events", prepared.graph.events.len() as u64);
        let counts = self.prediction.statistics.timed("counting time", || match property {
            Property::NoDataRace => race_counts(trace, budget),
            _ => None,
        });
        let mut counts = counts.unwrap_or(CandidateCounts::new(property, prepared.goals.len()));
        let outcome = self.iterate(|this, ordering| this.look_for_goals(&search, &prepared, ordering, &mut counts))?;
        self.prediction.candidates.push(counts);
        Ok(outcome)
    }

    /// Asks with the bound on contexts that the options name, or with one after the other.
    fn iterate(
        &mut self,
        mut ask: impl FnMut(&mut Self, Ordering) -> Result<Outcome, PredictError>,
    ) -> Result<Outcome, PredictError> {
        let last = match self.options.context_bound {
            ContextBound::Unlimited => return ask(self, self.options.ordering),
            ContextBound::AtMost(bound) => return ask(self, Ordering::Contexts(bound)),
            ContextBound::Auto => MAX_AUTO_BOUND,
        };
        for bound in 1..last {
            let outcome = ask(self, Ordering::Contexts(bound))?;
            let is_bounded = matches!(&outcome, Outcome::HoldsUpTo(b) if b.context_switches.is_some());
            if !is_bounded {
                return Ok(outcome);
            }
        }
        ask(self, Ordering::Contexts(last))
    }

    fn look_for_goals(
        &mut self,
        search: &GoalSearch<'_>,
        prepared: &Prepared,
        ordering: Ordering,
        counts: &mut CandidateCounts,
    ) -> Result<Outcome, PredictError> {
        let answers = search.decide_all(prepared, ordering)?;
        self.prediction.statistics.merge(&answers.statistics);
        let known = self.prediction.findings.len();
        answers.findings.iter().for_each(|trace| self.prediction.add_finding(trace));
        counts.possible = answers.possible + self.prediction.findings.len() - known;
        let violated = answers.findings.into_iter().next();
        Ok(self.outcome(violated, answers.unknown, answers.possible, answers.bounded, ordering))
    }

    /// The answer of a property: `possible` violations where values are ignored count for less than what is unknown.
    fn outcome(
        &self,
        violated: Option<Trace>,
        unknown: Option<UnknownReason>,
        possible_violations: usize,
        is_bounded: bool,
        ordering: Ordering,
    ) -> Outcome {
        match (violated, unknown, ordering) {
            (Some(trace), _, _) => Outcome::Violated(Box::new(trace)),
            (None, Some(reason), _) => Outcome::Unknown(reason),
            (None, None, _) if possible_violations > 0 => Outcome::Unknown(possible(possible_violations)),
            (None, None, Ordering::Contexts(bound)) if is_bounded => Outcome::HoldsUpTo(self.bounds(Some(bound))),
            (None, None, _) => Outcome::HoldsUpTo(self.bounds(None)),
        }
    }

    fn check_atomicity(&mut self) -> Result<Outcome, PredictError> {
        let parts = &self.options.transactions;
        let transactions = transactions(self.analyses.program, self.trace.paths(), parts, Unfinished::LeftOut);
        let (trace, budget) = (self.trace, self.budget);
        let unfolded = self
            .prediction
            .statistics
            .timed(stage::UNFOLDING, || unfold_trace(trace, PropertySet::EMPTY, true, budget));
        let graph = match unfolded {
            Ok(graph) => graph,
            Err(reason) => return Ok(Outcome::Unknown(reason)),
        };
        let (candidates, mut counts) = candidates(self.analyses.program, self.trace, &graph, &transactions);
        let outcome = self.iterate(|this, ordering| {
            let (outcome, possible) = this.look_for_triples(&graph, &candidates, ordering)?;
            counts.possible = possible;
            Ok(outcome)
        })?;
        self.prediction.candidates.push(counts);
        Ok(outcome)
    }

    fn look_for_triples(
        &mut self,
        graph: &EventGraph,
        candidates: &[Candidate],
        ordering: Ordering,
    ) -> Result<(Outcome, usize), PredictError> {
        let (trace, options, budget) = (self.trace, self.options, self.budget);
        let search = AtomicitySearch { trace, options, budget, candidates, ordering };
        let (answers, statistics) = search.decide_all(graph)?;
        self.prediction.statistics.merge(&statistics);
        let (mut violated, mut unknown, mut is_bounded, mut found) = (None, None, false, 0);
        for (candidate, answer) in candidates.iter().zip(answers) {
            match answer {
                SearchResult::No { bounded } => is_bounded |= bounded,
                SearchResult::Unknown(reason) => unknown = unknown.or(Some(reason)),
                SearchResult::Yes(_) if self.options.model == Model::Relaxed => found += 1,
                SearchResult::Yes(schedule) => {
                    found += 1;
                    match self.confirm_atomicity(graph, candidate, &schedule)? {
                        Replayed::Unclear(reason) => unknown = unknown.or(Some(reason)),
                        Replayed::Violation(trace) => {
                            self.prediction.add_finding(&trace);
                            violated = violated.or(Some(*trace));
                        }
                    }
                }
            }
        }
        if violated.is_none() && unknown.is_none() {
            let (reached, statistics) = reached_cut(graph, Property::Atomicity, ordering, self.budget);
            self.prediction.statistics.merge(&statistics);
            unknown = reached;
        }
        Ok((self.outcome(violated, unknown, found, is_bounded, ordering), found))
    }

    fn confirm_atomicity(
        &mut self,
        graph: &EventGraph,
        candidate: &Candidate,
        schedule: &Schedule,
    ) -> Result<Replayed, EngineBug> {
        let origin = |index: usize| self.trace.origin(graph.accesses[index].location);
        let (Some(first), Some(remote), Some(last)) =
            (origin(candidate.first), origin(candidate.remote), origin(candidate.last))
        else {
            return Err(EngineBug("an access of a trace program has no origin".to_owned()));
        };
        let (analyses, trace) = (self.analyses, self.trace);
        let pattern = pattern(graph, candidate);
        let replay = || replay_atomicity(analyses, trace, schedule, [first, remote, last], &pattern);
        self.options.allow_for_fixed_addresses(self.prediction.statistics.timed(stage::REPLAYING, replay))
    }

    fn bounds(&self, context_switches: Option<u32>) -> Bounds {
        let by_user = matches!(self.options.context_bound, ContextBound::AtMost(_)) || context_switches.is_none();
        Bounds {
            recorded_runs: Some(self.trace.run_count() as u32),
            context_switches,
            chosen_by_user: by_user,
            ..Bounds::default()
        }
    }
}

impl Prediction {
    fn add_finding(&mut self, trace: &Trace) {
        let place = |trace: &Trace| (trace.violation.property, trace.violation.location);
        if !self.findings.iter().any(|known| place(known) == place(trace)) {
            self.findings.push(trace.clone());
        }
    }

    /// How many candidates for violations of a property there were.
    pub fn candidates_of(&self, property: Property) -> Option<&CandidateCounts> {
        self.candidates.iter().find(|counts| counts.property == property)
    }

    /// Adds the answers about another recording of the same program: the worse answer counts.
    pub fn absorb(&mut self, other: Prediction) {
        self.statistics.merge(&other.statistics);
        for counts in &other.candidates {
            match self.candidates.iter_mut().find(|known| known.property == counts.property) {
                Some(known) => known.add(counts),
                None => self.candidates.push(*counts),
            }
        }
        other.findings.iter().for_each(|finding| self.add_finding(finding));
        for (property, outcome) in other.outcomes {
            match self.outcomes.iter_mut().find(|(known, _)| *known == property) {
                None => self.outcomes.push((property, outcome)),
                Some((_, known)) => *known = worse(known.clone(), outcome),
            }
        }
    }
}

fn worse(a: Outcome, b: Outcome) -> Outcome {
    match (a, b) {
        (violated @ Outcome::Violated(_), _) | (_, violated @ Outcome::Violated(_)) => violated,
        (unknown @ Outcome::Unknown(_), _) | (_, unknown @ Outcome::Unknown(_)) => unknown,
        (Outcome::HoldsUpTo(a), Outcome::HoldsUpTo(b)) => Outcome::HoldsUpTo(Bounds {
            recorded_runs: Some(a.recorded_runs.unwrap_or(0) + b.recorded_runs.unwrap_or(0)),
            context_switches: a.context_switches.into_iter().chain(b.context_switches).min(),
            chosen_by_user: a.chosen_by_user && b.chosen_by_user,
            ..a
        }),
        (bounded, Outcome::Proved) | (Outcome::Proved, bounded) => bounded,
    }
}
