//! Synchronisation objects: kinds, fields and concrete states. All fields zero is an initialised object at rest, mostly the
//! meaning of an all-zero static object.

use std::fmt;

use program::OwnSizes;

use crate::word::Word;

/// Who translates the table to bit-vectors of [`Field::bits`] bits follows so many threads.
pub const MASK_THREADS: u32 = 64;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectKind {
    Mutex,
    Rwlock,
    Spin,
    Cond,
    Barrier,
    Semaphore,
    Once,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Field {
    /// A [`Phase`].
    Phase,
    /// Of a mutex: 0 normal, 1 recursive, 2 errorcheck.
    Kind,
    /// Who holds a mutex or spin lock, who writes under an rwlock, who runs a once-initialiser.
    Owner,
    /// How often the owner of a mutex has locked it.
    Depth,
    /// The three binary digits, lowest first, of how many read locks each thread holds.
    Readers0,
    Readers1,
    Readers2,
    /// Threads that wait on a condition and have not been woken.
    Waiters,
    /// Of a condition that threads wait on: the address of their mutex.
    Partner,
    /// No part of a state: where a translation may number the signals of a condition.
    Signals,
    /// How many threads a round of a barrier takes; saturates at 65535, which no number of threads reaches.
    Count,
    /// Threads that wait in the current round of a barrier, and how many they are.
    Arrived,
    ArrivedCount,
    /// Threads that were last in a round and have not left yet.
    Serial,
    /// Of a semaphore.
    Value,
    /// Whether a once-initialiser has run.
    Done,
}

/// How the bits of a field are to be read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FieldSort {
    /// An unsigned number of so many bits.
    Number(u8),
    /// 0 for nobody, else the thread's number plus 1.
    Owner,
    /// A set of threads.
    Threads,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Phase {
    Initialised = 0,
    Uninitialised = 1,
    Destroyed = 2,
    /// No operation makes or knows it: what the bytes of the object mean is not known, and operations on it are unsupported.
    Unclear = 3,
}

impl Field {
    pub const ALL: [Field; 16] = [
        Field::Phase,
        Field::Kind,
        Field::Owner,
        Field::Depth,
        Field::Readers0,
        Field::Readers1,
        Field::Readers2,
        Field::Waiters,
        Field::Partner,
        Field::Signals,
        Field::Count,
        Field::Arrived,
        Field::ArrivedCount,
        Field::Serial,
        Field::Value,
        Field::Done,
    ];

    pub fn sort(self) -> FieldSort {
        match self {
            Field::Phase | Field::Kind => FieldSort::Number(2),
            Field::Owner => FieldSort::Owner,
            Field::Depth => FieldSort::Number(8),
            Field::Readers0 | Field::Readers1 | Field::Readers2 | Field::Waiters | Field::Arrived | Field::Serial => {
                FieldSort::Threads
            }
            Field::Count | Field::ArrivedCount => FieldSort::Number(16),
            Field::Value => FieldSort::Number(31),
            Field::Done => FieldSort::Number(1),
            Field::Partner => FieldSort::Number(64),
            Field::Signals => FieldSort::Number(24),
        }
    }

    /// The width of the field where there are no more than [`MASK_THREADS`] threads.
    pub fn bits(self) -> u8 {
        match self.sort() {
            FieldSort::Number(bits) => bits,
            FieldSort::Owner => 7,
            FieldSort::Threads => 64,
        }
    }
}

impl ObjectKind {
    pub const ALL: [ObjectKind; 7] = [
        ObjectKind::Mutex,
        ObjectKind::Rwlock,
        ObjectKind::Spin,
        ObjectKind::Cond,
        ObjectKind::Barrier,
        ObjectKind::Semaphore,
        ObjectKind::Once,
    ];

    /// The fields that make up the state of such an object.
    pub fn fields(self) -> &'static [Field] {
        use Field::*;
        match self {
            ObjectKind::Mutex => &[Phase, Owner, Depth, Kind],
            ObjectKind::Rwlock => &[Phase, Owner, Readers0, Readers1, Readers2],
            ObjectKind::Spin => &[Phase, Owner],
            ObjectKind::Cond => &[Phase, Waiters, Partner],
            ObjectKind::Barrier => &[Phase, Count, Arrived, ArrivedCount, Serial],
            ObjectKind::Semaphore => &[Phase, Value],
            ObjectKind::Once => &[Phase, Owner, Done],
        }
    }

    /// The position of `field` in [`fields`](Self::fields).
    pub fn position(self, field: Field) -> usize {
        let position = self.fields().iter().position(|&own| own == field);
        position.unwrap_or_else(|| unreachable!("a {self} should have no field {field:?} in the table of actions"))
    }

    /// Where a program's own size of such objects is kept.
    pub fn own_size(self, sizes: &mut OwnSizes) -> &mut Option<u32> {
        match self {
            ObjectKind::Mutex => &mut sizes.mutex,
            ObjectKind::Rwlock => &mut sizes.rwlock,
            ObjectKind::Spin => &mut sizes.spin,
            ObjectKind::Cond => &mut sizes.cond,
            ObjectKind::Barrier => &mut sizes.barrier,
            ObjectKind::Semaphore => &mut sizes.semaphore,
            ObjectKind::Once => &mut sizes.once,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            ObjectKind::Mutex => "mutex",
            ObjectKind::Rwlock => "rwlock",
            ObjectKind::Spin => "spin lock",
            ObjectKind::Cond => "condition variable",
            ObjectKind::Barrier => "barrier",
            ObjectKind::Semaphore => "semaphore",
            ObjectKind::Once => "once control",
        }
    }
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No kind of object has more fields.
const MAX_FIELDS: usize = 5;

/// The concrete state of one object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SyncState {
    kind: ObjectKind,
    values: [Word; MAX_FIELDS],
}

impl SyncState {
    /// An initialised object at rest.
    pub fn initialised(kind: ObjectKind) -> Self {
        Self { kind, values: Default::default() }
    }

    /// An object in memory that nobody has initialised.
    pub fn uninitialised(kind: ObjectKind) -> Self {
        let mut state = Self::initialised(kind);
        state.set(Field::Phase, Word::number(Phase::Uninitialised as u64));
        state
    }

    /// An object whose bytes are not understood.
    pub fn unclear(kind: ObjectKind) -> Self {
        let mut state = Self::initialised(kind);
        state.set(Field::Phase, Word::number(Phase::Unclear as u64));
        state
    }

    pub fn is_unclear(&self) -> bool {
        self.get(Field::Phase).low() == Phase::Unclear as u64
    }

    pub fn kind(&self) -> ObjectKind {
        self.kind
    }

    pub fn get(&self, field: Field) -> &Word {
        &self.values[self.kind.position(field)]
    }

    /// Sets a field; bits beyond the width of a number are cut off.
    pub fn set(&mut self, field: Field, value: Word) {
        let value = match field.sort() {
            FieldSort::Number(bits) => Word::number(value.low() & (u64::MAX >> (64 - u32::from(bits)))),
            FieldSort::Owner | FieldSort::Threads => value,
        };
        self.values[self.kind.position(field)] = value;
    }

    /// The thread that holds the object alone (mutex, spin lock, writer, running initialiser).
    pub fn owner(&self) -> Option<u32> {
        let held = self.kind.fields().contains(&Field::Owner);
        held.then(|| self.get(Field::Owner)).and_then(|code| (code.low() as u32).checked_sub(1))
    }

    /// Whether a thread holds the object, alone or, if that need not be, for reading.
    pub fn is_held_by(&self, thread: u32, alone: bool) -> bool {
        let reads = |&field: &Field| {
            let digits = [Field::Readers0, Field::Readers1, Field::Readers2];
            digits.contains(&field) && self.get(field).contains(u64::from(thread))
        };
        self.owner() == Some(thread) || (!alone && self.kind.fields().iter().any(reads))
    }
}

impl fmt::Debug for SyncState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct(self.kind.name());
        for (field, value) in self.kind.fields().iter().zip(&self.values) {
            text.field(&format!("{field:?}"), value);
        }
        text.finish()
    }
}

/// How a field of sort [`FieldSort::Owner`] names a thread.
pub fn owner_code(thread: u32) -> u64 {
    u64::from(thread) + 1
}
