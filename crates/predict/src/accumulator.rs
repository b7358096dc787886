//! Memory that is only added to. Where every thread changes a cell by adding to what it finds there, in critical sections of
//! one lock, the order of the additions does not matter: whoever reads the cell after all of them finds what was there at
//! first and the sum of what was added. Read-from says the same only along each order of the sections, of which there are
//! n!; so the sum is added as a constraint.
//!
//! Guarantee: the constraints hold in every execution of the graph; nothing is left out by them.

use base::IdVec;
use events::{Access, CellId, Event, EventGraph, EventId, InstanceId, NodeId, Precedence};
use symbolic::SymValue;
use terms::{BinaryOp, Term, TermId};

/// Adds what is known about reads that come after all additions.
pub fn constrain_accumulators(graph: &mut EventGraph) {
    let mut events: IdVec<CellId, Vec<EventId>> = graph.cells.iter().map(|_| Vec::new()).collect();
    for (id, event) in graph.events.iter_enumerated() {
        events[event.cell].push(id);
    }
    let sums: Vec<AccumulatedSum> = events.iter().flat_map(|events| sums(graph, events)).collect();
    for AccumulatedSum { read, first, additions } in sums {
        let mut total = first;
        for (guard, summand) in additions {
            let zero = graph.terms.constant(graph.terms.width(summand), 0);
            let added = graph.terms.ite(guard, summand, zero);
            total = graph.terms.add(total, added);
        }
        let equal = graph.terms.eq(read.value, total);
        let constraint = graph.terms.implies(read.guard, equal);
        graph.constraints.push(constraint);
    }
}

/// What a read gives when it is executed: what was there at first, and whatever was added.
struct AccumulatedSum {
    read: GuardedValue,
    first: TermId,
    /// Whether it is added, and what.
    additions: Vec<(TermId, TermId)>,
}

struct GuardedValue {
    guard: TermId,
    value: TermId,
}

/// One read and the write that adds to it, inside of one critical section.
struct Addition {
    read: EventId,
    write: EventId,
    summand: TermId,
}

/// The sums that reads of one cell give.
fn sums(graph: &EventGraph, events: &[EventId]) -> Vec<AccumulatedSum> {
    let Some((first, additions)) = additions(graph, events) else { return Vec::new() };
    if additions.len() < 2 || !have_common_lock(graph, &additions) {
        return Vec::new();
    }
    let order = EventPrecedence { graph, precedence: Precedence::new(graph) };
    let base = &graph.events[first];
    let is_first = |event: &Event| order.must_precede(base, event);
    if !additions.iter().all(|addition| is_first(&graph.events[addition.read])) {
        return Vec::new();
    }
    let is_last = |event: &Event| {
        let comes_after = |addition: &Addition| order.must_precede(&graph.events[addition.write], event);
        let finds_first = is_first(event) && graph.guards.implies(event.guard, base.guard);
        finds_first && additions.iter().all(comes_after)
    };
    let reads = events.iter().map(|&id| &graph.events[id]).filter(|event| event.access == Access::Read);
    let sum = |event: &Event| {
        Some(AccumulatedSum {
            read: GuardedValue { guard: graph.guards.term(event.guard), value: number(event)? },
            first: number(base)?,
            additions: additions
                .iter()
                .map(|addition| (graph.guards.term(graph.events[addition.write].guard), addition.summand))
                .collect(),
        })
    };
    reads.filter(|event| is_last(event)).filter_map(sum).collect()
}

/// The only write that adds to nothing, and all others, if each of them adds to what its thread has just read.
fn additions(graph: &EventGraph, events: &[EventId]) -> Option<(EventId, Vec<Addition>)> {
    let (mut first, mut additions) = (None, Vec::new());
    let writes = events.iter().copied().filter(|&id| graph.events[id].access == Access::Write);
    for write in writes {
        match addition(graph, events, write) {
            Some(addition) => additions.push(addition),
            None if first.is_none() => first = Some(write),
            None => return None,
        }
    }
    Some((first?, additions))
}

/// The last access of the thread before the write must be the read that it adds to.
fn addition(graph: &EventGraph, events: &[EventId], write: EventId) -> Option<Addition> {
    let instance = |id: EventId| graph.nodes[graph.events[id].node].instance;
    let before = |&&id: &&EventId| id < write && instance(id) == instance(write);
    let read = *events.iter().rfind(before)?;
    let (from, to) = (&graph.events[read], &graph.events[write]);
    if from.access != Access::Read || !graph.guards.implies(to.guard, from.guard) {
        return None;
    }
    let summand = summand(graph, number(to)?, number(from)?)?;
    Some(Addition { read, write, summand })
}

fn summand(graph: &EventGraph, sum: TermId, found: TermId) -> Option<TermId> {
    match graph.terms.get(sum) {
        Term::Binary(BinaryOp::Add, a, b) if a == found => Some(b),
        Term::Binary(BinaryOp::Add, a, b) if b == found => Some(a),
        _ => None,
    }
}

fn number(event: &Event) -> Option<TermId> {
    match event.value {
        SymValue::Int(term) => Some(term),
        SymValue::Bool(_) | SymValue::Pointer { .. } => None,
    }
}

/// Whether some lock is held from each read to its write, so that no other of the writes comes in between.
fn have_common_lock(graph: &EventGraph, additions: &[Addition]) -> bool {
    let position = positions(graph);
    let held = |addition: &Addition| {
        let (read, write) = (&graph.events[addition.read], &graph.events[addition.write]);
        let sections = graph.sections.iter().filter(|section| {
            let is_inside = |node: NodeId| {
                graph.nodes[node].instance == graph.nodes[section.node].instance
                    && position[section.node] < position[node]
                    && section.unlocks.iter().all(|&unlock| position[node] <= position[unlock])
            };
            is_inside(read.node)
                && is_inside(write.node)
                && graph.guards.implies(read.guard, graph.nodes[section.node].guard)
        });
        sections.map(|section| section.lock).collect::<Vec<_>>()
    };
    let mut common = additions.first().map(held).unwrap_or_default();
    for addition in additions {
        let held = held(addition);
        common.retain(|lock| held.contains(lock));
    }
    !common.is_empty()
}

fn positions(graph: &EventGraph) -> IdVec<NodeId, u32> {
    let mut position: IdVec<NodeId, u32> = graph.nodes.iter().map(|_| 0).collect();
    for instance in &graph.instances {
        for (place, &node) in instance.nodes.iter().enumerate() {
            position[node] = place as u32;
        }
    }
    position
}

struct EventPrecedence<'a> {
    graph: &'a EventGraph,
    precedence: Precedence<'a>,
}

impl EventPrecedence<'_> {
    /// Whether `a` comes before `b` in every execution that has both: by program order, by creation, or because the thread
    /// of `b` has joined that of `a`.
    fn must_precede(&self, a: &Event, b: &Event) -> bool {
        if a.node == b.node {
            return false;
        }
        self.precedence.node_precedes(a.node, b.node) || self.has_joined(b, self.graph.nodes[a.node].instance)
    }

    fn has_joined(&self, event: &Event, target: InstanceId) -> bool {
        self.graph.joins.iter().any(|join| {
            let node = &self.graph.nodes[join.node];
            join.target == target
                && self.precedence.node_precedes(join.node, event.node)
                && node.instance == self.graph.nodes[event.node].instance
                && self.graph.guards.implies(event.guard, node.guard)
                && join.condition == self.graph.guards.term(node.guard)
        })
    }
}
