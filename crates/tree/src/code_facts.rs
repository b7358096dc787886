//! What the code says about each visible instruction before anything is executed: whether a statement ends with it
//! (where granularity is that of statements), whether it only belongs to a test, and how deep inside loops it is.
//!
//! The program has no statements any more. A statement ends, as in rule R1, where something is assigned that the user
//! can see: memory, or a register that holds a variable of theirs. A load whose value reaches only a branch is a test.

use base::Id;
use execute::{Code, Op};
use program::cfg::Cfg;
use program::loops::Loops;
use program::{Program, RegisterId};

use crate::bounds::{Granularity, TreeOptions};

pub struct CodeFacts {
    /// By position: a switch may follow the visible instruction there.
    pub ends_statement: Vec<bool>,
    /// By position: the visible instruction is more than a part of a test.
    pub effective: Vec<bool>,
    /// By position: how many loops of its function it is in.
    pub loop_depth: Vec<u8>,
}

impl CodeFacts {
    pub fn new(code: &Code<'_>, options: &TreeOptions) -> Self {
        let statements = options.granularity == Granularity::Statement;
        let fate = |at: usize| if code.visible[at] { fate_of(code, at) } else { Fate::Assigned };
        let fates: Vec<Fate> = (0..code.ops.len()).map(fate).collect();
        let ends = |fate: &Fate| match fate {
            Fate::Assigned => true,
            Fate::Tested => !statements || options.hoist_tests,
            Fate::Unfinished => !statements,
        };
        Self {
            ends_statement: fates.iter().map(ends).collect(),
            effective: fates.iter().map(|fate| *fate != Fate::Tested).collect(),
            loop_depth: loop_depths(code),
        }
    }
}

/// What becomes of a visible instruction's result before the next visible instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Assigned,
    Tested,
    Unfinished,
}

/// Jumps that are followed at most.
const MAX_JUMPS: u32 = 64;

fn fate_of(code: &Code<'_>, at: usize) -> Fate {
    let mut next = match &code.ops[at] {
        Op::Load { target, .. } if !is_named(code, at, *target) => at + 1,
        // Neither ends a statement of the paper: R5 and R6 have one child, and an input is no global variable.
        Op::Spawn { .. } | Op::Join { .. } | Op::Nondet { .. } => return Fate::Unfinished,
        _ => return Fate::Assigned,
    };
    let mut jumps = 0;
    loop {
        if code.visible[next] {
            return Fate::Unfinished;
        }
        match &code.ops[next] {
            Op::Branch { .. } | Op::Switch { .. } => return Fate::Tested,
            Op::Goto(target) if jumps < MAX_JUMPS => {
                jumps += 1;
                next = *target as usize;
                continue;
            }
            Op::Unary { target, .. }
            | Op::Binary { target, .. }
            | Op::Cast { target, .. }
            | Op::Use { target, .. }
            | Op::PointerAdd { target, .. }
            | Op::PointerDifference { target, .. }
            | Op::Select { target, .. }
                if !is_named(code, next, *target) => {}
            _ => return Fate::Assigned,
        }
        next += 1;
    }
}

/// Whether the register holds a variable of the user.
fn is_named(code: &Code<'_>, at: usize, register: u32) -> bool {
    let function = &code.program.functions[code.locations[at].function];
    function.registers[RegisterId(register)].name.is_some()
}

fn loop_depths(code: &Code<'_>) -> Vec<u8> {
    let depths = block_depths(code.program);
    let depth = |location: &program::Location| depths[location.function.index()][location.block.index()];
    code.locations.iter().map(depth).collect()
}

fn block_depths(program: &Program) -> Vec<Vec<u8>> {
    let of_function = |function: &program::Function| {
        let loops = Loops::new(&Cfg::new(function));
        let depth = |block| loops.innermost(block).map_or(0, |id| loops.get(id).depth.min(255) as u8);
        function.blocks.ids().map(depth).collect()
    };
    program.functions.iter().map(of_function).collect()
}
