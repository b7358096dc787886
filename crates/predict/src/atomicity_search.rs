//! Decides which candidates for atomicity violations can happen: first in slices of the event graph, which are small and
//! refute most of what cannot, then the rest in the whole graph. Candidates are decided in groups, which jobs share among
//! them; every group has solvers of its own.

use std::collections::{BTreeMap, BTreeSet};

use base::{Budget, Statistics};
use engines::EngineBug;
use events::{CellId, EventGraph};
use program::{Property, PropertySet};

use crate::atomicity::{Candidate, add_goals};
use crate::cone::{ReadValues, is_proper, slice};
use crate::jobs::{in_parallel, part};
use crate::ordering::Ordering;
use crate::prediction::PredictOptions;
use crate::search::{PredictionGoal, Search, SearchResult, demand_completion, unfold_trace};
use crate::trace_program::TraceProgram;

/// Candidates that one solver is asked about. They are many and alike: more of them than of other goals.
const GROUP: usize = 32;

/// What the jobs have in common.
#[derive(Clone, Copy)]
pub struct AtomicitySearch<'a> {
    pub trace: &'a TraceProgram,
    pub options: &'a PredictOptions,
    pub budget: &'a Budget,
    pub candidates: &'a [Candidate],
    pub ordering: Ordering,
}

type Decided = Result<(Vec<SearchResult>, Statistics), EngineBug>;

impl AtomicitySearch<'_> {
    /// One answer for each candidate, in their order.
    pub fn decide_all(&self, graph: &EventGraph) -> Decided {
        let prepare = || unfold_trace(self.trace, PropertySet::EMPTY, true, self.budget).ok();
        let members = |number| &self.candidates[part(number, GROUP, self.candidates.len())];
        let decide = |graph: &EventGraph, number| self.decide(graph.clone(), members(number));
        let parts = self.candidates.len().div_ceil(GROUP);
        let (mut answers, mut statistics) = (Vec::new(), Statistics::new());
        for group in in_parallel(self.options.jobs, parts, graph, prepare, decide)? {
            let (more, counts) = group?;
            answers.extend(more);
            statistics.merge(&counts);
        }
        Ok((answers, statistics))
    }

    fn decide(&self, mut graph: EventGraph, part: &[Candidate]) -> Decided {
        let mut statistics = Statistics::new();
        let mut answers = self.refute_in_slices(&graph, part, &mut statistics);
        let open: Vec<usize> = (0..part.len()).filter(|&index| answers[index].is_none()).collect();
        statistics.count("candidate atomicity violations refuted in slices", (part.len() - open.len()) as u64);
        let rest: Vec<Candidate> = open.iter().map(|&index| part[index]).collect();
        let goals = self.goals(&mut graph, &rest);
        let mut search = self.search(&graph, &goals);
        for (index, &place) in open.iter().enumerate() {
            answers[place] = Some(search.ask(index, &[], &goals[index].points)?);
        }
        statistics.merge(&search.finish());
        Ok((answers.into_iter().flatten().collect(), statistics))
    }

    /// Candidates whose guards read the same cells share a slice. What is not refuted there stays open.
    fn refute_in_slices(
        &self,
        graph: &EventGraph,
        part: &[Candidate],
        statistics: &mut Statistics,
    ) -> Vec<Option<SearchResult>> {
        let values = ReadValues::new(graph);
        let mut groups: BTreeMap<BTreeSet<CellId>, Vec<usize>> = BTreeMap::new();
        for (index, candidate) in part.iter().enumerate() {
            let accesses = [candidate.first, candidate.remote, candidate.last];
            let guards = accesses.map(|access| graph.guards.term(graph.accesses[access].guard));
            groups.entry(values.cone(graph, &guards)).or_default().push(index);
        }
        let mut answers: Vec<Option<SearchResult>> = part.iter().map(|_| None).collect();
        for (cells, group) in groups.iter().filter(|(cells, _)| is_proper(graph, cells)) {
            let mut sliced = slice(graph, cells);
            let members: Vec<Candidate> = group.iter().map(|&index| part[index]).collect();
            let goals = self.goals(&mut sliced, &members);
            let mut search = self.search(&sliced, &goals);
            for (index, &place) in group.iter().enumerate() {
                if search.refutes(index) {
                    answers[place] = Some(SearchResult::No { bounded: false });
                }
            }
            statistics.merge(&search.finish());
        }
        answers
    }

    fn goals(&self, graph: &mut EventGraph, candidates: &[Candidate]) -> Vec<PredictionGoal> {
        let mut goals = add_goals(self.trace, graph, candidates);
        if self.options.complete_only {
            demand_completion(graph, &mut goals);
        }
        goals
    }

    fn search<'s>(&'s self, graph: &'s EventGraph, goals: &[PredictionGoal]) -> Search<'s> {
        let conditions = goals.iter().map(|goal| goal.condition);
        Search::new(graph, Property::Atomicity, conditions, self.ordering, self.budget)
    }
}
