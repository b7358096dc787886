//! Random programs whose threads are created in a loop and share a few words: maxima, counters, flags, locks of the library and locks that are made
//! of words, compare-and-swap, each with a chance to be done wrong. A seed names a program, which comes with any number of threads
//! or with a few. What a proof says of any number must be true of a few; that is for the explorer to say.

use std::fmt::Write;

use program::{Outcome, Property, PropertySet};

use crate::random::Random;
use crate::subject::{Broken, Checking, Exploring, Subject};

const PROLOGUE: &str = "\
typedef unsigned long pthread_t;
typedef union { char bytes[56]; long align; } pthread_attr_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void *memset(void *, int, unsigned long);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
void check(int holds) { if (!holds) __assert_fail(\"\", \"\", 0, \"\"); }
pthread_mutex_t m, n;
int u;
";

/// A program without its main function.
pub struct WordProgram {
    text: String,
    /// What the main function does after it has created the threads.
    late: String,
}

impl WordProgram {
    pub fn of_seed(seed: u64) -> Self {
        let mut writer = Writer { random: Random::new(seed), words: Vec::new(), has_flag: false, next: 0 };
        writer.program()
    }

    pub fn with_any_number_of_threads(&self) -> String {
        self.with_loop("while (__VERIFIER_nondet_int())")
    }

    pub fn with_threads(&self, count: u32) -> String {
        self.with_loop(&format!("for (int i = 0; i < {count}; i++)"))
    }

    fn with_loop(&self, head: &str) -> String {
        let Self { text, late } = self;
        format!(
            "{text}int main(void) {{\n    pthread_t t;\n    {head} pthread_create(&t, 0, work, 0);\n{late}    return 0;\n}}\n"
        )
    }
}

struct Writer {
    random: Random,
    words: Vec<&'static str>,
    has_flag: bool,
    /// The number of the next local.
    next: u32,
}

/// Where statements stand.
#[derive(Clone, Default)]
struct StatementPlace {
    locals: Vec<String>,
    is_atomic: bool,
    held: Vec<&'static str>,
    depth: usize,
}

impl Writer {
    fn program(&mut self) -> WordProgram {
        let count = self.random.pick(&[1, 2, 2, 3]);
        self.words = ["x", "y", "z"][..count].to_vec();
        self.has_flag = self.random.chance(60);
        let mut text = PROLOGUE.to_owned();
        let flag = self.has_flag.then_some("f");
        for word in self.words.clone().into_iter().chain(flag) {
            let ty = if self.random.chance(20) { "unsigned" } else { "int" };
            let initial = self.random.pick(&[0, 0, 0, 1, 2]);
            _ = writeln!(text, "{ty} {word} = {initial};");
        }
        text += "void *work(void *p) {\n";
        let body = self.body();
        text += &body;
        text += "    return 0;\n}\n";
        let word = self.any_word();
        let value = self.random.pick(&["0", "1"]);
        let late = match self.random.below(10) {
            0 | 1 => format!("    {word} = {value};\n"),
            2 => format!("    pthread_mutex_lock(&m);\n    {word} = {value};\n    pthread_mutex_unlock(&m);\n"),
            _ => String::new(),
        };
        WordProgram { text, late }
    }

    fn any_word(&mut self) -> &'static str {
        if self.has_flag && self.random.chance(30) { "f" } else { self.random.pick(&self.words.clone()) }
    }

    fn local(&mut self) -> String {
        self.next += 1;
        format!("l{}", self.next)
    }

    /// A number, a local, its neighbour, or a word.
    fn operand(&mut self, locals: &[String]) -> String {
        match self.random.below(10) {
            0..3 => self.random.pick(&[0, 0, 1, 1, 2, 3]).to_string(),
            3..6 if !locals.is_empty() => locals[self.random.below(locals.len())].clone(),
            6..8 if !locals.is_empty() => {
                let sign = self.random.pick(&["+", "-"]);
                format!("{} {sign} 1", locals[self.random.below(locals.len())])
            }
            _ => self.any_word().to_owned(),
        }
    }

    fn condition(&mut self, locals: &[String]) -> String {
        let left = match locals.is_empty() || self.random.chance(60) {
            true => self.any_word().to_owned(),
            false => locals[self.random.below(locals.len())].clone(),
        };
        let relation = self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let right = self.operand(locals);
        format!("{left} {relation} {right}")
    }

    /// An idiom with something in the middle of it, or something alone.
    fn body(&mut self) -> String {
        let mut place = StatementPlace::default();
        let word = self.random.pick(&self.words.clone());
        match self.random.below(20) {
            0..5 => {
                let step = match self.random.below(4) {
                    0 => format!("if (l0 < 3) {word} = l0 + 1;"),
                    1 => format!("{word} = l0 - 1;"),
                    _ => format!("{word} = l0 + 1;"),
                };
                place.locals.push("l0".to_owned());
                let middle = self.statements(&mut place, 2);
                let relation = self.random.pick(&[">=", ">", "!=", "=="]);
                format!(
                    "    pthread_mutex_lock(&m);\n    int l0 = {word};\n    {step}\n    pthread_mutex_unlock(&m);\n\
                     {middle}    check({word} {relation} l0);\n"
                )
            }
            5..9 => {
                let waits = if self.random.chance(85) { "__VERIFIER_assume(u == 0); " } else { "" };
                place.locals.push("l0".to_owned());
                let middle = self.statements(&mut place, 2);
                format!(
                    "    __VERIFIER_atomic_begin();\n    {waits}u = 1;\n    __VERIFIER_atomic_end();\n    int l0 = {word};\n\
                     {middle}    check({word} == l0);\n    u = 0;\n"
                )
            }
            9..12 => {
                let other = self.any_word();
                let first = self.random.pick(&["1", "2", "x + 1"]);
                let second = self.random.pick(&[word, word, "1"]);
                let middle = self.statements(&mut place, 2);
                let relation = self.random.pick(&["==", "<=", "!="]);
                format!(
                    "    pthread_mutex_lock(&m);\n    {word} = {first};\n    {other} = {second};\n    pthread_mutex_unlock(&m);\n\
                     {middle}    pthread_mutex_lock(&m);\n    check({word} {relation} {other});\n    pthread_mutex_unlock(&m);\n"
                )
            }
            12..15 => {
                place.locals.push("l0".to_owned());
                let middle = self.statements(&mut place, 2);
                format!(
                    "    int l0 = {word};\n    __VERIFIER_atomic_begin();\n    if ({word} == l0) {{ {word} = l0 + 1; l0 = l0 + 1; }}\n    \
                     __VERIFIER_atomic_end();\n{middle}    check({word} >= l0);\n"
                )
            }
            _ => self.statements(&mut place, 4),
        }
    }

    fn statements(&mut self, place: &mut StatementPlace, most: usize) -> String {
        let mut text = String::new();
        for _ in 0..=self.random.below(most) {
            let statement = self.statement(place);
            text += &statement;
        }
        text
    }

    fn statement(&mut self, place: &mut StatementPlace) -> String {
        let indent = "    ";
        let nests = place.depth < 2;
        let mut inner = StatementPlace { depth: place.depth + 1, ..place.clone() };
        match self.random.below(100) {
            0..22 => {
                let (local, word) = (self.local(), self.any_word());
                place.locals.push(local.clone());
                format!("{indent}int {local} = {word};\n")
            }
            22..45 => {
                let (word, value) = (self.any_word(), self.operand(&place.locals));
                format!("{indent}{word} = {value};\n")
            }
            45..52 if self.has_flag => format!("{indent}f = {};\n", self.random.pick(&[1, 1, 1, 0])),
            52..64 => format!("{indent}check({});\n", self.condition(&place.locals)),
            64..74 if nests => {
                let condition = self.condition(&place.locals);
                let body = self.statements(&mut inner, 2);
                format!("{indent}if ({condition}) {{\n{body}{indent}}}\n")
            }
            74..84 if nests && !place.is_atomic => {
                inner.is_atomic = true;
                let body = self.statements(&mut inner, 3);
                let acquires = if self.random.chance(20) { "    __VERIFIER_assume(u == 0);\n    u = 1;\n" } else { "" };
                let releases = if self.random.chance(20) { "    u = 0;\n" } else { "" };
                let refuses = match self.random.chance(30) {
                    true => format!("{indent}__VERIFIER_assume({});\n", self.condition(&place.locals)),
                    false => String::new(),
                };
                format!(
                    "{indent}{{\n{indent}__VERIFIER_atomic_begin();\n{acquires}{body}{refuses}{indent}__VERIFIER_atomic_end();\n{indent}}}\n{releases}"
                )
            }
            84..94 if nests && !place.is_atomic => {
                let free: Vec<&'static str> =
                    ["m", "n"].into_iter().filter(|lock| !place.held.contains(lock)).collect();
                if free.is_empty() {
                    return String::new();
                }
                let lock = self.random.pick(&free);
                inner.held.push(lock);
                let body = self.statements(&mut inner, 3);
                if self.random.chance(20) {
                    return format!(
                        "{indent}if (pthread_mutex_trylock(&{lock}) == 0) {{\n{body}{indent}pthread_mutex_unlock(&{lock});\n{indent}}}\n"
                    );
                }
                let again = match self.random.chance(15) {
                    true => {
                        format!("{indent}pthread_mutex_unlock(&{lock});\n{indent}pthread_mutex_lock(&{lock});\n{body}")
                    }
                    false => String::new(),
                };
                let again = if again.contains("int l") { String::new() } else { again };
                format!(
                    "{indent}{{\n{indent}pthread_mutex_lock(&{lock});\n{body}{again}{indent}pthread_mutex_unlock(&{lock});\n{indent}}}\n"
                )
            }
            94..97 if nests => {
                let (local, rounds) = (self.local(), self.random.pick(&[1, 2]));
                let body = self.statements(&mut inner, 2);
                format!("{indent}for (int {local} = 0; {local} < {rounds}; {local}++) {{\n{body}{indent}}}\n")
            }
            97 => format!("{indent}memset(&{}, 0, sizeof(int));\n", self.any_word()),
            98 => format!("{indent}*(unsigned char *)&{} = 0;\n", self.any_word()),
            _ => {
                let (one, other, value) = (self.any_word(), self.any_word(), self.operand(&place.locals));
                format!("{indent}*(__VERIFIER_nondet_int() ? (int *)&{one} : (int *)&{other}) = {value};\n")
            }
        }
    }
}

/// What became of one program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WordVerdict {
    /// There is no proof.
    Open,
    /// There is a proof, and so many threads were explored to the end or as far as it goes.
    Proved,
    /// There is a proof, and it is wrong for so many threads.
    Refuted(u32),
    Rejected(String),
    Broken(Broken),
}

/// Asks the thread-modular engine about any number of threads, and the explorer about up to so many, should there be a proof.
pub fn judge(program: &WordProgram, checking: &Checking, exploring: &Exploring, threads: u32) -> WordVerdict {
    let properties = PropertySet::of(&[Property::Assert]);
    let subject = match Subject::from_text(&program.with_any_number_of_threads()) {
        Ok(subject) => subject,
        Err(message) => return WordVerdict::Rejected(message),
    };
    match subject.check(&engines::modular::Modular, Property::Assert, checking) {
        Ok(Outcome::Proved) => {}
        Ok(_) => return WordVerdict::Open,
        Err(broken) => return WordVerdict::Broken(broken),
    }
    for count in 1..=threads {
        let subject = match Subject::from_text(&program.with_threads(count)) {
            Ok(subject) => subject,
            Err(message) => return WordVerdict::Rejected(message),
        };
        match subject.explore_all(properties, exploring) {
            Ok(exploration) if exploration.violates(Property::Assert) => return WordVerdict::Refuted(count),
            Ok(_) => {}
            Err(broken) => return WordVerdict::Broken(broken),
        }
    }
    WordVerdict::Proved
}
