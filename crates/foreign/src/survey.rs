//! One pass over a trace: whether it can be a run at all, and what is known of each event without reordering anything.

use base::{IdVec, define_id};
use rustc_hash::FxHashMap;

use crate::segments::{SegmentId, Segments};
use crate::std_format::BadLine;
use crate::trace::{EventId, ExternalEvent, ExternalTrace, LockId, Operation, ThreadId};

define_id!(
    /// A set of locks that some thread holds somewhere.
    LocksetId,
    "ls"
);

/// See the module documentation.
#[derive(Clone, Debug)]
pub struct TraceIndex<'a> {
    pub trace: &'a ExternalTrace,
    /// The locks that the thread holds when it comes to the event.
    pub held: IdVec<EventId, LocksetId>,
    /// Sorted.
    pub locksets: IdVec<LocksetId, Vec<LockId>>,
    pub segment: IdVec<EventId, SegmentId>,
    pub segments: Segments,
    /// Of a read, the write that it sees; of an outermost acquisition, the release that belongs to it.
    pub partner: IdVec<EventId, Option<EventId>>,
    /// Locks and unlocks of a lock that the thread holds anyway: they do nothing.
    pub is_inner: IdVec<EventId, bool>,
}

impl<'a> TraceIndex<'a> {
    pub fn new(trace: &'a ExternalTrace) -> Result<Self, BadLine> {
        let mut pass = TracePass::new(trace);
        for (id, event) in trace.events.iter_enumerated() {
            pass.note(id, event).map_err(|what| BadLine { line: event.line, what })?;
        }
        Ok(pass.survey)
    }

    pub fn locks(&self, event: EventId) -> &[LockId] {
        &self.locksets[self.held[event]]
    }

    /// Whether two events of different threads hold no common lock.
    pub fn are_unprotected(&self, a: LocksetId, b: LocksetId) -> bool {
        !self.locksets[a].iter().any(|lock| self.locksets[b].contains(lock))
    }
}

struct TracePass<'a> {
    survey: TraceIndex<'a>,
    last_write: FxHashMap<crate::trace::VariableId, EventId>,
    /// Who holds a lock, how many times, and since when.
    owner: FxHashMap<LockId, (ThreadId, u32, EventId)>,
    /// By thread: what it holds, whether it was created, whether it has done anything, whether it has been joined.
    threads: IdVec<ThreadId, ThreadState>,
    known_locksets: FxHashMap<Vec<LockId>, LocksetId>,
}

#[derive(Clone, Default)]
struct ThreadState {
    held: Vec<LockId>,
    lockset: Option<LocksetId>,
    is_created: bool,
    has_begun: bool,
    is_joined: bool,
}

impl<'a> TracePass<'a> {
    fn new(trace: &'a ExternalTrace) -> Self {
        Self {
            survey: TraceIndex {
                trace,
                held: IdVec::new(),
                locksets: IdVec::new(),
                segment: IdVec::new(),
                segments: Segments::new(trace.threads.len()),
                partner: IdVec::from_vec(vec![None; trace.events.len()]),
                is_inner: IdVec::new(),
            },
            last_write: FxHashMap::default(),
            owner: FxHashMap::default(),
            threads: IdVec::from_vec(vec![ThreadState::default(); trace.threads.len()]),
            known_locksets: FxHashMap::default(),
        }
    }

    fn note(&mut self, id: EventId, event: &ExternalEvent) -> Result<(), String> {
        let thread = event.thread;
        let name = |thread: ThreadId| &self.survey.trace.threads[thread];
        if self.threads[thread].is_joined {
            return Err(format!("{} has an event after it was joined", name(thread)));
        }
        self.threads[thread].has_begun = true;
        let lockset = self.lockset(thread);
        self.survey.held.push(lockset);
        let segment = self.survey.segments.of(thread);
        self.survey.segment.push(segment);
        let mut is_inner = false;
        match event.operation {
            Operation::Read(variable) => self.survey.partner[id] = self.last_write.get(&variable).copied(),
            Operation::Write(variable) => {
                self.last_write.insert(variable, id);
            }
            Operation::Acquire(lock) => is_inner = self.acquire(id, thread, lock)?,
            Operation::Release(lock) => is_inner = self.release(id, thread, lock)?,
            Operation::Fork(child) => self.fork(thread, child)?,
            Operation::Join(child) => self.join(thread, child)?,
            Operation::Begin | Operation::End => {}
        }
        self.survey.is_inner.push(is_inner);
        Ok(())
    }

    fn lockset(&mut self, thread: ThreadId) -> LocksetId {
        if let Some(known) = self.threads[thread].lockset {
            return known;
        }
        let mut held = self.threads[thread].held.clone();
        held.sort();
        let lockset = match self.known_locksets.get(&held) {
            Some(&known) => known,
            None => {
                let new = self.survey.locksets.push(held.clone());
                self.known_locksets.insert(held, new);
                new
            }
        };
        self.threads[thread].lockset = Some(lockset);
        lockset
    }

    /// Whether the thread has the lock already.
    fn acquire(&mut self, id: EventId, thread: ThreadId, lock: LockId) -> Result<bool, String> {
        let trace = self.survey.trace;
        match self.owner.get_mut(&lock) {
            Some((owner, depth, _)) if *owner == thread => {
                *depth += 1;
                Ok(true)
            }
            Some((owner, ..)) => {
                let (thread, owner) = (&trace.threads[thread], &trace.threads[*owner]);
                Err(format!("{thread} acquires {}, which {owner} holds", trace.locks[lock]))
            }
            None => {
                self.owner.insert(lock, (thread, 1, id));
                self.threads[thread].held.push(lock);
                self.threads[thread].lockset = None;
                Ok(false)
            }
        }
    }

    /// Whether the thread still has the lock.
    fn release(&mut self, id: EventId, thread: ThreadId, lock: LockId) -> Result<bool, String> {
        let trace = self.survey.trace;
        match self.owner.get_mut(&lock) {
            Some((owner, depth, since)) if *owner == thread => {
                *depth -= 1;
                if *depth > 0 {
                    return Ok(true);
                }
                self.survey.partner[*since] = Some(id);
                self.owner.remove(&lock);
                self.threads[thread].held.retain(|&held| held != lock);
                self.threads[thread].lockset = None;
                Ok(false)
            }
            _ => Err(format!("{} releases {}, which it does not hold", trace.threads[thread], trace.locks[lock])),
        }
    }

    fn fork(&mut self, parent: ThreadId, child: ThreadId) -> Result<(), String> {
        let name = &self.survey.trace.threads[child];
        let state = &mut self.threads[child];
        if state.has_begun || state.is_created || parent == child {
            return Err(format!("{name} is created, but already has events or was created before"));
        }
        state.is_created = true;
        self.survey.segments.fork(parent, child);
        Ok(())
    }

    fn join(&mut self, parent: ThreadId, child: ThreadId) -> Result<(), String> {
        if parent == child {
            return Err(format!("{} joins itself", self.survey.trace.threads[parent]));
        }
        self.threads[child].is_joined = true;
        self.survey.segments.join(parent, child);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let trace = crate::parse(text.as_bytes()).expect("well formed");
        TraceIndex::new(&trace).expect_err("no run").to_string()
    }

    #[test]
    fn what_cannot_be_a_run_is_refused_with_its_line() {
        assert_eq!(refused("A|acq(L)|1\nB|acq(L)|2\n"), "line 2: B acquires L, which A holds");
        assert_eq!(refused("A|rel(L)|1\n"), "line 1: A releases L, which it does not hold");
        assert_eq!(refused("A|w(x)|1\nB|fork(A)|2\n").split(':').next(), Some("line 2"));
        assert_eq!(refused("A|join(B)|1\nB|w(x)|2\n").split(':').next(), Some("line 2"));
        assert_eq!(refused("A|join(A)|1\n"), "line 1: A joins itself");
    }

    #[test]
    fn locks_may_be_taken_again_by_their_holder() {
        let text = "A|acq(L)|1\nA|acq(L)|2\nA|w(x)|3\nA|rel(L)|4\nA|w(x)|5\nA|rel(L)|6\nA|w(x)|7\n";
        let trace = crate::parse(text.as_bytes()).expect("well formed");
        let survey = TraceIndex::new(&trace).expect("a run");
        let held: Vec<usize> = [2, 4, 6].map(|event| survey.locks(EventId(event)).len()).into();
        assert_eq!(held, [1, 1, 0]);
        assert_eq!(survey.partner[EventId(0)], Some(EventId(5)));
        assert_eq!(survey.is_inner.iter().filter(|&&inner| inner).count(), 2);
    }
}
