//! Rules 2 and 3 of the Yogar-CBMC paper (derived orders of a read-from choice), one check per chain.
//!
//! For an active rf(w, r) on x and a chain t only two writes matter: the last executed write of x in t before r must
//! precede w (Rule 2), and the first executed write of x in t after w must follow r (Rule 3); chain order gives the rest.
//! Neither w's node nor r's own node takes part: inside nodes the clauses of `read_from` decide.

use base::Id;

use crate::graph::{EventId, ReadFromId};
use crate::layout::SlotId;
use crate::reachability::{EdgeCause, PRED_CHANGED, Place, SUCC_CHANGED};
use crate::theory::{Conflict, NONE, OrderTheory};

impl OrderTheory {
    /// Applies the rules until nothing changes. Fails with the conflict clause noted.
    pub(crate) fn close(&mut self) -> Result<(), Conflict> {
        while let Some((place, bits)) = self.reach.take_changed() {
            if bits & PRED_CHANGED != 0 {
                let mut rf = self.active.into_place[place.index()];
                while rf != NONE {
                    self.rule_2(ReadFromId(rf))?;
                    rf = self.active.next_into[rf as usize];
                }
                for index in 0..self.layout.ends_at.row(place.index()).len() {
                    self.lock_rule(self.layout.ends_at.row(place.index())[index])?;
                }
            }
            if bits & SUCC_CHANGED != 0 {
                for index in 0..self.layout.slots_at.row(place.index()).len() {
                    let slot = self.layout.slots_at.row(place.index())[index];
                    let mut rf = self.active.out_of_slot[slot.index()];
                    while rf != NONE {
                        self.rule_3(ReadFromId(rf))?;
                        rf = self.active.next_out_of[rf as usize];
                    }
                }
            }
        }
        Ok(())
    }

    /// An executed write before the read precedes the write that is read.
    pub(crate) fn rule_2(&mut self, rf: ReadFromId) -> Result<(), Conflict> {
        let candidate = self.layout.candidates[rf.index()];
        let address = self.layout.slots[candidate.slot.index()].address;
        for chain in 0..self.layout.chains {
            let bound = self.reach.pred(candidate.target)[chain];
            let Some(slot) = self.last_executed(address, chain, bound) else { continue };
            let place = self.layout.slots[slot.index()].place;
            if place != candidate.source && place != candidate.target {
                let write = self.executed_event(slot);
                self.derive_edge(place, candidate.source, EdgeCause::Overwritten { rf, write })?;
            }
        }
        Ok(())
    }

    /// An executed write after the write that is read follows the read.
    pub(crate) fn rule_3(&mut self, rf: ReadFromId) -> Result<(), Conflict> {
        let candidate = self.layout.candidates[rf.index()];
        let address = self.layout.slots[candidate.slot.index()].address;
        for chain in 0..self.layout.chains {
            let bound = self.reach.succ(candidate.source)[chain];
            let Some(slot) = self.first_executed(address, chain, bound) else { continue };
            let place = self.layout.slots[slot.index()].place;
            if place != candidate.source && place != candidate.target {
                let write = self.executed_event(slot);
                self.derive_edge(candidate.target, place, EdgeCause::FromRead { rf, write })?;
            }
        }
        Ok(())
    }

    pub(crate) fn derive_edge(&mut self, from: Place, to: Place, cause: EdgeCause) -> Result<(), Conflict> {
        if self.reach.precedes(from, to) {
            return Ok(());
        }
        self.counters.derived_edges += 1;
        self.add_edge(from, to, cause)
    }

    /// Inserts an edge unless it is implied; an edge that closes a cycle is a conflict.
    pub(crate) fn add_edge(&mut self, from: Place, to: Place, cause: EdgeCause) -> Result<(), Conflict> {
        if self.reach.precedes(from, to) {
            return Ok(());
        }
        if from == to || self.reach.precedes(to, from) {
            return Err(self.conflict_of_cycle(from, to, cause));
        }
        self.counters.edges += 1;
        self.reach.insert(from, to, cause);
        Ok(())
    }

    /// The last slot of `address` in `chain` at or before `bound` with an executed write.
    #[inline]
    pub(crate) fn last_executed(&self, address: u32, chain: usize, bound: i32) -> Option<SlotId> {
        let slots = self.layout.slots_in(address, chain);
        let after = slots.partition_point(|slot| self.layout.slots[slot.index()].position <= bound);
        slots[..after].iter().rev().copied().find(|slot| self.active.executed[slot.index()] > 0)
    }

    /// The first slot of `address` in `chain` at or after `bound` with an executed write.
    #[inline]
    pub(crate) fn first_executed(&self, address: u32, chain: usize, bound: i32) -> Option<SlotId> {
        let slots = self.layout.slots_in(address, chain);
        let first = slots.partition_point(|slot| self.layout.slots[slot.index()].position < bound);
        slots[first..].iter().copied().find(|slot| self.active.executed[slot.index()] > 0)
    }

    /// Some executed write of a slot that has one.
    pub(crate) fn executed_event(&self, slot: SlotId) -> EventId {
        let events = self.layout.events_of(slot);
        events.iter().copied().find(|event| self.active.write_executed[event.index()]).unwrap_or(events[0])
    }
}
