//! Where threads can interleave: the visible instructions, line by line of the source.

use std::fmt::Write;

use program::{Program, Visibility};

/// Each visible instruction of the functions that the user wrote, with its place and source line.
pub fn text(program: &Program, visibility: &Visibility) -> String {
    let mut out = String::new();
    for (id, function) in program.functions.iter_enumerated().filter(|(_, function)| !function.built_in) {
        let _ = writeln!(out, "{id} {}", function.name);
        for location in function.locations(id).filter(|&location| visibility.is_visible(location)) {
            let span = program.span(location);
            let what = match program.at(location) {
                program::At::Instruction(instruction) => instruction.kind.to_string(),
                program::At::Terminator(terminator) => terminator.kind.to_string(),
            };
            let source = program.files.line_text(span.file, span.line).unwrap_or_default().trim();
            let _ = writeln!(out, "  {}  {what}\n    {source}", program.files.describe(span));
        }
        out.push('\n');
    }
    out
}
