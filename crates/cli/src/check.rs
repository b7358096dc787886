//! `gordian check`: read, check with an engine, report.

use std::time::Instant;

use base::statistics::{size, stage};
use base::{Statistics, StopReason, budget};
use engines::{CheckOptions, Engine, FalsifyOptions, Job, falsify_then_check};
use program::{Analyses, Outcome, Property, PropertySet, Provenances, Trace};
use report::assumptions::assumptions;
use report::coverage::Reach;
use report::lanes::Extent;
use report::suppression::Suppression;
use report::verdict::{self, TextOptions};
use report::{CheckReport, json, sarif, svcomp};

use crate::arguments::{CheckArguments, Format};
use crate::eog_folder::EogFolder;
use crate::exit_code::Exit;
use crate::failure::Failure;
use crate::input;
use crate::narrator::{self, Narrator};
use crate::reached::reach;
use crate::report_files;
use crate::saved_schedule;
use crate::session::Session;
use crate::several_programs;
use crate::shortening::shorten_all;
use crate::version::VERSION;
use crate::wire::Message;

pub fn check(arguments: &CheckArguments, session: &Session) -> Result<Exit, Failure> {
    let started = Instant::now();
    let engine = validate(arguments)?;
    let limits = arguments.limits.budget(session);
    let selected = arguments.properties.selected_for_check();
    let checker = format!("engine {}", engine.name());
    let sheet = Sheet { arguments, checker: &checker, started, session };
    narrator::before_reading(&sheet, selected);
    let mut statistics = Statistics::new();
    let source = match statistics.timed(stage::READING, || input::read(&arguments.sources, session)) {
        Ok(source) => source,
        Err(failure) => return several_programs(arguments, failure, session),
    };
    let assumptions =
        assumptions(&source.program, selected, arguments.sources.lifted_assumptions(), &source.assumptions);
    let narrator = Narrator::new(&sheet, &source.program, &assumptions, statistics.clone(), selected);
    let observer = EogFolder::new(arguments.scar.dump_eog.as_deref(), &narrator)?;
    let options = CheckOptions {
        unwind: arguments.unwind,
        max_unwind: arguments.max_unwind,
        first: arguments.first,
        only: arguments.only,
        scar_refinement: arguments.scar.scar_refinement.into(),
        contexts: arguments.contexts.options(),
        ..CheckOptions::default()
    };
    let analyses = Analyses::new(&source.program);
    let job =
        Job { analyses: &analyses, properties: selected, options: &options, budget: &limits, observer: &observer };
    let mut answer = narrator.accompany(&limits, || {
        if random_testing_enabled(arguments) {
            falsify_then_check(engine, &job, &FalsifyOptions::default())
        } else {
            engine.check(&job)
        }
    })?;
    for (property, outcome) in &mut answer.outcomes {
        *outcome = outcome.clone().within(&source.program.input_bounds, answer.provenance.get(property));
    }
    statistics.merge(&answer.statistics);
    statistics.count(size::PEAK_MEMORY, budget::peak_resident_bytes().unwrap_or(0));
    let reach = narrator.accompany(&limits, || {
        let reach = reach(arguments, engine, &job, &answer, started)?;
        shorten_all(&analyses, &mut answer.outcomes, arguments.trace.full_trace, &limits);
        Ok::<_, Failure>(reach)
    })?;
    analyses.runs().into_iter().for_each(|(name, runs)| statistics.count(name, runs));
    let exit = exit(&source.program, &answer.outcomes, &arguments.suppressions, &reach);
    let report = sheet.report(
        &source.program,
        &answer.outcomes,
        &answer.provenance,
        &assumptions,
        &statistics,
        answer.stopped,
        &reach,
    );
    let text = sheet.render(&report);
    session.tell(&Message::Decided(exit));
    session.print(text.as_bytes());
    if arguments.explain {
        session.print(explanation(&analyses, selected, &limits).as_bytes());
    }
    report_files::write(&arguments.report_files, &report, &arguments.sources, &limits, session)?;
    observer.finish()?;
    if let Some(error) = narrator.dump_error() {
        return Err(Failure::Output(error));
    }
    if let Some(path) = &arguments.trace.save_schedule {
        saved_schedule::save(path, first_violation(&answer.outcomes), session)?;
    }
    Ok(exit)
}

/// Whether the input cannot be read because it is more than one program: then the supervisor goes on.
fn several_programs(arguments: &CheckArguments, failure: Failure, session: &Session) -> Result<Exit, Failure> {
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
fn explanation(analyses: &Analyses<'_>, selected: PropertySet, limits: &base::Budget) -> String {
    if !selected.contains(Property::NoDataRace) {
        return String::new();
    }
    format!("\n{}", engines::static_races::explain(analyses, limits))
}

/// What clap cannot see: arguments that do not fit together.
fn validate(arguments: &CheckArguments) -> Result<&'static dyn Engine, Failure> {
    if arguments.format == Format::Svcomp && arguments.properties.named.len() != 1 {
        let text = "--format svcomp answers about exactly one property: give one --property";
        return Err(Failure::Usage(text.to_owned()));
    }
    if arguments.explain && arguments.format != Format::Text {
        return Err(Failure::Usage("--explain is for people: it needs --format text".to_owned()));
    }
    let name = &arguments.engine;
    arguments.scar.fit(name)?;
    arguments.contexts.fit(name)?;
    engines::engine_named(name).ok_or_else(|| Failure::Usage(format!("there is no engine `{name}`")))
}

/// Whether to try executions at random first: not where the user asks about one bound or wants to see the queries.
fn random_testing_enabled(arguments: &CheckArguments) -> bool {
    let shows_queries = arguments.dumps.dump_cnf.is_some() || arguments.dumps.dump_smt2.is_some();
    !arguments.no_random_testing && arguments.unwind.is_none() && !shows_queries && !arguments.contexts.are_given()
}

/// What every report of one check has in common, the interim ones too.
#[derive(Clone, Copy)]
pub struct Sheet<'a> {
    pub arguments: &'a CheckArguments,
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
        assumptions: &'a [report::assumptions::Assumption],
        statistics: &'a Statistics,
        stopped: Option<StopReason>,
        reach: &'a Reach,
    ) -> CheckReport<'a> {
        let elapsed = self.started.elapsed();
        let suppressions = &self.arguments.suppressions;
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
        let arguments = self.arguments;
        match arguments.format {
            Format::Svcomp => svcomp::line(report.outcomes) + "\n",
            Format::Json | Format::Sarif => {
                let files = arguments.sources.files.iter().map(|file| file.display().to_string());
                let files: Vec<String> = files.collect();
                let exit_code = self.exit(report).code();
                let render = if arguments.format == Format::Json { json::render } else { sarif::render };
                render(report, json::Invocation { version: VERSION, files: &files, exit_code })
            }
            Format::Text => {
                let extent = extent(arguments.trace.full_trace);
                verdict::text(report, TextOptions { look: self.session.out, extent, statistics: arguments.stats })
            }
        }
    }
}

pub fn extent(full: bool) -> Extent {
    if full { Extent::Full } else { Extent::Shortened }
}

pub fn first_violation(outcomes: &[(Property, Outcome)]) -> Option<&Trace> {
    outcomes.iter().find_map(|(_, outcome)| match outcome {
        Outcome::Violated(trace) => Some(&**trace),
        _ => None,
    })
}
