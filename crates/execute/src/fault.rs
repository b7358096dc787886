//! What is wrong, in words for the user: building violations and the ends of executions.

use program::{InstructionKind, Property, ThreadId, Violation};
use sync::Misuse;

use crate::code::Site;
use crate::machine::{End, Halt, Machine, Taken, Undefined, WaitedFor, Waiting};
use crate::memory::{BadAddress, BadFree, Place};
use crate::object::{Object, StorageKind};
use crate::value::{Provenance, Value};

type Related = Vec<(ThreadId, base::Span, String)>;

impl Machine<'_> {
    /// A violation at the current instruction.
    pub(crate) fn violation(&self, property: Property, message: String, related: Related) -> Halt {
        let at = self.violation_at(property, self.thread_id(), self.thread().site(), message, related);
        End::Violated(Box::new(at)).into()
    }

    pub(crate) fn violation_at(
        &self,
        property: Property,
        thread: ThreadId,
        site: Site,
        message: String,
        related: Related,
    ) -> Violation {
        let location = self.code.location(site);
        let standing = &self.state.threads[thread.0 as usize];
        let shown = if standing.site() == site { standing.users_site(self.code) } else { site };
        let span = self.code.span(shown);
        Violation { property, thread, location, span, message, related, waiting: Vec::new(), race: None }
    }

    /// Undefined behaviour: a violation where the property is selected, else the end of the execution.
    pub fn undefined(&self, property: Option<Property>, message: String) -> Halt {
        self.undefined_with(property, message, Vec::new())
    }

    fn undefined_with(&self, property: Option<Property>, message: String, related: Related) -> Halt {
        match property {
            Some(property) if self.config.properties.contains(property) => self.violation(property, message, related),
            _ => {
                let (thread, span) = (self.thread_id(), self.span());
                End::Undefined(Box::new(Undefined { property, thread, span, what: message })).into()
            }
        }
    }

    pub(crate) fn assertion_message(&self) -> String {
        match self.current_instruction() {
            Some(InstructionKind::Assert { message, .. }) => message.clone(),
            _ => "assertion failed".to_owned(),
        }
    }

    pub(crate) fn unsupported_construct(&self) -> String {
        match self.current_instruction() {
            Some(InstructionKind::Unsupported { what }) => what.clone(),
            _ => "an unsupported construct".to_owned(),
        }
    }

    fn current_instruction(&self) -> Option<&InstructionKind> {
        let at = self.code.location(self.thread().site());
        let block = &self.code.program.functions[at.function].blocks[at.block];
        block.instructions.get(at.index as usize).map(|instruction| &instruction.kind)
    }

    #[cold]
    pub(crate) fn bad_access(&self, address: Value, bad: BadAddress, length: u64, write: bool) -> Halt {
        if let BadAddress::Dead(object) = bad
            && self.was_valid_in(object, address, length, write)
            && let Some(race) =
                self.race_with_death(object, if write { "write to" } else { "read from" }, Property::ValidDeref)
        {
            return race;
        }
        let verb = if write { "write to" } else { "read from" };
        let message = match bad {
            BadAddress::Null => format!("{verb} a null pointer"),
            BadAddress::Nowhere => format!("{verb} address {:#x}, which belongs to no object", address.bits),
            BadAddress::Dead(object) => format!("{verb} {}, {}", self.object_label(object), self.fate(object)),
            BadAddress::ReadOnly(object) => format!("{verb} {}, which is read-only", self.object_label(object)),
            BadAddress::Function(object) => format!("{verb} function {}", self.object_label(object)),
            BadAddress::OutOfBounds(object) => {
                let known = self.state.memory.object(object.slot);
                let offset = address.bits.wrapping_sub(known.base);
                // Addresses are narrower than 64 bits under ILP32: read the distance as a signed pointer.
                let offset = crate::value::sign_extend(offset, self.code.pointer_bits);
                let (label, size) = (self.object_label(object), known.size);
                format!("{verb} {} at offset {offset} of {label}, which has {}", bytes(length), bytes(size))
            }
        };
        self.undefined_with(Some(Property::ValidDeref), message, self.death_of(bad_object(bad)))
    }

    /// Whether the access would be valid if the object lived: elsewhere it would not touch the bytes that have ended.
    fn was_valid_in(&self, object: Provenance, address: Value, length: u64, write: bool) -> bool {
        self.state.memory.known_object(object).is_some_and(|known| {
            let offset = address.bits.wrapping_sub(known.base);
            let is_inside = offset <= known.size && length <= known.size - offset;
            is_inside && (!write || known.may_be_written(offset, length))
        })
    }

    /// An access after the end of a life, or a second end, that is not ordered after that end races with it. Where
    /// `better`, the property that is violated as well, is asked for, it is the better report.
    fn race_with_death(&self, object: Provenance, verb: &str, better: Property) -> Option<Halt> {
        let order = self.state.order.as_ref()?;
        let death = self.state.memory.known_object(object)?.death?;
        if self.config.properties.contains(better) || order.happens_before(death.epoch?, self.current as u32) {
            return None;
        }
        let label = self.object_label(object);
        let message = format!("data race: {verb} {label} is not ordered with the end of its lifetime");
        let related = vec![(death.thread, self.code.span(death.site), format!("{label} ends here"))];
        Some(self.violation(Property::NoDataRace, message, related))
    }

    fn fate(&self, object: Provenance) -> &'static str {
        match self.state.memory.known_object(object).map(|known| known.kind) {
            Some(StorageKind::Heap) => "which has been freed",
            Some(StorageKind::Library) => "which has been closed",
            _ => "whose lifetime has ended",
        }
    }

    fn death_of(&self, object: Option<Provenance>) -> Related {
        let known = object.and_then(|object| self.state.memory.known_object(object));
        let Some(death) = known.and_then(|known| known.death) else { return Vec::new() };
        let what = match known.map(|known| known.kind) {
            Some(StorageKind::Heap) => "freed here",
            Some(StorageKind::Library) => "closed here",
            _ => "its lifetime ended here",
        };
        vec![(death.thread, self.code.span(death.site), what.to_owned())]
    }

    #[cold]
    pub(crate) fn bad_free(&self, bad: BadFree) -> Halt {
        if let BadFree::Dead(object) = bad
            && let Some(race) = self.race_with_death(object, "free of", Property::ValidFree)
        {
            return race;
        }
        let (message, object) = match bad {
            BadFree::Nowhere => ("free of an address that belongs to no object".to_owned(), None),
            BadFree::NotAllocated(object) => {
                (format!("free of {}, which was not allocated", self.object_label(object)), Some(object))
            }
            BadFree::Inside(object) => {
                (format!("free of an address inside {}", self.object_label(object)), Some(object))
            }
            BadFree::Dead(object) => {
                (format!("free of {}, {}", self.object_label(object), self.fate(object)), Some(object))
            }
        };
        self.undefined_with(Some(Property::ValidFree), message, self.death_of(object))
    }

    #[cold]
    pub(crate) fn bad_call(&self, pointer: Value) -> Halt {
        let message = match pointer.bits {
            0 => "call through a null pointer".to_owned(),
            _ => "call through a pointer that is not the address of a function".to_owned(),
        };
        self.undefined(Some(Property::ValidDeref), message)
    }

    pub(crate) fn reports_misuse(&self) -> bool {
        self.config.properties.contains(Property::LockMisuse)
    }

    pub(crate) fn lock_misuse(&self, kind: sync::ObjectKind, place: Place, misuse: Misuse) -> Result<(), Halt> {
        if !self.reports_misuse() {
            return Ok(());
        }
        let message = format!("{kind} {} {misuse}", self.place_name(place));
        Err(self.violation(Property::LockMisuse, message, Vec::new()))
    }

    /// A thread that is detached or was joined cannot be joined: its handle is not valid any more.
    pub(crate) fn check_joinable(&self, index: usize) -> Result<(), Halt> {
        let thread = &self.state.threads[index];
        if !self.reports_misuse() || !(thread.detached || thread.joined) {
            return Ok(());
        }
        let why = if thread.joined { "has been joined before" } else { "is detached" };
        let message = format!("T{index} is joined although it {why}");
        Err(self.violation(Property::LockMisuse, message, Vec::new()))
    }

    /// A deadlock of the given threads, reported where the first of those that say most about it waits.
    pub fn deadlock(&self, waiting: &[Waiting], global: bool) -> Violation {
        let first = waiting.iter().min_by_key(|waiting| how_telling(waiting));
        let first = first.expect("a deadlock should have a thread that waits");
        let message = match (waiting.len(), global) {
            (1, _) => format!("deadlock: T{} waits forever", first.thread.0),
            (_, true) => "deadlock: every thread waits".to_owned(),
            (_, false) => {
                let threads: Vec<String> = waiting.iter().map(|waiting| format!("T{}", waiting.thread.0)).collect();
                format!("deadlock: {} wait for each other", threads.join(" and "))
            }
        };
        let mut violation = self.violation_at(Property::NoDeadlock, first.thread, first.site, message, Vec::new());
        violation.waiting = waiting.iter().map(|waiting| self.waiting_thread(waiting)).collect();
        violation
    }

    fn waiting_thread(&self, waiting: &Waiting) -> program::WaitingThread {
        let thread = waiting.thread;
        let span = self.code.span(self.state.threads[thread.0 as usize].users_site(self.code));
        let (object, holder, held_since, awaited) = match waiting.object {
            WaitedFor::End(thread) => (format!("the end of T{}", thread.0), None, None, None),
            WaitedFor::Object(kind, place) => {
                let holder = waiting.owners.first().copied();
                let is_theirs = |taken: &&Taken| taken.place == place && Some(taken.thread) == holder;
                let taken = self.taken.iter().rev().find(is_theirs);
                let awaited = if holder.is_none() { awaited_event(kind) } else { None };
                let object = format!("{kind} {}", self.place_name(place));
                (object, holder, taken.map(|taken| self.code.span(taken.site)), awaited)
            }
        };
        program::WaitingThread { thread, span, object, holder, held_since, awaited }
    }
}

/// What would end a wait for an object without an owner.
fn awaited_event(kind: sync::ObjectKind) -> Option<&'static str> {
    match kind {
        sync::ObjectKind::Cond => Some("to be signalled"),
        sync::ObjectKind::Semaphore => Some("to be posted"),
        sync::ObjectKind::Barrier => Some("to be reached by more threads"),
        sync::ObjectKind::Mutex | sync::ObjectKind::Rwlock | sync::ObjectKind::Spin | sync::ObjectKind::Once => None,
    }
}

/// Whoever waits for a lock tells more about a deadlock than who waits for a signal, and least says a join, which mostly
/// waits for those that are deadlocked.
fn how_telling(waiting: &Waiting) -> u32 {
    match waiting.object {
        WaitedFor::Object(..) if !waiting.owners.is_empty() => 0,
        WaitedFor::Object(..) => 1,
        WaitedFor::End(_) => 2,
    }
}

fn bytes(number: u64) -> String {
    if number == 1 { "1 byte".to_owned() } else { format!("{number} bytes") }
}

fn bad_object(bad: BadAddress) -> Option<Provenance> {
    match bad {
        BadAddress::Null | BadAddress::Nowhere => None,
        BadAddress::OutOfBounds(object)
        | BadAddress::Dead(object)
        | BadAddress::ReadOnly(object)
        | BadAddress::Function(object) => Some(object),
    }
}

/// Whether an object came from an allocation on the heap and lives.
pub(crate) fn is_living_heap(object: &Object) -> bool {
    object.kind == StorageKind::Heap && object.is_alive()
}
