//! Literals that the closed order decides: dead read-from candidates, guards of writes that would interpose, pairs.
//!
//! Per read of x the sources that are still possible form one window per chain. Its lower end comes from the executed
//! writes before the read (what precedes one of them is overwritten), its upper end from what must follow the read. The
//! interval rule narrows it: for an active rf(w1, r1) on x with r before r1, sources after w1 are dead, and if w1 is
//! before r, every source but w1 is. Of the reads after r, the first active one of each chain implies the others.
//!
//! Work is driven by the entries of the vectors that changed: an entry names one place and one chain, so that only the
//! reads and writes of that place, and only that chain's candidates, are looked at.

use base::Id;
use solve::Lit;

use crate::explain::Cause;
use crate::graph::ReadFromId;
use crate::layout::{ReadId, SlotId};
use crate::reachability::{Place, ReachabilityChange};
use crate::theory::{ActiveChange, Conflict, NONE, OrderTheory, Propagation, TheoryValue};

impl OrderTheory {
    /// Draws the consequences of all changes of the vectors from number `first` on. Adds no edge.
    pub(crate) fn propagate_changes(&mut self, first: usize) -> Result<(), Conflict> {
        for index in first..self.reach.change_count() {
            match self.reach.change(index) {
                ReachabilityChange::Pred { place, chain, old } => self.propagate_pred(place, chain, old)?,
                ReachabilityChange::Succ { place, chain, old } => self.propagate_succ(place, chain, old)?,
            }
        }
        self.propagate_pairs()
    }

    /// More of `chain` must precede `place` than `old`.
    fn propagate_pred(&mut self, place: Place, chain: usize, old: i32) -> Result<(), Conflict> {
        let new = self.reach.pred(place)[chain];
        for index in 0..self.layout.reads_at.row(place.index()).len() {
            let read = self.layout.reads_at.row(place.index())[index];
            if self.is_open(read) {
                let address = self.layout.reads[read.index()].address;
                let last = self.last_executed(address, chain, new);
                if let Some(slot) = last.filter(|slot| self.layout.slots[slot.index()].position > old) {
                    self.read_follows(read, slot)?;
                }
            }
        }
        for index in 0..self.layout.slots_at.row(place.index()).len() {
            let slot = self.layout.slots_at.row(place.index())[index];
            if self.options.overwritten && self.active.executed[slot.index()] > 0 {
                self.writes_are_overwritten(slot, chain, old, new)?;
            }
        }
        if self.options.guards {
            let mut rf = self.active.into_place[place.index()];
            while rf != NONE {
                self.propagate_guards(ReadFromId(rf), chain)?;
                rf = self.active.next_into[rf as usize];
            }
        }
        Ok(())
    }

    /// More of `chain` must follow `place` than what began at `old`.
    fn propagate_succ(&mut self, place: Place, chain: usize, old: i32) -> Result<(), Conflict> {
        let new = self.reach.succ(place)[chain];
        for index in 0..self.layout.reads_at.row(place.index()).len() {
            let read = self.layout.reads_at.row(place.index())[index];
            if !self.is_open(read) {
                continue;
            }
            if self.options.after_read {
                self.narrow_from_above(read, chain, new, None)?;
            }
            if self.options.interval
                && let Some(rf) = self.first_active_read(read, chain, new, old)
            {
                self.read_precedes(read, rf)?;
            }
        }
        if self.options.guards {
            for index in 0..self.layout.slots_at.row(place.index()).len() {
                let slot = self.layout.slots_at.row(place.index())[index];
                let mut rf = self.active.out_of_slot[slot.index()];
                while rf != NONE {
                    self.propagate_guards(ReadFromId(rf), chain)?;
                    rf = self.active.next_out_of[rf as usize];
                }
            }
        }
        Ok(())
    }

    /// Has no source yet, and may be executed.
    fn is_open(&self, read: ReadId) -> bool {
        self.active.of_read[read.index()] == NONE
            && self.value(self.layout.reads[read.index()].guard) != TheoryValue::False
    }

    /// The executed `slot` is newly the last of its chain before `read`: what precedes it is overwritten, and if one of
    /// its readers follows `read`, nothing else is left.
    fn read_follows(&mut self, read: ReadId, slot: SlotId) -> Result<(), Conflict> {
        let writer = self.layout.slots[slot.index()];
        if self.options.overwritten {
            let own = self.reach.chain(writer.place);
            for chain in 0..self.layout.chains {
                let floor = if chain == own { writer.position - 1 } else { self.reach.pred(writer.place)[chain] };
                self.narrow_from_below(read, chain, floor, slot)?;
            }
        }
        if !self.options.interval {
            return Ok(());
        }
        let mut rf = self.active.out_of_slot[slot.index()];
        while rf != NONE {
            let place = self.layout.reads[read.index()].place;
            if self.reach.precedes(place, self.layout.candidates[rf as usize].target) {
                return self.keep_only(read, ReadFromId(rf));
            }
            rf = self.active.next_out_of[rf as usize];
        }
        Ok(())
    }

    /// `slot` is newly executed: it may be the last of its chain before some reads.
    pub(crate) fn propagate_new_write(&mut self, slot: SlotId) -> Result<(), Conflict> {
        for chain in 0..self.layout.chains {
            let mut next = self.first_read_that_sees(slot, chain);
            while let Some((read, rest)) = next {
                if self.is_open(read) {
                    self.read_follows(read, slot)?;
                }
                next = self.next_read_that_sees(slot, chain, rest);
            }
        }
        Ok(())
    }

    /// The writes of `chain` from after `old` up to `new` newly precede the executed `slot`: no read that has `slot`
    /// before it can see them.
    fn writes_are_overwritten(&mut self, slot: SlotId, chain: usize, old: i32, new: i32) -> Result<(), Conflict> {
        let slots = self.layout.slots_in(self.layout.slots[slot.index()].address, chain);
        let first = slots.partition_point(|slot| self.layout.slots[slot.index()].position <= old);
        if slots.get(first).is_none_or(|slot| self.layout.slots[slot.index()].position > new) {
            return Ok(());
        }
        for other in 0..self.layout.chains {
            let mut next = self.first_read_that_sees(slot, other);
            while let Some((read, rest)) = next {
                if self.is_open(read) {
                    self.narrow_from_below(read, chain, new, slot)?;
                }
                next = self.next_read_that_sees(slot, other, rest);
            }
        }
        Ok(())
    }

    /// The reads of `chain` for which `slot` is the last executed write of its chain, one after the other: the first,
    /// and its index among the reads of the address.
    fn first_read_that_sees(&self, slot: SlotId, chain: usize) -> Option<(ReadId, usize)> {
        let slot_data = &self.layout.slots[slot.index()];
        let reads = self.layout.reads_in(slot_data.address, chain);
        let first = self.reach.succ(slot_data.place)[chain];
        let from = reads.partition_point(|read| self.layout.reads[read.index()].position < first);
        self.read_that_sees(slot, chain, from)
    }

    fn next_read_that_sees(&self, slot: SlotId, chain: usize, previous: usize) -> Option<(ReadId, usize)> {
        self.read_that_sees(slot, chain, previous + 1)
    }

    fn read_that_sees(&self, slot: SlotId, chain: usize, index: usize) -> Option<(ReadId, usize)> {
        let slot_data = &self.layout.slots[slot.index()];
        let read = *self.layout.reads_in(slot_data.address, chain).get(index)?;
        let own = self.reach.chain(slot_data.place);
        let bound = self.reach.pred(self.layout.reads[read.index()].place)[own];
        (self.last_executed(slot_data.address, own, bound) == Some(slot)).then_some((read, index))
    }

    /// The newly active `rf` confines the open reads before its read: in each chain, back to the next active one.
    pub(crate) fn propagate_new_read_from(&mut self, rf: ReadFromId) -> Result<(), Conflict> {
        let candidate = self.layout.candidates[rf.index()];
        let address = self.layout.reads[candidate.read.index()].address;
        for chain in 0..self.layout.chains {
            let bound = self.reach.pred(candidate.target)[chain];
            let reads = self.layout.reads_in(address, chain);
            let mut end = reads.partition_point(|read| self.layout.reads[read.index()].position <= bound);
            while end > 0 {
                end -= 1;
                let read = self.layout.reads_in(address, chain)[end];
                if self.active.of_read[read.index()] != NONE {
                    break;
                }
                self.read_precedes(read, rf)?;
            }
        }
        Ok(())
    }

    /// The first active rf to a read of the same address as `read` in `chain`, from position `new` to before `old`.
    fn first_active_read(&self, read: ReadId, chain: usize, new: i32, old: i32) -> Option<ReadFromId> {
        let reads = self.layout.reads_in(self.layout.reads[read.index()].address, chain);
        let from = reads.partition_point(|read| self.layout.reads[read.index()].position < new);
        let near = reads[from..].iter().take_while(|read| self.layout.reads[read.index()].position < old);
        near.map(|read| self.active.of_read[read.index()]).find(|&rf| rf != NONE).map(ReadFromId)
    }

    /// `read` must precede the read of the active `rf`: sources after that of `rf` are dead, and if that is before
    /// `read`, all others are.
    fn read_precedes(&mut self, read: ReadId, rf: ReadFromId) -> Result<(), Conflict> {
        if !self.is_open(read) {
            return Ok(());
        }
        let source = self.layout.candidates[rf.index()].source;
        for chain in 0..self.layout.chains {
            self.narrow_from_above(read, chain, self.reach.succ(source)[chain], Some(rf))?;
        }
        if self.reach.precedes(source, self.layout.reads[read.index()].place) {
            self.keep_only(read, rf)?;
        }
        Ok(())
    }

    /// Sources of `chain` at or below `floor` precede the executed `slot`, which precedes the read.
    fn narrow_from_below(&mut self, read: ReadId, chain: usize, floor: i32, slot: SlotId) -> Result<(), Conflict> {
        let row = read.index() * self.layout.chains + chain;
        let (start, end) = (self.active.window_low[row] as usize, self.active.window_high[row] as usize);
        let mut low = start;
        while low < end && self.layout.source_positions[low] <= floor {
            let rf = self.layout.sources_of.item(low);
            let lit = self.layout.candidates[rf.index()].lit;
            if self.value(lit) != TheoryValue::False {
                let cause = Cause::Between { rf, write: self.executed_event(slot) };
                self.counters.overwritten += u64::from(self.imply(!lit, cause)?);
            }
            low += 1;
        }
        if low != start {
            self.active.window_low[row] = low as u32;
            self.activations.push(ActiveChange::WindowLow { row: row as u32, old: start as u32 });
        }
        Ok(())
    }

    /// Sources of `chain` at or above `ceiling` follow the read, or the source of the active rf `other` to a later read.
    fn narrow_from_above(
        &mut self,
        read: ReadId,
        chain: usize,
        ceiling: i32,
        other: Option<ReadFromId>,
    ) -> Result<(), Conflict> {
        let row = read.index() * self.layout.chains + chain;
        let (begin, start) = (self.active.window_low[row] as usize, self.active.window_high[row] as usize);
        let mut high = start;
        while high > begin && self.layout.source_positions[high - 1] >= ceiling {
            let rf = self.layout.sources_of.item(high - 1);
            let lit = self.layout.candidates[rf.index()].lit;
            if self.value(lit) != TheoryValue::False {
                match other {
                    None => self.counters.after_read += u64::from(self.imply(!lit, Cause::AfterRead { rf })?),
                    Some(other) => {
                        let cause = Cause::IntervalWrite { rf, other };
                        self.counters.interval += u64::from(self.imply(!lit, cause)?);
                    }
                }
            }
            high -= 1;
        }
        if high != start {
            self.active.window_high[row] = high as u32;
            self.activations.push(ActiveChange::WindowHigh { row: row as u32, old: start as u32 });
        }
        Ok(())
    }

    /// The read lies between the ends of `only`: every other source is dead.
    fn keep_only(&mut self, read: ReadId, only: ReadFromId) -> Result<(), Conflict> {
        let kept = self.layout.candidates[only.index()].source;
        for chain in 0..self.layout.chains {
            let row = read.index() * self.layout.chains + chain;
            for index in self.active.window_low[row] as usize..self.active.window_high[row] as usize {
                let rf = self.layout.sources_of.item(index);
                let candidate = self.layout.candidates[rf.index()];
                if candidate.source != kept && self.value(candidate.lit) != TheoryValue::False {
                    let cause = Cause::IntervalRead { rf, other: only };
                    self.counters.interval += u64::from(self.imply(!candidate.lit, cause)?);
                }
            }
        }
        Ok(())
    }

    /// Writes of `chain` that must lie between the ends of an active rf are not executed.
    pub(crate) fn propagate_guards(&mut self, rf: ReadFromId, chain: usize) -> Result<(), Conflict> {
        let candidate = self.layout.candidates[rf.index()];
        let first = self.reach.succ(candidate.source)[chain];
        let last = self.reach.pred(candidate.target)[chain];
        if first > last {
            return Ok(());
        }
        let address = self.layout.slots[candidate.slot.index()].address;
        let slots = self.layout.slots_in(address, chain);
        let from = slots.partition_point(|slot| self.layout.slots[slot.index()].position < first);
        let to = slots.partition_point(|slot| self.layout.slots[slot.index()].position <= last);
        for index in from..to {
            self.forbid_slot(rf, self.layout.slots_in(address, chain)[index])?;
        }
        Ok(())
    }

    fn forbid_slot(&mut self, rf: ReadFromId, slot: SlotId) -> Result<(), Conflict> {
        for index in 0..self.layout.events_of(slot).len() {
            let write = self.layout.events_of(slot)[index];
            let guard = self.layout.guards[write.index()];
            if self.value(guard) != TheoryValue::False {
                self.counters.guards += u64::from(self.imply(!guard, Cause::Guard { rf, write })?);
            }
        }
        Ok(())
    }

    /// Two executed read-modify-writes never share a source. Called when `rf` is active and its read's node writes.
    pub(crate) fn propagate_exclusive(&mut self, rf: ReadFromId) -> Result<(), Conflict> {
        let candidate = self.layout.candidates[rf.index()];
        let Some(mine) = self.executed_modification(candidate.read) else { return Ok(()) };
        for index in 0..self.layout.readers_of.row(candidate.slot.index()).len() {
            let other = self.layout.readers_of.row(candidate.slot.index())[index];
            let rival = self.layout.candidates[other.index()];
            if rival.target == candidate.target || rival.write != candidate.write {
                continue;
            }
            if self.value(rival.lit) == TheoryValue::False {
                continue;
            }
            let Some(theirs) = self.executed_modification(rival.read) else { continue };
            let writes = [self.executed_event(mine), self.executed_event(theirs)];
            if self.imply(!rival.lit, Cause::Exclusive { other: rf, writes })? {
                self.counters.exclusive += 1;
            }
        }
        Ok(())
    }

    /// The slot that the read's own node writes afterwards, if that is executed.
    fn executed_modification(&self, read: ReadId) -> Option<SlotId> {
        self.layout.reads[read.index()].modifies.filter(|slot| self.active.executed[slot.index()] > 0)
    }

    /// Sources of `chain` at or below the returned position are overwritten before `place`, a reader of `address`.
    pub(crate) fn floor(&self, place: Place, address: u32, chain: usize) -> i32 {
        let mut floor = -1;
        for (other, &bound) in self.reach.pred(place).iter().enumerate() {
            let Some(slot) = self.last_executed(address, other, bound) else { continue };
            let slot = &self.layout.slots[slot.index()];
            floor = floor.max(if other == chain { slot.position - 1 } else { self.reach.pred(slot.place)[chain] });
        }
        floor
    }

    /// Pairs that are ordered take their direction.
    fn propagate_pairs(&mut self) -> Result<(), Conflict> {
        if !self.options.pair_direction {
            return Ok(());
        }
        for index in 0..self.pairs.len() {
            let pair = self.pairs[index];
            if self.value(pair.lit) != TheoryValue::Unassigned {
                continue;
            }
            for (from, to, lit) in [(pair.first, pair.second, pair.lit), (pair.second, pair.first, !pair.lit)] {
                if self.reach.precedes(from, to) && self.imply(lit, Cause::Ordered { from, to })? {
                    self.counters.pair_directions += 1;
                }
            }
        }
        Ok(())
    }

    /// `lit` must be true for `cause`. True if that is news; a conflict if it is false.
    pub(crate) fn imply(&mut self, lit: Lit, cause: Cause) -> Result<bool, Conflict> {
        let time = self.reach.edges.len() as u32;
        match self.value(lit) {
            TheoryValue::True => Ok(false),
            TheoryValue::False => {
                self.counters.conflicts += 1;
                self.explain_propagation(lit, cause, time);
                std::mem::swap(&mut self.conflict, &mut self.clause);
                self.has_conflict = true;
                Err(Conflict)
            }
            TheoryValue::Unassigned if self.propagation_of[lit.var().index()] != NONE => Ok(false),
            TheoryValue::Unassigned => {
                self.propagation_of[lit.var().index()] = self.propagated.len() as u32;
                self.propagated.push(Propagation { lit, cause, time });
                Ok(true)
            }
        }
    }
}
