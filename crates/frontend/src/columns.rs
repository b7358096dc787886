//! Columns in the text the user wrote, for tokens of preprocessed text.
//!
//! Line markers restore lines but not columns: preprocessors squeeze white space and put the expansion of a macro where
//! its name was. This is a heuristic over the original line: a token is looked for after the previous one; what is not
//! there (it came out of a macro) gets the place where the search stands, normally the macro's name. It can be off
//! within the line, never on the line.

use base::{FileId, Files, IndexedText, Span};

/// How far ahead a word is looked for: long lines must not cost quadratic time.
const SEARCH_WINDOW: usize = 1_000;

pub struct OriginalColumns {
    file: FileId,
    text: IndexedText,
    line: u32,
    /// The end of the last token found, as an offset in the current line.
    cursor: usize,
    /// The last token was not found: a macro's name stands at the cursor.
    in_macro: bool,
    /// A line marker has come since the last token.
    after_marker: bool,
}

impl OriginalColumns {
    /// `None` if the text of `file` is not known.
    pub fn new(file: FileId, files: &Files) -> Option<Self> {
        let text = files.get(file)?.text.clone()?;
        Some(Self { file, text, line: 0, cursor: 0, in_macro: false, after_marker: false })
    }

    /// GCC sets a line marker where the expansion of a system header's macro begins or ends, and arguments may have been
    /// found out of order by then. What comes next is indented to its own column, or to the one before.
    pub fn restart(&mut self) {
        self.after_marker = true;
        self.in_macro = false;
    }

    /// The span of `token` in the original line; `here` where nothing better is known.
    pub fn locate(&mut self, here: Span, token: &[u8]) -> Span {
        if here.file != self.file {
            return here;
        }
        let text = self.text.clone();
        let Some(line) = text.line(here.line).map(str::as_bytes) else { return here };
        if here.line != self.line {
            self.line = here.line;
            self.in_macro = false;
            self.cursor = 0;
        } else if self.after_marker {
            self.cursor = self.indented(line, here.column as usize - 1, token);
        }
        self.after_marker = false;
        let next = skip_blanks(line, self.cursor);
        match self.find_token(line, next, token) {
            Some(position) => {
                self.cursor = position + token.len();
                self.in_macro = false;
                Span { column: position as u32 + 1, ..here }
            }
            None => {
                self.in_macro = true;
                let position = next.min(line.len().saturating_sub(1));
                Span { column: position as u32 + 1, length: word_length(line, position).max(1) as u32, ..here }
            }
        }
    }

    /// Where to look for the first token after a marker in the middle of a line.
    fn indented(&self, line: &[u8], column: usize, token: &[u8]) -> usize {
        let expected = if self.cursor == column + 1 { self.cursor } else { column };
        let is_there = |position: usize| position < line.len() && is_token_at(line, position, token);
        if !is_there(expected) && is_there(expected + 1) { expected + 1 } else { expected }
    }

    /// Words may be looked for anywhere in the rest of the line; punctuation occurs too often for that and must come
    /// next, or after the name of the macro whose expansion has just ended.
    fn find_token(&self, line: &[u8], next: usize, token: &[u8]) -> Option<usize> {
        if is_token_at(line, next, token) {
            return Some(next);
        }
        if !token.first().is_some_and(|&byte| is_word(byte) || byte == b'"' || byte == b'\'') {
            let after_macro = skip_blanks(line, next + word_length(line, next));
            return (self.in_macro && is_token_at(line, after_macro, token)).then_some(after_macro);
        }
        let end = line.len().min(next + SEARCH_WINDOW);
        (next..end).find(|&position| is_token_at(line, position, token))
    }
}

fn is_token_at(line: &[u8], position: usize, token: &[u8]) -> bool {
    line[position..].starts_with(token) && !is_inside_word(line, position, token.len())
}

fn word_length(line: &[u8], position: usize) -> usize {
    line[position..].iter().take_while(|&&byte| is_word(byte)).count()
}

fn skip_blanks(line: &[u8], cursor: usize) -> usize {
    let cursor = cursor.min(line.len());
    cursor + line[cursor..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

fn is_inside_word(line: &[u8], position: usize, length: usize) -> bool {
    let is_word_at = |index: usize| line.get(index).copied().is_some_and(is_word);
    let before = position > 0 && is_word_at(position - 1) && is_word_at(position);
    let after = is_word_at(position + length - 1) && is_word_at(position + length);
    before || after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns_of(original: &str, tokens: &[&str]) -> Vec<u32> {
        let mut files = Files::new();
        let file = files.intern("a.c");
        files.set_text(file, original.into());
        let mut columns = OriginalColumns::new(file, &files).expect("the text is known");
        let here = Span { file, line: 1, column: 99, length: 1 };
        tokens.iter().map(|token| columns.locate(here, token.as_bytes()).column).collect()
    }

    #[test]
    fn squeezed_white_space_is_restored() {
        assert_eq!(columns_of("  int    x  =  1;", &["int", "x", "=", "1", ";"]), [3, 10, 13, 16, 17]);
    }

    /// As GCC prints `x = f(y); assert(x > NULL);`, with a marker before each column that is given.
    #[test]
    fn after_a_marker_the_indentation_counts() {
        let original = "x = f(y); assert(x > NULL);";
        let mut files = Files::new();
        let file = files.intern("a.c");
        files.set_text(file, original.into());
        let mut columns = OriginalColumns::new(file, &files).expect("the text is known");
        let mut found = Vec::new();
        for (column, tokens) in [
            (1, &["x", "=", "f", "(", "y", ")", ";"][..]),
            (10, &["(", "sizeof", "("]),
            (10, &["x", ">"]),
            (21, &["0"]),
            (10, &[")"]),
            (26, &[";"]),
        ] {
            columns.restart();
            for token in tokens {
                let here = Span { file, line: 1, column, length: 1 };
                found.push(columns.locate(here, token.as_bytes()).column);
            }
        }
        assert_eq!(found[7..9], [11, 11], "the expansion of `assert` stands at its name: {found:?}");
        assert_eq!(found[10..13], [18, 20, 22], "arguments stand where they are written: {found:?}");
        assert_eq!(found[13..], [11, 27], "and what follows, too: {found:?}");
    }

    #[test]
    fn an_expanded_macro_stands_at_its_name() {
        assert_eq!(
            columns_of("x = LIMIT + xy + y;", &["x", "=", "10", "+", "xy", "+", "y"]),
            [1, 3, 5, 11, 13, 16, 18]
        );
    }
}
