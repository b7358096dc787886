//! Threads that are neither joined nor detached when the process ends: `no-thread-leak`.
//!
//! Where the process exits, what has become of every thread is read as any other cell, in the order of events. Where it ends
//! with its last thread, the order does not matter: everything that could be claimed has been.
//!
//! Guarantee: a violation is one for the interpreter. An end with the last thread, and an exit while a thread is stopped by
//! an assume, are cuts if somebody may be left behind there.

use events::InstanceId;
use program::Property;
use terms::TermId;

use crate::pass::Pass;
use crate::state::SymState;

/// Who is created and claimed, and when.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThreadLeaks {
    created: Vec<(InstanceId, TermId)>,
    claimed: Vec<(InstanceId, TermId)>,
}

impl ThreadLeaks {
    pub fn note_created(&mut self, pass: &mut Pass<'_>, instance: InstanceId, when: TermId, detached: TermId) {
        self.created.push((instance, when));
        let claimed = pass.terms().and(when, detached);
        self.claimed.push((instance, claimed));
    }

    /// Somebody claims the thread when `takes` holds. A claim in an atomic section may not come about.
    pub fn note_claimed(&mut self, pass: &mut Pass<'_>, state: &SymState, instance: InstanceId, takes: TermId) {
        if state.atomic.is_none() {
            let guard = pass.guard_term(state);
            let claimed = pass.terms().and(guard, takes);
            self.claimed.push((instance, claimed));
        }
    }

    /// The process ends with its last thread, where `orphaned` holds and all that were created have come to
    /// their ends.
    pub fn settle(&mut self, pass: &mut Pass<'_>, orphaned: TermId) {
        if !pass.looks_for(Property::NoThreadLeak) {
            return;
        }
        let record = std::mem::take(self);
        let span = pass.nowhere().span;
        let mut all_end = vec![orphaned];
        let mut left = Vec::new();
        for &(instance, created) in &record.created {
            let finished = pass.graph.finished(instance);
            all_end.push(pass.terms().implies(created, finished));
            let claims: Vec<TermId> =
                record.claimed.iter().filter(|(claimed, _)| *claimed == instance).map(|&(_, when)| when).collect();
            let claimed = pass.terms().or_all(&claims);
            let free = pass.terms().not(claimed);
            left.push(pass.terms().and(created, free));
        }
        let some_left = pass.terms().or_all(&left);
        all_end.push(some_left);
        let unclear = pass.terms().and_all(&all_end);
        let what = "threads that may be neither joined nor detached when the last thread ends";
        pass.cut_execution(unclear, Property::NoThreadLeak, what, span);
    }
}
