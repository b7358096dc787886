//! `cargo xtask paper …`: what a paper claims, beside what we measure. `esbmc` is in `paper_esbmc`. For `yogar`, all engines check the same tasks
//! with the same bound and the same limit of processor time, each in a process of its own, one after the other.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use program::Property;

use crate::measure::{self, MeasuredTask, Measurement, measure};
use crate::paper_esbmc;
use crate::paper_fusion;
use crate::paper_interp;
use crate::paper_yogar::{Comparison, Row, table};

#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    paper: Paper,
}

#[derive(Subcommand)]
enum Paper {
    /// Scheduling constraint based abstraction refinement (Yin, Dong, Liu, Wang).
    Yogar(YogarArguments),
    /// SMT-based context-bounded model checking (Cordeiro, Fischer).
    Esbmc(paper_esbmc::Arguments),
    /// Symbolic predictive analysis (Wang, Kundu, Limaye, Ganai, Gupta).
    Fusion(paper_fusion::Arguments),
    /// Conditional interpolation (Su, Tian, Duan).
    Interp(paper_interp::Arguments),
}

#[derive(Args)]
struct YogarArguments {
    /// The folder of the programs that the list names.
    #[arg(long, requires = "list")]
    root: Option<PathBuf>,
    /// Tasks, one per line: set, path, property, expected, data model, separated by tabs.
    #[arg(long, requires = "root")]
    list: Option<PathBuf>,
    /// Only every n-th task.
    #[arg(long, default_value_t = 1)]
    stride: usize,
    /// Iterations of every loop, for all engines.
    #[arg(long, default_value_t = 2)]
    unwind: u32,
    /// Seconds of processor time per task and engine.
    #[arg(long, default_value_t = 10)]
    limit: u64,
    /// Where the table goes besides the terminal.
    #[arg(long, default_value = "bench/paper-yogar.md")]
    output: PathBuf,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let printed = match &arguments.paper {
        Paper::Yogar(arguments) => yogar(arguments),
        Paper::Esbmc(arguments) => paper_esbmc::run(arguments),
        Paper::Fusion(arguments) => paper_fusion::run(arguments),
        Paper::Interp(arguments) => paper_interp::run(arguments),
    };
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The running example of the paper, as our own program.
const FIGURE_2: &str = "tests/programs/papers/yogar_figure_2.c";

fn yogar(arguments: &YogarArguments) -> Result<(), String> {
    let figure_2 = MeasuredTask { file: Path::new(FIGURE_2).to_owned(), violated: false, ilp32: false };
    let figure_2 = row(&figure_2, Property::Assert, arguments)?;
    let mut rows = Vec::new();
    if let (Some(root), Some(list)) = (&arguments.root, &arguments.list) {
        let tasks = measure::tasks(list, root, Property::UnreachCall)?;
        for (index, task) in tasks.iter().step_by(arguments.stride.max(1)).enumerate() {
            let row = row(task, Property::UnreachCall, arguments)?;
            eprintln!("{:>4} {} {}", index + 1, task.file.display(), row.summary());
            rows.push(row);
        }
    }
    let comparison = Comparison { figure_2, rows, unwind: arguments.unwind, limit: arguments.limit };
    let text = table(&comparison);
    print!("{text}");
    std::fs::write(&arguments.output, text).map_err(|error| format!("{}: {error}", arguments.output.display()))
}

/// One task by everybody.
fn row(task: &MeasuredTask, property: Property, arguments: &YogarArguments) -> Result<Row, String> {
    let by = |engine: &str, core: bool| -> Result<Measurement, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", task.file.display());
        measure(&measure::Arguments {
            file: task.file.clone(),
            engine: engine.to_owned(),
            unwind: Some(arguments.unwind),
            property,
            ilp32: task.ilp32,
            core,
            limit: arguments.limit,
            tree: Default::default(),
        })
        .map_err(failed)
    };
    Ok(Row {
        violated: task.violated,
        monolithic: by("monolithic", false)?,
        graph: by("scar", false)?,
        core: by("scar", true)?,
        order: by("order", false)?,
    })
}
