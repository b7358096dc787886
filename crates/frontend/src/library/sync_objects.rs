//! Calls of `<pthread.h>` and `<semaphore.h>` in programs that declare the types of these headers in their own way.

use program::{FunctionId, Operand};

use super::call::CallLowering;
use crate::ast::ExprId;
use crate::ctype::{CType, QualType, TypeId};
use crate::emit::value::Lowered;
use crate::link::Linker;
use crate::sync_types::{declaration, holds_handle, objects_of};

/// What about the declared types of a library function's arguments is not supported.
pub fn odd_declaration(call: &mut CallLowering) -> Lowered<Option<String>> {
    // The library's own models have no types for these objects.
    if call.is_in_model() {
        return Ok(None);
    }
    for (index, &kind) in objects_of(call.site.name).iter().enumerate() {
        let target = target_of_argument(call, index)?;
        let known = target.and_then(|target| declaration(call.types(), target, kind));
        let Some(known) = known else {
            return Ok(Some(format!("`{}` of an object that is not declared as a {kind}", call.site.name)));
        };
        if !call.link_mut().sync_types.note(kind, known) {
            return Ok(Some(format!("`{}` where the program declares two types of {kind}", call.site.name)));
        }
    }
    if has_odd_attributes(call)? {
        return Ok(Some(format!("`{}` with an attribute type that the program declares", call.site.name)));
    }
    Ok(has_odd_handle(call)?
        .then(|| format!("`{}` with a thread handle type that the program declares", call.site.name)))
}

/// Notes how a function that is used through pointers declares its objects.
pub fn note_sync_types(link: &mut Linker<'_>, function: FunctionId) {
    let slot = &link.functions[function];
    let Some(signature) = link.types.function(slot.ty) else { return };
    for (&kind, parameter) in objects_of(&slot.name).iter().zip(&signature.parameters) {
        let target = link.types.pointee(parameter.ty);
        if let Some(known) = target.and_then(|target| declaration(&link.types, target.ty, kind)) {
            link.sync_types.note(kind, known);
        }
    }
}

/// What the n-th argument points to: as the parameter is declared or, where that says nothing, as it is given.
fn target_of_argument(call: &mut CallLowering, index: usize) -> Lowered<Option<TypeId>> {
    let complete = |call: &CallLowering, ty: TypeId| {
        let target = call.types().pointee(ty).map(|target| target.ty);
        target.filter(|&target| call.types().size_of(target).is_some())
    };
    if let Some(target) = call.site.parameters.get(index).and_then(|parameter| complete(call, parameter.ty)) {
        return Ok(Some(target));
    }
    let Some(&argument) = call.site.arguments.get(index) else { return Ok(None) };
    let given = call.value_shape(argument)?.ty;
    Ok(complete(call, given))
}

fn is_null_pointer(call: &mut CallLowering, argument: ExprId) -> Lowered<bool> {
    let value = call.value_shape(argument)?;
    Ok(matches!(value.operand, Operand::Null | Operand::Int { value: 0, .. }))
}

/// Attribute objects hold an `int` at their start.
fn has_odd_attributes(call: &mut CallLowering) -> Lowered<bool> {
    let index = match call.site.name {
        "pthread_create" | "pthread_mutex_init" | "pthread_barrier_init" => 1,
        name if name.starts_with("pthread_attr_") || name.starts_with("pthread_mutexattr_") => 0,
        _ => return Ok(false),
    };
    let Some(&argument) = call.site.arguments.get(index) else { return Ok(false) };
    if is_null_pointer(call, argument)? {
        return Ok(false);
    }
    let target = target_of_argument(call, index)?;
    Ok(target.and_then(|target| call.types().size_of(target)).is_none_or(|size| size < 4))
}

fn has_odd_handle(call: &mut CallLowering) -> Lowered<bool> {
    let ty = match call.site.name {
        "pthread_create" | "thrd_create" => match target_of_argument(call, 0)? {
            Some(target) => target,
            None => match call.site.arguments.first() {
                Some(&argument) => return Ok(!is_null_pointer(call, argument)?),
                None => return Ok(false),
            },
        },
        "pthread_join" | "pthread_detach" | "thrd_join" | "thrd_detach" => match call.site.parameters.first() {
            Some(parameter) => parameter.ty,
            None => match call.site.arguments.first() {
                Some(&argument) => call.value_shape(argument)?.ty,
                None => return Ok(false),
            },
        },
        "pthread_equal" | "thrd_equal" => match call.site.parameters.first() {
            Some(&QualType { ty, .. }) => ty,
            None => return Ok(false),
        },
        "pthread_self" | "thrd_current" => call.site.result,
        _ => return Ok(false),
    };
    Ok(!matches!(call.types().kind(ty), CType::Void) && !holds_handle(call.types(), ty))
}
