//! Steps that need no alternative because of locks, after Lipton (*Reduction*, CACM 1975) and Flanagan and Qadeer
//! (*Transactions for software model checking*, SoftMC 2003), with the locksets of Eraser (Savage et al., SOSP 1997).
//!
//! Who touches a place under a lock that everybody holds who touches it can do so at once: nobody else comes there before
//! the lock is given back. And who gives back a lock can do so at once: whoever wants it waits for just that, unless he
//! only looks whether it is free. Such a step is a persistent set by itself.
//!
//! Which lock protects what is learned on the walk: the locks under which a place was touched, every time so far. A step
//! is taken at once in the belief that it stays so. What is seen later may refute that; then the walk begins again,
//! knowing better.
//!
//! Guarantee: if a walk ends that was not refuted, the belief is true of all executions. Otherwise take a shortest
//! execution that breaks it with its last step. Whatever was taken at once commutes with the steps before, which keep to
//! the discipline; so the walk has come to a state from which the same last step is taken, and would have seen it. (That
//! others have their turn after a limited number of such steps is up to the walk.)
//!
//! Only locks in globals count, and objects that threads make are told apart by where they are made alone: names of
//! other objects depend on the path, and states are merged that differ in them. Whatever touches memory in other ways
//! than by a single access, or a lock that somebody else holds, ends the belief in any discipline.

use base::Id;
use execute::{Arg, Machine, Memory, Op, Place, Site, ThreadStatus};
use program::{ObjectName, SyncOp, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use sync::{LockEffect, ObjectKind};

/// A lock in a global.
type Lock = Place;

/// Bytes that are looked at together.
const GRANULE: u64 = 4;

/// After so many refutations nothing is believed any more.
const MAX_REFUTATIONS: u32 = 4;

/// What locks protect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Datum {
    /// A granule of a global.
    Global(u32, u64),
    /// All objects made at one place in the code; `None` for thread-local globals.
    MadeAt(Option<Site>),
}

type Locks = SmallVec<[Lock; 2]>;

#[derive(Default)]
struct Protection {
    /// Held at every access so far.
    locks: Locks,
    /// What was held at steps that were taken at once: one of each must be among `locks`.
    relied_on: SmallVec<[Locks; 1]>,
}

impl Protection {
    fn first(held: &[Lock]) -> Self {
        Self { locks: held.iter().copied().collect(), relied_on: SmallVec::new() }
    }

    fn includes_one_of(&self, held: &[Lock]) -> bool {
        self.locks.iter().any(|lock| held.contains(lock))
    }
}

#[derive(Default)]
pub struct LockDiscipline {
    protection: FxHashMap<Datum, Protection>,
    /// Objects in which somebody has taken a lock.
    lock_slots: Vec<u32>,
    /// Synchronisation objects whose bytes are known to be touched without a lock.
    sync_objects: FxHashSet<Place>,
    /// Locks that somebody looks at without waiting for them.
    watched: FxHashSet<Lock>,
    /// Locks that were given back at once.
    given_back: FxHashSet<Lock>,
    relies_on_something: bool,
    /// Nothing is believed.
    lawless: bool,
    refuted: bool,
    refutations: u32,
}

impl LockDiscipline {
    /// Something was relied on that is not so.
    pub fn is_refuted(&self) -> bool {
        self.refuted
    }

    /// Forgets what was relied on, for a walk that begins again.
    pub fn begin_again(&mut self) {
        self.refutations += 1;
        self.lawless |= self.refutations >= MAX_REFUTATIONS;
        self.protection.values_mut().for_each(|protection| protection.relied_on.clear());
        self.given_back.clear();
        self.relies_on_something = false;
        self.refuted = false;
    }

    /// Whether the next step of the thread, which is ready, can be taken at once. It is relied on from now on that it can.
    pub fn permits(&mut self, machine: &Machine<'_>, thread: ThreadId) -> bool {
        if self.lawless {
            return false;
        }
        let permitted = match &machine.code().ops[machine.site_of(thread).index()] {
            Op::Load { address, access, .. } => self.permits_access(machine, thread, (*address, access.bytes), false),
            Op::Store { address, access, .. } | Op::ReadModifyWrite { address, access, .. } => {
                self.permits_access(machine, thread, (*address, access.bytes), true)
            }
            Op::Sync { op, operands, .. } => match sync::class(*op).lock {
                // What begins a wait does more than give back.
                Some(LockEffect::Release { operand: 0, .. }) => self.permits_giving_back(machine, thread, operands[0]),
                _ => false,
            },
            _ => false,
        };
        self.relies_on_something |= permitted;
        permitted
    }

    fn permits_access(&mut self, machine: &Machine<'_>, thread: ThreadId, bytes: (Arg, u8), write: bool) -> bool {
        let Some((place, length)) = accessed(machine, thread, bytes, write) else { return false };
        let held = self.held(&machine.state.memory, thread, write);
        if held.is_empty() {
            return false;
        }
        let data = data(&machine.state.memory, place, length);
        let protects = |datum: &Datum| self.protection.get(datum).is_none_or(|own| own.includes_one_of(&held));
        if !data.iter().all(protects) {
            return false;
        }
        for datum in data {
            let own = self.protection.entry(datum).or_insert_with(|| Protection::first(&held));
            if !own.relied_on.contains(&held) {
                own.relied_on.push(held.clone());
            }
        }
        true
    }

    fn permits_giving_back(&mut self, machine: &Machine<'_>, thread: ThreadId, lock: Arg) -> bool {
        let memory = &machine.state.memory;
        let address = machine.state.threads[thread.0 as usize].value(machine.code(), lock);
        let Ok(place) = memory.place(address, 1, true) else { return false };
        let permitted =
            is_global(memory, place.slot) && !self.watched.contains(&place) && is_held(memory, place, thread, false);
        if permitted {
            self.given_back.insert(place);
        }
        permitted
    }

    /// Learns from a step that is taken.
    pub fn note(&mut self, machine: &Machine<'_>, thread: ThreadId) {
        if self.lawless {
            return;
        }
        let code = machine.code();
        let at = machine.site_of(thread).index();
        let alone = is_alone(machine);
        match &code.ops[at] {
            Op::Sync { op, operands, .. } => self.note_action(machine, thread, *op, operands, alone),
            // Whatever happens while there is one thread happens before all that others do.
            _ if alone => {}
            Op::Load { address, access, .. } => self.note_access(machine, thread, (*address, access.bytes), false),
            Op::Store { address, access, .. }
            | Op::ReadModifyWrite { address, access, .. }
            | Op::CompareExchange { address, access, .. }
            | Op::Spawn { store: Some((address, access)), .. } => {
                self.note_access(machine, thread, (*address, access.bytes), true);
            }
            Op::Nondet { .. } | Op::Spawn { store: None, .. } | Op::Join { .. } | Op::Detach { .. } => {}
            // What ends the execution touches nothing.
            Op::ProcessExit { .. } | Op::LeaveProcess => {}
            _ if !code.visible[at] => {}
            _ => self.lose_all_belief(),
        }
    }

    fn note_access(&mut self, machine: &Machine<'_>, thread: ThreadId, bytes: (Arg, u8), write: bool) {
        let Some((place, length)) = accessed(machine, thread, bytes, write) else { return self.lose_all_belief() };
        let memory = &machine.state.memory;
        let held = self.held(memory, thread, write);
        for datum in data(memory, place, length) {
            self.touch(datum, &held);
        }
    }

    fn touch(&mut self, datum: Datum, held: &[Lock]) {
        let own = self.protection.entry(datum).or_insert_with(|| Protection::first(held));
        own.locks.retain(|lock| held.contains(lock));
        self.refuted |= !own.relied_on.iter().all(|held| own.includes_one_of(held));
    }

    fn note_action(&mut self, machine: &Machine<'_>, thread: ThreadId, op: SyncOp, operands: &[Arg], alone: bool) {
        let memory = &machine.state.memory;
        let Some(places) = machine.sync_objects(thread, op, operands) else { return self.lose_all_belief() };
        for (&place, &kind) in places.iter().zip(&sync::action(op).objects) {
            if !self.lock_slots.contains(&place.slot) && is_global(memory, place.slot) {
                self.lock_slots.push(place.slot);
            }
            if alone {
                continue;
            }
            self.note_sync_object(machine, place, kind);
            if kind.is_lock() {
                self.note_lock(machine, place, thread, op);
            }
        }
    }

    /// The bytes of a synchronisation object are touched by whoever uses it.
    fn note_sync_object(&mut self, machine: &Machine<'_>, place: Place, kind: ObjectKind) {
        let memory = &machine.state.memory;
        if is_global(memory, place.slot) && !self.sync_objects.insert(place) {
            return;
        }
        let room = memory.object(place.slot).size - place.offset;
        let length = sync::object_bytes(kind, machine.code().program.sync_layouts()).min(room);
        for datum in data(memory, place, length) {
            self.touch(datum, &[]);
        }
    }

    fn note_lock(&mut self, machine: &Machine<'_>, place: Place, thread: ThreadId, op: SyncOp) {
        let memory = &machine.state.memory;
        let class = sync::class(op);
        match class.lock {
            Some(LockEffect::Acquire { fallible: false, .. }) => {}
            Some(LockEffect::Release { .. }) => {
                if !is_held(memory, place, thread, false) {
                    self.lose_all_belief();
                }
            }
            _ => {
                self.watched.insert(place);
                self.refuted |= self.given_back.contains(&place);
                let mut others = (0..machine.thread_count() as u32).map(ThreadId).filter(|&other| other != thread);
                if !class.only_tries() && others.any(|other| is_held(memory, place, other, false)) {
                    self.lose_all_belief();
                }
            }
        }
    }

    fn lose_all_belief(&mut self) {
        self.refuted |= self.relies_on_something;
        self.lawless = true;
    }

    /// The locks in globals that a thread holds: for a write those that it holds alone.
    fn held(&self, memory: &Memory, thread: ThreadId, alone: bool) -> Locks {
        let in_slot = |&slot: &u32| {
            let locks = memory.object(slot).sync.iter();
            let own = move |known: &&execute::SyncObject| {
                known.state.kind().is_lock() && known.state.is_held_by(thread.0, alone)
            };
            locks.filter(own).map(move |known| Place { slot, offset: known.offset })
        };
        self.lock_slots.iter().flat_map(in_slot).collect()
    }
}

fn is_global(memory: &Memory, slot: u32) -> bool {
    matches!(memory.object(slot).name, ObjectName::Global(_))
}

fn is_held(memory: &Memory, lock: Lock, thread: ThreadId, alone: bool) -> bool {
    let known = memory.object(lock.slot).sync.iter().find(|known| known.offset == lock.offset);
    known.is_some_and(|known| known.state.is_held_by(thread.0, alone))
}

fn is_alone(machine: &Machine<'_>) -> bool {
    machine.state.threads.iter().filter(|thread| thread.status != ThreadStatus::Ended).count() < 2
}

/// The bytes that an access touches; `None` if that is not known, or nothing that can be accessed.
fn accessed(
    machine: &Machine<'_>,
    thread: ThreadId,
    (address, length): (Arg, u8),
    write: bool,
) -> Option<(Place, u64)> {
    let value = machine.state.threads[thread.0 as usize].value(machine.code(), address);
    let length = u64::from(length);
    let place = machine.state.memory.place(value, length, write).ok();
    place.filter(|_| !value.is_opaque()).map(|place| (place, length))
}

fn data(memory: &Memory, place: Place, length: u64) -> SmallVec<[Datum; 2]> {
    let object = memory.object(place.slot);
    match object.name {
        ObjectName::Allocated(..) | ObjectName::ThreadLocal(..) => [Datum::MadeAt(object.origin)].into_iter().collect(),
        ObjectName::Global(_) => {
            let granules = place.offset / GRANULE..=(place.offset + length.max(1) - 1) / GRANULE;
            granules.map(|granule| Datum::Global(place.slot, granule)).collect()
        }
    }
}
