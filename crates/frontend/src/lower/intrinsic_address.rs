//! Intrinsics as values: whoever calls one through a pointer, gives it to `atexit` or starts a thread with it meets the
//! same meaning as who calls it by name. Most have a body in the prelude (`pointers.c`); here are those that the program
//! defines itself, whose meaning does not depend on their body, and inputs, whose names are not a finite list.

use program::{FunctionId, Operand, TerminatorKind};

use super::Lowerer;
use crate::emit::builder::FunctionBuilder;
use crate::emit::frame::FrameKind;
use crate::emit::value::{CValue, Form, Lowered};
use crate::emit::{FunctionState, finish_function};
use crate::library::{
    CallLowering, CallSite, ResultUse, Treatment, is_always_intrinsic, is_input, note_sync_types, treatment,
};

impl Lowerer<'_, '_> {
    /// The address of a function, which is then needed in the program.
    pub fn function_address(&mut self, function: FunctionId) -> Operand {
        let slot = &self.emit.link.functions[function];
        // An error that the system runs into, not a call, is told at the declaration.
        let is_error = matches!(slot.name.as_str(), "__VERIFIER_error" | "reach_error") && !self.built_in;
        if is_error || slot.defined && is_always_intrinsic(&slot.name) {
            return Operand::Function(self.intrinsic_with_body(function));
        }
        if !slot.defined && slot.body.is_none() && is_input(self.emit.link, function) {
            self.define_input(function);
        }
        if self.emit.link.needs_prelude(function) {
            note_sync_types(self.emit.link, function);
        }
        Operand::Function(function)
    }

    /// A function that does what a call by name does, for an intrinsic that the program has a body for.
    fn intrinsic_with_body(&mut self, function: FunctionId) -> FunctionId {
        if let Some(&known) = self.emit.link.intrinsic_addresses.get(&function) {
            return known;
        }
        let slot = &self.emit.link.functions[function];
        let (name, ty, span) = (slot.name.clone(), slot.ty, slot.span);
        let stand_in = self.emit.link.add_function(&format!("{name} (by address)"), ty, span);
        self.emit.link.functions[stand_in].defined = true;
        self.emit.link.intrinsic_addresses.insert(function, stand_in);
        let has_body = self.emit.link.functions[function].defined;
        self.define_without_source(stand_in, |lowerer| {
            let result = lowerer.emit.link.result_of(function);
            let result_use = ResultUse::All;
            let site = CallSite { name: &name, arguments: &[], parameters: &[], result, result_use, span };
            match treatment(&name) {
                Some(Treatment::ThenBody(lower)) => {
                    let value = lower(&mut CallLowering::new(lowerer, site))?;
                    match lowerer.emit.link.functions[function].defined {
                        true => lowerer.emit.call_body(function, span),
                        false => Ok(value),
                    }
                }
                Some(Treatment::Special(lower)) => lower(&mut CallLowering::new(lowerer, site)),
                _ => lowerer.emit.call_body(function, span),
            }
        });
        // A call through a pointer is told where the user wrote it.
        if let Some(body) = self.emit.link.functions[stand_in].body.as_mut().filter(|_| !has_body) {
            body.built_in = true;
        }
        stand_in
    }

    fn define_input(&mut self, function: FunctionId) {
        let span = self.emit.link.functions[function].span;
        let result = self.emit.link.result_of(function);
        self.define_without_source(function, |lowerer| Ok(lowerer.emit.input(result, span)));
    }

    /// Gives a function without parameters a body that `lower` emits and whose value is its result.
    fn define_without_source(&mut self, function: FunctionId, lower: impl FnOnce(&mut Self) -> Lowered<CValue>) {
        let result = self.emit.link.result_of(function);
        let slot = &self.emit.link.functions[function];
        let (name, span) = (slot.name.clone(), slot.span);
        let state = FunctionState::of_code(FunctionBuilder::new(self.emit.link.types.model), name);
        let outer = self.emit.switch_function(state);
        self.push_frame(FrameKind::Braces);
        let value = lower(self);
        self.pop_frame(span);
        let register = self.emit.link.types.register_type(result);
        let value = match value {
            Ok(value) if value.form == Form::Scalar && register.is_some() => Some(value.operand),
            _ => register.map(crate::emit::zero),
        };
        self.emit.builder.terminate(TerminatorKind::Return(value), span);
        let state = self.emit.switch_function(outer);
        let body = finish_function(state, Vec::new(), register, false, false, span);
        self.emit.link.functions[function].body = Some(body);
    }
}
