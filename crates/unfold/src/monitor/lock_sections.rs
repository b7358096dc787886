//! Which stretches of the instances hold which lock. Read-from of the owner says the same, but only along a chain of all
//! who ever held the lock; that two sections do not overlap can be told of each pair by itself.
//!
//! Only what is certain becomes a section: a global lock that nobody but its holder releases, taken without condition.
//! A section ends at the first executed node of its instance that may release the lock, so that every doubt makes it
//! shorter.

use std::collections::BTreeSet;

use events::{CellKey, InstanceId, LockSection, NodeId};
use symbolic::ObjectKey;

use crate::critical_section::Lock;
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::SymState;

/// Where the instances take and release locks.
#[derive(Default)]
pub(crate) struct LockSections {
    takes: Vec<(InstanceId, Lock, NodeId)>,
    releases: Vec<(InstanceId, Lock, NodeId)>,
    /// Locks whose releases are not all in the graph.
    unsure: BTreeSet<Lock>,
}

impl LockSections {
    /// The thread has just taken the lock, whose owner is in this cell.
    pub fn note_taken(&mut self, pass: &Pass<'_>, state: &SymState, lock: Lock, owner: CellKey, step: &OpenStep) {
        let is_new = state.locks.iter().any(|&(held, depth)| held == lock && depth == 1);
        let hides = |&(other, _): &(Lock, u32)| other != lock && pass.survey.is_protected_by(owner, other);
        if state.locks.iter().any(hides) {
            // What happens to it may never show in the graph.
            self.unsure.insert(lock);
        }
        // A node may begin before its thread gets the lock: with a look at whether the condition that it waits on exists.
        let always_takes = |node: &NodeId| pass.graph.guards.implies(pass.graph.nodes[*node].guard, state.guard);
        if let Some(node) = step.node.filter(|node| is_new && state.atomic.is_none() && always_takes(node)) {
            self.takes.push((state.instance, lock, node));
        }
    }

    /// The thread may have released the lock, unless it certainly still holds it.
    pub fn note_released(&mut self, state: &SymState, lock: Lock, step: &OpenStep) {
        if state.single || state.locks.iter().any(|&(held, _)| held == lock) {
            return;
        }
        match step.node {
            Some(node) => self.releases.push((state.instance, lock, node)),
            None => {
                self.unsure.insert(lock);
            }
        }
    }

    /// The sections of this pass. After all instances.
    pub fn settle(&mut self, pass: &mut Pass<'_>) {
        let log = std::mem::take(self);
        for &(instance, lock, node) in &log.takes {
            let is_global = matches!(pass.survey.objects.get(lock.object).key, ObjectKey::Global(_));
            if !is_global || log.unsure.contains(&lock) || !pass.survey.is_reliable(lock) {
                continue;
            }
            let releases = |&(other, released, at): &(InstanceId, Lock, NodeId)| {
                (other == instance && released == lock && at > node).then_some(at)
            };
            // An atomic section that releases the lock on several paths is one node.
            let unlocks: BTreeSet<NodeId> = log.releases.iter().filter_map(releases).collect();
            let mut unlocks: Vec<NodeId> = unlocks.into_iter().collect();
            let guard = |node: NodeId| pass.graph.nodes[node].guard;
            let is_last = |&unlock: &NodeId| pass.graph.guards.implies(guard(node), guard(unlock));
            if let Some(last) = unlocks.iter().position(is_last) {
                unlocks.truncate(last + 1);
            }
            pass.graph.add_section(LockSection { lock: (lock.object, lock.offset), node, unlocks });
        }
    }
}
