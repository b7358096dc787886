//! How much of a thread is one edge. Single-block encoding is the paper's: an edge is one statement or one side of a test. Our own
//! encoding merges what no other thread can notice into the edge before.

use program::{At, InstructionKind, Location, Operand, Program, RegisterId, TerminatorKind};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockEncoding {
    /// A statement, or less where another thread can notice a part of it.
    #[default]
    Single,
    /// Up to the next place that another thread can notice, or the next loop head.
    Merged,
}

/// Whether a statement is over after the instructions that are done.
pub fn statement_is_over(program: &Program, done: &[Location]) -> bool {
    let last = done.iter().rev().find(|&&location| !is_tail(program, location, false));
    last.is_some_and(|&location| ends_statement(program, location))
}

/// Whether the place belongs to the statement before it: jumps, ends of sections and of lives, and returns that compute nothing. The
/// return of a whole thread does in any case.
pub fn is_tail(program: &Program, location: Location, is_outermost: bool) -> bool {
    match program.at(location) {
        At::Instruction(instruction) => {
            matches!(instruction.kind, InstructionKind::AtomicEnd | InstructionKind::End { .. })
        }
        At::Terminator(terminator) => match terminator.kind {
            TerminatorKind::Goto(_) => true,
            TerminatorKind::Return(Some(Operand::Register(_))) => is_outermost,
            TerminatorKind::Return(_) => true,
            _ => false,
        },
    }
}

fn ends_statement(program: &Program, location: Location) -> bool {
    let has_name = |target: &RegisterId| program.functions[location.function].registers[*target].name.is_some();
    let At::Instruction(instruction) = program.at(location) else { return true };
    match &instruction.kind {
        // What others take part in, or what is stored.
        InstructionKind::Store { .. }
        | InstructionKind::ReadModifyWrite { .. }
        | InstructionKind::CompareExchange { .. }
        | InstructionKind::Assume { .. }
        | InstructionKind::Assert { .. }
        | InstructionKind::SetMemory { .. }
        | InstructionKind::CopyMemory { .. }
        | InstructionKind::Spawn { .. }
        | InstructionKind::Join { .. }
        | InstructionKind::Sync { .. } => true,
        // The parameters belong to the first statement of the function.
        InstructionKind::Call { .. } => false,
        kind => kind.targets().iter().any(has_name),
    }
}
