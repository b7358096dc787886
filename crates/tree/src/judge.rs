//! Who decides what is feasible, and who is told what the walk meets.

use std::ops::ControlFlow;
use std::rc::Rc;

use base::StopReason;
use execute::{End, Machine};
use program::{ThreadId, Violation};
use terms::{Assignment, TermId};

use crate::symbols::Symbols;
use crate::trail::Trail;

/// Values of inputs under which all facts of a path hold; `None` where nobody has looked for them.
pub type Model = Option<Rc<Assignment>>;

/// Whether the facts of a path can hold together.
#[derive(Clone, Debug)]
pub enum Feasibility {
    Feasible(Model),
    Infeasible,
    Stopped(StopReason),
}

/// A violation at the end of a path.
pub struct FoundViolation<'a> {
    pub violation: &'a Violation,
    pub trail: &'a Trail,
    pub model: &'a Model,
}

pub trait FeasibilityOracle {
    /// Decides about the facts of `trail`, the last of which is new. `model` belongs to the facts before it.
    fn decide(&mut self, symbols: &mut Symbols, trail: &Trail, model: &Model) -> Feasibility;

    /// A value that `term` can have on this path; `None` if the facts of the path cannot hold.
    fn example(
        &mut self,
        symbols: &mut Symbols,
        trail: &Trail,
        model: &Model,
        term: TermId,
    ) -> Result<Option<u64>, StopReason>;
}

/// A node of the tree.
pub struct NodeView<'a, 'c> {
    pub machine: &'a Machine<'c>,
    pub trail: &'a Trail,
    pub active: ThreadId,
    /// What is used up of the context bound.
    pub contexts: u32,
    /// What happens here, if the path ends.
    pub end: Option<&'a End>,
}

/// Who is told what the walk meets; each call breaks to end the walk.
pub trait Visitor {
    fn found(&mut self, symbols: &mut Symbols, found: &FoundViolation<'_>) -> ControlFlow<()>;

    /// Whether to call [`node`](Self::node); stretches on which nobody may come between are then walked slowly.
    fn wants_nodes(&self) -> bool {
        false
    }

    /// A node, parents first; and again, with its end, if its path ends there.
    fn node(&mut self, _node: &NodeView<'_, '_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// The walk begins again: what was told so far is told once more.
    fn begins_again(&mut self) {}
}
