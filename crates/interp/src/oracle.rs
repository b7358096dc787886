//! Terms under substitution, and questions about them, each decided bit by bit.
//!
//! The solver is one for many questions: what a term means is told to it once, and a question is a set of assumptions. Two reads
//! of one array at equal places are equal; that is told for every pair that meets in a question.

use std::rc::Rc;

use base::{Budget, Id, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::{CadicalSolver, Lit, SolveResult, Solver};
use symbolic::ObjectId;
use terms::{Assignment, Blaster, Term, TermId, VariableId};

use crate::edge::ArrayStore;
use crate::equations::SolvedPremises;
use crate::linear::conjuncts;
use crate::vocabulary::{Meaning, Vocabulary};

/// A simultaneous assignment: the variables that change, with their new values, and what is written to arrays.
#[derive(Clone, Default, Debug)]
pub struct Substitution {
    pub values: FxHashMap<VariableId, TermId>,
    /// In their order. A read of an array sees the last one at its place, unless the read has a value of its own.
    pub stores: Vec<ArrayStore>,
    /// Whether arrays are as they are at the beginning.
    pub begins: bool,
}

impl Substitution {
    pub fn new(values: impl IntoIterator<Item = (VariableId, TermId)>, stores: Vec<ArrayStore>) -> Self {
        Self { values: values.into_iter().collect(), stores, begins: false }
    }
}

/// What a question and a conflict in one count, beside a microsecond.
const QUESTION: u64 = 150;
const CONFLICT: u64 = 10;

/// What it costs to rewrite a conclusion.
const REWRITING: u64 = 30;
/// What the solver may do to find out whether something follows: as a rule, and where a path depends on it.
const USUAL_WORK: u64 = 5_000;
const PATIENT_WORK: u64 = 50_000;
/// Premises whose solutions are kept.
const MAX_SOLVED: usize = 2_000;

/// After so many variables the solver begins anew.
const MAX_SOLVER_TERMS: usize = 60_000;

pub struct Oracle {
    solver: CadicalSolver,
    blaster: Blaster,
    /// The terms that the solver knows.
    told: usize,
    congruent: FxHashSet<(TermId, TermId)>,
    /// The variables of terms, those in the places of reads with them.
    variables: FxHashMap<TermId, Rc<[VariableId]>>,
    solved: FxHashMap<Box<[TermId]>, SolvedPremises>,
    pub questions: u64,
    /// What the solver may do to find out whether something follows.
    patience: u64,
    /// Whether it was not found out what was asked last.
    pub gave_up: bool,
}

pub enum OracleAnswer {
    Unsatisfiable,
    Satisfiable(Assignment),
}

impl Oracle {
    pub fn new() -> Self {
        Self {
            solver: CadicalSolver::new(),
            blaster: Blaster::new(),
            told: 0,
            congruent: FxHashSet::default(),
            variables: FxHashMap::default(),
            solved: FxHashMap::default(),
            questions: 0,
            patience: USUAL_WORK,
            gave_up: false,
        }
    }

    /// From now on as much is done for a question as is usual, or more.
    pub fn be_patient(&mut self, is_patient: bool) {
        self.patience = if is_patient { PATIENT_WORK } else { USUAL_WORK };
    }

    pub fn patience(&self) -> u64 {
        self.patience
    }

    /// The variables of a term, in ascending order; those that the places of reads are made of are among them.
    pub fn variables(&mut self, vocabulary: &Vocabulary<'_>, term: TermId) -> Rc<[VariableId]> {
        if let Some(known) = self.variables.get(&term) {
            return known.clone();
        }
        let mut found: Vec<VariableId> = Vec::new();
        let (mut seen, mut open) = (FxHashSet::default(), vec![term]);
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            if let Term::Variable(variable) = vocabulary.terms.get(next) {
                found.push(variable);
                if let Meaning::Read { place, .. } = vocabulary.meaning(variable) {
                    open.push(place);
                }
            }
            open.extend(vocabulary.terms.get(next).operands());
        }
        found.sort_unstable();
        let found: Rc<[VariableId]> = found.into();
        self.variables.insert(term, found.clone());
        found
    }

    /// Whether all of them can hold together.
    pub fn ask(
        &mut self,
        vocabulary: &mut Vocabulary<'_>,
        conjuncts: &[TermId],
        budget: &Budget,
    ) -> Result<OracleAnswer, StopReason> {
        if conjuncts.iter().any(|&term| vocabulary.terms.as_boolean(term) == Some(false)) {
            return Ok(OracleAnswer::Unsatisfiable);
        }
        budget.spend(QUESTION)?;
        self.questions += 1;
        if self.told > MAX_SOLVER_TERMS {
            self.begin_anew();
        }
        let reads = self.tell_congruences(vocabulary, conjuncts);
        let assumptions: Vec<Lit> = conjuncts.iter().map(|&term| self.literal(vocabulary, term)).collect();
        let conflicts = budget.conflicts.get();
        let result = self.solver.solve(&assumptions, budget);
        budget.spend((budget.conflicts.get() - conflicts) * CONFLICT)?;
        match result {
            SolveResult::Unsatisfiable => Ok(OracleAnswer::Unsatisfiable),
            SolveResult::Satisfiable => Ok(OracleAnswer::Satisfiable(self.model(vocabulary, conjuncts, &reads))),
            SolveResult::Interrupted(reason) => Err(reason),
        }
    }

    /// Those of the conjuncts that cannot hold together, if that is so.
    pub fn core(
        &mut self,
        vocabulary: &mut Vocabulary<'_>,
        conjuncts: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Vec<usize>>, StopReason> {
        if let Some(index) = conjuncts.iter().position(|&term| vocabulary.terms.as_boolean(term) == Some(false)) {
            return Ok(Some(vec![index]));
        }
        match self.ask(vocabulary, conjuncts, budget)? {
            OracleAnswer::Satisfiable(_) => Ok(None),
            OracleAnswer::Unsatisfiable => {
                let lits: Vec<Lit> = conjuncts.iter().map(|&term| self.literal(vocabulary, term)).collect();
                Ok(Some((0..lits.len()).filter(|&index| self.solver.in_core(lits[index])).collect()))
            }
        }
    }

    /// Whether the premises imply the conclusion, as far as it can be found out with little work: "no" may be wrong.
    pub fn implies(
        &mut self,
        vocabulary: &mut Vocabulary<'_>,
        premises: &[TermId],
        conclusion: TermId,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        budget.spend(REWRITING)?;
        self.gave_up = false;
        let solved = match self.solved.remove(premises) {
            Some(solved) => solved,
            None => SolvedPremises::new(vocabulary, self, premises),
        };
        let (solved, answer) = self.follows(vocabulary, solved, conclusion, budget);
        if self.solved.len() >= MAX_SOLVED {
            self.solved.clear();
        }
        self.solved.insert(premises.into(), solved);
        answer
    }

    fn follows(
        &mut self,
        vocabulary: &mut Vocabulary<'_>,
        mut solved: SolvedPremises,
        conclusion: TermId,
        budget: &Budget,
    ) -> (SolvedPremises, Result<bool, StopReason>) {
        if solved.are_contradictory {
            return (solved, Ok(true));
        }
        let conclusion = solved.rewritten(vocabulary, conclusion);
        let open = conjuncts(&vocabulary.terms, conclusion);
        if open.iter().all(|&literal| solved.contains(literal)) {
            return (solved, Ok(true));
        }
        let mut all = solved.rest.clone();
        all.push(vocabulary.terms.not(conclusion));
        let answer = match self.ask(vocabulary, &all, &budget.with_work(self.patience)) {
            Ok(answer) => Ok(matches!(answer, OracleAnswer::Unsatisfiable)),
            Err(StopReason::Work) => {
                self.gave_up = true;
                budget.check().map(|()| false)
            }
            Err(reason) => Err(reason),
        };
        (solved, answer)
    }

    fn begin_anew(&mut self) {
        (self.solver, self.blaster) = (CadicalSolver::new(), Blaster::new());
        self.told = 0;
        self.congruent.clear();
    }

    fn literal(&mut self, vocabulary: &Vocabulary<'_>, term: TermId) -> Lit {
        self.told += 1;
        self.blaster.literal(&vocabulary.terms, term, &mut self.solver)
    }

    /// Tells about every pair of reads of one array in the question, and returns them all.
    fn tell_congruences(&mut self, vocabulary: &mut Vocabulary<'_>, conjuncts: &[TermId]) -> Vec<VariableId> {
        let mut reads: Vec<VariableId> = Vec::new();
        for &term in conjuncts {
            let variables = self.variables(vocabulary, term);
            let is_read = |variable: &&VariableId| matches!(vocabulary.meaning(**variable), Meaning::Read { .. });
            reads.extend(variables.iter().filter(is_read));
        }
        reads.sort_unstable();
        reads.dedup();
        for (index, &left) in reads.iter().enumerate() {
            for &right in &reads[index + 1..] {
                self.tell_congruence(vocabulary, left, right);
            }
        }
        reads
    }

    fn tell_congruence(&mut self, vocabulary: &mut Vocabulary<'_>, left: VariableId, right: VariableId) {
        let Meaning::Read { array, bytes, place } = vocabulary.meaning(left) else { return };
        let Meaning::Read { array: other, bytes: length, place: elsewhere } = vocabulary.meaning(right) else { return };
        let (left, right) = (vocabulary.terms.variable_term(left), vocabulary.terms.variable_term(right));
        if (array, bytes) != (other, length) || !self.congruent.insert((left, right)) {
            return;
        }
        let terms = &mut vocabulary.terms;
        let (same_place, same_value) = (terms.eq(place, elsewhere), terms.eq(left, right));
        let law = terms.implies(same_place, same_value);
        self.blaster.assert(&vocabulary.terms, law, &mut self.solver);
    }

    /// The values of the variables of a question.
    fn model(&mut self, vocabulary: &Vocabulary<'_>, conjuncts: &[TermId], reads: &[VariableId]) -> Assignment {
        let mut asked: Vec<VariableId> = reads.to_vec();
        for &term in conjuncts {
            asked.extend(self.variables(vocabulary, term).iter());
        }
        asked.sort_unstable();
        asked.dedup();
        self.blaster.assignment_of(&vocabulary.terms, &asked, &self.solver)
    }
}

/// The term with variables replaced, also in the places of reads; reads can be replaced, too.
pub fn substitute(vocabulary: &mut Vocabulary<'_>, term: TermId, substitution: &Substitution) -> TermId {
    substitute_all(vocabulary, &[term], substitution)[0]
}

pub fn substitute_all(vocabulary: &mut Vocabulary<'_>, wanted: &[TermId], substitution: &Substitution) -> Vec<TermId> {
    replaced(vocabulary, wanted, substitution, None)
}

/// The terms where the condition is known.
pub fn under(vocabulary: &mut Vocabulary<'_>, wanted: &[TermId], condition: TermId, holds: bool) -> Vec<TermId> {
    let known = vocabulary.terms.boolean(holds);
    replaced(vocabulary, wanted, &Substitution::default(), Some((condition, known)))
}

fn replaced(
    vocabulary: &mut Vocabulary<'_>,
    wanted: &[TermId],
    substitution: &Substitution,
    whole: Option<(TermId, TermId)>,
) -> Vec<TermId> {
    let (mut seen, mut open) = (FxHashSet::default(), wanted.to_vec());
    let mut order = Vec::new();
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        order.push(next);
        if let Some(place) = place_of(vocabulary, next) {
            open.push(place);
        }
        open.extend(vocabulary.terms.get(next).operands());
    }
    // Operands come before the terms over them, and places before the reads.
    order.sort_unstable_by_key(|term| term.index());
    let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in order {
        let result = match whole {
            Some((old, by)) if old == term => by,
            _ => rebuilt(vocabulary, term, substitution, &new),
        };
        new.insert(term, result);
    }
    wanted.iter().map(|term| new[term]).collect()
}

/// What is read at a place after the stores, where it was `value` before.
pub fn read_after(
    vocabulary: &mut Vocabulary<'_>,
    stores: &[ArrayStore],
    array: ObjectId,
    place: TermId,
    mut value: TermId,
) -> TermId {
    for store in stores.iter().filter(|store| store.array == array) {
        let is_there = vocabulary.terms.eq(store.place, place);
        value = vocabulary.terms.ite(is_there, store.value, value);
    }
    value
}

fn place_of(vocabulary: &Vocabulary<'_>, term: TermId) -> Option<TermId> {
    let Term::Variable(variable) = vocabulary.terms.get(term) else { return None };
    match vocabulary.meaning(variable) {
        Meaning::Read { place, .. } => Some(place),
        _ => None,
    }
}

pub fn rebuilt(
    vocabulary: &mut Vocabulary<'_>,
    term: TermId,
    substitution: &Substitution,
    new: &FxHashMap<TermId, TermId>,
) -> TermId {
    let of = |operand: TermId| new[&operand];
    if let Term::Variable(variable) = vocabulary.terms.get(term) {
        return match vocabulary.meaning(variable) {
            Meaning::Read { array, bytes, place } => match substitution.values.get(&variable) {
                Some(&other) => other,
                None => {
                    let place = of(place);
                    let initial = if substitution.begins { vocabulary.initial_read(array, bytes) } else { None };
                    let value = initial.unwrap_or_else(|| vocabulary.read(array, u64::from(bytes), place));
                    read_after(vocabulary, &substitution.stores, array, place, value)
                }
            },
            _ => substitution.values.get(&variable).copied().unwrap_or(term),
        };
    }
    if vocabulary.terms.get(term).operands().all(|operand| of(operand) == operand) {
        return term;
    }
    let terms = &mut vocabulary.terms;
    match terms.get(term) {
        Term::Boolean(_) | Term::Constant { .. } | Term::Variable(_) => term,
        Term::Not(a) => terms.not(of(a)),
        Term::And(a, b) => terms.and(of(a), of(b)),
        Term::Xor(a, b) => terms.xor(of(a), of(b)),
        Term::Ite(c, a, b) => terms.ite(of(c), of(a), of(b)),
        Term::Unary(op, a) => terms.unary(op, of(a)),
        Term::Binary(op, a, b) => terms.binary(op, of(a), of(b)),
        Term::Compare(relation, a, b) => terms.compare(relation, of(a), of(b)),
        Term::Concat(a, b) => terms.concat(of(a), of(b)),
        Term::Extract { arg, high, low } => terms.extract(of(arg), u32::from(high), u32::from(low)),
        Term::SignExtend { arg, width } => terms.sign_extend(of(arg), u32::from(width)),
        Term::Filled(_) | Term::Store(..) => unreachable!("arrays are read as variables here"),
    }
}
