//! Values of terms under an assignment of the variables.

use base::{Id, IdVec};

use crate::arena::Terms;
use crate::semantics;
use crate::term::{Term, TermId, VariableId};

/// Values of variables: bit-vectors as the low bits, Booleans as 0 and 1. A variable without a value reads as 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assignment {
    values: Vec<Option<u64>>,
}

impl Assignment {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn set(&mut self, variable: VariableId, value: u64) {
        if self.values.len() <= variable.index() {
            self.values.resize(variable.index() + 1, None);
        }
        self.values[variable.index()] = Some(value);
    }

    pub fn get(&self, variable: VariableId) -> Option<u64> {
        self.values.get(variable.index()).copied().flatten()
    }
}

/// The value of a term: the low bits of a bit-vector, or 0 and 1 for a Boolean.
pub fn evaluate(terms: &Terms, term: TermId, assignment: &Assignment) -> u64 {
    Evaluator::new(terms, assignment).value(term)
}

/// The truth of a Boolean term.
pub fn holds(terms: &Terms, term: TermId, assignment: &Assignment) -> bool {
    evaluate(terms, term, assignment) != 0
}

/// Evaluates many terms under one assignment; shared parts are evaluated once.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    values: IdVec<TermId, u64>,
    known: IdVec<TermId, bool>,
    stack: Vec<TermId>,
}

impl<'a> Evaluator<'a> {
    pub fn new(terms: &'a Terms, assignment: &'a Assignment) -> Self {
        Self { terms, assignment, values: IdVec::new(), known: IdVec::new(), stack: Vec::new() }
    }

    pub fn value(&mut self, term: TermId) -> u64 {
        if self.known.len() <= term.index() {
            self.known.resize(term.index() + 1, false);
            self.values.resize(term.index() + 1, 0);
        }
        self.stack.push(term);
        while let Some(&next) = self.stack.last() {
            if !self.known[next] && !self.push_unknown_operands(next) {
                self.values[next] = self.apply(self.terms.get(next));
                self.known[next] = true;
            }
            if self.known[next] {
                self.stack.pop();
            }
        }
        self.values[term]
    }

    fn push_unknown_operands(&mut self, term: TermId) -> bool {
        let before = self.stack.len();
        self.stack.extend(self.terms.get(term).operands().filter(|&operand| !self.known[operand]));
        self.stack.len() > before
    }

    fn apply(&self, term: Term) -> u64 {
        let value = |id: TermId| self.values[id];
        let width = |id: TermId| self.terms.width(id);
        match term {
            Term::Boolean(truth) => u64::from(truth),
            Term::Constant { value, .. } => value,
            Term::Variable(variable) => self.variable(variable),
            Term::Not(a) => value(a) ^ 1,
            Term::And(a, b) => value(a) & value(b),
            Term::Xor(a, b) => value(a) ^ value(b),
            Term::Ite(c, a, b) => value(if value(c) != 0 { a } else { b }),
            Term::Unary(op, a) => semantics::unary(op, width(a), value(a)),
            Term::Binary(op, a, b) => semantics::binary(op, width(a), value(a), value(b)),
            Term::Compare(relation, a, b) => u64::from(semantics::compare(relation, width(a), value(a), value(b))),
            Term::Concat(a, b) => semantics::concat(width(b), value(a), value(b)),
            Term::Extract { arg, high, low } => semantics::extract(u32::from(high), u32::from(low), value(arg)),
            Term::SignExtend { arg, width: to } => semantics::sign_extend(width(arg), u32::from(to), value(arg)),
            Term::Filled(_) | Term::Store(..) => unreachable!("arrays should be read element by element"),
        }
    }

    /// The assigned value, cut to the variable's width.
    fn variable(&self, variable: VariableId) -> u64 {
        let assigned = self.assignment.get(variable).unwrap_or(0);
        match self.terms.sort(self.terms.variable_term(variable)) {
            crate::Sort::Bool => u64::from(assigned != 0),
            crate::Sort::BitVec(width) => assigned & semantics::mask(width),
            crate::Sort::Array(_) => unreachable!("arrays should be read element by element"),
        }
    }
}
