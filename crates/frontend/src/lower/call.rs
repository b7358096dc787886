//! Calls: direct, through pointers, of library functions; arguments and results.
//!
//! Arguments are evaluated left to right. A structure argument is copied by the caller into an object of its own, whose
//! address is passed, and by the callee into its parameter; a structure result is written through a hidden first argument.

use base::Span;
use program::{Callee, FunctionId, InstructionKind, Operand};

use super::Lowerer;
use crate::ast::{ExprId, ExprKind};
use crate::ctype::{FunctionType, QualType, TypeTable};
use crate::emit::EvaluatedCall;
use crate::emit::value::{Address, CValue, Form, Lowered};
use crate::library::{
    CallLowering, CallSite, ResultUse, builtin_call, is_always_intrinsic, library_call, need_standard_stream,
};
use crate::prelude::{self, Models};
use crate::scopes::Entity;
use crate::survey::takes_unevaluated;
use crate::symbol::Symbol;

impl Lowerer<'_, '_> {
    /// Lowers the call `expr`; of its result this much is looked at, or only the sign if it is compared with zero.
    pub fn call(
        &mut self,
        callee: ExprId,
        arguments: &[ExprId],
        expr: ExprId,
        result_use: ResultUse,
    ) -> Lowered<CValue> {
        let span = self.span(expr);
        let is_compared = self.compared_with_zero.take() == Some(expr);
        let result_use = if is_compared && result_use == ResultUse::All { ResultUse::Sign } else { result_use };
        if let Some(name) = self.inspect().called_name(callee) {
            match self.scopes.lookup(name) {
                Some(Entity::Function(function)) if !self.emit.link.functions[function].absent => {
                    return self.call_function(function, arguments, result_use, span);
                }
                None => return self.call_undeclared(name, arguments, expr, result_use),
                _ => {}
            }
        }
        self.call_pointer(callee, arguments, span)
    }

    /// Of a function that compares strings or memory only the sign of the result is specified. Where nobody looks at more, the
    /// model that tells just that is called.
    fn comparison_of_sign(&mut self, site: &CallSite<'_>) -> Option<FunctionId> {
        let sign = format!("__gordian_sign_of_{}", site.name);
        if site.wants_value() || !prelude::defines(&sign) {
            return None;
        }
        let function = self.emit.link.prelude_function(&sign);
        self.emit.link.needs_prelude(function);
        Some(function)
    }

    fn call_undeclared(
        &mut self,
        name: Symbol,
        arguments: &[ExprId],
        expr: ExprId,
        result_use: ResultUse,
    ) -> Lowered<CValue> {
        let (text, span) = (self.name(name), self.span(expr));
        let site = CallSite { name: text, arguments, parameters: &[], result: TypeTable::INT, result_use, span };
        let evaluated = if takes_unevaluated(text) { &[][..] } else { arguments };
        let settled = self.settle(evaluated, span)?;
        let value = match builtin_call(&mut CallLowering::new(self, site)) {
            Ok(Some(value)) => Ok(value),
            Ok(None) => {
                let function = self.declare_implicitly(name, self.ast[expr].span);
                self.call_function(function, arguments, ResultUse::All, span)
            }
            Err(reported) => Err(reported),
        };
        self.operands.release(settled);
        value
    }

    fn call_pointer(&mut self, callee: ExprId, arguments: &[ExprId], span: Span) -> Lowered<CValue> {
        let operands: Vec<ExprId> = std::iter::once(callee).chain(arguments.iter().copied()).collect();
        let settled = self.settle(&operands, span)?;
        let value = self.call_value(callee, arguments, span);
        self.operands.release(settled);
        value
    }

    fn call_value(&mut self, callee: ExprId, arguments: &[ExprId], span: Span) -> Lowered<CValue> {
        let value = self.rvalue(callee)?;
        let target = self.emit.link.types.pointee(value.ty);
        let Some(signature) = target.and_then(|target| self.emit.link.types.function(target.ty)).cloned() else {
            let name = self.emit.link.types.name(value.ty);
            return self.error(
                "type",
                self.ast[callee].span,
                format!("`{name}` is not a function and cannot be called"),
            );
        };
        if let Operand::Function(function) = value.operand {
            return self.call_by_type(function, &signature, arguments, span);
        }
        self.emit.builder.pin(value.operand);
        self.emit_call(Callee::Indirect(value.operand), &signature, arguments, span)
    }

    /// Calls a known function by a type that its name was cast to. If that is not its own, the call is one of the cast's
    /// type, and arrives at the function as registers carry it (`adapt`).
    fn call_by_type(
        &mut self,
        function: FunctionId,
        signature: &FunctionType,
        arguments: &[ExprId],
        span: Span,
    ) -> Lowered<CValue> {
        let slot = &self.emit.link.functions[function];
        let Some(own) = self.emit.link.types.function(slot.ty).cloned() else {
            return self.call_function(function, arguments, ResultUse::All, span);
        };
        let is_declared_only = !own.prototype && !slot.defined;
        if is_declared_only || self.emit.link.types.passes_alike(signature, &own, arguments.len()) {
            return self.call_function(function, arguments, ResultUse::All, span);
        }
        let has_code = slot.defined && !is_always_intrinsic(&slot.name);
        if has_code
            && self.emit.link.types.travels_in_registers(signature)
            && self.emit.link.types.travels_in_registers(&own)
        {
            return self.emit_call(Callee::Direct(function), signature, arguments, span);
        }
        let what = format!("call of `{}` through an incompatible function type", slot.name);
        arguments.iter().try_for_each(|&argument| self.discard(argument))?;
        Ok(self.emit.unsupported(what, signature.result.ty, span))
    }

    /// Calls a function by its identity: an intrinsic, a body, a model, or nothing we know.
    pub fn call_function(
        &mut self,
        function: FunctionId,
        arguments: &[ExprId],
        result_use: ResultUse,
        span: Span,
    ) -> Lowered<CValue> {
        let slot = &self.emit.link.functions[function];
        let (name, defined) = (slot.name.clone(), slot.defined);
        let Some(signature) = self.emit.link.types.function(slot.ty).cloned() else {
            return self.error("type", span, format!("`{name}` is not a function"));
        };
        let (parameters, result) = (&signature.parameters[..], signature.result.ty);
        let site = CallSite { name: &name, arguments, parameters, result, result_use, span };
        if !is_always_intrinsic(&name) && defined {
            return self.emit_call(Callee::Direct(function), &signature, arguments, span);
        }
        need_standard_stream(&mut CallLowering::new(self, site));
        let settled = self.settle(arguments, span)?;
        let value = self.call_outside(&site, &signature, function);
        self.operands.release(settled);
        value
    }

    /// Calls a function that has a meaning of its own, or no body. The order of its arguments has been seen to.
    fn call_outside(&mut self, site: &CallSite<'_>, signature: &FunctionType, function: FunctionId) -> Lowered<CValue> {
        if let Some(value) = library_call(&mut CallLowering::new(self, *site), function)? {
            return Ok(value);
        }
        let defined = self.emit.link.functions[function].defined;
        if defined || self.emit.link.needs_prelude(function) {
            let sign = if defined { None } else { self.comparison_of_sign(site) };
            return self.emit_call(Callee::Direct(sign.unwrap_or(function)), signature, site.arguments, site.span);
        }
        self.call_unknown(site, signature, function)
    }

    /// A function without body or model: a stub if the user asked for one, otherwise unsupported.
    fn call_unknown(&mut self, site: &CallSite<'_>, signature: &FunctionType, function: FunctionId) -> Lowered<CValue> {
        if !self.emit.link.options.stubs.covers(site.name) {
            // The call stays, so that what it is given (functions to call back, say) stays in the program.
            let callee = Callee::Direct(function);
            let call = self.evaluate_call(callee, signature, site.arguments, site.span)?;
            let what = format!("call of external function `{}`", site.name);
            self.emit.builder.emit(InstructionKind::Unsupported { what }, site.span);
            return Ok(self.emit.finish_call(call, site.span));
        }
        self.check_argument_count(signature, site.arguments, site.span)?;
        site.arguments.iter().try_for_each(|&argument| self.discard(argument))?;
        self.emit.link.assume(format!("`{}` has no effect and returns any value", site.name));
        if self.emit.link.types.is_aggregate(signature.result.ty) {
            return self.emit.aggregate_input(signature.result.ty, site.span);
        }
        Ok(self.emit.input(signature.result.ty, site.span))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Calls of C functions

    pub fn emit_call(
        &mut self,
        callee: Callee,
        signature: &FunctionType,
        arguments: &[ExprId],
        span: Span,
    ) -> Lowered<CValue> {
        let call = self.evaluate_call(callee, signature, arguments, span)?;
        Ok(self.emit.finish_call(call, span))
    }

    /// Evaluates the arguments of a call.
    fn evaluate_call(
        &mut self,
        callee: Callee,
        signature: &FunctionType,
        arguments: &[ExprId],
        span: Span,
    ) -> Lowered<EvaluatedCall> {
        let mut operands = Vec::new();
        let result = signature.result.ty;
        let result_object = match self.emit.link.types.is_aggregate(result) {
            true => {
                let address = self.emit.temporary_object(result, "(result)", span)?;
                operands.push(address);
                Some(address)
            }
            false => None,
        };
        self.check_argument_count(signature, arguments, span)?;
        let mut extra = Vec::new();
        let settled = self.settle(arguments, span)?;
        for (index, &argument) in arguments.iter().enumerate() {
            let value = self.passed_argument(signature, arguments, index)?;
            match signature.variadic && index >= signature.parameters.len() {
                true => extra.push(value),
                false => operands.push(self.passed(argument, value)?),
            }
        }
        self.operands.release(settled);
        let mut variadic_object = None;
        if signature.variadic {
            let address = self.emit.variadic_object(&extra, span)?;
            operands.push(address);
            if let Operand::Local { local, .. } = address {
                variadic_object = Some(local);
            }
        }
        Ok(EvaluatedCall { callee, operands, result, result_object, variadic_object })
    }

    /// An argument with the type in which it travels.
    fn passed_argument(&mut self, signature: &FunctionType, arguments: &[ExprId], index: usize) -> Lowered<CValue> {
        let value = self.rvalue(arguments[index])?;
        let place = self.span(arguments[index]);
        match signature.parameters.get(index) {
            Some(parameter) => self.emit.convert(value, parameter.ty, place),
            None => self.emit.promoted_argument(value, place),
        }
    }

    fn check_argument_count(&mut self, signature: &FunctionType, arguments: &[ExprId], span: Span) -> Lowered<()> {
        if !signature.prototype {
            return Ok(());
        }
        let (needed, given) = (signature.parameters.len(), arguments.len());
        if given < needed || given > needed && !signature.variadic {
            let few = if given < needed { "few" } else { "many" };
            return self.error("arguments", span, format!("too {few} arguments: {given} given, {needed} needed"));
        }
        Ok(())
    }

    /// The operand that stands for an argument: structures are copied first, unless they are the result of a call, which
    /// is in an object that nobody else knows.
    fn passed(&mut self, argument: ExprId, value: CValue) -> Lowered<Operand> {
        let is_result = matches!(self.ast[argument].kind, ExprKind::Call { .. });
        let is_local = matches!(value.operand, Operand::Local { .. });
        if value.form != Form::Aggregate || is_result && is_local {
            return Ok(value.operand);
        }
        let span = self.span(argument);
        let copy = self.emit.temporary_object(value.ty, "(argument)", span)?;
        let ty = QualType::plain(value.ty);
        self.emit.copy_aggregate(Address::at(copy), Address::at(value.operand), ty, span)?;
        Ok(copy)
    }

    /// The type of a model, as the prelude declares it.
    pub fn model_signature(&mut self, name: &str) -> Option<FunctionType> {
        let models = Models::alone(name)?;
        let definition = models.definition(name)?;
        let mut lowerer = Lowerer::new(&models.unit, &mut *self.emit.link, true);
        let ty = lowerer.resolve_type(definition.declarator.ty).ok()?;
        self.emit.link.types.function(ty.ty).cloned()
    }
}
