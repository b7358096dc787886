//! The static side of the theory: an [`OrderGraph`] laid out in dense tables, so that propagation only indexes.
//!
//! Nodes become places in chain-major order. The writes of one address in one node form a *slot*; slots and reads are
//! sorted by address, chain and position, so that "the writes of x in chain t" is a slice.

use base::{Id, define_id};
use solve::{Lit, Var};

use crate::graph::{EventId, EventKind, NodeId, OrderGraph, ReadFromId, SectionId};
use crate::reachability::Place;

define_id!(
    /// All writes of one address in one node.
    SlotId,
    "w"
);
define_id!(
    /// A read event, sorted by address, chain and position.
    ReadId,
    "r"
);

#[derive(Clone, Copy, Debug)]
pub(crate) struct WriteSlot {
    pub place: Place,
    pub position: i32,
    pub address: u32,
    /// Range in [`Layout::slot_events`].
    pub first_event: u32,
    pub event_count: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub place: Place,
    pub position: i32,
    pub address: u32,
    pub guard: Lit,
    /// The slot of the read's own node and address that the node writes after reading: a read-modify-write.
    pub modifies: Option<SlotId>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct RfCandidate {
    pub write: EventId,
    pub slot: SlotId,
    pub read: ReadId,
    pub source: Place,
    pub target: Place,
    pub lit: Lit,
}

/// What a literal means when it becomes true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    ReadFrom(ReadFromId),
    Write(EventId),
    Edge {
        from: Place,
        to: Place,
    },
    Lock(SectionId),
    /// An unlock candidate of the section is not executed.
    NoUnlock(SectionId),
}

#[derive(Clone, Debug)]
pub(crate) struct SectionPlaces {
    pub mutex: u32,
    pub lock: Place,
    pub guard: Lit,
    pub unlocks: Vec<(Place, Lit)>,
}

/// Rows of different lengths in one vector.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Rows<T> {
    /// `entries` need not be sorted; the order within a row is kept.
    fn new(rows: usize, entries: &[(usize, T)]) -> Self {
        let mut starts = vec![0u32; rows + 1];
        entries.iter().for_each(|&(row, _)| starts[row + 1] += 1);
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut order: Vec<u32> = (0..entries.len() as u32).collect();
        order.sort_by_key(|&i| entries[i as usize].0);
        Self { starts, items: order.into_iter().map(|i| entries[i as usize].1).collect() }
    }

    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        match (self.starts.get(row), self.starts.get(row + 1)) {
            (Some(&start), Some(&end)) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }

    #[inline]
    pub fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    #[inline]
    pub fn item(&self, index: usize) -> T {
        self.items[index]
    }
}

#[derive(Debug)]
pub(crate) struct Layout {
    pub true_lit: Lit,
    pub chains: usize,
    pub chain_lengths: Vec<usize>,
    pub place_of: Vec<Place>,
    pub node_at: Vec<NodeId>,
    pub node_guard: Vec<Lit>,
    pub slots: Vec<WriteSlot>,
    pub slot_events: Vec<EventId>,
    pub reads: Vec<Read>,
    pub candidates: Vec<RfCandidate>,
    /// By event.
    pub guards: Vec<Lit>,
    pub slot_of: Vec<Option<SlotId>>,
    /// By address · chains + chain; ids are consecutive.
    pub slots_of: Rows<SlotId>,
    pub reads_of: Rows<ReadId>,
    /// By read · chains + chain of the write; sorted by position.
    pub sources_of: Rows<ReadFromId>,
    /// Position of the source, parallel to the items of `sources_of`: what a window's ends are compared with.
    pub source_positions: Vec<i32>,
    /// By slot.
    pub readers_of: Rows<ReadFromId>,
    /// By place.
    pub slots_at: Rows<SlotId>,
    pub reads_at: Rows<ReadId>,
    /// Sections that the place may end.
    pub ends_at: Rows<SectionId>,
    pub locks_at: Rows<SectionId>,
    pub sections: Vec<SectionPlaces>,
    /// By mutex · chains + chain; sorted by position of the lock.
    pub sections_of: Rows<SectionId>,
    /// By code of the literal.
    pub roles: Rows<Role>,
    /// Reads by position, then chain.
    pub decision_order: Vec<ReadId>,
    pub observed: Vec<Var>,
}

impl Layout {
    pub fn new(graph: &OrderGraph) -> Self {
        let chains = graph.chains().len();
        let mut place_of = vec![Place(0); graph.nodes().len()];
        let mut node_at = Vec::with_capacity(graph.nodes().len());
        for chain in graph.chains() {
            for &node in chain {
                place_of[node.index()] = Place::new(node_at.len());
                node_at.push(node);
            }
        }
        let chain_at = |place: Place| graph.nodes()[node_at[place.index()]].chain.index();
        let (slots, slot_events, slot_of) = lay_out_slots(graph, &place_of);
        let (reads, read_of) = lay_out_reads(graph, &place_of, &slot_of);
        let candidates = lay_out_candidates(graph, &place_of, &slot_of, &read_of);
        let sections = lay_out_sections(graph, &place_of);

        let by_address = |place: Place, address: u32| address as usize * chains + chain_at(place);
        let slot_rows: Vec<_> =
            slots.iter().enumerate().map(|(i, s)| (by_address(s.place, s.address), SlotId::new(i))).collect();
        let read_rows: Vec<_> =
            reads.iter().enumerate().map(|(i, r)| (by_address(r.place, r.address), ReadId::new(i))).collect();
        let mut source_rows: Vec<_> = candidates
            .iter()
            .enumerate()
            .map(|(i, c)| (c.read.index() * chains + chain_at(c.source), ReadFromId::new(i)))
            .collect();
        source_rows.sort_by_key(|&(row, rf)| (row, candidates[rf.index()].source));
        let reader_rows: Vec<_> = candidates
            .iter()
            .enumerate()
            .filter(|(_, c)| c.source != c.target)
            .map(|(i, c)| (c.slot.index(), ReadFromId::new(i)))
            .collect();
        let mut section_rows: Vec<_> = sections
            .iter()
            .enumerate()
            .map(|(i, s)| (s.mutex as usize * chains + chain_at(s.lock), SectionId::new(i)))
            .collect();
        section_rows.sort_by_key(|&(row, section)| (row, sections[section.index()].lock));
        let ends: Vec<_> = sections
            .iter()
            .enumerate()
            .flat_map(|(i, s)| s.unlocks.iter().map(move |&(place, _)| (place.index(), SectionId::new(i))))
            .collect();
        let locks: Vec<_> = sections.iter().enumerate().map(|(i, s)| (s.lock.index(), SectionId::new(i))).collect();
        let slots_at: Vec<_> = slots.iter().enumerate().map(|(i, s)| (s.place.index(), SlotId::new(i))).collect();
        let reads_at: Vec<_> = reads.iter().enumerate().map(|(i, r)| (r.place.index(), ReadId::new(i))).collect();
        let mut decision_order: Vec<ReadId> = (0..reads.len()).map(ReadId::new).collect();
        decision_order.sort_by_key(|read| (reads[read.index()].position, reads[read.index()].place));

        let places = node_at.len();
        let sources_of = Rows::new(reads.len() * chains, &source_rows);
        let position = |rf: &ReadFromId| slots[candidates[rf.index()].slot.index()].position;
        let source_positions = sources_of.items.iter().map(position).collect();
        let roles = lay_out_roles(graph, &place_of, &candidates, &sections);
        Self {
            true_lit: graph.true_lit(),
            chains,
            chain_lengths: graph.chains().iter().map(Vec::len).collect(),
            node_guard: node_at.iter().map(|&node| graph.nodes()[node].guard).collect(),
            guards: graph.events().iter().map(|event| event.guard).collect(),
            slots_of: Rows::new(graph.address_count() * chains, &slot_rows),
            reads_of: Rows::new(graph.address_count() * chains, &read_rows),
            sources_of,
            source_positions,
            readers_of: Rows::new(slots.len(), &reader_rows),
            slots_at: Rows::new(places, &slots_at),
            reads_at: Rows::new(places, &reads_at),
            ends_at: Rows::new(places, &ends),
            locks_at: Rows::new(places, &locks),
            sections_of: Rows::new(graph.mutex_count() * chains, &section_rows),
            roles,
            observed: graph.variables(),
            decision_order,
            place_of,
            node_at,
            slots,
            slot_events,
            slot_of,
            reads,
            candidates,
            sections,
        }
    }

    /// The slots of `address` in `chain`, sorted by position.
    #[inline]
    pub fn slots_in(&self, address: u32, chain: usize) -> &[SlotId] {
        self.slots_of.row(address as usize * self.chains + chain)
    }

    /// The reads of `address` in `chain`, sorted by position.
    #[inline]
    pub fn reads_in(&self, address: u32, chain: usize) -> &[ReadId] {
        self.reads_of.row(address as usize * self.chains + chain)
    }

    #[inline]
    pub fn events_of(&self, slot: SlotId) -> &[EventId] {
        let slot = &self.slots[slot.index()];
        &self.slot_events[slot.first_event as usize..][..slot.event_count as usize]
    }
}

type Slots = (Vec<WriteSlot>, Vec<EventId>, Vec<Option<SlotId>>);

fn lay_out_slots(graph: &OrderGraph, place_of: &[Place]) -> Slots {
    let place = |id: EventId| place_of[graph.events()[id].node.index()];
    let mut writes: Vec<EventId> =
        graph.events().ids().filter(|&id| graph.events()[id].kind == EventKind::Write).collect();
    writes.sort_by_key(|&id| (graph.events()[id].address, place(id), graph.events()[id].index));
    let mut slots: Vec<WriteSlot> = Vec::new();
    let mut slot_of = vec![None; graph.events().len()];
    for (index, &id) in writes.iter().enumerate() {
        let event = graph.events()[id];
        match slots.last_mut() {
            Some(slot) if slot.place == place(id) && slot.address == event.address.0 => slot.event_count += 1,
            _ => slots.push(WriteSlot {
                place: place(id),
                position: graph.nodes()[event.node].position as i32,
                address: event.address.0,
                first_event: index as u32,
                event_count: 1,
            }),
        }
        slot_of[id.index()] = Some(SlotId::new(slots.len() - 1));
    }
    (slots, writes, slot_of)
}

fn lay_out_reads(
    graph: &OrderGraph,
    place_of: &[Place],
    slot_of: &[Option<SlotId>],
) -> (Vec<Read>, Vec<Option<ReadId>>) {
    let place = |id: EventId| place_of[graph.events()[id].node.index()];
    let mut order: Vec<EventId> =
        graph.events().ids().filter(|&id| graph.events()[id].kind == EventKind::Read).collect();
    order.sort_by_key(|&id| (graph.events()[id].address, place(id), graph.events()[id].index));
    let mut read_of = vec![None; graph.events().len()];
    let reads = order.iter().enumerate().map(|(index, &id)| {
        read_of[id.index()] = Some(ReadId::new(index));
        let event = graph.events()[id];
        let later = graph.nodes()[event.node].events[event.index as usize + 1..].iter();
        let modifies = later
            .filter(|&&other| graph.events()[other].address == event.address)
            .find_map(|&other| slot_of[other.index()]);
        Read {
            place: place(id),
            position: graph.nodes()[event.node].position as i32,
            address: event.address.0,
            guard: event.guard,
            modifies,
        }
    });
    (reads.collect(), read_of)
}

/// Candidates in the order of their ids. The graph's verifier guarantees writes and reads at the right ends.
fn lay_out_candidates(
    graph: &OrderGraph,
    place_of: &[Place],
    slot_of: &[Option<SlotId>],
    read_of: &[Option<ReadId>],
) -> Vec<RfCandidate> {
    let candidates = graph.read_froms().iter().map(|rf| RfCandidate {
        write: rf.write,
        slot: slot_of[rf.write.index()].expect("a verified candidate should start at a write"),
        read: read_of[rf.read.index()].expect("a verified candidate should end at a read"),
        source: place_of[graph.events()[rf.write].node.index()],
        target: place_of[graph.events()[rf.read].node.index()],
        lit: rf.lit,
    });
    candidates.collect()
}

fn lay_out_sections(graph: &OrderGraph, place_of: &[Place]) -> Vec<SectionPlaces> {
    let guard = |node: NodeId| graph.nodes()[node].guard;
    let sections = graph.sections().iter().map(|section| SectionPlaces {
        mutex: section.mutex.0,
        lock: place_of[section.lock.index()],
        guard: guard(section.lock),
        unlocks: section.unlocks.iter().map(|&node| (place_of[node.index()], guard(node))).collect(),
    });
    sections.collect()
}

fn lay_out_roles(
    graph: &OrderGraph,
    place_of: &[Place],
    candidates: &[RfCandidate],
    sections: &[SectionPlaces],
) -> Rows<Role> {
    let mut roles: Vec<(usize, Role)> = Vec::new();
    for (id, event) in graph.events().iter_enumerated() {
        if event.kind == EventKind::Write {
            roles.push((event.guard.code(), Role::Write(id)));
        }
    }
    for edge in graph.edges() {
        let (from, to) = (place_of[edge.from.index()], place_of[edge.to.index()]);
        roles.push((edge.lit.code(), Role::Edge { from, to }));
    }
    for (index, candidate) in candidates.iter().enumerate() {
        if candidate.source != candidate.target {
            roles.push((candidate.lit.code(), Role::ReadFrom(ReadFromId::new(index))));
        }
    }
    for (index, section) in sections.iter().enumerate() {
        roles.push((section.guard.code(), Role::Lock(SectionId::new(index))));
        for &(_, guard) in &section.unlocks {
            roles.push(((!guard).code(), Role::NoUnlock(SectionId::new(index))));
        }
    }
    let rows = roles.iter().map(|&(code, _)| code + 1).max().unwrap_or(0);
    Rows::new(rows, &roles)
}
