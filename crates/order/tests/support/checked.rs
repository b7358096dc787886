//! The theory under observation: every clause it gives is compared with all feasible assignments of the graph, and its
//! order with a naive closure and with a theory that starts afresh.

use order::reference::{Feasible, NaiveClosure, linearise};
use order::{NodeId, OrderGraph, OrderTheory, TheoryOptions};
use solve::{Lit, Theory, TheoryContext, Var};

pub struct Checked {
    pub inner: OrderTheory,
    graph: OrderGraph,
    options: TheoryOptions,
    feasible: Feasible,
    assigned: Vec<Lit>,
    levels: Vec<usize>,
    calls: u64,
    /// Nothing has happened since the theory said that it has no more to propagate.
    settled: bool,
    /// Clauses checked, reasons and conflicts together.
    pub clauses: u64,
    pub restarts_compared: u64,
    pub failures: Vec<String>,
}

impl Checked {
    pub fn new(graph: &OrderGraph, options: TheoryOptions, feasible: Feasible) -> Self {
        Self {
            inner: OrderTheory::new(graph, options).expect("generated graphs should be valid"),
            graph: graph.clone(),
            options,
            feasible,
            assigned: Vec::new(),
            levels: Vec::new(),
            calls: 0,
            settled: false,
            clauses: 0,
            restarts_compared: 0,
            failures: Vec::new(),
        }
    }

    pub fn feasible(&self) -> &Feasible {
        &self.feasible
    }

    fn truth(&self, mask: u64, lit: Lit) -> bool {
        self.feasible.holds(mask, lit).unwrap_or(lit == self.graph.true_lit())
    }

    /// A clause is sound iff no feasible assignment (with an order that fits its pair literals) falsifies it.
    fn check_clause(&mut self, clause: &[Lit], kind: &str) {
        self.clauses += 1;
        let (pairs, plain): (Vec<Lit>, Vec<Lit>) = clause.iter().partition(|lit| self.inner.pair(lit.var()).is_some());
        let extra: Vec<(NodeId, NodeId)> = pairs
            .iter()
            .filter_map(|lit| self.inner.pair(lit.var()).map(|(a, b)| if lit.is_positive() { (b, a) } else { (a, b) }))
            .collect();
        for index in 0..self.feasible.masks.len() {
            let mask = self.feasible.masks[index];
            let falsified = plain.iter().all(|&lit| !self.truth(mask, lit));
            if falsified && (pairs.is_empty() || linearise(&self.graph, |lit| self.truth(mask, lit), &extra).is_some())
            {
                self.failures.push(format!("unsound {kind} {clause:?} under {:?}", self.assigned));
                return;
            }
        }
    }

    fn is_true(&self, lit: Lit) -> bool {
        lit == self.graph.true_lit() || self.assigned.contains(&lit)
    }

    fn has_pairs(&self) -> bool {
        self.inner.counters().pair_literals > 0
    }

    fn all_pairs(&self) -> impl Iterator<Item = (NodeId, NodeId)> + use<> {
        let nodes = 0..self.graph.nodes().len() as u32;
        nodes.clone().flat_map(move |a| nodes.clone().map(move |b| (NodeId(a), NodeId(b))))
    }

    /// The order at a fixpoint is what the same assignment gives to a theory that has never backtracked.
    fn compare_with_restart(&mut self) {
        let mut fresh = OrderTheory::new(&self.graph, self.options).expect("generated graphs should be valid");
        fresh.assign(&self.assigned);
        while fresh.propagate().is_some() {}
        if fresh.next_clause(&mut Vec::new()) {
            self.failures.push(format!("undo hides a conflict under {:?}", self.assigned));
            return;
        }
        self.restarts_compared += 1;
        if self.all_pairs().any(|(a, b)| fresh.must_precede(a, b) != self.inner.must_precede(a, b)) {
            self.failures.push(format!("undo differs from a fresh start under {:?}", self.assigned));
        }
    }

    fn compare_with_closure(&mut self) {
        let closure = NaiveClosure::new(&self.graph, |lit| self.is_true(lit));
        let differs = |(a, b)| closure.precedes(a, b) != self.inner.must_precede(a, b);
        if closure.is_cyclic() || self.all_pairs().any(differs) {
            self.failures.push(format!("order differs from the naive closure under {:?}", self.assigned));
        }
    }
}

impl Theory for Checked {
    fn observed(&self) -> Vec<Var> {
        self.inner.observed()
    }

    fn assign(&mut self, literals: &[Lit]) {
        for &lit in literals {
            if !self.assigned.contains(&lit) {
                self.assigned.push(lit);
            }
        }
        self.settled = false;
        self.inner.assign(literals);
    }

    fn new_level(&mut self) {
        self.levels.push(self.assigned.len());
        self.inner.new_level();
    }

    fn backtrack(&mut self, level: usize) {
        if let Some(&kept) = self.levels.get(level) {
            self.assigned.truncate(kept);
            self.levels.truncate(level);
        }
        self.settled = false;
        self.inner.backtrack(level);
    }

    fn propagate(&mut self) -> Option<Lit> {
        let lit = self.inner.propagate();
        self.settled = lit.is_none();
        if let Some(lit) = lit {
            // Checked eagerly as well: the solver asks for few of the reasons.
            let mut clause = Vec::new();
            self.inner.reason(lit, &mut clause);
            self.check_reason(lit, &clause);
        }
        lit
    }

    fn reason(&mut self, literal: Lit, clause: &mut Vec<Lit>) {
        self.inner.reason(literal, clause);
        let clause = clause.clone();
        self.check_reason(literal, &clause);
    }

    fn next_clause(&mut self, clause: &mut Vec<Lit>) -> bool {
        let found = self.inner.next_clause(clause);
        if found {
            let clause = clause.clone();
            self.check_clause(&clause, "conflict");
            self.settled = false;
            return true;
        }
        self.calls += 1;
        if self.settled && self.calls.is_multiple_of(5) && !self.has_pairs() {
            self.compare_with_restart();
        }
        false
    }

    fn decide(&mut self) -> Option<Lit> {
        self.inner.decide()
    }

    fn check_model(&mut self, context: &mut dyn TheoryContext) -> bool {
        let accepted = self.inner.check_model(context);
        if accepted && !self.has_pairs() {
            self.compare_with_closure();
        }
        accepted
    }
}

impl Checked {
    fn check_reason(&mut self, literal: Lit, clause: &[Lit]) {
        if !clause.contains(&literal) {
            self.failures.push(format!("the reason {clause:?} of {literal} lacks it"));
        }
        let premise_open = |&lit: &Lit| lit != literal && !self.is_true(!lit);
        if clause.iter().any(premise_open) {
            self.failures.push(format!("the reason {clause:?} of {literal} was not false under {:?}", self.assigned));
        }
        self.check_clause(clause, "reason");
    }
}
