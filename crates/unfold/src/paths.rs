//! The paths of the threads, and the monitors that watch them: what a thread must satisfy to go on, and what is noted of what
//! it does. Where something does not hold, a property is violated, or the execution ends, or it goes on as if nothing had
//! happened, exactly as the interpreter does with this property selected or not.

use std::ops::{Deref, DerefMut};

use base::Span;
use events::happens_before::SlotUse;
use events::{CellKey, EventId, InstanceId, NodeId};
use program::effects::MemoryAccess;
use program::{InstructionKind, MemoryOrder, Property};
use symbolic::{ObjectId, SymValue};
use terms::TermId;

use crate::contact::{ByteRange, Manner};
use crate::critical_section::Lock;
use crate::monitor::Monitors;
use crate::monitor::deadlocks::WaitingPoint;
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::SymState;

pub(crate) struct Paths<'a> {
    pass: Pass<'a>,
    monitors: Monitors,
}

impl<'a> Deref for Paths<'a> {
    type Target = Pass<'a>;

    fn deref(&self) -> &Pass<'a> {
        &self.pass
    }
}

impl<'a> DerefMut for Paths<'a> {
    fn deref_mut(&mut self) -> &mut Pass<'a> {
        &mut self.pass
    }
}

/// What a thread waits for where it may be left waiting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WaitsFor {
    /// A thread that does not wait for this one: if it never ends, that is its own doing.
    LaterThread,
    Anything,
}

/// What there was before an attempt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttemptMark {
    violations: usize,
    race_accesses: usize,
    first_step: usize,
}

impl<'a> Paths<'a> {
    pub fn new(pass: Pass<'a>, monitors: Monitors) -> Self {
        Self { pass, monitors }
    }

    pub fn into_pass(self) -> Pass<'a> {
        self.pass
    }

    /// After all instances.
    pub fn settle(&mut self) {
        self.monitors.settle(&mut self.pass);
    }

    /// After the last pass.
    pub fn finish(mut self) -> Pass<'a> {
        self.monitors.finish(&mut self.pass);
        self.pass
    }

    /// Stops the thread unless `condition` holds; an atomic section is then not entered.
    pub fn assume(&mut self, state: &mut SymState, condition: TermId) {
        if state.atomic.is_some() && !self.graph.is_true(condition) {
            self.require(state, condition);
        }
        self.monitors.leaks.note_stopped(&mut self.pass, state, condition);
        self.restrict(state, condition);
    }

    /// Restricts the state to where `holds`; elsewhere `property` is violated, or the execution just ends there.
    pub fn demand(&mut self, state: &mut SymState, holds: TermId, property: Property, step: &mut OpenStep) {
        self.note_stuck(state, holds);
        let Some(condition) = self.record_violation(state, holds, property, step) else {
            return self.assume(state, holds);
        };
        if let (Some(section), Some(sought)) = (state.atomic, self.sought(property)) {
            // Whoever looks for something else sees a section that is not entered, or abandoned before this.
            self.survey.note_refusable(section.begin);
            let counts = self.counts(state.atomic);
            let seen = self.terms().and(condition, counts);
            let allowed = self.terms().implies(seen, sought);
            self.graph.constrain(allowed);
        }
        self.restrict(state, holds);
    }

    /// As [`demand`](Self::demand), for what an execution survives where `property` is not looked for.
    pub fn demand_harmless(&mut self, state: &mut SymState, holds: TermId, property: Property, step: &mut OpenStep) {
        if !self.looks_for(property) || self.record_violation(state, holds, property, step).is_none() {
            return;
        }
        let goes_on = match self.sought(property) {
            Some(sought) => {
                let passed_over = self.terms().not(sought);
                self.terms().or(holds, passed_over)
            }
            None => holds,
        };
        self.restrict(state, goes_on);
    }

    /// A thread that could go on may still be left waiting for ever: whether it goes on here is free, unless it stands
    /// inside an atomic section, which is entered only if it can be left. Returns when it stays.
    pub fn block_until_scheduled(&mut self, state: &mut SymState, waits_for: WaitsFor) -> TermId {
        if state.atomic.is_some() {
            return self.graph.terms.boolean(false);
        }
        let proceeds = self.terms().bool_variable("proceeds");
        if waits_for == WaitsFor::Anything {
            self.note_stuck(state, proceeds);
        }
        let (stays, guard) = (self.terms().not(proceeds), self.guard_term(state));
        self.restrict(state, proceeds);
        self.terms().and(guard, stays)
    }

    /// A step that is taken only to find out that something is wrong with it: an instruction that knows only later
    /// under which guard it takes its step is about to look at its operands.
    pub fn begin_attempt(&mut self, state: &SymState, step: &mut OpenStep) -> AttemptMark {
        let (violations, race_accesses) = (self.graph.violations.len(), self.race_accesses());
        let first_step = self.graph.steps_of(step.instance);
        self.record_step(state, step);
        AttemptMark { violations, race_accesses, first_step }
    }

    /// The operands have been looked at: if nothing can be wrong with them, there is no such step.
    pub fn end_attempt(&mut self, attempt: AttemptMark, step: &mut OpenStep) {
        let never = self.graph.never();
        let is_fine = self.graph.violations.len() == attempt.violations;
        if is_fine && self.monitors.races.count() == attempt.race_accesses {
            self.graph.drop_steps(step.instance, attempt.first_step);
            step.index = None;
        } else if let Some(own) = self.graph.step_mut(step.instance, attempt.first_step) {
            own.completes = never;
            own.node = step.node;
        }
    }

    /// The current instruction touches bytes when `condition` holds.
    pub fn touch(
        &mut self,
        state: &mut SymState,
        stretch: ByteRange,
        condition: TermId,
        writes: bool,
        step: &mut OpenStep,
    ) {
        self.monitors.races.touch(&mut self.pass, state, (stretch, None), condition, writes, step);
    }

    /// As [`touch`](Self::touch), at an offset that is a term, and so many bytes from there.
    pub fn touch_element(
        &mut self,
        state: &mut SymState,
        stretch: ByteRange,
        element: (TermId, u64),
        condition: TermId,
        writes: bool,
        step: &mut OpenStep,
    ) {
        self.monitors.races.touch(&mut self.pass, state, (stretch, Some(element)), condition, writes, step);
    }

    /// As [`touch`](Self::touch), in a given manner.
    pub fn touch_as(
        &mut self,
        state: &mut SymState,
        stretch: ByteRange,
        condition: TermId,
        manner: Manner,
        step: &mut OpenStep,
    ) {
        self.monitors.races.touch_as(&mut self.pass, state, (stretch, None), condition, manner, step);
    }

    /// The current instruction wants to access bytes that are dead, when `condition` holds.
    pub fn touch_after_end(
        &mut self,
        state: &mut SymState,
        stretch: ByteRange,
        condition: TermId,
        step: &mut OpenStep,
    ) {
        self.monitors.races.touch_after_end(&mut self.pass, state, stretch, condition, step);
    }

    /// The life of an object ends when `condition` holds: a write to all of it.
    pub fn touch_at_end(&mut self, state: &mut SymState, object: ObjectId, condition: TermId, step: &mut OpenStep) {
        self.monitors.races.touch_at_end(&mut self.pass, state, object, condition, step);
    }

    /// What the pointer names is freed, a write to all of it.
    pub fn touch_what_is_freed(&mut self, state: &mut SymState, address: &SymValue, step: &mut OpenStep) {
        self.monitors.races.touch_what_is_freed(&mut self.pass, state, address, step);
    }

    /// The instruction that made these accesses, from the first one on, goes on in this state, or not at all.
    pub fn note_survival(&mut self, first_access: usize, next: Option<&SymState>) {
        self.monitors.races.note_survival(&mut self.pass, first_access, next);
    }

    /// Whether this pass notes what happens-before is made of.
    pub fn follows_happens_before(&self) -> bool {
        self.monitors.order.is_followed(&self.pass)
    }

    /// What an atomic access, whose events begin with `first`, does for happens-before. After the access.
    pub fn note_atomic_access(
        &mut self,
        state: &SymState,
        kind: &InstructionKind,
        memory: &MemoryAccess,
        first: EventId,
        span: Span,
    ) {
        self.monitors.order.note_atomic_access(&mut self.pass, state, kind, memory, first, span);
    }

    /// A fence, which may order what comes before and after it.
    pub fn fence(&mut self, state: &SymState, order: MemoryOrder, step: &mut OpenStep) {
        self.monitors.order.fence(&mut self.pass, state, order, step);
    }

    /// A new atomic section begins and, at its end, hands on what it did.
    pub fn note_section(&mut self, state: &SymState, node: NodeId) {
        self.monitors.order.note_section(&mut self.pass, state, node);
    }

    /// Whether the instance, which may not exist yet, is stuck.
    pub fn stuck(&mut self, instance: InstanceId) -> TermId {
        self.monitors.deadlocks.stuck(&mut self.pass, instance)
    }

    /// Memory is allocated.
    pub fn note_allocation(&mut self, state: &SymState) {
        self.monitors.leaks.note_allocation(&mut self.pass, state);
    }

    /// A thread in `state` may not get further unless `condition` holds.
    pub fn note_stuck(&mut self, state: &SymState, condition: TermId) {
        self.monitors.leaks.note_stuck(&mut self.pass, state, condition);
    }

    /// The process does not come to an exit from here: it is aborted, or something undefined happens.
    pub fn note_stuck_here(&mut self, state: &SymState) {
        self.monitors.leaks.note_stuck_here(&mut self.pass, state);
    }

    /// A thread ends in `state`, and not because it returns.
    pub fn note_thread_exit(&mut self, state: &SymState) {
        self.monitors.leaks.note_thread_exit(&mut self.pass, state);
    }

    /// Something is lost or left behind where the process exits.
    pub fn found_leak(&mut self, state: &SymState, leak: TermId, property: Property, step: &mut OpenStep) {
        self.monitors.leaks.found_leak(&mut self.pass, state, leak, property, step);
    }

    /// A thread is created.
    pub fn note_thread_created(&mut self, instance: InstanceId, when: TermId, detached: TermId) {
        self.monitors.thread_leaks.note_created(&mut self.pass, instance, when, detached);
    }

    /// Somebody claims the thread when `takes` holds.
    pub fn note_thread_claimed(&mut self, state: &SymState, instance: InstanceId, takes: TermId) {
        self.monitors.thread_leaks.note_claimed(&mut self.pass, state, instance, takes);
    }

    /// The thread has just taken the lock, whose owner is in this cell.
    pub fn note_lock_taken(&mut self, state: &SymState, lock: Lock, owner: CellKey, step: &OpenStep) {
        self.monitors.lock_sections.note_taken(&self.pass, state, lock, owner, step);
    }

    /// The thread may have released the lock, unless it certainly still holds it.
    pub fn note_lock_released(&mut self, state: &SymState, lock: Lock, step: &OpenStep) {
        self.monitors.lock_sections.note_released(state, lock, step);
    }

    /// A thread may wait somewhere.
    pub fn note_waiting_point(&mut self, point: WaitingPoint) {
        self.monitors.deadlocks.add_waiting_point(point);
    }

    /// What the snapshot of a deadlock finds in a cell, where the condition holds, if it reads the cell already.
    pub fn found_in_snapshot(&mut self, cell: CellKey, condition: TermId) -> Option<SymValue> {
        self.monitors.deadlocks.value_read(cell, condition)
    }

    /// The snapshot of a deadlock reads a cell where the condition holds, and finds this value.
    pub fn note_snapshot_read(&mut self, cell: CellKey, condition: TermId, value: SymValue) {
        self.monitors.deadlocks.add_read(cell, condition, value);
    }

    /// Happens-before is not followed exactly from here on, which matters if any accesses may race.
    pub fn note_order_gap(&mut self, state: &SymState, what: &'static str, span: Span) {
        self.monitors.order.note_gap(state, what, span);
    }

    /// Something is handed on or taken over by way of a synchronisation object.
    pub fn note_slot(&mut self, slot_use: SlotUse) {
        self.monitors.order.add_slot_use(slot_use);
    }

    /// How many accesses may race so far.
    pub fn race_accesses(&self) -> usize {
        self.monitors.races.count()
    }
}
