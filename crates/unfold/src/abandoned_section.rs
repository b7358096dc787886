//! Atomic sections that are begun and not finished. A section in which an assume fails, an action blocks or the thread
//! stops is not entered, "unless a violation precedes it" (design §3): a race of an access before that point counts. So,
//! where races are looked for, a section that can be refused may also be *abandoned*: it runs as far as it gets, nobody
//! sees what it writes, and its thread does not go on after it. The interpreter then runs into the race in the middle of
//! the section.

use base::Span;
use events::{Access, CutKind, GuardId};
use program::Property;
use terms::TermId;

use crate::pass::Pass;
use crate::state::{AtomicSection, SymState, ThreadPosition};

impl Pass<'_> {
    /// The variable that tells whether a section that can be refused is abandoned.
    pub fn may_be_abandoned(&mut self) -> Option<TermId> {
        self.looks_for(Property::NoDataRace).then(|| self.terms().bool_variable("abandoned"))
    }

    /// Whether the section is one that others see; true outside of sections.
    pub fn counts(&mut self, section: Option<AtomicSection>) -> TermId {
        match section.and_then(|section| section.abandoned) {
            Some(abandoned) => self.terms().not(abandoned),
            None => self.graph.terms.boolean(true),
        }
    }

    /// The guard of an event: others do not see what an abandoned section writes.
    pub fn guard_of_event(&mut self, state: &SymState, access: Access, condition: TermId) -> GuardId {
        let guard = self.and_guard(state.guard, condition);
        match access {
            Access::Read => guard,
            Access::Write => {
                let counts = self.counts(state.atomic);
                self.and_guard(guard, counts)
            }
        }
    }

    /// From here on the section is not abandoned.
    pub fn keep_section(&mut self, state: &mut SymState) {
        let counts = self.counts(state.atomic);
        self.restrict(state, counts);
    }

    /// As [`keep_section`](Self::keep_section), before something after which races would be lost.
    pub fn keep_section_with_gap(&mut self, state: &mut SymState, what: &str, span: Span) {
        if let Some(abandoned) = state.atomic.and_then(|section| section.abandoned) {
            let mut missed = state.standing();
            missed.guard = self.and_guard(missed.guard, abandoned);
            self.leave_race_gap(missed, what, span);
            self.keep_section(state);
        }
    }

    /// An execution that gets here may have races from here on that the unfolding does not know.
    pub fn leave_race_gap(&mut self, standing: ThreadPosition, what: &str, span: Span) {
        if self.looks_for(Property::NoDataRace) {
            // The path goes on, whether or not the gap counts.
            self.cut(ThreadPosition { atomic: None, ..standing }, CutKind::RaceGap { what: what.to_owned() }, span);
        }
    }
}
