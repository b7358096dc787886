//! The answer as SARIF 2.1.0. Every finding is a result whose places are lines of the trace; the source places, of which only
//! the names are known, are logical locations.

use ::foreign::{EventId, Kind, TraceFinding, TraceVerdict};
use serde_json::{Value, json};

use super::{ForeignReport, property};
use crate::json::Invocation;
use crate::sarif::{rule, uri};

pub fn sarif(report: &ForeignReport<'_>, invocation: Invocation<'_>) -> String {
    let verdicts = report.analysis.verdicts();
    let rules: Vec<Value> = verdicts.iter().map(|(kind, ..)| rule(property(*kind))).collect();
    let index = |kind: Kind| verdicts.iter().position(|(known, ..)| *known == kind);
    let results: Vec<Value> =
        report.analysis.findings.iter().map(|finding| result(report, finding, index(finding.kind))).collect();
    let notifications: Vec<Value> =
        verdicts.iter().filter_map(|(kind, _, verdict)| notification(report, *kind, verdict)).collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Gordian",
                "version": invocation.version,
                "semanticVersion": invocation.version.split_whitespace().next().unwrap_or(invocation.version),
                "rules": rules,
            }},
            "invocations": [{
                "executionSuccessful": true,
                "exitCode": invocation.exit_code,
                "toolExecutionNotifications": notifications,
            }],
            "artifacts": [{ "location": { "uri": uri(report.file) } }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&document).expect("a report should have only string keys") + "\n"
}

fn notification(report: &ForeignReport<'_>, kind: Kind, verdict: &TraceVerdict) -> Option<Value> {
    let name = property(kind).name();
    let (level, text) = match verdict {
        TraceVerdict::Violated | TraceVerdict::Holds => return None,
        TraceVerdict::HoldsInWindows => {
            ("note", format!("{name}: no violation in any reordering of {} events", report.window))
        }
        TraceVerdict::Unknown(reason) => ("warning", format!("{name}: unknown: {reason}")),
    };
    Some(json!({ "level": level, "message": { "text": text }, "associatedRule": { "id": name } }))
}

fn result(report: &ForeignReport<'_>, finding: &TraceFinding, rule: Option<usize>) -> Value {
    let message = match finding.kind {
        Kind::Race => "two accesses can happen at the same time",
        Kind::Deadlock => "threads can deadlock on each other's locks",
        Kind::Atomicity => "another thread can interfere between two accesses of a transaction",
    };
    let mut places = finding.events.iter().map(|&event| location(report, event));
    let first = places.next();
    json!({
        "ruleId": property(finding.kind).name(),
        "ruleIndex": rule,
        "kind": "fail",
        "level": "error",
        "message": { "text": message },
        "locations": first.into_iter().collect::<Vec<_>>(),
        "relatedLocations": places.collect::<Vec<_>>(),
        "codeFlows": [{
            "message": { "text": "The predicted order of recorded events, validated event by event" },
            "threadFlows": [{ "locations": flow(report, finding) }],
        }],
    })
}

fn flow(report: &ForeignReport<'_>, finding: &TraceFinding) -> Vec<Value> {
    let events = finding.witness.order.iter().chain(&finding.witness.pending);
    let step = |(order, &event): (usize, &EventId)| json!({ "location": location(report, event), "executionOrder": order + 1 });
    events.enumerate().map(step).collect()
}

fn location(report: &ForeignReport<'_>, event: EventId) -> Value {
    let trace = report.trace;
    let body = &trace.events[event];
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(report.file) },
            "region": { "startLine": body.line },
        },
        "logicalLocations": [{ "name": trace.locations[body.location] }],
        "message": { "text": trace.describe(event) },
    })
}
