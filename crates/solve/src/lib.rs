//! SAT solving behind small traits: incremental clauses, assumptions and cores, and a theory that takes part in the search.
//!
//! Invariant: knows nothing of programs, events or orders; a theory is somebody else's type behind [`Theory`].

mod budget_watch;
pub mod cadical;
mod cardinality;
mod dimacs;
mod literal;
mod propagator;
mod theory;

pub use cadical::CadicalSolver;
pub use cardinality::{at_most_one, exactly_one};
pub use dimacs::{ClauseCounter, Dimacs};
pub use literal::{Lit, Var};
pub use theory::{NoTheory, Theory, TheoryContext};

use base::Budget;

/// The solver that is built in, with its version.
pub fn solver_name() -> String {
    cadical::name()
}

/// The answer to one `solve` call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SolveResult {
    /// A model exists: ask [`Solver::value`].
    Satisfiable,
    /// No model under the assumptions: ask [`Solver::in_core`].
    Unsatisfiable,
    /// The budget ended first.
    Interrupted(base::StopReason),
}

/// Anything that takes clauses: the solver itself, a counter, or a DIMACS writer.
pub trait ClauseSink {
    fn new_var(&mut self) -> Var;
    fn add_clause(&mut self, clause: &[Lit]);
}

/// An incremental SAT solver with assumptions.
pub trait Solver: ClauseSink {
    /// Solves the clauses so far under `assumptions`, for this call only.
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SolveResult;

    /// The truth of `lit` in the last model. Only after `Satisfiable`.
    fn value(&self, lit: Lit) -> bool;

    /// Whether the assumption `lit` took part in the last refutation. Only after `Unsatisfiable`.
    fn in_core(&self, lit: Lit) -> bool;

    /// Conflicts, decisions, propagations and so on since the start.
    fn statistics(&self) -> base::Statistics;
}
