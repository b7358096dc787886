//! Creating, ending and joining threads, and synchronisation by the table of crate `sync`.
//!
//! The number of a thread's handle matters to no program (see `program::handles`). A join
//! that cannot succeed (no such thread, detached, joined before) returns an error code; a second claim on a thread is
//! also a misuse. Who joins himself, or a thread that stands before joining him, waits for ever, or is told EDEADLK: POSIX
//! leaves it open, and glibc tells.

use std::rc::Rc;

use program::handles::{handle_number, thread_of_handle};
use program::{SyncOp, ThreadId, ThreadState, TraceEventKind, limits};
use smallvec::SmallVec;
use sync::{Action, Call, Field, Slot, SyncState};

use crate::access_log::LoggedKind;
use crate::choice::{Ask, ChoiceSource};
use crate::code::{AccessCode, Arg, BranchTarget, Op};
use crate::machine::{End, Halt, Machine, Readiness, Standing, Taken, WaitedFor, Waiting};
use crate::memory::{BadAddress, Place};
use crate::object::SyncObject;
use crate::race::{RaceAccessKind, RaceOrder};
use crate::thread::{ExecThread, ThreadStatus};
use crate::value::Value;

const ESRCH: u64 = 3;
const EINVAL: u64 = 22;
const EDEADLK: u64 = sync::errno::EDEADLK;

/// What is added to the name of the end of a wait that nothing but the scheduler has made possible.
const SPURIOUSLY: &str = " spuriously";

/// An operand of a synchronisation operation that is no object.
struct BadObject {
    address: Value,
    length: u64,
    why: BadAddress,
}

impl Machine<'_> {
    pub(crate) fn order_mut(&mut self, change: impl FnOnce(&mut RaceOrder)) {
        if let Some(order) = &mut self.state.order {
            change(Rc::make_mut(order));
        }
    }

    pub(crate) fn spawn(
        &mut self,
        target: u32,
        store: Option<(Arg, AccessCode)>,
        function: BranchTarget,
        argument: Value,
        detached: bool,
        choices: &mut dyn ChoiceSource,
    ) -> Result<(), Halt> {
        let function = self.callee(function)?;
        let child = ThreadId(self.state.threads.len() as u32);
        if self.state.threads.len() >= limits::THREADS {
            let what = format!("more than {} threads", limits::THREADS);
            return Err(End::Unsupported { what, span: self.span() }.into());
        }
        let handle = Value::int(handle_number(u64::from(child.0)));
        if let Some((address, access)) = store {
            self.store(self.value(address), handle, access)?;
        }
        let locals = self.state.memory.add_thread(self.code, child).map_err(|no| self.no_room(no))?;
        let mut thread = ExecThread::new(self.code, function, &[argument], locals);
        thread.detached = detached;
        thread.created = Some(self.thread().site());
        self.state.threads.push(Rc::new(thread));
        let parent = self.current as u32;
        self.order_mut(|order| order.fork(parent));
        self.log(|machine| TraceEventKind::Spawn {
            child,
            function: machine.code.program.functions[function].name.clone(),
        });
        self.assign(target, handle);
        if self.hold_new_threads {
            return Ok(());
        }
        self.prefix(child.0 as usize, choices)
    }

    /// The thread that a handle names.
    fn named_thread(&self, handle: Value) -> Option<usize> {
        let index = thread_of_handle(handle.bits)? as usize;
        (index < self.state.threads.len()).then_some(index)
    }

    pub(crate) fn join(&mut self, target: Option<u32>, error: Option<u32>, handle: Arg) -> Result<(), Halt> {
        let is_circular = self.joins_in_a_circle(self.thread_id(), handle);
        if let Some(waiting) = self.waits_in_join(self.thread_id(), handle).filter(|_| !is_circular) {
            return Err(Halt::Blocked(Box::new(waiting)));
        }
        let joined = self.named_thread(self.value(handle));
        if let Some(index) = joined {
            self.check_joinable(index)?;
        }
        let (code, result) = match joined.map(|index| &self.state.threads[index]) {
            None => (ESRCH, None),
            Some(thread) if thread.detached || thread.joined => (EINVAL, None),
            Some(_) if is_circular => (EDEADLK, None),
            Some(thread) => (0, Some(thread.result)),
        };
        if let (0, Some(index)) = (code, joined) {
            Rc::make_mut(&mut self.state.threads[index]).joined = true;
            let waiter = self.current as u32;
            self.order_mut(|order| order.join(waiter, index as u32));
            self.log(|_| TraceEventKind::Join { child: ThreadId(index as u32) });
        }
        let thread = self.thread_mut();
        if let (Some(target), Some(result)) = (target, result) {
            thread.set(target, result);
        }
        if let Some(error) = error {
            thread.set(error, Value::int(code));
        }
        self.next();
        Ok(())
    }

    /// Whether `thread`, before a join, is blocked.
    pub(crate) fn waits_in_join(&self, thread: ThreadId, handle: Arg) -> Option<Waiting> {
        let site = self.state.threads[thread.0 as usize].site();
        let owner = self.waited_for_in_join(thread, handle)?;
        Some(Waiting { thread, site, object: WaitedFor::End(owner), owners: vec![owner] })
    }

    /// Whether `thread`, before a join, is blocked by itself, or by a thread that is in turn blocked by it.
    fn joins_in_a_circle(&self, thread: ThreadId, handle: Arg) -> bool {
        let Some(awaited) = self.waited_for_in_join(thread, handle) else { return false };
        let other = &self.state.threads[awaited.0 as usize];
        awaited == thread
            || (other.status == ThreadStatus::Live
                && matches!(&self.code.ops[other.pc as usize], Op::Join { thread: handle, .. }
                    if self.waited_for_in_join(awaited, *handle) == Some(thread)))
    }

    fn waited_for_in_join(&self, thread: ThreadId, handle: Arg) -> Option<ThreadId> {
        let own = &self.state.threads[thread.0 as usize];
        let index = self.named_thread(own.value(self.code, handle))?;
        let joined = &self.state.threads[index];
        let waits = joined.status != ThreadStatus::Ended && !joined.detached && !joined.joined;
        waits.then_some(ThreadId(index as u32))
    }

    pub fn thread_state(&self, thread: ThreadId) -> ThreadState {
        use sync::ObjectKind::{Barrier, Cond, Mutex, Once, Rwlock, Semaphore, Spin};
        match self.standing(thread) {
            Standing::Ended => ThreadState::Exit,
            Standing::Blocked(waiting) => match waiting.object {
                WaitedFor::End(_) => ThreadState::Join,
                WaitedFor::Object(Mutex | Rwlock | Spin, _) => ThreadState::Lock,
                WaitedFor::Object(Cond | Barrier | Semaphore | Once, _) => ThreadState::Wait,
            },
            Standing::Ready | Standing::Section | Standing::Stopped => ThreadState::Free,
        }
    }

    /// How `thread` stands, without telling whom it waits for.
    pub fn readiness(&self, thread: ThreadId) -> Readiness {
        let own = &self.state.threads[thread.0 as usize];
        if own.status != ThreadStatus::Live {
            return Readiness::Halted;
        }
        let waits = match &self.code.ops[own.pc as usize] {
            Op::AtomicBegin => return Readiness::Section,
            Op::Sync { op, operands, .. } => {
                self.blocked_action(thread, *op, operands, Action::enabled, |_, _, _, _| ()).is_some()
            }
            Op::Join { thread: handle, .. } => {
                self.waited_for_in_join(thread, *handle).is_some() && !self.joins_in_a_circle(thread, *handle)
            }
            _ => false,
        };
        if waits { Readiness::Halted } else { Readiness::Ready }
    }

    pub(crate) fn detach(&mut self, error: Option<u32>, handle: Arg) {
        let code = match self.named_thread(self.value(handle)) {
            None => ESRCH,
            Some(index) => {
                let thread = Rc::make_mut(&mut self.state.threads[index]);
                let refused = thread.detached || thread.joined;
                thread.detached = true;
                if refused { EINVAL } else { 0 }
            }
        };
        match error {
            Some(error) => self.assign(error, Value::int(code)),
            None => self.next(),
        }
    }

    /// Ends the current thread: all its activations, their objects and its thread-local globals.
    pub(crate) fn end_thread(&mut self, result: Value) -> Result<(), Halt> {
        loop {
            self.end_activation_objects()?;
            if !self.thread_mut().leave(None) {
                break;
            }
        }
        let own: Vec<Value> = self.thread().thread_locals.clone();
        for address in own {
            self.kill(address.provenance().expect("a thread-local global should have an address"))?;
        }
        if self.thread().section > 0 {
            let thread = self.current as u32;
            self.order_mut(|order| order.end_section(thread));
        }
        self.log(|_| TraceEventKind::ThreadEnd);
        self.thread_mut().end(result);
        Ok(())
    }

    /// Executes a synchronisation operation.
    pub(crate) fn act(
        &mut self,
        target: Option<u32>,
        op: SyncOp,
        operands: &[Arg],
        choices: &mut dyn ChoiceSource,
    ) -> Result<(), Halt> {
        let thread = self.thread_id();
        let action = sync::action(op);
        let values = self.operand_bits(thread, operands);
        let places = match self.sync_places(thread, action, operands) {
            Ok(places) => places,
            Err(bad) if self.is_woken(op, operands, &bad) => {
                let what = "the end of a wait on an object that no longer exists".to_owned();
                return Err(End::Unsupported { what, span: self.span() }.into());
            }
            Err(bad) => return Err(self.bad_access(bad.address, bad.why, bad.length, true)),
        };
        self.check_sync_objects(op, &places)?;
        let mut states = self.sync_states(action, &places);
        let call = Call { thread: thread.0, operands: &values };
        if let Some(reason) = action.limit(&states, &call) {
            return Err(End::Unsupported { what: reason.to_owned(), span: self.span() }.into());
        }
        if let Some((object, misuse)) = action.misuse(&states, &call) {
            self.lock_misuse(action.objects[object], places[object], misuse)?;
        }
        if !action.enabled(&states, &call) {
            let waiting = self.waiting_for(thread, action, &places, &states, &call);
            return Err(Halt::Blocked(Box::new(waiting)));
        }
        let alternatives = action.choices(&states, &call);
        let choice = if alternatives.is_empty() { 0 } else { choices.choose(thread, Ask::OneOf(&alternatives)) };
        if !alternatives.is_empty() {
            self.record.choices.push((thread, choice));
        }
        self.acquire_order(action, &places, &states, &call, choice);
        self.check_written_objects(op, &places, &states, &call)?;
        let is_spurious = op.is_completion() && !action.goes_on(&states, &call);
        let spuriously = if is_spurious { SPURIOUSLY } else { "" };
        self.log(|machine| TraceEventKind::Sync {
            action: format!("{}{spuriously}", action.name),
            object: machine.place_name(places[0]),
        });
        self.note_taken(action, &places, &states, &call, choice);
        self.release_order(action, &places, &states, &call, choice);
        let result = action.apply(&mut states, &call, choice);
        for (place, state) in places.iter().zip(states) {
            let kind = state.kind();
            self.sync_object(*place, kind).state = state;
        }
        self.changes += 1;
        match target {
            Some(target) => self.assign(target, Value::int(u64::from(result as u32))),
            None => self.next(),
        }
        Ok(())
    }

    /// Whether a wait comes to its end whose object has ended, after the thread was woken: that is allowed, but what became
    /// of the object's state is not followed.
    fn is_woken(&self, op: SyncOp, operands: &[Arg], bad: &BadObject) -> bool {
        let is_awaited = sync::class(op).is_completion && self.value(operands[0]).bits == bad.address.bits;
        let Some(provenance) = bad.address.provenance().filter(|_| is_awaited) else { return false };
        let object = self.state.memory.object(provenance.slot);
        if object.is_alive() || sync::action(op).objects[0] != sync::ObjectKind::Cond {
            return !object.is_alive();
        }
        let offset = bad.address.bits.wrapping_sub(object.base);
        let known = object.sync.iter().find(|known| known.offset == offset);
        known.is_some_and(|known| !known.state.get(Field::Waiters).contains(u64::from(self.thread_id().0)))
    }

    /// Whether a thread that only tries to execute an operation runs into a race on its objects.
    fn would_race(&self, thread: ThreadId, op: SyncOp, places: &[Place]) -> bool {
        let Some(order) = self.state.order.as_ref().filter(|order| !order.single_threaded()) else { return false };
        let (action, class) = (sync::action(op), sync::class(op));
        let kind = if class.resets { RaceAccessKind::Write } else { RaceAccessKind::AtomicRead { acquires: false } };
        let objects = places.iter().zip(&action.objects).enumerate();
        let mut accessed = objects.filter(|(index, _)| !(class.is_completion && *index == 0));
        accessed.any(|(_, (&place, &object))| {
            let length = sync::object_bytes(object, self.code.program.sync_layouts());
            self.state.memory.object(place.slot).shadow.would_race(order, thread.0, kind, (place.offset, length))
        })
    }

    /// A synchronisation operation accesses its objects like memory: those that initialise or destroy write, all others
    /// access atomically, and first of all read. Whoever has been woken does not look at what it waited for any more.
    fn check_sync_objects(&mut self, op: SyncOp, places: &[Place]) -> Result<(), Halt> {
        let (action, class) = (sync::action(op), sync::class(op));
        let kind = if class.resets { RaceAccessKind::Write } else { RaceAccessKind::AtomicRead { acquires: false } };
        for (index, (&place, &object)) in places.iter().zip(&action.objects).enumerate() {
            let length = sync::object_bytes(object, self.code.program.sync_layouts());
            match class.is_completion && index == 0 {
                true => self.note_access(place, length, LoggedKind::Repeat),
                false => self.check_race(place, length, kind)?,
            }
            let memory = self.state.memory.object(place.slot);
            let what = match memory.sync.iter().find(|known| known.offset == place.offset) {
                Some(known) if known.overwritten != 0 => "a partly overwritten synchronisation object",
                Some(known) if known.state.kind() != object => {
                    "memory that is used as two kinds of synchronisation objects"
                }
                _ if memory.overlaps_other_sync(place.offset, length) => "synchronisation objects that overlap",
                None if !memory.opaque_inside(place.offset, length).is_empty() => {
                    "a synchronisation object with unknown contents"
                }
                None if !class.resets && self.sync_state(place, object).is_unclear() => {
                    "a synchronisation object with a non-standard initialiser"
                }
                _ => continue,
            };
            return Err(End::Unsupported { what: what.to_owned(), span: self.span() }.into());
        }
        Ok(())
    }

    /// What the operation changes it writes to, atomically. By then it is ordered after what it acquires, and what it
    /// releases is ordered after it.
    fn check_written_objects(
        &mut self,
        op: SyncOp,
        places: &[Place],
        states: &[SyncState],
        call: &Call<'_>,
    ) -> Result<(), Halt> {
        let class = sync::class(op);
        if class.resets || self.state.order.is_none() {
            return Ok(());
        }
        for (index, (&place, &object)) in places.iter().zip(&sync::action(op).objects).enumerate() {
            let is_awaited = class.is_completion && index == 0;
            if !is_awaited && sync::writes_to(op, index, states, call) {
                let length = sync::object_bytes(object, self.code.program.sync_layouts());
                self.check_race(place, length, RaceAccessKind::Synchronise)?;
            }
        }
        Ok(())
    }

    /// Remembers where a lock is taken, for the report of a deadlock. Taken again by its owner, it is held since before.
    fn note_taken(&mut self, action: &Action, places: &[Place], states: &[SyncState], call: &Call<'_>, choice: u64) {
        if self.events.is_none() {
            return;
        }
        let (thread, site) = (self.thread_id(), self.thread().users_site(self.code));
        for (object, slot) in action.acquired(states, call, choice) {
            if slot == Slot::Main && states[object].owner() != Some(call.thread) {
                self.taken.push(Taken { place: places[object], thread, site });
            }
        }
    }

    /// What happens before an action: what was released that it acquires.
    fn acquire_order(&mut self, action: &Action, places: &[Place], states: &[SyncState], call: &Call<'_>, choice: u64) {
        if self.state.order.is_none() {
            return;
        }
        for (object, slot) in action.acquired(states, call, choice) {
            let from = self.sync_object(places[object], action.objects[object]);
            let clock = from.released.iter().find(|(own, _)| *own == slot).map(|(_, clock)| clock.clone());
            if let Some(clock) = clock {
                self.order_mut(|order| order.acquire(call.thread, &clock));
            }
        }
    }

    /// What an action happens before: those who acquire what it releases.
    fn release_order(&mut self, action: &Action, places: &[Place], states: &[SyncState], call: &Call<'_>, choice: u64) {
        if self.state.order.is_none() {
            return;
        }
        let released = action.released(states, call, choice);
        if released.is_empty() {
            return;
        }
        let mut past = None;
        self.order_mut(|order| past = Some(order.release(call.thread)));
        let past = past.expect("clocks should exist where races are looked for");
        for (object, slot) in released {
            let to = &mut self.sync_object(places[object], action.objects[object]).released;
            match to.binary_search_by_key(&slot, |(own, _)| *own) {
                Ok(index) => to[index].1.join(&past),
                Err(index) => to.insert(index, (slot, past.clone())),
            }
        }
    }

    /// Whether `thread`, before a synchronisation operation, is blocked. Misuse and limits are found by executing it.
    pub(crate) fn waits_in_action(&self, thread: ThreadId, op: SyncOp, operands: &[Arg]) -> Option<Waiting> {
        self.blocked_action(thread, op, operands, Action::goes_on, |action, places, states, call| {
            self.waiting_for(thread, action, places, states, call)
        })
    }

    /// What `then` makes of an operation that does not go on; `None` if it is not blocked.
    pub(crate) fn blocked_action<T>(
        &self,
        thread: ThreadId,
        op: SyncOp,
        operands: &[Arg],
        goes_on: impl FnOnce(&Action, &[SyncState], &Call<'_>) -> bool,
        then: impl FnOnce(&Action, &[Place], &[SyncState], &Call<'_>) -> T,
    ) -> Option<T> {
        let action = sync::action(op);
        let places = self.sync_places(thread, action, operands).ok()?;
        let states = self.sync_states(action, &places);
        let values = self.operand_bits(thread, operands);
        let call = Call { thread: thread.0, operands: &values };
        if goes_on(action, &states, &call) || action.limit(&states, &call).is_some() {
            return None;
        }
        let reported = self.reports_misuse() && action.misuse(&states, &call).is_some();
        let reported = reported || self.would_race(thread, op, &places);
        (!reported).then(|| then(action, &places, &states, &call))
    }

    fn waiting_for(
        &self,
        thread: ThreadId,
        action: &Action,
        places: &[Place],
        states: &[SyncState],
        call: &Call<'_>,
    ) -> Waiting {
        let owners = action.owners(states, call);
        // Whoever waits for the mutex of a condition variable waits for an owner; the object is then the mutex.
        let object = if !owners.is_zero() { places.len() - 1 } else { 0 };
        Waiting {
            thread,
            site: self.state.threads[thread.0 as usize].site(),
            object: WaitedFor::Object(action.objects[object], places[object]),
            owners: owners.threads().map(ThreadId).collect(),
        }
    }

    fn operand_bits(&self, thread: ThreadId, operands: &[Arg]) -> SmallVec<[u64; 4]> {
        let own = &self.state.threads[thread.0 as usize];
        operands.iter().map(|&operand| own.value(self.code, operand).bits).collect()
    }

    fn sync_places(
        &self,
        thread: ThreadId,
        action: &Action,
        operands: &[Arg],
    ) -> Result<SmallVec<[Place; 2]>, BadObject> {
        let own = &self.state.threads[thread.0 as usize];
        let place = |(&operand, &kind): (&Arg, &sync::ObjectKind)| {
            let address = own.value(self.code, operand);
            let length = sync::object_bytes(kind, self.code.program.sync_layouts());
            self.state.memory.place(address, length, true).map_err(|why| BadObject { address, length, why })
        };
        operands.iter().zip(&action.objects).map(place).collect()
    }

    /// The objects that a synchronisation operation of `thread` acts on; `None` if one of them cannot be accessed, or a
    /// value among the operands is not known.
    pub fn sync_objects(&self, thread: ThreadId, op: SyncOp, operands: &[Arg]) -> Option<SmallVec<[Place; 2]>> {
        let own = &self.state.threads[thread.0 as usize];
        let known = operands.iter().all(|&operand| !own.value(self.code, operand).is_opaque());
        self.sync_places(thread, sync::action(op), operands).ok().filter(|_| known)
    }

    fn sync_states(&self, action: &Action, places: &[Place]) -> SmallVec<[SyncState; 2]> {
        places.iter().zip(&action.objects).map(|(&place, &kind)| self.sync_state(place, kind)).collect()
    }

    /// The state of a synchronisation object: what was done to it, or what its bytes say.
    fn sync_state(&self, place: Place, kind: sync::ObjectKind) -> SyncState {
        let object = self.state.memory.object(place.slot);
        if let Some(known) = object.sync.iter().find(|known| known.offset == place.offset)
            && known.state.kind() == kind
        {
            return known.state.clone();
        }
        let layouts = self.code.program.sync_layouts();
        let length = sync::object_bytes(kind, layouts);
        let determinate = object.indeterminate_stretch(place.offset, length).is_none();
        let bytes = &object.bytes()[place.offset as usize..(place.offset + length) as usize];
        sync::initial_state(kind, layouts, determinate.then_some(bytes))
    }

    fn sync_object(&mut self, place: Place, kind: sync::ObjectKind) -> &mut SyncObject {
        let (state, layouts) = (self.sync_state(place, kind), self.code.program.sync_layouts());
        let objects = &mut self.state.memory.object_mut(place.slot).sync;
        let index = match objects.binary_search_by_key(&place.offset, |object| object.offset) {
            Ok(index) => {
                objects[index].state = state;
                index
            }
            Err(index) => {
                let (offset, length) = (place.offset, sync::object_bytes(kind, layouts));
                let new = SyncObject { offset, length, state, overwritten: 0, released: Vec::new() };
                objects.insert(index, new);
                index
            }
        };
        &mut objects[index]
    }
}
