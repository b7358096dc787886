//! Litmus shapes through the refinement loop: which outcomes sequential consistency allows, what refutes the others, and
//! how a graph is drawn.

use base::Budget;
use order::eog::{Closure, EogVerdict, EventOrderGraph, Labels, PlainLabels, Validator};
use order::{AddressId, ChainId, EventId, OrderEvent, OrderGraph};
use solve::{CadicalSolver, ClauseSink, Lit, SolveResult, Solver, Var};

/// Threads of accesses over a few addresses that are written once at the start. `W x n` writes the nth value, `R x n`
/// demands to read it; value 0 is the initial one.
struct Litmus {
    graph: OrderGraph,
    variables: u32,
    demanded: Vec<Lit>,
}

impl Litmus {
    /// Thread by thread, accesses separated by `;`; a group in brackets is one atomic node.
    fn new(addresses: &[&str], threads: &[&str]) -> Self {
        let mut graph = OrderGraph::new(Var::new(1).positive());
        let yes = graph.true_lit();
        let main = graph.add_chain();
        let start = graph.add_node(main, yes);
        let mut writes: Vec<(AddressId, u32, EventId)> = Vec::new();
        for _ in addresses {
            let address = graph.add_address();
            writes.push((address, 0, graph.add_write(start, address, yes)));
        }
        let mut reads: Vec<(AddressId, u32, EventId)> = Vec::new();
        for thread in threads {
            let chain = graph.add_chain();
            for (index, node_text) in thread.split(';').enumerate() {
                let node = graph.add_node(chain, yes);
                if index == 0 {
                    graph.add_edge(start, node, yes);
                }
                for access in node_text.split(',') {
                    let words: Vec<&str> = access.split_whitespace().collect();
                    let address = addresses.iter().position(|name| *name == words[1]).expect("a known address");
                    let (address, value) = (AddressId(address as u32), words[2].parse().expect("a number"));
                    match words[0] {
                        "W" => writes.push((address, value, graph.add_write(node, address, yes))),
                        _ => reads.push((address, value, graph.add_read(node, address, yes))),
                    }
                }
            }
        }
        let (mut variables, mut demanded) = (1, Vec::new());
        for (address, value, read) in reads {
            for &(_, written, write) in writes.iter().filter(|(other, ..)| *other == address) {
                variables += 1;
                graph.add_read_from(write, read, Var::new(variables).positive());
                if written == value {
                    demanded.push(Var::new(variables).positive());
                }
            }
        }
        graph.verify().expect("a litmus test should be well formed");
        Self { graph, variables, demanded }
    }

    fn is_allowed(&self) -> bool {
        let mut solver = CadicalSolver::new();
        while solver.variables() < self.variables {
            solver.new_var();
        }
        self.graph.encode_read_from(&mut solver);
        let mut validator = Validator::default();
        loop {
            if solver.solve(&self.demanded, &Budget::unlimited()) == SolveResult::Unsatisfiable {
                return false;
            }
            let eog = EventOrderGraph::new(&self.graph, |lit| solver.value(lit));
            match validator.validate(&eog, &Budget::unlimited()) {
                EogVerdict::Feasible(order) => {
                    let truth = |lit| solver.value(lit);
                    order::reference::check_linearisation(&self.graph, truth, &order).expect("a valid order");
                    return true;
                }
                EogVerdict::Refuted(clauses) => clauses.iter().for_each(|clause| solver.add_clause(clause)),
                EogVerdict::Interrupted(reason) => panic!("{reason}"),
            }
        }
    }
}

#[test]
fn litmus_outcomes() {
    let cases: [(&str, &[&str], &[&str], bool); 14] = [
        ("store buffering", &["x", "y"], &["W x 1; R y 0", "W y 1; R x 0"], false),
        ("store buffering, one late", &["x", "y"], &["W x 1; R y 0", "W y 1; R x 1"], true),
        ("message passing", &["x", "y"], &["W x 1; W y 1", "R y 1; R x 0"], false),
        ("message passing, seen", &["x", "y"], &["W x 1; W y 1", "R y 1; R x 1"], true),
        ("load buffering", &["x", "y"], &["R x 1; W y 1", "R y 1; W x 1"], false),
        ("coherence of reads", &["x"], &["W x 1", "W x 2", "R x 1; R x 2", "R x 2; R x 1"], false),
        ("coherence, agreeing", &["x"], &["W x 1", "W x 2", "R x 1; R x 2", "R x 1; R x 2"], true),
        ("IRIW", &["x", "y"], &["W x 1", "W y 1", "R x 1; R y 0", "R y 1; R x 0"], false),
        ("2+2W", &["x", "y"], &["W x 1; W y 2", "W y 1; W x 2", "R x 1; R x 2", "R y 1; R y 2"], true),
        ("2+2W, both last", &["x", "y"], &["W x 1; W y 2", "W y 1; W x 2", "R x 2; R x 1", "R y 2; R y 1"], false),
        ("write to read causality", &["x", "y"], &["W x 1", "R x 1; W y 1", "R y 1; R x 0"], false),
        ("two read-modify-writes", &["x"], &["R x 0, W x 1", "R x 0, W x 2"], false),
        ("read-modify-writes in turn", &["x"], &["R x 0, W x 1", "R x 1, W x 2"], true),
        ("lost update", &["x"], &["R x 0; W x 1", "R x 0; W x 2"], true),
    ];
    for (name, addresses, threads, allowed) in cases {
        assert_eq!(Litmus::new(addresses, threads).is_allowed(), allowed, "{name}");
    }
}

#[test]
fn a_drawing_has_the_three_kinds_of_arrows() {
    let litmus = Litmus::new(&["x", "y"], &["W x 1; R y 0", "W y 1; R x 0"]);
    let eog =
        EventOrderGraph::new(&litmus.graph, |lit| lit == litmus.graph.true_lit() || litmus.demanded.contains(&lit));
    let closure = Closure::new(&eog);
    assert!(closure.is_cyclic());
    let dot = eog.to_dot(&closure, &Quoted);
    for line in [
        "    n2 [label=\"\\\"R x1 e3\\\"\" shape=ellipse style=filled fillcolor=lightgrey];",
        "    n1 [label=\"\\\"W x0 e2\\\"\" shape=ellipse style=filled fillcolor=white];",
        "  n1 -> n2 [style=solid arrowhead=normal];",
        "  n0 -> n1 [style=solid arrowhead=normal color=red penwidth=2];",
        "  n0 -> n2 [style=dashed arrowhead=normal constraint=false label=\"rf0\"];",
        "  n2 -> n3 [style=solid arrowhead=empty constraint=false];",
        "  n1 -> n0 [style=solid arrowhead=empty constraint=false color=red penwidth=2];",
    ] {
        assert!(dot.lines().any(|other| other == line), "no line {line}\n{dot}");
    }
    let text = eog.to_text(&closure, &PlainLabels);
    for line in ["thread 1:", "  n1: W x0 e2", "read-from: n0 -> n2", "derived: n2 -> n3"] {
        assert!(text.lines().any(|other| other == line), "no line {line}\n{text}");
    }
    assert!(text.ends_with("\ncycle: n0 -> n1 -> n0\n"), "{text}");
}

#[test]
fn a_graph_without_cycle_says_so() {
    let litmus = Litmus::new(&["x"], &["W x 1", "R x 1"]);
    let eog =
        EventOrderGraph::new(&litmus.graph, |lit| lit == litmus.graph.true_lit() || litmus.demanded.contains(&lit));
    let closure = Closure::new(&eog);
    assert!(eog.to_text(&closure, &PlainLabels).ends_with("no cycle\n"));
    assert!(!eog.to_dot(&closure, &PlainLabels).contains("red"));
}

/// Labels with characters that a drawing has to escape.
struct Quoted;

impl Labels for Quoted {
    fn chain(&self, chain: ChainId) -> String {
        PlainLabels.chain(chain)
    }

    fn event(&self, id: EventId, event: &OrderEvent) -> String {
        format!("\"{}\"", PlainLabels.event(id, event))
    }
}
