//! Shared by the parser's tests: text in, dump or messages out.

#![allow(dead_code, reason = "each test file uses its share")]

use base::{Diagnostic, Files};
use frontend::{ParsedUnit, ast_print, parse_text};

pub fn parse(source: &str) -> Result<ParsedUnit, Vec<Diagnostic>> {
    parse_text("test.i", source.as_bytes(), &mut Files::new())
}

/// The dump of a source that must parse.
pub fn dump(source: &str) -> String {
    match parse(source) {
        Ok(parsed) => ast_print::print_unit(&parsed.unit),
        Err(diagnostics) => panic!("{source}\nshould parse, but: {:#?}", messages_of(&diagnostics)),
    }
}

/// Compares dumps, ignoring the expectation's own indentation and outer blank lines.
#[track_caller]
pub fn check(source: &str, expected: &str) {
    let actual = dump(source);
    assert_eq!(actual.trim(), unindent(expected).trim(), "\nsource: {source}\nactual:\n{actual}");
}

/// Checks the dump of one expression.
#[track_caller]
pub fn check_expr(expression: &str, expected: &str) {
    let source = format!("typedef int T; void f(void) {{ {expression}; }}");
    let actual = dump(&source);
    let line = actual.split_once("    do ").map_or("", |(_, rest)| rest).trim();
    assert_eq!(line, expected, "\nsource: {expression}");
}

/// Checks what one declaration declares.
#[track_caller]
pub fn check_decl(declaration: &str, expected: &str) {
    let source = format!("typedef int T;\n{declaration}");
    let actual = dump(&source);
    let rest = actual.strip_prefix("declare typedef T: int\n").expect("the typedef comes first");
    assert_eq!(rest.trim(), unindent(expected).trim(), "\nsource: {declaration}");
}

/// `line:column: message` of each diagnostic of a source that must not parse.
pub fn errors(source: &str) -> Vec<String> {
    match parse(source) {
        Ok(parsed) => panic!("{source}\nshould not parse: {}", ast_print::print_unit(&parsed.unit)),
        Err(diagnostics) => messages_of(&diagnostics),
    }
}

#[track_caller]
pub fn check_errors(source: &str, expected: &[&str]) {
    assert_eq!(errors(source), expected, "\nsource: {source}");
}

pub fn messages_of(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics
        .iter()
        .map(|diagnostic| match diagnostic.span {
            Some(span) => format!("{}:{}: {}", span.line, span.column, diagnostic.message),
            None => diagnostic.message.clone(),
        })
        .collect()
}

fn unindent(text: &str) -> String {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let margin = lines().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    lines().map(|line| &line[margin..]).collect::<Vec<_>>().join("\n")
}
