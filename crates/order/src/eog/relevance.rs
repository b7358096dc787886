//! Which places can take part in a derivation of a cycle. Kernel reasons are searched among these only.
//!
//! Relevant are the places on cycles, and, for every rule whose conclusion joins two relevant places, all places between
//! the two ends of its premise. A premise that program order and unconditional edges alone give needs no search: its
//! reason is empty.

use base::Id;
use rustc_hash::FxHashSet;

use super::closure::{Closure, interferes};
use super::precedence::{EogPrecedence, Place};

pub(crate) struct Relevance<'a> {
    closure: &'a Closure<'a>,
    certain: &'a EogPrecedence,
    relevant: Vec<bool>,
    count: usize,
    /// By place: a place at or after it, with no open (irrelevant) place from it up to there. One more entry than places.
    next_open: Vec<u32>,
    /// Premises whose places are marked.
    premises: FxHashSet<(Place, Place)>,
}

/// By place: whether it is relevant. `certain` holds program order and unconditional edges.
pub(crate) fn relevant_places(closure: &Closure<'_>, certain: &EogPrecedence) -> Vec<bool> {
    let relevant: Vec<bool> = closure.eog.places.ids().map(|place| closure.order.is_on_cycle(place)).collect();
    let count = relevant.iter().filter(|&&on_cycle| on_cycle).count();
    let next_open = (0..=relevant.len() as u32).collect();
    let mut marking = Relevance { closure, certain, relevant, count, next_open, premises: FxHashSet::default() };
    loop {
        let before = marking.count;
        marking.mark_read_from_premises();
        marking.mark_lock_premises();
        if marking.count == before || marking.count == marking.relevant.len() {
            return marking.relevant;
        }
    }
}

impl Relevance<'_> {
    fn is_relevant(&self, place: Place) -> bool {
        self.relevant[place.index()]
    }

    fn mark_read_from_premises(&mut self) {
        let eog = self.closure.eog;
        for link in &eog.links {
            let (source, target) = (self.is_relevant(link.source), self.is_relevant(link.target));
            if !source && !target {
                continue;
            }
            for write in &eog.writes[link.address as usize] {
                if !self.is_relevant(write.place) || !interferes(write.place, link) {
                    continue;
                }
                if source {
                    self.mark_premise(write.place, link.target);
                }
                if target {
                    self.mark_premise(link.source, write.place);
                }
            }
        }
    }

    fn mark_lock_premises(&mut self) {
        let eog = self.closure.eog;
        for first in &eog.sections {
            for second in &eog.sections {
                if first.id == second.id || first.mutex != second.mutex {
                    continue;
                }
                let ended = first.candidates.iter().any(|&(end, _)| self.is_relevant(end));
                let endless = !first.ends && self.is_relevant(first.lock);
                if endless || ended && self.is_relevant(second.lock) {
                    second.candidates.iter().for_each(|&(end, _)| self.mark_premise(first.lock, end));
                }
            }
        }
    }

    /// Marks everything between `from` and `to` if `from` must precede `to` for some reason.
    fn mark_premise(&mut self, from: Place, to: Place) {
        let order = &self.closure.order;
        if !order.precedes(from, to) || self.certain.precedes(from, to) || !self.premises.insert((from, to)) {
            return;
        }
        let places = &order.places;
        for chain in 0..places.chains() {
            let mut first = order.succ(from)[chain];
            let mut last = order.pred(to)[chain];
            if chain == places.chain(from) {
                first = first.min(places.position(from));
            }
            if chain == places.chain(to) {
                last = last.max(places.position(to));
            }
            if first <= last {
                self.mark_between(places.at(chain, first), places.at(chain, last));
            }
        }
    }

    fn mark_between(&mut self, first: Place, last: Place) {
        let mut open = self.first_open(first.0);
        while open <= last.0 {
            self.relevant[open as usize] = true;
            self.count += 1;
            open = self.first_open(open);
        }
    }

    /// The first irrelevant place at or after `place`, shortening the way for the next time.
    fn first_open(&mut self, place: u32) -> u32 {
        let mut open = place;
        while (open as usize) < self.relevant.len() && self.relevant[open as usize] {
            open = self.next_open[open as usize].max(open + 1);
        }
        let mut passed = place;
        while passed < open {
            passed = std::mem::replace(&mut self.next_open[passed as usize], open).max(passed + 1);
        }
        open
    }
}
