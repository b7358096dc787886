//! Whether an address can get to another thread without ordering that thread after the one that made it public.
//!
//! What a thread does to an object before it makes its address public happens before what others do to it, provided that
//! the address travels through memory by accesses that order: plain ones, which would race, or atomic ones that release and
//! acquire. Weaker ones hand the address on alone, whatever the type that it travels in.

use program::InstructionKind;
use program::effects::{MemoryAccess, effects};

use crate::analysis::AbstractInterpreter;
use crate::value::AbsValue;

impl AbstractInterpreter<'_> {
    /// An atomic access reads or writes this value.
    pub(crate) fn hand_on(&mut self, kind: &InstructionKind, value: &AbsValue) {
        let reveals = || effects(self.program, kind).accesses.iter().any(MemoryAccess::reveals_without_ordering);
        if !value.carries_nothing() && reveals() {
            self.world.reveal_addresses();
        }
    }
}
