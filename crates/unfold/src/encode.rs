//! From an event graph to clauses and an order graph: guards and values are bit-blasted, every read gets its candidate
//! writes, and what remains is the question of order, left to whoever solves the [`OrderGraph`].

use base::{Id, IdVec};
use order::OrderGraph;
use program::Property;
use solve::{ClauseSink, Lit};
use symbolic::SymValue;
use terms::{Blaster, TermId};

use crate::candidates::candidates;
use crate::event_graph::{Access, CutKind, EventGraph, EventId, NodeId};

/// The clauses' side of an event graph.
pub struct Encoding {
    pub blaster: Blaster,
    pub order: OrderGraph,
    /// The order graph's nodes, in the numbering of the event graph.
    nodes: IdVec<NodeId, order::NodeId>,
    /// One literal per cause of cuts: true leaves out executions through such cuts.
    pub cuts: Vec<(CutKind, Lit)>,
}

/// Adds the clauses of `graph` to `sink`.
pub fn encode(graph: &EventGraph, sink: &mut impl ClauseSink) -> Encoding {
    let mut blaster = Blaster::new();
    let true_lit = blaster.true_lit(sink);
    let order = OrderGraph::new(true_lit);
    let mut encoder =
        Encoder { graph, sink, encoding: Encoding { blaster, order, nodes: IdVec::new(), cuts: Vec::new() } };
    encoder.encode_constraints();
    encoder.encode_nodes();
    encoder.encode_read_froms();
    encoder.encode_edges();
    encoder.encode_cuts();
    encoder.encoding.order.encode_read_from(encoder.sink);
    encoder.encoding
}

impl Encoding {
    /// A literal that implies: `property` is violated, or an execution goes through a cut that is not left out.
    pub fn goal(&mut self, graph: &mut EventGraph, property: Property, sink: &mut impl ClauseSink) -> Lit {
        let violations: Vec<TermId> = graph
            .violations
            .iter()
            .filter(|violation| violation.property == property)
            .map(|violation| violation.condition)
            .collect();
        let mut alternatives = violations;
        for cut in &graph.cuts {
            let taken = graph.terms.not(cut.literal);
            alternatives.push(graph.terms.and(cut.reached, taken));
        }
        let goal = graph.terms.or_all(&alternatives);
        self.blaster.literal(&graph.terms, goal, sink)
    }

    /// The event graph's nodes for a linearisation of the order graph.
    pub fn nodes_of(&self, linearisation: &[order::NodeId]) -> Vec<NodeId> {
        let mut names: Vec<(order::NodeId, NodeId)> = self.nodes.iter_enumerated().map(|(own, &o)| (o, own)).collect();
        names.sort_unstable();
        let name = |node: &order::NodeId| names[names.binary_search_by_key(node, |&(o, _)| o).expect("known node")].1;
        linearisation.iter().map(name).collect()
    }
}

struct Encoder<'a, S: ClauseSink> {
    graph: &'a EventGraph,
    sink: &'a mut S,
    encoding: Encoding,
}

impl<S: ClauseSink> Encoder<'_, S> {
    fn literal(&mut self, term: TermId) -> Lit {
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

    fn encode_read_froms(&mut self) {
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
            for write in writes {
                let lit = self.sink.new_var().positive();
                let name = |event: EventId| order::EventId::new(event.index());
                self.encoding.order.add_read_from(name(write), name(read), lit);
                self.encode_equal(lit, &self.graph.events[write].value, &self.graph.events[read].value);
            }
        }
    }

    /// Under `lit`, both values are the same.
    fn encode_equal(&mut self, lit: Lit, a: &SymValue, b: &SymValue) {
        let (a, b) = (self.components(a), self.components(b));
        for (x, y) in a.into_iter().zip(b) {
            if x == y {
                continue;
            }
            for (p, q) in self.component_bits(x).into_iter().zip(self.component_bits(y)) {
                if p != q {
                    self.sink.add_clause(&[!lit, !p, q]);
                    self.sink.add_clause(&[!lit, p, !q]);
                }
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
