//! What events and threads are called in drawings: by the user's variables and lines.

use events::{CellKey, CellPart, EventGraph};
use order::eog::Labels;
use order::{ChainId, EventId, EventKind, OrderEvent};
use program::Program;
use symbolic::ObjectKey;

/// Names taken from an event graph; its chains and events have the same numbers in the order graph.
#[derive(Clone, Debug, Default)]
pub struct EventNames {
    chains: Vec<String>,
    events: Vec<String>,
}

impl EventNames {
    pub fn new(graph: &EventGraph, program: &Program) -> Self {
        let chains = graph.instances.iter_enumerated().map(|(id, instance)| format!("{id} {}", instance.name));
        let events = graph.events.iter().map(|event| {
            let line = graph.nodes[event.node].span.line;
            format!("{}, line {line}", cell_name(&graph.cells[event.cell], graph, program))
        });
        Self { chains: chains.collect(), events: events.collect() }
    }
}

impl Labels for EventNames {
    fn chain(&self, chain: ChainId) -> String {
        self.chains[chain.0 as usize].clone()
    }

    fn event(&self, id: EventId, event: &OrderEvent) -> String {
        let kind = match event.kind {
            EventKind::Read => "R",
            EventKind::Write => "W",
        };
        format!("{kind} {}", self.events[id.0 as usize])
    }
}

fn cell_name(cell: &CellKey, graph: &EventGraph, program: &Program) -> String {
    let object = match graph.objects.get(cell.object).key {
        ObjectKey::Global(global) => program.globals[global].name.clone(),
        ObjectKey::ThreadLocal { global, instance } => format!("{}@{instance}", program.globals[global].name),
        ObjectKey::Allocated { instance, location, ordinal } => {
            format!("{} of thread {instance}, made at line {}", cell.object, program.span(location).line)
                + &if ordinal == 0 { String::new() } else { format!(" ({})", ordinal + 1) }
        }
        ObjectKey::Result { instance } => format!("result of thread {instance}"),
        ObjectKey::Function(_) | ObjectKey::None => cell.object.to_string(),
    };
    let offset = if cell.offset == 0 { String::new() } else { format!("+{}", cell.offset) };
    match cell.part {
        CellPart::Bytes(_) => format!("{object}{offset}"),
        CellPart::Field(_, field) => format!("{object}{offset}.{field:?}"),
        CellPart::Member(_, field, thread) => format!("{object}{offset}.{field:?}.{thread}"),
        CellPart::Life => format!("life of {object}"),
        CellPart::Size => format!("size of {object}"),
        CellPart::Array(_) => object,
        CellPart::View(_) => format!("{object} at address {}", cell.offset),
    }
}
