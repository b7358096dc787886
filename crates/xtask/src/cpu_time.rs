//! The CPU time that this process uses, in all its threads: unlike the time of day it does not grow because others are
//! busy on the machine. Read from Linux's `/proc`, where it counts in hundredths of a second; on systems without that,
//! the time of day has to do.

use std::time::{Duration, Instant};

/// Ticks per second in `/proc`, the same on all Linux systems.
const TICKS: u64 = 100;

pub struct Stopwatch {
    began: Instant,
    used: Option<Duration>,
}

impl Stopwatch {
    pub fn start() -> Self {
        Self { began: Instant::now(), used: used() }
    }

    pub fn elapsed(&self) -> Duration {
        match (self.used, used()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.began.elapsed(),
        }
    }
}

/// User and system time of this process so far.
fn used() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program is in parentheses and may contain anything; 11 fields follow before the two times.
    let (_, fields) = text.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11).map(str::parse::<u64>);
    let ticks = times.next()?.ok()? + times.next()?.ok()?;
    Some(Duration::from_millis(ticks * 1000 / TICKS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_sleep_takes_none() {
        let watch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(300));
        if watch.used.is_some() {
            assert!(watch.elapsed() < Duration::from_millis(250), "{:?}", watch.elapsed());
        }
        while watch.elapsed() < Duration::from_millis(30) {
            std::hint::spin_loop();
        }
    }
}
