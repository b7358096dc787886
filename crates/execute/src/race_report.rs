//! A race in words: both accesses with their threads, what they touch, what was seen there, and the locks held at each.
//! Who holds which locks at an access is noted only where events are recorded, that is, in a replay.

use program::{Property, RacingAccess, ThreadId, TraceEventKind};

use crate::code::Site;
use crate::machine::{End, Halt, Machine};
use crate::memory::Place;
use crate::object::SyncObject;
use crate::race::{Earlier, RaceAccessKind};
use crate::value::Provenance;

impl Machine<'_> {
    /// Notes what protects the current thread's access, for a later race with it.
    pub(crate) fn note_protection(&mut self, site: Site) {
        let protection = self.protection();
        self.protection_at_access.insert((self.current as u32, site), protection);
    }

    #[cold]
    pub(crate) fn race(&self, place: Place, length: u64, kind: RaceAccessKind, earlier: Earlier) -> Halt {
        let object = self.state.memory.object(place.slot);
        let name = if length == object.size && place.offset == 0 && kind == RaceAccessKind::Write {
            self.object_label(Provenance { slot: place.slot, stamp: object.stamp })
        } else {
            self.place_name_for(place, length)
        };
        let (this, other) = (access_name(kind.writes(), kind.is_atomic()), access_name(earlier.write, earlier.atomic));
        let message = match self.protection_at_access.get(&(earlier.thread, earlier.site)) {
            Some(theirs) => format!(
                "data race on {name}: this {this} ({}) and the {other} in T{} ({}) are not ordered by happens-before",
                self.protection(),
                earlier.thread,
                theirs
            ),
            None => {
                format!(
                    "data race on {name}: this {this} and the {other} in T{} are not ordered by happens-before",
                    earlier.thread
                )
            }
        };
        let what = self.earlier_event(earlier).unwrap_or_else(|| format!("{other} of {name}"));
        let theirs = RacingAccess {
            thread: ThreadId(earlier.thread),
            span: self.code.span(earlier.site),
            access: other,
            place: name.clone(),
            protection: self.protection_at_access.get(&(earlier.thread, earlier.site)).cloned().unwrap_or_default(),
        };
        let related = vec![(theirs.thread, theirs.span, what)];
        let mut violation =
            self.violation_at(Property::NoDataRace, self.thread_id(), self.thread().site(), message, related);
        let (thread, span) = (violation.thread, violation.span);
        let ours = RacingAccess { thread, span, access: this, place: name, protection: self.protection() };
        violation.race = Some(Box::new([ours, theirs]));
        End::Violated(Box::new(violation)).into()
    }

    /// What the earlier access did, as the trace tells it.
    fn earlier_event(&self, earlier: Earlier) -> Option<String> {
        let location = self.code.location(earlier.site);
        let own = |event: &&program::TraceEvent| event.thread.0 == earlier.thread && event.location == location;
        self.events.as_ref()?.iter().rev().filter(own).find_map(|event| match &event.kind {
            TraceEventKind::Read { place, value } if !earlier.write => Some(format!("reads {place} = {value}")),
            TraceEventKind::Write { place, value } if earlier.write => Some(format!("writes {place} = {value}")),
            TraceEventKind::Update { place, old, new: Some(new) } => {
                Some(format!("reads {place} = {old} and writes {new}"))
            }
            TraceEventKind::Update { place, old, new: None } => Some(format!("reads {place} = {old}")),
            _ => None,
        })
    }

    /// What protects the current thread's access: its locks, and an atomic section around it.
    fn protection(&self) -> String {
        let section = if self.thread().section > 0 { "inside an atomic section, " } else { "" };
        match &self.held_locks(self.current as u32)[..] {
            [] => format!("{section}holding no lock"),
            some => format!("{section}holding {}", some.join(", ")),
        }
    }

    /// The locks that a thread holds, by name, in the order of memory.
    pub(crate) fn held_locks(&self, thread: u32) -> Vec<String> {
        let mut held = Vec::new();
        for (slot, object) in self.state.memory.objects().filter(|(_, object)| object.is_alive()) {
            for lock in object.sync.iter().filter(|lock| is_held_by(lock, thread)) {
                let name = self.place_name(Place { slot, offset: lock.offset });
                held.push(format!("{} {name}", lock.state.kind()));
            }
        }
        held
    }
}

fn is_held_by(lock: &SyncObject, thread: u32) -> bool {
    lock.state.kind().is_lock() && lock.state.is_held_by(thread, false)
}

fn access_name(write: bool, atomic: bool) -> &'static str {
    match (write, atomic) {
        (true, false) => "write",
        (false, false) => "read",
        (true, true) => "atomic write",
        (false, true) => "atomic read",
    }
}
