//! What the reductions of the reachability tree must not leave out: programs that look as if a lock protected something,
//! and do not keep to it. Every engine, with every reduction, must say what it says without.

use base::Budget;
use engines::{ContextBounded, ContextOptions, Reduction, UnwindLimits};
use portfolio::check_alone;
use program::{Analyses, Outcome, Property, PropertySet};

const HEAD: &str = "
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
typedef union { char size[56]; long align; } pthread_rwlock_t;
typedef union { char size[48]; long align; } pthread_cond_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_init(pthread_mutex_t *, const void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_trywrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
void *memset(void *, int, unsigned long);
void *malloc(unsigned long);
void free(void *);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);
void __assert_fail(const char *, const char *, unsigned, const char *);
pthread_mutex_t m, k;
pthread_rwlock_t r;
pthread_cond_t c;
int x, y, flag;
";

/// Two threads, and `main` that starts both and waits for both.
fn two_threads(first: &str, second: &str) -> String {
    format!(
        "{HEAD}
void *one(void *p) {{ {first} return 0; }}
void *two(void *p) {{ {second} return 0; }}
int main() {{ pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
pthread_join(a, 0); pthread_join(b, 0); return 0; }}"
    )
}

/// As a preprocessor would leave it.
fn expanded(text: &str) -> String {
    let mut out = text.to_owned();
    while let Some(start) = out.find(" assert(") {
        let open = start + " assert".len();
        let close = open + matching(&out[open..]);
        let condition = out[open + 1..close].to_owned();
        out.replace_range(start..=close, &format!(" (({condition}) ? (void)0 : __assert_fail(\"\", \"\", 1, \"\"))"));
    }
    out
}

/// The position of the parenthesis that closes the first one.
fn matching(text: &str) -> usize {
    let mut depth = 0;
    let closes = |character| {
        depth += match character {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    };
    text.find(closes).expect("parentheses should match")
}

fn check_all(text: &str, property: Property, violated: bool) {
    let compiled = frontend::compile_text("test.c", &expanded(text), &frontend::CompileOptions::default());
    let program = compiled.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).program;
    for engine in ["lazy", "record", "uw"] {
        for reduction in [Reduction::None, Reduction::States, Reduction::Sleep, Reduction::All] {
            let contexts = ContextOptions { reduction, ..ContextOptions::default() };
            let named = ContextBounded::named(engine, contexts).expect("an engine");
            let (analyses, properties) = (Analyses::new(&program), PropertySet::of(&[property]));
            let report = check_alone(&named, &analyses, properties, UnwindLimits::default(), &Budget::unlimited());
            let outcome = report.unwrap_or_else(|bug| panic!("{engine}, {reduction:?}: {bug}")).outcomes.remove(0).1;
            match (&outcome, violated) {
                (Outcome::Violated(_), true) | (Outcome::Proved, false) => {}
                _ => panic!("{engine}, {reduction:?}: {outcome:?} in\n{text}"),
            }
        }
    }
}

#[test]
fn everybody_keeps_to_the_lock() {
    let body = "pthread_mutex_lock(&m); x = 1; assert(x == 1); x = 0; pthread_mutex_unlock(&m);";
    check_all(&two_threads(body, body), Property::Assert, false);
    check_all(&two_threads(body, body), Property::NoDataRace, false);
    check_all(&two_threads(body, body), Property::NoDeadlock, false);
}

#[test]
fn somebody_looks_without_the_lock() {
    let first = "pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m);";
    check_all(&two_threads(first, " assert(x == 0);"), Property::Assert, true);
    check_all(&two_threads(first, "y = x;"), Property::NoDataRace, true);
    check_all(&two_threads(" assert(x == 0);", first), Property::Assert, true);
}

#[test]
fn somebody_has_another_lock() {
    let first = "pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m);";
    let second = "pthread_mutex_lock(&k); assert(x == 0); pthread_mutex_unlock(&k);";
    check_all(&two_threads(first, second), Property::Assert, true);
}

#[test]
fn somebody_looks_only_once_in_a_while() {
    let first = "pthread_mutex_lock(&m); x = 1; x = 0; y = 1; pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m);";
    let second = "pthread_mutex_lock(&m); int seen = y; pthread_mutex_unlock(&m); if (seen) { assert(x == 0); }";
    check_all(&two_threads(first, second), Property::Assert, true);
}

#[test]
fn trying_shows_that_a_lock_is_held() {
    let first = "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);";
    let second = "int busy = pthread_mutex_trylock(&m); assert(!busy);";
    check_all(&two_threads(first, second), Property::Assert, true);
    let reads = "pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r);";
    let second = "int busy = pthread_rwlock_trywrlock(&r); assert(!busy);";
    check_all(&two_threads(reads, second), Property::Assert, true);
}

#[test]
fn another_thread_gives_back_the_lock() {
    let first = "pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m);";
    let second = "pthread_mutex_unlock(&m); pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m);";
    check_all(&two_threads(first, second), Property::LockMisuse, true);
    let second = "pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m);";
    check_all(&two_threads(first, second), Property::Assert, true);
}

#[test]
fn a_read_lock_does_not_protect_from_readers_that_write() {
    let first = "pthread_rwlock_rdlock(&r); x = 1; x = 0; pthread_rwlock_unlock(&r);";
    let second = "pthread_rwlock_rdlock(&r); assert(x == 0); pthread_rwlock_unlock(&r);";
    check_all(&two_threads(first, second), Property::Assert, true);
    let first = "pthread_rwlock_wrlock(&r); x = 1; x = 0; pthread_rwlock_unlock(&r);";
    check_all(&two_threads(first, second), Property::Assert, false);
}

/// Whoever takes step after step at once must not keep the others from their turn.
#[test]
fn a_loop_under_a_lock_does_not_hide_the_others() {
    let spins = "pthread_mutex_lock(&m); while (!flag) { } pthread_mutex_unlock(&m);";
    check_all(&two_threads(spins, " assert(0);"), Property::Assert, true);
    check_all(&two_threads(spins, "flag = 1; assert(0);"), Property::Assert, true);
    check_all(&two_threads(spins, "pthread_mutex_lock(&k); pthread_mutex_lock(&k);"), Property::NoDeadlock, true);
    check_all(&two_threads("y = 1;", "y = 0; assert(y == 0);"), Property::Assert, true);
    check_all(
        &two_threads("int i = __VERIFIER_nondet_int(); if (i) { assert(y == 0); }", "y = 1;"),
        Property::Assert,
        true,
    );
}

#[test]
fn memory_is_touched_as_a_whole() {
    let first = "pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m);";
    check_all(&two_threads(first, "memset(&x, 0, sizeof x); int z = x; assert(z == 0);"), Property::Assert, true);
    let section = "__VERIFIER_atomic_begin(); int z = x; __VERIFIER_atomic_end(); assert(z == 0);";
    check_all(&two_threads(first, section), Property::Assert, true);
}

#[test]
fn a_wait_gives_back_the_lock() {
    let first = "pthread_mutex_lock(&m); x = 1; while (!flag) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);";
    let second = "pthread_mutex_lock(&m); assert(x == 0); flag = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);";
    check_all(&two_threads(first, second), Property::Assert, true);
    check_all(&two_threads(first, second), Property::NoDeadlock, false);
    let lost = "flag = 1; pthread_cond_signal(&c);";
    check_all(&two_threads(first, lost), Property::NoDeadlock, true);
}

#[test]
fn memory_of_the_heap_is_protected_by_global_locks() {
    let text = format!(
        "{HEAD} int *p;
void *one(void *q) {{ pthread_mutex_lock(&m); *p = 1; *p = 0; pthread_mutex_unlock(&m); return 0; }}
int main() {{ pthread_t a; p = malloc(sizeof *p); *p = 0; pthread_create(&a, 0, one, 0);
LOOK pthread_join(a, 0); free(p); return 0; }}"
    );
    let look = "pthread_mutex_lock(&m); assert(*p == 0); pthread_mutex_unlock(&m);";
    check_all(&text.replace("LOOK", look), Property::Assert, false);
    check_all(&text.replace("LOOK", " assert(*p == 0);"), Property::Assert, true);
    check_all(&text.replace("LOOK", "free(p); p = malloc(sizeof *p);"), Property::ValidDeref, true);
}

/// A section that cannot be entered for some inputs parts the path, instead of leaving the question open.
#[test]
fn whether_somebody_waits_can_depend_on_inputs() {
    let text = format!(
        "{HEAD} int n;
void *one(void *q) {{ __VERIFIER_atomic_begin(); if (n > 3) {{ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }}
__VERIFIER_atomic_end(); return 0; }}
int main() {{ pthread_t a; n = __VERIFIER_nondet_int(); pthread_mutex_lock(&m); pthread_create(&a, 0, one, 0);
FIRST pthread_join(a, 0); LAST return 0; }}"
    );
    let unlock = "pthread_mutex_unlock(&m);";
    check_all(&text.replace("FIRST", "").replace("LAST", unlock), Property::NoDeadlock, true);
    check_all(&text.replace("FIRST", unlock).replace("LAST", ""), Property::NoDeadlock, false);
}
