//! Source excerpts with marked places, drawn by `annotate-snippets` as rustc draws them.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use base::{Files, Span};

use crate::look::Look;
use crate::text_width::printable;

/// A place and what to say about it (possibly nothing).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    pub span: Span,
    pub text: String,
    /// The place a message is about; others only belong to it.
    pub primary: bool,
}

impl Mark {
    pub fn primary(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into(), primary: true }
    }

    pub fn secondary(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into(), primary: false }
    }
}

/// The excerpt alone, without a title; empty if no place is known. Ends in a newline otherwise.
pub fn excerpt(files: &Files, marks: &[Mark], look: Look) -> String {
    let group = Group::with_level(Level::ERROR).elements(elements(files, marks));
    if group.is_empty() {
        return String::new();
    }
    renderer(look).render(&[group]) + "\n"
}

pub(crate) fn renderer(look: Look) -> Renderer {
    let renderer = if look.colour { Renderer::styled() } else { Renderer::plain() };
    let decor = if look.unicode { DecorStyle::Unicode } else { DecorStyle::Ascii };
    renderer.decor_style(decor).term_width(look.columns())
}

/// One snippet per file, in the order in which the files first appear among the known places.
pub(crate) fn elements(files: &Files, marks: &[Mark]) -> Vec<Element<'static>> {
    let known: Vec<&Mark> = marks.iter().filter(|mark| mark.span.is_known()).collect();
    let mut elements = Vec::new();
    for (index, mark) in known.iter().enumerate() {
        let file = mark.span.file;
        if known[..index].iter().any(|earlier| earlier.span.file == file) {
            continue;
        }
        let here: Vec<&Mark> = known.iter().copied().filter(|other| other.span.file == file).collect();
        elements.extend(file_elements(files, &here));
    }
    elements
}

/// The places of one file: a snippet of the lines from the first to the last of them, folded in between. A place whose
/// line cannot be shown is at least named.
fn file_elements(files: &Files, marks: &[&Mark]) -> Vec<Element<'static>> {
    let file = marks[0].span.file;
    let path = printable(files.path(file));
    let lines: Vec<&str> =
        files.get(file).and_then(|file| file.text.as_deref()).map_or(Vec::new(), |t| t.lines().collect());
    let (shown, unshown): (Vec<&Mark>, Vec<&Mark>) =
        marks.iter().copied().partition(|mark| (mark.span.line as usize) <= lines.len());
    let mut elements: Vec<Element<'static>> = Vec::new();
    if let Some(window) = Window::around(&lines, &shown) {
        let annotations: Vec<Annotation<'static>> = shown.iter().map(|mark| window.annotation(mark)).collect();
        let snippet = Snippet::source(window.text).line_start(window.first).path(path.clone()).annotations(annotations);
        elements.push(snippet.into());
    }
    for mark in unshown {
        let origin = Origin::path(path.clone()).line(mark.span.line as usize);
        elements.push(origin.char_column(mark.span.column as usize).into());
    }
    elements
}

/// The lines of a file that an excerpt needs, control characters replaced byte by byte so that columns stay right.
struct Window {
    first: usize,
    text: String,
    /// Where each line begins in `text`, and its length.
    lines: Vec<(usize, usize)>,
}

impl Window {
    fn around(lines: &[&str], marks: &[&Mark]) -> Option<Self> {
        let first = marks.iter().map(|mark| mark.span.line as usize).min()?;
        let last = marks.iter().map(|mark| mark.span.line as usize).max()?;
        let mut window = Window { first, text: String::new(), lines: Vec::new() };
        for line in &lines[first - 1..last] {
            window.lines.push((window.text.len(), line.len()));
            window.text.push_str(&line.replace(|c: char| c.is_ascii_control() && c != '\t', "?"));
            window.text.push('\n');
        }
        Some(window)
    }

    fn annotation(&self, mark: &Mark) -> Annotation<'static> {
        let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(self.range(mark.span));
        if mark.text.is_empty() { annotation } else { annotation.label(printable(&mark.text)) }
    }

    /// The bytes of a span, kept inside its line and on character boundaries.
    fn range(&self, span: Span) -> Range<usize> {
        let (start, length) = self.lines[span.line as usize - self.first];
        let from = (span.column.saturating_sub(1) as usize).min(length);
        let to = (from + span.length.max(1) as usize).min(length).max(from);
        let (mut from, mut to) = (start + from, start + to);
        while !self.text.is_char_boundary(from) {
            from -= 1;
        }
        while !self.text.is_char_boundary(to) {
            to += 1;
        }
        from..to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        let mut files = Files::new();
        let file = files.intern("a.c");
        files.set_text(file, "int x;\nint main(void) {\n    x = 1;\n    é = 2;\n}\n".into());
        files
    }

    fn span(line: u32, column: u32, length: u32) -> Span {
        Span { file: base::FileId::nth(0), line, column, length }
    }

    #[test]
    fn marks_are_drawn_under_their_lines() {
        let marks = [Mark::primary(span(3, 5, 5), "written here"), Mark::secondary(span(1, 5, 1), "declared here")];
        let expected = " --> a.c:3:5
  |
1 | int x;
  |     - declared here
2 | int main(void) {
3 |     x = 1;
  |     ^^^^^ written here
";
        assert_eq!(excerpt(&files(), &marks, Look::PLAIN), expected);
    }

    #[test]
    fn places_outside_the_text_do_no_harm() {
        for bad in [span(4, 6, 1), span(4, 400, 9), span(5, 1, 4_000_000_000), span(3, 0, 0)] {
            assert!(excerpt(&files(), &[Mark::primary(bad, "")], Look::PLAIN).contains("a.c:"));
        }
        assert_eq!(excerpt(&files(), &[Mark::primary(span(77, 3, 1), "")], Look::PLAIN), " --> a.c:77:3\n");
        assert_eq!(excerpt(&files(), &[Mark::primary(Span::UNKNOWN, "")], Look::PLAIN), "");
    }
}
