//! `gordian compare`: files of results that `gordian bench` has written, side by side, as text, page and drawings.

use std::path::{Path, PathBuf};

use bench::comparison::ResultComparison;
use bench::plot;
use bench::result_file::{self, Record};

use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::session::Session;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gordian compare old.csv new.csv
  gordian compare old.csv new.json --html comparison.html
  gordian compare results.csv --quantiles quantiles.svg

Exit codes:
  0  the files were compared
  1  the second file has a wrong answer, or lost what the first solved
  2  a file cannot be read")]
pub struct CompareArguments {
    /// Results of `gordian bench`, as CSV or JSON
    #[arg(value_name = "FIRST")]
    first: PathBuf,
    /// Results to compare them with
    #[arg(value_name = "SECOND")]
    second: Option<PathBuf>,
    /// Write lists and plots as a page
    #[arg(long, value_name = "FILE", requires = "second")]
    html: Option<PathBuf>,
    /// Draw how many tasks are solved within how much time (SVG)
    #[arg(long, value_name = "FILE")]
    quantiles: Option<PathBuf>,
    /// Draw the times of one against those of the other (SVG)
    #[arg(long, value_name = "FILE", requires = "second")]
    scatter: Option<PathBuf>,
}

pub fn compare(arguments: &CompareArguments, session: &Session) -> Result<Exit, CommandFailure> {
    let mut runs = vec![read(&arguments.first)?];
    if let Some(second) = &arguments.second {
        runs.push(read(second)?);
    }
    if let Some(path) = &arguments.quantiles {
        save(path, &plot::quantiles(&runs))?;
    }
    let [(first, ours), (second, theirs)] = &runs[..] else {
        let solved = runs[0].1.iter().filter(|record| record.is_solved()).count();
        session.print(format!("{}: {solved} of {} tasks solved\n", runs[0].0, runs[0].1.len()).as_bytes());
        return Ok(Exit::Holds);
    };
    let comparison = ResultComparison::new(ours, theirs);
    session.print(comparison.text(first, second).as_bytes());
    let scatter = plot::scatter(&comparison, first, second);
    if let Some(path) = &arguments.scatter {
        save(path, &scatter)?;
    }
    if let Some(path) = &arguments.html {
        save(path, &comparison.html(first, second, &[plot::quantiles(&runs), scatter]))?;
    }
    let is_worse = !comparison.lost().is_empty() || !comparison.wrong().is_empty();
    Ok(if is_worse { Exit::Violated } else { Exit::Holds })
}

/// The results with the name to show for them.
fn read(path: &Path) -> Result<(String, Vec<Record>), CommandFailure> {
    let records = result_file::read(path).map_err(CommandFailure::Usage)?;
    Ok((path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(), records))
}

fn save(path: &Path, text: &str) -> Result<(), CommandFailure> {
    std::fs::write(path, text)
        .map_err(|error| CommandFailure::Output(format!("{} cannot be written: {error}", path.display())))
}
