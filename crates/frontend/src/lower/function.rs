//! Function definitions: parameters, body, and what is done when the body is complete.

use base::Span;
use program::{BinaryOp, Rvalue, TerminatorKind, Type};
use program::{BlockId, DataModel, Function, FunctionId, InstructionKind, LocalId, MemoryOrder, Operand, RegisterId};
use rustc_hash::FxHashSet;

use super::Lowerer;
use super::address_taken::address_taken;
use super::backward_gotos::BackwardGotos;
use super::builder::Builder;
use super::clean_up::clean_up;
use super::entity::Entity;
use super::escaping::Escaping;
use super::frame::FrameKind;
use super::jump::Jumps;
use super::liveness::define_indeterminate;
use super::value::{Address, Lowered, Value};
use crate::ast::{Declaration, FunctionDefinition, Parameters, TypeExprKind};
use crate::ctype::{CType, FunctionType, QualType, TypeId, TypeTable};
use crate::dialect::Dialect;
use crate::symbol::Symbol;

/// Everything that belongs to the function being lowered.
pub struct FunctionState {
    pub builder: Builder,
    pub jumps: Jumps,
    pub name: String,
    /// The C result type; `None` outside functions.
    pub result: Option<QualType>,
    /// Where a structure result goes.
    pub result_address: Option<RegisterId>,
    /// The address of the variadic arguments.
    pub variadic_arguments: Option<RegisterId>,
    /// The whole body is one atomic section.
    pub atomic: bool,
    pub address_taken: FxHashSet<Symbol>,
    pub escaping: Escaping,
    /// How many choices of an order of evaluation are under way.
    pub open_choices: u32,
    /// How its arithmetic is done.
    pub dialect: Dialect,
    /// How many accesses to volatile objects have been lowered.
    pub volatile_accesses: usize,
    /// Temporary objects of the full expression at hand whose addresses it may have handed out.
    pub handed_out: Vec<LocalId>,
}

impl FunctionState {
    pub fn new(model: DataModel) -> Self {
        Self {
            builder: Builder::new(model),
            jumps: Jumps::default(),
            name: String::new(),
            result: None,
            result_address: None,
            variadic_arguments: None,
            atomic: false,
            address_taken: FxHashSet::default(),
            escaping: Escaping::default(),
            open_choices: 0,
            dialect: Dialect::default(),
            volatile_accesses: 0,
            handed_out: Vec::new(),
        }
    }
}

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
        let ty = self.link.functions[function].ty;
        let Some(signature) = self.link.types.function(ty).cloned() else {
            return self.error("type", definition.span, "this is not a function");
        };
        let name = self.link.functions[function].name.clone();
        let mut state = FunctionState::new(self.link.types.model);
        state.atomic = is_atomic_name(&name);
        state.name = name;
        state.result = Some(signature.result);
        state.address_taken = address_taken(self.ast, definition.body);
        let backward = BackwardGotos::of(self.ast, definition.body);
        if backward.has_any() {
            state.escaping = Escaping::of(self.ast, definition.body);
            state.jumps.frames.expect(backward);
        }
        let options = self.function_options.get(&function).map_or(&[][..], |options| options);
        state.dialect = self.ast.dialect.for_function(options);
        let wraps = state.dialect.wraps;
        let outer = std::mem::replace(&mut self.f, state);
        let depth = self.scopes.depth();
        self.push_frame(FrameKind::Braces);
        let outcome = self.lower_body(definition, &signature, span);
        self.scopes.truncate(depth);
        let state = std::mem::replace(&mut self.f, outer);
        let parameters = outcome?;
        if state.volatile_accesses > 0 {
            self.link.volatile_functions.insert(state.name.clone());
        }
        let mut body = self.finish(state, parameters, &signature, span);
        if wraps {
            define_overflow(&mut body);
        }
        self.link.functions[function].body = Some(body);
        Ok(())
    }

    fn lower_body(
        &mut self,
        definition: &FunctionDefinition,
        signature: &FunctionType,
        span: Span,
    ) -> Lowered<Vec<RegisterId>> {
        let mut registers = Vec::new();
        if self.link.types.is_aggregate(signature.result.ty) {
            let register = self.f.builder.pinned(Type::Pointer);
            self.f.result_address = Some(register);
            registers.push(register);
        }
        let specs = self.full_expression(span, |lowerer| lowerer.parameter_specs(definition))?;
        self.check_distinct(&specs)?;
        let declared: Vec<RegisterId> = specs.iter().map(|spec| self.declare_parameter(spec, &mut registers)).collect();
        if signature.variadic {
            let register = self.f.builder.pinned(Type::Pointer);
            self.f.variadic_arguments = Some(register);
            registers.push(register);
        }
        if self.f.atomic {
            self.emit(InstructionKind::AtomicBegin, span);
        }
        for (spec, register) in specs.iter().zip(declared) {
            self.spill_parameter(spec, register)?;
        }
        self.spoil_errno_in_model(&self.f.name.clone(), span);
        self.note_first_statement(definition.body);
        self.lower_statements(definition.body);
        self.return_at_end(definition);
        self.connect_gotos();
        debug_assert!(self.f.handed_out.is_empty());
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
                    let ty = self.parameter_type(parameter.ty)?;
                    if self.link.types.is_void(ty.ty) {
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
                let text = format!("`{}` is a parameter twice", self.name(*name));
                self.error("redefinition", *span, text)
            }
            _ => Ok(()),
        }
    }

    /// Later parameters may mention earlier ones in array sizes; such sizes are evaluated when the body begins. Until
    /// then the name stands for an unknown value of its type.
    fn make_visible(&mut self, spec: &ParameterSpec) {
        if let Some(name) = spec.name
            && self.link.types.is_scalar(spec.ty.ty)
        {
            let ty = self.register_type(spec.ty.ty);
            let register = self.f.builder.variable(ty, self.name(name));
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
                let ty = self.parameter_type(declarator.declarator.ty)?;
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
        if self.link.types.is_aggregate(spec.ty.ty) {
            let register = self.f.builder.variable(Type::Pointer, name);
            registers.push(register);
            return register;
        }
        let register = match spec.name.and_then(|name| self.scopes.lookup_here(name)) {
            Some(Entity::Register { register, .. }) => register,
            _ => {
                let ty = self.register_type(spec.ty.ty);
                self.f.builder.variable(ty, name)
            }
        };
        registers.push(register);
        register
    }

    /// A structure, and a scalar whose address is taken, lives in memory: an object of this function, which ends with it
    /// (C11 6.2.4 p6, 6.9.1 p9), while the caller's copy of a structure is known to nobody.
    fn spill_parameter(&mut self, spec: &ParameterSpec, register: RegisterId) -> Lowered<()> {
        let Some(name) = spec.name else { return Ok(()) };
        let is_aggregate = self.link.types.is_aggregate(spec.ty.ty);
        if !is_aggregate && !self.f.address_taken.contains(&name) {
            return Ok(());
        }
        let span = self.place_of(spec.span);
        let local = self.add_local(self.name(name), spec.ty.ty, None, span)?;
        self.protect_constants(local, spec.ty);
        self.begin_local(local, span);
        let (address, value) = (Operand::Local { local, offset: 0 }, Operand::Register(register));
        if is_aggregate {
            self.copy_aggregate(Address::at(address), Address::at(value), spec.ty, span)?;
        } else {
            let ty = self.register_type(spec.ty.ty);
            self.emit(InstructionKind::Store { address, value, ty, order: MemoryOrder::NonAtomic }, span);
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
        let Some(result) = self.f.result else { return };
        let register = self.link.types.register_type(result.ty);
        let value = match register {
            Some(ty) if self.f.name == "main" => Some(super::zero(ty)),
            Some(ty) => {
                // Only executions that run off the end see this; liveness drops it where they do not use it.
                let target = self.f.builder.temporary(ty);
                let kind = program::NondetKind::Indeterminate;
                self.emit(InstructionKind::Nondet { target, ty, kind }, span);
                Some(Operand::Register(target))
            }
            None => None,
        };
        self.leave_function(value, span);
    }

    /// Ends all objects and the atomic section, and returns.
    pub fn leave_function(&mut self, value: Option<Operand>, span: Span) {
        self.exit_frames(0, span);
        if self.f.atomic {
            self.emit(InstructionKind::AtomicEnd, span);
        }
        self.f.builder.terminate(TerminatorKind::Return(value), span);
    }

    /// What `return value;` returns; a structure is copied to where the caller wants it.
    pub fn returned_operand(&mut self, value: Option<Value>, span: Span) -> Lowered<Option<Operand>> {
        let Some(result) = self.f.result else { return Ok(None) };
        Ok(match (value, self.f.result_address) {
            (Some(value), Some(address)) => {
                let value = self.convert(value, result.ty, span)?;
                let target = Address::at(Operand::Register(address));
                self.copy_aggregate(target, Address::at(value.operand), QualType::plain(result.ty), span)?;
                None
            }
            (Some(value), None) if !self.link.types.is_void(result.ty) => {
                let value = self.convert(value, result.ty, span)?;
                Some(value.operand)
            }
            (None, None) => self.link.types.register_type(result.ty).map(|ty| {
                let target = self.f.builder.temporary(ty);
                let kind = program::NondetKind::Indeterminate;
                self.emit(InstructionKind::Nondet { target, ty, kind }, span);
                Operand::Register(target)
            }),
            _ => None,
        })
    }

    fn finish(
        &mut self,
        state: FunctionState,
        parameters: Vec<RegisterId>,
        signature: &FunctionType,
        span: Span,
    ) -> Function {
        let result = self.link.types.register_type(signature.result.ty);
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
        let outer = std::mem::replace(&mut self.in_prototype, true);
        self.scopes.push();
        let specs = self.old_style_parameters(&names, &definition.parameter_declarations);
        self.scopes.pop();
        self.in_prototype = outer;
        let parameters: Vec<QualType> = specs?.into_iter().map(|spec| spec.ty).collect();
        let result = self.link.types.function(ty.ty).map_or(QualType::plain(TypeTable::INT), |f| f.result);
        let function = FunctionType { result, parameters, variadic: false, prototype: false };
        Ok(self.link.types.intern(CType::Function(function)))
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

/// Makes a function of the finished state: indeterminate variables get their values, dead code goes.
pub fn finish_function(
    mut state: FunctionState,
    parameters: Vec<RegisterId>,
    result: Option<Type>,
    variadic: bool,
    built_in: bool,
    span: Span,
) -> Function {
    let uninitialised = std::mem::take(&mut state.builder.uninitialised);
    let insertions = state.jumps.frames.take_insertions();
    let registers = std::mem::take(&mut state.builder.registers);
    let locals = std::mem::take(&mut state.builder.locals);
    let (name, model) = (state.name, state.builder.model);
    let blocks = state.builder.into_blocks(span);
    let mut function = Function { name, parameters, result, variadic, registers, locals, blocks, built_in, span };
    define_indeterminate(&mut function, &uninitialised, insertions);
    clean_up(&mut function, model);
    debug_assert!(function.blocks.get(BlockId(0)).is_some());
    function
}

fn is_atomic_name(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_") && name != "__VERIFIER_atomic_begin" && name != "__VERIFIER_atomic_end"
}
