//! Declared things that mean more than we know (an attribute, a weak symbol that nothing defines, an array of unknown
//! size): every instruction that names one has an `Unsupported` before it. What their address is stored in counts too.

use base::Span;
use base::ids::{Id, IdVec};
use program::{Callee, Function, FunctionId, Instruction, InstructionKind, Operand};

use crate::link::Linker;

/// Why each global and each function is unsupported, if it is.
struct UnsupportedReasons {
    globals: Vec<Option<String>>,
    functions: Vec<Option<String>>,
}

/// Puts the marks into all functions.
pub fn mark_unsupported_uses(functions: &mut IdVec<FunctionId, Function>, link: &Linker<'_>) {
    let mut reasons = UnsupportedReasons {
        globals: link.globals.ids().map(|id| link.why_global_is_unsupported(id)).collect(),
        functions: link.functions.ids().map(|id| link.why_function_is_unsupported(id)).collect(),
    };
    reasons.functions.resize(functions.len(), None);
    if reasons.globals.iter().chain(&reasons.functions).all(Option::is_none) {
        return;
    }
    while reasons.spread(link) {}
    for function in functions.iter_mut() {
        for block in function.blocks.iter_mut() {
            let mut marked = Vec::with_capacity(block.instructions.len());
            for instruction in std::mem::take(&mut block.instructions) {
                marked.extend(reasons.of_instruction(&instruction.kind).map(|what| mark(what, instruction.span)));
                marked.push(instruction);
            }
            let last = block.terminator.kind.operand().and_then(|operand| reasons.of_operand(operand));
            marked.extend(last.map(|what| mark(what, block.terminator.span)));
            block.instructions = marked;
        }
    }
}

fn mark(what: &str, span: Span) -> Instruction {
    Instruction { kind: InstructionKind::Unsupported { what: what.to_owned() }, span }
}

impl UnsupportedReasons {
    fn of_operand(&self, operand: Operand) -> Option<&str> {
        match operand {
            Operand::Global { global, .. } => self.globals[global.index()].as_deref(),
            Operand::Function(function) => self.functions[function.index()].as_deref(),
            _ => None,
        }
    }

    fn of_instruction(&self, kind: &InstructionKind) -> Option<&str> {
        let callee = match kind {
            InstructionKind::Call { callee: Callee::Direct(callee), .. }
            | InstructionKind::Spawn { function: Callee::Direct(callee), .. } => Some(Operand::Function(*callee)),
            _ => None,
        };
        callee.into_iter().chain(kind.operands()).find_map(|operand| self.of_operand(operand))
    }

    /// A table that holds such an address is unsupported, too; whether there was one.
    fn spread(&mut self, link: &Linker<'_>) -> bool {
        let mut changed = false;
        for id in link.globals.ids() {
            if self.globals[id.index()].is_some() {
                continue;
            }
            let initial = link.globals[id].initial.iter();
            let mut values = initial.flat_map(|initial| &initial.relocations).map(|relocation| relocation.value);
            let why = values.find_map(|value| self.of_operand(value).map(str::to_owned));
            changed |= why.is_some();
            self.globals[id.index()] = why;
        }
        changed
    }
}
