//! Instructions of one thread, one at a time: what each leads to, as conditions and values over the state before.

use program::handles::{handle_number, thread_of_handle};
use program::{
    At, BinaryOp, BlockId, Callee, FunctionId, InstructionKind, LibraryFunction, Location, Operand, Property,
    PropertySet, RegisterId, RmwOp, Rvalue, SyncOp, TerminatorKind, Type,
};
use proof::{ProofObjectKey, ProofVariable};
use sync::{Call, initial_state, object_bytes};
use terms::TermId;

use crate::evaluate::{chosen, doubtful_order, equal, rvalue, truth_of};
use crate::machine::{CheckMachine, Unclear};
use crate::reach::start_of;
use crate::state::{CheckedValue, ThreadCourse, ThreadStack};

const MAX_THREADS: usize = 60;
const MAX_FRAMES: usize = 60;
/// So many places an access may have.
const MAX_PLACES: u64 = 64;

/// What one instruction leads to.
#[derive(Default)]
pub struct Consequences {
    /// The ways to go on.
    pub next: Vec<ThreadCourse>,
    /// What is violated, and under which conditions.
    pub errors: Vec<(Vec<TermId>, Property)>,
    /// Where the thread stops for good.
    pub stops: Vec<Vec<TermId>>,
    /// What is not understood.
    pub unclear: Vec<(Vec<TermId>, Unclear)>,
    /// The thread has to wait.
    pub is_blocked: bool,
}

impl CheckMachine<'_> {
    /// Executes what comes next in the thread of the course, which has not ended.
    pub fn execute(&mut self, course: ThreadCourse, properties: PropertySet) -> Consequences {
        let guard = course.guard.clone();
        let Some(here) = course.place() else { return Consequences::default() };
        let mut consequences = Consequences::default();
        let filling = self.filling_loop(&course);
        let result = match (filling, self.program.at(here)) {
            (Some(filling), _) => self.behind_loop(course, &filling, properties, &mut consequences),
            (None, At::Instruction(instruction)) => {
                self.instruction(course, here, &instruction.kind, properties, &mut consequences)
            }
            (None, At::Terminator(terminator)) => self.terminator(course, here, &terminator.kind, &mut consequences),
        };
        if let Err(what) = result {
            consequences.next.clear();
            consequences.unclear.push((guard, what));
        }
        consequences
    }

    fn register_of(&self, course: &ThreadCourse, register: RegisterId) -> Result<ProofVariable, Unclear> {
        let place = course.place().ok_or_else(|| "a thread that has ended".to_owned())?;
        let (thread, depth) = (course.thread, course.depth());
        Ok(ProofVariable::Register { thread, depth, function: place.function, register })
    }

    pub fn set(&self, course: &mut ThreadCourse, register: RegisterId, value: CheckedValue) -> Result<(), Unclear> {
        let variable = self.register_of(course, register)?;
        course.values.insert(variable, value);
        Ok(())
    }

    fn set_number(
        &mut self,
        course: &mut ThreadCourse,
        register: Option<RegisterId>,
        number: u64,
    ) -> Result<(), Unclear> {
        let (Some(register), Some(place)) = (register, course.place()) else { return Ok(()) };
        let bits = self.program.functions[place.function].registers[register].ty.bits(self.model());
        let value = self.number(u32::from(bits), number);
        self.set(course, register, value)
    }

    pub fn operand(&mut self, course: &ThreadCourse, operand: Operand) -> Result<CheckedValue, Unclear> {
        let bits = self.pointer_bits();
        let mask = u64::MAX >> (64 - bits);
        Ok(match operand {
            Operand::Register(register) => {
                let variable = self.register_of(course, register)?;
                self.value(course, variable)
            }
            Operand::Int { bits, value } => self.number(u32::from(bits), value),
            Operand::Float(bits) => CheckedValue::Number(self.terms.constant(32, u64::from(bits))),
            Operand::Double(bits) => CheckedValue::Number(self.terms.constant(64, bits)),
            Operand::Null => CheckedValue::Number(self.terms.constant(bits, 0)),
            Operand::Global { offset, .. } | Operand::Local { offset, .. } => {
                let object = self.named_object(course, operand)?;
                CheckedValue::Address(object, self.terms.constant(bits, offset as u64 & mask))
            }
            Operand::Function(function) => {
                let object = self.object(ProofObjectKey::Function(function));
                CheckedValue::Address(object, self.terms.constant(bits, 0))
            }
        })
    }

    fn named_object(&mut self, course: &ThreadCourse, operand: Operand) -> Result<u32, Unclear> {
        let thread = course.thread;
        let place = course.place().ok_or_else(|| "a thread that has ended".to_owned())?;
        let key = match operand {
            Operand::Global { global, .. } if self.program.globals[global].thread_local => {
                ProofObjectKey::ThreadLocal(global, thread)
            }
            Operand::Global { global, .. } => ProofObjectKey::Global(global),
            Operand::Local { local, .. } => {
                ProofObjectKey::Local { thread, depth: course.depth(), function: place.function, local }
            }
            _ => return Err("an operand that names no object".to_owned()),
        };
        Ok(self.object(key))
    }

    /// The object and the offset of a pointer.
    pub fn address(&mut self, course: &ThreadCourse, operand: Operand) -> Result<(u32, TermId), Unclear> {
        match self.operand(course, operand)? {
            CheckedValue::Address(object, offset) => Ok((object, offset)),
            _ => Err("an address that is not known".to_owned()),
        }
    }

    fn constant(&mut self, course: &ThreadCourse, operand: Operand) -> Result<u64, Unclear> {
        let unknown = || "an operand that is not known".to_owned();
        match self.operand(course, operand)? {
            CheckedValue::Truth(term) => self.terms.as_boolean(term).map(u64::from).ok_or_else(unknown),
            CheckedValue::Number(term) => self.terms.as_constant(term).ok_or_else(unknown),
            _ => Err(unknown()),
        }
    }

    // Memory

    /// Where in an object an access may be, with the condition for each place. What lies outside is undefined.
    fn places(&mut self, object: u32, offset: TermId, bytes: u64) -> Result<Vec<(u64, TermId)>, Unclear> {
        let size = self.objects[object as usize].size;
        if let Some(place) = self.terms.as_constant(offset) {
            let fits = size.is_none_or(|size| place.checked_add(bytes).is_some_and(|end| end <= size));
            return if fits {
                Ok(vec![(place, self.terms.boolean(true))])
            } else {
                Err("an access outside of an object".to_owned())
            };
        }
        let size = size.filter(|size| size / bytes <= MAX_PLACES && size / bytes > 0);
        let size = size.ok_or_else(|| "an access to many places".to_owned())?;
        let width = self.terms.width(offset);
        let mut places = Vec::new();
        for start in (0..size / bytes).map(|index| index * bytes) {
            let constant = self.terms.constant(width, start);
            places.push((start, self.terms.eq(offset, constant)));
        }
        Ok(places)
    }

    fn load(
        &mut self,
        course: &mut ThreadCourse,
        object: u32,
        offset: TermId,
        ty: Type,
    ) -> Result<CheckedValue, Unclear> {
        let bytes = ty.bytes(self.model());
        if self.objects[object as usize].is_array {
            let key = self.objects[object as usize].key;
            let has_addresses = match key {
                ProofObjectKey::Global(global) | ProofObjectKey::ThreadLocal(global, _) => {
                    !self.program.globals[global].initial.relocations.is_empty()
                }
                _ => false,
            };
            if ty == Type::Pointer || has_addresses {
                return Err("a pointer in an array".to_owned());
            }
            course.state.sealed.insert(object);
            return Ok(CheckedValue::Number(self.decider.element(&mut self.terms, object, bytes as u8, offset)));
        }
        // Between the places it may be anything.
        let places = self.places(object, offset, bytes)?;
        let is_exact = places.len() == 1 && self.terms.as_boolean(places[0].1) == Some(true);
        let mut found = if is_exact { None } else { Some(self.unknown(course, ty)) };
        for (place, condition) in places {
            let cell = self.cell(object, place, bytes)?;
            let value = self.value(course, cell);
            found = Some(match found {
                None => value,
                Some(other) => chosen(&mut self.terms, condition, value, other),
            });
        }
        found.ok_or_else(|| "an access to nothing".to_owned())
    }

    fn store(
        &mut self,
        course: &mut ThreadCourse,
        object: u32,
        offset: TermId,
        value: CheckedValue,
        ty: Type,
        consequences: &mut Consequences,
    ) -> Result<(), Unclear> {
        let bytes = ty.bytes(self.model());
        if self.objects[object as usize].is_array {
            let is_number = matches!(value, CheckedValue::Number(_));
            return if is_number && !course.state.sealed.contains(&object) {
                Ok(())
            } else {
                Err("an array that changes after it was read".to_owned())
            };
        }
        let places = self.places(object, offset, bytes)?;
        if let Some(size) = self.objects[object as usize].size.filter(|_| self.terms.as_constant(offset).is_none()) {
            // Inside, but at none of the places.
            let last = self.terms.constant(self.terms.width(offset), size - bytes);
            let mut between = course.guard.clone();
            between.push(self.terms.ule(offset, last));
            between.extend(places.iter().map(|&(_, condition)| self.terms.not(condition)));
            consequences.unclear.push((between, "a write between the cells of an object".to_owned()));
        }
        for (place, condition) in places {
            let cell = self.cell(object, place, bytes)?;
            let old = self.value(course, cell);
            let new = chosen(&mut self.terms, condition, value, old);
            course.values.insert(cell, new);
        }
        Ok(())
    }

    /// Sets every cell of an object, to a byte again and again or to anything.
    pub fn fill(&mut self, course: &mut ThreadCourse, object: u32, byte: Option<u8>) -> Result<(), Unclear> {
        for (place, bytes) in self.cells(object) {
            let cell = self.cell(object, place, bytes)?;
            let value = match byte {
                Some(byte) => self.repeated(byte, bytes),
                None => self.unknown(course, Type::Int(bytes as u8 * 8)),
            };
            course.values.insert(cell, value);
        }
        Ok(())
    }

    fn repeated(&mut self, byte: u8, bytes: u64) -> CheckedValue {
        let value = (0..bytes).fold(0u64, |value, _| value << 8 | u64::from(byte));
        CheckedValue::Number(self.terms.constant(bytes as u32 * 8, value))
    }

    fn block_start(&mut self, course: &ThreadCourse, operand: Operand) -> Result<(u32, u64), Unclear> {
        let (object, offset) = self.address(course, operand)?;
        let place = self.terms.as_constant(offset).filter(|_| !self.objects[object as usize].is_array);
        Ok((object, place.ok_or_else(|| "a block of memory that is not known".to_owned())?))
    }

    /// Where the condition holds, a comparison depends on where memory lies.
    fn note_doubt(&self, course: &ThreadCourse, doubtful: Option<TermId>, consequences: &mut Consequences) {
        let Some(doubtful) = doubtful.filter(|&doubtful| self.terms.as_boolean(doubtful) != Some(false)) else {
            return;
        };
        let mut guard = course.guard.clone();
        guard.push(doubtful);
        consequences.unclear.push((guard, "a comparison that depends on where memory lies".to_owned()));
    }

    // Instructions

    pub fn instruction(
        &mut self,
        mut course: ThreadCourse,
        here: Location,
        kind: &InstructionKind,
        properties: PropertySet,
        consequences: &mut Consequences,
    ) -> Result<(), Unclear> {
        course.trail.push(here);
        match kind {
            InstructionKind::Assign { target, value } => {
                let operands: Vec<CheckedValue> =
                    value.operands().iter().map(|&operand| self.operand(&course, operand)).collect::<Result<_, _>>()?;
                let model = self.model();
                let doubtful = match (value, &operands[..]) {
                    (Rvalue::Binary { op: BinaryOp::Eq | BinaryOp::Ne, .. }, &[left, right]) => {
                        Some(self.doubtful_equality(&course, left, right))
                    }
                    _ => doubtful_order(&mut self.terms, value, &operands),
                };
                self.note_doubt(&course, doubtful, consequences);
                let value = rvalue(&mut self.terms, model, value, &operands)?;
                self.set(&mut course, *target, value)?;
            }
            InstructionKind::Load { target, address, ty, .. } => {
                let (object, offset) = self.address(&course, *address)?;
                let value = self.load(&mut course, object, offset, *ty)?;
                self.set(&mut course, *target, value)?;
            }
            InstructionKind::Store { address, value, ty, .. } => {
                let (object, offset) = self.address(&course, *address)?;
                let value = self.operand(&course, *value)?;
                self.store(&mut course, object, offset, value, *ty, consequences)?;
            }
            InstructionKind::ReadModifyWrite { target, op, address, value, ty, .. } => {
                let (object, offset) = self.address(&course, *address)?;
                self.refuse_array(object)?;
                let old = self.load(&mut course, object, offset, *ty)?;
                let value = self.operand(&course, *value)?;
                let new = self.combined(*op, old, value)?;
                self.store(&mut course, object, offset, new, *ty, consequences)?;
                if let Some(target) = target {
                    self.set(&mut course, *target, old)?;
                }
            }
            InstructionKind::CompareExchange { old, success, address, expected, desired, ty, weak, .. } => {
                let (object, offset) = self.address(&course, *address)?;
                self.refuse_array(object)?;
                let found = self.load(&mut course, object, offset, *ty)?;
                let (expected, desired) = (self.operand(&course, *expected)?, self.operand(&course, *desired)?);
                let doubtful = self.doubtful_equality(&course, found, expected);
                self.note_doubt(&course, Some(doubtful), consequences);
                let mut swaps = equal(&mut self.terms, found, expected)?;
                if *weak {
                    let fails = self.unknown(&mut course, Type::BOOL);
                    let fails = truth_of(fails)?;
                    let works = self.terms.not(fails);
                    swaps = self.terms.and(swaps, works);
                }
                let new = chosen(&mut self.terms, swaps, desired, found);
                self.store(&mut course, object, offset, new, *ty, consequences)?;
                self.set(&mut course, *old, found)?;
                self.set(&mut course, *success, CheckedValue::Truth(swaps))?;
            }
            InstructionKind::Nondet { target, ty, .. } => {
                if *ty == Type::Pointer {
                    return Err("a pointer that may be any".to_owned());
                }
                let value = self.unknown(&mut course, *ty);
                self.set(&mut course, *target, value)?;
            }
            InstructionKind::Assume { condition } => {
                let condition = truth_of(self.operand(&course, *condition)?)?;
                let mut stops = course.guard.clone();
                stops.push(self.terms.not(condition));
                consequences.stops.push(stops);
                course.guard.push(condition);
            }
            InstructionKind::Assert { condition, property, .. } => {
                if properties.contains(*property) {
                    let condition = truth_of(self.operand(&course, *condition)?)?;
                    let mut fails = course.guard.clone();
                    fails.push(self.terms.not(condition));
                    consequences.errors.push((fails, *property));
                    course.guard.push(condition);
                }
            }
            InstructionKind::Allocate { target, size, zeroed, .. } => {
                let size = self.constant(&course, *size).ok();
                let thread = course.thread;
                let count = course.state.allocations.entry((thread, here)).or_default();
                let ordinal = *count;
                *count += 1;
                let object = self.object(ProofObjectKey::Allocated { thread, location: here, ordinal });
                self.set_size(object, size, *zeroed);
                if course.state.sealed.contains(&object) {
                    return Err("an array that is made again".to_owned());
                }
                self.fill(&mut course, object, zeroed.then_some(0))?;
                let start = self.terms.constant(self.pointer_bits(), 0);
                self.set(&mut course, *target, CheckedValue::Address(object, start))?;
            }
            InstructionKind::Begin { local } => {
                let object = self.named_object(&course, Operand::Local { local: *local, offset: 0 })?;
                if self.objects[object as usize].is_array {
                    return Err("a large local variable".to_owned());
                }
                self.fill(&mut course, object, None)?;
                course.state.sync.retain(|&(owner, _), _| owner != object);
            }
            InstructionKind::SetMemory { target, byte, size } => {
                let (byte, size) = (self.constant(&course, *byte)?, self.constant(&course, *size)?);
                let (object, start) = self.block_start(&course, *target)?;
                for (place, bytes) in self.cells_in(object, start, start.saturating_add(size))? {
                    let cell = self.cell(object, place, bytes)?;
                    let value = self.repeated(byte as u8, bytes);
                    course.values.insert(cell, value);
                }
            }
            InstructionKind::CopyMemory { target, source, size, .. } => {
                self.copy(&mut course, *target, *source, *size)?;
            }
            InstructionKind::Call { callee, arguments, .. } => {
                let values: Vec<CheckedValue> =
                    arguments.iter().map(|&argument| self.operand(&course, argument)).collect::<Result<_, _>>()?;
                let function = self.callee(&course, *callee)?;
                self.call(&mut course, function, &values)?;
                consequences.next.push(course);
                return Ok(());
            }
            InstructionKind::Spawn { target, store, function, argument, detached } => {
                self.spawn(&mut course, *target, *store, *function, *argument, *detached, consequences)?;
            }
            InstructionKind::Join { target, error, thread } => {
                let handle = self.constant(&course, *thread)?;
                let known = thread_of_handle(handle).filter(|&one| (one as usize) < course.state.threads.len());
                let index = known.ok_or_else(|| "a join of something that is no thread".to_owned())?;
                let (own, other) = (course.thread, &mut course.state.threads[index as usize]);
                if other.detached || other.joined_by.is_some() {
                    return Err("a join of a thread that cannot be joined".to_owned());
                }
                if other.is_live() {
                    consequences.is_blocked = true;
                    return Ok(());
                }
                other.joined_by = Some(own);
                if let Some(target) = target {
                    let value = self.value(&course, ProofVariable::Result { thread: index as u32 });
                    self.set(&mut course, *target, value)?;
                }
                self.set_number(&mut course, *error, 0)?;
                course.has_effect = true;
            }
            InstructionKind::CurrentThread { target } => {
                let number = handle_number(u64::from(course.thread));
                self.set_number(&mut course, Some(*target), number)?;
            }
            InstructionKind::AtomicBegin => course.own_mut().sections += 1,
            InstructionKind::AtomicEnd => {
                let own = course.own_mut();
                own.sections = own.sections.saturating_sub(1);
            }
            InstructionKind::Sync { target, op, operands } => {
                return self.synchronise(course, *target, *op, operands, consequences);
            }
            InstructionKind::Library { function: LibraryFunction::Snprintf, .. } => {
                return Err("text that is printed to memory".to_owned());
            }
            InstructionKind::Library { target, .. } => {
                if let Some(target) = target {
                    let ty = self.program.functions[here.function].registers[*target].ty;
                    let value = self.unknown(&mut course, ty);
                    self.set(&mut course, *target, value)?;
                }
            }
            InstructionKind::Detach { .. } => return Err("a thread that is detached".to_owned()),
            InstructionKind::Reallocate { .. } => return Err("an object that changes its size".to_owned()),
            InstructionKind::Unsupported { what } => return Err(what.clone()),
            InstructionKind::Fence { .. }
            | InstructionKind::Free { .. }
            | InstructionKind::End { .. }
            | InstructionKind::LeaveProcess
            | InstructionKind::Yield => {}
        }
        advance(&mut course);
        consequences.next.push(course);
        Ok(())
    }

    fn refuse_array(&self, object: u32) -> Result<(), Unclear> {
        if self.objects[object as usize].is_array { Err("an atomic update in an array".to_owned()) } else { Ok(()) }
    }

    fn combined(&mut self, op: RmwOp, old: CheckedValue, value: CheckedValue) -> Result<CheckedValue, Unclear> {
        if op == RmwOp::Exchange {
            return Ok(value);
        }
        let (CheckedValue::Number(a), CheckedValue::Number(b)) = (old, value) else {
            return Err("arithmetic on what is no number".to_owned());
        };
        let terms = &mut self.terms;
        Ok(CheckedValue::Number(match op {
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

    fn copy(
        &mut self,
        course: &mut ThreadCourse,
        target: Operand,
        source: Operand,
        size: Operand,
    ) -> Result<(), Unclear> {
        let size = self.constant(course, size)?;
        let ((to, to_start), (from, from_start)) =
            (self.block_start(course, target)?, self.block_start(course, source)?);
        let mut places = Vec::new();
        for (place, bytes) in self.cells_in(from, from_start, from_start.saturating_add(size))? {
            places.push((place - from_start, bytes));
        }
        for (place, bytes) in self.cells_in(to, to_start, to_start.saturating_add(size))? {
            places.push((place - to_start, bytes));
        }
        places.sort_unstable();
        places.dedup();
        let mut values = Vec::new();
        for &(place, bytes) in &places {
            let cell = self.cell(from, from_start + place, bytes)?;
            values.push(self.value(course, cell));
        }
        for (&(place, bytes), value) in places.iter().zip(values) {
            let cell = self.cell(to, to_start + place, bytes)?;
            course.values.insert(cell, value);
        }
        Ok(())
    }

    fn callee(&mut self, course: &ThreadCourse, callee: Callee) -> Result<FunctionId, Unclear> {
        let operand = match callee {
            Callee::Direct(function) => return Ok(function),
            Callee::Indirect(operand) => operand,
        };
        let (object, _) = self.address(course, operand)?;
        match self.objects[object as usize].key {
            ProofObjectKey::Function(function) => Ok(function),
            _ => Err("a call of something that is no function".to_owned()),
        }
    }

    fn call(
        &mut self,
        course: &mut ThreadCourse,
        function: FunctionId,
        values: &[CheckedValue],
    ) -> Result<(), Unclear> {
        let frames = &course.own().frames;
        if frames.len() >= MAX_FRAMES || frames.iter().any(|frame| frame.function == function) {
            return Err("recursion".to_owned());
        }
        let parameters = &self.program.functions[function].parameters;
        if parameters.len() != values.len() {
            return Err("a call with other arguments than the function has".to_owned());
        }
        course.own_mut().frames.push(start_of(function));
        for (&parameter, &value) in parameters.iter().zip(values) {
            self.set(course, parameter, value)?;
        }
        Ok(())
    }

    fn spawn(
        &mut self,
        course: &mut ThreadCourse,
        target: RegisterId,
        store: Option<Operand>,
        function: Callee,
        argument: Operand,
        detached: Operand,
        consequences: &mut Consequences,
    ) -> Result<(), Unclear> {
        let child = course.state.threads.len() as u32;
        if child as usize >= MAX_THREADS {
            return Err("many threads".to_owned());
        }
        let function = self.callee(course, function)?;
        let value = self.operand(course, argument)?;
        let mut thread = ThreadStack::new(function);
        thread.detached = self.constant(course, detached)? != 0;
        let bits = self.pointer_bits();
        let handle = self.number(bits, handle_number(u64::from(child)));
        if let Some(address) = store {
            let (object, offset) = self.address(course, address)?;
            self.store(course, object, offset, handle, Type::Int(bits as u8), consequences)?;
        }
        self.set(course, target, handle)?;
        course.state.threads.push(thread);
        let parameters = &self.program.functions[function].parameters;
        let [register] = parameters[..] else { return Err("a thread function with other parameters".to_owned()) };
        course.values.insert(ProofVariable::Register { thread: child, depth: 0, function, register }, value);
        course.has_effect = true;
        Ok(())
    }

    fn synchronise(
        &mut self,
        course: ThreadCourse,
        target: Option<RegisterId>,
        op: SyncOp,
        operands: &[Operand],
        consequences: &mut Consequences,
    ) -> Result<(), Unclear> {
        let action = sync::action(op);
        let layouts = self.program.sync_layouts();
        let (mut places, mut states, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (index, &operand) in operands.iter().enumerate() {
            let Some(&kind) = action.objects.get(index) else {
                values.push(self.constant(&course, operand)?);
                continue;
            };
            let (object, place) = self.block_start(&course, operand)?;
            let bytes = object_bytes(kind, layouts);
            self.lay_out(object, place, bytes, true)?;
            let state = match course.state.sync.get(&(object, place)) {
                Some(state) if state.kind() == kind => state.clone(),
                Some(_) => return Err("a synchronisation object of two kinds".to_owned()),
                None => initial_state(kind, layouts, self.initial_bytes(object, place, bytes).as_deref()),
            };
            if state.is_unclear() {
                return Err("a synchronisation object whose state is unclear".to_owned());
            }
            // What tells objects apart.
            values.push(u64::from(object) << 32 | (place & 0xffff_ffff));
            places.push((object, place));
            states.push(state);
        }
        let call = Call { thread: course.thread, operands: &values };
        if let Some(limit) = action.limit(&states, &call) {
            return Err(limit.to_owned());
        }
        if !action.enabled(&states, &call) {
            consequences.is_blocked = true;
            return Ok(());
        }
        let choices = action.choices(&states, &call);
        let ways: Vec<Option<u64>> =
            if choices.is_empty() { vec![None] } else { choices.into_iter().map(Some).collect() };
        for choice in ways {
            let (mut next, mut after) = (course.clone(), states.clone());
            let result = action.apply(&mut after, &call, choice.unwrap_or(0));
            next.choices.extend(choice);
            next.state.sync.extend(places.iter().copied().zip(after));
            self.set_number(&mut next, target, u64::from(result as u32))?;
            advance(&mut next);
            consequences.next.push(next);
        }
        Ok(())
    }

    fn terminator(
        &mut self,
        mut course: ThreadCourse,
        here: Location,
        kind: &TerminatorKind,
        consequences: &mut Consequences,
    ) -> Result<(), Unclear> {
        course.trail.push(here);
        match kind {
            TerminatorKind::Goto(block) => {
                jump(&mut course, *block);
                consequences.next.push(course);
            }
            TerminatorKind::Branch { condition, then, otherwise } => {
                let condition = truth_of(self.operand(&course, *condition)?)?;
                let negated = self.terms.not(condition);
                self.branch(&course, &[(condition, *then), (negated, *otherwise)], consequences);
            }
            TerminatorKind::Switch { value, cases, default, .. } => {
                let CheckedValue::Number(value) = self.operand(&course, *value)? else {
                    return Err("a switch over what is no number".to_owned());
                };
                let (width, mut none) = (self.terms.width(value), self.terms.boolean(true));
                let mut ways = Vec::new();
                for &(case, block) in cases {
                    let constant = self.terms.constant(width, case & (u64::MAX >> (64 - width)));
                    let is_case = self.terms.eq(value, constant);
                    ways.push((self.terms.and(none, is_case), block));
                    let is_other = self.terms.not(is_case);
                    none = self.terms.and(none, is_other);
                }
                ways.push((none, *default));
                self.branch(&course, &ways, consequences);
            }
            TerminatorKind::Return(value) => {
                let value = value.map(|value| self.operand(&course, value)).transpose()?;
                course.own_mut().frames.pop();
                let Some(caller) = course.place() else {
                    end_thread(&mut course, value);
                    consequences.next.push(course);
                    return Ok(());
                };
                if let At::Instruction(instruction) = self.program.at(caller)
                    && let InstructionKind::Call { target: Some(target), .. } = instruction.kind
                {
                    let value = value.ok_or_else(|| "a result that is missing".to_owned())?;
                    self.set(&mut course, target, value)?;
                }
                advance(&mut course);
                consequences.next.push(course);
            }
            TerminatorKind::ThreadExit(value) => {
                let value = self.operand(&course, *value)?;
                course.own_mut().frames.clear();
                end_thread(&mut course, Some(value));
                consequences.next.push(course);
            }
            TerminatorKind::ProcessExit { .. } | TerminatorKind::Unreachable => consequences.stops.push(course.guard),
        }
        Ok(())
    }

    /// The ways of a branch; ways to one block are one.
    fn branch(&mut self, course: &ThreadCourse, ways: &[(TermId, BlockId)], consequences: &mut Consequences) {
        let mut blocks: Vec<BlockId> = ways.iter().map(|&(_, block)| block).collect();
        blocks.sort_unstable();
        blocks.dedup();
        for block in blocks {
            let conditions: Vec<TermId> =
                ways.iter().filter(|&&(_, to)| to == block).map(|&(condition, _)| condition).collect();
            let condition = self.terms.or_all(&conditions);
            if self.terms.as_boolean(condition) != Some(false) {
                let mut next = course.clone();
                next.guard.push(condition);
                jump(&mut next, block);
                consequences.next.push(next);
            }
        }
    }
}

fn advance(course: &mut ThreadCourse) {
    if let Some(frame) = course.own_mut().frames.last_mut() {
        frame.index += 1;
    }
}

pub fn jump(course: &mut ThreadCourse, block: BlockId) {
    if let Some(frame) = course.own_mut().frames.last_mut() {
        (frame.block, frame.index) = (block, 0);
    }
}

fn end_thread(course: &mut ThreadCourse, value: Option<CheckedValue>) {
    let thread = course.thread;
    course.own_mut().sections = 0;
    if let Some(value) = value {
        course.values.insert(ProofVariable::Result { thread }, value);
    }
    course.has_effect = true;
}
