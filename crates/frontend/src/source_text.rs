//! The first half of the front end on one screen: from a path or a text to a syntax tree.

use std::path::Path;

use base::{Diagnostic, FileId, Files};

use crate::ast::TranslationUnit;
use crate::ast_print;
use crate::deep_stack::with_deep_stack;
use crate::dialect::Dialect;
use crate::lexer::{self, LineMarkers, Tokens};
use crate::parser;
use crate::placed_check::{self, Misplaced, PlacedCheck};
use crate::preprocess::{PreprocessOptions, Preprocessed, load_texts, preprocess};

/// A translation unit without errors, and what there is to say about it nevertheless.
#[derive(Debug)]
pub struct ParsedUnit {
    pub unit: TranslationUnit,
    pub warnings: Vec<Diagnostic>,
    /// Checks about this file that do not fit into it.
    pub misplaced: Vec<Misplaced>,
}

/// Reads, preprocesses (unless its name ends in `.i`) and parses a file.
/// On failure there is at least one error among the diagnostics.
pub fn parse_file(path: &Path, options: &PreprocessOptions, files: &mut Files) -> Result<ParsedUnit, Vec<Diagnostic>> {
    parse_file_with_checks(path, options, &[], files)
}

/// As [`parse_file`], with checks put into the text.
pub fn parse_file_with_checks(
    path: &Path,
    options: &PreprocessOptions,
    checks: &[PlacedCheck],
    files: &mut Files,
) -> Result<ParsedUnit, Vec<Diagnostic>> {
    let Preprocessed { file, text, markers, warnings } = preprocess(path, options, files)?;
    let dialect = Dialect::of(&options.extra_arguments);
    let mut parsed = parse_preprocessed(&text, file, markers, dialect, checks, files)?;
    parsed.warnings.splice(0..0, warnings);
    Ok(parsed)
}

/// Parses preprocessed text that the user knows as `name`; spans are places in `text` itself.
pub fn parse_text(name: &str, text: &[u8], files: &mut Files) -> Result<ParsedUnit, Vec<Diagnostic>> {
    parse_text_with_checks(name, text, &[], files)
}

/// As [`parse_text`], with checks put into the text.
pub fn parse_text_with_checks(
    name: &str,
    text: &[u8],
    checks: &[PlacedCheck],
    files: &mut Files,
) -> Result<ParsedUnit, Vec<Diagnostic>> {
    let file = files.intern(name);
    files.set_text(file, String::from_utf8_lossy(text).into());
    parse_preprocessed(text, file, LineMarkers::Ignore, Dialect::default(), checks, files)
}

/// Parses preprocessed text of which `file` is the main file.
pub fn parse_preprocessed(
    text: &[u8],
    file: FileId,
    markers: LineMarkers,
    dialect: Dialect,
    checks: &[PlacedCheck],
    files: &mut Files,
) -> Result<ParsedUnit, Vec<Diagnostic>> {
    let tokens = lexer::lex(text, file, markers, files);
    load_texts(&tokens.user_files, files);
    if checks.is_empty() {
        return parse_tokens(text, tokens, file, dialect, Vec::new());
    }
    let (spliced, misplaced) = placed_check::splice(text, tokens, file, markers, checks, files);
    parse_tokens(&spliced.text, spliced.tokens, file, dialect, misplaced)
}

fn parse_tokens(
    text: &[u8],
    mut tokens: Tokens,
    file: FileId,
    dialect: Dialect,
    misplaced: Vec<Misplaced>,
) -> Result<ParsedUnit, Vec<Diagnostic>> {
    dialect.release_keywords(text, &mut tokens);
    let (mut unit, diagnostics) = with_deep_stack(|| parser::parse(text, tokens));
    (unit.file, unit.dialect) = (Some(file), dialect);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    Ok(ParsedUnit { unit, warnings: diagnostics, misplaced })
}

/// The tokens of a file as text, one per line, with their places.
pub fn token_dump(path: &Path, options: &PreprocessOptions, files: &mut Files) -> Result<String, Vec<Diagnostic>> {
    let Preprocessed { file, text, markers, .. } = preprocess(path, options, files)?;
    let tokens = lexer::lex(&text, file, markers, files);
    if tokens.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(tokens.diagnostics);
    }
    Ok(ast_print::print_tokens(&tokens.tokens, &text, files))
}
