//! An event order graph as plain text: threads with their events, the three kinds of arrows, and a shortest cycle.

use std::fmt::Write;

use super::arrows::{Arrow, ArrowKind, arrows};
use super::closure::Closure;
use super::event_order_graph::EventOrderGraph;
use super::labels::Labels;
use crate::graph::NodeId;

impl EventOrderGraph<'_> {
    /// The graph with the orders that `closure` derived. Program order within a thread is the order of its lines.
    pub fn to_text(&self, closure: &Closure<'_>, labels: &dyn Labels) -> String {
        let mut text = String::new();
        for (chain, nodes) in self.nodes_by_chain() {
            push_line(&mut text, format_args!("{}:", labels.chain(chain)));
            for &node in nodes {
                push_line(&mut text, format_args!("  {node}: {}", self.describe(node, labels)));
            }
        }
        let arrows = arrows(self, closure);
        let chain_of = |node: NodeId| self.graph.nodes()[node].chain;
        for arrow in arrows.iter().filter(|arrow| chain_of(arrow.from) != chain_of(arrow.to) || is_derived(arrow)) {
            push_line(&mut text, format_args!("{}", line(arrow)));
        }
        match cycle(&arrows) {
            nodes if nodes.is_empty() => text.push_str("no cycle\n"),
            nodes => {
                let names: Vec<String> = nodes.iter().map(NodeId::to_string).collect();
                push_line(&mut text, format_args!("cycle: {}", names.join(" -> ")));
            }
        }
        text
    }

    fn describe(&self, node: NodeId, labels: &dyn Labels) -> String {
        let events = self.graph.nodes()[node].events.iter();
        let names: Vec<String> = events.map(|&event| labels.event(event, &self.graph.events()[event])).collect();
        if names.is_empty() { "-".to_owned() } else { names.join("; ") }
    }
}

fn push_line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a string should succeed");
}

fn is_derived(arrow: &Arrow) -> bool {
    arrow.kind == ArrowKind::Derived
}

fn line(arrow: &Arrow) -> String {
    let kind = match arrow.kind {
        ArrowKind::ProgramOrder => "program order",
        ArrowKind::ReadFrom(_) => "read-from",
        ArrowKind::Derived => "derived",
    };
    format!("{kind}: {} -> {}", arrow.from, arrow.to)
}

/// The nodes of the marked cycle, the first one also at the end.
fn cycle(arrows: &[Arrow]) -> Vec<NodeId> {
    let marked: Vec<&Arrow> = arrows.iter().filter(|arrow| arrow.in_cycle).collect();
    let Some(first) = marked.first() else { return Vec::new() };
    let mut nodes = vec![first.from, first.to];
    while nodes.last() != Some(&first.from) {
        let at = nodes[nodes.len() - 1];
        let next = marked.iter().find(|arrow| arrow.from == at).expect("a cycle should go on");
        nodes.push(next.to);
    }
    nodes
}
