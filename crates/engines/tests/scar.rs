//! The engine `scar` from C text to verdict: the running example of the Yogar-CBMC paper, what it counts, what it draws,
//! and both kinds of refinement.

use std::sync::Mutex;

use base::{Budget, StopReason};
use engines::scar::Scar;
use engines::{EogDrawing, NullObserver, Observer, Optimisations, Progress, RefinementKind, UnwindLimits};
use frontend::{CompileOptions, compile_text};
use portfolio::{Check, NullListener, Report, Strategy};
use program::{Analyses, Outcome, Property, PropertySet, UnknownReason};

const PROLOGUE: &str = "
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void assert(int c) { if (!c) __assert_fail(\"\", \"\", 0, \"\"); }
";

/// Figure 2(a) of the paper.
const FIGURE_2: &str = "
int x = 1, y = 1, m = 0, n = 0;
void *thr1(void *arg) { x = y + 1; m = y; x = 0; return 0; }
void *thr2(void *arg) { y = x + 1; n = x; y = 0; return 0; }
int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, thr1, 0);
  pthread_create(&t2, 0, thr2, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  assert(!(m == 1 && n == 1));
  return 0;
}";

/// Figure 2 with a property that fails: both threads can see 1.
const FIGURE_2_WRONG: &str = "
int x = 1, y = 1, m = 0, n = 0;
void *thr1(void *arg) { x = y + 1; m = y; x = 0; return 0; }
void *thr2(void *arg) { y = x + 1; n = x; y = 0; return 0; }
int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, thr1, 0);
  pthread_create(&t2, 0, thr2, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  assert(!(m == 1 && n == 0));
  return 0;
}";

const LOCKED_COUNTER: &str = "
int x; pthread_mutex_t m;
void *thread(void *a) {
  for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
  return 0; }
int main(void) {
  pthread_t t, u; pthread_create(&t, 0, thread, 0); pthread_create(&u, 0, thread, 0);
  pthread_join(t, 0); pthread_join(u, 0); assert(x == 4); return 0; }";

fn check(text: &str, refinement: RefinementKind, budget: &Budget, observer: &dyn Observer) -> Report {
    let compiled = compile_text("test.i", &format!("{PROLOGUE}{text}"), &CompileOptions::default());
    let program = compiled.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).program;
    let report = portfolio::check(&Check {
        analyses: &Analyses::new(&program),
        properties: PropertySet::of(&[Property::Assert]),
        strategy: &Strategy::alone(),
        engine: &Scar { refinement, optimisations: Optimisations::default() },
        unwind: UnwindLimits::default(),
        first: false,
        budget,
        observer,
        listener: &NullListener,
    });
    report.unwrap_or_else(|bug| panic!("{bug}"))
}

fn outcome(report: &Report) -> &Outcome {
    &report.outcomes[0].1
}

#[test]
fn figure_2_is_proved_in_few_rounds() {
    let report = check(FIGURE_2, RefinementKind::Graph, &Budget::unlimited(), &NullObserver);
    assert_eq!(*outcome(&report), Outcome::Proved);
    let count = |name| report.statistics.get_count(name);
    // The paper: 3 refinements, 7 clauses.
    assert!((1..=6).contains(&count("refinements")), "{:?}", report.statistics);
    assert!((1..=40).contains(&count("added clauses")), "{:?}", report.statistics);
    assert_eq!(count("constraint-based validations"), 0);
    assert_eq!(count("refinements by graph"), count("refinements"));
    assert!(count("clauses of the abstraction") > 100);
}

#[test]
fn a_reachable_variant_of_figure_2_is_violated() {
    for kind in [RefinementKind::Graph, RefinementKind::Core] {
        let report = check(FIGURE_2_WRONG, kind, &Budget::unlimited(), &NullObserver);
        assert!(matches!(outcome(&report), Outcome::Violated(_)), "{kind:?}: {:?}", outcome(&report));
    }
}

#[test]
fn cores_alone_prove_the_same_with_one_clause_per_round() {
    for text in [FIGURE_2, LOCKED_COUNTER] {
        let report = check(text, RefinementKind::Core, &Budget::unlimited(), &NullObserver);
        assert_eq!(*outcome(&report), Outcome::Proved);
        let count = |name| report.statistics.get_count(name);
        assert!(count("refinements") > 0 && count("added clauses") == count("refinements"));
        assert_eq!(count("constraint-based validations"), count("refinements by core"));
    }
}

#[test]
fn a_locked_counter_is_proved() {
    let report = check(LOCKED_COUNTER, RefinementKind::Graph, &Budget::unlimited(), &NullObserver);
    assert_eq!(*outcome(&report), Outcome::Proved, "{:?}", report.statistics);
}

#[test]
fn a_cancelled_check_ends_without_verdict() {
    let budget = Budget::unlimited();
    budget.cancel.cancel();
    let report = check(FIGURE_2, RefinementKind::Graph, &budget, &NullObserver);
    assert_eq!(*outcome(&report), Outcome::Unknown(UnknownReason::Stopped(StopReason::Cancelled)));
}

#[derive(Default)]
struct Collector(Mutex<Vec<EogDrawing>>);

impl Observer for Collector {
    fn progress(&self, _: &Progress) {}

    fn wants_event_order_graphs(&self) -> bool {
        true
    }

    fn event_order_graph(&self, drawing: &EogDrawing) {
        self.0.lock().expect("no test thread should panic").push(drawing.clone());
    }
}

#[test]
fn every_counterexample_is_drawn_on_demand() {
    let collector = Collector::default();
    let report = check(FIGURE_2, RefinementKind::Graph, &Budget::unlimited(), &collector);
    let drawings = collector.0.into_inner().expect("no test thread should panic");
    let counterexamples = report.statistics.get_count("counterexamples of the abstraction");
    let numbers: Vec<u64> = drawings.iter().map(|drawing| drawing.round).collect();
    assert_eq!(numbers, (1..=counterexamples).collect::<Vec<u64>>());
    let has = |arrow: &str| drawings.iter().filter(|drawing| drawing.dot.contains(arrow)).count() as u64;
    assert_eq!(has("style=solid arrowhead=normal"), counterexamples);
    assert_eq!(has("style=dashed"), counterexamples);
    assert!(has("arrowhead=empty") > 0, "some cycle should need a derived order");
    assert_eq!(has("color=red"), counterexamples, "every graph of a proof has a cycle");
    for drawing in &drawings {
        for part in ["thr1", "W x, line ", "R y, line ", "\nread-from: n", "\ncycle: n"] {
            assert!(drawing.text.contains(part), "{part} in\n{}", drawing.text);
        }
    }
}
