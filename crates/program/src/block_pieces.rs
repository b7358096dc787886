//! Blocks of shared memory are not set or copied in one step: another thread may see a half-finished copy. Where a block
//! operation may meet an access of another thread, it is divided into one operation for each scalar, in ascending order, and
//! a copy between two places that are both shared reads and writes each piece in steps of their own. A block of many pieces, or
//! of a size that is not constant, is a loop.
//!
//! What is never in conflict stays one instruction: blocks that one thread alone touches, blocks that are only read once
//! there are threads, blocks that are written before the first thread is created, and atomic sections.
//!
//! A `memcpy` inside of one object stays whole, too: that the areas do not overlap is checked for all of it at once.

use rustc_hash::{FxHashMap, FxHashSet};

use base::Span;

use crate::constant_parts::ConstantParts;
use crate::effects::effects;
use crate::instruction::{
    BinaryOp, Block, CastOp, Instruction, InstructionKind, Operand, Rvalue, Terminator, TerminatorKind,
};
use crate::points_to::{ObjectId, ObjectSet};
use crate::program_::{At, BlockId, Function, FunctionId, Local, LocalId, Location, Program, Register, RegisterId};
use crate::shape::{Shape, ShapeId};
use crate::sharing::{Sharing, add_accessed, touched_objects};
use crate::types::Type;

/// More pieces than this are made by a loop.
const MAX_PIECES: usize = 256;

/// More scalars than this in one block are not listed.
const MAX_SCALARS: usize = 4096;

/// The width of pieces where nothing is known of what lies in the block.
const WORD: u64 = 8;

/// The name of the local through which pieces are copied.
pub const SCRATCH: &str = "__gordian_piece";

/// Offset and width of a piece.
type Piece = (u64, u64);

/// A scalar in a block. Where members of a union overlap, the one of the lowest rank counts: addresses are copied whole,
/// other scalars as one usually finds them.
#[derive(Clone, Copy, Debug)]
struct Scalar {
    at: u64,
    width: u64,
    rank: u8,
}

/// Divides the block operations of a well-formed program.
pub fn divide_shared_blocks(program: &mut Program) {
    let kinds = || {
        let blocks = program.functions.iter().flat_map(|function| &function.blocks);
        blocks.flat_map(|block| &block.instructions).map(|instruction| &instruction.kind)
    };
    let is_block = |kind: &InstructionKind| block_of(kind).is_some();
    if !kinds().any(|kind| matches!(kind, InstructionKind::Spawn { .. })) || !kinds().any(is_block) {
        return;
    }
    let plans = Planner::new(program).plans();
    for (location, plan) in plans {
        apply(program, location, &plan);
    }
}

/// A block operation: where it writes, what it copies, and how much.
#[derive(Clone, Copy, Debug)]
struct BlockOperation {
    target: Operand,
    content: Content,
    size: Operand,
}

#[derive(Clone, Copy, Debug)]
enum Content {
    Byte(Operand),
    Copied { source: Operand, overlap: bool },
}

fn block_of(kind: &InstructionKind) -> Option<BlockOperation> {
    match *kind {
        InstructionKind::SetMemory { target, byte, size } => {
            Some(BlockOperation { target, content: Content::Byte(byte), size })
        }
        InstructionKind::CopyMemory { target, source, size, overlap } => {
            Some(BlockOperation { target, content: Content::Copied { source, overlap }, size })
        }
        _ => None,
    }
}

/// How an operation is divided.
#[derive(Clone, Debug)]
struct BlockPlan {
    operation: BlockOperation,
    pieces: Pieces,
    node_hb: Passage,
}

#[derive(Clone, Debug)]
enum Pieces {
    Listed(Vec<Piece>),
    /// Pieces of one width, and single bytes for the rest.
    Uniform(u64),
}

/// How a piece gets from the source to the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passage {
    /// In one step: at most one of the two is shared.
    Direct,
    /// It is read in one step and written in another.
    Apart,
    /// All pieces are read before the first one is written.
    AllRead,
}

struct Planner<'a> {
    program: &'a Program,
    sharing: Sharing,
    /// Where there may be other threads, who writes and who touches each object.
    writers: FxHashMap<ObjectId, Vec<Location>>,
    accessors: FxHashMap<ObjectId, Vec<Location>>,
    concurrent: FxHashSet<Location>,
}

impl<'a> Planner<'a> {
    fn new(program: &'a Program) -> Self {
        let sharing = Sharing::new(program);
        let concurrent = concurrent_locations(program, &sharing);
        let (mut writers, mut accessors) = (FxHashMap::default(), FxHashMap::default());
        for &location in &concurrent {
            let At::Instruction(instruction) = program.at(location) else { continue };
            let kind = &instruction.kind;
            for object in touched_objects(program, &sharing.points_to, location.function, kind).iter() {
                let known: &mut Vec<Location> = accessors.entry(object).or_default();
                known.push(location);
            }
            let mut written = ObjectSet::default();
            for access in effects(program, kind).accesses.iter().filter(|access| access.kind.writes()) {
                add_accessed(&mut written, &sharing.points_to, location.function, access);
            }
            for object in written.iter() {
                let known: &mut Vec<Location> = writers.entry(object).or_default();
                known.push(location);
            }
        }
        Self { program, sharing, writers, accessors, concurrent }
    }

    /// The operations to be divided, the last of each block first.
    fn plans(&self) -> Vec<(Location, BlockPlan)> {
        let mut plans = Vec::new();
        for id in self.program.functions.ids().filter(|&id| self.sharing.points_to.is_reached(id)) {
            let function = &self.program.functions[id];
            let atomic = atomic_locations(function, id);
            for location in function.locations(id) {
                let At::Instruction(instruction) = self.program.at(location) else { continue };
                if !self.concurrent.contains(&location) || atomic.contains(&location) {
                    continue;
                }
                let plan = block_of(&instruction.kind).and_then(|operation| self.plan(location, operation));
                plans.extend(plan.map(|plan| (location, plan)));
            }
        }
        plans.sort_by_key(|(location, _)| std::cmp::Reverse((location.function, location.block, location.index)));
        plans
    }

    fn plan(&self, location: Location, operation: BlockOperation) -> Option<BlockPlan> {
        let function = location.function;
        let targets = self.sharing.points_to.operand(function, operation.target);
        let writes_shared = self.is_in_conflict(targets, location, &self.accessors);
        let (mut reads_shared, mut may_meet, mut may_overlap) = (false, false, false);
        if let Content::Copied { source, overlap } = operation.content {
            let sources = self.sharing.points_to.operand(function, source);
            reads_shared = self.is_in_conflict(sources, location, &self.writers);
            may_meet = sources.iter().any(|object| targets.contains(object))
                && !are_apart(operation.target, source, operation.size);
            may_overlap = overlap;
        }
        if (!writes_shared && !reads_shared) || (may_meet && !may_overlap) {
            return None;
        }
        let node_hb = match (may_meet, writes_shared && reads_shared) {
            (true, _) => Passage::AllRead,
            (false, true) => Passage::Apart,
            (false, false) => Passage::Direct,
        };
        let pieces = self.pieces(function, operation)?;
        match &pieces {
            // There is no place of unknown size to read everything into.
            Pieces::Uniform(_) if node_hb == Passage::AllRead => None,
            _ => Some(BlockPlan { operation, pieces, node_hb }),
        }
    }

    /// Whether another thread may access one of the objects, in one of these places, at the same time.
    fn is_in_conflict(
        &self,
        objects: &ObjectSet,
        own: Location,
        accesses: &FxHashMap<ObjectId, Vec<Location>>,
    ) -> bool {
        let meets = |object: ObjectId| {
            let others = accesses.get(&object).map_or(&[][..], Vec::as_slice);
            others.iter().any(|&other| other != own || self.is_executed_by_several(own.function))
        };
        objects.iter().any(|object| self.sharing.is_shared(object) && meets(object))
    }

    fn is_executed_by_several(&self, function: FunctionId) -> bool {
        let classes = self.sharing.classes().filter(|(_, class)| class.functions.binary_search(&function).is_ok());
        classes.map(|(_, class)| if class.many { 2 } else { 1 }).sum::<u32>() > 1
    }

    fn pieces(&self, function: FunctionId, operation: BlockOperation) -> Option<Pieces> {
        let mut places = vec![operation.target];
        if let Content::Copied { source, .. } = operation.content {
            places.push(source);
        }
        let Operand::Int { value: size, .. } = operation.size else {
            let widths = places.iter().filter_map(|&place| self.uniform_width(function, place));
            return Some(Pieces::Uniform(widths.max().unwrap_or(WORD)));
        };
        if size == 0 {
            return None;
        }
        let layouts = places.iter().filter_map(|&place| self.layout(function, place, size));
        let pieces = layouts.min_by_key(Vec::len).unwrap_or_else(|| words(size));
        Some(match pieces.len() <= MAX_PIECES {
            true => Pieces::Listed(pieces),
            false => {
                let width = pieces[0].1;
                let is_uniform = width <= WORD && pieces.iter().all(|&(_, other)| other == width);
                Pieces::Uniform(if is_uniform { width } else { WORD })
            }
        })
    }

    /// The width of the scalars of which all objects at a place consist.
    fn uniform_width(&self, function: FunctionId, place: Operand) -> Option<u64> {
        let objects = self.sharing.points_to.operand(function, place);
        let widths: Option<Vec<u64>> = objects.iter().map(|object| self.only_width(self.shape(object)?)).collect();
        let widths = widths?;
        let first = *widths.first()?;
        widths.iter().all(|&width| width == first).then_some(first)
    }

    fn only_width(&self, shape: ShapeId) -> Option<u64> {
        match &self.program.shapes[shape] {
            Shape::Scalar(ty) => Some(ty.bytes(self.program.data_model)),
            Shape::Array { element, .. } => self.only_width(*element),
            Shape::Record { .. } | Shape::Opaque => None,
        }
    }

    /// The scalars in a block of `size` bytes.
    fn layout(&self, function: FunctionId, place: Operand, size: u64) -> Option<Vec<Piece>> {
        let known = |shape: ShapeId, offset: i64| {
            let mut scalars = Vec::new();
            self.scalars(shape, 0, &mut scalars).then_some(())?;
            let (start, end) = (u64::try_from(offset).ok()?, u64::try_from(offset).ok()?.checked_add(size)?);
            scalars.retain(|scalar| scalar.at >= start && scalar.at + scalar.width <= end);
            scalars.iter_mut().for_each(|scalar| scalar.at -= start);
            Some(scalars)
        };
        let scalars = match place {
            Operand::Global { global, offset } => known(self.program.globals[global].shape, offset)?,
            Operand::Local { local, offset } => known(self.program.functions[function].locals[local].shape, offset)?,
            _ => {
                let objects = self.sharing.points_to.operand(function, place);
                let found = objects.iter().filter_map(|object| self.part_of_size(self.shape(object)?, size));
                found.min_by_key(Vec::len)?
            }
        };
        (!scalars.is_empty()).then(|| cover(scalars, size))
    }

    fn shape(&self, object: ObjectId) -> Option<ShapeId> {
        self.sharing.points_to.shape(self.program, object)
    }

    /// The scalars of the first part of a shape that has so many bytes; there may be padding at its end.
    fn part_of_size(&self, shape: ShapeId, size: u64) -> Option<Vec<Scalar>> {
        match &self.program.shapes[shape] {
            Shape::Array { element, stride, count } => {
                let is_run = *stride != 0 && size.is_multiple_of(*stride) && (*count == 0 || size / stride <= *count);
                if !is_run {
                    return self.part_of_size(*element, size);
                }
                let mut scalars = Vec::new();
                (0..size / stride).all(|index| self.scalars(*element, index * stride, &mut scalars)).then_some(scalars)
            }
            Shape::Scalar(_) | Shape::Record { .. } => {
                let mut scalars = Vec::new();
                let is_known = self.scalars(shape, 0, &mut scalars);
                let end = scalars.iter().map(|scalar| scalar.at + scalar.width).max().unwrap_or(0);
                if is_known && end <= size && size < end + WORD {
                    return Some(scalars);
                }
                let Shape::Record { fields, .. } = &self.program.shapes[shape] else { return None };
                fields.iter().find_map(|field| self.part_of_size(field.shape, size))
            }
            Shape::Opaque => None,
        }
    }

    /// Adds the scalars of a shape; `false` if there are too many.
    fn scalars(&self, shape: ShapeId, at: u64, scalars: &mut Vec<Scalar>) -> bool {
        match &self.program.shapes[shape] {
            Shape::Scalar(ty) => {
                let width = ty.bytes(self.program.data_model);
                let rank = match (ty, width) {
                    (Type::Pointer, _) => 0,
                    (_, 4) => 1,
                    (_, 8) => 2,
                    (_, 2) => 3,
                    _ => 4,
                };
                scalars.push(Scalar { at, width, rank });
            }
            Shape::Opaque => {}
            Shape::Array { element, stride, count } => {
                return *count <= MAX_SCALARS as u64
                    && (0..*count).all(|index| self.scalars(*element, at + index * stride, scalars));
            }
            Shape::Record { fields, .. } => {
                return fields.iter().all(|field| self.scalars(field.shape, at + field.offset, scalars));
            }
        }
        scalars.len() <= MAX_SCALARS
    }
}

/// Whether two blocks certainly do not overlap, although they may lie in one object.
fn are_apart(target: Operand, source: Operand, size: Operand) -> bool {
    let Operand::Int { value: size, .. } = size else { return false };
    match (target, source) {
        (Operand::Global { offset: a, .. }, Operand::Global { offset: b, .. })
        | (Operand::Local { offset: a, .. }, Operand::Local { offset: b, .. }) => a.abs_diff(b) >= size,
        _ => false,
    }
}

/// Pieces that cover a block, one for each scalar; a little padding goes with its neighbour.
fn cover(mut scalars: Vec<Scalar>, size: u64) -> Vec<Piece> {
    scalars.sort_unstable_by_key(|scalar| (scalar.at, scalar.rank));
    let mut pieces: Vec<Piece> = Vec::new();
    let fill = |pieces: &mut Vec<Piece>, from: u64, to: u64| match pieces.last_mut() {
        Some(last) if to - from < WORD => last.1 += to - from,
        _ if to > from => pieces.push((from, to - from)),
        _ => {}
    };
    let mut end = 0;
    for Scalar { at, width, .. } in scalars {
        if at >= end && at + width <= size {
            fill(&mut pieces, end, at);
            pieces.push((at, width));
            end = at + width;
        }
    }
    fill(&mut pieces, end, size);
    pieces
}

/// Whole words, and what is left in smaller pieces.
fn words(size: u64) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < size {
        let left = size - at;
        let width = if left >= WORD { WORD } else { 1 << left.ilog2() };
        pieces.push((at, width));
        at += width;
    }
    pieces
}

/// Where threads besides the main thread may exist: everything that a created thread executes, and of the main thread what
/// may come after a creation.
fn concurrent_locations(program: &Program, sharing: &Sharing) -> FxHashSet<Location> {
    let points_to = &sharing.points_to;
    let creates = creating_functions(program, sharing);
    let mut begins_late: FxHashSet<FunctionId> = FxHashSet::default();
    let created = sharing.classes().filter(|(_, class)| class.function != program.entry);
    created.for_each(|(_, class)| begins_late.extend(&class.functions));
    loop {
        let mut late = FxHashSet::default();
        let known = begins_late.len();
        for id in program.functions.ids().filter(|&id| points_to.is_reached(id)) {
            let mut called_late = Vec::new();
            follow_creations(program, sharing, id, &creates, begins_late.contains(&id), |location| {
                late.insert(location);
                called_late.extend(points_to.callees(location).iter().copied());
            });
            begins_late.extend(called_late);
        }
        if begins_late.len() == known {
            return late;
        }
    }
}

/// The functions in which a thread may be created.
fn creating_functions(program: &Program, sharing: &Sharing) -> FxHashSet<FunctionId> {
    let mut creates: FxHashSet<FunctionId> = FxHashSet::default();
    loop {
        let known = creates.len();
        for id in program.functions.ids() {
            let mut locations = program.functions[id].locations(id);
            if locations.any(|location| may_create(program, sharing, location, &creates)) {
                creates.insert(id);
            }
        }
        if creates.len() == known {
            return creates;
        }
    }
}

fn may_create(program: &Program, sharing: &Sharing, location: Location, creates: &FxHashSet<FunctionId>) -> bool {
    match program.at(location) {
        At::Instruction(Instruction { kind: InstructionKind::Spawn { .. }, .. }) => true,
        At::Instruction(Instruction { kind: InstructionKind::Call { .. }, .. }) => {
            sharing.points_to.callees(location).iter().any(|callee| creates.contains(callee))
        }
        _ => false,
    }
}

/// Visits the locations of a function that may be reached after a thread was created; all, if it may have been before.
fn follow_creations(
    program: &Program,
    sharing: &Sharing,
    id: FunctionId,
    creates: &FxHashSet<FunctionId>,
    begins_late: bool,
    mut visit: impl FnMut(Location),
) {
    let function = &program.functions[id];
    let mut late_at: FxHashMap<BlockId, bool> = FxHashMap::default();
    let mut work = vec![(Function::ENTRY, begins_late)];
    while let Some((block, late)) = work.pop() {
        match late_at.get_mut(&block) {
            Some(known) if *known || !late => continue,
            Some(known) => *known = true,
            None => {
                late_at.insert(block, late);
            }
        }
        let mut late = late;
        let body = &function.blocks[block];
        for index in 0..body.instructions.len() {
            let location = Location { function: id, block, index: index as u32 };
            late |= may_create(program, sharing, location, creates);
        }
        work.extend(body.terminator.kind.successors().into_iter().map(|next| (next, late)));
    }
    for (block, mut late) in late_at {
        for index in 0..=function.blocks[block].instructions.len() {
            let location = Location { function: id, block, index: index as u32 };
            if late {
                visit(location);
            }
            late |= may_create(program, sharing, location, creates);
        }
    }
}

/// The locations of a function that are certainly inside of an atomic section that began in it.
fn atomic_locations(function: &Function, id: FunctionId) -> FxHashSet<Location> {
    let mut inside_at: FxHashMap<BlockId, bool> = FxHashMap::default();
    let mut work = vec![(Function::ENTRY, false)];
    while let Some((block, inside)) = work.pop() {
        match inside_at.get_mut(&block) {
            Some(known) if !*known || inside => continue,
            Some(known) => *known = false,
            None => {
                inside_at.insert(block, inside);
            }
        }
        let mut inside = inside;
        let body = &function.blocks[block];
        body.instructions.iter().for_each(|instruction| pass_section(&instruction.kind, &mut inside));
        work.extend(body.terminator.kind.successors().into_iter().map(|next| (next, inside)));
    }
    let mut locations = FxHashSet::default();
    for (block, mut inside) in inside_at {
        for (index, instruction) in function.blocks[block].instructions.iter().enumerate() {
            if inside {
                locations.insert(Location { function: id, block, index: index as u32 });
            }
            pass_section(&instruction.kind, &mut inside);
        }
    }
    locations
}

fn pass_section(kind: &InstructionKind, inside: &mut bool) {
    match kind {
        InstructionKind::AtomicBegin => *inside = true,
        InstructionKind::AtomicEnd => *inside = false,
        _ => {}
    }
}

fn apply(program: &mut Program, location: Location, plan: &BlockPlan) {
    let bits = program.data_model.pointer_bits();
    let opaque = (plan.node_hb != Passage::Direct).then(|| program.shapes.push(Shape::Opaque));
    let function = &mut program.functions[location.function];
    let span = function.blocks[location.block].instructions[location.index as usize].span;
    let scratch = opaque.map(|shape| {
        let size = match (&plan.pieces, plan.operation.size) {
            (Pieces::Uniform(width), _) => *width,
            (Pieces::Listed(_), Operand::Int { value, .. }) => value,
            (Pieces::Listed(_), _) => unreachable!("the pieces of a block of unknown size should not be listed"),
        };
        function.locals.push(Local {
            name: SCRATCH.to_owned(),
            size,
            align: 16,
            shape,
            read_only: false,
            constant_parts: ConstantParts::default(),
            span,
        })
    });
    let mut writer = Writer { function, out: Vec::new(), span, bits };
    scratch.into_iter().for_each(|local| writer.push(InstructionKind::Begin { local }));
    match &plan.pieces {
        Pieces::Listed(pieces) => {
            writer.listed(plan, pieces, scratch);
            scratch.into_iter().for_each(|local| writer.push(InstructionKind::End { local }));
            let (out, index) = (writer.out, location.index as usize);
            function.blocks[location.block].instructions.splice(index..=index, out);
        }
        Pieces::Uniform(width) => writer.repeated(plan.operation, *width, scratch, location),
    }
}

fn binary(op: BinaryOp, bits: u8, left: Operand, right: Operand) -> Rvalue {
    Rvalue::Binary { op, ty: Type::Int(bits), left, right, signed: false }
}

/// Writes instructions that belong to one place of the source.
struct Writer<'a> {
    function: &'a mut Function,
    out: Vec<Instruction>,
    span: Span,
    bits: u8,
}

impl Writer<'_> {
    fn push(&mut self, kind: InstructionKind) {
        self.out.push(Instruction { kind, span: self.span });
    }

    fn register(&mut self, ty: Type) -> RegisterId {
        self.function.registers.push(Register { ty, name: None })
    }

    fn assign(&mut self, target: RegisterId, value: Rvalue) {
        self.push(InstructionKind::Assign { target, value });
    }

    /// `pointer` moved by a position in a block, a number of pointer width.
    fn moved_to(&mut self, pointer: Operand, position: Operand) -> Operand {
        let from = Type::Int(self.bits);
        if from == Rvalue::OFFSET {
            return self.moved_by(pointer, position);
        }
        let offset = self.register(Rvalue::OFFSET);
        self.assign(offset, Rvalue::Cast { op: CastOp::ZeroExtend, from, to: Rvalue::OFFSET, operand: position });
        self.moved_by(pointer, Operand::Register(offset))
    }

    fn moved_by(&mut self, pointer: Operand, offset: Operand) -> Operand {
        let target = self.register(Type::Pointer);
        self.assign(target, Rvalue::PointerAdd { pointer, offset });
        Operand::Register(target)
    }

    fn moved(&mut self, pointer: Operand, by: u64) -> Operand {
        match pointer {
            _ if by == 0 => pointer,
            Operand::Global { global, offset } => Operand::Global { global, offset: offset.wrapping_add_unsigned(by) },
            Operand::Local { local, offset } => Operand::Local { local, offset: offset.wrapping_add_unsigned(by) },
            _ => self.moved_by(pointer, Operand::offset(by as i64)),
        }
    }

    /// Copies one piece, through `scratch` if there is one. That a piece may overlap tells it from a block that was not
    /// divided; it never does.
    fn copy(&mut self, target: Operand, source: Operand, width: u64, scratch: Option<Operand>) {
        let (size, overlap) = (Operand::int(self.bits, width), true);
        match scratch {
            Some(scratch) => {
                self.push(InstructionKind::CopyMemory { target: scratch, source, size, overlap });
                self.push(InstructionKind::CopyMemory { target, source: scratch, size, overlap });
            }
            None => self.push(InstructionKind::CopyMemory { target, source, size, overlap }),
        }
    }

    /// Puts loops in the place of the instruction: one over pieces of `width` bytes, one over the bytes that are left.
    fn repeated(mut self, operation: BlockOperation, width: u64, scratch: Option<LocalId>, location: Location) {
        let (span, bits) = (self.span, self.bits);
        let at = self.register(Type::Int(bits));
        self.assign(at, Rvalue::Use(Operand::int(bits, 0)));
        let before = std::mem::take(&mut self.out);
        scratch.into_iter().for_each(|local| self.push(InstructionKind::End { local }));
        let mut after = std::mem::take(&mut self.out);
        let block = &mut self.function.blocks[location.block];
        after.extend(block.instructions.drain(location.index as usize + 1..));
        block.instructions.pop();
        block.instructions.extend(before);
        let terminator = block.terminator.clone();
        let mut next = self.function.blocks.push(Block { instructions: after, terminator });
        let is_even = matches!(operation.size, Operand::Int { value, .. } if value.is_multiple_of(width));
        if width > 1 && !is_even {
            next = self.repeat(operation, (at, 1), scratch, next);
        }
        let first = self.repeat(operation, (at, width), scratch, next);
        self.function.blocks[location.block].terminator = Terminator { kind: TerminatorKind::Goto(first), span };
    }

    /// A loop over pieces of one width as long as there is a whole one; then `end`. Returns its head.
    fn repeat(
        &mut self,
        BlockOperation { target, content, size }: BlockOperation,
        (at, width): (RegisterId, u64),
        scratch: Option<LocalId>,
        end: BlockId,
    ) -> BlockId {
        let (span, bits, position) = (self.span, self.bits, Operand::Register(at));
        let (left, more) = (self.register(Type::Int(bits)), self.register(Type::BOOL));
        self.assign(left, binary(BinaryOp::Sub, bits, size, position));
        self.assign(more, binary(BinaryOp::Ule, bits, Operand::int(bits, width), Operand::Register(left)));
        let test = std::mem::take(&mut self.out);
        let target = self.moved_to(target, position);
        match content {
            Content::Byte(byte) => {
                self.push(InstructionKind::SetMemory { target, byte, size: Operand::int(bits, width) });
            }
            Content::Copied { source, .. } => {
                let source = self.moved_to(source, position);
                self.copy(target, source, width, scratch.map(|local| Operand::Local { local, offset: 0 }));
            }
        }
        self.assign(at, binary(BinaryOp::Add, bits, position, Operand::int(bits, width)));
        let body = std::mem::take(&mut self.out);
        let goto = |target: BlockId| Terminator { kind: TerminatorKind::Goto(target), span };
        let head = self.function.blocks.push(Block { instructions: test, terminator: goto(end) });
        let then = self.function.blocks.push(Block { instructions: body, terminator: goto(head) });
        let kind = TerminatorKind::Branch { condition: Operand::Register(more), then, otherwise: end };
        self.function.blocks[head].terminator = Terminator { kind, span };
        head
    }

    fn listed(&mut self, plan: &BlockPlan, pieces: &[Piece], scratch: Option<LocalId>) {
        let BlockOperation { target, content, .. } = plan.operation;
        let in_scratch = |at: u64| scratch.map(|local| Operand::Local { local, offset: at as i64 });
        match content {
            Content::Byte(byte) => {
                for &(at, width) in pieces {
                    let (target, size) = (self.moved(target, at), Operand::int(self.bits, width));
                    self.push(InstructionKind::SetMemory { target, byte, size });
                }
            }
            Content::Copied { source, .. } if plan.node_hb != Passage::AllRead => {
                for &(at, width) in pieces {
                    let (target, source) = (self.moved(target, at), self.moved(source, at));
                    self.copy(target, source, width, in_scratch(at));
                }
            }
            Content::Copied { source, .. } => {
                let base = in_scratch(0).expect("what is read whole before it is written should have a place");
                for (from, to) in [(source, base), (base, target)] {
                    for &(at, width) in pieces {
                        let (target, source) = (self.moved(to, at), self.moved(from, at));
                        self.copy(target, source, width, None);
                    }
                }
            }
        }
    }
}
