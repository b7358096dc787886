//! Which instructions the properties of locks and threads are about: a program without any of them satisfies the property.

use program::InstructionKind;
use sync::Condition;

/// Whether a thread may have to wait before the instruction.
pub fn may_block(kind: &InstructionKind) -> bool {
    match kind {
        InstructionKind::Sync { op, .. } => sync::action(*op).guard != Condition::True,
        InstructionKind::Join { .. } => true,
        _ => false,
    }
}

/// Whether the instruction can misuse a synchronisation object or a thread.
pub fn may_be_misuse(kind: &InstructionKind) -> bool {
    match kind {
        InstructionKind::Sync { op, .. } => !sync::action(*op).misuses.is_empty(),
        InstructionKind::Join { .. } => true,
        _ => false,
    }
}
