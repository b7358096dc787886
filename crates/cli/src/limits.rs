//! Time and memory as the user writes them: `2s`, `500ms`, `5m`, `10`; `1GB`, `512M`.

use std::time::Duration;

use base::Budget;

use crate::session::Session;

/// What a command may use.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct LimitArguments {
    /// Stop after this wall-clock time: 10 (seconds), 2s, 500ms, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Limits")]
    pub timeout: Option<Duration>,
    /// Use no more memory than this: 512M, 1GB, 1.5GiB
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, help_heading = "Limits")]
    pub memory: Option<u64>,
}

impl LimitArguments {
    /// The budget; its time begins now. It ends a little before the memory, so that there is room for the answer.
    pub fn budget(self, session: &Session) -> Budget {
        let timed = self.timeout.map_or_else(Budget::unlimited, Budget::with_timeout);
        let memory = self.memory.map(|limit| limit - (limit / 16).max((limit / 4).min(48 << 20)));
        Budget { memory, cancel: session.cancel.clone(), ..timed }
    }
}

pub fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text).ok_or("expected a number and a unit, for example 2s, 500ms or 5m")?;
    let seconds = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time; use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "that is too long".to_owned())
}

pub fn parse_memory(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text).ok_or("expected a number and a unit, for example 512M or 1GB")?;
    let bytes = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("`{unit}` is not a unit of memory; use K, M, G, KB, MB, GB, MiB or GiB")),
    };
    let total = number * bytes;
    if (1.0..=u64::MAX as f64).contains(&total) { Ok(total as u64) } else { Err("that is out of range".to_owned()) }
}

/// A number that is not negative, and what follows it.
fn split_unit(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some((number, text[end..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(parse_time("10"), Ok(Duration::from_secs(10)));
        assert_eq!(parse_time("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("1.5m"), Ok(Duration::from_secs(90)));
        for wrong in ["", "s", "-1", "1.2.3", "5 parsecs", "1e400", "99999999999999999999h"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_memory("1GB"), Ok(1_000_000_000));
        assert_eq!(parse_memory("512M"), Ok(512_000_000));
        assert_eq!(parse_memory("1.5GiB"), Ok(3 << 29));
        for wrong in ["", "0", "GB", "-4M", "3 acres"] {
            assert!(parse_memory(wrong).is_err(), "{wrong}");
        }
    }
}
