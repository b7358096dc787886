//! Programs with an error are never proved, in no order of threads, and small safe ones with unbounded loops are.

use std::time::Duration;

use base::Budget;
use interp::{Attempt, AttemptLimits, Conclusion, OrderKind, PreferenceOrder};
use program::{Analyses, DataModel, Property, PropertySet};

const PRELUDE: &str = r#"
typedef unsigned long int pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void exit(int);
extern void abort(void);
void reach_error(void) { abort(); }
"#;

const ORDERS: [OrderKind; 5] =
    [OrderKind::Loop, OrderKind::OuterLoop, OrderKind::Sequential, OrderKind::Step, OrderKind::None];

fn conclude(body: &str, order: OrderKind, seconds: u64) -> Option<Conclusion> {
    let text = format!("{PRELUDE}{body}");
    let options = frontend::CompileOptions { data_model: DataModel::Ilp32, ..Default::default() };
    let compiled = frontend::compile_text("test.c", &text, &options).expect("the program should compile");
    let analyses = Analyses::new(&compiled.program);
    let properties = PropertySet::of(&[Property::UnreachCall]);
    let budget = Budget::with_timeout(Duration::from_secs(seconds));
    let conclusion =
        Attempt::new(&analyses, properties).run(&PreferenceOrder::new(order), AttemptLimits::default(), &budget).ok();
    if let Some(Conclusion::Violated(property, schedule)) = &conclusion {
        let only = PropertySet::of(&[*property]);
        assert!(execute::replay(&analyses, schedule, only, &Budget::unlimited()).is_ok(), "{body} should replay");
    }
    conclusion
}

fn never_proved(body: &str) {
    for order in ORDERS {
        let conclusion = conclude(body, order, 1);
        assert!(!matches!(conclusion, Some(Conclusion::Proved)), "{order:?} should not prove {body}");
    }
}

fn violated(body: &str) {
    for order in ORDERS {
        let conclusion = conclude(body, order, 5);
        assert!(matches!(conclusion, Some(Conclusion::Violated(..))), "{order:?} should refute {body}: {conclusion:?}");
    }
}

fn proved(body: &str, orders: &[OrderKind]) {
    for &order in orders {
        let conclusion = conclude(body, order, 10);
        assert!(matches!(conclusion, Some(Conclusion::Proved)), "{order:?} should prove {body}: {conclusion:?}");
    }
}

/// A fact about one path must not cover another: conditional interpolants taken to the letter say that this is safe.
#[test]
fn facts_of_one_path_do_not_hold_on_another() {
    let orders = [
        "if (__VERIFIER_nondet_int()) x = 5; m = 0; if (x > 4) reach_error();",
        "if (!__VERIFIER_nondet_int()) m = 1; else x = 5; m = 0; if (x <= 4) return 0; reach_error();",
    ];
    for code in orders {
        violated(&format!("int x, m; int main(void) {{ {code} return 0; }}"));
        violated(&format!(
            "int x, m, y; void *other(void *p) {{ y = 1; y = 2; return 0; }}
             int main(void) {{ pthread_t t; pthread_create(&t, 0, other, 0); {code} return 0; }}"
        ));
    }
}

#[test]
fn updates_can_be_lost() {
    violated(
        "int x; void *f(void *p) { int l = x; x = l + 1; return 0; }
         int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
         pthread_join(a, 0); pthread_join(b, 0); if (x < 2) reach_error(); return 0; }",
    );
}

/// What a thread did before it stopped for good is seen by others.
#[test]
fn effects_before_an_end_are_noticed() {
    let ends = ["__VERIFIER_assume(0);", "exit(0);", "for (;;) ;", "__VERIFIER_assume(x == 2);"];
    for end in ends {
        violated(&format!(
            "int x; void *f(void *p) {{ x = 1; {end} return 0; }}
             int main(void) {{ pthread_t a; pthread_create(&a, 0, f, 0); if (x == 1) reach_error(); return 0; }}"
        ));
    }
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

fn twins(first: &str, second: &str) -> String {
    format!(
        "unsigned int x, y, n; void *f(void *p) {{ while (x < n) {{ {first} }} return 0; }}
         void *g(void *p) {{ while (y < n) {{ {second} }} return 0; }}
         int main(void) {{ pthread_t a, b; x = __VERIFIER_nondet_uint(); y = x; n = __VERIFIER_nondet_uint();
         if (x == 0) return 0;
         pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0);
         if (x != y) reach_error(); return 0; }}"
    )
}

/// Two loops that do the same are proved in turns, and their mutants are not.
#[test]
fn twins_are_proved_and_mutants_are_not() {
    proved(&twins("x = x + x;", "y = y + y;"), &[OrderKind::Loop]);
    let mutants = [
        ("x = x + x;", "y = y + y + 1;"),
        ("x = x + x;", "y = y + 1;"),
        ("x = x + 3;", "y = y + 2;"),
        ("x = x + x;", "if (y == 8) y++; y = y + y;"),
        ("x = x + x; n = n;", "y = y + y; if (y == 4) n = 100;"),
    ];
    for (first, second) in mutants {
        never_proved(&twins(first, second));
    }
}

#[test]
fn sections_are_atomic_and_their_mutants_are_not() {
    let program = |begin: &str, end: &str| {
        format!(
            "int x, y; void *f(void *p) {{ while (__VERIFIER_nondet_int()) {{ {begin} x++; y++; {end} }} return 0; }}
             int main(void) {{ pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
             __VERIFIER_atomic_begin(); if (x != y) reach_error(); __VERIFIER_atomic_end(); return 0; }}"
        )
    };
    proved(&program("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"), &[OrderKind::Loop, OrderKind::None]);
    violated(&program("", ""));
}

const ONE: [OrderKind; 1] = [OrderKind::Loop];

/// An array that changes is known at the places that were written, at others it is as before.
#[test]
fn stores_are_read_back() {
    let body = |code: &str| {
        format!(
            "int a[200]; int main(void) {{ int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
             __VERIFIER_assume(0 <= i && i < 200 && 0 <= j && j < 200); {code} return 0; }}"
        )
    };
    violated(&body("a[1] = 5; a[i] = 7; if (a[1] == 7) reach_error();"));
    violated(&body("a[1] = 5; a[i] = 7; if (a[1] == 5) reach_error();"));
    proved(&body("a[1] = 5; if (i == 1) return 0; a[i] = 7; if (a[1] != 5) reach_error();"), &ONE);
    proved(&body("a[i] = 3; a[j] = 4; if (a[i] != 3 && i != j) reach_error();"), &ONE);
    violated(&body("a[i] = 3; a[j] = 4; if (a[i] != 3) reach_error();"));
    proved(&body("a[i] = 3; a[j] = a[i] + 1; a[i] = a[j] + 1; if (a[i] != 5) reach_error();"), &ONE);
    violated(&body("a[i] = 3; a[j] = a[i] + 1; a[i] = a[j] + 1; if (a[j] != 5) reach_error();"));
    violated(&body("int before = a[j]; a[i]++; if (a[j] != before) reach_error();"));
    proved(&body("int before = a[j]; a[i]++; if (a[j] != before && i != j) reach_error();"), &ONE);
}

/// Where pieces of different sizes meet, nothing is proved.
#[test]
fn stores_of_other_sizes_are_not_followed() {
    never_proved(
        "int a[200]; int main(void) { a[1] = 5; ((char *) a)[4] = 7; if (a[1] == 7) reach_error(); return 0; }",
    );
    never_proved(
        "int a[200]; int main(void) { int i = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= i && i < 700);
         a[1] = 5; *(int *) ((char *) a + i) = 7; if (a[1] != 5 && a[1] != 7) reach_error(); return 0; }",
    );
}

/// What one thread stores another one sees, in every order.
#[test]
fn stores_of_threads_meet() {
    let body = |first: &str, second: &str, check: &str| {
        format!(
            "int a[200]; int n, x; void *f(void *p) {{ {first} return 0; }} void *g(void *p) {{ {second} return 0; }}
             int main(void) {{ pthread_t s, t; n = __VERIFIER_nondet_int(); x = __VERIFIER_nondet_int();
             __VERIFIER_assume(0 <= n && n < 200 && 0 <= x && x < 200);
             pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0); pthread_join(s, 0); pthread_join(t, 0);
             if ({check}) reach_error(); return 0; }}"
        )
    };
    violated(&body("a[n] = 1;", "a[x] = 2;", "a[n] == 1"));
    violated(&body("a[n] = 1;", "a[x] = 2;", "a[n] == 2"));
    violated(&body("a[n]++;", "a[x]++;", "a[n] != 2 && n == x"));
    violated(&body("a[n] = 1; a[x] = 2;", "x = n;", "a[n] == 2"));
    violated(&body("a[0] = a[1] + 1;", "a[1] = a[0] + 1;", "a[0] == 2 || a[1] == 2"));
    proved(&body("a[n] = 1;", "a[x] = 2;", "a[n] != 1 && n != x"), &ONE);
    let section = |code: &str| format!("__VERIFIER_atomic_begin(); {code} __VERIFIER_atomic_end();");
    proved(&body(&section("a[n]++;"), &section("a[x]++;"), "a[n] != 2 && n == x"), &ONE);
    let each = |code: &str| format!("for (int i = 0; i < n; i++) {{ {} }}", section(code));
    let checked = each("a[i] = i + x; if (a[i] != i + x) reach_error();");
    proved(&body(&checked, "", "0"), &ONE);
    violated(&body(&checked, "a[x] = 300;", "a[x] == 300 && n > x"));
    never_proved(&body(
        &each("a[i] = i + x; if (a[i] != i + x) reach_error(); a[x] = 0;"),
        "",
        "n > x && a[x] == 0 && n > 2",
    ));
}
