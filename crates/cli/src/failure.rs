//! What can keep a command from answering, and how the user hears of it.

use base::{Diagnostic, Files};
use engines::EngineBug;
use report::{diagnostics, svcomp};

use crate::arguments::{Command, Format};
use crate::exit_code::Exit;
use crate::session::Session;

#[derive(Clone, PartialEq, Debug)]
pub enum CommandFailure {
    /// The arguments do not fit together; the text says how.
    Usage(String),
    /// The input cannot be read or lowered.
    Input { diagnostics: Vec<Diagnostic>, files: Files },
    /// A file that was asked for cannot be written.
    Output(String),
    /// We are wrong; the text says what went wrong.
    Bug(String),
}

impl CommandFailure {
    /// Says on standard error what happened. In the competition's format, standard output has its line in any case.
    pub fn report(self, command: &Command, session: &Session) -> Exit {
        let (text, reason, exit) = match self {
            CommandFailure::Usage(text) => {
                let text = format!("{}: {text}\n\nFor more information, try '--help'.\n", session.err.bad("error"));
                (text, None, Exit::Usage)
            }
            CommandFailure::Output(text) => (format!("{}: {text}\n", session.err.bad("error")), None, Exit::Usage),
            CommandFailure::Input { diagnostics, files } => {
                (diagnostics::render(&diagnostics, &files, session.err), Some("the input cannot be read"), Exit::Usage)
            }
            CommandFailure::Bug(what) => (bug_text(&what, session), Some("a bug of gordian"), Exit::Bug),
        };
        if let (Some(output), Some(reason)) = (command.output(), reason)
            && output.format == Format::Svcomp
        {
            session.print(format!("{}\n", svcomp::unknown(reason)).as_bytes());
        }
        session.remark(&text);
        exit
    }
}

impl From<EngineBug> for CommandFailure {
    fn from(bug: EngineBug) -> Self {
        CommandFailure::Bug(bug.to_string())
    }
}

/// Also used where nothing can be unwound any more.
pub fn bug_text(what: &str, session: &Session) -> String {
    format!(
        "{}: this is a bug in gordian, not in your program, and there is no verdict\n  {}\n\
         Please report it together with the input. RUST_BACKTRACE=1 shows where it happened.\n",
        session.err.bad("internal error"),
        what.trim_end().replace('\n', "\n  ")
    )
}
