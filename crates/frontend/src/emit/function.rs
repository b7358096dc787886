//! The function under construction: its code, its jumps, and what `return` has to know.

use base::Span;
use program::{BlockId, DataModel, Function, InstructionKind, LocalId, Operand, RegisterId, TerminatorKind, Type};

use super::Emitter;
use super::builder::FunctionBuilder;
use super::clean_up::clean_up;
use super::jump::Jumps;
use super::liveness::define_indeterminate;
use super::value::{Address, CValue, Lowered};
use crate::ctype::QualType;
use crate::dialect::Dialect;

/// What the code of a function depends on besides its types.
#[derive(Default)]
pub struct FunctionContext {
    pub name: String,
    /// The C result type; `None` outside functions.
    pub result: Option<QualType>,
    /// Where a structure result goes.
    pub result_address: Option<RegisterId>,
    /// The address of the variadic arguments.
    pub variadic_arguments: Option<RegisterId>,
    /// The whole body is one atomic section.
    pub atomic: bool,
    /// How many choices of an order of evaluation are under way.
    pub open_choices: u32,
    /// How its arithmetic is done.
    pub dialect: Dialect,
    /// How many accesses to volatile objects have been lowered.
    pub volatile_accesses: usize,
    /// Temporary objects of the full expression at hand whose addresses it may have handed out.
    pub handed_out: Vec<LocalId>,
}

/// A function under construction, while another one is being emitted or when its code is complete.
pub struct FunctionState {
    pub builder: FunctionBuilder,
    pub jumps: Jumps,
    pub context: FunctionContext,
}

impl FunctionState {
    pub fn new(model: DataModel) -> Self {
        Self::of_code(FunctionBuilder::new(model), String::new())
    }

    /// A function whose code is there already.
    pub fn of_code(builder: FunctionBuilder, name: String) -> Self {
        Self { builder, jumps: Jumps::default(), context: FunctionContext { name, ..FunctionContext::default() } }
    }
}

impl Emitter<'_, '_> {
    /// Goes on with another function; returns the one that was under construction.
    pub fn switch_function(&mut self, state: FunctionState) -> FunctionState {
        FunctionState {
            builder: std::mem::replace(&mut self.builder, state.builder),
            jumps: std::mem::replace(&mut self.jumps, state.jumps),
            context: std::mem::replace(&mut self.function, state.context),
        }
    }

    /// Whether a variable is still indeterminate here: it was declared without a value, and nothing so far gives it one.
    pub fn has_no_value(&self, register: RegisterId) -> bool {
        let builder = &self.builder;
        let mut instructions = builder.blocks.iter().flat_map(|block| &block.instructions);
        self.jumps.continues.is_empty()
            && !self.jumps.frames.awaits_goto()
            && builder.uninitialised.iter().any(|variable| variable.register == register)
            && !instructions.any(|instruction| instruction.kind.targets().contains(&register))
    }

    /// Ends all objects and the atomic section, and returns.
    pub fn leave_function(&mut self, value: Option<Operand>, span: Span) {
        self.exit_frames(0, span);
        if self.function.atomic {
            self.builder.emit(InstructionKind::AtomicEnd, span);
        }
        self.builder.terminate(TerminatorKind::Return(value), span);
    }

    /// What `return value;` returns; a structure is copied to where the caller wants it.
    pub fn returned_operand(&mut self, value: Option<CValue>, span: Span) -> Lowered<Option<Operand>> {
        let Some(result) = self.function.result else { return Ok(None) };
        Ok(match (value, self.function.result_address) {
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
                let target = self.builder.temporary(ty);
                let kind = program::NondetKind::Indeterminate;
                self.builder.emit(InstructionKind::Nondet { target, ty, kind }, span);
                Operand::Register(target)
            }),
            _ => None,
        })
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
    let (name, model) = (state.context.name, state.builder.model);
    let blocks = state.builder.into_blocks(span);
    let mut function = Function { name, parameters, result, variadic, registers, locals, blocks, built_in, span };
    define_indeterminate(&mut function, &uninitialised, insertions);
    clean_up(&mut function, model);
    debug_assert!(function.blocks.get(BlockId(0)).is_some());
    function
}
