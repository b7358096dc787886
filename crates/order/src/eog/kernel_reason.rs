//! Sets of literals as reasons (Section 5.1 of the Yogar-CBMC paper), each stored once.
//!
//! A read-from literal implies the guards of its two events and their nodes. Sets are stored closed under this
//! implication, so that plain inclusion is entailment; the *core* of a set leaves the implied guards out.
//!
//! Members are small numbers given to literals in the order in which they are met, with one bit for "another member
//! implies it". The implication has depth one, so a member of a union is implied iff it is implied in one of the parts:
//! a union is a single merge.

use base::{Id, define_id};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use solve::Lit;

use super::event_order_graph::EventOrderGraph;

define_id!(
    /// A set of literals in a [`Reasons`].
    ReasonId,
    "o"
);

/// Twice the number of a literal, plus one if another member of the set implies it.
type Member = u32;

const IMPLIED: Member = 1;

struct ReasonSummary {
    /// A superset of another set has a superset of its bits.
    signature: u64,
    /// Number of literals of the core.
    length: u32,
}

pub(crate) struct Reasons {
    /// Sorted, closed under implication.
    sets: IndexSet<Box<[Member]>, FxBuildHasher>,
    summaries: Vec<ReasonSummary>,
    unions: FxHashMap<(ReasonId, ReasonId), ReasonId>,
    true_lit: Lit,
    numbers: FxHashMap<Lit, u32>,
    /// By number.
    literals: Vec<Lit>,
    /// Guards that each read-from literal implies. No read-from literal is listed as implied, so that what implies
    /// something is never left out of a core itself.
    implied: FxHashMap<Lit, Vec<Lit>>,
    scratch: Vec<Member>,
}

impl Reasons {
    pub const EMPTY: ReasonId = ReasonId(0);

    pub fn new(eog: &EventOrderGraph<'_>) -> Self {
        let mut reasons = Self {
            sets: IndexSet::default(),
            summaries: Vec::new(),
            unions: FxHashMap::default(),
            true_lit: eog.graph.true_lit(),
            numbers: FxHashMap::default(),
            literals: Vec::new(),
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
        let true_lit = self.true_lit;
        for &lit in literals.iter().filter(|&&lit| lit != true_lit) {
            closed.push(self.number(lit) << 1);
            let guards = self.implied.get(&lit).cloned().unwrap_or_default();
            closed.extend(guards.into_iter().map(|guard| self.number(guard) << 1 | IMPLIED));
        }
        // Of two entries of one literal the implied one stays.
        closed.sort_unstable_by_key(|&member| (member >> 1, member & IMPLIED == 0));
        closed.dedup_by_key(|member| *member >> 1);
        let id = self.intern(&closed);
        self.scratch = closed;
        id
    }

    fn number(&mut self, lit: Lit) -> u32 {
        *self.numbers.entry(lit).or_insert_with(|| {
            self.literals.push(lit);
            (self.literals.len() - 1) as u32
        })
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
        merge(&self.sets[a.index()], &self.sets[b.index()], &mut union);
        let id = self.intern(&union);
        self.scratch = union;
        self.unions.insert(key, id);
        id
    }

    fn intern(&mut self, members: &[Member]) -> ReasonId {
        if let Some(index) = self.sets.get_index_of(members) {
            return ReasonId::new(index);
        }
        let signature = members.iter().fold(0, |bits, &member| bits | signature_bit(member));
        let length = members.iter().filter(|&&member| member & IMPLIED == 0).count() as u32;
        self.summaries.push(ReasonSummary { signature, length });
        ReasonId::new(self.sets.insert_full(members.into()).0)
    }

    /// Whether every literal of `a` is in, or implied by, `b`.
    pub fn is_subset(&self, a: ReasonId, b: ReasonId) -> bool {
        if a == b || a == Self::EMPTY {
            return true;
        }
        let signatures = (self.summaries[a.index()].signature, self.summaries[b.index()].signature);
        signatures.0 & !signatures.1 == 0 && includes(&self.sets[b.index()], &self.sets[a.index()])
    }

    /// Number of literals without implied ones.
    pub fn length(&self, reason: ReasonId) -> u32 {
        self.summaries[reason.index()].length
    }

    /// The literals without implied ones, sorted.
    pub fn core(&self, reason: ReasonId) -> Vec<Lit> {
        let members = self.sets[reason.index()].iter().filter(|&&member| member & IMPLIED == 0);
        let mut core: Vec<Lit> = members.map(|&member| self.literals[(member >> 1) as usize]).collect();
        core.sort_unstable();
        core
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

fn signature_bit(member: Member) -> u64 {
    1 << ((u64::from(member >> 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58)
}

fn merge(a: &[Member], b: &[Member], union: &mut Vec<Member>) {
    union.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        let (first, second) = (x >> 1 <= y >> 1, y >> 1 <= x >> 1);
        union.push(match (first, second) {
            (true, true) => x | y,
            (true, false) => x,
            _ => y,
        });
        i += usize::from(first);
        j += usize::from(second);
    }
    union.extend_from_slice(&a[i..]);
    union.extend_from_slice(&b[j..]);
}

fn includes(larger: &[Member], smaller: &[Member]) -> bool {
    let mut rest = larger.iter();
    smaller.len() <= larger.len() && smaller.iter().all(|member| rest.any(|other| other >> 1 == member >> 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::OrderGraph;
    use solve::Var;

    /// One read under guard `g1` in a node under `g2`, its source certain; the read-from literal implies both guards.
    fn graph() -> (OrderGraph, [Lit; 4]) {
        let lit = |number| Var::new(number).positive();
        let mut graph = OrderGraph::new(lit(1));
        let (g1, g2, rf, other) = (lit(2), lit(3), lit(4), lit(5));
        let address = graph.add_address();
        let (a, b) = (graph.add_chain(), graph.add_chain());
        let (source, target) = (graph.add_node(a, lit(1)), graph.add_node(b, g2));
        let write = graph.add_write(source, address, lit(1));
        let read = graph.add_read(target, address, g1);
        graph.add_read_from(write, read, rf);
        (graph, [g1, g2, rf, other])
    }

    #[test]
    fn a_union_keeps_what_is_implied_out_of_its_core() {
        let (graph, [g1, g2, rf, other]) = graph();
        let eog = EventOrderGraph::new(&graph, |_| true);
        let mut reasons = Reasons::new(&eog);
        let guards = reasons.set(&[g1, g2, other]);
        let link = reasons.set(&[rf]);
        assert_eq!((reasons.length(guards), reasons.length(link)), (3, 1));
        let both = reasons.union(guards, link);
        assert_eq!(reasons.core(both), [rf, other]);
        assert_eq!(reasons.length(both), 2);
        assert_eq!(both, reasons.set(&[other, g2, rf]));
        let guard = reasons.set(&[g2]);
        assert!(reasons.is_subset(guard, link) && reasons.is_subset(guards, both) && !reasons.is_subset(both, guards));
        assert!(!reasons.is_subset(guards, link), "the literal besides the guards is missing");
    }
}
