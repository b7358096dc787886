//! Figures 1 to 3 of the paper on conditional interpolation, the trap in its Algorithm 1, and small programs with a certain
//! verdict, in every mode.

use std::time::Duration;

use base::Budget;
use interp::attempt::Conclusion;
use interp::{BlockEncoding, InterpolantMode, Verification};
use program::{Analyses, DataModel, Property, PropertySet};

const PRELUDE: &str = r#"
typedef unsigned long int pthread_t;
typedef struct { int data[8]; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void exit(int);
extern void abort(void);
void reach_error(void) { abort(); }
"#;

const SOUND: [InterpolantMode; 3] =
    [InterpolantMode::Reachability, InterpolantMode::Conditional, InterpolantMode::ConditionalFullPath];
const ENCODINGS: [BlockEncoding; 2] = [BlockEncoding::Single, BlockEncoding::Merged];

/// What one mode says of a program, and what `look` sees of the verification.
fn verify<T>(
    text: &str,
    mode: InterpolantMode,
    encoding: BlockEncoding,
    look: impl FnOnce(&Verification<'_>) -> T,
) -> (Option<Conclusion>, T) {
    let text = format!("{PRELUDE}{text}");
    let options = frontend::CompileOptions { data_model: DataModel::Ilp32, ..Default::default() };
    let compiled = frontend::compile_text("test.c", &text, &options).expect("the program should compile");
    let analyses = Analyses::new(&compiled.program);
    let budget = Budget::with_timeout(Duration::from_secs(10));
    let properties = PropertySet::of(&[Property::UnreachCall]);
    let mut verification = Verification::new(&analyses, properties, mode, encoding);
    let conclusion = verification.run(Verification::limits(), &budget).ok();
    if let Some(Conclusion::Violated(property, schedule)) = &conclusion {
        let only = PropertySet::of(&[*property]);
        let replayed = execute::replay(&analyses, schedule, only, &Budget::unlimited());
        assert!(replayed.is_ok(), "{mode:?} {encoding:?}: {text} should replay");
    }
    (conclusion, look(&verification))
}

fn conclusions(text: &str) -> Vec<(InterpolantMode, BlockEncoding, Option<Conclusion>)> {
    let both = |mode| ENCODINGS.map(|encoding| (mode, encoding, verify(text, mode, encoding, |_| ()).0));
    SOUND.into_iter().flat_map(both).collect()
}

fn violated(text: &str) {
    for (mode, encoding, conclusion) in conclusions(text) {
        let is_violated = matches!(conclusion, Some(Conclusion::Violated(..)));
        assert!(is_violated, "{mode:?} {encoding:?} should refute {text}: {conclusion:?}");
    }
}

fn proved(text: &str) {
    for (mode, encoding, conclusion) in conclusions(text) {
        let is_proved = matches!(conclusion, Some(Conclusion::Proved));
        assert!(is_proved, "{mode:?} {encoding:?} should prove {text}: {conclusion:?}");
    }
}

fn never_proved(text: &str) {
    for (mode, encoding, conclusion) in conclusions(text) {
        assert!(!matches!(conclusion, Some(Conclusion::Proved)), "{mode:?} {encoding:?} should not prove {text}");
    }
}

/// `example.c` of Figure 1: each statement is an atomic step, as it is there. Threads begin together.
const FIGURE_1: &str = "int x = 0;
    void *p1(void *u) {
      __VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end();
      if (x < 3) { __VERIFIER_atomic_begin(); x = x + 2; __VERIFIER_atomic_end(); }
      return 0;
    }
    void *p2(void *u) {
      int m = x - 1;
      if (x > 4) reach_error();
      return 0;
    }
    int main(void) {
      pthread_t a, b;
      __VERIFIER_atomic_begin(); pthread_create(&a, 0, p1, 0); pthread_create(&b, 0, p2, 0); __VERIFIER_atomic_end();
      return 0;
    }";

/// The steps of the two threads, without lines.
fn steps(path: &[String]) -> Vec<String> {
    let of_a_thread = |step: &&String| !step.starts_with("T0");
    let text = |step: &String| step.split_once(':').map_or("", |(_, text)| text).trim().to_owned();
    path.iter().filter(of_a_thread).map(text).collect()
}

/// Figure 2: the first error path is a d A B C, and R-Intp finds x ≤ 0, x ≤ 1 and x ≤ 3.
#[test]
fn reachability_interpolants_of_figure_2() {
    let (conclusion, (path, found, explorations)) =
        verify(FIGURE_1, InterpolantMode::Reachability, BlockEncoding::Single, |one| {
            (one.first_error_path.clone(), one.reachability.clone(), one.explorations.clone())
        });
    assert!(matches!(conclusion, Some(Conclusion::Proved)), "{conclusion:?}");
    // a d A B C: `m` is never read again, so that A assigns nothing that counts.
    let expected = ["x := (x + 1);", "[3 <= x] T1.result := 0;", "", "[4 < x]", "violates unreach-call"];
    assert_eq!(steps(&path), expected);
    assert_eq!(found, ["x <= 0", "x <= 1", "x <= 3"]);
    // To the first error: s0 to s6, their siblings s7, s8, s15 and s16, and one more, since threads are created one by one; then
    // to the second error, and to the end.
    assert_eq!(explorations, [12, 13, 20]);
}

/// Figure 3: the C-Intps made are x ≤ 1 at s2, where a was done, and x ≤ 3 at s10, with the chain of section 3.3. No path to an error
/// is ever looked at.
#[test]
fn conditional_interpolants_of_figure_3() {
    let (conclusion, (made, path, explorations)) =
        verify(FIGURE_1, InterpolantMode::Conditional, BlockEncoding::Single, |one| {
            (one.conditional.clone(), one.first_error_path.clone(), one.explorations.clone())
        });
    assert!(matches!(conclusion, Some(Conclusion::Proved)), "{conclusion:?}");
    assert!(path.is_empty(), "{path:?}");
    let found: Vec<(Vec<String>, Vec<String>)> = made.into_iter().map(|one| (one.predicates, one.chain)).collect();
    let texts = |all: &[&str]| all.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let expected = [
        (texts(&["x <= 1"]), texts(&["x0 = 0", "x1 = (x0 + 1)", "3 <= x1"])),
        (texts(&["x <= 3"]), texts(&["x1 <= 1", "x2 = (x1 + 2)", "4 < x2"])),
    ];
    assert_eq!(found, expected);
    // Those of Figure 3 and one more, since the threads are created one after the other.
    assert_eq!(explorations, [20]);
}

/// The whole path gives the same, and Theorem 1 is checked at every state.
#[test]
fn the_whole_path_proves_figure_1_without_an_error_path() {
    for encoding in ENCODINGS {
        let (conclusion, path) =
            verify(FIGURE_1, InterpolantMode::ConditionalFullPath, encoding, |one| one.first_error_path.clone());
        assert!(matches!(conclusion, Some(Conclusion::Proved)), "{conclusion:?}");
        assert!(path.is_empty(), "{path:?}");
    }
}

/// Both orders of the branches.
const TRAP: [&str; 2] = [
    "if (__VERIFIER_nondet_int()) x = 5; m = 0; if (x > 4) reach_error();",
    "if (!__VERIFIER_nondet_int()) m = 1; else x = 5; m = 0; if (x <= 4) return 0; reach_error();",
];

fn trap(code: &str, with_thread: bool) -> String {
    let (other, create) = match with_thread {
        true => ("void *other(void *p) { y = 1; y = 2; return 0; }", "pthread_t t; pthread_create(&t, 0, other, 0);"),
        false => ("", ""),
    };
    format!("int x, m, y; {other} int main(void) {{ {create} {code} return 0; }}")
}

/// A fact about one path must not cover another.
#[test]
fn facts_of_one_path_do_not_hold_on_another() {
    for code in TRAP {
        violated(&trap(code, false));
        violated(&trap(code, true));
    }
}

/// To the letter, Algorithm 1 calls one of them safe; here that is no proof.
#[test]
fn the_letter_of_algorithm_1_proves_nothing() {
    let mut unsound = 0;
    for code in TRAP {
        for with_thread in [false, true] {
            let text = trap(code, with_thread);
            let (conclusion, _) = verify(&text, InterpolantMode::ToTheLetter, BlockEncoding::Single, |_| ());
            assert!(!matches!(conclusion, Some(Conclusion::Proved)), "{text}");
            unsound += u32::from(matches!(conclusion, Some(Conclusion::Unknown(_))));
        }
    }
    assert!(unsound > 0, "the trap should be one");
}

#[test]
fn small_programs_are_proved() {
    let pair = |first: &str, second: &str, check: &str| {
        format!(
            "int x, y; pthread_mutex_t m; void *f(void *p) {{ {first} return 0; }} void *g(void *p) {{ {second} return 0; }}
             int main(void) {{ pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
             {check} return 0; }}"
        )
    };
    proved(&pair("x = 1; y = 1;", "x = 2;", "if (x > 2) reach_error();"));
    let locked = "pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m);";
    proved(&pair(locked, locked, "pthread_join(a, 0); pthread_join(b, 0); if (x != 2) reach_error();"));
    violated(&pair("x = x + 1;", "x = x + 1;", "pthread_join(a, 0); pthread_join(b, 0); if (x != 2) reach_error();"));
    violated(&pair(locked, "x = x + 1;", "pthread_join(a, 0); pthread_join(b, 0); if (x != 2) reach_error();"));
    proved("int main(void) { int n = __VERIFIER_nondet_int(); if (n > 3) if (n <= 2) reach_error(); return 0; }");
    proved("int x; int main(void) { while (__VERIFIER_nondet_int()) if (x > 0) reach_error(); return 0; }");
}

#[test]
fn numbers_wrap_around() {
    never_proved(
        "int main(void) { unsigned char c = 0; int n = __VERIFIER_nondet_int();
         for (int i = 0; i < n; i++) c++;
         if (n > 0 && c == 0) reach_error(); return 0; }",
    );
    violated(
        "int main(void) { unsigned int a = __VERIFIER_nondet_uint(), b = a + 1; if (b <= a) reach_error(); return 0; }",
    );
    violated(
        "unsigned char c = 250; void *f(void *p) { for (int i = 0; i < 6; i++) c++; return 0; }
         int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); pthread_join(a, 0);
         if (c == 0) reach_error(); return 0; }",
    );
}

/// What a thread did before it stopped for good is seen by others, also statement by statement.
#[test]
fn effects_before_an_end_are_noticed() {
    for end in ["__VERIFIER_assume(0);", "exit(0);", "for (;;) ;", "__VERIFIER_assume(x == 2);"] {
        violated(&format!(
            "int x; void *f(void *p) {{ x = 1; {end} return 0; }}
             int main(void) {{ pthread_t a; pthread_create(&a, 0, f, 0); if (x == 1) reach_error(); return 0; }}"
        ));
    }
}

#[test]
fn sections_are_atomic_and_their_mutants_are_not() {
    let program = |begin: &str, end: &str| {
        format!(
            "int x, y; void *f(void *p) {{ {begin} x++; y++; {end} return 0; }}
             int main(void) {{ pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
             __VERIFIER_atomic_begin(); if (x != y) reach_error(); __VERIFIER_atomic_end(); return 0; }}"
        )
    };
    proved(&program("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"));
    violated(&program("", ""));
}
