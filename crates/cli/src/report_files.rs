//! `--html` and `--witness`: what a check found, as files for browsers and for other tools.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use base::Budget;
use frontend::placed_check::CheckKind;
use program::{Outcome, Property};
use report::witness::invariant_set::Invariant;
use report::witness::{Circumstances, WitnessFile, graphml, invariant_set, violation_sequence};
use report::{CheckReport, html};

use crate::failure::CommandFailure;
use crate::input::SourceArguments;
use crate::session::Session;
use crate::version::VERSION;

#[derive(Debug, clap::Args)]
pub struct ReportFileArguments {
    /// Write the report as a page for the browser, with an interleaving to step through
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Write a witness of the verdict for other tools: GraphML if FILE ends in .graphml, else YAML
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub witness: Option<PathBuf>,
}

/// Writes what was asked for.
pub fn write(
    arguments: &ReportFileArguments,
    report: &CheckReport<'_>,
    sources: &SourceArguments,
    budget: &Budget,
    session: &Session,
) -> Result<(), CommandFailure> {
    if let Some(path) = &arguments.html {
        save(path, &html::render(report, VERSION))?;
    }
    let Some(path) = &arguments.witness else { return Ok(()) };
    match witness(path, report, sources, budget)? {
        Some(text) => save(path, &text),
        None => {
            let shown = path.display();
            session.remark(&format!("nothing was violated or proved, so no witness was written to {shown}\n"));
            Ok(())
        }
    }
}

fn save(path: &Path, text: &str) -> Result<(), CommandFailure> {
    fs::write(path, text)
        .map_err(|error| CommandFailure::Output(format!("{} cannot be written: {error}", path.display())))
}

/// Of the first violation, or of what was proved. There is none if nothing is certain, nor one of a proof in GraphML.
fn witness(
    path: &Path,
    report: &CheckReport<'_>,
    sources: &SourceArguments,
    budget: &Budget,
) -> Result<Option<String>, CommandFailure> {
    let mut witness_files = Vec::new();
    for file in &sources.files {
        let unreadable = |error| CommandFailure::Output(format!("{} cannot be read again: {error}", file.display()));
        witness_files.push(WitnessFile::new(file.display().to_string(), &fs::read(file).map_err(unreadable)?));
    }
    let circumstances = Circumstances {
        version: VERSION,
        files: &witness_files,
        data_model: report.program.data_model,
        creation_time: &utc(seconds_now()),
    };
    let is_graphml = path.extension().is_some_and(|extension| extension == "graphml");
    if let Some(trace) = crate::check::first_violation(report.outcomes) {
        let render = if is_graphml { graphml::render } else { violation_sequence::render };
        return Ok(Some(render(report.program, trace, &circumstances)));
    }
    let proved = report.outcomes.iter().filter(|(_, outcome)| *outcome == Outcome::Proved);
    let proved: Vec<Property> = proved.map(|(property, _)| *property).collect();
    let is_proof = !is_graphml && !proved.is_empty() && proved.len() == report.outcomes.len();
    Ok(is_proof.then(|| invariant_set::render(&proved, &invariants(sources, budget), &circumstances)))
}

/// Invariants that hold, whatever the proof was: a reader can do with them what it wants.
fn invariants(sources: &SourceArguments, budget: &Budget) -> Vec<Invariant> {
    let found = correctness::find(&sources.files, &sources.compile_options(), budget);
    let told = found.into_iter().map(|invariant| Invariant {
        file_name: invariant.file_name,
        span: invariant.span,
        is_loop_head: invariant.kind == CheckKind::LoopHead,
        expression: invariant.expression,
    });
    told.collect()
}

/// Seconds since 1970; `SOURCE_DATE_EPOCH` sets them where files have to be the same every time.
fn seconds_now() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    fixed.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

/// A moment in the calendar, as ISO 8601 writes it.
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The date so many days after 1970-01-01. Years begin in March here, so that the leap day is their last.
fn date(days: u64) -> (u64, u64, u64) {
    const DAYS_IN_400_YEARS: u64 = 146_097;
    /// From 0000-03-01 to 1970-01-01.
    const DAYS_BEFORE: u64 = 719_468;
    let shifted = days + DAYS_BEFORE;
    let (era, day) = (shifted / DAYS_IN_400_YEARS, shifted % DAYS_IN_400_YEARS);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day_of_month = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next_year, month, day_of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_in_the_right_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_709_208_000), "2024-02-29T12:00:00Z");
        assert_eq!(utc(4_102_444_800), "2100-01-01T00:00:00Z");
    }
}
