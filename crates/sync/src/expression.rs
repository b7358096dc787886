//! The language of actions: truth values, unsigned 64-bit numbers and sets of threads over the fields of the operand
//! objects; the number 0 is the empty set. Small on purpose, so that a translation to bit-vector terms is a page. No operation in the table overflows or goes below
//! zero when its guard holds, so that a translation may use any width that holds fields and constants.

use crate::action::Call;
use crate::object::{Field, SyncState};
use crate::word::Word;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SyncValue {
    Const(u64),
    /// A field of the object that is the operand of this index.
    Field {
        object: usize,
        field: Field,
    },
    /// The number of the executing thread.
    Thread,
    /// The executing thread as a field of sort `Owner` names it: its number plus 1.
    SelfAsOwner,
    /// The value operand of this index, 32 bits.
    Operand(usize),
    /// What tells the object that is the operand of this index from all others: its address.
    Address(usize),
    /// The number of the chosen thread.
    Choice,
    Add(Box<SyncValue>, Box<SyncValue>),
    Sub(Box<SyncValue>, Box<SyncValue>),
    /// A set of threads with one thread (by number) added.
    With(Box<SyncValue>, Box<SyncValue>),
    /// A set of threads with one thread (by number) removed.
    Without(Box<SyncValue>, Box<SyncValue>),
    Union(Box<SyncValue>, Box<SyncValue>),
    /// The set of the thread that an owner field names: empty for nobody.
    OwnerSet(Box<SyncValue>),
    If(Box<Condition>, Box<SyncValue>, Box<SyncValue>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    True,
    Equal(SyncValue, SyncValue),
    Less(SyncValue, SyncValue),
    /// A set of threads contains a thread (by number).
    Contains(SyncValue, SyncValue),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

/// What expressions are evaluated in.
#[derive(Clone, Copy)]
pub(crate) struct SyncScope<'a> {
    pub states: &'a [SyncState],
    pub call: &'a Call<'a>,
    pub choice: u64,
}

impl SyncValue {
    pub(crate) fn evaluate(&self, scope: SyncScope<'_>) -> Word {
        match self {
            SyncValue::Field { object, field } => scope.states[*object].get(*field).clone(),
            SyncValue::With(set, thread) => set.evaluate(scope).with(thread.number(scope)),
            SyncValue::Without(set, thread) => set.evaluate(scope).without(thread.number(scope)),
            SyncValue::Union(left, right) => left.evaluate(scope).union(&right.evaluate(scope)),
            SyncValue::OwnerSet(owner) => owner.number(scope).checked_sub(1).map_or_else(Word::default, Word::only),
            SyncValue::If(condition, then, otherwise) => {
                if condition.holds(scope) {
                    then.evaluate(scope)
                } else {
                    otherwise.evaluate(scope)
                }
            }
            _ => Word::number(self.number(scope)),
        }
    }

    /// The value as a number.
    fn number(&self, scope: SyncScope<'_>) -> u64 {
        match self {
            SyncValue::Const(value) => *value,
            SyncValue::Thread => u64::from(scope.call.thread),
            SyncValue::SelfAsOwner => u64::from(scope.call.thread) + 1,
            SyncValue::Operand(index) => scope.call.operands.get(*index).map_or(0, |value| value & 0xffff_ffff),
            SyncValue::Address(index) => scope.call.operands.get(*index).copied().unwrap_or(0),
            SyncValue::Choice => scope.choice,
            SyncValue::Add(left, right) => left.number(scope).wrapping_add(right.number(scope)),
            SyncValue::Sub(left, right) => left.number(scope).wrapping_sub(right.number(scope)),
            SyncValue::Field { object, field } => scope.states[*object].get(*field).low(),
            _ => self.evaluate(scope).low(),
        }
    }
}

impl Condition {
    pub(crate) fn holds(&self, scope: SyncScope<'_>) -> bool {
        match self {
            Condition::True => true,
            Condition::Equal(left, right) => left.evaluate(scope) == right.evaluate(scope),
            Condition::Less(left, right) => left.number(scope) < right.number(scope),
            Condition::Contains(set, thread) => set.evaluate(scope).contains(thread.number(scope)),
            Condition::Not(inner) => !inner.holds(scope),
            Condition::And(parts) => parts.iter().all(|part| part.holds(scope)),
            Condition::Or(parts) => parts.iter().any(|part| part.holds(scope)),
        }
    }
}
