//! `cargo xtask differential`: many generated programs, every engine alone against the explorer on several properties at
//! once, disagreements shrunk and written to a folder, and a table of all answers at the end.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use engines::Engine;
use program::{Property, PropertySet, UnknownReason};
use testkit::differential::{
    ComparedProgram, DifferentialOptions, Grade, TreeVariants, Truth, compare, shrink_disagreement, shrink_unsupported,
};
use testkit::generate::{ThreadSize, generate_sized};
use testkit::{CProgram, Features, guard};

#[derive(Args)]
pub struct Arguments {
    /// How many programs.
    #[arg(long, default_value_t = 2000)]
    count: u64,
    /// The seed of the first program; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// For example `core`, `core,pointers` or `all,-barriers`.
    #[arg(long, default_value = "all", value_parser = Features::parse)]
    features: Features,
    /// Small programs: more of them in the same time, and engines that go through interleavings one by one keep up.
    #[arg(long)]
    small: bool,
    /// Put most statements under locks, in every third program: for races.
    #[arg(long)]
    guarded: bool,
    /// Only this property (repeatable). Default: assert, no-data-race, no-deadlock, valid-deref and lock-misuse.
    #[arg(long = "property", value_parser = property)]
    properties: Vec<Property>,
    /// Only this engine (repeatable).
    #[arg(long = "engine", value_parser = engine)]
    engines: Vec<&'static dyn Engine>,
    /// Programs with more states are skipped.
    #[arg(long, default_value_t = 5_000)]
    max_states: u64,
    /// Trees with more leaves are explored only by `lazy`, where it leaves out states that were met before.
    #[arg(long, default_value_t = 1_000_000_000)]
    max_leaves: u128,
    /// Ask the engines over the reachability tree in all their variants instead of with all reductions.
    #[arg(long)]
    all_variants: bool,
    /// Milliseconds that an engine may take for one program.
    #[arg(long, default_value_t = 500)]
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

const PROPERTIES: [Property; 5] =
    [Property::Assert, Property::NoDataRace, Property::NoDeadlock, Property::ValidDeref, Property::LockMisuse];

fn options(arguments: &Arguments) -> DifferentialOptions {
    let asked = |engines: &[&'static dyn Engine]| -> Vec<&'static dyn Engine> {
        let is_asked = |engine: &&'static dyn Engine| {
            arguments.engines.is_empty() || arguments.engines.iter().any(|asked| asked.name() == engine.name())
        };
        engines.iter().copied().filter(is_asked).collect()
    };
    let properties = if arguments.properties.is_empty() { &PROPERTIES[..] } else { &arguments.properties };
    let timeout = Duration::from_millis(arguments.timeout);
    DifferentialOptions {
        properties: PropertySet::of(properties),
        engines: asked(&engines::ENGINES),
        provers: asked(&engines::PROVERS),
        max_states: arguments.max_states,
        max_leaves: arguments.max_leaves,
        tree_variants: if arguments.all_variants { TreeVariants::All } else { TreeVariants::Reduced },
        timeout,
        exploration_timeout: Some(timeout),
        ..DifferentialOptions::default()
    }
}

/// How often an engine gave which kind of answer about a property.
#[derive(Clone, Copy, Default)]
struct Counts {
    right: u64,
    bounded: u64,
    undecided: u64,
    unproved: u64,
    not_asked: u64,
    wrong: u64,
}

impl Counts {
    fn add(&mut self, grade: &Grade) {
        *match grade {
            Grade::Right => &mut self.right,
            Grade::Bounded => &mut self.bounded,
            Grade::Undecided(_) => &mut self.undecided,
            Grade::Unproved => &mut self.unproved,
            Grade::NotAsked => &mut self.not_asked,
            Grade::Wrong => &mut self.wrong,
        } += 1;
    }

    /// How many answers an engine that decides should have given.
    fn expected(self) -> u64 {
        self.right + self.bounded + self.undecided + self.not_asked + self.wrong
    }
}

/// What the explorer knew about a property.
#[derive(Clone, Copy, Default)]
struct Known {
    violated: u64,
    safe: u64,
    skipped: u64,
}

impl Known {
    fn total(self) -> u64 {
        self.violated + self.safe + self.skipped
    }
}

/// What has been counted so far.
#[derive(Default)]
struct Tally {
    programs: u64,
    disagreements: u64,
    states: u64,
    known: BTreeMap<Property, Known>,
    /// In the order in which engines are asked.
    answers: Vec<(&'static str, BTreeMap<Property, Counts>)>,
    times: BTreeMap<&'static str, Duration>,
    /// Why the explorer has left questions open, and how often.
    reasons: BTreeMap<String, u64>,
}

impl Tally {
    fn add(&mut self, comparison: &ComparedProgram) {
        self.programs += 1;
        self.states += comparison.states;
        self.disagreements += comparison.disagreements.len() as u64;
        for (property, truth) in &comparison.truths {
            let known = self.known.entry(*property).or_default();
            match truth {
                Truth::Violated => known.violated += 1,
                Truth::Safe => known.safe += 1,
                Truth::Skipped(reason) => {
                    known.skipped += 1;
                    // Without the place.
                    let reason = reason.split(", span").next().unwrap_or(reason);
                    *self.reasons.entry(reason.to_owned()).or_default() += 1;
                }
            }
        }
        for answer in &comparison.answers {
            let at = self.answers.iter().position(|(who, _)| *who == answer.who).unwrap_or_else(|| {
                self.answers.push((answer.who, BTreeMap::new()));
                self.answers.len() - 1
            });
            self.answers[at].1.entry(answer.property).or_default().add(&answer.grade);
        }
        for (who, time) in &comparison.times {
            *self.times.entry(who).or_default() += *time;
        }
    }

    /// The share of questions that the explorer left open, in percent.
    fn skipped(&self) -> f64 {
        let all: u64 = self.known.values().map(|known| known.total()).sum();
        percent(self.known.values().map(|known| known.skipped).sum(), all)
    }

    /// The share of questions that engines which should decide them left open or answered up to a bound, in percent.
    fn undecided(&self) -> f64 {
        let counts = || self.answers.iter().flat_map(|(_, counts)| counts.values());
        let deciding = || counts().filter(|counts| counts.unproved == 0);
        let open = deciding().map(|counts| counts.undecided + counts.bounded + counts.not_asked).sum();
        percent(open, deciding().map(|counts| counts.expected()).sum())
    }

    /// Milliseconds per program.
    fn time(&self, who: &str) -> f64 {
        let time = self.times.get(who).copied().unwrap_or_default();
        time.as_secs_f64() * 1000.0 / self.programs.max(1) as f64
    }

    fn print(&self, elapsed: Duration) {
        println!(
            "{} programs: {} disagreements, {:.1} % skipped, {:.1} % undecided; {} states on average; {:.0} s, {:.1} ms each",
            self.programs,
            self.disagreements,
            self.skipped(),
            self.undecided(),
            self.states / self.programs.max(1),
            elapsed.as_secs_f64(),
            elapsed.as_secs_f64() * 1000.0 / self.programs.max(1) as f64,
        );
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<30}{:>9}", "", "ms")?;
        self.known.keys().try_for_each(|property| write!(f, "{:>32}", property.name()))?;
        write!(f, "\n{:<30}{:>9.2}\n", "frontend", self.time("frontend"))?;
        write!(f, "{:<31}{:>8.2}", "explorer: violated/safe/skipped", self.time("explorer"))?;
        for known in self.known.values() {
            write!(f, "{:>32}", format!("{}/{}/{}", known.violated, known.safe, known.skipped))?;
        }
        writeln!(f, "\nengines: right/bounded/undecided/not asked/wrong (proofs: proved/open/wrong)")?;
        for (who, answers) in &self.answers {
            write!(f, "{who:<30}{:>9.2}", self.time(who))?;
            for property in self.known.keys() {
                let Counts { right, bounded, undecided, unproved, not_asked, wrong } =
                    answers.get(property).copied().unwrap_or_default();
                let mut cell = String::new();
                if unproved > 0 {
                    write!(cell, "{right}/{unproved}/{wrong}")?;
                } else {
                    write!(cell, "{right}/{bounded}/{undecided}/{not_asked}/{wrong}")?;
                }
                write!(f, "{cell:>32}")?;
            }
            writeln!(f)?;
        }
        self.reasons.iter().try_for_each(|(reason, count)| writeln!(f, "skipped {count} times: {reason}"))
    }
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let options = options(arguments);
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
    print!("{tally}");
    tally.print(began.elapsed());
    if tally.disagreements == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The program that a seed names; `guarded` means every third one.
pub fn program(seed: u64, features: Features, small: bool, guarded: bool) -> CProgram {
    let size = if small { ThreadSize::Small } else { ThreadSize::Usual };
    let mut program = generate_sized(seed, features, size);
    if guarded && seed.is_multiple_of(3) {
        guard(&mut program, seed, features);
    }
    program
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
        let program = program(seed, arguments.features, arguments.small, arguments.guarded);
        let comparison = compare(&program.to_string(), options);
        for (engine, property, reason) in comparison.undecided() {
            let message = format!("{engine} does not know {property}: {reason}");
            if arguments.verbose || arguments.shrink_unsupported {
                println!("seed {seed}: {message}");
            }
            if arguments.shrink_unsupported && matches!(reason, UnknownReason::Unsupported { .. }) {
                let small = shrink_unsupported(&program, engine, property, options).to_string();
                report(arguments, seed, property.name(), engine, &message, &small);
            }
        }
        for found in &comparison.disagreements {
            println!("seed {seed}: {found}");
            let small = shrink_disagreement(&program, found, options).to_string();
            let property = found.property.map_or("all", |property| property.name());
            report(arguments, seed, property, found.who, &found.to_string(), &small);
        }
        let mut tally = tally.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        tally.add(&comparison);
        if tally.programs.is_multiple_of(500) {
            tally.print(began.elapsed());
        }
    }
}

fn report(arguments: &Arguments, seed: u64, property: &str, who: &str, message: &str, small: &str) {
    let (folder, features): (&Path, Features) = (&arguments.output, arguments.features);
    let path = folder.join(format!("{property}_{}_{seed}.c", who.replace([' ', ','], "_")));
    let message = message.replace('\n', "\n// ");
    let flags = [(arguments.small, " --small"), (arguments.guarded, " --guarded")];
    let flags: String = flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).collect();
    let source = format!("cargo xtask generate --seed {seed}{flags} --features {features}");
    let text = format!("// {message}\n// Shrunk from: {source}\n{small}");
    match std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text)) {
        Ok(()) => println!("seed {seed}: shrunk to {}", path.display()),
        Err(error) => println!("seed {seed}: {}: {error}", path.display()),
    }
}
