//! Joining and detaching threads. A thread can be claimed once: by the join that waits for it, or by being detached. Who
//! joins a claimed thread gets EINVAL at once, and ESRCH for something that is no thread.

use std::rc::Rc;

use events::{CellKey, CellPart, InstanceId, Join};
use program::{InstructionKind, Property, Type};
use symbolic::{ObjectKey, SymValue};
use terms::TermId;

use crate::deadlock::WaitingPoint;
use crate::state::State;
use crate::threads::{WaitsFor, handle};
use crate::unfolder::{Failure, Site, Unfolder};

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

/// What a join gives.
pub(crate) struct Joined {
    pub result: SymValue,
    pub error: SymValue,
}

impl Unfolder<'_> {
    /// Waits for the end of the thread with this handle.
    pub fn join(
        &mut self,
        state: &mut State,
        thread: TermId,
        result_wanted: bool,
        site: &Site,
    ) -> Result<Joined, Failure> {
        let stands = self.block_until_scheduled(state, self.awaited());
        self.note_wait_in_join(state, thread, stands, site);
        self.record_step(state, site);
        let node = self.node(state, site.span);
        self.attach_to_step(node);
        self.open_node = Some(node);
        let guard = self.guard_term(state);
        let mut result = SymValue::Int(self.pointer_constant(0));
        let mut error = self.terms().constant(32, ESRCH);
        let mut may_fail = false;
        for target in self.named_instances(thread) {
            let number = self.pointer_constant(handle(target));
            let this = self.terms().eq(thread, number);
            let claimed = self.claim(state, target, this, &mut error, site)?;
            let free = self.terms().not(claimed);
            let proper = self.terms().implies(this, free);
            self.demand_harmless(state, proper, Property::LockMisuse, site);
            let waits = self.terms().and(this, free);
            may_fail |= self.graph.terms.as_boolean(claimed) != Some(false);
            self.wait_for(state, target, waits);
            if self.graph.terms.as_boolean(waits) == Some(true) && !self.stands_for_many(target) {
                Rc::make_mut(&mut state.joined).push(target);
            }
            let condition = self.terms().and(guard, waits);
            if !self.is_modular() && target != self.instance && self.graph.terms.as_boolean(condition) != Some(false) {
                self.graph.joins.push(Join { node, target, condition });
            }
            if result_wanted {
                let cell = self.result_cell(target);
                let value = self.read_cell(state, cell, waits, site)?;
                result = self.select(waits, &value, &result)?;
            }
        }
        if may_fail && !state.single {
            // That another thread has joined or detached it is revealed without ordering.
            self.survey.note_revealing();
        }
        Ok(Joined { result, error: SymValue::Int(error) })
    }

    /// Only the main thread is sure to join nobody that may wait for it, if no thread can know its own handle: threads
    /// that join others count as waiting for anything.
    fn awaited(&self) -> WaitsFor {
        let blocks = self.program.functions.iter().flat_map(|function| &function.blocks);
        let mut instructions = blocks.flat_map(|block| &block.instructions);
        let named = instructions.any(|one| matches!(one.kind, InstructionKind::CurrentThread { .. }));
        if self.instance.0 == 0 && !named { WaitsFor::LaterThread } else { WaitsFor::Anything }
    }

    /// The thread may wait in a join, where it `stands`: for a thread that is stuck itself, since one that could go on
    /// is no reason to wait for ever.
    fn note_wait_in_join(&mut self, state: &State, thread: TermId, stands: TermId, site: &Site) {
        if !self.looks_for_deadlocks() {
            return;
        }
        if state.atomic.is_some() {
            return self.note_wait_in_section(site.span);
        }
        let instance = self.instance;
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
    pub fn detach(&mut self, state: &mut State, thread: TermId, site: &Site) -> Result<SymValue, Failure> {
        let mut error = self.terms().constant(32, ESRCH);
        for target in self.named_instances(thread) {
            let number = self.pointer_constant(handle(target));
            let this = self.terms().eq(thread, number);
            let claimed = self.claim(state, target, this, &mut error, site)?;
            if self.graph.terms.as_boolean(claimed).is_none() && !state.single {
                self.survey.note_revealing();
            }
        }
        self.attach_open_node();
        Ok(SymValue::Int(error))
    }

    /// Drops joins of instances that do not exist: their handles name nobody.
    pub fn settle_joins(&mut self) {
        let count = self.graph.instances.len();
        let (real, unreal): (Vec<Join>, Vec<Join>) =
            std::mem::take(&mut self.graph.joins).into_iter().partition(|join| (join.target.0 as usize) < count);
        self.graph.joins = real;
        for join in unreal {
            let never = self.terms().not(join.condition);
            self.graph.constraints.push(never);
        }
    }

    /// Claims `target` when `this` holds, and returns whether it was claimed before. `error` becomes what the caller gets.
    fn claim(
        &mut self,
        state: &mut State,
        target: InstanceId,
        this: TermId,
        error: &mut TermId,
        site: &Site,
    ) -> Result<TermId, Failure> {
        let claimed = self.read_claim(state, target, this, site)?.claimed;
        let code = {
            let (refused, success) = (self.terms().constant(32, sync::errno::EINVAL), self.terms().constant(32, 0));
            self.terms().ite(claimed, refused, success)
        };
        *error = self.terms().ite(this, code, *error);
        let free = self.terms().not(claimed);
        let takes = self.terms().and(this, free);
        let both = self.terms().constant(8, CLAIMED | CREATED);
        if self.graph.terms.as_boolean(takes) != Some(false) {
            self.write_claim_cell(state, target, takes, both, site)?;
            self.note_thread_claimed(state, target, takes);
        }
        Ok(claimed)
    }

    /// The first claim on a new thread: whether it starts detached.
    pub fn write_claim(
        &mut self,
        state: &mut State,
        instance: InstanceId,
        condition: TermId,
        detached: TermId,
        site: &Site,
    ) -> Result<(), Failure> {
        let created = self.terms().constant(8, CREATED);
        let claimed = self.terms().bool_to_bv(detached, 8);
        let claim = self.terms().bit_or(created, claimed);
        self.write_claim_cell(state, instance, condition, claim, site)
    }

    pub fn write_claim_cell(
        &mut self,
        state: &mut State,
        instance: InstanceId,
        condition: TermId,
        claim: TermId,
        site: &Site,
    ) -> Result<(), Failure> {
        let cell = self.claim_cell(instance);
        self.write_cell(state, cell, condition, &SymValue::Int(claim), site)
    }

    /// What has become of a thread, asked where `condition` holds.
    pub fn read_claim(
        &mut self,
        state: &mut State,
        instance: InstanceId,
        condition: TermId,
        site: &Site,
    ) -> Result<Claim, Failure> {
        let cell = self.claim_cell(instance);
        let claim = self.read_cell(state, cell, condition, site)?;
        Ok(self.claim_of(claim.as_int().expect("a claim should be a number")))
    }

    fn claim_of(&mut self, claim: TermId) -> Claim {
        let mut bit = |bit: u32| {
            let bit = self.terms().extract(claim, bit, bit);
            self.terms().bv_to_bool(bit)
        };
        Claim { claimed: bit(CLAIMED.trailing_zeros()), created: bit(CREATED.trailing_zeros()) }
    }

    /// Where `waits` holds, the thread gets here only after the end of `target`; nobody outlives their own end.
    fn wait_for(&mut self, state: &State, target: InstanceId, waits: TermId) {
        if self.is_modular() {
            return;
        }
        let ended = if target == self.instance { self.graph.terms.boolean(false) } else { self.finished(target) };
        let waited = self.terms().implies(waits, ended);
        self.require(state, waited);
    }

    /// The variable for the end of an instance, which may not exist yet.
    pub fn finished(&mut self, instance: InstanceId) -> TermId {
        let terms = &mut self.graph.terms;
        *self.finished.entry(instance).or_insert_with(|| terms.bool_variable("finished"))
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
