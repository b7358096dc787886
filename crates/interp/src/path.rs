//! Paths with terms: whether one is feasible, and the schedule of one that is.

use std::rc::Rc;

use base::{Budget, StopReason};
use program::{Choices, InstructionKind, Schedule, Step, ThreadId};
use rustc_hash::FxHashMap;
use terms::{TermId, VariableId};

use crate::abstraction::PredicateAbstraction;
use crate::edge::{ArrayStore, Chosen, EdgeId};
use crate::linear::conjuncts;
use crate::oracle::{OracleAnswer, Substitution, substitute_all};
use crate::vocabulary::Meaning;

/// A path in static single assignment: the guards over initial values and choices.
pub struct UnrolledPath {
    pub guards: Vec<TermId>,
    /// The conjuncts of the guards: their step, as they stand in the edge, and as they are in the path.
    pub literals: Vec<(usize, TermId, TermId)>,
    /// The state before each step.
    pub states: Vec<Substitution>,
    /// What was chosen, step by step.
    choices: Vec<Vec<TermId>>,
}

pub enum PathFeasibility {
    Feasible(Schedule),
    /// Feasible with a loop that was summarised.
    FeasibleSummary,
    Infeasible,
}

pub fn unroll(abstraction: &mut PredicateAbstraction<'_>, edges: &[EdgeId]) -> UnrolledPath {
    let mut state = Substitution::default();
    let mut unrolled =
        UnrolledPath { guards: Vec::new(), literals: Vec::new(), states: Vec::new(), choices: Vec::new() };
    for (step, &id) in edges.iter().enumerate() {
        unrolled.states.push(state.clone());
        let edge = abstraction.machine.edge(id).clone();
        let mut wanted: Vec<TermId> = vec![edge.guard];
        wanted.extend(edge.assignments.iter().map(|&(_, term)| term));
        wanted.extend(edge.choices.iter().filter_map(|choice| choice.term()));
        let stores = wanted.len();
        wanted.extend(edge.stores.iter().flat_map(|store| [store.place, store.value]));
        let literals = conjuncts(&abstraction.machine.vocabulary.terms, edge.guard);
        let places = wanted.len();
        wanted.extend(&literals);
        let mut values = instantiate(abstraction, step as u32, &wanted, &state);
        let instances = values.split_off(places);
        let stored = values.split_off(stores);
        unrolled.literals.extend(literals.into_iter().zip(instances).map(|(own, instance)| (step, own, instance)));
        unrolled.guards.push(values[0]);
        let assigned = values[1..].iter().copied();
        let new: Vec<(VariableId, TermId)> = edge.assignments.iter().map(|&(one, _)| one).zip(assigned).collect();
        unrolled.choices.push(values[1 + edge.assignments.len()..].to_vec());
        state.values.extend(new);
        let stored = edge.stores.iter().zip(stored.chunks(2));
        state.stores.extend(stored.map(|(store, new)| ArrayStore { array: store.array, place: new[0], value: new[1] }));
    }
    unrolled
}

/// Whether a term holds before a step, whatever is chosen before.
pub fn holds_before(
    abstraction: &mut PredicateAbstraction<'_>,
    unrolled: &UnrolledPath,
    step: usize,
    term: TermId,
    budget: &Budget,
) -> Result<bool, StopReason> {
    let instance = instantiate(abstraction, step as u32, &[term], &unrolled.states[step])[0];
    let premises = &unrolled.guards[..step];
    abstraction.oracle.implies(&mut abstraction.machine.vocabulary, premises, instance, budget)
}

/// Whether a term holds before a step wherever the step can be taken.
pub fn holds_at(
    abstraction: &mut PredicateAbstraction<'_>,
    unrolled: &UnrolledPath,
    step: usize,
    term: TermId,
    budget: &Budget,
) -> Result<bool, StopReason> {
    let instance = instantiate(abstraction, step as u32, &[term], &unrolled.states[step])[0];
    let premises = &unrolled.guards[..=step];
    abstraction.oracle.implies(&mut abstraction.machine.vocabulary, premises, instance, budget)
}

/// The terms in the state, with choices of their own and the initial values of what has not changed yet.
fn instantiate(
    abstraction: &mut PredicateAbstraction<'_>,
    step: u32,
    wanted: &[TermId],
    state: &Substitution,
) -> Vec<TermId> {
    let mut substitution = Substitution::new([], state.stores.clone());
    substitution.begins = true;
    for &term in wanted {
        let variables: Rc<[VariableId]> = abstraction.oracle.variables(&abstraction.machine.vocabulary, term);
        for &variable in variables.iter() {
            if substitution.values.contains_key(&variable) {
                continue;
            }
            let vocabulary = &mut abstraction.machine.vocabulary;
            let value = match (vocabulary.meaning(variable), state.values.get(&variable)) {
                (Meaning::Choice { .. }, _) => Some(vocabulary.instance_of(step, variable)),
                (_, Some(&value)) => Some(value),
                (_, None) => vocabulary.initial(variable),
            };
            substitution.values.extend(value.map(|value| (variable, value)));
        }
    }
    substitute_all(&mut abstraction.machine.vocabulary, wanted, &substitution)
}

pub fn feasibility(
    abstraction: &mut PredicateAbstraction<'_>,
    edges: &[EdgeId],
    unrolled: &UnrolledPath,
    budget: &Budget,
) -> Result<PathFeasibility, StopReason> {
    let never = abstraction.machine.vocabulary.terms.boolean(false);
    if abstraction.oracle.implies(&mut abstraction.machine.vocabulary, &unrolled.guards, never, budget)? {
        return Ok(PathFeasibility::Infeasible);
    }
    let answer = abstraction.oracle.ask(&mut abstraction.machine.vocabulary, &unrolled.guards, budget)?;
    let OracleAnswer::Satisfiable(model) = answer else { return Ok(PathFeasibility::Infeasible) };
    if edges.iter().any(|&edge| abstraction.machine.edge(edge).skips) {
        return Ok(PathFeasibility::FeasibleSummary);
    }
    let terms = &abstraction.machine.vocabulary.terms;
    let (mut steps, mut choices) = (Vec::new(), Choices::default());
    let mut sections: FxHashMap<u32, u32> = FxHashMap::default();
    for (&id, chosen) in edges.iter().zip(&unrolled.choices) {
        let edge = abstraction.machine.edge(id);
        let thread = ThreadId(edge.thread);
        for &location in edge.trail.iter() {
            let inside = sections.entry(edge.thread).or_default();
            if *inside == 0 && abstraction.machine.visibility.is_visible(location) {
                steps.push(Step { thread, location: Some(location) });
            }
            if let program::At::Instruction(instruction) = abstraction.machine.vocabulary.program.at(location) {
                match instruction.kind {
                    InstructionKind::AtomicBegin => *inside += 1,
                    InstructionKind::AtomicEnd => *inside = inside.saturating_sub(1),
                    _ => {}
                }
            }
        }
        let mut values = chosen.iter().map(|&term| terms::evaluate(terms, term, &model));
        for choice in edge.choices.iter() {
            let value = match choice {
                Chosen::Term(_) => values.next().unwrap_or(0),
                Chosen::Value(value) => *value,
            };
            choices.push(thread, value);
        }
    }
    Ok(PathFeasibility::Feasible(Schedule { steps, choices }))
}
