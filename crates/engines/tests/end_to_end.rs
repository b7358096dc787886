//! From C text to a confirmed verdict, with every engine.

use base::Budget;
use engines::{ContextOptions, ENGINES, EngineOptions, Reduction, UnwindLimits, configured};
use frontend::{CompileOptions, compile_text};
use portfolio::check_alone;
use program::{Analyses, Outcome, Property, PropertySet};

const PROLOGUE: &str = "
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void assert(int c) { if (!c) __assert_fail(\"\", \"\", 0, \"\"); }
";

/// The outcome for `assert` with each engine.
fn check(text: &str, unwind: Option<u32>) -> Vec<Outcome> {
    let text = format!("{PROLOGUE}{text}");
    let compiled = compile_text("test.i", &text, &CompileOptions::default());
    let program = compiled.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).program;
    // Some of the trees are large.
    let contexts = ContextOptions { reduction: Reduction::States, ..ContextOptions::default() };
    let options = EngineOptions { contexts, ..EngineOptions::default() };
    let unwind = UnwindLimits { exactly: unwind, ..UnwindLimits::default() };
    let run = |engine: &&dyn engines::Engine| {
        let engine = configured(engine.name(), &options).expect("an engine");
        let properties = PropertySet::of(&[Property::Assert]);
        let report = check_alone(&*engine, &Analyses::new(&program), properties, unwind, &Budget::unlimited());
        let report = report.unwrap_or_else(|bug| panic!("{}: {bug}", engine.name()));
        report.outcomes[0].1.clone()
    };
    ENGINES.iter().map(run).collect()
}

fn is_violated(outcomes: &[Outcome]) -> bool {
    outcomes.iter().all(|outcome| matches!(outcome, Outcome::Violated(_)))
}

#[test]
fn the_lost_update_is_found() {
    let outcomes = check(
        "int x;
         void *thread(void *a) { x++; return 0; }
         int main(void) {
           pthread_t t; pthread_create(&t, 0, thread, 0); x++; pthread_join(t, 0);
           assert(x == 2); return 0; }",
        None,
    );
    assert!(is_violated(&outcomes), "{outcomes:?}");
}

#[test]
fn the_lost_update_is_gone_with_a_mutex() {
    let outcomes = check(
        "int x; pthread_mutex_t m;
         void *thread(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
         int main(void) {
           pthread_t t; pthread_create(&t, 0, thread, 0);
           pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);
           pthread_join(t, 0); assert(x == 2); return 0; }",
        None,
    );
    assert!(outcomes.iter().all(|outcome| *outcome == Outcome::Proved), "{outcomes:?}");
}

#[test]
fn a_cut_loop_is_never_a_proof() {
    let outcomes = check(
        "int x;
         void *thread(void *a) { while (__VERIFIER_nondet_int()) x++; return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, thread, 0); assert(x < 10); return 0; }",
        Some(3),
    );
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Outcome::HoldsUpTo(_))), "{outcomes:?}");
}

#[test]
fn waiting_for_a_flag_needs_no_bound() {
    let outcomes = check(
        "int flag, data;
         void *thread(void *a) { data = 42; flag = 1; return 0; }
         int main(void) {
           pthread_t t; pthread_create(&t, 0, thread, 0); while (!flag) ; assert(data == 42); return 0; }",
        None,
    );
    assert!(outcomes.iter().all(|outcome| *outcome == Outcome::Proved), "{outcomes:?}");
}
