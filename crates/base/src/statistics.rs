//! Counters and times by name, in the order in which they first appear. Every stage adds its own; `--stats` prints them.

use std::time::{Duration, Instant};

/// The names under which the stages of a check keep their times, in the order of the stages.
pub mod stage {
    pub const READING: &str = "reading time";
    pub const SURVEYING: &str = "static race analysis time";
    pub const FALSIFYING: &str = "random testing: time";
    pub const UNFOLDING: &str = "unfolding time";
    pub const ENCODING: &str = "encoding time";
    pub const SOLVING: &str = "solving time";
    pub const VALIDATING: &str = "validation time";
    pub const DECODING: &str = "decoding time";
    pub const REPLAYING: &str = "replay time";
}

/// The names of sizes that others rely on.
pub mod size {
    /// Resident bytes, at most.
    pub const PEAK_MEMORY: &str = "peak memory";
    /// What budgets are counted in.
    pub const WORK: &str = "counted work";
    /// Counterexamples of the abstraction that were ruled out, clauses of the abstraction, clauses that ruled out.
    pub const REFINEMENTS: &str = "refinements";
    pub const ABSTRACTION_CLAUSES: &str = "clauses of the abstraction";
    pub const ADDED_CLAUSES: &str = "added clauses";
}

/// Renamed statistics, as (name, former name): machine-readable reports keep the former names as well.
const FORMER_NAMES: [(&str, &str); 11] = [
    ("static race analysis time", "race survey time"),
    ("random testing: time", "falsifier time"),
    ("random testing: executions", "falsifier runs"),
    ("random testing: steps", "falsifier steps"),
    ("violation site analyses", "surveys of violation sites"),
    ("violation site analysis time", "survey time"),
    ("candidate race pairs", "pairs of accesses"),
    ("unproved race pairs", "pairs not discharged"),
    ("explorations", "explorations"),
    ("violating interleavings", "violating interleavings"),
    ("candidate atomicity violations refuted in slices", "pavs refuted in slices"),
];

/// The name and, if it was renamed, the former name of a statistic: the keys of a machine-readable report.
pub fn keys(name: &'static str) -> impl Iterator<Item = &'static str> {
    let former = FORMER_NAMES.iter().find(|(new, _)| *new == name).map(|(_, old)| *old);
    std::iter::once(name).chain(former)
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    entries: Vec<(&'static str, Quantity)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    Count(u64),
    Time(Duration),
}

impl Statistics {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn count(&mut self, name: &'static str, amount: u64) {
        match self.entries.iter_mut().find(|(entry, _)| *entry == name) {
            Some((_, Quantity::Count(total))) => *total += amount,
            Some((_, Quantity::Time(_))) => unreachable!("{name} should be one kind of quantity"),
            None => self.entries.push((name, Quantity::Count(amount))),
        }
    }

    pub fn time(&mut self, name: &'static str, amount: Duration) {
        match self.entries.iter_mut().find(|(entry, _)| *entry == name) {
            Some((_, Quantity::Time(total))) => *total += amount,
            Some((_, Quantity::Count(_))) => unreachable!("{name} should be one kind of quantity"),
            None => self.entries.push((name, Quantity::Time(amount))),
        }
    }

    /// Runs `work` and adds its duration under `name`.
    pub fn timed<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.time(name, start.elapsed());
        result
    }

    pub fn get_count(&self, name: &str) -> u64 {
        match self.entries.iter().find(|(entry, _)| *entry == name) {
            Some((_, Quantity::Count(total))) => *total,
            _ => 0,
        }
    }

    /// The time under this name, if there is one.
    pub fn get_time(&self, name: &str) -> Option<Duration> {
        self.entries.iter().find(|(entry, _)| *entry == name).and_then(|(_, quantity)| match quantity {
            Quantity::Time(time) => Some(*time),
            Quantity::Count(_) => None,
        })
    }

    pub fn merge(&mut self, other: &Statistics) {
        for &(name, quantity) in &other.entries {
            match quantity {
                Quantity::Count(amount) => self.count(name, amount),
                Quantity::Time(amount) => self.time(name, amount),
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Quantity)> + '_ {
        self.entries.iter().copied()
    }
}
