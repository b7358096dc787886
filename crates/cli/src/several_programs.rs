//! `gordian check *.c` where several of the files have a `main` of their own: each of these is a program, together with the
//! files that have none. They are checked one after the other, with limits of their own, each in its own worker.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::arguments::{CheckArguments, Command, Format};
use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::session::Session;
use crate::supervisor::{Supervised, supervise};

/// Some of the files on the command line, by their places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection(pub Vec<usize>);

impl Selection {
    pub fn parse(text: &str) -> Option<Self> {
        text.split(',').map(|place| place.parse().ok()).collect::<Option<_>>().map(Selection)
    }

    /// Leaves these of the files.
    pub fn apply(&self, files: &mut Vec<PathBuf>) {
        let mut place = 0..;
        files.retain(|_| place.next().is_some_and(|place| self.0.contains(&place)));
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places: Vec<String> = self.0.iter().map(usize::to_string).collect();
        f.write_str(&places.join(","))
    }
}

/// One of the programs, and what it is called: the file with its `main`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OneProgram {
    pub selection: Selection,
    pub name: String,
}

impl OneProgram {
    pub fn to_line(&self) -> String {
        format!("{} {}", self.selection, self.name)
    }

    pub fn parse(line: &str) -> Option<Self> {
        let (selection, name) = line.split_once(' ')?;
        Some(OneProgram { selection: Selection::parse(selection)?, name: name.to_owned() })
    }
}

/// The programs among files that cannot be linked into one because several of them have a `main`; `None` if that is not
/// what is wrong with them.
pub fn programs(arguments: &CheckArguments) -> Result<Option<Vec<OneProgram>>, CommandFailure> {
    let sources = &arguments.sources;
    if sources.files.len() < 2 || sources.entry.is_some() || !sources.thread.is_empty() {
        return Ok(None);
    }
    let has_main = |file: &PathBuf| frontend::defines_function(file, &sources.options_of(file), "main");
    let (mains, others): (Vec<usize>, Vec<usize>) =
        (0..sources.files.len()).partition(|&place| has_main(&sources.files[place]));
    if mains.len() < 2 {
        return Ok(None);
    }
    if arguments.output.format != Format::Text || arguments.writes_files() {
        let text = "several of the files have a function `main`: they are checked one by one, which only \
                    `--format text` without further files can report; give them one at a time";
        return Err(CommandFailure::Usage(text.to_owned()));
    }
    let program = |main: usize| {
        let mut places = others.clone();
        places.push(main);
        places.sort_unstable();
        // A name with a line break in it would be two lines.
        let name = report::text_width::printable(&sources.files[main].display().to_string());
        OneProgram { selection: Selection(places), name }
    };
    Ok(Some(mains.into_iter().map(program).collect()))
}

/// Runs the command in a worker, or in one for each program.
pub fn supervise_all(
    words: &[OsString],
    command: &Command,
    session: &Session,
) -> io::Result<Result<Exit, CommandFailure>> {
    let run = |selection| supervise(words, command.limits(), command.shows_progress(), selection, session);
    let programs = match run(None)? {
        Supervised::Ended(result) => return Ok(result),
        Supervised::Several(programs) => programs,
    };
    let mut lines = String::new();
    let mut worst = Exit::Holds;
    for (number, OneProgram { selection, name }) in programs.iter().enumerate() {
        let rule = session.out.glyphs().rule.repeat(2);
        let heading = format!("{rule} {name} ({} of {})", number + 1, programs.len());
        session.print(format!("{}\n\n", session.out.strong(&heading)).as_bytes());
        let exit = match run(Some(selection.clone()))? {
            Supervised::Ended(Ok(exit)) => exit,
            Supervised::Ended(Err(failure)) => failure.report(command, session),
            Supervised::Several(_) => return Ok(Err(CommandFailure::Bug("a program is several programs".to_owned()))),
        };
        session.print(b"\n");
        lines += &format!("  {:<9}  {name}\n", word(exit));
        worst = worst.worse(exit);
    }
    session.print(format!("{} programs\n{lines}", programs.len()).as_bytes());
    Ok(Ok(worst))
}

/// What became of a program, in the words of its table.
fn word(exit: Exit) -> &'static str {
    match exit {
        Exit::Holds => "HOLDS",
        Exit::Violated => "VIOLATED",
        Exit::Usage => "NOT READ",
        Exit::Unknown => "UNKNOWN",
        Exit::Bug => "NO ANSWER",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_survives_its_text_and_leaves_its_files() {
        let selection = Selection(vec![0, 2]);
        assert_eq!(Selection::parse(&selection.to_string()), Some(selection.clone()));
        assert_eq!(Selection::parse("0,x"), None);
        let mut files = ["a.c", "b.c", "c.c", "d.c"].map(PathBuf::from).to_vec();
        selection.apply(&mut files);
        assert_eq!(files, ["a.c", "c.c"].map(PathBuf::from));
    }
}
