//! The STD format of RAPID (Mathur): one event per line, `thread|operation(operand)|location`. Operations are `r`, `w`, `acq`,
//! `rel`, `fork`, `join`, and `begin` and `end`, whose operand does not matter.
//!
//! Spaces around the parts, empty lines and lines that begin with `#` are overlooked. Where the location is missing, the
//! line of the file stands for it.

use std::fmt;
use std::io::{BufRead, Write};

use base::{Id, IdVec};
use rustc_hash::FxHashMap;

use crate::trace::{ExternalEvent, ExternalTrace, Operation};

/// Why a file is no trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadLine {
    /// The first line is 1.
    pub line: u32,
    pub what: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// Reads a trace. Whether it can be a run is checked by [`TraceIndex::new`](crate::Survey::new).
pub fn parse(mut input: impl BufRead) -> Result<ExternalTrace, BadLine> {
    let mut parser = Parser::default();
    let mut text = Vec::new();
    loop {
        text.clear();
        let bad = |line, what: String| BadLine { line, what };
        match input.read_until(b'\n', &mut text) {
            Ok(0) => return Ok(parser.trace),
            Ok(_) => {}
            Err(error) => return Err(bad(parser.line + 1, error.to_string())),
        }
        parser.line = parser.line.checked_add(1).ok_or_else(|| bad(u32::MAX, "too many lines".to_owned()))?;
        let line = std::str::from_utf8(&text).map_err(|_| bad(parser.line, "not UTF-8".to_owned()))?;
        parser.read_line(line.trim()).map_err(|what| bad(parser.line, what))?;
    }
}

#[derive(Default)]
struct Parser {
    line: u32,
    trace: ExternalTrace,
    threads: FxHashMap<String, u32>,
    variables: FxHashMap<String, u32>,
    locks: FxHashMap<String, u32>,
    locations: FxHashMap<String, u32>,
}

impl Parser {
    fn read_line(&mut self, line: &str) -> Result<(), String> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let mut parts = line.splitn(3, '|').map(str::trim);
        let (thread, operation) = (parts.next().unwrap_or_default(), parts.next());
        let operation = operation.ok_or_else(|| format!("expected `thread|operation|location`, found `{line}`"))?;
        if thread.is_empty() {
            return Err("no thread before the first `|`".to_owned());
        }
        let thread = intern(&mut self.threads, &mut self.trace.threads, thread);
        let operation = self.operation(operation)?;
        let location = match parts.next().filter(|location| !location.is_empty()) {
            Some(location) => intern(&mut self.locations, &mut self.trace.locations, location),
            None => intern(&mut self.locations, &mut self.trace.locations, &format!("line {}", self.line)),
        };
        self.trace.events.push(ExternalEvent { thread, operation, location, line: self.line });
        Ok(())
    }

    fn operation(&mut self, text: &str) -> Result<Operation, String> {
        let (name, operand) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => {
                let operand = rest.strip_suffix(')').ok_or_else(|| format!("no `)` at the end of `{text}`"))?;
                (name.trim(), operand.trim())
            }
        };
        match name {
            "begin" => return Ok(Operation::Begin),
            "end" => return Ok(Operation::End),
            "r" | "w" | "acq" | "rel" | "fork" | "join" if operand.is_empty() => {
                return Err(format!("`{name}` needs an operand, as in `{name}(X)`"));
            }
            _ => {}
        }
        let trace = &mut self.trace;
        Ok(match name {
            "r" => Operation::Read(intern(&mut self.variables, &mut trace.variables, operand)),
            "w" => Operation::Write(intern(&mut self.variables, &mut trace.variables, operand)),
            "acq" => Operation::Acquire(intern(&mut self.locks, &mut trace.locks, operand)),
            "rel" => Operation::Release(intern(&mut self.locks, &mut trace.locks, operand)),
            "fork" => Operation::Fork(intern(&mut self.threads, &mut trace.threads, operand)),
            "join" => Operation::Join(intern(&mut self.threads, &mut trace.threads, operand)),
            _ => {
                return Err(format!("`{name}` is not an operation; use r, w, acq, rel, fork, join, begin or end"));
            }
        })
    }
}

fn intern<I: Id>(known: &mut FxHashMap<String, u32>, names: &mut IdVec<I, String>, name: &str) -> I {
    match known.get(name) {
        Some(&id) => I::new(id as usize),
        None => {
            known.insert(name.to_owned(), names.len() as u32);
            names.push(name.to_owned())
        }
    }
}

/// Writes what [`parse`] reads.
pub fn write(trace: &ExternalTrace, out: &mut impl Write) -> std::io::Result<()> {
    for (id, event) in trace.events.iter_enumerated() {
        writeln!(out, "{}|{}", trace.describe(id), trace.locations[event.location])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let text = "T0|fork(T1)|1\nT0|w(V1.f[0])|2\nT1|begin|3\nT1|acq(L)|4\nT1|r(V1.f[0])|5\nT1|rel(L)|6\nT1|end|7\nT0|join(T1)|8\n";
        let trace = parse(text.as_bytes()).expect("well formed");
        let mut written = Vec::new();
        write(&trace, &mut written).expect("memory takes everything");
        assert_eq!(String::from_utf8(written).expect("text"), text);
    }

    #[test]
    fn spaces_comments_and_missing_locations_do_no_harm() {
        let trace =
            parse("# a comment\n\n T0 | r( V1 ) | 3 \nT0|w(V1)\nT0|begin(0)|4\r\n".as_bytes()).expect("well formed");
        assert_eq!(trace.events.len(), 3);
        assert_eq!(trace.variables.len(), 1);
        assert_eq!(trace.events[crate::EventId(1)].line, 4);
    }

    #[test]
    fn a_bad_line_is_named() {
        for (text, line) in [
            ("T0|r(V1)|1\nT0\n", 2),
            ("|r(V1)|1\n", 1),
            ("T0|r|1\n", 1),
            ("T0|r()|1\n", 1),
            ("\n\nT0|rd(V)|1\n", 3),
            ("T0|r(V|1\n", 1),
        ] {
            assert_eq!(parse(text.as_bytes()).expect_err("ill formed").line, line, "{text:?}");
        }
        assert_eq!(parse(&b"T0|r(V)|1\n\xff\xfe|r(V)|1\n"[..]).expect_err("no text").line, 2);
    }
}
