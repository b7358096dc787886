//! The text form that can be read back.

use std::fmt;

use terms::{TermId, TermReader, TermText, Terms, Tokens, evaluate};

use crate::random::{self, Random, random_assignment};

/// Definitions, and one line `root TERM` per root.
struct Script<'a>(&'a Terms, &'a [TermId]);

impl fmt::Display for Script<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = TermText::new(self.0, self.1.iter().copied());
        text.write_definitions(f)?;
        self.1.iter().try_for_each(|&root| writeln!(f, "root {}", text.show(root)))
    }
}

fn read(text: &str) -> Result<(Terms, Vec<TermId>), String> {
    let (mut reader, mut roots) = (TermReader::default(), Vec::new());
    for line in text.lines() {
        let mut tokens = Tokens::new(line);
        match tokens.peek() {
            "variable" => {
                tokens.word()?;
                reader.declare(&mut tokens)?;
            }
            "root" => {
                tokens.word()?;
                roots.push(reader.term(&mut tokens)?);
                tokens.end()?;
            }
            _ => reader.define(&mut tokens)?,
        }
    }
    Ok((reader.terms, roots))
}

#[test]
fn what_is_used_once_is_spelled_out() {
    let mut t = Terms::new();
    let x = t.bv_variable("main x", 8);
    let one = t.constant(8, 1);
    let sum = t.add(x, one);
    let (less, square) = (t.ult(sum, x), t.mul(sum, sum));
    let expected = "\
variable main_x#0 8
%0 = (bvadd main_x#0 1:8)
root (bvult %0 main_x#0)
root (bvmul %0 %0)
";
    assert_eq!(Script(&t, &[less, square]).to_string(), expected);
}

#[test]
fn random_terms_come_back() {
    let mut random = Random::new(11);
    for round in 0..400 {
        let mut t = if round % 2 == 0 { Terms::new() } else { Terms::without_rewriting() };
        let width = [1, 2, 7, 8, 32, 64][round % 6];
        let root = random::term(&mut t, &mut random, width, 40);
        let text = Script(&t, &[root]).to_string();
        let (back, roots) = read(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!(Script(&back, &roots).to_string(), text);
        // The same value under the same values of the variables, which come in the same order.
        let assignment = random_assignment(&t, &mut random);
        let mut moved = terms::Assignment::new();
        let kept = t.variables().filter(|&v| text.contains(&format!(" {}#", t.variable_name(v))));
        for (own, other) in kept.zip(back.variables()) {
            moved.set(other, evaluate(&t, t.variable_term(own), &assignment));
        }
        assert_eq!(evaluate(&t, root, &assignment), evaluate(&back, roots[0], &moved), "{text}");
    }
}

#[test]
fn texts_that_do_not_fit_are_refused() {
    for (text, reason) in [
        ("root (bvadd 1:8 1:9)", "do not fit"),
        ("root (and true 1:8)", "do not fit"),
        ("root (extract 8 0 1:8)", "do not fit"),
        ("root 256:8", "more than 8 bits"),
        ("root %0", "no term"),
        ("root x#0", "no term"),
        ("root (frob true)", "no operator"),
        ("root (not true", "`)`"),
        ("root true true", "too much"),
        ("variable x#1 8", "should be number 0"),
        ("variable x#0 65", "no width"),
        ("%1 = true", "should be %0"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.contains(reason), "{text}: {error}");
    }
    let deep = format!("root {}true{}", "(not ".repeat(100_000), ")".repeat(100_000));
    assert!(read(&deep).is_err_and(|error| error.contains("too deeply")));
}
