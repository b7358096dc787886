//! Looks for all violations of a property other than atomicity: one goal for each place where it may be violated. Goals are
//! asked about in groups, each with a solver of its own, which jobs share among them.

use std::collections::BTreeMap;
use std::ops::Range;

use base::statistics::stage;
use base::{Budget, Statistics};
use engines::EngineBug;
use engines::confirm::Replayed;
use events::EventGraph;
use program::{Analyses, Function, Location, Property, PropertySet, Schedule, Trace, UnknownReason};

use crate::accumulator::constrain_accumulators;
use crate::first_violation::add_first_goal;
use crate::jobs::{in_parallel, part};
use crate::model::Model;
use crate::ordering::Ordering;
use crate::prediction::PredictOptions;
use crate::search::{PredictionGoal, Search, SearchResult, demand_completion, reached_cut, unfold_trace};
use crate::trace_program::TraceProgram;
use crate::translate::replay_in_program;

/// Goals that one solver is asked about: enough to learn from each other, few enough for several jobs.
const GROUP: usize = 16;

/// What the jobs have in common.
#[derive(Clone, Copy)]
pub struct GoalSearch<'a> {
    pub analyses: &'a Analyses<'a>,
    pub trace: &'a TraceProgram,
    pub options: &'a PredictOptions,
    pub budget: &'a Budget,
    pub property: Property,
}

/// The event graph and what is looked for in it.
pub struct Prepared {
    pub graph: EventGraph,
    pub goals: Vec<PredictionGoal>,
}

/// What is known about some goals.
#[derive(Default)]
pub struct Answers {
    /// Replayed, in the order in which they were found; one place may have several.
    pub findings: Vec<Trace>,
    /// Places that go wrong where values are ignored.
    pub possible: usize,
    /// Whether the bound on contexts took part in an argument that there is nothing.
    pub bounded: bool,
    pub unknown: Option<UnknownReason>,
    pub statistics: Statistics,
}

impl Answers {
    fn merge(&mut self, other: Answers) {
        self.findings.extend(other.findings);
        self.possible += other.possible;
        self.bounded |= other.bounded;
        self.unknown = self.unknown.take().or(other.unknown);
        self.statistics.merge(&other.statistics);
    }
}

impl GoalSearch<'_> {
    pub fn prepare(&self) -> Result<Prepared, UnknownReason> {
        let mut graph = unfold_trace(self.trace, PropertySet::of(&[self.property]), false, self.budget)?;
        constrain_accumulators(&mut graph);
        let mut goals = self.goals(&mut graph);
        if self.options.complete_only {
            demand_completion(&mut graph, &mut goals);
        }
        Ok(Prepared { graph, goals })
    }

    /// One goal for each place in the program where the property may be violated, in the order of the places.
    fn goals(&self, graph: &mut EventGraph) -> Vec<PredictionGoal> {
        let mut places: BTreeMap<Location, PredictionGoal> = BTreeMap::new();
        for point in graph.violations.iter().filter(|point| point.property == self.property) {
            let place = self.trace.place(point.location);
            let goal =
                places.entry(place).or_insert(PredictionGoal { place, condition: point.condition, points: Vec::new() });
            goal.condition = graph.terms.or(goal.condition, point.condition);
            goal.points.push(point.clone());
        }
        let deadlock = graph.deadlock.as_ref().filter(|_| self.property == Property::NoDeadlock);
        let deadlock = deadlock.map(|deadlock| PredictionGoal {
            place: Location { function: self.analyses.program.entry, block: Function::ENTRY, index: 0 },
            condition: deadlock.deadlocked,
            points: Vec::new(),
        });
        places.into_values().chain(deadlock).collect()
    }

    /// Decides all goals.
    pub fn decide_all(&self, own: &Prepared, ordering: Ordering) -> Result<Answers, EngineBug> {
        let count = own.goals.len();
        let decide = |prepared: &Prepared, number| self.decide(prepared, part(number, GROUP, count), ordering);
        let parts = count.div_ceil(GROUP);
        let groups = in_parallel(self.options.jobs, parts, own, || self.prepare().ok(), decide)?;
        let mut all = Answers::default();
        for group in groups {
            all.merge(group?);
        }
        if all.findings.is_empty() {
            let (unknown, statistics) = reached_cut(&own.graph, self.property, ordering, self.budget);
            all.merge(Answers { unknown, statistics, ..Answers::default() });
        }
        Ok(all)
    }

    fn decide(&self, prepared: &Prepared, group: Range<usize>, ordering: Ordering) -> Result<Answers, EngineBug> {
        let Prepared { graph, goals } = prepared;
        let conditions = goals.iter().map(|goal| goal.condition);
        let search = Search::new(graph, self.property, conditions, ordering, self.budget);
        let mut asking = Asking { with: self, goals, ordering, search, answers: Answers::default() };
        for index in group {
            asking.look_for(index)?;
        }
        let Asking { search, mut answers, .. } = asking;
        answers.statistics.merge(&search.finish());
        Ok(answers)
    }

    fn confirm(&self, schedule: &Schedule, statistics: &mut Statistics) -> Result<Replayed, EngineBug> {
        let replay = || replay_in_program(self.analyses, self.trace, schedule, self.property);
        self.options.allow_for_fixed_addresses(statistics.timed(stage::REPLAYING, replay))
    }
}

/// One solver, asked about a group of goals.
struct Asking<'a> {
    with: &'a GoalSearch<'a>,
    goals: &'a [PredictionGoal],
    ordering: Ordering,
    search: Search<'a>,
    answers: Answers,
}

impl Asking<'_> {
    /// Looks for one goal. The interpreter may run into another one on the way, which is found then, too; the goal is
    /// looked for again without that.
    fn look_for(&mut self, index: usize) -> Result<(), EngineBug> {
        let mut others = Vec::new();
        loop {
            let is_seen = !others.is_empty();
            let schedule = match self.search.ask(index, &others, &self.goals[index].points)? {
                SearchResult::Yes(_) if self.with.options.model == Model::Relaxed => {
                    self.answers.possible += 1;
                    return Ok(());
                }
                SearchResult::Yes(schedule) => schedule,
                SearchResult::No { .. } if is_seen => return self.look_for_first(index),
                SearchResult::No { bounded } => {
                    self.answers.bounded |= bounded;
                    return Ok(());
                }
                SearchResult::Unknown(_) if is_seen => return Ok(()),
                SearchResult::Unknown(reason) => {
                    self.answers.unknown.get_or_insert(reason);
                    return Ok(());
                }
            };
            let trace = match self.with.confirm(&schedule, &mut self.answers.statistics)? {
                Replayed::Violation(trace) => *trace,
                Replayed::Unclear(reason) => {
                    self.answers.unknown.get_or_insert(reason);
                    return Ok(());
                }
            };
            let place = trace.violation.location;
            self.answers.findings.push(trace);
            match self.goals.iter().position(|goal| goal.place == place) {
                Some(other) if other != index && !others.contains(&other) => others.push(other),
                _ => return Ok(()),
            }
        }
    }

    /// Looks for a goal that is never found alone, before all others.
    fn look_for_first(&mut self, index: usize) -> Result<(), EngineBug> {
        let (goal, mut graph) = (&self.goals[index], self.search.graph().clone());
        let others: Vec<&PredictionGoal> =
            self.goals.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, goal)| goal).collect();
        let Some(condition) = add_first_goal(&mut graph, goal, &others) else { return Ok(()) };
        let mut search = Search::new(&graph, self.with.property, [condition], self.ordering, self.with.budget);
        if let SearchResult::Yes(schedule) = search.ask(0, &[], &goal.points)? {
            match self.with.confirm(&schedule, &mut self.answers.statistics)? {
                Replayed::Violation(trace) => self.answers.findings.push(*trace),
                Replayed::Unclear(reason) => {
                    self.answers.unknown.get_or_insert(reason);
                }
            }
        }
        self.answers.statistics.merge(&search.finish());
        Ok(())
    }
}
