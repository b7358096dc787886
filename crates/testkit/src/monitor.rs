//! The soundness monitor: a program runs in the interpreter, and every access, call, assignment and wait is compared with
//! what the analyses claim of all executions: points-to and sharing (crate `program`), the static survey of races and the
//! order of locks (crate `statics`), the table of effects. A claim that a run contradicts is a finding that names the analysis.
//!
//! The interpreter knows nothing of this: the stepper of crate `predict` shows each instruction before and after it is
//! executed, so that an unwatched run costs nothing.

use std::ops::RangeInclusive;

use base::Budget;
use execute::{Ask, ChoiceSource, Code, Config, End, Machine, Op, Provenance, RandomChoices, ThreadStatus, Value};
use predict::stepper::{Stepped, Stepper, Watcher};
use program::effects::{AccessAddress, AccessKind, ByteExtent, MemoryAccess, effects};
use program::instruction::{Callee, InstructionKind, Operand, TerminatorKind};
use program::points_to::MemoryObject;
use program::sharing::{Sharing, touched_objects};
use program::{At, FunctionId, Location, Program, Property, PropertySet, RegisterId, SyncOp, ThreadId, Type};
use rustc_hash::FxHashMap;
use statics::{ClaimedGuard, Claims, ConcreteValue};
use sync::LockEffect;

use crate::effects_monitor::ExpectedAccesses;
use crate::random::Random;
use crate::subject::{Subject, caught};

/// A claim that a run contradicts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Contradiction {
    /// The analysis that made the claim.
    pub analysis: &'static str,
    pub message: String,
}

/// How a program is run.
#[derive(Clone, Debug)]
pub struct Watching {
    /// Inputs are from here, where something is said about them.
    pub inputs: Option<RangeInclusive<i64>>,
    pub seed: u64,
    pub schedules: u64,
    /// Steps of each execution.
    pub steps: usize,
}

/// Runs the program under random schedules; all contradictions once, or the message of a panic.
pub fn watch(subject: &Subject, watching: &Watching) -> Result<Vec<Contradiction>, String> {
    caught(|| {
        let claimed = Claimed::new(&subject.program);
        let Ok(code) = Code::of(&subject.analyses()) else { return Vec::new() };
        let mut found: Vec<Contradiction> = (0..watching.schedules)
            .flat_map(|turn| run_once(&code, &claimed, watching, watching.seed.wrapping_add(turn * 7919)))
            .collect();
        found.sort();
        found.dedup();
        found
    })
}

/// All that is claimed about a program.
struct Claimed {
    sharing: Sharing,
    statics: Option<Claims>,
    is_race_free: bool,
    excludes_deadlock: bool,
}

impl Claimed {
    fn new(program: &Program) -> Self {
        let budget = Budget::unlimited();
        Self {
            sharing: Sharing::new(program),
            statics: statics::claims(program, &budget).ok(),
            is_race_free: statics::survey(program, &budget).is_ok_and(|survey| survey.is_race_free()),
            excludes_deadlock: statics::lock_order(program, &budget).is_ok_and(|order| order.excludes_deadlock()),
        }
    }
}

fn run_once(code: &Code<'_>, claimed: &Claimed, watching: &Watching, seed: u64) -> Vec<Contradiction> {
    let mut config = Config::new(PropertySet::of(&[Property::NoDataRace, Property::NoDeadlock]));
    config.fuel = 20_000;
    config.lone_fuel = 20_000;
    let mut stepper = Stepper::new(code, config);
    stepper.machine.log_accesses();
    let mut inputs =
        Inputs { range: watching.inputs.clone(), random: Random::new(seed), rest: RandomChoices::new(seed) };
    let mut monitor = Monitor::new(code.program, claimed);
    let mut end = stepper.start(&mut inputs, &mut monitor);
    let mut random = Random::new(seed ^ 0x7363_6865_6475);
    for step in 0..watching.steps {
        if end.is_some() {
            break;
        }
        if step % 16 == 15 {
            monitor.check_deadlock(&stepper.machine);
        }
        end = match random_step(&mut stepper, &mut inputs, &mut monitor, &mut random) {
            Some(Stepped::Over(over)) => Some(over),
            Some(_) => None,
            None => break,
        };
    }
    if end.is_none() {
        monitor.check_deadlock(&stepper.machine);
    }
    if let Some(End::Violated(violation)) = &end
        && violation.property == Property::NoDataRace
        && claimed.is_race_free
    {
        monitor.contradict("static races", format!("claimed to be race-free, but {}", violation.message));
    }
    monitor.found
}

/// A step of some thread that can take one; `None` if there is none.
fn random_step(
    stepper: &mut Stepper<'_>,
    inputs: &mut Inputs,
    monitor: &mut Monitor<'_>,
    random: &mut Random,
) -> Option<Stepped> {
    let count = stepper.machine.thread_count();
    let first = random.below(count);
    for turn in 0..count {
        let thread = ThreadId(((first + turn) % count) as u32);
        if stepper.machine.state.threads[thread.0 as usize].status != ThreadStatus::Live {
            continue;
        }
        // A section that cannot be finished has not been entered, and what was noted in it has not been seen.
        let pc = stepper.machine.state.threads[thread.0 as usize].pc;
        let is_section = matches!(stepper.machine.code().ops[pc as usize], Op::AtomicBegin);
        let before = is_section.then(|| (stepper.machine.state.clone(), monitor.clone()));
        match stepper.step(thread, inputs, monitor) {
            Stepped::Refused => {
                if let Some((state, noted)) = before {
                    stepper.machine.state = state;
                    *monitor = noted;
                }
            }
            taken => return Some(taken),
        }
    }
    None
}

struct Inputs {
    range: Option<RangeInclusive<i64>>,
    random: Random,
    rest: RandomChoices,
}

impl ChoiceSource for Inputs {
    fn choose(&mut self, thread: ThreadId, ask: Ask<'_>) -> u64 {
        match (ask, &self.range) {
            (Ask::Input(Type::Int(bits)), Some(range)) => {
                let width = range.end().wrapping_sub(*range.start()).unsigned_abs().min(1 << 20) as usize + 1;
                let value = range.start().wrapping_add(self.random.below(width) as i64) as u64;
                value & execute::mask(bits)
            }
            _ => self.rest.choose(thread, ask),
        }
    }

    fn memory(&mut self, object: program::ObjectName, offset: u64, length: u64) -> Vec<u8> {
        self.rest.memory(object, offset, length)
    }
}

/// A lock in memory.
type LockAt = (u32, u64);

#[derive(Clone)]
struct Monitor<'p> {
    program: &'p Program,
    claimed: &'p Claimed,
    /// Locals and allocations, by what made them.
    made: FxHashMap<Provenance, MemoryObject>,
    /// Who touched each of them first.
    first_toucher: FxHashMap<Provenance, ThreadId>,
    handles: FxHashMap<u64, (Option<Location>, FunctionId)>,
    /// Where each thread was created, and what it executes.
    threads: Vec<(Option<Location>, FunctionId)>,
    /// How often each thread holds each lock.
    held: FxHashMap<(ThreadId, LockAt), u32>,
    /// What the instruction that is executed may access.
    expected: ExpectedAccesses,
    found: Vec<Contradiction>,
}

impl<'p> Monitor<'p> {
    fn new(program: &'p Program, claimed: &'p Claimed) -> Self {
        Self {
            program,
            claimed,
            made: FxHashMap::default(),
            first_toucher: FxHashMap::default(),
            handles: FxHashMap::default(),
            threads: vec![(None, program.entry)],
            held: FxHashMap::default(),
            expected: ExpectedAccesses::default(),
            found: Vec::new(),
        }
    }

    fn contradict(&mut self, analysis: &'static str, message: String) {
        self.found.push(Contradiction { analysis, message });
    }

    fn at(&self, location: Location) -> String {
        format!("{location} ({})", self.program.files.describe(self.program.span(location)))
    }

    /// What stands for a concrete object in the analyses.
    fn abstraction(&self, object: Provenance) -> Option<MemoryObject> {
        let functions = self.program.functions.len() as u32;
        let globals = self.program.globals.len() as u32;
        match object.slot {
            slot if slot < functions => Some(MemoryObject::Function(FunctionId(slot))),
            slot if slot < functions + globals => Some(MemoryObject::Global(program::GlobalId(slot - functions))),
            _ => self.made.get(&object).copied(),
        }
    }

    fn check_deadlock(&mut self, machine: &Machine<'_>) {
        if self.claimed.excludes_deadlock
            && let Some(violation) = machine.find_deadlock(&machine.standings())
        {
            self.contradict("lock order", format!("claimed to exclude deadlock, but {}", violation.message));
        }
    }

    fn check_access(&mut self, machine: &Machine<'_>, thread: ThreadId, location: Location, access: &ConcreteAccess) {
        let size = access.size;
        let Ok(place) = machine.state.memory.place(access.address, size, access.writes) else { return };
        let object = machine.state.memory.object(place.slot);
        let provenance = Provenance { slot: place.slot, stamp: object.stamp };
        let Some(known) = self.abstraction(provenance) else { return };
        let At::Instruction(instruction) = self.program.at(location) else { return };
        let points_to = &self.claimed.sharing.points_to;
        let Some(id) = points_to.id(known) else { return };
        if !touched_objects(self.program, points_to, location.function, &instruction.kind).contains(id) {
            self.contradict("points-to", format!("{} touches {known:?}", self.at(location)));
        }
        let first = *self.first_toucher.entry(provenance).or_insert(thread);
        if first != thread && !object.never_changes() && !self.claimed.sharing.escapes(id) {
            self.contradict("sharing", format!("{} touches {known:?} of another thread", self.at(location)));
        }
        if let Some(claims) = &self.claimed.statics
            && !claims.may_access(location, (known, place.offset, size), |guard| self.holds(machine, thread, guard))
        {
            let offset = place.offset;
            self.contradict(
                "static analysis",
                format!("{} accesses {size} bytes of {known:?} at {offset}", self.at(location)),
            );
        }
        if access.writes && !access.synchronises {
            let bytes = place.offset..place.offset + size;
            self.held.retain(|&(_, (slot, offset)), _| slot != place.slot || !bytes.contains(&offset));
        }
    }

    fn holds(&self, machine: &Machine<'_>, thread: ThreadId, guard: &ClaimedGuard) -> bool {
        let code = machine.code();
        let is_held = |&(global, offset): &(program::GlobalId, i64)| {
            self.held.contains_key(&(thread, (code.global_slot(global), offset as u64)))
        };
        let has_ended = |&(location, function): &(Location, FunctionId)| {
            let same = |index: &usize| self.threads[*index] == (Some(location), function);
            let mut created = (0..self.threads.len()).filter(same);
            created.all(|index| machine.state.threads[index].status == ThreadStatus::Ended)
        };
        let in_section = machine.state.threads[thread.0 as usize].section > 0;
        (in_section || !guard.in_section) && guard.locks.iter().all(is_held) && guard.joined.iter().all(has_ended)
    }

    fn check_register(&mut self, machine: &Machine<'_>, function: FunctionId, register: RegisterId, at: Location) {
        let value = machine.thread().register(register.0);
        let ty = self.program.functions[function].registers[register].ty;
        let mut target = None;
        if let Some(provenance) = value.provenance() {
            let (Some(known), Some(object)) =
                (self.abstraction(provenance), machine.state.memory.known_object(provenance))
            else {
                return;
            };
            target = Some((known, value.bits.wrapping_sub(object.base) as i64));
            let points_to = &self.claimed.sharing.points_to;
            let is_known = points_to
                .id(known)
                .is_none_or(|id| points_to.operand(function, Operand::Register(register)).contains(id));
            if !is_known {
                self.contradict("points-to", format!("{register} points to {known:?} after {}", self.at(at)));
            }
        }
        let width = ty.bits(self.program.data_model);
        let thread = self.handles.get(&value.bits).copied();
        let concrete = ConcreteValue { bits: value.bits, width, target, thread };
        if let Some(claims) = &self.claimed.statics
            && !claims.may_hold(function, register, concrete)
        {
            self.contradict("static analysis", format!("{register} is {concrete:?} after {}", self.at(at)));
        }
    }

    /// Follows who holds which lock.
    fn note_locks(&mut self, machine: &Machine<'_>, thread: ThreadId, op: SyncOp, operands: &[Operand], result: u64) {
        let place = |index: usize| {
            let address = operand_value(machine, *operands.get(index)?)?;
            let place = machine.state.memory.place(address, 1, true).ok()?;
            Some((place.slot, place.offset))
        };
        let (index, change) = lock_change(op);
        let Some(lock) = place(index) else { return };
        match change {
            OwnershipChange::Take if result == 0 => *self.held.entry((thread, lock)).or_default() += 1,
            OwnershipChange::TakeAgain => *self.held.entry((thread, lock)).or_default() += 1,
            OwnershipChange::Release
                if result == 0 && (op != SyncOp::RwlockUnlock || self.held.contains_key(&(thread, lock))) =>
            {
                let holder = self.held.keys().find(|&&(_, at)| at == lock).map(|&(holder, _)| holder);
                let Some(holder) = self.held.get(&(thread, lock)).map(|_| thread).or(holder) else { return };
                let count = self.held.entry((holder, lock)).or_default();
                *count = count.saturating_sub(1);
                self.held.retain(|_, count| *count > 0);
            }
            OwnershipChange::Reset => self.held.retain(|&(_, at), _| at != lock),
            OwnershipChange::Take | OwnershipChange::Release | OwnershipChange::None => {}
        }
    }
}

impl Watcher for Monitor<'_> {
    fn before(&mut self, machine: &Machine<'_>, thread: ThreadId, location: Location) {
        if !self.claimed.sharing.points_to.is_reached(location.function) {
            self.contradict("points-to", format!("{} is executed", self.at(location)));
        }
        if self.claimed.statics.as_ref().is_some_and(|claims| !claims.may_reach(location)) {
            self.contradict("static analysis", format!("{} is executed", self.at(location)));
        }
        self.expected = ExpectedAccesses::before(machine, self.program, self.program.at(location));
        if let At::Instruction(instruction) = self.program.at(location) {
            for access in accesses(machine, &instruction.kind) {
                self.check_access(machine, thread, location, &access);
            }
        }
    }

    fn after(&mut self, machine: &Machine<'_>, thread: ThreadId, location: Location) {
        let own = machine.thread();
        let unlisted: Vec<String> = self.expected.unlisted(machine).map(|access| format!("{access:?}")).collect();
        for access in unlisted {
            self.contradict("effects", format!("{} makes an access that is not listed: {access}", self.at(location)));
        }
        match self.program.at(location) {
            At::Terminator(terminator) => {
                if matches!(terminator.kind, TerminatorKind::Return(Some(_))) && own.status == ThreadStatus::Live {
                    let call = machine.code().locations[own.pc as usize - 1];
                    if let At::Instruction(caller) = self.program.at(call)
                        && let InstructionKind::Call { target: Some(target), .. } = caller.kind
                    {
                        self.check_register(machine, call.function, target, location);
                    }
                }
            }
            At::Instruction(instruction) => match &instruction.kind {
                InstructionKind::Call { callee, arguments, .. } => {
                    let Some(function) = own.frames.last().map(|frame| frame.function) else { return };
                    self.check_callee(location, callee, function);
                    let parameters = &self.program.functions[function].parameters;
                    for &parameter in parameters.iter().take(arguments.len()) {
                        self.check_register(machine, function, parameter, location);
                    }
                }
                kind => {
                    self.note_new(machine, thread, location, kind);
                    for register in targets(kind) {
                        self.check_register(machine, location.function, register, location);
                    }
                }
            },
        }
    }
}

impl Monitor<'_> {
    fn check_callee(&mut self, location: Location, callee: &Callee, function: FunctionId) {
        let points_to = &self.claimed.sharing.points_to;
        if matches!(callee, Callee::Indirect(_)) && !points_to.callees(location).contains(&function) {
            let name = &self.program.functions[function].name;
            self.contradict("points-to", format!("{} calls {name}", self.at(location)));
        }
    }

    /// Keeps in mind what an instruction has made.
    fn note_new(&mut self, machine: &Machine<'_>, thread: ThreadId, location: Location, kind: &InstructionKind) {
        let own = machine.thread();
        match kind {
            InstructionKind::Begin { local } => {
                if let Some(object) = own.local(local.0).provenance() {
                    self.made.insert(object, MemoryObject::Local(location.function, *local));
                }
            }
            InstructionKind::Allocate { target, .. } | InstructionKind::Reallocate { target, .. } => {
                if let Some(object) = own.register(target.0).provenance() {
                    self.made.insert(object, MemoryObject::Allocation(location));
                }
            }
            InstructionKind::Spawn { target, function, .. } => {
                let child = machine.state.threads.len() - 1;
                let Some(frame) = machine.state.threads[child].frames.first() else { return };
                let started = (Some(location), frame.function);
                self.check_callee(location, function, frame.function);
                self.threads.resize(child + 1, started);
                self.threads[child] = started;
                self.handles.insert(own.register(target.0).bits, started);
            }
            InstructionKind::CurrentThread { target } => {
                let own_start = self.threads[thread.0 as usize];
                self.handles.insert(own.register(target.0).bits, own_start);
            }
            InstructionKind::Sync { target, op, operands } => {
                let result = target.map_or(0, |target| own.register(target.0).bits);
                self.note_locks(machine, thread, *op, operands, result);
            }
            _ => {}
        }
    }
}

struct ConcreteAccess {
    address: Value,
    size: u64,
    writes: bool,
    synchronises: bool,
}

/// The accesses of known length that the instruction is about to make.
fn accesses(machine: &Machine<'_>, kind: &InstructionKind) -> Vec<ConcreteAccess> {
    let program = machine.code().program;
    let concrete = |access: &MemoryAccess| {
        let AccessAddress::Operand(operand) = access.address else { return None };
        let address = operand_value(machine, operand)?;
        let size = match access.extent {
            ByteExtent::Count(size) => operand_value(machine, size)?.bits,
            _ => sync::accessed_bytes(access, program)?,
        };
        let synchronises = access.kind == AccessKind::Synchronise;
        Some(ConcreteAccess { address, size, writes: access.kind.writes(), synchronises })
    };
    let effects = effects(program, kind);
    let accesses = effects.accesses.iter().filter(|access| access.kind.needs_valid_bytes());
    let mut made: Vec<ConcreteAccess> = accesses.filter_map(concrete).filter(|access| access.size > 0).collect();
    // What is written may take a lock away that protects what is read.
    made.sort_by_key(|access| access.writes);
    made
}

/// The value of an operand of the current thread; `None` for a local that has no address yet.
pub(crate) fn operand_value(machine: &Machine<'_>, operand: Operand) -> Option<Value> {
    let (own, code) = (machine.thread(), machine.code());
    let moved = |base: Value, offset: i64| {
        base.with_bits(base.bits.wrapping_add_signed(offset) & execute::mask(code.pointer_bits))
    };
    match operand {
        Operand::Register(register) => Some(own.register(register.0)),
        Operand::Local { local, offset } => Some(moved(own.local(local.0), offset)),
        Operand::Global { global, offset } if code.program.globals[global].thread_local => {
            let index = code.thread_locals.iter().position(|&known| known == global)?;
            Some(moved(own.thread_locals[index], offset))
        }
        other => code.constant(other),
    }
}

/// The registers that an instruction certainly assigns, calls apart: a join may fail.
fn targets(kind: &InstructionKind) -> Vec<RegisterId> {
    match kind {
        InstructionKind::Join { error, .. } => error.iter().copied().collect(),
        kind => kind.targets().to_vec(),
    }
}

enum OwnershipChange {
    Take,
    /// Whatever the result is: a wait that times out has the mutex again.
    TakeAgain,
    Release,
    Reset,
    None,
}

/// Which operand of an operation is a lock, and what becomes of it if the operation succeeds.
fn lock_change(op: SyncOp) -> (usize, OwnershipChange) {
    let class = sync::class(op);
    match class.lock {
        Some(LockEffect::Acquire { operand, .. }) if class.is_completion => (operand, OwnershipChange::TakeAgain),
        Some(LockEffect::Acquire { operand, .. }) => (operand, OwnershipChange::Take),
        Some(LockEffect::Release { operand, .. }) => (operand, OwnershipChange::Release),
        None if class.resets_held_lock => (0, OwnershipChange::Reset),
        None => (0, OwnershipChange::None),
    }
}
