//! From the syntax tree to the IR: name binding, type checking and lowering in one pass over each translation unit.
//!
//! Expressions are evaluated left to right, function arguments and initialisers too, unless the order may matter
//! (`sequencing.rs`).
//! A mistake in the program is a diagnostic and gives up the smallest enclosing statement; a construct that the IR cannot
//! express becomes `Unsupported` at its place.

mod address_taken;
mod aggregate;
mod arithmetic;
mod assignment;
mod atomics;
mod backward_gotos;
mod bit_field;
pub mod builder;
mod builtins;
mod call;
mod clean_up;
mod constants;
mod contract_calls;
mod conversion;
mod declaration;
mod entity;
mod environment_calls;
mod errno;
mod escaping;
mod expression;
mod failing_calls;
mod frame;
mod function;
mod initialiser;
mod intrinsic_address;
mod intrinsics;
mod invariants;
mod jump;
mod liveness;
mod lock_free;
mod logical;
mod memory_calls;
mod nondet;
mod operand_survey;
mod orders;
mod output_calls;
mod place;
mod print_plan;
mod pthread_calls;
mod scan_calls;
mod scan_format;
mod sequencing;
mod statement;
mod static_data;
mod sync_objects;
mod temporaries;
mod text_calls;
mod type_expr;
mod value;
mod varargs;

use base::{Diagnostic, Span};
use program::{FunctionId, InstructionKind, NondetKind, Operand, Rvalue, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{EnumId, ExprId, RecordId, TranslationUnit, TypeExprId};
use crate::ctype::{EnumDefId, QualType, RecordDefId, TypeId};
use crate::link::Linker;
use crate::parser::MAX_ERRORS;
use crate::symbol::Symbol;
pub use call::CallSite;
use entity::Scopes;
pub use function::{FunctionState, finish_function};
use operand_survey::Activity;
pub use value::{Lowered, Value};
use value::{Place, Reported};

/// Lowers one translation unit into the linker's tables.
pub struct Lowerer<'a, 'o> {
    ast: &'a TranslationUnit,
    link: &'a mut Linker<'o>,
    scopes: Scopes,
    /// The function whose body is being lowered; at file scope a place for constants.
    f: FunctionState,
    types_seen: FxHashMap<TypeExprId, QualType>,
    records_seen: FxHashMap<RecordId, RecordDefId>,
    enums_seen: FxHashMap<EnumId, EnumDefId>,
    /// Functions with internal linkage, by name.
    static_functions: FxHashMap<Symbol, FunctionId>,
    /// The compiler's options for single functions of this unit.
    function_options: FxHashMap<FunctionId, Vec<String>>,
    /// Types are those of a prototype: sizes of arrays that are not constant are left open.
    in_prototype: bool,
    /// An initialiser of a static object is being lowered, which may read constant objects.
    reads_constants: bool,
    /// The unit is part of the prelude: its code has no place in the user's files.
    built_in: bool,
    /// The call that is lowered next is a statement of its own: nobody looks at its result.
    result_unused: bool,
    /// Of the result of the call that is lowered next only the sign matters.
    result_sign_only: bool,
    /// Operands that have been evaluated already, in an order that the execution chose.
    settled: FxHashMap<ExprId, Value>,
    /// The objects of literals that have static storage.
    static_literals: FxHashMap<ExprId, Place>,
    /// Operands whose order has been looked at together with others.
    surveyed: FxHashSet<ExprId>,
    /// Operands are only lowered to see what they do: their order does not matter now.
    surveying: bool,
    /// What expressions may do, as far as that was asked.
    activities: FxHashMap<ExprId, Activity>,
    /// Why the static initialiser at hand has contents that are not known.
    unknown_contents: Option<String>,
    /// Of this call's result only the sign matters: it is compared with zero.
    sign_only: Option<ExprId>,
}

impl<'a, 'o> Lowerer<'a, 'o> {
    pub fn new(ast: &'a TranslationUnit, link: &'a mut Linker<'o>, built_in: bool) -> Self {
        let f = FunctionState::new(link.types.model);
        Self {
            ast,
            link,
            scopes: Scopes::new(),
            f,
            types_seen: FxHashMap::default(),
            records_seen: FxHashMap::default(),
            enums_seen: FxHashMap::default(),
            static_functions: FxHashMap::default(),
            function_options: FxHashMap::default(),
            in_prototype: false,
            reads_constants: false,
            built_in,
            result_unused: false,
            result_sign_only: false,
            settled: FxHashMap::default(),
            static_literals: FxHashMap::default(),
            surveyed: FxHashSet::default(),
            surveying: false,
            activities: FxHashMap::default(),
            unknown_contents: None,
            sign_only: None,
        }
    }

    fn name(&self, symbol: Symbol) -> &'a str {
        self.ast.name(symbol)
    }

    fn span(&self, expr: ExprId) -> Span {
        self.place_of(self.ast[expr].span)
    }

    /// The span an instruction gets.
    fn place_of(&self, span: Span) -> Span {
        if self.built_in { Span::UNKNOWN } else { span }
    }

    fn error<T>(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Lowered<T> {
        self.say(Diagnostic::error(code, message).at(span));
        Err(Reported)
    }

    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.say(Diagnostic::warning(code, message).at(span));
    }

    /// One mistake in a macro or a shared specifier is met several times, and after [`MAX_ERRORS`] nobody reads on.
    fn say(&mut self, diagnostic: Diagnostic) {
        let known = &mut self.link.diagnostics;
        let alike = known.iter().filter(|other| other.is_error() == diagnostic.is_error()).count();
        if alike < MAX_ERRORS && !known.contains(&diagnostic) {
            known.push(diagnostic);
        }
    }

    fn emit(&mut self, kind: InstructionKind, span: Span) {
        self.f.builder.emit(kind, span);
    }

    fn compute(&mut self, value: Rvalue, ty: Type, span: Span) -> Operand {
        self.f.builder.compute(value, ty, span)
    }

    /// Emits `Unsupported` and goes on with an unknown value of the type: a constant would be folded, and code that
    /// depends on it would vanish from the program.
    fn unsupported(&mut self, what: impl Into<String>, ty: TypeId, span: Span) -> Value {
        self.emit(InstructionKind::Unsupported { what: what.into() }, span);
        self.unknown_value(ty, span)
    }

    /// A value of which nothing is known but its type.
    fn unknown_value(&mut self, ty: TypeId, span: Span) -> Value {
        if self.link.types.is_void(ty) {
            return Value::void();
        }
        match self.link.types.register_type(ty) {
            Some(register) => Value::scalar(self.unknown_operand(register, span), ty),
            None if self.link.types.size_of(ty).is_some() => match self.temporary_object(ty, "(unknown)", span) {
                Ok(address) => Value::aggregate(address, ty),
                Err(Reported) => Value::aggregate(Operand::Null, ty),
            },
            None => Value::aggregate(self.unknown_operand(Type::Pointer, span), ty),
        }
    }

    fn unknown_operand(&mut self, ty: Type, span: Span) -> Operand {
        let target = self.f.builder.temporary(ty);
        self.emit(InstructionKind::Nondet { target, ty, kind: NondetKind::Indeterminate }, span);
        Operand::Register(target)
    }

    /// Some value of the type, for code behind the end of the process.
    fn placeholder(&mut self, ty: TypeId) -> Value {
        if self.link.types.is_void(ty) {
            return Value::void();
        }
        match self.link.types.register_type(ty) {
            Some(register) => Value::scalar(zero(register), ty),
            None => Value::aggregate(Operand::Null, ty),
        }
    }

    fn pointer_int(&self) -> Type {
        Type::Int(self.link.types.model.pointer_bits())
    }

    /// An integer constant of pointer width.
    fn size_operand(&self, size: u64) -> Operand {
        Operand::int(self.link.types.model.pointer_bits(), size)
    }
}

/// The constant zero of an IR type.
pub fn zero(ty: Type) -> Operand {
    match ty {
        Type::Int(bits) => Operand::int(bits, 0),
        Type::Float => Operand::Float(0),
        Type::Double => Operand::Double(0),
        Type::Pointer => Operand::Null,
    }
}
