//! Random traces that are runs of some program: threads that read, write, lock and create each other, written down in the
//! order in which they do.

use base::{Id, IdVec};
use foreign::{ExternalEvent, ExternalTrace, LocationId, LockId, Operation, ThreadId, VariableId};

use crate::random::Random;

/// What traces look like.
#[derive(Clone, Copy, Debug)]
pub struct TraceShape {
    pub events: usize,
    pub threads: usize,
    pub variables: usize,
    pub locks: usize,
    /// Places in the source; 0 gives each event one of its own.
    pub locations: usize,
    /// How often of a hundred an access is made under a lock that belongs to its variable.
    pub guarded: usize,
    /// How often of a hundred steps a thread takes some lock and keeps it for a while.
    pub nesting: usize,
}

impl TraceShape {
    /// Small enough to try all orders.
    pub fn small(random: &mut Random) -> Self {
        // Mostly accesses, or mostly two locks in both orders: else there is hardly ever a deadlock.
        if random.chance(30) {
            let events = 12 + random.below(5);
            return Self { events, threads: 2, variables: 1, locks: 2, locations: 0, guarded: 0, nesting: 35 };
        }
        Self {
            events: 8 + random.below(6),
            threads: 2 + random.below(2),
            variables: 1 + random.below(2),
            locks: random.below(3),
            locations: 0,
            guarded: 40,
            nesting: 20,
        }
    }
}

/// The trace that a seed names.
pub fn generate_trace(seed: u64, shape: TraceShape) -> ExternalTrace {
    let mut writer = Writer::new(seed, shape);
    for _ in 0..shape.events * 4 {
        if writer.trace.events.len() >= shape.events {
            break;
        }
        writer.step();
    }
    writer.trace
}

/// The small trace that a seed names.
pub fn generate_small_trace(seed: u64) -> ExternalTrace {
    let shape = TraceShape::small(&mut Random::new(seed.wrapping_mul(31)));
    generate_trace(seed, shape)
}

fn names<I: Id>(letter: &str, count: usize) -> IdVec<I, String> {
    (0..count).map(|index| format!("{letter}{index}")).collect()
}

struct Writer {
    random: Random,
    shape: TraceShape,
    trace: ExternalTrace,
    threads: Vec<ThreadState>,
    owner: Vec<Option<(usize, u32)>>,
}

#[derive(Clone, Default)]
struct ThreadState {
    is_there: bool,
    is_over: bool,
    held: Vec<usize>,
    in_transaction: bool,
}

impl Writer {
    fn new(seed: u64, shape: TraceShape) -> Self {
        let mut random = Random::new(seed);
        let trace = ExternalTrace {
            threads: names("T", shape.threads),
            variables: names("V", shape.variables),
            locks: names("L", shape.locks),
            locations: names("", shape.locations),
            ..ExternalTrace::default()
        };
        let mut threads = vec![ThreadState::default(); shape.threads];
        // Some threads were there from the beginning.
        for (index, thread) in threads.iter_mut().enumerate() {
            thread.is_there = index == 0 || random.chance(50);
        }
        Self { random, shape, trace, threads, owner: vec![None; shape.locks] }
    }

    fn push(&mut self, thread: usize, operation: Operation) {
        let index = self.trace.events.len();
        let location = match self.shape.locations {
            0 => self.trace.locations.push(index.to_string()).index(),
            locations => self.random.below(locations),
        };
        let (thread, location) = (ThreadId::new(thread), LocationId::new(location));
        self.trace.events.push(ExternalEvent { thread, operation, location, line: index as u32 + 1 });
    }

    fn step(&mut self) {
        let able: Vec<usize> =
            (0..self.threads.len()).filter(|&t| self.threads[t].is_there && !self.threads[t].is_over).collect();
        let Some(thread) = (!able.is_empty()).then(|| self.random.pick(&able)) else { return };
        match self.random.below(100) {
            0..4 => self.fork(thread),
            4..7 => self.join(thread),
            7..10 => self.mark(thread),
            choice if choice < 10 + self.shape.nesting && self.shape.locks > 0 => self.lock(thread),
            choice if choice < 20 + 2 * self.shape.nesting => self.unlock(thread),
            _ => self.access(thread),
        }
    }

    fn fork(&mut self, thread: usize) {
        if let Some(child) = (0..self.threads.len()).find(|&child| !self.threads[child].is_there) {
            self.threads[child].is_there = true;
            self.push(thread, Operation::Fork(ThreadId::new(child)));
        }
    }

    /// The other thread does nothing from now on.
    fn join(&mut self, thread: usize) {
        let child = self.random.below(self.threads.len());
        let state = &self.threads[child];
        let is_late = self.trace.events.len() * 10 > self.shape.events * if self.shape.events > 100 { 9 } else { 4 };
        if child != thread && child != 0 && state.is_there && state.held.is_empty() && is_late {
            self.threads[child].is_over = true;
            self.push(thread, Operation::Join(ThreadId::new(child)));
        }
    }

    fn mark(&mut self, thread: usize) {
        let state = &mut self.threads[thread];
        state.in_transaction = !state.in_transaction;
        let operation = if state.in_transaction { Operation::Begin } else { Operation::End };
        self.push(thread, operation);
    }

    fn lock(&mut self, thread: usize) {
        let lock = self.random.below(self.shape.locks);
        match &mut self.owner[lock] {
            Some((owner, depth)) if *owner == thread => *depth += 1,
            Some(_) => return,
            free => *free = Some((thread, 1)),
        }
        self.threads[thread].held.push(lock);
        self.push(thread, Operation::Acquire(LockId::new(lock)));
    }

    fn unlock(&mut self, thread: usize) {
        if self.threads[thread].held.is_empty() {
            return;
        }
        let place = self.random.below(self.threads[thread].held.len());
        let lock = self.threads[thread].held.remove(place);
        self.owner[lock] = self.owner[lock].map(|(owner, depth)| (owner, depth - 1)).filter(|(_, depth)| *depth > 0);
        self.push(thread, Operation::Release(LockId::new(lock)));
    }

    fn access(&mut self, thread: usize) {
        let variable = self.random.below(self.shape.variables);
        let lock = (self.shape.locks > 0).then(|| variable % self.shape.locks);
        let guarded = self.random.chance(self.shape.guarded);
        let lock = lock.filter(|&lock| guarded && self.owner[lock].is_none());
        if let Some(lock) = lock {
            self.push(thread, Operation::Acquire(LockId::new(lock)));
        }
        let variable = VariableId::new(variable);
        let writes = self.random.chance(45);
        self.push(thread, if writes { Operation::Write(variable) } else { Operation::Read(variable) });
        if let Some(lock) = lock {
            self.push(thread, Operation::Release(LockId::new(lock)));
        }
    }
}
