//! Who decides what is feasible, and what is done with the violations that are found.

use std::ops::ControlFlow;
use std::rc::Rc;

use base::StopReason;
use program::Violation;
use terms::{Assignment, TermId};

use crate::symbols::Symbols;
use crate::trail::Trail;

/// Values of inputs under which all facts of a path hold; `None` where nobody has looked for them.
pub type Model = Option<Rc<Assignment>>;

/// Whether the facts of a path can hold together.
#[derive(Clone, Debug)]
pub enum Verdict {
    Feasible(Model),
    Infeasible,
    Stopped(StopReason),
}

/// A violation at the end of a path.
pub struct Found<'a> {
    pub violation: &'a Violation,
    pub trail: &'a Trail,
    pub model: &'a Model,
}

pub trait Judge {
    /// Decides about the facts of `trail`, the last of which is new. `model` belongs to the facts before it.
    fn decide(&mut self, symbols: &mut Symbols, trail: &Trail, model: &Model) -> Verdict;

    /// A value that `term` can have on this path; `None` if the facts of the path cannot hold.
    fn example(
        &mut self,
        symbols: &mut Symbols,
        trail: &Trail,
        model: &Model,
        term: TermId,
    ) -> Result<Option<u64>, StopReason>;

    /// Takes note of a violation; breaks to end the walk.
    fn found(&mut self, symbols: &mut Symbols, found: &Found<'_>) -> ControlFlow<()>;
}
