//! Diagnostics as text: a title with its code, the places, and help.

use annotate_snippets::{Group, Level};
use base::{Diagnostic, Files, Severity};

use crate::excerpt::{Mark, elements, renderer};
use crate::look::Look;
use crate::text_width::printable;

/// All of them, with an empty line between and the number of errors at the end. Ends in a newline unless empty.
pub fn render(diagnostics: &[Diagnostic], files: &Files, look: Look) -> String {
    let mut parts: Vec<String> = diagnostics.iter().map(|diagnostic| render_one(diagnostic, files, look)).collect();
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    if errors > 1 {
        parts.push(format!("{}: {errors} errors; no property was checked\n", look.bad("error")));
    }
    parts.join("\n")
}

fn render_one(diagnostic: &Diagnostic, files: &Files, look: Look) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(printable(&diagnostic.message)).id(diagnostic.code);
    let mut marks: Vec<Mark> = diagnostic.span.map(|span| Mark::primary(span, "")).into_iter().collect();
    marks.extend(diagnostic.labels.iter().map(|label| Mark::secondary(label.span, label.text.clone())));
    let mut group = Group::with_title(title).elements(elements(files, &marks));
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    renderer(look).render(&[group]) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{FileId, Span};

    #[test]
    fn a_diagnostic_has_title_excerpt_and_help() {
        let mut files = Files::new();
        let file = files.intern("bad.c");
        files.set_text(file, "int main(void) {\n    return 0\n}\n".into());
        let span = Span { file: FileId::nth(0), line: 2, column: 13, length: 1 };
        let missing = Diagnostic::error("syntax", "expected `;`").at(span).help("add `;` here");
        let expected = "\
error[syntax]: expected `;`
 --> bad.c:2:13
  |
2 |     return 0
  |             ^
  |
  = help: add `;` here
";
        assert_eq!(render(&[missing], &files, Look::PLAIN), expected);
    }

    #[test]
    fn several_errors_are_counted() {
        let errors =
            [Diagnostic::error("no-file", "there is no file `a.c`"), Diagnostic::error("no-file", "nor `b.c`")];
        let expected = "\
error[no-file]: there is no file `a.c`

error[no-file]: nor `b.c`

error: 2 errors; no property was checked
";
        assert_eq!(render(&errors, &Files::new(), Look::PLAIN), expected);
    }
}
