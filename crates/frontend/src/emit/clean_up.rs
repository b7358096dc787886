//! Tidies a finished function: code that nothing reaches and results that nothing reads go, jumps to jumps are
//! shortened, and blocks with one way in are joined to their predecessor.

use base::ids::{Id, IdVec};
use program::rewrite::{for_each_operand, for_each_target, terminator_operand};
use program::{
    BinaryOp, Block, BlockId, CastOp, DataModel, Function, Instruction, InstructionKind, NondetKind, Operand,
    RegisterId, Rvalue, TerminatorKind,
};

use crate::fold::fold;

/// Rounds of spreading constants and folding; more are not worth their time.
const MAX_ROUNDS: usize = 4;

pub fn clean_up(function: &mut Function, model: DataModel) {
    shorten_jumps(function);
    keep_reachable(function);
    for _ in 0..MAX_ROUNDS {
        spread_constants(function);
        if !fold_again(function, model) {
            break;
        }
        keep_reachable(function);
    }
    join_blocks(function);
    keep_reachable(function);
    drop_unread(function);
    renumber_registers(function);
}

/// Computes what has become constant; whether there was anything.
fn fold_again(function: &mut Function, model: DataModel) -> bool {
    let mut changed = false;
    for block in function.blocks.iter_mut() {
        for instruction in &mut block.instructions {
            if let InstructionKind::Assign { value, .. } = &mut instruction.kind
                && !matches!(value, Rvalue::Use(_))
                && let Some(operand) = fold(value, model, false)
            {
                *value = Rvalue::Use(operand);
                changed = true;
            }
        }
        if let TerminatorKind::Branch { condition: Operand::Int { value, .. }, then, otherwise } = block.terminator.kind
        {
            block.terminator.kind = TerminatorKind::Goto(if value != 0 { then } else { otherwise });
            changed = true;
        }
    }
    changed
}

/// A register that one instruction sets, to a constant, is that constant: a read before it would be indeterminate.
fn spread_constants(function: &mut Function) {
    let mut writes = vec![0u32; function.registers.len()];
    function.parameters.iter().for_each(|parameter| writes[parameter.index()] += 1);
    let mut constants: Vec<Option<Operand>> = vec![None; function.registers.len()];
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        instruction.kind.targets().iter().for_each(|target| writes[target.index()] += 1);
        // A store straight to a constant local would be its initialisation.
        let may_spread = |operand: Operand| match operand {
            Operand::Register(_) => false,
            Operand::Local { local, .. } => {
                !function.locals[local].read_only && function.locals[local].constant_parts.is_empty()
            }
            _ => true,
        };
        if let InstructionKind::Assign { target, value: Rvalue::Use(operand) } = instruction.kind
            && may_spread(operand)
        {
            constants[target.index()] = Some(operand);
        }
    }
    let replace = |operand: &mut Operand| {
        if let Operand::Register(register) = *operand
            && writes[register.index()] == 1
            && let Some(constant) = constants[register.index()]
        {
            *operand = constant;
        }
    };
    for block in function.blocks.iter_mut() {
        block.instructions.iter_mut().for_each(|instruction| for_each_operand(&mut instruction.kind, &replace));
        terminator_operand(&mut block.terminator.kind).map(replace);
    }
}

/// Registers that nothing mentions any more lose their number.
fn renumber_registers(function: &mut Function) {
    let mut used = vec![false; function.registers.len()];
    function.parameters.iter().for_each(|parameter| used[parameter.index()] = true);
    for block in function.blocks.iter() {
        for instruction in &block.instructions {
            instruction.kind.targets().iter().for_each(|target| used[target.index()] = true);
            instruction.kind.operands().into_iter().for_each(|operand| note(operand, &mut used));
        }
        block.terminator.kind.operand().into_iter().for_each(|operand| note(operand, &mut used));
    }
    let mut kept = IdVec::new();
    let mut numbers = Vec::with_capacity(used.len());
    for (register, &used) in function.registers.iter().zip(&used) {
        numbers.push(kept.next_id());
        if used {
            kept.push(register.clone());
        }
    }
    function.registers = kept;
    let number = |register: &mut RegisterId| *register = numbers[register.index()];
    let operand = |operand: &mut Operand| {
        if let Operand::Register(register) = operand {
            number(register);
        }
    };
    function.parameters.iter_mut().for_each(number);
    for block in function.blocks.iter_mut() {
        for instruction in &mut block.instructions {
            for_each_target(&mut instruction.kind, &number);
            for_each_operand(&mut instruction.kind, &operand);
        }
        terminator_operand(&mut block.terminator.kind).map(operand);
    }
}

fn note(operand: Operand, used: &mut [bool]) {
    if let Operand::Register(register) = operand {
        used[register.index()] = true;
    }
}

/// A jump to an empty block that only jumps on goes to its end at once.
fn shorten_jumps(function: &mut Function) {
    let forward: Vec<BlockId> = function.blocks.ids().map(|block| final_target(function, block)).collect();
    for block in function.blocks.iter_mut() {
        map_targets(&mut block.terminator.kind, |target| forward[target.index()]);
    }
}

fn final_target(function: &Function, block: BlockId) -> BlockId {
    let mut current = block;
    // An empty loop would go on for ever: as many steps as blocks are enough.
    for _ in 0..function.blocks.len().min(64) {
        let body = &function.blocks[current];
        match body.terminator.kind {
            TerminatorKind::Goto(next) if body.instructions.is_empty() && next != current => current = next,
            _ => break,
        }
    }
    current
}

fn map_targets(kind: &mut TerminatorKind, map: impl Fn(BlockId) -> BlockId) {
    match kind {
        TerminatorKind::Goto(target) => *target = map(*target),
        TerminatorKind::Branch { then, otherwise, .. } => {
            *then = map(*then);
            *otherwise = map(*otherwise);
        }
        TerminatorKind::Switch { cases, default, .. } => {
            cases.iter_mut().for_each(|(_, target)| *target = map(*target));
            *default = map(*default);
        }
        _ => {}
    }
    if let TerminatorKind::Branch { then, otherwise, .. } = kind
        && then == otherwise
    {
        *kind = TerminatorKind::Goto(*then);
    }
}

/// Renumbers the blocks that can be reached, in their old order.
fn keep_reachable(function: &mut Function) {
    let mut reached = vec![false; function.blocks.len()];
    let mut work = vec![Function::ENTRY];
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut reached[block.index()], true) {
            work.extend(function.blocks[block].terminator.kind.successors());
        }
    }
    let mut next = 0;
    let numbers: Vec<BlockId> = reached
        .iter()
        .map(|&reached| {
            let id = BlockId::new(next);
            next += usize::from(reached);
            id
        })
        .collect();
    let old = std::mem::take(&mut function.blocks);
    let mut kept: IdVec<BlockId, Block> = IdVec::new();
    for (id, block) in old.iter_enumerated() {
        if reached[id.index()] {
            let mut block = block.clone();
            map_targets(&mut block.terminator.kind, |target| numbers[target.index()]);
            kept.push(block);
        }
    }
    function.blocks = kept;
}

/// Appends a block to its only predecessor where that does nothing but go there.
fn join_blocks(function: &mut Function) {
    let mut entries = vec![0usize; function.blocks.len()];
    entries[0] = 1;
    for block in function.blocks.iter() {
        block.terminator.kind.successors().iter().for_each(|successor| entries[successor.index()] += 1);
    }
    for id in function.blocks.ids() {
        while let TerminatorKind::Goto(next) = function.blocks[id].terminator.kind
            && next != id
            && entries[next.index()] == 1
        {
            let terminator = function.blocks[next].terminator.clone();
            let mut instructions = std::mem::take(&mut function.blocks[next].instructions);
            // The emptied block is unreachable from here on; it must not be joined a second time.
            function.blocks[next].terminator.kind = TerminatorKind::Unreachable;
            entries[next.index()] = 0;
            let block = &mut function.blocks[id];
            block.instructions.append(&mut instructions);
            block.terminator = terminator;
        }
    }
}

/// Drops computations without effect whose result is never read, until none is left.
fn drop_unread(function: &mut Function) {
    loop {
        let mut read = vec![false; function.registers.len()];
        for block in function.blocks.iter() {
            block.instructions.iter().flat_map(|i| i.kind.operands()).for_each(|operand| note(operand, &mut read));
            block.terminator.kind.operand().into_iter().for_each(|operand| note(operand, &mut read));
        }
        let needed = |instruction: &Instruction| {
            let unread = instruction.kind.targets().iter().all(|target| !read[target.index()]);
            !(unread && has_no_effect(&instruction.kind))
        };
        let mut dropped = false;
        for block in function.blocks.iter_mut() {
            let before = block.instructions.len();
            block.instructions.retain(&needed);
            dropped |= block.instructions.len() != before;
            block.instructions.iter_mut().for_each(|instruction| ignore_result(&mut instruction.kind, &read));
        }
        if !dropped {
            return;
        }
    }
}

/// A result that nothing reads is not asked for where the instruction can do without.
fn ignore_result(kind: &mut InstructionKind, read: &[bool]) {
    use InstructionKind::*;
    let forget = |target: &mut Option<RegisterId>| {
        if target.is_some_and(|target| !read[target.index()]) {
            *target = None;
        }
    };
    match kind {
        Call { target, .. } | Sync { target, .. } | Library { target, .. } | ReadModifyWrite { target, .. } => {
            forget(target);
        }
        Join { target, error, .. } => {
            forget(target);
            forget(error);
        }
        Detach { error, .. } => forget(error),
        _ => {}
    }
}

/// Nothing but the target shows that the instruction was executed.
fn has_no_effect(kind: &InstructionKind) -> bool {
    match kind {
        InstructionKind::Nondet { kind, .. } => *kind == NondetKind::Indeterminate,
        InstructionKind::Assign { value, .. } => match value {
            Rvalue::Unary { signed, .. } => !signed,
            Rvalue::Binary { op, signed, .. } => !signed && !can_fail(*op),
            // Exposes the object: from then on it may be found by its address.
            Rvalue::Cast { op: CastOp::PointerToInt, operand, .. } => *operand == Operand::Null,
            Rvalue::Use(_) | Rvalue::Cast { .. } | Rvalue::Select { .. } | Rvalue::PointerAdd { .. } => true,
            Rvalue::PointerDifference { .. } => false,
        },
        _ => false,
    }
}

fn can_fail(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, UDiv | SDiv | URem | SRem | Shl | LShr | AShr)
}
