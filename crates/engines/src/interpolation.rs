//! `interp`: proofs without bounds from an abstract reachability tree of predicates (crate `interp`), one attempt after the other.
//!
//! Why a proof may be believed: the tree covers every execution, up to the order of steps that commute, with every edge a Hoare
//! triple that the solver has decided bit by bit; what is not representable is an error of the tree. What it takes for a
//! violation is replayed here before it is told: the tree knows more executions than the program has.

use std::collections::VecDeque;

use base::{Budget, Statistics, StopReason};
use interp::{Attempt, AttemptLimits, Conclusion, OrderKind, PreferenceOrder, Pursuit};
use program::{Property, PropertySet, UnknownReason, VerdictArgument};

use crate::conditional_interpolation::{self, NO_EXECUTION, PaperOptions, replayed};
use crate::engine::{Advance, Engine, EngineBug, Fact, Job, Run};

/// What the user may choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct InterpOptions {
    /// The only order of threads to try; else one after the other.
    pub order: Option<OrderKind>,
    /// The method of the paper on conditional interpolation instead.
    #[serde(default)]
    pub paper: Option<PaperOptions>,
}

pub struct Interpolation {
    pub options: InterpOptions,
}

impl Interpolation {
    pub const fn new() -> Self {
        Self { options: InterpOptions { order: None, paper: None } }
    }
}

impl Default for Interpolation {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine for Interpolation {
    fn name(&self) -> &'static str {
        "interp"
    }

    fn summary(&self) -> &'static str {
        "predicate abstraction with interpolants and reductions: unbounded proofs"
    }

    fn argument(&self) -> VerdictArgument {
        VerdictArgument::PredicateAbstraction
    }

    fn properties(&self) -> PropertySet {
        PropertySet::of(&[Property::Assert, Property::UnreachCall])
    }

    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a> {
        let (options, statistics) = (self.options, Statistics::new());
        Box::new(Attempts { job, options, facts: None, rotation: None, statistics })
    }
}

/// The work of the first turn of each order.
const FIRST_WORK: u64 = 500_000;
/// How much more an order may have cost at the end of its next turn.
const GROWTH: u64 = 3;
/// How much more the first order gets than each of the others.
const FIRST_SHARE: u64 = 3;

/// The orders in their turn.
const ORDERS: [OrderKind; 4] = [OrderKind::Loop, OrderKind::Sequential, OrderKind::Step, OrderKind::OuterLoop];

struct Attempts<'a> {
    job: Job<'a>,
    options: InterpOptions,
    /// What is to be told, once it is known.
    facts: Option<VecDeque<Fact>>,
    /// How far the orders have been followed.
    rotation: Option<Rotation<'a>>,
    statistics: Statistics,
}

/// The orders in their turn, again and again with more work.
struct Rotation<'a> {
    asked: PropertySet,
    attempt: Attempt<'a>,
    turns: Vec<Turn>,
    /// Whose turn it is.
    next: usize,
    /// What each turn may cost.
    work: u64,
    /// The program has been asked for orders.
    has_looked: bool,
    /// Why the last order that is over has no answer.
    reason: String,
}

struct Turn {
    pursuit: Pursuit,
    /// What has been spent on it.
    spent: u64,
    /// It has ended for good.
    is_over: bool,
}

impl Turn {
    fn new(order: PreferenceOrder) -> Self {
        Self { pursuit: Pursuit::new(order), spent: 0, is_over: false }
    }
}

impl Run for Attempts<'_> {
    fn advance(&mut self, open: PropertySet, budget: &Budget) -> Result<Advance, EngineBug> {
        if self.facts.is_none() {
            let asked = open.intersection(PropertySet::of(&[Property::Assert, Property::UnreachCall]));
            match self.conclude(asked, budget) {
                Ok(facts) => self.facts = Some(facts),
                Err(reason) => return Ok(Advance::Stopped(reason)),
            }
        }
        let fact = self.facts.as_mut().and_then(VecDeque::pop_front);
        Ok(fact.map_or(Advance::Done, Advance::Learned))
    }

    fn goes_on(&self) -> bool {
        true
    }

    fn statistics(&self) -> Statistics {
        self.statistics.clone()
    }
}

impl<'a> Attempts<'a> {
    fn conclude(&mut self, asked: PropertySet, budget: &Budget) -> Result<VecDeque<Fact>, StopReason> {
        if self.job.visibility().observes_addresses() {
            return Ok(unknown(asked, "the program observes where memory lies"));
        }
        if let Some(paper) = self.options.paper {
            return conditional_interpolation::conclude(&self.job, paper, asked, budget, &mut self.statistics);
        }
        let mut rotation = match self.rotation.take() {
            Some(rotation) if rotation.asked == asked => rotation,
            _ => Rotation::new(&self.job, self.options, asked),
        };
        let concluded = rotation.conclude(&self.job, self.options, &mut self.statistics, budget);
        self.rotation = Some(rotation);
        concluded
    }
}

fn unknown(asked: PropertySet, text: &str) -> VecDeque<Fact> {
    asked.iter().map(|one| Fact::Unknown(one, UnknownReason::Limit(text.to_owned()))).collect()
}

impl<'a> Rotation<'a> {
    fn new(job: &Job<'a>, options: InterpOptions, asked: PropertySet) -> Self {
        let wanted = |order: &PreferenceOrder| options.order.is_none_or(|kind| order.kind == kind);
        let mut turns: Vec<Turn> = ORDERS.map(PreferenceOrder::new).into_iter().filter(wanted).map(Turn::new).collect();
        if turns.is_empty() {
            turns.extend(options.order.map(|kind| Turn::new(PreferenceOrder::new(kind))));
        }
        let mut attempt = Attempt::new(job.analyses, asked);
        attempt.keeps_proof = job.observer.wants_proofs();
        Self { asked, attempt, turns, next: 0, work: FIRST_WORK, has_looked: false, reason: String::new() }
    }

    fn conclude(
        &mut self,
        job: &Job<'_>,
        options: InterpOptions,
        statistics: &mut Statistics,
        budget: &Budget,
    ) -> Result<VecDeque<Fact>, StopReason> {
        // Orders of groups and weights are made for the program, once it has been looked at.
        let is_made = |kind: OrderKind| matches!(kind, OrderKind::Group | OrderKind::Weighted);
        let is_only = options.order.is_some_and(|kind| !is_made(kind));
        while self.turns.iter().any(|turn| !turn.is_over) {
            budget.check()?;
            if self.next == self.turns.len() {
                (self.next, self.work) = (0, self.work * GROWTH);
            }
            let turn = &mut self.turns[self.next];
            let share = match turn.pursuit.order.kind {
                _ if is_only => budget.clone(),
                // The first order is the best one.
                OrderKind::Loop => budget.with_work((FIRST_SHARE * self.work).saturating_sub(turn.spent)),
                _ => budget.with_work(self.work.saturating_sub(turn.spent)),
            };
            if turn.is_over || share.is_out_of_work() {
                self.next += 1;
                continue;
            }
            let before = budget.work.get();
            let result = self.attempt.go_on(&mut turn.pursuit, AttemptLimits::default(), &share);
            turn.spent += budget.work.get() - before;
            statistics.merge(&std::mem::take(&mut self.attempt.statistics));
            match result {
                Ok(Conclusion::Proved) => {
                    self.attempt.proof.iter().for_each(|proof| job.observer.proof(proof));
                    return Ok(self.asked.iter().map(Fact::Proved).collect());
                }
                Ok(Conclusion::Violated(property, schedule)) => {
                    return Ok(match replayed(job, property, schedule) {
                        Some(fact) => VecDeque::from([fact]),
                        None => unknown(self.asked, NO_EXECUTION),
                    });
                }
                Ok(Conclusion::Unsupported(what)) => return Ok(unknown(self.asked, &what)),
                Ok(Conclusion::Unknown(what)) => (turn.is_over, self.reason) = (true, what),
                Err(StopReason::Work) if !is_only => budget.check()?,
                Err(reason) => return Err(reason),
            }
            self.next += 1;
            if !self.has_looked && !is_only {
                self.has_looked = true;
                let wanted = |order: &PreferenceOrder| options.order.is_none_or(|kind| order.kind == kind);
                let suggested = self.attempt.suggested_orders().into_iter().filter(wanted).map(Turn::new);
                self.turns.splice(self.next..self.next, suggested);
            }
        }
        Ok(unknown(self.asked, &self.reason))
    }
}
