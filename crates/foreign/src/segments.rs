//! What must come before what because of the creation and the joining of threads, whatever the order of everything else.
//!
//! The events of a thread between two creations or joinings are a *segment*; only there can what a thread knows of the
//! others change. A segment carries a vector clock: how many segments of each thread are certainly over.

use base::{IdVec, define_id};
use rustc_hash::FxHashMap;

use crate::trace::ThreadId;

define_id!(
    /// A stretch of one thread.
    SegmentId,
    "g"
);

#[derive(Clone, Debug)]
struct ThreadSegment {
    thread: ThreadId,
    /// Its number among those of the thread; the first is 1.
    number: u32,
    /// By thread: all of its segments up to this number, and all that it has done in them, come before.
    clock: FxHashMap<ThreadId, u32>,
}

/// All segments of a trace.
#[derive(Clone, Debug, Default)]
pub struct Segments {
    all: IdVec<SegmentId, ThreadSegment>,
    /// By thread, where it is.
    current: IdVec<ThreadId, Option<SegmentId>>,
}

impl Segments {
    pub fn new(threads: usize) -> Self {
        Self { all: IdVec::new(), current: IdVec::from_vec(vec![None; threads]) }
    }

    /// The segment that the thread is in.
    pub fn of(&mut self, thread: ThreadId) -> SegmentId {
        match self.current[thread] {
            Some(segment) => segment,
            None => self.begin(thread, FxHashMap::default()),
        }
    }

    /// The thread creates another one, which has done nothing yet.
    pub fn fork(&mut self, parent: ThreadId, child: ThreadId) {
        let at = self.of(parent);
        let mut clock = self.all[at].clock.clone();
        clock.insert(parent, self.all[at].number);
        let own = self.all[at].clock.clone();
        self.begin(child, clock);
        self.begin(parent, own);
    }

    /// The thread has waited for the end of another one.
    pub fn join(&mut self, parent: ThreadId, child: ThreadId) {
        let (at, end) = (self.of(parent), self.of(child));
        let mut clock = self.all[at].clock.clone();
        for (&thread, &number) in &self.all[end].clock {
            let known = clock.entry(thread).or_default();
            *known = number.max(*known);
        }
        clock.insert(child, self.all[end].number);
        self.begin(parent, clock);
    }

    fn begin(&mut self, thread: ThreadId, clock: FxHashMap<ThreadId, u32>) -> SegmentId {
        let number = self.current[thread].map_or(1, |last| self.all[last].number + 1);
        let segment = self.all.push(ThreadSegment { thread, number, clock });
        self.current[thread] = Some(segment);
        segment
    }

    /// Whether everything in `a` comes before everything in `b`, which is of another thread.
    pub fn precedes(&self, a: SegmentId, b: SegmentId) -> bool {
        let ThreadSegment { thread, number, .. } = self.all[a];
        self.all[b].clock.get(&thread).is_some_and(|&known| number <= known)
    }

    pub fn are_ordered(&self, a: SegmentId, b: SegmentId) -> bool {
        self.all[a].thread == self.all[b].thread || self.precedes(a, b) || self.precedes(b, a)
    }
}
