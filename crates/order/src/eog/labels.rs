//! Names for what is drawn. The order graph knows ids alone; who built it may know more.

use crate::graph::{ChainId, EventId, EventKind, OrderEvent};

/// How chains and events are called in drawings.
pub trait Labels {
    fn chain(&self, chain: ChainId) -> String;

    fn event(&self, id: EventId, event: &OrderEvent) -> String;
}

/// Ids alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainLabels;

impl Labels for PlainLabels {
    fn chain(&self, chain: ChainId) -> String {
        format!("thread {}", chain.0)
    }

    fn event(&self, id: EventId, event: &OrderEvent) -> String {
        let kind = match event.kind {
            EventKind::Read => "R",
            EventKind::Write => "W",
        };
        format!("{kind} {} {id}", event.address)
    }
}
