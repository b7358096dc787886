//! Short words for writing actions down.

use program::SyncOp;

use crate::action::{Action, Channel, Choice, Edge, Misuse, MisuseCheck, Update};
use crate::expression::{Condition, SyncValue};
use crate::object::{Field, ObjectKind, Phase};

/// The object an action is about.
pub(crate) const THIS: usize = 0;

pub(crate) type Entry = (SyncOp, Action);

pub(crate) fn number(value: u64) -> SyncValue {
    SyncValue::Const(value)
}

pub(crate) fn field(object: usize, field: Field) -> SyncValue {
    SyncValue::Field { object, field }
}

/// A field of the object an action is about.
pub(crate) fn this(name: Field) -> SyncValue {
    field(THIS, name)
}

pub(crate) fn all<const N: usize>(parts: [Condition; N]) -> Condition {
    Condition::And(parts.into())
}

pub(crate) fn any<const N: usize>(parts: [Condition; N]) -> Condition {
    Condition::Or(parts.into())
}

pub(crate) fn choose(condition: Condition, then: SyncValue, otherwise: SyncValue) -> SyncValue {
    SyncValue::If(Box::new(condition), Box::new(then), Box::new(otherwise))
}

impl SyncValue {
    pub(crate) fn is(self, other: SyncValue) -> Condition {
        Condition::Equal(self, other)
    }

    pub(crate) fn equals(self, value: u64) -> Condition {
        Condition::Equal(self, number(value))
    }

    pub(crate) fn below(self, value: u64) -> Condition {
        Condition::Less(self, number(value))
    }

    pub(crate) fn plus(self, amount: u64) -> SyncValue {
        SyncValue::Add(Box::new(self), Box::new(number(amount)))
    }

    pub(crate) fn minus(self, amount: u64) -> SyncValue {
        SyncValue::Sub(Box::new(self), Box::new(number(amount)))
    }

    pub(crate) fn contains_self(self) -> Condition {
        Condition::Contains(self, SyncValue::Thread)
    }

    pub(crate) fn with(self, thread: SyncValue) -> SyncValue {
        SyncValue::With(Box::new(self), Box::new(thread))
    }

    pub(crate) fn with_self(self) -> SyncValue {
        self.with(SyncValue::Thread)
    }

    pub(crate) fn without_self(self) -> SyncValue {
        self.without(SyncValue::Thread)
    }

    pub(crate) fn without(self, thread: SyncValue) -> SyncValue {
        SyncValue::Without(Box::new(self), Box::new(thread))
    }

    pub(crate) fn union(self, other: SyncValue) -> SyncValue {
        SyncValue::Union(Box::new(self), Box::new(other))
    }

    pub(crate) fn owner_set(self) -> SyncValue {
        SyncValue::OwnerSet(Box::new(self))
    }
}

impl Condition {
    pub(crate) fn not(self) -> Condition {
        Condition::Not(Box::new(self))
    }
}

/// The set of the executing thread alone.
pub(crate) fn only_self() -> SyncValue {
    number(0).with_self()
}

/// Free of any exclusive holder.
pub(crate) fn unowned(object: usize) -> Condition {
    field(object, Field::Owner).equals(0)
}

pub(crate) fn owned_by_self(object: usize) -> Condition {
    field(object, Field::Owner).is(SyncValue::SelfAsOwner)
}

impl Action {
    /// An action that is always enabled, changes nothing and returns 0.
    pub(crate) fn new(name: &'static str, objects: &[ObjectKind]) -> Action {
        Action {
            name,
            objects: objects.to_vec(),
            limits: Vec::new(),
            misuses: Vec::new(),
            guard: Condition::True,
            progress: None,
            owners: number(0),
            choice: None,
            updates: Vec::new(),
            result: number(0),
            acquires: Vec::new(),
            releases: Vec::new(),
        }
    }

    /// Checks that the object is initialised.
    pub(crate) fn uses(self, object: usize) -> Action {
        self.uses_if(Condition::True, object)
    }

    /// Checks that the object is initialised if `when`.
    pub(crate) fn uses_if(self, when: Condition, object: usize) -> Action {
        let is_in = |phase: Phase| all([when.clone(), field(object, Field::Phase).equals(phase as u64)]);
        let (uninitialised, destroyed) = (is_in(Phase::Uninitialised), is_in(Phase::Destroyed));
        self.forbids(object, uninitialised, Misuse::Uninitialised).forbids(object, destroyed, Misuse::Destroyed)
    }

    pub(crate) fn limited(mut self, when: Condition, reason: &'static str) -> Action {
        self.limits.push((when, reason));
        self
    }

    pub(crate) fn forbids(mut self, object: usize, when: Condition, misuse: Misuse) -> Action {
        self.misuses.push(MisuseCheck { when, object, misuse });
        self
    }

    /// Blocks unless `guard`, waiting for the threads in `owners`.
    pub(crate) fn waits(mut self, guard: Condition, owners: SyncValue) -> Action {
        self.guard = guard;
        self.owners = owners;
        self
    }

    /// Counts as blocked unless `progress`, though it may be executed before.
    pub(crate) fn goes_on_if(mut self, progress: Condition) -> Action {
        self.progress = Some(progress);
        self
    }

    pub(crate) fn chooses(mut self, choice: Choice) -> Action {
        self.choice = Some(choice);
        self
    }

    pub(crate) fn sets(self, field: Field, value: SyncValue) -> Action {
        self.sets_of(THIS, field, value)
    }

    pub(crate) fn sets_of(mut self, object: usize, field: Field, value: SyncValue) -> Action {
        self.updates.push(Update { object, field, value });
        self
    }

    /// Sets the field only if `when`.
    pub(crate) fn sets_if(self, when: Condition, name: Field, value: SyncValue) -> Action {
        self.sets(name, choose(when, value, this(name)))
    }

    /// Sets all fields of the object to zero: initialised and at rest.
    pub(crate) fn resets(self) -> Action {
        let fields = self.objects[THIS].fields();
        fields.iter().fold(self, |action, &name| action.sets(name, number(0)))
    }

    /// Leaves a destroyed object at rest.
    pub(crate) fn destroys(self) -> Action {
        let mut action = self.resets();
        action.updates.retain(|update| update.field != Field::Phase);
        action.sets(Field::Phase, number(Phase::Destroyed as u64))
    }

    pub(crate) fn returns(mut self, result: SyncValue) -> Action {
        self.result = result;
        self
    }

    pub(crate) fn acquires(mut self, object: usize, when: Condition, channel: Channel) -> Action {
        self.acquires.push(Edge { when, object, channel });
        self
    }

    pub(crate) fn releases(mut self, object: usize, when: Condition, channel: Channel) -> Action {
        self.releases.push(Edge { when, object, channel });
        self
    }
}
