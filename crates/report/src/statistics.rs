//! Counters and times as a table.

use base::Statistics;
use base::statistics::{Quantity, size};

/// One line per entry, in their order. Empty if there are none.
pub fn table(statistics: &Statistics) -> String {
    let width = statistics.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let line = |(name, quantity): (&str, Quantity)| match quantity {
        Quantity::Count(bytes) if name == size::PEAK_MEMORY => {
            format!("  {name:width$}  {:>12.1} MiB\n", bytes as f64 / f64::from(1 << 20))
        }
        Quantity::Count(count) => format!("  {name:width$}  {count:>12}\n"),
        Quantity::Time(time) => format!("  {name:width$}  {:>12.3} s\n", time.as_secs_f64()),
    };
    statistics.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_table_is_aligned() {
        let mut statistics = Statistics::new();
        statistics.count("events", 120);
        statistics.time("solving time", Duration::from_millis(1500));
        assert_eq!(table(&statistics), "  events                 120\n  solving time         1.500 s\n");
    }
}
