//! A naive oracle for sequential consistency, written straight from the meaning in `graph` and sharing nothing with the
//! theory: a memoised search over total orders, the set of all feasible assignments of a small graph, and the closure
//! under Rules 1–3 of the Yogar-CBMC paper as an n×n table. Exponential; for tests and small graphs only.

use base::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use solve::{Lit, Var};

use crate::graph::{EventId, EventKind, NodeId, OrderGraph, SectionId};

/// What has happened so far: how far each chain is, who wrote each address last, who holds each mutex.
#[derive(Clone, PartialEq, Eq, Hash)]
struct ReferenceState {
    positions: Vec<u32>,
    last_write: Vec<Option<EventId>>,
    holder: Vec<Option<SectionId>>,
    /// True read-from literals so far; only used while collecting assignments.
    sources: u64,
}

impl ReferenceState {
    fn start(graph: &OrderGraph) -> Self {
        Self {
            positions: vec![0; graph.chains().len()],
            last_write: vec![None; graph.address_count()],
            holder: vec![None; graph.mutex_count()],
            sources: 0,
        }
    }

    fn done(&self, graph: &OrderGraph, node: NodeId) -> bool {
        let node = &graph.nodes()[node];
        self.positions[node.chain.index()] > node.position
    }

    fn next_node(&self, graph: &OrderGraph, chain: usize) -> Option<NodeId> {
        graph.chains().as_slice()[chain].get(self.positions[chain] as usize).copied()
    }
}

/// A graph under one full assignment (of the guards at least).
struct ReferenceRun<'a, F: Fn(Lit) -> bool> {
    graph: &'a OrderGraph,
    truth: F,
    /// Pairs of nodes to be kept in this order, besides the graph's own edges.
    extra: &'a [(NodeId, NodeId)],
}

impl<F: Fn(Lit) -> bool> ReferenceRun<'_, F> {
    /// The state after the next node of `chain`, or `None` if that node cannot run now. `sees` says whether a read may
    /// see the write that is current, and may note it in the state.
    fn step(
        &self,
        state: &ReferenceState,
        chain: usize,
        sees: &impl Fn(&mut ReferenceState, EventId, EventId) -> bool,
    ) -> Option<(NodeId, ReferenceState)> {
        let node = state.next_node(self.graph, chain)?;
        let waits = |&(from, to): &(NodeId, NodeId)| to == node && !state.done(self.graph, from);
        let active = self.graph.edges().iter().filter(|edge| (self.truth)(edge.lit)).map(|edge| (edge.from, edge.to));
        if active.chain(self.extra.iter().copied()).any(|edge| waits(&edge)) {
            return None;
        }
        let mut next = state.clone();
        next.positions[chain] += 1;
        if !(self.truth)(self.graph.nodes()[node].guard) {
            return Some((node, next));
        }
        self.unlock(&mut next, node);
        self.lock(&mut next, node)?;
        for &id in &self.graph.nodes()[node].events {
            let event = self.graph.events()[id];
            if !(self.truth)(event.guard) {
                continue;
            }
            match event.kind {
                EventKind::Write => next.last_write[event.address.index()] = Some(id),
                EventKind::Read => {
                    let source = next.last_write[event.address.index()]?;
                    if !sees(&mut next, source, id) {
                        return None;
                    }
                }
            }
        }
        Some((node, next))
    }

    fn unlock(&self, state: &mut ReferenceState, node: NodeId) {
        for holder in &mut state.holder {
            if holder.is_some_and(|section| self.graph.sections()[section].unlocks.contains(&node)) {
                *holder = None;
            }
        }
    }

    fn lock(&self, state: &mut ReferenceState, node: NodeId) -> Option<()> {
        for (id, section) in self.graph.sections().iter_enumerated() {
            if section.lock == node {
                let holder = &mut state.holder[section.mutex.index()];
                if holder.is_some() {
                    return None;
                }
                *holder = Some(id);
            }
        }
        Some(())
    }
}

/// A total order of all nodes under the full assignment `truth` that also respects `extra`, or `None` if there is none.
/// The read-from literals are taken as they are: a read sees exactly the sources whose literals are true.
pub fn linearise(graph: &OrderGraph, truth: impl Fn(Lit) -> bool, extra: &[(NodeId, NodeId)]) -> Option<Vec<NodeId>> {
    let mut sources: FxHashMap<EventId, Vec<EventId>> = FxHashMap::default();
    for rf in graph.read_froms().iter().filter(|rf| truth(rf.lit)) {
        if !truth(graph.events()[rf.write].guard) || !truth(graph.events()[rf.read].guard) {
            return None;
        }
        sources.entry(rf.read).or_default().push(rf.write);
    }
    let event_without_node = |e: &&crate::graph::OrderEvent| truth(e.guard) && !truth(graph.nodes()[e.node].guard);
    if graph.events().iter().any(|event| event_without_node(&event)) {
        return None;
    }
    let run = ReferenceRun { graph, truth, extra };
    let sees = |_: &mut ReferenceState, source, read| sources.get(&read).is_some_and(|all| all.as_slice() == [source]);
    let mut failed: FxHashSet<ReferenceState> = FxHashSet::default();
    let mut path: Vec<(ReferenceState, usize)> = vec![(ReferenceState::start(graph), 0)];
    let mut order = Vec::new();
    while let Some((state, chain)) = path.last_mut() {
        if order.len() == graph.nodes().len() {
            return Some(order);
        }
        if *chain == graph.chains().len() {
            let (state, _) = path.pop().expect("the path should not be empty here");
            failed.insert(state);
            order.pop();
            continue;
        }
        let step = run.step(state, *chain, &sees);
        *chain += 1;
        if let Some((node, next)) = step.filter(|(_, next)| !failed.contains(next)) {
            order.push(node);
            path.push((next, 0));
        }
    }
    None
}

/// All feasible assignments of a small graph, as bit masks over [`Feasible::variables`].
pub struct Feasible {
    pub variables: Vec<Var>,
    pub masks: Vec<u64>,
}

impl Feasible {
    /// Enumerates guards and edges, runs every interleaving, and reads the sources off. `None` if there are more than
    /// 64 variables, or if a read-from literal is not a positive variable of its own.
    pub fn enumerate(graph: &OrderGraph) -> Option<Self> {
        let variables = graph.variables();
        let index_of = |var: Var| variables.binary_search(&var).ok();
        if variables.len() > 64 {
            return None;
        }
        let mut choice_of: FxHashMap<(EventId, EventId), u64> = FxHashMap::default();
        let mut choices = 0u64;
        for rf in graph.read_froms() {
            let bit = 1u64 << index_of(rf.lit.var())?;
            if !rf.lit.is_positive() || choices & bit != 0 {
                return None;
            }
            choices |= bit;
            choice_of.insert((rf.write, rf.read), bit);
        }
        let conditions = graph.nodes().iter().map(|n| n.guard).chain(graph.events().iter().map(|e| e.guard));
        for lit in conditions.chain(graph.edges().iter().map(|edge| edge.lit)) {
            if index_of(lit.var()).is_some_and(|index| choices >> index & 1 == 1) {
                return None;
            }
        }
        let free: Vec<usize> = (0..variables.len()).filter(|&index| choices >> index & 1 == 0).collect();
        let mut masks = FxHashSet::default();
        for code in 0..1u64 << free.len() {
            let guards = free.iter().enumerate().fold(0, |mask, (i, &index)| mask | (code >> i & 1) << index);
            let truth = |lit: Lit| truth_in(&variables, guards, graph.true_lit(), lit);
            if graph.events().iter().any(|e| truth(e.guard) && !truth(graph.nodes()[e.node].guard)) {
                continue;
            }
            collect_sources(&ReferenceRun { graph, truth, extra: &[] }, &choice_of, guards, &mut masks);
        }
        let mut masks: Vec<u64> = masks.into_iter().collect();
        masks.sort_unstable();
        Some(Self { variables, masks })
    }

    /// Whether `lit` holds under `mask`; `None` for a variable that is not the graph's.
    pub fn holds(&self, mask: u64, lit: Lit) -> Option<bool> {
        let index = self.variables.binary_search(&lit.var()).ok()?;
        Some((mask >> index & 1 == 1) == lit.is_positive())
    }
}

fn truth_in(variables: &[Var], mask: u64, true_lit: Lit, lit: Lit) -> bool {
    let positive = match variables.binary_search(&lit.var()) {
        Ok(index) => mask >> index & 1 == 1,
        Err(_) => true_lit.is_positive(),
    };
    positive == lit.is_positive()
}

fn collect_sources<F: Fn(Lit) -> bool>(
    run: &ReferenceRun<'_, F>,
    choice_of: &FxHashMap<(EventId, EventId), u64>,
    guards: u64,
    masks: &mut FxHashSet<u64>,
) {
    let sees = |state: &mut ReferenceState, source, read| match choice_of.get(&(source, read)) {
        Some(bit) => {
            state.sources |= bit;
            true
        }
        None => false,
    };
    let total: u32 = run.graph.nodes().len() as u32;
    let mut seen: FxHashSet<ReferenceState> = FxHashSet::default();
    let mut open = vec![ReferenceState::start(run.graph)];
    while let Some(state) = open.pop() {
        if state.positions.iter().sum::<u32>() == total {
            masks.insert(guards | state.sources);
            continue;
        }
        for chain in 0..run.graph.chains().len() {
            if let Some((_, next)) = run.step(&state, chain, &sees)
                && seen.insert(next.clone())
            {
                open.push(next);
            }
        }
    }
}

/// Whether `order` lists exactly the executed nodes in an order that the meaning of the graph allows.
pub fn check_linearisation(graph: &OrderGraph, truth: impl Fn(Lit) -> bool, order: &[NodeId]) -> Result<(), String> {
    let executed: Vec<NodeId> = graph.nodes().ids().filter(|&node| truth(graph.nodes()[node].guard)).collect();
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if sorted != executed {
        return Err("the order should list each executed node once".to_owned());
    }
    let extra: Vec<_> = order.windows(2).map(|pair| (pair[0], pair[1])).collect();
    match linearise(graph, truth, &extra) {
        Some(_) => Ok(()),
        None => Err("the order should be sequentially consistent".to_owned()),
    }
}

/// The least relation closed under Rules 1–3 and the lock rule that contains program order, the active edges and the
/// read-from choice; row-major, one entry per pair of nodes.
pub struct NaiveClosure {
    nodes: usize,
    before: Vec<bool>,
}

impl NaiveClosure {
    pub fn new(graph: &OrderGraph, truth: impl Fn(Lit) -> bool) -> Self {
        let mut closure = Self { nodes: graph.nodes().len(), before: vec![false; graph.nodes().len().pow(2)] };
        for chain in graph.chains() {
            for pair in chain.windows(2) {
                closure.add(pair[0], pair[1]);
            }
        }
        for edge in graph.edges().iter().filter(|edge| truth(edge.lit)) {
            closure.add(edge.from, edge.to);
        }
        while closure.transitive(graph) | closure.read_from_rules(graph, &truth) | closure.lock_rule(graph, &truth) {}
        closure
    }

    pub fn precedes(&self, a: NodeId, b: NodeId) -> bool {
        self.before[a.index() * self.nodes + b.index()]
    }

    pub fn is_cyclic(&self) -> bool {
        (0..self.nodes).any(|node| self.before[node * self.nodes + node])
    }

    fn add(&mut self, a: NodeId, b: NodeId) -> bool {
        !std::mem::replace(&mut self.before[a.index() * self.nodes + b.index()], true)
    }

    /// Rule 1.
    fn transitive(&mut self, graph: &OrderGraph) -> bool {
        let mut changed = false;
        for middle in graph.nodes().ids() {
            for a in graph.nodes().ids().filter(|&a| self.precedes(a, middle)).collect::<Vec<_>>() {
                for b in graph.nodes().ids().filter(|&b| self.precedes(middle, b)).collect::<Vec<_>>() {
                    changed |= self.add(a, b);
                }
            }
        }
        changed
    }

    /// Rules 2 and 3, between nodes.
    fn read_from_rules(&mut self, graph: &OrderGraph, truth: &impl Fn(Lit) -> bool) -> bool {
        let mut changed = false;
        for rf in graph.read_froms().iter().filter(|rf| truth(rf.lit)) {
            let (write, read) = (graph.events()[rf.write], graph.events()[rf.read]);
            if write.node == read.node {
                continue;
            }
            changed |= self.add(write.node, read.node);
            for other in graph.events() {
                let hides = other.kind == EventKind::Write && other.address == read.address && truth(other.guard);
                if !hides || other.node == write.node || other.node == read.node {
                    continue;
                }
                changed |= self.precedes(other.node, read.node) && self.add(other.node, write.node);
                changed |= self.precedes(write.node, other.node) && self.add(read.node, other.node);
            }
        }
        changed
    }

    /// If lock1 precedes unlock2, then unlock1 precedes lock2; a section without unlock comes last.
    fn lock_rule(&mut self, graph: &OrderGraph, truth: &impl Fn(Lit) -> bool) -> bool {
        let mut changed = false;
        let held = |id: SectionId| truth(graph.nodes()[graph.sections()[id].lock].guard);
        let end = |id: SectionId| graph.sections()[id].unlocks.iter().copied().find(|&u| truth(graph.nodes()[u].guard));
        for first in graph.sections().ids().filter(|&s| held(s)) {
            for second in graph.sections().ids().filter(|&s| held(s) && s != first) {
                let (a, b) = (&graph.sections()[first], &graph.sections()[second]);
                let premise = end(second).is_none_or(|unlock| self.precedes(a.lock, unlock));
                if a.mutex == b.mutex && premise {
                    changed |= match end(first) {
                        Some(unlock) => self.add(unlock, b.lock),
                        // Held for ever, and yet somebody comes later: no order exists.
                        None => self.add(a.lock, a.lock),
                    };
                }
            }
        }
        changed
    }
}
