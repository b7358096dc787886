//! The text form, the verifier and the analyses of programs.

mod control_flow;
mod effects;
mod generator;
mod round_trip;
mod sharing;
mod verifier;
mod visibility;

use program::Program;

/// Reads a hand-written program and checks that it is well formed.
fn program(text: &str) -> Program {
    let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let flaws = program::verify::verify(&program);
    assert!(flaws.is_empty(), "{flaws:?}");
    program
}
