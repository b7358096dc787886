//! The two accesses of a race side by side: who, where, what, and what protects each.

use program::{Program, RacingAccess, Trace};
use unicode_width::UnicodeWidthStr;

use crate::look::Look;
use crate::text_width::{pad, printable, wrap};
use crate::trace_rows::{thread_label, thread_names};

/// Columns in front of the left half and between the two.
const INDENT: usize = 2;
const BETWEEN: usize = 3;

/// Both accesses in two columns. Empty if the violation is no race; ends in a newline otherwise.
pub fn side_by_side(program: &Program, trace: &Trace, look: Look) -> String {
    let Some(pair) = &trace.violation.race else { return String::new() };
    let width = (look.columns() - INDENT - BETWEEN) / 2;
    let halves = [&pair[0], &pair[1]].map(|access| half(program, trace, access, width));
    let left = halves[0].iter().map(|line| line.width()).max().unwrap_or(0);
    let mut out = String::new();
    for row in 0..halves[0].len().max(halves[1].len()) {
        let cell = |half: &Vec<String>| half.get(row).cloned().unwrap_or_default();
        let title = |text: String| if row == 0 { look.strong(&text) } else { text };
        let (ours, theirs) = (title(pad(&cell(&halves[0]), left)), title(cell(&halves[1])));
        let line = format!("  {ours} {} {theirs}", look.faint(look.glyphs().bar));
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn half(program: &Program, trace: &Trace, access: &RacingAccess, width: usize) -> Vec<String> {
    let title = thread_label(&thread_names(trace), access.thread);
    let place = program.files.describe(access.span);
    let source = program.files.line_text(access.span.file, access.span.line).unwrap_or_default();
    let protection = if access.protection.is_empty() { String::new() } else { format!(", {}", access.protection) };
    let what = format!("{} of {}{protection}", access.access, access.place);
    let indented = |text: &str| wrap(text, width.saturating_sub(2)).into_iter().map(|line| format!("  {line}"));
    let mut lines = wrap(&printable(&title), width);
    lines.extend(indented(&printable(&place)));
    lines.extend(indented(&printable(source.trim())));
    lines.extend(indented(&printable(&what)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_traces::race;

    #[test]
    fn a_race_has_both_accesses_next_to_each_other() {
        let (program, trace) = race();
        let expected = [
            "  T1 (add)                                | T2 (add)",
            "    lost.c:2:5                            |   lost.c:2:5",
            "    void *add(void *p) { x++; return 0; } |   void *add(void *p) { x++; return 0; }",
            "    write of x, holding mutex m           |   read of x, holding no lock",
            "",
        ];
        assert_eq!(side_by_side(&program, &trace, Look::PLAIN), expected.join("\n"));
        let (program, other) = crate::test_traces::lost_update();
        assert_eq!(side_by_side(&program, &other, Look::PLAIN), "");
    }
}
