//! `cargo xtask foreign`: random traces of foreign programs, compared with all their orders, or one long one as a file.

use std::io::BufWriter;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use testkit::foreign_judge::compare_foreign;
use testkit::foreign_traces::{TraceShape, generate_small_trace, generate_trace};
use testkit::subject::caught;

#[derive(Args)]
pub struct Arguments {
    /// How many small traces to compare.
    #[arg(long, default_value_t = 10_000)]
    count: u64,
    /// The seed of the first trace; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write one trace of this many events instead.
    #[arg(long, requires = "output")]
    events: Option<usize>,
    /// Where that trace goes.
    #[arg(long)]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    match (arguments.events, &arguments.output) {
        (Some(events), Some(output)) => match write_long(arguments.seed, events, output) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{}: {error}", output.display());
                ExitCode::FAILURE
            }
        },
        _ => compare(arguments),
    }
}

fn write_long(seed: u64, events: usize, output: &PathBuf) -> std::io::Result<()> {
    let shape = TraceShape {
        events,
        threads: 16,
        variables: events / 50 + 1,
        locks: 64,
        locations: events / 500 + 1,
        guarded: 97,
        nesting: 2,
    };
    let file = std::fs::File::create(output)?;
    ::foreign::write(&generate_trace(seed, shape), &mut BufWriter::new(file))
}

fn compare(arguments: &Arguments) -> ExitCode {
    let (mut wrong, mut with_findings) = (0, 0);
    for seed in arguments.seed..arguments.seed + arguments.count {
        let trace = generate_small_trace(seed);
        match caught(|| compare_foreign(&trace)).unwrap_or_else(Err) {
            Ok(truth) => with_findings += usize::from(!truth.is_empty()),
            Err(difference) => {
                wrong += 1;
                println!("seed {seed}: {difference}");
                let _ = ::foreign::write(&trace, &mut std::io::stdout());
            }
        }
    }
    println!("{} traces: {with_findings} with something to find, {wrong} wrong", arguments.count);
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
