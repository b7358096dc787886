//! The spike: theory against clock encoding, and the theory with each propagation switched off, on the same instances.
//!
//!     cargo run --release -p order --example spike -- [--events N] [--threads N] [--cells N] [--seeds N]
//!         [--timeout SECONDS] [--only FAMILY] [--columns theory,clocks,...]
//!
//! Prints one line per instance with seconds per column (at the limit: `>`), then geometric means of the ratios to the
//! theory. Every column must give the same answer.

#![allow(clippy::print_stdout, reason = "an example reports to the terminal")]

mod families;
mod instance;
#[path = "../../tests/support/rng.rs"]
mod rng;

use std::cell::RefCell;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use base::Budget;
use families::{FAMILIES, Size};
use instance::Instance;
use order::{ClockEncoding, OrderTheory, TheoryOptions};
use rng::Rng;
use solve::{CadicalSolver, SolveResult, Solver};

struct Settings {
    size: Size,
    seeds: u64,
    timeout: Duration,
    only: Option<String>,
    columns: Option<Vec<String>>,
    statistics: bool,
}

/// `None` in place of options is the clock encoding.
type Column = (&'static str, Option<TheoryOptions>);

fn columns() -> Vec<Column> {
    let all = TheoryOptions::default();
    vec![
        ("theory", Some(all)),
        ("clocks", None),
        ("-after", Some(TheoryOptions { after_read: false, ..all })),
        ("-overwr", Some(TheoryOptions { overwritten: false, ..all })),
        ("-interv", Some(TheoryOptions { interval: false, ..all })),
        ("-exclus", Some(TheoryOptions { exclusive: false, ..all })),
        ("-guards", Some(TheoryOptions { guards: false, ..all })),
        ("-pairs", Some(TheoryOptions { pair_direction: false, ..all })),
        ("-decide", Some(TheoryOptions { decide: false, ..all })),
        ("-commit", Some(TheoryOptions { commitment: false, ..all })),
    ]
}

fn main() -> ExitCode {
    let Some(settings) = read_arguments() else {
        println!("usage: spike [--events N] [--threads N] [--cells N] [--seeds N] [--timeout SECONDS] [--only FAMILY]");
        println!("             [--columns A,B] [--statistics 1]");
        return ExitCode::from(2);
    };
    let chosen = |name: &str| settings.columns.as_ref().is_none_or(|names| names.iter().any(|n| n == name));
    let columns: Vec<Column> = columns().into_iter().filter(|(name, _)| chosen(name)).collect();
    let size = settings.size;
    println!("{} events, {} threads, {} cells, limit {:?}", size.events, size.threads, size.cells, settings.timeout);
    print!("{:<22} {:>4} {:>6}", "instance", "seed", "answer");
    columns.iter().for_each(|(name, _)| print!(" {name:>8}"));
    println!();
    let mut logs: Vec<f64> = vec![0.0; columns.len()];
    let mut instances = 0;
    let mut agree = true;
    for (name, family) in FAMILIES {
        if settings.only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        for seed in 0..settings.seeds {
            for flawed in [false, true] {
                let instance = family(size, &mut Rng::new(seed * 2 + u64::from(flawed)), flawed);
                agree &= run_row(&instance, seed, &columns, &settings, &mut logs);
                instances += 1;
            }
        }
    }
    print!("{:<22} {:>4} {:>6}", "geometric mean of", "", "ratios");
    logs.iter().for_each(|log| print!(" {:>8.2}", ((log - logs[0]) / f64::from(instances)).exp()));
    println!("\n{instances} instances; engines {}", if agree { "agree" } else { "DISAGREE" });
    if agree { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_row(instance: &Instance, seed: u64, columns: &[Column], settings: &Settings, logs: &mut [f64]) -> bool {
    let runs: Vec<(SolveResult, Duration)> =
        columns.iter().map(|(_, options)| measure(instance, *options, settings)).collect();
    let answers = || runs.iter().map(|(answer, _)| *answer);
    let sat = answers().any(|answer| answer == SolveResult::Satisfiable);
    let unsat = answers().any(|answer| answer == SolveResult::Unsatisfiable);
    let answer = match (sat, unsat) {
        (true, true) => "BOTH",
        (true, false) => "sat",
        (false, true) => "unsat",
        (false, false) => "?",
    };
    print!("{:<22} {:>4} {:>6}", instance.name, seed, answer);
    for ((result, time), log) in runs.iter().zip(logs) {
        let mark = if matches!(result, SolveResult::Interrupted(_)) { ">" } else { "" };
        print!(" {:>8}", format!("{mark}{:.3}", time.as_secs_f64()));
        // Below a millisecond the clock says more about the machine than about the engine.
        *log += time.as_secs_f64().max(0.001).ln();
    }
    println!();
    !(sat && unsat)
}

fn measure(instance: &Instance, options: Option<TheoryOptions>, settings: &Settings) -> (SolveResult, Duration) {
    let start = Instant::now();
    let mut solver = CadicalSolver::new();
    instance.load(&mut solver);
    let mut theory = None;
    match options {
        Some(options) => {
            let built = OrderTheory::new(&instance.graph, options).expect("families should make valid graphs");
            let built = Rc::new(RefCell::new(built));
            solver.attach_theory(built.clone());
            theory = Some(built);
        }
        None => {
            ClockEncoding::encode(&instance.graph, &mut solver).expect("families should make valid graphs");
        }
    }
    let budget = Budget { deadline: Some(start + settings.timeout), ..Budget::default() };
    let answer = solver.solve(&[], &budget);
    let time = start.elapsed().min(settings.timeout);
    if settings.statistics {
        println!();
        for (name, quantity) in solver.statistics().iter() {
            println!("    {name}: {quantity:?}");
        }
        for (name, quantity) in theory.iter().flat_map(|t| t.borrow().statistics().iter().collect::<Vec<_>>()) {
            println!("    {name}: {quantity:?}");
        }
    }
    (answer, time)
}

fn read_arguments() -> Option<Settings> {
    let mut settings = Settings {
        size: Size { events: 1000, threads: 4, cells: 20 },
        seeds: 2,
        timeout: Duration::from_secs(20),
        only: None,
        columns: None,
        statistics: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next()?;
        match name.as_str() {
            "--events" => settings.size.events = value.parse().ok()?,
            "--threads" => settings.size.threads = value.parse().ok().filter(|&n| n > 0)?,
            "--cells" => settings.size.cells = value.parse().ok().filter(|&n| n > 0)?,
            "--seeds" => settings.seeds = value.parse().ok()?,
            "--timeout" => settings.timeout = Duration::from_secs(value.parse().ok()?),
            "--only" => settings.only = Some(value),
            "--columns" => settings.columns = Some(value.split(',').map(str::to_owned).collect()),
            "--statistics" => settings.statistics = value == "1",
            _ => return None,
        }
    }
    Some(settings)
}
