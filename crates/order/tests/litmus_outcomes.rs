//! Litmus shapes, all outcomes: an outcome is which write each read sees. The naive reference runs every interleaving and
//! collects them; the theory, the clock encoding and the refinement loop (by graph and by cores) must enumerate exactly
//! the same, with a valid order for each.
//!
//! A shape is written as threads separated by `|`, nodes by `;`, the accesses of an atomic node by `,`: `W x` writes, `R x`
//! reads, `L m` locks, `U m` unlocks. What follows `>>` runs after all threads have ended, as final values are read.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use base::{Budget, Id};
use order::eog::{EogVerdict, EventOrderGraph, RefinementKind, ValidationOptions, Validator};
use order::reference::{Feasible, check_linearisation};
use order::{
    AddressId, ChainId, ClockEncoding, EventId, EventKind, MutexId, NodeId, OrderGraph, OrderTheory, TheoryOptions,
};
use solve::{CadicalSolver, ClauseSink, Lit, SolveResult, Solver, Var};

/// Name, shape, and how many outcomes there are under sequential consistency, out of how many.
const SHAPES: [(&str, &str, usize, usize); 32] = [
    ("store buffering", "W x; R y | W y; R x", 3, 4),
    ("store buffering, three threads", "W x; R y | W y; R z | W z; R x", 7, 8),
    ("message passing", "W x; W y | R y; R x", 3, 4),
    ("load buffering", "R x; W y | R y; W x", 3, 4),
    ("IRIW", "W x | W y | R x; R y | R y; R x", 15, 16),
    ("CoRR", "W x | R x; R x", 3, 4),
    ("CoRR2", "W x | W x | R x; R x | R x; R x", 47, 81),
    ("CoRW", "R x; W x | W x", 2, 3),
    ("CoWR", "W x; R x | W x", 2, 3),
    ("CoWW", "W x; W x >> R x", 1, 3),
    ("CoRW and CoWR", "R x; W x; R x | W x; R x", 5, 27),
    ("2+2W", "W x; W y | W y; W x >> R x; R y", 3, 9),
    ("R", "W x; W y | W y; R x >> R y", 3, 6),
    ("S", "W x; W y | R y; W x >> R x", 3, 6),
    ("WRC", "W x | R x; W y | R y; R x", 7, 8),
    ("RWC", "W x | R x; R y | W y; R x", 7, 8),
    ("WWC", "W x | R x; W y | R y; W x >> R x", 9, 18),
    ("ISA2", "W x; W y | R y; W z | R z; R x", 7, 8),
    ("Z6", "W x; W y | W y; W z | R z; R x >> R y", 7, 12),
    ("W+RW+2W", "W x; R y | R y; W x; W y >> R x; R y", 4, 24),
    ("read-modify-write pair", "R x, W x | R x, W x", 2, 9),
    ("three read-modify-writes", "R x, W x | R x, W x | R x, W x", 6, 64),
    ("read-modify-write against a write", "R x, W x | W x >> R x", 2, 9),
    ("read-modify-writes as fences", "W x; R z, W z; R y | W y; R z, W z; R x", 4, 36),
    ("lost update", "R x; W x | R x; W x >> R x", 4, 27),
    ("locked increments", "L m; R x; W x; U m | L m; R x; W x; U m >> R x", 2, 27),
    ("locked message, unlocked reader", "L m; W x; W x; U m | R x; R x", 6, 9),
    ("locked message, locked reader", "L m; W x; W x; U m | L m; R x; R x; U m", 2, 9),
    ("two locks crossed", "L m; W x; U m; L n; R y; U n | L n; W y; U n; L m; R x; U m", 3, 4),
    ("two mutexes protect nothing", "L m; R x; W x; U m | L n; R x; W x; U n", 3, 9),
    ("locked three times", "L m; R x; W x; U m | L m; R x; W x; U m | L m; R x; W x; U m", 6, 64),
    ("stale read inside an atomic node", "W x, W y | R x, R y | W x", 4, 6),
];

#[test]
fn everybody_finds_the_outcomes_of_the_reference() {
    let mut wrong = Vec::new();
    for (name, text, allowed, possible) in SHAPES {
        let shape = Shape::new(text);
        let expected = shape.reference();
        if (expected.len(), shape.possible()) != (allowed, possible) {
            wrong.push(format!("{name}: {} of {}", expected.len(), shape.possible()));
        }
        shape.compare(name, &expected);
    }
    assert!(wrong.is_empty(), "the numbers of outcomes are\n{}", wrong.join("\n"));
}

/// The paper's Figure 6: all writes of one side precede all reads of the other. No rule derives anything, and yet there
/// is no order; with one of the crossing edges missing there is.
#[test]
fn the_butterfly_is_refuted_by_constraints_alone() {
    for missing in [None, Some(0), Some(1), Some(2), Some(3)] {
        let mut shape = Shape::new("W x; R y | W x; R y | W y; R x | W y; R x");
        let node = |thread: usize, index: usize| shape.graph.chains()[ChainId::new(thread + 1)][index];
        let crossing = [(0, 1), (1, 0), (2, 3), (3, 2)].map(|(from, to)| (node(from, 0), node(to, 1)));
        let certain = shape.graph.true_lit();
        for (index, (from, to)) in crossing.into_iter().enumerate() {
            if Some(index) != missing {
                shape.graph.add_edge(from, to, certain);
            }
        }
        let expected = shape.reference();
        let counters = shape.compare("butterfly", &expected);
        let wings = shape.wings();
        assert_eq!(expected.iter().any(|outcome| *outcome == wings), missing.is_some(), "without edge {missing:?}");
        if missing.is_none() {
            assert!(counters > 0, "some graph should be beyond the rules");
        }
    }
}

/// The read-from literals that hold.
type Outcome = BTreeSet<Lit>;

struct Shape {
    graph: OrderGraph,
    variables: u32,
}

impl Shape {
    fn new(text: &str) -> Self {
        let mut builder = Builder::new();
        let (threads, last) = text.split_once(">>").unwrap_or((text, ""));
        let threads: Vec<ChainId> = threads.split('|').map(|thread| builder.thread(thread)).collect();
        builder.follow(builder.initial, &threads);
        if !last.is_empty() {
            let last = builder.thread(last);
            let certain = builder.graph.true_lit();
            for thread in threads {
                let nodes = &builder.graph.chains()[thread];
                let (from, to) = (nodes[nodes.len() - 1], builder.graph.chains()[last][0]);
                builder.graph.add_edge(from, to, certain);
            }
        }
        builder.finish()
    }

    /// How many outcomes there would be if every read could see every write of its variable.
    fn possible(&self) -> usize {
        let reads = self.graph.events().iter_enumerated().filter(|(_, event)| event.kind == EventKind::Read);
        reads.map(|(read, _)| self.graph.read_froms().iter().filter(|rf| rf.read == read).count()).product()
    }

    fn reference(&self) -> BTreeSet<Outcome> {
        let feasible = Feasible::enumerate(&self.graph).expect("a shape should be small");
        let holds = |mask: u64, lit: Lit| feasible.holds(mask, lit) == Some(true);
        feasible.masks.iter().map(|&mask| self.outcome(|lit| holds(mask, lit))).collect()
    }

    fn outcome(&self, truth: impl Fn(Lit) -> bool) -> Outcome {
        self.graph.read_froms().iter().map(|rf| rf.lit).filter(|&lit| truth(lit)).collect()
    }

    /// The outcome of the butterfly: thread i reads what thread i of the other side wrote.
    fn wings(&self) -> Outcome {
        let event = |thread: usize, index: usize| {
            self.graph.nodes()[self.graph.chains()[ChainId::new(thread + 1)][index]].events[0]
        };
        let pairs = [(0, 2), (1, 3), (2, 0), (3, 1)].map(|(reader, writer)| (event(writer, 0), event(reader, 1)));
        let wanted = self.graph.read_froms().iter().filter(|rf| pairs.contains(&(rf.write, rf.read)));
        wanted.map(|rf| rf.lit).collect()
    }

    /// Asks everybody; gives the number of refinements by cores that `graph` needed.
    fn compare(&self, name: &str, expected: &BTreeSet<Outcome>) -> u64 {
        assert_eq!(self.by_theory(), *expected, "{name}: theory");
        assert_eq!(self.by_clocks(), *expected, "{name}: clocks");
        assert_eq!(self.by_refinement(RefinementKind::Core).0, *expected, "{name}: refinement by cores");
        let (outcomes, by_core) = self.by_refinement(RefinementKind::Graph);
        assert_eq!(outcomes, *expected, "{name}: refinement by graph");
        by_core
    }

    fn solver(&self) -> CadicalSolver {
        let mut solver = CadicalSolver::new();
        while solver.variables() < self.variables {
            solver.new_var();
        }
        self.graph.encode_read_from(&mut solver);
        solver
    }

    fn by_theory(&self) -> BTreeSet<Outcome> {
        let mut solver = self.solver();
        let theory = OrderTheory::new(&self.graph, TheoryOptions::default()).expect("a shape should be well formed");
        let theory = Rc::new(RefCell::new(theory));
        solver.attach_theory(theory.clone());
        self.enumerate(&mut solver, |_| Ok(theory.borrow().linearisation().to_vec()))
    }

    fn by_clocks(&self) -> BTreeSet<Outcome> {
        let mut solver = self.solver();
        let clocks = ClockEncoding::encode(&self.graph, &mut solver).expect("a shape should be well formed");
        self.enumerate(&mut solver, |solver| Ok(clocks.linearisation(&self.graph, |lit| solver.value(lit))))
    }

    fn by_refinement(&self, refinement: RefinementKind) -> (BTreeSet<Outcome>, u64) {
        let mut validator = Validator::new(ValidationOptions { refinement, ..ValidationOptions::default() });
        let outcomes = self.enumerate(&mut self.solver(), |solver| {
            let eog = EventOrderGraph::new(&self.graph, |lit| truth_in(solver, lit));
            match validator.validate(&eog, &Budget::unlimited()) {
                EogVerdict::Feasible(order) => Ok(order),
                EogVerdict::Refuted(clauses) => Err(clauses),
                EogVerdict::Interrupted(reason) => panic!("{reason}"),
            }
        });
        (outcomes, validator.counters().core_refinements)
    }

    /// All outcomes. `order` gives a valid order for a model, or clauses that rule it out.
    fn enumerate(
        &self,
        solver: &mut CadicalSolver,
        mut order: impl FnMut(&CadicalSolver) -> Result<Vec<NodeId>, Vec<Vec<Lit>>>,
    ) -> BTreeSet<Outcome> {
        let mut outcomes = BTreeSet::new();
        while solver.solve(&[], &Budget::unlimited()) == SolveResult::Satisfiable {
            match order(solver) {
                Err(clauses) => clauses.iter().for_each(|clause| solver.add_clause(clause)),
                Ok(order) => {
                    let valid = check_linearisation(&self.graph, |lit| truth_in(solver, lit), &order);
                    assert_eq!(valid, Ok(()), "an order that is none in\n{}", self.graph);
                    let outcome = self.outcome(|lit| truth_in(solver, lit));
                    let others: Vec<Lit> = outcome.iter().map(|&lit| !lit).collect();
                    assert!(outcomes.insert(outcome), "a model should not come twice");
                    solver.add_clause(&others);
                }
            }
        }
        outcomes
    }
}

fn truth_in(solver: &CadicalSolver, lit: Lit) -> bool {
    solver.value(lit.var().positive()) == lit.is_positive()
}

struct Builder {
    graph: OrderGraph,
    initial: NodeId,
    variables: Vec<String>,
    mutexes: Vec<(String, MutexId)>,
}

impl Builder {
    fn new() -> Self {
        let mut graph = OrderGraph::new(Var::new(1).positive());
        let chain = graph.add_chain();
        let initial = graph.add_node(chain, graph.true_lit());
        Self { graph, initial, variables: Vec::new(), mutexes: Vec::new() }
    }

    fn thread(&mut self, text: &str) -> ChainId {
        let chain = self.graph.add_chain();
        let certain = self.graph.true_lit();
        let mut locked: Vec<(MutexId, NodeId)> = Vec::new();
        for accesses in text.split(';') {
            let node = self.graph.add_node(chain, certain);
            for access in accesses.split(',') {
                let (kind, name) = access.trim().split_once(' ').expect("an access should have a name");
                match kind {
                    "R" => drop(self.add(node, EventKind::Read, name)),
                    "W" => drop(self.add(node, EventKind::Write, name)),
                    "L" => {
                        let mutex = self.mutex(name);
                        locked.push((mutex, node));
                    }
                    _ => {
                        let mutex = self.mutex(name);
                        let open = locked.iter().position(|(other, _)| *other == mutex).expect("a locked mutex");
                        let (_, lock) = locked.remove(open);
                        self.graph.add_section(mutex, lock, vec![node]);
                    }
                }
            }
        }
        chain
    }

    fn add(&mut self, node: NodeId, kind: EventKind, name: &str) -> EventId {
        let (address, certain) = (self.address(name), self.graph.true_lit());
        match kind {
            EventKind::Read => self.graph.add_read(node, address, certain),
            EventKind::Write => self.graph.add_write(node, address, certain),
        }
    }

    /// A new variable is written at the start.
    fn address(&mut self, name: &str) -> AddressId {
        if let Some(known) = self.variables.iter().position(|other| other == name) {
            return AddressId::new(known);
        }
        self.variables.push(name.to_owned());
        let (address, certain) = (self.graph.add_address(), self.graph.true_lit());
        self.graph.add_write(self.initial, address, certain);
        address
    }

    fn mutex(&mut self, name: &str) -> MutexId {
        if let Some((_, mutex)) = self.mutexes.iter().find(|(other, _)| other == name) {
            return *mutex;
        }
        let mutex = self.graph.add_mutex();
        self.mutexes.push((name.to_owned(), mutex));
        mutex
    }

    fn follow(&mut self, first: NodeId, threads: &[ChainId]) {
        let certain = self.graph.true_lit();
        for &thread in threads {
            let to = self.graph.chains()[thread][0];
            self.graph.add_edge(first, to, certain);
        }
    }

    /// Every read may see every write of its variable.
    fn finish(mut self) -> Shape {
        let events: Vec<EventId> = self.graph.events().ids().collect();
        let mut variables = 1;
        for &read in &events {
            for &write in &events {
                let (r, w) = (self.graph.events()[read], self.graph.events()[write]);
                if r.kind == EventKind::Read && w.kind == EventKind::Write && r.address == w.address {
                    variables += 1;
                    self.graph.add_read_from(write, read, Var::new(variables).positive());
                }
            }
        }
        self.graph.verify().expect("a shape should be well formed");
        Shape { graph: self.graph, variables }
    }
}
