//! `gordian`, the command: arguments in, verdicts out.
//!
//! Invariant: the only crate that reads arguments, prints, and decides exit codes. Commands are functions from
//! validated arguments to an exit code; what goes wrong beside them is a [`CommandFailure`].

mod arguments;
mod bench_command;
mod check;
mod compare_command;
mod compile_commands;
mod configuration;
mod context_arguments;
mod eog_folder;
mod exit_code;
mod explain;
mod explore;
mod failure;
mod foreign_command;
mod input;
mod interp_arguments;
mod limits;
mod narrator;
mod native_runs;
mod numbered_file;
mod predict_command;
mod progress;
mod proof_keeper;
mod properties;
mod query_dump;
mod reached;
mod replay;
mod report_files;
mod response_files;
mod rim;
mod run;
mod saved_schedule;
mod scar_arguments;
mod session;
mod several_programs;
mod shell_files;
mod shortening;
mod show;
mod supervisor;
mod target;
mod task_file;
mod task_input;
mod transaction_arguments;
mod validate;
mod validate_proof;
mod validate_tree;
mod version;
mod wire;
mod worker;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::arguments::{Arguments, Command};
use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::session::Session;
use crate::several_programs::Selection;

fn main() -> ExitCode {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let orders = worker::take_mark(&mut words);
    let arguments = match Arguments::parse_words(&words) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are errors to clap, and a reader that has gone away is none to us.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Holds.into() };
        }
    };
    let mut command = arguments.command;
    let session = orders.as_ref().map_or_else(Session::new, |orders| Session::of_worker(orders.looks));
    let applied = configuration::apply(&mut command).and_then(|()| task_file::apply_limits(&mut command));
    if let Err(failure) = applied {
        return failure.report(&command, &session).into();
    }
    let result = if let Some(orders) = orders {
        worker::obey(&session.cancel);
        let cancel = session.cancel.clone();
        rim::on_interrupt(move || cancel.cancel());
        work(&mut command, orders.selection.as_ref(), &session)
    } else if !command.is_supervised() {
        work_alone(&mut command, &session)
    } else {
        let supervised = several_programs::supervise_all(&words[1..], &command, &session);
        supervised.unwrap_or_else(|_| work_alone(&mut command, &session))
    };
    result.unwrap_or_else(|failure| failure.report(&command, &session)).into()
}

/// Without a supervisor, limits are looked at only from inside.
fn work_alone(command: &mut Command, session: &Session) -> Result<Exit, CommandFailure> {
    rim::cancel_on_interrupt(&session.cancel);
    work(command, None, session)
}

fn work(command: &mut Command, selection: Option<&Selection>, session: &Session) -> Result<Exit, CommandFailure> {
    compile_commands::apply(command)?;
    task_input::apply(command)?;
    if let (Some(selection), Command::Check(arguments)) = (selection, &mut *command) {
        selection.apply(&mut arguments.sources.files);
    }
    let command = &*command;
    rim::guarded(|| dispatch(command, session)).and_then(|result| result)
}

fn dispatch(command: &Command, session: &Session) -> Result<Exit, CommandFailure> {
    match command {
        Command::Check(arguments) => check::check(arguments, session),
        Command::RunTask(arguments) => check::run_task(arguments, session),
        Command::Run(arguments) => run::run(arguments, session),
        Command::Replay(arguments) => replay::replay(arguments, session),
        Command::Explore(arguments) => explore::explore(arguments, session),
        Command::Predict(arguments) => predict_command::predict(arguments, session),
        Command::Record(arguments) => predict_command::record(arguments, session),
        Command::Show(arguments) => show::show(arguments, session),
        Command::Bench(arguments) => bench_command::bench(arguments, session),
        Command::Validate(arguments) => validate::validate(arguments, session),
        Command::Compare(arguments) => compare_command::compare(arguments, session),
        Command::Explain(arguments) => explain::explain(arguments, session),
        Command::Completions(arguments) => shell_files::completions(arguments, session),
        Command::Man(arguments) => shell_files::man(arguments, session),
    }
}
