//! Whether an address can get to another thread without ordering that thread after the one that made it public.
//!
//! What a thread does to an object before it makes its address public happens before what others do to it, provided that
//! the address travels through memory by accesses that order: plain ones, which would race, or atomic ones that release and
//! acquire. Weaker ones hand the address on alone.

use program::{CastOp, InstructionKind, MemoryOrder, Program, Rvalue, Type};

/// Whether some atomic access may hand an address on without ordering.
pub(crate) fn reveals_addresses(program: &Program) -> bool {
    let word = program.data_model.pointer_bits();
    let instructions = || program.functions.iter().flat_map(|function| &function.blocks).flat_map(|b| &b.instructions);
    let has_parts = instructions().any(|one| is_cast_to_number(&one.kind));
    instructions().filter_map(|one| weak_access(&one.kind)).any(|ty| match ty {
        Type::Pointer => true,
        Type::Int(bits) => bits == word || has_parts,
        _ => has_parts,
    })
}

fn is_cast_to_number(kind: &InstructionKind) -> bool {
    matches!(kind, InstructionKind::Assign { value: Rvalue::Cast { op: CastOp::PointerToInt, .. }, .. })
}

/// The type of an atomic access that does not order both ways.
fn weak_access(kind: &InstructionKind) -> Option<Type> {
    let is_full = |order: MemoryOrder| order.acquires() && order.releases();
    let (ty, is_weak) = match kind {
        InstructionKind::Load { ty, order, .. } => (ty, order.is_atomic() && !order.acquires()),
        InstructionKind::Store { ty, order, .. } => (ty, order.is_atomic() && !order.releases()),
        InstructionKind::ReadModifyWrite { ty, order, .. } => (ty, !is_full(*order)),
        InstructionKind::CompareExchange { ty, order, failure, .. } => (ty, !is_full(*order) || !failure.acquires()),
        _ => return None,
    };
    is_weak.then_some(*ty)
}
