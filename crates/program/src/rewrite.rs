//! Changing operands and targets of instructions in place.

use crate::instruction::{Callee, InstructionKind, Operand, Rvalue, TerminatorKind};
use crate::program_::RegisterId;

/// Visits every register that an instruction writes.
pub fn for_each_target(kind: &mut InstructionKind, visit: &impl Fn(&mut RegisterId)) {
    use InstructionKind::*;
    match kind {
        Assign { target, .. }
        | Load { target, .. }
        | Nondet { target, .. }
        | Allocate { target, .. }
        | Reallocate { target, .. }
        | Spawn { target, .. }
        | CurrentThread { target } => visit(target),
        ReadModifyWrite { target, .. } | Call { target, .. } | Sync { target, .. } | Library { target, .. } => {
            target.iter_mut().for_each(visit);
        }
        CompareExchange { old, success, .. } => {
            visit(old);
            visit(success);
        }
        Join { target, error, .. } => target.iter_mut().chain(error).for_each(visit),
        Detach { error, .. } => error.iter_mut().for_each(visit),
        Store { .. }
        | Fence { .. }
        | Assume { .. }
        | Assert { .. }
        | Free { .. }
        | Begin { .. }
        | End { .. }
        | CopyMemory { .. }
        | SetMemory { .. }
        | LeaveProcess
        | AtomicBegin
        | AtomicEnd
        | Yield
        | Unsupported { .. } => {}
    }
}

fn callee_operand(callee: &mut Callee, visit: &impl Fn(&mut Operand)) {
    match callee {
        Callee::Indirect(operand) => visit(operand),
        Callee::Direct(function) => {
            let mut operand = Operand::Function(*function);
            visit(&mut operand);
            if let Operand::Function(new) = operand {
                *function = new;
            }
        }
    }
}

/// The operand of a terminator.
pub fn terminator_operand(kind: &mut TerminatorKind) -> Option<&mut Operand> {
    match kind {
        TerminatorKind::Branch { condition, .. } => Some(condition),
        TerminatorKind::Switch { value, .. } | TerminatorKind::ThreadExit(value) => Some(value),
        TerminatorKind::Return(value) => value.as_mut(),
        TerminatorKind::ProcessExit { status, .. } => Some(status),
        TerminatorKind::Goto(_) | TerminatorKind::Unreachable => None,
    }
}

/// Visits every operand of an instruction; the target of a direct call as the address of the function.
pub fn for_each_operand(kind: &mut InstructionKind, visit: &impl Fn(&mut Operand)) {
    use InstructionKind::*;
    match kind {
        Assign { value, .. } => rvalue_operands(value, visit),
        Load { address, .. } | Free { address, .. } => visit(address),
        Store { address, value, .. } | ReadModifyWrite { address, value, .. } => {
            visit(address);
            visit(value);
        }
        CompareExchange { address, expected, desired, .. } => {
            [address, expected, desired].into_iter().for_each(visit);
        }
        Assume { condition } | Assert { condition, .. } => visit(condition),
        Allocate { size, .. } => visit(size),
        Reallocate { address, size, .. } => [address, size].into_iter().for_each(visit),
        CopyMemory { target, source, size, .. } => [target, source, size].into_iter().for_each(visit),
        SetMemory { target, byte, size } => [target, byte, size].into_iter().for_each(visit),
        Call { callee, arguments, .. } => {
            callee_operand(callee, visit);
            arguments.iter_mut().for_each(visit);
        }
        Spawn { store, function, argument, detached, .. } => {
            callee_operand(function, visit);
            [argument, detached].into_iter().chain(store).for_each(visit);
        }
        Join { thread, .. } | Detach { thread, .. } => visit(thread),
        Sync { operands, .. } => operands.iter_mut().for_each(visit),
        Library { arguments, .. } => arguments.iter_mut().for_each(visit),
        Fence { .. }
        | Nondet { .. }
        | Begin { .. }
        | End { .. }
        | CurrentThread { .. }
        | LeaveProcess
        | AtomicBegin
        | AtomicEnd
        | Yield
        | Unsupported { .. } => {}
    }
}

fn rvalue_operands(value: &mut Rvalue, visit: &impl Fn(&mut Operand)) {
    match value {
        Rvalue::Use(operand) | Rvalue::Unary { operand, .. } | Rvalue::Cast { operand, .. } => visit(operand),
        Rvalue::Binary { left, right, .. } | Rvalue::PointerDifference { left, right } => {
            [left, right].into_iter().for_each(visit);
        }
        Rvalue::PointerAdd { pointer, offset } => [pointer, offset].into_iter().for_each(visit),
        Rvalue::Select { condition, then, otherwise, .. } => [condition, then, otherwise].into_iter().for_each(visit),
    }
}
