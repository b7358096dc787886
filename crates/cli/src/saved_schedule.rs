//! Schedules in files: saved by `check`, `run` and `explore`, read by `replay`.

use std::fs;
use std::path::Path;

use base::{Diagnostic, Files};
use program::{Program, Property, Schedule, Trace};

use crate::failure::CommandFailure;
use crate::numbered_file::numbered;
use crate::properties::DEFAULT_PROPERTIES;
use crate::session::Session;
use crate::transaction_arguments::TransactionArguments;

/// What a replay has to be told besides the property.
#[derive(Clone, Copy)]
pub struct ReplaySettings<'a> {
    pub transactions: &'a TransactionArguments,
    /// The arguments of `main` that the program was read with.
    pub arguments: Option<&'a [String]>,
}

/// Saves the schedule of a violation and says how to replay it; without a violation, says that nothing was saved.
pub fn save(path: &Path, violation: Option<&Trace>, session: &Session) -> Result<(), CommandFailure> {
    let Some(trace) = violation else { return nothing_saved(path, session) };
    let options = ReplaySettings { transactions: &TransactionArguments::default(), arguments: None };
    let replay = save_one(path, trace, options)?;
    session.remark(&format!("schedule saved; replay it with: {replay}\n"));
    Ok(())
}

/// As [`save`], for several violations of one program: the second goes to FILE-2 and so on.
pub fn save_all(
    path: &Path,
    program: &Program,
    violations: &[&Trace],
    options: ReplaySettings<'_>,
    session: &Session,
) -> Result<(), CommandFailure> {
    if violations.is_empty() {
        return nothing_saved(path, session);
    }
    for (index, trace) in violations.iter().enumerate() {
        let replay = save_one(&numbered(path, index + 1), trace, options)?;
        let place = program.files.describe(trace.violation.span);
        let what = format!("schedule of the violation of {} at {place}", trace.violation.property);
        session.remark(&format!("{what} saved; replay it with: {replay}\n"));
    }
    Ok(())
}

fn nothing_saved(path: &Path, session: &Session) -> Result<(), CommandFailure> {
    session.remark(&format!("no violation was found, so no schedule was saved to {}\n", path.display()));
    Ok(())
}

/// Returns the command that replays the schedule.
fn save_one(path: &Path, trace: &Trace, options: ReplaySettings<'_>) -> Result<String, CommandFailure> {
    let shown = path.display();
    fs::write(path, execute::write_schedule(&trace.schedule))
        .map_err(|error| CommandFailure::Output(format!("the schedule cannot be saved to {shown}: {error}")))?;
    let property = match trace.violation.property {
        known if DEFAULT_PROPERTIES.contains(&known) => String::new(),
        Property::Atomicity => format!(" --property atomicity{}", options.transactions.words()),
        other => format!(" --property {other}"),
    };
    let arguments =
        options.arguments.map_or(String::new(), |given| format!(" --args {}", given.join(" ")).trim_end().to_owned());
    Ok(format!("gordian replay{property} FILE... {shown}{arguments}"))
}

pub fn load(path: &Path) -> Result<Schedule, CommandFailure> {
    let shown = path.display();
    let fail = |message: String| {
        let diagnostics = vec![Diagnostic::error("schedule", message)];
        CommandFailure::Input { diagnostics, files: Files::new() }
    };
    let bytes = frontend::preprocess::read_limited(path);
    let bytes = bytes.map_err(|error| fail(format!("the schedule `{shown}` cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| fail(format!("`{shown}` is not a schedule: it is not text")))?;
    execute::parse_schedule(&text).map_err(|error| fail(format!("`{shown}` is not a schedule: {error}")))
}
