//! A trace program in which every access is where it was in the run.
//!
//! Objects that the run made become globals, an access through a pointer becomes an access to the place that it had, after
//! an `Assume` that the pointer leads there. So nothing depends on addresses any more, which are what the unfolding of
//! realistic programs founders on: linked lists, queues, hash tables.
//!
//! Guarantee: the executions are some of those of the trace program, namely those in which all pointers lead to where they
//! did in the run and memory that nobody has written is zero. So a violation is one; that there is none says less than the
//! trace program would. Freed memory stays: invalid accesses are not asked about here.

use base::IdVec;
use program::instruction::{BinaryOp, InstructionKind, Rvalue};
use program::rewrite::{for_each_operand, terminator_operand};
use program::{
    BlockId, Function, FunctionId, Global, GlobalId, Initialiser, Instruction, LocalId, Location, ObjectName, Operand,
    Register, Shape, ShapeId, Type,
};
use rustc_hash::FxHashMap;

use crate::places::{GivenPointer, InstructionPlaces, PlaceName, address_operands, pointer_register};
use crate::recording::Recording;
use crate::trace_program::{Origin, TraceProgram};

/// Of one run, whose recording has places.
pub fn fix_addresses(trace: &mut TraceProgram, recording: &Recording) {
    let mut fixing = Fixing::new(trace, recording);
    let functions: Vec<FunctionId> = trace.copies().collect();
    for &function in &functions {
        fixing.note_objects(trace, function);
    }
    let copies: Vec<FunctionCopy> = functions.iter().map(|&id| fixing.rewrite(trace, id)).collect();
    for (id, mut copy) in functions.into_iter().zip(copies) {
        fixing.name_locals(id, &mut copy.function);
        trace.replace_copy(id, copy.function, copy.origins, &copy.moved);
    }
    trace.program.globals = fixing.globals;
    trace.program.shapes = fixing.shapes;
}

/// Objects beyond so many bytes stay what they were.
const MAX_BYTES: u64 = 1 << 28;

/// Where an object of the run is in the trace program.
#[derive(Clone, Copy)]
enum Home {
    Global(GlobalId),
    Local(FunctionId, LocalId),
}

type Places<'a> = FxHashMap<u64, &'a InstructionPlaces>;

struct Fixing<'a> {
    /// By thread, by index.
    places: Vec<Places<'a>>,
    globals: IdVec<GlobalId, Global>,
    shapes: IdVec<ShapeId, Shape>,
    opaque: ShapeId,
    homes: FxHashMap<ObjectName, Home>,
    /// Bytes that new globals may still have together.
    room: u64,
    /// Locals that others have to name.
    shared_locals: FxHashMap<(FunctionId, LocalId), GlobalId>,
}

/// A function of the trace program, written anew.
struct FunctionCopy {
    function: Function,
    origins: IdVec<BlockId, Vec<Origin>>,
    /// Where its instructions were and are.
    moved: Vec<(Location, Location)>,
}

impl<'a> Fixing<'a> {
    fn new(trace: &TraceProgram, recording: &'a Recording) -> Self {
        let by_index = |places: &'a Vec<InstructionPlaces>| places.iter().map(|at| (at.index, at)).collect();
        let mut shapes = trace.program.shapes.clone();
        let opaque = shapes.push(Shape::Opaque);
        Self {
            places: recording.places.iter().map(by_index).collect(),
            globals: trace.program.globals.clone(),
            shapes,
            opaque,
            homes: FxHashMap::default(),
            room: MAX_BYTES,
            shared_locals: FxHashMap::default(),
        }
    }

    fn at(&self, origin: Origin) -> Option<&'a InstructionPlaces> {
        self.places.get(origin.thread.0 as usize)?.get(&u64::from(origin.index)).copied()
    }

    /// Finds a home for what the function makes.
    fn note_objects(&mut self, trace: &TraceProgram, id: FunctionId) {
        for (block, body) in trace.program.functions[id].blocks.iter_enumerated() {
            for (index, instruction) in body.instructions.iter().enumerate() {
                let Some(origin) = trace.origin(Location { function: id, block, index: index as u32 }) else {
                    continue;
                };
                let Some((name, size)) = self.at(origin).and_then(|places| places.made) else { continue };
                let home = match instruction.kind {
                    InstructionKind::Begin { local } => Home::Local(id, local),
                    _ if size > self.room => continue,
                    InstructionKind::Allocate { align, .. } => Home::Global(self.new_global(size, align)),
                    InstructionKind::Reallocate { .. } => Home::Global(self.new_global(size, 16)),
                    _ => continue,
                };
                self.homes.insert(name, home);
            }
        }
    }

    fn new_global(&mut self, size: u64, align: u64) -> GlobalId {
        self.room = self.room.saturating_sub(size);
        self.globals.push(Global {
            name: String::new(),
            size,
            align: align.max(1),
            shape: self.opaque,
            initial: Initialiser::default(),
            thread_local: false,
            read_only: false,
            constant_parts: program::ConstantParts::default(),
            span: base::Span::UNKNOWN,
        })
    }

    /// The place as an operand of the function; `None` if nothing there can name it. Recordings from files may say anything.
    fn operand(&mut self, trace: &TraceProgram, id: FunctionId, origin: Origin, place: PlaceName) -> Option<Operand> {
        let offset = i64::try_from(place.offset).ok()?;
        match place.object {
            ObjectName::Global(global) | ObjectName::ThreadLocal(global, _) if self.globals.get(global).is_none() => {
                None
            }
            ObjectName::Global(global) => Some(Operand::Global { global, offset }),
            ObjectName::ThreadLocal(global, thread) => {
                (thread == origin.thread).then_some(Operand::Global { global, offset })
            }
            ObjectName::Allocated(..) => match *self.homes.get(&place.object)? {
                Home::Global(global) => Some(Operand::Global { global, offset }),
                Home::Local(owner, local) if owner == id => Some(Operand::Local { local, offset }),
                Home::Local(owner, local) => {
                    let global = match self.shared_locals.get(&(owner, local)) {
                        Some(&global) => global,
                        None => {
                            let declared = &trace.program.functions[owner].locals[local];
                            let global = self.new_global(declared.size, declared.align);
                            self.shared_locals.insert((owner, local), global);
                            global
                        }
                    };
                    Some(Operand::Global { global, offset })
                }
            },
        }
    }

    fn rewrite(&mut self, trace: &TraceProgram, id: FunctionId) -> FunctionCopy {
        let mut function = trace.program.functions[id].clone();
        let (mut all_origins, mut moved) = (IdVec::new(), Vec::new());
        for block in function.blocks.ids() {
            let old = std::mem::take(&mut function.blocks[block].instructions);
            let end = Location { function: id, block, index: old.len() as u32 };
            let mut origins = Vec::new();
            let mut new = Vec::new();
            for (index, instruction) in old.into_iter().enumerate() {
                let location = Location { function: id, block, index: index as u32 };
                let origin = trace.origin(location).expect("every instruction of a copy should have an origin");
                let mut text = Rewriting { registers: &mut function.registers, new: &mut new, origins: &mut origins };
                let index = self.instruction(trace, id, origin, instruction, &mut text);
                moved.push((location, Location { index, ..location }));
            }
            origins.extend(trace.origin(end));
            function.blocks[block].instructions = new;
            all_origins.push(origins);
        }
        FunctionCopy { function, origins: all_origins, moved }
    }

    fn instruction(
        &mut self,
        trace: &TraceProgram,
        id: FunctionId,
        origin: Origin,
        instruction: Instruction,
        text: &mut Rewriting<'_>,
    ) -> u32 {
        let Instruction { mut kind, span } = instruction;
        let aside = Origin { weight: 0, ..origin };
        let places = self.at(origin);
        match (&kind, places.and_then(|places| places.made)) {
            (InstructionKind::Free { .. }, _) => kind = InstructionKind::Yield,
            (InstructionKind::Allocate { target, .. }, Some((name, _))) => {
                if let Some(Home::Global(global)) = self.homes.get(&name) {
                    let value = Rvalue::Use(Operand::Global { global: *global, offset: 0 });
                    kind = InstructionKind::Assign { target: *target, value };
                }
            }
            (InstructionKind::Reallocate { target, .. }, Some((name, size))) => {
                let Some(&Home::Global(global)) = self.homes.get(&name) else {
                    return text.push(kind, span, origin);
                };
                let (target, new) = (*target, Operand::Global { global, offset: 0 });
                let old = places.and_then(|places| places.places.first().copied().flatten());
                if let Some(source) = old.and_then(|place| self.operand(trace, id, origin, place)) {
                    let kept = self.size_behind(source).min(size);
                    let size = Operand::int(trace.program.data_model.pointer_bits(), kept);
                    let copy = InstructionKind::CopyMemory { target: new, source, size, overlap: false };
                    text.push(copy, span, aside);
                }
                kind = InstructionKind::Assign { target, value: Rvalue::Use(new) };
            }
            _ => {
                let known = places.map_or(&[][..], |places| &places.places);
                let operands = address_operands(&trace.program, &kind);
                for (operand, place) in operands.into_iter().zip(known) {
                    let (Operand::Register(_), Some(place)) = (operand, place) else { continue };
                    let Some(fixed) = self.operand(trace, id, origin, *place) else { continue };
                    text.assume_equal(operand, fixed, span, aside);
                    replace_address(&mut kind, operand, fixed);
                    debug_assert!(!address_operands(&trace.program, &kind).contains(&operand), "{kind:?}");
                }
            }
        }
        let register = pointer_register(&kind);
        let index = text.push(kind, span, origin);
        if let (Some(register), Some(given)) = (register, places.and_then(|places| places.given))
            && let Some(fixed) = self.pointer(trace, id, origin, given)
        {
            text.assume_equal(Operand::Register(register), fixed, span, aside);
            text.push(InstructionKind::Assign { target: register, value: Rvalue::Use(fixed) }, span, aside);
        }
        index
    }

    fn pointer(
        &mut self,
        trace: &TraceProgram,
        id: FunctionId,
        origin: Origin,
        given: GivenPointer,
    ) -> Option<Operand> {
        match given {
            GivenPointer::Null => Some(Operand::Null),
            GivenPointer::To(place) => self.operand(trace, id, origin, place),
        }
    }

    fn size_behind(&self, operand: Operand) -> u64 {
        match operand {
            Operand::Global { global, .. } => self.globals[global].size,
            _ => 0,
        }
    }

    /// Locals that others name are globals.
    fn name_locals(&self, id: FunctionId, function: &mut Function) {
        let rename = |operand: &mut Operand| {
            if let Operand::Local { local, offset } = *operand
                && let Some(&global) = self.shared_locals.get(&(id, local))
            {
                *operand = Operand::Global { global, offset };
            }
        };
        for block in function.blocks.iter_mut() {
            for instruction in &mut block.instructions {
                let is_shared = |local: LocalId| self.shared_locals.contains_key(&(id, local));
                match &mut instruction.kind {
                    InstructionKind::Begin { local } | InstructionKind::End { local } if is_shared(*local) => {
                        instruction.kind = InstructionKind::Yield;
                    }
                    kind => for_each_operand(kind, &rename),
                }
            }
            terminator_operand(&mut block.terminator.kind).into_iter().for_each(rename);
        }
    }
}

/// A block that is being written anew.
struct Rewriting<'a> {
    registers: &'a mut IdVec<program::RegisterId, Register>,
    new: &'a mut Vec<Instruction>,
    origins: &'a mut Vec<Origin>,
}

impl Rewriting<'_> {
    /// Returns the index of the instruction in its block.
    fn push(&mut self, kind: InstructionKind, span: base::Span, origin: Origin) -> u32 {
        self.new.push(Instruction { kind, span });
        self.origins.push(origin);
        self.new.len() as u32 - 1
    }

    fn assume_equal(&mut self, left: Operand, right: Operand, span: base::Span, origin: Origin) {
        let target = self.registers.push(Register { ty: Type::Int(1), name: None });
        let value = Rvalue::Binary { op: BinaryOp::Eq, ty: Type::Pointer, left, right, signed: false };
        self.push(InstructionKind::Assign { target, value }, span, origin);
        self.push(InstructionKind::Assume { condition: Operand::Register(target) }, span, origin);
    }
}

/// Puts the fixed address in the place of the pointer; what else the instruction does with the pointer stays.
fn replace_address(kind: &mut InstructionKind, pointer: Operand, fixed: Operand) {
    let change = |operand: &mut Operand| {
        if *operand == pointer {
            *operand = fixed;
        }
    };
    match kind {
        InstructionKind::Load { address, .. }
        | InstructionKind::Store { address, .. }
        | InstructionKind::ReadModifyWrite { address, .. }
        | InstructionKind::CompareExchange { address, .. }
        | InstructionKind::SetMemory { target: address, .. } => change(address),
        InstructionKind::CopyMemory { target, source, .. } => {
            change(target);
            change(source);
        }
        InstructionKind::Sync { operands, .. } => operands.iter_mut().for_each(change),
        InstructionKind::Spawn { store: Some(store), .. } => change(store),
        _ => {}
    }
}
