//! One broken program per rule.

use program::Program;
use program::verify::verify;

/// Puts instructions into a function with registers of all kinds and checks what the verifier says.
fn check(body: &str, expected: &[&str]) {
    let text = format!(
        r#"program lp64 entry f0
file file0 "a.c"
shape shape0 = scalar i32
global g0 "x" size 4 align 4 shape0
function f0 "entry" () {{
  register r0 i32
  register r1 i1
  register r2 i64
  register r3 ptr
  register r4 f32
  local m0 "l" size 8 align 8 shape0
b0:
{body}
}}
function f1 "worker" (r0) -> ptr {{
  register r0 ptr
b0:
  return r0
}}
function f2 "two" (r0, r1) {{
  register r0 i32
  register r1 ptr
b0:
  return
}}
"#
    );
    check_text(&text, expected);
}

fn check_text(text: &str, expected: &[&str]) {
    let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let flaws: Vec<String> = verify(&program).iter().map(ToString::to_string).collect();
    assert_eq!(flaws, expected, "\n{text}");
}

#[test]
fn ids_in_range() {
    check("  r9 = 1:i32\n  return", &["f0:b0:0: r9 does not exist"]);
    check("  r3 = g7\n  return", &["f0:b0:0: g7 does not exist"]);
    check("  begin m3\n  return", &["f0:b0:0: m3 does not exist"]);
    check("  call f9()\n  return", &["f0:b0:0: f9 does not exist"]);
    check("  goto b4", &["f0:b0:0: b4 does not exist"]);
    check("  yield @file3:1:1+1\n  return", &["f0:b0:0: the span is in file3, which does not exist"]);
    check_text("program lp64 entry f2", &["program: the entry function f2 does not exist"]);
}

#[test]
fn functions() {
    check_text(
        "program lp64 entry f0\nfunction f0 \"m\" (r0, r0) {\nregister r0 i32\nb0:\n return\n}",
        &["program: the entry function f0 has parameters", "f0: r0 is a parameter twice"],
    );
    check_text("program lp64 entry f0\nfunction f0 \"m\" () {\n}", &["f0: the function has no block"]);
    check_text(
        "program lp64 entry f0\nfunction f0 \"m\" () variadic {\nregister r0 i7\nb0:\n return\n}",
        &["f0: a variadic function should end its parameters with a pointer", "f0: i7 is not a type"],
    );
}

#[test]
fn constants_and_types() {
    check("  r0 = 4294967296:i32\n  return", &["f0:b0:0: constant 0x100000000 does not fit 32 bits"]);
    check("  r0 = 1:i64\n  return", &["f0:b0:0: r0 has type i32 and is assigned a value of type i64"]);
    check("  r0 = add i32 r0, r2\n  return", &["f0:b0:0: r2 has type i64 where i32 is needed"]);
    check("  r4 = add f32 r4, r4\n  return", &["f0:b0:0: Add cannot be done on f32"]);
    check("  r1 = load i1 [g0] plain\n  return", &["f0:b0:0: i1 does not live in memory"]);
    check("  r0 = load i32 [r2] plain\n  return", &["f0:b0:0: r2 has type i64 where ptr is needed"]);
    check("  r1 = eq ptr r3, null\n  r1 = feq f32 r4, 0x0:f32\n  return", &[]);
    check("  assume r0\n  return", &["f0:b0:0: r0 has type i32 where i1 is needed"]);
    check("  return r0", &["f0:b0:0: a value is returned by a function without result"]);
    check("  process-exit r2", &["f0:b0:0: r2 has type i64 where i32 is needed"]);
}

#[test]
fn calls_and_threads() {
    check("  call f2(r0)\n  return", &["f0:b0:0: 1 operands are given where 2 are needed"]);
    check("  call f2(r0, r0)\n  return", &["f0:b0:0: r0 has type i32 where ptr is needed"]);
    check("  r0 = call f2(r0, r3)\n  return", &["f0:b0:0: f2 has no result to assign"]);
    check("  r3 = call f1(r3)\n  call *r3(r0, r9)\n  return", &["f0:b0:1: r9 does not exist"]);
    check(
        "  r2 = spawn f2(r3) detached false\n  return",
        &["f0:b0:0: f2 is not a function of one pointer parameter, as a thread needs"],
    );
    check("  r2 = spawn f1(r3) detached false\n  r3 = join r2 error r0\n  return", &[]);
}

#[test]
fn casts() {
    check("  r0 = zext i64 r2 to i32\n  return", &["f0:b0:0: ZeroExtend does not convert i64 to i32"]);
    check("  r0 = ptr2int ptr r3 to i32\n  return", &["f0:b0:0: PointerToInt does not convert ptr to i32"]);
    check("  r2 = ptr2int ptr r3 to i64\n  r4 = s2f i64 r2 to f32\n  r0 = f2s f32 r4 to i32\n  return", &[]);
}

#[test]
fn orders_and_synchronisation() {
    check("  fence plain\n  return", &["f0:b0:0: the order should be atomic"]);
    check("  r4 = rmw add f32 [g0], r4 seq_cst\n  return", &["f0:b0:0: Add cannot be done on f32"]);
    check("  sync mutex-init(g0)\n  return", &["f0:b0:0: 1 operands are given where 2 are needed"]);
    check("  sync barrier-arrive(g0)\n  return", &["f0:b0:0: barrier-arrive is not followed by its end"]);
    check(
        "  sync cond-wait-begin(g0, m0)\n  sync cond-wait-end(g0, g0)\n  return",
        &["f0:b0:0: cond-wait-begin is not followed by its end"],
    );
    check("  sync cond-wait-begin(g0, m0)\n  yield\n  sync cond-timedwait-end(g0, m0)\n  return", &[]);
}

#[test]
fn switches() {
    check(
        "  switch i32 r0 { 1 b0, 1 b0, 4294967296 b0 } default b0",
        &["f0:b0:0: case 1 occurs twice", "f0:b0:0: case 4294967296 does not fit i32"],
    );
}

#[test]
fn objects_and_shapes() {
    let entry = "function f0 \"m\" () {\nb0:\n return\n}";
    let check = |items: &str, expected: &[&str]| {
        check_text(&format!("program ilp32 entry f0\n{items}\n{entry}"), expected);
    };
    check(
        "shape shape0 = array shape1 stride 4 count 2\nshape shape1 = record \"r\" { \"f\" 0 shape0, \"g\" 0 shape9 }",
        &["shape1: shape9 does not exist", "shape0: the shape contains itself", "shape1: the shape contains itself"],
    );
    check(
        "shape shape0 = opaque\nglobal g0 \"x\" size 2 align 3 shape0 bytes 000000",
        &["g0: alignment 3 is not a power of two", "g0: 3 initial bytes do not fit 2"],
    );
    check(
        "shape shape0 = opaque\nglobal g0 \"x\" size 2147483648 align 1 shape4",
        &["g0: shape4 does not exist", "g0: size 2147483648 is too large"],
    );
    check(
        "shape shape0 = opaque\nglobal g0 \"x\" size 8 align 4 shape0 addresses { 2 g0, 4 f0, 6 g1 }\n\
         global g1 \"t\" size 8 align 4 shape0 addresses { 0 null } thread-local",
        &[
            "g0: an initial address at 6 lies outside",
            "g0: the address of g1, which is thread-local, is not constant",
            "g0: initial addresses overlap",
            "g1: an initial address is neither of a global nor of a function",
        ],
    );
}
