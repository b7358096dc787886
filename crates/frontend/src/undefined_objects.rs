//! Objects that are declared and defined nowhere: their contents are anything. Pointers in them are null or unknown, truth
//! values are 0 or 1; the entry function chooses these before anything else.

use base::{Diagnostic, Span};
use program::{
    BinaryOp, CastOp, Function, GlobalId, Instruction, InstructionKind, MemoryOrder, NondetKind, Operand, Register,
    RegisterId, Rvalue, Type,
};

use crate::leaves::{Leaf, LeafKind, visible_leaves};
use crate::link::Linker;

/// Names of objects that the C library defines and that need no warning.
const LIBRARY_OBJECTS: [&str; 5] = ["stdin", "stdout", "stderr", "environ", "__environ"];
/// What these point to is known to the library alone.
pub const STANDARD_STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// A warning for each of these objects, which are in use.
pub fn warnings(link: &Linker<'_>, used: &[GlobalId]) -> Vec<Diagnostic> {
    let undefined = used.iter().map(|&id| &link.globals[id]).filter(|slot| !slot.defined && !slot.library);
    undefined
        .filter(|slot| !LIBRARY_OBJECTS.contains(&slot.name.as_str()))
        .map(|slot| {
            let text = format!("`{}` is not defined anywhere: its contents are unknown", slot.name);
            Diagnostic::warning("undefined-object", text).at(slot.span)
        })
        .collect()
}

/// Makes the entry function choose the pointers and truth values in these objects; whether there are any.
pub fn choose_contents(link: &mut Linker<'_>, used: &[GlobalId], entry: &mut Function) -> bool {
    let mut chosen: Vec<(GlobalId, Leaf)> = Vec::new();
    for &id in used {
        let slot = &link.globals[id];
        let is_open = !slot.defined && !slot.library && !STANDARD_STREAMS.contains(&slot.name.as_str());
        if is_open && link.why_global_is_unsupported(id).is_none() {
            chosen
                .extend(visible_leaves(&link.types, slot.ty.ty).unwrap_or_default().into_iter().map(|leaf| (id, leaf)));
        }
    }
    if chosen.is_empty() {
        return false;
    }
    let unknown = Operand::Global { global: link.unknown_object(), offset: 0 };
    let mut start = EntryPrologue { entry, instructions: Vec::new() };
    for (global, leaf) in chosen {
        let truth = start.truth();
        let (value, ty) = match leaf.kind {
            LeafKind::Pointer => {
                let (then, otherwise) = (Operand::Null, unknown);
                let select = Rvalue::Select { condition: truth, ty: Type::Pointer, then, otherwise };
                (start.assign(select, Type::Pointer), Type::Pointer)
            }
            LeafKind::Truth => {
                let ty = Type::Int(8);
                let wide = Rvalue::Cast { op: CastOp::ZeroExtend, from: Type::BOOL, to: ty, operand: truth };
                (start.assign(wide, ty), ty)
            }
        };
        let address = Operand::Global { global, offset: leaf.offset as i64 };
        start.emit(InstructionKind::Store { address, value, ty, order: MemoryOrder::NonAtomic });
    }
    let mut instructions = start.instructions;
    if let Some(first) = entry.blocks.iter_mut().next() {
        instructions.append(&mut first.instructions);
        first.instructions = instructions;
    }
    true
}

/// What comes before everything else in the entry function.
struct EntryPrologue<'a> {
    entry: &'a mut Function,
    instructions: Vec<Instruction>,
}

impl EntryPrologue<'_> {
    fn emit(&mut self, kind: InstructionKind) {
        self.instructions.push(Instruction { kind, span: Span::UNKNOWN });
    }

    fn register(&mut self, ty: Type) -> RegisterId {
        self.entry.registers.push(Register { ty, name: None })
    }

    fn assign(&mut self, value: Rvalue, ty: Type) -> Operand {
        let target = self.register(ty);
        self.emit(InstructionKind::Assign { target, value });
        Operand::Register(target)
    }

    /// An input that is true or false.
    fn truth(&mut self) -> Operand {
        let ty = Type::Int(8);
        let target = self.register(ty);
        self.emit(InstructionKind::Nondet { target, ty, kind: NondetKind::Input });
        let (left, right) = (Operand::Register(target), Operand::int(8, 0));
        self.assign(Rvalue::Binary { op: BinaryOp::Ne, ty, left, right, signed: false }, Type::BOOL)
    }
}
