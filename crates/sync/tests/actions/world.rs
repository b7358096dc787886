//! Abstract threads that run straight-line lists of operations on a few objects, and all their interleavings.

use std::collections::HashSet;

use program::SyncOp;
use sync::{Action, Call, Misuse, ObjectKind, SyncState, action};

/// One operation: the objects it works on, and a value operand where it has one.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    pub op: SyncOp,
    pub objects: [usize; 2],
    pub value: u64,
}

pub fn on(op: SyncOp, object: usize) -> Operation {
    Operation { op, objects: [object, object], value: 0 }
}

pub fn with(op: SyncOp, object: usize, other: usize) -> Operation {
    Operation { op, objects: [object, other], value: 0 }
}

pub fn valued(op: SyncOp, object: usize, value: u64) -> Operation {
    Operation { op, objects: [object, object], value }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct World {
    pub objects: Vec<SyncState>,
    /// Per thread: the next operation.
    pub next: Vec<usize>,
    /// Per thread: the results so far.
    pub results: Vec<Vec<i32>>,
}

impl World {
    pub fn new(kinds: &[ObjectKind], threads: usize) -> Self {
        Self {
            objects: kinds.iter().map(|&kind| SyncState::initialised(kind)).collect(),
            next: vec![0; threads],
            results: vec![Vec::new(); threads],
        }
    }

    pub fn enabled(&self, thread: u32, operation: Operation) -> bool {
        self.ask(thread, operation, |action, states, call| action.enabled(states, call))
    }

    pub fn goes_on(&self, thread: u32, operation: Operation) -> bool {
        self.ask(thread, operation, |action, states, call| action.goes_on(states, call))
    }

    pub fn misuse(&self, thread: u32, operation: Operation) -> Option<Misuse> {
        self.ask(thread, operation, |action, states, call| action.misuse(states, call)).map(|(_, misuse)| misuse)
    }

    pub fn owners(&self, thread: u32, operation: Operation) -> u64 {
        self.ask(thread, operation, |action, states, call| action.owners(states, call).low())
    }

    pub fn choices(&self, thread: u32, operation: Operation) -> Vec<u64> {
        self.ask(thread, operation, |action, states, call| action.choices(states, call))
    }

    pub fn ask<T>(
        &self,
        thread: u32,
        operation: Operation,
        question: impl FnOnce(&Action, &[SyncState], &Call<'_>) -> T,
    ) -> T {
        let action = action(operation.op);
        let call = Call { thread, operands: &[0, operation.value] };
        question(action, &self.operands(action, operation), &call)
    }

    /// Executes an enabled operation.
    pub fn run(&mut self, thread: u32, operation: Operation, choice: u64) -> i32 {
        assert!(self.enabled(thread, operation), "T{thread} cannot do {operation:?} in {self:?}");
        let action = action(operation.op);
        let mut states = self.operands(action, operation);
        let result = action.apply(&mut states, &Call { thread, operands: &[0, operation.value] }, choice);
        for (index, state) in operation.objects.into_iter().zip(states) {
            self.objects[index] = state;
        }
        result
    }

    fn operands(&self, action: &Action, operation: Operation) -> Vec<SyncState> {
        let states: Vec<_> =
            operation.objects.iter().map(|&i| self.objects[i].clone()).take(action.objects.len()).collect();
        assert_eq!(states.iter().map(SyncState::kind).collect::<Vec<_>>(), action.objects);
        states
    }
}

pub struct Exploration {
    pub states: HashSet<World>,
    /// States in which every thread has done its list.
    pub finished: Vec<World>,
    /// States in which no thread is enabled although some thread has not terminated.
    pub stuck: Vec<World>,
}

/// All interleavings of the threads' lists, with all choices.
pub fn explore(start: World, threads: &[Vec<Operation>], check: impl Fn(&World)) -> Exploration {
    let mut exploration = Exploration { states: HashSet::new(), finished: Vec::new(), stuck: Vec::new() };
    let mut work = vec![start];
    while let Some(world) = work.pop() {
        if !exploration.states.insert(world.clone()) {
            continue;
        }
        check(&world);
        let successors = successors(&world, threads);
        if successors.is_empty() {
            let all_done = world.next.iter().zip(threads).all(|(&next, list)| next == list.len());
            if all_done { &mut exploration.finished } else { &mut exploration.stuck }.push(world);
        }
        work.extend(successors);
    }
    exploration
}

fn successors(world: &World, threads: &[Vec<Operation>]) -> Vec<World> {
    let mut successors = Vec::new();
    for (thread, list) in threads.iter().enumerate() {
        let Some(&operation) = list.get(world.next[thread]) else { continue };
        let number = thread as u32;
        if !world.enabled(number, operation) {
            continue;
        }
        let mut choices = world.choices(number, operation);
        if choices.is_empty() {
            choices.push(0);
        }
        for choice in choices {
            let mut successor = world.clone();
            let result = successor.run(number, operation, choice);
            successor.next[thread] += 1;
            successor.results[thread].push(result);
            successors.push(successor);
        }
    }
    successors
}
