//! Which accesses may race at all: by different threads, to the same variable, one of them a write, without a common lock,
//! and in no order by the creation and joining of threads. One pass over the trace, then pairs of *classes*: accesses of a
//! variable that have thread, segment, locks and kind in common.

use std::ops::Range;

use base::{Budget, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Kind;
use crate::candidates::{CandidateKey, Collector, Sieved, Steps, TraceCandidate};
use crate::segments::SegmentId;
use crate::survey::{LocksetId, TraceIndex};
use crate::trace::{EventId, LocationId, ThreadId, VariableId};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Class {
    thread: ThreadId,
    segment: SegmentId,
    locks: LocksetId,
    is_write: bool,
}

impl Class {
    fn of(survey: &TraceIndex<'_>, event: EventId) -> Self {
        let body = &survey.trace.events[event];
        Self {
            thread: body.thread,
            segment: survey.segment[event],
            locks: survey.held[event],
            is_write: body.operation.is_write(),
        }
    }

    fn conflicts(&self, other: &Class) -> bool {
        self.thread != other.thread && (self.is_write || other.is_write)
    }
}

fn sieve(survey: &TraceIndex<'_>, a: &Class, b: &Class) -> Sieved {
    if !survey.are_unprotected(a.locks, b.locks) {
        Sieved::ByLocks
    } else if survey.segments.are_ordered(a.segment, b.segment) {
        Sieved::ByOrder
    } else {
        Sieved::Open
    }
}

/// Two places in the source, the smaller number first.
pub type Places = (LocationId, LocationId);

fn places(a: LocationId, b: LocationId) -> Places {
    (a.min(b), a.max(b))
}

/// The variables that accesses may race on, and how many pairs of places each step has left.
pub fn filter_races(
    survey: &TraceIndex<'_>,
    steps: &mut Steps<Places>,
    budget: &Budget,
) -> Result<FxHashSet<VariableId>, StopReason> {
    let mut racy = FxHashSet::default();
    for (variable, classes) in classes_by_variable(survey) {
        budget.check()?;
        for (index, (a, own)) in classes.iter().enumerate() {
            for (b, others) in classes[index + 1..].iter().filter(|(b, _)| a.conflicts(b)) {
                let sieved = sieve(survey, a, b);
                if sieved == Sieved::Open {
                    racy.insert(variable);
                }
                for &place in own {
                    if steps.is_full() {
                        break;
                    }
                    others.iter().for_each(|&other| steps.note(&places(place, other), sieved));
                }
            }
        }
    }
    Ok(racy)
}

/// The classes of a variable, each with its places.
type Classes = Vec<(Class, Vec<LocationId>)>;

/// For each variable that several threads access, one of them writing, its classes.
fn classes_by_variable(survey: &TraceIndex<'_>) -> Vec<(VariableId, Classes)> {
    let shared = shared_variables(survey);
    let mut index: FxHashMap<(VariableId, Class), usize> = FxHashMap::default();
    let mut known: FxHashSet<(VariableId, Class, LocationId)> = FxHashSet::default();
    let mut found: FxHashMap<VariableId, Classes> = FxHashMap::default();
    for (id, event) in survey.trace.events.iter_enumerated() {
        let Some(variable) = event.operation.variable().filter(|variable| shared.contains(variable)) else { continue };
        let class = Class::of(survey, id);
        let classes = found.entry(variable).or_default();
        let place = *index.entry((variable, class)).or_insert_with(|| {
            classes.push((class, Vec::new()));
            classes.len() - 1
        });
        if known.insert((variable, class, event.location)) {
            classes[place].1.push(event.location);
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(variable, _)| *variable);
    found
}

fn shared_variables(survey: &TraceIndex<'_>) -> FxHashSet<VariableId> {
    let mut first: FxHashMap<VariableId, (ThreadId, bool, bool)> = FxHashMap::default();
    for event in &survey.trace.events {
        let Some(variable) = event.operation.variable() else { continue };
        let (thread, several, written) = first.entry(variable).or_insert((event.thread, false, false));
        *several |= *thread != event.thread;
        *written |= event.operation.is_write();
    }
    first.into_iter().filter(|(_, (_, several, written))| *several && *written).map(|(variable, _)| variable).collect()
}

/// The pairs of a window that no earlier window had.
pub fn collect_races(
    survey: &TraceIndex<'_>,
    racy: &FxHashSet<VariableId>,
    window: Range<usize>,
    seen_before: usize,
    found: &FxHashSet<CandidateKey>,
    collector: &mut Collector,
) {
    let mut accesses: FxHashMap<VariableId, Vec<EventId>> = FxHashMap::default();
    for index in window {
        let event = EventId(index as u32);
        let variable = survey.trace.events[event].operation.variable();
        if let Some(variable) = variable.filter(|variable| racy.contains(variable)) {
            accesses.entry(variable).or_default().push(event);
        }
    }
    let mut accesses: Vec<_> = accesses.into_iter().collect();
    accesses.sort_by_key(|(variable, _)| *variable);
    for (_, events) in accesses {
        let classes: Vec<Class> = events.iter().map(|&event| Class::of(survey, event)).collect();
        for (second, b) in classes.iter().enumerate().filter(|(second, _)| events[*second].0 as usize >= seen_before) {
            if !collector.may_look_at(Kind::Race, second) {
                return;
            }
            for (first, a) in classes[..second].iter().enumerate() {
                if !a.conflicts(b) || sieve(survey, a, b) != Sieved::Open {
                    continue;
                }
                let pair = vec![events[first], events[second]];
                let [one, other] = [first, second].map(|index| survey.trace.events[events[index]].location);
                let key = CandidateKey { kind: Kind::Race, locations: vec![one.min(other), one.max(other)] };
                if !found.contains(&key) {
                    let (executed, before) = (Vec::new(), None);
                    collector.add(TraceCandidate {
                        kind: Kind::Race,
                        events: pair.clone(),
                        executed,
                        before,
                        pending: pair,
                        key,
                    });
                }
            }
        }
    }
}
