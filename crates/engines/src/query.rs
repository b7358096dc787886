//! An event graph in a solver: encoded once, asked about as often as needed, and models decoded into schedules. All engines
//! that unfold use it, and so do prediction and the search for invariants; they differ in the graph, in what they ask, and in
//! who decides whether the events of a model can be ordered.

use std::borrow::{Borrow, BorrowMut};

use base::statistics::{size, stage};
use base::{Budget, Statistics, StopReason};
use events::{CutKind, Encoding, EventGraph, Goal, NodeId, ViolationPoint};
use order::OrderGraph;
use program::{Property, PropertySet, Schedule};
use solve::{CadicalSolver, ClauseSink, Dimacs, Lit, SolveResult, Solver};
use terms::{Assignment, TermId};

use crate::engine::{EngineBug, NullObserver, Observer, Progress};

/// How the order of the events of a model is decided.
pub trait OrderDecision {
    /// Whether the graph has an order to decide; if not, its clauses say nothing about order.
    fn has_order(&self) -> bool {
        true
    }

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

/// What an order decision says about a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Validation {
    Feasible,
    /// No execution belongs to it; the clauses, of which there is at least one, rule it out.
    Refuted(Vec<Vec<Lit>>),
    Interrupted(StopReason),
}

/// For a graph without events: there is nothing to order.
pub struct NoOrder;

impl OrderDecision for NoOrder {
    fn has_order(&self) -> bool {
        false
    }

    fn attach(&mut self, _: &OrderGraph, _: &[Goal], _: &mut CadicalSolver) {}

    fn linearisation(&self, _: &OrderGraph, _: &CadicalSolver) -> Vec<order::NodeId> {
        Vec::new()
    }

    fn statistics(&self) -> Statistics {
        Statistics::new()
    }
}

/// An event graph, its clauses in a solver, and what decides the order of its events.
pub struct Query<'a, G, D> {
    graph: G,
    encoding: Encoding,
    solver: CadicalSolver,
    /// What decides the order of events.
    pub decision: D,
    observer: &'a dyn Observer,
    statistics: Statistics,
}

impl<'a, G: BorrowMut<EventGraph>, D: OrderDecision> Query<'a, G, D> {
    /// A query about these properties, with a goal for each.
    pub fn about_properties(
        graph: G,
        properties: PropertySet,
        decision: D,
        observer: &'a dyn Observer,
        budget: &Budget,
    ) -> (Self, Vec<Goal>) {
        Self::new(graph, decision, observer, budget, |graph, encoding, solver| {
            properties.iter().map(|property| encoding.goal(graph.borrow_mut(), property, solver)).collect()
        })
    }

    /// The graph, whose terms may be extended.
    pub fn graph_mut(&mut self) -> &mut EventGraph {
        self.graph.borrow_mut()
    }
}

impl<'a, G: Borrow<EventGraph>, D: OrderDecision> Query<'a, G, D> {
    /// A query about these terms of the graph, with a literal for each.
    pub fn about_terms(
        graph: G,
        terms: impl IntoIterator<Item = TermId>,
        decision: D,
        budget: &Budget,
    ) -> (Self, Vec<Lit>) {
        let mut literals = Vec::new();
        let (query, _) = Self::new(graph, decision, &NullObserver, budget, |graph, encoding, solver| {
            let terms_of_graph = &(*graph).borrow().terms;
            literals = terms.into_iter().map(|term| encoding.blaster.literal(terms_of_graph, term, solver)).collect();
            Vec::new()
        });
        (query, literals)
    }

    fn new(
        mut graph: G,
        mut decision: D,
        observer: &'a dyn Observer,
        budget: &Budget,
        questions: impl FnOnce(&mut G, &mut Encoding, &mut CadicalSolver) -> Vec<Goal>,
    ) -> (Self, Vec<Goal>) {
        let mut statistics = Statistics::new();
        let mut solver = CadicalSolver::new();
        if observer.wants_queries() {
            solver.record_clauses();
        }
        let (encoding, goals) = statistics.timed(stage::ENCODING, || {
            let mut encoding = if decision.has_order() {
                events::encode(graph.borrow(), &mut solver)
            } else {
                events::encode_without_order(graph.borrow(), &mut solver)
            };
            let goals = questions(&mut graph, &mut encoding, &mut solver);
            decision.meet(graph.borrow());
            decision.attach(&encoding.order, &goals, &mut solver);
            (encoding, goals)
        });
        budget.work.add(solver.clause_count());
        (Self { graph, encoding, solver, decision, observer, statistics }, goals)
    }

    pub fn graph(&self) -> &EventGraph {
        self.graph.borrow()
    }

    /// One literal per cause of cuts: assumed, it leaves out executions through such cuts.
    pub fn cuts(&self) -> &[(CutKind, Lit)] {
        &self.encoding.cuts
    }

    /// The number of pairs of a read and a write that it may read from.
    pub fn read_froms(&self) -> usize {
        self.encoding.order.read_froms().len()
    }

    /// The literal of a term of the graph.
    pub fn literal(&mut self, term: TermId) -> Lit {
        self.encoding.blaster.literal(&self.graph.borrow().terms, term, &mut self.solver)
    }

    /// A fresh literal that implies one of these.
    pub fn one_of(&mut self, literals: impl Iterator<Item = Lit>) -> Lit {
        let some = self.solver.new_var().positive();
        let clause: Vec<Lit> = [!some].into_iter().chain(literals).collect();
        self.solver.add_clause(&clause);
        some
    }

    /// Looks for a model under these assumptions whose events can be ordered.
    pub fn ask(&mut self, assumptions: &[Lit], budget: &Budget) -> SolveResult {
        self.statistics.count("queries", 1);
        let Self { solver, decision, encoding, statistics, .. } = self;
        loop {
            let result = statistics.timed(stage::SOLVING, || solver.solve(assumptions, budget));
            if result != SolveResult::Satisfiable {
                return result;
            }
            match statistics.timed(stage::VALIDATING, || decision.validate(&encoding.order, solver, budget)) {
                Validation::Feasible => return result,
                Validation::Interrupted(reason) => return SolveResult::Interrupted(reason),
                Validation::Refuted(clauses) => {
                    clauses.iter().for_each(|clause| solver.add_clause(clause));
                    let refinements = decision.statistics().get_count(size::REFINEMENTS);
                    self.observer.progress(&Progress::Refined { refinements });
                }
            }
        }
    }

    /// Whether the last answer, that there is no model, needs this assumption.
    pub fn in_core(&self, lit: Lit) -> bool {
        self.solver.in_core(lit)
    }

    /// The values of the terms in the model that was found last.
    pub fn model(&self) -> Assignment {
        self.encoding.blaster.assignment(&self.graph.borrow().terms, &self.solver)
    }

    /// The execution that the model stands for, which violates `property`: at one of `points`, if they are given.
    pub fn schedule(&mut self, property: Property, points: Option<&[ViolationPoint]>) -> Result<Schedule, EngineBug> {
        let mut statistics = std::mem::take(&mut self.statistics);
        let schedule = statistics.timed(stage::DECODING, || {
            let order = self.decision.linearisation(&self.encoding.order, &self.solver);
            let nodes: Vec<NodeId> = self.encoding.nodes_of(&order);
            let (graph, model) = (self.graph.borrow(), self.model());
            match points {
                Some(points) => events::decode_at(graph, &model, &nodes, property, points),
                None => events::decode(graph, &model, &nodes, property),
            }
        });
        self.statistics = statistics;
        schedule.ok_or_else(|| EngineBug(format!("a model for {property} contains no violation")))
    }

    /// Everything that was given to the solver, if the observer wants it.
    pub fn recorded_clauses(&self) -> Option<&Dimacs> {
        self.solver.recorded_clauses()
    }

    /// All counts and times so far.
    pub fn statistics(&self) -> Statistics {
        let mut statistics = self.statistics.clone();
        statistics.merge(&self.solver.statistics());
        statistics.merge(&self.decision.statistics());
        statistics
    }
}
