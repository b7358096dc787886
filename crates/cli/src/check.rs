//! `gordian check`: read, check with an engine, report.

use std::path::Path;
use std::time::Instant;

use base::statistics::{size, stage};
use base::{Budget, Statistics, StopReason, budget};
use engines::{EngineOptions, UnwindLimits};
use portfolio::vacuity::Question;
use portfolio::{Check, Plan, Task, TaskAllowance, TaskAssumption};
use program::{Analyses, Outcome, Property, PropertySet, Provenances, Trace};
use report::assumptions::{Assumption, assumptions};
use report::coverage::Reach;
use report::lanes::TraceExtent;
use report::suppression::Suppression;
use report::verdict::{self, TextOptions};
use report::{CheckReport, json, sarif, svcomp};

use crate::arguments::{CheckArguments, Format, OutputArguments, RunTaskArguments};
use crate::eog_folder::EogFolder;
use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::input::{self, SourceArguments};
use crate::narrator::{self, Narrator};
use crate::proof_keeper::ProofKeeper;
use crate::reached::reach;
use crate::report_files::{self, ReportFileArguments};
use crate::saved_schedule;
use crate::session::Session;
use crate::several_programs;
use crate::shortening::shorten_all;
use crate::task_file;
use crate::version::VERSION;
use crate::wire::Message;

pub fn check(arguments: &CheckArguments, session: &Session) -> Result<Exit, CommandFailure> {
    let started = Instant::now();
    let plan = plan(arguments)?;
    if arguments.print_strategy {
        session.print(strategy_table(&plan)?.as_bytes());
        return Ok(Exit::Holds);
    }
    let limits = arguments.limits.budget(session);
    let selected = arguments.properties.selected_for_check();
    let files: Vec<String> = arguments.sources.files.iter().map(|file| file.display().to_string()).collect();
    let checker = format!("engine {}", plan.engine);
    let sheet = Sheet {
        output: &arguments.output,
        files: &files,
        suppressions: &arguments.suppressions,
        checker: &checker,
        started,
        session,
    };
    narrator::before_reading(&sheet, selected);
    let mut statistics = Statistics::new();
    let source = match statistics.timed(stage::READING, || input::read(&arguments.sources, session)) {
        Ok(source) => source,
        Err(failure) => return several_programs(arguments, failure, session),
    };
    let lifted = arguments.sources.lifted_assumptions();
    let assumptions = assumptions(&source.program, selected, lifted, &source.assumptions);
    let as_task = |Assumption { text, is_limit }| TaskAssumption { text, is_limit };
    let task = Task {
        program: source.program,
        properties: selected,
        assumptions: assumptions.into_iter().map(as_task).collect(),
        plan,
        allowance: TaskAllowance {
            work: arguments.work,
            milliseconds: arguments.limits.timeout.map(|time| time.as_millis() as u64),
            bytes: arguments.limits.memory,
        },
    };
    if let Some(path) = &arguments.write_task {
        task_file::write(path, &task)?;
        session.remark(&format!("task written; run it with: gordian run-task {}\n", path.display()));
        return Ok(Exit::Holds);
    }
    let files = OutputFiles {
        eog: arguments.scar.dump_eog.as_deref(),
        proof: arguments.proof.as_deref(),
        reports: Some((&arguments.report_files, &arguments.sources)),
    };
    answer(&task, &sheet, statistics, &limits, files)
}

/// `gordian run-task`: the same with everything read from a file.
pub fn run_task(arguments: &RunTaskArguments, session: &Session) -> Result<Exit, CommandFailure> {
    let started = Instant::now();
    let limits = arguments.limits.budget(session);
    let mut statistics = Statistics::new();
    let task = statistics.timed(stage::READING, || task_file::read(&arguments.task))?;
    arguments.output.validate(task.properties.iter().count())?;
    let checker = format!("engine {}", task.plan.engine);
    let sheet = Sheet {
        output: &arguments.output,
        files: &[arguments.task.display().to_string()],
        suppressions: &[],
        checker: &checker,
        started,
        session,
    };
    answer(&task, &sheet, statistics, &limits, OutputFiles { eog: None, proof: None, reports: None })
}

/// What to write beside the answer.
struct OutputFiles<'a> {
    eog: Option<&'a Path>,
    proof: Option<&'a Path>,
    reports: Option<(&'a ReportFileArguments, &'a SourceArguments)>,
}

/// Checks, reports, and writes the files.
fn answer(
    task: &Task,
    sheet: &Sheet<'_>,
    mut statistics: Statistics,
    limits: &Budget,
    files: OutputFiles<'_>,
) -> Result<Exit, CommandFailure> {
    let Sheet { output, session, started, .. } = *sheet;
    let (program, plan, selected) = (&task.program, &task.plan, task.properties);
    let engine = plan.engine().ok_or_else(|| no_engine(&plan.engine))?;
    let of_task = |TaskAssumption { text, is_limit }| Assumption { text, is_limit };
    let assumptions: Vec<Assumption> = task.assumptions.iter().cloned().map(of_task).collect();
    let narrator = Narrator::new(sheet, program, &assumptions, statistics.clone(), selected);
    let drawings = EogFolder::new(files.eog, &narrator)?;
    let observer = ProofKeeper::new(files.proof, &drawings);
    let analyses = Analyses::new(program);
    let asked = Check {
        analyses: &analyses,
        properties: selected,
        strategy: &plan.strategy(&*engine),
        engine: &*engine,
        unwind: plan.unwind,
        first: plan.first,
        budget: &task.allowance.limit(limits.clone()),
        observer: &observer,
        listener: &narrator,
    };
    let mut answer = narrator.accompany(limits, || portfolio::check(&asked))?;
    for (property, outcome) in &mut answer.outcomes {
        *outcome = outcome.clone().within(&program.input_bounds, answer.provenance.get(property));
    }
    statistics.merge(&answer.statistics);
    statistics.count(size::PEAK_MEMORY, budget::peak_resident_bytes().unwrap_or(0));
    let reach = narrator.accompany(limits, || {
        let question = Question { analyses: &analyses, engine: &*engine, unwind: plan.unwind, budget: limits };
        let reach = reach(output, plan.only, &question, &answer, started)?;
        shorten_all(&analyses, &mut answer.outcomes, output.trace.full_trace, limits);
        Ok::<_, CommandFailure>(reach)
    })?;
    analyses.runs().into_iter().for_each(|(name, runs)| statistics.count(name, runs));
    let exit = exit(program, &answer.outcomes, sheet.suppressions, &reach);
    let report =
        sheet.report(program, &answer.outcomes, &answer.provenance, &assumptions, &statistics, answer.stopped, &reach);
    let text = sheet.render(&report);
    session.tell(&Message::Decided(exit));
    session.print(text.as_bytes());
    if output.explain {
        session.print(explanation(&analyses, selected, limits).as_bytes());
    }
    if let Some((arguments, sources)) = files.reports {
        report_files::write(arguments, &report, sources, limits, session)?;
    }
    observer.finish(&answer.outcomes, session)?;
    drawings.finish()?;
    if let Some(error) = narrator.dump_error() {
        return Err(CommandFailure::Output(error));
    }
    if let Some(path) = &output.trace.save_schedule {
        saved_schedule::save(path, first_violation(&answer.outcomes), session)?;
    }
    Ok(exit)
}

/// Whether the input cannot be read because it is more than one program: then the supervisor goes on.
fn several_programs(
    arguments: &CheckArguments,
    failure: CommandFailure,
    session: &Session,
) -> Result<Exit, CommandFailure> {
    let programs = if session.is_supervised() { several_programs::programs(arguments)? } else { None };
    match programs {
        Some(programs) => {
            session.tell(&Message::Programs(programs));
            Ok(Exit::Unknown)
        }
        None => Err(failure),
    }
}

/// A violation that the user has accepted is still none that holds.
fn exit(
    program: &program::Program,
    outcomes: &[(Property, Outcome)],
    suppressions: &[Suppression],
    reach: &Reach,
) -> Exit {
    let accepted = |outcome: &Outcome| match outcome {
        Outcome::Violated(trace) => Suppression::of(suppressions, program, trace).next().is_some(),
        _ => true,
    };
    match Exit::of(outcomes) {
        Exit::Violated if outcomes.iter().all(|(_, outcome)| accepted(outcome)) => Exit::Unknown,
        // A bound within which something was never reached is not the one that the user wanted.
        Exit::Holds if is_bounded(outcomes) && reach.is_vacuous_within_bounds() => Exit::Unknown,
        other => other,
    }
}

fn is_bounded(outcomes: &[(Property, Outcome)]) -> bool {
    outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::HoldsUpTo(_)))
}

/// What the proofs rely on, as far as there is something to tell.
fn explanation(analyses: &Analyses<'_>, selected: PropertySet, limits: &Budget) -> String {
    if !selected.contains(Property::NoDataRace) {
        return String::new();
    }
    format!("\n{}", engines::static_races::explain(analyses, limits))
}

/// The engine and its bounds, if the arguments fit together, which clap cannot see. Executions at random would hide the queries
/// and interleavings that the user wants to see.
fn plan(arguments: &CheckArguments) -> Result<Plan, CommandFailure> {
    arguments.output.validate(arguments.properties.named.len())?;
    let engine = arguments.engine.clone();
    arguments.scar.fit(&engine)?;
    arguments.interp.fit(&engine)?;
    arguments.contexts.fit(&engine)?;
    let options = EngineOptions {
        refinement: arguments.scar.scar_refinement.into(),
        contexts: arguments.contexts.options(),
        interp: arguments.interp.options(),
        ..EngineOptions::default()
    };
    Ok(Plan {
        engine,
        options,
        unwind: UnwindLimits { exactly: arguments.unwind, at_most: arguments.max_unwind },
        exact_bound: arguments.unwind.is_some() || arguments.contexts.are_given(),
        only: arguments.only,
        random_testing: !arguments.no_random_testing && !arguments.output.dumps_queries(),
        first: arguments.first,
    })
}

fn strategy_table(plan: &Plan) -> Result<String, CommandFailure> {
    let engine = plan.engine().ok_or_else(|| no_engine(&plan.engine))?;
    Ok(plan.strategy(&*engine).table(&*engine))
}

fn no_engine(name: &str) -> CommandFailure {
    CommandFailure::Usage(format!("there is no engine `{name}`"))
}

/// What every report of one check has in common, the interim ones too.
#[derive(Clone, Copy)]
pub struct Sheet<'a> {
    pub output: &'a OutputArguments,
    /// What was read, as the user wrote it.
    pub files: &'a [String],
    pub suppressions: &'a [Suppression],
    /// Who answers, for example `engine order`.
    pub checker: &'a str,
    pub started: Instant,
    pub session: &'a Session,
}

impl<'a> Sheet<'a> {
    pub fn report(
        &self,
        program: &'a program::Program,
        outcomes: &'a [(Property, Outcome)],
        provenance: &'a Provenances,
        assumptions: &'a [Assumption],
        statistics: &'a Statistics,
        stopped: Option<StopReason>,
        reach: &'a Reach,
    ) -> CheckReport<'a> {
        let elapsed = self.started.elapsed();
        let suppressions = self.suppressions;
        CheckReport {
            program,
            checker: self.checker,
            outcomes,
            provenance,
            assumptions,
            statistics,
            elapsed,
            stopped,
            suppressions,
            reach,
        }
    }

    pub fn exit(&self, report: &CheckReport<'_>) -> Exit {
        exit(report.program, report.outcomes, report.suppressions, report.reach)
    }

    /// In the format that the user wants.
    pub fn render(&self, report: &CheckReport<'_>) -> String {
        let output = self.output;
        match output.format {
            Format::Svcomp => svcomp::line(report.outcomes) + "\n",
            Format::Json | Format::Sarif => {
                let exit_code = self.exit(report).code();
                let render = if output.format == Format::Json { json::render } else { sarif::render };
                render(report, json::Invocation { version: VERSION, files: self.files, exit_code })
            }
            Format::Text => {
                let extent = extent(output.trace.full_trace);
                verdict::text(report, TextOptions { look: self.session.out, extent, statistics: output.stats })
            }
        }
    }
}

pub fn extent(full: bool) -> TraceExtent {
    if full { TraceExtent::Full } else { TraceExtent::Shortened }
}

pub fn first_violation(outcomes: &[(Property, Outcome)]) -> Option<&Trace> {
    outcomes.iter().find_map(|(_, outcome)| match outcome {
        Outcome::Violated(trace) => Some(&**trace),
        _ => None,
    })
}
