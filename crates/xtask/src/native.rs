//! `cargo xtask native`: the programs under `tests/native`, compiled by the system compiler and run many times, may show
//! nothing that the explorer does not know: every output and every way to end must be among its observations.
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
use program::{DataModel, PropertySet};
use testkit::program_tests::discover;
use testkit::subject::caught;

use crate::binary::{self, Native};

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
    #[arg(default_value = "tests/native")]
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

/// What came of one program whose native runs were all foreseen.
struct Agreement {
    states: u64,
    foreseen: usize,
    observed: usize,
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
    let mut failures = 0;
    for path in programs {
        match compare(path, options) {
            Ok(Agreement { states, foreseen, observed }) => {
                println!("{}: {observed} of {foreseen} observations seen; {states} states", path.display());
            }
            Err(message) => {
                failures += 1;
                println!("{}: FAILED: {message}", path.display());
            }
        }
    }
    println!(
        "{} programs, {} native runs each, {}: {failures} failed; {:.0} s",
        programs.len(),
        options.runs,
        options.data_model,
        began.elapsed().as_secs_f64()
    );
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Compares what is observed of a program with what the explorer foresees; an error is a message.
fn compare(path: &Path, options: &Options) -> Result<Agreement, String> {
    let exploration = explore(path, options.data_model)?;
    let observed = observe(path, options)?;
    let surprises: Vec<String> = observed
        .iter()
        .filter(|(seen, _)| !exploration.observations.contains(seen))
        .map(|(seen, times)| format!("{times} times {}", describe(seen)))
        .collect();
    if surprises.is_empty() {
        let foreseen = exploration.observations.len();
        return Ok(Agreement { states: exploration.states, foreseen, observed: observed.len() });
    }
    let foreseen: Vec<String> = exploration.observations.iter().take(20).map(describe).collect();
    Err(format!(
        "natively {}, which is none of the {} foreseen: {}",
        surprises.join(", "),
        exploration.observations.len(),
        foreseen.join(", ")
    ))
}

fn describe(seen: &Observation) -> String {
    format!("{:?} ({:?})", String::from_utf8_lossy(&seen.output), seen.ending)
}

/// Everything that can be observed of the program at `path`.
fn explore(path: &Path, data_model: DataModel) -> Result<Exploration, String> {
    let compile_options = CompileOptions { data_model, arguments: Some(Vec::new()), ..CompileOptions::default() };
    let work = || {
        let compiled = frontend::compile(&[path.to_path_buf()], &compile_options);
        let program = compiled.map_err(|failure| binary::first_error(&failure))?.program;
        let options = ExploreOptions { collect_observations: true, ..ExploreOptions::new(PropertySet::EMPTY) };
        Ok(execute::explore(&program, &options, &Budget::unlimited()))
    };
    let exploration = caught(work).unwrap_or_else(|message| Err(format!("panic: {message}")))?;
    match () {
        () if !exploration.is_complete() => Err(format!("the explorer misses something: {:?}", exploration.incomplete)),
        () if !exploration.undefined.is_empty() => Err(format!("undefined behaviour: {:?}", exploration.undefined)),
        () if exploration.restricted_inputs => Err("it reads inputs".to_owned()),
        () => Ok(exploration),
    }
}

/// What is observed of native runs, and how often.
fn observe(path: &Path, options: &Options) -> Result<BTreeMap<Observation, u32>, String> {
    let name = path.file_stem().ok_or("it has no name")?;
    let target = options.folder.join(name).with_extension("out");
    let compiled = binary::compile("gcc", path, target, options.data_model, &["-DNATIVE"]);
    let compiled = compiled.ok_or("gcc does not compile it")?;
    let can_pin = binary::works("taskset", &["-c", "0", "true"]);
    let mut observed = BTreeMap::new();
    for run in 0..options.runs {
        let mut command = match can_pin && run % 2 == 1 {
            true => pinned(&compiled),
            false => Command::new(&compiled),
        };
        command.env("SHAKE", run.to_string());
        let native = binary::run(&mut command, options.timeout).map_err(|error| error.to_string())?;
        *observed.entry(observation(native)?).or_default() += 1;
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
        let failed = |path: &PathBuf| compare(path, &options).err().map(|error| format!("{}: {error}", path.display()));
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
        let message = compare(&source, &options).err().expect("the two should differ");
        assert_eq!(message, "natively 2 times \"1\" (Exit(0)), which is none of the 1 foreseen: \"2\" (Exit(0))");
    }
}
