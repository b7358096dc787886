//! A toy theory: each constraint asks for an odd number of true literals. A constraint that a model violates is then
//! encoded with clauses over new variables, created in the model check.

use std::collections::VecDeque;

use solve::{Lit, Theory, TheoryContext, Var};

pub struct Parity {
    observed: Vec<Var>,
    open: Vec<Vec<Lit>>,
    pending: VecDeque<Vec<Lit>>,
    trail: Vec<Lit>,
    levels: Vec<usize>,
    /// Asks for a useless new variable first, without any clause.
    pub idle_variables: usize,
    pub encoded: usize,
}

impl Parity {
    pub fn new(observed: Vec<Var>, constraints: Vec<Vec<Lit>>) -> Self {
        Self {
            observed,
            open: constraints,
            pending: VecDeque::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            idle_variables: 0,
            encoded: 0,
        }
    }

    fn is_odd(&self, constraint: &[Lit]) -> bool {
        constraint.iter().filter(|lit| self.trail.contains(lit)).count() % 2 == 1
    }

    /// `sum_i = sum_{i-1} xor literal_i`, and the last sum is true.
    fn encode(&mut self, constraint: &[Lit], context: &mut dyn TheoryContext) {
        let Some((&first, rest)) = constraint.split_first() else {
            self.pending.push_back(Vec::new());
            return;
        };
        let mut sum = first;
        for &lit in rest {
            let next = context.new_observed_var().positive();
            self.pending.push_back(vec![!next, sum, lit]);
            self.pending.push_back(vec![!next, !sum, !lit]);
            self.pending.push_back(vec![next, !sum, lit]);
            self.pending.push_back(vec![next, sum, !lit]);
            sum = next;
        }
        self.pending.push_back(vec![sum]);
    }
}

impl Theory for Parity {
    fn observed(&self) -> Vec<Var> {
        self.observed.clone()
    }
    fn assign(&mut self, literals: &[Lit]) {
        self.trail.extend_from_slice(literals);
    }
    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }
    fn backtrack(&mut self, level: usize) {
        self.trail.truncate(self.levels[level]);
        self.levels.truncate(level);
    }
    fn propagate(&mut self) -> Option<Lit> {
        None
    }
    fn reason(&mut self, _: Lit, _: &mut Vec<Lit>) {
        unreachable!("nothing is propagated")
    }
    fn next_clause(&mut self, clause: &mut Vec<Lit>) -> bool {
        let Some(next) = self.pending.pop_front() else { return false };
        clause.extend(next);
        true
    }
    fn decide(&mut self) -> Option<Lit> {
        None
    }
    fn check_model(&mut self, context: &mut dyn TheoryContext) -> bool {
        if self.idle_variables > 0 {
            self.idle_variables -= 1;
            context.new_observed_var();
            return false;
        }
        let violated = self.open.iter().position(|constraint| !self.is_odd(constraint));
        let Some(index) = violated else { return true };
        let constraint = self.open.swap_remove(index);
        self.encode(&constraint, context);
        self.encoded += 1;
        false
    }
}
