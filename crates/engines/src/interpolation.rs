//! `interp`: proofs without bounds from an abstract reachability tree of predicates (crate `interp`), one attempt after the other.
//!
//! Why a proof may be believed: the tree covers every execution, up to the order of steps that commute, with every edge a Hoare
//! triple that the solver has decided bit by bit; what is not representable is an error of the tree. What it takes for a
//! violation is replayed here before it is told: the tree knows more executions than the program has.

use std::collections::VecDeque;

use base::{Budget, Statistics, StopReason};
use interp::{Attempt, AttemptLimits, Conclusion, Order, OrderKind};
use program::{Argument, Property, PropertySet, UnknownReason};

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

    fn argument(&self) -> Argument {
        Argument::PredicateAbstraction
    }

    fn properties(&self) -> PropertySet {
        PropertySet::of(&[Property::Assert, Property::UnreachCall])
    }

    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a> {
        let facts = None;
        Box::new(Attempts { job, options: self.options, facts, statistics: Statistics::new() })
    }
}

/// The work of the first attempt in each order; later ones get more.
const FIRST_WORK: u64 = 1_000_000;

/// The orders in their turn.
const ORDERS: [OrderKind; 4] = [OrderKind::Loop, OrderKind::Sequential, OrderKind::Step, OrderKind::OuterLoop];

struct Attempts<'a> {
    job: Job<'a>,
    options: InterpOptions,
    /// What is to be told, once it is known.
    facts: Option<VecDeque<Fact>>,
    statistics: Statistics,
}

impl Run for Attempts<'_> {
    fn advance(&mut self, open: PropertySet, budget: &Budget) -> Result<Advance, EngineBug> {
        let facts = match &mut self.facts {
            Some(facts) => facts,
            None => {
                let asked = open.intersection(PropertySet::of(&[Property::Assert, Property::UnreachCall]));
                match self.conclude(asked, budget) {
                    Ok(facts) => self.facts.insert(facts),
                    Err(reason) => return Ok(Advance::Stopped(reason)),
                }
            }
        };
        Ok(facts.pop_front().map_or(Advance::Done, Advance::Learned))
    }

    fn statistics(&self) -> Statistics {
        self.statistics.clone()
    }
}

impl Attempts<'_> {
    fn conclude(&mut self, asked: PropertySet, budget: &Budget) -> Result<VecDeque<Fact>, StopReason> {
        let unknown =
            |text: String| asked.iter().map(|one| Fact::Unknown(one, UnknownReason::Limit(text.clone()))).collect();
        if self.job.visibility().observes_addresses() {
            return Ok(unknown("the program observes where memory lies".to_owned()));
        }
        if let Some(paper) = self.options.paper {
            return conditional_interpolation::conclude(&self.job, paper, asked, budget, &mut self.statistics);
        }
        let orders = self.options.order.map_or(ORDERS.to_vec(), |order| vec![order]);
        let (mut work, mut reason) = (FIRST_WORK, String::new());
        // Attempts that ended for good.
        let mut ended = vec![false; orders.len()];
        let mut attempt = Attempt::new(self.job.analyses, asked);
        while ended.contains(&false) {
            for (order, ended) in orders.iter().zip(&mut ended).filter(|(_, ended)| !**ended) {
                // The first order is the best one: half of what is allowed is for it.
                let left = budget.work_limit.map_or(0, |limit| limit.saturating_sub(budget.work.get()));
                let share = match *order {
                    _ if orders.len() == 1 => budget.clone(),
                    OrderKind::Loop => budget.with_work(work.max(left / 2)),
                    _ => budget.with_work(work),
                };
                let result = attempt.run(&Order::new(*order), AttemptLimits::default(), &share);
                self.statistics.merge(&std::mem::take(&mut attempt.statistics));
                match result {
                    Ok(Conclusion::Proved) => return Ok(asked.iter().map(Fact::Proved).collect()),
                    Ok(Conclusion::Violated(property, schedule)) => {
                        return Ok(match replayed(&self.job, property, schedule) {
                            Some(fact) => VecDeque::from([fact]),
                            None => unknown(NO_EXECUTION.to_owned()),
                        });
                    }
                    Ok(Conclusion::Unsupported(what)) => return Ok(unknown(what)),
                    Ok(Conclusion::Unknown(what)) => (*ended, reason) = (true, what),
                    Err(StopReason::Work) if orders.len() > 1 => budget.check()?,
                    Err(reason) => return Err(reason),
                }
            }
            work *= 4;
        }
        Ok(unknown(reason))
    }
}
