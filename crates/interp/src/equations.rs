//! Equations between sums, solved modulo the width of numbers: what premises say about variables is put into the other premises
//! and into conclusions. Much of what a loop keeps (`x = i - j`) is then decided without a solver, for which sums are hard.
//!
//! The rewritten premises imply the rewritten conclusion exactly if the original ones do: a variable is eliminated only if it is an odd
//! multiple in its equation and occurs nowhere else there, so that it has exactly one value for all values of the others.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use terms::{BinaryOp, Relation, Sort, Term, TermId, UnaryOp, VariableId};

use crate::linear::conjuncts;
use crate::oracle::{self, Oracle, Substitution};
use crate::vocabulary::{Meaning, Vocabulary, variable_of};

/// Longer sums are left as they are.
const MAX_ATOMS: usize = 24;

/// A sum modulo a power of two.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ModularSum {
    width: u32,
    atoms: BTreeMap<TermId, u64>,
    constant: u64,
}

impl ModularSum {
    fn constant(width: u32, constant: u64) -> Self {
        Self { width, atoms: BTreeMap::new(), constant: constant & mask(width) }
    }

    fn atom(width: u32, term: TermId) -> Self {
        Self { width, atoms: BTreeMap::from([(term, 1)]), constant: 0 }
    }

    fn add_scaled(&mut self, other: &ModularSum, factor: u64) {
        let mask = mask(self.width);
        for (&atom, &coefficient) in &other.atoms {
            let entry = self.atoms.entry(atom).or_default();
            *entry = entry.wrapping_add(coefficient.wrapping_mul(factor)) & mask;
            if *entry == 0 {
                self.atoms.remove(&atom);
            }
        }
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(factor)) & mask;
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The number that gives one when it is multiplied with this odd one.
fn inverse(odd: u64) -> u64 {
    // Each round doubles the number of right bits.
    (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

/// Premises that have been solved.
pub struct SolvedPremises {
    definitions: FxHashMap<VariableId, Rc<ModularSum>>,
    /// What is left, rewritten.
    pub rest: Vec<TermId>,
    known: FxHashSet<TermId>,
    pub are_contradictory: bool,
    terms: FxHashMap<TermId, TermId>,
    sums: FxHashMap<TermId, Rc<ModularSum>>,
}

impl SolvedPremises {
    pub fn new(vocabulary: &mut Vocabulary<'_>, oracle: &mut Oracle, premises: &[TermId]) -> Self {
        let mut solved = Self {
            definitions: FxHashMap::default(),
            rest: Vec::new(),
            known: FxHashSet::default(),
            are_contradictory: false,
            terms: FxHashMap::default(),
            sums: FxHashMap::default(),
        };
        let mut others = Vec::new();
        for &premise in premises {
            for literal in conjuncts(&vocabulary.terms, premise) {
                if !solved.define(vocabulary, oracle, literal) {
                    others.push(literal);
                }
            }
        }
        for literal in others {
            let literal = solved.rewritten(vocabulary, literal);
            match vocabulary.terms.as_boolean(literal) {
                Some(true) => {}
                Some(false) => solved.are_contradictory = true,
                None => solved.rest.extend(conjuncts(&vocabulary.terms, literal)),
            }
        }
        solved.rest.sort_unstable();
        solved.rest.dedup();
        solved.known.extend(&solved.rest);
        solved
    }

    /// Whether a rewritten literal is one of the premises.
    pub fn contains(&self, literal: TermId) -> bool {
        self.known.contains(&literal)
    }

    /// Solves an equation for a variable; whether nothing is left of it.
    fn define(&mut self, vocabulary: &mut Vocabulary<'_>, oracle: &mut Oracle, literal: TermId) -> bool {
        let Term::Compare(Relation::Eq, left, right) = vocabulary.terms.get(literal) else { return false };
        if !matches!(vocabulary.terms.sort(left), Sort::BitVec(_)) {
            return false;
        }
        let mut sum = (*self.sum(vocabulary, left)).clone();
        let right = self.sum(vocabulary, right);
        sum.add_scaled(&right, u64::MAX);
        if sum.atoms.is_empty() {
            self.are_contradictory |= sum.constant != 0;
            return true;
        }
        let mut chosen = None;
        for (&atom, &coefficient) in sum.atoms.iter().rev() {
            let Some(variable) = variable_of(&vocabulary.terms, atom) else { continue };
            if coefficient % 2 == 0 || matches!(vocabulary.meaning(variable), Meaning::Read { .. }) {
                continue;
            }
            let mut elsewhere = sum.atoms.keys().filter(|&&other| other != atom);
            if !elsewhere.any(|&other| oracle.variables(vocabulary, other).contains(&variable)) {
                chosen = Some((atom, variable, coefficient));
                break;
            }
        }
        let Some((atom, variable, coefficient)) = chosen else { return false };
        sum.atoms.remove(&atom);
        let mut definition = ModularSum::constant(sum.width, 0);
        definition.add_scaled(&sum, inverse(coefficient).wrapping_neg());
        self.definitions.insert(variable, Rc::new(definition));
        self.terms.clear();
        self.sums.clear();
        true
    }

    fn sum(&mut self, vocabulary: &mut Vocabulary<'_>, term: TermId) -> Rc<ModularSum> {
        if let Some(known) = self.sums.get(&term) {
            return known.clone();
        }
        let sum = Rc::new(self.find_sum(vocabulary, term));
        self.sums.insert(term, sum.clone());
        sum
    }

    fn find_sum(&mut self, vocabulary: &mut Vocabulary<'_>, term: TermId) -> ModularSum {
        let width = vocabulary.terms.width(term);
        let mut result = ModularSum::constant(width, 0);
        let mut parts: Vec<(TermId, u64)> = Vec::new();
        match vocabulary.terms.get(term) {
            Term::Constant { value, .. } => return ModularSum::constant(width, value),
            Term::Binary(BinaryOp::Add, a, b) => parts.extend([(a, 1), (b, 1)]),
            Term::Binary(BinaryOp::Sub, a, b) => parts.extend([(a, 1), (b, u64::MAX)]),
            Term::Unary(UnaryOp::Neg, a) => parts.push((a, u64::MAX)),
            Term::Unary(UnaryOp::Not, a) => {
                parts.push((a, u64::MAX));
                result.constant = mask(width);
            }
            Term::Binary(BinaryOp::Mul, a, b) => {
                match (vocabulary.terms.as_constant(a), vocabulary.terms.as_constant(b)) {
                    (_, Some(factor)) => parts.push((a, factor)),
                    (Some(factor), _) => parts.push((b, factor)),
                    _ => {}
                }
            }
            Term::Binary(BinaryOp::Shl, a, count) => {
                let count = vocabulary.terms.as_constant(count).filter(|&count| count < u64::from(width));
                parts.extend(count.map(|count| (a, 1 << count)));
            }
            // A shift by concatenation.
            Term::Concat(high, low) => {
                let shift = vocabulary.terms.width(low);
                if let (Term::Extract { arg, low: 0, .. }, Some(constant)) =
                    (vocabulary.terms.get(high), vocabulary.terms.as_constant(low))
                    && vocabulary.terms.width(arg) == width
                {
                    parts.push((arg, 1 << shift));
                    result.constant = constant;
                }
            }
            // The low bits of a sum are a sum of low bits.
            Term::Extract { arg, high, low: 0 } => {
                let whole = self.sum(vocabulary, arg);
                if whole.atoms.len() != 1 || whole.constant != 0 || whole.atoms.values().any(|&factor| factor != 1) {
                    result.constant = whole.constant & mask(width);
                    for (&atom, &factor) in &whole.atoms {
                        if factor & mask(width) != 0 {
                            let part = vocabulary.terms.extract(atom, u32::from(high), 0);
                            result.add_scaled(&ModularSum::atom(width, part), factor);
                        }
                    }
                    return result;
                }
            }
            Term::Variable(variable) => {
                if let Some(definition) = self.definitions.get(&variable).cloned() {
                    result.constant = definition.constant;
                    parts.extend(definition.atoms.iter().map(|(&atom, &coefficient)| (atom, coefficient)));
                    if parts.is_empty() {
                        return result;
                    }
                }
            }
            _ => {}
        }
        if parts.is_empty() {
            return self.atom(vocabulary, term);
        }
        for (part, factor) in parts {
            let part = self.sum(vocabulary, part);
            result.add_scaled(&part, factor);
        }
        if result.atoms.len() > MAX_ATOMS { self.atom(vocabulary, term) } else { result }
    }

    /// A term that is no sum, with its parts rewritten.
    fn atom(&mut self, vocabulary: &mut Vocabulary<'_>, term: TermId) -> ModularSum {
        let width = vocabulary.terms.width(term);
        let inside = self.inside(vocabulary, term);
        match vocabulary.terms.as_constant(inside) {
            Some(constant) => ModularSum::constant(width, constant),
            None => ModularSum::atom(width, inside),
        }
    }

    /// The term over the variables that are left.
    pub fn rewritten(&mut self, vocabulary: &mut Vocabulary<'_>, term: TermId) -> TermId {
        if let Some(&known) = self.terms.get(&term) {
            return known;
        }
        let result = match (vocabulary.terms.sort(term), vocabulary.terms.get(term)) {
            (_, Term::Constant { .. } | Term::Boolean(_)) => term,
            (Sort::BitVec(_), _) => {
                let sum = self.sum(vocabulary, term);
                built(vocabulary, &sum)
            }
            (_, Term::Compare(Relation::Eq, left, right)) if matches!(vocabulary.terms.sort(left), Sort::BitVec(_)) => {
                let mut difference = (*self.sum(vocabulary, left)).clone();
                let right = self.sum(vocabulary, right);
                difference.add_scaled(&right, u64::MAX);
                equal_to_zero(vocabulary, &difference)
            }
            _ => self.inside(vocabulary, term),
        };
        self.terms.insert(term, result);
        result
    }

    fn inside(&mut self, vocabulary: &mut Vocabulary<'_>, term: TermId) -> TermId {
        let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
        let own = vocabulary.terms.get(term);
        if let Term::Variable(variable) = own
            && let Meaning::Read { place, .. } = vocabulary.meaning(variable)
        {
            let rewritten = self.rewritten(vocabulary, place);
            new.insert(place, rewritten);
        }
        for operand in own.operands() {
            let rewritten = self.rewritten(vocabulary, operand);
            new.insert(operand, rewritten);
        }
        oracle::rebuilt(vocabulary, term, &Substitution::default(), &new)
    }
}

/// The sum as a term, always the same for the same sum.
fn built(vocabulary: &mut Vocabulary<'_>, sum: &ModularSum) -> TermId {
    let terms = &mut vocabulary.terms;
    let half = 1u64 << (sum.width - 1);
    let mut result = None;
    for is_negative in [false, true] {
        for (&atom, &coefficient) in sum.atoms.iter().filter(|(_, coefficient)| (**coefficient > half) == is_negative) {
            let factor = if is_negative { coefficient.wrapping_neg() & mask(sum.width) } else { coefficient };
            let factor = terms.constant(sum.width, factor);
            let part = terms.mul(atom, factor);
            result = Some(match (result, is_negative) {
                (None, false) => part,
                (None, true) => terms.neg(part),
                (Some(left), false) => terms.add(left, part),
                (Some(left), true) => terms.sub(left, part),
            });
        }
    }
    let constant = terms.constant(sum.width, sum.constant);
    match result {
        None => constant,
        Some(result) if sum.constant == 0 => result,
        Some(result) => terms.add(result, constant),
    }
}

/// `sum = 0`, always the same for the same sum and its negation.
fn equal_to_zero(vocabulary: &mut Vocabulary<'_>, sum: &ModularSum) -> TermId {
    let half = 1u64 << (sum.width - 1);
    let mut sum = sum.clone();
    match sum.atoms.values().next() {
        None => return vocabulary.terms.boolean(sum.constant == 0),
        Some(&first) if first > half => {
            let mut negated = ModularSum::constant(sum.width, 0);
            negated.add_scaled(&sum, u64::MAX);
            sum = negated;
        }
        Some(_) => {}
    }
    let (left, right) = sum.atoms.iter().partition(|(_, coefficient)| **coefficient <= half);
    let left = ModularSum { width: sum.width, atoms: left, constant: 0 };
    let right = ModularSum { width: sum.width, atoms: right, constant: sum.constant };
    let mut negated = ModularSum::constant(sum.width, 0);
    negated.add_scaled(&right, u64::MAX);
    let (left, right) = (built(vocabulary, &left), built(vocabulary, &negated));
    vocabulary.terms.eq(left, right)
}
