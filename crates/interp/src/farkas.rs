//! Reachability interpolants by Farkas' lemma: multipliers under which the guards of a path add up to a contradiction. The part of
//! the sum that comes from the steps after a cut, written in the state at the cut, is the interpolant there.

use std::collections::{BTreeMap, BTreeSet};

use base::{Budget, StopReason};
use terms::{Relation, TermId, VariableId};

use crate::abstraction::PredicateAbstraction;
use crate::edge::ArrayStore;
use crate::linear::{self, Comparison, LinExpr, Premise};
use crate::oracle::{Substitution, substitute_all};
use crate::path::{UnrolledPath, holds_at, holds_before};
use crate::search::AbstractPath;
use crate::simplex::{self, Ratio};
use crate::vocabulary::Meaning;

/// A guard, or something else that is known before a step.
struct StepFact {
    step: usize,
    /// Before each step from the first to its own: in the state there.
    pulled: Vec<Vec<Premise>>,
}

const MAX_FACTS: usize = 90;
const MAX_ROWS: usize = 110;
/// Pairs of reads of an array whose places are compared, and those that are proved to be equal.
const MAX_ASKED: usize = 60;
const MAX_MEETINGS: usize = 8;
/// What it costs that an interpolant changes from one round of a loop to the next, beside the multipliers.
const CONSTANCY: i128 = 20;

/// Predicates that may exclude a path.
#[derive(Default)]
pub struct PathPredicates {
    /// To be tried first.
    pub first: Vec<TermId>,
    /// Those that the first ones replaced, where that was too much.
    pub second: Vec<TermId>,
}

impl PathPredicates {
    /// All of them, each once.
    pub fn all(self) -> Vec<TermId> {
        let mut all: Vec<TermId> = self.first.into_iter().chain(self.second).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn extend(&mut self, other: PathPredicates) {
        self.first.extend(other.first);
        self.second.extend(other.second);
    }
}

/// Predicates, per cut, that may exclude the path.
pub fn interpolants(
    abstraction: &mut PredicateAbstraction<'_>,
    path: &AbstractPath,
    unrolled: &UnrolledPath,
    with_lemmas: bool,
    budget: &Budget,
) -> Result<PathPredicates, StopReason> {
    let steps = PathSteps::new(abstraction, path, with_lemmas);
    let mut meetings = MeetingReads::default();
    let facts = steps.facts(abstraction, &steps.literals, &mut meetings, Some(unrolled), budget)?;
    let sequences = contradiction(path, &facts, None, budget)?;
    let mut found = predicates(abstraction, unrolled, &sequences, budget)?;
    if sequences.is_empty() {
        return Ok(found);
    }
    // What was used of arrays: two places are equal, which is proved by excluding both sides of the inequation.
    for meeting in meetings.found.iter().rev().take(MAX_MEETINGS) {
        let ReadMeeting { step, left, right } = *meeting;
        let differs = Comparison { relation: Relation::Eq, left, right, negated: true };
        let mut literals: Vec<(usize, Comparison)> =
            steps.literals.iter().copied().filter(|&(at, _)| at <= step).collect();
        literals.push((step, differs));
        let facts = steps.facts(abstraction, &literals, &mut meetings.clone(), None, budget)?;
        if facts.last().is_some_and(|last| last.pulled[0].len() > 1) {
            let sequences = contradiction(path, &facts, Some(facts.len() - 1), budget)?;
            found.extend(predicates(abstraction, unrolled, &sequences, budget)?);
        }
    }
    Ok(found)
}

/// Predicates, per cut, from which it follows that a literal holds before a step.
pub fn reasons(
    abstraction: &mut PredicateAbstraction<'_>,
    path: &AbstractPath,
    unrolled: &UnrolledPath,
    step: usize,
    literal: TermId,
    budget: &Budget,
) -> Result<PathPredicates, StopReason> {
    let steps = PathSteps::new(abstraction, path, true);
    let negated = abstraction.machine.vocabulary.terms.not(literal);
    let Some(negated) = linear::comparison(&mut abstraction.machine.vocabulary.terms, negated) else {
        return Ok(PathPredicates::default());
    };
    let mut literals: Vec<(usize, Comparison)> = steps.literals.iter().copied().filter(|&(at, _)| at < step).collect();
    literals.push((step, negated));
    let facts = steps.facts(abstraction, &literals, &mut MeetingReads::default(), Some(unrolled), budget)?;
    let only = facts.last().filter(|last| last.step == step && last.pulled[0].len() > 1).map(|_| facts.len() - 1);
    let sequences = contradiction(path, &facts, only, budget)?;
    predicates(abstraction, unrolled, &sequences, budget)
}

/// Sequences of sums, one for each combination of sides of as few inequations as possible: none, one, or two of the last ones.
/// `only`: the inequation to be split.
fn contradiction(
    path: &AbstractPath,
    facts: &[StepFact],
    only: Option<usize>,
    budget: &Budget,
) -> Result<Vec<Sequence>, StopReason> {
    budget.spend(facts.len() as u64)?;
    for chosen in splits(facts, only) {
        // The sides of inequations are cases of their own.
        let cases = 1usize << chosen.len();
        let mut sequences = Vec::new();
        for case in 0..cases {
            budget.spend(5_000)?;
            let side = |index: usize| match chosen.iter().position(|&one| one == index) {
                Some(position) => Some(case >> position & 1),
                None => (facts[index].pulled[0].len() == 1).then_some(0),
            };
            match solve(path, facts, &side, budget)? {
                Some(sequence) => sequences.push(sequence),
                None => break,
            }
        }
        if sequences.len() == cases {
            return Ok(sequences);
        }
    }
    Ok(Vec::new())
}

/// The inequations to be split, in the order in which they are tried.
fn splits(facts: &[StepFact], only: Option<usize>) -> Vec<Vec<usize>> {
    const MAX_SINGLE: usize = 6;
    const MAX_PAIRED: usize = 4;
    if let Some(index) = only {
        return vec![vec![index]];
    }
    let mut uses: BTreeMap<TermId, usize> = BTreeMap::new();
    for fact in facts {
        for &atom in fact.pulled[0][0].expression.terms.keys() {
            *uses.entry(atom).or_default() += 1;
        }
    }
    // An inequation over something that nothing else speaks of excludes nothing, such as an input that chooses a way.
    let is_useful = |fact: &StepFact| fact.pulled[0][0].expression.terms.keys().all(|atom| uses[atom] > 1);
    let useful: Vec<usize> =
        (0..facts.len()).rev().filter(|&index| facts[index].pulled[0].len() > 1 && is_useful(&facts[index])).collect();
    let mut found = vec![Vec::new()];
    found.extend(useful.iter().take(MAX_SINGLE).map(|&index| vec![index]));
    for (position, &late) in useful.iter().take(MAX_PAIRED).enumerate() {
        found.extend(useful[..position].iter().map(|&later| vec![late, later]));
    }
    found
}

/// A read of an array in a step, or a store, and another one later whose place, written in the state before that step, is equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ReadMeeting {
    step: usize,
    left: TermId,
    right: TermId,
}

/// The reads that were found to be equal, and what was asked about others.
#[derive(Clone, Default, Debug)]
struct MeetingReads {
    found: Vec<ReadMeeting>,
    /// Stores and later reads that are of different places.
    apart: Vec<ReadMeeting>,
    asked: usize,
}

/// The literals of a path, and what its steps assign.
struct PathSteps {
    /// In the order of steps: guards, and what is known from predicates.
    literals: Vec<(usize, Comparison)>,
    substitutions: Vec<Substitution>,
    /// The reads of arrays in each step.
    reads: Vec<Vec<VariableId>>,
}

impl PathSteps {
    fn new(abstraction: &mut PredicateAbstraction<'_>, path: &AbstractPath, with_lemmas: bool) -> Self {
        let mut literals: Vec<(usize, TermId)> = Vec::new();
        let (mut substitutions, mut reads): (Vec<Substitution>, Vec<Vec<VariableId>>) = (Vec::new(), Vec::new());
        for (step, &id) in path.edges.iter().enumerate() {
            let edge = abstraction.machine.edge(id).clone();
            let rename = renaming(abstraction, step, id);
            let vocabulary = &mut abstraction.machine.vocabulary;
            let guard = substitute_all(vocabulary, &[edge.guard], &rename)[0];
            if with_lemmas {
                for term in new_lemmas(abstraction, path, step) {
                    let all = linear::conjuncts(&abstraction.machine.vocabulary.terms, term);
                    literals.extend(all.into_iter().map(|literal| (step, literal)));
                }
            }
            let vocabulary = &mut abstraction.machine.vocabulary;
            literals.extend(linear::conjuncts(&vocabulary.terms, guard).into_iter().map(|literal| (step, literal)));
            let mut wanted: Vec<TermId> = edge.assignments.iter().map(|&(_, term)| term).collect();
            wanted.extend(edge.stores.iter().flat_map(|store| [store.place, store.value]));
            let mut values = substitute_all(vocabulary, &wanted, &rename);
            let terms = values.iter().copied().chain([guard]);
            reads.push(reads_in(abstraction, terms));
            let stored = values.split_off(edge.assignments.len());
            let stored = edge.stores.iter().zip(stored.chunks(2));
            let stores = stored.map(|(store, new)| ArrayStore { array: store.array, place: new[0], value: new[1] });
            let stores = stores.collect();
            let values = edge.assignments.iter().map(|&(variable, _)| variable).zip(values);
            substitutions.push(Substitution::new(values, stores));
        }
        let terms = &mut abstraction.machine.vocabulary.terms;
        let mut comparison = |(step, literal): (usize, TermId)| Some((step, linear::comparison(terms, literal)?));
        let mut literals: Vec<(usize, Comparison)> = literals.into_iter().filter_map(&mut comparison).collect();
        if literals.len() > MAX_FACTS {
            literals.drain(..literals.len() - MAX_FACTS);
        }
        Self { literals, substitutions, reads }
    }

    /// The literals as facts, each in the state before every step up to its own. Reads of an array that are equal, as far as the
    /// path says, become one; without a path that is done for those only that are known to be equal.
    fn facts(
        &self,
        abstraction: &mut PredicateAbstraction<'_>,
        literals: &[(usize, Comparison)],
        meetings: &mut MeetingReads,
        unrolled: Option<&UnrolledPath>,
        budget: &Budget,
    ) -> Result<Vec<StepFact>, StopReason> {
        let mut facts: Vec<StepFact> =
            literals.iter().map(|&(step, _)| StepFact { step, pulled: Vec::new() }).collect();
        // Both sides of each comparison.
        let mut current: Vec<TermId> = literals.iter().flat_map(|(_, one)| [one.left, one.right]).collect();
        for cut in (0..self.substitutions.len()).rev() {
            let later: Vec<usize> = (0..current.len()).filter(|&index| literals[index / 2].0 > cut).collect();
            let wanted: Vec<TermId> = later.iter().map(|&index| current[index]).collect();
            let decided = self.with_decided_reads(abstraction, cut, &wanted, meetings, unrolled, budget)?;
            let new = substitute_all(&mut abstraction.machine.vocabulary, &wanted, &decided);
            for (&index, term) in later.iter().zip(new) {
                current[index] = term;
            }
            let reached: Vec<usize> = (0..current.len()).filter(|&index| literals[index / 2].0 >= cut).collect();
            self.unite_reads(abstraction, cut, &reached, &mut current, meetings, unrolled, budget)?;
            let here = if cut == 0 { with_initial_values(abstraction, &current) } else { current.clone() };
            for (index, fact) in facts.iter_mut().enumerate().filter(|(_, fact)| fact.step >= cut) {
                let comparison = Comparison { left: here[2 * index], right: here[2 * index + 1], ..literals[index].1 };
                let premises = linear::premises(&abstraction.machine.vocabulary.terms, comparison);
                fact.pulled.push(premises.unwrap_or_default());
            }
        }
        for fact in &mut facts {
            fact.pulled.reverse();
        }
        facts.retain(|fact| fact.pulled.iter().all(|premises| !premises.is_empty()));
        Ok(facts)
    }

    /// What a step assigns, with the reads in the terms decided: whether each is of what the step stores.
    fn with_decided_reads(
        &self,
        abstraction: &mut PredicateAbstraction<'_>,
        cut: usize,
        wanted: &[TermId],
        meetings: &mut MeetingReads,
        unrolled: Option<&UnrolledPath>,
        budget: &Budget,
    ) -> Result<Substitution, StopReason> {
        let mut substitution = self.substitutions[cut].clone();
        if substitution.stores.is_empty() {
            return Ok(substitution);
        }
        for later in reads_in(abstraction, wanted.iter().copied()) {
            let Meaning::Read { array, bytes, place } = abstraction.machine.vocabulary.meaning(later) else { continue };
            let place = substitute_all(&mut abstraction.machine.vocabulary, &[place], &self.substitutions[cut])[0];
            let stores = self.substitutions[cut].stores.iter().rev().filter(|store| store.array == array);
            let mut decided = None;
            for store in stores {
                let meeting = ReadMeeting { step: cut, left: store.place, right: place };
                if self.are_equal(abstraction, meeting, meetings, unrolled, budget)? {
                    decided = Some(Some(store.value));
                    break;
                }
                let vocabulary = &mut abstraction.machine.vocabulary;
                let differ = vocabulary.terms.distinct(store.place, place);
                let is_elsewhere = match (vocabulary.terms.as_boolean(differ), unrolled) {
                    (Some(truth), _) => truth,
                    (None, None) => meetings.apart.contains(&meeting),
                    (None, Some(_)) if meetings.asked >= MAX_ASKED => false,
                    (None, Some(unrolled)) => {
                        meetings.asked += 1;
                        holds_at(abstraction, unrolled, cut, differ, budget)?
                    }
                };
                if !is_elsewhere {
                    decided = None;
                    break;
                }
                if unrolled.is_some() {
                    meetings.apart.push(meeting);
                }
                decided = Some(None);
            }
            let vocabulary = &mut abstraction.machine.vocabulary;
            let value = match decided {
                Some(Some(value)) => value,
                Some(None) => vocabulary.read(array, u64::from(bytes), place),
                None => continue,
            };
            substitution.values.insert(later, value);
        }
        Ok(substitution)
    }

    /// Whether two places are equal, as far as the path says; without a path, whether they are known to be.
    fn are_equal(
        &self,
        abstraction: &mut PredicateAbstraction<'_>,
        meeting: ReadMeeting,
        meetings: &mut MeetingReads,
        unrolled: Option<&UnrolledPath>,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let Some(unrolled) = unrolled else { return Ok(meetings.found.contains(&meeting)) };
        if meetings.asked >= MAX_ASKED {
            return Ok(false);
        }
        meetings.asked += 1;
        let equal = abstraction.machine.vocabulary.terms.eq(meeting.left, meeting.right);
        let is_same = holds_at(abstraction, unrolled, meeting.step, equal, budget)?;
        if is_same {
            meetings.found.push(meeting);
        }
        Ok(is_same)
    }

    /// Replaces the reads of later steps that read what this step reads.
    fn unite_reads(
        &self,
        abstraction: &mut PredicateAbstraction<'_>,
        cut: usize,
        reached: &[usize],
        current: &mut [TermId],
        meetings: &mut MeetingReads,
        unrolled: Option<&UnrolledPath>,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        if self.reads[cut].is_empty() {
            return Ok(());
        }
        let mut same = Substitution::default();
        for later in reads_in(abstraction, reached.iter().map(|&index| current[index])) {
            for &own in &self.reads[cut] {
                if own == later || self.reads[cut].contains(&later) || same.values.contains_key(&later) {
                    continue;
                }
                let vocabulary = &mut abstraction.machine.vocabulary;
                let (
                    Meaning::Read { array, bytes, place },
                    Meaning::Read { array: other, bytes: length, place: elsewhere },
                ) = (vocabulary.meaning(own), vocabulary.meaning(later))
                else {
                    continue;
                };
                if (array, bytes) != (other, length) {
                    continue;
                }
                let meeting = ReadMeeting { step: cut, left: place, right: elsewhere };
                if self.are_equal(abstraction, meeting, meetings, unrolled, budget)? {
                    same.values.insert(later, abstraction.machine.vocabulary.terms.variable_term(own));
                }
            }
        }
        if !same.values.is_empty() {
            let wanted: Vec<TermId> = reached.iter().map(|&index| current[index]).collect();
            let new = substitute_all(&mut abstraction.machine.vocabulary, &wanted, &same);
            for (&index, term) in reached.iter().zip(new) {
                current[index] = term;
            }
        }
        Ok(())
    }
}

/// The predicates that hold before a step, without those that say what they said a step earlier.
fn new_lemmas(abstraction: &mut PredicateAbstraction<'_>, path: &AbstractPath, step: usize) -> Vec<TermId> {
    let before = step.checked_sub(1).map(|before| (&path.held[before], abstraction.info(path.edges[before])));
    let is_new = |&&index: &&u32| {
        let variables = &abstraction.predicates[index as usize].variables;
        before.as_ref().is_none_or(|(held, info)| {
            held.binary_search(&index).is_err() || variables.iter().any(|&variable| abstraction.changes(info, variable))
        })
    };
    path.held[step].iter().filter(is_new).map(|&index| abstraction.predicates[index as usize].term).collect()
}

/// The reads of arrays in the terms.
fn reads_in(abstraction: &mut PredicateAbstraction<'_>, terms: impl Iterator<Item = TermId>) -> Vec<VariableId> {
    let mut found: Vec<VariableId> = Vec::new();
    for term in terms {
        let variables = abstraction.oracle.variables(&abstraction.machine.vocabulary, term);
        let vocabulary = &abstraction.machine.vocabulary;
        found
            .extend(variables.iter().filter(|variable| matches!(vocabulary.meaning(**variable), Meaning::Read { .. })));
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn with_initial_values(abstraction: &mut PredicateAbstraction<'_>, wanted: &[TermId]) -> Vec<TermId> {
    let mut variables = BTreeSet::new();
    for &term in wanted {
        variables.extend(abstraction.oracle.variables(&abstraction.machine.vocabulary, term).iter().copied());
    }
    let variables: Vec<_> = variables.into_iter().collect();
    let start = abstraction.initial_substitution(&variables);
    substitute_all(&mut abstraction.machine.vocabulary, wanted, &start)
}

/// Names of their own for the choices of a step.
fn renaming(abstraction: &mut PredicateAbstraction<'_>, step: usize, id: crate::edge::EdgeId) -> Substitution {
    let edge = abstraction.machine.edge(id).clone();
    let mut all: Vec<TermId> = edge.assignments.iter().map(|&(_, term)| term).collect();
    all.push(edge.guard);
    let mut rename = Substitution::default();
    for term in all {
        for &variable in abstraction.oracle.variables(&abstraction.machine.vocabulary, term).iter() {
            if matches!(abstraction.machine.vocabulary.meaning(variable), Meaning::Choice { .. }) {
                let own = abstraction.machine.vocabulary.instance_of(step as u32, variable);
                rename.values.insert(variable, own);
            }
        }
    }
    rename
}

/// The sums after each cut, and whether they compare unsigned numbers.
struct Sequence {
    sums: Vec<LinExpr>,
    is_unsigned: bool,
}

/// Multipliers under which the chosen sides of the facts add up to a contradiction.
fn solve(
    path: &AbstractPath,
    facts: &[StepFact],
    side: &dyn Fn(usize) -> Option<usize>,
    budget: &Budget,
) -> Result<Option<Sequence>, StopReason> {
    let chosen: Vec<(usize, usize)> = (0..facts.len()).filter_map(|index| Some((index, side(index)?))).collect();
    let premise = |(index, side): (usize, usize), cut: usize| {
        let premises = &facts[index].pulled[cut];
        &premises[side.min(premises.len() - 1)]
    };
    let is_equality = |one: (usize, usize)| premise(one, facts[one.0].step).is_equality;
    // One column for each multiplier, a second one for those that may be negative.
    let mut columns: Vec<((usize, usize), i128)> = Vec::new();
    for &one in &chosen {
        columns.push((one, 1));
        if is_equality(one) {
            columns.push((one, -1));
        }
    }
    let multipliers = columns.len();
    let atoms: BTreeSet<TermId> =
        chosen.iter().flat_map(|&one| premise(one, 0).expression.terms.keys().copied()).collect();
    let mut rows: Vec<BTreeMap<usize, i128>> = Vec::new();
    let coefficient = |one: (usize, usize), cut: usize, atom: TermId| {
        premise(one, cut).expression.terms.get(&atom).copied().unwrap_or(0)
    };
    for &atom in &atoms {
        let row = columns.iter().enumerate().map(|(column, &(one, sign))| (column, sign * coefficient(one, 0, atom)));
        rows.push(row.filter(|&(_, value)| value != 0).collect());
    }
    let constants = columns.iter().enumerate();
    rows.push(constants.map(|(column, &(one, sign))| (column, sign * premise(one, 0).expression.constant)).collect());
    let mut right = vec![0; rows.len() - 1];
    right.push(1);
    let mut cost = vec![1; multipliers];
    // Whether there is a solution at all is a smaller question.
    let Some(mut solution) = simplex::minimise(&linear_program(&rows, &right, &cost), budget)? else { return Ok(None) };
    for (early, late) in rounds(path) {
        let atoms: BTreeSet<TermId> = chosen
            .iter()
            .flat_map(|&one| [early, late].map(|cut| (one, cut)))
            .filter(|&(one, cut)| facts[one.0].step >= cut)
            .flat_map(|(one, cut)| premise(one, cut).expression.terms.keys().copied())
            .collect();
        if rows.len() + atoms.len() > MAX_ROWS {
            break;
        }
        // What comes from the atoms, and the constant.
        for part in atoms.into_iter().map(Some).chain([None]) {
            let of = |one: (usize, usize), cut: usize| match part {
                _ if facts[one.0].step < cut => 0,
                Some(atom) => coefficient(one, cut, atom),
                None => premise(one, cut).expression.constant,
            };
            let mut row = BTreeMap::new();
            for (column, &(one, sign)) in columns.iter().enumerate() {
                let value = sign * (of(one, early) - of(one, late));
                if value != 0 {
                    row.insert(column, value);
                }
            }
            if row.is_empty() {
                continue;
            }
            row.insert(cost.len(), 1);
            row.insert(cost.len() + 1, -1);
            cost.extend([CONSTANCY, CONSTANCY]);
            rows.push(row);
            right.push(0);
        }
    }
    if cost.len() > multipliers
        && let Some(constant) = simplex::minimise(&linear_program(&rows, &right, &cost), budget)?
    {
        solution = constant;
    }
    Ok(sums_of(path, facts, &columns, &premise, &solution))
}

/// The sums after each cut, with integers.
fn sums_of<'f>(
    path: &AbstractPath,
    facts: &'f [StepFact],
    columns: &[((usize, usize), i128)],
    premise: &dyn Fn((usize, usize), usize) -> &'f Premise,
    solution: &[Ratio],
) -> Option<Sequence> {
    let multipliers = columns.len();
    let scale = solution[..multipliers].iter().try_fold(1i128, |scale, value| {
        let denominator = value.denominator();
        (scale / linear::gcd(scale, denominator)).checked_mul(denominator)
    })?;
    let scaled = |value: Ratio| value.mul(Ratio::integer(scale)).map(Ratio::numerator);
    let mut sums = Vec::new();
    let mut is_unsigned = false;
    for cut in 0..path.edges.len() {
        // 1 - L ≤ 0.
        let mut sum = LinExpr::constant(scale);
        for (&(one, sign), &value) in columns.iter().zip(solution) {
            if !value.is_zero() && facts[one.0].step >= cut {
                is_unsigned |= premise(one, cut).is_unsigned;
                sum.add_scaled(&premise(one, cut).expression, -sign * scaled(value)?)?;
            }
        }
        sums.push(sum);
    }
    Some(Sequence { sums, is_unsigned })
}

fn linear_program(rows: &[BTreeMap<usize, i128>], right: &[i128], cost: &[i128]) -> simplex::LinearProgram {
    let dense = |row: &BTreeMap<usize, i128>| {
        let mut values = vec![Ratio::ZERO; cost.len()];
        for (&column, &value) in row {
            values[column] = Ratio::integer(value);
        }
        values
    };
    simplex::LinearProgram {
        rows: rows.iter().map(dense).collect(),
        right: right.iter().copied().map(Ratio::integer).collect(),
        cost: cost.iter().copied().map(Ratio::integer).collect(),
    }
}

/// Successive visits of one place of the loops.
fn rounds(path: &AbstractPath) -> Vec<(usize, usize)> {
    let visits = path.edges.len();
    let mut found = Vec::new();
    for late in 0..visits {
        let same = |&early: &usize| path.controls[early] == path.controls[late];
        if let Some(early) = (0..late).rev().find(same) {
            found.push((early, late));
        }
    }
    found
}

/// The sums as predicates: opposite ones are one equation, which survives wrapping around.
fn predicates(
    abstraction: &mut PredicateAbstraction<'_>,
    unrolled: &UnrolledPath,
    sequences: &[Sequence],
    budget: &Budget,
) -> Result<PathPredicates, StopReason> {
    let mut found = PathPredicates::default();
    let cuts = sequences.first().map_or(0, |sequence| sequence.sums.len());
    for cut in 0..cuts {
        let sums: Vec<(LinExpr, bool)> =
            sequences.iter().map(|one| (one.sums[cut].tightened(), one.is_unsigned)).collect();
        for (index, (sum, is_unsigned)) in sums.iter().enumerate() {
            let is_state = |&term: &TermId| is_over_state(abstraction, term);
            if sum.terms.is_empty() || !sum.terms.keys().all(is_state) {
                continue;
            }
            let opposite = sums[index + 1..].iter().any(|(other, _)| *other == sum.negated());
            let was_opposite = sums[..index].iter().any(|(other, _)| *other == sum.negated());
            let terms = &mut abstraction.machine.vocabulary.terms;
            if opposite {
                found.first.extend(linear::equality(terms, sum));
            } else if !was_opposite {
                let inequality = linear::inequality(terms, sum, *is_unsigned);
                // Where both sides are equal so far, that is easier to keep, and to decide.
                if let Some(equality) = linear::equality(terms, sum)
                    && sum.terms.len() > 1
                    && holds_before(abstraction, unrolled, cut, equality, budget)?
                {
                    found.first.push(equality);
                    found.second.extend(inequality);
                } else {
                    found.first.extend(inequality);
                }
            }
        }
    }
    Ok(found)
}

fn is_over_state(abstraction: &PredicateAbstraction<'_>, term: TermId) -> bool {
    let vocabulary = &abstraction.machine.vocabulary;
    let (mut open, mut seen) = (vec![term], BTreeSet::new());
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        if let Some(variable) = crate::vocabulary::variable_of(&vocabulary.terms, next) {
            match vocabulary.meaning(variable) {
                Meaning::Choice { .. } | Meaning::Instance { .. } => return false,
                Meaning::Read { place, .. } => open.push(place),
                _ => {}
            }
        }
        open.extend(vocabulary.terms.get(next).operands());
    }
    true
}
