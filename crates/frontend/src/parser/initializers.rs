//! Initialisers and their designators (C11 6.7.9, with GNU ranges and the old `field:` form).

use super::{Parsed, Parser};
use crate::ast::{Designator, DesignatorKind, Initializer, InitializerItem, InitializerList};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Parsed<Initializer> {
        if self.at(TokenKind::LeftBrace) {
            self.initializer_list().map(Initializer::List)
        } else {
            self.assignment_expression().map(Initializer::Expr)
        }
    }

    pub(super) fn initializer_list(&mut self) -> Parsed<InitializerList> {
        self.nested(Self::initializer_list_unchecked)
    }

    fn initializer_list_unchecked(&mut self) -> Parsed<InitializerList> {
        let start = self.span();
        self.expect(TokenKind::LeftBrace, "to begin the initialiser")?;
        let mut items = Vec::new();
        while !self.at(TokenKind::RightBrace) {
            items.push(self.beside(Self::initializer_item)?);
            if !self.accept(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightBrace, "after the initialiser")?;
        Ok(InitializerList { span: self.span_from(start), items })
    }

    fn initializer_item(&mut self) -> Parsed<InitializerItem> {
        if self.at(TokenKind::Identifier) && self.kind_ahead(1) == TokenKind::Colon {
            let (field, span) = self.expect_identifier("of a field")?;
            self.advance();
            let designators = vec![Designator { span, kind: DesignatorKind::Field(field) }];
            return Ok(InitializerItem { designators, value: self.initializer()? });
        }
        let designators = self.designators()?;
        if !designators.is_empty() && !self.accept(TokenKind::Assign) && !is_old_index(&designators) {
            self.expect(TokenKind::Assign, "after the designator")?;
        }
        Ok(InitializerItem { designators, value: self.initializer()? })
    }

    /// `.a[2].b`; also the path of `offsetof` after its first field.
    pub(super) fn designators(&mut self) -> Parsed<Vec<Designator>> {
        let mut designators = Vec::new();
        loop {
            let span = self.span();
            let kind = if self.accept(TokenKind::Dot) {
                DesignatorKind::Field(self.expect_identifier("of a field after `.`")?.0)
            } else if self.accept(TokenKind::LeftBracket) {
                self.index_designator()?
            } else {
                return Ok(designators);
            };
            designators.push(Designator { span: self.span_from(span), kind });
        }
    }

    fn index_designator(&mut self) -> Parsed<DesignatorKind> {
        let first = self.conditional_expression()?;
        let kind = if self.accept(TokenKind::Ellipsis) {
            DesignatorKind::Range(first, self.conditional_expression()?)
        } else {
            DesignatorKind::Index(first)
        };
        self.expect(TokenKind::RightBracket, "after the index")?;
        Ok(kind)
    }
}

/// Old GNU C allows `[2] value` without `=`.
fn is_old_index(designators: &[Designator]) -> bool {
    matches!(designators, [Designator { kind: DesignatorKind::Index(_) | DesignatorKind::Range(..), .. }])
}
