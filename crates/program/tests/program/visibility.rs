//! Scheduling points.

use program::{At, BlockId, Location, Program, Visibility};

/// The instructions of the function that are visible, as they are printed.
fn visible(program: &Program, function: &str) -> Vec<String> {
    let visibility = Visibility::new(program);
    let id = program.function_named(function).expect("the function should exist");
    let locations = program.functions[id].locations(id);
    let shown = |location: Location| match program.at(location) {
        At::Instruction(instruction) => instruction.to_string(),
        At::Terminator(terminator) => terminator.kind.to_string(),
    };
    locations.filter(|&location| visibility.is_visible(location)).map(shown).collect()
}

/// `main` with this body runs beside a thread that reads and writes what the global `shared` points to.
fn with_body(body: &str) -> Program {
    crate::program(&format!(
        r#"program lp64 entry f2
shape shape0 = scalar i32
global g0 "shared" size 8 align 8 shape0
global g1 "strings" size 6 align 1 shape0 bytes 2564257300 read-only
global g2 "numbers" size 6 align 1 shape0 bytes 253464252500 read-only
global g3 "own" size 8 align 8 shape0 thread-local
function f0 "main" () {{
  register r0 i32
  register r1 i1
  register r2 i64
  register r3 ptr
  register r4 ptr
  local m0 "a" size 8 align 8 shape0
  local m1 "b" size 8 align 8 shape0
b0:
{body}
}}
function f1 "worker" (r0) -> ptr {{
  register r0 ptr
  register r1 ptr
b0:
  r1 = load ptr [g0] plain
  store i32 [r1], 1:i32 plain
  return r0
}}
function f2 "entry" () {{
  register r0 i64
b0:
  r0 = spawn f1(null) detached false
  call f0()
  process-exit 0:i32
}}
function f3 "identity" (r0) -> ptr {{
  register r0 ptr
b0:
  return r0
}}
"#
    ))
}

#[test]
fn private_memory_is_invisible() {
    let program = with_body(
        r#"  begin m0
  store i32 [m0], 1:i32 plain
  r3 = pointer-add m0, 4:i64
  r3 = select ptr r1, r3, m1
  r0 = load i32 [r3] plain
  copy [m1], [m0], 8:i64
  copy [m1], [g0], 8:i64
  set [m0], 0:i8, 8:i64
  r1 = eq ptr r3, m0
  end m0
  store ptr [g0], null plain
  r0 = load i32 [g1] plain
  store i32 [g3], r0 plain
  r4 = allocate heap 8:i64 align 16
  store ptr [r4], r3 plain
  r4 = call f3(r4)
  r2 = ptr2int ptr r4 to i64
  free heap r4
  return"#,
    );
    // Its end is not: another thread may end the process before.
    assert_eq!(visible(&program, "main"), ["copy [m1], [g0], 8:i64", "store ptr [g0], null plain", "free heap r4"]);
}

#[test]
fn memory_that_escapes_is_visible() {
    let leaks = [
        "store ptr [g0], r3 plain",
        "r2 = ptr2int ptr r3 to i64\n  r4 = int2ptr i64 7:i64 to ptr",
        "r2 = spawn f1(r3) detached false",
        "r4 = rmw exchange ptr [g0], r3 seq_cst",
        "r2 = ptr2int ptr r3 to i64\n  store i32 [g0], 7:i32 plain",
        "store ptr [m1], r3 plain\n  copy [g0], [m1], 8:i64",
        "store ptr [m1], r3 plain\n  store ptr [g0], m1 plain",
        "store ptr [m1], r3 plain\n  r2 = load i64 [m1] plain\n  store i64 [g0], r2 plain",
        "r4 = call f3(r3)\n  store ptr [g0], r4 plain",
        "r4 = g0\n  r4 = pointer-add r4, 8:i64\n  store ptr [r4], r3 plain",
    ];
    for leak in leaks {
        let program =
            with_body(&format!("  begin m0\n  r3 = m0\n  {leak}\n  store i32 [m0], 1:i32 plain\n  end m0\n  return"));
        let visible = visible(&program, "main");
        assert!(visible.contains(&"store i32 [m0], 1:i32 plain".to_owned()), "{leak}");
        assert!(visible.contains(&"end m0".to_owned()), "{leak}");
        assert!(!visible.contains(&"begin m0".to_owned()), "{leak}");
    }
}

#[test]
fn a_register_that_may_hold_something_else_is_not_private() {
    let program = with_body(
        "  r3 = m0\n  store i32 [r3], 1:i32 plain\n  r3 = g0\n  r3 = g1\n  store i32 [r4], 2:i32 plain\n  return",
    );
    assert_eq!(visible(&program, "main"), ["store i32 [r3], 1:i32 plain", "store i32 [r4], 2:i32 plain"]);
}

#[test]
fn beginning_a_living_escaped_local_again_is_visible() {
    let program = with_body(
        "  goto b1\nb1:\n  begin m0\n  store ptr [g0], m0 plain\n  branch r1, b1, b2\nb2:\n  end m0\n  begin m0\n  return",
    );
    assert_eq!(visible(&program, "main"), ["begin m0", "store ptr [g0], m0 plain", "end m0"]);
    let id = program.function_named("main").expect("main should exist");
    let restart = Location { function: id, block: BlockId(1), index: 0 };
    assert!(Visibility::new(&program).is_visible(restart));
}

#[test]
fn output_is_visible_where_it_reads_what_others_may_touch() {
    let program = with_body(
        r#"  store ptr [m0], g0 plain
  library vprintf(g1, m0)
  library printf(g2, m0)
  library printf(g2, g0)
  library puts(r3)
  library putchar(65:i32)
  return"#,
    );
    let expected = ["library vprintf(g1, m0)", "library printf(g2, g0)"];
    assert_eq!(visible(&program, "main"), expected);
}

#[test]
fn operations_that_are_always_visible_or_never() {
    let body = r#"  r0 = nondet i32 input
  r0, r1 = cmpxchg weak i32 [m0], 0:i32, 1:i32 seq_cst relaxed
  sync mutex-lock(m1)
  r2 = spawn f1(null) detached false
  join r2
  detach r2
  atomic-begin
  atomic-end
  process-exit 0:i32"#;
    assert_eq!(visible(&with_body(body), "main"), body.lines().map(str::trim).collect::<Vec<_>>());
    let never = "  r3 = allocate heap 4:i64 align 16\n  fence seq_cst\n  yield\n  thread-exit null";
    assert_eq!(visible(&with_body(never), "main"), [""; 0]);
}
