//! The concurrent trace program (CTP, Definition 3.1 of the paper) as a program: one straight line per thread.
//!
//! Every activation that the run had becomes a function of its own with a single block: the instructions that it
//! executed, with an `Assume` in the place of each branch (`assume(c)` of the paper) and calls that go to the copies. A
//! thread whose record ends stops there. So everything that understands programs understands the trace program: its
//! executions are exactly the executions of the program in which each thread does a prefix of what is recorded of it,
//! with the inputs of the run. Where a failing assertion is all that a branch leads to, it stands before the `Assume`.
//!
//! Differences from the paper: addresses stay expressions like other values; waits, wake-ups and time-outs are decided
//! anew in each reordering.

use base::IdVec;
use program::instruction::{
    BinaryOp, Block, Callee, Instruction, InstructionKind, NondetKind, Rvalue, Terminator, TerminatorKind, UnaryOp,
};
use program::{
    At, BlockId, Function, FunctionId, Location, Operand, Program, Register, RegisterId, ThreadId, Type, Visibility,
};
use rustc_hash::FxHashSet;

use crate::assertion_branch::failures;
use crate::assertion_reads::reads_for_assertions;
use crate::model::Model;
use crate::path::{Misfit, PathStep, path};
use crate::recording::{Decision, Recording, value_register};

/// See the module documentation.
#[derive(Clone, Debug)]
pub struct TraceProgram {
    pub program: Program,
    /// For each instruction of the copies, in their only block, what it stands for; none for the other functions.
    origins: IdVec<FunctionId, Vec<Origin>>,
    /// What each thread executed.
    pub paths: Vec<Vec<PathStep>>,
    /// Inputs of each thread in their order.
    pub inputs: Vec<Vec<u64>>,
}

/// An instruction of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Origin {
    pub thread: ThreadId,
    /// Its index among those that the thread executed.
    pub index: u32,
}

impl TraceProgram {
    pub fn new(
        program: &Program,
        visibility: &Visibility,
        recording: &Recording,
        model: Model,
    ) -> Result<Self, Misfit> {
        let paths: Result<Vec<_>, _> = recording.threads.iter().map(|record| path(program, record)).collect();
        let paths = paths?;
        let inputs = paths.iter().map(|path| inputs_of(program, path)).collect();
        let mut builder = Builder::new(program, visibility, recording, model);
        for (thread, path) in paths.iter().enumerate() {
            builder.add_thread(ThreadId(thread as u32), recording.threads[thread].function, path);
        }
        let (program, origins) = builder.finish();
        Ok(Self { program, origins, paths, inputs })
    }

    /// The instruction of the run that an instruction of the trace program stands for.
    pub fn origin(&self, location: Location) -> Option<Origin> {
        self.origins[location.function].get(location.index as usize).copied()
    }

    /// Where an instruction of the run stands in the program.
    pub fn location(&self, origin: Origin) -> Location {
        self.paths[origin.thread.0 as usize][origin.index as usize].location
    }
}

fn inputs_of(program: &Program, path: &[PathStep]) -> Vec<u64> {
    let is_input = |step: &PathStep| matches!(program.at(step.location), At::Instruction(i) if matches!(i.kind, InstructionKind::Nondet { .. }));
    let value = |step: &PathStep| match step.decision {
        Some(Decision::Value(bits)) => Some(bits),
        _ => None,
    };
    path.iter().filter(|step| is_input(step)).filter_map(value).collect()
}

/// An activation that is being copied.
struct Copy {
    id: FunctionId,
    function: Function,
    instructions: Vec<Instruction>,
    origins: Vec<Origin>,
}

struct Builder<'a> {
    source: &'a Program,
    visibility: &'a Visibility,
    recording: &'a Recording,
    model: Model,
    functions: IdVec<FunctionId, Function>,
    origins: IdVec<FunctionId, Vec<Origin>>,
    /// The copy of each thread's function.
    starts: Vec<FunctionId>,
}

impl<'a> Builder<'a> {
    fn new(source: &'a Program, visibility: &'a Visibility, recording: &'a Recording, model: Model) -> Self {
        // Functions keep their numbers, which are their addresses, but nobody calls them any more.
        let functions: IdVec<FunctionId, Function> = source.functions.iter().map(without_body).collect();
        let origins = functions.iter().map(|_| Vec::new()).collect();
        let mut builder = Self { source, visibility, recording, model, functions, origins, starts: Vec::new() };
        builder.starts = recording.threads.iter().map(|_| builder.reserve()).collect();
        builder
    }

    /// A number for a copy.
    fn reserve(&mut self) -> FunctionId {
        self.origins.push(Vec::new());
        self.functions.push(without_body(&self.source.functions[self.source.entry]))
    }

    fn finish(self) -> (Program, IdVec<FunctionId, Vec<Origin>>) {
        let program = Program { functions: self.functions, entry: self.starts[0], ..self.source.clone() };
        (program, self.origins)
    }

    fn add_thread(&mut self, thread: ThreadId, function: FunctionId, path: &[PathStep]) {
        let free = match self.model {
            Model::Constrained => reads_for_assertions(self.source, path),
            Model::Full | Model::Relaxed => FxHashSet::default(),
        };
        let mut activations = vec![self.copy_of(self.starts[thread.0 as usize], function)];
        for (index, step) in path.iter().enumerate() {
            let origin = Origin { thread, index: index as u32 };
            let is_fixed = self.model == Model::Constrained && !free.contains(&index);
            match self.source.at(step.location) {
                At::Instruction(instruction) => {
                    self.add_instruction(&mut activations, instruction, step, origin, is_fixed);
                }
                At::Terminator(terminator) => self.add_terminator(&mut activations, terminator, step, origin),
            }
        }
        let end = Origin { thread, index: path.len() as u32 };
        while let Some(activation) = activations.pop() {
            self.stop(activation, end);
        }
    }

    fn copy_of(&self, id: FunctionId, function: FunctionId) -> Copy {
        let source = &self.source.functions[function];
        let function = Function { blocks: IdVec::new(), ..source.clone() };
        Copy { id, function, instructions: Vec::new(), origins: Vec::new() }
    }

    fn add_instruction(
        &mut self,
        activations: &mut Vec<Copy>,
        instruction: &Instruction,
        step: &PathStep,
        origin: Origin,
        is_fixed: bool,
    ) {
        let span = instruction.span;
        let copy = activations.last_mut().expect("an executed instruction should be in an activation");
        match (&instruction.kind, step.decision) {
            (InstructionKind::Call { target, callee, arguments }, decision) => {
                let function = match (callee, decision) {
                    (Callee::Direct(function), _) => *function,
                    (Callee::Indirect(pointer), Some(Decision::Callee(function))) => {
                        copy.assume_equal(Type::Pointer, *pointer, Operand::Function(function), origin, span);
                        function
                    }
                    _ => unreachable!("a path should know where its calls go"),
                };
                let id = self.reserve();
                let (target, arguments) = (*target, arguments.clone());
                copy.push(InstructionKind::Call { target, callee: Callee::Direct(id), arguments }, origin, span);
                activations.push(self.copy_of(id, function));
            }
            (InstructionKind::Spawn { target, store, function, argument, detached }, Some(Decision::Child(child))) => {
                let child = child.0 as usize;
                if let Callee::Indirect(pointer) = function {
                    let started = self.recording.threads[child].function;
                    copy.assume_equal(Type::Pointer, *pointer, Operand::Function(started), origin, span);
                }
                let function = Callee::Direct(self.starts[child]);
                let (target, store, argument, detached) = (*target, *store, *argument, *detached);
                copy.push(InstructionKind::Spawn { target, store, function, argument, detached }, origin, span);
            }
            (InstructionKind::Nondet { target, ty, kind }, Some(Decision::Value(bits))) => {
                let ignored = copy.register(*ty);
                copy.push(InstructionKind::Nondet { target: ignored, ty: *ty, kind: *kind }, origin, span);
                let value = Rvalue::Use(constant(*ty, bits));
                copy.push(InstructionKind::Assign { target: *target, value }, origin, span);
            }
            (kind, decision) => {
                copy.push(kind.clone(), origin, span);
                if let (Some(Decision::Value(bits)), true) = (decision, self.visibility.is_visible(step.location)) {
                    self.treat_read(copy, kind, bits, origin, span, is_fixed);
                }
            }
        }
    }

    /// What the model makes of the value that was read from shared memory.
    fn treat_read(
        &self,
        copy: &mut Copy,
        kind: &InstructionKind,
        bits: u64,
        origin: Origin,
        span: base::Span,
        is_fixed: bool,
    ) {
        let Some(target) = value_register(kind) else { return };
        let ty = copy.function.registers[target].ty;
        let Type::Int(_) = ty else { return };
        match self.model {
            Model::Full => {}
            Model::Constrained if is_fixed => {
                copy.assume_equal(ty, Operand::Register(target), constant(ty, bits), origin, span);
            }
            Model::Constrained => {}
            Model::Relaxed => {
                copy.push(InstructionKind::Nondet { target, ty, kind: NondetKind::Input }, origin, span);
            }
        }
    }

    fn add_terminator(
        &mut self,
        activations: &mut Vec<Copy>,
        terminator: &Terminator,
        step: &PathStep,
        origin: Origin,
    ) {
        let copy = activations.last_mut().expect("an executed terminator should be in an activation");
        match (&terminator.kind, step.decision) {
            (TerminatorKind::Goto(_), _) => {}
            (TerminatorKind::Branch { condition, then, otherwise }, Some(Decision::Jump(taken))) => {
                if then == otherwise {
                    return;
                }
                let holds = match taken == *then {
                    true => *condition,
                    false => copy.not(*condition, origin, terminator.span),
                };
                let left_out = if taken == *then { *otherwise } else { *then };
                self.guard(copy, holds, &[left_out], step.location.function, origin, terminator.span);
            }
            (TerminatorKind::Switch { value, ty, cases, default }, Some(Decision::Jump(taken))) => {
                let holds = copy.switch_condition(*value, *ty, cases, *default, taken, origin, terminator.span);
                self.guard(copy, holds, &[], step.location.function, origin, terminator.span);
            }
            (kind, _) => {
                let copy = activations.pop().expect("an executed terminator should be in an activation");
                self.end(copy, kind.clone(), terminator.span, origin);
            }
        }
    }

    /// The thread goes on only if `holds`; what fails otherwise fails here.
    fn guard(
        &self,
        copy: &mut Copy,
        holds: Operand,
        left_out: &[BlockId],
        function: FunctionId,
        origin: Origin,
        span: base::Span,
    ) {
        for &block in left_out {
            for failure in failures(self.source, function, block) {
                if let InstructionKind::Assert { property, message, .. } = &failure.kind {
                    let (property, message) = (*property, message.clone());
                    copy.push(InstructionKind::Assert { condition: holds, property, message }, origin, failure.span);
                }
            }
        }
        if self.model != Model::Relaxed {
            copy.push(InstructionKind::Assume { condition: holds }, origin, span);
        }
    }

    /// The record ends in this activation.
    fn stop(&mut self, mut copy: Copy, origin: Origin) {
        let span = copy.instructions.last().map_or(copy.function.span, |instruction| instruction.span);
        copy.push(InstructionKind::Assume { condition: Operand::FALSE }, origin, span);
        self.end(copy, TerminatorKind::Unreachable, span, origin);
    }

    fn end(&mut self, mut copy: Copy, kind: TerminatorKind, span: base::Span, origin: Origin) {
        copy.origins.push(origin);
        let terminator = Terminator { kind, span };
        let block = Block { instructions: copy.instructions, terminator };
        self.origins[copy.id] = copy.origins;
        self.functions[copy.id] = Function { blocks: IdVec::from_vec(vec![block]), ..copy.function };
    }
}

impl Copy {
    fn push(&mut self, kind: InstructionKind, origin: Origin, span: base::Span) {
        self.instructions.push(Instruction { kind, span });
        self.origins.push(origin);
    }

    fn register(&mut self, ty: Type) -> RegisterId {
        self.function.registers.push(Register { ty, name: None })
    }

    fn compute(&mut self, ty: Type, value: Rvalue, origin: Origin, span: base::Span) -> Operand {
        let target = self.register(ty);
        self.push(InstructionKind::Assign { target, value }, origin, span);
        Operand::Register(target)
    }

    fn not(&mut self, operand: Operand, origin: Origin, span: base::Span) -> Operand {
        self.compute(TRUTH, Rvalue::Unary { op: UnaryOp::Not, ty: TRUTH, operand, signed: false }, origin, span)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        ty: Type,
        left: Operand,
        right: Operand,
        origin: Origin,
        span: base::Span,
    ) -> Operand {
        let result = if op.is_comparison() { TRUTH } else { ty };
        self.compute(result, Rvalue::Binary { op, ty, left, right, signed: false }, origin, span)
    }

    fn assume_equal(&mut self, ty: Type, left: Operand, right: Operand, origin: Origin, span: base::Span) {
        let condition = self.binary(BinaryOp::Eq, ty, left, right, origin, span);
        self.push(InstructionKind::Assume { condition }, origin, span);
    }

    /// The switch goes to `taken`: one of its cases holds, or, for the default, no case that leads elsewhere does.
    fn switch_condition(
        &mut self,
        value: Operand,
        ty: Type,
        cases: &[(u64, BlockId)],
        default: BlockId,
        taken: BlockId,
        origin: Origin,
        span: base::Span,
    ) -> Operand {
        let by_default = taken == default;
        let mut any = Operand::FALSE;
        for (case, _) in cases.iter().filter(|(_, target)| (*target == taken) != by_default) {
            let same = self.binary(BinaryOp::Eq, ty, value, constant(ty, *case), origin, span);
            any = self.binary(BinaryOp::Or, TRUTH, any, same, origin, span);
        }
        if by_default { self.not(any, origin, span) } else { any }
    }
}

const TRUTH: Type = Type::Int(1);

fn constant(ty: Type, bits: u64) -> Operand {
    match ty {
        Type::Int(width) => Operand::int(width, bits),
        Type::Float => Operand::Float(bits as u32),
        Type::Double => Operand::Double(bits),
        Type::Pointer => Operand::Null,
    }
}

fn without_body(function: &Function) -> Function {
    let terminator = Terminator { kind: TerminatorKind::Unreachable, span: function.span };
    let block = Block { instructions: Vec::new(), terminator };
    Function { locals: IdVec::new(), blocks: IdVec::from_vec(vec![block]), ..function.clone() }
}
