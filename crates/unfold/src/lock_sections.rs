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
use crate::state::State;
use crate::unfolder::Unfolder;

/// Where the instances take and release locks.
#[derive(Default)]
pub(crate) struct LockLog {
    takes: Vec<(InstanceId, Lock, NodeId)>,
    releases: Vec<(InstanceId, Lock, NodeId)>,
    /// Locks whose releases are not all in the graph.
    unsure: BTreeSet<Lock>,
}

impl Unfolder<'_> {
    /// The thread has just taken the lock, whose owner is in this cell.
    pub fn log_taken(&mut self, state: &State, lock: Lock, owner: CellKey) {
        let is_new = state.locks.iter().any(|&(held, depth)| held == lock && depth == 1);
        let hides = |&(other, _): &(Lock, u32)| other != lock && self.survey.is_protected_by(owner, other);
        if state.locks.iter().any(hides) {
            // What happens to it may never show in the graph.
            self.lock_log.unsure.insert(lock);
        }
        // A node may begin before its thread gets the lock: with a look at whether the condition that it waits on exists.
        let always_takes = |node: &NodeId| self.graph.guards.implies(self.graph.nodes[*node].guard, state.guard);
        if let Some(node) = self.open_node.filter(|node| is_new && state.atomic.is_none() && always_takes(node)) {
            self.lock_log.takes.push((self.instance, lock, node));
        }
    }

    /// The thread may have released the lock, unless it certainly still holds it.
    pub fn log_released(&mut self, state: &State, lock: Lock) {
        if state.single || state.locks.iter().any(|&(held, _)| held == lock) {
            return;
        }
        match self.open_node {
            Some(node) => self.lock_log.releases.push((self.instance, lock, node)),
            None => {
                self.lock_log.unsure.insert(lock);
            }
        }
    }

    /// The sections of this pass. After all instances.
    pub fn settle_sections(&mut self) {
        let log = std::mem::take(&mut self.lock_log);
        for &(instance, lock, node) in &log.takes {
            let is_global = matches!(self.survey.objects.get(lock.object).key, ObjectKey::Global(_));
            if !is_global || log.unsure.contains(&lock) || !self.survey.is_reliable(lock) {
                continue;
            }
            let releases = |&(other, released, at): &(InstanceId, Lock, NodeId)| {
                (other == instance && released == lock && at > node).then_some(at)
            };
            // An atomic section that releases the lock on several paths is one node.
            let unlocks: BTreeSet<NodeId> = log.releases.iter().filter_map(releases).collect();
            let mut unlocks: Vec<NodeId> = unlocks.into_iter().collect();
            let guard = |node: NodeId| self.graph.nodes[node].guard;
            let is_last = |&unlock: &NodeId| self.graph.guards.implies(guard(node), guard(unlock));
            if let Some(last) = unlocks.iter().position(is_last) {
                unlocks.truncate(last + 1);
            }
            self.graph.sections.push(LockSection { lock: (lock.object, lock.offset), node, unlocks });
        }
    }
}
