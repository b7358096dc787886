//! What the code of a library function consists of: the arguments and the result of the call at hand, and operations on
//! values. All code that is emitted here has the place of the call.

use base::Span;
use program::{BlockId, FunctionId, InstructionKind, Operand, RegisterId, Rvalue, TerminatorKind, Type};

use super::failing::Failing;
use crate::ast::ExprId;
use crate::ctype::{FunctionType, QualType, TypeId, TypeTable};
use crate::emit::value::{Address, CValue, LValue, Lowered};
use crate::emit::{Emitter, zero};
use crate::link::Linker;
use crate::lower::Lowerer;
use crate::survey::Inspector;

/// A call of a function known by name.
#[derive(Clone, Copy)]
pub struct CallSite<'a> {
    pub name: &'a str,
    pub arguments: &'a [ExprId],
    /// The declared parameters, as far as they are known.
    pub parameters: &'a [QualType],
    /// The declared result type.
    pub result: TypeId,
    pub result_use: ResultUse,
    pub span: Span,
}

/// What of the result of a call anybody looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultUse {
    Nothing,
    /// It is only compared with zero.
    Sign,
    All,
}

impl CallSite<'_> {
    /// Whether anybody looks at the result.
    pub fn is_used(&self) -> bool {
        self.result_use != ResultUse::Nothing
    }

    /// Whether anybody looks at more than the sign of the result.
    pub fn wants_value(&self) -> bool {
        self.result_use == ResultUse::All
    }
}

/// A call of a library function that is being lowered.
pub struct CallLowering<'c, 'a, 'o> {
    lowerer: &'c mut Lowerer<'a, 'o>,
    pub site: CallSite<'c>,
}

impl<'c, 'a, 'o> CallLowering<'c, 'a, 'o> {
    pub fn new(lowerer: &'c mut Lowerer<'a, 'o>, site: CallSite<'c>) -> Self {
        Self { lowerer, site }
    }

    /// The same place in the code as a call of another function.
    pub fn instead<'n>(&'n mut self, site: CallSite<'n>) -> CallLowering<'n, 'a, 'o> {
        CallLowering { lowerer: self.lowerer, site }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Arguments

    pub fn argument(&mut self, index: usize) -> Lowered<CValue> {
        match self.site.arguments.get(index) {
            Some(&argument) => {
                let value = self.value_of(argument)?;
                self.emit_with(|emit, span| emit.materialise(value, span))
            }
            None => {
                let text = format!("`{}` needs at least {} arguments", self.site.name, index + 1);
                self.error("arguments", text)
            }
        }
    }

    /// The n-th argument converted to a type.
    pub fn argument_as(&mut self, index: usize, ty: TypeId) -> Lowered<Operand> {
        let value = self.argument(index)?;
        Ok(self.convert(value, ty)?.operand)
    }

    pub fn pointer_argument(&mut self, index: usize) -> Lowered<Operand> {
        self.argument_as(index, TypeTable::VOID_POINTER)
    }

    /// An argument of type `size_t`, as an integer of pointer width.
    pub fn size_argument(&mut self, index: usize) -> Lowered<Operand> {
        let ty = self.types().size_type();
        self.argument_as(index, ty)
    }

    /// Evaluates all arguments for their effects.
    pub fn evaluate_arguments(&mut self) -> Lowered<()> {
        self.evaluate_from(0)
    }

    /// Evaluates the arguments from the n-th on for their effects.
    pub fn evaluate_from(&mut self, first: usize) -> Lowered<()> {
        self.site.arguments.iter().skip(first).try_for_each(|&argument| self.discard(argument))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Expressions

    pub fn value_of(&mut self, expr: ExprId) -> Lowered<CValue> {
        self.lowerer.rvalue(expr)
    }

    /// The truth of an expression in one bit.
    pub fn condition(&mut self, expr: ExprId) -> Lowered<Operand> {
        self.lowerer.condition(expr)
    }

    /// Evaluates for the effects alone.
    pub fn discard(&mut self, expr: ExprId) -> Lowered<()> {
        self.lowerer.discard(expr)
    }

    /// Type and form of the value that an expression would have.
    pub fn value_shape(&mut self, expr: ExprId) -> Lowered<CValue> {
        self.lowerer.value_shape(expr)
    }

    /// The value of a constant expression: a number or an address. `None` if it is not constant.
    pub fn constant(&mut self, expr: ExprId) -> Lowered<Option<CValue>> {
        self.lowerer.constant(expr)
    }

    /// The value of an integer constant expression, if it is one.
    pub fn integer_constant(&mut self, expr: ExprId) -> Option<i128> {
        self.lowerer.try_integer_constant(expr)
    }

    /// The place of the `va_list` that an expression denotes.
    pub fn va_list(&mut self, expr: ExprId) -> Lowered<LValue> {
        self.lowerer.list_place(expr, self.site.span)
    }

    /// The variable that has this name here, if the program knows the name.
    pub fn variable(&mut self, name: &str) -> Lowered<Option<LValue>> {
        self.site.arguments.first().map_or(Ok(None), |&argument| self.lowerer.variable(name, argument))
    }

    /// The register variable `x` if the expression is `&x`.
    pub fn register_argument(&self, expr: ExprId) -> Option<LValue> {
        self.inspect().register_argument(expr)
    }

    /// A literal up to its first zero.
    pub fn literal_bytes(&self, expr: ExprId) -> Option<&'a [u8]> {
        self.inspect().literal_bytes(expr)
    }

    /// What is plain to see in an expression.
    pub fn inspect(&self) -> Inspector<'_, 'a> {
        self.lowerer.inspect()
    }

    /// Whether only constants are wanted.
    pub fn is_in_constant(&self) -> bool {
        self.lowerer.emit.builder.constant_mode
    }

    /// Whether the call stands in a model of the library itself.
    pub fn is_in_model(&self) -> bool {
        self.lowerer.is_built_in()
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Results

    /// A constant of the declared result type.
    pub fn constant_result(&mut self, value: i64) -> CValue {
        let ty = self.site.result;
        match self.types().register_type(ty) {
            Some(Type::Int(_)) => self.lowerer.emit.integer(value as u64, ty),
            Some(other) => CValue::scalar(zero(other), ty),
            None => CValue::void(),
        }
    }

    /// An `int` as the result, unless the function is declared without one.
    pub fn int_result(&mut self, operand: Operand) -> CValue {
        if self.types().is_void(self.site.result) {
            return CValue::void();
        }
        CValue::scalar(operand, TypeTable::INT)
    }

    /// Some value of the result type, for code behind the end of the process.
    pub fn placeholder(&mut self) -> CValue {
        self.lowerer.emit.placeholder(self.site.result)
    }

    /// Emits `Unsupported` and goes on with an unknown value of the type.
    pub fn unsupported(&mut self, what: impl Into<String>, ty: TypeId) -> CValue {
        self.lowerer.emit.unsupported(what, ty, self.site.span)
    }

    /// A mistake in the program.
    pub fn error<T>(&mut self, code: &'static str, message: impl Into<String>) -> Lowered<T> {
        self.lowerer.emit.error(code, self.site.span, message)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Other functions

    /// Calls the function that the program declares, with the arguments of this call.
    pub fn call_declared(&mut self, function: FunctionId) -> Lowered<CValue> {
        let CallSite { arguments, result_use, span, .. } = self.site;
        self.lowerer.call_function(function, arguments, result_use, span)
    }

    /// The type of a model, as the prelude declares it.
    pub fn model_signature(&mut self, name: &str) -> Option<FunctionType> {
        self.lowerer.model_signature(name)
    }

    /// Calls a function of this type with the arguments of this call.
    pub fn call_by_signature(&mut self, function: FunctionId, signature: &FunctionType) -> Lowered<CValue> {
        let callee = program::Callee::Direct(function);
        self.lowerer.emit_call(callee, signature, self.site.arguments, self.site.span)
    }

    /// Calls a function of the prelude that returns nothing.
    pub fn call_prelude(&mut self, name: &str, arguments: Vec<Operand>) {
        self.lowerer.emit.call_prelude(name, arguments, self.site.span);
    }

    /// Calls a function of the prelude that returns an `int`.
    pub fn prelude_value(&mut self, name: &str, arguments: Vec<Operand>) -> Operand {
        self.lowerer.emit.prelude_value(name, arguments, self.site.span)
    }

    /// Stores variadic arguments and returns the address of their object.
    pub fn variadic_object(&mut self, arguments: &[CValue]) -> Lowered<Operand> {
        self.lowerer.emit.variadic_object(arguments, self.site.span)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Tables

    pub fn types(&self) -> &TypeTable {
        &self.lowerer.emit.link.types
    }

    pub fn link(&self) -> &Linker<'o> {
        self.lowerer.emit.link
    }

    pub fn link_mut(&mut self) -> &mut Linker<'o> {
        self.lowerer.emit.link
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Values and places

    /// Has the emitter do what there is no shorter way for.
    pub fn emit_with<T>(&mut self, work: impl FnOnce(&mut Emitter<'a, 'o>, Span) -> T) -> T {
        work(&mut self.lowerer.emit, self.site.span)
    }

    pub fn convert(&mut self, value: CValue, to: TypeId) -> Lowered<CValue> {
        self.lowerer.emit.convert(value, to, self.site.span)
    }

    pub fn truth(&mut self, value: CValue) -> Lowered<Operand> {
        self.lowerer.emit.truth(value, self.site.span)
    }

    pub fn load(&mut self, place: LValue) -> Lowered<CValue> {
        self.lowerer.emit.load(place, self.site.span)
    }

    /// Writes a value that has the place's type already.
    pub fn store(&mut self, place: LValue, value: CValue) -> Lowered<()> {
        self.lowerer.emit.store(place, value, self.site.span)
    }

    pub fn dereference(&mut self, pointer: CValue) -> Lowered<LValue> {
        self.lowerer.emit.dereference(pointer, self.site.span)
    }

    /// The place with its address computed once, for several accesses.
    pub fn fixed(&mut self, place: LValue) -> LValue {
        self.lowerer.emit.fixed(place, self.site.span)
    }

    /// The object of this type that the pointer, whatever its own type, points to.
    pub fn place_of_type(&mut self, pointer: CValue, ty: TypeId) -> Lowered<LValue> {
        self.lowerer.emit.place_of_type(pointer, ty, self.site.span)
    }

    pub fn address_of(&mut self, place: LValue) -> Lowered<CValue> {
        self.lowerer.emit.address_of(place, self.site.span)
    }

    pub fn address_operand(&mut self, address: Address) -> Operand {
        self.lowerer.emit.address_operand(address, self.site.span)
    }

    /// A value that the environment decides.
    pub fn input(&mut self, ty: TypeId) -> CValue {
        self.lowerer.emit.input(ty, self.site.span)
    }

    /// Any value of the type that lies in the range.
    pub fn input_between(&mut self, ty: TypeId, range: library::NumberRange) -> CValue {
        self.lowerer.emit.input_between(ty, range, self.site.span)
    }

    /// The IR type of a scalar C type.
    pub fn register_type(&self, ty: TypeId) -> Type {
        self.lowerer.emit.register_type(ty)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Operands

    pub fn compute(&mut self, value: Rvalue, ty: Type) -> Operand {
        self.lowerer.emit.builder.compute(value, ty, self.site.span)
    }

    pub fn choose(&mut self, condition: Operand, ty: Type, then: Operand, otherwise: Operand) -> Operand {
        self.lowerer.emit.builder.choose(condition, ty, then, otherwise, self.site.span)
    }

    pub fn either(&mut self, left: Operand, right: Operand) -> Operand {
        self.lowerer.emit.builder.either(left, right, self.site.span)
    }

    pub fn not(&mut self, truth: Operand) -> Operand {
        self.lowerer.emit.builder.not(truth, self.site.span)
    }

    pub fn is_between(&mut self, value: Operand, bits: u8, range: library::NumberRange) -> Operand {
        self.lowerer.emit.builder.is_between(value, bits, range, self.site.span)
    }

    /// A plain load of a scalar.
    pub fn load_plain(&mut self, address: Operand, ty: Type) -> Operand {
        self.lowerer.emit.builder.load_plain(address, ty, self.site.span)
    }

    /// A plain store of an `int`.
    pub fn store_int(&mut self, address: Operand, value: Operand) {
        self.lowerer.emit.builder.store_int(address, value, self.site.span);
    }

    /// An integer constant of pointer width.
    pub fn size_operand(&self, size: u64) -> Operand {
        self.lowerer.emit.builder.size_operand(size)
    }

    /// The integers as wide as a pointer.
    pub fn pointer_int(&self) -> Type {
        self.lowerer.emit.builder.pointer_int()
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Registers, instructions and blocks

    /// Says that a temporary will be used again, so that it must keep its register.
    pub fn pin(&mut self, operand: Operand) -> Operand {
        self.lowerer.emit.builder.pin(operand)
    }

    /// A register that is read more than once or written in several places.
    pub fn pinned(&mut self, ty: Type) -> RegisterId {
        self.lowerer.emit.builder.pinned(ty)
    }

    pub fn temporary(&mut self, ty: Type) -> RegisterId {
        self.lowerer.emit.builder.temporary(ty)
    }

    pub fn assign(&mut self, target: RegisterId, operand: Operand) {
        self.lowerer.emit.builder.assign(target, operand, self.site.span);
    }

    pub fn instruction(&mut self, kind: InstructionKind) {
        self.lowerer.emit.builder.emit(kind, self.site.span);
    }

    pub fn new_block(&mut self) -> BlockId {
        self.lowerer.emit.builder.new_block()
    }

    pub fn switch_to(&mut self, block: BlockId) {
        self.lowerer.emit.builder.switch_to(block);
    }

    pub fn goto(&mut self, target: BlockId) {
        self.lowerer.emit.builder.goto(target, self.site.span);
    }

    pub fn branch(&mut self, condition: Operand, then: BlockId, otherwise: BlockId) {
        self.lowerer.emit.builder.branch(condition, then, otherwise, self.site.span);
    }

    pub fn terminate(&mut self, kind: TerminatorKind) {
        self.lowerer.emit.builder.terminate(kind, self.site.span);
    }

    /// Runs `work` only where the condition is false.
    pub fn unless(&mut self, condition: Operand, work: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        let (inside, join) = (self.new_block(), self.new_block());
        self.branch(condition, join, inside);
        self.switch_to(inside);
        work(self)?;
        self.goto(join);
        self.switch_to(join);
        Ok(())
    }

    /// Runs `work` only where the pointer is not null; constants need no test.
    pub fn if_not_null(&mut self, pointer: Operand, work: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        if pointer == Operand::Null {
            return Ok(());
        }
        if !matches!(pointer, Operand::Register(_)) {
            return work(self);
        }
        self.pin(pointer);
        let test = self.truth(CValue::scalar(pointer, TypeTable::VOID_POINTER))?;
        let (inside, join) = (self.new_block(), self.new_block());
        self.branch(test, inside, join);
        self.switch_to(inside);
        work(self)?;
        self.goto(join);
        self.switch_to(join);
        Ok(())
    }

    /// The result of `work`, or that of a failure, where `work` is not done.
    pub fn or_fails(
        &mut self,
        failing: &Failing,
        work: impl FnOnce(&mut Self) -> Lowered<Operand>,
    ) -> Lowered<Operand> {
        if !failing.enabled {
            return work(self);
        }
        let result = self.pinned(failing.ty);
        let choice = self.input(TypeTable::INT);
        let fails = self.truth(choice)?;
        let [failed, done, join] = std::array::from_fn(|_| self.new_block());
        self.branch(fails, failed, done);
        self.switch_to(failed);
        failing.leave_behind(self)?;
        self.assign(result, failing.result);
        self.goto(join);
        self.switch_to(done);
        let succeeded = work(self)?;
        self.assign(result, succeeded);
        self.goto(join);
        self.switch_to(join);
        Ok(Operand::Register(result))
    }
}
