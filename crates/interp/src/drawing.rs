//! The abstract reachability tree for people: as text, and as a graph for Graphviz.

use std::fmt::Write;

use terms::TermId;

use crate::abstraction::PredicateAbstraction;
use crate::art::StateStatus;
use crate::control::ControlStatus;
use crate::edge::{ControlId, EdgeEnd, EdgeId};
use crate::text;
use crate::verification::Verification;

impl Verification<'_> {
    /// One state per line, indented below the one that it follows, with its region, what covers it, and the branches that its region
    /// excludes.
    pub fn tree_text(&self) -> String {
        let mut out = String::new();
        // States with their depth, the next one last.
        let mut open: Vec<(u32, usize)> = vec![(0, 0)];
        while let Some((index, depth)) = open.pop() {
            let Some(state) = self.tree.states.get(index as usize) else { break };
            if state.status == StateStatus::Removed {
                continue;
            }
            let indent = "  ".repeat(depth);
            let edge = state.parent.map(|(_, edge)| format!("{} -> ", edge_text(&self.abstraction, edge)));
            let _ = writeln!(
                out,
                "{indent}{}s{index} at {}{}{}",
                edge.unwrap_or_default(),
                self.place(state.control),
                self.region(index),
                ending(state.status)
            );
            for &branch in &state.pruned {
                let _ = writeln!(out, "{indent}  {} pruned", edge_text(&self.abstraction, branch));
            }
            open.extend(state.children.iter().rev().map(|&child| (child, depth + 1)));
        }
        out
    }

    /// The same as a graph: dashed edges lead to the states that cover, dotted ones are branches that are pruned.
    pub fn tree_dot(&self) -> String {
        let mut out = String::from("digraph art {\n  node [shape=box, fontname=monospace];\n");
        for (index, state) in self.tree.states.iter().enumerate() {
            if state.status == StateStatus::Removed {
                continue;
            }
            let label = format!("s{index}\n{}{}", self.place(state.control), self.region(index as u32));
            let colour = if state.status == StateStatus::Error { ", color=red" } else { "" };
            let _ = writeln!(out, "  s{index} [label=\"{}\"{colour}];", escape(&label));
            if let Some((parent, edge)) = state.parent {
                let label = escape(&edge_text(&self.abstraction, edge));
                let _ = writeln!(out, "  s{parent} -> s{index} [label=\"{label}\"];");
            }
            if let StateStatus::CoveredBy(other) = state.status {
                let _ = writeln!(out, "  s{index} -> s{other} [style=dashed, constraint=false, label=\"covered by\"];");
            }
            for (number, &branch) in state.pruned.iter().enumerate() {
                let label = escape(&edge_text(&self.abstraction, branch));
                let _ = writeln!(out, "  s{index}p{number} [shape=point];");
                let _ = writeln!(out, "  s{index} -> s{index}p{number} [style=dotted, label=\"{label}\"];");
            }
        }
        out + "}\n"
    }

    /// Where each thread is that has not ended.
    fn place(&self, control: Option<ControlId>) -> String {
        let Some(control) = control else { return "an error location".to_owned() };
        let program = self.abstraction.machine.vocabulary.program;
        let control = self.abstraction.machine.control(control);
        let places = control.threads.iter().enumerate().map(|(index, thread)| match thread.location() {
            Some(location) if thread.status == ControlStatus::Live => {
                format!("T{index}:{}", program.span(location).line)
            }
            _ => format!("T{index}:end"),
        });
        places.collect::<Vec<_>>().join(" ")
    }

    fn region(&self, index: u32) -> String {
        let region = &self.tree.state(index).region;
        let texts: Vec<String> = region.iter().map(|&index| self.abstraction.text(index)).collect();
        if texts.is_empty() { String::new() } else { format!(" [{}]", texts.join(" && ")) }
    }
}

fn ending(status: StateStatus) -> String {
    match status {
        StateStatus::Open => " (not explored)".to_owned(),
        StateStatus::CoveredBy(other) => format!(" (covered by s{other})"),
        StateStatus::Expanded | StateStatus::Error | StateStatus::Removed => String::new(),
    }
}

/// What an edge tests and assigns.
pub fn edge_text(abstraction: &PredicateAbstraction<'_>, edge: EdgeId) -> String {
    let vocabulary = &abstraction.machine.vocabulary;
    let edge = abstraction.machine.edge(edge);
    let line = vocabulary.program.span(edge.from).line;
    let mut parts = vec![format!("T{} line {line}:", edge.thread)];
    let term = |term: TermId| text::term(vocabulary, term);
    if vocabulary.terms.as_boolean(edge.guard) != Some(true) {
        parts.push(format!("[{}]", term(edge.guard)));
    }
    parts.extend(edge.assignments.iter().map(|&(to, value)| format!("{} := {};", vocabulary.name(to), term(value))));
    match &edge.end {
        EdgeEnd::Error(property) => parts.push(format!("violates {property}")),
        EdgeEnd::Limit(what) => parts.push(format!("not representable: {what}")),
        EdgeEnd::Step => {}
    }
    parts.join(" ")
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
