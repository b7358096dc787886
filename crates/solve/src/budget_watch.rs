//! Ends a search when its budget is used up or its theory has panicked.
//!
//! CaDiCaL asks every few propagations. A flag is read each time, the clock on every sixteenth call, and memory (a file
//! of the system) at most ten times a second.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use base::{Budget, StopReason};
use cadical_sys::{Learner, Terminator};

const CALLS_PER_CLOCK_READING: u32 = 16;
/// What the solver does between two calls, which come at the same points of the search in every run.
const WORK_PER_CALL: u64 = 10;
const MEMORY_INTERVAL: Duration = Duration::from_millis(100);

/// What the solver and the callback share: the budget of the running call and the verdict on it.
pub(crate) struct BudgetWatch {
    budget: RefCell<Budget>,
    calls: Cell<u32>,
    next_memory_check: Cell<Instant>,
    stopped: Cell<Option<StopReason>>,
    aborted: Cell<bool>,
}

impl BudgetWatch {
    pub(crate) fn new() -> Rc<Self> {
        Rc::new(Self {
            budget: RefCell::new(Budget::unlimited()),
            calls: Cell::new(0),
            next_memory_check: Cell::new(Instant::now()),
            stopped: Cell::new(None),
            aborted: Cell::new(false),
        })
    }

    /// Begins to watch `budget`; an error says that nothing is left of it.
    pub(crate) fn start(&self, budget: &Budget) -> Result<(), StopReason> {
        budget.check()?;
        self.budget.replace(budget.clone());
        self.calls.set(0);
        self.next_memory_check.set(Instant::now() + MEMORY_INTERVAL);
        self.stopped.set(None);
        Ok(())
    }

    /// Why the search was ended, if the budget ended it.
    pub(crate) fn stopped(&self) -> Option<StopReason> {
        self.stopped.get()
    }

    /// Ends the search at the next opportunity, whatever the budget says.
    pub(crate) fn abort(&self) {
        self.aborted.set(true);
    }

    fn must_stop(&self) -> bool {
        if self.aborted.get() || self.stopped.get().is_some() {
            return true;
        }
        self.stopped.set(self.exhausted());
        self.stopped.get().is_some()
    }

    fn exhausted(&self) -> Option<StopReason> {
        let budget = self.budget.borrow();
        if budget.cancel.is_cancelled() {
            return Some(StopReason::Cancelled);
        }
        budget.work.add(WORK_PER_CALL);
        if budget.is_out_of_work() {
            return Some(StopReason::Work);
        }
        let calls = self.calls.get().wrapping_add(1);
        self.calls.set(calls);
        if !calls.is_multiple_of(CALLS_PER_CLOCK_READING) || (budget.deadline.is_none() && budget.memory.is_none()) {
            return None;
        }
        let now = Instant::now();
        if now >= self.next_memory_check.get() {
            self.next_memory_check.set(now + MEMORY_INTERVAL);
            return budget.check().err();
        }
        budget.deadline.filter(|&deadline| now >= deadline).map(|_| StopReason::Time)
    }
}

/// The callbacks' handle.
pub(crate) struct WatchHandle(pub(crate) Rc<BudgetWatch>);

impl Terminator for WatchHandle {
    fn terminated(&mut self) -> bool {
        self.0.must_stop()
    }
}

/// A clause is learned at every conflict; it is counted and not looked at.
impl Learner for WatchHandle {
    fn learning(&mut self, _size: i32) -> bool {
        self.0.budget.borrow().conflicts.increment();
        false
    }

    fn learn(&mut self, _lit: i32) {}
}
