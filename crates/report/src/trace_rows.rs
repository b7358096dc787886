//! A trace as a reader wants it: what each thread did, line by line of the source they wrote, with the values.

use std::collections::BTreeMap;

use base::Span;
use program::{Program, ThreadId, Trace, TraceEvent, TraceEventKind};

use crate::look::Glyphs;
use crate::text_width::printable;

/// Consecutive events of one thread on one source line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub thread: ThreadId,
    pub span: Span,
    /// The source line without its indentation; empty where the text is not at hand.
    pub source: String,
    pub effects: Vec<String>,
    /// What went wrong here.
    pub failure: Option<String>,
}

/// The events on lines that the user wrote, and the violation wherever it is.
pub fn user_events<'a>(program: &'a Program, trace: &'a Trace) -> impl Iterator<Item = &'a TraceEvent> {
    let is_written = |event: &TraceEvent| {
        let built_in = program.functions.get(event.location.function).is_none_or(|function| function.built_in);
        event.span.is_known() && !built_in
    };
    trace.events.iter().filter(move |event| is_written(event) || is_violation(event))
}

fn is_violation(event: &TraceEvent) -> bool {
    matches!(event.kind, TraceEventKind::Violated { .. })
}

/// The rows of a trace, in the order in which things happened.
pub fn rows(program: &Program, trace: &Trace, glyphs: &Glyphs) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for event in user_events(program, trace) {
        let goes_on = rows.last().is_some_and(|row| {
            row.thread == event.thread && row.span.file == event.span.file && row.span.line == event.span.line
        });
        if !goes_on {
            rows.push(empty_row(program, event));
        }
        let row = rows.last_mut().expect("a row was just pushed");
        match &event.kind {
            TraceEventKind::Violated { message } => row.failure = Some(printable(message)),
            kind => row.effects.push(printable(&describe(kind, glyphs))),
        }
    }
    rows
}

fn empty_row(program: &Program, event: &TraceEvent) -> Row {
    let text = program.files.line_text(event.span.file, event.span.line).unwrap_or_default();
    let source = if event.span.is_known() { printable(text.trim()) } else { String::new() };
    Row { thread: event.thread, span: event.span, source, effects: Vec::new(), failure: None }
}

/// One event in words.
pub fn describe(kind: &TraceEventKind, glyphs: &Glyphs) -> String {
    let becomes = glyphs.becomes;
    match kind {
        TraceEventKind::Read { place, value } => format!("reads {place} = {value}"),
        TraceEventKind::Write { place, value } => format!("writes {place} = {value}"),
        TraceEventKind::Update { place, old, new: Some(new) } => format!("updates {place}: {old} {becomes} {new}"),
        TraceEventKind::Update { place, old, new: None } => format!("reads {place} = {old}, does not write"),
        TraceEventKind::Input { value } => format!("gets input {value}"),
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

/// How often the rows go from one thread to another.
pub fn context_switches(rows: &[Row]) -> usize {
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
