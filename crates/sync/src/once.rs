//! `pthread_once`. The first to begin owns the control until it ends; the others wait for it, and what the initialiser
//! did happens before their return. An initialiser that calls `pthread_once` on its own control waits for itself.

use program::SyncOp;

use crate::action::{Action, Channel};
use crate::builder::*;
use crate::expression::{Condition, SyncValue};
use crate::object::{Field, ObjectKind};

pub(crate) fn actions() -> Vec<Entry> {
    vec![(SyncOp::OnceBegin, begin()), (SyncOp::OnceEnd, end())]
}

fn new(name: &'static str) -> Action {
    Action::new(name, &[ObjectKind::Once])
}

fn done() -> Condition {
    this(Field::Done).equals(1)
}

fn begin() -> Action {
    new("once")
        .uses(THIS)
        .waits(any([done(), unowned(THIS)]), this(Field::Owner).owner_set())
        .sets_if(done().not(), Field::Owner, SyncValue::SelfAsOwner)
        .returns(choose(done(), number(0), number(1)))
        .acquires(THIS, Condition::True, Channel::Main)
}

fn end() -> Action {
    new("once done").sets(Field::Done, number(1)).sets(Field::Owner, number(0)).releases(
        THIS,
        Condition::True,
        Channel::Main,
    )
}
