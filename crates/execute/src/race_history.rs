//! What of the happens-before history can still matter, in canonical form, for merging states.
//!
//! States with different histories must not be merged where races are looked for: the definition of a race speaks of
//! one execution. (Looking instead, in every reachable state, for two threads about to make conflicting accesses would
//! find the first race of an execution only if every influence between threads were a happens-before edge. A failed
//! `trylock` or a semaphore's value is an influence without an edge, so that this is not exact for our definition.)
//!
//! But only this much of a history matters. Recorded accesses are epochs (t, c); threads and synchronisation objects
//! hold clocks. All that is ever asked is whether a clock's entry for t has reached c. So for each t:
//! - an epoch that every live thread's clock has reached can never race again, and is dropped;
//! - of what remains, numbers count only relative to each other: walking epochs and clock entries in ascending order,
//!   all epochs between two entries are equivalent, and so are all entries between two epochs. They are numbered by
//!   the alternations.
//!
//! Future epochs of t exceed all others, in all states alike, except that the present epoch of t may be in use already;
//! since no clock but t's own can have reached it before t releases, later accesses in the same epoch are equivalent to
//! accesses in a new one.

use std::rc::Rc;

use crate::object::Object;
use crate::race::{Epoch, RaceOrder, VectorClock};
use crate::state_hash::WordHash;
use crate::thread::{ExecThread, ThreadStatus};

pub struct RaceHistory<'s> {
    /// Recorded accesses with where they are.
    facts: Vec<(u64, Epoch)>,
    /// Clocks with who holds them; the entry of a thread's own clock for itself is not looked at.
    clocks: Vec<(Option<u32>, &'s VectorClock)>,
    /// Marks where the clocks of objects are.
    holders: Vec<u64>,
    threads: u32,
}

impl<'s> RaceHistory<'s> {
    pub fn new(
        order: &'s RaceOrder,
        threads: &[Rc<ExecThread>],
        objects: impl Iterator<Item = (u32, &'s Object)>,
    ) -> Self {
        let mut history =
            Self { facts: Vec::new(), clocks: Vec::new(), holders: Vec::new(), threads: threads.len() as u32 };
        let live: Vec<u32> =
            (0..history.threads).filter(|&t| threads[t as usize].status != ThreadStatus::Ended).collect();
        let settled = |epoch: Epoch| {
            live.iter()
                .all(|&thread| thread == epoch.thread() || order.clock(thread).get(epoch.thread()) >= epoch.clock())
        };
        for &thread in &live {
            history.clocks.push((Some(thread), order.clock(thread)));
            let fences = order.fences(thread);
            for (number, clock) in [&fences.released, &fences.seen].into_iter().enumerate() {
                if !clock.is_empty() {
                    history.hold(u64::from(u32::MAX - 1) << 32 | u64::from(thread) << 1 | number as u64, clock);
                }
            }
        }
        for (index, thread) in threads.iter().enumerate() {
            // Somebody may still acquire this by joining.
            if thread.status == ThreadStatus::Ended && !thread.joined && !thread.detached {
                history.hold(u64::MAX - index as u64, order.clock(index as u32));
            }
        }
        history.hold(u64::MAX - u64::from(u32::MAX), order.sections());
        for (rank, (_, object)) in objects.enumerate() {
            let at = (rank as u64) << 32;
            history.holders.push(at | u64::from(object.shadow.granule()));
            let facts = object.shadow.facts().filter(|fact| !settled(fact.epoch));
            history.facts.extend(facts.map(|fact| (at | u64::from(fact.cell) << 4 | u64::from(fact.role), fact.epoch)));
            for (cell, message) in object.shadow.messages() {
                history.holders.push(u64::from(message.head));
                history.hold(at | u64::from(cell) << 4 | 15, &message.clock);
            }
            for sync in &object.sync {
                for (slot, clock) in &sync.released {
                    let slot = match slot {
                        sync::Slot::Main => 0,
                        sync::Slot::Readers => 1,
                        sync::Slot::Thread(thread) => 2 + u64::from(*thread),
                    };
                    history.hold(at | sync.offset << 12 | slot << 4 | 14, clock);
                }
            }
        }
        history
    }

    fn hold(&mut self, holder: u64, clock: &'s VectorClock) {
        self.holders.push(holder);
        self.clocks.push((None, clock));
    }

    pub fn hash_into(mut self, hash: &mut WordHash) {
        let ladders: Vec<Ladder> = (0..self.threads).map(|thread| self.ladder(thread)).collect();
        for (holder, clock) in &self.clocks {
            for thread in 0..self.threads {
                if *holder != Some(thread) {
                    hash.word(ladders[thread as usize].entry(clock.get(thread)));
                }
            }
        }
        self.holders.iter().for_each(|&holder| hash.word(holder));
        let mut facts: Vec<(u64, u32, u64)> = self
            .facts
            .drain(..)
            .map(|(at, epoch)| (at, epoch.thread(), ladders[epoch.thread() as usize].epoch(epoch.clock())))
            .collect();
        facts.sort_unstable();
        for (at, thread, number) in facts {
            hash.word(at);
            hash.word(u64::from(thread) << 32 | number);
        }
    }

    fn ladder(&self, thread: u32) -> Ladder {
        let epochs = self.facts.iter().map(|(_, epoch)| *epoch).filter(|epoch| epoch.thread() == thread);
        let epochs = epochs.map(|epoch| (epoch.clock(), false));
        let holders = self.clocks.iter().filter(|(holder, _)| *holder != Some(thread));
        let entries = holders.map(|(_, clock)| (clock.get(thread), true));
        let mut values: Vec<(u32, bool)> = epochs.chain(entries).collect();
        values.sort_unstable();
        values.dedup();
        Ladder::new(&values)
    }
}

/// Epochs and clock entries for one thread, numbered by alternation.
struct Ladder {
    /// The first epoch of each group.
    groups: Vec<u32>,
}

impl Ladder {
    /// `values` is sorted; the flag tells clock entries from epochs, which come first among equals.
    fn new(values: &[(u32, bool)]) -> Self {
        let mut groups = Vec::new();
        let mut after_entry = true;
        for &(value, is_entry) in values {
            if !is_entry && after_entry {
                groups.push(value);
            }
            after_entry = is_entry;
        }
        Self { groups }
    }

    /// How many groups of epochs a clock entry has reached.
    fn entry(&self, value: u32) -> u64 {
        self.groups.partition_point(|&first| first <= value) as u64
    }

    /// The group of an epoch.
    fn epoch(&self, value: u32) -> u64 {
        self.groups.partition_point(|&first| first <= value) as u64
    }
}
