//! The back end on CaDiCaL (Biere et al.): incremental SAT with assumptions, cores and a theory in the search.
//!
//! Options that differ from CaDiCaL's defaults: `factor` is off, so that variable numbers are ours alone. Everything
//! else is left to CaDiCaL, which runs the same way in every run; messages are compiled out of the library.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::ptr::NonNull;
use std::rc::Rc;

use base::{Budget, Statistics};
use cadical_sys::{CaDiCal, Status};

use crate::budget_watch::{BudgetWatch, WatchHandle};
use crate::propagator::{SharedSolverState, TheoryPropagator};
use crate::{ClauseSink, Dimacs, Lit, SolveResult, Solver, Theory, Var};

/// The library's own name with its version: `CaDiCaL 3.0.1`.
pub(crate) fn name() -> String {
    let version = CaDiCal::version();
    format!("CaDiCaL {}", version.trim())
}

/// An incremental SAT solver, alone or with one [`Theory`].
pub struct CadicalSolver {
    /// Owned. A raw pointer because callbacks reach the solver while `solve` runs.
    solver: NonNull<CaDiCal>,
    shared: Rc<SharedSolverState>,
    has_theory: bool,
    /// Variables that existed when a search last began: they may have been eliminated, and can no longer be observed.
    searched_variables: u32,
    clauses: u64,
    calls: u64,
    /// A copy of all clauses from outside, if somebody wants one.
    record: Option<Dimacs>,
}

impl CadicalSolver {
    pub fn new() -> Self {
        let mut solver = CaDiCal::new();
        let without_factoring = solver.set("factor", 0);
        assert!(without_factoring, "CaDiCaL should know the option `factor`");
        let watch = BudgetWatch::new();
        solver.connect_terminator(WatchHandle(watch.clone()));
        solver.connect_learner(WatchHandle(watch.clone()));
        Self {
            solver: NonNull::from(Box::leak(Box::new(solver))),
            shared: SharedSolverState::new(watch),
            has_theory: false,
            searched_variables: 0,
            clauses: 0,
            calls: 0,
            record: None,
        }
    }

    /// Keeps a copy of every clause added from now on; those of a theory are not among them.
    pub fn record_clauses(&mut self) {
        self.record = Some(Dimacs::new());
    }

    pub fn clause_count(&self) -> u64 {
        self.clauses
    }

    /// The clauses since [`record_clauses`](Self::record_clauses).
    pub fn recorded_clauses(&self) -> Option<&Dimacs> {
        self.record.as_ref()
    }

    /// Lets `theory` take part in every search from now on. The caller keeps a handle to read results back, and must
    /// not hold a borrow of it while it calls the solver.
    ///
    /// # Panics
    /// There can be one theory, and it must be attached before the first search that involves its variables.
    pub fn attach_theory<T: Theory + 'static>(&mut self, theory: Rc<RefCell<T>>) {
        assert!(!self.has_theory, "a solver should get at most one theory");
        self.has_theory = true;
        let observed = theory.borrow().observed();
        // SAFETY: the solver lives in a box of its own until it is dropped together with the propagator.
        let propagator = unsafe { TheoryPropagator::new(theory, self.shared.clone(), self.solver.as_ptr()) };
        self.inner_mut().connect_external_propagator(propagator);
        observed.into_iter().for_each(|var| self.observe(var));
    }

    /// Adds `var` to the variables that the attached theory observes. If it is fixed, the theory is told at once.
    ///
    /// # Panics
    /// A theory must be attached, and no search may have begun since `var` was created.
    pub fn observe(&mut self, var: Var) {
        assert!(self.has_theory, "a variable should be observed by an attached theory");
        assert!(var.number() <= self.shared.variables.get(), "an observed variable should exist");
        if !self.shared.observed.borrow_mut().insert(var) {
            return;
        }
        assert!(
            var.number() > self.searched_variables,
            "a variable should be observed before the search that may eliminate it"
        );
        self.inner_mut().add_observed_var(var.positive().to_dimacs());
    }

    /// Prefers `lit` over its negation in decisions. Only a hint: a model can also come from preprocessing or local
    /// search.
    pub fn phase(&mut self, lit: Lit) {
        self.inner_mut().phase(lit.to_dimacs());
    }

    /// The number of variables, the theory's own included.
    pub fn variables(&self) -> u32 {
        self.shared.variables.get()
    }

    fn inner(&self) -> &CaDiCal {
        // SAFETY: the pointer owns a live box, and nobody holds a `&mut` while a method of ours runs.
        unsafe { self.solver.as_ref() }
    }

    fn inner_mut(&mut self) -> &mut CaDiCal {
        // SAFETY: as in `inner`, and `&mut self` excludes other calls from outside.
        unsafe { self.solver.as_mut() }
    }

    /// Searches, then collects the core at once, so that the theory is not asked for reasons after `solve`.
    fn search(&mut self, assumptions: &[Lit]) -> Status {
        self.calls += 1;
        for &lit in assumptions {
            self.inner_mut().assume(lit.to_dimacs());
        }
        self.searched_variables = self.variables();
        let status = self.inner_mut().solve();
        if let (Status::UNSATISFIABLE, Some(lit), false) = (status, assumptions.first(), self.shared.is_poisoned()) {
            self.inner_mut().failed(lit.to_dimacs());
        }
        status
    }

    fn resume_panic_of_theory(&self) {
        if let Some(payload) = self.shared.take_panic() {
            resume_unwind(payload);
        }
        assert!(!self.shared.is_poisoned(), "a solver should not be used after its theory has panicked");
    }
}

impl Default for CadicalSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for CadicalSolver {
    fn drop(&mut self) {
        // SAFETY: the pointer came from a leaked box and is not used after this.
        drop(unsafe { Box::from_raw(self.solver.as_ptr()) });
    }
}

impl ClauseSink for CadicalSolver {
    fn new_var(&mut self) -> Var {
        self.shared.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.clauses += 1;
        if let Some(record) = &mut self.record {
            record.add_clause(clause);
        }
        let solver = self.inner_mut();
        for lit in clause {
            solver.add(lit.to_dimacs());
        }
        solver.add(0);
    }
}

impl Solver for CadicalSolver {
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SolveResult {
        self.resume_panic_of_theory();
        if let Err(reason) = self.shared.watch.start(budget) {
            return SolveResult::Interrupted(reason);
        }
        let status = self.search(assumptions);
        self.resume_panic_of_theory();
        match status {
            Status::SATISFIABLE => SolveResult::Satisfiable,
            Status::UNSATISFIABLE => SolveResult::Unsatisfiable,
            Status::UNKNOWN => {
                let reason = self.shared.watch.stopped().expect("only the budget should end a search without answer");
                SolveResult::Interrupted(reason)
            }
        }
    }

    fn value(&self, lit: Lit) -> bool {
        // SAFETY: as in `inner`. `val` takes `&mut` because CaDiCaL extends its model on first use; the Rust object is
        // not written, the solver is not `Sync`, and no callback is made.
        let true_literal = unsafe { (*self.solver.as_ptr()).val(lit.to_dimacs()) };
        true_literal == lit.to_dimacs()
    }

    fn in_core(&self, lit: Lit) -> bool {
        // SAFETY: as in `value`; the core was collected in `solve`.
        unsafe { (*self.solver.as_ptr()).failed(lit.to_dimacs()) }
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::new();
        statistics.count("solver calls", self.calls);
        statistics.count("variables", u64::from(self.variables()));
        statistics.count("clauses", self.clauses);
        for name in ["conflicts", "decisions", "propagations"] {
            statistics.count(name, u64::try_from(self.inner().get_statistic_value(name)).unwrap_or(0));
        }
        if self.has_theory {
            let counts = self.shared.counts.get();
            statistics.count("theory assignments", counts.assignments);
            statistics.count("theory propagations", counts.propagations);
            statistics.count("theory reasons", counts.reasons);
            statistics.count("theory clauses", counts.clauses);
            statistics.count("theory decisions", counts.decisions);
            statistics.count("theory model checks", counts.model_checks);
            statistics.count("theory variables", counts.new_variables);
        }
        statistics
    }
}
