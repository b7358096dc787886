//! Craig interpolants of a prefix and a test, at every cut of the prefix: Farkas' lemma over the formulas of a chain
//! ([`crate::chain`]), else weakest preconditions. A region in the chain stands for everything before it, so that a variable that
//! it speaks of is one of its own from there on back.

use std::collections::{BTreeMap, BTreeSet};

use base::{Budget, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{TermId, VariableId};

use crate::abstraction::PredicateAbstraction;
use crate::edge::EdgeId;
use crate::linear::{self, Comparison, LinExpr, Premise};
use crate::oracle::{OracleAnswer, Substitution, substitute_all};
use crate::simplex::{self, LinearProgram, Ratio};
use crate::vocabulary::Meaning;

/// A prefix, what of it is to be believed, and a test behind it.
pub struct InterpolationPath<'a> {
    pub edges: &'a [EdgeId],
    /// The steps whose assignment of the variable counts.
    pub assigned: FxHashSet<(usize, VariableId)>,
    /// What regions say, by the place of the state in the prefix.
    pub regions: BTreeMap<usize, Vec<TermId>>,
    /// The variables whose initial values count.
    pub initial: FxHashSet<VariableId>,
    pub test: TermId,
}

/// Predicates that may exclude the test.
pub struct Interpolants {
    /// Of the whole prefix and the test.
    pub last: Vec<TermId>,
    /// Of the earlier cuts.
    pub earlier: Vec<TermId>,
}

/// A literal of the test or of a region, and where it stands: `at` is one more than the place of the last state for the test.
struct ChainFact {
    at: usize,
    comparison: Option<Comparison>,
    /// The literal, and both sides of its comparison.
    current: [TermId; 3],
    /// At the cuts from its own back to the first one.
    pulled: Vec<(TermId, Vec<Premise>)>,
}

impl ChainFact {
    /// What it says at a cut, if it stands behind it.
    fn at_cut(&self, cut: usize) -> Option<&(TermId, Vec<Premise>)> {
        (cut < self.at).then(|| self.pulled.get(self.at - 1 - cut)).flatten()
    }
}

/// Farkas' interpolants and then the weakest preconditions; `None` if prefix and test can hold together, which is kept in
/// `feasible`: many paths have one chain.
pub fn interpolants(
    abstraction: &mut PredicateAbstraction<'_>,
    path: &InterpolationPath<'_>,
    feasible: &mut FxHashSet<Vec<TermId>>,
    budget: &Budget,
) -> Result<Option<[Interpolants; 2]>, StopReason> {
    // Most branches are feasible: premises are only made for those that are not.
    let origin = facts(abstraction, path, false).iter().map(|fact| fact.current[0]).collect::<Vec<_>>();
    if feasible.contains(&origin) {
        return Ok(None);
    }
    let answer = abstraction.oracle.ask(&mut abstraction.machine.vocabulary, &origin, budget)?;
    if !matches!(answer, OracleAnswer::Unsatisfiable) {
        feasible.insert(origin);
        return Ok(None);
    }
    let facts = facts(abstraction, path, true);
    budget.spend(facts.len() as u64)?;
    let farkas = by_farkas(abstraction, path, &facts, budget);
    let weakest = weakest_preconditions(abstraction, path, &facts);
    Ok(Some([farkas, weakest]))
}

/// The literals at the origin, and at every cut before if premises are wanted.
fn facts(
    abstraction: &mut PredicateAbstraction<'_>,
    path: &InterpolationPath<'_>,
    with_premises: bool,
) -> Vec<ChainFact> {
    let count = path.edges.len();
    let mut facts: Vec<ChainFact> = Vec::new();
    add_facts(abstraction, &mut facts, count + 1, path.test);
    // How often each variable has been assigned before the step at hand.
    let mut versions: FxHashMap<VariableId, u32> = FxHashMap::default();
    for &edge in path.edges {
        for &(variable, _) in abstraction.machine.edge(edge).assignments.clone().iter() {
            *versions.entry(variable).or_default() += 1;
        }
    }
    for cut in (0..=count).rev() {
        if with_premises {
            record(abstraction, &mut facts);
        }
        for &literal in path.regions.get(&cut).into_iter().flatten() {
            if cut > 0 {
                add_facts(abstraction, &mut facts, cut, literal);
            }
        }
        let Some(step) = cut.checked_sub(1) else { break };
        let edge = abstraction.machine.edge(path.edges[step]).clone();
        let mut substitution = Substitution::default();
        for &(variable, value) in edge.assignments.iter() {
            let version = versions.entry(variable).or_default();
            let value = match path.assigned.contains(&(step, variable)) {
                true => value,
                false => abstraction.machine.vocabulary.instance_of(*version, variable),
            };
            *version = version.saturating_sub(1);
            substitution.values.insert(variable, value);
        }
        substitute_in(abstraction, &mut facts, &substitution);
    }
    let variables: Vec<VariableId> = path.initial.iter().copied().collect();
    let start = abstraction.initial_substitution(&variables);
    substitute_in(abstraction, &mut facts, &start);
    if with_premises {
        for fact in &mut facts {
            // The first cut lies behind what is known in the beginning.
            fact.pulled.pop();
        }
        record(abstraction, &mut facts);
    }
    facts
}

fn add_facts(abstraction: &mut PredicateAbstraction<'_>, facts: &mut Vec<ChainFact>, at: usize, term: TermId) {
    for literal in linear::conjuncts(&abstraction.machine.vocabulary.terms, term) {
        let comparison = linear::comparison(&mut abstraction.machine.vocabulary.terms, literal);
        let current = comparison.map_or([literal; 3], |one| [literal, one.left, one.right]);
        facts.push(ChainFact { at, comparison, current, pulled: Vec::new() });
    }
}

fn record(abstraction: &PredicateAbstraction<'_>, facts: &mut [ChainFact]) {
    for fact in facts {
        let [literal, left, right] = fact.current;
        let here = fact.comparison.map(|comparison| Comparison { left, right, ..comparison });
        let premises = here.and_then(|one| linear::premises(&abstraction.machine.vocabulary.terms, one));
        fact.pulled.push((literal, premises.unwrap_or_default()));
    }
}

fn substitute_in(abstraction: &mut PredicateAbstraction<'_>, facts: &mut [ChainFact], substitution: &Substitution) {
    let mut is_named = |term: TermId| {
        let variables = abstraction.oracle.variables(&abstraction.machine.vocabulary, term);
        variables.iter().any(|variable| substitution.values.contains_key(variable))
    };
    if substitution.values.is_empty() || !facts.iter().flat_map(|fact| fact.current).any(&mut is_named) {
        return;
    }
    let wanted: Vec<TermId> = facts.iter().flat_map(|fact| fact.current).collect();
    let new = substitute_all(&mut abstraction.machine.vocabulary, &wanted, substitution);
    for (fact, terms) in facts.iter_mut().zip(new.chunks_exact(3)) {
        fact.current.copy_from_slice(terms);
    }
}

/// A side of an inequation is a case of its own; more of them are left to weakest preconditions.
const MAX_SPLITS: usize = 2;

fn by_farkas(
    abstraction: &mut PredicateAbstraction<'_>,
    path: &InterpolationPath<'_>,
    facts: &[ChainFact],
    budget: &Budget,
) -> Interpolants {
    let nothing = || Interpolants { last: Vec::new(), earlier: Vec::new() };
    let test = path.edges.len() + 1;
    let usable: Vec<&ChainFact> =
        facts.iter().filter(|fact| fact.pulled.iter().all(|(_, premises)| !premises.is_empty())).collect();
    let is_split = |fact: &&&ChainFact| fact.pulled[0].1.len() > 1;
    // Cases of the test are conjoined; what regions say in cases is left out.
    let usable: Vec<&ChainFact> = usable.iter().filter(|fact| !is_split(fact) || fact.at == test).copied().collect();
    let splits: Vec<usize> = (0..usable.len()).filter(|&index| usable[index].pulled[0].1.len() > 1).collect();
    for count in 0..=splits.len().min(MAX_SPLITS) {
        let chosen = &splits[..count];
        let mut sequences = Vec::new();
        for case in 0..1usize << count {
            let mut picked: Vec<(&ChainFact, usize)> = Vec::new();
            for (index, fact) in usable.iter().enumerate() {
                match chosen.iter().position(|&one| one == index) {
                    Some(position) => picked.push((fact, case >> position & 1)),
                    None if fact.pulled[0].1.len() == 1 => picked.push((fact, 0)),
                    None => {}
                }
            }
            match sums(&picked, path.edges.len(), budget) {
                Some(sequence) => sequences.push(sequence),
                None => break,
            }
        }
        if sequences.len() == 1 << count {
            return as_predicates(abstraction, &sequences);
        }
    }
    nothing()
}

/// What must be at most zero at each cut, and whether unsigned numbers were compared.
struct CutSums {
    sums: Vec<LinExpr>,
    is_unsigned: bool,
}

/// Multipliers under which the facts add up to a contradiction, and what they leave at each cut.
fn sums(facts: &[(&ChainFact, usize)], cuts: usize, budget: &Budget) -> Option<CutSums> {
    let premise = |(fact, side): (&ChainFact, usize), cut: usize| -> Option<Premise> {
        let (_, premises) = fact.at_cut(cut)?;
        premises.get(side.min(premises.len().checked_sub(1)?)).cloned()
    };
    let mut columns: Vec<(usize, i128)> = Vec::new();
    let mut at_origin = Vec::new();
    for (index, &fact) in facts.iter().enumerate() {
        let origin = premise(fact, 0)?;
        columns.push((index, 1));
        if origin.is_equality {
            columns.push((index, -1));
        }
        at_origin.push(origin);
    }
    let atoms: BTreeSet<TermId> = at_origin.iter().flat_map(|one| one.expression.terms.keys().copied()).collect();
    let row = |of: &dyn Fn(&LinExpr) -> i128| -> Vec<Ratio> {
        columns.iter().map(|&(index, sign)| Ratio::integer(sign * of(&at_origin[index].expression))).collect()
    };
    let mut rows: Vec<Vec<Ratio>> =
        atoms.iter().map(|atom| row(&|expression| expression.terms.get(atom).copied().unwrap_or(0))).collect();
    rows.push(row(&|expression| expression.constant));
    let mut right = vec![Ratio::ZERO; rows.len()];
    *right.last_mut()? = Ratio::ONE;
    let program = LinearProgram { rows, right, cost: vec![Ratio::ONE; columns.len()] };
    // Whoever spends next learns that the budget is used up.
    let solution = simplex::minimise(&program, budget).ok()??;
    let scale = solution.iter().try_fold(1i128, |scale, value| {
        let denominator = value.denominator();
        (scale / linear::gcd(scale, denominator)).checked_mul(denominator)
    })?;
    let mut found = CutSums { sums: Vec::new(), is_unsigned: false };
    for cut in 0..=cuts {
        let mut sum = LinExpr::constant(scale);
        for (&(index, sign), value) in columns.iter().zip(&solution) {
            if value.is_zero() || cut >= facts[index].0.at {
                continue;
            }
            let one = premise(facts[index], cut)?;
            found.is_unsigned |= one.is_unsigned;
            let factor = value.mul(Ratio::integer(scale))?.numerator();
            sum.add_scaled(&one.expression, -sign * factor)?;
        }
        found.sums.push(sum);
    }
    Some(found)
}

fn as_predicates(abstraction: &mut PredicateAbstraction<'_>, sequences: &[CutSums]) -> Interpolants {
    let mut found = Interpolants { last: Vec::new(), earlier: Vec::new() };
    let cuts = sequences.first().map_or(0, |one| one.sums.len());
    for cut in (1..cuts).rev() {
        let sums: Vec<(LinExpr, bool)> =
            sequences.iter().map(|one| (one.sums[cut].tightened(), one.is_unsigned)).collect();
        for (index, (sum, is_unsigned)) in sums.iter().enumerate() {
            if sum.terms.is_empty() || !sum.terms.keys().all(|&term| is_over_state(abstraction, term)) {
                continue;
            }
            let terms = &mut abstraction.machine.vocabulary.terms;
            let opposite = |(other, _): &(LinExpr, bool)| *other == sum.negated();
            let predicate = if sums[index + 1..].iter().any(opposite) {
                linear::equality(terms, sum)
            } else if sums[..index].iter().any(opposite) {
                None
            } else {
                linear::inequality(terms, sum, *is_unsigned)
            };
            let place = if cut + 1 == cuts { &mut found.last } else { &mut found.earlier };
            place.extend(predicate);
        }
    }
    found
}

/// What must hold at each cut so that the test fails, back to the last region that the chain relies on.
fn weakest_preconditions(
    abstraction: &mut PredicateAbstraction<'_>,
    path: &InterpolationPath<'_>,
    facts: &[ChainFact],
) -> Interpolants {
    let mut found = Interpolants { last: Vec::new(), earlier: Vec::new() };
    let count = path.edges.len();
    for cut in (1..=count).rev() {
        let test = facts.iter().filter(|fact| fact.at == count + 1);
        let literals: Vec<TermId> = test.filter_map(|fact| Some(fact.at_cut(cut)?.0)).collect();
        let terms = &mut abstraction.machine.vocabulary.terms;
        let all = terms.and_all(&literals);
        let never = terms.not(all);
        if !is_over_state(abstraction, never) {
            break;
        }
        let place = if cut == count { &mut found.last } else { &mut found.earlier };
        place.push(never);
    }
    found
}

fn is_over_state(abstraction: &mut PredicateAbstraction<'_>, term: TermId) -> bool {
    let variables = abstraction.oracle.variables(&abstraction.machine.vocabulary, term);
    let vocabulary = &abstraction.machine.vocabulary;
    let is_free = |variable: &VariableId| {
        matches!(vocabulary.meaning(*variable), Meaning::Choice { .. } | Meaning::Instance { .. })
    };
    !variables.iter().any(is_free)
}
