//! Results for the tests of this crate.

use std::time::Duration;

use program::DataModel;

use crate::results::TaskResult;
use crate::task::BenchTask;
use crate::verdict::{Status, TaskVerdict};

/// A result of a task whose property holds, after so many milliseconds.
pub fn result(name: &str, verdict: Option<TaskVerdict>, status: Status, milliseconds: u64) -> TaskResult {
    let task = BenchTask {
        set: "s".to_owned(),
        name: name.to_owned(),
        files: Vec::new(),
        property: "unreach-call".to_owned(),
        expected: Some(true),
        data_model: DataModel::Lp64,
    };
    let cpu = Duration::from_millis(milliseconds);
    TaskResult { task, verdict, status, cpu, wall: cpu * 2, memory: 25_000_000, exit_code: Some(0) }
}
