//! Monitors: what is noted for one family of properties while the threads are unfolded, and what becomes of it in the graph
//! when all of them are. A monitor reads the graph and what passes have learned, and knows nothing of memory or control.

pub mod deadlocks;
pub mod happens_before;
pub mod leaks;
pub mod lock_sections;
pub mod races;
pub mod thread_leaks;

use crate::pass::Pass;

use deadlocks::Deadlocks;
use happens_before::HbOrder;
use leaks::Leaks;
use lock_sections::LockSections;
use races::Races;
use thread_leaks::ThreadLeaks;

/// One for each family of properties.
pub(crate) struct Monitors {
    pub races: Races,
    pub order: HbOrder,
    pub deadlocks: Deadlocks,
    pub leaks: Leaks,
    pub thread_leaks: ThreadLeaks,
    pub lock_sections: LockSections,
}

impl Monitors {
    pub fn new(order: HbOrder) -> Self {
        Self {
            races: Races::default(),
            order,
            deadlocks: Deadlocks::default(),
            leaks: Leaks::default(),
            thread_leaks: ThreadLeaks::default(),
            lock_sections: LockSections::default(),
        }
    }

    /// After all instances of a pass.
    pub fn settle(&mut self, pass: &mut Pass<'_>) {
        self.lock_sections.settle(pass);
        self.deadlocks.settle(pass);
        let orphaned = self.leaks.settle(pass);
        self.thread_leaks.settle(pass, orphaned);
    }

    /// After the last pass.
    pub fn finish(&mut self, pass: &mut Pass<'_>) {
        self.races.settle(pass, &mut self.order);
    }
}
