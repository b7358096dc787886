//! No violation without a replay: the interpreter, which cannot see any encoder, must run into it.

use base::Budget;
use execute::{End, ReplayFailure, ReplayProblem};
use program::{
    Analyses, Instruction, InstructionKind, LibraryFunction, Program, Property, PropertySet, Schedule, Trace,
    UnknownReason,
};

use crate::engine::EngineBug;

/// What the interpreter says about a claimed violation that it does not contradict.
#[derive(Clone, PartialEq, Debug)]
pub enum Replayed {
    /// It runs into the violation.
    Violation(Box<Trace>),
    /// It cannot follow: the replay ends at a limit of the interpreter or in unsupported code.
    Unclear(UnknownReason),
}

/// Replays `schedule`, which is claimed to end in a violation of `property`. A replay that ends otherwise contradicts the
/// engine, which is a bug of ours.
pub fn confirm(analyses: &Analyses<'_>, schedule: &Schedule, property: Property) -> Result<Replayed, EngineBug> {
    // A replay is as long as the schedule; it needs no budget of its own.
    match execute::replay(analyses, schedule, PropertySet::of(&[property]), &Budget::unlimited()) {
        Ok(trace) if trace.violation.property == property => Ok(Replayed::Violation(Box::new(trace))),
        Ok(trace) => {
            let other = trace.violation.property;
            Err(EngineBug(format!("a counterexample for {property} replays as a violation of {other}")))
        }
        Err(failure) => match limit_of(&failure).or_else(|| unfollowed_output(analyses.program, &failure)) {
            Some(reason) => Ok(Replayed::Unclear(reason)),
            None => Err(EngineBug(format!("a counterexample for {property} does not replay: {failure}"))),
        },
    }
}

/// Why the interpreter could not follow, if that says nothing about the claim.
pub fn limit_of(failure: &ReplayFailure) -> Option<UnknownReason> {
    match &failure.problem {
        ReplayProblem::Ended(end) => limit_of_end(end),
        ReplayProblem::Stopped(reason) => Some(UnknownReason::Stopped(*reason)),
        ReplayProblem::NoSuchThread
        | ReplayProblem::ElsewhereInCode
        | ReplayProblem::Refused(_)
        | ReplayProblem::NoViolation => None,
    }
}

/// Engines take it that what is printed with a format that they do not know can be read. Where that is wrong, the execution ends
/// earlier than they think.
fn unfollowed_output(program: &Program, failure: &ReplayFailure) -> Option<UnknownReason> {
    let is_early = matches!(&failure.problem, ReplayProblem::NoViolation | ReplayProblem::Ended(End::Undefined(_)));
    let mut instructions =
        program.functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.instructions);
    let is_unfollowed = |instruction: &&Instruction| {
        let InstructionKind::Library { function, .. } = instruction.kind else { return false };
        matches!(function, LibraryFunction::Vprintf | LibraryFunction::ReadPrinted)
    };
    let found = instructions.find(is_unfollowed).filter(|_| is_early)?;
    let what = "printing with a format that is not a literal, or a va_list".to_owned();
    Some(UnknownReason::Unsupported { what, span: found.span })
}

/// Why an execution that ended like this shows nothing, if that is so.
pub fn limit_of_end(end: &End) -> Option<UnknownReason> {
    match end {
        End::Unsupported { what, span } => Some(UnknownReason::Unsupported { what: what.clone(), span: *span }),
        End::Stopped(reason) => Some(UnknownReason::Stopped(*reason)),
        End::StepLimit => Some(UnknownReason::Limit("the replay of a counterexample takes too many steps".to_owned())),
        End::Undefined(undefined) => {
            let text = format!("the replay of a counterexample ends in undefined behaviour: {}", undefined.what);
            Some(UnknownReason::Limit(text))
        }
        End::Finished { .. } | End::Stuck | End::Violated(_) => None,
    }
}

impl Replayed {
    /// The answer about the property.
    pub fn into_outcome(self) -> program::Outcome {
        match self {
            Replayed::Violation(trace) => program::Outcome::Violated(trace),
            Replayed::Unclear(reason) => program::Outcome::Unknown(reason),
        }
    }
}
