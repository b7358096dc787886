//! Calls of `<pthread.h>` and `<semaphore.h>` in programs that declare the types of these headers in their own way.

use program::{FunctionId, Operand};

use super::Lowerer;
use super::call::CallSite;
use super::value::Lowered;
use crate::ast::ExprId;
use crate::ctype::{CType, QualType, TypeId};
use crate::sync_types::{declaration, holds_handle, objects_of};

impl Lowerer<'_, '_> {
    /// What about the declared types of a library function's arguments is not supported.
    pub fn odd_declaration(&mut self, site: &CallSite<'_>) -> Lowered<Option<String>> {
        // The library's own models have no types for these objects.
        if self.built_in {
            return Ok(None);
        }
        for (index, &kind) in objects_of(site.name).iter().enumerate() {
            let target = self.target_of_argument(site, index)?;
            let known = target.and_then(|target| declaration(&self.link.types, target, kind));
            let Some(known) = known else {
                return Ok(Some(format!("`{}` of an object that is not declared as a {kind}", site.name)));
            };
            if !self.link.sync_types.note(kind, known) {
                return Ok(Some(format!("`{}` where the program declares a {kind} in two ways", site.name)));
            }
        }
        if self.has_odd_attributes(site)? {
            return Ok(Some(format!("`{}` with attributes of a type of the program's own", site.name)));
        }
        Ok(self.has_odd_handle(site)?.then(|| format!("`{}` with thread handles of a type of their own", site.name)))
    }

    /// Notes how a function that is used through pointers declares its objects.
    pub fn note_sync_types(&mut self, function: FunctionId) {
        let slot = &self.link.functions[function];
        let Some(signature) = self.link.types.function(slot.ty) else { return };
        for (&kind, parameter) in objects_of(&slot.name).iter().zip(&signature.parameters) {
            let target = self.link.types.pointee(parameter.ty);
            if let Some(known) = target.and_then(|target| declaration(&self.link.types, target.ty, kind)) {
                self.link.sync_types.note(kind, known);
            }
        }
    }

    /// What the n-th argument points to: as the parameter is declared or, where that says nothing, as it is given.
    fn target_of_argument(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<Option<TypeId>> {
        let complete = |this: &Self, ty: TypeId| {
            let target = this.link.types.pointee(ty).map(|target| target.ty);
            target.filter(|&target| this.link.types.size_of(target).is_some())
        };
        if let Some(target) = site.parameters.get(index).and_then(|parameter| complete(self, parameter.ty)) {
            return Ok(Some(target));
        }
        let Some(&argument) = site.arguments.get(index) else { return Ok(None) };
        let given = self.value_shape(argument)?.ty;
        Ok(complete(self, given))
    }

    fn is_null_pointer(&mut self, argument: ExprId) -> Lowered<bool> {
        let value = self.value_shape(argument)?;
        Ok(matches!(value.operand, Operand::Null | Operand::Int { value: 0, .. }))
    }

    /// Attribute objects hold an `int` at their start.
    fn has_odd_attributes(&mut self, site: &CallSite<'_>) -> Lowered<bool> {
        let index = match site.name {
            "pthread_create" | "pthread_mutex_init" | "pthread_barrier_init" => 1,
            name if name.starts_with("pthread_attr_") || name.starts_with("pthread_mutexattr_") => 0,
            _ => return Ok(false),
        };
        let Some(&argument) = site.arguments.get(index) else { return Ok(false) };
        if self.is_null_pointer(argument)? {
            return Ok(false);
        }
        let target = self.target_of_argument(site, index)?;
        Ok(target.and_then(|target| self.link.types.size_of(target)).is_none_or(|size| size < 4))
    }

    fn has_odd_handle(&mut self, site: &CallSite<'_>) -> Lowered<bool> {
        let ty = match site.name {
            "pthread_create" | "thrd_create" => match self.target_of_argument(site, 0)? {
                Some(target) => target,
                None => match site.arguments.first() {
                    Some(&argument) => return Ok(!self.is_null_pointer(argument)?),
                    None => return Ok(false),
                },
            },
            "pthread_join" | "pthread_detach" | "thrd_join" | "thrd_detach" => match site.parameters.first() {
                Some(parameter) => parameter.ty,
                None => match site.arguments.first() {
                    Some(&argument) => self.value_shape(argument)?.ty,
                    None => return Ok(false),
                },
            },
            "pthread_equal" | "thrd_equal" => match site.parameters.first() {
                Some(&QualType { ty, .. }) => ty,
                None => return Ok(false),
            },
            "pthread_self" | "thrd_current" => site.result,
            _ => return Ok(false),
        };
        Ok(!matches!(self.link.types.kind(ty), CType::Void) && !holds_handle(&self.link.types, ty))
    }
}
