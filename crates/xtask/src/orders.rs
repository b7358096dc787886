//! `cargo xtask orders`: many generated programs about memory orders and what reveals without ordering, every engine
//! against the explorer. Whatever is wrong is shrunk and printed.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use engines::Engine;
use program::Property;
use testkit::differential::{DifferentialOptions, Disagreement, Truth, compare};
use testkit::order_programs::generate_order_program;
use testkit::predictions::{PredictionMistake, PredictionOptions, compare_prediction};
use testkit::race_proofs::shrink_text;

#[derive(Args)]
pub struct Arguments {
    /// How many programs.
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// The seed of the first program; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this engine (repeatable).
    #[arg(long = "engine", value_parser = super::differential::engine)]
    engines: Vec<&'static dyn Engine>,
    /// Stop after so many seconds.
    #[arg(long)]
    seconds: Option<u64>,
    /// Compare prediction from one recorded run with all reorderings of it instead.
    #[arg(long)]
    predict: bool,
    /// Print the program of the first seed.
    #[arg(long)]
    print: bool,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    if arguments.print {
        print!("{}", generate_order_program(arguments.seed));
        return ExitCode::SUCCESS;
    }
    if arguments.predict {
        return run_predictions(arguments);
    }
    let mut options = DifferentialOptions {
        max_states: 20_000,
        timeout: Duration::from_secs(10),
        ..DifferentialOptions::on(Property::NoDataRace)
    };
    if !arguments.engines.is_empty() {
        options.engines = arguments.engines.clone();
    }
    let began = Instant::now();
    let (mut violated, mut safe, mut skipped, mut undecided, mut wrong) = (0, 0, 0, 0, 0);
    for seed in arguments.seed..arguments.seed + arguments.count {
        if arguments.seconds.is_some_and(|limit| began.elapsed().as_secs() >= limit) {
            println!("stopped before seed {seed}");
            break;
        }
        let text = generate_order_program(seed);
        let comparison = compare(&text, &options);
        match comparison.truth(Property::NoDataRace) {
            Truth::Violated => violated += 1,
            Truth::Safe => safe += 1,
            Truth::Skipped(_) => skipped += 1,
        }
        if let Some((who, _, reason)) = comparison.undecided().next() {
            undecided += 1;
            println!("seed {seed}: {who} is undecided: {reason:?}");
        }
        if let Some(first) = comparison.disagreements.first() {
            wrong += 1;
            let same = |other: &Disagreement| other.is_like(first);
            let is_wrong = |candidate: &str| compare(candidate, &options).disagreements.iter().any(same);
            println!("seed {seed}: {first}\n{}", shrink_text(&text, is_wrong));
        }
    }
    println!(
        "{violated} violated, {safe} safe, {skipped} skipped, {undecided} undecided, {wrong} wrong; {:.0} s",
        began.elapsed().as_secs_f64()
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_predictions(arguments: &Arguments) -> ExitCode {
    let options = PredictionOptions::new(Property::NoDataRace, 20_000, Duration::from_secs(10));
    let began = Instant::now();
    let (mut violated, mut skipped, mut compared, mut wrong) = (0, 0, 0, 0);
    for seed in arguments.seed..arguments.seed + arguments.count {
        if arguments.seconds.is_some_and(|limit| began.elapsed().as_secs() >= limit) {
            println!("stopped before seed {seed}");
            break;
        }
        let text = generate_order_program(seed);
        let found = compare_prediction(&text, seed, &options);
        compared += 1;
        violated += u32::from(found.is_violated);
        skipped += u32::from(found.skipped.is_some());
        if let Some(first) = found.mistakes.first() {
            wrong += 1;
            let same = |other: &PredictionMistake| std::mem::discriminant(other) == std::mem::discriminant(first);
            let is_wrong = |candidate: &str| compare_prediction(candidate, seed, &options).mistakes.iter().any(same);
            println!("seed {seed}: {first}\n{}", shrink_text(&text, is_wrong));
        }
    }
    println!("{compared} runs: {violated} violated, {skipped} skipped, {wrong} wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
