//! One check by one engine in a process of its own, with its time, memory and counters: what the comparisons are made of.
//!
//! The process is this very binary with the hidden task `measure`. It watches the processor time that it uses and
//! cancels its own budget at the limit, so that a check that does not end still tells how far it got; a process that
//! does not end even so is killed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Duration;

use base::{Budget, CancelToken, Statistics, statistics::Quantity};
use clap::Args;
use engines::{
    BlockEncoding, ContextCount, ContextOptions, EngineOptions, Granularity, InterpOptions, InterpolantMode,
    NullObserver, PaperOptions, Reduction, RefinementKind, UnwindLimits,
};
use frontend::CompileOptions;
use portfolio::{Check, NullListener, Strategy};
use program::{Analyses, DataModel, Outcome, Property, PropertySet};

/// What to check with whom, as the hidden task gets it.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    pub file: PathBuf,
    #[arg(long)]
    pub engine: String,
    /// Exactly so many iterations of every loop; without it, bounds are deepened.
    #[arg(long)]
    pub unwind: Option<u32>,
    #[arg(long, value_parser = parse_property)]
    pub property: Property,
    #[arg(long)]
    pub ilp32: bool,
    /// Refine the engine `scar` by cores only.
    #[arg(long)]
    pub core: bool,
    /// Seconds of processor time.
    #[arg(long)]
    pub limit: u64,
    #[command(flatten)]
    pub tree: TreeArguments,
}

/// What some engines are told, most of it those over the reachability tree.
#[derive(Args, Clone, Debug, Default)]
pub struct TreeArguments {
    /// A macro of the program, as `NAME=VALUE` (repeatable).
    #[arg(long = "define")]
    pub defines: Vec<String>,
    /// Whole statements, and bounds in scheduling decisions: the way of the paper.
    #[arg(long)]
    pub statements: bool,
    /// The context bound.
    #[arg(long)]
    pub contexts: Option<u32>,
    /// What is left out: `none`, `states`, `sleep` or `all`.
    #[arg(long, default_value = "none", value_parser = parse_reduction)]
    pub reduction: ReductionName,
    /// The interpolants of the engine `interp`, as the paper has them; it then answers alone.
    #[arg(long, value_parser = parse_interpolants)]
    pub interpolants: Option<InterpolantMode>,
}

const INTERPOLANTS: [(InterpolantMode, &str); 4] = [
    (InterpolantMode::Reachability, "r"),
    (InterpolantMode::Conditional, "rc"),
    (InterpolantMode::ConditionalFullPath, "rc-full-path"),
    (InterpolantMode::ToTheLetter, "rc-to-the-letter"),
];

fn parse_interpolants(name: &str) -> Result<InterpolantMode, String> {
    let known = INTERPOLANTS.iter().find(|(_, known)| *known == name);
    known.map(|(mode, _)| *mode).ok_or_else(|| format!("there are no interpolants `{name}`"))
}

/// A reduction that can be said on a command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReductionName(pub Reduction);

const REDUCTIONS: [(Reduction, &str); 4] =
    [(Reduction::None, "none"), (Reduction::States, "states"), (Reduction::Sleep, "sleep"), (Reduction::All, "all")];

pub fn parse_reduction(name: &str) -> Result<ReductionName, String> {
    let known = REDUCTIONS.iter().find(|(_, known)| *known == name);
    known.map(|(reduction, _)| ReductionName(*reduction)).ok_or_else(|| format!("there is no reduction `{name}`"))
}

impl ReductionName {
    pub fn name(self) -> &'static str {
        REDUCTIONS.iter().find(|(known, _)| *known == self.0).map_or("none", |(_, name)| name)
    }
}

impl TreeArguments {
    fn add_to(&self, command: &mut Command) {
        command.args(self.defines.iter().map(|define| format!("--define={define}")));
        command.args(self.statements.then_some("--statements"));
        command.args(self.contexts.map(|contexts| format!("--contexts={contexts}")));
        command.args(["--reduction", self.reduction.name()]);
        let name = |mode| INTERPOLANTS.iter().find(|(known, _)| *known == mode).map(|(_, name)| *name);
        command.args(self.interpolants.and_then(name).map(|name| format!("--interpolants={name}")));
    }

    fn options(&self) -> ContextOptions {
        let (granularity, context_count) = match self.statements {
            true => (Granularity::Statement, ContextCount::Decisions),
            false => (Granularity::Access, ContextCount::Switches),
        };
        let (context_bound, reduction) = (self.contexts, self.reduction.0);
        ContextOptions { context_bound, context_count, granularity, reduction, ..ContextOptions::default() }
    }
}

fn parse_property(name: &str) -> Result<Property, String> {
    name.parse().map_err(|()| format!("there is no property `{name}`"))
}

/// How a check ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    Violated,
    Proved,
    /// Holds up to the bound.
    Bounded,
    /// Neither: the limit was reached, or something is unsupported.
    Open,
    /// Not even an answer: the input is not understood, or the process died.
    Failed,
}

const ENDINGS: [(Ending, &str); 5] = [
    (Ending::Violated, "violated"),
    (Ending::Proved, "proved"),
    (Ending::Bounded, "bounded"),
    (Ending::Open, "open"),
    (Ending::Failed, "failed"),
];

/// What one process tells.
#[derive(Clone, Debug)]
pub struct Measurement {
    pub ending: Ending,
    /// Processor time of the engine, without reading the program.
    pub seconds: f64,
    /// Largest resident size of the process.
    pub memory: f64,
    /// Counts, and times in seconds.
    quantities: BTreeMap<String, f64>,
}

impl Measurement {
    /// The engine had an answer within the limits.
    pub fn is_solved(&self) -> bool {
        matches!(self.ending, Ending::Violated | Ending::Proved | Ending::Bounded)
    }

    pub fn get(&self, name: &str) -> f64 {
        self.quantities.get(name).copied().unwrap_or(0.0)
    }

    /// The sum of everything whose name begins so.
    pub fn sum(&self, prefix: &str) -> f64 {
        self.quantities.iter().filter(|(name, _)| name.starts_with(prefix)).map(|(_, amount)| amount).sum()
    }

    fn failed(seconds: f64) -> Self {
        Self { ending: Ending::Failed, seconds, memory: 0.0, quantities: BTreeMap::new() }
    }
}

/// Counts 1 if the limit ended the check: what holds then holds up to less than was asked for.
pub const STOPPED: &str = "stopped";

/// Wall-clock seconds per second of the limit after which a process is killed: the machine may be busy.
const PATIENCE: u64 = 20;

const POLL: Duration = Duration::from_millis(5);

/// Runs the hidden task in a new process and reads what it says.
pub fn measure(arguments: &Arguments) -> std::io::Result<Measurement> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("measure").arg(&arguments.file).args(["--engine", &arguments.engine]);
    command.args(["--limit", &arguments.limit.to_string()]);
    command.args(arguments.unwind.map(|unwind| format!("--unwind={unwind}")));
    command.args(["--property", &arguments.property.to_string()]);
    command.args(arguments.ilp32.then_some("--ilp32")).args(arguments.core.then_some("--core"));
    arguments.tree.add_to(&mut command);
    let output = tempfile::NamedTempFile::new()?;
    let patience = Duration::from_secs(PATIENCE * arguments.limit.max(1));
    let limits = bench::Limits { wall: Some(patience), ..bench::Limits::default() };
    bench::process::run(command, output.path(), limits, &CancelToken::new())?;
    let text = std::fs::read_to_string(output.path())?;
    Ok(parse(&text).unwrap_or_else(|| Measurement::failed(arguments.limit as f64)))
}

fn parse(text: &str) -> Option<Measurement> {
    let fields: BTreeMap<String, &str> =
        text.lines().filter_map(|line| line.split_once('\t')).map(|(name, value)| (name.to_owned(), value)).collect();
    let ending = ENDINGS.iter().find(|(_, name)| fields.get("ending") == Some(name))?.0;
    let number = |name: &str| fields.get(name)?.parse::<f64>().ok();
    let (seconds, memory) = (number("seconds")?, number("memory")?);
    let quantities = fields.iter().filter_map(|(name, value)| Some((name.clone(), value.parse().ok()?))).collect();
    Some(Measurement { ending, seconds, memory, quantities })
}

/// The hidden task.
pub fn run(arguments: &Arguments) -> ExitCode {
    let worker = thread::Builder::new().stack_size(512 << 20);
    let arguments = arguments.clone();
    let ended = worker.spawn(move || check(&arguments)).map(|handle| handle.join());
    match ended {
        Ok(Ok(Some(text))) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}

/// Checks and says all there is to say; `None` if the input is not understood or the engine is wrong.
fn check(arguments: &Arguments) -> Option<String> {
    let data_model = if arguments.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 };
    let mut compile = CompileOptions { data_model, ..CompileOptions::default() };
    compile.preprocess.defines.clone_from(&arguments.tree.defines);
    let program = frontend::compile(std::slice::from_ref(&arguments.file), &compile).ok()?.program;
    let refinement = if arguments.core { RefinementKind::Core } else { RefinementKind::Graph };
    let contexts = arguments.tree.options();
    let paper = arguments.tree.interpolants;
    let encoding = BlockEncoding::Single;
    let interp = InterpOptions {
        paper: paper.map(|interpolants| PaperOptions { interpolants, encoding }),
        ..InterpOptions::default()
    };
    let options = EngineOptions { refinement, contexts, interp, ..EngineOptions::default() };
    let engine = engines::configured(&arguments.engine, &options)?;
    let is_bounded = arguments.unwind.is_some() || contexts.context_bound.is_some();
    let budget = Budget::unlimited();
    watch(&budget.cancel, Duration::from_secs(arguments.limit));
    let began = processor_time();
    let report = portfolio::check(&Check {
        analyses: &Analyses::new(&program),
        properties: PropertySet::of(&[arguments.property]),
        strategy: &Strategy::select(&*engine, paper.is_some(), is_bounded).without_random_testing(),
        engine: &*engine,
        unwind: UnwindLimits { exactly: arguments.unwind, at_most: None },
        first: false,
        budget: &budget,
        observer: &NullObserver,
        listener: &NullListener,
    });
    let seconds = processor_time() - began;
    let report = report.ok()?;
    let ending = ending(&report.outcomes.first()?.1);
    let mut statistics = report.statistics;
    statistics.count(STOPPED, u64::from(report.stopped.is_some()));
    Some(told(ending, seconds, &statistics))
}

fn ending(outcome: &Outcome) -> Ending {
    match outcome {
        Outcome::Violated(_) => Ending::Violated,
        Outcome::Proved => Ending::Proved,
        Outcome::HoldsUpTo(_) => Ending::Bounded,
        Outcome::Unknown(_) => Ending::Open,
    }
}

fn told(ending: Ending, seconds: f64, statistics: &Statistics) -> String {
    let name = ENDINGS.iter().find(|(other, _)| *other == ending).map_or("failed", |(_, name)| name);
    let mut text = format!("ending\t{name}\nseconds\t{seconds:.4}\nmemory\t{}\n", peak_memory());
    for (name, quantity) in statistics.iter() {
        let amount = match quantity {
            Quantity::Count(count) => count as f64,
            Quantity::Time(time) => time.as_secs_f64(),
        };
        text.push_str(&format!("{name}\t{amount}\n"));
    }
    text
}

/// Cancels when the process has used so much processor time.
fn watch(cancel: &CancelToken, limit: Duration) {
    let cancel = cancel.clone();
    thread::spawn(move || {
        while process_time() < limit.as_secs_f64() {
            thread::sleep(POLL);
        }
        cancel.cancel();
    });
}

/// Seconds that this thread has been running on a processor; the kernel counts nanoseconds.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).map_or(0.0, |nanos| nanos / 1e9)
}

/// Seconds of processor time of the whole process, in hundredths: the fields after the name in parentheses.
fn process_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// Bytes.
fn peak_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// A program with its known answer.
#[derive(Clone, Debug)]
pub struct MeasuredTask {
    pub file: PathBuf,
    pub violated: bool,
    pub ilp32: bool,
}

/// The tasks of a list that are about `property` and have an answer.
pub fn tasks(list: &Path, root: &Path, property: Property) -> Result<Vec<MeasuredTask>, String> {
    let selection = bench::task::TaskSelection { properties: vec![property.to_string()], ..Default::default() };
    let task = |task: bench::BenchTask| {
        let (file, ilp32) = (task.files.first()?.clone(), task.data_model == DataModel::Ilp32);
        Some(MeasuredTask { file, violated: !task.expected?, ilp32 })
    };
    Ok(selection.of(bench::task_list::read(list, Some(root))?).into_iter().filter_map(task).collect())
}

/// How `engine` answers about assertions, here and without limit.
#[cfg(test)]
pub fn ending_of(program: &program::Program, engine: &dyn engines::Engine) -> Ending {
    let properties = PropertySet::of(&[Property::Assert]);
    let (analyses, unwind) = (Analyses::new(program), UnwindLimits::default());
    let report = portfolio::check_alone(engine, &analyses, properties, unwind, &Budget::unlimited());
    let report = report.unwrap_or_else(|bug| panic!("{bug}"));
    ending(&report.outcomes[0].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_understood() {
        let mut statistics = Statistics::new();
        statistics.count("refinements", 7);
        statistics.time("graph time: rules", Duration::from_millis(1500));
        statistics.time("graph time: simulation", Duration::from_millis(500));
        let measured = parse(&told(Ending::Bounded, 1.25, &statistics)).expect("a measurement");
        assert_eq!((measured.ending, measured.seconds), (Ending::Bounded, 1.25));
        assert_eq!((measured.get("refinements"), measured.get("nothing")), (7.0, 0.0));
        assert_eq!(measured.sum("graph time"), 2.0);
        assert!(parse("").is_none() && parse("ending\tproved\n").is_none());
    }

    #[test]
    fn a_list_names_tasks_of_one_property() {
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("list");
        std::fs::write(
            &list,
            "set\tpath\tproperty\texpected\tdata_model\tnotes\ns\ta.i\tunreach-call\tfalse\tILP32\t\n\
            s\tb.i\tno-data-race\ttrue\tILP32\t\ns\tc.i\tunreach-call\ttrue\tLP64\t\n",
        )
        .expect("a list");
        let tasks = tasks(&list, folder.path(), Property::UnreachCall).expect("tasks");
        let read: Vec<_> = tasks.iter().map(|task| (task.file.clone(), task.violated, task.ilp32)).collect();
        assert_eq!(read, [(folder.path().join("a.i"), true, true), (folder.path().join("c.i"), false, false)]);
    }
}
