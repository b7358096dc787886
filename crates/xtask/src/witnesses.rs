//! `cargo xtask witnesses`: checks tasks with a known answer and lets fresh processes judge what was told of each: a
//! violation must be accepted by `gordian validate` from its GraphML witness, and its shortened schedule must replay to the
//! same violation; the invariants of a proof must hold.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use bench::task::TaskSelection;
use bench::{BenchTask, task_list};
use clap::Args;

use crate::binary::{self, Native};

#[derive(Args)]
pub struct Arguments {
    /// The binary to ask.
    #[arg(long, default_value = "target/release/gordian")]
    gordian: PathBuf,
    /// A list of tasks, as `gordian bench` takes them.
    tasks: PathBuf,
    /// Where relative paths of the list begin.
    #[arg(long)]
    root: Option<PathBuf>,
    /// Only this property (repeatable).
    #[arg(long = "property")]
    properties: Vec<String>,
    /// Every n-th task.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Seconds for each check.
    #[arg(long, default_value_t = 40)]
    timeout: u64,
    /// Seconds for each validation.
    #[arg(long, default_value_t = 30)]
    validation: u64,
}

/// More than this part of all violations must be accepted.
const ENOUGH: f64 = 0.95;

pub fn run(arguments: &Arguments) -> ExitCode {
    match judge_all(arguments) {
        Ok(totals) => {
            totals.print();
            if totals.are_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Default)]
struct Totals {
    violations: usize,
    accepted: usize,
    replayed: usize,
    proofs: usize,
    /// Proofs whose witness has invariants.
    with_invariants: usize,
    confirmed: usize,
    /// Proofs with an invariant that does not hold.
    refuted: usize,
    unsolved: usize,
    slowest: Duration,
}

impl Totals {
    fn print(&self) {
        println!(
            "{} violations: {} witnesses accepted, {} shortened schedules replay to the same violation\n\
             {} proofs: {} with invariants, {} confirmed, {} refuted\n\
             {} not solved; the slowest validation took {:.2} s",
            self.violations,
            self.accepted,
            self.replayed,
            self.proofs,
            self.with_invariants,
            self.confirmed,
            self.refuted,
            self.unsolved,
            self.slowest.as_secs_f64()
        );
    }

    fn are_good(&self) -> bool {
        let enough = self.accepted as f64 >= ENOUGH * self.violations as f64;
        enough && self.replayed == self.violations && self.refuted == 0
    }
}

fn judge_all(arguments: &Arguments) -> Result<Totals, String> {
    let selection =
        TaskSelection { properties: arguments.properties.clone(), stride: arguments.every, ..TaskSelection::default() };
    let tasks = selection.of(task_list::read(&arguments.tasks, arguments.root.as_deref())?);
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut totals = Totals::default();
    for task in &tasks {
        Judge { arguments, folder: folder.path(), task }.judge(&mut totals).map_err(|error| error.to_string())?;
    }
    Ok(totals)
}

struct Judge<'a> {
    arguments: &'a Arguments,
    folder: &'a Path,
    task: &'a BenchTask,
}

impl Judge<'_> {
    fn judge(&self, totals: &mut Totals) -> std::io::Result<()> {
        let (schedule, started) = (self.folder.join("schedule"), Instant::now());
        let kind = if self.task.expected == Some(true) { "yml" } else { "graphml" };
        let witness = self.folder.join(format!("witness.{kind}"));
        let mut check = self.command("check");
        check.args(["--timeout", &format!("{}s", self.arguments.timeout)]);
        check.arg("--witness").arg(&witness).arg("--save-schedule").arg(&schedule);
        let checked = self.run(check, self.arguments.timeout + 10)?;
        let (Some(code @ (0 | 1)), true) = (checked.code, witness.exists()) else {
            totals.unsolved += 1;
            return Ok(());
        };
        let checking = started.elapsed();
        let mut validate = self.command("validate");
        validate.arg(&witness).args(["--timeout", &format!("{}s", self.arguments.validation)]);
        let began = Instant::now();
        let validated = self.run(validate, self.arguments.validation + 10)?;
        totals.slowest = totals.slowest.max(began.elapsed());
        let verdict = if code == 1 {
            totals.violations += 1;
            let is_accepted = validated.code == Some(1) && validated.text.starts_with("CONFIRMED");
            totals.accepted += usize::from(is_accepted);
            let mut replay = self.command("replay");
            replay.arg(&schedule);
            let replayed = self.run(replay, self.arguments.validation)?;
            let is_same = replayed.code == Some(1) && replayed.headline() == checked.headline();
            totals.replayed += usize::from(is_same);
            format!("violation, accepted {is_accepted}, same when replayed {is_same}")
        } else {
            totals.proofs += 1;
            let told = std::fs::read_to_string(&witness)?;
            totals.with_invariants += usize::from(told.contains("- invariant:"));
            totals.confirmed += usize::from(validated.code == Some(0));
            totals.refuted += usize::from(validated.code == Some(1));
            format!("proof, {} invariants, exit code {:?}", told.matches("- invariant:").count(), validated.code)
        };
        let seconds = [checking, began.elapsed()].map(|time| time.as_secs_f64());
        println!("{}\t{}\t{verdict}\t{:.2} s\t{:.2} s", self.task.name, self.task.property, seconds[0], seconds[1]);
        std::fs::remove_file(&witness)
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.arguments.gordian);
        let model = match self.task.data_model {
            program::DataModel::Ilp32 => "ilp32",
            program::DataModel::Lp64 => "lp64",
        };
        command.arg(name).args(["--property", &self.task.property, "--data-model", model]).args(&self.task.files);
        command
    }

    fn run(&self, mut command: Command, seconds: u64) -> std::io::Result<Answer> {
        Ok(match binary::run(&mut command, Duration::from_secs(seconds))? {
            Native::Exited { output, status } => {
                Answer { code: Some(status), text: String::from_utf8_lossy(&output).into_owned() }
            }
            Native::Killed { .. } | Native::TimedOut { .. } => Answer { code: None, text: String::new() },
        })
    }
}

struct Answer {
    code: Option<i32>,
    text: String,
}

impl Answer {
    /// What is violated, and where.
    fn headline(&self) -> Vec<&str> {
        self.text.lines().take(2).collect()
    }
}
