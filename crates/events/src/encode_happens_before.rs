//! Happens-before as a second partial order in the order graph: nodes that are never executed, one for each node of the
//! event graph that matters here, in chains of their own, and edges of happens-before alone between them. The two orders
//! share nothing but literals. An edge against the order of time in this copy can be inserted, for two accesses, iff
//! happens-before does not order them.
//!
//! Edges only ever make it harder to find a race, so each is encoded in one direction: *if* the execution orders two nodes
//! in a way that synchronises, *then* the edge is there.
//!
//! What an atomic write hands on to those who acquire what it wrote is its *message*, a node M(w):
//!
//! - a release write, or one after a release fence, hands on what comes before itself, or before the fence;
//! - a read-modify-write also hands on the message of the write that it reads from, whatever its own order: all release
//!   sequences go on;
//! - a relaxed store hands on what an earlier release write w' of its own thread to the same cell does, if no other
//!   store lies between them: the release sequence of w' goes on. (The heads of other threads end with it.)
//!
//! An acquiring read is ordered after the message of the write that it sees, and an acquire fence after those that the
//! relaxed reads before it have seen.

use std::collections::BTreeMap;

use base::{Id, IdVec};
use rustc_hash::FxHashMap;
use solve::{ClauseSink, Lit};

use crate::candidates::Precedence;
use crate::encode::Encoder;
use crate::graph::{Access, EventId, NodeId};
use crate::happens_before::{AtomicAccess, FencePoint, HappensBefore, HbSlot, SlotUse};

/// The literals of what each atomic read may see.
pub(crate) type Sources = FxHashMap<EventId, Vec<(EventId, Lit)>>;

/// Adds the order of happens-before, if the graph has one.
pub(crate) fn encode_happens_before<S: ClauseSink>(encoder: &mut Encoder<'_, S>, sources: &Sources) {
    let graph = encoder.graph;
    let Some(order) = &graph.happens_before else { return };
    let racing = order.racing.expect("what is looked for should be known");
    let racing = encoder.literal(racing);
    let copies = copy_nodes(encoder, order);
    let mut copy = CopyEncoder { encoder, order, copies, racing, messages: FxHashMap::default(), sources };
    copy.encode_threads();
    copy.encode_slots();
    copy.make_messages();
    copy.encode_messages();
    copy.encode_reads();
    copy.encode_races();
}

/// The nodes with a copy, each chain for itself.
struct Copies {
    of_node: IdVec<NodeId, Option<order::NodeId>>,
}

fn copy_nodes<S: ClauseSink>(encoder: &mut Encoder<'_, S>, order: &HappensBefore) -> Copies {
    let graph = encoder.graph;
    let mut matters: IdVec<NodeId, bool> = graph.nodes.iter().map(|_| false).collect();
    let mut note = |node: NodeId| matters[node] = true;
    graph.instances.iter().filter_map(|instance| instance.spawned_by).for_each(|(spawn, _)| note(spawn));
    graph.joins.iter().for_each(|join| note(join.node));
    order.slot_uses.iter().for_each(|one| note(one.node));
    order.atomics.iter().for_each(|access| note(access.node));
    order.fences.iter().for_each(|fence| note(fence.node));
    order.race_edges.iter().for_each(|edge| [edge.from, edge.to].into_iter().for_each(&mut note));
    let never = !encoder.encoding.order.true_lit();
    let mut of_node: IdVec<NodeId, Option<order::NodeId>> = graph.nodes.iter().map(|_| None).collect();
    for instance in &graph.instances {
        let nodes: Vec<NodeId> = instance.nodes.iter().copied().filter(|&node| matters[node]).collect();
        if !nodes.is_empty() {
            let chain = encoder.encoding.order.add_chain();
            nodes.iter().for_each(|&node| of_node[node] = Some(encoder.encoding.order.add_node(chain, never)));
        }
    }
    Copies { of_node }
}

/// What a write hands on.
#[derive(Clone, Copy)]
enum WriteMessage {
    /// What comes up to the write itself.
    Past(NodeId),
    /// What the edges into this node say.
    Node(order::NodeId),
}

struct CopyEncoder<'a, 'e, 'g, S: ClauseSink> {
    encoder: &'a mut Encoder<'e, S>,
    order: &'g HappensBefore,
    copies: Copies,
    racing: Lit,
    /// Of the writes that hand on anything.
    messages: FxHashMap<EventId, WriteMessage>,
    sources: &'a Sources,
}

impl<S: ClauseSink> CopyEncoder<'_, '_, '_, S> {
    fn copy_of(&self, node: NodeId) -> order::NodeId {
        self.copies.of_node[node].expect("a node that matters should have a copy")
    }

    fn add_edge(&mut self, from: order::NodeId, to: order::NodeId, lit: Lit) {
        let order = &mut self.encoder.encoding.order;
        if order.nodes()[from].chain != order.nodes()[to].chain && lit != !order.true_lit() {
            order.add_edge(from, to, lit);
        }
    }

    fn executed(&mut self, event: EventId) -> Lit {
        let guard = self.encoder.graph.events[event].guard;
        self.encoder.literal(self.encoder.graph.guards.term(guard))
    }

    /// A literal that is true if all of these are and a race is looked for, or if `otherwise` is false.
    fn implied(&mut self, premises: &[Lit], otherwise: &[Lit]) -> Lit {
        let yes = self.encoder.encoding.order.true_lit();
        if premises.contains(&!yes) {
            return !yes;
        }
        let implied = self.encoder.sink.new_var().positive();
        let mut clause = vec![!self.racing, implied];
        clause.extend(premises.iter().filter(|&&lit| lit != yes).map(|&lit| !lit));
        clause.extend(otherwise);
        self.encoder.sink.add_clause(&clause);
        implied
    }

    /// Creation and joining.
    fn encode_threads(&mut self) {
        let graph = self.encoder.graph;
        for instance in &graph.instances {
            let first = instance.nodes.iter().find_map(|&node| self.copies.of_node[node]);
            if let (Some((spawn, guard)), Some(first)) = (instance.spawned_by, first) {
                let lit = self.encoder.literal(graph.guards.term(guard));
                self.add_edge(self.copy_of(spawn), first, lit);
            }
        }
        for join in &graph.joins {
            let target = &graph.instances[join.target];
            let last = target.nodes.iter().rev().find_map(|&node| self.copies.of_node[node]);
            let created = target.spawned_by.map(|(spawn, _)| self.copy_of(spawn));
            if let Some(last) = last.or(created) {
                let lit = self.encoder.literal(join.condition);
                self.add_edge(last, self.copy_of(join.node), lit);
            }
        }
    }

    /// A release and an acquire of one slot: either the acquire is earlier, or there is an edge.
    fn encode_slots(&mut self) {
        let graph = self.encoder.graph;
        let mut by_slot: BTreeMap<HbSlot, Vec<&SlotUse>> = BTreeMap::new();
        for one in &self.order.slot_uses {
            by_slot.entry(one.slot).or_default().push(one);
        }
        let precedence = Precedence::new(graph);
        for uses in by_slot.values() {
            for release in uses.iter().filter(|one| one.releases) {
                for acquire in uses.iter().filter(|one| !one.releases) {
                    let (from, to) = (release.node, acquire.node);
                    let is_ordered = precedence.node_precedes(from, to) || precedence.node_precedes(to, from);
                    if from != to && !is_ordered {
                        self.encode_slot(release, acquire);
                    }
                }
            }
        }
    }

    fn encode_slot(&mut self, release: &SlotUse, acquire: &SlotUse) {
        let released = self.encoder.literal(release.condition);
        let acquired = self.encoder.literal(acquire.condition);
        let earlier = self.encoder.sink.new_var().positive();
        let synchronises = self.implied(&[released, acquired], &[earlier]);
        let (from, to) = (self.encoder.encoding.nodes[acquire.node], self.encoder.encoding.nodes[release.node]);
        self.add_edge(from, to, earlier);
        self.add_edge(self.copy_of(release.node), self.copy_of(acquire.node), synchronises);
    }

    /// Makes a node for each message that is not simply a past.
    fn make_messages(&mut self) {
        let never = !self.encoder.encoding.order.true_lit();
        for access in &self.order.atomics {
            for &write in &access.writes {
                let message = if access.releases && (!access.is_update || access.acquires_if_it_writes) {
                    Some(WriteMessage::Past(access.node))
                } else if access.is_update || self.goes_on(access, write) {
                    let order = &mut self.encoder.encoding.order;
                    let chain = order.add_chain();
                    Some(WriteMessage::Node(order.add_node(chain, never)))
                } else {
                    None
                };
                if let Some(message) = message {
                    self.messages.insert(write, message);
                }
            }
        }
    }

    /// Whether a relaxed store may hand on anything: its thread may have released before, by a fence or in the same cell.
    fn goes_on(&self, access: &AtomicAccess, write: EventId) -> bool {
        !self.fences_before(access, write).is_empty() || !self.released_before(access, write).is_empty()
    }

    fn position(&self, node: NodeId) -> (order::ChainId, u32) {
        let node = &self.encoder.encoding.order.nodes()[self.encoder.encoding.nodes[node]];
        (node.chain, node.position)
    }

    fn is_up_to(&self, first: NodeId, second: NodeId) -> bool {
        let (first, second) = (self.position(first), self.position(second));
        first.0 == second.0 && first.1 <= second.1
    }

    /// The release fences before a write of the same thread; none before one that is certainly executed.
    fn fences_before(&self, access: &AtomicAccess, write: EventId) -> Vec<FencePoint> {
        let guards = &self.encoder.graph.guards;
        let guard = self.encoder.graph.events[write].guard;
        let mut before = Vec::new();
        for fence in self.order.fences.iter().rev().filter(|fence| fence.releases) {
            if self.is_up_to(fence.node, access.node) {
                before.push(*fence);
                if guards.implies(guard, fence.guard) {
                    break;
                }
            }
        }
        before
    }

    /// The release writes of the same thread to the same cell before a write; none before one that is certainly executed.
    fn released_before(&self, access: &AtomicAccess, write: EventId) -> Vec<(NodeId, EventId)> {
        let graph = self.encoder.graph;
        let event = &graph.events[write];
        let mut before = Vec::new();
        for other in self.order.atomics.iter().rev().filter(|other| other.releases && other.node != access.node) {
            if !self.is_up_to(other.node, access.node) {
                continue;
            }
            for &earlier in other.writes.iter().filter(|&&earlier| graph.events[earlier].cell == event.cell) {
                before.push((other.node, earlier));
                if graph.guards.implies(event.guard, graph.events[earlier].guard) {
                    return before;
                }
            }
        }
        before
    }

    fn encode_messages(&mut self) {
        for access in &self.order.atomics {
            for &write in &access.writes {
                let Some(&WriteMessage::Node(message)) = self.messages.get(&write) else { continue };
                if access.releases {
                    let executed = self.executed(write);
                    self.add_edge(self.copy_of(access.node), message, executed);
                }
                if access.is_update {
                    self.go_on_with_sources(access, write, message);
                } else {
                    self.go_on_with_own(access, write, message);
                }
                self.add_fences(access, write, message);
            }
        }
    }

    fn add_fences(&mut self, access: &AtomicAccess, write: EventId, message: order::NodeId) {
        for fence in self.fences_before(access, write) {
            let fenced = self.encoder.literal(self.encoder.graph.guards.term(fence.guard));
            let executed = self.executed(write);
            let handed_on = self.implied(&[fenced, executed], &[]);
            self.add_edge(self.copy_of(fence.node), message, handed_on);
        }
    }

    /// A read-modify-write goes on with every release sequence that the write it reads from belongs to.
    fn go_on_with_sources(&mut self, access: &AtomicAccess, write: EventId, message: order::NodeId) {
        let cell = self.encoder.graph.events[write].cell;
        let executed = self.executed(write);
        for &read in access.reads.iter().filter(|&&read| self.encoder.graph.events[read].cell == cell) {
            for (source, seen) in self.sources.get(&read).cloned().unwrap_or_default() {
                if let Some(before) = self.message(source) {
                    let goes_on = self.implied(&[seen, executed], &[]);
                    self.add_edge(before, message, goes_on);
                }
            }
        }
    }

    /// A store goes on with what its own thread has begun, unless another store comes in between.
    fn go_on_with_own(&mut self, access: &AtomicAccess, write: EventId, message: order::NodeId) {
        let executed = self.executed(write);
        for (node, earlier) in self.released_before(access, write) {
            let begun = self.executed(earlier);
            let mut ends = Vec::new();
            for (store, at) in self.stores_between((node, earlier), (access.node, write)) {
                let ended = self.encoder.sink.new_var().positive();
                let stored = self.executed(store);
                self.encoder.sink.add_clause(&[!ended, stored]);
                let [first, at, last] = [node, at, access.node].map(|node| self.encoder.encoding.nodes[node]);
                self.add_edge(first, at, ended);
                self.add_edge(at, last, ended);
                ends.push(ended);
            }
            let goes_on = self.implied(&[begun, executed], &ends);
            self.add_edge(self.copy_of(node), message, goes_on);
        }
    }

    /// The writes to a cell that may lie between two others of one thread and are neither read-modify-writes nor atomic
    /// writes of that thread.
    fn stores_between(&self, first: (NodeId, EventId), last: (NodeId, EventId)) -> Vec<(EventId, NodeId)> {
        let graph = self.encoder.graph;
        let cell = graph.events[last.1].cell;
        let instance = graph.nodes[last.0].instance;
        let mut stores = Vec::new();
        for (id, event) in graph.events.iter_enumerated() {
            if event.cell != cell || event.access != Access::Write || id == first.1 || id == last.1 {
                continue;
            }
            let atomic = self.order.atomics.iter().find(|access| access.writes.contains(&id));
            let own = graph.nodes[event.node].instance == instance;
            let between = !own || (self.is_up_to(first.0, event.node) && self.is_up_to(event.node, last.0));
            let goes_on = atomic.is_some_and(|access| access.is_update || own);
            if between && !goes_on {
                stores.push((id, event.node));
            }
        }
        stores
    }

    fn message(&self, write: EventId) -> Option<order::NodeId> {
        match self.messages.get(&write)? {
            WriteMessage::Past(node) => Some(self.copy_of(*node)),
            WriteMessage::Node(node) => Some(*node),
        }
    }

    fn encode_reads(&mut self) {
        let yes = self.encoder.encoding.order.true_lit();
        for access in &self.order.atomics {
            let acquires = access.acquires.map(|when| self.encoder.literal(when));
            for &read in &access.reads {
                for (source, seen) in self.sources.get(&read).cloned().unwrap_or_default() {
                    let Some(message) = self.message(source) else { continue };
                    if let Some(acquires) = acquires {
                        let lit = if acquires == yes { seen } else { self.implied(&[seen, acquires], &[]) };
                        self.add_edge(message, self.copy_of(access.node), lit);
                    }
                    if acquires != Some(yes) {
                        self.add_acquire_fences(access, read, message, seen);
                    }
                }
            }
        }
    }

    /// The acquire fences after a relaxed read, up to one that is certainly executed.
    fn add_acquire_fences(&mut self, access: &AtomicAccess, read: EventId, message: order::NodeId, seen: Lit) {
        let graph = self.encoder.graph;
        let guard = graph.events[read].guard;
        for fence in self.order.fences.iter().filter(|fence| fence.acquires) {
            if !self.is_up_to(access.node, fence.node) {
                continue;
            }
            let fenced = self.encoder.literal(graph.guards.term(fence.guard));
            let acquires = self.implied(&[seen, fenced], &[]);
            self.add_edge(message, self.copy_of(fence.node), acquires);
            if graph.guards.implies(guard, fence.guard) {
                break;
            }
        }
    }

    fn encode_races(&mut self) {
        for edge in &self.order.race_edges {
            let lit = self.encoder.literal(edge.condition);
            self.add_edge(self.copy_of(edge.from), self.copy_of(edge.to), lit);
        }
    }
}

/// The reads whose sources are wanted, by event.
pub(crate) fn reads_of_interest(order: Option<&HappensBefore>, events: usize) -> Vec<bool> {
    let mut wanted = vec![false; events];
    for access in order.into_iter().flat_map(|order| &order.atomics) {
        access.reads.iter().for_each(|read| wanted[read.index()] = true);
    }
    wanted
}
