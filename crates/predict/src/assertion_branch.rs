//! `assert(c)` is a branch around a failure. In a run that passed, the failing side was not executed; it still belongs to
//! the event (the paper's `assert(c)`), since all that it does is to fail.

use program::instruction::{Callee, InstructionKind, TerminatorKind};
use program::{BlockId, FunctionId, Location, Operand, Program};
use rustc_hash::FxHashSet;

/// The failing `Assert`s that control comes to without fail from the beginning of a block, before it does anything that
/// another thread could see and before it decides anything.
pub fn failures(program: &Program, function: FunctionId, block: BlockId) -> Vec<Location> {
    let mut failures = Vec::new();
    let mut at = (function, block);
    let mut seen = FxHashSet::default();
    while seen.insert(at) {
        let body = &program.functions[at.0].blocks[at.1];
        let mut next = match body.terminator.kind {
            TerminatorKind::Goto(target) => Some((at.0, target)),
            _ => None,
        };
        for (index, instruction) in body.instructions.iter().enumerate() {
            match &instruction.kind {
                InstructionKind::Assert { condition: Operand::FALSE, .. } => {
                    failures.push(Location { function: at.0, block: at.1, index: index as u32 });
                }
                InstructionKind::Assert { .. } | InstructionKind::Assign { .. } => {}
                InstructionKind::Call { callee: Callee::Direct(callee), .. } => {
                    next = Some((*callee, program::Function::ENTRY));
                    break;
                }
                _ => return failures,
            }
        }
        match next {
            Some(target) => at = target,
            None => break,
        }
    }
    failures
}
