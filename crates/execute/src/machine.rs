//! The machine: one state of an execution, and steps from it.
//!
//! A step is what `program::schedule` says: one visible instruction or a whole atomic section, and then the invisible
//! *tail*. New threads run their invisible prefix inside the step that creates them.
//! - A thread whose tail meets a failed assume is stopped for ever; its effects so far stay.
//! - A tail that meets undefined behaviour nobody asked about, or something unsupported, ends before it: the others may
//!   still do their worst first. The thread's next step is to run into it.
//! - A tail that comes back to the same registers without having changed memory loops for ever: the thread has
//!   *diverged*, exactly known (Brent's cycle finding). A tail that outruns its fuel is *cut*.
//! - An atomic section that meets a failed assume, a blocked action or no end is not entered: the step is refused and
//!   the state is as before. Later, in another state, it may be entered.

use std::rc::Rc;

use base::{Budget, Span, StopReason};
use program::{Choices, MemoryChoice, Property, PropertySet, ThreadId, TraceEvent, Violation, limits};
use rustc_hash::FxHashMap;

use crate::access_log::LoggedAccess;
use crate::choice::{ChoiceSource, FixedChoices};
use crate::code::{Code, Op, Site};
use crate::coverage::Coverage;
use crate::memory::{Memory, NoRoom, Place};
use crate::race::RaceOrder;
use crate::thread::{ExecThread, Frame, ThreadStatus};
use crate::value::{Provenance, Value};

/// What is checked, and how far threads may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    pub properties: PropertySet,
    /// Instructions that a thread may execute between two visible ones, or in one atomic section, before it is cut.
    /// At least 1; default 4 million.
    pub fuel: u64,
    /// As `fuel`, for a thread that keeps no other from running because all others have ended. Default: no limit.
    pub lone_fuel: u64,
    /// Activations that a thread may have at a time; beyond that the execution ends as not supported. Default 50,000.
    pub call_depth: usize,
    /// Addresses have no numbers: what depends on them is not supported. For callers that draw conclusions from all
    /// executions; default no.
    pub abstract_addresses: bool,
}

impl Config {
    pub fn new(properties: PropertySet) -> Self {
        Self {
            properties,
            fuel: 4_000_000,
            lone_fuel: u64::MAX,
            call_depth: limits::NESTED_CALLS,
            abstract_addresses: false,
        }
    }
}

/// Everything that determines the future of an execution. Cheap to clone: parts are shared until they change.
#[derive(Clone, Debug)]
pub struct ExecState {
    pub memory: Memory,
    pub threads: Vec<Rc<ExecThread>>,
    /// Happens-before, if races are looked for.
    pub order: Option<Rc<RaceOrder>>,
    pub output: Rc<Vec<u8>>,
}

/// How an execution ended.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// The process ended, normally or by `abort` and the like.
    Finished {
        status: i32,
        abnormal: bool,
    },
    Violated(Box<Violation>),
    /// No thread can take a step: some are blocked or stopped for ever, and no selected property forbids it.
    Stuck,
    /// Undefined behaviour that is not a selected property: there is nothing to say about what follows.
    Undefined(Box<Undefined>),
    /// A construct that is not supported was reached.
    Unsupported {
        what: String,
        span: Span,
    },
    /// The budget is used up.
    Stopped(StopReason),
    /// As many steps as were allowed.
    StepLimit,
}

/// Undefined behaviour that ended an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undefined {
    /// The property that would have been violated, where there is one.
    pub property: Option<Property>,
    pub thread: ThreadId,
    pub span: Span,
    pub what: String,
}

/// Why a thread did not go on.
#[derive(Debug)]
pub enum Halt {
    End(Box<End>),
    AssumeFailed,
    Blocked(Box<Waiting>),
    Diverged,
    Cut,
    ThreadEnded,
}

impl From<End> for Halt {
    fn from(end: End) -> Self {
        Halt::End(Box::new(end))
    }
}

/// A blocked thread: where it stands and whom it waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    pub thread: ThreadId,
    pub site: Site,
    pub object: WaitedFor,
    /// Empty if it waits for nobody in particular.
    pub owners: Vec<ThreadId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitedFor {
    Object(sync::ObjectKind, Place),
    End(ThreadId),
}

/// A lock that a thread has taken; it may have given it back since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Taken {
    pub place: Place,
    pub thread: ThreadId,
    pub site: Site,
}

/// What came of a step.
#[derive(Debug)]
pub enum StepResult {
    Taken,
    /// The step cannot be taken in this state; the state is unchanged.
    Refused(Refusal),
    Over(End),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    Blocked(Waiting),
    /// An assume fails in the atomic section, or the section depends on choices that were not all tried.
    Assume,
    /// The atomic section does not end, for certain or as far as the fuel reaches.
    Endless {
        certain: bool,
    },
    /// The thread has ended or is stopped.
    NotLive,
}

impl Refusal {
    /// How the refused thread stands.
    pub fn standing(self) -> Standing {
        match self {
            Refusal::Blocked(waiting) => Standing::Blocked(waiting),
            Refusal::Assume | Refusal::Endless { .. } | Refusal::NotLive => Standing::Stopped,
        }
    }
}

/// How a thread stands in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Its next step can be taken.
    Ready,
    /// It stands before an atomic section; trying tells whether that can be entered.
    Section,
    Blocked(Waiting),
    /// Stopped by an assume, or without end.
    Stopped,
    Ended,
}

/// [`Standing`] in short, for those who only want to know who may go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Readiness {
    Ready,
    Section,
    /// Blocked, stopped or ended.
    Halted,
}

/// The choices and inputs made so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChoiceRecord {
    pub choices: Vec<(ThreadId, u64)>,
    pub memory: Vec<MemoryChoice>,
}

impl ChoiceRecord {
    pub fn to_choices(&self) -> Choices {
        let mut choices = Choices { by_thread: Vec::new(), memory: self.memory.clone() };
        self.choices.iter().for_each(|&(thread, value)| choices.push(thread, value));
        choices
    }
}

/// A machine in some state.
pub struct Machine<'c> {
    pub(crate) code: &'c Code<'c>,
    pub(crate) config: Config,
    /// Ends the execution even inside a step, where one is given.
    pub(crate) budget: Option<Budget>,
    pub state: ExecState,
    pub record: ChoiceRecord,
    /// Events, where somebody wants them; the number of the present step is in [`Machine::step_number`].
    pub events: Option<Vec<TraceEvent>>,
    pub step_number: usize,
    /// Instructions executed so far.
    pub instructions: u64,
    /// Whether new threads stand before their first instruction, visible or not: for a caller who executes instruction
    /// by instruction and runs the prefixes himself. Default no.
    pub hold_new_threads: bool,
    /// The thread that executes at the moment.
    pub current: usize,
    /// Counts changes of memory, to tell an idle loop from one that does something.
    pub changes: u64,
    /// Who took which lock where, as far as events are recorded.
    pub(crate) taken: Vec<Taken>,
    /// The heap objects in the order of their allocation, for their labels in events.
    pub(crate) heap_labels: Vec<Provenance>,
    /// Where events are recorded: what protected the last access from each place, by thread, in words.
    pub(crate) protection_at_access: FxHashMap<(u32, Site), String>,
    /// The instructions that were reached, where a caller wants to know.
    pub(crate) coverage: Option<Coverage>,
    /// The accesses that were made, where a caller wants to know.
    pub(crate) access_log: Option<Vec<LoggedAccess>>,
}

impl<'c> Machine<'c> {
    /// A machine before its first instruction; [`start`](Self::start) comes next.
    pub fn new(code: &'c Code<'c>, config: Config) -> Self {
        let mut memory = Memory::new(code);
        let locals = memory.add_thread(code, ThreadId::MAIN).unwrap_or_default();
        let main = ExecThread::new(code, code.program.entry, &[], locals);
        let races = config.properties.contains(Property::NoDataRace);
        let state = ExecState {
            memory,
            threads: vec![Rc::new(main)],
            order: races.then(|| Rc::new(RaceOrder::new(code.has_acquire_fences))),
            output: Rc::new(Vec::new()),
        };
        Self::at(code, config, state)
    }

    /// A machine in a given state, with an empty record.
    pub fn at(code: &'c Code<'c>, config: Config, state: ExecState) -> Self {
        Self {
            code,
            config,
            budget: None,
            state,
            record: ChoiceRecord::default(),
            events: None,
            step_number: 0,
            instructions: 0,
            hold_new_threads: false,
            current: 0,
            changes: 0,
            taken: Vec::new(),
            heap_labels: Vec::new(),
            protection_at_access: FxHashMap::default(),
            coverage: None,
            access_log: None,
        }
    }

    /// Runs the main thread up to its first visible instruction.
    pub fn start(&mut self, choices: &mut dyn ChoiceSource) -> Option<End> {
        match self.prefix(0, choices) {
            Ok(()) => self.over(),
            Err(Halt::End(end)) => Some(*end),
            Err(other) => unreachable!("{other:?} should have been settled in the prefix"),
        }
    }

    /// Lets `thread` take a step.
    pub fn step(&mut self, thread: ThreadId, choices: &mut dyn ChoiceSource) -> StepResult {
        self.current = thread.0 as usize;
        if self.thread().status != ThreadStatus::Live {
            return StepResult::Refused(Refusal::NotLive);
        }
        let taken = match self.code.ops[self.thread().pc as usize] {
            Op::AtomicBegin => self.section(choices),
            _ => self.visible_step(choices),
        };
        match taken {
            Ok(()) => self.over().map_or(StepResult::Taken, StepResult::Over),
            Err(Declined::Refused(refusal)) => StepResult::Refused(refusal),
            Err(Declined::Over(end)) => StepResult::Over(*end),
        }
    }

    fn visible_step(&mut self, choices: &mut dyn ChoiceSource) -> Result<(), Declined> {
        self.instructions += 1;
        self.cover();
        match self.execute(choices) {
            Ok(()) => {
                let tail = self.run(Until::Visible, choices);
                self.settle_tail(tail).map_err(Declined::Over)
            }
            Err(Halt::Blocked(waiting)) => Err(Declined::Refused(Refusal::Blocked(*waiting))),
            Err(halt) => self.settle(Err(halt)).map_err(Declined::Over),
        }
    }

    /// Tries an atomic section and takes everything back if it cannot be finished.
    fn section(&mut self, choices: &mut dyn ChoiceSource) -> Result<(), Declined> {
        let before = self.state.clone();
        let recorded = (self.record.choices.len(), self.record.memory.len());
        let events = self.events.as_ref().map_or(0, Vec::len);
        let covered = self.coverage.clone();
        let refusal = match self.run(Until::SectionEnd, choices) {
            Ok(()) => {
                let tail = self.run(Until::Visible, choices);
                return self.settle_tail(tail).map_err(Declined::Over);
            }
            Err(halt @ (Halt::End(_) | Halt::ThreadEnded)) => return self.settle(Err(halt)).map_err(Declined::Over),
            // Another choice might have avoided the obstacle, so that this one does not count as waiting.
            Err(Halt::Blocked(waiting)) if recorded == (self.record.choices.len(), self.record.memory.len()) => {
                Refusal::Blocked(*waiting)
            }
            Err(Halt::AssumeFailed | Halt::Blocked(_)) => Refusal::Assume,
            Err(Halt::Diverged) => Refusal::Endless { certain: true },
            Err(Halt::Cut) => Refusal::Endless { certain: false },
        };
        self.state = before;
        self.coverage = covered;
        self.record.choices.truncate(recorded.0);
        self.record.memory.truncate(recorded.1);
        if let Some(log) = &mut self.events {
            log.truncate(events);
        }
        Err(Declined::Refused(refusal))
    }

    /// What a halt in a tail means: an end that decides nothing is left for the thread's next step.
    fn settle_tail(&mut self, halted: Result<(), Halt>) -> Result<(), Box<End>> {
        match &halted {
            Err(Halt::End(end)) if matches!(**end, End::Undefined(_) | End::Unsupported { .. }) => Ok(()),
            _ => self.settle(halted),
        }
    }

    /// What a halt means for the thread that met it outside atomic sections.
    fn settle(&mut self, halted: Result<(), Halt>) -> Result<(), Box<End>> {
        let status = match halted {
            Ok(()) | Err(Halt::ThreadEnded) => return Ok(()),
            Err(Halt::End(end)) => return Err(end),
            Err(Halt::AssumeFailed) => ThreadStatus::Stopped,
            Err(Halt::Diverged) => ThreadStatus::Diverged,
            Err(Halt::Cut) => ThreadStatus::Cut,
            Err(Halt::Blocked(waiting)) => unreachable!("{waiting:?} should stand before a visible instruction"),
        };
        self.thread_mut().status = status;
        Ok(())
    }

    /// Runs a new thread up to its first visible instruction.
    pub(crate) fn prefix(&mut self, thread: usize, choices: &mut dyn ChoiceSource) -> Result<(), Halt> {
        let caller = std::mem::replace(&mut self.current, thread);
        let ran = self.run(Until::Visible, choices);
        let settled = self.settle_tail(ran).map_err(Halt::End);
        self.current = caller;
        settled
    }

    /// The process ends with its last thread.
    pub fn over(&mut self) -> Option<End> {
        let ended = |thread: &Rc<ExecThread>| thread.status == ThreadStatus::Ended;
        let last = ended(&self.state.threads[self.current]) && self.state.threads.iter().all(ended);
        last.then(|| self.finish(0, false))
    }

    fn run(&mut self, until: Until, choices: &mut dyn ChoiceSource) -> Result<(), Halt> {
        let fuel = if self.is_alone() { self.config.lone_fuel } else { self.config.fuel };
        let mut cycle = CycleFinder::new(fuel);
        let mut executed: u64 = 0;
        let result = loop {
            let thread = Rc::make_mut(&mut self.state.threads[self.current]);
            // Coverage wants to see every instruction.
            if self.coverage.is_none() {
                executed += thread.run_registers(self.code, cycle.pc, cycle.next - executed);
            }
            let arrived = match until {
                Until::Visible => self.code.visible[thread.pc as usize],
                Until::SectionEnd => executed > 0 && thread.section == 0,
            };
            if arrived {
                break Ok(());
            }
            if thread.pc == cycle.pc && executed > cycle.at && cycle.is_back(thread, self.changes) {
                break Err(Halt::Diverged);
            }
            if executed >= cycle.next {
                if executed >= fuel {
                    break Err(Halt::Cut);
                }
                if let Some(Err(reason)) = self.budget.as_ref().map(Budget::check) {
                    break Err(End::Stopped(reason).into());
                }
                cycle.remember(&self.state.threads[self.current], self.changes, executed, fuel);
                continue;
            }
            executed += 1;
            self.cover();
            if let Err(halt) = self.execute(choices) {
                break Err(halt);
            }
        };
        self.instructions += executed;
        result
    }

    /// Notes that the current thread has come to its next instruction.
    #[inline]
    fn cover(&mut self) {
        let site = self.state.threads[self.current].site();
        if let Some(coverage) = &mut self.coverage {
            coverage.reach(site);
        }
    }

    pub fn is_alone(&self) -> bool {
        let others = self.state.threads.iter().enumerate().filter(|(thread, _)| *thread != self.current);
        others.map(|(_, thread)| thread).all(|thread| thread.status == ThreadStatus::Ended)
    }

    #[inline]
    pub fn thread(&self) -> &ExecThread {
        &self.state.threads[self.current]
    }

    #[inline]
    pub fn thread_mut(&mut self) -> &mut ExecThread {
        Rc::make_mut(&mut self.state.threads[self.current])
    }

    pub fn thread_id(&self) -> ThreadId {
        ThreadId(self.current as u32)
    }

    #[inline]
    pub fn value(&self, arg: crate::code::Arg) -> Value {
        self.thread().value(self.code, arg)
    }

    pub(crate) fn no_room(&self, NoRoom(what): NoRoom) -> Halt {
        End::Unsupported { what, span: self.span() }.into()
    }

    /// The place of the instruction that executes.
    pub fn span(&self) -> Span {
        self.code.span(self.thread().site())
    }

    /// How `thread` stands. A ready thread's step may still end in a violation.
    pub fn standing(&self, thread: ThreadId) -> Standing {
        let own = &self.state.threads[thread.0 as usize];
        match own.status {
            ThreadStatus::Ended => return Standing::Ended,
            ThreadStatus::Stopped | ThreadStatus::Diverged | ThreadStatus::Cut => return Standing::Stopped,
            ThreadStatus::Live => {}
        }
        match &self.code.ops[own.pc as usize] {
            Op::AtomicBegin => Standing::Section,
            Op::Sync { op, operands, .. } => match self.waits_in_action(thread, *op, operands) {
                Some(waiting) => Standing::Blocked(waiting),
                None => Standing::Ready,
            },
            Op::Join { thread: handle, .. } => match self.waits_in_join(thread, *handle) {
                Some(waiting) => Standing::Blocked(waiting),
                None => Standing::Ready,
            },
            _ => Standing::Ready,
        }
    }

    /// How all threads stand; atomic sections are tried, with zero for every choice, to see whether they can be entered.
    pub fn standings(&self) -> Vec<Standing> {
        (0..self.thread_count()).map(|thread| self.probe(ThreadId(thread as u32))).collect()
    }

    fn probe(&self, thread: ThreadId) -> Standing {
        match self.standing(thread) {
            Standing::Section => {
                let mut trial = Machine::at(self.code, self.config, self.state.clone());
                match trial.step(thread, &mut FixedChoices(0)) {
                    StepResult::Taken | StepResult::Over(_) => Standing::Ready,
                    StepResult::Refused(refusal) => refusal.standing(),
                }
            }
            other => other,
        }
    }

    /// The deadlock of this state, if `no-deadlock` is selected and there is one.
    pub fn find_deadlock(&self, standings: &[Standing]) -> Option<Violation> {
        if !self.looks_for_deadlocks() {
            return None;
        }
        let (waiting, global) = crate::deadlock::find(standings)?;
        Some(self.deadlock(&waiting, global))
    }

    pub fn selected(&self, property: Property) -> bool {
        self.config.properties.contains(property)
    }

    pub fn looks_for_deadlocks(&self) -> bool {
        self.config.properties.contains(Property::NoDeadlock)
    }

    /// Whether a step of the thread may change how others stand: everything but plain memory accesses.
    pub fn may_wake_others(&self, thread: ThreadId) -> bool {
        let op = &self.code.ops[self.state.threads[thread.0 as usize].pc as usize];
        !matches!(op, Op::Load { .. } | Op::Store { .. } | Op::Nondet { .. })
    }

    pub fn site_of(&self, thread: ThreadId) -> Site {
        self.state.threads[thread.0 as usize].site()
    }

    pub fn thread_count(&self) -> usize {
        self.state.threads.len()
    }

    pub fn code(&self) -> &'c Code<'c> {
        self.code
    }

    pub fn config(&self) -> &Config {
        &self.config
    }
}

/// Why a step was not taken, or took the execution to its end.
enum Declined {
    Refused(Refusal),
    Over(Box<End>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// The thread stands before a visible instruction.
    Visible,
    /// The thread has left all atomic sections.
    SectionEnd,
}

/// Finds out that a run comes back to where it was. Remembers the state after 2ᵏ instructions (Brent).
pub struct CycleFinder {
    pub pc: u32,
    changes: u64,
    frames: Vec<Frame>,
    registers: Vec<Value>,
    /// After how many instructions the state was remembered, and after how many to do so again.
    pub at: u64,
    pub next: u64,
}

impl CycleFinder {
    const FIRST: u64 = 256;
    /// The budget is looked at, and the state remembered, at least this often; longer cycles are not found.
    const MAX_DISTANCE: u64 = 1 << 22;

    pub fn new(fuel: u64) -> Self {
        Self { pc: u32::MAX, changes: 0, frames: Vec::new(), registers: Vec::new(), at: 0, next: Self::FIRST.min(fuel) }
    }

    #[cold]
    pub fn remember(&mut self, thread: &ExecThread, changes: u64, executed: u64, fuel: u64) {
        self.pc = thread.pc;
        self.changes = changes;
        self.frames.clone_from(&thread.frames);
        self.registers.clone_from(&thread.registers);
        self.at = executed;
        self.next = (executed + executed.min(Self::MAX_DISTANCE)).min(fuel);
    }

    pub fn is_back(&self, thread: &ExecThread, changes: u64) -> bool {
        changes == self.changes && thread.frames == self.frames && thread.registers == self.registers
    }
}
