//! Whether an address can get to another thread without ordering that thread after the one that made it public.
//!
//! What a thread does to an object before it makes its address public happens before what others do to it, provided that
//! the address travels through memory by accesses that order: plain ones, which would race, or atomic ones that release and
//! acquire. Weaker ones hand the address on alone, whatever the type that it travels in.

use program::{InstructionKind, MemoryOrder};

use crate::analysis::Analysis;
use crate::value::Value;

impl Analysis<'_> {
    /// An atomic access reads or writes this value.
    pub(crate) fn hand_on(&mut self, kind: &InstructionKind, value: &Value) {
        if !value.carries_nothing() && is_weak(kind) {
            self.world.reveal_addresses();
        }
    }
}

/// Whether an atomic access does not order both ways.
fn is_weak(kind: &InstructionKind) -> bool {
    let is_full = |order: MemoryOrder| order.acquires() && order.releases();
    match kind {
        InstructionKind::Load { order, .. } => order.is_atomic() && !order.acquires(),
        InstructionKind::Store { order, .. } => order.is_atomic() && !order.releases(),
        InstructionKind::ReadModifyWrite { order, .. } => !is_full(*order),
        InstructionKind::CompareExchange { order, failure, .. } => !is_full(*order) || !failure.acquires(),
        _ => false,
    }
}
