//! What the interpreter has no room for, the engines do not claim: beyond a limit the answer is "unknown", or "holds up to a bound", and never a
//! counterexample that does not replay.

use std::path::Path;

use base::Budget;
use engines::{UnwindLimits, engine_named};
use portfolio::check_alone;
use program::{Analyses, Outcome, Property, PropertySet};

/// Checks that no engine claims to know more than up to which bound it has looked, where `body`, in `main`, comes before an assertion that fails.
fn check(name: &str, globals: &str, body: &str) {
    let text = format!(
        "#include <assert.h>\n#include <stdlib.h>\nint nondet_int(void);\n{globals}\n\
         int main(void) {{ if (nondet_int() != 123456) return 0;\n{body}\nassert(0); return 0; }}\n"
    );
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.c"));
    std::fs::write(&path, text).expect("a file that can be written");
    let compiled = frontend::compile(&[path], &frontend::CompileOptions::default());
    let program = compiled.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).program;
    let (analyses, properties) = (Analyses::new(&program), PropertySet::of(&[Property::Assert]));
    for engine in ["order", "monolithic", "scar"] {
        let engine = engine_named(engine).expect("an engine");
        let report = check_alone(engine, &analyses, properties, UnwindLimits::default(), &Budget::unlimited());
        let report = report.unwrap_or_else(|bug| panic!("{name}, {}: {bug}", engine.name()));
        let outcome = &report.outcomes[0].1;
        let is_modest = matches!(outcome, Outcome::Unknown(_) | Outcome::HoldsUpTo(_));
        assert!(is_modest, "{name}, {}: {outcome:?}", engine.name());
    }
}

#[test]
fn large_objects() {
    check("heap", "", "char *block = malloc(2UL << 30); block[0] = 1;");
    check("zeroed", "", "char *block = calloc(1u << 20, 1u << 12); block[0] = 1;");
    check("grown", "", "char *block = malloc(8); block = realloc(block, 1UL << 31);");
    check("stack", "", "char *block = __builtin_alloca(1UL << 31); block[3] = 1;");
    check("local", "", "char block[300u << 20]; block[5] = 1;");
    check("several", "", "for (int i = 0; i < 6; i++) { char *block = malloc(200u << 20); block[0] = 1; }");
}

#[test]
fn large_globals() {
    check("global", "static char block[3UL << 30];", "block[0] = 1;");
}

#[test]
fn deep_recursion() {
    let nested = "static int nested(int n) { return n == 0 ? 0 : 1 + nested(n - 1); }";
    let worker = std::thread::Builder::new().stack_size(512 << 20);
    let run = move || check("nested", nested, "nested(100000);");
    worker.spawn(run).expect("a thread").join().expect("engines that do not panic");
}
