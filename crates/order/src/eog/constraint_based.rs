//! Constraint-based validation and refinement (Sections 4.3 and 5.2 of the Yogar-CBMC paper): the order requirements of
//! one event order graph as a formula over clocks, with its literals as assumptions. A model orders the nodes; a
//! refutation gives an unsatisfiable core, which becomes the clause.

use base::{Budget, Id, StopReason};
use rustc_hash::FxHashMap;
use solve::{CadicalSolver, ClauseSink, Lit, SolveResult, Solver, Var};

use super::event_order_graph::EventOrderGraph;
use super::kernel_reason::implied_guards;
use crate::clock::ClockEncoding;
use crate::graph::{EventId, EventKind, NodeId, OrderGraph};

/// What the constraint solver says about an event order graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConstraintVerdict {
    /// The executed nodes in a sequentially consistent order.
    Feasible(Vec<NodeId>),
    /// Literals of the counterexample that cannot hold together.
    Infeasible(Vec<Lit>),
    Interrupted(StopReason),
}

/// Decides `eog` exactly.
pub fn constraint_based(eog: &EventOrderGraph<'_>, budget: &Budget) -> ConstraintVerdict {
    let mut solver = CadicalSolver::new();
    let excerpt = Excerpt::new(eog, &mut solver);
    let clocks = ClockEncoding::encode(&excerpt.graph, &mut solver);
    let clocks = clocks.expect("an excerpt of a well-formed graph should be well formed");
    match solver.solve(&excerpt.assumptions(), budget) {
        SolveResult::Satisfiable => {
            let order = clocks.linearisation(&excerpt.graph, |lit| solver.value(lit));
            ConstraintVerdict::Feasible(order.into_iter().map(|node| eog.node_at[node.index()]).collect())
        }
        SolveResult::Unsatisfiable => ConstraintVerdict::Infeasible(excerpt.core(eog, &solver)),
        SolveResult::Interrupted(reason) => ConstraintVerdict::Interrupted(reason),
    }
}

/// The part of the order graph that the counterexample uses, over variables of its own. Its nodes are the places.
struct Excerpt {
    graph: OrderGraph,
    /// Literals of the counterexample with their counterparts, in the order in which they were met.
    literals: Vec<(Lit, Lit)>,
}

impl Excerpt {
    fn new(eog: &EventOrderGraph<'_>, solver: &mut CadicalSolver) -> Self {
        let true_lit = solver.new_var().positive();
        solver.add_clause(&[true_lit]);
        let mut counterparts = Counterparts { literals: Vec::new(), of_var: FxHashMap::default(), solver };
        counterparts.of_var.insert(eog.graph.true_lit().var(), true_lit.var().lit(eog.graph.true_lit().is_positive()));
        let mut graph = OrderGraph::new(true_lit);
        for _ in 0..eog.graph.address_count() {
            graph.add_address();
        }
        for _ in 0..eog.graph.mutex_count() {
            graph.add_mutex();
        }
        let chains: Vec<_> = eog.graph.chains().iter().map(|_| graph.add_chain()).collect();
        for (index, &node) in eog.node_at.iter().enumerate() {
            let original = &eog.graph.nodes()[node];
            let guard = counterparts.of(original.guard, eog.executed[index]);
            graph.add_node(chains[original.chain.index()], guard);
        }
        add_links(eog, &mut graph, &mut counterparts);
        for edge in &eog.edges {
            let lit = counterparts.of(edge.lit, true);
            graph.add_edge(NodeId(edge.from.0), NodeId(edge.to.0), lit);
        }
        for section in &eog.sections {
            let unlocks = section.candidates.iter().map(|&(place, _)| NodeId(place.0)).collect();
            graph.add_section(crate::graph::MutexId(section.mutex), NodeId(section.lock.0), unlocks);
        }
        let literals = counterparts.literals;
        Self { graph, literals }
    }

    fn assumptions(&self) -> Vec<Lit> {
        self.literals.iter().map(|&(_, own)| own).collect()
    }

    /// The literals that took part in the refutation, without guards that a read-from literal among them implies.
    fn core(&self, eog: &EventOrderGraph<'_>, solver: &CadicalSolver) -> Vec<Lit> {
        let used: Vec<Lit> =
            self.literals.iter().filter(|(_, own)| solver.in_core(*own)).map(|&(original, _)| original).collect();
        let implied = implied_guards(eog);
        let is_implied = |lit: &Lit| used.iter().any(|other| implied.get(other).is_some_and(|g| g.contains(lit)));
        used.iter().copied().filter(|lit| !is_implied(lit)).collect()
    }
}

/// Writes that interfere and the reads of links between nodes; nothing else matters for the order.
fn add_links(eog: &EventOrderGraph<'_>, graph: &mut OrderGraph, counterparts: &mut Counterparts<'_>) {
    let mut events: Vec<(EventId, u32)> = Vec::new();
    for write in eog.writes.iter().flatten() {
        events.push((write.event, write.place.0));
    }
    for link in &eog.links {
        events.push((eog.graph.read_froms()[link.id].read, link.target.0));
    }
    events.sort_unstable();
    events.dedup();
    let mut names: FxHashMap<EventId, EventId> = FxHashMap::default();
    for (event, place) in events {
        let original = eog.graph.events()[event];
        let guard = counterparts.of(original.guard, true);
        let name = match original.kind {
            EventKind::Read => graph.add_read(NodeId(place), original.address, guard),
            EventKind::Write => graph.add_write(NodeId(place), original.address, guard),
        };
        names.insert(event, name);
    }
    for link in &eog.links {
        let rf = eog.graph.read_froms()[link.id];
        let lit = counterparts.of(rf.lit, true);
        graph.add_read_from(names[&rf.write], names[&rf.read], lit);
    }
}

/// Variables of the small solver for those of the counterexample.
struct Counterparts<'s> {
    literals: Vec<(Lit, Lit)>,
    of_var: FxHashMap<Var, Lit>,
    solver: &'s mut CadicalSolver,
}

impl Counterparts<'_> {
    /// The counterpart of `lit`, whose truth in the counterexample is `truth`.
    fn of(&mut self, lit: Lit, truth: bool) -> Lit {
        let positive = match self.of_var.get(&lit.var()) {
            Some(&own) => own,
            None => {
                let own = self.solver.new_var().positive();
                self.of_var.insert(lit.var(), own);
                let (lit, own) = (if truth { lit } else { !lit }, if truth == lit.is_positive() { own } else { !own });
                self.literals.push((lit, own));
                self.of_var[&lit.var()]
            }
        };
        if lit.is_positive() { positive } else { !positive }
    }
}
