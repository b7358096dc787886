//! How many properties a program has, in the sense of the paper's column #P: a place at which a selected property can
//! be violated is one, for each such property.

use program::{BinaryOp, InstructionKind, Property, PropertySet, Rvalue, UnaryOp};

/// The number of selected properties that the instruction can violate.
pub fn checks_at(kind: &InstructionKind, selected: PropertySet) -> u64 {
    let asserted = match kind {
        InstructionKind::Assert { property, .. } => Some(*property),
        _ => None,
    };
    let possible = selected.iter().filter(|&property| asserted == Some(property) || can_violate(kind, property));
    possible.count() as u64
}

fn can_violate(kind: &InstructionKind, property: Property) -> bool {
    use InstructionKind::*;
    let accesses = matches!(
        kind,
        Load { .. }
            | Store { .. }
            | ReadModifyWrite { .. }
            | CompareExchange { .. }
            | CopyMemory { .. }
            | SetMemory { .. }
    );
    match property {
        // Only where the program says so.
        Property::Assert | Property::UnreachCall => false,
        Property::NoDataRace => accesses || matches!(kind, Free { .. } | End { .. }),
        Property::NoDeadlock => matches!(kind, Sync { .. } | Join { .. }),
        Property::ValidDeref => accesses,
        Property::ValidFree => matches!(kind, Free { .. } | Reallocate { .. }),
        Property::ValidMemtrack | Property::ValidMemcleanup => matches!(kind, Allocate { .. } | Reallocate { .. }),
        Property::NoOverflow => operates(kind, |op| {
            matches!(
                op,
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::SDiv | BinaryOp::SRem | BinaryOp::Shl
            )
        }),
        Property::NoDivByZero => {
            operates(kind, |op| matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem))
        }
        Property::NoBadShift => operates(kind, |op| matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr)),
        Property::LockMisuse => matches!(kind, Sync { .. }),
        Property::NoThreadLeak => matches!(kind, Spawn { .. }),
        Property::Atomicity => false,
    }
}

/// Whether the instruction is an operation for which C demands something, of which `asked` knows the operators.
fn operates(kind: &InstructionKind, asked: impl Fn(BinaryOp) -> bool) -> bool {
    match kind {
        InstructionKind::Assign { value: Rvalue::Binary { op, signed, .. }, .. } => {
            let demands = *signed || !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl);
            asked(*op) && demands
        }
        InstructionKind::Assign { value: Rvalue::Unary { op: UnaryOp::Neg, signed: true, .. }, .. } => {
            asked(BinaryOp::Sub)
        }
        _ => false,
    }
}
