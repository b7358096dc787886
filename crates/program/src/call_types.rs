//! Whether a call through a pointer fits the function that it arrives at. A call of a function by another type than it has
//! is undefined (C11 6.5.2.2p9): every stage stops there with the same words.

use crate::instruction::{InstructionKind, Operand};
use crate::object_names::VARIADIC_ARGUMENTS;
use crate::program_::{Function, FunctionId, Program};
use crate::types::Type;

impl Operand {
    /// The type of an operand in the code of `function`.
    pub fn ty(self, function: &Function) -> Type {
        match self {
            Operand::Register(register) => function.registers[register].ty,
            Operand::Int { bits, .. } => Type::Int(bits),
            Operand::Float(_) => Type::Float,
            Operand::Double(_) => Type::Double,
            Operand::Null | Operand::Global { .. } | Operand::Local { .. } | Operand::Function(_) => Type::Pointer,
        }
    }
}

impl Program {
    /// Why a call or a creation of a thread in the code of `caller` cannot run `callee`; `None` if it can.
    pub fn mismatch(&self, caller: FunctionId, kind: &InstructionKind, callee: FunctionId) -> Option<String> {
        let (caller, callee) = (&self.functions[caller], &self.functions[callee]);
        let fits = match kind {
            InstructionKind::Call { target, arguments, .. } => {
                let gives = target.is_none_or(|target| callee.result == Some(caller.registers[target].ty));
                gives && takes(callee, caller, arguments) && takes_variadic(callee, caller, arguments)
            }
            InstructionKind::Spawn { argument, .. } => {
                let gives = callee.result == Some(Type::Pointer);
                gives && takes(callee, caller, std::slice::from_ref(argument)) && !callee.variadic
            }
            _ => true,
        };
        (!fits).then(|| format!("call of `{}` through an incompatible function type", callee.name))
    }
}

fn takes(callee: &Function, caller: &Function, arguments: &[Operand]) -> bool {
    let parameters = callee.parameters.iter().map(|&parameter| callee.registers[parameter].ty);
    parameters.eq(arguments.iter().map(|argument| argument.ty(caller)))
}

/// Whether extra arguments are given where they are taken.
fn takes_variadic(callee: &Function, caller: &Function, arguments: &[Operand]) -> bool {
    match arguments.last() {
        Some(Operand::Local { local, .. }) => (caller.locals[*local].name == VARIADIC_ARGUMENTS) == callee.variadic,
        Some(Operand::Null) | None => true,
        Some(_) => !callee.variadic,
    }
}
