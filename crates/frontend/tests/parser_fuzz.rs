//! Mutated programs: whatever comes in, the front end answers without a panic and in finite time.
//!
//! `GORDIAN_FUZZ_CASES=100000` runs more cases, `GORDIAN_FUZZ_SEED=n` others.

mod parser_support;

use base::Files;
use frontend::{ast_print, parse_text};

const SNIPPETS: [&str; 8] = [
    "typedef unsigned long size_t; extern void *malloc(size_t) __attribute__((__nothrow__, __malloc__));\n\
     struct node { int key : 7; struct node *next, **prev; union { float f; char bytes[4]; }; } __attribute__((packed));\n\
     static inline struct node *push(struct node *head, int key) { struct node *n = malloc(sizeof *n);\n\
     *n = (struct node){.key = key, .next = head, .bytes[0 ... 2] = 'x'}; return n ?: head; }\n",
    "# 1 \"a.c\"\nint counter; _Atomic int flag; _Thread_local int mine;\n\
     void *worker(void *arg) { for (int i = 0; i < 10; i++) { counter++; if (i % 2) continue; else break; } return (void *)0; }\n\
     int main(void) { do { counter -= 1; } while (counter > 0 && !flag || mine); return counter == 10 ? 0 : 1; }\n",
    "int kr(a, b) int a; char *b; { switch (a) { case 1: case 2 ... 5: b[a] = L'x'; break; default: goto out; }\n\
     out: return ({ __label__ l; l: a; }) + sizeof(int (*)[3]) + _Alignof(double); }\n",
    "enum color { RED, GREEN = 1 << 2, BLUE = RED | GREEN, }; enum color table[] = {[RED] = BLUE, [GREEN] RED};\n\
     void (*handlers[3])(int, ...), (*signal(int, void (*)(int)))(int); _Static_assert(sizeof(int) == 4, \"int\");\n",
    "void barrier(int *p) { __asm__ __volatile__(\"\" : \"+r\" (*p), [q] \"=m\" (p[1]) : \"i\" (3) : \"memory\", \"cc\");\n\
     void *t = &&end; goto *t; end: *p = _Generic(p, int *: 1, default: 2); __builtin_va_arg(p, int); }\n",
    "#pragma pack(push, 1)\nstruct s { char c; int i; };\n#pragma pack(pop)\n\
     double d = 0x1.8p-3 + 1e10f + .5L; char *s = \"a\\x41\\n\" u8\"b\" /* c */ \"\\u00e9\"; // end\n\
     unsigned long long big = 0xffffffffffffffffULL; int c = '\\377' + 'ab';\n",
    "typedef int T; void f(T) ; void g(void) { T * x; { int T = 2; T * 3; } (T)(x)[0]++; typeof(x) y = &*x; }\n\
     __extension__ typedef long long L; __auto_type *z; main() { return __builtin_offsetof(struct s, a.b[1]); }\n",
    "int vla(int n, int a[static n], int b[restrict], int c[*]); int m[2][3] = {{1, 2}, {3,},}, e[] = {}, (((p)));\n\
     long f(void) { if (1) if (2) ; else while (0) ; return -+!~1, 2 << 3 >> 4 >= 5 != 6 ^ 7 & 8; }\n",
];

/// Fragments that are likely to upset a parser.
const NASTY: [&str; 24] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "...",
    "typedef",
    "struct",
    "__attribute__((",
    "sizeof",
    "({",
    "\"",
    "'",
    "/*",
    "\\",
    "#",
    "\u{e9}",
    "0x",
    "typeof(",
    "T",
];

/// Marsaglia's xorshift: the tests need no dependency for reproducible choices.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn pick(&mut self, items: &[&'static str]) -> &'static str {
        items[self.below(items.len())]
    }
}

#[test]
fn mutated_programs_do_not_panic() {
    let cases = number_from("GORDIAN_FUZZ_CASES").unwrap_or(2_000);
    let seed = number_from("GORDIAN_FUZZ_SEED").unwrap_or(0x9e37_79b9_7f4a_7c15);
    let mut random = Random(seed.max(1));
    let mut accepted = 0;
    for _ in 0..cases {
        let source = mutated_program(&mut random);
        if is_accepted(&source) {
            accepted += 1;
        }
    }
    // Mutations that break everything or nothing would test little.
    assert!(accepted > cases / 100 && accepted < cases, "{accepted} of {cases} accepted");
}

#[test]
fn the_snippets_are_valid() {
    for snippet in SNIPPETS {
        parser_support::dump(snippet);
    }
}

fn number_from(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Parses and, if that succeeds, prints; a rejected program must have been given a reason.
fn is_accepted(source: &[u8]) -> bool {
    match parse_text("fuzz.i", source, &mut Files::new()) {
        Ok(parsed) => {
            ast_print::print_unit(&parsed.unit);
            true
        }
        Err(diagnostics) => {
            let reason = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
            assert!(reason.is_some_and(|error| !error.message.is_empty()));
            assert!(diagnostics.len() <= 3 * frontend::parser::MAX_ERRORS);
            false
        }
    }
}

fn mutated_program(random: &mut Random) -> Vec<u8> {
    let mut pieces = pieces(random.pick(&SNIPPETS));
    if random.below(3) == 0 {
        pieces.extend(self::pieces(random.pick(&SNIPPETS)));
    }
    for _ in 0..1 + random.below(4) {
        mutate(&mut pieces, random);
    }
    let mut source = pieces.concat();
    if random.below(10) == 0 {
        let position = random.below(source.len());
        source.insert(position, random.next() as u8);
    }
    if random.below(10) == 0 {
        source.truncate(random.below(source.len()));
    }
    source
}

fn mutate(pieces: &mut Vec<Vec<u8>>, random: &mut Random) {
    if pieces.is_empty() {
        return;
    }
    let (here, there) = (random.below(pieces.len()), random.below(pieces.len()));
    match random.below(6) {
        0 => drop(pieces.remove(here)),
        1 => pieces.swap(here, there),
        2 => pieces.insert(here, pieces[there].clone()),
        3 => pieces.insert(here, random.pick(&NASTY).as_bytes().to_vec()),
        4 => drop(pieces.drain(here.min(there)..here.max(there).min(here.min(there) + 20))),
        _ => {
            let copy = pieces[here.min(there)..here.max(there)].to_vec();
            pieces.splice(here..here, copy);
        }
    }
}

/// Words, single other characters and blanks: roughly tokens, joined again by concatenation.
fn pieces(source: &str) -> Vec<Vec<u8>> {
    let mut pieces: Vec<Vec<u8>> = Vec::new();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    for byte in source.bytes() {
        match pieces.last_mut() {
            Some(last) if is_word(byte) && last.iter().all(|&earlier| is_word(earlier)) => last.push(byte),
            _ => pieces.push(vec![byte]),
        }
    }
    pieces
}
