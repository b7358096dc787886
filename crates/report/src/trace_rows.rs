//! A trace as a reader wants it: what each thread did, line by line of the source they wrote, with the values.

use std::collections::BTreeMap;

use base::Span;
use program::{Program, ThreadId, Trace, TraceEvent, TraceEventKind, WaitingThread};

use crate::library_input::{failing_call, library_function, library_input};
use crate::look::Glyphs;
use crate::text_width::printable;

/// Consecutive events of one thread on one source line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceRow {
    pub thread: ThreadId,
    pub span: Span,
    /// The source line without its indentation; empty where the text is not at hand.
    pub source: String,
    pub effects: Vec<String>,
    /// What went wrong here.
    pub failure: Option<String>,
    /// The trace's events that the row tells of, by their numbers.
    pub events: Vec<usize>,
}

/// The events on lines that the user wrote, inputs that library functions take there, and the violation wherever it is.
pub fn user_events<'a>(program: &'a Program, trace: &'a Trace) -> impl Iterator<Item = &'a TraceEvent> {
    numbered_user_events(program, trace).map(|(_, event)| event)
}

/// As [`user_events`], with the number that each has in the trace.
pub fn numbered_user_events<'a>(
    program: &'a Program,
    trace: &'a Trace,
) -> impl Iterator<Item = (usize, &'a TraceEvent)> {
    let is_written = |event: &TraceEvent| {
        let is_input = matches!(event.kind, TraceEventKind::Input { .. });
        event.span.is_known() && (is_input || library_function(program, event).is_none())
    };
    trace.events.iter().enumerate().filter(move |(_, event)| is_written(event) || is_violation(event))
}

fn is_violation(event: &TraceEvent) -> bool {
    matches!(event.kind, TraceEventKind::Violated { .. })
}

/// The rows of a trace, in the order in which things happened.
pub fn rows(program: &Program, trace: &Trace, glyphs: &Glyphs) -> Vec<TraceRow> {
    let mut rows: Vec<TraceRow> = Vec::new();
    for (number, event) in numbered_user_events(program, trace) {
        let goes_on = rows.last().is_some_and(|row| {
            row.thread == event.thread && row.span.file == event.span.file && row.span.line == event.span.line
        });
        if !goes_on {
            rows.push(empty_row(program, event));
        }
        let row = rows.last_mut().expect("a row was just pushed");
        row.events.push(number);
        match &event.kind {
            TraceEventKind::Violated { message } => row.failure = Some(printable(&short_message(trace, message))),
            _ => row.effects.push(printable(&describe(program, event, glyphs))),
        }
    }
    rows
}

/// Both accesses of a race are told elsewhere, side by side.
fn short_message(trace: &Trace, message: &str) -> String {
    match &trace.violation.race {
        Some(pair) => format!("data race on {}", pair[0].place),
        None => message.to_owned(),
    }
}

fn empty_row(program: &Program, event: &TraceEvent) -> TraceRow {
    let text = program.files.line_text(event.span.file, event.span.line).unwrap_or_default();
    let source = if event.span.is_known() { printable(text.trim()) } else { String::new() };
    TraceRow { thread: event.thread, span: event.span, source, effects: Vec::new(), failure: None, events: Vec::new() }
}

/// One event in words.
pub fn describe(program: &Program, event: &TraceEvent, glyphs: &Glyphs) -> String {
    let becomes = glyphs.becomes;
    match &event.kind {
        TraceEventKind::Read { place, value } => format!("reads {place} = {value}"),
        TraceEventKind::Write { place, value } => format!("writes {place} = {value}"),
        TraceEventKind::Update { place, old, new: Some(new) } => format!("updates {place}: {old} {becomes} {new}"),
        TraceEventKind::Update { place, old, new: None } => format!("reads {place} = {old}, does not write"),
        TraceEventKind::Input { value } => match library_function(program, event) {
            Some(function) => library_input(function, value),
            None => failing_call(program, event).unwrap_or_else(|| format!("gets input {value}")),
        },
        TraceEventKind::Sync { action, object } => format!("{action} {object}"),
        TraceEventKind::Spawn { child, .. } => format!("starts {child}"),
        TraceEventKind::Join { child } => format!("joins {child}"),
        TraceEventKind::Allocate { object, size } => format!("allocates {object} ({size} bytes)"),
        TraceEventKind::Free { object } => format!("frees {object}"),
        TraceEventKind::ThreadEnd => "ends".to_owned(),
        TraceEventKind::ProcessEnd => "ends the process".to_owned(),
        TraceEventKind::Violated { message } => message.clone(),
    }
}

/// How the threads of a deadlock stand in the end: one row for each, where it waits and for what.
pub fn waiting_rows(program: &Program, trace: &Trace) -> Vec<TraceRow> {
    let names = thread_names(trace);
    let row = |waiting: &WaitingThread| {
        let text = program.files.line_text(waiting.span.file, waiting.span.line).unwrap_or_default();
        let holder =
            waiting.holder.map_or(String::new(), |holder| format!(", held by {}", thread_label(&names, holder)));
        let awaited = waiting.awaited.map_or(String::new(), |event| format!(" {event}"));
        TraceRow {
            thread: waiting.thread,
            span: waiting.span,
            source: if waiting.span.is_known() { printable(text.trim()) } else { String::new() },
            effects: Vec::new(),
            failure: Some(printable(&format!("waits for {}{awaited}{holder}", waiting.object))),
            events: Vec::new(),
        }
    };
    trace.violation.waiting.iter().map(row).collect()
}

/// How often the rows go from one thread to another.
pub fn context_switches(rows: &[TraceRow]) -> usize {
    rows.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
}

/// The threads of a trace by the function they run: `main` for T0.
pub fn thread_names(trace: &Trace) -> BTreeMap<ThreadId, String> {
    let mut names = BTreeMap::from([(ThreadId::MAIN, "main".to_owned())]);
    for event in &trace.events {
        names.entry(event.thread).or_default();
        if let TraceEventKind::Spawn { child, function } = &event.kind {
            names.insert(*child, printable(function));
        }
    }
    names
}

/// `T1 (worker)`.
pub fn thread_label(names: &BTreeMap<ThreadId, String>, thread: ThreadId) -> String {
    match names.get(&thread).filter(|name| !name.is_empty()) {
        Some(name) => format!("{thread} ({name})"),
        None => thread.to_string(),
    }
}
