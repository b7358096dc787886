//! GCC's `__builtin_*` functions. Those that have an ordinary library function behind them are that function.

use program::{InstructionKind, Operand, TerminatorKind};

use super::atomics::atomic_call;
use super::call::{CallLowering, CallSite};
use super::constant_calls::constant_call;
use super::intrinsics::{abort_call, placed_check};
use super::memory::alloca;
use super::overflow::overflow_call;
use super::varargs::{va_copy, va_start};
use crate::ast::ExprId;
use crate::ctype::{TypeId, TypeTable};
use crate::emit::value::{CValue, Form, Lowered};
use crate::library::{Treatment, treatment};
use crate::prelude;

/// `None` if the name is not a builtin that we know.
pub fn builtin_call(call: &mut CallLowering) -> Lowered<Option<CValue>> {
    if let Some(value) = atomic_call(call)? {
        return Ok(Some(value));
    }
    if call.is_in_constant()
        && let Some(value) = constant_call(call)?
    {
        return Ok(Some(value));
    }
    if let Some(checked) = checked_variant(call.site.name) {
        return checked_call(call, checked).map(Some);
    }
    let Some(name) = call.site.name.strip_prefix("__builtin_") else { return Ok(None) };
    if let Some(value) = overflow_call(call, name)? {
        return Ok(Some(value));
    }
    let value = match name {
        "expect" | "expect_with_probability" => expect(call)?,
        "constant_p" => constant_p(call)?,
        "unreachable" => {
            call.terminate(TerminatorKind::Unreachable);
            CValue::void()
        }
        "trap" => abort_call(call)?,
        "va_start" => va_start(call)?,
        "va_copy" => va_copy(call)?,
        "va_end" => CValue::void(),
        "prefetch" | "__clear_cache" => {
            call.evaluate_arguments()?;
            CValue::void()
        }
        "object_size" | "dynamic_object_size" => object_size(call)?,
        "assume_aligned" => {
            let pointer = call.argument(0)?;
            call.pin(pointer.operand);
            call.evaluate_from(1)?;
            pointer
        }
        "inf" | "huge_val" => double(f64::INFINITY),
        "inff" | "huge_valf" => float(f32::INFINITY),
        "nan" => double(f64::NAN),
        "nanf" => float(f32::NAN),
        "isnan" => is_nan(call)?,
        "return_address" | "frame_address" | "extract_return_addr" => {
            call.unsupported(format!("`{}`", call.site.name), TypeTable::VOID_POINTER)
        }
        "alloca" | "alloca_with_align" => {
            let site = CallSite { result: TypeTable::VOID_POINTER, ..call.site };
            alloca(&mut call.instead(site))?
        }
        "gordian_invariant" => placed_check(call)?,
        _ => return library_builtin(call, name),
    };
    Ok(Some(value))
}

fn expect(call: &mut CallLowering) -> Lowered<CValue> {
    let Some(&argument) = call.site.arguments.first() else { return call.argument(0) };
    let value = call.value_of(argument)?;
    call.evaluate_from(1)?;
    match value.form {
        Form::Truth => Ok(value),
        _ => call.convert(value, TypeTable::LONG),
    }
}

fn constant_p(call: &mut CallLowering) -> Lowered<CValue> {
    let Some(&argument) = call.site.arguments.first() else { return call.argument(0) };
    let constant = match call.constant(argument)? {
        Some(value) => matches!(value.operand, Operand::Int { .. } | Operand::Float(_) | Operand::Double(_)),
        None => false,
    };
    Ok(call.emit_with(|emit, _| emit.integer(u64::from(constant), TypeTable::INT)))
}

/// Of an object with a name the compiler knows the size; whether it does of others depends on how much it looks at.
fn object_size(call: &mut CallLowering) -> Lowered<CValue> {
    let ty = call.types().size_type();
    let named = call.site.arguments.first().and_then(|&argument| call.inspect().size_of_named(argument));
    if let Some(size) = named {
        return Ok(call.emit_with(|emit, _| emit.integer(size, ty)));
    }
    Ok(call.unsupported(format!("the result of `{}` for this object", call.site.name), ty))
}

/// A function that checks the size of an object, which is what `_FORTIFY_SOURCE` makes of an ordinary one: that one.
fn checked_call(call: &mut CallLowering, (plain, dropped): (&str, &[usize])) -> Lowered<CValue> {
    let mut arguments = Vec::new();
    for (index, &argument) in call.site.arguments.iter().enumerate() {
        match dropped.contains(&index) {
            false => arguments.push(argument),
            true if call.inspect().asks_for_size(argument) => {}
            true if plain.contains("printf") || plain.contains("syslog") => call.discard(argument)?,
            true => need_enough_room(call, argument)?,
        }
    }
    let inner = CallSite { name: plain, arguments: &arguments, parameters: &[], ..call.site };
    match library_builtin(&mut call.instead(inner), plain)? {
        Some(value) => call.convert(value, call.site.result),
        None => Ok(call.unsupported(format!("`{}`", call.site.name), call.site.result)),
    }
}

/// A size that is told by other means is not compared with what is accessed: that it limits nothing must be certain.
fn need_enough_room(call: &mut CallLowering, size: ExprId) -> Lowered<()> {
    let unlimited = [-1, i128::from(u64::MAX)];
    if !call.integer_constant(size).is_some_and(|size| unlimited.contains(&size)) {
        call.instruction(InstructionKind::Unsupported { what: format!("`{}` with this size", call.site.name) });
    }
    call.discard(size)
}

fn is_nan(call: &mut CallLowering) -> Lowered<CValue> {
    let value = call.argument(0)?;
    call.pin(value.operand);
    call.emit_with(|emit, span| emit.binary(crate::ast::BinaryOp::NotEqual, value, value, span))
}

/// `__builtin_memcpy` and the like.
fn library_builtin(call: &mut CallLowering, name: &str) -> Lowered<Option<CValue>> {
    if let Some(function) = call.link().find_external_function(name)
        && call.types().function(call.link().functions[function].ty).is_some()
    {
        return call.call_declared(function).map(Some);
    }
    if let Some(Treatment::Special(lower)) = treatment(name) {
        let inner = CallSite { name, result: builtin_result(name), ..call.site };
        return lower(&mut call.instead(inner)).map(Some);
    }
    for candidate in [call.site.name, name] {
        if prelude::defines(candidate) {
            return call_model(call, candidate).map(Some);
        }
    }
    Ok(None)
}

/// Calls a function of the prelude that the program does not declare.
fn call_model(call: &mut CallLowering, name: &str) -> Lowered<CValue> {
    let function = call.link_mut().prelude_function(name);
    call.link_mut().needs_prelude(function);
    let Some(signature) = call.model_signature(name) else {
        return Ok(call.unsupported(format!("`{}`", call.site.name), call.site.result));
    };
    call.call_by_signature(function, &signature)
}

/// The result of a function that is lowered by code of its own.
fn builtin_result(name: &str) -> TypeId {
    match name {
        "malloc" | "calloc" | "realloc" | "aligned_alloc" | "memcpy" | "memmove" | "memset" | "mempcpy" | "alloca" => {
            TypeTable::VOID_POINTER
        }
        "free" | "abort" | "exit" => TypeTable::VOID,
        _ => TypeTable::INT,
    }
}

/// The ordinary function behind one that is told the size of an object, and the arguments that it has more.
fn checked_variant(name: &str) -> Option<(&'static str, &'static [usize])> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk"))?;
    let known: [(&'static str, &'static [usize]); 36] = [
        ("memcpy", &[3]),
        ("memmove", &[3]),
        ("mempcpy", &[3]),
        ("memset", &[3]),
        ("explicit_bzero", &[2]),
        ("strcpy", &[2]),
        ("stpcpy", &[2]),
        ("strcat", &[2]),
        ("strncpy", &[3]),
        ("stpncpy", &[3]),
        ("strncat", &[3]),
        ("strlcpy", &[3]),
        ("strlcat", &[3]),
        ("sprintf", &[1, 2]),
        ("vsprintf", &[1, 2]),
        ("snprintf", &[2, 3]),
        ("vsnprintf", &[2, 3]),
        ("printf", &[0]),
        ("vprintf", &[0]),
        ("fprintf", &[1]),
        ("vfprintf", &[1]),
        ("dprintf", &[1]),
        ("vdprintf", &[1]),
        ("asprintf", &[1]),
        ("vasprintf", &[1]),
        ("syslog", &[1]),
        ("vsyslog", &[1]),
        ("fgets", &[1]),
        ("fread", &[1]),
        ("read", &[3]),
        ("pread", &[4]),
        ("recv", &[3]),
        ("getcwd", &[2]),
        ("realpath", &[2]),
        ("readlink", &[3]),
        ("gethostname", &[2]),
    ];
    known.into_iter().find(|(name, _)| *name == plain)
}

fn double(value: f64) -> CValue {
    CValue::scalar(Operand::Double(value.to_bits()), TypeTable::DOUBLE)
}

fn float(value: f32) -> CValue {
    CValue::scalar(Operand::Float(value.to_bits()), TypeTable::FLOAT)
}
