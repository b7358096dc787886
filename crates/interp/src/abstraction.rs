//! Predicates, and which of them hold after a step: cartesian abstraction. Every Hoare triple is decided bit by bit.

use std::rc::Rc;

use base::{Budget, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{TermId, VariableId};

use crate::control::Control;
use crate::edge::{ControlId, EdgeEnd, EdgeId, Move};
use crate::machine::ProductMachine;
use crate::oracle::{Oracle, Substitution, substitute, substitute_all};
use crate::vocabulary::Meaning;

/// The predicates that hold, in ascending order.
pub type Held = Rc<[u32]>;

pub struct Predicate {
    pub term: TermId,
    pub variables: Rc<[VariableId]>,
}

/// What an edge reads and writes of the state.
pub struct EdgeInfo {
    pub reads: FxHashSet<VariableId>,
    pub writes: FxHashSet<VariableId>,
    pub guard_variables: Rc<[VariableId]>,
    pub substitution: Substitution,
}

pub struct PredicateAbstraction<'p> {
    pub machine: ProductMachine<'p>,
    pub oracle: Oracle,
    pub predicates: Vec<Predicate>,
    indices: FxHashMap<TermId, u32>,
    infos: FxHashMap<EdgeId, Rc<EdgeInfo>>,
    after: FxHashMap<(EdgeId, TermId), TermId>,
    implied: FxHashMap<(Held, TermId, TermId), bool>,
    commuting: FxHashMap<(EdgeId, EdgeId, Held), bool>,
    same_control: FxHashMap<(ControlId, EdgeId, EdgeId), bool>,
}

impl<'p> PredicateAbstraction<'p> {
    pub fn new(machine: ProductMachine<'p>) -> Self {
        Self {
            machine,
            oracle: Oracle::new(),
            predicates: Vec::new(),
            indices: FxHashMap::default(),
            infos: FxHashMap::default(),
            after: FxHashMap::default(),
            implied: FxHashMap::default(),
            commuting: FxHashMap::default(),
            same_control: FxHashMap::default(),
        }
    }

    /// To be called when control states were forgotten.
    pub fn forget_controls(&mut self) {
        self.same_control.clear();
    }

    pub fn clear_predicates(&mut self) {
        self.predicates.clear();
        self.indices.clear();
        self.implied.clear();
        self.commuting.clear();
    }

    /// Adds a predicate over the state; whether it is a new one.
    pub fn add(&mut self, term: TermId) -> bool {
        if self.machine.vocabulary.terms.as_boolean(term).is_some() || self.indices.contains_key(&term) {
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
        self.indices.insert(term, self.predicates.len() as u32);
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
        for &(_, term) in data.assignments.iter() {
            reads.extend(self.oracle.variables(vocabulary, term).iter());
        }
        reads.retain(|&variable| vocabulary.meaning(variable).is_state());
        let info = Rc::new(EdgeInfo {
            reads,
            writes: data.assignments.iter().map(|&(variable, _)| variable).collect(),
            guard_variables,
            substitution: data.assignments.iter().copied().collect(),
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
        let result = self.oracle.implies(&mut self.machine.vocabulary, &premises, conclusion, budget)?;
        self.implied.insert(key, result);
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
        for index in 0..self.predicates.len() {
            let (term, own) = (self.predicates[index].term, self.predicates[index].variables.clone());
            if own.iter().any(|&variable| !self.machine.is_live(target, variable)) {
                continue;
            }
            let before = self.before(edge, term);
            let before = self.at_the_beginning(before);
            if self.implies(&[], guard, &variables, before, budget)? {
                after.push(index as u32);
            }
        }
        Ok(after.into())
    }

    /// A term with the values that variables have at the beginning.
    pub fn at_the_beginning(&mut self, term: TermId) -> TermId {
        let variables = self.oracle.variables(&self.machine.vocabulary, term);
        let start = self.initial_substitution(&variables);
        substitute(&mut self.machine.vocabulary, term, &start)
    }

    /// The predicates that hold after the edge.
    pub fn post(&mut self, held: &[u32], edge: EdgeId, target: &Control, budget: &Budget) -> Result<Held, StopReason> {
        let guard = self.machine.edge(edge).guard;
        let info = self.info(edge);
        let mut after = Vec::new();
        // What the guard may say something about.
        let mut tested: FxHashSet<VariableId> = info.guard_variables.iter().copied().collect();
        for &index in self.projected(held, &mut info.guard_variables.iter().copied()).iter() {
            tested.extend(self.predicates[index as usize].variables.iter());
        }
        for index in 0..self.predicates.len() {
            let (term, variables) = (self.predicates[index].term, self.predicates[index].variables.clone());
            if variables.iter().any(|&variable| !self.machine.is_live(target, variable)) {
                continue;
            }
            let is_held = held.binary_search(&(index as u32)).is_ok();
            let is_written = variables.iter().any(|variable| info.writes.contains(variable));
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
                after.push(index as u32);
            }
        }
        Ok(after.into())
    }

    /// The predicates that hold at the beginning.
    pub fn initial(&mut self, control: &Control, budget: &Budget) -> Result<Held, StopReason> {
        let mut held = Vec::new();
        for index in 0..self.predicates.len() {
            let (term, variables) = (self.predicates[index].term, self.predicates[index].variables.clone());
            if variables.iter().any(|&variable| !self.machine.is_live(control, variable)) {
                continue;
            }
            let start = self.initial_substitution(&variables);
            let term = substitute(&mut self.machine.vocabulary, term, &start);
            let nothing = self.machine.vocabulary.terms.boolean(true);
            if self.implies(&[], nothing, &[], term, budget)? {
                held.push(index as u32);
            }
        }
        Ok(held.into())
    }

    /// The values that these variables have at the beginning, where they have one.
    pub fn initial_substitution(&mut self, variables: &[VariableId]) -> Substitution {
        let vocabulary = &mut self.machine.vocabulary;
        variables.iter().filter_map(|&variable| Some((variable, vocabulary.initial(variable)?))).collect()
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
        let touches =
            |x: &EdgeInfo, y: &EdgeInfo| x.writes.iter().any(|one| y.reads.contains(one) || y.writes.contains(one));
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
        let conclusion = vocabulary.terms.and_all(&conclusions);
        let mut premises: Vec<TermId> = held.iter().map(|&index| self.predicates[index as usize].term).collect();
        premises.extend([guard_a, guard_b_later]);
        let result = self.oracle.implies(&mut self.machine.vocabulary, &premises, conclusion, budget)?;
        self.commuting.insert(key, result);
        Ok(result)
    }

    /// A predicate for people.
    pub fn text(&self, index: u32) -> String {
        crate::text::term(&self.machine.vocabulary, self.predicates[index as usize].term)
    }
}
