//! The completeness check: from a closed order without conflict to a total order.
//!
//! Nodes are scheduled one by one: a node may run when everything that must precede it has run, its writes cut no
//! pending rf (source done, read not yet), and the mutexes it locks are free. First come *safe* nodes (nothing they
//! write is read elsewhere, and they lock nothing), which never lose feasibility; then the node whose readers have the
//! fewest unscheduled predecessors. If that sticks, it is repeated with *commitment*: after scheduling a write, all
//! other unscheduled writers of its address are put after it, and the rules are applied. If that sticks too, the plain
//! run yields a pair of places that the closed order leaves open, one of which has to come first: a new decision.
//! Only such pairs matter, and there are finitely many, so the procedure ends and is complete.

use base::Id;

use crate::graph::{ReadFromId, SectionId};
use crate::reachability::{EdgeCause, Place};
use crate::theory::{Conflict, NONE, OrderTheory, TheoryValue};

/// How a simulation ended.
pub(crate) enum Simulated {
    /// `Simulation::order` holds all places.
    Scheduled,
    /// These two places are not ordered, and no schedule was found.
    Stuck(Place, Place),
}

/// Work space.
#[derive(Default)]
pub(crate) struct Simulation {
    /// By chain: positions below are done.
    next: Vec<i32>,
    /// By address: active rf whose source is done and whose read is not.
    pending: Vec<u32>,
    /// By mutex.
    holder: Vec<Option<SectionId>>,
    /// By chain, with commitment only.
    refused: Vec<bool>,
    pub order: Vec<Place>,
}

impl Simulation {
    pub fn new(chains: usize, addresses: usize, mutexes: usize) -> Self {
        Self {
            next: vec![0; chains],
            pending: vec![0; addresses],
            holder: vec![None; mutexes],
            refused: vec![false; chains],
            order: Vec::new(),
        }
    }

    fn reset(&mut self) {
        self.next.fill(0);
        self.pending.fill(0);
        self.holder.fill(None);
        self.refused.fill(false);
        self.order.clear();
    }
}

impl OrderTheory {
    /// Looks for a total order of all places under the current full assignment.
    pub(crate) fn simulate(&mut self) -> Simulated {
        if self.run_plain() {
            return Simulated::Scheduled;
        }
        self.counters.stuck += 1;
        let pair = self.blocked_pair();
        if self.options.commitment {
            let mark = self.reach.mark();
            self.trial = true;
            let scheduled = self.run_committed();
            self.trial = false;
            self.reach.undo(mark);
            if scheduled {
                return Simulated::Scheduled;
            }
            self.counters.stuck_committed += 1;
        }
        let (first, second) = pair.expect("a stuck simulation of a closed order should have a blocked node");
        Simulated::Stuck(first, second)
    }

    fn run_plain(&mut self) -> bool {
        self.simulation.reset();
        while let Some(place) = self.choose_next(|_, _| true) {
            self.schedule(place);
        }
        self.simulation.order.len() == self.layout.node_at.len()
    }

    fn run_committed(&mut self) -> bool {
        self.simulation.reset();
        // A chain whose next node leads to a conflict is not tried again before something else has run.
        while let Some(place) = self.choose_next(|theory, chain| !theory.simulation.refused[chain]) {
            let mark = self.reach.mark();
            if self.commit(place).is_ok() {
                self.schedule(place);
                self.simulation.refused.fill(false);
            } else {
                self.reach.undo(mark);
                let chain = self.reach.chain(place);
                self.simulation.refused[chain] = true;
            }
        }
        self.simulation.order.len() == self.layout.node_at.len()
    }

    /// Puts the competitors of `place` after it.
    fn commit(&mut self, place: Place) -> Result<(), Conflict> {
        for index in 0..self.layout.slots_at.row(place.index()).len() {
            let slot = self.layout.slots_at.row(place.index())[index];
            if self.active.executed[slot.index()] == 0 || self.active.out_of_slot[slot.index()] == NONE {
                continue;
            }
            let address = self.layout.slots[slot.index()].address;
            for chain in 0..self.layout.chains {
                let mut from = self.simulation.next[chain];
                from += i32::from(chain == self.reach.chain(place));
                if let Some(other) = self.first_executed(address, chain, from) {
                    let other = self.layout.slots[other.index()].place;
                    self.add_edge(place, other, EdgeCause::Commitment)?;
                }
            }
        }
        for index in 0..self.layout.locks_at.row(place.index()).len() {
            self.commit_section(self.layout.locks_at.row(place.index())[index])?;
        }
        self.close()
    }

    fn commit_section(&mut self, section: SectionId) -> Result<(), Conflict> {
        let Some(end) = self.end_of(section).filter(|_| self.active.locked[section.index()]) else { return Ok(()) };
        let mutex = self.layout.sections[section.index()].mutex as usize;
        for chain in 0..self.layout.chains {
            let row = self.layout.sections_of.row(mutex * self.layout.chains + chain);
            let waits = |other: &&SectionId| {
                let lock = self.layout.sections[other.index()].lock;
                **other != section
                    && self.active.locked[other.index()]
                    && self.reach.position(lock) >= self.simulation.next[chain]
            };
            if let Some(other) = row.iter().find(waits) {
                let lock = self.layout.sections[other.index()].lock;
                self.add_edge(end, lock, EdgeCause::Commitment)?;
            }
        }
        Ok(())
    }

    /// The best node to schedule next among the chains that `allowed` admits.
    fn choose_next(&self, allowed: impl Fn(&Self, usize) -> bool) -> Option<Place> {
        let mut best: Option<(i32, Place)> = None;
        for chain in (0..self.layout.chains).filter(|&chain| allowed(self, chain)) {
            let Some(place) = self.ready(chain).filter(|&place| self.blocker(place).is_none()) else { continue };
            let cost = self.cost(place);
            if cost == 0 {
                return Some(place);
            }
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, place));
            }
        }
        best.map(|(_, place)| place)
    }

    /// The next place of `chain` if all its predecessors are done.
    fn ready(&self, chain: usize) -> Option<Place> {
        let position = self.simulation.next[chain];
        if position >= self.reach.length(chain) {
            return None;
        }
        let place = self.reach.place(chain, position);
        let done = self.reach.pred(place).iter().zip(&self.simulation.next).all(|(&last, &next)| last < next);
        done.then_some(place)
    }

    /// 0 for a safe node; otherwise one more than the unscheduled predecessors of what waits for the node.
    fn cost(&self, place: Place) -> i32 {
        let mut cost = 0;
        for &slot in self.layout.slots_at.row(place.index()) {
            let mut rf = self.active.out_of_slot[slot.index()];
            while rf != NONE {
                cost += 1 + self.unscheduled_before(self.layout.candidates[rf as usize].target);
                rf = self.active.next_out_of[rf as usize];
            }
        }
        for &section in self.layout.locks_at.row(place.index()) {
            if self.active.locked[section.index()] {
                cost += 1 + self.end_of(section).map_or(i32::MAX / 4, |end| self.unscheduled_before(end));
            }
        }
        cost
    }

    fn unscheduled_before(&self, place: Place) -> i32 {
        self.reach.pred(place).iter().zip(&self.simulation.next).map(|(&last, &next)| (last + 1 - next).max(0)).sum()
    }

    /// What keeps a ready node from running: the source of an rf it would cut, or the lock of the holder.
    fn blocker(&self, place: Place) -> Option<Place> {
        for &slot in self.layout.slots_at.row(place.index()) {
            let address = self.layout.slots[slot.index()].address as usize;
            if self.active.executed[slot.index()] > 0
                && self.simulation.pending[address] > self.pending_in(place, address)
            {
                return self.pending_source(place, address);
            }
        }
        for &section in self.layout.locks_at.row(place.index()) {
            if !self.active.locked[section.index()] {
                continue;
            }
            if let Some(holder) = self.simulation.holder[self.layout.sections[section.index()].mutex as usize] {
                return Some(self.layout.sections[holder.index()].lock);
            }
        }
        None
    }

    /// The pending rf of `address` whose reads are in `place` itself: running the node ends them.
    fn pending_in(&self, place: Place, address: usize) -> u32 {
        let mut count = 0;
        let mut rf = self.active.into_place[place.index()];
        while rf != NONE {
            let slot = self.layout.candidates[rf as usize].slot;
            count += u32::from(self.layout.slots[slot.index()].address as usize == address);
            rf = self.active.next_into[rf as usize];
        }
        count
    }

    fn pending_source(&self, place: Place, address: usize) -> Option<Place> {
        let done = |place: Place| self.reach.position(place) < self.simulation.next[self.reach.chain(place)];
        let mut rf = self.active.of_address[address];
        while rf != NONE {
            let candidate = self.layout.candidates[rf as usize];
            if done(candidate.source) && !done(candidate.target) && candidate.target != place {
                return Some(candidate.source);
            }
            rf = self.active.next_of_address[rf as usize];
        }
        None
    }

    fn schedule(&mut self, place: Place) {
        self.simulation.next[self.reach.chain(place)] += 1;
        self.simulation.order.push(place);
        let mut rf = self.active.into_place[place.index()];
        while rf != NONE {
            let slot = self.layout.candidates[ReadFromId(rf).index()].slot;
            self.simulation.pending[self.layout.slots[slot.index()].address as usize] -= 1;
            rf = self.active.next_into[rf as usize];
        }
        for &slot in self.layout.slots_at.row(place.index()) {
            let mut rf = self.active.out_of_slot[slot.index()];
            while rf != NONE {
                self.simulation.pending[self.layout.slots[slot.index()].address as usize] += 1;
                rf = self.active.next_out_of[rf as usize];
            }
        }
        self.pass_mutexes(place);
    }

    fn pass_mutexes(&mut self, place: Place) {
        for &section in self.layout.ends_at.row(place.index()) {
            let mutex = self.layout.sections[section.index()].mutex as usize;
            if self.simulation.holder[mutex] == Some(section) && self.end_of(section) == Some(place) {
                self.simulation.holder[mutex] = None;
            }
        }
        for &section in self.layout.locks_at.row(place.index()) {
            if self.active.locked[section.index()] {
                self.simulation.holder[self.layout.sections[section.index()].mutex as usize] = Some(section);
            }
        }
    }

    /// A ready but blocked node and its blocker, after a plain run that stuck.
    fn blocked_pair(&self) -> Option<(Place, Place)> {
        let ready = (0..self.layout.chains).filter_map(|chain| self.ready(chain));
        let mut blocked = ready.filter_map(|place| self.blocker(place).map(|blocker| (place, blocker)));
        blocked.next()
    }

    /// The executed nodes in the order of the last successful simulation.
    pub(crate) fn note_linearisation(&mut self) {
        self.linearisation.clear();
        for index in 0..self.simulation.order.len() {
            let place = self.simulation.order[index];
            if self.value(self.layout.node_guard[place.index()]) == TheoryValue::True {
                self.linearisation.push(self.layout.node_at[place.index()]);
            }
        }
    }
}
