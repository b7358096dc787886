//! Clauses from edges: one short explanation, on demand.
//!
//! Every direct edge knows its cause and its time (its number on the stack). A path is found by a breadth-first search
//! in layers over *strictly older* edges, program order and unconditional edges costing nothing; a derived edge on it is
//! explained in turn by edges older than itself. Without the time bound an edge could take part in its own reason.
//! The guard of an interposed write belongs to the reason unless the clause already has some rf from that write, which
//! implies it.

use base::Id;
use solve::Lit;

use crate::graph::{EventId, ReadFromId, SectionId};
use crate::reachability::{EdgeCause, NO_EDGE, Place};
use crate::theory::{Conflict, OrderTheory};

/// Why a literal was propagated. All premises were there when the stack had the recorded number of edges.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cause {
    /// rf is false: its read must precede its write.
    AfterRead { rf: ReadFromId },
    /// rf is false: the executed `write` lies between.
    Between { rf: ReadFromId, write: EventId },
    /// rf is false: its write comes after the source of `other`, and its read comes before the read of `other`.
    IntervalWrite { rf: ReadFromId, other: ReadFromId },
    /// rf is false: its read lies between source and read of `other`.
    IntervalRead { rf: ReadFromId, other: ReadFromId },
    /// rf is false: `other` gives its source to another read-modify-write; the writes of both are executed.
    Exclusive { other: ReadFromId, writes: [EventId; 2] },
    /// The guard of `write` is false: it lies between the ends of rf.
    Guard { rf: ReadFromId, write: EventId },
    /// The pair literal has this direction because the places are ordered so.
    Ordered { from: Place, to: Place },
}

/// Work space, kept between explanations.
#[derive(Default)]
pub(crate) struct Explainer {
    stamp: u32,
    literal_stamp: Vec<u32>,
    edge_stamp: Vec<u32>,
    /// Stamped when the clause has an rf from the event.
    source_stamp: Vec<u32>,
    guards: Vec<EventId>,
    open_edges: Vec<u32>,
    search: PathSearch,
}

/// One place from which a chain was entered during a path search.
#[derive(Clone, Copy)]
struct ExplainEntry {
    position: i32,
    /// The edge that led here; [`NO_EDGE`] at the start.
    edge: u32,
    /// The entry of the same chain made before.
    previous: u32,
}

#[derive(Default)]
struct PathSearch {
    entries: Vec<ExplainEntry>,
    /// By chain: the newest entry.
    newest: Vec<u32>,
    layer: Vec<Place>,
    next_layer: Vec<Place>,
    /// The edge by which the place of the same index in `layer` is entered.
    layer_edges: Vec<u32>,
    next_layer_edges: Vec<u32>,
}

const NO_ENTRY: u32 = u32::MAX;

impl Explainer {
    pub fn new(events: usize, chains: usize) -> Self {
        let mut explainer = Self { source_stamp: vec![0; events], ..Self::default() };
        explainer.search.newest = vec![NO_ENTRY; chains];
        explainer
    }
}

impl OrderTheory {
    /// Notes the clause "not this edge, or not the path back", for an edge that would close a cycle.
    pub(crate) fn conflict_of_cycle(&mut self, from: Place, to: Place, cause: EdgeCause) -> Conflict {
        if !self.trial {
            self.counters.conflicts += 1;
            self.start_clause();
            let time = self.reach.edges.len() as u32;
            self.explain_edge_cause(cause, time);
            self.explain_path(to, from, time);
            self.finish_clause();
            std::mem::swap(&mut self.conflict, &mut self.clause);
            self.has_conflict = true;
        }
        Conflict
    }

    /// Notes the clause "not all premises of this cause".
    pub(crate) fn conflict_of_cause(&mut self, cause: EdgeCause) -> Conflict {
        if !self.trial {
            self.counters.conflicts += 1;
            self.start_clause();
            self.explain_edge_cause(cause, self.reach.edges.len() as u32);
            self.finish_clause();
            std::mem::swap(&mut self.conflict, &mut self.clause);
            self.has_conflict = true;
        }
        Conflict
    }

    /// Puts the clause that implies `lit` for `cause` at `time` into `self.clause`.
    pub(crate) fn explain_propagation(&mut self, lit: Lit, cause: Cause, time: u32) {
        self.start_clause();
        self.add_implied(lit);
        let ends = |theory: &Self, rf: ReadFromId| {
            let candidate = theory.layout.candidates[rf.index()];
            (candidate.source, candidate.target)
        };
        match cause {
            Cause::AfterRead { rf } => {
                let (write, read) = ends(self, rf);
                self.explain_path(read, write, time);
            }
            Cause::Between { rf, write } | Cause::Guard { rf, write } => {
                let (source, read) = ends(self, rf);
                let place = self.place_of_write(write);
                if matches!(cause, Cause::Guard { .. }) {
                    self.add_read_from(rf);
                } else {
                    self.explainer.guards.push(write);
                }
                self.explain_path(source, place, time);
                self.explain_path(place, read, time);
            }
            Cause::IntervalWrite { rf, other } => {
                let ((write, read), (source, later)) = (ends(self, rf), ends(self, other));
                self.add_read_from(other);
                self.explain_path(source, write, time);
                self.explain_path(read, later, time);
            }
            Cause::IntervalRead { rf, other } => {
                let ((_, read), (source, later)) = (ends(self, rf), ends(self, other));
                self.add_read_from(other);
                self.explain_path(source, read, time);
                self.explain_path(read, later, time);
            }
            Cause::Exclusive { other, writes } => {
                self.add_read_from(other);
                self.explainer.guards.extend_from_slice(&writes);
            }
            Cause::Ordered { from, to } => self.explain_path(from, to, time),
        }
        self.finish_clause();
    }

    fn place_of_write(&self, write: EventId) -> Place {
        let slot = self.layout.slot_of[write.index()];
        slot.map_or(Place(0), |slot| self.layout.slots[slot.index()].place)
    }

    fn start_clause(&mut self) {
        let explainer = &mut self.explainer;
        explainer.stamp += 1;
        explainer.guards.clear();
        explainer.open_edges.clear();
        explainer.literal_stamp.resize(self.values.len() * 2, 0);
        if explainer.edge_stamp.len() < self.reach.edges.len() {
            explainer.edge_stamp.resize(self.reach.edges.len(), 0);
        }
        self.clause.clear();
    }

    /// Explains the edges that are still open, then adds the guards that no rf of the clause implies.
    fn finish_clause(&mut self) {
        while let Some(edge) = self.explainer.open_edges.pop() {
            let cause = self.reach.edges[edge as usize].cause;
            self.explain_edge_cause(cause, edge);
        }
        for index in 0..self.explainer.guards.len() {
            let event = self.explainer.guards[index];
            if self.explainer.source_stamp[event.index()] != self.explainer.stamp {
                self.add_premise(self.layout.guards[event.index()]);
            }
        }
        self.counters.clauses += 1;
        self.counters.clause_literals += self.clause.len() as u64;
    }

    /// The literal that the clause implies.
    fn add_implied(&mut self, lit: Lit) {
        self.add_premise(!lit);
    }

    /// `lit` is true and part of the reason: the clause gets its negation, once.
    fn add_premise(&mut self, lit: Lit) {
        if lit == self.layout.true_lit {
            return;
        }
        let stamp = &mut self.explainer.literal_stamp[lit.code()];
        if *stamp != self.explainer.stamp {
            *stamp = self.explainer.stamp;
            self.clause.push(!lit);
        }
    }

    fn add_read_from(&mut self, rf: ReadFromId) {
        let candidate = self.layout.candidates[rf.index()];
        self.explainer.source_stamp[candidate.write.index()] = self.explainer.stamp;
        self.add_premise(candidate.lit);
    }

    fn explain_edge_cause(&mut self, cause: EdgeCause, time: u32) {
        match cause {
            EdgeCause::Literal(lit) => self.add_premise(lit),
            EdgeCause::ReadFrom(rf) => self.add_read_from(rf),
            EdgeCause::Overwritten { rf, write } => {
                let read = self.layout.candidates[rf.index()].target;
                self.add_read_from(rf);
                self.explainer.guards.push(write);
                self.explain_path(self.place_of_write(write), read, time);
            }
            EdgeCause::FromRead { rf, write } => {
                let source = self.layout.candidates[rf.index()].source;
                self.add_read_from(rf);
                self.explainer.guards.push(write);
                self.explain_path(source, self.place_of_write(write), time);
            }
            EdgeCause::Lock { first, first_end, second, second_end } => {
                self.add_section(first, first_end);
                self.add_section(second, second_end);
                let lock = self.layout.sections[first.index()].lock;
                if let Some(&(end, _)) = self.layout.sections[second.index()].unlocks.get(second_end as usize) {
                    self.explain_path(lock, end, time);
                }
            }
            EdgeCause::Commitment => {}
        }
    }

    /// The section is executed, and the candidates before `end` are skipped.
    fn add_section(&mut self, section: SectionId, end: u32) {
        self.add_premise(self.layout.sections[section.index()].guard);
        for index in 0..end as usize {
            let (_, guard) = self.layout.sections[section.index()].unlocks[index];
            self.add_premise(!guard);
        }
    }

    /// Opens the edges of a path from `from` to `to` that is older than `time`.
    fn explain_path(&mut self, from: Place, to: Place, time: u32) {
        if from == to {
            return;
        }
        let found = self.search_path(from, to, time);
        assert!(found, "an order that was derived should have a path of older edges");
        let mut place = to;
        loop {
            let edge = self.edge_into(place);
            if edge == NO_EDGE {
                break;
            }
            if self.explainer.edge_stamp[edge as usize] != self.explainer.stamp {
                self.explainer.edge_stamp[edge as usize] = self.explainer.stamp;
                self.explainer.open_edges.push(edge);
            }
            place = self.reach.edges[edge as usize].from;
        }
        self.explainer.search.newest.fill(NO_ENTRY);
    }

    /// The edge by which the search came to `place`: that of the first entry of its chain at or before it.
    fn edge_into(&self, place: Place) -> u32 {
        let search = &self.explainer.search;
        let position = self.reach.position(place);
        let mut edge = NO_EDGE;
        let mut index = search.newest[self.reach.chain(place)];
        while index != NO_ENTRY && search.entries[index as usize].position <= position {
            edge = search.entries[index as usize].edge;
            index = search.entries[index as usize].previous;
        }
        edge
    }

    /// Breadth-first from `from`, in layers by the number of edges that cost a literal. Only places before `to` count.
    fn search_path(&mut self, from: Place, to: Place, time: u32) -> bool {
        let search = &mut self.explainer.search;
        search.entries.clear();
        search.layer.clear();
        search.layer_edges.clear();
        search.next_layer.clear();
        search.next_layer_edges.clear();
        search.layer.push(from);
        search.layer_edges.push(NO_EDGE);
        loop {
            while let (Some(place), Some(edge)) =
                (self.explainer.search.layer.pop(), self.explainer.search.layer_edges.pop())
            {
                if self.enter(place, edge, to, time) {
                    return true;
                }
            }
            let search = &mut self.explainer.search;
            if search.next_layer.is_empty() {
                return false;
            }
            std::mem::swap(&mut search.layer, &mut search.next_layer);
            std::mem::swap(&mut search.layer_edges, &mut search.next_layer_edges);
        }
    }

    /// Walks up the chain of `place` to where it was entered before, and follows the edges that leave it. True if that
    /// reaches `to`.
    fn enter(&mut self, place: Place, edge: u32, to: Place, time: u32) -> bool {
        let (chain, position) = (self.reach.chain(place), self.reach.position(place));
        let search = &mut self.explainer.search;
        let previous = search.newest[chain];
        let seen = if previous == NO_ENTRY { i32::MAX } else { search.entries[previous as usize].position };
        if position >= seen {
            return false;
        }
        search.newest[chain] = search.entries.len() as u32;
        search.entries.push(ExplainEntry { position, edge, previous });
        if chain == self.reach.chain(to) && position <= self.reach.position(to) {
            return true;
        }
        let last = self.reach.pred(to)[chain].min(seen - 1);
        for position in position..=last {
            let mut out = self.reach.first_out[self.reach.place(chain, position).index()];
            while out != NO_EDGE {
                let direct = self.reach.edges[out as usize];
                if out < time && (direct.to == to || self.reach.precedes(direct.to, to)) {
                    let free = direct.cause == EdgeCause::Literal(self.layout.true_lit);
                    let search = &mut self.explainer.search;
                    let (places, edges) = if free {
                        (&mut search.layer, &mut search.layer_edges)
                    } else {
                        (&mut search.next_layer, &mut search.next_layer_edges)
                    };
                    places.push(direct.to);
                    edges.push(out);
                }
                out = direct.next_out;
            }
        }
        false
    }
}
