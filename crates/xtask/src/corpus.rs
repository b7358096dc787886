//! `cargo xtask corpus`: a folder of foreign programs through the front end: which are lowered, to well-formed IR whose
//! text form parses back to the same, in which CPU time; and, with `--run`, what a random schedule runs into.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use base::Budget;
use clap::Args;
use execute::{Code, End, RandomChoices, RandomScheduler, RunOptions};
use frontend::CompileOptions;
use program::{DataModel, Program, Property, PropertySet, Visibility};
use testkit::subject::caught;
use testkit::survive::check_form;

use crate::binary::first_error;
use crate::cpu_time::Stopwatch;

#[derive(Args)]
pub struct Arguments {
    /// The folder with the programs.
    folder: PathBuf,
    /// A table with tabs whose column `path` names the programs; without it all `.c` and `.i` files of the folder.
    #[arg(long)]
    tasks: Option<PathBuf>,
    /// Lower for LP64 instead of ILP32.
    #[arg(long)]
    lp64: bool,
    /// Also run each program once, under a random schedule.
    #[arg(long)]
    run: bool,
    /// The seed of the schedules.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Seconds that a run may take.
    #[arg(long, default_value_t = 2)]
    timeout: u64,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let names = match names(arguments) {
        Ok(names) => names,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let mut tally = Tally::default();
    for name in &names {
        tally.add(name, lower(&arguments.folder.join(name), arguments), arguments);
    }
    tally.print(names.len(), arguments.run);
    if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The programs, each once, in order.
fn names(arguments: &Arguments) -> Result<Vec<String>, String> {
    let mut names = match &arguments.tasks {
        Some(table) => {
            let text = std::fs::read_to_string(table).map_err(|error| format!("{}: {error}", table.display()))?;
            listed(&text).ok_or_else(|| format!("{}: there is no column `path`", table.display()))?
        }
        None => present(&arguments.folder).map_err(|error| format!("{}: {error}", arguments.folder.display()))?,
    };
    names.sort();
    names.dedup();
    Ok(names)
}

/// The entries of the column `path`.
fn listed(table: &str) -> Option<Vec<String>> {
    let mut lines = table.lines();
    let column = lines.next()?.split('\t').position(|title| title == "path")?;
    Some(lines.filter_map(|line| line.split('\t').nth(column)).map(str::to_owned).collect())
}

fn present(folder: &Path) -> std::io::Result<Vec<String>> {
    let names: Result<Vec<String>, _> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .collect();
    Ok(names?.into_iter().filter(|name| name.ends_with(".c") || name.ends_with(".i")).collect())
}

/// A program with the CPU time that lowering took.
struct Lowered {
    program: Program,
    took: Duration,
}

fn lower(path: &Path, arguments: &Arguments) -> Result<Lowered, String> {
    let data_model = if arguments.lp64 { DataModel::Lp64 } else { DataModel::Ilp32 };
    let options = CompileOptions { data_model, ..CompileOptions::default() };
    let watch = Stopwatch::start();
    let compiled =
        caught(|| frontend::compile(&[path.to_path_buf()], &options)).map_err(|message| format!("panic: {message}"))?;
    let program = compiled.map_err(|failure| first_error(&failure))?.program;
    Ok(Lowered { program, took: watch.elapsed() })
}

#[derive(Default)]
struct Tally {
    lowered: u64,
    failed: u64,
    lowering: Duration,
    /// Verifying, printing and parsing the text form.
    checking: Duration,
    /// How runs ended, and how many did so.
    ends: BTreeMap<String, u64>,
}

impl Tally {
    fn add(&mut self, name: &str, lowered: Result<Lowered, String>, arguments: &Arguments) {
        let Lowered { program, took } = match lowered {
            Ok(lowered) => lowered,
            Err(message) => return self.fail(name, &message),
        };
        self.lowering += took;
        let watch = Stopwatch::start();
        let form = caught(|| check_form(&program));
        self.checking += watch.elapsed();
        match form {
            Ok(Ok(())) => self.lowered += 1,
            Ok(Err(defect)) => self.fail(name, &defect.to_string()),
            Err(message) => self.fail(name, &format!("panic: {message}")),
        }
        if arguments.run {
            let end = caught(|| run_once(&program, arguments)).unwrap_or_else(|message| format!("panic: {message}"));
            if end.starts_with(UNSUPPORTED) || end.starts_with("panic") {
                println!("{name}: {end}");
            }
            *self.ends.entry(end).or_default() += 1;
        }
    }

    fn fail(&mut self, name: &str, message: &str) {
        self.failed += 1;
        println!("{name}: FAILED: {message}");
    }

    fn print(&self, programs: usize, ran: bool) {
        println!(
            "{programs} programs: {} lowered, {} failed; {:.2} s of CPU for lowering, {:.2} s for verifier and text form",
            self.lowered,
            self.failed,
            self.lowering.as_secs_f64(),
            self.checking.as_secs_f64()
        );
        if ran {
            let unsupported = self.ends.iter().filter(|(end, _)| end.starts_with(UNSUPPORTED)).map(|(_, count)| count);
            println!("runs that reach something unsupported: {}", unsupported.sum::<u64>());
            self.ends.iter().for_each(|(end, count)| println!("  {count:>4} {end}"));
        }
    }
}

const UNSUPPORTED: &str = "unsupported";

/// One random execution; how it ends, in words.
fn run_once(program: &Program, arguments: &Arguments) -> String {
    let visibility = Visibility::new(program);
    let Ok(code) = Code::new(program, &visibility) else { return format!("{UNSUPPORTED}: globals too large") };
    let options = RunOptions::new(PropertySet::of(&[Property::Assert, Property::UnreachCall]));
    let budget = Budget::with_timeout(Duration::from_secs(arguments.timeout));
    let mut scheduler = RandomScheduler::new(arguments.seed);
    let result = execute::run_code(&code, &options, &mut scheduler, &mut RandomChoices::new(arguments.seed), &budget);
    match result.end {
        End::Unsupported { what, .. } => format!("{UNSUPPORTED}: {what}"),
        End::Finished { abnormal: false, .. } => "ends".to_owned(),
        End::Finished { abnormal: true, .. } => "aborts".to_owned(),
        End::Violated(violation) => format!("violates {}", violation.property),
        End::Stuck => "no thread can go on".to_owned(),
        End::Undefined(_) => "undefined behaviour".to_owned(),
        End::Stopped(_) | End::StepLimit => "still runs when the time is up".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_names_programs() {
        let table = "set\tpath\tproperty\ns\tb.i\tx\ns\ta.i\tx\n";
        assert_eq!(listed(table), Some(vec!["b.i".to_owned(), "a.i".to_owned()]));
        assert_eq!(listed("set\tname\n"), None);
    }
}
