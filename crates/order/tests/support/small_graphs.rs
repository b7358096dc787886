//! Random graphs that are small enough for the reference: guards, atomic nodes, read-modify-writes, conditional edges,
//! locks with several unlock candidates.

use order::{AddressId, ChainId, EventId, EventKind, NodeId, OrderGraph};
use solve::{Lit, Var};

use super::rng::Rng;

/// A graph and the number of variables it uses.
pub fn random_graph(rng: &mut Rng) -> (OrderGraph, u32) {
    loop {
        let mut builder = Builder::new(rng);
        builder.build();
        let (graph, variables) = (builder.graph, builder.variables);
        if graph.verify().is_ok() && graph.variables().len() <= 40 {
            return (graph, variables);
        }
    }
}

struct Builder<'a> {
    rng: &'a mut Rng,
    graph: OrderGraph,
    variables: u32,
    conditions: Vec<Lit>,
}

impl<'a> Builder<'a> {
    fn new(rng: &'a mut Rng) -> Self {
        let graph = OrderGraph::new(Var::new(1).positive());
        Self { rng, graph, variables: 1, conditions: Vec::new() }
    }

    fn new_lit(&mut self) -> Lit {
        self.variables += 1;
        Var::new(self.variables).positive()
    }

    fn build(&mut self) {
        if self.rng.chance(4) {
            self.build_tangle();
        } else {
            self.build_any();
        }
    }

    /// Near the butterfly: two sides of writers, each reading what the other side wrote, with most of the crossing
    /// edges and few read-from candidates. The rules leave pairs open here.
    fn build_tangle(&mut self) {
        let certain = self.graph.true_lit();
        let addresses = [self.graph.add_address(), self.graph.add_address()];
        let init = self.graph.add_chain();
        let first = self.graph.add_node(init, certain);
        for address in addresses {
            self.graph.add_write(first, address, certain);
        }
        let wings = 2 + self.rng.below(2);
        let mut threads: [Vec<(EventId, EventId)>; 2] = [Vec::new(), Vec::new()];
        for index in 0..2 * wings {
            let side = index % 2;
            let chain = self.graph.add_chain();
            let write_node = self.graph.add_node(chain, certain);
            let write = self.graph.add_write(write_node, addresses[side], certain);
            let read_node = self.graph.add_node(chain, certain);
            let read = self.graph.add_read(read_node, addresses[1 - side], certain);
            self.graph.add_edge(first, write_node, certain);
            threads[side].push((write, read));
        }
        for side in 0..2 {
            for (index, &(_, read)) in threads[side].iter().enumerate() {
                for (other, &(write, _)) in threads[side].iter().enumerate() {
                    if other != index && self.rng.chance(85) {
                        let (from, to) = (self.graph.events()[write].node, self.graph.events()[read].node);
                        self.graph.add_edge(from, to, certain);
                    }
                }
                for (other, &(write, _)) in threads[1 - side].iter().enumerate() {
                    if other == index || self.rng.chance(15) {
                        let lit = self.new_lit();
                        self.graph.add_read_from(write, read, lit);
                    }
                }
            }
        }
    }

    fn build_any(&mut self) {
        for _ in 0..self.rng.below(4) {
            let condition = self.new_lit();
            self.conditions.push(condition);
        }
        let addresses: Vec<AddressId> = (0..1 + self.rng.below(3)).map(|_| self.graph.add_address()).collect();
        let init = self.graph.add_chain();
        let first = self.graph.add_node(init, self.graph.true_lit());
        for &address in &addresses {
            if self.rng.chance(95) {
                self.graph.add_write(first, address, self.graph.true_lit());
            }
        }
        let chains: Vec<ChainId> = (0..2 + self.rng.below(3)).map(|_| self.graph.add_chain()).collect();
        let limit = if self.rng.chance(20) { 10 } else { 7 };
        for _ in 0..3 + self.rng.below(limit - 2) {
            let chain = chains[self.rng.below(chains.len())];
            self.add_node(chain, &addresses);
        }
        for &chain in &chains {
            self.add_create(first, chain);
        }
        for _ in 0..self.rng.below(3) {
            self.add_join();
        }
        if self.rng.chance(40) {
            self.add_sections();
        }
        self.add_read_froms();
    }

    /// Mostly the constant, sometimes a condition or its negation.
    fn condition(&mut self, certain: usize) -> Lit {
        if self.conditions.is_empty() || self.rng.chance(certain) {
            return self.graph.true_lit();
        }
        let lit = self.conditions[self.rng.below(self.conditions.len())];
        if self.rng.chance(25) { !lit } else { lit }
    }

    fn add_node(&mut self, chain: ChainId, addresses: &[AddressId]) {
        let guard = self.condition(65);
        let node = self.graph.add_node(chain, guard);
        let address = addresses[self.rng.below(addresses.len())];
        if self.rng.chance(20) {
            self.graph.add_read(node, address, guard);
            let write_guard = if self.rng.chance(70) { guard } else { self.condition(0) };
            self.graph.add_write(node, address, write_guard);
            return;
        }
        let events = if self.rng.chance(75) { 1 } else { 2 + self.rng.below(2) };
        for _ in 0..events {
            let address = addresses[self.rng.below(addresses.len())];
            let guard = if self.rng.chance(80) { guard } else { self.condition(0) };
            if self.rng.chance(50) {
                self.graph.add_read(node, address, guard);
            } else {
                self.graph.add_write(node, address, guard);
            }
        }
    }

    fn add_create(&mut self, creator: NodeId, chain: ChainId) {
        if let Some(&start) = self.graph.chains()[chain].first() {
            let lit = self.condition(90);
            self.graph.add_edge(creator, start, lit);
        }
    }

    fn add_join(&mut self) {
        let nodes: Vec<NodeId> = self.graph.nodes().ids().collect();
        let (from, to) = (nodes[self.rng.below(nodes.len())], nodes[self.rng.below(nodes.len())]);
        if self.graph.nodes()[from].chain != self.graph.nodes()[to].chain {
            let lit = self.condition(30);
            self.graph.add_edge(from, to, lit);
        }
    }

    fn add_sections(&mut self) {
        let mutexes: Vec<_> = (0..1 + self.rng.below(2)).map(|_| self.graph.add_mutex()).collect();
        for _ in 0..1 + self.rng.below(4) {
            let lock = NodeId(self.rng.below(self.graph.nodes().len()) as u32);
            let node = &self.graph.nodes()[lock];
            let later = self.graph.chains()[node.chain][node.position as usize + 1..].to_vec();
            let unlocks = later.into_iter().filter(|_| self.rng.chance(55)).collect();
            let mutex = mutexes[self.rng.below(mutexes.len())];
            self.graph.add_section(mutex, lock, unlocks);
        }
    }

    fn add_read_froms(&mut self) {
        let of_kind = |graph: &OrderGraph, kind: EventKind| -> Vec<EventId> {
            graph.events().ids().filter(|&id| graph.events()[id].kind == kind).collect()
        };
        for read in of_kind(&self.graph, EventKind::Read) {
            for write in of_kind(&self.graph, EventKind::Write) {
                let same = self.graph.events()[read].address == self.graph.events()[write].address;
                if same && self.rng.chance(95) {
                    let lit = self.new_lit();
                    self.graph.add_read_from(write, read, lit);
                }
            }
        }
    }
}
