//! An event graph with data: threads of guarded accesses to cells of a few bits, and clauses over their values.

use base::Id;
use order::{AddressId, ChainId, EventId, EventKind, NodeId, OrderGraph};
use solve::{ClauseSink, Lit, Var};

/// A question for the engines.
pub struct Instance {
    pub name: String,
    pub graph: OrderGraph,
    pub variables: u32,
    pub clauses: Vec<Vec<Lit>>,
}

impl Instance {
    /// Gives `sink` the variables and clauses, without any order.
    pub fn load(&self, sink: &mut impl ClauseSink) {
        for _ in 0..self.variables {
            sink.new_var();
        }
        self.graph.encode_read_from(sink);
        self.clauses.iter().for_each(|clause| sink.add_clause(clause));
    }
}

/// Builds an [`Instance`]. Chain 0 initialises all cells with zero; every other chain starts after it.
pub struct Builder {
    pub graph: OrderGraph,
    pub cells: Vec<AddressId>,
    variables: u32,
    clauses: Vec<Vec<Lit>>,
    width: usize,
    /// By event: the value read or written, low bit first.
    values: Vec<Vec<Lit>>,
    init: NodeId,
}

impl Builder {
    /// `width` is the number of bits in a cell; 0 for no data.
    pub fn new(cells: usize, width: usize) -> Self {
        let true_lit = Var::new(1).positive();
        let mut graph = OrderGraph::new(true_lit);
        let chain = graph.add_chain();
        let init = graph.add_node(chain, true_lit);
        let cells: Vec<AddressId> = (0..cells).map(|_| graph.add_address()).collect();
        let mut builder = Self { graph, cells, variables: 1, clauses: Vec::new(), width, values: Vec::new(), init };
        for index in 0..builder.cells.len() {
            let zero = builder.constant(0);
            builder.write_in(init, builder.cells[index], true_lit, zero);
        }
        builder
    }

    pub fn true_lit(&self) -> Lit {
        self.graph.true_lit()
    }

    pub fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Var::new(self.variables).positive()
    }

    pub fn clause(&mut self, literals: &[Lit]) {
        self.clauses.push(literals.to_vec());
    }

    pub fn constant(&self, value: u64) -> Vec<Lit> {
        let bit = |index: usize| if value >> index & 1 == 1 { self.true_lit() } else { !self.true_lit() };
        (0..self.width).map(bit).collect()
    }

    pub fn thread(&mut self) -> ChainId {
        self.graph.add_chain()
    }

    pub fn write(&mut self, chain: ChainId, cell: AddressId, guard: Lit, value: Vec<Lit>) -> EventId {
        let node = self.graph.add_node(chain, guard);
        self.write_in(node, cell, guard, value)
    }

    pub fn read(&mut self, chain: ChainId, cell: AddressId, guard: Lit) -> EventId {
        let node = self.graph.add_node(chain, guard);
        self.read_in(node, cell, guard)
    }

    pub fn write_in(&mut self, node: NodeId, cell: AddressId, guard: Lit, value: Vec<Lit>) -> EventId {
        self.values.push(value);
        self.graph.add_write(node, cell, guard)
    }

    pub fn read_in(&mut self, node: NodeId, cell: AddressId, guard: Lit) -> EventId {
        let value = (0..self.width).map(|_| self.fresh()).collect();
        self.values.push(value);
        self.graph.add_read(node, cell, guard)
    }

    pub fn value(&self, event: EventId) -> &[Lit] {
        &self.values[event.index()]
    }

    /// Literals of a clause that is true iff the value of `event` differs from `value`.
    pub fn differs(&self, event: EventId, value: u64) -> Vec<Lit> {
        let bits = self.value(event).iter().enumerate();
        bits.map(|(index, &bit)| if value >> index & 1 == 1 { !bit } else { bit }).collect()
    }

    pub fn equals(&mut self, event: EventId, value: u64) {
        for lit in self.differs(event, value) {
            self.clause(&[!lit]);
        }
    }

    /// A literal that is true iff the value of `event` is `value`.
    pub fn is_value(&mut self, event: EventId, value: u64) -> Lit {
        let different = self.differs(event, value);
        let same = self.fresh();
        let mut clause = different.clone();
        clause.push(same);
        self.clause(&clause);
        for lit in different {
            self.clause(&[!same, !lit]);
        }
        same
    }

    /// `value` + 1, modulo the width.
    pub fn increment(&mut self, value: &[Lit]) -> Vec<Lit> {
        let mut carry = self.true_lit();
        let mut sum = Vec::new();
        for &bit in value {
            let (out, next) = (self.fresh(), self.fresh());
            for clause in [
                [!out, bit, carry],
                [!out, !bit, !carry],
                [out, !bit, carry],
                [out, bit, !carry],
                [!next, bit, bit],
                [!next, carry, carry],
                [next, !bit, !carry],
            ] {
                self.clause(&clause);
            }
            sum.push(out);
            carry = next;
        }
        sum
    }

    /// Creates, read-from candidates that program order does not exclude, and the equality of values.
    pub fn finish(mut self, name: String) -> Instance {
        let true_lit = self.true_lit();
        for chain in self.graph.chains().ids().skip(1) {
            if let Some(&first) = self.graph.chains()[chain].first() {
                self.graph.add_edge(self.init, first, true_lit);
            }
        }
        let mut writes: Vec<Vec<EventId>> = vec![Vec::new(); self.cells.len()];
        for (id, event) in self.graph.events().iter_enumerated() {
            if event.kind == EventKind::Write {
                writes[event.address.index()].push(id);
            }
        }
        for read in self.graph.events().ids() {
            if self.graph.events()[read].kind == EventKind::Write {
                continue;
            }
            for &write in &writes[self.graph.events()[read].address.index()] {
                if self.possible(&writes, write, read) {
                    self.add_candidate(write, read);
                }
            }
        }
        Instance { name, graph: self.graph, variables: self.variables, clauses: self.clauses }
    }

    fn add_candidate(&mut self, write: EventId, read: EventId) {
        let lit = self.fresh();
        self.graph.add_read_from(write, read, lit);
        for bit in 0..self.width {
            let (from, to) = (self.values[write.index()][bit], self.values[read.index()][bit]);
            self.clause(&[!lit, !from, to]);
            self.clause(&[!lit, from, !to]);
        }
    }

    /// Not after the read in its chain, and not hidden by an unconditional write of the read's own chain.
    fn possible(&self, writes: &[Vec<EventId>], write: EventId, read: EventId) -> bool {
        let before = |a: EventId, b: EventId| {
            let (a, b) = (self.graph.events()[a], self.graph.events()[b]);
            self.graph.program_order(a.node, b.node) || a.node == b.node && a.index < b.index
        };
        if before(read, write) {
            return false;
        }
        let (source, target) = (self.graph.events()[write], self.graph.events()[read]);
        let known_earlier = source.node == self.init || before(write, read);
        let hides = |&other: &EventId| {
            let event = self.graph.events()[other];
            let local = source.node == self.init && event.node != self.init || before(write, other);
            event.guard == self.true_lit() && local && before(other, read)
        };
        !(known_earlier && writes[target.address.index()].iter().any(hides))
    }
}
