//! Calls: direct, through pointers, of library functions; arguments and results.
//!
//! Arguments are evaluated left to right. A structure argument is copied by the caller into an object of its own, whose
//! address is passed, and by the callee into its parameter; a structure result is written through a hidden first argument.

use base::Span;
use program::{Callee, FunctionId, InstructionKind, LocalId, NondetKind, Operand, Type};

use super::entity::Entity;
use super::nondet::input_name;
use super::value::{Address, Form, Lowered, Place, PlaceKind, Value};
use super::{Lowerer, zero};
use crate::ast::{ExprId, ExprKind, UnaryOp};
use crate::ctype::{FunctionType, QualType, TypeId, TypeTable};
use crate::leaves::{LeafKind, leaves};
use crate::library::{Treatment, is_always_intrinsic, treatment};
use crate::prelude;
use crate::symbol::Symbol;
use library::Meaning;

/// A call of a function known by name.
#[derive(Clone, Copy)]
pub struct CallSite<'a> {
    pub name: &'a str,
    pub arguments: &'a [ExprId],
    /// The declared parameters, as far as they are known.
    pub parameters: &'a [QualType],
    /// The declared result type.
    pub result: TypeId,
    /// Whether anybody looks at the result.
    pub used: bool,
    /// Whether the result is only compared with zero.
    pub sign_only: bool,
    pub span: Span,
}

impl CallSite<'_> {
    /// Whether anybody looks at more than the sign of the result.
    pub fn wants_value(&self) -> bool {
        self.used && !self.sign_only
    }
}

/// A call whose arguments have been evaluated.
struct EvaluatedCall {
    callee: Callee,
    operands: Vec<Operand>,
    result: TypeId,
    /// Where a structure result goes.
    result_object: Option<Operand>,
    /// The object that holds the variadic arguments.
    variadic_object: Option<LocalId>,
}

impl Lowerer<'_, '_> {
    pub fn call(&mut self, callee: ExprId, arguments: &[ExprId], expr: ExprId) -> Lowered<Value> {
        let span = self.span(expr);
        let unused = std::mem::take(&mut self.result_unused);
        let sign_only = self.sign_only.take() == Some(expr);
        if let Some(name) = self.called_name(callee) {
            (self.result_unused, self.result_sign_only) = (unused, sign_only);
            match self.scopes.lookup(name) {
                Some(Entity::Function(function)) if !self.link.functions[function].absent => {
                    return self.call_function(function, arguments, span);
                }
                None => return self.call_undeclared(name, arguments, span, self.ast[expr].span),
                _ => (self.result_unused, self.result_sign_only) = (false, false),
            }
        }
        self.call_pointer(callee, arguments, span)
    }

    pub fn is_literal_zero(&self, expr: ExprId) -> bool {
        matches!(self.ast[expr].kind, ExprKind::Integer(constant) if constant.value == 0)
    }

    /// Of a function that compares strings or memory only the sign of the result is specified. Where nobody looks at more, the
    /// model that tells just that is called.
    fn comparison_of_sign(&mut self, site: &CallSite<'_>) -> Option<FunctionId> {
        let sign = format!("__gordian_sign_of_{}", site.name);
        if site.wants_value() || !prelude::defines(&sign) {
            return None;
        }
        let function = self.link.prelude_function(&sign);
        self.needs_prelude(function);
        Some(function)
    }

    /// `f` in `f(…)`, `(*f)(…)` and `(&f)(…)`.
    fn called_name(&self, mut callee: ExprId) -> Option<Symbol> {
        loop {
            match self.ast[callee].kind {
                ExprKind::Name(name) => return Some(name),
                ExprKind::Unary { op: UnaryOp::Dereference | UnaryOp::AddressOf, operand } => {
                    let named = match self.ast[operand].kind {
                        ExprKind::Name(name) => matches!(self.scopes.lookup(name), Some(Entity::Function(_))),
                        _ => true,
                    };
                    if !named {
                        return None;
                    }
                    callee = operand;
                }
                _ => return None,
            }
        }
    }

    fn call_undeclared(&mut self, name: Symbol, arguments: &[ExprId], span: Span, place: Span) -> Lowered<Value> {
        let text = self.name(name);
        let used = !std::mem::take(&mut self.result_unused);
        let sign_only = std::mem::take(&mut self.result_sign_only);
        let site = CallSite { name: text, arguments, parameters: &[], result: TypeTable::INT, used, sign_only, span };
        if let Some(value) = self.builtin_call(&site)? {
            return Ok(value);
        }
        let function = self.declare_implicitly(name, place);
        self.call_function(function, arguments, span)
    }

    fn call_pointer(&mut self, callee: ExprId, arguments: &[ExprId], span: Span) -> Lowered<Value> {
        let operands: Vec<ExprId> = std::iter::once(callee).chain(arguments.iter().copied()).collect();
        let settled = self.settle(&operands, span)?;
        let value = self.call_value(callee, arguments, span);
        self.unsettle(settled);
        value
    }

    fn call_value(&mut self, callee: ExprId, arguments: &[ExprId], span: Span) -> Lowered<Value> {
        let value = self.rvalue(callee)?;
        let target = self.link.types.pointee(value.ty);
        let Some(signature) = target.and_then(|target| self.link.types.function(target.ty)).cloned() else {
            let name = self.link.types.name(value.ty);
            return self.error(
                "type",
                self.ast[callee].span,
                format!("`{name}` is not a function and cannot be called"),
            );
        };
        if let Operand::Function(function) = value.operand {
            return self.call_by_type(function, &signature, arguments, span);
        }
        self.f.builder.pin(value.operand);
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
    ) -> Lowered<Value> {
        let slot = &self.link.functions[function];
        let Some(own) = self.link.types.function(slot.ty).cloned() else {
            return self.call_function(function, arguments, span);
        };
        let is_declared_only = !own.prototype && !slot.defined;
        if is_declared_only || self.passes_alike(signature, &own, arguments.len()) {
            return self.call_function(function, arguments, span);
        }
        let has_code = slot.defined && !is_always_intrinsic(&slot.name);
        if has_code && self.travels_in_registers(signature) && self.travels_in_registers(&own) {
            return self.emit_call(Callee::Direct(function), signature, arguments, span);
        }
        let what = format!("a call of `{}` with another type than it has", slot.name);
        arguments.iter().try_for_each(|&argument| self.discard(argument))?;
        Ok(self.unsupported(what, signature.result.ty, span))
    }

    /// Whether a call by the type `call` is the same as one by the function's own type.
    fn passes_alike(&self, call: &FunctionType, own: &FunctionType, arguments: usize) -> bool {
        let alike = |one: QualType, other: QualType| {
            let registers = [one, other].map(|ty| self.link.types.register_type(ty.ty));
            registers[0] == registers[1] && (registers[0].is_some() || one.ty == other.ty)
        };
        if !alike(call.result, own.result) || call.variadic != own.variadic {
            return false;
        }
        match (call.prototype, own.prototype) {
            (true, true) => {
                call.parameters.len() == own.parameters.len()
                    && call.parameters.iter().zip(&own.parameters).all(|(&one, &other)| alike(one, other))
            }
            (true, false) => false,
            (false, true) => arguments == own.parameters.len(),
            (false, false) => true,
        }
    }

    /// Whether all that is passed are scalars: no structures, whose addresses are passed, and no extra arguments.
    fn travels_in_registers(&self, signature: &FunctionType) -> bool {
        let is_aggregate = |ty: &QualType| self.link.types.is_aggregate(ty.ty);
        !signature.variadic && !is_aggregate(&signature.result) && !signature.parameters.iter().any(is_aggregate)
    }

    /// Calls a function by its identity: an intrinsic, a body, a model, or nothing we know.
    pub fn call_function(&mut self, function: FunctionId, arguments: &[ExprId], span: Span) -> Lowered<Value> {
        let slot = &self.link.functions[function];
        let (name, defined) = (slot.name.clone(), slot.defined);
        let Some(signature) = self.link.types.function(slot.ty).cloned() else {
            return self.error("type", span, format!("`{name}` is not a function"));
        };
        let used = !std::mem::take(&mut self.result_unused);
        let sign_only = std::mem::take(&mut self.result_sign_only);
        let (parameters, result) = (&signature.parameters[..], signature.result.ty);
        let site = CallSite { name: &name, arguments, parameters, result, used, sign_only, span };
        if !is_always_intrinsic(&name) && defined {
            return self.emit_call(Callee::Direct(function), &signature, arguments, span);
        }
        self.need_standard_stream(&site);
        let settled = self.settle(arguments, span)?;
        let value = self.call_outside(&site, &signature, function);
        self.unsettle(settled);
        value
    }

    /// Calls a function that has a meaning of its own, or no body. The order of its arguments has been seen to.
    fn call_outside(&mut self, site: &CallSite<'_>, signature: &FunctionType, function: FunctionId) -> Lowered<Value> {
        if let Some(value) = self.library_call(site, function)? {
            return Ok(value);
        }
        let defined = self.link.functions[function].defined;
        if defined || self.needs_prelude(function) {
            let sign = if defined { None } else { self.comparison_of_sign(site) };
            return self.emit_call(Callee::Direct(sign.unwrap_or(function)), signature, site.arguments, site.span);
        }
        self.call_unknown(site, signature, function)
    }

    /// Whether the prelude has a model of the function; it will be lowered.
    pub fn needs_prelude(&mut self, function: FunctionId) -> bool {
        let slot = &self.link.functions[function];
        if slot.defined || !prelude::defines(&slot.name) {
            return false;
        }
        if prelude::is_approximate(&slot.name) {
            let text =
                "`pow`, `sin` and relatives are rounded as here; a system's library may differ in the last digits";
            self.link.assume(text.to_owned());
        }
        if self.link.functions[function].name == "qsort" {
            self.link.assume("qsort() compares elements in the order of an insertion sort".to_owned());
        }
        let slot = &self.link.functions[function];
        if slot.body.is_none() && !self.link.prelude_queue.contains(&function) {
            self.link.prelude_queue.push(function);
        }
        true
    }

    fn library_call(&mut self, site: &CallSite<'_>, function: FunctionId) -> Lowered<Option<Value>> {
        if let Some(value) = self.builtin_call(site)? {
            return Ok(Some(value));
        }
        if input_name(site.name).is_some() {
            return self.nondet_call(site, function);
        }
        let Some(treatment) = treatment(site.name) else { return Ok(None) };
        if let Some(obstacle) = self.odd_declaration(site)? {
            return Ok(Some(self.unsupported(obstacle, site.result, site.span)));
        }
        let value = match treatment {
            Treatment::Special(lower) => lower(self, site)?,
            Treatment::Row(row) => match row.meaning {
                Meaning::Contract | Meaning::Yield => self.contract_call(site, row)?,
                Meaning::Sync(op) => self.sync_call(site, op)?,
                Meaning::Model | Meaning::Lowered => return Ok(None),
            },
            Treatment::ThenBody(lower) => {
                let value = lower(self, site)?;
                if !self.link.functions[function].defined {
                    return Ok(Some(value));
                }
                return Ok(None);
            }
        };
        self.spoil_errno_after(site, value)?;
        Ok(Some(value))
    }

    /// A function without body or model: a stub if the user asked for one, otherwise unsupported.
    fn call_unknown(&mut self, site: &CallSite<'_>, signature: &FunctionType, function: FunctionId) -> Lowered<Value> {
        if !self.link.options.stubs.covers(site.name) {
            // The call stays, so that what it is given (functions to call back, say) stays in the program.
            let callee = Callee::Direct(function);
            let call = self.evaluate_call(callee, signature, site.arguments, site.span)?;
            let what = format!("call of external function `{}`", site.name);
            self.emit(InstructionKind::Unsupported { what }, site.span);
            return Ok(self.finish_call(call, site.span));
        }
        self.check_argument_count(signature, site.arguments, site.span)?;
        self.evaluate_arguments(site)?;
        self.link.assume(format!("`{}` has no effect and returns any value", site.name));
        if self.link.types.is_aggregate(signature.result.ty) {
            return self.aggregate_input(signature.result.ty, site.span);
        }
        Ok(self.input(signature.result.ty, site.span))
    }

    /// A structure with any contents, as far as they are values.
    fn aggregate_input(&mut self, ty: TypeId, span: Span) -> Lowered<Value> {
        let address = self.temporary_object(ty, "(result)", span)?;
        let Ok(leaves) = leaves(&self.link.types, ty) else {
            return Ok(self.unsupported("a result with pointers in a union", ty, span));
        };
        for leaf in leaves {
            let ty = match leaf.kind {
                LeafKind::Pointer => TypeTable::VOID_POINTER,
                LeafKind::Truth => TypeTable::BOOL,
            };
            let value = self.input(ty, span);
            let place = PlaceKind::Memory(Address::at(address).plus(leaf.offset));
            self.store(Place { kind: place, ty: QualType::plain(ty) }, value, span)?;
        }
        Ok(Value::aggregate(address, ty))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Results and arguments of library calls

    /// A value that the environment decides.
    pub fn input(&mut self, ty: TypeId, span: Span) -> Value {
        let Some(register) = self.link.types.register_type(ty) else {
            if self.link.types.is_void(ty) {
                return Value::void();
            }
            return self.unsupported("a nondeterministic value of this type", ty, span);
        };
        if register == Type::Pointer {
            return self.unknown_pointer(ty, span);
        }
        let target = self.f.builder.temporary(register);
        self.emit(InstructionKind::Nondet { target, ty: register, kind: NondetKind::Input }, span);
        let value = Value::scalar(Operand::Register(target), ty);
        if ty != TypeTable::BOOL {
            return value;
        }
        let different = program::Rvalue::Binary {
            op: program::BinaryOp::Ne,
            ty: register,
            left: value.operand,
            right: zero(register),
            signed: false,
        };
        let truth = self.compute(different, Type::BOOL, span);
        let byte = self.cast(program::CastOp::ZeroExtend, Type::BOOL, register, truth, span);
        Value::scalar(byte, ty)
    }

    /// Null, or a pointer that can only be copied and compared with null.
    fn unknown_pointer(&mut self, ty: TypeId, span: Span) -> Value {
        let (left, right) = (self.input(TypeTable::BOOL, span).operand, Operand::int(8, 0));
        let test = program::Rvalue::Binary { op: program::BinaryOp::Ne, ty: Type::Int(8), left, right, signed: false };
        let condition = self.compute(test, Type::BOOL, span);
        let unknown = Operand::Global { global: self.link.unknown_object(), offset: 0 };
        let operand = self.choose(condition, Type::Pointer, Operand::Null, unknown, span);
        Value::scalar(operand, ty)
    }

    /// A constant of the declared result type.
    pub fn constant_result(&mut self, site: &CallSite<'_>, value: i64) -> Value {
        match self.link.types.register_type(site.result) {
            Some(Type::Int(_)) => self.integer(value as u64, site.result),
            Some(other) => Value::scalar(zero(other), site.result),
            None => Value::void(),
        }
    }

    pub fn evaluate_arguments(&mut self, site: &CallSite<'_>) -> Lowered<()> {
        self.evaluate_from(site, 0)
    }

    /// Evaluates the arguments from the n-th on for their effects.
    pub fn evaluate_from(&mut self, site: &CallSite<'_>, first: usize) -> Lowered<()> {
        for &argument in site.arguments.iter().skip(first) {
            self.discard(argument)?;
        }
        Ok(())
    }

    pub fn argument(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<Value> {
        match site.arguments.get(index) {
            Some(&argument) => {
                let value = self.rvalue(argument)?;
                self.materialise(value, site.span)
            }
            None => {
                let text = format!("`{}` needs at least {} arguments", site.name, index + 1);
                self.error("arguments", site.span, text)
            }
        }
    }

    /// The n-th argument converted to a type.
    pub fn argument_as(&mut self, site: &CallSite<'_>, index: usize, ty: TypeId) -> Lowered<Operand> {
        let value = self.argument(site, index)?;
        let value = self.convert(value, ty, site.span)?;
        Ok(value.operand)
    }

    pub fn pointer_argument(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<Operand> {
        self.argument_as(site, index, TypeTable::VOID_POINTER)
    }

    /// An argument of type `size_t`, as an integer of pointer width.
    pub fn size_argument(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<Operand> {
        let ty = self.link.types.size_type();
        self.argument_as(site, index, ty)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Calls of C functions

    pub fn emit_call(
        &mut self,
        callee: Callee,
        signature: &FunctionType,
        arguments: &[ExprId],
        span: Span,
    ) -> Lowered<Value> {
        let call = self.evaluate_call(callee, signature, arguments, span)?;
        Ok(self.finish_call(call, span))
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
        let result_object = match self.link.types.is_aggregate(result) {
            true => {
                let address = self.temporary_object(result, "(result)", span)?;
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
        self.unsettle(settled);
        let mut variadic_object = None;
        if signature.variadic {
            let address = self.variadic_object(&extra, span)?;
            operands.push(address);
            if let Operand::Local { local, .. } = address {
                variadic_object = Some(local);
            }
        }
        Ok(EvaluatedCall { callee, operands, result, result_object, variadic_object })
    }

    /// An argument with the type in which it travels.
    fn passed_argument(&mut self, signature: &FunctionType, arguments: &[ExprId], index: usize) -> Lowered<Value> {
        let value = self.rvalue(arguments[index])?;
        let place = self.span(arguments[index]);
        match signature.parameters.get(index) {
            Some(parameter) => self.convert(value, parameter.ty, place),
            None => self.promoted_argument(value, place),
        }
    }

    fn finish_call(&mut self, call: EvaluatedCall, span: Span) -> Value {
        let EvaluatedCall { callee, operands, result, result_object, variadic_object } = call;
        let target = self.link.types.register_type(result).map(|ty| self.f.builder.temporary(ty));
        self.emit(InstructionKind::Call { target, callee, arguments: operands }, span);
        if let Some(local) = variadic_object {
            self.emit(InstructionKind::End { local }, span);
        }
        match (result_object, target) {
            (Some(address), _) => Value::aggregate(address, result),
            (None, Some(target)) => Value::scalar(Operand::Register(target), result),
            (None, None) => Value::void(),
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

    /// How a value travels where no parameter type is known.
    pub fn promoted_argument(&mut self, value: Value, span: Span) -> Lowered<Value> {
        match value.form {
            Form::Aggregate => Ok(value),
            Form::Void => self.error("type", span, "an argument has no value"),
            Form::Scalar | Form::Truth => {
                let ty = self.link.types.default_promoted(value.ty);
                self.convert(value, ty, span)
            }
        }
    }

    /// The operand that stands for an argument: structures are copied first, unless they are the result of a call, which
    /// is in an object that nobody else knows.
    fn passed(&mut self, argument: ExprId, value: Value) -> Lowered<Operand> {
        let is_result = matches!(self.ast[argument].kind, ExprKind::Call { .. });
        let is_local = matches!(value.operand, Operand::Local { .. });
        if value.form != Form::Aggregate || is_result && is_local {
            return Ok(value.operand);
        }
        let span = self.span(argument);
        let copy = self.temporary_object(value.ty, "(argument)", span)?;
        let ty = QualType::plain(value.ty);
        self.copy_aggregate(Address::at(copy), Address::at(value.operand), ty, span)?;
        Ok(copy)
    }

    /// Calls the body of a function that takes nothing.
    pub fn call_body(&mut self, function: FunctionId, span: Span) -> Lowered<Value> {
        let result = self.result_of(function);
        let target = self.link.types.register_type(result).map(|ty| self.f.builder.temporary(ty));
        let kind = InstructionKind::Call { target, callee: Callee::Direct(function), arguments: Vec::new() };
        self.emit(kind, span);
        Ok(target.map_or(Value::void(), |target| Value::scalar(Operand::Register(target), result)))
    }

    /// The result type of a function.
    pub fn result_of(&self, function: FunctionId) -> TypeId {
        let signature = self.link.types.function(self.link.functions[function].ty);
        signature.map_or(TypeTable::VOID, |signature| signature.result.ty)
    }
}
