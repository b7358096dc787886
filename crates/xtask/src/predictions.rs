//! `cargo xtask predictions`: one random run of each of many generated programs, predicted and compared with the explorer.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use program::Property;
use testkit::predictions::{PredictionOptions, compare_prediction};
use testkit::shrink::shrink;
use testkit::{Features, generate, guard};

#[derive(Args)]
pub struct Arguments {
    /// How many programs.
    #[arg(long, default_value_t = 5000)]
    count: u64,
    /// The seed of the first program and its run; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// For example `core`, `core,pointers` or `all,-barriers`.
    #[arg(long, default_value = "core", value_parser = Features::parse)]
    features: Features,
    /// Put most statements under locks: for races.
    #[arg(long)]
    guarded: bool,
    /// What is looked for.
    #[arg(long, default_value = "assert", value_parser = property)]
    property: Property,
    /// Runs with more states are skipped.
    #[arg(long, default_value_t = 50_000)]
    max_states: u64,
    /// Compare what so many context switches can do with what is possible at all.
    #[arg(long)]
    context_bound: Option<u32>,
    /// Merge so many runs of each program.
    #[arg(long, default_value_t = 1)]
    runs: u64,
}

fn property(name: &str) -> Result<Property, String> {
    name.parse().map_err(|()| format!("`{name}` is no property"))
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let options = PredictionOptions {
        context_bound: arguments.context_bound,
        runs: arguments.runs,
        ..PredictionOptions::new(arguments.property, arguments.max_states, Duration::from_secs(20))
    };
    // Panics are findings here and are reported with their program.
    std::panic::set_hook(Box::new(|_| {}));
    let began = Instant::now();
    let (mut violated, mut safe, mut skipped, mut mistakes, mut states) = (0, 0, 0, 0, 0);
    for seed in arguments.seed..arguments.seed + arguments.count {
        let mut program = generate(seed, arguments.features);
        if arguments.guarded {
            guard(&mut program, seed, arguments.features);
        }
        let compared = compare_prediction(&program.to_string(), seed, &options);
        states += compared.states;
        match (&compared.skipped, compared.is_violated) {
            (Some(_), _) => skipped += 1,
            (None, true) => violated += 1,
            (None, false) => safe += 1,
        }
        if (seed + 1 - arguments.seed).is_multiple_of(500) {
            println!("{} runs, {mistakes} wrong, {:.0} s", seed + 1 - arguments.seed, began.elapsed().as_secs_f64());
        }
        if let Some(first) = compared.mistakes.first() {
            mistakes += 1;
            let same = |kind: &testkit::predictions::PredictionMistake| {
                std::mem::discriminant(kind) == std::mem::discriminant(first)
            };
            let small = shrink(&program, |smaller| {
                compare_prediction(&smaller.to_string(), seed, &options).mistakes.iter().any(same)
            });
            for mistake in &compared.mistakes {
                println!("seed {seed}: {mistake}");
            }
            println!("{small}");
        }
    }
    println!(
        "{} runs: {violated} with a violation in a reordering, {safe} without, {skipped} skipped, {mistakes} wrong; \
         {} states on average; {:.0} s",
        arguments.count,
        states / arguments.count.max(1),
        began.elapsed().as_secs_f64()
    );
    if mistakes == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
