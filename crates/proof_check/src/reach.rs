//! What a thread may still do from a place on, and which registers may still be used there: read off the program's text, with
//! the points-to analysis of crate `program`.

use std::rc::Rc;
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

/// What may happen from some place on.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Prospect {
    pub reads: ObjectSet,
    pub writes: ObjectSet,
    pub spawns: bool,
    pub joins: bool,
}

impl Prospect {
    pub fn add(&mut self, other: &Prospect) -> bool {
        let grew = self.reads.extend(&other.reads) | self.writes.extend(&other.writes);
        let flags = (self.spawns, self.joins);
        self.spawns |= other.spawns;
        self.joins |= other.joins;
        grew || flags != (self.spawns, self.joins)
    }
}

type ProspectKey = (Location, bool, Vec<RegisterId>);

pub struct ReachTable<'p> {
    program: &'p Program,
    pub points_to: Arc<PointsTo>,
    sharing: Arc<Sharing>,
    /// Whether any thread may be detached after its creation.
    pub detaches: bool,
    /// What a call of each function may do.
    of_calls: IdVec<FunctionId, Prospect>,
    live: IdVec<FunctionId, IdVec<BlockId, FxHashSet<RegisterId>>>,
    loop_heads: IdVec<FunctionId, FxHashSet<BlockId>>,
    known: FxHashMap<ProspectKey, Rc<Prospect>>,
}

impl<'p> ReachTable<'p> {
    pub fn new(analyses: &Analyses<'p>) -> Self {
        let program = analyses.program;
        let mut instructions = program.functions.iter().flat_map(|one| &one.blocks).flat_map(|one| &one.instructions);
        let detaches = instructions.any(|one| matches!(one.kind, InstructionKind::Detach { .. }));
        let mut table = Self {
            program,
            points_to: analyses.get(),
            sharing: analyses.get(),
            detaches,
            of_calls: program.functions.iter().map(|_| Prospect::default()).collect(),
            live: program.functions.iter().map(live_at_blocks).collect(),
            loop_heads: program.functions.iter().map(loop_heads).collect(),
            known: FxHashMap::default(),
        };
        table.find_calls();
        table
    }

    fn find_calls(&mut self) {
        loop {
            let mut changed = false;
            for (id, function) in self.program.functions.iter_enumerated() {
                let mut all = self.of_calls[id].clone();
                for at in function.locations(id) {
                    self.add_instruction(at, &mut all);
                }
                changed |= self.of_calls[id].add(&all);
            }
            if !changed {
                return;
            }
        }
    }

    fn add_instruction(&self, location: Location, prospect: &mut Prospect) {
        let At::Instruction(instruction) = self.program.at(location) else { return };
        for access in &effects(self.program, &instruction.kind).accesses {
            let only_reads = matches!(access.kind, AccessKind::Read | AccessKind::Repeat);
            let objects = if only_reads { &mut prospect.reads } else { &mut prospect.writes };
            add_accessed(objects, &self.points_to, location.function, access);
        }
        match &instruction.kind {
            InstructionKind::Spawn { .. } => prospect.spawns = true,
            InstructionKind::Join { .. } | InstructionKind::Detach { .. } => prospect.joins = true,
            _ => {}
        }
        if matches!(instruction.kind, InstructionKind::Call { .. } | InstructionKind::Spawn { .. }) {
            for &callee in self.points_to.callees(location) {
                prospect.add(&self.of_calls[callee]);
            }
        }
    }

    /// What an activation at `location` may do, after the call if it is at one; what comes behind a join by one of `handles` is
    /// left out as long as that register has not been assigned again.
    pub fn prospect(&mut self, location: Location, at_call: bool, handles: &[RegisterId]) -> Rc<Prospect> {
        let key = (location, at_call, handles.to_vec());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let start = Location { index: location.index + u32::from(at_call), ..location };
        let (mut prospect, mut seen) = (Prospect::default(), FxHashSet::default());
        let mut valid = handles.to_vec();
        if at_call && let At::Instruction(call) = self.program.at(location) {
            forget_targets(&mut valid, &call.kind);
        }
        let mut open = vec![(start, valid)];
        'places: while let Some((at, mut valid)) = open.pop() {
            let block = &self.program.functions[at.function].blocks[at.block];
            for (index, instruction) in block.instructions.iter().enumerate().skip(at.index as usize) {
                if let InstructionKind::Join { thread: Operand::Register(register), .. } = instruction.kind
                    && valid.contains(&register)
                {
                    prospect.joins = true;
                    continue 'places;
                }
                self.add_instruction(Location { index: index as u32, ..at }, &mut prospect);
                forget_targets(&mut valid, &instruction.kind);
            }
            for next in block.terminator.kind.successors() {
                if seen.insert((next, valid.clone())) {
                    open.push((Location { block: next, index: 0, ..at }, valid.clone()));
                }
            }
        }
        let prospect = Rc::new(prospect);
        self.known.insert(key, prospect.clone());
        prospect
    }

    /// Whether threads other than the one that made it may know the object; the object, if the analysis knows it.
    pub fn shared(&self, object: MemoryObject) -> SharedObject {
        match self.points_to.id(object) {
            Some(id) if self.sharing.escapes(id) => SharedObject::Shared(id),
            Some(_) => SharedObject::OfOneThread,
            None => SharedObject::NotKnown,
        }
    }

    /// Whether a loop begins there: nothing goes on for ever without coming by such a place.
    pub fn is_loop_head(&self, location: Location) -> bool {
        location.index == 0 && self.loop_heads[location.function].contains(&location.block)
    }

    /// Whether the value of a register may still be used by an activation at `location`, after the call if it is at one.
    pub fn is_live(&self, location: Location, at_call: bool, register: RegisterId) -> bool {
        let block = &self.program.functions[location.function].blocks[location.block];
        for (index, instruction) in block.instructions.iter().enumerate().skip(location.index as usize) {
            let is_past = at_call && index as u32 == location.index;
            if !is_past && instruction.kind.operands().contains(&Operand::Register(register)) {
                return true;
            }
            if instruction.kind.targets().contains(&register) {
                return false;
            }
        }
        is_used_after(&self.live[location.function], &block.terminator.kind, register)
    }
}

/// Who may know an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SharedObject {
    Shared(Abstract),
    OfOneThread,
    NotKnown,
}

fn forget_targets(registers: &mut Vec<RegisterId>, kind: &InstructionKind) {
    let targets = kind.targets();
    registers.retain(|register| !targets.contains(register));
}

type LiveAtBlocks = IdVec<BlockId, FxHashSet<RegisterId>>;

fn is_used_after(live: &LiveAtBlocks, terminator: &TerminatorKind, register: RegisterId) -> bool {
    terminator.operand() == Some(Operand::Register(register))
        || terminator.successors().into_iter().any(|next| live[next].contains(&register))
}

/// The registers that may be used from the beginning of each block on before they are assigned.
fn live_at_blocks(function: &Function) -> LiveAtBlocks {
    let mut live: LiveAtBlocks = function.blocks.iter().map(|_| FxHashSet::default()).collect();
    loop {
        let mut changed = false;
        for block in function.blocks.ids() {
            let body = &function.blocks[block];
            for register in function.registers.ids() {
                if live[block].contains(&register) {
                    continue;
                }
                let uses = |kind: &InstructionKind| kind.operands().contains(&Operand::Register(register));
                let first = body.instructions.iter().find_map(|instruction| {
                    let kind = &instruction.kind;
                    if uses(kind) { Some(true) } else { kind.targets().contains(&register).then_some(false) }
                });
                if first.unwrap_or_else(|| is_used_after(&live, &body.terminator.kind, register)) {
                    live[block].insert(register);
                    changed = true;
                }
            }
        }
        if !changed {
            return live;
        }
    }
}

fn loop_heads(function: &Function) -> FxHashSet<BlockId> {
    Loops::new(&Cfg::new(function)).iter().flat_map(|(_, one)| one.entries.iter().copied()).collect()
}

/// The beginning of a function.
pub fn start_of(function: FunctionId) -> Location {
    Location { function, block: BlockId::new(Function::ENTRY.index()), index: 0 }
}
