//! What a thread computed in the run, put back together from what is recorded of its reads and inputs, and the texts that
//! `snprintf` made of it: results of library functions that are used as concrete values (§10 of the paper).
//!
//! Guarantee: a text is what the function makes of the arguments that are named with it. That these are the arguments is
//! for the trace program to check.

use execute::{Given, Wanted, evaluate_bits, format_text};
use program::instruction::{InstructionKind, LibraryFunction, TerminatorKind};
use program::printed::{SLOT_BYTES, literal};
use program::{At, LocalId, Operand, Program, RegisterId, Type};
use rustc_hash::FxHashMap;

use crate::path::PathStep;
use crate::recording::{Decision, value_register};

/// One call of `snprintf`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintedText {
    /// Where its arguments lie, and what they are there: numbers, or addresses of literals.
    pub arguments: Vec<(Operand, Type, Operand)>,
    /// The size of the buffer.
    pub size: u64,
    /// What an endless buffer would take.
    pub text: Vec<u8>,
}

/// The texts of a thread, by the index of the instruction.
pub type PrintedTexts = FxHashMap<usize, PrintedText>;

/// All texts whose arguments are numbers that are known, or literals.
pub fn printed_texts(program: &Program, path: &[PathStep]) -> PrintedTexts {
    let mut found = PrintedTexts::default();
    let is_printing = |step: &PathStep| matches!(program.at(step.location), At::Instruction(i) if prints(&i.kind));
    let Some(first) = path.first().filter(|_| path.iter().any(is_printing)) else { return found };
    let mut walk = PrintedTextWalk { program, frames: vec![ActivationFacts::new(program, first)] };
    for (index, step) in path.iter().enumerate() {
        match program.at(step.location) {
            At::Instruction(instruction) => {
                found.extend(walk.printed(&instruction.kind).map(|text| (index, text)));
                walk.execute(&instruction.kind, step, path.get(index + 1));
            }
            At::Terminator(terminator) => walk.leave(&terminator.kind),
        }
    }
    found
}

fn prints(kind: &InstructionKind) -> bool {
    matches!(kind, InstructionKind::Library { function: LibraryFunction::Snprintf, .. })
}

/// What is known in one activation.
struct ActivationFacts {
    registers: Vec<Option<u64>>,
    /// What was stored into memory objects of the activation last, by their names: variadic arguments, for example.
    stored: FxHashMap<(LocalId, i64), (Operand, Type)>,
    /// Where the caller wants the result.
    target: Option<RegisterId>,
}

impl ActivationFacts {
    /// Of the function that begins with this step.
    fn new(program: &Program, first: &PathStep) -> Self {
        let registers = vec![None; program.functions[first.location.function].registers.len()];
        Self { registers, stored: FxHashMap::default(), target: None }
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

    fn store(&mut self, local: LocalId, offset: i64, value: Operand, ty: Type) {
        let known = match (value, ty) {
            (Operand::Global { .. }, Type::Pointer) => Some(value),
            (_, Type::Pointer) => None,
            _ => self.value(value).map(|bits| crate::activation_copy::constant(ty, bits)),
        };
        match known {
            Some(constant) => self.stored.insert((local, offset), (constant, ty)),
            None => self.stored.remove(&(local, offset)),
        };
    }
}

struct PrintedTextWalk<'a> {
    program: &'a Program,
    frames: Vec<ActivationFacts>,
}

impl PrintedTextWalk<'_> {
    fn printed(&self, kind: &InstructionKind) -> Option<PrintedText> {
        let InstructionKind::Library { function: LibraryFunction::Snprintf, arguments, .. } = kind else { return None };
        let &[_, size, format, Operand::Local { local, offset }] = &arguments[..] else { return None };
        let (frame, model) = (self.frames.last()?, self.program.data_model);
        let size = frame.value(size)?;
        let (mut used, mut next) = (Vec::new(), offset);
        let argument = |wanted| {
            let (value, ty) = *frame.stored.get(&(local, next)).ok_or(())?;
            used.push((Operand::Local { local, offset: next }, ty, value));
            next += SLOT_BYTES as i64;
            match wanted {
                Wanted::Number { bytes } if ty.bytes(model) >= bytes => {
                    Ok(Given::Number(frame.value(value).ok_or(())? & execute::mask(bytes as u8 * 8)))
                }
                Wanted::Number { .. } => Err(()),
                Wanted::Text { limit } => {
                    let text = literal(self.program, value).ok_or(())?;
                    Ok(Given::Text(text[..limit.unwrap_or(text.len()).min(text.len())].to_vec()))
                }
            }
        };
        let text = format_text(literal(self.program, format)?, model.pointer_bits(), argument).ok()?;
        Some(PrintedText { arguments: used, size, text })
    }

    fn execute(&mut self, kind: &InstructionKind, step: &PathStep, next: Option<&PathStep>) {
        let model = self.program.data_model;
        let Some(frame) = self.frames.last_mut() else { return };
        match (kind, step.decision) {
            (InstructionKind::Assign { target, value }, _) => {
                let result = evaluate_bits(value, model, |operand| frame.value(operand));
                frame.set(*target, result);
            }
            (InstructionKind::Store { address: Operand::Local { local, offset }, value, ty, .. }, _) => {
                frame.store(*local, *offset, *value, *ty);
            }
            (InstructionKind::Call { target, arguments, .. }, _) => {
                let Some(next) = next else { return };
                let values: Vec<Option<u64>> = arguments.iter().map(|&argument| frame.value(argument)).collect();
                let mut callee = ActivationFacts { target: *target, ..ActivationFacts::new(self.program, next) };
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
