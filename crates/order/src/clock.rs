//! The clock encoding of an [`OrderGraph`]: the monolithic scheduling constraint of the papers, as clauses.
//!
//! Every node has a clock of ⌈log₂ n⌉ bits. For rf(w, r): clk(w) < clk(r), and for every other executed write w' of the
//! address clk(w') < clk(w) or clk(r) < clk(w') (Definition 4.4 of the Yogar-CBMC paper). Each unordered pair of nodes
//! that is ever compared has one literal, which orders the two clocks either way; pairs that program order and
//! unconditional edges already order need none. The clauses of [`OrderGraph::encode_read_from`] are needed besides.

use base::{Id, IdVec};
use rustc_hash::FxHashMap;
use solve::{ClauseSink, Lit};

use crate::graph::{EventId, EventKind, NodeId, OrderGraph, SectionId};
use crate::layout::Layout;
use crate::reachability::{EdgeCause, Reachability};
use crate::verify::Defect;

/// The clocks of an encoded graph.
#[derive(Clone, Debug)]
pub struct ClockEncoding {
    /// Bits of each node's clock, least significant first.
    clocks: IdVec<NodeId, Vec<Lit>>,
}

impl ClockEncoding {
    /// Adds the clauses for `graph`, which must pass its verifier.
    pub fn encode(graph: &OrderGraph, sink: &mut impl ClauseSink) -> Result<Self, Vec<Defect>> {
        graph.verify()?;
        let mut encoder = ClockEncoder::new(graph, sink);
        encoder.encode_order();
        encoder.encode_read_froms();
        encoder.encode_sections();
        Ok(Self { clocks: encoder.clocks })
    }

    /// The executed nodes by their clocks in a model.
    pub fn linearisation(&self, graph: &OrderGraph, truth: impl Fn(Lit) -> bool) -> Vec<NodeId> {
        let time = |node: NodeId| {
            let bits = self.clocks[node].iter().enumerate();
            bits.fold(0u64, |time, (bit, &lit)| time | u64::from(truth(lit)) << bit)
        };
        let mut nodes: Vec<NodeId> = graph.nodes().ids().filter(|&node| truth(graph.nodes()[node].guard)).collect();
        nodes.sort_by_key(|&node| (time(node), node));
        nodes
    }
}

struct ClockEncoder<'a, S: ClauseSink> {
    graph: &'a OrderGraph,
    sink: &'a mut S,
    clocks: IdVec<NodeId, Vec<Lit>>,
    /// Program order and unconditional edges, as far as they close no cycle.
    layout: Layout,
    certain: Reachability,
    /// For the smaller node first.
    pairs: FxHashMap<(NodeId, NodeId), Lit>,
    clause: Vec<Lit>,
}

impl<'a, S: ClauseSink> ClockEncoder<'a, S> {
    fn new(graph: &'a OrderGraph, sink: &'a mut S) -> Self {
        let layout = Layout::new(graph);
        let mut certain = Reachability::new(&layout.chain_lengths);
        for edge in graph.edges().iter().filter(|edge| edge.lit == graph.true_lit()) {
            let (from, to) = (layout.place_of[edge.from.index()], layout.place_of[edge.to.index()]);
            if !certain.precedes(from, to) && !certain.precedes(to, from) {
                certain.insert(from, to, EdgeCause::Literal(edge.lit));
            }
        }
        let bits = graph.nodes().len().next_power_of_two().trailing_zeros();
        let clocks = graph.nodes().ids().map(|_| (0..bits).map(|_| sink.new_var().positive()).collect()).collect();
        Self { graph, sink, clocks, layout, certain, pairs: FxHashMap::default(), clause: Vec::new() }
    }

    /// Program order and edges.
    fn encode_order(&mut self) {
        let true_lit = self.graph.true_lit();
        for chain in self.graph.chains() {
            for pair in chain.windows(2) {
                self.force_before(true_lit, pair[0], pair[1]);
            }
        }
        for edge in self.graph.edges() {
            if edge.lit == true_lit {
                self.force_before(true_lit, edge.from, edge.to);
            } else {
                let before = self.before(edge.from, edge.to);
                self.add(&[!edge.lit, before]);
            }
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
            if before == !self.graph.true_lit() {
                continue;
            }
            for &other in &writes[read.address.index()] {
                let other = self.graph.events()[other];
                if other.node == write.node || other.node == read.node {
                    continue;
                }
                let earlier = self.before(other.node, write.node);
                let later = self.before(read.node, other.node);
                self.add(&[!rf.lit, !other.guard, earlier, later]);
            }
        }
    }

    /// Whichever section is locked first ends before the other is locked.
    fn encode_sections(&mut self) {
        for first in self.graph.sections().ids() {
            for second in self.graph.sections().ids() {
                if first != second && self.graph.sections()[first].mutex == self.graph.sections()[second].mutex {
                    self.encode_section_pair(first, second);
                }
            }
        }
    }

    fn encode_section_pair(&mut self, first: SectionId, second: SectionId) {
        let (first, second) = (&self.graph.sections()[first], &self.graph.sections()[second]);
        let guard = |node: NodeId| self.graph.nodes()[node].guard;
        let mut premises = vec![!guard(first.lock), !guard(second.lock), !self.before(first.lock, second.lock)];
        for &unlock in &first.unlocks {
            let unlocked = self.graph.nodes()[unlock].guard;
            let before = self.before(unlock, second.lock);
            let ended: Vec<Lit> = premises.iter().copied().chain([!unlocked, before]).collect();
            self.add(&ended);
            premises.push(unlocked);
        }
        self.add(&premises);
    }

    /// Adds a clause without its constant literals.
    fn add(&mut self, literals: &[Lit]) {
        let true_lit = self.graph.true_lit();
        if literals.contains(&true_lit) {
            return;
        }
        self.clause.clear();
        self.clause.extend(literals.iter().copied().filter(|&lit| lit != !true_lit));
        self.sink.add_clause(&self.clause);
    }

    /// The literal that says which of two nodes comes first.
    fn before(&mut self, a: NodeId, b: NodeId) -> Lit {
        let true_lit = self.graph.true_lit();
        let (place_a, place_b) = (self.layout.place_of[a.index()], self.layout.place_of[b.index()]);
        if self.certain.precedes(place_a, place_b) {
            return true_lit;
        }
        if self.certain.precedes(place_b, place_a) {
            return !true_lit;
        }
        let key = (a.min(b), a.max(b));
        let lit = match self.pairs.get(&key) {
            Some(&lit) => lit,
            None => {
                let lit = self.sink.new_var().positive();
                self.force_before(lit, key.0, key.1);
                self.force_before(!lit, key.1, key.0);
                self.pairs.insert(key, lit);
                lit
            }
        };
        if key.0 == a { lit } else { !lit }
    }

    /// `condition` → clk(a) < clk(b). From the highest bit down, `less` says that the bits from here on have to decide.
    fn force_before(&mut self, condition: Lit, a: NodeId, b: NodeId) {
        let mut less = condition;
        for bit in (0..self.clocks[a].len()).rev() {
            let (bit_a, bit_b) = (self.clocks[a][bit], self.clocks[b][bit]);
            let lower = if bit == 0 { !self.graph.true_lit() } else { self.sink.new_var().positive() };
            self.add(&[!less, !bit_a, bit_b]);
            self.add(&[!less, !bit_a, lower]);
            self.add(&[!less, bit_b, lower]);
            less = lower;
        }
        if self.clocks[a].is_empty() {
            self.add(&[!condition]);
        }
    }
}
