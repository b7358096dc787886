//! When an operation writes to its objects: where one of its updates takes place. An update that is made only in some cases
//! is an expression that is the field itself in all others, and what is left as it is has only been read. So a `trylock`
//! that fails reads, and so does `sem_getvalue`, which has no updates; a signal writes even if nobody waits for it.

use std::sync::LazyLock;

use program::SyncOp;

use crate::action::{Action, Call};
use crate::expression::{Condition, SyncScope, SyncValue};
use crate::object::SyncState;
use crate::table::action;

/// For each object of the operation, when the operation writes to it; `None` for never.
pub fn writes(op: SyncOp) -> &'static [Option<Condition>] {
    static WRITES: LazyLock<Vec<Vec<Option<Condition>>>> =
        LazyLock::new(|| SyncOp::ALL.iter().map(|&op| writes_of(action(op))).collect());
    &WRITES[op as usize]
}

/// Whether the operation, executed in this state, writes to the object that is its operand `object`.
pub fn writes_to(op: SyncOp, object: usize, states: &[SyncState], call: &Call<'_>) -> bool {
    let scope = SyncScope { states, call, choice: 0 };
    writes(op)[object].as_ref().is_some_and(|when| when.holds(scope))
}

fn writes_of(action: &Action) -> Vec<Option<Condition>> {
    let of_object = |object: usize| {
        let updates = action.updates.iter().filter(|update| update.object == object);
        let taking_place =
            updates.map(|update| taking_place(&update.value, &SyncValue::Field { object, field: update.field }));
        either(taking_place.flatten())
    };
    (0..action.objects.len()).map(of_object).collect()
}

/// When a field that is set to `value` is set to something other than `own`, itself; `None` for never.
fn taking_place(value: &SyncValue, own: &SyncValue) -> Option<Condition> {
    match value {
        value if value == own => None,
        SyncValue::If(condition, then, otherwise) => {
            let then = taking_place(then, own).map(|inner| both((**condition).clone(), inner));
            let negation = Condition::Not(condition.clone());
            let otherwise = taking_place(otherwise, own).map(|inner| both(negation, inner));
            match (&then, &otherwise) {
                (Some(Condition::Not(inner)), Some(other)) | (Some(other), Some(Condition::Not(inner)))
                    if **inner == *other =>
                {
                    Some(Condition::True)
                }
                _ => either(then.into_iter().chain(otherwise)),
            }
        }
        _ => Some(Condition::True),
    }
}

fn both(left: Condition, right: Condition) -> Condition {
    match (left, right) {
        (Condition::True, other) | (other, Condition::True) => other,
        (left, right) => Condition::And(vec![left, right]),
    }
}

fn either(parts: impl Iterator<Item = Condition>) -> Option<Condition> {
    let mut different: Vec<Condition> = Vec::new();
    for part in parts {
        if part == Condition::True {
            return Some(part);
        }
        if !different.contains(&part) {
            different.push(part);
        }
    }
    match different.len() {
        0 | 1 => different.pop(),
        _ => Some(Condition::Or(different)),
    }
}
