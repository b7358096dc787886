//! All orders of a stretch of the trace, in a solver. Everything before the window has happened as recorded; in the window
//! every thread executes a prefix of its events, in any order that respects program order, creation and joining, locks,
//! and for every executed read the write that it saw in the run. The ordering theory decides whether there is one.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use base::{Budget, IdVec, StopReason};
use order::{ChainId, NodeId, OrderGraph, OrderTheory, TheoryOptions};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::{CadicalSolver, ClauseSink, Lit, SolveResult, Solver};

use crate::candidates::TraceCandidate;
use crate::survey::TraceIndex;
use crate::trace::{EventId, LockId, Operation, ThreadId, VariableId};

/// A solver that knows the orders of a window and the candidates that it will be asked about.
pub struct WindowSearch {
    solver: CadicalSolver,
    theory: Rc<RefCell<OrderTheory>>,
    /// What each node of the order graph stands for; `None` for what lies before the window.
    events: IdVec<NodeId, Option<EventId>>,
    assumptions: Vec<Vec<Lit>>,
}

/// The answer to one candidate.
pub enum WindowAnswer {
    /// The events of the window that happen, in their order.
    Possible(Vec<EventId>),
    Impossible,
    Stopped(StopReason),
}

impl WindowSearch {
    pub fn new(survey: &TraceIndex<'_>, window: Range<usize>, held: &HeldLocks, candidates: &[TraceCandidate]) -> Self {
        let mut solver = CadicalSolver::new();
        let mut encoder = WindowEncoder::new(survey, window, held, &mut solver);
        encoder.add_threads();
        encoder.add_creation_and_joining();
        encoder.add_reads_and_writes();
        encoder.add_sections();
        let assumptions = candidates.iter().map(|candidate| encoder.assumptions(candidate)).collect();
        let WindowEncoder { graph, events, sink, .. } = encoder;
        graph.encode_read_from(sink);
        let theory = OrderTheory::new(&graph, TheoryOptions::default());
        let theory = Rc::new(RefCell::new(theory.expect("the graph of a window should be well formed")));
        solver.attach_theory(theory.clone());
        Self { solver, theory, events, assumptions }
    }

    /// Asks about one of the candidates.
    pub fn ask(&mut self, candidate: usize, budget: &Budget) -> WindowAnswer {
        match self.solver.solve(&self.assumptions[candidate], budget) {
            SolveResult::Satisfiable => {
                let order = self.theory.borrow().linearisation().to_vec();
                WindowAnswer::Possible(order.into_iter().filter_map(|node| self.events[node]).collect())
            }
            SolveResult::Unsatisfiable => WindowAnswer::Impossible,
            SolveResult::Interrupted(reason) => WindowAnswer::Stopped(reason),
        }
    }
}

/// The events of one thread in the window.
struct Chain {
    id: ChainId,
    /// Of the events that do something.
    nodes: Vec<(EventId, NodeId)>,
}

struct WindowEncoder<'a> {
    survey: &'a TraceIndex<'a>,
    window: Range<usize>,
    sink: &'a mut CadicalSolver,
    graph: OrderGraph,
    events: IdVec<NodeId, Option<EventId>>,
    nodes: FxHashMap<EventId, NodeId>,
    /// By thread, in the order of their first events in the window.
    chains: Vec<(ThreadId, Chain)>,
    /// Locks that are held when the window begins, with their acquisitions.
    held: Vec<(LockId, EventId)>,
    /// For a held lock, the node at which its holder's part of the window begins.
    starts: FxHashMap<ThreadId, NodeId>,
    /// All that happened before the window.
    past: NodeId,
}

impl<'a> WindowEncoder<'a> {
    fn new(survey: &'a TraceIndex<'a>, window: Range<usize>, held: &HeldLocks, sink: &'a mut CadicalSolver) -> Self {
        let truth = sink.new_var().positive();
        let mut graph = OrderGraph::new(truth);
        let chain = graph.add_chain();
        let past = graph.add_node(chain, truth);
        let events = IdVec::from_vec(vec![None]);
        let (nodes, chains, starts) = (FxHashMap::default(), Vec::new(), FxHashMap::default());
        let held = held.sorted();
        Self { survey, window, sink, graph, events, nodes, chains, held, starts, past }
    }

    fn guard(&self, node: NodeId) -> Lit {
        self.graph.nodes()[node].guard
    }

    fn add_threads(&mut self) {
        let mut by_thread: FxHashMap<ThreadId, usize> = FxHashMap::default();
        let mut members: Vec<(ThreadId, Vec<EventId>)> = Vec::new();
        for event in self.window.clone().map(|index| EventId(index as u32)) {
            if does_nothing(self.survey, event) {
                continue;
            }
            let thread = self.survey.trace.events[event].thread;
            let place = *by_thread.entry(thread).or_insert(members.len());
            if place == members.len() {
                members.push((thread, Vec::new()));
            }
            members[place].1.push(event);
        }
        for (thread, members) in members {
            self.add_thread(thread, &members);
        }
        self.order_starts();
    }

    fn add_thread(&mut self, thread: ThreadId, members: &[EventId]) {
        let id = self.graph.add_chain();
        let is_holder = |&(_, acquired): &(LockId, EventId)| self.survey.trace.events[acquired].thread == thread;
        if self.held.iter().any(is_holder) {
            let start = self.graph.add_node(id, self.graph.true_lit());
            self.events.push(None);
            self.starts.insert(thread, start);
        }
        let mut chain = Chain { id, nodes: Vec::new() };
        for &event in members {
            let guard = self.sink.new_var().positive();
            if let Some(&(_, last)) = chain.nodes.last() {
                self.sink.add_clause(&[!guard, self.guard(last)]);
            }
            let node = self.graph.add_node(chain.id, guard);
            self.events.push(Some(event));
            self.nodes.insert(event, node);
            chain.nodes.push((event, node));
        }
        self.chains.push((thread, chain));
    }

    /// The past comes first, then every thread holds what it holds.
    fn order_starts(&mut self) {
        let truth = self.graph.true_lit();
        let firsts: Vec<NodeId> = self.chains.iter().filter_map(|(_, chain)| Some(chain.nodes.first()?.1)).collect();
        let mut starts: Vec<NodeId> = self.starts.values().copied().collect();
        starts.sort();
        for &start in &starts {
            self.graph.add_edge(self.past, start, truth);
        }
        for &first in &firsts {
            self.graph.add_edge(self.past, first, truth);
            let chain = self.graph.nodes()[first].chain;
            for &start in &starts {
                if self.graph.nodes()[start].chain != chain {
                    self.graph.add_edge(start, first, truth);
                }
            }
        }
    }

    fn first_of(&self, thread: ThreadId) -> Option<NodeId> {
        self.chain_of(thread)?.nodes.first().map(|&(_, node)| node)
    }

    fn chain_of(&self, thread: ThreadId) -> Option<&Chain> {
        self.chains.iter().find(|(other, _)| *other == thread).map(|(_, chain)| chain)
    }

    fn add_creation_and_joining(&mut self) {
        for event in self.window.clone().map(|index| EventId(index as u32)) {
            let Some(&node) = self.nodes.get(&event) else { continue };
            match self.survey.trace.events[event].operation {
                Operation::Fork(child) => {
                    if let Some(first) = self.first_of(child) {
                        self.add_causation(node, first);
                    }
                }
                Operation::Join(child) => {
                    let last = self.chain_of(child).and_then(|chain| chain.nodes.last()).map(|&(_, last)| last);
                    // A thread that does nothing has ended when it is created.
                    if let Some(last) = last.or_else(|| self.creation_of(child)) {
                        self.add_causation(last, node);
                    }
                }
                _ => {}
            }
        }
    }

    /// `to` happens only after `from`. In one thread that is known.
    fn add_causation(&mut self, from: NodeId, to: NodeId) {
        if self.graph.nodes()[from].chain == self.graph.nodes()[to].chain {
            return;
        }
        let lit = self.guard(to);
        self.sink.add_clause(&[!lit, self.guard(from)]);
        self.graph.add_edge(from, to, lit);
    }

    /// Only variables that are written in the window matter.
    fn add_reads_and_writes(&mut self) {
        let survey = self.survey;
        let members = || self.window.clone().map(|index| EventId(index as u32));
        let written: FxHashSet<VariableId> = members()
            .filter_map(|event| match survey.trace.events[event].operation {
                Operation::Write(variable) => Some(variable),
                _ => None,
            })
            .collect();
        let events: Vec<EventId> = members().collect();
        let mut addresses = FxHashMap::default();
        let mut writes = FxHashMap::default();
        let mut first_writes = FxHashMap::default();
        let mut reads = Vec::new();
        for &event in &events {
            let operation = survey.trace.events[event].operation;
            let Some(variable) = operation.variable().filter(|variable| written.contains(variable)) else { continue };
            let (node, guard) = (self.nodes[&event], self.guard(self.nodes[&event]));
            let address = *addresses.entry(variable).or_insert_with(|| self.graph.add_address());
            if operation.is_write() {
                writes.insert(event, self.graph.add_write(node, address, guard));
            } else {
                first_writes
                    .entry(variable)
                    .or_insert_with(|| self.graph.add_write(self.past, address, self.graph.true_lit()));
                reads.push((event, variable, self.graph.add_read(node, address, guard)));
            }
        }
        for (event, variable, read) in reads {
            let source = survey.partner[event].and_then(|source| writes.get(&source).copied());
            let lit = self.sink.new_var().positive();
            self.graph.add_read_from(source.unwrap_or(first_writes[&variable]), read, lit);
        }
    }

    fn add_sections(&mut self) {
        let survey = self.survey;
        let mut sections: Vec<(LockId, NodeId, Option<EventId>)> = Vec::new();
        for &(lock, acquired) in &self.held {
            if let Some(&start) = self.starts.get(&survey.trace.events[acquired].thread) {
                sections.push((lock, start, survey.partner[acquired]));
            }
        }
        for event in self.window.clone().map(|index| EventId(index as u32)) {
            if let (Operation::Acquire(lock), Some(&node)) =
                (survey.trace.events[event].operation, self.nodes.get(&event))
            {
                sections.push((lock, node, survey.partner[event]));
            }
        }
        let mut mutexes = FxHashMap::default();
        for (lock, node, release) in sections {
            let mutex = *mutexes.entry(lock).or_insert_with(|| self.graph.add_mutex());
            let unlocks = release.and_then(|release| self.nodes.get(&release).copied()).into_iter().collect();
            self.graph.add_section(mutex, node, unlocks);
        }
        self.forbid_locks_of_the_absent();
    }

    /// Whoever holds a lock when the window begins and does nothing in it keeps the lock.
    fn forbid_locks_of_the_absent(&mut self) {
        let survey = self.survey;
        let is_absent = |acquired: EventId| !self.starts.contains_key(&survey.trace.events[acquired].thread);
        let kept: FxHashSet<LockId> =
            self.held.iter().filter(|(_, acquired)| is_absent(*acquired)).map(|(lock, _)| *lock).collect();
        for event in self.window.clone().map(|index| EventId(index as u32)) {
            if let (Operation::Acquire(lock), Some(&node)) =
                (survey.trace.events[event].operation, self.nodes.get(&event))
                && kept.contains(&lock)
            {
                let guard = self.guard(node);
                self.sink.add_clause(&[!guard]);
            }
        }
    }

    fn assumptions(&mut self, candidate: &TraceCandidate) -> Vec<Lit> {
        let mut lits: Vec<Lit> = candidate.executed.iter().map(|event| self.guard(self.nodes[event])).collect();
        for event in &candidate.pending {
            lits.push(!self.guard(self.nodes[event]));
            lits.extend(self.guard_before(*event));
        }
        if let Some((first, second)) = candidate.before {
            let lit = self.sink.new_var().positive();
            self.graph.add_edge(self.nodes[&first], self.nodes[&second], lit);
            lits.push(lit);
        }
        lits
    }

    /// What must have happened for the event to be the next of its thread.
    fn guard_before(&self, event: EventId) -> Option<Lit> {
        let node = self.nodes[&event];
        let thread = self.survey.trace.events[event].thread;
        let nodes = &self.chain_of(thread)?.nodes;
        let place = nodes.iter().position(|&(_, other)| other == node)?;
        if let Some(before) = place.checked_sub(1) {
            return Some(self.guard(nodes[before].1));
        }
        self.creation_of(thread).map(|creation| self.guard(creation))
    }

    /// The node that creates a thread, if that happens in the window.
    fn creation_of(&self, thread: ThreadId) -> Option<NodeId> {
        let creates = |event: &EventId| self.survey.trace.events[*event].operation == Operation::Fork(thread);
        let creation = self.window.clone().map(|index| EventId(index as u32)).find(creates)?;
        self.nodes.get(&creation).copied()
    }
}

/// Marks of transactions, and locks that the thread holds anyway.
pub fn does_nothing(survey: &TraceIndex<'_>, event: EventId) -> bool {
    survey.is_inner[event] || matches!(survey.trace.events[event].operation, Operation::Begin | Operation::End)
}

/// The locks that are held at some place of the trace, with their acquisitions.
#[derive(Clone, Debug, Default)]
pub struct HeldLocks {
    held: FxHashMap<LockId, EventId>,
    place: usize,
}

impl HeldLocks {
    /// Goes on to a later place.
    pub fn advance(&mut self, survey: &TraceIndex<'_>, place: usize) {
        for event in (self.place..place).map(|index| EventId(index as u32)).filter(|&event| !survey.is_inner[event]) {
            match survey.trace.events[event].operation {
                Operation::Acquire(lock) => {
                    self.held.insert(lock, event);
                }
                Operation::Release(lock) => {
                    self.held.remove(&lock);
                }
                _ => {}
            }
        }
        self.place = self.place.max(place);
    }

    fn sorted(&self) -> Vec<(LockId, EventId)> {
        let mut held: Vec<_> = self.held.iter().map(|(&lock, &event)| (lock, event)).collect();
        held.sort();
        held
    }
}
