//! Counting semaphores. Each post happens before each later wait that succeeds. A wait on a semaphore that is not
//! initialised does not block, so that the misuse is seen.

use program::SyncOp;

use crate::action::{Action, Channel};
use crate::builder::*;
use crate::errno::{EAGAIN, EINVAL, EOVERFLOW, ETIMEDOUT};
use crate::expression::{Condition, SyncValue};
use crate::object::{Field, ObjectKind, Phase};

const SEM_VALUE_MAX: u64 = 0x7fff_ffff;

pub(crate) fn actions() -> Vec<Entry> {
    vec![
        (SyncOp::SemInit, init()),
        (SyncOp::SemDestroy, new("destroy").uses(THIS).destroys()),
        (SyncOp::SemWait, take("wait", 0).waits(can_wait(), number(0))),
        (SyncOp::SemTryWait, take("trywait", EAGAIN)),
        (SyncOp::SemTimedWait, take("timedwait", ETIMEDOUT)),
        (SyncOp::SemPost, post()),
        (SyncOp::SemGetValue, new("getvalue").uses(THIS).returns(this(Field::Value))),
    ]
}

fn new(name: &'static str) -> Action {
    Action::new(name, &[ObjectKind::Semaphore])
}

fn zero() -> Condition {
    this(Field::Value).equals(0)
}

fn can_wait() -> Condition {
    any([zero().not(), this(Field::Phase).equals(Phase::Initialised as u64).not()])
}

fn init() -> Action {
    let value = || SyncValue::Operand(1);
    let too_big = || value().below(SEM_VALUE_MAX + 1).not();
    new("init")
        .sets_if(too_big().not(), Field::Phase, number(Phase::Initialised as u64))
        .sets_if(too_big().not(), Field::Value, value())
        .returns(choose(too_big(), number(EINVAL), number(0)))
}

/// Takes one if there is one, else returns `error`.
fn take(name: &'static str, error: u64) -> Action {
    new(name)
        .uses(THIS)
        .sets_if(zero().not(), Field::Value, this(Field::Value).minus(1))
        .returns(choose(zero(), number(error), number(0)))
        .acquires(THIS, zero().not(), Channel::Main)
}

fn post() -> Action {
    let full = || this(Field::Value).equals(SEM_VALUE_MAX);
    new("post")
        .uses(THIS)
        .sets_if(full().not(), Field::Value, this(Field::Value).plus(1))
        .returns(choose(full(), number(EOVERFLOW), number(0)))
        .releases(THIS, full().not(), Channel::Main)
}
