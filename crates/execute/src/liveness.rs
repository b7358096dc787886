//! Which registers still matter where a thread rests: before a visible instruction, and after each call for the callers.
//! The usual backward data-flow analysis, function by function. A dead register tells states apart that have the same
//! future, and keeps memory reachable that no code can reach.

use base::{Id, IdVec};
use program::{Block, BlockId, Function, InstructionKind, Operand, Program};

/// A set of registers, one bit each.
type Registers = Box<[u64]>;

#[derive(Clone, Debug)]
pub struct Liveness {
    /// By position in the decoded program; none where no thread rests.
    live: Vec<Option<Registers>>,
}

impl Liveness {
    /// For the decoded form of `program`: all functions in order, block by block; `visible` by position.
    pub fn new(program: &Program, visible: &[bool]) -> Self {
        let mut live = Vec::with_capacity(visible.len());
        for function in &program.functions {
            let at_end = live_at_ends(function);
            for (block, body) in function.blocks.iter_enumerated() {
                let start = live.len();
                live.extend(live_inside(body, at_end[block].clone()));
                let is_call = |index: usize| matches!(body.instructions[index].kind, InstructionKind::Call { .. });
                for (index, set) in live[start..].iter_mut().enumerate() {
                    let after_call = index > 0 && is_call(index - 1);
                    if !visible[start + index] && !after_call {
                        *set = None;
                    }
                }
            }
        }
        Self { live }
    }

    /// Whether the value of a register may still be used from a position on; `true` where that is not known.
    #[inline]
    pub fn is_live(&self, pc: u32, register: u32) -> bool {
        match &self.live[pc as usize] {
            Some(set) => set[register as usize / 64] >> (register % 64) & 1 != 0,
            None => true,
        }
    }
}

fn set_bit(set: &mut [u64], register: usize, value: bool) {
    let (word, bit) = (register / 64, register % 64);
    set[word] = set[word] & !(1 << bit) | u64::from(value) << bit;
}

fn use_operand(set: &mut [u64], operand: Operand) {
    if let Operand::Register(register) = operand {
        set_bit(set, register.index(), true);
    }
}

/// The live registers before each instruction and the terminator of a block, from those at its end.
fn live_inside(body: &Block, at_end: Registers) -> Vec<Option<Registers>> {
    let mut set = at_end;
    let mut sets = vec![None; body.instructions.len() + 1];
    body.terminator.kind.operand().into_iter().for_each(|operand| use_operand(&mut set, operand));
    sets[body.instructions.len()] = Some(set.clone());
    for (index, instruction) in body.instructions.iter().enumerate().rev() {
        step_back(&mut set, &instruction.kind);
        sets[index] = Some(set.clone());
    }
    sets
}

fn step_back(set: &mut [u64], kind: &InstructionKind) {
    kind.targets().into_iter().for_each(|target| set_bit(set, target.index(), false));
    kind.operands().into_iter().for_each(|operand| use_operand(set, operand));
}

/// The live registers after the terminator of each block: a fixpoint over the blocks, last ones first.
fn live_at_ends(function: &Function) -> IdVec<BlockId, Registers> {
    let words = function.registers.len().div_ceil(64);
    let empty: Registers = vec![0; words].into();
    let mut at_end: IdVec<BlockId, Registers> = function.blocks.iter().map(|_| empty.clone()).collect();
    let mut at_start = at_end.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for block in function.blocks.ids().rev() {
            let body = &function.blocks[block];
            let mut set = empty.clone();
            for successor in body.terminator.kind.successors() {
                set.iter_mut().zip(&at_start[successor]).for_each(|(word, other)| *word |= other);
            }
            at_end[block].clone_from(&set);
            body.terminator.kind.operand().into_iter().for_each(|operand| use_operand(&mut set, operand));
            body.instructions.iter().rev().for_each(|instruction| step_back(&mut set, &instruction.kind));
            if set != at_start[block] {
                at_start[block] = set;
                changed = true;
            }
        }
    }
    at_end
}
