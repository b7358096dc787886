//! Inputs by name: `T nondet_name(void)` and `T __VERIFIER_nondet_name(void)` are any value of their type. A function of
//! such a name that has parameters or no result does something that the name does not say, and is none of them.

use program::FunctionId;

use super::call::CallLowering;
use crate::ctype::{IntKind, TypeId, TypeTable};
use crate::emit::value::{CValue, Lowered};
use crate::link::Linker;

/// What a name says about the type of an input.
pub enum NamedType {
    Known(TypeId),
    /// The name tells a type that no input can have.
    Unsupported,
}

/// `double` of `nondet_double` and `__VERIFIER_nondet_double`.
pub fn input_name(function: &str) -> Option<&str> {
    function.strip_prefix("__VERIFIER_nondet_").or_else(|| function.strip_prefix("nondet_"))
}

/// Whether the function has the name and the type of an input.
pub fn is_input(link: &Linker<'_>, function: FunctionId) -> bool {
    let slot = &link.functions[function];
    let Some(signature) = link.types.function(slot.ty) else { return false };
    let takes_nothing = signature.parameters.is_empty() && !signature.variadic;
    input_name(&slot.name).is_some() && takes_nothing && !link.types.is_void(signature.result.ty)
}

/// `None` if the function is not an input, whatever its name.
pub fn nondet_call(call: &mut CallLowering, function: FunctionId) -> Lowered<Option<CValue>> {
    if !call.site.arguments.is_empty() || !is_input(call.link(), function) {
        return Ok(None);
    }
    Ok(Some(call.input(call.site.result)))
}

/// The result type of an input that the program does not declare: the one its name tells, `int` if it tells none.
pub fn type_of_undeclared_input(types: &mut TypeTable, name: &str) -> NamedType {
    use IntKind::*;
    let kind = match name {
        "double" => return NamedType::Known(TypeTable::DOUBLE),
        "float" => return NamedType::Known(TypeTable::FLOAT),
        "bool" | "_Bool" => return NamedType::Known(TypeTable::BOOL),
        "pointer" | "ptr" | "pchar" | "charp" => return NamedType::Known(TypeTable::VOID_POINTER),
        "char" => Char,
        "schar" | "s8" | "int8" | "int8_t" => SignedChar,
        "uchar" | "u8" | "uint8" | "uint8_t" | "unsigned_char" => UnsignedChar,
        "short" | "s16" | "int16" | "int16_t" => Short,
        "ushort" | "u16" | "uint16" | "uint16_t" | "unsigned_short" => UnsignedShort,
        "uint" | "unsigned" | "unsigned_int" | "u32" | "uint32" | "uint32_t" => UnsignedInt,
        "long" | "loff_t" | "ssize_t" | "off_t" => Long,
        "ulong" | "unsigned_long" | "size_t" | "sector_t" => UnsignedLong,
        "longlong" | "long_long" | "llong" | "s64" | "int64" | "int64_t" => LongLong,
        "ulonglong" | "unsigned_long_long" | "ullong" | "u64" | "uint64" | "uint64_t" => UnsignedLongLong,
        "string" | "memory" | "longdouble" | "long_double" | "float128" | "int128" | "uint128" => {
            return NamedType::Unsupported;
        }
        _ => Int,
    };
    NamedType::Known(types.int(kind))
}
