//! `gordian`, the command: arguments in, verdicts out.
//!
//! Invariant: the only crate that reads arguments, prints, and decides exit codes. Commands are functions from
//! validated arguments to an exit code; what goes wrong beside them is a [`Failure`].

mod arguments;
mod check;
mod eog_folder;
mod exit_code;
mod explore;
mod failure;
mod input;
mod limits;
mod progress;
mod properties;
mod replay;
mod rim;
mod run;
mod saved_schedule;
mod session;
mod show;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};
use crate::exit_code::Exit;
use crate::failure::Failure;
use crate::session::Session;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are errors to clap, and a reader that has gone away is none to us.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Holds.into() };
        }
    };
    let session = Session::new();
    rim::on_interrupt(&session.cancel);
    let result = rim::guarded(|| dispatch(&arguments.command, &session)).and_then(|result| result);
    result.unwrap_or_else(|failure| failure.report(&arguments.command, &session)).into()
}

fn dispatch(command: &Command, session: &Session) -> Result<Exit, Failure> {
    match command {
        Command::Check(arguments) => check::check(arguments, session),
        Command::Run(arguments) => run::run(arguments, session),
        Command::Replay(arguments) => replay::replay(arguments, session),
        Command::Explore(arguments) => explore::explore(arguments, session),
        Command::Show(arguments) => show::show(arguments, session),
    }
}
