//! The object table: all objects of one execution, what a pointer may access, and the birth and death of objects.
//!
//! Objects are shared between states until one of them writes (copy on write), so that a state is cheap to clone.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use program::{Global, GlobalId, ObjectName, Operand, ThreadId, limits};

use crate::address_space::{Arena, CommonArea};
use crate::code::{Code, Site};
use crate::object::{Death, Object, Origin, StorageKind};
use crate::value::{Provenance, Value};

/// Addresses of each object of the heap, where it matters whether new ones lie in the place of old ones: at most this.
const ROOM: u64 = 1 << 20;

/// So many dead objects of a thread stay known, for diagnostics, before their slots are used again.
const REMEMBERED_DEAD: usize = 64;

#[derive(Clone, Debug)]
pub struct Memory {
    objects: Vec<Rc<Object>>,
    threads: Vec<ThreadMemory>,
    common: CommonArea,
    pointer_bytes: u64,
    /// Of the objects that threads have made and that are not dead.
    live_bytes: u64,
    /// Addresses that every object of the heap has for itself, so that another one fits in its place.
    room: u64,
    /// What bytes turned out to be since indeterminate ones were first copied.
    settled: Option<BTreeMap<Origin, u8>>,
}

/// Indeterminate bytes, and the stretch that they are copies of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndeterminateBytes {
    pub offset: u64,
    pub length: u64,
    pub origin: Origin,
    /// What they are, if that is known from another copy.
    pub settled: Option<Vec<u8>>,
}

/// What a thread has made, and where its next object goes.
#[derive(Clone, Debug)]
struct ThreadMemory {
    arena: Arena,
    /// How many objects the thread has made: the next one's number.
    made: u32,
    /// Slots of its dead objects, oldest first.
    dead: VecDeque<u32>,
}

/// A place inside a living object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    pub slot: u32,
    pub offset: u64,
}

/// Why an address cannot be accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadAddress {
    Null,
    /// An integer that is the address of nothing.
    Nowhere,
    OutOfBounds(Provenance),
    /// The object's life is over.
    Dead(Provenance),
    ReadOnly(Provenance),
    /// A function is not data.
    Function(Provenance),
}

/// Why an address cannot be freed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadFree {
    /// Not the address of any object.
    Nowhere,
    /// Not made by an allocation on the heap.
    NotAllocated(Provenance),
    /// Inside an object, not at its beginning.
    Inside(Provenance),
    /// Freed before.
    Dead(Provenance),
}

/// An object cannot be made, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoRoom(pub String);

/// What a new object is to be.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub kind: StorageKind,
    pub size: u64,
    pub align: u64,
    /// A fixed address, for a local that has had one.
    pub base: Option<u64>,
    pub site: Site,
}

impl Memory {
    /// Functions and globals, in the slots that `code` says.
    pub fn new(code: &Code) -> Self {
        let mut memory = Self {
            objects: Vec::new(),
            threads: Vec::new(),
            common: code.space.common_area(),
            pointer_bytes: code.pointer_bytes,
            live_bytes: 0,
            room: if code.chooses_addresses { ROOM.min(1 << (code.pointer_bytes * 2 + 4)) } else { 0 },
            settled: None,
        };
        for (id, _) in code.program.functions.iter_enumerated() {
            let value = code.constant(Operand::Function(id)).expect("a function's address should be a constant");
            // Functions are no memory objects of the program; the name is never shown or asked for.
            let name = ObjectName::Global(GlobalId(u32::MAX - id.0));
            memory.objects.push(Rc::new(Object::new(name, StorageKind::Function, value.bits, 1, 0)));
        }
        for (id, global) in code.program.globals.iter_enumerated() {
            let kind = if global.read_only { StorageKind::ReadOnly } else { StorageKind::Global };
            let base = code.space.globals[id.0 as usize];
            // The table slot of a thread-local global stands for no object: every thread makes its own.
            let size = if global.thread_local { 0 } else { global.size };
            let mut object = Object::new(ObjectName::Global(id), kind, base, size, 0);
            if !global.thread_local {
                initialise(&mut object, code, global);
            }
            memory.objects.push(Rc::new(object));
        }
        memory
    }

    /// Makes room for the next thread and its thread-local globals; returns their addresses.
    pub fn add_thread(&mut self, code: &Code, thread: ThreadId) -> Result<Vec<Value>, NoRoom> {
        let arena = code.space.arena(thread.0 as usize);
        self.threads.push(ThreadMemory { arena, made: 0, dead: VecDeque::new() });
        let make = |&id: &GlobalId| {
            let global = &code.program.globals[id];
            self.take_room(global.size)?;
            let arena = &mut self.threads[thread.0 as usize].arena;
            let base = arena.stack(&mut self.common, global.size, global.align).ok_or_else(no_addresses)?;
            let name = ObjectName::ThreadLocal(id, thread);
            let mut object = Object::new(name, StorageKind::ThreadLocal, base, global.size, 0);
            initialise(&mut object, code, global);
            self.objects.push(Rc::new(object));
            Ok(Value::pointer(base, Provenance { slot: self.objects.len() as u32 - 1, stamp: 0 }))
        };
        code.thread_locals.iter().map(make).collect()
    }

    pub fn objects(&self) -> impl Iterator<Item = (u32, &Rc<Object>)> {
        self.objects.iter().enumerate().map(|(slot, object)| (slot as u32, object))
    }

    #[inline]
    pub fn object(&self, slot: u32) -> &Object {
        &self.objects[slot as usize]
    }

    #[inline]
    pub fn object_mut(&mut self, slot: u32) -> &mut Object {
        Rc::make_mut(&mut self.objects[slot as usize])
    }

    /// The place in a living object that an access of `length` bytes at `address` touches.
    #[inline]
    pub fn place(&self, address: Value, length: u64, write: bool) -> Result<Place, BadAddress> {
        if let Some(provenance) = address.provenance() {
            let object = &self.objects[provenance.slot as usize];
            let offset = address.bits.wrapping_sub(object.base);
            if object.live_stamp == provenance.stamp
                && offset <= object.size
                && length <= object.size - offset
                && (!write || object.may_be_written(offset, length))
                && object.kind != StorageKind::Function
            {
                return Ok(Place { slot: provenance.slot, offset });
            }
        }
        self.place_of_odd_address(address, length, write)
    }

    #[cold]
    fn place_of_odd_address(&self, address: Value, length: u64, write: bool) -> Result<Place, BadAddress> {
        let Some(provenance) = address.provenance() else {
            let found = self.find_exposed(address.bits).ok_or(match address.bits {
                0 => BadAddress::Null,
                _ => BadAddress::Nowhere,
            })?;
            return self.place(Value::pointer(address.bits, found), length, write);
        };
        let object = &self.objects[provenance.slot as usize];
        Err(match () {
            () if object.live_stamp != provenance.stamp => BadAddress::Dead(provenance),
            () if object.kind == StorageKind::Function => BadAddress::Function(provenance),
            () if address.bits.wrapping_sub(object.base).saturating_add(length) > object.size => {
                BadAddress::OutOfBounds(provenance)
            }
            () => BadAddress::ReadOnly(provenance),
        })
    }

    /// The living object around an integer address, or that ends there, if the address of that object was ever made an
    /// integer. No object begins where another ends, so that there is at most one.
    pub fn find_exposed(&self, address: u64) -> Option<Provenance> {
        let inside = |object: &Object| object.exposed && object.is_alive() && object.surrounds(address);
        let slot = self.objects.iter().position(|object| inside(object))?;
        Some(Provenance { slot: slot as u32, stamp: self.objects[slot].stamp })
    }

    /// The freed objects in whose place a new one of this size may lie.
    pub fn reusable(&self, size: u64, align: u64) -> Vec<Provenance> {
        let is_free = |base: u64| {
            let mut objects = self.objects.iter();
            !objects.any(|object| object.is_alive() && object.kind == StorageKind::Heap && object.base == base)
        };
        let dead = self.objects().filter(|(_, object)| object.kind == StorageKind::Heap && !object.is_alive());
        let candidates = dead.map(|(slot, object)| (Provenance { slot, stamp: object.stamp }, object));
        candidates
            .filter(|(object, known)| {
                known.base.is_multiple_of(align.max(1)) && self.is_large_enough(*object, size) && is_free(known.base)
            })
            .map(|(object, _)| object)
            .collect()
    }

    /// Whether an object of this size fits in the place of another.
    pub fn is_large_enough(&self, object: Provenance, size: u64) -> bool {
        size <= self.room.max(self.object(object.slot).size)
    }

    /// Whether it matters where objects lie.
    pub fn chooses_addresses(&self) -> bool {
        self.room > 0
    }

    /// Why it is not certain whether these pointers, of different objects or one of none, are equal.
    pub fn doubt_about_equality(&self, left: Value, right: Value) -> Option<&'static str> {
        let Some((first, second)) = left.provenance().zip(right.provenance()) else {
            return Some("comparison of a pointer with an integer of unknown provenance");
        };
        if !self.is_alive(first) || !self.is_alive(second) {
            return Some("comparison of a dangling pointer");
        }
        let (one, other) = (self.object(first.slot), self.object(second.slot));
        if one.may_share_its_place() || other.may_share_its_place() {
            return Some("comparison of the address of a zero-sized object");
        }
        // Compound literals of constant types are locals.
        let are_constant = !one.writable && !other.writable;
        if are_constant && (one.bytes().ends_with(other.bytes()) || other.bytes().ends_with(one.bytes())) {
            return Some("comparison of string literals that may share storage");
        }
        let ends = |one: Provenance, value: Value| {
            let object = self.object(one.slot);
            object.size > 0 && value.bits == object.base + object.size
        };
        let begins = |one: Provenance, value: Value| self.object(one.slot).base == value.bits;
        let touch = (ends(first, left) && begins(second, right)) || (ends(second, right) && begins(first, left));
        touch.then_some("comparison of a one-past-the-end pointer with the start of another object")
    }

    pub fn is_alive(&self, provenance: Provenance) -> bool {
        self.object(provenance.slot).live_stamp == provenance.stamp
    }

    /// An integer made from the object's address exists, or may exist.
    pub fn expose(&mut self, provenance: Provenance) {
        self.set_exposed(provenance, true);
    }

    fn set_exposed(&mut self, provenance: Provenance, disguised: bool) {
        let object = &self.objects[provenance.slot as usize];
        if object.live_stamp == provenance.stamp && !(object.exposed && (object.disguised || !disguised)) {
            let object = self.object_mut(provenance.slot);
            object.exposed = true;
            object.disguised |= disguised;
        }
    }

    /// The object that a pointer was made from, dead or alive; `None` once its slot is used again.
    pub fn known_object(&self, provenance: Provenance) -> Option<&Object> {
        let object = self.object(provenance.slot);
        (object.stamp == provenance.stamp).then_some(object)
    }

    /// The name of the object that a pointer was made from, even if nothing else is known of it any more.
    pub fn name(&self, provenance: Provenance) -> ObjectName {
        match self.object(provenance.slot).name {
            ObjectName::Allocated(thread, _) => ObjectName::Allocated(thread, provenance.stamp),
            other => other,
        }
    }

    /// Reads a scalar; `None` if some of its bytes are indeterminate or hidden in a synchronisation object. Reading (a part
    /// of) a pointer otherwise than as a pointer exposes its object.
    #[inline]
    pub fn load(&mut self, place: Place, length: u64, as_pointer: bool) -> Option<Value> {
        let object = &self.objects[place.slot as usize];
        if object.is_hidden(place.offset, length) {
            return None;
        }
        if object.indeterminate_stretch(place.offset, length).is_some() {
            return None;
        }
        if !object.holds_pointers() {
            return Some(object.load(place.offset, length, self.pointer_bytes));
        }
        Some(self.load_near_pointers(place, length, as_pointer))
    }

    fn load_near_pointers(&mut self, place: Place, length: u64, as_pointer: bool) -> Value {
        let value = self.object(place.slot).load(place.offset, length, self.pointer_bytes);
        let is_whole = value.provenance().is_some();
        if !(is_whole && as_pointer) {
            self.expose_all(place, length, true, |_| true);
        }
        value
    }

    #[inline]
    pub fn store(&mut self, place: Place, length: u64, value: Value) {
        if self.objects[place.slot as usize].holds_pointers() {
            self.expose_remainders(place, length, false);
        }
        if length != self.pointer_bytes
            && let Some(provenance) = value.provenance()
        {
            self.expose(provenance);
        }
        let pointer_bytes = self.pointer_bytes;
        self.object_mut(place.slot).store(place.offset, length, value, pointer_bytes);
    }

    /// The first indeterminate bytes of a stretch.
    pub fn next_indeterminate(&self, place: Place, length: u64) -> Option<IndeterminateBytes> {
        let object = self.object(place.slot);
        let (offset, length) = object.indeterminate_stretch(place.offset, length)?;
        let origin = object.origin_of(offset);
        let Some(settled) = &self.settled else {
            return Some(IndeterminateBytes { offset, length, origin, settled: None });
        };
        let value = |index: u64| settled.get(&(origin.0, origin.1 + index)).copied();
        let continues = |index: &u64| {
            object.origin_of(offset + index) == (origin.0, origin.1 + index)
                && value(*index).is_some() == value(0).is_some()
        };
        let length = (0..length).take_while(continues).count() as u64;
        Some(IndeterminateBytes { offset, length, origin, settled: (0..length).map(value).collect() })
    }

    /// Indeterminate bytes turned out to be these.
    pub fn settle(&mut self, (object, offset): Origin, bytes: &[u8]) {
        if let Some(settled) = &mut self.settled {
            settled.extend(bytes.iter().zip(offset..).map(|(&byte, offset)| ((object, offset), byte)));
        }
    }

    /// What copied bytes turned out to be; `None` if none was ever copied while it was indeterminate.
    pub fn settled(&self) -> Option<&BTreeMap<Origin, u8>> {
        self.settled.as_ref()
    }

    pub fn copy(&mut self, target: Place, source: Place, length: u64) {
        self.expose_remainders(source, length, true);
        self.expose_remainders(target, length, false);
        let bytes = self.object(source.slot).take_bytes(source.offset, length, self.pointer_bytes);
        if bytes.has_indeterminate() {
            self.settled.get_or_insert_default();
        }
        let pointer_bytes = self.pointer_bytes;
        self.object_mut(target.slot).put_bytes(target.offset, &bytes, pointer_bytes);
    }

    pub fn fill(&mut self, target: Place, length: u64, byte: u8) {
        self.expose_remainders(target, length, false);
        let pointer_bytes = self.pointer_bytes;
        self.object_mut(target.slot).fill(target.offset, length, byte, pointer_bytes);
    }

    /// Whether a pointer lies partly inside the stretch and partly outside.
    pub fn splits_pointer(&self, place: Place, length: u64) -> bool {
        let width = self.pointer_bytes;
        let touched = self.object(place.slot).pointers_touching(place.offset, length, width);
        touched.iter().any(|&(at, _)| at < place.offset || at + width > place.offset + length)
    }

    /// Exposes what the pointers point to that lie partly inside the stretch and partly outside: one of the parts, or
    /// both, are about to become plain bytes: a copy of some, or only what is not overwritten.
    fn expose_remainders(&mut self, place: Place, length: u64, copied: bool) {
        let width = self.pointer_bytes;
        self.expose_all(place, length, copied, |at| at < place.offset || at + width > place.offset + length);
    }

    /// Exposes what the pointers point to that overlap the stretch, of those for which `wanted` says so of where they
    /// begin.
    fn expose_all(&mut self, place: Place, length: u64, disguised: bool, wanted: impl Fn(u64) -> bool) {
        let touched = self.object(place.slot).pointers_touching(place.offset, length, self.pointer_bytes);
        let lost: Vec<Provenance> = touched.iter().filter(|(at, _)| wanted(*at)).map(|&(_, object)| object).collect();
        lost.into_iter().for_each(|object| self.set_exposed(object, disguised));
    }

    /// Makes a new object of `thread`, all zero.
    pub fn allocate(&mut self, thread: ThreadId, request: Request) -> Result<Provenance, NoRoom> {
        self.take_room(request.size)?;
        let own = &mut self.threads[thread.0 as usize];
        let base = match (request.base, request.kind) {
            (Some(base), _) => Some(base),
            (None, StorageKind::Heap | StorageKind::Library) => {
                own.arena.heap(&mut self.common, request.size.max(self.room), request.align)
            }
            (None, _) => own.arena.stack(&mut self.common, request.size, request.align),
        };
        let base = base.ok_or_else(no_addresses)?;
        let stamp = own.made;
        own.made = own.made.checked_add(1).filter(|&made| made != Object::DEAD).ok_or_else(no_addresses)?;
        let mut object = Object::new(ObjectName::Allocated(thread, stamp), request.kind, base, request.size, stamp);
        object.origin = Some(request.site);
        let slot = if own.dead.len() > REMEMBERED_DEAD { own.dead.pop_front() } else { None };
        let slot = match slot {
            Some(slot) => {
                self.objects[slot as usize] = Rc::new(object);
                slot
            }
            None => {
                self.objects.push(Rc::new(object));
                self.objects.len() as u32 - 1
            }
        };
        Ok(Provenance { slot, stamp })
    }

    /// The bytes of the objects that threads have made and that are not dead: what a copy of the memory may come to.
    pub fn live_bytes(&self) -> u64 {
        self.live_bytes
    }

    /// Counts the bytes of an object that is about to be made.
    fn take_room(&mut self, size: u64) -> Result<(), NoRoom> {
        let live = self.live_bytes.saturating_add(size);
        if let Some(what) = limits::too_large(size).or_else(|| limits::too_much(live)) {
            return Err(NoRoom(what));
        }
        self.live_bytes = live;
        Ok(())
    }

    /// The object of this kind that begins at the address; `None` for the null pointer.
    pub fn freeable(&self, address: Value, kind: StorageKind) -> Result<Option<Provenance>, BadFree> {
        let provenance = match address.provenance() {
            Some(provenance) => provenance,
            None if address.bits == 0 => return Ok(None),
            None => self.find_exposed(address.bits).ok_or(BadFree::Nowhere)?,
        };
        let object = self.object(provenance.slot);
        match () {
            () if object.kind != kind => Err(BadFree::NotAllocated(provenance)),
            () if object.base != address.bits => Err(BadFree::Inside(provenance)),
            () if object.live_stamp != provenance.stamp => Err(BadFree::Dead(provenance)),
            () => Ok(Some(provenance)),
        }
    }

    /// Ends an object's life.
    pub fn kill(&mut self, provenance: Provenance, death: Death) {
        let object = self.object_mut(provenance.slot);
        debug_assert_eq!(object.live_stamp, provenance.stamp, "only a living object should die");
        let (name, size) = (object.name, object.size);
        object.kill(death);
        self.live_bytes -= size;
        if let ObjectName::Allocated(maker, _) = name {
            self.threads[maker.0 as usize].dead.push_back(provenance.slot);
        }
    }

    pub fn stack_pointer(&self, thread: ThreadId) -> u64 {
        self.threads[thread.0 as usize].arena.stack
    }

    pub fn restore_stack_pointer(&mut self, thread: ThreadId, pointer: u64) {
        self.threads[thread.0 as usize].arena.stack = pointer;
    }

    pub fn pointer_bytes(&self) -> u64 {
        self.pointer_bytes
    }
}

fn no_addresses() -> NoRoom {
    NoRoom("more objects than there are addresses".to_owned())
}

fn initialise(object: &mut Object, code: &Code, global: &Global) {
    object.writable = !global.read_only;
    object.constant_parts = global.constant_parts.clone();
    object.shape = Some(global.shape);
    if global.initial.indeterminate {
        object.make_indeterminate();
        return;
    }
    for (offset, &byte) in global.initial.bytes.iter().take(global.size as usize).enumerate() {
        object.store(offset as u64, 1, Value::int(u64::from(byte)), code.pointer_bytes);
    }
    for relocation in &global.initial.relocations {
        // A thread-local global has no address before its thread exists; the verifier refuses such an initialiser.
        let value = code.constant(relocation.value).unwrap_or(Value::ZERO);
        if relocation.offset + code.pointer_bytes <= global.size {
            object.store(relocation.offset, code.pointer_bytes, value, code.pointer_bytes);
        }
    }
}
