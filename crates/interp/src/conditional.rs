//! Conditional interpolants, C-Intp: Algorithm 1 of the paper, at every state from which conditional transitions depart, those of all
//! threads.
//!
//! To the letter, lines 17 to 19 put a fact about one path into the region of a state, and covering then loses errors: `if (nondet())
//! x = 5; m = 0; if (x > 4) error();` is called safe. Here a C-Intp brings interpolants of *every* cut of prefix and test, and
//! the regions of all states on the path are computed again, so that each edge stays a Hoare triple. Predicates that are known
//! are tried on the path before new ones are made.

use std::rc::Rc;

use base::{Budget, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{TermId, VariableId};

use crate::abstraction::{Held, PredicateAbstraction};
use crate::art::{AbstractReachabilityTree, StateStatus, is_conditional, is_possible};
use crate::chain::{self, SimpleFormula, SsaVariable, Variables};
use crate::craig::{self, Interpolants, InterpolationPath};
use crate::edge::EdgeId;
use crate::farkas;
use crate::interpolate;
use crate::oracle::{OracleAnswer, Substitution, substitute};
use crate::path;
use crate::search::AbstractPath;

/// Where predicates come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InterpolantMode {
    /// R: reachability interpolants of spurious paths to errors.
    #[serde(rename = "r")]
    Reachability,
    /// R+C: conditional interpolants as well, over the shortest chain.
    #[serde(rename = "rc")]
    Conditional,
    /// R+C*: conditional interpolants over the whole path.
    #[serde(rename = "rc-full-path")]
    ConditionalFullPath,
    /// R+C with Algorithm 1 to the letter, whose "safe" says nothing.
    #[serde(rename = "rc-to-the-letter")]
    ToTheLetter,
}

impl InterpolantMode {
    pub fn has_conditional(self) -> bool {
        self != InterpolantMode::Reachability
    }
}

/// A C-Intp that was made.
#[derive(Clone, Debug)]
pub struct ConditionalInterpolant {
    pub state: u32,
    pub branch: EdgeId,
    /// The interpolants of prefix and test.
    pub predicates: Vec<TermId>,
    /// The formulas of the chain, for people; empty over the whole path.
    pub chain: Vec<String>,
}

/// Counts and findings of the C-Intps of one exploration.
#[derive(Default)]
pub struct ConditionalRecord {
    pub made: Vec<ConditionalInterpolant>,
    /// How many formula chains were asked about, and how long they were together.
    pub chains: u64,
    pub formulas: u64,
    /// Branches that are infeasible although neither Farkas' lemma nor weakest preconditions exclude them.
    pub unexcluded: u64,
    /// Chains, as conjunctions, that are known to be feasible.
    feasible: FxHashSet<Vec<TermId>>,
    /// What regions say of single variables.
    atomic: FxHashMap<Held, AtomicFormulas>,
}

/// A formula for each variable.
type AtomicFormulas = Rc<[(TermId, VariableId)]>;

/// A predicate of the global set and its negation; whether it says anything and is new.
pub fn learn(abstraction: &mut PredicateAbstraction<'_>, term: TermId, budget: &Budget) -> Result<bool, StopReason> {
    let negation = abstraction.machine.vocabulary.terms.not(term);
    // True and false are never added, in whatever form they come.
    for one in [term, negation] {
        let answer = abstraction.oracle.ask(&mut abstraction.machine.vocabulary, &[one], budget)?;
        if matches!(answer, OracleAnswer::Unsatisfiable) {
            return Ok(false);
        }
    }
    let is_new = abstraction.add(term);
    abstraction.add(negation);
    Ok(is_new)
}

/// Algorithm 1.
pub fn conditional_interpolants(
    tree: &mut AbstractReachabilityTree,
    abstraction: &mut PredicateAbstraction<'_>,
    mode: InterpolantMode,
    state: u32,
    record: &mut ConditionalRecord,
    budget: &Budget,
) -> Result<(), StopReason> {
    let Some(control) = tree.state(state).control else { return Ok(()) };
    let mut branches: Vec<EdgeId> = Vec::new();
    for thread in abstraction.machine.threads(control) {
        let moves = abstraction.machine.moves(control, thread);
        branches.extend(moves.iter().rev().map(|one| one.edge).filter(|&edge| is_conditional(abstraction, edge)));
    }
    for branch in branches {
        if tree.state(state).status != StateStatus::Open {
            break;
        }
        let region = tree.state(state).region.clone();
        if is_possible(abstraction, state == 0, &region, branch, budget)? {
            let mut exclusion = BranchExclusion { tree, abstraction, mode, state, branch, record, budget };
            exclusion.exclude()?;
        }
    }
    Ok(())
}

struct BranchExclusion<'a, 't, 'p> {
    tree: &'t mut AbstractReachabilityTree,
    abstraction: &'a mut PredicateAbstraction<'p>,
    mode: InterpolantMode,
    state: u32,
    branch: EdgeId,
    record: &'a mut ConditionalRecord,
    budget: &'a Budget,
}

impl BranchExclusion<'_, '_, '_> {
    /// Excludes the branch if prefix and test contradict each other.
    fn exclude(&mut self) -> Result<(), StopReason> {
        let path = self.tree.path_to(self.state, Some(self.branch));
        if self.mode == InterpolantMode::ConditionalFullPath {
            self.exclude_by_path(&path)
        } else {
            self.exclude_by_chain(&path)
        }
    }

    /// Tries what is known on the path; whether that excludes the branch or the state.
    fn is_excluded(&mut self) -> Result<bool, StopReason> {
        self.tree.strengthen(self.abstraction, self.state, self.budget)?;
        let state = self.tree.state(self.state);
        if state.status == StateStatus::Removed {
            return Ok(true);
        }
        let region = state.region.clone();
        Ok(!is_possible(self.abstraction, self.state == 0, &region, self.branch, self.budget)?)
    }

    fn exclude_by_path(&mut self, path: &AbstractPath) -> Result<(), StopReason> {
        self.record.chains += 1;
        self.record.formulas += path_formulas(self.abstraction, path, &mut self.record.atomic).length() as u64;
        let unrolled = path::unroll(self.abstraction, &path.edges);
        let vocabulary = &mut self.abstraction.machine.vocabulary;
        let answer = self.abstraction.oracle.ask(vocabulary, &unrolled.guards, self.budget)?;
        if !matches!(answer, OracleAnswer::Unsatisfiable) || self.is_excluded()? {
            return Ok(());
        }
        let predicates = farkas::interpolants(self.abstraction, path, &unrolled, false, self.budget)?.all();
        if self.make(predicates, Vec::new(), Vec::new())? {
            return Ok(());
        }
        let core = interpolate::minimal_core(self.abstraction, &unrolled, self.budget)?;
        let predicates = interpolate::weakest_preconditions(self.abstraction, &path.edges, &unrolled, &core);
        if !self.make(predicates, Vec::new(), Vec::new())? {
            self.record.unexcluded += 1;
        }
        Ok(())
    }

    fn exclude_by_chain(&mut self, path: &AbstractPath) -> Result<(), StopReason> {
        let formulas = path_formulas(self.abstraction, path, &mut self.record.atomic);
        self.record.chains += 1;
        let Some(kept) = chain::simplify_interpolation_path(&formulas.prefix, &formulas.test.pair) else {
            // The chain is ⟨true⟩.
            self.record.formulas += 1;
            return Ok(());
        };
        self.record.formulas += kept.len() as u64 + 1;
        let guard = self.abstraction.machine.edge(self.branch).guard;
        let mut prefix = InterpolationPath {
            edges: &path.edges[..path.edges.len() - 1],
            assigned: FxHashSet::default(),
            regions: Default::default(),
            initial: FxHashSet::default(),
            test: guard,
        };
        for &index in &kept {
            match formulas.sources[index] {
                FormulaSource::Initial(variable) => _ = prefix.initial.insert(variable),
                FormulaSource::Assigned(step, variable) => _ = prefix.assigned.insert((step, variable)),
                FormulaSource::Region(place, term) => prefix.regions.entry(place).or_default().push(term),
                FormulaSource::Guard(_) => {}
            }
        }
        let Some([farkas, weakest]) =
            craig::interpolants(self.abstraction, &prefix, &mut self.record.feasible, self.budget)?
        else {
            return Ok(());
        };
        if self.mode == InterpolantMode::ToTheLetter {
            return self.put_into_region(farkas, weakest);
        }
        if self.is_excluded()? {
            return Ok(());
        }
        for Interpolants { last, earlier } in [farkas, weakest] {
            let chain = formulas.texts(self.abstraction, path, &kept);
            if self.make(last, earlier, chain)? {
                return Ok(());
            }
        }
        self.record.unexcluded += 1;
        Ok(())
    }

    /// Learns the predicates; whether they exclude the branch.
    fn make(&mut self, last: Vec<TermId>, earlier: Vec<TermId>, chain: Vec<String>) -> Result<bool, StopReason> {
        let mut predicates = Vec::new();
        for term in last {
            if learn(self.abstraction, term, self.budget)? {
                predicates.push(term);
            }
        }
        let mut is_new = !predicates.is_empty();
        for term in earlier {
            is_new |= learn(self.abstraction, term, self.budget)?;
        }
        if !is_new {
            return Ok(false);
        }
        self.record.made.push(ConditionalInterpolant { state: self.state, branch: self.branch, predicates, chain });
        self.is_excluded()
    }

    /// Lines 11 to 19 of Algorithm 1 as they stand.
    fn put_into_region(&mut self, farkas: Interpolants, weakest: Interpolants) -> Result<(), StopReason> {
        let predicates = if farkas.last.is_empty() { weakest.last } else { farkas.last };
        for &term in &predicates {
            learn(self.abstraction, term, self.budget)?;
        }
        let further: Vec<u32> = predicates.iter().filter_map(|&term| self.abstraction.index(term)).collect();
        let (state, branch) = (self.state, self.branch);
        self.tree.confine(self.abstraction, state, &further, self.budget)?;
        self.record.made.push(ConditionalInterpolant { state, branch, predicates, chain: Vec::new() });
        Ok(())
    }
}

/// Where a formula of ω comes from: a step of the prefix, or a state by its place in it.
#[derive(Clone, Copy, Debug)]
enum FormulaSource {
    Initial(VariableId),
    Guard(usize),
    Assigned(usize, VariableId),
    Region(usize, TermId),
}

/// The formula chain ω of Definition 6.
struct PathFormulas {
    /// Those before the test, and where each comes from.
    prefix: Vec<SimpleFormula>,
    sources: Vec<FormulaSource>,
    test: SimpleFormula,
}

fn path_formulas(
    abstraction: &mut PredicateAbstraction<'_>,
    path: &AbstractPath,
    atomic: &mut FxHashMap<Held, AtomicFormulas>,
) -> PathFormulas {
    let mut prefix: Vec<(FormulaSource, SimpleFormula)> = Vec::new();
    let mut versions: FxHashMap<VariableId, u32> = FxHashMap::default();
    let mut named: FxHashSet<VariableId> = FxHashSet::default();
    let last = path.edges.len() - 1;
    let mut test = SimpleFormula::assumption(Variables::new());
    for (step, &id) in path.edges.iter().enumerate() {
        let region = &path.held[step];
        let known = match atomic.get(region) {
            Some(known) => known.clone(),
            None => {
                let found = atomic_formulas(abstraction, region);
                atomic.insert(region.clone(), found.clone());
                found
            }
        };
        for &(term, variable) in known.iter() {
            let version = versions.get(&variable).copied().unwrap_or(0);
            let formula = SimpleFormula::atomic(SsaVariable { variable, version });
            prefix.push((FormulaSource::Region(step, term), formula));
        }
        let edge = abstraction.machine.edge(id).clone();
        let tested = abstraction.oracle.variables(&abstraction.machine.vocabulary, edge.guard);
        named.extend(tested.iter());
        let assumption = SimpleFormula::assumption(in_versions(abstraction, &tested, &versions));
        if step == last {
            test = assumption;
            break;
        }
        if is_conditional(abstraction, id) {
            prefix.push((FormulaSource::Guard(step), assumption));
        }
        let before = versions.clone();
        for &(variable, value) in edge.assignments.iter() {
            let version = versions.entry(variable).or_default();
            *version += 1;
            let target = SsaVariable { variable, version: *version };
            let reads = abstraction.oracle.variables(&abstraction.machine.vocabulary, value);
            // What is chosen, or read from an array, has the formula true.
            if reads.iter().all(|&one| abstraction.machine.vocabulary.meaning(one).is_state()) {
                named.extend(reads.iter());
                let formula = SimpleFormula::assignment(target, in_versions(abstraction, &reads, &before));
                prefix.push((FormulaSource::Assigned(step, variable), formula));
            }
        }
    }
    // The declarations of globals come first.
    let mut named: Vec<VariableId> = named.into_iter().collect();
    named.sort_unstable();
    named.retain(|&variable| abstraction.machine.vocabulary.initial(variable).is_some());
    let initial = named.into_iter().map(|variable| {
        let formula = SimpleFormula::assignment(SsaVariable { variable, version: 0 }, Variables::new());
        (FormulaSource::Initial(variable), formula)
    });
    let (sources, prefix) = initial.chain(prefix).unzip();
    PathFormulas { prefix, sources, test }
}

/// What is not a part of the state is in a version that nothing assigns.
fn in_versions(
    abstraction: &PredicateAbstraction<'_>,
    variables: &[VariableId],
    versions: &FxHashMap<VariableId, u32>,
) -> Variables {
    let version = |&variable: &VariableId| {
        let is_state = abstraction.machine.vocabulary.meaning(variable).is_state();
        let version = if is_state { versions.get(&variable).copied().unwrap_or(0) } else { u32::MAX };
        SsaVariable { variable, version }
    };
    variables.iter().map(version).collect()
}

/// What a region says of single variables, together for each.
fn atomic_formulas(abstraction: &mut PredicateAbstraction<'_>, region: &[u32]) -> AtomicFormulas {
    let mut found: Vec<(TermId, VariableId)> = Vec::new();
    for &index in region {
        let predicate = &abstraction.predicates[index as usize];
        let (term, &[variable]) = (predicate.term, &*predicate.variables) else { continue };
        if !abstraction.machine.vocabulary.meaning(variable).is_state() {
            continue;
        }
        match found.iter_mut().find(|(_, other)| *other == variable) {
            Some((known, _)) => *known = abstraction.machine.vocabulary.terms.and(*known, term),
            None => found.push((term, variable)),
        }
    }
    found.into()
}

impl PathFormulas {
    /// The formulas of the whole path and the test, without those of regions.
    fn length(&self) -> usize {
        let is_region = |source: &FormulaSource| matches!(source, FormulaSource::Region(..));
        self.sources.iter().filter(|source| !is_region(source)).count() + 1
    }

    /// The chain in static single assignment, for people.
    fn texts(&self, abstraction: &mut PredicateAbstraction<'_>, path: &AbstractPath, kept: &[usize]) -> Vec<String> {
        let versions = versions(abstraction, path);
        let mut texts = Vec::new();
        for &index in kept {
            texts.push(match self.sources[index] {
                FormulaSource::Initial(variable) => {
                    let name = abstraction.machine.vocabulary.name(variable);
                    let value = abstraction.machine.vocabulary.initial(variable);
                    let value = value.map(|value| crate::text::term(&abstraction.machine.vocabulary, value));
                    format!("{name}0 = {}", value.unwrap_or_default())
                }
                FormulaSource::Assigned(step, variable) => {
                    let edge = abstraction.machine.edge(path.edges[step]).clone();
                    let value = edge.assignments.iter().find(|(target, _)| *target == variable);
                    let name = abstraction.machine.vocabulary.name(variable);
                    let version = versions[step].get(&variable).copied().unwrap_or(0) + 1;
                    let value = value.map(|&(_, value)| text_in(abstraction, &versions[step], value));
                    format!("{name}{version} = {}", value.unwrap_or_default())
                }
                FormulaSource::Region(step, term) => text_in(abstraction, &versions[step], term),
                FormulaSource::Guard(step) => {
                    let guard = abstraction.machine.edge(path.edges[step]).guard;
                    text_in(abstraction, &versions[step], guard)
                }
            });
        }
        let last = path.edges.len() - 1;
        let guard = abstraction.machine.edge(path.edges[last]).guard;
        texts.push(text_in(abstraction, &versions[last], guard));
        texts
    }
}

/// How often each variable is assigned before each step.
fn versions(abstraction: &PredicateAbstraction<'_>, path: &AbstractPath) -> Vec<FxHashMap<VariableId, u32>> {
    let (mut versions, mut found) = (FxHashMap::<VariableId, u32>::default(), Vec::new());
    for &edge in &path.edges {
        found.push(versions.clone());
        for &(variable, _) in abstraction.machine.edge(edge).assignments.iter() {
            *versions.entry(variable).or_default() += 1;
        }
    }
    found
}

/// A term in static single assignment, for people.
fn text_in(abstraction: &mut PredicateAbstraction<'_>, versions: &FxHashMap<VariableId, u32>, term: TermId) -> String {
    let variables = abstraction.oracle.variables(&abstraction.machine.vocabulary, term);
    let vocabulary = &mut abstraction.machine.vocabulary;
    let mut names = Substitution::default();
    for &variable in variables.iter() {
        if vocabulary.meaning(variable).is_state() {
            let version = versions.get(&variable).copied().unwrap_or(0);
            names.values.insert(variable, vocabulary.instance_of(version, variable));
        }
    }
    let term = substitute(vocabulary, term, &names);
    crate::text::term(vocabulary, term)
}
