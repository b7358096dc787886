//! A violation as a GraphML witness, format 1.0: a path of edges, one for each step of the schedule, so that whoever
//! follows it one step per edge runs into the violation. An edge says which thread acts and, as far as there are any, the
//! line, the input it takes, the thread it creates, the function it enters. The format has room for one input in each edge,
//! and only for what a function returns; where a step takes others, all of them are in a key of our own.

use std::collections::BTreeSet;
use std::fmt::Write;

use base::Span;
use program::{Location, Program, Trace, TraceEvent, TraceEventKind};

use super::{Circumstances, specification};
use crate::library_input::returned_value;
use crate::trace_rows::thread_names;

/// Keys of data, what they belong to, and their types.
const KEYS: [(&str, &str, &str); 22] = [
    ("witness-type", "graph", "string"),
    ("sourcecodelang", "graph", "string"),
    ("producer", "graph", "string"),
    ("specification", "graph", "string"),
    ("programfile", "graph", "string"),
    ("programhash", "graph", "string"),
    ("architecture", "graph", "string"),
    ("creationtime", "graph", "string"),
    ("entry", "node", "boolean"),
    ("violation", "node", "boolean"),
    ("sink", "node", "boolean"),
    ("threadId", "edge", "int"),
    ("createThread", "edge", "int"),
    ("startline", "edge", "int"),
    ("endline", "edge", "int"),
    ("sourcecode", "edge", "string"),
    ("assumption", "edge", "string"),
    ("assumption.scope", "edge", "string"),
    ("assumption.resultfunction", "edge", "string"),
    ("enterFunction", "edge", "string"),
    ("returnFromFunction", "edge", "string"),
    (INPUTS, "edge", "string"),
];

/// The key for all inputs of a step, in their order, with spaces between. The format allows keys of a tool's own.
pub(super) const INPUTS: &str = "gordian.inputs";

/// The witness of a violation. Ends in a newline.
pub fn render(program: &Program, trace: &Trace, circumstances: &Circumstances<'_>) -> String {
    let mut out = head(trace, circumstances);
    let edges = edges(program, trace);
    out += "    <node id=\"N0\"><data key=\"entry\">true</data></node>\n";
    for (number, edge) in edges.iter().enumerate() {
        let next = number + 1;
        let mark = if next == edges.len() { "<data key=\"violation\">true</data>" } else { "" };
        let _ = writeln!(out, "    <node id=\"N{next}\">{mark}</node>");
        let _ = writeln!(out, "    <edge source=\"N{number}\" target=\"N{next}\">");
        for (key, value) in edge {
            let _ = writeln!(out, "      <data key=\"{key}\">{}</data>", escape(value));
        }
        out += "    </edge>\n";
    }
    out + "  </graph>\n</graphml>\n"
}

fn head(trace: &Trace, circumstances: &Circumstances<'_>) -> String {
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
        <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
        xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n"
        .to_owned();
    for (key, owner, kind) in KEYS {
        let start = format!("  <key id=\"{key}\" attr.name=\"{key}\" attr.type=\"{kind}\" for=\"{owner}\"");
        out += &match owner {
            "node" => format!("{start}>\n    <default>false</default>\n  </key>\n"),
            _ => format!("{start}/>\n"),
        };
    }
    out += "  <graph edgedefault=\"directed\">\n";
    let architecture = match circumstances.data_model {
        program::DataModel::Ilp32 => "32bit",
        program::DataModel::Lp64 => "64bit",
    };
    let mut data = vec![
        ("witness-type", "violation_witness".to_owned()),
        ("sourcecodelang", "C".to_owned()),
        ("producer", format!("Gordian {}", circumstances.version)),
        ("specification", specification(trace.violation.property)),
    ];
    for file in circumstances.files {
        data.push(("programfile", file.name.clone()));
        data.push(("programhash", file.hash.clone()));
    }
    data.push(("architecture", architecture.to_owned()));
    data.push(("creationtime", circumstances.creation_time.to_owned()));
    for (key, value) in data {
        let _ = writeln!(out, "    <data key=\"{key}\">{}</data>", escape(&value));
    }
    out
}

type Edge = Vec<(&'static str, String)>;

/// One edge for each step, and one for the violation.
fn edges(program: &Program, trace: &Trace) -> Vec<Edge> {
    let names = thread_names(trace);
    let mut entered = BTreeSet::new();
    let mut all = Vec::new();
    for (number, step) in trace.schedule.steps.iter().enumerate() {
        let from = trace.events.partition_point(|event| event.step < number);
        let to = trace.events.partition_point(|event| event.step <= number);
        let events = &trace.events[from..to];
        let mut edge: Edge = vec![("threadId", step.thread.0.to_string())];
        let span = step.location.and_then(|location| users_span(program, location));
        add_place(program, span, &mut edge);
        if entered.insert(step.thread) {
            edge.extend(names.get(&step.thread).map(|name| ("enterFunction", name.clone())));
        }
        let own: Vec<&TraceEvent> = events.iter().filter(|event| event.thread == step.thread).collect();
        own.iter().for_each(|event| add_created(event, &mut edge));
        add_inputs(program, &own, &mut edge);
        all.push(edge);
    }
    let mut last: Edge = vec![("threadId", trace.violation.thread.0.to_string())];
    add_place(program, Some(trace.violation.span), &mut last);
    all.push(last);
    all
}

/// The place of an instruction that the user wrote.
fn users_span(program: &Program, location: Location) -> Option<Span> {
    let function = program.functions.get(location.function).filter(|function| !function.built_in)?;
    function.blocks.get(location.block)?;
    Some(program.span(location)).filter(|span| span.is_known())
}

fn add_place(program: &Program, span: Option<Span>, edge: &mut Edge) {
    let Some(span) = span.filter(|span| span.is_known()) else { return };
    edge.push(("startline", span.line.to_string()));
    edge.push(("endline", span.line.to_string()));
    if let Some(text) = program.files.line_text(span.file, span.line) {
        edge.push(("sourcecode", text.trim().to_owned()));
    }
}

fn add_created(event: &TraceEvent, edge: &mut Edge) {
    if let TraceEventKind::Spawn { child, .. } = &event.kind {
        edge.push(("createThread", child.0.to_string()));
    }
}

fn add_inputs(program: &Program, events: &[&TraceEvent], edge: &mut Edge) {
    let inputs: Vec<&str> = events.iter().filter_map(|event| integer_input(event)).collect();
    let returned = events.iter().find_map(|event| returned_value(program, event));
    if let Some((function, value)) = &returned {
        edge.push(("assumption", format!("\\result == {value}")));
        edge.push(("assumption.resultfunction", function.clone()));
    }
    let is_told = inputs.iter().eq(returned.iter().map(|(_, value)| value));
    if !inputs.is_empty() && !is_told {
        edge.push((INPUTS, inputs.join(" ")));
    }
}

fn integer_input(event: &TraceEvent) -> Option<&str> {
    match &event.kind {
        TraceEventKind::Input { value } if value.parse::<i128>().is_ok() => Some(value),
        _ => None,
    }
}

/// Text as XML wants it; characters that XML cannot hold become `?`.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_traces::lost_update;
    use crate::witness::{WitnessFile, graphml_reader};
    use program::DataModel;

    fn input(value: &str) -> TraceEvent {
        let (_, trace) = lost_update();
        TraceEvent { kind: TraceEventKind::Input { value: value.to_owned() }, ..trace.events[8].clone() }
    }

    /// The line of the event is `assert(…)`, which stands for any call.
    #[test]
    fn an_edge_tells_what_a_call_returns_and_what_else_is_taken() {
        let (program, _) = lost_update();
        let told = |inputs: &[TraceEvent]| {
            let mut edge = Edge::new();
            add_inputs(&program, &inputs.iter().collect::<Vec<_>>(), &mut edge);
            edge.into_iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<String>>()
        };
        let function = "assumption.resultfunction: assert";
        assert_eq!(told(&[input("5")]), ["assumption: \\result == 5", function]);
        let both = told(&[input("5"), input("-7")]);
        assert_eq!(both, ["assumption: \\result == 5", function, "gordian.inputs: 5 -7"]);
        let elsewhere = TraceEvent { span: Span { column: 1_000, ..input("3").span }, ..input("3") };
        assert_eq!(told(&[elsewhere]), ["gordian.inputs: 3"], "no function returns it");
        assert!(told(&[]).is_empty());
    }

    #[test]
    fn every_key_is_declared_for_its_owner() {
        let (program, trace) = lost_update();
        let declared = |key: &str| KEYS.iter().any(|(known, owner, _)| *known == key && *owner == "edge");
        let edges = edges(&program, &trace);
        assert!(edges.iter().flatten().all(|(key, _)| declared(key)) && declared(INPUTS));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let (program, trace) = lost_update();
        let files = [WitnessFile::new("lost <1> & \"2\".c".to_owned(), b"int x;")];
        let circumstances = Circumstances {
            version: "1.2.3",
            files: &files,
            data_model: DataModel::Ilp32,
            creation_time: "2024-02-29T12:00:00Z",
        };
        let text = render(&program, &trace, &circumstances);
        assert!(text.contains("<data key=\"programfile\">lost &lt;1&gt; &amp; &quot;2&quot;.c</data>"), "{text}");
        let read = graphml_reader::read(&text).expect("a witness");
        assert_eq!(read.data_model, Some(DataModel::Ilp32));
        assert_eq!(read.hashes, [files[0].hash.clone()]);
        assert_eq!(read.waypoints.len(), trace.schedule.steps.len() + 1);
        let threads: Vec<u32> = read.waypoints.iter().filter_map(|waypoint| waypoint.thread).map(|t| t.0).collect();
        let expected: Vec<u32> = trace.schedule.steps.iter().map(|step| step.thread.0).chain([0]).collect();
        assert_eq!(threads, expected);
        let created: Vec<u32> = read.waypoints.iter().filter_map(|waypoint| waypoint.creates).map(|t| t.0).collect();
        assert_eq!(created, [1, 2]);
        assert_eq!(read.waypoints.last().and_then(|waypoint| waypoint.line), Some(7));
    }
}
