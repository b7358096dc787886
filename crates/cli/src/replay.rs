//! `gordian replay`: the interpreter runs a saved schedule; then a real run may be forced to do the same.

use base::Budget;
use execute::{End, ReplayFailure, ReplayProblem};
use predict::{TransactionOptions, judge_atomicity};
use program::{Analyses, Program, Property, Schedule, Trace};
use report::excerpt::{Mark, excerpt};
use report::verdict;

use crate::arguments::ReplayArguments;
use crate::check::extent;
use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::input::SourceArguments;
use crate::session::Session;
use crate::{input, native_runs, saved_schedule};

pub fn replay(arguments: &ReplayArguments, session: &Session) -> Result<Exit, CommandFailure> {
    let schedule = saved_schedule::load(&arguments.schedule)?;
    let mut source = input::read(&arguments.sources, session)?;
    let budget = arguments.limits.budget(session);
    let transactions = arguments.transactions.options(&source.program)?;
    let mut replayed = judge(arguments, &source.program, &schedule, &transactions, &budget);
    if replayed.as_ref().is_err_and(|failure| exit_of(failure) != Exit::Holds) {
        // The schedule of a recorded run is of the program with the handles of that run.
        let recorded = input::read(&SourceArguments { is_recorded: true, ..arguments.sources.clone() }, session)?;
        let second = judge(arguments, &recorded.program, &schedule, &transactions, &budget);
        if second.is_ok() {
            (source, replayed) = (recorded, second);
        }
    }
    match replayed {
        Ok(trace) => {
            let text = verdict::violation(&source.program, &trace, extent(arguments.full_trace), session.out);
            session.print(text.as_bytes());
            match arguments.native {
                true => native_runs::replay(&source.program, &trace, &budget, session),
                false => Ok(Exit::Violated),
            }
        }
        Err(failure) => {
            session.print(describe(&source.program, &failure, session).as_bytes());
            Ok(exit_of(&failure))
        }
    }
}

/// What the interpreter sees. Whether transactions are interrupted is looked at where nothing else is wrong.
fn judge(
    arguments: &ReplayArguments,
    program: &Program,
    schedule: &Schedule,
    transactions: &TransactionOptions,
    budget: &Budget,
) -> Result<Trace, ReplayFailure> {
    let mut selected = arguments.properties.selected();
    let looks_at_transactions = selected.contains(Property::Atomicity) || arguments.transactions.is_given();
    selected.remove(Property::Atomicity);
    let analyses = Analyses::new(program);
    let replayed = execute::replay(&analyses, schedule, selected, budget);
    match replayed {
        Err(failure) if looks_at_transactions && exit_of(&failure) == Exit::Holds => {
            judge_atomicity(&analyses, schedule, transactions).ok_or(failure)
        }
        other => other,
    }
}

/// A schedule that fits the program and shows no violation is an answer about this execution; one that does not fit
/// is unusable input.
fn exit_of(failure: &ReplayFailure) -> Exit {
    match &failure.problem {
        ReplayProblem::NoViolation | ReplayProblem::Ended(End::Finished { .. } | End::Stuck) => Exit::Holds,
        ReplayProblem::Stopped(_) | ReplayProblem::Ended(_) => Exit::Unknown,
        ReplayProblem::NoSuchThread | ReplayProblem::ElsewhereInCode | ReplayProblem::Refused(_) => Exit::Usage,
    }
}

fn describe(program: &Program, failure: &ReplayFailure, session: &Session) -> String {
    match &failure.problem {
        ReplayProblem::NoViolation | ReplayProblem::Ended(End::Finished { .. } | End::Stuck) => {
            format!("the schedule was replayed ({} steps); it violates none of the selected properties\n", failure.step)
        }
        ReplayProblem::Stopped(reason) => format!("the replay was not completed: {reason}\n"),
        ReplayProblem::Ended(_) => format!("the replay ended early at {failure}\n"),
        ReplayProblem::NoSuchThread | ReplayProblem::ElsewhereInCode | ReplayProblem::Refused(_) => {
            let place = failure.actual.map(|location| Mark::primary(program.span(location), "the thread is here"));
            let marks: Vec<Mark> = place.into_iter().collect();
            format!(
                "the schedule does not match the program: the program has changed since, or other options were given\n\
                 {failure}\n{}",
                excerpt(&program.files, &marks, session.out)
            )
        }
    }
}
