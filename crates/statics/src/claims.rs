//! What the analysis claims of every execution, in terms that a concrete one can be compared with. Contexts are joined: a
//! register holds what it may hold in any of them, and an access is covered if that of some context covers it.

use program::points_to::MemoryObject;
use program::{FunctionId, GlobalId, Location, Program, RegisterId};
use rustc_hash::{FxHashMap, FxHashSet};

use base::Budget;

use crate::access::AbstractAccess;
use crate::analysis::{AbstractInterpreter, GivenUp};
use crate::identity::{Identities, Object, ObjectId, ThreadId};
use crate::range::Range;
use crate::survey::with_effort;
use crate::value::AbsValue;

/// What is noted while the analysis goes over all places for the last time.
#[derive(Default)]
pub(crate) struct Notebook {
    pub reached: FxHashSet<Location>,
    pub values: FxHashMap<(FunctionId, RegisterId), AbsValue>,
}

impl Notebook {
    pub fn note_value(&mut self, function: FunctionId, register: RegisterId, value: &AbsValue) {
        let value = value.clone().named(None);
        self.values.entry((function, register)).and_modify(|known| *known = known.join(&value)).or_insert(value);
    }
}

/// A value in an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConcreteValue {
    pub bits: u64,
    pub width: u8,
    /// The object that it points into, with the offset.
    pub target: Option<(MemoryObject, i64)>,
    /// If it is the handle of a thread: where that was created (nowhere for the main thread), and what it executes.
    pub thread: Option<(Option<Location>, FunctionId)>,
}

/// What is claimed to hold whenever an access is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimedGuard {
    pub in_section: bool,
    /// Locks in globals, by their offset, that the thread holds.
    pub locks: Vec<(GlobalId, i64)>,
    /// Threads that have ended: where they were created, and what they executed.
    pub joined: Vec<(Location, FunctionId)>,
}

pub struct Claims {
    identities: Identities,
    notes: Notebook,
    accesses: FxHashMap<Location, Vec<AbstractAccess>>,
    exposed: Vec<ObjectId>,
    functions_exposed: bool,
    pointer_bits: u8,
}

/// The claims about a well-formed program.
pub fn claims(program: &Program, budget: &Budget) -> Result<Claims, GivenUp> {
    with_effort(|effort| {
        let mut analysis = AbstractInterpreter::new(program, effort, budget);
        analysis.notebook = Some(Notebook::default());
        let mut accesses: FxHashMap<Location, Vec<AbstractAccess>> = FxHashMap::default();
        for access in analysis.run()? {
            accesses.entry(access.location).or_default().push(access);
        }
        Ok(Claims {
            accesses,
            notes: analysis.notebook.take().unwrap_or_default(),
            exposed: analysis.world.exposed.iter().copied().collect(),
            functions_exposed: analysis.world.are_functions_exposed(),
            identities: analysis.identities,
            pointer_bits: program.data_model.pointer_bits(),
        })
    })
}

impl Claims {
    /// Whether some thread may execute what stands there.
    pub fn may_reach(&self, location: Location) -> bool {
        self.notes.reached.contains(&location)
    }

    /// Whether the register may hold the value after it was assigned.
    pub fn may_hold(&self, function: FunctionId, register: RegisterId, value: ConcreteValue) -> bool {
        let Some(known) = self.notes.values.get(&(function, register)) else { return false };
        let is_number = known.numbers().is_some_and(|range| range.contains_bits(value.bits, value.width));
        match value.target {
            Some((MemoryObject::Function(target), _)) => {
                known.functions().contains(&target) || (is_number && self.functions_exposed)
            }
            Some((object, offset)) => {
                let is_there = |(&known, &range): (&ObjectId, &Range)| {
                    self.stands_for(known, object) && range.contains_bits(offset as u64, self.pointer_bits)
                };
                known.objects().iter().any(is_there) || (is_number && self.is_exposed(object))
            }
            None => is_number || known.threads().iter().any(|&thread| self.is_thread(thread, value.thread)),
        }
    }

    /// Whether such an access may be made there while `holds` is true of what is claimed about it.
    pub fn may_access(
        &self,
        location: Location,
        (object, offset, size): (MemoryObject, u64, u64),
        holds: impl Fn(&ClaimedGuard) -> bool,
    ) -> bool {
        self.accesses.get(&location).into_iter().flatten().any(|access| {
            self.stands_for(access.object, object)
                && access.offset.contains_bits(offset, self.pointer_bits)
                && size <= access.size
                && holds(&self.guard(access))
        })
    }

    fn guard(&self, access: &AbstractAccess) -> ClaimedGuard {
        let locks = access.guard.locks.iter().filter_map(|&(object, offset, _)| match self.identities.object(object) {
            Object::Global(global) => Some((global, offset)),
            _ => None,
        });
        let joined = access.guard.joined.iter().filter_map(|&thread| self.only_thread(thread));
        ClaimedGuard { in_section: access.guard.in_section, locks: locks.collect(), joined: joined.collect() }
    }

    /// Where the thread is created and what it executes, if no other of the analysis is created there.
    fn only_thread(&self, thread: ThreadId) -> Option<(Location, FunctionId)> {
        let place = |thread| {
            let known = self.identities.thread(thread);
            known.origin.map(|(_, location)| (location, known.function))
        };
        let own = place(thread)?;
        let same = self.identities.threads().filter(|&other| place(other) == Some(own)).count();
        (same == 1).then_some(own)
    }

    fn is_exposed(&self, object: MemoryObject) -> bool {
        self.exposed.iter().any(|&known| self.stands_for(known, object))
    }

    fn is_thread(&self, thread: ThreadId, concrete: Option<(Option<Location>, FunctionId)>) -> bool {
        let known = self.identities.thread(thread);
        concrete == Some((known.origin.map(|(_, location)| location), known.function))
    }

    fn stands_for(&self, object: ObjectId, concrete: MemoryObject) -> bool {
        match (self.identities.object(object), concrete) {
            (Object::Global(known) | Object::ThreadLocal(known, _), MemoryObject::Global(global)) => known == global,
            (Object::Local(frame, known), MemoryObject::Local(function, local)) => {
                self.identities.context(frame).function == function && known == local
            }
            (Object::Allocation(_, known), MemoryObject::Allocation(location)) => known == location,
            _ => false,
        }
    }
}
