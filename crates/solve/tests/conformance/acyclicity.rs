//! A toy theory: the edges whose literals are true form no cycle. Reasons are built only when asked for, by a search
//! in the graph as it was at the time of the propagation.

use solve::{Lit, Theory, TheoryContext, Var};

#[derive(Clone, Copy)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub var: Var,
}

/// What this instance of the theory does besides its duty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Finds cycles in full models only.
    Final,
    /// Reports cycles as soon as they exist.
    Eager,
    /// Also propagates the edges that would close a cycle, and proposes decisions.
    Propagating,
}

pub struct Acyclicity {
    nodes: usize,
    edges: Vec<Edge>,
    style: Style,
    assigned: Vec<Option<bool>>,
    trail: Vec<usize>,
    levels: Vec<usize>,
    /// For each edge, the length of the trail when its absence was propagated.
    propagated_at: Vec<usize>,
    conflicts: Vec<Vec<Lit>>,
    pub repeated_assignments: usize,
}

impl Acyclicity {
    pub fn new(nodes: usize, edges: Vec<Edge>, style: Style) -> Self {
        let count = edges.len();
        Self {
            nodes,
            edges,
            style,
            assigned: vec![None; count],
            trail: Vec::new(),
            levels: Vec::new(),
            propagated_at: vec![0; count],
            conflicts: Vec::new(),
            repeated_assignments: 0,
        }
    }

    fn edge_of(&self, lit: Lit) -> usize {
        self.edges.iter().position(|edge| edge.var == lit.var()).expect("only observed literals should arrive")
    }

    /// The edges of some path from `start` to `goal` that uses only the first `limit` entries of the trail.
    fn path(&self, start: usize, goal: usize, limit: usize) -> Option<Vec<usize>> {
        let mut by: Vec<Option<usize>> = vec![None; self.nodes];
        let mut stack = vec![start];
        while let Some(node) = stack.pop() {
            if node == goal {
                let mut path = Vec::new();
                let mut node = goal;
                while node != start {
                    let edge = by[node].unwrap();
                    path.push(edge);
                    node = self.edges[edge].from;
                }
                return Some(path);
            }
            for &edge in &self.trail[..limit] {
                let Edge { from, to, .. } = self.edges[edge];
                if self.assigned[edge] == Some(true) && from == node && by[to].is_none() && to != start {
                    by[to] = Some(edge);
                    stack.push(to);
                }
            }
        }
        None
    }

    fn note_cycle_through(&mut self, edge: usize) {
        let Edge { from, to, var } = self.edges[edge];
        if let Some(path) = self.path(to, from, self.trail.len()) {
            let mut clause = vec![var.negative()];
            clause.extend(path.iter().filter(|&&other| other != edge).map(|&other| self.edges[other].var.negative()));
            self.conflicts.push(clause);
        }
    }
}

impl Theory for Acyclicity {
    fn observed(&self) -> Vec<Var> {
        self.edges.iter().map(|edge| edge.var).collect()
    }

    fn assign(&mut self, literals: &[Lit]) {
        for &lit in literals {
            let edge = self.edge_of(lit);
            self.repeated_assignments += usize::from(self.assigned[edge].is_some());
            self.assigned[edge] = Some(lit.is_positive());
            self.trail.push(edge);
            if lit.is_positive() && self.style != Style::Final {
                self.note_cycle_through(edge);
            }
        }
    }

    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn backtrack(&mut self, level: usize) {
        for edge in self.trail.drain(self.levels[level]..) {
            self.assigned[edge] = None;
        }
        self.levels.truncate(level);
        self.conflicts.clear();
    }

    fn propagate(&mut self) -> Option<Lit> {
        if self.style != Style::Propagating {
            return None;
        }
        let limit = self.trail.len();
        let edge = (0..self.edges.len()).find(|&edge| {
            let Edge { from, to, .. } = self.edges[edge];
            self.assigned[edge].is_none() && self.path(to, from, limit).is_some()
        })?;
        self.propagated_at[edge] = limit;
        Some(self.edges[edge].var.negative())
    }

    fn reason(&mut self, literal: Lit, clause: &mut Vec<Lit>) {
        let edge = self.edge_of(literal);
        let Edge { from, to, .. } = self.edges[edge];
        let path = self.path(to, from, self.propagated_at[edge]).expect("the path should still be there");
        clause.push(literal);
        clause.extend(path.iter().map(|&other| self.edges[other].var.negative()));
    }

    fn next_clause(&mut self, clause: &mut Vec<Lit>) -> bool {
        let Some(conflict) = self.conflicts.pop() else { return false };
        clause.extend(conflict);
        true
    }

    fn decide(&mut self) -> Option<Lit> {
        if self.style != Style::Propagating {
            return None;
        }
        let open = self.assigned.iter().position(|value| value.is_none())?;
        Some(self.edges[open].var.positive())
    }

    fn check_model(&mut self, _: &mut dyn TheoryContext) -> bool {
        assert!(self.assigned.iter().all(Option::is_some), "every edge should be known at a model check");
        self.conflicts.clear();
        for edge in 0..self.edges.len() {
            if self.assigned[edge] == Some(true) {
                self.note_cycle_through(edge);
            }
        }
        self.conflicts.is_empty()
    }

    fn clauses_are_forgettable(&self) -> bool {
        true
    }
}

/// Whether the edges chosen by `chosen` are free of cycles: repeatedly drop nodes without incoming edges.
pub fn is_acyclic(nodes: usize, edges: &[Edge], chosen: impl Fn(Var) -> bool) -> bool {
    let mut alive = vec![true; nodes];
    loop {
        let removable = (0..nodes).find(|&node| {
            alive[node] && !edges.iter().any(|edge| edge.to == node && alive[edge.from] && chosen(edge.var))
        });
        match removable {
            Some(node) => alive[node] = false,
            None => return alive.iter().all(|&alive| !alive),
        }
    }
}
