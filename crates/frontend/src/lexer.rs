//! From bytes to tokens. Comments, line markers and pragmas disappear here, and every token gets its place in the
//! *user's* file: through the line markers in the output of a preprocessor, or as it stands in a `.i` file that the user
//! named (the files its markers speak of are usually not there).
//!
//! Deviation from C11 5.1.1.2: a backslash-newline joins lines between tokens, in literals, comments and directives, but
//! not in the middle of a name or number.

use base::{Diagnostic, FileId, Files, Span};
use logos::Logos;
use rustc_hash::FxHashMap;

use crate::columns::OriginalColumns;
use crate::declaration_features::{self, FeatureSupport};
use crate::function_options::OptionPragmas;
use crate::packing::Packing;
use crate::symbol::{Interner, Symbol};
use crate::token::{Token, TokenKind};

/// No more than this many lexical errors are reported.
const MAX_DIAGNOSTICS: usize = 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whose lines the tokens' spans count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineMarkers {
    /// Those of the files that the line markers name.
    Follow,
    /// Those of the lexed text itself; markers are skipped.
    Ignore,
}

/// The tokens of one text; the last one is [`TokenKind::EndOfFile`].
#[derive(Clone, Debug)]
pub struct Tokens {
    pub tokens: Vec<Token>,
    pub packing: Packing,
    pub option_pragmas: OptionPragmas,
    /// Pragmas that are not supported, each with the index of the token behind it.
    pub unsupported_pragmas: Vec<(usize, String)>,
    /// Names that `#pragma weak` lists.
    pub weak_names: Vec<String>,
    /// Names that `#pragma weak` makes other names of functions and objects, each with the one it stands for.
    pub weak_aliases: Vec<(String, String)>,
    /// Names that `#pragma redefine_extname` replaces for the linker, each with the one that it gets.
    pub linker_names: Vec<(String, String)>,
    pub names: Interner,
    pub diagnostics: Vec<Diagnostic>,
    /// An error made the rest of the text unusable: nothing follows from the end of the tokens.
    pub cut_short: bool,
    /// The files that line markers name, other than system headers.
    pub user_files: Vec<FileId>,
}

/// Cuts `source` into tokens. `file` is the file the user named.
pub fn lex(source: &[u8], file: FileId, markers: LineMarkers, files: &mut Files) -> Tokens {
    let mut lexer = Lexer::new(source, file, markers, files);
    if let Some(diagnostic) = not_text(source, file) {
        lexer.diagnostics.push(diagnostic);
        lexer.cut_short = true;
    } else {
        lexer.run();
    }
    lexer.finish()
}

/// Says why `source` cannot be C text at all.
pub fn not_text(source: &[u8], file: FileId) -> Option<Diagnostic> {
    if u32::try_from(source.len()).is_err() {
        return Some(Diagnostic::error("file-too-large", "the file is larger than 4 GiB"));
    }
    let zero = source.iter().position(|&byte| byte == 0)?;
    let before = &source[..zero];
    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count() as u32;
    let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count() as u32;
    let diagnostic = Diagnostic::error("binary-file", "the file contains a zero byte: this is not C source text");
    Some(diagnostic.at(Span { file, line, column, length: 1 }))
}

struct Lexer<'a> {
    source: &'a [u8],
    inner: logos::Lexer<'a, TokenKind>,
    markers: LineMarkers,
    files: &'a mut Files,
    known_files: FxHashMap<&'a [u8], FileId>,
    columns: Option<OriginalColumns>,
    file: FileId,
    /// The number of the current line in `file`.
    line: u32,
    /// Where the current line begins in `source`.
    line_start: usize,
    tokens: Vec<Token>,
    packing: Packing,
    option_pragmas: OptionPragmas,
    unsupported_pragmas: Vec<(usize, String)>,
    weak_names: Vec<String>,
    weak_aliases: Vec<(String, String)>,
    linker_names: Vec<(String, String)>,
    names: Interner,
    diagnostics: Vec<Diagnostic>,
    cut_short: bool,
    user_files: Vec<FileId>,
}

impl<'a> Lexer<'a> {
    fn new(source: &'a [u8], file: FileId, markers: LineMarkers, files: &'a mut Files) -> Self {
        let columns = (markers == LineMarkers::Follow).then(|| OriginalColumns::new(file, files)).flatten();
        Lexer {
            source,
            inner: TokenKind::lexer(source),
            markers,
            files,
            known_files: FxHashMap::default(),
            columns,
            file,
            line: 1,
            line_start: 0,
            tokens: Vec::with_capacity(source.len() / 4 + 1),
            packing: Packing::default(),
            option_pragmas: OptionPragmas::default(),
            unsupported_pragmas: Vec::new(),
            weak_names: Vec::new(),
            weak_aliases: Vec::new(),
            linker_names: Vec::new(),
            names: Interner::default(),
            diagnostics: Vec::new(),
            cut_short: false,
            user_files: Vec::new(),
        }
    }

    fn finish(mut self) -> Tokens {
        let end = self.source.len();
        let span = match self.tokens.last() {
            Some(last) => last.span,
            None => Span { file: self.file, line: 1, column: 1, length: 0 },
        };
        let end = end.min(u32::MAX as usize) as u32;
        self.tokens.push(Token { kind: TokenKind::EndOfFile, symbol: Symbol(0), start: end, end, span });
        Tokens {
            tokens: self.tokens,
            packing: self.packing,
            option_pragmas: self.option_pragmas,
            unsupported_pragmas: self.unsupported_pragmas,
            weak_names: self.weak_names,
            weak_aliases: self.weak_aliases,
            linker_names: self.linker_names,
            names: self.names,
            diagnostics: self.diagnostics,
            cut_short: self.cut_short,
            user_files: self.user_files,
        }
    }

    fn run(&mut self) {
        if self.source.starts_with(BYTE_ORDER_MARK) {
            self.inner.bump(BYTE_ORDER_MARK.len());
        }
        while let Some(next) = self.inner.next() {
            match next {
                Ok(TokenKind::Newline) => self.newline(self.inner.span().end),
                Ok(TokenKind::BlockComment) => self.block_comment(),
                Ok(TokenKind::LineComment) => self.skip_logical_line(),
                Ok(TokenKind::Hash) if self.is_first_on_line() => self.directive(),
                Ok(kind) => self.token(kind),
                Err(()) => self.bad_input(),
            }
            if self.diagnostics.len() >= MAX_DIAGNOSTICS {
                self.cut_short = true;
                return;
            }
        }
    }

    fn newline(&mut self, line_start: usize) {
        self.line += 1;
        self.line_start = line_start;
    }

    /// Counts the lines that end between `start` and `end`.
    fn count_newlines(&mut self, start: usize, end: usize) {
        for position in start..end {
            if self.source[position] == b'\n' {
                self.newline(position + 1);
            }
        }
    }

    fn token(&mut self, kind: TokenKind) {
        let range = self.inner.span();
        let span = self.span(range.start, range.end);
        let mut symbol = Symbol(0);
        match kind {
            TokenKind::Identifier => symbol = self.identifier(range.start, range.end, span),
            TokenKind::Char | TokenKind::String => self.count_newlines(range.start, range.end),
            _ => {}
        }
        self.tokens.push(Token { kind, symbol, start: range.start as u32, end: range.end as u32, span });
    }

    fn span(&mut self, start: usize, end: usize) -> Span {
        let column = (start - self.line_start) as u32 + 1;
        let here = Span { file: self.file, line: self.line, column, length: (end - start) as u32 };
        match &mut self.columns {
            Some(columns) => columns.locate(here, &self.source[start..end]),
            None => here,
        }
    }

    fn identifier(&mut self, start: usize, end: usize, span: Span) -> Symbol {
        let bytes = &self.source[start..end];
        let name = std::str::from_utf8(bytes).expect("the identifier pattern should match UTF-8 only");
        if !bytes.is_ascii()
            && let Some(stray) = name.chars().find(|c| !c.is_ascii() && !c.is_alphanumeric())
        {
            self.error(span, format!("stray character `{stray}` in the program"));
        }
        if bytes.contains(&b'\\') {
            return self.names.intern(&crate::literal::decode_universal_names(name));
        }
        self.names.intern(name)
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error("syntax", message).at(span));
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Comments and bad input

    fn block_comment(&mut self) {
        let range = self.inner.span();
        let rest = &self.source[range.end..];
        match rest.windows(2).position(|pair| pair == b"*/") {
            Some(length) => {
                self.inner.bump(length + 2);
                self.count_newlines(range.end, range.end + length);
            }
            None => {
                let span = self.span(range.start, range.end);
                self.error(span, "this comment is never closed by `*/`");
                self.inner.bump(rest.len());
                self.cut_short = true;
            }
        }
    }

    /// Moves to the newline that ends the current line, past those hidden by a backslash.
    fn skip_logical_line(&mut self) {
        let start = self.inner.span().end;
        let end = self.logical_line_end(start);
        self.inner.bump(end - start);
        self.count_newlines(start, end);
    }

    fn logical_line_end(&self, start: usize) -> usize {
        let mut position = start;
        while let Some(length) = self.source[position..].iter().position(|&byte| byte == b'\n') {
            let end = position + length;
            let line = &self.source[position..end];
            if !line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\") {
                return end;
            }
            position = end + 1;
        }
        self.source.len()
    }

    fn bad_input(&mut self) {
        let range = self.inner.span();
        let span = self.span(range.start, range.start + 1);
        match self.source[range.start] {
            b'"' => self.unterminated(TokenKind::String, span),
            b'\'' => self.unterminated(TokenKind::Char, span),
            byte if byte.is_ascii_graphic() => {
                self.error(span, format!("stray character `{}` in the program", byte as char));
            }
            byte => self.error(span, format!("stray byte 0x{byte:02x} in the program")),
        }
    }

    /// The rest of the line stands for the literal, so that the parser has no reason to complain again.
    fn unterminated(&mut self, kind: TokenKind, span: Span) {
        let quote = if kind == TokenKind::String { '"' } else { '\'' };
        self.error(span, format!("the closing {quote} is missing"));
        let start = self.inner.span().start;
        self.skip_logical_line();
        let end = self.inner.span().end;
        self.tokens.push(Token { kind, symbol: Symbol(0), start: start as u32, end: end as u32, span });
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Lines that begin with `#`

    fn is_first_on_line(&self) -> bool {
        self.source[self.line_start..self.inner.span().start].iter().all(u8::is_ascii_whitespace)
    }

    fn directive(&mut self) {
        let start = self.inner.span().end;
        let end = self.logical_line_end(start);
        let text = self.source[start..end].trim_ascii();
        let column = (start - 1 - self.line_start) as u32 + 1;
        let span = Span { file: self.file, line: self.line, column, length: 1 };
        self.inner.bump(end - start);
        self.count_newlines(start, end);

        let marker = text.strip_prefix(b"line").map_or(text, <[u8]>::trim_ascii_start);
        if marker.first().is_some_and(u8::is_ascii_digit) {
            self.line_marker(marker, span);
        } else if let Some(pragma) = text.strip_prefix(b"pragma") {
            self.packing.pragma(pragma, self.tokens.len());
            let text = String::from_utf8_lossy(pragma.trim_ascii()).into_owned();
            self.option_pragmas.pragma(&text, self.tokens.len());
            if let Some(name) = declaration_features::weak_name(&text) {
                self.weak_names.push(name.to_owned());
            } else if let Some((name, target)) = declaration_features::weak_alias(&text) {
                self.weak_aliases.push((name.to_owned(), target.to_owned()));
            } else if let Some((name, other)) = declaration_features::linker_name(&text) {
                self.linker_names.push((name.to_owned(), other.to_owned()));
            } else if declaration_features::pragma(&text) == FeatureSupport::Unsupported {
                self.unsupported_pragmas.push((self.tokens.len(), text));
            }
        } else if !is_harmless(text) {
            let name = String::from_utf8_lossy(text.split(u8::is_ascii_whitespace).next().unwrap_or_default());
            self.diagnostics.push(
                Diagnostic::error("unpreprocessed", format!("preprocessing directive `#{name}` in preprocessed input"))
                    .at(span)
                    .help("give the file the ending `.c` to have it preprocessed"),
            );
        }
    }

    /// `12 "file.c" 1 3`: the next line is line 12 of that file.
    fn line_marker(&mut self, marker: &'a [u8], span: Span) {
        if self.markers == LineMarkers::Ignore {
            return;
        }
        let digits = marker.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&marker[..digits]).ok().and_then(|digits| digits.parse::<u32>().ok());
        let Some(number) = number else {
            return self.error(span, "the line number of this line marker is too large");
        };
        let name = marker[digits..].trim_ascii_start();
        if let Some(name) = name.strip_prefix(b"\"")
            && let Some(length) = closing_quote(name)
        {
            let is_system_header = name[length + 1..].split(u8::is_ascii_whitespace).any(|flag| flag == b"3");
            self.file = self.file_named(&name[..length], is_system_header);
        }
        if let Some(columns) = &mut self.columns {
            columns.restart();
        }
        // The newline that ends the marker's own line is still to come.
        self.line = number.saturating_sub(1);
    }

    fn file_named(&mut self, quoted: &'a [u8], is_system_header: bool) -> FileId {
        if let Some(&file) = self.known_files.get(quoted) {
            return file;
        }
        let bytes = crate::literal::unescape_path(quoted);
        let file = self.files.intern(&String::from_utf8_lossy(&bytes));
        self.known_files.insert(quoted, file);
        if !is_system_header {
            self.user_files.push(file);
        }
        file
    }
}

fn closing_quote(text: &[u8]) -> Option<usize> {
    let mut position = 0;
    while let Some(&byte) = text.get(position) {
        match byte {
            b'"' => return Some(position),
            b'\\' => position += 2,
            _ => position += 1,
        }
    }
    None
}

/// Directives that compilers leave in preprocessed text and that mean nothing to us; a lone `#` is one of them.
fn is_harmless(directive: &[u8]) -> bool {
    let name = directive.split(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    matches!(name, b"ident" | b"sccs") || directive.is_empty()
}
