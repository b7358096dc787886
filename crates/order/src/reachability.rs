//! Must-precede as vectors over chains instead of an n×n table.
//!
//! For each place `p` and chain `t`: `pred` is the last position of `t` that must come strictly before `p`, `succ` the
//! first that must come strictly after it. Inserting an edge updates the entries that change and notes old values on a
//! trail; undoing is popping. The vectors are always the exact closure of program order and the edges on the stack.
//! Memory is O(n·T). Edges are numbered by their time of insertion, which is what explanations rely on.

use base::{Id, define_id};
use solve::Lit;

use crate::graph::{EventId, ReadFromId, SectionId};

define_id!(
    /// A node in chain-major order: `chain_start[chain] + position`.
    Place,
    "p"
);

/// Why an edge is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeCause {
    /// The literal is true; the graph's constant for unconditional edges.
    Literal(Lit),
    /// The read follows the write it sees.
    ReadFrom(ReadFromId),
    /// Rule 2: `write` precedes the read, so it precedes the write that the read sees.
    Overwritten { rf: ReadFromId, write: EventId },
    /// Rule 3: `write` follows the write that is seen, so it follows the read.
    FromRead { rf: ReadFromId, write: EventId },
    /// Lock rule: `first` is locked before `second` ends, so `first` ends before `second` is locked. The numbers are the
    /// unlock candidates used; all before them are not executed. `second_end` may be one beyond the last.
    Lock { first: SectionId, first_end: u32, second: SectionId, second_end: u32 },
    /// A trial of the simulation; never explained.
    Commitment,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct DirectEdge {
    pub from: Place,
    pub to: Place,
    pub cause: EdgeCause,
    /// The edge inserted before this one with the same `from`.
    pub next_out: u32,
}

pub(crate) const NO_EDGE: u32 = u32::MAX;

/// One entry that changed, and its value before.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ReachabilityChange {
    Pred { place: Place, chain: usize, old: i32 },
    Succ { place: Place, chain: usize, old: i32 },
}

/// How far to undo.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReachabilityMark {
    /// Number of changes so far.
    pub trail: usize,
    edges: usize,
}

pub(crate) struct Reachability {
    chains: usize,
    chain_of: Vec<u32>,
    chain_start: Vec<u32>,
    pred: Vec<i32>,
    succ: Vec<i32>,
    /// Index (twice, plus one for `succ`) and old value.
    trail: Vec<(u32, i32)>,
    pub edges: Vec<DirectEdge>,
    pub first_out: Vec<u32>,
    /// Places whose `pred` (bit 0) or `succ` (bit 1) changed since they were last taken.
    changed_bits: Vec<u8>,
    changed: Vec<Place>,
    scratch: Vec<i32>,
}

pub(crate) const PRED_CHANGED: u8 = 1;
pub(crate) const SUCC_CHANGED: u8 = 2;

impl Reachability {
    /// Chains of the given lengths, without edges.
    pub fn new(lengths: &[usize]) -> Self {
        let chains = lengths.len();
        let places: usize = lengths.iter().sum();
        let mut chain_of = Vec::with_capacity(places);
        let mut chain_start = Vec::with_capacity(chains + 1);
        let mut pred = Vec::with_capacity(places * chains);
        let mut succ = Vec::with_capacity(places * chains);
        for (chain, &length) in lengths.iter().enumerate() {
            chain_start.push(chain_of.len() as u32);
            for position in 0..length {
                chain_of.push(chain as u32);
                for (other, &other_length) in lengths.iter().enumerate() {
                    let own = other == chain;
                    pred.push(if own { position as i32 - 1 } else { -1 });
                    succ.push(if own { position as i32 + 1 } else { other_length as i32 });
                }
            }
        }
        chain_start.push(chain_of.len() as u32);
        Self {
            chains,
            chain_of,
            chain_start,
            pred,
            succ,
            trail: Vec::new(),
            edges: Vec::new(),
            first_out: vec![NO_EDGE; places],
            changed_bits: vec![0; places],
            changed: Vec::with_capacity(places),
            scratch: vec![0; chains],
        }
    }

    #[inline]
    pub fn chain(&self, place: Place) -> usize {
        self.chain_of[place.index()] as usize
    }

    #[inline]
    pub fn position(&self, place: Place) -> i32 {
        place.0 as i32 - self.chain_start[self.chain(place)] as i32
    }

    #[inline]
    pub fn place(&self, chain: usize, position: i32) -> Place {
        Place(self.chain_start[chain] + position as u32)
    }

    #[inline]
    pub fn length(&self, chain: usize) -> i32 {
        (self.chain_start[chain + 1] - self.chain_start[chain]) as i32
    }

    /// Last position of each chain that must come before `place`.
    #[inline]
    pub fn pred(&self, place: Place) -> &[i32] {
        &self.pred[place.index() * self.chains..][..self.chains]
    }

    /// First position of each chain that must come after `place`.
    #[inline]
    pub fn succ(&self, place: Place) -> &[i32] {
        &self.succ[place.index() * self.chains..][..self.chains]
    }

    /// Whether `a` must strictly precede `b`.
    #[inline]
    pub fn precedes(&self, a: Place, b: Place) -> bool {
        self.pred[b.index() * self.chains + self.chain(a)] >= self.position(a)
    }

    pub fn mark(&self) -> ReachabilityMark {
        ReachabilityMark { trail: self.trail.len(), edges: self.edges.len() }
    }

    /// Takes everything back that happened since `mark`. What had changed is no longer marked as changed.
    pub fn undo(&mut self, mark: ReachabilityMark) {
        while self.edges.len() > mark.edges {
            let Some(edge) = self.edges.pop() else { break };
            self.first_out[edge.from.index()] = edge.next_out;
        }
        while self.trail.len() > mark.trail {
            let Some((code, old)) = self.trail.pop() else { break };
            let table = if code & 1 == 0 { &mut self.pred } else { &mut self.succ };
            table[(code >> 1) as usize] = old;
        }
        for &place in &self.changed {
            self.changed_bits[place.index()] = 0;
        }
        self.changed.clear();
    }

    /// Changes that are not undone, in the order in which they happened.
    pub fn change_count(&self) -> usize {
        self.trail.len()
    }

    pub fn change(&self, index: usize) -> ReachabilityChange {
        let (code, old) = self.trail[index];
        let (entry, chain) = ((code >> 1) as usize / self.chains, (code >> 1) as usize % self.chains);
        let place = Place::new(entry);
        if code & 1 == 0 {
            ReachabilityChange::Pred { place, chain, old }
        } else {
            ReachabilityChange::Succ { place, chain, old }
        }
    }

    /// The next place whose vectors changed, and which of them.
    pub fn take_changed(&mut self) -> Option<(Place, u8)> {
        let place = self.changed.pop()?;
        let bits = std::mem::take(&mut self.changed_bits[place.index()]);
        Some((place, bits))
    }

    /// Inserts an edge that closes no cycle.
    pub fn insert(&mut self, from: Place, to: Place, cause: EdgeCause) {
        debug_assert!(from != to && !self.precedes(to, from), "the caller should have looked for a cycle");
        let index = self.edges.len() as u32;
        let next_out = std::mem::replace(&mut self.first_out[from.index()], index);
        self.edges.push(DirectEdge { from, to, cause, next_out });
        self.raise_pred(from, to);
        self.lower_succ(from, to);
    }

    /// Everything from `to` on gets what precedes `from`, and `from`. Vectors grow along a chain, so the first place
    /// that does not change ends the walk.
    fn raise_pred(&mut self, from: Place, to: Place) {
        let chains = self.chains;
        self.scratch.copy_from_slice(&self.pred[from.index() * chains..][..chains]);
        let (source, own) = (self.chain(from), self.chain(to));
        self.scratch[source] = self.position(from);
        let own_position = self.position(to);
        for chain in 0..chains {
            let first = if chain == own { own_position } else { self.succ[to.index() * chains + chain] };
            for position in first..self.length(chain) {
                let place = self.place(chain, position);
                let base = place.index() * chains;
                let mut changed = false;
                for (offset, &bound) in self.scratch.iter().enumerate() {
                    let entry = &mut self.pred[base + offset];
                    if *entry < bound {
                        self.trail.push((((base + offset) as u32) << 1, *entry));
                        *entry = bound;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
                self.note_changed(place, PRED_CHANGED);
            }
        }
    }

    /// Everything up to `from` gets what follows `to`, and `to`.
    fn lower_succ(&mut self, from: Place, to: Place) {
        let chains = self.chains;
        self.scratch.copy_from_slice(&self.succ[to.index() * chains..][..chains]);
        let (target, own) = (self.chain(to), self.chain(from));
        self.scratch[target] = self.position(to);
        let own_position = self.position(from);
        for chain in 0..chains {
            let last = if chain == own { own_position } else { self.pred[from.index() * chains + chain] };
            for position in (0..=last).rev() {
                let place = self.place(chain, position);
                let base = place.index() * chains;
                let mut changed = false;
                for (offset, &bound) in self.scratch.iter().enumerate() {
                    let entry = &mut self.succ[base + offset];
                    if *entry > bound {
                        self.trail.push((((base + offset) as u32) << 1 | 1, *entry));
                        *entry = bound;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
                self.note_changed(place, SUCC_CHANGED);
            }
        }
    }

    #[inline]
    fn note_changed(&mut self, place: Place, bit: u8) {
        let bits = &mut self.changed_bits[place.index()];
        if *bits == 0 {
            self.changed.push(place);
        }
        *bits |= bit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(reach: &Reachability) -> (Vec<i32>, Vec<i32>) {
        (reach.pred.clone(), reach.succ.clone())
    }

    /// Inserts random edges, undoes random suffixes, and compares with vectors built anew from the edges that are left.
    #[test]
    fn undo_gives_what_a_fresh_start_gives() {
        let lengths = [4, 3, 5, 2];
        let mut seed = 12345u64;
        let mut random = |bound: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % bound
        };
        let mut reach = Reachability::new(&lengths);
        let mut marks = Vec::new();
        for _ in 0..20_000 {
            if random(4) == 0 && !marks.is_empty() {
                let keep = random(marks.len() as u64) as usize;
                reach.undo(marks[keep]);
                marks.truncate(keep);
            }
            let (from, to) = (Place(random(14) as u32), Place(random(14) as u32));
            if from != to && !reach.precedes(to, from) && !reach.precedes(from, to) {
                marks.push(reach.mark());
                reach.insert(from, to, EdgeCause::Commitment);
            }
            let mut fresh = Reachability::new(&lengths);
            for edge in &reach.edges {
                fresh.insert(edge.from, edge.to, edge.cause);
            }
            assert_eq!(snapshot(&reach), snapshot(&fresh));
            assert_eq!(reach.first_out, fresh.first_out);
        }
    }
}
