//! The memory that an instruction of the interpreter is about to access.

use execute::{Machine, Op};
use program::ThreadId;

/// Some bytes, and what happens to them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ByteAccess {
    pub start: u64,
    pub bytes: u64,
    pub writes: bool,
}

impl ByteAccess {
    /// Of the next instruction of a thread, if it accesses memory.
    pub fn next_of(machine: &Machine<'_>, thread: ThreadId) -> Option<Self> {
        let (code, state) = (machine.code(), &machine.state.threads[thread.0 as usize]);
        let op = &code.ops[state.pc as usize];
        let (address, bytes) = match op {
            Op::Load { address, access, .. }
            | Op::Store { address, access, .. }
            | Op::ReadModifyWrite { address, access, .. }
            | Op::CompareExchange { address, access, .. } => (*address, u64::from(access.bytes)),
            Op::SetMemory { target, size, .. } => (*target, state.value(code, *size).bits),
            _ => return None,
        };
        Some(Self { start: state.value(code, address).bits, bytes, writes: !matches!(op, Op::Load { .. }) })
    }

    pub fn overlaps(&self, other: &Self) -> bool {
        let ends_after = |a: &Self, b: &Self| a.start.saturating_add(a.bytes) > b.start;
        ends_after(self, other) && ends_after(other, self)
    }
}
