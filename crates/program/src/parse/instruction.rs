//! Instructions and terminators.

use super::Line;
use super::cursor::{Cursor, Parsed};
use crate::instruction::{
    AllocationKind, BinaryOp, Callee, CastOp, Instruction, InstructionKind, LibraryFunction, NondetKind, Operand,
    RmwOp, Rvalue, SyncOp, Terminator, TerminatorKind, UnaryOp,
};
use crate::program_::{FunctionId, RegisterId};
use crate::shape::ShapeId;

/// A line of a block.
pub(super) fn statement(cursor: &mut Cursor<'_>) -> Parsed<Line> {
    let targets = targets(cursor)?;
    if targets.is_empty()
        && let Some(kind) = terminator(cursor)?
    {
        return Ok(Line::Terminator(Terminator { kind, span: cursor.span()? }));
    }
    let kind = match instruction(cursor, &targets)? {
        Some(kind) => kind,
        None => InstructionKind::Assign { target: one(&targets)?, value: rvalue(cursor)? },
    };
    Ok(Line::Instruction(Instruction { kind, span: cursor.span()? }))
}

/// `r1 =`, `r1, r2 =`, or nothing.
fn targets(cursor: &mut Cursor<'_>) -> Parsed<Vec<RegisterId>> {
    let mut targets = Vec::new();
    let begins_with_register = |word: &str| word.strip_prefix('r').is_some_and(|id| id.parse::<u32>().is_ok());
    if begins_with_register(cursor.peek_word()) {
        targets.push(cursor.register()?);
        while cursor.eat(",") {
            targets.push(cursor.register()?);
        }
        cursor.expect("=")?;
    }
    Ok(targets)
}

fn one(targets: &[RegisterId]) -> Parsed<RegisterId> {
    match targets {
        [target] => Ok(*target),
        _ => Err("one target register is expected".to_owned()),
    }
}

fn at_most_one(targets: &[RegisterId]) -> Parsed<Option<RegisterId>> {
    if targets.len() <= 1 { Ok(targets.first().copied()) } else { Err("there are too many targets".to_owned()) }
}

/// The parts that follow a comma.
fn and_operand(cursor: &mut Cursor<'_>) -> Parsed<Operand> {
    cursor.expect(",")?;
    cursor.operand()
}

fn and_address(cursor: &mut Cursor<'_>) -> Parsed<Operand> {
    cursor.expect(",")?;
    cursor.address()
}

fn terminator(cursor: &mut Cursor<'_>) -> Parsed<Option<TerminatorKind>> {
    let word = cursor.peek_word();
    if !matches!(word, "goto" | "branch" | "switch" | "return" | "thread-exit" | "process-exit" | "unreachable") {
        return Ok(None);
    }
    cursor.word();
    let kind = match word {
        "goto" => TerminatorKind::Goto(cursor.block()?),
        "branch" => {
            let condition = cursor.operand()?;
            cursor.expect(",")?;
            let then = cursor.block()?;
            cursor.expect(",")?;
            TerminatorKind::Branch { condition, then, otherwise: cursor.block()? }
        }
        "switch" => {
            let ty = cursor.ty()?;
            let value = cursor.operand()?;
            let cases = cursor.list("{", "}", |cursor| Ok((cursor.number()?, cursor.block()?)))?;
            cursor.keyword("default")?;
            TerminatorKind::Switch { value, ty, cases, default: cursor.block()? }
        }
        "return" if cursor.at_span_or_end() => TerminatorKind::Return(None),
        "return" => TerminatorKind::Return(Some(cursor.operand()?)),
        "thread-exit" => TerminatorKind::ThreadExit(cursor.operand()?),
        "process-exit" => {
            TerminatorKind::ProcessExit { status: cursor.operand()?, abnormal: cursor.eat_keyword("abnormal") }
        }
        _ => TerminatorKind::Unreachable,
    };
    Ok(Some(kind))
}

/// An instruction that begins with a keyword of its own; `None` if it can only be an assignment.
fn instruction(cursor: &mut Cursor<'_>, targets: &[RegisterId]) -> Parsed<Option<InstructionKind>> {
    let mut ahead = cursor.clone();
    let word = ahead.word();
    let Some(kind) = keyword_instruction(&mut ahead, word, targets)? else {
        return if targets.is_empty() { Err(cursor.expected("an instruction")) } else { Ok(None) };
    };
    if !kind.targets().starts_with(targets) {
        return Err(format!("`{word}` has no result"));
    }
    *cursor = ahead;
    Ok(Some(kind))
}

fn keyword_instruction(cursor: &mut Cursor<'_>, word: &str, targets: &[RegisterId]) -> Parsed<Option<InstructionKind>> {
    let kind = match word {
        "load" => {
            let (target, ty) = (one(targets)?, cursor.ty()?);
            InstructionKind::Load { target, ty, address: cursor.address()?, order: cursor.order()? }
        }
        "store" => {
            let (ty, address) = (cursor.ty()?, cursor.address()?);
            InstructionKind::Store { address, value: and_operand(cursor)?, ty, order: cursor.order()? }
        }
        "rmw" => {
            let op = named(cursor, RmwOp::named, "an operation")?;
            let (ty, address) = (cursor.ty()?, cursor.address()?);
            let (target, value) = (at_most_one(targets)?, and_operand(cursor)?);
            InstructionKind::ReadModifyWrite { target, op, address, value, ty, order: cursor.order()? }
        }
        "cmpxchg" => compare_exchange(cursor, targets)?,
        "fence" => InstructionKind::Fence { order: cursor.order()? },
        "nondet" => {
            let (target, ty) = (one(targets)?, cursor.ty()?);
            InstructionKind::Nondet { target, ty, kind: named(cursor, NondetKind::named, "a kind")? }
        }
        "assume" => InstructionKind::Assume { condition: cursor.operand()? },
        "assert" => {
            let condition = cursor.operand()?;
            let property = named(cursor, |name| name.parse().ok(), "a property")?;
            InstructionKind::Assert { condition, property, message: cursor.string()? }
        }
        "allocate" => {
            let kind = named(cursor, AllocationKind::named, "a kind")?;
            let zeroed = cursor.eat_keyword("zeroed");
            let (target, size) = (one(targets)?, cursor.operand()?);
            cursor.keyword("align")?;
            let align = cursor.number()?;
            let has_shape = cursor.peek_word().starts_with("shape");
            let shape = if has_shape { Some(ShapeId(cursor.id("shape")?)) } else { None };
            InstructionKind::Allocate { target, size, zeroed, align, kind, shape }
        }
        "free" => {
            let kind = named(cursor, AllocationKind::named, "a kind")?;
            InstructionKind::Free { address: cursor.operand()?, kind }
        }
        "reallocate" => {
            let (target, address) = (one(targets)?, cursor.operand()?);
            InstructionKind::Reallocate { target, address, size: and_operand(cursor)? }
        }
        "begin" => InstructionKind::Begin { local: cursor.local()? },
        "end" => InstructionKind::End { local: cursor.local()? },
        "copy" => {
            let (target, source, size) = (cursor.address()?, and_address(cursor)?, and_operand(cursor)?);
            InstructionKind::CopyMemory { target, source, size, overlap: cursor.eat_keyword("overlap") }
        }
        "set" => {
            let (target, byte) = (cursor.address()?, and_operand(cursor)?);
            InstructionKind::SetMemory { target, byte, size: and_operand(cursor)? }
        }
        "call" => {
            let (target, callee) = (at_most_one(targets)?, callee(cursor)?);
            InstructionKind::Call { target, callee, arguments: operands(cursor)? }
        }
        "spawn" => spawn(cursor, one(targets)?)?,
        "join" => {
            let (target, thread) = (at_most_one(targets)?, cursor.operand()?);
            InstructionKind::Join { target, error: error_target(cursor)?, thread }
        }
        "detach" if targets.is_empty() => {
            let thread = cursor.operand()?;
            InstructionKind::Detach { error: error_target(cursor)?, thread }
        }
        "current-thread" => InstructionKind::CurrentThread { target: one(targets)? },
        "leave-process" => InstructionKind::LeaveProcess,
        "atomic-begin" => InstructionKind::AtomicBegin,
        "atomic-end" => InstructionKind::AtomicEnd,
        "sync" => {
            let op = named(cursor, SyncOp::named, "an operation")?;
            InstructionKind::Sync { target: at_most_one(targets)?, op, operands: operands(cursor)? }
        }
        "yield" => InstructionKind::Yield,
        "library" => {
            let function = named(cursor, LibraryFunction::named, "a library function")?;
            InstructionKind::Library { target: at_most_one(targets)?, function, arguments: operands(cursor)? }
        }
        "unsupported" => InstructionKind::Unsupported { what: cursor.string()? },
        _ => return Ok(None),
    };
    Ok(Some(kind))
}

fn compare_exchange(cursor: &mut Cursor<'_>, targets: &[RegisterId]) -> Parsed<InstructionKind> {
    let &[old, success] = targets else { return Err("two target registers are expected".to_owned()) };
    let weak = cursor.eat_keyword("weak");
    let (ty, address) = (cursor.ty()?, cursor.address()?);
    let (expected, desired) = (and_operand(cursor)?, and_operand(cursor)?);
    let (order, failure) = (cursor.order()?, cursor.order()?);
    Ok(InstructionKind::CompareExchange { old, success, address, expected, desired, ty, weak, order, failure })
}

fn spawn(cursor: &mut Cursor<'_>, target: RegisterId) -> Parsed<InstructionKind> {
    let function = callee(cursor)?;
    cursor.expect("(")?;
    let argument = cursor.operand()?;
    cursor.expect(")")?;
    cursor.keyword("detached")?;
    let detached = cursor.operand()?;
    let store = if cursor.eat_keyword("store") { Some(cursor.address()?) } else { None };
    Ok(InstructionKind::Spawn { target, store, function, argument, detached })
}

fn callee(cursor: &mut Cursor<'_>) -> Parsed<Callee> {
    if cursor.eat("*") {
        cursor.operand().map(Callee::Indirect)
    } else {
        Ok(Callee::Direct(FunctionId(cursor.id("f")?)))
    }
}

fn operands(cursor: &mut Cursor<'_>) -> Parsed<Vec<Operand>> {
    cursor.list("(", ")", Cursor::operand)
}

fn error_target(cursor: &mut Cursor<'_>) -> Parsed<Option<RegisterId>> {
    if cursor.eat_keyword("error") { cursor.register().map(Some) } else { Ok(None) }
}

fn named<T>(cursor: &mut Cursor<'_>, lookup: impl FnOnce(&str) -> Option<T>, what: &str) -> Parsed<T> {
    let found = lookup(cursor.peek_word()).ok_or_else(|| cursor.expected(what))?;
    cursor.word();
    Ok(found)
}

fn rvalue(cursor: &mut Cursor<'_>) -> Parsed<Rvalue> {
    let word = cursor.peek_word();
    if let Some(op) = UnaryOp::named(word) {
        cursor.word();
        let (signed, ty) = (cursor.eat_keyword("signed"), cursor.ty()?);
        return Ok(Rvalue::Unary { op, ty, operand: cursor.operand()?, signed });
    }
    if let Some(op) = BinaryOp::named(word) {
        cursor.word();
        let (signed, ty) = (cursor.eat_keyword("signed"), cursor.ty()?);
        return Ok(Rvalue::Binary { op, ty, left: cursor.operand()?, right: and_operand(cursor)?, signed });
    }
    if let Some(op) = CastOp::named(word) {
        cursor.word();
        let (from, operand) = (cursor.ty()?, cursor.operand()?);
        cursor.keyword("to")?;
        return Ok(Rvalue::Cast { op, from, to: cursor.ty()?, operand });
    }
    if cursor.eat_keyword("pointer-add") {
        return Ok(Rvalue::PointerAdd { pointer: cursor.operand()?, offset: and_operand(cursor)? });
    }
    if cursor.eat_keyword("pointer-difference") {
        return Ok(Rvalue::PointerDifference { left: cursor.operand()?, right: and_operand(cursor)? });
    }
    if cursor.eat_keyword("select") {
        let (ty, condition) = (cursor.ty()?, cursor.operand()?);
        return Ok(Rvalue::Select { condition, ty, then: and_operand(cursor)?, otherwise: and_operand(cursor)? });
    }
    cursor.operand().map(Rvalue::Use)
}
