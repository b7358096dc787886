//! Memory that is lost or left behind: `valid-memtrack` and `valid-memcleanup`, looked for where the process ends
//! (`process_exit`).
//!
//! Left behind is what was born and is not dead when the process exits. Lost is what cannot be reached then from a global
//! through pointers in memory; what is lost stays lost, so that the end shows what was lost on the way.
//!
//! Guarantee: a violation is one for the interpreter. Where the end cannot be looked at in this way, there is a cut, so
//! that nothing is proved:
//! - an execution that allocates memory and may not come to an exit, because a thread is stopped, waits or is wrong,
//!   because the process is aborted, or because the main thread ends alone;
//! - lost memory, if the process exits inside of a function or while other threads may run, whose registers count;
//! - lost memory, if the program makes numbers from addresses, or stores them in single bytes: such objects never count
//!   as lost.

use program::Property;
use terms::TermId;

use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::SymState;

/// What one pass of the unfolding has met that matters for leaks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaks {
    /// When memory is allocated.
    births: Vec<TermId>,
    /// When a thread is stopped by an assume.
    stopped: Vec<TermId>,
    /// When a thread may not get further although nothing is assumed.
    stuck: Vec<TermId>,
    /// When the main thread ends, but not the process.
    orphaned: Vec<TermId>,
    /// The index of each violation, which counts only if no thread is stopped.
    found: Vec<usize>,
}

impl Leaks {
    pub fn note_allocation(&mut self, pass: &mut Pass<'_>, state: &SymState) {
        let guard = pass.guard_term(state);
        self.births.push(guard);
    }

    /// A thread in `state` is stopped by an assume unless `condition` holds.
    pub fn note_stopped(&mut self, pass: &mut Pass<'_>, state: &SymState, condition: TermId) {
        if pass.looks_at_the_end() && state.atomic.is_none() {
            let stopped = fails(pass, state, condition);
            self.stopped.push(stopped);
        }
    }

    /// A thread in `state` may not get further unless `condition` holds.
    pub fn note_stuck(&mut self, pass: &mut Pass<'_>, state: &SymState, condition: TermId) {
        if pass.looks_for_lost_memory() {
            let stuck = fails(pass, state, condition);
            self.stuck.push(stuck);
        }
    }

    /// The process does not come to an exit from here: it is aborted, or something undefined happens.
    pub fn note_stuck_here(&mut self, pass: &mut Pass<'_>, state: &SymState) {
        let never = pass.graph.terms.boolean(false);
        self.note_stuck(pass, state, never);
    }

    /// A thread ends in `state`, and not because it returns.
    pub fn note_thread_exit(&mut self, pass: &mut Pass<'_>, state: &SymState) {
        if pass.looks_at_the_end() && state.instance.0 == 0 {
            let guard = pass.guard_term(state);
            self.orphaned.push(guard);
        }
    }

    pub fn found_leak(
        &mut self,
        pass: &mut Pass<'_>,
        state: &SymState,
        leak: TermId,
        property: Property,
        step: &mut OpenStep,
    ) {
        let fine = pass.terms().not(leak);
        if pass.record_violation(state, fine, property, step).is_some() {
            self.found.push(pass.graph.violations.len() - 1);
        }
    }

    /// After the last thread: what was found counts only where nobody is stopped, and executions without an exit are cut.
    /// Returns when the main thread ends, but not the process.
    pub fn settle(&mut self, pass: &mut Pass<'_>) -> TermId {
        let record = std::mem::take(self);
        let allocates = pass.terms().or_all(&record.births);
        let [stopped, stuck, orphaned] =
            [&record.stopped, &record.stuck, &record.orphaned].map(|all| pass.terms().or_all(all));
        let nobody = pass.terms().not(stopped);
        let span = pass.nowhere().span;
        for index in record.found {
            let (condition, property) = (pass.graph.violations[index].condition, pass.graph.violations[index].property);
            pass.graph.restrict_violation(index, nobody);
            let unclear = pass.terms().and(condition, stopped);
            pass.cut_execution(unclear, property, "the end of the process while a thread is stopped", span);
        }
        let endless = pass.terms().or_all(&[stopped, stuck, orphaned]);
        let what = "leak check incomplete: execution may not terminate";
        for (property, without_end) in [(Property::ValidMemtrack, endless), (Property::ValidMemcleanup, orphaned)] {
            let unclear = pass.terms().and(allocates, without_end);
            pass.cut_execution(unclear, property, what, span);
        }
        // Where the process ends with its last thread, nobody knows which one that is.
        if pass.has_locks() {
            let what = "locks that may be held where the last thread ends";
            pass.cut_execution(orphaned, Property::NoExitWhileLocked, what, span);
        }
        orphaned
    }
}

fn fails(pass: &mut Pass<'_>, state: &SymState, condition: TermId) -> TermId {
    let (guard, fails) = (pass.guard_term(state), pass.terms().not(condition));
    pass.terms().and(guard, fails)
}
