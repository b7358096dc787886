//! Thread handles are opaque: which numbers they are is the implementation's choice. Comparing two of them for equality,
//! joining, detaching, copying and printing are exact; wherever a number that is made of a handle decides something, the
//! program gets an [`InstructionKind::Unsupported`], so that no stage takes the numbers that it happens to use for a fact.
//!
//! Handles are followed through registers and memory, without regard to flow, by places as in [`crate::points_to`]: a handle
//! beside a counter in a structure does not touch the counter. Where that finds a decision, it is repeated with pointers whose
//! targets are told apart by fields, too ([`Targets`]), and then with memory told apart by the callers of the functions that
//! allocate it ([`OwnAllocators`]).

use base::{Id, IdVec};

use smallvec::SmallVec;

use crate::cfg::Cfg;
use crate::effects::{ByteExtent, MemoryAccess, effects};
use crate::instruction::{
    BinaryOp, CastOp, Instruction, InstructionKind, LibraryFunction, Operand, RmwOp, Rvalue, TerminatorKind,
};
use crate::own_allocators::OwnAllocators;
use crate::points_to::{MemoryObject, ObjectId, ObjectSet, Offsets, PiecePlace, PointsTo, Targets};
use crate::program_::{At, BlockId, FunctionId, Location, Program, RegisterId};
use crate::property::PropertySet;
use crate::shape::{Shape, ShapeId};
use crate::types::Type;

const NUMBER: &str = "a decision based on an integer computed from a thread handle";
const NO_THREAD: &str = "join or detach of an integer that is not a thread handle";
const REUSED: &str = "a comparison of thread handles that may be reused after a thread terminates";

/// Numbers up to this, of either sign, are no handle.
const NO_HANDLE: i64 = 4095;

/// The number that stands for the handle of the n-th thread, from 0 on, where numbers are needed.
pub fn handle_number(index: u64) -> u64 {
    (index + 1) << HANDLE_SHIFT
}

/// Which thread a number stands for.
pub fn thread_of_handle(number: u64) -> Option<u64> {
    let index = (number >> HANDLE_SHIFT).checked_sub(1)?;
    (handle_number(index) == number).then_some(index)
}

/// Longer arrays of handles are not told apart from what is beside them.
const MANY_ELEMENTS: u64 = 32;

/// Types of fewer bits do not hold the handles of all threads.
const LEAST_BITS: u8 = 32;

/// Handles are larger than [`NO_HANDLE`].
const HANDLE_SHIFT: u32 = 13;

/// What a value may be, from the harmless to the harmful.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum HandleMark {
    /// No handle took part in it.
    Plain,
    /// A handle, or what is no handle.
    Handle,
    /// A handle in a type of another width, as where a program declares its own `pthread_t`.
    Resized,
    /// Computed from a handle.
    Number,
}

/// Puts `Unsupported` before every instruction that depends on the numbers of handles.
pub fn guard_handles(program: &mut Program) {
    if !uses_handles(program) {
        return;
    }
    let points_to = PointsTo::new(program);
    let offsets = Offsets::of(program, &points_to);
    let mut sinks = HandleMarks::new(program, &points_to, &offsets, None).sinks();
    if !sinks.is_empty() {
        let targets = Targets::new(program, &points_to, &offsets);
        sinks = HandleMarks::new(program, &points_to, &offsets, Some(&targets)).sinks();
    }
    if !sinks.is_empty()
        && let Some(own) = OwnAllocators::new(program, &points_to)
    {
        sinks = sinks_with(&own);
    }
    // From the back, so that the places in front stay where they are.
    sinks.sort_by_key(|&(location, _)| std::cmp::Reverse(location));
    for (location, what) in sinks {
        // The first half of a wait has the same operands, and nothing stands between the halves.
        if let At::Instruction(Instruction { kind: InstructionKind::Sync { op, .. }, .. }) = program.at(location)
            && op.is_completion()
        {
            continue;
        }
        let span = program.span(location);
        let block = &mut program.functions[location.function].blocks[location.block];
        // The end of a wait stands behind its beginning alone, which has the same operands.
        let decides = block.instructions.get(location.index as usize);
        if decides.is_some_and(|one| matches!(one.kind, InstructionKind::Sync { op, .. } if op.is_completion())) {
            continue;
        }
        let guard = Instruction { kind: InstructionKind::Unsupported { what: what.to_owned() }, span };
        block.instructions.insert(location.index as usize, guard);
    }
}

/// The same for a program whose callers have allocators of their own, as places in the program.
fn sinks_with(own: &OwnAllocators) -> Vec<(Location, &'static str)> {
    let points_to = PointsTo::new(&own.program);
    let offsets = Offsets::of(&own.program, &points_to);
    let targets = Targets::new(&own.program, &points_to, &offsets);
    let sinks = HandleMarks::new(&own.program, &points_to, &offsets, Some(&targets)).sinks();
    let mut sinks: Vec<_> = sinks.into_iter().map(|(location, what)| (own.original(location), what)).collect();
    sinks.sort_by_key(|&(location, _)| location);
    sinks.dedup_by_key(|&mut (location, _)| location);
    sinks
}

fn uses_handles(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let mut instructions = blocks.flat_map(|block| &block.instructions);
    instructions.any(|one| matches!(one.kind, InstructionKind::CurrentThread { .. } | InstructionKind::Spawn { .. }))
}

struct HandleMarks<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    offsets: &'a Offsets<'a>,
    targets: Option<&'a Targets<'a>>,
    registers: IdVec<FunctionId, Vec<HandleMark>>,
    results: IdVec<FunctionId, HandleMark>,
    thread_results: HandleMark,
    memory: IdVec<ObjectId, Vec<(PiecePlace, HandleMark)>>,
    changed: bool,
    may_be_used_again: bool,
}

impl<'a> HandleMarks<'a> {
    fn new(
        program: &'a Program,
        points_to: &'a PointsTo,
        offsets: &'a Offsets<'a>,
        targets: Option<&'a Targets<'a>>,
    ) -> Self {
        Self {
            program,
            points_to,
            offsets,
            targets,
            registers: program.functions.iter().map(|body| vec![HandleMark::Plain; body.registers.len()]).collect(),
            results: program.functions.iter().map(|_| HandleMark::Plain).collect(),
            thread_results: HandleMark::Plain,
            memory: points_to.objects().map(|_| Vec::new()).collect(),
            changed: false,
            may_be_used_again: may_be_used_again(program, points_to),
        }
    }

    fn sinks(mut self) -> Vec<(Location, &'static str)> {
        loop {
            self.changed = false;
            for (location, at) in self.offsets.reached() {
                match at {
                    At::Instruction(instruction) => self.instruction(location, &instruction.kind),
                    At::Terminator(terminator) => self.terminator(location.function, &terminator.kind),
                }
            }
            if !self.changed {
                break;
            }
        }
        let reached = self.offsets.reached();
        reached.filter_map(|(location, at)| Some((location, self.sink(location.function, &at)?))).collect()
    }

    fn operand(&self, function: FunctionId, operand: Operand) -> HandleMark {
        match operand {
            Operand::Register(register) => self.registers[function][register.index()],
            _ => HandleMark::Plain,
        }
    }

    fn any(&self, function: FunctionId, operands: impl IntoIterator<Item = Operand>) -> HandleMark {
        operands.into_iter().map(|operand| self.operand(function, operand)).max().unwrap_or(HandleMark::Plain)
    }

    fn set(&mut self, function: FunctionId, register: RegisterId, mark: HandleMark) {
        let slot = &mut self.registers[function][register.index()];
        self.changed |= mark > *slot;
        *slot = mark.max(*slot);
    }

    fn put(&mut self, objects: &ObjectSet, place: PiecePlace, mark: HandleMark) {
        if mark == HandleMark::Plain {
            return;
        }
        for object in objects.iter() {
            let marks = &mut self.memory[object];
            let covers = |&(known, of): &(PiecePlace, HandleMark)| {
                of >= mark && (known == place || known == PiecePlace::EVERYWHERE)
            };
            if !marks.iter().any(covers) {
                self.changed = true;
                let place = if marks.len() < 64 { place } else { PiecePlace::EVERYWHERE };
                marks.push((place, mark));
            }
        }
    }

    /// What is read from there: less than a whole handle is a number.
    fn get(&self, objects: &ObjectSet, place: PiecePlace) -> HandleMark {
        let found = objects.iter().flat_map(|object| &self.memory[object]).filter(|(known, _)| known.overlaps(place));
        let whole = |known: PiecePlace| known.length() == place.length();
        found
            .map(|&(known, mark)| if whole(known) { mark } else { HandleMark::Number })
            .max()
            .unwrap_or(HandleMark::Plain)
    }

    fn objects(&self, function: FunctionId, address: Operand) -> &'a ObjectSet {
        match self.targets {
            Some(targets) => targets.operand(function, address),
            None => self.points_to.operand(function, address),
        }
    }

    fn place(&self, function: FunctionId, address: Operand, ty: Type) -> PiecePlace {
        self.offsets.place(function, address, ty.bytes(self.program.data_model))
    }

    fn at(&self, function: FunctionId, address: Operand, ty: Type) -> HandleMark {
        self.get(self.objects(function, address), self.place(function, address, ty))
    }

    fn store(&mut self, function: FunctionId, address: Operand, ty: Type, mark: HandleMark) {
        let place = self.place(function, address, ty);
        self.put(self.objects(function, address), place, mark);
    }

    /// The handle of a new thread is stored in an element of an array, or anywhere that the address may be.
    fn store_created(&mut self, function: FunctionId, address: Operand) {
        let whole = self.place(function, address, self.handle_type());
        let base = self.subscripted(function, address);
        for object in self.objects(function, address).iter() {
            let places = base.and_then(|base| self.offsets.constant(function, base)).and_then(|at| {
                let count =
                    self.array_of_handles(self.points_to.shape(self.program, object)?, u64::try_from(at).ok()?)?;
                let bytes = self.handle_type().bytes(self.program.data_model);
                Some((0..count).map(|index| PiecePlace::exactly(at + (index * bytes) as i64, bytes)).collect())
            });
            let places: Vec<PiecePlace> = places.unwrap_or_else(|| vec![whole]);
            let object: ObjectSet = std::iter::once(object).collect();
            places.into_iter().for_each(|place| self.put(&object, place, HandleMark::Handle));
        }
    }

    /// The array of whose element this is the address, if that is how it is computed. A subscript beyond the end of an array
    /// is undefined, even where it stays inside a structure around it.
    fn subscripted(&self, function: FunctionId, address: Operand) -> Option<Operand> {
        let Operand::Register(register) = address else { return None };
        let instructions = self.program.functions[function].blocks.iter().flat_map(|block| &block.instructions);
        let mut makers = instructions.filter(|one| one.kind.targets().contains(&register)).map(|one| &one.kind);
        match (makers.next()?, makers.next()) {
            (InstructionKind::Assign { value: Rvalue::PointerAdd { pointer, offset }, .. }, None) => {
                let bytes = self.handle_type().bytes(self.program.data_model);
                let counts_handles = self.offsets.is_unknown_multiple_of(function, *offset, bytes);
                counts_handles.then_some(*pointer)
            }
            _ => None,
        }
    }

    /// How many elements the array of handles that begins there has.
    fn array_of_handles(&self, shape: ShapeId, at: u64) -> Option<u64> {
        match &self.program.shapes[shape] {
            Shape::Array { element, count, .. } if at == 0 && self.program.shapes[*element] == self.handle_shape() => {
                (1..=MANY_ELEMENTS).contains(count).then_some(*count)
            }
            Shape::Array { element, stride, count } => {
                let is_inside = *count == 0 || at.checked_div(*stride)? < *count;
                if is_inside { self.array_of_handles(*element, at.checked_rem(*stride)?) } else { None }
            }
            Shape::Record { fields, .. } => {
                let start = fields.iter().map(|field| field.offset).filter(|&offset| offset <= at).max()?;
                let mut there = fields.iter().filter(|field| field.offset == start);
                there.find_map(|field| self.array_of_handles(field.shape, at - start))
            }
            Shape::Scalar(_) | Shape::Opaque => None,
        }
    }

    fn handle_shape(&self) -> Shape {
        Shape::Scalar(self.handle_type())
    }

    fn handle_type(&self) -> Type {
        Type::Int(self.program.data_model.pointer_bits())
    }

    fn instruction(&mut self, location: Location, kind: &InstructionKind) {
        let function = location.function;
        match kind {
            InstructionKind::Assign { target, value } => self.set(function, *target, self.rvalue(function, value)),
            InstructionKind::Load { target, address, ty, .. } => {
                self.set(function, *target, self.at(function, *address, *ty));
            }
            InstructionKind::Store { address, value, ty, .. } => {
                self.store(function, *address, *ty, self.operand(function, *value));
            }
            InstructionKind::ReadModifyWrite { target, op, address, value, ty, .. } => {
                let (old, value) = (self.at(function, *address, *ty), self.operand(function, *value));
                let new = if *op == RmwOp::Exchange { value } else { computed(old.max(value)) };
                self.store(function, *address, *ty, new);
                target.iter().for_each(|&target| self.set(function, target, old));
            }
            InstructionKind::CompareExchange { old, address, desired, ty, .. } => {
                self.set(function, *old, self.at(function, *address, *ty));
                self.store(function, *address, *ty, self.operand(function, *desired));
            }
            InstructionKind::CurrentThread { target } => self.set(function, *target, HandleMark::Handle),
            InstructionKind::Spawn { target, store, .. } => {
                self.set(function, *target, HandleMark::Handle);
                if let Some(address) = store {
                    self.store_created(function, *address);
                }
                self.call(location, kind);
            }
            InstructionKind::Call { .. } => self.call(location, kind),
            InstructionKind::Join { target: Some(target), .. } => self.set(function, *target, self.thread_results),
            InstructionKind::CopyMemory { target, source, .. } => {
                self.copy(function, *source, self.objects(function, *target), Some(*target));
            }
            InstructionKind::Reallocate { address, .. } => {
                let made = self.points_to.id(MemoryObject::Allocation(location)).into_iter().collect();
                self.copy(function, *address, &made, None);
            }
            InstructionKind::SetMemory { target, byte, .. } => {
                let mark = computed(self.operand(function, *byte));
                self.put(self.objects(function, *target), PiecePlace::EVERYWHERE, mark);
            }
            InstructionKind::Library { target, function: library, arguments } => {
                self.print(function, *library, *target, arguments);
            }
            _ => {}
        }
    }

    /// The length of what is printed, and its text, are numbers.
    fn print(
        &mut self,
        function: FunctionId,
        library: LibraryFunction,
        target: Option<RegisterId>,
        arguments: &[Operand],
    ) {
        let in_memory = |operand: &Operand| {
            let objects = self.objects(function, *operand).iter();
            objects.flat_map(|object| &self.memory[object]).map(|&(_, mark)| mark).max().unwrap_or(HandleMark::Plain)
        };
        let slots = arguments.iter().skip(1).map(in_memory).max().unwrap_or(HandleMark::Plain);
        let mark = computed(slots.max(self.any(function, arguments.iter().copied())));
        target.iter().for_each(|&target| self.set(function, target, mark));
        if library == LibraryFunction::Snprintf {
            let written = self.objects(function, arguments[0]);
            self.put(written, PiecePlace::EVERYWHERE, mark);
        }
    }

    fn copy(&mut self, function: FunctionId, source: Operand, to: &ObjectSet, target: Option<Operand>) {
        let from = self.objects(function, source);
        let marks: Vec<(PiecePlace, HandleMark)> =
            from.iter().flat_map(|object| self.memory[object].iter().copied()).collect();
        for (place, mark) in marks {
            let moved = match target {
                Some(target) => self.offsets.moved(place, function, source, target),
                None => place,
            };
            self.put(to, moved, mark);
        }
    }

    fn call(&mut self, location: Location, kind: &InstructionKind) {
        let (arguments, target) = match kind {
            InstructionKind::Call { target, arguments, .. } => (arguments.as_slice(), *target),
            InstructionKind::Spawn { argument, .. } => (std::slice::from_ref(argument), None),
            _ => return,
        };
        for &callee in self.points_to.callees(location) {
            let body = &self.program.functions[callee];
            // A library function that is called with another number of arguments is another one.
            if body.built_in && body.parameters.len() != arguments.len() {
                continue;
            }
            for (&argument, &parameter) in arguments.iter().zip(&body.parameters) {
                self.set(callee, parameter, self.operand(location.function, argument));
            }
            let result = self.results[callee];
            match target {
                Some(target) => self.set(location.function, target, result),
                None => self.leave(result),
            }
        }
    }

    fn leave(&mut self, mark: HandleMark) {
        self.changed |= mark > self.thread_results;
        self.thread_results = self.thread_results.max(mark);
    }

    fn terminator(&mut self, function: FunctionId, kind: &TerminatorKind) {
        match *kind {
            TerminatorKind::Return(Some(value)) => {
                let mark = self.operand(function, value);
                self.changed |= mark > self.results[function];
                self.results[function] = mark.max(self.results[function]);
            }
            TerminatorKind::ThreadExit(value) => self.leave(self.operand(function, value)),
            _ => {}
        }
    }

    fn rvalue(&self, function: FunctionId, value: &Rvalue) -> HandleMark {
        match *value {
            Rvalue::Use(operand) => self.operand(function, operand),
            Rvalue::Select { then, otherwise, .. } => self.any(function, [then, otherwise]),
            Rvalue::Cast { op: CastOp::PointerToInt | CastOp::IntToPointer, from, to, operand } => {
                let model = self.program.data_model;
                let mark = self.operand(function, operand);
                if from.bits(model) == to.bits(model) { mark } else { computed(mark) }
            }
            Rvalue::Cast { op: CastOp::Truncate | CastOp::ZeroExtend | CastOp::SignExtend, to, operand, .. } => {
                match self.operand(function, operand) {
                    HandleMark::Handle | HandleMark::Resized if to.bits(self.program.data_model) >= LEAST_BITS => {
                        HandleMark::Resized
                    }
                    mark => computed(mark),
                }
            }
            // Comparisons that are not exact are guarded.
            Rvalue::Binary { op, .. } if op.is_comparison() => HandleMark::Plain,
            _ => computed(self.any(function, value.operands())),
        }
    }

    /// Why the instruction depends on the number of a handle, if it does.
    fn sink(&self, function: FunctionId, at: &At<'_>) -> Option<&'static str> {
        let decided = |operands: &[Operand]| {
            let mark = self.any(function, operands.iter().copied());
            (mark != HandleMark::Plain).then_some(NUMBER)
        };
        match at {
            At::Terminator(terminator) => match &terminator.kind {
                TerminatorKind::Branch { condition, .. } => decided(&[*condition]),
                TerminatorKind::Switch { value, .. } => decided(&[*value]),
                _ => None,
            },
            At::Instruction(instruction) => {
                let deciding = deciding_operands(self.program, &instruction.kind);
                decided(&deciding).or_else(|| self.sink_of_kind(function, &instruction.kind))
            }
        }
    }

    /// As [`sink`](Self::sink), beyond operands of which any number decides.
    fn sink_of_kind(&self, function: FunctionId, kind: &InstructionKind) -> Option<&'static str> {
        match kind {
            InstructionKind::Assign {
                value: Rvalue::Binary { op: BinaryOp::Eq | BinaryOp::Ne, left, right, .. },
                ..
            } => {
                let (a, b) = (self.operand(function, *left), self.operand(function, *right));
                self.equality((a, *left), (b, *right))
            }
            InstructionKind::CompareExchange { address, expected, ty, .. } => {
                let found = (self.at(function, *address, *ty), *address);
                self.equality(found, (self.operand(function, *expected), *expected))
            }
            InstructionKind::Join { thread, .. } | InstructionKind::Detach { thread, .. } => {
                match self.operand(function, *thread) {
                    HandleMark::Handle | HandleMark::Resized => None,
                    HandleMark::Plain if is_no_handle(*thread) => None,
                    HandleMark::Plain => Some(NO_THREAD),
                    HandleMark::Number => Some(NUMBER),
                }
            }
            _ => None,
        }
    }

    /// Two handles are equal or not, and none is one of the numbers that stand for no thread.
    fn equality(&self, left: (HandleMark, Operand), right: (HandleMark, Operand)) -> Option<&'static str> {
        let stands_for_none =
            |(mark, operand): (HandleMark, Operand)| mark == HandleMark::Plain && is_no_handle(operand);
        match (left.0, right.0) {
            (HandleMark::Plain, HandleMark::Plain) => None,
            (HandleMark::Handle, HandleMark::Handle) => self.may_be_used_again.then_some(REUSED),
            (HandleMark::Handle, _) if stands_for_none(right) => None,
            (_, HandleMark::Handle) if stands_for_none(left) => None,
            _ => Some(NUMBER),
        }
    }
}

/// The operands whose numbers decide what the instruction does: where it accesses memory and how much of it, whom it calls,
/// and whether a computation is defined.
fn deciding_operands(program: &Program, kind: &InstructionKind) -> SmallVec<[Operand; 4]> {
    let effects = effects(program, kind);
    let mut deciding: SmallVec<[Operand; 4]> = effects.accesses.iter().map(MemoryAccess::base).collect();
    deciding.extend(effects.accesses.iter().filter_map(|access| match access.extent {
        ByteExtent::Count(size) => Some(size),
        ByteExtent::Bytes(_) | ByteExtent::Object | ByteExtent::SyncObject(..) | ByteExtent::Unbounded => None,
    }));
    match kind {
        InstructionKind::Assign { value, .. } if effects.can_violate != PropertySet::EMPTY => {
            deciding.extend(value.operands());
        }
        InstructionKind::Assign { value: Rvalue::Binary { op, left, right, .. }, .. }
            if op.is_comparison() && !matches!(op, BinaryOp::Eq | BinaryOp::Ne) =>
        {
            deciding.extend([*left, *right]);
        }
        InstructionKind::Assign { value: Rvalue::Select { condition, .. }, .. }
        | InstructionKind::Assume { condition }
        | InstructionKind::Assert { condition, .. } => deciding.push(*condition),
        InstructionKind::Allocate { size, .. } | InstructionKind::Reallocate { size, .. } => deciding.push(*size),
        InstructionKind::Call { callee, .. } => deciding.extend(callee.operand()),
        InstructionKind::Spawn { function, detached, .. } => {
            deciding.push(*detached);
            deciding.extend(function.operand());
        }
        InstructionKind::Sync { operands, .. } => deciding.extend(operands.iter().copied()),
        _ => {}
    }
    deciding
}

fn computed(mark: HandleMark) -> HandleMark {
    if mark == HandleMark::Plain { mark } else { HandleMark::Number }
}

fn is_no_handle(operand: Operand) -> bool {
    match operand {
        Operand::Null => true,
        Operand::Int { bits, value } => {
            let shift = 64 - u32::from(bits.clamp(1, 64));
            (((value << shift) as i64) >> shift).abs() <= NO_HANDLE
        }
        _ => false,
    }
}

/// Whether a thread may be created after another one is gone for good, joined or detached: the new one may get the old
/// one's handle.
fn may_be_used_again(program: &Program, points_to: &PointsTo) -> bool {
    let reached = || program.functions.iter_enumerated().filter(|(id, _)| points_to.is_reached(*id));
    let detaches = |kind: &InstructionKind| match kind {
        InstructionKind::Detach { .. } => true,
        InstructionKind::Spawn { detached, .. } => !matches!(detached, Operand::Int { value: 0, .. }),
        _ => false,
    };
    let has = |body: &crate::program_::Function, wanted: &dyn Fn(&InstructionKind) -> bool| {
        body.blocks.iter().flat_map(|block| &block.instructions).any(|one| wanted(&one.kind))
    };
    if reached().any(|(_, body)| has(body, &detaches)) {
        return true;
    }
    let (joins, spawns) = (
        |kind: &InstructionKind| matches!(kind, InstructionKind::Join { .. }),
        |kind: &InstructionKind| matches!(kind, InstructionKind::Spawn { .. }),
    );
    let creators: Vec<FunctionId> = reached().filter(|(_, body)| has(body, &spawns)).map(|(id, _)| id).collect();
    let joiners: Vec<FunctionId> = reached().filter(|(_, body)| has(body, &joins)).map(|(id, _)| id).collect();
    match (creators.as_slice(), joiners.as_slice()) {
        (_, []) => false,
        ([creator], [joiner]) if creator == joiner => {
            let runs_once = *creator == program.entry || is_called_once_from_the_entry(program, points_to, *creator);
            !runs_once || joins_before_it_creates(program, *creator)
        }
        _ => true,
    }
}

/// Whether the only call of the function is in the entry function, outside of loops.
fn is_called_once_from_the_entry(program: &Program, points_to: &PointsTo, function: FunctionId) -> bool {
    let reached = program.functions.iter_enumerated().filter(|(id, _)| points_to.is_reached(*id));
    let locations = reached.flat_map(|(id, body)| body.locations(id));
    let calls: Vec<Location> = locations.filter(|&location| points_to.callees(location).contains(&function)).collect();
    match calls.as_slice() {
        [call] => call.function == program.entry && !reaches(program, program.entry, call.block, call.block),
        _ => false,
    }
}

fn joins_before_it_creates(program: &Program, function: FunctionId) -> bool {
    let blocks = &program.functions[function].blocks;
    let position = |block: BlockId, wanted: &dyn Fn(&InstructionKind) -> bool, last: bool| {
        let mut found = blocks[block].instructions.iter().enumerate().filter(|(_, one)| wanted(&one.kind));
        let found = if last { found.next_back() } else { found.next() };
        found.map(|(index, _)| index)
    };
    let joins = |kind: &InstructionKind| matches!(kind, InstructionKind::Join { .. });
    let spawns = |kind: &InstructionKind| matches!(kind, InstructionKind::Spawn { .. });
    blocks.ids().any(|from| {
        let Some(join) = position(from, &joins, false) else { return false };
        blocks.ids().any(|to| match position(to, &spawns, true) {
            None => false,
            Some(spawn) if from == to && spawn > join => true,
            Some(_) => reaches(program, function, from, to),
        })
    })
}

/// Whether control can get from the end of one block to the beginning of another.
fn reaches(program: &Program, function: FunctionId, from: BlockId, to: BlockId) -> bool {
    let cfg = Cfg::new(&program.functions[function]);
    let mut work: Vec<BlockId> = cfg.successors(from).to_vec();
    let mut seen = vec![false; program.functions[function].blocks.len()];
    while let Some(block) = work.pop() {
        if block == to {
            return true;
        }
        if !std::mem::replace(&mut seen[block.index()], true) {
            work.extend(cfg.successors(block));
        }
    }
    false
}
