//! Builds the body of one function: registers, memory objects, open blocks, and small computations. Knows nothing of C.

use base::Span;
use base::ids::{Id, IdVec};
use program::{
    BinaryOp, Block, BlockId, DataModel, Instruction, InstructionKind, Local, LocalId, Operand, Register, RegisterId,
    Rvalue, ShapeId, Terminator, TerminatorKind, Type,
};

use crate::fold::fold;

/// At most this many pure instructions are computed although C would skip them.
const MAX_SPECULATED: usize = 4;

#[derive(Default)]
pub struct OpenBlock {
    pub instructions: Vec<Instruction>,
    pub terminator: Option<Terminator>,
}

/// A function under construction. There is always a current block; after a terminator it is a fresh one that nothing
/// jumps to, so that dead code needs no special care (`clean_up` drops it).
pub struct FunctionBuilder {
    pub model: DataModel,
    pub registers: IdVec<RegisterId, Register>,
    /// Whether a register is a temporary with a single use, which a copy may replace by its target.
    temporary: Vec<bool>,
    pub locals: IdVec<LocalId, Local>,
    pub blocks: IdVec<BlockId, OpenBlock>,
    pub current: BlockId,
    /// Declarations of register variables without initialiser: indeterminate if they are read before being written.
    pub uninitialised: Vec<Uninitialised>,
    /// Only constants are wanted: overflow wraps instead of becoming an instruction.
    pub constant_mode: bool,
}

/// An instruction that goes to a place in code that is there already.
pub struct Insertion {
    pub place: (BlockId, usize),
    pub instruction: Instruction,
}

/// A state of the code that grows.
#[derive(Clone, Copy)]
pub struct BuilderMark {
    place: (BlockId, usize),
    blocks: usize,
}

/// The place where a register variable is declared without a value.
pub struct Uninitialised {
    pub block: BlockId,
    pub index: usize,
    pub register: RegisterId,
    pub span: Span,
}

impl FunctionBuilder {
    pub fn new(model: DataModel) -> Self {
        let mut blocks = IdVec::new();
        let current = blocks.push(OpenBlock::default());
        Self {
            model,
            registers: IdVec::new(),
            temporary: Vec::new(),
            locals: IdVec::new(),
            blocks,
            current,
            uninitialised: Vec::new(),
            constant_mode: false,
        }
    }

    /// A builder for code that is thrown away: it numbers registers and objects after those of `self`.
    pub fn scratch(&mut self, constant_mode: bool) -> FunctionBuilder {
        let mut scratch = FunctionBuilder::new(self.model);
        scratch.registers = std::mem::take(&mut self.registers);
        scratch.temporary = std::mem::take(&mut self.temporary);
        scratch.locals = std::mem::take(&mut self.locals);
        scratch.constant_mode = constant_mode;
        scratch
    }

    /// Takes back what `scratch` borrowed; `registers` and `locals` are the numbers before.
    pub fn end_scratch(&mut self, mut scratch: FunctionBuilder, registers: usize, locals: usize) {
        scratch.registers.truncate(registers);
        scratch.temporary.truncate(registers);
        scratch.locals.truncate(locals);
        self.registers = scratch.registers;
        self.temporary = scratch.temporary;
        self.locals = scratch.locals;
    }

    /// Nothing was emitted so far.
    pub fn is_pristine(&self) -> bool {
        self.blocks.len() == 1 && self.blocks[BlockId(0)].instructions.is_empty()
    }

    pub fn temporary(&mut self, ty: Type) -> RegisterId {
        self.temporary.push(true);
        self.registers.push(Register { ty, name: None })
    }

    /// A register for a C variable.
    pub fn variable(&mut self, ty: Type, name: &str) -> RegisterId {
        self.temporary.push(false);
        self.registers.push(Register { ty, name: Some(name.to_owned()) })
    }

    /// A register that is read more than once or written in several places.
    pub fn pinned(&mut self, ty: Type) -> RegisterId {
        self.temporary.push(false);
        self.registers.push(Register { ty, name: None })
    }

    pub fn new_block(&mut self) -> BlockId {
        self.blocks.push(OpenBlock::default())
    }

    pub fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    pub fn emit(&mut self, kind: InstructionKind, span: Span) {
        self.blocks[self.current].instructions.push(Instruction { kind, span });
    }

    /// Ends the current block and opens a fresh one.
    pub fn terminate(&mut self, kind: TerminatorKind, span: Span) {
        let block = &mut self.blocks[self.current];
        if block.terminator.is_none() {
            block.terminator = Some(Terminator { kind, span });
        }
        self.current = self.new_block();
    }

    pub fn goto(&mut self, target: BlockId, span: Span) {
        self.terminate(TerminatorKind::Goto(target), span);
    }

    /// Branches; a constant condition becomes a jump.
    pub fn branch(&mut self, condition: Operand, then: BlockId, otherwise: BlockId, span: Span) {
        let kind = match condition {
            Operand::Int { value, .. } => TerminatorKind::Goto(if value != 0 { then } else { otherwise }),
            _ => TerminatorKind::Branch { condition, then, otherwise },
        };
        self.terminate(kind, span);
    }

    /// The value as an operand, computed into a temporary unless it folds.
    pub fn compute(&mut self, value: Rvalue, ty: Type, span: Span) -> Operand {
        if let Some(operand) = fold(&value, self.model, self.constant_mode) {
            return operand;
        }
        let target = self.temporary(ty);
        self.emit(InstructionKind::Assign { target, value }, span);
        Operand::Register(target)
    }

    /// What the last instruction has allocated, if it has made this operand.
    pub fn allocated_shape(&mut self, operand: Operand) -> Option<&mut Option<ShapeId>> {
        match self.blocks[self.current].instructions.last_mut().map(|last| &mut last.kind) {
            Some(InstructionKind::Allocate { target, shape, .. }) if operand == Operand::Register(*target) => {
                Some(shape)
            }
            _ => None,
        }
    }

    /// `target = operand`. If the operand is a temporary that the last instruction has just made, that instruction
    /// writes to `target` instead.
    pub fn assign(&mut self, target: RegisterId, operand: Operand, span: Span) {
        if let Operand::Register(source) = operand
            && self.temporary[source.index()]
            && self.registers[source].ty == self.registers[target].ty
            && let Some(last) = self.blocks[self.current].instructions.last_mut()
            && retarget(&mut last.kind, source, target)
        {
            return;
        }
        self.emit(InstructionKind::Assign { target, value: Rvalue::Use(operand) }, span);
    }

    /// A copy of an operand that later assignments to its register do not change.
    pub fn snapshot(&mut self, operand: Operand, ty: Type, span: Span) -> Operand {
        match operand {
            Operand::Register(register) if !self.temporary[register.index()] => {
                let target = self.temporary(ty);
                self.emit(InstructionKind::Assign { target, value: Rvalue::Use(operand) }, span);
                Operand::Register(target)
            }
            _ => operand,
        }
    }

    /// Says that a temporary will be used again, so that it must keep its register.
    pub fn pin(&mut self, operand: Operand) -> Operand {
        if let Operand::Register(register) = operand {
            self.temporary[register.index()] = false;
        }
        operand
    }

    /// Behind the last instruction.
    pub fn place(&self) -> (BlockId, usize) {
        (self.current, self.blocks[self.current].instructions.len())
    }

    /// What will have been emitted since now.
    pub fn mark(&self) -> BuilderMark {
        BuilderMark { place: self.place(), blocks: self.blocks.len() }
    }

    pub fn instructions_since(&self, mark: BuilderMark) -> impl Iterator<Item = &InstructionKind> + Clone {
        let (block, length) = mark.place;
        let rest = self.blocks[block].instructions.iter().skip(length);
        let new = self.blocks.iter().skip(mark.blocks).flat_map(|block| &block.instructions);
        rest.chain(new).map(|instruction| &instruction.kind)
    }

    pub fn terminators_since(&self, mark: BuilderMark) -> impl Iterator<Item = &TerminatorKind> {
        let first = self.blocks[mark.place.0].terminator.iter();
        let new = self.blocks.iter().skip(mark.blocks).filter_map(|block| block.terminator.as_ref());
        first.chain(new).map(|terminator| &terminator.kind)
    }

    pub fn declare_uninitialised(&mut self, register: RegisterId, span: Span) {
        let (block, index) = self.place();
        self.uninitialised.push(Uninitialised { block, index, register, span });
    }

    /// The finished blocks; an open end becomes `Unreachable`.
    pub fn into_blocks(self, span: Span) -> IdVec<BlockId, Block> {
        let close = |block: OpenBlock| Block {
            instructions: block.instructions,
            terminator: block.terminator.unwrap_or(Terminator { kind: TerminatorKind::Unreachable, span }),
        };
        let mut blocks = self.blocks;
        let open: Vec<OpenBlock> = blocks.iter_mut().map(std::mem::take).collect();
        open.into_iter().map(close).collect()
    }

    /// If `side` is one open block of few harmless instructions, moves them to the end of `home` and goes on there.
    pub fn inline_pure(&mut self, home: BlockId, side: BlockId) -> bool {
        let block = &self.blocks[side];
        let harmless = block.instructions.iter().all(|instruction| is_harmless(&instruction.kind));
        if self.current != side || block.instructions.len() > MAX_SPECULATED || !harmless {
            return false;
        }
        let mut moved = std::mem::take(&mut self.blocks[side].instructions);
        self.blocks[home].instructions.append(&mut moved);
        self.switch_to(home);
        true
    }
}

/// Makes an instruction write to `target` where it wrote to `source`; `false` if it does not write there.
fn retarget(kind: &mut InstructionKind, source: RegisterId, target: RegisterId) -> bool {
    use InstructionKind::*;
    let slot = match kind {
        Assign { target, .. }
        | Load { target, .. }
        | Nondet { target, .. }
        | Allocate { target, .. }
        | Reallocate { target, .. }
        | Spawn { target, .. }
        | CurrentThread { target } => Some(target),
        ReadModifyWrite { target, .. } | Call { target, .. } | Sync { target, .. } | Library { target, .. } => {
            target.as_mut()
        }
        _ => None,
    };
    match slot {
        Some(slot) if *slot == source => {
            *slot = target;
            true
        }
        _ => false,
    }
}

/// Pure, and it cannot violate a property: it may be computed where C would not.
fn is_harmless(kind: &InstructionKind) -> bool {
    let InstructionKind::Assign { value, .. } = kind else { return false };
    match value {
        Rvalue::Unary { signed, .. } => !signed,
        Rvalue::Binary { op, signed, .. } => {
            let fails = matches!(
                op,
                BinaryOp::UDiv
                    | BinaryOp::SDiv
                    | BinaryOp::URem
                    | BinaryOp::SRem
                    | BinaryOp::Shl
                    | BinaryOp::LShr
                    | BinaryOp::AShr
            );
            !signed && !fails
        }
        Rvalue::Use(_) | Rvalue::Cast { .. } | Rvalue::Select { .. } => true,
        Rvalue::PointerAdd { .. } | Rvalue::PointerDifference { .. } => false,
    }
}
