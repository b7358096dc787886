//! Which registers still matter at the start of each block, so that merging states leaves the others out.

use base::IdVec;
use program::{BlockId, Function, RegisterId};

/// Per block one bit per register: it may be read before it is written.
#[derive(Clone, Debug)]
pub struct Liveness {
    words: usize,
    live_in: IdVec<BlockId, Vec<u64>>,
}

impl Liveness {
    pub fn new(function: &Function) -> Self {
        let words = function.registers.len().div_ceil(64);
        let mut liveness = Self { words, live_in: function.blocks.iter().map(|_| vec![0; words]).collect() };
        let mut changed = true;
        while changed {
            changed = false;
            for block in function.blocks.ids().rev() {
                let live = liveness.before(function, block);
                if live != liveness.live_in[block] {
                    liveness.live_in[block] = live;
                    changed = true;
                }
            }
        }
        liveness
    }

    pub fn is_live(&self, block: BlockId, register: RegisterId) -> bool {
        let index = register.0 as usize;
        self.live_in[block][index / 64] >> (index % 64) & 1 != 0
    }

    /// The registers that may be read after so many instructions of a block.
    pub fn live_registers(&self, function: &Function, block: BlockId, index: usize) -> Vec<RegisterId> {
        let live = self.before_instruction(function, block, index);
        let is_live = |register: &RegisterId| live[register.0 as usize / 64] >> (register.0 % 64) & 1 != 0;
        (0..function.registers.len() as u32).map(RegisterId).filter(is_live).collect()
    }

    fn before(&self, function: &Function, block: BlockId) -> Vec<u64> {
        self.before_instruction(function, block, 0)
    }

    fn before_instruction(&self, function: &Function, block: BlockId, index: usize) -> Vec<u64> {
        let body = &function.blocks[block];
        let mut live = vec![0; self.words];
        for successor in body.terminator.kind.successors() {
            live.iter_mut().zip(&self.live_in[successor]).for_each(|(word, other)| *word |= other);
        }
        let set = |live: &mut Vec<u64>, operand: program::Operand| {
            if let program::Operand::Register(register) = operand {
                live[register.0 as usize / 64] |= 1 << (register.0 % 64);
            }
        };
        body.terminator.kind.operand().into_iter().for_each(|operand| set(&mut live, operand));
        for instruction in body.instructions[index..].iter().rev() {
            for target in instruction.kind.targets() {
                live[target.0 as usize / 64] &= !(1 << (target.0 % 64));
            }
            instruction.kind.operands().into_iter().for_each(|operand| set(&mut live, operand));
        }
        live
    }
}
