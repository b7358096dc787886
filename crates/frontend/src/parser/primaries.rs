//! Primary and postfix expressions: names, constants, calls, member access, and the built-ins with a syntax of their
//! own (C11 6.5.1, 6.5.2 and GNU).

use base::Span;

use super::{Parsed, Parser};
use crate::ast::{Designator, DesignatorKind, ExprId, ExprKind, GenericAssociation, TypeExprId, UnaryOp};
use crate::literal::{self, NumericConstant};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn postfix_expression(&mut self) -> Parsed<ExprId> {
        let primary = self.primary_expression()?;
        self.postfix_operators(primary)
    }

    /// `[…]`, `(…)`, `.x`, `->x`, `++` and `--`, any number of them.
    pub(super) fn postfix_operators(&mut self, primary: ExprId) -> Parsed<ExprId> {
        let start = self.unit.exprs[primary].span;
        let mut result = primary;
        loop {
            let kind = match self.kind() {
                TokenKind::LeftBracket => self.index_operator(result)?,
                TokenKind::LeftParen => self.call(result)?,
                TokenKind::Dot => self.member(result, false)?,
                TokenKind::Arrow => self.member(result, true)?,
                TokenKind::PlusPlus => self.postfix_step(UnaryOp::PostIncrement, result),
                TokenKind::MinusMinus => self.postfix_step(UnaryOp::PostDecrement, result),
                _ => return Ok(result),
            };
            self.grow()?;
            let span = self.span_from(start);
            result = self.new_expr(span, kind);
        }
    }

    fn index_operator(&mut self, base: ExprId) -> Parsed<ExprKind> {
        self.advance();
        let index = self.beside(Self::expression)?;
        self.expect(TokenKind::RightBracket, "after the index")?;
        Ok(ExprKind::Index { base, index })
    }

    fn call(&mut self, callee: ExprId) -> Parsed<ExprKind> {
        self.advance();
        let mut arguments = Vec::new();
        if !self.at(TokenKind::RightParen) {
            loop {
                arguments.push(self.beside(Self::assignment_expression)?);
                if !self.accept(TokenKind::Comma) {
                    break;
                }
            }
        }
        self.expect(TokenKind::RightParen, "after the arguments of the call")?;
        Ok(ExprKind::Call { callee, arguments })
    }

    fn member(&mut self, base: ExprId, arrow: bool) -> Parsed<ExprKind> {
        self.advance();
        let (field, _) =
            self.expect_identifier(if arrow { "of a field after `->`" } else { "of a field after `.`" })?;
        Ok(ExprKind::Member { base, field, arrow })
    }

    fn postfix_step(&mut self, op: UnaryOp, operand: ExprId) -> ExprKind {
        self.advance();
        ExprKind::Unary { op, operand }
    }

    fn primary_expression(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Identifier => {
                let symbol = self.token().symbol;
                if self.scopes.names_type(symbol) {
                    let name = self.describe_token();
                    return self.error(format!("expected an expression, found the type name {name}"));
                }
                self.advance();
                ExprKind::Name(symbol)
            }
            TokenKind::Number => self.number()?,
            TokenKind::Char => self.char_constant()?,
            TokenKind::String => self.string_literal()?,
            TokenKind::LeftParen => return self.parenthesized(),
            TokenKind::Generic => self.generic_selection()?,
            TokenKind::Offsetof => self.offsetof()?,
            TokenKind::VaArg => self.va_arg()?,
            TokenKind::TypesCompatible => self.types_compatible()?,
            TokenKind::ChooseExpr => self.choose_expr()?,
            _ => {
                let found = self.describe_token();
                return self.error(format!("expected an expression, found {found}"));
            }
        };
        let span = self.span_from(start);
        Ok(self.new_expr(span, kind))
    }

    /// `(expression)`, or GNU `({ … })`.
    fn parenthesized(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        self.advance();
        if self.at(TokenKind::LeftBrace) {
            let body = self.compound_statement()?;
            self.expect(TokenKind::RightParen, "after the statement expression")?;
            let span = self.span_from(start);
            return Ok(self.new_expr(span, ExprKind::Statement(body)));
        }
        let inner = self.expression()?;
        self.expect(TokenKind::RightParen, "after the expression")?;
        // Parentheses leave no node but belong to the place of what they enclose.
        let span = self.span_from(start);
        self.unit.exprs[inner].span = span;
        Ok(inner)
    }

    pub(super) fn compound_literal(&mut self, start: Span, ty: TypeExprId) -> Parsed<ExprId> {
        let initializer = self.initializer_list()?;
        let span = self.span_from(start);
        Ok(self.new_expr(span, ExprKind::CompoundLiteral { ty, initializer }))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Constants

    fn number(&mut self) -> Parsed<ExprKind> {
        match literal::decode_number(self.token().text(self.source)) {
            Ok(constant) => {
                self.advance();
                Ok(match constant {
                    NumericConstant::Integer(integer) => ExprKind::Integer(integer),
                    NumericConstant::Float(float) => ExprKind::Float(float),
                })
            }
            Err(problem) => self.error(problem),
        }
    }

    fn char_constant(&mut self) -> Parsed<ExprKind> {
        match literal::decode_char(self.token().text(self.source)) {
            Ok(constant) => {
                self.advance();
                Ok(ExprKind::Char(constant))
            }
            Err(problem) => self.error(problem),
        }
    }

    fn string_literal(&mut self) -> Parsed<ExprKind> {
        let span = self.span();
        match literal::decode_strings(self.take_strings()) {
            Ok(string) => Ok(ExprKind::String(string)),
            Err(problem) => self.error_at(span, problem),
        }
    }

    /// The spellings of adjacent string literals, all taken.
    pub(super) fn take_strings(&mut self) -> impl Iterator<Item = &[u8]> + Clone + use<'_> {
        let first = self.position;
        while self.at(TokenKind::String) {
            self.advance();
        }
        let source = self.source;
        self.tokens[first..self.position].iter().map(move |token| token.text(source))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Built-ins with a syntax of their own

    fn generic_selection(&mut self) -> Parsed<ExprKind> {
        self.advance();
        self.expect(TokenKind::LeftParen, "after `_Generic`")?;
        let control = self.assignment_expression()?;
        let mut associations = Vec::new();
        while self.accept(TokenKind::Comma) {
            associations.push(self.beside(Self::generic_association)?);
        }
        self.expect(TokenKind::RightParen, "after the associations of `_Generic`")?;
        Ok(ExprKind::Generic { control, associations })
    }

    fn generic_association(&mut self) -> Parsed<GenericAssociation> {
        let span = self.span();
        let ty = if self.accept(TokenKind::Default) { None } else { Some(self.type_name()?) };
        self.expect(TokenKind::Colon, "after the type of the association")?;
        let value = self.assignment_expression()?;
        Ok(GenericAssociation { span, ty, value })
    }

    fn offsetof(&mut self) -> Parsed<ExprKind> {
        self.advance();
        self.expect(TokenKind::LeftParen, "after `__builtin_offsetof`")?;
        let ty = self.type_name()?;
        self.expect(TokenKind::Comma, "after the type of `__builtin_offsetof`")?;
        let (field, span) = self.expect_identifier("of a field")?;
        let mut path = vec![Designator { span, kind: DesignatorKind::Field(field) }];
        path.extend(self.designators()?);
        if path.iter().any(|designator| matches!(designator.kind, DesignatorKind::Range(..))) {
            return self.error_at(span, "a range of indices has no single offset");
        }
        self.expect(TokenKind::RightParen, "after the arguments of `__builtin_offsetof`")?;
        Ok(ExprKind::Offsetof { ty, path })
    }

    fn va_arg(&mut self) -> Parsed<ExprKind> {
        self.advance();
        self.expect(TokenKind::LeftParen, "after `__builtin_va_arg`")?;
        let list = self.assignment_expression()?;
        self.expect(TokenKind::Comma, "after the first argument of `__builtin_va_arg`")?;
        let ty = self.type_name()?;
        self.expect(TokenKind::RightParen, "after the arguments of `__builtin_va_arg`")?;
        Ok(ExprKind::VaArg { list, ty })
    }

    fn types_compatible(&mut self) -> Parsed<ExprKind> {
        self.advance();
        self.expect(TokenKind::LeftParen, "after `__builtin_types_compatible_p`")?;
        let left = self.type_name()?;
        self.expect(TokenKind::Comma, "after the first type of `__builtin_types_compatible_p`")?;
        let right = self.type_name()?;
        self.expect(TokenKind::RightParen, "after the types of `__builtin_types_compatible_p`")?;
        Ok(ExprKind::TypesCompatible { left, right })
    }

    fn choose_expr(&mut self) -> Parsed<ExprKind> {
        self.advance();
        self.expect(TokenKind::LeftParen, "after `__builtin_choose_expr`")?;
        let condition = self.assignment_expression()?;
        self.expect(TokenKind::Comma, "after the condition of `__builtin_choose_expr`")?;
        let then = self.assignment_expression()?;
        self.expect(TokenKind::Comma, "after the second argument of `__builtin_choose_expr`")?;
        let otherwise = self.assignment_expression()?;
        self.expect(TokenKind::RightParen, "after the arguments of `__builtin_choose_expr`")?;
        Ok(ExprKind::Choose { condition, then, otherwise })
    }
}
