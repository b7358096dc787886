//! How many candidates for a violation each step of pruning has left (§5 of the paper).

use program::Property;

/// Of one property. What a step does not apply to is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CandidateCounts {
    pub property: Property,
    /// Of `atomicity`: the parts of the run that are meant to be atomic.
    pub transactions: Option<usize>,
    /// Of `atomicity` the triples of accesses (pavs), of `no-data-race` the pairs of places that are in conflict, otherwise
    /// the places that may go wrong.
    pub candidates: usize,
    /// Which no lock excludes.
    pub after_locksets: Option<usize>,
    /// Which what must come before what does not exclude either.
    pub after_must_happen_before: Option<usize>,
    /// Which the search finds; of `no-data-race`, the places of the later access.
    pub possible: usize,
}

impl CandidateCounts {
    pub fn new(property: Property, candidates: usize) -> Self {
        let (transactions, after_locksets, after_must_happen_before) = (None, None, None);
        Self { property, transactions, candidates, after_locksets, after_must_happen_before, possible: 0 }
    }

    /// The steps with their counts, for people.
    pub fn steps(&self) -> Vec<(&'static str, usize)> {
        let steps = [
            ("transactions", self.transactions),
            ("candidates", Some(self.candidates)),
            ("after locksets", self.after_locksets),
            ("after must-happen-before", self.after_must_happen_before),
            ("possible", Some(self.possible)),
        ];
        steps.into_iter().filter_map(|(step, count)| Some((step, count?))).collect()
    }

    /// Adds what another recording of the same program has to say.
    pub fn add(&mut self, other: &Self) {
        let sum = |a: Option<usize>, b: Option<usize>| a.or(b).map(|_| a.unwrap_or(0) + b.unwrap_or(0));
        self.transactions = sum(self.transactions, other.transactions);
        self.candidates += other.candidates;
        self.after_locksets = sum(self.after_locksets, other.after_locksets);
        self.after_must_happen_before = sum(self.after_must_happen_before, other.after_must_happen_before);
        self.possible += other.possible;
    }
}
