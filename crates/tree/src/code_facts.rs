//! What the code says about each visible instruction before anything is executed: whether a statement ends with it
//! (where granularity is that of statements), whether it only belongs to a test, and how deep inside loops it is.
//!
//! The program has no statements any more. A statement ends, as in rule R1, where something is assigned that the user
//! can see: memory, or a register that holds a variable of theirs. A load whose value reaches only a branch is a test.

use base::Id;
use execute::{Code, Op};
use program::cfg::Cfg;
use program::loops::{Loop, Loops};
use program::{Function, InstructionKind, Operand, RegisterId, TerminatorKind};
use rustc_hash::FxHashSet;

use crate::bounds::{Granularity, TreeOptions};

pub struct CodeFacts {
    /// By position: a switch may follow the visible instruction there.
    pub ends_statement: Vec<bool>,
    /// By position: the visible instruction is more than a part of a test.
    pub effective: Vec<bool>,
    /// By position: which loops of its function it is in.
    pub loop_depth: Vec<LoopDepth>,
    /// By position: a visible load or store outside the loops of its function.
    pub plain_access: Vec<bool>,
    pub has_sections: bool,
}

/// Loops around a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LoopDepth {
    /// Those that end when registers say so into which nothing flows but constants and other such registers.
    pub counting: u8,
    pub open: u8,
}

impl CodeFacts {
    pub fn new(code: &Code<'_>, options: &TreeOptions) -> Self {
        let statements = options.granularity == Granularity::Statement;
        let fate = |at: usize| if code.visible[at] { fate_of(code, at) } else { ResultFate::Assigned };
        let fates: Vec<ResultFate> = (0..code.ops.len()).map(fate).collect();
        let ends = |fate: &ResultFate| match fate {
            ResultFate::Assigned => true,
            ResultFate::Tested => !statements || options.hoist_tests,
            ResultFate::Unfinished => !statements,
        };
        let loop_depth = loop_depths(code);
        let is_plain = |at: usize| {
            code.visible[at]
                && matches!(code.ops[at], Op::Load { .. } | Op::Store { .. })
                && loop_depth[at] == LoopDepth::default()
        };
        Self {
            ends_statement: fates.iter().map(ends).collect(),
            effective: fates.iter().map(|fate| *fate != ResultFate::Tested).collect(),
            plain_access: (0..code.ops.len()).map(is_plain).collect(),
            loop_depth,
            has_sections: code.ops.iter().any(|op| matches!(op, Op::AtomicBegin)),
        }
    }
}

/// What becomes of a visible instruction's result before the next visible instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ResultFate {
    Assigned,
    Tested,
    Unfinished,
}

/// Jumps that are followed at most.
const MAX_JUMPS: u32 = 64;

fn fate_of(code: &Code<'_>, at: usize) -> ResultFate {
    let mut next = match &code.ops[at] {
        Op::Load { target, .. } if !is_named(code, at, *target) => at + 1,
        // Neither ends a statement of the paper: R5 and R6 have one child, and an input is no global variable.
        Op::Spawn { .. } | Op::Join { .. } | Op::Nondet { .. } => return ResultFate::Unfinished,
        _ => return ResultFate::Assigned,
    };
    let mut jumps = 0;
    loop {
        if code.visible[next] {
            return ResultFate::Unfinished;
        }
        match &code.ops[next] {
            Op::Branch { .. } | Op::Switch { .. } => return ResultFate::Tested,
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
            _ => return ResultFate::Assigned,
        }
        next += 1;
    }
}

/// Whether the register holds a variable of the user.
fn is_named(code: &Code<'_>, at: usize, register: u32) -> bool {
    let function = &code.program.functions[code.locations[at].function];
    function.registers[RegisterId(register)].name.is_some()
}

fn loop_depths(code: &Code<'_>) -> Vec<LoopDepth> {
    let depths: Vec<Vec<LoopDepth>> = code.program.functions.iter().map(block_depths).collect();
    let depth = |location: &program::Location| depths[location.function.index()][location.block.index()];
    code.locations.iter().map(depth).collect()
}

fn block_depths(function: &Function) -> Vec<LoopDepth> {
    let loops = Loops::new(&Cfg::new(function));
    let changeable = changeable_registers(function);
    let counts: Vec<bool> = loops.iter().map(|(_, body)| is_counting(function, body, &changeable)).collect();
    let depth = |block| {
        let mut depth = LoopDepth::default();
        let mut around = loops.innermost(block);
        while let Some(id) = around {
            let kind = if counts[id.index()] { &mut depth.counting } else { &mut depth.open };
            *kind = kind.saturating_add(1);
            around = loops.get(id).parent;
        }
        depth
    };
    function.blocks.ids().map(depth).collect()
}

/// Whether all ways out of the loop depend on registers alone.
fn is_counting(function: &Function, body: &Loop, changeable: &FxHashSet<RegisterId>) -> bool {
    let mut exits = body
        .body
        .iter()
        .map(|&block| &function.blocks[block].terminator.kind)
        .filter(|terminator| terminator.successors().iter().any(|successor| !body.body.contains(successor)));
    let on_registers = |terminator: &TerminatorKind| match terminator.operand() {
        Some(Operand::Register(register)) => !changeable.contains(&register),
        _ => false,
    };
    let first = exits.next();
    first.is_some_and(on_registers) && exits.all(on_registers)
}

/// The registers into which something may flow that other threads or the environment decide.
fn changeable_registers(function: &Function) -> FxHashSet<RegisterId> {
    let instructions = || function.blocks.iter().flat_map(|block| &block.instructions);
    let mut changeable = FxHashSet::default();
    loop {
        let before = changeable.len();
        for instruction in instructions() {
            let flows = match &instruction.kind {
                InstructionKind::Assign { .. } => instruction
                    .kind
                    .operands()
                    .iter()
                    .any(|operand| matches!(operand, Operand::Register(from) if changeable.contains(from))),
                _ => true,
            };
            if flows {
                changeable.extend(instruction.kind.targets());
            }
        }
        if changeable.len() == before {
            return changeable;
        }
    }
}
