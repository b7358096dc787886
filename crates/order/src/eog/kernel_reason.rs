//! Sets of literals as reasons (Section 5.1 of the Yogar-CBMC paper), each stored once.
//!
//! A read-from literal implies the guards of its two events and their nodes. Sets are stored closed under this
//! implication, so that plain inclusion is entailment; the *core* of a set leaves the implied guards out.

use base::{Id, define_id};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::Lit;

use super::event_order_graph::EventOrderGraph;

define_id!(
    /// A set of literals in a [`Reasons`].
    ReasonId,
    "o"
);

struct Set {
    /// Sorted, closed under implication.
    literals: Box<[Lit]>,
    /// A superset of another set has a superset of its bits.
    signature: u64,
    /// Number of literals of the core.
    length: u32,
}

pub(crate) struct Reasons {
    sets: Vec<Set>,
    ids: FxHashMap<Box<[Lit]>, ReasonId>,
    unions: FxHashMap<(ReasonId, ReasonId), ReasonId>,
    true_lit: Lit,
    /// Guards that each read-from literal implies. No read-from literal is listed as implied, so that what implies
    /// something is never left out of a core itself.
    implied: FxHashMap<Lit, Vec<Lit>>,
    scratch: Vec<Lit>,
}

impl Reasons {
    pub const EMPTY: ReasonId = ReasonId(0);

    pub fn new(eog: &EventOrderGraph<'_>) -> Self {
        let mut reasons = Self {
            sets: Vec::new(),
            ids: FxHashMap::default(),
            unions: FxHashMap::default(),
            true_lit: eog.graph.true_lit(),
            implied: implied_guards(eog),
            scratch: Vec::new(),
        };
        reasons.set(&[]);
        reasons
    }

    /// The set of `literals` and what they imply. The constant is left out.
    pub fn set(&mut self, literals: &[Lit]) -> ReasonId {
        let mut closed = std::mem::take(&mut self.scratch);
        closed.clear();
        for lit in literals.iter().filter(|&&lit| lit != self.true_lit) {
            closed.push(*lit);
            closed.extend(self.implied.get(lit).into_iter().flatten());
        }
        closed.sort_unstable();
        closed.dedup();
        let id = self.intern(&closed);
        self.scratch = closed;
        id
    }

    pub fn union(&mut self, a: ReasonId, b: ReasonId) -> ReasonId {
        if a == b || b == Self::EMPTY {
            return a;
        }
        if a == Self::EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&id) = self.unions.get(&key) {
            return id;
        }
        let mut union = std::mem::take(&mut self.scratch);
        merge(&self.sets[a.index()].literals, &self.sets[b.index()].literals, &mut union);
        let id = self.intern(&union);
        self.scratch = union;
        self.unions.insert(key, id);
        id
    }

    fn intern(&mut self, literals: &[Lit]) -> ReasonId {
        if let Some(&id) = self.ids.get(literals) {
            return id;
        }
        let id = ReasonId::new(self.sets.len());
        let signature = literals.iter().fold(0, |bits, lit| bits | signature_bit(*lit));
        let length = literals.len() - self.implied_within(literals).count();
        self.sets.push(Set { literals: literals.into(), signature, length: length as u32 });
        self.ids.insert(literals.into(), id);
        id
    }

    /// Whether every literal of `a` is in, or implied by, `b`.
    pub fn is_subset(&self, a: ReasonId, b: ReasonId) -> bool {
        if a == b || a == Self::EMPTY {
            return true;
        }
        let (a, b) = (&self.sets[a.index()], &self.sets[b.index()]);
        a.signature & !b.signature == 0 && a.literals.len() <= b.literals.len() && includes(&b.literals, &a.literals)
    }

    /// Number of literals without implied ones.
    pub fn length(&self, reason: ReasonId) -> u32 {
        self.sets[reason.index()].length
    }

    /// The literals without implied ones.
    pub fn core(&self, reason: ReasonId) -> Vec<Lit> {
        let literals = &self.sets[reason.index()].literals;
        let implied: FxHashSet<Lit> = self.implied_within(literals).collect();
        literals.iter().copied().filter(|lit| !implied.contains(lit)).collect()
    }

    /// The members that another member implies, each once.
    fn implied_within<'a>(&'a self, literals: &'a [Lit]) -> impl Iterator<Item = Lit> + 'a {
        let implied = |lit: &Lit| {
            !self.implied.is_empty()
                && literals.iter().any(|other| self.implied.get(other).is_some_and(|guards| guards.contains(lit)))
        };
        literals.iter().copied().filter(implied)
    }
}

/// For every read-from literal of the graph, the guards that the abstraction's clauses derive from it.
pub(crate) fn implied_guards(eog: &EventOrderGraph<'_>) -> FxHashMap<Lit, Vec<Lit>> {
    let graph = eog.graph;
    let active = eog.read_froms();
    let choices: FxHashSet<Lit> = active.iter().map(|&id| graph.read_froms()[id].lit).collect();
    let mut implied: FxHashMap<Lit, Vec<Lit>> = FxHashMap::default();
    for id in active {
        let rf = graph.read_froms()[id];
        let guards = implied.entry(rf.lit).or_default();
        for event in [graph.events()[rf.write], graph.events()[rf.read]] {
            guards.extend([event.guard, graph.nodes()[event.node].guard]);
        }
        guards.retain(|guard| *guard != graph.true_lit() && !choices.contains(guard));
        guards.sort_unstable();
        guards.dedup();
    }
    implied.retain(|_, guards| !guards.is_empty());
    implied
}

fn signature_bit(lit: Lit) -> u64 {
    1 << ((lit.code() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58)
}

fn merge(a: &[Lit], b: &[Lit], union: &mut Vec<Lit>) {
    union.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        union.push(x.min(y));
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    union.extend_from_slice(&a[i..]);
    union.extend_from_slice(&b[j..]);
}

fn includes(larger: &[Lit], smaller: &[Lit]) -> bool {
    let mut rest = larger.iter();
    smaller.iter().all(|lit| rest.any(|other| other == lit))
}
