//! Paths of one thread that meet.

use events::CutKind;
use program::Location;

use crate::cells::Cells;
use crate::critical_section::{Locks, common_locks};
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::{self, SymState};
use crate::unfolder::{Site, UnfoldFailure};

impl Cells<'_> {
    /// Merges states that meet at one place. Those inside and outside of an atomic section stay apart.
    pub fn merge_all(&mut self, states: Vec<SymState>, location: Location) -> Vec<SymState> {
        let several = states.iter().any(|state| state.single) && states.iter().any(|state| !state.single);
        let locks = common_locks(&states);
        let mut merged: Vec<SymState> = Vec::new();
        for mut state in states {
            let site = Site { location, span: self.program.span(location) };
            let mut step = OpenStep::between(&state, site);
            if several && state.single {
                self.publish(&mut state, &mut step.clone());
            }
            if state.locks != locks && !self.keep_locks(&mut state, &locks, &mut step) {
                continue;
            }
            match merged.iter().position(|other| other.atomic == state.atomic) {
                None => merged.push(state),
                Some(place) => {
                    let other = merged.swap_remove(place);
                    merged.extend(self.merge(other, state, location));
                }
            }
        }
        merged
    }

    /// Leaves the critical sections that not all of the paths to here are in; `false` if that cannot be done.
    fn keep_locks(&mut self, state: &mut SymState, locks: &Locks, step: &mut OpenStep) -> bool {
        let left = self.leave_sections(state, locks, step);
        if let Err(UnfoldFailure::NotSupported(what)) = &left {
            self.cut(state.standing(), CutKind::Unsupported { what: what.clone() }, step.site.span);
        }
        left.is_ok()
    }

    fn merge(&mut self, a: SymState, b: SymState, location: Location) -> Option<SymState> {
        let standings = [a.standing(), b.standing()];
        let pass: &mut Pass<'_> = self;
        let (terms, guards) = pass.graph.terms_and_guards();
        match state::merge(terms, guards, &pass.survey, a, b) {
            Ok(state) => Some(state),
            Err(state::CannotMerge) => {
                let what = "pointer and integer merged in one location".to_owned();
                let span = self.program.span(location);
                for standing in standings {
                    self.cut(standing, CutKind::Unsupported { what: what.clone() }, span);
                }
                None
            }
        }
    }
}
