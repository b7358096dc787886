//! Development tasks: `cargo xtask TASK`.
//!
//! Invariant: decides nothing about programs; it only runs what the test kit offers, at length, and prints the figures.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool prints")]

mod baseline;
mod bench_speed;
mod binary;
mod corpus;
mod cpu_time;
mod csmith;
mod deadlocks;
mod differential;
mod figures;
mod foreign;
mod fuzz;
mod growth;
mod invariants;
mod measure;
mod monitor;
mod native;
mod native_recording;
mod orders;
mod paper;
mod paper_esbmc;
mod paper_fusion;
mod paper_interp;
mod paper_yogar;
mod predictions;
mod race_proofs;
mod seed_bugs;
mod shortcuts;
mod witnesses;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use testkit::Features;

#[derive(Parser)]
#[command(name = "xtask", about = "Development tasks of Gordian")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Print what every engine says about the test programs and their event graphs, or compare it with before.
    Baseline(baseline::Arguments),
    /// Lower a folder of foreign programs, and run them if asked to.
    Corpus(corpus::Arguments),
    /// Compare the interpreter with gcc on programs of the generator Csmith.
    Csmith(csmith::Arguments),
    /// Check the classical deadlock programs and compare the verdicts with what is known.
    Deadlocks(deadlocks::Arguments),
    /// Compare every engine with the exhaustive explorer on generated programs.
    Differential(differential::Arguments),
    /// Compare prediction from traces of foreign programs with all their orders, or write a long trace.
    Foreign(foreign::Arguments),
    /// Send mutated programs through everything that reads C.
    Fuzz(fuzz::Arguments),
    /// Compare native runs of multi-threaded programs with what the explorer foresees.
    Native(native::Arguments),
    /// Measure native recording, and what is predicted and replayed from native runs.
    NativeRecording(native_recording::Arguments),
    /// Measure the speed of interpreter, parser and explorer.
    BenchSpeed(bench_speed::Arguments),
    /// Judge the invariants of proofs by the exhaustive explorer on generated programs.
    Invariants(invariants::Arguments),
    /// Measure how a check grows with the number of events.
    Growth(growth::Arguments),
    /// Compare predictions from one recorded run with the exhaustive explorer on generated programs.
    Predictions(predictions::Arguments),
    /// Compare every engine with the exhaustive explorer on generated programs about memory orders.
    Orders(orders::Arguments),
    /// Compare executions of generated programs with what the analyses claim of all executions.
    Monitor(monitor::Arguments),
    /// Compare the static survey of races with the exhaustive explorer on generated programs.
    RaceProofs(race_proofs::Arguments),
    /// Compare each shortcut alone with the explorer, with and without a gate.
    Shortcuts(shortcuts::Arguments),
    /// Put bugs into safe programs and measure how many are found.
    SeedBugs(seed_bugs::Arguments),
    /// Let fresh processes judge the witnesses and shortened schedules of checks.
    Witnesses(witnesses::Arguments),
    /// Print the claims of a paper beside our own figures.
    Paper(paper::Arguments),
    /// Check one program and tell everything about it to the process that started this one.
    #[command(hide = true)]
    Measure(measure::Arguments),
    /// Print the program that a seed names.
    Generate {
        #[arg(long)]
        seed: u64,
        /// For example `core`, `core,pointers` or `all,-barriers`.
        #[arg(long, default_value = "core", value_parser = Features::parse)]
        features: Features,
        /// A small one.
        #[arg(long)]
        small: bool,
        /// With most statements under locks.
        #[arg(long)]
        guarded: bool,
    },
}

fn main() -> ExitCode {
    match Arguments::parse().task {
        Task::Baseline(arguments) => baseline::run(&arguments),
        Task::Corpus(arguments) => corpus::run(&arguments),
        Task::Csmith(arguments) => csmith::run(&arguments),
        Task::Deadlocks(arguments) => deadlocks::run(&arguments),
        Task::Differential(arguments) => differential::run(&arguments),
        Task::Foreign(arguments) => foreign::run(&arguments),
        Task::Fuzz(arguments) => fuzz::run(&arguments),
        Task::Native(arguments) => native::run(&arguments),
        Task::NativeRecording(arguments) => native_recording::run(&arguments),
        Task::BenchSpeed(arguments) => bench_speed::run(&arguments),
        Task::Invariants(arguments) => invariants::run(&arguments),
        Task::Growth(arguments) => growth::run(&arguments),
        Task::Predictions(arguments) => predictions::run(&arguments),
        Task::Orders(arguments) => orders::run(&arguments),
        Task::Monitor(arguments) => monitor::run(&arguments),
        Task::RaceProofs(arguments) => race_proofs::run(&arguments),
        Task::Shortcuts(arguments) => shortcuts::run(&arguments),
        Task::SeedBugs(arguments) => seed_bugs::run(&arguments),
        Task::Witnesses(arguments) => witnesses::run(&arguments),
        Task::Paper(arguments) => paper::run(&arguments),
        Task::Measure(arguments) => measure::run(&arguments),
        Task::Generate { seed, features, small, guarded } => {
            print!("{}", differential::program(seed, features, small, guarded));
            ExitCode::SUCCESS
        }
    }
}
