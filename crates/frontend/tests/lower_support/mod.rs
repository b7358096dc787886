//! What the tests of lowering share.

use frontend::CompileFailure;
use program::Program;

pub fn well_formed(program: &Program) {
    let flaws = program::verify::verify(program);
    assert!(flaws.is_empty(), "{flaws:?}\n{program}");
}

pub fn describe(failure: &CompileFailure) -> String {
    let line = |diagnostic: &base::Diagnostic| {
        let place = diagnostic.span.map_or(String::new(), |span| failure.files.describe(span));
        format!("{place}: {}", diagnostic.message)
    };
    failure.diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}
