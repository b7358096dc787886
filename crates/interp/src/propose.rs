//! What a program suggests: orders, that is, which threads do together what others do alone, and who does several iterations while
//! another one does a single one; and predicates that loops often keep.

use std::collections::{BTreeMap, BTreeSet};

use terms::{Relation, TermId, VariableId};

use crate::edge::{EdgeEnd, ThreadEdge};
use crate::linear::{self, Comparison};
use crate::machine::ProductMachine;
use crate::order::PreferenceOrder;
use crate::vocabulary::Meaning;

/// Up to so many threads all divisions into two groups are tried.
const MAX_DIVIDED: usize = 4;
/// Predicates that are suggested.
const MAX_SUGGESTED: usize = 24;
/// The largest distance between a counter in one iteration and the next that matters.
const MAX_STRIDE: u64 = 8;

/// What the loops of one thread do.
#[derive(Default)]
struct ThreadLoops {
    writes: BTreeSet<VariableId>,
    stride: Option<u64>,
}

/// Orders beside those that every program can have, the most promising first.
pub fn orders(machine: &ProductMachine<'_>) -> Vec<PreferenceOrder> {
    let mut threads: BTreeMap<u32, ThreadLoops> = BTreeMap::new();
    for edge in machine.edges().filter(|edge| edge.thread > 0 && edge.loop_entry.again) {
        let facts = threads.entry(edge.thread).or_default();
        let cells = edge.assignments.iter().map(|&(variable, _)| variable);
        facts.writes.extend(cells.filter(|&one| matches!(machine.vocabulary.meaning(one), Meaning::Cell { .. })));
        let strides = strides(machine, edge);
        facts.stride = facts.stride.into_iter().chain(strides.into_iter().map(|(_, stride)| stride)).min();
    }
    let mut found: Vec<PreferenceOrder> = weights(&threads).map(PreferenceOrder::of_weights).into_iter().collect();
    let mut groups = vec![writers(&threads)];
    if (3..=MAX_DIVIDED).contains(&threads.len()) {
        // Who is alone on one side does what the others share.
        let count = threads.len();
        let mut divisions: Vec<u32> = (1..(1u32 << (count - 1))).collect();
        divisions.sort_by_key(|division| division.count_ones().min(count as u32 - division.count_ones()));
        for division in divisions {
            groups.push(threads.keys().enumerate().map(|(index, &thread)| (thread, division >> index & 1)).collect());
        }
    }
    let mut seen = BTreeSet::new();
    for group in groups {
        let numbers = numbered(&group);
        let count: BTreeSet<u32> = group.values().copied().collect();
        let is_division = count.len() > 1 && count.len() < threads.len();
        if is_division && seen.insert(numbers.clone()) {
            found.push(PreferenceOrder::of_groups(numbers));
        }
    }
    found
}

/// The variables that an iteration of a loop changes by a constant and tests, with the distance.
pub fn strides(machine: &ProductMachine<'_>, edge: &ThreadEdge) -> Vec<(VariableId, u64)> {
    let terms = &machine.vocabulary.terms;
    let mut found = Vec::new();
    for &(variable, term) in edge.assignments.iter() {
        let own = terms.variable_term(variable);
        if terms.sort(own) == terms::Sort::Bool {
            continue;
        }
        let sum = linear::linear(terms, term, false);
        let is_step = sum.terms.len() == 1 && sum.terms.get(&own) == Some(&1);
        let distance = sum.constant.unsigned_abs();
        if is_step && (1..=u128::from(MAX_STRIDE)).contains(&distance) {
            found.push((variable, distance as u64));
        }
    }
    found
}

/// Predicates that loops often keep: what a counter has not reached it does not overstep, what an error wants does not hold, and
/// counters of two threads that advance alike are equal. They are only tried, like all others.
pub fn predicates(machine: &mut ProductMachine<'_>) -> Vec<TermId> {
    let edges: Vec<ThreadEdge> = machine.edges().cloned().collect();
    let (mut found, mut counters) = (Vec::new(), BTreeMap::<u64, BTreeMap<u32, VariableId>>::new());
    for edge in &edges {
        let guard = linear::conjuncts(&machine.vocabulary.terms, edge.guard);
        if matches!(edge.end, EdgeEnd::Error(_)) {
            found.extend(guard.iter().map(|&literal| machine.vocabulary.terms.not(literal)));
            continue;
        }
        if edge.loop_entry.again {
            for (variable, distance) in strides(machine, edge) {
                // Else a sum with it may wrap around.
                let terms = &mut machine.vocabulary.terms;
                let counter = terms.variable_term(variable);
                let zero = terms.constant(terms.width(counter), 0);
                found.push(terms.sle(zero, counter));
                counters.entry(distance).or_default().entry(edge.thread).or_insert(variable);
            }
        }
        if machine.code.is_loop_head(edge.from) {
            let terms = &mut machine.vocabulary.terms;
            for literal in guard {
                let Some(Comparison { relation, left, right, negated: false }) = linear::comparison(terms, literal)
                else {
                    continue;
                };
                match relation {
                    Relation::Slt => found.push(terms.sle(left, right)),
                    Relation::Ult => found.push(terms.ule(left, right)),
                    _ => {}
                }
            }
        }
    }
    for threads in counters.values() {
        let all: Vec<VariableId> = threads.values().copied().collect();
        for pair in all.windows(2) {
            let terms = &mut machine.vocabulary.terms;
            let (one, other) = (terms.variable_term(pair[0]), terms.variable_term(pair[1]));
            if terms.sort(one) == terms.sort(other) {
                found.push(terms.eq(one, other));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(MAX_SUGGESTED);
    found
}

/// Threads that write a common variable are one group.
fn writers(threads: &BTreeMap<u32, ThreadLoops>) -> BTreeMap<u32, u32> {
    let mut groups: BTreeMap<u32, u32> = threads.keys().map(|&thread| (thread, thread)).collect();
    for (&one, facts) in threads {
        for (&other, others) in threads.range(one + 1..) {
            if !facts.writes.is_disjoint(&others.writes) {
                let (from, to) = (groups[&other], groups[&one]);
                for group in groups.values_mut().filter(|group| **group == from) {
                    *group = to;
                }
            }
        }
    }
    groups
}

/// Groups by the index of the thread. The largest comes first: when the others have their turn, it is known which of its members
/// goes on.
fn numbered(groups: &BTreeMap<u32, u32>) -> Vec<u32> {
    let size = |group: u32| groups.values().filter(|own| **own == group).count();
    let mut order: Vec<u32> = groups.values().copied().collect::<BTreeSet<u32>>().into_iter().collect();
    order.sort_by_key(|&group| std::cmp::Reverse(size(group)));
    let number = |group: u32| order.iter().position(|&own| own == group).map_or(0, |position| position as u32 + 1);
    let last = groups.keys().next_back().map_or(0, |&last| last + 1);
    (0..last).map(|thread| groups.get(&thread).map_or(0, |&group| number(group))).collect()
}

/// Iterations in one turn, so that all counters advance alike.
fn weights(threads: &BTreeMap<u32, ThreadLoops>) -> Option<Vec<u32>> {
    let strides: BTreeMap<u32, u64> =
        threads.iter().map(|(&thread, facts)| (thread, facts.stride.unwrap_or(1))).collect();
    let greatest = strides.values().fold(1, |multiple, &stride| linear::least_common_multiple(multiple, stride));
    if strides.values().all(|stride| Some(stride) == strides.values().next()) || greatest > MAX_STRIDE * MAX_STRIDE / 2
    {
        return None;
    }
    let last = threads.keys().next_back().map_or(0, |&last| last + 1);
    Some((0..last).map(|thread| strides.get(&thread).map_or(1, |stride| (greatest / stride) as u32)).collect())
}
