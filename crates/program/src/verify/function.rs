//! Rules 1 to 9 for one function.

use base::Id;
use rustc_hash::FxHashSet;

use super::object::lives_in_memory;
use super::{VerifiedPlace, Verifier, is_valid};
use crate::instruction::{
    BinaryOp, Block, Callee, CastOp, InstructionKind, LibraryFunction, MemoryOrder, Operand, RmwOp, Rvalue, SyncOp,
    TerminatorKind, UnaryOp,
};
use crate::program_::{BlockId, Function, FunctionId, LocalId, Location, RegisterId};
use crate::shape::Shape;
use crate::types::Type;

impl Verifier<'_> {
    pub(super) fn function(&mut self, id: FunctionId) {
        let function = &self.program.functions[id];
        let place = VerifiedPlace::Function(id);
        self.span(place, function.span);
        self.require(place, !function.blocks.is_empty(), || "the function has no block".to_owned());
        self.parameters(place, function);
        for register in &function.registers {
            self.valid_type(place, register.ty);
        }
        for local in &function.locals {
            self.object(place, local.size, local.align, local.shape);
            self.span(place, local.span);
        }
        for (block_id, block) in function.blocks.iter_enumerated() {
            for index in 0..=block.instructions.len() {
                let location = Location { function: id, block: block_id, index: index as u32 };
                Body { verifier: self, function, place: VerifiedPlace::At(location) }.step(block, index);
            }
        }
    }

    fn parameters(&mut self, place: VerifiedPlace, function: &Function) {
        let mut seen = FxHashSet::default();
        for &parameter in &function.parameters {
            let exists = function.registers.get(parameter).is_some();
            self.require(place, exists, || format!("parameter {parameter} does not exist"));
            self.require(place, seen.insert(parameter), || format!("{parameter} is a parameter twice"));
        }
        if function.variadic {
            let last = function.parameters.last().and_then(|&last| function.registers.get(last));
            let pointer = last.is_some_and(|register| register.ty == Type::Pointer);
            self.require(place, pointer, || "a variadic function should end its parameters with a pointer".to_owned());
        }
        if let Some(ty) = function.result {
            self.valid_type(place, ty);
        }
    }
}

/// One place in a function.
struct Body<'v, 'p> {
    verifier: &'v mut Verifier<'p>,
    function: &'p Function,
    place: VerifiedPlace,
}

const I32: Type = Type::Int(32);

impl Body<'_, '_> {
    fn step(&mut self, block: &Block, index: usize) {
        match block.instructions.get(index) {
            Some(instruction) => {
                self.verifier.span(self.place, instruction.span);
                self.instruction(&instruction.kind);
                self.wait_is_complete(block, index);
            }
            None => {
                self.verifier.span(self.place, block.terminator.span);
                self.terminator(&block.terminator.kind);
            }
        }
    }

    fn instruction(&mut self, kind: &InstructionKind) {
        let word = self.verifier.pointer_int();
        match kind {
            InstructionKind::Assign { target, value } => {
                if let Some(ty) = self.rvalue(value) {
                    self.target(*target, ty);
                }
            }
            InstructionKind::Load { target, address, ty, .. } => {
                self.memory_type(*ty);
                self.operand(*address, Type::Pointer);
                self.target(*target, *ty);
            }
            InstructionKind::Store { address, value, ty, .. } => {
                self.memory_type(*ty);
                self.operand(*address, Type::Pointer);
                self.operand(*value, *ty);
            }
            InstructionKind::ReadModifyWrite { target, op, address, value, ty, order } => {
                self.memory_type(*ty);
                self.atomic(*order);
                let sensible = *op == RmwOp::Exchange || matches!(ty, Type::Int(_));
                self.require(sensible, || format!("{op:?} cannot be done on {ty}"));
                self.operand(*address, Type::Pointer);
                self.operand(*value, *ty);
                self.optional_target(*target, *ty);
            }
            InstructionKind::CompareExchange {
                old, success, address, expected, desired, ty, order, failure, ..
            } => {
                self.memory_type(*ty);
                self.atomic(*order);
                self.atomic(*failure);
                self.operand(*address, Type::Pointer);
                self.operand(*expected, *ty);
                self.operand(*desired, *ty);
                self.target(*old, *ty);
                self.target(*success, Type::BOOL);
            }
            InstructionKind::Fence { order } => self.atomic(*order),
            InstructionKind::Nondet { target, ty, .. } => self.target(*target, *ty),
            InstructionKind::Assume { condition } | InstructionKind::Assert { condition, .. } => {
                self.operand(*condition, Type::BOOL)
            }
            InstructionKind::Allocate { target, size, align, shape, .. } => {
                if let Some(shape) = *shape {
                    self.verifier.shape_exists(self.place, shape);
                    let is_array = matches!(self.verifier.program.shapes.get(shape), Some(Shape::Array { .. }));
                    self.require(is_array, || format!("{shape} is no array"));
                }
                self.require(align.is_power_of_two(), || format!("alignment {align} is not a power of two"));
                self.operand(*size, word);
                self.target(*target, Type::Pointer);
            }
            InstructionKind::Free { address, .. } => self.operand(*address, Type::Pointer),
            InstructionKind::Reallocate { target, address, size } => {
                self.operand(*address, Type::Pointer);
                self.operand(*size, word);
                self.target(*target, Type::Pointer);
            }
            InstructionKind::Begin { local } | InstructionKind::End { local } => self.local(*local),
            InstructionKind::CopyMemory { target, source, size, .. } => {
                self.operand(*target, Type::Pointer);
                self.operand(*source, Type::Pointer);
                self.operand(*size, word);
            }
            InstructionKind::SetMemory { target, byte, size } => {
                self.operand(*target, Type::Pointer);
                self.operand(*byte, Type::Int(8));
                self.operand(*size, word);
            }
            InstructionKind::Call { target, callee, arguments } => self.call(*target, callee, arguments),
            InstructionKind::Spawn { target, store, function, argument, detached } => {
                store.iter().for_each(|&address| self.operand(address, Type::Pointer));
                self.thread_function(function);
                self.operand(*argument, Type::Pointer);
                self.operand(*detached, Type::BOOL);
                self.target(*target, word);
            }
            InstructionKind::Join { target, error, thread } => {
                self.operand(*thread, word);
                self.optional_target(*target, Type::Pointer);
                self.optional_target(*error, I32);
            }
            InstructionKind::Detach { error, thread } => {
                self.operand(*thread, word);
                self.optional_target(*error, I32);
            }
            InstructionKind::CurrentThread { target } => self.target(*target, word),
            InstructionKind::Sync { target, op, operands } => {
                self.operands(operands, op.operand_types());
                self.optional_target(*target, I32);
            }
            InstructionKind::Library { target, function, arguments } => {
                self.operands(arguments, function.argument_types());
                self.optional_target(*target, I32);
            }
            InstructionKind::LeaveProcess
            | InstructionKind::AtomicBegin
            | InstructionKind::AtomicEnd
            | InstructionKind::Yield
            | InstructionKind::Unsupported { .. } => {}
        }
    }

    fn terminator(&mut self, kind: &TerminatorKind) {
        for successor in kind.successors() {
            self.block(successor);
        }
        match kind {
            TerminatorKind::Goto(_) | TerminatorKind::Unreachable => {}
            TerminatorKind::Branch { condition, .. } => self.operand(*condition, Type::BOOL),
            TerminatorKind::Switch { value, ty, cases, .. } => self.switch(*value, *ty, cases),
            TerminatorKind::Return(value) => self.returned(*value),
            TerminatorKind::ThreadExit(value) => self.operand(*value, Type::Pointer),
            TerminatorKind::ProcessExit { status, .. } => self.operand(*status, I32),
        }
    }

    fn returned(&mut self, value: Option<Operand>) {
        match (value, self.function.result) {
            (Some(value), Some(ty)) => self.operand(value, ty),
            (None, None) => {}
            (Some(_), None) => self.flaw("a value is returned by a function without result"),
            (None, Some(ty)) => self.flaw(format!("no value is returned by a function with result {ty}")),
        }
    }

    fn switch(&mut self, value: Operand, ty: Type, cases: &[(u64, BlockId)]) {
        self.operand(value, ty);
        let Type::Int(bits) = ty else { return self.flaw(format!("a switch on {ty}")) };
        let mut seen = FxHashSet::default();
        for &(case, _) in cases {
            self.require(fits(case, bits), || format!("case {case} does not fit {ty}"));
            self.require(seen.insert(case), || format!("case {case} occurs twice"));
        }
    }

    /// Whether one of the ways on from a block begins with such an operation.
    fn begins_with(&self, terminator: &TerminatorKind, is_wanted: &dyn Fn(&SyncOp, &Vec<Operand>) -> bool) -> bool {
        terminator.successors().into_iter().any(|next| {
            let first = self.function.blocks.get(next).and_then(|block| block.instructions.first());
            matches!(first.map(|first| &first.kind), Some(InstructionKind::Sync { op, operands, .. }) if is_wanted(op, operands))
        })
    }

    /// Rule 8, second half. A wait that may be refused has its end on one of two ways.
    fn wait_is_complete(&mut self, block: &Block, index: usize) {
        let InstructionKind::Sync { op: begin, operands, .. } = &block.instructions[index].kind else { return };
        let ends = begin.completed_by();
        if ends.is_empty() {
            return;
        }
        let next = block.instructions[index + 1..].iter().find_map(|instruction| match &instruction.kind {
            InstructionKind::Sync { op, operands, .. } => Some((op, operands)),
            _ => None,
        });
        let is_end = |op: &SyncOp, end: &Vec<Operand>| ends.contains(op) && end == operands;
        let complete = match next {
            Some((op, end)) => is_end(op, end),
            None => self.begins_with(&block.terminator.kind, &is_end),
        };
        self.require(complete, || format!("{} is not followed by its end", begin.name()));
    }

    /// Checks the parts and gives the type of the whole; `None` if a flaw leaves it unknown.
    fn rvalue(&mut self, value: &Rvalue) -> Option<Type> {
        let word = self.verifier.pointer_int();
        match *value {
            Rvalue::Use(operand) => self.type_of(operand),
            Rvalue::Unary { op, ty, operand, .. } => {
                self.operand(operand, ty);
                let good = match op {
                    UnaryOp::Neg | UnaryOp::Not => matches!(ty, Type::Int(_)),
                    UnaryOp::FloatNeg => is_float(ty),
                };
                self.require(good, || format!("{op:?} cannot be done on {ty}"));
                Some(ty)
            }
            Rvalue::Binary { op, ty, left, right, .. } => {
                self.operand(left, ty);
                self.operand(right, ty);
                self.require(takes(op, ty), || format!("{op:?} cannot be done on {ty}"));
                Some(if op.is_comparison() { Type::BOOL } else { ty })
            }
            Rvalue::Cast { op, from, to, operand } => {
                self.operand(operand, from);
                self.require(converts(op, from, to, word), || format!("{op:?} does not convert {from} to {to}"));
                Some(to)
            }
            Rvalue::PointerAdd { pointer, offset } => {
                self.operand(pointer, Type::Pointer);
                self.operand(offset, Rvalue::OFFSET);
                Some(Type::Pointer)
            }
            Rvalue::PointerDifference { left, right } => {
                self.operand(left, Type::Pointer);
                self.operand(right, Type::Pointer);
                Some(word)
            }
            Rvalue::Select { condition, ty, then, otherwise } => {
                self.operand(condition, Type::BOOL);
                self.operand(then, ty);
                self.operand(otherwise, ty);
                Some(ty)
            }
        }
    }

    fn call(&mut self, target: Option<RegisterId>, callee: &Callee, arguments: &[Operand]) {
        let Callee::Direct(id) = callee else {
            callee.operand().into_iter().for_each(|pointer| self.operand(pointer, Type::Pointer));
            for &argument in arguments {
                self.type_of(argument);
            }
            return target.into_iter().for_each(|target| self.target_exists(target));
        };
        let Some(function) = self.verifier.program.functions.get(*id) else {
            return self.flaw(format!("{id} does not exist"));
        };
        let types = function.parameters.iter().map(|&parameter| function.registers.get(parameter).map(|r| r.ty));
        let types: Option<Vec<Type>> = types.collect();
        if let Some(types) = types {
            self.operands(arguments, &types);
        }
        match (target, function.result) {
            (Some(target), Some(ty)) => self.target(target, ty),
            (Some(_), None) => self.flaw(format!("{id} has no result to assign")),
            (None, _) => {}
        }
    }

    fn thread_function(&mut self, callee: &Callee) {
        match callee {
            Callee::Indirect(pointer) => self.operand(*pointer, Type::Pointer),
            Callee::Direct(id) => {
                let Some(function) = self.verifier.program.functions.get(*id) else {
                    return self.flaw(format!("{id} does not exist"));
                };
                let types: Vec<_> =
                    function.parameters.iter().map(|&p| function.registers.get(p).map(|r| r.ty)).collect();
                self.require(types == [Some(Type::Pointer)], || {
                    format!("{id} is not a function of one pointer parameter, as a thread needs")
                });
            }
        }
    }

    fn operands(&mut self, operands: &[Operand], types: &[Type]) {
        self.require(operands.len() == types.len(), || {
            format!("{} operands are given where {} are needed", operands.len(), types.len())
        });
        for (&operand, &ty) in operands.iter().zip(types) {
            self.operand(operand, ty);
        }
    }

    fn operand(&mut self, operand: Operand, expected: Type) {
        if let Some(actual) = self.type_of(operand) {
            self.require(actual == expected, || format!("{operand} has type {actual} where {expected} is needed"));
        }
    }

    /// The type of a sound operand; records what is wrong with any other.
    fn type_of(&mut self, operand: Operand) -> Option<Type> {
        match operand {
            Operand::Register(register) => {
                self.target_exists(register);
                self.function.registers.get(register).map(|register| register.ty)
            }
            Operand::Int { bits, value } => {
                self.require(is_valid(Type::Int(bits)), || format!("there are no integers of {bits} bits"));
                self.require(fits(value, bits), || format!("constant {value:#x} does not fit {bits} bits"));
                Some(Type::Int(bits))
            }
            Operand::Float(_) => Some(Type::Float),
            Operand::Double(_) => Some(Type::Double),
            Operand::Null => Some(Type::Pointer),
            Operand::Global { global, .. } => {
                let exists = self.verifier.program.globals.get(global).is_some();
                self.require(exists, || format!("{global} does not exist"));
                Some(Type::Pointer)
            }
            Operand::Local { local, .. } => {
                self.local(local);
                Some(Type::Pointer)
            }
            Operand::Function(function) => {
                let exists = self.verifier.program.functions.get(function).is_some();
                self.require(exists, || format!("{function} does not exist"));
                Some(Type::Pointer)
            }
        }
    }

    fn optional_target(&mut self, target: Option<RegisterId>, ty: Type) {
        target.into_iter().for_each(|target| self.target(target, ty));
    }

    fn target(&mut self, target: RegisterId, ty: Type) {
        self.target_exists(target);
        if let Some(register) = self.function.registers.get(target) {
            self.require(register.ty == ty, || {
                format!("{target} has type {} and is assigned a value of type {ty}", register.ty)
            });
        }
    }

    fn target_exists(&mut self, register: RegisterId) {
        self.require(register.index() < self.function.registers.len(), || format!("{register} does not exist"));
    }

    fn local(&mut self, local: LocalId) {
        self.require(local.index() < self.function.locals.len(), || format!("{local} does not exist"));
    }

    fn block(&mut self, block: BlockId) {
        self.require(block.index() < self.function.blocks.len(), || format!("{block} does not exist"));
    }

    fn memory_type(&mut self, ty: Type) {
        self.require(lives_in_memory(ty), || format!("{ty} does not live in memory"));
    }

    fn atomic(&mut self, order: MemoryOrder) {
        self.require(order.is_atomic(), || "the order should be atomic".to_owned());
    }

    fn require(&mut self, good: bool, message: impl FnOnce() -> String) {
        self.verifier.require(self.place, good, message);
    }

    fn flaw(&mut self, message: impl Into<String>) {
        self.verifier.flaw(self.place, message);
    }
}

fn fits(value: u64, bits: u8) -> bool {
    bits >= 64 || value >> bits == 0
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::Float | Type::Double)
}

fn takes(op: BinaryOp, ty: Type) -> bool {
    use BinaryOp::*;
    match op {
        Add | Sub | Mul | UDiv | SDiv | URem | SRem | And | Or | Xor | Shl | LShr | AShr => matches!(ty, Type::Int(_)),
        Scale => matches!(ty, Type::Int(8..)),
        Eq | Ne | Ult | Ule | Slt | Sle => matches!(ty, Type::Int(_) | Type::Pointer),
        FloatAdd | FloatSub | FloatMul | FloatDiv | FloatEq | FloatNe | FloatLt | FloatLe => is_float(ty),
    }
}

fn converts(op: CastOp, from: Type, to: Type, word: Type) -> bool {
    let is_int = |ty| matches!(ty, Type::Int(_));
    match (op, from, to) {
        (CastOp::ZeroExtend | CastOp::SignExtend, Type::Int(from), Type::Int(to)) => from < to,
        (CastOp::Truncate, Type::Int(from), Type::Int(to)) => from > to,
        (CastOp::PointerToInt, Type::Pointer, to) => to == word,
        (CastOp::IntToPointer, from, Type::Pointer) => from == word,
        (CastOp::SignedToFloat | CastOp::UnsignedToFloat, from, to) => is_int(from) && is_float(to),
        (CastOp::FloatToSigned | CastOp::FloatToUnsigned, from, to) => is_float(from) && is_int(to),
        (CastOp::FloatToFloat, from, to) => is_float(from) && is_float(to) && from != to,
        _ => false,
    }
}

impl LibraryFunction {
    pub fn argument_types(self) -> &'static [Type] {
        match self {
            LibraryFunction::Printf | LibraryFunction::Vprintf | LibraryFunction::ReadPrinted => {
                &[Type::Pointer, Type::Pointer]
            }
            LibraryFunction::Snprintf => &[Type::Pointer, Type::Int(64), Type::Pointer, Type::Pointer],
            LibraryFunction::Puts => &[Type::Pointer],
            LibraryFunction::Putchar => &[I32],
        }
    }
}
