//! A violation as a YAML witness, format 2.2: a sequence of segments that are passed in order, each with one waypoint to
//! follow, every waypoint with the number of its thread. A race ends in a segment with two targets. The format wants a
//! returned value at the closing parenthesis of the call, and an assumption at the beginning of a statement, which is the
//! leftmost one of its line where no column is given.

use std::fmt::Write;

use base::Span;
use program::{Program, Property, ThreadId, Trace, TraceEvent, TraceEventKind};

use super::Circumstances;
use super::metadata::{entry, quoted};
use crate::library_input::returned_value;
use crate::trace_rows::user_events;

/// The witness of a violation. Ends in a newline.
pub fn render(program: &Program, trace: &Trace, circumstances: &Circumstances<'_>) -> String {
    let mut content = "  content:\n".to_owned();
    let mut last: Option<(ThreadId, Span)> = None;
    for event in user_events(program, trace) {
        let stands_alone = is_creation(event) || returned_value(program, event).is_some();
        let is_violation = matches!(event.kind, TraceEventKind::Violated { .. });
        let is_new = last.is_none_or(|(thread, span)| {
            thread != event.thread || (span.file, span.line) != (event.span.file, event.span.line)
        });
        if event.span.is_known() && !is_violation && (is_new || stands_alone) {
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
    let (kind, constraint) = match returned_value(program, event) {
        Some((_, value)) => ("function_return", Some(("ext_c_expression", format!("\\result == {value}")))),
        None => ("assumption", Some(("c_expression", "1".to_owned()))),
    };
    let column = match kind {
        "function_return" => closing_parenthesis(program, event.span),
        _ => Some(event.span.column).filter(|_| is_creation(event)),
    };
    lines(program, kind, event.thread, WaypointPlace { span: event.span, column }, constraint)
}

/// Whoever follows must create as many threads as there were, also in a loop on one line.
fn is_creation(event: &TraceEvent) -> bool {
    matches!(event.kind, TraceEventKind::Spawn { .. })
}

/// The column of the parenthesis that ends the call at a place, if it ends on its line.
fn closing_parenthesis(program: &Program, span: Span) -> Option<u32> {
    let line = program.files.line_text(span.file, span.line)?;
    let start = (span.column as usize).checked_sub(1)?;
    let mut open = 0_u32;
    for (offset, byte) in line.bytes().enumerate().skip(start) {
        match byte {
            b'(' => open += 1,
            b')' if open == 1 => return Some(offset as u32 + 1),
            b')' => open = open.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

#[derive(Clone, Copy)]
struct WaypointPlace {
    span: Span,
    column: Option<u32>,
}

fn targets(program: &Program, trace: &Trace) -> Vec<String> {
    let violation = &trace.violation;
    let target = |thread, span: Span| {
        let place = WaypointPlace { span, column: Some(span.column) };
        lines(program, "target", thread, place, None)
    };
    match &violation.race {
        Some(pair) if violation.property == Property::NoDataRace => {
            pair.iter().map(|access| target(access.thread, access.span)).collect()
        }
        _ => vec![target(violation.thread, violation.span)],
    }
}

fn lines(
    program: &Program,
    kind: &str,
    thread: ThreadId,
    place: WaypointPlace,
    constraint: Option<(&str, String)>,
) -> String {
    let WaypointPlace { span, column } = place;
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
        "            location:\n              file_name: {}\n              line: {}",
        quoted(program.files.path(span.file)),
        span.line
    );
    if let Some(column) = column {
        let _ = writeln!(out, "              column: {column}");
    }
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
