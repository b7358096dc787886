//! Invariants that can be told about a program: guessed from its text, put into it as assertions, and kept if the
//! thread-modular engine proves all that are left together (Flanagan and Leino's Houdini, FME 2001, over C expressions).
//!
//! Guarantee: what is returned holds in every execution, whenever a thread is at the place, with all other threads
//! anywhere. That is more than the witness format asks for, where others are at sequence points.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use base::{Budget, Span, Statistics};
use engines::assertions_proved;
use frontend::CompileOptions;
use frontend::invariant_candidates::{InvariantGuess, conjunctions};
use frontend::placed_check::CheckKind;
use program::{Analyses, At, Instruction, InstructionKind, Location, Program};
use transform::{Transform, WithoutAssertions};

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
    let name = |candidate: &InvariantGuess| compiled.program.files.path(candidate.span.file).to_owned();
    let guesses: Vec<Guess> = compiled.candidates.iter().map(|guess| Guess::new(guess, name(guess))).collect();
    told(&proved(guesses, files, options, &budget))
}

#[derive(Clone)]
struct Guess {
    candidate: InvariantGuess,
    file_name: String,
    expression: String,
}

impl Guess {
    fn new(candidate: &InvariantGuess, file_name: String) -> Self {
        Self { candidate: candidate.clone(), file_name, expression: candidate.to_string() }
    }
}

/// Those of the guesses that hold together.
fn proved(mut guesses: Vec<Guess>, files: &[PathBuf], options: &CompileOptions, budget: &Budget) -> Vec<Guess> {
    let Some(program) = instrumented(&mut guesses, files, options) else { return Vec::new() };
    let analyses = Analyses::new(&program);
    let assertions = Assertions::new(&program, &guesses);
    let mut dropped = BTreeSet::new();
    loop {
        let failing = match (WithoutAssertions { at: &dropped }).apply(&analyses) {
            None => may_fail(&analyses, budget),
            Some(rest) => may_fail(&Analyses::new(&rest.program), budget)
                .and_then(|failing| failing.into_iter().map(|new| rest.back.location(new)).collect()),
        };
        let Some(failing) = failing else { return Vec::new() };
        if failing.is_empty() {
            break;
        }
        let before = dropped.len();
        dropped.extend(failing.iter().flat_map(|failing| assertions.of_same_guess(*failing)));
        // An assertion of the program itself cannot be given up.
        if dropped.len() == before {
            return Vec::new();
        }
    }
    let wrong: BTreeSet<usize> = dropped.iter().flat_map(|location| assertions.guesses(*location)).collect();
    let kept = guesses.into_iter().enumerate().filter(|(index, _)| !wrong.contains(index));
    kept.map(|(_, guess)| guess).collect()
}

/// The program with the guesses in it as assertions. Guesses for which there is no place are dropped.
fn instrumented(guesses: &mut Vec<Guess>, files: &[PathBuf], options: &CompileOptions) -> Option<Program> {
    while !guesses.is_empty() {
        let mut checks = Vec::new();
        let mut origin = Vec::new();
        for (index, guess) in guesses.iter().enumerate() {
            let own = guess.candidate.checks(&guess.file_name);
            origin.extend(own.iter().map(|_| index));
            checks.extend(own);
        }
        let compiled = frontend::compile(files, &CompileOptions { checks, ..options.clone() }).ok()?;
        if compiled.misplaced.is_empty() {
            return Some(compiled.program);
        }
        let wrong: BTreeSet<usize> = compiled.misplaced.iter().map(|misplaced| origin[misplaced.check]).collect();
        let mut index = 0..;
        guesses.retain(|_| index.next().is_some_and(|index| !wrong.contains(&index)));
    }
    None
}

/// The assertions of a program and the guesses that they stand for.
struct Assertions(BTreeMap<Location, Vec<usize>>);

impl Assertions {
    fn new(program: &Program, guesses: &[Guess]) -> Self {
        let mut all = BTreeMap::new();
        for location in program.functions.iter_enumerated().flat_map(|(id, function)| function.locations(id)) {
            let At::Instruction(Instruction { kind, span }) = program.at(location) else { continue };
            let InstructionKind::Assert { message, .. } = kind else { continue };
            let is_meant =
                |guess: &Guess| guess.candidate.span == *span && message.contains(&format!("`{}`", guess.expression));
            let meant = guesses.iter().enumerate().filter(|(_, guess)| is_meant(guess));
            all.insert(location, meant.map(|(index, _)| index).collect());
        }
        Self(all)
    }

    fn guesses(&self, location: Location) -> impl Iterator<Item = usize> + '_ {
        self.0.get(&location).into_iter().flatten().copied()
    }

    /// All assertions of the guesses to which this one belongs.
    fn of_same_guess(&self, location: Location) -> Vec<Location> {
        let wanted: Vec<usize> = self.guesses(location).collect();
        let is_wanted = |guesses: &[usize]| guesses.iter().any(|guess| wanted.contains(guess));
        self.0.iter().filter(|(_, guesses)| is_wanted(guesses)).map(|(location, _)| *location).collect()
    }
}

/// The assertions that may fail; `None` if nothing can be said.
fn may_fail(analyses: &Analyses<'_>, budget: &Budget) -> Option<Vec<Location>> {
    assertions_proved::may_fail(analyses, budget, &mut Statistics::new())
}

/// One invariant for each place.
fn told(guesses: &[Guess]) -> Vec<Invariant> {
    let candidates: Vec<InvariantGuess> = guesses.iter().map(|guess| guess.candidate.clone()).collect();
    let file_name =
        |span: Span| guesses.iter().find(|guess| guess.candidate.span == span).map(|guess| &guess.file_name);
    let placed = conjunctions(&candidates).into_iter();
    let told = placed.filter_map(|(kind, span, expression)| {
        Some(Invariant { kind, file_name: file_name(span)?.clone(), span, expression })
    });
    told.collect()
}
