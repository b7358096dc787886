//! What types and initialisers ask of the expressions that stand in them. Of the lowering they know nothing else.

use base::Span;
use program::RegisterId;

use super::Lowerer;
use super::operands::Settled;
use super::type_expr::{Surroundings, WrittenTypes};
use crate::ast::{ExprId, StaticAssert};
use crate::ctype::{QualType, TypeTable};
use crate::emit::value::{CValue, Lowered};
use crate::scopes::Scopes;
use crate::survey::Inspector;

pub trait Queries {
    fn types(&self) -> &TypeTable;

    fn types_mut(&mut self) -> &mut TypeTable;

    /// Type and form of the value that an expression would have.
    fn value_shape(&mut self, expr: ExprId) -> Lowered<CValue>;

    /// The value of an expression if it is an integer constant.
    fn integer_constant(&mut self, expr: ExprId) -> Lowered<Option<i128>>;

    /// The value of an expression that must be an integer constant.
    fn require_integer_constant(&mut self, expr: ExprId) -> Lowered<i128>;

    fn error<T>(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Lowered<T>;

    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>);
}

impl Queries for Lowerer<'_, '_> {
    fn types(&self) -> &TypeTable {
        &self.emit.link.types
    }

    fn types_mut(&mut self) -> &mut TypeTable {
        &mut self.emit.link.types
    }

    fn value_shape(&mut self, expr: ExprId) -> Lowered<CValue> {
        Lowerer::value_shape(self, expr)
    }

    fn integer_constant(&mut self, expr: ExprId) -> Lowered<Option<i128>> {
        Lowerer::integer_constant(self, expr)
    }

    fn require_integer_constant(&mut self, expr: ExprId) -> Lowered<i128> {
        Lowerer::require_integer_constant(self, expr)
    }

    fn error<T>(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Lowered<T> {
        self.emit.link.error(code, span, message)
    }

    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.emit.link.warn(code, span, message);
    }
}

impl<'a> Surroundings<'a> for Lowerer<'a, '_> {
    fn written(&mut self) -> &mut WrittenTypes {
        &mut self.written_types
    }

    fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    fn scopes_mut(&mut self) -> &mut Scopes {
        &mut self.scopes
    }

    fn inspect(&self) -> Inspector<'_, 'a> {
        Lowerer::inspect(self)
    }

    fn type_of(&mut self, expr: ExprId) -> Lowered<QualType> {
        Lowerer::type_of(self, expr)
    }

    fn try_integer_constant(&mut self, expr: ExprId) -> Option<i128> {
        Lowerer::try_integer_constant(self, expr)
    }

    fn variable_length(&mut self, expr: ExprId) -> Lowered<RegisterId> {
        let span = self.span(expr);
        let value = self.rvalue(expr)?;
        if !self.emit.link.types.is_integer(value.ty) {
            return self.emit.error("type", span, "the size of an array must be an integer");
        }
        let value = self.emit.convert(value, self.emit.link.types.size_type(), span)?;
        let ty = self.emit.builder.pointer_int();
        let length = self.emit.builder.pinned(ty);
        self.emit.builder.assign(length, value.operand, span);
        Ok(length)
    }

    fn discard(&mut self, expr: ExprId) -> Lowered<()> {
        Lowerer::discard(self, expr)
    }

    fn settle(&mut self, exprs: &[ExprId], span: Span) -> Lowered<Settled> {
        Lowerer::settle(self, exprs, span)
    }

    fn release(&mut self, settled: Settled) {
        self.operands.release(settled);
    }
}

pub fn check_static_assertion(queries: &mut impl Queries, assertion: &StaticAssert) {
    if let Ok(0) = queries.require_integer_constant(assertion.condition) {
        let message =
            assertion.message.as_deref().map_or(String::new(), |m| format!(": {}", String::from_utf8_lossy(m)));
        let text = format!("static assertion failed{message}");
        let _: Lowered<()> = queries.error("static-assert", assertion.span, text);
    }
}
