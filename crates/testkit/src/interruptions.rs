//! Which accesses of other threads have come between two accesses of a transaction, in one execution of the restricted
//! explorer: the judge of atomicity.

use std::collections::BTreeSet;

use predict::atomicity::Transaction;
use predict::memory_access::ByteAccess;
use program::Location;

/// A recorded access as it was executed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InterruptionAccess {
    /// The recorded thread, and the index among its recorded instructions.
    pub thread: u32,
    pub index: u32,
    pub memory: ByteAccess,
}

impl InterruptionAccess {
    fn conflicts(&self, other: &InterruptionAccess) -> bool {
        self.memory.overlaps(&other.memory) && (self.memory.writes || other.memory.writes)
    }
}

/// What has to be remembered of an execution.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Interruptions {
    /// Accesses of transactions that have happened.
    begun: BTreeSet<InterruptionAccess>,
    /// Each with an access of another thread that is in conflict with it and happened later.
    disturbed: BTreeSet<(InterruptionAccess, InterruptionAccess)>,
}

impl Interruptions {
    /// Notes an access; returns its place if it completes a violation.
    pub fn note(
        &mut self,
        access: InterruptionAccess,
        place: Location,
        transactions: &[Transaction],
    ) -> Option<Location> {
        let contains = |transaction: &&Transaction, index: u32| {
            transaction.thread.0 == access.thread && (transaction.start..transaction.end).contains(&index)
        };
        let own: Vec<&Transaction> = transactions.iter().filter(|t| contains(t, access.index)).collect();
        let is_violated = self.disturbed.iter().any(|(first, remote)| {
            first.thread == access.thread
                && own.iter().any(|transaction| contains(transaction, first.index))
                && first.memory.overlaps(&access.memory)
                && remote.conflicts(&access)
        });
        let disturbed = self.begun.iter().filter(|first| first.thread != access.thread && first.conflicts(&access));
        self.disturbed.extend(disturbed.map(|first| (*first, access)).collect::<Vec<_>>());
        if !own.is_empty() {
            self.begun.insert(access);
        }
        is_violated.then_some(place)
    }
}
