//! The end of the process: memory and threads that are lost by then, and locks that are still held.
//!
//! `valid-memtrack` is garbage in the usual sense: a heap object that cannot be reached, through pointers, from a global,
//! a thread-local global, or an object or a register still in use of a live activation. An object whose address was made an integer
//! is reached by numbers, too; if there is none, it is not known whether it is lost, for the address may lie there in disguise. Nothing is called a leak at the end of a process in which a thread was stopped by an assume or
//! cut: what it would have cleaned up is not known.

use base::Span;
use program::{Property, ThreadId, Violation};
use rustc_hash::FxHashSet;

use crate::fault::is_living_heap;
use crate::machine::{End, Machine};
use crate::object::{Object, StorageKind};
use crate::thread::ThreadStatus;
use crate::value::{Provenance, Value};

impl Machine<'_> {
    /// The end of the process, by exit or with its last thread.
    pub(crate) fn finish(&mut self, status: i32, abnormal: bool) -> End {
        let wrong = if abnormal { None } else { self.locked_at_exit().or_else(|| self.leak_at_exit()) };
        match wrong {
            Some(violation) => End::Violated(Box::new(violation)),
            None if !abnormal && self.hides_memory() => {
                let what = "memory whose address is stored only in parts of integers".to_owned();
                End::Unsupported { what, span: self.span() }
            }
            None => End::Finished { status, abnormal },
        }
    }

    /// Whether it is asked and not known whether some memory is lost.
    fn hides_memory(&self) -> bool {
        let memory = &self.state.memory;
        let is_exposed = |object: &Object| is_living_heap(object) && object.disguised;
        if !self.config.properties.contains(Property::ValidMemtrack)
            || !memory.objects().any(|(_, object)| is_exposed(object))
        {
            return false;
        }
        let reached = self.reached_memory(Vec::new());
        memory.objects().any(|(slot, object)| is_exposed(object) && !reached.contains(&slot))
    }

    /// The thread that lets the process exit holds a lock. One whose memory has ended is not held any more.
    pub(crate) fn locked_at_exit(&self) -> Option<Violation> {
        if !self.config.properties.contains(Property::NoExitWhileLocked) {
            return None;
        }
        let held = self.held_locks(self.current as u32);
        let message = match &held[..] {
            [] => return None,
            some => format!("the process exits while T{} holds {}", self.current, some.join(", ")),
        };
        let (thread, site) = (self.thread_id(), self.thread().site());
        let mut violation = self.violation_at(Property::NoExitWhileLocked, thread, site, message, Vec::new());
        if violation.span == Span::UNKNOWN {
            let program = self.code.program;
            let main = program.function_named("main");
            violation.span = main.map_or(Span::UNKNOWN, |main| program.functions[main].span);
        }
        Some(violation)
    }

    fn leak_at_exit(&self) -> Option<Violation> {
        let stopped = |status| matches!(status, ThreadStatus::Stopped | ThreadStatus::Diverged | ThreadStatus::Cut);
        if self.state.threads.iter().any(|thread| stopped(thread.status)) {
            return None;
        }
        let selected = |property| self.config.properties.contains(property);
        let lost = if selected(Property::ValidMemtrack) { self.lost_memory() } else { None };
        lost.or_else(|| if selected(Property::ValidMemcleanup) { self.memory_not_freed() } else { None })
            .or_else(|| if selected(Property::NoThreadLeak) { self.leaked_thread() } else { None })
    }

    /// What is wrong with the state itself: a deadlock, or lost memory.
    pub(crate) fn violation_of_state(&self) -> Option<Violation> {
        let deadlock = match self.looks_for_deadlocks() {
            true => self.find_deadlock(&self.standings()),
            false => None,
        };
        let tracks = self.config.properties.contains(Property::ValidMemtrack);
        deadlock.or_else(|| if tracks { self.lost_memory() } else { None })
    }

    fn memory_not_freed(&self) -> Option<Violation> {
        let (_, object) = self.state.memory.objects().find(|(_, object)| is_living_heap(object))?;
        let message = format!("{} is not freed when the process ends", self.heap_description(object));
        Some(self.at_allocation(Property::ValidMemcleanup, object, message))
    }

    fn leaked_thread(&self) -> Option<Violation> {
        let leaked = self
            .state
            .threads
            .iter()
            .position(|thread| !thread.joined && !thread.detached && thread.created.is_some())?;
        let site = self.state.threads[leaked].created?;
        let message = format!("T{leaked} is neither joined nor detached when the process ends");
        let thread = ThreadId(leaked as u32);
        Some(self.violation_at(Property::NoThreadLeak, thread, site, message, Vec::new()))
    }

    /// The first heap object, in order of slots, that nothing points to any more.
    pub fn lost_memory(&self) -> Option<Violation> {
        let exposed = self.state.memory.objects().filter(|(_, object)| object.disguised && is_living_heap(object));
        let exposed = exposed.map(|(slot, object)| Provenance { slot, stamp: object.stamp }).collect();
        let reached = self.reached_memory(exposed);
        let is_lost =
            |slot: u32, object: &Object| is_living_heap(object) && !object.disguised && !reached.contains(&slot);
        let (_, object) = self.state.memory.objects().find(|(slot, object)| is_lost(*slot, object))?;
        let message = format!("nothing points to {} any more", self.heap_description(object));
        Some(self.at_allocation(Property::ValidMemtrack, object, message))
    }

    /// The slots of the living objects that pointers, or numbers, lead to, from `work` and from all that is in use.
    fn reached_memory(&self, mut work: Vec<Provenance>) -> FxHashSet<u32> {
        let memory = &self.state.memory;
        let exposed: Vec<Provenance> = memory
            .objects()
            .filter(|(_, object)| object.disguised && is_living_heap(object))
            .map(|(slot, object)| Provenance { slot, stamp: object.stamp })
            .collect();
        let found = |number: u64| {
            let around = |object: &&Provenance| memory.object(object.slot).surrounds(number);
            exposed.iter().find(around).copied()
        };
        let leads_to = |value: &Value| value.provenance().or_else(|| found(value.bits));
        let mut reached: FxHashSet<u32> = FxHashSet::default();
        let enter = |object: &Object, work: &mut Vec<Provenance>| {
            work.extend(object.pointers().iter().map(|&(_, pointer)| pointer));
            if !exposed.is_empty() {
                work.extend(object.numbers(memory.pointer_bytes()).filter_map(found));
            }
        };
        for (slot, object) in memory.objects() {
            let root = matches!(object.kind, StorageKind::Global | StorageKind::ReadOnly | StorageKind::ThreadLocal);
            if object.is_alive() && root {
                reached.insert(slot);
                enter(object, &mut work);
            }
        }
        for thread in &self.state.threads {
            work.extend(thread.live_registers(self.code).iter().filter_map(leads_to));
            work.extend(thread.locals.iter().filter_map(|value| value.provenance()));
            work.extend(&thread.stack_objects);
            // The result waits for whoever joins.
            work.extend(leads_to(&thread.result).filter(|_| !thread.joined && !thread.detached));
        }
        while let Some(pointer) = work.pop() {
            let object = memory.object(pointer.slot);
            if object.live_stamp == pointer.stamp && reached.insert(pointer.slot) {
                enter(object, &mut work);
            }
        }
        reached
    }

    fn heap_description(&self, object: &Object) -> String {
        format!("memory of {} bytes that is allocated here", object.size)
    }

    fn at_allocation(&self, property: Property, object: &Object, message: String) -> Violation {
        let program::ObjectName::Allocated(thread, _) = object.name else {
            unreachable!("a heap object should have been allocated")
        };
        let site = object.origin.expect("a heap object should know its allocation");
        self.violation_at(property, thread, site, message, Vec::new())
    }
}
