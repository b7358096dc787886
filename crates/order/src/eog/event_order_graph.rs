//! The event order graph (EOG) of one counterexample (Definition 4.4 of the Yogar-CBMC paper): what is executed, program
//! order, the active edges between threads, and the read-from choice. Dense tables over places.
//!
//! Places are the nodes that are executed, plus skipped ones at which an active edge or a section candidate stands.

use base::Id;
use solve::Lit;

use super::precedence::{Place, Places};
use crate::graph::{ChainId, EventId, EventKind, NodeId, OrderGraph, ReadFromId, SectionId};

/// A read-from order between two nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub id: ReadFromId,
    pub source: Place,
    pub target: Place,
    pub address: u32,
    pub lit: Lit,
}

/// An executed write of an address that some link is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write {
    pub place: Place,
    pub event: EventId,
    pub guard: Lit,
}

/// An edge between threads whose literal is true.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveEdge {
    pub from: Place,
    pub to: Place,
    pub lit: Lit,
}

/// An executed critical section.
#[derive(Clone, Debug)]
pub(crate) struct ActiveSection {
    pub id: SectionId,
    pub mutex: u32,
    pub lock: Place,
    pub guard: Lit,
    /// The unlock candidates up to the one that ends the section, with their guards: skipped ones first.
    pub candidates: Vec<(Place, Lit)>,
    /// The last candidate is executed; otherwise all are skipped and the section never ends.
    pub ends: bool,
}

impl ActiveSection {
    pub fn end(&self) -> Option<Place> {
        self.candidates.last().filter(|_| self.ends).map(|&(place, _)| place)
    }
}

/// See the module documentation.
#[derive(Clone, Debug)]
pub struct EventOrderGraph<'g> {
    pub(crate) graph: &'g OrderGraph,
    pub(crate) places: Places,
    pub(crate) node_at: Vec<NodeId>,
    /// By place: the node's guard is true.
    pub(crate) executed: Vec<bool>,
    pub(crate) links: Vec<Link>,
    /// Links within one node, which order nothing.
    pub(crate) inner_links: Vec<ReadFromId>,
    /// Indices of links by source and by target place.
    pub(crate) links_out: Vec<Vec<u32>>,
    pub(crate) links_into: Vec<Vec<u32>>,
    /// By address, sorted by place; empty for addresses without links.
    pub(crate) writes: Vec<Vec<Write>>,
    /// By address: indices of links sorted by target place.
    pub(crate) links_of: Vec<Vec<u32>>,
    /// By place: addresses and guards of the writes there that are listed in `writes`.
    pub(crate) writes_at: Vec<Vec<(u32, Lit)>>,
    pub(crate) edges: Vec<ActiveEdge>,
    pub(crate) sections: Vec<ActiveSection>,
}

const NOWHERE: Place = Place(u32::MAX);

impl<'g> EventOrderGraph<'g> {
    /// The graph of the counterexample `truth`, which satisfies the clauses of [`OrderGraph::encode_read_from`].
    pub fn new(graph: &'g OrderGraph, truth: impl Fn(Lit) -> bool) -> Self {
        let kept = kept_nodes(graph, &truth);
        let lengths = graph.chains().iter().map(|chain| chain.iter().filter(|node| kept[node.index()]).count());
        let places = Places::new(lengths);
        let node_at: Vec<NodeId> = graph.chains().iter().flatten().copied().filter(|node| kept[node.index()]).collect();
        let mut place_of = vec![NOWHERE; graph.nodes().len()];
        node_at.iter().enumerate().for_each(|(place, node)| place_of[node.index()] = Place::new(place));
        let executed = node_at.iter().map(|&node| truth(graph.nodes()[node].guard)).collect();
        let active_edges = graph.edges().iter().filter(|edge| truth(edge.lit));
        let edges = active_edges
            .map(|edge| ActiveEdge { from: place_of[edge.from.index()], to: place_of[edge.to.index()], lit: edge.lit })
            .collect();
        let mut eog = Self {
            graph,
            executed,
            links: Vec::new(),
            inner_links: Vec::new(),
            links_out: vec![Vec::new(); node_at.len()],
            links_into: vec![Vec::new(); node_at.len()],
            writes: vec![Vec::new(); graph.address_count()],
            links_of: vec![Vec::new(); graph.address_count()],
            writes_at: vec![Vec::new(); node_at.len()],
            edges,
            sections: active_sections(graph, &truth, &place_of),
            places,
            node_at,
        };
        eog.collect_links(&truth, &place_of);
        eog.collect_writes(&truth, &place_of);
        eog
    }

    /// The nodes of the graph, in chain order.
    pub fn nodes(&self) -> &[NodeId] {
        &self.node_at
    }

    /// The nodes of each chain that has any.
    pub(crate) fn nodes_by_chain(&self) -> impl Iterator<Item = (ChainId, &[NodeId])> {
        let chain_of = |node: &NodeId| self.graph.nodes()[*node].chain;
        self.node_at.chunk_by(move |a, b| chain_of(a) == chain_of(b)).map(move |nodes| (chain_of(&nodes[0]), nodes))
    }

    /// The read-from orders, those within a node included, in the order of their ids.
    pub fn read_froms(&self) -> Vec<ReadFromId> {
        let mut all: Vec<ReadFromId> = self.links.iter().map(|link| link.id).chain(self.inner_links.clone()).collect();
        all.sort_unstable();
        all
    }

    fn collect_links(&mut self, truth: &impl Fn(Lit) -> bool, place_of: &[Place]) {
        for (id, rf) in self.graph.read_froms().iter_enumerated().filter(|(_, rf)| truth(rf.lit)) {
            let (write, read) = (self.graph.events()[rf.write], self.graph.events()[rf.read]);
            if write.node == read.node {
                self.inner_links.push(id);
                continue;
            }
            let (source, target) = (place_of[write.node.index()], place_of[read.node.index()]);
            debug_assert!(source != NOWHERE && target != NOWHERE, "both ends of a link should be executed");
            let index = self.links.len() as u32;
            self.links.push(Link { id, source, target, address: write.address.0, lit: rf.lit });
            self.links_out[source.index()].push(index);
            self.links_into[target.index()].push(index);
            self.links_of[write.address.index()].push(index);
        }
        for links in &mut self.links_of {
            links.sort_by_key(|&link| self.links[link as usize].target);
        }
    }

    fn collect_writes(&mut self, truth: &impl Fn(Lit) -> bool, place_of: &[Place]) {
        for (event, write) in self.graph.events().iter_enumerated() {
            let place = place_of[write.node.index()];
            let matters = write.kind == EventKind::Write && !self.links_of[write.address.index()].is_empty();
            if matters && place != NOWHERE && truth(write.guard) {
                self.writes[write.address.index()].push(Write { place, event, guard: write.guard });
                self.writes_at[place.index()].push((write.address.0, write.guard));
            }
        }
        for writes in &mut self.writes {
            writes.sort_by_key(|write| (write.place, write.event));
        }
    }

    /// The links of `address` whose targets are in `chain` at positions from `first` to before `limit`.
    pub(crate) fn links_to(&self, address: u32, chain: usize, first: i32, limit: i32) -> &[u32] {
        let links = &self.links_of[address as usize];
        let place = |link: &u32| self.links[*link as usize].target;
        slice_between(links, place, self.places.at(chain, first), self.places.at(chain, limit))
    }

    /// The writes of `address` in `chain` at positions from `first` to before `limit`.
    pub(crate) fn writes_in(&self, address: u32, chain: usize, first: i32, limit: i32) -> &[Write] {
        let (first, limit) = (self.places.at(chain, first), self.places.at(chain, limit));
        slice_between(&self.writes[address as usize], |write| write.place, first, limit)
    }
}

/// The part of a sorted slice whose places lie in `first..limit`.
fn slice_between<T>(items: &[T], place: impl Fn(&T) -> Place, first: Place, limit: Place) -> &[T] {
    let start = items.partition_point(|item| place(item) < first);
    let end = items.partition_point(|item| place(item) < limit);
    &items[start..end.max(start)]
}

fn kept_nodes(graph: &OrderGraph, truth: &impl Fn(Lit) -> bool) -> Vec<bool> {
    let mut kept: Vec<bool> = graph.nodes().iter().map(|node| truth(node.guard)).collect();
    for edge in graph.edges().iter().filter(|edge| truth(edge.lit)) {
        kept[edge.from.index()] = true;
        kept[edge.to.index()] = true;
    }
    for section in graph.sections().iter().filter(|section| truth(graph.nodes()[section.lock].guard)) {
        section.unlocks.iter().for_each(|unlock| kept[unlock.index()] = true);
    }
    kept
}

fn active_sections(graph: &OrderGraph, truth: &impl Fn(Lit) -> bool, place_of: &[Place]) -> Vec<ActiveSection> {
    let mut sections = Vec::new();
    for (id, section) in graph.sections().iter_enumerated() {
        let guard = graph.nodes()[section.lock].guard;
        if !truth(guard) {
            continue;
        }
        let guard_of = |node: &NodeId| graph.nodes()[*node].guard;
        let end = section.unlocks.iter().position(|unlock| truth(guard_of(unlock)));
        let used = end.map_or(section.unlocks.len(), |end| end + 1);
        sections.push(ActiveSection {
            id,
            mutex: section.mutex.0,
            lock: place_of[section.lock.index()],
            guard,
            candidates: section.unlocks[..used].iter().map(|node| (place_of[node.index()], guard_of(node))).collect(),
            ends: end.is_some(),
        });
    }
    sections
}
