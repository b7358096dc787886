//! One execution under a scheduler.

use base::Budget;
use program::{Program, PropertySet, Schedule, Step, ThreadId, Visibility};

use crate::choice::ChoiceSource;
use crate::code::Code;
use crate::machine::{Config, End, Machine, Readiness, Standing, StepResult};
use crate::scheduler::Scheduler;

/// How to run; see [`Config`] for what is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunOptions {
    pub config: Config,
    /// Steps after which to give up; none by default.
    pub max_steps: Option<u64>,
    /// Whether to record the schedule of an execution without a violation, too; default no.
    pub record: bool,
}

impl RunOptions {
    pub fn new(properties: PropertySet) -> Self {
        Self { config: Config::new(properties), max_steps: None, record: false }
    }
}

/// An execution and how it ended.
#[derive(Clone, PartialEq, Debug)]
pub struct RunResult {
    pub end: End,
    /// Replays the execution. Locations are not recorded; replay adds them. The steps are only spelt out for an
    /// execution that ended in a violation or was to be recorded.
    pub schedule: Schedule,
    pub output: Vec<u8>,
    pub steps: u64,
    pub instructions: u64,
    pub threads: usize,
}

/// Runs `program` once.
pub fn run(
    program: &Program,
    visibility: &Visibility,
    options: &RunOptions,
    scheduler: &mut dyn Scheduler,
    choices: &mut dyn ChoiceSource,
    budget: &Budget,
) -> RunResult {
    match Code::new(program, visibility) {
        Ok(code) => run_code(&code, options, scheduler, choices, budget),
        Err(_) => RunResult {
            end: too_large(),
            schedule: Schedule::default(),
            output: Vec::new(),
            steps: 0,
            instructions: 0,
            threads: 0,
        },
    }
}

pub(crate) fn too_large() -> End {
    End::Unsupported {
        what: "globals of more than 1 GiB, or than the address space".to_owned(),
        span: base::Span::UNKNOWN,
    }
}

/// As [`run`], for a program that is already decoded.
pub fn run_code(
    code: &Code<'_>,
    options: &RunOptions,
    scheduler: &mut dyn Scheduler,
    choices: &mut dyn ChoiceSource,
    budget: &Budget,
) -> RunResult {
    run_machine(Machine::new(code, options.config), options, scheduler, choices, budget).0
}

/// Runs a machine that has not started yet; returns it at its end.
pub(crate) fn run_machine<'c>(
    mut machine: Machine<'c>,
    options: &RunOptions,
    scheduler: &mut dyn Scheduler,
    choices: &mut dyn ChoiceSource,
    budget: &Budget,
) -> (RunResult, Machine<'c>) {
    machine.budget = Some(budget.clone());
    let mut run = ScheduledRun {
        machine,
        log: StepLog::default(),
        standings: Vec::new(),
        refused: Vec::new(),
        enabled: Vec::new(),
        dozing: Vec::new(),
        lonely_wake_ups: 0,
        changed: true,
    };
    let end = run.machine.start(choices).unwrap_or_else(|| run.until_it_ends(options, scheduler, choices, budget));
    let steps = if options.record || matches!(end, End::Violated(_)) { run.log.steps() } else { Vec::new() };
    let result = RunResult {
        end,
        schedule: Schedule { steps, choices: run.machine.record.to_choices() },
        output: run.machine.state.output.to_vec(),
        steps: run.log.taken,
        instructions: run.machine.instructions,
        threads: run.machine.thread_count(),
    };
    (result, run.machine)
}

/// Steps so far, run-length encoded: most executions stay in one thread for a while.
#[derive(Default)]
struct StepLog {
    runs: Vec<(ThreadId, u32)>,
    taken: u64,
}

impl StepLog {
    #[inline]
    fn push(&mut self, thread: ThreadId) {
        self.taken += 1;
        match self.runs.last_mut() {
            Some((last, count)) if *last == thread && *count < u32::MAX => *count += 1,
            _ => self.runs.push((thread, 1)),
        }
    }

    fn steps(&self) -> Vec<Step> {
        let step = |thread| Step { thread, location: None };
        self.runs.iter().flat_map(|&(thread, count)| std::iter::repeat_n(step(thread), count as usize)).collect()
    }
}

struct ScheduledRun<'c> {
    machine: Machine<'c>,
    log: StepLog,
    standings: Vec<Standing>,
    /// Threads whose atomic section was refused in the present state.
    refused: Vec<ThreadId>,
    /// Threads that are ready or stand before a section that was not refused; up to date unless `changed`.
    enabled: Vec<ThreadId>,
    /// Threads that wait and could only wake up spuriously, and all that are enabled besides.
    dozing: Vec<ThreadId>,
    /// Spurious wake-ups since anything else could be done.
    lonely_wake_ups: u32,
    changed: bool,
}

/// One step in so many may be a spurious wake-up.
const WAKE_UP_EVERY: u64 = 4;

/// So many spurious wake-ups in a row, where nothing else can be done, before the execution counts as stuck.
const LONELY_WAKE_UPS: u32 = 4;

/// How often a refused atomic section is tried again, with other choices, when nothing else can be done.
const RETRIES: u32 = 32;

impl ScheduledRun<'_> {
    fn until_it_ends(
        &mut self,
        options: &RunOptions,
        scheduler: &mut dyn Scheduler,
        choices: &mut dyn ChoiceSource,
        budget: &Budget,
    ) -> End {
        let mut retries = 0;
        self.look_at_all();
        if let Some(deadlock) = self.deadlock() {
            return deadlock;
        }
        loop {
            if self.changed {
                self.list_enabled();
            }
            let may_wake_up = !self.dozing.is_empty() && self.lets_wake_up();
            let candidates = if may_wake_up { &self.dozing } else { &self.enabled };
            if candidates.is_empty() {
                if retries == RETRIES || !self.forget_refusals() {
                    return self.stuck();
                }
                retries += 1;
                continue;
            }
            let thread = scheduler.pick(candidates);
            let wakes = self.machine.may_wake_others(thread);
            match self.machine.step(thread, choices) {
                StepResult::Over(end) => {
                    self.log.push(thread);
                    return end;
                }
                StepResult::Refused(refusal) => {
                    self.standings[thread.0 as usize] = refusal.standing();
                    self.refused.push(thread);
                    self.changed = true;
                }
                StepResult::Taken => {
                    self.log.push(thread);
                    retries = 0;
                    if self.after_step(thread, wakes)
                        && let Some(deadlock) = self.deadlock()
                    {
                        return deadlock;
                    }
                }
            }
            if self.log.taken.is_multiple_of(1024)
                && let Err(reason) = budget.check()
            {
                return End::Stopped(reason);
            }
            if options.max_steps.is_some_and(|limit| self.log.taken >= limit) {
                return End::StepLimit;
            }
        }
    }

    fn list_enabled(&mut self) {
        self.changed = false;
        self.enabled.clear();
        self.dozing.clear();
        for (thread, standing) in self.standings.iter().enumerate() {
            let thread = ThreadId(thread as u32);
            match standing {
                Standing::Ready | Standing::Section => self.enabled.push(thread),
                Standing::Blocked(_) if self.machine.readiness(thread) == Readiness::Ready => self.dozing.push(thread),
                _ => {}
            }
        }
        if !self.dozing.is_empty() {
            self.dozing.extend_from_slice(&self.enabled);
        }
    }

    /// Whether those who could wake up spuriously may be chosen now.
    fn lets_wake_up(&mut self) -> bool {
        if !self.enabled.is_empty() {
            self.lonely_wake_ups = 0;
            return self.log.taken.is_multiple_of(WAKE_UP_EVERY);
        }
        self.lonely_wake_ups += 1;
        self.lonely_wake_ups <= LONELY_WAKE_UPS
    }

    fn look_at_all(&mut self) {
        self.changed = true;
        self.standings.clear();
        for thread in 0..self.machine.thread_count() {
            self.standings.push(self.machine.standing(ThreadId(thread as u32)));
        }
    }

    /// Brings the standings up to date. Tells whether somebody may newly be blocked for ever.
    #[inline]
    fn after_step(&mut self, thread: ThreadId, wakes: bool) -> bool {
        let own = self.machine.standing(thread);
        let news = wakes || !matches!(own, Standing::Ready | Standing::Section);
        if news {
            self.refused.clear();
            self.look_at_all();
        } else {
            self.standings[thread.0 as usize] = own;
            self.forget_refusals();
        }
        news
    }

    /// A refused section may be entered in another state, or with other choices. Tells whether there was one.
    #[inline]
    fn forget_refusals(&mut self) -> bool {
        let any = !self.refused.is_empty();
        self.changed |= any;
        for thread in self.refused.drain(..) {
            self.standings[thread.0 as usize] = Standing::Section;
        }
        any
    }

    fn deadlock(&self) -> Option<End> {
        let somebody_waits = self.standings.iter().any(|standing| matches!(standing, Standing::Blocked(_)));
        if !somebody_waits || !self.machine.looks_for_deadlocks() {
            return None;
        }
        let violation = self.machine.find_deadlock(&self.machine.standings())?;
        Some(End::Violated(Box::new(violation)))
    }

    fn stuck(&self) -> End {
        self.deadlock().unwrap_or(End::Stuck)
    }
}
