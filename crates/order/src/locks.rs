//! Critical sections without read-from literals between unlocks and locks.
//!
//! If lock1 must precede the end of section 2 (same mutex, both executed), then the end of section 1 must precede lock2.
//! The end is the first unlock candidate that is not known to be skipped: whichever candidate turns out to end the
//! section, it is this one or a later one of the chain, so the rule holds before the guards of unlocks are known. A
//! section all of whose candidates are skipped never ends: it comes after all others of its mutex.

use base::Id;
use solve::Lit;

use crate::graph::SectionId;
use crate::layout::SectionPlaces;
use crate::reachability::{EdgeCause, Place};
use crate::theory::{Conflict, OrderTheory};

impl OrderTheory {
    /// Applies the rule to all executed sections of `mutex`.
    pub(crate) fn lock_rule_of_mutex(&mut self, mutex: usize) -> Result<(), Conflict> {
        for chain in 0..self.layout.chains {
            let row = mutex * self.layout.chains + chain;
            for index in 0..self.layout.sections_of.row(row).len() {
                self.lock_rule(self.layout.sections_of.row(row)[index])?;
            }
        }
        Ok(())
    }

    /// Orders `second` after the sections that are locked before it ends. Per chain the last of them is enough.
    pub(crate) fn lock_rule(&mut self, second: SectionId) -> Result<(), Conflict> {
        if !self.active.locked[second.index()] {
            return Ok(());
        }
        let lock = self.layout.sections[second.index()].lock;
        for chain in 0..self.layout.chains {
            let bound = match self.end_of(second) {
                Some(end) => self.reach.pred(end)[chain],
                None => i32::MAX,
            };
            let Some(first) = self.last_locked(second, chain, bound) else { continue };
            let cause = EdgeCause::Lock {
                first,
                first_end: self.active.section_end[first.index()],
                second,
                second_end: self.active.section_end[second.index()],
            };
            match self.end_of(first) {
                Some(end) => self.derive_edge(end, lock, cause)?,
                None => return Err(self.conflict_of_cause(cause)),
            }
        }
        Ok(())
    }

    /// The place that ends the section at the earliest; `None` if nothing ends it.
    pub(crate) fn end_of(&self, section: SectionId) -> Option<Place> {
        let end = self.active.section_end[section.index()] as usize;
        self.layout.sections[section.index()].unlocks.get(end).map(|&(place, _)| place)
    }

    /// The last executed section of the mutex in `chain`, other than `section`, that is locked at or before `bound`.
    fn last_locked(&self, section: SectionId, chain: usize, bound: i32) -> Option<SectionId> {
        let mutex = self.layout.sections[section.index()].mutex as usize;
        let row = self.layout.sections_of.row(mutex * self.layout.chains + chain);
        let position = |s: &SectionId| self.reach.position(self.layout.sections[s.index()].lock);
        let after = row.partition_point(|s| position(s) <= bound);
        row[..after].iter().rev().copied().find(|&s| s != section && self.active.locked[s.index()])
    }

    /// The first candidate, from the present one on, that `skipped` does not rule out.
    pub(crate) fn first_open_end(section: &SectionPlaces, present: u32, skipped: impl Fn(Lit) -> bool) -> u32 {
        let open = section.unlocks[present as usize..].iter().position(|&(_, guard)| !skipped(guard));
        open.map_or(section.unlocks.len() as u32, |offset| present + offset as u32)
    }
}
