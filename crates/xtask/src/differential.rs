//! `cargo xtask differential`: many generated programs, every engine against the explorer, disagreements shrunk and
//! written to a folder.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use engines::Engine;
use program::{Property, UnknownReason};
use testkit::differential::{Comparison, DifferentialOptions, Truth, compare, shrink_disagreement, shrink_unsupported};
use testkit::{Features, generate, guard};

#[derive(Args)]
pub struct Arguments {
    /// How many programs.
    #[arg(long, default_value_t = 2000)]
    count: u64,
    /// The seed of the first program; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// For example `core`, `core,pointers` or `all,-barriers`.
    #[arg(long, default_value = "core", value_parser = Features::parse)]
    features: Features,
    /// Put most statements under locks: for races.
    #[arg(long)]
    guarded: bool,
    /// What is checked.
    #[arg(long, default_value = "assert", value_parser = property)]
    property: Property,
    /// Only this engine (repeatable).
    #[arg(long = "engine", value_parser = engine)]
    engines: Vec<&'static dyn Engine>,
    /// Programs with more states are skipped.
    #[arg(long, default_value_t = 50_000)]
    max_states: u64,
    /// Trees with more leaves are walked only by `lazy`, where it leaves out states that were met before.
    #[arg(long, default_value_t = 2_000)]
    max_leaves: u128,
    /// Seconds that an engine may take for one program.
    #[arg(long, default_value_t = 20)]
    timeout: u64,
    /// Where shrunk disagreements are written.
    #[arg(long, default_value = "target/disagreements")]
    output: PathBuf,
    /// Programs compared at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Also write down small programs that an engine does not support.
    #[arg(long)]
    shrink_unsupported: bool,
    /// Print each seed before it is tried.
    #[arg(long)]
    verbose: bool,
}

fn property(name: &str) -> Result<Property, String> {
    name.parse().map_err(|()| format!("`{name}` is no property"))
}

pub fn engine(name: &str) -> Result<&'static dyn Engine, String> {
    let names = || engines::all_engines().map(|engine| engine.name()).collect::<Vec<_>>().join(", ");
    engines::engine_named(name).ok_or_else(|| format!("the engines are {}", names()))
}

/// What has been counted so far.
#[derive(Default)]
struct Tally {
    programs: u64,
    violated: u64,
    safe: u64,
    skipped: u64,
    disagreements: u64,
    undecided: u64,
    states: u64,
}

impl Tally {
    fn add(&mut self, comparison: &Comparison) {
        self.programs += 1;
        self.states += comparison.states;
        self.undecided += u64::from(!comparison.undecided.is_empty());
        self.disagreements += u64::from(!comparison.disagreements.is_empty());
        match comparison.truth {
            Truth::Violated => self.violated += 1,
            Truth::Safe => self.safe += 1,
            Truth::Skipped(_) => self.skipped += 1,
        }
    }

    fn print(&self, elapsed: Duration) {
        let Tally { programs, violated, safe, skipped, disagreements, undecided, states } = self;
        println!(
            "{programs} programs: {violated} violated, {safe} safe, {skipped} skipped (state limit), \
             {undecided} undecided, {disagreements} disagreements; {} states on average; {:.0} s",
            states / programs.max(&1),
            elapsed.as_secs_f64()
        );
    }
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let mut options = DifferentialOptions {
        property: arguments.property,
        max_states: arguments.max_states,
        max_leaves: arguments.max_leaves,
        timeout: Duration::from_secs(arguments.timeout),
        ..DifferentialOptions::default()
    };
    if !arguments.engines.is_empty() {
        options.engines = arguments.engines.clone();
    }
    // Panics are findings here and are reported with their program.
    std::panic::set_hook(Box::new(|_| {}));
    let began = Instant::now();
    let next = AtomicU64::new(arguments.seed);
    let tally = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| work(arguments, &options, &next, &tally, began));
        }
    });
    let tally = tally.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    tally.print(began.elapsed());
    if tally.disagreements == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn work(arguments: &Arguments, options: &DifferentialOptions, next: &AtomicU64, tally: &Mutex<Tally>, began: Instant) {
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed - arguments.seed >= arguments.count {
            return;
        }
        if arguments.verbose {
            eprintln!("seed {seed}");
        }
        let mut program = generate(seed, arguments.features);
        if arguments.guarded {
            guard(&mut program, seed, arguments.features);
        }
        let comparison = compare(&program.to_string(), options);
        for (engine, reason) in &comparison.undecided {
            let message = format!("{engine} does not know: {reason}");
            println!("seed {seed}: {message}");
            if arguments.shrink_unsupported && matches!(reason, UnknownReason::Unsupported { .. }) {
                let small = shrink_unsupported(&program, engine, options).to_string();
                report(arguments, seed, engine, &message, &small);
            }
        }
        for found in &comparison.disagreements {
            println!("seed {seed}: {found}");
            let small = shrink_disagreement(&program, found, options).to_string();
            report(arguments, seed, found.who, &found.to_string(), &small);
        }
        let mut tally = tally.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        tally.add(&comparison);
        if tally.programs.is_multiple_of(200) {
            tally.print(began.elapsed());
        }
    }
}

fn report(arguments: &Arguments, seed: u64, who: &str, message: &str, small: &str) {
    let (folder, features): (&Path, Features) = (&arguments.output, arguments.features);
    let path = folder.join(format!("{}_{who}_{seed}.c", arguments.property));
    let message = message.replace('\n', "\n// ");
    let text =
        format!("// {message}\n// Shrunk from: cargo xtask generate --seed {seed} --features {features}\n{small}");
    match std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text)) {
        Ok(()) => println!("seed {seed}: shrunk to {}", path.display()),
        Err(error) => println!("seed {seed}: {}: {error}", path.display()),
    }
}
