//! Questions to the solver, each decided bit by bit. What a term means is told once; a question is a set of assumptions. Two
//! elements of one array at equal places are equal, which is told for every pair that meets in a question.

use std::rc::Rc;

use base::{Budget, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::{CadicalSolver, Lit, SolveResult, Solver};
use terms::{Blaster, TermId, Terms};

/// What a question counts as, beside its conflicts.
const QUESTION: u64 = 100;

/// After so many literals were asked for, the solver begins anew.
const MAX_TOLD: usize = 200_000;

pub struct ObligationSolver {
    solver: CadicalSolver,
    blaster: Blaster,
    told: usize,
    budget: Budget,
    answers: FxHashMap<Vec<TermId>, bool>,
    elements: FxHashMap<(u32, u8, TermId), TermId>,
    /// Which element a term is.
    element_of: FxHashMap<TermId, (u32, u8, TermId)>,
    /// The elements that terms speak of, in their places, too.
    elements_in: FxHashMap<TermId, Rc<[TermId]>>,
    congruent: FxHashSet<(TermId, TermId)>,
    pub questions: u64,
}

impl ObligationSolver {
    pub fn new(budget: Budget) -> Self {
        Self {
            solver: CadicalSolver::new(),
            blaster: Blaster::new(),
            told: 0,
            budget,
            answers: FxHashMap::default(),
            elements: FxHashMap::default(),
            element_of: FxHashMap::default(),
            elements_in: FxHashMap::default(),
            congruent: FxHashSet::default(),
            questions: 0,
        }
    }

    /// What lies in an array at a place.
    pub fn element(&mut self, terms: &mut Terms, array: u32, bytes: u8, place: TermId) -> TermId {
        let key = (array, bytes, place);
        if let Some(&known) = self.elements.get(&key) {
            return known;
        }
        let term = terms.bv_variable(String::new(), u32::from(bytes) * 8);
        self.elements.insert(key, term);
        self.element_of.insert(term, key);
        term
    }

    /// Whether the conditions cannot hold together.
    pub fn infeasible(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> Result<bool, StopReason> {
        if conjuncts.iter().any(|&term| terms.as_boolean(term) == Some(false)) {
            return Ok(true);
        }
        let mut asked: Vec<TermId> =
            conjuncts.iter().copied().filter(|&term| terms.as_boolean(term) != Some(true)).collect();
        asked.sort_unstable();
        asked.dedup();
        if asked.is_empty() {
            return Ok(false);
        }
        if let Some(&known) = self.answers.get(&asked) {
            return Ok(known);
        }
        self.budget.spend(QUESTION)?;
        self.questions += 1;
        if self.told > MAX_TOLD {
            (self.solver, self.blaster, self.told) = (CadicalSolver::new(), Blaster::new(), 0);
            self.congruent.clear();
        }
        self.tell_congruences(terms, &asked);
        self.told += asked.len();
        let assumptions: Vec<Lit> =
            asked.iter().map(|&term| self.blaster.literal(terms, term, &mut self.solver)).collect();
        let answer = match self.solver.solve(&assumptions, &self.budget) {
            SolveResult::Unsatisfiable => true,
            SolveResult::Satisfiable => false,
            SolveResult::Interrupted(reason) => return Err(reason),
        };
        self.answers.insert(asked, answer);
        Ok(answer)
    }

    fn tell_congruences(&mut self, terms: &mut Terms, asked: &[TermId]) {
        if self.elements.is_empty() {
            return;
        }
        let mut elements: Vec<TermId> = Vec::new();
        for &term in asked {
            elements.extend(self.elements_in(terms, term).iter());
        }
        elements.sort_unstable();
        elements.dedup();
        for (index, &left) in elements.iter().enumerate() {
            for &right in &elements[index + 1..] {
                let ((array, bytes, place), (other, length, elsewhere)) =
                    (self.element_of[&left], self.element_of[&right]);
                if (array, bytes) != (other, length)
                    || terms.width(place) != terms.width(elsewhere)
                    || !self.congruent.insert((left, right))
                {
                    continue;
                }
                let (same_place, same_value) = (terms.eq(place, elsewhere), terms.eq(left, right));
                let law = terms.implies(same_place, same_value);
                self.blaster.assert(terms, law, &mut self.solver);
            }
        }
    }

    fn elements_in(&mut self, terms: &Terms, term: TermId) -> Rc<[TermId]> {
        if let Some(known) = self.elements_in.get(&term) {
            return known.clone();
        }
        let (mut found, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![term]);
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            if let Some(&(_, _, place)) = self.element_of.get(&next) {
                found.push(next);
                open.push(place);
            }
            open.extend(terms.get(next).operands());
        }
        let found: Rc<[TermId]> = found.into();
        self.elements_in.insert(term, found.clone());
        found
    }
}
