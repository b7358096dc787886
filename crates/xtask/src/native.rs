//! `cargo xtask native`: our test programs, compiled by the system compiler and run many times, may show nothing that
//! the explorer does not know: every output and every way to end must be among its observations. Programs with inputs,
//! undefined behaviour or a line `// NATIVE no REASON` are not comparable; they are named.
//!
//! A real machine runs few of the schedules that there are. Each run gets a seed from which `shake.h` draws pauses, and
//! every other run has one core only, where the pauses alone decide the order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use base::Budget;
use clap::Args;
use execute::{Ending, Exploration, ExploreOptions, Observation};
use frontend::CompileOptions;
use program::{DataModel, Program, Property, PropertySet};
use testkit::program_tests::discover;
use testkit::subject::caught;

use crate::binary::{self, Native};

/// Runs of one program that may get stuck before we are satisfied: each takes as long as it may.
const STUCK_RUNS: u32 = 3;

/// The signal that `abort` raises.
const SIGABRT: i32 = 6;

#[derive(Args)]
pub struct Arguments {
    /// Native runs of each program.
    #[arg(long, default_value_t = 200)]
    runs: u32,
    /// Seconds after which a native run counts as stuck.
    #[arg(long, default_value_t = 10)]
    timeout: u64,
    /// Compare in the data model ILP32 (`gcc -m32`) instead of LP64.
    #[arg(long)]
    ilp32: bool,
    /// Programs, or folders of programs.
    #[arg(default_values = ["tests/native", "tests/programs"])]
    sources: Vec<PathBuf>,
}

/// What a comparison needs to know.
struct Options {
    runs: u32,
    timeout: Duration,
    data_model: DataModel,
    /// Where compiled programs live.
    folder: PathBuf,
}

/// What came of one program.
enum Comparison {
    /// Everything observed was foreseen.
    Agreed {
        states: u64,
        foreseen: usize,
        observed: usize,
    },
    /// Native runs would say nothing about us.
    NotComparable(String),
    Failed(String),
}

/// A comparison that ends early.
impl<T: Into<String>> From<T> for Comparison {
    fn from(message: T) -> Self {
        Comparison::Failed(message.into())
    }
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let data_model = if arguments.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 };
    if let Some(missing) = missing_tool(data_model) {
        println!("skipped: {missing}");
        return ExitCode::SUCCESS;
    }
    let folder = std::env::temp_dir().join(format!("gordian-native-{}", std::process::id()));
    let options = Options {
        runs: arguments.runs,
        timeout: Duration::from_secs(arguments.timeout),
        data_model,
        folder: folder.clone(),
    };
    let began = Instant::now();
    let result = std::fs::create_dir_all(&folder).and_then(|()| programs(&arguments.sources));
    let code = match result {
        Ok(programs) => compare_all(&programs, &options, began),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    };
    // Best effort: what stays is in a folder for temporary files.
    let _ = std::fs::remove_dir_all(folder);
    code
}

/// What keeps us from comparing, if anything does.
fn missing_tool(model: DataModel) -> Option<&'static str> {
    (!binary::can_compile("gcc", model)).then_some("gcc does not compile for this data model")
}

fn programs(sources: &[PathBuf]) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for source in sources {
        match source.is_dir() {
            true => found.extend(discover(source)?),
            false => found.push(source.clone()),
        }
    }
    Ok(found)
}

fn compare_all(programs: &[PathBuf], options: &Options, began: Instant) -> ExitCode {
    let (mut agreed, mut not_comparable, mut failed) = (0, 0, 0);
    for path in programs {
        let name = path.display();
        match compare(path, options) {
            Comparison::Agreed { states, foreseen, observed } => {
                agreed += 1;
                println!("{name}: {observed} of {foreseen} observations seen; {states} states");
            }
            Comparison::NotComparable(reason) => {
                not_comparable += 1;
                println!("{name}: not comparable: {reason}");
            }
            Comparison::Failed(message) => {
                failed += 1;
                println!("{name}: FAILED: {message}");
            }
        }
    }
    println!(
        "{} programs, {} native runs each, {}: {agreed} agreed, {not_comparable} not comparable, {failed} failed; {:.0} s",
        programs.len(),
        options.runs,
        options.data_model,
        began.elapsed().as_secs_f64()
    );
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Compares what is observed of a program with what the explorer foresees.
fn compare(path: &Path, options: &Options) -> Comparison {
    compare_or_stop(path, options).unwrap_or_else(|stopped| stopped)
}

fn compare_or_stop(path: &Path, options: &Options) -> Result<Comparison, Comparison> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    if let Some(reason) = text.lines().find_map(|line| line.strip_prefix("// NATIVE no ")) {
        return Err(Comparison::NotComparable(reason.to_owned()));
    }
    let exploration = explore(path, options.data_model)?;
    let observed = observe(path, options)?;
    let foreseen = &exploration.observations;
    let surprises: Vec<String> = observed
        .iter()
        .filter(|(seen, _)| !foreseen.contains(seen))
        .map(|(seen, times)| format!("{times} times {}", describe(seen)))
        .collect();
    if surprises.is_empty() {
        let (foreseen, observed) = (foreseen.len(), observed.len());
        return Ok(Comparison::Agreed { states: exploration.states, foreseen, observed });
    }
    if exploration.restricted_inputs {
        return Err(Comparison::NotComparable("it reads inputs".to_owned()));
    }
    let some: Vec<String> = foreseen.iter().take(20).map(describe).collect();
    let (surprises, some) = (surprises.join(", "), some.join(", "));
    Err(format!("natively {surprises}, which is none of the {} foreseen: {some}", foreseen.len()).into())
}

fn describe(seen: &Observation) -> String {
    format!("{:?} ({:?})", String::from_utf8_lossy(&seen.output), seen.ending)
}

/// Everything that can be observed of the program at `path`.
fn explore(path: &Path, data_model: DataModel) -> Result<Exploration, Comparison> {
    let options = CompileOptions { data_model, arguments: Some(Vec::new()), ..CompileOptions::default() };
    let compiled = caught(|| frontend::compile(&[path.to_path_buf()], &options)).map_err(panicked)?;
    let program = compiled.map_err(|failure| binary::first_error(&failure))?.program;
    let options = ExploreOptions { collect_observations: true, ..ExploreOptions::new(PropertySet::EMPTY) };
    let exploration = caught(|| execute::explore(&program, &options, &Budget::unlimited())).map_err(panicked)?;
    let what_is_undefined = || undefined_behaviour(&program, &exploration);
    match () {
        () if !exploration.is_complete() => {
            Err(format!("the explorer misses something: {:?}", exploration.incomplete).into())
        }
        () => match caught(what_is_undefined).map_err(panicked)? {
            Some(what) => Err(Comparison::NotComparable(format!("undefined behaviour: {what}"))),
            None => Ok(exploration),
        },
    }
}

fn panicked(message: String) -> String {
    format!("panic: {message}")
}

/// Undefined behaviour that a native run may turn into anything, also such as we define where nobody asks about it.
fn undefined_behaviour(program: &Program, exploration: &Exploration) -> Option<String> {
    if let Some(undefined) = exploration.undefined.first() {
        return Some(undefined.what.clone());
    }
    let properties = PropertySet::of(&[Property::LockMisuse, Property::NoOverflow]);
    let found = execute::explore(program, &ExploreOptions::new(properties), &Budget::unlimited());
    found.violations.first().map(|trace| trace.violation.message.clone())
}

/// What is observed of native runs, and how often.
fn observe(path: &Path, options: &Options) -> Result<BTreeMap<Observation, u32>, Comparison> {
    let name = path.file_stem().ok_or("it has no name")?;
    let target = options.folder.join(name).with_extension("out");
    let compiled = binary::compile("gcc", path, target, options.data_model, &["-DNATIVE"]);
    let compiled = compiled.ok_or_else(|| Comparison::NotComparable("gcc does not compile it".to_owned()))?;
    let can_pin = binary::works("taskset", &["-c", "0", "true"]);
    let mut observed = BTreeMap::new();
    let mut stuck = 0;
    for run in 0..options.runs {
        if stuck == STUCK_RUNS {
            break;
        }
        let mut command = match can_pin && run % 2 == 1 {
            true => pinned(&compiled),
            false => Command::new(&compiled),
        };
        command.env("SHAKE", run.to_string());
        let native = binary::run(&mut command, options.timeout).map_err(|error| error.to_string())?;
        let seen = observation(native)?;
        stuck += u32::from(seen.ending == Ending::Stuck);
        *observed.entry(seen).or_default() += 1;
    }
    Ok(observed)
}

/// The program on one core only.
fn pinned(program: &Path) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(program);
    command
}

fn observation(native: Native) -> Result<Observation, String> {
    Ok(match native {
        Native::Exited { output, status } => Observation { ending: Ending::Exit(status as u8), output },
        Native::Killed { output, signal: SIGABRT } => Observation { ending: Ending::Abort, output },
        Native::Killed { signal, .. } => return Err(format!("signal {signal} ends a native run")),
        Native::TimedOut { output } => Observation { ending: Ending::Stuck, output },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The long form is `cargo xtask native`.
    #[test]
    fn native_runs_are_foreseen_by_the_explorer() {
        if let Some(missing) = missing_tool(DataModel::Lp64) {
            eprintln!("SKIPPED, nothing was compared: {missing}");
            return;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let options = Options {
            runs: 20,
            timeout: Duration::from_secs(30),
            data_model: DataModel::Lp64,
            folder: folder.path().to_path_buf(),
        };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/native");
        let programs = programs(&[root]).expect("the native programs should be readable");
        assert!(programs.len() >= 40, "only {} programs found", programs.len());
        let failed = |path: &PathBuf| match compare(path, &options) {
            Comparison::Agreed { .. } => None,
            Comparison::NotComparable(reason) | Comparison::Failed(reason) => {
                Some(format!("{}: {reason}", path.display()))
            }
        };
        let failures: Vec<String> = programs.iter().filter_map(failed).collect();
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }

    /// The comparison can fail: natively the program prints something else.
    #[test]
    fn a_surprise_is_a_failure() {
        if missing_tool(DataModel::Lp64).is_some() {
            eprintln!("SKIPPED: there is no gcc");
            return;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let source = folder.path().join("surprise.c");
        let text = "#include <stdio.h>\n#ifdef NATIVE\n#define X 1\n#else\n#define X 2\n#endif\n\
                    int main(void) { printf(\"%d\", X); return 0; }\n";
        std::fs::write(&source, text).expect("a written file");
        let options = Options {
            runs: 2,
            timeout: Duration::from_secs(30),
            data_model: DataModel::Lp64,
            folder: folder.path().to_path_buf(),
        };
        let Comparison::Failed(message) = compare(&source, &options) else { panic!("the two should differ") };
        assert_eq!(message, "natively 2 times \"1\" (Exit(0)), which is none of the 1 foreseen: \"2\" (Exit(0))");
    }
}
