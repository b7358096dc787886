//! Printing and reading back.

use program::verify::verify;
use program::{DataModel, Program};

use crate::generator::{Random, random_program};

#[test]
fn random_programs_are_well_formed_and_survive_printing() {
    for seed in 0..400 {
        let program = random_program(seed);
        let flaws = verify(&program);
        assert!(flaws.is_empty(), "seed {seed}: {flaws:?}");
        let text = program.to_string();
        let again: Program = text.parse().unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(again, program, "seed {seed}");
    }
}

#[test]
fn damaged_texts_are_refused_or_read_but_never_panic() {
    let mut random = Random::new(7);
    let (mut refused, mut read) = (0, 0);
    for seed in 0..60 {
        let text = random_program(seed).to_string();
        for _ in 0..20 {
            let damaged = damage(&mut random, &text);
            match damaged.parse::<Program>() {
                Ok(program) => {
                    // What is read can be checked and printed, whatever it is.
                    verify(&program);
                    assert_eq!(program.to_string().parse(), Ok(program));
                    read += 1;
                }
                Err(error) => {
                    assert!(error.line <= damaged.lines().count(), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 300 && read > 100, "{refused} refused, {read} read");
}

fn damage(random: &mut Random, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let position = random.below(characters.len());
    match random.below(5) {
        0 => drop(characters.remove(position)),
        1 => characters.insert(position, random.pick(&['0', '9', 'r', '"', '\\', '-', '{', '\n', 'é'])),
        2 => characters[position] = random.pick(&['1', 'g', ',', '[', '@', ' ']),
        3 => characters.truncate(position),
        _ => {
            let other = random.below(characters.len());
            characters.swap(position, other);
        }
    }
    characters.into_iter().collect()
}

#[test]
fn the_form_is_as_documented() {
    let text = r#"program ilp32 entry f0
file file0 "a.c"
shape shape0 = scalar i32
shape shape1 = record "struct pair" { "left" 0 shape0, "right" 4 shape0 }
global g0 "x" size 4 align 4 shape0 bytes 2a000000 @file0:1:5+1
global g1 "p" size 8 align 4 shape1 addresses { 0 g0+4, 4 f1 } thread-local
function f0 "entry" () built-in {
  register r0 i32
  register r1 i1
  local m0 "buffer" size 8 align 8 shape1 @file0:4:3+6
b0:
  begin m0
  r0 = load i32 [g0-4] plain @file0:4:7+1
  r0, r1 = cmpxchg weak i32 [m0+4], r0, -1:i32 seq_cst acquire
  r0 = add signed i32 r0, 5:i32
  assert r1 unreach-call "it \"never\" fails"
  branch true, b1, b0
b1:
  process-exit 0:i32
}
function f1 "worker" (r0) -> ptr @file0:9:1+6 {
  register r0 ptr "argument"
b0:
  return r0 @file0:9:9+1
}
"#;
    let program = crate::program(text);
    assert_eq!(program.data_model, DataModel::Ilp32);
    assert_eq!(program.to_string(), text);
}

#[test]
fn errors_name_their_line() {
    let cases = [
        ("", 0, "empty"),
        ("program lp64", 1, "`entry`"),
        ("program lp128 entry f0", 1, "data model"),
        ("program lp64 entry f0\n\n# comment\nglobal g1 \"x\"", 4, "g0 is expected"),
        ("program lp64 entry f0\nglobal g0 \"x size", 2, "not closed"),
        ("program lp64 entry f0\nfile file0 \"a\"\nfile file1 \"a\"", 3, "twice"),
        ("program lp64 entry f0\nfunction f0 \"m\" () {\nb0:\n  r0 = nonsense 4", 4, "operand"),
        ("program lp64 entry f0\nfunction f0 \"m\" () {\nb0:\n  r0 = store i32 [g0], r1 plain", 4, "no result"),
        ("program lp64 entry f0\nfunction f0 \"m\" () {\nb0:\n  return 99999999999999999999:i64", 4, "constant"),
        ("program lp64 entry f0\nfunction f0 \"m\" () {\nb0:\n  return extra", 4, "operand"),
        ("program lp64 entry f0\nfunction f0 \"m\" () {\nb0:\n  yield", 4, "not closed"),
        ("program lp64 entry f4294967296", 1, "number"),
    ];
    for (text, line, part) in cases {
        let error = text.parse::<Program>().expect_err(text);
        assert_eq!(error.line, line, "{text:?}: {error}");
        assert!(error.message.contains(part), "{text:?}: {error}");
    }
}
