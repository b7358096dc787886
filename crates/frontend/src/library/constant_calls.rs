//! Calls of builtins and library functions with constant arguments, which GCC folds beyond what C demands.

use program::Operand;

use super::call::CallLowering;
use crate::ast::ExprId;
use crate::ctype::{IntKind, TypeId, TypeTable};
use crate::emit::value::{CValue, Lowered};
use crate::fold::sign_extend;

/// The value of a call of a builtin or a library function whose arguments are constants, if it has one.
pub fn constant_call(call: &mut CallLowering) -> Lowered<Option<CValue>> {
    let name = call.site.name.strip_prefix("__builtin_").unwrap_or(call.site.name);
    let is_builtin = name != call.site.name;
    let value = match (name, call.site.arguments) {
        ("abs" | "labs" | "llabs", &[x]) => constant_of_integer(call, name, x)?,
        ("strlen", &[text]) => {
            let length = constant_text(call, text)?.map(|bytes| bytes.len() as u64);
            let ty = call.types().size_type();
            length.map(|length| call.emit_with(|emit, _| emit.integer(length, ty)))
        }
        ("strcmp", &[left, right]) => {
            let texts = (constant_text(call, left)?, constant_text(call, right)?);
            compared(call, texts)
        }
        ("strchr", &[text, character]) => found_character(call, text, character)?,
        ("fabs" | "fabsf" | "sqrt", &[x]) => constant_of_real(call, name, x)?,
        (_, &[x]) if is_builtin => constant_of_integer(call, name, x)?,
        _ => None,
    };
    Ok(value)
}

fn compared(call: &mut CallLowering, texts: (Option<Vec<u8>>, Option<Vec<u8>>)) -> Option<CValue> {
    let (left, right) = (texts.0?, texts.1?);
    Some(call.emit_with(|emit, _| emit.integer(left.cmp(&right) as i64 as u64, TypeTable::INT)))
}

fn found_character(call: &mut CallLowering, text: ExprId, character: ExprId) -> Lowered<Option<CValue>> {
    let (Some(bytes), Some(character)) = (constant_text(call, text)?, integer(call, character)?) else {
        return Ok(None);
    };
    let pointer = call.value_of(text)?;
    let Operand::Global { global, offset } = pointer.operand else { return Ok(None) };
    let found = bytes.iter().chain(&[0]).position(|&byte| byte == character as u8);
    let operand = match found {
        Some(index) => Operand::Global { global, offset: offset + index as i64 },
        None => Operand::Null,
    };
    Ok(Some(CValue::scalar(operand, TypeTable::CHAR_POINTER)))
}

/// The characters of a constant string before its end.
fn constant_text(call: &mut CallLowering, expr: ExprId) -> Lowered<Option<Vec<u8>>> {
    let value = call.value_of(expr)?;
    let Operand::Global { global, offset } = value.operand else { return Ok(None) };
    let slot = &call.link().globals[global];
    let Some(initial) = slot.initial.as_ref().filter(|_| slot.read_only) else { return Ok(None) };
    let bytes = usize::try_from(offset).ok().and_then(|offset| initial.bytes.get(offset..)).unwrap_or_default();
    Ok(bytes.iter().position(|&byte| byte == 0).map(|length| bytes[..length].to_vec()))
}

fn constant_of_real(call: &mut CallLowering, name: &str, expr: ExprId) -> Lowered<Option<CValue>> {
    let value = call.value_of(expr)?;
    let value = converted(call, value, TypeTable::DOUBLE, expr)?;
    let Operand::Double(bits) = value.operand else { return Ok(None) };
    let number = f64::from_bits(bits);
    Ok(match name {
        "fabs" => Some(CValue::scalar(Operand::Double(number.abs().to_bits()), TypeTable::DOUBLE)),
        "fabsf" => Some(CValue::scalar(Operand::Float((number.abs() as f32).to_bits()), TypeTable::FLOAT)),
        "sqrt" if number >= 0.0 => Some(CValue::scalar(Operand::Double(number.sqrt().to_bits()), TypeTable::DOUBLE)),
        _ => None,
    })
}

/// Builtins of one integer.
fn constant_of_integer(call: &mut CallLowering, name: &str, expr: ExprId) -> Lowered<Option<CValue>> {
    let Some(shape) = integer_builtin(name) else { return Ok(None) };
    let (argument, result) = (call.link_mut().types.int(shape.argument), call.link_mut().types.int(shape.result));
    let value = call.value_of(expr)?;
    let value = converted(call, value, argument, expr)?;
    let Operand::Int { bits, value: number } = value.operand else { return Ok(None) };
    let leading = u64::from(number.leading_zeros()) - (64 - u64::from(bits));
    let trailing = u64::from(number.trailing_zeros());
    let signed = sign_extend(number, bits);
    let computed = match shape.operation {
        "popcount" => u64::from(number.count_ones()),
        "parity" => u64::from(number.count_ones() % 2),
        "clz" | "ctz" if number == 0 => return Ok(None),
        "clz" => leading,
        "ctz" => trailing,
        "ffs" if number == 0 => 0,
        "ffs" => trailing + 1,
        "clrsb" => u64::from((signed ^ (signed >> 63)).leading_zeros()) - (64 - u64::from(bits)) - 1,
        "bswap" => number.swap_bytes() >> (64 - u32::from(bits)),
        "abs" if signed == -1_i64 << (bits - 1) => return Ok(None),
        "abs" => signed.unsigned_abs(),
        _ => return Ok(None),
    };
    Ok(Some(call.emit_with(|emit, _| emit.integer(computed, result))))
}

/// The value of an expression as one of another type.
fn converted(call: &mut CallLowering, value: CValue, ty: TypeId, expr: ExprId) -> Lowered<CValue> {
    let span = call.inspect().span(expr);
    call.emit_with(|emit, _| emit.convert(value, ty, span))
}

/// The value of an integer constant expression, if it is one.
fn integer(call: &mut CallLowering, expr: ExprId) -> Lowered<Option<i128>> {
    let value = call.constant(expr)?;
    Ok(value.and_then(|value| call.emit_with(|emit, _| emit.as_integer(value))))
}

/// What a builtin of one integer takes and gives.
struct IntegerBuiltin {
    operation: &'static str,
    argument: IntKind,
    result: IntKind,
}

fn integer_builtin(name: &str) -> Option<IntegerBuiltin> {
    use IntKind::*;
    let swapped = |kind| Some(IntegerBuiltin { operation: "bswap", argument: kind, result: kind });
    let absolute = |kind| Some(IntegerBuiltin { operation: "abs", argument: kind, result: kind });
    match name {
        "bswap16" => return swapped(UnsignedShort),
        "bswap32" => return swapped(UnsignedInt),
        "bswap64" => return swapped(UnsignedLongLong),
        "abs" => return absolute(Int),
        "labs" => return absolute(Long),
        "llabs" => return absolute(LongLong),
        _ => {}
    }
    const COUNTS: [&str; 6] = ["popcount", "parity", "clz", "ctz", "ffs", "clrsb"];
    let operation = COUNTS.into_iter().find(|operation| name.starts_with(operation))?;
    let argument = match (&name[operation.len()..], matches!(operation, "ffs" | "clrsb")) {
        ("", false) => UnsignedInt,
        ("l", false) => UnsignedLong,
        ("ll", false) => UnsignedLongLong,
        ("", true) => Int,
        ("l", true) => Long,
        ("ll", true) => LongLong,
        _ => return None,
    };
    Some(IntegerBuiltin { operation, argument, result: Int })
}
