//! Uninitialised register variables: a variable that may be read before it is written gets an indeterminate value where
//! it is declared. Ordinary code is left alone.

use base::ids::Id;
use program::{BlockId, Function, Instruction, InstructionKind, NondetKind, Operand, RegisterId};

use super::builder::{Insertion, Uninitialised};

/// Inserts `Nondet` at the declarations in `candidates` whose variable is live there, and at the function's entry for
/// variables that a jump past their declaration leaves without any value; and what else is to be inserted.
pub fn define_indeterminate(function: &mut Function, candidates: &[Uninitialised], others: Vec<Insertion>) {
    let mut insertions: Vec<(BlockId, usize, Instruction)> = Vec::new();
    insertions.extend(others.into_iter().map(|other| (other.place.0, other.place.1, other.instruction)));
    if !candidates.is_empty() {
        find_indeterminate(function, candidates, &mut insertions);
    }
    // From the back, so that earlier positions stay valid.
    insertions.sort_by_key(|(block, index, _)| (*block, *index));
    for (block, index, instruction) in insertions.into_iter().rev() {
        function.blocks[block].instructions.insert(index, instruction);
    }
}

fn find_indeterminate(
    function: &Function,
    candidates: &[Uninitialised],
    insertions: &mut Vec<(BlockId, usize, Instruction)>,
) {
    let live_in = live_at_entry(function);
    for candidate in candidates {
        if is_live_at(function, &live_in, candidate) {
            insertions.push((candidate.block, candidate.index, indeterminate(function, candidate)));
        }
    }
    let entry = &live_in[Function::ENTRY.index()];
    for candidate in candidates {
        let already = insertions.iter().any(|(block, index, instruction)| {
            *block == Function::ENTRY && *index == 0 && targets(instruction, candidate.register)
        });
        if entry.contains(candidate.register) && !already {
            insertions.push((Function::ENTRY, 0, indeterminate(function, candidate)));
        }
    }
}

fn indeterminate(function: &Function, candidate: &Uninitialised) -> Instruction {
    let ty = function.registers[candidate.register].ty;
    let kind = InstructionKind::Nondet { target: candidate.register, ty, kind: NondetKind::Indeterminate };
    Instruction { kind, span: candidate.span }
}

fn targets(instruction: &Instruction, register: RegisterId) -> bool {
    matches!(instruction.kind, InstructionKind::Nondet { target, .. } if target == register)
}

#[derive(Clone, PartialEq)]
struct RegisterSet(Vec<u64>);

impl RegisterSet {
    fn new(registers: usize) -> Self {
        Self(vec![0; registers.div_ceil(64)])
    }

    fn contains(&self, register: RegisterId) -> bool {
        self.0[register.index() / 64] & (1 << (register.index() % 64)) != 0
    }

    fn insert(&mut self, register: RegisterId) {
        self.0[register.index() / 64] |= 1 << (register.index() % 64);
    }

    fn remove(&mut self, register: RegisterId) {
        self.0[register.index() / 64] &= !(1 << (register.index() % 64));
    }

    /// Whether anything was added.
    fn add_all(&mut self, other: &RegisterSet) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }
}

/// The registers live at the start of each block: a backward fixpoint.
fn live_at_entry(function: &Function) -> Vec<RegisterSet> {
    let registers = function.registers.len();
    let mut live_in = vec![RegisterSet::new(registers); function.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for block in function.blocks.ids().rev() {
            let live = live_from(function, &live_in, block, 0);
            changed |= live_in[block.index()].add_all(&live);
        }
    }
    live_in
}

/// The registers live before instruction `from` of a block.
fn live_from(function: &Function, live_in: &[RegisterSet], block: BlockId, from: usize) -> RegisterSet {
    let body = &function.blocks[block];
    let mut live = RegisterSet::new(function.registers.len());
    for successor in body.terminator.kind.successors() {
        live.add_all(&live_in[successor.index()]);
    }
    body.terminator.kind.operand().and_then(register_of).into_iter().for_each(|register| live.insert(register));
    for instruction in body.instructions[from..].iter().rev() {
        instruction.kind.targets().into_iter().for_each(|register| live.remove(register));
        instruction.kind.operands().into_iter().filter_map(register_of).for_each(|register| live.insert(register));
    }
    live
}

fn is_live_at(function: &Function, live_in: &[RegisterSet], candidate: &Uninitialised) -> bool {
    live_from(function, live_in, candidate.block, candidate.index).contains(candidate.register)
}

fn register_of(operand: Operand) -> Option<RegisterId> {
    match operand {
        Operand::Register(register) => Some(register),
        _ => None,
    }
}
