//! The command line. Everything that can be said about one argument alone is checked while it is parsed.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use report::suppression::Suppression;

use crate::bench_command::BenchArguments;
use crate::compare_command::CompareArguments;
use crate::context_arguments::ContextArguments;
use crate::explain::ExplainArguments;
use crate::failure::CommandFailure;
use crate::input::SourceArguments;
use crate::interp_arguments::InterpArguments;
use crate::limits::LimitArguments;
use crate::predict_command::{PredictArguments, RecordArguments};
use crate::properties::PropertyArguments;
use crate::report_files::ReportFileArguments;
use crate::scar_arguments::ScarArguments;
use crate::shell_files::{CompletionArguments, ManArguments};
use crate::transaction_arguments::TransactionArguments;
use crate::validate::ValidateArguments;

/// Find bugs in multi-threaded C programs, or prove that there are none
///
/// Gordian looks at all interleavings of a pthreads program. A bug comes with the schedule that leads to it, replayed
/// before it is reported; a proof says what it rests on.
#[derive(Debug, Parser)]
#[command(version = crate::version::long(), max_term_width = 100, after_help = OVERVIEW)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

impl Arguments {
    /// `check` may go without files, since a configuration names them.
    pub fn parse_words(words: &[OsString]) -> Result<Self, clap::Error> {
        let without_files = |command: clap::Command| command.mut_arg("files", |files| files.required(false));
        let command = Self::command().mut_subcommand("check", without_files);
        Self::from_arg_matches(&command.try_get_matches_from(words)?)
    }
}

const OVERVIEW: &str = "\
Examples:
  gordian check program.c                          check all interleavings for all properties
  gordian check program.c --save-schedule bug.txt  ... and keep the interleaving
  gordian replay program.c bug.txt                 run exactly that interleaving again

Exit codes:
  0  every selected property holds     3  unknown, or only up to a bound you did not give
  1  some property is violated         4  a bug in gordian
  2  wrong usage or unreadable input";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check all interleavings of a program: find a violation or prove that there is none
    Check(CheckArguments),
    /// Run a task that `gordian check --write-task` has written
    RunTask(RunTaskArguments),
    /// Run a program under a random or fair schedule and watch for violations
    Run(RunArguments),
    /// Run exactly the interleaving of a saved schedule
    Replay(ReplayArguments),
    /// Visit every reachable state of a small program
    Explore(ExploreArguments),
    /// Run a program once and predict violations in all reorderings of that run
    Predict(PredictArguments),
    /// Run a program once and record a trace for `gordian predict`
    Record(RecordArguments),
    /// Validate a witness of any tool: replay a violation, or prove invariants
    Validate(ValidateArguments),
    /// Show an intermediate stage of the analysis of a program
    Show(ShowArguments),
    /// Run many tasks with known answers and score the verdicts
    Bench(BenchArguments),
    /// Compare two files of results, or draw one
    Compare(CompareArguments),
    /// Explain a property or a message code
    Explain(ExplainArguments),
    /// Write the completions for a shell
    Completions(CompletionArguments),
    /// Write the manual page
    Man(ManArguments),
}

impl Command {
    /// What the command may use.
    pub fn limits(&self) -> LimitArguments {
        match self {
            Command::Check(arguments) => arguments.limits,
            Command::RunTask(arguments) => arguments.limits,
            Command::Run(arguments) => arguments.limits,
            Command::Replay(arguments) => arguments.limits,
            Command::Explore(arguments) => arguments.limits,
            Command::Predict(arguments) => arguments.limits,
            Command::Record(arguments) => arguments.limits,
            Command::Show(arguments) => arguments.limits,
            Command::Validate(arguments) => arguments.limits,
            Command::Bench(_)
            | Command::Compare(_)
            | Command::Explain(_)
            | Command::Completions(_)
            | Command::Man(_) => LimitArguments::default(),
        }
    }

    /// What to read and what to look for, for the commands that read a program.
    pub fn sources_and_properties(&mut self) -> Option<(&mut SourceArguments, &mut PropertyArguments)> {
        match self {
            Command::Check(arguments) => Some((&mut arguments.sources, &mut arguments.properties)),
            Command::Run(arguments) => Some((&mut arguments.sources, &mut arguments.properties)),
            Command::Replay(arguments) => Some((&mut arguments.sources, &mut arguments.properties)),
            Command::Explore(arguments) => Some((&mut arguments.sources, &mut arguments.properties)),
            Command::Predict(arguments) => Some((&mut arguments.sources, &mut arguments.properties)),
            Command::Show(arguments) => Some((&mut arguments.sources, &mut arguments.properties)),
            Command::Validate(arguments) => Some((&mut arguments.sources, &mut arguments.properties)),
            Command::RunTask(_)
            | Command::Record(_)
            | Command::Bench(_)
            | Command::Compare(_)
            | Command::Explain(_)
            | Command::Completions(_)
            | Command::Man(_) => None,
        }
    }

    /// Whether the command reads a program, and so needs a process of its own that can be stopped.
    pub fn is_supervised(&self) -> bool {
        let reads_none = matches!(
            self,
            Command::Bench(_) | Command::Compare(_) | Command::Explain(_) | Command::Completions(_) | Command::Man(_)
        );
        !reads_none
    }

    /// Whether people look at standard error while it runs.
    pub fn shows_progress(&self) -> bool {
        self.output().is_some_and(|output| output.format == Format::Text)
    }

    /// What the answer looks like, for the commands that check.
    pub fn output(&self) -> Option<&OutputArguments> {
        match self {
            Command::Check(arguments) => Some(&arguments.output),
            Command::RunTask(arguments) => Some(&arguments.output),
            _ => None,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gordian check lost_update.c
  gordian check -I include -D N=3 main.c queue.c --timeout 30s
  gordian check loop.c --unwind 8                  exactly 8 iterations of every loop
  gordian check driver.c --init setup --thread irq --thread worker
  gordian check                                    check as gordian.toml specifies
  gordian check lost_update.c --html report.html --witness bug.graphml
  gordian check task.yml                           files, data model and properties of a task definition
  gordian check task.i --data-model ilp32 --property unreach-call --format svcomp")]
pub struct CheckArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    /// Read options that are not given here from this file [default without FILE: gordian.toml]
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub config: Option<PathBuf>,
    /// What the configuration says is accepted.
    #[arg(skip)]
    pub suppressions: Vec<Suppression>,
    #[command(flatten)]
    pub properties: PropertyArguments,
    /// The strategy to check with
    #[arg(long, value_name = "ENGINE", value_parser = engine_names(), default_value = engines::ENGINES[0].name(),
          help_heading = "Checking", long_help = engine_help())]
    pub engine: String,
    /// Exactly this many iterations of every loop and levels of every recursion
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "max_unwind",
          help_heading = "Checking")]
    pub unwind: Option<u32>,
    /// Go deeper step by step, but not beyond this many iterations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Checking")]
    pub max_unwind: Option<u32>,
    /// Stop at the first violation; undecided properties are then unknown
    #[arg(long, help_heading = "Checking")]
    pub first: bool,
    /// Skip random testing, which otherwise runs first; implied by --unwind and the dump options
    #[arg(long, alias = "no-falsify", help_heading = "Checking")]
    pub no_random_testing: bool,
    /// Use only the chosen engine: no random testing, no static proof, no other engine; properties that it cannot decide are unknown
    #[arg(long, help_heading = "Checking")]
    pub only: bool,
    #[command(flatten)]
    pub scar: ScarArguments,
    #[command(flatten)]
    pub interp: InterpArguments,
    #[command(flatten)]
    pub contexts: ContextArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub output: OutputArguments,
    #[command(flatten)]
    pub report_files: ReportFileArguments,
    /// Stop after this much counted work, which is the same on every machine: about a microsecond each
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub work: Option<u64>,
    /// Print the strategy, a table of stages and engines, and check nothing
    #[arg(long, help_heading = "Checking")]
    pub print_strategy: bool,
    /// Write program, properties, engine and bounds to this file for `gordian run-task`, and check nothing
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub write_task: Option<PathBuf>,
    /// Write a proof of the engine interp to this file, for `gordian validate`; nothing is written where the answer is no proof
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub proof: Option<PathBuf>,
}

impl CheckArguments {
    /// Whether a file is to be written that one program after another would overwrite.
    pub fn writes_files(&self) -> bool {
        let files = [
            &self.report_files.html,
            &self.report_files.witness,
            &self.output.dumps.dump_cnf,
            &self.output.dumps.dump_smt2,
            &self.output.trace.save_schedule,
            &self.scar.dump_eog,
            &self.write_task,
            &self.proof,
        ];
        files.iter().any(|file| file.is_some())
    }
}

/// What the answer of a check looks like.
#[derive(Debug, Args)]
pub struct OutputArguments {
    /// Output format: text for people, json for tools, sarif for code scanning, svcomp for one line as in the
    /// competition
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub format: Format,
    /// Show times and sizes of all stages
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
    /// Show which lines are reachable within the bounds, for each thread function
    #[arg(long, help_heading = "Output")]
    pub coverage: bool,
    /// Show the argument for race freedom of each pair of accesses, and the unproved pairs
    #[arg(long, help_heading = "Output")]
    pub explain: bool,
    #[command(flatten)]
    pub trace: TraceArguments,
    #[command(flatten)]
    pub dumps: DumpArguments,
}

impl OutputArguments {
    /// Whether queries are written down.
    pub fn dumps_queries(&self) -> bool {
        self.dumps.dump_cnf.is_some() || self.dumps.dump_smt2.is_some()
    }

    pub fn validate(&self, properties: usize) -> Result<(), CommandFailure> {
        if self.format == Format::Svcomp && properties != 1 {
            let text = "--format svcomp answers about exactly one property: give one --property";
            return Err(CommandFailure::Usage(text.to_owned()));
        }
        if self.explain && self.format != Format::Text {
            return Err(CommandFailure::Usage("--explain needs --format text".to_owned()));
        }
        Ok(())
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gordian check lost_update.c --write-task lost_update.task
  gordian run-task lost_update.task                the answer of `gordian check lost_update.c`, on any machine")]
pub struct RunTaskArguments {
    /// The task, as `gordian check --write-task` writes it
    #[arg(value_name = "TASK")]
    pub task: PathBuf,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// What to write down for other tools. Where there are several queries, the second goes to FILE-2 and so on.
#[derive(Debug, Args)]
pub struct DumpArguments {
    /// Write the clauses of each query in DIMACS format (`monolithic` has the order of events in them)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub dump_cnf: Option<PathBuf>,
    /// Write the terms of each query in SMT-LIB 2, without the order of events
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub dump_smt2: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Text,
    Json,
    Sarif,
    Svcomp,
}

/// What happens to a violation that was found.
#[derive(Debug, Args)]
pub struct TraceArguments {
    /// Save the interleaving of the first violation, for `gordian replay`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub save_schedule: Option<PathBuf>,
    /// Show long interleavings in full
    #[arg(long, help_heading = "Output")]
    pub full_trace: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gordian run program.c                            one random schedule, with its output
  gordian run program.c --runs 1000                stop at the first violation
  gordian run program.c --scheduler pct --runs 200 --property no-data-race")]
pub struct RunArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub properties: PropertyArguments,
    /// The seed of the first run; each further run takes the next one
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Running")]
    pub seed: u64,
    /// How many times to run; stops at the first violation
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..),
          help_heading = "Running")]
    pub runs: u64,
    /// The scheduler
    #[arg(long, value_enum, default_value_t = SchedulerName::Random, help_heading = "Running")]
    pub scheduler: SchedulerName,
    /// Give up on a run after this many steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub max_steps: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub trace: TraceArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SchedulerName {
    /// Each enabled thread is equally likely at every step
    Random,
    /// Random priorities that change at a few random steps (probabilistic concurrency testing)
    Pct,
    /// Threads in turn, each for a few steps; the seed says how many
    RoundRobin,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gordian check lost_update.c --save-schedule bug.txt
  gordian replay lost_update.c bug.txt
  gordian replay --native lost_update.c bug.txt    force it in a real run")]
pub struct ReplayArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    /// The schedule, as `--save-schedule` writes it
    #[arg(value_name = "SCHEDULE", required = true)]
    pub schedule: PathBuf,
    /// Then compile the program, force the schedule in a native run and report whether the same violation occurs
    #[arg(long, help_heading = "Running")]
    pub native: bool,
    #[command(flatten)]
    pub properties: PropertyArguments,
    #[command(flatten)]
    pub transactions: TransactionArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Show long interleavings in full
    #[arg(long, help_heading = "Output")]
    pub full_trace: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gordian explore lost_update.c --count            how many executions are there?
  gordian explore input.c --nondet -2..7           every input is one of -2, -1, ..., 7
  gordian explore philosophers.c --property no-deadlock")]
pub struct ExploreArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub properties: PropertyArguments,
    /// The values that inputs and uninitialised variables take, both ends included [default: 0..1]
    #[arg(long, value_name = "LO..HI", value_parser = parse_range, allow_hyphen_values = true,
          help_heading = "Exploring")]
    pub nondet: Option<RangeInclusive<i64>>,
    /// Give up after this many states
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..),
          help_heading = "Limits")]
    pub max_states: u64,
    /// Count the executions
    #[arg(long, help_heading = "Exploring")]
    pub count: bool,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub trace: TraceArguments,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gordian show program.c --stage program
  gordian show program.c --stage cfg --dot | dot -Tsvg > cfg.svg
  gordian show program.c --stage events --unwind 2
  gordian show program.c --stage tree --context-bound 2 --dot | dot -Tsvg > tree.svg
  gordian show program.c --stage art --interpolants rc --dot | dot -Tsvg > art.svg")]
pub struct ShowArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    /// The stage to show
    #[arg(long, value_enum)]
    pub stage: ShownStage,
    /// Print the stage as a Graphviz graph (stages cfg, tree and art)
    #[arg(long)]
    pub dot: bool,
    /// The seed of the run (stage cssa); 0 always runs the oldest enabled thread
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Iterations of every loop (stages events and tree)
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub unwind: u32,
    #[command(flatten)]
    pub contexts: ContextArguments,
    #[command(flatten)]
    pub interp: InterpArguments,
    #[command(flatten)]
    pub properties: PropertyArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ShownStage {
    /// The tokens after preprocessing
    Tokens,
    /// The syntax tree of what you wrote
    Ast,
    /// The intermediate program that everything else works on
    Program,
    /// The control flow of each function
    Cfg,
    /// What other threads may see: the steps at which threads can interleave
    Sharing,
    /// The unfolded program as a graph of events
    Events,
    /// The reachability tree of a small program, as the engine lazy walks it
    Tree,
    /// The abstract reachability tree of predicates, as the engine interp with --interpolants leaves it
    Art,
    /// One recorded run in concurrent static single assignment form
    Cssa,
}

fn engine_names() -> Vec<&'static str> {
    engines::all_engines().map(|engine| engine.name()).collect()
}

fn engine_help() -> String {
    let line = |engine: &dyn engines::Engine| format!("- {}: {}", engine.name(), engine.summary());
    format!("The strategy to check with:\n{}", engines::all_engines().map(line).collect::<Vec<_>>().join("\n"))
}

fn parse_range(text: &str) -> Result<RangeInclusive<i64>, String> {
    let (low, high) = text.split_once("..").ok_or("expected two numbers, for example 0..3")?;
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| format!("`{text}` is not a number"));
    let (low, high) = (number(low)?, number(high.trim_start_matches('='))?);
    if low > high {
        return Err(format!("{low} is larger than {high}"));
    }
    Ok(low..=high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_fit_together() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn ranges_include_both_ends() {
        assert_eq!(parse_range("-2..7"), Ok(-2..=7));
        assert_eq!(parse_range("3..=3"), Ok(3..=3));
        for wrong in ["", "1", "5..1", "a..b", "1..", "..", "1..99999999999999999999"] {
            assert!(parse_range(wrong).is_err(), "{wrong}");
        }
    }
}
