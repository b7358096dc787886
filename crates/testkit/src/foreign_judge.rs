//! Every order of a small foreign trace, tried one by one: what prediction from such traces is compared with. Knows
//! nothing of windows, filters and solvers.
//!
//! A state is how far each thread is and what the last writes were. From a state a thread takes its next event if its
//! lock is free, what it joins has ended, and what it reads is what it read in the run.

use std::collections::BTreeSet;

use base::{Budget, Id};
use foreign::{EventId, ExternalEvent, ExternalTrace, Kind, Operation, ThreadId, TraceIndex, TraceOptions};
use rustc_hash::FxHashSet;

/// What some order shows: kinds with the events that make them up, by number.
pub type Shown = BTreeSet<(Kind, Vec<u32>)>;

/// Tries all orders of the trace.
pub fn judge(trace: &ExternalTrace) -> Shown {
    let mut judge = TraceOracle::new(trace);
    let mut open = vec![JudgeState::new(trace)];
    while let Some(state) = open.pop() {
        if !judge.seen.insert(state.clone()) {
            continue;
        }
        judge.look(&state);
        for thread in 0..trace.threads.len() {
            open.extend(judge.step(&state, thread));
        }
    }
    judge.shown
}

/// Compares with prediction from the whole trace, and from windows of it. `Err` says what differs.
pub fn compare_foreign(trace: &ExternalTrace) -> Result<Shown, String> {
    let truth = judge(trace);
    let survey = TraceIndex::new(trace).map_err(|bad| format!("a generated trace is refused: {bad}"))?;
    let predicted = |window: usize| {
        let kinds = vec![Kind::Race, Kind::Deadlock, Kind::Atomicity];
        let options = TraceOptions { kinds, atomic_regions: false, window };
        let analysis = foreign::analyse(&survey, &options, &Budget::unlimited());
        let analysis = analysis.map_err(|wrong| format!("a witness does not pass its check: {}", wrong.0))?;
        let shown = analysis.findings.iter().map(|finding| (finding.kind, named(finding.kind, &finding.events)));
        Ok::<Shown, String>(shown.collect())
    };
    let whole = predicted(trace.events.len().max(2))?;
    if whole != truth {
        let missed: Vec<_> = truth.difference(&whole).collect();
        let wrong: Vec<_> = whole.difference(&truth).collect();
        return Err(format!("missed {missed:?}, wrong {wrong:?}"));
    }
    let parts = predicted(trace.events.len() / 2)?;
    if !parts.is_subset(&truth) {
        return Err(format!("wrong in a window {:?}", parts.difference(&truth).collect::<Vec<_>>()));
    }
    Ok(truth)
}

/// Only the order of accesses in a transaction matters.
fn named(kind: Kind, events: &[EventId]) -> Vec<u32> {
    let mut numbers: Vec<u32> = events.iter().map(|event| event.0).collect();
    if kind != Kind::Atomicity {
        numbers.sort_unstable();
    }
    numbers
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct JudgeState {
    done: Vec<usize>,
    last_write: Vec<Option<u32>>,
    /// Accesses that have happened after an access of a transaction.
    after: BTreeSet<(u32, u32)>,
}

impl JudgeState {
    fn new(trace: &ExternalTrace) -> Self {
        Self {
            done: vec![0; trace.threads.len()],
            last_write: vec![None; trace.variables.len()],
            after: BTreeSet::new(),
        }
    }
}

struct TraceOracle<'a> {
    trace: &'a ExternalTrace,
    by_thread: Vec<Vec<u32>>,
    source: Vec<Option<u32>>,
    transaction: Vec<Option<usize>>,
    is_forked: Vec<bool>,
    seen: FxHashSet<JudgeState>,
    shown: Shown,
}

impl<'a> TraceOracle<'a> {
    fn new(trace: &'a ExternalTrace) -> Self {
        let mut judge = Self {
            trace,
            by_thread: vec![Vec::new(); trace.threads.len()],
            source: Vec::new(),
            transaction: Vec::new(),
            is_forked: vec![false; trace.threads.len()],
            seen: FxHashSet::default(),
            shown: Shown::new(),
        };
        let mut last = vec![None; trace.variables.len()];
        let mut depth = vec![0usize; trace.threads.len()];
        let mut current = vec![0usize; trace.threads.len()];
        for (id, event) in trace.events.iter_enumerated() {
            let thread = event.thread.index();
            judge.by_thread[thread].push(id.0);
            let mut source = None;
            match event.operation {
                Operation::Read(variable) => source = last[variable.index()],
                Operation::Write(variable) => last[variable.index()] = Some(id.0),
                Operation::Fork(child) => judge.is_forked[child.index()] = true,
                Operation::Begin => {
                    depth[thread] += 1;
                    if depth[thread] == 1 {
                        current[thread] = id.index();
                    }
                }
                Operation::End => depth[thread] = depth[thread].saturating_sub(1),
                _ => {}
            }
            judge.source.push(source);
            judge.transaction.push((depth[thread] > 0).then_some(current[thread]));
        }
        judge
    }

    fn event(&self, number: u32) -> &ExternalEvent {
        &self.trace.events[EventId(number)]
    }

    fn executed(&self, state: &JudgeState) -> impl Iterator<Item = u32> + '_ {
        let done = state.done.clone();
        self.by_thread.iter().zip(done).flat_map(|(events, done)| events[..done].iter().copied())
    }

    /// Who holds which locks, how many times.
    fn owner(&self, state: &JudgeState, lock: foreign::LockId) -> Option<ThreadId> {
        let mut balance = vec![0i32; self.trace.threads.len()];
        for number in self.executed(state) {
            match self.event(number).operation {
                Operation::Acquire(taken) if taken == lock => balance[self.event(number).thread.index()] += 1,
                Operation::Release(given) if given == lock => balance[self.event(number).thread.index()] -= 1,
                _ => {}
            }
        }
        balance.iter().position(|&count| count > 0).map(ThreadId::new)
    }

    fn is_there(&self, state: &JudgeState, thread: usize) -> bool {
        let creation = Operation::Fork(ThreadId::new(thread));
        !self.is_forked[thread] || self.executed(state).any(|number| self.event(number).operation == creation)
    }

    fn next(&self, state: &JudgeState, thread: usize) -> Option<u32> {
        let is_there = self.is_there(state, thread);
        self.by_thread[thread].get(state.done[thread]).copied().filter(|_| is_there)
    }

    fn step(&self, state: &JudgeState, thread: usize) -> Option<JudgeState> {
        let number = self.next(state, thread)?;
        let event = self.event(number);
        let mut next = state.clone();
        match event.operation {
            Operation::Read(variable) if state.last_write[variable.index()] != self.source[number as usize] => {
                return None;
            }
            Operation::Write(variable) => next.last_write[variable.index()] = Some(number),
            Operation::Acquire(lock) if self.owner(state, lock).is_some_and(|owner| owner != event.thread) => {
                return None;
            }
            Operation::Join(child) => {
                let has_more = state.done[child.index()] < self.by_thread[child.index()].len();
                if has_more || !self.is_there(state, child.index()) {
                    return None;
                }
            }
            _ => {}
        }
        if let Some(variable) = event.operation.variable() {
            for earlier in self.executed(state) {
                let other = self.event(earlier);
                let concerns = other.operation.variable() == Some(variable) && other.thread != event.thread;
                if concerns && self.transaction[earlier as usize].is_some() {
                    next.after.insert((earlier, number));
                }
            }
        }
        next.done[thread] += 1;
        Some(next)
    }

    fn look(&mut self, state: &JudgeState) {
        let next: Vec<u32> = (0..self.trace.threads.len()).filter_map(|thread| self.next(state, thread)).collect();
        for (index, &a) in next.iter().enumerate() {
            for &b in &next[index + 1..] {
                if self.conflict(a, b) {
                    self.shown.insert((Kind::Race, vec![a.min(b), a.max(b)]));
                }
            }
        }
        for &first in &next {
            self.look_for_deadlock(state, first);
        }
        for &last in &next {
            self.look_for_interruption(state, &next, last);
        }
    }

    fn conflict(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.event(a).operation, self.event(b).operation);
        a.variable().is_some() && a.variable() == b.variable() && (a.is_write() || b.is_write())
    }

    /// Follows who waits for whom until somebody comes again.
    fn look_for_deadlock(&mut self, state: &JudgeState, first: u32) {
        let mut path = vec![first];
        loop {
            let at = self.event(path[path.len() - 1]);
            let Operation::Acquire(lock) = at.operation else { return };
            let Some(owner) = self.owner(state, lock).filter(|&owner| owner != at.thread) else { return };
            let Some(next) = self.next(state, owner.index()) else { return };
            if next == first {
                path.sort_unstable();
                self.shown.insert((Kind::Deadlock, path));
                return;
            }
            if path.contains(&next) {
                return;
            }
            path.push(next);
        }
    }

    fn look_for_interruption(&mut self, state: &JudgeState, next: &[u32], last: u32) {
        let Some(transaction) = self.transaction[last as usize] else { return };
        let executed: Vec<u32> = self.executed(state).collect();
        for &first in &executed {
            let local = self.event(first).thread == self.event(last).thread
                && self.transaction[first as usize] == Some(transaction);
            if !local {
                continue;
            }
            let between = executed.iter().filter(|&&remote| state.after.contains(&(first, remote)));
            let pending = next.iter().filter(|&&remote| self.event(remote).thread != self.event(last).thread);
            let conflicts = |&&remote: &&u32| self.conflict(first, remote) && self.conflict(remote, last);
            let interruptions: Vec<u32> = between.chain(pending).filter(conflicts).copied().collect();
            for remote in interruptions {
                self.shown.insert((Kind::Atomicity, vec![first, remote, last]));
            }
        }
    }
}
