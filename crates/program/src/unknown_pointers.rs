//! Pointers of which nothing is known: those in memory that the program does not define, and results of functions that
//! stand for the environment. Each is null or the address of one global of this name. They may be copied and compared with
//! null; whatever else is done with one is an [`InstructionKind::Unsupported`], since it may point anywhere.

use base::{Id, Span};

use crate::instruction::{
    BinaryOp, Block, Callee, CastOp, Instruction, InstructionKind, Operand, Rvalue, Terminator, TerminatorKind,
};
use crate::points_to::{MemoryObject, ObjectId, PointsTo};
use crate::program_::{At, Function, FunctionId, GlobalId, Location, Program, Register, RegisterId};
use crate::types::Type;

/// The name of the global that stands for what an unknown pointer points to; no C identifier.
pub const UNKNOWN_OBJECT: &str = "(target of an unknown pointer)";

const USED: &str = "use of an unknown pointer";
const COMPARED: &str = "comparison with an unknown pointer";

/// A pointer that must not be unknown where it is used.
struct GuardedUse {
    location: Location,
    /// `None`: the use is unsupported whatever the pointer is.
    pointer: Option<Operand>,
    what: &'static str,
}

/// Puts a test before every use of a pointer that may be unknown.
pub fn guard_unknown_pointers(program: &mut Program) {
    let Some(unknown) = program.globals.ids().find(|&id| program.globals[id].name == UNKNOWN_OBJECT) else { return };
    let mut guards = UnknownPointerFinder::new(program, unknown).guards();
    // From the back, so that the places in front stay where they are.
    guards.sort_by_key(|guard| std::cmp::Reverse(guard.location));
    for guard in guards {
        insert(program, unknown, &guard);
    }
}

fn insert(program: &mut Program, unknown: GlobalId, guard: &GuardedUse) {
    let GuardedUse { location, pointer, what } = *guard;
    let span = program.span(location);
    let function = &mut program.functions[location.function];
    let unsupported = Instruction { kind: InstructionKind::Unsupported { what: what.to_owned() }, span };
    match pointer {
        None => function.blocks[location.block].instructions.insert(location.index as usize, unsupported),
        Some(pointer) => branch_away(function, location, pointer, unknown, unsupported, span),
    }
}

/// Splits the block: where the pointer is the address of the unknown object, control goes to the unsupported instruction.
fn branch_away(
    function: &mut Function,
    location: Location,
    pointer: Operand,
    unknown: GlobalId,
    unsupported: Instruction,
    span: Span,
) {
    let end = Terminator { kind: TerminatorKind::Unreachable, span };
    let block = &mut function.blocks[location.block];
    let rest = block.instructions.split_off(location.index as usize);
    let terminator = std::mem::replace(&mut block.terminator, end.clone());
    let rest = function.blocks.push(Block { instructions: rest, terminator });
    let stop = function.blocks.push(Block { instructions: vec![unsupported], terminator: end });
    let target = function.registers.push(Register { ty: Type::BOOL, name: None });
    let right = Operand::Global { global: unknown, offset: 0 };
    let value = Rvalue::Binary { op: BinaryOp::Eq, ty: Type::Pointer, left: pointer, right, signed: false };
    let block = &mut function.blocks[location.block];
    block.instructions.push(Instruction { kind: InstructionKind::Assign { target, value }, span });
    let kind = TerminatorKind::Branch { condition: Operand::Register(target), then: stop, otherwise: rest };
    block.terminator = Terminator { kind, span };
}

struct UnknownPointerFinder<'a> {
    program: &'a Program,
    points_to: PointsTo,
    unknown: Option<ObjectId>,
    /// For each function, which registers only ever get the result of an addition to a pointer, which was tested.
    tested: Vec<Vec<bool>>,
}

impl<'a> UnknownPointerFinder<'a> {
    fn new(program: &'a Program, unknown: GlobalId) -> Self {
        let points_to = PointsTo::new(program);
        let unknown = points_to.id(MemoryObject::Global(unknown));
        let tested = program.functions.iter().map(tested_registers).collect();
        Self { program, points_to, unknown, tested }
    }

    fn guards(&self) -> Vec<GuardedUse> {
        let mut guards = Vec::new();
        for (id, function) in self.program.functions.iter_enumerated().filter(|(id, _)| self.points_to.is_reached(*id))
        {
            for location in function.locations(id) {
                if let At::Instruction(instruction) = self.program.at(location) {
                    self.instruction(location, &instruction.kind, &mut guards);
                }
            }
        }
        guards
    }

    fn may_be_unknown(&self, function: FunctionId, operand: Operand) -> bool {
        let Operand::Register(register) = operand else { return false };
        let is_tested = self.tested[function.index()][register.index()];
        !is_tested && self.unknown.is_some_and(|unknown| self.points_to.operand(function, operand).contains(unknown))
    }

    fn instruction(&self, location: Location, kind: &InstructionKind, guards: &mut Vec<GuardedUse>) {
        let function = location.function;
        let mut guard = |operands: &[Operand], what: &'static str| {
            for &pointer in operands.iter().filter(|&&operand| self.may_be_unknown(function, operand)) {
                guards.push(GuardedUse { location, pointer: Some(pointer), what });
            }
        };
        match kind {
            InstructionKind::Assign { value, .. } => match *value {
                Rvalue::PointerAdd { pointer, .. } => guard(&[pointer], USED),
                Rvalue::PointerDifference { left, right } => guard(&[left, right], COMPARED),
                Rvalue::Cast { op: CastOp::PointerToInt, operand, .. } => guard(&[operand], USED),
                Rvalue::Binary { op, ty: Type::Pointer, left, right, .. } if op.is_comparison() => {
                    let is_simple = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
                    if !(is_simple && (left == Operand::Null || right == Operand::Null)) {
                        guard(&[left, right], COMPARED);
                    }
                }
                _ => {}
            },
            InstructionKind::CompareExchange { address, expected, ty: Type::Pointer, .. } => {
                guard(&[*address], USED);
                let found = self.points_to.operand(function, *address);
                let is_held = |unknown| found.iter().any(|object| self.points_to.contents(object).contains(unknown));
                let is_compared = *expected != Operand::Null && self.unknown.is_some_and(is_held);
                if is_compared || self.may_be_unknown(function, *expected) {
                    guards.push(GuardedUse { location, pointer: None, what: COMPARED });
                }
            }
            InstructionKind::Load { address, .. }
            | InstructionKind::Store { address, .. }
            | InstructionKind::ReadModifyWrite { address, .. }
            | InstructionKind::CompareExchange { address, .. }
            | InstructionKind::Free { address, .. }
            | InstructionKind::Reallocate { address, .. } => guard(&[*address], USED),
            InstructionKind::CopyMemory { target, source, .. } => guard(&[*target, *source], USED),
            InstructionKind::SetMemory { target, .. } => guard(&[*target], USED),
            InstructionKind::Call { callee: Callee::Indirect(callee), .. } => guard(&[*callee], USED),
            InstructionKind::Spawn { function: callee, store, .. } => {
                guard(store.as_slice(), USED);
                if let Callee::Indirect(callee) = callee {
                    guard(&[*callee], USED);
                }
            }
            InstructionKind::Sync { operands, .. } => guard(operands, USED),
            InstructionKind::Library { arguments, .. } => guard(arguments, USED),
            _ => {}
        }
    }
}

/// Which registers are written by additions to pointers alone: what is added to was no unknown pointer.
fn tested_registers(function: &Function) -> Vec<bool> {
    let mut written = vec![false; function.registers.len()];
    let mut tested = vec![true; function.registers.len()];
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        let is_addition = matches!(
            instruction.kind,
            InstructionKind::Assign { value: Rvalue::PointerAdd { .. }, .. } | InstructionKind::Allocate { .. }
        );
        for target in instruction.kind.targets() {
            written[target.index()] = true;
            tested[target.index()] &= is_addition;
        }
    }
    let mut forget = |register: RegisterId| tested[register.index()] = false;
    function.parameters.iter().copied().for_each(&mut forget);
    tested.iter().zip(written).map(|(&tested, written)| tested && written).collect()
}
