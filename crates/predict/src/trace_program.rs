//! The concurrent trace program (CTP, Definition 3.1 of the paper) as a program: one straight line per thread, or, where
//! several runs are merged (§8), all their paths side by side.
//!
//! Every activation that a run had becomes a function of its own: the instructions that it executed, with an `Assume` in the
//! place of each branch (`assume(c)` of the paper) and calls that go to the copies. A thread whose record ends stops there.
//! So everything that understands programs understands the trace program: its executions are exactly the executions of
//! the program in which each thread does a prefix of what is recorded of it, with the inputs of the run. Where a failing
//! assertion is all that a branch leads to, it stands before the `Assume`.
//!
//! Runs are merged activation by activation: as long as they do the same, they share instructions; where they part, a
//! branch stays a branch, and each side goes on alone until the activation returns. There the paths meet again, and the
//! unfolding makes the φ-functions. So a merged program may combine what one run did in a call with what another did after it.
//!
//! `snprintf` has no symbolic meaning. Where its arguments are those of the run, so is its text (§10), a constant that is
//! copied into the buffer; an execution in which they are not is cut off there as unsupported.
//!
//! Differences from the paper: addresses stay expressions like other values; waits, wake-ups and time-outs are decided
//! anew in each reordering.

use base::IdVec;
use program::instruction::{Callee, InstructionKind, NondetKind, Rvalue, TerminatorKind};
use program::{
    At, BlockId, Function, FunctionId, Global, GlobalId, Initialiser, Location, Operand, Program, Shape, ShapeId,
    ThreadId, Type, Visibility,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::activation_copy::{ActivationCopy, constant, without_body};
use crate::assertion_branch::failures;
use crate::assertion_reads::reads_for_assertions;
use crate::model::Model;
use crate::path::{Misfit, PathStep, path};
use crate::printed_text::{PrintedText, PrintedTexts, printed_texts};
use crate::recording::{Decision, Recording, value_register};

/// See the module documentation.
#[derive(Clone, Debug)]
pub struct TraceProgram {
    pub program: Program,
    /// For each instruction of the copies, block by block, what it stands for; none for the other functions.
    origins: IdVec<FunctionId, IdVec<BlockId, Vec<Origin>>>,
    /// What each thread executed, run by run.
    runs: Vec<Vec<Vec<PathStep>>>,
    /// The inputs of the runs, by the places where the copies ask for them.
    inputs: FxHashMap<Location, u64>,
    /// Where the failures stand that branches of the runs went around, by the places of their copies.
    failures: FxHashMap<Location, Location>,
}

/// An instruction of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Origin {
    pub run: u32,
    pub thread: ThreadId,
    /// Its index among those that the thread executed.
    pub index: u32,
    /// How many instructions of the program are done with this one: none for the further parts of one, more than one
    /// where jumps were left out before it.
    pub weight: u32,
}

impl TraceProgram {
    /// Of one run, or of several that are merged.
    pub fn new(
        program: &Program,
        visibility: &Visibility,
        recordings: &[Recording],
        model: Model,
    ) -> Result<Self, Misfit> {
        let mut runs = Vec::new();
        for recording in recordings {
            if recording.threads.first().is_none_or(|main| main.function != program.entry) {
                return Err(Misfit { instructions: 0, what: "the main thread runs another function" });
            }
            let paths: Result<Vec<_>, _> = recording.threads.iter().map(|record| path(program, record)).collect();
            runs.push(paths?);
        }
        let mut builder = Builder::new(program, visibility, recordings, &runs, model);
        let main = (0..recordings.len()).map(|run| Cursor { run, thread: 0, index: 0 }).collect();
        let entry = builder.add_thread(program.entry, main);
        while let Some((id, function, mut cursors)) = builder.threads.pop() {
            builder.copy_activation(id, function, &mut cursors, 0)?;
        }
        let Builder { functions, origins, inputs, failures, globals, shapes, .. } = builder;
        let program = Program { functions, entry, globals, shapes, ..program.clone() };
        program::verify::assert_valid(&program);
        Ok(Self { program, origins, runs, inputs, failures })
    }

    /// What each thread of the first run executed.
    pub fn paths(&self) -> &[Vec<PathStep>] {
        &self.runs[0]
    }

    /// How many runs are merged.
    pub fn run_count(&self) -> usize {
        self.runs.len()
    }

    /// Where an instruction of a run stands in the program.
    pub fn location(&self, origin: Origin) -> Location {
        self.runs[origin.run as usize][origin.thread.0 as usize][origin.index as usize].location
    }

    /// The instruction of a run that an instruction of the trace program stands for.
    pub fn origin(&self, location: Location) -> Option<Origin> {
        self.origins[location.function].get(location.block)?.get(location.index as usize).copied()
    }

    /// The copies of activations.
    pub(crate) fn copies(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.origins.ids().filter(|&id| !self.origins[id].is_empty())
    }

    /// Puts another function in the place of a copy; `moved` says where the instructions were and are.
    pub(crate) fn replace_copy(
        &mut self,
        id: FunctionId,
        function: Function,
        origins: IdVec<BlockId, Vec<Origin>>,
        moved: &[(Location, Location)],
    ) {
        let inputs: Vec<_> = moved.iter().filter_map(|(from, to)| Some((*to, self.inputs.remove(from)?))).collect();
        self.inputs.extend(inputs);
        let failures: Vec<_> = moved.iter().filter_map(|(from, to)| Some((*to, self.failures.remove(from)?))).collect();
        self.failures.extend(failures);
        self.program.functions[id] = function;
        self.origins[id] = origins;
    }

    /// Where the program goes wrong if the trace program does here.
    pub fn place(&self, location: Location) -> Location {
        let failure = self.failures.get(&location).copied();
        failure.or_else(|| self.origin(location).map(|origin| self.location(origin))).unwrap_or(location)
    }

    /// The input that an instruction of the trace program got in the run.
    pub fn input(&self, location: Location) -> Option<u64> {
        self.inputs.get(&location).copied()
    }
}

/// How far one thread of one run has been copied.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    run: usize,
    thread: usize,
    index: usize,
}

/// Threads that have the same function and are created at the same place: one in each of some runs.
type ThreadGroup = (FunctionId, FunctionId, Vec<Cursor>);

struct Builder<'a> {
    source: &'a Program,
    visibility: &'a Visibility,
    recordings: &'a [Recording],
    runs: &'a [Vec<Vec<PathStep>>],
    model: Model,
    functions: IdVec<FunctionId, Function>,
    origins: IdVec<FunctionId, IdVec<BlockId, Vec<Origin>>>,
    inputs: FxHashMap<Location, u64>,
    failures: FxHashMap<Location, Location>,
    /// Threads that are made so far, by run; nobody makes the main thread.
    created: FxHashSet<(usize, usize)>,
    /// Still to be copied: the number of the copy, the function, who runs it.
    threads: Vec<ThreadGroup>,
    /// By run and thread.
    printed: Vec<Vec<PrintedTexts>>,
    globals: IdVec<GlobalId, Global>,
    shapes: IdVec<ShapeId, Shape>,
    /// Of texts that were printed.
    text_shape: Option<ShapeId>,
    /// Of the constrained model, the reads of the first run that stay free, by thread.
    free_reads: Vec<FxHashSet<usize>>,
}

/// Calls that may be nested in what is copied.
const MAX_DEPTH: u32 = 1_000;

impl<'a> Builder<'a> {
    fn new(
        source: &'a Program,
        visibility: &'a Visibility,
        recordings: &'a [Recording],
        runs: &'a [Vec<Vec<PathStep>>],
        model: Model,
    ) -> Self {
        // Functions keep their numbers, which are their addresses, but nobody calls them any more.
        let functions: IdVec<FunctionId, Function> = source.functions.iter().map(without_body).collect();
        let origins = functions.iter().map(|_| IdVec::new()).collect();
        let free_reads = match model {
            Model::Constrained => runs[0].iter().map(|path| reads_for_assertions(source, path)).collect(),
            Model::Full | Model::Relaxed => Vec::new(),
        };
        let of_run = |paths: &Vec<Vec<PathStep>>| paths.iter().map(|path| printed_texts(source, path)).collect();
        Self {
            source,
            visibility,
            recordings,
            runs,
            model,
            functions,
            origins,
            inputs: FxHashMap::default(),
            failures: FxHashMap::default(),
            created: (0..runs.len()).map(|run| (run, 0)).collect(),
            threads: Vec::new(),
            printed: runs.iter().map(of_run).collect(),
            globals: source.globals.clone(),
            shapes: source.shapes.clone(),
            text_shape: None,
            free_reads,
        }
    }

    /// A number for a copy.
    fn reserve(&mut self) -> FunctionId {
        self.origins.push(IdVec::new());
        self.functions.push(without_body(&self.source.functions[self.source.entry]))
    }

    fn add_thread(&mut self, function: FunctionId, cursors: Vec<Cursor>) -> FunctionId {
        let id = self.reserve();
        self.threads.push((id, function, cursors));
        id
    }

    fn step(&self, cursor: &Cursor) -> Option<PathStep> {
        self.runs[cursor.run][cursor.thread].get(cursor.index).copied()
    }

    /// Copies an activation that all cursors stand at the beginning of, and takes those that return to where they do.
    fn copy_activation(
        &mut self,
        id: FunctionId,
        function: FunctionId,
        cursors: &mut Vec<Cursor>,
        depth: u32,
    ) -> Result<(), Misfit> {
        if depth > MAX_DEPTH {
            return Err(Misfit { instructions: 0, what: "calls are nested too deeply to be predicted" });
        }
        let mut copy = ActivationCopy::new(id, &self.source.functions[function]);
        let mut open = vec![(copy.new_block(), std::mem::take(cursors))];
        while let Some((block, group)) = open.pop() {
            copy.go_to(block);
            self.copy_block(&mut copy, group, &mut open, cursors, depth)?;
        }
        (self.functions[id], self.origins[id]) = copy.finish();
        Ok(())
    }

    /// Copies what a group does together, up to where it parts or ends.
    fn copy_block(
        &mut self,
        copy: &mut ActivationCopy,
        mut group: Vec<Cursor>,
        open: &mut Vec<(BlockId, Vec<Cursor>)>,
        returned: &mut Vec<Cursor>,
        depth: u32,
    ) -> Result<(), Misfit> {
        let mut last = group.first().copied();
        loop {
            // A record that ends is a prefix of the others.
            group.retain(|cursor| self.step(cursor).is_some());
            let Some(first) = group.first().copied() else {
                copy.mark(origin_of(last.unwrap_or(Cursor { run: 0, thread: 0, index: 0 })), copy.span());
                copy.stop();
                return Ok(());
            };
            last = Some(first);
            let step = self.step(&first).expect("the cursors that are left should have a step");
            copy.mark(origin_of(first), self.source.span(step.location));
            let source = self.source;
            match source.at(step.location) {
                At::Instruction(instruction) => {
                    self.copy_instruction(copy, &instruction.kind, step, &mut group, depth)?;
                    if group.is_empty() {
                        copy.stop();
                        return Ok(());
                    }
                }
                At::Terminator(terminator) => match &terminator.kind {
                    TerminatorKind::Goto(_) => advance(&mut group),
                    TerminatorKind::Branch { .. } | TerminatorKind::Switch { .. } => {
                        let parts = self.part(&group);
                        if parts.len() > 1 {
                            self.copy_parting(copy, &terminator.kind, parts, open);
                            return Ok(());
                        }
                        self.copy_taken(copy, &terminator.kind, parts[0].0, step.location.function);
                        advance(&mut group);
                    }
                    kind => {
                        copy.end(kind.clone());
                        if matches!(kind, TerminatorKind::Return(_)) {
                            advance(&mut group);
                            returned.append(&mut group);
                        }
                        return Ok(());
                    }
                },
            }
        }
    }

    /// Who goes where, in the order of the blocks.
    fn part(&self, group: &[Cursor]) -> Vec<(BlockId, Vec<Cursor>)> {
        let mut parts: Vec<(BlockId, Vec<Cursor>)> = Vec::new();
        for cursor in group {
            let Some(PathStep { decision: Some(Decision::Jump(target)), .. }) = self.step(cursor) else { continue };
            match parts.iter_mut().find(|(known, _)| *known == target) {
                Some((_, part)) => part.push(*cursor),
                None => parts.push((target, vec![*cursor])),
            }
        }
        parts.sort_by_key(|(target, _)| *target);
        parts
    }

    /// The runs part: the branch stays, and leads to the copies of what followed it.
    fn copy_parting(
        &self,
        copy: &mut ActivationCopy,
        kind: &TerminatorKind,
        parts: Vec<(BlockId, Vec<Cursor>)>,
        open: &mut Vec<(BlockId, Vec<Cursor>)>,
    ) {
        let mut copies = FxHashMap::default();
        for (target, mut part) in parts {
            advance(&mut part);
            let block = copy.new_block();
            copies.insert(target, block);
            open.push((block, part));
        }
        let nowhere = copy.new_block();
        open.push((nowhere, Vec::new()));
        let to = |target: &BlockId| copies.get(target).copied().unwrap_or(nowhere);
        copy.end(match kind {
            TerminatorKind::Switch { value, ty, cases, default } => TerminatorKind::Switch {
                value: *value,
                ty: *ty,
                cases: cases.iter().map(|(case, target)| (*case, to(target))).collect(),
                default: to(default),
            },
            TerminatorKind::Branch { condition, then, otherwise } => {
                TerminatorKind::Branch { condition: *condition, then: to(then), otherwise: to(otherwise) }
            }
            other => other.clone(),
        });
    }

    /// All runs go to `taken`.
    fn copy_taken(&mut self, copy: &mut ActivationCopy, kind: &TerminatorKind, taken: BlockId, function: FunctionId) {
        match kind {
            TerminatorKind::Branch { condition, then, otherwise } if then != otherwise => {
                let (holds, left_out) = match taken == *then {
                    true => (*condition, *otherwise),
                    false => (copy.not(*condition), *then),
                };
                for failure in failures(self.source, function, left_out) {
                    let At::Instruction(instruction) = self.source.at(failure) else { continue };
                    if let InstructionKind::Assert { property, message, .. } = &instruction.kind {
                        let (property, message) = (*property, message.clone());
                        self.failures.insert(copy.next_location(), failure);
                        copy.push_at(InstructionKind::Assert { condition: holds, property, message }, instruction.span);
                    }
                }
                self.assume(copy, holds);
            }
            TerminatorKind::Switch { value, ty, cases, default } => {
                let holds = copy.switch_condition(*value, *ty, cases, *default, taken);
                self.assume(copy, holds);
            }
            _ => {}
        }
    }

    fn assume(&self, copy: &mut ActivationCopy, condition: Operand) {
        if self.model != Model::Relaxed {
            copy.push(InstructionKind::Assume { condition });
        }
    }

    fn copy_instruction(
        &mut self,
        copy: &mut ActivationCopy,
        kind: &InstructionKind,
        step: PathStep,
        group: &mut Vec<Cursor>,
        depth: u32,
    ) -> Result<(), Misfit> {
        if let Some(printed) = self.printed(group) {
            self.copy_printing(copy, kind, printed);
            advance(group);
            return Ok(());
        }
        match (kind, step.decision) {
            (InstructionKind::Call { target, callee, arguments }, _) => {
                let function = self.callee(copy, *callee, group)?;
                let id = self.reserve();
                let (target, arguments) = (*target, arguments.clone());
                copy.push(InstructionKind::Call { target, callee: Callee::Direct(id), arguments });
                advance(group);
                return self.copy_activation(id, function, group, depth + 1);
            }
            (InstructionKind::Spawn { target, store, function, argument, detached }, _) => {
                let child = self.children(copy, *function, group)?;
                let (target, store, argument, detached) = (*target, *store, *argument, *detached);
                let function = Callee::Direct(child);
                copy.push(InstructionKind::Spawn { target, store, function, argument, detached });
            }
            (InstructionKind::Nondet { target, ty, kind }, Some(Decision::Value(bits))) => {
                if group.iter().any(|cursor| self.step(cursor).and_then(|step| step.decision) != step.decision) {
                    return Err(Misfit { instructions: 0, what: "runs with different inputs cannot be merged" });
                }
                self.inputs.insert(copy.next_location(), bits);
                let ignored = copy.register(*ty);
                copy.push(InstructionKind::Nondet { target: ignored, ty: *ty, kind: *kind });
                let value = Rvalue::Use(constant(*ty, bits));
                copy.push(InstructionKind::Assign { target: *target, value });
            }
            (kind, decision) => {
                copy.push(kind.clone());
                if let (Some(Decision::Value(bits)), true) = (decision, self.visibility.is_visible(step.location)) {
                    self.treat_read(copy, kind, bits, group[0]);
                }
            }
        }
        advance(group);
        Ok(())
    }

    /// The text that the next instruction prints into memory, if it is known and the same in all runs of the group.
    fn printed(&self, group: &[Cursor]) -> Option<PrintedText> {
        let of = |cursor: &Cursor| self.printed[cursor.run][cursor.thread].get(&cursor.index);
        let first = of(group.first()?)?;
        group.iter().all(|cursor| of(cursor) == Some(first)).then(|| first.clone())
    }

    /// Copies the text of the run into the buffer, where the arguments are those of the run.
    fn copy_printing(&mut self, copy: &mut ActivationCopy, kind: &InstructionKind, printed: PrintedText) {
        let InstructionKind::Library { target, arguments, .. } = kind else { return };
        let &[buffer, size, ..] = &arguments[..] else { return };
        let model = self.source.data_model;
        let weight = copy.hold_back();
        let size_type = Type::Int(64);
        let mut same = copy.equals(size_type, size, constant(size_type, printed.size));
        for (address, ty, value) in printed.arguments {
            let equal = copy.holds(ty, address, value, model);
            same = copy.both(same, equal);
        }
        if self.model != Model::Relaxed {
            let what = "sprintf or snprintf with other arguments than in the run".to_owned();
            copy.branch_off(same, InstructionKind::Unsupported { what });
        }
        copy.give_back(weight);
        let length = printed.text.len() as u64;
        if let Some(most) = printed.size.checked_sub(1) {
            let mut kept = printed.text;
            kept.truncate(usize::try_from(most).unwrap_or(usize::MAX));
            kept.push(0);
            let size = Operand::int(model.pointer_bits(), kept.len() as u64);
            let source = self.new_text(kept);
            copy.push(InstructionKind::CopyMemory { target: buffer, source, size, overlap: false });
        }
        if let Some(target) = *target {
            let value = Rvalue::Use(constant(copy.type_of(target), length));
            copy.push(InstructionKind::Assign { target, value });
        }
    }

    /// A global with these contents.
    fn new_text(&mut self, bytes: Vec<u8>) -> Operand {
        let shapes = &mut self.shapes;
        let shape = *self.text_shape.get_or_insert_with(|| shapes.push(Shape::Opaque));
        let global = self.globals.push(Global {
            name: String::new(),
            size: bytes.len() as u64,
            align: 1,
            shape,
            initial: Initialiser { bytes, ..Initialiser::default() },
            thread_local: false,
            read_only: true,
            constant_parts: program::ConstantParts::default(),
            span: base::Span::UNKNOWN,
        });
        Operand::Global { global, offset: 0 }
    }

    /// The function that a call goes to, in all runs of the group.
    fn callee(&self, copy: &mut ActivationCopy, callee: Callee, group: &[Cursor]) -> Result<FunctionId, Misfit> {
        let pointer = match callee {
            Callee::Direct(function) => return Ok(function),
            Callee::Indirect(pointer) => pointer,
        };
        let called = |cursor: &Cursor| match self.step(cursor).and_then(|step| step.decision) {
            Some(Decision::Callee(function)) => Some(function),
            _ => None,
        };
        let function = self.only(group.iter().filter_map(called))?;
        copy.assume_equal(Type::Pointer, pointer, Operand::Function(function));
        Ok(function)
    }

    /// The copy that a created thread runs.
    fn children(&mut self, copy: &mut ActivationCopy, callee: Callee, group: &[Cursor]) -> Result<FunctionId, Misfit> {
        let mut cursors = Vec::new();
        for cursor in group {
            if let Some(PathStep { decision: Some(Decision::Child(child)), .. }) = self.step(cursor) {
                let thread = child.0 as usize;
                let misfit = |what| Err(Misfit { instructions: cursor.index as u64, what });
                if thread >= self.recordings[cursor.run].threads.len() {
                    return misfit("there is no such thread");
                }
                if !self.created.insert((cursor.run, thread)) {
                    return misfit("that thread exists already");
                }
                cursors.push(Cursor { run: cursor.run, thread, index: 0 });
            }
        }
        let started = |cursor: &Cursor| self.recordings[cursor.run].threads[cursor.thread].function;
        let function = self.only(cursors.iter().map(started))?;
        match callee {
            Callee::Indirect(pointer) => copy.assume_equal(Type::Pointer, pointer, Operand::Function(function)),
            Callee::Direct(named) if named != function => {
                return Err(Misfit { instructions: 0, what: "the thread runs another function there" });
            }
            Callee::Direct(_) => {}
        }
        Ok(self.add_thread(function, cursors))
    }

    fn only(&self, mut functions: impl Iterator<Item = FunctionId>) -> Result<FunctionId, Misfit> {
        let misfit = |what| Misfit { instructions: 0, what };
        let first = functions.next().ok_or_else(|| misfit("a call has no target"))?;
        match functions.all(|other| other == first) {
            true => Ok(first),
            false => Err(misfit("runs that call different functions at one call site cannot be merged")),
        }
    }

    /// What the model makes of the value that was read from shared memory.
    fn treat_read(&self, copy: &mut ActivationCopy, kind: &InstructionKind, bits: u64, at: Cursor) {
        let Some(target) = value_register(kind) else { return };
        let ty = copy.type_of(target);
        let Type::Int(_) = ty else { return };
        match self.model {
            Model::Full => {}
            Model::Constrained if self.free_reads[at.thread].contains(&at.index) => {}
            Model::Constrained => copy.assume_equal(ty, Operand::Register(target), constant(ty, bits)),
            Model::Relaxed => copy.push(InstructionKind::Nondet { target, ty, kind: NondetKind::Input }),
        }
    }
}

fn origin_of(cursor: Cursor) -> Origin {
    let (run, thread) = (cursor.run as u32, ThreadId(cursor.thread as u32));
    Origin { run, thread, index: cursor.index as u32, weight: 1 }
}

fn advance(group: &mut [Cursor]) {
    group.iter_mut().for_each(|cursor| cursor.index += 1);
}
