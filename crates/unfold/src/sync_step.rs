//! Synchronisation actions with terms: the table in the crate `sync`, translated.

use std::ops::Range;

use events::{Access, CellKey, CellPart, CutKind, GuardedChoice, InstanceId, NodeHb};
use program::{Operand, Property, RegisterId, SyncOp};
use symbolic::SymValue;
use sync::{Action, Channel, Condition, Edge, Field, ObjectKind, SyncValue, Update};
use terms::TermId;

use crate::contact::Manner;
use crate::critical_section::Lock;
use crate::memory::{CellExtent, CellRef};
use crate::monitor::deadlocks::{Deadlocks, WaitingPoint};
use crate::open_step::OpenStep;
use crate::paths::WaitsFor;
use crate::state::SymState;
use crate::survey::CellClass;
use crate::synchroniser::Synchroniser;
use crate::thread_sets::{field_cells, is_set, is_set_field};
use crate::unfolder::{Activation, UnfoldFailure};

/// Expressions of the table are evaluated in this width; every field and constant fits.
pub(crate) const WIDTH: u32 = 64;

/// One execution of an action: its operands, and the fields read so far.
pub(crate) struct Execution {
    pub objects: Vec<Vec<CellRef>>,
    pub kinds: Vec<ObjectKind>,
    pub operands: Vec<Option<TermId>>,
    fields: Vec<((usize, Field), TermId)>,
    pub members: Vec<((usize, Field, InstanceId), TermId)>,
    choice: Option<TermId>,
    pub step: OpenStep,
    /// Fields are read in the snapshot of a deadlock, when this holds, and not now.
    in_snapshot: Option<TermId>,
}

impl Synchroniser<'_> {
    pub fn synchronise(
        &mut self,
        mut state: SymState,
        activation: &Activation,
        target: Option<RegisterId>,
        op: SyncOp,
        operands: &[Operand],
        mut step: OpenStep,
    ) -> Result<Option<SymState>, UnfoldFailure> {
        let action = sync::action(op);
        let attempt = self.begin_attempt(&state, &mut step);
        let mut execution = self.prepare(&mut state, activation, op, operands, step)?;
        self.end_attempt(attempt, &mut execution.step);
        self.touch_before_waiting(&mut state, op, &execution);
        self.look_at_waits(&mut state, activation, op, &mut execution)?;
        self.enter(&mut state, action, &mut execution)?;
        self.touch_objects(&mut state, op, &mut execution)?;
        self.check_limits(&mut state, action, &mut execution)?;
        self.check_misuse(&mut state, action, &mut execution)?;
        self.choose(&mut state, action, &mut execution)?;
        let result = self.value(&mut state, &action.result, &mut execution)?;
        if self.looks_for(Property::NoDataRace) {
            self.note_revealing_operation(&state, op, &execution);
            self.note_slot_uses(&mut state, action, &mut execution)?;
        }
        let wakes_up =
            sync::class(op).is_completion && Self::is_half_of_wait(&execution) && state.last_wake_up.is_some();
        let spurious = match wakes_up {
            true => Some(self.contains(&mut state, &waiters(), &SyncValue::Thread, &mut execution)?),
            false => None,
        };
        // What leaves a lock alone that somebody holds, as destroying a mutex does, ends no section.
        let class = sync::class(op);
        let may_release = !class.resets || class.resets_held_lock;
        if may_release {
            self.release(&mut state, action, &mut execution)?;
        }
        self.update(&mut state, action, &mut execution)?;
        if may_release {
            self.log_releases(&state, action, &execution);
        }
        self.take(&mut state, action, &mut execution)?;
        if let Some(spurious) = spurious {
            self.end_wait(&mut state, spurious, &execution.objects[0], &mut execution.step)?;
        }
        self.graph.attach_open_node(&execution.step);
        if let Some(target) = target {
            let result = self.terms().extract(result, 31, 0);
            state.set_register(target, SymValue::Int(result));
        }
        Ok(Some(state))
    }

    fn prepare(
        &mut self,
        state: &mut SymState,
        activation: &Activation,
        op: SyncOp,
        operands: &[Operand],
        mut step: OpenStep,
    ) -> Result<Execution, UnfoldFailure> {
        let action = sync::action(op);
        let mut objects = Vec::new();
        let mut values = Vec::new();
        for (index, &operand) in operands.iter().enumerate() {
            let value = self.operand(state, activation, operand)?;
            match action.objects.get(index) {
                Some(&kind) => {
                    let size = sync::object_bytes(kind, self.program.sync_layouts());
                    let places = self.resolve(state, &value, CellExtent::of(size), Access::Write, &mut step)?;
                    self.use_as_sync(state, &places, kind, &mut step)?;
                    objects.push(places);
                    values.push(None);
                }
                None => {
                    let value = value.as_int();
                    values.push(value.map(|value| self.terms().resize(value, WIDTH, false)));
                }
            }
        }
        Ok(Execution {
            objects,
            kinds: action.objects.clone(),
            operands: values,
            fields: Vec::new(),
            members: Vec::new(),
            choice: None,
            step,
            in_snapshot: None,
        })
    }

    /// The operation accesses its objects, and writes to those that it changes.
    fn touch_objects(
        &mut self,
        state: &mut SymState,
        op: SyncOp,
        execution: &mut Execution,
    ) -> Result<(), UnfoldFailure> {
        if !self.follows_objects() {
            return Ok(());
        }
        let (always, never) = (self.graph.terms.boolean(true), self.graph.terms.boolean(false));
        for index in accessed_objects(op) {
            let changes = match &sync::writes(op)[index] {
                Some(when) => self.truth(state, when, execution)?,
                None => never,
            };
            if changes != always {
                let object = (execution.kinds[index], &execution.objects[index][..]);
                self.touch_object(state, op, object, (false, always), &mut execution.step);
            }
            if changes != never {
                let object = (execution.kinds[index], &execution.objects[index][..]);
                self.touch_object(state, op, object, (true, changes), &mut execution.step);
            }
        }
        Ok(())
    }

    /// Whether accesses to synchronisation objects are followed.
    fn follows_objects(&self) -> bool {
        self.looks_for(Property::NoDataRace) && !self.options.every_access
    }

    /// Accesses one of the objects, reading or changing it, where a condition holds.
    fn touch_object(
        &mut self,
        state: &mut SymState,
        op: SyncOp,
        (kind, places): (ObjectKind, &[CellRef]),
        (changes, condition): (bool, TermId),
        step: &mut OpenStep,
    ) {
        let manner = Manner::of_synchronisation(state, op, changes);
        let length = sync::object_bytes(kind, self.program.sync_layouts());
        for place in places {
            let condition = self.terms().and(place.condition, condition);
            self.touch_as(state, place.stretch(length), condition, manner, step);
        }
    }

    /// An operation that may wait looks at its objects before: that orders nothing, and races with whoever initialises,
    /// destroys or overwrites them even if the operation never goes on. So it has a node and a step of its own, which is
    /// taken only to run into a race.
    fn touch_before_waiting(&mut self, state: &mut SymState, op: SyncOp, execution: &Execution) {
        if !self.looks_for(Property::NoDataRace)
            || state.atomic.is_some()
            || sync::class(op).waits == sync::Blocking::Never
        {
            return;
        }
        if execution.step.node.is_some() {
            // Something else has been read on the way, and the attempt would have to come before that.
            return self.leave_gap_before_waiting(state, op, execution);
        }
        let mut attempt = OpenStep { node_hb: NodeHb::NONE, is_attempt: true, ..execution.step.clone() };
        let first_step = self.graph.steps_of(state.instance);
        self.record_step(state, &mut attempt);
        if self.follows_objects() {
            let always = self.graph.terms.boolean(true);
            for index in accessed_objects(op) {
                let object = (execution.kinds[index], &execution.objects[index][..]);
                self.touch_object(state, op, object, (false, always), &mut attempt);
            }
        }
        let never = self.graph.never();
        match (attempt.node, self.graph.step_mut(state.instance, first_step)) {
            (Some(node), Some(own)) => (own.completes, own.node) = (never, Some(node)),
            _ => self.graph.drop_steps(state.instance, first_step),
        }
    }

    fn leave_gap_before_waiting(&mut self, state: &SymState, op: SyncOp, execution: &Execution) {
        let manner = Manner::of_synchronisation(state, op, false);
        let objects = execution.kinds.iter().zip(&execution.objects);
        let mut stretches = objects.flat_map(|(&kind, places)| {
            let length = sync::object_bytes(kind, self.program.sync_layouts());
            places.iter().map(move |place| place.stretch(length))
        });
        if stretches.any(|stretch| self.has_rivals(state, stretch, manner)) {
            let what = "waiting for a synchronisation object that may have changed";
            self.leave_race_gap(state.standing(), what, execution.step.site.span);
        }
    }

    /// Whether the operation is half of a wait on a condition.
    fn is_half_of_wait(execution: &Execution) -> bool {
        execution.kinds == [ObjectKind::Cond, ObjectKind::Mutex]
    }

    /// What has to be known before an operation for the sake of spurious wake-ups that come to nothing.
    fn look_at_waits(
        &mut self,
        state: &mut SymState,
        activation: &Activation,
        op: SyncOp,
        execution: &mut Execution,
    ) -> Result<(), UnfoldFailure> {
        let class = sync::class(op);
        match &execution.kinds[..] {
            [ObjectKind::Cond, ObjectKind::Mutex] if !class.is_completion => {
                let operands = (&execution.objects[0][..], &execution.objects[1][..]);
                self.begin_wait(state, activation, operands, &mut execution.step)
            }
            [ObjectKind::Cond] => self.number_signal(state, &execution.objects[0], &mut execution.step),
            [ObjectKind::Mutex] if class.initialises && !state.single => {
                self.survey.note_reset_of_mutex();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Waits until the action's guard holds, and takes the step.
    fn enter(&mut self, state: &mut SymState, action: &Action, execution: &mut Execution) -> Result<(), UnfoldFailure> {
        if action.guard == Condition::True {
            self.record_step(state, &mut execution.step);
            return Ok(());
        }
        if self.is_certain(state, execution) && action.progress.is_none() {
            let enabled = self.truth(state, &action.guard, execution)?;
            let (guard, disabled) = (self.guard_term(state), self.terms().not(enabled));
            let stands = self.terms().and(guard, disabled);
            self.note_wait(state, action, execution, stands)?;
            self.assume(state, enabled);
            self.record_step(state, &mut execution.step);
            return Ok(());
        }
        let stands = self.block_until_scheduled(state, WaitsFor::Anything);
        self.note_wait(state, action, execution, stands)?;
        self.record_step(state, &mut execution.step);
        let enabled = self.truth(state, &action.guard, execution)?;
        self.require(state, enabled);
        if state.atomic.is_some() {
            self.restrict(state, enabled);
        }
        Ok(())
    }

    /// Notes that the thread may wait before the action, where it `stands`.
    fn note_wait(
        &mut self,
        state: &mut SymState,
        action: &Action,
        execution: &Execution,
        stands: TermId,
    ) -> Result<(), UnfoldFailure> {
        if !self.looks_for(Property::NoDeadlock) {
            return Ok(());
        }
        if state.atomic.is_some() {
            Deadlocks::note_wait_in_section(self, execution.step.site.span);
            return Ok(());
        }
        let instance = state.instance;
        let stuck = self.stuck(instance);
        let wanted = self.terms().and(stands, stuck);
        let mut snapshot = execution.in_snapshot(wanted);
        let goes_on = self.truth(state, action.goes_on_when(), &mut snapshot)?;
        let waits = self.terms().not(goes_on);
        let exists = self.objects_exist(state, execution, wanted);
        let blocked = self.terms().and(waits, exists);
        let mut owners = Vec::new();
        for owner in self.possible_threads() {
            let owns = self.is_member(state, &action.owners, owner, &mut snapshot)?;
            if !self.graph.is_false(owns) {
                owners.push((owner, owns));
            }
        }
        self.note_waiting_point(WaitingPoint { instance, stands, blocked, owners });
        Ok(())
    }

    /// Whether all objects of the execution live in the snapshot: a thread that waits for a dead one is not blocked, its
    /// next step is an invalid access.
    fn objects_exist(&mut self, state: &SymState, execution: &Execution, wanted: TermId) -> TermId {
        let mut exist = self.graph.terms.boolean(true);
        for place in execution.objects.iter().flatten() {
            let condition = self.terms().and(wanted, place.condition);
            let dead = self.is_dead_in_snapshot(state, place.object, condition);
            let here = self.terms().and(place.condition, dead);
            let not_here = self.terms().not(here);
            exist = self.terms().and(exist, not_here);
        }
        exist
    }

    /// Whether the fields of all objects are known without asking other threads.
    fn is_certain(&self, state: &SymState, execution: &Execution) -> bool {
        let threads = self.possible_threads();
        let is_known = |cell: CellKey| {
            let held = || state.held.get(&cell).and_then(|held| held.certain_value(&self.graph.terms));
            self.survey.class(cell) == CellClass::Folded || held().is_some()
        };
        let folded = |place: &CellRef, kind: ObjectKind| {
            kind.fields().iter().flat_map(|&field| field_cells(place, kind, field, &threads)).all(is_known)
        };
        state.single
            || execution
                .objects
                .iter()
                .zip(&execution.kinds)
                .all(|(places, &kind)| places.iter().all(|place| folded(place, kind)))
    }

    fn check_limits(
        &mut self,
        state: &mut SymState,
        action: &Action,
        execution: &mut Execution,
    ) -> Result<(), UnfoldFailure> {
        for (when, reason) in &action.limits {
            let beyond = self.truth(state, when, execution)?;
            if self.graph.is_false(beyond) {
                continue;
            }
            let mut missed = state.standing();
            missed.guard = self.and_guard(missed.guard, beyond);
            self.cut(missed, CutKind::Unsupported { what: (*reason).to_owned() }, execution.step.site.span);
            let within = self.terms().not(beyond);
            self.restrict(state, within);
        }
        Ok(())
    }

    /// A misuse hides nothing that comes after it: what the operation does then is well defined here.
    fn check_misuse(
        &mut self,
        state: &mut SymState,
        action: &Action,
        execution: &mut Execution,
    ) -> Result<(), UnfoldFailure> {
        if !self.looks_for(Property::LockMisuse) {
            return Ok(());
        }
        for check in &action.misuses {
            let misused = self.truth(state, &check.when, execution)?;
            let proper = self.terms().not(misused);
            self.demand_harmless(state, proper, Property::LockMisuse, &mut execution.step);
        }
        Ok(())
    }

    fn choose(
        &mut self,
        state: &mut SymState,
        action: &Action,
        execution: &mut Execution,
    ) -> Result<(), UnfoldFailure> {
        let Some(sync::Choice::ThreadOf(set)) = &action.choice else { return Ok(()) };
        let number = self.terms().bv_variable("chosen", 6);
        let chosen = self.terms().zero_extend(number, WIDTH);
        execution.choice = Some(chosen);
        let nobody = self.is_empty_set(state, set, execution)?;
        let made = self.terms().not(nobody);
        let member = self.contains(state, set, &SyncValue::Choice, execution)?;
        let allowed = self.terms().implies(made, member);
        let guard = self.guard_term(state);
        let constraint = self.terms().implies(guard, allowed);
        self.graph.constrain(constraint);
        let choice = GuardedChoice { guard: state.guard, made, value: chosen, names_instance: true };
        self.graph.add_choice(state.instance, choice);
        Ok(())
    }

    /// Ends the critical sections of the locks that the action may release. Before its updates.
    fn release(
        &mut self,
        state: &mut SymState,
        action: &Action,
        execution: &mut Execution,
    ) -> Result<(), UnfoldFailure> {
        for (index, &kind) in locks_of(action).filter(|&(index, _)| acquiring(action, index).is_none()) {
            let owners: Vec<CellKey> =
                execution.objects[index].iter().map(|place| field_cell(place, kind, Field::Owner)).collect();
            self.release_locks(state, &owners, &mut execution.step)?;
        }
        Ok(())
    }

    /// Notes which locks the action may have released. After its updates.
    fn log_releases(&mut self, state: &SymState, action: &Action, execution: &Execution) {
        for (index, _) in locks_of(action).filter(|&(index, _)| acquiring(action, index).is_none()) {
            for place in &execution.objects[index] {
                self.note_lock_released(state, Lock { object: place.object, offset: place.offset }, &execution.step);
            }
        }
    }

    /// Begins the critical sections of the locks that the action has certainly taken. After its updates.
    fn take(&mut self, state: &mut SymState, action: &Action, execution: &mut Execution) -> Result<(), UnfoldFailure> {
        for (index, &kind) in locks_of(action) {
            let (Some(edge), &[place]) = (acquiring(action, index), &execution.objects[index][..]) else { continue };
            let taken = self.truth(state, &edge.when, execution)?;
            if !self.graph.is_true(taken) {
                continue;
            }
            let lock = Lock { object: place.object, offset: place.offset };
            self.take_lock(state, lock);
            self.note_lock_taken(state, lock, field_cell(&place, kind, Field::Owner), &execution.step);
            for change in self.changes_of(state, action, execution)? {
                let is_certain = self.graph.is_true(change.condition);
                if change.object == index && is_certain {
                    self.know_own_lock(state, part_of(&place, change.part), SymValue::Int(change.value));
                }
            }
        }
        Ok(())
    }

    fn update(
        &mut self,
        state: &mut SymState,
        action: &Action,
        execution: &mut Execution,
    ) -> Result<(), UnfoldFailure> {
        for Change { object, part, condition, value } in self.changes_of(state, action, execution)? {
            for place in execution.objects[object].clone() {
                let condition = self.terms().and(place.condition, condition);
                self.write_cell(state, part_of(&place, part), condition, &SymValue::Int(value), &mut execution.step)?;
            }
        }
        Ok(())
    }

    /// What the updates change, and when. What certainly stays as it is need not even be read, and what stays as it is
    /// in some executions is not written there: nobody has to follow a value through those who leave it alone.
    fn changes_of(
        &mut self,
        state: &mut SymState,
        action: &Action,
        execution: &mut Execution,
    ) -> Result<Vec<Change>, UnfoldFailure> {
        let mut changes = Vec::new();
        for update in &action.updates {
            let (object, kind) = (update.object, execution.kinds[update.object]);
            if is_set_field(update.field) {
                for thread in self.possible_threads() {
                    let part = CellPart::Member(kind, update.field, thread);
                    let new = self.changed_member(state, update, &update.value, thread, execution)?;
                    changes.extend(new.map(|(condition, value)| Change { object, part, condition, value }));
                }
            } else {
                let part = CellPart::Field(kind, update.field);
                let new = self.changed_number(state, update, &update.value, execution)?;
                changes.extend(new.map(|(condition, value)| Change { object, part, condition, value }));
            }
        }
        Ok(changes)
    }

    /// When a field that is a number changes to what, if it is set to `value`; `None` if it certainly does not change.
    fn changed_number(
        &mut self,
        state: &mut SymState,
        update: &Update,
        value: &SyncValue,
        execution: &mut Execution,
    ) -> Result<Option<(TermId, TermId)>, UnfoldFailure> {
        if let SyncValue::If(condition, then, otherwise) = value {
            let condition = self.truth(state, condition, execution)?;
            if let Some(holds) = self.graph.terms.as_boolean(condition) {
                return self.changed_number(state, update, if holds { then } else { otherwise }, execution);
            }
            let then = self.changed_number(state, update, then, execution)?;
            let otherwise = self.changed_number(state, update, otherwise, execution)?;
            return Ok(self.either_change(condition, then, otherwise));
        }
        if *value == (SyncValue::Field { object: update.object, field: update.field }) {
            return Ok(None);
        }
        let (truth, value) = (self.graph.terms.boolean(true), self.value(state, value, execution)?);
        Ok(Some((truth, self.terms().extract(value, u32::from(update.field.bits()) - 1, 0))))
    }

    /// The first change where `condition` holds, the second elsewhere.
    pub fn either_change(
        &mut self,
        condition: TermId,
        then: Option<(TermId, TermId)>,
        otherwise: Option<(TermId, TermId)>,
    ) -> Option<(TermId, TermId)> {
        let terms = self.terms();
        match (then, otherwise) {
            (None, None) => None,
            (Some((when, value)), None) => Some((terms.and(condition, when), value)),
            (None, Some((when, value))) => {
                let negation = terms.not(condition);
                Some((terms.and(negation, when), value))
            }
            (Some((when, value)), Some((other_when, other))) => {
                Some((terms.ite(condition, when, other_when), terms.ite(condition, value, other)))
            }
        }
    }

    fn field(
        &mut self,
        state: &mut SymState,
        object: usize,
        field: Field,
        execution: &mut Execution,
    ) -> Result<TermId, UnfoldFailure> {
        if let Some(&(_, known)) = execution.fields.iter().find(|(key, _)| *key == (object, field)) {
            return Ok(known);
        }
        let part = CellPart::Field(execution.kinds[object], field);
        let value = self.read_part(state, object, part, u32::from(field.bits()), execution)?;
        let value = self.terms().zero_extend(value, WIDTH);
        execution.fields.push(((object, field), value));
        Ok(value)
    }

    /// What a part of an object holds, which may be one of several objects: now, or in the snapshot of a deadlock.
    pub fn read_part(
        &mut self,
        state: &mut SymState,
        object: usize,
        part: CellPart,
        bits: u32,
        execution: &mut Execution,
    ) -> Result<TermId, UnfoldFailure> {
        let mut value = self.terms().constant(bits, 0);
        for place in execution.objects[object].clone() {
            let cell = part_of(&place, part);
            let found = match execution.in_snapshot {
                None => Some(self.read_cell(state, cell, place.condition, &mut execution.step)?),
                Some(wanted) => {
                    let wanted = self.terms().and(wanted, place.condition);
                    self.contents_in_snapshot(state, cell, wanted)
                }
            };
            let found = found.and_then(|found| found.as_int()).ok_or_else(|| {
                UnfoldFailure::NotSupported("a synchronisation object that holds an address".to_owned())
            })?;
            value = self.terms().ite(place.condition, found, value);
        }
        Ok(value)
    }

    pub fn value(
        &mut self,
        state: &mut SymState,
        value: &SyncValue,
        execution: &mut Execution,
    ) -> Result<TermId, UnfoldFailure> {
        let number = u64::from(state.instance.0);
        Ok(match value {
            SyncValue::Const(value) => self.terms().constant(WIDTH, *value),
            SyncValue::Field { object, field } => self.field(state, *object, *field, execution)?,
            SyncValue::Thread => self.terms().constant(WIDTH, number),
            SyncValue::SelfAsOwner => self.terms().constant(WIDTH, number + 1),
            SyncValue::Operand(index) => match execution.operands.get(*index).copied().flatten() {
                Some(value) => value,
                None => {
                    return Err(UnfoldFailure::NotSupported("a synchronisation operand that is an address".to_owned()));
                }
            },
            SyncValue::Address(index) => self.identity(&execution.objects[*index]),
            SyncValue::Choice => match execution.choice {
                Some(choice) => choice,
                None => self.terms().constant(WIDTH, 0),
            },
            SyncValue::Add(left, right) => {
                let (left, right) = (self.value(state, left, execution)?, self.value(state, right, execution)?);
                self.terms().add(left, right)
            }
            SyncValue::Sub(left, right) => {
                let (left, right) = (self.value(state, left, execution)?, self.value(state, right, execution)?);
                self.terms().sub(left, right)
            }
            SyncValue::With(..) | SyncValue::Without(..) | SyncValue::Union(..) | SyncValue::OwnerSet(_) => {
                return Err(UnfoldFailure::NotSupported("a set of threads where an integer is expected".to_owned()));
            }
            SyncValue::If(condition, then, otherwise) => {
                let condition = self.truth(state, condition, execution)?;
                // A field that does not matter is not read.
                if let Some(holds) = self.graph.terms.as_boolean(condition) {
                    return self.value(state, if holds { then } else { otherwise }, execution);
                }
                let (then, otherwise) = (self.value(state, then, execution)?, self.value(state, otherwise, execution)?);
                self.terms().ite(condition, then, otherwise)
            }
        })
    }

    /// A number that tells the object at one of the places from all others.
    fn identity(&mut self, places: &[CellRef]) -> TermId {
        let mut identity = self.terms().constant(WIDTH, 0);
        for place in places {
            let number = u64::from(place.object.0) << 32 | place.offset & 0xffff_ffff;
            let here = self.terms().constant(WIDTH, number);
            identity = self.terms().ite(place.condition, here, identity);
        }
        identity
    }

    pub fn truth(
        &mut self,
        state: &mut SymState,
        condition: &Condition,
        execution: &mut Execution,
    ) -> Result<TermId, UnfoldFailure> {
        Ok(match condition {
            Condition::True => self.graph.terms.boolean(true),
            Condition::Equal(set, SyncValue::Const(0)) if is_set(set) => self.is_empty_set(state, set, execution)?,
            Condition::Equal(left, right) => {
                let (left, right) = (self.value(state, left, execution)?, self.value(state, right, execution)?);
                self.terms().eq(left, right)
            }
            Condition::Less(left, right) => {
                let (left, right) = (self.value(state, left, execution)?, self.value(state, right, execution)?);
                self.terms().ult(left, right)
            }
            Condition::Contains(set, thread) => self.contains(state, set, thread, execution)?,
            Condition::Not(inner) => {
                let inner = self.truth(state, inner, execution)?;
                self.terms().not(inner)
            }
            Condition::And(parts) => {
                let parts = self.truths(state, parts, execution, false)?;
                self.terms().and_all(&parts)
            }
            Condition::Or(parts) => {
                let parts = self.truths(state, parts, execution, true)?;
                self.terms().or_all(&parts)
            }
        })
    }

    /// The truth of several conditions, up to the first one that is certainly `decisive`.
    fn truths(
        &mut self,
        state: &mut SymState,
        parts: &[Condition],
        execution: &mut Execution,
        decisive: bool,
    ) -> Result<Vec<TermId>, UnfoldFailure> {
        let mut truths = Vec::new();
        for part in parts {
            let truth = self.truth(state, part, execution)?;
            truths.push(truth);
            if self.graph.terms.as_boolean(truth) == Some(decisive) {
                break;
            }
        }
        Ok(truths)
    }
}

/// A part of an object gets a new value.
struct Change {
    object: usize,
    part: CellPart,
    condition: TermId,
    value: TermId,
}

impl Execution {
    /// The same execution, looked at in the snapshot of a deadlock, when `wanted`.
    fn in_snapshot(&self, wanted: TermId) -> Execution {
        Execution {
            objects: self.objects.clone(),
            kinds: self.kinds.clone(),
            operands: self.operands.clone(),
            fields: Vec::new(),
            members: Vec::new(),
            choice: None,
            step: self.step.clone(),
            in_snapshot: Some(wanted),
        }
    }
}

/// The objects that an operation accesses. Whoever has been woken does not look at what it waited for any more.
fn accessed_objects(op: SyncOp) -> Range<usize> {
    usize::from(sync::class(op).is_completion)..sync::action(op).objects.len()
}

fn waiters() -> SyncValue {
    SyncValue::Field { object: 0, field: Field::Waiters }
}

/// The operands of an action that are locks with an owner.
fn locks_of(action: &Action) -> impl Iterator<Item = (usize, &ObjectKind)> {
    let objects = action.objects.iter().enumerate();
    objects.filter(|(_, kind)| matches!(kind, ObjectKind::Mutex | ObjectKind::Spin))
}

/// How the action takes the lock that is its operand `index`, if it does.
fn acquiring(action: &Action, index: usize) -> Option<&Edge> {
    action.acquires.iter().find(|edge| edge.object == index && edge.channel == Channel::Main)
}

fn field_cell(place: &CellRef, kind: ObjectKind, field: Field) -> CellKey {
    part_of(place, CellPart::Field(kind, field))
}

fn part_of(place: &CellRef, part: CellPart) -> CellKey {
    CellKey { object: place.object, offset: place.offset, part }
}
