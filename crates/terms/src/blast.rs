//! Bit-blasting: terms become words of and-inverter edges, and edges become literals when somebody asks for them.

use base::Id;
use rustc_hash::FxHashMap;
use solve::{ClauseSink, Lit, Solver};

use crate::aig::{Aig, AigEdge};
use crate::arena::Terms;
use crate::circuits::{self, Word};
use crate::evaluate::{Assignment, Evaluator};
use crate::term::{BinaryOp, Relation, Sort, Term, TermId, UnaryOp, VariableId};

const NOT_BLASTED: u32 = u32::MAX;

/// Translates terms of one arena into clauses of one solver, incrementally: what was translated once is reused.
///
/// Only the bits that somebody asks for get clauses, so a comparison of two low bytes pays for eight bits.
pub struct Blaster {
    aig: Aig,
    cnf: crate::tseitin::Tseitin,
    /// Where a term's bits begin in `bits`.
    starts: Vec<u32>,
    bits: Vec<AigEdge>,
    /// Quotient and remainder of the same operands come from one divider.
    dividers: FxHashMap<(Division, TermId, TermId), (Word, Word)>,
    /// Conditions on results that are inputs of the graph; they go to the solver before anything that needs them.
    conditions: Vec<AigEdge>,
    variables: Vec<VariableId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Division {
    Unsigned,
    Signed,
}

impl Blaster {
    pub fn new() -> Self {
        Self {
            aig: Aig::new(),
            cnf: crate::tseitin::Tseitin::default(),
            starts: Vec::new(),
            bits: Vec::new(),
            dividers: FxHashMap::default(),
            conditions: Vec::new(),
            variables: Vec::new(),
        }
    }

    /// A literal that is always true.
    pub fn true_lit(&mut self, sink: &mut dyn ClauseSink) -> Lit {
        self.cnf.true_literal(sink)
    }

    /// Lets the Boolean variable `variable` stand for `literal`, which exists already.
    ///
    /// # Panics
    /// The variable must not have been translated before.
    pub fn bind(&mut self, terms: &Terms, variable: TermId, literal: Lit) {
        let is_free = matches!(terms.get(variable), Term::Variable(_)) && !self.is_blasted(variable);
        assert!(
            is_free && terms.sort(variable) == Sort::Bool,
            "{variable} should be a Boolean variable of no literal yet"
        );
        self.blast(terms, variable);
        self.cnf.set(self.word(terms, variable)[0], literal);
    }

    /// The literal that is true exactly if the Boolean `term` is.
    pub fn literal(&mut self, terms: &Terms, term: TermId, sink: &mut dyn ClauseSink) -> Lit {
        assert!(terms.sort(term) == Sort::Bool, "{term} should be Boolean");
        self.blast(terms, term);
        self.assert_conditions(sink);
        let edge = self.word(terms, term)[0];
        self.cnf.encode(&self.aig, edge, sink)
    }

    /// The literals of the bits of `term`, lowest first; one for a Boolean.
    pub fn bits(&mut self, terms: &Terms, term: TermId, sink: &mut dyn ClauseSink) -> Vec<Lit> {
        self.blast(terms, term);
        self.assert_conditions(sink);
        let word = self.word(terms, term).to_vec();
        word.into_iter().map(|edge| self.cnf.encode(&self.aig, edge, sink)).collect()
    }

    fn assert_conditions(&mut self, sink: &mut dyn ClauseSink) {
        for condition in self.conditions.drain(..) {
            let literal = self.cnf.encode(&self.aig, condition, sink);
            sink.add_clause(&[literal]);
        }
    }

    /// Makes the Boolean `term` hold. A conjunction at the top becomes several assertions.
    pub fn assert(&mut self, terms: &Terms, term: TermId, sink: &mut dyn ClauseSink) {
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if let Term::And(a, b) = terms.get(term) {
                open.extend([b, a]);
            } else {
                let literal = self.literal(terms, term, sink);
                sink.add_clause(&[literal]);
            }
        }
    }

    /// The values of all translated variables in the solver's model. A bit that no clause mentions is 0.
    pub fn assignment(&self, terms: &Terms, solver: &(impl Solver + ?Sized)) -> Assignment {
        let mut assignment = Assignment::new();
        for &variable in &self.variables {
            let word = self.word(terms, terms.variable_term(variable));
            let bit = |edge: &AigEdge| u64::from(self.cnf.get(*edge).is_some_and(|literal| solver.value(literal)));
            let value = word.iter().rev().fold(0, |value, edge| value << 1 | bit(edge));
            assignment.set(variable, value);
        }
        assignment
    }

    /// The values of these variables in the solver's model, 0 for one that was not translated.
    pub fn assignment_of(
        &self,
        terms: &Terms,
        variables: &[VariableId],
        solver: &(impl Solver + ?Sized),
    ) -> Assignment {
        let mut assignment = Assignment::new();
        for &variable in variables {
            let term = terms.variable_term(variable);
            if self.is_blasted(term) {
                let bit = |edge: &AigEdge| u64::from(self.cnf.get(*edge).is_some_and(|literal| solver.value(literal)));
                let word = self.word(terms, term);
                assignment.set(variable, word.iter().rev().fold(0, |value, edge| value << 1 | bit(edge)));
            }
        }
        assignment
    }

    /// The value of any term in the solver's model. For many terms, evaluate under [`Blaster::assignment`] instead.
    pub fn value(&self, terms: &Terms, term: TermId, solver: &(impl Solver + ?Sized)) -> u64 {
        Evaluator::new(terms, &self.assignment(terms, solver)).value(term)
    }

    /// The size of the graph, for statistics.
    pub fn gates(&self) -> usize {
        self.aig.len()
    }

    fn is_blasted(&self, term: TermId) -> bool {
        self.starts.get(term.index()).is_some_and(|&start| start != NOT_BLASTED)
    }

    fn word(&self, terms: &Terms, term: TermId) -> &[AigEdge] {
        let start = self.starts[term.index()] as usize;
        &self.bits[start..start + word_size(terms, term)]
    }

    /// Gives `term` and everything under it its edges.
    fn blast(&mut self, terms: &Terms, term: TermId) {
        self.starts.resize(self.starts.len().max(terms.len()), NOT_BLASTED);
        let mut stack = vec![term];
        while let Some(&next) = stack.last() {
            if !self.is_blasted(next) {
                let before = stack.len();
                stack.extend(terms.get(next).operands().filter(|&operand| !self.is_blasted(operand)));
                if stack.len() > before {
                    continue;
                }
                self.blast_node(terms, next);
            }
            stack.pop();
        }
    }

    fn blast_node(&mut self, terms: &Terms, term: TermId) {
        let word = self.circuit(terms, term);
        debug_assert_eq!(word.len(), word_size(terms, term));
        let start = u32::try_from(self.bits.len()).ok().filter(|&start| start != NOT_BLASTED);
        self.starts[term.index()] = start.expect("a problem should have fewer than 2³² bits");
        self.bits.extend(word);
    }

    fn circuit(&mut self, terms: &Terms, term: TermId) -> Word {
        let word = |id: TermId| self.word(terms, id).to_vec();
        let bit = |id: TermId| self.word(terms, id)[0];
        match terms.get(term) {
            Term::Boolean(value) => vec![AigEdge::constant(value)],
            Term::Constant { width, value } => (0..width).map(|i| AigEdge::constant(value >> i & 1 == 1)).collect(),
            Term::Variable(variable) => {
                self.variables.push(variable);
                (0..word_size(terms, term)).map(|_| self.aig.input()).collect()
            }
            Term::Not(a) => vec![!bit(a)],
            Term::And(a, b) => {
                let (a, b) = (bit(a), bit(b));
                vec![self.aig.and(a, b)]
            }
            Term::Xor(a, b) => {
                let (a, b) = (bit(a), bit(b));
                vec![self.aig.xor(a, b)]
            }
            Term::Ite(c, a, b) => {
                let (c, a, b) = (bit(c), word(a), word(b));
                circuits::select(&mut self.aig, c, &a, &b)
            }
            Term::Unary(UnaryOp::Not, a) => circuits::complement(&word(a)),
            Term::Unary(UnaryOp::Neg, a) => {
                let a = word(a);
                circuits::neg(&mut self.aig, &a)
            }
            Term::Binary(op, a, b) => self.binary(terms, op, a, b),
            Term::Compare(relation, a, b) => {
                let (a, b) = (word(a), word(b));
                vec![compare(&mut self.aig, relation, &a, &b)]
            }
            Term::Concat(a, b) => [word(b), word(a)].concat(),
            Term::Extract { arg, high, low } => self.word(terms, arg)[usize::from(low)..=usize::from(high)].to_vec(),
            Term::SignExtend { arg, width } => {
                let mut extended = word(arg);
                extended.resize(usize::from(width), extended[extended.len() - 1]);
                extended
            }
            Term::Filled(_) | Term::Store(..) => unreachable!("arrays should be read element by element"),
        }
    }

    fn binary(&mut self, terms: &Terms, op: BinaryOp, a: TermId, b: TermId) -> Word {
        match op {
            BinaryOp::Udiv => return self.divide(terms, Division::Unsigned, a, b).0,
            BinaryOp::Urem => return self.divide(terms, Division::Unsigned, a, b).1,
            BinaryOp::Sdiv => return self.divide(terms, Division::Signed, a, b).0,
            BinaryOp::Srem => return self.divide(terms, Division::Signed, a, b).1,
            _ => {}
        }
        let (a, b) = (self.word(terms, a).to_vec(), self.word(terms, b).to_vec());
        let aig = &mut self.aig;
        match op {
            BinaryOp::Add => circuits::add(aig, &a, &b),
            BinaryOp::Sub => circuits::sub(aig, &a, &b),
            BinaryOp::Mul => circuits::mul(aig, &a, &b),
            BinaryOp::Shl => circuits::shift_left(aig, &a, &b),
            BinaryOp::Lshr => circuits::shift_right(aig, &a, &b, AigEdge::FALSE),
            BinaryOp::Ashr => circuits::shift_right(aig, &a, &b, a[a.len() - 1]),
            BinaryOp::And => circuits::bitwise(aig, &a, &b, Aig::and),
            BinaryOp::Or => circuits::bitwise(aig, &a, &b, Aig::or),
            BinaryOp::Xor => circuits::bitwise(aig, &a, &b, Aig::xor),
            BinaryOp::Udiv | BinaryOp::Urem | BinaryOp::Sdiv | BinaryOp::Srem => {
                unreachable!("divisions should have been handled above")
            }
        }
    }

    fn divide(&mut self, terms: &Terms, kind: Division, a: TermId, b: TermId) -> (Word, Word) {
        if let Some(results) = self.dividers.get(&(kind, a, b)) {
            return results.clone();
        }
        let (x, y) = (self.word(terms, a).to_vec(), self.word(terms, b).to_vec());
        let constant = terms.as_constant(b).filter(|&divisor| divisor > 1 && !divisor.is_power_of_two());
        let results = match (kind, constant) {
            (Division::Unsigned, Some(divisor)) => self.divide_by_constant(&x, divisor),
            (Division::Unsigned, None) => circuits::udivrem(&mut self.aig, &x, &y),
            (Division::Signed, Some(divisor)) if !is_negative(&y) => {
                let (sign, magnitude) = circuits::magnitude(&mut self.aig, &x);
                let (quotient, remainder) = self.divide_by_constant(&magnitude, divisor);
                let signed = |aig: &mut Aig, word: &[AigEdge]| circuits::neg_if(aig, sign, word);
                (signed(&mut self.aig, &quotient), signed(&mut self.aig, &remainder))
            }
            (Division::Signed, _) => circuits::sdivrem(&mut self.aig, &x, &y),
        };
        self.dividers.insert((kind, a, b), results.clone());
        results
    }

    fn divide_by_constant(&mut self, a: &[AigEdge], divisor: u64) -> (Word, Word) {
        let (quotient, remainder, is_right) = circuits::udivrem_by_constant(&mut self.aig, a, divisor);
        self.conditions.push(is_right);
        (quotient, remainder)
    }
}

fn is_negative(word: &[AigEdge]) -> bool {
    word[word.len() - 1] == AigEdge::TRUE
}

impl Default for Blaster {
    fn default() -> Self {
        Self::new()
    }
}

fn word_size(terms: &Terms, term: TermId) -> usize {
    match terms.sort(term) {
        Sort::Bool => 1,
        Sort::BitVec(width) => width as usize,
        Sort::Array(_) => unreachable!("arrays should be read element by element"),
    }
}

fn compare(aig: &mut Aig, relation: Relation, a: &[AigEdge], b: &[AigEdge]) -> AigEdge {
    match relation {
        Relation::Eq => circuits::eq(aig, a, b),
        Relation::Ult => circuits::ult(aig, a, b),
        Relation::Slt => circuits::slt(aig, a, b),
        Relation::UmulOverflow => circuits::umul_overflow(aig, a, b),
        Relation::SmulOverflow => circuits::smul_overflow(aig, a, b),
    }
}
