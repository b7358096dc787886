//! Clocks that count contexts: symbolic context bounding of Wang, Kundu, Limaye, Ganai and Gupta, "Symbolic Predictive
//! Analysis for Concurrent Programs", §6.
//!
//! Every node has a clock from 0 to the bound. Inside a chain clocks do not go down (≤); whatever orders nodes of two chains
//! makes the later clock greater (<), since there is a context switch between them. Guarantee (Theorem 6.1): an order
//! with no more switches than the bound satisfies the clauses. The converse does not hold: chains that share a clock
//! value are in no order, so that a model may need more switches than the bound when it is made into a sequence.
//!
//! All clauses are conditional on one literal. Who refutes them without that literal in the core has refuted all orders,
//! provided that something else in the solver decides the order without a bound.

use base::{Id, IdVec};
use rustc_hash::FxHashMap;
use solve::{ClauseSink, Lit};

use crate::graph::{EventId, EventKind, NodeId, OrderEvent, OrderGraph, Section};

/// The clocks of an encoded graph.
#[derive(Clone, Debug)]
pub struct ContextClocks {
    /// For each node and each k from 1 to the bound, whether its clock is at least k.
    clocks: IdVec<NodeId, Vec<Lit>>,
    /// The bound holds.
    pub bounded: Lit,
}

impl ContextClocks {
    /// Adds the clauses for `graph` and at most `bound` context switches.
    pub fn encode(graph: &OrderGraph, bound: u32, sink: &mut impl ClauseSink) -> Self {
        let bounded = sink.new_var().positive();
        let clocks = graph.nodes().iter().map(|_| (0..bound).map(|_| sink.new_var().positive()).collect()).collect();
        let mut encoder = ContextClockEncoder { graph, sink, clocks, bounded, before: FxHashMap::default() };
        encoder.encode_order();
        encoder.encode_read_froms();
        encoder.encode_sections();
        Self { clocks: encoder.clocks, bounded }
    }

    /// The executed nodes by their clocks in a model.
    pub fn linearisation(&self, graph: &OrderGraph, truth: impl Fn(Lit) -> bool) -> Vec<NodeId> {
        let time = |node: NodeId| self.clocks[node].iter().filter(|&&lit| truth(lit)).count();
        let place = |node: NodeId| (graph.nodes()[node].chain, graph.nodes()[node].position);
        let mut nodes: Vec<NodeId> = graph.nodes().ids().filter(|&node| truth(graph.nodes()[node].guard)).collect();
        nodes.sort_by_key(|&node| (time(node), place(node)));
        nodes
    }
}

struct ContextClockEncoder<'a, S: ClauseSink> {
    graph: &'a OrderGraph,
    sink: &'a mut S,
    clocks: IdVec<NodeId, Vec<Lit>>,
    bounded: Lit,
    /// For two nodes of different chains, a literal that makes the first clock less than the second.
    before: FxHashMap<(NodeId, NodeId), Lit>,
}

impl<S: ClauseSink> ContextClockEncoder<'_, S> {
    fn encode_order(&mut self) {
        for clock in self.clocks.iter() {
            for pair in clock.windows(2) {
                self.sink.add_clause(&[!pair[1], pair[0]]);
            }
        }
        for chain in self.graph.chains() {
            for pair in chain.windows(2) {
                for k in 0..self.clocks[pair[0]].len() {
                    let clause = [!self.bounded, !self.clocks[pair[0]][k], self.clocks[pair[1]][k]];
                    self.sink.add_clause(&clause);
                }
            }
        }
        for edge in self.graph.edges() {
            // What is never executed takes no context.
            let is_executed = |node: NodeId| self.graph.nodes()[node].guard != !self.graph.true_lit();
            if !is_executed(edge.from) || !is_executed(edge.to) {
                continue;
            }
            let before = self.before(edge.from, edge.to);
            self.add(&[!edge.lit, before]);
        }
    }

    fn encode_read_froms(&mut self) {
        let mut writes: Vec<Vec<EventId>> = vec![Vec::new(); self.graph.address_count()];
        for (id, event) in self.graph.events().iter_enumerated() {
            if event.kind == EventKind::Write {
                writes[event.address.index()].push(id);
            }
        }
        for rf in self.graph.read_froms() {
            let (write, read) = (self.graph.events()[rf.write], self.graph.events()[rf.read]);
            if write.node == read.node {
                continue;
            }
            let before = self.before(write.node, read.node);
            self.add(&[!rf.lit, before]);
            for &other in &writes[read.address.index()] {
                self.keep_out(self.graph.events()[other], write.node, read.node, rf.lit);
            }
        }
    }

    /// Another write is not between the two.
    fn keep_out(&mut self, other: OrderEvent, write: NodeId, read: NodeId, chosen: Lit) {
        if other.node != write && other.node != read {
            let (earlier, later) = (self.before(other.node, write), self.before(read, other.node));
            self.add(&[!chosen, !other.guard, earlier, later]);
        }
    }

    /// Of two sections of one mutex, one ends before the other begins.
    fn encode_sections(&mut self) {
        let sections = self.graph.sections();
        for (first, a) in sections.iter().enumerate() {
            for b in sections.iter().skip(first + 1).filter(|b| b.mutex == a.mutex) {
                let (a_first, b_first) = (self.ends_before(a, b), self.ends_before(b, a));
                let locked = |section: &Section| self.graph.nodes()[section.lock].guard;
                let clause = [!locked(a), !locked(b), a_first, b_first];
                self.add(&clause);
            }
        }
    }

    /// A literal that implies: the first section has ended before the second begins.
    fn ends_before(&mut self, first: &Section, second: &Section) -> Lit {
        let ends = self.sink.new_var().positive();
        let mut premises = vec![!ends];
        for &unlock in &first.unlocks {
            let unlocked = self.graph.nodes()[unlock].guard;
            let before = self.before(unlock, second.lock);
            let clause: Vec<Lit> = premises.iter().copied().chain([!unlocked, before]).collect();
            self.add(&clause);
            premises.push(unlocked);
        }
        self.add(&premises);
        ends
    }

    fn add(&mut self, literals: &[Lit]) {
        let clause: Vec<Lit> = [!self.bounded].into_iter().chain(literals.iter().copied()).collect();
        self.sink.add_clause(&clause);
    }

    /// A literal that implies that `a` comes before `b`.
    fn before(&mut self, a: NodeId, b: NodeId) -> Lit {
        let (node_a, node_b) = (&self.graph.nodes()[a], &self.graph.nodes()[b]);
        if node_a.chain == node_b.chain {
            let truth = self.graph.true_lit();
            return if node_a.position < node_b.position { truth } else { !truth };
        }
        if let Some(&lit) = self.before.get(&(a, b)) {
            return lit;
        }
        let lit = self.sink.new_var().positive();
        let bound = self.clocks[a].len();
        for k in 0..=bound {
            // clock(a) ≥ k implies clock(b) ≥ k + 1, which nothing is beyond the bound.
            let mut clause = vec![!lit];
            clause.extend((k > 0).then(|| !self.clocks[a][k - 1]));
            clause.extend((k < bound).then(|| self.clocks[b][k]));
            self.add(&clause);
        }
        self.before.insert((a, b), lit);
        lit
    }
}
