//! Whether a program can see that a new object lies where a dead one has been: it compares pointers to memory on the heap, some
//! of which is freed. In all other programs the choice of addresses is of no importance.

use crate::effects::{AccessKind, effects};
use crate::instruction::{AllocationKind, BinaryOp, InstructionKind, Rvalue};
use crate::points_to::{MemoryObject, ObjectSet, PointsTo};
use crate::program_::{At, FunctionId, Program};
use crate::sharing::add_accessed;
use crate::types::Type;

/// Whether some comparison for equality may have a pointer to freed memory on one side and one to other memory of the heap on
/// the other.
pub fn is_observed(program: &Program, points_to: &PointsTo) -> bool {
    let freed = freed_memory(program, points_to);
    if freed.is_empty() {
        return false;
    }
    let heap: ObjectSet = points_to.objects().filter(|&id| is_heap(program, points_to.object(id))).collect();
    let compares = |left: &ObjectSet, right: &ObjectSet| {
        (meets(left, &freed) && meets(right, &heap)) || (meets(left, &heap) && meets(right, &freed))
    };
    let mut instructions = reached(program, points_to);
    instructions.any(|(function, kind)| match kind {
        InstructionKind::Assign {
            value: Rvalue::Binary { op: BinaryOp::Eq | BinaryOp::Ne, ty, left, right, .. },
            ..
        } => carries(program, *ty) && compares(points_to.operand(function, *left), points_to.operand(function, *right)),
        InstructionKind::CompareExchange { address, expected, ty, .. } => {
            let mut found = ObjectSet::default();
            for object in points_to.operand(function, *address).iter() {
                found.extend(points_to.contents(object));
            }
            carries(program, *ty) && compares(&found, points_to.operand(function, *expected))
        }
        _ => false,
    })
}

fn carries(program: &Program, ty: Type) -> bool {
    ty.bytes(program.data_model) == program.data_model.pointer_bytes()
}

fn meets(a: &ObjectSet, b: &ObjectSet) -> bool {
    a.iter().any(|object| b.contains(object))
}

fn freed_memory(program: &Program, points_to: &PointsTo) -> ObjectSet {
    let mut freed = ObjectSet::default();
    for (function, kind) in reached(program, points_to) {
        for access in effects(program, kind).accesses.iter().filter(|access| access.kind == AccessKind::Free) {
            add_accessed(&mut freed, points_to, function, access);
        }
    }
    freed.iter().filter(|&id| is_heap(program, points_to.object(id))).collect()
}

fn is_heap(program: &Program, object: MemoryObject) -> bool {
    let MemoryObject::Allocation(location) = object else { return false };
    match program.at(location) {
        At::Instruction(instruction) => {
            !matches!(instruction.kind, InstructionKind::Allocate { kind: AllocationKind::Stack, .. })
        }
        At::Terminator(_) => false,
    }
}

fn reached<'a>(
    program: &'a Program,
    points_to: &'a PointsTo,
) -> impl Iterator<Item = (FunctionId, &'a InstructionKind)> + 'a {
    let functions = program.functions.iter_enumerated().filter(|(id, _)| points_to.is_reached(*id));
    functions.flat_map(|(id, body)| {
        body.blocks.iter().flat_map(|block| &block.instructions).map(move |instruction| (id, &instruction.kind))
    })
}
