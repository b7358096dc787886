//! `gordian run`: executions under a scheduler, one after another, until one violates a property.

use base::Budget;
use execute::{
    Code, End, Pct, RandomChoices, RandomScheduler, RoundRobin, RunOptions, RunResult, Scheduler, replay, run_code,
};
use program::{Analyses, Program, PropertySet, Trace};
use report::excerpt::{Mark, excerpt};
use report::verdict;

use crate::arguments::{RunArguments, SchedulerName};
use crate::check::extent;
use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::session::Session;
use crate::shortening::shortened;
use crate::{input, saved_schedule};

/// Priority changes of PCT are `PCT_DEPTH - 1`; most bugs need few.
const PCT_DEPTH: u32 = 3;
/// The longest turn of the round-robin scheduler; seeds choose up to this, so that repeated runs differ.
const MAX_QUANTUM: u64 = 8;
/// How long PCT expects the first execution to be; later ones are measured by those before.
const PCT_FIRST_STEPS: u64 = 100;

pub fn run(arguments: &RunArguments, session: &Session) -> Result<Exit, CommandFailure> {
    let source = input::read(&arguments.sources, session)?;
    let program = &source.program;
    let budget = arguments.limits.budget(session);
    let selected = arguments.properties.selected();
    let analyses = Analyses::new(program);
    let code = Code::of(&analyses).map_err(|_| {
        CommandFailure::Usage(
            "the program's globals are larger than 1 GiB, or than its address space: it cannot be run".to_owned(),
        )
    })?;
    let options = RunOptions { max_steps: arguments.max_steps, ..RunOptions::new(selected) };
    let mut tally = Tally::default();
    for seed in (0..arguments.runs).map(|run| arguments.seed.wrapping_add(run)) {
        let mut scheduler = scheduler(arguments.scheduler, seed, tally.expected_steps());
        let result = run_code(&code, &options, &mut *scheduler, &mut RandomChoices::new(seed), &budget);
        if arguments.runs == 1 {
            session.print(&result.output);
        }
        tally.add(&result);
        match &result.end {
            End::Violated(_) => return violated(arguments, &analyses, &result, seed, selected, session),
            End::Stopped(_) => break,
            _ => {}
        }
    }
    session.remark(&tally.describe(program, session));
    if let Some(path) = &arguments.trace.save_schedule {
        saved_schedule::save(path, None, session)?;
    }
    Ok(tally.exit())
}

fn scheduler(name: SchedulerName, seed: u64, steps: u64) -> Box<dyn Scheduler> {
    match name {
        SchedulerName::Random => Box::new(RandomScheduler::new(seed)),
        SchedulerName::Pct => Box::new(Pct::new(seed, PCT_DEPTH, steps)),
        SchedulerName::RoundRobin => Box::new(RoundRobin::new(1 + seed % MAX_QUANTUM)),
    }
}

fn violated(
    arguments: &RunArguments,
    analyses: &Analyses<'_>,
    result: &RunResult,
    seed: u64,
    selected: PropertySet,
    session: &Session,
) -> Result<Exit, CommandFailure> {
    let trace: Trace = replay(analyses, &result.schedule, selected, &Budget::unlimited()).map_err(|failure| {
        CommandFailure::Bug(format!("the violation found with seed {seed} does not replay: {failure}"))
    })?;
    let trace = shortened(analyses, &trace, arguments.trace.full_trace, &Budget::unlimited());
    let text = verdict::violation(analyses.program, &trace, extent(arguments.trace.full_trace), session.out);
    session.print(text.as_bytes());
    session.remark(&format!("\nfound with seed {seed}, after {} steps\n", result.steps));
    if let Some(path) = &arguments.trace.save_schedule {
        saved_schedule::save(path, Some(&trace), session)?;
    }
    Ok(Exit::Violated)
}

/// How the executions without a violation ended.
#[derive(Default)]
struct Tally {
    runs: u64,
    steps: u64,
    last_status: Option<(i32, bool)>,
    finished: u64,
    stuck: u64,
    /// The first execution of which the end is not known.
    open: Option<End>,
}

impl Tally {
    fn add(&mut self, result: &RunResult) {
        self.runs += 1;
        self.steps += result.steps;
        match &result.end {
            End::Finished { status, abnormal } => {
                self.finished += 1;
                self.last_status = Some((*status, *abnormal));
            }
            End::Stuck => self.stuck += 1,
            End::Violated(_) => {}
            end => self.open = self.open.take().or_else(|| Some(end.clone())),
        }
    }

    fn expected_steps(&self) -> u64 {
        self.steps.checked_div(self.runs).unwrap_or(PCT_FIRST_STEPS).max(1)
    }

    fn exit(&self) -> Exit {
        if self.open.is_some() { Exit::Unknown } else { Exit::Holds }
    }

    fn describe(&self, program: &Program, session: &Session) -> String {
        let mut text = match (self.runs, self.last_status) {
            (1, Some((status, false))) => format!("finished with status {status} after {} steps\n", self.steps),
            (1, Some((_, true))) => format!("aborted after {} steps\n", self.steps),
            (1, None) => String::new(),
            (runs, _) => format!("{runs} runs, {} of them finished; {} steps\n", self.finished, self.steps),
        };
        match self.stuck {
            0 => {}
            1 if self.runs == 1 => {
                text += "no thread is enabled; --property no-deadlock tells deadlocks from failed assumptions\n"
            }
            stuck => {
                text += &format!(
                    "in {stuck} of them no thread is enabled at the end; --property no-deadlock tells deadlocks from failed assumptions\n"
                )
            }
        }
        if let Some(end) = &self.open {
            text += &describe_open(end, program, session);
        }
        text + "no violation was found in these runs; `gordian check` analyses all executions\n"
    }
}

fn describe_open(end: &End, program: &Program, session: &Session) -> String {
    let (text, span) = match end {
        End::Unsupported { what, span } => (format!("a run reached an unsupported construct: {what}"), Some(*span)),
        End::Undefined(undefined) => {
            let hint = undefined.property.map_or(String::new(), |property| format!(" (try --property {property})"));
            (format!("a run ended in undefined behaviour: {}{hint}", undefined.what), Some(undefined.span))
        }
        End::Stopped(reason) => (format!("the last run was stopped: {reason}"), None),
        End::StepLimit => ("a run was stopped after --max-steps steps".to_owned(), None),
        End::Finished { .. } | End::Violated(_) | End::Stuck => return String::new(),
    };
    let marks: Vec<Mark> = span.map(|span| Mark::primary(span, "")).into_iter().collect();
    format!("{text}\n{}", excerpt(&program.files, &marks, session.err))
}
