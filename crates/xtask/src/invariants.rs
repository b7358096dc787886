//! `cargo xtask invariants`: what is told about many generated programs, judged by the explorer. Programs with a false
//! invariant are printed.

use std::process::ExitCode;

use clap::Args;
use testkit::told_invariants::judge;
use testkit::{Features, generate};

#[derive(Args)]
pub struct Arguments {
    /// How many programs.
    #[arg(long, default_value_t = 500)]
    count: u64,
    /// The seed of the first program; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// For example `core`, `core,pointers` or `all,-barriers`.
    #[arg(long, default_value = "all", value_parser = Features::parse)]
    features: Features,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            eprintln!("no temporary folder: {error}");
            return ExitCode::FAILURE;
        }
    };
    let path = folder.path().join("generated.i");
    let (mut told, mut asked, mut reached, mut wrong) = (0, 0, 0, 0);
    for seed in arguments.seed..arguments.seed + arguments.count {
        let text = generate(seed, arguments.features).to_string();
        if let Err(error) = std::fs::write(&path, &text) {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
        match judge(&path, &(0..=1)) {
            Ok(judged) => {
                told += judged.told.len();
                asked += usize::from(judged.is_reached.is_some());
                reached += usize::from(judged.is_reached == Some(true));
            }
            Err(problem) => {
                wrong += 1;
                println!("seed {seed}: {problem}\n{text}");
            }
        }
    }
    println!(
        "{} programs: {told} invariants in {asked}, one of each opposite seen to fail in {reached}, {wrong} wrong",
        arguments.count
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
