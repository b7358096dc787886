//! Reads whose value goes into assertions only: the constrained model leaves them free, as the paper leaves the
//! condition of an assertion symbolic. So are handles of threads that are joined: which number a thread gets depends on the
//! order. What is passed to a function or returned from one counts as used elsewhere.

use program::instruction::{InstructionKind, TerminatorKind};
use program::{At, Operand, Program, RegisterId};
use rustc_hash::FxHashSet;

use crate::assertion_branch::failures;
use crate::path::PathStep;
use crate::recording::{Decision, value_register};

/// Their indices in `path`.
pub fn reads_for_assertions(program: &Program, path: &[PathStep]) -> FxHashSet<usize> {
    let activations = activations(program, path);
    let mut free = FxHashSet::default();
    // Going backwards, the registers (with their activation) whose value matters besides assertions.
    let mut needed: FxHashSet<(u32, RegisterId)> = FxHashSet::default();
    for (index, step) in path.iter().enumerate().rev() {
        let activation = activations[index];
        match program.at(step.location) {
            At::Instruction(instruction) => {
                let kind = &instruction.kind;
                let targets = kind.targets();
                let wanted = targets.iter().filter(|&&target| needed.remove(&(activation, target))).count() > 0;
                if value_register(kind).is_some() && !wanted {
                    free.insert(index);
                }
                let is_idle = matches!(kind, InstructionKind::Assign { .. }) && !wanted;
                let is_free = matches!(
                    kind,
                    InstructionKind::Assert { .. } | InstructionKind::Join { .. } | InstructionKind::Detach { .. }
                );
                if !is_idle && !is_free {
                    need(&mut needed, activation, &kind.operands());
                }
            }
            At::Terminator(terminator) => {
                if !is_assertion(program, step, &terminator.kind) {
                    need(&mut needed, activation, terminator.kind.operand().as_slice());
                }
            }
        }
    }
    free
}

fn need(needed: &mut FxHashSet<(u32, RegisterId)>, activation: u32, operands: &[Operand]) {
    for operand in operands {
        if let Operand::Register(register) = operand {
            needed.insert((activation, *register));
        }
    }
}

/// Whether all that depends on a branch is whether an assertion fails.
fn is_assertion(program: &Program, step: &PathStep, kind: &TerminatorKind) -> bool {
    let (TerminatorKind::Branch { then, otherwise, .. }, Some(Decision::Jump(taken))) = (kind, step.decision) else {
        return false;
    };
    let left_out = if taken == *then { *otherwise } else { *then };
    !failures(program, step.location.function, left_out).is_empty()
}

/// The number of the activation that each instruction belongs to.
fn activations(program: &Program, path: &[PathStep]) -> Vec<u32> {
    let mut open = vec![0];
    let mut made = 1;
    let mut activations = Vec::with_capacity(path.len());
    for step in path {
        activations.push(open.last().copied().unwrap_or(0));
        match program.at(step.location) {
            At::Instruction(i) if matches!(i.kind, InstructionKind::Call { .. }) => {
                open.push(made);
                made += 1;
            }
            At::Terminator(t) if matches!(t.kind, TerminatorKind::Return(_)) => drop(open.pop()),
            _ => {}
        }
    }
    activations
}
