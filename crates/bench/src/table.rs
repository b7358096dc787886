//! The results in short: one line per set and property, and one for all.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::results::TaskResult;
use crate::verdict::{Status, TaskVerdict, best_score};

/// Ends in a newline.
pub fn table(results: &[TaskResult]) -> String {
    let mut groups: BTreeMap<(&str, &str), Vec<&TaskResult>> = BTreeMap::new();
    for result in results {
        groups.entry((&result.task.set, &result.task.property)).or_default().push(result);
    }
    let mut rows: Vec<TableRow> = Vec::new();
    if groups.len() > 1 {
        rows.extend(groups.iter().map(|((set, property), results)| TableRow::new(set, property, results)));
    }
    rows.push(TableRow::new("total", "", &results.iter().collect::<Vec<_>>()));
    render(&rows)
}

const HEADER: [&str; 15] = [
    "set", "property", "tasks", "true", "false", "wrong t", "wrong f", "unknown", "timeout", "memory", "error",
    "score", "of", "cpu s", "peak MB",
];

struct TableRow([String; HEADER.len()]);

impl TableRow {
    fn new(set: &str, property: &str, results: &[&TaskResult]) -> Self {
        let decided = |status: Status, verdict: TaskVerdict| {
            let is_such = |result: &&&TaskResult| result.status == status && result.verdict.as_ref() == Some(&verdict);
            results.iter().filter(is_such).count().to_string()
        };
        let count =
            |statuses: &[Status]| results.iter().filter(|result| statuses.contains(&result.status)).count().to_string();
        let cpu: f64 = results.iter().map(|result| result.cpu.as_secs_f64()).sum();
        let peak = results.iter().map(|result| result.memory).max().unwrap_or(0);
        TableRow([
            set.to_owned(),
            property.to_owned(),
            results.len().to_string(),
            decided(Status::Correct, TaskVerdict::True),
            decided(Status::Correct, TaskVerdict::False),
            decided(Status::Wrong, TaskVerdict::True),
            decided(Status::Wrong, TaskVerdict::False),
            count(&[Status::Unknown, Status::Unlabelled]),
            count(&[Status::Timeout]),
            count(&[Status::Memory]),
            count(&[Status::Error]),
            results.iter().map(|result| result.score()).sum::<i64>().to_string(),
            results.iter().map(|result| best_score(&result.task)).sum::<i64>().to_string(),
            format!("{cpu:.1}"),
            format!("{:.0}", peak as f64 / 1e6),
        ])
    }
}

/// The first two columns to the left, figures to the right.
fn render(rows: &[TableRow]) -> String {
    let header = TableRow(HEADER.map(str::to_owned));
    let all: Vec<&TableRow> = std::iter::once(&header).chain(rows).collect();
    let widths: Vec<usize> =
        (0..HEADER.len()).map(|column| all.iter().map(|row| row.0[column].len()).max().unwrap_or(0)).collect();
    let mut out = String::new();
    for row in all {
        for (column, (cell, &width)) in row.0.iter().zip(&widths).enumerate() {
            let _ = match column {
                0 => write!(out, "{cell:<width$}"),
                1 => write!(out, "  {cell:<width$}"),
                _ => write!(out, "  {cell:>width$}"),
            };
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::BenchTask;
    use program::DataModel;
    use std::time::Duration;

    fn result(set: &str, expected: bool, verdict: Option<TaskVerdict>, status: Status) -> TaskResult {
        let task = BenchTask {
            set: set.to_owned(),
            name: "x.c".to_owned(),
            files: Vec::new(),
            property: "unreach-call".to_owned(),
            expected: Some(expected),
            data_model: DataModel::Lp64,
        };
        let (cpu, wall) = (Duration::from_millis(1500), Duration::from_secs(2));
        TaskResult { task, verdict, status, cpu, wall, memory: 25_000_000, exit_code: Some(0) }
    }

    #[test]
    fn groups_and_their_sum() {
        let results = [
            result("a", true, Some(TaskVerdict::True), Status::Correct),
            result("a", false, Some(TaskVerdict::True), Status::Wrong),
            result("b", false, Some(TaskVerdict::False), Status::Correct),
            result("b", false, None, Status::Error),
        ];
        let expected = "\
set    property      tasks  true  false  wrong t  wrong f  unknown  timeout  memory  error  score  of  cpu s  peak MB
a      unreach-call      2     1      0        1        0        0        0       0      0    -30   3    3.0       25
b      unreach-call      2     0      1        0        0        0        0       0      1      1   2    3.0       25
total                    4     1      1        1        0        0        0       0      1    -29   5    6.0       25
";
        assert_eq!(table(&results), expected);
        assert_eq!(table(&[]).lines().count(), 2);
    }
}
