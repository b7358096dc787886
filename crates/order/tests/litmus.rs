//! Litmus shapes: for each, the question and the answer under sequential consistency, asked of the theory (all on, each
//! propagation off), of the clock encoding, and of the reference.

use std::cell::RefCell;
use std::rc::Rc;

use base::Budget;
use order::reference::{Feasible, NaiveClosure, check_linearisation, linearise};
use order::{
    AddressId, ClockEncoding, Counters, EventId, EventKind, MutexId, NodeId, OrderGraph, OrderTheory, TheoryOptions,
};
use solve::{CadicalSolver, ClauseSink, Lit, SolveResult, Solver, Var};

/// A graph in the making. Chain 0 writes all addresses first; all other chains come after it.
struct Shape {
    graph: OrderGraph,
    variables: u32,
    init: NodeId,
    addresses: Vec<AddressId>,
    /// Sources that are asked for.
    wanted: Vec<(EventId, EventId)>,
}

impl Shape {
    fn new(addresses: usize) -> Self {
        let mut graph = OrderGraph::new(Var::new(1).positive());
        let chain = graph.add_chain();
        let init = graph.add_node(chain, graph.true_lit());
        let addresses: Vec<AddressId> = (0..addresses).map(|_| graph.add_address()).collect();
        for &address in &addresses {
            graph.add_write(init, address, graph.true_lit());
        }
        Self { graph, variables: 1, init, addresses, wanted: Vec::new() }
    }

    fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Var::new(self.variables).positive()
    }

    /// A thread given as nodes of accesses: `w0` writes address 0, `r1` reads address 1; returns the events.
    fn thread(&mut self, nodes: &[&str]) -> Vec<EventId> {
        let guards: Vec<Lit> = nodes.iter().map(|_| self.graph.true_lit()).collect();
        self.guarded_thread(nodes, &guards)
    }

    fn guarded_thread(&mut self, nodes: &[&str], guards: &[Lit]) -> Vec<EventId> {
        let chain = self.graph.add_chain();
        let mut events = Vec::new();
        for (accesses, &guard) in nodes.iter().zip(guards) {
            let node = self.graph.add_node(chain, guard);
            for access in accesses.split_whitespace() {
                let address = self.addresses[access[1..].parse::<usize>().expect("a digit should follow")];
                events.push(match access.as_bytes()[0] {
                    b'w' => self.graph.add_write(node, address, guard),
                    _ => self.graph.add_read(node, address, guard),
                });
            }
        }
        if let Some(&first) = self.graph.chains()[chain].first() {
            self.graph.add_edge(self.init, first, self.graph.true_lit());
        }
        events
    }

    /// The initial write of an address.
    fn initial(&self, address: usize) -> EventId {
        self.graph.nodes()[self.init].events[address]
    }

    /// Asks that `read` sees `write`.
    fn sees(&mut self, read: EventId, write: EventId) {
        self.wanted.push((write, read));
    }

    fn node(&self, event: EventId) -> NodeId {
        self.graph.events()[event].node
    }

    /// Adds all candidates, asks everybody, and compares with `feasible`. Returns the counters of each theory.
    fn expect(self, feasible: bool) -> Vec<Counters> {
        self.expect_under(&[], feasible)
    }

    fn expect_under(mut self, conditions: &[Lit], feasible: bool) -> Vec<Counters> {
        let events: Vec<EventId> = self.graph.events().ids().collect();
        let mut assumptions = conditions.to_vec();
        for &read in &events {
            for &write in &events {
                let (r, w) = (self.graph.events()[read], self.graph.events()[write]);
                if r.kind == EventKind::Read && w.kind == EventKind::Write && r.address == w.address {
                    let lit = self.fresh();
                    self.graph.add_read_from(write, read, lit);
                    if self.wanted.contains(&(write, read)) {
                        assumptions.push(lit);
                    }
                }
            }
        }
        assert_eq!(
            assumptions.len(),
            self.wanted.len() + conditions.len(),
            "every wanted source should be a candidate"
        );
        self.ask_reference(&assumptions, feasible);
        self.ask_clocks(&assumptions, feasible);
        all_options().into_iter().map(|options| self.ask_theory(options, &assumptions, feasible)).collect()
    }

    fn ask_reference(&self, assumptions: &[Lit], feasible: bool) {
        let Some(all) = Feasible::enumerate(&self.graph) else { return };
        let holds = |mask: &&u64| assumptions.iter().all(|&lit| all.holds(**mask, lit) == Some(true));
        assert_eq!(all.masks.iter().find(holds).is_some(), feasible, "reference on\n{}", self.graph);
    }

    fn solver(&self) -> CadicalSolver {
        let mut solver = CadicalSolver::new();
        for _ in 0..self.variables {
            solver.new_var();
        }
        self.graph.encode_read_from(&mut solver);
        solver
    }

    fn ask_clocks(&self, assumptions: &[Lit], feasible: bool) {
        let mut solver = self.solver();
        ClockEncoding::encode(&self.graph, &mut solver).expect("the shape should be valid");
        let answer = solver.solve(assumptions, &Budget::unlimited());
        assert_eq!(answer == SolveResult::Satisfiable, feasible, "clocks on\n{}", self.graph);
    }

    fn ask_theory(&self, options: TheoryOptions, assumptions: &[Lit], feasible: bool) -> Counters {
        let mut solver = self.solver();
        let theory = OrderTheory::new(&self.graph, options).expect("the shape should be valid");
        let theory = Rc::new(RefCell::new(theory));
        solver.attach_theory(theory.clone());
        let answer = solver.solve(assumptions, &Budget::unlimited());
        assert_eq!(answer == SolveResult::Satisfiable, feasible, "{options:?} on\n{}", self.graph);
        if feasible {
            let truth = |lit: Lit| solver.value(lit.var().positive()) == lit.is_positive();
            check_linearisation(&self.graph, truth, theory.borrow().linearisation())
                .expect("the order should be valid");
        }
        *theory.borrow().counters()
    }
}

/// Everything on, each switched off alone, everything off.
fn all_options() -> Vec<TheoryOptions> {
    let on = TheoryOptions::default();
    vec![
        on,
        TheoryOptions { after_read: false, ..on },
        TheoryOptions { overwritten: false, ..on },
        TheoryOptions { interval: false, ..on },
        TheoryOptions { exclusive: false, ..on },
        TheoryOptions { guards: false, ..on },
        TheoryOptions { pair_direction: false, ..on },
        TheoryOptions { decide: false, ..on },
        TheoryOptions { commitment: false, ..on },
        TheoryOptions {
            after_read: false,
            overwritten: false,
            interval: false,
            exclusive: false,
            guards: false,
            pair_direction: false,
            decide: false,
            commitment: false,
        },
    ]
}

#[test]
fn store_buffering() {
    for (both_stale, feasible) in [(true, false), (false, true)] {
        let mut shape = Shape::new(2);
        let a = shape.thread(&["w0", "r1"]);
        let b = shape.thread(&["w1", "r0"]);
        shape.sees(a[1], shape.initial(1));
        shape.sees(b[1], if both_stale { shape.initial(0) } else { a[0] });
        shape.expect(feasible);
    }
}

#[test]
fn message_passing() {
    for (stale, feasible) in [(true, false), (false, true)] {
        let mut shape = Shape::new(2);
        let a = shape.thread(&["w0", "w1"]);
        let b = shape.thread(&["r1", "r0"]);
        shape.sees(b[0], a[1]);
        shape.sees(b[1], if stale { shape.initial(0) } else { a[0] });
        shape.expect(feasible);
    }
}

#[test]
fn load_buffering() {
    let mut shape = Shape::new(2);
    let a = shape.thread(&["r0", "w1"]);
    let b = shape.thread(&["r1", "w0"]);
    shape.sees(a[0], b[1]);
    shape.sees(b[0], a[1]);
    shape.expect(false);
}

#[test]
fn independent_reads_of_independent_writes() {
    let mut shape = Shape::new(2);
    let a = shape.thread(&["w0"]);
    let b = shape.thread(&["w1"]);
    let c = shape.thread(&["r0", "r1"]);
    let d = shape.thread(&["r1", "r0"]);
    shape.sees(c[0], a[0]);
    shape.sees(c[1], shape.initial(1));
    shape.sees(d[0], b[0]);
    shape.sees(d[1], shape.initial(0));
    shape.expect(false);
}

#[test]
fn coherence_of_reads() {
    for (backwards, feasible) in [(true, false), (false, true)] {
        let mut shape = Shape::new(1);
        let a = shape.thread(&["w0", "w0"]);
        let b = shape.thread(&["r0", "r0"]);
        shape.sees(b[0], a[usize::from(backwards)]);
        shape.sees(b[1], a[usize::from(!backwards)]);
        shape.expect(feasible);
    }
}

#[test]
fn coherence_of_writes() {
    let mut shape = Shape::new(1);
    let a = shape.thread(&["w0", "w0", "r0"]);
    shape.sees(a[2], a[0]);
    shape.expect(false);
}

#[test]
fn two_plus_two_writes() {
    for (first_wins, feasible) in [(true, false), (false, true)] {
        let mut shape = Shape::new(2);
        let a = shape.thread(&["w0", "w1"]);
        let b = shape.thread(&["w1", "w0"]);
        let c = shape.thread(&["r0", "r1"]);
        for event in [a[1], b[1]] {
            shape.graph.add_edge(shape.node(event), shape.node(c[0]), shape.graph.true_lit());
        }
        // Each thread's first write is the last one of its address.
        shape.sees(c[0], a[0]);
        shape.sees(c[1], if first_wins { b[0] } else { a[1] });
        shape.expect(feasible);
    }
}

#[test]
fn exchanges_have_different_sources() {
    for (same, feasible) in [(true, false), (false, true)] {
        let mut shape = Shape::new(1);
        let a = shape.thread(&["r0 w0"]);
        let b = shape.thread(&["r0 w0"]);
        shape.sees(a[0], shape.initial(0));
        shape.sees(b[0], if same { shape.initial(0) } else { a[1] });
        shape.expect(feasible);
    }
}

#[test]
fn a_node_does_not_conflict_with_itself() {
    let mut shape = Shape::new(1);
    let a = shape.thread(&["r0 w0"]);
    shape.sees(a[0], shape.initial(0));
    shape.expect(true);
    let mut shape = Shape::new(1);
    let a = shape.thread(&["w0 r0"]);
    shape.sees(a[1], shape.initial(0));
    shape.expect(false);
}

#[test]
fn a_join_that_is_not_executed_orders_nothing() {
    for (joined, feasible) in [(true, false), (false, true)] {
        let mut shape = Shape::new(1);
        let executed = shape.fresh();
        let certain = shape.graph.true_lit();
        let worker = shape.thread(&["w0"]);
        // Join, then read the old value.
        let main = shape.guarded_thread(&["", "r0"], &[executed, certain]);
        let join = shape.graph.chains().as_slice()[2][0];
        shape.graph.add_edge(shape.node(worker[0]), join, executed);
        shape.sees(main[0], shape.initial(0));
        shape.expect_under(&[if joined { executed } else { !executed }], feasible);
    }
}

#[test]
fn a_schedule_that_greed_misses() {
    let mut shape = Shape::new(2);
    let a = shape.thread(&["w1", "w0"]);
    let b = shape.thread(&["w0", "r1"]);
    let c = shape.thread(&["w1", "r0"]);
    shape.sees(b[1], a[0]);
    shape.sees(c[1], a[1]);
    shape.expect(true);
}

#[test]
fn sections_exclude_each_other() {
    for (locked, feasible) in [(true, false), (false, true)] {
        let mut shape = Shape::new(1);
        let a = shape.thread(&["", "w0", "w0", ""]);
        let b = shape.thread(&["", "r0", ""]);
        let mutex: MutexId = shape.graph.add_mutex();
        let (first, second) = (shape.graph.chains().as_slice()[1].clone(), shape.graph.chains().as_slice()[2].clone());
        shape.graph.add_section(mutex, first[0], vec![first[3]]);
        if locked {
            shape.graph.add_section(mutex, second[0], vec![second[2]]);
        }
        // The state between the two writes.
        shape.sees(b[0], a[0]);
        shape.expect(feasible);
    }
}

#[test]
fn a_mutex_that_stays_locked_comes_last() {
    for (relocked, feasible) in [(false, true), (true, false)] {
        let mut shape = Shape::new(1);
        shape.thread(&["", "w0"]);
        let b = shape.thread(&["", "r0", ""]);
        let (first, second) = (shape.graph.chains().as_slice()[1].clone(), shape.graph.chains().as_slice()[2].clone());
        let mutex = shape.graph.add_mutex();
        shape.graph.add_section(mutex, first[0], Vec::new());
        shape.graph.add_section(mutex, second[0], if relocked { Vec::new() } else { vec![second[2]] });
        shape.sees(b[0], shape.initial(0));
        shape.expect(feasible);
    }
}

/// The "butterfly": two writes of x and two of y, each read by a thread of its own; all writes of y precede the reads of
/// x and the other way round. Whichever write of x comes first, its read separates the two, so that both writes of y
/// precede both reads of y. No rule sees it.
fn butterfly(without: Option<usize>) -> Shape {
    let mut shape = Shape::new(2);
    let left = [shape.thread(&["w0", "r1"]), shape.thread(&["w0", "r1"])];
    let right = [shape.thread(&["w1", "r0"]), shape.thread(&["w1", "r0"])];
    let crossing = [(&left[0], &left[1]), (&left[1], &left[0]), (&right[0], &right[1]), (&right[1], &right[0])];
    for (index, (from, to)) in crossing.into_iter().enumerate() {
        if Some(index) != without {
            shape.graph.add_edge(shape.node(from[0]), shape.node(to[1]), shape.graph.true_lit());
        }
    }
    for side in 0..2 {
        shape.sees(left[side][1], right[side][0]);
        shape.sees(right[side][1], left[side][0]);
    }
    shape
}

#[test]
fn the_butterfly_needs_a_pair_literal() {
    let counters = butterfly(None).expect(false);
    assert!(counters.iter().all(|counters| counters.pair_literals > 0 && counters.stuck > 0), "{counters:?}");
}

#[test]
fn a_butterfly_without_one_edge_flies() {
    for missing in 0..4 {
        butterfly(Some(missing)).expect(true);
    }
}

#[test]
fn rules_alone_do_not_see_the_butterfly() {
    let mut shape = butterfly(None);
    for index in 0..shape.wanted.len() {
        let (write, read) = shape.wanted[index];
        let certain = shape.graph.true_lit();
        shape.graph.add_read_from(write, read, certain);
    }
    let truth = |lit: Lit| lit.is_positive();
    assert!(!NaiveClosure::new(&shape.graph, truth).is_cyclic());
    assert_eq!(linearise(&shape.graph, truth, &[]), None);
}
