//! Results in files: written as comma-separated values or JSON, read back from either, ours of any age as long as the
//! columns have kept their names. So a run can be resumed and two runs can be compared.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::results::{TaskResult, expected_word};
use crate::task::BenchTask;
use crate::verdict::{Status, TaskVerdict, score};

/// What a file says about one task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    pub set: String,
    pub task: String,
    pub property: String,
    /// `true`, `false` or nothing.
    #[serde(default)]
    pub expected: String,
    /// `true`, `false`, `unknown` or nothing.
    #[serde(default)]
    pub verdict: String,
    pub status: Status,
    #[serde(default)]
    pub score: i64,
    pub cpu_s: f64,
    pub wall_s: f64,
    #[serde(default)]
    pub memory_mb: f64,
    #[serde(default)]
    pub exit_code: Option<i32>,
    #[serde(default)]
    pub bound: String,
    #[serde(default)]
    pub reason: String,
}

/// What tells one task from another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct TaskKey {
    pub task: String,
    pub property: String,
}

impl Record {
    pub fn new(result: &TaskResult) -> Self {
        let task = &result.task;
        let reason = match &result.verdict {
            Some(TaskVerdict::Unknown(reason)) => reason.clone(),
            _ => String::new(),
        };
        Self {
            set: task.set.clone(),
            task: task.name.clone(),
            property: task.property.clone(),
            expected: expected_word(task.expected).to_owned(),
            verdict: result.verdict.as_ref().map_or("", TaskVerdict::word).to_owned(),
            status: result.status,
            score: result.score(),
            cpu_s: thousandths(result.cpu.as_secs_f64()),
            wall_s: thousandths(result.wall.as_secs_f64()),
            memory_mb: (result.memory as f64 / 1e5).round() / 10.0,
            exit_code: result.exit_code,
            bound: result.verdict.as_ref().map_or("", TaskVerdict::bound).to_owned(),
            reason,
        }
    }

    /// The result that the record was made from, if it is one of `task`.
    pub fn result(&self, task: &BenchTask) -> Option<TaskResult> {
        let is_same = self.task == task.name && self.property == task.property;
        let verdict = match &self.verdict[..] {
            "true" => Some(TaskVerdict::True),
            "false" => Some(TaskVerdict::False),
            "unknown" => Some(TaskVerdict::Unknown(self.reason.clone())),
            _ => None,
        };
        is_same.then(|| TaskResult {
            task: task.clone(),
            verdict,
            status: self.status,
            cpu: Duration::try_from_secs_f64(self.cpu_s).unwrap_or_default(),
            wall: Duration::try_from_secs_f64(self.wall_s).unwrap_or_default(),
            memory: (self.memory_mb * 1e6) as u64,
            exit_code: self.exit_code,
        })
    }

    pub fn key(&self) -> TaskKey {
        TaskKey { task: self.task.clone(), property: self.property.clone() }
    }

    pub fn is_solved(&self) -> bool {
        self.status == Status::Correct
    }

    fn from_fields(fields: &BTreeMap<&str, String>) -> Result<Self, String> {
        let text = |name: &str| fields.get(name).cloned().unwrap_or_default();
        let number = |name: &str| text(name).parse::<f64>().map_err(|_| format!("`{name}` is not a number"));
        let status = text("status");
        let verdict = text("verdict");
        let claim = match &verdict[..] {
            "true" => Some(TaskVerdict::True),
            "false" => Some(TaskVerdict::False),
            _ => None,
        };
        let status = Status::named(&status).ok_or_else(|| format!("`{status}` is not a status"))?;
        Ok(Self {
            set: text("set"),
            task: text("task"),
            property: text("property"),
            expected: text("expected"),
            verdict,
            status,
            score: score(status, claim.as_ref()),
            cpu_s: number("cpu_s")?,
            wall_s: number("wall_s")?,
            memory_mb: number("memory_mb").unwrap_or(0.0),
            exit_code: text("exit_code").parse().ok(),
            bound: text("bound"),
            reason: text("reason"),
        })
    }
}

fn thousandths(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

/// All results as JSON, one object per line inside one array. Ends in a newline.
pub fn json(results: &[TaskResult]) -> String {
    let lines: Vec<String> = results
        .iter()
        .map(|result| serde_json::to_string(&Record::new(result)).expect("a record should be writable"))
        .collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// Reads a file that a run has written. A last line that was cut off, because the run was, is left out.
pub fn read(path: &Path) -> Result<Vec<Record>, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{shown} cannot be read: {error}"))?;
    parse(&text).map_err(|error| format!("{shown} is not a file of results: {error}"))
}

pub fn parse(text: &str) -> Result<Vec<Record>, String> {
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(text).map_err(|error| error.to_string());
    }
    let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut rows = rows(complete).into_iter();
    let header = rows.next().unwrap_or_default();
    if !["task", "property", "status"].iter().all(|name| header.iter().any(|column| column == name)) {
        return Err("the first line does not name the columns task, property and status".to_owned());
    }
    let mut records = Vec::new();
    for (number, row) in rows.enumerate() {
        let fields = header.iter().map(String::as_str).zip(row).collect();
        records.push(Record::from_fields(&fields).map_err(|error| format!("result {}: {error}", number + 1))?);
    }
    Ok(records)
}

/// The fields of comma-separated values, quotes understood.
fn rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            c => field.push(c),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{CSV_HEADER, csv_line};
    use crate::test_results::result;

    #[test]
    fn what_is_written_is_read_again_from_both_formats() {
        let results = [
            result("a, \"b\".c", Some(TaskVerdict::True), Status::Correct, 1500),
            result("c.c", Some(TaskVerdict::Unknown("time limit, reached".to_owned())), Status::Timeout, 20),
            result("d.c", None, Status::Error, 1),
        ];
        let records: Vec<Record> = results.iter().map(Record::new).collect();
        assert_eq!(parse(&json(&results)), Ok(records.clone()));
        for (record, result) in records.iter().zip(&results) {
            assert_eq!(record.result(&result.task).as_ref(), Some(result));
        }
        assert_eq!(records[0].result(&results[1].task), None);
        let csv = CSV_HEADER.to_owned() + &results.iter().map(csv_line).collect::<String>();
        assert_eq!(parse(&csv), Ok(records.clone()));
        let torn = &csv[..csv.len() - 3];
        assert_eq!(parse(torn), Ok(records[..2].to_vec()));
    }

    #[test]
    fn other_files_are_refused() {
        for text in ["", "a,b\n1,2\n", "[1]", "task,property,status\nx,y,splendid\n", "{}"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
