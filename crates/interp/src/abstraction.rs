//! Predicates, and which of them hold after a step: cartesian abstraction. Every Hoare triple is decided bit by bit.

use std::rc::Rc;

use base::{Budget, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::ObjectId;
use terms::{TermId, VariableId};

use crate::control::Control;
use crate::edge::{ControlId, EdgeEnd, EdgeId, Move};
use crate::linear::conjuncts;
use crate::machine::ProductMachine;
use crate::oracle::{Oracle, Substitution, substitute, substitute_all};
use crate::vocabulary::Meaning;

/// The predicates that hold, in ascending order.
pub type Held = Rc<[u32]>;

#[derive(Clone)]
pub struct Predicate {
    pub term: TermId,
    pub variables: Rc<[VariableId]>,
}

/// What an edge reads and writes of the state.
pub struct EdgeInfo {
    pub reads: FxHashSet<VariableId>,
    pub writes: FxHashSet<VariableId>,
    /// The arrays that are read and those that are written.
    pub loads: FxHashSet<ObjectId>,
    pub stores: FxHashSet<ObjectId>,
    pub guard_variables: Rc<[VariableId]>,
    pub substitution: Substitution,
}

pub struct PredicateAbstraction<'p> {
    pub machine: ProductMachine<'p>,
    pub oracle: Oracle,
    /// All that were ever added.
    pub predicates: Vec<Predicate>,
    /// Those that are followed, in the order in which they came.
    active: Vec<u32>,
    is_active: Vec<bool>,
    indices: FxHashMap<TermId, u32>,
    infos: FxHashMap<EdgeId, Rc<EdgeInfo>>,
    after: FxHashMap<(EdgeId, TermId), TermId>,
    implied: FxHashMap<(Held, TermId, TermId), bool>,
    /// What was not found out, and how much work was not enough.
    undecided: FxHashMap<(Held, TermId, TermId), u64>,
    commuting: FxHashMap<(EdgeId, EdgeId, Held), bool>,
    same_control: FxHashMap<(ControlId, EdgeId, EdgeId), bool>,
}

impl<'p> PredicateAbstraction<'p> {
    pub fn new(machine: ProductMachine<'p>) -> Self {
        Self {
            machine,
            oracle: Oracle::new(),
            predicates: Vec::new(),
            active: Vec::new(),
            is_active: Vec::new(),
            indices: FxHashMap::default(),
            infos: FxHashMap::default(),
            after: FxHashMap::default(),
            implied: FxHashMap::default(),
            undecided: FxHashMap::default(),
            commuting: FxHashMap::default(),
            same_control: FxHashMap::default(),
        }
    }

    /// To be called when control states were forgotten.
    pub fn forget_controls(&mut self) {
        self.same_control.clear();
    }

    /// From now on only these are followed, in this order.
    pub fn follow(&mut self, predicates: Vec<u32>) {
        self.is_active.fill(false);
        for &index in &predicates {
            self.is_active[index as usize] = true;
        }
        self.active = predicates;
    }

    /// The predicates that are followed, in the order in which they came.
    pub fn followed(&self) -> &[u32] {
        &self.active
    }

    /// Adds a predicate over the state; whether it was not followed before.
    pub fn add(&mut self, term: TermId) -> bool {
        if let Some(&known) = self.indices.get(&term) {
            let is_new = !std::mem::replace(&mut self.is_active[known as usize], true);
            if is_new {
                self.active.push(known);
            }
            return is_new;
        }
        if self.machine.vocabulary.terms.as_boolean(term).is_some() {
            return false;
        }
        let variables = self.oracle.variables(&self.machine.vocabulary, term);
        let meaning = |variable: &VariableId| self.machine.vocabulary.meaning(*variable);
        if variables
            .iter()
            .any(|variable| matches!(meaning(variable), Meaning::Choice { .. } | Meaning::Instance { .. }))
        {
            return false;
        }
        let index = self.predicates.len() as u32;
        self.indices.insert(term, index);
        self.active.push(index);
        self.is_active.push(true);
        self.predicates.push(Predicate { term, variables });
        true
    }

    /// The number of a predicate that is known.
    pub fn index(&self, term: TermId) -> Option<u32> {
        self.indices.get(&term).copied()
    }

    pub fn info(&mut self, edge: EdgeId) -> Rc<EdgeInfo> {
        if let Some(known) = self.infos.get(&edge) {
            return known.clone();
        }
        let data = self.machine.edge(edge).clone();
        let vocabulary = &self.machine.vocabulary;
        let guard_variables = self.oracle.variables(vocabulary, data.guard);
        let mut reads: FxHashSet<VariableId> = guard_variables.iter().copied().collect();
        let stored = data.stores.iter().flat_map(|store| [store.place, store.value]);
        for term in data.assignments.iter().map(|&(_, term)| term).chain(stored) {
            reads.extend(self.oracle.variables(vocabulary, term).iter());
        }
        let array = |variable: &VariableId| match vocabulary.meaning(*variable) {
            Meaning::Read { array, .. } => Some(array),
            _ => None,
        };
        let loads = reads.iter().filter_map(array).collect();
        reads.retain(|&variable| vocabulary.meaning(variable).is_state());
        let info = Rc::new(EdgeInfo {
            reads,
            loads,
            stores: data.stores.iter().map(|store| store.array).collect(),
            writes: data.assignments.iter().map(|&(variable, _)| variable).collect(),
            guard_variables,
            substitution: Substitution::new(data.assignments.iter().copied(), data.stores.to_vec()),
        });
        self.infos.insert(edge, info.clone());
        info
    }

    /// A term after the edge, in terms of the state before it.
    pub fn before(&mut self, edge: EdgeId, term: TermId) -> TermId {
        if let Some(&known) = self.after.get(&(edge, term)) {
            return known;
        }
        let info = self.info(edge);
        let result = substitute(&mut self.machine.vocabulary, term, &info.substitution);
        self.after.insert((edge, term), result);
        result
    }

    /// Those of the predicates that are connected with the variables.
    fn projected(&self, held: &[u32], start: &mut dyn Iterator<Item = VariableId>) -> Held {
        let mut connected: FxHashSet<VariableId> = start.collect();
        let (mut chosen, mut left): (Vec<u32>, Vec<u32>) = (Vec::new(), held.to_vec());
        loop {
            let before = left.len();
            left.retain(|&index| {
                let variables = &self.predicates[index as usize].variables;
                let joins = variables.is_empty() || variables.iter().any(|variable| connected.contains(variable));
                if joins {
                    connected.extend(variables.iter());
                    chosen.push(index);
                }
                !joins
            });
            if left.len() == before {
                break;
            }
        }
        chosen.sort_unstable();
        chosen.into()
    }

    /// Whether the held predicates and the guard imply the conclusion.
    pub fn implies(
        &mut self,
        held: &[u32],
        guard: TermId,
        guard_variables: &[VariableId],
        conclusion: TermId,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        if self.machine.vocabulary.terms.as_boolean(conclusion) == Some(true) {
            return Ok(true);
        }
        let variables = self.oracle.variables(&self.machine.vocabulary, conclusion);
        let projected = self.projected(held, &mut guard_variables.iter().chain(variables.iter()).copied());
        let key = (projected.clone(), guard, conclusion);
        if let Some(&known) = self.implied.get(&key) {
            return Ok(known);
        }
        let mut premises: Vec<TermId> = projected.iter().map(|&index| self.predicates[index as usize].term).collect();
        premises.push(guard);
        if self.undecided.get(&key).is_some_and(|&tried| tried >= self.oracle.patience()) {
            return Ok(false);
        }
        let result = self.oracle.implies(&mut self.machine.vocabulary, &premises, conclusion, budget)?;
        if self.oracle.gave_up {
            self.undecided.insert(key, self.oracle.patience());
        } else {
            self.implied.insert(key, result);
        }
        Ok(result)
    }

    /// Whether the edge can be taken where the predicates hold.
    pub fn is_possible(&mut self, held: &[u32], edge: EdgeId, budget: &Budget) -> Result<bool, StopReason> {
        let guard = self.machine.edge(edge).guard;
        let info = self.info(edge);
        let never = self.machine.vocabulary.terms.boolean(false);
        Ok(!self.implies(held, guard, &info.guard_variables, never, budget)?)
    }

    /// The predicates that hold after an edge from the very beginning, where the values of variables are known.
    pub fn first_post(&mut self, edge: EdgeId, target: &Control, budget: &Budget) -> Result<Held, StopReason> {
        let guard = self.machine.edge(edge).guard;
        let guard = self.at_the_beginning(guard);
        let variables = self.oracle.variables(&self.machine.vocabulary, guard);
        let mut after = Vec::new();
        let liveness = self.machine.liveness(target);
        for index in self.active.clone() {
            let Predicate { term, variables: own } = self.predicates[index as usize].clone();
            if own.iter().any(|&variable| !self.machine.is_live_in(target, &liveness, variable)) {
                continue;
            }
            let before = self.before(edge, term);
            let before = self.at_the_beginning(before);
            if self.implies(&[], guard, &variables, before, budget)? {
                after.push(index);
            }
        }
        after.sort_unstable();
        Ok(after.into())
    }

    /// A term with the values that variables have at the beginning.
    pub fn at_the_beginning(&mut self, term: TermId) -> TermId {
        let variables = self.oracle.variables(&self.machine.vocabulary, term);
        let start = self.initial_substitution(&variables);
        substitute(&mut self.machine.vocabulary, term, &start)
    }

    /// Whether an edge may change what the variable stands for.
    pub fn changes(&self, info: &EdgeInfo, variable: VariableId) -> bool {
        info.writes.contains(&variable)
            || !info.stores.is_empty()
                && matches!(self.machine.vocabulary.meaning(variable), Meaning::Read { array, .. } if info.stores.contains(&array))
    }

    /// The predicates that hold after the edge.
    pub fn post(&mut self, held: &[u32], edge: EdgeId, target: &Control, budget: &Budget) -> Result<Held, StopReason> {
        let guard = self.machine.edge(edge).guard;
        let info = self.info(edge);
        let mut after = Vec::new();
        let liveness = self.machine.liveness(target);
        // What the guard may say something about.
        let mut tested: FxHashSet<VariableId> = info.guard_variables.iter().copied().collect();
        for &index in self.projected(held, &mut info.guard_variables.iter().copied()).iter() {
            tested.extend(self.predicates[index as usize].variables.iter());
        }
        for index in self.active.clone() {
            let Predicate { term, variables } = self.predicates[index as usize].clone();
            if variables.iter().any(|&variable| !self.machine.is_live_in(target, &liveness, variable)) {
                continue;
            }
            let is_held = held.binary_search(&index).is_ok();
            let is_written = variables.iter().any(|&variable| self.changes(&info, variable));
            let holds = if !is_written {
                let is_tested = variables.iter().any(|variable| tested.contains(variable));
                is_held || (is_tested && self.implies(held, guard, &info.guard_variables, term, budget)?)
            } else {
                let before = self.before(edge, term);
                let own = self.indices.get(&before).copied();
                own.is_some_and(|own| held.binary_search(&own).is_ok())
                    || self.implies(held, guard, &info.guard_variables, before, budget)?
            };
            if holds {
                after.push(index);
            }
        }
        after.sort_unstable();
        Ok(after.into())
    }

    /// The predicates that hold at the beginning.
    pub fn initial(&mut self, control: &Control, budget: &Budget) -> Result<Held, StopReason> {
        let mut held = Vec::new();
        let liveness = self.machine.liveness(control);
        for index in self.active.clone() {
            let Predicate { term, variables } = self.predicates[index as usize].clone();
            if variables.iter().any(|&variable| !self.machine.is_live_in(control, &liveness, variable)) {
                continue;
            }
            let start = self.initial_substitution(&variables);
            let term = substitute(&mut self.machine.vocabulary, term, &start);
            let nothing = self.machine.vocabulary.terms.boolean(true);
            if self.implies(&[], nothing, &[], term, budget)? {
                held.push(index);
            }
        }
        held.sort_unstable();
        Ok(held.into())
    }

    /// The values that these variables have at the beginning, where they have one.
    pub fn initial_substitution(&mut self, variables: &[VariableId]) -> Substitution {
        let vocabulary = &mut self.machine.vocabulary;
        let values = variables.iter().filter_map(|&variable| Some((variable, vocabulary.initial(variable)?)));
        Substitution { begins: true, ..Substitution::new(values, Vec::new()) }
    }

    /// Whether, where the predicates hold, doing the move and then `other` does nothing that `other` and then the move does not.
    pub fn commutes(
        &mut self,
        control: ControlId,
        held: &[u32],
        first: Move,
        other: EdgeId,
        is_conditional: bool,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let threads = (self.machine.edge(first.edge).thread, self.machine.edge(other).thread);
        if threads.0 == threads.1 || !self.control_commutes(control, first, other) {
            return Ok(false);
        }
        let (a, b) = (self.info(first.edge), self.info(other));
        let touches = |x: &EdgeInfo, y: &EdgeInfo| {
            x.writes.iter().any(|one| y.reads.contains(one) || y.writes.contains(one))
                || x.stores.iter().any(|one| y.loads.contains(one) || y.stores.contains(one))
        };
        if !touches(&a, &b) && !touches(&b, &a) {
            return Ok(true);
        }
        let always: Held = Rc::from([]);
        if self.data_commutes(first.edge, other, always, budget)? {
            return Ok(true);
        }
        if !is_conditional {
            return Ok(false);
        }
        let variables: Vec<VariableId> = a.reads.iter().chain(&b.reads).copied().collect();
        let projected = self.projected(held, &mut variables.into_iter());
        if projected.is_empty() { Ok(false) } else { self.data_commutes(first.edge, other, projected, budget) }
    }

    fn control_commutes(&mut self, control: ControlId, first: Move, other: EdgeId) -> bool {
        let key = (control, first.edge, other);
        if let Some(&known) = self.same_control.get(&key) {
            return known;
        }
        let result = self.find_control_commutes(control, first, other).unwrap_or(false);
        self.same_control.insert(key, result);
        result
    }

    fn find_control_commutes(&mut self, control: ControlId, first: Move, other: EdgeId) -> Option<bool> {
        let machine = &mut self.machine;
        let (a, b) = (machine.edge(first.edge).thread, machine.edge(other).thread);
        if machine.edge(other).end != EdgeEnd::Step || machine.edge(first.edge).end != EdgeEnd::Step {
            return None;
        }
        let mut follow = |from: ControlId, thread: u32, edge: EdgeId| -> Option<ControlId> {
            if !machine.threads(from).contains(&thread) {
                return None;
            }
            machine.moves(from, thread).iter().find(|one| one.edge == edge)?.target
        };
        let after_first = first.target?;
        let one = follow(after_first, b, other)?;
        let after_other = follow(control, b, other)?;
        let two = follow(after_other, a, first.edge)?;
        Some(one == two)
    }

    fn data_commutes(&mut self, a: EdgeId, b: EdgeId, held: Held, budget: &Budget) -> Result<bool, StopReason> {
        let key = (a, b, held.clone());
        if let Some(&known) = self.commuting.get(&key) {
            return Ok(known);
        }
        let (premises, conclusions) = self.commutation(a, b);
        let conclusion = self.machine.vocabulary.terms.and_all(&conclusions);
        let mut all: Vec<TermId> = held.iter().map(|&index| self.predicates[index as usize].term).collect();
        all.extend(premises);
        let result = self.oracle.implies(&mut self.machine.vocabulary, &all, conclusion, budget)?;
        self.commuting.insert(key, result);
        Ok(result)
    }

    /// What holds where `a` and then `b` can be done, and what must hold so that `b` and then `a` do the same.
    fn commutation(&mut self, a: EdgeId, b: EdgeId) -> ([TermId; 2], Vec<TermId>) {
        let (first, second) = (self.info(a), self.info(b));
        let (guard_a, guard_b) = (self.machine.edge(a).guard, self.machine.edge(b).guard);
        let guard_b_later = self.before(a, guard_b);
        let guard_a_later = self.before(b, guard_a);
        let mut conclusions = vec![guard_b, guard_a_later];
        let written: FxHashSet<VariableId> = first.writes.union(&second.writes).copied().collect();
        let mut written: Vec<VariableId> = written.into_iter().collect();
        written.sort_unstable();
        let vocabulary = &mut self.machine.vocabulary;
        let start: Vec<TermId> = written.iter().map(|&variable| vocabulary.terms.variable_term(variable)).collect();
        let after = |vocabulary: &mut _, one: &EdgeInfo, two: &EdgeInfo| {
            let late = substitute_all(vocabulary, &start, &two.substitution);
            substitute_all(vocabulary, &late, &one.substitution)
        };
        let (a_then_b, b_then_a) = (after(vocabulary, &first, &second), after(vocabulary, &second, &first));
        for (one, two) in a_then_b.into_iter().zip(b_then_a) {
            conclusions.push(vocabulary.terms.eq(one, two));
        }
        self.add_stores_commute(a, b, &mut conclusions);
        ([guard_a, guard_b_later], conclusions)
    }

    /// Neither edge changes what the other one stores, nor where, and they store to different places of an array.
    fn add_stores_commute(&mut self, a: EdgeId, b: EdgeId, conclusions: &mut Vec<TermId>) {
        let infos = [self.info(a), self.info(b)];
        for (own, other) in [(0, 1), (1, 0)] {
            for store in &infos[own].substitution.stores {
                let old = [store.place, store.value];
                let vocabulary = &mut self.machine.vocabulary;
                let new = substitute_all(vocabulary, &old, &infos[other].substitution);
                for (old, new) in old.into_iter().zip(new) {
                    conclusions.push(vocabulary.terms.eq(old, new));
                }
            }
        }
        for store in &infos[0].substitution.stores {
            for other in infos[1].substitution.stores.iter().filter(|other| other.array == store.array) {
                conclusions.push(self.machine.vocabulary.terms.distinct(store.place, other.place));
            }
        }
    }

    /// The literals that must hold, beside what is so anyway, so that the move and then `other` do nothing that `other` and then the
    /// move do not; `None` if control forbids it, or if they are many.
    pub fn commutation_conditions(
        &mut self,
        control: ControlId,
        first: Move,
        other: EdgeId,
        budget: &Budget,
    ) -> Result<Option<Vec<TermId>>, StopReason> {
        const MAX_CONDITIONS: usize = 3;
        if !self.control_commutes(control, first, other) {
            return Ok(None);
        }
        let (premises, conclusions) = self.commutation(first.edge, other);
        let mut wanted: Vec<TermId> = Vec::new();
        for conclusion in conclusions {
            wanted.extend(conjuncts(&self.machine.vocabulary.terms, conclusion));
        }
        wanted.sort_unstable();
        wanted.dedup();
        let mut missing = Vec::new();
        for literal in wanted {
            if !self.oracle.implies(&mut self.machine.vocabulary, &premises, literal, budget)? {
                missing.push(literal);
            }
            if missing.len() > MAX_CONDITIONS {
                return Ok(None);
            }
        }
        Ok(Some(missing))
    }

    /// A predicate for people.
    pub fn text(&self, index: u32) -> String {
        crate::text::term(&self.machine.vocabulary, self.predicates[index as usize].term)
    }
}
