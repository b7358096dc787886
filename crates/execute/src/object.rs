//! One memory object: bytes, which of them are indeterminate, and which stretches hold pointers with provenance.
//!
//! As in Miri, provenance is kept beside the bytes, for whole pointers only: overwriting a part of a pointer, or
//! copying a part of it, leaves plain bytes. Whoever does that exposes the object that the pointer was made from (see
//! `memory.rs`), so that a pointer put together from the parts finds it again.

use program::{ConstantParts, ObjectName, ShapeId, ThreadId};
use sync::{Slot, SyncState};

use crate::code::Site;
use crate::race::{Epoch, Shadow, VectorClock};
use crate::value::{Provenance, Value};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum StorageKind {
    /// An address only; never read or written.
    Function,
    Global,
    ReadOnly,
    ThreadLocal,
    /// A local of an activation.
    Local,
    /// `alloca` and the like.
    Stack,
    Heap,
    /// Kept by the library for itself: freed by it, and never lost.
    Library,
}

/// How an object's life ended, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Death {
    pub thread: ThreadId,
    pub site: Site,
    /// Where races are looked for: the epoch of the write that a death counts as.
    pub epoch: Option<Epoch>,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub base: u64,
    pub size: u64,
    /// The stamp of pointers that may access the object: its own while it lives, else [`Object::DEAD`].
    pub live_stamp: u32,
    pub stamp: u32,
    pub kind: StorageKind,
    /// Whether a store to the object is allowed; a constant local may be initialised nevertheless.
    pub writable: bool,
    /// Members to which it is not.
    pub constant_parts: ConstantParts,
    /// An integer made from the address exists, so that an integer may become a pointer to here.
    pub exposed: bool,
    /// The address was also read as a number, or in part, so that it may lie somewhere in disguise.
    pub disguised: bool,
    pub name: ObjectName,
    pub shape: Option<ShapeId>,
    /// The instruction that made it.
    pub origin: Option<Site>,
    pub death: Option<Death>,
    bytes: Vec<u8>,
    /// Bit `i` set: byte `i` is indeterminate. Empty: none is.
    indeterminate: Vec<u64>,
    /// Where bytes come from that were indeterminate when they were copied to here; of those that are determinate by now, it
    /// says nothing.
    copied: Vec<CopiedRun>,
    /// Sorted by offset; no two overlap.
    pointers: Vec<(u64, Provenance)>,
    /// Stretches that hold opaque values; sorted by offset; no two overlap.
    opaque: Vec<OpaqueStretch>,
    pub shadow: Shadow,
    /// Synchronisation objects inside, sorted by offset.
    pub sync: Vec<SyncObject>,
}

impl Object {
    /// Objects without size need no place of their own; only what `malloc` returns must be unlike any other pointer.
    pub fn may_share_its_place(&self) -> bool {
        self.size == 0 && !matches!(self.kind, StorageKind::Function | StorageKind::Heap | StorageKind::Library)
    }
}

/// A synchronisation object that somebody has used: its state is what its bytes are. They are not stored as bytes, so that a
/// plain read of them is not supported, and a plain write of some leaves an object that cannot be used.
#[derive(Clone, Debug)]
pub struct SyncObject {
    pub offset: u64,
    /// How many bytes it takes; never more than 64.
    pub length: u64,
    pub state: SyncState,
    /// Bit `i` set: byte `i` has been overwritten by a plain write since, and is stored.
    pub overwritten: u64,
    /// What is released through each slot, where races are looked for; sorted by slot.
    pub released: Vec<(Slot, VectorClock)>,
}

impl SyncObject {
    fn end(&self) -> u64 {
        self.offset + self.length
    }

    /// The bits of those of its bytes that lie in a stretch.
    fn bits_inside(&self, offset: u64, length: u64) -> u64 {
        let (from, to) = (offset.max(self.offset), (offset + length).min(self.end()));
        if from >= to {
            return 0;
        }
        (u64::MAX >> (64 - (to - from))) << (from - self.offset)
    }

    /// A copy of the state, at a place relative to `start`. A copy orders nothing.
    fn copied(&self, start: u64) -> SyncObject {
        SyncObject { offset: self.offset - start, released: Vec::new(), ..self.clone() }
    }

    fn is_inside(&self, offset: u64, length: u64) -> bool {
        self.offset >= offset && self.end() <= offset + length
    }

    /// Whether the bytes of a stretch include some that only the state tells.
    fn hides(&self, offset: u64, length: u64) -> bool {
        self.bits_inside(offset, length) & !self.overwritten != 0
    }
}

/// Bytes whose value only a token stands for. Whoever overwrites or copies a part of one divides it before: the object
/// itself forgets it whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpaqueStretch {
    pub offset: u64,
    pub length: u64,
    pub token: u32,
}

/// The byte that an indeterminate byte was copied from, or is: whatever it turns out to be, its copies are the same.
pub type Origin = (ObjectName, u64);

/// Bytes that come from neighbouring bytes elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CopiedRun {
    pub offset: u64,
    pub length: u64,
    /// Where the first one comes from.
    pub origin: Origin,
}

impl CopiedRun {
    fn end(self) -> u64 {
        self.offset + self.length
    }

    /// The part of the run from `start` to `end`.
    fn part(self, start: u64, end: u64) -> Option<CopiedRun> {
        let (start, end) = (start.max(self.offset), end.min(self.end()));
        let origin = (self.origin.0, self.origin.1 + start.saturating_sub(self.offset));
        (start < end).then_some(CopiedRun { offset: start, length: end - start, origin })
    }
}

/// A stretch of bytes taken out of an object, with everything that is known of them.
pub struct Bytes {
    bytes: Vec<u8>,
    /// The indeterminate ones, and where they come from; sorted.
    indeterminate: Vec<CopiedRun>,
    pointers: Vec<(u64, Provenance)>,
    opaque: Vec<OpaqueStretch>,
    sync: Vec<SyncObject>,
}

impl Bytes {
    pub fn has_indeterminate(&self) -> bool {
        !self.indeterminate.is_empty()
    }
}

impl Object {
    pub const DEAD: u32 = u32::MAX;

    #[inline]
    pub fn may_be_written(&self, offset: u64, length: u64) -> bool {
        self.writable && (self.constant_parts.is_empty() || !self.constant_parts.touches(offset, length))
    }

    pub fn new(name: ObjectName, kind: StorageKind, base: u64, size: u64, stamp: u32) -> Self {
        Self {
            base,
            size,
            live_stamp: stamp,
            stamp,
            kind,
            writable: kind != StorageKind::ReadOnly,
            constant_parts: ConstantParts::default(),
            exposed: false,
            disguised: false,
            name,
            shape: None,
            origin: None,
            death: None,
            bytes: if kind == StorageKind::Function { Vec::new() } else { vec![0; size as usize] },
            indeterminate: Vec::new(),
            copied: Vec::new(),
            pointers: Vec::new(),
            opaque: Vec::new(),
            shadow: Shadow::default(),
            sync: Vec::new(),
        }
    }

    #[inline]
    pub fn is_alive(&self) -> bool {
        self.live_stamp != Self::DEAD
    }

    /// Whether nothing about the object ever changes, not even that it lives.
    #[inline]
    pub fn never_changes(&self) -> bool {
        self.kind == StorageKind::ReadOnly
    }

    /// Ends the object's life; its contents are gone, its identity stays for diagnostics.
    pub fn kill(&mut self, death: Death) {
        self.live_stamp = Self::DEAD;
        self.death = Some(death);
        self.bytes = Vec::new();
        self.indeterminate = Vec::new();
        self.copied = Vec::new();
        self.pointers = Vec::new();
        self.opaque = Vec::new();
        self.shadow = Shadow::default();
        // Whoever has been woken may find out after the end of the object.
        self.sync.retain(|object| object.state.kind() == sync::ObjectKind::Cond);
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn pointers(&self) -> &[(u64, Provenance)] {
        &self.pointers
    }

    pub fn opaque_stretches(&self) -> &[OpaqueStretch] {
        &self.opaque
    }

    /// The opaque stretches that overlap `offset..offset + length`.
    pub fn opaque_inside(&self, offset: u64, length: u64) -> &[OpaqueStretch] {
        &self.opaque[self.opaque_range(offset, length)]
    }

    fn opaque_range(&self, offset: u64, length: u64) -> std::ops::Range<usize> {
        let first = self.opaque.partition_point(|stretch| stretch.offset + stretch.length <= offset);
        let last = self.opaque.partition_point(|stretch| stretch.offset < offset + length);
        first..last.max(first)
    }

    /// Puts `stretches`, in order and each inside `offset..offset + length`, in the place of all that overlap there.
    pub fn replace_opaque(&mut self, offset: u64, length: u64, stretches: impl IntoIterator<Item = OpaqueStretch>) {
        let range = self.opaque_range(offset, length);
        self.opaque.splice(range, stretches);
    }

    /// Bit masks of indeterminate bytes; empty if there are none.
    pub fn indeterminate_words(&self) -> &[u64] {
        &self.indeterminate
    }

    /// Where the indeterminate bytes come from that are copies of others.
    pub fn indeterminate_copies(&self) -> impl Iterator<Item = CopiedRun> + '_ {
        self.copied.iter().copied()
    }

    /// Where an indeterminate byte comes from.
    pub fn origin_of(&self, byte: u64) -> Origin {
        let index = self.copied.partition_point(|run| run.end() <= byte);
        let run = self.copied.get(index).and_then(|run| run.part(byte, byte + 1));
        run.map_or((self.name, byte), |run| run.origin)
    }

    /// The indeterminate bytes of a stretch, and where they come from.
    fn indeterminate_runs(&self, offset: u64, length: u64) -> Vec<CopiedRun> {
        let (mut runs, mut start, end) = (Vec::new(), offset, offset + length);
        while let Some((at, length)) = self.indeterminate_stretch(start, end - start) {
            start = at + length;
            let mut next = at;
            let first = self.copied.partition_point(|run| run.end() <= at);
            for part in self.copied[first..].iter().map_while(|run| run.part(at, start)) {
                runs.extend((next < part.offset).then(|| self.own_run(next, part.offset)));
                next = part.end();
                runs.push(part);
            }
            runs.extend((next < start).then(|| self.own_run(next, start)));
        }
        runs
    }

    fn own_run(&self, start: u64, end: u64) -> CopiedRun {
        CopiedRun { offset: start, length: end - start, origin: (self.name, start) }
    }

    /// Puts `runs`, which lie inside of the stretch, in the place of all that is known of it.
    fn replace_copied(&mut self, offset: u64, length: u64, runs: impl Iterator<Item = CopiedRun>) {
        let end = offset + length;
        let first = self.copied.partition_point(|run| run.end() <= offset);
        let last = self.copied.partition_point(|run| run.offset < end).max(first);
        let touched = &self.copied[first..last];
        let before = touched.first().and_then(|run| run.part(0, offset));
        let after = touched.last().and_then(|run| run.part(end, u64::MAX));
        let new: Vec<CopiedRun> = before.into_iter().chain(runs).chain(after).collect();
        self.copied.splice(first..last, new);
    }

    pub fn make_indeterminate(&mut self) {
        self.copied.clear();
        self.pointers.clear();
        self.opaque.clear();
        self.indeterminate = vec![u64::MAX; (self.size as usize).div_ceil(64)];
        if let Some(last) = self.indeterminate.last_mut()
            && !self.size.is_multiple_of(64)
        {
            *last = (1 << (self.size % 64)) - 1;
        }
    }

    /// The first indeterminate stretch inside `offset..offset + length`, as offset and length.
    pub fn indeterminate_stretch(&self, offset: u64, length: u64) -> Option<(u64, u64)> {
        if self.indeterminate.is_empty() {
            return None;
        }
        let start = (offset..offset + length).find(|&byte| self.is_indeterminate(byte))?;
        let end = (start..offset + length).find(|&byte| !self.is_indeterminate(byte)).unwrap_or(offset + length);
        Some((start, end - start))
    }

    #[inline]
    fn is_indeterminate(&self, byte: u64) -> bool {
        self.indeterminate.get((byte / 64) as usize).is_some_and(|word| word >> (byte % 64) & 1 != 0)
    }

    fn set_indeterminate(&mut self, byte: u64, value: bool) {
        if self.indeterminate.is_empty() {
            if !value {
                return;
            }
            self.indeterminate = vec![0; (self.size as usize).div_ceil(64)];
        }
        let word = &mut self.indeterminate[(byte / 64) as usize];
        *word = *word & !(1 << (byte % 64)) | u64::from(value) << (byte % 64);
    }

    /// Drops the mask once nothing is indeterminate any more, so that accesses are quick again.
    fn tidy_mask(&mut self) {
        if self.indeterminate.iter().all(|&word| word == 0) {
            self.indeterminate.clear();
        }
    }

    /// Whether the address is in the object, or just behind it.
    pub fn surrounds(&self, address: u64) -> bool {
        address >= self.base && address - self.base <= self.size
    }

    /// All numbers of so many bytes that lie here, aligned or not.
    pub fn numbers(&self, width: u64) -> impl Iterator<Item = u64> + '_ {
        let number = |window: &[u8]| window.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        self.bytes.windows(width as usize).map(number)
    }

    /// Whether any pointers with provenance lie here.
    #[inline]
    pub fn holds_pointers(&self) -> bool {
        !self.pointers.is_empty()
    }

    /// The pointers that overlap a stretch, with where they begin.
    pub fn pointers_touching(&self, offset: u64, length: u64, pointer_bytes: u64) -> &[(u64, Provenance)] {
        &self.pointers[self.pointers_inside(offset, length, pointer_bytes)]
    }

    /// Reads `length` (1, 2, 4 or 8) bytes, none of them indeterminate. A part of a pointer is plain bytes.
    #[inline]
    pub fn load(&self, offset: u64, length: u64, pointer_bytes: u64) -> Value {
        let bits = self.load_bits(offset, length);
        if self.pointers.is_empty() && self.opaque.is_empty() {
            return Value::int(bits);
        }
        self.load_near_pointers(bits, offset, length, pointer_bytes)
    }

    #[inline]
    fn load_bits(&self, offset: u64, length: u64) -> u64 {
        let start = offset as usize;
        match length {
            4 => u64::from(u32::from_le_bytes(self.bytes[start..start + 4].try_into().expect("four bytes"))),
            8 => u64::from_le_bytes(self.bytes[start..start + 8].try_into().expect("eight bytes")),
            1 => u64::from(self.bytes[start]),
            _ => self.bytes[start..start + length as usize]
                .iter()
                .rev()
                .fold(0, |value, &byte| value << 8 | u64::from(byte)),
        }
    }

    fn load_near_pointers(&self, bits: u64, offset: u64, length: u64, width: u64) -> Value {
        if let Some(stretch) = self.opaque_inside(offset, length).first() {
            debug_assert!((stretch.offset, stretch.length) == (offset, length), "opaque values should be read whole");
            return Value::opaque(stretch.token);
        }
        match *self.pointers_touching(offset, length, width) {
            [(at, provenance)] if at == offset && length == width => Value::pointer(bits, provenance),
            _ => Value::int(bits),
        }
    }

    /// The indices of the pointers that overlap a stretch.
    fn pointers_inside(&self, offset: u64, length: u64, width: u64) -> std::ops::Range<usize> {
        let first = self.pointers.partition_point(|&(at, _)| at + width <= offset);
        let last = self.pointers.partition_point(|&(at, _)| at < offset + length);
        first..last.max(first)
    }

    #[inline]
    pub fn store(&mut self, offset: u64, length: u64, value: Value, pointer_bytes: u64) {
        let start = offset as usize;
        let bytes = value.bits.to_le_bytes();
        self.bytes[start..start + length as usize].copy_from_slice(&bytes[..length as usize]);
        if !self.indeterminate.is_empty() {
            self.determine(offset, length);
        }
        if !self.pointers.is_empty() {
            self.forget_pointers(offset, length, pointer_bytes);
        }
        if !self.opaque.is_empty() || value.is_opaque() {
            self.store_opaque(offset, length, value);
        }
        if !self.sync.is_empty() {
            self.overwrite_sync(offset, length);
        }
        if let Some(provenance) = value.provenance()
            && length == pointer_bytes
        {
            let position = self.pointers.partition_point(|&(at, _)| at < offset);
            self.pointers.insert(position, (offset, provenance));
        }
    }

    #[cold]
    fn store_opaque(&mut self, offset: u64, length: u64, value: Value) {
        self.replace_opaque(offset, length, value.token().map(|token| OpaqueStretch { offset, length, token }));
    }

    /// A plain write: a synchronisation object that is overwritten whole is what its bytes say again.
    #[cold]
    fn overwrite_sync(&mut self, offset: u64, length: u64) {
        for object in &mut self.sync {
            object.overwritten |= object.bits_inside(offset, length);
        }
        self.sync.retain(|object| object.hides(object.offset, object.length));
    }

    /// Whether some bytes of a stretch are those of a synchronisation object that was used.
    #[inline]
    pub fn is_hidden(&self, offset: u64, length: u64) -> bool {
        !self.sync.is_empty() && self.sync.iter().any(|object| object.hides(offset, length))
    }

    /// Whether a stretch can be copied: synchronisation objects whole and intact, or nothing of them.
    pub fn can_be_copied(&self, offset: u64, length: u64) -> bool {
        self.sync.iter().all(|object| {
            let is_whole = object.overwritten == 0 && object.is_inside(offset, length);
            is_whole || !object.hides(offset, length)
        })
    }

    /// Whether a synchronisation object of another place or length than these lies on the same bytes.
    pub fn overlaps_other_sync(&self, offset: u64, length: u64) -> bool {
        let overlaps = |object: &SyncObject| object.offset < offset + length && offset < object.end();
        self.sync.iter().any(|object| overlaps(object) && (object.offset, object.length) != (offset, length))
    }

    #[cold]
    fn determine(&mut self, offset: u64, length: u64) {
        (offset..offset + length).for_each(|byte| self.set_indeterminate(byte, false));
        self.replace_copied(offset, length, std::iter::empty());
        self.tidy_mask();
    }

    #[cold]
    fn forget_pointers(&mut self, offset: u64, length: u64, pointer_bytes: u64) {
        let touched = self.pointers_inside(offset, length, pointer_bytes);
        self.pointers.drain(touched);
    }

    /// Fixes indeterminate bytes to what a choice said.
    pub fn fix(&mut self, offset: u64, bytes: &[u8]) {
        self.bytes[offset as usize..offset as usize + bytes.len()].copy_from_slice(bytes);
        self.determine(offset, bytes.len() as u64);
    }

    pub fn fill(&mut self, offset: u64, length: u64, byte: u8, pointer_bytes: u64) {
        self.bytes[offset as usize..(offset + length) as usize].fill(byte);
        self.determine(offset, length);
        self.forget_pointers(offset, length, pointer_bytes);
        self.replace_opaque(offset, length, None);
        self.overwrite_sync(offset, length);
    }

    pub fn take_bytes(&self, offset: u64, length: u64, pointer_bytes: u64) -> Bytes {
        let range = offset as usize..(offset + length) as usize;
        let inside = |&&(at, _): &&(u64, Provenance)| at >= offset && at + pointer_bytes <= offset + length;
        let touched = self.pointers_inside(offset, length, pointer_bytes);
        Bytes {
            bytes: self.bytes[range].to_vec(),
            indeterminate: self
                .indeterminate_runs(offset, length)
                .into_iter()
                .map(|run| CopiedRun { offset: run.offset - offset, ..run })
                .collect(),
            pointers: self.pointers[touched].iter().filter(inside).map(|&(at, p)| (at - offset, p)).collect(),
            opaque: self
                .opaque_inside(offset, length)
                .iter()
                .map(|stretch| OpaqueStretch { offset: stretch.offset - offset, ..*stretch })
                .collect(),
            sync: self
                .sync
                .iter()
                .filter(|object| object.is_inside(offset, length))
                .map(|o| o.copied(offset))
                .collect(),
        }
    }

    pub fn put_bytes(&mut self, offset: u64, source: &Bytes, pointer_bytes: u64) {
        let length = source.bytes.len() as u64;
        self.bytes[offset as usize..(offset + length) as usize].copy_from_slice(&source.bytes);
        (offset..offset + length).for_each(|byte| self.set_indeterminate(byte, false));
        let runs = source.indeterminate.iter().map(|run| CopiedRun { offset: run.offset + offset, ..*run });
        for run in runs.clone() {
            (run.offset..run.end()).for_each(|byte| self.set_indeterminate(byte, true));
        }
        let name = self.name;
        self.replace_copied(offset, length, runs.filter(|run| run.origin != (name, run.offset)));
        self.tidy_mask();
        self.forget_pointers(offset, length, pointer_bytes);
        let position = self.pointers.partition_point(|&(at, _)| at < offset);
        let moved = source.pointers.iter().map(|&(at, provenance)| (at + offset, provenance));
        self.pointers.splice(position..position, moved);
        let opaque = source.opaque.iter().map(|stretch| OpaqueStretch { offset: stretch.offset + offset, ..*stretch });
        self.replace_opaque(offset, length, opaque);
        self.overwrite_sync(offset, length);
        let copied = source.sync.iter().map(|object| SyncObject { offset: object.offset + offset, ..object.clone() });
        self.sync.extend(copied);
        self.sync.sort_by_key(|object| object.offset);
    }
}
