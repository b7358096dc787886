//! A recursive-descent parser for C11 with GNU extensions.
//!
//! Guarantees: it terminates on every input, never panics, and recurses no deeper than [`MAX_NESTING`] levels; trees it
//! returns are no higher than [`MAX_HEIGHT`]. After a syntax error it goes on at the next `;` or `}`, so that one run
//! reports several errors: one per line and [`MAX_ERRORS`] in all.
//!
//! The one context dependency of C's grammar, whether an identifier names a type, is decided by [`scopes::Scopes`].

mod assembly;
mod attributes;
mod declarations;
mod declarators;
mod expressions;
mod initializers;
mod primaries;
mod records;
mod scopes;
mod specifiers;
mod statements;

use base::{Diagnostic, Span};

use crate::ast::{
    Expr, ExprId, ExprKind, MAX_HEIGHT, MAX_NESTING, Qualifiers, Stmt, StmtId, StmtKind, TranslationUnit, TypeExpr,
    TypeExprId, TypeExprKind,
};
use crate::function_options::OptionPragmas;
use crate::lexer::Tokens;
use crate::packing::Packing;
use crate::symbol::Symbol;
use crate::token::{Token, TokenKind};
use scopes::Scopes;

/// After this many errors the parser gives up; warnings beyond this number are dropped.
pub const MAX_ERRORS: usize = 20;

/// Parses the tokens of `source`. The tree is meaningful only if no diagnostic is an error.
pub fn parse(source: &[u8], tokens: Tokens) -> (TranslationUnit, Vec<Diagnostic>) {
    let mut parser = Parser::new(source, tokens);
    parser.translation_unit();
    parser.report_remaining_pragmas();
    (parser.unit, parser.diagnostics)
}

/// A syntax error that has already been reported.
#[derive(Clone, Copy, Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'a> {
    source: &'a [u8],
    /// Never empty: the last token is the end of the file.
    tokens: Vec<Token>,
    position: usize,
    packing: Packing,
    option_pragmas: OptionPragmas,
    /// What is left of the pragmas that are not supported, the last first.
    unsupported_pragmas: Vec<(usize, String)>,
    unit: TranslationUnit,
    scopes: Scopes,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    /// How many calls of [`Parser::nested`] are under way.
    depth: u32,
    /// The greatest height of the trees completed since the innermost [`Parser::nested`] began.
    height: u32,
    gave_up: bool,
    /// The text ends early for a reason already reported: complaints about its end follow from that.
    cut_short: bool,
}

impl<'a> Parser<'a> {
    fn new(source: &'a [u8], tokens: Tokens) -> Self {
        let mut unit =
            TranslationUnit { names: tokens.names, weak_names: tokens.weak_names, ..TranslationUnit::default() };
        unit.weak_aliases = tokens.weak_aliases;
        unit.linker_names = tokens.linker_names;
        let scopes = Scopes::new(&mut unit.names);
        let errors = tokens.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        Parser {
            source,
            tokens: tokens.tokens,
            position: 0,
            packing: tokens.packing,
            option_pragmas: tokens.option_pragmas,
            unsupported_pragmas: tokens.unsupported_pragmas.into_iter().rev().collect(),
            unit,
            scopes,
            diagnostics: tokens.diagnostics,
            errors,
            warnings: 0,
            depth: 0,
            height: 0,
            gave_up: false,
            cut_short: tokens.cut_short,
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // The cursor

    #[inline]
    fn token(&self) -> &Token {
        &self.tokens[self.position]
    }

    #[inline]
    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    /// The kind of the token `distance` places ahead.
    #[inline]
    fn kind_ahead(&self, distance: usize) -> TokenKind {
        self.tokens.get(self.position + distance).map_or(TokenKind::EndOfFile, |token| token.kind)
    }

    #[inline]
    fn span(&self) -> Span {
        self.token().span
    }

    /// The place of the token before the current one.
    fn previous_span(&self) -> Span {
        self.tokens[self.position.saturating_sub(1)].span
    }

    /// From `start` to the last token taken.
    fn span_from(&self, start: Span) -> Span {
        start.to(self.previous_span())
    }

    #[inline]
    fn advance(&mut self) {
        if self.position + 1 < self.tokens.len() {
            self.position += 1;
        }
    }

    #[inline]
    fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Takes the current token if it is of this kind.
    #[inline]
    fn accept(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    /// Takes a token that must be there; `context` completes "expected `;` …".
    fn expect(&mut self, kind: TokenKind, context: &str) -> Parsed<()> {
        if self.accept(kind) {
            return Ok(());
        }
        let spelling = kind.spelling().unwrap_or("name");
        let found = self.describe_token();
        let span = self.place_for_missing();
        self.error_at(span, format!("expected `{spelling}` {context}, found {found}"))
    }

    fn expect_identifier(&mut self, context: &str) -> Parsed<(Symbol, Span)> {
        if !self.at(TokenKind::Identifier) {
            let found = self.describe_token();
            return self.error(format!("expected a name {context}, found {found}"));
        }
        let token = *self.token();
        self.advance();
        Ok((token.symbol, token.span))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Diagnostics and recovery

    /// Reports an error at the current token.
    fn error<T>(&mut self, message: impl Into<String>) -> Parsed<T> {
        self.error_at(self.span(), message)
    }

    fn error_at<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        self.report_error(span, message);
        Err(Failed)
    }

    /// Reports an error that does not stop the parser. Only the first one on a line is kept: the others follow from it.
    fn report_error(&mut self, span: Span, message: impl Into<String>) {
        let is_repeated = self.diagnostics.iter().any(|earlier| {
            earlier.is_error() && earlier.span.is_some_and(|place| (place.file, place.line) == (span.file, span.line))
        });
        let is_consequence = self.cut_short && self.at(TokenKind::EndOfFile);
        if self.gave_up || is_repeated || is_consequence {
            return;
        }
        self.diagnostics.push(Diagnostic::error("syntax", message).at(span));
        self.errors += 1;
        if self.errors >= MAX_ERRORS {
            self.give_up();
        }
    }

    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        if !self.gave_up && self.warnings < MAX_ERRORS {
            self.warnings += 1;
            self.diagnostics.push(Diagnostic::warning(code, message).at(span));
        }
    }

    /// Everything that is still open ends at once, silently.
    fn give_up(&mut self) {
        self.gave_up = true;
        self.position = self.tokens.len() - 1;
    }

    /// Something missing at the end of a line is shown there, not at the beginning of the next one.
    fn place_for_missing(&self) -> Span {
        let (previous, current) = (self.previous_span(), self.span());
        if previous.file == current.file && previous.line == current.line {
            return current;
        }
        Span { column: previous.column + previous.length.saturating_sub(1), length: 1, ..previous }
    }

    fn describe_token(&self) -> String {
        const LONGEST: usize = 40;
        let token = self.token();
        if token.kind == TokenKind::EndOfFile {
            return "the end of the file".to_owned();
        }
        let text = String::from_utf8_lossy(token.text(self.source));
        if text.chars().count() > LONGEST {
            return format!("`{}…`", text.chars().take(LONGEST).collect::<String>());
        }
        format!("`{text}`")
    }

    /// Skips to the end of the broken statement or declaration that began at token `start`: past the next `;`, before a
    /// `}` that closes an outer block, or past a braced part and what follows it up to there. Always moves beyond
    /// `start`, unless it stands before such a `}`.
    fn recover(&mut self, start: usize) {
        let mut braces = 0_usize;
        loop {
            match self.kind() {
                TokenKind::EndOfFile => return,
                TokenKind::Semicolon if braces == 0 => return self.advance(),
                TokenKind::RightBrace if braces == 0 => return,
                TokenKind::RightBrace => {
                    braces -= 1;
                    if braces == 0 && self.ends_with_brace() {
                        return self.advance();
                    }
                }
                TokenKind::LeftBrace => braces += 1,
                _ => {}
            }
            debug_assert!(self.position >= start, "recovery should not go back");
            self.advance();
        }
    }

    /// Whether the `}` at the cursor ends a statement rather than, say, an initialiser.
    fn ends_with_brace(&self) -> bool {
        !matches!(
            self.kind_ahead(1),
            TokenKind::Semicolon | TokenKind::Comma | TokenKind::RightParen | TokenKind::RightBracket
        )
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Nesting and height

    /// Parses something that may contain its like: bounds the recursion, and the height of what comes out of it.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            return self.too_complex(format!("nested more than {MAX_NESTING} levels deep"));
        }
        self.depth += 1;
        let result = self.beside(parse);
        self.depth -= 1;
        self.grow()?;
        result
    }

    /// Parses a part whose height counts beside, not on top of, that of its siblings.
    fn beside<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> T {
        let siblings = std::mem::replace(&mut self.height, 0);
        let result = parse(self);
        self.height = self.height.max(siblings);
        result
    }

    /// Counts one node on top of everything completed at this level.
    fn grow(&mut self) -> Parsed<()> {
        self.height += 1;
        if self.height > MAX_HEIGHT {
            return self.too_complex(format!("a chain of more than {MAX_HEIGHT} operators or branches"));
        }
        Ok(())
    }

    fn too_complex<T>(&mut self, what: String) -> Parsed<T> {
        if !self.gave_up {
            let diagnostic = Diagnostic::error("too-complex", format!("the code is too complex here: {what}"));
            self.diagnostics.push(diagnostic.at(self.span()));
            self.give_up();
        }
        Err(Failed)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Making nodes

    fn new_expr(&mut self, span: Span, kind: ExprKind) -> ExprId {
        self.unit.exprs.push(Expr { span, kind })
    }

    fn new_stmt(&mut self, span: Span, kind: StmtKind) -> StmtId {
        self.unit.stmts.push(Stmt { span, kind })
    }

    fn new_type(&mut self, span: Span, kind: TypeExprKind) -> TypeExprId {
        self.unit.types.push(TypeExpr { span, qualifiers: Qualifiers::default(), kind })
    }
}
