//! A recorded run: for every thread, what decided which instructions it executed and which values came from outside.
//!
//! A thread's instructions are not listed: between two decisions the program itself says what comes next. `path` puts
//! them back together.

use program::effects::effects;
use program::instruction::{Callee, InstructionKind, TerminatorKind};
use program::{At, BlockId, FunctionId, Program, ThreadId};

use crate::places::InstructionPlaces;

/// One run of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recording {
    /// In order of creation; the first is the main thread.
    pub threads: Vec<ThreadRecord>,
    /// Who took steps, in the order of the run: so many visible instructions or atomic sections of this thread.
    pub order: Vec<(ThreadId, u32)>,
    /// By thread, in the order of the instructions; may be missing.
    pub places: Vec<Vec<InstructionPlaces>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadRecord {
    /// The function that the thread runs.
    pub function: FunctionId,
    /// How many instructions the thread has executed.
    pub instructions: u64,
    /// Whether the next instruction is part of the record, too: the thread stood before it when the run ended.
    pub pending: bool,
    pub decisions: Vec<Decision>,
}

/// What an instruction did that the program alone does not tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The block that a branch or a switch went to.
    Jump(BlockId),
    /// The function that an indirect call went to.
    Callee(FunctionId),
    /// The thread that was created.
    Child(ThreadId),
    /// The bits that were read, or came from outside.
    Value(u64),
}

/// Which kind of decision an instruction takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionKind {
    Jump,
    Callee,
    Child,
    Value,
}

impl Decision {
    pub fn kind(self) -> DecisionKind {
        match self {
            Decision::Jump(_) => DecisionKind::Jump,
            Decision::Callee(_) => DecisionKind::Callee,
            Decision::Child(_) => DecisionKind::Child,
            Decision::Value(_) => DecisionKind::Value,
        }
    }
}

/// What has to be recorded of the instruction that stands at a place.
pub fn decision_kind(at: At<'_>) -> Option<DecisionKind> {
    match at {
        At::Terminator(terminator) => match terminator.kind {
            TerminatorKind::Branch { .. } | TerminatorKind::Switch { .. } => Some(DecisionKind::Jump),
            _ => None,
        },
        At::Instruction(instruction) => match &instruction.kind {
            InstructionKind::Call { callee: Callee::Indirect(_), .. } => Some(DecisionKind::Callee),
            InstructionKind::Spawn { .. } => Some(DecisionKind::Child),
            kind => value_register(kind).map(|_| DecisionKind::Value),
        },
    }
}

/// The register that gets a value from memory or from outside.
pub fn value_register(kind: &InstructionKind) -> Option<program::RegisterId> {
    match kind {
        InstructionKind::Load { target, .. } | InstructionKind::Nondet { target, .. } => Some(*target),
        InstructionKind::CompareExchange { old, .. } => Some(*old),
        InstructionKind::ReadModifyWrite { target, .. } | InstructionKind::Library { target, .. } => *target,
        _ => None,
    }
}

/// Whether an instruction that a thread stood before when the run ended becomes part of the record: only what may
/// block, for deadlocks. What would follow anything else is not known.
pub fn can_be_pending(program: &Program, at: At<'_>) -> bool {
    match at {
        At::Terminator(_) => false,
        At::Instruction(instruction) => effects(program, &instruction.kind).class.may_block(),
    }
}
