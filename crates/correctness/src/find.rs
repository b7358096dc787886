//! Invariants that can be told about a program: guessed from its text, put into it as assertions, and kept if the
//! thread-modular engine proves all that are left together (Flanagan and Leino's Houdini, FME 2001, over C expressions).
//!
//! Guarantee: what is returned holds in every execution, whenever a thread is at the place, with all other threads
//! anywhere. That is more than the witness format asks for, where others are at sequence points.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use base::{Budget, Span, Statistics};
use engines::{CheckOptions, Job, Silent, assertions_proved};
use frontend::CompileOptions;
use frontend::invariant_candidates::{Candidate, conjunctions};
use frontend::placed_check::CheckKind;
use program::{Analyses, At, InstructionKind, Location, Program, Property, PropertySet};

/// Invariants are worth so much time, and at most so large a part of what is left.
const LONGEST: Duration = Duration::from_secs(10);
const PART: u32 = 2;

/// Something that holds whenever a thread is at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub kind: CheckKind,
    pub file_name: String,
    pub span: Span,
    /// A C expression over the variables in scope there.
    pub expression: String,
}

/// All that is found, one invariant for each place.
pub fn find(files: &[PathBuf], options: &CompileOptions, budget: &Budget) -> Vec<Invariant> {
    let most = budget.remaining_time().map_or(LONGEST, |left| LONGEST.min(left / PART));
    let budget = Budget { deadline: Instant::now().checked_add(most), ..budget.clone() };
    let asking = CompileOptions { propose_invariants: true, ..options.clone() };
    let Ok(compiled) = frontend::compile(files, &asking) else { return Vec::new() };
    let name = |candidate: &Candidate| compiled.program.files.path(candidate.span.file).to_owned();
    let guesses: Vec<Guess> = compiled.candidates.iter().map(|guess| Guess::new(guess, name(guess))).collect();
    told(&proved(guesses, files, options, &budget))
}

#[derive(Clone)]
struct Guess {
    candidate: Candidate,
    file_name: String,
    expression: String,
}

impl Guess {
    fn new(candidate: &Candidate, file_name: String) -> Self {
        Self { candidate: candidate.clone(), file_name, expression: candidate.to_string() }
    }
}

/// Those of the guesses that hold together.
fn proved(mut guesses: Vec<Guess>, files: &[PathBuf], options: &CompileOptions, budget: &Budget) -> Vec<Guess> {
    while !guesses.is_empty() {
        let mut checks = Vec::new();
        let mut origin = Vec::new();
        for (index, guess) in guesses.iter().enumerate() {
            let own = guess.candidate.checks(&guess.file_name);
            origin.extend(own.iter().map(|_| index));
            checks.extend(own);
        }
        let instrumented = CompileOptions { checks, ..options.clone() };
        let Ok(compiled) = frontend::compile(files, &instrumented) else { return Vec::new() };
        let mut wrong: Vec<bool> = vec![false; guesses.len()];
        for misplaced in &compiled.misplaced {
            wrong[origin[misplaced.check]] = true;
        }
        if !wrong.contains(&true) {
            let Some(failing) = failing(&compiled.program, budget) else { return Vec::new() };
            for (span, message) in &failing {
                let fails = |guess: &Guess| {
                    guess.candidate.span == *span && message.contains(&format!("`{}`", guess.expression))
                };
                guesses.iter().zip(&mut wrong).filter(|(guess, _)| fails(guess)).for_each(|(_, wrong)| *wrong = true);
            }
            if failing.is_empty() {
                return guesses;
            }
            if !wrong.contains(&true) {
                return Vec::new();
            }
        }
        let mut kept = wrong.iter();
        guesses.retain(|_| !kept.next().is_some_and(|wrong| *wrong));
    }
    guesses
}

/// The places and messages of the assertions that may fail; `None` if nothing can be said.
fn failing(program: &Program, budget: &Budget) -> Option<Vec<(Span, String)>> {
    let job = Job {
        analyses: &Analyses::new(program),
        properties: PropertySet::of(&[Property::Assert]),
        options: &CheckOptions::default(),
        budget,
        observer: &Silent,
    };
    let failing = assertions_proved::may_fail(&job, budget, &mut Statistics::new())?;
    failing.into_iter().map(|location| assertion(program, location)).collect()
}

fn assertion(program: &Program, location: Location) -> Option<(Span, String)> {
    match program.at(location) {
        At::Instruction(instruction) => match &instruction.kind {
            InstructionKind::Assert { message, .. } => Some((instruction.span, message.clone())),
            _ => None,
        },
        At::Terminator(_) => None,
    }
}

/// One invariant for each place.
fn told(guesses: &[Guess]) -> Vec<Invariant> {
    let candidates: Vec<Candidate> = guesses.iter().map(|guess| guess.candidate.clone()).collect();
    let file_name =
        |span: Span| guesses.iter().find(|guess| guess.candidate.span == span).map(|guess| &guess.file_name);
    let placed = conjunctions(&candidates).into_iter();
    let told = placed.filter_map(|(kind, span, expression)| {
        Some(Invariant { kind, file_name: file_name(span)?.clone(), span, expression })
    });
    told.collect()
}
