//! Verification intrinsics, assertions and the end of the process.

use program::{BinaryOp, InstructionKind, Operand, Property, Rvalue, TerminatorKind, Type};

use super::call::CallLowering;
use super::contract::contract_call;
use crate::ast::ExprId;
use crate::ctype::TypeTable;
use crate::emit::value::{CValue, Lowered};
use crate::process_end::END_PROCESS;

/// What a shell shows for a process that SIGABRT ended.
const ABORT_STATUS: u64 = 134;

pub fn verifier_assume(call: &mut CallLowering) -> Lowered<CValue> {
    let condition = condition_argument(call)?;
    call.instruction(InstructionKind::Assume { condition });
    Ok(call.constant_result(0))
}

fn condition_argument(call: &mut CallLowering) -> Lowered<Operand> {
    match call.site.arguments.first() {
        Some(&argument) => call.condition(argument),
        None => call.error("arguments", format!("`{}` needs an argument", call.site.name)),
    }
}

pub fn atomic_begin(call: &mut CallLowering) -> Lowered<CValue> {
    call.instruction(InstructionKind::AtomicBegin);
    Ok(call.constant_result(0))
}

pub fn atomic_end(call: &mut CallLowering) -> Lowered<CValue> {
    call.instruction(InstructionKind::AtomicEnd);
    Ok(call.constant_result(0))
}

pub fn reach_error(call: &mut CallLowering) -> Lowered<CValue> {
    fail(call, Property::UnreachCall, "reach_error() is called".to_owned());
    Ok(call.constant_result(0))
}

pub fn verifier_error(call: &mut CallLowering) -> Lowered<CValue> {
    call.evaluate_arguments()?;
    fail(call, Property::Assert, format!("{}() is called", call.site.name));
    end_abnormally(call)
}

fn fail(call: &mut CallLowering, property: Property, message: String) {
    program_assertion(call, Operand::FALSE, property, message);
}

fn end_abnormally(call: &mut CallLowering) -> Lowered<CValue> {
    let status = Operand::int(32, ABORT_STATUS);
    call.terminate(TerminatorKind::ProcessExit { status, abnormal: true });
    Ok(call.placeholder())
}

/// `assert(x)` as a function call, where no header made it a macro.
pub fn assert_call(call: &mut CallLowering) -> Lowered<CValue> {
    let condition = condition_argument(call)?;
    let message = "assertion fails".to_owned();
    program_assertion(call, condition, Property::Assert, message);
    let (go_on, end) = (call.new_block(), call.new_block());
    call.branch(condition, go_on, end);
    call.switch_to(end);
    end_abnormally(call)?;
    call.switch_to(go_on);
    Ok(call.constant_result(0))
}

/// `__CPROVER_assert(x, "what")`: the program goes on after it.
pub fn told_assertion(call: &mut CallLowering) -> Lowered<CValue> {
    let condition = condition_argument(call)?;
    let told = call.site.arguments.get(1).and_then(|&argument| literal_text(call, argument));
    let message = match told.filter(|text| !text.is_empty()) {
        Some(text) => format!("assertion `{text}` fails"),
        None => "assertion fails".to_owned(),
    };
    program_assertion(call, condition, Property::Assert, message);
    Ok(call.constant_result(0))
}

pub fn assert_fail(call: &mut CallLowering) -> Lowered<CValue> {
    let text = call.site.arguments.iter().find_map(|&argument| literal_text(call, argument));
    let message = match text {
        Some(text) => format!("assertion `{text}` fails"),
        None => "assertion fails".to_owned(),
    };
    fail(call, Property::Assert, message);
    end_abnormally(call)
}

/// The text of a string literal, for people to read.
fn literal_text(call: &CallLowering, expr: ExprId) -> Option<String> {
    call.literal_bytes(expr).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

/// A model in the prelude has come to its limits.
pub fn unsupported_call(call: &mut CallLowering) -> Lowered<CValue> {
    let what = call.site.arguments.first().and_then(|&argument| literal_text(call, argument));
    Ok(call.unsupported(what.unwrap_or_default(), call.site.result))
}

/// `setjmp`: the return that is not from a `longjmp`, which is unsupported where it is reached. Where there is one, the
/// zero is no constant, so that the code for the second return stays in the program.
pub fn first_return(call: &mut CallLowering) -> Lowered<CValue> {
    match library::row(call.site.name) {
        Some(row) => drop(contract_call(call, row)?),
        None => call.evaluate_arguments()?,
    }
    if !call.link().uses_longjmp {
        return Ok(call.constant_result(0));
    }
    let value = call.input(TypeTable::INT);
    call.pin(value.operand);
    let ty = Type::Int(32);
    let is_zero =
        Rvalue::Binary { op: BinaryOp::Eq, ty, left: value.operand, right: Operand::int(32, 0), signed: false };
    let condition = call.compute(is_zero, Type::BOOL);
    call.instruction(InstructionKind::Assume { condition });
    Ok(value)
}

pub fn abort_call(call: &mut CallLowering) -> Lowered<CValue> {
    end_abnormally(call)
}

pub fn exit_call(call: &mut CallLowering) -> Lowered<CValue> {
    let status = call.argument_as(0, TypeTable::INT)?;
    if call.site.name == "exit" && call.link().ends.has_handlers() {
        call.pin(status);
        call.instruction(InstructionKind::LeaveProcess);
        call.call_prelude(END_PROCESS, Vec::new());
    }
    call.terminate(TerminatorKind::ProcessExit { status, abnormal: false });
    Ok(call.placeholder())
}

/// A placed check is an assertion whose condition is evaluated in one step.
pub fn placed_check(call: &mut CallLowering) -> Lowered<CValue> {
    let number = match call.site.arguments.first() {
        Some(&number) => call.integer_constant(number).and_then(|number| usize::try_from(number).ok()),
        None => None,
    };
    let check = number.and_then(|number| call.link().options.checks.get(number));
    let (Some(check), Some(&condition)) = (check, call.site.arguments.get(1)) else {
        return call.error("arguments", format!("`{}` is reserved for Gordian", call.site.name));
    };
    let message = format!("the invariant `{}` does not hold", check.expression);
    call.instruction(InstructionKind::AtomicBegin);
    let condition = call.condition(condition)?;
    call.instruction(InstructionKind::Assert { condition, property: Property::Assert, message });
    call.instruction(InstructionKind::AtomicEnd);
    Ok(CValue::void())
}

/// An assertion of the program itself, which is none where only placed checks are asked about.
fn program_assertion(call: &mut CallLowering, condition: Operand, property: Property, message: String) {
    if property != Property::Assert || call.link().options.checks.is_empty() {
        call.instruction(InstructionKind::Assert { condition, property, message });
    }
}
