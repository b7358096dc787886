//! All tasks, several at a time, each in a process and a folder of its own.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use base::CancelToken;
use program::DataModel;

use crate::process::{self, Ended, Exceeded, Limits};
use crate::results::TaskResult;
use crate::task::BenchTask;
use crate::verdict::{Status, TaskVerdict};

#[derive(Clone, Debug)]
pub struct RunnerOptions {
    pub command: CommandTemplate,
    pub limits: Limits,
    /// Tasks at a time, at least 1.
    pub jobs: usize,
    /// Where to keep what the verifier says about each task.
    pub logs: Option<PathBuf>,
}

/// The verifier's command line, to be filled in for each task.
#[derive(Clone, Debug)]
pub enum CommandTemplate {
    /// This program, with the arguments of `gordian check` for the task and then these.
    Gordian { program: PathBuf, arguments: Vec<OsString> },
    /// A line for the shell with `{file}` (all files, quoted), `{prop}`, `{model}` (ILP32 or LP64) and `{bits}`.
    Shell(String),
}

impl CommandTemplate {
    fn command(&self, task: &BenchTask) -> Command {
        match self {
            CommandTemplate::Gordian { program, arguments } => {
                let mut command = Command::new(program);
                command.arg("check").args(&task.files);
                command.args(["--property", &task.property, "--data-model", &task.data_model.to_string()]);
                command.args(["--format", "svcomp"]).args(arguments);
                command
            }
            CommandTemplate::Shell(line) => {
                let mut command = Command::new("/bin/sh");
                command.arg("-c").arg(fill_in(line, task));
                command
            }
        }
    }
}

fn fill_in(line: &str, task: &BenchTask) -> String {
    let quote = |file: &PathBuf| format!("'{}'", file.display().to_string().replace('\'', "'\\''"));
    let files: Vec<String> = task.files.iter().map(quote).collect();
    let (model, bits) = match task.data_model {
        DataModel::Ilp32 => ("ILP32", "32"),
        DataModel::Lp64 => ("LP64", "64"),
    };
    // The files last: a path may look like a placeholder.
    let line = line.replace("{prop}", &task.property).replace("{model}", model).replace("{bits}", bits);
    line.replace("{file}", &files.join(" "))
}

/// Runs all tasks and returns their results in the order of the tasks; those not begun when `cancel` came are missing.
/// `finished` hears of each, in the order in which they end.
pub fn run(
    tasks: &[BenchTask],
    options: &RunnerOptions,
    cancel: &CancelToken,
    mut finished: impl FnMut(&TaskResult),
) -> io::Result<Vec<TaskResult>> {
    if let Some(folder) = &options.logs {
        std::fs::create_dir_all(folder)?;
    }
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    let mut by_index: Vec<Option<TaskResult>> = tasks.iter().map(|_| None).collect();
    thread::scope(|scope| -> io::Result<()> {
        for _ in 0..options.jobs.clamp(1, tasks.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while !cancel.is_cancelled() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(index) else { return };
                    if sender.send((index, run_one(task, options, cancel))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut first_error = None;
        for (index, result) in &results {
            match result {
                Ok(Some(result)) => {
                    finished(&result);
                    by_index[index] = Some(result);
                }
                Ok(None) => {}
                Err(error) => {
                    // Every further task would fail in the same way: the command cannot be started.
                    next.store(tasks.len(), Ordering::Relaxed);
                    first_error = first_error.or(Some(error));
                }
            }
        }
        first_error.map_or(Ok(()), Err)
    })?;
    Ok(by_index.into_iter().flatten().collect())
}

/// `None` if it was cancelled.
fn run_one(task: &BenchTask, options: &RunnerOptions, cancel: &CancelToken) -> io::Result<Option<TaskResult>> {
    let folder = tempfile::tempdir()?;
    let output = folder.path().join("output-of-the-verifier");
    let mut command = options.command.command(task);
    command.current_dir(folder.path());
    let ended = process::run(command, &output, options.limits, cancel)?;
    if ended.exceeded == Some(Exceeded::Cancelled) {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&std::fs::read(&output)?).into_owned();
    if let Some(logs) = &options.logs {
        std::fs::write(logs.join(log_name(task)), &text)?;
    }
    Ok(Some(judge(task, &text, &ended)))
}

fn log_name(task: &BenchTask) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    format!("{}.{}.log", task.name, task.property).chars().map(safe).collect()
}

fn judge(task: &BenchTask, output: &str, ended: &Ended) -> TaskResult {
    let verdict = TaskVerdict::in_output(output);
    let decided = verdict.as_ref().filter(|verdict| !matches!(verdict, TaskVerdict::Unknown(_)));
    let status = match (ended.exceeded, decided, &verdict) {
        // What was said within the limits counts, even if the process did not end in time.
        (_, Some(decided), _) => Status::of(decided, task),
        (Some(Exceeded::Memory), ..) => Status::Memory,
        (Some(Exceeded::Time), ..) => Status::Timeout,
        (_, None, Some(unknown)) if ended.exit_code != Some(4) => Status::of(unknown, task),
        _ => Status::Error,
    };
    TaskResult {
        task: task.clone(),
        verdict,
        status,
        cpu: ended.cpu,
        wall: ended.wall,
        memory: ended.memory,
        exit_code: ended.exit_code,
    }
}
