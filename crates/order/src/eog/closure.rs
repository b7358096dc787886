//! Algorithm 1 of the Yogar-CBMC paper: Rules 1–3 (and the lock rule) applied to an event order graph until nothing
//! changes. A node that must precede itself makes the graph infeasible; otherwise it is not sure yet.
//!
//! Rule 1 is the vectors of [`EogPrecedence`]. For Rules 2 and 3 one write per chain is enough: the last one before the
//! read and the first one after the source; program order gives the rest.

use base::Id;

use super::event_order_graph::{EventOrderGraph, Link};
use super::precedence::{EogPrecedence, PRED_CHANGED, Place, PrecedenceMark, SUCC_CHANGED};
use crate::graph::NodeId;

/// The closed order of an event order graph.
#[derive(Clone, Debug)]
pub struct Closure<'e> {
    pub(crate) eog: &'e EventOrderGraph<'e>,
    pub(crate) order: EogPrecedence,
    /// The orders that Rules 2 and 3 and the lock rule added, without what transitivity gives.
    pub(crate) derived: Vec<(Place, Place)>,
    /// How many orders had been derived when the first cycle closed.
    first_cycle: Option<usize>,
    /// Indices of sections by their mutex, and by the place that ends them.
    sections_of: Vec<Vec<u32>>,
    ends_at: Vec<Vec<u32>>,
}

/// How far to undo.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClosureMark {
    order: PrecedenceMark,
    derived: usize,
    first_cycle: Option<usize>,
}

impl<'e> Closure<'e> {
    pub fn new(eog: &'e EventOrderGraph<'e>) -> Self {
        let mut sections_of = vec![Vec::new(); eog.graph.mutex_count()];
        let mut ends_at = vec![Vec::new(); eog.places.len()];
        for (index, section) in eog.sections.iter().enumerate() {
            sections_of[section.mutex as usize].push(index as u32);
            if let Some(end) = section.end() {
                ends_at[end.index()].push(index as u32);
            }
        }
        let order = EogPrecedence::new(eog.places.clone());
        let mut closure = Self { eog, order, derived: Vec::new(), first_cycle: None, sections_of, ends_at };
        for edge in &eog.edges {
            closure.add(edge.from, edge.to);
        }
        for link in &eog.links {
            closure.add(link.source, link.target);
        }
        // What program order alone triggers.
        for link in &eog.links {
            closure.rule_2(link);
            closure.rule_3(link);
        }
        for section in 0..eog.sections.len() {
            closure.lock_rule(section);
        }
        closure.close();
        closure
    }

    /// Some node must precede itself: the counterexample is infeasible.
    pub fn is_cyclic(&self) -> bool {
        self.first_cycle.is_some()
    }

    /// Whether `a` must precede `b`; `None` if one of them is not in the graph.
    pub fn precedes(&self, a: NodeId, b: NodeId) -> Option<bool> {
        let place = |node: NodeId| self.eog.node_at.iter().position(|&other| other == node).map(Place::new);
        Some(self.order.precedes(place(a)?, place(b)?))
    }

    /// The orders that the rules derived, without those that follow by transitivity.
    pub fn derived(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.derived.iter().map(|&(from, to)| (self.eog.node_at[from.index()], self.eog.node_at[to.index()]))
    }

    /// How many of the orders were derived after the first cycle had closed.
    pub(crate) fn derived_after_a_cycle(&self) -> usize {
        self.first_cycle.map_or(0, |before| self.derived.len() - before)
    }

    pub(crate) fn mark(&self) -> ClosureMark {
        ClosureMark { order: self.order.mark(), derived: self.derived.len(), first_cycle: self.first_cycle }
    }

    pub(crate) fn undo(&mut self, mark: ClosureMark) {
        self.order.undo(mark.order);
        self.derived.truncate(mark.derived);
        self.first_cycle = mark.first_cycle;
    }

    /// Adds an order; [`close`](Self::close) draws the consequences.
    pub(crate) fn add(&mut self, from: Place, to: Place) {
        if self.order.precedes(from, to) {
            return;
        }
        if self.first_cycle.is_none() && (from == to || self.order.precedes(to, from)) {
            self.first_cycle = Some(self.derived.len());
        }
        self.order.insert(from, to);
    }

    pub(crate) fn close(&mut self) {
        let eog = self.eog;
        while let Some((place, bits)) = self.order.take_changed() {
            if bits & PRED_CHANGED != 0 {
                for &link in &eog.links_into[place.index()] {
                    self.rule_2(&eog.links[link as usize]);
                }
                for index in 0..self.ends_at[place.index()].len() {
                    self.lock_rule(self.ends_at[place.index()][index] as usize);
                }
            }
            if bits & SUCC_CHANGED != 0 {
                for &link in &eog.links_out[place.index()] {
                    self.rule_3(&eog.links[link as usize]);
                }
            }
        }
    }

    fn derive(&mut self, from: Place, to: Place) {
        if !self.order.precedes(from, to) {
            self.derived.push((from, to));
            self.add(from, to);
        }
    }

    /// A write that must come before the read must come before the write that is read.
    fn rule_2(&mut self, link: &Link) {
        for chain in 0..self.eog.places.chains() {
            let limit = self.order.pred(link.target)[chain] + 1;
            let writes = self.eog.writes_in(link.address, chain, 0, limit);
            if let Some(write) = writes.iter().rev().find(|write| interferes(write.place, link)) {
                self.derive(write.place, link.source);
            }
        }
    }

    /// A write that must come after the write that is read must come after the read.
    fn rule_3(&mut self, link: &Link) {
        for chain in 0..self.eog.places.chains() {
            let first = self.order.succ(link.source)[chain];
            let writes = self.eog.writes_in(link.address, chain, first, self.eog.places.length(chain));
            if let Some(write) = writes.iter().find(|write| interferes(write.place, link)) {
                self.derive(link.target, write.place);
            }
        }
    }

    /// Sections that are locked before `second` ends end before it is locked.
    fn lock_rule(&mut self, second: usize) {
        let eog = self.eog;
        let (lock, end) = (eog.sections[second].lock, eog.sections[second].end());
        for index in 0..self.sections_of[eog.sections[second].mutex as usize].len() {
            let first = self.sections_of[eog.sections[second].mutex as usize][index] as usize;
            let premise = end.is_none_or(|end| self.order.precedes(eog.sections[first].lock, end));
            if first == second || !premise {
                continue;
            }
            match eog.sections[first].end() {
                Some(end) => self.derive(end, lock),
                // It never ends, and yet another one comes later.
                None => self.derive(eog.sections[first].lock, eog.sections[first].lock),
            }
        }
    }
}

/// Inside the nodes of a link the clauses of the abstraction decide.
pub(crate) fn interferes(write: Place, link: &Link) -> bool {
    write != link.source && write != link.target
}
