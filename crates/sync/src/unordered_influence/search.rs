//! The influences between operations, found by bringing objects into every state that three threads reach by proper use of
//! one object (and, with a condition variable, its mutex).

use std::collections::{BTreeMap, BTreeSet};

use program::SyncOp;

use super::{Influence, of};
use crate::action::{Action, Call};
use crate::object::{Field, ObjectKind, SyncState};
use crate::table::action;
use crate::word::Word;

#[test]
fn the_list_is_what_the_actions_do() {
    let found = search();
    for op in SyncOp::ALL {
        assert_eq!(of(op), found.get(&op).copied(), "{op:?}");
    }
}

const THREADS: u32 = 3;

/// One object, or a condition variable with its mutex, and the halves of waits that threads have begun.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct SearchState {
    objects: Vec<SyncState>,
    begun: [Option<SyncOp>; THREADS as usize],
}

fn search() -> BTreeMap<SyncOp, Influence> {
    let mut found = BTreeMap::new();
    for kind in ObjectKind::ALL {
        let kinds = if kind == ObjectKind::Cond { vec![kind, ObjectKind::Mutex] } else { vec![kind] };
        for world in reachable(&kinds) {
            note_influences(&world, &mut found);
        }
    }
    found
}

fn reachable(kinds: &[ObjectKind]) -> BTreeSet<SearchState> {
    let mut open: Vec<SearchState> = beginnings(kinds);
    let mut seen: BTreeSet<SearchState> = open.iter().cloned().collect();
    while let Some(world) = open.pop() {
        for (op, thread) in candidates(&world) {
            for next in world.after(op, thread).into_iter().map(|(next, ..)| next).filter(is_small) {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    seen
}

/// States that initialisers leave behind: each kind of mutex, counts of a barrier, values of a semaphore up to its limit.
fn beginnings(kinds: &[ObjectKind]) -> Vec<SearchState> {
    let (last, field, values): (usize, Option<Field>, &[u64]) = match kinds[kinds.len() - 1] {
        ObjectKind::Mutex => (kinds.len() - 1, Some(Field::Kind), &[0, 1, 2]),
        ObjectKind::Barrier => (0, Some(Field::Count), &[1, 2, 3]),
        ObjectKind::Semaphore => (0, Some(Field::Value), &[0, 1, NEAR_LIMIT + 1]),
        _ => (0, None, &[0]),
    };
    let state = |&value: &u64| {
        let mut objects: Vec<SyncState> = kinds.iter().map(|&kind| SyncState::initialised(kind)).collect();
        if let Some(field) = field {
            objects[last].set(field, Word::number(value));
        }
        SearchState { objects, begun: [None; THREADS as usize] }
    };
    values.iter().map(state).collect()
}

/// The value of a semaphore is near the largest one.
const NEAR_LIMIT: u64 = 0x7fff_fffd;

fn is_at_limit(world: &SearchState) -> bool {
    let state = &world.objects[0];
    state.kind() == ObjectKind::Semaphore && state.get(Field::Value).low() >= NEAR_LIMIT
}

/// Deep recursion and large counters show nothing new.
fn is_small(world: &SearchState) -> bool {
    world.objects.iter().all(|state| {
        let number = |field: Field| state.kind().fields().contains(&field).then(|| state.get(field).low());
        let near_limit = |value: u64| value <= 2 || value >= NEAR_LIMIT;
        number(Field::Depth).is_none_or(|depth| depth <= 2)
            && number(Field::Readers1).is_none_or(|readers| readers == 0)
            && number(Field::Value).is_none_or(near_limit)
    })
}

/// What threads may do in a world: no half of a wait without the other.
fn candidates(world: &SearchState) -> impl Iterator<Item = (SyncOp, u32)> + '_ {
    let ops = SyncOp::ALL.into_iter().filter(|&op| world.operands(action(op)).is_some() && !resets(op));
    ops.flat_map(|op| (0..THREADS).map(move |thread| (op, thread))).filter(|&(op, thread)| {
        match world.begun[thread as usize] {
            Some(begin) => begin.completed_by().contains(&op),
            None => !SyncOp::ALL.iter().any(|begin| begin.completed_by().contains(&op)),
        }
    })
}

fn resets(op: SyncOp) -> bool {
    action(op).updates.iter().any(|update| update.field == Field::Phase)
}

impl SearchState {
    /// Where the operands of an action are among the objects.
    fn operands(&self, action: &Action) -> Option<Vec<usize>> {
        let find = |kind: &ObjectKind| self.objects.iter().position(|state| state.kind() == *kind);
        action.objects.iter().map(find).collect()
    }

    fn states(&self, action: &Action) -> Vec<SyncState> {
        let operands = self.operands(action).unwrap_or_default();
        operands.into_iter().map(|index| self.objects[index].clone()).collect()
    }

    /// Every outcome of a proper use of an operation that can be executed: the world after it, its result and choice.
    fn after(&self, op: SyncOp, thread: u32) -> Vec<(SearchState, i32, u64)> {
        let (action, call) = (action(op), Call { thread, operands: &[0; 2] });
        let states = self.states(action);
        let is_proper = action.misuse(&states, &call).is_none() && action.limit(&states, &call).is_none();
        // Ending an initialisation is for the thread that runs it.
        let is_owner = op != SyncOp::OnceEnd || states[0].owner() == Some(thread);
        if !is_proper || !is_owner || !action.enabled(&states, &call) {
            return Vec::new();
        }
        let mut choices = action.choices(&states, &call);
        if choices.is_empty() {
            choices.push(0);
        }
        let outcome = |choice: u64| {
            let (mut next, mut states) = (self.clone(), states.clone());
            let result = action.apply(&mut states, &call, choice);
            for (index, state) in self.operands(action).unwrap_or_default().into_iter().zip(states) {
                next.objects[index] = state;
            }
            next.begun[thread as usize] = Some(op).filter(|op| !op.completed_by().is_empty());
            (next, result, choice)
        };
        choices.into_iter().map(outcome).collect()
    }
}

fn note_influences(world: &SearchState, found: &mut BTreeMap<SyncOp, Influence>) {
    for (influence, by) in candidates(world).collect::<Vec<_>>() {
        let influencing = action(influence);
        let call = Call { thread: by, operands: &[0; 2] };
        for (next, _, choice) in world.after(influence, by) {
            let released = influencing.released(&world.states(influencing), &call, choice);
            let released: Vec<_> =
                released.into_iter().map(|(object, slot)| (influencing.objects[object], slot)).collect();
            for (op, thread) in candidates(&next).filter(|&(_, thread)| thread != by) {
                let own = Call { thread, operands: &[0; 2] };
                let Some(after) = results(&next, op, thread) else { continue };
                let before = results(world, op, thread);
                if before.as_ref() == Some(&after) {
                    continue;
                }
                let acquired = action(op).acquired(&next.states(action(op)), &own, 0);
                let mut acquired = acquired.into_iter().map(|(object, slot)| (action(op).objects[object], slot));
                if acquired.any(|slot| released.contains(&slot)) {
                    continue;
                }
                let when = if is_at_limit(&next) { Influence::AtLimit } else { Influence::Anywhere };
                found.entry(op).and_modify(|known| *known = (*known).max(when)).or_insert(when);
            }
        }
    }
}

/// What a proper use of an operation may return, if it can be executed.
fn results(world: &SearchState, op: SyncOp, thread: u32) -> Option<BTreeSet<i32>> {
    let outcomes = world.after(op, thread);
    (!outcomes.is_empty()).then(|| outcomes.into_iter().map(|(_, result, _)| result).collect())
}
