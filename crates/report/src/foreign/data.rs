//! The answer as JSON:
//!
//! ```text
//! gordian      version of the tool
//! format       version of this format: 1
//! checker      "prediction from a foreign trace"
//! files        the trace
//! verdict      "violated" | "holds" | "unknown"; exit_code as for every command
//! trace        {events, threads, variables, locks}
//! window       {events, whole_trace, chosen_by_user}
//! properties   [{property, verdict, reason, candidates, after_locksets, after_must_happen_before, possible, open, findings}]
//!   findings     [{events: [event], as_recorded, order: [line], next: [line]}]: the first `as_recorded` events of the trace
//!                happen as recorded, then the lines in `order`; those in `next` come next in their threads
//!   event        {line, thread, operation, location}
//! statistics   {wall_seconds, counts, seconds}
//! ```

use std::collections::BTreeMap;

use ::foreign::{Counts, EventId, ExternalTrace, Kind, TraceFinding, TraceVerdict};
use base::statistics::Quantity;
use serde_json::{Value, json as object};

use super::{ForeignReport, property};
use crate::json::Invocation;

pub fn json(report: &ForeignReport<'_>, invocation: Invocation<'_>) -> String {
    let verdicts = report.analysis.verdicts();
    let any = |test: fn(&TraceVerdict) -> bool| verdicts.iter().any(|(_, _, verdict)| test(verdict));
    let verdict = match (
        any(|verdict| matches!(verdict, TraceVerdict::Violated)),
        any(|verdict| matches!(verdict, TraceVerdict::Unknown(_))),
    ) {
        (true, _) => "violated",
        (false, true) => "unknown",
        (false, false) => "holds",
    };
    let trace = report.trace;
    let document = object!({
        "gordian": invocation.version,
        "format": 1,
        "checker": "prediction from a foreign trace",
        "files": invocation.files,
        "verdict": verdict,
        "exit_code": invocation.exit_code,
        "trace": {
            "events": trace.events.len(),
            "threads": trace.threads.len(),
            "variables": trace.variables.len(),
            "locks": trace.locks.len(),
        },
        "window": {
            "events": report.window,
            "whole_trace": report.analysis.is_one_window,
            "chosen_by_user": report.window_is_chosen,
        },
        "properties": verdicts.iter().map(|answer| answer_of(report, answer)).collect::<Vec<_>>(),
        "statistics": statistics(report),
    });
    serde_json::to_string_pretty(&document).expect("a report should have only string keys") + "\n"
}

fn answer_of(report: &ForeignReport<'_>, (kind, counts, verdict): &(Kind, Counts, TraceVerdict)) -> Value {
    let (word, reason) = match verdict {
        TraceVerdict::Violated => ("violated", None),
        TraceVerdict::Holds | TraceVerdict::HoldsInWindows => ("holds", None),
        TraceVerdict::Unknown(reason) => ("unknown", Some(reason)),
    };
    let mut answer = object!({
        "property": property(*kind).name(),
        "verdict": word,
        "candidates": counts.candidates,
        "after_locksets": counts.after_locksets,
        "after_must_happen_before": counts.after_must_happen_before,
        "possible": counts.found,
        "open": counts.open,
        "findings": report.findings(*kind).map(|finding| finding_of(report.trace, finding)).collect::<Vec<_>>(),
    });
    if let Some(reason) = reason {
        answer["reason"] = object!(reason);
    }
    answer
}

fn finding_of(trace: &ExternalTrace, finding: &TraceFinding) -> Value {
    let lines = |events: &[EventId]| events.iter().map(|&event| trace.events[event].line).collect::<Vec<_>>();
    let event = |&event: &EventId| {
        let body = &trace.events[event];
        let described = trace.describe(event);
        let operation = described.split_once('|').map_or("", |(_, operation)| operation);
        object!({
            "line": body.line,
            "thread": trace.threads[body.thread],
            "operation": operation,
            "location": trace.locations[body.location],
        })
    };
    object!({
        "events": finding.events.iter().map(event).collect::<Vec<_>>(),
        "as_recorded": finding.witness.prefix,
        "order": lines(&finding.witness.order),
        "next": lines(&finding.witness.pending),
    })
}

fn statistics(report: &ForeignReport<'_>) -> Value {
    let (mut counts, mut seconds) = (BTreeMap::new(), BTreeMap::new());
    for (name, quantity) in report.analysis.statistics.iter() {
        match quantity {
            Quantity::Count(count) => drop(counts.insert(name, count)),
            Quantity::Time(time) => drop(seconds.insert(name, time.as_secs_f64())),
        }
    }
    object!({ "wall_seconds": report.elapsed.as_secs_f64(), "counts": counts, "seconds": seconds })
}
