//! Calls whose arguments do not fit the callee: without a prototype, across files, by another type that the name of the
//! function is cast to, or through an adapter for a thread function. Arguments and results are converted as the registers
//! of the x86 convention would carry them: what is missing is indeterminate, whole values as well as the upper bits of
//! narrow ones; superfluous arguments are dropped. Models of library functions are known to compilers, which convert what
//! they are given.

use base::Span;
use base::ids::IdVec;
use program::{
    BinaryOp, Block, BlockId, Callee, CastOp, DataModel, Function, FunctionId, Instruction, InstructionKind,
    NondetKind, Operand, Register, RegisterId, Rvalue, Terminator, TerminatorKind, Type,
};

use rustc_hash::FxHashSet;

use crate::fold::fold;

type Registers = IdVec<RegisterId, Register>;

/// What a caller must know about a function.
struct Signature {
    parameters: Vec<Type>,
    result: Option<Type>,
    variadic: bool,
    is_model: bool,
}

pub fn adapt_calls(functions: &mut IdVec<FunctionId, Function>, model: DataModel) {
    let signatures: IdVec<FunctionId, Signature> = functions.iter().map(signature).collect();
    for id in functions.ids() {
        let mut registers = std::mem::take(&mut functions[id].registers);
        for block in functions[id].blocks.iter_mut() {
            if block.instructions.iter().any(|instruction| !fits(&instruction.kind, &signatures, &registers)) {
                let old = std::mem::take(&mut block.instructions);
                for instruction in old {
                    adapt(instruction, &signatures, &mut registers, &mut block.instructions, model);
                }
            }
        }
        functions[id].registers = registers;
    }
}

fn signature(function: &Function) -> Signature {
    Signature {
        parameters: function.parameters.iter().map(|&register| function.registers[register].ty).collect(),
        result: function.result,
        variadic: function.variadic,
        is_model: function.built_in,
    }
}

fn fits(kind: &InstructionKind, signatures: &IdVec<FunctionId, Signature>, registers: &Registers) -> bool {
    let InstructionKind::Call { target, callee: Callee::Direct(callee), arguments } = kind else { return true };
    let signature = &signatures[*callee];
    let target_fits = target.is_none_or(|target| Some(registers[target].ty) == signature.result);
    target_fits
        && arguments.len() == signature.parameters.len()
        && arguments.iter().zip(&signature.parameters).all(|(operand, ty)| type_of(*operand, registers) == *ty)
}

fn type_of(operand: Operand, registers: &Registers) -> Type {
    match operand {
        Operand::Register(register) => registers[register].ty,
        Operand::Int { bits, .. } => Type::Int(bits),
        Operand::Float(_) => Type::Float,
        Operand::Double(_) => Type::Double,
        Operand::Null | Operand::Global { .. } | Operand::Local { .. } | Operand::Function(_) => Type::Pointer,
    }
}

fn adapt(
    instruction: Instruction,
    signatures: &IdVec<FunctionId, Signature>,
    registers: &mut Registers,
    output: &mut Vec<Instruction>,
    model: DataModel,
) {
    if fits(&instruction.kind, signatures, registers) {
        output.push(instruction);
        return;
    }
    let InstructionKind::Call { target, callee: Callee::Direct(callee), arguments } = instruction.kind else {
        output.push(instruction);
        return;
    };
    let span = instruction.span;
    let signature = &signatures[callee];
    let mut code = CallAdapter { registers, output, model, span, extends: signature.is_model };
    let last = signature.parameters.len().wrapping_sub(1);
    let mut adapted = Vec::with_capacity(signature.parameters.len());
    for (index, &ty) in signature.parameters.iter().enumerate() {
        let operand = match arguments.get(index) {
            Some(&operand) => code.convert(operand, ty),
            None if signature.variadic && index == last => Operand::Null,
            None => code.indeterminate(ty),
        };
        adapted.push(operand);
    }
    let callee = Callee::Direct(callee);
    let Some(target) = target else {
        code.push(InstructionKind::Call { target: None, callee, arguments: adapted });
        return;
    };
    let wanted = code.registers[target].ty;
    match signature.result {
        Some(result) => {
            let raw = code.register(result);
            code.push(InstructionKind::Call { target: Some(raw), callee, arguments: adapted });
            let value = code.convert(Operand::Register(raw), wanted);
            code.push(InstructionKind::Assign { target, value: Rvalue::Use(value) });
        }
        None => {
            code.push(InstructionKind::Call { target: None, callee, arguments: adapted });
            code.push(InstructionKind::Nondet { target, ty: wanted, kind: NondetKind::Indeterminate });
        }
    }
}

struct CallAdapter<'a> {
    registers: &'a mut Registers,
    output: &'a mut Vec<Instruction>,
    model: DataModel,
    span: Span,
    /// Whether narrow integers are extended, with their sign.
    extends: bool,
}

impl CallAdapter<'_> {
    fn push(&mut self, kind: InstructionKind) {
        self.output.push(Instruction { kind, span: self.span });
    }

    fn register(&mut self, ty: Type) -> RegisterId {
        self.registers.push(Register { ty, name: None })
    }

    fn indeterminate(&mut self, ty: Type) -> Operand {
        let target = self.register(ty);
        self.push(InstructionKind::Nondet { target, ty, kind: NondetKind::Indeterminate });
        Operand::Register(target)
    }

    fn cast(&mut self, op: CastOp, from: Type, to: Type, operand: Operand) -> Operand {
        let value = Rvalue::Cast { op, from, to, operand };
        if let Some(operand) = fold(&value, self.model, false) {
            return operand;
        }
        let target = self.register(to);
        self.push(InstructionKind::Assign { target, value });
        Operand::Register(target)
    }

    /// An integer in a wider register, the rest of which nobody has written.
    fn widen(&mut self, operand: Operand, from: u8, to: u8) -> Operand {
        let ty = Type::Int(to);
        let low = self.cast(CastOp::ZeroExtend, Type::Int(from), ty, operand);
        let any = self.indeterminate(ty);
        let upper = self.compute(BinaryOp::And, ty, any, Operand::int(to, u64::MAX << from));
        self.compute(BinaryOp::Or, ty, low, upper)
    }

    fn compute(&mut self, op: BinaryOp, ty: Type, left: Operand, right: Operand) -> Operand {
        let target = self.register(ty);
        let value = Rvalue::Binary { op, ty, left, right, signed: false };
        self.push(InstructionKind::Assign { target, value });
        Operand::Register(target)
    }

    /// The operand as a value of another type.
    fn convert(&mut self, operand: Operand, to: Type) -> Operand {
        let from = type_of(operand, self.registers);
        let word = Type::Int(self.model.pointer_bits());
        match (from, to) {
            _ if from == to => operand,
            (Type::Int(from_bits), Type::Int(to_bits)) if from_bits < to_bits => match self.extends {
                true => self.cast(CastOp::SignExtend, from, to, operand),
                false => self.widen(operand, from_bits, to_bits),
            },
            (Type::Int(_), Type::Int(_)) => self.cast(CastOp::Truncate, from, to, operand),
            (Type::Int(_), Type::Pointer) => {
                let wide = self.convert(operand, word);
                self.cast(CastOp::IntToPointer, word, to, wide)
            }
            (Type::Pointer, Type::Int(_)) => {
                let bits = self.cast(CastOp::PointerToInt, from, word, operand);
                self.convert(bits, to)
            }
            (Type::Float | Type::Double, Type::Float | Type::Double) => {
                self.cast(CastOp::FloatToFloat, from, to, operand)
            }
            // Floating and integer arguments travel in different registers: the callee sees something else.
            _ => self.indeterminate(to),
        }
    }
}

/// Threads that are started through a pointer run what it names without an adapter: functions of one pointer whose address
/// is a value somewhere and that return nothing get an indeterminate pointer as their result.
pub fn give_results(functions: &mut IdVec<FunctionId, Function>, named: &FxHashSet<FunctionId>) {
    for &id in named {
        let function = &mut functions[id];
        let own = signature(function);
        if own.parameters != [Type::Pointer] || own.result.is_some() || own.variadic {
            continue;
        }
        function.result = Some(Type::Pointer);
        for block in function.blocks.iter_mut().filter(|block| block.terminator.kind == TerminatorKind::Return(None)) {
            let target = function.registers.push(Register { ty: Type::Pointer, name: None });
            let kind = InstructionKind::Nondet { target, ty: Type::Pointer, kind: NondetKind::Indeterminate };
            block.instructions.push(Instruction { kind, span: block.terminator.span });
            block.terminator.kind = TerminatorKind::Return(Some(Operand::Register(target)));
        }
    }
}

/// A function of one pointer that returns a pointer and calls `callee`, then `at_end`; `None` if there is nothing to
/// call at the end and `callee` is such a function itself. If somebody reads the results of threads as pointers, a result that
/// is none, or too narrow, is indeterminate.
pub fn thread_adapter(
    function: &Function,
    callee: FunctionId,
    at_end: &[FunctionId],
    is_read: bool,
    model: DataModel,
) -> Option<Function> {
    let own = signature(function);
    let fits = own.parameters == [Type::Pointer] && own.result == Some(Type::Pointer) && !own.variadic;
    if fits && at_end.is_empty() {
        return None;
    }
    let mut registers: Registers = IdVec::new();
    let parameter = registers.push(Register { ty: Type::Pointer, name: None });
    let mut instructions = Vec::new();
    let span = function.span;
    let result = {
        let (registers, output) = (&mut registers, &mut instructions);
        let mut code = CallAdapter { registers, output, model, span, extends: !is_read };
        let target = own.result.map(|ty| code.register(ty));
        // Arguments that do not fit are converted when all calls are.
        let arguments = if own.parameters.is_empty() { Vec::new() } else { vec![Operand::Register(parameter)] };
        code.push(InstructionKind::Call { target, callee: Callee::Direct(callee), arguments });
        for &at_end in at_end {
            let callee = Callee::Direct(at_end);
            code.push(InstructionKind::Call { target: None, callee, arguments: Vec::new() });
        }
        match target {
            Some(target) => code.convert(Operand::Register(target), Type::Pointer),
            None if is_read => code.indeterminate(Type::Pointer),
            None => Operand::Null,
        }
    };
    let terminator = Terminator { kind: TerminatorKind::Return(Some(result)), span };
    let blocks: IdVec<BlockId, Block> = [Block { instructions, terminator }].into_iter().collect();
    Some(Function {
        name: function.name.clone(),
        parameters: vec![parameter],
        result: Some(Type::Pointer),
        variadic: false,
        registers,
        locals: IdVec::new(),
        blocks,
        built_in: true,
        span,
    })
}
