//! Places in the *user's* source files. The front end resolves line markers once; nobody else sees preprocessed text.

use std::iter;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::define_id;
use crate::ids::{Id, IdVec};

define_id!(
    /// A source file the user knows by name.
    FileId,
    "file"
);

/// A stretch of one line in a source file: lines and columns count from 1, columns in bytes.
/// Line 0 means that no place is known (built-in declarations).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    pub length: u32,
}

impl Span {
    pub const UNKNOWN: Span = Span { file: FileId(0), line: 0, column: 0, length: 0 };

    pub fn is_known(self) -> bool {
        self.line != 0
    }

    /// From the start of `self` to the end of `other` if both lie on one line, else just `self`.
    pub fn to(self, other: Span) -> Span {
        if self.file == other.file && self.line == other.line && other.column >= self.column {
            Span { length: other.column + other.length - self.column, ..self }
        } else {
            self
        }
    }
}

/// A file name and, where it could be had, its text (for excerpts).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    pub path: String,
    pub text: Option<IndexedText>,
}

/// The text of a file, in which lines are found quickly.
#[derive(Clone, Debug)]
pub struct IndexedText {
    text: Arc<str>,
    /// Where each line begins; made when it is first needed.
    line_starts: Arc<OnceLock<Vec<usize>>>,
}

impl IndexedText {
    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            let behind_newlines = self.text.match_indices('\n').map(|(newline, _)| newline + 1);
            iter::once(0).chain(behind_newlines).filter(|&start| start < self.text.len()).collect()
        })
    }

    /// The text of one line (counted from 1), without its newline.
    pub fn line(&self, line: u32) -> Option<&str> {
        let (starts, index) = (self.line_starts(), (line as usize).checked_sub(1)?);
        let start = *starts.get(index)?;
        // A line may be megabytes long: its end is not searched for.
        let line = &self.text[start..starts.get(index + 1).map_or(self.text.len(), |next| *next)];
        let Some(line) = line.strip_suffix('\n') else { return Some(line) };
        Some(line.strip_suffix('\r').unwrap_or(line))
    }
}

impl Deref for IndexedText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl PartialEq for IndexedText {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for IndexedText {}

/// The table behind [`FileId`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    files: IdVec<FileId, SourceFile>,
}

impl Files {
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the id of `path`, adding it if it is new.
    pub fn intern(&mut self, path: &str) -> FileId {
        let known = self.files.ids().find(|&id| self.files[id].path == path);
        known.unwrap_or_else(|| self.files.push(SourceFile { path: path.to_owned(), text: None }))
    }

    pub fn set_text(&mut self, id: FileId, text: Arc<str>) {
        self.files[id].text = Some(IndexedText { text, line_starts: Arc::default() });
    }

    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id)
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter_enumerated()
    }

    pub fn path(&self, id: FileId) -> &str {
        self.get(id).map_or("<unknown>", |file| &file.path)
    }

    /// `path:line:column`, or `path` alone where no line is known.
    pub fn describe(&self, span: Span) -> String {
        if span.is_known() {
            format!("{}:{}:{}", self.path(span.file), span.line, span.column)
        } else {
            self.path(span.file).to_owned()
        }
    }

    /// The text of one line (counted from 1), without its newline.
    pub fn line_text(&self, file: FileId, line: u32) -> Option<&str> {
        self.get(file)?.text.as_ref()?.line(line)
    }
}

impl FileId {
    /// The n-th file.
    pub fn nth(index: usize) -> Self {
        Id::new(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_text() {
        for text in ["", "\n", "a", "a\n", "a\nb", "\n\na\r\nb\n\n"] {
            let mut files = Files::new();
            let file = files.intern("a.c");
            files.set_text(file, text.into());
            let lines: Vec<&str> = (1..10).map_while(|line| files.line_text(file, line)).collect();
            assert_eq!(lines, text.lines().collect::<Vec<_>>(), "{text:?}");
            assert_eq!(files.line_text(file, 0), None);
        }
    }
}
