//! How many pairs of places may race, and how many of them are left after each step of pruning: for the reader. The search
//! decides about races from a graph of its own, in which what cannot race has no nodes at all.

use base::Budget;
use events::{AccessPoint, EventGraph, Precedence};
use program::effects::effects;
use program::{At, Location, Property, PropertySet};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::ObjectId;

use crate::candidate_counts::CandidateCounts;
use crate::search::unfold_trace;
use crate::trace_program::TraceProgram;

/// More candidate race pairs than this are not looked at.
const MAX_PAIRS: usize = 50_000_000;

/// Counts unordered pairs of places in the program. `None` if there is too much to look at.
pub fn race_counts(trace: &TraceProgram, budget: &Budget) -> Option<CandidateCounts> {
    let graph = unfold_trace(trace, PropertySet::EMPTY, true, budget).ok()?;
    let mut by_object: FxHashMap<ObjectId, Vec<&AccessPoint>> = FxHashMap::default();
    for access in &graph.accesses {
        by_object.entry(access.object).or_default().push(access);
    }
    if by_object.values().map(|accesses| accesses.len().pow(2)).sum::<usize>() > MAX_PAIRS {
        return None;
    }
    let mut pairs = Pairs { trace, graph: &graph, precedence: Precedence::new(&graph), steps: Default::default() };
    for accesses in by_object.values() {
        for (index, a) in accesses.iter().enumerate() {
            accesses[index + 1..].iter().for_each(|b| pairs.note(a, b));
        }
    }
    let [all, without_locks, unordered] = pairs.steps.map(|step| step.len());
    let mut counts = CandidateCounts::new(Property::NoDataRace, all);
    (counts.after_locksets, counts.after_must_happen_before) = (Some(without_locks), Some(unordered));
    Some(counts)
}

type PlacePairs = FxHashSet<(Location, Location)>;

struct Pairs<'a> {
    trace: &'a TraceProgram,
    graph: &'a EventGraph,
    precedence: Precedence<'a>,
    /// All that are in conflict, those of them without a common lock, those of them that nothing orders.
    steps: [PlacePairs; 3],
}

impl Pairs<'_> {
    fn note(&mut self, a: &AccessPoint, b: &AccessPoint) {
        let instance = |access: &AccessPoint| self.graph.nodes[access.node].instance;
        let (first, second) = (instance(a), instance(b));
        let conflict = first != second && (a.writes || b.writes) && a.overlaps(b);
        if !conflict || (self.is_atomic(a) && self.is_atomic(b)) {
            return;
        }
        let (a_place, b_place) = (self.trace.place(a.location), self.trace.place(b.location));
        let pair = (a_place.min(b_place), a_place.max(b_place));
        if self.steps[2].contains(&pair) {
            return;
        }
        self.steps[0].insert(pair);
        if a.locks.iter().any(|lock| b.locks.contains(lock)) {
            return;
        }
        self.steps[1].insert(pair);
        let is_ordered = a.joined.contains(&second)
            || b.joined.contains(&first)
            || self.precedence.node_precedes(a.node, b.node)
            || self.precedence.node_precedes(b.node, a.node);
        if !is_ordered {
            self.steps[2].insert(pair);
        }
    }

    fn is_atomic(&self, access: &AccessPoint) -> bool {
        let At::Instruction(instruction) = self.trace.program.at(access.location) else { return false };
        effects(&self.trace.program, &instruction.kind).atomic_access().is_some()
    }
}
