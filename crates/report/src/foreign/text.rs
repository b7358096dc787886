//! The answer for people.

use std::fmt::Write;

use ::foreign::{Counts, EventId, ExternalTrace, Kind, TraceFinding, TraceVerdict};

use super::{ForeignReport, property};

/// More events of an order than this are left out of the text; `--format json` has them all.
const MAX_SHOWN: usize = 40;

pub fn text(report: &ForeignReport<'_>) -> String {
    let mut out = String::new();
    for (kind, counts, verdict) in report.analysis.verdicts() {
        let name = property(kind).name();
        let _ = match verdict {
            TraceVerdict::Violated => writeln!(out, "VIOLATED {name}: {}", claim_of(kind, counts.found)),
            TraceVerdict::Holds => writeln!(out, "HOLDS {name}: no violation in any reordering of the recorded run"),
            TraceVerdict::HoldsInWindows => {
                writeln!(
                    out,
                    "HOLDS {name}: no violation in any reordering of {} events of the recorded run",
                    report.window
                )
            }
            TraceVerdict::Unknown(reason) => writeln!(out, "UNKNOWN {name}: {reason}"),
        };
        report.findings(kind).for_each(|finding| out += &describe(report.trace, finding));
    }
    out.push('\n');
    for (kind, counts, _) in report.analysis.verdicts() {
        out += &steps(kind, counts);
    }
    let _ = writeln!(out, "{}", scope(report));
    out
}

fn claim_of(kind: Kind, count: usize) -> String {
    let plural = |one: &str, many: &str| if count == 1 { format!("1 {one}") } else { format!("{count} {many}") };
    match kind {
        Kind::Race => plural("pair of locations races", "pairs of locations race"),
        Kind::Deadlock => plural("cycle of threads can deadlock", "cycles of threads can deadlock"),
        Kind::Atomicity => plural("transaction can be interrupted", "transactions can be interrupted"),
    }
}

fn describe(trace: &ExternalTrace, finding: &TraceFinding) -> String {
    let mut out = String::new();
    for (index, &event) in finding.events.iter().enumerate() {
        let body = &trace.events[event];
        let word = if index == 0 { "  " } else { "  and " };
        let _ =
            writeln!(out, "{word}{} at {} (line {})", trace.describe(event), trace.locations[body.location], body.line);
    }
    let _ = writeln!(out, "    {}", order(trace, finding));
    out
}

/// The lines of the file in an order that leads there.
fn order(trace: &ExternalTrace, finding: &TraceFinding) -> String {
    let witness = &finding.witness;
    let mut parts = Vec::new();
    if let Some(last) = witness.prefix.checked_sub(1) {
        parts.push(format!("all events up to line {} as recorded", trace.events[EventId(last as u32)].line));
    }
    if !witness.order.is_empty() {
        let shown: Vec<String> =
            witness.order.iter().take(MAX_SHOWN).map(|&event| trace.events[event].line.to_string()).collect();
        let rest = witness.order.len().saturating_sub(MAX_SHOWN);
        let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        parts.push(format!("lines {}{rest}", shown.join(" ")));
    }
    let pending: Vec<String> =
        witness.pending.iter().map(|&event| format!("line {}", trace.events[event].line)).collect();
    parts.push(format!("next: {}", pending.join(", ")));
    parts.join("; ")
}

fn steps(kind: Kind, counts: Counts) -> String {
    let Counts { candidates, after_locksets, after_must_happen_before, found, open } = counts;
    let open = if open > 0 { format!(", {open} open") } else { String::new() };
    format!(
        "{}: {candidates} candidates, {after_locksets} after locksets, {after_must_happen_before} after \
         must-happen-before, {found} possible{open}\n",
        property(kind).name()
    )
}

fn scope(report: &ForeignReport<'_>) -> String {
    let trace = report.trace;
    let reordered = match report.analysis.is_one_window {
        true => "all at once".to_owned(),
        false => format!("in windows of {} that overlap by half", report.window),
    };
    format!(
        "{} events of {} threads, reordered {reordered}, in {:.2} s; every read sees the write that it saw in the run.",
        trace.events.len(),
        trace.threads.len(),
        report.elapsed.as_secs_f64()
    )
}
