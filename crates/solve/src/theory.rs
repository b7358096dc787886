//! The hook through which a theory takes part in the search.

use crate::{Lit, Var};

/// What a theory may ask of the solver while it is being called.
pub trait TheoryContext {
    /// A fresh variable that is observed from now on.
    fn new_observed_var(&mut self) -> Var;
}

/// A theory over some *observed* variables. The solver tells it about assignments and levels; it answers with
/// implied literals, clauses, decisions, and a final check of full assignments.
///
/// Contract: no method panics or blocks for long (a solver in C++ stands above us on the stack; the wrapper catches a
/// panic, ends the search and reports it as a bug of ours). Clauses and reasons must be implied by the theory alone.
pub trait Theory {
    /// The variables to observe from the start.
    fn observed(&self) -> Vec<Var>;

    /// These observed literals have become true, in this order, at the current level. Includes what the theory itself
    /// propagated or decided. A literal is not repeated before a backtrack has undone it; after a backtrack, literals
    /// that hold at the remaining level may come again.
    fn assign(&mut self, literals: &[Lit]);

    /// A new decision level begins.
    fn new_level(&mut self);

    /// Back to `level`: everything assigned at deeper levels is undone.
    fn backtrack(&mut self, level: usize);

    /// The next implied literal, or `None`. Its reason may be asked for later, at any time while it stays assigned; or
    /// at once, if it is already false. What was found before a backtrack may no longer be implied after it.
    fn propagate(&mut self) -> Option<Lit>;

    /// The clause that implied `literal`: it contains `literal`, and all its other literals were false when
    /// `propagate` returned it. Literals assigned later, at whatever level, must not occur.
    fn reason(&mut self, literal: Lit, clause: &mut Vec<Lit>);

    /// A clause to add (a conflict or a lemma), or `false` when there is none. Called after propagation and after a
    /// failed model check.
    fn next_clause(&mut self, clause: &mut Vec<Lit>) -> bool;

    /// The literal to decide next, or `None` to leave the choice to the solver. A literal that is assigned counts as
    /// `None`.
    fn decide(&mut self) -> Option<Lit>;

    /// All observed variables are assigned and nothing conflicts. `true` accepts the model; `false` promises that
    /// `next_clause` has a clause (possibly over new variables), or that new variables were created to be decided.
    fn check_model(&mut self, context: &mut dyn TheoryContext) -> bool;

    /// Whether the solver may drop clauses from [`Theory::next_clause`] when they seem useless. Only for a theory that
    /// would find each of them again. Asked once.
    fn clauses_are_forgettable(&self) -> bool {
        false
    }
}

/// The empty theory.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTheory;

impl Theory for NoTheory {
    fn observed(&self) -> Vec<Var> {
        Vec::new()
    }
    fn assign(&mut self, _: &[Lit]) {}
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _: usize) {}
    fn propagate(&mut self) -> Option<Lit> {
        None
    }
    fn reason(&mut self, _: Lit, _: &mut Vec<Lit>) {}
    fn next_clause(&mut self, _: &mut Vec<Lit>) -> bool {
        false
    }
    fn decide(&mut self) -> Option<Lit> {
        None
    }
    fn check_model(&mut self, _: &mut dyn TheoryContext) -> bool {
        true
    }
}
