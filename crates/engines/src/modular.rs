//! Proofs without bounds: from a thread-modular unfolding, which covers every execution and more, so that if it has no
//! violation, the program has none; and of deadlock freedom from an order of the locks. It says nothing otherwise.

use std::time::{Duration, Instant};

use base::statistics::stage;
use base::{Budget, Statistics};
use program::{Argument, Property, PropertySet, Provenance};
use solve::{CadicalSolver, SolveResult, Solver};
use unfold::UnfoldOptions;

use crate::engine::{Engine, EngineBug, Job, Report};
use crate::houdini;
use crate::prover;
use crate::sites::{ViolationSites, in_question};
use crate::static_deadlocks::{self, LockOrder};
use crate::static_races::PART_OF_BUDGET;

/// An attempt takes at most so large a part of the time that is left.
const PART: u32 = 4;

/// Proofs that are tried beside something else: an attempt that was not long enough is repeated, twice as long, when the
/// rest has taken as much time. Most proofs take less than a second or are never found, so that the first one is short.
pub struct Attempts {
    started: Instant,
    /// By all attempts.
    spent: Duration,
    /// What the next one may take; none where the last one came to its end.
    next: Option<Duration>,
}

impl Attempts {
    const FIRST: Duration = Duration::from_secs(2);

    /// With no attempt at all unless `wanted`.
    pub fn new(wanted: bool) -> Self {
        Self { started: Instant::now(), spent: Duration::ZERO, next: wanted.then_some(Self::FIRST) }
    }

    /// Those of the `open` properties that certainly hold.
    pub fn prove(&mut self, job: &Job<'_>, open: PropertySet, statistics: &mut Statistics) -> Vec<Property> {
        let begin = Instant::now();
        let by_others = begin.duration_since(self.started).saturating_sub(self.spent);
        let is_due = |most: &Duration| self.spent.is_zero() || *most <= by_others;
        let Some(most) = self.next.filter(is_due) else { return Vec::new() };
        let most = job.budget.remaining_time().map_or(most, |left| most.min(left / PART));
        let budget = Budget { deadline: begin.checked_add(most), ..job.budget.clone() };
        let proved = prove(job, open, &budget, statistics);
        self.spent += begin.elapsed();
        self.next = budget.check().is_err().then_some(most * 2);
        proved
    }
}

pub struct Modular;

impl Engine for Modular {
    fn name(&self) -> &'static str {
        "modular"
    }

    fn summary(&self) -> &'static str {
        "proves without bounds, each thread for itself, or says nothing"
    }

    fn argument(&self) -> Argument {
        Argument::ThreadModularProof
    }

    fn check(&self, job: &Job<'_>) -> Result<Report, EngineBug> {
        let mut statistics = Statistics::new();
        let open = in_question(job, job.properties);
        let known = if job.options.only { LOCAL.into_iter().collect() } else { job.properties };
        let proved = prove(job, open, job.budget, &mut statistics);
        let proof = |property| match open.contains(property) {
            false => Some(ViolationSites.provenance()),
            true => proved.contains(&property).then(|| provenance(property)),
        };
        Ok(prover::report(self, job, known, proof, statistics))
    }
}

/// Of what [`Attempts::prove`] returns.
pub fn provenance(property: Property) -> Provenance {
    match property {
        Property::NoDeadlock => LockOrder.provenance(),
        _ => Modular.provenance(),
    }
}

/// The properties that one thread violates at one place, whatever the order of events: others are not looked for.
const LOCAL: [Property; 8] = [
    Property::Assert,
    Property::UnreachCall,
    Property::ValidDeref,
    Property::ValidFree,
    Property::NoOverflow,
    Property::NoDivByZero,
    Property::NoBadShift,
    Property::LockMisuse,
];

fn prove(job: &Job<'_>, open: PropertySet, budget: &Budget, statistics: &mut Statistics) -> Vec<Property> {
    let asked = open.contains(Property::NoDeadlock) && !job.options.only;
    let limits = job.budget.part(PART_OF_BUDGET);
    // First what is cheap: a long local proof would leave no time for it.
    let excluded = asked && static_deadlocks::are_excluded(job.analyses, &limits, statistics);
    let mut proved = prove_local(job, open, budget, statistics);
    proved.extend(excluded.then_some(Property::NoDeadlock));
    proved
}

fn prove_local(job: &Job<'_>, open: PropertySet, budget: &Budget, statistics: &mut Statistics) -> Vec<Property> {
    let open: PropertySet = open.iter().filter(|property| LOCAL.contains(property)).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let options = UnfoldOptions::modular(open);
    let unfolded =
        statistics.timed(stage::UNFOLDING, || unfold::unfold(job.program(), &job.visibility(), &options, budget));
    let Ok(mut graph) = unfolded else { return Vec::new() };
    let mut solver = CadicalSolver::new();
    let mut encoding = statistics.timed(stage::ENCODING, || events::encode_without_order(&graph, &mut solver));
    statistics.count("modular proofs tried", 1);
    let goals: Vec<_> = statistics.timed(stage::ENCODING, || {
        open.iter().map(|property| encoding.goal(&mut graph, property, &mut solver)).collect()
    });
    let invariants =
        statistics.timed(stage::SOLVING, || houdini::invariants(&mut graph, &mut encoding, &mut solver, budget));
    statistics.count("invariants", invariants.len() as u64);
    let mut proved = Vec::new();
    for goal in goals {
        let assumptions: Vec<_> = [goal.lit].into_iter().chain(invariants.iter().copied()).collect();
        if statistics.timed(stage::SOLVING, || solver.solve(&assumptions, budget)) == SolveResult::Unsatisfiable {
            proved.push(goal.property);
        }
    }
    proved
}
