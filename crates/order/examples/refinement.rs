//! The refinement loop of `scar` on the instances of the spike: rounds, clauses, and where the time goes.
//!
//!     cargo run --release -p order --example refinement -- [--events N] [--threads N] [--cells N] [--seeds N]
//!         [--timeout SECONDS] [--only FAMILY] [--refinement graph|core] [--per-order N] [--per-round N] [--work N]

#![allow(clippy::print_stdout, reason = "an example reports to the terminal")]

#[path = "spike/families.rs"]
mod families;
#[path = "spike/instance.rs"]
mod instance;
#[path = "../tests/support/rng.rs"]
mod rng;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use base::Budget;
use families::{FAMILIES, Size};
use instance::Instance;
use order::eog::{EogVerdict, EventOrderGraph, RefinementKind, ValidationOptions, Validator};
use rng::Rng;
use solve::{CadicalSolver, ClauseSink, SolveResult, Solver};

struct Settings {
    size: Size,
    seeds: u64,
    timeout: Duration,
    only: Option<String>,
    validation: ValidationOptions,
}

fn main() -> ExitCode {
    let Some(settings) = read_arguments() else {
        println!("usage: refinement [--events N] [--threads N] [--cells N] [--seeds N] [--timeout SECONDS]");
        println!(
            "                  [--only FAMILY] [--refinement graph|core] [--per-order N] [--per-round N] [--work N]"
        );
        return ExitCode::from(2);
    };
    println!(
        "{:<22} {:>4} {:>6} {:>8} {:>6} {:>8} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8}",
        "instance",
        "seed",
        "answer",
        "seconds",
        "rounds",
        "clauses",
        "length",
        "exact",
        "solving",
        "rules",
        "kernel",
        "order"
    );
    for (name, family) in FAMILIES {
        if settings.only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        for seed in 0..settings.seeds {
            for flawed in [false, true] {
                run(&family(settings.size, &mut Rng::new(seed * 2 + u64::from(flawed)), flawed), seed, &settings);
            }
        }
    }
    ExitCode::SUCCESS
}

fn run(instance: &Instance, seed: u64, settings: &Settings) {
    let start = Instant::now();
    let budget = Budget { deadline: Some(start + settings.timeout), ..Budget::default() };
    let mut solver = CadicalSolver::new();
    instance.load(&mut solver);
    let mut validator = Validator::new(settings.validation);
    let mut solving = Duration::ZERO;
    let answer = loop {
        let begin = Instant::now();
        let result = solver.solve(&[], &budget);
        solving += begin.elapsed();
        match result {
            SolveResult::Unsatisfiable => break "unsat",
            SolveResult::Interrupted(_) => break ">",
            SolveResult::Satisfiable => {}
        }
        let truth = |lit: solve::Lit| solver.value(lit.var().positive()) == lit.is_positive();
        let eog = EventOrderGraph::new(&instance.graph, truth);
        match validator.validate(&eog, &budget) {
            EogVerdict::Feasible(_) => break "sat",
            EogVerdict::Interrupted(_) => break ">",
            EogVerdict::Refuted(clauses) => clauses.iter().for_each(|clause| solver.add_clause(clause)),
        }
    };
    let counters = validator.counters();
    println!(
        "{:<22} {:>4} {:>6} {:>8.3} {:>6} {:>8} {:>7.2} {:>7} {:>8.3} {:>8.3} {:>8.3} {:>8.3}",
        instance.name,
        seed,
        answer,
        start.elapsed().as_secs_f64(),
        counters.refinements,
        counters.reasons,
        counters.reason_literals as f64 / counters.reasons.max(1) as f64,
        counters.constraint_validations,
        solving.as_secs_f64(),
        counters.closure_time.as_secs_f64(),
        counters.kernel_time.as_secs_f64(),
        (counters.simulation_time + counters.constraint_time).as_secs_f64(),
    );
}

fn read_arguments() -> Option<Settings> {
    let mut settings = Settings {
        size: Size { events: 1000, threads: 4, cells: 20 },
        seeds: 1,
        timeout: Duration::from_secs(20),
        only: None,
        validation: ValidationOptions::default(),
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
            "--per-order" => settings.validation.kernel.per_order = value.parse().ok().filter(|&n| n > 0)?,
            "--per-round" => settings.validation.kernel.per_round = value.parse().ok().filter(|&n| n > 0)?,
            "--work" => settings.validation.kernel.work = value.parse().ok()?,
            "--refinement" if value == "core" => settings.validation.refinement = RefinementKind::Core,
            "--refinement" if value == "graph" => settings.validation.refinement = RefinementKind::Graph,
            _ => return None,
        }
    }
    Some(settings)
}
