//! What the synchronisation operations of a program do for happens-before, see `monitor::happens_before`.

use events::CellKey;
use events::happens_before::{HbSlot, Part, SlotUse};
use program::effects::{Effects, MemoryAccess};
use program::{Property, SyncOp};
use sync::{Action, Channel, Edge, Field};
use terms::TermId;

use crate::memory::CellRef;
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::SymState;
use crate::survey::CellClass;
use crate::sync_step::Execution;
use crate::synchroniser::Synchroniser;
use crate::thread_sets::field_cells;
use crate::unfolder::UnfoldFailure;

/// A semaphore with a value up to this does not overflow by as many posts as fit into an unfolding.
const MAX_SMALL: u64 = 1 << 30;

impl Synchroniser<'_> {
    /// Notes whether a synchronisation operation reveals without ordering what other threads do to its objects.
    pub(crate) fn note_revealing_operation(&mut self, state: &SymState, op: SyncOp, execution: &Execution) {
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
    fn others_use(&self, state: &SymState, execution: &Execution) -> bool {
        let threads = self.possible_threads();
        let cells = execution.objects.iter().zip(&execution.kinds).flat_map(|(places, &kind)| {
            let fields = kind.fields().iter().flat_map(move |&field| places.iter().map(move |place| (place, field)));
            fields.flat_map(|(place, field)| field_cells(place, kind, field, &threads)).collect::<Vec<CellKey>>()
        });
        cells.into_iter().flat_map(|cell| self.survey.accessors(cell)).any(|other| {
            other != state.instance && !state.joined.contains(&other) && !self.is_yet_to_be_created(state, other)
        })
    }

    /// Notes the happens-before edges of a synchronisation operation. After its updates.
    pub(crate) fn note_slot_uses(
        &mut self,
        state: &mut SymState,
        action: &Action,
        execution: &mut Execution,
    ) -> Result<(), UnfoldFailure> {
        if state.single || !self.follows_happens_before() {
            return Ok(());
        }
        for (edges, releases) in [(&action.acquires, false), (&action.releases, true)] {
            for edge in edges {
                self.note_slot_use(state, edge, releases, execution)?;
            }
        }
        if state.atomic.is_some() {
            let what = "synchronisation in an atomic section, next to try-lock operations that leak information without synchronizing";
            self.note_order_gap(state, what, execution.step.site.span);
        }
        Ok(())
    }

    fn note_slot_use(
        &mut self,
        state: &mut SymState,
        edge: &Edge,
        releases: bool,
        execution: &mut Execution,
    ) -> Result<(), UnfoldFailure> {
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
                if self.graph.is_false(condition) {
                    continue;
                }
                let node = self.graph.node_of_access(state, &mut execution.step);
                let slot = HbSlot::Object(place.object, place.offset, part);
                self.note_slot(SlotUse { node, slot, releases, condition });
            }
        }
        Ok(())
    }

    /// Whether no other thread uses a synchronisation object.
    fn is_used_alone(&self, place: &CellRef, kind: sync::ObjectKind) -> bool {
        let threads = self.possible_threads();
        let mut cells = kind.fields().iter().flat_map(|&field| field_cells(place, kind, field, &threads));
        cells.all(|cell| self.survey.class(cell) == CellClass::Folded)
    }
}

impl Pass<'_> {
    /// Notes whether an atomic access reveals without ordering. Before the access.
    pub fn note_weak_order(&mut self, state: &SymState, effects: &Effects, step: &mut OpenStep) {
        let reveals = || effects.accesses.iter().any(MemoryAccess::reveals_without_ordering);
        if self.looks_for(Property::NoDataRace)
            && !state.single
            && reveals()
            && self.visibility.is_visible(step.site.location)
        {
            self.survey.note_revealing();
        }
    }
}
