//! Schedules in files: saved by `check`, `run` and `explore`, read by `replay`.

use std::fs;
use std::path::Path;

use base::{Diagnostic, Files};
use program::{Schedule, Trace};

use crate::failure::Failure;
use crate::properties::DEFAULT_PROPERTIES;
use crate::session::Session;

/// Saves the schedule of a violation and says how to replay it; without a violation, says that nothing was saved.
pub fn save(path: &Path, violation: Option<&Trace>, session: &Session) -> Result<(), Failure> {
    save_with_arguments(path, violation, None, session)
}

/// As [`save`], for a program that was read with these arguments of `main`.
pub fn save_with_arguments(
    path: &Path,
    violation: Option<&Trace>,
    arguments: Option<&[String]>,
    session: &Session,
) -> Result<(), Failure> {
    let shown = path.display();
    let Some(trace) = violation else {
        session.remark(&format!("no violation was found, so no schedule was saved to {shown}\n"));
        return Ok(());
    };
    fs::write(path, execute::write_schedule(&trace.schedule))
        .map_err(|error| Failure::Output(format!("the schedule cannot be saved to {shown}: {error}")))?;
    let property = trace.violation.property;
    let option = if DEFAULT_PROPERTIES.contains(&property) { String::new() } else { format!(" --property {property}") };
    let arguments =
        arguments.map_or(String::new(), |given| format!(" --args {}", given.join(" ")).trim_end().to_owned());
    session.remark(&format!("schedule saved; replay it with: gordian replay{option} FILE... {shown}{arguments}\n"));
    Ok(())
}

pub fn load(path: &Path) -> Result<Schedule, Failure> {
    let shown = path.display();
    let fail = |message: String| {
        let diagnostics = vec![Diagnostic::error("schedule", message)];
        Failure::Input { diagnostics, files: Files::new() }
    };
    let bytes = frontend::preprocess::read_limited(path);
    let bytes = bytes.map_err(|error| fail(format!("the schedule `{shown}` cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| fail(format!("`{shown}` is not a schedule: it is not text")))?;
    execute::parse_schedule(&text).map_err(|error| fail(format!("`{shown}` is not a schedule: {error}")))
}
