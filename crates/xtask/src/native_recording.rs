//! `cargo xtask native-recording`: what native recording costs, and what comes of native runs.
//!
//! The first table compares a program as the system compiler makes it with the same program under recording, from the start
//! of the process to its end, the fastest of some runs each. The second predicts from native runs and forces every
//! finding in another native run.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use base::Budget;
use clap::Args;
use frontend::CompileOptions;
use native::compiler::candidates;
use native::{NativeVerdict, RecordOptions, ReplayOptions, RunEnd, Streams, record_native, replay_native, run_native};
use predict::{PredictOptions, TransactionOptions, predict_twice};
use program::{Analyses, DataModel, Program, Property, PropertySet};

use crate::binary;

#[derive(Args)]
pub struct Arguments {
    /// Runs of each program.
    #[arg(long, default_value_t = 5)]
    runs: u64,
    /// Seconds for one prediction.
    #[arg(long, default_value_t = 120)]
    limit: u64,
    /// Where the tables go besides the terminal.
    #[arg(long, default_value = "bench/native.md")]
    output: PathBuf,
}

/// Program, argument, what it is, and the slow-down that we allow ourselves.
const SPEED: [(&str, &str, &str, u32); 2] = [
    ("local_work.c", "20000", "two threads that sort and multiply private arrays", 3),
    ("shared_counter.c", "50000000", "two threads that count in one variable", 50),
];

/// Program, definitions, argument, property, functions that are meant to be atomic.
type Case = (&'static str, &'static [&'static str], Option<&'static str>, Property, &'static [&'static str]);

const CASES: [Case; 9] = [
    ("native/thread_pool.c", &[], None, Property::Assert, &[]),
    ("native/thread_pool.c", &[], None, Property::NoDataRace, &[]),
    ("native/file_scanner.c", &[], Some("native/file_scanner.txt"), Property::Assert, &[]),
    ("native/kv_server.c", &[], Some("native/kv_server.txt"), Property::NoDeadlock, &[]),
    ("fusion/banking.c", &["BROKEN"], None, Property::Assert, &[]),
    ("fusion/banking.c", &["BROKEN"], None, Property::NoDataRace, &[]),
    ("fusion/indexer.c", &["BROKEN", "THREADS=13"], None, Property::Assert, &[]),
    ("fusion/atom001.c", &[], None, Property::NoDataRace, &[]),
    ("fusion/bank.c", &[], None, Property::Atomicity, &["transfer"]),
];

pub fn run(arguments: &Arguments) -> ExitCode {
    if !binary::can_compile("cc", DataModel::Lp64) {
        println!("skipped: there is no C compiler");
        return ExitCode::SUCCESS;
    }
    let mut report = format!(
        "# Native recording and replay\n\nWritten by `cargo xtask native-recording --runs {}`. Times are wall-clock, the first \
         two are the best of all runs. Compare ratios, not seconds.\n\n",
        arguments.runs
    );
    for table in [speed(arguments), findings(arguments)] {
        match table {
            Ok(table) => report += &table,
            Err(message) => {
                eprintln!("{message}");
                return ExitCode::from(2);
            }
        }
    }
    print!("{report}");
    match std::fs::write(&arguments.output, report) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", arguments.output.display());
            ExitCode::from(2)
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/programs")
}

fn read(name: &str, defines: &[&str], argument: Option<&str>) -> Result<Program, String> {
    let arguments = argument.map(str::to_owned).into_iter().collect();
    let mut options = CompileOptions { arguments: Some(arguments), ..CompileOptions::default() };
    options.preprocess.defines = defines.iter().map(|define| (*define).to_owned()).collect();
    let compiled = frontend::compile(&[folder().join(name)], &options);
    compiled.map(|compiled| compiled.program).map_err(|failure| format!("{name}: {}", binary::first_error(&failure)))
}

fn record_options(seed: u64) -> RecordOptions {
    RecordOptions { compilers: candidates(None), seed, limit: Duration::from_secs(600), max_steps: u64::MAX }
}

fn no_streams() -> Streams {
    Streams { input: Stdio::null(), terminal: None, output: Stdio::null(), errors: Stdio::null() }
}

fn speed(arguments: &Arguments) -> Result<String, String> {
    let mut table = String::from(
        "| program | what it is | plain (`cc -O2`) | recorded | ratio | bar | steps | slices |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for (name, argument, what, bar) in SPEED {
        let plain = plain_time(name, argument, arguments.runs)?;
        let program = read(&format!("native/{name}"), &[], Some(argument))?;
        let analyses = Analyses::new(&program);
        let mut best: Option<native::NativeRun> = None;
        for seed in 1..=arguments.runs {
            let run = run_native(&analyses, &record_options(seed), no_streams(), &Budget::unlimited());
            let run = run.map_err(|error| format!("{name}: {error}"))?;
            if run.log.end != RunEnd::Exited(0) {
                return Err(format!("{name}: the recorded run ended with {:?}", run.log.end));
            }
            best = Some(best.filter(|best| best.run_time <= run.run_time).unwrap_or(run));
        }
        let best = best.ok_or("there should be at least one run")?;
        let ratio = best.run_time.as_secs_f64() / plain.as_secs_f64();
        let _ = writeln!(
            table,
            "| `{name} {argument}` | {what} | {:.2} s | {:.2} s | {ratio:.2} | {bar} | {} | {} |",
            plain.as_secs_f64(),
            best.run_time.as_secs_f64(),
            best.log.total_steps,
            best.log.slices.len()
        );
    }
    Ok(table + "\n")
}

/// The fastest run of the program as it is.
fn plain_time(name: &str, argument: &str, runs: u64) -> Result<Duration, String> {
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder().join("native").join(name);
    let program = binary::compile("cc", &source, place.path().join("plain"), DataModel::Lp64, &["-O2"]);
    let program = program.ok_or_else(|| format!("{name} does not compile"))?;
    let mut best = Duration::MAX;
    for _ in 0..runs {
        let began = Instant::now();
        let status = Command::new(&program).arg(argument).stdout(Stdio::null()).status();
        status.map_err(|error| format!("{name}: {error}"))?;
        best = best.min(began.elapsed());
    }
    Ok(best)
}

fn findings(arguments: &Arguments) -> Result<String, String> {
    let mut table = String::from(
        "| program | property | native runs that passed | with a prediction | findings | seen natively, first try | \
         seconds for a run, its prediction and replays |\n|---|---|---|---|---|---|---|\n",
    );
    let (mut all, mut all_seen) = (0, 0);
    for case in CASES {
        let (name, defines, _, property, _) = case;
        let began = Instant::now();
        let tally = tally(&case, arguments)?;
        let seconds = began.elapsed().as_secs_f64() / arguments.runs as f64;
        all += tally.findings;
        all_seen += tally.seen;
        let Tally { passed, predicted, findings, seen } = tally;
        let label = [&[name], defines].concat().join(" -D ");
        let _ = writeln!(
            table,
            "| `{label}` | {property} | {passed} of {} | {predicted} | {findings} | {seen} | {seconds:.1} |",
            arguments.runs
        );
    }
    let share = 100.0 * f64::from(all_seen) / f64::from(all.max(1));
    let _ = writeln!(table, "\n{all_seen} of {all} findings ({share:.0} %; bar: 95 %) were seen natively, first try.");
    Ok(table)
}

#[derive(Default)]
struct Tally {
    passed: u32,
    predicted: u32,
    findings: u32,
    seen: u32,
}

fn tally(case: &Case, arguments: &Arguments) -> Result<Tally, String> {
    let (name, defines, argument, property, atomic) = *case;
    let argument = argument.map(|file| folder().join(file).display().to_string());
    let program = read(name, defines, argument.as_deref())?;
    let analyses = Analyses::new(&program);
    let transactions =
        TransactionOptions { functions: atomic.iter().map(|name| (*name).to_owned()).collect(), regions: false };
    let options = PredictOptions { transactions, ..PredictOptions::default() };
    let mut tally = Tally::default();
    for seed in 1..=arguments.runs {
        let failed = |error: native::NativeError| format!("{name}: {error}");
        let budget = Budget::with_timeout(Duration::from_secs(arguments.limit));
        let run = record_native(&analyses, &record_options(seed), no_streams(), &budget).map_err(failed)?;
        tally.passed += u32::from(run.run_end == RunEnd::Exited(0));
        let recordings = [run.recorded.recording];
        let properties = PropertySet::of(&[property]);
        let prediction = predict_twice(&analyses, &recordings, properties, &options, &budget);
        let prediction = prediction.map_err(|error| format!("{name}: {error:?}"))?;
        tally.predicted += u32::from(!prediction.findings.is_empty());
        for finding in &prediction.findings {
            let replay = ReplayOptions {
                compilers: candidates(None),
                patience: Duration::from_secs(10),
                limit: Duration::from_secs(60),
                output: Stdio::null(),
                errors: Stdio::null(),
            };
            let verdict =
                replay_native(&program, &analyses.get(), finding, replay, &Budget::unlimited()).map_err(failed)?;
            tally.findings += 1;
            tally.seen += u32::from(matches!(verdict, NativeVerdict::Seen(_)));
        }
    }
    Ok(tally)
}
