//! `cargo xtask bench-speed`: how fast the interpreter, the parser and the explorer are, beside what they should reach.
//! Each figure is by CPU time, and the best of some rounds, so that other work on the machine disturbs it least.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use base::{Budget, Files};
use clap::Args;
use execute::{Code, ExploreOptions, RandomChoices, RandomScheduler, RoundRobin, RunOptions, Scheduler};
use frontend::{CompileOptions, PreprocessOptions};
use program::{Program, Property, PropertySet, Visibility};
use testkit::program_tests::discover;

use crate::cpu_time::Stopwatch;

#[derive(Args)]
pub struct Arguments {
    /// Rounds of which the best counts.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Megabytes of preprocessed C to parse.
    #[arg(long, default_value_t = 20)]
    megabytes: usize,
}

/// Two threads, each with arrays of its own: load, load, add, store and branch.
const ARRAY_LOOP: &str = include_str!("../../../bench/array_loop.c");

/// Three threads whose interleavings are worth exploring.
const INTERLEAVINGS: &str = include_str!("../../../bench/interleavings.c");

/// Turns that the fair scheduler gives: long ones, as a machine with a core per thread would.
const LONG_TURN: u64 = 10_000;

/// The explorer stops after so many states; it need not see them all to show its speed.
const STATES: u64 = 200_000;

pub fn run(arguments: &Arguments) -> ExitCode {
    match measure(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

struct Figure {
    what: &'static str,
    /// Millions per second.
    measured: f64,
    unit: &'static str,
    bar: Option<f64>,
}

impl Figure {
    fn print(&self) {
        let bar = self.bar.map_or(String::new(), |bar| format!("{bar:.0} {}", self.unit));
        println!("{:<52} {:>16} {bar:>16}", self.what, format!("{:.2} {}", self.measured, self.unit));
    }
}

fn measure(arguments: &Arguments) -> Result<(), String> {
    let array_loop = compiled("array_loop.c", ARRAY_LOOP)?;
    let interleavings = compiled("interleavings.c", INTERLEAVINGS)?;
    let instructions =
        |scheduler: fn() -> Box<dyn Scheduler>| best(arguments.rounds, || interpreted(&array_loop, &mut *scheduler()));
    let text = preprocessed_text(arguments.megabytes << 20)?;
    println!("{:<52} {:>16} {:>16}", "", "measured", "bar");
    Figure {
        what: "interpreter, race detection, long turns",
        measured: instructions(|| Box::new(RoundRobin::new(LONG_TURN))),
        unit: "M instr/s",
        bar: Some(20.0),
    }
    .print();
    Figure {
        what: "interpreter, race detection, random at each access",
        measured: instructions(|| Box::new(RandomScheduler::new(1))),
        unit: "M instr/s",
        bar: Some(20.0),
    }
    .print();
    let measured = best(arguments.rounds, || parsed(&text));
    Figure { what: "parser", measured, unit: "MB/s", bar: Some(20.0) }.print();
    Figure {
        what: "explorer, race detection",
        measured: best(arguments.rounds, || explored(&interleavings, &[Property::Assert, Property::NoDataRace])),
        unit: "M states/s",
        bar: None,
    }
    .print();
    Figure {
        what: "explorer, assertions only",
        measured: best(arguments.rounds, || explored(&interleavings, &[Property::Assert])),
        unit: "M states/s",
        bar: None,
    }
    .print();
    Ok(())
}

fn compiled(name: &str, text: &str) -> Result<Program, String> {
    let failed = |failure: frontend::CompileFailure| format!("{name}: {:?}", failure.diagnostics);
    frontend::compile_text(name, text, &CompileOptions::default()).map(|compiled| compiled.program).map_err(failed)
}

/// Millions per second in the fastest round; a round gives how many of what it did in which time.
fn best(rounds: u32, mut round: impl FnMut() -> (u64, Duration)) -> f64 {
    let speeds = (0..rounds.max(1)).map(|_| {
        let (count, took) = round();
        count as f64 / 1e6 / took.as_secs_f64().max(1e-9)
    });
    speeds.fold(0.0, f64::max)
}

fn interpreted(program: &Program, scheduler: &mut dyn Scheduler) -> (u64, Duration) {
    let visibility = Visibility::new(program);
    let code = Code::new(program, &visibility).expect("the benchmark should fit into memory");
    let options = RunOptions::new(PropertySet::of(&[Property::Assert, Property::NoDataRace]));
    let watch = Stopwatch::start();
    let result = execute::run_code(&code, &options, scheduler, &mut RandomChoices::new(1), &Budget::unlimited());
    let took = watch.elapsed();
    assert!(matches!(result.end, execute::End::Finished { status: 0, .. }), "the benchmark ends as {:?}", result.end);
    (result.instructions, took)
}

fn parsed(text: &str) -> (u64, Duration) {
    let watch = Stopwatch::start();
    let unit = frontend::parse_text("all.i", text.as_bytes(), &mut Files::new());
    let took = watch.elapsed();
    assert!(unit.is_ok(), "the benchmark should parse");
    (text.len() as u64, took)
}

fn explored(program: &Program, properties: &[Property]) -> (u64, Duration) {
    let options = ExploreOptions { max_states: STATES, ..ExploreOptions::new(PropertySet::of(properties)) };
    let watch = Stopwatch::start();
    let exploration = execute::explore(program, &options, &Budget::unlimited());
    (exploration.states, watch.elapsed())
}

/// Own programs with their headers, again and again until there are `length` bytes.
fn preprocessed_text(length: usize) -> Result<String, String> {
    let mut once = String::new();
    for folder in ["examples", "tests/programs"] {
        for path in discover(Path::new(folder)).map_err(|error| format!("{folder}: {error}"))? {
            once.push_str(&preprocessed(&path)?);
        }
    }
    let times = length.div_ceil(once.len().max(1));
    Ok(once.repeat(times))
}

fn preprocessed(path: &Path) -> Result<String, String> {
    let result = frontend::preprocess::preprocess(path, &PreprocessOptions::default(), &mut Files::new());
    let text = result.map_err(|errors| format!("{}: {errors:?}", path.display()))?.text;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
