//! Points-to sets, classes of threads, and who touches what.

use program::points_to::{MemoryObject, ObjectSet, PointsTo};
use program::sharing::Sharing;
use program::{GlobalId, Operand, Program, RegisterId};

fn names(program: &Program, points_to: &PointsTo, objects: &ObjectSet) -> Vec<String> {
    objects.iter().map(|object| points_to.describe(program, object).to_string()).collect()
}

/// What a register of the first function points to.
fn register(program: &Program, register: u32) -> Vec<String> {
    let points_to = PointsTo::new(program);
    let set = points_to.operand(program.entry, Operand::Register(RegisterId(register)));
    names(program, &points_to, set)
}

fn with_body(body: &str) -> Program {
    crate::program(&format!(
        r#"program lp64 entry f0
file file0 "a.c"
shape shape0 = scalar ptr
global g0 "a" size 8 align 8 shape0
global g1 "b" size 8 align 8 shape0 addresses {{ 0 g0 }}
global g2 "table" size 16 align 8 shape0 addresses {{ 0 f1, 8 f2 }}
function f0 "entry" () {{
  register r0 ptr
  register r1 ptr
  register r2 i64
  register r3 i1
  register r4 i32
  local m0 "l" size 8 align 8 shape0
b0:
{body}
}}
function f1 "first" (r0) -> ptr {{
  register r0 ptr
b0:
  return r0
}}
function f2 "second" (r0) -> ptr {{
  register r0 ptr
b0:
  thread-exit r0
}}
function f3 "unused" (r0) -> ptr {{
  register r0 ptr
b0:
  store ptr [g0], g2 plain
  return g2
}}
"#
    ))
}

#[test]
fn addresses_flow_through_registers_and_memory() {
    let cases: [(&str, &[&str]); 13] = [
        ("r0 = g0", &["global a"]),
        ("r0 = load ptr [g1] plain", &["global a"]),
        ("store ptr [m0], g1 plain\n r1 = m0\n r0 = load ptr [r1] plain", &["global b"]),
        ("copy [m0], [g1], 8:i64\n r0 = load ptr [m0] plain", &["global a"]),
        ("r0 = pointer-add g0, r2\n r0 = select ptr r3, r0, g1", &["global a", "global b"]),
        ("r0 = allocate heap 8:i64 align 8 @file0:7:1+1", &["allocation in entry at a.c:7:1"]),
        ("r0 = rmw exchange ptr [g1], g2 seq_cst", &["global a", "global table"]),
        ("r0, r3 = cmpxchg ptr [g1], null, m0 seq_cst seq_cst", &["global a", "local l of entry"]),
        ("r0 = call f1(g0)", &["global a"]),
        ("r1 = load ptr [g2] plain\n r0 = call *r1(m0)", &["local l of entry"]),
        ("r2 = spawn f2(g1) detached false\n r0 = join r2", &["global b"]),
        ("r0 = load ptr [g0] plain", &[]),
        ("store ptr [m0], g0 plain\n r1 = reallocate m0, 8:i64 @file0:1:1+1\n r0 = load ptr [r1] plain", &["global a"]),
    ];
    for (body, expected) in cases {
        assert_eq!(register(&with_body(&format!(" {body}\n return")), 0), expected, "{body}");
    }
}

#[test]
fn integers_carry_addresses_and_find_what_is_exposed() {
    let cases: [(&str, &[&str]); 6] = [
        ("r2 = ptr2int ptr g0 to i64\n r2 = add i64 r2, 8:i64\n r0 = int2ptr i64 r2 to ptr", &["global a"]),
        ("r2 = ptr2int ptr g0 to i64\n r0 = int2ptr i64 5:i64 to ptr", &["global a"]),
        ("r0 = int2ptr i64 5:i64 to ptr", &[]),
        ("r2 = ptr2int ptr g0 to i64", &[]),
        ("r4 = load i32 [g1] plain\n r0 = int2ptr i64 5:i64 to ptr", &["global a"]),
        ("r2 = load i64 [g1] plain\n store i64 [m0], r2 plain\n r0 = load ptr [m0] plain", &["global a"]),
    ];
    for (body, expected) in cases {
        assert_eq!(register(&with_body(&format!(" {body}\n return")), 0), expected, "{body}");
    }
}

#[test]
fn only_reached_functions_count() {
    let program = with_body(" r1 = load ptr [g2] plain\n r0 = call *r1(m0)\n return");
    let points_to = PointsTo::new(&program);
    let reached: Vec<bool> = program.functions.ids().map(|id| points_to.is_reached(id)).collect();
    assert_eq!(reached, [true, true, true, false]);
    let a = points_to.id(MemoryObject::Global(GlobalId(0))).expect("every global should be an object");
    assert!(points_to.contents(a).is_empty(), "what an unused function stores should not count");
}

const THREADS: &str = r#"program lp64 entry f0
file file0 "a.c"
shape shape0 = scalar i32
global g0 "by main" size 4 align 4 shape0
global g1 "by worker" size 4 align 4 shape0
global g2 "by both" size 4 align 4 shape0
global g3 "by helpers" size 4 align 4 shape0
global g4 "slot" size 8 align 8 shape0
global g5 "own" size 4 align 4 shape0 thread-local
function f0 "main" () {
  register r0 i64
  register r1 ptr
  register r2 i1
  local m0 "argument" size 4 align 4 shape0
b0:
  store i32 [g0], 1:i32 plain
  store i32 [g2], 1:i32 plain
  store i32 [m0], 1:i32 plain
  r0 = spawn f1(m0) detached false
  goto b1
b1:
  r0 = spawn f2(null) detached false
  branch r2, b1, b2
b2:
  r1 = allocate heap 4:i64 align 16 @file0:5:1+1
  store i32 [r1], 1:i32 plain
  process-exit 0:i32
}
function f1 "worker" (r0) -> ptr {
  register r0 ptr
  register r1 ptr
b0:
  store i32 [r0], 1:i32 plain
  store i32 [g1], 1:i32 plain
  store i32 [g2], 1:i32 plain
  r1 = allocate heap 4:i64 align 16 @file0:6:1+1
  store ptr [g4], r1 plain
  store i32 [r1], 1:i32 plain
  return null
}
function f2 "helper" (r0) -> ptr {
  register r0 ptr
  register r1 ptr
  local m0 "scratch" size 4 align 4 shape0
b0:
  store i32 [g3], 1:i32 plain
  store i32 [g5], 1:i32 plain
  r1 = load ptr [g4] plain
  store i32 [r1], 1:i32 plain
  call f3(m0)
  r1 = allocate heap 4:i64 align 16 @file0:7:1+1
  call f3(r1)
  return null
}
function f3 "touch" (r0) {
  register r0 ptr
b0:
  store i32 [r0], 1:i32 plain
  return
}
"#;

#[test]
fn who_touches_what() {
    let program = crate::program(THREADS);
    let expected = "class0: main\n\
        class1: worker\n\
        class2: helper, several threads\n\
        one thread: global by main (class0)\n\
        one thread: global by worker (class1)\n\
        shared: global by both (class0, class1)\n\
        shared: global by helpers (class2)\n\
        shared: global slot (class1, class2)\n\
        private: global own (class2)\n\
        shared: local argument of main (class0, class1)\n\
        private: allocation in main at a.c:5:1 (class0)\n\
        shared: allocation in worker at a.c:6:1 (class1, class2)\n\
        private: local scratch of helper (class2)\n\
        private: allocation in helper at a.c:7:1 (class2)\n";
    assert_eq!(Sharing::new(&program).text(&program), expected);
}

/// A thread is several if its spawn may be executed more than once, however that comes about.
#[test]
fn many_threads() {
    let many = |main: &str, start: &str| {
        let program = crate::program(&format!(
            "program lp64 entry f0\nfunction f0 \"main\" () {{\n register r0 i64\n register r1 i1\n register r2 ptr\n\
             b0:\n{main}\n}}\nfunction f1 \"thread\" (r0) -> ptr {{\n register r0 ptr\nb0:\n return r0\n}}\n\
             function f2 \"start\" (r1) -> ptr {{\n register r0 i64\n register r1 ptr\nb0:\n{start}\n}}"
        ));
        let sharing = Sharing::new(&program);
        let class = sharing.classes().find(|(_, class)| program.functions[class.function].name == "thread");
        class.map(|(_, class)| class.many)
    };
    let spawn = " r0 = spawn f1(null) detached false\n";
    let start = format!("{spawn} return null");
    assert_eq!(many(" return", &start), None);
    assert_eq!(many(&format!("{spawn} return"), " return null"), Some(false));
    assert_eq!(many(&format!("{spawn}{spawn} return"), " return null"), Some(true));
    assert_eq!(many(&format!("{spawn} branch r1, b0, b1\nb1:\n return"), " return null"), Some(true));
    assert_eq!(many(" call f2(null)\n return", &start), Some(false));
    assert_eq!(many(" call f2(null)\n r2 = f2\n call *r2(null)\n return", &start), Some(true));
    assert_eq!(many(" call f2(null)\n return", &format!("{spawn} call f2(null)\n return null")), Some(true));
    let spawn_start = " r0 = spawn f2(null) detached false\n branch r1, b0, b1\nb1:\n return";
    assert_eq!(many(spawn_start, &start), Some(true));
}

/// The analyses accept whatever is well formed.
#[test]
fn random_programs() {
    for seed in 0..150 {
        let program = crate::generator::random_program(seed);
        let sharing = Sharing::new(&program);
        for object in sharing.points_to.objects().filter(|&object| sharing.is_shared(object)) {
            assert!(sharing.escapes(object) && !sharing.touched_by(object).is_empty());
        }
        program::Visibility::with_sharing(&program, &sharing);
    }
}
