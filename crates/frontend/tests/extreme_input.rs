//! Programs that are small to write and enormous, deep, contradictory or odd to read: each is compiled into a well-formed
//! program or refused with a reason, quickly and in little memory. What is kept of an initialiser, how deep types nest,
//! how many errors are told and what jumps do on their way is limited by diagnostics.

use std::fmt::Write;

use frontend::{CompileOptions, compile_text};

/// The codes of the errors, in their order; empty if the text is compiled.
fn errors(text: &str) -> Vec<&'static str> {
    match compile_text("extreme.c", text, &CompileOptions::default()) {
        Ok(compiled) => {
            assert_eq!(program::verify::verify(&compiled.program), []);
            Vec::new()
        }
        Err(failure) => failure.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect(),
    }
}

#[track_caller]
fn refused(text: &str, code: &str) {
    let errors = errors(text);
    let shown: String = text.chars().take(200).collect();
    assert!(errors.contains(&code), "{errors:?} should contain {code}: {shown}");
}

#[track_caller]
fn compiled(text: &str) {
    let shown: String = text.chars().take(200).collect();
    assert_eq!(errors(text), [""; 0], "{shown}");
}

fn in_main(body: &str) -> String {
    format!("int x, y; int main(void) {{ {body} return 0; }}")
}

fn repeated(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, index| {
        write!(text, "{}", piece(index)).expect("a string takes everything");
        text
    })
}

#[test]
fn huge_objects_with_small_initialisers_are_small() {
    let main = "int main(void) { return 0; }";
    compiled(&format!("int a[1000000000] = {{1}}; {main}"));
    compiled(&format!("char a[4000000000] = \"abc\"; {main}"));
    compiled(&format!("struct {{ char c[50000000]; int n; }} s[100] = {{ {{ \"x\" }} }}; {main}"));
    compiled(&in_main("int a[1000000000] = {1}; x = a[0];"));
    compiled(&in_main("char a[1000000000] = \"abc\"; x = a[0];"));
    compiled("struct S { char c[50000000]; }; int main(void) { return (&(struct S){\"x\"})->c[0]; }");
}

#[test]
fn initialisers_that_set_too_much_are_refused() {
    for initialiser in [
        "int a[] = {[0 ... 999999999] = 1};",
        "int a[1000][1000][1000] = {[0 ... 999] = {[0 ... 999] = {[0 ... 999] = 7}}};",
        "const char *a[] = {[0 ... 99999999] = \"a\"};",
    ] {
        refused(&format!("{initialiser} int main(void) {{ return 0; }}"), "initialiser");
        refused(&in_main(initialiser), "initialiser");
    }
    refused("int a[1000000000] = {[999999999] = 1}; int main(void) { return 0; }", "initialiser");
    refused("char a[2][1000000000] = {\"a\", \"b\"}; int main(void) { return 0; }", "initialiser");
}

/// Elided braces and addresses once took time in the square of their number.
#[test]
fn long_lists_without_braces_take_no_quadratic_time() {
    let values = repeated(60_000, |index| format!("{index},"));
    compiled(&format!("struct {{ int a[2], b; }} s[] = {{ {values} }}; int main(void) {{ return 0; }}"));
    let addresses = repeated(60_000, |index| format!("&x[{}],", index % 7));
    compiled(&format!("int x[7], *p[] = {{ {addresses} }}; int main(void) {{ return 0; }}"));
}

#[test]
fn types_nest_to_a_limit() {
    let main = "int main(void) { return 0; }";
    let chain = |count: usize, link: fn(usize) -> String| format!("typedef int T0; {}", repeated(count, link));
    for link in [
        |index: usize| format!("typedef T{index} *T{};", index + 1),
        |index: usize| format!("typedef T{index} T{}[1];", index + 1),
        |index: usize| format!("typedef T{index} (*T{})(T{index}, T{index});", index + 1),
        |index: usize| format!("typedef struct {{ T{index} m; }} T{};", index + 1),
    ] {
        compiled(&format!("{} T500 x; {main}", chain(500, link)));
        refused(&format!("{} T5000 x; {main}", chain(5_000, link)), "too-complex");
    }
    compiled(&format!(
        "struct S0 {{ int a; }}; {} {main}",
        repeated(5_000, |index| { format!("struct S{} {{ struct S{index} *p; }};", index + 1) })
    ));
}

/// The name of this type has 2⁴⁰⁰ characters, and comparing it part by part takes 2⁴⁰⁰ steps.
#[test]
fn exponential_types_are_named_and_compared() {
    let chain = |prefix: char, leaf: &str| {
        let link = |index: usize| {
            format!("typedef {prefix}{index} (*{prefix}{})({prefix}{index}, {prefix}{index});", index + 1)
        };
        format!("typedef {leaf}; {}", repeated(400, link))
    };
    let (left, right) = (chain('L', "int (*L0)[]"), chain('R', "int (*R0)[3]"));
    compiled(&format!("{left} {right} extern L400 x; extern R400 x; int main(void) {{ return 0; }}"));
    let failure =
        compile_text("name.c", &format!("{left} L400 x; int main(void) {{ return x.m; }}"), &CompileOptions::default());
    let failure = failure.expect_err("a pointer has no members");
    assert!(failure.diagnostics.iter().all(|diagnostic| diagnostic.message.len() < 2_000), "{:?}", failure.diagnostics);
}

#[test]
fn records_and_arrays_beyond_the_address_space_are_refused() {
    let doubled = repeated(70, |index| format!("struct S{} {{ struct S{index} a, b; }};", index + 1));
    refused(&format!("struct S0 {{ int a; }}; {doubled} int main(void) {{ return 0; }}"), "type");
    refused(&format!("int a{}; int main(void) {{ return 0; }}", "[2]".repeat(63)), "type");
    for size in ["-1", "(-9223372036854775807L-1) / -1", "18446744073709551615U"] {
        refused(&format!("int a[{size}]; int main(void) {{ return 0; }}"), "type");
    }
}

#[test]
fn a_mistake_that_is_made_often_is_told_a_few_times() {
    let errors = errors(&format!("int main(void) {{ {} }}", repeated(20_000, |index| format!("unknown{index}++; "))));
    assert!((1..=20).contains(&errors.len()), "{}", errors.len());
    let calls = repeated(5_000, |index| format!("unknown{index}(); "));
    let compiled =
        compile_text("calls.c", &in_main(&calls), &CompileOptions::default()).expect("calls are only warned of");
    assert!((1..=40).contains(&compiled.warnings.len()), "{}", compiled.warnings.len());
}

/// Every goto and case once remembered all the objects around it.
#[test]
fn jumps_between_many_objects() {
    let objects = |count| repeated(count, |index| format!("int o{index}; p = &o{index};"));
    let jumps = |count| repeated(count, |index| format!("if (x == {index}) goto end; "));
    compiled(&in_main(&format!("int *p; {} {} end: ;", objects(2_000), jumps(2_000))));
    let cases = repeated(2_000, |index| format!("case {index}: y = {index}; break; "));
    compiled(&in_main(&format!("int *p; {} switch (x) {{ {cases} }}", objects(2_000))));
    // Each of these jumps ends the lives of all the objects.
    let text = in_main(&format!("int *p; {{ {} {} }} end: ;", objects(2_000), jumps(2_000)));
    refused(&text, "too-complex");
}

#[test]
fn many_of_a_kind_are_no_problem() {
    const MANY: usize = 20_000;
    let cases = repeated(MANY, |index| format!("case {index}: y = {index}; break; "));
    compiled(&in_main(&format!("switch (x) {{ {cases} }}")));
    compiled(&in_main("switch (x) { case 0 ... 2147483647: y = 1; break; case -2147483647 ... -1: y = 2; }"));
    compiled(&in_main(&repeated(MANY, |index| format!("int l{index} = {index}; "))));
    let functions = repeated(MANY, |index| format!("int f{}(int a) {{ return f{index}(a); }} ", index + 1));
    compiled(&format!("int f0(int a) {{ return a; }} {functions} int main(void) {{ return f{MANY}(1); }}"));
    compiled(&format!("char *s = {}; int main(void) {{ return 0; }}", "\"ab\" ".repeat(MANY)));
    let members = repeated(MANY, |index| format!("int m{index} : 3; "));
    compiled(&format!("struct S {{ {members} }} s = {{1, 2, 3}}; int main(void) {{ return s.m7; }}"));
}

#[test]
fn contradictions_are_refused() {
    let table = [
        ("struct S { int a; int a; };", "redefinition"),
        ("int a; long a;", "redefinition"),
        ("int a; int a(void);", "redefinition"),
        ("int a(void); int a;", "redefinition"),
        ("typedef int T; typedef long T;", "redefinition"),
        ("typedef int T; int T;", "redefinition"),
        ("int f(int a, int a) { return a; }", "redefinition"),
        ("int f(void) { return 1; } int f(void) { return 2; }", "redefinition"),
        ("int a = 1; int a = 2;", "redefinition"),
        ("int f(void) { int a; long a; return 0; }", "redefinition"),
        ("int f(void) { static int a; int a; return 0; }", "redefinition"),
        ("int f(void) { a: ; a: ; goto a; }", "redefinition"),
        ("int f(void) { switch (1) { default: default: ; } return 0; }", "redefinition"),
        ("int f(void) { goto nowhere; }", "undeclared"),
        ("struct S { struct S s; };", "type"),
        ("struct A; struct B { struct A a; }; struct A { struct B b; };", "type"),
        ("struct A { int a[sizeof(struct A)]; };", "type"),
        ("struct S { int b : 1000000000; };", "type"),
        ("struct S { int b : -1; };", "type"),
        ("int x = _Generic(1.0f, int: 1);", "type"),
        ("_Static_assert(0, \"no\");", "static-assert"),
        ("enum { A = 1 / 0 };", "constant"),
        ("int x = 1 / 0;", "constant"),
        ("int f(void) { switch (1) { case 1 % 0: ; } return 0; }", "constant"),
        ("__attribute__((aligned(3))) char c;", "type"),
    ];
    for (text, code) in table {
        refused(&format!("{text}\nint main(void) {{ return 0; }}"), code);
    }
    for no_main in ["", "int main;", "int main(void);", "enum { main };", "typedef int main;", "extern int main[];"] {
        refused(no_main, "no-entry");
    }
}

#[test]
fn what_c_permits_to_say_twice_is_permitted() {
    let table = [
        "int a; int a; extern int a; int a = 1;",
        "extern int a[]; int a[3]; extern int a[];",
        "typedef int T; typedef int T; T x;",
        "typedef struct S S; typedef struct S S; struct S { S *next; };",
        "int f(); int f(int); int f(int a) { return a; }",
        "enum E { A, B }; extern enum E e; enum E e;",
        "int f(int a) { { int a = 1; return a; } }",
        "int f(void) { extern int g; extern int g; int h(void); int h(void); return 0; } int g;",
        "struct S { struct { int a; }; struct { int b; }; int : 3; int : 3; };",
        "int f(void) { for (int i = 0; i < 2; i++) { int i = 3; i++; } { int x; } { int x; } return 0; }",
        "int f(void) { int x = ({ int y = 1; y; }) + ({ int y = 2; y; }); return x; }",
        "int a = (-2147483647 - 1) % -1; long b = (-9223372036854775807L - 1) / -1;",
    ];
    for text in table {
        compiled(&format!("{text}\nint main(void) {{ return 0; }}"));
    }
}
