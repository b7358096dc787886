//! What a C programmer is told about broken input.

mod parser_support;

use parser_support::{check_errors, errors};

#[test]
fn missing_punctuation() {
    check_errors("int x\nint y;", &["1:5: expected `;` after the declaration, found `int`"]);
    check_errors("void f(void) { x = 1 }", &["1:22: expected `;` after the expression, found `}`"]);
    check_errors("void f(void) { return 1\n}", &["1:23: expected `;` after `return`, found `}`"]);
    check_errors("void f(void) { g(1, 2; }", &["1:22: expected `)` after the arguments of the call, found `;`"]);
    check_errors("void f(void) { a[1; }", &["1:19: expected `]` after the index, found `;`"]);
    check_errors("void f(void) { if x) ; }", &["1:19: expected `(` after `if`, found `x`"]);
    check_errors("void f(void) { while (x ; }", &["1:25: expected `)` after the condition, found `;`"]);
    check_errors("void f(void) { do ; until (x); }", &["1:21: expected `while` after the body of `do`, found `until`"]);
    check_errors("void f(void) { case 1 ; }", &["1:23: expected `:` after the label, found `;`"]);
    check_errors("struct S { int x int y; };", &["1:18: expected `;` after the member declaration, found `int`"]);
    check_errors("int a[] = {1, 2;", &["1:16: expected `}` after the initialiser, found `;`"]);
}

#[test]
fn missing_parts() {
    check_errors("int x = ;", &["1:9: expected an expression, found `;`"]);
    check_errors("void f(void) { x = a + ; }", &["1:24: expected an expression, found `;`"]);
    check_errors("int x = 3 + int;", &["1:13: expected an expression, found `int`"]);
    check_errors("int * ;", &["1:7: expected a name to declare, found `;`"]);
    check_errors("struct ;", &["1:8: expected a tag or `{` here, found `;`"]);
    check_errors("void f(void) { goto ; }", &["1:21: expected a name of a label after `goto`, found `;`"]);
    check_errors("void f(void) { a->1; }", &["1:19: expected a name of a field after `->`, found `1`"]);
    check_errors("int f(void) {", &["1:13: expected `}` before the end of the file"]);
    check_errors("}", &["1:1: this `}` has no matching `{`"]);
    check_errors("void f(void) { else ; }", &["1:16: `else` without a matching `if`"]);
    check_errors("5;", &["1:1: expected a declaration, found `5`"]);
}

#[test]
fn unknown_types() {
    check_errors("size_t n;", &["1:1: unknown type name `size_t`"]);
    check_errors("uint8_t *p;", &["1:1: unknown type name `uint8_t`"]);
    check_errors("void f(void) { uint n = 1; }", &["1:16: unknown type name `uint`"]);
    check_errors("void f(size_t n);", &["1:8: unknown type name `size_t`"]);
    check_errors("void f(int a, size_t n);", &["1:15: unknown type name `size_t`"]);
    check_errors("struct S { size_t n; };", &["1:12: unknown type name `size_t`"]);
    check_errors("typedef int T; int x = T;", &["1:24: expected an expression, found the type name `T`"]);
}

#[test]
fn contradicting_specifiers() {
    check_errors("float unsigned x;", &["1:1: these type names cannot be combined"]);
    check_errors("int char x;", &["1:5: `char` cannot follow here: the declaration already has a type"]);
    check_errors("struct S int x;", &["1:10: `int` cannot follow here: the declaration already has a type"]);
    check_errors("long long long x;", &["1:11: `long long long` is too long"]);
    check_errors("static extern int x;", &["1:8: more than one storage class in this declaration"]);
    check_errors(
        "struct S { static int x; };",
        &["1:12: a storage class or `inline` is not allowed in a struct or union"],
    );
}

#[test]
fn broken_constants() {
    check_errors("int x = 12abc;", &["1:9: invalid suffix `abc` on integer constant"]);
    check_errors("int x = 089;", &["1:9: invalid digit `8` in octal constant"]);
    check_errors("int x = 0x;", &["1:9: a number without digits"]);
    check_errors("float x = 1.5abc;", &["1:11: invalid suffix `abc` on floating constant"]);
    check_errors("float x = 1e;", &["1:11: `1e` is not a valid floating constant"]);
    check_errors("float x = 0x1.8;", &["1:11: `0x1.8` is not a valid floating constant"]);
    check_errors(
        "int x = 999999999999999999999999999999999999999999;",
        &["1:9: integer constant is too large for any type"],
    );
    check_errors("int x = '';", &["1:9: empty character constant"]);
    check_errors("int x = '\\xfff';", &["1:9: escape sequence out of range"]);
    check_errors("int x = '\\u12';", &["1:9: invalid universal character name"]);
    check_errors("char *s = L\"a\" u\"b\";", &["1:11: string literals of different encodings cannot be joined"]);
}

#[test]
fn broken_text() {
    check_errors("int x; /* never closed", &["1:8: this comment is never closed by `*/`"]);
    check_errors("void f(void) { x = (1 /* never\nclosed", &["1:23: this comment is never closed by `*/`"]);
    check_errors("char *s = \"abc;\nint y;", &["1:11: the closing \" is missing"]);
    check_errors("int c = 'a;\nint y;", &["1:9: the closing ' is missing"]);
    check_errors("int x @ 3;", &["1:7: stray character `@` in the program"]);
    check_errors("int x = “3”;", &["1:9: stray character `“` in the program"]);
    check_errors("#include <stdio.h>\nint x;", &["1:1: preprocessing directive `#include` in preprocessed input"]);
    check_errors(
        "#if 1\n#endif",
        &[
            "1:1: preprocessing directive `#if` in preprocessed input",
            "2:1: preprocessing directive `#endif` in preprocessed input",
        ],
    );
}

#[test]
fn bytes_that_are_no_text() {
    let messages = |source: &[u8]| {
        let diagnostics = frontend::parse_text("x.i", source, &mut base::Files::new()).expect_err("should not parse");
        parser_support::messages_of(&diagnostics)
    };
    assert_eq!(messages(b"int \xff;"), ["1:5: stray byte 0xff in the program"]);
    assert_eq!(
        messages(b"\x7fELF\x02\x01\x01\0\0\0\n\0"),
        ["1:8: the file contains a zero byte: this is not C source text"]
    );
    assert_eq!(messages(b"int x;\nint y\0;"), ["2:6: the file contains a zero byte: this is not C source text"]);
}

#[test]
fn functions_inside_functions_are_read() {
    check_errors(
        "int f(void) { int g(void) { return 1 } return g(); }",
        &["1:38: expected `;` after `return`, found `}`"],
    );
}

#[test]
fn several_errors_in_one_run() {
    let source = "int a = ;\nint b;\nvoid f(void) {\n  x = ;\n  y = 1;\n  if (z {\n    w = 2;\n  }\n  v = ;\n}\nint c = ;\nint d;";
    assert_eq!(
        errors(source),
        [
            "1:9: expected an expression, found `;`",
            "4:7: expected an expression, found `;`",
            "6:9: expected `)` after the condition, found `{`",
            "9:7: expected an expression, found `;`",
            "11:9: expected an expression, found `;`",
        ]
    );
}

#[test]
fn errors_are_capped() {
    assert_eq!(errors(&"int x = ;\n".repeat(100)).len(), frontend::parser::MAX_ERRORS);
    assert_eq!(errors(&"@\n".repeat(100)).len(), 20);
}

#[test]
fn members_and_enumerators_recover() {
    check_errors(
        "struct S { int a b;\n int c; };\nint ok;\nint x = ;",
        &["1:18: expected `;` after the member declaration, found `b`", "4:9: expected an expression, found `;`"],
    );
}

#[test]
fn an_unclosed_block_points_to_its_beginning() {
    let diagnostics = parser_support::parse("int f(void)\n{\n  g();\n").expect_err("should not parse");
    let label = &diagnostics[0].labels[0];
    assert_eq!((label.span.line, label.span.column, label.text.as_str()), (2, 1, "to close this `{`"));
}
