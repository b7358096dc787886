//! What executions do not reach, and which lines they do, in words.

use base::{FileId, Files, Span};
use program::{Outcome, Program};
use serde_json::{Value, json};

use crate::verdict::CheckReport;

/// What an answer may be vacuous without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missed {
    Assertion,
    ThreadStart,
    End,
}

/// A place that is certainly not reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unreached {
    pub what: Missed,
    pub span: Span,
    /// By no execution at all; else by none within the bounds of the answers.
    pub never: bool,
}

/// The lines of a thread function and of what it calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lines {
    pub function: String,
    pub reached: Vec<(FileId, u32)>,
    pub never: Vec<(FileId, u32)>,
    pub open: Vec<(FileId, u32)>,
}

/// What was reached, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    pub unreached: Vec<Unreached>,
    /// If the user wants to see lines.
    pub lines: Vec<Lines>,
}

impl Reach {
    /// Whether an answer up to a bound says less than it seems to.
    pub fn is_vacuous_within_bounds(&self) -> bool {
        !self.unreached.is_empty()
    }
}

/// A line for each place that is not reached, as far as it says something about the answers.
pub fn remarks(report: &CheckReport<'_>) -> String {
    let bounded = report.outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::HoldsUpTo(_)));
    let violated = report.outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::Violated(_)));
    let mut out = String::new();
    for one in &report.reach.unreached {
        let name = name(report.program, one);
        out += &match one.what {
            Missed::End if violated && one.never => {
                let text = "no execution reaches the end of main; properties are not checked after a violation";
                format!("Note: {text}.\n")
            }
            _ if one.never => format!("Note: {name} is never reached.\n"),
            _ if bounded => format!("Note: {name} was never reached within these bounds.\n"),
            _ => continue,
        };
    }
    out
}

fn name(program: &Program, one: &Unreached) -> String {
    let place = program.files.describe(one.span);
    match one.what {
        Missed::Assertion => format!("the assertion at {place}"),
        Missed::ThreadStart => format!("the start of a thread at {place}"),
        Missed::End => "the end of main".to_owned(),
    }
}

/// The coverage of lines, thread function by thread function.
pub fn text(files: &Files, lines: &[Lines]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut out =
        "\nLines reached by some execution within the bounds, with what each thread function calls:\n".to_owned();
    for one in lines {
        let all = one.reached.len() + one.never.len() + one.open.len();
        out += &format!("  {}: {} of {all}", one.function, one.reached.len());
        for (words, places) in [("never reached", &one.never), ("not known", &one.open)] {
            if !places.is_empty() {
                out += &format!("; {words}: {}", ranges(files, places).join(", "));
            }
        }
        out.push('\n');
    }
    out
}

/// Lines next to each other in one word, for example `f.c:20-22`.
fn ranges(files: &Files, lines: &[(FileId, u32)]) -> Vec<String> {
    let mut ranges: Vec<(FileId, u32, u32)> = Vec::new();
    for &(file, line) in lines {
        match ranges.last_mut() {
            Some((known, _, last)) if *known == file && *last + 1 == line => *last = line,
            _ => ranges.push((file, line, line)),
        }
    }
    let word = |&(file, first, last): &(FileId, u32, u32)| match first == last {
        true => format!("{}:{first}", files.path(file)),
        false => format!("{}:{first}-{last}", files.path(file)),
    };
    ranges.iter().map(word).collect()
}

/// For tools: what was not reached.
pub fn unreached_table(report: &CheckReport<'_>) -> Vec<Value> {
    let files = &report.program.files;
    let entry = |one: &Unreached| {
        let kind = match one.what {
            Missed::Assertion => "assertion",
            Missed::ThreadStart => "thread-start",
            Missed::End => "end-of-main",
        };
        let place = one
            .span
            .is_known()
            .then(|| json!({ "file": files.path(one.span.file), "line": one.span.line, "column": one.span.column }));
        json!({ "kind": kind, "place": place, "scope": if one.never { "never" } else { "within-bounds" } })
    };
    report.reach.unreached.iter().map(entry).collect()
}

/// For tools: the coverage of lines.
pub fn lines_table(report: &CheckReport<'_>) -> Vec<Value> {
    let files = &report.program.files;
    let places = |lines: &[(FileId, u32)]| -> Vec<Value> {
        lines.iter().map(|&(file, line)| json!({ "file": files.path(file), "line": line })).collect()
    };
    let entry = |one: &Lines| {
        json!({
            "function": one.function,
            "reached": places(&one.reached),
            "never_reached": places(&one.never),
            "unknown": places(&one.open),
        })
    };
    report.reach.lines.iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_traces::lost_update;

    #[test]
    fn lines_next_to_each_other_are_one_range() {
        let (program, _) = lost_update();
        let file = FileId::nth(0);
        let lines = |numbers: &[u32]| numbers.iter().map(|&line| (file, line)).collect::<Vec<_>>();
        let one = Lines {
            function: "main".to_owned(),
            reached: lines(&[1, 2, 3]),
            never: lines(&[5, 6, 7, 9]),
            open: Vec::new(),
        };
        let shown = text(&program.files, &[one]);
        assert!(shown.ends_with("  main: 3 of 7; never reached: lost.c:5-7, lost.c:9\n"), "{shown}");
    }
}
