//! Threads that wait for each other's locks: each is about to acquire a lock that the next one holds. Candidates are
//! cycles of acquisitions by different threads that hold no common lock and are in no order by creation and joining.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Kind;
use crate::candidates::{CandidateKey, Collector, Sieved, Steps, TraceCandidate};
use crate::survey::TraceIndex;
use crate::trace::{EventId, LockId, Operation};

/// Longer cycles are not looked for.
const MAX_LENGTH: usize = 4;

/// The cycles of a window.
pub fn collect_deadlocks(
    survey: &TraceIndex<'_>,
    window: Range<usize>,
    found: &FxHashSet<CandidateKey>,
    steps: &mut Steps<CandidateKey>,
    collector: &mut Collector,
) {
    let mut waits = Vec::new();
    let mut holders: FxHashMap<LockId, Vec<usize>> = FxHashMap::default();
    for event in window.map(|index| EventId(index as u32)) {
        let Operation::Acquire(lock) = survey.trace.events[event].operation else { continue };
        if survey.is_inner[event] || survey.locks(event).is_empty() {
            continue;
        }
        for &held in survey.locks(event) {
            holders.entry(held).or_default().push(waits.len());
        }
        waits.push(LockWait { event, wants: lock });
    }
    let mut cycles = Cycles { survey, waits: &waits, holders: &holders, found, steps, collector };
    for first in 0..waits.len() {
        cycles.extend(&mut vec![first]);
    }
}

struct LockWait {
    event: EventId,
    wants: LockId,
}

struct Cycles<'a> {
    survey: &'a TraceIndex<'a>,
    waits: &'a [LockWait],
    /// By lock: who waits while it holds it.
    holders: &'a FxHashMap<LockId, Vec<usize>>,
    found: &'a FxHashSet<CandidateKey>,
    steps: &'a mut Steps<CandidateKey>,
    collector: &'a mut Collector,
}

impl Cycles<'_> {
    /// Goes on from the last wait to whoever holds what it wants. The first wait of a cycle is its oldest.
    fn extend(&mut self, path: &mut Vec<usize>) {
        let (first, last) = (path[0], path[path.len() - 1]);
        let holders = self.holders;
        let holders = holders.get(&self.waits[last].wants).map_or(&[][..], Vec::as_slice);
        if !self.collector.may_look_at(Kind::Deadlock, holders.len()) {
            return;
        }
        for &next in holders {
            let thread = |wait: usize| self.survey.trace.events[self.waits[wait].event].thread;
            if next == first && path.len() > 1 {
                self.close(path);
            } else if next > first && path.len() < MAX_LENGTH && path.iter().all(|&wait| thread(wait) != thread(next)) {
                path.push(next);
                self.extend(path);
                path.pop();
            }
        }
    }

    fn close(&mut self, path: &[usize]) {
        let survey = self.survey;
        let events: Vec<EventId> = path.iter().map(|&wait| self.waits[wait].event).collect();
        let mut locations: Vec<_> = events.iter().map(|&event| survey.trace.events[event].location).collect();
        locations.sort();
        let key = CandidateKey { kind: Kind::Deadlock, locations };
        let any_pair = |test: &dyn Fn(EventId, EventId) -> bool| {
            events.iter().enumerate().any(|(index, &a)| events[index + 1..].iter().any(|&b| test(a, b)))
        };
        let sieved = if any_pair(&|a, b| !survey.are_unprotected(survey.held[a], survey.held[b])) {
            Sieved::ByLocks
        } else if any_pair(&|a, b| survey.segments.are_ordered(survey.segment[a], survey.segment[b])) {
            Sieved::ByOrder
        } else {
            Sieved::Open
        };
        self.steps.note(&key, sieved);
        if sieved == Sieved::Open && !self.found.contains(&key) {
            let (executed, before) = (Vec::new(), None);
            let pending = events.clone();
            self.collector.add(TraceCandidate { kind: Kind::Deadlock, events, executed, before, pending, key });
        }
    }
}
