//! Must-precede over places as vectors over chains, in graphs that may have cycles.
//!
//! For each place `p` and chain `t`: `pred` is the last position of `t` from which a path leads to `p`, `succ` the first
//! to which one leads from `p`. A place on a cycle precedes itself. The vectors are always the exact transitive closure
//! (Rule 1) of program order and the inserted edges; old values go on a trail, so that trials can be undone.

use base::{Id, define_id};

define_id!(
    /// A node of an event order graph, in chain-major order.
    Place,
    "p"
);

/// Which chain and position each place has.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    chain_of: Vec<u32>,
    /// One more entry than chains.
    start: Vec<u32>,
}

impl Places {
    pub fn new(lengths: impl IntoIterator<Item = usize>) -> Self {
        let (mut chain_of, mut start) = (Vec::new(), vec![0]);
        for (chain, length) in lengths.into_iter().enumerate() {
            chain_of.resize(chain_of.len() + length, chain as u32);
            start.push(chain_of.len() as u32);
        }
        Self { chain_of, start }
    }

    pub fn len(&self) -> usize {
        self.chain_of.len()
    }

    pub fn chains(&self) -> usize {
        self.start.len() - 1
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Place> + use<> {
        (0..self.chain_of.len()).map(Place::new)
    }

    #[inline]
    pub fn chain(&self, place: Place) -> usize {
        self.chain_of[place.index()] as usize
    }

    #[inline]
    pub fn position(&self, place: Place) -> i32 {
        (place.0 - self.start[self.chain(place)]) as i32
    }

    #[inline]
    pub fn at(&self, chain: usize, position: i32) -> Place {
        Place(self.start[chain] + position as u32)
    }

    #[inline]
    pub fn length(&self, chain: usize) -> i32 {
        (self.start[chain + 1] - self.start[chain]) as i32
    }
}

/// How far to undo.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrecedenceMark(usize);

/// See the module documentation.
#[derive(Clone, Debug)]
pub(crate) struct EogPrecedence {
    pub places: Places,
    pred: Vec<i32>,
    succ: Vec<i32>,
    /// Twice the index, plus one for `succ`, and the old value.
    trail: Vec<(u32, i32)>,
    changed_bits: Vec<u8>,
    changed: Vec<Place>,
    scratch: Vec<i32>,
}

pub(crate) const PRED_CHANGED: u8 = 1;
pub(crate) const SUCC_CHANGED: u8 = 2;

impl EogPrecedence {
    /// Program order alone.
    pub fn new(places: Places) -> Self {
        let chains = places.chains();
        let mut pred = vec![-1; places.len() * chains];
        let mut succ: Vec<i32> = Vec::with_capacity(places.len() * chains);
        for place in places.ids() {
            succ.extend((0..chains).map(|chain| places.length(chain)));
            let own = place.index() * chains + places.chain(place);
            pred[own] = places.position(place) - 1;
            succ[own] = places.position(place) + 1;
        }
        Self {
            pred,
            succ,
            trail: Vec::new(),
            changed_bits: vec![0; places.len()],
            changed: Vec::new(),
            scratch: vec![0; chains],
            places,
        }
    }

    /// Last position of each chain that must come before `place`, or -1.
    #[inline]
    pub fn pred(&self, place: Place) -> &[i32] {
        let chains = self.places.chains();
        &self.pred[place.index() * chains..][..chains]
    }

    /// First position of each chain that must come after `place`, or the chain's length.
    #[inline]
    pub fn succ(&self, place: Place) -> &[i32] {
        let chains = self.places.chains();
        &self.succ[place.index() * chains..][..chains]
    }

    #[inline]
    pub fn precedes(&self, a: Place, b: Place) -> bool {
        self.pred[b.index() * self.places.chains() + self.places.chain(a)] >= self.places.position(a)
    }

    #[inline]
    pub fn is_on_cycle(&self, place: Place) -> bool {
        self.precedes(place, place)
    }

    pub fn mark(&self) -> PrecedenceMark {
        PrecedenceMark(self.trail.len())
    }

    /// Takes back every change since `mark`.
    pub fn undo(&mut self, mark: PrecedenceMark) {
        for (code, old) in self.trail.drain(mark.0..).rev() {
            let table = if code & 1 == 0 { &mut self.pred } else { &mut self.succ };
            table[(code >> 1) as usize] = old;
        }
        for place in self.changed.drain(..) {
            self.changed_bits[place.index()] = 0;
        }
    }

    /// A place whose vectors changed since it was last taken, and which of them.
    pub fn take_changed(&mut self) -> Option<(Place, u8)> {
        let place = self.changed.pop()?;
        Some((place, std::mem::take(&mut self.changed_bits[place.index()])))
    }

    pub fn insert(&mut self, from: Place, to: Place) {
        self.raise_pred(from, to);
        self.lower_succ(from, to);
    }

    /// Everything from `to` on is preceded by `from` and by what precedes `from`. Vectors grow along a chain, so the
    /// first place that does not change ends the walk.
    fn raise_pred(&mut self, from: Place, to: Place) {
        let chains = self.places.chains();
        self.scratch.copy_from_slice(&self.pred[from.index() * chains..][..chains]);
        let own = &mut self.scratch[self.places.chain(from)];
        *own = (*own).max(self.places.position(from));
        for chain in 0..chains {
            let mut first = self.succ[to.index() * chains + chain];
            if chain == self.places.chain(to) {
                first = first.min(self.places.position(to));
            }
            for position in first..self.places.length(chain) {
                let place = self.places.at(chain, position);
                if !self.raise(place) {
                    break;
                }
                self.note_changed(place, PRED_CHANGED);
            }
        }
    }

    fn raise(&mut self, place: Place) -> bool {
        let base = place.index() * self.scratch.len();
        let mut changed = false;
        for (offset, &bound) in self.scratch.iter().enumerate() {
            let entry = &mut self.pred[base + offset];
            if *entry < bound {
                self.trail.push((((base + offset) as u32) << 1, *entry));
                *entry = bound;
                changed = true;
            }
        }
        changed
    }

    /// Everything up to `from` is followed by `to` and by what follows `to`.
    fn lower_succ(&mut self, from: Place, to: Place) {
        let chains = self.places.chains();
        self.scratch.copy_from_slice(&self.succ[to.index() * chains..][..chains]);
        let own = &mut self.scratch[self.places.chain(to)];
        *own = (*own).min(self.places.position(to));
        for chain in 0..chains {
            let mut last = self.pred[from.index() * chains + chain];
            if chain == self.places.chain(from) {
                last = last.max(self.places.position(from));
            }
            for position in (0..=last).rev() {
                let place = self.places.at(chain, position);
                if !self.lower(place) {
                    break;
                }
                self.note_changed(place, SUCC_CHANGED);
            }
        }
    }

    fn lower(&mut self, place: Place) -> bool {
        let base = place.index() * self.scratch.len();
        let mut changed = false;
        for (offset, &bound) in self.scratch.iter().enumerate() {
            let entry = &mut self.succ[base + offset];
            if *entry > bound {
                self.trail.push((((base + offset) as u32) << 1 | 1, *entry));
                *entry = bound;
                changed = true;
            }
        }
        changed
    }

    fn note_changed(&mut self, place: Place, bit: u8) {
        let bits = &mut self.changed_bits[place.index()];
        if *bits == 0 {
            self.changed.push(place);
        }
        *bits |= bit;
    }
}
