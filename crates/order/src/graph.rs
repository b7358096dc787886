//! The event order graph (Definition 4.4 of the Yogar-CBMC paper) with conditions: chains of nodes, events with guards,
//! read-from candidates, conditional edges across chains, and critical sections. Pure data over solver literals.
//!
//! Meaning. A total order of all nodes is sought that respects each chain and every edge whose literal is true. A node's
//! events run back to back, in their order; an event takes part iff its guard is true. Every executed read sees the
//! last executed write of its address before it, and that is the write of its one true read-from literal. A section
//! holds its mutex from its lock node (if that node's guard is true) to the first of its unlock nodes whose guard is
//! true, or for ever; no two sections of a mutex overlap. Nodes that are not executed stay in the order, without effect.

use std::fmt;

use base::{Id, IdVec, define_id};
use solve::Lit;

define_id!(
    /// A thread instance: its nodes are totally ordered.
    ChainId,
    "c"
);
define_id!(
    /// An atomic section, a synchronisation action, or a single access.
    NodeId,
    "n"
);
define_id!(
    /// A read or a write of one address.
    EventId,
    "e"
);
define_id!(
    /// A concrete memory cell.
    AddressId,
    "x"
);
define_id!(
    /// A mutual-exclusion lock.
    MutexId,
    "m"
);
define_id!(
    /// A read-from candidate.
    ReadFromId,
    "rf"
);
define_id!(
    /// A conditional edge between chains.
    EdgeId,
    "d"
);
define_id!(
    /// A critical section.
    SectionId,
    "s"
);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum EventKind {
    Read,
    Write,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderNode {
    pub chain: ChainId,
    /// Index in its chain.
    pub position: u32,
    /// Executed iff true.
    pub guard: Lit,
    /// In the order in which they run.
    pub events: Vec<EventId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderEvent {
    pub node: NodeId,
    /// Index in its node.
    pub index: u32,
    pub kind: EventKind,
    pub address: AddressId,
    /// Executed iff true; implies the node's guard (see [`OrderGraph::encode_read_from`]).
    pub guard: Lit,
}

/// `read` may see `write`, and does iff `lit` is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadFrom {
    pub write: EventId,
    pub read: EventId,
    pub lit: Lit,
}

/// `from` precedes `to` if `lit` is true. For create and join the literal implies the guards of both ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CrossEdge {
    pub from: NodeId,
    pub to: NodeId,
    pub lit: Lit,
}

/// A critical section; the first executed node of `unlocks` ends it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    pub mutex: MutexId,
    pub lock: NodeId,
    /// Later nodes of the lock's chain, in chain order.
    pub unlocks: Vec<NodeId>,
}

/// See the module documentation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderGraph {
    true_lit: Lit,
    addresses: u32,
    mutexes: u32,
    chains: IdVec<ChainId, Vec<NodeId>>,
    nodes: IdVec<NodeId, OrderNode>,
    events: IdVec<EventId, OrderEvent>,
    read_froms: IdVec<ReadFromId, ReadFrom>,
    edges: IdVec<EdgeId, CrossEdge>,
    sections: IdVec<SectionId, Section>,
}

impl OrderGraph {
    /// An empty graph. `true_lit` is a literal that is always true: the guard of everything unconditional.
    pub fn new(true_lit: Lit) -> Self {
        Self {
            true_lit,
            addresses: 0,
            mutexes: 0,
            chains: IdVec::new(),
            nodes: IdVec::new(),
            events: IdVec::new(),
            read_froms: IdVec::new(),
            edges: IdVec::new(),
            sections: IdVec::new(),
        }
    }

    pub fn add_chain(&mut self) -> ChainId {
        self.chains.push(Vec::new())
    }

    pub fn add_address(&mut self) -> AddressId {
        self.addresses += 1;
        AddressId(self.addresses - 1)
    }

    pub fn add_mutex(&mut self) -> MutexId {
        self.mutexes += 1;
        MutexId(self.mutexes - 1)
    }

    /// Appends a node to `chain`.
    pub fn add_node(&mut self, chain: ChainId, guard: Lit) -> NodeId {
        let position = self.chains[chain].len() as u32;
        let node = self.nodes.push(OrderNode { chain, position, guard, events: Vec::new() });
        self.chains[chain].push(node);
        node
    }

    /// Appends a read to `node`.
    pub fn add_read(&mut self, node: NodeId, address: AddressId, guard: Lit) -> EventId {
        self.add_event(node, EventKind::Read, address, guard)
    }

    /// Appends a write to `node`.
    pub fn add_write(&mut self, node: NodeId, address: AddressId, guard: Lit) -> EventId {
        self.add_event(node, EventKind::Write, address, guard)
    }

    pub(crate) fn add_event(&mut self, node: NodeId, kind: EventKind, address: AddressId, guard: Lit) -> EventId {
        let index = self.nodes[node].events.len() as u32;
        let event = self.events.push(OrderEvent { node, index, kind, address, guard });
        self.nodes[node].events.push(event);
        event
    }

    pub fn add_read_from(&mut self, write: EventId, read: EventId, lit: Lit) -> ReadFromId {
        self.read_froms.push(ReadFrom { write, read, lit })
    }

    pub fn add_edge(&mut self, from: NodeId, to: NodeId, lit: Lit) -> EdgeId {
        self.edges.push(CrossEdge { from, to, lit })
    }

    pub fn add_section(&mut self, mutex: MutexId, lock: NodeId, unlocks: Vec<NodeId>) -> SectionId {
        self.sections.push(Section { mutex, lock, unlocks })
    }

    pub fn true_lit(&self) -> Lit {
        self.true_lit
    }

    pub fn address_count(&self) -> usize {
        self.addresses as usize
    }

    pub fn mutex_count(&self) -> usize {
        self.mutexes as usize
    }

    pub fn chains(&self) -> &IdVec<ChainId, Vec<NodeId>> {
        &self.chains
    }

    pub fn nodes(&self) -> &IdVec<NodeId, OrderNode> {
        &self.nodes
    }

    pub fn events(&self) -> &IdVec<EventId, OrderEvent> {
        &self.events
    }

    pub fn read_froms(&self) -> &IdVec<ReadFromId, ReadFrom> {
        &self.read_froms
    }

    pub fn edges(&self) -> &IdVec<EdgeId, CrossEdge> {
        &self.edges
    }

    pub fn sections(&self) -> &IdVec<SectionId, Section> {
        &self.sections
    }

    /// Whether `a` stands before `b` in one chain.
    pub fn program_order(&self, a: NodeId, b: NodeId) -> bool {
        let (a, b) = (&self.nodes[a], &self.nodes[b]);
        a.chain == b.chain && a.position < b.position
    }

    /// Every literal the graph mentions, once each by variable, in order, without the constant.
    pub fn variables(&self) -> Vec<solve::Var> {
        let guards = self.nodes.iter().map(|node| node.guard).chain(self.events.iter().map(|event| event.guard));
        let choices = self.read_froms.iter().map(|rf| rf.lit).chain(self.edges.iter().map(|edge| edge.lit));
        let mut variables: Vec<_> = guards.chain(choices).map(Lit::var).filter(|&v| v != self.true_lit.var()).collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }
}

/// The text form: one line per chain, node, event, candidate, edge and section, in the order of their ids.
impl fmt::Display for OrderGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "true {}", self.true_lit)?;
        writeln!(f, "addresses {}", self.addresses)?;
        writeln!(f, "mutexes {}", self.mutexes)?;
        writeln!(f, "chains {}", self.chains.len())?;
        for (id, node) in self.nodes.iter_enumerated() {
            writeln!(f, "node {id} {} {}", node.chain, node.guard)?;
        }
        for (id, event) in self.events.iter_enumerated() {
            let kind = match event.kind {
                EventKind::Read => "read",
                EventKind::Write => "write",
            };
            writeln!(f, "{kind} {id} {} {} {}", event.node, event.address, event.guard)?;
        }
        for (id, rf) in self.read_froms.iter_enumerated() {
            writeln!(f, "from {id} {} {} {}", rf.write, rf.read, rf.lit)?;
        }
        for (id, edge) in self.edges.iter_enumerated() {
            writeln!(f, "edge {id} {} {} {}", edge.from, edge.to, edge.lit)?;
        }
        for (id, section) in self.sections.iter_enumerated() {
            write!(f, "section {id} {} {}", section.mutex, section.lock)?;
            for unlock in &section.unlocks {
                write!(f, " {unlock}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Whether `id` is within a table of `len` entries.
pub(crate) fn in_range<I: Id>(id: I, len: usize) -> bool {
    id.index() < len
}
