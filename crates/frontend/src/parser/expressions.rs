//! Operators, from the comma down to casts and prefix operators (C11 6.5.3 – 6.5.17).

use base::Span;

use super::{Parsed, Parser};
use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::token::TokenKind;

/// How strongly `*`, `/` and `%` bind; `||` binds with 1.
const STRONGEST: u8 = 10;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        let mut left = self.assignment_expression()?;
        while self.accept(TokenKind::Comma) {
            let right = self.assignment_expression()?;
            self.grow()?;
            left = self.binary_node(left, right, ExprKind::Comma { left, right });
        }
        Ok(left)
    }

    pub(super) fn assignment_expression(&mut self) -> Parsed<ExprId> {
        self.nested(|parser| {
            let target = parser.conditional_unchecked()?;
            let Some(op) = assignment_operator(parser.kind()) else { return Ok(target) };
            parser.advance();
            let value = parser.assignment_expression()?;
            Ok(parser.binary_node(target, value, ExprKind::Assign { op, target, value }))
        })
    }

    /// Also what C calls a constant expression.
    pub(super) fn conditional_expression(&mut self) -> Parsed<ExprId> {
        self.nested(Self::conditional_unchecked)
    }

    fn conditional_unchecked(&mut self) -> Parsed<ExprId> {
        let condition = self.binary_expression(1)?;
        if !self.accept(TokenKind::Question) {
            return Ok(condition);
        }
        let then = if self.at(TokenKind::Colon) { None } else { Some(self.beside(Self::expression)?) };
        self.expect(TokenKind::Colon, "in the conditional expression")?;
        let otherwise = self.conditional_expression()?;
        Ok(self.binary_node(condition, otherwise, ExprKind::Conditional { condition, then, otherwise }))
    }

    /// Operators that bind at least as strongly as `weakest`; all of them associate to the left.
    fn binary_expression(&mut self, weakest: u8) -> Parsed<ExprId> {
        let mut left = self.cast_expression()?;
        while let Some((op, strength)) = binary_operator(self.kind())
            && strength >= weakest
        {
            self.advance();
            let right = if strength == STRONGEST {
                self.beside(Self::cast_expression)?
            } else {
                self.beside(|parser| parser.binary_expression(strength + 1))?
            };
            self.grow()?;
            left = self.binary_node(left, right, ExprKind::Binary { op, left, right });
        }
        Ok(left)
    }

    /// A node that reaches from the first token of `left` to the last one of `right`.
    fn binary_node(&mut self, left: ExprId, right: ExprId, kind: ExprKind) -> ExprId {
        let span = self.unit.exprs[left].span.to(self.unit.exprs[right].span);
        self.new_expr(span, kind)
    }

    pub(super) fn cast_expression(&mut self) -> Parsed<ExprId> {
        if !self.at(TokenKind::LeftParen) || !self.starts_type(1) {
            return self.unary_expression();
        }
        let start = self.span();
        self.advance();
        let ty = self.type_name()?;
        self.expect(TokenKind::RightParen, "after the type name")?;
        if self.at(TokenKind::LeftBrace) {
            let literal = self.compound_literal(start, ty)?;
            return self.postfix_operators(literal);
        }
        let operand = self.nested(Self::cast_expression)?;
        let span = self.span_from(start);
        Ok(self.new_expr(span, ExprKind::Cast { ty, operand }))
    }

    fn unary_expression(&mut self) -> Parsed<ExprId> {
        let op = match self.kind() {
            TokenKind::Plus => UnaryOp::Plus,
            TokenKind::Minus => UnaryOp::Minus,
            TokenKind::Bang => UnaryOp::Not,
            TokenKind::Tilde => UnaryOp::BitNot,
            TokenKind::Star => UnaryOp::Dereference,
            TokenKind::Ampersand => UnaryOp::AddressOf,
            TokenKind::PlusPlus => UnaryOp::PreIncrement,
            TokenKind::MinusMinus => UnaryOp::PreDecrement,
            TokenKind::Real => UnaryOp::Real,
            TokenKind::Imaginary => UnaryOp::Imaginary,
            TokenKind::Extension => {
                self.advance();
                return self.nested(Self::cast_expression);
            }
            TokenKind::Sizeof | TokenKind::Alignof => return self.size_or_alignment(),
            TokenKind::AmpersandAmpersand => return self.label_address(),
            _ => return self.postfix_expression(),
        };
        let start = self.span();
        self.advance();
        let operand = self.nested(Self::cast_expression)?;
        let span = self.span_from(start);
        Ok(self.new_expr(span, ExprKind::Unary { op, operand }))
    }

    fn size_or_alignment(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        let is_size = self.at(TokenKind::Sizeof);
        let preferred = self.token().text(self.source) != b"_Alignof";
        self.advance();
        if self.at(TokenKind::LeftParen) && self.starts_type(1) {
            let parenthesis = self.span();
            self.advance();
            let ty = self.type_name()?;
            self.expect(TokenKind::RightParen, "after the type name")?;
            if !self.at(TokenKind::LeftBrace) {
                let kind = if is_size { ExprKind::SizeofType(ty) } else { ExprKind::AlignofType { ty, preferred } };
                let span = self.span_from(start);
                return Ok(self.new_expr(span, kind));
            }
            let literal = self.compound_literal(parenthesis, ty)?;
            let operand = self.postfix_operators(literal)?;
            return Ok(self.size_of_expr(start, is_size, operand));
        }
        let operand = self.nested(Self::unary_expression)?;
        Ok(self.size_of_expr(start, is_size, operand))
    }

    fn size_of_expr(&mut self, start: Span, is_size: bool, operand: ExprId) -> ExprId {
        let kind = if is_size { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) };
        let span = self.span_from(start);
        self.new_expr(span, kind)
    }

    fn label_address(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        self.advance();
        let (label, _) = self.expect_identifier("of a label after `&&`")?;
        let span = self.span_from(start);
        Ok(self.new_expr(span, ExprKind::LabelAddress(label)))
    }
}

/// The operator and how strongly it binds.
fn binary_operator(token: TokenKind) -> Option<(BinaryOp, u8)> {
    Some(match token {
        TokenKind::PipePipe => (BinaryOp::LogicalOr, 1),
        TokenKind::AmpersandAmpersand => (BinaryOp::LogicalAnd, 2),
        TokenKind::Pipe => (BinaryOp::BitOr, 3),
        TokenKind::Caret => (BinaryOp::BitXor, 4),
        TokenKind::Ampersand => (BinaryOp::BitAnd, 5),
        TokenKind::EqualEqual => (BinaryOp::Equal, 6),
        TokenKind::BangEqual => (BinaryOp::NotEqual, 6),
        TokenKind::Less => (BinaryOp::Less, 7),
        TokenKind::Greater => (BinaryOp::Greater, 7),
        TokenKind::LessEqual => (BinaryOp::LessEqual, 7),
        TokenKind::GreaterEqual => (BinaryOp::GreaterEqual, 7),
        TokenKind::ShiftLeft => (BinaryOp::ShiftLeft, 8),
        TokenKind::ShiftRight => (BinaryOp::ShiftRight, 8),
        TokenKind::Plus => (BinaryOp::Add, 9),
        TokenKind::Minus => (BinaryOp::Subtract, 9),
        TokenKind::Star => (BinaryOp::Multiply, STRONGEST),
        TokenKind::Slash => (BinaryOp::Divide, STRONGEST),
        TokenKind::Percent => (BinaryOp::Remainder, STRONGEST),
        _ => return None,
    })
}

/// The arithmetic of an assignment operator, `None` inside for plain `=`.
fn assignment_operator(token: TokenKind) -> Option<Option<BinaryOp>> {
    Some(match token {
        TokenKind::Assign => None,
        TokenKind::StarAssign => Some(BinaryOp::Multiply),
        TokenKind::SlashAssign => Some(BinaryOp::Divide),
        TokenKind::PercentAssign => Some(BinaryOp::Remainder),
        TokenKind::PlusAssign => Some(BinaryOp::Add),
        TokenKind::MinusAssign => Some(BinaryOp::Subtract),
        TokenKind::ShiftLeftAssign => Some(BinaryOp::ShiftLeft),
        TokenKind::ShiftRightAssign => Some(BinaryOp::ShiftRight),
        TokenKind::AmpersandAssign => Some(BinaryOp::BitAnd),
        TokenKind::CaretAssign => Some(BinaryOp::BitXor),
        TokenKind::PipeAssign => Some(BinaryOp::BitOr),
        _ => return None,
    })
}
