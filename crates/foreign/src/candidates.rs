//! What may be possible, and what it takes: some events have happened, others come next in their threads.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Kind;
use crate::trace::{EventId, LocationId};

/// One question about the orders of a window.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceCandidate {
    pub kind: Kind,
    /// The events that a report names, in the order in which it does.
    pub events: Vec<EventId>,
    /// These have happened.
    pub executed: Vec<EventId>,
    /// The first of these two comes before the second.
    pub before: Option<(EventId, EventId)>,
    /// The next events of their threads.
    pub pending: Vec<EventId>,
    pub key: CandidateKey,
}

/// Candidates with the same places in the source are one to the user.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CandidateKey {
    pub kind: Kind,
    pub locations: Vec<LocationId>,
}

/// How many candidates each step has left, by their places.
#[derive(Clone, Debug)]
pub struct Steps<K> {
    all: FxHashSet<K>,
    after_locksets: FxHashSet<K>,
    after_order: FxHashSet<K>,
}

/// What the cheap steps have to say about a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sieved {
    ByLocks,
    ByOrder,
    Open,
}

impl<K> Default for Steps<K> {
    fn default() -> Self {
        Self { all: FxHashSet::default(), after_locksets: FxHashSet::default(), after_order: FxHashSet::default() }
    }
}

impl<K: std::hash::Hash + Eq + Clone> Steps<K> {
    /// Memory is worth more than larger numbers.
    const MAX_COUNTED: usize = 4_000_000;

    pub fn is_full(&self) -> bool {
        self.all.len() >= Self::MAX_COUNTED
    }

    pub fn note(&mut self, key: &K, sieved: Sieved) {
        if self.is_full() {
            return;
        }
        self.all.insert(key.clone());
        if sieved != Sieved::ByLocks {
            self.after_locksets.insert(key.clone());
        }
        if sieved == Sieved::Open {
            self.after_order.insert(key.clone());
        }
    }

    pub fn counts(&self) -> [usize; 3] {
        [self.all.len(), self.after_locksets.len(), self.after_order.len()]
    }
}

/// Collects the candidates of one window: at most so many for the same places.
#[derive(Default)]
pub struct Collector {
    pub candidates: Vec<TraceCandidate>,
    taken: FxHashMap<CandidateKey, usize>,
    /// Places with more candidates than that.
    pub overfull: FxHashSet<CandidateKey>,
    spent: FxHashMap<Kind, usize>,
}

impl Collector {
    const PER_KEY: usize = 32;
    /// Combinations of events that are looked at in one window.
    const MAX_COMBINATIONS: usize = 2_000_000;

    /// Whether so many more combinations may be looked at. If not, something stays open.
    pub fn may_look_at(&mut self, kind: Kind, combinations: usize) -> bool {
        let spent = self.spent.entry(kind).or_default();
        *spent += combinations;
        if *spent > Self::MAX_COMBINATIONS {
            self.overfull.insert(CandidateKey { kind, locations: Vec::new() });
            return false;
        }
        true
    }

    pub fn add(&mut self, candidate: TraceCandidate) {
        let taken = self.taken.entry(candidate.key.clone()).or_default();
        if *taken == Self::PER_KEY {
            self.overfull.insert(candidate.key);
            return;
        }
        *taken += 1;
        self.candidates.push(candidate);
    }
}
