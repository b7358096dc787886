//! Executes a strategy: advances the engines of its stages and takes what they say to the ledger.

use base::statistics::size;
use base::{Budget, Statistics, StopReason};
use engines::{Advance, Engine, EngineBug, Job, Observer, Run, UnwindLimits};
use program::{Analyses, PropertySet};

use crate::ledger::{Ledger, Listener, NullListener, Report, Weight};
use crate::strategy::{Allowance, Stage, Strategy, When};

/// What to check, and how.
#[derive(Clone, Copy)]
pub struct Check<'a> {
    /// The program and what is known about it.
    pub analyses: &'a Analyses<'a>,
    pub properties: PropertySet,
    pub strategy: &'a Strategy,
    /// The engine for the stages that leave it to the user.
    pub engine: &'a dyn Engine,
    pub unwind: UnwindLimits,
    /// Stop at the first violation; what is open then stays unknown.
    pub first: bool,
    pub budget: &'a Budget,
    pub observer: &'a dyn Observer,
    pub listener: &'a dyn Listener,
}

/// Answers for every property, in their order.
pub fn check(check: &Check<'_>) -> Result<Report, EngineBug> {
    let mut driver =
        Driver { check, ledger: Ledger::new(check.analyses, check.properties, check.listener), stopped: None };
    driver.run()?;
    driver.ledger.statistics.count(size::WORK, check.budget.work.get());
    let stopped = driver.stopped.filter(|_| !driver.is_over());
    Ok(driver.ledger.close(check.properties, stopped, check.engine.provenance()))
}

/// What `engine` says without any other.
pub fn check_alone(
    engine: &dyn Engine,
    analyses: &Analyses<'_>,
    properties: PropertySet,
    unwind: UnwindLimits,
    budget: &Budget,
) -> Result<Report, EngineBug> {
    check(&Check {
        analyses,
        properties,
        strategy: &Strategy::alone(),
        engine,
        unwind,
        first: false,
        budget,
        observer: &engines::NullObserver,
        listener: &NullListener,
    })
}

struct Driver<'a> {
    check: &'a Check<'a>,
    ledger: Ledger<'a>,
    /// Why the stage that works to the end did not come to it.
    stopped: Option<StopReason>,
}

impl<'a> Driver<'a> {
    fn run(&mut self) -> Result<(), EngineBug> {
        let stages: Vec<&Stage> = self.check.strategy.stages_with(self.check.engine).collect();
        let mut stages = stages.into_iter().peekable();
        while let Some(stage) = stages.next() {
            if self.is_over() {
                break;
            }
            match stage.when {
                When::ToTheEnd => {
                    let mut beside = Vec::new();
                    while let Some(other) = stages.next_if(|other| other.is_beside()) {
                        beside.push(Beside {
                            stage: other,
                            allowance: other.allowance,
                            run: None,
                            spent: 0,
                            is_over: false,
                        });
                    }
                    self.work_to_the_end(stage, beside)?;
                }
                When::Once => {
                    self.work_once(stage, stage.allowance, None)?;
                }
                When::AfterFirstBound | When::AfterWork(_) | When::BetweenBounds { .. } => {
                    unreachable!("{} should stand behind a stage that works to the end", stage.name)
                }
            }
        }
        Ok(())
    }

    /// Whether there is nothing left to ask.
    fn is_over(&self) -> bool {
        self.ledger.open().is_empty() || (self.check.first && self.ledger.has_violation())
    }

    fn open_for(&self, engine: &dyn Engine) -> PropertySet {
        self.ledger.open().intersection(engine.properties())
    }

    fn start(&self, engine: &'a dyn Engine) -> Box<dyn Run + 'a> {
        let Check { analyses, unwind, observer, .. } = *self.check;
        engine.start(Job { analyses, properties: self.open_for(engine), unwind, observer })
    }

    /// What a stage says within its allowance, beginning or where it was; the run that can go on, if it was stopped.
    fn work_once(
        &mut self,
        stage: &Stage,
        allowance: Allowance,
        run: Option<Box<dyn Run + 'a>>,
    ) -> Result<Leftover<'a>, EngineBug> {
        let engine = stage.engine.or(self.check.engine);
        if self.open_for(engine).is_empty() {
            return Ok(Leftover::No);
        }
        let budget = allowance.of(self.check.budget);
        let mut run = run.unwrap_or_else(|| self.start(engine));
        let mut stopped = false;
        while !self.is_over() {
            match run.advance(self.open_for(engine), &budget)? {
                Advance::Learned(fact) => {
                    self.ledger.learn(fact, engine.provenance(), Weight::OnlyFinal, &run.statistics())?;
                }
                Advance::BoundDone => {}
                Advance::Stopped(_) => {
                    stopped = true;
                    break;
                }
                Advance::Done => break,
            }
        }
        if stopped && run.goes_on() {
            return Ok(Leftover::GoesOn(run));
        }
        self.ledger.statistics.merge(&run.statistics());
        Ok(if stopped { Leftover::BeginsAgain } else { Leftover::No })
    }

    fn work_to_the_end(&mut self, stage: &'a Stage, mut beside: Vec<Beside<'a>>) -> Result<(), EngineBug> {
        let engine = stage.engine.or(self.check.engine);
        let budget = stage.allowance.of(self.check.budget);
        let mut run = self.start(engine);
        let mut own_work = 0;
        while !self.is_over() {
            let before = budget.work.get();
            // A bound may take for ever; others get their turn then, too.
            let pause = beside.iter().filter_map(|other| other.first_pause(own_work)).min();
            let slice = pause.map_or_else(|| budget.clone(), |work| budget.with_work(work));
            let advance = run.advance(self.open_for(engine), &slice)?;
            own_work += budget.work.get() - before;
            match advance {
                Advance::Learned(fact) => {
                    self.ledger.learn(fact, engine.provenance(), Weight::Full, &run.statistics())?;
                }
                Advance::BoundDone => self.let_others_work(&mut beside, own_work, false)?,
                Advance::Stopped(StopReason::Work) if !budget.is_out_of_work() => {
                    self.let_others_work(&mut beside, own_work, false)?;
                }
                Advance::Stopped(reason) => {
                    self.stopped = Some(reason);
                    break;
                }
                Advance::Done => {
                    self.let_others_work(&mut beside, own_work, true)?;
                    break;
                }
            }
        }
        let statistics: Statistics = run.statistics();
        self.ledger.statistics.merge(&statistics);
        for other in beside.iter().filter_map(|other| other.run.as_ref()) {
            self.ledger.statistics.merge(&other.statistics());
        }
        Ok(())
    }

    fn let_others_work(&mut self, beside: &mut [Beside<'a>], own_work: u64, is_done: bool) -> Result<(), EngineBug> {
        for other in beside.iter_mut().filter(|other| other.is_due(own_work, is_done)) {
            if self.is_over() {
                break;
            }
            let before = self.check.budget.work.get();
            let stopped = self.work_once(other.stage, other.allowance, other.run.take())?;
            other.spent += (self.check.budget.work.get() - before).max(1);
            other.is_over = matches!(stopped, Leftover::No) || !matches!(other.stage.when, When::BetweenBounds { .. });
            if let Leftover::GoesOn(run) = stopped {
                other.run = Some(run);
            }
            other.allowance = other.allowance.doubled();
        }
        Ok(())
    }
}

/// Whether the budget ended a run, and what comes then.
enum Leftover<'a> {
    No,
    BeginsAgain,
    GoesOn(Box<dyn Run + 'a>),
}

/// A stage beside one that works to the end.
struct Beside<'a> {
    stage: &'a Stage,
    /// What has been stopped and can go on.
    run: Option<Box<dyn Run + 'a>>,
    /// Of the next attempt.
    allowance: Allowance,
    /// The work of all attempts so far.
    spent: u64,
    is_over: bool,
}

impl Beside<'_> {
    /// Whether the other has done as much work as the next attempt may take; the first one comes with the first bound or pause, and
    /// one after some work also where the other is done and has left something open.
    fn is_due(&self, work_of_the_other: u64, is_done: bool) -> bool {
        !self.is_over
            && match self.stage.when {
                When::AfterWork(work) => is_done || work <= work_of_the_other,
                When::BetweenBounds { part } => {
                    self.spent == 0 || self.allowance.work.is_none_or(|work| work / part <= work_of_the_other)
                }
                _ => self.spent == 0 || self.allowance.work.is_none_or(|work| work <= work_of_the_other),
            }
    }

    /// The work after which the other has to pause for the first attempt, bound or not.
    fn first_pause(&self, work_of_the_other: u64) -> Option<u64> {
        let work = match self.stage.when {
            When::AfterWork(work) => work,
            _ => self.allowance.work.unwrap_or(0),
        };
        let is_first = !self.is_over && self.spent == 0;
        is_first.then(|| work.saturating_sub(work_of_the_other).max(1))
    }
}

impl Stage {
    fn is_beside(&self) -> bool {
        matches!(self.when, When::AfterFirstBound | When::AfterWork(_) | When::BetweenBounds { .. })
    }
}
