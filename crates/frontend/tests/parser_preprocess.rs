//! Reading and preprocessing files, and the places of tokens in the user's file.

mod parser_support;

use std::fs;
use std::path::{Path, PathBuf};

use base::{Diagnostic, Files};
use frontend::ast::{ExprKind, Item, StmtKind};
use frontend::{ParsedUnit, PreprocessOptions, ast_print, parse_file, token_dump};

/// A directory of its own for each test, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gordian-frontend-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a scratch directory should be possible");
        Self(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).expect("a scratch file should be writable");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn parse(path: &Path, options: &PreprocessOptions) -> (Files, Result<ParsedUnit, Vec<Diagnostic>>) {
    let mut files = Files::new();
    let result = parse_file(path, options, &mut files);
    (files, result)
}

fn single_error(path: &Path, options: &PreprocessOptions) -> Diagnostic {
    let diagnostics = parse(path, options).1.expect_err("should not parse");
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    diagnostics.into_iter().next().expect("there is one")
}

#[test]
fn unusable_files_get_one_message_each() {
    let scratch = Scratch::new("unusable");
    let options = PreprocessOptions::default();
    assert_eq!(single_error(Path::new(""), &options).code, "no-file");
    assert_eq!(single_error(&scratch.0.join("missing.c"), &options).code, "no-file");
    assert_eq!(single_error(&scratch.0.join("missing.i"), &options).code, "no-file");
    assert_eq!(single_error(&scratch.0, &options).code, "is-directory");
    for name in ["binary.c", "binary.i"] {
        let path = scratch.write(name, b"\x7fELF\0\0\0\x01");
        assert_eq!(single_error(&path, &options).code, "binary-file");
    }
    let comment = scratch.write("comment.i", "int x; /* open");
    assert_eq!(single_error(&comment, &options).message, "this comment is never closed by `*/`");
}

#[test]
fn empty_files_are_empty_units() {
    let scratch = Scratch::new("empty");
    for name in ["empty.c", "empty.i"] {
        let (_, result) = parse(&scratch.write(name, ""), &PreprocessOptions::default());
        assert!(result.expect("an empty file is fine").unit.items.is_empty());
    }
}

#[test]
fn a_missing_header_is_named_with_its_place() {
    let scratch = Scratch::new("header");
    let path = scratch.write("a.c", "int x;\n#include \"not_there.h\"\n");
    let (files, result) = parse(&path, &PreprocessOptions::default());
    let diagnostics = result.map(|_| ()).expect_err("the header is missing");
    assert_eq!(diagnostics[0].code, "missing-header");
    assert_eq!(diagnostics[0].message, "the header `not_there.h` was not found");
    let span = diagnostics[0].span.expect("the compiler says where");
    assert_eq!((files.path(span.file), span.line), (path.to_str().expect("ASCII"), 2));
}

#[test]
fn a_missing_compiler_is_named() {
    let scratch = Scratch::new("compiler");
    let path = scratch.write("a.c", "int x;");
    let compiler = Some("no-such-compiler-anywhere -O2".to_owned());
    let error = single_error(&path, &PreprocessOptions { compiler, ..PreprocessOptions::default() });
    assert_eq!(error.code, "no-compiler");
    assert!(error.message.contains("`no-such-compiler-anywhere -O2`"), "{}", error.message);
}

#[test]
fn missing_32_bit_headers_say_what_to_install() {
    let scratch = Scratch::new("multilib");
    // Stands for a compiler that finds its headers only without `-m32`.
    let script = "case \"$*\" in *-m32*) echo 'a.c:1:10: fatal error: gnu/stubs-32.h: No such file or directory' >&2; exit 1;; esac";
    let compiler = scratch.write("fake-cc", format!("#!/bin/sh\n{script}\n"));
    let compiler = format!("sh {}", compiler.display());
    let path = scratch.write("a.c", "int x;");
    let options = PreprocessOptions { ilp32: true, compiler: Some(compiler), ..PreprocessOptions::default() };
    let error = single_error(&path, &options);
    assert_eq!(error.message, "the header `gnu/stubs-32.h` was not found");
    assert_eq!(error.help.as_deref(), Some("the 32-bit headers are missing: install `gcc-multilib`"));
}

#[test]
fn options_reach_the_preprocessor() {
    let scratch = Scratch::new("options");
    fs::create_dir_all(scratch.0.join("inc")).expect("a scratch directory should be possible");
    scratch.write("inc/lib.h", "int from_lib;\n");
    let forced = scratch.write("forced.h", "int forced;\n");
    let path = scratch.write("a.c", "#include <lib.h>\nint size = SIZE; int flag = FLAG + EXTRA;\n");
    let options = PreprocessOptions {
        include_directories: vec![scratch.0.join("inc")],
        defines: vec!["SIZE=3".to_owned(), "FLAG".to_owned()],
        includes: vec![forced],
        extra_arguments: vec!["-DEXTRA=5".to_owned()],
        ..PreprocessOptions::default()
    };
    let (_, result) = parse(&path, &options);
    let dump = ast_print::print_unit(&result.expect("should parse").unit);
    assert_eq!(
        dump,
        "declare forced: int\ndeclare from_lib: int\ndeclare size: int = 3\ndeclare flag: int = (+ 1 5)\n"
    );
}

#[test]
fn warnings_of_the_preprocessor_are_kept() {
    let scratch = Scratch::new("warning");
    let path = scratch.write("a.c", "#warning \"old\"\nint x;\n");
    let parsed = parse(&path, &PreprocessOptions::default()).1.expect("a warning is no error");
    assert_eq!(parsed.warnings.len(), 1);
    assert!(parsed.warnings[0].message.contains("old"), "{:?}", parsed.warnings);
}

#[test]
fn spans_of_a_c_file_are_those_of_the_original() {
    let scratch = Scratch::new("spans");
    scratch.write("lib.h", "int a;\nint b;\nint c;\n");
    let path =
        scratch.write("a.c", "#include \"lib.h\"\n#define N 3\n\nint   x   =   N;   int y;\n/* a\n b */ int z;\n");
    let dump = token_dump(&path, &PreprocessOptions::default(), &mut Files::new()).expect("should be lexed");
    let own: Vec<_> = dump.lines().filter_map(|line| line.split_once("a.c:")).map(|(_, rest)| rest).collect();
    assert_eq!(
        own,
        [
            "4:1\tInt\tint",
            "4:7\tIdentifier\tx",
            "4:11\tAssign\t=",
            "4:15\tNumber\t3",
            "4:16\tSemicolon\t;",
            "4:20\tInt\tint",
            "4:24\tIdentifier\ty",
            "4:25\tSemicolon\t;",
            "6:7\tInt\tint",
            "6:11\tIdentifier\tz",
            "6:12\tSemicolon\t;",
        ]
    );
}

#[test]
fn texts_of_own_headers_are_known_but_not_those_of_the_system() {
    let scratch = Scratch::new("texts");
    scratch.write("lib.h", "int a;\n");
    let path = scratch.write("a.c", "#include \"lib.h\"\n#include <stdlib.h>\nint x;\n");
    let (files, result) = parse(&path, &PreprocessOptions::default());
    assert!(result.is_ok());
    let known: Vec<_> = files.iter().filter(|(_, file)| file.text.is_some()).map(|(_, file)| &file.path).collect();
    assert_eq!(known, [path.to_str().expect("ASCII"), scratch.0.join("lib.h").to_str().expect("ASCII")]);
}

#[test]
fn spans_of_an_i_file_are_its_own_lines() {
    let scratch = Scratch::new("physical");
    let path = scratch.write("a.i", "# 1 \"elsewhere.c\"\n  int x;\n# 77 \"other.h\" 3\nint y;\n");
    let mut files = Files::new();
    let parsed = parse_file(&path, &PreprocessOptions::default(), &mut files).expect("should parse");
    let places: Vec<_> = parsed
        .unit
        .items
        .iter()
        .map(|item| match item {
            Item::Declaration(declaration) => declaration.declarators[0].declarator.span,
            other => panic!("unexpected {other:?}"),
        })
        .map(|span| (span.line, span.column, span.length))
        .collect();
    assert_eq!(places, [(2, 7, 1), (4, 5, 1)]);
    assert_eq!(files.len(), 1);
}

#[test]
fn expressions_span_their_text() {
    let source = "void f(void) { (a + b) * g(c, 1); }";
    let parsed = parser_support::parse(source).expect("should parse");
    let statement = parsed.unit.stmts.iter().find_map(|stmt| match stmt.kind {
        StmtKind::Expr(expr) => Some(expr),
        _ => None,
    });
    let product = &parsed.unit[statement.expect("there is an expression")];
    let text = |span: base::Span| &source[span.column as usize - 1..][..span.length as usize];
    assert_eq!(text(product.span), "(a + b) * g(c, 1)");
    let ExprKind::Binary { left, right, .. } = product.kind else { panic!("a product, not {product:?}") };
    assert_eq!((text(parsed.unit[left].span), text(parsed.unit[right].span)), ("(a + b)", "g(c, 1)"));
}

#[test]
fn system_headers_parse() {
    let scratch = Scratch::new("system");
    let headers = [
        "pthread.h",
        "stdio.h",
        "stdlib.h",
        "stdatomic.h",
        "semaphore.h",
        "string.h",
        "signal.h",
        "math.h",
        "time.h",
        "unistd.h",
        "sys/socket.h",
        "complex.h",
        "threads.h",
        "errno.h",
        "assert.h",
        "limits.h",
        "setjmp.h",
        "inttypes.h",
    ];
    for gnu in ["", "#define _GNU_SOURCE 1\n"] {
        let includes: String = headers.iter().map(|header| format!("#include <{header}>\n")).collect();
        let path = scratch.write("all.c", format!("{gnu}{includes}int own;\n"));
        let (_, result) = parse(&path, &PreprocessOptions::default());
        let parsed = result.unwrap_or_else(|diagnostics| panic!("{:?}", parser_support::messages_of(&diagnostics)));
        assert!(parsed.unit.items.len() > 500);
        assert_eq!(parsed.warnings, []);
    }
}
