//! The Boolean side of read-from: what the literals of an [`OrderGraph`] mean without any order between nodes.
//! The theory and the clock encoding both rest on these clauses.

use base::Id;
use solve::{ClauseSink, Lit};

use crate::at_most_one::at_most_one;
use crate::graph::{EventKind, NodeId, OrderEvent, OrderGraph, ReadFrom, ReadFromId};

impl OrderGraph {
    /// Adds, for every event, guard → guard of its node; for every candidate, rf → guards of both ends, and
    /// rf → no executed write of the address comes between them *inside* their nodes; for every read, executed → some
    /// rf, and at most one rf; for every write, at most one rf to a read-modify-write that always writes. A candidate that program order forbids becomes false. Values are the caller's business.
    pub fn encode_read_from(&self, sink: &mut impl ClauseSink) {
        sink.add_clause(&[self.true_lit()]);
        for event in self.events() {
            let node_guard = self.nodes()[event.node].guard;
            if event.guard != node_guard && node_guard != self.true_lit() {
                sink.add_clause(&[!event.guard, node_guard]);
            }
        }
        for rf in self.read_froms() {
            self.encode_candidate(sink, rf);
        }
        self.encode_choice(sink);
        self.encode_exclusion(sink);
    }

    fn encode_candidate(&self, sink: &mut impl ClauseSink, rf: &ReadFrom) {
        let (write, read) = (self.events()[rf.write], self.events()[rf.read]);
        for guard in [write.guard, read.guard] {
            if guard != self.true_lit() {
                sink.add_clause(&[!rf.lit, guard]);
            }
        }
        let backwards = write.node == read.node && write.index > read.index;
        if backwards || self.program_order(read.node, write.node) {
            sink.add_clause(&[!rf.lit]);
            return;
        }
        self.for_each_interposed(&write, &read, |guard| sink.add_clause(&[!rf.lit, !guard]));
    }

    /// Calls `found` with the guard of each write of the address inside the two nodes that would hide `write` from
    /// `read`.
    fn for_each_interposed(&self, write: &OrderEvent, read: &OrderEvent, mut found: impl FnMut(Lit)) {
        let mut scan = |node: NodeId, from: u32, to: u32| {
            for &id in &self.nodes()[node].events[from as usize..to as usize] {
                let event = self.events()[id];
                if event.kind == EventKind::Write && event.address == read.address {
                    found(event.guard);
                }
            }
        };
        if write.node == read.node {
            scan(write.node, write.index + 1, read.index);
        } else {
            scan(write.node, write.index + 1, self.nodes()[write.node].events.len() as u32);
            scan(read.node, 0, read.index);
        }
    }

    fn encode_choice(&self, sink: &mut impl ClauseSink) {
        let mut candidates: Vec<Vec<ReadFromId>> = vec![Vec::new(); self.events().len()];
        for (id, rf) in self.read_froms().iter_enumerated() {
            candidates[rf.read.index()].push(id);
        }
        let mut literals = Vec::new();
        for (id, event) in self.events().iter_enumerated() {
            if event.kind == EventKind::Write {
                continue;
            }
            literals.clear();
            literals.extend(candidates[id.index()].iter().map(|&rf| self.read_froms()[rf].lit));
            at_most_one(sink, &literals);
            literals.push(!event.guard);
            sink.add_clause(&literals);
        }
    }

    /// Of two read-modify-writes with one source, the later would see the earlier.
    fn encode_exclusion(&self, sink: &mut impl ClauseSink) {
        let mut rivals: Vec<Vec<(NodeId, Lit)>> = vec![Vec::new(); self.events().len()];
        for rf in self.read_froms() {
            let (write, read) = (self.events()[rf.write], self.events()[rf.read]);
            let competitors = &mut rivals[rf.write.index()];
            let counted = competitors.iter().any(|&(node, _)| node == read.node);
            if write.node != read.node && !counted && self.always_modifies(&read) {
                competitors.push((read.node, rf.lit));
            }
        }
        for competitors in rivals.iter().filter(|competitors| competitors.len() > 1) {
            let literals: Vec<Lit> = competitors.iter().map(|&(_, lit)| lit).collect();
            at_most_one(sink, &literals);
        }
    }

    /// Whether the node writes the address after this read, whenever it reads it.
    fn always_modifies(&self, read: &OrderEvent) -> bool {
        let later = &self.nodes()[read.node].events[read.index as usize + 1..];
        later.iter().map(|&id| self.events()[id]).any(|event| {
            event.kind == EventKind::Write
                && event.address == read.address
                && (event.guard == read.guard || event.guard == self.true_lit())
        })
    }
}
