//! `va_start`, `va_copy`, and arguments that are lists of arguments.

use program::{Operand, Type};

use super::call::CallLowering;
use crate::ctype::TypeTable;
use crate::emit::value::{CValue, Form, LValue, Lowered};

/// The variadic arguments of a call from the n-th argument on, stored for the callee.
pub fn variadic_from(call: &mut CallLowering, first: usize) -> Lowered<Operand> {
    let mut values = Vec::new();
    for &argument in call.site.arguments.iter().skip(first) {
        let value = call.value_of(argument)?;
        values.push(call.emit_with(|emit, span| emit.promoted_argument(value, span))?);
    }
    call.variadic_object(&values)
}

pub fn va_start(call: &mut CallLowering) -> Lowered<CValue> {
    let Some(register) = call.emit_with(|emit, _| emit.function.variadic_arguments) else {
        return call.error("type", "`va_start` in a function without variable arguments");
    };
    let list = va_list_place(call, 0)?;
    let value = CValue::scalar(Operand::Register(register), TypeTable::VA_LIST);
    call.store(list, value)?;
    Ok(CValue::void())
}

pub fn va_copy(call: &mut CallLowering) -> Lowered<CValue> {
    let target = va_list_place(call, 0)?;
    let source = va_list_place(call, 1)?;
    let value = call.load(source)?;
    call.store(target, value)?;
    Ok(CValue::void())
}

fn va_list_place(call: &mut CallLowering, index: usize) -> Lowered<LValue> {
    match call.site.arguments.get(index) {
        Some(&argument) => call.va_list(argument),
        None => call.error("arguments", "a `va_list` is missing"),
    }
}

/// A `va_list` given as an argument, as the address of the remaining arguments.
pub fn va_list_argument(call: &mut CallLowering, index: usize) -> Lowered<Operand> {
    let value = call.argument(index)?;
    match call.types().register_type(value.ty) {
        Some(Type::Pointer) if value.form == Form::Scalar => Ok(value.operand),
        _ => call.error("type", "this is not a `va_list`"),
    }
}
