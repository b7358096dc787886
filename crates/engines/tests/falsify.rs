//! The quick falsifier: finds what needs only luck, finds it again with the same seed, and stops early.

use base::{Budget, Statistics};
use engines::{NullObserver, RandomTesting, UnwindLimits, engine_named};
use frontend::CompileOptions;
use portfolio::{Check, NullListener, Strategy, check_alone};
use program::{Analyses, Outcome, Program, Property, PropertySet, Trace};

const PROLOGUE: &str = "
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void assert(int c) { if (!c) __assert_fail(\"\", \"\", 0, \"\"); }
";

const LOST_UPDATE: &str = "
int x;
void *add(void *p) { x = x + 1; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
";

fn compiled(text: &str) -> Program {
    let compiled = frontend::compile_text("test.i", &format!("{PROLOGUE}{text}"), &CompileOptions::default());
    compiled.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).program
}

fn run(text: &str, properties: &[Property]) -> (Vec<(Property, Outcome)>, Statistics) {
    let program = compiled(text);
    let properties = PropertySet::of(properties);
    let (testing, analyses) = (RandomTesting::new(), Analyses::new(&program));
    let report = check_alone(&testing, &analyses, properties, UnwindLimits::default(), &Budget::unlimited());
    let mut report = report.expect("violations that replay");
    report.outcomes.retain(|(_, outcome)| matches!(outcome, Outcome::Violated(_)));
    (report.outcomes, report.statistics)
}

fn trace(outcomes: &[(Property, Outcome)]) -> &Trace {
    match outcomes {
        [(_, Outcome::Violated(trace))] => trace,
        other => panic!("{other:?} should be one violation"),
    }
}

#[test]
fn a_lost_update_is_found_again_and_again_in_the_same_way() {
    let (first, statistics) = run(LOST_UPDATE, &[Property::Assert]);
    let (second, _) = run(LOST_UPDATE, &[Property::Assert]);
    assert_eq!(trace(&first).schedule, trace(&second).schedule);
    assert!((1..=200).contains(&statistics.get_count("random testing: executions")), "{statistics:?}");
}

#[test]
fn properties_that_no_engine_checks_can_be_violated_too() {
    let (outcomes, _) = run(LOST_UPDATE, &[Property::NoDataRace]);
    assert_eq!(trace(&outcomes).violation.property, Property::NoDataRace);
    let (both, _) = run(LOST_UPDATE, &[Property::Assert, Property::NoDataRace]);
    assert_eq!(both.len(), 2);
}

#[test]
fn inputs_of_small_and_extreme_values_are_tried() {
    for value in ["3", "-2", "0x7fffffff"] {
        let body = format!("int a = __VERIFIER_nondet_int(); if (a == {value}) reach_error(); return 0;");
        let (outcomes, _) = run(&format!("int main(void) {{ {body} }}"), &[Property::UnreachCall]);
        assert_eq!(outcomes.len(), 1, "{value}");
    }
}

#[test]
fn one_thread_without_inputs_runs_once() {
    let alone = "int main(void) { int s = 0; for (int i = 0; i < 10; i++) s += i; assert(s == 45); }\n";
    let (outcomes, statistics) = run(alone, &[Property::Assert]);
    assert!(outcomes.is_empty());
    assert_eq!(statistics.get_count("random testing: executions"), 1);
}

#[test]
fn endless_programs_are_given_up() {
    let endless = "int x;\n\
        void *spin(void *p) { while (1) x = !x; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, spin, 0); while (x < 2) {} reach_error(); return 0; }\n";
    let (outcomes, statistics) = run(endless, &[Property::UnreachCall]);
    assert!(outcomes.is_empty());
    assert!(statistics.get_count("random testing: executions") >= 1);
}

#[test]
fn what_is_left_goes_to_the_engine() {
    let text = LOST_UPDATE.replace("return 0;\n}", "if (x == 7) reach_error();\n    return 0;\n}");
    let program = compiled(&text);
    let properties = PropertySet::of(&[Property::Assert, Property::UnreachCall]);
    let engine = engine_named("order").expect("an engine");
    let report = portfolio::check(&Check {
        analyses: &Analyses::new(&program),
        properties,
        strategy: &Strategy::check(engine),
        engine,
        unwind: UnwindLimits::default(),
        first: false,
        budget: &Budget::unlimited(),
        observer: &NullObserver,
        listener: &NullListener,
    })
    .expect("a report");
    assert!(matches!(
        &report.outcomes[..],
        [(Property::Assert, Outcome::Violated(_)), (Property::UnreachCall, Outcome::Proved)]
    ));
}

#[test]
fn threads_that_compute_for_long_do_not_delay_a_replay() {
    let text = "int x;
        void *count(void *p) { unsigned i, n = (unsigned)__VERIFIER_nondet_int() | 0x80000000u;
            for (i = 0; i < n; i++) {} x = (int)i; return 0; }
        int main(void) { pthread_t t;
            for (int i = 0; i < 20; i++) pthread_create(&t, 0, count, 0);
            reach_error(); return 0; }";
    let began = std::time::Instant::now();
    let (outcomes, _) = run(text, &[Property::UnreachCall]);
    assert_eq!(outcomes.len(), 1);
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}
