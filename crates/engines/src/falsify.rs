//! A quick falsifier: a few concrete executions before the first unfolding. Many bugs need nothing but a lucky schedule,
//! and the interpreter runs thousands of instructions in the time that one encoding takes.
//!
//! Runs alternate between random scheduling, probabilistic concurrency testing of growing depth (Burckhardt et al.,
//! ASPLOS 2010) and turns of a few steps; inputs are random with a liking for small and extreme values. Seeds are fixed
//! and the work is limited by the number of runs, steps and instructions, so that the same program gets the same answer
//! on every machine. Time cuts it short only where the user's budget is small, or where single steps take very long.
//! What is found is replayed like any other counterexample. Guarantee: none, it only finds.

use std::time::Instant;

use base::statistics::stage;
use base::{Budget, Statistics};
use execute::{Code, End, Pct, RandomChoices, RandomScheduler, RoundRobin, RunOptions, Scheduler, run_code};
use program::{Property, PropertySet, VerdictArgument};

use crate::engine::{Advance, Engine, EngineBug, Fact, Job, Progress, Run};

/// How much to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FalsifyOptions {
    /// Executions at most. Default: 200.
    pub runs: u32,
    /// Steps of one execution at most; longer ones are given up. Default: 20,000.
    pub steps_per_run: u64,
    /// No execution begins after so many instructions of all together. Default: 1,000,000.
    pub instructions: u64,
    /// The first seed. Default: 1.
    pub seed: u64,
}

impl FalsifyOptions {
    const DEFAULT: Self = Self { runs: 200, steps_per_run: 20_000, instructions: 1_000_000, seed: 1 };
}

impl Default for FalsifyOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Of the budget, an instruction of the interpreter is so small a part of a unit.
const INSTRUCTIONS_PER_WORK: u64 = 3;

/// Random testing as an engine: it finds, or says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomTesting {
    pub options: FalsifyOptions,
}

impl RandomTesting {
    pub const fn new() -> Self {
        Self { options: FalsifyOptions::DEFAULT }
    }
}

impl Engine for RandomTesting {
    fn name(&self) -> &'static str {
        "random-testing"
    }

    fn summary(&self) -> &'static str {
        "random testing: finds violations only"
    }

    fn argument(&self) -> VerdictArgument {
        VerdictArgument::RandomTesting
    }

    fn properties(&self) -> PropertySet {
        Property::of_executions().collect()
    }

    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a> {
        // Globals that do not fit into memory cannot be run; the other engines have their own answer to that.
        let code = Code::of(job.analyses).ok();
        let statistics = Statistics::new();
        let (options, open) = (&self.options, job.properties);
        Box::new(RandomSearch { job, options, code, open, runs: 0, steps: 0, instructions: 0, statistics })
    }
}

/// Executions that differ in nothing but where memory lies: so many are tried. A new address is not recorded as a choice.
const ADDRESS_RUNS: u32 = 32;

struct RandomSearch<'a> {
    job: Job<'a>,
    options: &'a FalsifyOptions,
    code: Option<Code<'a>>,
    /// The properties for which no violation was reported yet.
    open: PropertySet,
    runs: u32,
    steps: u64,
    instructions: u64,
    statistics: Statistics,
}

impl Run for RandomSearch<'_> {
    fn advance(&mut self, open: PropertySet, budget: &Budget) -> Result<Advance, EngineBug> {
        let Some(code) = self.code.take() else { return Ok(Advance::Done) };
        if self.runs == 0 {
            self.job.observer.progress(&Progress::Falsifying);
        }
        self.open = self.open.intersection(open);
        let began = Instant::now();
        let advance = self.search(&code, budget);
        self.statistics.time(stage::FALSIFYING, began.elapsed());
        if advance != Advance::Done {
            self.code = Some(code);
        }
        Ok(advance)
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = self.statistics.clone();
        statistics.count("random testing: executions", u64::from(self.runs));
        statistics.count("random testing: steps", self.steps);
        statistics
    }
}

impl RandomSearch<'_> {
    fn search(&mut self, code: &Code<'_>, budget: &Budget) -> Advance {
        while !self.is_over() {
            let run = RunOptions { max_steps: Some(self.options.steps_per_run), ..RunOptions::new(self.open) };
            let seed = self.options.seed.wrapping_add(u64::from(self.runs));
            let mut scheduler = self.scheduler(seed);
            let result = run_code(code, &run, &mut *scheduler, &mut RandomChoices::new(seed), budget);
            self.runs += 1;
            self.steps += result.steps;
            self.instructions += result.instructions;
            let spent = budget.spend(result.instructions / INSTRUCTIONS_PER_WORK);
            match result.end {
                End::Violated(violation) => {
                    self.open.remove(violation.property);
                    return Advance::Learned(Fact::Violation(violation.property, result.schedule));
                }
                End::Stopped(reason) => return Advance::Stopped(reason),
                // Without further threads and choices every execution is the same.
                _ if result.threads <= 1 && makes_no_choice(&result.schedule) && self.knows_addresses(code) => break,
                _ => {}
            }
            if let Err(reason) = spent {
                return Advance::Stopped(reason);
            }
        }
        Advance::Done
    }

    /// Whether where memory lies is no choice, or was chosen often enough.
    fn knows_addresses(&self, code: &Code<'_>) -> bool {
        !code.chooses_addresses || self.runs >= ADDRESS_RUNS
    }

    fn is_over(&self) -> bool {
        let options = self.options;
        self.open.is_empty() || self.runs >= options.runs || self.instructions >= options.instructions
    }

    fn scheduler(&self, seed: u64) -> Box<dyn Scheduler> {
        let expected = self.steps.checked_div(u64::from(self.runs)).unwrap_or(100).max(1);
        match self.runs % 4 {
            0 => Box::new(RandomScheduler::new(seed)),
            3 => Box::new(RoundRobin::new(1 + u64::from(self.runs / 4 % 8))),
            _ => Box::new(Pct::new(seed, 1 + self.runs / 4 % 4, expected)),
        }
    }
}

fn makes_no_choice(schedule: &program::Schedule) -> bool {
    schedule.choices.memory.is_empty() && schedule.choices.by_thread.iter().all(Vec::is_empty)
}
