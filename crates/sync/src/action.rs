//! One guarded atomic action as data, and its concrete meaning.

use std::fmt;

use crate::expression::{Condition, SyncScope, SyncValue};
use crate::object::{Field, ObjectKind, SyncState};
use crate::word::Word;

/// What one synchronisation operation means. Expressions refer to objects and value operands by their index among the
/// operands of the instruction; objects come first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// The operation in C's words without the prefix, for traces: `lock`, `trylock`, `signal`.
    pub name: &'static str,
    /// The kinds of the operands that are objects.
    pub objects: Vec<ObjectKind>,
    /// States that the model cannot represent the outcome of, with the reason in words.
    pub limits: Vec<(Condition, &'static str)>,
    pub misuses: Vec<MisuseCheck>,
    /// When the action can be executed.
    pub guard: Condition,
    /// When a thread before the action does not count as blocked, if that is less than the guard allows: a waiter may wake up
    /// at any time, but nothing makes it.
    pub progress: Option<Condition>,
    /// The threads that a blocked thread waits for; empty if it waits for nobody in particular.
    pub owners: SyncValue,
    pub choice: Option<Choice>,
    pub updates: Vec<Update>,
    /// The value returned, an `int` in the lower 32 bits.
    pub result: SyncValue,
    pub acquires: Vec<Edge>,
    pub releases: Vec<Edge>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MisuseCheck {
    pub when: Condition,
    pub object: usize,
    pub misuse: Misuse,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Misuse {
    Uninitialised,
    Destroyed,
    /// Released by a thread that does not hold it.
    NotHeld,
    /// Destroyed while it is held or waited on.
    DestroyedInUse,
    /// Initialised while it is held or waited on.
    InitialisedInUse,
    /// Waiting on a condition without holding the mutex.
    WaitWithoutMutex,
    /// Waiting on a condition while others wait on it with another mutex.
    TwoMutexes,
}

/// A choice that the environment makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// One thread of a set; no choice is made if the set is empty.
    ThreadOf(SyncValue),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update {
    pub object: usize,
    pub field: Field,
    pub value: SyncValue,
}

/// Half of a happens-before edge: every release on a slot happens before every later acquire on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub when: Condition,
    pub object: usize,
    pub channel: Channel,
}

/// An object has several slots that order flows through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Channel {
    Main,
    /// From releases of read locks to write locks: readers do not order each other.
    Readers,
    /// The private slots of all threads of a set: from a signal to those it wakes.
    Threads(SyncValue),
}

/// A slot of an object, concretely.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slot {
    Main,
    Readers,
    Thread(u32),
}

/// Who executes an action, with what operands.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    pub thread: u32,
    /// The values of all operands of the instruction; those of object operands are not looked at.
    pub operands: &'a [u64],
}

impl Action {
    /// Why the model cannot go on from this state, if so.
    pub fn limit(&self, states: &[SyncState], call: &Call<'_>) -> Option<&'static str> {
        let scope = SyncScope { states, call, choice: 0 };
        self.limits.iter().find(|(when, _)| when.holds(scope)).map(|&(_, reason)| reason)
    }

    /// The first misuse, with the index of the misused object.
    pub fn misuse(&self, states: &[SyncState], call: &Call<'_>) -> Option<(usize, Misuse)> {
        let scope = SyncScope { states, call, choice: 0 };
        self.misuses.iter().find(|check| check.when.holds(scope)).map(|check| (check.object, check.misuse))
    }

    pub fn enabled(&self, states: &[SyncState], call: &Call<'_>) -> bool {
        self.guard.holds(SyncScope { states, call, choice: 0 })
    }

    /// Whether a thread before the action goes on by itself, sooner or later, if nobody changes the state.
    pub fn goes_on(&self, states: &[SyncState], call: &Call<'_>) -> bool {
        self.goes_on_when().holds(SyncScope { states, call, choice: 0 })
    }

    /// When a thread before the action does not count as blocked.
    pub fn goes_on_when(&self) -> &Condition {
        self.progress.as_ref().unwrap_or(&self.guard)
    }

    /// The set of threads that hold what a blocked thread waits for.
    pub fn owners(&self, states: &[SyncState], call: &Call<'_>) -> Word {
        self.owners.evaluate(SyncScope { states, call, choice: 0 })
    }

    /// The values that the choice may take, in ascending order; empty where there is nothing to choose.
    pub fn choices(&self, states: &[SyncState], call: &Call<'_>) -> Vec<u64> {
        let Some(Choice::ThreadOf(set)) = &self.choice else { return Vec::new() };
        let set = set.evaluate(SyncScope { states, call, choice: 0 });
        set.threads().map(u64::from).collect()
    }

    /// The slots that are acquired, with their objects. To be asked in the state before [`apply`](Self::apply).
    pub fn acquired(&self, states: &[SyncState], call: &Call<'_>, choice: u64) -> Vec<(usize, Slot)> {
        slots(&self.acquires, SyncScope { states, call, choice })
    }

    /// The slots that are released, with their objects. To be asked in the state before [`apply`](Self::apply).
    pub fn released(&self, states: &[SyncState], call: &Call<'_>, choice: u64) -> Vec<(usize, Slot)> {
        slots(&self.releases, SyncScope { states, call, choice })
    }

    /// Executes the action and returns its result. `choice` is one of [`choices`](Self::choices), and anything if
    /// those are none.
    pub fn apply(&self, states: &mut [SyncState], call: &Call<'_>, choice: u64) -> i32 {
        let scope = SyncScope { states, call, choice };
        let result = self.result.evaluate(scope).low() as i32;
        let values: Vec<Word> = self.updates.iter().map(|update| update.value.evaluate(scope)).collect();
        for (update, value) in self.updates.iter().zip(values) {
            states[update.object].set(update.field, value.clone());
            debug_assert_eq!(*states[update.object].get(update.field), value, "{update:?} should fit its field");
        }
        result
    }
}

fn slots(edges: &[Edge], scope: SyncScope<'_>) -> Vec<(usize, Slot)> {
    let mut slots = Vec::new();
    for edge in edges.iter().filter(|edge| edge.when.holds(scope)) {
        match &edge.channel {
            Channel::Main => slots.push((edge.object, Slot::Main)),
            Channel::Readers => slots.push((edge.object, Slot::Readers)),
            Channel::Threads(set) => {
                let set = set.evaluate(scope);
                slots.extend(set.threads().map(|thread| (edge.object, Slot::Thread(thread))));
            }
        }
    }
    slots
}

impl fmt::Display for Misuse {
    /// What was done wrong, as the end of a sentence that starts with the object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Misuse::Uninitialised => "is used before it is initialised",
            Misuse::Destroyed => "is used after it was destroyed",
            Misuse::NotHeld => "is unlocked by a thread that does not hold it",
            Misuse::DestroyedInUse => "is destroyed while it is in use",
            Misuse::InitialisedInUse => "is initialised while it is in use",
            Misuse::WaitWithoutMutex => "is not held by the thread that waits with it",
            Misuse::TwoMutexes => "is waited on with two different mutexes at once",
        })
    }
}
