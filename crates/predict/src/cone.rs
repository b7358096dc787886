//! Slices of an event graph: what decides a goal directly, and nothing else (the paper's thread-sensitive slicing, §9, turned
//! around: not what may influence the goal is kept, but what its guards read).
//!
//! Guarantee: a slice has every execution of the graph. A read that is left out may give anything, so a goal that the
//! slice cannot reach is out of reach; one that it can reach must be looked for in the whole graph.

use std::collections::BTreeSet;

use base::IdVec;
use events::{Access, CellId, CellKey, CellPart, EventGraph, EventId};
use rustc_hash::{FxHashMap, FxHashSet};
use sync::ObjectKind;
use terms::{Term, TermId};

/// Which cell each value that is read comes from.
pub struct ReadValues {
    cells: FxHashMap<TermId, CellId>,
}

impl ReadValues {
    pub fn new(graph: &EventGraph) -> Self {
        let mut cells = FxHashMap::default();
        for event in graph.events.iter().filter(|event| event.access == Access::Read) {
            let (components, count) = event.value.components();
            cells.extend(components[..count].iter().map(|&component| (component, event.cell)));
        }
        Self { cells }
    }

    /// The cells whose values the terms depend on, apart from those of locks: that critical sections do not overlap is known
    /// without them.
    pub fn cone(&self, graph: &EventGraph, roots: &[TermId]) -> BTreeSet<CellId> {
        let mut found = BTreeSet::new();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match graph.terms.get(term) {
                Term::Variable(_) => found.extend(self.cells.get(&term)),
                other => open.extend(other.operands()),
            }
        }
        found.retain(|&cell| !is_of_section(graph, graph.cells[cell]));
        found
    }
}

fn is_of_section(graph: &EventGraph, cell: CellKey) -> bool {
    matches!(cell.part, CellPart::Field(ObjectKind::Mutex | ObjectKind::Spin, _))
        && graph.sections.iter().any(|section| section.lock == (cell.object, cell.offset))
}

/// The graph without the events of all other cells.
pub fn slice(graph: &EventGraph, cells: &BTreeSet<CellId>) -> EventGraph {
    let mut sliced = graph.clone();
    // Its events have other numbers there, and races are not what slices are for.
    sliced.happens_before = None;
    let mut names: IdVec<EventId, Option<EventId>> = IdVec::new();
    sliced.events = IdVec::new();
    for event in &graph.events {
        let is_kept = cells.contains(&event.cell);
        names.push(is_kept.then(|| sliced.events.push(event.clone())));
    }
    for node in sliced.nodes.iter_mut() {
        node.events = node.events.iter().filter_map(|&event| names[event]).collect();
    }
    sliced
}

/// Whether a slice would leave out anything.
pub fn is_proper(graph: &EventGraph, cells: &BTreeSet<CellId>) -> bool {
    graph.events.iter().any(|event| !cells.contains(&event.cell))
}

#[cfg(test)]
mod tests {
    use base::{Budget, Id};
    use program::PropertySet;
    use unfold::UnfoldOptions;

    use super::*;

    fn graph() -> EventGraph {
        let text = "\
            #include <pthread.h>\nint x, y;\n\
            void *other(void *unused) { x = 1; y = 1; return 0; }\n\
            int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); if (x) y = 2; return y; }";
        let file = std::env::temp_dir().join(format!("gordian-cone-{}.c", std::process::id()));
        std::fs::write(&file, text).expect("a temporary file");
        let compiled = frontend::compile(std::slice::from_ref(&file), &frontend::CompileOptions::default());
        std::fs::remove_file(file).expect("the file should still be there");
        let program = compiled.expect("the program is fine").program;
        let visibility = program::Visibility::new(&program);
        let mut options = UnfoldOptions::new(1, PropertySet::EMPTY);
        options.every_access = true;
        unfold::unfold(&program, &visibility, &options, &Budget::unlimited()).expect("no limit")
    }

    #[test]
    fn a_guard_depends_on_what_it_reads_and_the_slice_keeps_only_that() {
        let graph = graph();
        let of_main =
            graph.accesses.iter().find(|access| access.writes && graph.nodes[access.node].instance.index() == 0);
        let guard = graph.guards.term(of_main.expect("main writes y").guard);
        let cells = ReadValues::new(&graph).cone(&graph, &[guard]);
        assert_eq!(cells.len(), 1, "only x is read: {cells:?}");
        assert!(is_proper(&graph, &cells));
        let sliced = slice(&graph, &cells);
        assert!(!sliced.events.is_empty() && sliced.events.iter().all(|event| cells.contains(&event.cell)));
        assert_eq!(sliced.nodes.len(), graph.nodes.len());
        let listed: usize = sliced.nodes.iter().map(|node| node.events.len()).sum();
        assert_eq!(listed, sliced.events.len());
    }
}
