//! Who goes next. A scheduler sees which threads can take a step and picks one of them.

use program::ThreadId;
use rustc_hash::FxHashMap;

use crate::random::Random;

pub trait Scheduler {
    /// Picks one of `enabled`, which is not empty and in ascending order.
    fn pick(&mut self, enabled: &[ThreadId]) -> ThreadId;
}

/// Every enabled thread is equally likely at every step.
#[derive(Clone, Debug)]
pub struct RandomScheduler {
    random: Random,
}

impl RandomScheduler {
    pub fn new(seed: u64) -> Self {
        Self { random: Random::new(seed) }
    }
}

impl Scheduler for RandomScheduler {
    #[inline]
    fn pick(&mut self, enabled: &[ThreadId]) -> ThreadId {
        enabled[self.random.below(enabled.len() as u64) as usize]
    }
}

/// Threads in turn, each for `quantum` steps if it can.
#[derive(Clone, Debug)]
pub struct RoundRobin {
    quantum: u64,
    last: ThreadId,
    left: u64,
}

impl RoundRobin {
    pub fn new(quantum: u64) -> Self {
        Self { quantum: quantum.max(1), last: ThreadId::MAIN, left: quantum.max(1) }
    }
}

impl Scheduler for RoundRobin {
    fn pick(&mut self, enabled: &[ThreadId]) -> ThreadId {
        if self.left == 0 || !enabled.contains(&self.last) {
            let next = enabled.iter().find(|&&thread| thread > self.last).unwrap_or(&enabled[0]);
            self.last = *next;
            self.left = self.quantum;
        }
        self.left -= 1;
        self.last
    }
}

/// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, ASPLOS 2010): threads have random
/// priorities, the highest enabled one runs, and at `depth - 1` random steps the running thread drops below all others.
/// A bug of that depth in a program of n threads and k steps is found with probability at least 1/(n·kᵈ⁻¹).
#[derive(Clone, Debug)]
pub struct Pct {
    random: Random,
    priorities: FxHashMap<ThreadId, u64>,
    /// Steps at which the running thread drops, with its new priority.
    drops: FxHashMap<u64, u64>,
    step: u64,
}

impl Pct {
    /// `steps` is how long executions are expected to be.
    pub fn new(seed: u64, depth: u32, steps: u64) -> Self {
        let mut random = Random::new(seed);
        let lower = u64::from(depth.saturating_sub(1));
        let drops = (0..lower).map(|rank| (random.below(steps.max(1)), rank)).collect();
        Self { random, priorities: FxHashMap::default(), drops, step: 0 }
    }

    fn priority(&mut self, thread: ThreadId) -> u64 {
        let random = &mut self.random;
        // The upper half is for threads that have not dropped.
        *self.priorities.entry(thread).or_insert_with(|| random.next() | 1 << 63)
    }
}

impl Scheduler for Pct {
    fn pick(&mut self, enabled: &[ThreadId]) -> ThreadId {
        let highest = |pct: &mut Self| {
            let best = enabled.iter().max_by_key(|&&thread| (pct.priority(thread), std::cmp::Reverse(thread)));
            *best.expect("some thread should be enabled")
        };
        let mut chosen = highest(self);
        if let Some(&rank) = self.drops.get(&self.step) {
            self.priorities.insert(chosen, rank);
            chosen = highest(self);
        }
        self.step += 1;
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: [ThreadId; 2] = [ThreadId(0), ThreadId(1)];

    #[test]
    fn round_robin_takes_turns() {
        let mut scheduler = RoundRobin::new(2);
        let picks: Vec<u32> = (0..6).map(|_| scheduler.pick(&TWO).0).collect();
        assert_eq!(picks, [0, 0, 1, 1, 0, 0]);
        assert_eq!(scheduler.pick(&TWO[1..]).0, 1);
    }

    #[test]
    fn pct_of_depth_one_never_switches_and_deeper_does() {
        for seed in 0..20 {
            let mut scheduler = Pct::new(seed, 1, 10);
            let first = scheduler.pick(&TWO);
            assert!((0..10).all(|_| scheduler.pick(&TWO) == first));
        }
        let switches = |seed| {
            let mut scheduler = Pct::new(seed, 2, 10);
            let picks: Vec<ThreadId> = (0..10).map(|_| scheduler.pick(&TWO)).collect();
            picks.windows(2).filter(|pair| pair[0] != pair[1]).count()
        };
        assert!((0..20).all(|seed| switches(seed) <= 1));
        assert!((0..20).any(|seed| switches(seed) == 1));
    }
}
