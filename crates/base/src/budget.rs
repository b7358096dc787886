//! Limits on work, time and memory, and cancellation. Long-running code asks [`Budget::check`] or [`Budget::spend`]
//! regularly and ends in `Unknown` with the [`StopReason`]; nothing is killed half-way.
//!
//! *Work* is counted where it is done, in units of about a microsecond on the machine of the developers, and never measured:
//! what a limit on work allows is the same on every machine and in every run.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Why a computation ended before it had an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum StopReason {
    /// The wall-clock limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The allowance of counted work was used up.
    Work,
    /// Somebody asked us to stop (Ctrl-C, or another engine was faster).
    Cancelled,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Time => "time limit reached",
            StopReason::Memory => "memory limit reached",
            StopReason::Work => "work limit reached",
            StopReason::Cancelled => "cancelled",
        })
    }
}

/// A flag that one side sets and the other side sees; clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A number that one side counts up and the other side sees; clones share the number.
#[derive(Clone, Debug, Default)]
pub struct Counter(Arc<AtomicU64>);

impl Counter {
    pub fn increment(&self) {
        self.add(1);
    }

    pub fn add(&self, amount: u64) {
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How much a computation may use, and a sign of life. Cheap to clone; clones share the cancel token and the counters.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// When to stop; `None` means no limit.
    pub deadline: Option<Instant>,
    /// Resident bytes of this process at which to stop; `None` means no limit.
    pub memory: Option<u64>,
    pub cancel: CancelToken,
    /// The conflicts that solvers have met so far.
    pub conflicts: Counter,
    /// The work done so far, by all who share this counter.
    pub work: Counter,
    /// The number of `work` at which to stop; `None` means no limit.
    pub work_limit: Option<u64>,
}

impl Budget {
    pub fn unlimited() -> Self {
        Self::default()
    }

    pub fn with_timeout(timeout: Duration) -> Self {
        Self { deadline: Instant::now().checked_add(timeout), ..Self::default() }
    }

    /// `Err` as soon as one limit is reached. Reads a clock and a flag; memory is looked up only if it is limited.
    pub fn check(&self) -> Result<(), StopReason> {
        if self.cancel.is_cancelled() {
            return Err(StopReason::Cancelled);
        }
        if self.is_out_of_work() {
            return Err(StopReason::Work);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(StopReason::Time);
        }
        if let (Some(limit), Some(used)) = (self.memory, self.memory.and_then(|_| resident_bytes()))
            && used >= limit
        {
            return Err(StopReason::Memory);
        }
        Ok(())
    }

    /// Counts work that was done, and checks.
    pub fn spend(&self, work: u64) -> Result<(), StopReason> {
        self.work.add(work);
        self.check()
    }

    pub fn is_out_of_work(&self) -> bool {
        self.work_limit.is_some_and(|limit| self.work.get() >= limit)
    }

    /// The same with at most so much more work.
    pub fn with_work(&self, work: u64) -> Self {
        let limit = self.work.get().saturating_add(work);
        Self { work_limit: Some(self.work_limit.map_or(limit, |own| own.min(limit))), ..self.clone() }
    }

    /// The same with one of so many equal parts of the time that is left.
    pub fn part(&self, of: u32) -> Self {
        let deadline = self.remaining_time().and_then(|left| Instant::now().checked_add(left / of));
        Self { deadline: deadline.or(self.deadline), ..self.clone() }
    }

    pub fn remaining_time(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

/// Resident memory of this process, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    resident_in("/proc/self/statm")
}

/// Resident memory of another process, where the system tells.
pub fn resident_bytes_of(process: u32) -> Option<u64> {
    resident_in(&format!("/proc/{process}/statm"))
}

fn resident_in(statm: &str) -> Option<u64> {
    let statm = std::fs::read_to_string(statm).ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// The most memory that this process has had resident so far, where the system tells.
pub fn peak_resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_seen() {
        assert_eq!(Budget::unlimited().check(), Ok(()));
        assert_eq!(Budget::with_timeout(Duration::ZERO).check(), Err(StopReason::Time));
        let tight = Budget { memory: Some(1), ..Budget::default() };
        assert_eq!(tight.check(), Err(StopReason::Memory));
        let cancelled = Budget::unlimited();
        cancelled.clone().cancel.cancel();
        assert_eq!(cancelled.check(), Err(StopReason::Cancelled));
    }

    #[test]
    fn work_is_shared_and_limits_are_nested() {
        let whole = Budget::unlimited().with_work(10);
        let part = whole.with_work(4);
        assert_eq!(part.spend(3), Ok(()));
        assert_eq!(part.spend(1), Err(StopReason::Work));
        assert_eq!(whole.check(), Ok(()));
        assert_eq!(whole.with_work(100).spend(6), Err(StopReason::Work));
        assert_eq!(whole.work.get(), 10);
    }
}
