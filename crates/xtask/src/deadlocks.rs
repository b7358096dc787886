//! `cargo xtask deadlocks`: the classical deadlock programs of `bench/programs/deadlock`, each broken and repaired, with
//! 3, 5 and 7 threads. A broken one must be violated, a repaired one proved.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use program::Property;

use crate::measure::{self, Ending, Measurement, ReductionName, TreeArguments, measure, parse_reduction};

#[derive(Args)]
pub struct Arguments {
    #[arg(long, default_value = "order")]
    engine: String,
    /// Where the programs are.
    #[arg(long, default_value = "bench/programs/deadlock")]
    programs: PathBuf,
    /// Seconds of processor time per program.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// What engines over the reachability tree leave out: `none`, `states` or `sleep`.
    #[arg(long, default_value = "none", value_parser = parse_reduction)]
    reduction: ReductionName,
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

/// Whether every verdict is right.
fn check_all(arguments: &Arguments) -> Result<bool, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    println!("| program | threads | version | verdict | right | events | CPU s | MB |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut totals = Totals::default();
    for source in programs(&arguments.programs)? {
        for threads in THREADS {
            for version in [Version::Broken, Version::Repaired] {
                let file = instance(&source, threads, version, folder.path())?;
                let measured = measure(&measure::Arguments {
                    file,
                    engine: arguments.engine.clone(),
                    unwind: None,
                    property: Property::NoDeadlock,
                    ilp32: false,
                    core: false,
                    limit: arguments.limit,
                    tree: TreeArguments {
                        reduction: arguments.reduction,
                        contexts: arguments.contexts,
                        ..TreeArguments::default()
                    },
                })
                .map_err(|error| error.to_string())?;
                print_row(&source, threads, version, &measured);
                totals.add(version, &measured);
            }
        }
    }
    totals.print();
    Ok(totals.right == totals.instances && totals.false_reports == 0)
}

fn programs(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let is_c = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c");
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_c).collect();
    found.sort();
    Ok(found)
}

/// The program with its parameters in front.
fn instance(source: &Path, threads: u32, version: Version, folder: &Path) -> Result<PathBuf, String> {
    let text = std::fs::read_to_string(source).map_err(|error| format!("{}: {error}", source.display()))?;
    let broken = if version == Version::Broken { "#define BROKEN\n" } else { "" };
    let file = folder.join(format!("{}_{threads}_{}.c", name(source), version.name()));
    let text = format!("#define THREADS {threads}\n{broken}{text}");
    std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}

fn name(source: &Path) -> String {
    source.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn print_row(source: &Path, threads: u32, version: Version, measured: &Measurement) {
    println!(
        "| {} | {threads} | {} | {:?} | {} | {:.0} | {:.2} | {:.0} |",
        name(source),
        version.name(),
        measured.ending,
        if measured.ending == version.expected() { "yes" } else { "NO" },
        measured.get("events"),
        measured.seconds,
        measured.memory / 1e6
    );
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
