//! One text, which may be anything, through everything that reads C: front end, verifier of the IR, text form and back,
//! a short run. Whatever the text is, nothing may panic, and what comes out of a stage must be fit for the next.

use base::{Budget, Files};
use execute::{Config, RandomChoices, RandomScheduler, RunOptions};
use frontend::{CompileFailure, CompileOptions};
use program::{DataModel, Program, Property, Visibility, verify};

use crate::subject::caught;

/// How far a text came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Survival {
    /// With at least one error that says why.
    Rejected,
    /// Compiled, but not run: its globals are more than the interpreter can hold.
    TooLarge,
    /// Compiled and run for a while, or to its end.
    Ran,
}

/// We are wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FrontendBug {
    Panic(String),
    RejectedWithoutReason,
    IllFormed(String),
    /// The text form does not parse, or parses as another program.
    TextForm(String),
}

impl std::fmt::Display for FrontendBug {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FrontendBug::Panic(message) => write!(f, "panic: {message}"),
            FrontendBug::RejectedWithoutReason => f.write_str("rejected without a reason"),
            FrontendBug::IllFormed(flaw) => write!(f, "the program is ill-formed: {flaw}"),
            FrontendBug::TextForm(message) => write!(f, "text form: {message}"),
        }
    }
}

/// Steps, and instructions between two steps, of the run.
const STEPS: u64 = 300;
const FUEL: u64 = 5_000;
const CALL_DEPTH: usize = 1_000;

/// Sends `text` through all stages; `seed` decides the data model and the schedule.
pub fn survive(text: &[u8], seed: u64) -> Result<Survival, FrontendBug> {
    caught(|| stages(text, seed)).unwrap_or_else(|message| Err(FrontendBug::Panic(message)))
}

fn stages(text: &[u8], seed: u64) -> Result<Survival, FrontendBug> {
    let valid = String::from_utf8_lossy(text);
    if valid.as_bytes() != text {
        // The parser reads bytes; the whole front end reads valid text.
        drop(frontend::parse_text("mutant.c", text, &mut Files::new()));
    }
    let data_model = if seed.is_multiple_of(4) { DataModel::Ilp32 } else { DataModel::Lp64 };
    let options = CompileOptions { data_model, ..CompileOptions::default() };
    match frontend::compile_text("mutant.c", &valid, &options) {
        Ok(compiled) => {
            check_form(&compiled.program)?;
            Ok(run_a_while(&compiled.program, seed))
        }
        Err(failure) if is_explained(&failure) => Ok(Survival::Rejected),
        Err(_) => Err(FrontendBug::RejectedWithoutReason),
    }
}

fn is_explained(failure: &CompileFailure) -> bool {
    failure.diagnostics.iter().any(|diagnostic| diagnostic.is_error() && !diagnostic.message.is_empty())
}

/// Whether a program is well-formed and its text form parses back to it.
pub fn check_form(program: &Program) -> Result<(), FrontendBug> {
    if let Some(flaw) = verify::verify(program).first() {
        return Err(FrontendBug::IllFormed(format!("{flaw:?}")));
    }
    let text = program.to_string();
    match text.parse::<Program>() {
        // The texts of the source files are not part of the text form.
        Ok(again) if again == (Program { files: again.files.clone(), ..program.clone() }) => Ok(()),
        Ok(_) => Err(FrontendBug::TextForm("parses as another program".to_owned())),
        Err(error) => Err(FrontendBug::TextForm(format!("{error:?}"))),
    }
}

fn run_a_while(program: &Program, seed: u64) -> Survival {
    let visibility = Visibility::new(program);
    let Ok(code) = execute::Code::new(program, &visibility) else { return Survival::TooLarge };
    let mut options = RunOptions::new(Property::ALL.into_iter().collect());
    // Many mutants never end, with or without other threads.
    options.config = Config { fuel: FUEL, lone_fuel: FUEL, call_depth: CALL_DEPTH, ..options.config };
    options.max_steps = Some(STEPS);
    let mut scheduler = RandomScheduler::new(seed);
    execute::run_code(&code, &options, &mut scheduler, &mut RandomChoices::new(seed), &Budget::unlimited());
    Survival::Ran
}
