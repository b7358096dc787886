//! `cargo xtask seed-bugs`: puts bugs into safe programs and measures how many of them a check finds. A mutant counts only
//! if an execution of the interpreter shows its bug and none of the original does; nothing is written anywhere.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use base::Budget;
use clap::Args;
use engines::{CheckOptions, FalsifyOptions, Job, Silent, falsify_then_check};
use execute::{Code, End, ExploreOptions, Pct, RandomChoices, RandomScheduler, RunOptions, Scheduler};
use frontend::CompileOptions;
use program::{Outcome, Program, Property, PropertySet, Visibility};
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
    let mut rows = [Row::default(); Mistake::ALL.len()];
    for path in files(&arguments.sources) {
        let compiled = caught(|| frontend::compile(std::slice::from_ref(&path), &CompileOptions::default()));
        let Ok(Ok(compiled)) = compiled else { continue };
        for (mistake, row) in Mistake::ALL.into_iter().zip(&mut rows) {
            if row.confirmed < arguments.count {
                seed_all(arguments, &path, &compiled.program, mistake, row);
            }
        }
    }
    print(&rows);
    if rows.iter().any(|row| row.denied > 0) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
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
    found.sort();
    found
}

fn seed_all(arguments: &Arguments, path: &Path, original: &Program, mistake: Mistake, row: &mut Row) {
    let property = mistake.property();
    let mutants: Vec<Program> = seeds(original, mistake).into_iter().take(arguments.per_program).collect();
    if mutants.is_empty() || shows(original, property) {
        return;
    }
    for mutant in mutants {
        row.tried += 1;
        if row.confirmed == arguments.count || !program::verify::verify(&mutant).is_empty() || !shows(&mutant, property)
        {
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
    let visibility = Visibility::new(program);
    let job = Job {
        program,
        visibility: &visibility,
        properties: PropertySet::of(&[property]),
        options: &CheckOptions::default(),
        budget: &Budget::with_timeout(Duration::from_secs(arguments.timeout)),
        observer: &Silent,
    };
    let checked = caught(|| match arguments.no_falsify {
        true => engine.check(&job),
        false => falsify_then_check(engine, &job, &FalsifyOptions::default()),
    });
    let report = checked?.map_err(|bug| bug.to_string())?;
    let outcome = report.outcomes.into_iter().find(|(known, _)| *known == property);
    outcome.map(|(_, outcome)| outcome).ok_or_else(|| "there is no answer".to_owned())
}

fn print(rows: &[Row]) {
    println!("| mistake | property | mutants | confirmed | found | % |\n|---|---|---|---|---|---|");
    for (mistake, row) in Mistake::ALL.into_iter().zip(rows) {
        let Row { tried, confirmed, found, .. } = row;
        let share = 100.0 * *found as f64 / (*confirmed).max(1) as f64;
        println!("| {mistake:?} | {} | {tried} | {confirmed} | {found} | {share:.0} |", mistake.property());
    }
}
