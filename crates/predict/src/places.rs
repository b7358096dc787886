//! Where the instructions of a run accessed memory. Not needed to put the instructions back together, but to look at
//! reorderings in which every access is where it was (`fixed_addresses`).

use execute::{Machine, Value};
use program::effects::{MemoryAccess, StepClass, effects};
use program::instruction::InstructionKind;
use program::{ObjectName, Operand, Program, RegisterId, ThreadId, Type};
use smallvec::SmallVec;

/// A place in memory: an object of the run, and a distance from its beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlaceName {
    pub object: ObjectName,
    pub offset: u64,
}

/// A pointer that an instruction got from memory or from another thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenPointer {
    Null,
    To(PlaceName),
}

/// What one instruction has to do with memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstructionPlaces {
    /// Index of the instruction among those that its thread executed.
    pub index: u64,
    /// Of each address operand, in the order of [`address_operands`], if it is an address.
    pub places: Vec<Option<PlaceName>>,
    /// The object that the instruction made, and its size.
    pub made: Option<(ObjectName, u64)>,
    pub given: Option<GivenPointer>,
}

/// The register that gets a pointer from memory or from another thread.
pub fn pointer_register(kind: &InstructionKind) -> Option<RegisterId> {
    match kind {
        InstructionKind::Load { target, ty: Type::Pointer, .. } => Some(*target),
        InstructionKind::Join { target, .. } => *target,
        _ => None,
    }
}

/// The operands through which an instruction accesses memory that is still there afterwards, and what `realloc` moves.
/// Printing is not among them: what it reads is looked at in `printed_text`.
pub fn address_operands(program: &Program, kind: &InstructionKind) -> SmallVec<[Operand; 2]> {
    let effects = effects(program, kind);
    if effects.class == StepClass::Prints {
        return SmallVec::new();
    }
    let is_moved = matches!(kind, InstructionKind::Reallocate { .. });
    let accesses = effects.accesses.iter().filter(|access| is_moved || !access.kind.ends_life());
    accesses.map(MemoryAccess::base).collect()
}

/// The places of the address operands of an instruction that is about to be executed; `None` if there are none that the
/// program does not name itself.
pub fn places_before(
    machine: &Machine<'_>,
    thread: ThreadId,
    kind: &InstructionKind,
) -> Option<Vec<Option<PlaceName>>> {
    let operands = address_operands(machine.code().program, kind);
    operands.iter().any(|operand| matches!(operand, Operand::Register(_))).then(|| {
        let place = |operand: &Operand| match operand {
            Operand::Register(register) => {
                place_of(machine, machine.state.threads[thread.0 as usize].register(register.0))
            }
            _ => None,
        };
        operands.iter().map(place).collect()
    })
}

/// The object that an instruction has just made.
pub fn made_by(machine: &Machine<'_>, thread: ThreadId, kind: &InstructionKind) -> Option<(ObjectName, u64)> {
    let state = &machine.state.threads[thread.0 as usize];
    let pointer = match kind {
        InstructionKind::Allocate { target, .. } | InstructionKind::Reallocate { target, .. } => {
            state.register(target.0)
        }
        InstructionKind::Begin { local } => state.local(local.0),
        _ => return None,
    };
    let object = machine.state.memory.known_object(pointer.provenance()?)?;
    Some((object.name, object.size))
}

/// The pointer that an instruction has just got.
pub fn given_to(machine: &Machine<'_>, thread: ThreadId, kind: &InstructionKind) -> Option<GivenPointer> {
    let pointer = machine.state.threads[thread.0 as usize].register(pointer_register(kind)?.0);
    match (pointer.provenance(), pointer.bits) {
        (None, 0) => Some(GivenPointer::Null),
        _ => place_of(machine, pointer).map(GivenPointer::To),
    }
}

/// Functions are no places.
fn place_of(machine: &Machine<'_>, pointer: Value) -> Option<PlaceName> {
    let provenance = pointer.provenance()?;
    if (provenance.slot as usize) < machine.code().program.functions.len() {
        return None;
    }
    let object = machine.state.memory.known_object(provenance)?;
    Some(PlaceName { object: object.name, offset: pointer.bits.wrapping_sub(object.base) })
}
