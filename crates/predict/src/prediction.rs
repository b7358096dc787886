//! The engine `predict`: what could have happened in a recorded run (Wang, Kundu, Limaye, Ganai and Gupta, "Symbolic
//! Predictive Analysis for Concurrent Programs").
//!
//! Guarantee: a violation is reported only after the interpreter has run into it in the program itself. "Holds" means that
//! no reordering of the recorded runs, or of a prefix, violates the property; it says nothing about other paths and
//! inputs.

use std::collections::BTreeMap;

use base::statistics::stage;
use base::{Budget, Statistics};
use engines::EngineBug;
use program::{
    Bounds, Function, Location, Outcome, Program, Property, PropertySet, Schedule, Trace, UnknownReason, Visibility,
};
use unfold::EventGraph;

use crate::accumulator::constrain_accumulators;
use crate::atomicity::{AtomicityCounts, Candidate, TransactionOptions, candidates, pattern, transactions};
use crate::atomicity_replay::replay_atomicity;
use crate::atomicity_search::AtomicitySearch;
use crate::first_violation::add_first_goal;
use crate::fixed_addresses::fix_addresses;
use crate::model::Model;
use crate::ordering::Ordering;
use crate::recording::Recording;
use crate::search::{Found, Goal, Search, demand_completion, unfold_trace, unsupported};
use crate::trace_program::TraceProgram;
use crate::translate::replay_in_program;

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
    /// Candidates for atomicity violations that are decided at a time; 0 counts as 1.
    pub jobs: usize,
    /// Look at reorderings in which every access is where it was only (see `fixed_addresses`); of one recording.
    pub fixed_addresses: bool,
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
    /// Of `atomicity`, how many candidates each step has left.
    pub atomicity: Option<AtomicityCounts>,
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
    program: &Program,
    visibility: &Visibility,
    recordings: &[Recording],
    properties: PropertySet,
    options: &PredictOptions,
    budget: &Budget,
) -> Result<Prediction, PredictError> {
    let mut statistics = Statistics::new();
    let trace = statistics.timed("slicing time", || TraceProgram::new(program, visibility, recordings, options.model));
    let mut trace = trace.map_err(PredictError::Misfit)?;
    if let (true, [recording]) = (options.fixed_addresses, recordings) {
        fix_addresses(&mut trace, recording);
    }
    statistics.count("threads", trace.paths().len() as u64);
    statistics.count("recorded instructions", trace.paths().iter().map(|path| path.len() as u64).sum());
    let mut prediction = Prediction { statistics, ..Prediction::default() };
    let mut predictor = Predictor { program, visibility, trace: &trace, options, budget, prediction: &mut prediction };
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
    program: &'a Program,
    visibility: &'a Visibility,
    trace: &'a TraceProgram,
    options: &'a PredictOptions,
    budget: &'a Budget,
    prediction: &'a mut Prediction,
}

/// What the relaxed model has to say.
fn possible(count: usize) -> UnknownReason {
    UnknownReason::Limit(format!("{count} violations where values are ignored, which may be impossible"))
}

/// What a search for one goal gives.
enum Sought {
    Nowhere {
        bounded: bool,
    },
    /// In a model whose findings may be impossible.
    Possible,
    Violated(Box<Trace>),
    Unknown(UnknownReason),
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
        let (trace, budget) = (self.trace, self.budget);
        let unfolded = self
            .prediction
            .statistics
            .timed(stage::UNFOLDING, || unfold_trace(trace, PropertySet::of(&[property]), false, budget));
        let mut graph = match unfolded {
            Ok(graph) => graph,
            Err(reason) => return Ok(Outcome::Unknown(reason)),
        };
        constrain_accumulators(&mut graph);
        let mut goals = self.goals(&mut graph, property);
        if self.options.complete_only {
            demand_completion(&mut graph, &mut goals);
        }
        self.prediction.statistics.count("events", graph.events.len() as u64);
        match self.options.context_bound {
            ContextBound::Unlimited => self.search(&graph, property, &goals, self.options.ordering),
            ContextBound::AtMost(bound) => self.search(&graph, property, &goals, Ordering::Contexts(bound)),
            ContextBound::Auto => {
                let mut outcome = Outcome::Unknown(UnknownReason::NotChecked);
                for bound in 1..=MAX_AUTO_BOUND {
                    outcome = self.search(&graph, property, &goals, Ordering::Contexts(bound))?;
                    let is_bounded = matches!(&outcome, Outcome::HoldsUpTo(b) if b.context_switches.is_some());
                    if !is_bounded {
                        break;
                    }
                }
                Ok(outcome)
            }
        }
    }

    /// One goal for each place in the program where the property may be violated, in the order of the places.
    fn goals(&self, graph: &mut EventGraph, property: Property) -> Vec<Goal> {
        let mut places: BTreeMap<Location, Goal> = BTreeMap::new();
        for point in graph.violations.iter().filter(|point| point.property == property) {
            let place = self.trace.place(point.location);
            let goal = places.entry(place).or_insert(Goal { place, condition: point.condition, points: Vec::new() });
            goal.condition = graph.terms.or(goal.condition, point.condition);
            goal.points.push(point.clone());
        }
        let deadlock = graph.deadlock.as_ref().filter(|_| property == Property::NoDeadlock);
        let deadlock = deadlock.map(|deadlock| Goal {
            place: Location { function: self.program.entry, block: Function::ENTRY, index: 0 },
            condition: deadlock.deadlocked,
            points: Vec::new(),
        });
        places.into_values().chain(deadlock).collect()
    }

    fn search(
        &mut self,
        graph: &EventGraph,
        property: Property,
        goals: &[Goal],
        ordering: Ordering,
    ) -> Result<Outcome, PredictError> {
        let cuts: Vec<_> = graph.cuts.iter().filter(|cut| cut.concerns(property)).collect();
        let conditions = goals.iter().map(|goal| goal.condition).chain(cuts.iter().map(|cut| cut.reached));
        let mut search = Search::new(graph, property, conditions, ordering, self.budget);
        let mut violated: Option<Trace> = None;
        let mut possible_places = 0;
        let mut is_bounded = false;
        let mut unknown = None;
        for index in 0..goals.len() {
            match self.look_for(&mut search, goals, index, ordering)? {
                Sought::Nowhere { bounded } => is_bounded |= bounded,
                Sought::Unknown(reason) => unknown = unknown.or(Some(reason)),
                Sought::Possible => possible_places += 1,
                Sought::Violated(trace) => violated = violated.or(Some(*trace)),
            }
        }
        if violated.is_none() {
            for (index, cut) in cuts.iter().enumerate() {
                match search.reaches(goals.len() + index) {
                    Ok(false) => {}
                    Ok(true) => unknown = unknown.or(Some(unsupported(&cut.kind, cut.span))),
                    Err(reason) => unknown = unknown.or(Some(reason)),
                }
            }
        }
        self.prediction.statistics.merge(&search.finish());
        Ok(match (violated, unknown) {
            (Some(trace), _) => Outcome::Violated(Box::new(trace)),
            (None, Some(reason)) => Outcome::Unknown(reason),
            (None, None) if possible_places > 0 => Outcome::Unknown(possible(possible_places)),
            (None, None) => {
                let bound = match ordering {
                    Ordering::Contexts(bound) if is_bounded => Some(bound),
                    _ => None,
                };
                Outcome::HoldsUpTo(self.bounds(bound))
            }
        })
    }

    /// Looks for one goal. The interpreter may run into another one on the way, which is found then, too; the goal is
    /// looked for again without that.
    fn look_for(
        &mut self,
        search: &mut Search<'_>,
        goals: &[Goal],
        index: usize,
        ordering: Ordering,
    ) -> Result<Sought, EngineBug> {
        let property = search.property();
        let mut others = Vec::new();
        let mut seen = None;
        loop {
            let schedule = match search.ask(index, &others, &goals[index].points)? {
                Found::Yes(_) if self.options.model == Model::Relaxed => return Ok(Sought::Possible),
                Found::Yes(schedule) => schedule,
                Found::No { bounded } => {
                    let Some(seen) = seen else { return Ok(Sought::Nowhere { bounded }) };
                    self.look_for_first(search.graph(), goals, index, property, ordering)?;
                    return Ok(Sought::Violated(seen));
                }
                Found::Unknown(reason) => return Ok(seen.map_or(Sought::Unknown(reason), Sought::Violated)),
            };
            let trace = self.confirm(&schedule, property)?;
            let place = trace.violation.location;
            self.prediction.add_finding(&trace);
            seen = seen.or(Some(Box::new(trace)));
            match goals.iter().position(|goal| goal.place == place) {
                Some(other) if other != index && !others.contains(&other) => others.push(other),
                _ => return Ok(seen.map_or(Sought::Possible, Sought::Violated)),
            }
        }
    }

    /// Looks for a goal that is never found alone, before all others.
    fn look_for_first(
        &mut self,
        graph: &EventGraph,
        goals: &[Goal],
        index: usize,
        property: Property,
        ordering: Ordering,
    ) -> Result<(), EngineBug> {
        let mut graph = graph.clone();
        let others: Vec<&Goal> =
            goals.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, g)| g).collect();
        let Some(condition) = add_first_goal(&mut graph, &goals[index], &others) else { return Ok(()) };
        let mut search = Search::new(&graph, property, [condition], ordering, self.budget);
        if let Found::Yes(schedule) = search.ask(0, &[], &goals[index].points)? {
            let trace = self.confirm(&schedule, property)?;
            self.prediction.add_finding(&trace);
        }
        self.prediction.statistics.merge(&search.finish());
        Ok(())
    }

    fn check_atomicity(&mut self) -> Result<Outcome, PredictError> {
        let transactions = transactions(self.program, self.trace, &self.options.transactions);
        let (trace, budget) = (self.trace, self.budget);
        let unfolded = self
            .prediction
            .statistics
            .timed(stage::UNFOLDING, || unfold_trace(trace, PropertySet::EMPTY, true, budget));
        let graph = match unfolded {
            Ok(graph) => graph,
            Err(reason) => return Ok(Outcome::Unknown(reason)),
        };
        let (candidates, mut counts) = candidates(self.program, self.trace, &graph, &transactions);
        let (options, candidates) = (self.options, &candidates[..]);
        let (answers, statistics) = AtomicitySearch { trace, options, budget, candidates }.decide_all(graph.clone())?;
        self.prediction.statistics.merge(&statistics);
        let (mut violated, mut unknown, mut is_bounded) = (None, None, false);
        for (candidate, answer) in candidates.iter().zip(answers) {
            match answer {
                Found::No { bounded } => is_bounded |= bounded,
                Found::Unknown(reason) => unknown = unknown.or(Some(reason)),
                Found::Yes(_) if self.options.model == Model::Relaxed => counts.violations += 1,
                Found::Yes(schedule) => {
                    counts.violations += 1;
                    let trace = self.confirm_atomicity(&graph, candidate, &schedule)?;
                    self.prediction.add_finding(&trace);
                    violated = violated.or(Some(trace));
                }
            }
        }
        self.prediction.count_atomicity(counts);
        let gap = graph.cuts.first().map(|cut| unsupported(&cut.kind, cut.span));
        Ok(match (violated, unknown.or(gap)) {
            (Some(trace), _) => Outcome::Violated(Box::new(trace)),
            (None, Some(reason)) => Outcome::Unknown(reason),
            (None, None) if counts.violations > 0 => Outcome::Unknown(possible(counts.violations)),
            (None, None) => {
                let ContextBound::AtMost(bound) = self.options.context_bound else {
                    return Ok(Outcome::HoldsUpTo(self.bounds(None)));
                };
                Outcome::HoldsUpTo(self.bounds(is_bounded.then_some(bound)))
            }
        })
    }

    fn confirm_atomicity(
        &mut self,
        graph: &EventGraph,
        candidate: &Candidate,
        schedule: &Schedule,
    ) -> Result<Trace, EngineBug> {
        let origin = |index: usize| self.trace.origin(graph.accesses[index].location);
        let (Some(first), Some(remote), Some(last)) =
            (origin(candidate.first), origin(candidate.remote), origin(candidate.last))
        else {
            return Err(EngineBug("an access of a trace program comes from nowhere".to_owned()));
        };
        let (program, visibility, trace) = (self.program, self.visibility, self.trace);
        let pattern = pattern(graph, candidate);
        let replay = || replay_atomicity(program, visibility, trace, schedule, [first, remote, last], &pattern);
        self.prediction.statistics.timed(stage::REPLAYING, replay)
    }

    fn confirm(&mut self, schedule: &Schedule, property: Property) -> Result<Trace, EngineBug> {
        let (program, visibility, trace) = (self.program, self.visibility, self.trace);
        let replay = || replay_in_program(program, visibility, trace, schedule, property);
        self.prediction.statistics.timed(stage::REPLAYING, replay)
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

    fn count_atomicity(&mut self, counts: AtomicityCounts) {
        self.statistics.count("transactions", counts.transactions as u64);
        self.statistics.count("pavs", counts.pavs as u64);
        self.statistics.count("pavs after locksets", counts.after_locksets as u64);
        self.statistics.count("pavs after must-happen-before", counts.after_must_happen_before as u64);
        self.statistics.count("atomicity violations", counts.violations as u64);
        self.atomicity = Some(counts);
    }

    /// Adds the answers about another recording of the same program: the worse answer counts.
    pub fn absorb(&mut self, other: Prediction) {
        self.statistics.merge(&other.statistics);
        self.atomicity = other.atomicity.or(self.atomicity);
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
