//! The first half of the front end on one screen: from a path or a text to a syntax tree.

use std::path::Path;

use base::{Diagnostic, FileId, Files};

use crate::ast::TranslationUnit;
use crate::ast_print;
use crate::deep_stack::with_deep_stack;
use crate::lexer::{self, LineMarkers};
use crate::parser;
use crate::preprocess::{PreprocessOptions, Preprocessed, load_texts, preprocess};

/// A translation unit without errors, and what there is to say about it nevertheless.
#[derive(Debug)]
pub struct ParsedUnit {
    pub unit: TranslationUnit,
    pub warnings: Vec<Diagnostic>,
}

/// Reads, preprocesses (unless its name ends in `.i`) and parses a file.
/// On failure there is at least one error among the diagnostics.
pub fn parse_file(path: &Path, options: &PreprocessOptions, files: &mut Files) -> Result<ParsedUnit, Vec<Diagnostic>> {
    let Preprocessed { file, text, markers, warnings } = preprocess(path, options, files)?;
    let mut parsed = parse_preprocessed(&text, file, markers, files)?;
    parsed.warnings.splice(0..0, warnings);
    Ok(parsed)
}

/// Parses preprocessed text that the user knows as `name`; spans are places in `text` itself.
pub fn parse_text(name: &str, text: &[u8], files: &mut Files) -> Result<ParsedUnit, Vec<Diagnostic>> {
    let file = files.intern(name);
    files.set_text(file, String::from_utf8_lossy(text).into());
    parse_preprocessed(text, file, LineMarkers::Ignore, files)
}

/// Parses preprocessed text of which `file` is the main file.
pub fn parse_preprocessed(
    text: &[u8],
    file: FileId,
    markers: LineMarkers,
    files: &mut Files,
) -> Result<ParsedUnit, Vec<Diagnostic>> {
    let tokens = lexer::lex(text, file, markers, files);
    load_texts(&tokens.user_files, files);
    let (mut unit, diagnostics) = with_deep_stack(|| parser::parse(text, tokens));
    unit.file = Some(file);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    Ok(ParsedUnit { unit, warnings: diagnostics })
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
