//! What an answer rests on, said only where the program gives it a meaning: no word about `malloc` without one.

use program::{
    AllocationKind, BinaryOp, InstructionKind, Operand, Outcome, Program, Property, PropertySet, Rvalue, SyncOp,
};

/// One sentence, and whether it limits the executions that were looked at. A violation does not rest on such a limit:
/// its execution is inside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    pub text: String,
    pub is_limit: bool,
}

/// Assumptions that the user does not want to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lifted {
    pub malloc_may_fail: bool,
    pub create_may_fail: bool,
}

/// The assumptions of every answer about `program`, with those that reading it added (stubs, for example).
pub fn assumptions(
    program: &Program,
    selected: PropertySet,
    lifted: Lifted,
    from_reading: &[String],
) -> Vec<Assumption> {
    let used = Used::in_program(program);
    let limit = |text: &str| Assumption { text: text.to_owned(), is_limit: true };
    let mut all = Vec::new();
    if used.threads {
        all.push(limit("memory is sequentially consistent"));
    }
    if used.creation && !lifted.create_may_fail {
        all.push(limit("pthread_create succeeds (--create-may-fail)"));
    }
    if used.allocation && !lifted.malloc_may_fail {
        all.push(limit("malloc succeeds (--malloc-may-fail)"));
    }
    if used.signalled_waits {
        all.push(limit("condition variables have no spurious wake-ups"));
    }
    if used.indirect_access && !selected.contains(Property::ValidDeref) {
        all.push(limit("an invalid memory access ends the execution (valid-deref is not selected)"));
    }
    if used.copies && !selected.contains(Property::ValidDeref) {
        all.push(limit("memcpy between areas that overlap ends the execution (valid-deref is not selected)"));
    }
    if used.division && !selected.contains(Property::NoDivByZero) {
        all.push(limit("a division by zero ends the execution (no-div-by-zero is not selected)"));
    }
    if used.signed_arithmetic && !selected.contains(Property::NoOverflow) {
        let text = "signed overflow wraps around (no-overflow is not selected)".to_owned();
        all.push(Assumption { text, is_limit: false });
    }
    all.extend(from_reading.iter().map(|text| Assumption { text: text.clone(), is_limit: false }));
    all
}

/// Those on which this answer rests.
pub fn relevant<'a>(all: &'a [Assumption], outcome: &Outcome) -> Vec<&'a str> {
    let is_violation = matches!(outcome, Outcome::Violated(_));
    all.iter().filter(|assumption| !(is_violation && assumption.is_limit)).map(|a| a.text.as_str()).collect()
}

/// What a program makes use of.
#[derive(Default)]
struct Used {
    threads: bool,
    /// The program itself creates threads.
    creation: bool,
    allocation: bool,
    signalled_waits: bool,
    indirect_access: bool,
    copies: bool,
    division: bool,
    signed_arithmetic: bool,
}

impl Used {
    fn in_program(program: &Program) -> Self {
        let mut used = Used::default();
        for (id, function) in program.functions.iter_enumerated() {
            for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
                used.add(&instruction.kind);
                // The entry starts the threads that the user names.
                used.creation |= id != program.entry && matches!(instruction.kind, InstructionKind::Spawn { .. });
            }
        }
        used
    }

    fn add(&mut self, kind: &InstructionKind) {
        match kind {
            InstructionKind::Spawn { .. } => self.threads = true,
            InstructionKind::Allocate { kind: AllocationKind::Heap, .. } | InstructionKind::Reallocate { .. } => {
                self.allocation = true;
            }
            InstructionKind::Sync { op: SyncOp::CondSignalledWaitEnd, .. } => self.signalled_waits = true,
            InstructionKind::Load { address, .. }
            | InstructionKind::Store { address, .. }
            | InstructionKind::ReadModifyWrite { address, .. }
            | InstructionKind::CompareExchange { address, .. }
            | InstructionKind::Free { address, .. } => self.indirect_access |= matches!(address, Operand::Register(_)),
            InstructionKind::CopyMemory { overlap, .. } => {
                self.indirect_access = true;
                self.copies |= !overlap;
            }
            InstructionKind::SetMemory { .. } => self.indirect_access = true,
            InstructionKind::Assign { value, .. } => self.add_value(value),
            _ => {}
        }
    }

    fn add_value(&mut self, value: &Rvalue) {
        match value {
            Rvalue::Binary { op, right, signed, .. } => {
                let is_division = matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem);
                self.division |= is_division && !matches!(right, Operand::Int { value, .. } if *value != 0);
                let can_overflow = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::SDiv);
                self.signed_arithmetic |= *signed && can_overflow;
            }
            Rvalue::Unary { signed, .. } => self.signed_arithmetic |= signed,
            _ => {}
        }
    }
}
