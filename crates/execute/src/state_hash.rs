//! A 128-bit hash of a state in canonical form: two states that differ only in names have the same future and the same
//! hash.
//!
//! - Objects that threads made are renamed by thread and by rank among those that are alive or pointed to. Pointers
//!   are hashed as object and offset, and an address only counts once it was made an integer; so a loop that allocates
//!   and frees comes back to a known state.
//! - Registers that no code will use again do not count.
//! - Where races are looked for, happens-before history is part of the state, reduced to what future accesses can tell
//!   apart; see [`crate::race_history`].
//!
//! Two different states with one hash would be merged wrongly. With n states the probability is about n²/2¹²⁹.

use std::hash::BuildHasher;

use program::{ObjectName, ThreadId};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::code::Code;
use crate::machine::ExecState;
use crate::memory::Memory;
use crate::object::{Object, StorageKind};
use crate::race_history::RaceHistory;
use crate::thread::{ExecThread, ThreadStatus};
use crate::value::{Provenance, Value};

/// Hashes words, in two independent lanes.
pub struct WordHash {
    first: u64,
    second: u64,
}

impl Default for WordHash {
    fn default() -> Self {
        Self { first: 0x243f_6a88_85a3_08d3, second: 0x1319_8a2e_0370_7344 }
    }
}

impl WordHash {
    #[inline]
    pub fn word(&mut self, word: u64) {
        self.first = fold(self.first ^ word, 0xa076_1d64_78bd_642f);
        self.second = fold(self.second.rotate_left(23) ^ word, 0xe703_7ed1_a0b4_28db);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    pub fn finish(mut self) -> u128 {
        self.word(0x5851_f42d_4c95_7f2d);
        u128::from(self.first) << 64 | u128::from(self.second)
    }
}

/// Multiplies to 128 bits and adds the halves: every input bit reaches every output bit.
#[inline]
fn fold(word: u64, by: u64) -> u64 {
    let product = u128::from(word ^ by.rotate_left(32)) * u128::from(by);
    (product as u64) ^ (product >> 64) as u64 ^ word.rotate_left(29)
}

/// The hash of `state`. Output counts only if `with_output`.
pub fn hash(code: &Code, state: &ExecState, with_output: bool) -> u128 {
    let registers: Vec<Vec<Value>> = state.threads.iter().map(|thread| thread.live_registers(code)).collect();
    let names = CanonicalNames::new(state, &registers);
    let mut hasher = StateHasher { state, registers, names, hash: WordHash::default() };
    hasher.threads();
    hasher.objects();
    if let Some(order) = &state.order {
        let objects = hasher.names.objects.iter().map(|&slot| (slot, state.memory.object(slot)));
        RaceHistory::new(order, &state.threads, objects).hash_into(&mut hasher.hash);
    }
    if with_output {
        hasher.hash.bytes(&state.output);
    }
    hasher.hash.finish()
}

/// Canonical names for the objects that threads made.
struct CanonicalNames {
    ranks: FxHashMap<Provenance, u64>,
    /// The slots to hash, in canonical order.
    objects: Vec<u32>,
}

impl CanonicalNames {
    fn new(state: &ExecState, registers: &[Vec<Value>]) -> Self {
        let memory = &state.memory;
        let mut made: Vec<(ThreadId, u32, Provenance)> = Vec::new();
        let mut note = |provenance: Provenance| {
            if let ObjectName::Allocated(thread, number) = memory.name(provenance) {
                made.push((thread, number, provenance));
            }
        };
        let mut fixed = Vec::new();
        for (slot, object) in memory.objects() {
            match object.name {
                ObjectName::Allocated(..) if object.is_alive() => note(Provenance { slot, stamp: object.stamp }),
                ObjectName::Allocated(..) => {}
                _ if matches!(object.kind, StorageKind::Function | StorageKind::ReadOnly) => {}
                _ => fixed.push((object.name, slot)),
            }
            object.pointers().iter().for_each(|&(_, pointer)| note(pointer));
        }
        for (thread, registers) in state.threads.iter().zip(registers) {
            registers.iter().chain(&thread.locals).filter_map(|value| value.provenance()).for_each(&mut note);
            thread.result.provenance().into_iter().for_each(&mut note);
        }
        made.sort_unstable();
        made.dedup();
        fixed.sort_unstable();
        let alive = made.iter().filter(|(_, _, object)| memory.object(object.slot).live_stamp == object.stamp);
        let objects = fixed.iter().map(|&(_, slot)| slot).chain(alive.map(|(_, _, object)| object.slot)).collect();
        let mut ranks = FxHashMap::default();
        let mut rank_in_thread = (ThreadId(u32::MAX), 0);
        for (thread, _, provenance) in made {
            rank_in_thread = if rank_in_thread.0 == thread { (thread, rank_in_thread.1 + 1) } else { (thread, 0) };
            ranks.insert(provenance, u64::from(thread.0) << 32 | rank_in_thread.1);
        }
        Self { ranks, objects }
    }
}

struct StateHasher<'s> {
    state: &'s ExecState,
    /// The registers of each thread that matter.
    registers: Vec<Vec<Value>>,
    names: CanonicalNames,
    hash: WordHash,
}

impl StateHasher<'_> {
    fn threads(&mut self) {
        self.hash.word(self.state.threads.len() as u64);
        for index in 0..self.state.threads.len() {
            let thread = self.state.threads[index].clone();
            let registers = std::mem::take(&mut self.registers[index]);
            self.thread(&thread, &registers);
        }
    }

    fn thread(&mut self, thread: &ExecThread, registers: &[Value]) {
        let flags = u64::from(thread.detached) | u64::from(thread.joined) << 1;
        self.hash.word((thread.status as u64) << 8 | flags);
        if thread.status == ThreadStatus::Ended {
            if !thread.joined && !thread.detached {
                self.value(thread.result);
            }
            return;
        }
        self.hash.word(u64::from(thread.pc) << 32 | u64::from(thread.section));
        self.hash.word(thread.frames.len() as u64);
        for frame in &thread.frames {
            self.hash.word(u64::from(frame.return_to) << 32 | u64::from(frame.function.0));
            self.hash.word(frame.target.map_or(u64::MAX, u64::from) << 16 ^ u64::from(frame.stack_objects));
        }
        registers.iter().for_each(|&value| self.value(value));
        thread.locals.iter().for_each(|&value| self.value(value));
        self.hash.word(thread.stack_objects.len() as u64);
        for &object in &thread.stack_objects {
            let name = self.names.ranks.get(&object).copied();
            self.hash.word(name.unwrap_or(u64::MAX));
        }
    }

    fn objects(&mut self) {
        for index in 0..self.names.objects.len() {
            let slot = self.names.objects[index];
            let object = self.state.memory.object(slot);
            self.object(slot, object);
        }
        for settled in self.state.memory.settled().into_iter().flatten() {
            self.hash.word(FxBuildHasher.hash_one(settled));
        }
    }

    fn object(&mut self, slot: u32, object: &Object) {
        self.hash.word(self.name(&self.state.memory, Provenance { slot, stamp: object.stamp }));
        self.hash.word((object.kind as u64) << 8 | u64::from(object.is_alive()) << 1 | u64::from(object.exposed));
        self.hash.word(u64::from(object.disguised));
        if object.exposed || self.state.memory.chooses_addresses() {
            self.hash.word(object.base);
        }
        self.hash.bytes(&self.bytes_without_addresses(object));
        object.indeterminate_words().iter().for_each(|&word| self.hash.word(word));
        object.indeterminate_copies().for_each(|copy| self.hash.word(FxBuildHasher.hash_one(copy)));
        self.hash.word(object.pointers().len() as u64);
        for &(offset, target) in object.pointers() {
            self.hash.word(offset);
            let bits = self.pointer_bits(object, offset);
            self.value(Value::pointer(bits, target));
        }
        for stretch in object.opaque_stretches() {
            self.hash.word(stretch.offset);
            self.hash.word(stretch.length << 32 | u64::from(stretch.token));
        }
        self.hash.word(object.sync.len() as u64);
        for sync in &object.sync {
            self.hash.word(sync.offset << 8 | sync.state.kind() as u64);
            self.hash.word(sync.overwritten);
            for &field in sync.state.kind().fields() {
                let parts = sync.state.get(field).parts();
                self.hash.word(parts.size_hint().0 as u64);
                parts.for_each(|part| self.hash.word(part));
            }
        }
    }

    /// The bytes of an object, zero where pointers lie (their targets are hashed by name) and where nothing is known.
    fn bytes_without_addresses(&self, object: &Object) -> Vec<u8> {
        let mut bytes = object.bytes().to_vec();
        let width = self.state.memory.pointer_bytes() as usize;
        for &(offset, _) in object.pointers() {
            bytes[offset as usize..offset as usize + width].fill(0);
        }
        bytes
    }

    fn pointer_bits(&self, object: &Object, offset: u64) -> u64 {
        let width = self.state.memory.pointer_bytes();
        object.load(offset, width, width).bits
    }

    fn name(&self, memory: &Memory, provenance: Provenance) -> u64 {
        match memory.name(provenance) {
            ObjectName::Allocated(..) => 1 << 63 | self.names.ranks.get(&provenance).copied().unwrap_or(u64::MAX),
            ObjectName::Global(id) => u64::from(id.0),
            ObjectName::ThreadLocal(id, thread) => 1 << 62 | u64::from(thread.0) << 32 | u64::from(id.0),
        }
    }

    fn value(&mut self, value: Value) {
        if let Some(token) = value.token() {
            self.hash.word(1);
            self.hash.word(u64::from(token));
            return;
        }
        match value.provenance() {
            None => {
                self.hash.word(0);
                self.hash.word(value.bits);
            }
            Some(provenance) => {
                let memory = &self.state.memory;
                let base = memory.known_object(provenance).map_or(0, |object| object.base);
                self.hash.word(self.name(memory, provenance) ^ 0x9e37_79b9_7f4a_7c15);
                self.hash.word(value.bits.wrapping_sub(base));
                if memory.chooses_addresses() {
                    self.hash.word(value.bits);
                }
            }
        }
    }
}
