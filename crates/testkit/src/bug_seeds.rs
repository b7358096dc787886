//! Bugs put into a program on purpose, on the intermediate program: each seed is the program with one change that
//! people make by mistake, and the property that it may violate. Whether it does is for an execution to say.

use program::{
    BinaryOp, Block, BlockId, Function, FunctionId, Instruction, InstructionKind, Operand, Program, Property, Register,
    Rvalue, SyncOp, TerminatorKind, Type,
};

/// A kind of mistake.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mistake {
    /// A mutex is not locked and unlocked any more in one function.
    DroppedLock,
    /// Two locks that are taken one after the other are taken in the other order.
    SwappedLocks,
    /// A lock is kept.
    DroppedUnlock,
    /// Those who wait are not told.
    DroppedSignal,
    /// An allocation gets half of its bytes.
    ShrunkAllocation,
    /// A branch is always taken the same way.
    DroppedCheck,
    /// Memory is freed before it is used for the last time.
    FreedEarly,
    /// Memory is freed where it is freed, and once more.
    FreedTwice,
    /// The address that is freed is not where the memory begins.
    FreedInside,
    /// An assumption about inputs is forgotten.
    WidenedInput,
    /// A branch is always taken the same way.
    DroppedRange,
    /// A number is the greatest of its type.
    GrownNumber,
}

impl Mistake {
    pub const ALL: [Mistake; 12] = [
        Mistake::DroppedLock,
        Mistake::SwappedLocks,
        Mistake::DroppedUnlock,
        Mistake::DroppedSignal,
        Mistake::ShrunkAllocation,
        Mistake::DroppedCheck,
        Mistake::FreedEarly,
        Mistake::FreedTwice,
        Mistake::FreedInside,
        Mistake::WidenedInput,
        Mistake::DroppedRange,
        Mistake::GrownNumber,
    ];

    /// What the mistake may violate.
    pub fn property(self) -> Property {
        match self {
            Mistake::DroppedLock => Property::NoDataRace,
            Mistake::SwappedLocks | Mistake::DroppedUnlock | Mistake::DroppedSignal => Property::NoDeadlock,
            Mistake::ShrunkAllocation | Mistake::DroppedCheck | Mistake::FreedEarly => Property::ValidDeref,
            Mistake::FreedTwice | Mistake::FreedInside => Property::ValidFree,
            Mistake::WidenedInput | Mistake::DroppedRange | Mistake::GrownNumber => Property::NoOverflow,
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
    let body = &program.functions[function].blocks[block];
    let at_end = index == body.instructions.len();
    if at_end != matches!(mistake, Mistake::DroppedCheck | Mistake::DroppedRange) {
        return None;
    }
    let mut new = program.clone();
    let owner = &mut new.functions[function];
    let body = &mut owner.blocks[block];
    let changed = match mistake {
        Mistake::DroppedLock => match locked(&body.instructions[index]) {
            Some(mutex) => owner.blocks.iter_mut().filter_map(|body| drop_lock(body, mutex)).count() > 0,
            None => false,
        },
        Mistake::SwappedLocks => swap_locks(body, index),
        Mistake::DroppedUnlock => drop_sync(body, index, &[SyncOp::MutexUnlock, SyncOp::RwlockUnlock]),
        Mistake::DroppedSignal => drop_sync(body, index, &[SyncOp::CondSignal, SyncOp::CondBroadcast, SyncOp::SemPost]),
        Mistake::ShrunkAllocation => shrink_allocation(&mut body.instructions[index].kind),
        Mistake::DroppedCheck | Mistake::DroppedRange => drop_check(&mut body.terminator.kind),
        Mistake::FreedEarly => free_early(body, index),
        Mistake::FreedTwice => free_twice(body, index),
        Mistake::FreedInside => free_inside(owner, block, index),
        Mistake::WidenedInput => drop_assume(body, index),
        Mistake::GrownNumber => grow_number(&mut body.instructions[index].kind),
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
fn drop_lock(body: &mut Block, mutex: Operand) -> Option<()> {
    let before = body.instructions.len();
    body.instructions.retain(|instruction| match &instruction.kind {
        InstructionKind::Sync { target: None, op: SyncOp::MutexLock | SyncOp::MutexUnlock, operands } => {
            operands.first() != Some(&mutex)
        }
        _ => true,
    });
    (body.instructions.len() < before).then_some(())
}

/// Takes away an operation whose result nobody wants.
fn drop_sync(body: &mut Block, index: usize, ops: &[SyncOp]) -> bool {
    let dropped = matches!(&body.instructions[index].kind,
        InstructionKind::Sync { target: None, op, .. } if ops.contains(op));
    if dropped {
        body.instructions.remove(index);
    }
    dropped
}

fn drop_assume(body: &mut Block, index: usize) -> bool {
    let dropped = matches!(body.instructions[index].kind, InstructionKind::Assume { .. });
    if dropped {
        body.instructions.remove(index);
    }
    dropped
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

/// Moves a free before the last instruction in its block that uses memory.
fn free_early(body: &mut Block, index: usize) -> bool {
    let InstructionKind::Free { address, .. } = body.instructions[index].kind else { return false };
    let computed = |instruction: &Instruction| match (&instruction.kind, address) {
        (
            InstructionKind::Assign { target, .. } | InstructionKind::Load { target, .. },
            Operand::Register(register),
        ) => *target == register,
        (InstructionKind::Call { target: Some(target), .. }, Operand::Register(register)) => *target == register,
        _ => false,
    };
    let uses_memory = |instruction: &Instruction| {
        matches!(
            instruction.kind,
            InstructionKind::Load { .. } | InstructionKind::Store { .. } | InstructionKind::Call { .. }
        )
    };
    let before =
        body.instructions[..index].iter().rposition(|instruction| computed(instruction) || uses_memory(instruction));
    match before {
        Some(at) if !computed(&body.instructions[at]) => {
            let free = body.instructions.remove(index);
            body.instructions.insert(at, free);
            true
        }
        _ => false,
    }
}

fn free_inside(owner: &mut Function, block: BlockId, index: usize) -> bool {
    let InstructionKind::Free { address, kind } = owner.blocks[block].instructions[index].kind else { return false };
    let inside = owner.registers.push(Register { ty: Type::Pointer, name: None });
    let instructions = &mut owner.blocks[block].instructions;
    let value = Rvalue::PointerAdd { pointer: address, offset: Operand::offset(1) };
    let mut moved = instructions[index].clone();
    moved.kind = InstructionKind::Assign { target: inside, value };
    instructions[index].kind = InstructionKind::Free { address: Operand::Register(inside), kind };
    instructions.insert(index, moved);
    true
}

/// What is stored, or added to something.
fn grow_number(kind: &mut InstructionKind) -> bool {
    let number = match kind {
        InstructionKind::Store { value, .. } => value,
        InstructionKind::Assign { value: Rvalue::Binary { op: BinaryOp::Add, right, signed: true, .. }, .. } => right,
        _ => return false,
    };
    match number {
        Operand::Int { bits: bits @ 32.., value } => {
            let greatest = u64::MAX >> (65 - u32::from(*bits));
            std::mem::replace(value, greatest) != greatest
        }
        _ => false,
    }
}

fn free_twice(body: &mut Block, index: usize) -> bool {
    let again = body.instructions[index].clone();
    let frees = matches!(again.kind, InstructionKind::Free { .. });
    if frees {
        body.instructions.insert(index, again);
    }
    frees
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Subject;

    const SUBJECT: &str = r#"
typedef union { char bytes[40]; long align; } pthread_mutex_t;
typedef union { char bytes[48]; long align; } pthread_cond_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
void *malloc(unsigned long);
void free(void *);
pthread_mutex_t a, b;
pthread_cond_t told;
int shared;
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
int main(void) {
    int *p = malloc(8);
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x < 10);
    if (x > 3) x = x + 1;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    shared = 1;
    pthread_cond_signal(&told);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    p[1] = x;
    free(p);
    return 0;
}
"#;

    #[test]
    fn every_mistake_can_be_made_and_makes_another_program() {
        let original = Subject::from_text(SUBJECT).expect("the program is right").program;
        for mistake in Mistake::ALL {
            let mutants = seeds(&original, mistake);
            assert!(!mutants.is_empty(), "{mistake:?}");
            for mutant in &mutants {
                assert_ne!(*mutant, original, "{mistake:?}");
                assert!(
                    program::verify::verify(mutant).is_empty(),
                    "{mistake:?}: {:?}",
                    program::verify::verify(mutant)
                );
            }
        }
    }
}
