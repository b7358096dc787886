//! `cargo xtask monitor`: many generated programs, or given ones, in the interpreter, with every access, call and value
//! compared with what the analyses claim. Whatever contradicts a claim is printed.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use testkit::Features;
use testkit::monitor::{Watching, watch};
use testkit::race_programs::generate_race_program;
use testkit::subject::Subject;

#[derive(Args)]
pub struct Arguments {
    /// How many generated programs.
    #[arg(long, default_value_t = 2000)]
    count: u64,
    /// The seed of the first program; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Random schedules of each program.
    #[arg(long, default_value_t = 3)]
    schedules: u64,
    /// The features of the programs of the general generator, which take turns with those about races.
    #[arg(long, default_value = "all", value_parser = Features::parse)]
    features: Features,
    /// Programs at a time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Watch these C files instead.
    files: Vec<PathBuf>,
}

#[derive(Default)]
struct Tally {
    watched: u64,
    rejected: u64,
    contradicted: u64,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(0);
    let count = if arguments.files.is_empty() { arguments.count } else { arguments.files.len() as u64 };
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    watch_one(arguments, index, &tally);
                }
            });
        }
    });
    let Tally { watched, rejected, contradicted } = tally.into_inner().expect("no worker should panic");
    println!("{watched} programs watched, {rejected} rejected, {contradicted} contradict an analysis");
    if contradicted == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn watch_one(arguments: &Arguments, index: u64, tally: &Mutex<Tally>) {
    let seed = arguments.seed + index;
    let (name, subject) = match arguments.files.get(index as usize) {
        Some(path) => (path.display().to_string(), Subject::from_file(path)),
        None if seed.is_multiple_of(2) => (format!("seed {seed}"), Subject::from_text(&generate_race_program(seed))),
        None => (format!("seed {seed}"), Subject::from_text(&testkit::generate(seed, arguments.features).to_string())),
    };
    let Ok(subject) = subject else {
        tally.lock().expect("no worker should panic").rejected += 1;
        return;
    };
    let watching = Watching { inputs: None, seed, schedules: arguments.schedules, steps: 300 };
    let found = watch(&subject, &watching);
    let mut tally = tally.lock().expect("no worker should panic");
    tally.watched += 1;
    match found {
        Ok(found) if found.is_empty() => return,
        Ok(found) => found.iter().for_each(|one| println!("{name}: {}: {}", one.analysis, one.message)),
        Err(message) => println!("{name}: panic: {message}"),
    }
    tally.contradicted += 1;
}
