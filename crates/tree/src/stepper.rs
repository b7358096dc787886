//! Steps of one thread with symbolic data: the machine of the interpreter, instruction by instruction, with whatever
//! concerns tokens taken out of its hands. Where a path would part, the stepper stops *before* the instruction
//! ([`Stop`]); the walk decides, adds a fact or a choice, and the same instruction is executed again.
//!
//! What a step is, and what stops a thread, is exactly what `execute::Machine` says.

use execute::{
    AccessCode, Arg, Ask, BranchTarget, ChoiceSource, Code, Config, CycleFinder, End, Halt, Machine, Op, Refusal,
    Standing, ThreadStatus, Value,
};
use program::{ObjectName, Property, PropertySet, ThreadId, Type};
use rustc_hash::FxHashMap;
use terms::{Term, TermId};

use crate::configuration::{Configuration, TreeRun, Until};
use crate::linear_sums::LinearSums;
use crate::symbols::{InputName, Symbols};
use crate::trail::{Input, Trail};

/// Why a thread does not go on.
#[derive(Debug)]
pub enum Stop {
    Halt(Halt),
    /// The truth of a term decides how to go on.
    Truth(TermId),
    /// The value of a term decides how to go on.
    Value(TermId),
    /// One of these has to be chosen.
    OneOf(Vec<u64>),
}

impl From<Halt> for Stop {
    fn from(halt: Halt) -> Self {
        Stop::Halt(halt)
    }
}

/// What came of letting the threads of a configuration run.
#[derive(Debug)]
pub enum ConfigurationAdvance {
    /// All threads stand before visible instructions, have ended or are stopped.
    Point,
    /// The step could not be taken.
    Refused(Refusal),
    Over(Box<End>),
    /// The path parts; never [`Stop::Halt`].
    Parts(Stop),
}

/// Values of a term that are tried one by one before the term counts as unsupported.
const MAX_VALUES: usize = 256;

/// The configuration that runs, inside the machine, and what all paths share.
pub struct Stepper<'c> {
    pub machine: Machine<'c>,
    pub symbols: Symbols,
    pub trail: Trail,
    /// As in the configuration.
    pub symbolic: bool,
    pub(crate) environment: Environment,
    pub(crate) sums: LinearSums,
    /// Of assignments that demand nothing, by position and operands.
    pub(crate) results: FxHashMap<(u32, [Value; 2]), Value>,
    fuel: u64,
    /// Whether a thread was cut off or a section given up for want of fuel.
    pub out_of_fuel: bool,
}

/// Answers what the machine asks for by itself: the contents of indeterminate memory, for which a variable takes its
/// place afterwards, and alternatives, of which one was decided before.
#[derive(Default)]
pub(crate) struct Environment {
    decided: Option<u64>,
    alternatives: Option<Vec<u64>>,
}

impl ChoiceSource for Environment {
    fn choose(&mut self, _: ThreadId, ask: Ask<'_>) -> u64 {
        match ask {
            Ask::Input(_) => 0,
            Ask::OneOf([only]) => *only,
            Ask::OneOf(values) => match self.decided.take() {
                Some(value) => value,
                None => {
                    self.alternatives = Some(values.to_vec());
                    values[0]
                }
            },
        }
    }

    fn memory(&mut self, _: ObjectName, _: u64, length: u64) -> Vec<u8> {
        vec![0; length as usize]
    }
}

impl<'c> Stepper<'c> {
    pub fn new(code: &'c Code<'c>, properties: PropertySet, fuel: u64) -> Self {
        Self {
            machine: first_machine(code, Config { fuel, abstract_addresses: true, ..Config::new(properties) }),
            symbols: Symbols::new(),
            trail: Trail::default(),
            symbolic: false,
            environment: Environment::default(),
            sums: LinearSums::default(),
            results: FxHashMap::default(),
            fuel,
            out_of_fuel: false,
        }
    }

    /// Goes back to the beginning. Terms keep their meaning.
    pub fn begin_again(&mut self) {
        self.machine = first_machine(self.machine.code(), *self.machine.config());
        self.trail = Trail::default();
        self.symbolic = false;
        self.out_of_fuel = false;
    }

    /// Lets the threads of the configuration in the machine run until all have done their part of the step.
    pub fn advance(&mut self, configuration: &mut Configuration) -> ConfigurationAdvance {
        self.environment.decided = configuration.choice.take();
        let stepping = configuration.runs.first().map_or(0, |run| run.thread);
        while let Some(&run) = configuration.runs.last() {
            self.machine.current = run.thread;
            let ran = self.run(run.until);
            let finished = match ran {
                Err(Stop::Halt(halt)) => match self.settle(run, halt) {
                    Ok(()) => true,
                    Err(over) => return over,
                },
                Err(parts) => {
                    configuration.choice = self.environment.decided.take();
                    return ConfigurationAdvance::Parts(parts);
                }
                Ok(()) => false,
            };
            let last = configuration.runs.len() - 1;
            match run.until {
                _ if finished => drop(configuration.runs.pop()),
                Until::Visible => drop(configuration.runs.pop()),
                Until::Stepped | Until::SectionEnd => configuration.runs[last].until = Until::Visible,
            }
            let born = configuration.threads..self.machine.thread_count();
            configuration.threads = born.end;
            configuration.runs.extend(born.map(|thread| TreeRun { thread, until: Until::Visible }));
        }
        self.machine.current = stepping;
        match self.machine.over() {
            Some(end) => ConfigurationAdvance::Over(Box::new(end)),
            None => ConfigurationAdvance::Point,
        }
    }

    /// What a halt means: the thread has done its part, or nothing follows.
    fn settle(&mut self, run: TreeRun, halt: Halt) -> Result<(), ConfigurationAdvance> {
        let status = match (run.until, halt) {
            (_, Halt::ThreadEnded) => return Ok(()),
            (Until::Visible, Halt::End(end)) if matches!(*end, End::Undefined(_) | End::Unsupported { .. }) => {
                return Ok(());
            }
            (_, Halt::End(end)) => return Err(ConfigurationAdvance::Over(end)),
            (Until::SectionEnd, Halt::AssumeFailed) => return Err(ConfigurationAdvance::Refused(Refusal::Assume)),
            (Until::SectionEnd, Halt::Diverged) => {
                return Err(ConfigurationAdvance::Refused(Refusal::Endless { certain: true }));
            }
            (Until::SectionEnd, Halt::Cut) => {
                self.out_of_fuel = true;
                return Err(ConfigurationAdvance::Refused(Refusal::Endless { certain: false }));
            }
            (_, Halt::Blocked(waiting)) => return Err(ConfigurationAdvance::Refused(Refusal::Blocked(*waiting))),
            (_, Halt::AssumeFailed) => ThreadStatus::Stopped,
            (_, Halt::Diverged) => ThreadStatus::Diverged,
            (_, Halt::Cut) => {
                self.out_of_fuel = true;
                ThreadStatus::Cut
            }
        };
        self.machine.thread_mut().status = status;
        Ok(())
    }

    /// How a thread stands that must not change anything: atomic sections are tried. Who waits in a section only for
    /// some of the choices made there does not count as waiting.
    ///
    /// # Errors
    /// What it depends on, of that which the path has not decided.
    pub fn standing(&mut self, thread: ThreadId) -> Result<Standing, Stop> {
        let standing = self.machine.standing(thread);
        if standing != Standing::Section {
            return Ok(standing);
        }
        let (before, symbolic) = (self.machine.state.clone(), self.symbolic);
        let (mark, fuel) = (self.trail.mark(), self.out_of_fuel);
        let mut trial = Configuration::of(before.clone());
        trial.threads = self.machine.thread_count();
        trial.symbolic = symbolic;
        trial.runs.push(TreeRun { thread: thread.0 as usize, until: Until::SectionEnd });
        let advance = self.advance(&mut trial);
        let chose = self.trail.mark() != mark;
        self.trail.back_to(mark);
        self.machine.state = before;
        (self.symbolic, self.out_of_fuel) = (symbolic, fuel);
        match advance {
            ConfigurationAdvance::Point | ConfigurationAdvance::Over(_) => Ok(Standing::Ready),
            ConfigurationAdvance::Parts(stop @ (Stop::Truth(_) | Stop::Value(_))) if !chose => Err(stop),
            ConfigurationAdvance::Parts(_) => Ok(Standing::Stopped),
            ConfigurationAdvance::Refused(Refusal::Blocked(_)) if chose => Ok(Standing::Stopped),
            ConfigurationAdvance::Refused(refusal) => Ok(refusal.standing()),
        }
    }

    fn run(&mut self, until: Until) -> Result<(), Stop> {
        if until == Until::Stepped {
            return self.instruction();
        }
        if until == Until::SectionEnd && self.machine.thread().section == 0 {
            self.instruction()?;
        }
        let fuel = self.fuel;
        let mut cycle = CycleFinder::new(fuel);
        let mut executed = 0;
        let code = self.machine.code();
        loop {
            if !self.symbolic {
                let limit = cycle.next - executed;
                executed += self.machine.thread_mut().run_registers_without_addresses(code, cycle.pc, limit);
            }
            let thread = self.machine.thread();
            match until {
                // What comes next is no part of the section: a path that parts there must not begin the section again.
                Until::SectionEnd if thread.section == 0 => return Ok(()),
                Until::Visible if code.visible[thread.pc as usize] => return self.know_what_is_waited_for(),
                _ => {}
            }
            if thread.pc == cycle.pc && executed > cycle.at && cycle.is_back(thread, self.machine.changes) {
                return Err(Halt::Diverged.into());
            }
            if executed >= cycle.next {
                if executed >= fuel {
                    return Err(Halt::Cut.into());
                }
                cycle.remember(self.machine.thread(), self.machine.changes, executed, fuel);
                continue;
            }
            executed += 1;
            self.instruction()?;
        }
    }

    /// A thread that stands before a blocking instruction must know its object: others look at whether it waits.
    pub(crate) fn know_what_is_waited_for(&mut self) -> Result<(), Stop> {
        if !self.symbolic {
            return Ok(());
        }
        let code = self.machine.code();
        match &code.ops[self.machine.thread().pc as usize] {
            Op::Sync { operands, .. } => operands.iter().try_for_each(|&operand| self.settle_value(operand, 64)),
            Op::Join { thread, .. } => self.settle_value(*thread, code.pointer_bits),
            _ => Ok(()),
        }
    }

    /// Executes one instruction of the current thread.
    pub(crate) fn instruction(&mut self) -> Result<(), Stop> {
        let code = self.machine.code();
        let op = &code.ops[self.machine.thread().pc as usize];
        match op {
            Op::Nondet { target, ty } => {
                self.nondet(*target, *ty);
                return Ok(());
            }
            Op::Load { address, access, .. }
            | Op::ReadModifyWrite { address, access, .. }
            | Op::CompareExchange { address, access, .. } => {
                self.settle_value(*address, code.pointer_bits)?;
                self.determine(self.machine.value(*address), u64::from(access.bytes));
            }
            Op::Store { address, .. } => self.settle_value(*address, code.pointer_bits)?,
            Op::CopyMemory { target, source, size, .. } => {
                for &arg in [target, source, size] {
                    self.settle_value(arg, code.pointer_bits)?;
                }
            }
            Op::SetMemory { target, size, .. } => {
                for &arg in [target, size] {
                    self.settle_value(arg, code.pointer_bits)?;
                }
            }
            _ => {}
        }
        if self.splits_an_address(op) {
            return Err(self.unsupported("byte-wise access to a pointer".to_owned()));
        }
        if self.symbolic && self.symbolic_instruction(op)? {
            return Ok(());
        }
        self.known_instruction(op)
    }

    /// Whether the instruction reads, copies or overwrites a part of a pointer: what is left are the bytes of an address.
    fn splits_an_address(&self, op: &Op) -> bool {
        let memory = &self.machine.state.memory;
        let splits = |address: Arg, length: u64| {
            let place = memory.place(self.machine.value(address), length, false);
            place.is_ok_and(|place| memory.splits_pointer(place, length))
        };
        match op {
            Op::Load { address, access, .. }
            | Op::Store { address, access, .. }
            | Op::ReadModifyWrite { address, access, .. }
            | Op::CompareExchange { address, access, .. }
            | Op::Spawn { store: Some((address, access)), .. } => splits(*address, u64::from(access.bytes)),
            Op::CopyMemory { target, source, size, .. } => {
                let size = self.machine.value(*size).bits;
                splits(*source, size) || splits(*target, size)
            }
            Op::SetMemory { target, size, .. } => splits(*target, self.machine.value(*size).bits),
            _ => false,
        }
    }

    fn nondet(&mut self, target: u32, ty: Type) {
        let thread = self.machine.thread_id();
        let bits = ty.bits(self.machine.code().program.data_model);
        let term = self.symbols.input(InputName::Choice(thread, self.trail.choices_of(thread), bits));
        self.trail.push_input(Input::Choice(thread, term));
        self.symbolic = true;
        let value = self.symbols.value(term, None);
        self.machine.assign(target, value);
    }

    /// An instruction that the machine executes; what it chooses and finds indeterminate is noted.
    fn known_instruction(&mut self, op: &Op) -> Result<(), Stop> {
        let may_choose = match op {
            Op::Sync { op, .. } => sync::class(*op).chooses,
            Op::CompareExchange { weak, .. } => *weak,
            _ => false,
        };
        let before = may_choose.then(|| self.machine.state.clone());
        self.machine.execute(&mut self.environment)?;
        if let (Some(state), Some(alternatives)) = (before, self.environment.alternatives.take()) {
            self.machine.state = state;
            self.machine.record.choices.clear();
            return Err(Stop::OneOf(alternatives));
        }
        if !self.machine.record.choices.is_empty() {
            let made = std::mem::take(&mut self.machine.record.choices);
            made.into_iter().for_each(|(thread, value)| self.trail.push_input(Input::Known(thread, value)));
        }
        if !self.machine.record.memory.is_empty() {
            self.replace_determined()?;
        }
        Ok(())
    }

    /// The truth of a term on this path.
    pub(crate) fn truth(&self, term: TermId) -> Result<bool, Stop> {
        if let Some(truth) = self.symbols.terms.as_boolean(term) {
            return Ok(truth);
        }
        let (term, negated) = match self.symbols.terms.get(term) {
            Term::Not(inner) => (inner, true),
            _ => (term, false),
        };
        self.trail.truth(term).map(|truth| truth != negated).ok_or(Stop::Truth(term))
    }

    /// The value of a term on this path.
    pub(crate) fn value_of(&self, term: TermId) -> Result<u64, Stop> {
        if let Some(value) = self.symbols.terms.as_constant(term).or_else(|| self.trail.value(term)) {
            return Ok(value);
        }
        if self.trail.excluded_values(term) >= MAX_VALUES {
            return Err(self.unsupported("an address, size or thread handle with too many possible values".to_owned()));
        }
        Err(Stop::Value(term))
    }

    pub(crate) fn unsupported(&self, what: String) -> Stop {
        Stop::Halt(End::Unsupported { what, span: self.machine.span() }.into())
    }

    /// Makes a truth value known: the register that holds it becomes a constant.
    pub(crate) fn settle_truth(&mut self, arg: Arg) -> Result<(), Stop> {
        let value = self.machine.value(arg);
        if value.is_opaque() {
            let term = self.symbols.term(value, 1);
            let truth = self.truth(term)?;
            self.put(arg, Value::truth(truth));
        }
        Ok(())
    }

    /// Makes a value known: the register that holds it becomes a constant.
    pub(crate) fn settle_value(&mut self, arg: Arg, bits: u8) -> Result<(), Stop> {
        let value = self.machine.value(arg);
        let Some(symbol) = self.symbols.symbol(value) else { return Ok(()) };
        if bits == 1 {
            return self.settle_truth(arg);
        }
        let known = self.value_of(symbol.term)?;
        self.put(arg, Value::with_provenance(known, symbol.provenance));
        Ok(())
    }

    /// Puts a known value in the place of a token. Only registers hold tokens.
    fn put(&mut self, arg: Arg, value: Value) {
        let Arg::Register(register) = arg else { unreachable!("{arg:?} should not be a token") };
        self.machine.thread_mut().set(register, value);
    }

    pub(crate) fn is_opaque(&self, arg: Arg) -> bool {
        self.machine.value(arg).is_opaque()
    }

    pub(crate) fn selects(&self, property: Property) -> bool {
        self.machine.selected(property)
    }

    /// Instructions on tokens that are no arithmetic. `false` if the machine can execute the instruction.
    fn symbolic_instruction(&mut self, op: &Op) -> Result<bool, Stop> {
        let pointer_bits = self.machine.code().pointer_bits;
        match op {
            Op::Branch { condition, .. } | Op::Assume { condition } | Op::Assert { condition, .. } => {
                self.settle_truth(*condition)?;
            }
            Op::Switch { value, cases, default } => return self.switch(*value, cases, *default),
            Op::Load { target, address, access } => return self.load(*target, *address, *access),
            Op::Store { address, value, access } => {
                self.settle_value(*address, pointer_bits)?;
                return self.store(*address, *value, *access);
            }
            Op::ReadModifyWrite { .. } | Op::CompareExchange { .. } => return self.update(op),
            Op::Allocate { size, .. } => self.settle_value(*size, pointer_bits)?,
            Op::Free { address, .. } => self.settle_value(*address, pointer_bits)?,
            Op::Reallocate { address, size, .. } => {
                self.settle_value(*address, pointer_bits)?;
                self.settle_value(*size, pointer_bits)?;
                self.divide_for_reallocation(*address, *size);
            }
            Op::CopyMemory { target, source, size, .. } => {
                for &arg in [target, source, size] {
                    self.settle_value(arg, pointer_bits)?;
                }
                self.divide_for_copy(*target, *source, *size);
            }
            Op::SetMemory { target, byte, size } => {
                for &arg in [target, size] {
                    self.settle_value(arg, pointer_bits)?;
                }
                return self.set_memory(*target, *byte, *size);
            }
            Op::Call { callee: BranchTarget::Indirect(callee), .. } => self.settle_value(*callee, pointer_bits)?,
            Op::Spawn { store, function, detached, .. } => {
                if let BranchTarget::Indirect(function) = function {
                    self.settle_value(*function, pointer_bits)?;
                }
                self.settle_truth(*detached)?;
                if let Some((address, access)) = store {
                    self.settle_value(*address, pointer_bits)?;
                    self.divide_around(*address, u64::from(access.bytes));
                }
            }
            Op::Join { thread, .. } | Op::Detach { thread, .. } => self.settle_value(*thread, pointer_bits)?,
            Op::Sync { operands, .. } => {
                operands.iter().try_for_each(|&operand| self.settle_value(operand, 64))?;
            }
            Op::Library { target, function, arguments } => return self.library(*target, *function, arguments),
            _ => return self.arithmetic(op),
        }
        Ok(false)
    }

    fn switch(&mut self, value: Arg, cases: &FxHashMap<u64, u32>, default: u32) -> Result<bool, Stop> {
        let Some(symbol) = self.symbols.symbol(self.machine.value(value)) else { return Ok(false) };
        let width = match self.symbols.terms.sort(symbol.term) {
            terms::Sort::Bool => 1,
            terms::Sort::BitVec(width) => width,
            terms::Sort::Array(_) => unreachable!("a value should not be an array"),
        };
        let term = self.symbols.term(self.machine.value(value), width as u8);
        let mut labels: Vec<u64> = cases.keys().copied().collect();
        labels.sort_unstable();
        for label in labels {
            let equal = match width {
                1 if label == 1 => term,
                1 => self.symbols.terms.not(term),
                _ => {
                    let label = self.symbols.terms.constant(width, label);
                    self.symbols.terms.eq(term, label)
                }
            };
            if self.truth(equal)? {
                self.machine.thread_mut().pc = cases[&label];
                return Ok(true);
            }
        }
        self.machine.thread_mut().pc = default;
        Ok(true)
    }

    pub(crate) fn store(&mut self, address: Arg, value: Arg, access: AccessCode) -> Result<bool, Stop> {
        self.divide_around(address, u64::from(access.bytes));
        let value = self.machine.value(value);
        if !value.is_opaque() {
            return Ok(false);
        }
        let term = self.symbols.term(value, access.bytes * 8);
        let provenance = self.symbols.provenance(value);
        let value = self.symbols.value(term, provenance);
        let address = self.machine.value(address);
        self.machine.store(address, value, access)?;
        self.machine.next();
        Ok(true)
    }
}

fn first_machine<'c>(code: &'c Code<'c>, config: Config) -> Machine<'c> {
    let mut machine = Machine::new(code, config);
    machine.hold_new_threads = true;
    machine
}
