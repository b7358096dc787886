//! What earlier passes of the unfolding have learned about memory, and which cells may therefore be folded into terms.
//!
//! Unfolding is repeated until a pass meets nothing that the survey it started from did not know: no new cell, no new
//! reader or writer of a cell, no new object behind a pointer. Starting from the empty survey gives the least such
//! fixpoint. The last pass is sound on its own: it used only facts that it itself confirmed. (By induction over the
//! steps of an execution: as long as every access so far is in the survey, every value that the pass assumes is right.)

use std::collections::{BTreeMap, BTreeSet};

use events::{CellKey, CellPart, InstanceId};
use program::Location;
use symbolic::{OBJECT_BITS, ObjectId, Objects, SymValue, Targets};
use terms::Terms;

use crate::contact::{ByteRange, Contacts, Manner};
use crate::critical_section::{Lock, Locks};
use crate::known_offsets::PathKnowledge;
use crate::modular_facts::ModularFacts;
use crate::origins::Origins;
use crate::stored_offsets::{StoredOffsets, any_offset};
use crate::summaries::Summaries;
use crate::sync_bytes::SyncPlace;

#[derive(Clone, Debug, Default)]
pub struct PassFacts {
    pub objects: Objects,
    pub(crate) origins: Origins,
    cells: BTreeMap<CellKey, CellFacts>,
    /// Bytes that are accessed in different sizes.
    bytewise: BTreeSet<(ObjectId, u64)>,
    /// Objects whose size depends on the execution; the size in the table is how much of them is followed.
    unknown_size: BTreeSet<ObjectId>,
    /// Objects that are followed as arrays, and the bytes of their units.
    arrays: BTreeMap<ObjectId, u8>,
    /// Objects that are used in a way that arrays have no notion of.
    no_arrays: BTreeSet<ObjectId>,
    /// Atomic sections (by where they begin) with something inside that can keep them from being entered.
    refusable: BTreeSet<Location>,
    /// Locks that may be released by somebody who does not hold them.
    unreliable: BTreeSet<Lock>,
    /// The synchronisation objects in each memory object that operations have used or that are copied.
    sync_places: BTreeMap<ObjectId, BTreeSet<SyncPlace>>,
    /// Those of them that may hold bytes that are not known.
    unclear: BTreeSet<(ObjectId, SyncPlace)>,
    /// The mutexes that each condition variable is waited on with.
    partners: BTreeMap<(ObjectId, u64), BTreeSet<Lock>>,
    /// A mutex is initialised while other threads may be there.
    resets_mutexes: bool,
    /// Who touches what; only where races are looked for.
    contacts: Contacts,
    /// Who creates each instance.
    parents: BTreeMap<InstanceId, InstanceId>,
    pub(crate) summaries: Summaries,
    pub modular: ModularFacts,
    /// Some operation tells what another thread has done without being ordered after it.
    reveals_without_ordering: bool,
    /// A semaphore may begin with a value from which it could overflow.
    has_large_semaphores: bool,
    grew: bool,
    /// Objects whose addresses are numbers to the program.
    with_bases: BTreeSet<ObjectId>,
    /// Objects whose lives may end.
    ending: BTreeSet<ObjectId>,
    /// A cell was met that no earlier pass had met.
    found_cell: bool,
}

/// Who touches a cell while several threads may be running, and what it may point to.
#[derive(Clone, Debug, Default)]
struct CellFacts {
    readers: Accessors,
    writers: Accessors,
    /// Everybody who touches it, also where that needs no event.
    accessors: BTreeSet<InstanceId>,
    /// The locks held at every access that is not quiet; `None` if there is no such access.
    protectors: Option<Vec<Lock>>,
    /// What a pointer in it may name, and where in it.
    targets: BTreeMap<ObjectId, StoredOffsets>,
    /// Objects of whose addresses a single byte may lie here.
    address_bytes: BTreeSet<ObjectId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Accessors {
    #[default]
    Nobody,
    One(InstanceId),
    Several,
}

/// How accesses to a cell are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellClass {
    /// Nobody writes it once there are threads, or only one thread ever touches it then: its value is always known.
    Folded,
    /// Written, but never read while several threads may be running: writes can be left out.
    Unread,
    /// Needs events.
    Shared,
}

impl PassFacts {
    pub fn class(&self, cell: CellKey) -> CellClass {
        let Some(facts) = self.cells.get(&cell) else { return CellClass::Folded };
        match (facts.readers, facts.writers) {
            (_, Accessors::Nobody) => CellClass::Folded,
            (Accessors::Nobody, Accessors::One(_)) => CellClass::Folded,
            (Accessors::One(reader), Accessors::One(writer)) if reader == writer => CellClass::Folded,
            (Accessors::Nobody, Accessors::Several) => CellClass::Unread,
            _ => CellClass::Shared,
        }
    }

    /// Whether every access that could meet another one happens while this lock is held.
    pub fn is_protected_by(&self, cell: CellKey, lock: Lock) -> bool {
        let protects = |facts: &CellFacts| facts.protectors.as_ref().is_none_or(|locks| locks.contains(&lock));
        self.cells.get(&cell).is_none_or(protects) && self.is_reliable(lock)
    }

    /// Whether only its holder releases a lock.
    pub fn is_reliable(&self, lock: Lock) -> bool {
        !self.unreliable.contains(&lock)
    }

    pub fn accessors(&self, cell: CellKey) -> impl Iterator<Item = InstanceId> + '_ {
        self.cells.get(&cell).into_iter().flat_map(|facts| facts.accessors.iter().copied())
    }

    pub fn parent(&self, instance: InstanceId) -> Option<InstanceId> {
        self.parents.get(&instance).copied()
    }

    /// Every instance that any pass has met.
    pub fn instances(&self) -> impl Iterator<Item = InstanceId> + '_ {
        std::iter::once(InstanceId(0)).chain(self.parents.keys().copied())
    }

    pub fn note_accessor(&mut self, cell: CellKey, instance: InstanceId) {
        self.note(cell, |facts| facts.accessors.insert(instance));
    }

    pub fn note_protection(&mut self, cell: CellKey, held: &Locks) {
        self.note(cell, |facts| match &mut facts.protectors {
            None => {
                facts.protectors = Some(held.iter().map(|(lock, _)| *lock).collect());
                true
            }
            Some(locks) => {
                let before = locks.len();
                locks.retain(|lock| held.iter().any(|(other, _)| other == lock));
                locks.len() < before
            }
        });
    }

    pub fn contacts(&self) -> &Contacts {
        &self.contacts
    }

    pub fn note_contact(&mut self, stretch: ByteRange, instance: InstanceId, manner: Manner, held: &Locks) {
        self.grew |= self.contacts.note(stretch, instance, manner, held);
    }

    pub fn note_unreliable(&mut self, lock: Lock) {
        self.grew |= self.unreliable.insert(lock);
    }

    pub fn sync_places(&self, object: ObjectId) -> impl Iterator<Item = SyncPlace> + '_ {
        self.sync_places.get(&object).into_iter().flatten().copied()
    }

    pub fn note_sync_place(&mut self, object: ObjectId, place: SyncPlace) {
        self.grew |= self.sync_places.entry(object).or_default().insert(place);
    }

    pub fn partners(&self, condition: (ObjectId, u64)) -> impl Iterator<Item = Lock> + '_ {
        self.partners.get(&condition).into_iter().flatten().copied()
    }

    pub fn note_partner(&mut self, condition: (ObjectId, u64), mutex: Lock) {
        self.grew |= self.partners.entry(condition).or_default().insert(mutex);
    }

    pub fn resets_mutexes(&self) -> bool {
        self.resets_mutexes
    }

    pub fn note_reset_of_mutex(&mut self) {
        self.grew |= !std::mem::replace(&mut self.resets_mutexes, true);
    }

    pub fn is_unclear(&self, object: ObjectId, place: SyncPlace) -> bool {
        self.unclear.contains(&(object, place))
    }

    pub fn note_unclear(&mut self, object: ObjectId, place: SyncPlace) {
        self.grew |= self.unclear.insert((object, place));
    }

    pub fn note_parent(&mut self, instance: InstanceId, parent: InstanceId) {
        self.grew |= self.parents.insert(instance, parent) != Some(parent);
    }

    /// All cells that need events.
    pub fn shared_cells(&self) -> impl Iterator<Item = CellKey> + '_ {
        self.cells.keys().copied().filter(|&cell| self.class(cell) == CellClass::Shared)
    }

    /// What a pointer in this cell may name.
    pub fn targets(&self, cell: CellKey) -> impl Iterator<Item = ObjectId> + '_ {
        self.cells.get(&cell).into_iter().flat_map(|facts| facts.targets.keys().copied())
    }

    /// A value in the form in which a cell holds it: as a pointer if any pointer is ever stored there.
    pub fn as_contents(&self, terms: &mut Terms, cell: CellKey, value: &SymValue) -> SymValue {
        if self.targets(cell).next().is_some() {
            return value.to_pointer(terms).unwrap_or_else(|| value.clone());
        }
        value.as_int().map_or_else(|| value.clone(), SymValue::Int)
    }

    /// Every cell with everything that a pointer in it, or one that a byte in it belongs to, may name.
    pub fn all_targets(&self) -> impl Iterator<Item = (CellKey, ObjectId)> + '_ {
        let named =
            |facts: &CellFacts| facts.targets.keys().chain(&facts.address_bytes).copied().collect::<BTreeSet<_>>();
        self.cells.iter().flat_map(move |(&cell, facts)| named(facts).into_iter().map(move |target| (cell, target)))
    }

    /// A byte of the address of one of these objects may lie in the cell.
    pub fn note_address_bytes(&mut self, cell: CellKey, targets: &[ObjectId]) {
        self.note(cell, |facts| {
            let known = facts.address_bytes.len();
            facts.address_bytes.extend(targets);
            facts.address_bytes.len() > known
        });
    }

    pub fn address_bytes_in(&self, cell: CellKey) -> impl Iterator<Item = ObjectId> + '_ {
        self.cells.get(&cell).into_iter().flat_map(|facts| facts.address_bytes.iter().copied())
    }

    pub fn holds_address_bytes(&self, cell: CellKey) -> bool {
        self.address_bytes_in(cell).next().is_some()
    }

    /// Whether a single byte of an address lies anywhere.
    pub fn has_address_bytes(&self) -> bool {
        self.cells.values().any(|facts| !facts.address_bytes.is_empty())
    }

    /// Whether a stretch of bytes is accessed in different sizes, so that each byte is a cell of its own. Notes it if it
    /// has just become so: then a further pass is needed.
    pub fn is_bytewise(&mut self, object: ObjectId, offset: u64, size: u64) -> bool {
        let range = offset..offset + size;
        let known = self.bytewise.range((object, range.start)..(object, range.end)).count() as u64;
        if known == 0 && !self.has_partial_overlap(object, offset, size) {
            return false;
        }
        if known < size {
            self.bytewise.extend(range.map(|byte| (object, byte)));
            self.grew = true;
        }
        true
    }

    /// Makes each byte of a stretch a cell of its own.
    pub fn divide_into_bytes(&mut self, object: ObjectId, offset: u64, size: u64) {
        for byte in offset..offset + size {
            self.grew |= self.bytewise.insert((object, byte));
        }
    }

    /// The offsets and widths of the cells in use that overlap a stretch.
    pub fn byte_cells_within(&self, object: ObjectId, offset: u64, size: u64) -> Vec<(u64, u8)> {
        let low = CellKey { object, offset: offset.saturating_sub(7), part: CellPart::Bytes(0) };
        let high = CellKey { object, offset: offset + size, part: CellPart::Bytes(0) };
        let overlapping = self.cells.range(low..high).filter_map(|(cell, _)| match cell.part {
            CellPart::Bytes(width) if cell.offset + u64::from(width) > offset && self.is_in_use(*cell) => {
                Some((cell.offset, width))
            }
            _ => None,
        });
        overlapping.collect()
    }

    /// Whether some cell overlaps the stretch without being exactly it. Bytes of their own do not count.
    fn has_partial_overlap(&self, object: ObjectId, offset: u64, size: u64) -> bool {
        let end = offset + size;
        let low = CellKey { object, offset: offset.saturating_sub(7), part: CellPart::Bytes(0) };
        let high = CellKey { object, offset: end, part: CellPart::Bytes(0) };
        self.cells.range(low..high).any(|(other, _)| match other.part {
            CellPart::Bytes(width) => {
                (other.offset, u64::from(width)) != (offset, size)
                    && other.offset + u64::from(width) > offset
                    && !(width == 1 && self.bytewise.contains(&(object, other.offset)))
            }
            _ => false,
        })
    }

    pub fn note_read(&mut self, cell: CellKey, reader: InstanceId) {
        self.note(cell, |facts| facts.readers.add(reader));
    }

    pub fn note_write(&mut self, cell: CellKey, writer: InstanceId) {
        self.note(cell, |facts| facts.writers.add(writer));
    }

    /// The cell exists, accessed while only one thread runs.
    pub fn note_cell(&mut self, cell: CellKey) {
        self.note(cell, |_| false);
    }

    /// A pointer lies in the cell, stored where this is known.
    pub fn note_targets(&mut self, terms: &Terms, known: &PathKnowledge, cell: CellKey, value: &SymValue) {
        let SymValue::Pointer { object, offset, targets } = value else { return };
        for &target in targets.iter() {
            let is_all_known = |facts: &CellFacts| facts.targets.get(&target) == Some(&StoredOffsets::Any);
            if self.cells.get(&cell).is_some_and(is_all_known) {
                continue;
            }
            let offsets = StoredOffsets::of(terms, known, (*object, *offset), target);
            if offsets.few().is_none_or(|few| !few.is_empty()) {
                self.note_target(cell, target, &offsets);
            }
        }
    }

    /// A pointer to any place of these objects lies in the cell.
    pub fn note_targets_anywhere(&mut self, cell: CellKey, targets: &[ObjectId]) {
        for &target in targets {
            self.note_target(cell, target, &StoredOffsets::Any);
        }
    }

    /// A pointer to these places of an object may lie in the cell.
    pub fn note_target(&mut self, cell: CellKey, target: ObjectId, offsets: &StoredOffsets) {
        let size = self.objects.get(target).size;
        self.note(cell, |facts| {
            let is_new = !facts.targets.contains_key(&target);
            facts.targets.entry(target).or_default().include(offsets, size) | is_new
        });
    }

    /// Any pointer that may lie in a cell of so many bits, if any may. The pointer may also be a number.
    pub fn any_pointer(&self, terms: &mut Terms, cell: CellKey, bits: u32) -> Option<SymValue> {
        let facts = self.cells.get(&cell).filter(|facts| !facts.targets.is_empty())?;
        let object = terms.bv_variable("object", OBJECT_BITS);
        let mut offset = terms.bv_variable("offset", bits);
        let is_stored = |offsets: &StoredOffsets| offsets.few().is_none_or(|few| !few.is_empty());
        for (&target, stored) in &facts.targets {
            let Some(there) = stored.few().and_then(|offsets| any_offset(terms, bits, offsets)) else { continue };
            let number = terms.constant(OBJECT_BITS, u64::from(target.0));
            let this = terms.eq(object, number);
            offset = terms.ite(this, there, offset);
        }
        let stored = facts.targets.iter().filter(|(target, stored)| **target != ObjectId::NONE && is_stored(stored));
        let targets: Vec<ObjectId> = [ObjectId::NONE].into_iter().chain(stored.map(|(&target, _)| target)).collect();
        Some(SymValue::Pointer { object, offset, targets: Targets::from(targets) })
    }

    /// The cells with contents of one object that are in use: none that bytes of their own have replaced.
    pub fn cells_of(&self, object: ObjectId) -> impl Iterator<Item = CellKey> + '_ {
        let first = CellKey { object, offset: 0, part: CellPart::Bytes(0) };
        let cells = self.cells.range(first..).map(|(&cell, _)| cell).take_while(move |cell| cell.object == object);
        cells.filter(|&cell| self.is_in_use(cell))
    }

    /// Whether a cell is a part of its object's contents, and not replaced by bytes of their own.
    fn is_in_use(&self, cell: CellKey) -> bool {
        match cell.part {
            CellPart::Bytes(_) if self.arrays.contains_key(&cell.object) => false,
            CellPart::Bytes(width) => width == 1 || !self.bytewise.contains(&(cell.object, cell.offset)),
            CellPart::Field(..) | CellPart::Member(..) => true,
            CellPart::Array(unit) => self.array_unit(cell.object) == Some(unit),
            CellPart::Life | CellPart::Size | CellPart::View(_) => false,
        }
    }

    /// The bytes of a unit of the object, if it is followed as an array.
    pub fn array_unit(&self, object: ObjectId) -> Option<u8> {
        self.arrays.get(&object).copied()
    }

    /// The object is an array whose units have at most so many bytes.
    pub fn note_array(&mut self, object: ObjectId, unit: u8) {
        if self.no_arrays.contains(&object) {
            return;
        }
        let known = self.arrays.entry(object).or_insert(u8::MAX);
        if unit < *known {
            *known = unit;
            self.grew = true;
        }
    }

    /// The object cannot be followed as an array.
    pub fn note_no_array(&mut self, object: ObjectId) {
        self.arrays.remove(&object);
        self.grew |= self.no_arrays.insert(object);
    }

    pub fn is_no_array(&self, object: ObjectId) -> bool {
        self.no_arrays.contains(&object)
    }

    pub fn has_unknown_size(&self, object: ObjectId) -> bool {
        self.unknown_size.contains(&object)
    }

    /// The object turns out to be made with a constant size. One that goes back and forth stays as it is.
    pub fn note_known_size(&mut self, object: ObjectId) {
        if self.objects.get(object).size.is_some() {
            self.grew |= self.unknown_size.remove(&object);
        }
    }

    pub fn note_unknown_size(&mut self, object: ObjectId) {
        self.grew |= self.unknown_size.insert(object);
    }

    pub fn is_refusable(&self, section: Location) -> bool {
        self.refusable.contains(&section)
    }

    pub fn note_refusable(&mut self, section: Location) {
        self.grew |= self.refusable.insert(section);
    }

    /// After a pass that did not know all cells: keeps which cells there are and what they may point to, and forgets where,
    /// since such a pass takes cells that it does not know to hold anything. If asked to, forgets who touches them and how
    /// as well: the pass knew too little of what memory holds to tell whether a lock is held.
    pub fn forget_doubtful(&mut self, accesses_too: bool) {
        if !std::mem::take(&mut self.found_cell) {
            return;
        }
        for facts in self.cells.values_mut() {
            facts.targets.values_mut().for_each(|offsets| *offsets = StoredOffsets::default());
        }
        if !accesses_too {
            return;
        }
        for facts in self.cells.values_mut() {
            let (targets, address_bytes) =
                (std::mem::take(&mut facts.targets), std::mem::take(&mut facts.address_bytes));
            *facts = CellFacts { targets, address_bytes, ..CellFacts::default() };
        }
        self.contacts.clear();
        self.unreliable.clear();
        self.unclear.clear();
        self.modular.forget_values();
    }

    /// The objects whose addresses are numbers to the program.
    pub fn with_bases(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.with_bases.iter().copied()
    }

    pub fn note_with_base(&mut self, object: ObjectId) {
        self.grew |= self.with_bases.insert(object);
    }

    /// Whether an execution that is followed ends the object.
    pub fn may_end(&self, object: ObjectId) -> bool {
        self.ending.contains(&object)
    }

    pub fn note_end(&mut self, object: ObjectId) {
        self.grew |= self.ending.insert(object);
    }

    pub fn reveals_without_ordering(&self) -> bool {
        self.reveals_without_ordering
    }

    pub fn note_revealing(&mut self) {
        self.grew |= !std::mem::replace(&mut self.reveals_without_ordering, true);
    }

    pub fn has_large_semaphores(&self) -> bool {
        self.has_large_semaphores
    }

    pub fn note_large_semaphore(&mut self) {
        self.grew |= !std::mem::replace(&mut self.has_large_semaphores, true);
    }

    /// Something that is kept elsewhere has changed, or not.
    pub fn note_growth(&mut self, grew: bool) {
        self.grew |= grew;
    }

    /// Whether anything new has been noted, so that a further pass is needed.
    pub fn has_grown(&self) -> bool {
        self.grew
    }

    /// Whether anything new was noted since the last call.
    pub fn take_growth(&mut self) -> bool {
        std::mem::take(&mut self.grew) | self.objects.take_change()
    }

    fn note(&mut self, cell: CellKey, change: impl FnOnce(&mut CellFacts) -> bool) {
        let (grew, found_cell) = (&mut self.grew, &mut self.found_cell);
        let facts = self.cells.entry(cell).or_insert_with(|| {
            *grew = true;
            *found_cell = true;
            CellFacts::default()
        });
        if change(facts) {
            self.grew = true;
        }
    }
}

impl Accessors {
    /// Adds an accessor; whether that changed anything.
    fn add(&mut self, instance: InstanceId) -> bool {
        let next = match *self {
            Accessors::Nobody => Accessors::One(instance),
            Accessors::One(known) if known == instance => return false,
            Accessors::Several => return false,
            Accessors::One(_) => Accessors::Several,
        };
        *self = next;
        true
    }
}
