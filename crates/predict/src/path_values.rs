//! The numbers that a thread computed in the run, put back together from what is recorded of its reads and inputs: what
//! concrete results (§10 of the paper) are made of.
//!
//! Guarantee: a value that is given is the one that the instruction got in the run; what depends on addresses, or on anything
//! that is not recorded, has none.

use execute::evaluate_bits;
use program::instruction::{InstructionKind, Rvalue, TerminatorKind};
use program::{At, BinaryOp, CastOp, Operand, Program, RegisterId, Type, UnaryOp};
use rustc_hash::FxHashMap;

use crate::path::PathStep;
use crate::recording::{Decision, value_register};

/// An operation of the run that has no symbolic meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Computation {
    /// Its operands that are registers, with their types and values.
    pub operands: Vec<(RegisterId, Type, u64)>,
    pub result: u64,
}

/// The computations of a thread, by the index of the instruction.
pub type Computations = FxHashMap<usize, Computation>;

/// All floating-point arithmetic of a thread whose operands are known.
pub fn computations(program: &Program, path: &[PathStep]) -> Computations {
    let mut found = Computations::default();
    let is_floating = |step: &&PathStep| matches!(program.at(step.location), At::Instruction(i) if is_float(&i.kind));
    if path.iter().find(is_floating).is_none() {
        return found;
    }
    let Some(first) = path.first() else { return found };
    let mut walk = Walk { program, frames: vec![Frame::new(program, first)] };
    for (index, step) in path.iter().enumerate() {
        match program.at(step.location) {
            At::Instruction(instruction) => {
                if is_float(&instruction.kind) {
                    found.extend(walk.computation(&instruction.kind).map(|computation| (index, computation)));
                }
                walk.execute(&instruction.kind, step, path.get(index + 1));
            }
            At::Terminator(terminator) => walk.leave(&terminator.kind),
        }
        if walk.frames.is_empty() {
            break;
        }
    }
    found
}

/// Whether an instruction computes with floating-point numbers.
pub fn is_float(kind: &InstructionKind) -> bool {
    let InstructionKind::Assign { value, .. } = kind else { return false };
    match value {
        Rvalue::Unary { op, .. } => *op == UnaryOp::FloatNeg,
        Rvalue::Binary { op, .. } => is_float_operator(*op),
        Rvalue::Cast { op, .. } => matches!(
            op,
            CastOp::SignedToFloat
                | CastOp::UnsignedToFloat
                | CastOp::FloatToSigned
                | CastOp::FloatToUnsigned
                | CastOp::FloatToFloat
        ),
        Rvalue::Use(_) | Rvalue::PointerAdd { .. } | Rvalue::PointerDifference { .. } | Rvalue::Select { .. } => false,
    }
}

fn is_float_operator(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, FloatAdd | FloatSub | FloatMul | FloatDiv | FloatEq | FloatNe | FloatLt | FloatLe)
}

/// What is known in one activation.
struct Frame {
    registers: Vec<Option<u64>>,
    types: Vec<Type>,
    /// Where the caller wants the result.
    target: Option<RegisterId>,
}

impl Frame {
    /// Of the function that begins with this step.
    fn new(program: &Program, first: &PathStep) -> Self {
        let registers = &program.functions[first.location.function].registers;
        let types: Vec<Type> = registers.iter().map(|register| register.ty).collect();
        Self { registers: vec![None; types.len()], types, target: None }
    }

    fn value(&self, operand: Operand) -> Option<u64> {
        match operand {
            Operand::Register(register) => *self.registers.get(register.0 as usize)?,
            Operand::Int { value, .. } => Some(value),
            Operand::Float(bits) => Some(u64::from(bits)),
            Operand::Double(bits) => Some(bits),
            Operand::Null | Operand::Global { .. } | Operand::Local { .. } | Operand::Function(_) => None,
        }
    }

    fn set(&mut self, register: RegisterId, value: Option<u64>) {
        if let Some(place) = self.registers.get_mut(register.0 as usize) {
            *place = value;
        }
    }
}

struct Walk<'a> {
    program: &'a Program,
    frames: Vec<Frame>,
}

impl Walk<'_> {
    fn computation(&self, kind: &InstructionKind) -> Option<Computation> {
        let (InstructionKind::Assign { value, .. }, Some(frame)) = (kind, self.frames.last()) else { return None };
        let result = evaluate_bits(value, self.program.data_model, |operand| frame.value(operand))?;
        let known = |operand: Operand| match operand {
            Operand::Register(register) => {
                Some((register, *frame.types.get(register.0 as usize)?, frame.value(operand)?))
            }
            _ => None,
        };
        Some(Computation { operands: value.operands().into_iter().filter_map(known).collect(), result })
    }

    fn execute(&mut self, kind: &InstructionKind, step: &PathStep, next: Option<&PathStep>) {
        let model = self.program.data_model;
        let Some(frame) = self.frames.last_mut() else { return };
        match (kind, step.decision) {
            (InstructionKind::Assign { target, value }, _) => {
                let result = evaluate_bits(value, model, |operand| frame.value(operand));
                frame.set(*target, result);
            }
            (InstructionKind::Call { target, arguments, .. }, _) => {
                let Some(next) = next else { return };
                let values: Vec<Option<u64>> = arguments.iter().map(|&argument| frame.value(argument)).collect();
                let mut callee = Frame { target: *target, ..Frame::new(self.program, next) };
                let parameters = &self.program.functions[next.location.function].parameters;
                parameters.iter().zip(values).for_each(|(&parameter, value)| callee.set(parameter, value));
                self.frames.push(callee);
            }
            (kind, decision) => {
                kind.targets().into_iter().for_each(|target| frame.set(target, None));
                if let (Some(Decision::Value(bits)), Some(target)) = (decision, value_register(kind)) {
                    frame.set(target, Some(bits));
                }
            }
        }
    }

    fn leave(&mut self, kind: &TerminatorKind) {
        let TerminatorKind::Return(value) = kind else { return };
        let Some(frame) = self.frames.pop() else { return };
        let value = value.and_then(|value| frame.value(value));
        if let (Some(caller), Some(target)) = (self.frames.last_mut(), frame.target) {
            caller.set(target, value);
        }
    }
}
