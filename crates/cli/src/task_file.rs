//! Tasks in files: written by `check --write-task`, read by `run-task`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use base::{Diagnostic, Files};
use portfolio::Task;

use crate::arguments::Command;
use crate::failure::CommandFailure;

pub fn write(path: &Path, task: &Task) -> Result<(), CommandFailure> {
    let failed = |error| CommandFailure::Output(format!("the task cannot be written to {}: {error}", path.display()));
    fs::write(path, task.to_json()).map_err(failed)
}

pub fn read(path: &Path) -> Result<Task, CommandFailure> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(|error| bad(format!("the task `{shown}` cannot be read: {error}")))?;
    Task::from_json(&text).map_err(|error| bad(format!("`{shown}` is not a task: {error}")))
}

fn bad(message: String) -> CommandFailure {
    CommandFailure::Input { diagnostics: vec![Diagnostic::error("task", message)], files: Files::new() }
}

/// Limits of the task that the command line does not set: whoever ends the worker has to know them.
pub fn apply_limits(command: &mut Command) -> Result<(), CommandFailure> {
    let Command::RunTask(arguments) = command else { return Ok(()) };
    let allowance = read(&arguments.task)?.allowance;
    let limits = &mut arguments.limits;
    limits.timeout = limits.timeout.or(allowance.milliseconds.map(Duration::from_millis));
    limits.memory = limits.memory.or(allowance.bytes);
    Ok(())
}
