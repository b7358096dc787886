//! A violation as a YAML witness, format 2.2: a sequence of segments that are passed in order, each with one waypoint to
//! follow, every waypoint with the number of its thread. A race ends in a segment with two targets.

use std::fmt::Write;

use base::Span;
use program::{Program, Property, ThreadId, Trace, TraceEvent, TraceEventKind};

use super::Circumstances;
use super::graphml::called_function;
use super::metadata::{entry, quoted};
use crate::library_input::returned_value;
use crate::trace_rows::user_events;

/// The witness of a violation. Ends in a newline.
pub fn render(program: &Program, trace: &Trace, circumstances: &Circumstances<'_>) -> String {
    let mut content = "  content:\n".to_owned();
    let mut last: Option<(ThreadId, Span)> = None;
    for event in user_events(program, trace) {
        let is_input = returned_value(program, event).is_some();
        let is_violation = matches!(event.kind, TraceEventKind::Violated { .. });
        let is_new = last.is_none_or(|(thread, span)| {
            thread != event.thread || (span.file, span.line) != (event.span.file, event.span.line)
        });
        if event.span.is_known() && !is_violation && (is_new || is_input) {
            content += &segment(&[waypoint(program, event)]);
            last = Some((event.thread, event.span));
        }
    }
    content += &segment(&targets(program, trace));
    entry("violation_sequence", "2.2", &[trace.violation.property], circumstances, &content)
}

fn segment(waypoints: &[String]) -> String {
    format!("    - segment:\n{}", waypoints.concat())
}

fn waypoint(program: &Program, event: &TraceEvent) -> String {
    let is_call = called_function(program, event.span).is_some();
    let (kind, constraint) = match returned_value(program, event).filter(|_| is_call) {
        Some(value) => ("function_return", Some(("ext_c_expression", format!("\\result == {value}")))),
        None => ("assumption", Some(("c_expression", "1".to_owned()))),
    };
    lines(program, kind, event.thread, event.span, constraint)
}

fn targets(program: &Program, trace: &Trace) -> Vec<String> {
    let violation = &trace.violation;
    let target = |thread, span| lines(program, "target", thread, span, None);
    match &violation.race {
        Some(pair) if violation.property == Property::NoDataRace => {
            pair.iter().map(|access| target(access.thread, access.span)).collect()
        }
        _ => vec![target(violation.thread, violation.span)],
    }
}

fn lines(program: &Program, kind: &str, thread: ThreadId, span: Span, constraint: Option<(&str, String)>) -> String {
    let mut out = format!(
        "        - waypoint:\n            type: {}\n            action: \"follow\"\n            thread_id: {}\n",
        quoted(kind),
        thread.0
    );
    if let Some((format, value)) = constraint {
        let _ = writeln!(
            out,
            "            constraint:\n              value: {}\n              format: {}",
            quoted(&value),
            quoted(format)
        );
    }
    let _ = writeln!(
        out,
        "            location:\n              file_name: {}\n              line: {}\n              column: {}",
        quoted(program.files.path(span.file)),
        span.line,
        span.column
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_traces::{lost_update, race};
    use crate::witness::{WitnessFile, yaml_reader};
    use program::{DataModel, PropertySet};

    fn rendered(program: &Program, trace: &Trace) -> String {
        let files = [WitnessFile::new("a \"b\": c.c".to_owned(), b"")];
        let (data_model, creation_time) = (DataModel::Lp64, "2024-02-29T12:00:00Z");
        render(program, trace, &Circumstances { version: "1.2.3", files: &files, data_model, creation_time })
    }

    #[test]
    fn what_is_written_is_read_again() {
        let (program, trace) = lost_update();
        let read = yaml_reader::read(&rendered(&program, &trace)).expect("a witness");
        assert_eq!(read.properties, Some(PropertySet::of(&[Property::Assert])));
        assert_eq!((read.data_model, read.hashes.len()), (Some(DataModel::Lp64), 1));
        let lines: Vec<u32> = read.waypoints.iter().filter_map(|waypoint| waypoint.line).collect();
        assert_eq!(lines, [4, 5, 2, 2, 2, 2, 7, 7]);
    }

    #[test]
    fn a_race_has_two_targets() {
        let (program, trace) = race();
        let text = rendered(&program, &trace);
        let last = text.rsplit("- segment:").next().expect("a segment");
        assert_eq!(last.matches("type: \"target\"").count(), 2, "{text}");
        assert!(last.contains("thread_id: 1") && last.contains("thread_id: 2"));
    }
}
