//! `cargo xtask seed-bugs`: puts bugs into safe programs and measures how many of them a check finds. A mutant counts only
//! if an execution of the interpreter shows its bug and none of the original does; nothing is written anywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use base::Budget;
use clap::Args;
use engines::{NullObserver, UnwindLimits};
use execute::{Code, End, ExploreOptions, Pct, RandomChoices, RandomScheduler, RunOptions, Scheduler};
use frontend::CompileOptions;
use portfolio::{Check, NullListener, Strategy};
use program::{Analyses, Outcome, Program, Property, PropertySet, Visibility};
use testkit::bug_seeds::{Mistake, seeds};
use testkit::subject::caught;

#[derive(Args)]
pub struct Arguments {
    /// Folders or files with safe programs.
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    #[arg(long, default_value = "order")]
    engine: String,
    /// Confirmed mutants of each property at most.
    #[arg(long, default_value_t = 200)]
    count: usize,
    /// Mutants of one program and mistake at most.
    #[arg(long, default_value_t = 4)]
    per_program: usize,
    /// Seconds for a check.
    #[arg(long, default_value_t = 10)]
    timeout: u64,
    /// Do not try executions before the engine.
    #[arg(long)]
    no_falsify: bool,
}

/// Executions that try to show a bug.
const RUNS: u64 = 300;
const STEPS: u64 = 20_000;
const STATES: u64 = 20_000;
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Default)]
struct Row {
    tried: usize,
    confirmed: usize,
    found: usize,
    /// Proved not to be there: wrong answers.
    denied: usize,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    if engines::engine_named(&arguments.engine).is_none() {
        eprintln!("there is no engine `{}`", arguments.engine);
        return ExitCode::FAILURE;
    }
    std::panic::set_hook(Box::new(|_| {}));
    let mut rows = Rows::new();
    let files = files(&arguments.sources);
    for (number, path) in files.iter().enumerate() {
        if Mistake::ALL.into_iter().all(|mistake| rows.confirmed(mistake.property()) >= arguments.count) {
            break;
        }
        let compiled = caught(|| frontend::compile(std::slice::from_ref(path), &CompileOptions::default()));
        let Ok(Ok(compiled)) = compiled else { continue };
        for property in rows.properties() {
            if rows.confirmed(property) < arguments.count {
                seed_all(arguments, path, &compiled.program, property, &mut rows);
            }
        }
        if number % 50 == 49 {
            eprintln!("{} of {} programs; {}", number + 1, files.len(), rows.summary());
        }
    }
    rows.print();
    if rows.0.values().any(|row| row.denied > 0) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// What became of each mistake.
struct Rows(BTreeMap<Mistake, Row>);

impl Rows {
    fn new() -> Self {
        Rows(Mistake::ALL.into_iter().map(|mistake| (mistake, Row::default())).collect())
    }

    fn properties(&self) -> BTreeSet<Property> {
        self.0.keys().map(|mistake| mistake.property()).collect()
    }

    fn total(&self, property: Property, count: impl Fn(&Row) -> usize) -> usize {
        self.0.iter().filter(|(mistake, _)| mistake.property() == property).map(|(_, row)| count(row)).sum()
    }

    fn confirmed(&self, property: Property) -> usize {
        self.total(property, |row| row.confirmed)
    }

    fn summary(&self) -> String {
        let share =
            |property| format!("{property} {}/{}", self.total(property, |row| row.found), self.confirmed(property));
        self.properties().into_iter().map(share).collect::<Vec<_>>().join(", ")
    }

    fn print(&self) {
        println!("| property | mistake | mutants | confirmed | found | % |\n|---|---|---|---|---|---|");
        let line = |property: Property, mistake: String, tried: usize, confirmed: usize, found: usize| {
            let share = 100.0 * found as f64 / confirmed.max(1) as f64;
            println!("| {property} | {mistake} | {tried} | {confirmed} | {found} | {share:.1} |");
        };
        for property in self.properties() {
            for (mistake, row) in self.0.iter().filter(|(mistake, _)| mistake.property() == property) {
                line(property, format!("{mistake:?}"), row.tried, row.confirmed, row.found);
            }
            let total = |count: fn(&Row) -> usize| self.total(property, count);
            line(
                property,
                "all".to_owned(),
                total(|row| row.tried),
                total(|row| row.confirmed),
                total(|row| row.found),
            );
        }
    }
}

fn files(sources: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = sources.to_vec();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).into_iter().flatten();
            open.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "i") {
            found.push(path);
        }
    }
    // Neighbours in a folder are alike; the order of their hashes mixes them, the same way each time.
    found.sort_by_cached_key(|path| {
        let mut hasher = DefaultHasher::new();
        path.file_name().hash(&mut hasher);
        (hasher.finish(), path.clone())
    });
    found
}

fn seed_all(arguments: &Arguments, path: &Path, original: &Program, property: Property, rows: &mut Rows) {
    let mistakes = Mistake::ALL.into_iter().filter(|mistake| mistake.property() == property);
    let mutants: Vec<(Mistake, Program)> = mistakes
        .flat_map(|mistake| {
            let all = seeds(original, mistake);
            let stride = all.len().div_ceil(arguments.per_program).max(1);
            all.into_iter().step_by(stride).map(move |mutant| (mistake, mutant))
        })
        .collect();
    if mutants.is_empty() || shows(original, property) {
        return;
    }
    for (mistake, mutant) in mutants {
        let full = rows.confirmed(property) >= arguments.count;
        let row = rows.0.entry(mistake).or_default();
        row.tried += 1;
        if full || !program::verify::verify(&mutant).is_empty() || !shows(&mutant, property) {
            continue;
        }
        row.confirmed += 1;
        match outcome(arguments, &mutant, property) {
            Ok(Outcome::Violated(_)) => row.found += 1,
            Ok(Outcome::Proved) => {
                row.denied += 1;
                println!("{}: {mistake:?} is proved to be none: WRONG", path.display());
            }
            Ok(outcome) => println!("{}: {mistake:?} is missed: {outcome:?}", path.display()),
            Err(message) => println!("{}: {mistake:?}: {message}", path.display()),
        }
    }
}

/// Whether an execution violates the property: a random one, or any of a small program.
fn shows(program: &Program, property: Property) -> bool {
    let properties = PropertySet::of(&[property]);
    let visibility = Visibility::new(program);
    let budget = Budget::with_timeout(PATIENCE);
    let random = || {
        let code = Code::new(program, &visibility).ok()?;
        let options = RunOptions { max_steps: Some(STEPS), ..RunOptions::new(properties) };
        (0..RUNS).take_while(|_| budget.check().is_ok()).find(|&seed| {
            let mut scheduler: Box<dyn Scheduler> = match seed % 2 {
                0 => Box::new(RandomScheduler::new(seed)),
                _ => Box::new(Pct::new(seed, 3, 100)),
            };
            let result = execute::run_code(&code, &options, &mut *scheduler, &mut RandomChoices::new(seed), &budget);
            matches!(result.end, End::Violated(_))
        })
    };
    let explored = || {
        let options = ExploreOptions { max_states: STATES, ..ExploreOptions::new(properties) };
        execute::explore_with(program, &visibility, &options, &Budget::with_timeout(PATIENCE)).violates(property)
    };
    caught(random).ok().flatten().is_some() || caught(explored).unwrap_or(false)
}

fn outcome(arguments: &Arguments, program: &Program, property: Property) -> Result<Outcome, String> {
    let engine = engines::engine_named(&arguments.engine).ok_or("the engine is gone")?;
    let strategy = match arguments.no_falsify {
        true => Strategy::check(engine).without_random_testing(),
        false => Strategy::check(engine),
    };
    let check = Check {
        analyses: &Analyses::new(program),
        properties: PropertySet::of(&[property]),
        strategy: &strategy,
        engine,
        unwind: UnwindLimits::default(),
        first: false,
        budget: &Budget::with_timeout(Duration::from_secs(arguments.timeout)),
        observer: &NullObserver,
        listener: &NullListener,
    };
    let checked = caught(|| portfolio::check(&check));
    let report = checked?.map_err(|bug| bug.to_string())?;
    let outcome = report.outcomes.into_iter().find(|(known, _)| *known == property);
    outcome.map(|(_, outcome)| outcome).ok_or_else(|| "there is no answer".to_owned())
}
