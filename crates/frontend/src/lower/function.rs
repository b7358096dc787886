//! Function definitions: parameters, body, and what is done when the body is complete.

use base::Span;
use program::{BinaryOp, Function, FunctionId, InstructionKind, MemoryOrder, Operand, RegisterId, Rvalue, Type};
use rustc_hash::FxHashSet;

use super::Lowerer;
use crate::ast::{Attribute, Declaration, FunctionDefinition, Parameters, TypeExprKind};
use crate::ctype::{CType, FunctionType, QualType, TypeId, TypeTable};
use crate::emit::frame::FrameKind;
use crate::emit::value::{Address, Lowered};
use crate::emit::{FunctionState, finish_function};
use crate::library::spoils_errno_in_model;
use crate::scopes::Entity;
use crate::survey::{BackwardGotos, BodyFacts};
use crate::symbol::Symbol;

/// A parameter of a definition: name, type and place.
struct ParameterSpec {
    name: Option<Symbol>,
    ty: QualType,
    span: Span,
}

impl Lowerer<'_, '_> {
    /// Lowers the body of `function`, whose declaration has been processed.
    pub fn define_function(&mut self, function: FunctionId, definition: &FunctionDefinition) -> Lowered<()> {
        let span = self.place_of(definition.span);
        let ty = self.emit.link.functions[function].ty;
        let Some(signature) = self.emit.link.types.function(ty).cloned() else {
            return self.error("type", definition.span, "this is not a function");
        };
        let name = self.emit.link.functions[function].name.clone();
        let backward = BackwardGotos::of(self.ast, definition.body);
        let body = BodyFacts::of(self.ast, definition.body, &backward);
        let mut state = FunctionState::new(self.emit.link.types.model);
        if backward.has_any() {
            state.jumps.frames.expect(backward);
        }
        state.context.atomic = is_atomic_name(&name);
        state.context.name = name;
        state.context.result = Some(signature.result);
        state.context.dialect = self.ast.dialect.for_function(self.linkage.options_of(function));
        let wraps = state.context.dialect.wraps;
        let outer = (self.emit.switch_function(state), std::mem::replace(&mut self.body, body));
        let depth = self.scopes.depth();
        self.push_frame(FrameKind::Braces);
        let outcome = self.lower_body(definition, &signature, span);
        self.scopes.truncate(depth);
        let state = self.emit.switch_function(outer.0);
        self.body = outer.1;
        let parameters = outcome?;
        if state.context.volatile_accesses > 0 {
            self.emit.link.volatile_functions.insert(state.context.name.clone());
        }
        let mut body = self.finish(state, parameters, &signature, span);
        if wraps {
            define_overflow(&mut body);
        }
        self.emit.link.functions[function].body = Some(body);
        Ok(())
    }

    fn lower_body(
        &mut self,
        definition: &FunctionDefinition,
        signature: &FunctionType,
        span: Span,
    ) -> Lowered<Vec<RegisterId>> {
        let mut registers = Vec::new();
        if self.emit.link.types.is_aggregate(signature.result.ty) {
            let register = self.emit.builder.pinned(Type::Pointer);
            self.emit.function.result_address = Some(register);
            registers.push(register);
        }
        let specs = self.full_expression(span, |lowerer| lowerer.parameter_specs(definition))?;
        self.check_distinct(&specs)?;
        let declared: Vec<RegisterId> = specs.iter().map(|spec| self.declare_parameter(spec, &mut registers)).collect();
        if signature.variadic {
            let register = self.emit.builder.pinned(Type::Pointer);
            self.emit.function.variadic_arguments = Some(register);
            registers.push(register);
        }
        if self.emit.function.atomic {
            self.emit.builder.emit(InstructionKind::AtomicBegin, span);
        }
        for (spec, register) in specs.iter().zip(declared) {
            self.spill_parameter(spec, register)?;
        }
        if self.built_in && self.emit.link.uses_errno && spoils_errno_in_model(&self.emit.function.name) {
            self.emit.spoil_errno(span);
        }
        self.note_first_statement(definition.body);
        self.lower_statements(definition.body);
        self.return_at_end(definition);
        self.emit.connect_gotos();
        debug_assert!(self.emit.function.handed_out.is_empty());
        Ok(registers)
    }

    fn parameter_specs(&mut self, definition: &FunctionDefinition) -> Lowered<Vec<ParameterSpec>> {
        let TypeExprKind::Function { parameters, .. } = &self.ast[definition.declarator.ty].kind else {
            return self.error("type", definition.span, "this is not a function");
        };
        match parameters {
            Parameters::Unspecified => Ok(Vec::new()),
            Parameters::Prototype { parameters, .. } => {
                let mut specs: Vec<ParameterSpec> = Vec::new();
                for parameter in parameters {
                    let ty = self.type_resolver().parameter_type(parameter.ty, &parameter.attributes)?;
                    if self.emit.link.types.is_void(ty.ty) {
                        continue;
                    }
                    let spec = ParameterSpec { name: parameter.name, ty, span: parameter.span };
                    self.make_visible(&spec);
                    specs.push(spec);
                }
                Ok(specs)
            }
            Parameters::Identifiers(names) => {
                let names = names.clone();
                self.old_style_parameters(&names, &definition.parameter_declarations)
            }
        }
    }

    fn check_distinct(&mut self, specs: &[ParameterSpec]) -> Lowered<()> {
        let mut names = FxHashSet::default();
        match specs.iter().find(|spec| spec.name.is_some_and(|name| !names.insert(name))) {
            Some(ParameterSpec { name: Some(name), span, .. }) => {
                let text = format!("the parameter `{}` is declared twice", self.name(*name));
                self.error("redefinition", *span, text)
            }
            _ => Ok(()),
        }
    }

    /// Later parameters may mention earlier ones in array sizes; such sizes are evaluated when the body begins. Until
    /// then the name stands for an unknown value of its type.
    fn make_visible(&mut self, spec: &ParameterSpec) {
        if let Some(name) = spec.name
            && self.emit.link.types.is_scalar(spec.ty.ty)
        {
            let ty = self.emit.register_type(spec.ty.ty);
            let register = self.emit.builder.variable(ty, self.name(name));
            self.scopes.declare(name, Entity::Register { register, ty: spec.ty }, spec.span);
        }
    }

    fn old_style_parameters(
        &mut self,
        names: &[(Symbol, Span)],
        declarations: &[Declaration],
    ) -> Lowered<Vec<ParameterSpec>> {
        let mut specs: Vec<ParameterSpec> = names
            .iter()
            .map(|&(name, span)| ParameterSpec { name: Some(name), ty: QualType::plain(TypeTable::INT), span })
            .collect();
        for declaration in declarations {
            for declarator in &declaration.declarators {
                let attributes = declaration.specifiers.attributes.iter().chain(&declarator.declarator.attributes);
                let attributes: Vec<Attribute> = attributes.cloned().collect();
                let ty = self.type_resolver().parameter_type(declarator.declarator.ty, &attributes)?;
                if let Some(spec) = specs.iter_mut().find(|spec| spec.name == Some(declarator.declarator.name)) {
                    spec.ty = ty;
                }
            }
        }
        specs.iter().for_each(|spec| self.make_visible(spec));
        Ok(specs)
    }

    /// Gives the parameter its register; returns it.
    fn declare_parameter(&mut self, spec: &ParameterSpec, registers: &mut Vec<RegisterId>) -> RegisterId {
        let name = spec.name.map_or("", |name| self.name(name));
        if self.emit.link.types.is_aggregate(spec.ty.ty) {
            let register = self.emit.builder.variable(Type::Pointer, name);
            registers.push(register);
            return register;
        }
        let register = match spec.name.and_then(|name| self.scopes.lookup_here(name)) {
            Some(Entity::Register { register, .. }) => register,
            _ => {
                let ty = self.emit.register_type(spec.ty.ty);
                self.emit.builder.variable(ty, name)
            }
        };
        registers.push(register);
        register
    }

    /// A structure, and a scalar whose address is taken, lives in memory: an object of this function, which ends with it
    /// (C11 6.2.4 p6, 6.9.1 p9), while the caller's copy of a structure is known to nobody.
    fn spill_parameter(&mut self, spec: &ParameterSpec, register: RegisterId) -> Lowered<()> {
        let Some(name) = spec.name else { return Ok(()) };
        let is_aggregate = self.emit.link.types.is_aggregate(spec.ty.ty);
        if !is_aggregate && !self.body.address_taken.contains(&name) {
            return Ok(());
        }
        let span = self.place_of(spec.span);
        let local = self.emit.add_local(self.name(name), spec.ty.ty, None, span)?;
        self.emit.protect_constants(local, spec.ty);
        self.emit.begin_local(local, span);
        let (address, value) = (Operand::Local { local, offset: 0 }, Operand::Register(register));
        if is_aggregate {
            self.emit.copy_aggregate(Address::at(address), Address::at(value), spec.ty, span)?;
        } else {
            let ty = self.emit.register_type(spec.ty.ty);
            self.emit.builder.emit(InstructionKind::Store { address, value, ty, order: MemoryOrder::NonAtomic }, span);
        }
        self.scopes.declare(name, Entity::Local { local, ty: spec.ty }, spec.span);
        Ok(())
    }

    /// Control that runs off the end returns: 0 from `main`, and an indeterminate value from other functions.
    fn return_at_end(&mut self, definition: &FunctionDefinition) {
        let span = match &self.ast[definition.body].kind {
            crate::ast::StmtKind::Compound(block) => self.place_of(block.end),
            _ => self.place_of(definition.span),
        };
        let Some(result) = self.emit.function.result else { return };
        let register = self.emit.link.types.register_type(result.ty);
        let value = match register {
            Some(ty) if self.emit.function.name == "main" => Some(crate::emit::zero(ty)),
            Some(ty) => {
                // Only executions that run off the end see this; liveness drops it where they do not use it.
                let target = self.emit.builder.temporary(ty);
                let kind = program::NondetKind::Indeterminate;
                self.emit.builder.emit(InstructionKind::Nondet { target, ty, kind }, span);
                Some(Operand::Register(target))
            }
            None => None,
        };
        self.emit.leave_function(value, span);
    }

    fn finish(
        &mut self,
        state: FunctionState,
        parameters: Vec<RegisterId>,
        signature: &FunctionType,
        span: Span,
    ) -> Function {
        let result = self.emit.link.types.register_type(signature.result.ty);
        finish_function(state, parameters, result, signature.variadic, self.built_in, span)
    }

    /// The type of a definition: K&R parameters become a signature without prototype.
    pub fn definition_type(&mut self, definition: &FunctionDefinition) -> Lowered<TypeId> {
        let ty = self.resolve_type(definition.declarator.ty)?;
        let TypeExprKind::Function { parameters: Parameters::Identifiers(names), .. } =
            &self.ast[definition.declarator.ty].kind
        else {
            return Ok(ty.ty);
        };
        let names = names.clone();
        let outer = self.written_types.set_in_prototype(true);
        self.scopes.push();
        let specs = self.old_style_parameters(&names, &definition.parameter_declarations);
        self.scopes.pop();
        self.written_types.set_in_prototype(outer);
        let parameters: Vec<QualType> = specs?.into_iter().map(|spec| spec.ty).collect();
        let result = self.emit.link.types.function(ty.ty).map_or(QualType::plain(TypeTable::INT), |f| f.result);
        let function = FunctionType { result, parameters, variadic: false, prototype: false };
        Ok(self.emit.link.types.intern(CType::Function(function)))
    }
}

/// Makes arithmetic wrap around. A quotient that is too large stays undefined.
fn define_overflow(function: &mut Function) {
    for instruction in function.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
        let InstructionKind::Assign { value, .. } = &mut instruction.kind else { continue };
        match value {
            Rvalue::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl, signed, .. }
            | Rvalue::Unary { signed, .. } => *signed = false,
            _ => {}
        }
    }
}

fn is_atomic_name(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_") && name != "__VERIFIER_atomic_begin" && name != "__VERIFIER_atomic_end"
}
