//! Draws an event order graph as the paper does, for Graphviz: reads are grey, program order is a solid arrow with a
//! filled head, a read-from link is dashed, and a derived order is solid with a hollow head. A cycle is red.

use std::fmt::Write;

use super::arrows::{Arrow, ArrowKind, arrows};
use super::closure::Closure;
use super::event_order_graph::EventOrderGraph;
use super::labels::Labels;
use crate::graph::{EventKind, NodeId};

impl EventOrderGraph<'_> {
    /// The graph with the orders that `closure` derived.
    pub fn to_dot(&self, closure: &Closure<'_>, labels: &dyn Labels) -> String {
        let head = "digraph EOG {\n  rankdir=TB;\n  node [fontsize=10];\n";
        let mut drawing = DotDrawing { eog: self, labels, text: head.to_owned() };
        drawing.threads();
        for arrow in arrows(self, closure) {
            drawing.arrow(&arrow);
        }
        drawing.text.push_str("}\n");
        drawing.text
    }
}

struct DotDrawing<'a> {
    eog: &'a EventOrderGraph<'a>,
    labels: &'a dyn Labels,
    text: String,
}

impl DotDrawing<'_> {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{text}").expect("writing to a string should succeed");
    }

    fn threads(&mut self) {
        for (chain, nodes) in self.eog.nodes_by_chain() {
            let name = escape(&self.labels.chain(chain));
            self.line(format_args!("  subgraph cluster_{} {{ label=\"{name}\"; style=dotted;", chain.0));
            for &node in nodes {
                self.node(node);
            }
            self.line(format_args!("  }}"));
        }
    }

    /// A single access is a circle; an atomic node lists its events in a box.
    fn node(&mut self, node: NodeId) {
        let graph = self.eog.graph;
        let events = &graph.nodes()[node].events;
        let names: Vec<String> = events.iter().map(|&event| self.labels.event(event, &graph.events()[event])).collect();
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

    fn arrow(&mut self, arrow: &Arrow) {
        let style = match arrow.kind {
            ArrowKind::ProgramOrder => "style=solid arrowhead=normal".to_owned(),
            ArrowKind::ReadFrom(id) => format!("style=dashed arrowhead=normal constraint=false label=\"{id}\""),
            ArrowKind::Derived => "style=solid arrowhead=empty constraint=false".to_owned(),
        };
        let cycle = if arrow.in_cycle { " color=red penwidth=2" } else { "" };
        self.line(format_args!("  {} -> {} [{style}{cycle}];", arrow.from, arrow.to));
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
