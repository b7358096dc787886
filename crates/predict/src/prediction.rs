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
use program::{Bounds, Location, Outcome, Program, Property, PropertySet, Schedule, Trace, UnknownReason, Visibility};
use unfold::EventGraph;

use crate::model::Model;
use crate::ordering::Ordering;
use crate::recording::Recording;
use crate::search::{Found, Goal, Search, unfold_trace, unsupported};
use crate::trace_program::TraceProgram;
use crate::translate::replay_in_program;

/// How to look.
#[derive(Clone, Debug, Default)]
pub struct PredictOptions {
    pub model: Model,
    pub ordering: Ordering,
    pub context_bound: ContextBound,
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
    pub statistics: Statistics,
}

/// The properties that can be predicted.
pub const PREDICTED: [Property; 9] = [
    Property::Assert,
    Property::UnreachCall,
    Property::NoDataRace,
    Property::NoDeadlock,
    Property::ValidDeref,
    Property::ValidFree,
    Property::NoOverflow,
    Property::NoDivByZero,
    Property::LockMisuse,
];

/// Asks about every property.
pub fn predict(
    program: &Program,
    visibility: &Visibility,
    recording: &Recording,
    properties: PropertySet,
    options: &PredictOptions,
    budget: &Budget,
) -> Result<Prediction, PredictError> {
    let mut statistics = Statistics::new();
    let trace = statistics.timed("slicing time", || TraceProgram::new(program, visibility, recording, options.model));
    let trace = trace.map_err(PredictError::Misfit)?;
    statistics.count("threads", trace.paths.len() as u64);
    statistics.count("recorded instructions", trace.paths.iter().map(|path| path.len() as u64).sum());
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

/// More bounds than this are not tried one after the other.
const MAX_AUTO_BOUND: u32 = 16;

impl Predictor<'_> {
    fn check(&mut self, property: Property) -> Result<Outcome, PredictError> {
        if !PREDICTED.contains(&property) {
            return Ok(Outcome::Unknown(UnknownReason::NotChecked));
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
        let goals = self.goals(&mut graph, property);
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
            let place = self.trace.origin(point.location).map_or(point.location, |origin| self.trace.location(origin));
            let goal = places.entry(place).or_insert(Goal { condition: point.condition, points: Vec::new() });
            goal.condition = graph.terms.or(goal.condition, point.condition);
            goal.points.push(point.clone());
        }
        let deadlock = graph.deadlock.as_ref().filter(|_| property == Property::NoDeadlock);
        let deadlock = deadlock.map(|deadlock| Goal { condition: deadlock.deadlocked, points: Vec::new() });
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
        let mut possible = 0;
        let mut is_bounded = false;
        let mut unknown = None;
        for (index, goal) in goals.iter().enumerate() {
            match search.ask(index, &[], &goal.points)? {
                Found::No { bounded } => is_bounded |= bounded,
                Found::Unknown(reason) => unknown = unknown.or(Some(reason)),
                Found::Yes(_) if self.options.model == Model::Relaxed => possible += 1,
                Found::Yes(schedule) => {
                    let trace = self.confirm(&schedule, property)?;
                    let is_known = |known: &Trace| known.violation == trace.violation;
                    if !self.prediction.findings.iter().any(is_known) {
                        self.prediction.findings.push(trace.clone());
                    }
                    violated = violated.or(Some(trace));
                }
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
            (None, None) if possible > 0 => Outcome::Unknown(UnknownReason::Limit(format!(
                "{possible} places are violated where values are ignored, which may be impossible"
            ))),
            (None, None) => {
                let bound = match ordering {
                    Ordering::Contexts(bound) if is_bounded => Some(bound),
                    _ => None,
                };
                Outcome::HoldsUpTo(self.bounds(bound))
            }
        })
    }

    fn confirm(&mut self, schedule: &Schedule, property: Property) -> Result<Trace, EngineBug> {
        let (program, visibility, trace) = (self.program, self.visibility, self.trace);
        let replay = || replay_in_program(program, visibility, trace, schedule, property);
        self.prediction.statistics.timed(stage::REPLAYING, replay)
    }

    fn bounds(&self, context_switches: Option<u32>) -> Bounds {
        let by_user = matches!(self.options.context_bound, ContextBound::AtMost(_)) || context_switches.is_none();
        Bounds { recorded_runs: Some(1), context_switches, chosen_by_user: by_user, ..Bounds::default() }
    }
}

impl Prediction {
    /// Adds the answers about another recording of the same program: the worse answer counts.
    pub fn absorb(&mut self, other: Prediction) {
        self.statistics.merge(&other.statistics);
        for finding in other.findings {
            if !self.findings.iter().any(|known| known.violation == finding.violation) {
                self.findings.push(finding);
            }
        }
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
