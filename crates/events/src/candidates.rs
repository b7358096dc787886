//! Which writes each read may see, as far as program order, creation of threads and guards tell without a solver.

use base::IdVec;

use crate::graph::{Access, CellId, EventGraph, EventId, InstanceId, NodeId};

/// Every read with its candidate writes, in the order of events.
pub fn candidates(graph: &EventGraph) -> Vec<(EventId, Vec<EventId>)> {
    let precedence = Precedence::new(graph);
    let mut writes: IdVec<CellId, Vec<EventId>> = graph.cells.iter().map(|_| Vec::new()).collect();
    for (id, event) in graph.events.iter_enumerated() {
        if event.access == Access::Write {
            writes[event.cell].push(id);
        }
    }
    let reads = graph.events.iter_enumerated().filter(|(_, event)| event.access == Access::Read);
    reads.map(|(read, event)| (read, sources(graph, &precedence, read, &writes[event.cell]))).collect()
}

fn sources(graph: &EventGraph, precedence: &Precedence<'_>, read: EventId, writes: &[EventId]) -> Vec<EventId> {
    let hiding = hiding_writes(graph, precedence, read, writes);
    let possible = |&write: &EventId| {
        !precedence.event_precedes(read, write)
            && !hiding.iter().any(|&other| other != write && precedence.event_precedes(write, other))
    };
    writes.iter().copied().filter(possible).collect()
}

/// Writes that certainly come before the read and run whenever it does: nothing before them can be seen. The last one
/// of each instance says it all.
fn hiding_writes(graph: &EventGraph, precedence: &Precedence<'_>, read: EventId, writes: &[EventId]) -> Vec<EventId> {
    let mut hiding: Vec<(InstanceId, EventId)> = Vec::new();
    for &write in writes {
        let certain = precedence.event_precedes(write, read)
            && graph.guards.implies(graph.events[read].guard, graph.events[write].guard);
        if !certain {
            continue;
        }
        let instance = graph.nodes[graph.events[write].node].instance;
        match hiding.iter_mut().find(|(known, _)| *known == instance) {
            Some((_, last)) if precedence.event_precedes(*last, write) => *last = write,
            Some(_) => {}
            None => hiding.push((instance, write)),
        }
    }
    hiding.into_iter().map(|(_, write)| write).collect()
}

/// What must come before what, whatever is executed: chains, and creation before the created.
pub struct Precedence<'a> {
    graph: &'a EventGraph,
    position: IdVec<NodeId, u32>,
    /// Index of each event in its node.
    index: IdVec<EventId, u32>,
}

impl<'a> Precedence<'a> {
    pub fn new(graph: &'a EventGraph) -> Self {
        let mut position: IdVec<NodeId, u32> = graph.nodes.iter().map(|_| 0).collect();
        let mut index: IdVec<EventId, u32> = graph.events.iter().map(|_| 0).collect();
        for instance in &graph.instances {
            for (place, &node) in instance.nodes.iter().enumerate() {
                position[node] = place as u32;
                for (place, &event) in graph.nodes[node].events.iter().enumerate() {
                    index[event] = place as u32;
                }
            }
        }
        Self { graph, position, index }
    }

    fn event_precedes(&self, a: EventId, b: EventId) -> bool {
        let (first, second) = (self.graph.events[a].node, self.graph.events[b].node);
        if first == second { self.index[a] < self.index[b] } else { self.node_precedes(first, second) }
    }

    pub fn node_precedes(&self, a: NodeId, b: NodeId) -> bool {
        let instance = self.graph.nodes[a].instance;
        let mut at = b;
        loop {
            if self.graph.nodes[at].instance == instance {
                return if at == b {
                    self.position[a] < self.position[b]
                } else {
                    self.position[a] <= self.position[at]
                };
            }
            match self.graph.instances[self.graph.nodes[at].instance].spawned_by {
                Some((spawn, _)) => at = spawn,
                None => return false,
            }
        }
    }
}
