//! Compares the theory with the naive reference on many random graphs, re-checking every reason and conflict clause.
//!
//!     cargo run --release -p order --example theory_vs_reference -- --count 100000 --seed 1

#![allow(clippy::print_stdout, reason = "an example reports to the terminal")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::process::ExitCode;

use support::differential::{Tally, run_case};

fn main() -> ExitCode {
    let (mut count, mut seed) = (100_000u64, 1u64);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().and_then(|value| value.parse().ok());
        match (name.as_str(), value) {
            ("--count", Some(value)) => count = value,
            ("--seed", Some(value)) => seed = value,
            _ => {
                println!("usage: theory_vs_reference [--count N] [--seed N]");
                return ExitCode::from(2);
            }
        }
    }
    let mut tally = Tally::default();
    for case in 0..count {
        // Seeds of different runs do not overlap.
        if let Err(problem) = run_case(seed << 32 | case, &mut tally) {
            println!("{problem}");
            return ExitCode::FAILURE;
        }
        if (case + 1) % 10_000 == 0 {
            println!("{} graphs: {tally:?}", case + 1);
        }
    }
    println!("no difference: {tally:?}");
    ExitCode::SUCCESS
}
