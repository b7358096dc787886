//! The question whether a reordering violates a property, in clauses: Φ_PO ∧ Φ_VD ∧ Φ_PI ∧ Φ_PRP of the paper (§4.2).
//!
//! The unfolding of the trace program has one path per thread. Its chains are Φ_PO, its values Φ_VD, its read-from
//! candidates the π-functions; [`Ordering`] says who decides whether they can be ordered. Φ_PRP is a list of *goals*, asked
//! about one by one in one solver. A thread that cannot go on as recorded stops, and the others go on: erroneous prefixes
//! (§5.3) are nothing special.

use base::{Budget, Span, Statistics};
use engines::{EngineBug, Query};
use events::{CutKind, EventGraph, ViolationPoint};
use program::{Property, PropertySet, Schedule, UnknownReason, Visibility};
use solve::{Lit, SolveResult};
use terms::TermId;
use unfold::{Stopped, UnfoldOptions};

use crate::ordering::{Decider, Ordering};
use crate::trace_program::TraceProgram;

/// Something to look for.
#[derive(Clone, Debug)]
pub struct PredictionGoal {
    /// Where it happens, in the program that was recorded.
    pub place: program::Location,
    /// It happens.
    pub condition: TermId,
    /// Where an execution in which it happens may end; empty for a deadlock.
    pub points: Vec<ViolationPoint>,
}

/// Unfolds the trace program. With `every_access`, all accesses that may be in conflict can be ordered.
pub fn unfold_trace(
    trace: &TraceProgram,
    properties: PropertySet,
    every_access: bool,
    budget: &Budget,
) -> Result<EventGraph, UnknownReason> {
    let mut options = UnfoldOptions::new(1, properties);
    options.every_access = every_access;
    options.optimisations.critical_sections = !every_access;
    let visibility = Visibility::new(&trace.program);
    let graph = unfold::unfold(&trace.program, &visibility, &options, budget);
    graph.map_err(|Stopped(reason)| UnknownReason::Stopped(reason))
}

/// The clauses of an unfolded trace program, in a solver.
pub struct Search<'a> {
    graph: &'a EventGraph,
    property: Property,
    query: Query<'static, &'a EventGraph, Decider>,
    budget: &'a Budget,
    conditions: Vec<Lit>,
    /// Every literal that leaves out what has no symbolic meaning.
    cuts: Vec<Lit>,
}

/// What one search says.
#[derive(Debug)]
pub enum SearchResult {
    /// A schedule of the trace program.
    Yes(Schedule),
    No {
        /// Whether the bound on contexts took part in the argument.
        bounded: bool,
    },
    Unknown(UnknownReason),
}

impl<'a> Search<'a> {
    /// `conditions` are terms of the graph to be asked about.
    pub fn new(
        graph: &'a EventGraph,
        property: Property,
        conditions: impl IntoIterator<Item = TermId>,
        ordering: Ordering,
        budget: &'a Budget,
    ) -> Self {
        let (query, conditions) = Query::about_terms(graph, conditions, Decider::new(ordering), budget);
        let cuts = query.cuts().iter().map(|(_, lit)| *lit).collect();
        Self { graph, property, query, budget, conditions, cuts }
    }

    pub fn property(&self) -> Property {
        self.property
    }

    pub fn graph(&self) -> &'a EventGraph {
        self.graph
    }

    /// Looks for an execution in which the condition with this index holds and the excluded ones do not.
    pub fn ask(
        &mut self,
        goal: usize,
        excluded: &[usize],
        points: &[ViolationPoint],
    ) -> Result<SearchResult, EngineBug> {
        let mut assumptions = vec![self.conditions[goal]];
        assumptions.extend(excluded.iter().map(|&other| !self.conditions[other]));
        assumptions.extend(&self.cuts);
        let bound = self.query.decision.bound();
        assumptions.extend(bound);
        Ok(match self.query.ask(&assumptions, self.budget) {
            SolveResult::Satisfiable => SearchResult::Yes(self.query.schedule(self.property, Some(points))?),
            SolveResult::Unsatisfiable => {
                SearchResult::No { bounded: bound.is_some_and(|lit| self.query.in_core(lit)) }
            }
            SolveResult::Interrupted(reason) => SearchResult::Unknown(UnknownReason::Stopped(reason)),
        })
    }

    /// Whether no execution reaches the condition with this index, whatever the bound on contexts. `false` says nothing.
    pub fn refutes(&mut self, goal: usize) -> bool {
        let bound = self.query.decision.bound();
        let assumptions: Vec<Lit> =
            [self.conditions[goal]].into_iter().chain(self.cuts.iter().copied()).chain(bound).collect();
        self.query.ask(&assumptions, self.budget) == SolveResult::Unsatisfiable
            && !bound.is_some_and(|lit| self.query.in_core(lit))
    }

    /// Whether some execution goes through the cut whose `reached` is the condition with this index.
    pub fn reaches(&mut self, goal: usize) -> Result<bool, UnknownReason> {
        let condition = self.conditions[goal];
        match self.query.ask(&[condition], self.budget) {
            SolveResult::Satisfiable => Ok(true),
            SolveResult::Unsatisfiable => Ok(false),
            SolveResult::Interrupted(reason) => Err(UnknownReason::Stopped(reason)),
        }
    }

    /// All counts and times of this search.
    pub fn finish(self) -> Statistics {
        self.query.statistics()
    }
}

/// Without prefixes, every thread but the one that goes wrong has to do all that is recorded of it.
pub fn demand_completion(graph: &mut EventGraph, goals: &mut [PredictionGoal]) {
    let ends: Vec<_> = graph
        .instances
        .iter_enumerated()
        .filter_map(|(id, instance)| Some((id, graph.guards.term(instance.steps.last()?.completes))))
        .collect();
    for goal in goals {
        let is_wrong =
            |id| goal.points.iter().any(|point| point.property != Property::Atomicity && point.instance == id);
        let others: Vec<_> = ends.iter().filter(|(id, _)| !is_wrong(*id)).map(|(_, term)| *term).collect();
        let complete = graph.terms.and_all(&others);
        goal.condition = graph.terms.and(goal.condition, complete);
    }
}

/// What some execution reaches that has no symbolic meaning and matters to the property.
pub fn reached_cut(
    graph: &EventGraph,
    property: Property,
    ordering: Ordering,
    budget: &Budget,
) -> (Option<UnknownReason>, Statistics) {
    let cuts: Vec<_> = graph.cuts.iter().filter(|cut| cut.concerns(property)).collect();
    if cuts.is_empty() {
        return (None, Statistics::new());
    }
    let mut search = Search::new(graph, property, cuts.iter().map(|cut| cut.reached), ordering, budget);
    let mut reason = None;
    for (index, cut) in cuts.iter().enumerate() {
        reason = match search.reaches(index) {
            Ok(false) => continue,
            Ok(true) => Some(unsupported(&cut.kind, cut.span)),
            Err(stopped) => Some(stopped),
        };
        break;
    }
    (reason, search.finish())
}

fn unsupported(cut: &CutKind, span: Span) -> UnknownReason {
    let what = match cut {
        CutKind::Unsupported { what } | CutKind::RaceGap { what } => what.clone(),
        CutKind::Threads => "that many threads".to_owned(),
        CutKind::Allocation { .. } => "an allocation whose size depends on the schedule".to_owned(),
        CutKind::Loop { .. } | CutKind::Recursion { .. } => "a loop in a recorded path".to_owned(),
    };
    UnknownReason::Unsupported { what, span }
}
