//! Control-flow graphs as text and as drawings. Functions that the user did not write are left out.

use std::fmt::Write;

use program::{Block, Function, FunctionId, Program, TerminatorKind};

use crate::lanes::counted;

/// Each function's blocks with their successors and the lines they come from.
pub fn text(program: &Program) -> String {
    let mut out = String::new();
    for (id, function) in written_functions(program) {
        let _ = writeln!(out, "{id} {} ({})", function.name, program.files.describe(function.span));
        for (block, body) in function.blocks.iter_enumerated() {
            let successors: Vec<String> = body.terminator.kind.successors().iter().map(ToString::to_string).collect();
            let arrow =
                if successors.is_empty() { ending(&body.terminator.kind).to_owned() } else { successors.join(", ") };
            let count = counted(body.instructions.len(), "instruction", "instructions");
            let _ = writeln!(out, "  {block} -> {arrow}  ({count}{})", lines(body));
        }
        out.push('\n');
    }
    out
}

/// One cluster per function, one node per block with its instructions, in the language of Graphviz.
pub fn dot(program: &Program) -> String {
    let mut out = String::from("digraph cfg {\n  node [shape=box, fontname=monospace];\n");
    for (id, function) in written_functions(program) {
        let _ = writeln!(out, "  subgraph cluster_{id} {{\n    label=\"{}\";", escape(&function.name));
        for (block, body) in function.blocks.iter_enumerated() {
            let mut label = format!("{block}:\\l");
            for instruction in &body.instructions {
                let _ = write!(label, "{}\\l", escape(&instruction.kind.to_string()));
            }
            let _ = write!(label, "{}\\l", escape(&body.terminator.kind.to_string()));
            let _ = writeln!(out, "    {id}_{block} [label=\"{label}\"];");
            for successor in body.terminator.kind.successors() {
                let _ = writeln!(out, "    {id}_{block} -> {id}_{successor};");
            }
        }
        out += "  }\n";
    }
    out + "}\n"
}

fn written_functions(program: &Program) -> impl Iterator<Item = (FunctionId, &Function)> {
    program.functions.iter_enumerated().filter(|(_, function)| !function.built_in)
}

fn ending(kind: &TerminatorKind) -> &'static str {
    match kind {
        TerminatorKind::Return(_) => "return",
        TerminatorKind::ThreadExit(_) => "end of the thread",
        TerminatorKind::ProcessExit { .. } => "end of the process",
        _ => "nowhere",
    }
}

fn lines(block: &Block) -> String {
    let spans = block.instructions.iter().map(|instruction| instruction.span).chain([block.terminator.span]);
    let lines: Vec<u32> = spans.filter(|span| span.is_known()).map(|span| span.line).collect();
    match (lines.iter().min(), lines.iter().max()) {
        (Some(first), Some(last)) if first == last => format!(", line {first}"),
        (Some(first), Some(last)) => format!(", lines {first} to {last}"),
        _ => String::new(),
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l")
}
