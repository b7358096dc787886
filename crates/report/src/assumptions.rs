//! What an answer rests on, said only where the program gives it a meaning: no word about `malloc` without one.

use program::effects::{AccessAddress, MemoryAccess, StepClass, effects};
use program::{
    AllocationKind, Callee, Function, InstructionKind, Operand, Outcome, Program, Property, PropertySet, SyncOp,
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
    let unasked = |property: Property| !selected.contains(property);
    let unasked_and_violable = |property: Property| unasked(property) && used.violable.contains(property);
    if used.access_by_pointer && unasked(Property::ValidDeref) {
        all.push(limit("an invalid memory access ends the execution (valid-deref is not selected)"));
    }
    if used.free && unasked(Property::ValidFree) {
        all.push(limit("an invalid free ends the execution (valid-free is not selected)"));
    }
    if used.copies && unasked(Property::ValidDeref) {
        all.push(limit("memcpy between overlapping areas ends the execution (valid-deref is not selected)"));
    }
    if unasked_and_violable(Property::NoDivByZero) {
        all.push(limit("a division by zero ends the execution (no-div-by-zero is not selected)"));
    }
    if unasked_and_violable(Property::NoBadShift) {
        let text = "an undefined shift ends the execution, or shifts the bit pattern (no-bad-shift is not selected)";
        all.push(limit(text));
    }
    if unasked_and_violable(Property::NoOverflow) {
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
    /// Memory is accessed, or a function called, by more than a name.
    access_by_pointer: bool,
    free: bool,
    copies: bool,
    /// What its instructions can violate.
    violable: PropertySet,
}

impl Used {
    fn in_program(program: &Program) -> Self {
        let mut used = Used::default();
        for (id, function) in program.functions.iter_enumerated() {
            for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
                used.add(program, function, &instruction.kind);
                // The entry starts the threads that the user names.
                used.creation |= id != program.entry && matches!(instruction.kind, InstructionKind::Spawn { .. });
            }
        }
        used
    }

    fn add(&mut self, program: &Program, function: &Function, kind: &InstructionKind) {
        let effects = effects(program, kind);
        if effects.class == StepClass::Unsupported {
            return;
        }
        self.threads |= effects.class == StepClass::Creates;
        self.violable = self.violable.union(effects.can_violate);
        let invalid = |access: &MemoryAccess| access.kind.needs_valid_bytes() && !is_inside(program, function, access);
        self.access_by_pointer |= effects.accesses.iter().any(invalid);
        match kind {
            InstructionKind::Allocate { kind: AllocationKind::Heap, .. } | InstructionKind::Reallocate { .. } => {
                self.allocation = true;
            }
            InstructionKind::Free { kind: AllocationKind::Heap, .. } => self.free = true,
            InstructionKind::Sync { op: SyncOp::CondSignalledWaitEnd, .. } => self.signalled_waits = true,
            InstructionKind::CopyMemory { overlap: false, .. } => self.copies = true,
            InstructionKind::Call { callee: Callee::Indirect(_), .. }
            | InstructionKind::Spawn { function: Callee::Indirect(_), .. } => self.access_by_pointer = true,
            _ => {}
        }
    }
}

/// Whether the bytes of an access lie in an object that it names.
fn is_inside(program: &Program, function: &Function, access: &MemoryAccess) -> bool {
    let (offset, size) = match access.address {
        AccessAddress::Operand(Operand::Global { global, offset }) => (offset, program.globals[global].size),
        AccessAddress::Operand(Operand::Local { local, offset }) => (offset, function.locals[local].size),
        AccessAddress::Operand(_) | AccessAddress::Inside(_) => return false,
    };
    let bytes = sync::accessed_bytes(access, program);
    let end = u64::try_from(offset).ok().zip(bytes).and_then(|(offset, bytes)| offset.checked_add(bytes));
    end.is_some_and(|end| end <= size)
}
