//! What the page shows, as data for its script.

use std::collections::{BTreeMap, HashMap};

use base::statistics::Quantity;
use base::{FileId, Span};
use program::{Outcome, Program, Trace, TraceEvent, TraceEventKind};
use serde::Serialize;

use crate::assumptions::relevant;
use crate::look::{Glyphs, Look};
use crate::suppression::Suppression;
use crate::trace_rows::{describe, thread_label, thread_names, user_events};
use crate::verdict::{CheckReport, Verdict, claim};

/// Events of one trace that a page can take; of a longer one the end is shown.
const MAX_EVENTS: usize = 3_000;
/// Lines shown around those that a finding is about; small files are shown whole.
const AROUND: u32 = 30;
const WHOLE: usize = 2_000;

#[derive(Serialize)]
pub struct Page {
    version: String,
    checker: String,
    seconds: f64,
    answers: Vec<PageAnswer>,
    findings: Vec<PageFinding>,
    files: Vec<PageSource>,
    statistics: Vec<(String, String)>,
}

#[derive(Serialize)]
struct PageAnswer {
    property: &'static str,
    verdict: &'static str,
    words: String,
    assumptions: Vec<String>,
}

#[derive(Serialize)]
struct PageFinding {
    property: &'static str,
    message: String,
    place: Option<PagePlace>,
    threads: Vec<PageThread>,
    /// The other places that belong to it, each with a remark.
    related: Vec<(Option<PagePlace>, String)>,
    suppressed: Vec<String>,
    /// Events before the first that is shown.
    left_out: usize,
    events: Vec<PageEvent>,
}

/// A file by its number in `files`, and a line.
#[derive(Serialize, Clone, Copy)]
struct PagePlace {
    file: usize,
    line: u32,
}

#[derive(Serialize)]
struct PageThread {
    id: u32,
    name: String,
}

#[derive(Serialize)]
struct PageEvent {
    thread: u32,
    place: Option<PagePlace>,
    text: String,
    /// The place in memory that it accesses, and the value that is there afterwards.
    memory: Option<(String, String)>,
    writes: bool,
    /// The event whose value it reads.
    reads_from: Option<usize>,
    failure: bool,
}

#[derive(Serialize)]
struct PageSource {
    path: String,
    first: u32,
    lines: Vec<String>,
}

impl Page {
    pub fn new(report: &CheckReport<'_>, version: &str) -> Self {
        let mut sources = Sources::default();
        let mut findings = Vec::new();
        for (_, outcome) in report.outcomes {
            if let Outcome::Violated(trace) = outcome {
                findings.push(finding(report, trace, &mut sources));
            }
        }
        Page {
            version: version.to_owned(),
            checker: report.checker.to_owned(),
            seconds: report.elapsed.as_secs_f64(),
            answers: report.outcomes.iter().map(|(property, outcome)| answer(report, *property, outcome)).collect(),
            findings,
            files: sources.texts(report.program),
            statistics: report.statistics.iter().map(|(name, quantity)| (name.to_owned(), shown(quantity))).collect(),
        }
    }
}

fn shown(quantity: Quantity) -> String {
    match quantity {
        Quantity::Count(count) => count.to_string(),
        Quantity::Time(time) => format!("{:.3} s", time.as_secs_f64()),
    }
}

fn answer(report: &CheckReport<'_>, property: program::Property, outcome: &Outcome) -> PageAnswer {
    let words = match outcome {
        Outcome::Violated(trace) => trace.violation.message.clone(),
        Outcome::Proved => claim(property).to_owned(),
        Outcome::HoldsUpTo(bounds) => format!("{} up to {bounds}", claim(property)),
        Outcome::Unknown(reason) => reason.to_string(),
    };
    PageAnswer {
        property: property.name(),
        verdict: Verdict::of(outcome).word(),
        words,
        assumptions: relevant(report.assumptions, outcome).into_iter().map(str::to_owned).collect(),
    }
}

/// The files that findings are about, and which of their lines.
#[derive(Default)]
struct Sources {
    numbers: BTreeMap<FileId, usize>,
    lines: Vec<(FileId, u32, u32)>,
}

impl Sources {
    fn place(&mut self, span: Span) -> Option<PagePlace> {
        if !span.is_known() {
            return None;
        }
        let next = self.numbers.len();
        let file = *self.numbers.entry(span.file).or_insert(next);
        if file == next {
            self.lines.push((span.file, span.line, span.line));
        }
        let (_, first, last) = &mut self.lines[file];
        (*first, *last) = ((*first).min(span.line), (*last).max(span.line));
        Some(PagePlace { file, line: span.line })
    }

    fn texts(&self, program: &Program) -> Vec<PageSource> {
        let source = |&(file, first, last): &(FileId, u32, u32)| {
            let text = program.files.get(file).and_then(|file| file.text.as_deref()).unwrap_or_default();
            let all: Vec<&str> = text.lines().collect();
            let (first, last) = if all.len() <= WHOLE { (1, all.len()) } else { window(first, last, all.len()) };
            let lines = all.get(first - 1..last).unwrap_or_default();
            PageSource {
                path: program.files.path(file).to_owned(),
                first: first as u32,
                lines: lines.iter().map(|&line| line.to_owned()).collect(),
            }
        };
        self.lines.iter().map(source).collect()
    }
}

fn window(first: u32, last: u32, all: usize) -> (usize, usize) {
    (first.saturating_sub(AROUND).max(1) as usize, (last.saturating_add(AROUND) as usize).min(all))
}

fn finding(report: &CheckReport<'_>, trace: &Trace, sources: &mut Sources) -> PageFinding {
    let (program, violation) = (report.program, &trace.violation);
    let names = thread_names(trace);
    let mut related: Vec<(Option<PagePlace>, String)> = Vec::new();
    for (thread, span, text) in &violation.related {
        related.push((sources.place(*span), format!("{}: {text}", thread_label(&names, *thread))));
    }
    for access in violation.race.iter().flat_map(|pair| pair.iter()) {
        let text = format!(
            "{}: {} of {}, {}",
            thread_label(&names, access.thread),
            access.access,
            access.place,
            access.protection
        );
        related.push((sources.place(access.span), text));
    }
    for waiting in &violation.waiting {
        let holder =
            waiting.holder.map_or(String::new(), |holder| format!(", held by {}", thread_label(&names, holder)));
        let text = format!("{} waits for {}{holder}", thread_label(&names, waiting.thread), waiting.object);
        related.push((sources.place(waiting.span), text));
    }
    let all: Vec<&TraceEvent> = user_events(program, trace).collect();
    let left_out = all.len().saturating_sub(MAX_EVENTS);
    let suppressed = Suppression::of(report.suppressions, program, trace).map(|one| one.reason.clone()).collect();
    PageFinding {
        property: violation.property.name(),
        message: violation.message.clone(),
        place: sources.place(violation.span),
        threads: names.into_iter().map(|(thread, name)| PageThread { id: thread.0, name }).collect(),
        related,
        suppressed,
        left_out,
        events: events(program, &all[left_out..], sources),
    }
}

fn events(program: &Program, all: &[&TraceEvent], sources: &mut Sources) -> Vec<PageEvent> {
    let glyphs: &Glyphs = Look { unicode: true, ..Look::PLAIN }.glyphs();
    let mut last_write: HashMap<&str, usize> = HashMap::new();
    let mut out = Vec::with_capacity(all.len());
    for (number, event) in all.iter().enumerate() {
        let (memory, reads, writes) = access(&event.kind);
        let reads_from = memory.filter(|_| reads).and_then(|(place, _)| last_write.get(place).copied());
        if let (Some((place, _)), true) = (memory, writes) {
            last_write.insert(place, number);
        }
        out.push(PageEvent {
            thread: event.thread.0,
            place: sources.place(event.span),
            text: describe(program, event, glyphs),
            memory: memory.map(|(place, value)| (place.to_owned(), value.to_owned())),
            writes,
            reads_from,
            failure: matches!(event.kind, TraceEventKind::Violated { .. }),
        });
    }
    out
}

/// The place with its value afterwards, and whether the event reads and writes it.
fn access(kind: &TraceEventKind) -> (Option<(&str, &str)>, bool, bool) {
    match kind {
        TraceEventKind::Read { place, value } => (Some((place, value)), true, false),
        TraceEventKind::Write { place, value } => (Some((place, value)), false, true),
        TraceEventKind::Update { place, new: Some(new), .. } => (Some((place, new)), true, true),
        TraceEventKind::Update { place, old, new: None } => (Some((place, old)), true, false),
        _ => (None, false, false),
    }
}
