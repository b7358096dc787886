//! Whether an address can get to another thread without ordering that thread after the one that made it public.
//!
//! What a thread does to an object before it makes its address public happens before what others do to it, provided that
//! the address travels through memory by accesses that order: plain ones, which would race, or atomic ones that release and
//! acquire. Weaker ones hand the address on alone.

use program::effects::effects;
use program::{CastOp, Instruction, InstructionKind, Program, Rvalue};

/// Whether some atomic access may hand an address on without ordering.
pub(crate) fn reveals_addresses(program: &Program) -> bool {
    let instructions = || program.functions.iter().flat_map(|function| &function.blocks).flat_map(|b| &b.instructions);
    let has_parts = instructions().any(|one| is_cast_to_number(&one.kind));
    let reveals_one = |one: &Instruction| {
        let effects = effects(program, &one.kind);
        let mut revealing = effects.accesses.iter().filter(|access| access.reveals_without_ordering());
        revealing.any(|access| access.bytes() == Some(program.data_model.pointer_bytes()) || has_parts)
    };
    instructions().any(reveals_one)
}

fn is_cast_to_number(kind: &InstructionKind) -> bool {
    matches!(kind, InstructionKind::Assign { value: Rvalue::Cast { op: CastOp::PointerToInt, .. }, .. })
}
