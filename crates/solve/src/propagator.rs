//! Between CaDiCaL's external-propagator callbacks (IPASIR-UP; Fazekas et al. 2023) and our [`Theory`].
//!
//! Guarantees to the theory, beyond what CaDiCaL promises:
//! 1. a literal is reported at most once between backtracks that undo it, although CaDiCaL repeats itself after
//!    compaction and when it re-adds out-of-order literals;
//! 2. at a model check every observed variable has been reported, fixed ones included.
//!
//! Guarantees to the user: a theory that breaks its contract (unobserved literals, a reason without its literal, a
//! rejected model without a clause) becomes a Rust panic out of `solve`, where CaDiCaL itself would abort the process
//! or silently accept the model. No panic crosses the C++ frames: it is kept, the search is ended, and the solver
//! resumes it afterwards.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use cadical_sys::{CaDiCal, ExternalPropagator};

use crate::budget_watch::BudgetWatch;
use crate::{Lit, Theory, TheoryContext, Var};

/// How often each callback led to something.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TheoryCounts {
    pub(crate) assignments: u64,
    pub(crate) propagations: u64,
    pub(crate) reasons: u64,
    pub(crate) clauses: u64,
    pub(crate) decisions: u64,
    pub(crate) model_checks: u64,
    pub(crate) new_variables: u64,
}

/// What the solver and its propagator share.
pub(crate) struct SharedSolverState {
    /// Variables handed out so far, by the solver or to the theory.
    pub(crate) variables: Cell<u32>,
    pub(crate) observed: RefCell<ObservedSet>,
    pub(crate) counts: Cell<TheoryCounts>,
    pub(crate) watch: Rc<BudgetWatch>,
    /// The payload of the theory's first panic, until `solve` resumes it.
    panic: Cell<Option<Box<dyn Any + Send>>>,
    poisoned: Cell<bool>,
}

impl SharedSolverState {
    pub(crate) fn new(watch: Rc<BudgetWatch>) -> Rc<Self> {
        Rc::new(Self {
            variables: Cell::new(0),
            observed: RefCell::default(),
            counts: Cell::default(),
            watch,
            panic: Cell::new(None),
            poisoned: Cell::new(false),
        })
    }

    pub(crate) fn new_var(&self) -> Var {
        let number = self.variables.get() + 1;
        self.variables.set(number);
        Var::new(number)
    }

    /// The theory has panicked at some time; its state and ours can no longer be trusted.
    pub(crate) fn is_poisoned(&self) -> bool {
        self.poisoned.get()
    }

    pub(crate) fn take_panic(&self) -> Option<Box<dyn Any + Send>> {
        self.panic.take()
    }

    fn poison(&self, payload: Box<dyn Any + Send>) {
        self.panic.set(Some(payload));
        self.poisoned.set(true);
        self.watch.abort();
    }

    fn count(&self, update: impl FnOnce(&mut TheoryCounts)) {
        let mut counts = self.counts.get();
        update(&mut counts);
        self.counts.set(counts);
    }
}

/// The variables that the theory observes.
#[derive(Debug, Default)]
pub(crate) struct ObservedSet {
    flags: Vec<bool>,
}

impl ObservedSet {
    pub(crate) fn contains(&self, var: Var) -> bool {
        self.flags.get(var.index()).copied().unwrap_or(false)
    }

    /// Whether `var` was new to the set.
    pub(crate) fn insert(&mut self, var: Var) -> bool {
        if self.flags.len() <= var.index() {
            self.flags.resize(var.index() + 1, false);
        }
        !std::mem::replace(&mut self.flags[var.index()], true)
    }
}

/// The observed part of the trail as the theory knows it.
#[derive(Debug, Default)]
struct TrailView {
    values: Vec<Option<bool>>,
    trail: Vec<Lit>,
    /// Length of the trail at the start of each decision level.
    levels: Vec<usize>,
}

impl TrailView {
    fn value(&self, lit: Lit) -> Option<bool> {
        let value = self.values.get(lit.var().index()).copied().flatten();
        value.map(|value| value == lit.is_positive())
    }

    /// Whether `lit` was unassigned before.
    fn assign(&mut self, lit: Lit) -> bool {
        if let Some(value) = self.value(lit) {
            assert!(value, "the solver should not assign {lit} against an earlier assignment");
            return false;
        }
        let index = lit.var().index();
        if self.values.len() <= index {
            self.values.resize(index + 1, None);
        }
        self.values[index] = Some(lit.is_positive());
        self.trail.push(lit);
        true
    }

    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&kept) = self.levels.get(level) else { return };
        for lit in self.trail.drain(kept..) {
            self.values[lit.var().index()] = None;
        }
        self.levels.truncate(level);
    }
}

/// A clause handed over literal by literal and closed by 0, in a buffer that is used again and again.
#[derive(Debug, Default)]
struct ClauseReader {
    literals: Vec<Lit>,
    next: usize,
    open: bool,
}

impl ClauseReader {
    fn next_dimacs(&mut self) -> i32 {
        let literal = self.literals.get(self.next);
        self.next += 1;
        self.open = literal.is_some();
        literal.map_or(0, |literal| literal.to_dimacs())
    }
}

/// The propagator that CaDiCaL calls.
pub(crate) struct TheoryPropagator<T> {
    theory: Rc<RefCell<T>>,
    shared: Rc<SharedSolverState>,
    /// The solver that calls us, to observe new variables.
    solver: *mut CaDiCal,
    view: TrailView,
    batch: Vec<Lit>,
    reason: ClauseReader,
    clause: ClauseReader,
    /// The last model was rejected and nothing has come to refute it yet.
    owes_clause: bool,
    clauses_are_forgettable: bool,
}

impl<T: Theory> TheoryPropagator<T> {
    /// # Safety
    /// `solver` must point to the solver to which this propagator gets connected, at an address that stays the same.
    pub(crate) unsafe fn new(theory: Rc<RefCell<T>>, shared: Rc<SharedSolverState>, solver: *mut CaDiCal) -> Self {
        let clauses_are_forgettable = theory.borrow().clauses_are_forgettable();
        Self {
            theory,
            shared,
            solver,
            view: TrailView::default(),
            batch: Vec::new(),
            reason: ClauseReader::default(),
            clause: ClauseReader::default(),
            owes_clause: false,
            clauses_are_forgettable,
        }
    }

    /// Runs `call` unless the theory has panicked before; a panic now is kept, and `fallback` is the answer.
    fn guarded<R>(&mut self, fallback: R, call: impl FnOnce(&mut Self) -> R) -> R {
        if self.shared.is_poisoned() {
            return fallback;
        }
        match catch_unwind(AssertUnwindSafe(|| call(self))) {
            Ok(answer) => answer,
            Err(payload) => {
                self.shared.poison(payload);
                fallback
            }
        }
    }

    fn assign(&mut self, literals: &[i32]) {
        self.batch.clear();
        {
            let observed = self.shared.observed.borrow();
            for &dimacs in literals {
                let lit = Lit::from_dimacs(dimacs);
                if observed.contains(lit.var()) && self.view.assign(lit) {
                    self.batch.push(lit);
                }
            }
        }
        if !self.batch.is_empty() {
            self.shared.count(|counts| counts.assignments += self.batch.len() as u64);
            self.theory.borrow_mut().assign(&self.batch);
        }
    }

    fn propagate(&mut self) -> i32 {
        let mut theory = self.theory.borrow_mut();
        while let Some(lit) = theory.propagate() {
            self.require_observed(lit);
            if self.view.value(lit) != Some(true) {
                self.shared.count(|counts| counts.propagations += 1);
                return lit.to_dimacs();
            }
        }
        0
    }

    fn read_reason(&mut self, propagated: Lit) {
        self.shared.count(|counts| counts.reasons += 1);
        self.reason.literals.clear();
        self.theory.borrow_mut().reason(propagated, &mut self.reason.literals);
        assert!(self.reason.literals.contains(&propagated), "the reason of {propagated} should contain it");
        for &lit in &self.reason.literals {
            self.require_observed(lit);
            debug_assert!(
                lit == propagated || self.view.value(lit) == Some(false),
                "all literals but {propagated} should be false in its reason {:?}; {lit} is not",
                self.reason.literals
            );
        }
    }

    fn read_clause(&mut self) -> bool {
        self.clause.literals.clear();
        let found = self.theory.borrow_mut().next_clause(&mut self.clause.literals);
        assert!(found || !self.owes_clause, "a theory that rejects a model should give a clause or new variables");
        self.owes_clause = false;
        if found {
            self.shared.count(|counts| counts.clauses += 1);
            self.clause.literals.iter().for_each(|&lit| self.require_observed(lit));
        }
        found
    }

    fn decide(&mut self) -> i32 {
        let Some(lit) = self.theory.borrow_mut().decide() else { return 0 };
        self.require_observed(lit);
        if self.view.value(lit).is_some() {
            return 0;
        }
        self.shared.count(|counts| counts.decisions += 1);
        lit.to_dimacs()
    }

    fn check_model(&mut self, model: &[i32]) -> bool {
        self.assign(model);
        self.shared.count(|counts| counts.model_checks += 1);
        let mut context = FreshVariables { shared: &self.shared, fresh: Vec::new() };
        let accepted = self.theory.borrow_mut().check_model(&mut context);
        let fresh = context.fresh;
        self.owes_clause = !accepted && fresh.is_empty();
        for &var in &fresh {
            self.observe_fresh(var);
        }
        accepted
    }

    fn observe_fresh(&mut self, var: Var) {
        self.shared.count(|counts| counts.new_variables += 1);
        self.shared.observed.borrow_mut().insert(var);
        // SAFETY: the pointer is valid as `new` demands. `CaDiCal::solve` is on the stack with a `&mut` to the same
        // object, but neither it nor this call writes to the Rust object: both only read the C++ handle in it. CaDiCaL
        // documents the call as allowed while solving, and for a fresh variable it makes no callback into `self`.
        unsafe { (*self.solver).add_observed_var(var.positive().to_dimacs()) };
    }

    fn require_observed(&self, lit: Lit) {
        assert!(
            self.shared.observed.borrow().contains(lit.var()),
            "a theory should only speak of observed variables, not {lit}"
        );
    }
}

/// Numbers the theory's new variables; they are observed as soon as the theory has returned.
struct FreshVariables<'a> {
    shared: &'a SharedSolverState,
    fresh: Vec<Var>,
}

impl TheoryContext for FreshVariables<'_> {
    fn new_observed_var(&mut self) -> Var {
        let var = self.shared.new_var();
        self.fresh.push(var);
        var
    }
}

impl<T: Theory> ExternalPropagator for TheoryPropagator<T> {
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        self.guarded((), |this| this.assign(lits));
    }

    fn notify_new_decision_level(&mut self) {
        self.guarded((), |this| {
            this.view.new_level();
            this.theory.borrow_mut().new_level();
        });
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        self.guarded((), |this| {
            this.view.backtrack(new_level);
            this.theory.borrow_mut().backtrack(new_level);
        });
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        // After a panic the answer no longer matters; accepting ends the search soonest.
        self.guarded(true, |this| this.check_model(model))
    }

    fn cb_decide(&mut self) -> i32 {
        self.guarded(0, Self::decide)
    }

    fn cb_propagate(&mut self) -> i32 {
        self.guarded(0, Self::propagate)
    }

    fn cb_add_reason_clause_lit(&mut self, propagated_lit: i32) -> i32 {
        if !self.reason.open {
            let propagated = Lit::from_dimacs(propagated_lit);
            self.reason.next = 0;
            let found = self.guarded(false, |this| {
                this.read_reason(propagated);
                true
            });
            if !found {
                // CaDiCaL needs some clause with the literal to unwind; the solver is never used again.
                self.reason.literals.clear();
                self.reason.literals.push(propagated);
            }
        }
        self.reason.next_dimacs()
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = self.clauses_are_forgettable;
        self.clause.next = 0;
        self.guarded(false, Self::read_clause)
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.clause.next_dimacs()
    }
}
