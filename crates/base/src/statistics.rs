//! Counters and times by name, in the order in which they first appear. Every stage adds its own; `--stats` prints them.

use std::time::{Duration, Instant};

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
