//! The event graph: every execution of a program within the bounds, as chains of guarded events over terms.
//!
//! Each thread instance is a chain of nodes in program order; branches that exclude each other stand one after the
//! other in the chain, and guards say which of them run. A node is one visible instruction or a whole atomic section.
//! What instructions do to registers and to memory that no other thread sees is folded into the terms.

use std::collections::BTreeMap;
use std::fmt;

use base::{IdVec, Span, define_id};
use program::effects::{AccessKind, Effects, HbEffect};
use program::{GlobalId, Location, Property};
use symbolic::{ObjectId, Objects, SymValue};
use sync::{Field, ObjectKind};
use terms::{TermId, Terms};

use crate::guard::{GuardId, Guards};
use crate::happens_before::HappensBefore;

define_id!(
    /// A thread of the unfolding; 0 is the main thread. Which [`ThreadId`] it gets in an execution depends on the
    /// order of creation there.
    InstanceId,
    "t"
);
define_id!(
    /// A visible instruction or an atomic section of one instance.
    NodeId,
    "n"
);
define_id!(
    /// One read or write of a cell.
    EventId,
    "e"
);
define_id!(
    /// A stretch of memory, or a field of a synchronisation object, that is always accessed as a whole.
    CellId,
    "x"
);

/// See the module documentation. `terms` holds every term mentioned here.
#[derive(Clone, Debug)]
pub struct EventGraph {
    pub terms: Terms,
    pub guards: Guards,
    pub objects: Objects,
    pub instances: IdVec<InstanceId, Instance>,
    pub nodes: IdVec<NodeId, Node>,
    pub events: IdVec<EventId, Event>,
    pub cells: IdVec<CellId, CellKey>,
    /// Facts that hold in every execution.
    pub constraints: Vec<TermId>,
    pub joins: Vec<Join>,
    /// What a data race needs of the order.
    pub race_edges: Vec<RaceEdge>,
    /// Every access that another thread may be in conflict with, where that was asked for.
    pub accesses: Vec<AccessPoint>,
    /// For programs in which threads learn of each other without being ordered, and where accesses may race.
    pub happens_before: Option<HappensBefore>,
    pub sections: Vec<LockSection>,
    pub violations: Vec<ViolationPoint>,
    /// Where several properties are checked, for each a Boolean variable: it is the one that is looked for. A violation
    /// of any other is what the interpreter makes of it when nobody asks: the end of the execution, or nothing at all.
    pub sought: BTreeMap<Property, TermId>,
    pub cuts: Vec<Cut>,
    /// A Boolean variable: executions to which it matters where memory lies are left out.
    pub layout: Option<TermId>,
    /// Where threads wait for each other, if that is asked about and any thread can wait.
    pub deadlock: Option<Deadlock>,
    /// Contents of memory that nobody wrote: the values that a replay must supply.
    pub indeterminate: Vec<Indeterminate>,
    /// The same for elements of arrays.
    pub indeterminate_elements: Vec<IndeterminateElement>,
    /// Of a thread-modular unfolding.
    pub candidates: Vec<InvariantCandidate>,
}

#[derive(Clone, Debug)]
pub struct Instance {
    /// For people: the function that the thread runs.
    pub name: String,
    /// The node that creates the thread, and when it does.
    pub spawned_by: Option<(NodeId, GuardId)>,
    pub nodes: Vec<NodeId>,
    /// Every visible instruction (or atomic section) in program order, with or without a node.
    pub steps: Vec<InstanceStep>,
    /// Nondeterministic choices in the order in which the interpreter asks for them.
    pub choices: Vec<GuardedChoice>,
    /// When each `Begin`, `Allocate` and `Reallocate` runs, in program order: names the objects in a replay.
    pub allocations: Vec<GuardId>,
    /// The thread has come to its end.
    pub finished: TermId,
}

#[derive(Clone, Debug)]
pub struct InstanceStep {
    pub guard: GuardId,
    /// When the step is taken to its end: nothing is wrong in it that stops the thread.
    pub completes: GuardId,
    pub location: Location,
    pub node: Option<NodeId>,
    /// The instances that the step creates, each with its condition.
    pub spawns: Vec<(GuardId, InstanceId)>,
    /// When it is an atomic section that does not get to its end.
    pub abandoned: Option<TermId>,
}

#[derive(Clone, Debug)]
pub struct GuardedChoice {
    pub guard: GuardId,
    /// The choice is made: a wake-up without waiters chooses nobody.
    pub made: TermId,
    pub value: TermId,
    /// The value is the number of an instance; a replay needs the number of its thread.
    pub names_instance: bool,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub instance: InstanceId,
    pub guard: GuardId,
    pub events: Vec<EventId>,
    pub span: Span,
    pub node_hb: NodeHb,
    /// So many steps of the instance, on whatever path, come before it.
    pub steps: usize,
}

/// What a node does for happens-before: whether it takes part as the later side of an edge, as the earlier one, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeHb {
    pub acquires: bool,
    pub releases: bool,
}

impl NodeHb {
    pub const NONE: NodeHb = NodeHb { acquires: false, releases: false };
    pub const BOTH: NodeHb = NodeHb { acquires: true, releases: true };

    /// Every atomic access counts as one that orders: those that do not are a matter of `happens_before`.
    pub fn of(effects: &Effects) -> NodeHb {
        let (acquires, releases) = match effects.happens_before() {
            HbEffect::Sync(op) => {
                let action = sync::action(op);
                (!action.acquires.is_empty(), !action.releases.is_empty())
            }
            HbEffect::Fence(order) => (order.acquires(), order.releases()),
            HbEffect::Create => (false, true),
            HbEffect::Join => (true, false),
            HbEffect::Section => (true, true),
            HbEffect::None => match effects.atomic_access().map(|access| access.kind) {
                None => (false, false),
                Some(AccessKind::Read) => (true, false),
                Some(AccessKind::Write) => (false, true),
                Some(_) => (true, true),
            },
        };
        NodeHb { acquires, releases }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Read,
    Write,
}

#[derive(Clone, Debug)]
pub struct Event {
    pub node: NodeId,
    pub access: Access,
    pub cell: CellId,
    /// Implies the guard of the node.
    pub guard: GuardId,
    /// What is written, or a fresh value for what is read.
    pub value: SymValue,
}

/// What a cell is: bytes of an object, or a field of the synchronisation object there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CellKey {
    pub object: ObjectId,
    pub offset: u64,
    pub part: CellPart,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CellPart {
    Bytes(u8),
    /// A field of a synchronisation object.
    Field(ObjectKind, Field),
    /// Whether an instance is in a field that is a set of threads.
    Member(ObjectKind, Field, InstanceId),
    /// What has become of the whole object; at offset 0.
    Life,
    /// How many bytes an object has, where that is not constant; at offset 0.
    Size,
    /// All bytes of the object as an array of units of so many bytes; at offset 0. No event is about it.
    Array(u8),
    /// The unit of an array at one of the addresses at which it is read; the offset is the number of the address.
    View(u8),
}

/// An access to memory that other threads access, too.
#[derive(Clone, Debug)]
pub struct AccessPoint {
    pub node: NodeId,
    pub object: ObjectId,
    pub offset: u64,
    pub length: u64,
    pub writes: bool,
    pub guard: GuardId,
    /// Where the locks lie that the thread certainly holds.
    pub locks: Vec<(ObjectId, u64)>,
    /// The instances that have certainly ended and been joined.
    pub joined: Vec<InstanceId>,
    pub location: Location,
    pub span: Span,
    /// So many steps of the instance come up to its end.
    pub steps: usize,
}

impl AccessPoint {
    pub fn overlaps(&self, other: &AccessPoint) -> bool {
        let ends_after = |a: &AccessPoint, b: &AccessPoint| a.offset + a.length > b.offset;
        self.object == other.object && ends_after(self, other) && ends_after(other, self)
    }
}

/// `node` waits for the end of `target` when `condition` holds.
#[derive(Clone, Copy, Debug)]
pub struct Join {
    pub node: NodeId,
    pub target: InstanceId,
    pub condition: TermId,
}

/// The instance of `node`, which takes a lock, holds it up to the first executed one of `unlocks`, later nodes in their
/// order. Sections of one lock do not overlap.
#[derive(Clone, Debug)]
pub struct LockSection {
    /// Where the lock lies.
    pub lock: (ObjectId, u64),
    pub node: NodeId,
    pub unlocks: Vec<NodeId>,
}

/// A place where a property may be violated.
#[derive(Clone, Debug)]
pub struct ViolationPoint {
    pub property: Property,
    /// The violation happens.
    pub condition: TermId,
    pub instance: InstanceId,
    pub location: Location,
    pub span: Span,
    /// So many steps of the instance come before it.
    pub steps: usize,
    /// A node that belongs to the violation although it is not a step: nothing is violated before it is reached.
    pub node: Option<NodeId>,
}

/// Under a condition, one node comes before another.
#[derive(Clone, Copy, Debug)]
pub struct RaceEdge {
    pub from: NodeId,
    pub to: NodeId,
    pub condition: TermId,
}

/// Something that may hold whenever a certain place is reached.
#[derive(Clone, Debug)]
pub struct InvariantCandidate {
    /// A Boolean variable: true means that it is assumed to hold there.
    pub assumed: TermId,
    /// When it does not hold where it would have to.
    pub failures: Vec<TermId>,
}

/// A place where the unfolding stops although the program goes on.
#[derive(Clone, Debug)]
pub struct Cut {
    pub kind: CutKind,
    pub span: Span,
    /// A Boolean variable: true means that executions through the cut are left out. Shared by cuts of one cause.
    pub literal: TermId,
    /// An execution gets here.
    pub reached: TermId,
    /// The only property that it matters for; `None` for all.
    pub only_for: Option<Property>,
}

impl Cut {
    pub fn concerns(&self, property: Property) -> bool {
        self.only_for.is_none_or(|only| only == property)
    }
}

/// A snapshot of the synchronisation objects in which threads wait for ever.
#[derive(Clone, Debug)]
pub struct Deadlock {
    /// Reads the objects; alone in an instance of its own, after everything that a stuck or ended thread does.
    pub node: NodeId,
    /// There is such a snapshot. May be true only where `no-deadlock` is asked about.
    pub deadlocked: TermId,
    pub members: Vec<DeadlockMember>,
}

/// How an instance takes part in a deadlock.
#[derive(Clone, Copy, Debug)]
pub struct DeadlockMember {
    pub instance: InstanceId,
    pub stuck: TermId,
    pub ended: TermId,
}

/// Why the unfolding stops. One literal per kind and cause.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CutKind {
    /// A loop by function and head.
    Loop {
        function: program::FunctionId,
        head: program::BlockId,
    },
    Recursion {
        function: program::FunctionId,
    },
    /// An allocation whose size is not constant, by its place: larger objects are left out.
    Allocation {
        location: Location,
    },
    Threads,
    /// Nothing is cut, but races from here on may be missed: counts only for `no-data-race`.
    RaceGap {
        what: String,
    },
    /// A construct without symbolic meaning.
    Unsupported {
        what: String,
    },
}

/// Memory whose first contents nobody wrote.
#[derive(Clone, Debug)]
pub struct Indeterminate {
    pub object: IndeterminateObject,
    pub offset: u64,
    pub value: SymValue,
}

/// An element, whose first contents nobody wrote, of an object with so many bytes. An execution that does not read it may
/// have it anywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndeterminateElement {
    pub object: IndeterminateObject,
    pub object_size: u64,
    pub offset: TermId,
    pub value: TermId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndeterminateObject {
    Global(GlobalId),
    /// The allocation of an instance with this index.
    Allocation(InstanceId, usize),
}

impl EventGraph {
    /// A graph without instances.
    pub fn new(terms: Terms, guards: Guards, objects: Objects) -> Self {
        Self {
            terms,
            guards,
            objects,
            instances: IdVec::new(),
            nodes: IdVec::new(),
            events: IdVec::new(),
            cells: IdVec::new(),
            constraints: Vec::new(),
            joins: Vec::new(),
            race_edges: Vec::new(),
            accesses: Vec::new(),
            happens_before: None,
            sections: Vec::new(),
            violations: Vec::new(),
            sought: BTreeMap::new(),
            cuts: Vec::new(),
            layout: None,
            deadlock: None,
            indeterminate: Vec::new(),
            indeterminate_elements: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// What must all hold for an answer to the question about `property`: a violation, or an execution through a cut
    /// that is not left out.
    pub fn question(&self, terms: &mut Terms, property: Property) -> Vec<TermId> {
        let violations = self.violations.iter().filter(|violation| violation.property == property);
        let mut alternatives: Vec<TermId> = violations.map(|violation| violation.condition).collect();
        for cut in self.cuts.iter().filter(|cut| cut.concerns(property)) {
            let taken = terms.not(cut.literal);
            alternatives.push(terms.and(cut.reached, taken));
        }
        let mut parts = vec![terms.or_all(&alternatives)];
        if let Some(deadlock) = self.deadlock.as_ref().filter(|_| property != Property::NoDeadlock) {
            parts.push(terms.not(deadlock.deadlocked));
        }
        for (&other, &sought) in &self.sought {
            parts.push(if other == property { sought } else { terms.not(sought) });
        }
        parts
    }
}

impl fmt::Display for CellKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            CellPart::Bytes(size) => write!(f, "{}+{}:{size}", self.object, self.offset),
            CellPart::Field(_, field) => write!(f, "{}+{}.{field:?}", self.object, self.offset),
            CellPart::Member(_, field, thread) => write!(f, "{}+{}.{field:?}.{thread}", self.object, self.offset),
            CellPart::Life => write!(f, "{}.life", self.object),
            CellPart::Size => write!(f, "{}.size", self.object),
            CellPart::Array(size) => write!(f, "{}.array:{size}", self.object),
            CellPart::View(size) => write!(f, "{}.view{}:{size}", self.object, self.offset),
        }
    }
}
