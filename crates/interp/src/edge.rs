//! Edges: what one thread does in one go, as a guard and a simultaneous assignment.

use std::rc::Rc;

use base::define_id;
use program::{Location, Property};
use symbolic::ObjectId;
use terms::{TermId, VariableId};

use crate::order::LoopEntry;

define_id!(
    /// An edge of one machine. Edges with the same contents are the same, wherever other threads are.
    EdgeId,
    "e"
);

define_id!(
    /// A control state of one machine.
    ControlId,
    "c"
);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ThreadEdge {
    pub thread: u32,
    pub from: Location,
    pub guard: TermId,
    /// In the order of variables.
    pub assignments: Rc<[(VariableId, TermId)]>,
    /// What is written to arrays, one store after the other, in terms of the state before the edge.
    pub stores: Rc<[ArrayStore]>,
    pub end: EdgeEnd,
    /// The instructions and terminators in their order.
    pub trail: Rc<[Location]>,
    pub choices: Rc<[Chosen]>,
    /// Whether a loop was not executed but summarised: no schedule can be told.
    pub skips: bool,
    pub loop_entry: LoopEntry,
}

/// A value that is written to an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ArrayStore {
    pub array: ObjectId,
    pub place: TermId,
    pub value: TermId,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum EdgeEnd {
    Step,
    /// The property is violated.
    Error(Property),
    /// What comes now is not representable.
    Limit(Rc<str>),
}

/// A choice that a schedule must tell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Chosen {
    Term(TermId),
    Value(u64),
}

/// An edge and where it leads from one control state; an error leads nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub edge: EdgeId,
    pub target: Option<ControlId>,
}
