//! `gordian bench`: many tasks with known answers, a table, a score, and a file with the figures.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bench::comparison::ResultComparison;
use bench::process::Limits;
use bench::result_file::{self, Record, TaskKey};
use bench::results::{CSV_HEADER, TaskResult, csv_line};
use bench::task::TaskSelection;
use bench::verdict::Status;
use bench::{BenchTask, CommandTemplate, RunnerOptions, table, task_list};
use indicatif::{ProgressBar, ProgressStyle};

use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::limits::{parse_memory, parse_time};
use crate::session::Session;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gordian bench tasks/ -j 4 --cpu 30s --memory 4GB --csv results.csv
  gordian bench tasks.tsv --root programs/ --property unreach-call -- --engine scar --unwind 3
  gordian bench tasks/ --command 'peer --property {prop} --{bits} {file}'
  gordian bench tasks/ --csv results.csv --resume  continue an interrupted run
  gordian bench tasks/ --peer 'peer {file}' --csv both.csv

Exit codes:
  0  all tasks were run and no answer was wrong
  1  some answer was wrong
  3  interrupted")]
pub struct BenchArguments {
    /// A folder with task definitions (*.yml), one definition, a list of them, or a table with tabs and a header line
    /// (set, path, property, expected, data_model)
    #[arg(value_name = "TASKS")]
    tasks: PathBuf,
    /// Where relative paths of a list begin [default: the folder of the list]
    #[arg(long, value_name = "DIR", help_heading = "Tasks")]
    root: Option<PathBuf>,
    /// Only tasks for this property; may be repeated
    #[arg(long = "property", short = 'p', value_name = "PROPERTY", help_heading = "Tasks")]
    properties: Vec<String>,
    /// Only tasks whose name matches this regular expression
    #[arg(long = "match", value_name = "REGEX", value_parser = regex_lite::Regex::new, help_heading = "Tasks")]
    pattern: Option<regex_lite::Regex>,
    /// Only every n-th task
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Tasks")]
    stride: usize,
    /// At most this many tasks
    #[arg(long, value_name = "N", help_heading = "Tasks")]
    limit: Option<usize>,
    /// Tasks at a time
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1, help_heading = "Running")]
    jobs: usize,
    /// Processor time of each task
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "30s", help_heading = "Running")]
    cpu: Duration,
    /// Wall-clock time of each task [default: twice the processor time]
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Running")]
    wall: Option<Duration>,
    /// Memory of each task
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, default_value = "4GB", help_heading = "Running")]
    memory: u64,
    /// Run this command instead of gordian, with {file}, {prop}, {model} (ILP32, LP64) and {bits} filled in
    #[arg(long, value_name = "COMMAND", conflicts_with = "arguments", help_heading = "Running")]
    command: Option<String>,
    /// Run this command as well, on the same tasks, and compare; its figures go to FILE.peer
    #[arg(long, value_name = "COMMAND", help_heading = "Running")]
    peer: Option<String>,
    /// Write all figures to this file, a line as soon as it is known
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<PathBuf>,
    /// Keep what the file of --csv already has and run only the other tasks
    #[arg(long, requires = "csv", help_heading = "Running")]
    resume: bool,
    /// Write all figures to this file as JSON, at the end
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    json: Option<PathBuf>,
    /// Keep what was said about each task in this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    logs: Option<PathBuf>,
    /// Further arguments for `gordian check`
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

pub fn bench(arguments: &BenchArguments, session: &Session) -> Result<Exit, CommandFailure> {
    let all = task_list::read(&arguments.tasks, arguments.root.as_deref()).map_err(CommandFailure::Usage)?;
    let selection = TaskSelection {
        properties: arguments.properties.clone(),
        pattern: arguments.pattern.clone(),
        stride: arguments.stride,
        limit: arguments.limit,
    };
    let tasks = selection.of(all);
    if tasks.is_empty() {
        return Err(CommandFailure::Usage("no task was selected".to_owned()));
    }
    let run = |command: CommandTemplate, csv: Option<PathBuf>| {
        run(&tasks, &options(arguments, command)?, csv.as_deref(), arguments.resume, session)
    };
    let Some(results) = run(own_command(arguments)?, arguments.csv.clone())? else { return Ok(Exit::Unknown) };
    session.print(table::table(&results).as_bytes());
    if let Some(path) = &arguments.json {
        std::fs::write(path, result_file::json(&results)).map_err(|error| cannot_write(path, &error))?;
    }
    if let Some(line) = &arguments.peer {
        let Some(theirs) = run(CommandTemplate::Shell(line.clone()), arguments.csv.as_deref().map(of_peer))? else {
            return Ok(Exit::Unknown);
        };
        let records = |results: &[TaskResult]| results.iter().map(Record::new).collect::<Vec<_>>();
        let comparison = ResultComparison::new(&records(&theirs), &records(&results));
        let text = format!("\n{}\n{}", table::table(&theirs), comparison.text("peer", "gordian"));
        session.print(text.as_bytes());
    }
    let any_wrong = results.iter().any(|result| result.status == Status::Wrong);
    Ok(if any_wrong { Exit::Violated } else { Exit::Holds })
}

/// All results in the order of the tasks, those of an earlier run among them; `None` if somebody interrupted.
fn run(
    tasks: &[BenchTask],
    options: &RunnerOptions,
    csv: Option<&Path>,
    resume: bool,
    session: &Session,
) -> Result<Option<Vec<TaskResult>>, CommandFailure> {
    let known = match csv.filter(|path| resume && path.exists()) {
        Some(path) => result_file::read(path).map_err(CommandFailure::Usage)?,
        None => Vec::new(),
    };
    let known: BTreeMap<TaskKey, Record> = known.into_iter().map(|record| (record.key(), record)).collect();
    let earlier = |task: &BenchTask| {
        let key = TaskKey { task: task.name.clone(), property: task.property.clone() };
        known.get(&key).and_then(|record| record.result(task))
    };
    let mut by_task: Vec<Option<TaskResult>> = tasks.iter().map(earlier).collect();
    let open: Vec<BenchTask> =
        tasks.iter().zip(&by_task).filter(|(_, done)| done.is_none()).map(|(task, _)| task.clone()).collect();
    if open.len() < tasks.len() {
        session.remark(&format!("{} of {} tasks were done before\n", tasks.len() - open.len(), tasks.len()));
    }
    let done: Vec<&TaskResult> = by_task.iter().flatten().collect();
    let mut live = Live::new(csv, &done, open.len(), session)?;
    let results = bench::run(&open, options, &session.cancel, |result| live.show(result));
    live.bar.finish_and_clear();
    let results = results.map_err(|error| CommandFailure::Output(format!("the tasks cannot be run: {error}")))?;
    if results.len() < open.len() {
        let count = done.len() + results.len();
        session.remark(&format!("interrupted: {count} of {} tasks were run; --resume does the others\n", tasks.len()));
        return Ok(None);
    }
    let mut new = results.into_iter();
    for slot in by_task.iter_mut().filter(|slot| slot.is_none()) {
        *slot = new.next();
    }
    Ok(Some(by_task.into_iter().flatten().collect()))
}

/// `results.csv` is `results.csv.peer` for the peer.
fn of_peer(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".peer");
    PathBuf::from(name)
}

fn own_command(arguments: &BenchArguments) -> Result<CommandTemplate, CommandFailure> {
    Ok(match &arguments.command {
        Some(line) => CommandTemplate::Shell(line.clone()),
        None => CommandTemplate::Gordian { program: own_path()?, arguments: check_arguments(arguments) },
    })
}

fn options(arguments: &BenchArguments, command: CommandTemplate) -> Result<RunnerOptions, CommandFailure> {
    let logs = arguments.logs.as_ref().map(std::path::absolute).transpose();
    Ok(RunnerOptions {
        command,
        limits: Limits { cpu: Some(arguments.cpu), wall: Some(wall(arguments)), memory: Some(arguments.memory) },
        jobs: arguments.jobs,
        logs: logs.map_err(|error| CommandFailure::Output(format!("the folder for logs has no path: {error}")))?,
    })
}

fn wall(arguments: &BenchArguments) -> Duration {
    arguments.wall.unwrap_or(arguments.cpu * 2)
}

/// A check that knows its limits ends in good order, a little before it has to. What the user adds may say otherwise.
fn check_arguments(arguments: &BenchArguments) -> Vec<OsString> {
    let given = |option: &str| arguments.arguments.iter().any(|argument| argument == option);
    let mut all = Vec::new();
    if !given("--timeout") {
        let wall = wall(arguments);
        let own = wall - (wall / 10).min(Duration::from_secs(1));
        all.extend(["--timeout".into(), format!("{}ms", own.as_millis()).into()]);
    }
    if !given("--memory") {
        all.extend(["--memory".into(), arguments.memory.to_string().into()]);
    }
    all.extend(arguments.arguments.iter().cloned());
    all
}

fn own_path() -> Result<PathBuf, CommandFailure> {
    std::env::current_exe()
        .map_err(|error| CommandFailure::Output(format!("cannot locate the gordian executable: {error}")))
}

/// What is seen while tasks run: a line on a terminal, wrong answers at once, and the file growing.
struct Live<'a> {
    bar: ProgressBar,
    session: &'a Session,
    csv: Option<File>,
    score: i64,
    wrong: usize,
}

impl<'a> Live<'a> {
    /// `done` are the results of an earlier run, `open` the number of tasks that are left.
    fn new(
        csv: Option<&Path>,
        done: &[&TaskResult],
        open: usize,
        session: &'a Session,
    ) -> Result<Self, CommandFailure> {
        let bar = ProgressBar::new(open as u64);
        let style = ProgressStyle::with_template("{pos}/{len} {elapsed} (eta {eta}) {wide_msg}");
        bar.set_style(style.expect("the template should be well formed"));
        let csv = csv.map(|path| begin_csv(path, done)).transpose()?;
        let wrong = done.iter().filter(|result| result.status == Status::Wrong).count();
        Ok(Self { bar, session, csv, score: done.iter().map(|result| result.score()).sum(), wrong })
    }

    fn show(&mut self, result: &TaskResult) {
        self.score += result.score();
        if let Some(file) = &mut self.csv {
            // A full disk is said at the end by a short file; the results are still shown.
            let _ = file.write_all(csv_line(result).as_bytes());
        }
        if result.status == Status::Wrong {
            self.wrong += 1;
            let (task, verdict) = (&result.task, result.verdict.as_ref().map_or("", |verdict| verdict.word()));
            let text = format!("WRONG {} {}: answered {verdict}\n", task.name, task.property);
            self.bar.suspend(|| self.session.remark(&text));
        }
        self.bar.set_message(format!(
            "score {}, wrong {}; {} {} {:.1}s",
            self.score,
            self.wrong,
            result.task.name,
            result.status.word(),
            result.wall.as_secs_f64()
        ));
        self.bar.inc(1);
    }
}

/// A file with what is known already; the other results are added to it.
fn begin_csv(path: &Path, done: &[&TaskResult]) -> Result<File, CommandFailure> {
    let lines: String = done.iter().map(|result| csv_line(result)).collect();
    let mut file = File::create(path).map_err(|error| cannot_write(path, &error))?;
    file.write_all((CSV_HEADER.to_owned() + &lines).as_bytes()).map_err(|error| cannot_write(path, &error))?;
    Ok(file)
}

fn cannot_write(path: &Path, error: &std::io::Error) -> CommandFailure {
    CommandFailure::Output(format!("{} cannot be written: {error}", path.display()))
}
