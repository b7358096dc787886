//! A copy of a program for analyses without calling contexts: each call of a function that allocates memory and returns an
//! address calls a function of its own, so that what is made for different callers are different objects. The copy means the same
//! as the program; what is found in one of its functions is found in the function that was copied.

use base::IdVec;

use crate::instruction::{AllocationKind, Callee, InstructionKind};
use crate::points_to::PointsTo;
use crate::program_::{FunctionId, Location, Program};
use crate::types::Type;

/// Larger functions are not copied.
const MOST_INSTRUCTIONS: usize = 80;

/// Of functions that call each other to allocate, so many are copied one inside of the other.
const MOST_LEVELS: u32 = 4;

const MOST_COPIES: usize = 256;

pub(crate) struct OwnAllocators {
    pub program: Program,
    /// What each function is a copy of, or itself.
    originals: IdVec<FunctionId, FunctionId>,
}

impl OwnAllocators {
    /// `None` if there is nothing to copy.
    pub fn new(program: &Program, points_to: &PointsTo) -> Option<Self> {
        let allocators = allocators(program, points_to);
        let mut own = Self { program: program.clone(), originals: program.functions.ids().collect() };
        let mut levels: IdVec<FunctionId, u32> = program.functions.iter().map(|_| 0).collect();
        let mut next = 0;
        while next < own.program.functions.len() {
            let function = FunctionId(next as u32);
            next += 1;
            let level = levels[function];
            if level >= MOST_LEVELS {
                continue;
            }
            for (location, callee) in calls(program, points_to, own.originals[function]) {
                let copies = own.originals.len() - program.functions.len();
                if !allocators[callee] || copies >= MOST_COPIES {
                    continue;
                }
                let copy = own.program.functions.push(program.functions[callee].clone());
                own.originals.push(callee);
                levels.push(level + 1);
                let block = &mut own.program.functions[function].blocks[location.block];
                if let InstructionKind::Call { callee, .. } = &mut block.instructions[location.index as usize].kind {
                    *callee = Callee::Direct(copy);
                }
            }
        }
        (own.originals.len() > program.functions.len()).then_some(own)
    }

    /// The place in the program of a place in the copy.
    pub fn original(&self, location: Location) -> Location {
        Location { function: self.originals[location.function], ..location }
    }
}

/// The calls in a function that can only be of one other function.
fn calls(program: &Program, points_to: &PointsTo, function: FunctionId) -> Vec<(Location, FunctionId)> {
    let mut calls = Vec::new();
    for (block, body) in program.functions[function].blocks.iter_enumerated() {
        for (index, instruction) in body.instructions.iter().enumerate() {
            let InstructionKind::Call { .. } = instruction.kind else { continue };
            let location = Location { function, block, index: index as u32 };
            if let &[callee] = points_to.callees(location) {
                calls.push((location, callee));
            }
        }
    }
    calls
}

/// Which functions return an address and allocate, themselves or through others.
fn allocators(program: &Program, points_to: &PointsTo) -> IdVec<FunctionId, bool> {
    let is_small = |function: FunctionId| {
        let body = &program.functions[function];
        let instructions: usize = body.blocks.iter().map(|block| block.instructions.len()).sum();
        body.result == Some(Type::Pointer) && instructions <= MOST_INSTRUCTIONS
    };
    let allocates = |function: FunctionId| {
        let mut instructions = program.functions[function].blocks.iter().flat_map(|block| &block.instructions);
        instructions.any(|instruction| match instruction.kind {
            InstructionKind::Allocate { kind, .. } => kind == AllocationKind::Heap,
            InstructionKind::Reallocate { .. } => true,
            _ => false,
        })
    };
    let mut found: IdVec<FunctionId, bool> =
        program.functions.ids().map(|function| is_small(function) && allocates(function)).collect();
    for _ in 1..MOST_LEVELS {
        let through_others = |function: FunctionId| {
            is_small(function) && calls(program, points_to, function).iter().any(|&(_, callee)| found[callee])
        };
        let next = program.functions.ids().map(|function| found[function] || through_others(function)).collect();
        found = next;
    }
    found
}
