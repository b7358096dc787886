//! Symbolic memory, the lower half: reading and writing cells, folded into terms where nobody else can interfere and as events
//! where somebody can. Which cells an access is about is in `memory`.

use std::ops::{Deref, DerefMut};

use events::{Access, CellKey, CellPart, Event, NodeId};
use symbolic::value::names_nothing;
use symbolic::{ObjectKey, SymValue};
use terms::TermId;

use crate::abstraction::Abstraction;
use crate::array_events::{ArrayAccess, ArrayEvents};
use crate::idle_rounds;
use crate::lifetimes::{LIFE_BITS, no_life_yet};
use crate::modular_facts::LoopKey;
use crate::open_step::OpenStep;
use crate::paths::Paths;
use crate::shared_words::KeptLock;
use crate::state::SymState;
use crate::summaries::ANOTHER;
use crate::survey::CellClass;
use crate::unfolder::UnfoldFailure;
use crate::unknown_size::SIZE_BITS;

/// The width of what a cell holds.
pub fn bits_of(cell: CellKey) -> u32 {
    match cell.part {
        CellPart::Bytes(size) => u32::from(size) * 8,
        CellPart::Field(_, field) => u32::from(field.bits()),
        CellPart::Member(..) => 1,
        CellPart::Life => LIFE_BITS,
        CellPart::Size => SIZE_BITS,
        CellPart::Array(unit) | CellPart::View(unit) => u32::from(unit) * 8,
    }
}

pub(crate) struct Cells<'a> {
    paths: Paths<'a>,
    /// What is known of what is not folded.
    abstraction: Box<dyn Abstraction>,
    /// Those of arrays that threads share.
    pub array_events: ArrayEvents,
}

impl<'a> Deref for Cells<'a> {
    type Target = Paths<'a>;

    fn deref(&self) -> &Paths<'a> {
        &self.paths
    }
}

impl<'a> DerefMut for Cells<'a> {
    fn deref_mut(&mut self) -> &mut Paths<'a> {
        &mut self.paths
    }
}

impl<'a> Cells<'a> {
    pub fn new(paths: Paths<'a>, abstraction: Box<dyn Abstraction>) -> Self {
        Self { paths, abstraction, array_events: ArrayEvents::default() }
    }

    pub fn into_paths(self) -> Paths<'a> {
        self.paths
    }

    /// What is given up, to be asked.
    pub fn abstraction(&self) -> &dyn Abstraction {
        &*self.abstraction
    }

    /// What is given up, and what it notes.
    pub fn abstraction_and_paths(&mut self) -> (&mut dyn Abstraction, &mut Paths<'a>) {
        (&mut *self.abstraction, &mut self.paths)
    }

    /// The value of a cell when `condition` holds; anything elsewhere.
    pub fn read_cell(
        &mut self,
        state: &mut SymState,
        cell: CellKey,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<SymValue, UnfoldFailure> {
        if self.survey.is_unknowable_cell(cell) {
            self.survey.note_cell(cell);
            return Ok(self.fresh_contents(cell));
        }
        if state.single {
            self.survey.note_cell(cell);
        } else {
            self.note_protection(state, cell);
            self.survey.note_read(cell, step.instance);
            if self.survey.is_crowded(state, cell) {
                self.survey.note_read(cell, ANOTHER);
            }
        }
        if self.is_in_section(state, cell) {
            return self.read_in_section(state, cell, condition, step);
        }
        self.read_directly(state, cell, condition, step)
    }

    /// As [`read_cell`](Self::read_cell), outside of critical sections.
    pub fn read_directly(
        &mut self,
        state: &mut SymState,
        cell: CellKey,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<SymValue, UnfoldFailure> {
        let class = self.survey.class(cell);
        let known = state.single || class == CellClass::Folded || state.atomic.is_some();
        if known && let Some(value) = state.memory.get(&cell) {
            return Ok(value.clone());
        }
        if let Some(value) = self.untouched_contents(state, cell) {
            return Ok(value);
        }
        if state.single || class == CellClass::Folded {
            // Not seen by any earlier pass, or an object that does not exist on this path.
            return Ok(self.fresh_contents(cell));
        }
        if self.has_written_in_section(state, cell, step) {
            let what = "an atomic section that may fail after it wrote on one of its paths";
            self.keep_section_with_gap(state, what, step.site.span);
        }
        let value = self.abstraction.read_shared(&mut self.paths, state, cell, condition);
        self.add_event(state, Access::Read, cell, condition, value.clone(), step);
        if state.atomic.is_some() && self.graph.is_true(condition) {
            state.set_cell(cell, value.clone());
        }
        Ok(value)
    }

    /// Writes `value` to a cell when `condition` holds.
    pub fn write_cell(
        &mut self,
        state: &mut SymState,
        cell: CellKey,
        condition: TermId,
        value: &SymValue,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        self.abstraction.note_contents(&mut self.paths, cell, value);
        if self.survey.is_unknowable_cell(cell) {
            self.survey.note_cell(cell);
            return Ok(());
        }
        if state.single {
            self.survey.note_cell(cell);
        } else {
            self.note_protection(state, cell);
        }
        let value = self.as_contents(cell, value);
        if self.is_in_section(state, cell) {
            return self.write_in_section(state, cell, condition, &value, step);
        }
        self.write_directly(state, cell, condition, &value, step)
    }

    /// As [`write_cell`](Self::write_cell), outside of critical sections.
    pub fn write_directly(
        &mut self,
        state: &mut SymState,
        cell: CellKey,
        condition: TermId,
        value: &SymValue,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        if !state.single && !self.is_unseen_death(state, cell) {
            self.survey.note_write(cell, step.instance);
            self.abstraction.note_visible(&mut self.paths, state, cell, condition, value);
            if self.survey.is_crowded(state, cell) {
                self.survey.note_write(cell, ANOTHER);
            }
        }
        if let SymValue::Pointer { targets, .. } = value
            && !names_nothing(targets)
        {
            let known = self.known(state);
            let (terms, survey) = self.terms_and_survey();
            survey.note_targets(terms, &known, cell, value);
        }
        let value = self.as_contents(cell, value);
        match self.survey.class(cell) {
            CellClass::Shared if !state.single => {
                let changes = self.changes(state, cell, condition, &value, step);
                state.note_activity(self.graph.terms(), changes);
                self.know_what_is_overwritten(state, cell, condition, step)?;
                self.add_event(state, Access::Write, cell, condition, value.clone(), step);
                if state.atomic.is_some() {
                    self.overwrite(state, cell, condition, &value)?;
                }
                Ok(())
            }
            CellClass::Unread if !state.single => Ok(()),
            _ => {
                state.note_own_write(&self.graph.terms, cell);
                self.overwrite(state, cell, condition, &value)
            }
        }
    }

    /// Whether a section that may be abandoned has written the cell on some path: its writes are no events then.
    fn has_written_in_section(&self, state: &SymState, cell: CellKey, step: &OpenStep) -> bool {
        let can_be_abandoned = state.atomic.is_some_and(|section| section.abandoned.is_some());
        let (Some(node), Some(cell)) = (step.node, self.graph.known_cell(cell)) else { return false };
        let is_write = |event: &Event| event.cell == cell && event.access == Access::Write;
        can_be_abandoned && self.graph.nodes[node].events.iter().any(|&event| is_write(&self.graph.events[event]))
    }

    /// A later read would look for the write among the events, which an abandoned section has none of.
    /// Reads what is there before; but an object that may not exist has nothing to read.
    fn know_what_is_overwritten(
        &mut self,
        state: &mut SymState,
        cell: CellKey,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let can_be_abandoned = state.atomic.is_some_and(|section| section.abandoned.is_some());
        let is_certain = self.graph.is_true(condition);
        if !can_be_abandoned || is_certain || state.memory.contains_key(&cell) {
            return Ok(());
        }
        if matches!(self.survey.objects.get(cell.object).key, ObjectKey::Global(_)) {
            let truth = self.graph.terms.boolean(true);
            self.read_directly(state, cell, truth, step)?;
        } else {
            let what = "an atomic section that may fail after a write to an unknown location";
            self.keep_section_with_gap(state, what, step.site.span);
        }
        Ok(())
    }

    /// When a write to a shared cell changes it, as far as the same atomic step has seen what was there.
    fn changes(
        &mut self,
        state: &SymState,
        cell: CellKey,
        condition: TermId,
        value: &SymValue,
        step: &OpenStep,
    ) -> TermId {
        let seen = match state.atomic {
            Some(_) => state.memory.get(&cell).cloned(),
            None => step.node.and_then(|node| self.read_in(node, cell)),
        };
        let Some(seen) = seen else { return condition };
        let differs = idle_rounds::differs(self.graph.terms(), Some(&seen), Some(value));
        self.terms().and(condition, differs)
    }

    /// What an instruction has read from a cell in its own step.
    fn read_in(&self, node: NodeId, cell: CellKey) -> Option<SymValue> {
        let cell = self.graph.known_cell(cell)?;
        let events = self.graph.nodes[node].events.iter().map(|&event| &self.graph.events[event]);
        let read = events.rev().find(|event| event.cell == cell && event.access == Access::Read);
        read.map(|event| event.value.clone())
    }

    /// Changes what the state knows of a cell.
    fn overwrite(
        &mut self,
        state: &mut SymState,
        cell: CellKey,
        condition: TermId,
        value: &SymValue,
    ) -> Result<(), UnfoldFailure> {
        self.note_change(cell);
        let old = state.memory.get(&cell).cloned().or_else(|| self.untouched_contents(state, cell));
        match (self.graph.terms.as_boolean(condition), old) {
            (Some(true), _) => state.set_cell(cell, value.clone()),
            (_, Some(old)) => {
                let mixed = self.select(condition, value, &old)?;
                state.set_cell(cell, mixed);
            }
            (_, None) if state.atomic.is_some() && !state.single => {}
            (_, None) => state.set_cell(cell, value.clone()),
        }
        Ok(())
    }

    /// A new unknown value of a cell's form.
    pub fn fresh_contents(&mut self, cell: CellKey) -> SymValue {
        self.abstraction.any_contents(&mut self.paths, cell)
    }

    /// Adds an event to the node of the current instruction.
    fn add_event(
        &mut self,
        state: &SymState,
        access: Access,
        cell: CellKey,
        condition: TermId,
        value: SymValue,
        step: &mut OpenStep,
    ) {
        self.abstraction.add_event(&mut self.paths, state, (access, cell, condition), value, step);
    }

    /// A cell whose value a thread may know gets another one.
    pub fn note_change(&mut self, cell: CellKey) {
        self.abstraction.note_change(&mut self.paths.survey, cell);
    }

    /// What a critical section knew of a cell is no longer known.
    pub fn note_forgotten(&mut self, cell: CellKey) {
        self.abstraction.note_forgotten(&mut self.paths.survey, cell);
    }

    /// Addresses of these objects are kept somewhere.
    pub fn note_kept(&mut self, targets: &[symbolic::ObjectId]) {
        self.abstraction.note_kept(&mut self.paths.survey, targets);
    }

    /// Accesses up to [`end_one_step`](Self::end_one_step) happen at the same time; with `looks`, what is there may be looked at
    /// before.
    pub fn begin_one_step(&mut self, state: &mut SymState, looks: bool) {
        self.abstraction.begin_one_step(&mut self.paths, state, looks);
    }

    /// `None` if no path goes on.
    pub fn end_one_step(&mut self, state: Option<&mut SymState>) {
        self.abstraction.end_one_step(&mut self.paths, state);
    }

    /// What an atomic section has done so far counts as one step, or it has not begun yet.
    pub fn divide_steps(&mut self, state: &mut SymState) {
        self.abstraction.divide_steps(&mut self.paths, state);
    }

    /// A loop is entered in any of its rounds. Of the words that it writes, those that the thread keeps as locks, should that be so.
    pub fn begin_round(&mut self, state: &mut SymState, key: LoopKey) -> Vec<KeptLock> {
        self.abstraction.begin_round(&mut self.paths, state, key)
    }

    /// A round is over, and the loop was entered with these.
    pub fn end_round(&mut self, state: &SymState, kept: &[KeptLock]) {
        self.abstraction.end_round(&mut self.paths, state, kept);
    }

    /// Other threads are about to exist: what is shared becomes writes that they can see.
    pub fn publish(&mut self, state: &mut SymState, step: &mut OpenStep) {
        let shared: Vec<CellKey> = self.survey.shared_cells().collect();
        let truth = self.graph.terms.boolean(true);
        let section = state.atomic.take();
        step.node = step.node.or(section.map(|section| section.node));
        for cell in shared {
            if let (CellPart::Array(_), Some(array)) = (cell.part, state.memory.get(&cell).cloned()) {
                let array = self.as_contents(cell, &array);
                self.add_array_event(state, cell, Access::Write, truth, ArrayAccess::Whole(array), step);
            } else if let Some(value) =
                state.memory.get(&cell).cloned().or_else(|| self.untouched_contents(state, cell))
            {
                let value = self.as_contents(cell, &value);
                self.abstraction.note_visible(&mut self.paths, state, cell, truth, &value);
                self.add_event(state, Access::Write, cell, truth, value, step);
            }
        }
        self.abstraction.begin_sharing(&mut self.paths, state);
        state.atomic = section;
        state.single = false;
        state.forget_shared(&self.survey);
    }

    /// Whether a write to the cell is one that no other thread can see: see the module's description.
    pub fn is_unseen_death(&self, state: &SymState, cell: CellKey) -> bool {
        cell.part == CellPart::Life && self.is_quiet(state, cell)
    }

    /// What a cell that is not in a state's memory holds, if that is known all the same.
    pub fn untouched_contents(&mut self, state: &SymState, cell: CellKey) -> Option<SymValue> {
        let certain = state.single || self.survey.class(cell) == CellClass::Folded;
        (cell.part == CellPart::Life && certain).then(|| no_life_yet(self.terms()))
    }
}
