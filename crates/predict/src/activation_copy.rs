//! A function of a trace program while it is being made: instructions are appended to one block at a time, each with the
//! instruction of the run that it stands for.

use base::{IdVec, Span};
use program::instruction::{
    BinaryOp, Block, Instruction, InstructionKind, MemoryOrder, Rvalue, Terminator, TerminatorKind, UnaryOp,
};
use program::{BlockId, DataModel, Function, FunctionId, Location, Operand, Register, RegisterId, Type};

use crate::trace_program::Origin;

pub struct ActivationCopy {
    id: FunctionId,
    function: Function,
    blocks: IdVec<BlockId, Block>,
    origins: IdVec<BlockId, Vec<Origin>>,
    current: BlockId,
    /// What is being copied. Its weight goes to the first instruction that comes of it.
    origin: Option<Origin>,
    span: Span,
}

const TRUTH: Type = Type::Int(1);

impl ActivationCopy {
    pub fn new(id: FunctionId, source: &Function) -> Self {
        let (function, span) = (Function { blocks: IdVec::new(), ..source.clone() }, source.span);
        let (blocks, origins) = (IdVec::new(), IdVec::new());
        Self { id, function, blocks, origins, current: Function::ENTRY, origin: None, span }
    }

    pub fn finish(self) -> (Function, IdVec<BlockId, Vec<Origin>>) {
        (Function { blocks: self.blocks, ..self.function }, self.origins)
    }

    /// A block without instructions yet. Every block gets its end by [`end`](Self::end).
    pub fn new_block(&mut self) -> BlockId {
        let terminator = Terminator { kind: TerminatorKind::Unreachable, span: self.span };
        self.origins.push(Vec::new());
        self.blocks.push(Block { instructions: Vec::new(), terminator })
    }

    pub fn go_to(&mut self, block: BlockId) {
        self.current = block;
        self.origin = None;
    }

    /// Says what is copied next. What came of nothing before counts with it.
    pub fn mark(&mut self, origin: Origin, span: Span) {
        let left = self.origin.map_or(0, |origin| origin.weight);
        self.origin = Some(Origin { weight: origin.weight + left, ..origin });
        self.span = span;
    }

    pub fn span(&self) -> Span {
        self.span
    }

    pub fn next_location(&self) -> Location {
        let index = self.blocks[self.current].instructions.len() as u32;
        Location { function: self.id, block: self.current, index }
    }

    pub fn push(&mut self, kind: InstructionKind) {
        self.push_at(kind, self.span);
    }

    pub fn push_at(&mut self, kind: InstructionKind, span: Span) {
        self.blocks[self.current].instructions.push(Instruction { kind, span });
        self.note_origin();
    }

    /// Ends the block.
    pub fn end(&mut self, kind: TerminatorKind) {
        self.blocks[self.current].terminator = Terminator { kind, span: self.span };
        self.note_origin();
    }

    /// The thread stops here.
    pub fn stop(&mut self) {
        self.push(InstructionKind::Assume { condition: Operand::FALSE });
        self.end(TerminatorKind::Unreachable);
    }

    /// Where `condition` does not hold the thread does `kind` and stops; otherwise it goes on in a new block.
    pub fn branch_off(&mut self, condition: Operand, kind: InstructionKind) {
        let (onward, elsewhere) = (self.new_block(), self.new_block());
        self.end(TerminatorKind::Branch { condition, then: onward, otherwise: elsewhere });
        self.current = elsewhere;
        self.push(kind);
        self.stop();
        self.current = onward;
    }

    /// What is pushed up to [`give_back`](Self::give_back) does not count as what is being copied.
    pub fn hold_back(&mut self) -> u32 {
        self.origin.as_mut().map_or(0, |origin| std::mem::take(&mut origin.weight))
    }

    pub fn give_back(&mut self, weight: u32) {
        self.origin.iter_mut().for_each(|origin| origin.weight += weight);
    }

    fn note_origin(&mut self) {
        let origin = self.origin.as_mut().expect("what is copied should be marked before");
        self.origins[self.current].push(*origin);
        origin.weight = 0;
    }

    pub fn register(&mut self, ty: Type) -> RegisterId {
        self.function.registers.push(Register { ty, name: None })
    }

    pub fn type_of(&self, register: RegisterId) -> Type {
        self.function.registers[register].ty
    }

    fn compute(&mut self, ty: Type, value: Rvalue) -> Operand {
        let target = self.register(ty);
        self.push(InstructionKind::Assign { target, value });
        Operand::Register(target)
    }

    pub fn not(&mut self, operand: Operand) -> Operand {
        self.compute(TRUTH, Rvalue::Unary { op: UnaryOp::Not, ty: TRUTH, operand, signed: false })
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, left: Operand, right: Operand) -> Operand {
        let result = if op.is_comparison() { TRUTH } else { ty };
        self.compute(result, Rvalue::Binary { op, ty, left, right, signed: false })
    }

    pub fn equals(&mut self, ty: Type, operand: Operand, value: Operand) -> Operand {
        self.binary(BinaryOp::Eq, ty, operand, value)
    }

    /// Whether what is stored at an address has the bits of this value.
    pub fn holds(&mut self, ty: Type, address: Operand, value: Operand, model: DataModel) -> Operand {
        let ty = match ty {
            Type::Float | Type::Double => Type::Int(ty.bits(model)),
            other => other,
        };
        let value = match value {
            Operand::Float(bits) => constant(ty, u64::from(bits)),
            Operand::Double(bits) => constant(ty, bits),
            other => other,
        };
        let stored = self.load(ty, address);
        self.equals(ty, stored, value)
    }

    /// What is stored at an address.
    pub fn load(&mut self, ty: Type, address: Operand) -> Operand {
        let target = self.register(ty);
        self.push(InstructionKind::Load { target, address, ty, order: MemoryOrder::NonAtomic });
        Operand::Register(target)
    }

    pub fn both(&mut self, left: Operand, right: Operand) -> Operand {
        self.binary(BinaryOp::And, TRUTH, left, right)
    }

    pub fn assume_equal(&mut self, ty: Type, left: Operand, right: Operand) {
        let condition = self.equals(ty, left, right);
        self.push(InstructionKind::Assume { condition });
    }

    /// The switch goes to `taken`: one of its cases holds, or, for the default, no case that leads elsewhere does.
    pub fn switch_condition(
        &mut self,
        value: Operand,
        ty: Type,
        cases: &[(u64, BlockId)],
        default: BlockId,
        taken: BlockId,
    ) -> Operand {
        let by_default = taken == default;
        let mut any = Operand::FALSE;
        for (case, _) in cases.iter().filter(|(_, target)| (*target == taken) != by_default) {
            let same = self.binary(BinaryOp::Eq, ty, value, constant(ty, *case));
            any = self.binary(BinaryOp::Or, TRUTH, any, same);
        }
        if by_default { self.not(any) } else { any }
    }
}

pub fn constant(ty: Type, bits: u64) -> Operand {
    match ty {
        Type::Int(width) => Operand::int(width, bits),
        Type::Float => Operand::Float(bits as u32),
        Type::Double => Operand::Double(bits),
        Type::Pointer => Operand::Null,
    }
}

/// The function with nothing in it, for the sake of its address.
pub fn without_body(function: &Function) -> Function {
    let terminator = Terminator { kind: TerminatorKind::Unreachable, span: function.span };
    let block = Block { instructions: Vec::new(), terminator };
    Function { locals: IdVec::new(), blocks: IdVec::from_vec(vec![block]), ..function.clone() }
}
