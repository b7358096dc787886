//! The reachability tree of a small program as data, text and a drawing. A node shows what the paper's tuples do: who
//! is active, how much of the context bound is used, and for each thread where and in which state it is; the guards that
//! led from a node to its child are on the child.

use std::fmt::Write;

use base::Id;
use execute::{End, Machine};
use program::{Location, Program, ThreadId, ThreadState};

use crate::judge::NodeView;
use crate::trail::PathFact;

/// More nodes are not drawn.
const MAX_NODES: usize = 5_000;

#[derive(Clone, Debug)]
pub struct DrawnNode {
    pub parent: Option<usize>,
    /// What led here: the step of the active thread; none at the root.
    pub step: Option<Location>,
    pub active: ThreadId,
    /// What is used up of the context bound.
    pub contexts: u32,
    /// The outcomes of tests on inputs in the step.
    pub guards: Vec<String>,
    /// Where each thread is, and in which state.
    pub threads: Vec<(ThreadState, Location)>,
    /// What happens here, if the path ends.
    pub end: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Drawing {
    pub nodes: Vec<DrawnNode>,
    /// There are more.
    pub is_partial: bool,
    /// The nodes of the present path, by number of steps, with the facts known there.
    path: Vec<(usize, usize)>,
}

impl Drawing {
    /// Adds what the walk has come to.
    pub fn add(&mut self, view: &NodeView<'_, '_>) {
        match view.end {
            Some(end) => self.end(view, end),
            None => self.node(view),
        }
    }

    fn node(&mut self, view: &NodeView<'_, '_>) {
        if self.nodes.len() >= MAX_NODES {
            self.is_partial = true;
            return;
        }
        let (steps, facts) = (view.trail.steps(), view.trail.facts());
        self.path.truncate(steps.len());
        let parent = self.path.last().copied();
        let known = parent.map_or(0, |(_, known)| known.min(facts.len()));
        let id = self.nodes.len();
        self.nodes.push(DrawnNode {
            parent: parent.map(|(node, _)| node),
            step: steps.last().and_then(|step| step.step.location),
            active: steps.last().map_or(view.active, |step| step.step.thread),
            contexts: view.contexts,
            guards: facts[known..].iter().map(guard).collect(),
            threads: thread_states(view.machine),
            end: None,
        });
        self.path.push((id, facts.len()));
    }

    /// The path ends at the node that was added last, or in the step after it.
    fn end(&mut self, view: &NodeView<'_, '_>, end: &End) {
        let is_here = self.path.len() == view.trail.steps().len() + 1
            && self.path.last().is_some_and(|&(node, _)| node + 1 == self.nodes.len())
            && self.nodes.last().is_some_and(|node| node.end.is_none());
        if !is_here {
            self.node(view);
        }
        if let Some(last) = self.nodes.last_mut().filter(|_| !self.is_partial) {
            last.end = Some(in_words(end));
        }
    }

    pub fn text(&self, program: &Program) -> String {
        let children = self.children();
        let mut out = String::new();
        let mut open: Vec<(usize, usize)> = self.nodes.first().map(|_| (0, 0)).into_iter().collect();
        while let Some((node, depth)) = open.pop() {
            let _ = writeln!(out, "{}{}", "  ".repeat(depth), self.label(program, node, "  "));
            // A chain stays in one column: only where paths part does the tree go to the right.
            let deeper = depth + usize::from(children[node].len() > 1);
            open.extend(children[node].iter().rev().map(|&child| (child, deeper)));
        }
        if self.is_partial {
            let _ = writeln!(out, "... and more: only {MAX_NODES} nodes are shown");
        }
        out
    }

    /// In the language of Graphviz.
    pub fn dot(&self, program: &Program) -> String {
        let mut out = String::from("digraph tree {\n  node [shape=box, fontname=monospace];\n");
        for (id, node) in self.nodes.iter().enumerate() {
            let label = self.label(program, id, "\\n").replace('"', "\\\"");
            let colour = node.end.as_ref().filter(|end| end.starts_with(VIOLATED)).map_or("", |_| ", color=red");
            let _ = writeln!(out, "  n{id} [label=\"{label}\"{colour}];");
            if let Some(parent) = node.parent {
                let _ = writeln!(out, "  n{parent} -> n{id};");
            }
        }
        out + "}\n"
    }

    fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(id);
            }
        }
        children
    }

    fn label(&self, program: &Program, id: usize, gap: &str) -> String {
        let node = &self.nodes[id];
        let line = |location: Location| program.span(location).line;
        let mut label = match node.step {
            Some(step) => format!("n{id} thread {} line {}{gap}C={}", node.active.0, line(step), node.contexts),
            None => format!("n{id} thread {}{gap}C={}", node.active.0, node.contexts),
        };
        for guard in &node.guards {
            let _ = write!(label, "{gap}{guard}");
        }
        for (thread, (state, location)) in node.threads.iter().enumerate() {
            let _ = match state {
                ThreadState::Exit => write!(label, "{gap}{thread}:{state}"),
                _ => write!(label, "{gap}{thread}:{state}@{}", line(*location)),
            };
        }
        if let Some(end) = &node.end {
            let _ = write!(label, "{gap}{end}");
        }
        label
    }
}

/// How the end of a path begins that violates a property.
const VIOLATED: &str = "VIOLATED";

fn guard(fact: &PathFact) -> String {
    match (fact.value, fact.truth) {
        (Some((_, value)), true) => format!("[input = {value}]"),
        (Some((_, value)), false) => format!("[input != {value}]"),
        (None, truth) => format!("[test is {truth}]"),
    }
}

fn thread_states(machine: &Machine<'_>) -> Vec<(ThreadState, Location)> {
    let threads = (0..machine.thread_count() as u32).map(ThreadId);
    let state = |thread| (machine.thread_state(thread), machine.code().locations[machine.site_of(thread).index()]);
    threads.map(state).collect()
}

/// How a path ended, for those who look at the tree.
fn in_words(end: &End) -> String {
    match end {
        End::Violated(violation) => format!("{VIOLATED} {}: {}", violation.property, violation.message),
        End::Finished { .. } => "end of the process".to_owned(),
        End::Stuck => "no thread is enabled".to_owned(),
        End::Undefined(undefined) => format!("undefined behaviour: {}", undefined.what),
        End::Unsupported { what, .. } => format!("not supported: {what}"),
        End::Stopped(reason) => reason.to_string(),
        End::StepLimit => "step limit".to_owned(),
    }
}
