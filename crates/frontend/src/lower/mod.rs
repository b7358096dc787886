//! From the syntax tree to the IR: name binding, type checking and lowering in one pass over each translation unit.
//!
//! Expressions are evaluated left to right, function arguments and initialisers too, unless the order may matter
//! (`sequencing.rs`).
//! A mistake in the program is a diagnostic and gives up the smallest enclosing statement; a construct that the IR cannot
//! express becomes `Unsupported` at its place.

mod assignment;
mod call;
mod constants;
mod declaration;
mod expression;
mod function;
mod initialiser;
mod initialiser_walk;
mod intrinsic_address;
mod invariants;
mod linkage;
mod logical;
mod operand_survey;
mod operands;
mod orders;
mod place;
mod queries;
mod sequencing;
mod statement;
mod static_data;
mod temporaries;
mod type_expr;
mod varargs;

use base::Span;
use rustc_hash::FxHashMap;

use crate::ast::{ExprId, TranslationUnit, TypeExprId};
use crate::ctype::QualType;
use crate::emit::Emitter;
use crate::emit::frame::FrameKind;
use crate::emit::value::{LValue, Lowered};
use crate::link::Linker;
use crate::scopes::Scopes;
use crate::survey::{BodyFacts, Inspector};
use crate::symbol::Symbol;
pub use linkage::Linkage;
use operands::{Activity, Operands};
use type_expr::{TypeResolver, WrittenTypes};

/// Lowers one translation unit into the linker's tables.
pub struct Lowerer<'a, 'o> {
    ast: &'a TranslationUnit,
    scopes: Scopes,
    /// Where the code goes.
    pub emit: Emitter<'a, 'o>,
    /// What is known of the body of the function at hand.
    body: BodyFacts,
    written_types: WrittenTypes,
    /// What the unit's names mean to the linker.
    linkage: Linkage<'a>,
    /// The unit is part of the prelude: its code has no place in the user's files.
    built_in: bool,
    /// Operands whose order of evaluation matters.
    operands: Operands,
    /// The objects of literals that have static storage.
    static_literals: FxHashMap<ExprId, LValue>,
    /// If this is a call, only the sign of its result matters: it is compared with zero.
    compared_with_zero: Option<ExprId>,
}

impl<'a, 'o> Lowerer<'a, 'o> {
    pub fn new(ast: &'a TranslationUnit, link: &'a mut Linker<'o>, built_in: bool) -> Self {
        Self {
            ast,
            scopes: Scopes::new(),
            emit: Emitter::new(&ast.names, link),
            body: BodyFacts::default(),
            written_types: WrittenTypes::default(),
            linkage: Linkage::new(ast),
            built_in,
            operands: Operands::default(),
            static_literals: FxHashMap::default(),
            compared_with_zero: None,
        }
    }

    /// Goes on with the linkage that [`Linkage::announce`] found for the same unit.
    pub fn with_linkage(self, linkage: Linkage<'a>) -> Self {
        Self { linkage, ..self }
    }

    fn name(&self, symbol: Symbol) -> &'a str {
        self.ast.name(symbol)
    }

    /// What is plain to see in expressions here.
    pub fn inspect(&self) -> Inspector<'_, 'a> {
        Inspector::new(self.ast, &self.scopes, self.emit.link)
    }

    /// What an expression may do besides reading and computing.
    fn activity(&mut self, expr: ExprId) -> Activity {
        self.operands.activity(expr, Inspector::new(self.ast, &self.scopes, self.emit.link))
    }

    /// What written types mean here.
    fn type_resolver(&mut self) -> TypeResolver<'_, 'a, Self> {
        TypeResolver::new(self.ast, self)
    }

    /// The type that `id` names.
    fn resolve_type(&mut self, id: TypeExprId) -> Lowered<QualType> {
        self.type_resolver().resolve(id)
    }

    /// Whether the unit is part of the prelude.
    pub fn is_built_in(&self) -> bool {
        self.built_in
    }

    fn span(&self, expr: ExprId) -> Span {
        self.place_of(self.ast[expr].span)
    }

    /// The span an instruction gets.
    fn place_of(&self, span: Span) -> Span {
        if self.built_in { Span::UNKNOWN } else { span }
    }

    fn error<T>(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Lowered<T> {
        self.emit.link.error(code, span, message)
    }

    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.emit.link.warn(code, span, message);
    }

    /// Enters a block: a scope for names and a frame for objects.
    fn push_frame(&mut self, kind: FrameKind) {
        self.emit.push_frame(kind);
        self.scopes.push();
    }

    /// Leaves the innermost block by running off its end.
    fn pop_frame(&mut self, span: Span) {
        self.scopes.pop();
        self.emit.pop_frame(span);
    }
}
