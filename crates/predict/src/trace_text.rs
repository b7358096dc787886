//! The text form of recordings: what `gordian record` writes. docs/trace-format.md describes it.
//!
//! Anything may stand in a file that is read, so nothing here is believed: numbers are checked, and whether the
//! decisions fit the program is for `path` to say.

use std::fmt::{self, Write};

use program::{BlockId, FunctionId, Program, ThreadId};

use crate::places_text::{parse_places, write_places};
use crate::recording::{Decision, Recording, ThreadRecord};

/// What every version begins with.
pub const MAGIC: &str = "gordian-trace ";

/// The first line of a file of this version.
pub const HEADER: &str = "gordian-trace 1";

/// A recording with what it was made from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceFile {
    /// The C files, as they were named.
    pub sources: Vec<String>,
    /// The arguments of `main`, if they are known: part of the program.
    pub arguments: Option<Vec<String>>,
    /// See [`fingerprint`].
    pub fingerprint: u64,
    pub recording: Recording,
}

/// Why a text is no trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceError {
    /// Counted from 1.
    pub line: usize,
    pub what: String,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// A number that changes when the program does (FNV-1a of its text form without the names of files).
pub fn fingerprint(program: &Program) -> u64 {
    let text = program.to_string();
    let lines = text.lines().filter(|line| !line.starts_with("file "));
    lines
        .flat_map(str::bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Decisions on one line.
const PER_LINE: usize = 24;

pub fn write_trace(file: &TraceFile) -> String {
    let mut out = format!("{HEADER}\nprogram {:016x}\n", file.fingerprint);
    for source in &file.sources {
        let _ = writeln!(out, "source {source}");
    }
    if let Some(arguments) = &file.arguments {
        out += "arguments\n";
        for argument in arguments {
            let _ = writeln!(out, "argument {}", escaped(argument));
        }
    }
    for record in &file.recording.threads {
        let pending = if record.pending { " pending" } else { "" };
        let _ = writeln!(out, "thread f{} {}{pending}", record.function.0, record.instructions);
        for line in record.decisions.chunks(PER_LINE) {
            for decision in line {
                let _ = match *decision {
                    Decision::Jump(block) => write!(out, " b{}", block.0),
                    Decision::Callee(function) => write!(out, " f{}", function.0),
                    Decision::Child(thread) => write!(out, " t{}", thread.0),
                    Decision::Value(bits) => write!(out, " v{bits:x}"),
                };
            }
            out.push('\n');
        }
    }
    for (thread, places) in file.recording.places.iter().enumerate() {
        for line in places.chunks(PER_LINE) {
            let _ = write!(out, "places {thread}");
            line.iter().for_each(|at| out.extend([" ", &write_places(at)]));
            out.push('\n');
        }
    }
    for line in file.recording.order.chunks(PER_LINE) {
        out += "order";
        for (thread, steps) in line {
            let _ = write!(out, " {}*{steps}", thread.0);
        }
        out.push('\n');
    }
    out + "end\n"
}

/// Reads what [`write_trace`] wrote. A file whose end is missing is read as far as it goes.
pub fn parse_trace(text: &str) -> Result<TraceFile, TraceError> {
    let recording = Recording::default();
    let mut file = TraceFile { sources: Vec::new(), arguments: None, fingerprint: 0, recording };
    let mut lines = text.lines().enumerate();
    if lines.next().map(|(_, line)| line) != Some(HEADER) {
        return Err(TraceError { line: 1, what: format!("a trace that can be read here begins with `{HEADER}`") });
    }
    for (index, line) in lines {
        parse_line(&mut file, line).map_err(|what| TraceError { line: index + 1, what })?;
    }
    if file.recording.threads.is_empty() {
        return Err(TraceError { line: 1, what: "a trace has at least one thread".to_owned() });
    }
    Ok(file)
}

fn parse_line(file: &mut TraceFile, line: &str) -> Result<(), String> {
    if line.starts_with(' ') {
        let record = file.recording.threads.last_mut().ok_or("decisions belong to a thread")?;
        for word in line.split_whitespace() {
            record.decisions.push(parse_decision(word)?);
        }
        return Ok(());
    }
    let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
    match key {
        "program" => file.fingerprint = u64::from_str_radix(rest, 16).map_err(|_| unreadable(rest))?,
        "source" => file.sources.push(rest.to_owned()),
        "arguments" => file.arguments = Some(Vec::new()),
        "argument" => file.arguments.get_or_insert_default().push(unescaped(rest)),
        "thread" => file.recording.threads.push(parse_thread(rest)?),
        "places" => {
            let mut words = rest.split_whitespace();
            let thread: u32 = number(words.next().unwrap_or_default())?;
            // Threads are known before their places, which are otherwise of no use.
            let threads = file.recording.threads.len();
            file.recording.places.resize_with(threads, Vec::new);
            let places = file.recording.places.get_mut(thread as usize).ok_or_else(|| unreadable(rest))?;
            for word in words {
                places.push(parse_places(word).ok_or_else(|| unreadable(word))?);
            }
        }
        "order" => {
            for word in rest.split_whitespace() {
                let (thread, steps) = word.split_once('*').ok_or_else(|| unreadable(word))?;
                file.recording.order.push((ThreadId(number(thread)?), number(steps)?));
            }
        }
        "end" => {}
        _ => return Err(unreadable(key)),
    }
    Ok(())
}

/// An argument on one line.
fn escaped(argument: &str) -> String {
    argument.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescaped(text: &str) -> String {
    let mut argument = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        argument.extend(match letter {
            '\\' => letters.next().map(|escape| match escape {
                'n' => '\n',
                'r' => '\r',
                other => other,
            }),
            other => Some(other),
        });
    }
    argument
}

fn parse_thread(rest: &str) -> Result<ThreadRecord, String> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (function, instructions, pending) = match words[..] {
        [function, instructions] => (function, instructions, false),
        [function, instructions, "pending"] => (function, instructions, true),
        _ => return Err(unreadable(rest)),
    };
    let function = function.strip_prefix('f').ok_or_else(|| unreadable(function))?;
    let instructions = instructions.parse().map_err(|_| unreadable(instructions))?;
    Ok(ThreadRecord { function: FunctionId(number(function)?), instructions, pending, decisions: Vec::new() })
}

fn parse_decision(word: &str) -> Result<Decision, String> {
    let mut letters = word.chars();
    let (kind, rest) = (letters.next(), letters.as_str());
    match kind {
        Some('b') => Ok(Decision::Jump(BlockId(number(rest)?))),
        Some('f') => Ok(Decision::Callee(FunctionId(number(rest)?))),
        Some('t') => Ok(Decision::Child(ThreadId(number(rest)?))),
        Some('v') => u64::from_str_radix(rest, 16).map(Decision::Value).map_err(|_| unreadable(word)),
        _ => Err(unreadable(word)),
    }
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| unreadable(text))
}

fn unreadable(text: &str) -> String {
    format!("`{text}` cannot be read here")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places::{GivenPointer, InstructionPlaces};

    fn example() -> TraceFile {
        let main = ThreadRecord {
            function: FunctionId(3),
            instructions: 7,
            pending: true,
            decisions: vec![
                Decision::Jump(BlockId(2)),
                Decision::Child(ThreadId(1)),
                Decision::Value(u64::MAX),
                Decision::Callee(FunctionId(0)),
            ],
        };
        let child = ThreadRecord { function: FunctionId(1), instructions: 0, pending: false, decisions: Vec::new() };
        let order = vec![(ThreadId(0), 3), (ThreadId(1), 1)];
        let places = InstructionPlaces { index: 2, places: vec![None], made: None, given: Some(GivenPointer::Null) };
        TraceFile {
            sources: vec!["a b.c".to_owned()],
            arguments: Some(vec![String::new(), "two words\n\\n".to_owned()]),
            fingerprint: 0xabc,
            recording: Recording { threads: vec![main, child], order, places: vec![vec![places], Vec::new()] },
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        assert_eq!(parse_trace(&write_trace(&example())), Ok(example()));
    }

    #[test]
    fn bad_lines_are_named() {
        let line_of = |text: &str| parse_trace(text).map_err(|error| error.line);
        assert_eq!(line_of("gordian-trace 2\n"), Err(1));
        assert_eq!(line_of("gordian-trace 1\nthread f0\n"), Err(2));
        assert_eq!(line_of("gordian-trace 1\nthread f0 3\n b1 x2\n"), Err(3));
        assert_eq!(line_of("gordian-trace 1\n b1\n"), Err(2));
        assert_eq!(line_of("gordian-trace 1\norder 1*99999999999\n"), Err(2));
        assert_eq!(line_of("gordian-trace 1\n"), Err(1));
    }
}
