//! Deep and long input: a diagnostic or a tree, never an overflowing stack.

mod parser_support;

use frontend::ast::{MAX_HEIGHT, MAX_NESTING};
use parser_support::{dump, parse};

const DEEP: usize = 200_000;

/// The source must either parse (and then be printed) or end in exactly one complaint about its complexity.
#[track_caller]
fn check_deep(source: &str) {
    match parse(source) {
        Ok(_) => assert!(!dump(source).is_empty()),
        Err(diagnostics) => {
            let codes: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
            assert_eq!(codes, ["too-complex"], "{diagnostics:?}");
        }
    }
}

fn in_function(body: &str) -> String {
    format!("void f(void) {{ {body} }}")
}

fn repeat(text: &str) -> String {
    text.repeat(DEEP)
}

#[test]
fn nested_parentheses() {
    check_deep(&in_function(&format!("x = {}1{};", repeat("("), repeat(")"))));
    check_deep(&in_function(&format!("x = {}", repeat("("))));
    check_deep(&format!("int {}x{};", repeat("("), repeat(")")));
    check_deep(&format!("int x{}", repeat("(int ")));
}

#[test]
fn nested_braces() {
    check_deep(&in_function(&format!("{}{}", repeat("{"), repeat("}"))));
    check_deep(&in_function(&repeat("{")));
    check_deep(&format!("int x[] = {}{};", repeat("{"), repeat("}")));
    check_deep(&repeat("struct { "));
    check_deep(&in_function(&repeat("x = ({ ")));
    check_deep(&repeat("struct S { struct { enum { A = sizeof("));
}

#[test]
fn brackets() {
    check_deep(&in_function(&format!("x{};", repeat("[0]"))));
    check_deep(&in_function(&format!("{}0{};", repeat("a["), repeat("]"))));
    check_deep(&format!("int x{};", repeat("[1]")));
    check_deep(&format!("int x = {{ {} = 1 }};", repeat("[0]")));
    assert!(parse(&repeat("[[")).is_err());
}

#[test]
fn prefix_operators() {
    for operator in ["- ", "!", "~", "* ", "& ", "++", "sizeof ", "(int)", "__extension__ ", "__real__ ", "(int*)&"] {
        check_deep(&in_function(&format!("x = {}y;", repeat(operator))));
    }
}

#[test]
fn binary_chains() {
    for operator in ["+", "*", "&&", ",", "=", "?:", "? a :", "? a ? b : c :", "|| b +", "- b *"] {
        check_deep(&in_function(&format!("x{};", repeat(&format!(" {operator} a")))));
    }
}

#[test]
fn postfix_chains() {
    for operator in [".a", "->a", "(a)", "++", "[a]"] {
        check_deep(&in_function(&format!("x{};", repeat(operator))));
    }
}

#[test]
fn declarators_and_types() {
    check_deep(&format!("int {}x;", repeat("*")));
    check_deep(&format!("int {}x;", repeat("* const (")));
    check_deep(&format!("int x{};", repeat("(void)")));
    check_deep(&format!("int x = sizeof(int {});", repeat("*")));
    check_deep(&format!("{}int{} x;", repeat("typeof("), repeat(")")));
    check_deep(&format!("{}int{} x;", repeat("_Atomic("), repeat(")")));
    check_deep(&format!("int f{};", repeat("(int (*)")));
}

#[test]
fn statements() {
    for statement in ["if (x) ", "if (x) ; else ", "while (x) ", "do ", "for (;;) ", "switch (x) ", "a: ", "case 1: "] {
        check_deep(&in_function(&format!("{};", repeat(statement))));
    }
    check_deep(&in_function(&format!("{};", repeat("if (x) { } else "))));
    check_deep(&in_function(&format!("{};", repeat("if (x) if (y) ; else "))));
}

#[test]
fn nested_attributes_take_no_exponential_time() {
    for level in ["__attribute__((aligned(({ ", "a: __attribute__((aligned(({ "] {
        check_deep(&in_function(&repeat(level)));
        let closed = format!("{}{}", level.repeat(60), "1; })))) int x; ".repeat(60));
        assert!(parse(&in_function(&closed)).is_ok());
    }
}

#[test]
fn long_lists_are_no_problem() {
    let long = |item: &str| item.repeat(DEEP);
    assert!(parse(&format!("int x[] = {{ {} }};", long("1, "))).is_ok());
    assert!(parse(&format!("int x{};", long(", x"))).is_ok());
    assert!(parse(&in_function(&format!("f(0{});", long(", 1")))).is_ok());
    assert!(parse(&in_function(&long("x = 1;"))).is_ok());
    assert!(parse(&in_function(&format!("switch (x) {{ {} }}", long("case 1: ")))).is_ok());
    assert!(parse(&format!("enum {{ {} }};", long("A, "))).is_ok());
    assert!(parse(&format!("struct S {{ {} }};", long("int a;"))).is_ok());
    assert!(parse(&format!("char *s = {};", long("\"a\" "))).is_ok());
    assert!(parse(&long("__attribute__((unused)) int x;")).is_ok());
    assert!(parse(&format!("int x {};", long("__attribute__((unused)) "))).is_ok());
    assert!(parse(&format!("{} int x;", long("const "))).is_ok());
}

#[test]
fn the_limits_are_those_documented() {
    let parentheses = |count: u32| {
        let (open, close) = ("(".repeat(count as usize), ")".repeat(count as usize));
        parse(&format!("int x = {open}1{close};")).is_ok()
    };
    assert!(parentheses(MAX_NESTING - 10));
    assert!(!parentheses(MAX_NESTING + 1));

    let sum = |count: u32| parse(&format!("int x = 1{};", "+1".repeat(count as usize))).is_ok();
    assert!(sum(MAX_HEIGHT - 20));
    assert!(!sum(MAX_HEIGHT + 1));

    let chain = |count: u32| parse(&in_function(&format!("{} ;", "if (x) ; else ".repeat(count as usize)))).is_ok();
    assert!(chain(MAX_HEIGHT - 20));
    assert!(!chain(MAX_HEIGHT + 1));
}

#[test]
fn heights_beside_each_other_do_not_add_up() {
    let sum = format!("x = 1{};", "+1".repeat(3_000));
    assert!(parse(&in_function(&sum.repeat(3))).is_ok());
    let product = format!("1{}", "*1".repeat(3_000));
    assert!(parse(&format!("int x = {product} + {product};")).is_ok());
    assert!(parse(&format!("int x = f({product}, {product});")).is_ok());
    // On top of each other they do.
    assert!(parse(&format!("int x = ({product}){};", "+1".repeat(2_000))).is_err());
}
