//! Which registers an instruction defines and which operands it uses, in one place for all analyses.

use smallvec::{SmallVec, smallvec};

use crate::instruction::{Callee, InstructionKind, Operand, Rvalue, TerminatorKind};
use crate::program_::{LocalId, RegisterId};

impl Rvalue {
    /// The operands in the order in which they are written.
    pub fn operands(&self) -> SmallVec<[Operand; 3]> {
        match *self {
            Rvalue::Use(operand) | Rvalue::Unary { operand, .. } | Rvalue::Cast { operand, .. } => smallvec![operand],
            Rvalue::Binary { left, right, .. } | Rvalue::PointerDifference { left, right } => smallvec![left, right],
            Rvalue::PointerAdd { pointer, offset } => smallvec![pointer, offset],
            Rvalue::Select { condition, then, otherwise, .. } => smallvec![condition, then, otherwise],
        }
    }
}

impl InstructionKind {
    /// The local that the instruction writes straight to, which is how a constant one is initialised.
    pub fn initialised_local(&self) -> Option<LocalId> {
        match self {
            InstructionKind::Store { address: Operand::Local { local, .. }, .. }
            | InstructionKind::CopyMemory { target: Operand::Local { local, .. }, .. }
            | InstructionKind::SetMemory { target: Operand::Local { local, .. }, .. } => Some(*local),
            _ => None,
        }
    }

    /// The registers that the instruction writes.
    pub fn targets(&self) -> SmallVec<[RegisterId; 2]> {
        match self {
            InstructionKind::Assign { target, .. }
            | InstructionKind::Load { target, .. }
            | InstructionKind::Nondet { target, .. }
            | InstructionKind::Allocate { target, .. }
            | InstructionKind::Reallocate { target, .. }
            | InstructionKind::Spawn { target, .. }
            | InstructionKind::CurrentThread { target } => smallvec![*target],
            InstructionKind::ReadModifyWrite { target, .. }
            | InstructionKind::Call { target, .. }
            | InstructionKind::Sync { target, .. }
            | InstructionKind::Library { target, .. } => target.iter().copied().collect(),
            InstructionKind::CompareExchange { old, success, .. } => smallvec![*old, *success],
            InstructionKind::Join { target, error, .. } => target.iter().chain(error).copied().collect(),
            InstructionKind::Detach { error, .. } => error.iter().copied().collect(),
            InstructionKind::Store { .. }
            | InstructionKind::Fence { .. }
            | InstructionKind::Assume { .. }
            | InstructionKind::Assert { .. }
            | InstructionKind::Free { .. }
            | InstructionKind::Begin { .. }
            | InstructionKind::End { .. }
            | InstructionKind::CopyMemory { .. }
            | InstructionKind::SetMemory { .. }
            | InstructionKind::LeaveProcess
            | InstructionKind::AtomicBegin
            | InstructionKind::AtomicEnd
            | InstructionKind::Yield
            | InstructionKind::Unsupported { .. } => SmallVec::new(),
        }
    }

    /// The operands that the instruction uses, in the order in which they are declared.
    pub fn operands(&self) -> SmallVec<[Operand; 4]> {
        match self {
            InstructionKind::Assign { value, .. } => value.operands().into_iter().collect(),
            InstructionKind::Load { address, .. } | InstructionKind::Free { address, .. } => smallvec![*address],
            InstructionKind::Store { address, value, .. } | InstructionKind::ReadModifyWrite { address, value, .. } => {
                smallvec![*address, *value]
            }
            InstructionKind::CompareExchange { address, expected, desired, .. } => {
                smallvec![*address, *expected, *desired]
            }
            InstructionKind::Assume { condition } | InstructionKind::Assert { condition, .. } => smallvec![*condition],
            InstructionKind::Allocate { size, .. } => smallvec![*size],
            InstructionKind::Reallocate { address, size, .. } => smallvec![*address, *size],
            InstructionKind::CopyMemory { target, source, size, .. } => smallvec![*target, *source, *size],
            InstructionKind::SetMemory { target, byte, size } => smallvec![*target, *byte, *size],
            InstructionKind::Call { callee, arguments, .. } => {
                callee.operand().into_iter().chain(arguments.iter().copied()).collect()
            }
            InstructionKind::Spawn { store, function, argument, detached, .. } => {
                function.operand().into_iter().chain([*argument, *detached]).chain(*store).collect()
            }
            InstructionKind::Join { thread, .. } | InstructionKind::Detach { thread, .. } => smallvec![*thread],
            InstructionKind::Sync { operands, .. } => operands.iter().copied().collect(),
            InstructionKind::Library { arguments, .. } => arguments.iter().copied().collect(),
            InstructionKind::Fence { .. }
            | InstructionKind::Nondet { .. }
            | InstructionKind::Begin { .. }
            | InstructionKind::End { .. }
            | InstructionKind::CurrentThread { .. }
            | InstructionKind::LeaveProcess
            | InstructionKind::AtomicBegin
            | InstructionKind::AtomicEnd
            | InstructionKind::Yield
            | InstructionKind::Unsupported { .. } => SmallVec::new(),
        }
    }
}

impl Callee {
    /// The pointer that an indirect call goes through.
    pub fn operand(&self) -> Option<Operand> {
        match self {
            Callee::Direct(_) => None,
            Callee::Indirect(operand) => Some(*operand),
        }
    }
}

impl TerminatorKind {
    /// The operand that the terminator uses, if any.
    pub fn operand(&self) -> Option<Operand> {
        match self {
            TerminatorKind::Branch { condition, .. } => Some(*condition),
            TerminatorKind::Switch { value, .. } => Some(*value),
            TerminatorKind::Return(value) => *value,
            TerminatorKind::ThreadExit(value) => Some(*value),
            TerminatorKind::ProcessExit { status, .. } => Some(*status),
            TerminatorKind::Goto(_) | TerminatorKind::Unreachable => None,
        }
    }
}
