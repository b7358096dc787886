//! What must hold for a thread to go on: where it does not hold, a property is violated, or the execution ends, or it goes
//! on as if nothing had happened, exactly as the interpreter does with this property selected or not.

use events::{Guards, ViolationPoint};
use program::Property;
use terms::TermId;

use crate::state::State;
use crate::unfolder::{Site, Unfolder};

/// What there was before an attempt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    violations: usize,
    race_accesses: usize,
    step: usize,
}

impl Unfolder<'_> {
    /// Restricts the state to where `holds`; elsewhere `property` is violated, or the execution just ends there.
    pub fn demand(&mut self, state: &mut State, holds: TermId, property: Property, site: &Site) {
        self.note_stuck(state, holds);
        let Some(condition) = self.record_violation(state, holds, property, site) else {
            return self.assume(state, holds);
        };
        if let (Some(section), Some(sought)) = (state.atomic, self.sought(property)) {
            // Whoever looks for something else sees a section that is not entered, or abandoned before this.
            self.survey.note_refusable(section.begin);
            let counts = self.counts(state.atomic);
            let seen = self.terms().and(condition, counts);
            let allowed = self.terms().implies(seen, sought);
            self.graph.constraints.push(allowed);
        }
        self.restrict(state, holds);
    }

    /// As [`demand`](Self::demand), for what an execution survives where `property` is not looked for.
    pub fn demand_harmless(&mut self, state: &mut State, holds: TermId, property: Property, site: &Site) {
        if !self.options.properties.contains(property) || self.record_violation(state, holds, property, site).is_none()
        {
            return;
        }
        let goes_on = match self.sought(property) {
            Some(sought) => {
                let passed_over = self.terms().not(sought);
                self.terms().or(holds, passed_over)
            }
            None => holds,
        };
        self.restrict(state, goes_on);
    }

    /// When the property is violated, if it is selected and can be violated here.
    pub fn record_violation(
        &mut self,
        state: &State,
        holds: TermId,
        property: Property,
        site: &Site,
    ) -> Option<TermId> {
        let fails = self.terms().not(holds);
        let guard = self.guard_term(state);
        let condition = self.terms().and(guard, fails);
        if !self.options.properties.contains(property) || self.graph.terms.as_boolean(condition) == Some(false) {
            return None;
        }
        let (instance, Site { location, span }) = (self.instance, *site);
        let steps = self.graph.instances[instance].steps.len();
        self.graph.violations.push(ViolationPoint { property, condition, instance, location, span, steps, node: None });
        Some(condition)
    }

    /// A step that is taken only to find out that something is wrong with it: an instruction that knows only later
    /// under which guard it takes its step is about to look at its operands.
    pub fn begin_attempt(&mut self, state: &State, site: &Site) -> Attempt {
        let (violations, race_accesses) = (self.graph.violations.len(), self.race_accesses.len());
        let step = self.graph.instances[self.instance].steps.len();
        self.record_step(state, site);
        Attempt { violations, race_accesses, step }
    }

    /// The operands have been looked at: if nothing can be wrong with them, there is no such step.
    pub fn end_attempt(&mut self, attempt: Attempt) {
        let never = self.graph.terms.boolean(false);
        let never = self.and_guard(Guards::ROOT, never);
        let steps = &mut self.graph.instances[self.instance].steps;
        let is_fine = self.graph.violations.len() == attempt.violations;
        if is_fine && self.race_accesses.len() == attempt.race_accesses {
            steps.truncate(attempt.step);
            self.own_step = None;
        } else if let Some(step) = steps.get_mut(attempt.step) {
            step.completes = never;
            step.node = self.open_node;
        }
    }

    /// Whether the query looks for this property; `None` if it is the only one.
    pub fn sought(&mut self, property: Property) -> Option<TermId> {
        if self.options.properties.iter().count() < 2 {
            return None;
        }
        let graph = &mut self.graph;
        Some(*graph.sought.entry(property).or_insert_with(|| graph.terms.bool_variable("sought")))
    }
}
