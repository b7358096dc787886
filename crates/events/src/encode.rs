//! From an event graph to clauses and an order graph: guards and values are bit-blasted, every read gets its candidate
//! writes, and what remains is the question of order, left to whoever solves the [`OrderGraph`].

use base::{Id, IdVec};
use order::OrderGraph;
use program::Property;
use solve::{ClauseSink, Lit};
use symbolic::SymValue;
use terms::{Blaster, TermId};

use crate::candidates::candidates;
use crate::encode_happens_before::{Sources, encode_happens_before, reads_of_interest};
use crate::graph::{Access, CutKind, EventGraph, EventId, NodeId};

/// The clauses' side of an event graph.
pub struct Encoding {
    pub blaster: Blaster,
    pub order: OrderGraph,
    /// The order graph's nodes, in the numbering of the event graph.
    pub(crate) nodes: IdVec<NodeId, order::NodeId>,
    /// One literal per cause of cuts: true leaves out executions through such cuts.
    pub cuts: Vec<(CutKind, Lit)>,
}

/// A question to the solver.
#[derive(Clone, Debug)]
pub struct Goal {
    pub property: Property,
    /// Implies the answer.
    pub lit: Lit,
    /// The places where the property may be violated: all that an answer can be, but for a cut.
    pub violations: Vec<Lit>,
}

/// Adds only what does not depend on the order of events: for a graph without events.
pub fn encode_without_order(graph: &EventGraph, sink: &mut impl ClauseSink) -> Encoding {
    let mut encoder = Encoder::new(graph, sink);
    encoder.encode_constraints();
    encoder.encoding
}

/// Adds the clauses of `graph` to `sink`.
pub fn encode(graph: &EventGraph, sink: &mut impl ClauseSink) -> Encoding {
    let mut encoder = Encoder::new(graph, sink);
    encoder.encode_constraints();
    encoder.encode_nodes();
    let sources = encoder.encode_read_froms();
    encoder.encode_edges();
    encode_happens_before(&mut encoder, &sources);
    encoder.encode_snapshot();
    encoder.encode_sections();
    encoder.encode_cuts();
    encoder.encoding.order.encode_read_from(encoder.sink);
    encoder.encoding
}

impl Encoding {
    /// What it takes that `property` is violated, or that an execution goes through a cut that is not left out.
    pub fn goal(&mut self, graph: &mut EventGraph, property: Property, sink: &mut impl ClauseSink) -> Goal {
        let mut terms = std::mem::take(&mut graph.terms);
        let parts = graph.question(&mut terms, property);
        let goal = terms.and_all(&parts);
        graph.terms = terms;
        let lit = self.blaster.literal(&graph.terms, goal, sink);
        let violations = graph.violations.iter().filter(|violation| violation.property == property);
        let violations = violations.map(|violation| self.blaster.literal(&graph.terms, violation.condition, sink));
        Goal { property, lit, violations: violations.collect() }
    }

    /// The event graph's nodes for a linearisation of the order graph, without what stands for happens-before alone.
    pub fn nodes_of(&self, linearisation: &[order::NodeId]) -> Vec<NodeId> {
        let mut names: Vec<(order::NodeId, NodeId)> = self.nodes.iter_enumerated().map(|(own, &o)| (o, own)).collect();
        names.sort_unstable();
        let place = |node: &order::NodeId| names.binary_search_by_key(node, |&(order, _)| order).ok();
        linearisation.iter().filter_map(|node| place(node).map(|place| names[place].1)).collect()
    }
}

pub(crate) struct Encoder<'a, S: ClauseSink> {
    pub graph: &'a EventGraph,
    pub sink: &'a mut S,
    pub encoding: Encoding,
}

impl<'a, S: ClauseSink> Encoder<'a, S> {
    fn new(graph: &'a EventGraph, sink: &'a mut S) -> Self {
        let mut blaster = Blaster::new();
        let true_lit = blaster.true_lit(sink);
        let order = OrderGraph::new(true_lit);
        Self { graph, sink, encoding: Encoding { blaster, order, nodes: IdVec::new(), cuts: Vec::new() } }
    }

    pub fn literal(&mut self, term: TermId) -> Lit {
        self.encoding.blaster.literal(&self.graph.terms, term, self.sink)
    }

    fn encode_constraints(&mut self) {
        for &constraint in &self.graph.constraints {
            self.encoding.blaster.assert(&self.graph.terms, constraint, self.sink);
        }
    }

    fn encode_nodes(&mut self) {
        for _ in &self.graph.cells {
            self.encoding.order.add_address();
        }
        let mut nodes: IdVec<NodeId, Option<order::NodeId>> = self.graph.nodes.iter().map(|_| None).collect();
        for instance in &self.graph.instances {
            let chain = self.encoding.order.add_chain();
            for &node in &instance.nodes {
                let guard = self.literal(self.graph.guards.term(self.graph.nodes[node].guard));
                nodes[node] = Some(self.encoding.order.add_node(chain, guard));
            }
        }
        self.encoding.nodes = nodes.iter().map(|node| node.expect("every node should be in a chain")).collect();
    }

    /// Returns what those reads may see that happens-before depends on.
    fn encode_read_froms(&mut self) -> Sources {
        let mut sources = Sources::default();
        let is_wanted = reads_of_interest(self.graph.happens_before.as_ref(), self.graph.events.len());
        // The order graph numbers events as we do if they are added in the order of our ids.
        for event in &self.graph.events {
            let guard = self.literal(self.graph.guards.term(event.guard));
            let node = self.encoding.nodes[event.node];
            let address = order::AddressId::new(event.cell.index());
            match event.access {
                Access::Read => self.encoding.order.add_read(node, address, guard),
                Access::Write => self.encoding.order.add_write(node, address, guard),
            };
        }
        for (read, writes) in candidates(self.graph) {
            let lits: Vec<Lit> = writes.iter().map(|_| self.sink.new_var().positive()).collect();
            let name = |event: EventId| order::EventId::new(event.index());
            for (&write, &lit) in writes.iter().zip(&lits) {
                self.encoding.order.add_read_from(name(write), name(read), lit);
            }
            self.encode_values(read, &writes, &lits);
            if is_wanted[read.index()] {
                sources.insert(read, writes.into_iter().zip(lits).collect());
            }
        }
        sources
    }

    /// The read has the value of the write that it sees. A bit that is the same in all writes needs no choice: one of
    /// them is seen if the read is executed at all.
    fn encode_values(&mut self, read: EventId, writes: &[EventId], lits: &[Lit]) {
        let executed = self.literal(self.graph.guards.term(self.graph.events[read].guard));
        let own = self.components(&self.graph.events[read].value);
        let sources: Vec<[Option<TermId>; 2]> =
            writes.iter().map(|&write| self.components(&self.graph.events[write].value)).collect();
        for part in 0..own.len() {
            if sources.iter().all(|source| source[part] == own[part]) {
                continue;
            }
            let bits = self.component_bits(own[part]);
            let choices: Vec<Vec<Lit>> = sources.iter().map(|source| self.component_bits(source[part])).collect();
            let width = choices.iter().map(Vec::len).fold(bits.len(), usize::min);
            for (index, &bit) in bits[..width].iter().enumerate() {
                match choices.first().map(|first| first[index]) {
                    Some(common) if choices.iter().all(|choice| choice[index] == common) => {
                        self.encode_equal(executed, bit, common);
                    }
                    _ => {
                        for (choice, &lit) in choices.iter().zip(lits) {
                            self.encode_equal(lit, bit, choice[index]);
                        }
                    }
                }
            }
        }
    }

    /// Under `condition`, both literals are the same. Constants are left out.
    fn encode_equal(&mut self, condition: Lit, a: Lit, b: Lit) {
        let yes = self.encoding.order.true_lit();
        if a == b || condition == !yes {
            return;
        }
        for clause in [[!condition, !a, b], [!condition, a, !b]] {
            if !clause.contains(&yes) {
                let open: Vec<Lit> = clause.into_iter().filter(|&lit| lit != !yes).collect();
                self.sink.add_clause(&open);
            }
        }
    }

    /// The offset or number, and the object; `None` stands for no object.
    fn components(&self, value: &SymValue) -> [Option<TermId>; 2] {
        match value {
            SymValue::Bool(term) | SymValue::Int(term) => [Some(*term), None],
            SymValue::Pointer { object, offset, .. } => [Some(*offset), Some(*object)],
        }
    }

    fn component_bits(&mut self, component: Option<TermId>) -> Vec<Lit> {
        match component {
            Some(term) => self.encoding.blaster.bits(&self.graph.terms, term, self.sink),
            None => vec![!self.encoding.order.true_lit(); symbolic::OBJECT_BITS as usize],
        }
    }

    fn encode_edges(&mut self) {
        for instance in &self.graph.instances {
            if let (Some((spawn, guard)), Some(&first)) = (instance.spawned_by, instance.nodes.first()) {
                let lit = self.literal(self.graph.guards.term(guard));
                let (from, to) = (self.encoding.nodes[spawn], self.encoding.nodes[first]);
                self.encoding.order.add_edge(from, to, lit);
            }
        }
        for join in &self.graph.joins {
            let target = &self.graph.instances[join.target];
            let last = target.nodes.last().copied().or(target.spawned_by.map(|(spawn, _)| spawn));
            let elsewhere = |node: &NodeId| self.graph.nodes[*node].instance != self.graph.nodes[join.node].instance;
            let Some(last) = last.filter(elsewhere) else { continue };
            let lit = self.literal(join.condition);
            self.encoding.order.add_edge(self.encoding.nodes[last], self.encoding.nodes[join.node], lit);
        }
        for edge in &self.graph.race_edges {
            let lit = self.literal(edge.condition);
            self.encoding.order.add_edge(self.encoding.nodes[edge.from], self.encoding.nodes[edge.to], lit);
        }
    }

    fn encode_sections(&mut self) {
        let mut mutexes = std::collections::BTreeMap::new();
        for section in &self.graph.sections {
            let order = &mut self.encoding.order;
            // That a node is never executed may only show in the literal of its guard.
            if order.nodes()[self.encoding.nodes[section.node]].guard == !order.true_lit() {
                continue;
            }
            let mutex = *mutexes.entry(section.lock).or_insert_with(|| order.add_mutex());
            let unlocks = section.unlocks.iter().map(|&node| self.encoding.nodes[node]).collect();
            self.encoding.order.add_section(mutex, self.encoding.nodes[section.node], unlocks);
        }
    }

    /// What a stuck or ended thread does comes before the snapshot that says so.
    fn encode_snapshot(&mut self) {
        let Some(deadlock) = &self.graph.deadlock else { return };
        let snapshot = self.encoding.nodes[deadlock.node];
        let deadlocked = self.literal(deadlock.deadlocked);
        for member in &deadlock.members {
            let instance = &self.graph.instances[member.instance];
            let last = instance.nodes.last().copied().or(instance.spawned_by.map(|(spawn, _)| spawn));
            let Some(last) = last else { continue };
            let before = self.sink.new_var().positive();
            for reason in [member.stuck, member.ended] {
                let reason = self.literal(reason);
                self.sink.add_clause(&[!deadlocked, !reason, before]);
            }
            self.encoding.order.add_edge(self.encoding.nodes[last], snapshot, before);
        }
    }

    fn encode_cuts(&mut self) {
        for cut in &self.graph.cuts {
            if !self.encoding.cuts.iter().any(|(kind, _)| *kind == cut.kind) {
                let lit = self.literal(cut.literal);
                self.encoding.cuts.push((cut.kind.clone(), lit));
            }
        }
    }
}
