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

use crate::joins::Claim;
use crate::state::State;
use crate::unfolder::{Failure, Site, Unfolder};

/// Who is created and claimed, and when.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThreadRecord {
    created: Vec<(InstanceId, TermId)>,
    claimed: Vec<(InstanceId, TermId)>,
}

impl Unfolder<'_> {
    pub fn looks_for_lost_threads(&self) -> bool {
        self.options.properties.contains(Property::NoThreadLeak)
    }

    /// Before anything else happens, no thread but the first one exists.
    pub fn deny_threads(&mut self, state: &mut State, site: &Site) -> Result<(), Failure> {
        if !self.looks_for_lost_threads() {
            return Ok(());
        }
        let others: Vec<InstanceId> = self.survey.instances().filter(|instance| instance.0 != 0).collect();
        let truth = self.graph.terms.boolean(true);
        others.into_iter().try_for_each(|instance| {
            let nobody = self.terms().constant(8, 0);
            self.write_claim_cell(state, instance, truth, nobody, site)
        })
    }

    pub fn note_thread_created(&mut self, instance: InstanceId, when: TermId, detached: TermId) {
        self.leaks.threads.created.push((instance, when));
        let claimed = self.terms().and(when, detached);
        self.leaks.threads.claimed.push((instance, claimed));
    }

    /// Somebody claims the thread when `takes` holds. A claim in an atomic section may not come about.
    pub fn note_thread_claimed(&mut self, state: &State, instance: InstanceId, takes: TermId) {
        if state.atomic.is_none() {
            let guard = self.guard_term(state);
            let claimed = self.terms().and(guard, takes);
            self.leaks.threads.claimed.push((instance, claimed));
        }
    }

    /// The process exits.
    pub fn check_unclaimed(&mut self, state: &mut State, site: &Site) -> Result<(), Failure> {
        if !self.looks_for_lost_threads() {
            return Ok(());
        }
        let truth = self.graph.terms.boolean(true);
        let others: Vec<InstanceId> = self.survey.instances().filter(|instance| instance.0 != 0).collect();
        let mut left = Vec::new();
        for instance in others {
            let claim = self.read_claim(state, instance, truth, site)?;
            left.push(self.is_left_behind(claim));
        }
        let left = self.terms().or_all(&left);
        if state.atomic.is_some() {
            let what = "the end of the process in an atomic section";
            self.cut_leak(state, left, Property::NoThreadLeak, what, site);
        } else {
            self.found_leak(state, left, Property::NoThreadLeak, site);
        }
        Ok(())
    }

    fn is_left_behind(&mut self, claim: Claim) -> TermId {
        let free = self.terms().not(claim.claimed);
        self.terms().and(claim.created, free)
    }

    /// The process ends with its last thread, when all that were created have come to their ends.
    pub fn settle_claims(&mut self, orphaned: TermId, record: &ThreadRecord, site: &Site) {
        if !self.looks_for_lost_threads() {
            return;
        }
        let mut all_end = vec![orphaned];
        let mut left = Vec::new();
        for &(instance, created) in &record.created {
            let finished = self.finished(instance);
            all_end.push(self.terms().implies(created, finished));
            let claims: Vec<TermId> =
                record.claimed.iter().filter(|(claimed, _)| *claimed == instance).map(|&(_, when)| when).collect();
            let claimed = self.terms().or_all(&claims);
            let free = self.terms().not(claimed);
            left.push(self.terms().and(created, free));
        }
        let some_left = self.terms().or_all(&left);
        all_end.push(some_left);
        let unclear = self.terms().and_all(&all_end);
        let what = "threads that may be left behind where the last thread ends";
        self.cut_execution(unclear, Property::NoThreadLeak, what, site);
    }
}
