//! Which instructions are *visible*, that is, scheduling points: a thread may be interrupted just before each of them
//! and nowhere else (see `schedule`).
//!
//! Guarantee: an invisible instruction touches no memory that another thread ever touches, blocks nobody, enables
//! nobody except by ending its own thread, and takes no nondeterministic choice; so it commutes with every step of
//! every other thread, and executing it together with the visible instruction before it loses no behaviour.
//!
//! - Accesses to memory are visible unless every object that they can touch is private to the executing thread (it does
//!   not escape, see `sharing`) or, for reads, read-only.
//! - `Free` and `Reallocate` are visible where there are threads: another one may end the process before, and the memory
//!   is left behind.
//! - A weak compare-exchange, `Nondet`, `Sync`, `Spawn`, `Join`, `Detach`, `AtomicBegin` and `AtomicEnd` are visible.
//! - `Begin` and `End` are visible where they end the life of an object that is not private.
//! - Output is visible unless what it prints is at hand without reading shared memory: no property depends on it. Who
//!   observes the order of what threads print makes all of it visible ([`Visibility::with_output`]).
//! - The terminator `ProcessExit` is visible: it stops all threads, so the others must get their chance to run between
//!   it and the visible instruction before it. `Return` and `ThreadExit` are visible where they end the life of an object
//!   that is not private (locals have their `End` before a `Return`). All other terminators are invisible.

use base::IdVec;
use rustc_hash::FxHashSet;

use crate::address_reuse;
use crate::effects::{AccessAddress, AccessKind, MemoryAccess, StepClass, TerminatorEnding, effects, ending};
use crate::instruction::{AllocationKind, Block, Callee, InstructionKind, TerminatorKind};
use crate::points_to::{MemoryObject, ObjectId, ObjectSet, PointsTo};
use crate::program_::{At, BlockId, Function, FunctionId, LocalId, Location, Program};
use crate::sharing::{Sharing, add_accessed, touched_objects};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visibility {
    /// Per block one entry for each instruction and a last one for the terminator.
    functions: IdVec<FunctionId, IdVec<BlockId, Vec<bool>>>,
    /// Whether the program can see that memory lies where freed memory has been.
    observes_addresses: bool,
    /// Where a number may serve as the address of an object.
    uses_found_addresses: FxHashSet<Location>,
}

impl Visibility {
    /// Of a well-formed program.
    pub fn new(program: &Program) -> Self {
        Self::with_sharing(program, &Sharing::new(program))
    }

    /// As [`new`](Self::new), for callers that have the analysis at hand.
    pub fn with_sharing(program: &Program, sharing: &Sharing) -> Self {
        Self::choose(program, sharing, false)
    }

    /// As [`new`](Self::new), but all output is visible: for callers to whom the order of what threads print matters.
    pub fn with_output(program: &Program) -> Self {
        Self::choose(program, &Sharing::new(program), true)
    }

    fn choose(program: &Program, sharing: &Sharing, output: bool) -> Self {
        let visible = |function| Visible { program, sharing, function, output }.blocks();
        Self {
            functions: program.functions.ids().map(visible).collect(),
            observes_addresses: address_reuse::is_observed(program, &sharing.points_to),
            uses_found_addresses: uses_of_found_addresses(program, &sharing.points_to),
        }
    }

    /// Whether the instruction at `location` may access, free or call an object by a number that is its address without
    /// having been made from it.
    pub fn may_use_found_address(&self, location: Location) -> bool {
        self.uses_found_addresses.contains(&location)
    }

    /// Whether the program can see that memory lies where freed memory has been.
    pub fn observes_addresses(&self) -> bool {
        self.observes_addresses
    }

    /// Whether the instruction or terminator at `location` is a scheduling point.
    #[inline]
    pub fn is_visible(&self, location: Location) -> bool {
        self.functions[location.function][location.block][location.index as usize]
    }
}

fn uses_of_found_addresses(program: &Program, points_to: &PointsTo) -> FxHashSet<Location> {
    let found = points_to.found_by_integers();
    if found.is_empty() {
        return FxHashSet::default();
    }
    let functions = program.functions.iter_enumerated().filter(|(id, _)| points_to.is_reached(*id));
    let uses_one = |&location: &Location| {
        let At::Instruction(instruction) = program.at(location) else { return false };
        let function = location.function;
        let accesses =
            touched_objects(program, points_to, function, &instruction.kind).iter().any(|one| found.contains(one));
        let (InstructionKind::Call { callee: Callee::Indirect(callee), .. }
        | InstructionKind::Spawn { function: Callee::Indirect(callee), .. }) = instruction.kind
        else {
            return accesses;
        };
        accesses || points_to.operand(function, callee).iter().any(|one| found.contains(one))
    };
    functions.flat_map(|(id, body)| body.locations(id)).filter(uses_one).collect()
}

/// The question for one function.
struct Visible<'a> {
    program: &'a Program,
    sharing: &'a Sharing,
    function: FunctionId,
    /// Whether all output is visible.
    output: bool,
}

impl Visible<'_> {
    fn blocks(&self) -> IdVec<BlockId, Vec<bool>> {
        let function = &self.program.functions[self.function];
        let restarts = restarting_begins(function);
        let block_entries = |(block, body): (BlockId, &Block)| {
            let instructions = body.instructions.iter().enumerate().map(|(index, instruction)| {
                let harmless_begin =
                    matches!(instruction.kind, InstructionKind::Begin { .. }) && !restarts.contains(&(block, index));
                !harmless_begin && self.instruction(&instruction.kind)
            });
            instructions.chain([self.terminator(&body.terminator.kind)]).collect()
        };
        function.blocks.iter_enumerated().map(block_entries).collect()
    }

    fn instruction(&self, kind: &InstructionKind) -> bool {
        let effects = effects(self.program, kind);
        let by_class = match effects.class {
            StepClass::Frees => self.has_threads(),
            StepClass::Prints => self.output,
            class => class.is_always_visible(),
        };
        by_class || effects.accesses.iter().any(|access| self.is_visible_access(access))
    }

    fn is_visible_access(&self, access: &MemoryAccess) -> bool {
        let may_share = |objects: &ObjectSet| match access.kind {
            AccessKind::Repeat => false,
            AccessKind::Read => self.may_share_read(objects),
            AccessKind::Write
            | AccessKind::Update
            | AccessKind::Synchronise
            | AccessKind::Free
            | AccessKind::LifetimeEnd => self.may_share(objects),
        };
        match access.address {
            AccessAddress::Operand(operand) => may_share(self.sharing.points_to.operand(self.function, operand)),
            // There may be no pointer inside, as in a list of numbers that are printed.
            AccessAddress::Inside(_) => {
                let mut objects = ObjectSet::default();
                add_accessed(&mut objects, &self.sharing.points_to, self.function, access);
                !objects.is_empty() && may_share(&objects)
            }
        }
    }

    fn terminator(&self, kind: &TerminatorKind) -> bool {
        match ending(kind) {
            TerminatorEnding::Nothing => false,
            TerminatorEnding::Activation => self.ends_shared(|object| self.ends_at_return(object)),
            TerminatorEnding::Thread => self.ends_shared(|object| self.ends_with_thread(object)),
            TerminatorEnding::Process => true,
        }
    }

    /// Whether any thread is ever created.
    fn has_threads(&self) -> bool {
        self.sharing.classes().count() > 1
    }

    fn ends_shared(&self, ends: impl Fn(MemoryObject) -> bool) -> bool {
        let points_to = &self.sharing.points_to;
        points_to.objects().any(|object| self.sharing.escapes(object) && ends(points_to.object(object)))
    }

    fn ends_at_return(&self, object: MemoryObject) -> bool {
        match object {
            MemoryObject::Allocation(location) => location.function == self.function && self.is_on_stack(location),
            MemoryObject::Global(global) => {
                let begins_thread = || self.sharing.classes().any(|(_, class)| class.function == self.function);
                self.program.globals[global].thread_local && begins_thread()
            }
            MemoryObject::Local(..) | MemoryObject::Function(_) => false,
        }
    }

    /// Whether an object of a thread that gets to this function ends with that thread at the latest.
    fn ends_with_thread(&self, object: MemoryObject) -> bool {
        let maker = match object {
            MemoryObject::Allocation(location) if self.is_on_stack(location) => location.function,
            MemoryObject::Local(function, _) => function,
            MemoryObject::Global(global) => return self.program.globals[global].thread_local,
            MemoryObject::Allocation(_) | MemoryObject::Function(_) => return false,
        };
        let has = |functions: &[FunctionId], function| functions.binary_search(&function).is_ok();
        let mut classes = self.sharing.classes().map(|(_, class)| &class.functions);
        classes.any(|functions| has(functions, self.function) && has(functions, maker))
    }

    fn is_on_stack(&self, location: Location) -> bool {
        let at = self.program.at(location);
        matches!(at, At::Instruction(instruction)
            if matches!(instruction.kind, InstructionKind::Allocate { kind: AllocationKind::Stack, .. }))
    }

    /// Also where nothing is known that could be touched: the address is invalid, or its function is never reached.
    fn may_share(&self, objects: &ObjectSet) -> bool {
        objects.is_empty() || objects.iter().any(|object| self.sharing.escapes(object))
    }

    fn may_share_read(&self, objects: &ObjectSet) -> bool {
        objects.is_empty() || objects.iter().any(|object| self.sharing.escapes(object) && !self.never_changes(object))
    }

    /// Whether nothing about the object ever changes, not even that it lives.
    fn never_changes(&self, object: ObjectId) -> bool {
        match self.sharing.points_to.object(object) {
            MemoryObject::Global(global) => {
                let global = &self.program.globals[global];
                global.read_only && !global.thread_local
            }
            _ => false,
        }
    }
}

/// The `Begin`s that may find their local alive, so that they end its former life.
fn restarting_begins(function: &Function) -> FxHashSet<(BlockId, usize)> {
    let mut restarts = FxHashSet::default();
    for (block, body) in function.blocks.iter_enumerated() {
        for (index, instruction) in body.instructions.iter().enumerate() {
            if let InstructionKind::Begin { local } = instruction.kind {
                follow_life(function, local, (block, index + 1), &mut restarts);
            }
        }
    }
    restarts
}

/// Adds the next `Begin`s of `local` that control can reach from `start` before an `End`.
fn follow_life(
    function: &Function,
    local: LocalId,
    start: (BlockId, usize),
    restarts: &mut FxHashSet<(BlockId, usize)>,
) {
    let mut seen = FxHashSet::default();
    let mut work = vec![start];
    while let Some((block, from)) = work.pop() {
        let body = &function.blocks[block];
        let stop = body.instructions.iter().enumerate().skip(from).find(|(_, instruction)| {
            matches!(instruction.kind, InstructionKind::Begin { local: l } | InstructionKind::End { local: l } if l == local)
        });
        match stop {
            Some((index, instruction)) if matches!(instruction.kind, InstructionKind::Begin { .. }) => {
                restarts.insert((block, index));
            }
            Some(_) => {}
            None => {
                work.extend(body.terminator.kind.successors().into_iter().filter(|&b| seen.insert(b)).map(|b| (b, 0)))
            }
        }
    }
}
