//! Algorithm 2 of the Yogar-CBMC paper: all core kernel reasons of all cycles of an event order graph.
//!
//! The paper keeps a set of reasons 𝕆(λ) for every derived order λ. Here the orders that start at one place and end in
//! one chain share a list of (position, reason): the reason gives the order to this position and to all later ones of
//! the chain. Reasons come in the order of their length, so that those kept per order are the shortest, and
//! - an entry is *redundant* if another one reaches at least as far with a subset of its literals;
//! - an entry is *capped* if enough entries reach at least as far; at least one reason of every order is always kept, so
//!   a cycle never goes without a reason;
//! - an entry that contains a known kernel reason is dropped: no minimal reason can come of it.
//!
//! Uncapped, the result is exactly the set of minimal reasons under Rules 1–3 and the lock rule. The work is bounded: once
//! the limit is reached, one reason per order is all that is kept, which leaves a polynomial rest, and the search ends
//! with the length at which it has a kernel reason. The budget is looked at all the while.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use base::{Budget, Id, StopReason};
use solve::Lit;

use super::closure::{Closure, interferes};
use super::event_order_graph::{ActiveSection, EventOrderGraph};
use super::kernel_reason::{ReasonId, Reasons};
use super::precedence::{EogPrecedence, Place};
use super::relevance::relevant_places;

/// Limits of the search. None of them makes a reason wrong; they only leave reasons out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelSearchOptions {
    /// Reasons kept per order, the shortest ones; at least 1. Default 4.
    pub per_order: usize,
    /// In graphs so large that `per_order` reasons for all orders would be more than this many entries, fewer are kept
    /// per order, but at least 1. Default 4,000.
    pub entries: usize,
    /// Kernel reasons per counterexample, the shortest ones; at least 1. Default 500.
    pub per_round: usize,
    /// After this many proposed reasons only one reason per order is kept, and the search goes on only to the end of the
    /// length at which it has a kernel reason. Default 50,000.
    pub work: usize,
}

impl KernelSearchOptions {
    /// Without limits: exactly the minimal reasons. Exponential.
    pub const UNLIMITED: Self =
        Self { per_order: usize::MAX, entries: usize::MAX, per_round: usize::MAX, work: usize::MAX };
}

impl Default for KernelSearchOptions {
    fn default() -> Self {
        Self { per_order: 4, entries: 4_000, per_round: 500, work: 50_000 }
    }
}

/// The core kernel reasons of one counterexample.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KernelReasons {
    /// True literals that cannot hold together, shortest first; no set entails another.
    pub reasons: Vec<Vec<Lit>>,
    /// Reasons of orders that were left out because of [`KernelSearchOptions::per_order`].
    pub cap_hits: u64,
    /// One of the other two limits ended the search.
    pub cut: bool,
}

/// All core kernel reasons of a cyclic `closure`, within the limits.
pub fn core_kernel_reasons(
    closure: &Closure<'_>,
    options: KernelSearchOptions,
    budget: &Budget,
) -> Result<KernelReasons, StopReason> {
    let mut search = KernelSearch::new(closure, options);
    search.start();
    search.run(budget)?;
    Ok(search.finish())
}

/// Steps between two looks at the budget.
const STEPS_PER_CHECK: u32 = 256;

const CONTAINS_KERNEL: u32 = u32::MAX;

/// The order from a place to a position of a chain and everything after it there.
#[derive(Clone, Copy, Debug)]
struct KernelEntry {
    position: i32,
    reason: ReasonId,
}

/// An order to be looked at. The fields are in the order of precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct KernelCandidate {
    length: u32,
    position: i32,
    from: Place,
    chain: u32,
    reason: ReasonId,
    /// A rule or an edge leads to this very place, so what follows it also follows `from`.
    direct: bool,
}

struct KernelSearch<'a> {
    eog: &'a EventOrderGraph<'a>,
    options: KernelSearchOptions,
    /// Reasons kept per order in this graph.
    per_order: usize,
    certain: EogPrecedence,
    relevant: Vec<bool>,
    /// By place: the first relevant place at or after it in its chain.
    next_relevant: Vec<Option<Place>>,
    reasons: Reasons,
    /// Reasons of links, by their index.
    link_reasons: Vec<ReasonId>,
    /// By place · chains + chain.
    orders: Vec<Vec<KernelEntry>>,
    /// By place: where direct orders to it come from, with their reasons.
    direct_into: Vec<Vec<(Place, ReasonId)>>,
    /// By place: indices of sections.
    locks_at: Vec<Vec<u32>>,
    queue: BinaryHeap<Reverse<KernelCandidate>>,
    kernel: Vec<ReasonId>,
    /// Proposals so far.
    work: usize,
    /// By reason: the number of kernel reasons that it is known not to contain, or [`CONTAINS_KERNEL`].
    compared: Vec<u32>,
    result: KernelReasons,
}

impl<'a> KernelSearch<'a> {
    fn new(closure: &'a Closure<'a>, options: KernelSearchOptions) -> Self {
        let eog = closure.eog;
        let certain = certain_order(eog);
        let mut reasons = Reasons::new(eog);
        let link_reasons = eog.links.iter().map(|link| reasons.set(&[link.lit])).collect();
        let mut locks_at = vec![Vec::new(); eog.places.len()];
        for (index, section) in eog.sections.iter().enumerate() {
            locks_at[section.lock.index()].push(index as u32);
        }
        let relevant = relevant_places(closure, &certain);
        let lists = relevant.iter().filter(|&&relevant| relevant).count() * eog.places.chains();
        Self {
            eog,
            options,
            per_order: options.per_order.min(options.entries / lists.max(1)).max(1),
            next_relevant: next_relevant(eog, &relevant),
            relevant,
            certain,
            reasons,
            link_reasons,
            orders: vec![Vec::new(); eog.places.len() * eog.places.chains()],
            direct_into: vec![Vec::new(); eog.places.len()],
            locks_at,
            queue: BinaryHeap::new(),
            kernel: Vec::new(),
            work: 0,
            compared: Vec::new(),
            result: KernelReasons::default(),
        }
    }

    /// What needs no derivation: certain orders, edges, links, and the rules whose premises are certain.
    fn start(&mut self) {
        for place in self.eog.places.ids() {
            if self.relevant[place.index()] {
                self.enter_certain(place);
            }
        }
        for edge in &self.eog.edges {
            let reason = self.reasons.set(&[edge.lit]);
            self.propose_direct(edge.from, edge.to, reason);
        }
        for (index, link) in self.eog.links.iter().enumerate() {
            self.propose_direct(link.source, link.target, self.link_reasons[index]);
        }
        self.start_read_from_rules();
        self.start_lock_rule();
    }

    /// Certain orders are entered without the queue. Through places that are not relevant they lead to relevant ones.
    fn enter_certain(&mut self, place: Place) {
        let places = &self.eog.places;
        let next = self.relevant_from(places.chain(place), places.position(place) + 1);
        for chain in 0..places.chains() {
            let position = self.certain.succ(place)[chain];
            if position == places.length(chain) {
                continue;
            }
            let entry = KernelEntry { position, reason: Reasons::EMPTY };
            self.orders[place.index() * places.chains() + chain].push(entry);
            let Some(head) = self.relevant_from(chain, position) else { continue };
            let by_program_order = next.is_some_and(|next| next == head || self.certain.precedes(next, head));
            if Some(head) == next || !by_program_order {
                self.direct_into[head.index()].push((place, Reasons::EMPTY));
            }
            if chain == places.chain(place) && position <= places.position(place) {
                self.kernel.push(Reasons::EMPTY);
            }
        }
    }

    /// The first relevant place of `chain` at or after `position`.
    fn relevant_from(&self, chain: usize, position: i32) -> Option<Place> {
        let places = &self.eog.places;
        if position < places.length(chain) { self.next_relevant[places.at(chain, position).index()] } else { None }
    }

    fn start_read_from_rules(&mut self) {
        for index in 0..self.eog.links.len() {
            let link = self.eog.links[index];
            for write in &self.eog.writes[link.address as usize] {
                if !self.relevant[write.place.index()] || !interferes(write.place, &link) {
                    continue;
                }
                if self.certain.precedes(write.place, link.target) {
                    self.apply_rule(write.place, link.source, index, write.guard, Reasons::EMPTY);
                }
                if self.certain.precedes(link.source, write.place) {
                    self.apply_rule(link.target, write.place, index, write.guard, Reasons::EMPTY);
                }
            }
        }
    }

    /// Rule 2 or 3: link `index`, an interfering write with `guard` and `premise` give the order `from`, `to`.
    fn apply_rule(&mut self, from: Place, to: Place, index: usize, guard: Lit, premise: ReasonId) {
        if !self.relevant[from.index()] || !self.relevant[to.index()] {
            return;
        }
        let guard = self.reasons.set(&[guard]);
        let rule = self.reasons.union(self.link_reasons[index], guard);
        let reason = self.reasons.union(rule, premise);
        self.propose_direct(from, to, reason);
    }

    fn start_lock_rule(&mut self) {
        for first in 0..self.eog.sections.len() {
            for second in 0..self.eog.sections.len() {
                let (a, b) = (&self.eog.sections[first], &self.eog.sections[second]);
                if first == second || a.mutex != b.mutex {
                    continue;
                }
                if !b.ends {
                    self.apply_lock_rule(a, b, b.candidates.len(), Reasons::EMPTY);
                }
                for (end, &(unlock, _)) in b.candidates.iter().enumerate() {
                    if self.certain.precedes(a.lock, unlock) {
                        self.apply_lock_rule(a, b, end, Reasons::EMPTY);
                    }
                }
            }
        }
    }

    /// `first` is locked before candidate `end` of `second`, for the reason `premise`. Whichever candidate ends `first`,
    /// it is none of those that are known to be skipped; the fewer of them are used, the weaker and shorter the reason.
    fn apply_lock_rule(&mut self, first: &ActiveSection, second: &ActiveSection, end: usize, premise: ReasonId) {
        let mut literals = vec![first.guard, second.guard];
        literals.extend(second.candidates[..end].iter().map(|&(_, guard)| !guard));
        for &(unlock, guard) in &first.candidates {
            let rule = self.reasons.set(&literals);
            let reason = self.reasons.union(rule, premise);
            self.propose_direct(unlock, second.lock, reason);
            literals.push(!guard);
        }
        if !first.ends {
            let rule = self.reasons.set(&literals);
            let reason = self.reasons.union(rule, premise);
            self.propose_direct(first.lock, first.lock, reason);
        }
    }

    fn run(&mut self, budget: &Budget) -> Result<(), StopReason> {
        let (mut length, mut steps) = (0, 0);
        while let Some(Reverse(candidate)) = self.queue.pop() {
            if steps % STEPS_PER_CHECK == 0 {
                budget.check()?;
            }
            steps += 1;
            let exhausted = self.work >= self.options.work;
            if exhausted {
                self.per_order = 1;
            }
            let found = !self.kernel.is_empty() && candidate.length > length;
            if exhausted && found || self.kernel.len() >= self.options.per_round {
                self.result.cut = true;
                return Ok(());
            }
            length = candidate.length;
            self.look_at(candidate);
        }
        Ok(())
    }

    fn look_at(&mut self, candidate: KernelCandidate) {
        let KernelCandidate { position, from, chain, reason, direct, .. } = candidate;
        if self.contains_kernel(reason)
            || self.is_capped(from, chain as usize, position)
            || self.is_redundant(from, chain as usize, position, reason)
        {
            return;
        }
        self.orders[from.index() * self.eog.places.chains() + chain as usize].push(KernelEntry { position, reason });
        let places = &self.eog.places;
        if chain as usize == places.chain(from) && position <= places.position(from) {
            self.kernel.push(reason);
            return;
        }
        if direct {
            let to = places.at(chain as usize, position);
            self.extend(from, to, reason);
        }
        self.hand_back(from, chain as usize, position, reason);
        self.draw_conclusions(from, chain as usize, position, reason);
    }

    /// Whether a kernel reason is a subset of `reason`; each pair is compared once.
    fn contains_kernel(&mut self, reason: ReasonId) -> bool {
        if self.compared.len() <= reason.index() {
            self.compared.resize(reason.index() + 1, 0);
        }
        let compared = &mut self.compared[reason.index()];
        if *compared != CONTAINS_KERNEL {
            let new = &self.kernel[*compared as usize..];
            let contains = new.iter().any(|&kernel| self.reasons.is_subset(kernel, reason));
            *compared = if contains { CONTAINS_KERNEL } else { self.kernel.len() as u32 };
        }
        *compared == CONTAINS_KERNEL
    }

    /// Whether enough entries from `from` reach `position` of `chain`, all of them with reasons at most as long.
    fn is_capped(&mut self, from: Place, chain: usize, position: i32) -> bool {
        let entries = &self.orders[from.index() * self.eog.places.chains() + chain];
        let as_far = entries.iter().filter(|entry| entry.position <= position).count();
        let capped = as_far >= self.per_order;
        self.result.cap_hits += u64::from(capped);
        capped
    }

    /// Whether an entry reaches as far with a subset of `reason`.
    fn is_redundant(&self, from: Place, chain: usize, position: i32, reason: ReasonId) -> bool {
        let entries = &self.orders[from.index() * self.eog.places.chains() + chain];
        entries.iter().any(|entry| entry.position <= position && self.reasons.is_subset(entry.reason, reason))
    }

    /// What follows `to` follows `from`, now and later.
    fn extend(&mut self, from: Place, to: Place, reason: ReasonId) {
        self.direct_into[to.index()].push((from, reason));
        for chain in 0..self.eog.places.chains() {
            for index in 0..self.orders[to.index() * self.eog.places.chains() + chain].len() {
                let entry = self.orders[to.index() * self.eog.places.chains() + chain][index];
                self.propose(from, chain, entry.position, [reason, entry.reason], false);
            }
        }
    }

    /// What `from` precedes, the places before `from` precede.
    fn hand_back(&mut self, from: Place, chain: usize, position: i32, reason: ReasonId) {
        for index in 0..self.direct_into[from.index()].len() {
            let (earlier, why) = self.direct_into[from.index()][index];
            self.propose(earlier, chain, position, [reason, why], false);
        }
    }

    /// Rules 2 and 3 and the lock rule with the new order as premise. Beyond an entry with a subset of the reason
    /// nothing new can be concluded.
    fn draw_conclusions(&mut self, from: Place, chain: usize, position: i32, reason: ReasonId) {
        let eog = self.eog;
        let limit = self.orders[from.index() * eog.places.chains() + chain]
            .iter()
            .filter(|entry| entry.position > position && self.reasons.is_subset(entry.reason, reason))
            .map(|entry| entry.position)
            .fold(eog.places.length(chain), i32::min);
        for &(address, guard) in &eog.writes_at[from.index()] {
            for &index in eog.links_to(address, chain, position, limit) {
                let link = eog.links[index as usize];
                if interferes(from, &link) {
                    self.apply_rule(from, link.source, index as usize, guard, reason);
                }
            }
        }
        for &index in &eog.links_out[from.index()] {
            let link = eog.links[index as usize];
            for write in eog.writes_in(link.address, chain, position, limit) {
                if interferes(write.place, &link) {
                    self.apply_rule(link.target, write.place, index as usize, write.guard, reason);
                }
            }
        }
        for index in 0..self.locks_at[from.index()].len() {
            let first = &eog.sections[self.locks_at[from.index()][index] as usize];
            for second in eog.sections.iter().filter(|other| other.mutex == first.mutex && other.id != first.id) {
                for (end, &(unlock, _)) in second.candidates.iter().enumerate() {
                    let place = (eog.places.chain(unlock), eog.places.position(unlock));
                    if place.0 == chain && (position..limit).contains(&place.1) {
                        self.apply_lock_rule(first, second, end, reason);
                    }
                }
            }
        }
    }

    fn propose_direct(&mut self, from: Place, to: Place, reason: ReasonId) {
        if self.relevant[to.index()] {
            let (chain, position) = (self.eog.places.chain(to), self.eog.places.position(to));
            self.propose(from, chain, position, [reason, Reasons::EMPTY], true);
        }
    }

    /// Queues an order for the union of two reasons, unless that is known to be useless.
    fn propose(&mut self, from: Place, chain: usize, position: i32, parts: [ReasonId; 2], direct: bool) {
        if !self.relevant[from.index()] {
            return;
        }
        self.work += 1;
        if self.is_capped(from, chain, position) {
            return;
        }
        let reason = self.reasons.union(parts[0], parts[1]);
        if self.is_redundant(from, chain, position, reason) || self.contains_kernel(reason) {
            return;
        }
        let length = self.reasons.length(reason);
        self.queue.push(Reverse(KernelCandidate { length, position, from, chain: chain as u32, reason, direct }));
    }

    /// Kernel reasons were found by length, but reasons of equal length may still entail one another.
    fn finish(mut self) -> KernelReasons {
        let mut core: Vec<ReasonId> = Vec::new();
        for &reason in &self.kernel {
            let redundant = |&other: &ReasonId| other != reason && self.reasons.is_subset(other, reason);
            if !core.contains(&reason) && !self.kernel.iter().any(redundant) {
                core.push(reason);
            }
        }
        self.result.reasons = core.into_iter().map(|reason| self.reasons.core(reason)).collect();
        self.result
    }
}

fn next_relevant(eog: &EventOrderGraph<'_>, relevant: &[bool]) -> Vec<Option<Place>> {
    let mut next = vec![None; relevant.len()];
    for place in eog.places.ids().rev() {
        let last = eog.places.position(place) + 1 == eog.places.length(eog.places.chain(place));
        let later = if last { None } else { next[place.index() + 1] };
        next[place.index()] = if relevant[place.index()] { Some(place) } else { later };
    }
    next
}

/// Program order and the edges without condition.
fn certain_order(eog: &EventOrderGraph<'_>) -> EogPrecedence {
    let mut certain = EogPrecedence::new(eog.places.clone());
    for edge in eog.edges.iter().filter(|edge| edge.lit == eog.graph.true_lit()) {
        if !certain.precedes(edge.from, edge.to) {
            certain.insert(edge.from, edge.to);
        }
    }
    certain
}
