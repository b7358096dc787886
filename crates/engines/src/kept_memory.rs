//! Memory that can never be lost, told from the instructions alone: the address goes from the allocation, through registers
//! and returns, into a global that nobody ever overwrites. That is the usual fate of what a program sets up once.
//!
//! An address in a register is not lost as long as the register is still needed on some way from there, which is how the
//! interpreter sees it: so all places between the allocation and the use that hands the address on must have a way to that
//! use. A function that hands the address to its caller does so for every caller, and each of them is looked at.
//!
//! Guarantee: if [`keeps_all_memory`], no execution loses memory (`valid-memtrack`). It says nothing otherwise.

use std::collections::BTreeSet;

use program::cfg::Cfg;
use program::effects::effects;
use program::loops::Loops;
use program::points_to::{MemoryObject, PointsTo};
use program::{
    AllocationKind, At, BlockId, Callee, Function, FunctionId, GlobalId, Instruction, InstructionKind, Location,
    Operand, Program, RegisterId, Rvalue, TerminatorKind, Type,
};

/// Whether every allocation of the program ends up in a global of its own.
pub fn keeps_all_memory(program: &Program, points_to: &PointsTo) -> bool {
    let keeper = Keeper { program, points_to, threads_end_early: has_thread_exit(program, points_to) };
    keeper.reached_instructions().all(|(location, kind)| match kind {
        InstructionKind::Allocate { target, kind: AllocationKind::Heap, .. } => {
            keeper.is_kept(location, *target, &mut BTreeSet::new())
        }
        InstructionKind::Reallocate { .. } | InstructionKind::Unsupported { .. } => false,
        _ => true,
    })
}

struct Keeper<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// A call may end the thread, and with it all that its registers hold.
    threads_end_early: bool,
}

impl<'a> Keeper<'a> {
    fn reached_instructions(&self) -> impl Iterator<Item = (Location, &'a InstructionKind)> + '_ {
        let (program, points_to) = (self.program, self.points_to);
        let functions = program.functions.iter_enumerated().filter(|(id, _)| points_to.is_reached(*id));
        functions.flat_map(|(id, body)| body.locations(id)).filter_map(|location| match program.at(location) {
            At::Instruction(instruction) => Some((location, &instruction.kind)),
            At::Terminator(_) => None,
        })
    }

    fn function(&self, id: FunctionId) -> &'a Function {
        &self.program.functions[id]
    }

    /// Whether the address that the instruction puts into the register always gets into a global. `seen` are the functions
    /// that hand it on already.
    fn is_kept(&self, from: Location, register: RegisterId, seen: &mut BTreeSet<FunctionId>) -> bool {
        let body = self.function(from.function);
        if body.parameters.contains(&register) || is_in_loop(body, from.block) {
            return false;
        }
        let Some(uses) = self.handing_on(from, register) else { return false };
        uses.into_iter().all(|at| match self.program.at(at) {
            At::Instruction(Instruction { kind: InstructionKind::Assign { target, .. }, .. }) => {
                self.is_kept(at, *target, seen)
            }
            At::Instruction(_) => true,
            At::Terminator(_) => seen.insert(from.function) && self.callers_keep(from.function, seen),
        })
    }

    /// The uses at which the register's value is stored for good or returned, if no way from the assignment misses them.
    fn handing_on(&self, from: Location, register: RegisterId) -> Option<Vec<Location>> {
        let body = self.function(from.function);
        let (mut uses, mut between) = (Vec::new(), BTreeSet::new());
        let mut work = vec![(from.block, from.index + 1)];
        while let Some((block, start)) = work.pop() {
            match self.first_use(Location { block, index: start, ..from }, register)? {
                Some(at) => uses.push(at),
                None => {
                    let next = body.blocks[block].terminator.kind.successors();
                    if next.is_empty() {
                        return None;
                    }
                    work.extend(next.into_iter().filter(|&next| between.insert(next)).map(|next| (next, 0)));
                }
            }
        }
        let reaches = blocks_before(body, uses.iter().map(|at| at.block).collect());
        between.iter().all(|block| reaches.contains(block)).then_some(uses)
    }

    /// The first such use in the rest of a block. `None` if the thread may end before, or the register be overwritten.
    fn first_use(&self, from: Location, register: RegisterId) -> Option<Option<Location>> {
        let block = &self.function(from.function).blocks[from.block];
        for index in from.index as usize..block.instructions.len() {
            let at = Location { index: index as u32, ..from };
            match &block.instructions[index].kind {
                InstructionKind::Store {
                    address: Operand::Global { global, offset },
                    value: Operand::Register(value),
                    ty: Type::Pointer,
                    ..
                } if *value == register && self.is_stored_for_good(at, *global, *offset) => return Some(Some(at)),
                InstructionKind::Assign { value: Rvalue::Use(Operand::Register(value)), .. } if *value == register => {
                    return Some(Some(at));
                }
                InstructionKind::Call { .. } if self.threads_end_early => return None,
                kind if kind.targets().contains(&register) => return None,
                _ => {}
            }
        }
        let at = Location { index: block.instructions.len() as u32, ..from };
        let returns = matches!(block.terminator.kind, TerminatorKind::Return(Some(Operand::Register(value))) if value == register);
        Some(returns.then_some(at))
    }

    /// Whether every call of the function keeps what it returns.
    fn callers_keep(&self, function: FunctionId, seen: &mut BTreeSet<FunctionId>) -> bool {
        function != self.program.entry
            && self.runs_of(function).all(|(location, kind)| match kind {
                InstructionKind::Call { target: Some(target), .. } => {
                    self.is_kept(location, *target, &mut seen.clone())
                }
                _ => false,
            })
    }

    /// The calls and spawns that may run the function.
    fn runs_of(&self, function: FunctionId) -> impl Iterator<Item = (Location, &'a InstructionKind)> + '_ {
        self.reached_instructions().filter(move |(location, kind)| match kind {
            InstructionKind::Call { callee, .. } | InstructionKind::Spawn { function: callee, .. } => match callee {
                Callee::Direct(direct) => *direct == function,
                Callee::Indirect(_) => self.points_to.callees(*location).contains(&function),
            },
            _ => false,
        })
    }

    /// Whether the store happens once, and nothing else ever writes there.
    fn is_stored_for_good(&self, store: Location, global: GlobalId, offset: i64) -> bool {
        !self.program.globals[global].thread_local
            && !is_in_loop(self.function(store.function), store.block)
            && self.runs_once(store.function, self.program.functions.len())
            && self
                .reached_instructions()
                .all(|(location, kind)| location == store || !self.may_write(location.function, kind, global, offset))
    }

    fn runs_once(&self, function: FunctionId, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let mut runs = self.runs_of(function);
        match (runs.next(), runs.next()) {
            (None, _) => true,
            (Some((run, _)), None) => {
                function != self.program.entry
                    && !is_in_loop(self.function(run.function), run.block)
                    && self.runs_once(run.function, depth)
            }
            (Some(_), Some(_)) => false,
        }
    }

    /// Whether the instruction may write to the pointer that lies there.
    fn may_write(&self, function: FunctionId, kind: &InstructionKind, global: GlobalId, offset: i64) -> bool {
        let model = self.program.data_model;
        let object = self.points_to.id(MemoryObject::Global(global));
        let overlaps = |address: Operand, bytes: Option<u64>| match (address, bytes) {
            (Operand::Global { global: other, .. }, _) if other != global => false,
            (Operand::Global { offset: at, .. }, Some(bytes)) => {
                let end = |start: i64, bytes: u64| i128::from(start) + i128::from(bytes);
                i128::from(at) < end(offset, model.pointer_bytes()) && i128::from(offset) < end(at, bytes)
            }
            _ => object.is_none_or(|object| self.points_to.operand(function, address).contains(object)),
        };
        let effects = effects(self.program, kind);
        let mut writes = effects.accesses.iter().filter(|access| access.kind.writes());
        writes.any(|access| overlaps(access.base(), access.bytes()))
    }
}

fn has_thread_exit(program: &Program, points_to: &PointsTo) -> bool {
    let functions = program.functions.iter_enumerated().filter(|(id, _)| points_to.is_reached(*id));
    let mut blocks = functions.flat_map(|(_, body)| &body.blocks);
    blocks.any(|block| matches!(block.terminator.kind, TerminatorKind::ThreadExit(_)))
}

fn is_in_loop(function: &Function, block: BlockId) -> bool {
    Loops::new(&Cfg::new(function)).innermost(block).is_some()
}

/// The blocks from which one of these can be reached, themselves among them.
fn blocks_before(function: &Function, mut work: Vec<BlockId>) -> BTreeSet<BlockId> {
    let cfg = Cfg::new(function);
    let mut before = BTreeSet::new();
    while let Some(block) = work.pop() {
        if before.insert(block) {
            work.extend(cfg.predecessors(block));
        }
    }
    before
}
