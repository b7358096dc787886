//! `cargo xtask csmith`: programs of the generator Csmith, which have no undefined behaviour and print a checksum of all
//! their global variables, must print the same compiled by gcc as interpreted, in both data models.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base::Budget;
use clap::Args;
use execute::{End, FixedChoices, RoundRobin, RunOptions, RunResult};
use frontend::{CompileOptions, PreprocessOptions};
use program::{DataModel, PropertySet, Visibility};
use testkit::subject::caught;

use crate::binary::{self, Native};

/// Where Debian puts Csmith's headers.
const HEADERS: &str = "/usr/include/csmith";

#[derive(Args)]
pub struct Arguments {
    /// How many programs; each is compared in both data models.
    #[arg(long, default_value_t = 500)]
    count: u64,
    /// The seed of the first program; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Programs compared at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Seconds that a native program may take; one that takes longer is skipped.
    #[arg(long, default_value_t = 2)]
    native_timeout: u64,
    /// Seconds that the interpreter may take.
    #[arg(long, default_value_t = 30)]
    timeout: u64,
    /// Where programs that differ are kept.
    #[arg(long, default_value = "target/csmith")]
    output: PathBuf,
    /// Options for Csmith, for example `-- --max-funcs 3`.
    #[arg(last = true)]
    options: Vec<String>,
}

/// What a comparison needs to know.
struct Options {
    native_timeout: Duration,
    timeout: Duration,
    /// Options for Csmith.
    generator: Vec<String>,
}

/// What came of one program in one data model.
#[derive(Debug)]
enum Comparison {
    Agreed,
    /// The interpreter says something else, or breaks.
    Differed(String),
    /// The interpreter meets something that it does not support.
    Unsupported(String),
    /// The interpreter needs too long.
    TimedOut,
    /// There is nothing to compare with.
    Skipped(&'static str),
}

#[derive(Default)]
struct Tally {
    programs: u64,
    /// Programs that were compared in both data models.
    compared_in_both: u64,
    agreed: u64,
    differed: u64,
    timed_out: u64,
    unsupported: BTreeMap<String, u64>,
    skipped: BTreeMap<&'static str, u64>,
}

impl Tally {
    fn add_program(&mut self, comparisons: &[Comparison]) {
        let compared = |comparison: &Comparison| matches!(comparison, Comparison::Agreed | Comparison::Differed(_));
        self.programs += 1;
        self.compared_in_both += u64::from(comparisons.len() == 2 && comparisons.iter().all(compared));
        comparisons.iter().for_each(|comparison| self.add(comparison));
    }

    fn add(&mut self, comparison: &Comparison) {
        match comparison {
            Comparison::Agreed => self.agreed += 1,
            Comparison::Differed(_) => self.differed += 1,
            Comparison::Unsupported(what) => *self.unsupported.entry(what.clone()).or_default() += 1,
            Comparison::TimedOut => self.timed_out += 1,
            Comparison::Skipped(why) => *self.skipped.entry(why).or_default() += 1,
        }
    }

    fn compared(&self) -> u64 {
        self.agreed + self.differed + self.unsupported() + self.timed_out
    }

    fn unsupported(&self) -> u64 {
        self.unsupported.values().sum()
    }

    /// Less than one in twenty may be unsupported.
    fn is_good(&self) -> bool {
        self.differed == 0 && self.unsupported() * 20 <= self.compared()
    }

    fn print(&self, elapsed: Duration) {
        println!(
            "{} programs, {} of them compared in both data models: {} agreed, {} differed, {} unsupported, {} timed out, {} skipped; {:.0} s",
            self.programs,
            self.compared_in_both,
            self.agreed,
            self.differed,
            self.unsupported(),
            self.timed_out,
            self.skipped.values().sum::<u64>(),
            elapsed.as_secs_f64()
        );
        self.unsupported.iter().for_each(|(what, count)| println!("  unsupported: {what}: {count}"));
        self.skipped.iter().for_each(|(why, count)| println!("  skipped: {why}: {count}"));
    }
}

pub fn run(arguments: &Arguments) -> ExitCode {
    if let Some(missing) = missing_tool() {
        println!("skipped: {missing}");
        return ExitCode::SUCCESS;
    }
    let options = Options {
        native_timeout: Duration::from_secs(arguments.native_timeout),
        timeout: Duration::from_secs(arguments.timeout),
        generator: arguments.options.clone(),
    };
    if let Err(error) = std::fs::create_dir_all(&arguments.output) {
        eprintln!("{}: {error}", arguments.output.display());
        return ExitCode::from(2);
    }
    let began = Instant::now();
    let seeds: Vec<u64> = (arguments.seed..arguments.seed.saturating_add(arguments.count)).collect();
    let tally = compare_all(&seeds, arguments.jobs, &arguments.output, &options);
    tally.print(began.elapsed());
    if tally.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What keeps us from comparing, if anything does.
fn missing_tool() -> Option<&'static str> {
    match () {
        () if !binary::works("csmith", &["--version"]) => Some("csmith is not installed"),
        () if !Path::new(HEADERS).is_dir() => Some("csmith's headers are not installed"),
        () if !binary::can_compile("gcc", DataModel::Lp64) => Some("gcc with headers is not installed"),
        () if !binary::can_compile("gcc", DataModel::Ilp32) => Some("gcc cannot compile for 32 bits (gcc-multilib)"),
        () => None,
    }
}

/// Compares the programs of all seeds, several at a time; those that differ stay in `folder`.
fn compare_all(seeds: &[u64], jobs: usize, folder: &Path, options: &Options) -> Tally {
    let next = AtomicUsize::new(0);
    let tally = Mutex::new(Tally::default());
    let work = || {
        while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
            let comparisons = compare_seed(seed, folder, options);
            let mut tally = tally.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            tally.add_program(&comparisons);
        }
    };
    std::thread::scope(|scope| (0..jobs.max(1)).for_each(|_| drop(scope.spawn(work))));
    tally.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Compares the program of `seed` in both data models.
fn compare_seed(seed: u64, folder: &Path, options: &Options) -> Vec<Comparison> {
    let source = folder.join(format!("seed_{seed}.c"));
    if !generate(seed, &source, options) {
        return vec![Comparison::Skipped("csmith made no program")];
    }
    let compare_in = |model| {
        let comparison = compare(&source, model, options);
        match &comparison {
            Comparison::Differed(what) => println!("seed {seed}, {model}: {what}: {}", source.display()),
            Comparison::Unsupported(what) => println!("seed {seed}, {model}: unsupported: {what}"),
            Comparison::TimedOut => println!("seed {seed}, {model}: timed out"),
            Comparison::Agreed | Comparison::Skipped(_) => {}
        }
        comparison
    };
    let comparisons = vec![compare_in(DataModel::Lp64), compare_in(DataModel::Ilp32)];
    if !comparisons.iter().any(|comparison| matches!(comparison, Comparison::Differed(_))) {
        // Best effort: a file that stays does no harm.
        let _ = std::fs::remove_file(&source);
    }
    comparisons
}

fn generate(seed: u64, source: &Path, options: &Options) -> bool {
    let (Some(folder), Some(name)) = (source.parent(), source.file_name()) else { return false };
    let mut command = Command::new("csmith");
    command.args(["--seed", &seed.to_string()]).args(&options.generator).arg("--output").arg(name);
    // It leaves a file about the platform where it runs.
    if folder != Path::new("") {
        command.current_dir(folder);
    }
    command.output().is_ok_and(|output| output.status.success())
}

fn compare(source: &Path, model: DataModel, options: &Options) -> Comparison {
    let target = source.with_extension(format!("{model}.out"));
    let Some(compiled) = binary::compile("gcc", source, target, model, &[format!("-I{HEADERS}")]) else {
        return Comparison::Skipped("gcc does not compile it");
    };
    let native = binary::run(&mut Command::new(&compiled), options.native_timeout);
    let _ = std::fs::remove_file(&compiled);
    match native {
        Ok(Native::Exited { output, status: 0 }) => judge(&output, interpret(source, model, options)),
        Ok(Native::Exited { .. } | Native::Killed { .. }) => Comparison::Skipped("the native program fails"),
        Ok(Native::TimedOut { .. }) => Comparison::Skipped("the native program does not end in time"),
        Err(_) => Comparison::Skipped("the native program cannot be started"),
    }
}

/// Compiles and runs `source`; an error is a message.
fn interpret(source: &Path, model: DataModel, options: &Options) -> Result<RunResult, String> {
    let include_directories = vec![PathBuf::from(HEADERS)];
    let compile_options = CompileOptions {
        data_model: model,
        preprocess: PreprocessOptions {
            include_directories,
            compiler: Some("gcc".to_owned()),
            ..PreprocessOptions::default()
        },
        arguments: Some(Vec::new()),
        ..CompileOptions::default()
    };
    let budget = Budget::with_timeout(options.timeout);
    let work = || {
        let program = frontend::compile(&[source.to_path_buf()], &compile_options)
            .map_err(|failure| binary::first_error(&failure))?
            .program;
        let visibility = Visibility::new(&program);
        let run_options = RunOptions::new(PropertySet::EMPTY);
        let (mut scheduler, mut choices) = (RoundRobin::new(1), FixedChoices::default());
        Ok(execute::run(&program, &visibility, &run_options, &mut scheduler, &mut choices, &budget))
    };
    caught(work).unwrap_or_else(|message| Err(format!("panic: {message}")))
}

fn judge(expected: &[u8], interpreted: Result<RunResult, String>) -> Comparison {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    let result = match interpreted {
        Ok(result) => result,
        Err(message) => return Comparison::Differed(message),
    };
    match result.end {
        End::Finished { status: 0, abnormal: false } if result.output == expected => Comparison::Agreed,
        End::Unsupported { what, .. } => Comparison::Unsupported(what),
        End::Stopped(_) => Comparison::TimedOut,
        end => Comparison::Differed(format!(
            "natively `{}`, interpreted `{}` ({end:?})",
            text(expected),
            text(&result.output)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Options for programs that are compiled and interpreted in a moment.
    const SMALL: [&str; 6] = ["--max-funcs", "3", "--max-block-depth", "3", "--max-expr-complexity", "6"];

    /// The programs of these seeds end, as not all do.
    const SEEDS: [u64; 25] =
        [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 27];

    /// The long form is `cargo xtask csmith`.
    #[test]
    fn small_programs_print_what_gcc_makes_them_print() {
        if let Some(missing) = missing_tool() {
            eprintln!("SKIPPED, nothing was compared: {missing}");
            return;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let options = Options {
            native_timeout: Duration::from_secs(20),
            timeout: Duration::from_secs(60),
            generator: SMALL.map(str::to_owned).to_vec(),
        };
        let tally = compare_all(&SEEDS, 2, folder.path(), &options);
        assert_eq!(tally.differed, 0, "see the differences above");
        assert!(tally.is_good(), "too much is unsupported: {:?}", tally.unsupported);
        // Another version of Csmith may make other programs of these seeds, some of which do not end.
        assert!(tally.compared_in_both >= 20, "too few programs were compared: {}", tally.compared_in_both);
    }
}
