//! The report as JSON. The fields below are stable: later versions add fields and never change these.
//!
//! ```text
//! gordian      version of the tool
//! format       version of this format: 1
//! checker      who answered, for example "engine order"
//! files        the C files given, as given
//! verdict      the whole check: "violated" if anything is; else "unknown" if anything is; else "holds" if anything
//!              holds only up to a bound; else "proved"
//! exit_code    of the process
//! stopped      what ended the check before all answers were final, for example "time limit reached"; otherwise absent
//! unreached    [{kind, place, scope}]: what no execution reaches: an "assertion", a "thread-start" or the "end-of-main";
//!              "never", or only "within-bounds"
//! coverage     [{function, reached, never_reached, unknown}]: lines {file, line} of each thread function and what it calls,
//!              if they were asked for
//! properties   one object per property:
//!   property     for example "assert"
//!   verdict      "violated" | "proved" | "holds" | "unknown"
//!   provenance   {engine, argument, description}: who gave the answer, for example "order", and what it rests on: one of
//!                "random-testing", "no-violation-site", "static-race-analysis", "lock-order", "thread-modular-proof",
//!                "bounded-model-checking", "reachability-tree", "explicit-states", "prediction"; the same in words
//!   message      violated: what is wrong; otherwise absent
//!   place        violated: where; unknown: the construct that is not supported; otherwise absent
//!   reason       unknown: why; otherwise absent
//!   bounds       holds: {unwind, allocation, threads, context_switches, scheduling_decisions, whole_statements, considered (of inputs),
//!                inputs: [low, high], states, cut: [place], chosen_by_user, description}, each limit only if there is one
//!   assumptions  sentences
//!   candidates   prediction: {step: number}, how many candidates each step of pruning has left, for example
//!                {"candidates": 9, "after locksets": 4, "after must-happen-before": 2, "possible": 1}; otherwise absent
//!   others       prediction: [{message, place, trace}], the violations at other places; otherwise absent
//!   trace        violated: the replayed execution:
//!     threads      [{thread, function, state}]: where the execution ends, one of join, lock, wait, exit, free
//!     related      [{thread, place, message}]: the other access of a race, for example
//!     race         [{thread, place, access, memory, protection}]: both accesses of a race, the later one first; else absent
//!     waiting      [{thread, place, object, holder, held_since}]: for a deadlock; `held_since` is a place
//!     steps        [{step, thread, place, event}]: events on lines the user wrote, in order; events of one atomic step
//!                  share `step`. `event` has `kind` and, depending on it, `place`/`value` (read, write),
//!                  `place`/`old`/`new` (update), `value` (input), `action`/`object` (sync), `child`/`function` (spawn),
//!                  `child` (join), `object`/`size` (allocate), `object` (free), `message` (violated); thread-end and
//!                  process-end have nothing more
//! statistics   {wall_seconds, stages, refinements, abstraction_clauses, added_clauses, counts: {name: number},
//!              seconds: {name: number}}. `stages` has the seconds of frontend, falsify, unfold, encode, solve, validate,
//!              decode and replay, 0 for those that did not run; the three figures are those of the engine `scar`,
//!              otherwise 0. Names in `counts` and `seconds` are for people and may change
//!
//! place        {file, line, column}; absent or null where unknown
//! ```

use std::collections::BTreeMap;

use base::statistics::{Quantity, keys, size, stage};
use base::{Files, Span};
use program::{
    Bounds, Outcome, Program, Property, ThreadId, Trace, TraceEvent, TraceEventKind, UnknownReason, VerdictProvenance,
};
use serde::Serialize;

use crate::assumptions::relevant;
use crate::coverage::{lines_table, unreached_table};
use crate::library_input::library_function;
use crate::predicted::Predicted;
use crate::trace_rows::{thread_names, user_events};
use crate::verdict::{CheckReport, Verdict};

/// What the caller knows and a [`CheckReport`] does not say.
#[derive(Clone, Copy, Debug)]
pub struct Invocation<'a> {
    pub version: &'a str,
    pub files: &'a [String],
    pub exit_code: u8,
}

/// The report as indented JSON, ending in a newline.
pub fn render(report: &CheckReport<'_>, invocation: Invocation<'_>) -> String {
    render_predicted(report, &Predicted::default(), invocation)
}

/// As [`render`], with what prediction knows.
pub fn render_predicted(report: &CheckReport<'_>, predicted: &Predicted<'_>, invocation: Invocation<'_>) -> String {
    let document = Document::new(report, predicted, invocation);
    let text = serde_json::to_string_pretty(&document).expect("a report should have only string keys");
    text + "\n"
}

#[derive(Serialize)]
struct Document<'a> {
    gordian: &'a str,
    format: u32,
    checker: &'a str,
    files: &'a [String],
    verdict: &'static str,
    exit_code: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    unreached: Vec<serde_json::Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    coverage: Vec<serde_json::Value>,
    properties: Vec<PropertyAnswer<'a>>,
    statistics: StatisticsTable,
}

#[derive(Serialize, Default)]
struct PropertyAnswer<'a> {
    property: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<ProvenanceTable>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<JsonPlace<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<BoundsTable<'a>>,
    assumptions: Vec<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    candidates: BTreeMap<&'static str, usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceTable<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<OtherViolation<'a>>,
}

#[derive(Serialize)]
struct ProvenanceTable {
    engine: &'static str,
    argument: &'static str,
    description: String,
}

impl ProvenanceTable {
    fn new(provenance: &VerdictProvenance) -> Self {
        let (engine, argument) = (provenance.by.0, provenance.argument.name());
        Self { engine, argument, description: provenance.to_string() }
    }
}

#[derive(Serialize)]
struct OtherViolation<'a> {
    message: &'a str,
    place: Option<JsonPlace<'a>>,
    trace: TraceTable<'a>,
}

#[derive(Serialize)]
struct JsonPlace<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct BoundsTable<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    unwind: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allocation: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context_switches: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheduling_decisions: Option<u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    whole_statements: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    considered: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs: Option<(i64, i64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded_runs: Option<u32>,
    cut: Vec<JsonPlace<'a>>,
    chosen_by_user: bool,
    description: String,
}

#[derive(Serialize)]
struct TraceTable<'a> {
    threads: Vec<ThreadEntry>,
    related: Vec<RelatedPlace<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    race: Vec<JsonAccess<'a>>,
    waiting: Vec<JsonWaiting<'a>>,
    steps: Vec<StepEntry<'a>>,
}

#[derive(Serialize)]
struct ThreadEntry {
    thread: u32,
    function: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
}

#[derive(Serialize)]
struct RelatedPlace<'a> {
    thread: u32,
    place: Option<JsonPlace<'a>>,
    message: &'a str,
}

#[derive(Serialize)]
struct JsonAccess<'a> {
    thread: u32,
    place: Option<JsonPlace<'a>>,
    access: &'static str,
    memory: &'a str,
    protection: &'a str,
}

#[derive(Serialize)]
struct JsonWaiting<'a> {
    thread: u32,
    place: Option<JsonPlace<'a>>,
    object: &'a str,
    holder: Option<u32>,
    held_since: Option<JsonPlace<'a>>,
}

#[derive(Serialize)]
struct StepEntry<'a> {
    step: usize,
    thread: u32,
    place: Option<JsonPlace<'a>>,
    event: JsonEvent<'a>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum JsonEvent<'a> {
    Read {
        place: &'a str,
        value: &'a str,
    },
    Write {
        place: &'a str,
        value: &'a str,
    },
    Update {
        place: &'a str,
        old: &'a str,
        new: Option<&'a str>,
    },
    Input {
        value: &'a str,
        /// The library function that takes it, if it is none of the user's.
        #[serde(skip_serializing_if = "Option::is_none")]
        function: Option<&'a str>,
    },
    Sync {
        action: &'a str,
        object: &'a str,
    },
    Spawn {
        child: u32,
        function: &'a str,
    },
    Join {
        child: u32,
    },
    Allocate {
        object: &'a str,
        size: u64,
    },
    Free {
        object: &'a str,
    },
    ThreadEnd,
    ProcessEnd,
    Violated {
        message: &'a str,
    },
}

#[derive(Serialize)]
struct StatisticsTable {
    wall_seconds: f64,
    stages: BTreeMap<&'static str, f64>,
    refinements: u64,
    abstraction_clauses: u64,
    added_clauses: u64,
    counts: BTreeMap<&'static str, u64>,
    seconds: BTreeMap<&'static str, f64>,
}

impl<'a> Document<'a> {
    fn new(report: &'a CheckReport<'_>, predicted: &Predicted<'a>, invocation: Invocation<'a>) -> Self {
        let answers = report.outcomes.iter().map(|(property, outcome)| answer(report, predicted, *property, outcome));
        Document {
            gordian: invocation.version,
            format: 1,
            checker: report.checker,
            files: invocation.files,
            verdict: overall(report.outcomes),
            exit_code: invocation.exit_code,
            stopped: report.stopped.map(|reason| reason.to_string()),
            unreached: unreached_table(report),
            coverage: lines_table(report),
            properties: answers.collect(),
            statistics: statistics(report),
        }
    }
}

fn overall(outcomes: &[(Property, Outcome)]) -> &'static str {
    let has = |verdict| outcomes.iter().any(|(_, outcome)| Verdict::of(outcome) == verdict);
    let worst = [Verdict::Violated, Verdict::Unknown, Verdict::HoldsUpTo].into_iter().find(|&verdict| has(verdict));
    worst.unwrap_or(if outcomes.is_empty() { Verdict::Unknown } else { Verdict::Proved }).word()
}

fn answer<'a>(
    report: &'a CheckReport<'_>,
    predicted: &Predicted<'a>,
    property: Property,
    outcome: &'a Outcome,
) -> PropertyAnswer<'a> {
    let files = &report.program.files;
    let mut answer = PropertyAnswer {
        property: property.name(),
        verdict: Verdict::of(outcome).word(),
        provenance: report.provenance.get(&property).map(ProvenanceTable::new),
        assumptions: relevant(report.assumptions, outcome),
        candidates: predicted.steps_of(property).iter().copied().collect(),
        ..PropertyAnswer::default()
    };
    match outcome {
        Outcome::Proved => {}
        Outcome::Violated(trace) => {
            answer.message = Some(&trace.violation.message);
            answer.place = place(files, trace.violation.span);
            answer.trace = Some(trace_table(report.program, trace));
            answer.others = predicted.others(outcome).map(|trace| other_violation(report.program, trace)).collect();
        }
        Outcome::HoldsUpTo(bounds) => answer.bounds = Some(bounds_table(files, bounds)),
        Outcome::Unknown(reason) => {
            answer.reason = Some(reason.to_string());
            if let UnknownReason::Unsupported { span, .. } = reason {
                answer.place = place(files, *span);
            }
        }
    }
    answer
}

fn other_violation<'a>(program: &'a Program, trace: &'a Trace) -> OtherViolation<'a> {
    OtherViolation {
        message: &trace.violation.message,
        place: place(&program.files, trace.violation.span),
        trace: trace_table(program, trace),
    }
}

fn place(files: &Files, span: Span) -> Option<JsonPlace<'_>> {
    span.is_known().then(|| JsonPlace { file: files.path(span.file), line: span.line, column: span.column })
}

fn bounds_table<'a>(files: &'a Files, bounds: &Bounds) -> BoundsTable<'a> {
    BoundsTable {
        unwind: bounds.unwind,
        allocation: bounds.allocation,
        threads: bounds.threads,
        context_switches: bounds.context_switches,
        scheduling_decisions: bounds.scheduling_decisions,
        whole_statements: bounds.whole_statements,
        considered: bounds.considered.clone(),
        inputs: bounds.inputs,
        states: bounds.states,
        recorded_runs: bounds.recorded_runs,
        cut: bounds.cut.iter().filter_map(|span| place(files, *span)).collect(),
        chosen_by_user: bounds.chosen_by_user,
        description: bounds.to_string(),
    }
}

fn trace_table<'a>(program: &'a Program, trace: &'a Trace) -> TraceTable<'a> {
    let (files, violation) = (&program.files, &trace.violation);
    let number = |thread: ThreadId| thread.0;
    let names = thread_names(trace).into_iter();
    TraceTable {
        threads: names
            .map(|(thread, function)| {
                let state = trace.states.get(thread.0 as usize).map(ToString::to_string);
                ThreadEntry { thread: number(thread), function, state }
            })
            .collect(),
        related: violation
            .related
            .iter()
            .map(|(thread, span, message)| RelatedPlace {
                thread: number(*thread),
                place: place(files, *span),
                message,
            })
            .collect(),
        race: violation
            .race
            .iter()
            .flat_map(|pair| pair.iter())
            .map(|one| JsonAccess {
                thread: number(one.thread),
                place: place(files, one.span),
                access: one.access,
                memory: &one.place,
                protection: &one.protection,
            })
            .collect(),
        waiting: violation
            .waiting
            .iter()
            .map(|waiting| JsonWaiting {
                thread: number(waiting.thread),
                place: place(files, waiting.span),
                object: &waiting.object,
                holder: waiting.holder.map(number),
                held_since: waiting.held_since.and_then(|span| place(files, span)),
            })
            .collect(),
        steps: user_events(program, trace).map(|event| step(program, event)).collect(),
    }
}

fn step<'a>(program: &'a Program, event: &'a TraceEvent) -> StepEntry<'a> {
    StepEntry {
        step: event.step,
        thread: event.thread.0,
        place: place(&program.files, event.span),
        event: event_table(program, event),
    }
}

fn event_table<'a>(program: &'a Program, event: &'a TraceEvent) -> JsonEvent<'a> {
    match &event.kind {
        TraceEventKind::Read { place, value } => JsonEvent::Read { place, value },
        TraceEventKind::Write { place, value } => JsonEvent::Write { place, value },
        TraceEventKind::Update { place, old, new } => JsonEvent::Update { place, old, new: new.as_deref() },
        TraceEventKind::Input { value } => JsonEvent::Input { value, function: library_function(program, event) },
        TraceEventKind::Sync { action, object } => JsonEvent::Sync { action, object },
        TraceEventKind::Spawn { child, function } => JsonEvent::Spawn { child: child.0, function },
        TraceEventKind::Join { child } => JsonEvent::Join { child: child.0 },
        TraceEventKind::Allocate { object, size } => JsonEvent::Allocate { object, size: *size },
        TraceEventKind::Free { object } => JsonEvent::Free { object },
        TraceEventKind::ThreadEnd => JsonEvent::ThreadEnd,
        TraceEventKind::ProcessEnd => JsonEvent::ProcessEnd,
        TraceEventKind::Violated { message } => JsonEvent::Violated { message },
    }
}

const STAGES: [(&str, &str); 8] = [
    ("frontend", stage::READING),
    ("falsify", stage::FALSIFYING),
    ("unfold", stage::UNFOLDING),
    ("encode", stage::ENCODING),
    ("solve", stage::SOLVING),
    ("validate", stage::VALIDATING),
    ("decode", stage::DECODING),
    ("replay", stage::REPLAYING),
];

fn statistics(report: &CheckReport<'_>) -> StatisticsTable {
    let seconds_of = |name| report.statistics.get_time(name).unwrap_or_default().as_secs_f64();
    let mut table = StatisticsTable {
        wall_seconds: report.elapsed.as_secs_f64(),
        stages: STAGES.into_iter().map(|(key, name)| (key, seconds_of(name))).collect(),
        refinements: report.statistics.get_count(size::REFINEMENTS),
        abstraction_clauses: report.statistics.get_count(size::ABSTRACTION_CLAUSES),
        added_clauses: report.statistics.get_count(size::ADDED_CLAUSES),
        counts: BTreeMap::new(),
        seconds: BTreeMap::new(),
    };
    for (name, quantity) in report.statistics.iter() {
        for key in keys(name) {
            match quantity {
                Quantity::Count(count) => table.counts.insert(key, count).map(drop),
                Quantity::Time(time) => table.seconds.insert(key, time.as_secs_f64()).map(drop),
            };
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assumptions::Assumption;
    use crate::test_traces::lost_update;
    use base::Statistics;
    use program::Provenances;
    use serde_json::{Value, json};
    use std::time::Duration;

    fn parsed(outcomes: &[(Property, Outcome)]) -> Value {
        parsed_with(outcomes, &Predicted::default())
    }

    fn parsed_with(outcomes: &[(Property, Outcome)], predicted: &Predicted<'_>) -> Value {
        let (program, _) = lost_update();
        let assumptions = [
            Assumption { text: "memory is sequentially consistent".to_owned(), is_limit: true },
            Assumption { text: "stub f".to_owned(), is_limit: false },
        ];
        let mut statistics = Statistics::new();
        statistics.count("events", 7);
        let report = CheckReport {
            program: &program,
            checker: "engine order",
            outcomes,
            provenance: &Provenances::new(),
            assumptions: &assumptions,
            statistics: &statistics,
            elapsed: Duration::from_secs(1),
            stopped: None,
            suppressions: &[],
            reach: &crate::coverage::Reach::default(),
        };
        let invocation = Invocation { version: "1.2.3", files: &["lost.c".to_owned()], exit_code: 1 };
        serde_json::from_str(&render_predicted(&report, predicted, invocation)).expect("JSON")
    }

    #[test]
    fn a_race_has_both_accesses() {
        let json = parsed(&[(Property::NoDataRace, Outcome::Violated(Box::new(crate::test_traces::race().1)))]);
        let race = &json["properties"][0]["trace"]["race"];
        assert_eq!(race[0]["access"], "write");
        assert_eq!(
            race[1],
            json!({"thread": 2, "place": {"file": "lost.c", "line": 2, "column": 5}, "access": "read",
                                   "memory": "x", "protection": "holding no lock"})
        );
    }

    #[test]
    fn a_violation_has_the_documented_fields() {
        let (_, trace) = lost_update();
        let json = parsed(&[(Property::Assert, Outcome::Violated(Box::new(trace)))]);
        assert_eq!(json["verdict"], "violated");
        assert_eq!(json["files"], json!(["lost.c"]));
        assert_eq!(json["statistics"]["counts"]["events"], 7);
        let property = &json["properties"][0];
        assert_eq!(property["assumptions"], json!(["stub f"]), "a violation needs no limits");
        assert_eq!(property["place"], json!({"file": "lost.c", "line": 7, "column": 5}));
        let steps = property["trace"]["steps"].as_array().expect("steps");
        assert_eq!(steps.len(), 9, "the event of the built-in function is left out");
        assert_eq!(steps[2]["event"], json!({"kind": "read", "place": "x", "value": "0"}));
        assert_eq!(steps[8]["event"]["kind"], "violated");
        assert_eq!(property["trace"]["threads"][1], json!({"thread": 1, "function": "add"}));
    }

    #[test]
    fn prediction_tells_all_violations_and_its_candidates() {
        let (_, first) = lost_update();
        let mut second = first.clone();
        second.violation.message = "another one".to_owned();
        let findings = [first.clone(), second];
        let candidates = [(Property::Assert, vec![("candidates", 3), ("possible", 2)])];
        let predicted = Predicted { findings: &findings, candidates: &candidates };
        let outcomes = [(Property::Assert, Outcome::Violated(Box::new(first)))];
        let property = &parsed_with(&outcomes, &predicted)["properties"][0];
        assert_eq!(property["candidates"], json!({"candidates": 3, "possible": 2}));
        assert_eq!(property["others"].as_array().map(Vec::len), Some(1));
        assert_eq!(property["others"][0]["message"], "another one");
        assert_eq!(property["others"][0]["trace"], property["trace"]);
        assert_eq!(parsed(&outcomes)["properties"][0]["others"], Value::Null);
    }

    #[test]
    fn the_worst_verdict_speaks_for_all() {
        let bounded = Outcome::HoldsUpTo(Bounds { unwind: Some(2), ..Bounds::default() });
        let unknown = Outcome::Unknown(UnknownReason::NotChecked);
        let proved = (Property::Assert, Outcome::Proved);
        assert_eq!(parsed(std::slice::from_ref(&proved))["verdict"], "proved");
        let json = parsed(&[proved.clone(), (Property::UnreachCall, bounded.clone())]);
        assert_eq!(json["verdict"], "holds");
        assert_eq!(json["properties"][1]["bounds"]["unwind"], 2);
        assert_eq!(json["properties"][1]["bounds"]["chosen_by_user"], false);
        assert_eq!(
            parsed(&[proved, (Property::UnreachCall, bounded), (Property::NoDeadlock, unknown)])["verdict"],
            "unknown"
        );
        assert_eq!(parsed(&[])["verdict"], "unknown");
    }
}
