//! Schedules as text files, made to be read, edited and kept:
//!
//! ```text
//! gordian schedule 1
//! step T0 f2:b0:3
//! step T1
//! choose T1 5 0
//! memory T0#2+8 00ff3c00
//! ```
//!
//! One `step` per line in order, with the location where it is known; the choices of a thread in order, on as many
//! `choose` lines as one likes; the contents of indeterminate memory in hexadecimal. Objects are `g3` for a global,
//! `g3@T1` for a thread's own instance, `T0#2` for the third object that thread 0 made. `#` begins a comment line.

use std::fmt::Write;

use program::{BlockId, FunctionId, GlobalId, Location, MemoryChoice, ObjectName, Schedule, Step, ThreadId};

const HEADER: &str = "gordian schedule 1";

/// How many choices go on one line.
const CHOICES_PER_LINE: usize = 16;

/// A line that is not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduleError {
    /// Counted from 1.
    pub line: usize,
    pub message: String,
}

impl std::fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ScheduleError {}

pub fn write_schedule(schedule: &Schedule) -> String {
    let mut text = format!("{HEADER}\n");
    for step in &schedule.steps {
        match step.location {
            Some(location) => writeln!(text, "step {} {location}", step.thread),
            None => writeln!(text, "step {}", step.thread),
        }
        .expect("writing to a string should succeed");
    }
    for (thread, values) in schedule.choices.by_thread.iter().enumerate() {
        for line in values.chunks(CHOICES_PER_LINE) {
            let values: Vec<String> = line.iter().map(u64::to_string).collect();
            text.push_str(&format!("choose T{thread} {}\n", values.join(" ")));
        }
    }
    for choice in &schedule.choices.memory {
        let bytes: String = choice.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        text.push_str(&format!("memory {}+{} {bytes}\n", object_text(choice.object), choice.offset));
    }
    text
}

/// An object as schedules write it.
pub fn object_text(object: ObjectName) -> String {
    match object {
        ObjectName::Global(global) => global.to_string(),
        ObjectName::ThreadLocal(global, thread) => format!("{global}@{thread}"),
        ObjectName::Allocated(thread, number) => format!("{thread}#{number}"),
    }
}

pub fn parse_schedule(text: &str) -> Result<Schedule, ScheduleError> {
    let mut lines = text.lines().enumerate();
    let header = lines.next().map_or("", |(_, line)| line.trim());
    if header != HEADER {
        return Err(ScheduleError { line: 1, message: format!("expected `{HEADER}`, found `{}`", excerpt(header)) });
    }
    let mut schedule = Schedule::default();
    for (index, line) in lines {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            parse_line(line, &mut schedule).map_err(|message| ScheduleError { line: index + 1, message })?;
        }
    }
    Ok(schedule)
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

fn parse_line(line: &str, schedule: &mut Schedule) -> Result<(), String> {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("step") => {
            let thread = parse_thread(words.next().ok_or("a step needs a thread")?)?;
            let location = words.next().map(parse_location).transpose()?;
            schedule.steps.push(Step { thread, location });
        }
        Some("choose") => {
            let thread = parse_thread(words.next().ok_or("a choice needs a thread")?)?;
            for word in words.by_ref() {
                let value = word.parse().map_err(|_| format!("`{}` is not a number", excerpt(word)))?;
                schedule.choices.push(thread, value);
            }
        }
        Some("memory") => {
            let place = words.next().ok_or("a memory choice needs a place")?;
            let bytes = parse_bytes(words.next().ok_or("a memory choice needs bytes")?)?;
            let (object, offset) = place.rsplit_once('+').ok_or("a place is written `object+offset`")?;
            let offset = offset.parse().map_err(|_| format!("`{}` is not an offset", excerpt(offset)))?;
            schedule.choices.memory.push(MemoryChoice { object: parse_object(object)?, offset, bytes });
        }
        other => return Err(format!("`{}` is not `step`, `choose` or `memory`", excerpt(other.unwrap_or("")))),
    }
    match words.next() {
        Some(word) => Err(format!("`{}` is too much", excerpt(word))),
        None => Ok(()),
    }
}

/// More threads than an execution can have are a mistake in the file.
const MAX_THREAD: u32 = 1 << 16;

fn parse_thread(word: &str) -> Result<ThreadId, String> {
    let number = parse_id(word, "T").filter(|&number| number < MAX_THREAD);
    number.map(ThreadId).ok_or_else(|| format!("`{}` is not a thread such as `T0`", excerpt(word)))
}

fn parse_id(word: &str, prefix: &str) -> Option<u32> {
    word.strip_prefix(prefix)?.parse().ok()
}

fn parse_location(word: &str) -> Result<Location, String> {
    let parse = || {
        let mut parts = word.split(':');
        let function = FunctionId(parse_id(parts.next()?, "f")?);
        let block = BlockId(parse_id(parts.next()?, "b")?);
        let index = parts.next()?.parse().ok()?;
        parts.next().is_none().then_some(Location { function, block, index })
    };
    parse().ok_or_else(|| format!("`{}` is not a location such as `f2:b0:3`", excerpt(word)))
}

/// Reads what [`object_text`] wrote.
pub fn parse_object(word: &str) -> Result<ObjectName, String> {
    let global = |word| parse_id(word, "g").map(GlobalId);
    let parsed = if let Some((thread, number)) = word.split_once('#') {
        let number = number.parse().ok();
        number.and_then(|number| Some(ObjectName::Allocated(parse_thread(thread).ok()?, number)))
    } else if let Some((name, thread)) = word.split_once('@') {
        global(name).and_then(|id| Some(ObjectName::ThreadLocal(id, parse_thread(thread).ok()?)))
    } else {
        global(word).map(ObjectName::Global)
    };
    parsed.ok_or_else(|| format!("`{}` is not an object such as `g3`, `g3@T1` or `T0#2`", excerpt(word)))
}

fn parse_bytes(word: &str) -> Result<Vec<u8>, String> {
    let wrong = || format!("`{}` is not a row of hexadecimal bytes", excerpt(word));
    if !word.is_ascii() || !word.len().is_multiple_of(2) {
        return Err(wrong());
    }
    (0..word.len()).step_by(2).map(|at| u8::from_str_radix(&word[at..at + 2], 16).map_err(|_| wrong())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn random_schedule(random: &mut Random) -> Schedule {
        let mut schedule = Schedule::default();
        for _ in 0..random.below(20) {
            let mut small = || random.below(5) as u32;
            let location = Location { function: FunctionId(small()), block: BlockId(small()), index: small() };
            let thread = ThreadId(small());
            schedule.steps.push(Step { thread, location: (random.below(2) == 0).then_some(location) });
        }
        for _ in 0..random.below(50) {
            let thread = ThreadId(random.below(3) as u32);
            schedule.choices.push(thread, random.next() >> random.below(64));
        }
        for _ in 0..random.below(4) {
            let object = match random.below(3) {
                0 => ObjectName::Global(GlobalId(7)),
                1 => ObjectName::ThreadLocal(GlobalId(1), ThreadId(2)),
                _ => ObjectName::Allocated(ThreadId(1), 3),
            };
            let bytes = (0..1 + random.below(9)).map(|_| random.next() as u8).collect();
            schedule.choices.memory.push(MemoryChoice { object, offset: random.below(100), bytes });
        }
        schedule
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let mut schedule = random_schedule(&mut random);
            // A thread without choices is not written.
            while schedule.choices.by_thread.last().is_some_and(Vec::is_empty) {
                schedule.choices.by_thread.pop();
            }
            assert_eq!(parse_schedule(&write_schedule(&schedule)), Ok(schedule));
        }
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let error = |text: &str| parse_schedule(text).expect_err("a mistake").to_string();
        assert!(error("").starts_with("line 1: expected `gordian schedule 1`"));
        assert!(error("gordian schedule 2\n").starts_with("line 1"));
        assert_eq!(error("gordian schedule 1\n\nstep x"), "line 3: `x` is not a thread such as `T0`");
        assert!(error("gordian schedule 1\nstep T0 f1:b2").contains("location"));
        assert!(error("gordian schedule 1\nstep T0 f1:b2:3 T1").contains("too much"));
        assert!(error("gordian schedule 1\nchoose T99999999 1").contains("not a thread"));
        assert!(error("gordian schedule 1\nmemory T0#1+0 0g").contains("hexadecimal"));
        assert!(error("gordian schedule 1\njump T0").contains("`step`"));
    }
}
