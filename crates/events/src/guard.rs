//! Guards: path conditions, kept as a tree so that the two sides of a branch meet in the guard they came from and
//! implication between guards of one path is a walk towards the root.

use base::{IdVec, define_id};
use terms::{TermId, Terms};

define_id!(
    /// A path condition.
    GuardId,
    "p"
);

#[derive(Clone, Debug)]
struct GuardEntry {
    /// The guard that this one strengthens; the root is its own parent.
    parent: GuardId,
    depth: u32,
    /// What this guard adds to its parent.
    condition: TermId,
    /// The whole conjunction.
    term: TermId,
}

#[derive(Clone, Debug)]
pub struct Guards {
    entries: IdVec<GuardId, GuardEntry>,
}

impl Guards {
    /// The guard that always holds.
    pub const ROOT: GuardId = GuardId(0);

    pub fn new(terms: &mut Terms) -> Self {
        let truth = terms.boolean(true);
        let root = GuardEntry { parent: Self::ROOT, depth: 0, condition: truth, term: truth };
        Self { entries: IdVec::from_vec(vec![root]) }
    }

    pub fn term(&self, guard: GuardId) -> TermId {
        self.entries[guard].term
    }

    /// What a guard adds to its parent.
    pub fn condition(&self, guard: GuardId) -> TermId {
        self.entries[guard].condition
    }

    /// The guard that this one strengthens; the root is its own parent.
    pub fn parent(&self, guard: GuardId) -> GuardId {
        self.entries[guard].parent
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Never: the root is always there.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A guard from its parts, as a text has them: `term` should be the conjunction of the parent and `condition`.
    pub(crate) fn add(&mut self, parent: GuardId, condition: TermId, term: TermId) -> GuardId {
        let depth = self.entries[parent].depth + 1;
        self.entries.push(GuardEntry { parent, depth, condition, term })
    }

    /// `guard ∧ condition`.
    pub fn strengthen(&mut self, terms: &mut Terms, guard: GuardId, condition: TermId) -> GuardId {
        let term = terms.and(self.term(guard), condition);
        if term == self.term(guard) {
            return guard;
        }
        let depth = self.entries[guard].depth + 1;
        self.entries.push(GuardEntry { parent: guard, depth, condition, term })
    }

    /// The guard under which two paths that exclude each other meet, and a condition that, under that guard, holds
    /// exactly on the first path.
    pub fn join(&mut self, terms: &mut Terms, a: GuardId, b: GuardId) -> (GuardId, TermId) {
        let meet = self.common_ancestor(a, b);
        let (first, second) = (self.between(terms, meet, a), self.between(terms, meet, b));
        let either = terms.or(first, second);
        (self.strengthen(terms, meet, either), first)
    }

    /// Whether `a` implies `b` because `a` was made by strengthening `b`.
    pub fn implies(&self, a: GuardId, b: GuardId) -> bool {
        let target = self.entries[b].depth;
        let mut at = a;
        while self.entries[at].depth > target {
            at = self.entries[at].parent;
        }
        at == b || self.term(a) == self.term(b)
    }

    fn common_ancestor(&self, mut a: GuardId, mut b: GuardId) -> GuardId {
        while a != b {
            if self.entries[a].depth >= self.entries[b].depth {
                a = self.entries[a].parent;
            } else {
                b = self.entries[b].parent;
            }
        }
        a
    }

    /// What `guard` adds to its ancestor `from`.
    fn between(&self, terms: &mut Terms, from: GuardId, mut guard: GuardId) -> TermId {
        let mut conditions = Vec::new();
        while guard != from {
            conditions.push(self.entries[guard].condition);
            guard = self.entries[guard].parent;
        }
        let truth = terms.boolean(true);
        conditions.into_iter().rev().fold(truth, |all, condition| terms.and(all, condition))
    }
}
