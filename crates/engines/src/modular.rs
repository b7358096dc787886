//! Proofs without bounds from a thread-modular unfolding, which covers every execution and more, so that if it has no
//! violation, the program has none. It says nothing otherwise.

use base::statistics::stage;
use base::{Budget, Statistics, StopReason};
use program::{Property, PropertySet, VerdictArgument};
use solve::SolveResult;
use unfold::{Stopped, UnfoldOptions};

use crate::engine::{Engine, Job, NullObserver, Run};
use crate::houdini;
use crate::prover::OneAttempt;
use crate::query::{NoOrder, Query};

pub struct Modular;

impl Engine for Modular {
    fn name(&self) -> &'static str {
        "modular"
    }

    fn summary(&self) -> &'static str {
        "thread-modular verification: unbounded proofs only"
    }

    fn argument(&self) -> VerdictArgument {
        VerdictArgument::ThreadModularProof
    }

    /// The properties that one thread violates at one place, whatever the order of events.
    fn properties(&self) -> PropertySet {
        PropertySet::of(&[
            Property::Assert,
            Property::UnreachCall,
            Property::ValidDeref,
            Property::ValidFree,
            Property::NoOverflow,
            Property::NoDivByZero,
            Property::NoBadShift,
            Property::LockMisuse,
        ])
    }

    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a> {
        OneAttempt::new(move |open, budget, statistics| prove(&job, open, budget, statistics))
    }
}

/// An attempt with relations between moments ends after so much work: there are many candidates, and those that help are found early.
const WORK_WITH_RELATIONS: u64 = 400_000;

fn prove(
    job: &Job<'_>,
    open: PropertySet,
    budget: &Budget,
    statistics: &mut Statistics,
) -> Result<Vec<Property>, StopReason> {
    let mut proved = attempt(job, open, UnfoldOptions::modular(open), budget, statistics)?;
    let mut rest = open;
    proved.iter().for_each(|&property| rest.remove(property));
    if !rest.is_empty() {
        let part = budget.with_work(WORK_WITH_RELATIONS);
        match attempt(job, rest, UnfoldOptions::relating_moments(rest), &part, statistics) {
            Ok(more) => proved.extend(more),
            // What is proved already is worth more than another attempt.
            Err(_) if !proved.is_empty() => {}
            // It would not come further another time, unless all has ended.
            Err(_) => budget.check()?,
        }
    }
    Ok(proved)
}

fn attempt(
    job: &Job<'_>,
    open: PropertySet,
    options: UnfoldOptions,
    budget: &Budget,
    statistics: &mut Statistics,
) -> Result<Vec<Property>, StopReason> {
    let unfolded =
        statistics.timed(stage::UNFOLDING, || unfold::unfold(job.program(), &job.visibility(), &options, budget));
    let graph = unfolded.map_err(|Stopped(reason)| reason)?;
    statistics.count("modular proofs tried", 1);
    let (mut query, goals) = Query::about_properties(graph, open, NoOrder, &NullObserver, budget);
    let invariants = houdini::invariants(&mut query, budget);
    statistics.count("invariants", invariants.len() as u64);
    let (mut proved, mut stopped) = (Vec::new(), None);
    for goal in goals {
        let assumptions: Vec<_> = [goal.lit].into_iter().chain(invariants.iter().copied()).collect();
        match query.ask(&assumptions, budget) {
            SolveResult::Unsatisfiable => proved.push(goal.property),
            SolveResult::Satisfiable => {}
            SolveResult::Interrupted(reason) => {
                stopped = Some(reason);
                break;
            }
        }
    }
    statistics.merge(&query.statistics());
    match stopped {
        // What is proved already is worth more than another attempt.
        Some(reason) if proved.is_empty() => Err(reason),
        _ => Ok(proved),
    }
}
