//! What is known of a program's code before anything is executed: loop heads, live registers, loops that only fill memory, and
//! what a thread may still do from a place on.

use std::sync::Arc;

use base::{Id, IdVec};
use program::cfg::Cfg;
use program::effects::{AccessKind, effects};
use program::loops::Loops;
use program::points_to::{MemoryObject, ObjectId as Abstract, ObjectSet, PointsTo};
use program::sharing::{Sharing, add_accessed};
use program::{
    Analyses, At, BlockId, Function, FunctionId, InstructionKind, Location, Operand, Program, RegisterId,
    TerminatorKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What may be done from some place on.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Future {
    pub reads: ObjectSet,
    pub writes: ObjectSet,
    pub spawns: bool,
    pub joins: bool,
}

impl Future {
    pub fn extend(&mut self, other: &Future) -> bool {
        let grew = self.reads.extend(&other.reads) | self.writes.extend(&other.writes);
        let flags = (self.spawns, self.joins);
        self.spawns |= other.spawns;
        self.joins |= other.joins;
        grew || flags != (self.spawns, self.joins)
    }
}

struct FunctionFacts {
    loop_heads: FxHashSet<BlockId>,
    /// The blocks of the loops that a head belongs to.
    bodies: FxHashMap<BlockId, FxHashSet<BlockId>>,
    /// The heads of outermost loops.
    outermost: FxHashSet<BlockId>,
    /// Registers that are live where a block begins.
    live: IdVec<BlockId, FxHashSet<RegisterId>>,
    /// Loops that may be skipped, by their head.
    fills: FxHashMap<BlockId, Fill>,
}

/// A loop that ends only where its head says so, and only assigns registers and stores.
#[derive(Clone, Debug)]
pub struct Fill {
    /// What it assigns and is used later.
    pub registers: Vec<RegisterId>,
    /// The addresses that it stores to.
    pub stores: Vec<Location>,
    pub exit: BlockId,
    /// Whether the loop goes on where the condition of the head holds.
    pub stays_if: bool,
}

pub struct ProgramFacts<'p> {
    pub program: &'p Program,
    pub points_to: Arc<PointsTo>,
    pub sharing: Arc<Sharing>,
    /// Whether any thread may be detached after its creation.
    pub detaches: bool,
    functions: IdVec<FunctionId, FunctionFacts>,
    /// From the beginning of each block on.
    futures: IdVec<FunctionId, IdVec<BlockId, Future>>,
}

impl<'p> ProgramFacts<'p> {
    pub fn new(analyses: &Analyses<'p>) -> Self {
        let program = analyses.program;
        let points_to: Arc<PointsTo> = analyses.get();
        let functions = program.functions.iter().map(FunctionFacts::new).collect();
        let futures = program.functions.iter().map(|one| one.blocks.iter().map(|_| Future::default()).collect());
        let mut instructions = program.functions.iter().flat_map(|one| &one.blocks).flat_map(|one| &one.instructions);
        let detaches = instructions.any(|one| matches!(one.kind, InstructionKind::Detach { .. }));
        let (sharing, futures) = (analyses.get(), futures.collect());
        let mut code = Self { program, points_to, sharing, detaches, functions, futures };
        code.find_futures();
        code
    }

    pub fn is_loop_head(&self, location: Location) -> bool {
        location.index == 0 && self.functions[location.function].loop_heads.contains(&location.block)
    }

    pub fn is_outermost_loop_head(&self, location: Location) -> bool {
        location.index == 0 && self.functions[location.function].outermost.contains(&location.block)
    }

    /// Whether the location lies in the loop that the other one is the head of.
    pub fn is_in_loop_of(&self, location: Location, head: Location) -> bool {
        let bodies = &self.functions[head.function].bodies;
        let in_body = |body: &FxHashSet<BlockId>| body.contains(&location.block);
        location.function == head.function && head.index == 0 && bodies.get(&head.block).is_some_and(in_body)
    }

    pub fn fill(&self, location: Location) -> Option<&Fill> {
        self.functions[location.function].fills.get(&location.block).filter(|_| location.index == 0)
    }

    /// The registers whose values may still be used by an activation that is at `location`; if it is at a call, after that.
    pub fn live(&self, location: Location, at_call: bool) -> FxHashSet<RegisterId> {
        let function = &self.program.functions[location.function];
        let block = &function.blocks[location.block];
        let mut live = live_after(&self.functions[location.function].live, &block.terminator.kind);
        for (index, instruction) in block.instructions.iter().enumerate().rev() {
            if (index as u32) < location.index {
                break;
            }
            for target in instruction.kind.targets() {
                live.remove(&target);
            }
            if !(at_call && index as u32 == location.index) {
                live.extend(instruction.kind.operands().iter().filter_map(|operand| register_of(*operand)));
            }
        }
        live
    }

    /// What an activation that is at `location` may still do.
    pub fn future(&self, location: Location) -> Future {
        self.future_without(location, false, &[], &|_| false)
    }

    /// What an activation that is at `location` may still do, after the call if it is at one, before a place that `ends` names.
    /// Such a place does not count any more once one of the registers `kept` was assigned.
    pub fn future_without(
        &self,
        location: Location,
        at_call: bool,
        kept: &[RegisterId],
        ends: &dyn Fn(Location) -> bool,
    ) -> Future {
        let (mut future, mut seen) = (Future::default(), FxHashSet::default());
        let mut open = vec![(Location { index: location.index + u32::from(at_call), ..location }, true)];
        'places: while let Some((start, mut is_kept)) = open.pop() {
            let block = &self.program.functions[start.function].blocks[start.block];
            for (index, instruction) in block.instructions.iter().enumerate().skip(start.index as usize) {
                let here = Location { index: index as u32, ..start };
                if is_kept && ends(here) {
                    continue 'places;
                }
                self.add_instruction(here, &mut future);
                is_kept &= !instruction.kind.targets().iter().any(|target| kept.contains(target));
            }
            for next in block.terminator.kind.successors() {
                if seen.insert((next, is_kept)) {
                    open.push((Location { block: next, index: 0, ..start }, is_kept));
                }
            }
        }
        future
    }

    fn add_instruction(&self, location: Location, future: &mut Future) {
        let At::Instruction(instruction) = self.program.at(location) else { return };
        for access in &effects(self.program, &instruction.kind).accesses {
            let objects = match access.kind {
                AccessKind::Read | AccessKind::Repeat => &mut future.reads,
                _ => &mut future.writes,
            };
            add_accessed(objects, &self.points_to, location.function, access);
        }
        match &instruction.kind {
            InstructionKind::Call { .. } => {}
            InstructionKind::Spawn { .. } => future.spawns = true,
            InstructionKind::Join { .. } | InstructionKind::Detach { .. } => {
                future.joins = true;
                return;
            }
            _ => return,
        }
        for &callee in self.points_to.callees(location) {
            future.extend(&self.futures[callee][Function::ENTRY]);
        }
    }

    fn find_futures(&mut self) {
        loop {
            let mut changed = false;
            for function in self.program.functions.ids() {
                for block in self.program.functions[function].blocks.ids() {
                    let mut future = self.futures[function][block].clone();
                    let length = self.program.functions[function].blocks[block].instructions.len();
                    for index in 0..length {
                        self.add_instruction(Location { function, block, index: index as u32 }, &mut future);
                    }
                    for next in self.program.functions[function].blocks[block].terminator.kind.successors() {
                        future.extend(&self.futures[function][next]);
                    }
                    changed |= self.futures[function][block].extend(&future);
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The abstract object, unless nobody but the thread that made it ever touches it.
    pub fn shared(&self, object: MemoryObject) -> Option<Abstract> {
        self.points_to.id(object).filter(|&id| self.sharing.escapes(id))
    }
}

impl FunctionFacts {
    fn new(function: &Function) -> Self {
        let loops = Loops::new(&Cfg::new(function));
        let heads = |outermost: bool| {
            let wanted = loops.iter().filter(move |(_, one)| !outermost || one.depth == 1);
            wanted.flat_map(|(_, one)| one.entries.iter().copied()).collect()
        };
        let live = liveness(function);
        let mut fills: FxHashMap<BlockId, Fill> =
            loops.iter().filter_map(|(_, one)| Some((one.header, fill(function, one)?))).collect();
        for (head, fill) in &mut fills {
            fill.registers.retain(|register| live[*head].contains(register));
        }
        let mut bodies: FxHashMap<BlockId, FxHashSet<BlockId>> = FxHashMap::default();
        for (_, one) in loops.iter() {
            for &entry in &one.entries {
                bodies.entry(entry).or_default().extend(one.body.iter().copied());
            }
        }
        Self { loop_heads: heads(false), bodies, outermost: heads(true), live, fills }
    }
}

/// The loop as a [`Fill`], if it is one.
fn fill(function: &Function, one: &program::loops::Loop) -> Option<Fill> {
    if one.is_irreducible() {
        return None;
    }
    let (mut registers, mut stores, mut exits) = (Vec::new(), Vec::new(), Vec::new());
    for &block in &one.body {
        let body = &function.blocks[block];
        for (index, instruction) in body.instructions.iter().enumerate() {
            match &instruction.kind {
                InstructionKind::Assign { .. } | InstructionKind::Nondet { .. } => {}
                InstructionKind::Store { .. } if block != one.header => {
                    stores.push(Location { function: FunctionId::new(0), block, index: index as u32 });
                }
                _ => return None,
            }
            registers.extend(instruction.kind.targets());
        }
        if body.terminator.kind.successors().is_empty() {
            return None;
        }
        for next in body.terminator.kind.successors() {
            if !one.body.contains(&next) {
                exits.push((block, next));
            }
        }
    }
    let [(from, exit)] = exits[..] else { return None };
    let TerminatorKind::Branch { then, otherwise, .. } = function.blocks[one.header].terminator.kind else {
        return None;
    };
    if from != one.header || then == otherwise {
        return None;
    }
    registers.sort_unstable();
    registers.dedup();
    Some(Fill { registers, stores, exit, stays_if: otherwise == exit })
}

fn register_of(operand: Operand) -> Option<RegisterId> {
    match operand {
        Operand::Register(register) => Some(register),
        _ => None,
    }
}

fn live_after(live: &IdVec<BlockId, FxHashSet<RegisterId>>, terminator: &TerminatorKind) -> FxHashSet<RegisterId> {
    let mut after: FxHashSet<RegisterId> =
        terminator.successors().into_iter().flat_map(|next| live[next].iter().copied()).collect();
    after.extend(terminator.operand().and_then(register_of));
    after
}

fn liveness(function: &Function) -> IdVec<BlockId, FxHashSet<RegisterId>> {
    let mut live: IdVec<BlockId, FxHashSet<RegisterId>> =
        function.blocks.iter().map(|_| FxHashSet::default()).collect();
    loop {
        let mut changed = false;
        for block in function.blocks.ids().rev() {
            let body = &function.blocks[block];
            let mut now = live_after(&live, &body.terminator.kind);
            for instruction in body.instructions.iter().rev() {
                for target in instruction.kind.targets() {
                    now.remove(&target);
                }
                now.extend(instruction.kind.operands().iter().filter_map(|operand| register_of(*operand)));
            }
            if now != live[block] {
                live[block] = now;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}
