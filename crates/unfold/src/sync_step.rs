//! Synchronisation actions with terms: the table in the crate `sync`, translated.

use program::{Operand, Property, RegisterId, SyncOp};
use symbolic::SymValue;
use sync::{Action, Channel, Condition, Edge, Field, ObjectKind, Update, Value};
use terms::TermId;

use crate::critical_section::Lock;
use crate::event_graph::{Access, CellKey, CellPart, Choice, CutKind};
use crate::memory::{Extent, Place};
use crate::state::State;
use crate::survey::CellClass;
use crate::threads::WaitsFor;
use crate::unfolder::{Activation, Failure, Site, Unfolder};

/// Expressions of the table are evaluated in this width; every field and constant fits.
const WIDTH: u32 = 64;

/// One execution of an action: its operands, and the fields read so far.
struct Execution {
    objects: Vec<Vec<Place>>,
    kinds: Vec<ObjectKind>,
    operands: Vec<Option<TermId>>,
    fields: Vec<((usize, Field), TermId)>,
    choice: Option<TermId>,
    site: Site,
}

impl Unfolder<'_> {
    pub fn synchronise(
        &mut self,
        mut state: State,
        activation: &Activation,
        target: Option<RegisterId>,
        op: SyncOp,
        operands: &[Operand],
        site: &Site,
    ) -> Result<Option<State>, Failure> {
        let action = sync::action(op);
        let attempt = self.begin_attempt(&state, site);
        let mut execution = self.prepare(&mut state, activation, action, operands, site)?;
        self.end_attempt(attempt);
        self.enter(&mut state, action, &mut execution)?;
        self.check_limits(&mut state, action, &mut execution)?;
        self.check_misuse(&mut state, action, &mut execution)?;
        self.choose(&mut state, action, &mut execution)?;
        let result = self.value(&mut state, &action.result, &mut execution)?;
        self.release(&mut state, action, &execution)?;
        self.update(&mut state, action, &mut execution)?;
        self.take(&mut state, action, &mut execution)?;
        self.attach_open_node();
        if let Some(target) = target {
            let result = self.terms().extract(result, 31, 0);
            state.set_register(target, SymValue::Int(result));
        }
        Ok(Some(state))
    }

    fn prepare(
        &mut self,
        state: &mut State,
        activation: &Activation,
        action: &Action,
        operands: &[Operand],
        site: &Site,
    ) -> Result<Execution, Failure> {
        let mut objects = Vec::new();
        let mut values = Vec::new();
        for (index, &operand) in operands.iter().enumerate() {
            let value = self.operand(state, activation, operand)?;
            match action.objects.get(index) {
                Some(&kind) => {
                    let size = sync::object_bytes(kind, self.program.data_model);
                    let extent = Extent::of_synchronisation(size);
                    objects.push(self.resolve(state, &value, extent, Access::Write, site)?);
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
            choice: None,
            site: *site,
        })
    }

    /// Waits until the action's guard holds, and takes the step.
    fn enter(&mut self, state: &mut State, action: &Action, execution: &mut Execution) -> Result<(), Failure> {
        let site = execution.site;
        if action.guard == Condition::True {
            self.record_step(state, &site);
            return Ok(());
        }
        if self.is_certain(state, execution) {
            let enabled = self.truth(state, &action.guard, execution)?;
            self.assume(state, enabled);
            self.record_step(state, &site);
            return Ok(());
        }
        self.block_until_scheduled(state, WaitsFor::Anything);
        self.record_step(state, &site);
        let enabled = self.truth(state, &action.guard, execution)?;
        self.require(state, enabled);
        if state.atomic.is_some() {
            self.restrict(state, enabled);
        }
        Ok(())
    }

    /// Whether the fields of all objects are known without asking other threads.
    fn is_certain(&self, state: &State, execution: &Execution) -> bool {
        let folded = |place: &Place, kind: ObjectKind| {
            kind.fields().iter().all(|&field| {
                let cell = field_cell(place, kind, field);
                let held = || state.held.get(&cell).and_then(|held| held.certain_value(&self.graph.terms));
                self.survey.class(cell) == CellClass::Folded || held().is_some()
            })
        };
        state.single
            || execution
                .objects
                .iter()
                .zip(&execution.kinds)
                .all(|(places, &kind)| places.iter().all(|place| folded(place, kind)))
    }

    fn check_limits(&mut self, state: &mut State, action: &Action, execution: &mut Execution) -> Result<(), Failure> {
        for (when, reason) in &action.limits {
            let beyond = self.truth(state, when, execution)?;
            if self.graph.terms.as_boolean(beyond) == Some(false) {
                continue;
            }
            let mut missed = state.standing();
            missed.guard = self.and_guard(missed.guard, beyond);
            self.cut(missed, CutKind::Unsupported { what: (*reason).to_owned() }, execution.site.span);
            let within = self.terms().not(beyond);
            self.restrict(state, within);
        }
        Ok(())
    }

    fn check_misuse(&mut self, state: &mut State, action: &Action, execution: &mut Execution) -> Result<(), Failure> {
        if !self.options.properties.contains(Property::LockMisuse) {
            return Ok(());
        }
        for check in &action.misuses {
            let misused = self.truth(state, &check.when, execution)?;
            let proper = self.terms().not(misused);
            let site = execution.site;
            self.demand(state, proper, Property::LockMisuse, &site);
        }
        Ok(())
    }

    fn choose(&mut self, state: &mut State, action: &Action, execution: &mut Execution) -> Result<(), Failure> {
        let Some(sync::Choice::ThreadOf(set)) = &action.choice else { return Ok(()) };
        let set = self.value(state, set, execution)?;
        let number = self.terms().bv_variable("chosen", 6);
        let chosen = self.terms().zero_extend(number, WIDTH);
        let made = self.terms().bv_to_bool(set);
        let member = self.contains(set, chosen);
        let allowed = self.terms().implies(made, member);
        let guard = self.guard_term(state);
        let constraint = self.terms().implies(guard, allowed);
        self.graph.constraints.push(constraint);
        let choice = Choice { guard: state.guard, made, value: chosen, names_instance: true };
        self.graph.instances[self.instance].choices.push(choice);
        execution.choice = Some(chosen);
        Ok(())
    }

    /// Ends the critical sections of the locks that the action may release. Before its updates.
    fn release(&mut self, state: &mut State, action: &Action, execution: &Execution) -> Result<(), Failure> {
        for (index, &kind) in locks_of(action).filter(|&(index, _)| acquiring(action, index).is_none()) {
            let owners: Vec<CellKey> =
                execution.objects[index].iter().map(|place| field_cell(place, kind, Field::Owner)).collect();
            self.release_locks(state, &owners, &execution.site)?;
        }
        Ok(())
    }

    /// Begins the critical sections of the locks that the action has certainly taken. After its updates.
    fn take(&mut self, state: &mut State, action: &Action, execution: &mut Execution) -> Result<(), Failure> {
        for (index, &kind) in locks_of(action) {
            let (Some(edge), &[place]) = (acquiring(action, index), &execution.objects[index][..]) else { continue };
            let taken = self.truth(state, &edge.when, execution)?;
            if self.graph.terms.as_boolean(taken) != Some(true) {
                continue;
            }
            self.take_lock(state, Lock { object: place.object, offset: place.offset });
            let changes = self.changes_of(state, action, execution)?;
            for (update, value) in changes.into_iter().filter(|(update, _)| update.object == index) {
                self.know_own_lock(state, field_cell(&place, kind, update.field), SymValue::Int(value));
            }
        }
        Ok(())
    }

    fn update(&mut self, state: &mut State, action: &Action, execution: &mut Execution) -> Result<(), Failure> {
        for (update, value) in self.changes_of(state, action, execution)? {
            let kind = execution.kinds[update.object];
            let known = execution.fields.iter().find(|(key, _)| *key == (update.object, update.field));
            let old = known.map(|&(_, old)| old);
            let wide = self.terms().zero_extend(value, WIDTH);
            if old == Some(wide) {
                continue;
            }
            let site = execution.site;
            for place in execution.objects[update.object].clone() {
                let cell = field_cell(&place, kind, update.field);
                self.write_cell(state, cell, place.condition, &SymValue::Int(value), &site)?;
            }
        }
        Ok(())
    }

    /// The updates with their values, without those that certainly leave a field as it is: these need not read it.
    fn changes_of<'u>(
        &mut self,
        state: &mut State,
        action: &'u Action,
        execution: &mut Execution,
    ) -> Result<Vec<(&'u Update, TermId)>, Failure> {
        let mut changes = Vec::new();
        for update in &action.updates {
            let mut value = &update.value;
            while let Value::If(condition, then, otherwise) = value {
                let condition = self.truth(state, condition, execution)?;
                let Some(holds) = self.graph.terms.as_boolean(condition) else { break };
                value = if holds { then } else { otherwise };
            }
            if *value != (Value::Field { object: update.object, field: update.field }) {
                let value = self.value(state, value, execution)?;
                changes.push((update, self.terms().extract(value, u32::from(update.field.bits()) - 1, 0)));
            }
        }
        Ok(changes)
    }

    fn field(
        &mut self,
        state: &mut State,
        object: usize,
        field: Field,
        execution: &mut Execution,
    ) -> Result<TermId, Failure> {
        if let Some(&(_, known)) = execution.fields.iter().find(|(key, _)| *key == (object, field)) {
            return Ok(known);
        }
        let site = execution.site;
        let mut value = self.terms().constant(u32::from(field.bits()), 0);
        for place in execution.objects[object].clone() {
            let cell = field_cell(&place, execution.kinds[object], field);
            let found = self.read_cell(state, cell, place.condition, &site)?;
            let found = found
                .as_int()
                .ok_or_else(|| Failure::NotSupported("a synchronisation object that holds an address".to_owned()))?;
            value = self.terms().ite(place.condition, found, value);
        }
        let value = self.terms().zero_extend(value, WIDTH);
        execution.fields.push(((object, field), value));
        Ok(value)
    }

    fn value(&mut self, state: &mut State, value: &Value, execution: &mut Execution) -> Result<TermId, Failure> {
        let number = u64::from(self.instance.0);
        Ok(match value {
            Value::Const(value) => self.terms().constant(WIDTH, *value),
            Value::Field { object, field } => self.field(state, *object, *field, execution)?,
            Value::Thread => self.terms().constant(WIDTH, number),
            Value::SelfAsOwner => self.terms().constant(WIDTH, number + 1),
            Value::Operand(index) => match execution.operands.get(*index).copied().flatten() {
                Some(value) => value,
                None => return Err(Failure::NotSupported("a synchronisation operand that is an address".to_owned())),
            },
            Value::Choice => match execution.choice {
                Some(choice) => choice,
                None => self.terms().constant(WIDTH, 0),
            },
            Value::Add(left, right) => {
                let (left, right) = (self.value(state, left, execution)?, self.value(state, right, execution)?);
                self.terms().add(left, right)
            }
            Value::Sub(left, right) => {
                let (left, right) = (self.value(state, left, execution)?, self.value(state, right, execution)?);
                self.terms().sub(left, right)
            }
            Value::With(set, thread) => {
                let (set, thread) = (self.value(state, set, execution)?, self.value(state, thread, execution)?);
                let bit = self.bit(thread);
                self.terms().bit_or(set, bit)
            }
            Value::Without(set, thread) => {
                let (set, thread) = (self.value(state, set, execution)?, self.value(state, thread, execution)?);
                let bit = self.bit(thread);
                let others = self.terms().bit_not(bit);
                self.terms().bit_and(set, others)
            }
            Value::Union(left, right) => {
                let (left, right) = (self.value(state, left, execution)?, self.value(state, right, execution)?);
                self.terms().bit_or(left, right)
            }
            Value::OwnerSet(owner) => {
                let owner = self.value(state, owner, execution)?;
                let (zero, one) = (self.terms().constant(WIDTH, 0), self.terms().constant(WIDTH, 1));
                let nobody = self.terms().eq(owner, zero);
                let thread = self.terms().sub(owner, one);
                let set = self.bit(thread);
                self.terms().ite(nobody, zero, set)
            }
            Value::If(condition, then, otherwise) => {
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

    fn truth(
        &mut self,
        state: &mut State,
        condition: &Condition,
        execution: &mut Execution,
    ) -> Result<TermId, Failure> {
        Ok(match condition {
            Condition::True => self.graph.terms.boolean(true),
            Condition::Equal(left, right) => {
                let (left, right) = (self.value(state, left, execution)?, self.value(state, right, execution)?);
                self.terms().eq(left, right)
            }
            Condition::Less(left, right) => {
                let (left, right) = (self.value(state, left, execution)?, self.value(state, right, execution)?);
                self.terms().ult(left, right)
            }
            Condition::Contains(set, thread) => {
                let (set, thread) = (self.value(state, set, execution)?, self.value(state, thread, execution)?);
                self.contains(set, thread)
            }
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
        state: &mut State,
        parts: &[Condition],
        execution: &mut Execution,
        decisive: bool,
    ) -> Result<Vec<TermId>, Failure> {
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

    /// The set of one thread.
    fn bit(&mut self, thread: TermId) -> TermId {
        let one = self.terms().constant(WIDTH, 1);
        self.terms().shl(one, thread)
    }

    fn contains(&mut self, set: TermId, thread: TermId) -> TermId {
        let bit = self.bit(thread);
        let common = self.terms().bit_and(set, bit);
        self.terms().bv_to_bool(common)
    }
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

fn field_cell(place: &Place, kind: ObjectKind, field: Field) -> CellKey {
    CellKey { object: place.object, offset: place.offset, part: CellPart::Field(kind, field) }
}
