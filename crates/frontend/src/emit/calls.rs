//! Calls whose arguments are operands already: of the program's functions, and of the library's models in the prelude.

use base::Span;
use program::{Callee, FunctionId, InstructionKind, LocalId, Operand, Type};

use super::Emitter;
use super::value::{CValue, Form, Lowered};
use crate::ctype::TypeId;

/// A call whose arguments have been evaluated.
pub struct EvaluatedCall {
    pub callee: Callee,
    pub operands: Vec<Operand>,
    pub result: TypeId,
    /// Where a structure result goes.
    pub result_object: Option<Operand>,
    /// The object that holds the variadic arguments.
    pub variadic_object: Option<LocalId>,
}

impl Emitter<'_, '_> {
    /// How a value travels where no parameter type is known.
    pub fn promoted_argument(&mut self, value: CValue, span: Span) -> Lowered<CValue> {
        match value.form {
            Form::Aggregate => Ok(value),
            Form::Void => self.error("type", span, "an argument has type void"),
            Form::Scalar | Form::Truth => {
                let ty = self.link.types.default_promoted(value.ty);
                self.convert(value, ty, span)
            }
        }
    }

    /// Calls the body of a function that takes nothing.
    pub fn call_body(&mut self, function: FunctionId, span: Span) -> Lowered<CValue> {
        let result = self.link.result_of(function);
        let target = self.link.types.register_type(result).map(|ty| self.builder.temporary(ty));
        let kind = InstructionKind::Call { target, callee: Callee::Direct(function), arguments: Vec::new() };
        self.builder.emit(kind, span);
        Ok(target.map_or(CValue::void(), |target| CValue::scalar(Operand::Register(target), result)))
    }

    pub fn finish_call(&mut self, call: EvaluatedCall, span: Span) -> CValue {
        let EvaluatedCall { callee, operands, result, result_object, variadic_object } = call;
        let target = self.link.types.register_type(result).map(|ty| self.builder.temporary(ty));
        self.builder.emit(InstructionKind::Call { target, callee, arguments: operands }, span);
        if let Some(local) = variadic_object {
            self.builder.emit(InstructionKind::End { local }, span);
        }
        match (result_object, target) {
            (Some(address), _) => CValue::aggregate(address, result),
            (None, Some(target)) => CValue::scalar(Operand::Register(target), result),
            (None, None) => CValue::void(),
        }
    }

    /// Calls a function of the prelude that returns nothing.
    pub fn call_prelude(&mut self, name: &str, arguments: Vec<Operand>, span: Span) {
        let function = self.link.prelude_function(name);
        self.link.needs_prelude(function);
        let callee = Callee::Direct(function);
        self.builder.emit(InstructionKind::Call { target: None, callee, arguments }, span);
    }

    /// Calls a function of the prelude that returns an `int`.
    pub fn prelude_value(&mut self, name: &str, arguments: Vec<Operand>, span: Span) -> Operand {
        let function = self.link.prelude_function(name);
        self.link.needs_prelude(function);
        let target = self.builder.temporary(Type::Int(32));
        let callee = Callee::Direct(function);
        self.builder.emit(InstructionKind::Call { target: Some(target), callee, arguments }, span);
        Operand::Register(target)
    }

    /// The number of an open stream, which stands in the object that it is.
    pub fn stream_number(&mut self, stream: Operand, span: Span) -> Operand {
        // The prelude defines the standard streams.
        let function = self.link.prelude_function("__gordian_optional_stream");
        self.link.needs_prelude(function);
        let number = self.builder.load_plain(stream, Type::Int(32), span);
        self.builder.pin(number)
    }

    pub fn spoil_errno(&mut self, span: Span) {
        let function = self.link.prelude_function("__gordian_spoil_errno");
        self.link.needs_prelude(function);
        let call = InstructionKind::Call { target: None, callee: Callee::Direct(function), arguments: Vec::new() };
        self.builder.emit(call, span);
    }
}
