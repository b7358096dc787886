//! Verification with conditional interpolation: Figure 4 of the paper. The tree is explored depth first with one global set of
//! predicates; a spurious path to an error gives reachability interpolants (R-Intp, Definition 2), and the exploration begins
//! again at s_0.

use std::time::Instant;

use base::{Budget, Statistics, StopReason};
use program::{Analyses, PropertySet};
use terms::TermId;

use crate::abstraction::PredicateAbstraction;
use crate::art::{AbstractReachabilityTree, StateStatus, is_possible, region_after};
use crate::attempt::{AttemptLimits, Conclusion};
use crate::conditional::{ConditionalRecord, InterpolantMode, conditional_interpolants, learn};
use crate::edge::EdgeEnd;
use crate::encoding::BlockEncoding;
use crate::farkas;
use crate::interpolate;
use crate::machine::ProductMachine;
use crate::path::{self, PathFeasibility};
use crate::search::AbstractPath;

/// How the paper's exploration ended.
enum ArtEnd {
    Safe,
    /// At this state, which is an error location.
    Error(u32),
    /// More cells are known than in the beginning.
    Outdated,
    TooManyStates,
}

pub struct Verification<'p> {
    pub(crate) abstraction: PredicateAbstraction<'p>,
    pub(crate) tree: AbstractReachabilityTree,
    mode: InterpolantMode,
    pub statistics: Statistics,
    /// The interpolants that were found, for people: each R-Intp, and each C-Intp with its chain.
    pub reachability: Vec<String>,
    pub conditional: Vec<MadeInterpolant>,
    /// The first path to an error, as the places of its edges.
    pub first_error_path: Vec<String>,
    /// How many states each exploration had.
    pub explorations: Vec<usize>,
}

/// A C-Intp for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MadeInterpolant {
    /// The number of the state in its tree.
    pub state: u32,
    /// The conditional transition that it excludes.
    pub branch: String,
    pub predicates: Vec<String>,
    pub chain: Vec<String>,
}

impl<'p> Verification<'p> {
    pub fn new(
        analyses: &Analyses<'p>,
        properties: PropertySet,
        mode: InterpolantMode,
        encoding: BlockEncoding,
    ) -> Self {
        let mut machine = ProductMachine::new(analyses, properties);
        machine.encoding = encoding;
        Self {
            abstraction: PredicateAbstraction::new(machine),
            tree: AbstractReachabilityTree::default(),
            mode,
            statistics: Statistics::new(),
            reachability: Vec::new(),
            conditional: Vec::new(),
            first_error_path: Vec::new(),
            explorations: Vec::new(),
        }
    }

    pub fn limits() -> AttemptLimits {
        AttemptLimits { rounds: 1000, nodes: 200_000, predicates: 600, path: 2000 }
    }

    pub fn run(&mut self, limits: AttemptLimits, budget: &Budget) -> Result<Conclusion, StopReason> {
        let result = self.explorations(limits, budget);
        self.statistics.count("interp: questions", self.abstraction.oracle.questions);
        // Each is known with its negation.
        self.statistics.count("interp: #Pred", self.abstraction.predicates.len() as u64 / 2);
        result
    }

    fn explorations(&mut self, limits: AttemptLimits, budget: &Budget) -> Result<Conclusion, StopReason> {
        let mut refinements = 0;
        loop {
            let initial = self.abstraction.machine.initial();
            self.tree = AbstractReachabilityTree::new(initial);
            let mut record = ConditionalRecord::default();
            let explored = self.explore(&mut record, limits, budget);
            self.take_note(&record);
            match explored? {
                ArtEnd::Safe if self.mode == InterpolantMode::ToTheLetter => {
                    self.statistics.count("interp: safe to the letter", 1);
                    return Ok(Conclusion::Unknown("safe to the letter of Algorithm 1, which is no proof".to_owned()));
                }
                ArtEnd::Safe => {
                    self.statistics.count("interp: states of the proof", self.tree.remaining() as u64);
                    return Ok(Conclusion::Proved);
                }
                ArtEnd::TooManyStates => return Ok(Conclusion::Unknown("too many states".to_owned())),
                ArtEnd::Outdated => {
                    self.abstraction.machine.forget_moves();
                    self.abstraction.forget_controls();
                    continue;
                }
                ArtEnd::Error(state) => {
                    let path = self.tree.path_to(state, None);
                    if self.first_error_path.is_empty() {
                        self.first_error_path = self.places(&path);
                    }
                    if let Some(conclusion) = self.refine(&path, limits, budget)? {
                        return Ok(conclusion);
                    }
                }
            }
            refinements += 1;
            self.statistics.count("interp: #Refine", 1);
            if refinements >= limits.rounds {
                return Ok(Conclusion::Unknown("too many refinements".to_owned()));
            }
        }
    }

    fn take_note(&mut self, record: &ConditionalRecord) {
        self.explorations.push(self.tree.states.len());
        self.statistics.count("interp: #State", self.tree.states.len() as u64);
        if self.mode.has_conditional() {
            self.statistics.count("interp: #C-Intp", record.made.len() as u64);
            self.statistics.count("interp: formula chains", record.chains);
            self.statistics.count("interp: #Len, all chains together", record.formulas);
            self.statistics.count("interp: branches that no predicate excludes", record.unexcluded);
        }
        for one in &record.made {
            let text = |&term: &TermId| crate::text::term(&self.abstraction.machine.vocabulary, term);
            let predicates = one.predicates.iter().map(text).collect();
            let branch = crate::drawing::edge_text(&self.abstraction, one.branch);
            self.conditional.push(MadeInterpolant { state: one.state, branch, predicates, chain: one.chain.clone() });
        }
    }

    /// The loop of Figure 4, up to the first error location.
    fn explore(
        &mut self,
        record: &mut ConditionalRecord,
        limits: AttemptLimits,
        budget: &Budget,
    ) -> Result<ArtEnd, StopReason> {
        let (tree, abstraction) = (&mut self.tree, &mut self.abstraction);
        while let Some(state) = tree.next() {
            budget.spend(20)?;
            if tree.state(state).status == StateStatus::Error {
                return Ok(ArtEnd::Error(state));
            }
            if self.mode.has_conditional() {
                if self.mode != InterpolantMode::ToTheLetter {
                    // The state was made before the latest predicates were.
                    tree.strengthen(abstraction, state, budget)?;
                }
                let began = Instant::now();
                let result = conditional_interpolants(tree, abstraction, self.mode, state, record, budget);
                self.statistics.time("interp: C-Intp time", began.elapsed());
                result?;
            }
            let is_open = tree.state(state).status == StateStatus::Open;
            if is_open && !tree.cover(abstraction, state, budget)? {
                tree.expand(abstraction, state, budget)?;
                if self.mode == InterpolantMode::ConditionalFullPath && record.unexcluded == 0 {
                    debug_assert!(conditional_unreachable(tree, abstraction, state, budget)?, "Theorem 1 should hold");
                }
            }
            if abstraction.machine.vocabulary.layout_grew {
                return Ok(ArtEnd::Outdated);
            }
            if tree.states.len() > limits.nodes || abstraction.predicates.len() > limits.predicates {
                return Ok(ArtEnd::TooManyStates);
            }
        }
        Ok(ArtEnd::Safe)
    }

    /// R-Intp: excludes a spurious path, or says why that cannot be done.
    fn refine(
        &mut self,
        path: &AbstractPath,
        limits: AttemptLimits,
        budget: &Budget,
    ) -> Result<Option<Conclusion>, StopReason> {
        if path.edges.len() > limits.path {
            return Ok(Some(Conclusion::Unknown("a long path".to_owned())));
        }
        let abstraction = &mut self.abstraction;
        let unrolled = path::unroll(abstraction, &path.edges);
        let Some(&last) = path.edges.last() else {
            return Ok(Some(Conclusion::Unknown("an error before the first step".to_owned())));
        };
        let end = abstraction.machine.edge(last).end.clone();
        match (path::feasibility(abstraction, &path.edges, &unrolled, budget)?, end) {
            (PathFeasibility::Infeasible, _) => {}
            (_, EdgeEnd::Limit(what)) => return Ok(Some(Conclusion::Unsupported(what.to_string()))),
            (PathFeasibility::Feasible(schedule), EdgeEnd::Error(property)) => {
                return Ok(Some(Conclusion::Violated(property, schedule)));
            }
            (PathFeasibility::Feasible(_) | PathFeasibility::FeasibleSummary, _) => {
                return Ok(Some(Conclusion::Unsupported("an error behind a loop that was summarised".to_owned())));
            }
        }
        let predicates = farkas::interpolants(abstraction, path, &unrolled, false, budget)?;
        if self.learn_and_try(&predicates, path, budget)? {
            return Ok(None);
        }
        let core = interpolate::minimal_core(&mut self.abstraction, &unrolled, budget)?;
        let predicates = interpolate::weakest_preconditions(&mut self.abstraction, &path.edges, &unrolled, &core);
        if self.learn_and_try(&predicates, path, budget)? {
            return Ok(None);
        }
        Ok(Some(Conclusion::Unknown("a path that no predicate excludes".to_owned())))
    }

    /// Whether the path is excluded with these predicates.
    fn learn_and_try(
        &mut self,
        predicates: &[TermId],
        path: &AbstractPath,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        for &term in predicates {
            if learn(&mut self.abstraction, term, budget)? {
                self.reachability.push(crate::text::term(&self.abstraction.machine.vocabulary, term));
            }
        }
        let abstraction = &mut self.abstraction;
        let mut region = path.held[0].clone();
        for (index, &edge) in path.edges.iter().enumerate() {
            if !is_possible(abstraction, index == 0, &region, edge, budget)? {
                return Ok(true);
            }
            if let Some(&target) = path.controls.get(index + 1) {
                region = region_after(abstraction, index == 0, &region, edge, target, budget)?;
            }
        }
        Ok(false)
    }

    /// Where the edges of a path begin, with their lines.
    fn places(&self, path: &AbstractPath) -> Vec<String> {
        path.edges.iter().map(|&edge| crate::drawing::edge_text(&self.abstraction, edge)).collect()
    }
}

/// Theorem 1: conditional transitions lead from a state only where some execution of its path takes them.
fn conditional_unreachable(
    tree: &AbstractReachabilityTree,
    abstraction: &mut PredicateAbstraction<'_>,
    state: u32,
    budget: &Budget,
) -> Result<bool, StopReason> {
    for &child in &tree.state(state).children {
        let path = tree.path_to(child, None);
        let unrolled = path::unroll(abstraction, &path.edges);
        let answer = abstraction.oracle.ask(&mut abstraction.machine.vocabulary, &unrolled.guards, budget)?;
        if matches!(answer, crate::oracle::OracleAnswer::Unsatisfiable) {
            return Ok(false);
        }
    }
    Ok(true)
}
