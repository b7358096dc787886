//! `cargo xtask deadlocks`: the classical deadlock programs of `bench/programs/deadlock`, each broken and repaired, with
//! 3, 5 and 7 threads. A broken one must be violated, a repaired one proved. Several engines and reductions are tried one
//! after the other; the last line tells what at least one of them gets right, and whether any is ever wrong.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use program::Property;

use crate::measure::{self, Ending, Measurement, ReductionName, TreeArguments, measure, parse_reduction};

#[derive(Args)]
pub struct Arguments {
    /// The engine (repeatable).
    #[arg(long = "engine", default_value = "order")]
    engines: Vec<String>,
    /// Where the programs are.
    #[arg(long, default_value = "bench/programs/deadlock")]
    programs: PathBuf,
    /// Seconds of processor time per program.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Megabytes per program: who needs more is not right within the limits.
    #[arg(long, default_value_t = 1000)]
    megabytes: u64,
    /// What engines over the reachability tree leave out: `none`, `states`, `sleep` or `all` (repeatable).
    #[arg(long = "reduction", default_value = "none", value_parser = parse_reduction)]
    reductions: Vec<ReductionName>,
    /// The context bound of engines over the reachability tree.
    #[arg(long)]
    contexts: Option<u32>,
}

const THREADS: [u32; 3] = [3, 5, 7];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version {
    Broken,
    Repaired,
}

impl Version {
    fn name(self) -> &'static str {
        match self {
            Version::Broken => "broken",
            Version::Repaired => "repaired",
        }
    }

    fn expected(self) -> Ending {
        match self {
            Version::Broken => Ending::Violated,
            Version::Repaired => Ending::Proved,
        }
    }
}

pub fn run(arguments: &Arguments) -> ExitCode {
    match check_all(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Whether every verdict of some way is right, and none of any way is wrong.
fn check_all(arguments: &Arguments) -> Result<bool, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let instances = instances(arguments, folder.path())?;
    let mut solved = vec![false; instances.len()];
    let mut false_reports = 0;
    for engine in &arguments.engines {
        for &reduction in &arguments.reductions {
            let totals = check_one_way(arguments, (engine, reduction), &instances, &mut solved)?;
            false_reports += totals.false_reports;
        }
    }
    let right = solved.iter().filter(|&&solved| solved).count();
    println!(
        "\n{right} of {} right in at least one way within {} s and {} MB; {false_reports} false reports in all ways",
        instances.len(),
        arguments.limit,
        arguments.megabytes
    );
    Ok(right == instances.len() && false_reports == 0)
}

/// Checks all instances with one engine and reduction; notes which are solved within the limits.
fn check_one_way(
    arguments: &Arguments,
    (engine, reduction): (&str, ReductionName),
    instances: &[Instance],
    solved: &mut [bool],
) -> Result<Totals, String> {
    println!("\nengine {engine}, reduction {}\n", reduction.name());
    println!("| program | threads | version | verdict | right | events | CPU s | MB |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut totals = Totals::default();
    for (instance, solved) in instances.iter().zip(solved) {
        let measured = measure(&measure::Arguments {
            file: instance.file.clone(),
            engine: engine.to_owned(),
            unwind: None,
            property: Property::NoDeadlock,
            ilp32: false,
            core: false,
            limit: arguments.limit,
            tree: TreeArguments { reduction, contexts: arguments.contexts, ..TreeArguments::default() },
        })
        .map_err(|error| error.to_string())?;
        instance.print_row(&measured);
        totals.add(instance.version, &measured);
        let is_right = measured.ending == instance.version.expected();
        *solved |= is_right && measured.memory <= arguments.megabytes as f64 * 1e6;
    }
    totals.print();
    Ok(totals)
}

/// One program with its parameters.
struct Instance {
    name: String,
    threads: u32,
    version: Version,
    file: PathBuf,
}

fn instances(arguments: &Arguments, folder: &Path) -> Result<Vec<Instance>, String> {
    let mut instances = Vec::new();
    for source in programs(&arguments.programs)? {
        for threads in THREADS {
            for version in [Version::Broken, Version::Repaired] {
                instances.push(Instance::write(&source, threads, version, folder)?);
            }
        }
    }
    Ok(instances)
}

fn programs(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let is_c = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c");
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_c).collect();
    found.sort();
    Ok(found)
}

impl Instance {
    /// The program with its parameters in front.
    fn write(source: &Path, threads: u32, version: Version, folder: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(source).map_err(|error| format!("{}: {error}", source.display()))?;
        let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let broken = if version == Version::Broken { "#define BROKEN\n" } else { "" };
        let file = folder.join(format!("{name}_{threads}_{}.c", version.name()));
        let text = format!("#define THREADS {threads}\n{broken}{text}");
        std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Self { name, threads, version, file })
    }

    fn print_row(&self, measured: &Measurement) {
        println!(
            "| {} | {} | {} | {:?} | {} | {:.0} | {:.2} | {:.0} |",
            self.name,
            self.threads,
            self.version.name(),
            measured.ending,
            if measured.ending == self.version.expected() { "yes" } else { "NO" },
            measured.get("events"),
            measured.seconds,
            measured.memory / 1e6
        );
    }
}

#[derive(Default)]
struct Totals {
    instances: u32,
    right: u32,
    /// Repaired and yet violated, or broken and yet proved.
    false_reports: u32,
    seconds: f64,
    memory: f64,
}

impl Totals {
    fn add(&mut self, version: Version, measured: &Measurement) {
        self.instances += 1;
        self.right += u32::from(measured.ending == version.expected());
        let is_false = matches!(
            (version, measured.ending),
            (Version::Repaired, Ending::Violated) | (Version::Broken, Ending::Proved)
        );
        self.false_reports += u32::from(is_false);
        self.seconds += measured.seconds;
        self.memory += measured.memory;
    }

    fn print(&self) {
        let count = f64::from(self.instances.max(1));
        println!(
            "\n{} of {} right, {} false; on average {:.2} s and {:.0} MB",
            self.right,
            self.instances,
            self.false_reports,
            self.seconds / count,
            self.memory / 1e6 / count
        );
    }
}
