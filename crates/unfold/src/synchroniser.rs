//! Synchronisation operations: `sync_step` executes them, with sets of threads (`thread_sets`), what they do for
//! happens-before (`sync_order`) and wake-ups that come to nothing (`idle_wake_ups`).

use std::ops::{Deref, DerefMut};

use crate::idle_wake_ups::WakeUps;
use crate::memory::Memory;

pub(crate) struct Synchroniser<'a> {
    memory: Memory<'a>,
    pub wake_ups: WakeUps,
}

impl<'a> Deref for Synchroniser<'a> {
    type Target = Memory<'a>;

    fn deref(&self) -> &Memory<'a> {
        &self.memory
    }
}

impl<'a> DerefMut for Synchroniser<'a> {
    fn deref_mut(&mut self) -> &mut Memory<'a> {
        &mut self.memory
    }
}

impl<'a> Synchroniser<'a> {
    pub fn new(memory: Memory<'a>) -> Self {
        let wake_ups = WakeUps::new(memory.program);
        Self { memory, wake_ups }
    }

    pub fn into_memory(self) -> Memory<'a> {
        self.memory
    }
}
