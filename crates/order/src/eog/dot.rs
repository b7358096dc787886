//! Draws an event order graph as the paper does, for Graphviz: reads are grey, program order is a solid arrow with a
//! filled head, a read-from link is dashed, and a derived order is solid with a hollow head.

use std::fmt::Write;

use base::Id;

use super::closure::Closure;
use super::event_order_graph::EventOrderGraph;
use crate::graph::{Event, EventId, EventKind, NodeId};

impl EventOrderGraph<'_> {
    /// The graph with the orders that `closure` derived. `label` names an event; the paper uses `x4` for the fourth
    /// access of `x`.
    pub fn to_dot(&self, closure: &Closure<'_>, label: impl Fn(EventId, &Event) -> String) -> String {
        let mut drawing =
            Drawing { eog: self, text: String::from("digraph EOG {\n  rankdir=TB;\n  node [fontsize=10];\n") };
        drawing.chains(&label);
        drawing.links();
        drawing.derived(closure);
        drawing.text.push_str("}\n");
        drawing.text
    }
}

struct Drawing<'a> {
    eog: &'a EventOrderGraph<'a>,
    text: String,
}

impl Drawing<'_> {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{text}").expect("writing to a string should succeed");
    }

    fn chains(&mut self, label: &impl Fn(EventId, &Event) -> String) {
        let places = &self.eog.places;
        for chain in 0..places.chains() {
            self.line(format_args!("  subgraph cluster_{chain} {{ label=\"thread {chain}\"; style=dotted;"));
            for position in 0..places.length(chain) {
                self.node(self.eog.node_at[places.at(chain, position).index()], label);
            }
            for position in 1..places.length(chain) {
                let (from, to) = (places.at(chain, position - 1), places.at(chain, position));
                self.arrow(self.eog.node_at[from.index()], self.eog.node_at[to.index()], PROGRAM_ORDER, "");
            }
            self.line(format_args!("  }}"));
        }
        for edge in &self.eog.edges {
            let (from, to) = (self.eog.node_at[edge.from.index()], self.eog.node_at[edge.to.index()]);
            self.arrow(from, to, PROGRAM_ORDER, "");
        }
    }

    /// A single access is a circle; an atomic node lists its events in a box.
    fn node(&mut self, node: NodeId, label: &impl Fn(EventId, &Event) -> String) {
        let graph = self.eog.graph;
        let events = &graph.nodes()[node].events;
        let names: Vec<String> = events.iter().map(|&event| label(event, &graph.events()[event])).collect();
        let only_reads = events.iter().all(|&event| graph.events()[event].kind == EventKind::Read);
        let (shape, fill) = match names.len() {
            0 => ("point", "black"),
            1 if only_reads => ("ellipse", "lightgrey"),
            1 => ("ellipse", "white"),
            _ => ("box", if only_reads { "lightgrey" } else { "white" }),
        };
        let text = escape(&names.join("; "));
        self.line(format_args!("    {node} [label=\"{text}\" shape={shape} style=filled fillcolor={fill}];"));
    }

    fn links(&mut self) {
        for link in &self.eog.links {
            let (from, to) = (self.eog.node_at[link.source.index()], self.eog.node_at[link.target.index()]);
            self.arrow(from, to, READ_FROM, &format!("{}", link.id));
        }
    }

    fn derived(&mut self, closure: &Closure<'_>) {
        for (from, to) in closure.derived() {
            self.arrow(from, to, DERIVED, "");
        }
    }

    fn arrow(&mut self, from: NodeId, to: NodeId, style: &str, label: &str) {
        let label = if label.is_empty() { String::new() } else { format!(" label=\"{}\"", escape(label)) };
        self.line(format_args!("  {from} -> {to} [{style}{label}];"));
    }
}

const PROGRAM_ORDER: &str = "style=solid arrowhead=normal";
const READ_FROM: &str = "style=dashed arrowhead=normal constraint=false";
const DERIVED: &str = "style=solid arrowhead=empty constraint=false";

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
