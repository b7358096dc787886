//! Random programs about memory orders and what reveals without ordering: plain data behind atomic flags of all orders,
//! fences, read-modify-writes, locks and semaphores that are tried, waits that time out, results of detach and join. In some,
//! objects on the heap and on the stack come to their end while others know them. A seed names a program. Which of them
//! have races is for the explorer to say.

use crate::random::Random;

const PROLOGUE: &str = "\
typedef unsigned long pthread_t;
typedef union { char bytes[56]; long align; } pthread_attr_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
typedef union { char bytes[56]; long align; } pthread_rwlock_t;
typedef union { char bytes[32]; long align; } sem_t;
typedef union { char bytes[48]; long align; } pthread_cond_t;
typedef int pthread_once_t;
struct timespec { long tv_sec, tv_nsec; };
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_detach(pthread_t);
extern int pthread_once(pthread_once_t *, void (*)(void));
extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
extern int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
extern int pthread_cond_signal(pthread_cond_t *);
extern int pthread_cond_broadcast(pthread_cond_t *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_rwlock_tryrdlock(pthread_rwlock_t *);
extern int pthread_rwlock_trywrlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);
extern int sem_init(sem_t *, int, unsigned);
extern int sem_post(sem_t *);
extern int sem_wait(sem_t *);
extern int sem_trywait(sem_t *);
extern int sem_getvalue(sem_t *, int *);
extern void *calloc(unsigned long, unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
extern void *memcpy(void *, const void *, unsigned long);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y;
int f, g;
pthread_mutex_t m, n;
pthread_rwlock_t rw;
sem_t s;
pthread_cond_t cv;
pthread_once_t once;
pthread_t idle;
struct timespec soon;
int *p = &f;
int *box;
int *shown;
sem_t *heap_sem;
void *nothing(void *arg) { return 0; }
void make(void) { y = 3; }
";

/// By their numbers in C.
const RELAXED: usize = 0;
const ACQUIRE: usize = 2;
const RELEASE: usize = 3;
const ACQ_REL: usize = 4;
const SEQ_CST: usize = 5;

/// The program that `seed` names.
pub fn generate_order_program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x0c11);
    let ends_objects = random.chance(35);
    let mut generator = Generator { random, text: PROLOGUE.to_owned(), depth: 1, ends_objects };
    generator.program();
    generator.text
}

struct Generator {
    random: Random,
    text: String,
    depth: usize,
    ends_objects: bool,
}

impl Generator {
    fn program(&mut self) {
        let threads = if self.random.chance(40) { 3 } else { 2 };
        for thread in 0..threads {
            self.text += &format!("void *worker{thread}(void *arg) {{\n");
            let count = 1 + self.random.below(if threads == 3 { 2 } else { 3 });
            (0..count).for_each(|_| self.statement());
            self.line("return 0;");
            self.text += "}\n";
        }
        self.text += "int main(void) {\n";
        let value = self.random.below(2);
        self.line(&format!("pthread_t t[{threads}];"));
        self.line(&format!("sem_init(&s, 0, {value});"));
        if self.text.contains("(idle") {
            self.line("pthread_create(&idle, 0, nothing, 0);");
        }
        if self.text.contains("(heap_sem)") {
            self.line("heap_sem = calloc(1, sizeof *heap_sem);");
            self.line("sem_init(heap_sem, 0, 0);");
        }
        if self.ends_objects {
            self.line("box = calloc(2, sizeof(int));");
        }
        (0..threads).for_each(|thread| {
            self.line(&format!("pthread_create(&t[{thread}], 0, worker{thread}, 0);"));
        });
        if self.random.chance(30) {
            self.statement();
        }
        (0..threads).for_each(|thread| self.line(&format!("pthread_join(t[{thread}], 0);")));
        self.line("return 0;");
        self.text += "}\n";
    }

    fn line(&mut self, line: &str) {
        self.text += &"    ".repeat(self.depth);
        self.text += line;
        self.text.push('\n');
    }

    fn block(&mut self, head: &str, last: Option<&str>) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        let count = 1 + self.random.below(2);
        (0..count).for_each(|_| self.statement());
        last.into_iter().for_each(|last| self.line(last));
        self.depth -= 1;
        self.line("}");
    }

    fn statement(&mut self) {
        if self.ends_objects && self.random.chance(50) {
            return self.object();
        }
        let choice = self.random.below(if self.depth > 3 { 9 } else { 18 });
        match choice {
            0..=3 => self.plain(),
            4..=5 => self.store(),
            6 => self.fence(),
            7 => {
                let update = self.update();
                self.line(&format!("{update};"));
            }
            8 => {
                let line = self.random.pick(&["sem_post(&s);", "sem_post(&s);", "sem_wait(&s);"]);
                self.line(line);
            }
            9..=13 => {
                let condition = self.condition();
                self.block(&format!("if ({condition})"), None);
            }
            14 => self.attempt(),
            15..=16 => self.section(),
            _ => self.rare(),
        }
    }

    /// What few programs do.
    fn rare(&mut self) {
        match self.random.below(5) {
            0 => self.line("pthread_once(&once, make);"),
            1 => {
                let order = self.random.pick(&[RELAXED, RELEASE, ACQ_REL]);
                self.line(&format!("*__atomic_fetch_add(&p, 0, {order}) = 1;"));
            }
            2 => {
                let line = self.random.pick(&["pthread_cond_signal(&cv);", "pthread_cond_broadcast(&cv);"]);
                self.line(line);
            }
            3 => {
                self.line("pthread_mutex_lock(&m);");
                let wait = self.random.pick(&[
                    "if (pthread_cond_timedwait(&cv, &m, &soon) != 0)",
                    "if (pthread_cond_timedwait(&cv, &m, &soon) == 0)",
                    "pthread_cond_wait(&cv, &m);",
                ]);
                self.line(wait);
                self.plain();
                self.line("pthread_mutex_unlock(&m);");
                self.plain();
            }
            _ => {
                let head = self.random.pick(&["if (pthread_detach(idle) != 0)", "if (pthread_join(idle, 0) != 0)"]);
                self.block(head, None);
            }
        }
    }

    /// The use of an object that another thread may end, or its end, mostly told by a flag.
    fn object(&mut self) {
        match self.random.below(8) {
            0..=2 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.depth += 1;
                self.use_object();
                self.depth -= 1;
                self.line("}");
            }
            3 => self.use_object(),
            4 => {
                self.line("{");
                self.depth += 1;
                self.line("int local = 1;");
                let order = self.random.pick(&[RELAXED, RELEASE, SEQ_CST]);
                self.line(&format!("__atomic_store_n(&shown, &local, {order});"));
                if self.random.chance(50) {
                    self.statement();
                }
                self.depth -= 1;
                self.line("}");
                self.store();
            }
            _ => {
                let end = self.random.pick(&["free(box);", "free(box);", "realloc(box, 16);", "free(heap_sem);"]);
                self.line(end);
                if self.random.chance(70) {
                    self.store();
                }
            }
        }
    }

    fn use_object(&mut self) {
        match self.random.below(8) {
            0 => self.line("box[1] = 2;"),
            1 => self.line("y = *box;"),
            2 => self.line("memcpy(&x, box, sizeof x);"),
            3 => self.line("__atomic_fetch_add(box, 1, 5);"),
            4 => {
                let operation = self.random.pick(&["sem_post(heap_sem);", "sem_trywait(heap_sem);"]);
                self.line(operation);
            }
            5 => self.line("box[2] = 1;"),
            _ => {
                let order = self.random.pick(&[RELAXED, ACQUIRE, SEQ_CST]);
                let access = self.random.pick(&["*other = 2;", "y = *other;"]);
                self.line(&format!("{{ int *other = __atomic_load_n(&shown, {order}); if (other) {access} }}"));
            }
        }
    }

    fn plain(&mut self) {
        let line = self.random.pick(&["x = 1;", "x = 2;", "y = 1;", "y = x;", "x++;"]);
        self.line(line);
    }

    fn flag(&mut self) -> &'static str {
        self.random.pick(&["f", "f", "f", "g"])
    }

    fn store(&mut self) {
        let (flag, value) = (self.flag(), 1 + self.random.below(2));
        let order = self.random.pick(&[RELAXED, RELAXED, RELEASE, RELEASE, SEQ_CST]);
        self.line(&format!("__atomic_store_n(&{flag}, {value}, {order});"));
    }

    fn fence(&mut self) {
        let order = self.random.pick(&[RELAXED, ACQUIRE, ACQUIRE, RELEASE, RELEASE, ACQ_REL, SEQ_CST]);
        let kind = if self.random.chance(8) { "signal" } else { "thread" };
        self.line(&format!("__atomic_{kind}_fence({order});"));
    }

    fn update(&mut self) -> String {
        let (flag, value) = (self.flag(), self.random.below(3));
        let order = self.random.pick(&[RELAXED, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST]);
        match self.random.below(3) {
            0 => format!("__atomic_exchange_n(&{flag}, {value}, {order})"),
            1 => format!("__atomic_fetch_add(&{flag}, 1, {order})"),
            _ => format!("__atomic_fetch_or(&{flag}, {value}, {order})"),
        }
    }

    fn condition(&mut self) -> String {
        let (flag, value) = (self.flag(), self.random.below(3));
        match self.random.below(8) {
            0..=3 => {
                let order = self.random.pick(&[RELAXED, RELAXED, 1, ACQUIRE, ACQUIRE, SEQ_CST]);
                format!("__atomic_load_n(&{flag}, {order}) == {value}")
            }
            4 => format!("{} == {value}", self.update()),
            5 => {
                let (success, failure) = self.random.pick(&[
                    (RELAXED, RELAXED),
                    (ACQUIRE, RELAXED),
                    (ACQUIRE, ACQUIRE),
                    (RELEASE, RELAXED),
                    (ACQ_REL, ACQUIRE),
                    (SEQ_CST, RELAXED),
                ]);
                let new = self.random.below(3);
                let not = self.random.pick(&["", "!"]);
                format!(
                    "{not}__atomic_compare_exchange_n(&{flag}, &(int){{ {value} }}, {new}, 0, {success}, {failure})"
                )
            }
            6 => "sem_trywait(&s) == 0".to_owned(),
            _ => self.random.pick(&["sem_trywait(&s) != 0", "pthread_mutex_trylock(&m) != 0"]).to_owned(),
        }
    }

    /// A lock that is taken if it is free.
    fn attempt(&mut self) {
        let (head, last) = self.random.pick(&[
            ("if (pthread_mutex_trylock(&m) == 0)", "pthread_mutex_unlock(&m);"),
            ("if (pthread_mutex_trylock(&n) == 0)", "pthread_mutex_unlock(&n);"),
            ("if (pthread_rwlock_tryrdlock(&rw) == 0)", "pthread_rwlock_unlock(&rw);"),
            ("if (pthread_rwlock_trywrlock(&rw) == 0)", "pthread_rwlock_unlock(&rw);"),
        ]);
        self.block(head, Some(last));
    }

    fn section(&mut self) {
        if self.random.chance(25) {
            self.line("__VERIFIER_atomic_begin();");
            match self.ends_objects && self.random.chance(40) {
                true => self.use_object(),
                false => self.plain(),
            }
            self.line("__VERIFIER_atomic_end();");
        } else {
            self.line("pthread_mutex_lock(&m);");
            self.plain();
            if self.random.chance(40) {
                self.store();
            }
            self.line("pthread_mutex_unlock(&m);");
        }
    }
}
