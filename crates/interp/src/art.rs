//! The abstract reachability tree of the paper: states with the region that predicates confine them to, explored depth first.
//!
//! Every edge is a Hoare triple that the solver has decided bit by bit, also after a state was strengthened: then what it covers is
//! looked at again, and what cannot be reached any more is taken out, together with what it covers.

use base::{Budget, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::VariableId;

use crate::abstraction::{Held, PredicateAbstraction};
use crate::edge::{ControlId, EdgeId};
use crate::search::AbstractPath;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateStatus {
    /// Not looked at yet.
    Open,
    Expanded,
    /// All that follows is found at this state, too.
    CoveredBy(u32),
    /// An error location.
    Error,
    /// Shown to be unreachable after it was made.
    Removed,
}

/// A state of the tree: where all threads are, and the region r_s as predicates that hold.
#[derive(Clone, Debug)]
pub struct AbstractState {
    /// `None` at an error location.
    pub control: Option<ControlId>,
    pub region: Held,
    pub parent: Option<(u32, EdgeId)>,
    pub status: StateStatus,
    pub children: Vec<u32>,
    /// Transitions that the region excludes.
    pub pruned: Vec<EdgeId>,
    /// How many predicates were known when the region was computed.
    pub known: usize,
}

#[derive(Default)]
pub struct AbstractReachabilityTree {
    pub states: Vec<AbstractState>,
    /// States that will be explored, the next one last.
    open: Vec<u32>,
    expanded: FxHashMap<ControlId, Vec<u32>>,
    covers: FxHashMap<u32, Vec<u32>>,
}

impl AbstractReachabilityTree {
    pub fn new(initial: ControlId) -> Self {
        let mut tree = Self::default();
        tree.add(AbstractState {
            control: Some(initial),
            region: Held::from([]),
            parent: None,
            status: StateStatus::Open,
            children: Vec::new(),
            pruned: Vec::new(),
            known: 0,
        });
        tree.open.push(0);
        tree
    }

    fn add(&mut self, state: AbstractState) -> u32 {
        let index = self.states.len() as u32;
        self.states.push(state);
        index
    }

    pub fn state(&self, index: u32) -> &AbstractState {
        &self.states[index as usize]
    }

    /// The state to explore now.
    pub fn next(&mut self) -> Option<u32> {
        while let Some(index) = self.open.pop() {
            let state = self.state(index);
            if matches!(state.status, StateStatus::Open | StateStatus::Error) {
                return Some(index);
            }
        }
        None
    }

    /// The states from s_0 to this one.
    pub fn states_to(&self, last: u32) -> Vec<u32> {
        let (mut states, mut at) = (vec![last], last);
        while let Some((parent, _)) = self.state(at).parent {
            states.push(parent);
            at = parent;
        }
        states.reverse();
        states
    }

    /// The path to this state, and `further` behind it.
    pub fn path_to(&self, last: u32, further: Option<EdgeId>) -> AbstractPath {
        let states = self.states_to(last);
        let mut edges: Vec<EdgeId> = states.iter().filter_map(|&one| Some(self.state(one).parent?.1)).collect();
        edges.extend(further);
        // An error location is no state of the machine.
        let from: Vec<u32> = states.into_iter().filter(|&one| self.state(one).control.is_some()).collect();
        AbstractPath {
            edges,
            held: from.iter().map(|&one| self.state(one).region.clone()).collect(),
            controls: from.iter().filter_map(|&one| self.state(one).control).collect(),
            turns: vec![0; from.len()],
        }
    }

    /// Takes note that a state is covered by one that is expanded, if there is such a one.
    pub fn cover(
        &mut self,
        abstraction: &mut PredicateAbstraction<'_>,
        index: u32,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let Some(control) = self.state(index).control else { return Ok(false) };
        let region = self.state(index).region.clone();
        for other in self.expanded.get(&control).cloned().unwrap_or_default() {
            let wider = self.state(other).region.clone();
            if self.state(other).status == StateStatus::Expanded
                && region_implies(abstraction, &region, &wider, budget)?
            {
                self.states[index as usize].status = StateStatus::CoveredBy(other);
                self.covers.entry(other).or_default().push(index);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes the successors of a state that its region allows. They are explored thread by thread, and of a test the implicit branch
    /// first, as in Figure 2.
    pub fn expand(
        &mut self,
        abstraction: &mut PredicateAbstraction<'_>,
        index: u32,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let Some(control) = self.state(index).control else { return Ok(()) };
        self.states[index as usize].status = StateStatus::Expanded;
        if index != 0 {
            self.expanded.entry(control).or_default().push(index);
        }
        let region = self.state(index).region.clone();
        let mut made = Vec::new();
        for thread in abstraction.machine.threads(control) {
            for one in abstraction.machine.moves(control, thread).iter().rev() {
                if !is_possible(abstraction, index == 0, &region, one.edge, budget)? {
                    self.states[index as usize].pruned.push(one.edge);
                    continue;
                }
                let (after, status) = match one.target {
                    Some(target) => {
                        (region_after(abstraction, index == 0, &region, one.edge, target, budget)?, StateStatus::Open)
                    }
                    None => (Held::from([]), StateStatus::Error),
                };
                made.push(self.add(AbstractState {
                    control: one.target,
                    region: after,
                    parent: Some((index, one.edge)),
                    status,
                    children: Vec::new(),
                    pruned: Vec::new(),
                    known: abstraction.predicates.len(),
                }));
            }
        }
        self.open.extend(made.iter().rev());
        self.states[index as usize].children = made;
        Ok(())
    }

    /// Confines the states of the path to `last` to all that the known predicates say of it. Afterwards `last` may be unreachable.
    pub fn strengthen(
        &mut self,
        abstraction: &mut PredicateAbstraction<'_>,
        last: u32,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let path = self.states_to(last);
        // Whether the state before has changed.
        let mut has_changed = false;
        for (&from, &to) in path.iter().zip(&path[1..]) {
            let Some((_, edge)) = self.state(to).parent else { break };
            if !has_changed && self.state(to).known == abstraction.predicates.len() {
                continue;
            }
            let region = self.state(from).region.clone();
            if !is_possible(abstraction, from == 0, &region, edge, budget)? {
                self.states[from as usize].pruned.push(edge);
                self.remove(to);
                return Ok(());
            }
            let Some(control) = self.state(to).control else { break };
            let new = region_after(abstraction, from == 0, &region, edge, control, budget)?;
            has_changed = self.confine(abstraction, to, &new, budget)?;
            self.states[to as usize].known = abstraction.predicates.len();
        }
        Ok(())
    }

    /// Adds predicates to a region; whether there are more now. What the state no longer covers is open again.
    pub fn confine(
        &mut self,
        abstraction: &mut PredicateAbstraction<'_>,
        index: u32,
        further: &[u32],
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let old = self.state(index).region.clone();
        let mut region: Vec<u32> = old.iter().chain(further).copied().collect();
        region.sort_unstable();
        region.dedup();
        if region.len() == old.len() {
            return Ok(false);
        }
        let region: Held = region.into();
        self.states[index as usize].region = region.clone();
        let mut kept = Vec::new();
        for covered in self.covers.remove(&index).unwrap_or_default() {
            if self.state(covered).status != StateStatus::CoveredBy(index) {
                continue;
            }
            let narrower = self.state(covered).region.clone();
            if region_implies(abstraction, &narrower, &region, budget)? {
                kept.push(covered);
            } else {
                self.reopen(covered);
            }
        }
        if !kept.is_empty() {
            self.covers.insert(index, kept);
        }
        Ok(true)
    }

    fn reopen(&mut self, index: u32) {
        self.states[index as usize].status = StateStatus::Open;
        self.open.push(index);
    }

    /// Takes out a state and all that follows from it.
    fn remove(&mut self, index: u32) {
        let mut open = vec![index];
        while let Some(next) = open.pop() {
            let state = &mut self.states[next as usize];
            state.status = StateStatus::Removed;
            open.append(&mut state.children);
            for covered in self.covers.remove(&next).unwrap_or_default() {
                if self.state(covered).status == StateStatus::CoveredBy(next) {
                    self.reopen(covered);
                }
            }
        }
    }

    /// How many states are part of the tree now.
    pub fn remaining(&self) -> usize {
        self.states.iter().filter(|state| state.status != StateStatus::Removed).count()
    }
}

/// Whether a transition may be taken from a region; the values of the beginning are known in s_0.
pub fn is_possible(
    abstraction: &mut PredicateAbstraction<'_>,
    is_initial: bool,
    region: &[u32],
    edge: EdgeId,
    budget: &Budget,
) -> Result<bool, StopReason> {
    if !is_initial {
        return abstraction.is_possible(region, edge, budget);
    }
    let guard = abstraction.machine.edge(edge).guard;
    let guard = abstraction.at_the_beginning(guard);
    let variables = abstraction.oracle.variables(&abstraction.machine.vocabulary, guard);
    let never = abstraction.machine.vocabulary.terms.boolean(false);
    Ok(!abstraction.implies(&[], guard, &variables, never, budget)?)
}

/// Section 2.3: the predicates that share a variable with r_s ∧ t_f and that it implies. Negations are predicates of their own.
pub fn region_after(
    abstraction: &mut PredicateAbstraction<'_>,
    is_initial: bool,
    region: &[u32],
    edge: EdgeId,
    target: ControlId,
    budget: &Budget,
) -> Result<Held, StopReason> {
    let control = abstraction.machine.control(target).clone();
    if is_initial {
        return abstraction.first_post(edge, &control, budget);
    }
    let info = abstraction.info(edge);
    let guard = abstraction.machine.edge(edge).guard;
    let mut named: FxHashSet<VariableId> = info.reads.union(&info.writes).copied().collect();
    named.extend(info.guard_variables.iter());
    for &index in region {
        named.extend(abstraction.predicates[index as usize].variables.iter());
    }
    let mut after = Vec::new();
    for index in 0..abstraction.predicates.len() {
        let predicate = &abstraction.predicates[index];
        let (term, variables) = (predicate.term, predicate.variables.clone());
        if !variables.iter().any(|variable| named.contains(variable))
            || variables.iter().any(|&variable| !abstraction.machine.is_live(&control, variable))
        {
            continue;
        }
        let is_written = variables.iter().any(|variable| info.writes.contains(variable));
        let is_held = !is_written && region.binary_search(&(index as u32)).is_ok();
        let before = abstraction.before(edge, term);
        if is_held || abstraction.implies(region, guard, &info.guard_variables, before, budget)? {
            after.push(index as u32);
        }
    }
    Ok(after.into())
}

/// r_s → r_s'.
fn region_implies(
    abstraction: &mut PredicateAbstraction<'_>,
    region: &[u32],
    wider: &[u32],
    budget: &Budget,
) -> Result<bool, StopReason> {
    let always = abstraction.machine.vocabulary.terms.boolean(true);
    for &index in wider.iter().filter(|index| region.binary_search(index).is_err()) {
        let term = abstraction.predicates[index as usize].term;
        if !abstraction.implies(region, always, &[], term, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the transition is conditional: it is taken only where a test has come out so.
pub fn is_conditional(abstraction: &PredicateAbstraction<'_>, edge: EdgeId) -> bool {
    let guard = abstraction.machine.edge(edge).guard;
    abstraction.machine.vocabulary.terms.as_boolean(guard) != Some(true)
}
