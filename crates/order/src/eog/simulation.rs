//! From a closed order without cycle to a total order, by running the counterexample.
//!
//! A node may run when everything that must precede it has run, its writes cut no pending link (source done, read not
//! yet), and the mutexes it locks are free. Nodes that nobody waits for come first; then the one whose readers have the
//! fewest unscheduled predecessors. If that sticks, it is repeated with *commitment*: a write that is read puts all
//! other unscheduled writes of its address behind it, the rules are applied, and a cycle forbids the choice. If that
//! sticks as well, the graph is not sure, and constraint solving has to decide.

use base::Id;

use super::closure::Closure;
use super::precedence::Place;
use crate::graph::NodeId;

/// The executed nodes in a sequentially consistent order, if the simulation finds one. `closure` is without cycle, and
/// comes back as it was.
pub(crate) fn simulate(closure: &mut Closure<'_>) -> Option<Vec<NodeId>> {
    let order = run(closure, false).or_else(|| run(closure, true))?;
    let eog = closure.eog;
    Some(order.into_iter().filter(|p| eog.executed[p.index()]).map(|p| eog.node_at[p.index()]).collect())
}

fn run(closure: &mut Closure<'_>, commitment: bool) -> Option<Vec<Place>> {
    let start = closure.mark();
    let mut simulation = Simulation::new(closure);
    while let Some(place) = simulation.choose() {
        if commitment && !simulation.commit(place) {
            let chain = simulation.closure.eog.places.chain(place);
            simulation.refused[chain] = true;
            continue;
        }
        simulation.refused.fill(false);
        simulation.schedule(place);
    }
    let order = simulation.scheduled;
    closure.undo(start);
    (order.len() == closure.eog.places.len()).then_some(order)
}

struct Simulation<'a, 'e> {
    closure: &'a mut Closure<'e>,
    /// By chain: positions below are done.
    next: Vec<i32>,
    /// By chain: committing to the next node leads to a cycle, as long as nothing else has run.
    refused: Vec<bool>,
    /// By address: links whose source is done and whose read is not.
    pending: Vec<u32>,
    /// By mutex: the section that holds it.
    holder: Vec<Option<usize>>,
    /// By place: sections locked there.
    locks_at: Vec<Vec<usize>>,
    scheduled: Vec<Place>,
}

impl<'a, 'e> Simulation<'a, 'e> {
    fn new(closure: &'a mut Closure<'e>) -> Self {
        let eog = closure.eog;
        let mut locks_at = vec![Vec::new(); eog.places.len()];
        for (index, section) in eog.sections.iter().enumerate() {
            locks_at[section.lock.index()].push(index);
        }
        Self {
            closure,
            next: vec![0; eog.places.chains()],
            refused: vec![false; eog.places.chains()],
            pending: vec![0; eog.graph.address_count()],
            holder: vec![None; eog.graph.mutex_count()],
            locks_at,
            scheduled: Vec::with_capacity(eog.places.len()),
        }
    }

    /// The best node that may run now.
    fn choose(&self) -> Option<Place> {
        let mut best: Option<(i32, Place)> = None;
        for chain in (0..self.next.len()).filter(|&chain| !self.refused[chain]) {
            let Some(place) = self.ready(chain) else { continue };
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

    fn ready(&self, chain: usize) -> Option<Place> {
        let places = &self.closure.eog.places;
        let position = self.next[chain];
        if position == places.length(chain) {
            return None;
        }
        let place = places.at(chain, position);
        let done = self.closure.order.pred(place).iter().zip(&self.next).all(|(&last, &next)| last < next);
        (done && !self.cuts_a_link(place) && !self.waits_for_mutex(place)).then_some(place)
    }

    fn cuts_a_link(&self, place: Place) -> bool {
        let eog = self.closure.eog;
        eog.writes_at[place.index()].iter().any(|&(address, _)| {
            let own = eog.links_into[place.index()].iter().filter(|&&link| eog.links[link as usize].address == address);
            self.pending[address as usize] as usize > own.count()
        })
    }

    fn waits_for_mutex(&self, place: Place) -> bool {
        let mutex = |&section: &usize| self.closure.eog.sections[section].mutex as usize;
        self.locks_at[place.index()].iter().any(|section| self.holder[mutex(section)].is_some())
    }

    /// 0 if nobody waits for the node; else one more per waiting end than its unscheduled predecessors.
    fn cost(&self, place: Place) -> i32 {
        let eog = self.closure.eog;
        let readers = eog.links_out[place.index()].iter().map(|&link| eog.links[link as usize].target);
        let mut cost: i32 = readers.map(|reader| 1 + self.unscheduled_before(reader)).sum();
        for &section in &self.locks_at[place.index()] {
            let end = eog.sections[section].end();
            cost += 1 + end.map_or(eog.places.len() as i32, |end| self.unscheduled_before(end));
        }
        cost
    }

    fn unscheduled_before(&self, place: Place) -> i32 {
        let pred = self.closure.order.pred(place).iter();
        pred.zip(&self.next).map(|(&last, &next)| (last + 1 - next).max(0)).sum()
    }

    fn schedule(&mut self, place: Place) {
        let eog = self.closure.eog;
        self.next[eog.places.chain(place)] += 1;
        self.scheduled.push(place);
        for &link in &eog.links_into[place.index()] {
            self.pending[eog.links[link as usize].address as usize] -= 1;
        }
        for &link in &eog.links_out[place.index()] {
            self.pending[eog.links[link as usize].address as usize] += 1;
        }
        for holder in &mut self.holder {
            if holder.is_some_and(|section| eog.sections[section].end() == Some(place)) {
                *holder = None;
            }
        }
        for &section in &self.locks_at[place.index()] {
            self.holder[eog.sections[section].mutex as usize] = Some(section);
        }
    }

    /// Puts the competitors of `place` behind it; `false`, and nothing changed, if that closes a cycle.
    fn commit(&mut self, place: Place) -> bool {
        let mark = self.closure.mark();
        let eog = self.closure.eog;
        for &link in &eog.links_out[place.index()] {
            let address = eog.links[link as usize].address;
            for chain in 0..eog.places.chains() {
                let first = self.next[chain] + i32::from(chain == eog.places.chain(place));
                if let Some(other) = eog.writes_in(address, chain, first, eog.places.length(chain)).first() {
                    self.closure.add(place, other.place);
                }
            }
        }
        for index in 0..self.locks_at[place.index()].len() {
            self.commit_section(self.locks_at[place.index()][index]);
        }
        self.closure.close();
        if self.closure.is_cyclic() {
            self.closure.undo(mark);
            return false;
        }
        true
    }

    fn commit_section(&mut self, section: usize) {
        let eog = self.closure.eog;
        let Some(end) = eog.sections[section].end() else { return };
        for (index, other) in eog.sections.iter().enumerate() {
            let waits = eog.places.position(other.lock) >= self.next[eog.places.chain(other.lock)];
            if index != section && other.mutex == eog.sections[section].mutex && waits {
                self.closure.add(end, other.lock);
            }
        }
    }
}
