//! Whether atomic operations need no lock: `__atomic_always_lock_free`, `__atomic_is_lock_free` and `atomic_is_lock_free`,
//! as GCC answers them. Where GCC leaves the answer to a library that asks the processor, it is not known here.

use program::Operand;

use super::call::CallLowering;
use crate::ast::ExprId;
use crate::ctype::TypeTable;
use crate::emit::value::{CValue, Lowered};

/// What is larger always has a lock.
const MAX_LOCK_FREE: i128 = 16;

/// `__atomic_always_lock_free(size, pointer)`: a constant, for which GCC evaluates nothing.
pub fn always_lock_free(call: &mut CallLowering) -> CValue {
    let size = call.site.arguments.first().and_then(|&size| call.integer_constant(size));
    let pointer = call.site.arguments.get(1).copied();
    let answer = match size {
        Some(size) if !is_word(size) => Some(false),
        Some(size) if pointer.is_none_or(|pointer| call.inspect().has_no_effect(pointer)) => {
            pointer.map_or(Some(true), |pointer| is_aligned(call, pointer, size))
        }
        _ => None,
    };
    answer_or_unsupported(call, answer)
}

/// `__atomic_is_lock_free(size, pointer)`, `__c11_atomic_is_lock_free(size)` and `atomic_is_lock_free(pointer)`.
pub fn is_lock_free(call: &mut CallLowering) -> Lowered<CValue> {
    let names_object = call.site.name == "atomic_is_lock_free";
    let pointer = call.site.arguments.get(usize::from(!names_object)).copied();
    let size = match call.site.arguments.first() {
        Some(&object) if names_object => size_of_pointee(call, object)?,
        Some(&size) => call.integer_constant(size),
        None => None,
    };
    call.evaluate_arguments()?;
    let answer = match size {
        Some(size) if size > MAX_LOCK_FREE => Some(false),
        Some(size) if is_word(size) => match pointer {
            Some(pointer) => is_aligned(call, pointer, size).filter(|&is_aligned| is_aligned),
            None => Some(true),
        },
        _ => None,
    };
    Ok(answer_or_unsupported(call, answer))
}

fn answer_or_unsupported(call: &mut CallLowering, answer: Option<bool>) -> CValue {
    match answer {
        Some(answer) => CValue::truth(if answer { Operand::TRUE } else { Operand::FALSE }),
        None => call.unsupported(format!("the result of `{}` here", call.site.name), TypeTable::INT),
    }
}

/// Whether the type of a pointer, or null, promises the alignment of a word of this size; `None` where GCC looks at
/// more than the type.
fn is_aligned(call: &mut CallLowering, pointer: ExprId, size: i128) -> Option<bool> {
    if let Some(number) = call.integer_constant(pointer) {
        return (number == 0).then_some(true);
    }
    // The parameter is a `void *`, and GCC looks past a conversion to it.
    let mut pointer = pointer;
    let mut value = call.value_shape(pointer).ok()?;
    while let Some(operand) = call.inspect().cast_operand(pointer) {
        if call.types().pointee(value.ty).is_none_or(|pointee| !call.types().is_void(pointee.ty)) {
            break;
        }
        pointer = operand;
        value = call.value_shape(pointer).ok()?;
    }
    match call.integer_constant(pointer) {
        Some(number) => (number == 0).then_some(true),
        None if value.operand == Operand::Null => Some(true),
        None => {
            let pointee = call.types().pointee(value.ty)?;
            if call.types().is_void(pointee.ty) {
                return Some(size == 1);
            }
            call.types().size_of(pointee.ty)?;
            // An atomic object is aligned to its size.
            Some(pointee.is_atomic() || i128::from(call.types().align_of(pointee.ty)) >= size)
        }
    }
}

fn size_of_pointee(call: &mut CallLowering, pointer: ExprId) -> Lowered<Option<i128>> {
    let pointer = call.value_shape(pointer)?;
    let pointee = call.types().pointee(pointer.ty);
    Ok(pointee.and_then(|pointee| call.types().size_of(pointee.ty)).map(i128::from))
}

/// Whether the processor has atomic operations of this size, without options to the compiler.
fn is_word(size: i128) -> bool {
    matches!(size, 1 | 2 | 4 | 8)
}
