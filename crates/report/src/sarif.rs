//! The report as SARIF 2.1.0 (OASIS), for code-scanning services and editors. Each violation is a result with one code
//! flow, which has one thread flow for each thread; `executionOrder` tells how they interleave. What could not be decided
//! is a notification of the invocation: a result would look like a finding.

use std::collections::BTreeMap;

use base::Span;
use program::{Outcome, Program, Property, ThreadId, Trace, TraceEvent, TraceEventKind};
use serde_json::{Value, json};

use crate::coverage::unreached_table;
use crate::explanations::of_property;
use crate::json::Invocation;
use crate::look::Look;
use crate::predicted::Predicted;
use crate::suppression::Suppression;
use crate::trace_rows::{describe, thread_label, thread_names, user_events};
use crate::verdict::{CheckReport, Verdict, claim};

/// The report as indented JSON, ending in a newline.
pub fn render(report: &CheckReport<'_>, invocation: Invocation<'_>) -> String {
    render_predicted(report, &Predicted::default(), invocation)
}

/// As [`render`], with a result for each violation that prediction has found.
pub fn render_predicted(report: &CheckReport<'_>, predicted: &Predicted<'_>, invocation: Invocation<'_>) -> String {
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run(report, predicted, invocation)],
    });
    serde_json::to_string_pretty(&document).expect("a report should have only string keys") + "\n"
}

fn run(report: &CheckReport<'_>, predicted: &Predicted<'_>, invocation: Invocation<'_>) -> Value {
    let rules: Vec<Value> = report.outcomes.iter().map(|(property, _)| rule(*property)).collect();
    let results: Vec<Value> = report
        .outcomes
        .iter()
        .enumerate()
        .filter_map(|(index, (_, outcome))| match outcome {
            Outcome::Violated(trace) => Some((index, std::iter::once(&**trace).chain(predicted.others(outcome)))),
            _ => None,
        })
        .flat_map(|(index, traces)| traces.map(move |trace| result(report, trace, index)))
        .collect();
    json!({
        "tool": { "driver": {
            "name": "Gordian",
            "version": invocation.version,
            "semanticVersion": invocation.version.split_whitespace().next().unwrap_or(invocation.version),
            "rules": rules,
        }},
        "invocations": [{
            "executionSuccessful": true,
            "exitCode": invocation.exit_code,
            "toolExecutionNotifications": notifications(report),
        }],
        "artifacts": invocation.files.iter().map(|file| json!({
            "location": { "uri": uri(file) },
            "sourceLanguage": "c",
        })).collect::<Vec<_>>(),
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": { "verdicts": verdicts(report), "unreached": unreached_table(report) },
    })
}

/// Every answer with its provenance, the proofs too.
fn verdicts(report: &CheckReport<'_>) -> Vec<Value> {
    let verdict = |(property, outcome): &(Property, Outcome)| {
        let provenance = report.provenance.get(property);
        json!({
            "property": property.name(),
            "verdict": Verdict::of(outcome).word(),
            "engine": provenance.map(|provenance| provenance.by.0),
            "argument": provenance.map(|provenance| provenance.argument.name()),
        })
    };
    report.outcomes.iter().map(verdict).collect()
}

pub(crate) fn rule(property: Property) -> Value {
    let explanation = of_property(property);
    json!({
        "id": property.name(),
        "name": camel_case(property.name()),
        "shortDescription": { "text": explanation.title },
        "fullDescription": { "text": explanation.text },
        "help": { "text": explanation.text },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["concurrency", "correctness"], "precision": "very-high" },
    })
}

fn camel_case(name: &str) -> String {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    name.split('-').map(capital).collect()
}

/// What is not a finding and yet worth knowing: bounds and unknowns.
fn notifications(report: &CheckReport<'_>) -> Vec<Value> {
    let notification = |(property, outcome): &(Property, Outcome)| {
        let (level, text) = match outcome {
            Outcome::Violated(_) | Outcome::Proved => return None,
            Outcome::HoldsUpTo(bounds) => ("note", format!("{property}: {} up to {bounds}", claim(*property))),
            Outcome::Unknown(reason) => ("warning", format!("{property}: unknown: {reason}")),
        };
        Some(json!({ "level": level, "message": { "text": text }, "associatedRule": { "id": property.name() } }))
    };
    report.outcomes.iter().filter_map(notification).collect()
}

fn result(report: &CheckReport<'_>, trace: &Trace, rule: usize) -> Value {
    let (program, violation) = (report.program, &trace.violation);
    let names = thread_names(trace);
    let related: Vec<Value> = violation
        .related
        .iter()
        .enumerate()
        .map(|(id, (thread, span, text))| {
            let mut location = location(program, *span, &format!("{} {text}", thread_label(&names, *thread)));
            location["id"] = json!(id);
            location
        })
        .collect();
    let mut message = violation.message.clone();
    for waiting in &violation.waiting {
        message += &format!("; {} waits for {}", thread_label(&names, waiting.thread), waiting.object);
    }
    let place = location(program, violation.span, &format!("in {}", thread_label(&names, violation.thread)));
    let suppressions: Vec<Value> = Suppression::of(report.suppressions, program, trace)
        .map(|suppression| json!({ "kind": "external", "justification": suppression.reason }))
        .collect();
    let mut result = json!({
        "ruleId": violation.property.name(),
        "ruleIndex": rule,
        "kind": "fail",
        "level": "error",
        "message": { "text": message },
        "locations": [place],
        "relatedLocations": related,
        "codeFlows": [{
            "message": { "text": "The counterexample, replayed by the interpreter" },
            "threadFlows": thread_flows(program, trace, &names),
        }],
        "partialFingerprints": { "gordianViolation/v1": fingerprint(program, trace) },
    });
    if let Some(provenance) = report.provenance.get(&violation.property) {
        result["properties"] = json!({ "engine": provenance.by.0, "argument": provenance.argument.name() });
    }
    if !suppressions.is_empty() {
        result["suppressions"] = json!(suppressions);
    }
    result
}

fn thread_flows(program: &Program, trace: &Trace, names: &BTreeMap<ThreadId, String>) -> Vec<Value> {
    let mut by_thread: BTreeMap<ThreadId, Vec<Value>> = BTreeMap::new();
    for (order, event) in user_events(program, trace).enumerate() {
        by_thread.entry(event.thread).or_default().push(flow_location(program, event, order));
    }
    let flow = |(thread, locations): (ThreadId, Vec<Value>)| {
        json!({
            "id": thread.to_string(),
            "message": { "text": thread_label(names, thread) },
            "locations": locations,
        })
    };
    by_thread.into_iter().map(flow).collect()
}

fn flow_location(program: &Program, event: &TraceEvent, order: usize) -> Value {
    let text = describe(program, event, Look::PLAIN.glyphs());
    let importance = if matches!(event.kind, TraceEventKind::Violated { .. }) { "essential" } else { "important" };
    let mut value = json!({
        "location": location(program, event.span, &text),
        "executionOrder": order + 1,
        "importance": importance,
    });
    if let Some((place, written)) = written_value(&event.kind) {
        value["state"] = json!({ place: { "text": written } });
    }
    value
}

fn written_value(kind: &TraceEventKind) -> Option<(&str, &str)> {
    match kind {
        TraceEventKind::Read { place, value } | TraceEventKind::Write { place, value } => Some((place, value)),
        TraceEventKind::Update { place, new: Some(new), .. } => Some((place, new)),
        TraceEventKind::Update { place, old, new: None } => Some((place, old)),
        _ => None,
    }
}

fn location(program: &Program, span: Span, text: &str) -> Value {
    let message = json!({ "text": text });
    if !span.is_known() {
        return json!({ "message": message });
    }
    let (start, end) = columns(program, span);
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(program.files.path(span.file)) },
            "region": { "startLine": span.line, "startColumn": start, "endColumn": end },
        },
        "message": message,
    })
}

/// The columns of a span in characters, the end not included; spans count bytes.
fn columns(program: &Program, span: Span) -> (usize, usize) {
    let line = program.files.line_text(span.file, span.line).unwrap_or_default();
    let characters = |bytes: usize| {
        let within = line.char_indices().take_while(|(at, _)| *at < bytes).count();
        within + bytes.saturating_sub(line.len())
    };
    let from = span.column.saturating_sub(1) as usize;
    let to = from + span.length.max(1) as usize;
    (characters(from) + 1, characters(to) + 1)
}

/// A path as a URI: relative ones stay relative.
pub(crate) fn uri(path: &str) -> String {
    let encoded: String = path
        .bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b'+' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect();
    if encoded.starts_with('/') { format!("file://{encoded}") } else { encoded }
}

/// The same for the same violation in a file whose other lines have changed: property, file name and the line's text.
fn fingerprint(program: &Program, trace: &Trace) -> String {
    let span = trace.violation.span;
    let text = program.files.line_text(span.file, span.line).unwrap_or_default().trim();
    let path = program.files.path(span.file);
    crate::witness::digest(&format!(
        "{}\n{}\n{text}",
        trace.violation.property,
        path.rsplit('/').next().unwrap_or(path)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sarif_schema::check;
    use crate::test_traces::{lost_update, race};
    use base::{FileId, Statistics, StopReason};
    use program::{Bounds, Provenances, UnknownReason};
    use std::time::Duration;

    fn parsed(outcomes: &[(Property, Outcome)], suppressions: &[Suppression]) -> Value {
        parsed_with(outcomes, suppressions, &Predicted::default())
    }

    fn parsed_with(outcomes: &[(Property, Outcome)], suppressions: &[Suppression], predicted: &Predicted<'_>) -> Value {
        let (program, _) = lost_update();
        let report = CheckReport {
            program: &program,
            checker: "engine order",
            outcomes,
            provenance: &Provenances::new(),
            assumptions: &[],
            statistics: &Statistics::new(),
            elapsed: Duration::from_secs(1),
            stopped: None,
            suppressions,
            reach: &crate::coverage::Reach::default(),
        };
        let invocation = Invocation { version: "1.2.3", files: &["lost.c".to_owned()], exit_code: 1 };
        let value: Value = serde_json::from_str(&render_predicted(&report, predicted, invocation)).expect("JSON");
        assert_eq!(check(&value), Vec::<String>::new());
        value
    }

    #[test]
    fn a_violation_is_a_result_with_a_flow_for_each_thread() {
        let log = parsed(&[(Property::Assert, Outcome::Violated(Box::new(lost_update().1)))], &[]);
        let result = &log["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], "assert");
        assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 7);
        let flows = result["codeFlows"][0]["threadFlows"].as_array().expect("flows");
        assert_eq!(
            flows.iter().map(|flow| flow["id"].as_str()).collect::<Vec<_>>(),
            [Some("T0"), Some("T1"), Some("T2")]
        );
        let orders = flows.iter().flat_map(|flow| flow["locations"].as_array().expect("locations"));
        let mut orders: Vec<u64> = orders.map(|location| location["executionOrder"].as_u64().expect("order")).collect();
        orders.sort_unstable();
        assert_eq!(orders, (1..=9).collect::<Vec<_>>());
    }

    #[test]
    fn every_violation_that_was_predicted_is_a_result() {
        let (_, first) = lost_update();
        let mut second = first.clone();
        second.violation.message = "another one".to_owned();
        let findings = [first.clone(), second];
        let predicted = Predicted { findings: &findings, candidates: &[] };
        let log = parsed_with(&[(Property::Assert, Outcome::Violated(Box::new(first)))], &[], &predicted);
        let results = log["runs"][0]["results"].as_array().expect("results");
        assert_eq!(results.len(), 2);
        assert_eq!(results[1]["message"]["text"], "another one");
        assert!(results.iter().all(|result| result["codeFlows"].as_array().is_some_and(|flows| flows.len() == 1)));
    }

    #[test]
    fn races_name_both_accesses_and_bounds_are_no_results() {
        let bounds = Bounds { unwind: Some(3), ..Bounds::default() };
        let log = parsed(
            &[
                (Property::NoDataRace, Outcome::Violated(Box::new(race().1))),
                (Property::Assert, Outcome::HoldsUpTo(bounds)),
                (Property::NoOverflow, Outcome::Unknown(UnknownReason::Stopped(StopReason::Time))),
                (Property::ValidFree, Outcome::Proved),
            ],
            &[],
        );
        let run = &log["runs"][0];
        assert_eq!(run["results"].as_array().map(Vec::len), Some(1));
        assert_eq!(run["results"][0]["relatedLocations"].as_array().map(Vec::len), Some(1));
        assert_eq!(run["invocations"][0]["toolExecutionNotifications"].as_array().map(Vec::len), Some(2));
        assert_eq!(run["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(4));
    }

    #[test]
    fn columns_count_characters_and_paths_are_uris() {
        let mut program = Program::default();
        let file = program.files.intern("a.c");
        program.files.set_text(file, "é = ü;\n".into());
        let span = Span { file: FileId::nth(0), line: 1, column: 6, length: 2 };
        assert_eq!(columns(&program, span), (5, 6));
        assert_eq!(columns(&program, Span { column: 90, ..span }), (88, 90));
        assert_eq!(uri("/tmp/a b.c"), "file:///tmp/a%20b.c");
        assert_eq!(uri("src/ü.c"), "src/%C3%BC.c");
    }
}
