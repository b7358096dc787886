//! What only the table of operations can say about the effects of an instruction (`program::effects`).

use program::effects::{Extent, MemoryAccess, StepClass, effects};
use program::{InstructionKind, Program, Property, PropertySet};

use crate::expression::Condition;
use crate::static_initialiser::object_bytes;
use crate::table::action;

/// What the instruction can violate, wherever it stands.
pub fn can_violate(program: &Program, kind: &InstructionKind) -> PropertySet {
    let effects = effects(program, kind);
    let mut can_violate = effects.can_violate;
    if let StepClass::Synchronises(op) = effects.class {
        if !may_block(effects.class) {
            can_violate.remove(Property::NoDeadlock);
        }
        if action(op).misuses.is_empty() {
            can_violate.remove(Property::LockMisuse);
        }
    }
    can_violate
}

/// Whether a thread may have to wait before such a step.
pub fn may_block(class: StepClass) -> bool {
    match class {
        StepClass::Synchronises(op) => action(op).guard != Condition::True,
        class => class.may_block(),
    }
}

/// The number of bytes of an access, if it is known without the sizes of objects.
pub fn accessed_bytes(access: &MemoryAccess, program: &Program) -> Option<u64> {
    match access.extent {
        Extent::SyncObject(op, operand) => Some(object_bytes(action(op).objects[operand], program.sync_layouts())),
        _ => access.bytes(),
    }
}
