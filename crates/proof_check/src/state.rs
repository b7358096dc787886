//! What is known exactly of a state, and what one thread has done since: values as terms over the variables of the state before.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use program::{FunctionId, Location};
use proof::{ProofClaim, ProofVariable};
use sync::SyncState;
use terms::TermId;

use crate::reach::start_of;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ExactState {
    pub threads: Vec<ThreadStack>,
    pub sync: BTreeMap<(u32, u64), SyncState>,
    /// Arrays that have been read, so that they must not change any more.
    pub sealed: BTreeSet<u32>,
    /// How many objects each thread has made at each place.
    pub allocations: BTreeMap<(u32, Location), u32>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ThreadStack {
    /// Where each activation is, the innermost last; those below it are at their calls. None: the thread has ended.
    pub frames: Vec<Location>,
    /// The function that the thread began with.
    pub start: FunctionId,
    pub detached: bool,
    /// Who has waited for its end.
    pub joined_by: Option<u32>,
    /// How many atomic sections the thread is in.
    pub sections: u32,
}

impl ThreadStack {
    pub fn new(function: FunctionId) -> Self {
        Self { frames: vec![start_of(function)], start: function, detached: false, joined_by: None, sections: 0 }
    }

    pub fn is_live(&self) -> bool {
        !self.frames.is_empty()
    }
}

impl ExactState {
    pub fn initial(entry: FunctionId) -> Self {
        Self {
            threads: vec![ThreadStack::new(entry)],
            sync: BTreeMap::new(),
            sealed: BTreeSet::new(),
            allocations: BTreeMap::new(),
        }
    }

    /// The threads that the scheduler may choose.
    pub fn eligible(&self) -> Vec<u32> {
        let all = 0..self.threads.len() as u32;
        if let Some(inside) = all.clone().find(|&thread| self.threads[thread as usize].sections > 0) {
            return vec![inside];
        }
        all.filter(|&thread| self.threads[thread as usize].is_live()).collect()
    }
}

/// What variables are known to hold in a node, besides its predicates.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NodeKnowledge {
    pub claims: BTreeMap<ProofVariable, ProofClaim>,
    /// Variables that hold something that must not be used.
    pub lost: BTreeSet<ProofVariable>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckedValue {
    Truth(TermId),
    /// An integer, or a pointer to no object.
    Number(TermId),
    /// A place in an object.
    Address(u32, TermId),
    /// Something that is not followed.
    Lost,
}

/// What one thread has done since a state.
#[derive(Clone, Debug)]
pub struct ThreadCourse {
    pub thread: u32,
    pub state: ExactState,
    pub knowledge: Rc<NodeKnowledge>,
    pub values: BTreeMap<ProofVariable, CheckedValue>,
    pub guard: Vec<TermId>,
    pub trail: Vec<Location>,
    pub choices: Vec<u64>,
    /// Whether others may notice what was done.
    pub has_effect: bool,
    /// Whether it has left the steps of the proof: then others are taken to do all that they ever do.
    pub is_off: bool,
    /// How many unknown values there were.
    pub unknowns: u32,
}

impl ThreadCourse {
    pub fn new(thread: u32, state: ExactState, knowledge: Rc<NodeKnowledge>) -> Self {
        let (values, guard, trail, choices) = (BTreeMap::new(), Vec::new(), Vec::new(), Vec::new());
        Self { thread, state, knowledge, values, guard, trail, choices, has_effect: false, is_off: false, unknowns: 0 }
    }

    /// Another thread goes on from here.
    pub fn handed_to(&self, thread: u32) -> Self {
        let (trail, choices) = (Vec::new(), Vec::new());
        Self { thread, trail, choices, has_effect: false, is_off: false, unknowns: 0, ..self.clone() }
    }

    pub fn own(&self) -> &ThreadStack {
        &self.state.threads[self.thread as usize]
    }

    pub fn own_mut(&mut self) -> &mut ThreadStack {
        &mut self.state.threads[self.thread as usize]
    }

    /// Where the thread is, unless it has ended.
    pub fn place(&self) -> Option<Location> {
        self.own().frames.last().copied()
    }

    pub fn depth(&self) -> u32 {
        self.own().frames.len().saturating_sub(1) as u32
    }
}
