//! The strategy that all bounded engines share: unfold, look for a violation, look for a way through a cut, deepen the
//! loops on that way, and so on until there is an answer. Engines differ only in how they decide the order of events.

use std::collections::{BTreeMap, BTreeSet};

use base::statistics::{size, stage};
use base::{Budget, Span, Statistics, StopReason};
use events::{CutKind, Encoding, EventGraph, Goal, NodeId};
use order::OrderGraph;
use program::{Bounds, Outcome, Property, UnknownReason};
use solve::{CadicalSolver, ClauseSink, Lit, SolveResult, Solver};
use unfold::{Stopped, UnfoldOptions};

use crate::confirm::confirm;
use crate::engine::{Engine, EngineBug, Job, Progress, Report};
use crate::modular;
use crate::query::Query;
use crate::sites::{ViolationSites, in_question};
use crate::static_races;

/// How an engine decides whether the events of a model can be ordered.
pub trait OrderDecision {
    /// Sees the event graph that is about to be encoded, for an engine that wants to name events.
    fn meet(&mut self, _graph: &EventGraph) {}

    /// Makes the solver decide `graph` too. Called once, before the first search; `goals` are what will be asked for.
    fn attach(&mut self, graph: &OrderGraph, goals: &[Goal], solver: &mut CadicalSolver);

    /// Whether clauses alone decide the order, so that they can be given to another solver.
    fn is_in_clauses(&self) -> bool {
        false
    }

    /// Looks at a model. An engine that has the solver decide the whole order accepts it.
    fn validate(&mut self, _graph: &OrderGraph, _solver: &CadicalSolver, _budget: &Budget) -> Validation {
        Validation::Feasible
    }

    /// The executed nodes in a valid order. After a model was found.
    fn linearisation(&self, graph: &OrderGraph, solver: &CadicalSolver) -> Vec<order::NodeId>;

    fn statistics(&self) -> Statistics;
}

/// What an engine makes of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Validation {
    Feasible,
    /// No execution belongs to it; the clauses, of which there is at least one, rule it out.
    Refuted(Vec<Vec<Lit>>),
    Interrupted(StopReason),
}

/// Rounds of each loop in the first unfolding, unless the user says otherwise.
const FIRST_UNWIND: u32 = 2;

/// Checks all properties of the job. `decision` makes a fresh [`OrderDecision`] for each unfolding.
pub fn check<D: OrderDecision>(
    engine: &dyn Engine,
    job: &Job<'_>,
    decision: impl Fn() -> D,
) -> Result<Report, EngineBug> {
    let mut deepening = Deepening::new(job);
    let mut report = Report::default();
    let unproved = static_races::prove(job, &mut report);
    let mut open = Vec::new();
    let questions = in_question(job, unproved);
    for property in unproved.iter() {
        if property == Property::Atomicity {
            report.settle(job, property, Outcome::Unknown(UnknownReason::NotChecked), engine.provenance());
        } else if questions.contains(property) {
            open.push((property, Outcome::Unknown(UnknownReason::NotChecked)));
        } else {
            report.settle(job, property, Outcome::Proved, ViolationSites.provenance());
        }
    }
    let mut deepened = Vec::new();
    let mut modular_proofs = modular::Attempts::new(job.options.unwind.is_none() && !job.options.only);
    while !open.is_empty() {
        deepening.options.properties = open.iter().map(|(property, _)| *property).collect();
        let unwind = deepening.options.unwind;
        job.observer.progress(&Progress::Unfolding { unwind, deepened: std::mem::take(&mut deepened) });
        let mut round = match Round::new(job, &deepening.options, decision(), &open, &mut report.statistics) {
            Ok(round) => round,
            Err(Stopped(reason)) => {
                report.stopped = Some(reason);
                stop(&mut open, reason);
                break;
            }
        };
        let mut deepen = BTreeSet::new();
        let mut still_open = Vec::new();
        for (property, earlier) in open {
            if job.options.first && report.has_violation() {
                still_open.push((property, earlier));
                continue;
            }
            match round.check(property, &deepening, &mut report.statistics)? {
                Answer::Final(outcome) => report.settle(job, property, outcome, engine.provenance()),
                Answer::Cut { outcome, kinds } => {
                    job.observer.learned(property, &outcome, engine.provenance(), &report.statistics);
                    deepen.extend(kinds);
                    still_open.push((property, outcome));
                }
                Answer::Stopped(reason) => {
                    report.stopped = Some(reason);
                    still_open.push((property, stopped(earlier, reason)));
                }
            }
        }
        report.statistics.merge(&round.statistics());
        deepened = deepen.iter().filter_map(|kind| round.span_of(kind)).collect();
        open = still_open;
        let is_over = |open: &[_], report: &Report| open.is_empty() || (job.options.first && report.has_violation());
        if !is_over(&open, &report) && report.stopped.is_none() {
            let properties = open.iter().map(|(property, _)| *property).collect();
            let proved = modular_proofs.prove(job, properties, &mut report.statistics);
            for &property in &proved {
                report.settle(job, property, Outcome::Proved, modular::provenance(property));
            }
            open.retain(|(property, _)| !proved.contains(property));
        }
        if is_over(&open, &report) {
            break;
        }
        report.stopped = report.stopped.or(job.budget.check().err());
        if report.stopped.is_some() || !deepening.deepen(&deepen) {
            break;
        }
    }
    for (property, outcome) in open {
        report.add(property, outcome, engine.provenance());
    }
    report.outcomes.sort_by_key(|(property, _)| *property);
    Ok(report)
}

/// What the budget's end leaves of an earlier answer: a bound reached before stays worth saying.
fn stopped(earlier: Outcome, reason: StopReason) -> Outcome {
    match earlier {
        bounded @ Outcome::HoldsUpTo(_) => bounded,
        _ => Outcome::Unknown(UnknownReason::Stopped(reason)),
    }
}

fn stop(open: &mut [(Property, Outcome)], reason: StopReason) {
    for (_, outcome) in open {
        *outcome = stopped(outcome.clone(), reason);
    }
}

/// The bounds so far and how they grow.
struct Deepening<'a> {
    job: &'a Job<'a>,
    options: UnfoldOptions,
}

impl<'a> Deepening<'a> {
    fn new(job: &'a Job<'a>) -> Self {
        let limit = job.options.max_unwind.unwrap_or(u32::MAX);
        let unwind = job.options.unwind.unwrap_or(FIRST_UNWIND.min(limit));
        let optimisations = job.options.optimisations;
        Self { job, options: UnfoldOptions { optimisations, ..UnfoldOptions::new(unwind, job.properties) } }
    }

    /// Raises the bounds of these cuts; `false` if none can be raised.
    fn deepen(&mut self, kinds: &BTreeSet<CutKind>) -> bool {
        if self.job.options.unwind.is_some() {
            return false;
        }
        let limit = self.job.options.max_unwind.unwrap_or(1 << 20);
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
    Final(Outcome),
    /// No violation, but executions go through cuts of these kinds.
    Cut {
        outcome: Outcome,
        kinds: BTreeSet<CutKind>,
    },
    Stopped(StopReason),
}

/// One unfolding with its solver.
struct Round<'a, D> {
    job: &'a Job<'a>,
    graph: EventGraph,
    encoding: Encoding,
    solver: CadicalSolver,
    decision: D,
    goals: Vec<Goal>,
}

impl<'a, D: OrderDecision> Round<'a, D> {
    fn new(
        job: &'a Job<'a>,
        options: &UnfoldOptions,
        mut decision: D,
        open: &[(Property, Outcome)],
        statistics: &mut Statistics,
    ) -> Result<Self, Stopped> {
        let unfolded = statistics
            .timed(stage::UNFOLDING, || unfold::unfold(job.program(), &job.visibility(), options, job.budget));
        let mut graph = unfolded?;
        let mut solver = CadicalSolver::new();
        if job.observer.wants_queries() {
            solver.record_clauses();
        }
        let (encoding, goals) = statistics.timed(stage::ENCODING, || {
            let mut encoding = events::encode(&graph, &mut solver);
            let goal = |&(property, _): &(Property, _)| encoding.goal(&mut graph, property, &mut solver);
            let goals: Vec<_> = open.iter().map(goal).collect();
            decision.meet(&graph);
            decision.attach(&encoding.order, &goals, &mut solver);
            (encoding, goals)
        });
        statistics.count("unfoldings", 1);
        statistics.count("events", graph.events.len() as u64);
        statistics.count("read-from candidates", encoding.order.read_froms().len() as u64);
        statistics.count("terms", graph.terms.len() as u64);
        Ok(Self { job, graph, encoding, solver, decision, goals })
    }

    fn check(
        &mut self,
        property: Property,
        deepening: &Deepening<'_>,
        statistics: &mut Statistics,
    ) -> Result<Answer, EngineBug> {
        let (events, unwind) = (self.graph.events.len(), deepening.unwind());
        self.job.observer.progress(&Progress::Solving { property, unwind, events });
        let goal = self.goals.iter().find(|goal| goal.property == property).expect("a goal per open property").lit;
        let every_cut: Vec<Lit> = self.encoding.cuts.iter().map(|(_, lit)| *lit).collect();
        self.show_query(property, unwind, goal, &every_cut);
        match self.solve(goal, &every_cut, statistics) {
            SolveResult::Satisfiable => Ok(Answer::Final(self.explain(property, statistics)?)),
            SolveResult::Interrupted(reason) => Ok(Answer::Stopped(reason)),
            SolveResult::Unsatisfiable => Ok(self.check_cuts(property, goal, deepening, statistics)),
        }
    }

    fn show_query(&self, property: Property, unwind: u32, goal: Lit, left_out: &[Lit]) {
        if let Some(clauses) = self.solver.recorded_clauses() {
            let assumptions: Vec<Lit> = [goal].into_iter().chain(left_out.iter().copied()).collect();
            let (graph, is_complete) = (&self.graph, self.decision.is_in_clauses());
            let query = Query { property, unwind, graph, clauses, assumptions: &assumptions, is_complete };
            self.job.observer.query(&query);
        }
    }

    fn solve(&mut self, goal: Lit, left_out: &[Lit], statistics: &mut Statistics) -> SolveResult {
        let assumptions: Vec<Lit> = [goal].into_iter().chain(left_out.iter().copied()).collect();
        statistics.count("queries", 1);
        let (solver, budget) = (&mut self.solver, self.job.budget);
        loop {
            let result = statistics.timed(stage::SOLVING, || solver.solve(&assumptions, budget));
            if result != SolveResult::Satisfiable {
                return result;
            }
            let (decision, order) = (&mut self.decision, &self.encoding.order);
            match statistics.timed(stage::VALIDATING, || decision.validate(order, solver, budget)) {
                Validation::Feasible => return result,
                Validation::Interrupted(reason) => return SolveResult::Interrupted(reason),
                Validation::Refuted(clauses) => {
                    clauses.iter().for_each(|clause| solver.add_clause(clause));
                    let refinements = decision.statistics().get_count(size::REFINEMENTS);
                    self.job.observer.progress(&Progress::Refined { refinements });
                }
            }
        }
    }

    fn explain(&mut self, property: Property, statistics: &mut Statistics) -> Result<Outcome, EngineBug> {
        let schedule = statistics.timed(stage::DECODING, || {
            let order = self.decision.linearisation(&self.encoding.order, &self.solver);
            let nodes: Vec<NodeId> = self.encoding.nodes_of(&order);
            let assignment = self.encoding.blaster.assignment(&self.graph.terms, &self.solver);
            events::decode(&self.graph, &assignment, &nodes, property)
        });
        let schedule = schedule.ok_or_else(|| EngineBug(format!("a model for {property} contains no violation")))?;
        let replayed = statistics.timed(stage::REPLAYING, || confirm(self.job.analyses, &schedule, property));
        Ok(replayed?.into_outcome())
    }

    /// No violation inside the cuts: which cuts can be reached at all?
    fn check_cuts(
        &mut self,
        property: Property,
        goal: Lit,
        deepening: &Deepening<'_>,
        statistics: &mut Statistics,
    ) -> Answer {
        let mut left_out = Vec::new();
        let mut kinds = BTreeSet::new();
        loop {
            match self.solve(goal, &left_out, statistics) {
                SolveResult::Unsatisfiable => break,
                SolveResult::Interrupted(reason) => return Answer::Stopped(reason),
                SolveResult::Satisfiable => {
                    let reached = self.reached_cuts(property);
                    assert!(!reached.is_empty(), "a model without a violation should go through a cut");
                    left_out.extend(reached.iter().map(|(_, lit)| *lit));
                    kinds.extend(reached.into_iter().map(|(kind, _)| kind));
                }
            }
        }
        if kinds.is_empty() {
            return Answer::Final(Outcome::Proved);
        }
        let outcome = self.bounded_outcome(property, &kinds, deepening);
        Answer::Cut { outcome, kinds }
    }

    /// The causes of the cuts that the model goes through.
    fn reached_cuts(&self, property: Property) -> Vec<(CutKind, Lit)> {
        let assignment = self.encoding.blaster.assignment(&self.graph.terms, &self.solver);
        let mut values = terms::Evaluator::new(&self.graph.terms, &assignment);
        let reached: BTreeSet<&CutKind> = self
            .graph
            .cuts
            .iter()
            .filter(|cut| cut.concerns(property) && values.value(cut.reached) != 0 && values.value(cut.literal) == 0)
            .map(|cut| &cut.kind)
            .collect();
        self.encoding.cuts.iter().filter(|(kind, _)| reached.contains(kind)).cloned().collect()
    }

    fn span_of(&self, kind: &CutKind) -> Option<Span> {
        self.graph.cuts.iter().find(|cut| cut.kind == *kind).map(|cut| cut.span)
    }

    fn bounded_outcome(&self, property: Property, kinds: &BTreeSet<CutKind>, deepening: &Deepening<'_>) -> Outcome {
        for kind in kinds {
            if let CutKind::Unsupported { what } | CutKind::RaceGap { what } = kind {
                let span = self.span_of(kind).unwrap_or(Span::UNKNOWN);
                return Outcome::Unknown(UnknownReason::Unsupported { what: what.clone(), span });
            }
        }
        if property == Property::ValidMemtrack {
            // Losses are seen where the process exits; an execution that is cut before may have lost something.
            let what = "memory in an execution that may not come to its end within the bounds".to_owned();
            let span = kinds.iter().find_map(|kind| self.span_of(kind)).unwrap_or(Span::UNKNOWN);
            return Outcome::Unknown(UnknownReason::Unsupported { what, span });
        }
        let is_loop = |kind: &&CutKind| matches!(kind, CutKind::Loop { .. } | CutKind::Recursion { .. });
        let allocation = kinds.iter().filter_map(|kind| match kind {
            CutKind::Allocation { location } => Some(deepening.options.allocation_limit(*location)),
            _ => None,
        });
        let unwind = kinds.iter().filter(is_loop).map(|kind| deepening.options.bound(kind)).min();
        let at_users_limit =
            self.job.options.max_unwind.is_some_and(|limit| unwind.is_none_or(|unwind| unwind >= limit));
        Outcome::HoldsUpTo(Bounds {
            unwind,
            cut: kinds.iter().filter_map(|kind| self.span_of(kind)).collect(),
            allocation: allocation.min(),
            threads: kinds.contains(&CutKind::Threads).then_some(deepening.options.threads + 1),
            chosen_by_user: self.job.options.unwind.is_some() || at_users_limit,
            ..Bounds::default()
        })
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = self.solver.statistics();
        statistics.merge(&self.decision.statistics());
        statistics
    }
}
