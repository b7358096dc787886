//! From an infeasible path to predicates that exclude it.
//!
//! Whatever is proposed here is only tried: [`excludes`] runs along the path with Hoare triples, and what does not exclude the
//! path is not believed.

use std::collections::{BTreeMap, BTreeSet};

use base::{Budget, StopReason};
use terms::{TermId, VariableId};

use crate::abstraction::{Held, PredicateAbstraction};
use crate::edge::EdgeId;
use crate::linear::{comparison, conjuncts};
use crate::oracle::{Substitution, substitute};
use crate::path::UnrolledPath;
use crate::propose;
use crate::search::AbstractPath;
use crate::vocabulary::{Meaning, variable_of};

/// What the solver may do to make a core smaller by one.
const MAX_CORE_WORK: u64 = 20_000;

/// Whether the predicates that are known now exclude the path. What is found out here is known when the path is met again.
pub fn excludes(
    abstraction: &mut PredicateAbstraction<'_>,
    path: &AbstractPath,
    budget: &Budget,
) -> Result<bool, StopReason> {
    abstraction.oracle.be_patient(true);
    let result = find_excludes(abstraction, path, budget);
    abstraction.oracle.be_patient(false);
    result
}

fn find_excludes(
    abstraction: &mut PredicateAbstraction<'_>,
    path: &AbstractPath,
    budget: &Budget,
) -> Result<bool, StopReason> {
    let control = abstraction.machine.control(path.controls[0]).clone();
    let mut held: Held = abstraction.initial(&control, budget)?;
    for (index, &edge) in path.edges.iter().enumerate() {
        if !abstraction.is_possible(&held, edge, budget)? {
            return Ok(true);
        }
        let Some(&target) = path.controls.get(index + 1) else { return Ok(false) };
        let control = abstraction.machine.control(target).clone();
        held = match index {
            0 => abstraction.first_post(edge, &control, budget)?,
            _ => abstraction.post(&held, edge, &control, budget)?,
        };
    }
    Ok(false)
}

/// Adds the comparisons by which loops go on or end, and those of the beginning, as predicates: they exclude that numbers wrap
/// around.
pub fn add_guards(abstraction: &mut PredicateAbstraction<'_>, path: &AbstractPath) {
    for (step, &id) in path.edges.iter().enumerate() {
        let edge = abstraction.machine.edge(id).clone();
        if step > 0 && !abstraction.machine.code.is_loop_head(edge.from) {
            continue;
        }
        let written: Vec<VariableId> = edge.assignments.iter().map(|&(variable, _)| variable).collect();
        // A variable that is assigned what was chosen says as much as the choice.
        let mut names = Substitution::default();
        for &(variable, value) in edge.assignments.iter() {
            let terms = &abstraction.machine.vocabulary.terms;
            let name = terms.variable_term(variable);
            names.values.extend(variable_of(terms, value).map(|chosen| (chosen, name)));
        }
        for literal in conjuncts(&abstraction.machine.vocabulary.terms, edge.guard) {
            let variables = abstraction.oracle.variables(&abstraction.machine.vocabulary, literal);
            let is_comparison = comparison(&mut abstraction.machine.vocabulary.terms, literal).is_some();
            if is_comparison && variables.iter().all(|variable| !written.contains(variable)) {
                let named = substitute(&mut abstraction.machine.vocabulary, literal, &names);
                abstraction.add(named);
            }
        }
    }
}

/// Adds what the counters of the loops leave when they are divided by the distances between iterations, if some are greater
/// than one: that an odd number is not twice another one is no linear fact. Whether there are new ones.
pub fn add_residues(abstraction: &mut PredicateAbstraction<'_>, path: &AbstractPath) -> bool {
    let mut counters: BTreeMap<VariableId, u64> = BTreeMap::new();
    for &id in &path.edges {
        let edge = abstraction.machine.edge(id).clone();
        if edge.loop_entry.again {
            counters.extend(propose::strides(&abstraction.machine, &edge));
        }
    }
    let distances: BTreeSet<u64> = counters.values().copied().filter(|&distance| distance > 1).collect();
    let mut found = false;
    for &variable in counters.keys() {
        for &distance in &distances {
            for residue in 0..distance {
                let terms = &mut abstraction.machine.vocabulary.terms;
                let counter = terms.variable_term(variable);
                let width = terms.width(counter);
                let left = if distance.is_power_of_two() {
                    terms.extract(counter, distance.trailing_zeros() - 1, 0)
                } else {
                    let divisor = terms.constant(width, distance);
                    terms.urem(counter, divisor)
                };
                let rest = terms.constant(terms.width(left), residue);
                let predicate = terms.eq(left, rest);
                found |= abstraction.add(predicate);
            }
        }
    }
    found
}

/// The literals of guards that cannot hold together, as few as can be found by leaving out one after the other.
pub fn minimal_core(
    abstraction: &mut PredicateAbstraction<'_>,
    unrolled: &UnrolledPath,
    budget: &Budget,
) -> Result<Vec<usize>, StopReason> {
    let vocabulary = &mut abstraction.machine.vocabulary;
    let literals: Vec<TermId> = unrolled.literals.iter().map(|&(_, _, instance)| instance).collect();
    let all = || (0..literals.len()).collect();
    let Some(Some(mut core)) = within_limits(abstraction.oracle.core(vocabulary, &literals, &limited(budget)), budget)?
    else {
        return Ok(all());
    };
    let mut index = 0;
    while index < core.len() {
        let mut rest = core.clone();
        rest.remove(index);
        let left: Vec<TermId> = rest.iter().map(|&step| literals[step]).collect();
        match within_limits(abstraction.oracle.core(vocabulary, &left, &limited(budget)), budget)? {
            Some(Some(smaller)) => core = smaller.into_iter().map(|position| rest[position]).collect(),
            Some(None) | None => index += 1,
        }
    }
    Ok(core)
}

/// For one question that is not worth more.
fn limited(budget: &Budget) -> Budget {
    budget.with_work(MAX_CORE_WORK)
}

/// The answer, unless the limit of one question was in the way.
fn within_limits<T>(answer: Result<T, StopReason>, budget: &Budget) -> Result<Option<T>, StopReason> {
    match answer {
        Err(StopReason::Work) => budget.check().map(|()| None),
        answer => answer.map(Some),
    }
}

/// Weakest preconditions along the steps of the core: what must hold at each cut so that the rest is impossible.
pub fn weakest_preconditions(
    abstraction: &mut PredicateAbstraction<'_>,
    edges: &[EdgeId],
    unrolled: &UnrolledPath,
    core: &[usize],
) -> Vec<TermId> {
    let mut condition = abstraction.machine.vocabulary.terms.boolean(false);
    let mut found = Vec::new();
    for (step, &edge) in edges.iter().enumerate().rev() {
        condition = abstraction.before(edge, condition);
        let literals = core.iter().map(|&index| unrolled.literals[index]).filter(|&(at, ..)| at == step);
        for (_, literal, _) in literals {
            condition = abstraction.machine.vocabulary.terms.implies(literal, condition);
        }
        let variables = abstraction.oracle.variables(&abstraction.machine.vocabulary, condition);
        let is_choice =
            |variable: &_| matches!(abstraction.machine.vocabulary.meaning(*variable), Meaning::Choice { .. });
        // The next steps have choices of the same name.
        if variables.iter().any(is_choice) {
            break;
        }
        found.push(condition);
    }
    found
}
