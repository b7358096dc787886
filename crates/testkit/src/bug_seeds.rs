//! Bugs put into a program on purpose, on the intermediate program: each seed is the program with one change that
//! people make by mistake, and the property that it may violate. Whether it does is for an execution to say.

use program::{
    Block, BlockId, FunctionId, Instruction, InstructionKind, Operand, Program, Property, SyncOp, TerminatorKind,
};

/// A kind of mistake.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mistake {
    /// A mutex is not locked and unlocked any more in one function.
    DroppedLock,
    /// Two locks that are taken one after the other are taken in the other order.
    SwappedLocks,
    /// An allocation gets half of its bytes.
    ShrunkAllocation,
    /// A branch is always taken the same way.
    DroppedCheck,
    /// Memory is freed where it is freed, and once more.
    FreedTwice,
    /// An assumption about inputs is forgotten.
    WidenedInput,
}

impl Mistake {
    pub const ALL: [Mistake; 6] = [
        Mistake::DroppedLock,
        Mistake::SwappedLocks,
        Mistake::ShrunkAllocation,
        Mistake::DroppedCheck,
        Mistake::FreedTwice,
        Mistake::WidenedInput,
    ];

    /// What the mistake may violate.
    pub fn property(self) -> Property {
        match self {
            Mistake::DroppedLock => Property::NoDataRace,
            Mistake::SwappedLocks => Property::NoDeadlock,
            Mistake::ShrunkAllocation | Mistake::DroppedCheck => Property::ValidDeref,
            Mistake::FreedTwice => Property::ValidFree,
            Mistake::WidenedInput => Property::NoOverflow,
        }
    }
}

/// Every program that is one such mistake away from `program`.
pub fn seeds(program: &Program, mistake: Mistake) -> Vec<Program> {
    let places = program.functions.iter_enumerated().flat_map(|(function, body)| {
        let blocks = body.blocks.iter_enumerated();
        blocks.flat_map(move |(block, body)| (0..=body.instructions.len()).map(move |index| (function, block, index)))
    });
    places.filter_map(|(function, block, index)| seed(program, mistake, function, block, index)).collect()
}

/// The program with the mistake at this place, if it can be made there. The index after the last instruction stands
/// for the end of the block.
fn seed(program: &Program, mistake: Mistake, function: FunctionId, block: BlockId, index: usize) -> Option<Program> {
    let mut new = program.clone();
    let blocks = &mut new.functions[function].blocks;
    let body = &mut blocks[block];
    let changed = match mistake {
        Mistake::DroppedLock => match locked(body.instructions.get(index)?) {
            Some(mutex) => blocks.iter_mut().map(|body| drop_lock(body, mutex)).filter(|&dropped| dropped).count() > 0,
            None => false,
        },
        Mistake::SwappedLocks => swap_locks(body, index),
        Mistake::ShrunkAllocation => shrink_allocation(&mut body.instructions.get_mut(index)?.kind),
        Mistake::DroppedCheck => index == body.instructions.len() && drop_check(&mut body.terminator.kind),
        Mistake::FreedTwice => free_twice(body, index),
        Mistake::WidenedInput => {
            matches!(body.instructions.get(index)?.kind, InstructionKind::Assume { .. }) && {
                body.instructions.remove(index);
                true
            }
        }
    };
    changed.then_some(new)
}

/// The mutex that an instruction locks.
fn locked(instruction: &Instruction) -> Option<Operand> {
    match &instruction.kind {
        InstructionKind::Sync { op: SyncOp::MutexLock, operands, .. } => operands.first().copied(),
        _ => None,
    }
}

/// Takes away what locks and unlocks this mutex; registers that wanted the result keep what they had.
fn drop_lock(body: &mut Block, mutex: Operand) -> bool {
    let before = body.instructions.len();
    body.instructions.retain(|instruction| match &instruction.kind {
        InstructionKind::Sync { target: None, op: SyncOp::MutexLock | SyncOp::MutexUnlock, operands } => {
            operands.first() != Some(&mutex)
        }
        _ => true,
    });
    body.instructions.len() < before
}

/// Exchanges a lock with the next one of the block.
fn swap_locks(body: &mut Block, index: usize) -> bool {
    let Some(first) = body.instructions.get(index).and_then(locked) else { return false };
    let rest = body.instructions.iter().enumerate().skip(index + 1);
    let is_sync = |instruction: &Instruction| matches!(instruction.kind, InstructionKind::Sync { .. });
    let Some((next, second)) = rest.filter(|(_, other)| is_sync(other)).map(|(at, other)| (at, locked(other))).next()
    else {
        return false;
    };
    let Some(second) = second.filter(|second| *second != first && is_constant(first) && is_constant(*second)) else {
        return false;
    };
    set_mutex(&mut body.instructions[index].kind, second);
    set_mutex(&mut body.instructions[next].kind, first);
    true
}

/// Registers might be computed between the two locks.
fn is_constant(operand: Operand) -> bool {
    !matches!(operand, Operand::Register(_))
}

fn set_mutex(kind: &mut InstructionKind, mutex: Operand) {
    if let InstructionKind::Sync { operands, .. } = kind {
        operands[0] = mutex;
    }
}

fn shrink_allocation(kind: &mut InstructionKind) -> bool {
    match kind {
        InstructionKind::Allocate { size: Operand::Int { value, .. }, .. } if *value > 1 => {
            *value /= 2;
            true
        }
        _ => false,
    }
}

fn drop_check(kind: &mut TerminatorKind) -> bool {
    let TerminatorKind::Branch { then, otherwise, .. } = kind else { return false };
    let changed = then != otherwise;
    *kind = TerminatorKind::Goto(*then);
    changed
}

fn free_twice(body: &mut Block, index: usize) -> bool {
    match body.instructions.get(index) {
        Some(instruction) if matches!(instruction.kind, InstructionKind::Free { .. }) => {
            let again = instruction.clone();
            body.instructions.insert(index, again);
            true
        }
        _ => false,
    }
}
