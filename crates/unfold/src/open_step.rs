//! The step that is being executed. Whatever records something in the graph is handed it, so that an event, a node or a
//! violation belongs to the instruction that caused it, and never to the one that happened to come last.

use events::{InstanceId, NodeHb, NodeId};
use program::effects::Effects;

use crate::state::SymState;
use crate::unfolder::Site;

/// What one instruction, or what is done between instructions, has come to.
#[derive(Clone, Debug)]
pub(crate) struct OpenStep {
    pub instance: InstanceId,
    pub site: Site,
    /// Its node, once it has an event.
    pub node: Option<NodeId>,
    /// Its place among the steps of the instance: its own, or that of its atomic section.
    pub index: Option<usize>,
    /// What it does for happens-before.
    pub node_hb: NodeHb,
    /// Whether it accesses memory atomically.
    pub atomic: bool,
    /// Whether its accesses are those of a thread that may yet have to wait.
    pub is_attempt: bool,
}

impl OpenStep {
    /// The step of an instruction.
    pub fn of(state: &SymState, site: Site, effects: &Effects) -> Self {
        let atomic = effects.atomic_access().is_some();
        Self { node_hb: NodeHb::of(effects), atomic, ..Self::between(state, site) }
    }

    /// What is done at a place without being an instruction: entering and leaving functions, paths that meet.
    pub fn between(state: &SymState, site: Site) -> Self {
        let index = state.atomic.and_then(|section| section.step);
        let (node, node_hb) = (None, NodeHb::NONE);
        Self { instance: state.instance, site, node, index, node_hb, atomic: false, is_attempt: false }
    }
}
