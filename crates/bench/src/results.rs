//! What came of one task, and the file of all of them: comma-separated values with a header line.

use std::fmt::Write;
use std::time::Duration;

use crate::task::BenchTask;
use crate::verdict::{Status, TaskVerdict, score};

#[derive(Clone, PartialEq, Debug)]
pub struct TaskResult {
    pub task: BenchTask,
    pub verdict: Option<TaskVerdict>,
    pub status: Status,
    /// Of the process and all its descendants.
    pub cpu: Duration,
    pub wall: Duration,
    /// The most bytes that were resident at a time.
    pub memory: u64,
    /// `None` if a signal ended the process.
    pub exit_code: Option<i32>,
}

impl TaskResult {
    pub fn score(&self) -> i64 {
        score(self.status, self.verdict.as_ref())
    }
}

pub const CSV_HEADER: &str =
    "set,task,property,expected,verdict,status,score,cpu_s,wall_s,memory_mb,exit_code,bound,reason\n";

/// One line, with its end.
pub fn csv_line(result: &TaskResult) -> String {
    let task = &result.task;
    let expected = expected_word(task.expected);
    let reason = match &result.verdict {
        Some(TaskVerdict::Unknown(reason)) => reason,
        _ => "",
    };
    let mut line = String::new();
    for field in [&task.set, &task.name, &task.property, expected] {
        line.push_str(&quoted(field));
        line.push(',');
    }
    let _ = writeln!(
        line,
        "{},{},{},{:.3},{:.3},{:.1},{},{},{}",
        result.verdict.as_ref().map_or("", TaskVerdict::word),
        result.status.word(),
        result.score(),
        result.cpu.as_secs_f64(),
        result.wall.as_secs_f64(),
        result.memory as f64 / 1e6,
        result.exit_code.map_or(String::new(), |code| code.to_string()),
        quoted(result.verdict.as_ref().map_or("", TaskVerdict::bound)),
        quoted(reason),
    );
    line
}

/// What is known of the answer, in a word.
pub(crate) fn expected_word(expected: Option<bool>) -> &'static str {
    match expected {
        Some(true) => "true",
        Some(false) => "false",
        None => "",
    }
}

/// In quotes where the format wants them.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::DataModel;

    #[test]
    fn a_line_has_as_many_fields_as_the_header() {
        let result = TaskResult {
            task: BenchTask {
                set: "s".to_owned(),
                name: "a.c".to_owned(),
                files: Vec::new(),
                property: "unreach-call".to_owned(),
                expected: Some(true),
                data_model: DataModel::Lp64,
            },
            verdict: Some(TaskVerdict::Unknown("holds up to 2 iterations of each loop".to_owned())),
            status: Status::Unknown,
            cpu: Duration::from_millis(1500),
            wall: Duration::from_secs(2),
            memory: 12_340_000,
            exit_code: Some(3),
        };
        let line = csv_line(&result);
        assert_eq!(line.split(',').count(), CSV_HEADER.split(',').count());
        let expected = "s,a.c,unreach-call,true,unknown,unknown,0,1.500,2.000,12.3,3,2 iterations of each loop,";
        assert!(line.starts_with(expected), "{line}");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
