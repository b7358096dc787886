//! What a test program says about itself: lines `// KEY value` at its head and `// VIOLATION` or `// RACE` on the
//! failing lines.
//! The format is described in `tests/programs/README.md`.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use frontend::{CompileOptions, MayFail};
use program::{DataModel, Property};

/// The expectation inside a test program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    pub property: Property,
    pub verdict: ExpectedVerdict,
    /// The values the explorer tries for each input.
    pub inputs: RangeInclusive<i64>,
    /// Exactly so many iterations of each loop; otherwise engines deepen.
    pub unwind: Option<u32>,
    pub executions: Option<Executions>,
    /// The lines at which a violation may be reported.
    pub violation_lines: BTreeSet<u32>,
    /// Engines that cannot decide the program yet answer unknown, for this reason.
    pub engines_unknown: Option<String>,
    /// Engines over the reachability tree may answer unknown, for this reason.
    pub trees_unknown: Option<String>,
    pub options: ExpectationOptions,
}

/// What options of the command line change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExpectationOptions {
    /// Waits on condition variables only end by a signal.
    pub no_spurious_wake_ups: bool,
    pub failures: MayFail,
    pub data_model: DataModel,
}

impl ExpectationOptions {
    pub fn to_compile_options(self) -> CompileOptions {
        let ExpectationOptions { no_spurious_wake_ups, failures, data_model } = self;
        CompileOptions { no_spurious_wake_ups, failures, data_model, ..CompileOptions::default() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpectedVerdict {
    /// The explorer and every engine find a violation, at a marked line.
    Violated,
    /// The explorer finds none, and every engine proves it.
    Proved,
    /// The explorer finds none; engines prove it or say up to which bound it holds.
    Holds,
    /// The explorer cannot see everything, and finds no violation in what it sees; engines prove it nevertheless.
    Unbounded,
    /// Whatever engines say within the given bound, it is not "proved". The explorer is not asked.
    NeverProved,
    /// Something unsupported is in the way of every answer. The explorer is not asked.
    Unknown,
}

/// The number of maximal executions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executions {
    Count(u128),
    /// Written `?`: to be filled in by blessing.
    ToBeBlessed,
}

/// What marks a line at which a violation may be reported.
const MARKS: [&str; 2] = ["// VIOLATION", "// RACE"];

/// All keys, for the message about a wrong one.
const KEYS: [&str; 9] =
    ["PROPERTY", "EXPECT", "NONDET", "UNWIND", "EXECUTIONS", "ENGINES", "TREES", "NATIVE", "OPTION"];

impl Expectation {
    /// Reads the expectation out of a program's text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut head = Head::default();
        for (line, comment) in comments_at_the_head(text) {
            head.line(comment).map_err(|message| format!("line {line}: {message}"))?;
        }
        let verdict = head.verdict.ok_or("there is no line `// EXPECT ...`")?;
        let expectation = Self {
            property: head.property.unwrap_or(Property::Assert),
            verdict,
            inputs: head.inputs.unwrap_or(0..=1),
            unwind: head.unwind,
            executions: head.executions,
            violation_lines: marked_lines(text),
            engines_unknown: head.engines_unknown,
            trees_unknown: head.trees_unknown,
            options: head.options,
        };
        if (verdict == ExpectedVerdict::Violated) == expectation.violation_lines.is_empty() {
            return Err(
                "a line is marked `// VIOLATION` (or `// RACE`) if and only if a violation is expected".to_owned()
            );
        }
        Ok(expectation)
    }
}

/// The options of the command line that lines `// OPTION ...` at the head of a text stand for.
pub fn options_at_the_head(text: &str) -> Result<CompileOptions, String> {
    let mut head = Head::default();
    let named = comments_at_the_head(text).filter_map(|(_, comment)| comment.strip_prefix("OPTION "));
    named.map(str::trim).try_for_each(|name| head.option(name))?;
    Ok(head.options.to_compile_options())
}

/// The text with `count` in its line `// EXECUTIONS ...`.
pub fn bless_executions(text: &str, count: u128) -> String {
    let blessed = |line: &str| match line.strip_prefix("// EXECUTIONS ") {
        Some(_) => format!("// EXECUTIONS {count}\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(blessed).collect()
}

fn comments_at_the_head(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let comments = text.lines().map_while(|line| line.strip_prefix("//"));
    comments.map(str::trim).enumerate().map(|(index, comment)| (index + 1, comment))
}

fn marked_lines(text: &str) -> BTreeSet<u32> {
    let is_marked = |line: &str| MARKS.iter().any(|mark| line.trim_end().ends_with(mark));
    text.lines().zip(1..).filter(|(line, _)| is_marked(line)).map(|(_, number)| number).collect()
}

#[derive(Default)]
struct Head {
    property: Option<Property>,
    verdict: Option<ExpectedVerdict>,
    inputs: Option<RangeInclusive<i64>>,
    unwind: Option<u32>,
    executions: Option<Executions>,
    engines_unknown: Option<String>,
    trees_unknown: Option<String>,
    options: ExpectationOptions,
}

impl Head {
    /// Takes in one comment. Prose is passed over, but what looks like a key must be one.
    fn line(&mut self, comment: &str) -> Result<(), String> {
        let (key, value) = comment.split_once(' ').unwrap_or((comment, ""));
        let value = value.trim();
        match key {
            "PROPERTY" => {
                let property = value.parse().map_err(|()| format!("`{value}` is no property"))?;
                set(&mut self.property, property, key)
            }
            "EXPECT" => set(&mut self.verdict, verdict(value)?, key),
            "NONDET" => set(&mut self.inputs, range(value)?, key),
            "UNWIND" => set(&mut self.unwind, number(value)?, key),
            "EXECUTIONS" if value == "?" => set(&mut self.executions, Executions::ToBeBlessed, key),
            "EXECUTIONS" => set(&mut self.executions, Executions::Count(number(value)?), key),
            "ENGINES" => {
                let reason = value.strip_prefix("unknown ").ok_or("only `ENGINES unknown REASON` has a meaning")?;
                set(&mut self.engines_unknown, reason.to_owned(), key)
            }
            "TREES" => {
                let reason = value.strip_prefix("unknown ").ok_or("only `TREES unknown REASON` has a meaning")?;
                set(&mut self.trees_unknown, reason.to_owned(), key)
            }
            "OPTION" => self.option(value),
            // For the comparison with native runs; nothing here depends on it.
            "NATIVE" if value.starts_with("no ") => Ok(()),
            "NATIVE" => Err("only `NATIVE no REASON` has a meaning".to_owned()),
            _ if looks_like_a_key(key) => Err(format!("`{key}` is none of the keys {}", KEYS.join(", "))),
            _ => Ok(()),
        }
    }

    fn option(&mut self, name: &str) -> Result<(), String> {
        match name {
            "no-spurious-wakeups" => self.options.no_spurious_wake_ups = true,
            "malloc-may-fail" => self.options.failures.allocation = true,
            "create-may-fail" => self.options.failures.creation = true,
            "ilp32" => self.options.data_model = DataModel::Ilp32,
            _ => return Err(format!("`OPTION {name}` has no meaning")),
        }
        Ok(())
    }
}

/// Upper case alone is no key: prose may begin with `EDEADLK`.
fn looks_like_a_key(word: &str) -> bool {
    let same_beginning = |key: &&str| word.get(..3).is_some_and(|beginning| key.starts_with(beginning));
    word.chars().all(|letter| letter.is_ascii_uppercase()) && KEYS.iter().any(same_beginning)
}

fn set<T>(place: &mut Option<T>, value: T, key: &str) -> Result<(), String> {
    match place.replace(value) {
        Some(_) => Err(format!("{key} is given twice")),
        None => Ok(()),
    }
}

fn verdict(value: &str) -> Result<ExpectedVerdict, String> {
    match value {
        "violated" => Ok(ExpectedVerdict::Violated),
        "proved" => Ok(ExpectedVerdict::Proved),
        "holds" => Ok(ExpectedVerdict::Holds),
        "unbounded" => Ok(ExpectedVerdict::Unbounded),
        "never-proved" => Ok(ExpectedVerdict::NeverProved),
        "unknown" => Ok(ExpectedVerdict::Unknown),
        _ => Err(format!("`{value}` is none of violated, proved, holds, unbounded, never-proved, unknown")),
    }
}

fn range(value: &str) -> Result<RangeInclusive<i64>, String> {
    let (low, high) = value.split_once("..").ok_or_else(|| format!("`{value}` is no range LOW..HIGH"))?;
    let (low, high) = (number(low)?, number(high)?);
    if low <= high { Ok(low..=high) } else { Err(format!("the range `{value}` is empty")) }
}

fn number<T: std::str::FromStr>(value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("`{value}` is no number that fits here"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_head_is_read() {
        let text = "// EDEADLK begins this prose.\n// PROPERTY no-deadlock\n// EXPECT violated\n// NONDET -1..3\n// UNWIND 4\n\
                    // EXECUTIONS 6\nint x;\nf(); // VIOLATION\n// EXPECT proved\n";
        let expectation = Expectation::parse(text).unwrap();
        assert_eq!(expectation.property, Property::NoDeadlock);
        assert_eq!(expectation.verdict, ExpectedVerdict::Violated);
        assert_eq!((expectation.inputs, expectation.unwind), (-1..=3, Some(4)));
        assert_eq!(expectation.executions, Some(Executions::Count(6)));
        assert_eq!(expectation.violation_lines, BTreeSet::from([8]));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, word) in [
            ("int x;", "EXPECT"),
            ("// EXPECT maybe", "maybe"),
            ("// EXPECT proved\n// EXPECT proved", "twice"),
            ("// EXPECT proved\n// UNWINDING 3", "UNWINDING"),
            ("// EXPECT proved\n// NONDET 3..1", "empty"),
            ("// EXPECT proved\n// PROPERTY none", "none"),
            ("// EXPECT violated", "VIOLATION"),
            ("// EXPECT proved\nint x; // VIOLATION", "VIOLATION"),
        ] {
            let message = Expectation::parse(text).unwrap_err();
            assert!(message.contains(word), "{text}: {message}");
        }
    }

    #[test]
    fn blessing_changes_one_line() {
        let text = "// EXPECT proved\n// EXECUTIONS ?\nint x;\n";
        assert_eq!(bless_executions(text, 12), "// EXPECT proved\n// EXECUTIONS 12\nint x;\n");
    }
}
