//! An order that shows a finding, made short, and checked against the trace event by event. The check knows nothing of
//! windows' encodings and solvers: it executes the events and refuses what the run did not do.

use base::IdVec;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Kind;
use crate::candidates::TraceCandidate;
use crate::survey::TraceIndex;
use crate::trace::{EventId, ExternalTrace, LockId, Operation, ThreadId, VariableId};
use crate::window::does_nothing;

/// How to get to a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReorderingWitness {
    /// So many events happen as recorded.
    pub prefix: usize,
    /// Then these.
    pub order: Vec<EventId>,
    /// Then each of these is the next event of its thread.
    pub pending: Vec<EventId>,
}

impl ReorderingWitness {
    /// The same finding with nothing in its order that it does not need.
    pub fn shortened(survey: &TraceIndex<'_>, prefix: usize, order: &[EventId], candidate: &TraceCandidate) -> Self {
        let needed = Needed::new(survey, prefix, order).of(candidate);
        let order = order.iter().copied().filter(|event| needed.contains(event)).collect();
        Self { prefix, order, pending: candidate.pending.clone() }
    }
}

/// What an event cannot happen without: what its thread did before, the write that it reads, who created its thread, all
/// of a thread that it joins, and for a lock the releases before.
struct Needed<'a> {
    survey: &'a TraceIndex<'a>,
    previous: FxHashMap<EventId, EventId>,
    creation: FxHashMap<ThreadId, EventId>,
    last: FxHashMap<ThreadId, EventId>,
    place: FxHashMap<EventId, usize>,
    order: &'a [EventId],
    prefix: usize,
}

impl<'a> Needed<'a> {
    fn new(survey: &'a TraceIndex<'a>, prefix: usize, order: &'a [EventId]) -> Self {
        let (mut previous, mut creation, mut last) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        for &event in order {
            let body = &survey.trace.events[event];
            if let Some(before) = last.insert(body.thread, event) {
                previous.insert(event, before);
            }
            if let Operation::Fork(child) = body.operation {
                creation.insert(child, event);
            }
        }
        let place = order.iter().enumerate().map(|(place, &event)| (event, place)).collect();
        Self { survey, previous, creation, last, place, order, prefix }
    }

    fn of(&self, candidate: &TraceCandidate) -> FxHashSet<EventId> {
        let mut needed = FxHashSet::default();
        let mut open = candidate.executed.clone();
        for &event in &candidate.pending {
            let thread = self.survey.trace.events[event].thread;
            open.extend(self.last.get(&thread).or(self.creation.get(&thread)));
        }
        loop {
            while let Some(event) = open.pop() {
                let happens_in_window = event.0 as usize >= self.prefix && self.place.contains_key(&event);
                if happens_in_window && needed.insert(event) {
                    self.add_causes(event, &mut open);
                }
            }
            open = self.missing_releases(&needed);
            if open.is_empty() {
                return needed;
            }
        }
    }

    fn add_causes(&self, event: EventId, open: &mut Vec<EventId>) {
        let body = &self.survey.trace.events[event];
        match self.previous.get(&event) {
            Some(&before) => open.push(before),
            None => open.extend(self.creation.get(&body.thread)),
        }
        match body.operation {
            Operation::Read(_) => open.extend(self.survey.partner[event]),
            Operation::Join(child) => open.extend(self.last.get(&child).or(self.creation.get(&child))),
            _ => {}
        }
    }

    /// Whoever acquires a lock needs the release of each section before it that has begun.
    fn missing_releases(&self, needed: &FxHashSet<EventId>) -> Vec<EventId> {
        let mut missing = Vec::new();
        let mut last_acquired: FxHashSet<LockId> = FxHashSet::default();
        for &event in self.order.iter().rev() {
            match self.survey.trace.events[event].operation {
                Operation::Acquire(lock) if needed.contains(&event) => {
                    last_acquired.insert(lock);
                }
                Operation::Release(lock) if last_acquired.contains(&lock) && !needed.contains(&event) => {
                    missing.push(event);
                }
                _ => {}
            }
        }
        missing
    }
}

/// Executes the witness. `Err` says what is wrong with it.
pub fn verify(survey: &TraceIndex<'_>, candidate: &TraceCandidate, witness: &ReorderingWitness) -> Result<(), String> {
    let trace = survey.trace;
    let mut run = WitnessRun::new(trace);
    for event in (0..witness.prefix).map(|index| EventId(index as u32)) {
        run.execute(event)?;
    }
    for &event in &witness.order {
        run.skip_marks(survey, trace.events[event].thread, Some(event));
        if let Operation::Join(child) = trace.events[event].operation {
            run.skip_marks(survey, child, None);
        }
        run.execute(event)?;
    }
    for &event in &witness.pending {
        run.skip_marks(survey, trace.events[event].thread, Some(event));
        if run.next(trace.events[event].thread) != Some(event) || !run.is_created(trace.events[event].thread) {
            return Err(format!("{event} is not the next event of its thread"));
        }
    }
    run.check_claim(candidate, &witness.order)
}

/// The recorded run, executed in another order.
struct WitnessRun<'a> {
    trace: &'a ExternalTrace,
    by_thread: IdVec<ThreadId, Vec<EventId>>,
    done: IdVec<ThreadId, usize>,
    /// Threads that somebody creates, and whether that has happened.
    created: FxHashMap<ThreadId, bool>,
    /// Of each read, the write that it saw.
    recorded_source: IdVec<EventId, Option<EventId>>,
    last_write: FxHashMap<VariableId, EventId>,
    owner: FxHashMap<LockId, (ThreadId, u32)>,
}

impl<'a> WitnessRun<'a> {
    fn new(trace: &'a ExternalTrace) -> Self {
        let mut by_thread: IdVec<ThreadId, Vec<EventId>> = trace.threads.iter().map(|_| Vec::new()).collect();
        let mut created = FxHashMap::default();
        let mut recorded_source = IdVec::from_vec(vec![None; trace.events.len()]);
        let mut last_write: FxHashMap<VariableId, EventId> = FxHashMap::default();
        for (id, event) in trace.events.iter_enumerated() {
            by_thread[event.thread].push(id);
            match event.operation {
                Operation::Read(variable) => recorded_source[id] = last_write.get(&variable).copied(),
                Operation::Write(variable) => {
                    last_write.insert(variable, id);
                }
                Operation::Fork(child) => {
                    created.insert(child, false);
                }
                _ => {}
            }
        }
        let done = trace.threads.iter().map(|_| 0).collect();
        let (last_write, owner) = (FxHashMap::default(), FxHashMap::default());
        Self { trace, by_thread, done, created, recorded_source, last_write, owner }
    }

    fn next(&self, thread: ThreadId) -> Option<EventId> {
        self.by_thread[thread].get(self.done[thread]).copied()
    }

    fn is_created(&self, thread: ThreadId) -> bool {
        self.created.get(&thread).copied().unwrap_or(true)
    }

    /// Executes what has no effect on others, up to an event of the thread.
    fn skip_marks(&mut self, survey: &TraceIndex<'_>, thread: ThreadId, event: Option<EventId>) {
        while let Some(next) = self.next(thread).filter(|&next| Some(next) != event && does_nothing(survey, next)) {
            if self.execute(next).is_err() {
                return;
            }
        }
    }

    fn execute(&mut self, id: EventId) -> Result<(), String> {
        let event = self.trace.events[id];
        let refuse = |why: &str| Err(format!("{id} cannot happen there: {why}"));
        if self.next(event.thread) != Some(id) || !self.is_created(event.thread) {
            return refuse("it is not the next event of its thread");
        }
        match event.operation {
            Operation::Read(variable) => {
                if self.last_write.get(&variable).copied() != self.recorded_source[id] {
                    return refuse("it would read another write");
                }
            }
            Operation::Write(variable) => {
                self.last_write.insert(variable, id);
            }
            Operation::Acquire(lock) => {
                let (owner, depth) = self.owner.entry(lock).or_insert((event.thread, 0));
                if *owner != event.thread {
                    return refuse("the lock is held");
                }
                *depth += 1;
            }
            Operation::Release(lock) => match self.owner.get_mut(&lock) {
                Some((owner, depth)) if *owner == event.thread => {
                    *depth -= 1;
                    if *depth == 0 {
                        self.owner.remove(&lock);
                    }
                }
                _ => return refuse("the lock is not held"),
            },
            Operation::Fork(child) => {
                self.created.insert(child, true);
            }
            Operation::Join(child) => {
                if self.next(child).is_some() || !self.is_created(child) {
                    return refuse("the thread has not ended");
                }
            }
            Operation::Begin | Operation::End => {}
        }
        self.done[event.thread] += 1;
        Ok(())
    }

    /// Whether what is pending, and what has happened, is what the candidate says.
    fn check_claim(&self, candidate: &TraceCandidate, order: &[EventId]) -> Result<(), String> {
        let events = &self.trace.events;
        let claim = match (candidate.kind, &candidate.events[..]) {
            (Kind::Race, &[a, b]) => {
                let same = events[a].operation.variable() == events[b].operation.variable();
                let writes = events[a].operation.is_write() || events[b].operation.is_write();
                same && writes && events[a].thread != events[b].thread && candidate.pending == [a, b]
            }
            (Kind::Deadlock, cycle) => cycle.iter().enumerate().all(|(index, &event)| {
                let next = cycle[(index + 1) % cycle.len()];
                let Operation::Acquire(lock) = events[event].operation else { return false };
                self.owner.get(&lock).is_some_and(|(owner, _)| *owner == events[next].thread)
            }),
            (Kind::Atomicity, &[first, remote, last]) => {
                let place = |event| order.iter().position(|&other| other == event);
                let has_happened = place(first).is_some();
                let in_between = match place(remote) {
                    Some(remote) => place(first).is_some_and(|first| first < remote),
                    None => candidate.pending.contains(&remote),
                };
                has_happened && in_between && candidate.pending.contains(&last)
            }
            _ => false,
        };
        if claim { Ok(()) } else { Err("the order does not exhibit the violation".to_owned()) }
    }
}
