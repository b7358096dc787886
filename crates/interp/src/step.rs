//! From a control state to its edges: the instructions of one thread executed with terms.
//!
//! An edge begins with any instruction and goes on with those that no other thread can notice or have a part in, up to a loop
//! head. What could end the thread or the process for good, an exit or a failed assumption, is never behind something that others
//! can notice: an execution in which nobody notices anything of an edge, and whose thread does nothing afterwards, has a twin
//! without the edge, so that such edges are left out.

use std::rc::Rc;

use program::effects::{AccessAddress, AccessKind, effects};
use program::handles::{handle_number, thread_of_handle};
use program::printed;
use program::{
    At, BinaryOp, BlockId, Callee, InstructionKind, LibraryFunction, Location, Operand, Property, RegisterId, Rvalue,
    SyncOp, TerminatorKind, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::evaluate;
use symbolic::{NotSupported, ObjectId, SymValue};
use sync::{Call, initial_state, object_bytes};
use terms::{Term, TermId, Terms, VariableId};

use crate::control::{Control, ControlStatus, KnownValue, Thread};
use crate::edge::{ArrayStore, Chosen, ControlId, EdgeEnd, Move, ThreadEdge};
use crate::encoding::{BlockEncoding, is_tail, statement_is_over};
use crate::machine::ProductMachine;
use crate::oracle;
use crate::order::LoopEntry;
use crate::vocabulary::{Meaning, VariableObject, variable_of};

/// Why something is not representable.
pub type Limit = String;

const MAX_TRAIL: usize = 600;
const MAX_RUNS: usize = 64;
/// Values that choose between more cases stay as they are.
const MAX_CASES: usize = 3;
const MAX_THREADS: usize = 24;
const MAX_ALLOCATIONS: u32 = 12;
const MAX_FRAMES: usize = 40;
/// Greater numbers are left to predicates.
const MAX_KNOWN: u64 = 64;

/// One way through the code so far.
#[derive(Clone)]
pub struct SymbolicRun {
    pub control: Control,
    pub values: FxHashMap<VariableId, SymValue>,
    pub guard: Vec<TermId>,
    /// What was written to arrays.
    stores: Vec<ArrayStore>,
    choices: Vec<Chosen>,
    trail: Vec<Location>,
    /// Whether others can notice what was done.
    has_effect: bool,
    /// Whether a loop was not executed but summarised.
    skips: bool,
    fresh: u32,
}

/// What became of a way.
enum PathEnd {
    Step(SymbolicRun),
    Error(SymbolicRun, Property),
    Limit(SymbolicRun, Limit),
}

/// What an instruction leads to.
enum After {
    /// Control is wherever the run says.
    Next(SymbolicRun),
    Fork(Vec<SymbolicRun>),
    /// The thread cannot go on now.
    Blocked(SymbolicRun),
    /// Nothing follows.
    Nothing,
}

/// What a thread can do next.
pub struct Moves {
    pub list: Rc<[Move]>,
    /// Whether the thread can go on whatever its values are, no other thread can notice any of it or have a part in it, and no
    /// loop begins again: then nothing is lost if others wait for it.
    pub is_local: bool,
}

pub fn moves(machine: &mut ProductMachine<'_>, id: ControlId, thread: u32) -> Moves {
    let control = (**machine.control(id)).clone();
    let Some(from) = control.threads[thread as usize].location() else {
        return Moves { list: Rc::from([]), is_local: false };
    };
    let in_section = control.threads[thread as usize].sections > 0;
    let frames = control.threads[thread as usize].frames.clone();
    let start = SymbolicRun {
        control,
        values: FxHashMap::default(),
        guard: Vec::new(),
        stores: Vec::new(),
        choices: Vec::new(),
        trail: Vec::new(),
        has_effect: false,
        skips: false,
        fresh: 0,
    };
    let mut stepper = Stepper { machine, thread, open: vec![start], ended: Vec::new(), is_local: !in_section };
    stepper.run();
    let ended = std::mem::take(&mut stepper.ended);
    let mut is_local = stepper.is_local && ended.iter().all(|one| matches!(one, PathEnd::Step(_)));
    let ended: Vec<PathEnd> = ended.into_iter().flat_map(|one| stepper.divided(one)).collect();
    let list: Rc<[Move]> = ended.into_iter().filter_map(|one| stepper.finish(one, from, &frames)).collect();
    is_local &= !list.is_empty() && list.iter().all(|one| !machine.edge(one.edge).loop_entry.again);
    Moves { list, is_local }
}

pub(crate) struct Stepper<'m, 'p> {
    pub(crate) machine: &'m mut ProductMachine<'p>,
    thread: u32,
    open: Vec<SymbolicRun>,
    ended: Vec<PathEnd>,
    /// Whether the thread can go on for all values so far, and does nothing that others notice.
    is_local: bool,
}

/// Where operands get their values from: they are looked up before an operator is evaluated.
struct OperandScope<'a> {
    terms: &'a mut Terms,
    model: program::DataModel,
    values: Vec<(Operand, SymValue)>,
}

impl evaluate::Evaluator for OperandScope<'_> {
    fn terms(&mut self) -> &mut Terms {
        self.terms
    }
    fn data_model(&self) -> program::DataModel {
        self.model
    }
    fn register(&self, register: RegisterId) -> Option<SymValue> {
        let wanted = Operand::Register(register);
        self.values.iter().find(|(operand, _)| *operand == wanted).map(|(_, value)| value.clone())
    }
    fn address(&mut self, operand: Operand) -> Result<SymValue, NotSupported> {
        let found = self.values.iter().find(|(one, _)| *one == operand).map(|(_, value)| value.clone());
        found.ok_or_else(|| NotSupported("an address that is not known".to_owned()))
    }
}

impl Stepper<'_, '_> {
    fn run(&mut self) {
        while let Some(mut run) = self.open.pop() {
            loop {
                if run.trail.is_empty() {
                    self.is_local &= !self.is_noticed(&mut run);
                } else if self.stops(&mut run) {
                    self.ended.push(PathEnd::Step(run));
                    break;
                }
                if run.trail.len() > MAX_TRAIL {
                    self.ended.push(PathEnd::Limit(run, "a step of too many instructions".to_owned()));
                    break;
                }
                let before = run.clone();
                match self.execute(run) {
                    Ok(After::Next(next)) => run = next,
                    Ok(After::Fork(runs)) => {
                        self.open.extend(runs.into_iter().rev());
                        break;
                    }
                    Ok(After::Blocked(run)) => {
                        self.is_local = false;
                        let in_section = self.own(&run).sections > 0;
                        if !run.trail.is_empty() && !in_section {
                            self.ended.push(PathEnd::Step(run));
                        }
                        break;
                    }
                    Ok(After::Nothing) => {
                        self.is_local = false;
                        break;
                    }
                    Err(limit) => {
                        self.ended.push(PathEnd::Limit(before, limit));
                        break;
                    }
                }
            }
        }
    }

    fn own<'r>(&self, run: &'r SymbolicRun) -> &'r Thread {
        &run.control.threads[self.thread as usize]
    }

    fn own_mut<'r>(&self, run: &'r mut SymbolicRun) -> &'r mut Thread {
        &mut run.control.threads[self.thread as usize]
    }

    fn place(&self, run: &SymbolicRun) -> Location {
        *self.own(run).frames.last().expect("a live thread should be somewhere")
    }

    /// Whether the edge ends before the next instruction.
    fn stops(&mut self, run: &mut SymbolicRun) -> bool {
        if self.own(run).status != ControlStatus::Live {
            return true;
        }
        let here = self.place(run);
        let alone = self.machine.others(&run.control, self.thread).is_empty();
        if self.machine.code.is_loop_head(here) && !(alone && self.machine.code.fill(here).is_some()) {
            return true;
        }
        if self.machine.encoding == BlockEncoding::Single {
            let (program, is_outermost) = (self.machine.vocabulary.program, self.own(run).depth() == 0);
            if !is_tail(program, here, is_outermost) && statement_is_over(program, &run.trail) {
                return true;
            }
        }
        if self.own(run).sections > 0 {
            return false;
        }
        self.open.len() + self.ended.len() > MAX_RUNS || self.is_noticed(run)
    }

    /// Whether others may notice the next instruction, or have a part in it.
    fn is_noticed(&mut self, run: &mut SymbolicRun) -> bool {
        let here = self.place(run);
        let alone = self.machine.others(&run.control, self.thread).is_empty();
        match self.machine.vocabulary.program.at(here) {
            At::Terminator(terminator) => match terminator.kind {
                TerminatorKind::ProcessExit { .. } | TerminatorKind::Unreachable => run.has_effect,
                _ => false,
            },
            At::Instruction(instruction) => {
                let kind = instruction.kind.clone();
                match kind {
                    InstructionKind::Assume { .. } => run.has_effect,
                    _ if alone => false,
                    InstructionKind::AtomicBegin => true,
                    InstructionKind::Spawn { .. } => {
                        self.others_future(run, |future| future.spawns) || self.touches(run, &kind)
                    }
                    // How far the edge went would depend on whether the other thread has ended.
                    InstructionKind::Join { .. } => true,
                    InstructionKind::Detach { .. } => self.others_future(run, |future| future.joins),
                    _ => self.touches(run, &kind),
                }
            }
        }
    }

    fn others_future(&mut self, run: &SymbolicRun, has: impl Fn(&crate::code::Future) -> bool) -> bool {
        let others = self.machine.others(&run.control, self.thread);
        others.into_iter().any(|other| has(&self.machine.future(&run.control, other, self.thread)))
    }

    /// Whether others may notice the accesses of an instruction, or change what they find.
    fn touches(&mut self, run: &mut SymbolicRun, kind: &InstructionKind) -> bool {
        let program = self.machine.vocabulary.program;
        let function = self.place(run).function;
        effects(program, kind).accesses.iter().any(|access| {
            let writes = !matches!(access.kind, AccessKind::Read | AccessKind::Repeat);
            let (AccessAddress::Operand(base), true) = (access.address, true) else { return true };
            if let Ok((object, _)) = self.pointer(run, base) {
                return !self.machine.is_local(&run.control, self.thread, object, writes);
            }
            let points_to = self.machine.code.points_to.clone();
            let objects = points_to.operand(function, base);
            objects.is_empty()
                || objects.iter().any(|object| !self.machine.is_local_object(&run.control, self.thread, object, writes))
        })
    }

    // Values

    fn read_variable(&mut self, run: &SymbolicRun, term: TermId, ty: Type) -> Result<SymValue, Limit> {
        let terms = &mut self.machine.vocabulary.terms;
        let variable = variable_of(terms, term).expect("a state should be made of variables");
        let value = match (run.values.get(&variable), run.control.known.get(&variable)) {
            (Some(value), _) => value.clone(),
            (None, Some(&KnownValue::Pointer(object, offset))) => {
                let offset = match offset {
                    Some(offset) => terms.constant(terms.width(term), offset),
                    None => term,
                };
                SymValue::address(terms, object, offset)
            }
            (None, Some(&KnownValue::Number(number))) => match terms.sort(term) {
                terms::Sort::Bool => SymValue::Bool(terms.boolean(number != 0)),
                terms::Sort::BitVec(width) => SymValue::Int(terms.constant(width, number)),
                terms::Sort::Array(_) => return Err("an array as a value".to_owned()),
            },
            (None, Some(KnownValue::Lost)) => return Err("a pointer that is not known".to_owned()),
            (None, None) if terms.sort(term) == terms::Sort::Bool => SymValue::Bool(term),
            (None, None) => SymValue::Int(term),
        };
        Ok(if ty == Type::Pointer { value.to_pointer(terms).unwrap_or(value) } else { value })
    }

    fn write_variable(&mut self, run: &mut SymbolicRun, term: TermId, value: SymValue) {
        let variable = variable_of(&self.machine.vocabulary.terms, term).expect("a state should be made of variables");
        run.values.insert(variable, value);
    }

    fn register(&mut self, run: &SymbolicRun, depth: u32, register: RegisterId) -> TermId {
        let function = self.own(run).frames[depth as usize].function;
        self.machine.vocabulary.register(self.thread, depth, function, register)
    }

    fn set(&mut self, run: &mut SymbolicRun, register: RegisterId, value: SymValue) {
        let depth = self.own(run).depth();
        let term = self.register(run, depth, register);
        self.write_variable(run, term, value);
    }

    fn set_number(&mut self, run: &mut SymbolicRun, register: Option<RegisterId>, number: u64) {
        let Some(register) = register else { return };
        let function = self.place(run).function;
        let ty = self.machine.vocabulary.program.functions[function].registers[register].ty;
        let bits = u32::from(ty.bits(self.machine.vocabulary.model()));
        let constant = self.machine.vocabulary.terms.constant(bits, number);
        self.set(run, register, SymValue::Int(constant));
    }

    /// A new value of which nothing is known.
    fn any(&mut self, run: &mut SymbolicRun, ty: Type) -> SymValue {
        let term = self.machine.vocabulary.choice(self.thread, run.fresh, ty);
        run.fresh += 1;
        if ty == Type::BOOL { SymValue::Bool(term) } else { SymValue::Int(term) }
    }

    /// The operands' values where they can be had without an operator.
    fn scope(&mut self, run: &SymbolicRun, operands: &[Operand]) -> Result<Vec<(Operand, SymValue)>, Limit> {
        let mut values = Vec::new();
        for &operand in operands {
            let value = match operand {
                Operand::Register(register) => {
                    let depth = self.own(run).depth();
                    let function = self.own(run).frames[depth as usize].function;
                    let ty = self.machine.vocabulary.program.functions[function].registers[register].ty;
                    let term = self.register(run, depth, register);
                    self.read_variable(run, term, ty)?
                }
                Operand::Global { .. } | Operand::Local { .. } | Operand::Function(_) => {
                    let object = self.object_of(run, operand);
                    let bits = u32::from(self.machine.vocabulary.model().pointer_bits());
                    let terms = &mut self.machine.vocabulary.terms;
                    let zero = terms.constant(bits, 0);
                    SymValue::address(terms, object, zero)
                }
                _ => continue,
            };
            values.push((operand, value));
        }
        Ok(values)
    }

    pub(crate) fn object_of(&mut self, run: &SymbolicRun, operand: Operand) -> ObjectId {
        let program = self.machine.vocabulary.program;
        let thread = self.thread;
        let (key, size) = match operand {
            Operand::Global { global, .. } => {
                let own = &program.globals[global];
                let key = if own.thread_local {
                    VariableObject::ThreadLocal(global, thread)
                } else {
                    VariableObject::Global(global)
                };
                (key, own.size)
            }
            Operand::Local { local, .. } => {
                let (depth, function) = (self.own(run).depth(), self.place(run).function);
                (
                    VariableObject::Local { thread, depth, function, local },
                    program.functions[function].locals[local].size,
                )
            }
            Operand::Function(function) => (VariableObject::Function(function), 1),
            _ => return ObjectId::NONE,
        };
        let zeroed = matches!(key, VariableObject::Global(_) | VariableObject::ThreadLocal(..));
        self.machine.vocabulary.object(key, Some(size), zeroed)
    }

    pub(crate) fn operand(&mut self, run: &SymbolicRun, operand: Operand) -> Result<SymValue, Limit> {
        let values = self.scope(run, &[operand])?;
        let model = self.machine.vocabulary.model();
        let mut scope = OperandScope { terms: &mut self.machine.vocabulary.terms, model, values };
        evaluate::operand(&mut scope, operand).map_err(|NotSupported(what)| what)
    }

    fn condition(&mut self, run: &SymbolicRun, operand: Operand) -> Result<TermId, Limit> {
        match self.operand(run, operand)? {
            SymValue::Bool(term) => Ok(term),
            _ => Err("a condition that is not a truth value".to_owned()),
        }
    }

    /// The object and the offset of a pointer.
    fn pointer(&mut self, run: &SymbolicRun, operand: Operand) -> Result<(ObjectId, TermId), Limit> {
        let value = self.operand(run, operand)?;
        self.object_and_offset(&value)
    }

    fn object_and_offset(&mut self, value: &SymValue) -> Result<(ObjectId, TermId), Limit> {
        let unclear = || "an address that is not known".to_owned();
        let SymValue::Pointer { object, offset, .. } = value else { return Err(unclear()) };
        let object = self.machine.vocabulary.terms.as_constant(*object).ok_or_else(unclear)?;
        if object == 0 {
            return Err(unclear());
        }
        Ok((ObjectId(object as u32), *offset))
    }

    // Memory

    /// The places of an object at which an access may be, with the condition for each.
    fn places(&mut self, object: ObjectId, offset: TermId, bytes: u64) -> Result<Vec<(u64, TermId)>, Limit> {
        const MAX_PLACES: u64 = 40;
        let vocabulary = &mut self.machine.vocabulary;
        if let Some(place) = vocabulary.terms.as_constant(offset) {
            return Ok(vec![(place, vocabulary.terms.boolean(true))]);
        }
        let size = vocabulary.get(object).size.unwrap_or(u64::MAX);
        if size / bytes > MAX_PLACES {
            return Err("an access to many places".to_owned());
        }
        let width = vocabulary.terms.width(offset);
        let starts: Vec<u64> = (0..size / bytes).map(|index| index * bytes).collect();
        Ok(starts
            .into_iter()
            .map(|start| {
                let constant = vocabulary.terms.constant(width, start);
                (start, vocabulary.terms.eq(offset, constant))
            })
            .collect())
    }

    fn is_array(&self, object: ObjectId) -> bool {
        self.machine.vocabulary.get(object).contents == crate::vocabulary::ObjectContents::Array
    }

    fn load(&mut self, run: &mut SymbolicRun, object: ObjectId, offset: TermId, ty: Type) -> Result<SymValue, Limit> {
        let bytes = ty.bytes(self.machine.vocabulary.model());
        if let VariableObject::ThreadLocal(global, _) = self.machine.vocabulary.get(object).key
            && !self.machine.vocabulary.program.globals[global].initial.relocations.is_empty()
        {
            return Err("a thread-local pointer with an initial value".to_owned());
        }
        if self.is_array(object) {
            if ty == Type::Pointer {
                return Err("a pointer in an array".to_owned());
            }
            run.control.sealed.insert(object);
            return self.load_from_array(run, object, offset, ty);
        }
        self.check_bounds(object, offset, bytes)?;
        let places = self.places(object, offset, bytes)?;
        let is_exact = places.len() == 1 && self.machine.vocabulary.terms.as_boolean(places[0].1) == Some(true);
        let mut found: Option<SymValue> = if is_exact { None } else { Some(self.any(run, ty)) };
        for (place, condition) in places {
            let cell = self.cell(object, place, bytes)?;
            let value = self.read_variable(run, cell, ty)?;
            found = Some(match found {
                None => value,
                Some(other) => SymValue::select(&mut self.machine.vocabulary.terms, condition, &value, &other)
                    .ok_or_else(|| "a choice between values of two kinds".to_owned())?,
            });
        }
        found.ok_or_else(|| "an access to an object of no size".to_owned())
    }

    /// The contents of an array at a place, with what this edge has written.
    fn load_from_array(
        &mut self,
        run: &mut SymbolicRun,
        array: ObjectId,
        offset: TermId,
        ty: Type,
    ) -> Result<SymValue, Limit> {
        let bytes = ty.bytes(self.machine.vocabulary.model());
        self.access_array(array, bytes, false)?;
        let vocabulary = &mut self.machine.vocabulary;
        let before = vocabulary.read(array, bytes, offset);
        let value = oracle::read_after(vocabulary, &run.stores, array, offset, before);
        if !vocabulary.is_written(array) || is_multiple(&vocabulary.terms, offset, bytes) {
            return Ok(SymValue::Int(value));
        }
        // A read across two places that were written yields anything.
        let any = self.any(run, ty);
        let terms = &mut self.machine.vocabulary.terms;
        let bits = bytes.trailing_zeros();
        let (low, zero) = (terms.extract(offset, bits - 1, 0), terms.constant(bits, 0));
        let is_even = terms.eq(low, zero);
        SymValue::select(terms, is_even, &SymValue::Int(value), &any)
            .ok_or_else(|| "a choice between values of two kinds".to_owned())
    }

    fn access_array(&mut self, array: ObjectId, bytes: u64, writes: bool) -> Result<(), Limit> {
        let access = self.machine.vocabulary.access_array(array, bytes, writes);
        access.map_err(|_| "memory that is accessed in pieces of different sizes".to_owned())
    }

    /// A place known to lie outside of its object is no cell of it.
    fn check_bounds(&mut self, object: ObjectId, offset: TermId, bytes: u64) -> Result<(), Limit> {
        let vocabulary = &self.machine.vocabulary;
        match (vocabulary.terms.as_constant(offset), vocabulary.get(object).size) {
            (Some(place), Some(size)) if place.checked_add(bytes).is_none_or(|end| end > size) => {
                Err("an access outside of an object".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// A write at a place that is no multiple of its length is not representable, unless the place is constant.
    fn leave_out_odd_places(&mut self, run: &mut SymbolicRun, object: ObjectId, offset: TermId, bytes: u64) {
        let is_array = self.is_array(object);
        let terms = &mut self.machine.vocabulary.terms;
        if is_multiple(terms, offset, bytes) || (terms.as_constant(offset).is_some() && !is_array) {
            return;
        }
        let bits = bytes.trailing_zeros();
        let (low, zero) = (terms.extract(offset, bits - 1, 0), terms.constant(bits, 0));
        let odd = terms.distinct(low, zero);
        self.leave_out(run, odd, "a write across the parts of an object");
    }

    /// Where the condition holds, what comes is not representable; the run goes on where it does not.
    pub(crate) fn leave_out(&mut self, run: &mut SymbolicRun, condition: TermId, what: &str) {
        let mut limit = run.clone();
        if self.assume(&mut limit, condition) {
            self.ended.push(PathEnd::Limit(limit, what.to_owned()));
        }
        let others = self.machine.vocabulary.terms.not(condition);
        self.assume(run, others);
    }

    fn cell(&mut self, object: ObjectId, place: u64, bytes: u64) -> Result<TermId, Limit> {
        let cell = self.machine.vocabulary.cell(object, place, bytes);
        cell.map_err(|_| "memory that is accessed in pieces of different sizes".to_owned())
    }

    fn store(
        &mut self,
        run: &mut SymbolicRun,
        object: ObjectId,
        offset: TermId,
        value: SymValue,
        ty: Type,
    ) -> Result<(), Limit> {
        let bytes = ty.bytes(self.machine.vocabulary.model());
        if self.is_array(object) {
            let number = value.as_int();
            if let (Some(value), true) = (number, self.machine.stores) {
                self.access_array(object, bytes, true)?;
                self.leave_out_odd_places(run, object, offset, bytes);
                run.control.sealed.insert(object);
                run.stores.push(ArrayStore { array: object, place: offset, value });
                return Ok(());
            }
            if run.control.sealed.contains(&object) || number.is_none() {
                return Err("an array that changes after it was read".to_owned());
            }
            return Ok(());
        }
        self.check_bounds(object, offset, bytes)?;
        self.leave_out_odd_places(run, object, offset, bytes);
        for (place, condition) in self.places(object, offset, bytes)? {
            let cell = self.cell(object, place, bytes)?;
            let new = if self.machine.vocabulary.terms.as_boolean(condition) == Some(true) {
                value.clone()
            } else {
                let old = self.read_variable(run, cell, ty)?;
                SymValue::select(&mut self.machine.vocabulary.terms, condition, &value, &old)
                    .ok_or_else(|| "a choice between values of two kinds".to_owned())?
            };
            self.write_variable(run, cell, new);
        }
        Ok(())
    }

    /// Notes that others can notice a write to the object.
    fn note_write(&mut self, run: &mut SymbolicRun, object: ObjectId) {
        if !run.has_effect && !self.machine.is_local(&run.control, self.thread, object, true) {
            run.has_effect = true;
        }
    }

    fn fill_cells(&mut self, run: &mut SymbolicRun, object: ObjectId, byte: Option<u8>) -> Result<(), Limit> {
        for (place, bytes) in self.machine.vocabulary.cells(object) {
            let cell = self.cell(object, place, bytes)?;
            let ty = Type::Int(bytes as u8 * 8);
            let value = match byte {
                Some(byte) => SymValue::Int(self.pattern(byte, bytes)),
                None => self.any(run, ty),
            };
            self.write_variable(run, cell, value);
        }
        Ok(())
    }

    fn pattern(&mut self, byte: u8, bytes: u64) -> TermId {
        let value = (0..bytes).fold(0u64, |value, _| value << 8 | u64::from(byte));
        self.machine.vocabulary.terms.constant(bytes as u32 * 8, value)
    }

    // Control

    fn advance(&self, run: &mut SymbolicRun) {
        if let Some(frame) = self.own_mut(run).frames.last_mut() {
            frame.index += 1;
        }
    }

    fn jump(&self, run: &mut SymbolicRun, block: BlockId) {
        if let Some(frame) = self.own_mut(run).frames.last_mut() {
            (frame.block, frame.index) = (block, 0);
        }
    }

    fn assume(&mut self, run: &mut SymbolicRun, condition: TermId) -> bool {
        match self.machine.vocabulary.terms.as_boolean(condition) {
            Some(truth) => truth,
            None => {
                run.guard.push(condition);
                true
            }
        }
    }

    fn execute(&mut self, mut run: SymbolicRun) -> Result<After, Limit> {
        let here = self.place(&run);
        if self.machine.code.is_loop_head(here)
            && self.machine.others(&run.control, self.thread).is_empty()
            && let Some(fill) = self.machine.code.clone().fill(here)
        {
            return self.skip_loop(run, here, fill);
        }
        run.trail.push(here);
        match self.machine.vocabulary.program.at(here) {
            At::Instruction(instruction) => {
                let kind = &instruction.kind;
                self.instruction(run, here, kind)
            }
            At::Terminator(terminator) => self.terminator(run, &terminator.kind),
        }
    }

    /// What a loop that only fills memory leaves: anything in what it assigns, and its guard is false.
    fn skip_loop(&mut self, mut run: SymbolicRun, head: Location, fill: &crate::code::Fill) -> Result<After, Limit> {
        let function = &self.machine.vocabulary.program.functions[head.function];
        let points_to = self.machine.code.points_to.clone();
        for store in &fill.stores {
            let InstructionKind::Store { address, value, .. } =
                function.blocks[store.block].instructions[store.index as usize].kind
            else {
                return Err("a loop that is not understood".to_owned());
            };
            if !points_to.operand(head.function, value).is_empty() {
                return Err("a loop that stores pointers".to_owned());
            }
            let targets = points_to.operand(head.function, address);
            if targets.is_empty() {
                return Err("a loop that stores to an address that is not known".to_owned());
            }
            for target in targets.iter() {
                let program::points_to::MemoryObject::Allocation(site) = points_to.object(target) else {
                    return Err("a loop that fills an object with a name".to_owned());
                };
                for object in self.machine.vocabulary.allocated_at(site) {
                    if self.machine.vocabulary.has_sync(object) {
                        return Err("a loop that fills an object with synchronisation objects".to_owned());
                    }
                    if run.control.sealed.contains(&object) {
                        return Err("an array that changes after it was read".to_owned());
                    }
                    self.fill_cells(&mut run, object, None)?;
                }
            }
        }
        for &register in &fill.registers {
            let ty = function.registers[register].ty;
            if ty == Type::Pointer {
                return Err("a loop that moves pointers".to_owned());
            }
            let value = self.any(&mut run, ty);
            self.set(&mut run, register, value);
        }
        let block = &function.blocks[head.block];
        for (index, instruction) in block.instructions.iter().enumerate() {
            let here = Location { index: index as u32, ..head };
            run.trail.push(here);
            match self.instruction(run, here, &instruction.kind)? {
                After::Next(next) => run = next,
                _ => return Err("a loop that is not understood".to_owned()),
            }
        }
        let TerminatorKind::Branch { condition, .. } = block.terminator.kind else {
            return Err("a loop that is not understood".to_owned());
        };
        let condition = self.condition(&run, condition)?;
        let leaves = if fill.stays_if { self.machine.vocabulary.terms.not(condition) } else { condition };
        if !self.assume(&mut run, leaves) {
            return Ok(After::Nothing);
        }
        self.jump(&mut run, fill.exit);
        run.skips = true;
        Ok(After::Next(run))
    }

    fn instruction(&mut self, mut run: SymbolicRun, here: Location, kind: &InstructionKind) -> Result<After, Limit> {
        match kind {
            InstructionKind::Assign { target, value } => {
                if let Rvalue::Binary { op: BinaryOp::Eq | BinaryOp::Ne, left, right, .. } = *value {
                    let (left, right) = (self.operand(&run, left)?, self.operand(&run, right)?);
                    self.leave_out_doubtful_equality(&mut run, &left, &right);
                }
                if let Rvalue::Binary { op, left, right, .. } = *value
                    && op.is_comparison()
                {
                    self.leave_out_doubtful_order(&mut run, op, left, right)?;
                }
                let values = self.scope(&run, &value.operands())?;
                let model = self.machine.vocabulary.model();
                let mut scope = OperandScope { terms: &mut self.machine.vocabulary.terms, model, values };
                let value = evaluate::rvalue(&mut scope, value, &mut Vec::new()).map_err(|NotSupported(what)| what)?;
                self.set(&mut run, *target, value);
            }
            InstructionKind::Load { target, address, ty, .. } => {
                let (object, offset) = self.pointer(&run, *address)?;
                let value = self.load(&mut run, object, offset, *ty)?;
                self.set(&mut run, *target, value);
            }
            InstructionKind::Store { address, value, ty, .. } => {
                let (object, offset) = self.pointer(&run, *address)?;
                let value = self.operand(&run, *value)?;
                self.store(&mut run, object, offset, value, *ty)?;
                self.note_write(&mut run, object);
            }
            InstructionKind::ReadModifyWrite { target, op, address, value, ty, .. } => {
                let (object, offset) = self.pointer(&run, *address)?;
                self.check_update(object)?;
                let old = self.load(&mut run, object, offset, *ty)?;
                let value = self.operand(&run, *value)?;
                let new = self.combined(*op, &old, value)?;
                self.store(&mut run, object, offset, new, *ty)?;
                if let Some(target) = target {
                    self.set(&mut run, *target, old);
                }
                self.note_write(&mut run, object);
            }
            InstructionKind::CompareExchange { old, success, address, expected, desired, ty, weak, .. } => {
                let (object, offset) = self.pointer(&run, *address)?;
                self.check_update(object)?;
                let found = self.load(&mut run, object, offset, *ty)?;
                let (expected, desired) = (self.operand(&run, *expected)?, self.operand(&run, *desired)?);
                self.leave_out_doubtful_equality(&mut run, &found, &expected);
                let terms = &mut self.machine.vocabulary.terms;
                let mut swaps = evaluate::equal(terms, &found, &expected).map_err(|NotSupported(what)| what)?;
                if *weak {
                    let SymValue::Bool(fails) = self.any(&mut run, Type::BOOL) else {
                        return Err("a truth value that is none".to_owned());
                    };
                    let terms = &mut self.machine.vocabulary.terms;
                    let works = terms.not(fails);
                    swaps = terms.and(swaps, works);
                }
                let new = SymValue::select(&mut self.machine.vocabulary.terms, swaps, &desired, &found)
                    .ok_or_else(|| "a choice between values of two kinds".to_owned())?;
                self.store(&mut run, object, offset, new, *ty)?;
                self.set(&mut run, *old, found);
                self.set(&mut run, *success, SymValue::Bool(swaps));
                self.note_write(&mut run, object);
            }
            InstructionKind::Nondet { target, ty, .. } => {
                if *ty == Type::Pointer {
                    return Err("a pointer that may be any".to_owned());
                }
                let value = self.any(&mut run, *ty);
                run.choices.push(Chosen::Term(value.components().0[0]));
                self.set(&mut run, *target, value);
            }
            InstructionKind::Assume { condition } => {
                let condition = self.condition(&run, *condition)?;
                if !self.assume(&mut run, condition) {
                    return Ok(After::Nothing);
                }
                self.is_local &= self.machine.vocabulary.terms.as_boolean(condition) == Some(true);
            }
            InstructionKind::Assert { condition, property, .. } => {
                if self.machine.properties.contains(*property) {
                    let condition = self.condition(&run, *condition)?;
                    let fails = self.machine.vocabulary.terms.not(condition);
                    let mut error = run.clone();
                    if self.assume(&mut error, fails) {
                        self.ended.push(PathEnd::Error(error, *property));
                    }
                    if !self.assume(&mut run, condition) {
                        return Ok(After::Nothing);
                    }
                }
            }
            InstructionKind::Allocate { target, size, zeroed, .. } => {
                let object = self.allocate(&mut run, here, *size, *zeroed)?;
                self.set(&mut run, *target, object);
            }
            InstructionKind::Begin { local } => {
                let object = self.object_of(&run, Operand::Local { local: *local, offset: 0 });
                self.fill_cells(&mut run, object, None)?;
                run.control.sync.retain(|&(owner, _), _| owner != object);
                run.control.sealed.remove(&object);
                if self.is_array(object) {
                    return Err("a large local variable".to_owned());
                }
            }
            InstructionKind::SetMemory { target, byte, size } => self.set_memory(&mut run, *target, *byte, *size)?,
            InstructionKind::CopyMemory { target, source, size, .. } => {
                self.copy_memory(&mut run, *target, *source, *size)?;
            }
            InstructionKind::Call { callee, arguments, .. } => return self.call(run, *callee, arguments),
            InstructionKind::Spawn { target, store, function, argument, detached } => {
                self.spawn(&mut run, *target, *store, *function, *argument, *detached)?;
            }
            InstructionKind::Join { target, error, thread } => {
                if !self.join(&mut run, *target, *error, *thread)? {
                    run.trail.pop();
                    return Ok(After::Blocked(run));
                }
            }
            InstructionKind::Detach { .. } => return Err("a thread that is detached".to_owned()),
            InstructionKind::CurrentThread { target } => {
                self.set_number(&mut run, Some(*target), handle_number(u64::from(self.thread)));
            }
            InstructionKind::AtomicBegin => self.own_mut(&mut run).sections += 1,
            InstructionKind::AtomicEnd => {
                let own = self.own_mut(&mut run);
                own.sections = own.sections.saturating_sub(1);
            }
            InstructionKind::Sync { target, op, operands } => return self.synchronise(run, *target, *op, operands),
            InstructionKind::Library { target, function, arguments } => {
                self.check_printed(&run, *function, arguments)?;
                if let Some(target) = target {
                    let function = self.place(&run).function;
                    let ty = self.machine.vocabulary.program.functions[function].registers[*target].ty;
                    let value = self.any(&mut run, ty);
                    self.set(&mut run, *target, value);
                }
            }
            InstructionKind::Reallocate { .. } => return Err("an object that changes its size".to_owned()),
            InstructionKind::Unsupported { what } => return Err(what.clone()),
            InstructionKind::End { local } => self.end_local(&mut run, *local),
            InstructionKind::Fence { .. }
            | InstructionKind::Free { .. }
            | InstructionKind::LeaveProcess
            | InstructionKind::Yield => {}
        }
        self.advance(&mut run);
        Ok(After::Next(run))
    }

    fn check_update(&self, object: ObjectId) -> Result<(), Limit> {
        if self.is_array(object) && !self.machine.stores {
            return Err("an atomic update in an array".to_owned());
        }
        Ok(())
    }

    fn combined(&mut self, op: program::RmwOp, old: &SymValue, value: SymValue) -> Result<SymValue, Limit> {
        use program::RmwOp;
        if op == RmwOp::Exchange {
            return Ok(value);
        }
        let number = |value: &SymValue| value.as_int().ok_or_else(|| "arithmetic on a pointer".to_owned());
        let (a, b) = (number(old)?, number(&value)?);
        let terms = &mut self.machine.vocabulary.terms;
        Ok(SymValue::Int(match op {
            RmwOp::Exchange => b,
            RmwOp::Add => terms.add(a, b),
            RmwOp::Sub => terms.sub(a, b),
            RmwOp::And => terms.bit_and(a, b),
            RmwOp::Or => terms.bit_or(a, b),
            RmwOp::Xor => terms.bit_xor(a, b),
            RmwOp::Nand => {
                let both = terms.bit_and(a, b);
                terms.bit_not(both)
            }
        }))
    }

    fn number(&mut self, run: &SymbolicRun, operand: Operand) -> Result<u64, Limit> {
        let value = self.operand(run, operand)?;
        let number = match value {
            SymValue::Bool(term) => self.machine.vocabulary.terms.as_boolean(term).map(u64::from),
            other => other.as_int().and_then(|term| self.machine.vocabulary.terms.as_constant(term)),
        };
        number.ok_or_else(|| "an operand that is not known".to_owned())
    }

    fn allocate(
        &mut self,
        run: &mut SymbolicRun,
        here: Location,
        size: Operand,
        zeroed: bool,
    ) -> Result<SymValue, Limit> {
        let size = self.number(run, size).ok();
        let count = run.control.allocations.entry((self.thread, here)).or_default();
        let ordinal = *count;
        *count += 1;
        if ordinal >= MAX_ALLOCATIONS {
            return Err("many objects that are allocated in one place".to_owned());
        }
        let key = VariableObject::Allocated { thread: self.thread, location: here, ordinal };
        let object = self.machine.vocabulary.object(key, size, zeroed);
        self.fill_cells(run, object, zeroed.then_some(0))?;
        let bits = u32::from(self.machine.vocabulary.model().pointer_bits());
        let terms = &mut self.machine.vocabulary.terms;
        let zero = terms.constant(bits, 0);
        Ok(SymValue::address(terms, object, zero))
    }

    fn set_memory(
        &mut self,
        run: &mut SymbolicRun,
        target: Operand,
        byte: Operand,
        size: Operand,
    ) -> Result<(), Limit> {
        let (object, offset) = self.pointer(run, target)?;
        let (byte, size) = (self.number(run, byte)?, self.number(run, size)?);
        let start = self.constant_place(object, offset)?;
        let cells = self.machine.vocabulary.cells_in(object, start, start.saturating_add(size));
        for (place, bytes) in cells.map_err(|_| "memory that is set in part".to_owned())? {
            let cell = self.cell(object, place, bytes)?;
            let value = SymValue::Int(self.pattern(byte as u8, bytes));
            self.write_variable(run, cell, value);
        }
        self.machine.vocabulary.watch_layout(object);
        self.note_write(run, object);
        Ok(())
    }

    fn constant_place(&mut self, object: ObjectId, offset: TermId) -> Result<u64, Limit> {
        if self.is_array(object) {
            return Err("a block of an array".to_owned());
        }
        let place = self.machine.vocabulary.terms.as_constant(offset);
        place.ok_or_else(|| "a block of memory at an unknown place".to_owned())
    }

    fn copy_memory(
        &mut self,
        run: &mut SymbolicRun,
        target: Operand,
        source: Operand,
        size: Operand,
    ) -> Result<(), Limit> {
        let ((to, to_offset), (from, from_offset)) = (self.pointer(run, target)?, self.pointer(run, source)?);
        let size = self.number(run, size)?;
        let (to_start, from_start) = (self.constant_place(to, to_offset)?, self.constant_place(from, from_offset)?);
        let in_part = |_| "memory that is copied in part".to_owned();
        let vocabulary = &mut self.machine.vocabulary;
        let mut cells = vocabulary.cells_in(from, from_start, from_start.saturating_add(size)).map_err(in_part)?;
        let others = vocabulary.cells_in(to, to_start, to_start.saturating_add(size)).map_err(in_part)?;
        cells.extend(others.into_iter().map(|(place, bytes)| (place - to_start + from_start, bytes)));
        cells.sort_unstable();
        cells.dedup();
        let mut values = Vec::new();
        for &(place, bytes) in &cells {
            let cell = self.cell(from, place, bytes)?;
            values.push(self.read_variable(run, cell, Type::Int(bytes as u8 * 8))?);
        }
        for (&(place, bytes), value) in cells.iter().zip(values) {
            let cell = self.cell(to, place - from_start + to_start, bytes)?;
            self.write_variable(run, cell, value);
        }
        self.machine.vocabulary.watch_layout(from);
        self.machine.vocabulary.watch_layout(to);
        self.note_write(run, to);
        Ok(())
    }

    fn callee(&mut self, run: &SymbolicRun, callee: Callee) -> Result<program::FunctionId, Limit> {
        let operand = match callee {
            Callee::Direct(function) => return Ok(function),
            Callee::Indirect(operand) => operand,
        };
        let (object, _) = self.pointer(run, operand)?;
        match self.machine.vocabulary.get(object).key {
            VariableObject::Function(function) => Ok(function),
            _ => Err("a call of something that is no function".to_owned()),
        }
    }

    /// Output has no effect here, unless its format stores something.
    fn check_printed(
        &mut self,
        run: &SymbolicRun,
        function: LibraryFunction,
        arguments: &[Operand],
    ) -> Result<(), Limit> {
        match (function, arguments) {
            (LibraryFunction::Putchar | LibraryFunction::Puts, _) => Ok(()),
            (LibraryFunction::Printf | LibraryFunction::Vprintf | LibraryFunction::ReadPrinted, &[format, _]) => {
                let (object, offset) = self.pointer(run, format)?;
                let offset = self.constant_place(object, offset)?;
                let VariableObject::Global(global) = self.machine.vocabulary.get(object).key else {
                    return Err("a format that is not a literal".to_owned());
                };
                let format = Operand::Global { global, offset: offset as i64 };
                match printed::argument_slots(self.machine.vocabulary.program, format) {
                    Some(_) => Ok(()),
                    None => Err("a format that is not a literal, or that may store something".to_owned()),
                }
            }
            _ => Err("text that is printed to memory".to_owned()),
        }
    }

    /// A function that is called or started through a pointer of another type is not entered.
    fn check_type(&self, run: &SymbolicRun, callee: program::FunctionId) -> Result<(), Limit> {
        let (here, program) = (self.place(run), self.machine.vocabulary.program);
        let At::Instruction(instruction) = program.at(here) else { return Ok(()) };
        program.mismatch(here.function, &instruction.kind, callee).map_or(Ok(()), Err)
    }

    fn call(&mut self, mut run: SymbolicRun, callee: Callee, arguments: &[Operand]) -> Result<After, Limit> {
        let function = self.callee(&run, callee)?;
        self.check_type(&run, function)?;
        if self.own(&run).frames.iter().any(|frame| frame.function == function) {
            return Err("recursion".to_owned());
        }
        if self.own(&run).frames.len() >= MAX_FRAMES {
            return Err("deep calls".to_owned());
        }
        let values: Vec<SymValue> =
            arguments.iter().map(|&argument| self.operand(&run, argument)).collect::<Result<_, _>>()?;
        let parameters = &self.machine.vocabulary.program.functions[function].parameters;
        if parameters.len() != values.len() {
            return Err("a call with other arguments than the function has".to_owned());
        }
        let start = Location { function, block: program::Function::ENTRY, index: 0 };
        self.own_mut(&mut run).frames.push(start);
        for (&parameter, value) in parameters.iter().zip(values) {
            self.set(&mut run, parameter, value);
        }
        Ok(After::Next(run))
    }

    fn spawn(
        &mut self,
        run: &mut SymbolicRun,
        target: RegisterId,
        store: Option<Operand>,
        function: Callee,
        argument: Operand,
        detached: Operand,
    ) -> Result<(), Limit> {
        let child = run.control.threads.len() as u32;
        if run.control.threads.len() >= MAX_THREADS {
            return Err("many threads".to_owned());
        }
        let function = self.callee(run, function)?;
        self.check_type(run, function)?;
        let value = self.operand(run, argument)?;
        let mut thread = Thread::new(function);
        thread.detached = self.number(run, detached)? != 0;
        let bits = u32::from(self.machine.vocabulary.model().pointer_bits());
        let number = handle_number(u64::from(child));
        let handle = SymValue::Int(self.machine.vocabulary.terms.constant(bits, number));
        if let Some(address) = store {
            let (object, offset) = self.pointer(run, address)?;
            self.store(run, object, offset, handle.clone(), Type::Int(bits as u8))?;
            self.note_write(run, object);
        }
        self.set(run, target, handle);
        run.control.threads.push(thread);
        self.machine.know_thread_locals(&mut run.control, child);
        let parameters = &self.machine.vocabulary.program.functions[function].parameters;
        let [parameter] = parameters[..] else { return Err("a thread function with other parameters".to_owned()) };
        let term = self.machine.vocabulary.register(child, 0, function, parameter);
        self.write_variable(run, term, value);
        run.has_effect = true;
        Ok(())
    }

    /// Whether the thread need not wait.
    fn join(
        &mut self,
        run: &mut SymbolicRun,
        target: Option<RegisterId>,
        error: Option<RegisterId>,
        thread: Operand,
    ) -> Result<bool, Limit> {
        let handle = self.number(run, thread)?;
        let joined = thread_of_handle(handle).filter(|&index| (index as usize) < run.control.threads.len());
        let Some(index) = joined else { return Err("a join of something that is no thread".to_owned()) };
        let other = &mut run.control.threads[index as usize];
        if other.detached || other.joined_by.is_some() {
            return Err("a join of a thread that cannot be joined".to_owned());
        }
        if other.status == ControlStatus::Live {
            let awaited = run.control.threads[index as usize].clone();
            return if index == u64::from(self.thread) || self.may_wait_for(run, index as u32, &awaited) {
                Err("threads that join each other".to_owned())
            } else {
                Ok(false)
            };
        }
        other.joined_by = Some(self.thread);
        if let Some(target) = target {
            let term = self.machine.vocabulary.variable(Meaning::Result { thread: index as u32 }, Type::Pointer);
            let result = self.read_variable(run, term, Type::Pointer)?;
            self.set(run, target, result);
        }
        self.set_number(run, error, 0);
        run.has_effect = true;
        Ok(true)
    }

    /// Whether the thread is at a join that may be one of this thread: then one of the two may be told.
    fn may_wait_for(&mut self, run: &SymbolicRun, other: u32, thread: &Thread) -> bool {
        let Some(location) = thread.location() else { return false };
        let At::Instruction(instruction) = self.machine.vocabulary.program.at(location) else { return false };
        let InstructionKind::Join { thread: handle, .. } = instruction.kind else { return false };
        let Operand::Register(register) = handle else { return true };
        let term = self.machine.vocabulary.register(other, thread.depth(), location.function, register);
        let variable = variable_of(&self.machine.vocabulary.terms, term);
        match variable.and_then(|variable| run.control.known.get(&variable)) {
            Some(&KnownValue::Number(number)) => thread_of_handle(number) == Some(u64::from(self.thread)),
            _ => true,
        }
    }

    fn synchronise(
        &mut self,
        mut run: SymbolicRun,
        target: Option<RegisterId>,
        op: SyncOp,
        operands: &[Operand],
    ) -> Result<After, Limit> {
        let action = sync::action(op);
        let layouts = self.machine.vocabulary.program.sync_layouts();
        let (mut places, mut states, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (index, &operand) in operands.iter().enumerate() {
            let Some(&kind) = action.objects.get(index) else {
                values.push(self.number(&run, operand)?);
                continue;
            };
            let (object, offset) = self.pointer(&run, operand)?;
            let place = self.constant_place(object, offset)?;
            let bytes = object_bytes(kind, layouts);
            let known = self.machine.vocabulary.sync_object(object, place, bytes);
            known.map_err(|_| "a synchronisation object whose bytes are accessed".to_owned())?;
            let state = match run.control.sync.get(&(object, place)) {
                Some(state) if state.kind() == kind => state.clone(),
                Some(_) => return Err("a synchronisation object of two kinds".to_owned()),
                None => {
                    let bytes = self.machine.vocabulary.initial_bytes(object, place, bytes);
                    initial_state(kind, layouts, bytes.as_deref())
                }
            };
            if state.is_unclear() {
                return Err("a synchronisation object whose state is unclear".to_owned());
            }
            if !run.has_effect && !self.machine.is_local(&run.control, self.thread, object, true) {
                run.has_effect = true;
            }
            // What tells objects apart.
            values.push(u64::from(object.0) << 32 | (place & 0xffff_ffff));
            places.push((object, place));
            states.push(state);
        }
        let call = Call { thread: self.thread, operands: &values };
        if let Some(limit) = action.limit(&states, &call) {
            return Err(limit.to_owned());
        }
        if !action.enabled(&states, &call) {
            run.trail.pop();
            return Ok(After::Blocked(run));
        }
        let choices = action.choices(&states, &call);
        let alternatives = if choices.is_empty() { vec![None] } else { choices.into_iter().map(Some).collect() };
        let mut runs = Vec::new();
        for choice in alternatives {
            let (mut next, mut after) = (run.clone(), states.clone());
            let result = action.apply(&mut after, &call, choice.unwrap_or(0));
            next.choices.extend(choice.map(Chosen::Value));
            for (&place, state) in places.iter().zip(after) {
                next.control.sync.insert(place, state);
            }
            self.set_number(&mut next, target, u64::from(result as u32));
            self.advance(&mut next);
            runs.push(next);
        }
        Ok(if runs.len() == 1 { After::Next(runs.remove(0)) } else { After::Fork(runs) })
    }

    fn terminator(&mut self, mut run: SymbolicRun, kind: &TerminatorKind) -> Result<After, Limit> {
        match kind {
            TerminatorKind::Goto(block) => self.jump(&mut run, *block),
            TerminatorKind::Branch { condition, then, otherwise } => {
                let condition = self.condition(&run, *condition)?;
                let negated = self.machine.vocabulary.terms.not(condition);
                return Ok(After::Fork(self.branches(run, &[(condition, *then), (negated, *otherwise)])));
            }
            TerminatorKind::Switch { value, cases, default, .. } => {
                let value = self.operand(&run, *value)?;
                let value = value.as_int().ok_or_else(|| "a switch over a pointer".to_owned())?;
                let terms = &mut self.machine.vocabulary.terms;
                let (width, mut none) = (terms.width(value), terms.boolean(true));
                let mut ways = Vec::new();
                for &(case, block) in cases {
                    let constant = terms.constant(width, case);
                    let is_case = terms.eq(value, constant);
                    let first = terms.and(none, is_case);
                    ways.push((first, block));
                    let other = terms.not(is_case);
                    none = terms.and(none, other);
                }
                ways.push((none, *default));
                return Ok(After::Fork(self.branches(run, &ways)));
            }
            TerminatorKind::Return(value) => {
                let value = value.map(|value| self.operand(&run, value)).transpose()?;
                self.own_mut(&mut run).frames.pop();
                let Some(&caller) = self.own(&run).frames.last() else {
                    self.end_thread(&mut run, value);
                    return Ok(After::Next(run));
                };
                if let At::Instruction(instruction) = self.machine.vocabulary.program.at(caller)
                    && let InstructionKind::Call { target: Some(target), .. } = instruction.kind
                {
                    let value = value.ok_or_else(|| "a result that is missing".to_owned())?;
                    self.set(&mut run, target, value);
                }
                self.advance(&mut run);
            }
            TerminatorKind::ThreadExit(value) => {
                let value = self.operand(&run, *value)?;
                self.own_mut(&mut run).frames.clear();
                self.end_thread(&mut run, Some(value));
            }
            // Whoever comes here has done nothing in this edge that others notice, or stands here.
            TerminatorKind::ProcessExit { .. } | TerminatorKind::Unreachable => return Ok(After::Nothing),
        }
        Ok(After::Next(run))
    }

    fn end_thread(&mut self, run: &mut SymbolicRun, value: Option<SymValue>) {
        let own = self.own_mut(run);
        own.status = ControlStatus::Ended;
        // A section that the thread was in ends with it.
        own.sections = 0;
        if let Some(value) = value {
            let term = self.machine.vocabulary.variable(Meaning::Result { thread: self.thread }, Type::Pointer);
            self.write_variable(run, term, value);
        }
        run.has_effect = true;
    }

    fn branches(&mut self, run: SymbolicRun, ways: &[(TermId, BlockId)]) -> Vec<SymbolicRun> {
        let mut runs = Vec::new();
        for &(condition, block) in ways {
            let mut next = run.clone();
            if self.assume(&mut next, condition) {
                self.jump(&mut next, block);
                runs.push(next);
            }
        }
        runs
    }

    // The end of an edge

    /// Ways of their own for the cases of the values that the edge assigns, where they are few: a flag that is computed from a
    /// comparison, or a pointer to one of two objects, is then a constant in each.
    fn divided(&mut self, ended: PathEnd) -> Vec<PathEnd> {
        let PathEnd::Step(run) = ended else { return vec![ended] };
        if !self.machine.divides {
            return vec![PathEnd::Step(run)];
        }
        let (mut open, mut found) = (vec![run], Vec::new());
        while let Some(run) = open.pop() {
            let conditions = self.conditions(&run);
            let condition = match conditions[..] {
                [first, ..] if conditions.len() <= MAX_CASES && open.len() + found.len() < MAX_RUNS => first,
                _ => {
                    found.push(PathEnd::Step(run));
                    continue;
                }
            };
            for holds in [false, true] {
                let (mut one, vocabulary) = (run.clone(), &mut self.machine.vocabulary);
                let negated = vocabulary.terms.not(condition);
                one.guard.push(if holds { condition } else { negated });
                for value in one.values.values_mut() {
                    let under = |vocabulary: &mut _, term| oracle::under(vocabulary, &[term], condition, holds)[0];
                    match value {
                        SymValue::Bool(term) | SymValue::Int(term) => *term = under(vocabulary, *term),
                        SymValue::Pointer { object, offset, .. } => {
                            *object = under(vocabulary, *object);
                            *offset = under(vocabulary, *offset);
                        }
                    }
                }
                open.push(one);
            }
        }
        found
    }

    /// The conditions between which values choose that are still used.
    fn conditions(&mut self, run: &SymbolicRun) -> Vec<TermId> {
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        let mut values: Vec<(&VariableId, &SymValue)> = run.values.iter().collect();
        values.sort_unstable_by_key(|(variable, _)| **variable);
        for (&variable, value) in values {
            if !self.machine.is_live(&run.control, variable) {
                continue;
            }
            let (parts, count) = value.components();
            let mut open = parts[..count].to_vec();
            while let Some(term) = open.pop() {
                if !seen.insert(term) {
                    continue;
                }
                let terms = &self.machine.vocabulary.terms;
                if let Term::Ite(condition, ..) = terms.get(term)
                    && !found.contains(&condition)
                {
                    found.push(condition);
                }
                open.extend(terms.get(term).operands());
            }
        }
        found
    }

    fn finish(&mut self, ended: PathEnd, from: Location, frames: &[Location]) -> Option<Move> {
        let (mut run, end) = match ended {
            PathEnd::Step(run) => (run, EdgeEnd::Step),
            PathEnd::Error(run, property) => (run, EdgeEnd::Error(property)),
            PathEnd::Limit(run, limit) => (run, EdgeEnd::Limit(limit.into())),
        };
        let guard = self.machine.vocabulary.terms.and_all(&run.guard);
        if self.machine.vocabulary.terms.as_boolean(guard) == Some(false) {
            return None;
        }
        let is_step = end == EdgeEnd::Step;
        let assignments = if is_step { self.assignments(&mut run) } else { Vec::new() };
        let place = self.own(&run).location().filter(|_| is_step);
        let (code, depth) = (&self.machine.code, self.own(&run).frames.len());
        // The same activation has been in the loop before.
        let before = depth.checked_sub(1).and_then(|depth| frames.get(depth));
        let loop_entry = place.map_or_else(LoopEntry::default, |place| LoopEntry {
            any: code.is_loop_head(place),
            outermost: code.is_outermost_loop_head(place),
            again: before.is_some_and(|&before| code.is_in_loop_of(before, place)),
        });
        let edge = ThreadEdge {
            thread: self.thread,
            from,
            guard,
            assignments: assignments.into(),
            stores: if is_step { run.stores.into() } else { Rc::from([]) },
            end,
            trail: run.trail.into(),
            choices: run.choices.into(),
            skips: run.skips,
            loop_entry,
        };
        let target = is_step.then(|| self.machine.intern_control(run.control));
        Some(Move { edge: self.machine.intern_edge(edge), target })
    }

    /// What the edge assigns to what is still used, and what is known of it.
    fn assignments(&mut self, run: &mut SymbolicRun) -> Vec<(VariableId, TermId)> {
        let mut values: Vec<(VariableId, SymValue)> = run.values.drain().collect();
        values.sort_unstable_by_key(|(variable, _)| *variable);
        let mut assignments = Vec::new();
        for (variable, value) in values {
            run.control.known.remove(&variable);
            if !self.machine.is_live(&run.control, variable) {
                continue;
            }
            let (term, known) = self.split(run, variable, value);
            run.control.known.extend(known.map(|known| (variable, known)));
            if term != self.machine.vocabulary.terms.variable_term(variable) {
                assignments.push((variable, term));
            }
        }
        let known: Vec<VariableId> = run.control.known.keys().copied().collect();
        for variable in known {
            if !self.machine.is_live(&run.control, variable) {
                run.control.known.remove(&variable);
            }
        }
        assignments
    }

    /// The part of a value that the variable holds, and what is known of it besides.
    fn split(&mut self, run: &mut SymbolicRun, variable: VariableId, value: SymValue) -> (TermId, Option<KnownValue>) {
        let is_counter = matches!(self.machine.vocabulary.meaning(variable), Meaning::Register { thread: 0, .. });
        match value {
            SymValue::Bool(term) => {
                let known = self.machine.vocabulary.terms.as_boolean(term).filter(|_| is_counter);
                (term, known.map(|truth| KnownValue::Number(u64::from(truth))))
            }
            SymValue::Int(term) => {
                let number = self.machine.vocabulary.terms.as_constant(term);
                let threads = run.control.threads.len() as u64;
                let is_handle = |number: u64| thread_of_handle(number).is_some_and(|index| index < threads);
                (
                    term,
                    number
                        .filter(|&number| (is_counter && number < MAX_KNOWN) || is_handle(number))
                        .map(KnownValue::Number),
                )
            }
            SymValue::Pointer { object, offset, .. } => {
                let terms = &self.machine.vocabulary.terms;
                match terms.as_constant(object) {
                    Some(0) => (offset, None),
                    Some(object) => {
                        let place = terms.as_constant(offset).filter(|&place| place < 4 * MAX_KNOWN);
                        (offset, Some(KnownValue::Pointer(ObjectId(object as u32), place)))
                    }
                    None => {
                        let any = self.any(run, Type::Pointer);
                        (any.components().0[0], Some(KnownValue::Lost))
                    }
                }
            }
        }
    }
}

/// Whether a place is certainly a multiple of so many bytes.
fn is_multiple(terms: &Terms, place: TermId, bytes: u64) -> bool {
    let of = |term: TermId| is_multiple(terms, term, bytes);
    bytes == 1
        || match terms.get(place) {
            Term::Constant { value, .. } => value % bytes == 0,
            Term::Ite(_, a, b) => of(a) && of(b),
            Term::Binary(terms::BinaryOp::Add | terms::BinaryOp::Sub, a, b) => of(a) && of(b),
            Term::Binary(terms::BinaryOp::Mul, a, b) => of(a) || of(b),
            Term::Binary(terms::BinaryOp::Shl, _, count) => {
                terms.as_constant(count).is_some_and(|count| count >= u64::from(bytes.trailing_zeros()))
            }
            Term::Concat(_, low) => of(low) && terms.width(low) >= bytes.trailing_zeros(),
            Term::Extract { arg, low: 0, .. } => of(arg),
            _ => false,
        }
}

impl Chosen {
    pub fn term(self) -> Option<TermId> {
        match self {
            Chosen::Term(term) => Some(term),
            Chosen::Value(_) => None,
        }
    }
}
