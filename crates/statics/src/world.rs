//! What is known of all threads together, whatever the time: what memory may hold, who writes it, what escapes, how
//! threads end. It only grows; the analysis repeats until it does not grow any more.

use std::collections::{BTreeMap, BTreeSet};

use program::{Global, Program, SyncLayouts};
use rustc_hash::FxHashMap;

use crate::identity::{Identities, Object, ObjectId, ThreadId};
use crate::range::{Overlap, Range};
use crate::shared::Shared;
use crate::value::AbsValue;

/// What may have been stored at some offsets of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
struct LockEntry {
    offset: Range,
    size: u64,
    value: AbsValue,
    /// All bytes zero, so that every part of it is zero, too.
    zeros: bool,
    growths: u32,
}

/// An entry that grows more often is widened.
const GROWTHS: u32 = 6;
/// An object with more entries than this becomes one entry.
const ENTRIES: usize = 48;

/// How a thread may end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadEnding {
    /// What it has certainly joined.
    pub joined: Shared<BTreeSet<ThreadId>>,
    pub result: AbsValue,
}

#[derive(Default)]
pub struct World {
    contents: FxHashMap<ObjectId, Vec<LockEntry>>,
    writers: FxHashMap<ObjectId, BTreeSet<ThreadId>>,
    /// Objects made with all bytes zero.
    zeroed: BTreeSet<ObjectId>,
    pub escaped: BTreeSet<ObjectId>,
    /// Objects whose address was made a number, so that numbers may be made addresses of them.
    pub exposed: BTreeSet<ObjectId>,
    /// As `exposed`, for functions.
    functions_exposed: bool,
    /// An access through a number that may be the address of an exposed object.
    pub wild: bool,
    pub endings: BTreeMap<ThreadId, ThreadEnding>,
    /// Who may try to join each thread.
    joiners: BTreeMap<ThreadId, BTreeSet<ThreadId>>,
    /// Who may try to join any thread.
    any_joiners: BTreeSet<ThreadId>,
    detached: BTreeSet<ThreadId>,
    any_detached: bool,
    /// Places of locks that exclude nobody for certain: unlocked by strangers, or initialised while in use.
    unreliable: BTreeMap<ObjectId, Vec<Range>>,
    /// What kind of synchronisation object is used at each place.
    kinds: BTreeMap<ObjectId, Vec<(Range, sync::ObjectKind)>>,
    lock_bytes_read: bool,
    addresses_revealed: bool,
    pub arguments: BTreeSet<ObjectId>,
    version: u64,
}

impl World {
    /// Changes whenever anything here does.
    pub fn version(&self) -> u64 {
        self.version
    }

    fn grow<T: Ord>(version: &mut u64, set: &mut BTreeSet<T>, item: T) {
        *version += u64::from(set.insert(item));
    }

    pub fn wrote(&mut self, thread: ThreadId, object: ObjectId) {
        Self::grow(&mut self.version, self.writers.entry(object).or_default(), thread);
    }

    /// Whether `thread`, of which there is one, is the only writer of this object, of which there is one.
    pub fn is_owned(&self, identities: &Identities, thread: ThreadId, object: ObjectId) -> bool {
        identities.is_unique_thread(thread)
            && identities.is_unique_object(object)
            && self.writers.get(&object).is_none_or(|writers| writers.iter().all(|&writer| writer == thread))
    }

    pub fn set_zeroed(&mut self, object: ObjectId) {
        Self::grow(&mut self.version, &mut self.zeroed, object);
    }

    pub fn expose(&mut self, value: &AbsValue) {
        for &object in value.objects().keys() {
            Self::grow(&mut self.version, &mut self.exposed, object);
        }
        if !value.functions().is_empty() {
            self.version += u64::from(!std::mem::replace(&mut self.functions_exposed, true));
        }
    }

    pub fn are_functions_exposed(&self) -> bool {
        self.functions_exposed
    }

    pub fn is_anything_exposed(&self) -> bool {
        self.functions_exposed || !self.exposed.is_empty()
    }

    pub fn escape(&mut self, object: ObjectId) -> bool {
        let is_new = self.escaped.insert(object);
        self.version += u64::from(is_new);
        is_new
    }

    pub fn pass(&mut self, value: &AbsValue) {
        for &object in value.objects().keys() {
            Self::grow(&mut self.version, &mut self.arguments, object);
        }
    }

    pub fn access_wildly(&mut self) {
        self.version += u64::from(!std::mem::replace(&mut self.wild, true));
    }

    pub fn store(&mut self, object: ObjectId, offset: Range, size: u64, value: &AbsValue) {
        self.put(object, offset, size, value, false);
    }

    pub fn store_zeros(&mut self, object: ObjectId, offset: Range, size: u64) {
        self.put(object, offset, size, &AbsValue::number(Range::ZERO), true);
    }

    fn put(&mut self, object: ObjectId, offset: Range, size: u64, value: &AbsValue, zeros: bool) {
        let value = value.clone().named(None);
        let entries = self.contents.entry(object).or_default();
        let known = entries.iter_mut().find(|entry| entry.offset == offset && entry.size == size);
        match known {
            Some(entry) => {
                let joined = if entry.growths < GROWTHS { entry.value.join(&value) } else { entry.value.widen(&value) };
                if joined != entry.value || (entry.zeros && !zeros) {
                    entry.value = joined;
                    entry.zeros &= zeros;
                    entry.growths += 1;
                    self.version += 1;
                }
            }
            None => {
                entries.push(LockEntry { offset, size, value, zeros, growths: 0 });
                self.version += 1;
                if entries.len() > ENTRIES {
                    *entries = vec![collapsed(entries)];
                }
            }
        }
    }

    /// What a read may see, stores by anybody at any time and the initial contents included. The second result are
    /// values of which only a part may be read, or that may be read together with parts of others.
    pub fn load(
        &self,
        program: &Program,
        identities: &Identities,
        object: ObjectId,
        offset: Range,
        size: u64,
    ) -> (AbsValue, Vec<AbsValue>) {
        let (mut value, mut is_mixed) = self.initial(program, identities, object, offset, size);
        for entry in self.contents.get(&object).into_iter().flatten() {
            match entry.offset.overlap(entry.size, offset, size) {
                Overlap::Never => {}
                Overlap::OnlyIfEqual if entry.size == size => value = value.join(&entry.value),
                _ if entry.zeros && entry.offset.surrounds(entry.size, offset, size) => {
                    value = value.join(&AbsValue::number(Range::ZERO));
                }
                _ => {
                    value = value.join(&entry.value).join(&AbsValue::anything());
                    is_mixed |= !entry.value.carries_nothing() || !entry.offset.surrounds(entry.size, offset, size);
                }
            }
        }
        let parts = if is_mixed { vec![value.clone()] } else { Vec::new() };
        (value, parts)
    }

    /// What is there before anything is stored, and whether that may be a part of an address.
    fn initial(
        &self,
        program: &Program,
        identities: &Identities,
        object: ObjectId,
        offset: Range,
        size: u64,
    ) -> (AbsValue, bool) {
        match identities.object(object) {
            Object::Global(global) | Object::ThreadLocal(global, _) => {
                initial_value(program, identities, &program.globals[global], offset, size)
            }
            Object::Local(..) => (AbsValue::anything(), false),
            Object::Allocation(..) if self.zeroed.contains(&object) => (AbsValue::number(Range::ZERO), false),
            Object::Allocation(..) => (AbsValue::anything(), false),
        }
    }

    /// The parts of `source` from `from` on, for `size` bytes, as offsets relative to `from` with what they hold.
    pub fn copied(
        &self,
        program: &Program,
        identities: &Identities,
        source: ObjectId,
        from: Range,
        size: u64,
    ) -> Vec<(Range, u64, AbsValue)> {
        let mut parts = Vec::new();
        let known = self.contents.get(&source).into_iter().flatten();
        for entry in known.filter(|entry| entry.offset.overlap(entry.size, from, size) != Overlap::Never) {
            let relative = entry.offset.add(from.negate());
            parts.push((relative, entry.size, entry.value.clone()));
        }
        let (initial, _) = self.initial(program, identities, source, Range::ALL, 1);
        if !initial.carries_nothing() {
            parts.push((Range::ALL, program.data_model.pointer_bytes(), initial));
        }
        parts
    }

    /// All that a value in the object may be.
    pub fn everything_in(&self, program: &Program, identities: &Identities, object: ObjectId) -> AbsValue {
        let (initial, _) = self.initial(program, identities, object, Range::ALL, 1);
        let entries = self.contents.get(&object).into_iter().flatten();
        entries.fold(initial, |all, entry| all.join(&entry.value))
    }

    pub fn end(&mut self, thread: ThreadId, ending: ThreadEnding) {
        match self.endings.get_mut(&thread) {
            None => {
                self.endings.insert(thread, ending);
                self.version += 1;
            }
            Some(known) => {
                let result = known.result.join(&ending.result);
                let joined: BTreeSet<ThreadId> = known.joined.intersection(&ending.joined).copied().collect();
                let new = ThreadEnding { joined: joined.into(), result };
                self.version += u64::from(*known != new);
                *known = new;
            }
        }
    }

    pub fn may_join(&mut self, joiner: ThreadId, handle: &AbsValue) {
        if handle.may_be_any_handle() {
            Self::grow(&mut self.version, &mut self.any_joiners, joiner);
        }
        for &thread in handle.threads() {
            Self::grow(&mut self.version, self.joiners.entry(thread).or_default(), joiner);
        }
    }

    pub fn may_detach(&mut self, handle: &AbsValue) {
        if handle.may_be_any_handle() {
            self.version += u64::from(!std::mem::replace(&mut self.any_detached, true));
        }
        handle.threads().iter().for_each(|&thread| self.detach(thread));
    }

    pub fn detach(&mut self, thread: ThreadId) {
        Self::grow(&mut self.version, &mut self.detached, thread);
    }

    /// Whether a join of the thread by `joiner` waits for its end: it is not detached, nobody else can have joined it before,
    /// and it does not join `joiner` in turn, so that one of them might be told EDEADLK.
    pub fn join_waits(&self, identities: &Identities, joiner: ThreadId, thread: ThreadId) -> bool {
        let only_joiner = |joiners: &BTreeSet<ThreadId>| joiners.iter().all(|&other| other == joiner);
        identities.is_unique_thread(joiner)
            && !self.any_detached
            && !self.detached.contains(&thread)
            && only_joiner(&self.any_joiners)
            && self.joiners.get(&thread).is_none_or(only_joiner)
            && thread != joiner
            && !self.any_joiners.contains(&thread)
            && self.joiners.get(&joiner).is_none_or(|joiners| !joiners.contains(&thread))
    }

    pub fn distrust(&mut self, objects: &BTreeMap<ObjectId, Range>) {
        for (&object, &offset) in objects {
            let known = self.unreliable.entry(object).or_default();
            if !known.contains(&offset) {
                known.push(offset);
                self.version += 1;
            }
        }
    }

    /// Notes of what kind the synchronisation object there is. Two that share bytes and are not one and the same make
    /// each other unreliable.
    pub fn use_as(&mut self, objects: &BTreeMap<ObjectId, Range>, kind: sync::ObjectKind, layouts: SyncLayouts) {
        for (&object, &offset) in objects {
            let known = self.kinds.entry(object).or_default();
            if known.contains(&(offset, kind)) {
                continue;
            }
            let size = |kind| sync::object_bytes(kind, layouts);
            let disturbs =
                |&&(at, other): &&(Range, sync::ObjectKind)| match at.overlap(size(other), offset, size(kind)) {
                    Overlap::Never => false,
                    _ if other != kind => true,
                    _ => at.as_offset().is_some() && offset.as_offset().is_some() && at != offset,
                };
            let disturbed: Vec<Range> = known.iter().filter(disturbs).map(|&(at, _)| at).collect();
            known.push((offset, kind));
            self.version += 1;
            if !disturbed.is_empty() {
                disturbed.iter().chain([&offset]).for_each(|&at| self.distrust(&BTreeMap::from([(object, at)])));
            }
        }
    }

    /// The places of locks in the object that share bytes with these.
    pub fn locks_in(&self, object: ObjectId, layouts: SyncLayouts, offset: Range, size: u64) -> Vec<(Range, u64)> {
        use sync::ObjectKind::{Mutex, Rwlock, Spin};
        let known = self.kinds.get(&object).into_iter().flatten();
        known
            .filter(|(_, kind)| matches!(kind, Mutex | Rwlock | Spin))
            .map(|&(at, kind)| (at, sync::object_bytes(kind, layouts)))
            .filter(|&(at, bytes)| at.overlap(bytes, offset, size) != Overlap::Never)
            .collect()
    }

    /// Whether some synchronisation object shares bytes with these.
    pub fn is_synchronised(&self, object: ObjectId, layouts: SyncLayouts, offset: Range, size: u64) -> bool {
        let known = self.kinds.get(&object).into_iter().flatten();
        known.clone().any(|&(at, kind)| at.overlap(sync::object_bytes(kind, layouts), offset, size) != Overlap::Never)
    }

    pub fn reveal_addresses(&mut self) {
        self.version += u64::from(!std::mem::replace(&mut self.addresses_revealed, true));
    }

    /// Whether addresses may get to other threads without ordering them.
    pub fn are_addresses_revealed(&self) -> bool {
        self.addresses_revealed
    }

    pub fn read_lock_bytes(&mut self) {
        self.version += u64::from(!std::mem::replace(&mut self.lock_bytes_read, true));
    }

    /// Whether the program may read the bytes of a lock by plain accesses.
    pub fn are_lock_bytes_read(&self) -> bool {
        self.lock_bytes_read
    }

    /// Whether such bytes are zero, as far as they were ever written.
    pub fn is_zero(&self, object: ObjectId, offset: Range, size: u64) -> bool {
        let entries = self.contents.get(&object).into_iter().flatten();
        entries.clone().all(|entry| {
            entry.zeros
                || entry.value.as_constant() == Some(0)
                || entry.offset.overlap(entry.size, offset, size) == Overlap::Never
        })
    }

    /// Whether no lock at these places may be taken away from its holder.
    pub fn is_reliable(&self, objects: &BTreeMap<ObjectId, Range>) -> bool {
        objects.iter().all(|(object, &offset)| {
            self.unreliable.get(object).into_iter().flatten().all(|&bad| bad.is_disjoint(offset))
        })
    }
}

fn collapsed(entries: &[LockEntry]) -> LockEntry {
    let value = entries.iter().fold(AbsValue::anything(), |all, entry| all.join(&entry.value));
    LockEntry { offset: Range::ALL, size: 1, value, zeros: false, growths: 0 }
}

/// What a global holds at first, and whether that may be a part of an address.
fn initial_value(
    program: &Program,
    identities: &Identities,
    global: &Global,
    offset: Range,
    size: u64,
) -> (AbsValue, bool) {
    let initial = &global.initial;
    if initial.indeterminate {
        return (AbsValue::anything(), false);
    }
    let width = program.data_model.pointer_bytes();
    let mut addresses = Vec::new();
    let mut is_part = false;
    for relocation in &initial.relocations {
        let at = Range::constant(relocation.offset as i64);
        let address = address_value(identities, relocation.value);
        match at.overlap(width, offset, size) {
            Overlap::Never => continue,
            Overlap::OnlyIfEqual if size == width && at == offset => return (address, false),
            Overlap::OnlyIfEqual if size == width => {}
            _ => is_part = true,
        }
        addresses.push(address);
    }
    let number = match offset.as_offset() {
        _ if is_part => Range::ALL,
        Some(at) if at >= 0 && size <= 8 => {
            let byte = |index: u64| initial.bytes.get((at as u64 + index) as usize).copied().unwrap_or(0);
            let bits = (0..size).rev().fold(0u64, |bits, index| bits << 8 | u64::from(byte(index)));
            Range::constant(bits as i64)
        }
        _ if initial.bytes.iter().all(|&byte| byte == 0) => Range::ZERO,
        _ => Range::ALL,
    };
    (addresses.iter().fold(AbsValue::number(number), |all, address| all.join(address)), is_part)
}

fn address_value(identities: &Identities, operand: program::Operand) -> AbsValue {
    match operand {
        program::Operand::Global { global, offset } => match identities.find_object(Object::Global(global)) {
            Some(object) => AbsValue::address(object, Range::constant(offset)),
            None => AbsValue::anything(),
        },
        program::Operand::Function(function) => AbsValue::function(function),
        _ => AbsValue::anything(),
    }
}
