//! `cargo xtask fuzz`: many mutated programs through front end, verifier, text form and a short run, or through the
//! default engine and the explorer. Panics are caught, hangs are seen by a watchdog, and the text that a worker is busy
//! with is in a file in case the process dies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use clap::Args;
use testkit::agree::{JointAnswer, agree};
use testkit::mutate::Mutator;
use testkit::seed_text::{SeedText, seed_texts};
use testkit::survive::{Survival, survive};

#[derive(Args)]
pub struct Arguments {
    /// How many mutants.
    #[arg(long, default_value_t = 100_000)]
    count: u64,
    /// The seed of the first mutant; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Mutants at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Seconds after which a mutant counts as hanging.
    #[arg(long, default_value_t = 5)]
    patience: u64,
    /// Where texts that we choke on are written.
    #[arg(long, default_value = "target/fuzz")]
    output: PathBuf,
    /// Ask the default engine and the explorer about each mutant, a second each, instead of running it a little.
    #[arg(long)]
    engines: bool,
    /// Print the first mutant instead.
    #[arg(long)]
    print: bool,
}

/// Runs stay on the worker's own stack, which is as large as a program's main thread usually gets.
const STACK_SIZE: usize = 8 << 20;

/// After so many hanging workers there is nothing more to learn.
const MAX_HANGS: u64 = 10;

/// What the workers and the watchdog share.
struct Shared {
    engines: bool,
    seeds: Vec<SeedText>,
    output: PathBuf,
    next: AtomicU64,
    end: u64,
    tally: Mutex<Tally>,
    /// What each worker is busy with, and since when; `None` when it has finished.
    busy: Mutex<Vec<Option<Busy>>>,
}

#[derive(Clone, Copy)]
struct Busy {
    seed: u64,
    since: Instant,
    given_up: bool,
}

#[derive(Default)]
struct Tally {
    mutants: u64,
    /// How many came how far, in words.
    fates: BTreeMap<&'static str, u64>,
    defects: u64,
    hangs: u64,
    slowest: (Duration, u64),
}

impl Tally {
    fn add(&mut self, seed: u64, fate: &Result<&'static str, String>, took: Duration) {
        self.mutants += 1;
        self.slowest = self.slowest.max((took, seed));
        match fate {
            Ok(fate) => *self.fates.entry(fate).or_default() += 1,
            Err(_) => self.defects += 1,
        }
    }

    fn print(&self, elapsed: Duration) {
        let Tally { mutants, fates, defects, hangs, slowest } = self;
        let fates: Vec<String> = fates.iter().map(|(fate, count)| format!("{count} {fate}")).collect();
        println!(
            "{mutants} mutants: {}; {defects} defects, {hangs} hangs; slowest {:.2} s (seed {}); {:.0} s",
            fates.join(", "),
            slowest.0.as_secs_f64(),
            slowest.1,
            elapsed.as_secs_f64()
        );
    }
}

/// What comes of one text, in words; an error is our fault.
fn fate_of(text: &[u8], seed: u64, engines: bool) -> Result<&'static str, String> {
    if engines {
        let answers = agree(&String::from_utf8_lossy(text), seed).map_err(|disagreement| disagreement.to_string())?;
        return Ok(match answers {
            JointAnswer::Rejected => "rejected with a diagnostic",
            JointAnswer::Open => "without a verdict",
            JointAnswer::Proved => "proved",
            JointAnswer::Violated => "violated",
        });
    }
    let fate = survive(text, seed).map_err(|defect| defect.to_string())?;
    Ok(match fate {
        Survival::Rejected => "rejected with a diagnostic",
        Survival::TooLarge => "compiled, verified and read back",
        Survival::Ran => "compiled, verified, read back and run",
    })
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let seeds = match seed_texts(&[Path::new("tests/programs"), Path::new("examples")]) {
        Ok(seeds) => seeds,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    if arguments.print {
        println!("{}", String::from_utf8_lossy(&Mutator::new(&seeds).mutant(arguments.seed)));
        return ExitCode::SUCCESS;
    }
    if let Err(error) = std::fs::create_dir_all(&arguments.output) {
        eprintln!("{}: {error}", arguments.output.display());
        return ExitCode::FAILURE;
    }
    // Panics are findings here and are reported with their mutant.
    std::panic::set_hook(Box::new(|_| {}));
    let began = Instant::now();
    let shared = Arc::new(Shared {
        engines: arguments.engines,
        seeds,
        output: arguments.output.clone(),
        next: AtomicU64::new(arguments.seed),
        end: arguments.seed.saturating_add(arguments.count),
        tally: Mutex::default(),
        busy: Mutex::default(),
    });
    (0..arguments.jobs.max(1)).for_each(|_| start_worker(&shared));
    watch(&shared, Duration::from_secs(arguments.patience), began);
    let tally = locked(&shared.tally);
    tally.print(began.elapsed());
    let is_fine = tally.defects == 0 && tally.hangs == 0;
    // Hanging workers are never joined: they end with the process.
    if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Waits for the workers. One that hangs is given up and another one takes its place.
fn watch(shared: &Arc<Shared>, patience: Duration, began: Instant) {
    let mut printed = 0;
    loop {
        std::thread::sleep(Duration::from_millis(200));
        let mut hanging = Vec::new();
        let mut is_over = true;
        for busy in locked(&shared.busy).iter_mut().flatten().filter(|busy| !busy.given_up) {
            is_over = false;
            if busy.since.elapsed() > patience {
                busy.given_up = true;
                hanging.push(busy.seed);
            }
        }
        for seed in hanging {
            report(shared, seed, "hangs");
            let mut tally = locked(&shared.tally);
            tally.mutants += 1;
            tally.hangs += 1;
            if tally.hangs >= MAX_HANGS {
                println!("too many hangs, giving up");
                return;
            }
            drop(tally);
            start_worker(shared);
            is_over = false;
        }
        if is_over {
            return;
        }
        let tally = locked(&shared.tally);
        if tally.mutants / 10_000 > printed {
            printed = tally.mutants / 10_000;
            tally.print(began.elapsed());
        }
    }
}

fn start_worker(shared: &Arc<Shared>) {
    let mut busy = locked(&shared.busy);
    let number = busy.len();
    busy.push(Some(Busy { seed: 0, since: Instant::now(), given_up: false }));
    drop(busy);
    let shared = Arc::clone(shared);
    let worker = std::thread::Builder::new().stack_size(STACK_SIZE);
    worker.spawn(move || work(&shared, number)).expect("a thread should start");
}

fn work(shared: &Shared, number: usize) {
    let mutator = Mutator::new(&shared.seeds);
    let in_flight = shared.output.join(format!("in_flight_{number}.c"));
    loop {
        let seed = shared.next.fetch_add(1, Ordering::Relaxed);
        if seed >= shared.end {
            break;
        }
        let text = mutator.mutant(seed);
        // If a stack overflows, this file tells what did it.
        drop(std::fs::write(&in_flight, &text));
        let began = Instant::now();
        locked(&shared.busy)[number] = Some(Busy { seed, since: began, given_up: false });
        let fate = fate_of(&text, seed, shared.engines);
        let was_given_up = locked(&shared.busy)[number].is_some_and(|busy| busy.given_up);
        if was_given_up {
            // Counted as a hang, and replaced.
            return;
        }
        if let Err(defect) = &fate {
            report(shared, seed, defect);
        }
        locked(&shared.tally).add(seed, &fate, began.elapsed());
    }
    drop(std::fs::remove_file(&in_flight));
    locked(&shared.busy)[number] = None;
}

fn report(shared: &Shared, seed: u64, what: &str) {
    let path = shared.output.join(format!("mutant_{seed}.c"));
    let text = Mutator::new(&shared.seeds).mutant(seed);
    match std::fs::write(&path, text) {
        Ok(()) => println!("seed {seed}: {what}; see {}", path.display()),
        Err(error) => println!("seed {seed}: {what}; {}: {error}", path.display()),
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
