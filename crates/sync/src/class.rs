//! What kind of operation each [`SyncOp`] is, for those who reason about locks, waiting and order without executing
//! actions. Nothing here is a list of names: each entry is found by evaluating the operation's [`Action`] in small states.

use std::sync::LazyLock;

use program::SyncOp;

use crate::action::{Action, Call};
use crate::errno::ETIMEDOUT;
use crate::expression::{Condition, SyncValue};
use crate::object::{Field, ObjectKind, Phase, SyncState, owner_code};
use crate::table::action;
use crate::unordered_influence;
use crate::word::Word;

/// The kind of one operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpClass {
    /// What it does to who holds a lock (mutex, rwlock, spin lock), if it locks or unlocks.
    pub lock: Option<LockEffect>,
    pub waits: Blocking,
    /// It puts an object into a new state, by initialising or destroying it.
    pub resets: bool,
    /// It ends the holding of a lock whoever holds it, by putting the lock into a new state.
    pub resets_held_lock: bool,
    pub initialises: bool,
    pub destroys: bool,
    /// The same operation without a time limit; itself where it has none.
    pub untimed: SyncOp,
    /// The operations of which one must follow, if it is only the first half of a wait.
    pub completed_by: &'static [SyncOp],
    /// It is the second half of a wait.
    pub is_completion: bool,
    /// The environment chooses how it ends.
    pub chooses: bool,
    /// Its result, or that it can be executed at all, may tell what another thread did without ordering that before it;
    /// or it is itself such a deed, as initialising an object that others wait for.
    pub reveals_without_ordering: bool,
    /// It reveals something only where a counter is at its limit, as a post that overflows does.
    pub reveals_only_at_limit: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockEffect {
    /// Afterwards the thread holds the lock that is its operand `operand`; if `fallible`, only where it succeeded.
    Acquire { mode: Mode, fallible: bool, operand: usize },
    /// Afterwards the thread holds the lock once less. Without `by_holder_only`, also somebody else's holding ends.
    Release { by_holder_only: bool, operand: usize },
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    Shared,
    Exclusive,
}

/// Whether a thread can be blocked before the operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocking {
    Never,
    /// It depends on what others have done.
    May,
    /// It needs somebody else's help whenever it comes after the first half of its wait.
    Always,
}

/// What kind of operation `op` is.
pub fn class(op: SyncOp) -> &'static OpClass {
    static CLASSES: LazyLock<Vec<OpClass>> = LazyLock::new(|| SyncOp::ALL.iter().map(|&op| classify(op)).collect());
    &CLASSES[op as usize]
}

impl OpClass {
    /// Whether it leaves the lock alone unless it can be had at once.
    pub fn only_tries(&self) -> bool {
        matches!(self.lock, Some(LockEffect::Acquire { fallible: true, .. }))
    }

    pub fn releases_lock(&self) -> bool {
        matches!(self.lock, Some(LockEffect::Release { .. }))
    }

    /// Whether the operation, or the second half of it, may wait for something other than a lock.
    pub fn waits_for_event(&self) -> bool {
        let is_event =
            |class: &OpClass| class.waits != Blocking::Never && (class.lock.is_none() || class.is_completion);
        is_event(self) || self.completed_by.iter().any(|&end| is_event(class(end)))
    }
}

impl ObjectKind {
    /// Whether threads hold such an object.
    pub fn is_lock(self) -> bool {
        matches!(self, ObjectKind::Mutex | ObjectKind::Rwlock | ObjectKind::Spin)
    }
}

const SELF: u32 = 1;
const OTHER: u32 = 2;

fn classify(op: SyncOp) -> OpClass {
    let action = action(op);
    let sets_phase = |phase: Phase| {
        let mut phases = action.updates.iter().filter(|update| update.field == Field::Phase);
        phases.any(|update| may_be(&update.value, phase as u64))
    };
    let (initialises, destroys) = (sets_phase(Phase::Initialised), sets_phase(Phase::Destroyed));
    let resets = initialises || destroys;
    let influence = unordered_influence::of(op);
    OpClass {
        lock: (0..action.objects.len()).filter(|_| !resets).find_map(|operand| lock_effect(action, operand)),
        waits: waits(op),
        resets,
        resets_held_lock: resets && ends_holding_of_others(action),
        initialises,
        destroys,
        untimed: untimed(op),
        completed_by: op.completed_by(),
        is_completion: op.is_completion(),
        chooses: action.choice.is_some(),
        reveals_without_ordering: resets || influence.is_some(),
        reveals_only_at_limit: !resets && influence == Some(unordered_influence::Influence::AtLimit),
    }
}

/// Whether a constant is among the values that an expression may take.
fn may_be(value: &SyncValue, wanted: u64) -> bool {
    match value {
        SyncValue::Const(constant) => *constant == wanted,
        SyncValue::If(_, then, otherwise) => may_be(then, wanted) || may_be(otherwise, wanted),
        _ => false,
    }
}

/// The objects of an action, all initialised and at rest, but its operand `operand` held by `holder`.
fn with_holder(action: &Action, operand: usize, holder: Option<u32>) -> Vec<SyncState> {
    let mut states: Vec<SyncState> = action.objects.iter().map(|&kind| SyncState::initialised(kind)).collect();
    if let Some(holder) = holder {
        states[operand].set(Field::Owner, Word::number(owner_code(holder)));
    }
    states
}

fn lock_effect(action: &Action, operand: usize) -> Option<LockEffect> {
    if !action.objects[operand].is_lock() {
        return None;
    }
    let call = Call { thread: SELF, operands: &[0; 2] };
    let after = |holder: Option<u32>| {
        let mut states = with_holder(action, operand, holder);
        action.enabled(&states, &call).then(|| {
            let result = action.apply(&mut states, &call, 0);
            (states.swap_remove(operand), result)
        })
    };
    let (free, _) = after(None)?;
    if free.is_held_by(SELF, false) {
        let mode = if free.is_held_by(SELF, true) { Mode::Exclusive } else { Mode::Shared };
        let fallible = after(Some(OTHER)).is_some_and(|(state, _)| !state.is_held_by(SELF, false));
        return Some(LockEffect::Acquire { mode, fallible, operand });
    }
    let (own, _) = after(Some(SELF))?;
    if own.is_held_by(SELF, false) {
        return None;
    }
    let by_holder_only = after(Some(OTHER)).is_some_and(|(state, _)| state.is_held_by(OTHER, false));
    Some(LockEffect::Release { by_holder_only, operand })
}

fn ends_holding_of_others(action: &Action) -> bool {
    let call = Call { thread: SELF, operands: &[0; 2] };
    (0..action.objects.len()).filter(|&operand| action.objects[operand].is_lock()).any(|operand| {
        let mut states = with_holder(action, operand, Some(OTHER));
        action.apply(&mut states, &call, 0);
        !states[operand].is_held_by(OTHER, false)
    })
}

fn waits(op: SyncOp) -> Blocking {
    let end = action(op);
    if end.guard == Condition::True {
        return Blocking::Never;
    }
    let call = Call { thread: SELF, operands: &[0; 2] };
    let begins = SyncOp::ALL.iter().filter(|begin| begin.completed_by().contains(&op));
    let mut blocked_after_begin = begins.map(|&begin| {
        let begin = action(begin);
        let mut states = with_holder(begin, 0, None);
        // A wait for one arrival only needs nobody else.
        if begin.objects[0] == ObjectKind::Barrier {
            states[0].set(Field::Count, Word::number(1));
        }
        begin.apply(&mut states, &call, 0);
        !end.goes_on(&states, &call)
    });
    if blocked_after_begin.any(|blocked| blocked) { Blocking::Always } else { Blocking::May }
}

/// Time limits show in the result; the operation without one has the same name without "timed".
fn untimed(op: SyncOp) -> SyncOp {
    let is_timed = |op: SyncOp| may_be(&action(op).result, ETIMEDOUT);
    if !is_timed(op) {
        return op;
    }
    let timed = action(op);
    let name = timed.name.strip_prefix("timed").unwrap_or(timed.name);
    let is_twin =
        |&twin: &SyncOp| !is_timed(twin) && action(twin).objects == timed.objects && action(twin).name == name;
    SyncOp::ALL.into_iter().find(is_twin).unwrap_or(op)
}
