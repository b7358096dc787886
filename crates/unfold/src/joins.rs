//! Joining and detaching threads. A thread can be claimed once: by the join that waits for it, or by being detached. Who
//! joins a claimed thread gets EINVAL at once, and ESRCH for something that is no thread. Who joins himself is blocked, but
//! may go on with EDEADLK. Two threads that join each other may be told, too; what they do then is not followed.

use std::collections::BTreeMap;
use std::rc::Rc;

use base::Span;
use events::{CellKey, CellPart, CutKind, Guards, InstanceId, Join};
use program::{InstructionKind, Property, Type};
use symbolic::{ObjectKey, SymValue};
use terms::TermId;

use crate::monitor::deadlocks::{Deadlocks, WaitingPoint};
use crate::open_step::OpenStep;
use crate::paths::WaitsFor;
use crate::state::{SymState, ThreadPosition};
use crate::threads::Threads;
use crate::threads::handle;
use crate::unfolder::UnfoldFailure;

const ESRCH: u64 = 3;

/// The bits of the cell that says what has become of a thread.
const CLAIMED: u64 = 1;
const CREATED: u64 = 2;

/// What has become of a thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    /// Joined or detached.
    pub claimed: TermId,
    /// Only where lost threads are looked for, told from a thread that does not exist.
    pub created: TermId,
}

/// A thread has come to a join of another one.
pub(crate) struct JoinPoint {
    joiner: InstanceId,
    target: InstanceId,
    reached: TermId,
    span: Span,
}

/// What a join gives.
pub(crate) struct Joined {
    pub result: SymValue,
    pub error: SymValue,
}

impl Threads<'_> {
    /// Waits for the end of the thread with this handle.
    pub fn join(
        &mut self,
        state: &mut SymState,
        thread: TermId,
        result_wanted: bool,
        step: &mut OpenStep,
    ) -> Result<Joined, UnfoldFailure> {
        self.note_join_point(state, thread, step);
        let awaited = self.awaited(state);
        let stands = self.block_until_scheduled(state, awaited);
        self.note_wait_in_join(state, thread, stands, step);
        self.record_step(state, step);
        let node = self.graph.node(state, step);
        self.graph.attach_to_step(step, node);
        step.node = Some(node);
        let guard = self.guard_term(state);
        let mut result = SymValue::Int(self.pointer_constant(0));
        let mut error = self.terms().constant(32, ESRCH);
        let mut may_fail = false;
        for target in self.named_instances(thread) {
            let number = self.pointer_constant(handle(target));
            let this = self.terms().eq(thread, number);
            let own = target == step.instance && !self.survey.stands_for_many(target);
            let claimed = match own {
                true => self.refuse_own(state, target, this, &mut error, step)?,
                false => self.claim(state, target, this, &mut error, step)?,
            };
            let free = self.terms().not(claimed);
            let proper = self.terms().implies(this, free);
            self.demand_harmless(state, proper, Property::LockMisuse, step);
            if own {
                may_fail |= !self.graph.is_false(claimed);
                continue;
            }
            let waits = self.terms().and(this, free);
            may_fail |= !self.graph.is_false(claimed);
            let (abstraction, paths) = self.abstraction_and_paths();
            abstraction.wait_for_end(paths, state, target, waits);
            if self.graph.is_true(waits) && !self.survey.stands_for_many(target) {
                Rc::make_mut(&mut state.joined).push(target);
            }
            let condition = self.terms().and(guard, waits);
            if target != step.instance && !self.graph.is_false(condition) {
                let (abstraction, paths) = self.abstraction_and_paths();
                abstraction.add_join(paths, Join { node, target, condition });
            }
            if result_wanted {
                let cell = self.result_cell(target);
                let value = self.read_cell(state, cell, waits, step)?;
                result = self.select(waits, &value, &result)?;
            }
        }
        if may_fail && !state.single {
            // That another thread has joined or detached it is revealed without ordering.
            self.survey.note_revealing();
        }
        Ok(Joined { result, error: SymValue::Int(error) })
    }

    /// A thread joins itself when `this` holds, which claims nothing; returns whether it is claimed.
    fn refuse_own(
        &mut self,
        state: &mut SymState,
        target: InstanceId,
        this: TermId,
        error: &mut TermId,
        step: &mut OpenStep,
    ) -> Result<TermId, UnfoldFailure> {
        let claimed = self.read_claim(state, target, this, step)?.claimed;
        let [refused, circular] =
            [sync::errno::EINVAL, sync::errno::EDEADLK].map(|code| self.terms().constant(32, code));
        let code = self.terms().ite(claimed, refused, circular);
        *error = self.terms().ite(this, code, *error);
        Ok(claimed)
    }

    /// The thread has come to a join, of whomever.
    fn note_join_point(&mut self, state: &SymState, thread: TermId, step: &OpenStep) {
        let (joiner, span) = (step.instance, step.site.span);
        let guard = self.guard_term(state);
        for target in self.named_instances(thread) {
            let number = self.pointer_constant(handle(target));
            let this = self.terms().eq(thread, number);
            let reached = self.terms().and(guard, this);
            if !self.graph.is_false(reached) {
                self.join_points.push(JoinPoint { joiner, target, reached, span });
            }
        }
    }

    /// Two threads that have come to joins of each other: one of them may be told EDEADLK. After all instances.
    fn cut_circular_joins(&mut self) {
        let mut by_pair: BTreeMap<(InstanceId, InstanceId), Vec<JoinPoint>> = BTreeMap::new();
        for point in std::mem::take(&mut self.join_points) {
            by_pair.entry((point.joiner, point.target)).or_default().push(point);
        }
        for (&(joiner, target), points) in &by_pair {
            // Of many threads that are one here, one may join another.
            let is_own = joiner == target && !self.survey.stands_for_many(joiner);
            let Some(backs) = by_pair.get(&(target, joiner)).filter(|_| joiner <= target && !is_own) else { continue };
            let [there, back] = [points, backs].map(|points| {
                let reached: Vec<TermId> = points.iter().map(|point| point.reached).collect();
                self.terms().or_all(&reached)
            });
            let both = self.terms().and(there, back);
            let guard = self.and_guard(Guards::ROOT, both);
            let what = "two threads that join each other".to_owned();
            self.cut(ThreadPosition { guard, atomic: None }, CutKind::Unsupported { what }, points[0].span);
        }
    }

    /// Only the main thread is sure to join nobody that may wait for it, if no thread can know its own handle: threads
    /// that join others count as waiting for anything.
    fn awaited(&self, state: &SymState) -> WaitsFor {
        let blocks = self.program.functions.iter().flat_map(|function| &function.blocks);
        let mut instructions = blocks.flat_map(|block| &block.instructions);
        let named = instructions.any(|one| matches!(one.kind, InstructionKind::CurrentThread { .. }));
        if state.instance.0 == 0 && !named { WaitsFor::LaterThread } else { WaitsFor::Anything }
    }

    /// The thread may wait in a join, where it `stands`: for a thread that is stuck itself, since one that could go on
    /// is no reason to wait for ever.
    fn note_wait_in_join(&mut self, state: &SymState, thread: TermId, stands: TermId, step: &mut OpenStep) {
        if !self.looks_for(Property::NoDeadlock) {
            return;
        }
        if state.atomic.is_some() {
            return Deadlocks::note_wait_in_section(self, step.site.span);
        }
        let instance = step.instance;
        let stuck = self.stuck(instance);
        let wanted = self.terms().and(stands, stuck);
        let mut owners = Vec::new();
        for target in self.named_instances(thread) {
            let number = self.pointer_constant(handle(target));
            let this = self.terms().eq(thread, number);
            let wanted = self.terms().and(wanted, this);
            let cell = self.claim_cell(target);
            let claim = self.contents_in_snapshot(state, cell, wanted).and_then(|claim| claim.as_int());
            let claimed = self.claim_of(claim.expect("a claim should be a number")).claimed;
            let (free, lost) = (self.terms().not(claimed), self.stuck(target));
            owners.push((target, self.terms().and_all(&[this, free, lost])));
        }
        let conditions: Vec<TermId> = owners.iter().map(|&(_, waits)| waits).collect();
        let blocked = self.terms().or_all(&conditions);
        self.note_waiting_point(WaitingPoint { instance, stands, blocked, owners });
    }

    /// The thread need not be joined any more; returns the error code.
    pub fn detach(
        &mut self,
        state: &mut SymState,
        thread: TermId,
        step: &mut OpenStep,
    ) -> Result<SymValue, UnfoldFailure> {
        let mut error = self.terms().constant(32, ESRCH);
        for target in self.named_instances(thread) {
            let number = self.pointer_constant(handle(target));
            let this = self.terms().eq(thread, number);
            let claimed = self.claim(state, target, this, &mut error, step)?;
            if self.graph.terms.as_boolean(claimed).is_none() && !state.single {
                self.survey.note_revealing();
            }
        }
        self.graph.attach_open_node(step);
        Ok(SymValue::Int(error))
    }

    /// Drops joins of instances that do not exist: their handles name nobody.
    pub fn settle_joins(&mut self) {
        self.cut_circular_joins();
        let count = self.graph.instances.len();
        for join in self.graph.extract_joins(|join| (join.target.0 as usize) < count) {
            let never = self.terms().not(join.condition);
            self.graph.constrain(never);
        }
    }

    /// Claims `target` when `this` holds, and returns whether it was claimed before. `error` becomes what the caller gets.
    fn claim(
        &mut self,
        state: &mut SymState,
        target: InstanceId,
        this: TermId,
        error: &mut TermId,
        step: &mut OpenStep,
    ) -> Result<TermId, UnfoldFailure> {
        let claimed = self.read_claim(state, target, this, step)?.claimed;
        let code = {
            let (refused, success) = (self.terms().constant(32, sync::errno::EINVAL), self.terms().constant(32, 0));
            self.terms().ite(claimed, refused, success)
        };
        *error = self.terms().ite(this, code, *error);
        let free = self.terms().not(claimed);
        let takes = self.terms().and(this, free);
        let both = self.terms().constant(8, CLAIMED | CREATED);
        if !self.graph.is_false(takes) {
            self.write_claim_cell(state, target, takes, both, step)?;
            self.note_thread_claimed(state, target, takes);
        }
        Ok(claimed)
    }

    /// The first claim on a new thread: whether it starts detached.
    pub fn write_claim(
        &mut self,
        state: &mut SymState,
        instance: InstanceId,
        condition: TermId,
        detached: TermId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let created = self.terms().constant(8, CREATED);
        let claimed = self.terms().bool_to_bv(detached, 8);
        let claim = self.terms().bit_or(created, claimed);
        self.write_claim_cell(state, instance, condition, claim, step)
    }

    pub fn write_claim_cell(
        &mut self,
        state: &mut SymState,
        instance: InstanceId,
        condition: TermId,
        claim: TermId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let cell = self.claim_cell(instance);
        self.write_cell(state, cell, condition, &SymValue::Int(claim), step)
    }

    /// What has become of a thread, asked where `condition` holds.
    pub fn read_claim(
        &mut self,
        state: &mut SymState,
        instance: InstanceId,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<Claim, UnfoldFailure> {
        let cell = self.claim_cell(instance);
        let claim = self.read_cell(state, cell, condition, step)?;
        Ok(self.claim_of(claim.as_int().expect("a claim should be a number")))
    }

    fn claim_of(&mut self, claim: TermId) -> Claim {
        let mut bit = |bit: u32| {
            let bit = self.terms().extract(claim, bit, bit);
            self.terms().bv_to_bool(bit)
        };
        Claim { claimed: bit(CLAIMED.trailing_zeros()), created: bit(CREATED.trailing_zeros()) }
    }

    /// The instances that a handle may name. Instances that this pass has not met yet are among them, since the survey
    /// remembers those of earlier passes.
    fn named_instances(&mut self, thread: TermId) -> Vec<InstanceId> {
        let key = |object| self.survey.objects.get(object).key;
        let known = self.survey.objects.ids().filter_map(|object| match key(object) {
            ObjectKey::Result { instance } => Some(InstanceId(instance)),
            _ => None,
        });
        let constant = self.graph.terms.as_constant(thread);
        known.filter(|&instance| constant.is_none_or(|constant| constant == handle(instance))).collect()
    }

    /// Where a thread leaves its result.
    pub fn result_cell(&mut self, instance: InstanceId) -> CellKey {
        let object = self.object(ObjectKey::Result { instance: instance.0 });
        CellKey { object, offset: 0, part: CellPart::Bytes(Type::Pointer.bytes(self.program.data_model) as u8) }
    }

    /// Whether a thread was joined or detached.
    fn claim_cell(&mut self, instance: InstanceId) -> CellKey {
        let object = self.object(ObjectKey::Result { instance: instance.0 });
        CellKey { object, offset: 8, part: CellPart::Bytes(1) }
    }
}
