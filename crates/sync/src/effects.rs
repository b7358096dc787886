//! What only the table of operations can say about the effects of an instruction (`program::effects`).

use program::effects::{ByteExtent, MemoryAccess, StepClass, effects};
use program::{InstructionKind, Program, Property, PropertySet, SyncOp};

use crate::class::class;
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
        if !may_take_lock(op) {
            can_violate.remove(Property::NoExitWhileLocked);
        }
    }
    can_violate
}

/// Whether a thread may hold a lock afterwards that it did not hold before. Half of a wait takes the mutex again.
fn may_take_lock(op: SyncOp) -> bool {
    let class = class(op);
    let has_lock = action(op).objects.iter().any(|kind| kind.is_lock());
    has_lock && !class.resets && !class.releases_lock()
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
        ByteExtent::SyncObject(op, operand) => Some(object_bytes(action(op).objects[operand], program.sync_layouts())),
        _ => access.bytes(),
    }
}
