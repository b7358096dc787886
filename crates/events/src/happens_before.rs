//! Happens-before beside the order of an execution: where it comes from in programs in which threads learn of each other
//! without being ordered (relaxed atomics, a `trylock` that fails, the value of a semaphore). There two accesses can be
//! unordered although no execution has them next to each other, so that races are looked for with a second partial order, of
//! happens-before alone; `encode_happens_before` makes it, decision 0020 says why that is exact.

use symbolic::ObjectId;
use terms::TermId;

use crate::graph::{EventId, InstanceId, NodeId, RaceEdge};
use crate::guard::GuardId;

/// The sources of happens-before edges, but for creation and joining.
#[derive(Clone, Debug, Default)]
pub struct HappensBefore {
    /// A race is looked for. Otherwise nothing here restricts the order of an execution.
    pub racing: Option<TermId>,
    pub slot_uses: Vec<SlotUse>,
    pub atomics: Vec<AtomicAccess>,
    pub fences: Vec<FencePoint>,
    /// What a data race needs of happens-before.
    pub race_edges: Vec<RaceEdge>,
}

/// Every release of a slot happens before every later acquire of it.
#[derive(Clone, Copy, Debug)]
pub struct SlotUse {
    pub node: NodeId,
    pub slot: HbSlot,
    pub releases: bool,
    /// The node is executed, and does it.
    pub condition: TermId,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum HbSlot {
    /// Of a synchronisation object, by its place.
    Object(ObjectId, u64, Part),
    /// The ends and beginnings of all atomic sections.
    Sections,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    Main,
    Readers,
    Thread(InstanceId),
}

/// An atomic access with its events.
#[derive(Clone, Debug)]
pub struct AtomicAccess {
    pub node: NodeId,
    pub reads: Vec<EventId>,
    pub writes: Vec<EventId>,
    /// When its reads acquire; `None` for never.
    pub acquires: Option<TermId>,
    /// Whether its reads acquire if it writes.
    pub acquires_if_it_writes: bool,
    pub releases: bool,
    /// A read-modify-write, which goes on with the release sequence that it reads from.
    pub is_update: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct FencePoint {
    pub node: NodeId,
    pub guard: GuardId,
    pub acquires: bool,
    pub releases: bool,
}
