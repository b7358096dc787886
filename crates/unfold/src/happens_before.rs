//! Happens-before beside the order of an execution: what an unfolding notes for programs in which threads learn of each
//! other without being ordered (relaxed atomics, a `trylock` that fails, the value of a semaphore). There two accesses can
//! be unordered although no execution has them next to each other, so that races are looked for with a second partial
//! order, of happens-before alone; `encode_happens_before` makes it, decision 0020 says why that is exact.

use base::Span;
use events::happens_before::{AtomicAccess, FencePoint, Part, Slot, SlotUse};
use events::{Access, CellKey, CellPart, EventId, NodeId};
use program::effects::{AccessKind, Effects, MemoryAccess};
use program::{InstructionKind, MemoryOrder, SyncOp};
use symbolic::SymValue;
use sync::{Action, Channel, Edge, Field};
use terms::TermId;

use crate::memory::Place;
use crate::state::State;
use crate::survey::CellClass;
use crate::sync_step::Execution;
use crate::thread_sets::field_cells;
use crate::unfolder::{Failure, Site, Unfolder};

/// A semaphore with a value up to this does not overflow by as many posts as fit into an unfolding.
const MAX_SMALL: u64 = 1 << 30;

impl Unfolder<'_> {
    /// Whether this pass notes what happens-before is made of.
    pub fn follows_happens_before(&self) -> bool {
        self.looks_for_races() && !self.is_modular() && self.survey.reveals_without_ordering()
    }

    /// Happens-before is not followed exactly from here on, which matters if any accesses may race.
    fn note_order_gap(&mut self, state: &State, what: &'static str, span: Span) {
        self.order_gaps.push((state.standing(), what, span));
    }

    /// Notes whether an atomic access reveals without ordering. Before the access.
    pub fn note_weak_order(&mut self, state: &State, effects: &Effects, site: &Site) {
        let reveals = || effects.accesses.iter().any(MemoryAccess::reveals_without_ordering);
        if self.looks_for_races() && !state.single && reveals() && self.visibility.is_visible(site.location) {
            self.survey.note_revealing();
        }
    }

    /// Notes what an atomic access, whose events begin with `first`, does for happens-before. After the access.
    pub fn note_atomic_access(
        &mut self,
        state: &State,
        kind: &InstructionKind,
        memory: &MemoryAccess,
        first: EventId,
        site: &Site,
    ) {
        if state.single || !self.follows_happens_before() {
            return;
        }
        let is_update = memory.kind == AccessKind::Update;
        let acquires_if_it_writes = is_update && memory.order.acquires();
        let mut releases = memory.kind != AccessKind::Read && memory.order.releases();
        let mut acquires =
            if memory.kind == AccessKind::Write { None } else { self.acquires_when(state, kind, memory) };
        let always = Some(self.graph.terms.boolean(true));
        if state.atomic.is_some() {
            // The section's other accesses to the same memory may stand for this one: too much order, and a gap.
            let what = "an atomic access in an atomic section beside operations that reveal without ordering";
            self.note_order_gap(state, what, site.span);
            (acquires, releases) = (always, true);
        }
        let width = memory.bytes().unwrap_or(0);
        let (mut reads, mut writes, mut overlaps) = (Vec::new(), Vec::new(), false);
        for (id, event) in self.graph.events.iter_enumerated().skip(first.0 as usize) {
            let CellPart::Bytes(size) = self.graph.cells[event.cell].part else { continue };
            overlaps |= u64::from(size) > width;
            match event.access {
                Access::Read => reads.push(id),
                Access::Write => writes.push(id),
            }
        }
        if overlaps {
            let what = "atomic accesses of different widths to the same memory";
            self.note_order_gap(state, what, site.span);
        }
        if reads.is_empty() && writes.is_empty() {
            return;
        }
        let node = self.graph.events[*reads.first().unwrap_or_else(|| &writes[0])].node;
        let access = AtomicAccess { node, reads, writes, acquires, acquires_if_it_writes, releases, is_update };
        self.happens_before.atomics.push(access);
    }

    /// When the read of an atomic access acquires; `None` for never.
    fn acquires_when(&mut self, state: &State, kind: &InstructionKind, memory: &MemoryAccess) -> Option<TermId> {
        let always = Some(self.graph.terms.boolean(true));
        let succeeds = match kind {
            InstructionKind::CompareExchange { success, .. } => match &state.registers[success.0 as usize] {
                Some(SymValue::Bool(succeeds)) => Some(*succeeds),
                _ => None,
            },
            _ => None,
        };
        let (if_written, if_not) = (memory.order.acquires(), memory.failure.unwrap_or(memory.order).acquires());
        match (if_written, if_not, succeeds) {
            (true, true, _) => always,
            (false, false, _) => None,
            (true, false, Some(succeeds)) => Some(succeeds),
            (false, true, Some(succeeds)) => Some(self.terms().not(succeeds)),
            (_, _, None) => always,
        }
    }

    pub fn fence(&mut self, state: &State, order: MemoryOrder, site: &Site) {
        if state.single || !self.follows_happens_before() {
            return;
        }
        if state.atomic.is_some() {
            let what = "a fence in an atomic section beside operations that reveal without ordering";
            self.note_order_gap(state, what, site.span);
        }
        let node = self.node(state, site.span);
        let (acquires, releases) = (order.acquires(), order.releases());
        self.happens_before.fences.push(FencePoint { node, guard: state.guard, acquires, releases });
    }

    /// A new atomic section begins and, at its end, hands on what it did.
    pub fn note_section(&mut self, state: &State, node: NodeId) {
        if state.single || !self.follows_happens_before() {
            return;
        }
        let condition = self.guard_term(state);
        for releases in [false, true] {
            self.happens_before.slot_uses.push(SlotUse { node, slot: Slot::Sections, releases, condition });
        }
    }

    /// Notes whether a synchronisation operation reveals without ordering what other threads do to its objects.
    pub(crate) fn note_revealing_operation(&mut self, state: &State, op: SyncOp, execution: &Execution) {
        let class = sync::class(op);
        if !class.reveals_without_ordering {
            return;
        }
        self.note_initial_value(sync::action(op), execution);
        if state.single || self.survey.reveals_without_ordering() {
            return;
        }
        // A semaphore that begins with a small value does not overflow.
        if class.reveals_only_at_limit && !self.survey.has_large_semaphores() {
            return;
        }
        if self.others_use(state, execution) {
            self.survey.note_revealing();
        }
    }

    fn note_initial_value(&mut self, action: &Action, execution: &Execution) {
        let resets = |field: Field| action.updates.iter().any(|update| update.field == field);
        if !resets(Field::Phase) || !resets(Field::Value) {
            return;
        }
        let is_small = |&term: &TermId| self.graph.terms.as_constant(term).is_some_and(|value| value <= MAX_SMALL);
        if !execution.operands.iter().flatten().all(is_small) {
            self.survey.note_large_semaphore();
        }
    }

    /// Whether another thread that may be running ever uses one of the objects.
    fn others_use(&self, state: &State, execution: &Execution) -> bool {
        let threads = self.possible_threads();
        let cells = execution.objects.iter().zip(&execution.kinds).flat_map(|(places, &kind)| {
            let fields = kind.fields().iter().flat_map(move |&field| places.iter().map(move |place| (place, field)));
            fields.flat_map(|(place, field)| field_cells(place, kind, field, &threads)).collect::<Vec<CellKey>>()
        });
        cells
            .into_iter()
            .flat_map(|cell| self.survey.accessors(cell))
            .any(|other| other != self.instance && !state.joined.contains(&other) && !self.is_yet_to_be_created(other))
    }

    /// Notes the happens-before edges of a synchronisation operation. After its updates.
    pub(crate) fn note_slot_uses(
        &mut self,
        state: &mut State,
        action: &Action,
        execution: &mut Execution,
    ) -> Result<(), Failure> {
        if state.single || !self.follows_happens_before() {
            return Ok(());
        }
        for (edges, releases) in [(&action.acquires, false), (&action.releases, true)] {
            for edge in edges {
                self.note_slot_use(state, edge, releases, execution)?;
            }
        }
        if state.atomic.is_some() {
            let what = "synchronisation in an atomic section beside operations that reveal without ordering";
            self.note_order_gap(state, what, execution.site.span);
        }
        Ok(())
    }

    fn note_slot_use(
        &mut self,
        state: &mut State,
        edge: &Edge,
        releases: bool,
        execution: &mut Execution,
    ) -> Result<(), Failure> {
        let when = self.truth(state, &edge.when, execution)?;
        let mut parts = Vec::new();
        match &edge.channel {
            Channel::Main => parts.push((Part::Main, when)),
            Channel::Readers => parts.push((Part::Readers, when)),
            Channel::Threads(set) => {
                for thread in self.possible_threads() {
                    let member = self.is_member(state, set, thread, execution)?;
                    parts.push((Part::Thread(thread), self.terms().and(when, member)));
                }
            }
        }
        let guard = self.guard_term(state);
        let kind = execution.kinds[edge.object];
        for place in execution.objects[edge.object].clone() {
            if self.is_used_alone(&place, kind) {
                continue;
            }
            for &(part, when) in &parts {
                let condition = self.terms().and_all(&[guard, place.condition, when]);
                if self.graph.terms.as_boolean(condition) == Some(false) {
                    continue;
                }
                let node = self.node_of_access(state, execution.site.span);
                let slot = Slot::Object(place.object, place.offset, part);
                self.happens_before.slot_uses.push(SlotUse { node, slot, releases, condition });
            }
        }
        Ok(())
    }

    /// Whether no other thread uses a synchronisation object.
    fn is_used_alone(&self, place: &Place, kind: sync::ObjectKind) -> bool {
        let threads = self.possible_threads();
        let mut cells = kind.fields().iter().flat_map(|&field| field_cells(place, kind, field, &threads));
        cells.all(|cell| self.survey.class(cell) == CellClass::Folded)
    }
}
