//! Happens-before beside the order of an execution: what a pass notes for programs in which threads learn of each
//! other without being ordered (relaxed atomics, a `trylock` that fails, the value of a semaphore). There two accesses can
//! be unordered although no execution has them next to each other, so that races are looked for with a second partial
//! order, of happens-before alone; `encode_happens_before` makes it, decision 0020 says why that is exact.

use base::Span;
use events::happens_before::{AtomicAccess, FencePoint, HappensBefore, HbSlot, SlotUse};
use events::{Access, CellPart, EventId, NodeId};
use program::effects::{AccessKind, MemoryAccess};
use program::{InstructionKind, MemoryOrder, Property};
use symbolic::SymValue;
use terms::TermId;

use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::{SymState, ThreadPosition};

/// What happens-before is made of in this pass.
pub(crate) struct HbOrder {
    /// Whether there are events that it could order.
    is_exact: bool,
    facts: HappensBefore,
    /// Where it is not followed exactly, and why.
    gaps: Vec<(ThreadPosition, &'static str, Span)>,
}

impl HbOrder {
    pub fn new(is_exact: bool) -> Self {
        Self { is_exact, facts: HappensBefore::default(), gaps: Vec::new() }
    }

    pub fn add_slot_use(&mut self, slot_use: SlotUse) {
        self.facts.slot_uses.push(slot_use);
    }

    /// Adds it to the graph, with what switches it on.
    pub fn settle(&mut self, pass: &mut Pass<'_>) {
        let racing = pass.terms().bool_variable("racing");
        let happens_before = std::mem::take(&mut self.facts);
        pass.graph.set_happens_before(HappensBefore { racing: Some(racing), ..happens_before });
        for (standing, what, span) in std::mem::take(&mut self.gaps) {
            pass.leave_race_gap(standing, what, span);
        }
    }

    /// Whether this pass notes what happens-before is made of.
    pub fn is_followed(&self, pass: &Pass<'_>) -> bool {
        pass.looks_for(Property::NoDataRace) && self.is_exact && pass.survey.reveals_without_ordering()
    }

    /// Happens-before is not followed exactly from here on, which matters if any accesses may race.
    pub fn note_gap(&mut self, state: &SymState, what: &'static str, span: Span) {
        self.gaps.push((state.standing(), what, span));
    }

    /// Notes what an atomic access, whose events begin with `first`, does for happens-before. After the access.
    pub fn note_atomic_access(
        &mut self,
        pass: &mut Pass<'_>,
        state: &SymState,
        kind: &InstructionKind,
        memory: &MemoryAccess,
        first: EventId,
        span: Span,
    ) {
        if state.single || !self.is_followed(pass) {
            return;
        }
        let is_update = memory.kind == AccessKind::Update;
        let acquires_if_it_writes = is_update && memory.order.acquires();
        let mut releases = memory.kind != AccessKind::Read && memory.order.releases();
        let mut acquires =
            if memory.kind == AccessKind::Write { None } else { acquires_when(pass, state, kind, memory) };
        let always = Some(pass.graph.terms.boolean(true));
        if state.atomic.is_some() {
            // The section's other accesses to the same memory may stand for this one: too much order, and a gap.
            let what = "an atomic access in an atomic section, next to try-lock operations that leak information without synchronizing";
            self.note_gap(state, what, span);
            (acquires, releases) = (always, true);
        }
        let width = memory.bytes().unwrap_or(0);
        let (mut reads, mut writes, mut overlaps) = (Vec::new(), Vec::new(), false);
        for (id, event) in pass.graph.events.iter_enumerated().skip(first.0 as usize) {
            let CellPart::Bytes(size) = pass.graph.cells[event.cell].part else { continue };
            overlaps |= u64::from(size) > width;
            match event.access {
                Access::Read => reads.push(id),
                Access::Write => writes.push(id),
            }
        }
        if overlaps {
            let what = "atomic accesses of different widths to the same memory";
            self.note_gap(state, what, span);
        }
        if reads.is_empty() && writes.is_empty() {
            return;
        }
        let node = pass.graph.events[*reads.first().unwrap_or_else(|| &writes[0])].node;
        let access = AtomicAccess { node, reads, writes, acquires, acquires_if_it_writes, releases, is_update };
        self.facts.atomics.push(access);
    }

    pub fn fence(&mut self, pass: &mut Pass<'_>, state: &SymState, order: MemoryOrder, step: &mut OpenStep) {
        if state.single || !self.is_followed(pass) {
            return;
        }
        if state.atomic.is_some() {
            let what =
                "a fence in an atomic section, next to try-lock operations that leak information without synchronizing";
            self.note_gap(state, what, step.site.span);
        }
        let node = pass.graph.node(state, step);
        let (acquires, releases) = (order.acquires(), order.releases());
        self.facts.fences.push(FencePoint { node, guard: state.guard, acquires, releases });
    }

    /// A new atomic section begins and, at its end, hands on what it did.
    pub fn note_section(&mut self, pass: &mut Pass<'_>, state: &SymState, node: NodeId) {
        if state.single || !self.is_followed(pass) {
            return;
        }
        let condition = pass.guard_term(state);
        for releases in [false, true] {
            self.facts.slot_uses.push(SlotUse { node, slot: HbSlot::Sections, releases, condition });
        }
    }
}

/// When the read of an atomic access acquires; `None` for never.
fn acquires_when(
    pass: &mut Pass<'_>,
    state: &SymState,
    kind: &InstructionKind,
    memory: &MemoryAccess,
) -> Option<TermId> {
    let always = Some(pass.graph.terms.boolean(true));
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
        (false, true, Some(succeeds)) => Some(pass.terms().not(succeeds)),
        (_, _, None) => always,
    }
}
