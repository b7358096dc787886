//! Checks that somebody else places into a program: an expression that must hold whenever a thread is at a place, as the
//! invariants of a correctness witness do. They are put into the text between the tokens, and every token keeps the span
//! that it has without them.
//!
//! A check is evaluated in one atomic step and must not change anything: expressions that assign, call or declare are
//! refused. What is well-formed but means nothing at its place (an unknown name) is an error of the front end there.

use std::ops::Range;
use std::path::Path;

use base::{FileId, Files, Span};

use crate::lexer::{self, LineMarkers, Tokens};
use crate::token::{Token, TokenKind};

/// The builtin that a check becomes; its argument is the number of the check.
pub const CHECK: &str = "__builtin_gordian_invariant";

/// Where a check is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CheckKind {
    /// Before the statement or declaration that begins there, which stands in a block.
    Location,
    /// In every round of the loop whose keyword stands there: before the condition, of a `do` loop before the body.
    LoopHead,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacedCheck {
    pub kind: CheckKind,
    /// The file, of which the last part of the name counts; any if nobody says.
    pub file_name: Option<String>,
    pub line: u32,
    /// The leftmost place that fits, if nobody says; of no account where there is only one.
    pub column: Option<u32>,
    pub expression: String,
}

impl PlacedCheck {
    /// Whether it is about a file of this name.
    pub fn is_about(&self, path: &str) -> bool {
        let last = |path: &str| Path::new(path).file_name().map(ToOwned::to_owned);
        self.file_name.as_deref().is_none_or(|name| last(name) == last(path))
    }
}

/// Why a check cannot be put where it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misplaced {
    /// Its index among all checks.
    pub check: usize,
    pub reason: String,
}

/// The text with the checks in it, cut into tokens.
pub struct Spliced {
    pub text: Vec<u8>,
    pub tokens: Tokens,
}

/// Puts the checks that are about `file` into its text, whose tokens are given, as far as they fit.
pub fn splice(
    text: &[u8],
    tokens: Tokens,
    file: FileId,
    markers: LineMarkers,
    checks: &[PlacedCheck],
    files: &mut Files,
) -> (Spliced, Vec<Misplaced>) {
    let mut misplaced = Vec::new();
    let mut insertions = Vec::new();
    let path = files.path(file).to_owned();
    for (check, placed) in checks.iter().enumerate().filter(|(_, placed)| placed.is_about(&path)) {
        let found = harmless(&placed.expression).and_then(|()| insertion(&tokens.tokens, file, check, placed));
        match found {
            Ok(insertion) => insertions.push(insertion),
            Err(reason) => misplaced.push(Misplaced { check, reason }),
        }
    }
    insertions.sort_by_key(|insertion| insertion.before);
    let (new_text, inserted) = insert(text, &tokens.tokens, &insertions);
    let mut new_tokens = lexer::lex(&new_text, file, markers, files);
    restore_spans(&mut new_tokens.tokens, &tokens.tokens, &inserted);
    (Spliced { text: new_text, tokens: new_tokens }, misplaced)
}

struct TextInsertion {
    /// The index of the token that it comes before.
    before: usize,
    text: String,
    /// What the user sees as its place.
    span: Span,
}

fn insertion(tokens: &[Token], file: FileId, check: usize, placed: &PlacedCheck) -> Result<TextInsertion, String> {
    let at = anchor(tokens, file, placed)?;
    let span = tokens[at].span;
    let call = format!(" {CHECK}({check}, ({})) ", placed.expression.replace(['\n', '\r'], " "));
    let (before, text) = match (placed.kind, tokens[at].kind) {
        (CheckKind::Location, _) => (at, format!("{call};")),
        (CheckKind::LoopHead, TokenKind::While) => (at + 2, format!("{call},")),
        (CheckKind::LoopHead, TokenKind::Do) => (at + 2, format!("{call};")),
        (CheckKind::LoopHead, _) => {
            let condition = 1 + end_of_initialisation(tokens, at).ok_or("the loop there is not complete")?;
            let is_empty = tokens[condition].kind == TokenKind::Semicolon;
            (condition, format!("{call}, {}", if is_empty { "1" } else { "" }))
        }
    };
    Ok(TextInsertion { before, text, span })
}

/// The token at the place of a check.
fn anchor(tokens: &[Token], file: FileId, placed: &PlacedCheck) -> Result<usize, String> {
    let fits = |index: usize| match placed.kind {
        CheckKind::Location => begins_in_block(tokens, index),
        CheckKind::LoopHead => begins_loop(tokens, index),
    };
    let on_line = |index: &usize| {
        let span = tokens[*index].span;
        span.file == file && span.line == placed.line && tokens[*index].kind != TokenKind::EndOfFile
    };
    let fitting: Vec<usize> = (0..tokens.len()).filter(on_line).filter(|&index| fits(index)).collect();
    let at_column = |column: u32| fitting.iter().find(|&&index| tokens[index].span.column == column);
    // Columns are counted in more than one way; where there is no choice, none is needed.
    let only = if fitting.len() == 1 { fitting.first() } else { None };
    let found = match placed.column {
        Some(column) => at_column(column).or(only),
        None => fitting.first(),
    };
    found.copied().ok_or_else(|| match placed.kind {
        CheckKind::Location => "no statement of a block begins there".to_owned(),
        CheckKind::LoopHead => "no loop begins there".to_owned(),
    })
}

/// Whether a statement or declaration may begin here that has others before or after it.
fn begins_in_block(tokens: &[Token], index: usize) -> bool {
    use TokenKind::{Case, Colon, Default, Else, LeftBrace, RightBrace, Semicolon, While};
    let before = index.checked_sub(1).map(|before| tokens[before].kind);
    let is_start = matches!(before, Some(Semicolon | LeftBrace | RightBrace | Colon));
    let ends_a_loop = before == Some(RightBrace) && tokens[index].kind == While;
    is_start && !ends_a_loop && !matches!(tokens[index].kind, Case | Default | Else | RightBrace)
}

fn begins_loop(tokens: &[Token], index: usize) -> bool {
    let next = tokens.get(index + 1).map(|token| token.kind);
    match tokens[index].kind {
        TokenKind::While | TokenKind::For => next == Some(TokenKind::LeftParen),
        TokenKind::Do => next == Some(TokenKind::LeftBrace),
        _ => false,
    }
}

/// The first semicolon between the parentheses of a `for`.
fn end_of_initialisation(tokens: &[Token], keyword: usize) -> Option<usize> {
    let mut open = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(keyword + 1) {
        match token.kind {
            TokenKind::LeftParen | TokenKind::LeftBrace | TokenKind::LeftBracket => open += 1,
            TokenKind::RightParen | TokenKind::RightBrace | TokenKind::RightBracket => open = open.checked_sub(1)?,
            TokenKind::Semicolon if open == 1 => return Some(index),
            TokenKind::EndOfFile => return None,
            _ => {}
        }
    }
    None
}

/// Says why an expression is not one that can be evaluated without any effect.
fn harmless(expression: &str) -> Result<(), String> {
    let mut files = Files::new();
    let file = files.intern("invariant");
    let lexed = lexer::lex(expression.as_bytes(), file, LineMarkers::Ignore, &mut files);
    let hides_the_rest = ["//", "/*", "#", "\\"].iter().any(|start| expression.contains(start));
    if !lexed.diagnostics.is_empty() || lexed.tokens.len() < 2 || hides_the_rest {
        return Err("it is not a C expression".to_owned());
    }
    let mut open = Vec::new();
    for (index, token) in lexed.tokens.iter().enumerate() {
        let spelling = token.kind.spelling().unwrap_or_default();
        let compares = matches!(spelling, "==" | "!=" | "<=" | ">=");
        if matches!(spelling, "++" | "--") || spelling.ends_with('=') && !compares {
            return Err(format!("it has an effect (`{spelling}`)"));
        }
        match token.kind {
            TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace => {
                return Err("it is not a C expression".to_owned());
            }
            TokenKind::LeftParen if index > 0 && lexed.tokens[index - 1].kind == TokenKind::Identifier => {
                return Err("it calls a function".to_owned());
            }
            TokenKind::LeftParen => open.push(TokenKind::RightParen),
            TokenKind::LeftBracket => open.push(TokenKind::RightBracket),
            TokenKind::RightParen | TokenKind::RightBracket if open.pop() != Some(token.kind) => {
                return Err("its parentheses do not match".to_owned());
            }
            _ => {}
        }
    }
    if open.is_empty() { Ok(()) } else { Err("its parentheses do not match".to_owned()) }
}

/// The new text, and for each inserted stretch where it lies in it and the span that it gets.
fn insert(text: &[u8], tokens: &[Token], insertions: &[TextInsertion]) -> (Vec<u8>, Vec<(Range<usize>, Span)>) {
    let mut out = Vec::with_capacity(text.len());
    let mut inserted = Vec::new();
    let mut copied = 0;
    for insertion in insertions {
        let at = tokens[insertion.before].start as usize;
        out.extend_from_slice(&text[copied..at]);
        copied = at;
        let start = out.len();
        out.extend_from_slice(insertion.text.as_bytes());
        inserted.push((start..out.len(), insertion.span));
    }
    out.extend_from_slice(&text[copied..]);
    (out, inserted)
}

/// Old tokens get their old spans, new ones that of the place.
fn restore_spans(new: &mut [Token], old: &[Token], inserted: &[(Range<usize>, Span)]) {
    let mut unseen = old.iter();
    for token in new {
        let at = inserted.partition_point(|(range, _)| range.end <= token.start as usize);
        let is_inserted = inserted.get(at).is_some_and(|(range, _)| range.contains(&(token.start as usize)));
        match (is_inserted, unseen.as_slice().first()) {
            (true, _) => token.span = inserted[at].1,
            (false, Some(known)) => {
                token.span = known.span;
                unseen.next();
            }
            (false, None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "int f(int n) {\n  int i = 0; for (;;) { n--; }\n  while (i < n) i++;\n  do { i--; } while (i);\n}\n";

    fn spliced(checks: &[PlacedCheck]) -> (String, Vec<Misplaced>, bool) {
        let mut files = Files::new();
        let file = files.intern("a.c");
        let tokens = lexer::lex(TEXT.as_bytes(), file, LineMarkers::Ignore, &mut files);
        let old: Vec<Span> = tokens.tokens.iter().map(|token| token.span).collect();
        let (result, misplaced) = splice(TEXT.as_bytes(), tokens, file, LineMarkers::Ignore, checks, &mut files);
        let mut kept = result.tokens.tokens.iter().map(|token| token.span);
        let are_kept = old.iter().all(|span| kept.any(|other| other == *span));
        (String::from_utf8_lossy(&result.text).into_owned(), misplaced, are_kept)
    }

    fn check(kind: CheckKind, line: u32, column: Option<u32>, expression: &str) -> PlacedCheck {
        PlacedCheck { kind, file_name: None, line, column, expression: expression.to_owned() }
    }

    #[test]
    fn checks_stand_where_they_are_evaluated() {
        let checks = [
            check(CheckKind::Location, 2, None, "n"),
            check(CheckKind::LoopHead, 2, Some(14), "i == 0"),
            check(CheckKind::LoopHead, 3, Some(2), "i <= n"),
            check(CheckKind::LoopHead, 4, None, "i"),
            check(CheckKind::Location, 4, Some(8), "i"),
        ];
        let (text, misplaced, are_kept) = spliced(&checks);
        assert_eq!(misplaced, []);
        assert!(are_kept, "the program's own tokens keep their places");
        assert!(text.contains(" __builtin_gordian_invariant(0, (n)) ;int i = 0;"), "{text}");
        assert!(text.contains("for (; __builtin_gordian_invariant(1, (i == 0)) , 1;)"), "{text}");
        assert!(text.contains("while ( __builtin_gordian_invariant(2, (i <= n)) ,i < n)"), "{text}");
        assert!(text.contains("do {  __builtin_gordian_invariant(3, (i)) ; __builtin_gordian_invariant(4, (i)) ;i--;"));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refused = [
            check(CheckKind::Location, 2, Some(9), "i"),
            check(CheckKind::Location, 99, None, "i"),
            check(CheckKind::LoopHead, 1, Some(3), "i"),
            check(CheckKind::Location, 2, None, "i++"),
            check(CheckKind::Location, 2, None, "n = 3"),
            check(CheckKind::Location, 2, None, "1); n = 2; (1"),
            check(CheckKind::Location, 2, None, "f(1)"),
            check(CheckKind::Location, 2, None, ")("),
            check(CheckKind::Location, 2, None, ""),
            check(CheckKind::Location, 2, None, "\"a"),
            check(CheckKind::Location, 2, None, "n // m"),
        ];
        let (text, misplaced, _) = spliced(&refused);
        assert_eq!(misplaced.len(), refused.len(), "{misplaced:?}");
        assert_eq!(text, TEXT);
    }
}
