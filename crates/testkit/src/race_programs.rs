//! Random programs about data races: the idioms by which real programs keep their accesses apart (locks in many guises,
//! hand-over by create and join, objects made and published, thread-local and per-element data), each with a chance to be
//! done wrong. A seed names a program. What is wrong in one is for the explorer to say.

use crate::random::Random;

const PROLOGUE: &str = "\
typedef unsigned long pthread_t;
typedef unsigned long size_t;
typedef union { char bytes[56]; long align; } pthread_attr_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
typedef union { char bytes[4]; int align; } pthread_mutexattr_t;
typedef union { char bytes[56]; long align; } pthread_rwlock_t;
typedef int pthread_spinlock_t;
typedef union { char bytes[48]; long align; } pthread_cond_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_detach(pthread_t);
extern pthread_t pthread_self(void);
extern void pthread_exit(void *) __attribute__((noreturn));
extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_mutex_destroy(pthread_mutex_t *);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);
extern int pthread_spin_lock(pthread_spinlock_t *);
extern int pthread_spin_unlock(pthread_spinlock_t *);
extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
extern int pthread_cond_signal(pthread_cond_t *);
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void free(void *);
extern void *memset(void *, int, size_t);
extern void *memcpy(void *, const void *, size_t);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
struct box { int v; pthread_mutex_t m; int w; struct box *next; };
struct slot { int data; pthread_mutex_t m; };
int x, y;
_Atomic int at;
__thread int own;
pthread_mutex_t m0, m1;
pthread_rwlock_t rw;
pthread_spinlock_t sp;
pthread_cond_t cv;
struct slot a[2];
struct box *shared;
int *place;
int *cells[2];
pthread_t handle;
void take(pthread_mutex_t *m) { pthread_mutex_lock(m); }
void give(pthread_mutex_t *m) { pthread_mutex_unlock(m); }
void bump(struct slot *s) { pthread_mutex_lock(&s->m); s->data++; pthread_mutex_unlock(&s->m); }
int twice(int n) { if (n > 0) { take(&m0); x++; give(&m0); return twice(n - 1); } return x_read(); }
";

/// The program that `seed` names.
pub fn generate_race_program(seed: u64) -> String {
    let mut generator = Generator { random: Random::new(seed ^ 0x7ace), text: String::new(), depth: 1, number: 0 };
    generator.program();
    generator.text
}

struct Generator {
    random: Random,
    text: String,
    depth: usize,
    /// For fresh names.
    number: usize,
}

impl Generator {
    fn program(&mut self) {
        self.text = PROLOGUE.replace("return x_read();", "return n;");
        self.function("void *child(void *arg)", 1);
        self.function("void *worker0(void *arg)", 3);
        self.function("void *worker1(void *arg)", 2);
        self.main();
    }

    fn function(&mut self, head: &str, most: usize) {
        self.text += head;
        self.text += " {\n";
        let index =
            if self.random.chance(30) { "int i = (long)arg & 1;" } else { "int i = __VERIFIER_nondet_int() & 1;" };
        self.line(index);
        let count = 1 + self.random.below(most);
        (0..count).for_each(|_| self.statement(true));
        match self.random.below(8) {
            0 => self.line("pthread_exit(0);"),
            1 => self.line("return shared;"),
            _ => self.line("return 0;"),
        }
        self.text += "}\n";
    }

    fn main(&mut self) {
        self.text += "int main(void) {\n";
        self.line("pthread_t t[3];");
        self.line("int i = 0, mine = 0;");
        if self.random.chance(30) {
            self.statement(false);
        }
        self.line("place = &mine;");
        let workers = [("worker0", "(void *)0"), ("worker1", "(void *)1")];
        let second = if self.random.chance(35) { 0 } else { 1 };
        match self.random.below(4) {
            0 => self.line("for (i = 0; i < 2; i++) pthread_create(&t[i], 0, worker0, (void *)(long)i);"),
            _ => {
                self.create(0, workers[0]);
                if self.random.chance(20) {
                    self.statement(false);
                }
                if self.random.chance(15) {
                    self.line("pthread_join(t[0], 0);");
                }
                self.create(1, workers[second]);
            }
        }
        if self.random.chance(30) {
            self.statement(false);
        }
        self.joins();
        if self.random.chance(60) {
            self.statement(false);
        }
        if self.random.chance(60) {
            let last = self.random.pick(&[
                "x++;",
                "y = x;",
                "a[0].data++;",
                "mine++;",
                "if (shared) shared->v = 0;",
                "*place = 1;",
            ]);
            self.line(last);
        }
        self.line("return 0;");
        self.text += "}\n";
    }

    fn create(&mut self, index: usize, (function, argument): (&str, &str)) {
        let argument = match self.random.below(6) {
            0 => "&x",
            1 => "&a[0]",
            2 => "&mine",
            _ => argument,
        };
        self.line(&format!("pthread_create(&t[{index}], 0, {function}, {argument});"));
    }

    fn joins(&mut self) {
        match self.random.below(8) {
            0 => self.line("for (i = 0; i < 2; i++) pthread_join(t[i], 0);"),
            1 => self.line("pthread_join(t[0], 0);"),
            2 => self.line("pthread_join(t[1], 0); pthread_join(t[1], 0);"),
            3 => self.line("pthread_detach(t[0]); pthread_join(t[0], 0); pthread_join(t[1], 0);"),
            4 => self.line("if (__VERIFIER_nondet_int()) pthread_join(t[0], 0); pthread_join(t[1], 0);"),
            _ => self.line("pthread_join(t[0], 0); pthread_join(t[1], 0);"),
        }
    }

    fn line(&mut self, text: &str) {
        self.text += &"  ".repeat(self.depth);
        self.text += text;
        self.text.push('\n');
    }

    fn fresh(&mut self) -> usize {
        self.number += 1;
        self.number
    }

    /// `in_thread`: the parameter `arg` exists.
    fn statement(&mut self, in_thread: bool) {
        let n = self.fresh();
        let deep = self.depth > 2;
        match self.random.below(if deep { 9 } else { 26 }) {
            0 | 1 => self.access(),
            2 => self.line("own++;"),
            3 => self.line("at = at + 1;"),
            4 => self.line("__atomic_fetch_add(&x, 1, 5);"),
            5 => self.element(),
            6 => self.line("bump(&a[i]);"),
            7 if in_thread => self.line("if (arg && (long)arg > 9) *(int *)arg = 3;"),
            7 | 8 => self.line("if (place) *place = 2;"),
            9..=13 => self.locked(in_thread),
            14 => self.named_lock(n),
            15 | 16 => self.make_box(n),
            17 => self.use_box(n),
            18 => self.bracket("if (__VERIFIER_nondet_int() & 1) {", "}", in_thread),
            19 => {
                let head = self.random.pick(&[
                    "for (int k = 0; k < 2; k++) {",
                    "while (__VERIFIER_nondet_int() & 1) {",
                    "for (i = 0; i < 2; i++) {",
                ]);
                self.bracket(head, "}", in_thread);
            }
            20 | 21 => self.child(n),
            22 => self.line("twice(1);"),
            23 => self.publish_local(n),
            24 => self.signal(in_thread),
            _ => self.bulk(n),
        }
    }

    fn access(&mut self) {
        let text = self.random.pick(&[
            "x++;",
            "y = x;",
            "y++;",
            "x = 1;",
            "if (x) y = 1;",
            "*cells[0] = x;",
            "cells[i] = &y;",
        ]);
        let text = if text.contains("*cells") { "if (cells[0]) *cells[0] = 1;" } else { text };
        self.line(text);
    }

    fn element(&mut self) {
        let text = self.random.pick(&["a[i].data++;", "a[0].data = 1;", "a[1].data = 2;", "a[i & 1].data = x;"]);
        self.line(text);
    }

    fn bracket(&mut self, open: &str, close: &str, in_thread: bool) {
        self.line(open);
        self.depth += 1;
        self.statement(in_thread);
        if self.random.chance(30) {
            self.statement(in_thread);
        }
        self.depth -= 1;
        if !self.random.chance(4) || close == "}" {
            self.line(close);
        }
    }

    fn locked(&mut self, in_thread: bool) {
        let (open, close) = self.random.weighted(&[
            (6, ("pthread_mutex_lock(&m0);", "pthread_mutex_unlock(&m0);")),
            (2, ("pthread_mutex_lock(&m1);", "pthread_mutex_unlock(&m1);")),
            (3, ("take(&m0);", "give(&m0);")),
            (2, ("if (!pthread_mutex_trylock(&m0)) {", "pthread_mutex_unlock(&m0); }")),
            (1, ("if (pthread_mutex_trylock(&m0)) {", "}")),
            (1, ("if (pthread_mutex_trylock(&m0) == 0) {", "} pthread_mutex_unlock(&m0);")),
            (2, ("pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);")),
            (2, ("pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);")),
            (2, ("pthread_spin_lock(&sp);", "pthread_spin_unlock(&sp);")),
            (3, ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();")),
            (1, ("pthread_mutex_unlock(&m0);", "pthread_mutex_lock(&m0);")),
            (1, ("pthread_mutex_init(&m0, 0); pthread_mutex_lock(&m0);", "pthread_mutex_unlock(&m0);")),
            (2, ("pthread_mutex_lock(&a[i].m);", "pthread_mutex_unlock(&a[i].m);")),
            (1, ("pthread_mutex_lock(&a[0].m);", "pthread_mutex_unlock(&a[0].m);")),
        ]);
        // A brace that is opened must be closed.
        let (open, close) = if open.ends_with('{') && !close.contains('}') { (open, "}") } else { (open, close) };
        if close.contains('}') || open.contains("atomic_begin") {
            self.line(open);
            self.depth += 1;
            self.statement(in_thread);
            self.depth -= 1;
            self.line(close);
        } else {
            self.bracket(open, close, in_thread);
        }
    }

    /// A lock and what lies beside it, through a pointer or an index that may change in between.
    fn named_lock(&mut self, n: usize) {
        self.line(&format!("struct slot *s{n} = &a[__VERIFIER_nondet_int() & 1];"));
        self.line(&format!("pthread_mutex_lock(&s{n}->m);"));
        match self.random.below(6) {
            0 => self.line(&format!("s{n}++; if (s{n} == &a[2]) s{n} = &a[0];")),
            1 => self.line(&format!("int d{n} = s{n} == &a[1]; a[d{n}].data = 1;")),
            2 => self.line("i = 1 - i; a[i].data++;"),
            _ => {}
        }
        self.line(&format!("s{n}->data++;"));
        self.line(&format!("pthread_mutex_unlock(&s{n}->m);"));
    }

    fn make_box(&mut self, n: usize) {
        let make = self.random.pick(&["malloc(sizeof(struct box))", "calloc(1, sizeof(struct box))"]);
        self.line(&format!("struct box *b{n} = {make};"));
        self.line(&format!("b{n}->v = 1; b{n}->next = 0; pthread_mutex_init(&b{n}->m, 0);"));
        match self.random.below(6) {
            0 => self.line(&format!("shared = b{n};")),
            1 => self.line(&format!(
                "pthread_mutex_lock(&m0); b{n}->next = shared; shared = b{n}; pthread_mutex_unlock(&m0);"
            )),
            2 => self.line(&format!("pthread_mutex_lock(&m0); shared = b{n}; pthread_mutex_unlock(&m0); b{n}->v = 2;")),
            3 => self.line(&format!("pthread_mutex_lock(&m0); shared = b{n}; b{n}->v = 2; pthread_mutex_unlock(&m0);")),
            4 => self.line(&format!("b{n}->w = 4; free(b{n});")),
            _ => self.line(&format!("place = &b{n}->w;")),
        }
        if self.random.chance(25) {
            self.line(&format!("pthread_mutex_lock(&b{n}->m); b{n}->w++; pthread_mutex_unlock(&b{n}->m);"));
        }
    }

    fn use_box(&mut self, n: usize) {
        self.line(&format!("pthread_mutex_lock(&m0); struct box *q{n} = shared;"));
        let inside = self.random.chance(50);
        if !inside {
            self.line("pthread_mutex_unlock(&m0);");
        }
        let text = match self.random.below(6) {
            0 => format!("if (q{n}) q{n}->v++;"),
            1 => format!("if (q{n}) {{ pthread_mutex_lock(&q{n}->m); q{n}->w++; pthread_mutex_unlock(&q{n}->m); }}"),
            2 => format!("if (q{n} && q{n}->next) q{n}->next->v = 1;"),
            3 => format!("if (q{n}) {{ shared = 0; free(q{n}); }}"),
            4 => format!("while (q{n}) {{ q{n}->w = 1; q{n} = q{n}->next; }}"),
            _ => format!("y = q{n} ? q{n}->v : 0;"),
        };
        self.line(&text);
        if inside {
            self.line("pthread_mutex_unlock(&m0);");
        }
    }

    /// A thread created and perhaps joined on the spot, with something handed over.
    fn child(&mut self, n: usize) {
        if self.text.contains("void *worker0") || self.text.contains("int main") {
            let argument = format!("l{n}");
            self.line(&format!("int l{n} = 0; pthread_t h{n};"));
            let argument = self.random.pick(&["0", "&x", argument.as_str()]).to_owned();
            let argument = if argument.starts_with('l') { format!("&{argument}") } else { argument };
            self.line(&format!("pthread_create(&h{n}, 0, child, {argument});"));
            match self.random.below(5) {
                0 => self.line("x++;"),
                1 => self.line(&format!("handle = h{n};")),
                2 => self.line(&format!("l{n} = 5;")),
                _ => {}
            }
            match self.random.below(5) {
                0 => {}
                1 => self.line("pthread_join(handle, 0);"),
                _ => self.line(&format!("pthread_join(h{n}, 0);")),
            }
            self.line(&format!("l{n}++;"));
        } else {
            self.line("y++;");
        }
    }

    fn publish_local(&mut self, n: usize) {
        self.line(&format!("int e{n} = 1; int *r{n} = &e{n}; *r{n} = 2;"));
        if self.random.chance(60) {
            self.line(&format!("pthread_mutex_lock(&m0); place = &e{n}; pthread_mutex_unlock(&m0);"));
        }
        self.line(&format!("*r{n} = 3;"));
    }

    fn signal(&mut self, in_thread: bool) {
        self.line("pthread_mutex_lock(&m0);");
        self.statement(in_thread);
        if self.random.chance(50) {
            self.line("pthread_cond_signal(&cv);");
        } else {
            self.line("if (!y) pthread_cond_wait(&cv, &m0);");
        }
        self.line("x++;");
        self.line("pthread_mutex_unlock(&m0);");
    }

    fn bulk(&mut self, n: usize) {
        let text = match self.random.below(4) {
            0 => "memset(&x, 0, sizeof x);".to_owned(),
            1 => "memcpy(&y, &x, sizeof x);".to_owned(),
            2 => format!("struct box c{n}; if (shared) {{ c{n} = *shared; c{n}.v++; }}"),
            _ => format!("char *u{n} = (char *)&x; u{n}[1] = 1;"),
        };
        self.line(&text);
    }
}
