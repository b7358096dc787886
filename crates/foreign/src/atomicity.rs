//! Three-access atomicity violations: between two accesses of a transaction another thread accesses the same variable, in
//! conflict with both. Transactions are what stands between `begin` and `end`, the outermost of nested ones, and, if so
//! wished, critical sections.
//!
//! Values are not known, so a thread that reads something else than in the run may do anything afterwards. Therefore the
//! last access is always the next one of its thread, and the one in between has either happened as in the run or is the
//! next one of its thread, too.

use std::ops::Range;

use base::IdVec;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Kind;
use crate::candidates::{CandidateKey, Collector, Sieved, Steps, TraceCandidate};
use crate::survey::TraceIndex;
use crate::trace::{EventId, Operation, ThreadId, VariableId};

/// Which transactions each event is part of.
pub struct Transactions {
    marked: IdVec<EventId, Option<u32>>,
    regions: IdVec<EventId, Option<u32>>,
    pub count: u32,
}

impl Transactions {
    pub fn new(survey: &TraceIndex<'_>, with_regions: bool) -> Self {
        let mut all = Self { marked: IdVec::new(), regions: IdVec::new(), count: 0 };
        let mut depth: FxHashMap<ThreadId, (u32, u32)> = FxHashMap::default();
        let mut region: FxHashMap<ThreadId, u32> = FxHashMap::default();
        for (id, event) in survey.trace.events.iter_enumerated() {
            let (nested, number) = depth.entry(event.thread).or_default();
            match event.operation {
                Operation::Begin => {
                    *nested += 1;
                    if *nested == 1 {
                        all.count += 1;
                        *number = all.count;
                    }
                }
                Operation::End => *nested = nested.saturating_sub(1),
                _ => {}
            }
            all.marked.push((*nested > 0).then_some(*number));
            let begins_region = matches!(event.operation, Operation::Acquire(_)) && survey.locks(id).is_empty();
            if with_regions && begins_region {
                all.count += 1;
                region.insert(event.thread, all.count);
            }
            let is_inside = with_regions && !survey.locks(id).is_empty();
            all.regions.push(region.get(&event.thread).copied().filter(|_| is_inside));
        }
        all
    }

    fn have_in_common(&self, a: EventId, b: EventId) -> bool {
        let same = |of: &IdVec<EventId, Option<u32>>| of[a].is_some() && of[a] == of[b];
        same(&self.marked) || same(&self.regions)
    }
}

/// The triples of a window.
pub fn collect_atomicity(
    survey: &TraceIndex<'_>,
    transactions: &Transactions,
    window: Range<usize>,
    found: &FxHashSet<CandidateKey>,
    steps: &mut Steps<CandidateKey>,
    collector: &mut Collector,
) {
    let mut accesses: FxHashMap<VariableId, Vec<EventId>> = FxHashMap::default();
    for event in window.map(|index| EventId(index as u32)) {
        if let Some(variable) = survey.trace.events[event].operation.variable() {
            accesses.entry(variable).or_default().push(event);
        }
    }
    let mut accesses: Vec<_> = accesses.into_iter().collect();
    accesses.sort_by_key(|(variable, _)| *variable);
    for (_, events) in &accesses {
        for (position, &first) in events.iter().enumerate() {
            for &last in events[position + 1..].iter().filter(|&&last| is_pair(survey, transactions, first, last)) {
                if !collector.may_look_at(Kind::Atomicity, events.len()) {
                    return;
                }
                for &remote in events.iter().filter(|&&remote| is_pattern(survey, first, remote, last)) {
                    propose(survey, [first, remote, last], found, steps, collector);
                }
            }
        }
    }
}

fn is_pair(survey: &TraceIndex<'_>, transactions: &Transactions, first: EventId, last: EventId) -> bool {
    let events = &survey.trace.events;
    events[first].thread == events[last].thread && transactions.have_in_common(first, last)
}

fn is_pattern(survey: &TraceIndex<'_>, first: EventId, remote: EventId, last: EventId) -> bool {
    let events = &survey.trace.events;
    let writes = |event: EventId| events[event].operation.is_write();
    events[remote].thread != events[first].thread && (writes(remote) || (writes(first) && writes(last)))
}

fn propose(
    survey: &TraceIndex<'_>,
    [first, remote, last]: [EventId; 3],
    found: &FxHashSet<CandidateKey>,
    steps: &mut Steps<CandidateKey>,
    collector: &mut Collector,
) {
    let locations = [first, remote, last].map(|event| survey.trace.events[event].location).to_vec();
    let key = CandidateKey { kind: Kind::Atomicity, locations };
    let sieved = sieve(survey, first, remote, last);
    steps.note(&key, sieved);
    if sieved != Sieved::Open || found.contains(&key) {
        return;
    }
    let kind = Kind::Atomicity;
    let events = vec![first, remote, last];
    let (executed, before) = (vec![first, remote], Some((first, remote)));
    let done = TraceCandidate { kind, events: events.clone(), executed, before, pending: vec![last], key: key.clone() };
    let next = TraceCandidate { kind, events, executed: vec![first], before: None, pending: vec![remote, last], key };
    collector.add(next);
    collector.add(done);
}

fn sieve(survey: &TraceIndex<'_>, first: EventId, remote: EventId, last: EventId) -> Sieved {
    let is_kept = |lock| {
        let between = first.0..last.0;
        let thread = survey.trace.events[first].thread;
        !between.map(EventId).any(|event| {
            let body = &survey.trace.events[event];
            body.thread == thread && body.operation == Operation::Release(lock) && !survey.is_inner[event]
        })
    };
    let holds = |event: EventId, lock| survey.locks(event).contains(&lock);
    if survey.locks(first).iter().any(|&lock| holds(remote, lock) && holds(last, lock) && is_kept(lock)) {
        return Sieved::ByLocks;
    }
    let precedes = |a: EventId, b: EventId| survey.segments.precedes(survey.segment[a], survey.segment[b]);
    if precedes(remote, first) || precedes(last, remote) { Sieved::ByOrder } else { Sieved::Open }
}
