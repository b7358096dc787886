//! Steps of the interpreter, watched instruction by instruction. What a step is, is said in `program::schedule`.
//!
//! Unlike `Machine::step`, an atomic section that cannot be finished is not taken back: whoever tries such sections keeps
//! a copy of the state.

use execute::{ChoiceSource, Code, Config, End, ExecState, Halt, Machine, Op, ThreadStatus};
use program::{Location, ThreadId};

/// Sees each instruction that is executed.
pub trait Watcher {
    fn before(&mut self, _machine: &Machine<'_>, _thread: ThreadId, _location: Location) {}
    fn after(&mut self, _machine: &Machine<'_>, _thread: ThreadId, _location: Location) {}
}

/// Looks away.
pub struct Nobody;

impl Watcher for Nobody {}

/// What came of a step.
#[derive(Debug)]
pub enum Stepped {
    Taken,
    /// The thread is blocked, has ended or stands in an atomic section that it cannot finish.
    Refused,
    Over(End),
}

pub struct Stepper<'c> {
    pub machine: Machine<'c>,
    /// Instructions that a thread may execute in one atomic section, or in one tail, before it is cut off.
    pub fuel: u64,
}

impl<'c> Stepper<'c> {
    /// Before the first instruction; [`start`](Self::start) comes next.
    pub fn new(code: &'c Code<'c>, config: Config) -> Self {
        let mut machine = Machine::new(code, config);
        machine.hold_new_threads = true;
        Self { machine, fuel: config.fuel }
    }

    /// In a given state.
    pub fn at(code: &'c Code<'c>, config: Config, state: ExecState) -> Self {
        let mut machine = Machine::at(code, config, state);
        machine.hold_new_threads = true;
        Self { machine, fuel: config.fuel }
    }

    /// Runs the main thread up to its first visible instruction.
    pub fn start(&mut self, choices: &mut dyn ChoiceSource, watcher: &mut dyn Watcher) -> Option<End> {
        self.tail(0, choices, watcher).err().or_else(|| self.machine.over())
    }

    /// Lets a live thread take a step.
    pub fn step(&mut self, thread: ThreadId, choices: &mut dyn ChoiceSource, watcher: &mut dyn Watcher) -> Stepped {
        let index = thread.0 as usize;
        self.machine.current = index;
        if self.machine.thread().status != ThreadStatus::Live {
            return Stepped::Refused;
        }
        let is_section = self.stands_at(|op| matches!(op, Op::AtomicBegin));
        let mut finished = false;
        for _ in 0..self.fuel.max(1) {
            match self.instruction(choices, watcher) {
                Ok(()) => finished = !is_section || self.machine.thread().section == 0,
                Err(Halt::End(end)) => return Stepped::Over(*end),
                Err(Halt::ThreadEnded) => return self.taken(),
                Err(_) => return Stepped::Refused,
            }
            if finished {
                break;
            }
        }
        if !finished {
            return Stepped::Refused;
        }
        match self.tail(index, choices, watcher) {
            Err(end) => Stepped::Over(end),
            Ok(()) => self.taken(),
        }
    }

    fn taken(&mut self) -> Stepped {
        self.machine.over().map_or(Stepped::Taken, Stepped::Over)
    }

    fn stands_at(&self, test: impl Fn(&Op) -> bool) -> bool {
        test(&self.machine.code().ops[self.machine.thread().pc as usize])
    }

    /// Executes one instruction of the current thread; threads that it creates run up to their first visible one.
    fn instruction(&mut self, choices: &mut dyn ChoiceSource, watcher: &mut dyn Watcher) -> Result<(), Halt> {
        let thread = self.machine.thread_id();
        let location = self.machine.code().location(self.machine.site_of(thread));
        watcher.before(&self.machine, thread, location);
        let threads = self.machine.thread_count();
        let result = self.machine.execute(choices);
        let finished = |end: &End| matches!(end, End::Finished { .. });
        match &result {
            Ok(()) | Err(Halt::ThreadEnded) => watcher.after(&self.machine, thread, location),
            Err(Halt::End(end)) if finished(end) => watcher.after(&self.machine, thread, location),
            Err(_) => {}
        }
        result?;
        for child in threads..self.machine.thread_count() {
            let ended = self.tail(child, choices, watcher);
            self.machine.current = thread.0 as usize;
            ended.map_err(Halt::from)?;
        }
        Ok(())
    }

    /// The invisible instructions that follow a step.
    fn tail(&mut self, thread: usize, choices: &mut dyn ChoiceSource, watcher: &mut dyn Watcher) -> Result<(), End> {
        self.machine.current = thread;
        for _ in 0..self.fuel {
            if self.machine.code().visible[self.machine.thread().pc as usize] {
                return Ok(());
            }
            match self.instruction(choices, watcher) {
                Ok(()) => {}
                Err(Halt::ThreadEnded) => return Ok(()),
                Err(Halt::End(end)) => match *end {
                    // The thread's next step is to run into it.
                    End::Undefined(_) | End::Unsupported { .. } => return Ok(()),
                    over => return Err(over),
                },
                Err(_) => {
                    self.machine.thread_mut().status = ThreadStatus::Stopped;
                    return Ok(());
                }
            }
        }
        self.machine.thread_mut().status = ThreadStatus::Cut;
        Ok(())
    }
}
