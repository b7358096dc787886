//! Copies a program and leaves out or replaces single instructions.

use program::effects::effects;
use program::{Function, Instruction, InstructionKind, Location, Program, Visibility};

use crate::way_back::WayBack;

/// What becomes of an instruction.
#[derive(Clone, PartialEq, Debug)]
pub enum Fate {
    Keep,
    Drop,
    Replace(InstructionKind),
}

/// The program in which each instruction has the fate that `decide` says, and the way back from it.
pub fn rewrite(
    program: &Program,
    visibility: &Visibility,
    mut decide: impl FnMut(Location, &Instruction) -> Fate,
) -> (Program, WayBack) {
    let mut new = program.clone();
    let mut back = WayBack::identity(program);
    for (id, function) in program.functions.iter_enumerated() {
        for (block_id, block) in function.blocks.iter_enumerated() {
            let mut kept = Vec::new();
            let mut origins = Vec::new();
            for (index, instruction) in block.instructions.iter().enumerate() {
                let index = index as u32;
                let location = Location { function: id, block: block_id, index };
                let fate = decide(location, instruction);
                if fate != Fate::Keep && is_in_schedules(program, visibility, location, instruction) {
                    back.lose_schedules();
                }
                let instruction = match fate {
                    Fate::Keep => instruction.clone(),
                    Fate::Drop => continue,
                    Fate::Replace(kind) => Instruction { kind, ..instruction.clone() },
                };
                kept.push(instruction);
                origins.push(index);
            }
            origins.push(block.instructions.len() as u32);
            back.set_origins(id, block_id, origins);
            new.functions[id].blocks[block_id].instructions = kept;
        }
    }
    program::verify::assert_valid(&new);
    (new, back)
}

/// Whether a schedule tells of the instruction: as a step, by a choice that it takes, or by the object that it makes.
fn is_in_schedules(program: &Program, visibility: &Visibility, location: Location, instruction: &Instruction) -> bool {
    let is_plain = matches!(
        instruction.kind,
        InstructionKind::Assign { .. } | InstructionKind::Assert { .. } | InstructionKind::Assume { .. }
    );
    visibility.is_visible(location) || !(is_plain || is_plain_access(program, instruction))
}

fn is_plain_access(program: &Program, instruction: &Instruction) -> bool {
    let is_access = matches!(instruction.kind, InstructionKind::Load { .. } | InstructionKind::Store { .. });
    is_access && effects(program, &instruction.kind).atomic_access().is_none()
}

/// The number of places of a block: its instructions and its terminator.
pub(crate) fn places(function: &Function, block: program::BlockId) -> u32 {
    function.blocks[block].instructions.len() as u32 + 1
}
