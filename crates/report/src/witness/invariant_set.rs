//! A proof as a YAML witness, format 2.0: a set of invariants at places of the program. A proof without invariants is an
//! empty set, which claims nothing but the verdict.

use std::fmt::Write;

use base::Span;
use program::Property;

use super::Circumstances;
use super::metadata::{entry, quoted};

/// Something that holds whenever control is at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub file_name: String,
    pub span: Span,
    pub is_loop_head: bool,
    /// A C expression over the variables in scope there.
    pub expression: String,
}

/// The witness of a proof of all these properties. Ends in a newline.
pub fn render(properties: &[Property], invariants: &[Invariant], circumstances: &Circumstances<'_>) -> String {
    let mut content = if invariants.is_empty() { "  content: []\n" } else { "  content:\n" }.to_owned();
    for invariant in invariants {
        let kind = if invariant.is_loop_head { "loop_invariant" } else { "location_invariant" };
        let _ = writeln!(
            content,
            "    - invariant:\n        type: {}\n        location:\n          file_name: {}\n          line: {}\n          \
             column: {}\n        value: {}\n        format: \"c_expression\"",
            quoted(kind),
            quoted(&invariant.file_name),
            invariant.span.line,
            invariant.span.column,
            quoted(&invariant.expression)
        );
    }
    entry("invariant_set", "2.0", properties, circumstances, &content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_traces::lost_update;
    use crate::witness::WitnessFile;
    use program::DataModel;

    #[test]
    fn invariants_have_their_places() {
        let span = lost_update().1.violation.span;
        let files = [WitnessFile::new("lost.c".to_owned(), b"")];
        let (data_model, creation_time) = (DataModel::Ilp32, "2024-02-29T12:00:00Z");
        let circumstances = Circumstances { version: "1", files: &files, data_model, creation_time };
        let (file_name, expression) = ("lost.c".to_owned(), "x <= 2".to_owned());
        let invariant = Invariant { file_name, span, is_loop_head: false, expression };
        let text = render(&[Property::UnreachCall], &[invariant], &circumstances);
        assert!(text.contains("entry_type: \"invariant_set\"") && text.contains("format_version: \"2.0\""), "{text}");
        assert!(text.contains("line: 7\n          column: 5\n        value: \"x <= 2\""), "{text}");
        assert!(render(&[Property::UnreachCall], &[], &circumstances).ends_with("  content: []\n"));
    }
}
