//! Conditions under which steps commute, as predicates. Where a path takes a step before that of a thread that is preferred, and the two
//! commute in the states that the path comes from, the path is not needed: only the abstraction does not know it yet.

use base::{Budget, StopReason};
use terms::TermId;

use crate::abstraction::PredicateAbstraction;
use crate::edge::{EdgeEnd, EdgeId};
use crate::farkas;
use crate::order::PreferenceOrder;
use crate::path::{UnrolledPath, holds_before};
use crate::search::AbstractPath;

/// Pairs of steps of one path for which conditions are looked for.
const MAX_PAIRS: usize = 24;
/// Pairs whose conditions become predicates.
const MAX_LEARNED: usize = 2;

/// Adds conditions, and why they hold. Whether there are new predicates.
pub fn learn(
    abstraction: &mut PredicateAbstraction<'_>,
    order: &PreferenceOrder,
    path: &AbstractPath,
    unrolled: &UnrolledPath,
    budget: &Budget,
) -> Result<bool, StopReason> {
    let (mut pairs, mut learned) = (0, 0);
    let before = abstraction.followed().len();
    for step in 0..path.edges.len().saturating_sub(1) {
        for other in woken(abstraction, order, path, step) {
            if pairs >= MAX_PAIRS || learned >= MAX_LEARNED {
                return Ok(abstraction.followed().len() > before);
            }
            pairs += 1;
            let Some(conditions) = conditions(abstraction, path, step, other, budget)? else { continue };
            let mut hold = true;
            for &condition in &conditions {
                hold = hold && holds_before(abstraction, unrolled, step, condition, budget)?;
            }
            if !hold {
                continue;
            }
            let known = abstraction.followed().len();
            for condition in conditions {
                abstraction.add(condition);
                let reasons = farkas::reasons(abstraction, path, unrolled, step, condition, budget)?;
                for predicate in reasons.first.into_iter().chain(reasons.second) {
                    abstraction.add(predicate);
                }
            }
            learned += usize::from(abstraction.followed().len() > known);
        }
    }
    Ok(abstraction.followed().len() > before)
}

/// The edges of other threads that go first or sleep before the step, and do not sleep after it.
fn woken(
    abstraction: &mut PredicateAbstraction<'_>,
    order: &PreferenceOrder,
    path: &AbstractPath,
    step: usize,
) -> Vec<EdgeId> {
    let own = abstraction.machine.edge(path.edges[step]).thread;
    let control = path.controls[step];
    let machine = &abstraction.machine;
    let begins = |thread: u32| thread > 0 && machine.control(control).threads[thread as usize].is_at_start();
    let threads = order.preferred(path.turns[step], &machine.threads(control), &begins);
    let mut found: Vec<EdgeId> = path.sleep[step].to_vec();
    for thread in threads.into_iter().take_while(|&thread| thread != own) {
        found.extend(abstraction.machine.moves(control, thread).iter().map(|one| one.edge));
    }
    found.retain(|edge| {
        let is_other = abstraction.machine.edge(*edge).thread != own;
        is_other && abstraction.machine.edge(*edge).end == EdgeEnd::Step && !path.sleep[step + 1].contains(edge)
    });
    found.sort_unstable();
    found.dedup();
    found
}

/// What must hold before the step so that it commutes with the other edge; `None` if no few conditions are known.
fn conditions(
    abstraction: &mut PredicateAbstraction<'_>,
    path: &AbstractPath,
    step: usize,
    other: EdgeId,
    budget: &Budget,
) -> Result<Option<Vec<TermId>>, StopReason> {
    let (control, edge) = (path.controls[step], path.edges[step]);
    let thread = abstraction.machine.edge(edge).thread;
    let Some(own) = abstraction.machine.moves(control, thread).iter().copied().find(|one| one.edge == edge) else {
        return Ok(None);
    };
    abstraction.commutation_conditions(control, own, other, budget)
}
